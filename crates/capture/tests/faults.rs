//! Each fault of a header by an example, and each code on the page `docs/errors.md`.

use std::collections::BTreeSet;

use roadwire_capture::{Check, Dissection, LinkType, Output, btp, faults, geonetworking};

const PAGE: &str = include_str!("../../../docs/errors.md");

#[test]
fn every_code_is_on_the_page() {
    for fault in faults::ALL {
        let is_it = |line: &&str| line.starts_with(&format!("| `{}` | ", fault.code()));
        let lines: Vec<&str> = PAGE.lines().filter(is_it).collect();
        let meaning = lines.first().and_then(|line| line.split(" | ").nth(1)).unwrap_or_default().to_lowercase();
        assert_eq!(lines.len(), 1, "{}", fault.code());
        assert!(meaning.starts_with(&format!("{}.", fault.text().to_lowercase())), "{}: {meaning}", fault.code());
    }
}

/// Octets of a frame in hexadecimal digits, of a link type: the code, and at which octet.
const EXAMPLES: [(&str, usize, LinkType, &str); 46] = [
    ("frame.truncated", 12, LinkType::ETHERNET, "ffffffffffff 000102030405 89"),
    ("frame.truncated", 14, LinkType::ETHERNET, "ffffffffffff 000102030405 8947"),
    ("frame.truncated", 30, LinkType::IEEE80211, "0800 0000 ffffffffffff 000102030405 ffffffffffff 0000 aaaa03000000"),
    ("frame.link-type", 0, LinkType(147), "00"),
    // Of PPI, a link type that it has not to hold.
    ("frame.link-type", 4, LinkType::PPI, "00 00 0800 7f000000"),
    // ARP.
    ("frame.protocol", 12, LinkType::ETHERNET, "ffffffffffff 000102030405 0806 0001"),
    ("frame.protocol", 14, LinkType::COOKED, "0000 0001 0006 0001020304050000 0806 0001"),
    ("frame.protocol", 0, LinkType::COOKED_V2, "0806 0000 00000001 0001 00 06 0001020304050000 0001"),
    // SNAP of another organisation.
    (
        "frame.protocol",
        27,
        LinkType::IEEE80211,
        "0800 0000 ffffffffffff 000102030405 ffffffffffff 0000 aaaa03 00000c 2000",
    ),
    // Radiotap with the flag of a frame check sequence at the end, and with the flag that it was
    // wrong.
    (
        "frame.checksum",
        41,
        LinkType::RADIOTAP,
        "00 00 0900 02000000 10 0800 0000 ffffffffffff 000102030405 ffffffffffff 0000 aaaa03 000000 8947 00000000",
    ),
    (
        "frame.checksum",
        41,
        LinkType::RADIOTAP,
        "00 00 0900 02000000 40 0800 0000 ffffffffffff 000102030405 ffffffffffff 0000 aaaa03 000000 8947",
    ),
    ("ethernet.tags", 20, LinkType::ETHERNET, "ffffffffffff 000102030405 88a8 0001 8100 0002 8100 0003 8947"),
    ("radiotap.version", 0, LinkType::RADIOTAP, "01 00 0800 00000000"),
    ("radiotap.length", 2, LinkType::RADIOTAP, "00 00 0700 00000000"),
    // Time takes eight octets, and there are four.
    ("radiotap.length", 2, LinkType::RADIOTAP, "00 00 0c00 01000000 00000000"),
    ("ppi.version", 0, LinkType::PPI, "01 00 0800 69000000"),
    ("ppi.length", 2, LinkType::PPI, "00 00 0700 69000000"),
    ("ppi.length", 2, LinkType::PPI, "00 00 0c00 69000000 0200 1400"),
    ("ieee80211.version", 0, LinkType::IEEE80211, "0900 0000"),
    // An acknowledgement, and a data frame of subtype null.
    ("ieee80211.type", 0, LinkType::IEEE80211, "d400 0000 000102030405"),
    ("ieee80211.type", 0, LinkType::IEEE80211, "4800 0000 ffffffffffff 000102030405 ffffffffffff 0000"),
    ("ieee80211.protected", 1, LinkType::IEEE80211, "0840 0000 ffffffffffff 000102030405 ffffffffffff 0000"),
    ("ieee80211.fragment", 22, LinkType::IEEE80211, "0804 0000 ffffffffffff 000102030405 ffffffffffff 0000"),
    ("ieee80211.fragment", 22, LinkType::IEEE80211, "0800 0000 ffffffffffff 000102030405 ffffffffffff 0100"),
    ("ieee80211.aggregate", 24, LinkType::IEEE80211, "8800 0000 ffffffffffff 000102030405 ffffffffffff 0000 8000"),
    ("llc.snap", 24, LinkType::IEEE80211, "0800 0000 ffffffffffff 000102030405 ffffffffffff 0000 424203000000 8947"),
    ("ip.version", 0, LinkType::RAW, "50"),
    ("ip.length", 2, LinkType::RAW, "45 00 0020 0000 0000 40 11 0000 7f000001 7f000001"),
    ("ip.length", 0, LinkType::RAW, "44 00 0014 0000 0000 40 11 0000 7f000001 7f000001"),
    ("ip.fragment", 6, LinkType::RAW, "45 00 0014 0000 2000 40 11 0000 7f000001 7f000001"),
    (
        "ip.fragment",
        6,
        LinkType::RAW,
        "60000000 0008 2c 40 fe800000000000000000000000000001 fe800000000000000000000000000002 1100000000000000",
    ),
    ("ip.protocol", 9, LinkType::RAW, "45 00 0014 0000 0000 40 06 0000 7f000001 7f000001"),
    // TCP behind hop-by-hop options.
    (
        "ip.protocol",
        40,
        LinkType::RAW,
        "60000000 0008 00 40 fe800000000000000000000000000001 fe800000000000000000000000000002 0600010400000000",
    ),
    ("udp.length", 24, LinkType::RAW, "45 00 001c 0000 0000 40 11 0000 7f000001 7f000001 07d1 07d1 0009 0000"),
    ("udp.length", 24, LinkType::RAW, "45 00 001c 0000 0000 40 11 0000 7f000001 7f000001 07d1 07d1 0007 0000"),
    ("udp.content", 28, LinkType::RAW, "45 00 001e 0000 0000 40 11 0000 7f000001 7f000001 07d1 07d1 000a 0000 4745"),
    ("geonetworking.version", 14, LinkType::ETHERNET, "ffffffffffff 000102030405 8947 21 00 0d 01"),
    ("geonetworking.next-header", 14, LinkType::ETHERNET, "ffffffffffff 000102030405 8947 13 00 0d 01"),
    ("geonetworking.next-header", 18, LinkType::ETHERNET, "ffffffffffff 000102030405 8947 11 00 0d 01 40 50"),
    ("geonetworking.header-type", 19, LinkType::ETHERNET, "ffffffffffff 000102030405 8947 11 00 0d 01 20 43"),
    (
        "geonetworking.length",
        22,
        LinkType::ETHERNET,
        "ffffffffffff 000102030405 8947 11000d01 2050 00 00 0001 01 00 000000000000000000000000000000000000000000000000 00000000",
    ),
    ("security.version", 18, LinkType::ETHERNET, "ffffffffffff 000102030405 8947 12 00 0d 01 04"),
    ("security.content", 19, LinkType::ETHERNET, "ffffffffffff 000102030405 8947 12 00 0d 01 03 85"),
    ("security.nested", 23, LinkType::ETHERNET, "ffffffffffff 000102030405 8947 12 00 0d 01 03 81 00 40 03 81 00"),
    ("security.length", 20, LinkType::ETHERNET, "ffffffffffff 000102030405 8947 12 00 0d 01 03 80 85 0000000001 00"),
    ("wsmp.version", 14, LinkType::ETHERNET, "ffffffffffff 000102030405 88dc 02 20 00"),
];

