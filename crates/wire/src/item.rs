//! Enumeration items that this version of the module does not know.
//!
//! Some rules carry an item's number (X.690 §8.4, X.696 §13), others its index among the additions
//! (X.691 §14). Which of the two an unknown item has is in its ordinal, so that neither is taken
//! for the other: with an index, it is the number of root items plus that; with a number, it is
//! 2^31 or more.

/// The lowest ordinal of items of which the number is known.
const NUMBERED: u32 = 1 << 31;

/// The number of an unknown item; `None` if the ordinal stands for its index.
#[must_use]
pub const fn number_of_unknown_item(ordinal: u32) -> Option<i64> {
    match ordinal.checked_sub(NUMBERED) {
        Some(zigzag) => Some((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64)),
        None => None,
    }
}

/// The ordinal of an item with an unknown number; `None` if the number has more than 30 bits and a
/// sign.
#[must_use]
pub const fn ordinal_of_unknown_item(number: i64) -> Option<u32> {
    let magnitude = if number < 0 { !number } else { number };
    if magnitude >> 30 == 0 { Some(NUMBERED | (magnitude as u32) << 1 | (number < 0) as u32) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ordinal_has_an_index_or_a_number() {
        for number in [0, 1, -1, 127, 1 << 20, (1 << 30) - 1, -(1 << 30)] {
            let ordinal = ordinal_of_unknown_item(number);
            assert!(ordinal >= Some(NUMBERED), "{number}");
            assert_eq!(ordinal.and_then(number_of_unknown_item), Some(number));
        }
        for number in [1 << 30, -(1 << 30) - 1, i64::MAX, i64::MIN] {
            assert_eq!(ordinal_of_unknown_item(number), None);
        }
        assert_eq!((number_of_unknown_item(5), number_of_unknown_item(NUMBERED - 1)), (None, None));
    }
}
