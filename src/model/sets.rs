//! Filters, folds and quantifiers: everything that looks at the members of a set one by one and so opens a subject.

use super::body::{Body, Callee, Place, Subject};
use super::check::{Checker, broken};
use super::collect::Decl;
use super::index::Sort;
use super::rules::{CollectOp, CompareOp, Expr, ExprKind, FoldOp, LocalId, PropClass, PropId, Ty};
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::{self, Ident};
use crate::syntax::folds;

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
    /// An expression that must be a set or list, or stands for one.
    pub(super) fn many(&mut self, body: &mut Body, written: &ast::Expr, hint: Option<&Ty>) -> Expr {
        if self.joins_sets_by_words(body, written) {
            return broken(written.span);
        }
        let expr = self.expr_in(body, written, hint);
        self.as_many(expr)
    }

    /// Reports what joins conditions where a set stands, and a name before an `in` that means nothing yet.
    pub(super) fn joins_sets_by_words(&mut self, body: &Body, written: &ast::Expr) -> bool {
        let found = if let ast::ExprKind::Binary(ast::BinaryOp::And, one, other) = &written.kind {
            let joint = Span { start: one.span.end, end: other.span.start, ..written.span };
            let found = Diagnostic::new(Code::BadDomain, written.span, "`and` joins conditions, and a set stands here");
            Some(found.help("both together are `A + B`").mend(joint, " + "))
        } else if let ast::ExprKind::Binary(ast::BinaryOp::Or, _, other) = &written.kind {
            let none = matches!(&other.kind, ast::ExprKind::Name(name) if matches!(name.as_str(), "pass" | "nothing" | "none" | "nobody"));
            let found = Diagnostic::new(Code::BadDomain, written.span, "`or` joins conditions, and a set stands here");
            Some(found.help(match none {
                true => "who may also choose nothing chooses `up to 1`: `choose up to 1 c in ...`",
                false => "what is in one set or the other is `A + B`",
            }))
        } else {
            self.named_by_in(body, written)
        };
        let wrong = found.is_some();
        found.into_iter().for_each(|found| self.report(found));
        wrong
    }

    /// `every c in S meets`, `some (c in S where ...)`: a name that means nothing yet, before an `in` where a set stands.
    fn named_by_in(&self, body: &Body, written: &ast::Expr) -> Option<Diagnostic> {
        let ast::ExprKind::Binary(ast::BinaryOp::In, member, set) = &written.kind else { return None };
        let ast::ExprKind::Name(name) = &member.kind else { return None };
        let known = body.find(name).is_some()
            || self.names.contains_key(name)
            || self.enum_values.contains_key(name)
            || body.subjects.iter().any(|subject| self.member_of(&subject.ty, name).is_some());
        if known {
            return None;
        }
        let blank = Span { end: set.span.start, ..member.span };
        let behind = Span { start: written.span.end, ..written.span };
        let found = Diagnostic::new(Code::BadDomain, written.span, "a member of a set is named behind it, with `as`")
            .help(format!("write `S as {name}`"));
        Some(found.mends(vec![(blank, String::new()), (behind, format!(" as {name}"))], true))
    }

    /// A set or list as it is, a single value as the set of it.
    pub(super) fn as_many(&mut self, expr: Expr) -> Expr {
        match &expr.ty {
            Ty::Set(_) | Ty::List(_) | Ty::Error => expr,
            Ty::PerDirection(inner) => Expr { ty: Ty::List(inner.clone()), ..expr },
            Ty::Table(_, inner) => {
                Expr { ty: Ty::List(inner.clone()), kind: ExprKind::List(self.values_of(&expr)), ..expr }
            }
            Ty::Number | Ty::Flag | Ty::Lambda(..) | Ty::Effect(_) => {
                let what = self.type_name(&expr.ty);
                let mut found =
                    Diagnostic::new(Code::BadDomain, expr.span, format!("this should be a set, but it is {what}"));
                match (&expr.kind, &expr.ty) {
                    (ExprKind::Compare(..), _) => {
                        let help = "`sum F of S` and its like take all that follows: `(sum cost of deck) = 5`";
                        found = found.help(help);
                    }
                    (ExprKind::Count(_), _) => found = found.help("the numbers from 1 on are `1..count S`"),
                    (_, Ty::Number) => found = found.help("the numbers from 1 on are `1..n`"),
                    _ => {}
                }
                self.report(found);
                broken(expr.span)
            }
            single => {
                let ty = single.bare().clone().set();
                let span = expr.span;
                Expr { kind: ExprKind::ToSet(Box::new(expr)), ty, span }
            }
        }
    }

    /// Warns of `it` where the member has a name, and that of a set around has none: whoever gave the one a name means the other.
    pub(super) fn it_beside_a_name(&mut self, body: &Body, place: Place, span: Span) {
        let Some(name) = body.given_name(place) else { return };
        let unnamed =
            |outer: &Subject| matches!(outer.place, Place::Local(_)) && body.given_name(outer.place).is_none();
        if body.subjects.iter().rev().skip(1).any(unnamed) {
            let message = format!("`it` is `{name}` here, the member of the innermost set");
            let found = Diagnostic::new(Code::ItBesideAName, span, message);
            let help = format!(
                "write `{name}` if that is meant; name the member of the set around with `as`, too, if that is"
            );
            self.report(found.help(help));
        }
    }

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
        body.named_at(name.map_or(Span::default(), |name| name.span));
        if let Some(name) = name {
            self.declares_local(&name.text, name.span, &ty, Sort::Local);
        }
        if body.bound_over.contains(&over.span)
            && let Some(name) = body.binding.clone()
            && body.find(&name.text).is_none()
            && self.member_of(&ty, &name.text).is_none()
        {
            body.also(&name, binder);
        }
        body.subjects.push(Subject { place: Place::Local(binder), ty });
        let (facts, before) = (body.facts.len(), self.diagnostics.len());
        let result = inside(self, body);
        body.facts.truncate(facts);
        // Who writes `it` there may mean the member of the set around.
        let mistaken = |found: &&mut Diagnostic| {
            found.code == Code::WrongType && found.help.is_none() && body.inner_its.contains(&found.span)
        };
        for found in self.diagnostics.iter_mut().skip(before).filter(mistaken) {
            found.help = Some(
                "`it` is the member of the innermost set; name that of the outer set with `as`: `... as x where ... x`"
                    .to_owned(),
            );
        }
        // What is an error for it is said once.
        let beside = |found: &Diagnostic| found.code == Code::ItBesideAName;
        if self.diagnostics.iter().skip(before).any(beside) {
            let others = self.diagnostics.iter().skip(before).filter(|found| !beside(found));
            let others: Vec<Span> = others.map(|found| found.span).collect();
            let within = |outer: &Span, inner: Span| outer.start <= inner.start && inner.end <= outer.end;
            self.diagnostics.retain(|found| !beside(found) || !others.iter().any(|other| within(other, found.span)));
        }
        body.subjects.pop();
        body.close(mark);
        (binder, result)
    }

    /// The set of a statement that binds a name to one of its members, or to each: in what filters and sorts the set, the name
    /// is a member already.
    pub(super) fn domain_of<T>(
        &mut self,
        body: &mut Body,
        name: &Ident,
        domain: &ast::Expr,
        check: impl FnOnce(&mut Self, &mut Body) -> T,
    ) -> T {
        body.binding = Some(name.clone());
        filtered(domain, &mut body.bound_over);
        let found = check(self, body);
        body.binding = None;
        body.bound_over.clear();
        found
    }

    /// `count S where COND`: the filter is taken for one of the number.
    fn count_filtered(&mut self, counted: &ast::Expr, count: Span, cond: &ast::Expr) {
        // What is behind a first comparison compares the number.
        let compares = |expr: &&ast::Expr| {
            use ast::BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
            matches!(&expr.kind, ast::ExprKind::Binary(Eq | Ne | Lt | Le | Gt | Ge, ..))
        };
        let mut last = cond;
        while let ast::ExprKind::Binary(_, left, _) = &last.kind
            && Some(last).filter(compares).is_some()
            && Some(&**left).filter(compares).is_some()
        {
            last = left;
        }
        let message = "`count` counts what stands right behind it, and a filter needs a set";
        let (first, last) =
            (Span { end: counted.span.start, ..counted.span }, Span { start: last.span.end, ..last.span });
        let edits = vec![(first, "(".to_owned()), (last, ")".to_owned())];
        let help = "put the set and its filter in brackets: `count (S where COND)`";
        self.report(Diagnostic::new(Code::BadDomain, count, message).help(help).mends(edits, true));
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
        if let ast::ExprKind::Unary(ast::UnaryOp::Count, counted) = &over.kind {
            self.count_filtered(counted, over.span, cond);
            return broken(span);
        }
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
        let before = self.diagnostics.len();
        let set = self.many(body, over, None);
        if let ast::ExprKind::Where(_, asked) = &over.kind
            && asked.span.end == over.span.end
            && matches!(op, ast::FoldOp::Gather | ast::FoldOp::Values | ast::FoldOp::Union | ast::FoldOp::Reach)
        {
            let it = |side: &ast::Expr| matches!(&side.kind, ast::ExprKind::Name(name) if name == "it");
            let about_it = matches!(&asked.kind, ast::ExprKind::Binary(_, left, right) if it(left) || it(right));
            let of_it = |found: &&mut Diagnostic| {
                let unsaid = found.help.as_ref().is_none_or(|help| help.starts_with("`it` is"));
                about_it && found.code == Code::Uncomparable && unsaid && asked.span.covers(found.span)
            };
            for found in self.diagnostics.iter_mut().skip(before).filter(of_it) {
                let word = format!("{op:?}").to_lowercase();
                found.help = Some(format!(
                    "here `it` is a member of the set; what comes of the members is asked behind brackets: `({word} F of S) where it ...`"
                ));
            }
        }
        if set.ty == Ty::Error {
            return broken(span);
        }
        let number = matches!(op, ast::FoldOp::Sum | ast::FoldOp::Min | ast::FoldOp::Max);
        let (binder, inner) = self.in_subject(body, over, &set, |checker, body| {
            if !number {
                let found = set.ty.element().bare().clone().set();
                return checker.expr_in(body, of, (op == ast::FoldOp::Reach).then_some(&found));
            }
            let inner = checker.expr_in(body, of, Some(&Ty::Number));
            if matches!(inner.ty, Ty::Table(..)) { inner } else { checker.coerce(inner, &Ty::Number) }
        });
        if inner.ty == Ty::Error {
            return broken(span);
        }
        if !number && self.sorts_results(body, over, &inner.ty) {
            let found = Diagnostic::new(Code::NeedsBrackets, span, "this can be read in two ways")
                .label(over.span, "what is sorted could be the set, or what comes of it")
                .help("put brackets around `... of` the set, `(values row(it) of mine) sorted by it`, or around the sorted set");
            self.report(found);
            return broken(span);
        }
        let (written, over, inner_type) = (over, Box::new(set), inner.ty.clone());
        if let ast::ExprKind::Binary(ast::BinaryOp::Add | ast::BinaryOp::Sub | ast::BinaryOp::Both, _, last) =
            &written.kind
            && !number
            && folds::is_open(written)
            && !inner.is_local(binder)
            && inner_type.element().bare() == over.ty.element()
        {
            let found = Diagnostic::new(Code::NeedsBrackets, span, "this can be read in two ways")
                .label(last.span, "this could be joined to the set, or to what comes of it")
                .help("put brackets around the set, or around `... of` it: `(union around(it) of mine) & free`");
            self.report(found);
            return broken(span);
        }
        if let Ty::Table(key, value) = &inner_type
            && number
            && **value != Ty::Number
        {
            let found = self.type_name(&Ty::Table(*key, value.clone()));
            self.error(Code::WrongType, inner.span, format!("this should be a number, but it is a `{found}`"));
            return broken(span);
        }
        let of_each = |op, body: Expr| Expr {
            kind: ExprKind::Fold { op, over: over.clone(), binder, body: Box::new(body) },
            ty: Ty::Number,
            span,
        };
        // Of tables, it is one number for each key.
        let fold = |op| match inner_type {
            Ty::Table(..) => {
                let values = self.values_of(&inner).into_iter().map(|value| of_each(op, value)).collect();
                Expr { kind: ExprKind::List(values), ty: inner_type.clone(), span }
            }
            _ => of_each(op, inner.clone()),
        };
        let collect = |op, ty| Expr {
            kind: ExprKind::Collect { op, over: over.clone(), binder, body: Box::new(inner.clone()) },
            ty,
            span,
        };
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
            ast::FoldOp::Reach => self.reach((&over, binder), inner, span),
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

    /// `reach F of S`: what is found is of the sort of what it is found from, and there are only so many of these.
    fn reach(&mut self, (over, binder): (&Expr, LocalId), inner: Expr, span: Span) -> Expr {
        let element = over.ty.element().bare().clone();
        if !matches!(element, Ty::Site(_) | Ty::Player | Ty::Enum(_) | Ty::Direction(_)) {
            let what = self.type_name(&over.ty);
            let found = Diagnostic::new(Code::WrongType, over.span, format!("`reach` does not go over {what}"))
                .help("it goes from sites to sites, and from players, enum values and directions likewise");
            self.report(found);
            return broken(span);
        }
        let set = element.set();
        let over = match over.ty {
            Ty::List(_) => Expr { kind: ExprKind::ToSet(Box::new(over.clone())), ty: set.clone(), span: over.span },
            _ => over.clone(),
        };
        let inner = self.coerce(inner, &set);
        if inner.ty == Ty::Error {
            return broken(span);
        }
        Expr {
            kind: ExprKind::Collect { op: CollectOp::Reach, over: Box::new(over), binder, body: Box::new(inner) },
            ty: set,
            span,
        }
    }

    /// `sum F of S + x`, as it is meant, where it is another than is written: a set behind a fold is joined to its set.
    pub(super) fn fold_meant(&mut self, body: &mut Body, written: &ast::Expr) -> Option<ast::Expr> {
        let ast::ExprKind::Binary(op, left, right) = &written.kind else { return None };
        if !folds::is_arithmetic(*op) {
            return None;
        }
        let meant = self.fold_meant(body, left);
        let changed = meant.is_some();
        let left = meant.map_or_else(|| left.clone(), Box::new);
        let over = folds::last_over(&left).cloned();
        let written = ast::Expr { kind: ast::ExprKind::Binary(*op, left, right.clone()), span: written.span };
        // What is wrong is told where it stands.
        match over {
            Some(over) if self.stands_behind(body, &over, right) => {
                if self.may_be_joined(body, &over) {
                    let found = Diagnostic::new(Code::NeedsBrackets, written.span, "this can be read in two ways")
                        .label(right.span, "this could be joined to the numbers, or to what comes of them")
                        .help("put brackets around the numbers, or around `... of` them: `(sum it of dice) + 1`");
                    self.report(found);
                    return Some(ast::Expr { kind: ast::ExprKind::Error, ..written });
                }
                changed.then_some(written)
            }
            Some(_) => folds::taken_in(&written),
            None => changed.then_some(written),
        }
    }

    /// Whether a number or table may be joined to what a fold goes over.
    fn may_be_joined(&mut self, body: &mut Body, over: &ast::Expr) -> bool {
        let what = self.type_of(body, over);
        matches!(what, Ty::Table(..)) || what != Ty::Number && *what.element() == Ty::Number
    }

    /// Whether what is joined to the set of a fold may belong to what comes of it: a number, or a table behind what is none.
    fn stands_behind(&mut self, body: &mut Body, left: &ast::Expr, right: &ast::Expr) -> bool {
        match self.type_of(body, right).bare() {
            Ty::Number | Ty::Error => true,
            Ty::Table(..) => !matches!(self.type_of(body, left).element(), Ty::Number | Ty::Table(..)),
            _ => false,
        }
    }

    /// The type of an expression, without a word about what is wrong with it. What is asked while this works is kept, since
    /// brackets in brackets would ask twice for each of them.
    fn type_of(&mut self, body: &mut Body, written: &ast::Expr) -> Ty {
        let outermost = self.folded.is_none();
        if let Some(known) = self.folded.get_or_insert_default().get(&written.span) {
            return known.clone();
        }
        let reported = self.diagnostics.len();
        let ty = self.expr(body, written).ty;
        self.diagnostics.truncate(reported);
        match &mut self.folded {
            Some(_) if outermost => self.folded = None,
            Some(known) => drop(known.insert(written.span, ty.clone())),
            None => {}
        }
        ty
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
            if let (ExprKind::Local(local), ast::ExprKind::Name(name)) = (&value.kind, &over.kind)
                && body.local(*local).is_some_and(|local| matches!(local.ty, Ty::Site(_)))
            {
                let message = format!("`{name}` is a site, and that is always there");
                let help = format!("whether something lies there: `{} pieces({name})`", if no { "no" } else { "some" });
                self.report(Diagnostic::new(Code::NeverTrue, span, message).help(help));
            }
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
        if cond.span.end != left.span.end || is_enclosed(cond) || self.probing {
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

    /// `S having least F`: a number, or numbers that are compared first to last.
    pub(super) fn having(&mut self, body: &mut Body, over: &ast::Expr, most: bool, of: &ast::Expr, span: Span) -> Expr {
        let set = self.many(body, over, None);
        if set.ty == Ty::Error {
            return broken(span);
        }
        let (binder, of) = self.in_subject(body, over, &set, |checker, body| {
            let of = checker.expr_in(body, of, Some(&Ty::Number));
            if is_numbers(&of.ty) { of } else { checker.coerce(of, &Ty::Number) }
        });
        let ty = set.ty.clone();
        Expr { kind: ExprKind::Having { over: Box::new(set), most, binder, body: Box::new(of) }, ty, span }
    }

    /// Whether the order of an unbracketed set could also be that of what a fold makes of its members.
    fn sorts_results(&mut self, body: &Body, over: &ast::Expr, result: &Ty) -> bool {
        let ast::ExprKind::Sorted { over: members, body: by, .. } = &over.kind else { return false };
        // Brackets are part of the place of what they enclose.
        if over.span.start < members.span.start || matches!(result.element().bare(), Ty::Entity(_)) {
            return false;
        }
        let before = self.diagnostics.len();
        let mut scratch = body.clone();
        let results = Expr { kind: ExprKind::Empty, ty: result.element().bare().clone().set(), span: members.span };
        let (binder, by) = self.in_subject(&mut scratch, members, &results, |checker, body| checker.expr(body, by));
        let fits = self.diagnostics.len() == before && by.ty != Ty::Error && by.mentions(binder);
        self.diagnostics.truncate(before);
        fits
    }

    /// `S sorted by F`
    pub(super) fn sorted(&mut self, body: &mut Body, over: &ast::Expr, of: &ast::Expr, down: bool, span: Span) -> Expr {
        let set = self.many(body, over, None);
        if set.ty == Ty::Error {
            return broken(span);
        }
        let (binder, mut key) = self.in_subject(body, over, &set, |checker, body| checker.expr(body, of));
        let ty = Ty::List(Box::new(set.ty.element().clone()));
        let by = |over: Expr, binder: LocalId, key: Expr| Expr {
            kind: ExprKind::Sorted { over: Box::new(over), down, binder, body: Box::new(key) },
            ty: ty.clone(),
            span,
        };
        match key.kind {
            // By the last first: those that are equal by one number stay as they lie.
            ExprKind::List(keys) if !keys.is_empty() && keys.iter().all(|key| *key.ty.bare() == Ty::Number) => {
                return keys.into_iter().rev().fold(set, |set, mut key| {
                    let member = body.fresh(set.ty.element().clone(), span);
                    key.rename(binder, member);
                    by(set, member, key)
                });
            }
            kind => key.kind = kind,
        }
        if is_numbers(&key.ty) {
            // Their order is that of how many come before each.
            let (other, mut less) = (body.fresh(set.ty.element().clone(), span), key.clone());
            less.rename(binder, other);
            let cond = ExprKind::Compare(CompareOp::Lt, Box::new(less), Box::new(key));
            let cond = Box::new(Expr { kind: cond, ty: Ty::Flag, span });
            let before = ExprKind::Where { over: Box::new(set.clone()), binder: other, cond };
            let before = Expr { kind: before, ty: set.ty.clone(), span };
            key = Expr { kind: ExprKind::Count(Box::new(before)), ty: Ty::Number, span };
        }
        if let Ty::Entity(kind) = key.ty.bare() {
            let what = self.type_name(key.ty.bare());
            let message = format!("{what} has no order, so nothing is sorted by it");
            let props = self.rules.kinds.get(kind.index()).map_or(&[][..], |kind| kind.props.as_slice());
            let printed = |prop: &&PropId| matches!(self.class_of(**prop), Some(PropClass::Field { .. }));
            let number = props.iter().filter(printed).find(|prop| *self.prop_type(**prop).bare() == Ty::Number);
            let by = number.map_or("entered", |prop| self.prop_name(*prop));
            let mut help = format!("say by what of it: `sorted by {by}`");
            if key.is_local(binder) {
                help += "; what comes of the members is sorted with brackets around it: `(values F of S) sorted by it`";
            }
            self.report(Diagnostic::new(Code::Uncomparable, key.span, message).help(help));
            return broken(span);
        }
        let sortable = matches!(
            key.ty.bare(),
            Ty::Number | Ty::Flag | Ty::Enum(_) | Ty::Player | Ty::Site(_) | Ty::Direction(_) | Ty::Error
        );
        if !sortable {
            let what = self.type_name(&key.ty);
            let message = format!("this sorts by a single value or a list of numbers, and this is {what}");
            self.error(Code::WrongType, key.span, message);
        }
        by(set, binder, key)
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
        self.means(action);
        let args = self.action_arguments(body, id, action, args);
        body.calls(Callee::Can(id), span);
        self.uses.actions.insert(id);
        flag(ExprKind::Can(Box::new(player), id, args))
    }
}

/// Whether what is joined by a sign stands in brackets, which are part of its place.
fn is_enclosed(written: &ast::Expr) -> bool {
    matches!(&written.kind, ast::ExprKind::Binary(_, first, last)
        if first.span.start > written.span.start && last.span.end < written.span.end)
}

/// What is filtered or sorted in a set, without what is worked out from members.
fn filtered(written: &ast::Expr, found: &mut Vec<Span>) {
    match &written.kind {
        ast::ExprKind::Where(over, _) | ast::ExprKind::Having { over, .. } | ast::ExprKind::Sorted { over, .. } => {
            found.push(over.span);
            filtered(over, found);
        }
        ast::ExprKind::As(over, _) => filtered(over, found),
        ast::ExprKind::Binary(_, left, right) | ast::ExprKind::If(_, left, right) => {
            filtered(left, found);
            filtered(right, found);
        }
        _ => {}
    }
}

/// Whether a value is a list of numbers: such are compared first to last.
fn is_numbers(ty: &Ty) -> bool {
    matches!(ty, Ty::List(item) if *item.bare() == Ty::Number)
}

impl Checker<'_> {
    /// `gather F of S` compared with something that is no `F` but may be a member of `S`.
    pub(super) fn gathered_another(&self, left: &Expr, right: &Expr) -> Option<String> {
        [(left, right), (right, left)].into_iter().find_map(|(set, other)| {
            let ExprKind::Collect { over, .. } = &set.kind else { return None };
            let (given, member) = (self.type_name(&set.ty), over.ty.element());
            let of_these = self.unify(other.ty.element().bare(), member.bare()).is_some();
            Some(match of_these {
                true => {
                    format!("`gather F of S` is what `F` comes to, {given}; the members themselves are `S where ...`")
                }
                false => format!("`gather F of S` is what `F` comes to, here {given}: gather what the other side is"),
            })
        })
    }
}

/// The place of the first of what is joined by `&`, where no brackets are around that.
pub(super) fn shared(written: &ast::Expr) -> Option<Span> {
    match &written.kind {
        ast::ExprKind::Binary(ast::BinaryOp::Both, left, right) if right.span.end == written.span.end => {
            Some(shared(left).unwrap_or(left.span))
        }
        _ => None,
    }
}

/// `A - B & C`: what stands first is not what is done first.
pub(super) fn joined_and_shared(op: ast::BinaryOp, first: Span, middle: Span, last: Span) -> Diagnostic {
    let sign = if op == ast::BinaryOp::Add { '+' } else { '-' };
    let at = |offset: u32, of: Span| Span { start: offset, end: offset, ..of };
    Diagnostic::new(Code::NeedsBrackets, first.to(last), "this can be read in two ways")
        .label(last, format!("`&` is worked out before `{sign}`, although it stands behind it"))
        .help(format!("write `(A {sign} B) & C` for what is read from left to right, or `A {sign} (B & C)`"))
        .mends(vec![(at(first.start, first), "(".to_owned()), (at(middle.end, middle), ")".to_owned())], false)
}

/// Whether a sum of sets, or of lists, to which more is added comes to something else in another order.
fn order_counts(sum: &ast::Expr, op: ast::BinaryOp, lists: bool) -> bool {
    match &sum.kind {
        ast::ExprKind::Binary(inner @ (ast::BinaryOp::Add | ast::BinaryOp::Sub), first, _) => {
            lists || *inner != op || order_counts(first, op, lists)
        }
        _ => false,
    }
}

impl Checker<'_> {
    /// Takes down sums of sets and lists to which the files of several packages add, and which do not come to the same in another order.
    pub(super) fn note_order(&mut self, sum: &ast::Expr, op: ast::BinaryOp, ty: &Ty, span: Span) {
        if sum.span.file != span.file && order_counts(sum, op, matches!(ty, Ty::List(_))) {
            self.ordered.push((sum.span, span));
        }
    }
}
