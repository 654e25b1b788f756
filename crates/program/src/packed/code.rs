//! The parts of a program.

use roadwire_layout::Form;
use roadwire_wire::Rejected;

use crate::default::{Defaults, Value};
use crate::rows::Tables;

/// A program for both ways.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    /// No other program has it.
    pub(crate) id: u64,
    /// Whether it is of octet rules.
    pub(crate) is_octet: bool,
    /// Whether it is of packed rules that align.
    pub(crate) is_aligned: bool,
    pub(crate) ops: Vec<Op>,
    pub(crate) fields: Vec<Field>,
    /// Where alternatives begin.
    pub(crate) targets: Vec<u32>,
    pub(crate) counts: Vec<Count>,
    pub(crate) strings: Vec<Text>,
    pub(crate) numbers: Vec<Number>,
    pub(crate) maps: Vec<Map>,
    /// Presence bits: those that say that an addition is present, and those of a group's bitmap.
    pub(crate) masks: Vec<u64>,
    pub(crate) defaults: Defaults,
    pub(crate) tables: Tables,
    /// How many words and places the frame of the whole value has.
    pub(crate) words: u32,
    pub(crate) places: u32,
}

impl Code {
    /// The word for a mapped field's value.
    pub(crate) fn mapped(&self, field: u32, map: u32, value: u64) -> Option<u64> {
        let above = value.wrapping_sub(self.fields.get(field as usize)?.lower as u64);
        self.maps.get(map as usize)?.ordinal(above)
    }
}

/// An integer of a fixed width.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Field {
    /// The least value.
    pub(crate) lower: i64,
    /// How far the greatest is above it.
    pub(crate) range: u64,
    /// The weight of the sign bit, or 0: octet rules have the integer itself, and packed ones its
    /// offset.
    pub(crate) sign: u64,
    /// How many bits: up to 57 under packed rules, so that the window at any bit has them.
    pub(crate) width: u8,
    /// How many of them, the last ones, are padding.
    pub(crate) padding: u8,
    /// Whether it says what comes after it.
    pub(crate) selects: bool,
}

/// An integer that is not a [`Field`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub(crate) form: Form,
    /// How many bits; as many octets as the number before it says if it is 0.
    pub(crate) width: u8,
    /// How many bits the number before it has, which is one less; a length determinant if it is 0.
    pub(crate) counted: u8,
    pub(crate) lower: i128,
    pub(crate) upper: i128,
    /// Whether its word has no sign.
    pub(crate) is_unsigned: bool,
    /// Whether it says what comes after it.
    pub(crate) selects: bool,
}

impl Number {
    /// The value of a word.
    pub(crate) fn value(&self, word: u64) -> i128 {
        if self.is_unsigned { word.into() } else { (word as i64).into() }
    }

    /// The word for its bits, of which there are 1 to 64.
    pub(crate) fn read(&self, bits: u64, width: u32) -> Option<u64> {
        let value = match self.form {
            Form::Offset => self.lower + i128::from(bits),
            Form::Unsigned => bits.into(),
            Form::Signed => ((bits << (64 - width)) as i64 >> (64 - width)).into(),
        };
        if (self.lower..=self.upper).contains(&value) { self.word(value) } else { None }
    }

    /// The word of a value.
    fn word(&self, value: i128) -> Option<u64> {
        if self.is_unsigned { u64::try_from(value).ok() } else { i64::try_from(value).ok().map(|value| value as u64) }
    }
}

/// Numbers on the wire, and what they are on the tape; [`NOWHERE`] if they are nothing.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    /// By how far the field is above its least value.
    pub(crate) ordinals: Vec<u32>,
    /// Back, by ordinal.
    pub(crate) values: Vec<u32>,
}

impl Map {
    pub(crate) fn ordinal(&self, number: u64) -> Option<u64> {
        Some(*self.ordinals.get(usize::try_from(number).ok()?)?).filter(|ordinal| *ordinal != NOWHERE).map(u64::from)
    }

    pub(crate) fn number(&self, ordinal: u64) -> Option<u64> {
        Some(*self.values.get(usize::try_from(ordinal).ok()?)?).filter(|number| *number != NOWHERE).map(u64::from)
    }
}

/// In place of an ordinal or a number.
pub(crate) const NOWHERE: u32 = u32::MAX;

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
    /// A tag that selects an alternative, as its class and a number below 256.
    Tag {
        slot: u32,
        map: u32,
    },
    /// The index of an alternative that may be an addition: a field after a bit 0, or a normally
    /// small number below 64 after a bit 1 (X.691 §23.8).
    Alternative {
        slot: u32,
        field: u32,
        map: u32,
    },
    /// An integer that is not a field.
    Number {
        slot: u32,
        number: u32,
    },
    /// A bit that is 0.
    Zero,
    /// The next octet border.
    Align,
    /// Presence bits of a record with known additions: the bit above those of the root says whether
    /// any is present.
    Presence {
        slot: u32,
        field: u32,
        /// The bits of additions.
        additions: u64,
    },
    /// Presence bits of additions, or continues elsewhere if the bit says that all are absent.
    Additions {
        slot: u32,
        bit: u8,
        first: u32,
        count: u32,
        to: u32,
    },
    /// Continues elsewhere if the addition with this index is absent; sets presence bits.
    Addition {
        slot: u32,
        index: u8,
        sets: u64,
        to: u32,
    },
    /// The bitmap of a group.
    Group {
        slot: u32,
        first: u32,
        count: u32,
        padding: u8,
    },
    /// The end of additions.
    Known,
    /// The length of an open type.
    Open,
    /// Its end.
    Close,
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
        /// Whether its elements are in the order of their encodings, of which an encoder knows
        /// nothing.
        is_sorted: bool,
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
    /// One that is the same for all machines, by its number.
    Common {
        at: u32,
    },
    End,
}

/// How many units come.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Count {
    Fixed(u64),
    Field(Field),
    /// A length determinant, within bounds.
    Determinant {
        lower: u64,
        upper: u64,
    },
    /// A number of octets and that number, within bounds (X.696 §17.2).
    Quantity {
        lower: u64,
        upper: u64,
    },
    /// The length of octets that have bits, and how many bits are unused, within bounds (§13.3).
    Bits {
        lower: u64,
        upper: u64,
    },
}

/// A string.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) count: Count,
    pub(crate) units: Units,
    /// Bits of other sizes than this one end with a 1 beyond it: others are the interpreter's.
    pub(crate) trim: Option<u64>,
    /// Whether its units, if there are any, begin at an octet border.
    pub(crate) is_aligned: bool,
    /// Whether it says what comes after it.
    pub(crate) selects: bool,
}

impl Text {
    pub(crate) fn is_bits(&self) -> bool {
        matches!(self.units, Units::Bits | Units::PaddedBits)
    }

    /// Whether named bits are neither too few nor end with zeros that have no meaning.
    pub(crate) fn check(&self, octets: &[u8], bits: usize) -> Result<(), Rejected> {
        let Some(least) = self.trim else { return Ok(()) };
        let last = bits.checked_sub(1).and_then(|last| Some(octets.get(last / 8)? >> (7 - last % 8) & 1));
        let is_kept = bits as u64 == least || (bits as u64 > least && last == Some(1));
        if is_kept { Ok(()) } else { Err(Rejected) }
    }
}

/// The units of a string.
#[derive(Clone, Debug)]
pub(crate) enum Units {
    Bits,
    /// Bits, and zero bits up to a whole octet.
    PaddedBits,
    Octets,
    /// The contents octets of an object identifier.
    Oid,
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
