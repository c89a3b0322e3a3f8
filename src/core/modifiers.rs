//! Makes a part of a stat's formula of what modifies it: with `stat might: number = power` and `modify might of this by plus` in the
//! kind `beast`, the formula is `power + (if this in beast then plus else 0)`, and an aura, `modify might of this.host by 2`, adds
//! `sum 2 of (charm where host = this)`. So a stat costs the same whoever says what it is.
//!
//! It is done where numbers or members of a set are added (`by`): then it does not matter in which order. Of sets the union is
//! made. What sets a stat (`to`) is done only where kinds say it of what they are themselves, `modify ways of this to beside(site(this))`,
//! and nothing is of two of these kinds. What is armed, and
//! what single definitions say, is looked for while the game runs: most of them are not in play, and then cost nothing.

use super::loop_names;
use super::lower::Lower;
use super::raise::Raise;
use super::term::{Ambient, Each, Form, Read, Term, Terms, Unary};
use super::whole::{Sure, Whole};
use crate::base::Span;
use crate::model::rules::{
    BinaryOp, BuiltinProp, Clause, ClauseHome, ClauseKind, CollectOp, CompareOp, Expr, ExprKind, FoldOp, KindId,
    ProcBody, ProcId, PropClass, PropId, PropOwner, Rules, Ty,
};

/// The rules with modifiers in formulas; none if there are none.
pub fn fold(rules: &Rules) -> Option<Rules> {
    if !rules.clauses.iter().any(|clause| matches!(clause.kind, ClauseKind::Modify { .. }) && is_known(clause)) {
        return None;
    }
    let whole = Whole::new(rules);
    let mut made: Option<Rules> = None;
    for (index, prop) in rules.props.iter().enumerate() {
        let PropClass::Stat { formula } = prop.class else { continue };
        let subject = match prop.owner {
            PropOwner::Player => Ty::Player,
            PropOwner::Kind(kind) => Ty::Entity(kind),
            PropOwner::Game => continue,
        };
        let ProcBody::Expr(body) = &rules.procs[formula.index()].body else { continue };
        let clauses = foldable(rules, PropId(index as u32));
        if !matches!(prop.ty, Ty::Number | Ty::Set(_)) || clauses.is_empty() {
            continue;
        }
        let mut terms = Terms::default();
        let mut sum = Lower::new(&mut terms).expr(body);
        let mut folded = Vec::new();
        for clause in clauses {
            let (subject, span) = (subject.clone(), body.span);
            let mut fold = Fold { rules, whole: &whole, terms: &mut terms, subject, ty: &prop.ty, span };
            if sets(&rules.clauses[clause]) {
                // INVARIANT: those that set it come first, and if one of them cannot be folded, none is.
                let Some(set) = fold.set(&rules.clauses[clause], sum) else {
                    folded.clear();
                    break;
                };
                sum = set;
                folded.push(clause);
            } else if let Some(added) = fold.added(&rules.clauses[clause]) {
                let op = if prop.ty == Ty::Number { BinaryOp::Add } else { BinaryOp::Union };
                sum = fold.value(Form::Binary(op, sum, added));
                folded.push(clause);
            }
        }
        if folded.is_empty() {
            continue;
        }
        let made = made.get_or_insert_with(|| rules.clone());
        folded.into_iter().for_each(|clause| made.clauses[clause].folded = true);
        let proc = &mut made.procs[formula.index()];
        let (names, own) = (loop_names(proc), proc.locals.len());
        proc.body = ProcBody::Expr(Raise::new(&terms, &mut proc.locals, &names, own).expr(sum));
    }
    made
}

/// The clauses that may stand in the formula of a stat.
fn foldable(rules: &Rules, of: PropId) -> Vec<usize> {
    let modifies = |clause: &Clause| matches!(clause.kind, ClauseKind::Modify { stat, .. } if stat == of);
    let all: Vec<usize> = (0..rules.clauses.len()).filter(|clause| modifies(&rules.clauses[*clause])).collect();
    let (setting, adding): (Vec<usize>, Vec<usize>) = all.into_iter().partition(|clause| sets(&rules.clauses[*clause]));
    let kinds: Option<Vec<KindId>> = setting
        .iter()
        .map(|clause| match rules.clauses[*clause].home {
            ClauseHome::Kind(kind) => Some(kind),
            _ => None,
        })
        .collect();
    let related = |one: &KindId, other: &KindId| rules.is_below(*one, *other) || rules.is_below(*other, *one);
    let apart = |kinds: &Vec<KindId>| {
        (0..kinds.len()).all(|at| !kinds[at + 1..].iter().any(|other| related(&kinds[at], other)))
    };
    if !kinds.is_some_and(|kinds| apart(&kinds)) {
        return Vec::new();
    }
    setting.into_iter().chain(adding.into_iter().filter(|clause| is_known(&rules.clauses[*clause]))).collect()
}

/// Whether a clause says what a stat is, and not what is added to it.
fn sets(clause: &Clause) -> bool {
    matches!(clause.kind, ClauseKind::Modify { to: true, .. })
}

