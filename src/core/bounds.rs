//! Between which numbers values lie, and what can fail: arithmetic that stays within its bounds cannot. A definition is
//! looked at with the bounds of its arguments, a loop with those of its members.

use super::lower::Lower;
use super::term::{Ambient, Each, Form, Read, Term, Terms, Unary, each_part};
use super::whole::{Sure, Whole};
use crate::base::limits;
use crate::model::rules::walk::each_listing;
use crate::model::rules::{
    BinaryOp, Builtin, BuiltinProp, CollectOp, Expr, ExprKind, FoldOp, ProcId, PropClass, PropId, Ty,
};
use std::cell::Cell;

/// The numbers that a value lies between, where there is one.
type Bounds = Option<(i64, i64)>;

/// Terms that are looked at for one question, at the most.
const MOST_TERMS: u32 = 4_000;
/// Members of the boards, zones and players together, at the most.
const MEMBERS: i64 = limits::ENTITIES as i64 + limits::SITES * limits::SITES;
/// More than any distance, and any round that is played.
const FAR: i64 = 1 << 40;
/// The least room that any list has; where a board has more sites, up to the most, its lists have room for all.
const ROOM: std::ops::RangeInclusive<usize> = limits::LEAST_LISTED..=limits::LISTED;

/// What is known where a term stands.
struct Around<'k> {
    /// The bounds of the arguments, where it stands in a definition.
    args: Vec<Bounds>,
    /// The bounds of the members of the loops around it, the innermost last.
    members: Vec<Bounds>,
    /// How many more terms are looked at.
    left: &'k Cell<u32>,
    /// Whether it counts that there may be no room for a list, or a site may be too far away.
    room: bool,
}

impl<'k> Around<'k> {
    /// Where a term stands that is in no loop, with what is known of names.
    fn known(sure: &Sure, left: &'k Cell<u32>) -> Around<'k> {
        Around { args: sure.numbers.clone(), members: Vec::new(), left, room: true }
    }

    /// Whether no more terms are looked at.
    fn is_spent(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left == 0
    }
}

impl Whole<'_> {
    /// Whether working out an expression can end in an error, or is not seen not to.
    pub fn expr_fails(&self, expr: &Expr) -> bool {
        let mut terms = Terms::default();
        let term = Lower::new(&mut terms).expr(expr);
        self.can_fail(&terms, term)
    }

    /// Whether working out a term can end in an error, or is not seen not to.
    pub fn can_fail(&self, terms: &Terms, term: Term) -> bool {
        self.may_fail(terms, term, true)
    }

    /// The same, where nothing is too large or too far away, and an action can be tried out: what need not be worked out then is missed by
    /// nobody.
    pub fn can_fail_with_room(&self, terms: &Terms, term: Term) -> bool {
        self.may_fail(terms, term, false)
    }

    /// The numbers between which a number lies, where it is not missing, with what is known of names.
    pub fn between(&self, terms: &Terms, term: Term, sure: &Sure) -> Bounds {
        let left = Cell::new(MOST_TERMS);
        self.bounds(terms, term, &mut Around::known(sure, &left))
    }

    /// The same of the members of a set or list.
    pub fn between_members(&self, terms: &Terms, of: Term, sure: &Sure) -> Bounds {
        let left = Cell::new(MOST_TERMS);
        self.member(terms, of, &mut Around::known(sure, &left))
    }

    fn may_fail(&self, terms: &Terms, term: Term, room: bool) -> bool {
        let left = Cell::new(MOST_TERMS);
        self.fails_in(terms, term, &mut Around { args: Vec::new(), members: Vec::new(), left: &left, room })
    }

    fn fails_in(&self, terms: &Terms, term: Term, around: &mut Around<'_>) -> bool {
        let form = terms.form(term);
        if around.is_spent() || self.itself_fails(terms, form, term, around) {
            return true;
        }
        let mut fails = false;
        each_part(form, &mut |part, bound| {
            if bound > 0
                && let Form::Each(_, over, _) = form
            {
                let member = self.member(terms, *over, around);
                around.members.push(member);
            }
            fails = fails || self.fails_in(terms, part, around);
            if bound > 0 {
                around.members.pop();
            }
        });
        fails
    }

