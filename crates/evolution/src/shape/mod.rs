//! The wire form of a layout's nodes, in terms that all families share: so one walk compares two
//! layouts. Each family describes in a file of its own what its nodes are.

mod cbor;
mod events;
mod fields;
mod json;
mod packed;
mod tlv;
mod vectors;
mod xml;

use roadwire_layout::{Family, Layout, Name, Node, NodeId, Presence, Span};
use roadwire_model::BigInt;

/// One node.
#[derive(Debug)]
pub(crate) enum Shape {
    /// A value without parts.
    Leaf(Leaf),
    /// An enumeration item.
    Items(Items),
    /// Components.
    Record(Record),
    /// One of some alternatives.
    Choice(Choice),
    /// Elements.
    List(List),
    /// A mark before a value, which a reader expects as it is: a tag, a name, a key.
    Marked {
        /// The mark.
        mark: String,
        /// The value.
        node: NodeId,
        /// The first octets of a text or item that has this mark.
        first_octets: FirstOctets,
    },
    /// A bit, and then one of two codings.
    Extended {
        /// That of values in the root.
        root: NodeId,
        /// That of all others.
        beyond: NodeId,
    },
    /// An open type: whole encodings, of the type in a row.
    Table {
        /// Each row's node; none without a table.
        rows: Vec<NodeId>,
    },
    /// A string that contains the whole encoding of a value.
    Contained {
        /// The string.
        string: NodeId,
        /// The value.
        content: NodeId,
    },
    /// Nothing of its own.
    Inner(NodeId),
    /// More than these terms can say: equal if the texts are.
    Other(String),
}

/// A value without parts.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    /// All on which it depends which octets a value has, and which value octets have.
    pub(crate) code: Code,
    /// Its width, if that is fixed, where nothing else marks its end.
    pub(crate) bits: Option<u64>,
    /// The possible first octets, which distinguish it from other values before its content is
    /// read.
    pub(crate) first_octets: FirstOctets,
    /// Which values a reader accepts.
    pub(crate) domain: Domain,
    /// Whether trailing zero bits are left out, down to this many bits: a reader adds them.
    pub(crate) trim: Option<u64>,
    /// Whether the first parameter is a tag, which a reader expects as it is.
    pub(crate) is_tagged: bool,
}

/// A kind of coding, and its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    pub(crate) name: &'static str,
    pub(crate) parameters: Vec<i128>,
}

/// The first octets that values may have, as a set of classes of the family's own: values whose
/// sets have none in common are never taken for each other.
pub(crate) type FirstOctets = u16;

/// Any first octets.
pub(crate) const ANY_FIRST_OCTETS: FirstOctets = u16::MAX;

/// Which values a reader accepts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Domain {
    /// All.
    All,
    /// Integers between two bounds.
    Integers(Option<BigInt>, Option<BigInt>),
    /// Strings of some sizes, with characters of an alphabet (pairs of first and last; all if it is
    /// empty).
    Strings { lower: u64, upper: u64, alphabet: Vec<(u32, u32)>, extensible: bool },
    /// Those that satisfy what cannot be compared, but for equality.
    Equal(String),
}

/// The items of an enumeration.
#[derive(Clone, Debug)]
pub(crate) struct Items {
    /// The coding that all share, such as an index's width.
    pub(crate) code: Code,
    pub(crate) bits: Option<u64>,
    pub(crate) first_octets: FirstOctets,
    /// Each item's own octets, by ordinal.
    pub(crate) keys: Vec<Key>,
    /// Whether keys that none of these has are items of a later version. Those of a root's index
    /// are not.
    pub(crate) open: bool,
    /// Whether the first parameter of the code is a tag.
    pub(crate) is_tagged: bool,
}

/// A key that distinguishes a component, alternative or item from others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// A tag, field number or number of an item.
    Number(i64),
    /// A name.
    Name(String),
    /// An index among the root's.
    Root(u32),
    /// An index among the additions.
    Addition(u32),
    /// Whatever has no other key.
    Any,
}

/// The components of a SEQUENCE or SET, or those of an addition group.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) order: Order,
    /// Whether there may be parts of a later version.
    pub(crate) extensible: bool,
    /// Whether components at their DEFAULT are written.
    pub(crate) complete: bool,
    /// All parts in wire order; where additions are apart, they follow the others.
    pub(crate) parts: Vec<Part>,
    /// Whether the writer puts the parts into an order of its own, by their tags.
    pub(crate) rearranged: bool,
    pub(crate) first_octets: FirstOctets,
    /// More that must be the same.
    pub(crate) header: Vec<i128>,
}

/// How a reader knows which part is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// By its place, and leading bits for those that may be absent, as many as fill units of some
    /// bits.
    Places { unit: u32 },
    /// By its place, and event codes between them.
    Events,
    /// By its key, in the order of the type; parts of a later version are accepted from part
    /// `start` on, up to part `end`.
    Keys { start: usize, end: usize, greedy: bool },
    /// By its key, in any order.
    AnyKeys,
}

