//! pcap and pcapng from octets made by hand: every variant, lies, and ends in the middle.

use std::io::{self, Read, Write};
use std::ops::Range;

use flate2::Compression;
use flate2::write::GzEncoder;
use roadwire_capture::file::{FileError, Frame, MAX_RECORD, Part, Reader, parts};
use roadwire_capture::{Check, LinkType, Time};

/// A reader's results for a file: each frame, or the code of an error and whether reading
/// continues.
#[derive(Clone, Debug, PartialEq)]
enum Told {
    Frame { number: u64, time: Option<(i64, u32)>, link_type: u16, check: Check, original: u32, octets: Vec<u8> },
    Error { code: &'static str, octet: u64, frame: u64, goes_on: bool },
}

fn told(source: impl Read) -> Vec<Told> {
    told_by(&mut Reader::new(source))
}

fn told_by(reader: &mut Reader<impl Read>) -> Vec<Told> {
    let mut all = Vec::new();
    while let Some(next) = reader.next_frame() {
        all.push(tell(next.as_ref().map(|frame| *frame)));
        assert!(all.len() < 100_000, "it ends");
    }
    assert!(reader.next_frame().is_none(), "it stays at its end");
    all
}

fn tell(next: Result<Frame<'_>, &FileError>) -> Told {
    match next {
        Ok(frame) => Told::Frame {
            number: frame.number,
            time: frame.time.map(|Time { seconds, nanoseconds }| (seconds, nanoseconds)),
            link_type: frame.link_type.0,
            check: frame.check,
            original: frame.original_length,
            octets: frame.octets.to_vec(),
        },
        Err(FileError { fault, octet, frame, goes_on, .. }) => {
            Told::Error { code: fault.code(), octet: *octet, frame: *frame, goes_on: *goes_on }
        }
    }
}

fn frame(number: u64, time: (i64, u32), octets: &[u8]) -> Told {
    let (time, octets) = (Some(time), octets.to_vec());
    Told::Frame { number, time, link_type: 1, check: Check::Unknown, original: octets.len() as u32, octets }
}

fn last(all: &[Told]) -> (&'static str, u64, u64, bool) {
    match all.last() {
        Some(Told::Error { code, octet, frame, goes_on }) => (code, *octet, *frame, *goes_on),
        other => panic!("no error: {other:?}"),
    }
}

/// Numbers in one of the two orders.
#[derive(Clone, Copy)]
struct Order(bool);

const BOTH: [Order; 2] = [Order(false), Order(true)];

impl Order {
    fn u16(self, number: u16) -> Vec<u8> {
        if self.0 { number.to_be_bytes().to_vec() } else { number.to_le_bytes().to_vec() }
    }

    fn u32(self, number: u32) -> Vec<u8> {
        if self.0 { number.to_be_bytes().to_vec() } else { number.to_le_bytes().to_vec() }
    }

    fn pcap(self, magic: u32, network: u32) -> Vec<u8> {
        let versions = [self.u16(2), self.u16(4)].concat();
        [self.u32(magic), versions, self.u32(0), self.u32(0), self.u32(65535), self.u32(network)].concat()
    }

    fn record(self, [seconds, fraction]: [u32; 2], octets: &[u8], more: &[u8]) -> Vec<u8> {
        let length = octets.len() as u32;
        let numbers = [seconds, fraction, length, length].map(|number| self.u32(number)).concat();
        [numbers, more.to_vec(), octets.to_vec()].concat()
    }

    fn block(self, kind: u32, body: &[u8]) -> Vec<u8> {
        let padding = vec![0; body.len().next_multiple_of(4) - body.len()];
        let length = self.u32((body.len() + padding.len() + 12) as u32);
        [self.u32(kind), length.clone(), body.to_vec(), padding, length].concat()
    }

    fn section(self) -> Vec<u8> {
        let body = [self.u32(0x1a2b_3c4d), self.u16(1), self.u16(0), vec![0xff; 8]].concat();
        self.block(0x0a0d_0d0a, &body)
    }

