//! Games in other languages: the locale file follows the rules, `check` says what it lacks, players read it, and nothing but what is read depends on
//! it.

use super::packages::{told, write};
use super::support::{cardwright, classics, games, stdout, templates};
use cardwright::base::MemoryWorld;
use cardwright::engine::{Change, Status};
use cardwright::play::locales::follow;
use cardwright::play::position::describe;
use cardwright::play::{Dice, Game, Options, Package, Session, Setup};
use cardwright::syntax::{Locale, parse_locale, print_locale};
use std::path::Path;
use std::sync::Arc;

const MANIFEST: &str = "name = \"lamps\"\ntitle = \"Lamps\"\nversion = \"1.0.0\"\nedition = 1\nplayers = { min = 2, max = 2, seats = [\"red\", \"blue\"] }\n";
const RULES: &str = "enum tint { amber jade }
kind lamp : card { field oil: 1..9  field colour: tint = amber  field text: text = \"\" }
zone shelf \"the shelf\" { holds: lamp  seen: all  starts: lamp }
zone lit { holds: lamp  seen: all }
action kindle \"light a lamp\" {
  choose c in shelf \"Which lamp is lit?\"
  note \"{me} lights {c} with {c.oil} oil\"
  move c to lit
}
define score(p: player): number = sum oil of lit
look lamp { title: \"a {colour} lamp, {name}\" }
flow { turns turn from seat(1) until no shelf { choose action kindle } end game }
";
const CARDS: &str = "lamp \"Wick\" { oil: 1  text: \"A small one.\" }\nlamp \"Torch\" { oil: 4  colour: jade }\n";

fn game(folder: &Path, rules: &str) {
    write(folder, &[("game.toml", MANIFEST), ("a.rules", rules), ("a.cards", CARDS)]);
}

fn fine(folder: &Path, args: &[&str]) -> String {
    let (code, text) = told(folder, args);
    assert_eq!(code, 0, "{args:?}: {text}");
    text
}

/// Fills in translations.
fn fill(path: &Path, pairs: &[(&str, &str)]) {
    let text = std::fs::read_to_string(path).unwrap();
    let (mut locale, found) = parse_locale(cardwright::base::FileId(0), &text);
    assert!(found.is_empty(), "{found:?}");
    for (id, to) in pairs {
        let at = locale.texts.iter_mut().find(|text| text.id == *id);
        (*to).clone_into(&mut at.unwrap_or_else(|| panic!("no {id} in {text}")).to);
    }
    std::fs::write(path, print_locale(&locale)).unwrap();
}

fn read(path: &Path) -> Locale {
    parse_locale(cardwright::base::FileId(0), &std::fs::read_to_string(path).unwrap()).0
}

const GERMAN: [(&str, &str); 13] = [
    ("title", "Lampen"),
    ("seat.red", "Rot"),
    ("seat.blue", "Blau"),
    ("enum.tint.amber", "bernsteingelbe"),
    ("enum.tint.jade", "jadegrüne"),
    ("zone.shelf", "das Regal"),
    ("zone.lit", "Licht"),
    ("action.kindle", "Lampe anzünden"),
    ("action.kindle.c", "Welche Lampe wird angezündet?"),
    ("action.kindle.note.1", "{c} brennt: {me} nahm {c.oil} Öl"),
    ("card.lamp.Wick", "Docht"),
    ("card.lamp.Wick.text", "Eine kleine."),
    ("look.lamp.title.1", "{name}, eine {colour} Lampe"),
];

#[test]
fn the_file_follows_the_rules_and_loses_nothing() {
    let root = tempfile::tempdir().unwrap();
    let (folder, path) = (root.path(), root.path().join("lamps/locales/de.toml"));
    game(&folder.join("lamps"), RULES);
    let text = fine(folder, &["translate", "./lamps", "de"]);
    assert!(text.contains("without a translation"), "{text}");
    let ids: Vec<String> = read(&path).texts.into_iter().map(|text| text.id).collect();
    for (id, _) in GERMAN {
        assert!(ids.iter().any(|found| found == id), "{id} among {ids:?}");
    }
    fill(&path, &GERMAN);
    let before = std::fs::read_to_string(&path).unwrap();
    assert!(fine(folder, &["translate", "./lamps", "de"]).contains("nothing new"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), before);
    // A note comes before the other, whose text is mended; the zone has another label, and a card is gone.
    let rules = RULES
        .replace("  note \"{me} lights", "  note \"Look here, {me}\"\n  note \"{me} kindles")
        .replace("\"the shelf\"", "\"the long shelf\"");
    game(&folder.join("lamps"), &rules);
    std::fs::write(folder.join("lamps/a.cards"), CARDS.replace("\"Wick\"", "\"Plain Wick\"")).unwrap();
    std::fs::write(&path, before.replace("[\"action.kindle.note.1\"]", "# Öl, not oil\n[\"action.kindle.note.1\"]"))
        .unwrap();
    let text = fine(folder, &["translate", "./lamps", "de"]);
    assert!(text.contains("2 to be looked at again: `zone.shelf`, `action.kindle.note.2`"), "{text}");
    assert!(text.contains("1 gone, kept at the end of the file: `card.lamp.Wick`"), "{text}");
    let locale = read(&path);
    let of = |id: &str| locale.texts.iter().find(|text| text.id == id).unwrap_or_else(|| panic!("no {id}"));
    assert_eq!(of("action.kindle.note.1").to, "");
    let note = of("action.kindle.note.2");
    assert_eq!(note.to, "{c} brennt: {me} nahm {c.oil} Öl");
    assert_eq!(note.was.as_deref(), Some("{me} lights {c} with {c.oil} oil"));
    assert_eq!(note.remarks, ["Öl, not oil"]);
    assert_eq!(of("gone.card.lamp.Wick").to, "Docht");
    // The same text where it stands now.
    assert_eq!(of("card.lamp.Plain Wick.text").to, "Eine kleine.");
    // All as it was: what was gone comes back.
    game(&folder.join("lamps"), RULES);
    let text = fine(folder, &["translate", "./lamps", "de"]);
    assert!(!text.contains("gone") && !text.contains("looked at"), "{text}");
    let found = |texts: Vec<cardwright::syntax::Translated>| {
        texts.into_iter().map(|text| (text.id, text.to)).collect::<Vec<_>>()
    };
    let (mut after, mut first) =
        (found(read(&path).texts), found(parse_locale(cardwright::base::FileId(0), &before).0.texts));
    after.sort();
    first.sort();
    assert_eq!(after, first);
}

#[test]
fn the_translation_goes_with_a_card_that_has_another_name() {
    let root = tempfile::tempdir().unwrap();
    let (folder, path) = (root.path(), root.path().join("lamps/locales/de.toml"));
    game(&folder.join("lamps"), RULES);
    fine(folder, &["translate", "./lamps", "de"]);
    fill(&path, &GERMAN);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("to = \"Docht\"", "to = \"Docht\"  # or Lunte?")).unwrap();
    std::fs::write(folder.join("lamps/a.cards"), CARDS.replace("\"Wick\"", "\"Glow\"")).unwrap();
    std::fs::write(folder.join("lamps/game.toml"), format!("{MANIFEST}[was]\n\"Glow\" = \"Wick\"\n")).unwrap();
    // What was translated is said, and is to be looked at.
    let view = |language: &str| fine(folder, &["show", "./lamps", "--seed", "1", "--lang", language]);
    assert!(view("de").contains("Docht"), "{}", view("de"));
    let checked = fine(folder, &["check", "./lamps"]);
    assert!(checked.contains("1 text changed since the translation: `card.lamp.Glow`"), "{checked}");
    assert!(!checked.contains("there is no text"), "{checked}");
    let said = fine(folder, &["translate", "./lamps", "de"]);
    assert!(said.contains("1 to be looked at again: `card.lamp.Glow`") && !said.contains("gone"), "{said}");
    let locale = read(&path);
    let of = |id: &str| locale.texts.iter().find(|text| text.id == id).unwrap_or_else(|| panic!("no {id}"));
    let name = of("card.lamp.Glow");
    assert_eq!((name.to.as_str(), name.was.as_deref(), name.from.as_str()), ("Docht", Some("Wick"), "Glow"));
    assert_eq!(name.remarks, ["or Lunte?"]);
    assert_eq!((of("card.lamp.Glow.text").to.as_str(), &of("card.lamp.Glow.text").was), ("Eine kleine.", &None));
}

