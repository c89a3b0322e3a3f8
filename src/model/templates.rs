//! Texts with expressions in braces.

use super::body::Body;
use super::check::Checker;
use super::rules::{Template, TemplatePart, Ty};
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::Ident;
use crate::syntax::{filled, parse_expr};

impl Checker<'_> {
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

    /// A text into which nothing is filled in.
    pub(super) fn as_written(&mut self, text: &Ident, what: &str, help: &str) {
        if let Some(at) = text.text.find('{') {
            let at = text.span.start as usize + 1 + at;
            let span = Span::new(text.span.file, at, at + 1);
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
