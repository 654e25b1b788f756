//! Integers of any size that a codec can borrow without allocating.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;
use roadwire_wire::Scalar;
use roadwire_wire::rt::{TwosComplement, decimal};

/// An INTEGER value of any size. Equal numbers have equal representations.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Integer(Held);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Held {
    Small(i128),
    /// Only for more than 128 bits: the shortest two's complement, most significant octet first.
    Wide(Box<[u8]>),
}

impl Integer {
    /// Reads two's complement octets, most significant first; no octets give 0.
    #[must_use]
    pub fn from_twos_complement(octets: &[u8]) -> Self {
        if let Some(small) = TwosComplement::read_signed(octets) {
            return Integer(Held::Small(small));
        }
        let redundant =
            octets.windows(2).take_while(|pair| matches!((pair[0], pair[1] & 0x80), (0x00, 0) | (0xff, 0x80))).count();
        Integer(Held::Wide(octets.get(redundant..).unwrap_or_default().into()))
    }

    /// The number, if it has at most 128 bits.
    #[must_use]
    pub fn to_i128(&self) -> Option<i128> {
        match self.0 {
            Held::Small(small) => Some(small),
            Held::Wide(_) => None,
        }
    }

    /// The number as a [`BigInt`], for arithmetic.
    #[must_use]
    pub fn to_bigint(&self) -> BigInt {
        match &self.0 {
            Held::Small(small) => BigInt::from(*small),
            Held::Wide(octets) => BigInt::from_signed_bytes_be(octets),
        }
    }

    /// The number as a scalar for codecs.
    #[must_use]
    pub fn scalar(&self) -> Scalar<'_> {
        match &self.0 {
            Held::Small(small) => Scalar::Integer(*small),
            Held::Wide(octets) => Scalar::WideInteger(octets),
        }
    }

    fn is_negative(&self) -> bool {
        match &self.0 {
            Held::Small(small) => *small < 0,
            Held::Wide(octets) => octets.first().is_some_and(|first| first & 0x80 != 0),
        }
    }
}

impl Default for Integer {
    fn default() -> Self {
        Integer(Held::Small(0))
    }
}

impl From<&BigInt> for Integer {
    fn from(value: &BigInt) -> Self {
        match i128::try_from(value) {
            Ok(small) => Integer(Held::Small(small)),
            Err(_) => Integer::from_twos_complement(&value.to_signed_bytes_be()),
        }
    }
}

impl From<BigInt> for Integer {
    fn from(value: BigInt) -> Self {
        Integer::from(&value)
    }
}

impl From<&Integer> for BigInt {
    fn from(value: &Integer) -> Self {
        value.to_bigint()
    }
}

impl From<Integer> for BigInt {
    fn from(value: Integer) -> Self {
        value.to_bigint()
    }
}

macro_rules! from {
    ($($t:ty)*) => { $(
        impl From<$t> for Integer {
            fn from(value: $t) -> Self {
                Integer(Held::Small(i128::from(value)))
            }
        }
    )* };
}
from!(u8 u16 u32 u64 i8 i16 i32 i64 i128);

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = other.is_negative().cmp(&self.is_negative());
        sign.then_with(|| match (&self.0, &other.0) {
            (Held::Small(a), Held::Small(b)) => a.cmp(b),
            (Held::Wide(a), Held::Wide(b)) => {
                // Shortest forms: of two numbers with the same sign, the longer is farther from
                // zero.
                let length = if self.is_negative() { b.len().cmp(&a.len()) } else { a.len().cmp(&b.len()) };
                length.then_with(|| a.cmp(b))
            }
            (Held::Small(_), Held::Wide(_)) if self.is_negative() => Ordering::Greater,
            (Held::Small(_), Held::Wide(_)) => Ordering::Less,
            (Held::Wide(_), Held::Small(_)) => other.cmp(self).reverse(),
        })
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Integer {
    /// In decimal; beyond [`MAX_OCTETS`](roadwire_wire::rt::decimal::MAX_OCTETS) the two's
    /// complement octets in hexadecimal, which is fast.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Held::Small(small) => small.fmt(f),
            Held::Wide(octets) => match decimal::wide_digits(octets) {
                Some(digits) => f.pad(std::str::from_utf8(&digits).unwrap_or_default()),
                None => {
                    f.write_str("0x")?;
                    octets.iter().try_for_each(|octet| write!(f, "{octet:02X}"))
                }
            },
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers() -> Vec<BigInt> {
        let mut numbers = vec![BigInt::from(0)];
        for bits in [1u32, 7, 8, 63, 64, 126, 127, 128, 135, 136, 200] {
            for delta in -1..=1 {
                let number = (BigInt::from(1) << bits) + delta;
                numbers.push(-&number);
                numbers.push(number);
            }
        }
        numbers
    }

    #[test]
    fn any_size_survives_the_way_there_and_back() {
        for number in numbers() {
            let integer = Integer::from(&number);
            assert_eq!(integer.to_bigint(), number);
            assert_eq!(integer.to_string(), number.to_string());
            let mut padded = vec![if number < BigInt::from(0) { 0xff } else { 0 }; 20];
            padded.extend(number.to_signed_bytes_be());
            assert_eq!(Integer::from_twos_complement(&padded), integer, "padding is not kept");
        }
        assert_eq!(Integer::from_twos_complement(&[]), Integer::from(0));
    }

    #[test]
    fn wide_numbers_are_lent_as_shortest_twos_complement() {
        let wide = Integer::from(BigInt::from(1) << 127);
        let mut expected = [0u8; 17];
        expected[1] = 0x80;
        assert_eq!(wide.scalar(), Scalar::WideInteger(&expected));
        assert_eq!(Integer::from(i128::MIN).scalar(), Scalar::Integer(i128::MIN));
    }

    #[test]
    fn numbers_too_wide_for_decimal_are_shown_in_hexadecimal() {
        let wide = Integer::from(BigInt::from(1) << (8 * 4096 - 1));
        assert_eq!(wide.to_string(), format!("0x0080{}", "00".repeat(4095)));
    }

    #[test]
    fn order_is_that_of_the_numbers() {
        for a in numbers() {
            for b in numbers() {
                assert_eq!(Integer::from(&a).cmp(&Integer::from(&b)), a.cmp(&b), "{a} against {b}");
            }
        }
    }
}
