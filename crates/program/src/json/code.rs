//! The parts of a program.

use roadwire_wire::Rejected;

use crate::default::{Defaults, Value};
use crate::group::Group;
use crate::rows::Tables;
use crate::strings::Strings;

/// A program that writes text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    pub(crate) fields: Vec<Field>,
    /// All texts, and [`CHUNK`] octets after them.
    pub(crate) octets: Vec<u8>,
    /// The texts of items in the order of their ordinals.
    pub(crate) names: Vec<Text>,
    /// Where the alternatives of each choice are, in textual order.
    pub(crate) alternatives: Vec<u32>,
    pub(crate) lists: Vec<List>,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) defaults: Defaults,
    pub(crate) tables: Tables,
}

impl Code {
    /// The octets from a place on.
    #[inline(always)]
    pub(crate) fn chunk(&self, from: usize) -> Result<&[u8; CHUNK], Rejected> {
        self.octets.get(from..).and_then(|rest| rest.first_chunk()).ok_or(Rejected)
    }
}

/// How many octets of a text are copied at once, even where fewer are meant.
pub(crate) const CHUNK: usize = 32;

/// Text that is the same for any value.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Text {
    pub(crate) start: u32,
    pub(crate) octets: u32,
    /// Whether its first octet is left out right after an opening bracket.
    pub(crate) has_comma: bool,
}

/// A number or a name, which a word of the tape has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) text: Text,
    /// How many octets of the text are there even if the value is absent.
    pub(crate) always: u32,
    pub(crate) kind: Kind,
    /// The presence bit, if it may be absent.
    pub(crate) bit: u8,
    pub(crate) has_bit: bool,
    /// The first one of its names.
    pub(crate) names: u32,
    /// The least value, as a word.
    pub(crate) lower: u64,
    /// The greatest offset from it.
    pub(crate) range: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Signed,
    Unsigned,
    Name,
}

/// An operation. Slots are words of the frame that is entered.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// Values whose slots follow each other, and the slot of their presence bits.
    Run {
        slot: u32,
        presence: u32,
        first: u32,
        count: u32,
    },
    /// Text that is the same for any value.
    Literal {
        text: Text,
    },
    /// Text; then continues elsewhere if the component is absent.
    If {
        presence: u32,
        bit: u8,
        to: u32,
        text: Text,
    },
    /// Continues elsewhere if it is absent or has its DEFAULT; rejects one that may have it.
    IfOther {
        presence: u32,
        bit: u8,
        slot: u32,
        value: Value,
        to: u32,
    },
    /// Rejects half of an addition group.
    Whole {
        presence: u32,
        group: Group,
    },
    /// Enters a frame elsewhere, which the slot points to.
    Enter {
        slot: u32,
    },
    /// Leaves it.
    Leave,
    /// Text; then continues at an alternative.
    Choose {
        slot: u32,
        first: u32,
        count: u32,
        text: Text,
    },
    /// Text; then continues elsewhere.
    Jump {
        to: u32,
        text: Text,
    },
    /// Enters the first element of a list, or continues elsewhere.
    List {
        slot: u32,
        list: u32,
    },
    /// The text at the end of an element; continues with the next one, or leaves the list.
    Next {
        words: u32,
        body: u32,
        text: Text,
    },
    Leaf {
        slot: u32,
        leaf: u32,
        text: Text,
    },
    /// One that is the same for all machines, by its number.
    Common {
        at: u32,
    },
    End,
}

/// A list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    /// The text before its elements.
    pub(crate) text: Text,
    pub(crate) lower: u64,
    pub(crate) upper: u64,
    /// Where to continue after an empty list.
    pub(crate) end: u32,
}

/// A value that is not in a run.
#[derive(Clone, Debug)]
pub(crate) enum Leaf {
    /// Octets as digits.
    Digits {
        lower: u64,
        upper: u64,
    },
    /// Bits as digits: without their number if it is this one.
    Bits {
        fixed: Option<u64>,
        lower: u64,
        upper: u64,
    },
    /// Characters, perhaps with constraints.
    Quoted(Option<Strings>),
    Float,
    /// An object identifier as numbers with dots between them.
    Dotted {
        relative: bool,
    },
}
