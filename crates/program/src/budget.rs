//! How much a message may cost.

use roadwire_wire::Rejected;

/// The most parts of a value: so many, and four for each octet of the message; of a large message,
/// so many, and one for two octets. A dynamic value with as many is within the interpreter's limit
/// of memory.
const PLACES: usize = 1 << 17;
const PLACES_OF_LARGE: usize = 1 << 21;

/// The most elements and characters: so many, and one for each bit, as the interpreter has it.
const UNITS: usize = 1 << 16;

/// How many parts, and elements and characters, a message may still have.
pub(crate) struct Budget {
    places: usize,
    units: usize,
}

impl Budget {
    /// That of a message.
    pub(crate) fn new(message: &[u8]) -> Budget {
        let octets = message.len();
        let places = (PLACES + octets * 4).min(PLACES_OF_LARGE + octets / 2);
        Budget { places, units: UNITS + octets * 8 }
    }

    /// Takes the parts of so many frames.
    pub(crate) fn frames(&mut self, places: u32, frames: usize) -> Result<(), Rejected> {
        let spent = (places as usize).checked_mul(frames).ok_or(Rejected)?;
        self.places = self.places.checked_sub(spent).ok_or(Rejected)?;
        Ok(())
    }

    /// Takes elements, or characters.
    pub(crate) fn units(&mut self, count: usize) -> Result<(), Rejected> {
        self.units = self.units.checked_sub(count).ok_or(Rejected)?;
        Ok(())
    }
}
