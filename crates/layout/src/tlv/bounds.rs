//! How many bits the nodes take, and their other properties.

use roadwire_wire::rt::{TwosComplement, tlv};

use super::contents::Contents;
use super::node::TlvNode;
use crate::length_bounds::{Bits, LengthBounds, Values};
use crate::node::{Layout, NodeId, Presence, Span};
use crate::packed::bounds::REAL_OCTETS;

impl TlvNode {
    /// Whether components may be absent.
    pub(crate) fn has_optional_parts(&self, layout: &Layout) -> bool {
        let TlvNode::Record { members, additions, .. } = *self else { return false };
        additions.is_some() || layout.members(members).iter().any(|member| member.presence != Presence::Mandatory)
    }

    /// Whether it is an integer or enumeration; all take as much as the value needs.
    pub(crate) fn is_number(&self) -> bool {
        let TlvNode::Primitive { contents, .. } = self else { return false };
        matches!(contents, Contents::Integer { .. } | Contents::WideInteger { .. } | Contents::Enumerated { .. })
    }

    /// Whether it can hold additions of a later version.
    pub(crate) fn keeps_additions(&self) -> bool {
        match self {
            TlvNode::Record { additions, .. } => additions.is_some(),
            TlvNode::Choice { extensible, .. } => *extensible,
            TlvNode::Tagged { .. } | TlvNode::Primitive { .. } | TlvNode::List { .. } | TlvNode::Open { .. } => false,
        }
    }

    /// How many bits it takes.
    pub(crate) fn length_bounds(
        &self,
        layout: &Layout,
        values: Values,
        mut of: impl FnMut(NodeId) -> LengthBounds,
    ) -> LengthBounds {
        match *self {
            TlvNode::Tagged { identifier, contents, indefinite } => framed(identifier, of(contents).at(0), indefinite),
            TlvNode::Primitive { identifier, contents, indefinite } => {
                let bits = contents.bits(layout, values).at(0);
                match contents.segments() {
                    Some(_) if indefinite => {
                        let unused = u64::from(matches!(contents, Contents::Bits { .. }));
                        segmented(identifier, bits, unused)
                    }
                    _ => framed(identifier, bits, false),
                }
            }
            TlvNode::Record { members, additions, .. } => {
                let mut sum = LengthBounds::exactly(0);
                for (at, member) in layout.members(members).iter().enumerate() {
                    let one = of(member.node);
                    let added = additions.is_some_and(|additions| additions.range().contains(&at));
                    sum = sum.then(if added || member.presence != Presence::Mandatory { one.or_absent() } else { one });
                }
                sum
            }
            TlvNode::Choice { alternatives, extensible, .. } => {
                let known = layout.alternatives(alternatives).iter().map(|one| of(one.node)).reduce(LengthBounds::or);
                // An alternative of a later version has identifier and length.
                let known = known.unwrap_or(LengthBounds::exactly(16));
                let has_unknown = values.go_beyond(extensible);
                if has_unknown { known.or_shorter(LengthBounds::exactly(16)) } else { known }
            }
            TlvNode::List { lower, upper, element, .. } => of(element).times(lower, upper),
            TlvNode::Open { .. } => LengthBounds::unbounded(16),
        }
    }
}

