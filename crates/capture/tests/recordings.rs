//! Recorded frames: their contents against those that independent programs found, and each written
//! again octet for octet.

#[path = "../../source/tests/support/shared.rs"]
mod shared;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use roadwire_capture::file::Reader;
use roadwire_capture::security::{Content, Envelope, Format, Signer};
use roadwire_capture::{Check, Dissection, Output};
use serde_json::Value;

/// Type of packet, security (`digest` and `certificate`: signed as IEEE 1609.2 has it), port; or
/// the problem's code.
type Kind = (&'static str, &'static str, u16);

/// The counts of PROVENANCE.md, frame by frame. Types: CAM 2001, DENM 2002, MAPEM 2003, SPATEM
/// 2004, SREM 2007, SSEM 2008, CPM 2009.
const FILES: [(&str, &[(Kind, usize)]); 8] = [
    ("boslx_CAM_Recording.pcapng", &[(("shb", "digest", 2001), 7), (("shb", "certificate", 2001), 2)]),
    (
        "karloss_test.pcap",
        &[
            (("shb", "none", 2001), 16),
            (("shb", "digest", 2001), 72),
            (("shb", "certificate", 2001), 12),
            (("gbc", "certificate", 2002), 16),
        ],
    ),
    (
        "karloss_test4.pcap",
        &[
            (("beacon", "none", 0), 46),
            (("shb", "none", 2001), 60),
            (("gbc", "none", 2003), 44),
            (("gbc", "certificate", 2003), 102),
            (("gbc", "none", 2004), 168),
            (("gbc", "certificate", 2004), 154),
            (("gbc", "none", 2007), 14),
            (("gbc", "none", 2008), 18),
            (("gbc", "certificate", 2008), 1),
        ],
    ),
    (
        "karloss_testmon4.pcap",
        &[
            (("frame.checksum", "", 0), 69),
            // Acknowledgements.
            (("ieee80211.type", "", 0), 9),
            (("beacon", "none", 0), 38),
            (("shb", "none", 2001), 328),
            (("shb", "certificate", 2001), 3),
            (("gbc", "none", 2002), 64),
            (("gbc", "certificate", 2002), 12),
            (("gbc", "none", 2003), 58),
            (("gbc", "certificate", 2003), 137),
            (("gbc", "none", 2004), 230),
            (("gbc", "certificate", 2004), 189),
            (("gbc", "none", 2007), 17),
            (("gbc", "none", 2008), 32),
        ],
    ),
    (
        "pmacoutinho_etsi-its-cam-secured.pcapng",
        &[
            (("shb", "certificate", 2001), 22),
            (("shb", "digest", 2001), 14),
            (("beacon", "certificate", 0), 1),
            // ARP, and datagrams of something else.
            (("frame.protocol", "", 0), 2),
            (("udp.content", "", 0), 2),
        ],
    ),
    ("pmacoutinho_etsi-its-cam-unsecured.pcapng", &[(("shb", "none", 2001), 10)]),
    ("pmacoutinho_etsi-its-denm-secured.pcapng", &[(("tsb", "certificate", 2002), 36)]),
    ("van3t_sample_trace.pcapng", &[(("shb", "none", 2001), 367), (("shb", "none", 2009), 562)]),
];

fn kind(found: &Dissection<'_>) -> Kind {
    if let Some(problem) = &found.problem {
        return (problem.code(), "", 0);
    }
    let security = match found.envelope {
        None => "none",
        Some(Envelope { format: Format::Dot2, content: Content::Signed, signer: Some(Signer::Digest(_)), .. }) => {
            "digest"
        }
        Some(Envelope {
            format: Format::Dot2, content: Content::Signed, signer: Some(Signer::Certificate), ..
        }) => "certificate",
        Some(other) => panic!("{other:?}"),
    };
    let packet_type = found.common.expect("GeoNetworking").packet_type.name();
    (packet_type, security, found.btp.map_or(0, |btp| btp.port()))
}

