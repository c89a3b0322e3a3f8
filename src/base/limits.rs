//! The limits of everything, because content comes from strangers: one number for each, which the code that holds it reads
//! here, and one table of them, which the reference shows.

/// Bytes of one file of content.
pub const FILE_BYTES: usize = 1 << 20;
/// Bytes of one picture that cards are printed with.
pub const PICTURE_BYTES: u64 = 4 << 20;
/// Brackets, blocks and prefix words inside of each other.
pub const NESTING: usize = 64;
/// Operators in one expression.
pub const OPERATORS: usize = 200;
/// Rows of one table of cards.
pub const TABLE_ROWS: usize = 8_000;
/// Columns of one table of cards.
pub const TABLE_COLUMNS: usize = 256;
/// Steps of the grammar for one item.
pub const PARSE_STEPS: usize = 8_000_000;
/// Findings in one file.
pub const FINDINGS: usize = 1_000;
/// Files of a package.
pub const PACKAGE_FILES: usize = 4_096;
/// Bytes of a package.
pub const PACKAGE_BYTES: u64 = 64 << 20;
/// Folders of a package inside of each other.
pub const FOLDERS: usize = 32;
/// Bytes of the path of a file in a packed package.
pub const ARCHIVE_PATH: usize = 200;
/// How many times its own size a packed package may unpack to.
pub const ARCHIVE_RATIO: u64 = 200;
/// Expansions that take part.
pub const EXPANSIONS: usize = 12;
/// Definitions that lead through others.
pub const DEFINITIONS: usize = 64;
/// Values of an enum.
pub const ENUM_VALUES: usize = 64;
/// Copies of a definition.
pub const COPIES: i64 = 1_000;
/// Sites of a board.
pub const SITES: i64 = 1_024;
/// Players.
pub const PLAYERS: i64 = 16;
/// Words that one procedure has for what it works out at a time.
pub const WINDOW: u16 = 16_000;
/// Instructions of one body: an action, a verb, a clause.
pub const BODY: usize = 65_535;
/// Instructions of a game.
pub const INSTRUCTIONS: usize = 4_000_000;
/// Units of work from one decision to the next.
pub const WORK: u64 = 100_000_000;
/// The most of them that a manifest may ask for.
pub const MOST_WORK: u64 = 300_000_000;
/// Calls, events and hooks inside of each other.
pub const FRAMES: usize = 256;
/// Entities at a time.
pub const ENTITIES: usize = 8_000;
/// Things that are created off boards while a game is played, at a time.
pub const ROOM: usize = 96;
/// The same, where loops create them, or any number of them at once.
pub const LOOP_ROOM: usize = 256;
/// Things that one `create` makes, and numbers or values among which is chosen or chance picks.
pub const VALUES: usize = 4_096;
/// Items of a list, if a game has so many things, sites, or numbers in a range that it lists.
pub const LISTED: usize = 1_024;
/// The least room that a list has.
pub const LEAST_LISTED: usize = 32;
/// Numbers of a listed range of which nobody can say before how many they are.
pub const LISTED_UNKNOWN: usize = 256;
/// Armed rules at a time.
pub const ARMED: usize = 4_096;
/// Hooks that wait for a checkpoint.
pub const WAITING: usize = 65_536;
/// Options of one decision.
pub const OPTIONS: usize = 16_384;
/// Rounds of one checkpoint.
pub const ROUNDS: u32 = 1_000;
/// Bytes of the log of one step.
pub const LOG_BYTES: usize = 16 << 20;
/// Operations of one call of a script.
pub const SCRIPT_OPERATIONS: u64 = 100_000;
/// Units of work of one call of a script.
pub const SCRIPT_WORK: u64 = 5_000_000;
/// Calls of script functions inside of each other.
pub const SCRIPT_CALLS: usize = 32;
/// Letters of a text, items of an array and entries of a map in a script.
pub const SCRIPT_TEXT: usize = 4_096;
/// Items of an array.
pub const SCRIPT_ARRAY: usize = 4_096;
/// Entries of a map.
pub const SCRIPT_MAP: usize = 1_024;
/// Acts that one call of a script gives back.
pub const SCRIPT_ACTS: usize = 256;
/// Acts that wait at a time, of a script that goes on.
pub const SCRIPT_WAITING: usize = 4_096;
/// Values that a script keeps with one question, roll or thing it has armed, and how deep they lie.
pub const SCRIPT_DATA: usize = 1_024;
/// Lists and maps inside of each other.
pub const SCRIPT_DEPTH: usize = 8;
/// What scripts have armed at a time.
pub const SCRIPT_ARMED: usize = 256;
/// Bytes of a saved game.
pub const SAVE_BYTES: u64 = 64 << 20;
/// Decisions of one turn, where turns are listed or counted.
pub const TURN_DECISIONS: usize = 1_000;
/// Options that are tried for that.
pub const TURN_OPTIONS: u64 = 2_000_000;
/// Work for that, in what one step of a game may take.
pub const TURN_WORK: u64 = 3;
/// Bytes of turns and positions that are kept for that.
pub const TURN_BYTES: usize = 256 << 20;
/// Turns or decisions from the first position that is counted, with the outcomes of chance between them.
pub const COUNTED: usize = 256;
/// Steps from the origin of a board without an end.
pub const REACH: i64 = 32_000;
/// Pieces that are created where boards have no end.
pub const CREATED: usize = 256;

/// One row of the table: what is limited, how much there may be, and the code of the error.
pub type Row = (&'static str, String, &'static str);

