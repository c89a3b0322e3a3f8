//! Statements. What they bind is known to those that follow in the same block.

use super::terms::{Scope, Smith};
use super::tree::{Node, Part, block, g, op, t};
use super::types::{Class, Owner, PIECE, Prop, Seen, THING, Ty, Zone};

/// What statements may do where they stand.
#[derive(Clone, Debug, Default)]
pub struct Ctx {
    pub s: Scope,
    /// Verbs from this one on may be performed; those before lead here.
    pub verbs: usize,
    /// Whether somebody or chance may be asked.
    pub asks: bool,
    /// Turns and phases around.
    pub spans: Vec<String>,
    /// Whether a `repeat` is around.
    pub repeats: bool,
    /// The verb that an `instead` may go on with.
    pub instead: Option<usize>,
    /// Whether this is the body of an action.
    pub action: bool,
    /// Whether this is the flow, where turns and phases may stand.
    pub flow: bool,
    /// Whether clauses may be armed here.
    pub arms: bool,
    /// Whether windows may be opened here.
    pub windows: bool,
    pub depth: u8,
}

impl Ctx {
    /// Likewise, one block deeper.
    pub fn deeper(&self) -> Ctx {
        Ctx { depth: self.depth.saturating_sub(1), ..self.clone() }
    }
}

pub type Made = Option<Node>;

impl Smith {
    /// Some statements.
    pub fn stmts(&mut self, ctx: &Ctx, most: usize) -> Vec<Node> {
        let mut ctx = ctx.clone();
        let count = 1 + self.below(most);
        let mut made = Vec::new();
        for _ in 0..count * 2 {
            if made.len() < count && self.left > 0 {
                made.extend(self.stmt(&mut ctx));
            }
        }
        made
    }

    pub fn stmt(&mut self, ctx: &mut Ctx) -> Made {
        self.left -= 2;
        let deep = ctx.depth > 0;
        match self.below(40) {
            0..=4 => self.set_prop(ctx),
            5..=6 => self.let_stmt(ctx),
            7 => self.set_local(ctx),
            8..=9 if deep => self.if_stmt(ctx),
            10..=11 if deep => self.each(ctx),
            12 if deep => self.repeat(ctx),
            13..=16 => self.move_stmt(ctx),
            17..=18 => self.create(ctx),
            19..=20 if ctx.asks => self.choose(ctx),
            21 if ctx.asks && deep => self.choose_option(ctx),
            22 if ctx.asks && deep => self.gate(ctx),
            23 if ctx.asks && deep => self.choose_other(ctx),
            24 if ctx.asks => self.roll(ctx),
            25..=27 => self.perform(ctx),
            28 => self.do_effect(ctx),
            29 => self.shuffle(ctx),
            30 => self.reveal(ctx),
            31 if self.w.scheme.is_some() && ctx.asks && self.chance(60) => self.call_scheme(ctx),
            31 => Some(self.note(&ctx.s)),
            32 if deep => self.outcome(ctx),
            33 if ctx.arms => self.arm(ctx),
            34 if ctx.windows => self.open(ctx),
            35 if deep => self.leave(ctx),
            36 => self.link(ctx),
            37 if ctx.instead.is_some() => self.proceed(ctx),
            38 if ctx.asks && deep && ctx.s.me => self.offer(ctx),
            39 if ctx.flow && deep => self.phase(ctx),
            _ => self.set_prop(ctx),
        }
    }

