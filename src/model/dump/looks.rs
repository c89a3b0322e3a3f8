//! Looks in a dump.

use super::Dump;
use super::code::Code;
use crate::base::{Colour, Shape};
use crate::model::rules::{Case, Look, LookTarget, ProcBody, ProcId, Tint, Wording, WordingPart};

impl Dump<'_> {
    pub(super) fn look(&mut self, look: &Look) {
        let rules = self.rules;
        let target = match look.target {
            LookTarget::Kind(kind) => self.kind_name(kind),
            LookTarget::Zone(zone) => super::name_at(&rules.zones, zone.index(), |zone| &zone.name),
            LookTarget::Board(board) => super::name_at(&rules.boards, board.index(), |board| &board.name),
            LookTarget::Player => "player".to_owned(),
            LookTarget::Game => "game".to_owned(),
        };
        self.line(format!("look {target}"));
        self.cases("shape", &look.shape, Self::shape_word);
        self.cases("colour", &look.colour, |dump, tint| match tint {
            Tint::Fixed(colour) => colour.to_string(),
            Tint::Of(proc) => dump.proc_words(*proc),
        });
        self.cases("size", &look.size, |dump, size| dump.proc_words(*size));
        for (name, cases) in [
            ("glyph", &look.glyph),
            ("label", &look.label),
            ("title", &look.title),
            ("text", &look.text),
            ("art", &look.art),
            ("line", &look.line),
        ] {
            self.cases(name, cases, Self::wording_words);
        }
        self.cases("mark", &look.mark, Self::shape_word);
        self.cases("sides", &look.sides, |dump, sides| dump.proc_words(*sides));
        if let Some(shown) = &look.show {
            let names: Vec<String> = shown.iter().map(|prop| self.prop_name(*prop)).collect();
            self.line(format!("  show: {}", names.join(", ")));
        }
    }

    fn cases<T>(&mut self, name: &str, cases: &[Case<T>], words: impl Fn(&Self, &T) -> String) {
        for case in cases {
            let when = case.when.map_or(String::new(), |when| format!(" when {}", self.proc_words(when)));
            let value = words(self, &case.value);
            self.line(format!("  {name}: {value}{when}"));
        }
    }

    fn shape_word(&self, shape: &Shape) -> String {
        format!("{shape:?}").to_lowercase()
    }

    fn wording_words(&self, wording: &Wording) -> String {
        let part = |part: &WordingPart| match part {
            WordingPart::Text(text) => text.clone(),
            WordingPart::Value(proc) => format!("{{{}}}", self.proc_words(*proc)),
            WordingPart::Field(prop) => format!("{{{}}}", self.prop_name(*prop)),
        };
        format!("\"{}\"", wording.iter().map(part).collect::<String>())
    }

    fn proc_words(&self, proc: ProcId) -> String {
        match self.rules.procs.get(proc.index()).map(|proc| &proc.body) {
            Some(ProcBody::Expr(expr)) => Code::of(self.rules, proc).expr(expr),
            _ => format!("#{}", proc.index()),
        }
    }

    /// The colour that a value of an enum was given, and its thickness.
    pub(super) fn paint(colour: Option<Colour>, thickness: u8) -> String {
        colour.map_or(String::new(), |colour| format!(" {colour} {thickness}"))
    }
}
