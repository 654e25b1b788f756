//! The parts of a program.

use crate::default::{Defaults, Value};

/// A program for both ways.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    pub(crate) fields: Vec<Field>,
    /// Where alternatives begin.
    pub(crate) targets: Vec<u32>,
    pub(crate) counts: Vec<Count>,
    pub(crate) strings: Vec<Text>,
    /// Which ordinal or alternative each index has.
    pub(crate) maps: Vec<Vec<u32>>,
    pub(crate) defaults: Defaults,
    /// How many words and places the frame of the whole value has.
    pub(crate) words: u32,
    pub(crate) places: u32,
}

/// An integer as its offset from the lower bound.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Field {
    pub(crate) lower: i64,
    /// The greatest offset.
    pub(crate) range: u64,
    /// How many bits, up to 57, so that the window at any bit has them.
    pub(crate) width: u8,
}

/// An operation. Slots are words of the frame that is entered.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// Fields whose slots follow each other, and how many bits they take.
    Run {
        slot: u32,
        first: u32,
        count: u32,
        bits: u32,
    },
    /// A field whose number on the tape is another one.
    Mapped {
        slot: u32,
        field: u32,
        map: u32,
    },
    /// A bit that is 0.
    Zero,
    /// Continues elsewhere if none of these presence bits is set.
    IfAny {
        slot: u32,
        mask: u64,
        to: u32,
    },
    /// Continues elsewhere if the presence bit is not set.
    If {
        slot: u32,
        bit: u8,
        to: u32,
    },
    /// An encoder rejects a component that is present and has its DEFAULT, or may have it.
    NotDefault {
        presence: u32,
        bit: u8,
        slot: u32,
        value: Value,
    },
    /// Enters a frame elsewhere, which the slot points to.
    Enter {
        slot: u32,
        words: u32,
        places: u32,
    },
    /// Leaves it.
    Leave,
    /// Continues at the alternative that the slot has.
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
        count: u32,
        words: u32,
        places: u32,
        end: u32,
    },
    /// Continues with the next element, or leaves the list.
    Next {
        words: u32,
        body: u32,
    },
    /// A string.
    Text {
        slot: u32,
        text: u32,
    },
    End,
}

/// How many units come.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Count {
    Field(Field),
    /// A length determinant, within bounds.
    Determinant {
        lower: u64,
        upper: u64,
    },
}

/// A string.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) count: Count,
    pub(crate) units: Units,
}

/// The units of a string.
#[derive(Clone, Debug)]
pub(crate) enum Units {
    Bits,
    Octets,
    /// Octets of UTF-8, and bounds for the number of characters.
    Utf8(u64, u64),
    /// ASCII characters of so many bits: the character for each index, and the index of each
    /// character; [`NONE`] where there is none.
    Characters {
        bits: u8,
        characters: Box<[u8; 128]>,
        indexes: Box<[u8; 128]>,
    },
}

/// In place of a character or an index.
pub(crate) const NONE: u8 = 0xff;