#[test]
fn what_is_gone_stays_under_its_id_when_more_goes() {
    let root = tempfile::tempdir().unwrap();
    let (folder, path) = (root.path(), root.path().join("lamps/locales/de.toml"));
    game(&folder.join("lamps"), RULES);
    fine(folder, &["translate", "./lamps", "de"]);
    fill(&path, &GERMAN);
    let cards =
        |text: &str| std::fs::write(folder.join("lamps/a.cards"), CARDS.replace("\"A small one.\"", text)).unwrap();
    let id = "card.lamp.Wick.text";
    for (text, to) in [("\"Another.\"", "Eine andere."), ("\"A third.\"", "Eine dritte.")] {
        std::fs::write(folder.join("lamps/a.cards"), "lamp \"Torch\" { oil: 4 }\n").unwrap();
        fine(folder, &["translate", "./lamps", "de"]);
        cards(text);
        fine(folder, &["translate", "./lamps", "de"]);
        fill(&path, &[(id, to)]);
    }
    std::fs::write(folder.join("lamps/a.cards"), "lamp \"Torch\" { oil: 4 }\n").unwrap();
    fine(folder, &["translate", "./lamps", "de"]);
    let texts = read(&path).texts;
    let gone =
        texts.iter().filter(|text| text.id.contains("Wick.text")).map(|text| (text.id.as_str(), text.to.as_str()));
    let wanted = [
        ("gone.card.lamp.Wick.text", "Eine kleine."),
        ("gone.card.lamp.Wick.text+", "Eine andere."),
        ("gone.card.lamp.Wick.text++", "Eine dritte."),
    ];
    assert_eq!(gone.collect::<Vec<_>>(), wanted);
}

