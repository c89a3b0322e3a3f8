//! Members of kinds, players and the game, definitions of cards, stats and definitions of values.

use super::items::Items;
use super::stmts::Ctx;
use super::terms::{Scope, Smith};
use super::tree::{Node, Part, block, g, op, t};
use super::types::{CARD, Class, Define, Owner, PIECE, Prop, Shape, Ty};

impl Smith {
    pub fn builtin_props(&mut self) {
        let mut add = |name: &str, owner, ty| {
            self.w.props.push(Prop { name: name.to_owned(), owner, class: Class::Builtin, ty });
        };
        add("seat", Owner::Player, Ty::Number);
        add("playing", Owner::Player, Ty::Flag);
        for root in [CARD, PIECE] {
            add("holder", Owner::Kind(root), Ty::Player.maybe());
            add("entered", Owner::Kind(root), Ty::Number);
        }
        add("owner", Owner::Kind(PIECE), Ty::Player.maybe());
    }

    pub fn props(&mut self, made: &mut Items) {
        for kind in 3..self.w.kinds.len() {
            let child = self.w.kinds[kind].parent > 2;
            for _ in 0..(1 + self.below(3)).saturating_sub(usize::from(child)) {
                let node = self.stored(Owner::Kind(kind));
                made.members[kind].push(node);
            }
        }
        let cards: Vec<usize> = (3..self.w.kinds.len()).filter(|kind| self.w.kinds[*kind].root == CARD).collect();
        if let Some(kind) = cards.first().copied().filter(|_| self.chance(50)) {
            self.lazy_fields(made, kind);
        }
        let pieces: Vec<usize> = (3..self.w.kinds.len()).filter(|kind| self.w.kinds[*kind].root == PIECE).collect();
        let held = self.w.zones.iter().any(|zone| self.w.kinds[zone.kind].root == PIECE);
        let turns = !held && self.w.boards.iter().any(|board| board.shape != Shape::Graph);
        if let Some(kind) = pieces.first().copied().filter(|_| turns && !self.w.enums.is_empty() && self.chance(30)) {
            let (name, hue) = (self.name(&["side"]), self.w.enums[0].0.clone());
            made.members[kind]
                .push(Node::other("field", vec![t("field "), g(&name), t(": "), g(&hue), t(" per direction")]));
            let ty = Ty::Enum(0).list();
            self.w.props.push(Prop { name, owner: Owner::Kind(kind), class: Class::Sides, ty });
            self.w.props.push(Prop {
                name: "turn".to_owned(),
                owner: Owner::Kind(kind),
                class: Class::Mark,
                ty: Ty::Number,
            });
        }
        for _ in 0..1 + self.below(3) {
            let node = self.stored(Owner::Player);
            made.player.push(node);
        }
        for _ in 0..1 + self.below(2) {
            let node = self.stored(Owner::Game);
            made.game.push(node);
        }
        made.game.push(Node::other("counter", vec![t("counter fuse: 0..6 = 6")]));
        made.game.push(Node::other("mark", vec![t("mark told: number = 0")]));
    }

    /// A field, a counter or a mark.
    pub fn stored(&mut self, owner: Owner) -> Node {
        let of_kind = matches!(owner, Owner::Kind(_));
        let name = self.any_name(&["size", "power", "oil", "dust", "luck"]);
        let ty = match self.below(10) {
            0..=4 => Ty::Number,
            5..=6 => Ty::Flag,
            7..=8 if !self.w.enums.is_empty() => Ty::Enum(self.below(self.w.enums.len())),
            9 if !of_kind => Ty::Number.list(),
            _ => Ty::Player.maybe(),
        };
        let mut parts = Vec::new();
        let class = match self.below(3) {
            0 if of_kind && matches!(ty, Ty::Number | Ty::Flag | Ty::Enum(_)) => {
                parts.push(t("field "));
                Class::Field
            }
            1 if ty == Ty::Number => {
                parts.push(t("counter "));
                Class::Counter(0, 9)
            }
            _ => {
                parts.push(t("mark "));
                Class::Mark
            }
        };
        let ranged = ty == Ty::Number && (matches!(class, Class::Counter(..)) || class == Class::Field);
        parts.push(g(&name));
        parts.push(self.label());
        parts.extend(if ranged { vec![t(": 0..9")] } else { self.w.typed(&ty) });
        let scope = Scope { order: 0, ..Scope::default() };
        match &ty {
            Ty::Number => parts.push(Part::Maybe(vec![t(format!(" = {}", self.below(4)))])),
            Ty::Flag => parts.push(t(format!(" = {}", self.below(2) == 0))),
            Ty::Enum(_) => {
                let value = self.leaf(&ty, &scope);
                parts.extend([t(" = "), op(0, value)]);
            }
            Ty::List(_) => parts.push(t(" = []")),
            _ => {}
        }
        let form = match class {
            Class::Field => "field",
            Class::Counter(..) => "counter",
            _ => "mark",
        };
        self.w.props.push(Prop { name, owner, class, ty });
        Node::other(form, parts)
    }

