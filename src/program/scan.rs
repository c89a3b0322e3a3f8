//! Filters and folds over entities that ask one property of each: one instruction goes through the members, where a loop
//! would take several for each.
//!
//! What is asked of a member is a [`Gauge`]: a property that is stored or printed, also of the thing or player that another one names, or what the rules alone make of it
//! (`smaller(index(rank), 10)` has one value for each rank), with a number added that is the same for all members, if
//! need be. What a gauge is compared with is worked out once, before the members are gone through, so that it must not
//! fail.

use super::code::Builder;
use super::expand::{Fresh, expanded};
use super::layout::{PropHome, Repr, repr};
use super::op::{Op, Slot};
use super::walk::constant;
use crate::core::Pass;
use crate::model::rules::{
    BinaryOp, BuiltinProp, CompareOp, EntryId, Expr, ExprKind, FoldOp, KindId, LocalId, PropClass, PropId, Ty,
};

/// Sets that are made for one condition: a loop that stops at the first part that does not hold is quicker than more.
const MOST_STEPS: usize = 5;
/// Values of a property for which a table says what becomes of each.
const MOST_VALUES: i64 = 256;

/// What is read of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// A word of its record.
    Stored(u16),
    /// What its definition prints.
    Field(u16),
    /// Whose it is.
    Owner,
    /// In whose zone it lies.
    Holder,
    /// Which definition it is.
    Entry,
    /// A word of what is kept of a player.
    OfPlayer(u16),
}

/// What is done with the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// The members whose value compares so with a word.
    Compared(CompareOp, Slot),
    /// The members whose value is this one.
    Only(i64),
    /// The members whose value is in a set of one word.
    Within(Slot),
    /// The members whose value, a set of one word, has a word.
    Having(Slot),
    /// The members with the most, or the least.
    Extreme {
        /// Whether those with the most are meant.
        most: bool,
    },
    /// A number made of all values.
    Folded(FoldOp),
    /// The set of all values.
    Values,
}

/// A walk over the members of a set of entities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanSite {
    /// The property that names the thing or player of which something is read; none if it is read of the member itself.
    pub through: Option<Read>,
    /// What is read.
    pub read: Read,
    /// The table that says what becomes of it, and the value that stands first there.
    pub table: Option<(u16, i64)>,
    /// Whether the value is taken away from `plus`, in place of being added.
    pub minus: bool,
    /// A number that is the same for all.
    pub plus: Option<Slot>,
    /// What is done with the values.
    pub sought: Sought,
}

/// What is asked of a member.
#[derive(Clone)]
struct Gauge {
    through: Option<Read>,
    read: Read,
    table: Option<(Vec<i64>, i64)>,
    minus: bool,
    plus: Option<Expr>,
}

/// A condition of a filter.
enum Test {
    Gauge(Gauge, Asked),
    /// It is this one.
    Is(Expr),
    /// It is of a kind.
    Kind(KindId),
    /// It is of a definition.
    Entry(EntryId),
    /// What is the same for all holds.
    Given(Expr),
    Not(Box<Test>),
    Both(Box<Test>, Box<Test>),
    Either(Box<Test>, Box<Test>),
}

impl Test {
    /// How many sets are made to find out.
    fn steps(&self) -> usize {
        match self {
            Test::Gauge(..) | Test::Is(_) | Test::Kind(_) | Test::Entry(_) | Test::Given(_) => 1,
            Test::Not(inner) => 1 + inner.steps(),
            Test::Both(a, b) => a.steps() + b.steps(),
            Test::Either(a, b) => 1 + a.steps() + b.steps(),
        }
    }
}

/// What a condition asks of a gauge.
enum Asked {
    Compared(CompareOp, Expr),
    Within(Expr),
    Having(Expr),
}