    fn itself_fails(&self, terms: &Terms, form: &Form, term: Term, around: &mut Around<'_>) -> bool {
        match form {
            Form::Word(_)
            | Form::Text(_)
            | Form::Nothing
            | Form::Local(_)
            | Form::Bound(_)
            | Form::Ambient(_)
            | Form::Compare(..)
            | Form::And(..)
            | Form::Or(..)
            | Form::If(..)
            | Form::In(..)
            | Form::Lambda(_) => false,
            Form::Read(Read::Prop(prop) | Read::GameProp(prop), _) => match self.rules.props[prop.index()].class {
                PropClass::Stat { formula } => {
                    self.modified[prop.index()]
                        || self.fails[formula.index()] && self.call_fails(formula, terms, &[], around)
                }
                _ => false,
            },
            Form::Read(..) => false,
            // Where something lies is no farther away than it is.
            Form::Function(Builtin::SiteOf | Builtin::PiecesOn | Builtin::TopOn, _) => false,
            // Boards without an end have sites that are too far away.
            Form::Function(builtin, args) => {
                builtin.is_of_pile()
                    || *builtin == Builtin::Abs && self.bounds(terms, term, around).is_none()
                    || around.room
                        && (can_overflow(terms.ty(term)) && !self.fits(terms, *builtin, term)
                            || args.iter().chain([&term]).any(|part| terms.ty(*part).endless_board().is_some()))
            }
            Form::List(_) | Form::Unary(Unary::ToSet | Unary::ToList, _) => self.overflows(terms, term, around),
            Form::Index(..) | Form::Part(..) => false,
            Form::Unary(Unary::Negate, _) => self.bounds(terms, term, around).is_none(),
            Form::Unary(..) => false,
            Form::Binary(BinaryOp::Union | BinaryOp::Difference | BinaryOp::Both, ..) => {
                self.overflows(terms, term, around)
            }
            Form::Binary(..) => *terms.ty(term).bare() != Ty::Number || self.bounds(terms, term, around).is_none(),
            Form::Each(Each::Where, ..) => false,
            Form::Each(Each::Fold(FoldOp::Min | FoldOp::Max), ..) => false,
            Form::Each(Each::Fold(FoldOp::Sum), ..) => self.bounds(terms, term, around).is_none(),
            Form::Each(Each::Collect(_) | Each::Having { .. } | Each::Sorted { .. }, ..) => {
                self.overflows(terms, term, around)
            }
            // What a pass has drawn out is not among those that were looked into: it may fail.
            Form::Call(proc, args) => {
                self.fails.get(proc.index()).is_none_or(|fails| *fails) && self.call_fails(*proc, terms, args, around)
            }
            Form::Range(..) => self.overflows(terms, term, around),
            Form::Apply(..) | Form::Script(..) | Form::Targetable(..) => true,
            // What stops an action in thought is missed by nobody either.
            Form::Can(..) => around.room,
        }
    }

    /// Whether a definition that can fail with some arguments can fail with these.
    fn call_fails(&self, proc: ProcId, terms: &Terms, args: &[Term], around: &mut Around<'_>) -> bool {
        let Some(Some((body_terms, body))) = self.bodies.get(proc.index()) else { return true };
        let args = args.iter().map(|arg| self.bounds(terms, *arg, around)).collect();
        let (left, room) = (around.left, around.room);
        self.fails_in(body_terms, *body, &mut Around { args, members: Vec::new(), left, room })
    }

    /// Whether a set or list can have more members than there is room for.
    fn overflows(&self, terms: &Terms, term: Term, around: &mut Around<'_>) -> bool {
        around.room
            && can_overflow(terms.ty(term))
            && self.most_members(terms, term, around).is_none_or(|most| most > *ROOM.start() as i64)
    }

    /// How many numbers from one to another are listed at the most, as far as that can be said. Those of which one is chosen are not.
    pub fn longest_range(&self) -> usize {
        let mut longest = 0;
        let mut of = |expr: &Expr| {
            let mut ranged = false;
            expr.walk(&mut |part| ranged |= matches!(part.kind, ExprKind::Range(..)));
            if ranged {
                let mut terms = Terms::default();
                let term = Lower::new(&mut terms).expr(expr);
                longest = longest.max(self.ranges_in(&terms, term, false));
            }
        };
        let is_range = |domain: &Expr| matches!(domain.kind, ExprKind::Range(..));
        for proc in &self.rules.procs {
            each_listing(proc, is_range, &mut of);
        }
        longest
    }

