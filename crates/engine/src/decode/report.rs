//! Decoding: calls to listeners, and errors.

use roadwire_layout::{Addition, Alternative, Items, Member, Presence};
use roadwire_wire::{Error, ErrorKind, Fault, Few, Form, Path, Rejected, Scalar, Thing, Unexpected, faults};

use super::{Decoder, at_end};
use crate::decode::Family;
use crate::listener::{Item, Listener, What};

impl<L: Listener, F: Family> Decoder<'_, '_, '_, '_, L, F> {
    /// Reports to the listener what has been read since bit `from`.
    #[inline(always)]
    pub(crate) fn show(&mut self, from: usize, what: What<'_>, value: Scalar<'_>) {
        if L::ACTIVE {
            self.item(from, self.reader.position() - from, what, value);
        }
    }

    pub(crate) fn item(&mut self, from: usize, bits: usize, what: What<'_>, value: Scalar<'_>) {
        let (bit, bits) = self.detached.map_or((from, bits), |end| (end.get(), 0));
        self.listener.item(self.layout, &Item { bit, bits, what, value });
    }

    /// Reports one bit to the listener.
    pub(crate) fn show_bitmap(&mut self, members: &[Member], mut at: usize) {
        for member in members.iter().filter(|member| member.presence != Presence::Mandatory) {
            let there = self.reader.bit_at(at);
            self.item(at, 1, What::Presence(self.layout.name(member.name), there), Scalar::Unset);
            at += 1;
        }
    }

    /// Reports the bits that have just been skipped.
    pub(crate) fn show_padding(&mut self, bits: usize) {
        if L::ACTIVE && bits > 0 {
            self.item(self.reader.position() - bits, bits, What::Padding, Scalar::Unset);
        }
    }

    pub(crate) fn show_additions(&mut self, known: &[Addition], presence: usize, count: usize) {
        for index in 0..count {
            let there = self.reader.bit_at(presence + index);
            let name = known.get(index).map_or("", |addition| match addition {
                Addition::Single(member) => self.layout.name(member.name),
                Addition::Group(_) => "[[ ]]",
            });
            self.item(presence + index, 1, What::Addition(index, name, there), Scalar::Unset);
        }
    }
}

