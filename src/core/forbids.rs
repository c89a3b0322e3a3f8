//! What a choice `for VERB` leaves out, as the conditions of the rules that forbid it: with `cannot lay c where c not in playable(me)`,
//! `choose c in me.hand for lay` means `choose c in me.hand where not (it not in playable(me))`. It is done where rules alone forbid
//! the verb, and their conditions speak of nothing but the arguments and who acts. What cards forbid, or what is armed, is asked
//! of each candidate while the game runs.

use super::lower::Lower;
use super::term::{Ambient, Form, Term, Terms, Unary};
use super::whole::{Sure, Whole};
use crate::model::rules::walk::each_expr;
use crate::model::rules::{
    Clause, ClauseHome, ClauseKind, ExprKind, GroupId, HookEvent, LocalId, Proc, ProcBody, ProcId, Rules, Stage, Ty,
    VerbId,
};

/// Whether a procedure asks what is forbidden.
pub fn asks(proc: &Proc) -> bool {
    let mut found = false;
    each_expr(proc, &mut |expr| found |= matches!(expr.kind, ExprKind::Targetable { .. }));
    found
}

/// Puts what forbids verbs into the terms of a procedure.
pub struct Forbids<'t> {
    rules: &'t Rules,
    whole: &'t Whole<'t>,
    terms: &'t mut Terms,
    sure: &'t Sure,
    /// Of the loops around, whether each goes through a set, the innermost last: what is in a set is there.
    sets: Vec<bool>,
}

