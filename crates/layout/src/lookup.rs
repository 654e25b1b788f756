//! Access by a layout's indexes: nodes, members, names, numbers; and the places of names in error
//! paths.

use roadwire_wire::{Names, Step};

#[cfg(feature = "alloc")]
use crate::json::JsonNode;
use crate::node::{Addition, Alternative, Bound, CharacterSet, Layout, Member, Name, Node, NodeId, Span};
use crate::rules::Family;
#[cfg(feature = "alloc")]
use crate::xml::XmlNode;

impl Layout {
    /// The fewest octets of a complete encoding: of a message, or of what is in an open type.
    #[inline]
    #[must_use]
    pub const fn least_octets(&self) -> u64 {
        match self.rules.family() {
            Family::Octet | Family::Vectors | Family::Fields => 0,
            // X.691 §11.1.3: without any bits, it is an octet of zeros.
            Family::Packed => 1,
            // An identifier, a header, an element, a character, a data item.
            Family::Tlv | Family::Events | Family::Xml | Family::Json | Family::Cbor => 1,
        }
    }

    /// How many octets a complete encoding of `bits` bits has.
    #[inline]
    #[must_use]
    pub const fn octets_of(&self, bits: usize) -> usize {
        let (octets, least) = (bits.div_ceil(8), self.least_octets() as usize);
        if octets < least { least } else { octets }
    }

    /// The node with an id. (For an id of another layout it may be NULL.)
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

    /// The numbers of enumeration items, by ordinal: of each, its high and its low 32 bits are in
    /// [`Layout::numbers`].
    pub fn item_numbers(&self, values: Span) -> impl Iterator<Item = i64> + Clone + '_ {
        let number = |pair: &[u32]| (u64::from(pair[0]) << 32 | u64::from(pair[1])) as i64;
        self.numbers(values).chunks_exact(2).map(number)
    }

    /// A bound; `None` if there is none.
    #[inline]
    #[must_use]
    pub fn bound(&self, bound: Bound) -> Option<i128> {
        bound.get(&self.octets)
    }

    /// Two bounds: the least and the greatest number of 128 bits where there is none.
    #[inline]
    #[must_use]
    pub fn bounds(&self, lower: Bound, upper: Bound) -> (i128, i128) {
        (self.bound(lower).unwrap_or(i128::MIN), self.bound(upper).unwrap_or(i128::MAX))
    }

    /// The bounds of a [`Node::Word`] or a [`Node::Integer`].
    #[must_use]
    pub fn range(&self, node: &Node) -> Option<[Option<i128>; 2]> {
        match *node {
            Node::Word { lower, upper, .. } | Node::Integer { lower, upper, .. } => {
                Some([self.bound(lower), self.bound(upper)])
            }
            _ => None,
        }
    }

    /// How characters of [`Node::Characters`] are encoded.
    #[must_use]
    pub fn character_set(&self, place: u32) -> CharacterSet<'_> {
        let numbers = self.numbers.get(place as usize..).unwrap_or_default();
        let [bits, indexed, count, rest @ ..] = numbers else { return CharacterSet::default() };
        let alphabet = rest.get(..*count as usize).unwrap_or_default();
        CharacterSet { bits: *bits as u8, indexed: *indexed != 0, alphabet }
    }

    /// A run of octets.
    #[inline]
    #[must_use]
    pub fn octets(&self, span: Span) -> &[u8] {
        self.octets.get(span.range()).unwrap_or_default()
    }
}

/// Names for error paths, at the places that [`Layout::place_of_member`] and
/// [`Layout::place_of_alternative`] return.
impl Names for Layout {
    fn step(&self, place: u32) -> Step<'_> {
        let index = (place & !POOL) as usize;
        let (name, number) = match place & POOL {
            MEMBERS => self.members.get(index).map(|member| (member.name, member.component)),
            ADDITIONS => match self.additions.get(index) {
                Some(Addition::Single(member)) => Some((member.name, member.component)),
                _ => None,
            },
            ALTERNATIVES => self.alternatives.get(index).map(|one| (one.name, one.alternative)),
            _ if index & ITEM == ITEM => self.items.get(index & !ITEM).map(|name| (*name, 0)),
            #[cfg(feature = "alloc")]
            _ => self.nodes.get(index).and_then(tag_name).map(|name| (name, 0)),
            #[cfg(not(feature = "alloc"))]
            _ => None,
        }
        .unwrap_or_default();
        Layout::step(self, name, number)
    }
}

/// The bits of a name's place that select its pool. The highest bit is reserved for
/// [`Path`](roadwire_wire::Path).
const POOL: u32 = 3 << 29;
const MEMBERS: u32 = 0;
const ADDITIONS: u32 = 1 << 29;
const ALTERNATIVES: u32 = 2 << 29;
const OTHERS: u32 = 3 << 29;
/// Among the others: the name of an item of an enumeration, not that of an element or attribute of
/// XML.
const ITEM: usize = 1 << 28;

/// The name that a node of XML has in tags.
#[cfg(feature = "alloc")]
fn tag_name(node: &Node) -> Option<Name> {
    match *node {
        Node::Xml(XmlNode::Tags { name, .. } | XmlNode::Attribute { name, .. }) => Some(name),
        _ => None,
    }
}

impl Layout {
    /// The place of a member's name in this layout, for error paths. Not for hot code: it searches.
    #[must_use]
    pub fn place_of_member(&self, member: &Member) -> u32 {
        let in_addition = |addition: &Addition| matches!(addition, Addition::Single(one) if core::ptr::eq(one, member));
        let place = self.members.iter().position(|one| core::ptr::eq(one, member));
        let addition = || self.additions.iter().position(in_addition).map(|place| place as u32 | ADDITIONS);
        place.map(|place| place as u32 | MEMBERS).or_else(addition).unwrap_or(!0 >> 1)
    }

    /// The place of a name that some member or alternative of this layout has; also a search.
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

    /// The place of a name of [`Layout::items`].
    #[must_use]
    pub fn place_of_item(&self, index: usize) -> u32 {
        (index | ITEM) as u32 | OTHERS
    }

    /// The place of a name that some XML element or attribute of this layout has in its tags; also
    /// a search.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn place_of_tag(&self, name: Name) -> u32 {
        let place = self.nodes.iter().position(|node| tag_name(node) == Some(name));
        place.map_or(!0 >> 1, |place| place as u32 | OTHERS)
    }

    /// The index of a JSON node of this layout in [`Layout::nodes`]; also a search.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn place_of_json(&self, node: &JsonNode) -> u32 {
        let is_it = |other: &Node| matches!(other, Node::Json(other) if core::ptr::eq(other, node));
        self.nodes.iter().position(is_it).map_or(u32::MAX, |place| place as u32)
    }

    /// The place of an alternative's name in this layout; also a search.
    #[must_use]
    pub fn place_of_alternative(&self, alternative: &Alternative) -> u32 {
        let place = self.alternatives.iter().position(|one| core::ptr::eq(one, alternative));
        place.map_or(!0 >> 1, |place| place as u32 | ALTERNATIVES)
    }
}