/// Errors.
impl<'n, L: Listener, F: Family> Decoder<'n, '_, '_, '_, L, F> {
    /// The reader failed at bit `at`: either fewer than `least` bits are left, or they are not
    /// allowed.
    #[cold]
    #[inline(never)]
    pub(crate) fn refuse(&mut self, at: usize, least: usize, otherwise: Fault) -> Rejected {
        let left = self.reader.position() + self.reader.remaining() - at;
        if left < least || self.reader.remaining() == 0 {
            self.fail_at(ErrorKind::Truncated { missing: least.saturating_sub(left).max(1) }, at)
        } else if otherwise.is_complete() {
            self.fail_at(ErrorKind::Malformed(otherwise), at)
        } else {
            self.found_octets(otherwise, at, 1)
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn truncated<T>(&mut self, bits: usize) -> Result<T, Rejected> {
        Err(self.fail(ErrorKind::Truncated { missing: bits.saturating_sub(self.reader.remaining()) }))
    }

    /// A length of more octets than are left.
    #[cold]
    #[inline(never)]
    pub(crate) fn too_few_octets<T>(&mut self, octets: usize) -> Result<T, Rejected> {
        let left = self.reader.remaining() / 8;
        Err(self.fail(ErrorKind::Cut { length: octets as u64, left: left as u64 }))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn mismatch(&mut self, expected: &'static str) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::Mismatch { expected }))
    }

    /// Not reached: no layout has a node here for which there is no function.
    #[cold]
    #[inline(never)]
    pub(crate) fn misplaced(&mut self) -> Result<(), Rejected> {
        self.mismatch("of the kind that the layout has")
    }

    /// The layout needs a feature that the engine was built without.
    #[cold]
    #[inline(never)]
    pub(crate) fn not_built(&mut self, feature: &'static str) -> Rejected {
        self.fail(ErrorKind::NotBuilt { feature })
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn full(&mut self, size: u64) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::Capacity { size }))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn too_many(&mut self) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::TooLong { length: self.elements, limit: self.limits.elements }))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn too_much(&mut self) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::Memory { limit: self.limits.heap }))
    }

    /// X.691 §11.1.3, §11.2: an open type contains a complete encoding, which has at least one
    /// octet.
    #[cold]
    #[inline(never)]
    pub(crate) fn empty_open_type(&mut self, at: usize) -> Result<(), Rejected> {
        Err(self.fail_at(ErrorKind::Malformed(faults::shared::OPEN_TYPE_EMPTY), at))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn too_deep(&mut self) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::TooDeep { limit: self.limits.depth }))
    }

    #[cold]
    pub(crate) fn fail(&mut self, kind: ErrorKind) -> Rejected {
        self.fail_at(kind, self.reader.position())
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn fail_at(&mut self, kind: ErrorKind, bit: usize) -> Rejected {
        if let Some(place) = &mut self.explanation {
            place.get_or_insert(Error { kind, bit, path: Path::root_of(self.layout) });
        }
        Rejected
    }

    /// Something other than what is expected, from bit `at` on. What it is, is found out only in
    /// the walk that explains.
    #[cold]
    #[inline(never)]
    pub(crate) fn unexpected(
        &mut self,
        fault: Fault,
        at: usize,
        what: impl FnOnce(&mut Self) -> Unexpected,
    ) -> Rejected {
        if self.explanation.is_none() {
            return Rejected;
        }
        let what = what(self);
        self.fail_at(ErrorKind::Unexpected { fault, what }, at)
    }

    /// Something found in place of another thing; of [`Thing::None`] if the fault's text says what
    /// is expected.
    #[cold]
    #[inline(never)]
    pub(crate) fn found(&mut self, fault: Fault, at: usize, found: Thing, expected: Thing) -> Rejected {
        self.fail_at(ErrorKind::Unexpected { fault, what: Unexpected::Other { found, expected } }, at)
    }

    /// Octets, eight at most, found in place of what the fault's text says.
    #[cold]
    #[inline(never)]
    pub(crate) fn found_octets(&mut self, fault: Fault, at: usize, octets: usize) -> Rejected {
        let octets = octets.min(8);
        let number = (at..at + octets * 8).fold(0, |number, bit| number << 1 | u64::from(self.reader.bit_at(bit)));
        self.found(fault, at, Thing::Octets(number, octets as u8), Thing::None)
    }

    /// A number that no item of an enumeration has. (Numbers below 0 or of more than 32 bits are
    /// not listed.)
    #[cold]
    #[inline(never)]
    pub(crate) fn no_item(
        &mut self,
        at: usize,
        number: i128,
        numbers: impl Iterator<Item = (i64, u32)>,
        items: Items,
    ) -> Rejected {
        let Ok(found) = i64::try_from(number) else { return self.fail_at(ErrorKind::EnumerationNumber { number }, at) };
        self.unexpected(faults::shared::ENUMERATED_NUMBER, at, |decoder| {
            let place = |ordinal: u32| decoder.layout.place_of_item(items.range().start + ordinal as usize);
            let narrow = |(number, ordinal): (i64, u32)| Some((u32::try_from(number).ok()?, place(ordinal)));
            let expected = Few::of(numbers.filter_map(narrow));
            Unexpected::Number { form: Form::Plain, found, expected }
        })
    }

    /// Contents in another number of octets.
    #[cold]
    #[inline(never)]
    pub(crate) fn other_length(&mut self, fault: Fault, at: usize, octets: &[u8]) -> Rejected {
        self.found(fault, at, Thing::Length(octets.len() as u64), Thing::None)
    }

    /// Contents of another form.
    #[cold]
    #[inline(never)]
    pub(crate) fn other_contents(&mut self, fault: Fault, at: usize, octets: &[u8]) -> Rejected {
        let first = octets.get(..8).unwrap_or(octets);
        let number = first.iter().fold(0, |number, octet| number << 8 | u64::from(*octet));
        self.found(fault, at, Thing::Octets(number, first.len() as u8), Thing::None)
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
    pub(crate) fn within_element(&mut self, at: u64) -> Rejected {
        self.within(None, at as u32)
    }

    /// Prepends a step to the error's path: the place of a name, or an index.
    #[cold]
    #[inline(never)]
    fn within(&mut self, name: Option<u32>, index: u32) -> Rejected {
        let layout = self.layout;
        if let Some(error) = self.explained() {
            match name {
                Some(name) => error.path.prepend_name(layout, name),
                None => error.path.prepend_index(index),
            }
        }
        Rejected
    }

    /// The error, if it is wanted. If none has been set, the input has ended.
    #[cold]
    #[inline(never)]
    pub(crate) fn explained(&mut self) -> Option<&mut Error<'n>> {
        let bit = self.reader.position();
        Some(self.explanation.as_mut()?.get_or_insert_with(|| at_end(bit)))
    }
}
