//! GeoNetworking (EN 302 636-4-1 V1.4.1), versions 0 and 1.
//!
//! Version 1 is that of V1.3.1 and later, version 0 that of V1.2.1: its headers have the same
//! fields in the same places. A packet is a [`BasicHeader`], then a [`CommonHeader`] and the
//! [`ExtendedHeader`] that it names. In a secured packet a security envelope holds all but the
//! basic header.

use crate::fault::{Error, faults};
use crate::octets::{Input, Output};

/// The basic header: four octets (§9.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BasicHeader {
    /// The version of the protocol, 4 bits: 0 or 1.
    pub version: u8,
    /// The kind of the next header.
    pub next: BasicNext,
    /// Reserved: 0.
    pub reserved: u8,
    /// How long the packet is kept at most.
    pub lifetime: Lifetime,
    /// How many hops are left.
    pub remaining_hops: u8,
}

/// The header after a basic header (§9.6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum BasicNext {
    /// Unspecified: a common header.
    Any = 0,
    /// A common header.
    Common = 1,
    /// A security envelope.
    Secured = 2,
}

/// A lifetime: a multiplier and a base (§9.6.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetime {
    /// The multiplier, 6 bits.
    pub multiplier: u8,
    /// The base, 2 bits: 50 ms, 1 s, 10 s, 100 s.
    pub base: u8,
}

impl Lifetime {
    /// In milliseconds, 0 to 6300000.
    #[must_use]
    pub const fn milliseconds(self) -> u32 {
        [50, 1000, 10_000, 100_000][(self.base & 3) as usize] * self.multiplier as u32
    }
}

/// The common header: eight octets (§9.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommonHeader {
    /// The kind of header after the extended header.
    pub next: CommonNext,
    /// Reserved, 4 bits: 0.
    pub reserved: u8,
    /// Header type and subtype: which extended header follows.
    pub packet_type: PacketType,
    /// How urgent the packet is.
    pub traffic_class: TrafficClass,
    /// Flags. The greatest bit says that the station moves; the others are reserved.
    pub flags: u8,
    /// Octets after the extended header, 0 to 65535.
    pub payload_length: u16,
    /// How many hops there were to begin with.
    pub maximum_hops: u8,
    /// Reserved: 0.
    pub reserved_end: u8,
}

/// The header after an extended header (§9.7.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum CommonNext {
    /// Unspecified.
    Any = 0,
    /// A header of BTP-A.
    BtpA = 1,
    /// A header of BTP-B.
    BtpB = 2,
    /// A packet of IPv6.
    Ipv6 = 3,
}

/// Header type and subtype (§9.7.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PacketType {
    /// The sender announces its position.
    Beacon,
    /// To one station: GeoUnicast.
    Guc,
    /// To any one station in an area: GeoAnycast.
    Gac(Shape),
    /// To all stations in an area: GeoBroadcast.
    Gbc(Shape),
    /// To all stations within some hops: topologically scoped broadcast.
    Tsb,
    /// To all neighbours: single-hop broadcast.
    Shb,
    /// Where is this station?
    LsRequest,
    /// Here it is.
    LsReply,
}

/// The shape of an area (EN 302 931 §4): the subtype of GAC and GBC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A circle; distance a is its radius.
    Circle,
    /// A rectangle; the distances are from its centre to its sides.
    Rectangle,
    /// An ellipse; the distances are its semi-axes.
    Ellipse,
}

