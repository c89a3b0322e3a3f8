//! What a choice says about a later one. `choose m in mine where some goals(it)`, then `choose g in goals(m)`, always finds a goal,
//! so that nothing has to be tried out; and where the first choice does not say so, it can: a candidate from which the second
//! choice has nothing to choose from is never offered, so `some goals(it)` is a filter that means the same.

use super::filters::take;
use super::lower::Lower;
use super::term::{Each, Form, Read, Term, Terms, Unary};
use super::whole::Whole;
use crate::model::rules::walk::each_block_mut;
use crate::model::rules::{
    BinaryOp, Builtin, Choose, CompareOp, Expr, ExprKind, Local, LocalId, Proc, ProcBody, ProcRole, Qty, Rules, Stmt,
    StmtKind, Ty,
};

/// Terms that are made at the most when definitions are looked into.
const MOST_TERMS: usize = 2_000;

/// Whether a set cannot be empty, because `chosen` was taken from a set whose filter says so. Both are read in the same position.
pub fn says_some(rules: &Rules, chosen: LocalId, from: &Expr, wanted: &Expr) -> bool {
    says_some_in(rules, chosen, (from, wanted), false)
}

/// The same where it may be known that no piece lies on another.
fn says_some_in(rules: &Rules, chosen: LocalId, (from, wanted): (&Expr, &Expr), flat: bool) -> bool {
    if let Some((cond, ..)) = cases(from).or_else(|| cases(wanted)) {
        let [from, wanted] = [from, wanted].map(|set| in_case(set, cond));
        return says_some_in(rules, chosen, (from.0, wanted.0), true)
            && says_some_in(rules, chosen, (from.1, wanted.1), flat);
    }
    let mut terms = Terms::default();
    let (from, wanted) = (Lower::new(&mut terms).expr(from), Lower::new(&mut terms).expr(wanted));
    let mut seen = Seen { rules, terms, chosen, left: MOST_TERMS, flat };
    let said = seen.said(from, wanted);
    let facts: Vec<_> = seen.facts(&said);
    let facts: Vec<_> = facts.into_iter().filter_map(|(prop, value)| Some((seen.opened(prop, &[])?, value))).collect();
    let Some(wanted) = seen.opened(wanted, &facts) else { return false };
    let wanted = seen.terms.listed(wanted);
    said.into_iter().any(|cond| match *seen.terms.form(cond) {
        Form::Unary(Unary::Some, set) => seen.opened(set, &facts).is_some_and(|set| seen.terms.listed(set) == wanted),
        _ => false,
    })
}

/// What something is where no piece lies on another, and where some do, with the condition, if it depends on that.
fn cases(expr: &Expr) -> Option<(&Expr, &Expr, &Expr)> {
    match &expr.kind {
        ExprKind::If(cond, yes, no) if super::flat::asks_flat(cond) => Some((cond, yes, no)),
        _ => None,
    }
}

/// What something is if a condition holds, and if not.
fn in_case<'e>(expr: &'e Expr, cond: &Expr) -> (&'e Expr, &'e Expr) {
    let is_same = |other: &Expr| {
        let mut terms = Terms::default();
        let [one, other] = [cond, other].map(|cond| Lower::new(&mut terms).expr(cond));
        one == other
    };
    match cases(expr) {
        Some((other, yes, no)) if is_same(other) => (yes, no),
        _ => (expr, expr),
    }
}

/// The terms of a choice and of a later one.
struct Seen<'r> {
    rules: &'r Rules,
    terms: Terms,
    chosen: LocalId,
    left: usize,
    /// Whether it is known that no piece lies on another.
    flat: bool,
}

