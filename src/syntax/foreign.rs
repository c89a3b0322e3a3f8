//! Words of other languages, and what is written here in their place.

/// Words that somebody may begin a statement with.
const STATEMENTS: &[(&str, &str)] = &[
    ("while", "a loop is written `repeat while COND { ... }`"),
    ("until", "a loop is written `repeat until COND { ... }`"),
    ("loop", "a loop is written `repeat { ... }`, and `leave repeat` ends it"),
    ("end_game", "write `end game`"),
    ("endgame", "write `end game`"),
    ("game_over", "write `end game`"),
    ("owned", "whose it is stands behind the place: `create KIND at PLACE with owner = me`"),
    ("require", "write `requires COND \"reason\"`"),
    ("return", "`stop` ends a block; what has a value is a `define`"),
    ("break", "`leave repeat` ends a loop"),
    ("continue", "put the rest of the loop into an `if`"),
    ("var", "a local is written `let n = ...`"),
    ("const", "a local is written `let n = ...`"),
    ("local", "a local is written `let n = ...`"),
    ("int", "a local is written `let n = ...`"),
    ("print", "what is told stands in the log: `note \"...\"`"),
    ("say", "what is told stands in the log: `note \"...\"`"),
    ("log", "what is told stands in the log: `note \"...\"`"),
    ("echo", "what is told stands in the log: `note \"...\"`"),
    ("message", "what is told stands in the log: `note \"...\"`"),
    ("elif", "write `else if`, behind the `}`"),
    ("elsif", "write `else if`, behind the `}`"),
    ("elseif", "write `else if`, behind the `}`"),
    ("unless", "write `if not (...) { ... }`"),
    ("cannot", "it stands in rules and on cards; in an action say what may be chosen, `where COND`, or `ensure COND`"),
    ("switch", "write `if ... { ... } else if ... { ... }`"),
    ("match", "write `if ... { ... } else if ... { ... }`"),
    ("case", "write `if ... { ... } else if ... { ... }`"),
    ("when", "a statement with a condition is written `if COND { ... }`; `when` stands in rules"),
    ("add", "write `increase x by n`, or for cards `move c to ZONE`"),
    ("increment", "write `increase x by 1`"),
    ("decrement", "write `decrease x by 1`"),
    ("subtract", "write `decrease x by n`"),
    ("put", "write `move c to ZONE`"),
    ("spawn", "write `create KIND at PLACE`"),
    ("new", "write `create KIND at PLACE`"),
    ("delete", "write `move c to nowhere`"),
    ("select", "write `choose x in SET`"),
    ("pick", "write `choose x in SET`"),
    (
        "draw",
        "a game without a winner ends with `draw game`; cards are drawn with `move top(deck, 2) to me.hand`, or with a verb of your own that does",
    ),
    ("mod", "the rest of a division is `a % b`"),
    ("swap", "move the one to a zone of its own, the other to where the first was, and the first from there"),
    ("exchange", "move the one to a zone of its own, the other to where the first was, and the first from there"),
    ("remove", "write `move c to nowhere`; of a site: `move pieces(s) to nowhere`"),
    ("discard", "write `move c to ZONE`, or declare a verb that does: `verb discard c { move c to heap }`"),
    ("skip", "who does nothing chooses an action that does nothing: `action skip { }`; `leave TURN` ends a turn"),
    ("pass", "who does nothing chooses an action that does nothing: `action pass { }`"),
    ("end", "`leave TURN` ends a turn, `leave repeat` a loop, `end game` the game"),
    ("finish", "`leave TURN` ends a turn, `leave repeat` a loop, `end game` the game"),
    ("between", "write `x in 2..4`"),
    ("except", "a set without somebody is written `players - me`, `S - x`"),
    ("other", "a set without somebody is written `players - me`, `S - x`; all players but `me` are `opponents`"),
    ("excluding", "a set without somebody is written `players - me`, `S - x`"),
    ("next", "`leave TURN` ends a turn; who comes next is said at its loop: `turns NAME from P next EXPR`"),
    ("give", "write `increase p.coins by n`, or for cards `move c to p.hand`"),
    ("destroy", "write `move c to nowhere`"),
    ("trash", "write `move c to nowhere`, or to a zone for such cards"),
    ("banish", "write `move c to nowhere`, or to a zone for such cards"),
    ("take", "write `move c to me.hand`"),
    ("deal", "write `each p in players { move top(deck, 5) to p.hand }`"),
    ("place", "write `move c to ZONE`, on a board `create KIND at PLACE`"),
    ("gain", "write `increase me.coins by n`, or for cards `move c to me.hand`"),
    ("me", "a statement begins with its word: `win me`, `lose me`, or a verb of your own"),
    ("show", "what lies hidden is shown by `reveal c`, to one player by `reveal c to p`"),
    ("uncover", "what lies hidden is shown by `reveal c`, to one player by `reveal c to p`"),
    ("otherwise", "write `else { ... }`, behind the `}`"),
    ("ask", "write `choose x in SET \"Which?\"`, or `may \"Do it?\" do { ... }`"),
];

