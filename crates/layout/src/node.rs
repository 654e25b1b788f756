//! The layout's node kinds.
//!
//! All of a layout is plain data in flat pools that refer to each other by index, so that a generated program can hold it in
//! constant tables ([`Cow::Borrowed`]) and a tool can build it at run time.

use roadwire_wire::tlv::Identifier;
use roadwire_wire::{BitWord, Names};

use crate::contents::Contents;
use crate::event::EventNode;
use crate::fields::FieldNode;
use crate::json::JsonNode;
use crate::pool::Cow;
use crate::presentation::PresentationNode;
use crate::rules::Rules;
use crate::xml::XmlNode;

/// How one type lies on the wire under one set of encoding rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The rules it was lowered for.
    pub rules: Rules,
    /// How lengths are told, where a node does not say it itself.
    pub lengths: Lengths,
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
    /// All names, one after the other.
    pub names: Cow<'static, str>,
}

/// In place of a number of components: an addition group, whose members are its record's components.
pub const GROUP: u32 = u32::MAX;

/// A node, by its place in [`Layout::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A run of entries in one of the pools.
#[derive(Clone, Copy, Debug, core::default::Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First entry.
    pub start: u32,
    /// How many.
    pub count: u32,
}

impl Span {
    /// The run as a range of indexes.
    #[must_use]
    pub const fn range(self) -> core::ops::Range<usize> {
        self.start as usize..self.start as usize + self.count as usize
    }
}

/// A name, as a run of octets of [`Layout::names`].
pub type Name = Span;

