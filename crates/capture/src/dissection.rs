//! A frame, layer by layer.

use core::ops::Range;

use crate::btp::Btp;
use crate::fault::{Error, faults};
use crate::geonetworking::{BasicHeader, BasicNext, CommonHeader, CommonNext, ExtendedHeader};
use crate::internet::{Internet, Udp};
use crate::link::{Cooked, CookedV2, Ethernet, Ieee80211, Link, LinkType, Ppi, Radiotap, Receiver, Snap, ether_type};
use crate::octets::Output;
use crate::security::{Content, Envelope};
use crate::wsmp::Wsmp;

/// A recorded frame, layer by layer, as far as it is understood. [`problem`](Dissection::problem)
/// is the part that could not be read; all layers before it are present.
///
/// It borrows from the frame, and asks for no memory.
///
/// ```
/// use roadwire_capture::{Check, Dissection, LinkType};
///
/// // A beacon on Ethernet.
/// let frame = [
///     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 1, 2, 3, 4, 5, 0x89, 0x47, // Ethernet
///     0x11, 0, 0x0d, 1, // basic header
///     0, 0x10, 0, 0x80, 0, 0, 1, 0, // common header
///     0x14, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0x1d, 0x4e, 0xd5, 0x45, 9, 0xe4, 0x9e, 0xa8, 0, 100, 0, 0,
/// ];
/// let found = Dissection::new(LinkType::ETHERNET, Check::Absent, &frame);
/// assert_eq!(found.problem, None);
/// assert_eq!(found.common.map(|header| header.packet_type.name()), Some("beacon"));
/// let source = *found.extended.ok_or("no position")?.source();
/// assert_eq!((source.latitude, source.speed), (491_705_669, 100));
/// # Ok::<(), &'static str>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dissection<'a> {
    /// The whole frame.
    pub frame: &'a [u8],
    /// The receiver's header before it.
    pub receiver: Option<Receiver<'a>>,
    /// The header of the link layer.
    pub link: Option<Link<'a>>,
    /// A header of IPv4 or IPv6.
    pub internet: Option<Internet<'a>>,
    /// A header of UDP.
    pub udp: Option<Udp>,
    /// The headers of a WAVE short message.
    pub wsmp: Option<Wsmp<'a>>,
    /// The basic header of GeoNetworking.
    pub basic: Option<BasicHeader>,
    /// The security envelope.
    pub envelope: Option<Envelope<'a>>,
    /// The common header of GeoNetworking.
    pub common: Option<CommonHeader>,
    /// The extended header of GeoNetworking.
    pub extended: Option<ExtendedHeader>,
    /// The header of the Basic Transport Protocol.
    pub btp: Option<Btp>,
    /// Where in the frame the envelope is.
    pub envelope_at: Range<usize>,
    /// Where in the frame the octets are that follow the last header that was read, and belong to
    /// it: the message, if there is no problem.
    pub payload_at: Range<usize>,
    /// The frame check sequence, if the frame ends with one.
    pub checksum: Option<u32>,
    /// The header that could not be read, and at which octet of the frame.
    pub problem: Option<Error>,
    is_message: bool,
    is_damaged: bool,
    /// Where the GeoNetworking packet begins.
    packet_from: usize,
}

/// Whether recorded frames end with their frame check sequence. A radiotap or PPI header that says
/// so itself takes precedence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Check {
    /// That is not known. A frame of IEEE 802.11 that ends with the right one has one, any other
    /// frame has none.
    #[default]
    Unknown,
    /// They do not.
    Absent,
    /// They do.
    Present,
}

impl<'a> Dissection<'a> {
    /// Reads a frame of this kind.
    #[must_use]
    pub fn new(link_type: LinkType, check: Check, frame: &'a [u8]) -> Dissection<'a> {
        let mut found = Dissection::empty(frame);
        let read = found.link(link_type, check);
        found.end(read);
        found
    }

    /// Reads a GeoNetworking packet without a link layer.
    #[must_use]
    pub fn of_geonetworking(packet: &'a [u8]) -> Dissection<'a> {
        let mut found = Dissection::empty(packet);
        let read = found.geonetworking();
        found.end(read);
        found
    }

    fn end(&mut self, read: Result<(), Error>) {
        self.is_message &= read.is_ok();
        // A wrong check sequence explains what else is wrong.
        self.problem = self.problem.or(read.err());
    }

    /// The octets that follow the last header that was read, and belong to it.
    #[must_use]
    pub fn payload(&self) -> &'a [u8] {
        self.frame.get(self.payload_at.clone()).unwrap_or(&[])
    }

    /// Whether the frame check sequence is wrong, so that any octet may be. The frame is read all
    /// the same, up to its message.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// The message in the frame, if the frame has one, all headers before it could be read, and it
    /// is not encrypted. A [damaged](Self::is_damaged) frame has none here: see
    /// [`message_as_read`](Self::message_as_read).
    #[must_use]
    pub fn message(&self) -> Option<&'a [u8]> {
        self.message_as_read().filter(|_| !self.is_damaged)
    }

