//! A list whose size constraint is extensible.

use alloc::vec::Vec;
use core::convert::Infallible;
use core::fmt;
use core::ops::{Deref, DerefMut};

use arrayvec::ArrayVec;

use crate::data::Element;
use crate::rt::cold::rare;
use crate::rt::places::Places;

/// A list whose size constraint is extensible: up to `N` elements are stored inline, all of a
/// longer one on the heap. (Without the feature `alloc` the name stands for a
/// [`List`](crate::List).)
#[derive(Clone)]
pub struct ExtensibleList<T, const N: usize> {
    inline: ArrayVec<T, N>,
    /// Empty, or more than `N` elements; then there are none inline.
    heap: Vec<T>,
}

impl<T, const N: usize> ExtensibleList<T, N> {
    /// A list without elements.
    #[must_use]
    pub const fn new() -> Self {
        ExtensibleList { inline: ArrayVec::new_const(), heap: Vec::new() }
    }

    /// The elements.
    #[inline(always)]
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        if self.heap.is_empty() {
            return &self.inline;
        }
        rare();
        &self.heap
    }

    /// Takes all elements away.
    #[inline]
    pub fn clear(&mut self) {
        self.inline.clear();
        self.heap.clear();
    }

    /// Appends an element.
    #[inline(always)]
    pub fn push(&mut self, element: T) {
        if self.heap.is_empty() && !self.inline.is_full() {
            self.inline.push(element);
        } else {
            self.push_on_heap(element);
        }
    }

    /// The same as for a list without a heap, which may be full.
    ///
    /// # Errors
    /// Never.
    #[inline(always)]
    pub fn try_push(&mut self, element: T) -> Result<(), Infallible> {
        self.push(element);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn push_on_heap(&mut self, element: T) {
        self.heap.extend(self.inline.drain(..));
        self.heap.push(element);
    }

    /// Takes the last element away.
    pub fn pop(&mut self) -> Option<T> {
        let last = if self.heap.is_empty() { self.inline.pop() } else { self.heap.pop() };
        if self.heap.len() <= N {
            self.inline.extend(self.heap.drain(..));
        }
        last
    }

    /// Inserts an element before element `at`; at the end if there are fewer.
    pub fn insert(&mut self, at: usize, element: T) {
        self.push(element);
        if let Some(moved @ [_, ..]) = self.get_mut(at..) {
            moved.rotate_right(1);
        }
    }

    /// Takes element `at` away, if there is one.
    pub fn remove(&mut self, at: usize) -> Option<T> {
        let Some(moved @ [_, ..]) = self.get_mut(at..) else { return None };
        moved.rotate_left(1);
        self.pop()
    }

    /// Shortens the list to `length` elements.
    #[inline]
    pub fn truncate(&mut self, length: usize) {
        if self.heap.is_empty() || length > N {
            self.inline.truncate(length);
            self.heap.truncate(length);
        } else {
            self.inline.extend(self.heap.drain(..length));
            self.heap.clear();
        }
    }

    /// The place of element `at`, which does not fit inline.
    #[cold]
    #[inline(never)]
    fn place_beyond(&mut self, at: usize) -> Option<&mut T>
    where
        T: Element,
    {
        if at < N {
            // Left over from an earlier message.
            self.heap.clear();
        }
        self.push_empty()
    }

    /// Appends an element with its default value when the inline places are full.
    #[cold]
    #[inline(never)]
    fn push_empty_on_heap(&mut self) -> Option<&mut T>
    where
        T: Element,
    {
        if self.heap.is_empty() {
            self.heap.resize_with(self.inline.len(), T::empty);
            self.heap.swap_with_slice(&mut self.inline);
            self.inline.clear();
        }
        self.heap.push_empty()
    }
}

impl<T: Element, const N: usize> Places<T> for ExtensibleList<T, N> {
    #[inline(always)]
    fn place(&mut self, at: usize) -> Option<&mut T> {
        if at >= self.inline.len() {
            return self.place_beyond(at);
        }
        self.inline.get_mut(at)
    }

