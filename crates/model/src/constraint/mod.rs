//! Effective constraints (X.691 §10.3): only the PER-visible parts of the subtype notation,
//! intersected with the constraints of every parent. A [`Constraint`] has what they do not express.

mod pattern;
mod set;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use roadwire_wire::rt::RealContents;

pub use pattern::Expression;
pub use set::{Constraint, Inner, InnerPresence, ValueSet};

/// One end of a range; `None` is MIN or MAX.
pub type Bound = Option<BigInt>;

/// The effective value constraint of an INTEGER.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IntegerRange {
    /// Smallest root value; `None` without a lower bound.
    pub lower: Bound,
    /// Greatest root value; `None` without an upper bound.
    pub upper: Bound,
    /// Whether the outermost constraint has an extension marker: values outside the root are then
    /// valid too.
    pub extensible: bool,
}

/// The effective inner constraints on the type that is associated with REAL (X.680 §21.5): a value
/// is the mantissa times the base to the power of the exponent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RealParts {
    /// The mantissa.
    pub mantissa: IntegerRange,
    /// The base, which is 2 or 10.
    pub base: IntegerRange,
    /// The exponent.
    pub exponent: IntegerRange,
}

impl RealParts {
    /// Whether a number is such a product. All special values (infinities, NOT-A-NUMBER, minus
    /// zero), which have no parts, count as one; if the base may be 10, numbers are not checked.
    #[must_use]
    pub fn admits(&self, value: f64) -> bool {
        !self.is_binary() || RealContents::is_product(value, self.mantissa.narrow(), self.exponent.narrow())
    }

    /// Whether the base is 2.
    #[must_use]
    pub fn is_binary(&self) -> bool {
        self.base.narrow() == (2, 2)
    }
}

/// The lasting range if there is an extension marker.
static EVERY_INTEGER: IntegerRange = IntegerRange { lower: None, upper: None, extensible: true };

impl IntegerRange {
    /// The range of every value, of this and of later versions: without bounds if it is extensible.
    #[must_use]
    pub fn lasting(&self) -> &Self {
        if self.extensible { &EVERY_INTEGER } else { self }
    }

    /// The bounds as 64-bit integers; the least and the greatest of these if there are none, or if
    /// they do not fit.
    #[must_use]
    pub fn narrow(&self) -> (i64, i64) {
        let of = |bound: &BigInt| bound.to_i64().unwrap_or(if bound.is_negative() { i64::MIN } else { i64::MAX });
        (self.lower.as_ref().map_or(i64::MIN, of), self.upper.as_ref().map_or(i64::MAX, of))
    }
}

/// The effective size constraint of a string or of a SEQUENCE OF or SET OF, in characters, bits,
/// octets or elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Smallest root size; 0 without a constraint.
    pub lower: u64,
    /// Greatest root size; `None` without an upper bound.
    pub upper: Option<u64>,
    /// Whether the constraint has an extension marker.
    pub extensible: bool,
}

impl Size {
    /// The least and the greatest size of the root; `u64::MAX` without an upper bound.
    #[must_use]
    pub fn root(&self) -> (u64, u64) {
        (self.lower, self.upper.unwrap_or(u64::MAX))
    }

    /// The least and the greatest size (`u64::MAX` without an upper bound) of every value, of this
    /// and of later versions: 0 and `u64::MAX` if the size is extensible.
    #[must_use]
    pub fn lasting(&self) -> (u64, u64) {
        if self.extensible { (0, u64::MAX) } else { self.root() }
    }

    /// The size, if the root allows only one.
    #[must_use]
    pub fn fixed(&self) -> Option<u64> {
        (self.upper == Some(self.lower)).then_some(self.lower)
    }
}

/// An effective permitted alphabet (FROM) of a known-multiplier string: its characters in ascending
/// order, none twice.
///
/// Ranges are kept as given, so an alphabet of all of Unicode stays small.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alphabet {
    /// Disjoint ascending ranges of code points, both ends included.
    pub ranges: Vec<(u32, u32)>,
}

impl Alphabet {
    /// How many characters there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.ranges.iter().map(|(a, b)| u64::from(b - a) + 1).sum()
    }

    /// Whether the character with this code point is one of them.
    #[must_use]
    pub fn contains(&self, code: u32) -> bool {
        self.ranges.iter().any(|(a, b)| (*a..=*b).contains(&code))
    }

    /// The greatest code point, or 0 in an empty alphabet.
    #[must_use]
    pub fn greatest(&self) -> u32 {
        self.ranges.last().map_or(0, |r| r.1)
    }
}
