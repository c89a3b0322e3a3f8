//! Code for expressions: every expression ends in a slot; conditions jump.

use super::NIL;
use super::code::{Builder, Env, Order};
use super::constants::constant_mask;
use super::layout::{PropHome, Repr, is_builtin, repr};
use super::op::{Op, Slot};
use super::sites::{CanSite, TargetSite};
use crate::core::asks_flat;
use crate::model::rules::{
    BinaryOp, Builtin, BuiltinProp, Expr, ExprKind, Proc, ProcBody, ProcRole, Prop, PropClass, PropId, PropOwner,
    Rules, Ty, ZoneId, ZoneOrder,
};

/// Calls and definitions deeper than this are calls, not copies of the code.
pub(super) const MAX_INLINE: usize = 6;
/// Instructions of a procedure from which on it calls what it would else have copies of.
const LONG: usize = 30_000;

impl<'r> Builder<'r> {
    /// Code for an expression; says where the value is.
    pub fn expr(&mut self, expr: &Expr) -> Slot {
        let outer = std::mem::replace(&mut self.span, expr.span);
        let slot = match self.place(expr) {
            Some(slot) => slot,
            None => {
                let d = self.temp(self.layout.words(&expr.ty));
                self.into(expr, d);
                d
            }
        };
        self.span = outer;
        slot
    }

    /// Where a value already lies, if it needs no code.
    pub(super) fn place(&mut self, expr: &Expr) -> Option<Slot> {
        if let Some(slot) = self.hoisted(expr) {
            return Some(slot);
        }
        if let Some(slot) = self.shared(expr) {
            return Some(slot);
        }
        Some(match &expr.kind {
            ExprKind::Word(word) => self.word(*word),
            ExprKind::Nothing if repr(&expr.ty) == Repr::Word => self.word(NIL),
            ExprKind::Nothing | ExprKind::Empty => self.empty(),
            ExprKind::Text(text) => self.word(self.rules.texts.value(text).unwrap_or(NIL)),
            ExprKind::List(_) | ExprKind::ToSet(_) if let Some(mask) = constant_mask(expr) => self.word(mask),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Me => self.env.me,
            ExprKind::This => self.env.this,
            ExprKind::Mover => Slot(self.layout.mover),
            ExprKind::Round => Slot(self.layout.round),
            ExprKind::Players => Slot(self.layout.playing),
            ExprKind::Option(option) => {
                let value = self.rules.options[option.index()].value;
                self.word(value)
            }
            ExprKind::GameProp(prop) => match self.layout.props[prop.index()] {
                PropHome::Game(at) => Slot(at),
                _ => return None,
            },
            ExprKind::Seat(n) => match super::walk::constant(self.rules, n) {
                Some(n) if (1..=i64::from(self.rules.players.0)).contains(&n) => self.word(n - 1),
                _ => return None,
            },
            ExprKind::Contents(zone, None) if repr(&expr.ty) == Repr::Entities => self.zone_set(*zone),
            ExprKind::Prop(of, prop) if !self.laid.is_empty() && is_builtin(self.rules, *prop, BuiltinProp::Owner) => {
                self.laid_owner(of)?
            }
            ExprKind::ToList(inner) if repr(&inner.ty) == repr(&expr.ty) && inner.ty.is_many() => self.expr(inner),
            // A list may have a member twice, and in any order.
            ExprKind::ToSet(inner) if repr(&inner.ty) == repr(&expr.ty) && matches!(inner.ty, Ty::Set(_)) => {
                self.expr(inner)
            }
            _ => match self.region(expr) {
                Some(region) => self.region_slot(region),
                None => return None,
            },
        })
    }

    /// The set of a shared zone.
    pub fn zone_set(&self, zone: ZoneId) -> Slot {
        let instance = self.layout.zone_first[zone.index()];
        Slot(self.layout.instances[usize::from(instance)].set as u16)
    }