/// What lies at one place of the encoding.
// Without `repr`, the kind is told by which of the 128-bit values of an inner `Option` a node has, and every look at it costs the interpreter ten instructions.
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
        /// What the bits are.
        form: Form,
        /// Smallest value.
        lower: i128,
        /// Greatest value.
        upper: i128,
    },
    /// An offset from `lower` of more than 64 bits, or with a bound beyond 128: bounds are two's complement octets in [`Layout::octets`].
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
        /// What the octets are.
        form: Form,
        /// Smallest value.
        lower: Option<i128>,
        /// Greatest value.
        upper: Option<i128>,
    },
    /// The same with a bound beyond 128 bits: bounds are two's complement octets in [`Layout::octets`], none where there is no bound.
    WideInteger {
        /// What the octets are.
        form: Form,
        /// Smallest value.
        lower: Span,
        /// Greatest value.
        upper: Span,
    },
    /// One bit, and then `root` if it is 0 or `beyond` if it is 1. The value decides: `root` where it admits it.
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
        /// How many additions, or `None` without an extension marker; with one, a bit in front tells root items from additions.
        additions: Option<u32>,
        /// The ordinal for each root index, in [`Layout::numbers`]; empty where they are the same.
        ordinals: Span,
        /// Names by ordinal, in [`Layout::items`].
        items: Span,
    },
    /// An enumeration item's own number: in one octet from 0 to 127, any other (or, for a decoder, any) as two's complement octets after one that is 0x80 and how many they are.
    Numbered {
        /// The items' numbers by ordinal, in [`Layout::numbers`]: of each its high and its low 32 bits.
        values: Span,
        /// Whether a number that no item has is one of a later version's.
        extensible: bool,
        /// Names by ordinal, in [`Layout::items`].
        items: Span,
    },
    /// REAL: contents octets (X.690 §8.5) after their length determinant.
    Real,
    /// REAL as one of the binary interchange formats of IEEE 754: a mantissa times a power of 2, or a special value.
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
    /// A bit string; `trim` says that trailing zero bits carry no meaning (named bits).
    Bits {
        /// How its length in bits is told.
        extent: Extent,
        /// Whether it has named bits.
        trim: bool,
        /// Whether zero bits fill it up to whole octets.
        whole: bool,
    },
    /// An octet string.
    Octets {
        /// How its length in octets is told.
        extent: Extent,
    },
    /// Characters of a fixed width.
    Characters {
        /// How the number of characters is told.
        extent: Extent,
        /// How a character is told.
        characters: CharacterSet,
    },
    /// Text in a form of its own, in octets after a length determinant.
    Text {
        /// Whether it is UTF-8; otherwise each octet is a character U+0000..U+00FF.
        utf8: bool,
        /// Fewest characters.
        lower: u64,
        /// Most characters.
        upper: u64,
        /// The permitted alphabet: pairs of first and last code in [`Layout::numbers`]; any character where it is empty.
        alphabet: Span,
    },
    /// A time, text in memory, told as the record of its numbers or, where they are of several kinds, as a choice among such records, or as text. Components of records are what
    /// [`component`](roadwire_wire::time::component) says, alternatives are rows of X.691 Table 2 (from 0 on), but for those of a year, which are ranges.
    Time {
        /// The record, the choice or the text.
        node: NodeId,
        /// The row of all values, and of their dates and times of day; [`row::NONE`](roadwire_wire::time::row::NONE) where there are several, or none.
        /// The first one is [`row::TEXT`](roadwire_wire::time::row::TEXT) where they are told as text.
        rows: [u8; 3],
        /// The property settings that a value has those of one of: three numbers each, in [`Layout::numbers`]. Any, where there are none.
        settings: Span,
    },
    /// Elements one after the other.
    List {
        /// How their number is told.
        extent: Extent,
        /// The element.
        element: NodeId,
        /// Whether they are written in the order of their encodings (X.696 §31.8).
        sorted: bool,
    },
    /// Components one after the other, a bitmap of those that may be absent in front.
    Record {
        /// Whether a bit in front of all says that additions follow.
        extensible: bool,
        /// How many components the type has in all; [`GROUP`] for an addition group, whose members are its record's components.
        components: u32,
        /// How many of the members have a bit in the bitmap.
        bitmap: u16,
        /// How many zero bits come behind the bitmap.
        padding: u8,
        /// The root's members.
        members: Span,
        /// The additions known.
        additions: Span,
    },
    /// An index or a tag, and then that alternative.
    Choice {
        /// Whether there may be alternatives of a later version; where an index tells them, whether a bit in front of it tells root alternatives from additions.
        extensible: bool,
        /// How many bits a root alternative's index has.
        width: Width,
        /// How many of the alternatives are in the root.
        root: u32,
        /// The alternatives.
        alternatives: Span,
        /// Where tags tell the alternative (X.696 §20), in [`Layout::numbers`], pairs: a [`Tag`](crate::tag), and the place of its alternative. Empty where an index does.
        tags: Span,
    },
    /// A complete encoding as an octet string, of a type that the layout does not know.
    Open,
    /// The same, of the type in that row of a table which a [`Node::Key`] in front of it has put into a slot. Without a row in the slot, or where the message in
    /// memory keeps octets, it is [`Node::Open`].
    Table {
        /// Where the row is.
        slot: u32,
        /// Each row's type: nodes in [`Layout::numbers`].
        rows: Span,
    },
    /// A component whose value selects a row of a table (X.682 §10.7).
    Key {
        /// Its coding.
        node: NodeId,
        /// Where the row goes.
        slot: u32,
        /// Each row's value: places of [`Layout::defaults`] in [`Layout::numbers`].
        keys: Span,
    },
    /// A record with keys among its components and theirs. What is in their slots belongs to one value of the record.
    Scope {
        /// The record.
        record: NodeId,
        /// In [`Layout::numbers`], pairs: a slot, and the row that is in it while its key is absent, or `u32::MAX`.
        slots: Span,
    },
    /// A value behind an identifier and a length (X.690 §8.1).
    Tagged {
        /// The identifier, with its bit for "constructed" unless the contents are a [`Contents`].
        identifier: Identifier,
        /// What is in it.
        contents: NodeId,
        /// Whether a constructed one is written with an indefinite length, and a string above 1000 octets in segments (X.690 §9).
        indefinite: bool,
    },
    /// What the contents octets of a value are that does not consist of others.
    Contents(Contents),
    /// Components one after the other, up to the end of the contents, each known by its tag.
    TaggedRecord {
        /// All components of the type, in the order in which they are written unless `order` says otherwise.
        members: Span,
        /// Which places among the members the extension additions have; those of a later version follow them. `None` without an extension marker.
        additions: Option<Span>,
        /// How many additions there are, groups counted once.
        known: u32,
        /// The addition groups in [`Layout::numbers`]: pairs of first member and number of members. A member of one is mandatory where another one of its group is there.
        groups: Span,
        /// How components follow each other.
        order: Order,
    },
    /// One of the alternatives, known by its tag.
    TaggedChoice {
        /// The alternatives.
        alternatives: Span,
        /// How many of the alternatives are in the root.
        root: u32,
        /// Whether there may be others.
        extensible: bool,
    },
    /// Elements up to the end of the contents.
    TaggedList {
        /// Fewest elements.
        lower: u64,
        /// Most elements; `u64::MAX` without a bound.
        upper: u64,
        /// The element.
        element: NodeId,
        /// Whether they are written in the order of their encodings (X.690 §11.6).
        sorted: bool,
    },
    /// One value behind identifier and length, of any type; or of the type in a row of a table, as with [`Node::Table`].
    Element {
        /// Where the row is, if there are any rows.
        slot: u32,
        /// Each row's type: nodes in [`Layout::numbers`]; none without a table.
        rows: Span,
    },
    /// A value as JSON text.
    Json(JsonNode),
    /// A part of an XML document.
    Xml(XmlNode),
    /// A part of a stream of events.
    Event(EventNode),
    /// A value behind a field number, or a part of one.
    Keyed(FieldNode),
    /// What only the presentation language has.
    Presentation(PresentationNode),
}