    /// How many numbers the longest range in a term has, of those that are listed, and for which room can be made. A loop that only
    /// looks at its members (`looks`) lists none.
    fn ranges_in(&self, terms: &Terms, term: Term, looks: bool) -> usize {
        let form = terms.form(term);
        let mut longest = match form {
            Form::Range(..) if !looks => {
                let left = Cell::new(MOST_TERMS);
                let around = &mut Around { args: Vec::new(), members: Vec::new(), left: &left, room: true };
                let most = self.most_members(terms, term, around).and_then(|most| usize::try_from(most).ok());
                most.map_or(limits::LISTED_UNKNOWN, |most| most.min(limits::LISTED))
            }
            _ => 0,
        };
        let is_filter = |of: &Term| matches!(terms.form(*of), Form::Each(Each::Where, ..));
        let looked_at = match form {
            Form::Each(Each::Fold(_), over, _) => Some(*over),
            Form::Each(Each::Where, over, _) if looks => Some(*over),
            Form::Unary(Unary::Count | Unary::Some, of) => Some(*of).filter(is_filter),
            _ => None,
        };
        each_part(form, &mut |part, _| {
            longest = longest.max(self.ranges_in(terms, part, looked_at == Some(part)));
        });
        longest
    }

    /// How many members a set or list has at the most, if that can be said.
    fn most_members(&self, terms: &Terms, of: Term, around: &mut Around<'_>) -> Option<i64> {
        if around.is_spent() {
            return None;
        }
        let of_type = match terms.ty(of) {
            Ty::Set(item) => match item.bare() {
                Ty::Enum(of) => Some(self.rules.enums[of.index()].values.len() as i64),
                Ty::Player => Some(i64::from(self.rules.players.1)),
                _ => None,
            },
            Ty::List(_) | Ty::Table(..) | Ty::PerDirection(_) | Ty::Split(..) => None,
            _ => Some(1),
        };
        let of_form = match terms.form(of) {
            Form::List(items) => Some(items.len() as i64),
            Form::Nothing => Some(0),
            Form::Ambient(Ambient::Players | Ambient::Opponents) => Some(i64::from(self.rules.players.1)),
            Form::Unary(Unary::ToSet | Unary::ToList, of)
            | Form::Each(Each::Where | Each::Having { .. } | Each::Sorted { .. }, of, _)
            | Form::Binary(BinaryOp::Difference, of, _) => self.most_members(terms, *of, around),
            Form::Binary(BinaryOp::Union, a, b) => {
                self.most_members(terms, *a, around)?.checked_add(self.most_members(terms, *b, around)?)
            }
            Form::Binary(BinaryOp::Both, a, b) => {
                let (a, b) = (self.most_members(terms, *a, around), self.most_members(terms, *b, around));
                a.into_iter().chain(b).min()
            }
            Form::If(_, a, b) => Some(self.most_members(terms, *a, around)?.max(self.most_members(terms, *b, around)?)),
            Form::Range(low, high) => {
                let ((low, _), (_, high)) = (self.bounds(terms, *low, around)?, self.bounds(terms, *high, around)?);
                high.checked_sub(low)?.max(-1).checked_add(1)
            }
            Form::Function(builtin, _) if is_straight(*builtin) => match terms.ty(of).element().bare() {
                Ty::Site(board) if !board.endless() => Some(self.longest[board.index()] as i64 + 1),
                _ => None,
            },
            Form::Each(Each::Collect(op @ (CollectOp::Gather | CollectOp::Values)), over, body) => {
                let each = self.most_members(terms, *over, around);
                let values = if *op == CollectOp::Gather { self.values_of(terms, *over, *body, around) } else { None };
                each.into_iter().chain(values).min()
            }
            _ => None,
        };
        of_type.into_iter().chain(of_form).min()
    }