    /// The slot that holds the number of a zone instance.
    pub fn instance(&mut self, zone: ZoneId, of: Option<&Expr>) -> Slot {
        let first = self.layout.zone_first[zone.index()];
        match of {
            Some(of) if self.rules.zones[zone.index()].per_player => {
                let p = self.expr(of);
                let d = self.temp(1);
                self.emit(Op::Instance { d, zone: first, p });
                d
            }
            _ => self.word(i64::from(first)),
        }
    }

    /// Code for an expression into a slot.
    pub fn into(&mut self, expr: &Expr, d: Slot) {
        let outer = std::mem::replace(&mut self.span, expr.span);
        let mark = self.top;
        if let Some(a) = self.place(expr) {
            self.copy_of(&expr.ty, d, a);
        } else {
            self.compute(expr, d);
        }
        self.release(mark);
        self.span = outer;
    }

    fn compute(&mut self, expr: &Expr, d: Slot) {
        if self.tabulated(expr, d) {
            return;
        }
        match &expr.kind {
            ExprKind::Flat(_)
            | ExprKind::Not(_)
            | ExprKind::Compare(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Some(_)
            | ExprKind::Any { .. }
            | ExprKind::All { .. } => self.flag(expr, d),
            ExprKind::Binary(..) if repr(&expr.ty) == Repr::Sites && self.sees(expr, None, d) => {}
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, d),
            ExprKind::Negate(a) => {
                let a = self.expr(a);
                self.emit(Op::Neg { d, a });
            }
            ExprKind::Count(a) => self.count(a, d),
            ExprKind::If(cond, yes, no) => {
                let (other, end) = (self.label(), self.label());
                self.jump(cond, false, other);
                self.into(yes, d);
                let to = self.to(end);
                self.emit(Op::Jump { to });
                self.bind(other);
                let counted = asks_flat(cond).then(|| self.predicates.clone());
                self.into(no, d);
                // What lies on each other seldom does.
                self.predicates = counted.unwrap_or_else(|| std::mem::take(&mut self.predicates));
                self.bind(end);
            }
            ExprKind::In(a, set) => self.member(a, set, d),
            ExprKind::Is(a, kind) => {
                let e = self.expr(a);
                self.emit(Op::IsKind { d, e, kind: kind.index() as u16 });
            }
            ExprKind::Prop(of, prop) => self.prop(of, *prop, d),
            ExprKind::InPlay(kind) => {
                let (w, a, b) = (self.layout.entity_set as u8, self.layout.kind_set(*kind), Slot(self.layout.in_play));
                self.emit(Op::And { w, d, a, b });
            }
            ExprKind::EntitiesOf(entry) => self.emit(Op::EntitiesNamed { d, entry: entry.0 }),
            ExprKind::Contents(zone, of) => self.contents(*zone, of.as_deref(), repr(&expr.ty), d),
            ExprKind::Opponents => {
                self.copy(1, d, self.env.me);
                self.emit(Op::Opponents { d });
            }
            ExprKind::Seat(n) => {
                let a = self.expr(n);
                self.emit(Op::SeatNumber { d, a });
            }
            ExprKind::ToSet(inner) => self.as_set_of(inner, repr(&expr.ty), d),
            ExprKind::ToList(inner) => self.as_list_of(inner, d),
            ExprKind::List(items) => self.list(items, &expr.ty, d),
            ExprKind::Range(a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.emit(Op::RangeList { d, a, b });
            }
            ExprKind::Where { over, binder, cond } => self.filter(expr, over, *binder, cond, d),
            ExprKind::Fold { op, over, binder, body } => self.fold(*op, over, *binder, body, d),
            ExprKind::Collect { op, over, binder, body } => self.collect(*op, over, *binder, body, &expr.ty, d),
            ExprKind::Having { over, most, binder, body } => self.having(over, *most, *binder, body, d),
            ExprKind::Sorted { over, down, binder, body } => self.sorted(over, *down, *binder, body, d),
            ExprKind::Call(proc, args) => self.call(*proc, args, d),
            ExprKind::CallLambda(lambda, args) => {
                let lambda = self.expr(lambda);
                let args = self.args(args);
                self.emit(Op::CallLambda { d, lambda, args });
            }
            ExprKind::Lambda(proc) => {
                self.emit(Op::MakeLambda { d, proc: proc.0 });
            }
            ExprKind::CallScript(script, args) => {
                let args = self.args(args);
                self.emit(Op::CallScript { d, script: script.index() as u16, args });
            }
            ExprKind::Can(player, action, args) => {
                let player = self.expr(player);
                let args = self.args(args);
                let can = CanSite { action: *action, args };
                let known = self.sites.cans.iter().position(|other| *other == can);
                let site = known.unwrap_or_else(|| {
                    self.sites.cans.push(can);
                    self.sites.cans.len() - 1
                });
                let site = self.short(site);
                self.emit(Op::Can { d, player, site });
            }
            ExprKind::Targetable { verb, args, sure, ignoring } => {
                let a = self.arguments_of(*verb, args);
                let (ignoring, unasked) = (self.ignoring(ignoring), self.unasked(*verb, args));
                let target = TargetSite { verb: *verb, ignoring, unasked, needed: self.needed_of(*verb, *sure) };
                let known = self.sites.targets.iter().position(|other| *other == target);
                let site = known.unwrap_or_else(|| {
                    self.sites.targets.push(target);
                    self.sites.targets.len() - 1
                });
                let site = self.short(site);
                self.emit(Op::Targetable { d, a, site });
            }
            ExprKind::Actor => self.emit(Op::Actor { d }),
            ExprKind::Source => self.emit(Op::Source { d }),
            ExprKind::Cause => self.emit(Op::Cause { d }),
            ExprKind::Changed => self.emit(Op::Changed { d }),
            ExprKind::Index(list, i) => {
                let (list, i) = (self.expr(list), self.expr(i));
                self.emit(Op::Item { d, list, i });
            }
            ExprKind::Side(of, prop, way) => {
                let board = board_of(&way.ty) as u8;
                let e = self.expr(of);
                let found = self.temp(1);
                self.into(way, found);
                self.emit(Op::Side { board, d: found, e, f: self.tiles.of_prop[prop] });
                self.copy(1, d, found);
            }
            ExprKind::Part(split, whose) => {
                let (split, a) = (self.expr(split), self.expr(whose));
                let list = self.temp(self.layout.list_items + 1);
                let w = self.layout.set_words(repr(&expr.ty));
                match repr(&expr.ty) {
                    Repr::List => self.emit(Op::Part { d, split, a }),
                    kind => {
                        self.emit(Op::Part { d: list, split, a });
                        self.emit(match kind {
                            Repr::Entities => Op::EntitiesOfList { d, a: list },
                            _ => Op::BitsOfList { w, d, a: list },
                        });
                    }
                }
            }
            ExprKind::Builtin(builtin, args) => self.builtin(*builtin, args, &expr.ty, d),
            // INVARIANT: `place` has answered for the rest.
            _ => self.copy(self.layout.words(&expr.ty), d, self.empty()),
        }
    }