/// How components that are known by their tags follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As they stand in the type.
    Textual,
    /// Read in any order; written as they stand in the type.
    Any,
    /// Read in any order; written in the order of their tags (X.690 §9.3, §10.3), which that of the members is already.
    Sorted,
    /// The same, but that order is of the members' places, in [`Layout::numbers`].
    SortedByPlace(Span),
    /// The same, but the order of the tags depends on the value.
    SortedByValue,
}

/// How lengths are told, and what goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lengths {
    /// By length determinants in one or two octets, in fragments from 16K units on (X.691 §11.9), wherever they come to lie. Extension additions are told by a normally small length and
    /// so many bits (§19.7), and a complete encoding without any bits is filled up to an octet (§11.1.3).
    Fragmented,
    /// The same with length determinants from the next octet border on.
    Aligned,
    /// Below 128 in one octet, otherwise in as many octets as the first one says (X.696 §8.6). Extension additions are told by a bit string (§16.4), and a complete
    /// encoding may have no octets.
    Definite,
    /// As numbers in groups of seven bits ([`varint`](roadwire_wire::varint)). A complete encoding may have no octets.
    Varint,
}

impl Lengths {
    /// The fewest octets of a complete encoding: of a message, or of what is in an open type.
    #[inline]
    #[must_use]
    pub const fn least_octets(self) -> u64 {
        match self {
            Lengths::Fragmented | Lengths::Aligned => 1,
            Lengths::Definite | Lengths::Varint => 0,
        }
    }

    /// How many octets a complete encoding of so many bits has.
    #[inline]
    #[must_use]
    pub const fn octets(self, bits: usize) -> usize {
        let (octets, least) = (bits.div_ceil(8), self.least_octets() as usize);
        if octets < least { least } else { octets }
    }
}

/// In how many bits a number lies, and where they begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// In so many, wherever they come to lie.
    Anywhere(u32),
    /// In so many, from the next octet border on.
    Aligned(u32),
    /// In as few whole octets as hold it, from the next octet border on. Their number less one is in front.
    Counted {
        /// How many bits the number of octets has.
        bits: u8,
        /// Whether that begins at an octet border, too.
        aligned: bool,
    },
}

/// How many units (bits, octets, characters, elements) there are, and how that is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Fewest units in the root.
    pub lower: u64,
    /// Most units in the root; `u64::MAX` without a bound.
    pub upper: u64,
    /// How the number of units is told.
    pub count: Count,
    /// Whether a bit in front tells sizes in the root from others, which have a length determinant.
    pub extensible: bool,
    /// Whether the units, where there are any, begin at an octet border.
    pub aligned: bool,
}