impl<'t> Forbids<'t> {
    /// For terms of one site.
    pub fn new(rules: &'t Rules, whole: &'t Whole<'t>, terms: &'t mut Terms, sure: &'t Sure) -> Forbids<'t> {
        Forbids { rules, whole, terms, sure, sets: Vec::new() }
    }

    /// The term that means the same.
    pub fn term(&mut self, term: Term) -> Term {
        let form = self.terms.form(term).clone();
        let over = match form {
            Form::Each(_, over, _) => matches!(self.terms.ty(over), Ty::Set(_)),
            _ => false,
        };
        let parts = self.terms.parts(term);
        let parts = parts.into_iter().map(|(part, bound)| {
            self.sets.extend((0..bound).map(|_| over));
            let part = self.term(part);
            self.sets.truncate(self.sets.len() - bound as usize);
            part
        });
        let parts = parts.collect();
        let made = self.terms.with_parts(term, parts);
        match self.terms.form(made).clone() {
            Form::Targetable(verb, args, sure, ignoring) => {
                self.allowed(made, verb, &args, sure, &ignoring).unwrap_or(made)
            }
            _ => made,
        }
    }

    /// That nothing forbids a verb with these arguments.
    fn allowed(
        &mut self,
        like: Term,
        verb: VerbId,
        args: &[Option<Term>],
        sure: u64,
        ignoring: &[GroupId],
    ) -> Option<Term> {
        let rules = self.rules;
        if rules.entries.iter().any(|entry| !entry.supersedes.is_empty()) {
            return None;
        }
        let needs = |index: usize| sure.checked_shr(index as u32).is_some_and(|rest| rest & 1 == 1);
        let (mut given, mut there): (Vec<Option<Term>>, Vec<Term>) = (Vec::new(), Vec::new());
        for (index, param) in rules.verbs[verb.index()].params.iter().enumerate() {
            let arg = args.get(index).copied().flatten().filter(|arg| *self.terms.form(*arg) != Form::Nothing);
            if needs(index)
                && !matches!(param.ty, Ty::Maybe(_) | Ty::Lambda(..))
                && !param.ty.is_many()
                && !arg.is_some_and(|arg| self.is_there(arg))
            {
                // What may be missing is asked for.
                let arg = arg.filter(|arg| self.is_fresh(like, *arg))?;
                if !self.whole.is_value(self.terms, arg, self.sure) {
                    there.push(self.flag(like, Form::Unary(Unary::Some, arg)));
                }
            }
            // What a default says is left to the engine.
            if arg.is_none() && param.default.is_some() {
                return None;
            }
            given.push(arg);
        }
        let mut allowed = there.into_iter().reduce(|a, b| self.flag(like, Form::And(a, b)));
        for (clause, cond) in rules.clauses.iter().filter_map(|clause| Some((clause, forbids(clause, verb)?))) {
            let ClauseHome::Rule(group) = clause.home else { return None };
            if ignoring.contains(&group) {
                continue;
            }
            let mut conds = Vec::new();
            for proc in rules.groups[group.index()].when.iter().chain(cond) {
                match self.said(*proc, &given)? {
                    Some(cond) => conds.push(cond),
                    // It names an argument that is not known yet, and is not asked.
                    None => conds.push(self.flag(like, Form::Word(0))),
                }
            }
            let forbidden = conds.into_iter().reduce(|a, b| self.flag(like, Form::And(a, b)));
            let forbidden = forbidden.unwrap_or_else(|| self.flag(like, Form::Word(1)));
            let not = self.flag(like, Form::Unary(Unary::Not, forbidden));
            allowed = Some(allowed.map_or(not, |allowed| self.flag(like, Form::And(allowed, not))));
        }
        Some(allowed.unwrap_or_else(|| self.flag(like, Form::Word(1))))
    }

    /// A condition about arguments, where it can be said here; none if one of them is not known.
    fn said(&mut self, proc: ProcId, args: &[Option<Term>]) -> Option<Option<Term>> {
        let ProcBody::Expr(body) = &self.rules.procs[proc.index()].body else { return None };
        let body = Lower::new(self.terms).expr(body);
        let asked = |local: LocalId| args.get(local.index()).is_some_and(Option::is_some);
        let strange = self.terms.has(body, &|form| {
            let Form::Ambient(of) = form else { return false };
            matches!(of, Ambient::This | Ambient::Mover | Ambient::Source | Ambient::Cause | Ambient::Changed)
        });
        if strange {
            return None;
        }
        let known = !self.terms.has(body, &|form| matches!(form, Form::Local(local) if !asked(*local)));
        if !known {
            return Some(None);
        }
        let like = body;
        let args: Vec<Term> = args.iter().map(|arg| arg.unwrap_or(like)).collect();
        let body = self.of_actor(body);
        Some(Some(self.terms.put_args(body, &args)))
    }

    /// Who acts in the event is who chooses.
    fn of_actor(&mut self, term: Term) -> Term {
        if *self.terms.form(term) == Form::Ambient(Ambient::Actor) {
            let (ty, span) = (self.terms.ty(term).clone(), self.terms.span(term));
            return self.terms.make(Form::Ambient(Ambient::Me), ty, span);
        }
        let parts = self.terms.parts(term).into_iter().map(|(part, _)| self.of_actor(part)).collect();
        self.terms.with_parts(term, parts)
    }

    /// Whether an argument is not missing and has not gone.
    fn is_there(&self, arg: Term) -> bool {
        match self.terms.form(arg) {
            Form::Bound(index) => {
                let at = self.sets.len().checked_sub(*index as usize + 1);
                at.and_then(|at| self.sets.get(at)).copied().unwrap_or(false)
            }
            _ => !matches!(self.terms.ty(arg).bare(), Ty::Entity(_)) && self.whole.is_value(self.terms, arg, self.sure),
        }
    }

    /// Whether an argument has a name that was given before anything changed, and nothing has where it is asked.
    fn is_fresh(&self, asked: Term, arg: Term) -> bool {
        let at = self.terms.span(asked);
        let before = self.sure.changes.is_none_or(|change| change.file == at.file && at.end <= change.start);
        before && matches!(self.terms.form(arg), Form::Local(local) if self.sure.fresh.contains(local))
    }

    fn flag(&mut self, like: Term, form: Form) -> Term {
        let span = self.terms.span(like);
        self.terms.make(form, Ty::Flag, span)
    }
}

/// The condition with which a clause forbids a verb, if it does; none if always.
fn forbids(clause: &Clause, verb: VerbId) -> Option<Option<&ProcId>> {
    match &clause.kind {
        ClauseKind::Hook { event: HookEvent::Verb(on), stage: Stage::Cannot, cond, .. } if *on == verb => {
            Some(cond.as_ref())
        }
        _ => None,
    }
}