    fn option(self, code: u16, contents: &[u8]) -> Vec<u8> {
        let padding = vec![0; contents.len().next_multiple_of(4) - contents.len()];
        [self.u16(code), self.u16(contents.len() as u16), contents.to_vec(), padding].concat()
    }

    fn interface(self, link_type: u16, snapshot: u32, options: &[u8]) -> Vec<u8> {
        self.block(1, &[self.u16(link_type), self.u16(0), self.u32(snapshot), options.to_vec()].concat())
    }

    fn enhanced(self, interface: u32, ticks: u64, octets: &[u8], options: &[u8]) -> Vec<u8> {
        let length = octets.len() as u32;
        let numbers = [interface, (ticks >> 32) as u32, ticks as u32, length, length];
        let padding = vec![0; octets.len().next_multiple_of(4) - octets.len()];
        self.block(6, &[numbers.map(|one| self.u32(one)).concat(), octets.to_vec(), padding, options.to_vec()].concat())
    }
}

#[test]
fn pcap_in_both_orders_with_microseconds_and_nanoseconds() {
    for order in BOTH {
        let micro = [
            order.pcap(0xa1b2_c3d4, 1),
            order.record([5, 999_999], b"abc", b""),
            order.record([u32::MAX, 1_000_001], b"", b""),
        ];
        let expected = [frame(1, (5, 999_999_000), b"abc"), frame(2, (1 << 32, 1000), b"")];
        assert_eq!(told(micro.concat().as_slice()), expected);
        let nano = [order.pcap(0xa1b2_3c4d, 1), order.record([5, 999_999_999], b"abc", b"")].concat();
        assert_eq!(told(nano.as_slice()), [frame(1, (5, 999_999_999), b"abc")]);
        // Kuznetzov: the interface, the protocol and the packet's type before the frame.
        let linux = [
            order.pcap(0xa1b2_cd34, 1),
            order.record([5, 6], b"abc", b"\x01\0\0\0\x89\x47\0\0"),
            order.record([7, 8], b"de", b"\x01\0\0\0\x89\x47\0\0"),
        ];
        assert_eq!(told(linux.concat().as_slice()), [frame(1, (5, 6000), b"abc"), frame(2, (7, 8000), b"de")]);
    }
}

/// Bit 26 of the link type says that the upper four bits are the length of the frame check
/// sequence.
#[test]
fn pcap_tells_whether_there_is_a_frame_check_sequence() {
    let order = Order(false);
    for (network, expected) in [
        (105, Check::Unknown),
        (0x2400_0069, Check::Present),
        (0x4400_0069, Check::Present),
        (0x0400_0069, Check::Absent),
        (0x2000_0069, Check::Unknown),
    ] {
        let mut file = order.pcap(0xa1b2_c3d4, network);
        file.extend(order.record([0, 0], b"abcdefgh", b""));
        let whole = told(file.as_slice());
        assert!(matches!(&whole[..], [Told::Frame { link_type: 105, check, .. }] if *check == expected), "{whole:?}");
        // A frame of nine octets of which eight are there has lost a part of it.
        file[24 + 12] = 9;
        let cut = told(file.as_slice());
        assert!(matches!(&cut[..], [Told::Frame { check: Check::Absent, original: 9, .. }]), "{cut:?}");
    }
}

#[test]
fn pcapng_with_all_blocks_of_packets() {
    for order in BOTH {
        let obsolete = [order.u16(0), order.u16(7), order.u32(0), order.u32(3_000_004), order.u32(2), order.u32(2)];
        let file = [
            order.section(),
            // A block of an unknown type, before the interfaces.
            order.block(0x0000_0bad, b"12345"),
            order.interface(1, 4, b""),
            order.enhanced(0, 1_000_002, b"abc", &order.option(1, b"a comment")),
            order.block(2, &[obsolete.concat(), b"de".to_vec()].concat()),
            order.block(3, &[order.u32(3), b"fgh".to_vec()].concat()),
            // Six octets of which the interface records four.
            order.block(3, &[order.u32(6), b"ijkl".to_vec()].concat()),
        ];
        let simple = |number, original, octets: &[u8], check| Told::Frame {
            number,
            time: None,
            link_type: 1,
            check,
            original,
            octets: octets.to_vec(),
        };
        let expected = [
            frame(1, (1, 2000), b"abc"),
            frame(2, (3, 4000), b"de"),
            simple(3, 3, b"fgh", Check::Unknown),
            simple(4, 6, b"ijkl", Check::Absent),
        ];
        assert_eq!(told(file.concat().as_slice()), expected);
    }
}

/// Sections have their own order and interfaces.
#[test]
fn pcapng_with_several_sections() {
    let [little, big] = BOTH;
    let file = [
        little.section(),
        little.interface(1, 0, b""),
        little.enhanced(0, 1_000_000, b"a", b""),
        big.section(),
        big.enhanced(0, 1_000_000, b"b", b""),
        big.interface(1, 0, b""),
        big.enhanced(0, 2_000_000, b"c", b""),
    ];
    let octet = file[..4].concat().len() as u64;
    let expected = [
        frame(1, (1, 0), b"a"),
        Told::Error { code: "capture.interface", octet, frame: 2, goes_on: true },
        frame(3, (2, 0), b"c"),
    ];
    assert_eq!(told(file.concat().as_slice()), expected);
}

/// if_tsresol: a power of 10, or of 2. if_tsoffset: seconds. if_fcslen: octets or bits. epb_flags:
/// bits 5 to 8 are the same of one packet.
#[test]
fn pcapng_interfaces_have_their_own_time_and_checks() {
    let order = Order(true);
    let cases = [
        (9, 5_000_000_007, (5, 7)),
        (0, 5, (5, 0)),
        (3, 5_007, (5, 7_000_000)),
        (12, 5_000_000_007_000, (5, 7)),
        (0x80 | 10, 5 << 10 | 512, (5, 500_000_000)),
        (0x80 | 32, 5 << 32 | 1 << 31, (5, 500_000_000)),
        (0x80 | 127, u64::MAX, (0, 0)),
        (20, u64::MAX, (0, 184_467_440)),
        (127, u64::MAX, (0, 0)),
        (19, u64::MAX, (1, 844_674_407)),
    ];
    for (resolution, ticks, expected) in cases {
        let options = order.option(9, &[resolution]);
        let file = [order.section(), order.interface(1, 0, &options), order.enhanced(0, ticks, b"a", b"")].concat();
        assert_eq!(told(file.as_slice()), [frame(1, expected, b"a")], "{resolution}");
    }
    for (offset, expected) in [(-5i64, -4), (i64::MAX, i64::MAX)] {
        let options = [order.option(14, &offset.to_be_bytes()), order.option(0, b"")].concat();
        let file = [order.section(), order.interface(1, 0, &options), order.enhanced(0, 1_000_003, b"a", b"")].concat();
        assert_eq!(told(file.as_slice()), [frame(1, (expected, 3000), b"a")]);
    }
    let flags = |length: u32| order.option(2, &order.u32(length << 5 | 1));
    for (interface, packet, expected) in [
        (vec![], vec![], Check::Unknown),
        (order.option(13, &[4]), vec![], Check::Present),
        (order.option(13, &[32]), vec![], Check::Present),
        (order.option(13, &[0]), vec![], Check::Absent),
        (order.option(13, &[0]), flags(4), Check::Present),
        (order.option(13, &[4]), flags(0), Check::Present),
    ] {
        let file = [order.section(), order.interface(1, 0, &interface), order.enhanced(0, 0, b"a", &packet)].concat();
        let all = told(file.as_slice());
        assert!(matches!(&all[..], [Told::Frame { check, .. }] if *check == expected), "{all:?}");
    }
}

/// A file with two frames in each of the formats, and where its records begin.
fn whole() -> Vec<(Vec<u8>, Vec<usize>)> {
    let order = Order(false);
    let starts = |parts: &[Vec<u8>]| {
        let mut at = 0;
        let mut starts = Vec::new();
        for part in parts {
            starts.push(at);
            at += part.len();
        }
        starts
    };
    let pcap = [order.pcap(0xa1b2_c3d4, 1), order.record([5, 6], b"abc", b""), order.record([7, 8], b"defgh", b"")];
    let pcapng = [
        order.section(),
        order.interface(1, 0, &order.option(2, b"eth0")),
        order.enhanced(0, 5_000_006, b"abc", b""),
        order.block(5, b"statistics"),
        order.enhanced(0, 7_000_008, b"defgh", b""),
    ];
    vec![(pcap.concat(), starts(&pcap)), (pcapng.concat(), starts(&pcapng))]
}

/// However many octets come at once.
struct Slow<'a>(&'a [u8], usize);

