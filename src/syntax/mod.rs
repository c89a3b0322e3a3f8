//! From text to tree. In comes the text of one file, out goes a spanned [`ast::File`] and what was wrong with it.
//! Names stay strings: this stage does not know what they mean.

#[allow(missing_docs)] // fields are explained by the example of the form they belong to
pub mod ast;