#[test]
fn what_cannot_be_written_is_told() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    game(&folder.join("lamps"), RULES);
    let (code, text) = told(folder, &["translate", "./lamps", "../de"]);
    assert!(code == 2 && text.contains("`../de` is no language"), "{code} {text}");
    let (code, text) = told(folder, &["translate", "tic-tac-toe", "de"]);
    assert!(code == 2 && text.contains("a package that extends it") && text.contains("`eject`"), "{code} {text}");
    std::fs::create_dir(folder.join("lamps/locales")).unwrap();
    let broken = "[\"title\"]\nfrom = \"Lamps\"\nto = \"Lampen\n";
    std::fs::write(folder.join("lamps/locales/de.toml"), broken).unwrap();
    let (code, text) = told(folder, &["translate", "./lamps", "de"]);
    assert!(code == 1 && text.contains("E0625") && text.contains("de.toml:3"), "{code} {text}");
    assert_eq!(std::fs::read_to_string(folder.join("lamps/locales/de.toml")).unwrap(), broken);
    let (code, text) = told(folder, &["play", "./lamps", "--lang", "fr", "--plain"]);
    assert!(code == 2 && text.contains("`lamps` is not translated into `fr`; there is `de`"), "{code} {text}");
}

#[test]
fn players_read_it_and_saves_do_not_know() {
    let root = tempfile::tempdir().unwrap();
    let (folder, path) = (root.path(), root.path().join("lamps/locales/de.toml"));
    game(&folder.join("lamps"), RULES);
    fine(folder, &["translate", "./lamps", "de"]);
    fill(&path, &GERMAN);
    let play = |lang: &[&str], lines: &str, save: &str| {
        let args =
            ["play", "./lamps", "--players", "human,human", "--plain", "--seed", "1", "--every-choice", "--save", save];
        stdout(&cardwright(folder, &[&args[..], lang].concat(), lines))
    };
    let text = play(&["--lang", "de"], "lampe anzünden docht\n1\n", "a.save");
    for line in [
        "Rot: Welche Lampe wird angezündet?",
        "Lampe anzünden Docht",
        "Docht brennt: Rot nahm 1 Öl",
        "Docht: das Regal -> Licht",
        // What has no translation is shown as it is.
        "Lampe anzünden Torch",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
    assert!(!text.contains("Wick") && !text.contains("light a lamp"), "{text}");
    // Keys can be typed as well, and the file is the same.
    play(&["--lang", "de"], "light a lamp Wick\nlight a lamp Torch\n", "b.save");
    play(&[], "light a lamp Wick\n1\n", "c.save");
    let saves = ["a.save", "b.save", "c.save"].map(|name| std::fs::read_to_string(folder.join(name)).unwrap());
    assert_eq!(saves[0], saves[1]);
    assert_eq!(saves[0], saves[2]);
    assert!(saves[0].contains("\"light a lamp Wick\""), "{}", saves[0]);
    let shown =
        |lang: &[&str]| fine(folder, &[&["show", "./lamps", "--save", "a.save", "--at", "1"][..], lang].concat());
    assert!(shown(&["--lang", "de"]).contains("Docht") && shown(&[]).contains("Wick"));
    let picture = shown(&["--lang", "de", "--svg", "-"]);
    for words in ["Docht, eine", "bernsteingelbe", "Eine kleine.", "Torch, eine", "Lampen"] {
        assert!(picture.contains(words), "no `{words}` in {picture}");
    }
    let book = |lang: &[&str]| {
        fine(folder, &[&["book", "./lamps", "--out", "print"][..], lang].concat());
        ["cards.html", "rules.html"].map(|name| std::fs::read_to_string(folder.join("print").join(name)).unwrap())
    };
    std::fs::write(folder.join("lamps/locales/de.md"), "# Lampen\n\nZünde Lampen an.\n").unwrap();
    for page in book(&["--lang", "de"]) {
        assert!(
            page.contains("<html lang=\"de\">") && page.contains("Lampen") && page.contains("Docht, eine"),
            "{page}"
        );
        assert!(!page.contains("Wick") && !page.contains("A small one."), "{page}");
    }
    assert!(book(&["--lang", "de"])[1].contains("Zünde Lampen an."));
    assert!(book(&[])[0].contains("Wick"));
    // Text that has changed is shown in its translation as long as that fills in the same.
    game(&folder.join("lamps"), &RULES.replace("Which lamp is lit", "Which lamp").replace("{c.oil} oil", "some oil"));
    let text = play(&["--lang", "de"], "1\n1\n", "d.save");
    assert!(text.contains("Welche Lampe wird angezündet?"), "{text}");
    assert!(text.contains("Rot lights Docht with some oil"), "{text}");
}

#[test]
fn a_package_translates_the_game_it_extends() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    game(&folder.join("lamps"), RULES);
    let manifest = "name = \"lampes\"\ntitle = \"Lampes\"\nversion = \"1.0.0\"\nedition = 1\nkind = \"expansion\"\nextends = { lamps = \"1.0.0\" }\n";
    write(&folder.join("lampes"), &[("game.toml", manifest)]);
    fine(folder, &["translate", "./lampes", "fr"]);
    fill(&folder.join("lampes/locales/fr.toml"), &[("card.lamp.Wick", "Mèche"), ("zone.lit", "la lumière")]);
    let text = fine(folder, &["check", "./lampes"]);
    assert!(text.contains("W0035"), "{text}");
    let text = fine(folder, &["show", "./lamps", "--with", "./lampes", "--lang", "fr"]);
    assert!(text.contains("Mèche (oil 1, amber), Torch"), "{text}");
    // Another one has texts of its own, and the game's file does not change because of them.
    let more = "replace lamp \"Torch\" { oil: 5  text: \"A tall one.\" }\nlamp \"Globe\" { oil: 3 }\n";
    let manifest = manifest.replace("lampes", "tall").replace("Lampes", "Tall");
    write(&folder.join("tall"), &[("game.toml", &manifest), ("b.cards", more)]);
    fine(folder, &["translate", "./tall", "fr"]);
    let ids: Vec<String> = read(&folder.join("tall/locales/fr.toml")).texts.into_iter().map(|text| text.id).collect();
    assert_eq!(ids, ["card.lamp.Torch", "card.lamp.Torch.text", "card.lamp.Globe"]);
    fill(
        &folder.join("tall/locales/fr.toml"),
        &[("card.lamp.Torch.text", "Une grande."), ("card.lamp.Globe", "Globe")],
    );
    let text = fine(folder, &["show", "./lamps", "--with", "./lampes,./tall", "--lang", "fr"]);
    assert!(text.contains("Mèche (oil 1, amber), Globe (oil 3, amber), Torch"), "{text}");
    let text = fine(folder, &["show", "./lamps", "--with", "./lampes,./tall", "--lang", "fr", "--svg", "-"]);
    assert!(text.contains("Une grande."), "{text}");
    // What was translated is not said of what a package has put in its place.
    let manifest = manifest.replace("tall", "tiny").replace("Tall", "Tiny");
    let more = "patch lamp \"Wick\" { text: \"A tiny one.\" }\n";
    write(&folder.join("tiny"), &[("game.toml", &manifest), ("b.cards", more)]);
    fine(folder, &["translate", "./lamps", "de"]);
    fill(&folder.join("lamps/locales/de.toml"), &[("card.lamp.Wick.text", "Eine kleine.")]);
    let shown = |more: &[&str]| fine(folder, &[&["show", "./lamps", "--lang", "de", "--svg", "-"], more].concat());
    assert!(shown(&[]).contains("Eine kleine."));
    let text = shown(&["--with", "./tiny"]);
    assert!(text.contains("A tiny one.") && !text.contains("Eine kleine."), "{text}");
    assert!(!fine(folder, &["check", "./lamps", "--with", "./tiny"]).contains("W0036"));
}

