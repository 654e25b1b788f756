//! The layout's node kinds.
//!
//! All of a layout is plain data in flat pools that refer to each other by index, so that a
//! generated program can hold it in constant tables ([`Cow::Borrowed`]) and a tool can build it at
//! run time.

use roadwire_wire::BitWord;

#[cfg(feature = "alloc")]
use crate::cbor::CborNode;
#[cfg(feature = "alloc")]
use crate::events::EventNode;
#[cfg(feature = "alloc")]
use crate::fields::FieldNode;
pub use crate::index::{Bound, Items, Name, NodeId, Span, Trim};
#[cfg(feature = "alloc")]
use crate::json::JsonNode;
use crate::pool::Cow;
use crate::rules::Rules;
#[cfg(feature = "alloc")]
use crate::tlv::TlvNode;
#[cfg(feature = "alloc")]
use crate::vectors::VectorNode;
#[cfg(feature = "alloc")]
use crate::xml::XmlNode;

/// How one type is encoded under one set of encoding rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The rules it was lowered for.
    pub rules: Rules,
    /// The form of its length determinants.
    pub length_form: LengthForm,
    /// The type's name.
    pub type_name: Cow<'static, str>,
    /// Where reading starts.
    pub root: NodeId,
    /// The nodes.
    pub nodes: Cow<'static, [Node]>,
    /// Components of all records, each record's in wire order.
    pub members: Cow<'static, [Member]>,
    /// Extension additions of all records, each record's in wire order.
    pub additions: Cow<'static, [Addition]>,
    /// Alternatives of all choices, each choice's in wire order: root, then additions.
    pub alternatives: Cow<'static, [Alternative]>,
    /// Numbers that nodes refer to: orders of enumeration items and the like.
    pub numbers: Cow<'static, [u32]>,
    /// Names of enumeration items, by ordinal within each enumeration.
    pub items: Cow<'static, [Name]>,
    /// DEFAULT values.
    pub defaults: Cow<'static, [Default]>,
    /// Octets that nodes refer to: wide bounds, string defaults.
    pub octets: Cow<'static, [u8]>,
    /// All names, one after the other; in JSON as `,"name":`, in XML as `</name>`.
    pub names: Cow<'static, str>,
}

/// In place of a number of components: an addition group, whose members are components of its
/// record.
pub const GROUP: u32 = u32::MAX;

/// In place of a slot: the table has one row, which nothing selects.
pub const ONLY: u32 = u32::MAX;

