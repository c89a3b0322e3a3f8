//! What is legal and yet may surprise where expansions meet each other or a game that does not know what they add:
//! order that only their names settle, and new values of an enum that fall through to an `else`.

use std::collections::{BTreeMap, BTreeSet};

use super::check::Package;
use super::expansions::Overrides;
use crate::base::{Code, Diagnostic, Diagnostics, FileId, SourceMap, Span};
use crate::syntax::ast::{BinaryOp, Block, ClauseKind, EnumValue, Expr, ExprKind, ItemKind, MemberKind, Prop, Stage};
use crate::syntax::ast::{Clause, Stmt, StmtKind};
use crate::syntax::visit::{Visitor, walk_item};
use crate::syntax::words_in;

/// So many places of one sort are shown.
const FEW: usize = 3;

/// Packages, and which of them know each other.
struct Table<'a> {
    packages: &'a [Package],
    overrides: &'a Overrides,
    owner: BTreeMap<FileId, usize>,
}

impl<'a> Table<'a> {
    fn of(packages: &'a [Package], overrides: &'a Overrides) -> Table<'a> {
        let files = |(index, package): (usize, &'a Package)| package.files.iter().map(move |(file, _)| (*file, index));
        Table { packages, overrides, owner: packages.iter().enumerate().flat_map(files).collect() }
    }

    /// The finding that only the names of two expansions settle an order.
    fn by_name(&self, (earlier, first): (usize, Span), (later, span): (usize, Span), what: &str) -> Diagnostic {
        let (one, other) = (self.name(earlier), self.name(later));
        let message = format!("`{one}` and `{other}` both {what}, and only their names say which comes first");
        let help = format!(
            "say which comes later in its manifest: `overrides = [\"{one}\"]` in `{other}`, or the other way round"
        );
        Diagnostic::new(Code::SettledByName, span, message).label(first, format!("`{one}` comes first")).help(help)
    }

    fn name(&self, package: usize) -> &str {
        self.packages.get(package).map_or("", |package| package.header.name.as_str())
    }

    /// Whether one package depends on another, directly or through others.
    fn needs(&self, package: usize, other: usize) -> bool {
        let (mut open, mut seen) = (vec![self.name(package)], BTreeSet::new());
        while let Some(name) = open.pop() {
            let package = self.packages.iter().find(|package| package.header.name == name);
            let needs = package.map(|package| package.needs.as_slice()).unwrap_or_default();
            open.extend(needs.iter().map(String::as_str).filter(|name| seen.insert(*name)));
        }
        seen.contains(self.name(other))
    }

    /// Whether the author of one of two packages knew the other.
    fn acquainted(&self, one: usize, other: usize) -> bool {
        let overrides = |winner: usize, loser: usize| {
            self.overrides.contains(&(self.name(winner).to_owned(), self.name(loser).to_owned()))
        };
        one == other
            || self.needs(one, other)
            || self.needs(other, one)
            || overrides(one, other)
            || overrides(other, one)
    }

    fn expansion_of(&self, span: Span) -> Option<usize> {
        let package = *self.owner.get(&span.file)?;
        self.packages.get(package).filter(|package| package.expansion).map(|_| package)
    }
}

/// Warns of both. The changes have been made; `added` tells to what statements were added, and where.
pub(super) fn warn(
    packages: &[Package],
    overrides: &Overrides,
    sources: &SourceMap,
    added: &[(String, Span)],
) -> Diagnostics {
    if packages.iter().filter(|package| package.expansion).count() == 0 {
        return Diagnostics::new();
    }
    let table = Table::of(packages, overrides);
    let mut found = settled_by_name(&table, added);
    found.extend(new_values(&table, sources));
    found
}