impl Seen<'_> {
    /// `top(s)` of the site that was chosen, as it is asked for.
    fn top_of_chosen(&self, term: Term) -> Option<Term> {
        if let Form::Function(Builtin::TopOn, args) = self.terms.form(term)
            && *self.terms.form(args[0]) == Form::Local(self.chosen)
        {
            return Some(term);
        }
        self.terms.parts(term).into_iter().find_map(|(part, _)| self.top_of_chosen(part))
    }

    /// What is asked of a piece and its site, of a site and what lies on it.
    fn of_site(&mut self, cond: Term, top: Term) -> Term {
        self.terms.replaced(cond, 0, &mut |terms, term, depth| {
            if !terms.binds_in(term, depth) {
                return Some(term);
            }
            let is_piece = |term: Term| *terms.form(term) == Form::Bound(depth);
            match (terms.form(term), terms.form(top)) {
                _ if is_piece(term) => Some(top),
                (Form::Function(Builtin::SiteOf, args), Form::Function(_, site)) if is_piece(args[0]) => Some(site[0]),
                _ => None,
            }
        })
    }

    /// What holds of the member that was chosen.
    fn said(&mut self, from: Term, wanted: Term) -> Vec<Term> {
        let (mut from, mut said, mut on_top) = (from, Vec::new(), None);
        loop {
            match self.terms.form(from).clone() {
                Form::Unary(Unary::ToSet | Unary::ToList, inner) => from = inner,
                // Of a site it is said what is said of the piece there.
                Form::Function(Builtin::SitesOf, args) if self.flat && on_top.is_none() => {
                    on_top = self.top_of_chosen(wanted);
                    if on_top.is_none() {
                        return said;
                    }
                    from = args[0];
                }
                Form::Each(Each::Where, over, cond) if let Some(top) = on_top => {
                    for part in self.terms.joined(cond, true) {
                        let part = self.of_site(part, top);
                        said.push(self.terms.lifted(part, -1, 0));
                    }
                    from = over;
                }
                Form::Each(Each::Where, over, cond) => {
                    let (ty, span) = (self.terms.ty(over).element().clone(), self.terms.span(over));
                    let chosen = self.terms.make(Form::Local(self.chosen), ty, span);
                    for part in self.terms.joined(cond, true) {
                        said.push(self.terms.put_member(part, chosen, 0));
                    }
                    from = over;
                }
                Form::Call(..) => match self.opened_once(from) {
                    Some(body) => from = body,
                    None => return said,
                },
                _ => return said,
            }
        }
    }

    /// Properties of the member that are known to have a value: `owner` of what was taken from `pawn where owner = me`.
    fn facts(&self, said: &[Term]) -> Vec<(Term, Term)> {
        let known = |cond: &Term| {
            let Form::Compare(CompareOp::Eq, a, b) = *self.terms.form(*cond) else { return None };
            let is_prop = |term: Term| match self.terms.form(term) {
                Form::Read(Read::Prop(_), of) => matches!(
                    of.first().map(|of| self.terms.form(*of)),
                    Some(Form::Local(local)) if *local == self.chosen
                ),
                _ => false,
            };
            let is_plain = |term: Term| matches!(self.terms.form(term), Form::Ambient(_) | Form::Word(_));
            [(a, b), (b, a)].into_iter().find(|(prop, value)| is_prop(*prop) && is_plain(*value))
        };
        said.iter().filter_map(known).collect()
    }

    /// A definition's body in the place of its call.
    fn opened_once(&mut self, call: Term) -> Option<Term> {
        let Form::Call(proc, args) = self.terms.form(call).clone() else { return None };
        let proc = self.rules.procs.get(proc.index()).filter(|proc| proc.role != ProcRole::Memo)?;
        let ProcBody::Expr(body) = &proc.body else { return None };
        let body = Lower::new(&mut self.terms).expr(body);
        self.left = self.left.checked_sub(self.terms.size(body) as usize)?;
        Some(self.terms.put_args(body, &args))
    }

    /// A term with the bodies of definitions in the place of their calls, with what is known in the place of properties, and without
    /// what only types say of what may be missing; none if that gets too long.
    fn opened(&mut self, term: Term, facts: &[(Term, Term)]) -> Option<Term> {
        self.left = self.left.checked_sub(1)?;
        if let Some(body) = self.opened_once(term) {
            return self.opened(body, facts);
        }
        let mut parts = Vec::new();
        for (part, _) in self.terms.parts(term) {
            parts.push(self.opened(part, facts)?);
        }
        let made = self.terms.with_parts(term, parts);
        let (form, ty) = (self.terms.form(made).clone(), self.terms.ty(made).bare().clone());
        let made = self.terms.make(form, ty, self.terms.span(term));
        let made = self.ordered(made);
        Some(facts.iter().find(|(known, _)| *known == made).map_or(made, |(_, value)| *value))
    }

    /// A set as one way to say it: filters by other sets as set algebra, and what is joined or left out in one order.
    fn ordered(&mut self, term: Term) -> Term {
        if !matches!(self.terms.ty(term), Ty::Set(_)) {
            return term;
        }
        match *self.terms.form(term) {
            Form::Each(Each::Where, over, cond) => {
                let (mut over, mut rest) = (over, Vec::new());
                for part in self.terms.joined(cond, true) {
                    match self.member_of(part) {
                        Some((set, true)) => over = self.pair(term, BinaryOp::Both, over, set),
                        Some((set, false)) => over = self.pair(term, BinaryOp::Difference, over, set),
                        None => rest.push(part),
                    }
                }
                let over = self.ordered(over);
                let span = self.terms.span(cond);
                let cond = rest.into_iter().reduce(|a, b| self.terms.make(Form::And(a, b), Ty::Flag, span));
                match cond {
                    Some(cond) => self.again(term, Form::Each(Each::Where, over, cond)),
                    None => over,
                }
            }
            Form::Binary(op @ (BinaryOp::Union | BinaryOp::Both | BinaryOp::Difference), ..) => {
                let mut parts = Vec::new();
                self.sets_of(term, op, &mut parts);
                // What is left out may stand in any order, what it is left out of comes first.
                let from = usize::from(op == BinaryOp::Difference);
                parts[from..].sort_unstable();
                parts.into_iter().reduce(|a, b| self.pair(term, op, a, b)).unwrap_or(term)
            }
            _ => term,
        }
    }

    /// The sets that an operation joins, however they are put together.
    fn sets_of(&self, term: Term, op: BinaryOp, into: &mut Vec<Term>) {
        match *self.terms.form(term) {
            Form::Binary(of, a, b) if of == op => {
                self.sets_of(a, op, into);
                match op {
                    BinaryOp::Difference => into.push(b),
                    _ => self.sets_of(b, op, into),
                }
            }
            _ => into.push(term),
        }
    }

    /// The set of which a condition asks whether the member of its loop is in it, or is not.
    fn member_of(&mut self, cond: Term) -> Option<(Term, bool)> {
        let (cond, holds) = match *self.terms.form(cond) {
            Form::Unary(Unary::Not, inner) => (inner, false),
            _ => (cond, true),
        };
        let Form::In(member, set) = *self.terms.form(cond) else { return None };
        let own = matches!(self.terms.form(member), Form::Bound(0)) && matches!(self.terms.ty(set), Ty::Set(_));
        (own && !self.terms.binds(set)).then(|| (self.terms.lifted(set, -1, 0), holds))
    }

    fn pair(&mut self, like: Term, op: BinaryOp, a: Term, b: Term) -> Term {
        self.again(like, Form::Binary(op, a, b))
    }

    fn again(&mut self, like: Term, form: Form) -> Term {
        let (ty, span) = (self.terms.ty(like).clone(), self.terms.span(like));
        self.terms.make(form, ty, span)
    }
}

