//! The keys: one table from which the help screen and the line of hints are made.

use super::scene::Scene;
use super::state::{Focus, Stage, Ui};
use super::text::{Lines, fit, wrap};
use super::theme::Theme;
use ratatui::text::{Line, Span};

/// Keys and what they do, in groups.
const HELP: [(&str, &[(&str, &str)]); 4] = [
    (
        "Choosing",
        &[
            ("↑ ↓  j k", "go through what is possible"),
            ("← ↑ ↓ →", "on a board: go to the next legal site that way"),
            ("1 2 3 …", "go to an option by its number"),
            ("/", "list only options with these letters; Esc ends it"),
            ("Enter", "do it"),
            ("y  n", "answer yes or no, or accept and refuse an offer"),
            ("t", "take your offer back while nobody has answered it"),
            ("p", "pass, where you may respond to something"),
            ("P", "pass, and go on passing until something new comes up"),
            ("w  ?", "why something is not possible, with the line that says so"),
            ("W", "what the numbers above the table are made of, or any value that you type"),
            ("u", "take the last decision back"),
        ],
    ),
    (
        "Looking",
        &[
            ("Tab", "go to the cards on the table, to the log, and back"),
            ("arrows", "there: go from card to card, or scroll the log"),
            ("Enter", "on a card: go to the option about it; on the log: why it happened"),
            ("Esc", "back to the options, or to the result"),
            ("x  c", "put a notice away; accept what it offers"),
        ],
    ),
    ("Bots", &[("Space", "do not wait for this move"), ("+ -", "longer or shorter pauses; 0 means none")]),
    (
        "Game",
        &[
            ("s", "save every decision to a file from now on; `play --save FILE` goes on with it"),
            ("S", "begin to tell what is played; again: write it as a scenario, a test of the game"),
            ("T", "with `--watch`: the errors and failed scenarios of the content as it is now"),
            (":", "with `--workshop`: set counters, put cards, settle chance, go back, see all"),
            ("r", "when the game is over: another one, with a new seed"),
            ("F1  h", "this help"),
            ("q  Ctrl-C", "leave; asks first"),
        ],
    ),
];

/// What stands for what on the table.
const SIGNS: [(&str, &str); 6] = [
    ("▶", "the player on turn"),
    ("•name", "a card that can be chosen; the chosen one is reversed"),
    ("└name", "a card linked to the one above"),
    ("◆word", "something special about a card, such as an armed effect"),
    ("▤ ▸", "a pile with its number of cards, and its top"),
    ("‹ › ( ) ·", "on boards: can be chosen, done last, a free legal site"),
];

/// The help screen.
pub(super) fn help(room: usize, theme: Theme) -> Lines {
    let mut lines = Lines::new();
    let signs = [("Signs", SIGNS.as_slice())];
    for (title, keys) in HELP.iter().copied().chain(signs) {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.push(Line::styled(title, theme.title()));
        for (key, what) in keys {
            for (row, what) in wrap(what, room.saturating_sub(13)).into_iter().enumerate() {
                let key = if row == 0 { *key } else { "" };
                lines.push(Line::from(vec![Span::styled(format!("  {key:<11}"), theme.key()), Span::raw(what)]));
            }
        }
    }
    lines
}

/// The most useful keys now, most useful first.
pub(super) fn hints(ui: &Ui, scene: &Scene, theme: Theme, room: usize) -> Line<'static> {
    let mut keys: Vec<(&str, &str)> = Vec::new();
    match (ui.stage, ui.focus) {
        (Stage::HandOver(_), _) => keys.push(("Enter", "I have the keyboard")),
        (Stage::Done(_), _) => keys.extend([("Enter", "hide the table"), ("u", "undo")]),
        (Stage::Over, _) => {
            keys.extend([("Enter", "leave"), ("r", "another game"), ("Esc", "look at the table"), ("u", "undo")]);
        }
        (Stage::Play, _) if ui.filtering => {
            keys.extend([("letters", "narrow the list"), ("↑↓", "choose"), ("Enter", "do"), ("Esc", "all options")]);
        }
        (Stage::Play, _) if scene.offers() => keys.extend([("t", "take the offer back"), ("Space", "go on")]),
        (Stage::Play, _) if scene.bot => keys.extend([("Space", "go on"), ("+ -", "pause"), ("Tab", "look around")]),
        (Stage::Play, Focus::Options) => {
            let arrows = if ui.cursor(scene).is_some() && scene.has_board() { "←↑↓→" } else { "↑↓" };
            keys.extend([(arrows, "choose"), ("Enter", "do")]);
            if scene.responds() {
                keys.extend([("p", "pass"), ("P", "pass on until something new")]);
            }
            keys.extend([("w", "why not"), ("Tab", "look"), ("u", "undo")]);
            keys.push(("/", "find"));
        }
        (Stage::Play, Focus::Table) => keys.extend([("arrows", "next card"), ("Enter", "its option"), ("Esc", "back")]),
        (Stage::Play, Focus::Log) => keys.extend([("↑↓", "scroll"), ("Enter", "why it happened"), ("Esc", "back")]),
    }
    if scene.telling && !ui.filtering {
        keys.insert(0, ("S", "write the scenario"));
    }
    if scene.workshop && !ui.filtering {
        keys.push((":", "workshop"));
    }
    if !ui.filtering {
        keys.extend([("F1", "help"), ("q", "leave"), ("s", "save")]);
    }
    let mut line = Line::raw(" ");
    for (key, what) in keys {
        if line.width() + key.chars().count() + what.len() + 1 > room {
            break;
        }
        line.push_span(Span::styled(key.to_owned(), theme.key()));
        line.push_span(Span::raw(format!(" {what}  ")));
    }
    fit(line, room)
}
