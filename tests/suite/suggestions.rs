//! What findings suggest: a change that would mend one, made alone, leaves less that is wrong; a text that is to be written can be read.

use super::errors::{Fixture, fixture_files, read};
use cardwright::base::{Diagnostic, FileId};
use cardwright::ide::mend::{Change, mend_of};
use cardwright::play::Checked;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn fixtures() -> impl Iterator<Item = PathBuf> {
    fixture_files().into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
}

fn check(fixture: &Fixture) -> Checked {
    Checked::new(&fixture.package(), &fixture.options, fixture.variant.as_deref()).unwrap()
}

/// How many errors there are, and how many findings.
fn counts(checked: &Checked) -> (usize, usize) {
    let errors = checked.diagnostics.iter().filter(|found| found.is_error()).count();
    (errors, checked.diagnostics.len())
}

fn make(fixture: &mut Fixture, change: &Change) {
    let mut edits = change.edits.clone();
    edits.sort_by_key(|edit| edit.at.range().start);
    for edit in edits.iter().rev() {
        fixture.text_of(Path::new(&edit.at.path)).replace_range(edit.at.range(), &edit.text);
    }
}

/// Whether a finding is there still: the same words at the same code. What it is about may be another thing by now.
fn is_there(checked: &Checked, found: &Diagnostic, times: usize) -> bool {
    let same = |other: &&Diagnostic| other.code == found.code && other.message == found.message;
    checked.diagnostics.iter().filter(same).count() >= times
}

#[test]
fn each_change_alone_leaves_less_that_is_wrong() {
    let (mut made, mut wrong) = (0, Vec::new());
    for path in fixtures() {
        let fixture = read(&path);
        let before = check(&fixture);
        for found in before.diagnostics.iter() {
            let Some(change) = mend_of(&before, found) else { continue };
            made += 1;
            let mut other = read(&path);
            make(&mut other, &change);
            let after = check(&other);
            let same = |one: &&Diagnostic| one.code == found.code && one.message == found.message;
            let times = before.diagnostics.iter().filter(same).count();
            let (errors, all) = counts(&before);
            let (left, left_of_all) = counts(&after);
            let better = if found.is_error() { left < errors } else { left <= errors && left_of_all < all };
            // What the mistake has hidden shows once it is mended.
            let next = !is_there(&after, found, times) && left <= errors;
            if !better && !next {
                let told: Vec<&str> = after.diagnostics.iter().map(|found| found.message.as_str()).collect();
                wrong.push(format!("{}: {} -> {}\n    {told:?}", fixture.name, found.message, change.title));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {made}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(made > 60, "only {made} changes are suggested");
}

/// Where a text could stand; `$` is the text.
const PLACES: &[&str] = &[
    "$",
    "verb f { $ }",
    "verb f { $ { } }",
    "verb f { choose option { $ } }",
    "verb f { choose $ c in s }",
    "verb f { choose c in s $ }",
    "verb f { move c $ }",
    "verb f { do { } $ }",
    "verb f { may \"x\" $ { } }",
    "verb f { each $ { } }",
    "verb f { create k $ }",
    "verb f { repeat { $ } }",
    "action f { $ }",
    "rule r { $ }",
    "rule r { after f $ { } }",
    "kind k : card { $ }",
    "kind k : card { field $ }",
    "tool \"x\" { $ }",
    "zone z { $ }",
    "zone z $ { }",
    "board b { $ }",
    "board b { shape: $ }",
    "look player { $ }",
    "look player { colour: $ }",
    "player { $ }",
    "enum e { $ }",
    "define f: number = $",
    "define f: number = a $",
    "define f: number = $ a",
    "define f: number = $ of a",
    "define f: number = (a)$",
    "define f: $ = a",
    "define f($): number = a",
    "define $",
    "flow { turns $ { } }",
    "flow { turns t $ { } }",
    "flow { turns t from me $ { } }",
    "scenario \"x\" { $ }",
    "scenario \"x\" { expect $ }",
    "scenario \"x\" { play $ }",
    "scenario \"x\" { given { $ } }",
    "patch rule r { $ }",
    "patch verb r { $ }",
    "patch tool \"x\" { $ }",
    "patch turns t { $ }",
    "window w { $ }",
    "verb f { offer p { $ } }",
    "script $",
    "note \"{$}\"",
    "verb f { note $ }",
    "verb f { note \"$\" }",
];

fn reads(text: &str) -> bool {
    cardwright::syntax::parse(FileId(0), text).1.iter().all(|found| !found.is_error())
}

/// Whether a text can be read somewhere, with something in the place of what it leaves open.
fn can_be_read(text: &str) -> bool {
    let text = text.replace("{ ... }", "{ }").replace("\"...\"", "\"x\"");
    let filled = ["x", "1", "", "{ }", "x, y", "x { }", "\"x\"", "c in s"].map(|fill| text.replace("...", fill));
    filled.iter().any(|text| PLACES.iter().any(|place| reads(&place.replacen('$', text, 1))))
}

/// The texts that a help says to write.
fn suggested(help: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in help.match_indices("rite `") {
        let rest = &help[at + "rite `".len()..];
        found.extend(rest.find('`').map(|end| &rest[..end]));
    }
    found
}

#[test]
fn what_is_to_be_written_can_be_read() {
    let mut wrong = BTreeSet::new();
    let mut all = 0;
    for path in fixtures() {
        let fixture = read(&path);
        let checked = check(&fixture);
        for found in checked.diagnostics.iter() {
            let file = checked.sources.name(found.span.file);
            for text in found.help.as_deref().map(suggested).unwrap_or_default() {
                all += 1;
                if !file.ends_with(".toml") && !file.ends_with(".csv") && !can_be_read(text) {
                    wrong.insert(format!("{}: `{text}`", fixture.name));
                }
            }
        }
    }
    let wrong: Vec<String> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "{} of {all}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(all > 60, "only {all} texts are suggested");
}
