//! Where the parts of what a name stands for come from: which package and which line says each.

use super::check::Package;
use super::merge::{Key, Merged, key};
use super::patch::member_name;
use crate::base::Span;
use crate::syntax::ast::{
    Clause, ClauseKind, EntryField, EntryFieldKind, ItemKind, Member, MemberKind, Prop, Stage, WindowPart,
};
use crate::syntax::visit::{Visitor, walk_item};

/// What a name stands for, and its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The word it is declared by, or its kind: `verb`, `stat`, `tool`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The package that declares it.
    pub package: String,
    /// Its parts, in the order in which they count; those of a definition's kind come after its own.
    pub parts: Vec<Part>,
}

/// A part of something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name, or what it is: `clause`.
    pub what: String,
    /// Where it stands.
    pub span: Span,
    /// The package in which it stands.
    pub package: String,
    /// Whether the definition says it itself, rather than its kind.
    pub own: bool,
    /// The package whose word counts instead.
    pub yields_to: Option<String>,
}

impl Part {
    fn of(what: &str, span: Span) -> Part {
        Part { what: what.to_owned(), span, package: String::new(), own: true, yields_to: None }
    }
}

/// The origins of everything of a name: items, definitions, and properties of kinds, players and the game.
pub(super) fn origins(packages: &[Package], name: &str, merged: &Merged) -> Vec<Origin> {
    let items = || packages.iter().flat_map(|package| &package.files).flat_map(|(_, file)| &file.items);
    let mut found = Vec::new();
    for item in items() {
        if let Some((key, span)) = key(item).filter(|(key, _)| key.1 == name || key.1.is_empty() && key.0 == name) {
            let parts = parts(packages, &item.kind, &key);
            found.push((key, span, parts));
        }
        let (sort, members) = match &item.kind {
            ItemKind::Kind { name, members, .. } => (name.text.as_str(), members),
            ItemKind::Player { members } => ("player", members),
            ItemKind::Game { members } => ("game", members),
            _ => continue,
        };
        if item_is(sort, &item.kind, name) {
            let key = (sort.to_owned(), String::new());
            found.push((key, item.span, members.iter().map(member_part).collect()));
        }
        for member in members.iter().filter(|member| member_name(&member.kind) == name) {
            let mut parts = vec![Part::of("declared", member.span)];
            parts.extend(hooks(packages, &|clause| match &clause.kind {
                ClauseKind::Modify { stat, .. } => (stat.text == name).then_some("modified"),
                _ => None,
            }));
            let word = member_word(&member.kind);
            found.push(((format!("{word} of {sort}"), name.to_owned()), member.span, parts));
        }
    }
    let owner = |span: Span| {
        let of = packages.iter().find(|package| package.files.iter().any(|(file, _)| *file == span.file));
        of.map(|package| package.header.name.clone()).unwrap_or_default()
    };
    let origin = |((kind, name), span, mut parts): (Key, Span, Vec<Part>)| {
        let key = (kind, name);
        let exchanged = merged.exchanged.iter().filter(|(of, _)| *of == key);
        parts.extend(exchanged.map(|(_, span)| Part::of("exchanged", *span)));
        let lost = merged.yielded.iter().filter(|lost| lost.key == key);
        parts.extend(lost.map(|lost| Part { yields_to: Some(lost.winner.clone()), ..Part::of(&lost.part, lost.span) }));
        for part in &mut parts {
            part.package = owner(part.span);
        }
        let (kind, name) = key;
        Origin { kind, name, span, package: owner(span), parts }
    };
    found.into_iter().map(origin).collect()
}

/// Whether an item without a name is asked for by its word.
fn item_is(sort: &str, kind: &ItemKind, name: &str) -> bool {
    matches!(kind, ItemKind::Player { .. } | ItemKind::Game { .. }) && sort == name
}

