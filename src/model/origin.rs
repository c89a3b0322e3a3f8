//! Where the parts of a definition come from: which package and which line says each.

use super::check::Package;
use super::merge::{Yielded, key};
use super::patch::member_name;
use crate::base::Span;
use crate::syntax::ast::{EntryField, EntryFieldKind, ItemKind, Member, MemberKind};

/// A definition and its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its kind.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub span: Span,
    /// The package that defines it.
    pub package: String,
    /// Its parts, in the order in which they count; those of its kind come after its own.
    pub parts: Vec<Part>,
}

/// A part of a definition.
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

/// The origins of all definitions of a name.
pub(super) fn origins(packages: &[Package], name: &str, yielded: &[Yielded]) -> Vec<Origin> {
    let items = || packages.iter().flat_map(|package| &package.files).flat_map(|(_, file)| &file.items);
    let owner = |span: Span| {
        let of = packages.iter().find(|package| package.files.iter().any(|(file, _)| *file == span.file));
        of.map(|package| package.header.name.clone()).unwrap_or_default()
    };
    let mut found = Vec::new();
    for item in items() {
        let (ItemKind::Entry { kind, name: own, fields }, Some((key, _))) = (&item.kind, key(item)) else { continue };
        if own.text != name {
            continue;
        }
        let mut parts: Vec<Part> = fields.iter().map(own_part).collect();
        let mut kinds = Vec::new();
        let mut at = Some(kind.text.as_str());
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
        let lost = yielded.iter().filter(|lost| lost.key == key);
        parts.extend(lost.map(|lost| Part {
            what: lost.part.clone(),
            span: lost.span,
            package: String::new(),
            own: true,
            yields_to: Some(lost.winner.clone()),
        }));
        for part in &mut parts {
            part.package = owner(part.span);
        }
        let package = owner(own.span);
        found.push(Origin { kind: kind.text.clone(), name: own.text.clone(), span: own.span, package, parts });
    }
    found
}

fn own_part(field: &EntryField) -> Part {
    let what = match &field.kind {
        EntryFieldKind::Value { name, .. } | EntryFieldKind::Effect { name, .. } => name.text.as_str(),
        EntryFieldKind::Clause(_) => "clause",
        EntryFieldKind::Supersedes(_) => "supersedes",
    };
    Part { what: what.to_owned(), span: field.span, package: String::new(), own: true, yields_to: None }
}

/// What a kind gives each of its definitions: fields that they do not give themselves, and clauses.
fn inherited(member: &Member, own: &[Part]) -> Option<Part> {
    let what = match &member.kind {
        MemberKind::Field { default: Some(_), .. } => member_name(&member.kind),
        MemberKind::Clause(_) => "clause",
        _ => return None,
    };
    let given = what != "clause" && own.iter().any(|part| part.what == what);
    let part =
        || Part { what: what.to_owned(), span: member.span, package: String::new(), own: false, yields_to: None };
    (!given).then(part)
}
