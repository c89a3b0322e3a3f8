//! Constants and options: what is fixed before the first card is dealt.

use super::body::Body;
use super::check::Checker;
use super::ranges::{self, Bounds};
use super::rules::walk::constant;
use super::rules::{Expr, GameOption, ProcRole, Rules, Ty};
use crate::base::{Code, Diagnostic, Span, listed, nearest};
use crate::syntax::ast;
use crate::syntax::manifest::Preset;

impl Checker<'_> {
    /// Declares all options and gives them their values in this compilation.
    pub(super) fn check_options(&mut self) {
        for (name, ty, default) in std::mem::take(&mut self.items.options) {
            let declared = self.resolve_type(ty);
            let usable = matches!(declared.ty, Ty::Number | Ty::Flag | Ty::Enum(_) | Ty::Error);
            if !usable {
                self.error(Code::WrongType, ty.span, "an option is a number, a flag or the value of an enum");
            }
            let default_value = self.constant(default, &declared.ty).unwrap_or(0);
            if let Some((low, high)) = declared.range
                && !(low..=high).contains(&default_value)
            {
                let message = format!("`{}` begins at {default_value}, outside of {low}..{high}", name.text);
                let found = Diagnostic::new(Code::OutOfRange, default.span, message).label(ty.span, "declared here");
                self.report(found);
            }
            let mut option = GameOption {
                name: name.text.clone(),
                ty: declared.ty,
                range: declared.range,
                default: default_value,
                value: default_value,
                span: name.span,
            };
            if let Some((text, span)) = self.overrides.get(&name.text) {
                match option_value(&self.rules, &option, text) {
                    Ok(value) => option.value = value,
                    Err(message) => {
                        let found =
                            Diagnostic::new(Code::BadOptionValue, *span, message).label(name.span, "declared here");
                        self.report(found);
                    }
                }
            }
            self.rules.options.push(option);
        }
        self.check_overrides();
    }

    fn check_overrides(&mut self) {
        for (name, (_, span)) in self.overrides {
            if self.rules.options.iter().all(|option| option.name != *name) {
                let found = unknown_option(&self.rules, name, *span, self.may_suggest());
                self.report(found);
            }
        }
    }

    /// The value of a constant expression of a type.
    pub(super) fn constant(&mut self, written: &ast::Expr, ty: &Ty) -> Option<i64> {
        self.constant_expr(written, ty).map(|(value, _)| value)
    }

    fn constant_expr(&mut self, written: &ast::Expr, ty: &Ty) -> Option<(i64, Expr)> {
        let mut body = Body::new("constant", ProcRole::Pure, written.span);
        body.me = false;
        let expr = self.expr_of(&mut body, written, ty);
        if expr.ty == Ty::Error {
            return None;
        }
        let value = constant(&self.rules, &expr);
        if value.is_none() {
            let found = Diagnostic::new(Code::NotConstant, written.span, "this must be a constant")
                .help("use numbers, options and what can be worked out from them");
            self.report(found);
        }
        value.map(|value| (value, expr))
    }

    /// The value of a constant number.
    pub(super) fn constant_number(&mut self, written: &ast::Expr) -> Option<i64> {
        self.constant(written, &Ty::Number)
    }

    /// Likewise, with what it can be under other options.
    pub(super) fn constant_bounds(&mut self, written: &ast::Expr) -> Option<(i64, Bounds)> {
        let (value, expr) = self.constant_expr(written, &Ty::Number)?;
        Some((value, ranges::of_constant(&self.rules, &expr)))
    }
}

/// What a text means as the value of an option.
pub(super) fn option_value(rules: &Rules, option: &GameOption, text: &str) -> Result<i64, String> {
    let name = &option.name;
    match &option.ty {
        Ty::Flag => match text {
            "true" => Ok(1),
            "false" => Ok(0),
            _ => Err(format!("the option `{name}` is true or false, not `{text}`")),
        },
        Ty::Enum(id) => {
            let values: Vec<&str> = rules
                .enums
                .get(id.index())
                .map(|item| item.values.iter().map(|value| value.name.as_str()).collect())
                .unwrap_or_default();
            match values.iter().position(|value| *value == text) {
                Some(index) => Ok(index as i64),
                None => Err(format!("the option `{name}` is one of {}, not `{text}`", values.join(", "))),
            }
        }
        _ => {
            let Ok(value) = text.parse::<i64>() else {
                return Err(format!("the option `{name}` is a number, not `{text}`"));
            };
            match option.range {
                Some((low, high)) if !(low..=high).contains(&value) => {
                    Err(format!("the option `{name}` is a number from {low} to {high}, not {value}"))
                }
                _ => Ok(value),
            }
        }
    }
}

/// That a game has no option of a name.
fn unknown_option(rules: &Rules, name: &str, span: Span, may_suggest: bool) -> Diagnostic {
    let names = || rules.options.iter().map(|option| option.name.as_str());
    let found = Diagnostic::new(Code::UnknownOption, span, format!("this game has no option `{name}`"));
    match may_suggest.then(|| nearest(name, names())) {
        None => found,
        Some(Some(best)) => found.help(format!("did you mean `{best}`?")),
        Some(None) if names().next().is_none() => found.help("it has no options at all"),
        Some(None) => found.help(format!("its options are {}", listed(names()))),
    }
}

/// What is wrong with options that a manifest sets, for instance in a variant that is not played.
pub(super) fn wrong_presets<'p>(rules: &Rules, presets: impl IntoIterator<Item = &'p Preset>) -> Vec<Diagnostic> {
    let wrong = |preset: &Preset| {
        let Some(option) = rules.options.iter().find(|option| option.name == preset.name) else {
            return Some(unknown_option(rules, &preset.name, preset.name_span, true));
        };
        let message = option_value(rules, option, &preset.value).err()?;
        Some(Diagnostic::new(Code::BadOptionValue, preset.value_span, message).label(option.span, "declared here"))
    };
    presets.into_iter().filter_map(wrong).collect()
}
