//! Encoding: how many there are of something.

use roadwire_layout::{Count, Extent};
use roadwire_wire::per::{self, Length};
use roadwire_wire::{ErrorKind, Rejected};

use super::Encoder;

/// How many units come next, and whether a length determinant and more of them follow.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) units: usize,
    pub(crate) more: bool,
}

impl Encoder<'_, '_, '_> {
    /// Checks a size and tells it, or the first fragment's.
    pub(crate) fn first_run(&mut self, extent: &Extent, units: usize) -> Result<Run, Rejected> {
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
            Count::Field(bits) => self.writer.put(size - extent.lower, u32::from(bits))?,
            Count::Determinant => return self.next_run(units),
        }
        Ok(Run { units, more: false })
    }

    /// Writes a length determinant for the units that are left.
    pub(crate) fn next_run(&mut self, left: usize) -> Result<Run, Rejected> {
        match per::put_length(&mut self.writer, left)? {
            Length::Last(units) => Ok(Run { units, more: false }),
            Length::Fragment(units) => Ok(Run { units, more: true }),
        }
    }

    /// Octets after their length determinant.
    pub(crate) fn counted_octets(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        let mut rest = octets;
        loop {
            let run = self.next_run(rest.len())?;
            let (now, later) = rest.split_at(run.units);
            self.writer.put_octets(now)?;
            if !run.more {
                return Ok(());
            }
            rest = later;
        }
    }
}
