//! Decoding: numbers of units, and numbers of a given width.

use roadwire_layout::{Count, Extent, LengthForm, Width};
use roadwire_wire::rt::packed::{self, Length};
use roadwire_wire::rt::{fields, octet};
use roadwire_wire::{ErrorKind, Rejected, Scalar, faults};

use crate::decode::{Decoder, Family};
use crate::families;
use crate::listener::{Listener, What};

/// How many units follow, and whether another length determinant comes after them.
#[derive(Clone, Copy)]
pub(crate) struct Chunk {
    pub(crate) units: u64,
    pub(crate) more: bool,
}

/// A number, and the bit at which it begins.
#[derive(Clone, Copy)]
pub(crate) struct Field {
    pub(crate) at: usize,
    pub(crate) value: u64,
}

impl<L: Listener, F: Family> Decoder<'_, '_, '_, '_, L, F> {
    /// Checks the size of something that came in fragments.
    #[cold]
    #[inline(never)]
    pub(crate) fn whole_size(&mut self, size: u64, extent: &Extent) -> Result<(), Rejected> {
        if extent.extensible || extent.admits(size) {
            return Ok(());
        }
        Err(self.fail(ErrorKind::Size { size, lower: extent.lower, upper: extent.upper }))
    }

    /// Reads how many units of `width` bits come first, and whether another length determinant
    /// follows them.
    #[inline(never)]
    pub(crate) fn first_chunk(&mut self, extent: &Extent, width: u32) -> Result<Chunk, Rejected> {
        if extent.extensible && self.extension_bit()? {
            return self.next_chunk();
        }
        let at = self.reader.position();
        let chunk = match extent.count {
            Count::Fixed => Chunk { units: extent.lower, more: false },
            Count::Field { bits, aligned } => {
                let field = self.take_field(Width::of_field(bits, aligned))?;
                let units = extent.lower.saturating_add(field.value);
                self.show(field.at, What::Length(units), Scalar::Unset);
                Chunk { units, more: false }
            }
            Count::Determinant => self.next_chunk()?,
            Count::InOctets | Count::Quantity if !families::WHOLE => return Err(self.not_built("octet")),
            Count::InOctets => Chunk { units: self.octet_count(width)?, more: false },
            Count::Quantity => Chunk { units: self.quantity()?, more: false },
        };
        // The rest of a fragmented string may still bring it up to the least size; `Chunk::more` is
        // then set.
        if chunk.units > extent.upper || (chunk.units < extent.lower && !chunk.more) {
            let kind = ErrorKind::Size { size: chunk.units, lower: extent.lower, upper: extent.upper };
            return Err(self.fail_at(kind, at));
        }
        if families::ALIGNED && extent.aligned && chunk.units > 0 {
            self.align()?;
        }
        Ok(chunk)
    }

    /// How many units there are in the octets that a length determinant counts; of bits, without
    /// those that the next octet counts as unused (X.696 §13.3).
    #[cold]
    #[inline(never)]
    pub(crate) fn octet_count(&mut self, width: u32) -> Result<u64, Rejected> {
        let at = self.reader.position();
        let octets = self.next_chunk()?.units;
        if width != 1 {
            let (units, rest) = (octets * 8 / u64::from(width), octets * 8 % u64::from(width));
            return if rest == 0 {
                Ok(units)
            } else {
                Err(self.fail_at(ErrorKind::Malformed(faults::shared::CHARACTER), at))
            };
        }
        let at = self.reader.position();
        let unused = if octets == 0 { 8 } else { self.take(8)? };
        match (octets.saturating_sub(1) * 8).checked_sub(unused) {
            Some(units) if unused < 8 => {
                self.show(at, What::Length(units), Scalar::Unset);
                Ok(units)
            }
            _ => Err(self.found_octets(faults::shared::UNUSED_BITS, at, octets.min(1) as usize)),
        }
    }

    /// X.696 §17.2
    fn quantity(&mut self) -> Result<u64, Rejected> {
        let at = self.reader.position();
        match octet::take_counted_unsigned(&mut self.reader) {
            Ok(units) => {
                self.show(at, What::Length(units), Scalar::Unset);
                Ok(units)
            }
            Err(Rejected) => Err(self.refuse(at, 16, faults::octet::QUANTITY)),
        }
    }

    /// Reads the length determinant of an open type, or of its first fragment.
    pub(crate) fn take_length(&mut self) -> Result<Length, Rejected> {
        match self.layout.length_form {
            LengthForm::Definite if families::DEFINITE => octet::take_length(&mut self.reader).map(Length::Last),
            LengthForm::Varint if families::VARINT => fields::take_length(&mut self.reader).map(Length::Last),
            _ => packed::take_length(&mut self.reader),
        }
    }

