//! What `for VERB` leaves out of a choice: that of which a `cannot` would stop the call that follows. The call says which
//! argument is chosen here and what the others are; where one is chosen later, some candidate must do.

use super::body::Body;
use super::check::Checker;
use super::rules::{Builtin, Choose, Expr, ExprKind, LocalId, Qty, Stmt, StmtKind, Ty, VerbId};
use crate::base::{Code, Span};

impl Checker<'_> {
    /// Settles the choices of a block that are for a verb, from the last to the first.
    pub(super) fn settle_targets(&mut self, body: &mut Body, stmts: &mut [Stmt]) {
        for index in (0..stmts.len()).rev() {
            let (before, rest) = stmts.split_at_mut(index + 1);
            if let Some(StmtKind::Choose(choose)) = before.last_mut().map(|stmt| &mut stmt.kind) {
                self.settle_target(body, choose, &[], &[rest]);
            }
        }
    }

    /// Those of a gate.
    pub(super) fn settle_gate(&mut self, body: &mut Body, chooses: &mut [Choose], blocks: &[&[Stmt]]) {
        for index in (0..chooses.len()).rev() {
            let (before, later) = chooses.split_at_mut(index + 1);
            if let Some(choose) = before.last_mut() {
                self.settle_target(body, choose, later, blocks);
            }
        }
    }

    /// What a choice is for: the first call of the verb behind it that takes what is chosen.
    pub(super) fn settle_target(&mut self, body: &mut Body, choose: &mut Choose, later: &[Choose], rest: &[&[Stmt]]) {
        let (Some(verb), name, many) = (choose.for_verb, choose.local, !matches!(choose.qty, Qty::One)) else { return };
        let ExprKind::Where { binder, cond, .. } = &mut choose.domain.kind else { return };
        let ExprKind::Targetable { args, ignoring, .. } = &cond.kind else { return };
        let ignoring = ignoring.clone();
        let Some(candidate) = args.first().cloned().flatten() else { return };
        debug_assert!(candidate.is_local(*binder));
        let mut search = Search { verb, names: vec![(name, many)], bound: Vec::new() };
        later.iter().for_each(|choose| search.choice(choose));
        let Some(call) = rest.iter().find_map(|stmts| search.find(stmts)) else {
            return self.target_fits(verb, &candidate);
        };
        let unknown = |checker: &Checker<'_>, index: usize, span: Span| {
            let ty = checker.rules.verbs.get(verb.index()).and_then(|verb| verb.params.get(index));
            let ty = ty.map_or(Ty::Error, |param| param.ty.clone());
            let kind = if ty.is_many() { ExprKind::Empty } else { ExprKind::Nothing };
            Expr { kind, ty, span }
        };
        let args = call.iter().enumerate().map(|(index, arg)| {
            let arg = arg.as_ref()?;
            Some(search.settled(arg, &candidate).unwrap_or_else(|| unknown(self, index, arg.span)))
        });
        let (args, span) = (args.collect(), cond.span);
        let mut wanted = Expr { kind: ExprKind::Targetable { verb, args, ignoring }, ty: Ty::Flag, span };
        for found in search.bound.iter().rev() {
            let Bound::Choice(later) = found else { continue };
            if !wanted.mentions(later.local) {
                continue;
            }
            let element = later.domain.ty.element().clone();
            let Some(over) = search.settled(&later.domain, &candidate) else {
                // What can be chosen then cannot be said: whatever it is, it may do.
                let nothing = Expr { kind: ExprKind::Nothing, ty: element.maybe(), span };
                put(&mut wanted, later.local, &nothing);
                continue;
            };
            let binder = body.fresh(element.clone(), span);
            put(&mut wanted, later.local, &Expr { kind: ExprKind::Local(binder), ty: element, span });
            let kind = ExprKind::Any { over: Box::new(over), binder, cond: Box::new(wanted) };
            wanted = Expr { kind, ty: Ty::Flag, span };
        }
        **cond = wanted;
    }

    /// Where no call follows, what is chosen is the first argument.
    fn target_fits(&mut self, verb: VerbId, candidate: &Expr) {
        let Some(info) = self.rules.verbs.get(verb.index()) else { return };
        let (name, element) = (info.name.clone(), &candidate.ty);
        let Some(param) = info.params.first().map(|param| param.ty.clone()) else { return };
        if !self.fits(element, param.bare()) && !self.fits(param.bare(), element) {
            let (one, two) = (self.type_name(element), self.type_name(&param));
            self.error(Code::WrongType, candidate.span, format!("`{name}` takes {two}, and this chooses {one}"));
        }
    }
}

/// What is bound between a choice and the call that it is for.
enum Bound<'s> {
    /// One thing that is chosen.
    Choice(&'s Choose),
    Value(LocalId, &'s Expr),
    /// What cannot be said before.
    Later(LocalId),
}

struct Search<'s> {
    verb: VerbId,
    /// What is chosen, and its names in loops over it; whether it is a set.
    names: Vec<(LocalId, bool)>,
    bound: Vec<Bound<'s>>,
}

impl<'s> Search<'s> {
    fn choice(&mut self, choose: &'s Choose) {
        self.bound.push(match choose.qty {
            Qty::One => Bound::Choice(choose),
            Qty::Between(..) => Bound::Later(choose.local),
        });
    }

    fn later(&mut self, local: Option<LocalId>) {
        self.bound.extend(local.map(Bound::Later));
    }

