//! Ethernet II (IEEE 802.3 §3.1) with tags (IEEE 802.1Q §9.5).

use super::ether_type::{SERVICE_VLAN, VLAN};
use crate::fault::{Error, faults};
use crate::octets::{Input, Output};

/// A header of Ethernet: 14 octets, and 4 for each tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ethernet {
    /// To whom.
    pub destination: [u8; 6],
    /// From whom.
    pub source: [u8; 6],
    /// The outer tag. Where there is none, there is no inner one either.
    pub outer_tag: Option<Tag>,
    /// The inner tag.
    pub inner_tag: Option<Tag>,
    /// An EtherType from 0x600 on, a length below.
    pub protocol: u16,
}

/// A tag of a VLAN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Its kind: 0x8100 (802.1Q) or 0x88a8 (802.1ad).
    pub kind: u16,
    /// Priority (3 bits), drop eligible (1 bit), and the number of the VLAN (12 bits).
    pub control: u16,
}

impl Tag {
    /// The number of the VLAN, 0 to 4095.
    #[must_use]
    pub const fn vlan(self) -> u16 {
        self.control & 0xfff
    }
}

impl Ethernet {
    /// Reads it, and returns what follows.
    ///
    /// # Errors
    /// `ethernet.tags`, `frame.truncated`.
    pub fn decode(input: &[u8]) -> Result<(Ethernet, &[u8]), Error> {
        let mut input = Input::new(input);
        let (destination, source) = (input.array()?, input.array()?);
        let mut protocol = input.u16()?;
        let (mut outer_tag, mut inner_tag) = (None, None);
        while matches!(protocol, VLAN | SERVICE_VLAN) {
            let tag = match (&outer_tag, &inner_tag) {
                (None, _) => &mut outer_tag,
                (_, None) => &mut inner_tag,
                _ => return Err(Error::new(faults::TAGS, input.at() - 2)),
            };
            *tag = Some(Tag { kind: protocol, control: input.u16()? });
            protocol = input.u16()?;
        }
        Ok((Ethernet { destination, source, outer_tag, inner_tag, protocol }, input.rest()))
    }

    /// Writes it.
    ///
    /// # Errors
    /// `output.full`.
    pub fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        out.octets(&self.destination)?;
        out.octets(&self.source)?;
        for tag in [self.outer_tag, self.inner_tag].into_iter().flatten() {
            out.u16(tag.kind)?;
            out.u16(tag.control)?;
        }
        out.u16(self.protocol)
    }
}
