//! What `for VERB` leaves out of a choice: that of which a `cannot` would stop the call that follows. The call says which
//! argument is chosen here and what the others are; where one is chosen later, some candidate must do.

use super::body::Body;
use super::check::Checker;
use super::rules::{Choose, Expr, ExprKind, LocalId, ProcBody, Qty, Stmt, StmtKind, Ty, VerbId};
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
        let mut search = Search { verb, names: vec![(name, many)], bound: Vec::new(), changed: false, branched: false };
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
        let settled: Vec<_> =
            call.iter().map(|arg| arg.as_ref().map(|arg| search.settled(arg, &candidate).ok_or(arg.span))).collect();
        let sure = self.sure(verb, &search, &settled, &candidate);
        let args = settled
            .into_iter()
            .enumerate()
            .map(|(index, arg)| Some(arg?.unwrap_or_else(|span| unknown(self, index, span))));
        let (args, span) = (args.collect(), cond.span);
        let mut wanted = Expr { kind: ExprKind::Targetable { verb, args, sure, ignoring }, ty: Ty::Flag, span };
        for found in search.bound.iter().rev() {
            let Bound::Choice(later) = found else { continue };
            if !wanted.mentions(later.local) {
                continue;
            }
            let element = later.domain.ty.element().clone();
            let Some(over) = search.settled(&later.domain, &candidate) else {
                // What can be chosen then cannot be said: whatever it is, it may do.
                let nothing = Expr { kind: ExprKind::Nothing, ty: element.maybe(), span };
                wanted.put(later.local, &nothing);
                continue;
            };
            let binder = body.fresh(element.clone(), span);
            wanted.put(later.local, &Expr { kind: ExprKind::Local(binder), ty: element, span });
            let kind = ExprKind::Any { over: Box::new(over), binder, cond: Box::new(wanted) };
            wanted = Expr { kind, ty: Ty::Flag, span };
        }
        **cond = wanted;
    }

    /// Which arguments of the call are now what they will be then, as bits.
    fn sure(&self, verb: VerbId, search: &Search<'_>, args: &[Option<Result<Expr, Span>>], candidate: &Expr) -> u64 {
        let Some(info) = self.rules.verbs.get(verb.index()).filter(|_| !search.branched) else { return 0 };
        let open = search.open(candidate);
        let mut sure = 0;
        for (index, (arg, param)) in args.iter().zip(&info.params).enumerate().take(64) {
            let known = match (arg, param.default.and_then(|default| self.rules.procs.get(default.index()))) {
                (Some(Ok(arg)), _) => search.stays(arg) && !open.iter().any(|local| arg.mentions(*local)),
                (Some(Err(_)), _) | (None, None) => false,
                (None, Some(default)) => match &default.body {
                    // A default names the arguments before it.
                    ProcBody::Expr(body) => {
                        let unsure = |before: usize| sure >> before & 1 == 0 && body.mentions(LocalId(before as u32));
                        search.stays(body) && !(0..index).any(unsure)
                    }
                    ProcBody::Block(_) => false,
                },
            };
            sure |= u64::from(known) << index;
        }
        sure
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
    /// Whether anything may change before the call.
    changed: bool,
    /// Whether the call may stand in the place of another.
    branched: bool,
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
            // What is set in the block may be another value after it.
            let set = self.bound.drain(bound..).filter_map(|bound| match bound {
                Bound::Value(local, _) => Some(Bound::Later(local)),
                Bound::Choice(_) | Bound::Later(_) => None,
            });
            let set: Vec<_> = set.collect();
            self.bound.extend(set);
        }
        found
    }

    /// In one of several blocks of which not every one runs.
    fn in_branch(&mut self, stmts: &'s [Stmt]) -> Option<&'s [Option<Expr>]> {
        let found = self.within(stmts);
        self.branched |= found.is_some();
        found
    }

    /// Whether an expression is at the choice what it is at the call.
    fn stays(&self, expr: &Expr) -> bool {
        let mut stays = true;
        expr.walk(&mut |part| stays = stays && (!self.changed || !reads(part)));
        stays
    }

    /// What is chosen later from what cannot be said now.
    fn open(&self, candidate: &Expr) -> Vec<LocalId> {
        let chosen = self.bound.iter().filter_map(|bound| match bound {
            Bound::Choice(later) if self.settled(&later.domain, candidate).is_none() => Some(later.local),
            _ => None,
        });
        chosen.collect()
    }

    fn look(&mut self, stmt: &'s Stmt) -> Option<&'s [Option<Expr>]> {
        match &stmt.kind {
            StmtKind::Call { verb, args, .. } => {
                let takes = *verb == self.verb && args.iter().flatten().any(|arg| self.is_name(arg));
                self.changed |= !takes;
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
            StmtKind::If { body, or_else, .. } => self.in_branch(body).or_else(|| self.in_branch(or_else)),
            StmtKind::Gate { chooses, pay, body, or_else, .. } => {
                let bound = self.bound.len();
                chooses.iter().for_each(|choose| self.choice(choose));
                let found = self.within(pay.as_deref().unwrap_or_default()).or_else(|| self.within(body));
                if found.is_some() {
                    return found;
                }
                self.bound.truncate(bound);
                self.in_branch(or_else.as_deref().unwrap_or_default())
            }
            StmtKind::ChooseOption { arms, .. } => arms.iter().find_map(|arm| self.in_branch(&arm.body)),
            StmtKind::Repeat { body, .. }
            | StmtKind::RepeatTimes { body, .. }
            | StmtKind::Turns { body, .. }
            | StmtKind::Phase { body, .. } => {
                // A later time round finds what an earlier one has changed.
                self.changed = true;
                self.within(body)
            }
            StmtKind::Offer(offer) => {
                self.later(Some(offer.maker));
                offer.terms.iter().for_each(|terms| self.later(Some(terms.local)));
                self.in_branch(&offer.accepted).or_else(|| self.in_branch(&offer.refused))
            }
            StmtKind::ChooseOrder { local, .. } | StmtKind::ChooseSplit { local, .. } => {
                self.later(Some(*local));
                None
            }
            StmtKind::Roll { local, .. } | StmtKind::Random { local, .. } => {
                self.changed = true;
                self.later(Some(*local));
                None
            }
            StmtKind::Move { local, .. } | StmtKind::Create { local, .. } => {
                self.changed = true;
                self.later(*local);
                None
            }
            StmtKind::Ensure { .. } | StmtKind::Requires { .. } | StmtKind::Note(_) => None,
            // Whatever else is done may change what the call finds.
            _ => {
                self.changed = true;
                None
            }
        }
    }

    /// An expression as it is seen from the choice, where it can be said there.
    fn settled(&self, expr: &Expr, candidate: &Expr) -> Option<Expr> {
        let mut settled = expr.clone();
        for bound in self.bound.iter().rev() {
            match bound {
                Bound::Value(local, value) => settled.put(*local, value),
                Bound::Later(local) if settled.mentions(*local) => return None,
                Bound::Later(_) | Bound::Choice(_) => {}
            }
        }
        for (name, many) in &self.names {
            let chosen = if *many {
                let ty = candidate.ty.bare().clone().set();
                Expr { kind: ExprKind::ToSet(Box::new(candidate.clone())), ty, span: candidate.span }
            } else {
                candidate.clone()
            };
            settled.put(*name, &chosen);
        }
        let mut fine = true;
        settled.walk(&mut |part| {
            fine = fine
                && match &part.kind {
                    // What lies on top is drawn once it is asked for.
                    ExprKind::Builtin(builtin, _) => !builtin.is_of_pile(),
                    _ => true,
                };
        });
        fine.then_some(settled)
    }
}

/// Whether what is asked here depends on the state of the game, apart from what stands in locals.
fn reads(part: &Expr) -> bool {
    !matches!(
        part.kind,
        ExprKind::Word(_)
            | ExprKind::Nothing
            | ExprKind::Empty
            | ExprKind::Local(_)
            | ExprKind::Me
            | ExprKind::This
            | ExprKind::Seat(_)
            | ExprKind::Option(_)
            | ExprKind::ToSet(_)
            | ExprKind::ToList(_)
            | ExprKind::List(_)
            | ExprKind::Not(_)
            | ExprKind::Negate(_)
            | ExprKind::Count(_)
            | ExprKind::Some(_)
            | ExprKind::Binary(..)
            | ExprKind::Compare(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::In(..)
            | ExprKind::If(..)
    )
}
