//! What every stage stands on: positions in source text, diagnostics, and the [`World`] through which files are
//! read. It knows no stage and no game.

#[macro_use]
mod code;
mod codes;
mod diagnostic;
pub mod limits;
mod paint;
mod render;
mod source;
mod visible;
mod world;

pub use code::CodeInfo;
pub use codes::{CODES, Code};
pub use diagnostic::{Diagnostic, Diagnostics, Label, Mend, Severity, listed, nearest, plural, possessive, spoken};
pub use paint::{COLOURS, Colour, SHAPES, Shape, ZONE_SHAPES, crossing, line_weight};
pub use render::{render_json, render_text};
pub use source::{FileId, LineColumn, SourceMap, Span};
pub use visible::{is_unseen, misleading, shown, unfit, visible, visible_colours, visible_json, visible_lines};
pub use world::{MemoryWorld, World, WorldError};
