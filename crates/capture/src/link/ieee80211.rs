//! Data frames of IEEE 802.11 (IEEE 802.11-2016 §9.3.2), as they are sent outside the context of a
//! BSS.

use crate::fault::{Error, faults};
use crate::octets::{Input, Output};

/// A header of a data frame: 24 to 36 octets. Numbers are least significant octet first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ieee80211 {
    /// Frame control: version (bits 0 and 1), type (2 and 3), subtype (4 to 7), flags (8 to 15)
    /// (§9.2.4.1).
    pub control: u16,
    /// Duration in microseconds, or an identifier (§9.2.4.2).
    pub duration: u16,
    /// The first three addresses; [`addresses`](Ieee80211::addresses) says what they are.
    pub address: [[u8; 6]; 3],
    /// The number of the fragment (bits 0 to 3) and of the frame (4 to 15).
    pub sequence: u16,
    /// The fourth address, where a frame goes from one access point to another.
    pub fourth: Option<[u8; 6]>,
    /// Quality of service: traffic identifier (bits 0 to 3), acknowledgement policy (5 and 6), and
    /// more (§9.2.4.5).
    pub quality: Option<u16>,
    /// High throughput control (§9.2.4.6).
    pub throughput: Option<u32>,
}

/// Who sent a frame to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addresses {
    /// To whom.
    pub destination: [u8; 6],
    /// From whom.
    pub source: [u8; 6],
    /// The service set: all ones outside the context of a BSS. Nothing where a frame goes from one
    /// access point to another.
    pub bssid: Option<[u8; 6]>,
}

const TO_DS: u16 = 0x0100;
const FROM_DS: u16 = 0x0200;
const MORE_FRAGMENTS: u16 = 0x0400;
const PROTECTED: u16 = 0x4000;
const ORDER: u16 = 0x8000;
/// The subtype has quality of service.
const QOS: u16 = 0x0080;
/// The subtype has no body.
const NULL: u16 = 0x0040;
/// In the field quality of service: A-MSDU.
const AGGREGATE: u16 = 0x0080;

impl Ieee80211 {
    /// Reads the header of a data frame whose body is one packet in the clear, and returns what
    /// follows: the body, and the frame check sequence if it is present.
    ///
    /// # Errors
    /// `ieee80211.version`, `.type`, `.protected`, `.fragment`, `.aggregate`, `frame.truncated`.
    pub fn decode(input: &[u8]) -> Result<(Ieee80211, &[u8]), Error> {
        let mut input = Input::new(input);
        let control = input.u16_le()?;
        if control & 3 != 0 {
            return Err(Error::new(faults::WLAN_VERSION, 0));
        }
        if control >> 2 & 3 != 2 || control & NULL != 0 {
            return Err(Error::new(faults::WLAN_TYPE, 0));
        }
        if control & PROTECTED != 0 {
            return Err(Error::new(faults::WLAN_PROTECTED, 1));
        }
        let duration = input.u16_le()?;
        let address = [input.array()?, input.array()?, input.array()?];
        let at = input.at();
        let sequence = input.u16_le()?;
        if control & MORE_FRAGMENTS != 0 || sequence & 0xf != 0 {
            return Err(Error::new(faults::WLAN_FRAGMENT, at));
        }
        let fourth = if control & (TO_DS | FROM_DS) == TO_DS | FROM_DS { Some(input.array()?) } else { None };
        let at = input.at();
        let quality = if control & QOS != 0 { Some(input.u16_le()?) } else { None };
        if quality.is_some_and(|quality| quality & AGGREGATE != 0) {
            return Err(Error::new(faults::WLAN_AGGREGATE, at));
        }
        let has_throughput = control & ORDER != 0 && quality.is_some();
        let throughput = if has_throughput { Some(input.u32_le()?) } else { None };
        Ok((Ieee80211 { control, duration, address, sequence, fourth, quality, throughput }, input.rest()))
    }

    /// Writes it.
    ///
    /// # Errors
    /// `output.full`.
    pub fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        out.u16_le(self.control)?;
        out.u16_le(self.duration)?;
        self.address.iter().try_for_each(|address| out.octets(address))?;
        out.u16_le(self.sequence)?;
        self.fourth.iter().try_for_each(|address| out.octets(address))?;
        self.quality.iter().try_for_each(|quality| out.u16_le(*quality))?;
        self.throughput.iter().try_for_each(|control| out.u32_le(*control))
    }

    /// Who sent it to whom: the flags To DS and From DS say which address is which (§9.3.2.1, Table
    /// 9-26).
    #[must_use]
    pub const fn addresses(&self) -> Addresses {
        let [one, two, three] = self.address;
        match (self.control & TO_DS != 0, self.control & FROM_DS != 0, self.fourth) {
            (false, false, _) => Addresses { destination: one, source: two, bssid: Some(three) },
            (false, true, _) => Addresses { destination: one, source: three, bssid: Some(two) },
            (true, false, _) => Addresses { destination: three, source: two, bssid: Some(one) },
            (true, true, Some(four)) => Addresses { destination: three, source: four, bssid: None },
            (true, true, None) => Addresses { destination: three, source: two, bssid: None },
        }
    }

    /// Octets of the header.
    #[must_use]
    pub const fn length(&self) -> usize {
        let mut length = 24;
        if self.fourth.is_some() {
            length += 6;
        }
        if self.quality.is_some() {
            length += 2;
        }
        if self.throughput.is_some() {
            length += 4;
        }
        length
    }
}

/// Logical link control with SNAP: eight octets before a packet (IEEE 802.2, RFC 1042).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snap {
    /// Who gave the number of the protocol: 0 for an EtherType.
    pub organization: [u8; 3],
    /// The EtherType of the payload.
    pub protocol: u16,
}

impl Snap {
    /// Reads it, and returns what follows.
    ///
    /// # Errors
    /// `llc.snap`, `frame.truncated`.
    pub fn decode(input: &[u8]) -> Result<(Snap, &[u8]), Error> {
        let mut input = Input::new(input);
        if input.array()? != [0xaa, 0xaa, 3] {
            return Err(Error::new(faults::LLC, 0));
        }
        Ok((Snap { organization: input.array()?, protocol: input.u16()? }, input.rest()))
    }

    /// Writes it.
    ///
    /// # Errors
    /// `output.full`.
    pub fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        out.octets(&[0xaa, 0xaa, 3])?;
        out.octets(&self.organization)?;
        out.u16(self.protocol)
    }
}
