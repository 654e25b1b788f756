//! Contents octets: what follows the identifier and length octets (X.690 §8.2 to §8.26).

use roadwire_wire::rt::tlv;

use crate::index::{Items, Name, Span};

/// The contents octets of a value that is not composed of other values.
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
    /// The same with wider bounds, or without: two's complement octets in
    /// [`Layout::octets`](crate::Layout::octets).
    WideInteger {
        /// Smallest value.
        lower: Option<Span>,
        /// Greatest value.
        upper: Option<Span>,
    },
    /// The number that an item stands for (§8.4).
    Enumerated {
        /// The items in ascending order of their numbers, in
        /// [`Layout::numbers`](crate::Layout::numbers): upper and lower half of the number, and the
        /// ordinal.
        values: Span,
        /// Names by ordinal, in [`Layout::items`](crate::Layout::items).
        items: Items,
        /// Whether there may be unknown items. The ordinal of an unknown item has its number
        /// ([`ordinal_of_unknown_item`](roadwire_wire::ordinal_of_unknown_item)).
        extensible: bool,
    },
    /// REAL (§8.5), written in base 2 (§11.3.1).
    Real,
    /// OBJECT IDENTIFIER (or RELATIVE-OID) (§8.19, §8.20).
    Oid {
        /// Whether it is RELATIVE-OID.
        relative: bool,
    },
    /// A bit string, after an octet with the number of unused bits in the last octet (§8.6).
    Bits {
        /// Fewest bits.
        lower: u64,
        /// Most bits; `u64::MAX` without a bound.
        upper: u64,
        /// If trailing zero bits have no meaning: the fewest bits that remain when they are
        /// removed.
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
        /// The permitted alphabet: pairs of first and last code in
        /// [`Layout::numbers`](crate::Layout::numbers), ascending.
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
        /// The allowed property settings, as in [`Node::Time`](crate::Node::Time).
        settings: Span,
        /// Whether it is written with a full stop before a fraction, and without zero parts in a
        /// difference or a duration.
        canonical: bool,
    },
    /// Text of digits and, at fixed places, other characters, which are not sent (§8.26):
    /// `0000-00-00`, in which zeros stand for digits.
    Digits {
        /// The pattern.
        pattern: Name,
    },
    /// A duration without its first letter (§8.26.4).
    Duration,
}

impl Contents {
    /// The identifier of a segment, if the value may be split into segments (X.690 §8.6.4, §8.7.3,
    /// §8.23.6).
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
}