impl Contents {
    /// How many bits they take.
    #[must_use]
    pub(crate) fn bits(&self, layout: &Layout, values: Values) -> LengthBounds {
        let octets = |fewest: u64, most: Option<u64>| {
            LengthBounds::between(fewest.saturating_mul(8), most.and_then(|most| most.checked_mul(8)))
        };
        let of = |value: i64| TwosComplement::signed(value.into()).octets().len() as u64;
        let units = |upper: u64, width: u64| Some(upper).filter(|upper| *upper < u64::MAX)?.checked_mul(width);
        match *self {
            Contents::Null => octets(0, Some(0)),
            Contents::Boolean => octets(1, Some(1)),
            Contents::Integer { lower, upper } => {
                let least = if lower <= 0 && upper >= -1 { 1 } else { of(lower).min(of(upper)) };
                octets(least, Some(of(lower).max(of(upper))))
            }
            Contents::WideInteger { lower, upper } => {
                let is_negative = |bound: &Span| layout.octets(*bound).first().is_some_and(|first| *first >= 0x80);
                // The bound that keeps zero and -1 out.
                let nearest = lower.filter(|lower| !is_negative(lower)).or(upper.filter(is_negative));
                let most = lower.zip(upper).map(|(lower, upper)| lower.count.max(upper.count).into());
                octets(nearest.map_or(1, |nearest| nearest.count.into()), most)
            }
            Contents::Enumerated { values: items, extensible, .. } => {
                let unknown = values.go_beyond(extensible).then_some(UNKNOWN_ITEM_OCTETS).into_iter().flatten();
                let widths = || item_values(layout, items).map(|(number, _)| of(number)).chain(unknown.clone());
                octets(widths().min().unwrap_or(1), Some(widths().max().unwrap_or(1)))
            }
            Contents::Real => octets(0, Some(REAL_OCTETS)),
            Contents::Oid { .. } => octets(1, None),
            Contents::Bits { lower, upper, trim } => {
                let fewest = trim.map_or(lower, |trim| trim.min(lower));
                octets(1 + fewest.div_ceil(8), units(upper, 1).map(|upper| 1 + upper.div_ceil(8)))
            }
            Contents::Octets { lower, upper } => octets(lower, units(upper, 1)),
            Contents::Characters { lower, upper, width, .. } => {
                octets(lower.saturating_mul(width.into()), units(upper, width.into()))
            }
            Contents::Utf8 { lower, upper } => octets(lower, units(upper, 4)),
            // Codecs do not check their form.
            Contents::UtcTime | Contents::GeneralizedTime | Contents::Duration => octets(0, None),
            Contents::Digits { pattern } => {
                let digits = layout.name(pattern).bytes().filter(|octet| *octet == b'0').count() as u64;
                octets(digits, Some(digits))
            }
            Contents::Time { .. } => octets(2, None),
        }
    }
}

/// The fewest and the most octets of the number of an unknown item
/// ([`ordinal_of_unknown_item`](roadwire_wire::ordinal_of_unknown_item)).
const UNKNOWN_ITEM_OCTETS: [u64; 2] = [1, 4];

/// The numbers of an enumeration's items, ascending, each with its ordinal.
pub fn item_values(layout: &Layout, values: Span) -> impl DoubleEndedIterator<Item = (i64, u32)> + Clone + '_ {
    layout.numbers(values).chunks_exact(3).map(|item| match item {
        [high, low, ordinal] => ((u64::from(*high) << 32 | u64::from(*low)) as i64, *ordinal),
        _ => (0, u32::MAX),
    })
}

/// Adds the identifier and length octets to contents of `contents` bits.
pub(crate) fn framed(identifier: tlv::Identifier, contents: Bits, indefinite: bool) -> LengthBounds {
    // An indefinite length, and the two octets at the end of the contents.
    let around = |bits: u64| front(identifier) + if indefinite { 24 } else { length(bits / 8) };
    LengthBounds::between(
        contents.fewest.saturating_add(around(contents.fewest)),
        contents.most.and_then(|most| most.checked_add(around(most))),
    )
}

/// The same of a string, which has segments of 1000 octets if it is longer (X.690 §9.2). Those of a
/// BIT STRING begin with an octet that says how many bits are unused.
fn segmented(identifier: tlv::Identifier, contents: Bits, unused: u64) -> LengthBounds {
    const SEGMENT: u64 = 1000;
    let whole = |bits: u64| {
        let octets = bits / 8;
        if octets <= SEGMENT {
            return bits.checked_add(front(identifier) + length(octets));
        }
        let inside = octets - unused;
        let full = inside.div_ceil(SEGMENT - unused) - 1;
        let last = inside - full * (SEGMENT - unused) + unused;
        let segments = full.checked_mul(8 + length(SEGMENT) + SEGMENT * 8)?;
        segments.checked_add(front(identifier) + 24 + 8 + length(last) + last * 8)
    };
    LengthBounds::between(whole(contents.fewest).unwrap_or(u64::MAX), contents.most.and_then(whole))
}

/// The bits of an identifier.
fn front(identifier: tlv::Identifier) -> u64 {
    tlv::identifier_octets(identifier).as_slice().len() as u64 * 8
}

/// The bits of the length octets before so many octets.
fn length(octets: u64) -> u64 {
    tlv::length_octets(usize::try_from(octets).unwrap_or(usize::MAX)).as_slice().len() as u64 * 8
}
