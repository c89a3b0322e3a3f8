//! The manifest of a package: `game.toml`. Every independent mistake in it is reported, each at its place.

mod numbers;
mod others;
mod renamed;

pub use others::{Incompatible, Part};
pub use renamed::Renamed;

use super::pattern::Pattern;
use crate::base::{Code, Diagnostic, Diagnostics, FileId, Span, nearest, unfit};
use semver::{Version, VersionReq};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// The edition of the language that this program reads.
pub const EDITION: i64 = 1;
/// The most players a game may have.
pub const MAX_PLAYERS: i64 = crate::base::limits::PLAYERS;

/// Keys that stand in tables.
const IN_TABLES: &[(&str, &[&str])] = &[
    ("players", &["min", "max", "counts", "seats", "triggers"]),
    ("bounds", &["turns", "scores", "zero_sum", "created", "work"]),
    ("bots", &["greedy"]),
];

const TOP_KEYS: &[&str] = &[
    "name",
    "title",
    "version",
    "edition",
    "kind",
    "extends",
    "overrides",
    "description",
    "rulebook",
    "rules",
    "cards",
    "scenarios",
    "players",
    "bounds",
    "bots",
    "options",
    "variants",
    "dependencies",
    "incompatible",
    "with",
    "was",
];

/// What `game.toml` says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Manifest {
    /// What players type: lower-case letters, digits and `-`.
    pub name: String,
    /// What people read.
    pub title: String,
    /// Three numbers, such as `0.1.0`.
    pub version: String,
    /// The edition of the language the package is written in.
    pub edition: i64,
    /// Whether it is an expansion, which changes games and is none itself.
    pub expansion: bool,
    /// Of an expansion: the games it changes, any of them.
    pub extends: Vec<Dependency>,
    /// Of an expansion: packages whose changes give way to its own.
    pub overrides: Vec<(String, Span)>,
    /// One sentence about the game; may be empty.
    pub description: String,
    /// The file with the numbered rules.
    pub rulebook: Option<String>,
    /// Where its files are.
    pub files: FilePatterns,
    /// Fewest and most players.
    pub players: (u8, u8),
    /// Which numbers of players there may be, where not all between these will do.
    pub counts: Vec<u8>,
    /// Where the players are declared: an expansion need not.
    pub players_span: Option<Span>,
    /// Names of the seats, or none.
    pub seats: Vec<String>,
    /// Whether triggers of one player act in the order their cards came into play, without asking the player.
    pub fixed_triggers: bool,
    /// What conformance tests hold the game to.
    pub bounds: Bounds,
    /// Where the bounds are declared.
    pub bounds_span: Option<Span>,
    /// What bots go by.
    pub bots: Bots,
    /// Where that is said.
    pub bots_span: Option<Span>,
    /// Presets of options.
    pub options: Vec<Preset>,
    /// Named sets of presets.
    pub variants: Vec<Variant>,
    /// Packages this one is merged onto.
    pub dependencies: Vec<Dependency>,
    /// Of an expansion: packages that it does not go together with.
    pub incompatible: Vec<Incompatible>,
    /// Of an expansion: files that count only where another package takes part.
    pub parts: Vec<Part>,
    /// What cards were called before.
    pub was: Vec<Renamed>,
    /// Where the name stands, for findings about the package as a whole.
    pub span: Span,
}

/// Patterns of the files of a package; none means every file with the usual ending.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FilePatterns {
    /// `rules = [...]`
    pub rules: Option<Vec<Pattern>>,
    /// `cards = [...]`
    pub cards: Option<Vec<Pattern>>,
    /// `scenarios = [...]`
    pub scenarios: Option<Vec<Pattern>>,
}

/// `[bounds]`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The most turns a game may take.
    pub turns: Option<u32>,
    /// The lowest and the highest score.
    pub scores: Option<(i64, i64)>,
    /// Whether the scores of all seats add up to nothing.
    pub zero_sum: bool,
    /// How many things there is room for that are created while the game is played, besides one on each site of a board.
    pub created: Option<u32>,
    /// Units of work from one decision to the next.
    pub work: Option<u64>,
}

