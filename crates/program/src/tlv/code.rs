//! The parts of a program.

use crate::default::{Defaults, Value};
use crate::group::Group;
use crate::rows::Tables;

/// A program for both ways.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    pub(crate) fields: Vec<Field>,
    pub(crate) tags: Vec<Tag>,
    pub(crate) choices: Vec<Choice>,
    pub(crate) lists: Vec<List>,
    pub(crate) strings: Vec<Text>,
    /// The items of enumerations: numbers, ascending, and their ordinals.
    pub(crate) items: Vec<Vec<(i64, u32)>>,
    /// DEFAULT values, and the strings among them.
    pub(crate) values: Vec<Value>,
    pub(crate) defaults: Defaults,
    pub(crate) tables: Tables,
    /// Addition groups.
    pub(crate) groups: Vec<Group>,
    /// How many words and places the frame of the whole value has.
    pub(crate) words: u32,
    pub(crate) places: u32,
}

/// Identifier octets: up to six, left-aligned in a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag {
    pub(crate) word: u64,
    /// The bits that are compared: all of its octets, but for the bit "constructed". A value of the
    /// right tag in the wrong form is refused, and not taken for an absent one.
    pub(crate) mask: u64,
}

/// A number of an identifier octet, a length and one to eight octets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) lower: i64,
    /// The greatest offset from the lower bound.
    pub(crate) range: u64,
    pub(crate) slot: u32,
    pub(crate) tag: u8,
    /// The presence bit, or [`ALWAYS`].
    pub(crate) bit: u8,
    /// Whether it is a BOOLEAN: TRUE is the number -1, and 1 on the tape.
    pub(crate) is_truth: bool,
}

/// In place of a presence bit: the component is mandatory.
pub(crate) const ALWAYS: u8 = 0xff;

/// An operation. Slots are words of the frame that is entered.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// Components of one record that are numbers; `slot` has their presence bits.
    Run {
        slot: u32,
        first: u32,
        count: u32,
    },
    /// A number that stands for an item.
    Item {
        field: u32,
        items: u32,
    },
    /// NULL.
    Null {
        tag: u8,
    },
    /// The octets of an identifier before its last one: so many of a tag's.
    Prefix {
        tag: u32,
        count: u8,
    },
    /// An identifier and a length, which end at [`Op::Close`].
    Open {
        tag: u8,
        indefinite: bool,
    },
    /// The end of the contents.
    Close {
        indefinite: bool,
    },
    /// An encoder rejects unknown additions.
    Known {
        slot: u32,
    },
    /// A component that has one of these tags, or is absent: then the program continues elsewhere.
    If {
        slot: u32,
        first: u32,
        count: u32,
        bit: u8,
        to: u32,
    },
    /// An encoder continues elsewhere if the component has its DEFAULT, and rejects one that may
    /// have it.
    NotDefault {
        slot: u32,
        value: u32,
        to: u32,
    },
    /// Rejects half of an addition group.
    Group {
        slot: u32,
        group: u32,
    },
    /// Enters a frame elsewhere, which the slot points to.
    Enter {
        slot: u32,
        words: u32,
        places: u32,
    },
    /// Leaves it.
    Leave,
    /// Continues at the alternative of the next tag.
    Choose {
        slot: u32,
        choice: u32,
    },
    /// Continues elsewhere.
    Jump {
        to: u32,
    },
    /// Enters the first element of a list, or continues elsewhere.
    List {
        slot: u32,
        list: u32,
        end: u32,
    },
    /// Continues with the next element, or leaves the list.
    Next {
        words: u32,
        body: u32,
    },
    /// An encoder puts the values since the last [`Op::Open`] in order.
    Sort,
    /// A string.
    Text {
        slot: u32,
        text: u32,
    },
    /// One that is the same for all machines, by its number.
    Common {
        at: u32,
    },
    End,
}

/// The alternatives of a CHOICE.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// Each tag's alternative.
    pub(crate) tags: Vec<(Tag, u32)>,
    /// Where the alternatives begin.
    pub(crate) targets: Vec<u32>,
}

/// A list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    pub(crate) lower: u64,
    pub(crate) upper: u64,
    /// How many words and places an element has.
    pub(crate) words: u32,
    pub(crate) places: u32,
    pub(crate) indefinite: bool,
}

/// A string, or another value of any number of octets.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) tag: u8,
    /// An encoder writes more contents octets in segments.
    pub(crate) most: usize,
    pub(crate) lower: u64,
    pub(crate) upper: u64,
    pub(crate) units: Units,
}

/// The units of a string.
#[derive(Clone, Debug)]
pub(crate) enum Units {
    /// Bits; if those at the end that are zero have no meaning, how many of them remain.
    Bits(Option<u64>),
    Octets,
    /// ASCII characters: a bit for each that is permitted.
    Characters(Box<u128>),
    Utf8,
    Real,
    /// The contents octets of an object identifier.
    Oid,
    /// A whole value, its identifier and length included.
    Element,
}
