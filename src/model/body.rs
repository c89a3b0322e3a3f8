//! The procedure under construction: its locals, what names mean at the place being checked, and what is known of
//! the values they hold.

use super::check::Checker;
use super::rules::{
    ActionId, Expr, ExprKind, KindId, Local, LocalId, ProcId, ProcRole, PropId, ScriptId, SpanId, Ty, VerbId, WindowId,
};
use std::collections::{BTreeMap, BTreeSet};

use crate::base::Span;
use crate::syntax::ast::Ident;

/// What a fact or a subject is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Local(LocalId),
    This,
}

/// Something whose properties bare names mean.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub place: Place,
    pub ty: Ty,
}

#[derive(Clone, Debug)]
struct Visible {
    name: String,
    local: LocalId,
    /// Hidden ones keep their slot from being used again.
    shown: bool,
    /// Where the name was given: of a slot that is used again, this time.
    declared: Span,
}

/// Something a procedure runs or reads, for the checks of the whole model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Callee {
    Verb(VerbId),
    Proc(ProcId),
    Action(ActionId),
    Window(WindowId),
    /// The pure question whether an action could be done.
    Can(ActionId),
    Effect(PropId),
    Script(ScriptId),
    Stat(PropId),
}

/// What was noticed about a procedure while it was checked.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    pub calls: Vec<(Callee, Span)>,
    /// Whether it speaks of the player who acts, outside of `turns` of its own.
    pub needs_me: bool,
    /// The verbs that it performs for that player, or where nobody acts.
    pub performs: Vec<(VerbId, Span)>,
    /// The first statement that asks somebody or chance, and its word.
    pub suspends: Option<(Span, &'static str)>,
}

/// The procedure under construction.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub name: String,
    pub role: ProcRole,
    pub span: Span,
    pub params: usize,
    pub locals: Vec<Local>,
    visible: Vec<Visible>,
    pub subjects: Vec<Subject>,
    /// Where `it` is the member of a set in another.
    pub inner_its: Vec<Span>,
    pub facts: Vec<(Place, KindId)>,
    /// What else the condition around an expression says of kinds: a pure expression is the same where it stands again.
    pub told: Vec<(Expr, KindId)>,
    /// The type of `this`, where there is one.
    pub this: Option<Ty>,
    /// Whether somebody acts, so that `me` means a player.
    pub me: bool,
    /// Whether that is whose turn it is, in `turns` of the procedure itself.
    pub in_turns: bool,
    /// Whether an event is at hand.
    pub event: bool,
    /// The verb an `instead` body may proceed with.
    pub instead: Option<VerbId>,
    /// The `turns` and `phase` blocks around this place.
    pub spans: Vec<SpanId>,
    /// The last statement whose verb is unknown.
    pub unread: Span,
    pub repeats: usize,
    /// The template of the whole move, seen on the way.
    pub notation: Option<Ident>,
    /// Names of locals around a stored test, which it may not use.
    pub outside: Vec<String>,
    /// The rules the card at hand supersedes.
    pub supersedes: Vec<String>,
    pub log: Log,
    /// What a statement binds, with its place, to tell what is never used.
    pub bound: Vec<(LocalId, Ident)>,
    pub used: BTreeSet<LocalId>,
    /// Parameters and what statements bind; the other locals are members that expressions go through.
    stated: BTreeSet<LocalId>,
    /// The first chance, reveal or question to another player on the way, and its word.
    pub irrevocable: Option<(Span, &'static str)>,
    /// Whether something hidden was revealed on the way.
    pub revealed: bool,
    /// Choices of things without a `for`, by what they bind.
    pub unguarded: BTreeMap<LocalId, Span>,
    /// The name that is bound to members of the set at hand, behind it.
    pub binding: Option<Ident>,
    /// What is filtered or sorted of that set: there the name is a member.
    pub bound_over: Vec<Span>,
    /// Names that stand for a constant at the place at hand.
    pub constants: BTreeMap<LocalId, Expr>,
}

impl Body {
    /// An empty procedure.
    pub fn new(name: impl Into<String>, role: ProcRole, span: Span) -> Self {
        Body {
            name: name.into(),
            role,
            span,
            params: 0,
            locals: Vec::new(),
            visible: Vec::new(),
            subjects: Vec::new(),
            facts: Vec::new(),
            told: Vec::new(),
            this: None,
            me: true,
            in_turns: false,
            event: false,
            instead: None,
            spans: Vec::new(),
            unread: Span::default(),
            repeats: 0,
            notation: None,
            outside: Vec::new(),
            supersedes: Vec::new(),
            log: Log::default(),
            bound: Vec::new(),
            used: BTreeSet::new(),
            stated: BTreeSet::new(),
            irrevocable: None,
            revealed: false,
            unguarded: BTreeMap::new(),
            binding: None,
            bound_over: Vec::new(),
            inner_its: Vec::new(),
            constants: BTreeMap::new(),
        }
    }