/// Whether a condition of no locals but its own is that there are some of a set.
pub fn asks_whether_some(cond: &Expr, set: &Expr) -> bool {
    let mut terms = Terms::default();
    let [cond, set] = [cond, set].map(|expr| Lower::new(&mut terms).expr(expr));
    matches!(*terms.form(cond), Form::Unary(Unary::Some, of) if terms.listed(of) == terms.listed(set))
}

/// Lets each choice of an action say that the choices behind it, which depend on it, have something to choose from.
pub fn ask_ahead(whole: &Whole<'_>, rules: &Rules, proc: &mut Proc) {
    let Proc { role: ProcRole::Action, locals, body: ProcBody::Block(stmts), .. } = proc else { return };
    in_block(whole, rules, locals, stmts);
}

fn in_block(whole: &Whole<'_>, rules: &Rules, locals: &mut Vec<Local>, stmts: &mut [Stmt]) {
    for stmt in stmts.iter_mut() {
        each_block_mut(stmt, &mut |body| in_block(whole, rules, locals, body));
    }
    for at in (0..stmts.len()).rev() {
        let (before, behind) = stmts.split_at_mut(at + 1);
        let Some(StmtKind::Choose(first)) = before.last_mut().map(|stmt| &mut stmt.kind) else { continue };
        if !is_plain(first) {
            continue;
        }
        let mut between = Vec::new();
        for stmt in behind {
            let StmtKind::Choose(later) = &stmt.kind else { break };
            if !is_plain(later) {
                break;
            }
            let domain = &later.domain;
            if domain.mentions(first.local)
                && domain.ty.is_many()
                && !matches!(domain.kind, ExprKind::Range(..))
                && !between.iter().any(|local| domain.mentions(*local))
                && !whole.expr_fails(domain)
                && is_algebra(rules, first.local, cases(domain).map_or(domain, |(_, yes, _)| yes))
                && !says_some(rules, first.local, &first.domain, domain)
            {
                take_some(first, domain, locals);
            }
            between.push(later.local);
        }
    }
}

