//! Definitions of cards and pieces: the values of their fields, their effects and their clauses.

use super::body::Body;
use super::check::Checker;
use super::clauses::Home;
use super::collect::Decl;
use super::rules::walk::constant;
use super::rules::{EntryId, Expr, ExprKind, FieldValue, GroupId, KindId, ProcRole, PropClass, PropId, Ty};
use crate::base::{Code, Diagnostic, Span, listed, nearest};
use crate::syntax::ast::{self, EntryFieldKind, Ident};

/// The most copies of one definition.
const MOST_COPIES: i64 = crate::base::limits::COPIES;

/// What has been read of one definition.
#[derive(Default)]
struct Given {
    values: Vec<(PropId, Option<FieldValue>)>,
    spans: Vec<(PropId, Span)>,
    copies: Option<(u16, Span)>,
    /// Whether a field was given that the kind does not have: it may be misspelt or renamed.
    unknown: bool,
}

impl<'a> Checker<'a> {
    /// Checks all definitions.
    pub(super) fn check_entries(&mut self) {
        for (index, fields) in std::mem::take(&mut self.items.entries).into_iter().enumerate() {
            self.check_entry(EntryId(index as u32), fields);
        }
    }

    fn check_entry(&mut self, id: EntryId, fields: &'a [ast::EntryField]) {
        let Some(entry) = self.rules.entries.get(id.index()) else { return };
        let (kind, name, span) = (entry.kind, entry.name.clone(), entry.span);
        let superseded: Vec<String> = fields
            .iter()
            .filter_map(|field| match &field.kind {
                EntryFieldKind::Supersedes(name) => Some(name.text.clone()),
                _ => None,
            })
            .collect();
        let mut given = Given::default();
        for field in fields {
            match &field.kind {
                EntryFieldKind::Value { name, value } => self.entry_value(kind, name, value, &mut given),
                EntryFieldKind::Effect { name, body } => self.entry_effect(kind, name, body, &superseded, &mut given),
                EntryFieldKind::Clause(clause) => {
                    let clause = self.clause(clause, &Home::Entry(id, &superseded));
                    if let Some(entry) = self.rules.entries.get_mut(id.index()) {
                        entry.clauses.extend(clause);
                    }
                }
                EntryFieldKind::Supersedes(name) => {
                    let group = self.superseded(name);
                    if let Some(entry) = self.rules.entries.get_mut(id.index()) {
                        entry.supersedes.extend(group);
                    }
                }
            }
        }
        let fields = self.complete(kind, &name, span, &given);
        given.spans.shrink_to_fit();
        if let Some(entry) = self.rules.entries.get_mut(id.index()) {
            entry.fields = fields;
            entry.field_spans = given.spans;
            entry.copies = given.copies.map_or(1, |(copies, _)| copies);
        }
    }

    fn superseded(&mut self, name: &Ident) -> Option<GroupId> {
        if let Some(Decl::Rule(id)) = self.names.get(&name.text) {
            self.means(name);
            return Some(*id);
        }
        let mut found = Diagnostic::new(Code::UnknownRule, name.span, format!("there is no rule `{}`", name.text));
        if let Some(best) = self.nearest_of(&name.text, |decl| matches!(decl, Decl::Rule(_))) {
            found = found.did_you_mean(best);
        }
        self.report(found);
        None
    }

