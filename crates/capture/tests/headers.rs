//! Each header from octets made by hand, field by field as its standard has them, and back again.

use roadwire_capture::btp::Btp;
use roadwire_capture::geonetworking::{
    Address, Area, BasicHeader, BasicNext, CommonHeader, CommonNext, ExtendedHeader, Lifetime, LongPosition,
    PacketType, Sequence, Shape, ShortPosition, TrafficClass,
};
use roadwire_capture::internet::{Internet, Udp, V4, V6};
use roadwire_capture::link::{
    Addresses, Cooked, CookedV2, Ethernet, Ieee80211, Link, Ppi, Radiotap, Receiver, Snap, Tag,
};
use roadwire_capture::security::{Content, Envelope, Format, Signer};
use roadwire_capture::wsmp::{self, Count, Element, Elements, Psid, Wsmp};
use roadwire_capture::{Check, Dissection, Error, LinkType, Output, faults, frame_check_sequence};

/// The octets are this header, and nothing follows it; it is written as the same octets; and it is
/// refused where an octet is missing at its end.
macro_rules! both_ways {
    ($decode:expr, $hex:expr, $expected:expr) => {{
        let octets = octets($hex);
        let expected = $expected;
        let (header, rest) = $decode(octets.as_slice()).expect($hex);
        assert_eq!((&header, rest), (&expected, &[][..]), "{}", $hex);
        assert_eq!(written(|out| expected.encode(out)), $hex.replace(' ', ""));
        for end in 0..octets.len() {
            assert!($decode(&octets[..end]).is_err(), "{} up to {end}", $hex);
        }
    }};
}

/// EN 302 636-4-1 §9.6: version, next header, lifetime (six bits of multiplier, two of base), hops.
#[test]
fn basic_header() {
    let lifetime = Lifetime { multiplier: 3, base: 2 };
    assert_eq!(lifetime.milliseconds(), 30_000);
    both_ways!(
        BasicHeader::decode,
        "12 00 0e 0a",
        BasicHeader { version: 1, next: BasicNext::Secured, reserved: 0, lifetime, remaining_hops: 10 }
    );
    let lifetime = Lifetime { multiplier: 20, base: 0 };
    assert_eq!(lifetime.milliseconds(), 1000);
    both_ways!(
        BasicHeader::decode,
        "01 a5 50 01",
        BasicHeader { version: 0, next: BasicNext::Common, reserved: 0xa5, lifetime, remaining_hops: 1 }
    );
}

/// EN 302 636-4-1 §9.7: every type and subtype, and the bits of the traffic class.
#[test]
fn common_header() {
    both_ways!(
        CommonHeader::decode,
        "2f 42 c2 80 0102 0a ff",
        CommonHeader {
            next: CommonNext::BtpB,
            reserved: 15,
            packet_type: PacketType::Gbc(Shape::Ellipse),
            traffic_class: TrafficClass { store_carry_forward: true, channel_offload: true, id: 2 },
            flags: 0x80,
            payload_length: 258,
            maximum_hops: 10,
            reserved_end: 255,
        }
    );
    let types = [
        (0x10, PacketType::Beacon, "beacon"),
        (0x20, PacketType::Guc, "guc"),
        (0x30, PacketType::Gac(Shape::Circle), "gac"),
        (0x31, PacketType::Gac(Shape::Rectangle), "gac"),
        (0x32, PacketType::Gac(Shape::Ellipse), "gac"),
        (0x40, PacketType::Gbc(Shape::Circle), "gbc"),
        (0x41, PacketType::Gbc(Shape::Rectangle), "gbc"),
        (0x42, PacketType::Gbc(Shape::Ellipse), "gbc"),
        (0x50, PacketType::Shb, "shb"),
        (0x51, PacketType::Tsb, "tsb"),
        (0x60, PacketType::LsRequest, "ls-request"),
        (0x61, PacketType::LsReply, "ls-reply"),
    ];
    for octet in 0..=255 {
        let expected = types.iter().find(|(code, ..)| *code == octet);
        let found = PacketType::from_octet(octet);
        assert_eq!(found.map(|one| (one.octet(), one, one.name())), expected.copied(), "{octet:02x}");
    }
}