    /// Sets the type of `this`.
    pub fn with_this(mut self, this: Option<Ty>) -> Self {
        self.this = this;
        self
    }

    /// Makes `this` the subject of bare property names.
    pub fn with_subject(mut self) -> Self {
        if let Some(ty) = self.this.clone() {
            self.subjects.push(Subject { place: Place::This, ty });
        }
        self
    }

    /// Adds a parameter; a hidden one has no name an author could write.
    pub fn param(&mut self, name: &str, ty: Ty, span: Span, shown: bool) -> LocalId {
        let local = self.slot(name, ty, span);
        self.stated.insert(local);
        self.visible.push(Visible { name: name.to_owned(), local, shown, declared: span });
        self.params = self.locals.len();
        local
    }

    /// The same with locals in the place of its parameters.
    pub fn without_params(mut self) -> Body {
        self.params = 0;
        self
    }

    /// Adds a local for the members that an expression goes through, visible until its scope ends.
    pub fn bind(&mut self, name: &str, ty: Ty, span: Span) -> LocalId {
        self.bind_as(name, ty, span, false)
    }

    /// Adds a local that a statement binds, visible until its scope ends.
    pub fn state(&mut self, name: &str, ty: Ty, span: Span) -> LocalId {
        let local = self.bind_as(name, ty, span, true);
        self.stated.insert(local);
        local
    }

    /// A slot of the same name and type whose scope has ended is used again, so that the two branches of an `if` may bind one
    /// name for a notation; but a member is never what a notation means.
    fn bind_as(&mut self, name: &str, ty: Ty, span: Span, stated: bool) -> LocalId {
        let free = (self.params..self.locals.len()).map(|index| LocalId(index as u32)).find(|id| {
            self.locals.get(id.index()).is_some_and(|local| local.name == name && local.ty == ty)
                && self.stated.contains(id) == stated
                && !self.visible.iter().any(|visible| visible.local == *id)
        });
        let local = free.unwrap_or_else(|| self.slot(name, ty, span));
        self.visible.push(Visible { name: name.to_owned(), local, shown: true, declared: span });
        local
    }

    /// Gives a local another name until its scope ends.
    pub fn also(&mut self, name: &Ident, local: LocalId) {
        self.visible.push(Visible { name: name.text.clone(), local, shown: true, declared: name.span });
    }

    /// Says where the name stands that was given last, if it is not where it is known from; nowhere for one that nobody gave.
    pub fn named_at(&mut self, declared: Span) {
        if let Some(last) = self.visible.last_mut() {
            last.declared = declared;
        }
    }

    /// Where a visible local got its name.
    pub fn declared(&self, name: &str) -> Option<Span> {
        let found = self.visible.iter().rev().find(|visible| visible.shown && visible.name == name)?;
        Some(found.declared).filter(|declared| *declared != Span::default())
    }

    fn slot(&mut self, name: &str, ty: Ty, span: Span) -> LocalId {
        self.locals.push(Local { name: name.to_owned(), ty, span });
        LocalId(self.locals.len() as u32 - 1)
    }

    /// A local without a name that could be written, which stands for nothing else.
    pub fn fresh(&mut self, ty: Ty, span: Span) -> LocalId {
        self.slot("it'", ty, span)
    }

    /// A mark to give to [`Body::close`].
    pub fn open(&self) -> usize {
        self.visible.len()
    }

    /// Ends the scope of what was bound since the mark.
    pub fn close(&mut self, mark: usize) {
        self.visible.truncate(mark);
    }

    /// The visible local of a name.
    pub fn find(&self, name: &str) -> Option<LocalId> {
        self.visible.iter().rev().find(|visible| visible.shown && visible.name == name).map(|visible| visible.local)
    }

    /// All visible names with their locals, outer ones first.
    pub fn names(&self) -> impl Iterator<Item = (&str, LocalId)> {
        self.visible.iter().filter(|visible| visible.shown).map(|visible| (visible.name.as_str(), visible.local))
    }

    /// Makes every local that a statement ever bound visible again, for the template of a whole move.
    pub fn show_all(&mut self) {
        self.visible.clear();
        for (index, local) in self.locals.iter().enumerate().rev() {
            if !self.stated.contains(&LocalId(index as u32)) {
                continue;
            }
            let (name, declared) = (local.name.clone(), local.span);
            self.visible.push(Visible { name, local: LocalId(index as u32), shown: true, declared });
        }
    }

    /// The declared local.
    pub fn local(&self, id: LocalId) -> Option<&Local> {
        self.locals.get(id.index())
    }

    /// Whether a local is the member of a loop around.
    pub fn is_a_member(&self, local: LocalId) -> bool {
        self.subjects.iter().any(|subject| matches!(subject.place, Place::Local(member) if member == local))
    }