impl Read for Slow<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(self.0.len()).min(into.len());
        into[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

#[test]
fn files_come_in_pieces_and_gzipped() {
    let expected = [frame(1, (5, 6000), b"abc"), frame(2, (7, 8000), b"defgh")];
    for (file, _) in whole() {
        // gzip in one member, and in one for each half.
        let zip = |octets: &[u8]| {
            let mut zipped = GzEncoder::new(Vec::new(), Compression::default());
            zipped.write_all(octets).expect("memory");
            zipped.finish().expect("memory")
        };
        let (one, two) = file.split_at(file.len() / 2);
        let zipped = [zip(&file), [zip(one), zip(two)].concat()];
        for octets in [&file, &zipped[0], &zipped[1]] {
            for piece in [1, 2, 3, 7, 1000] {
                assert_eq!(told(Slow(octets, piece)), expected);
            }
        }
        // A gzip stream that is cut off, and one that is damaged.
        let short = &zipped[0][..zipped[0].len() / 2];
        assert_eq!(last(&told(short)).0, "capture.truncated");
        let mut wrong = zipped[0].clone();
        let end = wrong.len() - 6;
        wrong[end] ^= 1;
        let all = told(wrong.as_slice());
        assert_eq!((last(&all).0, all.len()), ("capture.read", 3));
    }
}

#[test]
fn files_that_end_in_the_middle_give_what_was_whole() {
    for (file, starts) in whole() {
        for end in 0..file.len() {
            let all = told(&file[..end]);
            // The file ends within this record, unless it ends where one begins.
            let record = starts.iter().rposition(|start| *start < end);
            let frames = all.iter().filter(|one| matches!(one, Told::Frame { .. })).count();
            if end < 4 {
                assert_eq!(last(&all), ("capture.format", 0, 1, false), "{end}");
            } else if starts.contains(&end) {
                assert_eq!(frames, all.len(), "{end}: no error");
            } else {
                let start = record.map_or(0, |record| starts[record]) as u64;
                assert_eq!(last(&all), ("capture.truncated", start, frames as u64 + 1, false), "{end}");
            }
        }
    }
}

#[test]
fn lengths_that_lie_are_refused() {
    let order = Order(false);
    let pcap = |length: u32, there: usize| {
        let numbers = [0, 0, length, length].map(|number| order.u32(number)).concat();
        [order.pcap(0xa1b2_c3d4, 1), numbers, vec![0; there]].concat()
    };
    assert_eq!(last(&told(pcap(MAX_RECORD as u32 + 1, 100).as_slice())), ("capture.limit.length", 24, 1, false));
    assert_eq!(last(&told(pcap(u32::MAX, 100).as_slice())), ("capture.limit.length", 24, 1, false));
    assert_eq!(last(&told(pcap(MAX_RECORD as u32, 100).as_slice())), ("capture.truncated", 24, 1, false));
    let longest = pcap(MAX_RECORD as u32, MAX_RECORD);
    assert!(matches!(&told(longest.as_slice())[..], [Told::Frame { octets, .. }] if octets.len() == MAX_RECORD));

    let section = order.section();
    let at = section.len() as u64;
    let with = |blocks: &[u8]| last(&told([&section[..], blocks].concat().as_slice()));
    // Less than the lengths themselves, no multiple of four, more than the limit, another length at
    // the end.
    for (length, code) in [(8, "capture.length"), (13, "capture.length"), (0xffff_fffc, "capture.limit.length")] {
        assert_eq!(with(&[order.u32(6), order.u32(length), vec![0; 40]].concat()), (code, at, 1, false));
    }
    for kind in [6, 0xbad] {
        let mut block = order.block(kind, &[0; 20]);
        let end = block.len() - 4;
        block[end] ^= 4;
        assert_eq!(with(&block), ("capture.length", at, 1, false), "{kind}");
    }
    // A block that is too short for an interface, one whose option is longer than it, and a section
    // that ends at once.
    assert_eq!(with(&order.block(1, &[0; 4])), ("capture.length", at, 1, false));
    let option = [order.u16(9), order.u16(200), vec![6, 0, 0, 0]].concat();
    assert_eq!(with(&order.interface(1, 0, &option)), ("capture.length", at, 1, false));
    assert_eq!(with(&order.block(0x0a0d_0d0a, &order.u32(0x1a2b_3c4d))), ("capture.length", at, 1, false));
    // A packet that is longer than its block: the next one is read.
    let interface = order.interface(1, 0, b"");
    let mut packet = order.enhanced(0, 1, b"abc", b"");
    packet[8 + 12] = 5;
    let file = [&section[..], &interface, &packet, &order.enhanced(0, 2_000_000, b"d", b"")].concat();
    let octet = at + interface.len() as u64;
    let expected = [Told::Error { code: "capture.length", octet, frame: 1, goes_on: true }, frame(2, (2, 0), b"d")];
    assert_eq!(told(file.as_slice()), expected);
    for kind in [2, 3, 6] {
        assert_eq!(with(&order.block(kind, &[0xff; 24])), ("capture.length", at, 1, true), "{kind}");
        assert_eq!(with(&order.block(kind, b"")), ("capture.length", at, 1, true), "{kind}");
    }
}

#[test]
fn other_files_are_refused() {
    assert_eq!(last(&told(&b""[..])), ("capture.format", 0, 1, false));
    assert_eq!(last(&told(&b"GIF89a"[..])), ("capture.format", 0, 1, false));
    let order = Order(false);
    let mut old = order.pcap(0xa1b2_c3d4, 1);
    old[4] = 1;
    assert_eq!(last(&told(old.as_slice())), ("capture.version", 0, 1, false));
    let mut section = order.section();
    section[12] = 2;
    assert_eq!(last(&told(section.as_slice())), ("capture.version", 0, 1, false));
    let mut section = order.section();
    section[8] = 0;
    assert_eq!(last(&told(section.as_slice())), ("capture.format", 0, 1, false));
}

/// A file cannot make memory grow: interfaces have a limit, other blocks are skipped, and a long
/// record is read as it comes.
#[test]
fn interfaces_have_a_limit() {
    let order = Order(false);
    let (section, interface) = (order.section(), order.interface(1, 0, b""));
    let at = (section.len() + 65_536 * interface.len()) as u64;
    let file = [section.clone(), interface.repeat(65_537)].concat();
    assert_eq!(
        told(file.as_slice()),
        [Told::Error { code: "capture.limit.interfaces", octet: at, frame: 1, goes_on: false }]
    );
    // A new section has none.
    let file =
        [section, interface.repeat(65_536), order.section(), interface, order.enhanced(0, 0, b"a", b"")].concat();
    assert_eq!(told(file.as_slice()), [frame(1, (0, 0), b"a")]);
}

/// An endless source of zeros after a first part.
struct Endless<'a> {
    first: &'a [u8],
    given: u64,
}