    /// A condition as a word.
    fn flag(&mut self, expr: &Expr, d: Slot) {
        let (no, end) = (self.label(), self.label());
        let (zero, one) = (self.word(0), self.word(1));
        self.jump(expr, false, no);
        self.emit(Op::Copy { d, a: one });
        let to = self.to(end);
        self.emit(Op::Jump { to });
        self.bind(no);
        self.emit(Op::Copy { d, a: zero });
        self.bind(end);
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, d: Slot) {
        let kind = repr(&a.ty);
        let w = self.layout.set_words(kind);
        let sets = !matches!(a.ty, Ty::List(_));
        let (a, b) = (self.expr(a), self.expr(b));
        self.emit(match (op, kind) {
            (BinaryOp::Union, Repr::List) if sets => Op::ListUnion { d, a, b },
            (BinaryOp::Union | BinaryOp::Add, Repr::List) => Op::Concat { d, a, b },
            (BinaryOp::Difference | BinaryOp::Sub, Repr::List) => Op::ListMinus { d, a, b },
            (BinaryOp::Both, Repr::List) => Op::ListBoth { d, a, b },
            (BinaryOp::Union, _) => Op::Or { w, d, a, b },
            (BinaryOp::Difference, _) => Op::AndNot { w, d, a, b },
            (BinaryOp::Both, _) => Op::And { w, d, a, b },
            (BinaryOp::Add, _) => Op::Add { d, a, b },
            (BinaryOp::Sub, _) => Op::Sub { d, a, b },
            (BinaryOp::Mul, _) => Op::Mul { d, a, b },
            (BinaryOp::Div, _) => Op::Div { d, a, b },
            (BinaryOp::Rem, _) => Op::Rem { d, a, b },
        });
    }