    /// Effects, tests and amounts of cards.
    pub fn lazy_fields(&mut self, made: &mut Items, kind: usize) {
        let mut add = |smith: &mut Smith, word: &str, class: Class, params: &str| {
            let name = smith.name(&["act", "asks", "worth"]);
            let parts = vec![t("field "), g(&name), t(format!(": {word}{params}"))];
            made.members[kind].push(Node::other("field", parts));
            smith.w.props.push(Prop { name, owner: Owner::Kind(kind), class, ty: Ty::Flag });
        };
        let params = vec![Ty::Player];
        if self.chance(50) {
            add(self, "effect", Class::Effect(params.clone()), "(q: player)");
        } else {
            add(self, "effect", Class::Effect(Vec::new()), "");
        }
        if self.chance(40) {
            add(self, "test", Class::Test(params.clone()), "(q: player)");
        }
        if self.chance(30) {
            add(self, "amount", Class::Amount(params), "(q: player)");
        }
    }

    /// Definitions of cards and tiles; what they do is written when verbs are known.
    pub fn entries(&mut self, made: &mut Items) {
        for kind in 3..self.w.kinds.len() {
            let tile = self.tile().is_some_and(|tile| self.w.is_kind(kind, tile));
            if self.w.kinds[kind].root != CARD && !tile {
                continue;
            }
            for _ in 0..1 + self.below(3) {
                self.fresh += 1;
                let entry = format!("Card{}", self.fresh);
                self.w.kinds[kind].entries.push(entry);
            }
        }
        let _ = made;
    }

    pub fn entry(&mut self, kind: usize, entry: &str) -> Node {
        let mut parts = vec![g(&self.w.kinds[kind].name.clone()), t(format!(" \"{entry}\" {{"))];
        for prop in self.w.props.clone() {
            let Owner::Kind(of) = prop.owner else { continue };
            if !self.w.is_kind(kind, of) {
                continue;
            }
            let q = |ty: &[Ty]| if ty.is_empty() { Vec::new() } else { vec![("q".to_owned(), Ty::Player)] };
            let mut s = Scope { this: Some(Ty::Kind(kind)), me: true, turns: true, ..Scope::new() };
            self.left = 30;
            match &prop.class {
                Class::Field => {
                    let value = if prop.ty == Ty::Number {
                        t(self.below(10).to_string())
                    } else {
                        op(1, self.leaf(&prop.ty, &Scope { order: 0, ..Scope::default() }))
                    };
                    let plain = !matches!(&value, Part::Op(_, node) if !matches!(node.form, "flag" | "value"));
                    if plain {
                        parts.push(Part::Maybe(vec![t("\n"), g(&prop.name), t(": "), value]));
                    } else {
                        parts.push(t("\n"));
                        let fallback = if prop.ty == Ty::Flag { "true".to_owned() } else { continue };
                        parts.extend([g(&prop.name), t(format!(": {fallback}"))]);
                    }
                }
                Class::Effect(params) => {
                    s.locals = q(params);
                    let ctx = Ctx { s, depth: 2, asks: self.chance(50), arms: true, ..Ctx::default() };
                    let mut effect = vec![t("\n"), g(&prop.name), t(" ")];
                    effect.extend(block(self.stmts(&ctx, 3)));
                    parts.push(Part::Maybe(effect));
                }
                Class::Test(params) => {
                    (s.locals, s.order) = (q(params), 0);
                    let cond = self.term(&Ty::Flag, &s, 2);
                    parts.push(Part::Maybe(vec![t("\n"), g(&prop.name), t(": "), op(1, cond)]));
                }
                Class::Amount(params) => {
                    (s.locals, s.order) = (q(params), 0);
                    let number = self.term(&Ty::Number, &s, 2);
                    parts.push(Part::Maybe(vec![t("\n"), g(&prop.name), t(": "), op(1, number)]));
                }
                Class::Sides => {
                    let Ty::List(of) = &prop.ty else { continue };
                    let ways = self.w.boards.iter().map(|board| if board.four { 4 } else { board.directions.len() });
                    let ways = ways.filter(|ways| *ways > 2).max().unwrap_or(8);
                    let Ty::Enum(index) = **of else { continue };
                    let hues = self.w.enums[index].1.clone();
                    let values = (0..ways).filter_map(|_| self.pick(&hues));
                    let values = values.map(|value| Node::other("side", vec![g(&value)])).collect();
                    parts.extend([t("\n"), g(&prop.name), t(": ["), Part::List(", ", values), t("]")]);
                }
                _ => {}
            }
        }
        if self.chance(35)
            && let Some(clause) = self.clause(Some(kind), &Scope::new(), false)
        {
            parts.push(Part::Maybe(vec![t("\n"), op(0, clause)]));
        }
        if self.chance(40) {
            parts.push(Part::Maybe(vec![t(format!("\ncopies: {}", 2 + self.below(2)))]));
        }
        parts.push(t("\n}"));
        Node::other("entry", parts)
    }