impl Read for Endless<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.first.read(into)?;
        if count == 0 {
            into.fill(0);
            self.given += into.len() as u64;
            return Ok(into.len());
        }
        Ok(count)
    }
}

/// A block of almost 4 GiB of a kind that is not read is skipped piece by piece, and a record of
/// that length is refused at once.
#[test]
fn a_long_block_is_skipped_and_not_held() {
    let order = Order(false);
    let first = [order.section(), order.u32(0xbad), order.u32(1 << 28)].concat();
    let mut source = Endless { first: &first, given: 0 };
    // It ends with a length of 0.
    assert_eq!(last(&told(&mut source)), ("capture.length", 28, 1, false));
    assert!(source.given <= (1 << 28) + (1 << 20), "{}", source.given);
    let first = [order.section(), order.u32(6), order.u32(0xffff_fffc)].concat();
    let mut source = Endless { first: &first, given: 0 };
    assert_eq!(last(&told(&mut source)), ("capture.limit.length", 28, 1, false));
    assert!(source.given <= 1 << 20, "{}", source.given);
}

/// A frame is given as soon as it arrives, without waiting for the octets after it.
#[cfg(unix)]
#[test]
fn a_pipe_gives_each_frame_when_it_is_there() {
    for (file, starts) in whole() {
        let (source, mut sink) = io::pipe().expect("a pipe");
        let second = starts[starts.len() - 1];
        sink.write_all(&file[..second]).expect("a pipe");
        let mut reader = Reader::new(source);
        let octets = |reader: &mut Reader<io::PipeReader>| {
            reader.next_frame().map(|frame| frame.expect("a frame").octets.to_vec())
        };
        assert_eq!(octets(&mut reader).as_deref(), Some(&b"abc"[..]));
        sink.write_all(&file[second..]).expect("a pipe");
        assert_eq!(octets(&mut reader).as_deref(), Some(&b"defgh"[..]));
        drop(sink);
        assert_eq!(octets(&mut reader), None);
    }
}