    /// Properties that can be set, and how what has them is written.
    pub fn settable(&mut self, s: &Scope) -> Option<(Part, Part, Prop)> {
        let mut found = Vec::new();
        for prop in self.w.props.clone() {
            let stored = matches!(prop.class, Class::Counter(..) | Class::Mark) || prop.name == "owner";
            if !stored || self.w.is_hidden(&prop.ty) {
                continue;
            }
            match prop.owner {
                Owner::Game => found.push((t("game"), t("."), prop)),
                Owner::Player => {
                    let whose = self.leaf(&Ty::Player, s);
                    found.push((op(9, whose), t("."), prop.clone()));
                    if self.chance(15) {
                        found.push((t("players"), t("."), prop));
                    }
                }
                Owner::Kind(kind) => {
                    let kind = if prop.name == "owner" { self.w.any_piece() } else { kind };
                    if kind < 3 {
                        continue;
                    }
                    if let Some(path) = self.path(&Ty::Kind(kind).maybe(), s) {
                        found.push((op(9, path), t("."), prop));
                    } else if !self.w.kinds[kind].hidden {
                        let one = if self.chance(60) {
                            self.first(&Ty::Kind(kind), s, 1)
                        } else {
                            self.term(&Ty::Kind(kind).set(), s, 1)
                        };
                        found.push((op(9, one), t("."), prop));
                    }
                }
            }
        }
        self.pick(&found)
    }

    pub fn set_prop(&mut self, ctx: &mut Ctx) -> Made {
        let (of, dot, prop) = self.settable(&ctx.s)?;
        let mut target = vec![of, dot, g(&prop.name)];
        let number = prop.ty == Ty::Number;
        let value = self.term(&prop.ty, &ctx.s, 2);
        if number && self.chance(50) {
            let word = if self.chance(60) { "increase " } else { "decrease " };
            target.insert(0, t(word));
            // What grows without an end ends in a calculation that cannot be done.
            let by = if matches!(prop.class, Class::Mark) { self.leaf(&Ty::Number, &Scope::new()) } else { value };
            target.extend([t(" by "), op(1, by)]);
            return Some(Node::other("change", target));
        }
        target.insert(0, t("set "));
        let value = if matches!(prop.ty, Ty::Maybe(_)) && self.chance(12) {
            Node::term("none", prop.ty.clone(), 9, vec![t("nothing")])
        } else if number && matches!(prop.class, Class::Mark) {
            Node::term("times", Ty::Number, 7, vec![op(7, value), t(" % 10")])
        } else {
            value
        };
        target.extend([t(" = "), op(0, value)]);
        Some(Node::other("set", target))
    }

    /// A type of values that can be named.
    pub fn some_type(&mut self, s: &Scope) -> Ty {
        match self.below(8) {
            0..=2 => Ty::Number,
            3 => Ty::Flag,
            4..=5 => {
                let of = self.some_element(s);
                of.set()
            }
            6 => {
                let of = self.some_element(s);
                if self.chance(50) { of.maybe() } else { of.list() }
            }
            _ => Ty::Player,
        }
    }

    pub fn let_stmt(&mut self, ctx: &mut Ctx) -> Made {
        let ty = self.some_type(&ctx.s);
        let value = self.term(&ty, &ctx.s, 3);
        let ty = value.ty.clone()?;
        let name = self.local();
        // An empty list, and a site of one board of several, have no type of their own.
        let typed = self.chance(20) && !matches!(ty.element(), Ty::Dir(_));
        let mut parts = vec![t("let "), Part::Bind(name.clone())];
        if typed {
            parts.push(Part::Maybe(self.w.typed(&ty)));
        }
        parts.extend([t(" = "), op(0, value)]);
        ctx.s.locals.push((name, ty));
        Some(Node::other("let", parts))
    }

    pub fn set_local(&mut self, ctx: &mut Ctx) -> Made {
        let found: Vec<(String, Ty)> =
            ctx.s.locals.iter().filter(|(name, ty)| name.starts_with('n') && *ty == Ty::Number).cloned().collect();
        let (name, ty) = self.pick(&found)?;
        let value = self.term(&ty, &ctx.s, 1);
        let bounded = Node::term("times", Ty::Number, 7, vec![op(7, value), t(" % 10")]);
        Some(Node::other("set", vec![t("set "), Part::Local(name), t(" = "), op(0, bounded)]))
    }

