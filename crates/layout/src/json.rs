//! The node kinds of JSON text (RFC 8259).

use core::ops::Range;

use crate::node::{Layout, NodeId, Presence, Span};
use crate::stretch::Stretch;

/// What lies at one place of a JSON text. Decoders take any JSON that says the same: white space between tokens, any escapes, members in any order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JsonNode {
    /// All of the input: one value, and white space around it.
    Document {
        /// The value.
        content: NodeId,
    },
    /// `null`
    Nothing,
    /// `true` or `false`
    Truth,
    /// A number without fraction and exponent.
    Number {
        /// Smallest value; `i128::MIN` without a bound, and then there may be smaller ones than that.
        lower: i128,
        /// Greatest value; `i128::MAX` likewise.
        upper: i128,
    },
    /// A number, or a string for what JSON's numbers cannot say: `"-0"`, `"INF"`, `"-INF"`, `"NaN"`.
    Float,
    /// One of some names, as a string.
    Item {
        /// How many items are in the root.
        root: u32,
        /// How many additions, or `None` without an extension marker; with one, the string `...N` is the addition N that has no name yet.
        additions: Option<u32>,
        /// Names by ordinal, in [`Layout::items`].
        items: Span,
    },
    /// A bit string as hexadecimal digits in a string, zero bits filling up the last octet; alone where its size is known, else
    /// `{"value": digits, "length": bits}`.
    BitDigits {
        /// The size that is known.
        fixed: Option<u64>,
        /// Fewest bits.
        lower: u64,
        /// Most bits.
        upper: u64,
        /// Whether zero bits at the end are taken off and added as the size wants it (named bits).
        trim: bool,
    },
    /// Octets as hexadecimal digits in a string.
    Digits {
        /// Fewest octets.
        lower: u64,
        /// Most octets.
        upper: u64,
    },
    /// A string.
    Quoted {
        /// Fewest characters.
        lower: u64,
        /// Most characters.
        upper: u64,
        /// The permitted alphabet: pairs of first and last code in [`Layout::numbers`]; any character where it is empty.
        alphabet: Span,
    },
    /// An object identifier as a string of numbers with dots between.
    Dotted {
        /// Whether it is a relative one.
        relative: bool,
    },
    /// An array.
    Array {
        /// Fewest elements.
        lower: u64,
        /// Most elements.
        upper: u64,
        /// The element.
        element: NodeId,
    },
    /// An object with a member for each component.
    Object {
        /// How many components the type has.
        components: u32,
        /// The components in textual order.
        members: Span,
        /// Members that are there together or not at all, those aside that may be absent by themselves: pairs of first place and count, in [`Layout::numbers`].
        groups: Span,
        /// How many extension additions are known (a group is one).
        additions: u32,
        /// Whether there may be others: members `"...N": octets` for those that came in another encoding, and what `others` says.
        extensible: bool,
        /// What becomes of other members.
        others: Others,
        /// Whether one of its members is a [`Node::Key`](crate::Node::Key) or has one inside, which then has to be looked at before the others.
        keyed: bool,
    },
    /// An object with one member, an alternative.
    Single {
        /// The alternatives in textual order.
        alternatives: Span,
        /// How many of them are extension additions.
        additions: u32,
        /// Whether there may be another: `{"...N": octets}`, and what `others` says.
        extensible: bool,
        /// What becomes of another one.
        others: Others,
    },
    /// The octets of an encoding as hexadecimal digits in a string: an open type of which nothing says what is in it.
    OpenDigits,
    /// A value of the type that is in this row of a table ([`Node::Key`](crate::Node::Key)); `{"...": digits}` where the message in memory keeps octets.
    Selected {
        /// Where the row is.
        slot: u32,
        /// Each row's type: nodes in [`Layout::numbers`].
        rows: Span,
    },
}

/// What becomes of a member, or an alternative, that the type does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// It is an error.
    Refused,
    /// It is passed over.
    Ignored,
    /// It is kept: its name and its value as they stand in the text.
    Kept,
}

impl JsonNode {
    /// How much is written: fewest bits, and most. A character of a string takes from one octet to six.
    pub(crate) fn stretch(&self, layout: &Layout, mut of: impl FnMut(NodeId) -> Stretch) -> Stretch {
        let quoted = |lower: u64, upper: u64, least: u64, most: u64| {
            octets(
                lower.saturating_mul(least).saturating_add(2),
                upper.checked_mul(most).and_then(|count| count.checked_add(2)),
            )
        };
        let named = |name, content| octets_of(3 + layout.name(name).len() as u64).then(content);
        match *self {
            JsonNode::Document { content } => of(content),
            JsonNode::Nothing => octets_of(4),
            JsonNode::Truth => octets(4, Some(5)),
            JsonNode::Number { lower, upper } => {
                let bounded = lower != i128::MIN && upper != i128::MAX;
                // The shortest number between bounds on both sides of zero is zero.
                let fewest = if lower <= 0 && upper >= 0 { 1 } else { digits(lower).min(digits(upper)) };
                octets(fewest, bounded.then(|| digits(lower).max(digits(upper))))
            }
            JsonNode::Float => octets(3, Some(26)),
            JsonNode::Item { additions, items, .. } => {
                let names = layout.items.get(items.range()).unwrap_or(&[]);
                let known = names.iter().map(|name| octets_of(u64::from(name.count) + 2)).reduce(Stretch::or);
                let unknown = octets_of("\"...0\"".len() as u64);
                match (known, additions) {
                    (Some(known), None) => known,
                    (Some(known), Some(_)) => known.or_shorter(unknown),
                    (None, _) => unknown,
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
            JsonNode::Quoted { lower, upper, .. } => quoted(lower, upper, 1, 6),
            JsonNode::Dotted { relative } => octets(if relative { 3 } else { 5 }, None),
            JsonNode::OpenDigits => octets(2, None),
            JsonNode::Selected { .. } => octets(1, None),
            JsonNode::Array { lower, upper, element } => {
                // A comma is in front of each element but the first.
                let more = octets_of(1).then(of(element)).times(lower.saturating_sub(1), upper.saturating_sub(1));
                let some = octets_of(2).then(of(element)).then(more);
                if lower == 0 { some.or(octets_of(2)) } else { some }
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
                let known = list.iter().map(|one| named(one.name, of(one.node))).reduce(Stretch::or);
                let unknown = octets_of(r#""...0":"""#.len() as u64);
                octets_of(2).then(match known {
                    Some(known) if extensible => known.or_shorter(unknown),
                    known => known.unwrap_or(unknown),
                })
            }
        }
    }

    pub(crate) fn has_optional_members(&self, layout: &Layout) -> bool {
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

fn octets(fewest: u64, most: Option<u64>) -> Stretch {
    Stretch::between(fewest.saturating_mul(8), most.and_then(|most| most.checked_mul(8)))
}

fn octets_of(count: u64) -> Stretch {
    octets(count, Some(count))
}

/// How many octets a number takes.
fn digits(value: i128) -> u64 {
    u64::from(value < 0) + 1 + u64::from(value.unsigned_abs().checked_ilog10().unwrap_or(0))
}

fn decimals(value: u64) -> u64 {
    digits(value.into())
}
