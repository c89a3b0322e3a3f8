//! Formats a text of the language. Works on tokens: it changes only the space between them, keeps every comment, and
//! keeps the line breaks of the author. The grammar is asked where statements and fields begin, and nothing else.

use super::alphabet::index_of;
use super::grammar::{Grammar, Rule};
use super::lex::{Token, TokenKind, lex};
use super::parse::parse;
use super::split::Matched;
use super::words;
use crate::base::{Diagnostic, Diagnostics, FileId};
use pest::Parser;
use std::collections::BTreeSet;

/// Columns for each level of braces.
const INDENT: usize = 2;
/// Further columns of a line that goes on with the line before it.
const CONTINUED: usize = 4;

/// Formats rules, cards or scenarios.
///
/// # Errors
/// What is wrong with the text, if it cannot be read; a broken text is not touched.
pub fn format(text: &str) -> Result<String, Diagnostics> {
    let (_, diagnostics) = parse(FileId(0), text);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    let tokens = lex(FileId(0), text).tokens;
    let starts = Starts::find(text, &tokens);
    let writer = Writer {
        source: text,
        starts,
        out: String::with_capacity(text.len()),
        open: Vec::new(),
        line: 0,
        in_covers: false,
    };
    Ok(writer.write(&tokens))
}

/// Where things begin, as byte offsets.
#[derive(Default)]
struct Starts {
    /// Statements, fields and the like: they stand apart from what shares their line.
    apart: BTreeSet<usize>,
    /// Whatever may begin a line without going on with the line before.
    fresh: BTreeSet<usize>,
}

impl Starts {
    fn find(text: &str, tokens: &[Token]) -> Starts {
        let tokens = tokens.iter().copied().filter(|token| token.kind != TokenKind::Comment).collect();
        let mut matched = Matched::new(FileId(0), text, tokens);
        let mut starts = Starts::default();
        for chunk in matched.chunks() {
            let letters = matched.letters(chunk.range);
            let Ok(pairs) = Grammar::parse(Rule::one_item, &letters.text) else { continue };
            for pair in pairs.flatten() {
                let token = letters.tokens.get(index_of(pair.as_span().start()));
                let Some(token) = token.and_then(|token| matched.tokens.get(*token)) else { continue };
                let start = token.start;
                match pair.as_rule() {
                    Rule::item
                    | Rule::stmt
                    | Rule::member
                    | Rule::prop
                    | Rule::clause
                    | Rule::window_part
                    | Rule::offer_part
                    | Rule::entry_field
                    | Rule::drop
                    | Rule::swap
                    | Rule::step => {
                        starts.apart.insert(start);
                        starts.fresh.insert(start);
                    }
                    Rule::enum_value
                    | Rule::option_arm
                    | Rule::else_if
                    | Rule::else_block
                    | Rule::else_acts
                    | Rule::pay
                    | Rule::offer_accepted
                    | Rule::offer_refused
                    | Rule::k_do
                    | Rule::gate_choose => {
                        starts.fresh.insert(start);
                    }
                    _ => {}
                }
            }
        }
        starts
    }
}

struct Writer<'a> {
    source: &'a str,
    starts: Starts,
    out: String,
    /// The brackets that are open, and the line of each.
    open: Vec<(char, usize)>,
    line: usize,
    /// Between `covers` and `{` stand numbers of rules, in which `-` is a letter.
    in_covers: bool,
}

