//! In which language words are made. Keys, records and what scripts read are in that of the rules; what somebody reads is in the
//! one that the machine speaks. Nothing of it is in a state.

use super::run::Run;
use crate::model::locale::{WordPart, Words};
use crate::model::rules::Rules;
use crate::program::{TextPart, TextSite};
use std::borrow::Cow;
use std::sync::Arc;

/// The words that are there, and whether it is them that are made now.
#[derive(Clone, Copy, Default)]
pub(super) struct Tongue<'a> {
    words: Option<&'a Words>,
    speaks: bool,
}

impl<'a> Tongue<'a> {
    /// Of a machine that speaks these words, or those of the rules.
    pub fn of(words: &'a Option<Arc<Words>>) -> Tongue<'a> {
        Tongue { words: words.as_deref(), speaks: false }
    }

    /// The words that are made now, if they are not those of the rules.
    fn now(self) -> Option<&'a Words> {
        self.words.filter(|_| self.speaks)
    }
}

impl<'a> Run<'a> {
    /// Makes words that somebody reads.
    pub fn spoken<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        self.in_tongue(true, make)
    }

    /// Makes words as the rules have them.
    pub fn unspoken<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        self.in_tongue(false, make)
    }

    /// Makes words that somebody reads, or words as the rules have them.
    pub fn in_tongue<T>(&mut self, speaks: bool, make: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.tongue.speaks, speaks);
        let made = make(self);
        self.tongue.speaks = before;
        made
    }

    /// The rules, whose names are those that are said now.
    pub fn words(&self) -> &'a Rules {
        self.tongue.now().map_or(&self.p.rules, |words| &words.rules)
    }

    /// What is said in the place of a text that is a value or stands as it is written.
    pub fn said<'t>(&self, text: &'t str) -> &'t str
    where
        'a: 't,
    {
        self.tongue.now().map_or(text, |words| words.plain(text))
    }

    /// The parts of a text, in the order in which they are said.
    pub fn parts_said<'t>(&self, site: &'t TextSite) -> Cow<'t, [TextPart]> {
        let values = || site.parts.iter().filter(|part| matches!(part, TextPart::Value(..)));
        let Some(said) = self.tongue.now().and_then(|words| words.template(site.span, values().count())) else {
            return Cow::Borrowed(&site.parts);
        };
        let part = |part: &WordPart| match part {
            WordPart::Text(text) => Some(TextPart::Text(text.clone())),
            WordPart::Filled(index) => values().nth(*index).cloned(),
        };
        Cow::Owned(said.iter().filter_map(part).collect())
    }

    /// The options of the decision at hand as who decides reads them, whose keys these are.
    pub fn labels(&mut self, keys: &[String]) -> Vec<String> {
        self.spoken(|run| {
            let mut labels = match run.tongue.words {
                Some(_) => run.keys(),
                None => keys.to_vec(),
            };
            run.tell_where(keys, &mut labels);
            labels
        })
    }
}