    /// The field of a name, if it is one that a definition gives.
    fn entry_field(&mut self, kind: KindId, name: &Ident, given: &mut Given) -> Option<PropId> {
        let Some(id) = self.kind_prop(kind, &name.text) else {
            self.unknown_field(kind, name);
            given.unknown = true;
            return None;
        };
        self.means_prop(id, name.span);
        let class = self.class_of(id)?;
        if !matches!(class, PropClass::Field { .. }) {
            let help = match class {
                PropClass::Counter { .. } | PropClass::Mark { .. } => format!(
                    "it changes in play: give it where the card is made, `create ... with {0} = ...`, or in `setup`, \
                     `set c.{0} = ...`",
                    name.text
                ),
                _ => "only fields are; a stat is worked out from them".to_owned(),
            };
            let mut found =
                Diagnostic::new(Code::NotAField, name.span, format!("`{}` is not printed on a card", name.text))
                    .help(help);
            if let Some(span) = self.prop_span(id) {
                found = found.label(span, "declared here");
            }
            self.report(found);
            return None;
        }
        if let Some((_, first)) = given.spans.iter().find(|(other, _)| *other == id) {
            let found = Diagnostic::new(Code::DuplicateField, name.span, format!("`{}` is given twice", name.text))
                .label(*first, "first given here");
            self.report(found);
            return None;
        }
        Some(id)
    }

    fn unknown_field(&mut self, kind: KindId, name: &Ident) {
        if self.is_open(&Ty::Entity(kind)) {
            return;
        }
        if self.is_asked(&name.text) {
            self.could_be_fields(kind);
        }
        let message = format!("a `{}` has no field `{}`", self.kind_name(kind), name.text);
        if !self.may_suggest() {
            return self.error(Code::UnknownField, name.span, message);
        }
        let mut names: Vec<String> = self
            .rules
            .kinds
            .get(kind.index())
            .map(|kind| kind.props.clone())
            .unwrap_or_default()
            .iter()
            .filter_map(|id| self.rules.props.get(id.index()))
            .filter(|prop| matches!(prop.class, PropClass::Field { .. }))
            .map(|prop| prop.table.map_or(prop.name.as_str(), |table| self.prop_name(table)).to_owned())
            .chain(["copies".to_owned()])
            .collect();
        names.dedup();
        let mut found = Diagnostic::new(Code::UnknownField, name.span, message);
        if !self.may_suggest() {
            return self.report(found);
        }
        let best = nearest(&name.text, names.iter().map(String::as_str));
        found = match best {
            Some(best) => found.did_you_mean(best),
            None if name.text == "becomes" => found.help(
                "in a patch, statements are exchanged without the name of their field: `{ ... } becomes { ... }`; a field is given anew by itself",
            ),
            None => found.help(format!("its fields are {}", listed(names.iter().map(String::as_str)))),
        };
        if let Some(kind) = self.rules.kinds.get(kind.index())
            && kind.span != Span::default()
        {
            found = found.label(kind.span, "declared here");
        }
        self.report(found);
    }

    fn entry_value(&mut self, kind: KindId, name: &Ident, value: &ast::Expr, given: &mut Given) {
        if name.text == "copies" {
            self.copies(name, value, given);
            return;
        }
        let Some(id) = self.entry_field(kind, name, given) else { return };
        given.spans.push((id, value.span));
        let field = self.field_value(id, value, Some(Ty::Entity(kind)));
        self.check_ways(kind, id, field.as_ref(), value.span);
        given.values.extend(self.printed(id, field));
    }

    /// The values that are printed for a field: of a table, one for each key.
    pub(super) fn printed(&self, id: PropId, value: Option<FieldValue>) -> Vec<(PropId, Option<FieldValue>)> {
        match (self.items_of_table(id), value) {
            (Some(items), Some(FieldValue::List(values))) => {
                items.into_iter().zip(values.into_iter().map(|value| Some(FieldValue::Word(value)))).collect()
            }
            (Some(items), _) => items.into_iter().map(|item| (item, None)).collect(),
            (None, value) => vec![(id, value)],
        }
    }

    fn copies(&mut self, name: &Ident, value: &ast::Expr, given: &mut Given) {
        if let Some((_, first)) = given.copies {
            let found = Diagnostic::new(Code::DuplicateField, name.span, "`copies` is given twice")
                .label(first, "first given here");
            self.report(found);
        }
        let Some(copies) = self.constant_number(value) else { return };
        match u16::try_from(copies) {
            Ok(count) if copies <= MOST_COPIES => given.copies = Some((count, name.span)),
            _ => {
                self.error(Code::BadCopies, value.span, format!("there can be 0 to {MOST_COPIES} copies, not {copies}"))
            }
        }
    }