impl Writer<'_> {
    fn write(mut self, tokens: &[Token]) -> String {
        for (index, token) in tokens.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|before| tokens.get(before));
            let text = token.text(self.source);
            // A label goes with the name before it.
            let labelled = text == ":" && before.is_some_and(|before| before.kind == TokenKind::Text);
            let earlier = index.checked_sub(2 + usize::from(labelled)).and_then(|earlier| tokens.get(earlier));
            if matches!(text, "}" | ")" | "]") && token.kind == TokenKind::Symbol {
                self.open.pop();
            }
            let closing = self.closing(tokens.get(index + 1..).unwrap_or_default(), *token);
            match before {
                Some(before) => self.gap(earlier.copied(), *before, *token, closing),
                None => self.indent(*token, None, 0),
            }
            self.out.push_str(text);
            if token.kind == TokenKind::Symbol && matches!(text, "{" | "(" | "[") {
                self.open.extend(text.chars().map(|bracket| (bracket, self.line)));
            }
            match text {
                "covers" if token.kind == TokenKind::Word => self.in_covers = true,
                "{" => self.in_covers = false,
                _ => {}
            }
        }
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    /// How many brackets close directly after this one on its line. They are set back with it.
    fn closing(&self, rest: &[Token], token: Token) -> usize {
        let is_closer =
            |token: &Token| token.kind == TokenKind::Symbol && matches!(token.text(self.source), "}" | ")" | "]");
        if !is_closer(&token) {
            return 0;
        }
        let mut end = token.end;
        let mut on_line = |next: &&Token| {
            let gap = self.source.get(end..next.start).unwrap_or("");
            end = next.end;
            is_closer(next) && !gap.contains('\n')
        };
        rest.iter().take_while(&mut on_line).count()
    }

    /// Writes the space between two tokens.
    fn gap(&mut self, earlier: Option<Token>, before: Token, token: Token, closing: usize) {
        let source = self.source.get(before.end..token.start).unwrap_or("");
        let breaks = source.bytes().filter(|byte| *byte == b'\n').count();
        if breaks == 0 && before.kind != TokenKind::Comment {
            let aligned = token.kind == TokenKind::Comment && source.bytes().all(|byte| byte == b' ');
            let least = if aligned { source.len() } else { 0 };
            let spaces = self.spaces(earlier, before, token, !source.is_empty()).max(least);
            self.out.extend(std::iter::repeat_n(' ', spaces));
            return;
        }
        let opens = before.kind == TokenKind::Symbol && before.text(self.source) == "{";
        let closes = token.kind == TokenKind::Symbol && token.text(self.source) == "}";
        self.out.push('\n');
        self.line += 1;
        if breaks > 1 && !opens && !closes {
            self.out.push('\n');
        }
        self.indent(token, Some(before), closing);
    }

    /// Writes the space at the start of a line. Blocks that were opened on one line are one level.
    fn indent(&mut self, token: Token, before: Option<Token>, closing: usize) {
        let open = self.open.len().saturating_sub(closing);
        let blocks = self.open.iter().take(open).filter(|(bracket, _)| *bracket == '{');
        let braces = blocks.map(|(_, line)| line).collect::<BTreeSet<_>>().len();
        let in_bracket = self.open.last().is_some_and(|(bracket, _)| *bracket != '{');
        let closes = token.kind == TokenKind::Symbol && matches!(token.text(self.source), "}" | ")" | "]");
        let fresh = self.starts.fresh.contains(&token.start) || closes || before.is_none();
        // A comment stands where what follows it stands, or else what could follow it.
        let comment = token.kind == TokenKind::Comment;
        let goes_on = if comment { in_bracket } else { in_bracket || !fresh };
        let columns = braces * INDENT + if goes_on { CONTINUED } else { 0 };
        self.out.extend(std::iter::repeat_n(' ', columns));
    }

    /// How many spaces stand between two tokens of one line. `apart` says whether there were any.
    fn spaces(&self, earlier: Option<Token>, before: Token, token: Token, apart: bool) -> usize {
        if token.kind == TokenKind::Comment {
            return 2;
        }
        let (left, right) = (before.text(self.source), token.text(self.source));
        let symbols = (before.kind == TokenKind::Symbol, token.kind == TokenKind::Symbol);
        if self.starts.apart.contains(&token.start) {
            return if symbols.0 && left == "{" { 1 } else { 2 };
        }
        let tight_left = symbols.0 && matches!(left, "(" | "[" | "." | "..");
        let tight_right = symbols.1 && matches!(right, ")" | "]" | "," | "." | "..");
        if tight_left || tight_right {
            return 0;
        }
        if self.in_covers && ((symbols.0 && left == "-") || (symbols.1 && right == "-")) {
            return 0;
        }
        match right {
            ":" if symbols.1 => usize::from(earlier.is_some_and(|earlier| earlier.text(self.source) == "kind")),
            // Whether a bracket touches what stands before it has a meaning.
            "(" | "[" if symbols.1 => usize::from(apart && !(left == "-" && self.is_sign(earlier, before, token))),
            _ if symbols.0 && left == "-" && self.is_sign(earlier, before, token) => 0,
            _ => 1,
        }
    }

    /// Whether a `-` is the sign of what follows it, rather than between two values.
    fn is_sign(&self, earlier: Option<Token>, minus: Token, next: Token) -> bool {
        let Some(earlier) = earlier else { return true };
        let text = earlier.text(self.source);
        let after_value = match earlier.kind {
            TokenKind::Number | TokenKind::Text => true,
            TokenKind::Word => !words::is_keyword(text),
            TokenKind::Symbol => matches!(text, ")" | "]"),
            TokenKind::Comment => false,
        };
        // `draw_cards -1` is left as it is written.
        !after_value || (earlier.end < minus.start && minus.end == next.start)
    }
}