/// `[bots]`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bots {
    /// The property of players that `greedy` bots look at instead of the score.
    pub greedy: Option<String>,
    /// Where it is written.
    pub greedy_span: Span,
}

/// An option and the value it is set to.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// The option.
    pub name: String,
    /// The value in words: `12`, `true`, `spades`.
    pub value: String,
    /// Where the name stands.
    pub name_span: Span,
    /// Where the value stands.
    pub value_span: Span,
}

/// `[variants.NAME]`
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// One sentence about it.
    pub description: String,
    /// Presets of options.
    pub options: Vec<Preset>,
    /// Where the name stands.
    pub span: Span,
}

/// A package this one needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependency {
    /// Its name.
    pub name: String,
    /// The versions that will do.
    pub requirement: VersionReq,
    /// Whether it need not take part.
    pub optional: bool,
    /// Where it stands.
    pub span: Span,
}

impl Manifest {
    /// The variant of this name.
    pub fn variant(&self, name: &str) -> Option<&Variant> {
        self.variants.iter().find(|variant| variant.name == name)
    }

    /// What it says of play, as one text: neither versions nor descriptions, and nothing that only tests or bots go by.
    pub fn of_play(&self) -> String {
        let presets = |presets: &[Preset]| -> Vec<(String, String)> {
            presets.iter().map(|preset| (preset.name.clone(), preset.value.clone())).collect()
        };
        let variants: Vec<_> = self.variants.iter().map(|it| (&it.name, presets(&it.options))).collect();
        let needs: Vec<&str> = self.dependencies.iter().map(|wanted| wanted.name.as_str()).collect();
        let players = self.players_span.map(|_| (self.players, &self.seats, self.fixed_triggers));
        let overrides: Vec<&str> = self.overrides.iter().map(|(name, _)| name.as_str()).collect();
        let play = format!("{:?}", (&self.name, players, presets(&self.options), variants, needs, overrides));
        match (self.bounds.created, self.bounds.work, self.counts.as_slice()) {
            (None, None, []) => play,
            more => format!("{play} {more:?}"),
        }
    }

    /// Whether a package version will do for a requirement; a version that is none never does.
    pub fn satisfies(&self, requirement: &VersionReq) -> bool {
        Version::parse(&self.version).is_ok_and(|version| requirement.matches(&version))
    }
}

/// Reads a manifest. Gives what could be read, and everything that is wrong with it.
pub fn parse_manifest(file: FileId, text: &str) -> (Manifest, Diagnostics) {
    let (seen, diagnostics) = super::lex::leave_unseen(file, text);
    let (table, errors) = DeTable::parse_recoverable(&seen);
    let mut reader = Reader { file, diagnostics };
    reader.unfit_in(table.get_ref());
    for error in &errors {
        let span = error.span().unwrap_or(0..0);
        let span = reader.span(span);
        let message = format!("this is not TOML: {}", plain(error.message()));
        reader.diagnostics.push(
            Diagnostic::new(Code::BadToml, span, message).help("a line looks like `key = \"text\"` or `key = 3`"),
        );
    }
    // What is missing may be what could not be read.
    let manifest = reader.manifest(&table, errors.is_empty());
    reader.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    if let Some(broken) = reader.diagnostics.iter().position(|found| found.code == Code::BadToml) {
        // What stands behind it may belong to another table.
        let mut behind = reader.diagnostics.split_off(broken);
        behind.retain(|found| found.code == Code::BadToml);
        reader.diagnostics.append(&mut behind);
    }
    (manifest, reader.diagnostics)
}

/// The first line of a message, as ours are written.
pub(super) fn plain(message: &str) -> String {
    message.lines().next().unwrap_or("").trim_end_matches('.').to_owned()
}

type Value<'i> = Spanned<DeValue<'i>>;
type Key<'i> = Spanned<DeString<'i>>;

struct Reader {
    file: FileId,
    diagnostics: Diagnostics,
}

