//! What expansions say about the items of others.

use super::{Block, Clause, EntryField, EnumValue, Expr, Ident, Member, Prop, WindowPart};
use crate::base::Span;

/// Which item an expansion changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The word it begins with: `verb`, or the kind of a definition.
    pub sort: Ident,
    /// Its name; that of a link is `charm.host`. `setup`, `player` and `game` have none.
    pub name: Option<Ident>,
}

/// The parts of an item that a `patch` adds or puts in the place of others; `drops` are those it takes away.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Of a definition.
    Fields { fields: Vec<EntryField>, drops: Vec<Ident> },
    /// Of a kind, of `player` or of `game`.
    Members { members: Vec<Member>, drops: Vec<Ident> },
    /// Of a rule.
    Clauses { when: Option<Expr>, clauses: Vec<Clause>, drops: Vec<Ident> },
    /// Of a zone, board or look.
    Props(Vec<Prop>),
    /// Of a window.
    Parts(Vec<WindowPart>),
    /// Of a `turns`, wherever it stands.
    Turns { name: Ident, parts: Vec<TurnsPart>, drops: Vec<Ident> },
    /// Of an enum.
    Values(Vec<EnumValue>),
    /// Of an option.
    Default(Expr),
    /// More statements at the end of `setup`.
    Stmts(Block),
    /// Of a verb, an action, a definition or the flow, in which only words can be exchanged.
    Body,
}

/// A part of the head of a `turns` that a patch exchanges or gives.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnsPart {
    /// Its first word: `from`, `among`, `next`, `for` or `until`.
    pub word: Ident,
    pub value: Expr,
}

/// `OLD becomes NEW`: what stands in an item once is exchanged.
#[derive(Clone, Debug, PartialEq)]
pub struct Swap {
    pub old: Fragment,
    pub new: Fragment,
    pub span: Span,
}

/// A piece of an item.
#[derive(Clone, Debug, PartialEq)]
pub enum Fragment {
    /// An expression.
    Expr(Expr),
    /// Statements in a row, in braces.
    Stmts(Block),
}
