//! What `for VERB` leaves out of a choice: that of which a `cannot` would stop the call that follows. The call says which
//! argument is chosen here and what the others are; where one is chosen later, some candidate must do.

use super::body::Body;
use super::check::Checker;
use super::rules::walk::each_block_mut;
use super::rules::{
    BinaryOp, Choose, ClauseKind, Expr, ExprKind, GroupId, HookEvent, LocalId, ProcBody, ProcRole, Qty, Rules, Stage,
    Stmt, StmtKind, Ty, VerbId,
};
use crate::base::{Code, Diagnostic, Span};

impl Checker<'_> {
    /// Settles the choices of a block that are for a verb, from the last to the first. Of several that an action's player chooses
    /// for one call an `ensure` asks whether nothing stops it.
    pub(super) fn settle_targets(&mut self, body: &mut Body, stmts: &mut Vec<Stmt>) {
        for index in (0..stmts.len()).rev() {
            let (before, rest) = stmts.split_at_mut(index + 1);
            let Some(StmtKind::Choose(choose)) = before.last_mut().map(|stmt| &mut stmt.kind) else { continue };
            self.settle_target(body, choose, &[], &[rest]);
            let recalled = body.irrevocable.is_none_or(|(before, _)| before.start >= choose.span.start);
            if body.role == ProcRole::Action && choose.by.is_none() && recalled {
                let (ty, span) = (choose.domain.ty.clone(), choose.span);
                let chosen = Expr { kind: ExprKind::Local(choose.local), ty, span };
                if let Some(cond) = self.of_whole(body, choose, &chosen, rest) {
                    stmts.insert(index + 1, Stmt { kind: StmtKind::Ensure { cond, reason: None }, span });
                }
            }
        }
    }

    /// What must hold of several that are chosen for one call.
    fn of_whole(&mut self, body: &mut Body, choose: &Choose, chosen: &Expr, rest: &[Stmt]) -> Option<Expr> {
        let ExprKind::Where { cond, .. } = &choose.domain.kind else { return None };
        let (_, ignoring) = taken_whole(choose)?;
        let mut search = Search::new(&self.rules, body, choose, (chosen, &ignoring), cond.span);
        search.find(rest)
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

    /// What a choice is for: the calls of the verb behind it that take what is chosen, each where the conditions around it hold.
    pub(super) fn settle_target(&mut self, body: &mut Body, choose: &mut Choose, later: &[Choose], rest: &[&[Stmt]]) {
        let Some(verb) = choose.for_verb else { return };
        let ExprKind::Where { binder, cond, .. } = &choose.domain.kind else { return };
        let ExprKind::Targetable { args, ignoring, .. } = &cond.kind else { return };
        let ignoring = ignoring.clone();
        let Some(candidate) = args.first().cloned().flatten() else { return };
        debug_assert!(candidate.is_local(*binder));
        let mut search = Search::new(&self.rules, body, choose, (&candidate, &ignoring), cond.span);
        later.iter().for_each(|choose| search.choice(choose));
        let wanted = rest.iter().find_map(|stmts| search.find(stmts));
        choose.for_whole = search.whole;
        match (wanted, &mut choose.domain.kind) {
            (Some(wanted), ExprKind::Where { cond, .. }) => **cond = wanted,
            _ => self.target_fits(verb, &candidate),
        }
    }

    /// Of several that are chosen for one call each was asked as if it alone were chosen. Where that says all there is to say, no more is
    /// asked; where the clauses ask of all of them together, only the whole is.
    pub(super) fn settle_wholes(&mut self) {
        let mut unasked = Vec::new();
        for index in 0..self.rules.procs.len() {
            if let ProcBody::Block(stmts) = &mut self.rules.procs[index].body {
                let mut stmts = std::mem::take(stmts);
                self.in_block(&mut stmts, &mut unasked);
                self.rules.procs[index].body = ProcBody::Block(stmts);
            }
        }
        for (verb, span) in unasked {
            let name = &self.rules.verbs[verb.index()].name;
            let message = format!("what `cannot {name}` asks of all that is chosen is not looked at here");
            let help = "choose in an `action`, where it is; or say in a `where` which ones may be chosen";
            self.report(Diagnostic::new(Code::WholeUnasked, span, message).help(help));
        }
    }

    fn in_block(&self, stmts: &mut Vec<Stmt>, unasked: &mut Vec<(VerbId, Span)>) {
        let mut index = 0;
        while index < stmts.len() {
            each_block_mut(&mut stmts[index], &mut |inner| self.in_block(inner, unasked));
            let asks = |choose: &mut Choose| {
                let (verb, together) = (choose.for_verb?, self.asks_together(choose)?);
                if together && let ExprKind::Where { over, .. } = &mut choose.domain.kind {
                    choose.domain =
                        std::mem::replace(over, Expr { kind: ExprKind::Empty, ty: Ty::Nothing, span: choose.span });
                }
                Some((verb, together))
            };
            let mut untried = |chooses: &mut [Choose]| {
                for choose in chooses {
                    let found = asks(choose).filter(|(_, together)| *together);
                    unasked.extend(found.map(|(verb, _)| (verb, choose.span)));
                }
            };
            match &mut stmts[index].kind {
                StmtKind::Choose(choose) => {
                    let asked = asks(choose);
                    let (local, span) = (choose.local, choose.span);
                    let whole = stmts.get(index + 1).is_some_and(|next| is_of_whole(next, local));
                    match asked {
                        Some((_, false)) if whole => _ = stmts.remove(index + 1),
                        Some((verb, true)) if !whole => unasked.push((verb, span)),
                        _ => {}
                    }
                }
                StmtKind::Gate { chooses, .. } => untried(chooses),
                StmtKind::EachSecret { choose, .. } => untried(std::slice::from_mut(&mut **choose)),
                _ => {}
            }
            index += 1;
        }
    }

    /// Whether what stops the call for which several are chosen asks more of them than of each by itself; nothing if the call does
    /// not take all of them.
    fn asks_together(&self, choose: &Choose) -> Option<bool> {
        let (verb, (args, _)) = (choose.for_verb?, taken_whole(choose)?);
        // Of none, no member is asked.
        let none = !matches!(&choose.qty, Qty::Between(low, _) if matches!(low.kind, ExprKind::Word(1..)));
        let asks = |clause: &super::rules::Clause| {
            let ClauseKind::Hook { stage: Stage::Cannot, event: HookEvent::Verb(of), cond, .. } = clause.kind else {
                return false;
            };
            let body = cond.and_then(|cond| self.rules.procs.get(cond.index())).map(|proc| &proc.body);
            of == verb
                && match body {
                    Some(ProcBody::Expr(cond)) => args.iter().any(|arg| !of_each(cond, LocalId(*arg as u32), none)),
                    _ => none,
                }
        };
        Some(self.rules.clauses.iter().any(asks))
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

/// Which arguments of the call for which several are chosen are all of them, and the rules that it ignores.
fn taken_whole(choose: &Choose) -> Option<(Vec<usize>, Vec<GroupId>)> {
    let ExprKind::Where { binder, cond, .. } = &choose.domain.kind else { return None };
    if !choose.for_whole || matches!(choose.qty, Qty::One) {
        return None;
    }
    let (mut found, mut ignored) = (Vec::new(), Vec::new());
    cond.walk(&mut |part| {
        let ExprKind::Targetable { args, ignoring, .. } = &part.kind else { return };
        let is_whole = |arg: &Expr| arg.bare().is_local(*binder);
        let all = args.iter().enumerate().filter(|(_, arg)| arg.as_ref().is_some_and(is_whole));
        found.extend(all.map(|(index, _)| index));
        ignored = ignoring.to_vec();
    });
    (!found.is_empty()).then_some((found, ignored))
}

/// Whether a statement asks what stops the call for which several are chosen.
fn is_of_whole(stmt: &Stmt, chosen: LocalId) -> bool {
    let StmtKind::Ensure { cond, .. } = &stmt.kind else { return false };
    let mut found = false;
    cond.walk(&mut |part| {
        let ExprKind::Targetable { args, .. } = &part.kind else { return };
        found |= args.iter().flatten().any(|arg| arg.mentions(chosen));
    });
    found
}

/// Whether a condition holds of a set exactly if it holds of one of its members; with `none`, also of an empty one.
fn of_each(cond: &Expr, set: LocalId, none: bool) -> bool {
    if !cond.mentions(set) {
        return !none;
    }
    match &cond.kind {
        ExprKind::Any { over, cond, .. } => over.is_local(set) && !cond.mentions(set),
        ExprKind::Some(some) => match &some.kind {
            ExprKind::Where { over, cond, .. } => over.is_local(set) && !cond.mentions(set),
            ExprKind::Binary(BinaryOp::Both, a, b) => {
                a.is_local(set) != b.is_local(set) && !(a.mentions(set) && b.mentions(set))
            }
            _ => false,
        },
        ExprKind::In(one, of) => of.is_local(set) && !one.mentions(set) && !one.ty.is_many(),
        ExprKind::Or(a, b) => of_each(a, set, none) && of_each(b, set, none),
        ExprKind::And(a, b) if a.mentions(set) => of_each(a, set, none) && !b.mentions(set),
        ExprKind::And(_, b) => of_each(b, set, none),
        _ => false,
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

struct Search<'s, 'b> {
    rules: &'b Rules,
    body: &'b mut Body,
    verb: VerbId,
    candidate: &'b Expr,
    ignoring: &'b [GroupId],
    span: Span,
    /// What is chosen, and its names in loops over it; whether it is a set.
    names: Vec<(LocalId, bool)>,
    bound: Vec<Bound<'s>>,
    /// Whether anything may change before the call.
    changed: bool,
    /// Whether the call may stand in the place of another, nobody knows when.
    branched: bool,
    /// Whether a call takes all that is chosen.
    whole: bool,
}

impl<'s, 'b> Search<'s, 'b> {
    /// For what is chosen, of which this is a member, or the whole.
    fn new(
        rules: &'b Rules,
        body: &'b mut Body,
        choose: &Choose,
        (candidate, ignoring): (&'b Expr, &'b [GroupId]),
        span: Span,
    ) -> Search<'s, 'b> {
        let names = vec![(choose.local, !matches!(choose.qty, Qty::One))];
        let verb = choose.for_verb.unwrap_or(VerbId(u32::MAX));
        Search {
            rules,
            body,
            verb,
            candidate,
            ignoring,
            span,
            names,
            bound: Vec::new(),
            changed: false,
            branched: false,
            whole: false,
        }
    }

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
        self.names.iter().any(|(name, _)| expr.bare().is_local(*name))
    }

    /// What must hold for the first call that takes what is chosen, or for those that stand in the place of each other.
    fn find(&mut self, stmts: &'s [Stmt]) -> Option<Expr> {
        stmts.iter().enumerate().find_map(|(index, stmt)| self.look(stmt, &stmts[index + 1..]))
    }

    /// The same in a block of its own.
    fn within(&mut self, stmts: &'s [Stmt]) -> Option<Expr> {
        let (names, bound) = (self.names.len(), self.bound.len());
        let found = self.find(stmts);
        self.names.truncate(names);
        self.close(bound);
        found
    }

    /// What is set in a block may be another value after it.
    fn close(&mut self, bound: usize) {
        let set = self.bound.drain(bound..).filter_map(|bound| match bound {
            Bound::Value(local, _) | Bound::Later(local) => Some(Bound::Later(local)),
            Bound::Choice(_) => None,
        });
        let set: Vec<_> = set.collect();
        self.bound.extend(set);
    }

    /// The same in blocks of which one runs, or none.
    fn in_each(&mut self, blocks: impl Iterator<Item = &'s [Stmt]>) -> Vec<Option<Expr>> {
        let (changed, bound) = (self.changed, self.bound.len());
        let (mut after, mut set) = (changed, Vec::new());
        let found = blocks.map(|block| {
            self.changed = changed;
            let found = self.within(block);
            after |= self.changed;
            set.extend(self.bound.drain(bound..));
            found
        });
        let found = found.collect();
        self.changed = after;
        self.bound.extend(set);
        found
    }

    /// What is chosen must do for one of several blocks.
    fn in_branches(&mut self, blocks: impl Iterator<Item = &'s [Stmt]>) -> Option<Expr> {
        let branched = std::mem::replace(&mut self.branched, true);
        let found = self.in_each(blocks);
        self.branched = branched;
        either(found.into_iter().flatten())
    }

    /// In the blocks of an `if`. Where its condition can be asked at the choice, it says for which of them what is chosen must do.
    fn in_if(&mut self, cond: &'s Expr, body: &'s [Stmt], or_else: &'s [Stmt], rest: &'s [Stmt]) -> Option<Expr> {
        let chosen = |search: &Self, cond: &Expr| {
            search.bound.iter().any(|bound| matches!(bound, Bound::Choice(later) if cond.mentions(later.local)))
        };
        let known = self.settled(cond).filter(|known| self.stays(cond) && !chosen(self, known));
        let Some(known) = known else { return self.in_branches([body, or_else].into_iter()) };
        let mut found = self.in_each([body, or_else].into_iter());
        let (no, yes) = (found.pop()?, found.pop()?);
        if yes.is_none() && no.is_none() {
            return None;
        }
        // Where one of the blocks has no call, the one that follows counts; if there is none, anything will do.
        let mut other = |found: Option<Expr>| {
            let found = found.or_else(|| self.find(rest));
            Box::new(found.unwrap_or_else(|| flag(ExprKind::Word(1), self.span)))
        };
        let (yes, no) = (other(yes), other(no));
        // What is chosen is there.
        let is_candidate = |of: &Expr| matches!(self.candidate.kind, ExprKind::Local(member) if of.is_local(member));
        let sure = matches!(&known.kind, ExprKind::Some(of) if is_candidate(of));
        Some(if sure { *yes } else { flag(ExprKind::If(Box::new(known), yes, no), self.span) })
    }

    /// What must hold for a call with these arguments: nothing stops it, whatever is chosen until then.
    fn wanted(&mut self, call: &'s [Option<Expr>]) -> Expr {
        let span = self.span;
        let settled = call.iter().map(|arg| arg.as_ref().map(|arg| self.settled(arg).ok_or(arg.span)));
        let settled: Vec<_> = settled.collect();
        let sure = self.sure(&settled);
        let params = self.rules.verbs.get(self.verb.index()).map_or(&[][..], |verb| &verb.params);
        let unknown = |index: usize, span: Span| {
            let ty = params.get(index).map_or(Ty::Error, |param| param.ty.clone());
            let kind = if ty.is_many() { ExprKind::Empty } else { ExprKind::Nothing };
            Expr { kind, ty, span }
        };
        let args = settled.into_iter().enumerate();
        let args = args.map(|(index, arg)| Some(arg?.unwrap_or_else(|span| unknown(index, span)))).collect();
        let kind = ExprKind::Targetable { verb: self.verb, args, sure, ignoring: self.ignoring.into() };
        let mut wanted = flag(kind, span);
        for found in self.bound.iter().rev() {
            let Bound::Choice(later) = found else { continue };
            if !wanted.mentions(later.local) {
                continue;
            }
            let element = later.domain.ty.element().clone();
            let Some(over) = self.settled(&later.domain) else {
                // What can be chosen then cannot be said: whatever it is, it may do.
                let nothing = Expr { kind: ExprKind::Nothing, ty: element.maybe(), span };
                wanted.put(later.local, &nothing);
                continue;
            };
            let binder = self.body.fresh(element.clone(), span);
            wanted.put(later.local, &Expr { kind: ExprKind::Local(binder), ty: element, span });
            wanted = flag(ExprKind::Any { over: Box::new(over), binder, cond: Box::new(wanted) }, span);
        }
        wanted
    }

    /// Which arguments of the call are now what they will be then, as bits.
    fn sure(&self, args: &[Option<Result<Expr, Span>>]) -> u64 {
        let Some(info) = self.rules.verbs.get(self.verb.index()).filter(|_| !self.branched) else { return 0 };
        let open = self.open();
        let mut sure = 0;
        for (index, (arg, param)) in args.iter().zip(&info.params).enumerate().take(64) {
            let known = match (arg, param.default.and_then(|default| self.rules.procs.get(default.index()))) {
                (Some(Ok(arg)), _) => self.stays(arg) && !open.iter().any(|local| arg.mentions(*local)),
                (Some(Err(_)), _) | (None, None) => false,
                (None, Some(default)) => match &default.body {
                    // A default names the arguments before it.
                    ProcBody::Expr(body) => {
                        let unsure = |before: usize| sure >> before & 1 == 0 && body.mentions(LocalId(before as u32));
                        self.stays(body) && !(0..index).any(unsure)
                    }
                    ProcBody::Block(_) => false,
                },
            };
            sure |= u64::from(known) << index;
        }
        sure
    }

    /// Whether an expression is at the choice what it is at the call.
    fn stays(&self, expr: &Expr) -> bool {
        let mut stays = true;
        expr.walk(&mut |part| stays = stays && (!self.changed || !reads(part)));
        stays
    }

    /// What is chosen later from what cannot be said now.
    fn open(&self) -> Vec<LocalId> {
        let chosen = self.bound.iter().filter_map(|bound| match bound {
            Bound::Choice(later) if self.settled(&later.domain).is_none() => Some(later.local),
            _ => None,
        });
        chosen.collect()
    }

    fn look(&mut self, stmt: &'s Stmt, rest: &'s [Stmt]) -> Option<Expr> {
        match &stmt.kind {
            StmtKind::Call { verb, args, .. } => {
                let takes = *verb == self.verb && args.iter().flatten().any(|arg| self.is_name(arg));
                let all = |arg: &Expr| self.names.iter().any(|(name, many)| *many && arg.bare().is_local(*name));
                self.whole |= takes && args.iter().flatten().any(all);
                self.changed |= !takes;
                takes.then(|| self.wanted(args))
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
            StmtKind::If { cond, body, or_else } => self.in_if(cond, body, or_else, rest),
            StmtKind::Gate { chooses, pay, body, or_else, .. } => {
                let bound = self.bound.len();
                chooses.iter().for_each(|choose| self.choice(choose));
                let found = self.within(pay.as_deref().unwrap_or_default()).or_else(|| self.within(body));
                self.close(bound);
                either(found.into_iter().chain(self.in_branches(or_else.as_deref().into_iter())))
            }
            StmtKind::ChooseOption { arms, .. } => self.in_branches(arms.iter().map(|arm| arm.body.as_slice())),
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
                self.in_branches([offer.accepted.as_slice(), &offer.refused].into_iter())
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
    fn settled(&self, expr: &Expr) -> Option<Expr> {
        let candidate = self.candidate;
        let mut settled = expr.clone();
        for bound in self.bound.iter().rev() {
            match bound {
                Bound::Value(local, value) => settled.put(*local, value),
                Bound::Later(local) if settled.mentions(*local) => return None,
                Bound::Later(_) | Bound::Choice(_) => {}
            }
        }
        for (name, many) in &self.names {
            let chosen = if *many && !candidate.ty.is_many() {
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

/// That one of several conditions holds, if there are any.
fn either(conds: impl Iterator<Item = Expr>) -> Option<Expr> {
    conds.reduce(|a, b| {
        let span = a.span;
        flag(ExprKind::Or(Box::new(a), Box::new(b)), span)
    })
}

fn flag(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, ty: Ty::Flag, span }
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
