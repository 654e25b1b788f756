//! Any octets as a file of recorded frames, and as a frame: answered with places that are in them,
//! and written again as they were.

use std::io::{self, Read};

use roadwire_capture::file::{FileError, Frame, Reader};
use roadwire_capture::{Check, Dissection, LinkType, Output};

const LINK_TYPES: [LinkType; 10] = [
    LinkType::ETHERNET,
    LinkType::RADIOTAP,
    LinkType::IEEE80211,
    LinkType::PPI,
    LinkType::COOKED,
    LinkType::COOKED_V2,
    LinkType::RAW,
    LinkType::IPV4,
    LinkType::IPV6,
    LinkType(147),
];
const CHECKS: [Check; 3] = [Check::Unknown, Check::Absent, Check::Present];

/// The first octet selects a link type, and whether there is a frame check sequence; the rest is a
/// frame.
pub fn frame_dissected(input: &[u8]) {
    if let Some((which, frame)) = input.split_first() {
        let which = usize::from(*which);
        let check = CHECKS[which / LINK_TYPES.len() % CHECKS.len()];
        holds(&Dissection::new(LINK_TYPES[which % LINK_TYPES.len()], check, frame));
        holds(&Dissection::of_geonetworking(frame));
    }
}

/// A file, as it is, in pieces and in chunks: the same frames, and the same errors.
pub fn file_read(input: &[u8]) {
    let mut length = 0;
    let whole = told(input, |frame| {
        length += frame.octets.len();
        holds(&frame.dissect());
    });
    let is_zipped = input.starts_with(&[0x1f, 0x8b]);
    assert!(is_zipped || length <= input.len(), "more than the file has");
    for (at, next) in whole.iter().enumerate() {
        assert_eq!(next.number, at as u64 + 1, "frames are counted");
        let is_last = at + 1 == whole.len();
        assert!(next.error.is_none_or(|(_, goes_on)| goes_on || is_last), "nothing follows what ends a file");
    }
    let pieces = told(Pieces { octets: input, length: 7 }, |_| {});
    // The frames of a damaged gzip stream before its error depend on how much is unzipped at once.
    let is_damaged = is_zipped && pieces.iter().any(|next| next.error.is_some());
    assert!(is_damaged || whole == pieces, "a file that comes in pieces: {pieces:?}, and not: {whole:?}");
    let blocks = input.len() % 2;
    assert_eq!(whole, told_by_chunks(input, blocks), "a file in chunks of {blocks} blocks");
}

/// A frame, or an error and whether reading continues.
#[derive(Debug, PartialEq)]
struct Told {
    number: u64,
    octets: Vec<u8>,
    error: Option<(&'static str, bool)>,
}

impl Told {
    fn frame(frame: &Frame<'_>) -> Told {
        Told { number: frame.number, octets: frame.octets.to_vec(), error: None }
    }

    fn error(error: &FileError) -> Told {
        Told { number: error.frame, octets: Vec::new(), error: Some((error.code(), error.goes_on)) }
    }
}

fn told_by_chunks(source: impl Read, blocks: usize) -> Vec<Told> {
    let mut reader = Reader::new(source);
    let mut all = Vec::new();
    loop {
        let chunk = reader.chunk(blocks);
        all.extend(chunk.entries().map(|entry| match entry.frame {
            Ok(frame) => Told::frame(&frame),
            Err(error) => Told::error(error),
        }));
        all.extend(chunk.end().map(Told::error));
        if chunk.is_empty() {
            return all;
        }
    }
}

fn told(source: impl Read, mut each: impl FnMut(&Frame<'_>)) -> Vec<Told> {
    let mut reader = Reader::new(source);
    let mut all = Vec::new();
    while let Some(next) = reader.next_frame() {
        all.push(match next {
            Ok(frame) => {
                each(&frame);
                Told::frame(&frame)
            }
            Err(error) => Told::error(&error),
        });
    }
    assert!(reader.next_frame().is_none(), "a file that has ended stays so");
    all
}

/// Properties that must hold for a frame, whatever is in it.
fn holds(found: &Dissection<'_>) {
    let frame = found.frame;
    let mut buffer = vec![0; frame.len()];
    let mut out = Output::new(&mut buffer);
    found.encode(&mut out).unwrap_or_else(|error| panic!("{error} of {found:?}"));
    assert_eq!(out.written(), frame, "{found:?}");
    assert!(found.payload_at.start <= found.payload_at.end && found.payload_at.end <= frame.len(), "{found:?}");
    if let Some(problem) = found.problem {
        assert!(problem.octet <= frame.len() && found.message().is_none(), "{found:?}");
    }
    if let (Some(envelope), Some(octets)) = (found.envelope, found.envelope_octets()) {
        let mut out = Output::new(&mut buffer);
        envelope.encode(&mut out).unwrap_or_else(|error| panic!("{error} of {found:?}"));
        assert_eq!(out.written(), octets, "{found:?}");
    }
    if let (Some(message), Some(envelope)) = (found.message(), found.envelope) {
        assert!(message.len() <= envelope.payload.len(), "{found:?}");
    }
}

struct Pieces<'a> {
    octets: &'a [u8],
    length: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.length.min(into.len());
        self.octets.read(&mut into[..length])
    }
}