/// All limits that authors and players can reach.
pub fn table() -> Vec<Row> {
    let n = |number: u64| grouped(number);
    let mib = |bytes: u64| format!("{} MiB", bytes >> 20);
    vec![
        ("a file", mib(FILE_BYTES as u64), "`L01`"),
        ("a picture that cards are printed with; a larger one is left out", mib(PICTURE_BYTES), "`W0033`"),
        ("a table of cards", format!("{} rows, {TABLE_COLUMNS} columns", n(TABLE_ROWS as u64)), "`L01`"),
        (
            "brackets, blocks and prefix words inside of each other; definitions that lead through others",
            n(NESTING as u64),
            "`L02`",
        ),
        ("operators in one expression", n(OPERATORS as u64), "`L03`"),
        ("steps of reading one item", n(PARSE_STEPS as u64), "`L04`"),
        ("findings in one file; it is not read on after them", n(FINDINGS as u64), ""),
        (
            "a package",
            format!("{} files, {}, folders {FOLDERS} deep", n(PACKAGE_FILES as u64), mib(PACKAGE_BYTES)),
            "`L05`",
        ),
        (
            "a packed package, besides",
            format!(
                "paths of {ARCHIVE_PATH} bytes, a file {}; it unpacks to at most {ARCHIVE_RATIO} times its size",
                mib(PICTURE_BYTES)
            ),
            "",
        ),
        ("expansions that take part", n(EXPANSIONS as u64), "`L05`"),
        ("values of an enum", n(ENUM_VALUES as u64), "`E0210`"),
        ("copies of a definition", n(COPIES as u64), "`E0211`"),
        ("sites of a board", n(SITES as u64), "`E0305`"),
        ("players", n(PLAYERS as u64), "`E0606`"),
        ("instructions of one body, such as that of an action or a verb", n(BODY as u64), "`L13`"),
        ("instructions of a game", n(INSTRUCTIONS as u64), "`L13`"),
        (
            "what one body works out at a time",
            format!(
                "{} words; a set of sites of a board without an end has room for the neighbours of all pieces that there \
                 can be, so `[bounds] created` makes it smaller",
                n(u64::from(WINDOW))
            ),
            "`L13`",
        ),
        (
            "units of work from one decision to the next",
            format!("{}, or what `[bounds] work` says, up to {}", n(WORK), n(MOST_WORK)),
            "`L06`",
        ),
        ("calls, events and hooks inside of each other", n(FRAMES as u64), "`L07`"),
        (
            "entities at a time",
            format!(
                "what begins in zones, what `setup` creates, a piece for each site of a board, and {ROOM} more that are \
                 created, {LOOP_ROOM} where loops or a `create` of any number make them, or as many as `[bounds] created` \
                 says; {} in all",
                n(ENTITIES as u64)
            ),
            "`L08`",
        ),
        ("things that one `create` makes by `every_value`", n(VALUES as u64), "`L08`"),
        (
            "pieces that are created where boards have no end, besides those that begin in zones",
            format!("{}, or what `[bounds] created` says", n(CREATED as u64)),
            "`L08`",
        ),
        ("armed rules at a time", n(ARMED as u64), "`L08`"),
        ("hooks that wait for a checkpoint", n(WAITING as u64), "`L08`"),
        ("rounds of one checkpoint", n(u64::from(ROUNDS)), "`L12`"),
        ("options of one decision", n(OPTIONS as u64), "`L15`"),
        ("the log of one step; what goes beyond is left out", format!("{}; one text 8 KiB", mib(LOG_BYTES as u64)), ""),
        (
            "a script call",
            format!(
                "{} operations, {} units of work, {SCRIPT_CALLS} calls deep, texts of {SCRIPT_TEXT} letters, arrays of \
                 {SCRIPT_ARRAY}, maps of {SCRIPT_MAP}",
                n(SCRIPT_OPERATIONS),
                n(SCRIPT_WORK)
            ),
            "`L09`",
        ),
        (
            "acts that a script gives back, and that wait at a time",
            format!("{SCRIPT_ACTS}, and {}", n(SCRIPT_WAITING as u64)),
            "`L09`",
        ),
        (
            "what a script keeps with a question, a roll or a thing that it arms",
            format!("{} values, {SCRIPT_DEPTH} deep", n(SCRIPT_DATA as u64)),
            "`L09`",
        ),
        ("things that scripts have armed at a time", SCRIPT_ARMED.to_string(), "`L09`"),
        ("a saved game", mib(SAVE_BYTES), "`L10`"),
        (
            "one turn, where turns are listed or counted",
            format!(
                "{} decisions deep, {} options, the work of {TURN_WORK} steps, {} of turns and positions",
                n(TURN_DECISIONS as u64),
                n(TURN_OPTIONS),
                mib(TURN_BYTES as u64)
            ),
            "`L14`",
        ),
        ("turns, or decisions, that `perft` counts one after another", n(COUNTED as u64), "`L14`"),
        (
            "a list, and a set of numbers",
            format!(
                "as many as there are entities, sites, or numbers in a range that is listed ({LISTED_UNKNOWN}, where that cannot be known beforehand), but {LEAST_LISTED} to {}; with a \
                 board without an end, as many as its pieces can have neighbours, but 2000",
                n(LISTED as u64)
            ),
            "`E0902`",
        ),
        (
            "numbers that one is chosen from, that a `roll` picks from, values of `any_value`",
            n(VALUES as u64),
            "`E0902`",
        ),
        ("a site of a board without an end", format!("{} from the origin, to each side", n(REACH as u64)), "`E0905`"),
    ]
}

/// A number with a comma before each three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