/// Expansions that do not know each other, and both add to `setup` or to the same statements, or replace one event.
fn settled_by_name(table: &Table<'_>, added: &[(String, Span)]) -> Diagnostics {
    let mut places: BTreeMap<String, Vec<(usize, Span)>> = BTreeMap::new();
    let mut note = |what: String, span: Span| {
        if let Some(package) = table.expansion_of(span) {
            places.entry(what).or_default().push((package, span));
        }
    };
    for item in table.packages.iter().flat_map(|package| &package.files).flat_map(|(_, file)| &file.items) {
        match &item.kind {
            ItemKind::Setup { body } => body.stmts.iter().for_each(|stmt| note("add to `setup`".to_owned(), stmt.span)),
            ItemKind::Rule { clauses, .. } => clauses.iter().for_each(|clause| replaces(clause, &mut note)),
            ItemKind::Player { members } | ItemKind::Game { members } => members.iter().for_each(|member| {
                if let MemberKind::Clause(clause) = &member.kind {
                    replaces(clause, &mut note);
                }
            }),
            _ => {}
        }
    }
    added.iter().for_each(|(what, span)| note(what.clone(), *span));
    let mut found = Diagnostics::new();
    for (what, mut places) in places {
        places.sort_by_key(|(package, span)| (*package, *span));
        places.dedup_by_key(|(package, _)| *package);
        for (at, (later, span)) in places.iter().enumerate() {
            let strangers = |(earlier, _): &&(usize, Span)| !table.acquainted(*earlier, *later);
            let Some((earlier, first)) = places.iter().take(at).find(strangers) else { continue };
            found.push(table.by_name((*earlier, *first), (*later, *span), &what));
        }
    }
    found
}

fn replaces(clause: &Clause, note: &mut impl FnMut(String, Span)) {
    match &clause.kind {
        ClauseKind::Hook { stage: Stage::Instead, event, .. } => {
            note(format!("replace `{}`", event.verb.text), clause.span);
        }
        ClauseKind::Modify { stat, to: true, .. } => note(format!("say what `{}` is", stat.text), clause.span),
        _ => {}
    }
}

/// Expansions that do not know each other, and add to the same set and take away from it, or add to the same list: `ordered` has what each of
/// two says.
pub(super) fn ordered(packages: &[Package], overrides: &Overrides, ordered: &[(Span, Span)]) -> Diagnostics {
    let table = Table::of(packages, overrides);
    let mut found = Diagnostics::new();
    for (first, later) in ordered {
        let (Some(one), Some(other)) = (table.expansion_of(*first), table.expansion_of(*later)) else { continue };
        if !table.acquainted(one, other) {
            let what = "change the same set or list";
            found.push(table.by_name((one, *first), (other, *later), what));
        }
    }
    found
}

/// Values of an enum that others than the author of a text have added.
struct Known<'a> {
    /// All values that the text's package knows.
    known: BTreeSet<&'a str>,
    sources: &'a SourceMap,
    places: Vec<Span>,
}

fn new_values(table: &Table<'_>, sources: &SourceMap) -> Diagnostics {
    let items = || table.packages.iter().flat_map(|package| &package.files).flat_map(|(_, file)| &file.items);
    let mut found = Diagnostics::new();
    for item in items() {
        let ItemKind::Enum { name, values } = &item.kind else { continue };
        let by_others = |value: &&EnumValue| {
            let adder = table.expansion_of(value.name.span);
            adder.is_some() && adder != table.owner.get(&name.span.file).copied()
        };
        let mut adders: BTreeMap<usize, &EnumValue> = BTreeMap::new();
        for value in values.iter().filter(by_others) {
            adders.entry(table.expansion_of(value.name.span).unwrap_or_default()).or_insert(value);
        }
        for (adder, value) in adders {
            let mut places = Vec::new();
            for (index, package) in table.packages.iter().enumerate() {
                if index == adder || table.needs(index, adder) {
                    continue;
                }
                let knows = |value: &&EnumValue| {
                    let by = table.expansion_of(value.name.span);
                    by.is_none_or(|by| by == index || table.needs(index, by))
                };
                let known = values.iter().filter(knows).map(|value| value.name.text.as_str()).collect();
                let mut look = Known { known, sources, places: Vec::new() };
                for item in package.files.iter().flat_map(|(_, file)| &file.items) {
                    look.item(&mut item.kind.clone());
                }
                places.extend(look.places);
            }
            // What stands in the expansion's own files it has written itself.
            places.retain(|place| table.owner.get(&place.file) != Some(&adder));
            found.extend(unknown(value, &name.text, &places));
        }
    }
    found
}

