//! Integers of any length.

#[cfg(feature = "alloc")]
use alloc::boxed::Box;

use crate::data::{Data, Scalar};
use crate::rt::TwosComplement;

/// An INTEGER without a bound. It takes 16 octets, and heap only beyond 64 bits; without the
/// feature `alloc` it holds no more than these.
///
/// ```
/// use roadwire_wire::Integer;
///
/// let small = Integer::new(-5);
/// assert_eq!((small.to_i64(), small.to_i128()), (Some(-5), Some(-5)));
/// // Two's complement, most significant octet first: 2^64.
/// let wide = Integer::from_octets(&[1, 0, 0, 0, 0, 0, 0, 0, 0]).unwrap();
/// assert_eq!((wide.to_i64(), wide.to_i128()), (None, Some(1 << 64)));
/// assert_eq!(Integer::from(7u8), 7);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Integer(Held);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Held {
    Small(i64),
    /// Only beyond 64 bits: the shortest two's complement, most significant octet first.
    #[cfg(feature = "alloc")]
    Wide(Box<[u8]>),
}

impl Integer {
    /// A number of up to 64 bits.
    #[must_use]
    pub const fn new(value: i64) -> Self {
        Integer(Held::Small(value))
    }

    /// Two's complement octets, most significant first; no octets are 0. `None` where it cannot be
    /// held: beyond 64 bits without the feature `alloc`.
    #[must_use]
    pub fn from_octets(octets: &[u8]) -> Option<Self> {
        if let Some(Ok(small)) = TwosComplement::read_signed(octets).map(i64::try_from) {
            return Some(Integer::new(small));
        }
        Integer::wide(octets)
    }

    #[cfg(feature = "alloc")]
    fn wide(octets: &[u8]) -> Option<Self> {
        let is_spare = |pair: &&[u8]| matches!(pair, [0x00, 0..=0x7f] | [0xff, 0x80..=0xff]);
        let spare = octets.windows(2).take_while(is_spare).count();
        Some(Integer(Held::Wide(octets.get(spare..)?.into())))
    }

    #[cfg(not(feature = "alloc"))]
    fn wide(_: &[u8]) -> Option<Self> {
        None
    }

    /// The number, if it has at most 64 bits.
    #[inline]
    #[must_use]
    pub const fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Held::Small(small) => Some(small),
            #[cfg(feature = "alloc")]
            Held::Wide(_) => None,
        }
    }

    /// The number, if it has at most 128 bits.
    #[must_use]
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Held::Small(small) => Some((*small).into()),
            #[cfg(feature = "alloc")]
            Held::Wide(octets) => TwosComplement::read_signed(octets),
        }
    }

    /// Passes the shortest two's complement to a function, most significant octet first.
    pub fn with_octets<R>(&self, function: impl FnOnce(&[u8]) -> R) -> R {
        match &self.0 {
            Held::Small(small) => function(TwosComplement::signed((*small).into()).octets()),
            #[cfg(feature = "alloc")]
            Held::Wide(octets) => function(octets),
        }
    }
}

impl Default for Integer {
    fn default() -> Self {
        Integer::new(0)
    }
}

impl PartialEq<i64> for Integer {
    fn eq(&self, other: &i64) -> bool {
        self.to_i64() == Some(*other)
    }
}

macro_rules! from {
    ($($t:ty)*) => { $(
        impl From<$t> for Integer {
            fn from(value: $t) -> Self {
                Integer::new(value.into())
            }
        }
    )* };
}
from!(u8 u16 u32 i8 i16 i32 i64);

crate::elements!(Integer);

impl Data for Integer {
    fn scalar(&self) -> Scalar<'_> {
        match &self.0 {
            Held::Small(small) => Scalar::Integer((*small).into()),
            #[cfg(feature = "alloc")]
            Held::Wide(octets) => match TwosComplement::read_signed(octets) {
                Some(number) => Scalar::Integer(number),
                None => Scalar::WideInteger(octets),
            },
        }
    }
    fn set(&mut self, scalar: Scalar<'_>) -> bool {
        let number = match scalar {
            Scalar::Integer(number) => match i64::try_from(number) {
                Ok(small) => Some(Integer::new(small)),
                Err(_) => Integer::from_octets(&number.to_be_bytes()),
            },
            Scalar::WideInteger(octets) => Integer::from_octets(octets),
            _ => None,
        };
        number.map(|number| *self = number).is_some()
    }
    fn integer(&self) -> Option<i64> {
        self.to_i64()
    }
    fn set_integer(&mut self, value: i64) -> bool {
        *self = Integer::new(value);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_are_equal() {
        assert_eq!(Integer::from_octets(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 5]), Some(Integer::new(5)));
        assert_eq!(Integer::from_octets(&[0xff; 12]), Some(Integer::new(-1)));
        assert_eq!(Integer::from_octets(&[]), Some(Integer::new(0)));
        let mut least = [0xff; 9];
        least[1..].copy_from_slice(&i64::MIN.to_be_bytes());
        assert_eq!(Integer::from_octets(&least), Some(Integer::new(i64::MIN)));
        assert_eq!(size_of::<Integer>(), 16);
    }

    #[cfg(feature = "alloc")]
    #[test]
    fn wide_numbers_are_held_in_their_shortest_form() {
        for octets in
            [&[0x00, 0x80, 0, 0, 0, 0, 0, 0, 0][..], &[0xff, 0x7f, 0, 0, 0, 0, 0, 0, 0], &[0x12; 20], &[0x92; 20]]
        {
            let mut longer = alloc::vec![if octets[0] & 0x80 == 0 { 0 } else { 0xff }; 3];
            longer.extend_from_slice(octets);
            let wide = Integer::from_octets(&longer).unwrap();
            assert_eq!(wide.to_i64(), None);
            assert!(wide.with_octets(|held| held == octets));
            let mut other = Integer::default();
            assert!(other.set(wide.scalar()));
            assert_eq!(other, wide);
            assert_ne!(other, 0);
        }
    }
}