    fn count(&mut self, a: &Expr, d: Slot) {
        if self.count_pieces(a, d) {
            return;
        }
        let imagines = self.is_flat && !self.laid.is_empty();
        if let Some(a) = if imagines { self.pieces_now(a) } else { None } {
            return self.emit(Op::Count { w: self.layout.site_set as u8, d, a });
        }
        let kind = repr(&a.ty);
        let slot = self.expr(a);
        match kind {
            Repr::List => self.emit(Op::Copy { d, a: slot }),
            Repr::Word => {
                let (end, zero, one) = (self.label(), self.word(0), self.word(1));
                self.emit(Op::Copy { d, a: zero });
                let to = self.to(end);
                self.emit(Op::JumpNil { a: slot, to });
                self.emit(Op::Copy { d, a: one });
                self.bind(end);
            }
            _ => self.emit(Op::Count { w: self.layout.set_words(kind), d, a: slot }),
        }
    }

    fn member(&mut self, a: &Expr, set: &Expr, d: Slot) {
        if let ExprKind::EntitiesOf(entry) = set.kind
            && let Ok(entry) = u16::try_from(entry.index())
        {
            let e = self.expr(a);
            return self.emit(Op::IsEntry { d, e, entry });
        }
        if let ExprKind::InPlay(kind) = set.kind {
            let e = self.expr(a);
            self.emit(Op::HasEntity { d, set: Slot(self.layout.in_play), a: e });
            if !matches!(a.ty.bare(), Ty::Entity(own) if self.rules.is_below(*own, kind)) {
                let (below, set) = (self.temp(1), self.layout.kind_set(kind));
                self.emit(Op::HasEntity { d: below, set, a: e });
                self.emit(Op::And { w: 1, d, a: d, b: below });
            }
            return;
        }
        let kind = repr(&set.ty);
        let entities = matches!(&set.ty, Ty::Set(item) if matches!(item.as_ref(), Ty::Entity(_)));
        let (a, set) = (self.expr(a), self.expr(set));
        self.emit(match kind {
            Repr::List => Op::HasItem { d, list: set, a },
            _ if entities => Op::HasEntity { d, set, a },
            _ => Op::HasBit { d, set, a },
        });
    }

