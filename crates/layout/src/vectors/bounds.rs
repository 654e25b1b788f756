//! How many bits the nodes take, and their other properties.

use roadwire_wire::rt::vectors;

use super::node::{Sort, Test, VectorNode};
use crate::length_bounds::LengthBounds;
use crate::node::{Layout, NodeId};

impl Layout {
    /// The tests of a record's next member, which are removed from the front of `rest`.
    pub fn next_tests<'l>(rest: &mut &'l [u32]) -> impl Iterator<Item = Test<'l>> + use<'l> {
        let (count, mut left) = rest.split_first().map_or((0, *rest), |(count, left)| (*count, left));
        let start = left;
        for _ in 0..count {
            left = split_test(left).map_or(&[], |(_, left)| left);
        }
        *rest = left;
        let mut left = start;
        (0..count).map_while(move |_| {
            let (test, behind) = split_test(left)?;
            left = behind;
            Some(test)
        })
    }
}

fn split_test(numbers: &[u32]) -> Option<(Test<'_>, &[u32])> {
    let ([component, sort, count], rest) = numbers.split_first_chunk()?;
    let (values, rest) = rest.split_at_checked(*count as usize)?;
    let test =
        Test { component: *component, sort: *Sort::ALL.get(*sort as usize / 2)?, negated: sort % 2 == 1, values };
    Some((test, rest))
}

impl VectorNode {
    /// Whether it can hold additions of a later version.
    pub(crate) fn keeps_additions(&self) -> bool {
        matches!(self, VectorNode::Item { extensible: true, .. } | VectorNode::Choice { extensible: true, .. })
    }

    /// For an integer or enumeration, whether its width depends on the value.
    pub(crate) fn number_varies(&self) -> Option<bool> {
        match self {
            VectorNode::Variable | VectorNode::Psid => Some(true),
            VectorNode::Item { .. } => Some(false),
            _ => None,
        }
    }

    /// Whether parts of it may be absent.
    pub(crate) fn has_optional_parts(&self) -> bool {
        matches!(self, VectorNode::Struct { .. })
    }

    /// How many bits it takes.
    pub(crate) fn length_bounds(&self, layout: &Layout, mut of: impl FnMut(NodeId) -> LengthBounds) -> LengthBounds {
        match *self {
            VectorNode::Variable => LengthBounds::between(8, Some(64)),
            VectorNode::Psid => LengthBounds::between(8, Some(32)),
            VectorNode::Item { bits, .. } => LengthBounds::exactly(bits.into()),
            VectorNode::Flags { octets } => LengthBounds::exactly(u64::from(octets) * 8),
            VectorNode::Choice { bits, extensible, alternatives, .. } => {
                let known = layout.alternatives(alternatives).iter().map(|one| of(one.node)).reduce(LengthBounds::or);
                let known = known.unwrap_or(LengthBounds::exactly(8));
                let any = if extensible { known.or_shorter(LengthBounds::exactly(8)) } else { known };
                LengthBounds::exactly(bits.into()).then(any)
            }
            VectorNode::Octets { field, lower, upper } => counted(field, lower, Some(upper)),
            VectorNode::Vector { field, floor, ceiling, lower, upper, element } => {
                let upper = if upper == u32::MAX { u64::MAX } else { upper.into() };
                let content = of(element).times(lower.into(), upper).at(0);
                let most = content.most.map_or(ceiling, |most| (most / 8).min(ceiling));
                counted(field, (content.fewest / 8).max(floor), Some(most))
            }
            VectorNode::Struct { members, tests, .. } => {
                let mut tests = layout.numbers(tests);
                layout.members(members).iter().fold(LengthBounds::exactly(0), |sum, member| {
                    let always = Layout::next_tests(&mut tests).next().is_none();
                    let one = of(member.node);
                    sum.then(if always { one } else { one.or_absent() })
                })
            }
        }
    }
}

/// From `fewest` to `most` octets after their length; without a bound if the greatest number cannot
/// occur.
fn counted(field: u8, fewest: u64, most: Option<u64>) -> LengthBounds {
    let length = |octets: u64| if field == 0 { u64::from(vectors::octets_of(octets)) } else { u64::from(field) / 8 };
    let whole = |octets: u64| octets.checked_add(length(octets))?.checked_mul(8);
    let most = most.filter(|most| *most <= vectors::GREATEST >> 8);
    LengthBounds::between(whole(fewest).unwrap_or(u64::MAX), most.and_then(whole))
}
