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
    fn place(&self) -> usize {
        (**self).place()
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
