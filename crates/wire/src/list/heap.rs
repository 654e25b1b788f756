//! Strings and lists without a bound: on the heap.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::data::{Data, Element, Scalar, Shape};
use crate::extensible::ExtensibleList;
use crate::rt::places::Places;

crate::elements!(ExtensibleList<T, N> [T: Element, const N: usize], Vec<T> [T: Element], String, OctetString, Oid);

impl<T: Element, const N: usize> Data for ExtensibleList<T, N> {
    list_data!();
}

impl<T: Element> Data for Vec<T> {
    list_data!();
}

impl Data for String {
    text_data!();
    fn push_char(&mut self, character: char) -> bool {
        self.push(character);
        true
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
    crate::data_of!(unsized self => **self);
}
