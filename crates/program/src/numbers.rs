//! Numbers of up to 64 bits.

/// The bounds of what a tape has: 64 bits with sign, even of a type of 64 bits without it. `None`
/// for a type of more bits.
pub(crate) fn bounds(lower: i128, upper: i128) -> Option<(i64, i64)> {
    if upper > u64::MAX.into() {
        return None;
    }
    let (lower, upper) = (i64::try_from(lower).ok()?, i64::try_from(upper.min(i64::MAX.into())).ok()?);
    (lower <= upper).then_some((lower, upper))
}

/// The first and the last number, if each is one more than that before it.
pub(crate) fn ascending(mut numbers: impl Iterator<Item = i64>) -> Option<(i64, i64)> {
    let first = numbers.next()?;
    let last = numbers.try_fold(first, |last, number| Some(number).filter(|_| last.checked_add(1) == Some(number)))?;
    Some((first, last))
}
