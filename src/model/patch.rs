//! A `patch` made in the tree: parts of an item are exchanged where they stand, new ones come after them.

use super::heads;
use super::merge::{Key, Slot, drop_slot, prop_slot, shown};
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::{
    Change, Clause, EntryField, EntryFieldKind, Ident, ItemKind, Member, MemberKind, Prop, WindowPart,
};

/// Whether a part of a change did not give way.
pub(super) type Stands<'a> = dyn Fn(Slot) -> bool + 'a;

/// Makes a change in an item of a sort. Gives the names of what should be taken away and is not there.
pub(super) fn apply(item: &mut ItemKind, change: Change, sort: &str, stands: &Stands<'_>) -> Vec<Ident> {
    match (item, change) {
        (item, Change::Turns { name, parts, drops }) => return heads::apply(item, &name.text, parts, drops, stands),
        (ItemKind::Entry { fields: old, .. }, Change::Fields { fields, drops }) => {
            let missing = drop_fields(old, drops, stands);
            for field in fields {
                patch_field(old, field, stands);
            }
            return missing;
        }
        (
            ItemKind::Kind { members: old, .. } | ItemKind::Player { members: old } | ItemKind::Game { members: old },
            Change::Members { members, drops },
        ) => {
            let missing = drop_members(old, drops, stands);
            for member in members {
                patch_member(old, member, stands);
            }
            return missing;
        }
        (ItemKind::Rule { when: old_when, clauses: old, .. }, Change::Clauses { when, clauses, drops }) => {
            let missing = drop_clauses(old, drops, stands);
            if stands(Slot::Part("when".to_owned())) {
                *old_when = when.or(old_when.take());
            }
            if stands(Slot::Add("clauses")) {
                old.extend(clauses);
            }
            return missing;
        }
        (
            ItemKind::Zone { props: old, .. } | ItemKind::Board { props: old, .. } | ItemKind::Look { props: old, .. },
            Change::Props(props),
        ) => {
            for prop in props {
                patch_prop(old, prop, sort, stands);
            }
        }
        (ItemKind::Window { parts: old, .. }, Change::Parts(parts)) => {
            for part in parts {
                let slot = part_slot(&part);
                if stands(slot.clone()) {
                    // There is one `silent`.
                    old.retain(|other| matches!(other, WindowPart::Acts { .. }) || part_slot(other) != slot);
                    old.push(part);
                }
            }
        }
        (ItemKind::Enum { values: old, .. }, Change::Values(values)) => {
            old.extend(values.into_iter().filter(|value| stands(Slot::Part(value.name.text.clone()))));
        }
        (ItemKind::Option { default: old, .. }, Change::Default(default))
            if stands(Slot::Part("default".to_owned())) =>
        {
            *old = default;
        }
        (ItemKind::Setup { body: old }, Change::Stmts(body)) if stands(Slot::Add("statements")) => {
            old.stmts.extend(body.stmts);
        }
        // What gave way; and a key leads to an item of its own sort, which the grammar gives these parts.
        _ => {}
    }
    Vec::new()
}

/// The part of an item, of those that a change can take away or exchange, in which a place stands.
pub(super) fn part_at(item: &ItemKind, place: Span) -> Option<Slot> {
    let here = |span: Span| span.covers(place);
    match item {
        ItemKind::Entry { fields, .. } => fields.iter().find(|field| here(field.span)).map(|field| match &field.kind {
            EntryFieldKind::Clause(_) => Slot::Drop("clauses"),
            EntryFieldKind::Supersedes(_) => Slot::Drop("supersedes"),
            EntryFieldKind::Value { name, .. } | EntryFieldKind::Effect { name, .. } => Slot::Part(name.text.clone()),
        }),
        ItemKind::Kind { members, .. } | ItemKind::Player { members } | ItemKind::Game { members } => {
            members.iter().find(|member| here(member.span)).map(|member| match &member.kind {
                MemberKind::Clause(_) => Slot::Drop("clauses"),
                kind => Slot::Part(member_name(kind).to_owned()),
            })
        }
        ItemKind::Rule { when: Some(when), .. } if here(when.span) => Some(Slot::Part("when".to_owned())),
        ItemKind::Rule { clauses, .. } => {
            clauses.iter().any(|clause| here(clause.span)).then_some(Slot::Drop("clauses"))
        }
        _ => None,
    }
}

/// The slot of a part of a window: it has several lists of actions, and one `silent`.
pub(super) fn part_slot(part: &WindowPart) -> Slot {
    match part {
        WindowPart::Silent(_) => Slot::Part("silent".to_owned()),
        WindowPart::Acts { .. } => Slot::Add("actions"),
    }
}