/// How a number of units is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Not at all: there is just one size.
    Fixed,
    /// As its offset from the least.
    Field(Width),
    /// By a length determinant.
    Determinant,
    /// By the length determinant of the octets that they take. In front of the bits of a bit string it counts an octet that tells how many bits of the last one are not used.
    InOctets,
    /// As an unsigned integer after the length determinant of its octets (X.696 §17.2).
    Quantity,
}

/// What the bits of an integer are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Its offset from its least value.
    Offset,
    /// The integer, which is not negative.
    Unsigned,
    /// The integer in two's complement, which is so wide anywhere.
    Signed,
}

/// How a character of a known-multiplier string is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharacterSet {
    /// Width.
    pub bits: u8,
    /// Whether the bits are the place in the alphabet; otherwise they are the character's code.
    pub indexed: bool,
    /// The permitted alphabet: pairs of first and last code in [`Layout::numbers`], ascending.
    pub alphabet: Span,
}

/// A component of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: Name,
    /// Its coding.
    pub node: NodeId,
    /// Its place among the type's components in textual order, by which [`Data`](roadwire_wire::Data) knows it.
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
    /// Yes, and then it has the value with this place in [`Layout::defaults`]; it is not sent when equal.
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

/// An alternative of a choice. One after the root is in an open type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Its name.
    pub name: Name,
    /// Its coding.
    pub node: NodeId,
    /// Its place among the type's alternatives in textual order.
    pub alternative: u32,
}

impl Default {
    /// With the place of a record's component: it may be absent as well, which is the same value.
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
    /// The same without trailing zero bits, which carry no meaning where there are named bits.
    NamedBits(Span, u32),
    Octets(Span),
    /// UTF-8 in [`Layout::octets`].
    Text(Span),
    /// Contents octets in [`Layout::octets`].
    Oid(Span),
    /// Components: for each its place in [`Layout::defaults`], with [`Default::OR_ABSENT`] where that is the component's own DEFAULT; `u32::MAX` where absent.
    /// In [`Layout::numbers`].
    Record(Span),
    /// Elements: places in [`Layout::defaults`]; in [`Layout::numbers`].
    List(Span),
    /// Alternative in textual order, and the place of its value in [`Layout::defaults`].
    Choice(u32, u32),
}

impl Layout {
    /// The node behind an id. (Of an id that is another layout's, it may be NULL.)
    #[inline]
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id.0 as usize).unwrap_or(&Node::Null)
    }

    /// A name's text.
    #[inline]
    #[must_use]
    pub fn name(&self, name: Name) -> &str {
        self.names.get(name.range()).unwrap_or_default()
    }

    /// A record's members.
    #[inline]
    #[must_use]
    pub fn members(&self, span: Span) -> &[Member] {
        self.members.get(span.range()).unwrap_or_default()
    }

    /// A record's additions.
    #[inline]
    #[must_use]
    pub fn additions(&self, span: Span) -> &[Addition] {
        self.additions.get(span.range()).unwrap_or_default()
    }

    /// A choice's alternatives.
    #[inline]
    #[must_use]
    pub fn alternatives(&self, span: Span) -> &[Alternative] {
        self.alternatives.get(span.range()).unwrap_or_default()
    }

    /// A run of numbers.
    #[inline]
    #[must_use]
    pub fn numbers(&self, span: Span) -> &[u32] {
        self.numbers.get(span.range()).unwrap_or_default()
    }

    /// A run of octets.
    #[inline]
    #[must_use]
    pub fn octets(&self, span: Span) -> &[u8] {
        self.octets.get(span.range()).unwrap_or_default()
    }
}

