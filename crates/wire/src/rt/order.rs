//! Elements in the order of their encodings.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::error::Rejected;

/// Finds how many octets the first element takes.
type Length = fn(&[u8]) -> Result<usize, Rejected>;

type Compare = fn(&[u8], &[u8]) -> Ordering;

/// Up to this many elements are sorted in place.
const FEW: usize = 32;

/// A writer of elements, one after another.
pub trait Written {
    /// The whole octets that have been written.
    ///
    /// # Errors
    /// The output is full.
    fn written(&mut self) -> Result<&mut [u8], Rejected>;
}

/// The elements of a SET OF that have been written, in the order of their octets (X.693 §9.7, X.696
/// §31.8).
#[derive(Debug)]
pub struct Order {
    /// Where the first one begins, in octets.
    start: usize,
    /// Where each ends, from there.
    ends: [usize; FEW],
    count: usize,
}

impl Order {
    /// For elements that begin after so many octets.
    #[inline]
    #[must_use]
    pub const fn new(start: usize) -> Self {
        Order { start, ends: [0; FEW], count: 0 }
    }

    /// Moves the element that was written last to its place among those before it.
    ///
    /// # Errors
    /// The output is full, or there are more than 32 elements.
    #[inline(never)]
    pub fn settle(&mut self, writer: &mut impl Written) -> Result<(), Rejected> {
        let elements = writer.written()?.get_mut(self.start..).ok_or(Rejected)?;
        self.place(elements, |a, b| a.cmp(b))
    }

    /// The same for elements that end with the newest one.
    fn place(&mut self, elements: &mut [u8], compare: Compare) -> Result<(), Rejected> {
        let (start, end) = (self.start_of(self.count), elements.len());
        let (before, newest) = elements.split_at_checked(start).ok_or(Rejected)?;
        let mut place = self.count;
        let is_after = |at: usize| {
            let one = before.get(self.start_of(at)..self.start_of(at + 1));
            one.is_some_and(|one| compare(one, newest).is_gt())
        };
        while place > 0 && is_after(place - 1) {
            place -= 1;
        }
        let (at, octets) = (self.start_of(place), end - start);
        elements.get_mut(at..).ok_or(Rejected)?.rotate_right(octets);
        self.ends.get_mut(..=self.count).ok_or(Rejected)?.copy_within(place..self.count, place + 1);
        self.ends[place] = at;
        self.count += 1;
        self.ends[place..self.count].iter_mut().for_each(|end| *end += octets);
        Ok(())
    }

    /// Where an element begins, or the next one will.
    fn start_of(&self, at: usize) -> usize {
        at.checked_sub(1).and_then(|last| self.ends.get(last)).copied().unwrap_or(0)
    }
}

/// Sorts the elements that follow each other in `values`; `length` finds how many octets the first
/// one takes.
///
/// # Errors
/// They are not whole elements; without the feature `alloc`, also more than 32 of them.
pub(crate) fn sort_by_length(values: &mut [u8], length: Length, compare: Compare) -> Result<(), Rejected> {
    let mut order = Order::new(0);
    while order.count < FEW {
        let start = order.start_of(order.count);
        let rest = values.get(start..).ok_or(Rejected)?;
        if rest.is_empty() {
            return Ok(());
        }
        let end = start + length(rest)?;
        order.place(values.get_mut(..end).ok_or(Rejected)?, compare)?;
    }
    sort_many(values, length, compare)
}

#[cfg(not(feature = "alloc"))]
fn sort_many(_: &mut [u8], _: Length, _: Compare) -> Result<(), Rejected> {
    Err(Rejected)
}

#[cfg(feature = "alloc")]
#[cold]
#[inline(never)]
fn sort_many(values: &mut [u8], length: Length, compare: Compare) -> Result<(), Rejected> {
    let copy = values.to_vec();
    let mut parts: Vec<&[u8]> = Vec::new();
    let mut rest = &copy[..];
    while !rest.is_empty() {
        let (value, later) = rest.split_at_checked(length(rest)?).ok_or(Rejected)?;
        parts.push(value);
        rest = later;
    }
    parts.sort_by(|a, b| compare(a, b));
    values.iter_mut().zip(parts.into_iter().flatten()).for_each(|(place, octet)| *place = *octet);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rt::text::TextWriter;

    fn settled(elements: &[&[u8]]) -> Result<([u8; 64], usize), Rejected> {
        let mut output = [0; 64];
        let mut writer = TextWriter::new(&mut output);
        writer.put(b"[")?;
        let mut order = Order::new(1);
        for element in elements {
            writer.put_slice(element)?;
            order.settle(&mut writer)?;
        }
        let end = writer.position();
        Ok((output, end))
    }

    #[test]
    fn each_element_moves_to_its_place() {
        let (output, end) = settled(&[b"c", b"bb", b"", b"b", b"a", b"c"]).unwrap();
        assert_eq!(&output[..end], b"[abbbcc");
        // Equal ones and prefixes keep their borders, or the next one would not find its place.
        let (output, end) = settled(&[b"ba", b"b", b"ba", b"b", b"az", b"bz"]).unwrap();
        assert_eq!(&output[..end], b"[azbbbababz");
    }

    #[test]
    fn as_many_as_there_are_places_are_sorted() {
        let elements: Vec<[u8; 1]> = (0..33).rev().map(|at| [at]).collect();
        let elements: Vec<&[u8]> = elements.iter().map(|element| &element[..]).collect();
        let (output, end) = settled(&elements[..FEW]).unwrap();
        assert!(output[1..end].is_sorted());
        assert_eq!(settled(&elements), Err(Rejected));
    }

    #[test]
    fn nothing_before_the_elements_moves() {
        let mut output = [0; 8];
        let mut writer = crate::Writer::new(&mut output);
        writer.put(0xff, 8).unwrap();
        let mut order = Order::new(writer.position() / 8);
        for element in [3, 1, 2] {
            writer.put(element, 8).unwrap();
            order.settle(&mut writer).unwrap();
        }
        writer.put(9, 8).unwrap();
        assert_eq!(writer.finish(), Ok(5));
        assert_eq!(output[..5], [0xff, 1, 2, 3, 9]);
    }
}
