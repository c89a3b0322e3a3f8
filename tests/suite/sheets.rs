//! Tables of cards: what a row gives is what a card block gives, in games and expansions, and what `cards` writes is read again.

use super::support::{games, root, stderr, stdout};
use cardwright::base::{Code, Diagnostic, FileId, MemoryWorld, limits, render_text};
use cardwright::ide::Workspace;
use cardwright::model::rules::{FieldValue, Rules};
use cardwright::play::cards::{Filter, cards};
use cardwright::play::{Checked, Game, Options, Package};
use cardwright::syntax::ast::{EntryFieldKind, ItemKind};
use cardwright::syntax::parse;
use std::collections::BTreeMap;
use std::process::Output;

const MANIFEST: &str =
    "name = \"lairs\"\ntitle = \"Lairs\"\nversion = \"1.0.0\"\nedition = 1\n[players]\nmin = 2\nmax = 2\n";
const RULES: &str = "\
enum tint { red blue }
kind monster : card {
  field level: 1..20 = 1
  field colour: tint = red
  field says: text = \"\"
  field undead: flag
  field paths: list of number
  field price: 0..9 per tint = [0 red]
  field bite: effect
}
kind ghost : monster { field chill: number = 0 }
zone deck { holds: monster  order: pile  starts: monster }
player { counter bites: 0..9 }
action meet { let c = top(deck)  note \"{c.says} {c.price[red]} {count c.paths}\"  if c.undead or c.colour = blue { do c.bite } }
flow { turns turn from seat(1) for 1 round { choose action meet } }
";

fn world(more: &[(&str, &str)]) -> MemoryWorld {
    MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", RULES)].into_iter().chain(more.iter().copied()))
}

fn check(world: MemoryWorld) -> Checked {
    Checked::new(&Package::memory("lairs", world), &Options::new(), None).unwrap()
}

fn said(checked: &Checked) -> String {
    render_text(&checked.diagnostics, &checked.sources, false)
}

/// What is printed on each card, by kind and name; of effects only that there is one.
fn printed(rules: &Rules) -> BTreeMap<(String, String), (u16, Vec<String>)> {
    let field = |(id, value): &(_, Option<FieldValue>)| match value {
        Some(FieldValue::Proc(_)) => format!("{id:?} does"),
        value => format!("{id:?} {value:?}"),
    };
    let of = |entry: &cardwright::model::rules::Entry| {
        let kind = rules.kinds[entry.kind.index()].name.clone();
        ((kind, entry.name.clone()), (entry.copies, entry.fields.iter().map(field).collect()))
    };
    rules.entries.iter().map(of).collect()
}

fn sound(world: MemoryWorld) -> BTreeMap<(String, String), (u16, Vec<String>)> {
    let checked = check(world);
    assert!(checked.sound.is_some(), "{}", said(&checked));
    printed(&checked.sound.as_ref().unwrap().0)
}

#[test]
fn rows_of_any_spelling_are_the_card_blocks_that_say_the_same() {
    let blocks = sound(world(&[(
        "a.cards",
        "monster \"Ghoul\" { level: 3  colour: blue  says: \"Grr; \\\"argh\\\"\"  undead: true  paths: [1, 2]  price: [2 red]\n\
           copies: 2  bite { note \"munch\" } }\n\
         monster \"Bat\" { }\nghost \"Old Sheet\" { chill: 2  says: \"two lines\" }",
    )]));
    let item = "cards from \"all.csv\"\nmonster \"Ghoul\" { bite { note \"munch\" } }";
    let plain = "kind,name,level,colour,says,undead,paths,price,copies,chill\n\
                 monster,Ghoul,3,blue,\"Grr; \"\"argh\"\"\",true,\"[1, 2]\",[2 red],2,\n\
                 monster,Bat,,,,,,,,\n\nghost,Old Sheet,,,\"two\nlines\",,,,,2\n";
    let spreadsheet = plain.replace(',', ";").replace("[1; 2]", "[1, 2]").replace('\n', "\r\n").replace("true", "TRUE");
    let spreadsheet = format!("\u{feff}{spreadsheet};;;;;;;;;\r\n// later;;;;;;;;;");
    let tabs = plain.replace(',', "\t").replace("[1\t 2]", "[1, 2]").replace("\tBat", "\t\"Bat\"  ");
    for table in [plain, &spreadsheet, &tabs] {
        assert_eq!(sound(world(&[("a.cards", item), ("all.csv", table)])), blocks, "{table}");
    }
    let toml = "[monster]\nBat = {}\n\"Ghoul\" = { level = 3, colour = \"blue\", says = 'Grr; \"argh\"', undead = true, \
                paths = [1, 2], price = \"[2 red]\", copies = 2 }\n[ghost.\"Old Sheet\"]\nchill = 2\nsays = \"two lines\"\n";
    let item = item.replace("csv", "toml");
    assert_eq!(sound(world(&[("a.cards", &item), ("all.toml", toml)])), blocks);
}

#[test]
fn an_expansion_has_tables_of_its_own_and_changes_the_cards_of_others() {
    let game =
        world(&[("a.cards", "cards of monster from \"m.csv\""), ("m.csv", "name,level\nGhoul,3\nBat,1\nOgre,9\n")]);
    let manifest = "name = \"more\"\ntitle = \"More\"\nversion = \"1.0.0\"\nedition = 1\nkind = \"expansion\"\n\
                    extends = { lairs = \"1.0.0\" }\n";
    let files = [
        ("game.toml", manifest),
        (
            "b.cards",
            "kind imp : monster { field tricks: number = 0  field cry: text = \"\" }\ncards from \"m.csv\"\n\
             patch monster \"Ghoul\" { level: 5 }\nremove monster \"Ogre\"\n",
        ),
        ("m.csv", "kind,name,level,tricks,cry\nmonster,Wyrm,12,,\nimp,Puck,,3,Ha ha!\n"),
    ];
    let more = Package::memory("more", MemoryWorld::new(files));
    let package = Package::memory("lairs", game).with(vec![more]);
    let checked = Checked::new(&package, &Options::new(), None).unwrap();
    let (rules, _) = checked.sound.as_ref().unwrap_or_else(|| panic!("{}", said(&checked)));
    let all = cards(rules, &checked.sources);
    let shown = |card: &cardwright::play::cards::Card| {
        let fields = card.fields.iter().filter(|field| field.given);
        let fields: Vec<String> = fields.map(|field| format!("{}={}", field.name, field.value.cell())).collect();
        format!("{} {} {} {}", card.kind(), card.name, fields.join(" "), card.place(&checked.sources))
    };
    let found: Vec<String> = all.iter().map(shown).collect();
    assert_eq!(
        found,
        [
            "monster Ghoul level=5 m.csv:2",
            "monster Bat level=1 m.csv:3",
            "monster Wyrm level=12 m.csv:2",
            "imp Puck tricks=3 cry=Ha ha! m.csv:3",
        ]
    );
    // The table is content: another cell is another game.
    assert_ne!(checked.own.digest, check(world(&[])).own.digest);
}

#[test]
fn a_table_that_is_no_utf8_text_is_named_at_its_letter() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.toml"), MANIFEST).unwrap();
    std::fs::write(folder.path().join("a.rules"), RULES).unwrap();
    std::fs::write(folder.path().join("a.cards"), "cards of monster from \"m.csv\"\n").unwrap();
    std::fs::write(folder.path().join("m.csv"), b"name;says\nGhoul;caf\xe9\nBat;\n".as_slice()).unwrap();
    let checked = Checked::new(&Package::folder(folder.path()), &Options::new(), None).unwrap();
    let text = said(&checked);
    assert_eq!(checked.diagnostics.len(), 1, "{text}");
    assert!(text.contains("m.csv:2:10") && text.contains("not UTF-8"), "{text}");
}

