//! Contents octets: what lies behind identifier and length octets, which tell where it ends (X.690 §8.2 to §8.26).

use roadwire_wire::TwosComplement;
use roadwire_wire::tlv;

use crate::node::{Layout, Name, Span};
use crate::stretch::{Bits, Stretch};

/// The contents octets of a value that does not consist of other values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// No octets (X.690 §8.8).
    Null,
    /// One octet: 0 for FALSE, written as 255 for TRUE (§8.2, §11.1).
    Boolean,
    /// A number in two's complement, in the fewest octets (§8.3).
    Integer {
        /// Smallest value.
        lower: i64,
        /// Greatest value.
        upper: i64,
    },
    /// The same with bounds that are wider, or not there: two's complement octets in [`Layout::octets`].
    WideInteger {
        /// Smallest value.
        lower: Option<Span>,
        /// Greatest value.
        upper: Option<Span>,
    },
    /// The number that an item stands for (§8.4).
    Enumerated {
        /// The items by their numbers, ascending, in [`Layout::numbers`]: upper and lower half of the number, and the ordinal.
        values: Span,
        /// Names by ordinal, in [`Layout::items`].
        items: Span,
        /// Whether there may be items that are not known. The ordinal of one is by how many numbers from 0 on, without the items' own, are below its number; after the known ones.
        extensible: bool,
    },
    /// REAL (§8.5), written in base 2 (§11.3.1).
    Real,
    /// OBJECT IDENTIFIER (or RELATIVE-OID) (§8.19, §8.20).
    Oid {
        /// Whether it is RELATIVE-OID.
        relative: bool,
    },
    /// A bit string, after an octet that tells how many bits of the last octet are not used (§8.6).
    Bits {
        /// Fewest bits.
        lower: u64,
        /// Most bits; `u64::MAX` without a bound.
        upper: u64,
        /// Where trailing zero bits carry no meaning: how many bits may be left when they are taken off.
        trim: Option<u64>,
    },
    /// An octet string (§8.7).
    Octets {
        /// Fewest octets.
        lower: u64,
        /// Most octets; `u64::MAX` without a bound.
        upper: u64,
    },
    /// Characters of a fixed width, by their codes (§8.23).
    Characters {
        /// Fewest characters.
        lower: u64,
        /// Most characters; `u64::MAX` without a bound.
        upper: u64,
        /// Octets for each: 1, 2 or 4.
        width: u8,
        /// The permitted alphabet: pairs of first and last code in [`Layout::numbers`], ascending.
        alphabet: Span,
    },
    /// UTF-8 text (§8.23.10).
    Utf8 {
        /// Fewest characters.
        lower: u64,
        /// Most characters; `u64::MAX` without a bound.
        upper: u64,
    },
    /// UTCTime, written in its canonical form (§11.8).
    UtcTime,
    /// GeneralizedTime, written in its canonical form (§11.7).
    GeneralizedTime,
    /// A time with any property settings, as text (§8.26).
    Time {
        /// The settings that a value has those of one of, as in [`Node::Time`](crate::Node::Time).
        settings: Span,
        /// Whether it is written with a full stop in front of a fraction, and without what is zero in a difference or a duration.
        canonical: bool,
    },
    /// Text of digits and, at fixed places, other characters, which are not sent (§8.26): `0000-00-00`, in which zeros stand for digits.
    Digits {
        /// The pattern.
        pattern: Name,
    },
    /// A duration without its first letter (§8.26.4).
    Duration,
}

impl Contents {
    /// Whether they may come in segments, each a value of its own (X.690 §8.6.4, §8.7.3, §8.23.6); the identifier of a segment.
    #[must_use]
    pub const fn segments(&self) -> Option<tlv::Identifier> {
        match self {
            Contents::Bits { .. } => Some(3),
            Contents::Octets { .. }
            | Contents::Characters { .. }
            | Contents::Utf8 { .. }
            | Contents::UtcTime
            | Contents::GeneralizedTime => Some(4),
            _ => None,
        }
    }

    /// How many bits they take.
    #[must_use]
    pub(crate) fn bits(&self, layout: &Layout) -> Stretch {
        let octets = |fewest: u64, most: Option<u64>| {
            Stretch::between(fewest.saturating_mul(8), most.and_then(|most| most.checked_mul(8)))
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
            Contents::WideInteger { .. } => octets(1, None),
            Contents::Enumerated { values, .. } => {
                let widths = || item_values(layout, values).map(|(number, _)| of(number));
                octets(widths().min().unwrap_or(1), Some(widths().max().unwrap_or(1)))
            }
            Contents::Real => octets(0, Some(11)),
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
            Contents::UtcTime => octets(11, Some(17)),
            Contents::GeneralizedTime => octets(10, None),
            Contents::Digits { pattern } => {
                let digits = layout.name(pattern).bytes().filter(|octet| *octet == b'0').count() as u64;
                octets(digits, Some(digits))
            }
            Contents::Time { .. } | Contents::Duration => octets(2, None),
        }
    }
}

/// The numbers of an enumeration's items, ascending, each with its ordinal.
pub fn item_values(layout: &Layout, values: Span) -> impl DoubleEndedIterator<Item = (i64, u32)> + Clone + '_ {
    layout.numbers(values).chunks_exact(3).map(|item| match item {
        [high, low, ordinal] => ((u64::from(*high) << 32 | u64::from(*low)) as i64, *ordinal),
        _ => (0, u32::MAX),
    })
}

/// Identifier octets, and the length octets of contents of so many bits.
pub(crate) fn framed(identifier: tlv::Identifier, contents: Bits, indefinite: bool) -> Stretch {
    let front = tlv::identifier_octets(identifier).as_slice().len() as u64 * 8;
    let around = |bits: u64| {
        let octets = bits / 8;
        let length = tlv::length_octets(usize::try_from(octets).unwrap_or(usize::MAX)).as_slice().len() as u64 * 8;
        front
            + match (indefinite, identifier & tlv::CONSTRUCTED != 0) {
                (true, true) => 24,
                // Segments: at most an identifier, a length and an octet more for each (X.690 §9.2).
                (true, false) if octets > 1000 => 24 + octets.div_ceil(999).saturating_mul(40),
                _ => length,
            }
    };
    Stretch::between(
        contents.fewest.saturating_add(around(contents.fewest)),
        contents.most.and_then(|most| most.checked_add(around(most))),
    )
}
