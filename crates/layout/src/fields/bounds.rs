//! How many bits the nodes take, and their other properties.

use roadwire_wire::rt::varint;

use super::node::FieldNode;
use crate::length_bounds::{LengthBounds, Values};
use crate::node::{Layout, Node, NodeId, Presence};

impl FieldNode {
    /// Whether it can hold additions of a later version.
    pub(crate) fn keeps_additions(&self) -> bool {
        match *self {
            FieldNode::Message { extensible, .. }
            | FieldNode::Choice { extensible, .. }
            | FieldNode::Item { extensible, .. } => extensible,
            _ => false,
        }
    }

    /// Whether it is an integer or enumeration; all take as much as the value needs.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self, FieldNode::Number { .. } | FieldNode::Item { .. })
    }

    /// How many bits it takes.
    pub(crate) fn length_bounds(
        &self,
        layout: &Layout,
        values: Values,
        mut of: impl FnMut(NodeId) -> LengthBounds,
    ) -> LengthBounds {
        match *self {
            FieldNode::Message { members, .. } => {
                let mut sum = LengthBounds::exactly(0);
                for (at, member) in layout.members(members).iter().enumerate() {
                    let one = of(member.node);
                    sum = sum.then(if self.may_be_absent(layout, at) { one.or_absent() } else { one });
                }
                sum
            }
            FieldNode::Choice { alternatives, extensible, .. } => {
                let known = layout.alternatives(alternatives).iter().map(|one| of(one.node)).reduce(LengthBounds::or);
                let unknown = octets(2, 2);
                let known = known.unwrap_or(unknown);
                if values.go_beyond(extensible) { known.or_shorter(unknown) } else { known }
            }
            FieldNode::Wrapped { field } => of(field),
            FieldNode::Single { key, content } => octets_of(key.into()).then(of(content)),
            FieldNode::Repeated { key, element, lower, upper, packed: false } => {
                octets_of(key.into()).then(of(element)).times(lower, upper)
            }
            FieldNode::Repeated { upper: 0, .. } => LengthBounds::exactly(0),
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
            FieldNode::Item { values: items, extensible, .. } => {
                // Negative numbers have ten octets (Protocol Buffers, "Signed Integers").
                let unknown = values.go_beyond(extensible).then_some([0, -1]).into_iter().flatten();
                let numbers = layout.item_numbers(items).chain(unknown);
                let each = numbers.map(|number| octets_of(number as u64));
                each.reduce(LengthBounds::or).unwrap_or(octets(1, 1))
            }
            FieldNode::Flags { upper, .. } => octets(1, u64::from(upper).div_ceil(7).max(1)),
            FieldNode::Double => octets(8, 8),
        }
    }

    pub(crate) fn has_optional_parts(&self, layout: &Layout) -> bool {
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
            Node::Fields(field) => Some(field),
            Node::Key { node, .. } => self.field(*node),
            _ => None,
        }
    }

    /// Whether what follows a key is a message, so that several are merged.
    #[must_use]
    pub fn is_merged(&self, content: NodeId) -> bool {
        matches!(self.node(content), Node::Fields(FieldNode::Delimited { content }) if self.consists_of_fields(*content))
    }

    fn consists_of_fields(&self, node: NodeId) -> bool {
        matches!(
            self.node(node),
            Node::Scope { .. }
                | Node::Fields(FieldNode::Message { .. } | FieldNode::Choice { .. } | FieldNode::Wrapped { .. })
        )
    }
}

fn octets(fewest: u64, most: u64) -> LengthBounds {
    LengthBounds::between(fewest.saturating_mul(8), most.checked_mul(8))
}

/// How many octets a number takes.
fn octets_of(number: u64) -> LengthBounds {
    let count = varint::octets_of(number) as u64;
    octets(count, count)
}

/// Whole octets after their length.
fn after_length(content: LengthBounds) -> LengthBounds {
    let bits = content.at(0);
    let whole = |bits: u64| bits.checked_add(varint::octets_of(bits / 8) as u64 * 8);
    LengthBounds::between(whole(bits.fewest).unwrap_or(u64::MAX), bits.most.and_then(whole))
}
