//! Strings and lists in memory: inline up to their bound.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use arrayvec::{ArrayString, ArrayVec};

use crate::data::{Data, Element, Scalar, Shape};
use crate::error::Rejected;
use crate::extensible::ExtensibleList;
use crate::inline::InlineOctets;

/// A list of at most `N` elements, stored inline.
pub type List<T, const N: usize> = ArrayVec<T, N>;

/// Text of at most `N` octets of UTF-8, stored inline.
pub type Text<const N: usize> = ArrayString<N>;

/// Makes a text hold octets of UTF-8.
///
/// # Errors
/// Not UTF-8, or more than there is room for.
#[inline(always)]
pub fn fill_text<const N: usize>(text: &mut Text<N>, octets: &[u8]) -> Result<(), Rejected> {
    text.clear();
    // A call costs more than a few characters.
    if octets.len() < 8 && octets.is_ascii() {
        return octets.iter().try_for_each(|octet| text.try_push(char::from(*octet)).map_err(|_| Rejected));
    }
    let octets = core::str::from_utf8(octets).map_err(|_| Rejected)?;
    text.try_push_str(octets).map_err(|_| Rejected)
}

crate::elements!(
    ArrayVec<T, N> [T: Element, const N: usize],
    ExtensibleList<T, N> [T: Element, const N: usize],
    Vec<T> [T: Element],
    ArrayString<N> [const N: usize],
    String,
    Octets<N> [const N: usize],
    OctetString,
    Oid,
);

macro_rules! list_data {
    ($full:expr) => {
        fn length(&self) -> Option<usize> {
            Some(self.len())
        }
        fn element(&self, index: usize) -> Option<&dyn Data> {
            self.get(index).map(|element| element as &dyn Data)
        }
        fn begin(&mut self, shape: Shape) -> bool {
            self.clear();
            shape == Shape::List
        }
        fn push(&mut self) -> Option<&mut dyn Data> {
            if $full(self) {
                return None;
            }
            self.push(T::empty());
            self.last_mut().map(|element| element as &mut dyn Data)
        }
    };
}

impl<T: Element, const N: usize> Data for ArrayVec<T, N> {
    list_data!(|list: &Self| list.is_full());
}

impl<T: Element, const N: usize> Data for ExtensibleList<T, N> {
    list_data!(|_: &Self| false);
}

impl<T: Element> Data for Vec<T> {
    list_data!(|_: &Self| false);
}

macro_rules! text_data {
    () => {
        fn scalar(&self) -> Scalar<'_> {
            Scalar::Text(self)
        }
        fn begin(&mut self, shape: Shape) -> bool {
            self.clear();
            shape == Shape::Text
        }
    };
}

impl<const N: usize> Data for ArrayString<N> {
    text_data!();
    fn push_char(&mut self, character: char) -> bool {
        self.try_push(character).is_ok()
    }
}

impl Data for String {
    text_data!();
    fn push_char(&mut self, character: char) -> bool {
        self.push(character);
        true
    }
}

/// An octet string of at most `N` octets, stored inline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Octets<const N: usize>(pub InlineOctets<N>);

impl<const N: usize> Data for Octets<N> {
    fn scalar(&self) -> Scalar<'_> {
        Scalar::Octets(&self.0)
    }
    fn begin(&mut self, shape: Shape) -> bool {
        self.0.clear();
        shape == Shape::Octets
    }
    fn extend_octets(&mut self, count: usize) -> Option<&mut [u8]> {
        let start = self.0.len();
        if count > self.0.remaining_capacity() {
            return None;
        }
        for _ in 0..count {
            self.0.try_push(0).ok()?;
        }
        self.0.get_mut(start..)
    }
}

/// An octet string without a bound, or the octets of an open type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OctetString(pub Vec<u8>);

impl Data for OctetString {
    fn scalar(&self) -> Scalar<'_> {
        Scalar::Octets(&self.0)
    }
    fn begin(&mut self, shape: Shape) -> bool {
        self.0.clear();
        shape == Shape::Octets
    }
    fn extend_octets(&mut self, count: usize) -> Option<&mut [u8]> {
        let start = self.0.len();
        self.0.resize(start + count, 0);
        self.0.get_mut(start..)
    }
}

/// An object identifier or relative object identifier: its contents octets (X.690 §8.19, §8.20).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Oid(pub Vec<u8>);

impl Data for Oid {
    fn scalar(&self) -> Scalar<'_> {
        Scalar::Oid(&self.0)
    }
    fn set(&mut self, scalar: Scalar<'_>) -> bool {
        match scalar {
            Scalar::Oid(octets) => {
                self.0.clear();
                self.0.extend_from_slice(octets);
                true
            }
            _ => false,
        }
    }
}

impl<T: Data + ?Sized> Data for Box<T> {
    fn scalar(&self) -> Scalar<'_> {
        (**self).scalar()
    }
    fn integer(&self) -> Option<i64> {
        (**self).integer()
    }
    fn set_integer(&mut self, value: i64) -> bool {
        (**self).set_integer(value)
    }
    fn component(&self, index: usize) -> Option<&dyn Data> {
        (**self).component(index)
    }
    fn length(&self) -> Option<usize> {
        (**self).length()
    }
    fn element(&self, index: usize) -> Option<&dyn Data> {
        (**self).element(index)
    }
    fn alternative(&self) -> Option<(usize, &dyn Data)> {
        (**self).alternative()
    }
    fn unknown(&self) -> &[crate::Unknown] {
        (**self).unknown()
    }
    fn begin(&mut self, shape: Shape) -> bool {
        (**self).begin(shape)
    }
    fn set(&mut self, scalar: Scalar<'_>) -> bool {
        (**self).set(scalar)
    }
    fn component_mut(&mut self, index: usize) -> Option<&mut dyn Data> {
        (**self).component_mut(index)
    }
    fn push(&mut self) -> Option<&mut dyn Data> {
        (**self).push()
    }
    fn choose(&mut self, index: usize) -> Option<&mut dyn Data> {
        (**self).choose(index)
    }
    fn keep(&mut self, unknown: crate::Unknown) -> bool {
        (**self).keep(unknown)
    }
    fn extend_bits(&mut self, count: usize) -> Option<&mut [u8]> {
        (**self).extend_bits(count)
    }
    fn extend_octets(&mut self, count: usize) -> Option<&mut [u8]> {
        (**self).extend_octets(count)
    }
    fn push_char(&mut self, character: char) -> bool {
        (**self).push_char(character)
    }
}