impl PacketType {
    /// In short, without the shape: `beacon`, `guc`, `gac`, `gbc`, `tsb`, `shb`, `ls-request` or
    /// `ls-reply`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PacketType::Beacon => "beacon",
            PacketType::Guc => "guc",
            PacketType::Gac(_) => "gac",
            PacketType::Gbc(_) => "gbc",
            PacketType::Tsb => "tsb",
            PacketType::Shb => "shb",
            PacketType::LsRequest => "ls-request",
            PacketType::LsReply => "ls-reply",
        }
    }

    /// Header type in the upper four bits, subtype in the lower ones.
    #[must_use]
    pub const fn octet(self) -> u8 {
        match self {
            PacketType::Beacon => 0x10,
            PacketType::Guc => 0x20,
            PacketType::Gac(shape) => 0x30 | shape as u8,
            PacketType::Gbc(shape) => 0x40 | shape as u8,
            PacketType::Shb => 0x50,
            PacketType::Tsb => 0x51,
            PacketType::LsRequest => 0x60,
            PacketType::LsReply => 0x61,
        }
    }

    /// The other way round.
    #[must_use]
    pub const fn from_octet(octet: u8) -> Option<PacketType> {
        let shape = match octet & 0x0f {
            0 => Some(Shape::Circle),
            1 => Some(Shape::Rectangle),
            2 => Some(Shape::Ellipse),
            _ => None,
        };
        Some(match (octet, octet >> 4, shape) {
            (0x10, ..) => PacketType::Beacon,
            (0x20, ..) => PacketType::Guc,
            (_, 3, Some(shape)) => PacketType::Gac(shape),
            (_, 4, Some(shape)) => PacketType::Gbc(shape),
            (0x50, ..) => PacketType::Shb,
            (0x51, ..) => PacketType::Tsb,
            (0x60, ..) => PacketType::LsRequest,
            (0x61, ..) => PacketType::LsReply,
            _ => return None,
        })
    }
}

/// How urgent a packet is (§9.7.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrafficClass {
    /// Whether it is kept where there is no neighbour to pass it on to.
    pub store_carry_forward: bool,
    /// Whether it may go to another channel.
    pub channel_offload: bool,
    /// Its class, 6 bits: 0 is the most urgent.
    pub id: u8,
}

/// An address of GeoNetworking: eight octets (§6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// Whether it was configured by hand.
    pub is_manual: bool,
    /// The type of the station, 5 bits: 5 is a passenger car, 15 a roadside unit.
    pub station_type: u8,
    /// Reserved, 10 bits: 0. V1.2.1 has the country of the station here, and stations of version 1
    /// also write it.
    pub reserved: u16,
    /// The address of the link layer.
    pub link: [u8; 6],
}

/// Where a station is, and how it moves: 24 octets (§9.5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongPosition {
    /// Its address.
    pub address: Address,
    /// When it was there: milliseconds since 2004-01-01T00:00:00 UTC, counting leap seconds (TAI),
    /// modulo 2^32.
    pub timestamp: u32,
    /// Latitude in 0.1 microdegrees, north is positive.
    pub latitude: i32,
    /// Longitude in 0.1 microdegrees, east is positive.
    pub longitude: i32,
    /// Whether the position is as good as the station promises (PAI).
    pub is_accurate: bool,
    /// Speed in 0.01 m/s, 15 bits with a sign: -16384 to 16383.
    pub speed: i16,
    /// Heading in 0.1 degrees from north, clockwise: 0 to 3599.
    pub heading: u16,
}

/// Where a station is: 20 octets (§9.5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortPosition {
    /// Its address.
    pub address: Address,
    /// When it was there, as in [`LongPosition::timestamp`].
    pub timestamp: u32,
    /// Latitude in 0.1 microdegrees, north is positive.
    pub latitude: i32,
    /// Longitude in 0.1 microdegrees, east is positive.
    pub longitude: i32,
}

/// An area: 14 octets (§9.8.5). Its shape is in the common header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Latitude of the centre in 0.1 microdegrees, north is positive.
    pub latitude: i32,
    /// Longitude of the centre in 0.1 microdegrees, east is positive.
    pub longitude: i32,
    /// Distance a in metres.
    pub distance_a: u16,
    /// Distance b in metres; 0 of a circle.
    pub distance_b: u16,
    /// The angle of the longer side in degrees from north.
    pub angle: u16,
}