/// An element of the encoding.
// Without `repr`, the kind is stored in the niche of an inner 128-bit `Option`, and every test of
// it costs the interpreter ten instructions. With it, fields lie in the order in which they are
// written: small ones come first where that makes a node smaller.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    /// No bits at all.
    Null,
    /// Bits that are all 0 for FALSE, and all 1 (at least one, for a decoder) for TRUE.
    Boolean {
        /// Width.
        bits: u8,
    },
    /// An integer from `lower` to `upper` in up to 64 bits.
    Word {
        /// How many bits.
        width: Width,
        /// The form of the bits.
        form: Form,
        /// Smallest value.
        lower: Bound,
        /// Greatest value.
        upper: Bound,
    },
    /// An offset from `lower` of more than 64 bits, or with a bound of more than 128 bits: bounds
    /// are two's complement octets in [`Layout::octets`].
    WideWord {
        /// How many bits.
        width: Width,
        /// Smallest value.
        lower: Span,
        /// Greatest value.
        upper: Span,
    },
    /// An integer in as few whole octets as hold it, after a length determinant.
    Integer {
        /// The form of the octets.
        form: Form,
        /// Smallest value.
        lower: Bound,
        /// Greatest value.
        upper: Bound,
    },
    /// The same with a bound of more than 128 bits: bounds are two's complement octets in
    /// [`Layout::octets`], empty without a bound.
    WideInteger {
        /// The form of the octets.
        form: Form,
        /// Smallest value.
        lower: Span,
        /// Greatest value.
        upper: Span,
    },
    /// One bit, and then `root` if it is 0 or `beyond` if it is 1. Encoders use `root` for every
    /// value that it admits.
    Extension {
        /// The root's coding, with the root's constraint.
        root: NodeId,
        /// The coding of all other values.
        beyond: NodeId,
    },
    /// An index among the items.
    Enumerated {
        /// How many bits a root item's index has.
        width: Width,
        /// How many root items there are.
        root: u32,
        /// How many additions, or `None` without an extension marker; with one, a leading bit
        /// distinguishes root items from additions.
        additions: Option<u32>,
        /// The ordinal for each root index, in [`Layout::numbers`]; empty if they are equal.
        ordinals: Span,
        /// Names by ordinal, in [`Layout::items`].
        items: Items,
    },
    /// The number of an enumeration item: 0 to 127 in one octet, others (for a decoder, any) as
    /// two's complement octets after an octet that is 0x80 plus their number.
    Numbered {
        /// The items' numbers by ordinal, in [`Layout::numbers`]: the high and the low 32 bits of
        /// each.
        values: Span,
        /// Whether an unknown number is an item of a later version.
        extensible: bool,
        /// Names by ordinal, in [`Layout::items`].
        items: Items,
    },
    /// REAL: contents octets (X.690 §8.5) after their length determinant.
    Real,
    /// REAL as one of the binary interchange formats of IEEE 754: a mantissa times a power of 2, or
    /// a special value.
    BinaryReal {
        /// Width: 32 or 64.
        bits: u8,
        /// Least and greatest mantissa, up to 53 bits wide.
        mantissa: (i64, i64),
        /// Least and greatest exponent.
        exponent: (i16, i16),
    },
    /// OBJECT IDENTIFIER (or RELATIVE-OID): contents octets after their length determinant.
    Oid {
        /// Whether it is RELATIVE-OID.
        relative: bool,
    },
    /// A bit string.
    Bits {
        /// Whether it is padded with zero bits to whole octets.
        whole: bool,
        /// With named bits, the least size.
        trim: Trim,
        /// How its length in bits is encoded.
        extent: Extent,
    },
    /// An octet string.
    Octets {
        /// How its length in octets is encoded.
        extent: Extent,
    },
    /// Characters of a fixed width.
    Characters {
        /// How a character is encoded: the place of its [`CharacterSet`] in [`Layout::numbers`].
        characters: u32,
        /// How the number of characters is encoded.
        extent: Extent,
    },
    /// Text as octets after a length determinant.
    Text {
        /// Whether it is UTF-8; otherwise each octet is a character U+0000..U+00FF.
        utf8: bool,
        /// Fewest characters.
        lower: u64,
        /// Most characters.
        upper: u64,
        /// The permitted alphabet: pairs of first and last code in [`Layout::numbers`]; any
        /// character if it is empty.
        alphabet: Span,
    },
    /// A time, which is text in memory, encoded as a record of its numbers, as a choice among such
    /// records if the type has several kinds of values, or as text. Components of records are
    /// numbered as in [`component`](roadwire_wire::rt::time::component); alternatives are rows of
    /// X.691 Table 2 (from 0 on), except for those of a year, which are ranges.
    Time {
        /// The record, the choice or the text.
        node: NodeId,
        /// The row of all values, and of their dates and times of day;
        /// [`row::NONE`](roadwire_wire::rt::time::row::NONE) if there are several, or none. The
        /// first is [`row::TEXT`](roadwire_wire::rt::time::row::TEXT) if they are encoded as text.
        rows: [u8; 3],
        /// The allowed sets of property settings, of which a value must have one: three numbers
        /// each, in [`Layout::numbers`]. Empty if all values are allowed.
        settings: Span,
    },
    /// Elements one after the other.
    List {
        /// Whether they are written in the order of their encodings (X.696 §31.8).
        sorted: bool,
        /// The element.
        element: NodeId,
        /// How their number is encoded.
        extent: Extent,
    },
    /// Components one after the other, after a bitmap of the optional ones.
    Record {
        /// Whether a leading bit says whether additions follow.
        extensible: bool,
        /// How many components the type has in all; [`GROUP`] for an addition group, whose members
        /// are components of its record.
        components: u32,
        /// How many of the members have a bit in the bitmap.
        bitmap: u16,
        /// How many zero bits follow the bitmap.
        padding: u8,
        /// The root's members.
        members: Span,
        /// The known additions.
        additions: Span,
    },
    /// An index or a tag, and then that alternative.
    Choice {
        /// Whether there may be alternatives of a later version; then an index has a leading bit
        /// that distinguishes root alternatives from additions.
        extensible: bool,
        /// How many bits a root alternative's index has.
        width: Width,
        /// How many of the alternatives are in the root.
        root: u32,
        /// The alternatives.
        alternatives: Span,
        /// If the alternative is selected by a tag (X.696 §20), pairs in [`Layout::numbers`]: a
        /// [`Tag`](crate::tag), and the index of its alternative. Empty if it is selected by an
        /// index.
        tags: Span,
    },
    /// A string that contains the complete encoding of a value (X.682 §11): of this value, or a
    /// string where the message in memory has one.
    Contained {
        /// The string.
        string: NodeId,
        /// The value in it.
        content: NodeId,
        /// Whether it is a BIT STRING.
        bits: bool,
    },
    /// A string or an open type whose content is decoded if it fits its type; otherwise it is
    /// octets. Only decoders have it (`Layout::for_open_reading`).
    Fitting {
        /// With its content.
        content: NodeId,
        /// As octets or bits.
        octets: NodeId,
    },
    /// A complete encoding as an octet string, of an unknown type.
    Open,
    /// The same, of the type in the table row that an earlier [`Node::Key`] has stored in a slot.
    /// If the slot is empty, or the message in memory has octets, it is [`Node::Open`].
    Table {
        /// Where the row is, or [`ONLY`].
        slot: u32,
        /// Each row's type: nodes in [`Layout::numbers`].
        rows: Span,
    },
    /// A component whose value selects a row of a table (X.682 §10.7).
    Key {
        /// Its coding.
        node: NodeId,
        /// The slot in which the row is stored.
        slot: u32,
        /// Each row's value: indexes in [`Layout::defaults`], in [`Layout::numbers`].
        keys: Span,
    },
    /// A record with keys among its components, or inside them. Their slots are valid for one value
    /// of the record.
    Scope {
        /// The record.
        record: NodeId,
        /// Pairs in [`Layout::numbers`]: a slot, and its row if the key is absent, or `u32::MAX`.
        slots: Span,
    },
    /// A value after an identifier and a length, or a part of one.
    #[cfg(feature = "alloc")]
    Tlv(TlvNode),
    /// A value as JSON text.
    #[cfg(feature = "alloc")]
    Json(JsonNode),
    /// A part of an XML document.
    #[cfg(feature = "alloc")]
    Xml(XmlNode),
    /// A part of a stream of events.
    #[cfg(feature = "alloc")]
    Events(EventNode),
    /// A value after a field number, or a part of one.
    #[cfg(feature = "alloc")]
    Fields(FieldNode),
    /// A node that only the presentation language has.
    #[cfg(feature = "alloc")]
    Vectors(VectorNode),
    /// A data item of CBOR.
    #[cfg(feature = "alloc")]
    Cbor(CborNode),
}

