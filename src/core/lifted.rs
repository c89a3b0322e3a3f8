//! Functions of sites that take sets: what they give of each member of a set, together, is what they give of the set. So
//! `some (near as s where some (group(s, own) & far))` is `some (group(near, own) & far)`, and no site is asked by itself. What is gathered
//! of those for which it is in a set, is in that set.

use super::term::{Each, Form, Term, Terms, Unary};
use super::whole::Whole;
use crate::model::rules::{BinaryOp, Builtin, CollectOp, Ty};

/// Whether a type is that of sets of sites.
pub fn is_sites(ty: &Ty) -> bool {
    matches!(ty.bare(), Ty::Set(item) if matches!(item.bare(), Ty::Site(_)))
}

/// `union f(it) of S`, or `some (S where some f(it))`, of a set of sites at once.
pub fn at_once(whole: &Whole, terms: &mut Terms, term: Term) -> Option<Term> {
    match *terms.form(term) {
        Form::Each(Each::Collect(CollectOp::Union), over, body) if is_sites(terms.ty(over)) => {
            if whole.can_fail(terms, term) {
                return None;
            }
            of_all(terms, over, body)
        }
        Form::Each(Each::Collect(CollectOp::Gather), over, body) => gathered_in(whole, terms, term, (over, body)),
        Form::Unary(Unary::Some, set) => {
            let Form::Each(Each::Where, over, cond) = *terms.form(set) else { return None };
            if !is_sites(terms.ty(over)) {
                return None;
            }
            // What else is asked leaves fewer of them.
            let parts = terms.joined(cond, true);
            let asked = parts.iter().position(|part| matches!(terms.form(*part), Form::Unary(Unary::Some, _)))?;
            let Form::Unary(Unary::Some, body) = *terms.form(parts[asked]) else { return None };
            if whole.can_fail(terms, term) {
                return None;
            }
            let rest = [&parts[..asked], &parts[asked + 1..]].concat();
            let span = terms.span(set);
            let over = terms.filtered(over, rest, span);
            let all = of_all(terms, over, body)?;
            let span = terms.span(term);
            Some(terms.make(Form::Unary(Unary::Some, all), Ty::Flag, span))
        }
        _ => None,
    }
}

/// What a term gives of each member of a set, together.
fn of_all(terms: &mut Terms, over: Term, body: Term) -> Option<Term> {
    let (ty, span) = (terms.ty(body).clone(), terms.span(body));
    if !is_sites(&ty) {
        return None;
    }
    let form = match terms.form(body).clone() {
        Form::Function(what @ (Builtin::Around | Builtin::Beside | Builtin::Group), args) => {
            let [of, others @ ..] = &args[..] else { return None };
            let of = match *terms.form(*of) {
                Form::Unary(Unary::ToSet, member) if *terms.form(member) == Form::Bound(0) => over,
                _ => of_all(terms, over, *of)?,
            };
            if others.iter().any(|other| terms.binds(*other)) {
                return None;
            }
            let others: Vec<Term> = others.iter().map(|other| terms.lifted(*other, -1, 0)).collect();
            Form::Function(what, [vec![of], others].concat())
        }
        Form::Binary(BinaryOp::Both, a, b) => match (terms.binds(a), terms.binds(b)) {
            (true, false) => Form::Binary(BinaryOp::Both, of_all(terms, over, a)?, terms.lifted(b, -1, 0)),
            (false, true) => Form::Binary(BinaryOp::Both, terms.lifted(a, -1, 0), of_all(terms, over, b)?),
            _ => return None,
        },
        Form::Binary(BinaryOp::Difference, a, b) if terms.binds(a) && !terms.binds(b) => {
            Form::Binary(BinaryOp::Difference, of_all(terms, over, a)?, terms.lifted(b, -1, 0))
        }
        Form::Binary(BinaryOp::Union, a, b) if terms.binds(a) && terms.binds(b) => {
            Form::Binary(BinaryOp::Union, of_all(terms, over, a)?, of_all(terms, over, b)?)
        }
        _ => return None,
    };
    Some(terms.make(form, ty, span))
}

/// `gather f(it) of (X where f(it) in S)`, of sites: what is in `gather f(it) of X` and in `S`.
fn gathered_in(whole: &Whole, terms: &mut Terms, term: Term, (over, body): (Term, Term)) -> Option<Term> {
    let Form::Each(Each::Where, all, cond) = *terms.form(over) else { return None };
    let parts = terms.joined(cond, true);
    if !is_sites(terms.ty(term)) || whole.can_fail(terms, term) {
        return None;
    }
    let (at, set) = parts.iter().enumerate().find_map(|(at, part)| match *terms.form(*part) {
        Form::In(member, set) if member == body && !terms.binds(set) => Some((at, set)),
        _ => None,
    })?;
    if terms.ty(set) != terms.ty(term) {
        return None;
    }
    let rest = [&parts[..at], &parts[at + 1..]].concat();
    let (ty, span) = (terms.ty(term).clone(), terms.span(term));
    let over = terms.filtered(all, rest, span);
    let gathered = terms.make(Form::Each(Each::Collect(CollectOp::Gather), over, body), ty.clone(), span);
    let set = terms.lifted(set, -1, 0);
    Some(terms.make(Form::Binary(BinaryOp::Both, gathered, set), ty, span))
}
