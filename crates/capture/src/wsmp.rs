//! WAVE Short Message Protocol, version 3 (IEEE 1609.3-2016 §8.3).

use crate::fault::{Error, faults};
use crate::octets::{Input, Output};

/// The network and transport header of a WAVE short message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wsmp<'a> {
    /// Which networking protocol, 4 bits: 0 is none, a single hop (§8.3.2).
    pub subtype: u8,
    /// The elements in the network header, if it has any: channel number, data rate, transmit
    /// power.
    pub network: Option<Elements<'a>>,
    /// Where the message goes.
    pub address: Address,
    /// The elements in the transport header, if it has any.
    pub transport: Option<Elements<'a>>,
    /// How many octets the message has, 0 to 16383, and the form of this number.
    pub length: Count,
}

/// Where a WAVE short message goes (§8.3.3). With the presence of elements this is the TPID, 0
/// to 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// To an application: TPID 0 and 1.
    Psid(Psid),
    /// To a port: TPID 2 and 3.
    Ports {
        /// The port of who sent.
        source: u16,
        /// The port of who receives.
        destination: u16,
    },
}

/// A provider service identifier in p-encoding, one to four octets (IEEE 1609.12 §4.1.2): 0
/// to 270549119. Each number has one form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Psid(pub u32);

/// A number of octets or elements: one octet up to 127, two up to 16383 (§8.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The number, 0 to 16383.
    pub value: u16,
    /// Whether it takes two octets. From 128 on it has to.
    pub is_wide: bool,
}

/// A list of WAVE information elements (§8.1.1), all of whose lengths have been checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements<'a> {
    count: Count,
    octets: &'a [u8],
}

/// A WAVE information element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element<'a> {
    /// The kind of element, one of the constants.
    pub id: u8,
    /// Its contents.
    pub contents: &'a [u8],
}

impl Element<'_> {
    /// Transmit power in dBm, one octet with a sign.
    pub const TRANSMIT_POWER: u8 = 4;
    /// Channel number, one octet: 178 is the US control channel.
    pub const CHANNEL: u8 = 15;
    /// Data rate in units of 500 kbit/s, one octet.
    pub const DATA_RATE: u8 = 16;
    /// Channel load, one octet.
    pub const CHANNEL_LOAD: u8 = 23;
}

impl<'a> Wsmp<'a> {
    /// Reads both headers, and returns what follows them: the message, and what a link layer may
    /// have added.
    ///
    /// # Errors
    /// `wsmp.version`, `wsmp.tpid`, `wsmp.psid`, `wsmp.length` (also of a message that is longer
    /// than what follows), `frame.truncated`.
    pub fn decode(input: &'a [u8]) -> Result<(Wsmp<'a>, &'a [u8]), Error> {
        let mut input = Input::new(input);
        let first = input.u8()?;
        if first & 7 != 3 {
            return Err(Error::new(faults::WSMP_VERSION, 0));
        }
        let network = if first & 8 != 0 { Some(Elements::read(&mut input)?) } else { None };
        let at = input.at();
        let tpid = input.u8()?;
        let address = match tpid {
            0 | 1 => Address::Psid(Psid::read(&mut input)?),
            2 | 3 => Address::Ports { source: input.u16()?, destination: input.u16()? },
            _ => return Err(Error::new(faults::WSMP_TPID, at)),
        };
        let transport = if tpid & 1 != 0 { Some(Elements::read(&mut input)?) } else { None };
        let at = input.at();
        let length = Count::read(&mut input)?;
        if usize::from(length.value) > input.rest().len() {
            return Err(Error::new(faults::WSMP_LENGTH, at));
        }
        Ok((Wsmp { subtype: first >> 4, network, address, transport, length }, input.rest()))
    }

    /// Writes both headers.
    ///
    /// # Errors
    /// `field.range` where a number is wider than its field; `output.full`.
    pub fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        let subtype = out.field(self.subtype, 4)? as u8;
        out.u8(subtype << 4 | u8::from(self.network.is_some()) << 3 | 3)?;
        self.network.iter().try_for_each(|elements| elements.write(out))?;
        let extended = u8::from(self.transport.is_some());
        match self.address {
            Address::Psid(psid) => {
                out.u8(extended)?;
                psid.write(out)?;
            }
            Address::Ports { source, destination } => {
                out.u8(2 | extended)?;
                out.u16(source)?;
                out.u16(destination)?;
            }
        }
        self.transport.iter().try_for_each(|elements| elements.write(out))?;
        self.length.write(out)
    }

    /// The application, if the message is for one.
    #[must_use]
    pub const fn psid(&self) -> Option<u32> {
        match self.address {
            Address::Psid(Psid(psid)) => Some(psid),
            Address::Ports { .. } => None,
        }
    }
}

