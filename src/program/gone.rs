//! Stats of things that have gone. What has moved on is another thing, and what it was can be read as it was last: of stored
//! properties that is what was stored, but a stat is worked out, from what may be otherwise now. So a stat that is asked of
//! something which may have gone is worked out when a thing leaves, and kept with what is known of it.

use super::walk::{each_block, stmt_exprs};
use crate::model::rules::{
    Builtin, ClauseHome, ClauseKind, Expr, ExprKind, FieldValue, HookEvent, LocalId, Proc, ProcBody, ProcId, PropClass,
    PropId, PropOwner, Rules, Stage, Stmt, StmtKind, Ty,
};

/// For each property, whether it is a stat that is kept.
pub(super) fn kept_stats(rules: &Rules) -> Vec<bool> {
    let mut gone = Gone::new(rules);
    if gone.changing.contains(&true) {
        loop {
            let before = (gone.kept.clone(), gone.params.clone());
            (0..rules.procs.len()).for_each(|proc| gone.look_into(proc));
            if before == (gone.kept.clone(), gone.params.clone()) {
                break;
            }
        }
    }
    gone.kept
}

struct Gone<'r> {
    rules: &'r Rules,
    /// Stats of things that come to something else where other things change than what is stored of the thing itself.
    changing: Vec<bool>,
    kept: Vec<bool>,
    /// For each procedure, which of its locals may name something that has gone when it begins.
    params: Vec<Vec<bool>>,
    /// For each procedure, whether what it stands on may have gone.
    this: Vec<bool>,
}

