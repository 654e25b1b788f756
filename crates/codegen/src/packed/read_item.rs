//! What straight-line code reads.

use crate::source::Source;

/// How many bits a reader returns at once, if not whole octets.
pub(crate) const TAKE_BITS: u32 = 57;

/// A field to be read, and what is done with it.
#[derive(Clone, Default)]
pub(crate) struct ReadItem {
    pub(crate) variable: String,
    /// How many bits; for groups, the most.
    pub(crate) bits: u32,
    pub(crate) content: Content,
    pub(super) refuse: Option<String>,
    pub(super) then: Vec<String>,
}

#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) enum Content {
    /// A number.
    #[default]
    Number,
    /// An array of octets.
    Array,
    /// Bits that must have this value; there is no variable.
    Constant(u64),
    /// A number in groups of seven bits.
    Groups,
}

impl ReadItem {
    pub(crate) fn is_groups(&self) -> bool {
        self.content == Content::Groups
    }

    pub(crate) fn is_event(&self) -> bool {
        matches!(self.content, Content::Groups | Content::Constant(_))
    }

    pub(crate) fn use_variable(&self, out: &mut Source) {
        if let Some(condition) = &self.refuse {
            out.refuse_if(condition);
        }
        self.then.iter().for_each(|statement| out.line(statement));
    }
}
