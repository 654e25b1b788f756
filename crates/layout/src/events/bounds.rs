//! How many bits the nodes take, and their other properties.

#[cfg(feature = "alloc")]
use alloc::{vec, vec::Vec};

use super::node::{EventNode, Number};
use crate::length_bounds::{LengthBounds, nearest_to_zero};
use crate::node::{Layout, Node, NodeId, Presence, Span};

/// The bits of a value in a grammar that is not strict: after a code of `code` bits, and before
/// one. A value that has no characters in XML ends its element at once.
fn coded(code: u8, node: &Node, value: LengthBounds) -> LengthBounds {
    let full = LengthBounds::exactly(code.into()).then(value).then(LengthBounds::exactly(code.into()));
    let ended = u64::from(code + EventNode::SECOND_PART);
    let (lower, upper, ended) = match *node {
        Node::Events(EventNode::Octets { lower, upper } | EventNode::Text { lower, upper, .. }) => {
            (lower, upper, ended)
        }
        // The number of unused bits is an attribute, which comes first.
        Node::Events(EventNode::Bits { lower, upper, .. }) if lower != upper => {
            (lower, upper, u64::from(code) + 3 + ended)
        }
        Node::Events(EventNode::Bits { lower, upper, .. }) => (lower, upper, ended),
        _ => return full,
    };
    match (lower, upper) {
        (_, 0) => LengthBounds::exactly(ended),
        (0, _) => full.or(LengthBounds::exactly(ended)),
        _ => full,
    }
}

impl EventNode {
    /// How many bits it takes.
    pub(crate) fn length_bounds(&self, layout: &Layout, mut of: impl FnMut(NodeId) -> LengthBounds) -> LengthBounds {
        let bits = |bits: u8| LengthBounds::exactly(bits.into());
        match *self {
            // The code before the document element is one bit: an element of the schema, or any
            // other.
            EventNode::Document { element, .. } => LengthBounds::exactly(8 + 1).then(of(element)),
            EventNode::Element { content, follow, .. } => of(content).then(bits(follow)),
            EventNode::Leaf { value, code, follow, .. } => {
                let content = of(value);
                let leaf = if code > 0 { coded(code, layout.node(value), content) } else { content };
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
            EventNode::Choice { alternatives, first, octets, .. } => {
                let known = layout.alternatives(alternatives).iter().map(|one| one.node).chain(octets);
                let either = known.map(of).reduce(LengthBounds::or).unwrap_or(LengthBounds::exactly(0));
                bits(first.unwrap_or(0)).then(either)
            }
            EventNode::Repeat { lower, upper, element, single, either, last, bounded, .. } => {
                let item = of(element);
                // The code before element `at`, or of the end after that many.
                let mandatory = bits(single).then(item);
                let optional = bits(either).then(item);
                let last = if bounded { bits(last) } else { bits(either) };
                let least = if lower == upper { last } else { bits(either) };
                let fewest = mandatory.times(lower, lower).then(least);
                let most = match upper {
                    u64::MAX => mandatory.times(lower, lower).then(optional.times(0, u64::MAX)).then(bits(either)),
                    _ => mandatory.times(lower, lower).then(optional.times(upper - lower, upper - lower)).then(last),
                };
                most.or_shorter(fewest)
            }
            EventNode::Integer { range, number } => match (number, *layout.node(range)) {
                (Number::Bits { bits, .. }, _) => LengthBounds::exactly(bits.into()),
                (sign, Node::Word { lower, upper, .. } | Node::Integer { lower, upper, .. }) => {
                    numbers(sign, layout.bound(lower), layout.bound(upper))
                }
                (sign, _) => numbers(sign, None, None),
            },
            EventNode::ItemNumber { number: Number::Bits { bits, .. }, .. } => LengthBounds::exactly(bits.into()),
            EventNode::ItemNumber { values, number, .. } => {
                let items = layout.item_numbers(values).map(|item| Some(i128::from(item)));
                let each = items.map(|item| numbers(number, item, item));
                each.reduce(LengthBounds::or).unwrap_or(numbers(number, Some(0), Some(0)))
            }
            EventNode::Octets { lower, upper } => counted(lower, upper),
            EventNode::Bits { lower, upper, code, .. } => {
                let front =
                    if lower == upper { LengthBounds::exactly(0) } else { LengthBounds::exactly(u64::from(code) + 3) };
                let upper = if upper == u64::MAX { upper } else { upper.div_ceil(8) };
                front.then(counted(lower.div_ceil(8), upper))
            }
            // A string that came before is encoded only as its index.
            EventNode::Text { .. } => LengthBounds::unbounded(8),
            // The mantissa of a number of 64 bits has at most 17 digits, which are 57 bits.
            EventNode::Real => LengthBounds::between(18, Some(1 + 9 * 8 + 1 + 2 * 8)),
            EventNode::Arcs { relative } => LengthBounds::unbounded(if relative { 16 } else { 24 }),
        }
    }

    /// How many character strings each node of a layout has at most: each of them may be equal to
    /// an earlier one (§7.3.3). [`EventNode::MANY`] stands for that many, or more.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn texts(layout: &Layout) -> Vec<u32> {
        let mut texts = vec![0; layout.nodes.len()];
        // Parts usually precede what contains them. A node that contains itself is counted until
        // there are many.
        while (0..texts.len()).fold(false, |changes, at| {
            let count = texts_of(layout, &layout.nodes[at], |node| texts[node.0 as usize]).min(EventNode::MANY);
            core::mem::replace(&mut texts[at], count) != count || changes
        }) {}
        texts
    }