/// Errors of the operating system are passed on; an interruption is not an error.
#[test]
fn errors_of_reading_are_told() {
    struct Broken(Vec<io::ErrorKind>);
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            self.0.pop().map_or(Ok(0), |kind| Err(kind.into()))
        }
    }
    let all = told(Broken(vec![io::ErrorKind::PermissionDenied, io::ErrorKind::Interrupted]));
    assert_eq!(last(&all), ("capture.read", 0, 1, false));
    let mut reader = Reader::new(Broken(vec![io::ErrorKind::PermissionDenied]));
    let text = reader.next_frame().map(|next| next.expect_err("an error").to_string());
    assert_eq!(text.as_deref(), Some("the file cannot be read: permission denied at octet 0 (frame 1)"));
    assert_eq!(LinkType::ETHERNET.0, 1);
}

/// Long files in each of the formats: with packets that cannot be read, in pcapng with two sections
/// in different orders, and at the end cut off.
fn long() -> Vec<(&'static str, Vec<u8>)> {
    let frame = |number: u32| vec![number as u8; number as usize % 250];
    let order = Order(true);
    let mut pcap = order.pcap(0xa1b2_3c4d, 1);
    (0..30_000).for_each(|number| pcap.extend(order.record([number, 5], &frame(number), b"")));
    let mut pcapng = Vec::new();
    for order in BOTH {
        pcapng.extend([order.section(), order.block(5, b"statistics"), order.interface(1, 0, b"")].concat());
        for number in 0..10_000 {
            if number == 5_000 {
                pcapng.extend(order.interface(105, 0, &order.option(9, &[9])));
            }
            pcapng.extend(order.enhanced(number % 3, number.into(), &frame(number), b""));
        }
    }
    pcap.truncate(pcap.len() - 3);
    pcapng.truncate(pcapng.len() - 3);
    vec![("pcap", pcap), ("pcapng", pcapng)]
}