/// A text in a made-up language: what it fills in stays.
fn made_up(text: &str) -> String {
    let mut out = String::from("¡");
    let mut inside = false;
    for letter in text.chars() {
        inside = letter != '}' && (inside || letter == '{');
        match letter {
            _ if inside => out.push(letter),
            letter => out.extend(letter.to_uppercase()),
        }
    }
    out
}

/// A game as it is, and in a made-up language, and the texts of it.
fn in_both(game: &Arc<Game>) -> (Arc<Game>, Arc<Game>, Vec<String>) {
    let held = |package: &Package| {
        let world = package.world().unwrap();
        let files = world.list().unwrap();
        let texts = files.iter().filter_map(|path| Some((path.clone(), world.read(path).ok()?)));
        MemoryWorld { files: texts.collect(), ..MemoryWorld::default() }
    };
    let package = &game.package;
    let mut world = held(package);
    let own = Package::memory(&package.name, world.clone());
    let written = follow(&own, "xx").unwrap();
    let (mut locale, _) = parse_locale(cardwright::base::FileId(0), &written.text);
    locale.texts.iter_mut().for_each(|text| text.to = made_up(&text.from));
    let texts = locale.texts.iter().map(|text| text.from.clone()).collect();
    world.files.insert(written.path, print_locale(&locale));
    let spoken = Package::memory(&package.name, world).in_language(Some("xx".to_owned()));
    let load = |package: &Package| Arc::new(Game::load(package, &Options::new(), None).unwrap());
    (load(&own), load(&spoken), texts)
}