/// The form of length determinants. All that a layout has are of one form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthForm {
    /// One or two octets, with fragments from 16K units on (X.691 §11.9).
    Fragmented,
    /// The same, from the next octet border on.
    Aligned,
    /// Below 128 in one octet, otherwise in as many octets as the first octet says (X.696 §8.6).
    Definite,
    /// A number in groups of seven bits ([`varint`](roadwire_wire::rt::varint)).
    Varint,
}

/// The width of a number in bits, and where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// This many bits, not aligned.
    Anywhere(u32),
    /// This many bits, from the next octet border on.
    Aligned(u32),
    /// As few whole octets as hold it, from the next octet border on. Their number minus one is in
    /// front.
    Counted {
        /// Width in bits of the number of octets.
        bits: u8,
        /// Whether that number is also aligned to an octet border.
        aligned: bool,
    },
}

/// How many units (bits, octets, characters, elements) there are, and how the number is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Fewest units in the root.
    pub lower: u64,
    /// Most units in the root; `u64::MAX` without a bound.
    pub upper: u64,
    /// How the number of units is encoded.
    pub count: Count,
    /// Whether a leading bit distinguishes sizes in the root from others, which have a length
    /// determinant.
    pub extensible: bool,
    /// Whether the units, if there are any, begin at an octet border.
    pub aligned: bool,
}

