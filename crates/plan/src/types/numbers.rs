//! Integers in memory.

use num_traits::ToPrimitive;
use roadwire_model::{BigInt, IntegerRange, TypeId};

use crate::error::PlanError;
use crate::options::{Integers, Options};
use crate::plan::Int;
use crate::types::{Repr, Types};

/// Integers beyond 64 bits whose bounds take up to this many octets have these in place.
const INLINE_INTEGER: u64 = 64;

impl Types<'_> {
    /// The primitive in which an integer is encoded and decoded; for one of any length the widest,
    /// beyond which it is left to the interpreter.
    pub fn int(&self, id: TypeId) -> Option<Int> {
        match self.repr(id) {
            Repr::Integer(int) => Some(*int),
            Repr::AnyInteger => Some(Int::I64),
            _ => None,
        }
    }

    /// Whether an integer has its own octets in memory, in plans that stand alone.
    pub(crate) fn is_wide(&self, id: TypeId) -> bool {
        self.stands_alone() && matches!(self.repr(id), Repr::AnyInteger | Repr::WideInteger(_))
    }
}

/// How an integer is held. No interpreter stands behind types that stand alone: if its bounds do
/// not fit into 64 bits, it has its octets then.
pub(super) fn integer(range: &IntegerRange, options: &Options, name: impl Fn() -> String) -> Result<Repr, PlanError> {
    if !options.stands_alone {
        return word(range, options.integers, name);
    }
    let word = word(range, Integers::Word, name);
    let word = word.ok().filter(|word| matches!(word, Repr::Integer(int) if has_bounds_in(*int, range)));
    Ok(match (word, &range.lower, &range.upper) {
        (Some(word), Some(_), Some(_)) => word,
        (Some(word), ..) if options.integers == Integers::Word => word,
        (None, Some(lower), Some(upper)) if !range.extensible => match octets_of(lower).max(octets_of(upper)) {
            octets @ ..=INLINE_INTEGER => Repr::WideInteger(octets),
            _ => Repr::AnyInteger,
        },
        _ => Repr::AnyInteger,
    })
}

/// Whether 64 bits hold the bounds.
fn has_bounds_in(int: Int, range: &IntegerRange) -> bool {
    let (least, most) = int.bounds();
    let is_in = |bound: &BigInt| *bound >= BigInt::from(least) && *bound <= BigInt::from(most);
    int.bits <= 64 && [&range.lower, &range.upper].into_iter().flatten().all(is_in)
}

fn octets_of(bound: &BigInt) -> u64 {
    bound.to_signed_bytes_be().len() as u64
}

/// The smallest primitive that holds every root value; if values outside the root are valid too,
/// the 64-bit one.
fn word(range: &IntegerRange, unbounded: Integers, name: impl Fn() -> String) -> Result<Repr, PlanError> {
    let lower = range.lower.as_ref().map(|bound| bound.to_i128());
    let upper = range.upper.as_ref().map(|bound| bound.to_i128());
    let is_wide = matches!(lower, Some(None)) || matches!(upper, Some(None));
    let is_unbounded = lower.is_none() || upper.is_none();
    if unbounded == Integers::AnyLength && (is_wide || is_unbounded) {
        return Ok(Repr::AnyInteger);
    }
    let too_wide = || PlanError(format!("{}: an integer beyond 127 bits does not fit into a machine word", name()));
    if range.extensible {
        // Numbers outside the root may be negative.
        let fits =
            |bound: Option<Option<i128>>| bound.is_none_or(|bound| bound.is_some_and(|of| i64::try_from(of).is_ok()));
        return Ok(Repr::Integer(if fits(lower) && fits(upper) { Int::I64 } else { Int::I128 }));
    }
    let (lower, upper) = match (lower, upper) {
        (Some(None), _) | (_, Some(None)) => return Err(too_wide()),
        (Some(Some(lower)), Some(Some(upper))) => (lower, upper),
        (Some(Some(0..)), None) => return Ok(Repr::Integer(Int::U64)),
        _ => return Ok(Repr::Integer(Int::I64)),
    };
    let holds = |int: &Int| {
        let (least, most) = int.bounds();
        lower >= least && upper <= most
    };
    Int::ALL.into_iter().find(holds).map(Repr::Integer).ok_or_else(too_wide)
}
