//! What a card does, in words made of its own statements: for cards that are printed and have no text. The words are those
//! of the rules; names lose their underscores, questions stand in brackets, a line of the log is a sentence of its own, and so is each
//! statement.

use crate::base::{FileId, SourceMap, Span};
use crate::model::rules::{Entry, FieldValue, Rules};
use crate::syntax::ast::Block;
use crate::syntax::visit::{Visitor, walk_item};
use crate::syntax::{TokenKind, parse, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// Words after which no `.` parts a sentence from the next, and what is read in their place.
const OWN: [(&str, &str); 4] = [("me", "your"), ("this", "its"), ("mover", "the player on turn's"), ("it", "its")];

/// What definitions do.
#[derive(Default)]
pub struct Abilities {
    /// Where statements begin, by file.
    starts: BTreeMap<FileId, BTreeSet<usize>>,
}

struct Starts<'a>(&'a mut BTreeSet<usize>);

impl Visitor for Starts<'_> {
    fn block(&mut self, block: &mut Block) -> bool {
        self.0.extend(block.stmts.iter().map(|stmt| stmt.span.start as usize));
        true
    }
}

impl Abilities {
    /// What a definition does: the name of each effect with its words, and the words of each clause, without a name.
    pub fn of(&mut self, rules: &Rules, sources: &SourceMap, entry: &Entry) -> Vec<(String, String)> {
        let effects = entry.fields.iter().filter_map(|(prop, value)| {
            let Some(FieldValue::Proc(proc)) = value else { return None };
            // An effect that the kind gives is not the card's.
            entry.field_spans.iter().find(|(given, _)| given == prop)?;
            Some((rules.label(&rules.props.get(prop.index())?.name), rules.procs.get(proc.index())?.span))
        });
        let clauses = entry.clauses.iter().filter_map(|id| rules.clauses.get(id.index()));
        let all = effects.chain(clauses.map(|clause| (String::new(), clause.span)));
        let told = all.map(|(name, span)| (capital(&name), self.words(sources, span)));
        told.filter(|(_, words)| !words.is_empty()).collect()
    }

    fn words(&mut self, sources: &SourceMap, span: Span) -> String {
        let starts = self.starts.entry(span.file).or_insert_with(|| {
            let mut starts = BTreeSet::new();
            for item in &mut parse(span.file, sources.text(span.file)).0.items {
                walk_item(&mut Starts(&mut starts), &mut item.kind);
            }
            starts
        });
        let (text, first) = (sources.slice(span), span.start as usize);
        sentences(text, |at| starts.contains(&(first + at)))
    }
}

/// A text with its first letter in capitals.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The words of a block or clause; `begins` says whether a statement begins at a byte.
fn sentences(text: &str, begins: impl Fn(usize) -> bool) -> String {
    let tokens: Vec<_> = tokens(text).into_iter().filter(|token| token.kind != TokenKind::Comment).collect();
    let word = |index: usize| tokens.get(index).map_or("", |token| token.text(text));
    // A block that is the whole text is no block within a sentence.
    let outer = usize::from(word(0) == "{");
    let (mut sentences, mut sentence, mut depth) = (Vec::new(), String::new(), 0_usize);
    let (mut closed, mut asks, mut filters) = (false, false, false);
    // How deep the statements stand that are in brackets, because more may follow them.
    let mut bracketed = Vec::new();
    let has_block = |index: usize| {
        let own = tokens.get(index + 1..).unwrap_or_default().iter().take_while(|token| !begins(token.start));
        own.map(|token| token.text(text)).find(|word| matches!(*word, "{" | "}")) == Some("{")
    };
    for (index, token) in tokens.iter().enumerate() {
        let this = token.text(text);
        let begins = begins(token.start);
        asks = asks && !begins || begins && matches!(this, "choose" | "may");
        filters = filters && !begins || this == "where";
        match this {
            "{" => {
                depth += 1;
                if depth > outer {
                    let nothing = if word(index + 1) == "}" { "nothing" } else { "" };
                    sentence = format!("{}: {nothing}", sentence.trim_end());
                }
                continue;
            }
            "}" => {
                depth = depth.saturating_sub(1);
                closed = true;
                if word(index + 1) != "else" && bracketed.pop_if(|at| *at == depth).is_some() {
                    sentence = format!("{})", sentence.trim_end());
                }
                continue;
            }
            _ => {}
        }
        let label = token.kind == TokenKind::Text && word(index + 1) == "{";
        if depth == outer && begins && !sentence.is_empty() {
            sentences.push(std::mem::take(&mut sentence));
        } else if closed && label {
            sentence = format!("{}; or ", sentence.trim_end());
        } else if (begins || closed) && !sentence.is_empty() && !sentence.ends_with(": ") {
            let mark = if this == "else" { "," } else { ";" };
            sentence = format!("{}{mark} ", sentence.trim_end());
        }
        closed = false;
        if begins && depth > outer && has_block(index) {
            bracketed.push(depth);
            sentence.push('(');
        }
        // What is noted stands for itself.
        if this == "note" && begins {
            continue;
        }
        let spoken = match token.kind {
            TokenKind::Text if asks && !label => format!("({})", filled(this.trim_matches('"'))),
            TokenKind::Text => filled(this.trim_matches('"')),
            _ if word(index + 1) == "." && this == "this" && filters => "this card's".to_owned(),
            _ if word(index + 1) == "." => {
                let own = OWN.iter().find(|(name, _)| *name == this).map(|(_, own)| (*own).to_owned());
                let ending = if this.ends_with('s') { "'" } else { "'s" };
                own.unwrap_or_else(|| format!("{}{ending}", this.replace('_', " ")))
            }
            _ => match this {
                "." => continue,
                "me" => "you".to_owned(),
                ">=" => "≥".to_owned(),
                "<=" => "≤".to_owned(),
                "!=" => "≠".to_owned(),
                _ => this.replace('_', " "),
            },
        };
        if matches!(this, "," | ")" | "]" | ":") || this == "(" && called(&tokens, index) {
            sentence.truncate(sentence.trim_end().len());
        }
        sentence.push_str(&spoken);
        if !matches!(this, "(" | "[") {
            sentence.push(' ');
        }
    }
    sentences.push(sentence);
    let whole = sentences.iter().map(|sentence| sentence.trim_end()).filter(|sentence| !sentence.is_empty());
    whole.map(|sentence| format!("{}.", capital(sentence))).collect::<Vec<_>>().join(" ")
}