    pub fn stats(&mut self, made: &mut Items) {
        for _ in 0..self.below(4) {
            let kinds: Vec<usize> = (3..self.w.kinds.len()).collect();
            let owner = match self.pick(&kinds) {
                Some(kind) if self.chance(50) => Owner::Kind(kind),
                _ if self.chance(30) => Owner::Game,
                _ => Owner::Player,
            };
            let ty = match self.below(6) {
                0..=2 => Ty::Number,
                3 => Ty::Flag,
                4 if !self.w.enums.is_empty() => Ty::Enum(0).set(),
                _ => Ty::Number,
            };
            let this = match owner {
                Owner::Kind(kind) => Some(Ty::Kind(kind)),
                Owner::Player => Some(Ty::Player),
                Owner::Game => None,
            };
            self.left = 30;
            let order = self.w.order;
            let s = Scope { this: this.clone(), subject: this, order, ..Scope::new() };
            let value = self.term(&ty, &s, 3);
            let name = self.any_name(&["might", "grace", "reach"]);
            let typed = if ty == Ty::Number && self.chance(40) { vec![t(": 0..9")] } else { self.w.typed(&ty) };
            let node = Node::other("stat", [vec![t("stat "), g(&name)], typed, vec![t(" = "), op(0, value)]].concat());
            match owner {
                Owner::Kind(kind) => made.members[kind].push(node),
                Owner::Player => made.player.push(node),
                Owner::Game => made.game.push(node),
            }
            self.w.props.push(Prop { name, owner, class: Class::Stat(order), ty });
            self.w.order += 1;
        }
    }

    /// Definitions that take a question, and that make a list of what lies in a zone.
    pub fn special_defines(&mut self, made: &mut Items) {
        if self.chance(25) {
            let name = self.name(&["asks"]);
            let parts = vec![t("define "), g(&name), t("(w0: test(q0: player)): flag = w0(seat(2))")];
            made.items.push(Node::other("define", parts));
            self.w.askers.push(name);
        }
        let open = |zone: &&super::types::Zone| !zone.per_player && !zone.keyed && zone.seen == super::types::Seen::All;
        let zones: Vec<_> = self.w.zones.iter().filter(open).cloned().collect();
        if self.chance(30)
            && let Some(zone) = self.pick(&zones)
        {
            let (name, ty) = (self.name(&["row"]), Ty::Kind(zone.kind).list());
            let mut parts = vec![t("define "), g(&name)];
            parts.extend(self.w.typed(&ty));
            parts.extend([t(" = "), g(&zone.name)]);
            made.items.push(Node::other("define", parts));
            let order = self.w.order;
            self.w.defines.push(Define { name, params: Vec::new(), ty, order, me: false, open: true });
            self.w.order += 1;
        }
    }

    pub fn defines(&mut self, made: &mut Items, most: usize) {
        for _ in 0..self.below(most + 1) {
            self.left = 40;
            let mut s = Scope { order: self.w.order, me: self.chance(40), ..Scope::new() };
            let mut params = Vec::new();
            let mut head = Vec::new();
            for _ in 0..self.below(3) {
                let ty = match self.some_type(&s) {
                    Ty::List(of) => of.set(),
                    other => other,
                };
                let name = self.local();
                s = s.with(&name, &ty);
                head.push(Node::other("param", [vec![Part::Bind(name)], self.w.typed(&ty)].concat()));
                params.push(ty);
            }
            let ty = self.some_type(&s);
            let value = self.term(&ty, &s, 4);
            let name = self.any_name(&["near", "much", "best", "those"]);
            let mut parts = vec![t("define "), g(&name)];
            if !params.is_empty() {
                parts.extend([t("("), Part::List(", ", head), t(")")]);
            }
            let mut me = false;
            value.walk(&mut |node| {
                let defined = |name: &str| self.w.defines.iter().any(|define| define.name == name && define.me);
                me |= node.parts.iter().any(|part| match part {
                    Part::Text(text) => text == "me" || text.starts_with("opponents") || text.starts_with("me."),
                    Part::Global(name) => node.form == "define" && defined(name),
                    _ => false,
                });
            });
            let ty = value.ty.clone().unwrap_or(ty);
            parts.extend(self.w.typed(&ty));
            parts.extend([t(" = "), op(0, value)]);
            made.items.push(Node::other("define", parts));
            let order = self.w.order;
            self.w.defines.push(Define { name, params, ty, order, me, open: true });
            self.w.order += 1;
        }
    }
}
