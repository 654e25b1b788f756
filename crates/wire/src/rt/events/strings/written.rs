//! The encoder's side.

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, collections::BTreeMap};
#[cfg(feature = "alloc")]
use core::borrow::Borrow;

use super::{size, width};
use crate::error::Rejected;
use crate::rt::{events, varint};
use crate::writer::Writer;

/// A reference to an earlier string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    is_global: bool,
    index: usize,
    /// How many strings there are in the partition, or in all.
    count: usize,
}

impl Reference {
    /// Writes it.
    ///
    /// # Errors
    /// The output is full.
    pub fn put(self, writer: &mut Writer<'_>) -> Result<(), Rejected> {
        varint::put(writer, self.is_global.into())?;
        writer.put(self.index as u64, width(self.count))
    }
}

/// All strings that an encoder has written, each with its partition, its index there, and its index
/// among all.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, Default)]
pub struct Index<P, S> {
    places: BTreeMap<S, (P, [usize; 2])>,
    /// How many strings there are in each partition.
    sizes: BTreeMap<P, usize>,
}

#[cfg(feature = "alloc")]
impl<P: Copy + Ord, S: Borrow<str> + Ord> Index<P, S> {
    /// The reference to a string, if there is one.
    pub fn find(&self, partition: P, text: &str) -> Option<Reference> {
        let (own, [local, global]) = self.places.get(text)?;
        Some(match *own == partition {
            true => Reference { is_global: false, index: *local, count: self.size(partition) },
            false => Reference { is_global: true, index: *global, count: self.places.len() },
        })
    }

    /// Adds a string that is not in it.
    pub fn add(&mut self, partition: P, text: S) {
        let place = [self.size(partition), self.places.len()];
        self.places.insert(text, (partition, place));
        self.sizes.insert(partition, place[0] + 1);
    }

    fn size(&self, partition: P) -> usize {
        self.sizes.get(&partition).copied().unwrap_or(0)
    }
}

/// The strings that straight-line code has written: `N` of them in place, more on the heap.
#[derive(Debug)]
pub struct Written<'v, const N: usize> {
    few: [(&'static str, &'v str); N],
    count: usize,
    #[cfg(feature = "alloc")]
    many: Option<Box<Index<&'static str, &'v str>>>,
}

impl<const N: usize> Default for Written<'_, N> {
    #[inline]
    fn default() -> Self {
        Written {
            few: [("", ""); N],
            count: 0,
            #[cfg(feature = "alloc")]
            many: None,
        }
    }
}

impl<'v, const N: usize> Written<'v, N> {
    /// Writes a string of `count` characters.
    ///
    /// # Errors
    /// The output is full; a character outside the alphabet; more strings than there is room for.
    pub fn put(
        &mut self,
        writer: &mut Writer<'_>,
        text: &'v str,
        count: u64,
        partition: &'static str,
        alphabet: &[u32],
    ) -> Result<(), Rejected> {
        if let Some(reference) = self.find(partition, text) {
            return reference.put(writer);
        }
        varint::put(writer, count + 2)?;
        events::put(writer, text, alphabet)?;
        if count == 0 {
            return Ok(());
        }
        match self.few.get_mut(self.count) {
            Some(place) => *place = (partition, text),
            None => return self.add_on_heap(partition, text),
        }
        self.count += 1;
        Ok(())
    }

    fn find(&self, partition: &'static str, text: &str) -> Option<Reference> {
        #[cfg(feature = "alloc")]
        if let Some(many) = &self.many {
            return many.find(partition, text);
        }
        find(self.few.get(..self.count)?, partition, text)
    }

    #[cfg(feature = "alloc")]
    #[cold]
    fn add_on_heap(&mut self, partition: &'static str, text: &'v str) -> Result<(), Rejected> {
        let few = &self.few;
        let many = self.many.get_or_insert_with(|| {
            let mut many = Box::<Index<_, _>>::default();
            few.iter().for_each(|(partition, text)| many.add(*partition, *text));
            many
        });
        many.add(partition, text);
        Ok(())
    }

    #[cfg(not(feature = "alloc"))]
    #[cold]
    fn add_on_heap(&mut self, _: &'static str, _: &'v str) -> Result<(), Rejected> {
        Err(Rejected)
    }
}

fn find(strings: &[(&'static str, &str)], partition: &str, text: &str) -> Option<Reference> {
    let index = strings.iter().position(|(_, one)| *one == text)?;
    let (before, from) = strings.split_at_checked(index)?;
    Some(match from.first().is_some_and(|(own, _)| *own == partition) {
        true => Reference { is_global: false, index: size(before, partition), count: size(strings, partition) },
        false => Reference { is_global: true, index, count: strings.len() },
    })
}
