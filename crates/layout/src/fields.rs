//! The node kinds of values behind field numbers (Protocol Buffers, "Encoding").

use roadwire_wire::varint::{self, WireType};

use crate::node::{Layout, Node, NodeId, Presence, Span};
use crate::stretch::Stretch;

/// A field's number and how its value ends, as they lie on the wire: the number above the three bits of its [`WireType`].
pub type Key = u32;

/// What lies at one place of a message that consists of fields, in any order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldNode {
    /// Fields up to the end: one for each component that is there.
    Message {
        /// How many components the type has.
        components: u32,
        /// The components by their numbers, ascending; each is a [`FieldNode::Single`] or [`FieldNode::Repeated`].
        members: Span,
        /// Members that are there together or not at all, those aside that may be absent by themselves: pairs of first place and count, in [`Layout::numbers`].
        groups: Span,
        /// How many extension additions are known (a group is one).
        additions: u32,
        /// Whether there may be fields with other numbers.
        extensible: bool,
    },
    /// One field up to the end: an alternative.
    Choice {
        /// The alternatives in textual order; each is a [`FieldNode::Single`].
        alternatives: Span,
        /// How many of them are extension additions.
        additions: u32,
        /// Whether there may be another.
        extensible: bool,
    },
    /// One field up to the end, which is the value.
    Wrapped {
        /// The field: a [`FieldNode::Single`] or [`FieldNode::Repeated`].
        field: NodeId,
    },
    /// A value behind its key. Of several, the last one counts; where they are of fields themselves, what is in all of them.
    Single {
        /// The key.
        key: Key,
        /// The value.
        content: NodeId,
    },
    /// Elements behind keys.
    Repeated {
        /// The key: of an element, or of all of them.
        key: Key,
        /// The element.
        element: NodeId,
        /// Fewest elements.
        lower: u64,
        /// Most elements; `u64::MAX` without a bound.
        upper: u64,
        /// Whether all elements are written behind one key and the length of all; read are both forms.
        packed: bool,
    },
    /// A value of whole octets after their length.
    Delimited {
        /// The value.
        content: NodeId,
    },
    /// BOOLEAN: a varint that is 0 or 1; any but 0 is read as TRUE.
    Truth,
    /// An integer as a varint.
    Number {
        /// What the varint is.
        sign: Sign,
        /// Smallest value.
        lower: i128,
        /// Greatest value.
        upper: i128,
    },
    /// An enumeration item's own number as a varint, of ten octets where it is below zero.
    Item {
        /// The items' numbers by ordinal, in [`Layout::numbers`]: of each its high and its low 32 bits.
        values: Span,
        /// Names by ordinal, in [`Layout::items`].
        items: Span,
        /// Whether a number that no item has is one of a later version's.
        extensible: bool,
    },
    /// A bit string of up to 64 bits as a varint: bit n of the string is the one of value 2^n.
    Flags {
        /// Fewest bits.
        lower: u8,
        /// Most bits.
        upper: u8,
        /// Whether zero bits at the end carry no meaning (named bits); otherwise there is just one size.
        trim: bool,
    },
    /// REAL in the 64-bit binary interchange format of IEEE 754, least significant octet first.
    Double,
}

/// What the varint of an integer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The integer, which is not negative.
    Unsigned,
    /// The integer in two's complement of 64 bits: ten octets below zero.
    Signed,
    /// Twice the integer, or where it is below zero twice its complement plus 1.
    Zigzag,
}

impl Sign {
    /// The integer that a varint stands for.
    #[inline]
    #[must_use]
    pub const fn read(self, varint: u64) -> i128 {
        match self {
            Sign::Unsigned => varint as i128,
            Sign::Signed => varint as i64 as i128,
            Sign::Zigzag => varint::unzigzag(varint) as i128,
        }
    }

    /// The varint that stands for an integer between the bounds.
    #[inline]
    #[must_use]
    pub const fn write(self, number: i128) -> u64 {
        match self {
            Sign::Unsigned | Sign::Signed => number as u64,
            Sign::Zigzag => varint::zigzag(number as i64),
        }
    }
}

impl FieldNode {
    /// The field's number, of a [`FieldNode::Single`] or [`FieldNode::Repeated`].
    #[inline]
    #[must_use]
    pub const fn number(&self) -> Option<u32> {
        match *self {
            FieldNode::Single { key, .. } | FieldNode::Repeated { key, .. } => Some(key >> 3),
            _ => None,
        }
    }

    /// How what is behind a key ends.
    #[must_use]
    pub const fn wire_type(&self) -> WireType {
        match self {
            FieldNode::Truth | FieldNode::Number { .. } | FieldNode::Item { .. } | FieldNode::Flags { .. } => {
                WireType::VARINT
            }
            FieldNode::Double => WireType::EIGHT_OCTETS,
            _ => WireType::DELIMITED,
        }
    }