    /// The message, of a damaged frame as of any other: any of its octets may be wrong.
    #[must_use]
    pub fn message_as_read(&self) -> Option<&'a [u8]> {
        self.is_message.then(|| self.payload())
    }

    /// The GeoNetworking packet, from its basic header to the end of its payload or of its
    /// envelope, as far as it could be read.
    #[must_use]
    pub fn packet(&self) -> Option<&'a [u8]> {
        self.basic?;
        let end = if self.envelope.is_some() { self.envelope_at.end } else { self.payload_at.end };
        self.frame.get(self.packet_from..end)
    }

    /// The octets of the security envelope.
    #[must_use]
    pub fn envelope_octets(&self) -> Option<&'a [u8]> {
        self.envelope.and(self.frame.get(self.envelope_at.clone()))
    }

    /// Writes the frame: each header from its fields, and then what follows the last one, as it
    /// was.
    ///
    /// # Errors
    /// `field.range`, `output.full`.
    pub fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        match &self.receiver {
            Some(Receiver::Radiotap(header)) => header.encode(out)?,
            Some(Receiver::Ppi(header)) => header.encode(out)?,
            None => {}
        }
        match &self.link {
            Some(Link::Ethernet(header)) => header.encode(out)?,
            Some(Link::Ieee80211 { header, padding, snap }) => {
                header.encode(out)?;
                out.octets(padding)?;
                snap.encode(out)?;
            }
            Some(Link::Cooked(header)) => header.encode(out)?,
            Some(Link::CookedV2(header)) => header.encode(out)?,
            None => {}
        }
        self.internet.iter().try_for_each(|header| header.encode(out))?;
        self.udp.iter().try_for_each(|header| header.encode(out))?;
        self.wsmp.iter().try_for_each(|header| header.encode(out))?;
        self.basic.iter().try_for_each(|header| header.encode(out))?;
        self.envelope.iter().try_for_each(|envelope| out.octets(envelope.head))?;
        self.common.iter().try_for_each(|header| header.encode(out))?;
        self.extended.iter().try_for_each(|header| header.encode(out))?;
        self.btp.iter().try_for_each(|header| header.encode(out))?;
        out.octets(self.frame.get(self.payload_at.start..).unwrap_or(&[]))
    }

    const fn empty(frame: &'a [u8]) -> Dissection<'a> {
        Dissection {
            frame,
            receiver: None,
            link: None,
            internet: None,
            udp: None,
            wsmp: None,
            basic: None,
            envelope: None,
            common: None,
            extended: None,
            btp: None,
            envelope_at: 0..0,
            payload_at: 0..frame.len(),
            checksum: None,
            problem: None,
            is_message: false,
            is_damaged: false,
            packet_from: 0,
        }
    }

    /// Reads a header, and continues after it.
    fn step<T>(&mut self, decode: impl FnOnce(&'a [u8]) -> Result<(T, &'a [u8]), Error>) -> Result<T, Error> {
        let (header, rest) = decode(self.payload()).map_err(|error| error.after(self.payload_at.start))?;
        self.payload_at.start = self.payload_at.end - rest.len();
        Ok(header)
    }

    fn link(&mut self, link_type: LinkType, check: Check) -> Result<(), Error> {
        match link_type {
            LinkType::ETHERNET => self.ethernet(check),
            LinkType::IEEE80211 => self.ieee80211(check, false),
            LinkType::RADIOTAP => self.radiotap(check),
            LinkType::PPI => self.ppi(check),
            LinkType::COOKED => {
                let header = self.step(Cooked::decode)?;
                self.link = Some(Link::Cooked(header));
                self.network(header.protocol, self.payload_at.start - 2)
            }
            LinkType::COOKED_V2 => {
                let header = self.step(CookedV2::decode)?;
                self.link = Some(Link::CookedV2(header));
                self.network(header.protocol, self.payload_at.start - 20)
            }
            LinkType::RAW | LinkType::IPV4 | LinkType::IPV6 | LinkType(12 | 14) => self.internet(),
            _ => Err(Error::new(faults::LINK_TYPE, 0)),
        }
    }

    fn radiotap(&mut self, check: Check) -> Result<(), Error> {
        let header = self.step(Radiotap::decode)?;
        self.receiver = Some(Receiver::Radiotap(header));
        let Some(flags) = header.flags() else { return self.ieee80211(check, false) };
        let is_wrong = flags & 0x40 != 0;
        self.received(check, flags & 0x10 != 0, is_wrong, flags & 0x20 != 0)
    }

    fn ppi(&mut self, check: Check) -> Result<(), Error> {
        let header = self.step(Ppi::decode)?;
        self.receiver = Some(Receiver::Ppi(header));
        match (header.link(), header.wlan_flags()) {
            (Some(LinkType::ETHERNET), _) => self.ethernet(check),
            (Some(LinkType::IEEE80211), Some(flags)) => self.received(check, flags & 1 != 0, flags & 4 != 0, false),
            (Some(LinkType::IEEE80211), None) => self.ieee80211(check, false),
            _ => Err(Error::new(faults::LINK_TYPE, 4)),
        }
    }

    /// A frame whose receiver reports whether it has a frame check sequence, and whether that was
    /// wrong.
    fn received(&mut self, check: Check, has_checksum: bool, is_wrong: bool, is_padded: bool) -> Result<(), Error> {
        // A frame that was recorded in part has lost its end, whatever the receiver saw.
        let check = match check {
            Check::Absent => Check::Absent,
            _ if has_checksum => Check::Present,
            _ => Check::Absent,
        };
        let end = self.payload_at.end;
        let done = self.ieee80211(check, is_padded);
        if is_wrong {
            self.damaged(end);
        }
        done
    }

    fn ethernet(&mut self, check: Check) -> Result<(), Error> {
        // An unknown frame check sequence is none: hardware takes it off.
        self.check(if check == Check::Unknown { Check::Absent } else { check });
        let header = self.step(Ethernet::decode)?;
        self.link = Some(Link::Ethernet(header));
        self.network(header.protocol, self.payload_at.start - 2)
    }

    fn ieee80211(&mut self, check: Check, is_padded: bool) -> Result<(), Error> {
        self.check(check);
        let start = self.payload_at.start;
        let link = self.wlan(is_padded);
        match link {
            Ok((link, _)) => self.link = Some(link),
            // Either the whole header or nothing of it.
            Err(_) => self.payload_at.start = start,
        }
        let (_, protocol) = link?;
        self.network(protocol, self.payload_at.start - 2)
    }

    fn wlan(&mut self, is_padded: bool) -> Result<(Link<'a>, u16), Error> {
        let header = self.step(Ieee80211::decode)?;
        let padding = if is_padded { header.length().next_multiple_of(4) - header.length() } else { 0 };
        let at = self.payload_at.start;
        let padding = self.step(|input| input.split_at_checked(padding).ok_or(Error::new(faults::TRUNCATED, 0)))?;
        let snap = self.step(Snap::decode)?;
        if snap.organization != [0; 3] {
            return Err(Error::new(faults::PROTOCOL, at + padding.len() + 3));
        }
        Ok((Link::Ieee80211 { header, padding, snap }, snap.protocol))
    }

    /// Takes the frame check sequence off the end.
    fn check(&mut self, check: Check) {
        if check == Check::Absent {
            return;
        }
        let Some((octets, last)) = self.payload().split_last_chunk::<4>() else { return };
        let checksum = u32::from_le_bytes(*last);
        let is_right = frame_check_sequence(octets) == checksum;
        if is_right || check == Check::Present {
            self.checksum = Some(checksum);
            self.payload_at.end -= 4;
        }
        if !is_right && check == Check::Present {
            self.damaged(self.payload_at.end);
        }
    }

    /// Notes that the frame check sequence is wrong; what follows is read all the same.
    fn damaged(&mut self, at: usize) {
        self.is_damaged = true;
        self.problem = Some(Error::new(faults::CHECKSUM, at));
    }

    /// The packet in a frame; the number of its protocol is at octet `at`.
    fn network(&mut self, protocol: u16, at: usize) -> Result<(), Error> {
        match protocol {
            ether_type::GEONETWORKING => self.geonetworking(),
            ether_type::WSMP => self.wsmp(),
            ether_type::IPV4 | ether_type::IPV6 => self.internet(),
            _ => Err(Error::new(faults::PROTOCOL, at)),
        }
    }

    fn internet(&mut self) -> Result<(), Error> {
        let start = self.payload_at.start;
        let (header, rest) = Internet::decode(self.payload()).map_err(|error| error.after(start))?;
        let length = match header {
            Internet::V4(header) => 20 + header.options.len(),
            Internet::V6(header) => 40 + header.extensions.len(),
        };
        self.internet = Some(header);
        self.payload_at = start + length..start + length + rest.len();
        let start = self.payload_at.start;
        let (header, rest) = Udp::decode(self.payload()).map_err(|error| error.after(start))?;
        self.udp = Some(header);
        self.payload_at = start + 8..start + 8 + rest.len();
        self.datagram()
    }

    /// The first two octets of a datagram show its content. The second octet of a GeoNetworking
    /// packet is reserved (0), and that of a facility message is its type (1 and above).
    fn datagram(&mut self) -> Result<(), Error> {
        match *self.payload() {
            [0x00..=0x02 | 0x10..=0x12, 0, ..] => self.geonetworking(),
            [3, 0x80..=0x84, ..] => self.message_in_envelope(),
            // ITS PDU header: protocol version, type of message, four octets of the station's
            // number, and a message. SAE J2735: the type in two octets.
            [1 | 2, 1..=31, _, _, _, _, _, ..] | [0, 0x12..=0x3f, _, ..] => {
                self.is_message = true;
                Ok(())
            }
            _ => Err(Error::new(faults::UDP_CONTENT, self.payload_at.start)),
        }
    }

    fn wsmp(&mut self) -> Result<(), Error> {
        let header = self.step(Wsmp::decode)?;
        self.wsmp = Some(header);
        self.payload_at.end = self.payload_at.start + usize::from(header.length.value);
        match *self.payload() {
            [3, 0x80..=0x84, ..] => self.message_in_envelope(),
            _ => {
                self.is_message = true;
                Ok(())
            }
        }
    }

    fn message_in_envelope(&mut self) -> Result<(), Error> {
        self.is_message = self.envelope()?;
        Ok(())
    }

    /// Goes into a security envelope: false if its payload cannot be read.
    fn envelope(&mut self) -> Result<bool, Error> {
        let start = self.payload_at.start;
        let (envelope, rest) = Envelope::decode(self.payload()).map_err(|error| error.after(start))?;
        self.envelope_at = start..self.payload_at.end - rest.len();
        let start = start + envelope.head.len();
        self.payload_at = start..start + envelope.payload.len();
        self.envelope = Some(envelope);
        Ok(matches!(envelope.content, Content::Unsecured | Content::Signed))
    }

    fn geonetworking(&mut self) -> Result<(), Error> {
        self.packet_from = self.payload_at.start;
        let basic = self.step(BasicHeader::decode)?;
        self.basic = Some(basic);
        if basic.next == BasicNext::Secured && !self.envelope()? {
            return Ok(());
        }
        let at = self.payload_at.start;
        let common = self.step(CommonHeader::decode)?;
        self.common = Some(common);
        self.extended = Some(self.step(|input| ExtendedHeader::decode(common.packet_type, input))?);
        let end = self.payload_at.start + usize::from(common.payload_length);
        if end > self.payload_at.end {
            return Err(Error::new(faults::GEONETWORKING_LENGTH, at + 4));
        }
        self.payload_at.end = end;
        self.btp = match common.next {
            _ if common.payload_length == 0 => None,
            CommonNext::BtpA => Some(self.step(Btp::decode_a)?),
            CommonNext::BtpB => Some(self.step(Btp::decode_b)?),
            CommonNext::Any | CommonNext::Ipv6 => None,
        };
        self.is_message = self.btp.is_some();
        Ok(())
    }
}

/// The frame check sequence of Ethernet and IEEE 802.11: the CRC-32 of a frame (IEEE 802.3 §3.2.9).
/// The frame ends with it, least significant octet first.
#[must_use]
pub fn frame_check_sequence(octets: &[u8]) -> u32 {
    crc32fast::hash(octets)
}
