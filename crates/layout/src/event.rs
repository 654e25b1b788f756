//! Documents as streams of events: elements that begin and end, and what is in them, each behind an event code that tells which of the events that can come next it is (EXI §6.2).
//!
//! Which those are follows from the one before. So a node says how wide the code *behind* it is; an executor reads it there, and counts down in it what is left out.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

use crate::node::{Layout, Name, Node, NodeId, Presence, Span};
use crate::stretch::Stretch;

/// A part of a stream of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventNode {
    /// A header (EXI §5), and a document of one element (§8.5.1).
    Document {
        /// The element.
        element: NodeId,
        /// Whether every event that is not in the schema is excluded (§8.5.4.4.2). Otherwise each event code has one value more, behind which the others are (§8.5.4.4.1).
        strict: bool,
    },
    /// An element that contains elements, or nothing.
    Element {
        /// Its name.
        name: Name,
        /// What is in it.
        content: NodeId,
        /// How wide the code behind it is.
        follow: u8,
    },
    /// An element that contains a value.
    Leaf {
        /// Its name.
        name: Name,
        /// The value.
        value: NodeId,
        /// How wide the codes are of the value and of the element's end.
        code: u8,
        /// How wide the code behind it is.
        follow: u8,
    },
    /// No content.
    Empty {
        /// How wide the code in front is.
        first: u8,
    },
    /// Components one after the other.
    Sequence {
        /// How many components the type has in all.
        components: u32,
        /// The components; those that are sequences without an element around them among them.
        members: Span,
        /// The addition groups in [`Layout::numbers`]: pairs of first member and number of members. One of a group may be absent where all of its group are.
        groups: Span,
        /// How wide the code in front is; `None` without an element around them, whose code it would be.
        first: Option<u8>,
        /// Whether the type has an extension marker.
        extensible: bool,
    },
    /// One of the alternatives.
    Choice {
        /// The alternatives, each an element.
        alternatives: Span,
        /// How wide the code in front is.
        first: u8,
        /// The last alternative of an open type: an element for the octets of a value whose type is not known.
        octets: Option<NodeId>,
    },
    /// Elements of one kind.
    Repeat {
        /// Fewest.
        lower: u64,
        /// Most; `u64::MAX` without a bound.
        upper: u64,
        /// The element, without a code behind it.
        element: NodeId,
        /// How wide a code is where there is one event.
        single: u8,
        /// How wide a code is where there are two, another element and the end.
        either: u8,
        /// Whether the grammar counts up to the upper bound, behind which then there is just one event.
        bounded: bool,
    },
    /// An integer that does not lie in as many bits as its offset from the least one takes.
    Integer {
        /// A node with its bounds.
        range: NodeId,
        /// How it is told.
        number: Number,
    },
    /// The number of an enumeration item.
    ItemNumber {
        /// The items' numbers by ordinal, in [`Layout::numbers`]: of each its high and its low 32 bits.
        values: Span,
        /// Names by ordinal, in [`Layout::items`].
        items: Span,
        /// How it is told.
        number: Number,
    },
    /// Octets behind their number (§7.1.1).
    Octets {
        /// Fewest.
        lower: u64,
        /// Most; `u64::MAX` without a bound.
        upper: u64,
    },
    /// Bits as octets behind their number; unless there is one size, an attribute tells in three bits how many of the last octet are not used.
    Bits {
        /// Fewest.
        lower: u64,
        /// Most; `u64::MAX` without a bound.
        upper: u64,
        /// Whether trailing zero bits carry no meaning.
        trim: bool,
        /// How wide the codes are in front of the attribute and of the value.
        code: u8,
    },
    /// Characters by their codes behind their number, or the place of an equal string that has been there before (§7.3.3).
    Text {
        /// Fewest characters.
        lower: u64,
        /// Most characters; `u64::MAX` without a bound.
        upper: u64,
        /// The permitted alphabet: pairs of first and last code in [`Layout::numbers`], ascending; empty where all are.
        alphabet: Span,
    },
    /// REAL: two integers, a number and the power of ten that it is multiplied with (§7.1.4).
    Real,
    /// The numbers of OBJECT IDENTIFIER (or RELATIVE-OID), a list of unsigned integers behind their number (§7.1.11).
    Arcs {
        /// Whether it is RELATIVE-OID.
        relative: bool,
    },
}