    /// How many bits it takes.
    pub(crate) fn stretch(&self, layout: &Layout, mut of: impl FnMut(NodeId) -> Stretch) -> Stretch {
        match *self {
            FieldNode::Message { members, .. } => {
                let mut sum = Stretch::exactly(0);
                for (at, member) in layout.members(members).iter().enumerate() {
                    let one = of(member.node);
                    sum = sum.then(if self.may_be_absent(layout, at) { one.or_absent() } else { one });
                }
                sum
            }
            FieldNode::Choice { alternatives, extensible, .. } => {
                let known = layout.alternatives(alternatives).iter().map(|one| of(one.node)).reduce(Stretch::or);
                let unknown = octets(2, 2);
                let known = known.unwrap_or(unknown);
                if extensible { known.or_shorter(unknown) } else { known }
            }
            FieldNode::Wrapped { field } => of(field),
            FieldNode::Single { key, content } => octets_of(key.into()).then(of(content)),
            FieldNode::Repeated { key, element, lower, upper, packed: false } => {
                octets_of(key.into()).then(of(element)).times(lower, upper)
            }
            FieldNode::Repeated { key, element, lower, upper, packed: true } => {
                let all = octets_of(key.into()).then(after_length(of(element).times(lower.max(1), upper)));
                if lower == 0 { all.or_absent() } else { all }
            }
            FieldNode::Delimited { content } => after_length(of(content)),
            FieldNode::Truth => octets(1, 1),
            FieldNode::Number { sign, lower, upper } => {
                let of = |number: i128| varint::octets_of(sign.write(number)) as u64;
                let nearest = 0.clamp(lower, upper);
                octets(of(nearest), of(lower).max(of(upper)))
            }
            FieldNode::Item { values, .. } => {
                let numbers = layout.numbers(values).chunks_exact(2).map(item_number);
                let each = numbers.map(|number| octets_of(number as u64));
                each.reduce(Stretch::or).unwrap_or(octets(1, 1))
            }
            FieldNode::Flags { upper, .. } => octets(1, u64::from(upper).div_ceil(7).max(1)),
            FieldNode::Double => octets(8, 8),
        }
    }

    pub(crate) fn has_optional_members(&self, layout: &Layout) -> bool {
        let FieldNode::Message { members, .. } = *self else { return false };
        (0..members.count as usize).any(|at| self.may_be_absent(layout, at))
    }

    /// Whether member `at` of a message may be absent.
    #[must_use]
    pub fn may_be_absent(&self, layout: &Layout, at: usize) -> bool {
        let FieldNode::Message { members, groups, .. } = *self else { return true };
        let mandatory = layout.members(members).get(at).is_some_and(|one| one.presence == Presence::Mandatory);
        !mandatory || layout.groups(groups).any(|group| group.contains(&at))
    }
}

impl Layout {
    /// The field that a node is.
    #[inline]
    #[must_use]
    pub fn field(&self, node: NodeId) -> Option<&FieldNode> {
        match self.node(node) {
            Node::Keyed(field) => Some(field),
            Node::Key { node, .. } => self.field(*node),
            _ => None,
        }
    }

    /// Whether what is behind a key consists of fields, so that of several all count.
    #[must_use]
    pub fn is_merged(&self, content: NodeId) -> bool {
        matches!(self.node(content), Node::Keyed(FieldNode::Delimited { content }) if self.consists_of_fields(*content))
    }

    fn consists_of_fields(&self, node: NodeId) -> bool {
        matches!(
            self.node(node),
            Node::Scope { .. }
                | Node::Keyed(FieldNode::Message { .. } | FieldNode::Choice { .. } | FieldNode::Wrapped { .. })
        )
    }
}

fn item_number(pair: &[u32]) -> i64 {
    pair.iter().fold(0u64, |number, half| number << 32 | u64::from(*half)) as i64
}

fn octets(fewest: u64, most: u64) -> Stretch {
    Stretch::between(fewest.saturating_mul(8), most.checked_mul(8))
}

/// The octets of a number.
fn octets_of(number: u64) -> Stretch {
    let count = varint::octets_of(number) as u64;
    octets(count, count)
}

/// Whole octets after their length.
fn after_length(content: Stretch) -> Stretch {
    let bits = content.at(0);
    let whole = |bits: u64| bits.checked_add(varint::octets_of(bits / 8) as u64 * 8);
    Stretch::between(whole(bits.fewest).unwrap_or(u64::MAX), bits.most.and_then(whole))
}
