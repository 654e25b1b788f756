//! Strings and lists in memory: inline up to their bound.

use arrayvec::{ArrayString, ArrayVec};

use crate::data::{Data, Element, Scalar, Shape};
use crate::error::Rejected;
use crate::inline::InlineOctets;
use crate::rt::places::Places;

#[cfg(feature = "alloc")]
pub use self::heap::{OctetString, Oid};

/// A list of at most `N` elements, stored inline.
pub type List<T, const N: usize> = ArrayVec<T, N>;

/// A list whose size constraint is extensible. Without a heap it cannot be longer than its root
/// constraint allows.
#[cfg(not(feature = "alloc"))]
pub type ExtensibleList<T, const N: usize> = List<T, N>;

/// Text of at most `N` octets of UTF-8, stored inline.
pub type Text<const N: usize> = ArrayString<N>;

/// Makes a text hold octets of UTF-8.
///
/// # Errors
/// Not UTF-8, or more octets than there is room for.
#[inline(always)]
pub fn fill_text<const N: usize>(text: &mut Text<N>, octets: &[u8]) -> Result<(), Rejected> {
    text.clear();
    // A few characters cost less than a call.
    if octets.len() < 8 && octets.is_ascii() {
        return octets.iter().try_for_each(|octet| text.try_push(char::from(*octet)).map_err(|_| Rejected));
    }
    let octets = core::str::from_utf8(octets).map_err(|_| Rejected)?;
    text.try_push_str(octets).map_err(|_| Rejected)
}

crate::elements!(
    ArrayVec<T, N> [T: Element, const N: usize],
    ArrayString<N> [const N: usize],
    Octets<N> [const N: usize],
);

macro_rules! list_data {
    () => {
        #[cfg(feature = "columns")]
        crate::column::append_list!();
        #[cfg(feature = "columns")]
        crate::column::fill_list!();
        crate::parts::parts_of_list!();
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
            self.push_empty().map(|element| element as &mut dyn Data)
        }
    };
}

impl<T: Element, const N: usize> Data for ArrayVec<T, N> {
    list_data!();
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

#[cfg(feature = "alloc")]
mod heap;

impl<const N: usize> Data for ArrayString<N> {
    text_data!();
    fn push_char(&mut self, character: char) -> bool {
        self.try_push(character).is_ok()
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