/// An SHB with a CAM of three octets.
const PACKET: &str =
    "11005001 20500200 0007 01 00 1400000102030405 00000000 00000000 00000000 0000 0000 00000000 07d1 0000 0202aa";
/// A header of a data frame with quality of service, and SNAP.
const WLAN: &str = "8800 0000 ffffffffffff 000102030405 ffffffffffff 0000 2000 aaaa03 000000 8947";
const ETHERNET: &str = "ffffffffffff 000102030405";
/// The common and extended header of a GBC, for an envelope: 60 octets with BTP and a message.
const AREA: &str = "20420201 0008 0a 00 0007 0000 1400000102030405 00000000 00000000 00000000 8001 0384 00000001 ffffffff 01f4 0064 002d 0000 07d2 0000 02010203";

/// Frames of all link layers, headers and envelopes, each after the octet that selects its link
/// type.
pub(crate) fn frames() -> Vec<Vec<u8>> {
    let digest = "80 0102030405060708";
    let signed = format!(
        "03 81 00 40 03 80 3c {AREA} 78 01 25 0000000000000102 0000000000000103 00000001 00000002 0003 010203 {digest} 80 82 00"
    );
    let second = format!("02 15 80 01 0102030405060708 00 0000000000000102 05 25 01 3c {AREA} 01 00");
    let first = format!("01 02 16 80 01 0102030405060708 00 0000000000000102 05 0002 3e 01 3c {AREA} 01 00");
    let length = |text: &str| octets(text).len();
    let v4 = |content: &str| {
        let udp = length(content) + 8;
        format!("4500 {:04x} 0000 4000 40 11 0000 7f000001 7f000001 1f40 1f40 {udp:04x} 0000 {content}", udp + 20)
    };
    let v6 = |content: &str| {
        let (udp, address) = (length(content) + 8, "fe800000000000000000000000000001");
        format!(
            "60000000 {:04x} 00 40 {address} {address} 1100010400000000 1f40 1f40 {udp:04x} 0000 {content}",
            udp + 8
        )
    };
    let frames = [
        (0, format!("{ETHERNET} 8947 {PACKET} 0000")),
        (0, format!("{ETHERNET} 88a8 0001 8100 0002 8947 12005001 {signed}")),
        (0, format!("{ETHERNET} 8947 02005001 {second} 0000")),
        (0, format!("{ETHERNET} 8947 02005001 {first}")),
        (0, format!("{ETHERNET} 8947 12005001 03 82 01 80 0102030405060708")),
        (0, format!("{ETHERNET} 8947 11000d01 0010008000000100 1400000102030405 00000000 00000000 00000000 0000 0000")),
        (
            0,
            format!(
                "{ETHERNET} 8947 11000d01 0060008000000a00 0007 0000 1400000102030405 00000000 00000000 00000000 0000 0000 1400060606060606"
            ),
        ),
        (0, format!("{ETHERNET} 88dc 0b 02 0f01ac 10010c 00 20 04 0014 0a55")),
        (0, format!("{ETHERNET} 88dc 03 03 0001 0002 01 0401 14 08 0380 05 0014 0a55 00")),
        (0, format!("{ETHERNET} 0800 {}", v4("0202 84db8a10 42a600fa"))),
        (0, format!("{ETHERNET} 86dd {}", v6(&format!("0380 0a 020284db8a1042a600fa")))),
        (1, format!("0000 0900 02000000 10 {WLAN} {PACKET}")),
        (1, format!("0000 1500 6e080080 00000000 00 0c 0c17 4041 ce a1 02 {WLAN} {PACKET}")),
        (2, format!("{WLAN} {PACKET}")),
        (3, format!("0000 0800 69000000 {WLAN} {PACKET}")),
        (3, format!("0001 2000 69000000 0200 1400 0000000000000000 0100 00000000000000000000 {WLAN} {PACKET}")),
        (4, format!("0000 0001 0006 0001020304050000 8947 {PACKET}")),
        (5, format!("8947 0000 00000001 0001 00 06 0001020304050000 {PACKET}")),
        (6, v4(PACKET)),
        (8, v6(PACKET)),
    ];
    let with_checksum = |frame: &(u8, String)| {
        // With the frame check sequence after it.
        let start = if frame.0 == 1 { usize::from(octets(&frame.1)[2]) } else { 0 };
        let mut octets = octets(&frame.1);
        octets.extend(roadwire_capture::frame_check_sequence(&octets[start..]).to_le_bytes());
        [vec![frame.0 + 2 * LINK_TYPES.len() as u8], octets].concat()
    };
    let plain = frames.iter().map(|(link_type, frame)| [vec![*link_type], octets(frame)].concat());
    plain.chain(frames.iter().filter(|frame| frame.0 <= 2).map(with_checksum)).collect()
}

