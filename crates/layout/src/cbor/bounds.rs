//! How many bits the nodes take, and their other properties.

use roadwire_wire::rt::cbor;

use super::node::CborNode;
use crate::length_bounds::{LengthBounds, Values};
use crate::node::{Addition, Layout, NodeId, Presence};
use crate::packed::bounds::utf8_octets;

impl CborNode {
    /// How many bits it takes. Entries of later versions do not count.
    pub(crate) fn length_bounds(
        &self,
        layout: &Layout,
        values: Values,
        mut of: impl FnMut(NodeId) -> LengthBounds,
    ) -> LengthBounds {
        match *self {
            CborNode::Nothing | CborNode::Truth => octets(1, Some(1)),
            CborNode::Integer { lower, upper } => {
                let bounded = lower != i128::MIN && upper != i128::MAX;
                let most = cbor::integer_octets(lower).max(cbor::integer_octets(upper));
                octets(cbor::integer_octets(0.clamp(lower, upper)), bounded.then_some(most))
            }
            CborNode::WideInteger { lower, upper } => {
                // Without its sign, a number has no more octets than in two's complement.
                let most = u64::from(lower.count.max(upper.count));
                let bounded = lower.count > 0 && upper.count > 0;
                octets(1, bounded.then(|| 1 + string(most)))
            }
            CborNode::Item { values: items, extensible, .. } => {
                let unknown = values.go_beyond(extensible).then_some([0, (1 << 30) - 1]).into_iter().flatten();
                let numbers = layout.item_numbers(items).chain(unknown);
                let each = numbers.map(|number| octets_of(cbor::integer_octets(number.into())));
                each.reduce(LengthBounds::or).unwrap_or(octets_of(1))
            }
            CborNode::Float => octets(3, Some(9)),
            CborNode::Bits { fixed: Some(bits), .. } => octets_of(string(bits.div_ceil(8))),
            CborNode::Bits { lower, upper, .. } => {
                strings(lower.div_ceil(8) + 1, (upper < u64::MAX).then(|| upper.div_ceil(8) + 1))
            }
            CborNode::Octets { lower, upper } => strings(lower, (upper < u64::MAX).then_some(upper)),
            CborNode::Text { lower, upper, alphabet } => {
                let (fewest, most) = utf8_octets(layout.numbers(alphabet));
                strings(lower.saturating_mul(fewest), upper.checked_mul(most).filter(|_| upper < u64::MAX))
            }
            CborNode::Oid { .. } => octets(4, None),
            CborNode::Embedded { .. } => octets(3, None),
            CborNode::Array { lower, upper, element, .. } => {
                let head = octets(cbor::head_octets(lower), Some(cbor::head_octets(upper)));
                head.then(of(element).times(lower, upper))
            }
            CborNode::Map { members, additions, .. } => {
                let (mut sum, mut sure, mut key) = (octets_of(0), 0, 0);
                let mut entry = |content: LengthBounds, absent: bool| {
                    let one = octets_of(cbor::head_octets(key)).then(content);
                    key += 1;
                    sure += u64::from(!absent);
                    if absent { one.or_absent() } else { one }
                };
                for member in layout.members(members) {
                    sum = sum.then(entry(of(member.node), member.presence != Presence::Mandatory));
                }
                for addition in layout.additions(additions) {
                    sum = sum.then(entry(of(added(addition)), true));
                }
                octets(cbor::head_octets(sure), Some(cbor::head_octets(key))).then(sum)
            }
            CborNode::Choice { alternatives, extensible, .. } => {
                let list = layout.alternatives(alternatives);
                let one = |(key, content)| octets_of(1 + cbor::head_octets(key)).then(content);
                let known = (0..).zip(list.iter().map(|one| of(one.node))).map(one).reduce(LengthBounds::or);
                let unknown = octets_of(2 + cbor::head_octets(list.len() as u64));
                match known {
                    Some(known) if values.go_beyond(extensible) => known.or_shorter(unknown),
                    known => known.unwrap_or(unknown),
                }
            }
        }
    }

    pub(crate) fn has_optional_parts(&self, layout: &Layout) -> bool {
        let CborNode::Map { members, additions, extensible, .. } = *self else { return false };
        let may_be_absent = layout.members(members).iter().any(|member| member.presence != Presence::Mandatory);
        extensible || additions.count > 0 || may_be_absent
    }

    /// Whether it has a place for what it does not know.
    pub(crate) fn keeps_additions(&self) -> bool {
        matches!(
            self,
            CborNode::Map { extensible: true, .. }
                | CborNode::Choice { extensible: true, .. }
                | CborNode::Item { extensible: true, .. }
        )
    }

    /// Whether it is an integer or enumeration; all take as much as the value needs.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self, CborNode::Integer { .. } | CborNode::WideInteger { .. } | CborNode::Item { .. })
    }
}

/// The node after the key of an addition.
fn added(addition: &Addition) -> NodeId {
    match addition {
        Addition::Single(member) => member.node,
        Addition::Group(group) => *group,
    }
}

/// How many octets a string of so many octets takes with its head.
fn string(count: u64) -> u64 {
    cbor::head_octets(count).saturating_add(count)
}

fn strings(fewest: u64, most: Option<u64>) -> LengthBounds {
    octets(string(fewest), most.map(string))
}

fn octets(fewest: u64, most: Option<u64>) -> LengthBounds {
    LengthBounds::between(fewest.saturating_mul(8), most.and_then(|most| most.checked_mul(8)))
}

fn octets_of(count: u64) -> LengthBounds {
    octets(count, Some(count))
}