/// The parts of an item, and the clauses that wait for it.
fn parts(packages: &[Package], item: &ItemKind, key: &Key) -> Vec<Part> {
    let name = key.1.as_str();
    let hooking = || {
        hooks(packages, &|clause| match &clause.kind {
            ClauseKind::Hook { stage, event, .. } if event.verb.text == name => Some(match stage {
                Stage::Cannot => "cannot",
                Stage::Instead => "instead",
                Stage::Before => "before",
                Stage::After => "after",
            }),
            _ => None,
        })
    };
    let props = |props: &[Prop]| props.iter().map(|prop| Part::of(&prop.name.text, prop.span)).collect();
    let clauses = |clauses: &[Clause]| clauses.iter().map(|clause| Part::of("clause", clause.span)).collect::<Vec<_>>();
    match item {
        ItemKind::Entry { kind, fields, .. } => entry_parts(packages, &kind.text, fields),
        ItemKind::Enum { values, .. } => {
            values.iter().map(|value| Part::of(&value.name.text, value.name.span)).collect()
        }
        ItemKind::Option { default, .. } => vec![Part::of("default", default.span)],
        ItemKind::Kind { members, .. } | ItemKind::Player { members } | ItemKind::Game { members } => {
            members.iter().map(member_part).collect()
        }
        ItemKind::Zone { props: of, .. } | ItemKind::Board { props: of, .. } | ItemKind::Look { props: of, .. } => {
            props(of)
        }
        ItemKind::Verb { body, .. } | ItemKind::Action { body, .. } => {
            std::iter::once(Part::of("body", body.span)).chain(hooking()).collect()
        }
        ItemKind::Define { body, .. } => vec![Part::of("body", body.span)],
        ItemKind::Setup { body } | ItemKind::Flow { body } => {
            body.stmts.iter().map(|stmt| Part::of("statement", stmt.span)).collect()
        }
        ItemKind::Window { from, among, until, parts, .. } => {
            let among = among.iter().map(|among| Part::of("among", among.span));
            let until = until.iter().map(|until| Part::of("until", until.span));
            let part = |part: &WindowPart| match part {
                WindowPart::Silent(cond) => vec![Part::of("silent", cond.span)],
                WindowPart::Acts { acts, .. } => acts.iter().map(|act| Part::of("action", act.name.span)).collect(),
            };
            let head = std::iter::once(Part::of("from", from.span)).chain(among).chain(until);
            head.chain(parts.iter().flat_map(part)).collect()
        }
        ItemKind::Rule { when, clauses: of, .. } => {
            let when = when.iter().map(|when| Part::of("when", when.span));
            when.chain(clauses(of)).collect()
        }
        ItemKind::Script { file, .. } | ItemKind::Cards { file, .. } => vec![Part::of("file", file.span)],
        ItemKind::Link { orphan, .. } => orphan.iter().map(|(_, body)| Part::of("orphan", body.span)).collect(),
        ItemKind::Scenario { .. } | ItemKind::Patch { .. } | ItemKind::Replace { .. } | ItemKind::Remove { .. } => {
            Vec::new()
        }
    }
}

/// The fields and clauses of a definition, then what its kinds give it.
fn entry_parts(packages: &[Package], kind: &str, fields: &[EntryField]) -> Vec<Part> {
    let items = || packages.iter().flat_map(|package| &package.files).flat_map(|(_, file)| &file.items);
    let mut parts: Vec<Part> = fields.iter().map(own_part).collect();
    let mut kinds = Vec::new();
    let mut at = Some(kind);
    while let Some(name) = at.filter(|name| !kinds.contains(name)) {
        kinds.push(name);
        at = None;
        for item in items() {
            if let ItemKind::Kind { name: kind, parent, members } = &item.kind
                && kind.text == name
            {
                let of_kind = members.iter().filter_map(|member| inherited(member, &parts)).collect::<Vec<_>>();
                parts.extend(of_kind);
                at = Some(&parent.text);
            }
        }
    }
    parts
}

/// The clauses of all packages that are wanted, wherever they stand, each with what it is called.
fn hooks(packages: &[Package], wanted: &dyn Fn(&Clause) -> Option<&'static str>) -> Vec<Part> {
    struct Hooks<'a>(&'a dyn Fn(&Clause) -> Option<&'static str>, Vec<Part>);
    impl Visitor for Hooks<'_> {
        fn clause(&mut self, clause: &mut Clause) -> bool {
            self.1.extend((self.0)(clause).map(|what| Part::of(what, clause.span)));
            true
        }
    }
    let mut hooks = Hooks(wanted, Vec::new());
    for item in packages.iter().flat_map(|package| &package.files).flat_map(|(_, file)| &file.items) {
        walk_item(&mut hooks, &mut item.kind.clone());
    }
    hooks.1
}

fn own_part(field: &EntryField) -> Part {
    let what = match &field.kind {
        EntryFieldKind::Value { name, .. } | EntryFieldKind::Effect { name, .. } => name.text.as_str(),
        EntryFieldKind::Clause(_) => "clause",
        EntryFieldKind::Supersedes(_) => "supersedes",
    };
    Part::of(what, field.span)
}

fn member_part(member: &Member) -> Part {
    match &member.kind {
        MemberKind::Clause(_) => Part::of("clause", member.span),
        kind => Part::of(member_name(kind), member.span),
    }
}

/// The word that declares a member.
fn member_word(kind: &MemberKind) -> &'static str {
    match kind {
        MemberKind::Field { .. } => "field",
        MemberKind::Counter { .. } => "counter",
        MemberKind::Mark { .. } => "mark",
        MemberKind::Stat { .. } => "stat",
        MemberKind::StandsWhen { .. }
        | MemberKind::Seen { .. }
        | MemberKind::Notation { .. }
        | MemberKind::Clause(_) => "part",
    }
}

/// What a kind gives each of its definitions: fields that they do not give themselves, and clauses.
fn inherited(member: &Member, own: &[Part]) -> Option<Part> {
    let what = match &member.kind {
        MemberKind::Field { default: Some(_), .. } => member_name(&member.kind),
        MemberKind::Clause(_) => "clause",
        _ => return None,
    };
    let given = what != "clause" && own.iter().any(|part| part.what == what);
    (!given).then(|| Part { own: false, ..Part::of(what, member.span) })
}