/// How a number of units is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Not at all: the size is fixed.
    Fixed,
    /// As its offset from the least, which has up to 16 bits.
    Field {
        /// How many bits.
        bits: u8,
        /// Whether they begin at an octet border.
        aligned: bool,
    },
    /// By a length determinant.
    Determinant,
    /// By the length determinant of the octets that they take. For a bit string, these include a
    /// first octet with the number of unused bits in the last one.
    InOctets,
    /// As an unsigned integer after the length determinant of its octets (X.696 §17.2).
    Quantity,
}

/// The form of an integer's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Its offset from its least value.
    Offset,
    /// The integer, which is not negative.
    Unsigned,
    /// The integer in two's complement, whose width does not depend on the value.
    Signed,
}

/// How a character of a known-multiplier string is encoded. In [`Layout::numbers`] it is the width,
/// 0 or 1, and the alphabet after how many numbers it has.
#[derive(Clone, Copy, Debug, core::default::Default, PartialEq, Eq)]
pub struct CharacterSet<'l> {
    /// Width.
    pub bits: u8,
    /// Whether the bits are the index in the alphabet; otherwise they are the character's code.
    pub indexed: bool,
    /// The permitted alphabet: pairs of first and last code, ascending.
    pub alphabet: &'l [u32],
}

impl CharacterSet<'_> {
    /// As numbers of a layout.
    #[cfg(feature = "lower")]
    pub(crate) fn numbers(self) -> impl Iterator<Item = u32> {
        let head = [self.bits.into(), self.indexed.into(), self.alphabet.len() as u32];
        head.into_iter().chain(self.alphabet.iter().copied())
    }
}

/// A component of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: Name,
    /// Its coding.
    pub node: NodeId,
    /// Its index among the type's components in textual order, as in [`Data`](roadwire_wire::Data).
    pub component: u32,
    /// Whether it may be absent.
    pub presence: Presence,
}

/// Whether a component may be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// No.
    Mandatory,
    /// Yes.
    Optional,
    /// Yes, and then it has the value at this index of [`Layout::defaults`]; a component with this
    /// value is not sent.
    Default(u32),
}

/// An extension addition: always in an open type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addition {
    /// One component.
    Single(Member),
    /// A group `[[ ]]`: a record over the same components.
    Group(NodeId),
}

/// An alternative of a choice. Alternatives after the root are in an open type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Its name.
    pub name: Name,
    /// Its coding.
    pub node: NodeId,
    /// Its index among the type's alternatives in textual order.
    pub alternative: u32,
}

impl Default {
    /// Set in the index of a record's component: the component may also be absent, which is the
    /// same value.
    pub const OR_ABSENT: u32 = 1 << 31;
}