/// Files of all formats, with the frames above: in both orders, and zipped without compression.
pub(crate) fn files() -> Vec<Vec<u8>> {
    let frames: Vec<(u16, Vec<u8>)> = frames()
        .into_iter()
        .map(|frame| (LINK_TYPES[usize::from(frame[0]) % LINK_TYPES.len()].0, frame[1..].to_vec()))
        .collect();
    let mut files = Vec::new();
    for order in [u32::to_le_bytes, u32::to_be_bytes] {
        let numbers = |numbers: &[u32]| numbers.iter().copied().flat_map(order).collect::<Vec<u8>>();
        // Two numbers of 16 bits, in the file's order.
        let pair = |one: u16, two: u16| {
            let halves = [u32::from(one), u32::from(two)];
            halves
                .map(|half| if order(1)[0] == 1 { order(half)[..2].to_vec() } else { order(half)[2..].to_vec() })
                .concat()
        };
        for (magic, more) in [(0xa1b2_c3d4, 0), (0xa1b2_3c4d, 0), (0xa1b2_cd34, 8)] {
            let header = [numbers(&[magic]), pair(2, 4), numbers(&[0, 0, 65535, 1])].concat();
            let records = frames.iter().filter(|(link_type, _)| *link_type == 1).take(3).map(|(_, frame)| {
                let length = frame.len() as u32;
                [numbers(&[5, 6, length, length]), vec![0; more], frame.clone()].concat()
            });
            files.push([vec![header], records.collect()].concat().concat());
        }
        let block = |kind: u32, body: &[u8]| {
            let padding = vec![0; body.len().next_multiple_of(4) - body.len()];
            let length = numbers(&[(body.len() + padding.len() + 12) as u32]);
            [numbers(&[kind]), length.clone(), body.to_vec(), padding, length].concat()
        };
        let section = block(0x0a0d_0d0a, &[numbers(&[0x1a2b_3c4d]), pair(1, 0), vec![0xff; 8]].concat());
        for part in frames.chunks(4) {
            let options =
                [pair(9, 1), vec![9, 0, 0, 0], pair(14, 8), vec![0; 8], pair(13, 1), vec![0; 4], pair(0, 0)].concat();
            let mut file = vec![section.clone(), block(5, b"statistics")];
            for (at, (link_type, frame)) in part.iter().enumerate() {
                file.push(block(1, &[pair(*link_type, 0), numbers(&[0]), options.clone()].concat()));
                let (length, flags) = (frame.len() as u32, [pair(2, 4), numbers(&[1])].concat());
                let padding = vec![0; frame.len().next_multiple_of(4) - frame.len()];
                let body = [numbers(&[at as u32, 1, 2, length, length]), frame.clone(), padding, flags].concat();
                file.push(block(6, &body));
            }
            let (frame, length) = (&part[0].1, part[0].1.len() as u32);
            file.push(block(3, &[numbers(&[length]), frame.clone()].concat()));
            file.push(block(2, &[pair(0, 1), numbers(&[1, 2, length, length]), frame.clone()].concat()));
            files.push(file.concat());
        }
    }
    let zipped: Vec<Vec<u8>> = [&files[0], &files[3]].into_iter().map(|file| stored(file)).collect();
    files.extend(zipped);
    files
}

/// gzip with one block that is not compressed (RFC 1951 §3.2.4, RFC 1952).
fn stored(file: &[u8]) -> Vec<u8> {
    let length = u16::try_from(file.len()).expect("a small file");
    let mut zipped = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1];
    zipped.extend(length.to_le_bytes());
    zipped.extend((!length).to_le_bytes());
    zipped.extend(file);
    // Of gzip, too, the check is CRC-32.
    zipped.extend(roadwire_capture::frame_check_sequence(file).to_le_bytes());
    zipped.extend((file.len() as u32).to_le_bytes());
    zipped
}

fn octets(hex: &str) -> Vec<u8> {
    let digits: String = hex.split(' ').collect();
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits")).collect()
}
