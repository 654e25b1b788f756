//! All header fields of recorded frames, as lines of a table, to be compared with those of another
//! program (`interop/tshark.py`).
//!
//! `headers FILE` prints a line for each frame, with the names that tshark has for the fields.
//! `headers --random N` writes N frames on Ethernet in pcap, of all types of packets, with random
//! fields.

use std::fmt::Display;
use std::io::{self, Write};

use roadwire_capture::btp::Btp;
use roadwire_capture::file::Reader;
use roadwire_capture::geonetworking::{
    Address, Area, BasicHeader, BasicNext, CommonHeader, CommonNext, ExtendedHeader, Lifetime, LongPosition,
    PacketType, Sequence, Shape, ShortPosition, TrafficClass,
};
use roadwire_capture::link::{Ethernet, Link, Receiver, ether_type};
use roadwire_capture::{Dissection, Output};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let out = &mut io::BufWriter::new(io::stdout().lock());
    match &arguments[..] {
        [option, count] if option == "--random" => random(out, count.parse()?)?,
        [file] => {
            let mut reader = Reader::open(file)?;
            while let Some(frame) = reader.next_frame() {
                let frame = frame?;
                let mut row = vec![("frame.number", frame.number.to_string())];
                if let Some(time) = frame.time {
                    row.push(("frame.time_epoch", format!("{}.{:09}", time.seconds, time.nanoseconds)));
                }
                fields(&frame.dissect(), &mut row);
                let cells: Vec<String> = row.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
                writeln!(out, "{}", cells.join("\t"))?;
            }
        }
        _ => return Err("usage: headers FILE | headers --random N".into()),
    }
    Ok(out.flush()?)
}

