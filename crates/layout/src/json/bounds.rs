//! How many bits the nodes take, and their other properties.

use core::ops::Range;

use super::node::JsonNode;
use crate::length_bounds::{LengthBounds, Values};
use crate::node::{Layout, NodeId, Presence, Span};
use crate::packed::bounds::utf8_octets;

impl JsonNode {
    /// Whether it can hold additions of a later version.
    pub(crate) fn keeps_additions(&self) -> bool {
        matches!(self, JsonNode::Object { extensible: true, .. } | JsonNode::Single { extensible: true, .. })
    }

    /// Whether it is an integer or enumeration; all take as much as the value needs.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self, JsonNode::Number { .. } | JsonNode::Item { .. })
    }

    /// The fewest and most bits that are written. A character of a string takes one to six octets.
    pub(crate) fn length_bounds(
        &self,
        layout: &Layout,
        values: Values,
        mut of: impl FnMut(NodeId) -> LengthBounds,
    ) -> LengthBounds {
        let quoted = |lower: u64, upper: u64, least: u64, most: u64| {
            octets(
                lower.saturating_mul(least).saturating_add(2),
                upper.checked_mul(most).and_then(|count| count.checked_add(2)),
            )
        };
        let named = |name, content| octets_of(3 + layout.name(name).len() as u64).then(content);
        match *self {
            JsonNode::Document { content } | JsonNode::Conditional { object: content, .. } => of(content),
            JsonNode::Nothing => octets_of(4),
            JsonNode::Truth => octets(4, Some(5)),
            JsonNode::Number { lower, upper } => {
                let bounded = lower != i128::MIN && upper != i128::MAX;
                // The shortest number between bounds on both sides of zero is zero.
                let fewest = if lower <= 0 && upper >= 0 { 1 } else { digits(lower).min(digits(upper)) };
                octets(fewest, bounded.then(|| digits(lower).max(digits(upper))))
            }
            // `-1.2345678901234567e-300`
            JsonNode::Float => octets(3, Some(24)),
            JsonNode::Item { additions, items, .. } => {
                let names = layout.items.get(items.range()).unwrap_or(&[]);
                let known = names.iter().map(|name| octets_of(u64::from(name.len()) + 2)).reduce(LengthBounds::or);
                let unknown = octets("\"...0\"".len() as u64, Some("\"...(-1073741824)\"".len() as u64));
                match (known, additions) {
                    (Some(known), Some(_)) if values == Values::All => known.or(unknown),
                    (known, _) => known.unwrap_or(unknown),
                }
            }
            JsonNode::BitDigits { fixed: Some(bits), .. } => {
                octets_of(bits.div_ceil(8).saturating_mul(2).saturating_add(2))
            }
            JsonNode::BitDigits { lower, upper, .. } => {
                let frame = r#"{"value":"","length":}"#.len() as u64;
                let all = |bits: u64| bits.div_ceil(8).checked_mul(2)?.checked_add(frame + decimals(bits));
                let (fewest, most) = (all(lower), all(upper));
                octets(fewest.unwrap_or(u64::MAX), most.filter(|_| upper < u64::MAX))
            }
            JsonNode::Digits { lower, upper } => quoted(lower, upper, 2, 2),
            JsonNode::Quoted { lower, upper, alphabet } => {
                let (least, most) = widths(layout.numbers(alphabet));
                quoted(lower, upper, least, most)
            }
            JsonNode::Dotted { relative } => octets(if relative { 3 } else { 5 }, None),
            JsonNode::OpenDigits => octets(2, None),
            JsonNode::Selected { .. } => octets(1, None),
            JsonNode::Array { lower, upper, element } => {
                // Each element but the first has a comma in front.
                let more = octets_of(1).then(of(element)).times(lower.saturating_sub(1), upper.saturating_sub(1));
                let some = octets_of(2).then(of(element)).then(more);
                match (lower, upper) {
                    (_, 0) => octets_of(2),
                    (0, _) => some.or(octets_of(2)),
                    _ => some,
                }
            }
            JsonNode::Object { members, .. } => {
                let (mut sum, mut sure) = (octets_of(2), 0);
                for (at, member) in layout.members(members).iter().enumerate() {
                    let one = named(member.name, of(member.node));
                    let absent = self.may_be_absent(layout, at);
                    sure += u64::from(!absent);
                    sum = sum.then(if absent { one.or_absent() } else { one });
                }
                let commas = |count: u64| count.saturating_sub(1);
                sum.then(octets(commas(sure), Some(commas(members.count.into()))))
            }
            JsonNode::Single { alternatives, extensible, .. } => {
                let list = layout.alternatives(alternatives);
                let known = list.iter().map(|one| named(one.name, of(one.node))).reduce(LengthBounds::or);
                let unknown = octets_of(r#""...0":"""#.len() as u64);
                octets_of(2).then(match known {
                    Some(known) if values.go_beyond(extensible) => known.or_shorter(unknown),
                    known => known.unwrap_or(unknown),
                })
            }
        }
    }

    pub(crate) fn has_optional_parts(&self, layout: &Layout) -> bool {
        let JsonNode::Object { members, .. } = *self else { return false };
        (0..members.count as usize).any(|at| self.may_be_absent(layout, at))
    }

    /// Whether member `at` of an object may be absent.
    #[must_use]
    pub fn may_be_absent(&self, layout: &Layout, at: usize) -> bool {
        let JsonNode::Object { members, groups, .. } = *self else { return true };
        let mandatory = layout.members(members).get(at).is_some_and(|one| one.presence == Presence::Mandatory);
        !mandatory || layout.groups(groups).any(|group| group.contains(&at))
    }
}

impl Layout {
    /// The groups of an object, as ranges of its members.
    pub fn groups(&self, groups: Span) -> impl Iterator<Item = Range<usize>> + '_ {
        self.numbers(groups).chunks_exact(2).map(|pair| pair[0] as usize..pair[0] as usize + pair[1] as usize)
    }
}

fn octets(fewest: u64, most: Option<u64>) -> LengthBounds {
    LengthBounds::between(fewest.saturating_mul(8), most.and_then(|most| most.checked_mul(8)))
}

fn octets_of(count: u64) -> LengthBounds {
    octets(count, Some(count))
}

/// The fewest and the most octets of a character: control characters are escaped by their code,
/// quotation marks and backslashes by a backslash (RFC 8259 §7).
fn widths(alphabet: &[u32]) -> (u64, u64) {
    let has = |first: u32, last: u32| {
        alphabet.is_empty() || alphabet.chunks_exact(2).any(|range| range[0] <= last && first <= range[1])
    };
    let (least, most) = utf8_octets(alphabet);
    match (has(0, 0x1f), has(0x22, 0x22) || has(0x5c, 0x5c)) {
        (true, _) => (1, 6),
        (false, true) => (1, most.max(2)),
        (false, false) => (least, most),
    }
}

/// How many octets a number takes.
fn digits(value: i128) -> u64 {
    u64::from(value < 0) + 1 + u64::from(value.unsigned_abs().checked_ilog10().unwrap_or(0))
}

fn decimals(value: u64) -> u64 {
    digits(value.into())
}