const SOURCE: LongPosition = LongPosition {
    address: Address { is_manual: true, station_type: 5, reserved: 0x3ff, link: [0, 1, 2, 3, 4, 5] },
    timestamp: 0x8495_6dd0,
    latitude: 491_711_500,
    longitude: -165_978_980,
    is_accurate: true,
    speed: -1,
    heading: 900,
};
/// Its 24 octets (EN 302 636-4-1 §6.3, §9.5.2): 1 00101 1111111111, the link layer's address, time,
/// latitude, longitude, 1 and fifteen bits of speed, heading.
const SOURCE_HEX: &str = "97ff 000102030405 84956dd0 1d4eec0c f61b5c9c ffff 0384";

#[test]
fn extended_headers() {
    let sequence = Sequence { number: 7, reserved: 0xbeef };
    let destination = ShortPosition {
        address: Address { is_manual: false, station_type: 15, reserved: 0, link: [6; 6] },
        timestamp: 1,
        latitude: -2,
        longitude: 3,
    };
    let area = Area { latitude: 1, longitude: -1, distance_a: 500, distance_b: 100, angle: 45 };
    let cases = [
        (PacketType::Beacon, SOURCE_HEX.to_owned(), ExtendedHeader::Beacon { source: SOURCE }),
        (
            PacketType::Guc,
            format!("0007 beef {SOURCE_HEX} 3c00 060606060606 00000001 fffffffe 00000003"),
            ExtendedHeader::Guc { sequence, source: SOURCE, destination },
        ),
        (
            PacketType::LsReply,
            format!("0007 beef {SOURCE_HEX} 3c00 060606060606 00000001 fffffffe 00000003"),
            ExtendedHeader::Guc { sequence, source: SOURCE, destination },
        ),
        (
            PacketType::Gac(Shape::Circle),
            format!("0007 beef {SOURCE_HEX} 00000001 ffffffff 01f4 0064 002d 0102"),
            ExtendedHeader::Area { sequence, source: SOURCE, area, reserved: 0x0102 },
        ),
        (
            PacketType::Gbc(Shape::Rectangle),
            format!("0007 beef {SOURCE_HEX} 00000001 ffffffff 01f4 0064 002d 0000"),
            ExtendedHeader::Area { sequence, source: SOURCE, area, reserved: 0 },
        ),
        (PacketType::Tsb, format!("0007 beef {SOURCE_HEX}"), ExtendedHeader::Tsb { sequence, source: SOURCE }),
        (
            PacketType::Shb,
            format!("{SOURCE_HEX} 0a0b0c0d"),
            ExtendedHeader::Shb { source: SOURCE, media: [10, 11, 12, 13] },
        ),
        (
            PacketType::LsRequest,
            format!("0007 beef {SOURCE_HEX} 3c00 060606060606"),
            ExtendedHeader::LsRequest { sequence, source: SOURCE, requested: destination.address },
        ),
    ];
    let lengths = [24, 48, 48, 44, 44, 28, 28, 36];
    for ((packet_type, hex, expected), length) in cases.iter().zip(lengths) {
        assert_eq!(octets(hex).len(), length, "{packet_type:?}");
        both_ways!(|input| ExtendedHeader::decode(*packet_type, input), hex.as_str(), *expected);
        assert_eq!(expected.source(), &SOURCE);
    }
    assert_eq!(SOURCE.address.to_string(), "97ff000102030405");
}

/// EN 302 636-4-1 §9.5.2: fifteen bits with a sign, and none that has more.
#[test]
fn speed_has_fifteen_bits() {
    for (speed, bits) in [(0, "8000"), (16_383, "bfff"), (-16_384, "c000"), (-1, "ffff")] {
        let hex = SOURCE_HEX.replace("ffff 0384", &format!("{bits} 0384"));
        both_ways!(
            |input| ExtendedHeader::decode(PacketType::Beacon, input),
            hex.as_str(),
            ExtendedHeader::Beacon { source: LongPosition { speed, ..SOURCE } }
        );
    }
    for speed in [16_384, -16_385] {
        let beacon = ExtendedHeader::Beacon { source: LongPosition { speed, ..SOURCE } };
        assert_eq!(fault(|out| beacon.encode(out)), faults::FIELD_RANGE);
    }
}