/// How an integer is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// In so many bits, the offset from a base (§7.1.9).
    Bits {
        /// How many.
        bits: u8,
        /// What 0 stands for.
        base: i16,
    },
    /// As an unsigned integer: groups of seven bits, least significant first, each behind a bit that says whether another one follows (§7.1.6).
    Unsigned,
    /// A bit for the sign, and then as an unsigned integer the integer, or where it is negative its complement (§7.1.5).
    Signed,
}

/// Whether a value may be one that XML has no characters for: its element then just ends.
fn can_be_empty(value: &Node) -> bool {
    let Node::Event(event) = value else { return false };
    match *event {
        EventNode::Octets { lower, .. } | EventNode::Text { lower, .. } => lower == 0,
        EventNode::Bits { lower, trim, .. } => lower == 0 || trim,
        _ => false,
    }
}

impl EventNode {
    /// How many bits the second part of an event code has where an element may begin with a value or an attribute (§8.5.4.4.1).
    pub const SECOND_PART: u8 = 3;

    /// How many bits it takes.
    pub(crate) fn stretch(&self, layout: &Layout, mut of: impl FnMut(NodeId) -> Stretch) -> Stretch {
        let bits = |bits: u8| Stretch::exactly(bits.into());
        match *self {
            // The code in front of the document element is one bit: it is one of the schema's, or any other.
            EventNode::Document { element, .. } => Stretch::exactly(8 + 1).then(of(element)),
            EventNode::Element { content, follow, .. } => of(content).then(bits(follow)),
            EventNode::Leaf { value, code, follow, .. } => {
                let full = bits(code).then(of(value)).then(bits(code));
                let empty = Stretch::exactly(u64::from(code + EventNode::SECOND_PART));
                let leaf = if code > 0 && can_be_empty(layout.node(value)) { full.or_shorter(empty) } else { full };
                leaf.then(bits(follow))
            }
            EventNode::Empty { first } => bits(first),
            EventNode::Sequence { members, groups, first, .. } => {
                let grouped = grouped(layout, groups);
                let mut sum = bits(first.unwrap_or(0));
                for (at, member) in layout.members(members).iter().enumerate() {
                    let one = of(member.node);
                    sum = sum.then(if member.presence != Presence::Mandatory || grouped(at) {
                        one.or_absent()
                    } else {
                        one
                    });
                }
                sum
            }
            EventNode::Choice { alternatives, first, octets } => {
                let known = layout.alternatives(alternatives).iter().map(|one| one.node).chain(octets);
                let either = known.map(of).reduce(Stretch::or).unwrap_or(Stretch::exactly(0));
                bits(first).then(either)
            }
            EventNode::Repeat { lower, upper, element, single, either, bounded } => {
                let item = of(element);
                // The code in front of element `at`, or of the end behind that many.
                let mandatory = bits(single).then(item);
                let optional = bits(either).then(item);
                let last = if bounded { bits(single) } else { bits(either) };
                let least = if lower == upper { last } else { bits(either) };
                let fewest = mandatory.times(lower, lower).then(least);
                let most = match upper {
                    u64::MAX => mandatory.times(lower, lower).then(optional.times(0, u64::MAX)),
                    _ => mandatory.times(lower, lower).then(optional.times(upper - lower, upper - lower)).then(last),
                };
                most.or_shorter(fewest)
            }
            EventNode::Integer { range, number } => match (number, *layout.node(range)) {
                (Number::Bits { bits, .. }, _) => Stretch::exactly(bits.into()),
                (Number::Unsigned, Node::Word { lower, upper, .. }) => {
                    groups(lower.unsigned_abs(), Some(upper.unsigned_abs()))
                }
                (Number::Signed, Node::Word { lower, upper, .. }) => {
                    let magnitude = |value: i128| if value < 0 { !value as u128 } else { value as u128 };
                    let least = if lower <= 0 && upper >= -1 { 0 } else { magnitude(lower).min(magnitude(upper)) };
                    Stretch::exactly(1).then(groups(least, Some(magnitude(lower).max(magnitude(upper)))))
                }
                (Number::Unsigned, _) => groups(0, None),
                (Number::Signed, _) => Stretch::exactly(1).then(groups(0, None)),
            },
            EventNode::ItemNumber { number: Number::Bits { bits, .. }, .. } => Stretch::exactly(bits.into()),
            EventNode::ItemNumber { .. } => Stretch::between(8, Some(8 * 10 + 1)),
            EventNode::Octets { lower, upper } => counted(lower, upper),
            EventNode::Bits { lower, upper, code, trim } => {
                let front = if lower == upper { Stretch::exactly(0) } else { Stretch::exactly(u64::from(code) + 3) };
                let lower = if trim { 0 } else { lower };
                let upper = if upper == u64::MAX { upper } else { upper.div_ceil(8) };
                front.then(counted(lower.div_ceil(8), upper))
            }
            // What has been there before takes no more than where that is.
            EventNode::Text { .. } => Stretch::unbounded(8),
            EventNode::Real => Stretch::unbounded(18),
            EventNode::Arcs { relative } => Stretch::unbounded(if relative { 16 } else { 24 }),
        }
    }

