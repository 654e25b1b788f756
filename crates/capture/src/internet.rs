//! IPv4 (RFC 791), IPv6 (RFC 8200) and UDP (RFC 768), as far as messages are sent in them.
//! Checksums are kept and not compared.

use crate::fault::{Error, faults};
use crate::octets::{Input, Output};

/// A header of IPv4 or IPv6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Internet<'a> {
    /// IPv4.
    V4(V4<'a>),
    /// IPv6.
    V6(V6<'a>),
}

/// A header of IPv4: 20 to 60 octets (RFC 791 §3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct V4<'a> {
    /// Type of service.
    pub service: u8,
    /// Octets of the whole packet.
    pub total_length: u16,
    /// The number of the packet.
    pub identification: u16,
    /// Flags (3 bits) and the fragment's place (13 bits).
    pub fragment: u16,
    /// How many hops are left.
    pub time_to_live: u8,
    /// The protocol of the payload: 17 is UDP.
    pub protocol: u8,
    /// The checksum of the header.
    pub checksum: u16,
    /// From whom.
    pub source: [u8; 4],
    /// To whom.
    pub destination: [u8; 4],
    /// Options: a multiple of four octets, 40 at most.
    pub options: &'a [u8],
}

/// A header of IPv6: 40 octets and its extension headers (RFC 8200 §3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct V6<'a> {
    /// Traffic class (8 bits) and flow label (20 bits).
    pub flow: u32,
    /// Octets after the first 40.
    pub payload_length: u16,
    /// The protocol after the first 40 octets.
    pub next_header: u8,
    /// How many hops are left.
    pub hop_limit: u8,
    /// From whom.
    pub source: [u8; 16],
    /// To whom.
    pub destination: [u8; 16],
    /// Extension headers: hop-by-hop options, routing, destination options.
    pub extensions: &'a [u8],
}

/// A header of UDP: eight octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Udp {
    /// The port of who sent.
    pub source: u16,
    /// The port of who receives.
    pub destination: u16,
    /// Octets of the datagram with this header.
    pub length: u16,
    /// The checksum.
    pub checksum: u16,
}

const UDP: u8 = 17;

impl<'a> Internet<'a> {
    /// Reads the header of a packet with UDP in it, and returns what follows within the packet.
    ///
    /// # Errors
    /// `ip.version`, `ip.length`, `ip.fragment`, `ip.protocol`, `frame.truncated`.
    pub fn decode(input: &'a [u8]) -> Result<(Internet<'a>, &'a [u8]), Error> {
        match input.first().map(|octet| octet >> 4) {
            Some(4) => V4::decode(input).map(|(header, rest)| (Internet::V4(header), rest)),
            Some(6) => V6::decode(input).map(|(header, rest)| (Internet::V6(header), rest)),
            Some(_) => Err(Error::new(faults::IP_VERSION, 0)),
            None => Err(Error::new(faults::TRUNCATED, 0)),
        }
    }

    /// Writes it.
    ///
    /// # Errors
    /// `field.range`, `output.full`.
    pub fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        match self {
            Internet::V4(header) => header.encode(out),
            Internet::V6(header) => header.encode(out),
        }
    }
}

impl<'a> V4<'a> {
    fn decode(input: &'a [u8]) -> Result<(V4<'a>, &'a [u8]), Error> {
        let mut input = Input::new(input);
        let [first, service] = input.array()?;
        let (total_length, identification, fragment) = (input.u16()?, input.u16()?, input.u16()?);
        let [time_to_live, protocol] = input.array()?;
        let (checksum, source, destination) = (input.u16()?, input.array()?, input.array()?);
        let options = (usize::from(first & 0xf) * 4).checked_sub(20).ok_or(Error::new(faults::IP_LENGTH, 0))?;
        let options = input.take(options)?;
        let length = usize::from(total_length).checked_sub(input.at());
        let rest = length.and_then(|length| input.rest().get(..length)).ok_or(Error::new(faults::IP_LENGTH, 2))?;
        // More fragments, or not the first one.
        if fragment & 0x3fff != 0 {
            return Err(Error::new(faults::IP_FRAGMENT, 6));
        }
        if protocol != UDP {
            return Err(Error::new(faults::IP_PROTOCOL, 9));
        }
        let header = V4 {
            service,
            total_length,
            identification,
            fragment,
            time_to_live,
            protocol,
            checksum,
            source,
            destination,
            options,
        };
        Ok((header, rest))
    }

    fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        let words = out.field(u32::try_from(self.options.len() / 4 + 5).unwrap_or(u32::MAX), 4)? as u8;
        out.octets(&[0x40 | words, self.service])?;
        out.u16(self.total_length)?;
        out.u16(self.identification)?;
        out.u16(self.fragment)?;
        out.octets(&[self.time_to_live, self.protocol])?;
        out.u16(self.checksum)?;
        out.octets(&self.source)?;
        out.octets(&self.destination)?;
        out.octets(self.options)
    }
}

impl<'a> V6<'a> {
    fn decode(input: &'a [u8]) -> Result<(V6<'a>, &'a [u8]), Error> {
        let mut input = Input::new(input);
        let flow = input.u32()? & 0x0fff_ffff;
        let payload_length = input.u16()?;
        let [next_header, hop_limit] = input.array()?;
        let (source, destination) = (input.array()?, input.array()?);
        let payload = input.rest().get(..payload_length.into()).ok_or(Error::new(faults::IP_LENGTH, 4))?;
        let mut input = Input::new(payload);
        let (mut next, mut at) = (next_header, 6);
        // Hop-by-hop options, routing, destination options: the next header, and eight octets for
        // each of a length and one more.
        while let 0 | 43 | 60 = next {
            at = 40 + input.at();
            let [following, length] = input.array().map_err(|error| error.after(40))?;
            input.take(usize::from(length) * 8 + 6).map_err(|error| error.after(40))?;
            next = following;
        }
        match next {
            UDP => {}
            44 => return Err(Error::new(faults::IP_FRAGMENT, at)),
            _ => return Err(Error::new(faults::IP_PROTOCOL, at)),
        }
        let extensions = input.done();
        Ok((V6 { flow, payload_length, next_header, hop_limit, source, destination, extensions }, input.rest()))
    }

    fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        let flow = out.field(self.flow, 28)?;
        out.u32(6 << 28 | flow)?;
        out.u16(self.payload_length)?;
        out.octets(&[self.next_header, self.hop_limit])?;
        out.octets(&self.source)?;
        out.octets(&self.destination)?;
        out.octets(self.extensions)
    }
}

impl Udp {
    /// Reads it, and returns what follows within the datagram.
    ///
    /// # Errors
    /// `udp.length`, `frame.truncated`.
    pub fn decode(input: &[u8]) -> Result<(Udp, &[u8]), Error> {
        let mut input = Input::new(input);
        let header =
            Udp { source: input.u16()?, destination: input.u16()?, length: input.u16()?, checksum: input.u16()? };
        let length = usize::from(header.length).checked_sub(8);
        let rest = length.and_then(|length| input.rest().get(..length)).ok_or(Error::new(faults::UDP_LENGTH, 4))?;
        Ok((header, rest))
    }

    /// Writes it.
    ///
    /// # Errors
    /// `output.full`.
    pub fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        [self.source, self.destination, self.length, self.checksum].into_iter().try_for_each(|field| out.u16(field))
    }
}
