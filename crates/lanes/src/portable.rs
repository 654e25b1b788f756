//! One integer after the other.

use crate::Lanes;

/// Reads the integers. The message has the length of the lanes, and there is a word for each
/// integer.
pub(crate) fn read(lanes: &Lanes, message: &[u8], words: &mut [u64]) -> bool {
    let mut is_within = true;
    for group in &lanes.groups {
        let words = words.iter_mut().skip(group.word as usize).take(8);
        let shifts = group.left.iter().zip(&group.right);
        let forms = group.sign.iter().zip(&group.base);
        let bounds = group.range.iter().zip(&group.lower);
        let all = group.at.iter().zip(shifts).zip(forms).zip(bounds);
        for (word, (((at, (left, right)), (sign, base)), (range, lower))) in words.zip(all) {
            let eight = message.get(*at as usize..).and_then(|rest| rest.first_chunk::<8>());
            let bits = eight.map_or(0, |eight| u64::from_be_bytes(*eight) << left);
            let bits = bits.checked_shr(*right as u32).unwrap_or(0);
            let offset = (bits ^ sign).wrapping_sub(*base);
            is_within &= offset <= *range;
            *word = offset.wrapping_add(*lower);
        }
    }
    is_within
}
