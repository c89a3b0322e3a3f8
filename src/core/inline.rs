//! Puts short definitions in the place of their calls where they are asked of the sites or directions that a loop goes through. What
//! comes of `count friends(it, p) > 2` is then the same as of `count (around(it) & stones(p)) > 2`, for all passes that follow and
//! for the shapes that the program stage makes sets of.
//!
//! Definitions that read nothing of the position stay: they are worked out once for each argument (`memo.rs`). So do those with
//! loops of their own: what does not depend on the members of a loop is worked out once before it, which is lost in a loop in a loop.

use super::lower::Lower;
use super::term::{Form, Term, Terms};
use super::whole::Whole;
use crate::model::rules::walk::each_expr;
use crate::model::rules::{ExprKind, Proc, ProcBody, ProcId, Ty};

/// How large an argument may be: it can stand in several places.
const LARGEST_ARGUMENT: u32 = 2;
/// How large a definition may be.
const LARGEST_BODY: u32 = 60;
/// How deeply definitions that call each other are followed.
const MOST_DEPTH: usize = 6;

/// Whether a loop of a procedure calls a definition.
pub fn calls_in_loops(proc: &Proc) -> bool {
    let mut found = false;
    each_expr(proc, &mut |expr| {
        if !found && expr.binder().is_some() {
            expr.walk(&mut |part| found |= matches!(part.kind, ExprKind::Call(..)));
        }
    });
    found
}

/// Puts definitions in the place of their calls.
pub struct Inline<'t, 'r> {
    whole: &'t Whole<'r>,
    terms: &'t mut Terms,
    depth: usize,
}

impl<'t, 'r> Inline<'t, 'r> {
    /// For terms of these rules.
    pub fn new(whole: &'t Whole<'r>, terms: &'t mut Terms) -> Inline<'t, 'r> {
        Inline { whole, terms, depth: 0 }
    }

    /// The term that means the same.
    pub fn term(&mut self, term: Term) -> Term {
        let parts = self.terms.parts(term).into_iter().map(|(part, _)| self.term(part)).collect();
        let term = self.terms.with_parts(term, parts);
        let Form::Call(proc, args) = self.terms.form(term).clone() else { return term };
        let Some(body) = self.opened(term, proc, &args) else { return term };
        self.depth += 1;
        let made = self.term(body);
        self.depth -= 1;
        made
    }

    fn opened(&mut self, call: Term, proc: ProcId, args: &[Term]) -> Option<Term> {
        let rules = self.whole.rules;
        let small = |terms: &Terms, arg: &Term| terms.size(*arg) <= LARGEST_ARGUMENT;
        let goes_through = |terms: &Terms, arg: &Term| {
            matches!(terms.ty(*arg).bare(), Ty::Site(_) | Ty::Direction(_)) && terms.innermost(*arg, 0).is_some()
        };
        let fits = self.depth < MOST_DEPTH
            && self.whole.opens(proc)
            && args.iter().all(|arg| small(self.terms, arg))
            && args.iter().any(|arg| goes_through(self.terms, arg))
            && self.whole.reads_play(self.terms, call);
        let ProcBody::Expr(body) = &rules.procs[proc.index()].body else { return None };
        if !fits {
            return None;
        }
        let mut loops = false;
        body.walk(&mut |part| loops |= part.binder().is_some());
        if loops {
            return None;
        }
        let body = Lower::new(self.terms).expr(body);
        (self.terms.size(body) <= LARGEST_BODY).then(|| self.terms.put_args(body, args))
    }
}