#[test]
fn nothing_but_what_is_read_depends_on_the_language() {
    let all = games().into_iter().chain(classics()).chain(templates());
    for game in all.filter(|game| game.expansions.is_empty()) {
        let (one, other, texts) = in_both(&game);
        assert!(one.words.is_none() && other.words.is_some());
        // Names of cards, and whatever else is too long to be a word of the program's own.
        let cards = one.rules.entries.iter().map(|entry| entry.name.as_str()).filter(|name| name.len() > 4);
        let texts = texts.iter().map(String::as_str).filter(|text| text.len() > 10 && !text.contains('{'));
        let names: Vec<&str> = cards.chain(texts).filter(|name| name.chars().any(char::is_lowercase)).collect();
        for seed in 1..=2 {
            let seats = vec!["human".to_owned(); usize::from(one.rules.players.0)];
            let begin =
                |game: &Arc<Game>| Session::new(Arc::clone(game), Setup { seed, seats: seats.clone() }, None).unwrap();
            let (mut plain, mut spoken) = (begin(&one), begin(&other));
            let mut dice = Dice::new(seed);
            let mut heard = 0;
            for _ in 0..60 {
                assert_eq!(plain.hash(), spoken.hash(), "{}", one.rules.name);
                if plain.status() == Status::Over {
                    assert_eq!(plain.outcome(), spoken.outcome());
                    break;
                }
                let (asked, read) = (plain.decision().unwrap(), spoken.decision().unwrap());
                let keys = |decision: &cardwright::engine::Decision| {
                    let options =
                        decision.options.iter().map(|option| (option.key.clone(), option.target, option.weight));
                    options.collect::<Vec<_>>()
                };
                assert_eq!(keys(&asked), keys(&read), "{}", one.rules.name);
                let index = dice.below(asked.options.len());
                // A reader of the other language meets no name of a card in this one.
                let seat = spoken.deciding();
                let view = spoken.view(seat);
                let labels: Vec<&str> = read.options.iter().map(|option| option.label.as_str()).collect();
                let text = format!("{}\n{}\n{}", describe(&view), read.question(), labels.join("\n"));
                for name in &names {
                    assert!(!has(&text, name), "{}: `{name}` in\n{text}", one.rules.name);
                }
                plain.choose(index).unwrap();
                spoken.choose(index).unwrap();
                let (full, told) = (plain.changes(), spoken.changes());
                assert_eq!(full.len(), told.len());
                let words = |changes: &[(usize, Change)]| {
                    changes.iter().map(|(_, change)| change.full.clone()).collect::<Vec<_>>()
                };
                assert_eq!(words(&full[heard..]), words(&told[heard..]), "{}", one.rules.name);
                for line in told[heard..].iter().flat_map(|(_, change)| &change.text) {
                    for name in &names {
                        assert!(!has(line, name), "{}: `{name}` in `{line}`", one.rules.name);
                    }
                }
                heard = full.len();
            }
        }
    }
}

