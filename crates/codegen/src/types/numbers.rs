//! Integers in memory.

use num_traits::ToPrimitive;
use roadwire_model::{IntegerRange, TypeId};

use crate::place::Place;
use crate::plan::Int;
use crate::types::{Repr, Types};
use crate::{GenerateError, Integers};

impl Types<'_> {
    /// The primitive in which an integer is encoded and decoded; for one of any length the widest,
    /// beyond which it is left to the interpreter.
    pub(crate) fn word(&self, id: TypeId) -> Option<&'static str> {
        match self.repr(id) {
            Repr::Integer(rust) => Some(rust),
            Repr::AnyInteger => Some("i64"),
            _ => None,
        }
    }

    /// The same, as data.
    pub(crate) fn int(&self, id: TypeId) -> Option<Int> {
        let rust = self.word(id)?;
        let all = [8, 16, 32, 64, 128].into_iter().flat_map(|bits| [false, true].map(|signed| Int { bits, signed }));
        all.into_iter().find(|int| int.rust() == rust)
    }

    /// The integer in a place, as such a primitive.
    pub(crate) fn number(&self, id: TypeId, place: &Place) -> String {
        match self.repr(id) {
            Repr::AnyInteger => format!("{}.to_i64().ok_or(wire::Rejected)?", place.object()),
            _ => place.value(),
        }
    }

    /// The statement that puts such a primitive into a place.
    pub(crate) fn set_number(&self, id: TypeId, place: &Place, number: &str) -> String {
        match self.repr(id) {
            Repr::AnyInteger => format!("{} = wire::Integer::new({number});", place.value()),
            _ => format!("{} = {number};", place.value()),
        }
    }
}

/// The smallest primitive that holds every root value; if values outside the root are valid too,
/// the 64-bit one.
pub(super) fn integer(range: &IntegerRange, unbounded: Integers, name: &str) -> Result<Repr, GenerateError> {
    let lower = range.lower.as_ref().map(|bound| bound.to_i128());
    let upper = range.upper.as_ref().map(|bound| bound.to_i128());
    let is_wide = matches!(lower, Some(None)) || matches!(upper, Some(None));
    let is_unbounded = lower.is_none() || upper.is_none();
    if unbounded == Integers::AnyLength && (is_wide || is_unbounded) {
        return Ok(Repr::AnyInteger);
    }
    let too_wide = || GenerateError(format!("{name}: an integer beyond 127 bits does not fit into a machine word"));
    if range.extensible {
        // Numbers outside the root may be negative.
        let fits =
            |bound: Option<Option<i128>>| bound.is_none_or(|bound| bound.is_some_and(|of| i64::try_from(of).is_ok()));
        return Ok(Repr::Integer(if fits(lower) && fits(upper) { "i64" } else { "i128" }));
    }
    let (lower, upper) = match (lower, upper) {
        (Some(None), _) | (_, Some(None)) => return Err(too_wide()),
        (Some(Some(lower)), Some(Some(upper))) => (lower, upper),
        (Some(Some(0..)), None) => return Ok(Repr::Integer("u64")),
        _ => return Ok(Repr::Integer("i64")),
    };
    let unsigned: [(&str, i128); 4] =
        [("u8", u8::MAX.into()), ("u16", u16::MAX.into()), ("u32", u32::MAX.into()), ("u64", u64::MAX.into())];
    let signed: [(&str, i128, i128); 5] = [
        ("i8", i8::MIN.into(), i8::MAX.into()),
        ("i16", i16::MIN.into(), i16::MAX.into()),
        ("i32", i32::MIN.into(), i32::MAX.into()),
        ("i64", i64::MIN.into(), i64::MAX.into()),
        ("i128", i128::MIN, i128::MAX),
    ];
    let fits_unsigned = unsigned.iter().find(|(_, most)| lower >= 0 && upper <= *most).map(|(name, _)| *name);
    let fits_signed = signed.iter().find(|(_, least, most)| lower >= *least && upper <= *most).map(|one| one.0);
    fits_unsigned.or(fits_signed).map(Repr::Integer).ok_or_else(too_wide)
}

/// The smallest unsigned primitive with this many bits.
pub(crate) fn unsigned(bits: u32) -> &'static str {
    match bits {
        0..=8 => "u8",
        9..=16 => "u16",
        17..=32 => "u32",
        _ => "u64",
    }
}

/// The least and greatest number of a primitive type.
pub(crate) fn bounds(rust: &str) -> (i128, i128) {
    match rust {
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" => (0, u64::MAX.into()),
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" => (i64::MIN.into(), i64::MAX.into()),
        _ => (i128::MIN, i128::MAX),
    }
}
