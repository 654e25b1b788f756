//! Linux "cooked" captures, in place of a link layer's header (LINKTYPE_LINUX_SLL and
//! LINKTYPE_LINUX_SLL2).

use crate::fault::Error;
use crate::octets::{Input, Output};

/// A header of version 1: 16 octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cooked {
    /// To us (0), to all (1), to a group (2), to another (3), or from us (4).
    pub packet_type: u16,
    /// The kind of interface (ARPHRD_): 1 is Ethernet.
    pub hardware: u16,
    /// Octets of the sender's address, of which there are eight at most here.
    pub address_length: u16,
    /// The sender's address, and zeros.
    pub address: [u8; 8],
    /// The protocol of the payload, mostly an EtherType.
    pub protocol: u16,
}

/// A header of version 2: 20 octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CookedV2 {
    /// The protocol of the payload, mostly an EtherType.
    pub protocol: u16,
    /// Reserved: 0.
    pub reserved: u16,
    /// The number of the interface, from 1 on.
    pub interface: u32,
    /// The kind of interface, as in version 1.
    pub hardware: u16,
    /// As in version 1.
    pub packet_type: u8,
    /// Octets of the sender's address, of which there are eight at most here.
    pub address_length: u8,
    /// The sender's address, and zeros.
    pub address: [u8; 8],
}

impl Cooked {
    /// Reads it, and returns what follows.
    ///
    /// # Errors
    /// `frame.truncated`.
    pub fn decode(input: &[u8]) -> Result<(Cooked, &[u8]), Error> {
        let mut input = Input::new(input);
        let header = Cooked {
            packet_type: input.u16()?,
            hardware: input.u16()?,
            address_length: input.u16()?,
            address: input.array()?,
            protocol: input.u16()?,
        };
        Ok((header, input.rest()))
    }

    /// Writes it.
    ///
    /// # Errors
    /// `output.full`.
    pub fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        out.u16(self.packet_type)?;
        out.u16(self.hardware)?;
        out.u16(self.address_length)?;
        out.octets(&self.address)?;
        out.u16(self.protocol)
    }
}

impl CookedV2 {
    /// Reads it, and returns what follows.
    ///
    /// # Errors
    /// `frame.truncated`.
    pub fn decode(input: &[u8]) -> Result<(CookedV2, &[u8]), Error> {
        let mut input = Input::new(input);
        let header = CookedV2 {
            protocol: input.u16()?,
            reserved: input.u16()?,
            interface: input.u32()?,
            hardware: input.u16()?,
            packet_type: input.u8()?,
            address_length: input.u8()?,
            address: input.array()?,
        };
        Ok((header, input.rest()))
    }

    /// Writes it.
    ///
    /// # Errors
    /// `output.full`.
    pub fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        out.u16(self.protocol)?;
        out.u16(self.reserved)?;
        out.u32(self.interface)?;
        out.u16(self.hardware)?;
        out.u8(self.packet_type)?;
        out.u8(self.address_length)?;
        out.octets(&self.address)
    }
}