type Row = Vec<(&'static str, String)>;

fn put(row: &mut Row, name: &'static str, value: impl Display) {
    row.push((name, value.to_string()));
}

fn flag(row: &mut Row, name: &'static str, value: bool) {
    put(row, name, u8::from(value));
}

fn link_address(octets: [u8; 6]) -> String {
    octets.map(|octet| format!("{octet:02x}")).join(":")
}

fn fields(found: &Dissection<'_>, row: &mut Row) {
    if let Some(Receiver::Radiotap(header)) = &found.receiver {
        header.time().into_iter().for_each(|time| put(row, "radiotap.mactime", time));
        header.rate().into_iter().for_each(|rate| put(row, "radiotap.datarate", f64::from(rate) / 2.0));
        header.frequency().into_iter().for_each(|frequency| put(row, "radiotap.channel.freq", frequency));
        header.signal().into_iter().for_each(|signal| put(row, "radiotap.dbm_antsignal", signal));
    }
    match &found.link {
        Some(Link::Ethernet(header)) => {
            put(row, "eth.src", link_address(header.source));
            put(row, "eth.dst", link_address(header.destination));
        }
        Some(Link::Ieee80211 { header, .. }) => {
            let addresses = header.addresses();
            put(row, "wlan.sa", link_address(addresses.source));
            put(row, "wlan.da", link_address(addresses.destination));
            // Bit 15 says that it is no duration (IEEE 802.11 §9.2.4.2).
            put(row, "wlan.duration", header.duration & 0x7fff);
            put(row, "wlan.seq", header.sequence >> 4);
        }
        _ => {}
    }
    if let Some(basic) = &found.basic {
        put(row, "geonw.bh.version", basic.version);
        put(row, "geonw.bh.nh", basic.next as u8);
        put(row, "geonw.bh.reserved", basic.reserved);
        put(row, "geonw.bh.lt.mult", basic.lifetime.multiplier);
        put(row, "geonw.bh.lt.base", basic.lifetime.base);
        put(row, "geonw.bh.rhl", basic.remaining_hops);
    }
    if let Some(common) = &found.common {
        put(row, "geonw.ch.nh", common.next as u8);
        put(row, "geonw.ch.reserved1", common.reserved);
        put(row, "geonw.ch.htype", common.packet_type.octet());
        flag(row, "geonw.ch.tc.buffer", common.traffic_class.store_carry_forward);
        flag(row, "geonw.ch.tc.offload", common.traffic_class.channel_offload);
        put(row, "geonw.ch.tc.id", common.traffic_class.id);
        flag(row, "geonw.ch.flags.mob", common.is_mobile());
        put(row, "geonw.ch.plength", common.payload_length);
        put(row, "geonw.ch.mhl", common.maximum_hops);
        put(row, "geonw.ch.reserved2", common.reserved_end);
    }
    if let Some(extended) = &found.extended {
        extension(extended, row);
    }
    match found.btp {
        Some(Btp::A { destination, source }) => {
            put(row, "btpa.dstport", destination);
            put(row, "btpa.srcport", source);
        }
        Some(Btp::B { destination, info }) => {
            put(row, "btpb.dstport", destination);
            put(row, "btpb.dstportinf", info);
        }
        None => {}
    }
    if let Some(problem) = &found.problem {
        put(row, "problem", problem.code());
    }
}

fn extension(extended: &ExtendedHeader, row: &mut Row) {
    if let Some(sequence) = extended.sequence() {
        put(row, "geonw.seq_num", sequence.number);
        put(row, "geonw.reserved", sequence.reserved);
    }
    let source = extended.source();
    flag(row, "geonw.src_pos.addr.manual", source.address.is_manual);
    put(row, "geonw.src_pos.addr.type", source.address.station_type);
    put(row, "geonw.src_pos.addr.country", source.address.reserved);
    put(row, "geonw.src_pos.addr.mid", link_address(source.address.link));
    put(row, "geonw.src_pos.tst", source.timestamp);
    put(row, "geonw.src_pos.lat", source.latitude);
    put(row, "geonw.src_pos.long", source.longitude);
    flag(row, "geonw.src_pos.pai", source.is_accurate);
    put(row, "geonw.src_pos.speed", source.speed);
    put(row, "geonw.src_pos.hdg", source.heading);
    match extended {
        ExtendedHeader::Guc { destination, .. } => {
            flag(row, "geonw.dst_pos.addr.manual", destination.address.is_manual);
            put(row, "geonw.dst_pos.addr.type", destination.address.station_type);
            put(row, "geonw.dst_pos.addr.country", destination.address.reserved);
            put(row, "geonw.dst_pos.addr.mid", link_address(destination.address.link));
            put(row, "geonw.dst_pos.tst", destination.timestamp);
            put(row, "geonw.dst_pos.lat", destination.latitude);
            put(row, "geonw.dst_pos.long", destination.longitude);
        }
        ExtendedHeader::Area { area, .. } => {
            put(row, "geonw.gxc.latitude", area.latitude);
            put(row, "geonw.gxc.longitude", area.longitude);
            put(row, "geonw.gxc.distancea", area.distance_a);
            put(row, "geonw.gxc.distanceb", area.distance_b);
            put(row, "geonw.gxc.angle", area.angle);
        }
        ExtendedHeader::LsRequest { requested, .. } => {
            flag(row, "geonw.ls_req.addr.manual", requested.is_manual);
            put(row, "geonw.ls_req.addr.type", requested.station_type);
            put(row, "geonw.ls_req.addr.country", requested.reserved);
            put(row, "geonw.ls_req.addr.mid", link_address(requested.link));
        }
        ExtendedHeader::Beacon { .. } | ExtendedHeader::Tsb { .. } | ExtendedHeader::Shb { .. } => {}
    }
}

/// Numbers that look random, the same every time (xorshift).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn address(&mut self) -> Address {
        let [.., a, b, c, d, e, f] = self.next().to_be_bytes();
        let (is_manual, station_type) = (self.below(2) == 1, self.below(32) as u8);
        Address { is_manual, station_type, reserved: self.below(1024) as u16, link: [a, b, c, d, e, f] }
    }

    fn source(&mut self) -> LongPosition {
        LongPosition {
            address: self.address(),
            timestamp: self.next() as u32,
            latitude: self.next() as i32,
            longitude: self.next() as i32,
            is_accurate: self.below(2) == 1,
            speed: self.below(32_768) as i16 - 16_384,
            heading: self.next() as u16,
        }
    }

    fn extended(&mut self, packet_type: PacketType) -> ExtendedHeader {
        let (sequence, source) = (Sequence { number: self.next() as u16, reserved: self.next() as u16 }, self.source());
        match packet_type {
            PacketType::Beacon => ExtendedHeader::Beacon { source },
            PacketType::Guc | PacketType::LsReply => {
                let (address, timestamp) = (self.address(), self.next() as u32);
                let (latitude, longitude) = (self.next() as i32, self.next() as i32);
                let destination = ShortPosition { address, timestamp, latitude, longitude };
                ExtendedHeader::Guc { sequence, source, destination }
            }
            PacketType::Gac(_) | PacketType::Gbc(_) => {
                let (latitude, longitude) = (self.next() as i32, self.next() as i32);
                let [distance_a, distance_b, angle] = [(); 3].map(|()| self.next() as u16);
                let area = Area { latitude, longitude, distance_a, distance_b, angle };
                ExtendedHeader::Area { sequence, source, area, reserved: self.next() as u16 }
            }
            PacketType::Tsb => ExtendedHeader::Tsb { sequence, source },
            PacketType::Shb => ExtendedHeader::Shb { source, media: (self.next() as u32).to_be_bytes() },
            PacketType::LsRequest => ExtendedHeader::LsRequest { sequence, source, requested: self.address() },
        }
    }

    fn frame(&mut self, out: &mut Output<'_>) -> Result<(), roadwire_capture::Error> {
        const SHAPES: [Shape; 3] = [Shape::Circle, Shape::Rectangle, Shape::Ellipse];
        let shape = SHAPES[self.below(3) as usize];
        let types = [
            PacketType::Beacon,
            PacketType::Guc,
            PacketType::Gac(shape),
            PacketType::Gbc(shape),
            PacketType::Tsb,
            PacketType::Shb,
            PacketType::LsRequest,
            PacketType::LsReply,
        ];
        let packet_type = types[self.below(8) as usize];
        let carries = !matches!(packet_type, PacketType::Beacon | PacketType::LsRequest | PacketType::LsReply);
        let is_interactive = self.below(2) == 1;
        let (destination, second) = (50_000 + self.below(1000) as u16, self.next() as u16);
        let payload = self.next().to_be_bytes();
        let protocol = ether_type::GEONETWORKING;
        let [destination_address, source] = [(); 2].map(|()| self.address().link);
        Ethernet { destination: destination_address, source, outer_tag: None, inner_tag: None, protocol }
            .encode(out)?;
        let lifetime = Lifetime { multiplier: self.below(64) as u8, base: self.below(4) as u8 };
        let (reserved, remaining_hops) = (self.next() as u8, self.next() as u8);
        BasicHeader { version: 1, next: BasicNext::Common, reserved, lifetime, remaining_hops }.encode(out)?;
        let traffic_class = TrafficClass {
            store_carry_forward: self.below(2) == 1,
            channel_offload: self.below(2) == 1,
            id: self.below(64) as u8,
        };
        let next = match (carries, is_interactive) {
            (false, _) => CommonNext::Any,
            (true, true) => CommonNext::BtpA,
            (true, false) => CommonNext::BtpB,
        };
        let common = CommonHeader {
            next,
            reserved: self.below(16) as u8,
            packet_type,
            traffic_class,
            flags: (self.below(2) as u8) << 7,
            payload_length: if carries { 12 } else { 0 },
            maximum_hops: self.next() as u8,
            reserved_end: self.next() as u8,
        };
        common.encode(out)?;
        self.extended(packet_type).encode(out)?;
        match next {
            CommonNext::BtpA => Btp::A { destination, source: second }.encode(out)?,
            CommonNext::BtpB => Btp::B { destination, info: second }.encode(out)?,
            _ => return Ok(()),
        }
        out.octets(&payload)
    }
}

fn random(out: &mut impl Write, count: u32) -> Result<(), Box<dyn std::error::Error>> {
    let word = u32::to_le_bytes;
    out.write_all(&[word(0xa1b2_c3d4), [2, 0, 4, 0], word(0), word(0), word(65_535), word(1)].concat())?;
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for at in 0..count {
        let mut buffer = [0; 256];
        let mut frame = Output::new(&mut buffer);
        numbers.frame(&mut frame)?;
        let octets = frame.written();
        let length = octets.len() as u32;
        out.write_all(&[word(at), word(0), word(length), word(length)].concat())?;
        out.write_all(octets)?;
    }
    Ok(())
}