#[test]
fn tables_have_limits() {
    let codes = |table: &str| {
        let checked = check(world(&[("a.cards", "cards of monster from \"m.csv\""), ("m.csv", table)]));
        checked.diagnostics.iter().map(|found| found.code).collect::<Vec<Code>>()
    };
    let rows =
        |count: usize| format!("name,copies\n{}", (0..count).map(|row| format!("m{row},0\n")).collect::<String>());
    assert_eq!(codes(&rows(limits::TABLE_ROWS + 1)), [Code::FileTooLarge]);
    let heads = |count: usize| format!("name{}\n", (0..count).map(|_| ",// x").collect::<String>());
    assert_eq!(codes(&heads(limits::TABLE_COLUMNS)), [Code::FileTooLarge]);
    assert!(codes(&heads(limits::TABLE_COLUMNS - 1)).iter().all(|code| *code != Code::FileTooLarge));
    assert_eq!(codes(&"x".repeat(limits::FILE_BYTES + 1)), [Code::FileTooLarge]);
}

/// The package with what its card blocks give taken out of them and put into a table.
fn with_a_table(game: &Game, table: &str) -> MemoryWorld {
    let world = game.package.world().unwrap();
    let mut files = BTreeMap::new();
    for path in world.list().unwrap() {
        let Ok(mut text) = world.read(&path) else { continue };
        if path.ends_with(".cards") || path.ends_with(".rules") {
            let mut cuts = Vec::new();
            for item in parse(FileId(0), &text).0.items {
                let ItemKind::Entry { fields, .. } = &item.kind else { continue };
                let given: Vec<_> =
                    fields.iter().filter(|field| matches!(field.kind, EntryFieldKind::Value { .. })).collect();
                match given.len() == fields.len() {
                    true => cuts.push(item.span),
                    false => cuts.extend(given.iter().map(|field| field.span)),
                }
            }
            cuts.sort_by_key(|span| std::cmp::Reverse(span.start));
            for span in cuts {
                text.replace_range(span.start as usize..span.end as usize, "");
            }
        }
        files.insert(path, text);
    }
    let first = files.iter_mut().find(|(path, _)| path.ends_with(".rules")).unwrap().1;
    first.push_str("\ncards from \"all.csv\"\n");
    files.insert("all.csv".to_owned(), table.to_owned());
    MemoryWorld { files, ..MemoryWorld::default() }
}

