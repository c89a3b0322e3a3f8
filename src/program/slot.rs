//! Operands of instructions: places in memory.

use std::fmt;

/// A place in memory: below [`Slot::LOCAL`] a fixed address, above it an offset in the current window.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slot(pub u16);

impl Slot {
    /// The bit that marks an offset in the window.
    pub const LOCAL: u16 = 0x8000;
    /// No slot.
    pub const NONE: Slot = Slot(u16::MAX);
    /// Whose act a procedure is.
    pub const ME: Slot = Slot(Slot::LOCAL);
    /// The entity whose text a procedure is.
    pub const THIS: Slot = Slot(Slot::LOCAL + 1);

    /// The slot `words` after this one.
    pub fn offset(self, words: u16) -> Slot {
        Slot(self.0 + words)
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Slot::NONE => f.write_str("-"),
            Slot::ME => f.write_str("me"),
            Slot::THIS => f.write_str("this"),
            Slot(local) if local >= Slot::LOCAL => write!(f, "%{}", local - Slot::LOCAL),
            Slot(fixed) => write!(f, "@{fixed}"),
        }
    }
}

/// The size that the code counts on.
const _: () = assert!(std::mem::size_of::<super::op::Op>() == 8);
