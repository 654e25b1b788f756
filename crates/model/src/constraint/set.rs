//! Constraints that are more than their PER-visible part: sets of values, as X.680 §50 and §51
//! write them.

use roadwire_wire::rt::time::Settings;

use super::pattern::Expression;
use super::{Bound, RealParts};
use crate::value::Value;

/// A constraint that the type's [`Kind`](crate::Kind) does not fully express: which values of the
/// parent type it allows.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// As written, without comments and with single spaces.
    pub text: String,
    /// The values that it allows.
    pub set: ValueSet,
}

/// A set of values of one type. Values of another type are in every set: it is not up to a
/// constraint to refuse them.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueSet {
    /// All values.
    All,
    /// One value.
    Value(Value),
    /// Integers in one of these ascending disjoint ranges.
    Integers(Vec<(Bound, Bound)>),
    /// Real numbers in a range: each end, if there is one, and whether it belongs to the range.
    Reals(Option<(f64, bool)>, Option<(f64, bool)>),
    /// Real numbers with such a mantissa, base and exponent.
    Parts(Box<RealParts>),
    /// Strings and lists of a size in one of these ascending disjoint ranges; `u64::MAX` means no
    /// upper bound.
    Sizes(Vec<(u64, u64)>),
    /// Strings of characters in these ranges of code points.
    Characters(Vec<(u32, u32)>),
    /// Strings that a regular expression matches.
    Pattern(Expression),
    /// Times that have one of these sets of property settings.
    Settings(Vec<Settings>),
    /// Lists all of whose elements are in a set (WITH COMPONENT).
    Elements(Box<Constraint>),
    /// Structures whose components, and choices whose alternatives, satisfy these constraints (WITH
    /// COMPONENTS).
    Components(Vec<Inner>),
    /// Values in one of these sets.
    Union(Vec<ValueSet>),
    /// Values in each of these sets.
    Intersection(Vec<ValueSet>),
    /// Values that are not in a set.
    Not(Box<ValueSet>),
}

/// A part of WITH COMPONENTS, for a component or alternative.
#[derive(Clone, Debug, PartialEq)]
pub struct Inner {
    /// Its index among the components or alternatives.
    pub place: u32,
    /// Whether it must be present.
    pub presence: InnerPresence,
    /// Its text, as written.
    pub text: String,
    /// The values that it may have, if present.
    pub constraint: Option<Constraint>,
}

/// Whether a component must be present (X.680 §51.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InnerPresence {
    /// It must be present.
    Present,
    /// It must be absent. A component with a DEFAULT then has that value.
    Absent,
    /// Either way.
    Free,
}

impl ValueSet {
    /// How many sets it consists of.
    #[must_use]
    pub fn weight(&self) -> usize {
        let inside = match self {
            ValueSet::Union(sets) | ValueSet::Intersection(sets) => sets.iter().map(ValueSet::weight).sum(),
            ValueSet::Not(set) => set.weight(),
            ValueSet::Elements(inner) => inner.set.weight(),
            ValueSet::Components(inners) => {
                inners.iter().map(|inner| 1 + inner.constraint.as_ref().map_or(0, |one| one.set.weight())).sum()
            }
            ValueSet::Integers(ranges) => ranges.len(),
            ValueSet::Sizes(ranges) => ranges.len(),
            ValueSet::Characters(ranges) => ranges.len(),
            ValueSet::Pattern(expression) => expression.steps.len(),
            _ => 0,
        };
        1 + inside
    }
}