/// Whether a text has a name in it, as whole words.
fn has(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !letter(text[..at].chars().next_back()) && !letter(text[at + name.len()..].chars().next())
    })
}

#[test]
fn shipped_translations_are_complete() {
    let all: Vec<Arc<Game>> = games().into_iter().chain(classics()).chain(templates()).collect();
    let translated = all.iter().filter(|game| {
        let files = game.package.world().unwrap().list().unwrap();
        game.expansions.is_empty() && files.iter().any(|path| path.starts_with("locales/"))
    });
    let mut count = 0;
    for game in translated {
        count += 1;
        let found = cardwright::play::Checked::new(&game.package, &Options::new(), None).unwrap().diagnostics;
        assert!(found.is_empty(), "{}: {found:?}", game.rules.name);
    }
    assert!(count > 0);
}

#[test]
fn what_is_not_possible_is_told_in_the_language() {
    let root = tempfile::tempdir().unwrap();
    let (folder, path) = (root.path(), root.path().join("lamps/locales/de.toml"));
    let polish =
        "action polish { requires count shelf < 2 \"no lamp is lit yet\"  choose c in shelf  move c to nowhere }\n";
    game(&folder.join("lamps"), &(RULES.replace("choose action kindle", "choose action kindle, polish") + polish));
    fine(folder, &["translate", "./lamps", "de"]);
    fill(&path, &GERMAN);
    fill(&path, &[("action.polish", "polieren"), ("action.polish.requires.1", "noch brennt keine")]);
    let args = ["play", "./lamps", "--players", "human,human", "--plain", "--seed", "1", "--lang", "de"];
    for asked in ["why", "why not polieren", "why not polish"] {
        let text = stdout(&cardwright(folder, &args, &format!("{asked}\n")));
        assert!(text.contains("polieren: noch brennt keine"), "{asked}: {text}");
    }
}
