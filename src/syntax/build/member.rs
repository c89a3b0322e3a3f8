//! Members of kinds, settings, types, parameters and clauses.

use super::super::ast::{
    Clause, ClauseKind, Edge, EventPattern, Expr, ExprKind, Ident, Keeping, Member, MemberKind, Param, Prop, Stage,
    Type, TypeKind, VerbParam,
};
use super::super::grammar::{Kids, Part, Rule};
use super::Builder;
use crate::base::Span;

impl Builder<'_> {
    /// A member of a kind, of `player` or of `game`.
    pub(in super::super) fn member(&mut self, part: Part<'_>) -> Member {
        let span = self.span(&part);
        let form = Kids::of(part).next();
        let outer = self.label.take();
        let kind = match form {
            None => MemberKind::StandsWhen { cond: self.expr(None) },
            Some(form) => self.member_kind(form),
        };
        let label = std::mem::replace(&mut self.label, outer);
        Member { kind, label, span }
    }

    fn member_kind(&mut self, form: Part<'_>) -> MemberKind {
        let rule = form.as_rule();
        if rule == Rule::clause {
            return MemberKind::Clause(self.clause(form));
        }
        let mut kids = Kids::of(form);
        match rule {
            Rule::m_field => {
                let (name, ty) = (self.named(&mut kids), self.ty(kids.next()));
                MemberKind::Field { name, ty, default: self.inner_expr(kids.next()) }
            }
            Rule::m_counter => {
                let name = self.named(&mut kids);
                let ty = self.of_type(&mut kids);
                let how = keeping(&mut kids);
                MemberKind::Counter { name, ty, how, default: self.inner_expr(kids.next()) }
            }
            Rule::m_mark => {
                let (name, ty) = (self.named(&mut kids), self.ty(kids.next()));
                let how = keeping(&mut kids);
                MemberKind::Mark { name, ty, how, default: self.inner_expr(kids.next()) }
            }
            Rule::m_stat => {
                let (name, ty) = (self.named(&mut kids), self.ty(kids.next()));
                MemberKind::Stat { name, ty, formula: self.expr(kids.next()) }
            }
            Rule::m_seen => MemberKind::Seen { by: self.ident(kids.next()) },
            Rule::m_notation => MemberKind::Notation { text: self.ident(kids.next()) },
            _ => MemberKind::StandsWhen { cond: self.expr(kids.next()) },
        }
    }

    /// `: type`, if it stands next.
    pub(super) fn of_type(&mut self, kids: &mut Kids<'_>) -> Option<Type> {
        kids.take(Rule::of_type).map(|ty| self.ty(Kids::of(ty).next()))
    }

    /// A type.
    pub(super) fn ty(&mut self, part: Option<Part<'_>>) -> Type {
        let Some(part) = part else {
            return Type { kind: TypeKind::Name(self.ident(None)), span: Span::default() };
        };
        let span = self.span(&part);
        let mut parts = Kids::of(part);
        let Some(form) = parts.next() else {
            return Type { kind: TypeKind::Name(self.ident(None)), span };
        };
        let (of, per) = (self.span(&form), parts.next());
        let rule = form.as_rule();
        let word = self.text(&form).bytes().next();
        let mut kids = Kids::of(form);
        let kind = match rule {
            Rule::ty_set => TypeKind::Set(Box::new(self.ty(kids.next()))),
            Rule::ty_list => TypeKind::List(Box::new(self.ty(kids.next()))),
            Rule::ty_maybe => TypeKind::Maybe(Box::new(self.ty(kids.next()))),
            Rule::ty_range => {
                let low = Box::new(self.expr(kids.next()));
                TypeKind::Range(low, Box::new(self.expr(kids.next())))
            }
            Rule::ty_of => TypeKind::Of(self.ident(kids.next()), self.ident(kids.next())),
            Rule::ty_asked => {
                let params = self.params(&mut kids);
                match word {
                    Some(b'e') => TypeKind::Effect(params),
                    Some(b't') => TypeKind::Test(params),
                    _ => TypeKind::Amount(params),
                }
            }
            _ => TypeKind::Name(self.ident(Some(form))),
        };
        match per {
            Some(per) => {
                let key = Box::new(self.ty(Some(per)));
                Type { kind: TypeKind::Per(Box::new(Type { kind, span: of }), key), span }
            }
            None => Type { kind, span },
        }
    }

    /// Parameters in brackets, if they stand next.
    pub(super) fn params(&mut self, kids: &mut Kids<'_>) -> Vec<Param> {
        let params = kids.take(Rule::params);
        params.map_or_else(Vec::new, |params| Kids::of(params).list(Rule::param, |param| self.param(param)))
    }

    fn param(&mut self, part: Part<'_>) -> Param {
        let mut kids = Kids::of(part);
        let (name, ty) = (self.named(&mut kids), self.ty(kids.next()));
        Param { name, ty, default: self.inner_expr(kids.next()) }
    }

    /// The parameters of a verb.
    pub(super) fn verb_params(&mut self, kids: &mut Kids<'_>) -> Vec<VerbParam> {
        let mut params = Vec::new();
        if let Some(first) = kids.take(Rule::param) {
            params.push(VerbParam { prep: None, param: self.param(first) });
        }
        while let Some(part) = kids.take(Rule::verb_param) {
            let mut inner = Kids::of(part);
            let prep = self.prep(inner.next());
            if let Some(param) = inner.next() {
                params.push(VerbParam { prep: Some(prep), param: self.param(param) });
            }
        }
        params
    }

    /// `name: value, value`
    pub(in super::super) fn prop(&mut self, part: Part<'_>) -> Prop {
        let span = self.span(&part);
        let mut kids = Kids::of(part);
        let name = self.ident(kids.next());
        let (mut values, mut whens) = (Vec::new(), Vec::new());
        while let Some(value) = kids.take(Rule::prop_value) {
            let mut inner = Kids::of(value);
            let (mut run, mut when) = (Vec::new(), None);
            while let Some(part) = inner.next() {
                match part.as_rule() {
                    Rule::when => when = self.inner_expr(Some(part)),
                    _ => run.push(self.expr(Some(part))),
                }
            }
            values.push(run);
            whens.push(when);
        }
        Prop { name, values, whens, span }
    }

    /// All clauses that follow.
    pub(super) fn clauses(&mut self, kids: &mut Kids<'_>) -> Vec<Clause> {
        kids.list(Rule::clause, |clause| self.clause(clause))
    }

    /// A clause.
    pub(in super::super) fn clause(&mut self, part: Part<'_>) -> Clause {
        let span = self.span(&part);
        let form = Kids::of(part).next();
        let kind = match form {
            None => ClauseKind::Check { cond: self.expr(None), body: self.block(None) },
            Some(form) => self.clause_kind(form),
        };
        Clause { kind, span }
    }

    fn clause_kind(&mut self, form: Part<'_>) -> ClauseKind {
        let rule = form.as_rule();
        let mut kids = Kids::of(form);
        match rule {
            Rule::modify => {
                let stat = self.ident(kids.next());
                let at = kids.take(Rule::index).map(|index| self.expr(Kids::of(index).next()));
                let of = match kids.take(Rule::whole_game) {
                    Some(game) => Expr { kind: ExprKind::Name("game".to_owned()), span: self.span(&game) },
                    None => self.expr(kids.next()),
                };
                let to = kids.has(Rule::k_to);
                let value = self.expr(kids.next());
                ClauseKind::Modify { stat, at, of, to, value, when: self.inner_expr(kids.next()) }
            }
            Rule::check => ClauseKind::Check { cond: self.expr(kids.next()), body: self.block(kids.next()) },
            _ => self.moment(kids),
        }
    }

    fn moment(&mut self, mut kids: Kids<'_>) -> ClauseKind {
        let (next, announced, may) = (kids.has(Rule::k_next), kids.has(Rule::k_announced), kids.has(Rule::k_may));
        let Some(form) = kids.next() else {
            return ClauseKind::Becomes { next, announced, cond: self.expr(None), body: self.block(None) };
        };
        let rule = form.as_rule();
        let mut kids = Kids::of(form);
        if rule == Rule::becomes {
            return ClauseKind::Becomes {
                next,
                announced,
                cond: self.expr(kids.next()),
                body: self.block(kids.next()),
            };
        }
        let stage = match kids.take(Rule::stage).as_ref().map(|stage| self.text(stage)) {
            Some("instead") => Stage::Instead,
            Some("before") => Stage::Before,
            Some(_) => Stage::After,
            None => Stage::Cannot,
        };
        let even_gone = kids.take(Rule::even_gone).is_some();
        let event = self.pattern(kids.next());
        let cond = kids.take(Rule::where_part);
        let cond: Option<Expr> = self.inner_expr(cond);
        let body = kids.next().map(|block| self.block(Some(block)));
        ClauseKind::Hook { next, announced, may, stage, even_gone, event, cond, body }
    }

    /// `start of`, `end of`
    pub(super) fn edge(&mut self, kids: &mut Kids<'_>) -> Option<Edge> {
        let edge = kids.take(Rule::edge);
        edge.map(|edge| if self.text(&edge).starts_with("end") { Edge::End } else { Edge::Start })
    }

    fn pattern(&mut self, part: Option<Part<'_>>) -> EventPattern {
        let Some(part) = part else {
            return EventPattern { edge: None, verb: self.ident(None), first: None, args: Vec::new() };
        };
        let mut kids = Kids::of(part);
        let edge = self.edge(&mut kids);
        let verb = self.ident(kids.next());
        let first: Option<Ident> = self.inner_ident(kids.take(Rule::pattern_first));
        let mut args = Vec::new();
        while let Some(arg) = kids.take(Rule::pattern_arg) {
            let mut inner = Kids::of(arg);
            args.push((self.prep(inner.next()), self.ident(inner.next())));
        }
        EventPattern { edge, verb, first, args }
    }
}

/// `clamped`, `open`, `aside`, if they stand next.
fn keeping(kids: &mut Kids<'_>) -> Keeping {
    Keeping { clamped: kids.has(Rule::k_clamped), open: kids.has(Rule::k_open), aside: kids.has(Rule::k_aside) }
}
