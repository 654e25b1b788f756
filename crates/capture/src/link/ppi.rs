//! Per-packet information (PPI): a receiver's notes on a frame. Numbers are least significant octet
//! first.

use super::LinkType;
use crate::fault::{Error, faults};
use crate::octets::{Input, Output};

/// A PPI header: 8 octets and its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ppi<'a> {
    /// Flags: bit 0 says that fields begin at multiples of four octets.
    pub flags: u8,
    /// The link type of the frame that follows: a [`LinkType`] as a number of 32 bits.
    pub link_type: u32,
    /// The fields: type, length and contents of each.
    pub fields: &'a [u8],
}

/// The type of the field that is common to all of IEEE 802.11: 20 octets, with flags from octet 8
/// on.
const COMMON: u16 = 2;

impl<'a> Ppi<'a> {
    /// Reads it, and returns what follows.
    ///
    /// # Errors
    /// `ppi.version`, `ppi.length`, `frame.truncated`.
    pub fn decode(input: &'a [u8]) -> Result<(Ppi<'a>, &'a [u8]), Error> {
        let mut input = Input::new(input);
        let [version, flags] = input.array()?;
        if version != 0 {
            return Err(Error::new(faults::PPI_VERSION, 0));
        }
        let length = usize::from(input.u16_le()?);
        let link_type = input.u32_le()?;
        let fields = length.checked_sub(8).ok_or(Error::new(faults::PPI_LENGTH, 2))?;
        let header = Ppi { flags, link_type, fields: input.take(fields)? };
        if header.iter().any(|field| field.is_none()) {
            return Err(Error::new(faults::PPI_LENGTH, 2));
        }
        Ok((header, input.rest()))
    }

    /// Writes it.
    ///
    /// # Errors
    /// `field.range` where it has more than 65535 octets; `output.full`.
    pub fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        let length = out.field(u32::try_from(self.fields.len() + 8).unwrap_or(u32::MAX), 16)? as u16;
        out.octets(&[0, self.flags])?;
        out.u16_le(length)?;
        out.u32_le(self.link_type)?;
        out.octets(self.fields)
    }

    /// The link type of the frame that follows.
    #[must_use]
    pub fn link(&self) -> Option<LinkType> {
        u16::try_from(self.link_type).ok().map(LinkType)
    }

    /// Flags of the field that is common to all of IEEE 802.11: 1 says that the frame ends with its
    /// frame check sequence, 4 that this was wrong.
    #[must_use]
    pub fn wlan_flags(&self) -> Option<u16> {
        let (_, contents) = self.iter().flatten().find(|(kind, _)| *kind == COMMON)?;
        contents.get(8..)?.first_chunk().copied().map(u16::from_le_bytes)
    }

    /// Type and contents of each field; nothing for one that does not fit.
    fn iter(&self) -> impl Iterator<Item = Option<(u16, &'a [u8])>> + use<'a> {
        let mut input = Input::new(self.fields);
        let is_aligned = self.flags & 1 != 0;
        core::iter::from_fn(move || {
            if input.rest().is_empty() {
                return None;
            }
            let mut read = || {
                let (kind, length) = (input.u16_le().ok()?, input.u16_le().ok()?);
                let contents = input.take(length.into()).ok()?;
                if is_aligned {
                    let padding = input.at().next_multiple_of(4) - input.at();
                    input.take(padding.min(input.rest().len())).ok()?;
                }
                Some((kind, contents))
            };
            let field = read();
            if field.is_none() {
                input = Input::new(&[]);
            }
            Some(field)
        })
    }
}