    fn is_name(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::ToSet(inner) | ExprKind::ToList(inner) => self.is_name(inner),
            _ => self.names.iter().any(|(name, _)| expr.is_local(*name)),
        }
    }

    /// The arguments of the first call that takes what is chosen.
    fn find(&mut self, stmts: &'s [Stmt]) -> Option<&'s [Option<Expr>]> {
        stmts.iter().find_map(|stmt| self.look(stmt))
    }

    /// The same in a block of its own.
    fn within(&mut self, stmts: &'s [Stmt]) -> Option<&'s [Option<Expr>]> {
        let (names, bound) = (self.names.len(), self.bound.len());
        let found = self.find(stmts);
        if found.is_none() {
            self.names.truncate(names);
            self.bound.truncate(bound);
        }
        found
    }

    fn look(&mut self, stmt: &'s Stmt) -> Option<&'s [Option<Expr>]> {
        match &stmt.kind {
            StmtKind::Call { verb, args, .. } => {
                let takes = *verb == self.verb && args.iter().flatten().any(|arg| self.is_name(arg));
                takes.then_some(args.as_slice())
            }
            StmtKind::Choose(choose) => {
                self.choice(choose);
                None
            }
            StmtKind::Local { local, value } => {
                self.bound.push(Bound::Value(*local, value));
                None
            }
            StmtKind::Each { local, domain, body, .. } => {
                if self.is_name(domain) {
                    self.names.push((*local, false));
                } else {
                    self.later(Some(*local));
                }
                self.within(body)
            }
            StmtKind::EachSecret { local, choose, body, .. } => {
                self.later(Some(*local));
                self.later(Some(choose.local));
                self.within(body)
            }
            StmtKind::If { body, or_else, .. } => self.within(body).or_else(|| self.within(or_else)),
            StmtKind::Gate { chooses, pay, body, or_else, .. } => {
                let bound = self.bound.len();
                chooses.iter().for_each(|choose| self.choice(choose));
                let found = self.within(pay.as_deref().unwrap_or_default()).or_else(|| self.within(body));
                if found.is_some() {
                    return found;
                }
                self.bound.truncate(bound);
                self.within(or_else.as_deref().unwrap_or_default())
            }
            StmtKind::ChooseOption { arms, .. } => arms.iter().find_map(|arm| self.within(&arm.body)),
            StmtKind::Repeat { body, .. }
            | StmtKind::RepeatTimes { body, .. }
            | StmtKind::Turns { body, .. }
            | StmtKind::Phase { body, .. } => self.within(body),
            StmtKind::Offer(offer) => {
                self.later(Some(offer.maker));
                offer.terms.iter().for_each(|terms| self.later(Some(terms.local)));
                self.within(&offer.accepted).or_else(|| self.within(&offer.refused))
            }
            StmtKind::ChooseOrder { local, .. }
            | StmtKind::ChooseSplit { local, .. }
            | StmtKind::Roll { local, .. }
            | StmtKind::Random { local, .. } => {
                self.later(Some(*local));
                None
            }
            StmtKind::Move { local, .. } | StmtKind::Create { local, .. } => {
                self.later(*local);
                None
            }
            StmtKind::SetProp { .. }
            | StmtKind::SetGameProp { .. }
            | StmtKind::ChooseAction { .. }
            | StmtKind::Open { .. }
            | StmtKind::OpenAgain
            | StmtKind::Respond(_)
            | StmtKind::LeaveRepeat
            | StmtKind::LeaveSpan(_)
            | StmtKind::Stop
            | StmtKind::Link { .. }
            | StmtKind::Unlink { .. }
            | StmtKind::Shuffle { .. }
            | StmtKind::Reveal { .. }
            | StmtKind::Ensure { .. }
            | StmtKind::Requires { .. }
            | StmtKind::Arm { .. }
            | StmtKind::Do { .. }
            | StmtKind::Proceed { .. }
            | StmtKind::Win(_)
            | StmtKind::Lose(_)
            | StmtKind::DrawGame
            | StmtKind::EndGame
            | StmtKind::Settle
            | StmtKind::Note(_) => None,
        }
    }

    /// An expression as it is seen from the choice, where it can be said there.
    fn settled(&self, expr: &Expr, candidate: &Expr) -> Option<Expr> {
        let mut settled = expr.clone();
        for bound in self.bound.iter().rev() {
            if let Bound::Value(local, value) = bound {
                put(&mut settled, *local, value);
            }
        }
        for (name, many) in &self.names {
            let chosen = if *many {
                let ty = candidate.ty.bare().clone().set();
                Expr { kind: ExprKind::ToSet(Box::new(candidate.clone())), ty, span: candidate.span }
            } else {
                candidate.clone()
            };
            put(&mut settled, *name, &chosen);
        }
        let mut fine = true;
        settled.walk(&mut |part| {
            fine = fine
                && match &part.kind {
                    ExprKind::Local(local) => {
                        !self.bound.iter().any(|bound| matches!(bound, Bound::Later(later) if later == local))
                    }
                    // What lies on top is drawn once it is asked for.
                    ExprKind::Builtin(builtin, _) => *builtin != Builtin::Top,
                    _ => true,
                };
        });
        fine.then_some(settled)
    }
}

/// Puts an expression in the place of a local.
fn put(expr: &mut Expr, local: LocalId, value: &Expr) {
    if expr.is_local(local) {
        *expr = value.clone();
        return;
    }
    expr.each_part_mut(&mut |part| put(part, local, value));
}
