//! The parts of a program.

use crate::default::{Defaults, Value};
use crate::group::Group;
use crate::rows::Tables;
use crate::strings::Strings;

/// A program for both ways.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    pub(crate) fields: Vec<Field>,
    pub(crate) alternatives: Vec<Alternative>,
    pub(crate) lists: Vec<List>,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) defaults: Defaults,
    pub(crate) tables: Tables,
    /// How many words and places the frame of the whole value has.
    pub(crate) words: u32,
    pub(crate) places: u32,
}

/// A field number and wire type as on the wire, the first octet lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) word: u16,
    /// How many octets it has, up to 2; none where it has been read before.
    pub(crate) octets: u8,
}

impl Key {
    /// `None` if it has more octets.
    pub(crate) fn new(key: u32) -> Option<Key> {
        match key {
            0..0x80 => Some(Key { word: key as u16, octets: 1 }),
            0x80..0x4000 => Some(Key { word: (key & 0x7f | 0x80 | key >> 7 << 8) as u16, octets: 2 }),
            _ => None,
        }
    }

    /// Whether a word begins with it.
    #[inline(always)]
    pub(crate) const fn begins(self, word: u64) -> bool {
        word & ((1 << (8 * self.octets)) - 1) == self.word as u64
    }
}

/// A number as its offset from the lower bound.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Field {
    pub(crate) lower: i64,
    /// The greatest offset.
    pub(crate) range: u64,
    /// The lower bound on the tape: itself, or 0 for an ordinal.
    pub(crate) base: i64,
    pub(crate) key: Key,
    /// 1 if signs are in the lowest bit.
    pub(crate) zigzag: u8,
    /// The presence bit, if it has one.
    pub(crate) bit: u8,
    pub(crate) is_optional: bool,
}

/// An operation. Slots are words of the frame that is entered.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// Fields whose slots follow each other, and the slot of their presence bits.
    Run {
        slot: u32,
        presence: u32,
        first: u32,
        count: u32,
    },
    /// A component that may be absent: reads or writes its key, unless the next operation does; or
    /// continues elsewhere.
    If {
        presence: u32,
        bit: u8,
        key: Key,
        is_left: bool,
        to: u32,
    },
    /// Continues elsewhere if all of these components are absent: a decoder, at the end of the
    /// message.
    IfAny {
        presence: u32,
        mask: u64,
        to: u32,
    },
    /// An encoder rejects a component that is present and has its DEFAULT, or may have it.
    NotDefault {
        presence: u32,
        bit: u8,
        slot: u32,
        value: Value,
    },
    /// Rejects half of an addition group.
    Whole {
        presence: u32,
        group: Group,
    },
    /// A key and a length, up to whose end what follows goes.
    Open {
        key: Key,
    },
    /// That end.
    Close,
    /// Enters a frame elsewhere, which the slot points to.
    Enter {
        slot: u32,
        words: u32,
        places: u32,
    },
    /// Leaves it.
    Leave,
    /// The key of an alternative; continues there.
    Choose {
        slot: u32,
        first: u32,
        count: u32,
    },
    /// Continues elsewhere.
    Jump {
        to: u32,
    },
    /// Enters the first element of a list, or continues elsewhere.
    List {
        slot: u32,
        list: u32,
    },
    /// Continues with the next element, or leaves the list.
    Next {
        words: u32,
        body: u32,
    },
    Leaf {
        slot: u32,
        leaf: u32,
        key: Key,
    },
    /// One that is the same for all machines, by its number.
    Common {
        at: u32,
    },
    End,
}

/// An alternative.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Alternative {
    pub(crate) key: Key,
    /// Its index in textual order.
    pub(crate) alternative: u32,
    pub(crate) to: u32,
    /// Where in this list the alternative is that has this entry's index in textual order.
    pub(crate) place: u32,
}

/// A list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    pub(crate) key: Key,
    pub(crate) elements: Elements,
    pub(crate) lower: u64,
    pub(crate) upper: u64,
    pub(crate) words: u32,
    pub(crate) places: u32,
    /// Where to continue after an empty list.
    pub(crate) end: u32,
}

/// The form of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elements {
    /// Each after its key.
    Keyed,
    /// All as varints after one key and their length.
    Varints,
    /// The same of eight octets each.
    Doubles,
}

/// A value that is not in a run.
#[derive(Clone, Debug)]
pub(crate) enum Leaf {
    String(Strings),
    /// An item by its number: the number of each ordinal.
    Item(Vec<i64>),
    /// Bits as a number.
    Flags {
        lower: u8,
        upper: u8,
        is_trimmed: bool,
    },
    Double,
    /// Two's complement octets after their length.
    Contents {
        lower: i64,
        upper: i64,
    },
}
