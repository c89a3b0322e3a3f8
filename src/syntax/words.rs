//! The words with a role of their own, for the places that look at words without the grammar.

/// Every reserved word, sorted. The grammar's rule `reserved` lists the same.
pub const RESERVED: &[&str] = &[
    "absolute",
    "action",
    "after",
    "among",
    "and",
    "announced",
    "any",
    "arm",
    "as",
    "at",
    "becomes",
    "before",
    "board",
    "by",
    "can",
    "cannot",
    "check",
    "choose",
    "copy",
    "count",
    "counter",
    "covers",
    "create",
    "decrease",
    "define",
    "do",
    "down",
    "draw",
    "each",
    "else",
    "end",
    "ensure",
    "enum",
    "every",
    "exactly",
    "expect",
    "field",
    "flow",
    "for",
    "from",
    "game",
    "gather",
    "given",
    "has",
    "having",
    "hide",
    "if",
    "ignoring",
    "in",
    "increase",
    "instead",
    "into",
    "is",
    "kind",
    "leave",
    "let",
    "link",
    "list",
    "look",
    "lose",
    "mark",
    "max",
    "may",
    "maybe",
    "min",
    "modify",
    "most",
    "move",
    "must",
    "next",
    "no",
    "not",
    "notation",
    "note",
    "of",
    "on",
    "open",
    "option",
    "or",
    "order",
    "orphan",
    "patch",
    "pay",
    "per",
    "phase",
    "player",
    "proceed",
    "random",
    "remove",
    "repeat",
    "replace",
    "requires",
    "reveal",
    "roll",
    "rule",
    "scenario",
    "script",
    "set",
    "settle",
    "setup",
    "shuffle",
    "some",
    "sorted",
    "split",
    "stands",
    "start",
    "stat",
    "stop",
    "sum",
    "supersedes",
    "then",
    "times",
    "to",
    "turned",
    "turns",
    "union",
    "unlink",
    "until",
    "up",
    "values",
    "verb",
    "when",
    "where",
    "while",
    "win",
    "window",
    "with",
    "zone",
];

/// Words with a role in one place only, sorted; elsewhere they are names.
pub const CONTEXTUAL: &[&str] = &[
    "accepted", "again", "alone", "amount", "aside", "asked", "because", "bottom", "chance", "clamped", "counters",
    "effect", "even", "evenly", "gone", "good", "illegal", "keep", "least", "legal", "meets", "mover", "offer", "once",
    "options", "over", "play", "players", "quietly", "refused", "round", "rounds", "secret", "seed", "sees", "silent",
    "snapshot", "terms", "test", "top", "valid", "winner",
];

/// Words that begin a top-level item.
pub const ITEMS: &[&str] = &[
    "enum", "option", "kind", "player", "game", "zone", "board", "link", "define", "verb", "action", "setup", "flow",
    "window", "rule", "absolute", "script", "look", "scenario", "patch", "replace", "remove",
];

/// Items with which an expansion changes the item that the next word begins.
pub const CHANGES: &[&str] = &["patch", "replace", "remove"];

/// Words that begin a statement other than a verb call.
pub const STATEMENTS: &[&str] = &[
    "let", "set", "increase", "decrease", "choose", "may", "must", "each", "if", "repeat", "turns", "phase", "leave",
    "stop", "move", "create", "link", "unlink", "shuffle", "roll", "random", "reveal", "hide", "ensure", "requires",
    "notation", "note", "open", "arm", "do", "proceed", "win", "lose", "draw", "end", "settle",
];

/// Words that begin a clause.
pub const CLAUSES: &[&str] =
    &["modify", "check", "next", "announced", "becomes", "may", "cannot", "instead", "before", "after"];

/// Words that begin a member of a kind, of `player` or of `game`, other than a clause.
pub const MEMBERS: &[&str] = &["field", "counter", "mark", "stat", "stands", "notation"];

/// Words that begin a step of a scenario.
pub const STEPS: &[&str] =
    &["players", "seed", "option", "given", "chance", "play", "expect", "snapshot", "mover", "keep", "alone"];

/// For each letter, where the words that begin with it begin in a sorted table; last, the end.
type Starts = [u8; 27];

static RESERVED_STARTS: Starts = starts(RESERVED);
static CONTEXTUAL_STARTS: Starts = starts(CONTEXTUAL);

const fn starts(table: &[&str]) -> Starts {
    let mut starts = [0; 27];
    let (mut letter, mut index) = (0, 0);
    while letter < starts.len() {
        while index < table.len() && ((table[index].as_bytes()[0] - b'a') as usize) < letter {
            index += 1;
        }
        starts[letter] = index as u8;
        letter += 1;
    }
    starts
}

/// Whether a word is in a list, for tables that are made when the program is built.
pub const fn contains(table: &[&str], word: &str) -> bool {
    let (word, mut index) = (word.as_bytes(), 0);
    while index < table.len() {
        let other = table[index].as_bytes();
        let mut same = 0;
        while same < word.len() && same < other.len() && word[same] == other[same] {
            same += 1;
        }
        if same == word.len() && same == other.len() {
            return true;
        }
        index += 1;
    }
    false
}

fn position(table: &[&str], starts: &Starts, word: &str) -> Option<usize> {
    let letter = usize::from(word.bytes().next()?.wrapping_sub(b'a'));
    let (from, to) = (*starts.get(letter)?, *starts.get(letter + 1)?);
    (usize::from(from)..usize::from(to)).find(|index| table[*index] == word)
}

/// The number of a reserved word.
pub fn reserved(word: &str) -> Option<usize> {
    position(RESERVED, &RESERVED_STARTS, word)
}

/// The number of a word with a role in one place only.
pub fn contextual(word: &str) -> Option<usize> {
    position(CONTEXTUAL, &CONTEXTUAL_STARTS, word)
}

/// Whether a word is reserved.
pub fn is_reserved(word: &str) -> bool {
    reserved(word).is_some()
}
