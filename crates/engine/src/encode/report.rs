//! Encoding: what goes wrong.

use roadwire_layout::{Alternative, Member};
use roadwire_wire::{Error, ErrorKind, Path, Rejected};

use super::{Encoder, full};
use crate::limits::Limits;

impl<'n> Encoder<'n, '_, '_> {
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
    pub(super) fn too_deep(&mut self) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::TooDeep { limit: Limits::DEPTH }))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn mismatch(&mut self, expected: &'static str) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::Mismatch { expected }))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn missing(&mut self) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::Missing))
    }

    /// No layout has a node here that a function was not made for.
    #[cold]
    #[inline(never)]
    pub(crate) fn misplaced(&mut self) -> Result<(), Rejected> {
        self.mismatch("of the kind that the layout has")
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn within_member(&mut self, member: &Member) -> Rejected {
        let layout = self.layout;
        self.within(|path| path.prepend_name(layout, layout.place_of_member(member)))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn within_alternative(&mut self, alternative: &Alternative) -> Rejected {
        let layout = self.layout;
        self.within(|path| path.prepend_name(layout, layout.place_of_alternative(alternative)))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn within_element(&mut self, at: usize) -> Rejected {
        self.within(|path| path.prepend_index(at as u32))
    }

    pub(super) fn within(&mut self, prepend: impl FnOnce(&mut Path<'n>)) -> Rejected {
        let (capacity, bit) = (self.writer.capacity(), self.writer.position());
        if let Some(place) = &mut self.explanation {
            prepend(&mut place.get_or_insert_with(|| full(capacity, bit)).path);
        }
        Rejected
    }
}