/// The others that a frame can have, one by one.
const WSMP: [(&str, usize, &str); 4] = [
    ("wsmp.tpid", 15, "03 04 20 00"),
    ("wsmp.psid", 16, "03 00 f0 00 00 00 00"),
    ("wsmp.length", 17, "03 00 20 02 00"),
    ("wsmp.length", 17, "03 00 20 c0 00"),
];

#[test]
fn each_fault_has_its_frame_and_its_octet() {
    let wsmp = WSMP
        .map(|(code, octet, hex)| (code, octet, LinkType::ETHERNET, format!("ffffffffffff 000102030405 88dc {hex}")));
    let examples = EXAMPLES.map(|(code, octet, link_type, hex)| (code, octet, link_type, hex.to_owned()));
    let mut told = BTreeSet::new();
    for (code, octet, link_type, hex) in examples.into_iter().chain(wsmp) {
        let frame = octets(&hex);
        let found = Dissection::new(link_type, Check::Unknown, &frame);
        let problem = found.problem.unwrap_or_else(|| panic!("{code}: {found:?}"));
        assert_eq!((problem.code(), problem.octet), (code, octet), "{hex}");
        told.insert(code);
    }
    let of_encoding = [faults::FIELD_RANGE, faults::OUTPUT_FULL];
    let is_of_frames =
        |code: &&str| !code.starts_with("capture.") && !of_encoding.iter().any(|one| one.code() == *code);
    let all: BTreeSet<&str> = faults::ALL.iter().map(|fault| fault.code()).filter(is_of_frames).collect();
    assert_eq!(told, all);
}

#[test]
fn what_does_not_fit_is_refused_on_encoding() {
    let mut buffer = [0; 64];
    let mut out = Output::new(&mut buffer[..3]);
    let full = btp::Btp::B { destination: 2001, info: 0 }.encode(&mut out);
    assert_eq!(full.map_err(|error| (error.code(), error.octet)), Err(("output.full", 2)));
    let lifetime = geonetworking::Lifetime { multiplier: 64, base: 0 };
    let next = geonetworking::BasicNext::Common;
    let basic = geonetworking::BasicHeader { version: 1, next, reserved: 0, lifetime, remaining_hops: 1 };
    let wide = basic.encode(&mut Output::new(&mut buffer));
    assert_eq!(wide.map_err(|error| error.code()), Err("field.range"));
}

fn octets(hex: &str) -> Vec<u8> {
    let digits: String = hex.split(' ').collect();
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits")).collect()
}
