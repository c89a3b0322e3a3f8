//! The pictures that cards are printed with: files of the game or of its expansions, and what is missing of them.

use super::error::PlayError;
use super::package::Package;
use crate::base::{Code, Diagnostic, Diagnostics, Span, World, nearest};
use crate::engine::{Machine, Print};
use crate::model::rules::{KindId, LookTarget, Rules};
use crate::program::Program;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Endings of pictures, and their types.
const SORTS: [(&str, &str); 6] = [
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("webp", "image/webp"),
    ("gif", "image/gif"),
];

/// Where pictures are looked for.
pub struct Pictures {
    /// The expansions, the last first, then the game.
    worlds: Vec<Box<dyn World + Sync>>,
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Its media type.
    pub sort: &'static str,
    /// Its file.
    pub bytes: Vec<u8>,
}

impl Pictures {
    /// The pictures of a package and its expansions.
    ///
    /// # Errors
    /// [`PlayError::Io`] if a folder is not there.
    pub fn of(package: &Package) -> Result<Pictures, PlayError> {
        let packages = package.expansions().iter().rev().chain([package]);
        Ok(Pictures { worlds: packages.map(Package::world).collect::<Result<_, _>>()? })
    }

    /// The picture at a path, or in words why there is none.
    ///
    /// # Errors
    /// The reason.
    pub fn get(&self, path: &str) -> Result<Picture, String> {
        let ending = path.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_lowercase());
        let Some((_, sort)) = SORTS.iter().find(|(known, _)| *known == ending) else {
            let known: Vec<&str> = SORTS.iter().map(|(ending, _)| *ending).collect();
            return Err(format!("`{path}` is no picture: its ending is none of {}", known.join(", ")));
        };
        let mut missing = None;
        for world in &self.worlds {
            match world.bytes(path) {
                Ok(bytes) => return Ok(Picture { sort, bytes }),
                Err(error) => missing = missing.or(Some(error.to_string())),
            }
        }
        Err(missing.unwrap_or_else(|| format!("there is no file `{path}`")))
    }

    /// The file whose path is most like this one.
    fn nearest(&self, path: &str) -> Option<String> {
        let files: Vec<String> = self.worlds.iter().filter_map(|world| world.list().ok()).flatten().collect();
        let alike = files.iter().find(|file| file.eq_ignore_ascii_case(path)).map(String::as_str);
        alike.or_else(|| nearest(path, files.iter().map(String::as_str))).map(str::to_owned)
    }

    /// What is wrong with the pictures of cards, once for each look.
    pub fn missing(&self, rules: &Rules, prints: &[Print]) -> Diagnostics {
        let mut lacking: BTreeMap<Span, Vec<(Span, &str, String)>> = BTreeMap::new();
        for print in prints {
            let Some(path) = &print.card.look.art else { continue };
            let Err(reason) = self.get(path) else { continue };
            let entry = print.entry.and_then(|entry| rules.entries.get(entry));
            let look = look_span(rules, print.kind);
            lacking.entry(look).or_default().push((entry.map_or(look, |entry| entry.span), path, reason));
        }
        let finding = |(look, lacking): (Span, Vec<(Span, &str, String)>)| {
            let (span, path, reason) = lacking.first()?;
            let mut found = Diagnostic::new(Code::PictureMissing, *span, reason.clone());
            if *span != look {
                found = found.label(look, "its look names it");
            }
            let near = self.nearest(path).filter(|near| near != path).map(|near| format!("did you mean `{near}`?"));
            let others = match lacking.len() - 1 {
                0 => None,
                1 => Some("another card lacks its picture too".to_owned()),
                others => Some(format!("{others} other cards lack theirs too")),
            };
            let help: Vec<String> = near.into_iter().chain(others).collect();
            Some(if help.is_empty() { found } else { found.help(help.join("; ")) })
        };
        lacking.into_iter().filter_map(finding).collect()
    }
}

/// What is wrong with the pictures of a game's cards.
pub(super) fn findings(package: &Package, rules: &Rules, program: &Arc<Program>) -> Diagnostics {
    if rules.looks.iter().all(|look| look.art.is_empty()) {
        return Diagnostics::new();
    }
    let prints = Machine::new(Arc::clone(program)).printed(rules.players.1);
    match (prints, Pictures::of(package)) {
        (Ok(prints), Ok(pictures)) => pictures.missing(rules, &prints),
        // What is wrong with the game itself, play and its tests tell.
        _ => Diagnostics::new(),
    }
}

/// Where the look begins that gives a card its picture.
fn look_span(rules: &Rules, kind: KindId) -> Span {
    let of = |kind| rules.looks.iter().find(|look| look.target == LookTarget::Kind(kind) && !look.art.is_empty());
    rules.kinds_from(kind).find_map(of).map_or(Span::default(), |look| look.span)
}