    pub fn if_stmt(&mut self, ctx: &mut Ctx) -> Made {
        let cond = self.term(&Ty::Flag, &ctx.s, 3);
        let mut parts = vec![t("if "), op(0, cond), t(" ")];
        parts.extend(block(self.stmts(&ctx.deeper(), 2)));
        if self.chance(25) {
            let cond = self.term(&Ty::Flag, &ctx.s, 2);
            let mut other = vec![t(" else if "), op(0, cond), t(" ")];
            other.extend(block(self.stmts(&ctx.deeper(), 2)));
            parts.push(Part::Maybe(other));
        }
        if self.chance(40) {
            let mut other = vec![t(" else ")];
            other.extend(block(self.stmts(&ctx.deeper(), 2)));
            parts.push(Part::Maybe(other));
        }
        Some(Node::other("if stmt", parts))
    }

    pub fn each(&mut self, ctx: &mut Ctx) -> Made {
        let of = self.some_element(&ctx.s);
        let name = self.local();
        let mut inner = ctx.deeper();
        inner.s = inner.s.with(&name, &of);
        if self.chance(25) {
            // One event for all.
            let set = self.term(&of.set(), &ctx.s, 2);
            let call = self.perform(&mut inner)?;
            let mut parts = vec![t("each "), Part::Bind(name), t(" in "), op(0, set), t(" at once ")];
            parts.extend(block(vec![call]));
            return Some(Node::other("each at once", parts));
        }
        if ctx.asks && ctx.depth > 1 && self.chance(20) {
            return self.secret(ctx);
        }
        let ty = if self.chance(20) { of.list() } else { of.set() };
        let set = self.term(&ty, &ctx.s, 2);
        // What is asked for each of many is asked too often.
        inner.asks &= matches!(of, Ty::Player | Ty::Enum(_));
        inner.windows = false;
        inner.arms = false;
        let mut parts = vec![t("each "), Part::Bind(name), t(" in "), op(0, set), t(" ")];
        parts.extend(block(self.stmts(&inner, 2)));
        Some(Node::other("each", parts))
    }

    pub fn repeat(&mut self, ctx: &mut Ctx) -> Made {
        let mut inner = ctx.deeper();
        (inner.repeats, inner.windows, inner.arms) = (true, false, false);
        let count = self.local().replace(|letter: char| letter.is_ascii_alphabetic(), "i");
        let most = 1 + self.below(3);
        let mut body = vec![Node::other("count", vec![t("increase "), Part::Local(count.clone()), t(" by 1")])];
        let begin = [t("let "), Part::Bind(count.clone()), t(" = 0\n")];
        let cond = self.term(&Ty::Flag, &inner.s, 1);
        match self.below(4) {
            0 => {
                let mut parts = vec![t(format!("repeat {most} times "))];
                parts.extend(block(self.stmts(&inner, 2)));
                Some(Node::other("repeat times", parts))
            }
            1 => {
                body.extend(self.stmts(&inner, 2));
                let mut parts = begin.to_vec();
                parts.extend([t("repeat until "), Part::Local(count), t(format!(" >= {most}"))]);
                parts.extend([Part::Maybe(vec![t(" or "), op(2, cond)]), t(" ")]);
                parts.extend(block(body));
                Some(Node::other("repeat until", parts))
            }
            2 => {
                body.extend(self.stmts(&inner, 2));
                let mut parts = begin.to_vec();
                parts.extend([t("repeat while "), Part::Local(count), t(format!(" < {most}"))]);
                parts.extend([Part::Maybe(vec![t(" and "), op(3, cond)]), t(" ")]);
                parts.extend(block(body));
                Some(Node::other("repeat while", parts))
            }
            _ => {
                let leave = vec![t("if "), Part::Local(count), t(format!(" > {most} {{ leave repeat }}"))];
                body.push(Node::other("leave repeat", leave));
                body.extend(self.stmts(&inner, 1));
                let mut parts = begin.to_vec();
                parts.push(t("repeat "));
                parts.extend(block(body));
                Some(Node::other("repeat", parts))
            }
        }
    }

