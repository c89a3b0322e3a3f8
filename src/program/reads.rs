//! What conditions read, as masks of what can change: a condition that did not hold need not be looked at again until
//! something it reads has changed. A mask may say too much, never too little.

use super::layout::{Repr, repr};
use crate::model::rules::{
    Builtin, BuiltinProp, ClauseHome, ClauseId, ClauseKind, Expr, ExprKind, ProcBody, ProcId, PropClass, PropId,
    PropOwner, Rules, ZoneId,
};
use std::collections::BTreeSet;

/// Bits of what can change.
pub mod touch {
    /// Anything at all: the next checkpoint has something to do.
    pub const ANY: u64 = 1 << 63;
    /// Whose turn it is, and the round.
    pub const TURN: u64 = 1;
    /// What is in play.
    pub const PLAY: u64 = 1 << 1;
    /// Where any entity is, and what it has become.
    pub const PLACE: u64 = 1 << 2;
    /// Which entities there are.
    pub const EXIST: u64 = 1 << 3;
    /// What no condition of a check reads.
    pub const OTHER: u64 = 1 << 4;
    /// Who is still in the game.
    pub const PLAYING: u64 = 1 << 5;
    /// What changes where pieces are created on a board and moved on it.
    pub const PIECES: u64 = PLAY | PLACE | EXIST | OTHER | ANY;
    /// Everything.
    pub const ALL: u64 = u64::MAX;
}

/// Bits that zones and properties share among them.
const ZONES: (u32, u32) = (6, 27);
const PROPS: (u32, u32) = (33, 30);

/// The bit of the contents of a zone.
pub fn zone_bit(zone: ZoneId) -> u64 {
    1 << (ZONES.0 + zone.index() as u32 % ZONES.1)
}

/// The bit of a property.
pub fn prop_bit(prop: PropId) -> u64 {
    1 << (PROPS.0 + prop.index() as u32 % PROPS.1)
}

/// What the condition of a check or of a `becomes` clause reads.
pub(super) fn condition_reads(rules: &Rules, modified: &[bool], clause: ClauseId) -> u64 {
    let clause = &rules.clauses[clause.index()];
    let (ClauseKind::Check { cond, .. } | ClauseKind::Becomes { cond, .. }) = clause.kind else { return touch::ALL };
    let mut reads = Reads { rules, modified, seen: BTreeSet::new(), mask: 0 };
    reads.proc(cond);
    match clause.home {
        ClauseHome::Rule(group) => rules.groups[group.index()].when.into_iter().for_each(|when| reads.proc(when)),
        ClauseHome::Entry(_) | ClauseHome::Kind(_) => {
            // Which cards bear it, and for whom.
            reads.mask |= touch::PLAY | touch::PLACE | touch::TURN | touch::PLAYING;
            rules.kinds.iter().filter_map(|kind| kind.stands_when).for_each(|when| reads.proc(when));
        }
        ClauseHome::Armed => return touch::ALL,
    }
    // What reads nothing is looked at whatever has changed.
    if reads.mask == 0 { touch::ANY } else { reads.mask }
}

/// What an expression reads.
pub(super) fn expr_reads(rules: &Rules, modified: &[bool], expr: &Expr) -> u64 {
    let mut reads = Reads { rules, modified, seen: BTreeSet::new(), mask: 0 };
    expr.walk(&mut |part| reads.node(part));
    reads.mask
}

struct Reads<'r> {
    rules: &'r Rules,
    /// For each property, whether any clause modifies it.
    modified: &'r [bool],
    /// Procedures that were looked at.
    seen: BTreeSet<ProcId>,
    mask: u64,
}

impl Reads<'_> {
    fn proc(&mut self, proc: ProcId) {
        if !self.seen.insert(proc) {
            return;
        }
        match &self.rules.procs[proc.index()].body {
            ProcBody::Expr(expr) => expr.walk(&mut |expr| self.node(expr)),
            ProcBody::Block(_) => self.mask = touch::ALL,
        }
    }

    /// What an expression itself reads, without the expressions in it.
    fn node(&mut self, expr: &Expr) {
        self.mask |= match &expr.kind {
            ExprKind::Me | ExprKind::Mover | ExprKind::Round => touch::TURN,
            ExprKind::Players => touch::PLAYING,
            ExprKind::Opponents => touch::TURN | touch::PLAYING,
            ExprKind::Prop(_, prop) | ExprKind::GameProp(prop) => return self.prop(*prop),
            ExprKind::InPlay(_) => touch::PLAY,
            ExprKind::Is(..) | ExprKind::EntitiesOf(_) => touch::EXIST,
            ExprKind::In(..) | ExprKind::ToSet(_) | ExprKind::Flat(_) => touch::PLACE,
            ExprKind::Contents(zone, _) => zone_bit(*zone),
            ExprKind::Call(proc, _) => return self.proc(*proc),
            ExprKind::Builtin(builtin, _) => match builtin {
                Builtin::Smaller | Builtin::Larger | Builtin::Abs | Builtin::First | Builtin::EnumIndex => 0,
                Builtin::Clockwise | Builtin::After => touch::TURN | touch::PLAYING,
                // What lies on a pile, how a tile may be turned, and which positions there were.
                Builtin::Top | Builtin::Bottom | Builtin::Turnings | Builtin::Fitting | Builtin::Repeats => touch::ALL,
                // Sites and ways: where pieces lie, and with them which sites a board without an end has.
                _ => touch::PLAY | touch::PLACE | touch::EXIST,
            },
            ExprKind::Word(_)
            | ExprKind::Text(_)
            | ExprKind::Nothing
            | ExprKind::Empty
            | ExprKind::Local(_)
            | ExprKind::This
            | ExprKind::Option(_)
            | ExprKind::Seat(_)
            | ExprKind::ToList(_)
            | ExprKind::List(_)
            | ExprKind::Not(_)
            | ExprKind::Negate(_)
            | ExprKind::Count(_)
            | ExprKind::Binary(..)
            | ExprKind::Compare(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Range(..)
            | ExprKind::Where { .. }
            | ExprKind::Any { .. }
            | ExprKind::All { .. }
            | ExprKind::Fold { .. }
            | ExprKind::Collect { .. }
            | ExprKind::Having { .. }
            | ExprKind::Sorted { .. }
            | ExprKind::Some(_)
            | ExprKind::If(..)
            | ExprKind::Index(..) => 0,
            // The event at hand, questions, scripts, tries: not worth knowing better.
            _ => touch::ALL,
        };
    }

    fn prop(&mut self, prop: PropId) {
        let info = &self.rules.props[prop.index()];
        if matches!(info.owner, PropOwner::Kind(_)) || repr(&info.ty) == Repr::Entities {
            // A reference to what has become another thing tells what it was.
            self.mask |= touch::PLACE;
        }
        match &info.class {
            PropClass::Field { .. } => {}
            PropClass::Counter { .. } | PropClass::Mark { .. } | PropClass::LinkOne(_) => self.mask |= prop_bit(prop),
            PropClass::LinkMany(link) => self.mask |= prop_bit(self.rules.links[link.index()].one),
            PropClass::Stat { .. } if self.modified[prop.index()] => self.mask = touch::ALL,
            PropClass::Stat { formula } => self.proc(*formula),
            PropClass::Table(_) => {}
            PropClass::Builtin(BuiltinProp::Seat) => {}
            PropClass::Builtin(BuiltinProp::Playing) => self.mask |= touch::PLAYING,
            PropClass::Builtin(_) => self.mask |= touch::PLACE,
        }
    }
}