/// A text of the rules with the words of the values that stand in it; nobody in particular reads it.
fn filled(text: &str) -> String {
    let mut parts = text.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |told, part| {
        let (value, rest) = part.split_once('}').unwrap_or((part, ""));
        let words = match value {
            "me" => "the player".to_owned(),
            value => {
                let words = sentences(value, |_| false);
                let first = words.chars().next().map_or(0, char::len_utf8);
                format!("{}{}", words[..first].to_lowercase(), words[first..].trim_end_matches('.'))
            }
        };
        format!("{told}{words}{rest}")
    })
}

/// Whether a bracket belongs to the word before it.
fn called(tokens: &[crate::syntax::Token], index: usize) -> bool {
    index.checked_sub(1).and_then(|before| Some(tokens.get(before)?.end == tokens.get(index)?.start)).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of an effect of a card.
    fn told(effect: &str) -> String {
        let text = format!("tool \"Rope\" {{ use {effect} }}");
        let mut starts = BTreeSet::new();
        for item in &mut parse(FileId(0), &text).0.items {
            walk_item(&mut Starts(&mut starts), &mut item.kind);
        }
        let first = text.find(effect).unwrap();
        sentences(effect, |at| starts.contains(&(first + at)))
    }

    #[test]
    fn statements_become_sentences() {
        assert_eq!(
            told("{ choose m in their_beasts where weight >= 3 for steal \"Steal which?\"\n steal m  pay_coins 2 }"),
            "Choose m in their beasts where weight ≥ 3 for steal (Steal which?). Steal m. Pay coins 2."
        );
        assert_eq!(
            told("{ if some me.hand { toss first(me.hand)  note \"gone\" } else { gain this.price } draw 1 }"),
            "If some your hand: toss first(your hand); gone, else: gain its price. Draw 1."
        );
        assert_eq!(
            told("{ note \"{me} sees {count players.hand}, {c.rank}\"  bury first(opponents.den) }"),
            "The player sees count players' hand, c's rank. Bury first(opponents' den)."
        );
        assert_eq!(
            told(
                "{ if me.coins > 1 { if me.ready { earn 2 } } else { each p in players { if p.ready { earn 1 for p } fine 1 for p } } }"
            ),
            "If your coins > 1: (if your ready: earn 2), else: (each p in players: (if p's ready: earn 1 for p); fine 1 for p)."
        );
        assert_eq!(
            told("{ choose c in opponents.stall where cost < this.cost  gain this.cost }"),
            "Choose c in opponents' stall where cost < this card's cost. Gain its cost."
        );
        assert_eq!(
            told(
                "{ choose option { \"one\" { choose option { \"two\" { gain 2 } \"three\" { gain 3 } } } \"four\" { gain 4 } } }"
            ),
            "Choose option: one: (choose option: two: gain 2; or three: gain 3); or four: gain 4."
        );
        assert_eq!(
            told("{ choose option { \"two coins\" { gain 2 } \"a card\" { draw 1 } } }"),
            "Choose option: two coins: gain 2; or a card: draw 1."
        );
    }
}