    /// For an integer or enumeration, whether its width depends on the value.
    pub(crate) fn number_varies(&self) -> Option<bool> {
        match self {
            EventNode::Integer { number, .. } | EventNode::ItemNumber { number, .. } => {
                Some(!matches!(number, Number::Bits { .. }))
            }
            _ => None,
        }
    }

    /// Whether some component may be absent.
    pub(crate) fn has_optional_parts(&self, layout: &Layout) -> bool {
        let EventNode::Sequence { members, groups, .. } = *self else { return false };
        groups.count > 0 || layout.members(members).iter().any(|member| member.presence != Presence::Mandatory)
    }
}

/// How many character strings a node has at most, from those of its parts.
#[cfg(feature = "alloc")]
fn texts_of(layout: &Layout, node: &Node, of: impl Fn(NodeId) -> u32) -> u32 {
    let Node::Events(event) = *node else { return 0 };
    match event {
        EventNode::Text { .. } => 1,
        EventNode::Document { element: part, .. }
        | EventNode::Element { content: part, .. }
        | EventNode::Leaf { value: part, .. } => of(part),
        EventNode::Sequence { members, .. } => {
            layout.members(members).iter().fold(0, |sum: u32, member| sum.saturating_add(of(member.node)))
        }
        EventNode::Choice { alternatives, octets, .. } => {
            layout.alternatives(alternatives).iter().map(|one| one.node).chain(octets).map(of).max().unwrap_or(0)
        }
        EventNode::Repeat { upper, element, .. } => of(element).saturating_mul(upper.min(u32::MAX.into()) as u32),
        _ => 0,
    }
}

/// Which members are in addition groups.
fn grouped(layout: &Layout, groups: Span) -> impl Fn(usize) -> bool + '_ {
    move |at| layout.numbers(groups).chunks_exact(2).any(|pair| (pair[0]..pair[0] + pair[1]).contains(&(at as u32)))
}

/// A number between bounds, perhaps after its sign.
fn numbers(sign: Number, lower: Option<i128>, upper: Option<i128>) -> LengthBounds {
    let magnitude = |value: i128| if value < 0 { !value as u128 } else { value as u128 };
    let nearest = nearest_to_zero(lower, upper);
    let most = lower.zip(upper).map(|(lower, upper)| magnitude(lower).max(magnitude(upper)));
    let number = groups(magnitude(nearest), most);
    if sign == Number::Signed { LengthBounds::exactly(1).then(number) } else { number }
}

/// A number of up to `most` in groups of seven bits.
fn groups(fewest: u128, most: Option<u128>) -> LengthBounds {
    let octets = |number: u128| u64::from((128 - number.leading_zeros()).div_ceil(7).max(1)) * 8;
    LengthBounds::between(octets(fewest), most.map(octets))
}

/// Octets after their number.
fn counted(lower: u64, upper: u64) -> LengthBounds {
    let bounded = upper < u64::MAX;
    let most = bounded.then(|| groups(0, Some(upper.into())).at(0).most).flatten();
    let count = LengthBounds::between(groups(lower.into(), None).at(0).fewest, most);
    count.then(LengthBounds::exactly(8).times(lower, upper))
}
