//! Who sees what lies somewhere: cards in zones, and pieces on boards.

use super::walk::{each_expr, each_stmt};
use super::{
    BuiltinProp, Case, Created, ExprKind, KindId, Look, LookTarget, Proc, ProcBody, ProcId, PropClass, PropId,
    PropOwner, Rules, StmtKind, Tint, Ty, Wording, WordingPart, ZoneId,
};
use std::collections::BTreeSet;

/// Who sees what lies in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seen {
    All,
    Holder,
    /// All but its holder.
    Others,
    Top,
    None,
}

impl Seen {
    /// Whether somebody may not see what lies there.
    pub fn is_closed(self) -> bool {
        matches!(self, Seen::Holder | Seen::Others | Seen::None)
    }

    /// The seats that see all of what a player holds, as bits; what else they may see of it, they know from somewhere else.
    pub fn lookers(self, holder: Option<u8>) -> i64 {
        match self {
            Seen::All => -1,
            Seen::Holder => holder.map_or(0, |player| 1 << player),
            Seen::Others => holder.map_or(-1, |player| !(1 << player)),
            Seen::Top | Seen::None => 0,
        }
    }
}

/// What those see of a piece on a board who do not see which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Back {
    /// The kind that says so: that it is one of these, all see.
    pub kind: KindId,
    /// Who sees more. Its holder is its owner, and of a piece of nobody there is none.
    pub seen: Seen,
}

impl Rules {
    /// The zone in which cards of a kind begin: that which names the kind, or the nearest kind above.
    pub fn begins_in(&self, kind: KindId) -> Option<ZoneId> {
        let named = |kind| self.zones.iter().position(|zone| zone.starts.contains(&kind));
        self.kinds_from(kind).find_map(named).map(|zone| ZoneId(zone as u32))
    }

    /// The kinds of which there can ever be an entity that is of no subkind, as far as some procedures make them.
    pub fn kinds_that_exist<'p>(&self, procs: impl IntoIterator<Item = &'p Proc>) -> BTreeSet<KindId> {
        let mut found: BTreeSet<KindId> =
            self.entries.iter().map(|entry| entry.kind).filter(|kind| self.begins_in(*kind).is_some()).collect();
        for proc in procs {
            each_stmt(proc, &mut |stmt| match &stmt.kind {
                StmtKind::Create { what: Created::Kind { kind, .. }, .. } => _ = found.insert(*kind),
                StmtKind::Create { what: Created::Entry { entry, .. }, .. } => {
                    found.extend(self.entries.get(entry.index()).map(|entry| entry.kind));
                }
                _ => {}
            });
        }
        found
    }

    /// Whether nothing that may be of a kind lies in a zone that is in play.
    pub fn has_no_zone_in_play(&self, kind: KindId) -> bool {
        let related = |held: &KindId| self.is_below(kind, *held) || self.is_below(*held, kind);
        !self.zones.iter().any(|zone| zone.in_play && (zone.holds.is_empty() || zone.holds.iter().any(related)))
    }

    /// Whether the looks of the game and of players name a property of one of these, in what they list or in a line; nothing if they leave that
    /// open.
    pub fn lists(&self, target: LookTarget, prop: PropId) -> Option<bool> {
        let of = |target| self.looks.iter().find(move |look| look.target == target);
        let mut lines = [LookTarget::Game, LookTarget::Player].into_iter().filter_map(of).flat_map(|look| &look.line);
        match of(target).and_then(Look::shown) {
            Some(shown) if shown.contains(&prop) => Some(true),
            _ if lines.any(|case| names(self, case, prop)) => Some(true),
            shown => shown.map(|_| false),
        }
    }
}

/// Whether a line of a look names a property: in its condition, or among what it tells.
fn names(rules: &Rules, line: &Case<Wording>, prop: PropId) -> bool {
    let told = line.value.iter().filter_map(|part| match part {
        WordingPart::Value(proc) => Some(*proc),
        _ => None,
    });
    let mut found = false;
    for proc in line.when.into_iter().chain(told).filter_map(|proc| rules.procs.get(proc.index())) {
        each_expr(proc, &mut |expr| {
            found |= matches!(expr.kind, ExprKind::Prop(_, read) | ExprKind::GameProp(read) if read == prop);
        });
    }
    found
}

impl Rules {
    /// Whether a procedure reads nothing of a piece but what all see of its back.
    pub fn asks_of_backs(&self, proc: ProcId) -> bool {
        let ProcBody::Expr(asked) = &self.procs[proc.index()].body else { return false };
        let mut open = true;
        asked.walk(&mut |part| {
            open &= match &part.kind {
                ExprKind::Prop(of, prop) => {
                    let info = &self.props[prop.index()];
                    let back = info.open || matches!(info.class, PropClass::Builtin(BuiltinProp::Owner));
                    back || info.owner == PropOwner::Player && of.ty.bare() == &Ty::Player
                }
                ExprKind::This
                | ExprKind::Word(_)
                | ExprKind::Text(_)
                | ExprKind::Nothing
                | ExprKind::GameProp(_)
                | ExprKind::Option(_)
                | ExprKind::Round
                | ExprKind::Compare(..)
                | ExprKind::And(..)
                | ExprKind::Or(..)
                | ExprKind::Not(_)
                | ExprKind::Some(_)
                | ExprKind::If(..)
                | ExprKind::Binary(..)
                | ExprKind::Negate(_) => true,
                _ => false,
            };
        });
        open
    }
}

impl Look {
    /// The cases of a look that ask for nothing but what `open` lets pass.
    pub fn of_back(&self, open: &dyn Fn(ProcId) -> bool) -> Look {
        fn cases<T: Clone>(all: &[Case<T>], open: &dyn Fn(ProcId) -> bool, value: &dyn Fn(&T) -> bool) -> Vec<Case<T>> {
            let asks = |case: &&Case<T>| case.when.is_none_or(open) && case.sites.is_none() && value(&case.value);
            all.iter().filter(asks).cloned().collect()
        }
        let words = |wording: &Wording| {
            wording.iter().all(|part| match part {
                WordingPart::Text(_) => true,
                WordingPart::Value(proc) => open(*proc),
                WordingPart::Field(_) => false,
            })
        };
        let tint = |tint: &Tint| match tint {
            Tint::Fixed(_) => true,
            Tint::Of(proc) => open(*proc),
        };
        Look {
            shape: cases(&self.shape, open, &|_| true),
            colour: cases(&self.colour, open, &tint),
            size: cases(&self.size, open, &|proc| open(*proc)),
            glyph: cases(&self.glyph, open, &words),
            label: cases(&self.label, open, &words),
            mark: cases(&self.mark, open, &|_| true),
            ..Look::new(self.target, self.span)
        }
    }
}
