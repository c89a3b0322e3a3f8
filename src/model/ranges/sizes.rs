//! How many members sets and lists can have: from the values that there are of a type, the limits of zones and what expressions say.
//! An item of a list that is counted from before its begin, or from behind its end, is always missing.

use super::{Bounds, Locals, Ranges, Source};
use crate::base::{Code, Diagnostic};
use crate::model::calls::board_of;
use crate::model::rules::{
    BinaryOp, BoardId, Builtin, Choose, Expr, ExprKind, PropClass, Qty, Stmt, StmtKind, Ty, ZoneId,
};

/// So deep locals are looked through.
const DEEPEST: usize = 8;

impl<'r> Ranges<'r> {
    /// How many members a set or list has.
    pub(super) fn count(&self, locals: &Locals<'r>, set: &'r Expr) -> Bounds {
        self.size(locals, set, 0)
    }

    fn size(&self, locals: &Locals<'r>, set: &'r Expr, depth: usize) -> Bounds {
        let of = |part: &'r Expr| self.size(locals, part, depth + 1);
        let some = |high: i64| Bounds::new(0, high);
        let said = match &set.kind {
            _ if depth > DEEPEST => some(i64::MAX),
            ExprKind::Empty => Bounds::one(0),
            ExprKind::List(items) if matches!(set.ty, Ty::List(_)) => Bounds::one(items.len() as i64),
            ExprKind::List(items) => some(items.len() as i64),
            ExprKind::Where { over, .. } | ExprKind::Having { over, .. } => some(of(over).high),
            ExprKind::Sorted { over, .. } => of(over),
            ExprKind::If(_, one, other) => of(one).hull(of(other)),
            ExprKind::ToSet(inner) | ExprKind::ToList(inner) if inner.ty.is_many() => {
                let inner = of(inner);
                Bounds::new(inner.low.min(1), inner.high)
            }
            ExprKind::ToSet(inner) | ExprKind::ToList(inner) if self.is_nobody(locals, inner) => Bounds::one(0),
            ExprKind::ToSet(inner) | ExprKind::ToList(inner) => {
                Bounds::new(i64::from(!matches!(inner.ty, Ty::Maybe(_))), 1)
            }
            ExprKind::Binary(BinaryOp::Union, one, other) => {
                let (one, other) = (of(one), of(other));
                Bounds::new(one.low.max(other.low), one.plus(other).high)
            }
            ExprKind::Binary(BinaryOp::Difference | BinaryOp::Both, one, _) => some(of(one).high),
            ExprKind::Builtin(Builtin::Top | Builtin::Bottom, args) if args.len() == 2 => {
                some(args.get(1).map_or(i64::MAX, |most| self.bounds(locals, most, &Vec::new()).high.max(0)))
            }
            ExprKind::Contents(zone, _) => some(self.most_in(*zone)),
            ExprKind::Builtin(Builtin::Around | Builtin::Beside, args)
                if args.iter().all(|at| !at.bare().ty.is_many()) =>
            {
                some(board_of(&set.ty).map_or(i64::MAX, |board| self.most_around(board)))
            }
            ExprKind::Local(local) => match locals.sources.get(local).map(Vec::as_slice) {
                Some([Source::Value(value)]) => of(value),
                _ => some(i64::MAX),
            },
            _ => some(i64::MAX),
        };
        Bounds::new(said.low, said.high.min(self.values_of(locals, set)))
    }

    /// How many values there are of which a set can be made.
    fn values_of(&self, locals: &Locals<'r>, set: &'r Expr) -> i64 {
        if !matches!(set.ty, Ty::Set(_)) {
            return i64::MAX;
        }
        match set.ty.element() {
            Ty::Player => i64::from(self.rules.players.1),
            Ty::Flag => 2,
            Ty::Enum(id) => self.rules.enums.get(id.index()).map_or(i64::MAX, |item| item.values.len() as i64),
            Ty::Number => match self.members(locals, set) {
                Bounds { low, high } if low != i64::MIN && high != i64::MAX => {
                    high.saturating_sub(low).saturating_add(1)
                }
                _ => i64::MAX,
            },
            _ => i64::MAX,
        }
    }

    /// How many neighbours a site can have. On a board of another size it may be more than on this one.
    fn most_around(&self, board: BoardId) -> i64 {
        let Some(board) = self.rules.boards.get(board.index()).filter(|board| !board.endless()) else {
            return i64::MAX;
        };
        let most = board.geometry.near.iter().map(Vec::len).max().unwrap_or(0).max(board.ways());
        most as i64
    }