    #[inline(always)]
    fn settle(&mut self, count: usize) {
        // If the count is 0, elements of an earlier message may still be on the heap.
        if self.inline.len() != count || count == 0 {
            self.inline.truncate(count);
            self.heap.truncate(if count > N { count } else { 0 });
        }
    }

    #[inline(always)]
    fn push_empty(&mut self) -> Option<&mut T> {
        if self.heap.is_empty() && !self.inline.is_full() {
            return self.inline.push_empty();
        }
        self.push_empty_on_heap()
    }
}

impl<T, const N: usize> Deref for ExtensibleList<T, N> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T, const N: usize> DerefMut for ExtensibleList<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        if self.heap.is_empty() {
            return &mut self.inline;
        }
        rare();
        &mut self.heap
    }
}

impl<T, const N: usize> Default for ExtensibleList<T, N> {
    fn default() -> Self {
        ExtensibleList::new()
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for ExtensibleList<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: PartialEq, const N: usize> PartialEq for ExtensibleList<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for ExtensibleList<T, N> {}

impl<T, const N: usize> Extend<T> for ExtensibleList<T, N> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        elements.into_iter().for_each(|element| self.push(element));
    }
}

impl<T, const N: usize> FromIterator<T> for ExtensibleList<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut list = ExtensibleList::new();
        list.extend(elements);
        list
    }
}

impl<'l, T, const N: usize> IntoIterator for &'l ExtensibleList<T, N> {
    type Item = &'l T;
    type IntoIter = core::slice::Iter<'l, T>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};
    use alloc::vec;

    use super::*;

    /// Whatever the list held before, each element is read to its place, and the count is right.
    #[test]
    fn a_list_is_filled_again() {
        for before in 0..7u8 {
            for after in 0..7u8 {
                let mut list: ExtensibleList<String, 3> = (0..before).map(|at| at.to_string()).collect();
                assert_eq!(list.len(), usize::from(before));
                for at in 0..after {
                    let place = list.place(at.into()).unwrap();
                    place.clear();
                    place.push_str(&at.to_string());
                }
                list.settle(after.into());
                let wanted: Vec<String> = (0..after).map(|at| at.to_string()).collect();
                assert_eq!(*list, *wanted, "{after} after {before}");
                assert_eq!(list.inline.len() + list.heap.len(), after.into());
                assert_eq!(list.heap.is_empty(), after <= 3);
            }
        }
    }

    #[test]
    fn an_empty_element_is_pushed_in_its_place() {
        let mut list: ExtensibleList<String, 2> = ExtensibleList::new();
        for at in 0..5usize {
            let place = list.push_empty().unwrap();
            assert!(place.is_empty());
            place.push_str(&at.to_string());
            let wanted: Vec<String> = (0..=at).map(|at| at.to_string()).collect();
            assert_eq!(*list, *wanted);
            assert_eq!(list.heap.is_empty(), at < 2);
        }
    }

    #[test]
    fn a_list_is_what_a_vector_is() {
        let mut list: ExtensibleList<u8, 2> = ExtensibleList::new();
        let mut vector = vec![];
        for number in 0..5 {
            list.push(number);
            vector.push(number);
            assert_eq!((&*list, list.clone()), (&*vector, list.iter().copied().collect()));
            for length in 0..7 {
                let (mut list, mut vector) = (list.clone(), vector.clone());
                list.truncate(length);
                vector.truncate(length);
                assert_eq!((&*list, list.heap.is_empty()), (&*vector, vector.len() <= 2));
                list.push(9);
                vector.push(9);
                assert_eq!(*list, *vector);
                list.insert(length, 8);
                vector.insert(length.min(vector.len()), 8);
                assert_eq!(*list, *vector);
                for at in [7, length, 0, 0] {
                    let removed = (at < vector.len()).then(|| vector.remove(at));
                    assert_eq!((list.remove(at), &*list), (removed, &*vector));
                    assert_eq!(list.inline.len() + list.heap.len(), vector.len());
                }
                assert_eq!((list.pop(), list.len()), (vector.pop(), vector.len()));
                list.clear();
                assert!(list.is_empty());
            }
        }
    }
}