fn run(folder: &std::path::Path, args: &[&str]) -> Output {
    super::support::cardwright(folder, args, "")
}

#[test]
fn a_table_of_the_cards_of_every_game_gives_the_same_cards() {
    for game in games() {
        if game.rules.entries.is_empty() || !game.expansions.is_empty() {
            continue;
        }
        let path = game.package.path().unwrap().to_str().unwrap().to_owned();
        let table = stdout(&run(&root(), &["cards", &path, "--csv"]));
        let package = Package::memory(&game.package.name, with_a_table(&game, &table));
        let checked = Checked::new(&package, &Options::new(), None).unwrap();
        let errors: Vec<&Diagnostic> = checked.diagnostics.iter().filter(|found| found.is_error()).collect();
        assert!(errors.is_empty(), "{path}: {}\n{table}", said(&checked));
        let (rules, _) = checked.sound.as_ref().unwrap();
        let (mut found, wanted) = (printed(rules), printed(&game.rules));
        found.retain(|name, card| wanted.get(name) != Some(&*card));
        let wanted: Vec<_> = found.keys().map(|name| wanted.get(name)).collect();
        assert!(found.is_empty(), "{path}: {found:?}\n{wanted:?}");
    }
}

#[test]
fn filters_take_cards_by_fields_kinds_and_words() {
    let table = "kind,name,level,colour,says,undead,paths,price,copies,chill\n\
                 monster,Ghoul,3,blue,Grr!,true,\"[1, 2]\",[2 red],2,\nmonster,Bat,,,,,,,,\nghost,Old Sheet,5,,Boo,,,,,2\n";
    let checked = check(world(&[("a.cards", "cards from \"all.csv\""), ("all.csv", table)]));
    let (rules, _) = checked.sound.as_ref().unwrap_or_else(|| panic!("{}", said(&checked)));
    let all = cards(rules, &checked.sources);
    let taken = |filter: &str| {
        let filter = Filter::read(filter, rules)?;
        let taken = all.iter().map(|card| Ok((filter.takes(card)?, card.name.as_str())));
        let taken: Vec<(bool, &str)> = taken.collect::<Result<_, String>>()?;
        Ok::<_, String>(
            taken.into_iter().filter(|(takes, _)| *takes).map(|(_, name)| name).collect::<Vec<_>>().join(" "),
        )
    };
    for (filter, wanted) in [
        ("level > 2", "Ghoul Old Sheet"),
        ("it.level in 1..3 and not undead", "Bat"),
        ("undead or chill >= 2", "Ghoul Old Sheet"),
        ("chill < 2", ""),
        ("colour = blue", "Ghoul"),
        ("colour not in [blue]", "Bat Old Sheet"),
        ("paths has 2", "Ghoul"),
        ("price[red] + 1 = 3", "Ghoul"),
        ("copies = 1", "Bat Old Sheet"),
        ("monster", "Ghoul Bat Old Sheet"),
        ("ghost", "Old Sheet"),
        ("it is not ghost", "Ghoul Bat"),
        ("says = \"grr!\"", "Ghoul"),
        ("undead", "Ghoul"),
        ("old boo", "Old Sheet"),
        ("grr", "Ghoul"),
        ("nobody", ""),
    ] {
        assert_eq!(taken(filter).unwrap(), wanted, "{filter}");
    }
    for (filter, wanted) in [
        ("levle > 2", "no card has a field `levle`; did you mean `level`?"),
        ("level >", "its end"),
        ("level + 1", "true or false"),
        ("sum level of deck > 2", "a filter has"),
    ] {
        let error = taken(filter).unwrap_err();
        assert!(error.contains(wanted), "{filter}: {error}");
    }
}

