//! Who sees what lies somewhere: cards in zones, and pieces on boards.

use super::KindId;

/// Who sees what lies in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seen {
    All,
    Holder,
    /// All but its holder.
    Others,
    Top,
    None,
}

impl Seen {
    /// Whether somebody may not see what lies there.
    pub fn is_closed(self) -> bool {
        matches!(self, Seen::Holder | Seen::Others | Seen::None)
    }

    /// The seats that see all of what a player holds, as bits; what else they may see of it, they know from somewhere else.
    pub fn lookers(self, holder: Option<u8>) -> i64 {
        match self {
            Seen::All => -1,
            Seen::Holder => holder.map_or(0, |player| 1 << player),
            Seen::Others => holder.map_or(-1, |player| !(1 << player)),
            Seen::Top | Seen::None => 0,
        }
    }
}

/// What those see of a piece on a board who do not see which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Back {
    /// The kind that says so: that it is one of these, all see.
    pub kind: KindId,
    /// Who sees more. Its holder is its owner, and of a piece of nobody there is none.
    pub seen: Seen,
}