#[cfg(test)]
mod tests {
    use super::super::dump;
    use super::super::tests::shipped;
    use super::*;
    use proptest::prelude::*;

    const FORMS: &str = include_str!("../../tests/fixtures/syntax/forms.rules");

    fn formatted(text: &str) -> String {
        format(text).unwrap_or_else(|diagnostics| panic!("{diagnostics:?}\n{text}"))
    }

    fn comments(text: &str) -> Vec<String> {
        let tokens = lex(FileId(0), text).tokens;
        let comments = tokens.into_iter().filter(|token| token.kind == TokenKind::Comment);
        comments.map(|comment| comment.text(text).to_owned()).collect()
    }

    #[track_caller]
    fn holds(text: &str) {
        let once = formatted(text);
        assert_eq!(formatted(&once), once, "formatting again changes the text");
        let (before, after) = (parse(FileId(0), text).0, parse(FileId(0), &once).0);
        assert_eq!(dump(&after), dump(&before), "formatting changes the tree");
        assert_eq!(comments(&once), comments(text), "formatting changes the comments");
        assert!(once.lines().all(|line| line.trim_end() == line), "a line ends with a space");
    }

    #[test]
    fn a_text_is_set_out() {
        let rough = "// top\r\nkind  tool:card{field cost :1 .. 5=- 1 // a\n\n\n\n field use : effect\n\n}\n\n\n\
                     tool \"Lamp\"{cost:2 copies: 3\nuse{draw_cards -1 buff (a+b) by - 2\nif a\nand b{stop}\nelse{settle}}}\n\
                     scenario \"x\" covers AB-1,AB-R2{snapshot}";
        let neat = "\
// top
kind tool : card { field cost: 1..5 = -1  // a

  field use: effect
}

tool \"Lamp\" { cost: 2  copies: 3
  use { draw_cards -1  buff (a + b) by -2
    if a
        and b { stop }
    else { settle } } }
scenario \"x\" covers AB-1, AB-R2 { snapshot }
";
        assert_eq!(formatted(rough), neat);
        holds(rough);
    }

    #[test]
    fn nothing_and_comments_alone_are_left() {
        assert_eq!(formatted(""), "");
        assert_eq!(formatted("\n\n  // a\n\n\n// b  \n"), "// a\n\n// b\n");
    }

    #[test]
    fn pieces_that_are_exchanged_stand_like_fields() {
        let neat = "\
patch tool \"Lamp\" {
  {
    note \"a\"
    stop
  } becomes {
    stop
  }
  text: \"long\"
  4 becomes 5
}
";
        assert_eq!(formatted(neat), neat);
    }

    #[test]
    fn a_broken_text_is_refused() {
        assert!(format("kind tool {").is_err());
    }

    #[test]
    fn every_form_and_all_shipped_content_survive() {
        holds(FORMS);
        for (path, text) in shipped() {
            if matches!(path.rsplit('.').next(), Some("rules" | "cards" | "scenario")) {
                holds(&text);
            }
        }
    }

    /// The text with other space and comments between tokens that do not touch.
    fn respaced(text: &str, choices: &[u8]) -> String {
        let tokens = lex(FileId(0), text).tokens;
        let mut out = String::new();
        let mut end = 0;
        for (index, token) in tokens.iter().enumerate() {
            let gap = &text[end..token.start];
            let choice = choices[index % choices.len()];
            match choice % 8 {
                _ if gap.is_empty() => {}
                _ if out.ends_with("//")
                    || tokens[..index].last().is_some_and(|last| last.kind == TokenKind::Comment) =>
                {
                    out.push_str("\n  ")
                }
                0 => out.push('\n'),
                1 => out.push_str("\n\n\n"),
                2 => out.push_str("   "),
                3 => out.push('\t'),
                4 => out.push_str(&format!(" // {choice} \"quoted\" {{\n")),
                5 => out.push_str("\r\n"),
                _ => out.push_str(gap),
            }
            out.push_str(token.text(text));
            end = token.end;
        }
        out
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_spacing_formats_to_a_fixed_point(choices in prop::collection::vec(any::<u8>(), 1..200)) {
            let text = respaced(FORMS, &choices);
            prop_assert_eq!(dump(&parse(FileId(0), &text).0), dump(&parse(FileId(0), FORMS).0));
            holds(&text);
        }
    }
}
