//! Texts with expressions in braces.

use super::body::Body;
use super::check::Checker;
use super::rules::{CompareOp, Expr, ExprKind, NamePart, PropClass, PropId, Template, TemplatePart, Ty};
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::Ident;
use crate::syntax::{filled, parse_expr};

impl Checker<'_> {
    /// A part of a kind's notation: a property of its own, a text, or one of two of them, `if crowned then "+" else ""`.
    pub(super) fn name_part(&self, expr: &Expr) -> Option<NamePart> {
        match &expr.kind {
            ExprKind::Text(text) => Some(NamePart::Text(text.clone())),
            ExprKind::Word(value) if *expr.ty.bare() == Ty::Number => Some(NamePart::Text(value.to_string())),
            ExprKind::If(cond, then, other) => {
                let (then, other) = (Box::new(self.name_part(then)?), Box::new(self.name_part(other)?));
                let (prop, is, same) = self.name_case(cond)?;
                let (then, other) = if same { (then, other) } else { (other, then) };
                Some(NamePart::Either { prop, is, then, other })
            }
            _ => self.own_prop(expr).map(NamePart::Prop),
        }
    }

    /// A condition of a notation: the property, the value, and whether it is that value or any other.
    fn name_case(&self, cond: &Expr) -> Option<(PropId, i64, bool)> {
        match &cond.kind {
            ExprKind::Not(cond) => self.name_case(cond).map(|(prop, is, same)| (prop, is, !same)),
            ExprKind::Compare(op @ (CompareOp::Eq | CompareOp::Ne), left, right) => {
                let (of, value) = match (&left.kind, &right.kind) {
                    (_, ExprKind::Word(value)) => (left, *value),
                    (ExprKind::Word(value), _) => (right, *value),
                    _ => return None,
                };
                Some((self.own_prop(of)?, value, *op == CompareOp::Eq))
            }
            _ if *cond.ty.bare() == Ty::Flag => Some((self.own_prop(cond)?, 1, true)),
            _ => None,
        }
    }

    /// What a kind has printed or keeps, where it is a single value.
    fn own_prop(&self, expr: &Expr) -> Option<PropId> {
        let ExprKind::Prop(of, id) = &expr.kind else { return None };
        let plain =
            matches!(expr.ty.bare(), Ty::Number | Ty::Flag | Ty::Enum(_) | Ty::Player | Ty::Site(_) | Ty::Direction(_));
        let class = self.rules.props.get(id.index()).map(|prop| &prop.class);
        let kept = matches!(class, Some(PropClass::Field { .. } | PropClass::Counter { .. } | PropClass::Mark { .. }));
        (plain && kept && matches!(of.kind, ExprKind::This)).then_some(*id)
    }

    /// A text in which `{expr}` is filled in.
    pub(super) fn template(&mut self, body: &mut Body, text: &Ident) -> Template {
        let mut parts = Vec::new();
        let mut rest = text.text.as_str();
        // The quote stands before the first character.
        let mut at = text.span.start as usize + 1;
        while let Some(open) = rest.find('{') {
            let (before, inside) = rest.split_at(open);
            if !before.is_empty() {
                parts.push(TemplatePart::Text(before.to_owned()));
            }
            at += open + 1;
            let Some(written) = filled(inside) else {
                let span = Span::new(text.span.file, at - 1, at);
                self.error(Code::BadPlaceholder, span, "this `{` is never closed in the text");
                return Template { parts, span: text.span };
            };
            if let Some(part) = self.placeholder(body, written, at, text.span) {
                parts.push(part);
            }
            at += written.len() + 1;
            rest = inside.get(written.len() + 2..).unwrap_or("");
        }
        if !rest.is_empty() {
            parts.push(TemplatePart::Text(rest.to_owned()));
        }
        Template { parts, span: text.span }
    }

    /// A text as a value.
    pub(super) fn text(&mut self, text: &str, span: Span) -> Expr {
        let help = "fill it in beside it: `{if odd then \"odd\" else \"even\"} {n}`; or write one `note` for each case";
        self.as_written(text, span, "a text that is a value", help);
        self.rules.texts.add(text);
        Expr { kind: ExprKind::Text(text.to_owned()), ty: Ty::Text, span }
    }

    /// A text into which nothing is filled in.
    pub(super) fn as_written(&mut self, text: &str, span: Span, what: &str, help: &str) {
        if let Some(at) = text.find('{') {
            let at = span.start as usize + 1 + at;
            let span = Span::new(span.file, at, at + 1);
            let found = Diagnostic::new(Code::BadPlaceholder, span, format!("{what} stands as it is written"));
            self.report(found.help(help.to_owned()));
        }
    }

    fn placeholder(&mut self, body: &mut Body, written: &str, at: usize, text: Span) -> Option<TemplatePart> {
        let span = Span::new(text.file, at, at + written.len());
        if written.trim().is_empty() {
            self.error(Code::BadPlaceholder, text, "between `{` and `}` stands what is filled in");
            return None;
        }
        let (expr, found) = parse_expr(text.file, at, written);
        if !found.is_empty() {
            for found in found {
                self.report(Diagnostic { code: Code::BadPlaceholder, ..found });
            }
            return None;
        }
        let expr = self.expr(body, &expr);
        if matches!(expr.ty, Ty::Lambda(..) | Ty::Effect(_)) {
            let what = self.type_name(&expr.ty);
            self.error(Code::BadPlaceholder, span, format!("{what} cannot be written into a text"));
            return None;
        }
        Some(TemplatePart::Value(expr))
    }
}