    fn prop(&mut self, of: &Expr, prop: PropId, d: Slot) {
        let info = &self.rules.props[prop.index()];
        if matches!(of.ty, Ty::Set(_)) {
            return self.prop_of_set(of, prop, d);
        }
        if !self.laid.is_empty()
            && is_builtin(self.rules, prop, BuiltinProp::Owner)
            && let Some(site) = super::imagined::top_site(of)
        {
            let board = board_of(&site.ty);
            let site = self.expr(site);
            return self.owner_on_top(board, site, self.laid.len(), d);
        }
        let e = self.expr(of);
        let kind = repr(&info.ty);
        let small = matches!(kind, Repr::Entities | Repr::Sites) && self.layout.words(&info.ty) == 1;
        let stored = !matches!(info.class, PropClass::Stat { .. } | PropClass::LinkMany(_));
        if kind == Repr::Mask && !matches!(info.class, PropClass::Stat { .. }) || small && stored {
            // The missing word is no set: of nothing, it is the empty one.
            let (some, end) = (self.label(), self.label());
            let to = self.to(some);
            self.emit(Op::JumpSome { a: e, to });
            self.copy(1, d, self.empty());
            let to = self.to(end);
            self.emit(Op::Jump { to });
            self.bind(some);
            self.prop_word(info, prop, e, d);
            return self.bind(end);
        }
        self.prop_word(info, prop, e, d);
    }

    /// A property of the entity or player in a slot.
    fn prop_word(&mut self, info: &Prop, prop: PropId, e: Slot, d: Slot) {
        let n = self.layout.width(&info.ty);
        match (&info.class, self.layout.props[prop.index()]) {
            (PropClass::Field { .. }, PropHome::None) => match (&info.ty, repr(&info.ty)) {
                (Ty::Lambda(..) | Ty::Effect(_), _) => self.emit(Op::Lazy { d, e, f: prop.index() as u16 }),
                (_, Repr::List) => self.emit(Op::FieldList { d, e, f: prop.index() as u16 }),
                _ => self.emit(Op::Field { d, e, f: prop.index() as u16 }),
            },
            (PropClass::Stat { formula }, _) => self.stat(*formula, prop, e, d),
            (PropClass::LinkMany(link), _) => {
                let one = self.rules.links[link.index()].one;
                self.emit(Op::Linked { d, e, p: one.index() as u16 });
            }
            (PropClass::Builtin(builtin), _) => match builtin {
                BuiltinProp::Holder => self.emit(Op::Holder { d, e }),
                BuiltinProp::Owner => self.emit(Op::Owner { d, e }),
                BuiltinProp::Name => self.emit(Op::Field { d, e, f: prop.index() as u16 }),
                BuiltinProp::Entered => self.emit(Op::Entered { d, e }),
                BuiltinProp::Playing => self.emit(Op::Playing { d, e }),
                BuiltinProp::Seat => {
                    let one = self.word(1);
                    self.emit(Op::Add { d, a: e, b: one });
                }
            },
            (_, PropHome::Player(at)) => self.emit(Op::PlayerProp { n, d, e, at }),
            (_, PropHome::Entity(at)) => self.emit(Op::Prop { n, d, e, at }),
            (_, PropHome::Game(at)) => self.copy(u16::from(n), d, Slot(at)),
            (_, PropHome::None) => self.copy(u16::from(n), d, self.empty()),
        }
    }

    /// A property of each member, where it is itself a set: their union.
    fn prop_of_set(&mut self, of: &Expr, prop: PropId, d: Slot) {
        let Ty::Set(item) = &of.ty else { return };
        let (words, kind) =
            (self.layout.words(&self.rules.props[prop.index()].ty), repr(&self.rules.props[prop.index()].ty));
        self.copy(words, d, self.empty());
        let subject = self.temp(1);
        let value = self.temp(words);
        let item = Expr {
            kind: ExprKind::Local(crate::model::rules::LocalId(self.env.locals.len() as u32)),
            ty: item.as_ref().clone(),
            span: of.span,
        };
        self.env.locals.push(subject);
        self.each(of, subject, |builder| {
            builder.prop(&item, prop, value);
            match kind {
                Repr::List => builder.emit(Op::Concat { d, a: d, b: value }),
                Repr::Word => builder.emit(Op::InsertBit { set: d, a: value }),
                _ => builder.emit(Op::Or { w: builder.layout.set_words(kind), d, a: d, b: value }),
            }
        });
        self.env.locals.pop();
    }