    /// How many different numbers a body has for the members of a loop at the most.
    fn values_of(&self, terms: &Terms, over: Term, body: Term, around: &mut Around<'_>) -> Option<i64> {
        let member = self.member(terms, over, around);
        around.members.push(member);
        let bounds = self.bounds(terms, body, around);
        around.members.pop();
        let (low, high) = bounds?;
        high.checked_sub(low)?.checked_add(1)
    }

    /// Whether there is room for all that a function can list.
    fn fits(&self, terms: &Terms, builtin: Builtin, term: Term) -> bool {
        match (builtin, terms.ty(term)) {
            (Builtin::Clockwise | Builtin::After, _) => true,
            (_, Ty::List(item)) => match **item {
                Ty::Site(board) if !board.endless() => {
                    let geometry = &self.rules.boards[board.index()].geometry;
                    let most = if is_straight(builtin) { self.longest[board.index()] } else { geometry.sites() };
                    most <= *ROOM.start() || geometry.sites() <= *ROOM.end()
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// The bounds of the members of a set or list.
    fn member(&self, terms: &Terms, of: Term, around: &mut Around<'_>) -> Bounds {
        if around.is_spent() {
            return None;
        }
        match terms.form(of) {
            Form::Range(low, high) => {
                let ((low, _), (_, high)) = (self.bounds(terms, *low, around)?, self.bounds(terms, *high, around)?);
                (low <= high).then_some((low, high))
            }
            Form::Each(Each::Where | Each::Having { .. } | Each::Sorted { .. }, over, _) => {
                self.member(terms, *over, around)
            }
            Form::Unary(Unary::ToSet | Unary::ToList, inner) => self.member(terms, *inner, around),
            Form::List(items) => {
                items.iter().map(|item| self.bounds(terms, *item, around)).reduce(|a, b| a.zip(b).map(joined)).flatten()
            }
            _ => None,
        }
    }

    /// The numbers that a number lies between where it is not missing, if that can be said.
    fn bounds(&self, terms: &Terms, term: Term, around: &mut Around<'_>) -> Bounds {
        if *terms.ty(term).bare() != Ty::Number || around.is_spent() {
            return None;
        }
        match terms.form(term) {
            Form::Word(word) => Some((*word, *word)),
            Form::Local(local) => around.args.get(local.index()).copied().flatten(),
            Form::Bound(index) => {
                let at = around.members.len().checked_sub(*index as usize + 1)?;
                around.members.get(at).copied().flatten()
            }
            Form::Ambient(Ambient::Option(option)) => {
                let value = self.rules.options[option.index()].value;
                Some((value, value))
            }
            Form::Ambient(Ambient::Round) => Some((0, FAR)),
            Form::Unary(Unary::Count, _) => Some((0, MEMBERS)),
            Form::Unary(Unary::Negate, a) => {
                let (low, high) = self.bounds(terms, *a, around)?;
                Some((high.checked_neg()?, low.checked_neg()?))
            }
            Form::Read(Read::Prop(prop) | Read::GameProp(prop), _) => self.stored(*prop),
            Form::Binary(op, a, b) => {
                let (a, b) = (self.bounds(terms, *a, around)?, self.bounds(terms, *b, around)?);
                worked_out(*op, a, b)
            }
            Form::If(_, a, b) if *terms.form(*b) == Form::Nothing => self.bounds(terms, *a, around),
            Form::If(_, a, b) if *terms.form(*a) == Form::Nothing => self.bounds(terms, *b, around),
            Form::If(_, a, b) => self.bounds(terms, *a, around).zip(self.bounds(terms, *b, around)).map(joined),
            Form::Each(Each::Fold(op), over, body) => self.folded(terms, (*op, *over, *body), around),
            Form::Function(builtin, args) => self.function(terms, *builtin, args, around),
            Form::Call(proc, args) => {
                let (body_terms, body) = self.bodies.get(proc.index())?.as_ref()?;
                let args = args.iter().map(|arg| self.bounds(terms, *arg, around)).collect();
                let (left, room) = (around.left, around.room);
                self.bounds(body_terms, *body, &mut Around { args, members: Vec::new(), left, room })
            }
            _ => None,
        }
    }

    /// The bounds of what is kept in a property.
    fn stored(&self, id: PropId) -> Bounds {
        let prop = &self.rules.props[id.index()];
        match prop.class {
            PropClass::Builtin(BuiltinProp::Seat) => Some((1, limits::PLAYERS)),
            // What was never set is 0, whatever its range.
            PropClass::Field { .. } | PropClass::Counter { .. } | PropClass::Mark { .. } => {
                prop.range.map(|(low, high)| (low.min(0), high.max(0))).or(self.printed[id.index()])
            }
            _ => None,
        }
    }

    fn folded(&self, terms: &Terms, (op, over, body): (FoldOp, Term, Term), around: &mut Around<'_>) -> Bounds {
        let member = self.member(terms, over, around);
        around.members.push(member);
        let bounds = self.bounds(terms, body, around);
        around.members.pop();
        let (low, high) = bounds?;
        let most = if matches!(terms.ty(over), Ty::List(_)) { limits::VALUES as i64 } else { MEMBERS };
        match op {
            FoldOp::Sum => Some((low.min(0).checked_mul(most)?, high.max(0).checked_mul(most)?)),
            FoldOp::Min | FoldOp::Max => Some((low.min(0), high.max(0))),
        }
    }

    fn function(&self, terms: &Terms, builtin: Builtin, args: &[Term], around: &mut Around<'_>) -> Bounds {
        match builtin {
            Builtin::Smaller | Builtin::Larger => {
                let (first, second) = (args.first()?, args.get(1)?);
                // Of the one nothing need be known, but that it is a number.
                let mut of = |arg: Term| self.bounds(terms, arg, around).unwrap_or((i64::MIN, i64::MAX));
                let ((a, b), (c, d)) = (of(*first), of(*second));
                let less = builtin == Builtin::Smaller;
                Some(if less { (a.min(c), b.min(d)) } else { (a.max(c), b.max(d)) })
            }
            Builtin::Abs => {
                let (low, high) = self.bounds(terms, *args.first()?, around)?;
                Some((0, low.checked_abs()?.max(high.checked_abs()?)))
            }
            Builtin::EnumIndex | Builtin::LongestLine => Some((0, MEMBERS)),
            // A board has no more columns, and no longer ways, than sites.
            Builtin::Column | Builtin::Row | Builtin::Distance | Builtin::DistanceIn => {
                let far = match terms.ty(*args.first()?).element().bare() {
                    Ty::Site(board) if !board.endless() => self.rules.boards[board.index()].geometry.sites() as i64,
                    _ => FAR,
                };
                Some((-far, far))
            }
            _ => None,
        }
    }
}

/// The bounds of what is one of two numbers.
pub(super) fn joined((one, other): ((i64, i64), (i64, i64))) -> (i64, i64) {
    (one.0.min(other.0), one.1.max(other.1))
}

/// The bounds of two numbers' sum, difference, product, quotient or remainder.
fn worked_out(op: BinaryOp, (a, b): (i64, i64), (c, d): (i64, i64)) -> Bounds {
    match op {
        BinaryOp::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
        BinaryOp::Sub => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
        BinaryOp::Mul => {
            let all = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
            Some((*all.iter().min()?, *all.iter().max()?))
        }
        // Nothing is divided by 0.
        BinaryOp::Div if c > 0 => Some((a.min(0), b.max(0))),
        BinaryOp::Rem if c > 0 => Some((if a < 0 { 1 - d } else { 0 }, d - 1)),
        _ => None,
    }
}

/// Whether a function lists sites that follow each other in a direction.
fn is_straight(builtin: Builtin) -> bool {
    matches!(builtin, Builtin::Ray | Builtin::RunOf | Builtin::Line | Builtin::Between)
}

/// Whether a set or list can have more members than there is room for: all that are not bits.
fn can_overflow(ty: &Ty) -> bool {
    match ty {
        Ty::List(_) => true,
        Ty::Set(item) => match item.bare() {
            Ty::Site(board) => board.endless(),
            Ty::Entity(_) | Ty::Player | Ty::Enum(_) | Ty::Direction(_) | Ty::Flag | Ty::Cause => false,
            _ => true,
        },
        _ => false,
    }
}
