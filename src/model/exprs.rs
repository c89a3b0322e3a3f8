//! Expressions: each is checked against the type that is expected, if one is, and gets its own.

use super::body::{Body, Place};
use super::check::{Checker, broken};
use super::names::{OF_OUTER, word};
use super::rules::{BinaryOp, CompareOp, Expr, ExprKind, Ty};
use super::single::{OF_SETS, SHARED, seated};
use super::tables::fills_table;
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::{self, BinaryOp as Op, UnaryOp};

/// How a card is named.
const OF_NUMBERS: &str =
    "compare how many they are (`count ...`), or one number of them: `max F of S`, `min F of S`, `sum F of S`";
const BY_NAME: &str = "what a card is called stands behind its kind: `c is KIND \"Name\"`, `some (S & KIND \"Name\")`; its name as a text is `.name`";

impl Checker<'_> {
    /// An expression of a type.
    pub(super) fn expr_of(&mut self, body: &mut Body, written: &ast::Expr, ty: &Ty) -> Expr {
        if matches!(ty.bare(), Ty::Lambda(..)) {
            return self.argument(body, written, ty, &[], None);
        }
        let expr = self.expr_in(body, written, Some(ty));
        self.coerce(expr, ty)
    }

    /// An expression of any type.
    pub(super) fn expr(&mut self, body: &mut Body, written: &ast::Expr) -> Expr {
        self.expr_in(body, written, None)
    }

    /// A condition; what it says of kinds holds where it holds.
    pub(super) fn flag(&mut self, body: &mut Body, written: &ast::Expr) -> Expr {
        self.expr_of(body, written, &Ty::Flag)
    }

    /// An expression where a type may be expected.
    pub(super) fn expr_in(&mut self, body: &mut Body, written: &ast::Expr, hint: Option<&Ty>) -> Expr {
        let found = match self.fold_meant(body, written) {
            Some(meant) => self.expr_in(body, &meant, hint),
            None => self.expr_as_written(body, written, hint),
        };
        self.as_told(body, found)
    }

    fn expr_as_written(&mut self, body: &mut Body, written: &ast::Expr, hint: Option<&Ty>) -> Expr {
        let span = written.span;
        match &written.kind {
            ast::ExprKind::Error => broken(span),
            ast::ExprKind::Num(value) => word(*value, Ty::Number, span),
            ast::ExprKind::Text(text) => match hint.map(|hint| hint.element().bare()) {
                Some(Ty::Site(board)) => self.site_named(*board, text, span, span),
                _ => self.text(text, span),
            },
            ast::ExprKind::Name(name) => self.name(body, name, span, hint),
            ast::ExprKind::Entry { kind, name } => self.entry_set(kind, name, span),
            ast::ExprKind::List(items) => match hint {
                Some(Ty::Table(key, inner)) => self.table(body, items, (*key, inner), span),
                _ => match self.keys_of(items) {
                    Some(key) => self.table(body, items, (key, &Ty::Number), span),
                    None => self.list(body, items, hint, span),
                },
            },
            ast::ExprKind::Amount(amount, of) => {
                let help = format!("values are separated by commas; of a table, all have a key: `[2 {}]`", of.text);
                let found = Diagnostic::new(Code::WrongType, span, format!("`{}` is no key of a table here", of.text));
                self.report(found.help(help));
                self.expr(body, amount);
                broken(span)
            }
            ast::ExprKind::Field(base, name) => self.field(body, base, name),
            ast::ExprKind::Call(callee, args) => self.call(body, callee, args, hint, span),
            ast::ExprKind::Index(base, index) => {
                let mark = self.chosen_zones.len();
                let found = match self.zone_of_key(body, written) {
                    Some(zone) => zone,
                    None => self.index(body, base, index, span),
                };
                self.for_each_key(found, mark)
            }
            ast::ExprKind::PerKey { body: value, key, of } => self.per_key(body, value, (key, of), hint, span),
            ast::ExprKind::Unary(op, operand) => self.unary(body, *op, operand, span),
            ast::ExprKind::Binary(op, left, right) => self.binary(body, *op, left, right, hint, span),
            ast::ExprKind::Is { value, not, kind, entry } => self.is(body, value, *not, (kind, entry.as_ref()), span),
            ast::ExprKind::Can { player, action, args } => self.can(body, player, action, args, span),
            ast::ExprKind::If(cond, then, or_else) => self.if_expr(body, cond, then, or_else, hint, span),
            ast::ExprKind::Fold { op, body: of, over, .. } => self.fold(body, *op, of, over, span),
            ast::ExprKind::Quantified { no, over } => self.quantified(body, *no, over, span),
            ast::ExprKind::Every { over, cond } => self.every(body, over, cond, span),
            // A name alone changes nothing: it was given to the filter or fold around it.
            ast::ExprKind::As(over, _) => self.expr_in(body, over, hint),
            ast::ExprKind::Where(over, cond) => self.where_expr(body, over, cond, hint, span),
            ast::ExprKind::Having { over, most, body: of } => self.having(body, over, *most, of, span),
            ast::ExprKind::Sorted { over, body: of, down } => self.sorted(body, over, of, *down, span),
        }
    }

    fn entry_set(&mut self, kind: &ast::Ident, name: &ast::Ident, span: Span) -> Expr {
        let Some(id) = self.kind_named(&kind.text) else {
            let found = Diagnostic::new(Code::UnknownKind, kind.span, format!("there is no kind `{}`", kind.text));
            let found = match kind.text.as_str() {
                "option" | "options" | "legal" => found.help("write `expect legal \"...\"`, or `illegal`"),
                other => self.or_declared(found, other, "kinds", |decl| matches!(decl, super::collect::Decl::Kind(_))),
            };
            self.report(found);
            return broken(span);
        };
        self.means(kind);
        match self.entry_named(id, name) {
            Some(entry) => {
                let kind = self.rules.entries.get(entry.index()).map_or(id, |entry| entry.kind);
                Expr { kind: ExprKind::EntitiesOf(entry), ty: Ty::Entity(kind).set(), span }
            }
            None => broken(span),
        }
    }

    /// The definition of a name among those of a kind and the kinds below it.
    pub(super) fn entry_named(
        &mut self,
        kind: super::rules::KindId,
        name: &ast::Ident,
    ) -> Option<super::rules::EntryId> {
        if let Some(entry) = self.entry_names.get(&(kind, name.text.clone())) {
            self.means_entry(*entry, name.span);
            return Some(*entry);
        }
        let heir = self
            .entry_names
            .iter()
            .find(|((heir, entry), _)| *entry == name.text && self.rules.is_below(*heir, kind))
            .map(|(_, entry)| *entry);
        if let Some(entry) = heir {
            self.means_entry(entry, name.span);
        }
        if self.is_asked(&name.text) {
            self.could_be_entry(kind);
        }
        if heir.is_none() && !self.lost_entries.contains(&name.text) {
            let suggests = self.may_suggest();
            let names: Vec<String> = self
                .entry_names
                .keys()
                .filter(|(heir, _)| self.rules.is_below(*heir, kind) && suggests)
                .map(|(_, name)| name.clone())
                .collect();
            let message = format!("there is no `{} \"{}\"`", self.kind_name(kind), name.text);
            let found = Diagnostic::new(Code::UnknownEntry, name.span, message)
                .suggest(&name.text, names.iter().map(String::as_str));
            self.report(found);
        }
        heir
    }

    fn list(&mut self, body: &mut Body, items: &[ast::Expr], hint: Option<&Ty>, span: Span) -> Expr {
        let element = hint.map(|ty| ty.element().clone()).filter(|ty| *ty != Ty::Error);
        if items.is_empty() {
            let ty = match hint {
                Some(ty) if ty.is_many() => ty.clone(),
                _ => Ty::List(Box::new(Ty::Nothing)),
            };
            return Expr { kind: ExprKind::Empty, ty, span };
        }
        let mut checked: Vec<Expr> = Vec::new();
        let mut common: Option<Ty> = None;
        for item in items {
            let wanted = element.clone().or_else(|| common.clone());
            let expr = self.expr_in(body, item, wanted.as_ref());
            let own = expr.ty.bare().clone();
            common = match common {
                None => Some(own),
                Some(known) => match self.unify(&known, &own) {
                    Some(both) => Some(both),
                    None => {
                        let (this, others) = (self.type_name(&expr.ty), self.type_name(&known));
                        self.error(Code::WrongType, expr.span, format!("this is {this}, and the others are {others}"));
                        return broken(span);
                    }
                },
            };
            checked.push(expr);
        }
        let element = common.unwrap_or(Ty::Nothing);
        if element == Ty::Error {
            return broken(span);
        }
        if matches!(element, Ty::Effect(_) | Ty::Lambda(..)) {
            let what = self.type_name(&element);
            self.error(Code::WrongType, span, format!("a list cannot have {what} in it"));
            return broken(span);
        }
        if element.is_many() {
            let help = match checked.as_slice() {
                [Expr { kind: ExprKind::Range(..), .. }] => "leave the brackets out: `LOW..HIGH` is a set",
                _ => "join sets with `+`",
            };
            self.report(Diagnostic::new(Code::WrongType, span, "a list has single values, not sets").help(help));
            return broken(span);
        }
        Expr { kind: ExprKind::List(checked), ty: Ty::List(Box::new(element)), span }
    }

    fn field(&mut self, body: &mut Body, base: &ast::Expr, name: &ast::Ident) -> Expr {
        if let ast::ExprKind::Name(text) = &base.kind
            && text == "game"
            && body.find(text).is_none()
        {
            self.means_builtin(text, base.span);
            return self.game_member(body, name);
        }
        let inner = matches!(&base.kind, ast::ExprKind::Name(text) if text == "it");
        let base = self.expr(body, base);
        if inner
            && self.member_of(base.ty.element(), &name.text).is_none()
            && let Some(outer) =
                body.subjects.iter().rev().skip(1).find(|outer| self.member_of(&outer.ty, &name.text).is_some())
        {
            let what = self.type_name(&base.ty);
            let message = format!("`it` is {what} here, a member of the innermost set");
            let help = match body.given_name(outer.place) {
                Some(outer) => format!("the member of the outer set is `{outer}`: write `{outer}.{}`", name.text),
                None => format!("name the member of the outer set with `as`: `... as x where ... x.{}`", name.text),
            };
            self.report(Diagnostic::new(Code::NoSubject, base.span, message).help(help));
            return broken(name.span);
        }
        self.member(body, base, name)
    }

    fn index(&mut self, body: &mut Body, base: &ast::Expr, index: &ast::Expr, span: Span) -> Expr {
        if let Some(part) = self.part(body, base, index, span) {
            return part;
        }
        let base = self.ordered(body, base);
        if matches!(base.ty, Ty::PerDirection(_)) {
            return self.side(body, base, index, span);
        }
        if matches!(base.ty, Ty::Table(..)) {
            return self.table_entry(body, &base, index, span);
        }
        if base.ty == Ty::Error {
            self.expr(body, index);
            return broken(span);
        }
        let index = self.expr_of(body, index, &Ty::Number);
        let base = if super::calls::is_pile(&base) { self.down_to(base, &index) } else { base };
        match &base.ty {
            Ty::List(element) => {
                let ty = element.clone().maybe();
                Expr { kind: ExprKind::Index(Box::new(base), Box::new(index)), ty, span }
            }
            other => {
                let what = self.type_name(other);
                let found =
                    Diagnostic::new(Code::WrongType, base.span, format!("only lists have places, and this is {what}"))
                        .help("make a list of it: `... sorted by ...`");
                self.report(found);
                broken(span)
            }
        }
    }

    /// `parts[p]`, where `parts` is a split.
    fn part(&mut self, body: &mut Body, base: &ast::Expr, whose: &ast::Expr, span: Span) -> Option<Expr> {
        let ast::ExprKind::Name(name) = &base.kind else { return None };
        let local = body.find(name)?;
        let Some(Ty::Split(key, item)) = body.local(local).map(|local| local.ty.clone()) else { return None };
        body.used.insert(local);
        self.means_local(body, name, base.span);
        let split = body.read(super::body::Place::Local(local), base.span);
        let whose = self.expr_of(body, whose, &key);
        Some(Expr { kind: ExprKind::Part(Box::new(split), Box::new(whose)), ty: item.set(), span })
    }

    fn unary(&mut self, body: &mut Body, op: UnaryOp, operand: &ast::Expr, span: Span) -> Expr {
        match op {
            UnaryOp::Not => {
                let expr = self.flag(body, operand);
                Expr { kind: ExprKind::Not(Box::new(expr)), ty: Ty::Flag, span }
            }
            UnaryOp::Negate => {
                let expr = self.expr(body, operand);
                if matches!(expr.ty, Ty::Table(..)) {
                    return self.table_negated(&expr, span);
                }
                let expr = self.coerce(expr, &Ty::Number);
                match expr.kind {
                    ExprKind::Word(value) => word(value.wrapping_neg(), Ty::Number, span),
                    _ => {
                        let ty = expr.ty.clone();
                        Expr { kind: ExprKind::Negate(Box::new(expr)), ty, span }
                    }
                }
            }
            UnaryOp::Count => {
                let expr = self.many(body, operand, None);
                if expr.ty == Ty::Error {
                    return broken(span);
                }
                if let ExprKind::ToSet(one) = &expr.kind {
                    self.counts_one(operand, one, span);
                }
                Expr { kind: ExprKind::Count(Box::new(expr)), ty: Ty::Number, span }
            }
        }
    }

    /// Whether a row of conditions begins with two that can be read in two ways.
    fn begins_ambiguous(&mut self, body: &mut Body, expr: &ast::Expr) -> bool {
        let ast::ExprKind::Binary(Op::And | Op::Or, left, right) = &expr.kind else { return false };
        self.is_ambiguous(body, left, right) || self.begins_ambiguous(body, left)
    }

    fn binary(
        &mut self,
        body: &mut Body,
        op: Op,
        left: &ast::Expr,
        right: &ast::Expr,
        hint: Option<&Ty>,
        span: Span,
    ) -> Expr {
        match op {
            Op::And | Op::Or if self.is_ambiguous(body, left, right) => {
                let found = Diagnostic::new(Code::NeedsBrackets, span, "this can be read in two ways")
                    .note("what follows could belong to the condition before it")
                    .help("put brackets around `some ...`, `no ...` or `every ...`, or around its condition");
                self.report(found);
                Expr { kind: ExprKind::Word(0), ty: Ty::Flag, span }
            }
            Op::And | Op::Or if self.begins_ambiguous(body, left) => {
                // What follows is about what nobody can tell.
                self.flag(body, left)
            }
            Op::And | Op::Or if self.half_said(op, left, right) => self.flag(body, left),
            Op::And | Op::Or if self.counts_both(body, left, right) => broken(span),
            Op::And => {
                let left = self.flag(body, left);
                let right = self.where_so(body, (&left, true), |checker, body| checker.flag(body, right));
                Expr { kind: ExprKind::And(Box::new(left), Box::new(right)), ty: Ty::Flag, span }
            }
            Op::Or => {
                let left = self.flag(body, left);
                let right = self.where_so(body, (&left, false), |checker, body| checker.flag(body, right));
                Expr { kind: ExprKind::Or(Box::new(left), Box::new(right)), ty: Ty::Flag, span }
            }
            Op::Else => self.otherwise(body, left, right, hint, span),
            Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => self.comparison(body, op, left, right, span),
            Op::In => self.membership(body, left, right, false, span),
            Op::NotIn => self.membership(body, left, right, true, span),
            Op::Has => self.membership(body, right, left, false, span),
            Op::Range => {
                let left = self.expr_of(body, left, &Ty::Number);
                let right = self.expr_of(body, right, &Ty::Number);
                Expr { kind: ExprKind::Range(Box::new(left), Box::new(right)), ty: Ty::Number.set(), span }
            }
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem | Op::Both => {
                self.arithmetic(body, op, left, right, hint, span)
            }
        }
    }

    /// Two operands, of which one may get its meaning from the other.
    pub(super) fn pair(&mut self, body: &mut Body, left: &ast::Expr, right: &ast::Expr) -> (Expr, Expr) {
        let text = matches!(left.kind, ast::ExprKind::Text(_));
        if text || self.waits(body, left) && !self.waits(body, right) {
            let right = self.expr(body, right);
            let left = self.expr_in(body, left, Some(&right.ty));
            (left, right)
        } else {
            let left = self.expr(body, left);
            let right = self.expr_in(body, right, Some(&left.ty));
            (left, right)
        }
    }

    /// Whether an expression means something only where a type is expected.
    fn waits(&self, body: &Body, written: &ast::Expr) -> bool {
        match &written.kind {
            ast::ExprKind::Name(name) => self.needs_hint(body, name),
            // A site, where one is expected.
            ast::ExprKind::Text(_) => true,
            ast::ExprKind::List(items) => items.iter().all(|item| self.waits(body, item)),
            ast::ExprKind::If(_, then, or_else) => self.waits(body, then) && self.waits(body, or_else),
            ast::ExprKind::Call(callee, args) => match (&callee.kind, args.as_slice()) {
                (ast::ExprKind::Name(name), [first, ..]) if matches!(name.as_str(), "opposite" | "rotate") => {
                    self.waits(body, first)
                }
                (ast::ExprKind::Name(name), [_]) if matches!(name.as_str(), "site" | "sites") => {
                    self.rules.boards.len() > 1 && !self.names_board(body, args)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn comparison(&mut self, body: &mut Body, op: Op, left: &ast::Expr, right: &ast::Expr, span: Span) -> Expr {
        // The parser has reported comparisons in a row.
        let chained = matches!(&left.kind, ast::ExprKind::Binary(op, _, last)
            if matches!(op, Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge) && last.span.end == left.span.end);
        let (left, right) = self.pair(body, left, right);
        if left.ty == Ty::Error || right.ty == Ty::Error {
            return Expr { kind: ExprKind::Word(0), ty: Ty::Flag, span };
        }
        if !chained && let Some(found) = self.table_comparison(op, &left, &right, span) {
            return found;
        }
        let equality = matches!(op, Op::Eq | Op::Ne);
        let nothing = |expr: &Expr| matches!(expr.kind, ExprKind::Nothing | ExprKind::Empty);
        if equality && (nothing(&left) || nothing(&right)) {
            let other = if nothing(&left) { right } else { left };
            return self.is_nothing(body, other, op == Op::Eq, span);
        }
        if chained {
            return Expr { kind: ExprKind::Word(0), ty: Ty::Flag, span };
        }
        let Some(common) = self.unify(&left.ty, &right.ty) else {
            let (one, two) = (self.type_name(&left.ty), self.type_name(&right.ty));
            let mut found = Diagnostic::new(Code::Uncomparable, span, format!("{one} cannot be compared with {two}"));
            let counted = |set: &Expr, number: &Expr| set.ty.is_many() && *number.ty.bare() == Ty::Number;
            let named =
                |text: &Expr, of: &Expr| *text.ty.bare() == Ty::Text && matches!(of.ty.element().bare(), Ty::Entity(_));
            if let Some(help) = self.meant_outer(body, &left, &right) {
                found = found.help(help);
            } else if let Some(help) = self.gathered_another(&left, &right) {
                found = found.help(help);
            } else if named(&left, &right) || named(&right, &left) {
                found = found.help(BY_NAME);
            } else if let Some(help) = seated(&left, &right).or_else(|| seated(&right, &left)) {
                found = found.help(help);
            } else if counted(&left, &right) || counted(&right, &left) {
                let set = if left.ty.is_many() { left.span } else { right.span };
                let before = Span { end: set.start, ..set };
                found = found.help("how many there are is written `count` before it: `count me.hand = 5`");
                found = found.mend(before, "count ");
            }
            self.report(found);
            return Expr { kind: ExprKind::Word(0), ty: Ty::Flag, span };
        };
        let ordered =
            matches!(common.bare(), Ty::Number) || matches!(&common, Ty::List(inner) if **inner == Ty::Number);
        if !equality && !ordered {
            let what = self.type_name(&common);
            let mut found =
                Diagnostic::new(Code::Uncomparable, span, format!("{what} has no order: only `=` and `!=` compare it"));
            found = match common.bare() {
                Ty::Enum(_) => found.help("compare their places in the enum: `index(...)`"),
                Ty::Set(item) if **item == Ty::Number => found.help(OF_NUMBERS),
                Ty::Set(_) => found.help(OF_SETS),
                _ => found,
            };
            self.report(found);
        }
        if equality
            && let Some(found) = (self.kind_for_one(&left, &right, span))
                .or_else(|| self.kind_for_one(&right, &left, span))
                .or_else(|| self.several_for_one(&left, &right, span))
                .or_else(|| self.several_for_one(&right, &left, span))
        {
            self.report(found);
            return Expr { kind: ExprKind::Word(0), ty: Ty::Flag, span };
        }
        if equality {
            self.one_against_set(&left, &right, op == Op::Eq);
        }
        if !matches!(left.kind, ExprKind::Word(_) | ExprKind::Option(_)) && left.same(&right) {
            let found = Diagnostic::new(Code::NeverTrue, span, "both sides are the same, so this is always the same");
            let outer = body.subjects.iter().rev().skip(1).find_map(|outer| body.given_name(outer.place));
            let help = match outer {
                Some(outer) => format!("`it` is the member of the innermost set; that of the outer set is `{outer}`"),
                None => "`it` is the member of the innermost set; name that of the outer set with `as`".to_owned(),
            };
            self.report(found.help(help));
        }
        let wanted = if common.is_many() { common.clone() } else { common.bare().clone() };
        let (left, right) = (self.coerce(left, &wanted), self.coerce(right, &wanted));
        let op = match op {
            Op::Ne => CompareOp::Ne,
            Op::Lt => CompareOp::Lt,
            Op::Le => CompareOp::Le,
            Op::Gt => CompareOp::Gt,
            Op::Ge => CompareOp::Ge,
            _ => CompareOp::Eq,
        };
        Expr { kind: ExprKind::Compare(op, Box::new(left), Box::new(right)), ty: Ty::Flag, span }
    }

    /// Whether one side is `it`, or belongs to it, and the other would fit the member of an outer set.
    fn meant_outer(&self, body: &Body, left: &Expr, right: &Expr) -> Option<String> {
        let (inner, outer) = body.subjects.split_last()?;
        let of_it = |side: &Expr| match (&side.kind, inner.place) {
            (ExprKind::Local(local), Place::Local(it)) => *local == it,
            _ => false,
        };
        let fits = |side: &Expr| outer.iter().any(|subject| self.unify(&subject.ty, side.ty.bare()).is_some());
        let meant = of_it(left) && fits(right) || of_it(right) && fits(left);
        meant.then(|| OF_OUTER.to_owned())
    }

    /// `x = nothing`, `s != []`
    fn is_nothing(&mut self, body: &Body, value: Expr, equal: bool, span: Span) -> Expr {
        let declared = match value.kind {
            ExprKind::Local(local) => body.local(local).map(|local| &local.ty),
            ExprKind::This => body.this.as_ref(),
            _ => None,
        };
        // A condition before may have said that it is something: asking again is no mistake.
        let asked_before = matches!(declared, Some(Ty::Maybe(_)));
        if !asked_before && !matches!(value.ty, Ty::Maybe(_) | Ty::Set(_) | Ty::List(_) | Ty::Nothing | Ty::Effect(_)) {
            let what = self.type_name(&value.ty);
            let found = Diagnostic::new(Code::Uncomparable, span, format!("this is {what}, which is never nothing"));
            self.report(found);
        }
        let some = Expr { kind: ExprKind::Some(Box::new(value)), ty: Ty::Flag, span };
        if equal { Expr { kind: ExprKind::Not(Box::new(some)), ty: Ty::Flag, span } } else { some }
    }

    fn membership(&mut self, body: &mut Body, item: &ast::Expr, set: &ast::Expr, not: bool, span: Span) -> Expr {
        let (item, set) = if self.waits(body, set) && !self.waits(body, item) {
            let item = self.expr(body, item);
            let wanted = item.ty.bare().clone().set();
            let set = self.many(body, set, Some(&wanted));
            (item, set)
        } else {
            let set = self.many(body, set, None);
            let wanted = set.ty.element().clone();
            let item = self.expr_in(body, item, Some(&wanted));
            (item, set)
        };
        let result = |kind| Expr { kind, ty: Ty::Flag, span };
        if item.ty == Ty::Error || set.ty == Ty::Error {
            return broken(span);
        }
        if item.ty.is_many() || self.unify(item.ty.bare(), set.ty.element()).is_none() {
            let (one, many) = (self.type_name(&item.ty), self.type_name(&set.ty));
            let mut found = Diagnostic::new(Code::Uncomparable, span, format!("{one} cannot be in {many}"));
            if item.ty.is_many() {
                found = found.help(SHARED);
            } else if *item.ty.bare() == Ty::Text && matches!(set.ty.element().bare(), Ty::Entity(_)) {
                found = found.help(BY_NAME);
            }
            self.report(found);
            return result(ExprKind::Word(0));
        }
        let found = result(ExprKind::In(Box::new(item), Box::new(set)));
        if not { result(ExprKind::Not(Box::new(found))) } else { found }
    }

    fn arithmetic(
        &mut self,
        body: &mut Body,
        op: Op,
        left: &ast::Expr,
        right: &ast::Expr,
        hint: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let (hint, first, written) = (hint.filter(|ty| ty.is_many() || fills_table(ty, [left, right])), left, right);
        let (left, right) = match hint {
            Some(hint) if !hint.is_many() || self.waits(body, left) || self.waits(body, right) => {
                (self.expr_in(body, left, Some(hint)), self.expr_in(body, right, Some(hint)))
            }
            _ => self.pair(body, left, right),
        };
        if left.ty == Ty::Error || right.ty == Ty::Error {
            return broken(span);
        }
        if let Some(found) = self.table_arithmetic(op, &left, &right, span) {
            return found;
        }
        let number = |expr: &Expr| *expr.ty.bare() == Ty::Number;
        if number(&left) && number(&right) {
            return self.number_arithmetic(op, left, right, span);
        }
        if let (Op::Add | Op::Sub, Some(middle)) = (op, super::sets::shared(written)) {
            self.report(super::sets::joined_and_shared(op, left.span, middle, right.span));
        }
        self.note_order(first, op, &left.ty, span);
        self.set_arithmetic(op, left, right, span)
    }

    pub(super) fn number_arithmetic(&mut self, op: Op, left: Expr, right: Expr, span: Span) -> Expr {
        let op = match op {
            Op::Add => BinaryOp::Add,
            Op::Sub => BinaryOp::Sub,
            Op::Mul => BinaryOp::Mul,
            Op::Div => BinaryOp::Div,
            Op::Rem => BinaryOp::Rem,
            _ => {
                self.error(Code::WrongType, span, "`&` joins sets, not numbers");
                return broken(span);
            }
        };
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) && matches!(right.kind, ExprKind::Word(0)) {
            self.error(Code::OutOfRange, right.span, "this divides by zero");
        }
        // With nothing, nothing comes out.
        let maybe = [&left, &right].into_iter().any(|side| matches!(side.ty, Ty::Maybe(_)));
        let ty = if maybe { Ty::Number.maybe() } else { Ty::Number };
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span }
    }

    fn set_arithmetic(&mut self, op: Op, left: Expr, right: Expr, span: Span) -> Expr {
        let op = match op {
            Op::Add => BinaryOp::Union,
            Op::Sub => BinaryOp::Difference,
            Op::Both => BinaryOp::Both,
            _ => {
                let set = if *left.ty.bare() == Ty::Number { &right } else { &left };
                let what = self.type_name(&set.ty);
                let found =
                    Diagnostic::new(Code::WrongType, set.span, format!("this should be a number, but it is {what}"));
                self.report(found);
                return broken(span);
            }
        };
        let element = self.unify(left.ty.element(), right.ty.element());
        let usable = |ty: &Ty| !matches!(ty, Ty::Flag | Ty::Lambda(..) | Ty::Effect(_) | Ty::Cause);
        let element = element.map(|ty| ty.bare().clone());
        let mixed = *left.ty.bare() == Ty::Number || *right.ty.bare() == Ty::Number;
        let (true, Some(element)) = (!mixed || left.ty.is_many() || right.ty.is_many(), element.filter(usable)) else {
            let (one, two) = (self.type_name(&left.ty), self.type_name(&right.ty));
            let mut found =
                Diagnostic::new(Code::WrongType, span, format!("{one} and {two} cannot be joined like this"));
            if matches!(right.kind, ExprKind::Collect { .. } | ExprKind::Fold { .. }) {
                found = found.help(
                    "all that is joined behind the `of` before it belongs to its set: put brackets around it, \
                     `(union f(it) of A) + gather g(it) of B`",
                );
            } else if matches!(left.kind, ExprKind::Count(_)) && right.ty.is_many() {
                found =
                    found.help("`count` counts what stands next to it: put brackets around all of it, `count (A & B)`");
            }
            self.report(found);
            return broken(span);
        };
        let lists = [&left, &right].iter().any(|expr| matches!(expr.ty, Ty::List(_)));
        let sets = [&left, &right].iter().any(|expr| matches!(expr.ty, Ty::Set(_)));
        let ty = if lists && !sets { Ty::List(Box::new(element)) } else { element.set() };
        // What is in both is of the narrower kind, and what is left of a set is of its own.
        let (one, two) = (left.ty.element().bare().clone(), right.ty.element().bare().clone());
        let narrow = match (op, &one, &two) {
            (BinaryOp::Both, Ty::Entity(wide), Ty::Entity(own)) if self.rules.is_below(*own, *wide) => Some(two),
            (BinaryOp::Both | BinaryOp::Difference, Ty::Entity(_), Ty::Entity(_)) => Some(one),
            _ => None,
        };
        let (left, right) = (self.coerce(left, &ty), self.coerce(right, &ty));
        let ty = match narrow.filter(|_| matches!(ty, Ty::Set(_))) {
            Some(narrow) => narrow.set(),
            None => ty,
        };
        Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), ty, span }
    }

    /// `A is KIND`, and `A is KIND "Name"`, which asks whether it is one of that definition.
    fn is(
        &mut self,
        body: &mut Body,
        value: &ast::Expr,
        not: bool,
        (kind, entry): (&ast::Ident, Option<&ast::Ident>),
        span: Span,
    ) -> Expr {
        let value = self.expr(body, value);
        let flag = |kind| Expr { kind, ty: Ty::Flag, span };
        let Some(id) = self.kind_named(&kind.text) else {
            let (code, message) = match self.names.get(&kind.text) {
                Some(decl) => (Code::NotAKind, format!("`{}` is {}, not a kind", kind.text, decl.noun())),
                None => (Code::UnknownKind, format!("there is no kind `{}`", kind.text)),
            };
            let mut found = Diagnostic::new(code, kind.span, message);
            if let Some(best) = self.nearest_of(&kind.text, |decl| matches!(decl, super::collect::Decl::Kind(_))) {
                found = found.did_you_mean(best);
            } else if let Some(help) = self.no_kind(&value, &kind.text, not) {
                found = found.help(help);
            } else if !matches!(value.ty.bare(), Ty::Entity(_))
                || body.find(&kind.text).is_some()
                || matches!(kind.text.as_str(), "me" | "this" | "mover" | "it")
            {
                let same = if not { "!=" } else { "=" };
                found = found.help(format!("`is` asks for a kind; values are compared: `... {same} {}`", kind.text));
            }
            self.report(found);
            return flag(ExprKind::Word(0));
        };
        self.uses.kinds.insert(id);
        self.means(kind);
        // What an earlier test has said does not count: asking again is only redundant.
        let declared = match value.kind {
            ExprKind::Local(local) => body.local(local).map_or(Ty::Error, |local| local.ty.clone()),
            _ => value.ty.clone(),
        };
        match declared.bare() {
            Ty::Entity(own) => {
                let loose = matches!(value.kind, ExprKind::Source);
                if !loose && !self.rules.is_below(*own, id) && !self.rules.is_below(id, *own) {
                    let message = format!("a `{}` is never a `{}`", self.kind_name(*own), kind.text);
                    self.error(Code::NeverTrue, span, message);
                }
            }
            Ty::Error => return flag(ExprKind::Word(0)),
            other => {
                let what = self.type_name(other);
                let mut found = Diagnostic::new(
                    Code::WrongType,
                    value.span,
                    format!("only cards and pieces have a kind, and this is {what}"),
                );
                if other.is_many() {
                    found = found.help(format!("pick those of the kind: `... where it is {}`", kind.text));
                } else if matches!(value.kind, ExprKind::Local(local) if body.is_a_member(local)) {
                    let help = "this is a member of what stands directly before `where`; what is collected is filtered in brackets: \
                                `(union F of S) where ...`";
                    found = found.help(help);
                }
                self.report(found);
                return flag(ExprKind::Word(0));
            }
        }
        let of_kind = |value| flag(ExprKind::Is(Box::new(value), id));
        let is = match entry {
            None => of_kind(value),
            // That it is of the kind is said, too, for what stands behind: there it has the properties of the kind.
            Some(name) => {
                let all = Box::new(self.entry_set(kind, name, kind.span.to(name.span)));
                let one = flag(ExprKind::In(Box::new(value.clone()), all));
                flag(ExprKind::And(Box::new(of_kind(value)), Box::new(one)))
            }
        };
        if not { flag(ExprKind::Not(Box::new(is))) } else { is }
    }

    /// `A else B`: A unless it is missing or empty.
    fn otherwise(
        &mut self,
        body: &mut Body,
        value: &ast::Expr,
        other: &ast::Expr,
        hint: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let value = self.expr_in(body, value, hint);
        let ty = value.ty.bare().clone();
        let other = self.expr_in(body, other, hint.or(Some(&ty)));
        if value.ty == Ty::Error || other.ty == Ty::Error {
            return broken(span);
        }
        if !matches!(value.ty, Ty::Maybe(_)) && !value.ty.is_many() {
            let what = self.type_name(&value.ty);
            let found = Diagnostic::new(Code::WrongType, value.span, format!("this is {what}, which is never missing"))
                .help("`else` stands behind what may be `nothing` or empty: `first(x) else y`");
            self.report(found);
            return broken(span);
        }
        let cond = Expr { kind: ExprKind::Some(Box::new(value.clone())), ty: Ty::Flag, span: value.span };
        self.either(cond, Expr { ty, ..value }, other, span)
    }

    fn if_expr(
        &mut self,
        body: &mut Body,
        cond: &ast::Expr,
        then: &ast::Expr,
        or_else: &ast::Expr,
        hint: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let cond = self.flag(body, cond);
        let waits = hint.is_none() && self.waits(body, then);
        let (then, or_else) = if waits {
            let or_else = self.where_so(body, (&cond, false), |checker, body| checker.expr(body, or_else));
            let hint = Some(&or_else.ty);
            (self.where_so(body, (&cond, true), |checker, body| checker.expr_in(body, then, hint)), or_else)
        } else {
            let then = self.where_so(body, (&cond, true), |checker, body| checker.expr_in(body, then, hint));
            let hint = hint.or(Some(&then.ty));
            let or_else = self.where_so(body, (&cond, false), |checker, body| checker.expr_in(body, or_else, hint));
            (then, or_else)
        };
        self.either(cond, then, or_else, span)
    }

    /// One or the other, of one type.
    fn either(&mut self, cond: Expr, then: Expr, or_else: Expr, span: Span) -> Expr {
        if then.ty == Ty::Error || or_else.ty == Ty::Error {
            return broken(span);
        }
        let Some(ty) = self.unify(&then.ty, &or_else.ty) else {
            let (one, two) = (self.type_name(&then.ty), self.type_name(&or_else.ty));
            let found =
                Diagnostic::new(Code::WrongType, or_else.span, format!("this is {two}, but the other way gives {one}"))
                    .label(then.span, "the other way");
            self.report(found);
            return broken(span);
        };
        let (then, or_else) = (self.coerce(then, &ty), self.coerce(or_else, &ty));
        Expr { kind: ExprKind::If(Box::new(cond), Box::new(then), Box::new(or_else)), ty, span }
    }
}
