//! Lists whose elements are decoded in place.

use arrayvec::ArrayVec;

use crate::data::Element;

/// A list whose elements are decoded in place, possibly over those of an earlier message.
pub trait Places<T> {
    /// The place of element `at`. It holds an element of an earlier message, or the default value.
    /// Places are requested in order, from 0 on. `None` if the list is full.
    fn place(&mut self, at: usize) -> Option<&mut T>;

    /// Sets the number of elements.
    fn settle(&mut self, count: usize);

    /// Appends an element with its default value, which is built in place, not on the stack. `None`
    /// if there is no room.
    fn push_empty(&mut self) -> Option<&mut T>;
}

macro_rules! places {
    ($push:expr) => {
        #[inline(always)]
        fn place(&mut self, at: usize) -> Option<&mut T> {
            if at >= self.len() {
                return self.push_empty();
            }
            self.get_mut(at)
        }

        #[inline(always)]
        fn push_empty(&mut self) -> Option<&mut T> {
            $push(self)?;
            self.last_mut()
        }

        #[inline(always)]
        fn settle(&mut self, count: usize) {
            // Avoids a call when there is nothing to drop.
            if self.len() > count {
                self.truncate(count);
            }
        }
    };
}

impl<T: Element, const N: usize> Places<T> for ArrayVec<T, N> {
    places!(|list: &mut Self| {
        if list.is_full() {
            return None;
        }
        // Dropping a refused element would need it on the stack. None is refused: there is room.
        list.try_push(T::empty()).map_err(core::mem::forget).ok()
    });
}

#[cfg(feature = "alloc")]
impl<T: Element> Places<T> for alloc::vec::Vec<T> {
    places!(|list: &mut Self| {
        // Room is made before the element is built.
        list.resize_with(list.len() + 1, T::empty);
        Some(())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_with_a_bound_has_no_room_beyond_it() {
        let mut list = ArrayVec::<u8, 2>::new();
        assert!(list.place(0).is_some() && list.place(1).is_some() && list.place(2).is_none());
        list.settle(1);
        assert_eq!(list.len(), 1);
        let mut list = alloc::vec![7u8];
        assert_eq!(list.place(0), Some(&mut 7));
        assert_eq!(list.place(1), Some(&mut 0));
        list.settle(2);
        assert_eq!(list, [7, 0]);
    }

    #[test]
    fn an_empty_element_is_pushed_where_there_is_room() {
        let mut list = ArrayVec::<u8, 1>::new();
        assert_eq!(list.push_empty(), Some(&mut 0));
        assert_eq!(list.push_empty(), None);
        let mut list = alloc::vec![7u8];
        assert_eq!(list.push_empty(), Some(&mut 0));
        assert_eq!(list, [7, 0]);
    }
}
