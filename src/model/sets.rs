//! Filters, folds and quantifiers: everything that looks at the members of a set one by one and so opens a subject.

use super::body::{Body, Callee, Place, Subject};
use super::check::{Checker, broken};
use super::collect::Decl;
use super::rules::{CollectOp, Expr, ExprKind, FoldOp, LocalId, Ty};
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::{self, Ident};

/// The name that an author gave to the members of a set, wherever in a chain of filters it stands.
fn member_name(over: &ast::Expr) -> Option<&Ident> {
    match &over.kind {
        ast::ExprKind::As(_, name) => Some(name),
        ast::ExprKind::Where(inner, _)
        | ast::ExprKind::Having { over: inner, .. }
        | ast::ExprKind::Sorted { over: inner, .. } => member_name(inner),
        _ => None,
    }
}

impl Checker<'_> {
    /// Opens a subject for the members of a set, does something in it, and closes it.
    fn in_subject<T>(
        &mut self,
        body: &mut Body,
        over: &ast::Expr,
        set: &Expr,
        inside: impl FnOnce(&mut Self, &mut Body) -> T,
    ) -> (LocalId, T) {
        let ty = set.ty.element().clone();
        let mark = body.open();
        let name = member_name(over);
        if let Some(name) = name
            && body.find(&name.text).is_none()
        {
            self.check_local_name(name);
        }
        let binder = body.bind(name.map_or("it", |name| name.text.as_str()), ty.clone(), over.span);
        body.subjects.push(Subject { place: Place::Local(binder), ty });
        let facts = body.facts.len();
        let result = inside(self, body);
        body.facts.truncate(facts);
        body.subjects.pop();
        body.close(mark);
        (binder, result)
    }

    /// `S where COND`; what the condition says of the kind of members is so for the result.
    pub(super) fn where_expr(
        &mut self,
        body: &mut Body,
        over: &ast::Expr,
        cond: &ast::Expr,
        hint: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let set = self.many(body, over, hint);
        if set.ty == Ty::Error {
            return broken(span);
        }
        let (binder, cond) = self.in_subject(body, over, &set, |checker, body| checker.flag(body, cond));
        let mut ty = set.ty.clone();
        for (place, kind) in self.facts_of(&cond) {
            if place == Place::Local(binder) {
                let narrowed = Box::new(Ty::Entity(kind));
                ty = if matches!(set.ty, Ty::List(_)) { Ty::List(narrowed) } else { Ty::Set(narrowed) };
            }
        }
        Expr { kind: ExprKind::Where { over: Box::new(set), binder, cond: Box::new(cond) }, ty, span }
    }

    /// `sum F of S` and its relatives.
    pub(super) fn fold(
        &mut self,
        body: &mut Body,
        op: ast::FoldOp,
        of: &ast::Expr,
        over: &ast::Expr,
        span: Span,
    ) -> Expr {
        let set = self.many(body, over, None);
        if set.ty == Ty::Error {
            return broken(span);
        }
        let number = matches!(op, ast::FoldOp::Sum | ast::FoldOp::Min | ast::FoldOp::Max);
        let (binder, inner) = self.in_subject(body, over, &set, |checker, body| {
            if number { checker.expr_of(body, of, &Ty::Number) } else { checker.expr(body, of) }
        });
        if inner.ty == Ty::Error {
            return broken(span);
        }
        let (over, inner_type) = (Box::new(set), inner.ty.clone());
        let inner = Box::new(inner);
        let fold = |op| Expr {
            kind: ExprKind::Fold { op, over: over.clone(), binder, body: inner.clone() },
            ty: Ty::Number,
            span,
        };
        let collect =
            |op, ty| Expr { kind: ExprKind::Collect { op, over: over.clone(), binder, body: inner.clone() }, ty, span };
        match op {
            ast::FoldOp::Sum => fold(FoldOp::Sum),
            ast::FoldOp::Min => fold(FoldOp::Min),
            ast::FoldOp::Max => fold(FoldOp::Max),
            ast::FoldOp::Union => {
                if !inner_type.is_many() {
                    let found =
                        Diagnostic::new(Code::WrongType, inner.span, "`union` joins sets, and this is a single value")
                            .help("collect single values with `gather`");
                    self.report(found);
                    return broken(span);
                }
                collect(CollectOp::Union, inner_type.element().clone().set())
            }
            ast::FoldOp::Gather | ast::FoldOp::Values => {
                if inner_type.is_many() {
                    let found =
                        Diagnostic::new(Code::WrongType, inner.span, "this collects single values, and this is a set")
                            .help("join sets with `union`");
                    self.report(found);
                    return broken(span);
                }
                let element = inner_type.bare().clone();
                match op {
                    ast::FoldOp::Gather => collect(CollectOp::Gather, element.set()),
                    _ => collect(CollectOp::Values, Ty::List(Box::new(element))),
                }
            }
        }
    }

    /// `some S`, `no S`
    pub(super) fn quantified(&mut self, body: &mut Body, no: bool, over: &ast::Expr, span: Span) -> Expr {
        let flag = |kind| Expr { kind, ty: Ty::Flag, span };
        let some = if let ast::ExprKind::Where(inner, cond) = &over.kind {
            let set = self.many(body, inner, None);
            if set.ty == Ty::Error {
                return flag(ExprKind::Word(0));
            }
            let (binder, cond) = self.in_subject(body, inner, &set, |checker, body| checker.flag(body, cond));
            flag(ExprKind::Any { over: Box::new(set), binder, cond: Box::new(cond) })
        } else {
            let value = self.expr(body, over);
            match &value.ty {
                Ty::Error => return flag(ExprKind::Word(0)),
                Ty::Maybe(_) | Ty::Set(_) | Ty::List(_) | Ty::Effect(_) | Ty::Entity(_) | Ty::Player | Ty::Site(_) => {
                    flag(ExprKind::Some(Box::new(value)))
                }
                other => {
                    let what = self.type_name(other);
                    let word = if no { "no" } else { "some" };
                    self.error(Code::WrongType, value.span, format!("`{word}` asks of a set, and this is {what}"));
                    return flag(ExprKind::Word(0));
                }
            }
        };
        if no { flag(ExprKind::Not(Box::new(some))) } else { some }
    }

    /// Whether what follows an unbracketed `some`, `no` or `every` could also belong to its condition.
    pub(super) fn is_ambiguous(&mut self, body: &mut Body, left: &ast::Expr, right: &ast::Expr) -> bool {
        let (over, cond) = match &left.kind {
            ast::ExprKind::Quantified { over, .. } => match &over.kind {
                ast::ExprKind::Where(inner, cond) => (inner, cond),
                _ => return false,
            },
            ast::ExprKind::Every { over, cond } => (over, cond),
            _ => return false,
        };
        // Brackets are part of the place of what they enclose.
        if cond.span.end != left.span.end || self.probing {
            return false;
        }
        self.probing = true;
        let before = self.diagnostics.len();
        let mut scratch = body.clone();
        let set = self.many(&mut scratch, over, None);
        let reads = self.diagnostics.len();
        self.in_subject(&mut scratch, over, &set, |checker, body| checker.flag(body, right));
        let fits = self.diagnostics.len() == reads;
        self.diagnostics.truncate(before);
        self.probing = false;
        fits
    }

    /// `every S meets COND`
    pub(super) fn every(&mut self, body: &mut Body, over: &ast::Expr, cond: &ast::Expr, span: Span) -> Expr {
        let flag = |kind| Expr { kind, ty: Ty::Flag, span };
        let set = self.many(body, over, None);
        if set.ty == Ty::Error {
            return flag(ExprKind::Word(0));
        }
        let (binder, cond) = self.in_subject(body, over, &set, |checker, body| checker.flag(body, cond));
        flag(ExprKind::All { over: Box::new(set), binder, cond: Box::new(cond) })
    }

    /// `S having least F`
    pub(super) fn having(&mut self, body: &mut Body, over: &ast::Expr, most: bool, of: &ast::Expr, span: Span) -> Expr {
        let set = self.many(body, over, None);
        if set.ty == Ty::Error {
            return broken(span);
        }
        let (binder, of) = self.in_subject(body, over, &set, |checker, body| checker.expr_of(body, of, &Ty::Number));
        let ty = set.ty.clone();
        Expr { kind: ExprKind::Having { over: Box::new(set), most, binder, body: Box::new(of) }, ty, span }
    }

    /// `S sorted by F`
    pub(super) fn sorted(&mut self, body: &mut Body, over: &ast::Expr, of: &ast::Expr, down: bool, span: Span) -> Expr {
        let set = self.many(body, over, None);
        if set.ty == Ty::Error {
            return broken(span);
        }
        let (binder, of) = self.in_subject(body, over, &set, |checker, body| checker.expr(body, of));
        let sortable = matches!(
            of.ty.bare(),
            Ty::Number
                | Ty::Flag
                | Ty::Enum(_)
                | Ty::Player
                | Ty::Site(_)
                | Ty::Entity(_)
                | Ty::Direction(_)
                | Ty::Error
        );
        if !sortable {
            let what = self.type_name(&of.ty);
            self.error(Code::WrongType, of.span, format!("this sorts by a single value, and this is {what}"));
        }
        let ty = Ty::List(Box::new(set.ty.element().clone()));
        Expr { kind: ExprKind::Sorted { over: Box::new(set), down, binder, body: Box::new(of) }, ty, span }
    }

    /// `p can ACTION(args)`
    pub(super) fn can(
        &mut self,
        body: &mut Body,
        player: &ast::Expr,
        action: &Ident,
        args: &[ast::Expr],
        span: Span,
    ) -> Expr {
        let flag = |kind| Expr { kind, ty: Ty::Flag, span };
        let player = self.expr_of(body, player, &Ty::Player);
        let Some(Decl::Action(id)) = self.names.get(&action.text).copied() else {
            self.unknown_action(action);
            return flag(ExprKind::Word(0));
        };
        let args = self.action_arguments(body, id, action, args);
        body.calls(Callee::Can(id), span);
        flag(ExprKind::Can(Box::new(player), id, args))
    }
}