/// A component, or an addition group.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) what: What,
    /// The keys that it may begin with, if parts are known by keys.
    pub(crate) keys: Vec<Key>,
    pub(crate) node: NodeId,
    pub(crate) presence: Presence,
    /// Whether it is an extension addition, and may be absent for that.
    pub(crate) addition: bool,
    /// The addition group of which it is a member, where that has no node of its own.
    pub(crate) group: Option<u32>,
    /// Whether an absent one is read as an empty list.
    pub(crate) empty_if_absent: bool,
}

/// The sort of part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A component, by its index in the type.
    Component(u32),
    /// An addition group, whose node is a record.
    Group,
}

/// The alternatives of a CHOICE.
#[derive(Debug)]
pub(crate) struct Choice {
    /// The coding that all share, such as an index's width.
    pub(crate) code: Code,
    pub(crate) first_octets: FirstOctets,
    pub(crate) extensible: bool,
    pub(crate) alternatives: Vec<OneOf>,
}

/// One alternative.
#[derive(Debug)]
pub(crate) struct OneOf {
    pub(crate) alternative: u32,
    pub(crate) keys: Vec<Key>,
    pub(crate) node: NodeId,
    /// Whether its end is known to a reader that does not know it.
    pub(crate) framed: bool,
}

/// The elements of a SEQUENCE OF or SET OF.
#[derive(Debug)]
pub(crate) struct List {
    /// How their number is written.
    pub(crate) code: Code,
    pub(crate) lower: u64,
    pub(crate) upper: u64,
    /// Whether any number is accepted besides.
    pub(crate) extensible: bool,
    pub(crate) element: NodeId,
    /// Whether elements are written in the order of their encodings.
    pub(crate) sorted: bool,
    /// Whether elements follow each other without a mark of their own, though other values have
    /// one.
    pub(crate) packed: bool,
    pub(crate) first_octets: FirstOctets,
}

/// The shape of a node.
pub(crate) fn shape(layout: &Layout, id: NodeId) -> Shape {
    match layout.node(id) {
        Node::Tlv(node) => tlv::shape(layout, node),
        Node::Json(node) => json::shape(layout, node),
        Node::Xml(node) => xml::shape(layout, node),
        Node::Events(node) => events::shape(layout, node),
        Node::Fields(node) => fields::shape(layout, node),
        Node::Vectors(node) => vectors::shape(layout, node),
        Node::Cbor(node) => cbor::shape(layout, node),
        node => packed::shape(layout, node),
    }
}

/// Whether a reader knows where each part ends, whatever is in it.
pub(crate) fn is_framed(family: Family) -> bool {
    match family {
        Family::Tlv | Family::Fields | Family::Xml | Family::Json | Family::Cbor => true,
        Family::Packed | Family::Octet | Family::Events | Family::Vectors => false,
    }
}

impl Code {
    pub(crate) fn of(name: &'static str, parameters: impl IntoIterator<Item = i128>) -> Code {
        Code { name, parameters: parameters.into_iter().collect() }
    }
}

impl Leaf {
    fn of(name: &'static str, first_octets: FirstOctets, domain: Domain) -> Shape {
        Shape::Leaf(Leaf { code: Code::of(name, []), bits: None, first_octets, domain, trim: None, is_tagged: false })
    }
}

impl Domain {
    fn integers(lower: i128, upper: i128) -> Domain {
        let bound = |bound: i128, none: i128| (bound != none).then(|| BigInt::from(bound));
        Domain::Integers(bound(lower, i128::MIN), bound(upper, i128::MAX))
    }

    fn sizes(lower: u64, upper: u64) -> Domain {
        Domain::Strings { lower, upper, alphabet: Vec::new(), extensible: false }
    }

    fn text(layout: &Layout, lower: u64, upper: u64, alphabet: Span) -> Domain {
        Domain::Strings { lower, upper, alphabet: pairs(layout.numbers(alphabet)), extensible: false }
    }
}

/// Pairs of numbers.
fn pairs(numbers: &[u32]) -> Vec<(u32, u32)> {
    numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}

/// Bounds in two's complement; without octets there is none.
fn wide(layout: &Layout, span: Span) -> Option<BigInt> {
    (span.count > 0).then(|| BigInt::from_signed_bytes_be(layout.octets(span)))
}

/// The rows of a table.
fn rows(layout: &Layout, span: Span) -> Shape {
    Shape::Table { rows: layout.numbers(span).iter().map(|row| NodeId(*row)).collect() }
}

/// The addition group of each member, from pairs of first member and number of members.
fn group_of(layout: &Layout, groups: Span, at: usize) -> Option<u32> {
    let mut each = layout.numbers(groups).chunks_exact(2);
    each.position(|pair| (pair[0]..pair[0] + pair[1]).contains(&(at as u32))).map(|group| group as u32)
}

/// Names of enumeration items, by ordinal.
fn names(layout: &Layout, items: Name) -> Vec<Key> {
    let names = layout.items.get(items.range()).unwrap_or_default();
    names.iter().map(|name| Key::Name(layout.name(*name).to_owned())).collect()
}

/// Numbers of enumeration items, by ordinal.
fn numbers(layout: &Layout, values: Span) -> Vec<Key> {
    layout.item_numbers(values).map(Key::Number).collect()
}
