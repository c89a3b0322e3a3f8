//! Many forms through the parser, and the mistakes it must survive.

use super::*;
use crate::base::{Code, Diagnostics, FileId, SourceMap, render_text};

fn read(text: &str) -> (ast::File, Diagnostics) {
    parse(FileId(0), text)
}

#[track_caller]
fn accept(text: &str) -> ast::File {
    let (file, diagnostics) = read(text);
    let mut sources = SourceMap::default();
    sources.add("test", text);
    assert!(diagnostics.is_empty(), "{}", render_text(&diagnostics, &sources, false));
    file
}

#[test]
fn sample_blocks_are_accepted() {
    accept(include_str!("../../tests/fixtures/syntax/forms.rules"));
}

#[test]
fn an_expression_of_a_text_has_its_place_in_the_file() {
    let (expr, diagnostics) = parse_expr(FileId(0), 100, " c.cost + 1 ");
    assert_eq!(diagnostics, []);
    assert_eq!((expr.span.start, expr.span.end), (101, 111));
    let (expr, diagnostics) = parse_expr(FileId(0), 100, "c.cost +");
    assert!(matches!(expr.kind, ast::ExprKind::Error));
    assert_eq!(diagnostics.len(), 1);
    assert!(diagnostics[0].span.start >= 100, "{:?}", diagnostics[0]);
    assert_eq!(parse_expr(FileId(0), 5, "").1.len(), 1);
}

/// Every text of the shipped content, with its path.
pub(super) fn shipped() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/content"))];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                found.push((path.to_string_lossy().into_owned(), text));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn shipped_content_is_accepted() {
    let mut wrong = String::new();
    let mut read = 0;
    for (path, text) in shipped() {
        let diagnostics = match path.rsplit('.').next() {
            Some("rules" | "cards" | "scenario") => parse(FileId(0), &text).1,
            Some("toml") if path.contains("/locales/") => parse_locale(FileId(0), &text).1,
            Some("toml") => parse_manifest(FileId(0), &text).1,
            _ => continue,
        };
        read += 1;
        let mut sources = SourceMap::default();
        sources.add(path, text);
        wrong += &render_text(&diagnostics, &sources, false);
    }
    assert!(read > 1, "no content was found");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_tree_of_every_form() {
    let file = accept(include_str!("../../tests/fixtures/syntax/forms.rules"));
    insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "../../tests/snapshots/tree" }, {
        insta::assert_snapshot!("forms", dump(&file));
    });
}

/// The blocks of the first draft, in their settled form.
fn drafts() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/syntax");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn the_first_draft_is_accepted() {
    let drafts = drafts();
    assert!(drafts.len() > 6);
    for text in drafts {
        accept(&text);
    }
}