/// EN 302 636-5-1 §7.
#[test]
fn transport_headers() {
    both_ways!(Btp::decode_a, "07d1 1234", Btp::A { destination: 2001, source: 0x1234 });
    both_ways!(Btp::decode_b, "07d2 0001", Btp::B { destination: 2002, info: 1 });
    assert_eq!(Btp::B { destination: 2002, info: 1 }.port(), 2002);
}

#[test]
fn ethernet_with_tags() {
    let (destination, source) = ([0xff; 6], [0, 1, 2, 3, 4, 5]);
    let plain = Ethernet { destination, source, outer_tag: None, inner_tag: None, protocol: 0x8947 };
    both_ways!(Ethernet::decode, "ffffffffffff 000102030405 8947", plain);
    let inner = Tag { kind: 0x8100, control: 0xe064 };
    assert_eq!(inner.vlan(), 100);
    both_ways!(
        Ethernet::decode,
        "ffffffffffff 000102030405 8100 e064 88dc",
        Ethernet { outer_tag: Some(inner), protocol: 0x88dc, ..plain }
    );
    let outer = Tag { kind: 0x88a8, control: 2 };
    both_ways!(
        Ethernet::decode,
        "ffffffffffff 000102030405 88a8 0002 8100 e064 8947",
        Ethernet { outer_tag: Some(outer), inner_tag: Some(inner), ..plain }
    );
}

/// IEEE 802.11-2016 Table 9-26: what the addresses are, by To DS and From DS.
#[test]
fn wlan_addresses() {
    let [one, two, three, four] = [1, 2, 3, 4].map(|octet| [octet; 6]);
    let plain = Ieee80211 {
        control: 0x0008,
        duration: 0x0201,
        address: [one, two, three],
        sequence: 0x3ac0,
        fourth: None,
        quality: None,
        throughput: None,
    };
    let addresses = "010101010101 020202020202 030303030303";
    both_ways!(Ieee80211::decode, format!("0800 0102 {addresses} c03a").as_str(), plain);
    let bssid = Some;
    assert_eq!(plain.addresses(), Addresses { destination: one, source: two, bssid: bssid(three) });
    let from = Ieee80211 { control: 0x0208, ..plain };
    assert_eq!(from.addresses(), Addresses { destination: one, source: three, bssid: bssid(two) });
    let to = Ieee80211 { control: 0x0108, ..plain };
    assert_eq!(to.addresses(), Addresses { destination: three, source: two, bssid: bssid(one) });
    let bridged = Ieee80211 { control: 0x0308, fourth: Some(four), ..plain };
    both_ways!(Ieee80211::decode, format!("0803 0102 {addresses} c03a 040404040404").as_str(), bridged);
    assert_eq!(bridged.addresses(), Addresses { destination: three, source: four, bssid: None });
    let quality = Ieee80211 { control: 0x0088, quality: Some(0x0023), ..plain };
    both_ways!(Ieee80211::decode, format!("8800 0102 {addresses} c03a 2300").as_str(), quality);
    let most = Ieee80211 { control: 0x8388, throughput: Some(0x0403_0201), fourth: Some(four), ..quality };
    both_ways!(Ieee80211::decode, format!("8883 0102 {addresses} c03a 040404040404 2300 01020304").as_str(), most);
    assert_eq!([plain, quality, bridged, most].map(|header| header.length()), [24, 26, 30, 36]);
    both_ways!(Snap::decode, "aaaa03 000000 8947", Snap { organization: [0; 3], protocol: 0x8947 });
}

