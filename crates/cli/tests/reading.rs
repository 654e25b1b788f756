//! `roadwire capture` on files that are zipped, grow while they are read, or cannot be written.
#![cfg(unix)]

#[path = "../../source/tests/support/shared.rs"]
mod shared;
mod support;

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value as Json;
use support::{CAM_HEX, command, file, folder, octets, ran, run};

const HEAD: &str = "d4c3b2a1020004000000000000000000 00000100 01000000";
const ETHERNET: &str = "ffffffffffff 000102030405 8947";

/// An SHB with a CAM.
fn shb() -> Vec<u8> {
    let length = CAM_HEX.len() / 2 + 4;
    let source = "1400a1b2c3d4e5f6 84db8a10 1d4eecbc 09e4a254 800c 0384";
    plain(&format!("{ETHERNET} 11005001 20500200 {length:04x} 0100 {source} 00000000 07d1 0000 {CAM_HEX}"))
}

fn plain(hex: &str) -> Vec<u8> {
    octets(&hex.replace(' ', ""))
}

/// A record of pcap, whose second is its number.
fn record(second: u32, frame: &[u8]) -> Vec<u8> {
    let length = (frame.len() as u32).to_le_bytes();
    [&second.to_le_bytes()[..], &[0; 4], &length, &length, frame].concat()
}

fn lines(stdout: &str) -> Vec<Json> {
    stdout.lines().map(|line| serde_json::from_str(line).expect("an object on each line")).collect()
}

fn zipped(octets: &[u8]) -> Vec<u8> {
    let mut zipped = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    zipped.write_all(octets).expect("memory");
    zipped.finish().expect("memory")
}

#[test]
fn each_recording_has_the_same_records_when_it_is_zipped() {
    let Some(captures) = shared::shared("captures") else { return };
    let mut all = 0;
    for entry in std::fs::read_dir(captures).expect("a folder") {
        let path = entry.expect("an entry").path();
        let is_capture = path.extension().is_some_and(|end| end == "pcap" || end == "pcapng");
        if !is_capture {
            continue;
        }
        let octets = std::fs::read(&path).expect("a capture");
        // In one member, and in three: one ends in the middle of a record.
        let (one, two) = octets.split_at(octets.len() / 3);
        let members = [zipped(one), zipped(two), zipped(b"")].concat();
        let expected = run(&["capture", "--verify", "-"], &octets);
        assert_eq!(expected.code, 0, "{path:?}: {}", expected.stderr);
        for zipped in [zipped(&octets), members] {
            let found = run(&["capture", "--verify", "-"], zipped);
            assert_eq!((found.code, &found.stderr), (0, &expected.stderr), "{path:?}");
            assert!(found.stdout == expected.stdout, "{path:?}");
        }
        all += 1;
    }
    assert_eq!(all, 8);
}

/// The octets before the end of the input count, wherever in a record it ends.
#[test]
fn a_file_that_grows_while_it_is_read_gives_what_is_whole() {
    let name = folder("reading-grows").join("a.pcap");
    let mut sink = File::create(&name).expect("a file");
    sink.write_all(&plain(HEAD)).expect("a disk");
    let records: Vec<u8> = (0..2000).flat_map(|second| record(second, &shb())).collect();
    let is_over = AtomicBool::new(false);
    let mut sizes = Vec::new();
    std::thread::scope(|threads| {
        threads.spawn(|| {
            let mut sink = OpenOptions::new().append(true).open(&name).expect("a file");
            // Never a whole record.
            for piece in records.chunks(101) {
                sink.write_all(piece).expect("a disk");
                std::thread::yield_now();
            }
            is_over.store(true, Ordering::SeqCst);
        });
        let mut is_last = false;
        while !is_last {
            is_last = is_over.load(Ordering::SeqCst);
            let ran = run(&["--json", "capture", &name.to_string_lossy()], "");
            let told = lines(&ran.stderr);
            let code = told[0]["error"]["code"].as_str();
            assert_eq!(ran.code, i32::from(code.is_some()), "{}", ran.stderr);
            assert!(matches!(code, None | Some("capture.truncated")), "{}", ran.stderr);
            let found = lines(&ran.stdout);
            for (number, line) in (1..).zip(&found) {
                assert_eq!((&line["frame"], &line["message"]["octets"]), (&number.into(), &CAM_HEX.into()));
            }
            assert_eq!(told[told.len() - 1]["frames"], found.len());
            sizes.push(found.len());
        }
    });
    assert!(sizes.is_sorted(), "{sizes:?}");
    assert_eq!(sizes.last(), Some(&2000));
}

/// A frame is written as soon as it is whole, and half of one is waited for.
#[test]
fn a_named_pipe_gives_each_frame_when_it_is_whole() {
    let name = folder("reading-fifo").join("fifo");
    assert!(Command::new("mkfifo").arg(&name).status().expect("mkfifo").success());
    let mut child = command(&["capture", &name.to_string_lossy()]).spawn().expect("the command starts");
    let mut records = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut sink = OpenOptions::new().write(true).open(&name).expect("a reader");
    let record = record(1, &shb());
    let (first, rest) = record.split_at(record.len() - 20);
    sink.write_all(&[&plain(HEAD), first].concat()).expect("a reader");
    for number in 1..=3 {
        // The end of one record, and the beginning of the next one.
        sink.write_all(rest).expect("a reader");
        if number < 3 {
            sink.write_all(first).expect("a reader");
        }
        let mut line = String::new();
        records.read_line(&mut line).expect("a record");
        let line: Json = serde_json::from_str(&line).expect("an object");
        assert_eq!((&line["frame"], &line["message"]["octets"]), (&number.into(), &CAM_HEX.into()));
    }
    drop(sink);
    let ended = ran(child.wait_with_output().expect("it ends"));
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(ended.stderr.starts_with("3 frames in 1 file\n"), "{}", ended.stderr);
}

/// A secured packet in a secured packet, however deep: the outer one is reported, and its content
/// is not read.
#[test]
fn a_secured_packet_in_a_secured_packet_is_a_problem() {
    let nested = |depth: usize| format!("{ETHERNET} 12 00 0d 01 {} 0380 02 aabb", "03 81 00 40".repeat(depth));
    let frames = [plain(&nested(2)), plain(&nested(300)), shb()];
    let records: Vec<u8> = frames.iter().flat_map(|frame| record(1, frame)).collect();
    let input = file("reading-nested", "a.pcap", [plain(HEAD), records].concat());
    for more in [None, Some("--verify")] {
        let ran = run(&["capture", &input].into_iter().chain(more).collect::<Vec<_>>(), "");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let all = lines(&ran.stdout);
        assert_eq!(all.len(), 3);
        for line in &all[..2] {
            assert_eq!((&line["problem"]["code"], &line["problem"]["at"]), (&"security.nested".into(), &23.into()));
            assert_eq!((line.get("message"), line.get("security")), (None, None));
        }
        assert_eq!(all[2]["message"]["octets"], CAM_HEX);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_stdout_that_is_full_is_an_error() {
    let input = file("reading-full", "a.pcap", [plain(HEAD), record(1, &shb())].concat());
    let formats = if cfg!(feature = "columns") { &["jsonl", "csv", "parquet", "arrow"][..] } else { &["jsonl"] };
    for format in formats {
        let full = OpenOptions::new().write(true).open("/dev/full").expect("a device");
        let ran = ran(command(&["capture", &input, "--to", format]).stdout(full).output().expect("it ends"));
        assert_eq!(
            (ran.code, ran.stderr.matches("cannot write to stdout").count()),
            (2, 1),
            "{format}: {}",
            ran.stderr
        );
    }
}