    /// The name that an author gave to the members of a set.
    pub fn given_name(&self, place: Place) -> Option<&str> {
        match place {
            Place::Local(id) => self.local(id).map(|local| local.name.as_str()).filter(|name| *name != "it"),
            Place::This => None,
        }
    }

    /// Whether only a condition knows a local: it is a member of a set that expressions go through.
    pub fn is_member(&self, name: &str) -> bool {
        let named = |(index, local): (usize, &Local)| {
            local.name == name && index >= self.params && !self.stated.contains(&LocalId(index as u32))
        };
        let mut named_so = self.locals.iter().enumerate().filter(|(_, local)| local.name == name).peekable();
        named_so.peek().is_some() && named_so.all(named)
    }

    /// The type of a place, narrowed by what is known here.
    pub fn type_of(&self, place: Place) -> Ty {
        let fact = self.facts.iter().rev().find(|(of, _)| *of == place).map(|(_, kind)| *kind);
        if let Some(kind) = fact {
            return Ty::Entity(kind);
        }
        match place {
            Place::Local(id) => self.local(id).map_or(Ty::Error, |local| local.ty.clone()),
            Place::This => self.this.clone().unwrap_or(Ty::Error),
        }
    }

    /// An expression that reads a place.
    pub fn read(&self, place: Place, span: Span) -> Expr {
        if let Place::Local(local) = place
            && let Some(constant) = self.constants.get(&local)
        {
            return Expr { span, ..constant.clone() };
        }
        let kind = match place {
            Place::Local(id) => ExprKind::Local(id),
            Place::This => ExprKind::This,
        };
        Expr { kind, ty: self.type_of(place), span }
    }

    /// Notes what this procedure runs or reads.
    pub fn calls(&mut self, callee: Callee, span: Span) {
        if !self.log.calls.iter().any(|(known, _)| *known == callee) {
            self.log.calls.push((callee, span));
        }
    }

    /// Notes that this procedure asks somebody or chance.
    pub fn suspends(&mut self, span: Span, word: &'static str) {
        self.log.suspends.get_or_insert((span, word));
    }
}

impl Checker<'_> {
    /// What a condition says about the kinds of things, where it holds.
    pub(super) fn facts_of(&self, cond: &Expr) -> Vec<(Place, KindId)> {
        self.facts_where(cond, true)
    }

    /// What a condition says where it holds, or where it does not: the same however it is put.
    pub(super) fn facts_where(&self, cond: &Expr, holds: bool) -> Vec<(Place, KindId)> {
        let place = |(value, kind): (&Expr, KindId)| match value.kind {
            ExprKind::Local(local) => Some((Place::Local(local), kind)),
            ExprKind::This => Some((Place::This, kind)),
            _ => None,
        };
        self.kinds_where(cond, holds).into_iter().filter_map(place).collect()
    }

    /// Makes an expression that stands where a condition holds, or does not.
    pub(super) fn where_so<T>(
        &mut self,
        body: &mut Body,
        (cond, holds): (&Expr, bool),
        make: impl FnOnce(&mut Self, &mut Body) -> T,
    ) -> T {
        let (facts, told) = (body.facts.len(), body.told.len());
        body.facts.extend(self.facts_where(cond, holds));
        body.told.extend(self.kinds_where(cond, holds).into_iter().map(|(value, kind)| (value.clone(), kind)));
        let made = make(self, body);
        body.facts.truncate(facts);
        body.told.truncate(told);
        made
    }

    /// An expression, of the kind that is known of it here.
    pub(super) fn as_told(&self, body: &Body, expr: Expr) -> Expr {
        let Ty::Entity(own) = *expr.ty.bare() else { return expr };
        let told = body.told.iter().rev().find(|(of, kind)| self.rules.is_below(*kind, own) && of.same(&expr));
        match told {
            Some((_, kind)) => Expr { ty: Ty::Entity(*kind), ..expr },
            None => expr,
        }
    }

    /// What a condition says of the kinds of values.
    fn kinds_where<'e>(&self, cond: &'e Expr, holds: bool) -> Vec<(&'e Expr, KindId)> {
        match (&cond.kind, holds) {
            (ExprKind::Is(value, kind), true) => {
                // Who asks for a wider kind than what is known already learns nothing.
                let known = match value.ty.bare() {
                    Ty::Entity(own) if self.rules.is_below(*own, *kind) => *own,
                    _ => *kind,
                };
                vec![(value, known)]
            }
            (ExprKind::And(left, right), true) | (ExprKind::Or(left, right), false) => {
                let mut facts = self.kinds_where(left, holds);
                facts.extend(self.kinds_where(right, holds));
                facts
            }
            (ExprKind::Not(inner), _) => self.kinds_where(inner, !holds),
            (ExprKind::If(cond, yes, no), _) => match (&yes.kind, &no.kind) {
                (ExprKind::Word(1), ExprKind::Word(0)) => self.kinds_where(cond, holds),
                (ExprKind::Word(0), ExprKind::Word(1)) => self.kinds_where(cond, !holds),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}