    /// How a zone of the right sort is written where something goes; with the player whose it is.
    /// Which of the zones with this name is meant, if there are several.
    pub fn key_of(&mut self, zone: &Zone) -> Vec<Part> {
        let keys = ["[1]", "[2]", "[3]", "[round]", "[round % 3 + 1]", "[larger(1, count players - 1)]"];
        if zone.keyed { vec![t(keys[self.below(keys.len())])] } else { Vec::new() }
    }

    /// What players read for a name, now and then.
    pub fn label(&mut self) -> Part {
        let labels = ["red tape", "odds and ends", "x"];
        Part::Maybe(if self.chance(10) {
            vec![t(format!(" \"{}\"", labels[self.below(labels.len())]))]
        } else {
            Vec::new()
        })
    }

    pub fn zone_place(&mut self, zone: &Zone, s: &Scope) -> Vec<Part> {
        let mut parts = if zone.per_player {
            let whose = self.leaf(&Ty::Player, s);
            vec![op(9, whose), t("."), g(&zone.name)]
        } else {
            vec![g(&zone.name)]
        };
        parts.extend(self.key_of(zone));
        if zone.ordered && self.chance(40) {
            let place = [" top", " bottom"][self.below(2)];
            parts.push(Part::Maybe(vec![t(place)]));
        }
        parts
    }

    pub fn move_stmt(&mut self, ctx: &mut Ctx) -> Made {
        let kinds: Vec<usize> = (3..self.w.kinds.len()).collect();
        let kind = self.pick(&kinds)?;
        let ty = Ty::Kind(kind);
        let what = self.movable(kind, ctx)?;
        let zones: Vec<Zone> = self.w.zones.iter().filter(|zone| self.w.is_kind(kind, zone.kind)).cloned().collect();
        let mut parts = vec![t("move "), op(1, what.clone()), t(" to ")];
        let on_board = self.w.kinds[kind].root == PIECE && !self.w.boards.is_empty() && self.chance(70);
        if on_board {
            let board = self.below(self.w.boards.len());
            let site = self.term(&Ty::Site(board).maybe(), &ctx.s, 2);
            if site.form == "nothing" {
                return None;
            }
            parts.push(op(1, site));
            if self.tile() == Some(kind) && self.chance(60) {
                let turn = self.leaf(&Ty::Number, &ctx.s);
                parts.push(Part::Maybe(vec![t(" turned "), op(9, turn)]));
            }
        } else if self.w.kinds[kind].root == THING || self.chance(6) {
            parts.push(t("nowhere"));
            return Some(Node::other("move", parts));
        } else {
            let zone = self.pick(&zones)?;
            parts.extend(self.zone_place(&zone, &ctx.s));
        }
        if self.chance(15) {
            let name = self.local();
            let many = matches!(what.ty, Some(Ty::Set(_) | Ty::List(_)));
            parts.push(Part::Maybe(vec![t(" as "), Part::Bind(name.clone())]));
            ctx.s.locals.push((name, if many { ty.set() } else { ty.maybe() }));
        }
        Some(Node::other("move", parts))
    }

    /// Something of a kind that can be moved: also what nobody sees.
    pub fn movable(&mut self, kind: usize, ctx: &Ctx) -> Option<Node> {
        let ty = Ty::Kind(kind);
        let zones: Vec<Zone> = self.w.zones.iter().filter(|zone| self.w.is_kind(zone.kind, kind)).cloned().collect();
        if self.chance(50)
            && let Some(zone) = self.pick(&zones)
            && (ctx.asks || zone.seen == Seen::All)
        {
            let mut place = if zone.per_player {
                let whose = self.leaf(&Ty::Player, &ctx.s);
                vec![op(9, whose), t("."), g(&zone.name)]
            } else {
                vec![g(&zone.name)]
            };
            place.extend(self.key_of(&zone));
            let of = Ty::Kind(zone.kind);
            let (word, end, ty) = match self.below(7) {
                0 if zone.ordered => ("top(", ", 2)", of.list()),
                5 if zone.ordered => ("bottom(", ", 2)", of.list()),
                6 if zone.ordered => ("bottom(", ")", of.maybe()),
                1..=2 if zone.ordered => ("top(", ")", of.maybe()),
                3 => return Some(Node::term("zone", of.set(), 9, place)),
                _ => ("first(", ")", of.maybe()),
            };
            place.insert(0, t(word));
            place.push(t(end));
            return Some(Node::term("first", ty, 9, place));
        }
        if self.chance(50)
            && let Some(path) = self.path(&ty.maybe(), &ctx.s)
        {
            return Some(path);
        }
        if self.w.kinds[kind].hidden {
            return None;
        }
        Some(if self.chance(60) { self.first(&ty, &ctx.s, 2) } else { self.term(&ty.set(), &ctx.s, 2) })
    }

