//! Where sets of entities are kept while the game goes on: when an entity becomes another one, they must go on meaning
//! what it was.

use super::layout::{Layout, PropHome, Repr, repr};
use crate::model::rules::{ClauseKind, ProcRole, PropOwner, Rules, StmtKind, Ty};

/// A set of entities in a procedure's window, and the instructions between which it is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LiveSet {
    /// Offset in the window.
    pub at: u16,
    /// The first instruction at which it is there, counted from the procedure's first.
    pub from: u32,
    /// The instruction at which it is there no more.
    pub to: u32,
    /// Whether a list of the members that come next lies behind it.
    pub shown: bool,
}

/// Sets of entities outside of windows.
#[derive(Clone, Debug, Default)]
pub struct KeptSets {
    /// Addresses of the game's and the players' marks.
    pub fixed: Vec<usize>,
    /// Offsets of marks in the record of an entity.
    pub marks: Vec<u16>,
    /// For each verb, the offsets among its arguments.
    pub verbs: Vec<Vec<u16>>,
    /// For each clause, the offsets among what it captures.
    pub clauses: Vec<Vec<u16>>,
}

/// Whether any set of entities can outlive a statement.
pub(super) fn outlives(rules: &Rules) -> bool {
    let set = |ty: &Ty| repr(ty) == Repr::Entities;
    let in_proc = |proc: &crate::model::rules::Proc| {
        let mut found = proc.locals.iter().any(|local| set(&local.ty));
        super::walk::each_stmt(proc, &mut |stmt| {
            found |= match &stmt.kind {
                StmtKind::Each { domain, .. } => set(&domain.ty),
                StmtKind::Move { what, riders, .. } => set(&what.ty) || riders.is_some(),
                _ => false,
            };
        });
        found
    };
    let stored = rules
        .props
        .iter()
        .any(|prop| set(&prop.ty) && matches!(prop.class, crate::model::rules::PropClass::Mark { .. }));
    stored || rules.procs.iter().any(|proc| !matches!(proc.role, ProcRole::Pure | ProcRole::Memo) && in_proc(proc))
}

/// Where sets of entities lie outside of windows.
pub(super) fn kept(rules: &Rules, layout: &Layout) -> KeptSets {
    let mut kept = KeptSets::default();
    for (index, prop) in rules.props.iter().enumerate() {
        if repr(&prop.ty) != Repr::Entities {
            continue;
        }
        match layout.props[index] {
            PropHome::Game(at) => kept.fixed.push(usize::from(at)),
            PropHome::Player(offset) => kept.fixed.extend(
                (0..layout.seats).map(|seat| layout.players + seat * layout.player_words + usize::from(offset)),
            ),
            PropHome::Entity(offset) if matches!(prop.owner, PropOwner::Kind(_)) => kept.marks.push(offset),
            PropHome::Entity(_) | PropHome::None => {}
        }
    }
    kept.marks.sort_unstable();
    kept.marks.dedup();
    let offsets = |types: &mut dyn Iterator<Item = &Ty>| {
        let mut at = 0;
        let mut found = Vec::new();
        for ty in types {
            if repr(ty) == Repr::Entities {
                found.push(at);
            }
            at += layout.words(ty);
        }
        found
    };
    kept.verbs = rules.verbs.iter().map(|verb| offsets(&mut verb.params.iter().map(|param| &param.ty))).collect();
    for clause in &rules.clauses {
        let proc = match &clause.kind {
            ClauseKind::Hook { cond, body, .. } => body.or(*cond),
            ClauseKind::Becomes { body, .. } | ClauseKind::Check { body, .. } => Some(*body),
            ClauseKind::Modify { value, .. } => Some(*value),
        };
        let mut inner: Vec<usize> = clause.captures.iter().map(|(_, inner)| inner.index()).collect();
        inner.sort_unstable();
        let locals = proc.map_or(&[][..], |proc| &rules.procs[proc.index()].locals);
        kept.clauses.push(offsets(&mut inner.iter().filter_map(|at| locals.get(*at)).map(|local| &local.ty)));
    }
    kept
}
