//! Whether a game keeps its cards and pieces: then their number is checked along random play.

use crate::model::rules::{Created, Destination, KindId, ProcBody, RootKind, Rules, Stmt, StmtKind, Ty};

/// Whether nothing in the rules makes or unmakes an entity that has a place, so that their number must not change.
pub(super) fn conserves_cards(rules: &Rules) -> bool {
    let body_conserves = |body: &ProcBody| match body {
        ProcBody::Block(stmts) => stmts.iter().all(|stmt| stmt_conserves(rules, stmt)),
        ProcBody::Expr(_) => true,
    };
    !rules.entries.is_empty() && rules.procs.iter().all(|procedure| body_conserves(&procedure.body))
}

fn has_no_place(rules: &Rules, kind: KindId) -> bool {
    rules.kinds.get(kind.index()).is_some_and(|kind| kind.root == RootKind::Thing)
}

fn stmt_conserves(rules: &Rules, stmt: &Stmt) -> bool {
    let all = |stmts: &[Stmt]| stmts.iter().all(|stmt| stmt_conserves(rules, stmt));
    match &stmt.kind {
        StmtKind::Move { what, to: Destination::Nowhere, .. } => thing_type(rules, &what.ty),
        StmtKind::Create { what: Created::Kind { kind, .. }, .. } => has_no_place(rules, *kind),
        StmtKind::Create { .. } => false,
        StmtKind::ChooseOption { arms, .. } => arms.iter().all(|arm| all(&arm.body)),
        StmtKind::Gate { pay, body, or_else, .. } => {
            all(body) && pay.as_deref().is_none_or(all) && or_else.as_deref().is_none_or(all)
        }
        StmtKind::If { body, or_else, .. } => all(body) && all(or_else),
        StmtKind::Offer(offer) => all(&offer.accepted) && all(&offer.refused),
        StmtKind::Each { body, .. }
        | StmtKind::EachSecret { body, .. }
        | StmtKind::Repeat { body, .. }
        | StmtKind::RepeatTimes { body, .. }
        | StmtKind::Turns { body, .. }
        | StmtKind::Phase { body, .. } => all(body),
        _ => true,
    }
}

fn thing_type(rules: &Rules, ty: &Ty) -> bool {
    match ty {
        Ty::Entity(kind) => has_no_place(rules, *kind),
        Ty::Set(of) | Ty::List(of) | Ty::Maybe(of) => thing_type(rules, of),
        _ => false,
    }
}