    pub fn create(&mut self, ctx: &mut Ctx) -> Made {
        let kinds: Vec<usize> = (3..self.w.kinds.len()).collect();
        let kind = self.pick(&kinds)?;
        let info = self.w.kinds[kind].clone();
        let mut parts = vec![t("create ")];
        if self.chance(15) {
            parts.push(Part::Maybe(vec![t("2 * ")]));
        }
        let copy = if self.chance(10) && info.root != THING { self.path(&Ty::Kind(kind), &ctx.s) } else { None };
        let copied = copy.is_some();
        if let Some(copy) = copy {
            parts.extend([t("copy of "), op(9, copy)]);
        } else {
            parts.push(g(&info.name));
            if let Some(entry) = self.pick(&info.entries) {
                parts.push(t(format!(" \"{entry}\"")));
            }
        }
        if info.root == PIECE && !self.w.boards.is_empty() {
            let board = self.below(self.w.boards.len());
            let site = self.term(&Ty::Site(board).maybe(), &ctx.s, 2);
            if site.form == "nothing" {
                return None;
            }
            parts.extend([t(" at "), op(1, site)]);
        } else if info.root != THING {
            let zones: Vec<Zone> =
                self.w.zones.iter().filter(|zone| self.w.is_kind(kind, zone.kind)).cloned().collect();
            let zone = self.pick(&zones)?;
            parts.push(t(" in "));
            parts.extend(self.zone_place(&Zone { ordered: false, ..zone }, &ctx.s));
        }
        if !copied {
            parts.extend(self.with_fields(kind, info.entries.is_empty(), ctx));
        }
        let node = Node::other("create", parts);
        // No more than there is room for.
        let mut guard = vec![t("if count "), g(&info.name), t(" < 6 ")];
        guard.extend(block(vec![node]));
        Some(Node::other("if stmt", guard))
    }

    /// ` with size = 1, owner = me`
    pub fn with_fields(&mut self, kind: usize, fields: bool, ctx: &Ctx) -> Vec<Part> {
        let mut given = Vec::new();
        let mut spread = false;
        for prop in self.w.props.clone() {
            let Owner::Kind(of) = prop.owner else { continue };
            let stored = match prop.class {
                Class::Field => fields,
                Class::Counter(..) | Class::Mark => self.chance(30),
                Class::Builtin => prop.name == "owner" && self.chance(60),
                _ => false,
            };
            if !stored || !(self.w.is_kind(kind, of) || of == PIECE && self.w.kinds[kind].root == PIECE) {
                continue;
            }
            if self.w.is_hidden(&prop.ty) {
                continue;
            }
            let value = if prop.class == Class::Field && prop.ty == Ty::Number {
                let number = 1 + self.below(3);
                Node::term("number", Ty::Number, 9, vec![t(number.to_string())])
            } else if prop.class == Class::Field {
                self.leaf(&prop.ty, &Scope::new())
            } else {
                self.term(&prop.ty, &ctx.s, 1)
            };
            let drawn = ["every_value", "any_value"][self.below(2)];
            let mut parts = vec![g(&prop.name), t(" = ")];
            if matches!(prop.ty, Ty::Enum(_)) && !spread && ctx.asks && self.chance(25) {
                spread = true;
                parts.push(t(drawn));
            } else {
                parts.push(op(1, value));
            }
            given.push(Node::other("with", parts));
        }
        if given.is_empty() { Vec::new() } else { vec![t(" with "), Part::List(", ", given)] }
    }

