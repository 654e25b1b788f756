//! Where words end that a decoder reads at once.

use super::take::Item;
use crate::pass::take::TAKE_BITS;

/// For each item, the end of the octets with the bits from it up to the next octet border, or with
/// as many as fit into a word.
pub(super) fn ends_of_words(items: &[Item], start: u64) -> Vec<u64> {
    let mut at = start;
    let mut ends = Vec::new();
    for (place, item) in items.iter().enumerate() {
        ends.push(end_of_word(&items[place..], at));
        at += u64::from(item.bits);
    }
    ends
}

pub(super) fn end_of_word(items: &[Item], start: u64) -> u64 {
    let ends = items.iter().scan(start, |at, item| {
        *at += u64::from(item.bits);
        Some(*at)
    });
    let mut last = start;
    for end in ends.take_while(|end| end.div_ceil(8) - start / 8 <= 8) {
        last = end;
        if end % 8 == 0 {
            break;
        }
    }
    last.next_multiple_of(8)
}

/// How many items are read at once; 0 if the first is too wide.
pub(super) fn next_chunk(items: &[Item]) -> usize {
    let mut bits = 0;
    let fits = |item: &&Item| {
        bits += item.bits;
        bits <= TAKE_BITS
    };
    items.iter().take_while(fits).count()
}