/// The extended header, which the common header's type names (§9.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtendedHeader {
    /// 24 octets (§9.8.6).
    Beacon {
        /// Who sent it.
        source: LongPosition,
    },
    /// 48 octets (§9.8.2). LS reply has the same fields (§9.8.8).
    Guc {
        /// Its number among those of its source.
        sequence: Sequence,
        /// Who sent it.
        source: LongPosition,
        /// To whom.
        destination: ShortPosition,
    },
    /// 44 octets (§9.8.5). GeoAnycast and GeoBroadcast have the same fields.
    Area {
        /// Its number among those of its source.
        sequence: Sequence,
        /// Who sent it.
        source: LongPosition,
        /// Where to.
        area: Area,
        /// Reserved: 0.
        reserved: u16,
    },
    /// 28 octets (§9.8.3).
    Tsb {
        /// Its number among those of its source.
        sequence: Sequence,
        /// Who sent it.
        source: LongPosition,
    },
    /// 28 octets (§9.8.4).
    Shb {
        /// Who sent it.
        source: LongPosition,
        /// Data of the medium: for ITS-G5 the channel's load (TS 102 636-4-2 §6).
        media: [u8; 4],
    },
    /// 36 octets (§9.8.7).
    LsRequest {
        /// Its number among those of its source.
        sequence: Sequence,
        /// Who asks.
        source: LongPosition,
        /// Who is looked for.
        requested: Address,
    },
}

/// The number of a packet, and two reserved octets after it (§9.8.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// Its number, modulo 2^16.
    pub number: u16,
    /// Reserved: 0.
    pub reserved: u16,
}

impl BasicHeader {
    /// Octets that it takes.
    pub const LENGTH: usize = 4;

    /// Reads it, and returns what follows.
    ///
    /// # Errors
    /// `geonetworking.version`, `geonetworking.next-header`, `frame.truncated`.
    pub fn decode(input: &[u8]) -> Result<(BasicHeader, &[u8]), Error> {
        let mut input = Input::new(input);
        let first = input.u8()?;
        if first >> 4 > 1 {
            return Err(Error::new(faults::GEONETWORKING_VERSION, 0));
        }
        let next = match first & 0x0f {
            0 => BasicNext::Any,
            1 => BasicNext::Common,
            2 => BasicNext::Secured,
            _ => return Err(Error::new(faults::GEONETWORKING_NEXT, 0)),
        };
        let [reserved, lifetime, remaining_hops] = input.array()?;
        let lifetime = Lifetime { multiplier: lifetime >> 2, base: lifetime & 3 };
        Ok((BasicHeader { version: first >> 4, next, reserved, lifetime, remaining_hops }, input.rest()))
    }

    /// Writes it.
    ///
    /// # Errors
    /// `field.range`, `output.full`.
    pub fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        let version = out.field(self.version, 4)? as u8;
        let multiplier = out.field(self.lifetime.multiplier, 6)? as u8;
        let base = out.field(self.lifetime.base, 2)? as u8;
        out.octets(&[version << 4 | self.next as u8, self.reserved, multiplier << 2 | base, self.remaining_hops])
    }
}

impl CommonHeader {
    /// Octets that it takes.
    pub const LENGTH: usize = 8;

    /// Reads it, and returns what follows.
    ///
    /// # Errors
    /// `geonetworking.next-header`, `geonetworking.header-type`, `frame.truncated`.
    pub fn decode(input: &[u8]) -> Result<(CommonHeader, &[u8]), Error> {
        let mut input = Input::new(input);
        let first = input.u8()?;
        let next = match first >> 4 {
            0 => CommonNext::Any,
            1 => CommonNext::BtpA,
            2 => CommonNext::BtpB,
            3 => CommonNext::Ipv6,
            _ => return Err(Error::new(faults::GEONETWORKING_NEXT, 0)),
        };
        let at = input.at();
        let packet_type = PacketType::from_octet(input.u8()?).ok_or(Error::new(faults::GEONETWORKING_TYPE, at))?;
        let [class, flags] = input.array()?;
        let traffic_class = TrafficClass {
            store_carry_forward: class & 0x80 != 0,
            channel_offload: class & 0x40 != 0,
            id: class & 0x3f,
        };
        let payload_length = input.u16()?;
        let [maximum_hops, reserved_end] = input.array()?;
        let reserved = first & 0x0f;
        let header = CommonHeader {
            next,
            reserved,
            packet_type,
            traffic_class,
            flags,
            payload_length,
            maximum_hops,
            reserved_end,
        };
        Ok((header, input.rest()))
    }