/// The tree of one statement.
fn stmt(text: &str) -> String {
    let file = accept(&format!("flow {{ {text} }}"));
    dump(&file).lines().skip(1).map(|line| line.get(2..).unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// The tree of one expression.
#[track_caller]
fn expr(text: &str) -> String {
    let file = accept(&format!("define x = {text}"));
    dump(&file).trim_end().trim_start_matches("define x() = ").to_owned()
}

#[test]
fn precedence_is_as_documented() {
    for (text, tree) in [
        ("a or b and not c = d + e * -f", "(a or (b and (not (c = (d + (e * (-f)))))))"),
        ("1..n - 1 + 2", "(1 .. ((n - 1) + 2))"),
        ("count a.b > 2", "((count a.b) > 2)"),
        ("x in 1..3 and y not in s", "((x in (1 .. 3)) and (y not in s))"),
        ("x is in s and y is not in t", "((x in s) and (y not in t))"),
        ("a + b is tool", "((a + b) is tool)"),
        ("p can use(x) and q can rest", "((p can use(x)) and (q can rest()))"),
        ("no p.held where suit = led.suit or x", "((no (p.held where (suit = led.suit))) or x)"),
        ("some s as t where bare(t) and y", "((some ((s as t) where bare(t))) and y)"),
        ("every s where a or b meets c and d", "((every (s where (a or b)) meets c) and d)"),
        ("sum cost of s where a and b", "(sum cost of (s where (a and b)))"),
        ("s where a and b sorted by c down", "((s where (a and b)) sorted by c down)"),
        ("if a then b else c + d", "(if a then b else (c + d))"),
        ("cause = rule and game.round > 1", "((cause = rule) and (game.round > 1))"),
        ("f(x)[1].y(2)", "f(x)[1].y(2)"),
        ("tool \"Rope\" & s", "(<tool \"Rope\"> & s)"),
        ("- - a", "(-(-a))"),
    ] {
        assert_eq!(expr(text), tree, "{text}");
    }
}

#[test]
fn a_bracket_belongs_to_what_it_touches() {
    assert_eq!(stmt("gain (a + b) for p"), "call gain((a + b)) for p");
    assert_eq!(stmt("judge() rest"), "call judge()\ncall rest()");
}

#[test]
fn statements_need_nothing_between_them() {
    assert_eq!(stmt("buff this draw_cards 1"), "call buff(this)\ncall draw_cards(1)");
    assert_eq!(stmt("rest if a { stop }"), "call rest()\nif a\n  stop");
    assert_eq!(
        stmt("let n = count a  set b = -1 buff c by - 2"),
        "let n = (count a)\nset b = (-1)\ncall buff(c) by (-2)"
    );
    assert_eq!(stmt("move a to b top spin c"), "move a to b top\ncall spin(c)");
}

#[test]
fn a_last_text_of_a_choice_is_its_prompt() {
    assert_eq!(stmt("choose m in mine where raw > x \"Which?\""), "choose m in (mine where (raw > x)) \"Which?\"");
    assert_eq!(stmt("choose m in (tool \"Rope\")"), "choose m in <tool \"Rope\">");
    assert_eq!(stmt("choose m in tool \"Rope\" \"Which?\""), "choose m in <tool \"Rope\"> \"Which?\"");
    assert_eq!(stmt("may by p \"Really?\" do { }"), "may by p \"Really?\"\ndo");
    assert_eq!(stmt("requires not some mine \"none\""), "requires (not (some mine)) reason \"none\"");
}

#[test]
fn places_are_exact() {
    let text = "define x = a . // c\n";
    assert_eq!(read(text).1.len(), 1);
    let text = "\u{feff}// é\r\nkind tool : card {\tfield cost: 1..5   // why\r\n}\r\n";
    let file = accept(text);
    let item = &file.items[0];
    assert_eq!(
        &text[item.span.start as usize..item.span.end as usize],
        "kind tool : card {\tfield cost: 1..5   // why\r\n}"
    );
    let ast::ItemKind::Kind { name, members, .. } = &item.kind else { panic!("{item:?}") };
    assert_eq!(&text[name.span.start as usize..name.span.end as usize], "tool");
    assert_eq!(&text[members[0].span.start as usize..members[0].span.end as usize], "field cost: 1..5");
}

#[test]
fn one_broken_item_hides_no_other() {
    let (file, diagnostics) = read(
        "zone a { holds: x }\nkind b : { field c: number }\nverb d { set = 3  let e = 4 }\ntool \"F\" { g 3  h: 4 }\nzone i { holds: x }",
    );
    let places: Vec<u32> = diagnostics.iter().map(|diagnostic| diagnostic.span.start).collect();
    assert_eq!(diagnostics.len(), 3, "{diagnostics:?}");
    assert!(places.is_sorted());
    let tree = dump(&file);
    assert!(tree.contains("zone a") && tree.contains("zone i"), "{tree}");
    assert!(tree.contains("let e = 4"), "a good statement beside a broken one is kept: {tree}");
    assert!(tree.contains("g: <unreadable>\n  h: 4"), "a broken field keeps its name: {tree}");
}

/// Where the first statement of a block begins.
fn beginnings(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices('{').filter_map(|(at, _)| {
        let rest = text[at + 1..].trim_start();
        let word = rest.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or("");
        // These begin a clause or a member, too.
        let statement = STATEMENTS.contains(&word) && !matches!(word, "may" | "notation");
        statement.then_some(text.len() - rest.len())
    })
}

#[test]
fn a_broken_statement_is_one_error_in_every_block() {
    let forms = include_str!("../../tests/fixtures/syntax/forms.rules").to_owned();
    let mut tried = 0;
    for text in shipped().into_iter().filter(|(path, _)| path.ends_with("s")).map(|(_, text)| text).chain([forms]) {
        for item in read(&text).0.items {
            let lines = &text[item.span.start as usize..item.span.end as usize];
            let bare: Vec<&str> = lines.lines().map(|line| line.split("//").next().unwrap_or("").trim()).collect();
            for item in [lines.to_owned(), bare.join(" ")] {
                for at in beginnings(&item) {
                    let broken = format!("{}game.trick += 1 {}", &item[..at], &item[at..]);
                    let found = read(&broken).1;
                    let mut sources = SourceMap::default();
                    sources.add("test", &broken);
                    assert!(found.len() == 1, "{}", render_text(&found, &sources, false));
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 100, "only {tried} were tried");
}

#[test]
fn an_unclosed_block_ends_at_the_next_item() {
    let (file, diagnostics) = read("verb a {\n  if b {\n    stop\n}\n\nzone c { holds: d }\nverb e { stop }\n");
    assert_eq!(diagnostics.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>(), [Code::UnclosedBracket]);
    // The inner block is marked: its `}` stands where the outer one should.
    assert_eq!(diagnostics[0].span.start, 16);
    let tree = dump(&file);
    assert!(tree.contains("zone c") && tree.contains("verb e"), "{tree}");
}

#[test]
fn every_reserved_word_is_refused_as_a_name() {
    for word in RESERVED {
        let (_, diagnostics) = read(&format!("kind {word} : card {{ }}"));
        assert_eq!(diagnostics.iter().map(|found| found.code).collect::<Vec<_>>(), [Code::ReservedWord], "{word}");
        assert!(is_reserved(word));
    }
    assert!(RESERVED.is_sorted());
    for word in CONTEXTUAL {
        accept(&format!("enum {word} {{ {word} }}"));
        accept(&format!("kind x : card {{ field {word}: {word} = {word}  counter {word}  counter {word} = x }}"));
        accept(&format!("zone {word} {{ holds: {word}  order: {word} when {word} }}"));
        accept(&format!("define {word}: {word} = {word}\ndefine x({word}: {word}) = {word}({word}.{word}, {word})"));
        accept(&format!("action {word}({word}: {word}) {{ choose {word} in {word} }}"));
        accept(&format!("action x {{ let {word} = {word}  set {word} = {word}  choose action {word} }}"));
        if !["choose", "may", "must", "stop", "settle", "proceed"].contains(word) {
            accept(&format!("action x {{ score {word} }}"));
            accept(&format!("action x {{ score {word} to {word}  score {word} + 1  score {word}.{word} for {word} }}"));
        }
        accept(&format!(
            "rule {word} when {word} {{ after x c where {word} {{ }}  modify {word} of {word} by {word} }}"
        ));
        accept(&format!(
            "window {word}({word}: {word}) from {word} among {word} until {word} {{ {word}()  aside {word}({word}) }}"
        ));
        accept(&format!("scenario \"x\" {{ expect {word} = 3  expect {word}.{word} > {word} }}"));
        accept(&format!("x \"X\" {{ {word}: 3  {word}: {word} + {word} }}"));
        if begins_a_statement(word) {
            accept(&format!("verb x {{ each {word} in {word} {{ score {word}.x }} }}"));
        } else if *word != "ignoring" {
            accept(&format!("verb {word} {word}: {word} {{ {word} {word}  {word} {word} to {word} }}"));
        }
        if !begins_an_item(word) {
            accept(&format!("kind {word} : {word} {{ }}"));
            accept(&format!("{word} \"X\" {{ }}"));
        }
    }
}

#[test]
fn no_message_names_a_rule_of_the_grammar() {
    let mut tried = 0;
    for text in drafts() {
        let words: Vec<&str> = text.split_inclusive(' ').collect();
        for skipped in (0..words.len()).step_by(31) {
            let broken: String =
                words.iter().enumerate().filter(|(at, _)| *at != skipped).map(|(_, word)| *word).collect();
            for found in read(&broken).1 {
                assert!(!found.message.contains('_') || found.message.contains('`'), "{}", found.message);
                for part in found.message.split('`').step_by(2) {
                    assert!(!part.contains('_'), "{}", found.message);
                }
            }
            tried += 1;
        }
    }
    assert!(tried > 50);
}

#[track_caller]
fn code_of(text: &str) -> Option<Code> {
    read(text).1.first().map(|found| found.code)
}

#[test]
fn nesting_has_a_limit() {
    let deep =
        |open: &str, close: &str, count: usize| format!("define x = {}a{}", open.repeat(count), close.repeat(count));
    assert_eq!(code_of(&deep("(", ")", 60)), None);
    assert_eq!(code_of(&deep("(", ")", 65)), Some(Code::TooDeep));
    assert_eq!(code_of(&deep("[", "]", 10_000)), Some(Code::TooDeep));
    assert_eq!(code_of(&deep("not ", "", 60)), None);
    // What is allowed fits on the stack, also on a small one as that of a test.
    for (open, close, count) in [
        ("f(", ")", 60),
        ("a[", "]", 60),
        ("[", "]", 60),
        ("(b + ", ")", 60),
        ("(b where ", ")", 60),
        ("(p can f(", "))", 31),
    ] {
        assert_eq!(code_of(&deep(open, close, count)), None, "{open}");
    }
    for word in ["not ", "count ", "some ", "sum a of ", "if a then b else ", "(sum ", "no x where "] {
        assert_eq!(code_of(&deep(word, "", 10_000)), Some(Code::TooDeep), "{word}");
    }
    assert_eq!(code_of(&deep("- ", "", 10_000)), Some(Code::TooLong));
    let blocks = |count: usize| format!("flow {{ {} stop {} }}", "if a { ".repeat(count), "}".repeat(count));
    assert_eq!(code_of(&blocks(60)), None);
    assert_eq!(code_of(&blocks(64)), Some(Code::TooDeep));
    assert_eq!(code_of(&"{".repeat(100_000)), Some(Code::TooDeep));
    assert_eq!(code_of(&format!("define x: {}number = 3", "set of ".repeat(10_000))), Some(Code::TooDeep));
}

#[test]
fn length_has_a_limit() {
    let chain = |part: &str, count: usize| format!("define x = a{}", part.repeat(count));
    for part in [" + a", ".b", "(c)", "[d]", " where e", " and f", " as g"] {
        assert_eq!(code_of(&chain(part, 90)), None, "{part}");
        assert_eq!(code_of(&chain(part, 5_000)), Some(Code::TooLong), "{part}");
    }
    let ifs = |count: usize| format!("flow {{ if a {{ }} {} }}", "else if b { } ".repeat(count));
    assert_eq!(code_of(&ifs(64)), None);
    assert_eq!(code_of(&ifs(65)), Some(Code::TooLong));
    let many = format!("flow {{ {} }}", "put a - 1 ".repeat(2_000));
    assert_eq!(code_of(&many), None, "many short statements are not one long expression");
}

#[test]
fn size_and_work_have_limits() {
    let large = " ".repeat(MAX_FILE_BYTES + 1);
    assert_eq!(code_of(&large), Some(Code::FileTooLarge));
    assert_eq!(code_of(&" ".repeat(MAX_FILE_BYTES)), None);
    let list = format!("define x = [{}]", "a, ".repeat(300_000));
    assert_eq!(code_of(&list), Some(Code::TooMuchWork));
    let ordinary = format!("flow {{ {} }}", "choose c in me.hand where cost > 2 for give  ".repeat(3_000));
    assert_eq!(code_of(&ordinary), None);
}

#[test]
fn any_bytes_are_survived() {
    for text in [
        "",
        "\u{feff}",
        "\"",
        "{",
        "}",
        "(]",
        "tool \"",
        "tool \"a\\",
        "0x",
        "é",
        "\0",
        "a.b",
        "//",
        "scenario \"x\" {",
    ] {
        read(text);
    }
    // Every beginning of a text, cut at any character.
    let text = include_str!("../../tests/fixtures/syntax/forms.rules");
    for end in (0..text.len()).step_by(37).filter(|end| text.is_char_boundary(*end)) {
        let (_, diagnostics) = read(&text[..end]);
        assert!(diagnostics.iter().all(|found| found.span.end as usize <= end));
    }
}

/// The grammar has no memory: a shared beginning that is tried twice at each level would take for ever.
#[test]
fn nested_forms_are_read_in_linear_time() {
    let nested = |open: &str, close: &str| format!("{}a{}", open.repeat(28), close.repeat(28));
    let forms = [
        nested("(", ")"),
        nested("f(", ")"),
        nested("[", "]"),
        nested("a[", "]"),
        nested("(sum ", " of s)"),
        nested("(sum a of ", ")"),
        nested("(if ", " then b else c)"),
        nested("(if b then ", " else c)"),
        nested("(some ", ")"),
        nested("(every ", " meets b)"),
        nested("(b where ", ")"),
        nested("(", " where b)"),
        nested("(", " as b)"),
        nested("(b + ", ")"),
        nested("(not ", ")"),
        nested("(p can f(", "))"),
        nested("(", " is b)"),
        nested("(b having least ", ")"),
        nested("(b sorted by ", ")"),
    ];
    for form in forms {
        for place in [
            "define x = FORM",
            "define x: FORM..3 = 3",
            "zone x { holds: FORM FORM, FORM }",
            "rule x when FORM { }",
            "flow { choose FORM to 3 m in s }",
            "flow { choose m in FORM }",
            "flow { create FORM * tool }",
            "flow { put FORM }",
            "flow { repeat FORM times { } }",
            "flow { if FORM { } }",
            "flow { set x = FORM }",
            "flow { move FORM to FORM }",
            "flow { may by FORM do { } }",
            "flow { arm while FORM { modify a of FORM by FORM when FORM } }",
            "tool \"x\" { cost: FORM }",
            "scenario \"x\" { expect FORM asked }",
            "kind x : card { counter y: FORM..3 = FORM }",
        ] {
            let text = place.replace("FORM", &form);
            let found = read(&text).1;
            assert!(!found.iter().any(|found| found.code == Code::TooMuchWork), "{place} with {form}");
        }
    }
    let blocks = [
        nested("if a { ", " }"),
        nested("if b { } else { ", " }"),
        nested("may do { ", " }"),
        nested("choose option { \"x\" { ", " } }"),
        nested("arm { check a { ", " } }"),
        nested("arm { after b { ", " } }"),
        nested("each x in y { ", " }"),
        nested("repeat { ", " }"),
    ];
    for block in blocks {
        assert_eq!(read(&format!("flow {{ {block} }}")).1, [], "{block}");
        let broken = format!("flow {{ {} }}", block.replacen("a ", "! ", 1).replace(" a ", " 3 "));
        assert!(!read(&broken).1.iter().any(|found| found.code == Code::TooMuchWork), "{broken}");
    }
}