impl Builder<'_> {
    /// Whether the members of a set of entities for which a condition holds are found by a walk over them.
    pub(super) fn scans(&self, over: &Expr, binder: LocalId, cond: &Expr) -> bool {
        self.scan_test(over, binder, cond).is_some()
    }

    /// The members of a set for which a condition holds, if they are found by a walk.
    pub(super) fn scan_filter(&mut self, over: &Expr, binder: LocalId, cond: &Expr, d: Slot) -> bool {
        let Some(test) = self.scan_test(over, binder, cond) else { return false };
        self.predicates.algebra += 1;
        let a = self.expr(over);
        let out = self.sifted(&test, a);
        self.copy(self.layout.entity_set, d, out);
        true
    }

    /// A number made of a gauge of all members, if that is done by a walk.
    pub(super) fn scan_fold(&mut self, op: FoldOp, over: &Expr, binder: LocalId, body: &Expr, d: Slot) -> bool {
        let number = *body.ty.bare() == Ty::Number;
        number && self.scan_values(over, binder, body, Sought::Folded(op), d)
    }

    /// The members with the most of a gauge, or the least.
    pub(super) fn scan_having(&mut self, over: &Expr, most: bool, binder: LocalId, body: &Expr, d: Slot) -> bool {
        let words = self.layout.entity_set;
        let out = self.temp(words);
        let done = repr(&body.ty) == Repr::Word && self.scan_values(over, binder, body, Sought::Extreme { most }, out);
        if done {
            self.copy(words, d, out);
        }
        done
    }

    /// The set of the values of a gauge.
    pub(super) fn scan_collect(&mut self, over: &Expr, binder: LocalId, body: &Expr, d: Slot) -> bool {
        repr(&body.ty) == Repr::Word && self.scan_values(over, binder, body, Sought::Values, d)
    }

    fn scan_values(&mut self, over: &Expr, binder: LocalId, body: &Expr, sought: Sought, d: Slot) -> bool {
        if !self.walks(over) {
            return false;
        }
        let Some(gauge) = self.gauge_of(binder, body) else { return false };
        let a = self.expr(over);
        self.scan(&gauge, sought, a, d);
        true
    }

    /// Whether a set is one of entities whose members may be gone through as they are.
    fn walks(&self, over: &Expr) -> bool {
        self.passes.contains(&Pass::Scan) && self.laid.is_empty() && repr(&over.ty) == Repr::Entities
    }

    fn scan_test(&self, over: &Expr, binder: LocalId, cond: &Expr) -> Option<Test> {
        if !self.walks(over) || !cond.mentions(binder) {
            return None;
        }
        let fresh = Fresh::new(self.env.locals.len());
        let cond = expanded(self.rules, &fresh, binder, &[], cond)?;
        self.test(binder, &cond).filter(|test| test.steps() <= MOST_STEPS)
    }

    fn gauge_of(&self, binder: LocalId, body: &Expr) -> Option<Gauge> {
        let fresh = Fresh::new(self.env.locals.len());
        let body = expanded(self.rules, &fresh, binder, &[], body)?;
        self.gauge(binder, &body)
    }

    /// Whether an expression is the same for all members, and may be worked out before they are gone through.
    fn same_for_all(&self, binder: LocalId, expr: &Expr) -> bool {
        let mut known = true;
        expr.walk(&mut |part| {
            // What definitions bind has a place only where their code is.
            known &= part.binder().is_none_or(|inner| inner.index() < self.env.locals.len());
        });
        known && !expr.mentions(binder) && self.harmless(expr)
    }

    fn test(&self, binder: LocalId, cond: &Expr) -> Option<Test> {
        self.parts_of_test(binder, cond).or_else(|| self.flag_test(binder, cond))
    }

    fn parts_of_test(&self, binder: LocalId, cond: &Expr) -> Option<Test> {
        if self.same_for_all(binder, cond) {
            return Some(Test::Given(cond.clone()));
        }
        match &cond.kind {
            ExprKind::Not(inner) => Some(Test::Not(Box::new(self.test(binder, inner)?))),
            ExprKind::And(a, b) => Some(Test::Both(Box::new(self.test(binder, a)?), Box::new(self.test(binder, b)?))),
            ExprKind::Or(a, b) => Some(Test::Either(Box::new(self.test(binder, a)?), Box::new(self.test(binder, b)?))),
            ExprKind::Compare(op @ (CompareOp::Eq | CompareOp::Ne), a, b)
                if a.is_local(binder) || b.is_local(binder) =>
            {
                let other = if a.is_local(binder) { b } else { a };
                if !self.same_for_all(binder, other) || repr(&other.ty) != Repr::Word {
                    return None;
                }
                let test = Test::Is(other.as_ref().clone());
                Some(if *op == CompareOp::Eq { test } else { Test::Not(Box::new(test)) })
            }
            ExprKind::Compare(op, a, b) if repr(&a.ty) == Repr::Word && repr(&b.ty) == Repr::Word => {
                let (gauge, op, other) = match a.mentions(binder) {
                    true => (self.gauge(binder, a)?, *op, b),
                    false => (self.gauge(binder, b)?, op.turned(), a),
                };
                let asked = Asked::Compared(op, other.as_ref().clone());
                self.same_for_all(binder, other).then_some(Test::Gauge(gauge, asked))
            }
            ExprKind::In(item, set) if item.mentions(binder) && repr(&set.ty) == Repr::Mask => {
                let asked = Asked::Within(set.as_ref().clone());
                self.same_for_all(binder, set).then_some(Test::Gauge(self.gauge(binder, item)?, asked))
            }
            ExprKind::In(item, set) if repr(&item.ty) == Repr::Word && self.same_for_all(binder, item) => {
                let gauge = self.read_of(binder, set, Repr::Mask)?;
                Some(Test::Gauge(gauge, Asked::Having(item.as_ref().clone())))
            }
            ExprKind::In(item, set) if item.is_local(binder) => match set.kind {
                ExprKind::EntitiesOf(entry) => Some(Test::Entry(entry)),
                _ => None,
            },
            ExprKind::Is(item, kind) if item.is_local(binder) => Some(Test::Kind(*kind)),
            _ => None,
        }
    }

    /// A condition that is a flag of the member, or what the rules alone make of one of its properties.
    fn flag_test(&self, binder: LocalId, cond: &Expr) -> Option<Test> {
        let gauge = self.read_of(binder, cond, Repr::Word).or_else(|| self.table_by(binder, cond))?;
        let yes = Expr { kind: ExprKind::Word(1), ty: Ty::Flag, span: cond.span };
        Some(Test::Gauge(gauge, Asked::Compared(CompareOp::Eq, yes)))
    }

    fn gauge(&self, binder: LocalId, expr: &Expr) -> Option<Gauge> {
        if let Some(gauge) = self.read_of(binder, expr, Repr::Word) {
            return Some(gauge);
        }
        if let Some(gauge) = self.table_by(binder, expr) {
            return Some(gauge);
        }
        let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) = &expr.kind else { return None };
        let (of, plus) = if a.mentions(binder) { (a, b) } else { (b, a) };
        // A number that is missing is not added to.
        let numbers = of.ty == Ty::Number && plus.ty == Ty::Number;
        if !numbers || !self.same_for_all(binder, plus) {
            return None;
        }
        let gauge = self.gauge(binder, of).filter(|gauge| gauge.plus.is_none())?;
        match (op, a.mentions(binder)) {
            (BinaryOp::Add, _) => Some(Gauge { plus: Some(plus.as_ref().clone()), ..gauge }),
            (_, false) => Some(Gauge { minus: true, plus: Some(plus.as_ref().clone()), ..gauge }),
            (_, true) => None,
        }
    }

    /// A property of the member as it stands.
    fn read_of(&self, binder: LocalId, expr: &Expr, kind: Repr) -> Option<Gauge> {
        let ExprKind::Prop(of, prop) = &expr.kind else { return None };
        let (through, read) = match &of.kind {
            _ if of.is_local(binder) => (None, self.read(*prop, kind)?),
            ExprKind::Prop(member, named) if member.is_local(binder) && kind == Repr::Word => {
                let read = match of.ty.bare() {
                    Ty::Entity(_) => self.read(*prop, kind)?,
                    Ty::Player => self.read_of_player(*prop, kind)?,
                    _ => return None,
                };
                (Some(self.read(*named, Repr::Word)?), read)
            }
            _ => return None,
        };
        Some(Gauge { through, read, table: None, minus: false, plus: None })
    }

    fn read_of_player(&self, prop: PropId, kind: Repr) -> Option<Read> {
        let info = &self.rules.props[prop.index()];
        let kept = matches!(info.class, PropClass::Counter { .. } | PropClass::Mark { .. });
        match self.layout.props[prop.index()] {
            PropHome::Player(at) if kept && repr(&info.ty) == kind && self.layout.words(&info.ty) == 1 => {
                Some(Read::OfPlayer(at))
            }
            _ => None,
        }
    }

    fn read(&self, prop: PropId, kind: Repr) -> Option<Read> {
        let info = &self.rules.props[prop.index()];
        if repr(&info.ty) != kind || self.layout.words(&info.ty) != 1 {
            return None;
        }
        match (&info.class, self.layout.props[prop.index()]) {
            (PropClass::Builtin(BuiltinProp::Owner), _) => Some(Read::Owner),
            (PropClass::Builtin(BuiltinProp::Holder), _) => Some(Read::Holder),
            (PropClass::Builtin(BuiltinProp::Name), _) => Some(Read::Field(prop.index() as u16)),
            (PropClass::Stat { .. } | PropClass::LinkMany(_) | PropClass::Builtin(_), _) => None,
            (PropClass::Field { .. }, PropHome::None) => {
                (!matches!(info.ty, Ty::Lambda(..) | Ty::Effect(_))).then_some(Read::Field(prop.index() as u16))
            }
            (_, PropHome::Entity(at)) => Some(Read::Stored(at)),
            _ => None,
        }
    }

    /// What the rules alone make of a property of the member, which has few values.
    fn table_by(&self, binder: LocalId, expr: &Expr) -> Option<Gauge> {
        let mut asked: Option<PropId> = None;
        let (mut mentions, mut same) = (0, true);
        expr.walk(&mut |part| match &part.kind {
            ExprKind::Local(local) if *local == binder => mentions += 1,
            ExprKind::Prop(of, prop) if of.is_local(binder) => {
                same &= asked.is_none_or(|known| known == *prop);
                asked = Some(*prop);
                mentions -= 1;
            }
            _ => {}
        });
        let prop = asked.filter(|_| mentions == 0 && same && repr(&expr.ty) == Repr::Word)?;
        let read = self.read(prop, Repr::Word)?;
        let info = &self.rules.props[prop.index()];
        let (low, high) = match &info.ty {
            Ty::Enum(id) => (0, self.rules.enums[id.index()].values.len() as i64 - 1),
            Ty::Flag => (0, 1),
            Ty::Number => info.range?,
            _ => return None,
        };
        if high < low || high.checked_sub(low)? >= MOST_VALUES {
            return None;
        }
        let value_of = |value: i64| {
            let mut of_value = expr.clone();
            put(&mut of_value, (binder, prop), value);
            constant(self.rules, &of_value)
        };
        let values = (low..=high).map(value_of).collect::<Option<Vec<i64>>>()?;
        Some(Gauge { through: None, read, table: Some((values, low)), minus: false, plus: None })
    }

    /// The members of the set in a slot for which a test holds.
    fn sifted(&mut self, test: &Test, a: Slot) -> Slot {
        let (words, w) = (self.layout.entity_set, self.layout.entity_set as u8);
        let d = self.temp(words);
        match test {
            Test::Gauge(gauge, asked) => {
                let sought = match asked {
                    Asked::Compared(op, with) => Sought::Compared(*op, self.expr(with)),
                    Asked::Within(set) => Sought::Within(self.expr(set)),
                    Asked::Having(item) => Sought::Having(self.expr(item)),
                };
                self.scan(gauge, sought, a, d);
            }
            Test::Is(one) => {
                let one = self.expr(one);
                self.emit(Op::Clear { n: w, d });
                self.emit(Op::InsertEntity { set: d, a: one });
                self.emit(Op::And { w, d, a, b: d });
            }
            Test::Entry(entry) => {
                let gauge = Gauge { through: None, read: Read::Entry, table: None, minus: false, plus: None };
                self.scan(&gauge, Sought::Only(entry.index() as i64), a, d);
            }
            Test::Given(cond) => {
                let none = self.label();
                self.emit(Op::Clear { n: w, d });
                self.jump(cond, false, none);
                self.copy(words, d, a);
                self.bind(none);
            }
            Test::Kind(kind) => self.emit(Op::And { w, d, a, b: self.layout.kind_set(*kind) }),
            Test::Not(inner) => {
                let b = self.sifted(inner, a);
                self.emit(Op::AndNot { w, d, a, b });
            }
            Test::Both(first, second) => {
                let of = self.sifted(first, a);
                return self.sifted(second, of);
            }
            Test::Either(first, second) => {
                let (one, other) = (self.sifted(first, a), self.sifted(second, a));
                self.emit(Op::Or { w, d, a: one, b: other });
            }
        }
        d
    }

    fn scan(&mut self, gauge: &Gauge, sought: Sought, a: Slot, d: Slot) {
        let plus = gauge.plus.as_ref().map(|plus| self.expr(plus));
        let table = gauge.table.as_ref().map(|(values, first)| (self.table_of(values.clone()), *first));
        let site = ScanSite { through: gauge.through, read: gauge.read, table, minus: gauge.minus, plus, sought };
        let known = self.sites.scans.iter().position(|other| *other == site);
        let site = known.unwrap_or_else(|| {
            self.sites.scans.push(site);
            self.sites.scans.len() - 1
        });
        let site = self.short(site);
        self.emit(Op::Scan { d, a, site });
    }
}

/// Puts a value in the place of a property of a member.
fn put(expr: &mut Expr, asked: (LocalId, PropId), value: i64) {
    if let ExprKind::Prop(of, prop) = &expr.kind
        && of.is_local(asked.0)
        && *prop == asked.1
    {
        expr.kind = ExprKind::Word(value);
        return;
    }
    expr.each_part_mut(&mut |part| put(part, asked, value));
}