/// Whether it is known before play what has a clause.
fn is_known(clause: &Clause) -> bool {
    matches!(clause.home, ClauseHome::Rule(_) | ClauseHome::Kind(_))
}

struct Fold<'t> {
    rules: &'t Rules,
    whole: &'t Whole<'t>,
    terms: &'t mut Terms,
    /// The type of what has the stat, and that of the stat.
    subject: Ty,
    ty: &'t Ty,
    span: Span,
}

/// What is said of a clause in terms, with what is `this` and `me` in it.
struct Said {
    /// Whom it modifies.
    of: Term,
    by: Term,
    when: Option<Term>,
}

impl Fold<'_> {
    fn said(&mut self, clause: &Clause) -> Option<Said> {
        let ClauseKind::Modify { of, value, when, .. } = clause.kind else { return None };
        let when = match when {
            Some(when) => Some(self.body(when)?),
            None => None,
        };
        Some(Said { of: self.body(of)?, by: self.body(value)?, when })
    }

    /// What the stat of `this` is with a clause of a kind that says so of what is of the kind.
    fn set(&mut self, clause: &Clause, formula: Term) -> Option<Term> {
        let ClauseHome::Kind(kind) = clause.home else { return None };
        let said = self.said(clause)?;
        let said = self.standing(kind, said)?;
        if !self.is_this(said.of) {
            return None;
        }
        self.is_sound(&[said.by], &[said.when], said.by)?;
        let bears = self.bears(kind);
        let cond = said.when.map_or(bears, |when| self.flag(Form::And(bears, when)));
        Some(self.value(Form::If(cond, said.by, formula)))
    }

    /// Whether `this` is in play, and of a kind.
    fn bears(&mut self, kind: KindId) -> Term {
        let in_play = self.terms.make(Form::Read(Read::InPlay(kind), Vec::new()), Ty::Entity(kind).set(), self.span);
        let this = self.this();
        self.flag(Form::In(this, in_play))
    }

    /// What a clause adds to the stat of `this`.
    fn added(&mut self, clause: &Clause) -> Option<Term> {
        let said = self.said(clause)?;
        match clause.home {
            ClauseHome::Rule(group) => {
                let stands = match self.rules.groups[group.index()].when {
                    Some(when) => Some(self.body(when)?),
                    None => None,
                };
                let whom = self.is_whom(said.of);
                self.is_sound(&[said.of, said.by], &[stands, said.when], said.by)?;
                let conds = stands.into_iter().chain([whom]).chain(said.when).collect();
                Some(self.where_all(conds, said.by))
            }
            ClauseHome::Kind(kind) => self.by_cards(kind, said),
            ClauseHome::Entry(_) | ClauseHome::Armed => None,
        }
    }

    /// What cards in play add, each that bears the clause.
    fn by_cards(&mut self, kind: KindId, said: Said) -> Option<Term> {
        let said = self.standing(kind, said)?;
        let cards = Ty::Entity(kind).set();
        let in_play = self.terms.make(Form::Read(Read::InPlay(kind), Vec::new()), cards.clone(), self.span);
        let card = self.terms.make(Form::Bound(0), Ty::Entity(kind), self.span);
        if self.is_this(said.of) {
            let (by, when) = (self.put(said.by, card, None), said.when.map(|when| self.put(when, card, None)));
            self.is_sound(&[by], &[when], by)?;
            let bears = self.bears(kind);
            return Some(self.where_all([bears].into_iter().chain(said.when).collect(), said.by));
        }
        // Where it modifies who holds it, `me` is this player; else who holds the card.
        let holder = self.holder(card);
        let of_holder = self.subject == Ty::Player && *self.terms.form(said.of) == Form::Ambient(Ambient::Me);
        let me = (!of_holder).then_some(holder);
        if me.is_some()
            && [Some(said.of), Some(said.by), said.when].into_iter().flatten().any(|part| self.calls_me(part))
        {
            return None;
        }
        let whom = match of_holder {
            true => {
                let this = self.this();
                self.flag(Form::Compare(CompareOp::Eq, holder, this))
            }
            false => {
                let of = self.put(said.of, card, me);
                self.is_whom(of)
            }
        };
        let (by, when) = (self.put(said.by, card, me), said.when.map(|when| self.put(when, card, me)));
        self.is_sound(&[whom, by], &[when], by)?;
        let cond = when.map_or(whom, |when| self.flag(Form::And(whom, when)));
        let those = self.terms.make(Form::Each(Each::Where, in_play, cond), cards, self.span);
        let how = if *self.ty == Ty::Number { Each::Fold(FoldOp::Sum) } else { Each::Collect(CollectOp::Union) };
        Some(self.value(Form::Each(how, those, by)))
    }

    /// What is said, where the text of the cards stands only while something holds: that is asked, too.
    fn standing(&mut self, kind: KindId, said: Said) -> Option<Said> {
        let kinds = self.rules.kinds.iter().enumerate();
        let below = kinds.filter(|(below, _)| self.rules.is_below(KindId(*below as u32), kind));
        let mut stands: Vec<Option<ProcId>> = below.map(|(_, info)| info.stands_when).collect();
        stands.dedup();
        let [stands] = stands[..] else { return None };
        let Some(stands) = stands else { return Some(said) };
        let stands = self.body(stands)?;
        let when = said.when.map_or(stands, |when| self.flag(Form::And(stands, when)));
        Some(Said { when: Some(when), ..said })
    }

    /// What an expression of a clause says.
    fn body(&mut self, proc: ProcId) -> Option<Term> {
        let ProcBody::Expr(body) = &self.rules.procs[proc.index()].body else { return None };
        let term = Lower::new(self.terms).expr(body);
        let strange = |form: &Form| {
            matches!(
                form,
                Form::Local(_)
                    | Form::Lambda(_)
                    | Form::Apply(..)
                    | Form::Script(..)
                    | Form::Can(..)
                    | Form::Targetable(..)
                    | Form::Ambient(Ambient::Actor | Ambient::Source | Ambient::Cause | Ambient::Changed)
            )
        };
        (!self.terms.has(term, &strange)).then_some(term)
    }

    /// Whether nothing of it can fail, and there is always something to add.
    fn is_sound(&self, parts: &[Term], conds: &[Option<Term>], by: Term) -> Option<()> {
        let all = parts.iter().chain(conds.iter().flatten());
        let fails = all.into_iter().any(|part| self.whole.can_fail(self.terms, *part));
        let sure = Sure { me: self.subject == Ty::Player, ..Sure::default() };
        (!fails && self.whole.is_value(self.terms, by, &sure)).then_some(())
    }

    /// What is added where all of these hold.
    fn where_all(&mut self, conds: Vec<Term>, by: Term) -> Term {
        let none = self.value(if *self.ty == Ty::Number { Form::Word(0) } else { Form::Nothing });
        let cond = conds.into_iter().reduce(|a, b| self.flag(Form::And(a, b)));
        cond.map_or(by, |cond| self.value(Form::If(cond, by, none)))
    }

    /// That what has the stat is what is modified, or among it.
    fn is_whom(&mut self, of: Term) -> Term {
        let this = self.this();
        match self.terms.ty(of).is_many() {
            true => self.flag(Form::In(this, of)),
            false => self.flag(Form::Compare(CompareOp::Eq, of, this)),
        }
    }

    fn is_this(&self, of: Term) -> bool {
        match self.terms.form(of) {
            Form::Unary(Unary::ToSet | Unary::ToList, of) => self.is_this(*of),
            form => *form == Form::Ambient(Ambient::This),
        }
    }

    fn this(&mut self) -> Term {
        self.terms.make(Form::Ambient(Ambient::This), self.subject.clone(), self.span)
    }

    fn holder(&mut self, card: Term) -> Term {
        let is_holder = |class: &PropClass| matches!(class, PropClass::Builtin(BuiltinProp::Holder));
        let holder = self.rules.props.iter().position(|prop| is_holder(&prop.class)).unwrap_or(0);
        let ty = self.rules.props[holder].ty.clone();
        self.terms.make(Form::Read(Read::Prop(PropId(holder as u32)), vec![card]), ty, self.span)
    }

    fn flag(&mut self, form: Form) -> Term {
        self.terms.make(form, Ty::Flag, self.span)
    }

    /// A term of the stat's type.
    fn value(&mut self, form: Form) -> Term {
        self.terms.make(form, self.ty.clone(), self.span)
    }

    /// A term with a card in the place of `this`, and somebody in the place of `me`; both stand outside of its loops.
    fn put(&mut self, term: Term, this: Term, me: Option<Term>) -> Term {
        self.terms.replaced(term, 0, &mut |terms, term, depth| match (terms.form(term), me) {
            (Form::Ambient(Ambient::This), _) => Some(terms.lifted(this, i64::from(depth), 0)),
            (Form::Ambient(Ambient::Me), Some(me)) => Some(terms.lifted(me, i64::from(depth), 0)),
            _ => None,
        })
    }

    /// Whether a definition that is called asks who `me` is, or it is asked for who the opponents are.
    fn calls_me(&self, term: Term) -> bool {
        self.terms.has(term, &|form| match form {
            Form::Ambient(Ambient::Opponents) => true,
            Form::Call(proc, _) => proc_asks_me(self.rules, *proc, 0),
            _ => false,
        })
    }
}

/// Whether an expression, or a definition that it calls, asks who `me` is or who the opponents are.
fn expr_asks_me(rules: &Rules, expr: &Expr, depth: usize) -> bool {
    let mut found = depth > 16;
    expr.walk(&mut |part| {
        found = found
            || match &part.kind {
                ExprKind::Me | ExprKind::Opponents => true,
                ExprKind::Call(proc, _) => proc_asks_me(rules, *proc, depth + 1),
                _ => false,
            };
    });
    found
}

/// The same of a definition or formula.
pub(super) fn proc_asks_me(rules: &Rules, proc: ProcId, depth: usize) -> bool {
    match &rules.procs[proc.index()].body {
        ProcBody::Expr(body) => expr_asks_me(rules, body, depth),
        _ => true,
    }
}
