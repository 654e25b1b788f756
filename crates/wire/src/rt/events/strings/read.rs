//! The decoder's side.

#[cfg(feature = "alloc")]
use alloc::{boxed::Box, collections::BTreeMap, vec::Vec};

use super::{size, width};
use crate::error::Rejected;
use crate::reader::Reader;

/// How many characters references may stand for in straight-line code, plus [`MORE`] for each
/// character that is read. The interpreter counts larger sums.
pub(super) const REFERRED: usize = 1 << 15;
/// Characters take eight bits or more, so that these are still fewer than the bits of the input.
pub(super) const MORE: usize = 4;

/// The bit at which a string begins, and its number of characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The bit.
    pub bit: usize,
    /// The number.
    pub characters: usize,
}

/// The places of all strings that a decoder has read.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, Default)]
pub struct Places<P> {
    /// All, in their order.
    all: Vec<Place>,
    /// The indexes in `all` of each partition's strings.
    partitions: BTreeMap<P, Vec<usize>>,
}

#[cfg(feature = "alloc")]
impl<P: Ord> Places<P> {
    /// Adds a string, which may be equal to an earlier one.
    pub fn add(&mut self, partition: P, place: Place) {
        self.partitions.entry(partition).or_default().push(self.all.len());
        self.all.push(place);
    }

    /// How many strings a partition has, or how many there are in all.
    #[must_use]
    pub fn count(&self, partition: Option<&P>) -> usize {
        match partition {
            Some(partition) => self.partitions.get(partition).map_or(0, Vec::len),
            None => self.all.len(),
        }
    }

    /// A string by its index in a partition, or among all.
    #[must_use]
    pub fn get(&self, partition: Option<&P>, index: usize) -> Option<Place> {
        let index = match partition {
            Some(partition) => *self.partitions.get(partition)?.get(index)?,
            None => index,
        };
        self.all.get(index).copied()
    }
}

/// The places of the strings that straight-line code has read: `N` of them in place, more on the
/// heap.
#[derive(Debug)]
pub struct Read<const N: usize> {
    few: [(&'static str, Place); N],
    count: usize,
    /// For how many characters references may still stand.
    referred: usize,
    #[cfg(feature = "alloc")]
    many: Option<Box<Places<&'static str>>>,
}

impl<const N: usize> Default for Read<N> {
    #[inline]
    fn default() -> Self {
        Read {
            few: [("", Place { bit: 0, characters: 0 }); N],
            count: 0,
            referred: REFERRED,
            #[cfg(feature = "alloc")]
            many: None,
        }
    }
}

impl<const N: usize> Read<N> {
    /// Reads a string after its number: that of its characters plus 2, or the kind of reference
    /// that it is. `characters` reads so many of them.
    ///
    /// # Errors
    /// Past the end; an index that no string has; a number of characters outside the bounds; what
    /// `characters` refuses; more strings than there is room for.
    pub fn take(
        &mut self,
        reader: &mut Reader<'_>,
        number: u64,
        partition: &'static str,
        (lower, upper): (u64, u64),
        characters: impl FnOnce(&mut Reader<'_>, usize) -> Result<(), Rejected>,
    ) -> Result<(), Rejected> {
        let place = match number.checked_sub(2) {
            Some(count) => {
                let count = usize::try_from(count).map_err(|_| Rejected)?;
                Place { bit: reader.position(), characters: count }
            }
            None => self.referred(reader, Some(partition).filter(|_| number == 0))?,
        };
        let count = place.characters;
        if !(lower..=upper).contains(&(count as u64)) {
            return Err(Rejected);
        }
        if number < 2 {
            self.referred = self.referred.checked_sub(count).ok_or(Rejected)?;
            let mut there = Reader::new(reader.octets());
            there.advance_to(place.bit);
            return characters(&mut there, count);
        }
        characters(reader, count)?;
        self.referred += count * MORE;
        if count > 0 { self.add(partition, place) } else { Ok(()) }
    }

    /// The place that a reference has: in a partition, or among all.
    fn referred(&self, reader: &mut Reader<'_>, partition: Option<&'static str>) -> Result<Place, Rejected> {
        #[cfg(feature = "alloc")]
        if let Some(many) = &self.many {
            let index = reader.take(width(many.count(partition.as_ref())))?;
            return many.get(partition.as_ref(), index as usize).ok_or(Rejected);
        }
        let few = self.few.get(..self.count).unwrap_or_default();
        let index = reader.take(width(partition.map_or(few.len(), |partition| size(few, partition))))? as usize;
        let found = match partition {
            Some(partition) => few.iter().filter(|(own, _)| *own == partition).nth(index),
            None => few.get(index),
        };
        found.map(|(_, place)| *place).ok_or(Rejected)
    }

    fn add(&mut self, partition: &'static str, place: Place) -> Result<(), Rejected> {
        match self.few.get_mut(self.count) {
            Some(free) => *free = (partition, place),
            None => return self.add_on_heap(partition, place),
        }
        self.count += 1;
        Ok(())
    }

    #[cfg(feature = "alloc")]
    #[cold]
    fn add_on_heap(&mut self, partition: &'static str, place: Place) -> Result<(), Rejected> {
        let few = &self.few;
        let many = self.many.get_or_insert_with(|| {
            let mut many = Box::<Places<_>>::default();
            few.iter().for_each(|(partition, place)| many.add(*partition, *place));
            many
        });
        many.add(partition, place);
        Ok(())
    }

    #[cfg(not(feature = "alloc"))]
    #[cold]
    fn add_on_heap(&mut self, _: &'static str, _: Place) -> Result<(), Rejected> {
        Err(Rejected)
    }
}