impl Reader {
    fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.file, range.start, range.end)
    }

    /// Reports keys and texts that have characters which nobody sees, or spaces at their ends: TOML can escape them.
    fn unfit_in(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            self.unfit(key.get_ref(), key.span());
            self.unfit_value(value);
        }
    }

    fn unfit_value(&mut self, value: &Value<'_>) {
        match value.get_ref() {
            DeValue::String(text) => self.unfit(text, value.span()),
            DeValue::Array(items) => items.iter().for_each(|item| self.unfit_value(item)),
            DeValue::Table(table) => self.unfit_in(table),
            _ => {}
        }
    }

    fn unfit(&mut self, text: &str, range: std::ops::Range<usize>) {
        if let Some(why) = unfit(text) {
            self.report(Code::IllegalCharacter, range, format!("this cannot be shown: {why}"), "leave it out");
        }
    }

    fn report(&mut self, code: Code, range: std::ops::Range<usize>, message: impl Into<String>, help: &str) {
        let span = self.span(range);
        self.diagnostics.push(Diagnostic::new(code, span, message).help(help));
    }

    fn manifest(&mut self, table: &Spanned<DeTable<'_>>, whole: bool) -> Manifest {
        let mut manifest = Manifest { players: (1, 1), edition: EDITION, ..Manifest::default() };
        for (key, value) in table.get_ref() {
            self.top(&mut manifest, key, value);
        }
        if !manifest.expansion {
            self.no_expansion(table);
            // Whoever says what it extends has forgotten to say what it is.
            manifest.expansion = !manifest.extends.is_empty();
        }
        if whole {
            let start = 0..table.span().start.min(1);
            let last = if manifest.expansion { "extends" } else { "players" };
            for name in ["name", "title", "version", "edition", last] {
                // A misspelt key was reported as such.
                let misspelt = || {
                    table.get_ref().keys().any(|key| {
                        !TOP_KEYS.contains(&key.get_ref().as_ref())
                            && nearest(key.get_ref(), TOP_KEYS.iter().copied()) == Some(name)
                    })
                };
                if !table.get_ref().contains_key(name) && !misspelt() {
                    let help = match name {
                        "players" => "add `[players]` with `min = 2` and `max = 4`",
                        "extends" => "say which games it changes: `extends = { lanterns = \"1.0.0\" }`",
                        _ => "add it",
                    };
                    self.report(Code::MissingKey, start.clone(), format!("the manifest has no `{name}`"), help);
                }
            }
        }
        self.check_others(&manifest);
        let most = usize::from(manifest.players.1);
        if !manifest.seats.is_empty() && manifest.seats.len() < most {
            let message = format!("{} seats are named for up to {most} players", manifest.seats.len());
            self.report(
                Code::BadSeats,
                self.seats_range(table),
                message,
                "name one seat for each player, or leave `seats` out",
            );
        }
        manifest
    }

    /// Reports what a game has and only an expansion may have.
    fn no_expansion(&mut self, table: &Spanned<DeTable<'_>>) {
        let keys = table.get_ref().iter();
        let of_expansions =
            keys.filter(|(key, _)| matches!(key.get_ref().as_ref(), "extends" | "overrides" | "incompatible" | "with"));
        if let Some((key, value)) = of_expansions.min_by_key(|(key, _)| key.span().start) {
            let message = format!("`{}` belongs to an expansion, and this is a game", key.get_ref());
            let help = "add `kind = \"expansion\"`, or leave it out";
            self.report(Code::BadExpansion, key.span().start..value.span().end, message, help);
        }
    }

    fn seats_range(&self, table: &Spanned<DeTable<'_>>) -> std::ops::Range<usize> {
        let seats = table.get_ref().get("players").and_then(|players| players.get_ref().get("seats"));
        seats.map_or(0..0, Spanned::span)
    }

    fn top(&mut self, manifest: &mut Manifest, key: &Key<'_>, value: &Value<'_>) {
        match key.get_ref().as_ref() {
            "name" => {
                manifest.name = self.package_name(value);
                manifest.span = self.span(value.span());
            }
            "title" => manifest.title = self.text(key, value),
            "version" => manifest.version = self.version(key, value),
            "edition" => manifest.edition = self.edition(key, value),
            "kind" => manifest.expansion = self.word_of(key, value, ["game", "expansion"]) == Some(1),
            "extends" => manifest.extends = self.dependencies(key, value, false),
            "overrides" => manifest.overrides = self.package_names(key, value),
            "description" => manifest.description = self.text(key, value),
            "rulebook" => manifest.rulebook = self.path(key, value),
            "rules" => manifest.files.rules = self.patterns(key, value),
            "cards" => manifest.files.cards = self.patterns(key, value),
            "scenarios" => manifest.files.scenarios = self.patterns(key, value),
            "players" => {
                manifest.players_span = Some(self.span(key.span()));
                self.players(manifest, key, value);
            }
            "bounds" => {
                manifest.bounds_span = Some(self.span(key.span()));
                manifest.bounds = self.bounds(key, value);
            }
            "bots" => {
                manifest.bots_span = Some(self.span(key.span()));
                manifest.bots = self.bots(key, value);
            }
            "options" => manifest.options = self.presets(key, value),
            "variants" => manifest.variants = self.variants(key, value),
            "dependencies" => manifest.dependencies = self.dependencies(key, value, true),
            "incompatible" => manifest.incompatible = self.incompatible(key, value),
            "with" => manifest.parts = self.parts(key, value),
            "was" => manifest.was = self.was(key, value),
            name => match IN_TABLES.iter().find(|(_, keys)| keys.contains(&name)) {
                Some((table, _)) => self.misplaced(key, table),
                None => self.unknown(key, "the manifest", TOP_KEYS),
            },
        }
    }

    fn unknown(&mut self, key: &Key<'_>, place: &str, known: &[&str]) {
        let name = key.get_ref().as_ref();
        let span = self.span(key.span());
        let finding = Diagnostic::new(Code::UnknownKey, span, format!("{place} has no key `{name}`"));
        let finding = finding.suggest(name, known.iter().copied());
        let list = known.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        let finding = if finding.help.is_none() { finding.help(format!("the keys are {list}")) } else { finding };
        self.diagnostics.push(finding);
    }

    /// A key that stands at the top and belongs into a table.
    fn misplaced(&mut self, key: &Key<'_>, table: &str) {
        let name = key.get_ref().as_ref();
        let message = format!("the manifest has no key `{name}`: it belongs to `{table}`");
        let help = format!("write it under `[{table}]`");
        self.diagnostics.push(Diagnostic::new(Code::UnknownKey, self.span(key.span()), message).help(help));
    }

    fn wrong(&mut self, key: &Key<'_>, value: &Value<'_>, wanted: &str) {
        let found = match value.get_ref() {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) => "a number",
            DeValue::Float(_) => "a number with a point",
            DeValue::Boolean(_) => "`true` or `false`",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        let message = format!("`{}` needs {wanted}, and this is {found}", key.get_ref());
        self.report(Code::WrongValue, value.span(), message, &format!("give it {wanted}"));
    }

    fn text(&mut self, key: &Key<'_>, value: &Value<'_>) -> String {
        match value.get_ref().as_str() {
            Some(text) => text.to_owned(),
            None => {
                self.wrong(key, value, "a text in quotes");
                String::new()
            }
        }
    }

    fn number(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<i64> {
        let number = value.get_ref().as_integer();
        let number = number.and_then(|number| i64::from_str_radix(number.as_str(), number.radix()).ok());
        if number.is_none() {
            self.wrong(key, value, "a number");
        }
        number
    }

    fn table<'t, 'i>(&mut self, key: &Key<'_>, value: &'t Value<'i>) -> Vec<(&'t Key<'i>, &'t Value<'i>)> {
        match value.get_ref().as_table() {
            Some(table) => table.iter().collect(),
            None => {
                self.wrong(key, value, "a table");
                Vec::new()
            }
        }
    }

    fn list<'t, 'i>(&mut self, key: &Key<'_>, value: &'t Value<'i>, of: &str) -> Option<Vec<&'t Value<'i>>> {
        let list = value.get_ref().as_array().map(|list| list.iter().collect());
        if list.is_none() {
            self.wrong(key, value, &format!("a list of {of}"));
        }
        list
    }

    /// A name of a package or a variant.
    fn check_name(&mut self, name: &str, range: std::ops::Range<usize>, what: &str) {
        let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let fine =
            name.chars().all(letters) && name.starts_with(|c: char| c.is_ascii_lowercase()) && !name.ends_with('-');
        if !fine {
            let message = format!("`{name}` cannot be the name of a {what}");
            self.report(
                Code::BadPackageName,
                range,
                message,
                "use lower-case letters, digits and `-`, beginning with a letter",
            );
        }
    }

    fn package_name(&mut self, value: &Value<'_>) -> String {
        let Some(name) = value.get_ref().as_str() else {
            self.report(Code::WrongValue, value.span(), "`name` needs a text in quotes", "give it a text in quotes");
            return String::new();
        };
        self.check_name(name, value.span(), "package");
        name.to_owned()
    }

    fn package_names(&mut self, key: &Key<'_>, value: &Value<'_>) -> Vec<(String, Span)> {
        let list = self.list(key, value, "names of packages").unwrap_or_default();
        list.into_iter().map(|value| (self.text(key, value), self.span(value.span()))).collect()
    }

    fn version(&mut self, key: &Key<'_>, value: &Value<'_>) -> String {
        let text = self.text(key, value);
        let numeric = |version: Version| version.pre.is_empty() && version.build.is_empty();
        if value.get_ref().is_str() && !Version::parse(&text).is_ok_and(numeric) {
            let message = format!("`{text}` is not a version");
            self.report(Code::BadVersion, value.span(), message, "a version is three numbers, such as `0.1.0`");
        }
        text
    }

    fn edition(&mut self, key: &Key<'_>, value: &Value<'_>) -> i64 {
        let Some(edition) = self.number(key, value) else { return EDITION };
        if edition != EDITION {
            let message = format!("there is no edition {edition} of the language");
            self.report(Code::UnknownEdition, value.span(), message, "write `edition = 1`");
        }
        edition
    }

    fn path(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<String> {
        let path = self.text(key, value);
        self.check_path(&path, value).then_some(path)
    }

    /// Whether a path stays in the package.
    fn check_path(&mut self, path: &str, value: &Value<'_>) -> bool {
        let problem = if path.is_empty() {
            "an empty path names nothing".to_owned()
        } else if path.contains('\\') {
            format!("`{path}` has a backslash")
        } else if path.starts_with('/') || path.contains(':') {
            format!("`{path}` is not relative to the package")
        } else if path.split('/').any(|part| part == ".." || part == "." || part.is_empty()) {
            format!("`{path}` leaves the package")
        } else {
            return true;
        };
        self.report(
            Code::BadPath,
            value.span(),
            problem,
            "paths are relative to the package, use `/` and have no `..`",
        );
        false
    }

    fn patterns(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<Vec<Pattern>> {
        let list = self.list(key, value, "paths")?;
        let mut patterns = Vec::new();
        for value in list {
            let text = self.text(key, value);
            if value.get_ref().is_str() && self.check_path(&text, value) {
                patterns.push(Pattern { text, span: self.span(value.span()) });
            }
        }
        Some(patterns)
    }

    fn players(&mut self, manifest: &mut Manifest, key: &Key<'_>, value: &Value<'_>) {
        let (mut min, mut max) = (None, None);
        for (key, value) in self.table(key, value) {
            match key.get_ref().as_ref() {
                "min" => min = self.number(key, value).map(|number| (number, value.span())),
                "max" => max = self.number(key, value).map(|number| (number, value.span())),
                "counts" => manifest.counts = self.counts(key, value),
                "seats" => manifest.seats = self.seats(key, value),
                "triggers" => manifest.fixed_triggers = self.word_of(key, value, ["chosen", "entered"]) == Some(1),
                _ => self.unknown(key, "`players`", &["min", "max", "counts", "seats", "triggers"]),
            }
        }
        if let (Some(fewest), Some(most)) = (manifest.counts.first(), manifest.counts.last()) {
            if min.is_some() || max.is_some() {
                let message = "`counts` says how many players there may be, and `min` or `max` says it again";
                self.report(Code::BadPlayers, value.span(), message, "leave `min` and `max` out");
            }
            manifest.players = (*fewest, *most);
            return;
        }
        let present = |name: &str| value.get_ref().get(name).is_some();
        for name in ["min", "max"] {
            if value.get_ref().is_table() && !present(name) && !present("counts") {
                self.report(Code::MissingKey, value.span(), format!("`players` has no `{name}`"), "add it");
            }
        }
        for (number, span) in [&min, &max].into_iter().flatten() {
            if !(1..=MAX_PLAYERS).contains(number) {
                let message = format!("a game cannot have {number} players");
                self.report(Code::BadPlayers, span.clone(), message, "a game has 1 to 16 players");
            }
        }
        if let (Some((min, from)), Some((max, to))) = (min, max) {
            if min > max {
                let span = self.span(from);
                let finding = Diagnostic::new(Code::BadPlayers, span, format!("`min` is {min} and `max` is {max}"));
                let finding = finding.label(self.span(to), "the most players").help("the fewest players come first");
                self.diagnostics.push(finding);
            }
            let seat = |number: i64| u8::try_from(number.clamp(1, MAX_PLAYERS)).unwrap_or(1);
            manifest.players = (seat(min), seat(max.max(min)));
        }
    }

    fn seats(&mut self, key: &Key<'_>, value: &Value<'_>) -> Vec<String> {
        let mut seats: Vec<String> = Vec::new();
        for value in self.list(key, value, "texts").unwrap_or_default() {
            let name = self.text(key, value);
            if value.get_ref().is_str() && (name.is_empty() || seats.contains(&name)) {
                let message = if name.is_empty() {
                    "a seat has no name".to_owned()
                } else {
                    format!("two seats are named `{name}`")
                };
                self.report(Code::BadSeats, value.span(), message, "give each seat a name of its own");
            }
            seats.push(name);
        }
        seats
    }

    fn flag(&mut self, key: &Key<'_>, value: &Value<'_>) -> bool {
        match value.get_ref() {
            DeValue::Boolean(flag) => *flag,
            _ => {
                self.wrong(key, value, "`true` or `false`");
                false
            }
        }
    }

    /// One of two words, by its place.
    fn word_of(&mut self, key: &Key<'_>, value: &Value<'_>, words: [&str; 2]) -> Option<usize> {
        let given = value.get_ref().as_str().and_then(|text| words.iter().position(|word| *word == text));
        if given.is_none() {
            self.wrong(key, value, &format!("\"{}\" or \"{}\"", words[0], words[1]));
        }
        given
    }

    fn bots(&mut self, key: &Key<'_>, value: &Value<'_>) -> Bots {
        let mut bots = Bots::default();
        for (key, value) in self.table(key, value) {
            match key.get_ref().as_ref() {
                "greedy" => {
                    bots.greedy = Some(self.text(key, value));
                    bots.greedy_span = self.span(value.span());
                }
                _ => self.unknown(key, "`bots`", &["greedy"]),
            }
        }
        bots
    }

    fn presets(&mut self, key: &Key<'_>, value: &Value<'_>) -> Vec<Preset> {
        let mut presets = Vec::new();
        for (key, value) in self.table(key, value) {
            let words = match value.get_ref() {
                DeValue::String(text) => text.to_string(),
                DeValue::Boolean(flag) => flag.to_string(),
                DeValue::Integer(_) => self.number(key, value).unwrap_or(0).to_string(),
                _ => {
                    self.wrong(key, value, "a number, a flag or the name of a value");
                    continue;
                }
            };
            let (name_span, value_span) = (self.span(key.span()), self.span(value.span()));
            presets.push(Preset { name: key.get_ref().to_string(), value: words, name_span, value_span });
        }
        presets
    }

    fn variants(&mut self, key: &Key<'_>, value: &Value<'_>) -> Vec<Variant> {
        let mut variants = Vec::new();
        for (key, value) in self.table(key, value) {
            let name = key.get_ref().to_string();
            self.check_name(&name, key.span(), "variant");
            let mut variant =
                Variant { name, description: String::new(), options: Vec::new(), span: self.span(key.span()) };
            for (key, value) in self.table(key, value) {
                match key.get_ref().as_ref() {
                    "description" => variant.description = self.text(key, value),
                    "options" => variant.options = self.presets(key, value),
                    _ => self.unknown(key, "a variant", &["description", "options"]),
                }
            }
            variants.push(variant);
        }
        variants
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
name = "lamp-lighters"
title = "Lamp Lighters"
version = "0.1.0"
edition = 1
rules = ["rules/*.rules"]
[players]
min = 2
max = 3
seats = ["red", "blue", "green"]
[bounds]
turns = 2_000
scores = [-5, 60]
[bots]
greedy = "light"
[options]
goal = 20
open = true
trump = "spades"
[variants.quick]
description = "First to twelve."
options = { goal = 12 }
[dependencies]
base-lamps = "^1.2.0"
"#;

    fn codes(text: &str) -> Vec<Code> {
        parse_manifest(FileId(0), text).1.iter().map(|diagnostic| diagnostic.code).collect()
    }

    #[test]
    fn a_whole_manifest_is_read() {
        let (manifest, diagnostics) = parse_manifest(FileId(0), GOOD);
        assert_eq!(diagnostics, []);
        assert_eq!((manifest.name.as_str(), manifest.players), ("lamp-lighters", (2, 3)));
        assert_eq!(manifest.bounds, Bounds { turns: Some(2000), scores: Some((-5, 60)), ..Bounds::default() });
        assert_eq!(manifest.bots.greedy.as_deref(), Some("light"));
        let values: Vec<_> =
            manifest.options.iter().map(|preset| (preset.name.as_str(), preset.value.as_str())).collect();
        assert_eq!(values, [("goal", "20"), ("open", "true"), ("trump", "spades")]);
        assert_eq!(manifest.variant("quick").map(|variant| variant.options.len()), Some(1));
        let base = &manifest.dependencies[0].requirement;
        assert!(Manifest { version: "1.3.0".into(), ..Manifest::default() }.satisfies(base));
        assert!(!Manifest { version: "2.0.0".into(), ..Manifest::default() }.satisfies(base));
    }

    #[test]
    fn each_mistake_has_its_code() {
        for (good, bad, code) in [
            ("title = ", "tilte = ", Code::UnknownKey),
            ("\"0.1.0\"", "\"0.1\"", Code::BadVersion),
            ("edition = 1", "edition = 7", Code::UnknownEdition),
            ("min = 2", "min = 4", Code::BadPlayers),
            ("min = 2", "min = 0", Code::BadPlayers),
            ("min = 2", "min = \"two\"", Code::WrongValue),
            ("\"lamp-lighters\"", "\"Lamp Lighters\"", Code::BadPackageName),
            ("\"rules/*.rules\"", "\"../rules/*.rules\"", Code::BadPath),
            ("\"rules/*.rules\"", "\"/etc/passwd\"", Code::BadPath),
            ("\"green\"", "\"red\"", Code::BadSeats),
            (", \"green\"", "", Code::BadSeats),
            ("[-5, 60]", "[60, -5]", Code::BadBounds),
            ("2_000", "0", Code::BadBounds),
            ("\"^1.2.0\"", "\"newest\"", Code::BadVersion),
            ("goal = 20", "goal = [20]", Code::WrongValue),
            ("min = 2\n", "", Code::MissingKey),
            ("edition = 1\n", "", Code::MissingKey),
            ("edition = 1", "edition 1", Code::BadToml),
            ("\"^1.2.0\"", "{ version = \"1.0.0\", optional = true }", Code::BadExpansion),
            ("\"^1.2.0\"", "{ optional = true }", Code::MissingKey),
            ("\"^1.2.0\"", "{ version = \"1.0.0\", optinal = true }", Code::UnknownKey),
            ("[options]", "[incompatible]\nother = \"a reason\"\n[options]", Code::BadExpansion),
            ("[options]", "[with.base-lamps]\nrules = [\"more.rules\"]\n[options]", Code::BadExpansion),
        ] {
            let found = codes(&GOOD.replacen(good, bad, 1));
            assert_eq!(found.first(), Some(&code), "{bad} gives {found:?}");
        }
    }
}