impl Psid {
    /// The least numbers of one to four octets.
    const LEAST: [u32; 4] = [0, 0x80, 0x4080, 0x20_4080];

    fn read(input: &mut Input<'_>) -> Result<Psid, Error> {
        let at = input.at();
        let first = input.u8()?;
        let more = first.leading_ones() as usize;
        let least = *Psid::LEAST.get(more).ok_or(Error::new(faults::WSMP_PSID, at))?;
        let head = u32::from(first) & (0x7f >> more);
        let value = input.take(more)?.iter().fold(head, |value, octet| value << 8 | u32::from(*octet));
        Ok(Psid(value + least))
    }

    fn write(self, out: &mut Output<'_>) -> Result<(), Error> {
        let more = Psid::LEAST.iter().rposition(|least| *least <= self.0).unwrap_or(0);
        let value = out.field(self.0 - Psid::LEAST[more], 7 * (more as u32 + 1))?;
        // As many leading ones as octets follow.
        let marked = value | (0xf << (8 - more) & 0xff) << (8 * more);
        marked.to_be_bytes()[3 - more..].iter().try_for_each(|octet| out.u8(*octet))
    }
}

impl Count {
    /// A number in its shortest form.
    #[must_use]
    pub const fn new(value: u16) -> Count {
        Count { value, is_wide: value > 127 }
    }

    fn read(input: &mut Input<'_>) -> Result<Count, Error> {
        let at = input.at();
        let first = input.u8()?;
        match first {
            0..0x80 => Ok(Count { value: first.into(), is_wide: false }),
            0x80..0xc0 => Ok(Count { value: u16::from(first & 0x3f) << 8 | u16::from(input.u8()?), is_wide: true }),
            _ => Err(Error::new(faults::WSMP_LENGTH, at)),
        }
    }

    fn write(self, out: &mut Output<'_>) -> Result<(), Error> {
        let value = out.field(self.value, if self.is_wide { 14 } else { 7 })? as u16;
        if self.is_wide { out.u16(0x8000 | value) } else { out.u8(value as u8) }
    }
}

impl<'a> Elements<'a> {
    /// Elements from their octets: identifiers, lengths and contents, one after the other.
    ///
    /// # Errors
    /// `wsmp.length` or `frame.truncated` where the octets are not a list of elements.
    pub fn new(octets: &'a [u8]) -> Result<Elements<'a>, Error> {
        let mut input = Input::new(octets);
        let mut count = 0u16;
        while !input.rest().is_empty() {
            let at = input.at();
            Element::read(&mut input)?;
            count = count.checked_add(1).filter(|count| *count < 1 << 14).ok_or(Error::new(faults::WSMP_LENGTH, at))?;
        }
        Ok(Elements { count: Count::new(count), octets })
    }

    fn read(input: &mut Input<'a>) -> Result<Elements<'a>, Error> {
        let count = Count::read(input)?;
        let start = *input;
        for _ in 0..count.value {
            Element::read(input)?;
        }
        let octets = start.rest().get(..input.at() - start.at()).unwrap_or(&[]);
        Ok(Elements { count, octets })
    }

    fn write(&self, out: &mut Output<'_>) -> Result<(), Error> {
        self.count.write(out)?;
        out.octets(self.octets)
    }

    /// The elements in their order.
    pub fn iter(&self) -> impl Iterator<Item = Element<'a>> + use<'a> {
        let mut input = Input::new(self.octets);
        (0..self.count.value).map_while(move |_| Element::read(&mut input).ok())
    }

    /// The single octet that is the contents of the first element of this kind.
    #[must_use]
    pub fn octet(&self, id: u8) -> Option<u8> {
        self.iter().find(|element| element.id == id).and_then(|element| element.contents.first().copied())
    }
}

impl<'a> Element<'a> {
    fn read(input: &mut Input<'a>) -> Result<Element<'a>, Error> {
        let id = input.u8()?;
        let length = Count::read(input)?;
        Ok(Element { id, contents: input.take(length.value.into())? })
    }
}