fn field_name(field: &EntryField) -> Option<&str> {
    match &field.kind {
        EntryFieldKind::Value { name, .. } | EntryFieldKind::Effect { name, .. } => Some(&name.text),
        EntryFieldKind::Clause(_) | EntryFieldKind::Supersedes(_) => None,
    }
}

/// The name of a member other than a clause.
pub(super) fn member_name(kind: &MemberKind) -> &str {
    match kind {
        MemberKind::Field { name, .. }
        | MemberKind::Counter { name, .. }
        | MemberKind::Mark { name, .. }
        | MemberKind::Stat { name, .. } => &name.text,
        MemberKind::StandsWhen { .. } => "stands when",
        MemberKind::Seen { .. } => "seen",
        MemberKind::Notation { .. } => "notation",
        MemberKind::Clause(_) => "",
    }
}

fn drop_fields(old: &mut Vec<EntryField>, drops: Vec<Ident>, stands: &Stands<'_>) -> Vec<Ident> {
    drop_each(old, drops, stands, |field, slot| match (slot, &field.kind) {
        (Slot::Drop("clauses"), EntryFieldKind::Clause(_)) => true,
        (Slot::Drop("supersedes"), EntryFieldKind::Supersedes(_)) => true,
        (Slot::Part(name), _) => field_name(field) == Some(name),
        _ => false,
    })
}

fn drop_members(old: &mut Vec<Member>, drops: Vec<Ident>, stands: &Stands<'_>) -> Vec<Ident> {
    drop_each(old, drops, stands, |member, slot| match (slot, &member.kind) {
        (Slot::Drop("clauses"), MemberKind::Clause(_)) => true,
        (Slot::Part(name), kind) => member_name(kind) == name,
        _ => false,
    })
}

fn drop_clauses(old: &mut Vec<Clause>, drops: Vec<Ident>, stands: &Stands<'_>) -> Vec<Ident> {
    drop_each(old, drops, stands, |_, slot| *slot == Slot::Drop("clauses"))
}

/// Takes away what each `no NAME` means. Gives those that mean nothing.
fn drop_each<T>(
    old: &mut Vec<T>,
    drops: Vec<Ident>,
    stands: &Stands<'_>,
    meant: impl Fn(&T, &Slot) -> bool,
) -> Vec<Ident> {
    let mut missing = Vec::new();
    for name in drops {
        let slot = drop_slot(&name);
        if !stands(slot.clone()) {
            continue;
        }
        let before = old.len();
        old.retain(|part| !meant(part, &slot));
        if old.len() == before {
            missing.push(name);
        }
    }
    missing
}

fn patch_field(old: &mut Vec<EntryField>, field: EntryField, stands: &Stands<'_>) {
    let slot = match &field.kind {
        EntryFieldKind::Clause(_) => Slot::Add("clauses"),
        EntryFieldKind::Supersedes(_) => Slot::Add("supersedes"),
        EntryFieldKind::Value { name, .. } | EntryFieldKind::Effect { name, .. } => Slot::Part(name.text.clone()),
    };
    if !stands(slot) {
        return;
    }
    let same = |other: &&mut EntryField| field_name(other).is_some() && field_name(other) == field_name(&field);
    match old.iter_mut().find(same) {
        Some(place) => *place = field,
        None => old.push(field),
    }
}

fn patch_member(old: &mut Vec<Member>, member: Member, stands: &Stands<'_>) {
    let clause = matches!(member.kind, MemberKind::Clause(_));
    let name = member_name(&member.kind).to_owned();
    if !stands(if clause { Slot::Add("clauses") } else { Slot::Part(name.clone()) }) {
        return;
    }
    match old.iter_mut().find(|other| !clause && member_name(&other.kind) == name) {
        Some(place) => *place = member,
        None => old.push(member),
    }
}

fn patch_prop(old: &mut Vec<Prop>, prop: Prop, sort: &str, stands: &Stands<'_>) {
    let slot = prop_slot(sort, &prop.name.text);
    if !stands(slot.clone()) {
        return;
    }
    match (old.iter_mut().find(|other| other.name.text == prop.name.text), slot) {
        (Some(place), Slot::Add(_)) => {
            place.values.extend(prop.values);
            place.whens.extend(prop.whens);
        }
        (Some(place), _) => *place = prop,
        (None, _) => old.push(prop),
    }
}

/// What is to be taken away and is not there.
pub(super) fn nothing_there(key: &Key, name: &Ident) -> Diagnostic {
    let message = format!("{} has no `{}` to take away", shown(key), name.text);
    Diagnostic::new(Code::NothingToChange, name.span, message)
        .help("`no clauses` takes away all clauses, and `no NAME` what has this name")
}