/// Words that somebody may take for a value.
const VALUES: &[(&str, &str)] = &[
    ("null", "write `nothing`"),
    ("nil", "write `nothing`"),
    ("none", "write `nothing`; an empty set is `[]`"),
    ("None", "write `nothing`; an empty set is `[]`"),
    ("undefined", "write `nothing`"),
    ("self", "the card a text stands on is `this`"),
    ("over", "`expect over` stands alone; that the game goes on is said by who is asked: `expect seat(1) asked`"),
    ("winner", "`expect winner seat(1)` says who has won; that the game goes on: `expect seat(1) asked`"),
    ("True", "write `true`"),
    ("TRUE", "write `true`"),
    ("yes", "write `true`"),
    ("False", "write `false`"),
    ("FALSE", "write `false`"),
    ("you", "the player who acts is `me`"),
    ("my", "what belongs to the player who acts is `me.hand`, `me.coins`"),
    ("your", "what belongs to the player who acts is `me.hand`, `me.coins`"),
    ("current_player", "the player on turn is `mover`"),
    ("active_player", "the player on turn is `mover`"),
    ("everyone", "all players are `players`"),
    ("everybody", "all players are `players`"),
    ("all_players", "all players are `players`"),
    ("any", "write `some SET`, with a condition `some (SET where COND)`"),
    ("exists", "write `some SET`, with a condition `some (SET where COND)`"),
    ("all", "write `every SET meets COND`; all players are `players`"),
    ("directions", "those of a board are `directions(BOARD)`"),
    ("filter", "write `SET where COND`"),
    ("others", "all players but `me` are `opponents`"),
    ("enemies", "all players but `me` are `opponents`"),
];

/// Words that somebody may take for a type.
const TYPES: &[(&str, &str)] = &[
    ("int", "write `number`, or a range such as `0..9`"),
    ("integer", "write `number`, or a range such as `0..9`"),
    ("float", "numbers are whole: write `number`"),
    ("bool", "write `flag`"),
    ("boolean", "write `flag`"),
    ("string", "write `text`"),
    ("str", "write `text`"),
    ("array", "write `list of T`"),
    ("action", "what a card does is an `effect`"),
];

/// Words that somebody may take for a function.
const FUNCTIONS: &[(&str, &str)] = &[
    (
        "last",
        "the last of a list is `LIST[count LIST - 1]`, the largest of a set `first(SET sorted by ... down)`, the undermost card of a pile `bottom(ZONE)`",
    ),
    ("sort", "the members of a set in order are `S sorted by F`, from the largest on `S sorted by F down`"),
    ("order", "the members of a set in order are `S sorted by F`, from the largest on `S sorted by F down`"),
    ("len", "write `count SET`"),
    ("length", "write `count SET`"),
    ("size", "write `count SET`"),
    ("neighbours", "write `around(s)`; in one direction: `step(s, d)`"),
    ("neighbors", "write `around(s)`; in one direction: `step(s, d)`"),
    ("adjacent", "write `around(s)`; in one direction: `step(s, d)`"),
    ("next", "the player after somebody is `first(players_after(p))`"),
    ("left", "the player after somebody is `first(players_after(p))`"),
    ("next_player", "the player after somebody is `first(players_after(p))`"),
    ("player", "a player of a number is `seat(2)`"),
    ("dice", "chance is a statement: `roll d in 1..6`, then `d`"),
    ("mod", "the rest of a division is `a % b`"),
    ("highest", "write `max F of SET`; those that have it are `SET having most F`"),
    ("lowest", "write `min F of SET`; those that have it are `SET having least F`"),
    ("random", "chance is a statement: `roll d in 1..6`, `random c in SET`"),
    ("rand", "chance is a statement: `roll d in 1..6`, `random c in SET`"),
    ("print", "what is told stands in the log: `note \"...\"`"),
    ("max", "write `max F of SET`, or `if a > b then a else b`"),
    ("min", "write `min F of SET`, or `if a < b then a else b`"),
];

/// Words that somebody may take for a setting: which it is, and how it is written.
const SETTINGS: &[(&[&str], &str, &str)] = &[
    (
        &["visible", "visibility", "hidden"],
        "seen",
        "who sees what lies in it is `seen: all`, `seen: holder` or `seen: none`",
    ),
    (&["max", "maximum", "capacity", "size"], "limit", "how many fit into it is `limit: 3`, or `limit: 3 KIND`"),
    (&["size"], "shape", "its size stands behind its shape: `shape: square 8 8`, `shape: hexagon 5`"),
    (&["type"], "shape", "what it looks like is `shape: square 8 8`, `shape: hexagon 5` or `shape: graph`"),
    (&["type"], "order", "a pile is `order: pile`; what lies in it is said by `holds: KIND`"),
    (&["contains", "contents"], "holds", "what lies in it is `holds: KIND`"),
    (&["ordered"], "order", "a pile is `order: pile`, and who comes first leaves first with `order: queue`"),
];

/// A setting of those that are known, and how it is written, in the place of a word of another language.
pub fn setting_for(word: &str, known: &[&str]) -> Option<&'static str> {
    let meant = SETTINGS.iter().find(|(words, setting, _)| words.contains(&word) && known.contains(setting));
    meant.map(|(.., help)| *help)
}

/// Where a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// At the beginning of a statement.
    Statement,
    /// As a value.
    Value,
    /// As a type.
    Type,
    /// Before brackets.
    Function,
}

/// What is written in the place of a word of another language.
pub fn instead_of(word: &str, role: Role) -> Option<&'static str> {
    let table = match role {
        Role::Statement => STATEMENTS,
        Role::Value => VALUES,
        Role::Type => TYPES,
        Role::Function => FUNCTIONS,
    };
    table.iter().find(|(other, _)| *other == word).map(|(_, help)| *help)
}