    /// A derived property: its formula in place, or with its modifiers.
    fn stat(&mut self, formula: crate::model::rules::ProcId, prop: PropId, e: Slot, d: Slot) {
        let (id, modified) = (prop.index() as u16, self.has_modifiers[prop.index()]);
        if modified && !self.by_cards[prop.index()] || !self.opens(formula) {
            return self.emit(Op::Stat { d, e, p: id });
        }
        let kept = self.layout.kept_stats[prop.index()] != 0;
        if modified || kept {
            // Most of the time nothing modifies it, and what it is asked of is there.
            let (slow, end) = (self.label(), self.label());
            let to = self.to(slow);
            if kept {
                self.emit(Op::JumpGone { e, to });
            }
            if modified {
                self.emit(Op::JumpModified { p: id, to });
            }
            self.formula(formula, prop, e, d);
            let to = self.to(end);
            self.emit(Op::Jump { to });
            self.bind(slow);
            self.emit(Op::Stat { d, e, p: id });
            return self.bind(end);
        }
        self.formula(formula, prop, e, d);
    }

    /// The formula of a derived property in its place.
    fn formula(&mut self, formula: crate::model::rules::ProcId, prop: PropId, e: Slot, d: Slot) {
        let rules = self.rules;
        let formula = &rules.procs[formula.index()];
        let me = if rules.props[prop.index()].owner == PropOwner::Player {
            e
        } else if says_me(rules, formula, MAX_INLINE) {
            let me = self.temp(1);
            self.emit(Op::Holder { d: me, e });
            me
        } else {
            self.env.me
        };
        let (missing, end) = (self.label(), self.label());
        let known = self.some.contains(&e) || rules.props[prop.index()].owner == PropOwner::Game;
        if !known {
            let to = self.to(missing);
            self.emit(Op::JumpNil { a: e, to });
        }
        self.inline(formula, Vec::new(), me, e, d);
        if let (Some((low, high)), Repr::Word) = (rules.props[prop.index()].range, repr(&rules.props[prop.index()].ty))
        {
            let (low, high) = (self.word(low), self.word(high.max(low)));
            self.emit(Op::Larger { d, a: d, b: low });
            self.emit(Op::Smaller { d, a: d, b: high });
        }
        if known {
            return;
        }
        let to = self.to(end);
        self.emit(Op::Jump { to });
        self.bind(missing);
        let words = self.layout.words(&rules.props[prop.index()].ty);
        let missing = if repr(&rules.props[prop.index()].ty) == Repr::Word { self.word(NIL) } else { self.empty() };
        self.copy(words, d, missing);
        self.bind(end);
    }

    /// Whether the code of an expression procedure is copied to where it is called.
    pub(super) fn opens(&self, proc: crate::model::rules::ProcId) -> bool {
        self.depth < MAX_INLINE && self.rules.opens(proc) && self.ops.len() < LONG
    }

    fn call(&mut self, proc: crate::model::rules::ProcId, args: &[Expr], d: Slot) {
        let rules = self.rules;
        if rules.procs[proc.index()].role == ProcRole::Memo {
            return self.memo(proc, args, d);
        }
        if !self.opens(proc) {
            let args = self.args(args);
            let proc = self.short(proc.index());
            return self.emit(Op::Call { d, proc, args });
        }
        let slots = args.iter().map(|arg| self.expr(arg)).collect();
        self.inline(&rules.procs[proc.index()], slots, self.env.me, self.env.this, d);
    }

    /// Copies the code of an expression procedure here.
    fn inline(&mut self, proc: &Proc, args: Vec<Slot>, me: Slot, this: Slot, d: Slot) {
        self.within(proc, args, me, this, |builder, body| builder.into(body, d));
    }