#[test]
fn chunks_have_all_that_the_reader_tells() {
    for (format, file) in long() {
        let whole = told(file.as_slice());
        let mut firsts = Vec::new();
        for blocks in [0, 1, 3] {
            let mut reader = Reader::new(file.as_slice());
            let (mut all, mut begins) = (Vec::new(), Vec::new());
            loop {
                let chunk = reader.chunk(blocks);
                for entry in chunk.entries() {
                    begins.push(entry.begins);
                    all.push(tell(entry.frame));
                }
                all.extend(chunk.end().map(|error| tell(Err(error))));
                assert!(blocks > 0 || chunk.len() <= 1);
                if chunk.is_empty() {
                    break;
                }
            }
            assert!(all == whole, "{format}, {blocks} blocks");
            firsts.push(begins);
        }
        assert!(firsts.iter().all(|begins| *begins == firsts[0]), "blocks are the same");
        let count = firsts[0].iter().filter(|begins| **begins).count();
        assert!(count >= 5 && firsts[0][0], "{format} has {count} blocks");
    }
}

#[test]
fn parts_have_all_that_the_file_has() {
    for (format, file) in long() {
        let path = std::env::temp_dir().join(format!("roadwire-parts-{}.{format}", std::process::id()));
        std::fs::write(&path, &file).unwrap();
        let whole = told(file.as_slice());
        let open = |part: &Part| Reader::of_part(part.open(&path).unwrap(), part);
        for octets in [0, 1 << 20, 3 << 20, u64::MAX] {
            let parts = parts(&path, octets).unwrap();
            let all: Vec<Told> = parts.iter().flat_map(|part| told_by(&mut open(part))).collect();
            assert!(all == whole, "{format}, in parts of {octets}: {parts:?}");
            assert_eq!(parts.len() > 2, octets <= 1 << 20, "{format} in parts of {octets}: {}", parts.len());
            assert!(parts.iter().rev().skip(1).all(|part| part.records.end - part.records.start >= octets));
        }
        // Blocks begin in a part where they begin in the file.
        let begins = |reader: &mut Reader<_>| {
            let chunks = std::iter::from_fn(|| Some(reader.chunk(1)).filter(|chunk| !chunk.is_empty()));
            chunks.flat_map(|chunk| chunk.entries().map(|entry| entry.begins).collect::<Vec<_>>()).collect::<Vec<_>>()
        };
        let by_parts: Vec<bool> = parts(&path, 1).unwrap().iter().flat_map(|part| begins(&mut open(part))).collect();
        assert_eq!(by_parts, begins(&mut open(&Part::whole())), "{format}");
        std::fs::remove_file(&path).unwrap();
    }
}