    fn entry_effect(
        &mut self,
        kind: KindId,
        name: &Ident,
        block: &ast::Block,
        superseded: &[String],
        given: &mut Given,
    ) {
        let Some(id) = self.entry_field(kind, name, given) else { return };
        given.spans.push((id, name.span));
        let Ty::Effect(_) = self.prop_type(id) else {
            // Its type was reported.
            if self.prop_type(id) == Ty::Error {
                return;
            }
            let what = self.type_name(&self.prop_type(id));
            let mut found =
                Diagnostic::new(Code::WrongFieldForm, name.span, format!("`{}` is {what}, not a block", name.text))
                    .help(format!("write `{}: ...`", name.text));
            if let Some(span) = self.prop_span(id) {
                found = found.label(span, "declared here");
            }
            self.report(found);
            given.values.push((id, None));
            return;
        };
        let params = self.declared_props.get(id.index()).map(|declared| declared.params.clone()).unwrap_or_default();
        let mut body = Body::new(name.text.clone(), ProcRole::Effect, block.span).with_this(Some(Ty::Entity(kind)));
        body.event = true;
        body.supersedes = superseded.to_vec();
        for (param, ty) in params {
            body.param(&param.text, ty, name.span, true);
            body.named_at(param.span);
        }
        let stmts = self.block(&mut body, block);
        let proc = self.finish_block(body, stmts);
        self.effect_procs.entry(id).or_default().push(proc);
        given.values.push((id, Some(FieldValue::Proc(proc))));
    }

    /// The value of a field, with `this` as the entity it is printed on.
    pub(super) fn field_value(&mut self, id: PropId, value: &ast::Expr, this: Option<Ty>) -> Option<FieldValue> {
        let prop = self.rules.props.get(id.index())?;
        let (ty, range, name, declared) = (prop.ty.clone(), prop.range, prop.name.clone(), prop.span);
        if matches!(value.kind, ast::ExprKind::Error) {
            return None;
        }
        if let Ty::Effect(_) = ty {
            let found =
                Diagnostic::new(Code::WrongFieldForm, value.span, format!("`{name}` is an effect, which is a block"))
                    .label(declared, "declared here")
                    .help(format!("write `{name} {{ ... }}`"));
            self.report(found);
            return None;
        }
        let names = self.declared_props.get(id.index()).map(super::types::Declared::names).unwrap_or_default();
        let lazy = matches!(ty, Ty::Lambda(..));
        let mut body = Body::new(name.clone(), ProcRole::Pure, value.span).with_this(if lazy { this } else { None });
        body.me = lazy;
        let written = match &ty {
            Ty::PerDirection(inner) => Ty::List(inner.clone()),
            other => other.clone(),
        };
        let expr = self.argument(&mut body, value, &written, &names, Some((declared, "declared here")));
        if expr.ty == Ty::Error {
            return None;
        }
        let found = self.constant_field(&expr);
        if found.is_none() && !matches!(expr.kind, ExprKind::Nothing) {
            let found = Diagnostic::new(
                Code::NotConstant,
                value.span,
                format!("`{name}` is printed, so it must be a constant"),
            )
            .label(declared, "declared here")
            .help("what is worked out in play is a `stat`, a `test` or an `amount`");
            self.report(found);
            return None;
        }
        self.check_range(&name, range, found.as_ref(), value.span, declared);
        found
    }

    fn check_range(
        &mut self,
        name: &str,
        range: Option<(i64, i64)>,
        value: Option<&FieldValue>,
        span: Span,
        declared: Span,
    ) {
        let Some((low, high)) = range else { return };
        let values: Vec<i64> = match value {
            Some(FieldValue::Word(value)) => vec![*value],
            Some(FieldValue::List(values)) => values.clone(),
            _ => return,
        };
        for value in values {
            if !(low..=high).contains(&value) {
                let found =
                    Diagnostic::new(Code::OutOfRange, span, format!("`{name}` is {value}, outside of {low}..{high}"))
                        .label(declared, "declared here");
                self.report(found);
            }
        }
    }

