//! Lists whose elements are read to their places.

use arrayvec::ArrayVec;

use crate::data::Element;

/// A list whose elements are read to their places, which an earlier message may have filled.
pub trait Places<T> {
    /// The place of element `at`, which has its default value where none was left. Places are asked for in order, from 0 on.
    /// `None` where there is no room for more.
    fn place(&mut self, at: usize) -> Option<&mut T>;

    /// Tells how many there are.
    fn settle(&mut self, count: usize);
}

macro_rules! places {
    ($push:expr) => {
        #[inline(always)]
        fn place(&mut self, at: usize) -> Option<&mut T> {
            if at >= self.len() {
                $push(self)?;
            }
            self.get_mut(at)
        }

        #[inline(always)]
        fn settle(&mut self, count: usize) {
            // Rather nothing than a call that finds nothing to drop.
            if self.len() > count {
                self.truncate(count);
            }
        }
    };
}

impl<T: Element, const N: usize> Places<T> for ArrayVec<T, N> {
    places!(|list: &mut Self| list.try_push(T::empty()).ok());
}

#[cfg(feature = "alloc")]
impl<T: Element> Places<T> for alloc::vec::Vec<T> {
    places!(|list: &mut Self| {
        list.push(T::empty());
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
}