    /// A verb is performed: what it does may speak of who acts.
    pub fn perform(&mut self, ctx: &mut Ctx) -> Made {
        if !ctx.s.me {
            return None;
        }
        let verbs: Vec<usize> =
            (ctx.verbs..self.w.verbs.len()).filter(|verb| ctx.asks || !self.w.verbs[*verb].asks).collect();
        let verb = self.pick(&verbs)?;
        let verb = self.w.verbs[verb].clone();
        let mut parts = vec![g(&verb.name)];
        if verb.params.first().is_none_or(|param| !param.label.is_empty()) {
            parts.push(t("()"));
        }
        for param in &verb.params {
            if param.default && ctx.s.me && self.chance(50) {
                continue;
            }
            let ty =
                if matches!(param.ty, Ty::Kind(_)) || self.chance(15) { param.ty.maybe() } else { param.ty.clone() };
            let arg = self.term(&ty, &ctx.s, 2);
            if arg.form == "nothing" {
                return None;
            }
            let label = if param.label.is_empty() { " ".to_owned() } else { format!(" {} ", param.label) };
            parts.extend([t(label), op(2, arg)]);
        }
        if self.chance(10)
            && let Some(rule) = self.pick(&self.w.rules.clone())
        {
            parts.push(Part::Maybe(vec![t(" ignoring "), g(&rule)]));
        }
        Some(Node::other("perform", parts))
    }

    pub fn do_effect(&mut self, ctx: &mut Ctx) -> Made {
        let props: Vec<Prop> =
            self.w.props.iter().filter(|prop| matches!(prop.class, Class::Effect(_))).cloned().collect();
        let prop = self.pick(&props)?;
        // What an effect does may lead here again.
        if ctx.verbs > 0 || !ctx.asks || !(ctx.action || ctx.flow) {
            return None;
        }
        let (Owner::Kind(kind), Class::Effect(params)) = (prop.owner, &prop.class) else { return None };
        let of = self.path(&Ty::Kind(kind).maybe(), &ctx.s).unwrap_or_else(|| self.first(&Ty::Kind(kind), &ctx.s, 1));
        let mut parts = vec![t("do "), op(9, of), t("."), g(&prop.name)];
        if !params.is_empty() {
            let args = params.iter().map(|ty| self.term(ty, &ctx.s, 1)).collect();
            parts.extend([t("("), Part::List(", ", args), t(")")]);
        }
        if self.chance(30) {
            let who = self.term(&Ty::Player, &ctx.s, 1);
            parts.extend([t(" by "), op(9, who)]);
        }
        Some(Node::other("do", parts))
    }

    pub fn shuffle(&mut self, ctx: &mut Ctx) -> Made {
        let zones: Vec<Zone> = self.w.zones.iter().filter(|zone| zone.ordered).cloned().collect();
        let zone = self.pick(&zones).filter(|_| ctx.asks)?;
        let mut parts = vec![t("shuffle ")];
        parts.extend(self.zone_place(&Zone { ordered: false, ..zone }, &ctx.s));
        Some(Node::other("shuffle", parts))
    }

    pub fn reveal(&mut self, ctx: &mut Ctx) -> Made {
        let hidden: Vec<Zone> = self.w.zones.iter().filter(|zone| zone.seen != Seen::All).cloned().collect();
        let zone = self.pick(&hidden).filter(|_| ctx.asks)?;
        let word = if self.chance(75) { "reveal " } else { "hide " };
        let mut parts = vec![t(word)];
        parts.extend(self.zone_place(&Zone { ordered: false, ..zone }, &ctx.s));
        if self.chance(50) {
            let whom = self.leaf(&Ty::Player, &ctx.s);
            parts.push(Part::Maybe(vec![t(" to "), op(1, whom)]));
        }
        Some(Node::other(if word == "hide " { "hide" } else { "reveal" }, parts))
    }