fn unknown(value: &EnumValue, name: &str, places: &[Span]) -> Option<Diagnostic> {
    let more = places.len().saturating_sub(FEW);
    let message = format!("`{}` is new in `{name}`, and taken for another value elsewhere", value.name.text);
    let found = Diagnostic::new(Code::UntoldValue, value.name.span, message)
        .help("if that is not meant, change those places too: with `patch`, or with `replace`");
    let found = if more > 0 { found.note(format!("and so in {more} more")) } else { found };
    let label = |found: Diagnostic, place: &Span| found.label(*place, "it falls through to the last case here");
    (!places.is_empty()).then(|| places.iter().take(FEW).fold(found, label))
}

impl Known<'_> {
    fn item(&mut self, item: &mut ItemKind) {
        if let ItemKind::Zone { props, .. } | ItemKind::Board { props, .. } | ItemKind::Look { props, .. } = item {
            props.iter().for_each(|prop| self.prop(prop));
        }
        walk_item(self, item);
    }

    /// Which values of which expression a condition asks for.
    fn asked<'e>(&self, cond: &'e Expr) -> Option<(Vec<&str>, BTreeSet<&'e str>)> {
        let value = |expr: &'e Expr| match &expr.kind {
            ExprKind::Name(name) => self.known.contains(name.as_str()).then_some(name.as_str()),
            _ => None,
        };
        let words = |expr: &Expr| words_in(self.sources.slice(expr.span));
        match &cond.kind {
            ExprKind::Binary(BinaryOp::Eq, one, other) => match (value(one), value(other)) {
                (None, Some(name)) => Some((words(one), BTreeSet::from([name]))),
                (Some(name), None) => Some((words(other), BTreeSet::from([name]))),
                _ => None,
            },
            ExprKind::Binary(BinaryOp::In, one, other) => match &other.kind {
                ExprKind::List(all) => {
                    let names: Option<BTreeSet<&str>> = all.iter().map(value).collect();
                    Some((words(one), names?))
                }
                _ => None,
            },
            ExprKind::Binary(BinaryOp::Or, one, other) => {
                let ((what, mut names), (same, more)) = (self.asked(one)?, self.asked(other)?);
                names.extend(more);
                (what == same).then_some((what, names))
            }
            _ => None,
        }
    }

    /// Whether conditions in a row leave no case, or one only, of those that are known to what comes after them.
    fn exhausts(&self, conds: &[&Expr], has_else: bool) -> bool {
        let asked: Option<Vec<_>> = conds.iter().map(|cond| self.asked(cond)).collect();
        let Some(asked) = asked else { return false };
        let one_thing = asked.windows(2).all(|pair| matches!(pair, [one, other] if one.0 == other.0));
        let names: BTreeSet<&str> = asked.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let enough = if has_else { self.known.len().saturating_sub(1).max(1) } else { self.known.len() };
        one_thing && !names.is_empty() && names.len() >= enough
    }

    fn prop(&mut self, prop: &Prop) {
        let conds: Vec<&Expr> = prop.whens.iter().flatten().collect();
        if !conds.is_empty() && self.exhausts(&conds, conds.len() < prop.values.len()) {
            self.places.push(prop.span);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        let StmtKind::If { cond, or_else, .. } = &stmt.kind else { return false };
        let (mut conds, mut rest) = (vec![cond], or_else.as_ref());
        while let Some([Stmt { kind: StmtKind::If { cond, or_else, .. }, .. }]) =
            rest.map(|block| block.stmts.as_slice())
        {
            conds.push(cond);
            rest = or_else.as_ref();
        }
        self.exhausts(&conds, rest.is_some())
    }
}

impl Visitor for Known<'_> {
    fn expr(&mut self, expr: &mut Expr) -> bool {
        let ExprKind::If(cond, _, or_else) = &expr.kind else { return true };
        let (mut conds, mut rest) = (vec![&**cond], &**or_else);
        while let ExprKind::If(cond, _, or_else) = &rest.kind {
            conds.push(cond);
            rest = or_else;
        }
        let told = !self.exhausts(&conds, true);
        if !told {
            self.places.push(expr.span);
        }
        told
    }

    fn block(&mut self, block: &mut Block) -> bool {
        let chains: Vec<Span> = block.stmts.iter().filter(|stmt| self.stmt(stmt)).map(|stmt| stmt.span).collect();
        let inner = |place: &Span| self.places.iter().any(|outer| outer.covers(*place));
        let chains: Vec<Span> = chains.into_iter().filter(|place| !inner(place)).collect();
        self.places.extend(chains);
        true
    }
}
