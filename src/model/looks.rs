//! How things look: texts by the name of a property.

use super::body::Body;
use super::check::Checker;
use super::collect::Decl;
use super::rules::{Look, LookTarget, ProcRole, Template, TemplatePart, Ty};
use super::zones::word;
use crate::base::{Code, Diagnostic, nearest};
use crate::syntax::ast::{self, ExprKind, Ident};

/// What a look can say.
pub const LOOK_SETTINGS: [&str; 6] = ["glyph", "colour", "shape", "label", "title", "text"];

impl Checker<'_> {
    /// Checks all looks.
    pub(super) fn check_looks(&mut self) {
        for (name, props, span) in std::mem::take(&mut self.items.looks) {
            let (target, this) = match self.names.get(&name.text) {
                Some(Decl::Kind(kind)) => (Some(LookTarget::Kind(*kind)), Some(Ty::Entity(*kind))),
                Some(Decl::Zone(zone)) => (Some(LookTarget::Zone(*zone)), None),
                Some(Decl::Board(board)) => (Some(LookTarget::Board(*board)), None),
                _ if name.text == "player" => (Some(LookTarget::Player), Some(Ty::Player)),
                _ => (None, None),
            };
            let Some(target) = target else {
                let names: Vec<&str> = self
                    .names
                    .iter()
                    .filter(|(_, decl)| matches!(decl, Decl::Kind(_) | Decl::Zone(_) | Decl::Board(_)))
                    .map(|(name, _)| name.as_str())
                    .collect();
                let found = Diagnostic::new(
                    Code::UnknownName,
                    name.span,
                    format!("there is no kind, zone or board `{}`", name.text),
                )
                .suggest(&name.text, names.iter().copied());
                self.report(found);
                continue;
            };
            let props = props.iter().filter_map(|prop| self.look_prop(prop, this.as_ref())).collect();
            self.rules.looks.push(Look { target, props, span });
        }
    }

    fn look_prop(&mut self, prop: &ast::Prop, this: Option<&Ty>) -> Option<(String, Template)> {
        let name = prop.name.text.as_str();
        if !LOOK_SETTINGS.contains(&name) {
            let mut found =
                Diagnostic::new(Code::UnknownSetting, prop.name.span, format!("a look has no setting `{name}`"));
            found = match nearest(name, LOOK_SETTINGS) {
                Some(best) => found.help(format!("did you mean `{best}`?")),
                None => found.help(format!("its settings are: {}", LOOK_SETTINGS.join(", "))),
            };
            self.report(found);
            return None;
        }
        let words = prop.values.first()?;
        let template = match words.as_slice() {
            [ast::Expr { kind: ExprKind::Text(text), span }] => {
                let mut body = Body::new("look", ProcRole::Pure, *span).with_this(this.cloned()).with_subject();
                body.me = false;
                let template = self.template(&mut body, &Ident { text: text.clone(), span: *span });
                if !body.locals.is_empty() {
                    let found = Diagnostic::new(Code::BadPlaceholder, *span, "a look cannot go through sets")
                        .help("give the kind a `stat` that is worked out so");
                    self.report(found);
                }
                template
            }
            words => {
                let text: Vec<&str> = words.iter().filter_map(word).collect();
                if text.len() != words.len() || text.is_empty() {
                    self.error(Code::BadSetting, prop.span, "this should be a text or a word");
                }
                Template { parts: vec![TemplatePart::Text(text.join(" "))], span: prop.span }
            }
        };
        Some((name.to_owned(), template))
    }
}