    /// Makes code of the expression of a procedure, with its names.
    pub(super) fn within(
        &mut self,
        proc: &Proc,
        args: Vec<Slot>,
        me: Slot,
        this: Slot,
        code: impl FnOnce(&mut Self, &Expr),
    ) {
        let ProcBody::Expr(body) = &proc.body else { return };
        let mut locals = args;
        for local in &proc.locals[locals.len().min(proc.locals.len())..] {
            let words = self.layout.words(&local.ty);
            let slot = self.temp(words);
            locals.push(slot);
        }
        let env = std::mem::replace(&mut self.env, Env::new(locals, me, this));
        self.depth += 1;
        self.share(body);
        code(self, body);
        self.depth -= 1;
        self.env = env;
    }

    /// Puts arguments one after another into temporaries.
    pub fn args(&mut self, args: &[Expr]) -> Slot {
        let start = self.temp(self.words_of(args).max(1));
        self.args_at(start, args);
        start
    }

    /// Who acts, and the arguments behind.
    pub fn args_behind(&mut self, me: Slot, args: &[Expr]) -> Slot {
        let start = self.temp(1 + self.words_of(args));
        self.copy(1, start, me);
        self.args_at(start.offset(1), args);
        start
    }

    fn words_of(&self, args: &[Expr]) -> u16 {
        args.iter().map(|arg| self.layout.words(&arg.ty)).sum()
    }

    fn args_at(&mut self, mut at: Slot, args: &[Expr]) {
        for arg in args {
            self.into(arg, at);
            at = at.offset(self.layout.words(&arg.ty));
        }
    }

    fn contents(&mut self, zone: ZoneId, of: Option<&Expr>, kind: Repr, d: Slot) {
        let first = self.layout.zone_first[zone.index()];
        if kind == Repr::List {
            let zone = self.instance(zone, of);
            return self.emit(Op::ZoneList { d, zone });
        }
        match of {
            Some(of) => {
                let p = self.expr(of);
                self.emit(if matches!(of.ty, Ty::Set(_)) {
                    Op::ZonesOf { d, zone: first, p }
                } else {
                    Op::ZoneOf { d, zone: first, p }
                });
            }
            None => self.copy(self.layout.entity_set, d, self.zone_set(zone)),
        }
    }

    /// Makes a set of a single value or of a list.
    pub(super) fn as_set_of(&mut self, inner: &Expr, kind: Repr, d: Slot) {
        if repr(&inner.ty) == Repr::List && kind != Repr::List && self.set_of_parts(inner, kind, d) {
            return;
        }
        if kind == Repr::Sites && (self.step_set(inner, d) || self.sees(inner, None, d)) {
            return;
        }
        let a = self.expr(inner);
        let w = self.layout.set_words(kind);
        match (repr(&inner.ty), kind) {
            (Repr::Word, Repr::List) => {
                self.emit(Op::Clear { n: 1, d });
                self.push(d, a);
            }
            (Repr::Word, Repr::Entities) => {
                self.emit(Op::Clear { n: w, d });
                self.insert(kind, d, a);
            }
            (Repr::Word, _) => self.emit(Op::Single { w, d, a }),
            (Repr::List, Repr::Entities) => self.emit(Op::EntitiesOfList { d, a }),
            (Repr::List, Repr::List) => {
                self.copy(self.layout.list_items + 1, d, a);
                self.emit(Op::Distinct { list: d });
            }
            (Repr::List, _) => self.emit(Op::BitsOfList { w, d, a }),
            _ => self.copy(u16::from(w), d, a),
        }
    }

    /// One step of a site as a set: whether it is that.
    fn step_set(&mut self, inner: &Expr, d: Slot) -> bool {
        let ExprKind::Builtin(Builtin::Step, args) = &inner.kind else { return false };
        let [from, way] = args.as_slice() else { return false };
        if repr(&from.ty) != Repr::Word || self.place(inner).is_some() {
            return false;
        }
        let (board, a, way) = (board_of(&from.ty) as u8, self.expr(from), self.expr(way));
        self.emit(Op::StepSet { board, d, a, way });
        true
    }

