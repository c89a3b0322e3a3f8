//! From text to tree. In comes the text of one file, out goes a spanned [`ast::File`] and what was wrong with it.
//! Names stay strings: this stage does not know what they mean.

mod alphabet;
// Fields are explained by the example of the form they belong to; a clause is large, but there are few of them.
#[allow(missing_docs, clippy::large_enum_variant)]
pub mod ast;
mod braces;
mod build;
mod conditions;
mod dump;
mod expected;
pub(crate) mod folds;
mod foreign;
mod format;
mod grammar;
mod lex;
mod limits;
mod locale;
pub mod manifest;
mod message;
mod otherwise;
mod parse;
mod pattern;
mod phrases;
mod recover;
mod sheet;
mod slips;
mod split;
mod spoken;
pub mod visit;
mod words;

pub use build::quote;
pub use dump::{dump, same_tree};
pub use expected::{Expected, expected};
pub use foreign::{Role, instead_of, setting_for};
pub use format::format;
pub use lex::{Token, TokenKind, filled, tokens, words_in};
pub use limits::{MAX_FILE_BYTES, MAX_NESTING, MAX_OPERATORS};
pub use locale::{Locale, Translated, is_language, parse_locale, print_locale};
pub use manifest::{Manifest, parse_manifest};
pub use parse::{parse, parse_expr, words_of};
pub use pattern::{Pattern, Selection};
pub use sheet::{CountedRows, Fields, Named, is_table, parse_table};
pub use words::{CONTEXTUAL, ITEMS, RESERVED, STATEMENTS, begins_a_statement, begins_an_item, is_reserved};

#[cfg(test)]
mod tests;