/// Parts come from other processes, and may hold any values.
#[test]
fn a_part_that_lies_is_read_as_far_as_it_goes() {
    let file = &whole()[0].0;
    let numbers = |part: &Part| -> Vec<u64> {
        let all = told_by(&mut Reader::of_part(file.as_slice(), part));
        all.iter()
            .map(|told| match told {
                Told::Frame { number, .. } | Told::Error { frame: number, .. } => *number,
            })
            .collect()
    };
    assert_eq!(numbers(&Part { first_frame: u64::MAX, ..Part::whole() }), [u64::MAX; 2]);
    let described = [0..u64::MAX, 1..u64::MAX].to_vec();
    assert_eq!(numbers(&Part { described, records: Range { start: u64::MAX, end: 0 }, first_frame: 0 }), [1, 2]);
}

#[test]
fn what_cannot_be_cut_is_one_part() {
    let path = std::env::temp_dir().join(format!("roadwire-part-{}", std::process::id()));
    let mut zipped = GzEncoder::new(Vec::new(), Compression::fast());
    zipped.write_all(&long()[0].1).unwrap();
    for file in [zipped.finish().unwrap(), b"no recording".to_vec(), Vec::new()] {
        std::fs::write(&path, &file).unwrap();
        assert_eq!(parts(&path, 1).unwrap(), [Part::whole()]);
        assert!(
            told_by(&mut Reader::of_part(Part::whole().open(&path).unwrap(), &Part::whole())) == told(file.as_slice())
        );
    }
    std::fs::remove_file(&path).unwrap();
    assert!(parts(&path, 1).is_err());
}
