//! Encoding: errors.

use roadwire_layout::{Alternative, Member};
use roadwire_wire::{Error, ErrorKind, Path, Rejected};

use super::{Encoder, full};
use crate::encode::Family;
use crate::limits::Limits;

impl<'n, F: Family> Encoder<'n, '_, '_, F> {
    #[cold]
    #[inline(never)]
    pub(crate) fn fail(&mut self, kind: ErrorKind) -> Rejected {
        let bit = self.writer.position();
        if let Some(place) = &mut self.explanation {
            place.get_or_insert(Error { kind, bit, path: Path::root() });
        }
        Rejected
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn too_deep(&mut self) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::TooDeep { limit: Limits::DEPTH }))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn mismatch(&mut self, expected: &'static str) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::Mismatch { expected }))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn missing(&mut self) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::Missing))
    }

    /// The layout needs a feature that the engine was built without.
    #[cold]
    #[inline(never)]
    pub(crate) fn not_built(&mut self, feature: &'static str) -> Rejected {
        self.fail(ErrorKind::NotBuilt { feature })
    }

    /// Not reached: no layout has a node here for which there is no function.
    #[cold]
    #[inline(never)]
    pub(crate) fn misplaced(&mut self) -> Result<(), Rejected> {
        self.mismatch("of the kind that the layout has")
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn within_member(&mut self, member: &Member) -> Rejected {
        let layout = self.layout;
        self.within(Some(layout.place_of_member(member)), 0)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn within_alternative(&mut self, alternative: &Alternative) -> Rejected {
        let layout = self.layout;
        self.within(Some(layout.place_of_alternative(alternative)), 0)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn within_element(&mut self, at: usize) -> Rejected {
        self.within(None, at as u32)
    }

    /// Prepends a step to the error's path: the place of a name, or an index.
    #[cold]
    #[inline(never)]
    pub(crate) fn within(&mut self, name: Option<u32>, index: u32) -> Rejected {
        let (layout, capacity, bit) = (self.layout, self.writer.capacity(), self.writer.position());
        if let Some(place) = &mut self.explanation {
            let path = &mut place.get_or_insert_with(|| full(capacity, bit)).path;
            match name {
                Some(name) => path.prepend_name(layout, name),
                None => path.prepend_index(index),
            }
        }
        Rejected
    }
}