    /// A value in a text: one that has no text in it.
    pub fn told(&mut self, s: &Scope) -> Part {
        let value = self.term(&Ty::Number, s, 1);
        if value.line().contains(['"', '{']) { t("0") } else { op(0, value) }
    }

    pub fn note(&mut self, s: &Scope) -> Node {
        let told = self.told(s);
        Node::other("note", vec![t("note \"seen {"), told, t("}\"")])
    }

    pub fn outcome(&mut self, ctx: &mut Ctx) -> Made {
        let cond = self.term(&Ty::Flag, &ctx.s, 2);
        let who = self.leaf(&Ty::Player, &ctx.s);
        let (form, what) = match self.below(5) {
            0..=1 => ("win", vec![t("win "), op(1, who)]),
            2 => ("lose", vec![t("lose "), op(1, who)]),
            3 => ("draw", vec![t("draw game")]),
            _ if !self.w.score => ("win", vec![t("win seat(1)")]),
            _ => ("end", vec![t("end game")]),
        };
        let mut parts = vec![t("if round > 1 and "), op(3, cond), t(" ")];
        parts.extend(block(vec![Node::other(form, what)]));
        Some(Node::other("if stmt", parts))
    }

    pub fn leave(&mut self, ctx: &mut Ctx) -> Made {
        let cond = self.term(&Ty::Flag, &ctx.s, 1);
        let span = self.pick(&ctx.spans);
        let (form, what) = match (span, ctx.repeats) {
            _ if ctx.flow && self.chance(25) => ("settle", vec![t("settle")]),
            (Some(span), _) if ctx.flow => ("leave span", vec![t("leave "), g(&span)]),
            (_, true) => ("leave repeat", vec![t("leave repeat")]),
            _ if ctx.action && self.w.opens => ("open again", vec![t("open again")]),
            _ => ("stop", vec![t("stop")]),
        };
        let mut parts = vec![t("if "), op(0, cond), t(" ")];
        parts.extend(block(vec![Node::other(form, what)]));
        Some(Node::other("if stmt", parts))
    }

    pub fn link(&mut self, ctx: &mut Ctx) -> Made {
        let link = self.pick(&self.w.links.clone())?;
        let one = self.path(&Ty::Kind(link.from).maybe(), &ctx.s);
        let one = one.unwrap_or_else(|| self.first(&Ty::Kind(link.from), &ctx.s, 1));
        if self.chance(30) {
            return Some(Node::other("unlink", vec![t("unlink "), op(1, one)]));
        }
        let other = self.path(&Ty::Kind(link.to).maybe(), &ctx.s);
        let other = other.unwrap_or_else(|| self.first(&Ty::Kind(link.to), &ctx.s, 1));
        Some(Node::other("link", vec![t("link "), op(1, one), t(" to "), op(1, other)]))
    }

    pub fn proceed(&mut self, ctx: &mut Ctx) -> Made {
        let verb = self.w.verbs.get(ctx.instead?)?.clone();
        let mut parts = vec![t("proceed")];
        for param in verb.params {
            if param.label.is_empty() && param.ty != Ty::Number || self.chance(40) || matches!(param.ty, Ty::Kind(_)) {
                continue;
            }
            let arg = self.term(&param.ty, &ctx.s, 1);
            let label = if param.label.is_empty() { " ".to_owned() } else { format!(" {} ", param.label) };
            parts.extend([t(label), op(2, arg)]);
        }
        if parts.len() == 1 {
            parts.push(t("()"));
        }
        Some(Node::other("proceed", parts))
    }

    pub fn phase(&mut self, ctx: &mut Ctx) -> Made {
        let name = self.any_name(&["dawn", "noon", "dusk"]);
        let mut inner = ctx.deeper();
        inner.spans = vec![name.clone()];
        let mut parts = vec![t("phase "), g(&name), t(" ")];
        parts.extend(block(self.stmts(&inner, 2)));
        Some(Node::other("phase", parts))
    }
}
