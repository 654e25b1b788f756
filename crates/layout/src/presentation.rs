//! The node kinds of the presentation language of TS 103 097 V1 and IEEE 1609.2-2013: all are whole octets. What they have in common with other encodings (integers of fixed width, strings and
//! lists of fixed size, records of mandatory components) are the nodes that these have.

use roadwire_wire::ones;

use crate::node::{Layout, NodeId, Span};
use crate::stretch::Stretch;

/// What lies at one place of such an encoding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PresentationNode {
    /// A number in as many octets as the ones say that it begins with (IntX).
    Variable,
    /// The same, counted on from one number of octets to the next (PSID).
    Psid,
    /// An enumeration item's number.
    Item {
        /// In how many bits.
        bits: u8,
        /// Whether other numbers are kept.
        extensible: bool,
        /// The items' numbers, by ordinal, in [`Layout::numbers`].
        values: Span,
        /// Names by ordinal, in [`Layout::items`].
        items: Span,
    },
    /// A bit string of seven bits an octet, behind as many ones as there are further octets, and a zero.
    Flags {
        /// How many octets.
        octets: u8,
    },
    /// A number, and then the alternative that has it. One that none has is followed by octets after their length, and kept.
    Choice {
        /// In how many bits the number is.
        bits: u8,
        /// Whether other numbers are kept.
        extensible: bool,
        /// The alternatives.
        alternatives: Span,
        /// Their numbers in [`Layout::numbers`].
        numbers: Span,
    },
    /// An octet string after its length.
    Octets {
        /// In how many bits the length is; 0: in as many octets as it takes.
        field: u8,
        /// Fewest octets.
        lower: u64,
        /// Most octets.
        upper: u64,
    },
    /// Elements one after the other, up to where the octets end whose number is in front.
    Vector {
        /// In how many bits that is; 0: in as many octets as it takes.
        field: u8,
        /// Fewest octets.
        floor: u64,
        /// Most octets.
        ceiling: u64,
        /// Fewest elements.
        lower: u32,
        /// Most elements.
        upper: u32,
        /// The element.
        element: NodeId,
    },
    /// Components one after the other, of which some are there only when earlier ones say so.
    Struct {
        /// How many components the type has.
        components: u32,
        /// The components; a mandatory one has no tests.
        members: Span,
        /// In [`Layout::numbers`]: for each member the number of its tests, and of each test what [`Test`] has: component, twice the place of the sort and one more if negated, the number of values, and these.
        tests: Span,
    },
}

/// What an earlier component has to be for another one to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test<'l> {
    /// The component, by its place in textual order.
    pub component: u32,
    /// What the values are.
    pub sort: Sort,
    /// Whether it has to be none of them instead.
    pub negated: bool,
    /// The values.
    pub values: &'l [u32],
}

/// What a test's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Ordinals of enumeration items.
    Items,
    /// Integers.
    Numbers,
    /// Bits of which one has to be 1, by place.
    Bits,
    /// Alternatives, in textual order.
    Alternatives,
    /// Alternatives of which some element of the list has to be.
    Elements,
}

impl Sort {
    /// All, in the order of their numbers.
    pub const ALL: [Sort; 5] = [Sort::Items, Sort::Numbers, Sort::Bits, Sort::Alternatives, Sort::Elements];
}

impl Layout {
    /// The tests of a record's members, member by member: takes those of the first one off `rest`.
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

impl PresentationNode {
    /// Whether parts of it may be absent.
    pub(crate) fn has_optional_parts(&self) -> bool {
        matches!(self, PresentationNode::Struct { .. })
    }

    /// How many bits it takes.
    pub(crate) fn stretch(&self, layout: &Layout, mut of: impl FnMut(NodeId) -> Stretch) -> Stretch {
        match *self {
            PresentationNode::Variable => Stretch::between(8, Some(64)),
            PresentationNode::Psid => Stretch::between(8, Some(32)),
            PresentationNode::Item { bits, .. } => Stretch::exactly(bits.into()),
            PresentationNode::Flags { octets } => Stretch::exactly(u64::from(octets) * 8),
            PresentationNode::Choice { bits, extensible, alternatives, .. } => {
                let known = layout.alternatives(alternatives).iter().map(|one| of(one.node)).reduce(Stretch::or);
                let known = known.unwrap_or(Stretch::exactly(8));
                let any = if extensible { known.or_shorter(Stretch::exactly(8)) } else { known };
                Stretch::exactly(bits.into()).then(any)
            }
            PresentationNode::Octets { field, lower, upper } => counted(field, lower, Some(upper)),
            PresentationNode::Vector { field, floor, ceiling, lower, upper, element } => {
                let upper = if upper == u32::MAX { u64::MAX } else { upper.into() };
                let content = of(element).times(lower.into(), upper).at(0);
                let most = content.most.map_or(ceiling, |most| (most / 8).min(ceiling));
                counted(field, (content.fewest / 8).max(floor), Some(most))
            }
            PresentationNode::Struct { members, tests, .. } => {
                let mut tests = layout.numbers(tests);
                layout.members(members).iter().fold(Stretch::exactly(0), |sum, member| {
                    let always = Layout::next_tests(&mut tests).next().is_none();
                    let one = of(member.node);
                    sum.then(if always { one } else { one.or_absent() })
                })
            }
        }
    }
}

/// From `fewest` to `most` octets after their length; without a bound where nobody has so many.
fn counted(field: u8, fewest: u64, most: Option<u64>) -> Stretch {
    let length = |octets: u64| if field == 0 { u64::from(ones::octets_of(octets)) } else { u64::from(field) / 8 };
    let whole = |octets: u64| octets.checked_add(length(octets))?.checked_mul(8);
    let most = most.filter(|most| *most <= ones::GREATEST >> 8);
    Stretch::between(whole(fewest).unwrap_or(u64::MAX), most.and_then(whole))
}
