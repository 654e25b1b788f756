//! Digits of numbers, eight at once.

/// The most octets that [`put`] stores.
pub(crate) const MOST: usize = 24;

/// Writes a number, and returns where it ends; nothing if the place has no room for [`MOST`]
/// octets.
#[inline(always)]
pub(crate) fn put(place: &mut [u8], at: usize, number: u64) -> usize {
    const MANY: u64 = 100_000_000;
    if number < 10 {
        store(place, at, number);
        return at + 1;
    }
    if number < MANY {
        return put_first(place, at, number);
    }
    let (high, low) = (number / MANY, number % MANY);
    // Nine digits, and ten, are what degrees have.
    let at = match high {
        0..10 => {
            store(place, at, high);
            at + 1
        }
        10..100 => {
            store(place, at, (high / 10) | ((high % 10) << 8));
            at + 2
        }
        _ => put_long(place, at, high),
    };
    store(place, at, eight(low));
    at + 8
}

/// Up to twelve digits.
#[inline(never)]
fn put_long(place: &mut [u8], at: usize, number: u64) -> usize {
    put(place, at, number)
}

/// Up to eight digits, of a number that is not zero.
#[inline(always)]
fn put_first(place: &mut [u8], at: usize, number: u64) -> usize {
    let digits = eight(number);
    let zeros = digits.trailing_zeros() / 8;
    store(place, at, digits >> ((8 * zeros) & 63));
    at + 8 - (zeros & 7) as usize
}

#[inline(always)]
fn store(place: &mut [u8], at: usize, digits: u64) {
    if let Some(place) = place.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<8>()) {
        *place = (digits | 0x3030_3030_3030_3030).to_le_bytes();
    }
}

/// The eight digits of a number below 10^8, one in each octet, the first one in the lowest. Each
/// step divides all parts of a word at once, by a product that is exact for parts so small.
#[inline(always)]
const fn eight(number: u64) -> u64 {
    let fours = (number / 10_000) | ((number % 10_000) << 32);
    let hundreds = (fours * 10_486) >> 20 & 0x0000_007f_0000_007f;
    let pairs = (fours - hundreds * 100) << 16 | hundreds;
    let tens = (pairs * 103) >> 10 & 0x000f_000f_000f_000f;
    (pairs - tens * 10) << 8 | tens
}

#[cfg(test)]
mod tests {
    use super::{MOST, put};

    #[test]
    fn numbers_are_written_as_the_standard_library_does() {
        let powers = (0..20).map(|power| 10u64.pow(power));
        let near = powers.flat_map(|power| [power - 1, power, power + 1, power.wrapping_mul(7), power / 3]);
        let many = (0..200_000).map(|at: u64| at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (at % 64));
        for number in (0..100_000).chain(near).chain(many).chain([u64::MAX]) {
            let mut place = [0; MOST];
            let end = put(&mut place, 0, number);
            assert_eq!(core::str::from_utf8(&place[..end]), Ok(number.to_string().as_str()));
        }
    }
}