/// radiotap.org: fields by bit, each at a multiple of its alignment from the start of the header,
/// behind all words of bits.
#[test]
fn radiotap_fields() {
    // Flags, rate, channel, signal, noise and antenna; a second word of bits.
    let hex = "00 00 1500 6e080080 00000000 10 0c 0c17 4041 ce a1 02";
    let octets = octets(hex);
    let (header, rest) = Radiotap::decode(&octets).expect("a header");
    assert!(rest.is_empty());
    assert_eq!(
        (header.time(), header.flags(), header.rate(), header.frequency(), header.signal(), header.noise()),
        (None, Some(0x10), Some(12), Some(5900), Some(-50), Some(-95))
    );
    assert_eq!(header.antenna(), Some(2));
    assert_eq!(written(|out| header.encode(out)), hex.replace(' ', ""));
    // Behind two words of bits the time begins at octet 16, the flags at 24, and the channel at 26,
    // which is even.
    let fields = "00 00 1e00 0b000080 00000000 00000000 0102030405060708 10 00 0c17 4041";
    let octets = self::octets(fields);
    let (header, _) = Radiotap::decode(&octets).expect("a header");
    let time = u64::from_le_bytes([1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!((header.time(), header.flags(), header.frequency()), (Some(time), Some(0x10), Some(5900)));
    assert_eq!(header.rate(), None);
    let short = self::octets(&fields.replace("1e00", "1d00"));
    assert_eq!(Radiotap::decode(&short).map_err(|error| error.code()), Err("radiotap.length"));
}

/// The field common to IEEE 802.11 has its flags at octet 8.
#[test]
fn per_packet_information() {
    let common = "0200 1400 0000000000000000 0500 0c00 0c17 4041 0000 ce a1";
    let hex = format!("00 00 2000 69000000 {common}");
    let octets = octets(&hex);
    let (header, rest) = Ppi::decode(&octets).expect("a header");
    assert!(rest.is_empty());
    assert_eq!((header.link(), header.wlan_flags()), (Some(LinkType::IEEE80211), Some(5)));
    assert_eq!(written(|out| header.encode(out)), hex.replace(' ', ""));
    // With bit 0 of the flags, fields begin at multiples of four.
    let aligned = self::octets(&format!("00 01 2800 69000000 0100 0100 aa000000 {common}"));
    let (header, _) = Ppi::decode(&aligned).expect("a header");
    assert_eq!(header.wlan_flags(), Some(5));
    let none = self::octets("00 00 0800 01000000");
    let (header, _) = Ppi::decode(&none).expect("a header");
    assert_eq!((header.link(), header.wlan_flags()), (Some(LinkType::ETHERNET), None));
}

#[test]
fn cooked_captures() {
    let address = [0, 1, 2, 3, 4, 5, 0, 0];
    both_ways!(
        Cooked::decode,
        "0004 0001 0006 0001020304050000 8947",
        Cooked { packet_type: 4, hardware: 1, address_length: 6, address, protocol: 0x8947 }
    );
    both_ways!(
        CookedV2::decode,
        "8947 0102 00000003 0001 04 06 0001020304050000",
        CookedV2 {
            protocol: 0x8947,
            reserved: 0x0102,
            interface: 3,
            hardware: 1,
            packet_type: 4,
            address_length: 6,
            address
        }
    );
}

/// RFC 791, RFC 8200, RFC 768.
#[test]
fn internet_headers() {
    let v4 = V4 {
        service: 1,
        total_length: 24,
        identification: 0x0203,
        fragment: 0x4000,
        time_to_live: 64,
        protocol: 17,
        checksum: 0x0405,
        source: [127, 0, 0, 1],
        destination: [127, 0, 0, 2],
        options: &[1, 1, 1, 0],
    };
    both_ways!(Internet::decode, "46 01 0018 0203 4000 40 11 0405 7f000001 7f000002 01010100", Internet::V4(v4));
    let (source, destination) = ([0xfe; 16], [0x80; 16]);
    let extensions = &[60, 0, 1, 4, 0, 0, 0, 0, 17, 0, 1, 4, 0, 0, 0, 0];
    let (from, to) = ("fe".repeat(16), "80".repeat(16));
    let hex = format!("61234567 0010 00 40 {from} {to} 3c00010400000000 1100010400000000");
    let v6 =
        V6 { flow: 0x0123_4567, payload_length: 16, next_header: 0, hop_limit: 64, source, destination, extensions };
    both_ways!(Internet::decode, hex.as_str(), Internet::V6(v6));
    both_ways!(Udp::decode, "1f40 07d1 0008 0001", Udp { source: 8000, destination: 2001, length: 8, checksum: 1 });
}

/// IEEE 1609.12 §4.1.2: as many leading ones as octets follow; each length continues where the one
/// before it ends.
#[test]
fn psid_in_p_encoding() {
    let cases = [
        (0, "00"),
        (0x20, "20"),
        (0x7f, "7f"),
        (0x80, "8000"),
        (0x85, "8005"),
        (0x407f, "bfff"),
        (0x4080, "c00000"),
        (0x20_407f, "dfffff"),
        (0x20_4080, "e0000000"),
        (0x1020_407f, "efffffff"),
    ];
    let wsmp = |psid| Wsmp {
        subtype: 0,
        network: None,
        address: wsmp::Address::Psid(Psid(psid)),
        transport: None,
        length: Count::new(0),
    };
    for (psid, hex) in cases {
        both_ways!(Wsmp::decode, format!("03 00 {hex} 00").as_str(), wsmp(psid));
        assert_eq!(wsmp(psid).psid(), Some(psid));
    }
    assert_eq!(fault(|out| wsmp(0x1020_4080).encode(out)), faults::FIELD_RANGE);
}

/// IEEE 1609.3-2016 §8.3: subtype, option bit and version; elements; TPID; address; length.
#[test]
fn wave_short_message() {
    let elements = octets("0f 01 ac 10 01 0c 04 01 14");
    let elements = Elements::new(&elements).expect("elements");
    let hex = "1b 03 0f01ac 10010c 040114 00 20 8080";
    let expected = Wsmp {
        subtype: 1,
        network: Some(elements),
        address: wsmp::Address::Psid(Psid(0x20)),
        transport: None,
        length: Count { value: 128, is_wide: true },
    };
    let message = format!("{hex} {}", "55".repeat(128));
    let octets = octets(&message);
    let (header, rest) = Wsmp::decode(&octets).expect("a header");
    assert_eq!((header, rest.len()), (expected, 128));
    assert_eq!(written(|out| expected.encode(out)), hex.replace(' ', ""));
    let told = [Element::CHANNEL, Element::DATA_RATE, Element::TRANSMIT_POWER, Element::CHANNEL_LOAD]
        .map(|id| elements.octet(id));
    assert_eq!(told, [Some(172), Some(12), Some(20), None]);
    // TPID 3: ports, and elements in the transport header. A length below 128 in two octets stays
    // as it is.
    let other = [0x05, 0];
    let other = Elements::new(&other).expect("an element");
    let ports = wsmp::Address::Ports { source: 1, destination: 2 };
    let length = Count { value: 0, is_wide: true };
    both_ways!(
        Wsmp::decode,
        "03 03 0001 0002 01 0500 8000",
        Wsmp { subtype: 0, network: None, address: ports, transport: Some(other), length }
    );
}

/// IEEE 1609.2 §6.3: unsecured, signed with a digest, with a certificate, with the hash of data
/// elsewhere, encrypted.
#[test]
fn envelopes_of_ieee_1609_2() {
    let check = |hex: &str, content, payload: &str, psid, generated, signer| {
        let octets = octets(hex);
        let (found, rest) = Envelope::decode(&octets).expect(hex);
        assert!(rest.is_empty());
        assert_eq!((found.format, found.content), (Format::Dot2, content), "{hex}");
        assert_eq!(self::hex(found.payload), payload.replace(' ', ""), "{hex}");
        assert_eq!((found.psid, found.generated, found.signer), (psid, generated, signer), "{hex}");
        assert_eq!(written(|out| found.encode(out)), hex.replace(' ', ""));
    };
    check("03 80 02 aabb", Content::Unsecured, "aabb", None, None, None);
    let digest = Some(Signer::Digest([1, 2, 3, 4, 5, 6, 7, 8]));
    // Header info with generation time, expiry time, location and a request; the signature is not
    // looked at.
    check(
        "03 81 00 40 0380 02aabb 78 01 25 0000000000000102 0000000000000103 00000001 00000002 0003 010203 80 0102030405060708 80",
        Content::Signed,
        "aa bb",
        Some(37),
        Some(0x0102),
        digest,
    );
    // The same with extensions of payload and header info, each a bitmap and open types, and a
    // payload of 128 octets.
    let long = "cc".repeat(128);
    check(
        &format!("03 81 00 c0 0380 8180{long} 02 07 80 01 00 84 02 408d 00 010203 0405 02 06 40 02 0304 81 01"),
        Content::Signed,
        &long,
        Some(0x408d),
        None,
        Some(Signer::Certificate),
    );
    let hash = "11".repeat(32);
    check(
        &format!("03 81 00 20 80{hash} 40 01 24 0000000000000005 82 80"),
        Content::SignedElsewhere,
        "",
        Some(36),
        Some(5),
        Some(Signer::Itself),
    );
    check(
        "03 81 00 40 0380 00 04 01 24 00 010203 0405 81 01 80",
        Content::Signed,
        "",
        Some(36),
        None,
        Some(Signer::Certificate),
    );
    check("03 82 01 80 0102030405060708", Content::Encrypted, "", None, None, None);
    check("03 81 00 40 0382 01 80", Content::SignedElsewhere, "", None, None, None);
    check("03 83 01 ff", Content::CertificateRequest, "", None, None, None);
}

/// TS 103 097 V1.2.1 §5: header fields in their order, one payload, trailer fields; in V1.1.1 a
/// profile, and a list of payloads.
#[test]
fn envelopes_of_the_first_age() {
    let trailer = format!("43 01 00 02 {}", "77".repeat(64));
    let digest = Some(Signer::Digest([1, 2, 3, 4, 5, 6, 7, 8]));
    let second = format!("02 15 80 01 0102030405060708 00 0000000000000102 05 24 01 03 aabbcc {trailer}");
    let octets = octets(&second);
    let (found, rest) = Envelope::decode(&octets).expect("a message");
    assert!(rest.is_empty());
    assert_eq!((found.format, found.content), (Format::V1_2, Content::Signed));
    assert_eq!((found.psid, found.generated, found.signer), (Some(36), Some(0x0102), digest));
    assert_eq!(hex(found.payload), "aabbcc");
    assert_eq!(hex(found.tail), trailer.replace(' ', ""));
    assert_eq!(written(|out| found.encode(out)), second.replace(' ', ""));
    // Octets that follow are not the envelope's.
    let padded = self::octets(&format!("{second} 0000"));
    let (again, rest) = Envelope::decode(&padded).expect("a message");
    assert_eq!((again, rest), (found, &[0, 0][..]));
    for end in 0..octets.len() {
        assert!(Envelope::decode(&octets[..end]).is_err(), "{end}");
    }
    let first = format!("01 02 16 80 01 0102030405060708 00 0000000000000102 05 0002 04 01 03 aabbcc {trailer}");
    assert!(Envelope::decode(&self::octets(&first)).is_err(), "the list of payloads ends in the middle of one");
    let first = first.replace("0002 04 01", "0002 07 01").replace("aabbcc", "aabbcc 00 00");
    let octets = self::octets(&first);
    let (found, _) = Envelope::decode(&octets).expect("a message");
    assert_eq!((found.format, found.content), (Format::V1_1, Content::Signed));
    assert_eq!((found.psid, found.generated, found.signer), (Some(36), Some(0x0102), digest));
    assert_eq!(hex(found.payload), "aabbcc");
    assert_eq!(hex(found.tail), format!("0000{}", trailer.replace(' ', "")));
    assert_eq!(written(|out| found.encode(out)), first.replace(' ', ""));
    // A header field of a length that is not known ends the search, and not the message: a
    // certificate.
    let other = format!("02 04 80 02 02 01 01 02 abcd {trailer}");
    let octets = self::octets(&other);
    let (found, _) = Envelope::decode(&octets).expect("a message");
    assert_eq!((found.signer, found.psid, hex(found.payload)), (Some(Signer::Certificate), None, "abcd".into()));
    // Encrypted: no payload. External: no data.
    let octets = self::octets("02 00 02 02 abcd 00");
    let (found, _) = Envelope::decode(&octets).expect("a message");
    assert_eq!((found.content, found.payload), (Content::Encrypted, &[][..]));
    let octets = self::octets("02 00 03 00");
    let (found, _) = Envelope::decode(&octets).expect("a message");
    assert_eq!(found.content, Content::SignedElsewhere);
}

/// An SHB with a CAM of three octets.
const PACKET: &str = "11 00 50 01 20 50 02 00 0007 01 00 1400000102030405 00000000 00000000 00000000 0000 0000 00000000 07d1 0000 0202aa";

/// One packet in every link layer: the message is found, and the frame written again, with what
/// follows the packet.
#[test]
fn every_link_layer_carries_a_packet() {
    let wlan = "8800 0000 ffffffffffff 000102030405 ffffffffffff 0000 2000";
    let snap = "aaaa03 000000 8947";
    let sum = |frame: &str| hex(&frame_check_sequence(&octets(frame)).to_le_bytes());
    let bare = format!("{wlan} {snap} {PACKET}");
    let padded = format!("{wlan} 0000 {snap} {PACKET}");
    let eth = format!("ffffffffffff 000102030405 8947 {PACKET}");
    let cases = [
        (LinkType::ETHERNET, Check::Absent, format!("{eth} 0000"), false),
        (LinkType::ETHERNET, Check::Present, format!("{eth} {}", sum(&eth)), true),
        (LinkType::IEEE80211, Check::Unknown, bare.clone(), false),
        (LinkType::IEEE80211, Check::Unknown, format!("{bare} {}", sum(&bare)), true),
        (LinkType::IEEE80211, Check::Present, format!("{bare} {}", sum(&bare)), true),
        (LinkType::RADIOTAP, Check::Unknown, format!("00 00 0800 00000000 {bare} {}", sum(&bare)), true),
        (LinkType::RADIOTAP, Check::Unknown, format!("00 00 0900 02000000 00 {bare}"), false),
        (LinkType::RADIOTAP, Check::Unknown, format!("00 00 0900 02000000 30 {padded} {}", sum(&padded)), true),
        (LinkType::PPI, Check::Unknown, format!("00 00 0800 69000000 {bare}"), false),
        (LinkType::PPI, Check::Unknown, format!("00 00 0800 01000000 {eth}"), false),
        (
            LinkType::PPI,
            Check::Unknown,
            format!("00 00 2000 69000000 0200 1400 0000000000000000 0100 00000000000000000000 {bare} {}", sum(&bare)),
            true,
        ),
        (LinkType::COOKED, Check::Unknown, format!("0000 0001 0006 0001020304050000 8947 {PACKET}"), false),
        (
            LinkType::COOKED_V2,
            Check::Unknown,
            format!("8947 0000 00000001 0001 00 06 0001020304050000 {PACKET}"),
            false,
        ),
        (LinkType::RAW, Check::Unknown, v4(PACKET), false),
        (LinkType(12), Check::Unknown, v4(PACKET), false),
        (LinkType::IPV6, Check::Unknown, v6(PACKET), false),
        (LinkType::ETHERNET, Check::Unknown, format!("ffffffffffff 000102030405 0800 {} 0000", v4(PACKET)), false),
        (LinkType::ETHERNET, Check::Unknown, format!("ffffffffffff 000102030405 86dd {}", v6(PACKET)), false),
    ];
    for (link_type, check, frame, has_checksum) in cases {
        let octets = octets(&frame);
        let found = Dissection::new(link_type, check, &octets);
        assert_eq!(found.problem, None, "{frame}");
        assert_eq!(found.message(), Some(&[2, 2, 0xaa][..]), "{frame}");
        assert_eq!(found.checksum.is_some(), has_checksum, "{frame}");
        assert_eq!(found.btp, Some(Btp::B { destination: 2001, info: 0 }));
        assert_eq!(written(|out| found.encode(out)), frame.replace(' ', ""));
    }
    // The receiver's header of a frame with two octets between header and body.
    let frame = octets(&format!("00 00 0900 02000000 20 {padded}"));
    let found = Dissection::new(LinkType::RADIOTAP, Check::Unknown, &frame);
    assert!(matches!(found.receiver, Some(Receiver::Radiotap(_))));
    assert!(matches!(found.link, Some(Link::Ieee80211 { padding: [0, 0], .. })));
    assert!(found.message().is_some());
}

/// A datagram is a GeoNetworking packet, a security envelope or a message, by its first two octets.
#[test]
fn a_datagram_shows_what_is_in_it() {
    let message = |content: &str| {
        let octets = octets(&v4(content));
        Dissection::new(LinkType::IPV4, Check::Unknown, &octets).message().map(hex)
    };
    assert_eq!(message(PACKET).as_deref(), Some("0202aa"));
    let cam = "020284db8a1042a600fa";
    assert_eq!(message(cam).as_deref(), Some(cam));
    assert_eq!(message("0014 0a55").as_deref(), Some("00140a55"), "a MessageFrame of SAE J2735");
    assert_eq!(message(&format!("03 80 0a {cam}")).as_deref(), Some(cam));
    assert_eq!(message("0101"), None, "two octets are no message");
    assert_eq!(message("0280 84db8a1042a600fa"), None, "there is no message 128");
}

/// WSMP has the message, or a security envelope with it.
#[test]
fn a_wave_short_message_is_opened() {
    for (content, length) in [("0014 0a55", 4), ("03 80 04 0014 0a55", 7)] {
        let frame = format!("ffffffffffff 000102030405 88dc 03 00 20 {length:02x} {content} 0000");
        let octets = octets(&frame);
        let found = Dissection::new(LinkType::ETHERNET, Check::Unknown, &octets);
        assert_eq!(found.message().map(hex).as_deref(), Some("00140a55"), "{frame}");
        assert_eq!(found.envelope_octets().map(hex), (length == 7).then(|| "03800400140a55".to_owned()));
        assert_eq!(written(|out| found.encode(out)), frame.replace(' ', ""));
    }
}

/// A frame with a wrong frame check sequence is read like any other, and says so.
#[test]
fn a_damaged_frame_is_read_up_to_its_message() {
    let frame = octets(&format!(
        "00 00 0900 02000000 10 8800 0000 ffffffffffff 000102030405 ffffffffffff 0000 2000 aaaa03 000000 8947 {PACKET} 00000000"
    ));
    let found = Dissection::new(LinkType::RADIOTAP, Check::Unknown, &frame);
    assert_eq!(found.problem.map(|problem| problem.code()), Some("frame.checksum"));
    assert!(found.is_damaged() && found.link.is_some() && found.basic.is_some());
    assert_eq!((found.message(), found.message_as_read()), (None, Some(&[2, 2, 0xaa][..])));
    assert_eq!(written(|out| found.encode(out)), hex(&frame));
    // A frame that was recorded in part has no frame check sequence, whatever the receiver says.
    let found = Dissection::new(LinkType::RADIOTAP, Check::Absent, &frame[..frame.len() - 4]);
    assert_eq!(found.problem, None);
}

/// Encrypted packets are answered without a problem, and without a message.
#[test]
fn an_encrypted_packet_has_no_message() {
    let frame = octets("ffffffffffff 000102030405 8947 12 00 50 01 03 82 01 80 0102030405060708");
    let found = Dissection::new(LinkType::ETHERNET, Check::Unknown, &frame);
    assert_eq!((found.problem, found.message(), found.common), (None, None, None));
    assert_eq!(found.envelope.map(|envelope| envelope.content), Some(Content::Encrypted));
    assert_eq!(written(|out| found.encode(out)), hex(&frame));
}

fn v4(content: &str) -> String {
    let length = octets(content).len();
    format!(
        "45 00 {:04x} 0000 4000 40 11 0000 7f000001 7f000001 1f40 1f40 {:04x} 0000 {content}",
        length + 28,
        length + 8
    )
}

fn v6(content: &str) -> String {
    let length = octets(content).len();
    let address = "fe80000000000000 0000000000000001";
    format!("60000000 {:04x} 11 40 {address} {address} 1f40 1f40 {:04x} 0000 {content}", length + 8, length + 8)
}

fn written(encode: impl FnOnce(&mut Output<'_>) -> Result<(), Error>) -> String {
    let mut buffer = [0; 1024];
    let mut out = Output::new(&mut buffer);
    encode(&mut out).expect("it fits");
    hex(out.written())
}

fn fault(encode: impl FnOnce(&mut Output<'_>) -> Result<(), Error>) -> roadwire_capture::Fault {
    encode(&mut Output::new(&mut [0; 1024])).expect_err("it does not fit").fault
}

fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

fn octets(hex: &str) -> Vec<u8> {
    let digits: String = hex.split(' ').collect();
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits")).collect()
}