impl<'r> Gone<'r> {
    fn new(rules: &'r Rules) -> Gone<'r> {
        let mut modified = vec![false; rules.props.len()];
        for clause in &rules.clauses {
            if let ClauseKind::Modify { stat, .. } = clause.kind {
                modified[stat.index()] = true;
            }
        }
        let changes = |(index, modified): (usize, bool)| {
            let prop = &rules.props[index];
            let PropClass::Stat { formula } = prop.class else { return false };
            matches!(prop.owner, PropOwner::Kind(_))
                && super::layout::repr(&prop.ty) == super::layout::Repr::Word
                && (modified || reads_others(rules, formula))
        };
        let changing: Vec<bool> = modified.into_iter().enumerate().map(changes).collect();
        let mut gone = Gone {
            rules,
            kept: vec![false; changing.len()],
            changing,
            params: rules.procs.iter().map(|proc| vec![false; proc.locals.len()]).collect(),
            this: vec![false; rules.procs.len()],
        };
        for clause in &rules.clauses {
            let ClauseKind::Hook { stage, event, cond, body, .. } = &clause.kind else { continue };
            let later = matches!((stage, event), (Stage::After, HookEvent::Verb(_)));
            for proc in [cond, body].into_iter().flatten() {
                if later || clause.home == ClauseHome::Armed {
                    gone.params[proc.index()].fill(true);
                    gone.this[proc.index()] = true;
                }
            }
        }
        gone
    }

    fn look_into(&mut self, index: usize) {
        let rules = self.rules;
        let mut stale = Stale { locals: self.params[index].clone(), this: self.this[index] };
        match &rules.procs[index].body {
            ProcBody::Expr(expr) => self.read(expr, false, &mut stale),
            ProcBody::Block(stmts) => self.block(stmts, &mut stale),
        }
    }

    fn block(&mut self, stmts: &[Stmt], stale: &mut Stale) {
        for stmt in stmts {
            self.stmt(stmt, stale);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, stale: &mut Stale) {
        let mut exprs: Vec<&Expr> = Vec::new();
        stmt_exprs(stmt, &mut |expr| exprs.push(expr));
        // What has gone cannot be chosen, whatever is asked of it.
        let chosen = matches!(stmt.kind, StmtKind::Choose(_) | StmtKind::Gate { .. });
        exprs.into_iter().for_each(|expr| self.read(expr, chosen, stale));
        let value = match &stmt.kind {
            StmtKind::Local { value, .. } => self.may_be_gone(value, stale),
            _ => false,
        };
        self.pass_on(stmt, stale);
        if let StmtKind::Each { local, .. } | StmtKind::EachSecret { local, .. } = stmt.kind {
            stale.set(local, false);
        }
        if moves(&stmt.kind) {
            stale.locals.fill(true);
            stale.this = true;
        }
        let before = stale.clone();
        each_block(stmt, &mut |body| {
            let mut inner = before.clone();
            // The second turn of a loop begins with what the first has changed.
            for _ in 0..2 {
                self.block(body, &mut inner);
            }
            stale.join(&inner);
        });
        match &stmt.kind {
            StmtKind::Local { local, .. } => stale.set(*local, value),
            StmtKind::Choose(choose) => stale.set(choose.local, false),
            StmtKind::Move { local: Some(local), .. }
            | StmtKind::Create { local: Some(local), .. }
            | StmtKind::Random { local, .. }
            | StmtKind::ChooseOrder { local, .. } => stale.set(*local, false),
            _ => {}
        }
    }

    /// Notes which parameters may be something that has gone.
    fn pass_on(&mut self, stmt: &Stmt, stale: &Stale) {
        let StmtKind::Call { verb, args, .. } = &stmt.kind else {
            if let StmtKind::Do { field, .. } = &stmt.kind {
                self.of_effects(*field);
            }
            return;
        };
        let event = HookEvent::Verb(*verb);
        // What has gone is stopped by nothing: it is not there.
        let hooks = self.rules.clauses.iter().filter_map(|clause| match &clause.kind {
            ClauseKind::Hook { event: on, cond, body, stage, .. } if *on == event && *stage != Stage::Cannot => {
                Some([*cond, *body])
            }
            _ => None,
        });
        let procs: Vec<ProcId> = hooks.flatten().flatten().chain([self.rules.verbs[verb.index()].body]).collect();
        for (index, arg) in args.iter().enumerate() {
            if arg.as_ref().is_some_and(|arg| self.may_be_gone(arg, stale)) {
                procs.iter().for_each(|proc| self.mark(*proc, index));
            }
        }
    }

    /// Effects are done with whatever they are given, and what they stand on may have moved to be done.
    fn of_effects(&mut self, field: PropId) {
        let rules = self.rules;
        let given = rules.entries.iter().flat_map(|entry| &entry.fields).filter(|(of, _)| *of == field);
        for (_, value) in given {
            if let Some(FieldValue::Proc(proc)) = value {
                self.params[proc.index()].fill(true);
            }
        }
    }

    fn mark(&mut self, proc: ProcId, param: usize) {
        if let Some(param) = self.params[proc.index()].get_mut(param) {
            *param = true;
        }
    }

    /// Sees which stats an expression asks of what may have gone.
    fn read(&mut self, expr: &Expr, chosen: bool, stale: &mut Stale) {
        let mut parts: Vec<&Expr> = Vec::new();
        expr.walk(&mut |part| parts.push(part));
        for part in parts {
            if let (Some(binder), Some(over)) = (part.binder(), over_of(part)) {
                let of = !chosen && self.may_be_gone(over, stale);
                stale.set(binder, of);
            }
            match &part.kind {
                ExprKind::Prop(of, prop) if self.changing[prop.index()] && !self.kept[prop.index()] => {
                    self.kept[prop.index()] = self.may_be_gone(of, stale);
                }
                ExprKind::Call(proc, args) => {
                    for (index, arg) in args.iter().enumerate() {
                        if self.may_be_gone(arg, stale) {
                            self.mark(*proc, index);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether what an expression names may have gone, as far as that is seen; what is looked for now has not.
    fn may_be_gone(&self, expr: &Expr, stale: &Stale) -> bool {
        if !matches!(expr.ty.element().bare(), Ty::Entity(_)) {
            return false;
        }
        match &expr.kind {
            ExprKind::Local(local) => stale.locals.get(local.index()).copied().unwrap_or(true),
            ExprKind::This => stale.this,
            ExprKind::Prop(_, prop) | ExprKind::GameProp(prop) => {
                matches!(self.rules.props[prop.index()].class, PropClass::Mark { .. })
            }
            ExprKind::InPlay(_) | ExprKind::EntitiesOf(_) | ExprKind::Contents(..) => false,
            _ => {
                let mut found = false;
                expr.each_part(&mut |part| found = found || self.may_be_gone(part, stale));
                found
            }
        }
    }
}

/// What may name something that has gone.
#[derive(Clone)]
struct Stale {
    locals: Vec<bool>,
    this: bool,
}

impl Stale {
    fn set(&mut self, local: LocalId, is_stale: bool) {
        if let Some(stale) = self.locals.get_mut(local.index()) {
            *stale = is_stale;
        }
    }

    fn join(&mut self, other: &Stale) {
        self.locals.iter_mut().zip(&other.locals).for_each(|(one, other)| *one |= other);
        self.this |= other.this;
    }
}

/// What a loop in an expression goes through.
fn over_of(expr: &Expr) -> Option<&Expr> {
    let mut first = None;
    expr.each_part(&mut |part| first = first.or(Some(part)));
    first
}

/// Whether things can move while a statement is carried out.
fn moves(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::Move { .. }
            | StmtKind::Call { .. }
            | StmtKind::Do { .. }
            | StmtKind::Script { .. }
            | StmtKind::Proceed { .. }
            | StmtKind::ChooseAction { .. }
            | StmtKind::Open { .. }
            | StmtKind::Respond(_)
            | StmtKind::Offer(_)
            | StmtKind::Settle
    )
}

/// Whether a formula reads more than what is stored of the thing that it is asked of.
pub(super) fn reads_others(rules: &Rules, formula: ProcId) -> bool {
    let Proc { body: ProcBody::Expr(body), .. } = &rules.procs[formula.index()] else { return true };
    let mut found = false;
    body.walk(&mut |part| {
        found |= match &part.kind {
            ExprKind::Prop(of, prop) => {
                let own = matches!(of.kind, ExprKind::This);
                match rules.props[prop.index()].class {
                    PropClass::Field { .. } => false,
                    PropClass::Counter { .. } | PropClass::Mark { .. } => !own,
                    _ => true,
                }
            }
            ExprKind::GameProp(_)
            | ExprKind::InPlay(_)
            | ExprKind::EntitiesOf(_)
            | ExprKind::Contents(..)
            | ExprKind::Me
            | ExprKind::Opponents
            | ExprKind::Round
            | ExprKind::Flat(_)
            | ExprKind::Mover
            | ExprKind::Call(..)
            | ExprKind::CallLambda(..)
            | ExprKind::CallScript(..)
            | ExprKind::Can(..)
            | ExprKind::Targetable { .. }
            | ExprKind::Side(..)
            | ExprKind::Players => true,
            ExprKind::Builtin(builtin, _) => {
                let plain = matches!(builtin, Builtin::Smaller | Builtin::Larger | Builtin::Abs | Builtin::EnumIndex);
                !plain && !builtin.is_geometry()
            }
            _ => false,
        };
    });
    found
}
