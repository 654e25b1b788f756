//! The parts of a program.

use crate::default::{Defaults, Value};
use crate::rows::Tables;
use crate::strings::Strings;

/// A program for both ways.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    pub(crate) fields: Vec<Field>,
    pub(crate) maps: Vec<Map>,
    pub(crate) alternatives: Vec<Alternative>,
    pub(crate) lists: Vec<List>,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) defaults: Defaults,
    pub(crate) tables: Tables,
    /// How many words and places the frame of the whole value has.
    pub(crate) words: u32,
    pub(crate) places: u32,
}

/// Up to four octets that are the same for any value, such as a key; the first one is highest.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Key {
    front: u32,
    pub(crate) octets: u8,
}

impl Key {
    /// The most octets before an item of up to five, which are then in one word.
    pub(crate) const AHEAD: usize = 3;

    pub(crate) fn new(octets: &[u8]) -> Option<Key> {
        let mut four = [0; 4];
        four.get_mut(..octets.len())?.copy_from_slice(octets);
        Some(Key { front: u32::from_be_bytes(four), octets: octets.len() as u8 })
    }

    /// It as the highest octets of a word.
    #[inline(always)]
    pub(crate) const fn word(self) -> u64 {
        (self.front as u64) << 32
    }

    /// Whether a word begins with it.
    #[inline(always)]
    pub(crate) const fn begins(self, word: u64) -> bool {
        // In two steps, since a shift by 64 is none.
        (word ^ self.word()) >> 1 >> ((63 - 8 * self.octets as u32) & 63) == 0
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
    /// The first octet of the least value: that of 0, or that of FALSE.
    pub(crate) zero: u8,
    /// The presence bit, if it has one.
    pub(crate) bit: u8,
    pub(crate) has_bit: bool,
    pub(crate) is_optional: bool,
    /// 1 if it is an entry of a map that counts its entries.
    pub(crate) entry: u8,
}

/// An operation. Slots are words of the frame that is entered.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// Items whose slots follow each other, and the slot of their presence bits.
    Run {
        slot: u32,
        presence: u32,
        first: u32,
        count: u32,
    },
    /// Octets that are the same for any value.
    Literal {
        key: Key,
    },
    /// The key of an entry that must be there; `set` is its presence bit, if it has one.
    Entry {
        presence: u32,
        set: u64,
        key: Key,
    },
    /// The key of an entry, or continues elsewhere if none of the presence bits is set. A decoder
    /// sets them; those of a group are set by its own entries.
    If {
        presence: u32,
        mask: u64,
        is_group: bool,
        key: Key,
        to: u32,
    },
    /// Continues elsewhere if all of these components are absent: a decoder, at the end of the map.
    IfAny {
        presence: u32,
        mask: u64,
        to: u32,
    },
    /// Rejects a component that is present and has its DEFAULT, or may have it.
    NotDefault {
        presence: u32,
        bit: u8,
        slot: u32,
        value: Value,
    },
    /// The head of a map that counts its entries.
    Open {
        presence: u32,
        map: u32,
    },
    /// Its end.
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
        key: Key,
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
    /// The element that ends here is not below the one before it.
    Order {
        list: u8,
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
    /// The head of a byte string that what follows goes into.
    Embed,
    /// Its end.
    Embedded,
    /// One that is the same for all machines, by its number.
    Common {
        at: u32,
    },
    End,
}

/// A map that counts its entries.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    pub(crate) key: Key,
    /// How many entries are always there.
    pub(crate) fixed: u32,
    /// The presence bits of the others.
    pub(crate) mask: u64,
    /// Addition groups, each of which is an entry if one of its presence bits is set.
    pub(crate) groups: Vec<u64>,
    /// The fewest entries.
    pub(crate) least: u32,
}

/// An alternative.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Alternative {
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
    pub(crate) lower: u64,
    pub(crate) upper: u64,
    pub(crate) words: u32,
    pub(crate) places: u32,
    /// How many lists in order are around it, if it is one.
    pub(crate) order: Option<u8>,
    /// Where to continue after an empty list.
    pub(crate) end: u32,
}

/// How many lists in order may be inside each other.
pub(crate) const ORDERS: usize = 4;

/// A value that is not in a run.
#[derive(Clone, Debug)]
pub(crate) enum Leaf {
    /// A string, after a head whose first octet has these bits.
    String(u8, Strings),
    /// An item by its number: the number of each ordinal.
    Item(Vec<i64>),
    Float,
}