    fn constant_field(&self, expr: &Expr) -> Option<FieldValue> {
        match &expr.kind {
            ExprKind::Lambda(proc) => return Some(FieldValue::Proc(*proc)),
            ExprKind::Text(text) => return Some(FieldValue::Text(text.clone())),
            _ => {}
        }
        match &expr.ty {
            Ty::Set(_) => {
                let words = self.constant_words(expr)?;
                words
                    .iter()
                    .try_fold(0u64, |mask, word| {
                        let bit = u32::try_from(*word).ok()?;
                        Some(mask | 1u64.checked_shl(bit)?)
                    })
                    .map(FieldValue::Mask)
            }
            Ty::List(_) | Ty::Table(..) => self.constant_words(expr).map(FieldValue::List),
            _ => constant(&self.rules, expr).map(FieldValue::Word),
        }
    }

    /// The members of a constant list or set.
    fn constant_words(&self, expr: &Expr) -> Option<Vec<i64>> {
        match &expr.kind {
            ExprKind::Empty => Some(Vec::new()),
            ExprKind::List(items) => items.iter().map(|item| constant(&self.rules, item)).collect(),
            ExprKind::ToSet(inner) | ExprKind::ToList(inner) => {
                if inner.ty.is_many() {
                    self.constant_words(inner)
                } else {
                    constant(&self.rules, inner).map(|word| vec![word])
                }
            }
            ExprKind::Binary(super::rules::BinaryOp::Union, left, right) => {
                let mut words = self.constant_words(left)?;
                words.extend(self.constant_words(right)?);
                Some(words)
            }
            _ => None,
        }
    }

    /// Whether a field of this type may be left out without a default.
    pub(super) fn has_empty_value(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Effect(_) | Ty::Flag | Ty::Maybe(_) | Ty::Set(_) | Ty::List(_) | Ty::Error)
    }

    fn empty_value(&self, ty: &Ty) -> Option<FieldValue> {
        match ty {
            Ty::Flag => Some(FieldValue::Word(0)),
            Ty::Set(_) => Some(FieldValue::Mask(0)),
            Ty::List(_) => Some(FieldValue::List(Vec::new())),
            _ => None,
        }
    }

    /// One value for each field of the kind, in its order.
    fn complete(&mut self, kind: KindId, name: &str, span: Span, given: &Given) -> Vec<(PropId, Option<FieldValue>)> {
        let mut missing = Vec::new();
        let props = self.rules.kinds.get(kind.index()).map(|kind| kind.props.clone()).unwrap_or_default();
        let mut fields = Vec::with_capacity(given.values.len());
        for id in props {
            let Some(prop) = self.rules.props.get(id.index()) else { continue };
            let whole = prop.table.and_then(|table| self.rules.props.get(table.index()));
            let PropClass::Field { default } = &prop.class else { continue };
            if let Some((_, value)) = given.values.iter().find(|(other, _)| *other == id) {
                fields.push((id, value.clone()));
            } else if default.is_some() {
                fields.push((id, default.clone()));
            } else {
                let named = prop.table.unwrap_or(id);
                let absent = !given.unknown && !given.spans.iter().any(|(other, _)| *other == named);
                let known = whole.unwrap_or(prop);
                let told = missing.iter().any(|(name, _)| *name == known.name);
                if absent && !told && !self.has_empty_value(&known.ty) {
                    missing.push((known.name.clone(), known.span));
                }
                fields.push((id, self.empty_value(&prop.ty)));
            }
        }
        for (field, declared) in missing {
            let message = format!("`{} \"{name}\"` has no `{field}`", self.kind_name(kind));
            let found = Diagnostic::new(Code::MissingField, span, message)
                .label(declared, "declared here")
                .help(format!("add `{field}: ...`, or give the field a default"));
            self.report(found);
        }
        fields
    }
}