/// All frames of a file, however it comes.
fn frames<R: Read>(source: R, mut each: impl FnMut(u64, f64, &Dissection<'_>)) {
    let mut reader = Reader::new(source);
    while let Some(frame) = reader.next_frame() {
        let frame = frame.expect("a whole record");
        let time = frame.time.expect("a time");
        each(frame.number, time.seconds as f64 + f64::from(time.nanoseconds) / 1e9, &frame.dissect());
    }
}

fn octets(path: &Path) -> Vec<u8> {
    std::fs::read(path).expect("a capture")
}

#[test]
fn frames_are_counted_by_type_security_and_port() {
    for (name, expected) in FILES {
        let Some(path) = shared::shared(&format!("captures/{name}")) else { continue };
        let plain = octets(&path);
        let mut zipped = GzEncoder::new(Vec::new(), Compression::fast());
        zipped.write_all(&plain).expect("memory");
        for source in [plain, zipped.finish().expect("memory")] {
            let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
            frames(source.as_slice(), |_, _, found| *counts.entry(kind(found)).or_default() += 1);
            let expected: BTreeMap<Kind, usize> = expected.iter().copied().collect();
            assert_eq!(counts, expected, "{name}");
        }
    }
}

/// `extracted/` has the frames with a message, as another program found them: number, time, packet,
/// port, message.
#[test]
fn messages_are_those_of_another_program() {
    for (name, _) in FILES {
        let Some(path) = shared::shared(&format!("captures/{name}")) else { continue };
        let stem = path.file_stem().expect("a name").to_string_lossy();
        let Some(lines) = shared::shared(&format!("captures/extracted/{stem}.jsonl.gz")) else { continue };
        let mut text = String::new();
        GzDecoder::new(octets(&lines).as_slice()).read_to_string(&mut text).expect("text");
        let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        frames(octets(&path).as_slice(), |number, time, found| {
            let Some(message) = found.message() else { return };
            let line = lines.next().expect("a line for each message");
            assert_eq!(line["frame"], number, "{name}");
            let text = |key: &str| line[key].as_str().expect("text");
            assert!((line["time"].as_f64().expect("a time") - time).abs() < 1e-6, "{name} {number}");
            assert_eq!(line["btp_port"], found.btp.expect("a port").port(), "{name} {number}");
            assert_eq!(line["secured"], found.envelope.is_some(), "{name} {number}");
            assert_eq!(text("uper"), hex(message), "{name} {number}");
            // The packet: all octets after the link layer's header, but for the frame check
            // sequence.
            let end = found.frame.len() - if found.checksum.is_some() { 4 } else { 0 };
            assert!(hex(&found.frame[..end]).ends_with(text("gn")), "{name} {number}");
            let alone = octets_of(text("gn"));
            assert_eq!(Dissection::of_geonetworking(&alone).message(), Some(message), "{name} {number}");
        });
        assert!(lines.next().is_none(), "{name}: more messages were extracted");
    }
}

#[test]
fn frames_are_written_again_octet_for_octet() {
    let mut buffer = vec![0; 1 << 16];
    for (name, _) in FILES {
        let Some(path) = shared::shared(&format!("captures/{name}")) else { continue };
        frames(octets(&path).as_slice(), |number, _, found| {
            let mut out = Output::new(&mut buffer);
            found.encode(&mut out).expect("a frame");
            assert_eq!(hex(out.written()), hex(found.frame), "{name} {number}");
        });
    }
}

/// A frame that is cut anywhere is answered, and written again with the part that is not
/// understood.
#[test]
fn frames_that_are_cut_are_understood_up_to_there() {
    let mut buffer = vec![0; 1 << 16];
    for (name, _) in FILES {
        let Some(path) = shared::shared(&format!("captures/{name}")) else { continue };
        let octets = octets(&path);
        let mut reader = Reader::new(octets.as_slice());
        let mut cut = 0;
        while let Some(frame) = reader.next_frame() {
            let frame = frame.expect("a whole record");
            if frame.number % 50 != 1 {
                continue;
            }
            let whole = frame.dissect();
            for end in 0..frame.octets.len() {
                let found = Dissection::new(frame.link_type, Check::Absent, &frame.octets[..end]);
                let mut out = Output::new(&mut buffer);
                found.encode(&mut out).expect("a frame");
                assert_eq!(hex(out.written()), hex(found.frame), "{name} {} {end}", frame.number);
                let is_before_payload = end < whole.payload_at.end;
                assert!(!is_before_payload || found.message().is_none(), "{name} {} {end}", frame.number);
                if let Some(problem) = found.problem {
                    assert!(problem.octet <= end, "{name} {} {end}: {problem}", frame.number);
                    cut += 1;
                }
            }
        }
        assert!(cut > 20, "{name}: {cut}");
    }
}

fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

fn octets_of(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits")).collect()
}
