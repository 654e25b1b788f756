//! Basic Transport Protocol (EN 302 636-5-1 §7).

use crate::fault::Error;
use crate::octets::{Input, Output};

/// A header of the Basic Transport Protocol: four octets. The header before it says which of the
/// two it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Btp {
    /// BTP-A, for interactive transport (EN 302 636-5-1 §7.2).
    A {
        /// The port of who receives, 0 to 65535.
        destination: u16,
        /// The port of who sent, 0 to 65535.
        source: u16,
    },
    /// BTP-B, for all others (EN 302 636-5-1 §7.3).
    B {
        /// The port of who receives, 0 to 65535: [2001](port) is CAM.
        destination: u16,
        /// More about the port, 0 where there is nothing.
        info: u16,
    },
}

impl Btp {
    /// Reads a header of BTP-A, and returns what follows it.
    ///
    /// # Errors
    /// `frame.truncated`.
    pub fn decode_a(input: &[u8]) -> Result<(Btp, &[u8]), Error> {
        let mut input = Input::new(input);
        Ok((Btp::A { destination: input.u16()?, source: input.u16()? }, input.rest()))
    }

    /// Reads a header of BTP-B, and returns what follows it.
    ///
    /// # Errors
    /// `frame.truncated`.
    pub fn decode_b(input: &[u8]) -> Result<(Btp, &[u8]), Error> {
        let mut input = Input::new(input);
        Ok((Btp::B { destination: input.u16()?, info: input.u16()? }, input.rest()))
    }

    /// Writes it.
    ///
    /// # Errors
    /// `output.full`.
    pub fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        let (Btp::A { destination, source: second } | Btp::B { destination, info: second }) = *self;
        out.u16(destination)?;
        out.u16(second)
    }

    /// The port of who receives.
    #[must_use]
    pub const fn port(&self) -> u16 {
        match *self {
            Btp::A { destination, .. } | Btp::B { destination, .. } => destination,
        }
    }
}

/// Ports of facility messages (TS 103 248 §5).
pub mod port {
    /// Cooperative awareness: CAM.
    pub const CAM: u16 = 2001;
    /// Decentralized environmental notification: DENM.
    pub const DENM: u16 = 2002;
    /// Road topology: MAPEM.
    pub const MAPEM: u16 = 2003;
    /// Signal phase and timing: SPATEM.
    pub const SPATEM: u16 = 2004;
    /// Service announcement: SAEM.
    pub const SAEM: u16 = 2005;
    /// Infrastructure to vehicle information: IVIM.
    pub const IVIM: u16 = 2006;
    /// Signal request: SREM.
    pub const SREM: u16 = 2007;
    /// Signal status: SSEM.
    pub const SSEM: u16 = 2008;
    /// Collective perception: CPM.
    pub const CPM: u16 = 2009;
    /// Corrections of a satellite navigation system: RTCMEM.
    pub const RTCMEM: u16 = 2013;
    /// Vulnerable road users: VAM.
    pub const VAM: u16 = 2018;
}