    /// The set of a list that is written out, without the list: whether it is one.
    fn set_of_parts(&mut self, list: &Expr, kind: Repr, d: Slot) -> bool {
        let w = self.layout.set_words(kind);
        match &list.kind {
            ExprKind::List(items) => {
                let set = self.temp(u16::from(w));
                self.emit(Op::Clear { n: w, d: set });
                for item in items {
                    let a = self.expr(item);
                    self.insert(kind, set, a);
                }
                self.copy(u16::from(w), d, set);
            }
            ExprKind::Binary(BinaryOp::Union | BinaryOp::Add, one, other) => {
                let (a, b) = (self.temp(u16::from(w)), self.temp(u16::from(w)));
                self.as_set_of(one, kind, a);
                self.as_set_of(other, kind, b);
                self.emit(Op::Or { w, d, a, b });
            }
            _ => return false,
        }
        true
    }

    fn as_list_of(&mut self, inner: &Expr, d: Slot) {
        if let ExprKind::Contents(zone, of) = &inner.kind
            && self.rules.zones[zone.index()].order != ZoneOrder::None
        {
            let zone = self.instance(*zone, of.as_deref());
            return self.emit(Op::ZoneList { d, zone });
        }
        let a = self.expr(inner);
        match repr(&inner.ty) {
            Repr::Word => {
                self.emit(Op::Clear { n: 1, d });
                self.push(d, a);
            }
            Repr::Entities => {
                let shown = self.as_shown(Order::default(), &inner.ty);
                self.emit(Op::ListOfEntities { shown, d, a });
            }
            Repr::List => self.copy(self.layout.list_items + 1, d, a),
            kind => self.emit(Op::ListOfBits { w: self.layout.set_words(kind), d, a }),
        }
    }

    /// Appends a word to a list unless it is missing.
    pub fn push(&mut self, list: Slot, a: Slot) {
        let skip = self.label();
        let to = self.to(skip);
        self.emit(Op::JumpNil { a, to });
        self.emit(Op::Push { list, a });
        self.bind(skip);
    }

    /// Puts an element into a set.
    pub fn insert(&mut self, kind: Repr, set: Slot, a: Slot) {
        match kind {
            Repr::Entities => self.emit(Op::InsertEntity { set, a }),
            Repr::List => self.push(set, a),
            _ => self.emit(Op::InsertBit { set, a }),
        }
    }

    fn list(&mut self, items: &[Expr], ty: &Ty, d: Slot) {
        let kind = repr(ty);
        self.emit(Op::Clear { n: if kind == Repr::List { 1 } else { self.layout.set_words(kind) }, d });
        for item in items {
            let a = self.expr(item);
            self.insert(kind, d, a);
        }
        if matches!(ty, Ty::Set(_)) && kind == Repr::List {
            self.emit(Op::Distinct { list: d });
        }
    }
}

/// The number of the board a type speaks of.
pub(super) fn board_of(ty: &Ty) -> u16 {
    match ty {
        Ty::Site(board) | Ty::Direction(board) => board.index() as u16,
        Ty::Set(item) | Ty::List(item) | Ty::Maybe(item) => board_of(item),
        _ => 0,
    }
}

/// Whether a procedure asks whose act it is, itself or in what it calls.
pub(super) fn says_me(rules: &Rules, proc: &Proc, depth: usize) -> bool {
    let mut found = depth == 0;
    super::walk::each_expr(proc, &mut |expr| {
        found |= match &expr.kind {
            ExprKind::Me | ExprKind::Opponents | ExprKind::Can(..) | ExprKind::Targetable { .. } => true,
            ExprKind::Call(called, _) if !rules.opens(*called) => true,
            ExprKind::Call(called, _) => depth > 0 && says_me(rules, &rules.procs[called.index()], depth - 1),
            _ => false,
        };
    });
    found
}
