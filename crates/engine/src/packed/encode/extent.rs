//! Encoding: numbers of units.

use roadwire_layout::{Count, Extent, LengthForm, Width};
use roadwire_wire::rt::packed::{self, Length};
use roadwire_wire::rt::{fields, octet, varint};
use roadwire_wire::{ErrorKind, Rejected, Writer};

use crate::encode::{Encoder, Family};
use crate::families;

/// How many units come next, and whether a length determinant and more of them follow.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) units: usize,
    pub(crate) more: bool,
}

impl<F: Family> Encoder<'_, '_, '_, F> {
    /// Checks a size in units of `width` bits, and writes it, or that of the first fragment.
    pub(crate) fn first_run(&mut self, extent: &Extent, units: usize, width: usize) -> Result<Run, Rejected> {
        let size = units as u64;
        let inside = extent.admits(size);
        if extent.extensible {
            self.writer.put_bit(!inside)?;
            if !inside {
                return self.next_run(units);
            }
        } else if !inside {
            return Err(self.fail(ErrorKind::Size { size, lower: extent.lower, upper: extent.upper }));
        }
        match extent.count {
            Count::Fixed => {}
            Count::Field { bits, aligned } => self.put_field(size - extent.lower, Width::of_field(bits, aligned))?,
            Count::Determinant => return self.next_run(units),
            Count::InOctets | Count::Quantity if !families::WHOLE => return Err(self.not_built("octet")),
            Count::InOctets => self.octet_count(units, width)?,
            Count::Quantity => octet::put_unsigned(&mut self.writer, size)?,
        }
        if families::ALIGNED && extent.aligned && units > 0 {
            self.writer.align()?;
        }
        Ok(Run { units, more: false })
    }

    /// Writes how many octets the units take; for bits, also how many bits of the last octet are
    /// unused (X.696 §13.3).
    pub(crate) fn octet_count(&mut self, units: usize, width: usize) -> Result<(), Rejected> {
        let octets = units.saturating_mul(width).div_ceil(8);
        if width != 1 {
            return self.whole_length(octets);
        }
        self.whole_length(octets + 1)?;
        self.writer.put((octets * 8 - units) as u64, 8)
    }

    /// Writes a length without fragments.
    fn whole_length(&mut self, octets: usize) -> Result<(), Rejected> {
        match self.layout.length_form {
            LengthForm::Varint if families::VARINT => varint::put(&mut self.writer, octets as u64),
            _ => octet::put_length(&mut self.writer, octets),
        }
    }

    /// Writes a length determinant for the remaining units.
    pub(crate) fn next_run(&mut self, left: usize) -> Result<Run, Rejected> {
        if families::WHOLE && matches!(self.layout.length_form, LengthForm::Definite | LengthForm::Varint) {
            self.whole_length(left)?;
            return Ok(Run { units: left, more: false });
        }
        self.align_determinant()?;
        match packed::put_length(&mut self.writer, left)? {
            Length::Last(units) => Ok(Run { units, more: false }),
            Length::Fragment(units) => Ok(Run { units, more: true }),
        }
    }

    /// Whether length determinants begin at octet borders.
    pub(crate) fn is_aligned(&self) -> bool {
        families::ALIGNED && self.layout.length_form == LengthForm::Aligned
    }

    /// Aligns to the octet border at which a length determinant begins.
    fn align_determinant(&mut self) -> Result<(), Rejected> {
        if self.is_aligned() { self.writer.align() } else { Ok(()) }
    }

    /// Writes an octet for the length of an open type, and returns its position; a varint is
    /// inserted before the content afterwards.
    pub(crate) fn begin_open_type(&mut self) -> Result<usize, Rejected> {
        self.align_determinant()?;
        let start = self.writer.position();
        if !(families::VARINT && self.layout.length_form == LengthForm::Varint) {
            self.writer.put(0, 8)?;
        }
        Ok(start)
    }

    /// Ends an open type that begins at bit `start`.
    pub(crate) fn close_open_type(&mut self, start: usize) -> Result<(), Rejected> {
        match self.layout.length_form {
            LengthForm::Definite if families::DEFINITE => octet::close_open_type(&mut self.writer, start),
            LengthForm::Varint if families::VARINT => self.insert_length(start / 8),
            _ => packed::close_open_type(&mut self.writer, start),
        }
    }

    /// Calls `change` with the output and the end of what has been written; it returns the new end.
    pub(crate) fn in_output(
        &mut self,
        change: impl FnOnce(&mut [u8], usize) -> Result<usize, Rejected>,
    ) -> Result<(), Rejected> {
        let (output, end) = core::mem::take(&mut self.writer).into_octets()?;
        let changed = change(output, end);
        self.writer = Writer::resume(output, *changed.as_ref().unwrap_or(&end), 0, 0);
        changed.map(drop)
    }

    /// Inserts a length before the octets from `start` on, where no octet has been left for
    /// it.
    pub(crate) fn insert_length(&mut self, start: usize) -> Result<(), Rejected> {
        self.in_output(|output, end| fields::insert(output, start, start, end))
    }

    /// Writes a number of up to 64 bits; a wider field is padded with zero bits.
    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    pub(crate) fn put_field(&mut self, value: u64, width: Width) -> Result<(), Rejected> {
        match width {
            Width::Anywhere(bits) => self.writer.put_wide(value, bits),
            _ if !families::ALIGNED => Err(self.not_built("aligned")),
            _ => self.put_aligned_field(value, width),
        }
    }

    #[inline(never)]
    fn put_aligned_field(&mut self, value: u64, width: Width) -> Result<(), Rejected> {
        let bits = match width {
            Width::Anywhere(bits) | Width::Aligned(bits) => bits,
            Width::Counted { bits, aligned } => {
                let octets = (u64::BITS - value.leading_zeros()).div_ceil(8).max(1);
                self.put_octet_count(octets as usize, bits, aligned)?;
                octets * 8
            }
        };
        self.writer.align()?;
        self.writer.put_wide(value, bits)
    }

    /// Writes how many octets a number has.
    pub(crate) fn put_octet_count(&mut self, octets: usize, bits: u8, aligned: bool) -> Result<(), Rejected> {
        if aligned {
            self.writer.align()?;
        }
        self.writer.put(octets as u64 - 1, u32::from(bits))
    }

    /// Octets after their length determinant.
    pub(crate) fn counted_octets(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        let mut rest = octets;
        loop {
            let run = self.next_run(rest.len())?;
            let (now, later) = rest.split_at_checked(run.units).unwrap_or((rest, &[]));
            self.writer.put_octets(now)?;
            if !run.more {
                return Ok(());
            }
            rest = later;
        }
    }
}