#[test]
fn cards_lists_and_writes_json() {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("game.toml", MANIFEST),
        ("a.rules", RULES),
        ("a.cards", "cards of monster from \"m.csv\"\nmonster \"Ghoul\" { bite { note \"munch\" } }\n"),
        ("m.csv", "name,level,says,copies\nGhoul,3,\"Grr, it says\",2\nBat,,,\n"),
    ] {
        std::fs::write(folder.path().join(path), text).unwrap();
    }
    let listed = run(folder.path(), &["cards", "."]);
    assert_eq!(
        stdout(&listed),
        "monster  Ghoul  ×2  level: 3  says: \"Grr, it says\"  bite …  ./a.cards:2\n\
         monster  Bat          ./m.csv:3\n"
    );
    assert!(stderr(&listed).contains("2 cards, 3 in the game"), "{}", stderr(&listed));
    let written = run(folder.path(), &["cards", ".", "level > 1", "--csv"]);
    assert_eq!(stdout(&written), "kind,name,copies,level,says\nmonster,Ghoul,2,3,\"Grr, it says\"\n");
    assert!(stderr(&written).contains("1 of 1 card"), "{}", stderr(&written));
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&run(folder.path(), &["cards", ".", "--json"]))).unwrap();
    assert_eq!(json["cards"][1]["fields"]["level"], 1);
    assert_eq!(json["cards"][0]["does"][0], "bite");
    let wrong = run(folder.path(), &["cards", ".", "levle = 2"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", stderr(&wrong));
}

#[test]
fn an_editor_is_told_what_is_wrong_in_a_table_that_is_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap();
    for (path, text) in [
        ("game.toml", MANIFEST),
        ("a.rules", RULES),
        ("a.cards", "cards of monster from \"m.csv\"\n"),
        ("m.csv", "name,level\nGhoul,3\n"),
    ] {
        std::fs::write(home.join(path), text).unwrap();
    }
    let table = home.join("m.csv");
    let mut workspace = Workspace::new(vec![home.clone()]);
    let places = |workspace: &mut Workspace| {
        let checked = workspace.check(&table);
        let found = checked.iter().flat_map(|checked| {
            let errors = checked.diagnostics.iter().filter(|found| found.is_error());
            errors.map(|found| checked.sources.locate(found.span))
        });
        found.collect::<Vec<_>>()
    };
    assert!(places(&mut workspace).is_empty());
    workspace.edit(&table, "name,level\nGhoul,33\n".to_owned());
    assert_eq!(places(&mut workspace), [format!("{}:2:7", table.display())]);
}
