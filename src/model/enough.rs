//! Choices of at least so many: where there are fewer, an action cannot be done and a gate is closed. Elsewhere a choice takes what
//! there is. Said here in the rules' own forms, so that nothing behind the checker knows of it.

use super::check::Checker;
use super::rules::walk::each_block_mut;
use super::rules::{Choose, CompareOp, Expr, ExprKind, ProcBody, ProcRole, Qty, Stmt, StmtKind, Ty};

impl Checker<'_> {
    pub(super) fn ask_for_enough(&mut self) {
        for proc in &mut self.rules.procs {
            if let ProcBody::Block(stmts) = &mut proc.body {
                in_block(stmts, proc.role == ProcRole::Action);
            }
        }
    }
}

fn in_block(stmts: &mut Vec<Stmt>, action: bool) {
    let mut index = 0;
    while index < stmts.len() {
        each_block_mut(&mut stmts[index], &mut |inner| in_block(inner, action));
        let span = stmts[index].span;
        match &mut stmts[index].kind {
            StmtKind::Gate { chooses, .. } => chooses.iter_mut().for_each(enough_or_none),
            StmtKind::Choose(choose) if action && choose.by.is_none() => {
                if let Some(cond) = enough(choose) {
                    // As where there is nothing at all: which of the two is found first, nobody can tell.
                    let reason = Some("there is nothing to choose for it".to_owned());
                    stmts.insert(index, Stmt { kind: StmtKind::Requires { cond, reason, lenient: true }, span });
                    index += 1;
                }
            }
            _ => {}
        }
        index += 1;
    }
}

/// Nothing can be chosen where there are too few.
fn enough_or_none(choose: &mut Choose) {
    let Some(cond) = enough(choose) else { return };
    let (ty, span) = (choose.domain.ty.clone(), choose.domain.span);
    let none = Expr { kind: ExprKind::Empty, ty: ty.clone(), span };
    let all = std::mem::replace(&mut choose.domain, none.clone());
    choose.domain = Expr { kind: ExprKind::If(Box::new(cond), Box::new(all), Box::new(none)), ty, span };
}

/// Whether there are as many as a choice takes at the least; nothing where one is enough, which is asked for anyway.
fn enough(choose: &Choose) -> Option<Expr> {
    let Qty::Between(low, _) = &choose.qty else { return None };
    if matches!(low.kind, ExprKind::Word(..=1)) {
        return None;
    }
    let span = choose.span;
    let count = Expr { kind: ExprKind::Count(Box::new(choose.domain.clone())), ty: Ty::Number, span };
    let kind = ExprKind::Compare(CompareOp::Ge, Box::new(count), Box::new(low.clone()));
    Some(Expr { kind, ty: Ty::Flag, span })
}