    /// Writes it.
    ///
    /// # Errors
    /// `field.range`, `output.full`.
    pub fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        let reserved = out.field(self.reserved, 4)? as u8;
        let class = out.field(self.traffic_class.id, 6)? as u8
            | u8::from(self.traffic_class.store_carry_forward) << 7
            | u8::from(self.traffic_class.channel_offload) << 6;
        out.octets(&[(self.next as u8) << 4 | reserved, self.packet_type.octet(), class, self.flags])?;
        out.u16(self.payload_length)?;
        out.octets(&[self.maximum_hops, self.reserved_end])
    }

    /// Whether the station that sent it moves (§9.7.2).
    #[must_use]
    pub const fn is_mobile(&self) -> bool {
        self.flags & 0x80 != 0
    }
}

impl ExtendedHeader {
    /// Reads the extended header of a packet of this type, and returns what follows.
    ///
    /// # Errors
    /// `frame.truncated`.
    pub fn decode(packet_type: PacketType, input: &[u8]) -> Result<(ExtendedHeader, &[u8]), Error> {
        let mut input = Input::new(input);
        let header = match packet_type {
            PacketType::Beacon => ExtendedHeader::Beacon { source: LongPosition::read(&mut input)? },
            PacketType::Guc | PacketType::LsReply => ExtendedHeader::Guc {
                sequence: Sequence::read(&mut input)?,
                source: LongPosition::read(&mut input)?,
                destination: ShortPosition::read(&mut input)?,
            },
            PacketType::Gac(_) | PacketType::Gbc(_) => ExtendedHeader::Area {
                sequence: Sequence::read(&mut input)?,
                source: LongPosition::read(&mut input)?,
                area: Area::read(&mut input)?,
                reserved: input.u16()?,
            },
            PacketType::Tsb => {
                ExtendedHeader::Tsb { sequence: Sequence::read(&mut input)?, source: LongPosition::read(&mut input)? }
            }
            PacketType::Shb => ExtendedHeader::Shb { source: LongPosition::read(&mut input)?, media: input.array()? },
            PacketType::LsRequest => ExtendedHeader::LsRequest {
                sequence: Sequence::read(&mut input)?,
                source: LongPosition::read(&mut input)?,
                requested: Address::read(&mut input)?,
            },
        };
        Ok((header, input.rest()))
    }

    /// Writes it.
    ///
    /// # Errors
    /// `field.range`, `output.full`.
    pub fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        if let Some(sequence) = self.sequence() {
            out.u16(sequence.number)?;
            out.u16(sequence.reserved)?;
        }
        self.source().write(out)?;
        match self {
            ExtendedHeader::Beacon { .. } | ExtendedHeader::Tsb { .. } => Ok(()),
            ExtendedHeader::Guc { destination, .. } => destination.write(out),
            ExtendedHeader::Area { area, reserved, .. } => {
                area.write(out)?;
                out.u16(*reserved)
            }
            ExtendedHeader::Shb { media, .. } => out.octets(media),
            ExtendedHeader::LsRequest { requested, .. } => requested.write(out),
        }
    }

    /// Who sent it.
    #[must_use]
    pub const fn source(&self) -> &LongPosition {
        match self {
            ExtendedHeader::Beacon { source }
            | ExtendedHeader::Guc { source, .. }
            | ExtendedHeader::Area { source, .. }
            | ExtendedHeader::Tsb { source, .. }
            | ExtendedHeader::Shb { source, .. }
            | ExtendedHeader::LsRequest { source, .. } => source,
        }
    }

    /// Its number among those of its source. Beacons and SHB have none.
    #[must_use]
    pub const fn sequence(&self) -> Option<Sequence> {
        match self {
            ExtendedHeader::Beacon { .. } | ExtendedHeader::Shb { .. } => None,
            ExtendedHeader::Guc { sequence, .. }
            | ExtendedHeader::Area { sequence, .. }
            | ExtendedHeader::Tsb { sequence, .. }
            | ExtendedHeader::LsRequest { sequence, .. } => Some(*sequence),
        }
    }
}