    /// Reads a length determinant.
    #[inline(never)]
    pub(crate) fn next_chunk(&mut self) -> Result<Chunk, Rejected> {
        self.align_determinant()?;
        let at = self.reader.position();
        let chunk = match self.take_length() {
            Ok(Length::Last(units)) => Chunk { units: units as u64, more: false },
            Ok(Length::Fragment(units)) => Chunk { units: units as u64, more: true },
            Err(Rejected) if families::VARINT && self.layout.length_form == LengthForm::Varint => {
                return Err(self.refuse(at, 8, faults::fields::LENGTH));
            }
            Err(Rejected) if families::DEFINITE && self.layout.length_form == LengthForm::Definite => {
                return Err(self.refuse(at, 8, faults::octet::LENGTH));
            }
            Err(Rejected) => {
                // The leading bits 11 with a number that no fragment has; otherwise the
                // determinant's second octet is missing.
                let is_fragment = self.reader.position() > at && self.reader.bit_at(at) && self.reader.bit_at(at + 1);
                if is_fragment {
                    return Err(self.found_octets(faults::packed::FRAGMENT, at, 1));
                }
                let missing = 8 - self.reader.remaining().min(7);
                return Err(self.fail_at(ErrorKind::Truncated { missing }, at));
            }
        };
        self.show(at, What::Length(chunk.units), Scalar::Unset);
        Ok(chunk)
    }

    /// Whether length determinants begin at octet borders.
    pub(crate) fn is_aligned(&self) -> bool {
        families::ALIGNED && self.layout.length_form == LengthForm::Aligned
    }

    /// Skips to the octet border at which a length determinant begins.
    pub(crate) fn align_determinant(&mut self) -> Result<(), Rejected> {
        if self.is_aligned() { self.align() } else { Ok(()) }
    }

    /// Skips to the next octet border.
    #[inline(never)]
    pub(crate) fn align(&mut self) -> Result<(), Rejected> {
        let at = self.reader.position();
        if self.reader.align().is_err() {
            return self.truncated(8 - at % 8);
        }
        if L::ACTIVE && self.reader.position() > at {
            self.show(at, What::Padding, Scalar::Unset);
        }
        Ok(())
    }

    /// Reads a number of up to 64 bits.
    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    pub(crate) fn take_field(&mut self, width: Width) -> Result<Field, Rejected> {
        let Width::Anywhere(bits) = width else {
            return if families::ALIGNED { self.take_aligned_field(width) } else { Err(self.not_built("aligned")) };
        };
        let at = self.reader.position();
        Ok(Field { at, value: self.take(bits)? })
    }

    #[inline(never)]
    fn take_aligned_field(&mut self, width: Width) -> Result<Field, Rejected> {
        let bits = match width {
            Width::Anywhere(bits) | Width::Aligned(bits) => bits,
            Width::Counted { bits, aligned } => self.take_octet_count(bits, aligned)?.saturating_mul(8),
        };
        self.align()?;
        let at = self.reader.position();
        if bits > 64 {
            return Err(self.fail_at(ErrorKind::Malformed(faults::packed::NUMBER), at));
        }
        Ok(Field { at, value: self.take(bits)? })
    }

    /// Reads how many octets a number has.
    pub(crate) fn take_octet_count(&mut self, bits: u8, aligned: bool) -> Result<u32, Rejected> {
        if aligned {
            self.align()?;
        }
        let at = self.reader.position();
        let octets = self.take(u32::from(bits))? as u32 + 1;
        self.show(at, What::Length(u64::from(octets)), Scalar::Unset);
        Ok(octets)
    }

    /// Reads an unsigned number of up to 64 bits.
    #[inline(never)]
    pub(crate) fn take(&mut self, bits: u32) -> Result<u64, Rejected> {
        if bits > 57 {
            return self.take_wide(bits);
        }
        match self.reader.take(bits) {
            Ok(value) => Ok(value),
            Err(Rejected) => self.truncated(bits as usize),
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn take_wide(&mut self, bits: u32) -> Result<u64, Rejected> {
        match self.reader.take_wide(bits) {
            Ok(value) => Ok(value),
            Err(Rejected) => self.truncated(bits as usize),
        }
    }

    pub(crate) fn skip(&mut self, bits: usize) -> Result<(), Rejected> {
        match self.reader.skip(bits) {
            Ok(()) => Ok(()),
            Err(Rejected) => self.truncated(bits),
        }
    }

    pub(crate) fn extension_bit(&mut self) -> Result<bool, Rejected> {
        let at = self.reader.position();
        let bit = self.take(1)? == 1;
        self.show(at, What::Extension(bit), Scalar::Unset);
        Ok(bit)
    }

    /// Counts an element against the limits.
    pub(crate) fn count_element(&mut self) -> Result<(), Rejected> {
        self.count_character()?;
        self.take_places(1)
    }

    /// Counts a character against the limit.
    pub(crate) fn count_character(&mut self) -> Result<(), Rejected> {
        self.elements += 1;
        if self.elements > self.limits.elements { self.too_many() } else { Ok(()) }
    }

    /// Counts the heap that `places` elements, components or alternatives take.
    pub(crate) fn take_places(&mut self, places: u32) -> Result<(), Rejected> {
        if !cfg!(feature = "alloc") {
            return Ok(());
        }
        self.heap += u64::from(places) * self.place;
        if self.heap > self.limits.heap { self.too_much() } else { Ok(()) }
    }

    pub(crate) fn descend(&mut self) -> Result<(), Rejected> {
        self.depth += 1;
        if self.depth > self.limits.depth {
            return self.too_deep();
        }
        self.take_places(1)
    }
}