/// Names for error paths, by places that [`Layout::place_of_member`] and [`Layout::place_of_alternative`] give.
impl Names for Layout {
    fn name(&self, place: u32) -> &str {
        let index = (place & !POOL) as usize;
        let name = match place & POOL {
            MEMBERS => self.members.get(index).map(|member| member.name),
            ADDITIONS => match self.additions.get(index) {
                Some(Addition::Single(member)) => Some(member.name),
                _ => None,
            },
            _ => self.alternatives.get(index).map(|alternative| alternative.name),
        };
        name.map_or("", |name| Layout::name(self, name))
    }
}

/// The bits of a name's place that tell in which pool it is. The highest bit stays free for [`Path`](roadwire_wire::Path).
const POOL: u32 = 3 << 29;
const MEMBERS: u32 = 0;
const ADDITIONS: u32 = 1 << 29;
const ALTERNATIVES: u32 = 2 << 29;

impl Layout {
    /// Where the name of a member of this layout is, for error paths. Not for hot code: it is searched for.
    #[must_use]
    pub fn place_of_member(&self, member: &Member) -> u32 {
        let in_addition = |addition: &Addition| matches!(addition, Addition::Single(one) if core::ptr::eq(one, member));
        let place = self.members.iter().position(|one| core::ptr::eq(one, member));
        let addition = || self.additions.iter().position(in_addition).map(|place| place as u32 | ADDITIONS);
        place.map(|place| place as u32 | MEMBERS).or_else(addition).unwrap_or(!0 >> 1)
    }

    /// Where a name is that some member or alternative of this layout has, likewise.
    #[must_use]
    pub fn place_of_name(&self, name: &str) -> u32 {
        let is_it = |of: Name| Layout::name(self, of) == name;
        let in_addition = |addition: &Addition| matches!(addition, Addition::Single(one) if is_it(one.name));
        let member = self.members.iter().position(|one| is_it(one.name)).map(|place| place as u32 | MEMBERS);
        let addition = || self.additions.iter().position(in_addition).map(|place| place as u32 | ADDITIONS);
        let alternative = || self.alternatives.iter().position(|one| is_it(one.name));
        let alternative = || alternative().map(|place| place as u32 | ALTERNATIVES);
        member.or_else(addition).or_else(alternative).unwrap_or(!0 >> 1)
    }

    /// Where a JSON node of this layout is, among [`Layout::nodes`]; likewise.
    #[must_use]
    pub fn place_of_json(&self, node: &JsonNode) -> u32 {
        let is_it = |other: &Node| matches!(other, Node::Json(other) if core::ptr::eq(other, node));
        self.nodes.iter().position(is_it).map_or(u32::MAX, |place| place as u32)
    }

    /// Where the name of an alternative of this layout is, likewise.
    #[must_use]
    pub fn place_of_alternative(&self, alternative: &Alternative) -> u32 {
        let place = self.alternatives.iter().position(|one| core::ptr::eq(one, alternative));
        place.map_or(!0 >> 1, |place| place as u32 | ALTERNATIVES)
    }
}

/// Tags as numbers: the class in the two highest bits (universal, application, context-specific, private), the number below them.
pub mod tag {
    /// A number that is above those of tags.
    pub const MOST: u32 = (1 << 30) - 1;
    /// In the place of an alternative: it is a CHOICE without a tag of its own, and the tag is that of one of its alternatives.
    pub const INNER: u32 = 1 << 31;
    /// In the place of a tag, with [`INNER`]: any that is in no other pair.
    pub const ANY: u32 = u32::MAX;
}

impl Form {
    /// The number that a word of that width stands for; `lower` is the least value.
    #[inline]
    #[must_use]
    pub const fn read(self, word: u64, width: Width, lower: i128) -> i128 {
        match (self, width) {
            (Form::Signed, Width::Anywhere(bits @ 1..=64)) => {
                let unused = 64 - bits;
                ((word << unused) as i64 >> unused) as i128
            }
            (Form::Unsigned | Form::Signed, _) => word as i128,
            // Cannot overflow: a 64-bit offset from a bound that, with the other one, fits into 128 bits.
            (Form::Offset, _) => lower.saturating_add(word as i128),
        }
    }

    /// The word of that width that stands for a number, the bits above it zero.
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
