//! The words with a role of their own, for the places that look at words without the grammar.

/// Words that are never names, sorted: those that stand where a value may begin or go on.
pub const RESERVED: &[&str] = &[
    "and", "as", "at", "by", "can", "count", "else", "every", "for", "from", "game", "gather", "has", "having", "if",
    "in", "into", "is", "max", "min", "no", "not", "of", "on", "or", "rule", "some", "sorted", "sum", "then", "to",
    "union", "until", "values", "when", "where", "while", "with",
];

/// Words with a role in some places, sorted; elsewhere they are names.
pub const CONTEXTUAL: &[&str] = &[
    "absolute",
    "accepted",
    "action",
    "after",
    "again",
    "alone",
    "among",
    "amount",
    "announced",
    "any",
    "arm",
    "aside",
    "asked",
    "because",
    "becomes",
    "before",
    "board",
    "bottom",
    "cannot",
    "cards",
    "chance",
    "check",
    "choose",
    "clamped",
    "copy",
    "counter",
    "counters",
    "covers",
    "create",
    "decrease",
    "define",
    "do",
    "down",
    "draw",
    "each",
    "effect",
    "end",
    "ensure",
    "enum",
    "even",
    "evenly",
    "exactly",
    "expect",
    "field",
    "flow",
    "given",
    "gone",
    "good",
    "hide",
    "ignoring",
    "illegal",
    "increase",
    "instead",
    "keep",
    "kind",
    "least",
    "leave",
    "legal",
    "let",
    "link",
    "list",
    "look",
    "lose",
    "mark",
    "may",
    "maybe",
    "meets",
    "modify",
    "most",
    "move",
    "mover",
    "must",
    "next",
    "notation",
    "note",
    "offer",
    "once",
    "open",
    "option",
    "options",
    "order",
    "orphan",
    "over",
    "patch",
    "pay",
    "per",
    "phase",
    "play",
    "player",
    "players",
    "proceed",
    "quietly",
    "random",
    "reach",
    "refused",
    "remove",
    "repeat",
    "replace",
    "requires",
    "reveal",
    "roll",
    "round",
    "rounds",
    "scenario",
    "script",
    "secret",
    "seed",
    "seen",
    "sees",
    "set",
    "settle",
    "setup",
    "shuffle",
    "silent",
    "snapshot",
    "split",
    "stands",
    "start",
    "stat",
    "stop",
    "supersedes",
    "terms",
    "test",
    "times",
    "top",
    "turned",
    "turns",
    "unlink",
    "up",
    "valid",
    "verb",
    "win",
    "window",
    "winner",
    "zone",
];

/// Those of them that are rather names where one can only guess, because something is wrong.
const MILD: &[&str] = &[
    "accepted", "again", "alone", "amount", "aside", "asked", "because", "bottom", "cards", "chance", "clamped",
    "counters", "effect", "even", "evenly", "gone", "good", "illegal", "keep", "least", "legal", "meets", "mover",
    "offer", "once", "options", "over", "play", "players", "quietly", "refused", "round", "rounds", "secret", "seed",
    "seen", "sees", "silent", "snapshot", "terms", "test", "top", "valid", "winner",
];

/// Words that begin a top-level item.
pub const ITEMS: &[&str] = &[
    "enum", "option", "kind", "player", "game", "zone", "board", "link", "define", "verb", "action", "setup", "flow",
    "window", "rule", "absolute", "script", "cards", "look", "scenario", "patch", "replace", "remove",
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

/// Words that declare a property of a kind, of `player` or of `game`.
pub const KEPT: &[&str] = &["field", "counter", "mark", "stat"];

/// Words that begin a member of a kind, of `player` or of `game`, other than a clause.
pub const MEMBERS: &[&str] = &["field", "counter", "mark", "stat", "stands", "seen", "notation"];

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

/// Whether a word is rather meant in its role than as a name, as far as one can guess.
pub fn is_keyword(word: &str) -> bool {
    is_reserved(word) || contextual(word).is_some() && !MILD.contains(&word)
}

/// Whether a verb cannot have a name, because a statement begins with it. What follows tells the others.
pub fn begins_a_statement(word: &str) -> bool {
    STATEMENTS.contains(&word) && !matches!(word, "draw" | "end")
}

/// Whether a kind cannot have a name, because an item begins with it.
pub fn begins_an_item(word: &str) -> bool {
    ITEMS.contains(&word)
}