    /// How many cards there can be in a zone, as far as it says that for all that it holds. What begins there may be more.
    fn most_in(&self, zone: ZoneId) -> i64 {
        let Some(zone) = self.rules.zones.get(zone.index()).filter(|zone| zone.starts.is_empty()) else {
            return i64::MAX;
        };
        let limits = zone.limits.iter().filter(|(kind, _)| {
            !zone.holds.is_empty() && zone.holds.iter().all(|held| self.rules.is_below(*held, *kind))
        });
        limits.map(|(_, most)| *most).min().unwrap_or(i64::MAX)
    }

    /// A range in which there never is a number. Next to nothing, `1..n` where `n` is 0, may be meant.
    pub(super) fn backwards(&mut self, locals: &Locals<'r>, whole: &'r Expr, (low, high): (&'r Expr, &'r Expr)) {
        let (one, two) = (self.bounds(locals, low, &Vec::new()), self.bounds(locals, high, &Vec::new()));
        let written = matches!((&low.kind, &high.kind), (ExprKind::Word(_), ExprKind::Word(_)));
        if self.expects || one.low <= two.high.saturating_add(i64::from(!written)) {
            return;
        }
        let message = "a range goes from the least to the most, so there is nothing in this one";
        let found = Diagnostic::new(Code::NeverTrue, whole.span, message);
        self.found.push(match (&low.kind, &high.kind) {
            (ExprKind::Word(low), ExprKind::Word(high)) => {
                let turned = format!("{high}..{low}");
                found.help(format!("write `{turned}`")).perhaps(whole.span, turned)
            }
            _ => found.help(format!("its first number is {}, its last is {}", one.words(), two.words())),
        });
    }

    /// A choice of none.
    pub(super) fn none_chosen(&mut self, locals: &Locals<'r>, choose: &'r Choose) {
        let Qty::Between(_, Some(most)) = &choose.qty else { return };
        let bounds = self.bounds(locals, most, &Vec::new());
        if bounds.high <= 0 {
            let message = format!("at most {} can be chosen here, so none ever is", bounds.high);
            let found = Diagnostic::new(Code::NeverTrue, most.span, message);
            self.found.push(
                found.help("say how many: `choose up to 2 cs in ...`; one, or none, is `choose up to 1 c in ...`"),
            );
        }
    }

    /// An item of a list that is never there.
    pub(super) fn item(&mut self, locals: &Locals<'r>, whole: &'r Expr, (list, index): (&'r Expr, &'r Expr)) {
        if self.expects || !matches!(list.ty.bare(), Ty::List(_)) || self.is_table(list) {
            return;
        }
        let (size, index) = (self.count(locals, list), self.bounds(locals, index, &Vec::new()));
        let help = "the first item is `[0]`, the last of `L` is `L[count L - 1]`";
        let message = if index.high < 0 {
            format!("the items of a list are counted from 0, and this is {}, so it is always `nothing`", index.words())
        } else if index.low >= size.high && size.high != i64::MAX {
            format!("this list has {} items, counted from 0, so this is always `nothing`", size.words())
        } else {
            return;
        };
        self.found.push(Diagnostic::new(Code::NeverTrue, whole.span, message).help(help));
    }

    /// An outcome for a set in which nobody can ever be.
    pub(super) fn outcome(&mut self, locals: &Locals<'r>, whole: &'r Stmt, who: &'r Expr) {
        if self.count(locals, who).high > 0 {
            return;
        }
        let (does, instead) = match whole.kind {
            StmtKind::Win(_) => ("wins", "a game that nobody wins ends with `draw game`"),
            _ => ("loses", "where all lose, write `lose players`"),
        };
        let message = format!("nobody can be meant here, so nobody {does} and the game goes on");
        self.found.push(Diagnostic::new(Code::NeverTrue, who.span, message).help(instead));
    }

    /// Whether it is `nothing`, or who is on turn before anybody is.
    fn is_nobody(&self, locals: &Locals<'r>, expr: &Expr) -> bool {
        let setup = self.rules.setup.and_then(|setup| self.rules.procs.get(setup.index()));
        match expr.kind {
            ExprKind::Nothing => true,
            ExprKind::Mover => locals.proc.zip(setup).is_some_and(|(proc, setup)| std::ptr::eq(proc, setup)),
            _ => false,
        }
    }

    /// Whether it is no list but a table.
    fn is_table(&self, list: &Expr) -> bool {
        let (ExprKind::Prop(_, prop) | ExprKind::GameProp(prop)) = &list.kind else { return false };
        self.rules.props.get(prop.index()).is_none_or(|prop| {
            prop.table.is_some() || matches!(prop.class, PropClass::Table(_)) || matches!(prop.ty, Ty::Table(..))
        })
    }
}
