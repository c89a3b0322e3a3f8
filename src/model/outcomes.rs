//! Checks that only say who wins or loses: where that is nobody, they have nothing to do, and must not be done again and again. Said
//! here in the rules' own forms, so that nothing behind the checker knows of it.

use super::check::Checker;
use super::rules::{Builtin, ClauseKind, Expr, ExprKind, LocalId, Proc, ProcBody, ProcId, Rules, StmtKind, Ty};

impl Checker<'_> {
    /// `check C { win S }` is `check C and some S { win S }`.
    pub(super) fn ask_for_somebody(&mut self) {
        let clauses = self.rules.clauses.iter();
        let checks: Vec<(ProcId, ProcId)> = clauses
            .filter_map(|clause| match clause.kind {
                ClauseKind::Check { cond, body } => Some((cond, body)),
                _ => None,
            })
            .collect();
        for (cond, body) in checks {
            let Some((asked, locals)) = somebody(&self.rules, cond, body) else { continue };
            let Some(Proc { body: ProcBody::Expr(expr), locals: own, .. }) = self.rules.procs.get_mut(cond.index())
            else {
                continue;
            };
            own.extend(locals);
            let (span, holds) = (expr.span, expr.clone());
            *expr = Expr { kind: ExprKind::And(Box::new(holds), Box::new(asked)), ty: Ty::Flag, span };
        }
    }
}

/// Whether the outcome of a check is for somebody, in the place of its condition, with the locals that this has more.
fn somebody(rules: &Rules, cond: ProcId, body: ProcId) -> Option<(Expr, Vec<super::rules::Local>)> {
    let (cond, body) = (rules.procs.get(cond.index())?, rules.procs.get(body.index())?);
    let (ProcBody::Expr(asked), ProcBody::Block(stmts)) = (&cond.body, &body.body) else { return None };
    let mut acts = stmts.iter().filter(|stmt| !matches!(stmt.kind, StmtKind::Note(_)));
    let (Some(StmtKind::Win(who) | StmtKind::Lose(who)), None) = (acts.next().map(|stmt| &stmt.kind), acts.next())
    else {
        return None;
    };
    if is_somebody(asked, who) || cond.params != body.params {
        return None;
    }
    // Behind what has a place of its own in both come the locals of the condition, then those of the outcome.
    let (shared, more) = (usize::from(body.params), cond.locals.len() - usize::from(body.params));
    let mut who = who.clone();
    moved(&mut who, &|local| if local.index() < shared { local } else { LocalId((local.index() + more) as u32) });
    let span = who.span;
    let some = Expr { kind: ExprKind::Some(Box::new(who)), ty: Ty::Flag, span };
    Some((some, body.locals.get(shared..)?.to_vec()))
}

/// Whether a set has somebody in it where a condition holds.
fn is_somebody(asked: &Expr, who: &Expr) -> bool {
    match &who.kind {
        ExprKind::Players | ExprKind::Seat(_) => true,
        ExprKind::ToSet(one) => match &one.kind {
            ExprKind::Builtin(Builtin::First, args) => args.first().is_some_and(|set| is_somebody(asked, set)),
            _ => is_somebody(asked, one),
        },
        _ => match &asked.kind {
            ExprKind::Some(set) => set.same(who),
            ExprKind::Any { over, binder, cond } => match &who.kind {
                ExprKind::Where { over: members, binder: member, cond: holds } => {
                    let mut holds = holds.clone();
                    holds.rename(*member, *binder);
                    over.same(members) && cond.same(&holds)
                }
                _ => false,
            },
            ExprKind::And(one, other) => is_somebody(one, who) || is_somebody(other, who),
            _ => false,
        },
    }
}

fn moved(expr: &mut Expr, to: &dyn Fn(LocalId) -> LocalId) {
    if let ExprKind::Local(local) = &mut expr.kind {
        *local = to(*local);
    }
    if let Some(binder) = expr.binder_mut() {
        *binder = to(*binder);
    }
    expr.each_part_mut(&mut |part| moved(part, to));
}