impl Address {
    fn read(input: &mut Input<'_>) -> Result<Address, Error> {
        let first = input.u16()?;
        Ok(Address {
            is_manual: first & 0x8000 != 0,
            station_type: (first >> 10) as u8 & 0x1f,
            reserved: first & 0x3ff,
            link: input.array()?,
        })
    }

    fn first(&self, out: &Output<'_>) -> Result<u16, Error> {
        let station_type = out.field(self.station_type, 5)? as u16;
        let reserved = out.field(self.reserved, 10)? as u16;
        Ok(u16::from(self.is_manual) << 15 | station_type << 10 | reserved)
    }

    fn write(&self, out: &mut Output<'_>) -> Result<(), Error> {
        out.u16(self.first(out)?)?;
        out.octets(&self.link)
    }
}

/// Its octets, in hexadecimal digits.
impl core::fmt::Display for Address {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut octets = [0; 8];
        self.write(&mut Output::new(&mut octets)).map_err(|_| core::fmt::Error)?;
        // Each frame of a log has one or more: formatting a number takes several times as long.
        let digits = octets.map(|octet| [octet >> 4, octet & 15].map(|digit| b"0123456789abcdef"[usize::from(digit)]));
        f.write_str(core::str::from_utf8(digits.as_flattened()).unwrap_or_default())
    }
}

impl LongPosition {
    fn read(input: &mut Input<'_>) -> Result<LongPosition, Error> {
        let address = Address::read(input)?;
        let (timestamp, latitude, longitude) = (input.u32()?, input.i32()?, input.i32()?);
        let (motion, heading) = (input.u16()?, input.u16()?);
        // The sign is bit 14.
        let speed = ((motion << 1) as i16) >> 1;
        let is_accurate = motion & 0x8000 != 0;
        Ok(LongPosition { address, timestamp, latitude, longitude, is_accurate, speed, heading })
    }

    fn write(&self, out: &mut Output<'_>) -> Result<(), Error> {
        self.address.write(out)?;
        out.u32(self.timestamp)?;
        out.i32(self.latitude)?;
        out.i32(self.longitude)?;
        let speed = out.field((i32::from(self.speed) + 0x4000) as u32, 15)? as u16 ^ 0x4000;
        out.u16(u16::from(self.is_accurate) << 15 | speed)?;
        out.u16(self.heading)
    }
}

impl ShortPosition {
    fn read(input: &mut Input<'_>) -> Result<ShortPosition, Error> {
        Ok(ShortPosition {
            address: Address::read(input)?,
            timestamp: input.u32()?,
            latitude: input.i32()?,
            longitude: input.i32()?,
        })
    }

    fn write(&self, out: &mut Output<'_>) -> Result<(), Error> {
        self.address.write(out)?;
        out.u32(self.timestamp)?;
        out.i32(self.latitude)?;
        out.i32(self.longitude)
    }
}

impl Area {
    fn read(input: &mut Input<'_>) -> Result<Area, Error> {
        Ok(Area {
            latitude: input.i32()?,
            longitude: input.i32()?,
            distance_a: input.u16()?,
            distance_b: input.u16()?,
            angle: input.u16()?,
        })
    }

    fn write(&self, out: &mut Output<'_>) -> Result<(), Error> {
        out.i32(self.latitude)?;
        out.i32(self.longitude)?;
        out.u16(self.distance_a)?;
        out.u16(self.distance_b)?;
        out.u16(self.angle)
    }
}

impl Sequence {
    fn read(input: &mut Input<'_>) -> Result<Sequence, Error> {
        Ok(Sequence { number: input.u16()?, reserved: input.u16()? })
    }
}
