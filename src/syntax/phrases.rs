//! Phrases of English and of other games within statements, and what to write instead of each.

use super::lex::TokenKind;
use super::slips::Slip;
use crate::base::Diagnostic;

impl Slip<'_> {
    /// A phrase that the language has no words for.
    pub(super) fn phrased(&self) -> Option<Diagnostic> {
        self.phrased_as_a_whole().or_else(|| (1..self.range.len()).find_map(|at| self.phrased_at(at)))
    }

    fn phrased_as_a_whole(&self) -> Option<Diagnostic> {
        let (first, second, end) = (self.text(0), self.text(1), self.range.len());
        let number = |at: usize| self.kind(at) == Some(TokenKind::Number);
        let say = |at: usize, message: &str, help: String| Some(self.found(at, message.to_owned(), help));
        match (first, second) {
            ("increase" | "decrease", _)
                if end > 2 && number(end - 1) && !matches!(self.text(end - 2), "." | "by" | "[") =>
            {
                let (what, by) = (self.source(self.range.start + 1..self.range.start + end - 1), self.text(end - 1));
                say(end - 1, "`by` stands before the number", format!("write `{first} {what} by {by}`"))
            }
            ("roll", _) if end == 2 => {
                let sides = second.trim_start_matches('d');
                let sides =
                    if sides.chars().all(|digit| digit.is_ascii_digit()) && !sides.is_empty() { sides } else { "6" };
                say(1, "what is rolled has a name and a range", format!("write `roll n in 1..{sides}`"))
            }
            ("note", _) if self.is_name(1) || matches!(second, "me" | "this" | "it" | "game") => {
                say(1, "a `note` is a text", format!("values stand in braces in it: `note \"{{{}}}\"`", self.rest(1)))
            }
            ("may", "{") => say(1, "`may` asks a question", "write `may \"Question?\" do { ... }`".to_owned()),
            ("do", _) if self.is_name(1) && self.text(2) == "of" => say(
                2,
                "whose effect it is stands before it, with a dot",
                format!("write `do {}.{second}`", self.rest(3)),
            ),
            ("sort", _) if end > 1 => {
                let help = "where the order counts, write `S sorted by NUMBER`; a zone with `order: pile` has an order of its own";
                say(0, "a set is not sorted for good", help.to_owned())
            }
            ("move", _) if number(1) && self.text(2) == "of" => {
                let to = (3..end).find(|at| self.text(*at) == "to").unwrap_or(end);
                let zone = self.source(self.range.start + 3..self.range.start + to);
                let help = format!(
                    "from the top of a pile: `move top({zone}, {second}) to ...`; by choice: `choose exactly {second} cs in {zone}  move cs to ...`"
                );
                say(2, "`move` says which are moved", help)
            }
            _ => None,
        }
    }

    fn phrased_at(&self, at: usize) -> Option<Diagnostic> {
        let (word, next, third) = (self.text(at), self.text(at + 1), self.text(at + 2));
        let kind = |ahead: usize| self.kind(at + ahead);
        let say = |ahead: usize, message: &str, help: String| Some(self.found(at + ahead, message.to_owned(), help));
        match (word, next) {
            ("count" | "number" | "amount", "of") if self.text(at - 1) != "." => {
                say(1, "how many there are is `count` and the set", "write `count S`: `count me.hand`".to_owned())
            }
            ("sum" | "max" | "min", _) if self.is_name(at + 1) && third == "in" => {
                say(2, "what is added up stands before `of`", format!("write `{word} {next} of ...`"))
            }
            ("sum" | "max" | "min", "(") => {
                let close = (at + 2..self.range.len()).find(|ahead| self.text(*ahead) == ")")?;
                let path = close >= at + 6 && self.text(close - 2) == "." && self.text(close + 1) != "of";
                let of = self.source(self.range.start + at + 2..self.range.start + close - 2);
                let help = format!("write `{word} {} of {of}`", self.text(close - 1));
                if path { say(0, "what is taken of each stands right behind the word", help) } else { None }
            }
            ("some" | "no", _) if self.is_name(at + 1) && self.is_name(at + 2) && self.text(at + 3) == "where" => {
                say(2, "a member of a set is named by `as`", format!("write `{word} ({next} as {third} where ...)`"))
            }
            ("is", "not") if kind(2) == Some(TokenKind::Number) => {
                say(1, "`is` asks for a kind", format!("numbers are compared by `!=`: `... != {third}`"))
            }
            ("is", _) if kind(1) == Some(TokenKind::Text) => {
                say(1, "what a card is called stands behind its kind", format!("write `... is KIND {next}`"))
            }
            ("in", "all" | "every" | "each") if matches!(third, "players" | "opponents") => {
                say(1, &format!("`{third}` are all of them"), format!("write `in {third}`"))
            }
            ("in" | "from", _)
                if kind(1) == Some(TokenKind::Number) && third == "to" && kind(3) == Some(TokenKind::Number) =>
            {
                say(2, "a range has two dots", format!("write `in {next}..{}`", self.text(at + 3)))
            }
            ("in", _) if self.is_name(at + 1) && third == "," && self.is_name(at + 3) => say(
                2,
                "values that are written down stand in brackets",
                format!("write `in [{next}, {}]`", self.text(at + 3)),
            ),
            _ => None,
        }
    }
}