/// A DEFAULT value.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Default {
    Null,
    Boolean(bool),
    Integer(i128),
    /// Two's complement octets in [`Layout::octets`].
    WideInteger(Span),
    /// By ordinal.
    Enumerated(u32),
    Real(f64),
    Word(BitWord),
    /// Octets in [`Layout::octets`], and how many bits.
    Bits(Span, u32),
    /// The same without trailing zero bits, which have no meaning if there are named bits.
    NamedBits(Span, u32),
    Octets(Span),
    /// UTF-8 in [`Layout::octets`].
    Text(Span),
    /// Contents octets in [`Layout::octets`].
    Oid(Span),
    /// Components: for each its index in [`Layout::defaults`], with [`Default::OR_ABSENT`] if that
    /// is the component's own DEFAULT; `u32::MAX` if absent. In [`Layout::numbers`].
    Record(Span),
    /// Elements: indexes in [`Layout::defaults`]; in [`Layout::numbers`].
    List(Span),
    /// Alternative in textual order, and the index of its value in [`Layout::defaults`].
    Choice(u32, u32),
}

/// Tags as numbers: the class in the two highest bits (universal, application, context-specific,
/// private), the number below them.
pub mod tag {
    /// The greatest number of a tag.
    pub const MOST: u32 = (1 << 30) - 1;
    /// Set in the index of an alternative: it is an untagged CHOICE, and the tag is that of one of
    /// its alternatives.
    pub const INNER: u32 = 1 << 31;
    /// In place of a tag, with [`INNER`]: any tag that is in no other pair.
    pub const ANY: u32 = u32::MAX;
}

impl Width {
    /// The width of [`Count::Field`].
    #[inline]
    #[must_use]
    pub const fn of_field(bits: u8, aligned: bool) -> Width {
        if aligned { Width::Aligned(bits as u32) } else { Width::Anywhere(bits as u32) }
    }
}

impl Form {
    /// The number for a word of `width` bits, if the least and the greatest value are near
    /// ([`Bound::near`]): exact if it is between them.
    #[inline]
    #[must_use]
    pub const fn read_near(self, word: u64, width: Width, lower: i64) -> i64 {
        match (self, width) {
            (Form::Offset, _) => lower.wrapping_add(word as i64),
            (Form::Signed, Width::Anywhere(bits @ 1..=64)) => {
                let unused = 64 - bits;
                (word << unused) as i64 >> unused
            }
            (Form::Unsigned | Form::Signed, _) => word as i64,
        }
    }

    /// The word for a number between near bounds.
    #[inline]
    #[must_use]
    pub const fn write_near(self, number: i64, width: Width, lower: i64) -> u64 {
        match (self, width) {
            (Form::Offset, _) => number.wrapping_sub(lower) as u64,
            (Form::Signed, Width::Anywhere(bits @ 0..=63)) => number as u64 & ((1 << bits) - 1),
            (Form::Unsigned | Form::Signed, _) => number as u64,
        }
    }

    /// The number for a word of `width` bits; `lower` is the least value.
    #[inline]
    #[must_use]
    pub const fn read(self, word: u64, width: Width, lower: i128) -> i128 {
        match (self, width) {
            (Form::Signed, Width::Anywhere(bits @ 1..=64)) => {
                let unused = 64 - bits;
                ((word << unused) as i64 >> unused) as i128
            }
            (Form::Unsigned | Form::Signed, _) => word as i128,
            // Cannot overflow: a 64-bit offset from a bound that, with the other one, fits into 128
            // bits.
            (Form::Offset, _) => lower.saturating_add(word as i128),
        }
    }

    /// The word of `width` bits for a number; the bits above it are zero.
    #[inline]
    #[must_use]
    pub const fn write(self, number: i128, width: Width, lower: i128) -> u64 {
        match (self, width) {
            (Form::Signed, Width::Anywhere(bits @ 0..=63)) => number as u64 & ((1 << bits) - 1),
            (Form::Unsigned | Form::Signed, _) => number as u64,
            (Form::Offset, _) => number.wrapping_sub(lower) as u64,
        }
    }
}

impl Extent {
    /// Whether the root allows this many units.
    #[inline]
    #[must_use]
    pub const fn admits(&self, units: u64) -> bool {
        self.lower <= units && units <= self.upper
    }
}