/// Lets a choice take only what leaves some of a set; in each case, if one of them depends on whether pieces lie on each other.
fn take_some(first: &mut Choose, set: &Expr, locals: &mut Vec<Local>) {
    let Some((cond, ..)) = cases(&first.domain).or_else(|| cases(set)) else {
        let some = Expr { kind: ExprKind::Some(Box::new(set.clone())), ty: Ty::Flag, span: set.span };
        return take(first, &some, locals);
    };
    let (cond, span) = (cond.clone(), first.domain.span);
    let (froms, sets) = (in_case(&first.domain, &cond), in_case(set, &cond));
    let mut narrower = |from: &Expr, set: &Expr| {
        let mut choose = Choose { domain: from.clone(), ..first.clone() };
        take_some(&mut choose, set, locals);
        Box::new(choose.domain)
    };
    let kind = ExprKind::If(Box::new(cond), narrower(froms.0, sets.0), narrower(froms.1, sets.1));
    first.domain = Expr { kind, ty: first.domain.ty.clone(), span };
}

/// Whether what is chosen from is made by set algebra from the site of what was chosen before, and from sets that all candidates
/// have alike: it is then known of all candidates at once whether there is any. Else each is asked when it is looked at.
fn is_algebra(rules: &Rules, chosen: LocalId, domain: &Expr) -> bool {
    let mut terms = Terms::default();
    let domain = Lower::new(&mut terms).expr(domain);
    let mut seen = Seen { rules, terms, chosen, left: MOST_TERMS, flat: false };
    let Some(domain) = seen.opened(domain, &[]) else { return false };
    matches!(seen.terms.ty(domain), Ty::Set(item) if matches!(item.bare(), Ty::Site(_))) && seen.is_algebra(domain)
}

impl Seen<'_> {
    fn is_algebra(&self, term: Term) -> bool {
        let of_chosen = |term: Term| self.terms.has(term, &|form| *form == Form::Local(self.chosen));
        if !of_chosen(term) {
            return !self.terms.has(term, &|form| matches!(form, Form::Each(Each::Collect(_) | Each::Fold(_), ..)));
        }
        let here = match self.terms.form(term) {
            Form::Function(Builtin::SitesOf, args) => {
                return args.iter().all(|arg| match self.terms.form(*arg) {
                    Form::Each(Each::Where, over, cond) => {
                        let loops = |form: &Form| matches!(form, Form::Each(..) | Form::Function(..));
                        !of_chosen(*over) && !self.terms.has(*cond, &loops)
                    }
                    _ => false,
                });
            }
            Form::Function(Builtin::Step, args) => args.len() == 2,
            Form::Binary(op, ..) => matches!(op, BinaryOp::Union | BinaryOp::Both | BinaryOp::Difference),
            Form::Local(_)
            | Form::Unary(Unary::ToSet, _)
            | Form::Read(Read::Prop(_), _)
            | Form::Function(Builtin::Around | Builtin::SiteOf | Builtin::Rotate, _)
            | Form::Call(..)
            | Form::If(..)
            | Form::Compare(CompareOp::Eq, ..) => true,
            _ => false,
        };
        here && self.terms.parts(term).into_iter().all(|(part, _)| self.is_algebra(part))
    }
}

/// Whether who acts chooses one.
fn is_plain(choose: &Choose) -> bool {
    matches!(choose.qty, Qty::One) && choose.by.is_none()
}