    /// Whether no document of a layout has more than one character string: then none can be told by the place of an equal one before it (§7.3.3).
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn has_one_text_at_most(layout: &Layout) -> bool {
        texts(layout, layout.root, &mut vec![None; layout.nodes.len()]) <= 1
    }

    /// Whether some component may be absent.
    pub(crate) fn has_optional_parts(&self, layout: &Layout) -> bool {
        let EventNode::Sequence { members, groups, .. } = *self else { return false };
        groups.count > 0 || layout.members(members).iter().any(|member| member.presence != Presence::Mandatory)
    }
}

/// How many character strings a node can have, 2 being more than one. Of a node that is being looked at, and so contains itself, as many as there may be.
#[cfg(feature = "alloc")]
fn texts(layout: &Layout, id: NodeId, known: &mut Vec<Option<u8>>) -> u8 {
    let at = id.0 as usize;
    if let Some(count) = known[at] {
        return count;
    }
    known[at] = Some(2);
    let mut of = |node| texts(layout, node, known);
    let count = match *layout.node(id) {
        Node::Event(EventNode::Text { .. }) => 1,
        Node::Event(EventNode::Document { element: part, .. })
        | Node::Event(EventNode::Element { content: part, .. })
        | Node::Event(EventNode::Leaf { value: part, .. }) => of(part),
        Node::Event(EventNode::Sequence { members, .. }) => {
            layout.members(members).iter().fold(0, |sum: u8, member| sum.saturating_add(of(member.node)))
        }
        Node::Event(EventNode::Choice { alternatives, octets, .. }) => {
            layout.alternatives(alternatives).iter().map(|one| one.node).chain(octets).map(of).max().unwrap_or(0)
        }
        Node::Event(EventNode::Repeat { upper, element, .. }) => of(element).saturating_mul(upper.min(2) as u8),
        _ => 0,
    };
    known[at] = Some(count.min(2));
    count.min(2)
}

/// Which members are in addition groups.
fn grouped(layout: &Layout, groups: Span) -> impl Fn(usize) -> bool + '_ {
    move |at| layout.numbers(groups).chunks_exact(2).any(|pair| (pair[0]..pair[0] + pair[1]).contains(&(at as u32)))
}

/// A number of up to `most` in groups of seven bits.
fn groups(fewest: u128, most: Option<u128>) -> Stretch {
    let octets = |number: u128| u64::from((128 - number.leading_zeros()).div_ceil(7).max(1)) * 8;
    Stretch::between(octets(fewest), most.map(octets))
}

/// Octets behind their number.
fn counted(lower: u64, upper: u64) -> Stretch {
    let bounded = upper < u64::MAX;
    let most = bounded.then(|| groups(0, Some(upper.into())).at(0).most).flatten();
    let count = Stretch::between(groups(lower.into(), None).at(0).fewest, most);
    count.then(Stretch::exactly(8).times(lower, upper))
}
