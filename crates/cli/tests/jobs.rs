//! `--jobs`: the same output in the same order, however many threads make it.

#[path = "../../source/tests/support/shared.rs"]
mod shared;
mod support;

use support::{CAM_HEX, command, file, folder, names, octets, ran, run};

const HEAD: &str = "d4c3b2a1020004000000000000000000 00000100 01000000";

fn plain(hex: &str) -> Vec<u8> {
    octets(&hex.replace(' ', ""))
}

/// A recording of many blocks: CAMs, half CAMs, and on each of some ports more unknown messages
/// than are guessed in a block.
fn recording(frames: u32) -> Vec<u8> {
    let mut file = plain(HEAD);
    for number in 0..frames {
        let (port, message) = match number % 4 {
            0 => (0x07d1, CAM_HEX.to_owned()),
            1 => (0x07d1, CAM_HEX[..20].to_owned()),
            // Those are named if they are guessed, which depends on how many before them in their
            // block were not.
            2 if number % 200 == 50 => (0x1000, CAM_HEX.to_owned()),
            _ => (0x1000 + number % 3, format!("{:028x}", u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15))),
        };
        let length = message.len() / 2 + 4;
        let source = "1400a1b2c3d4e5f6 84db8a10 1d4eecbc 09e4a254 800c 0384";
        let packet = format!("11005001 20500200 {length:04x} 0100 {source} 00000000 {port:04x} 0000 {message}");
        let frame = plain(&format!("ffffffffffff 000102030405 8947 {packet}"));
        let length = (frame.len() as u32).to_le_bytes();
        file.extend([&number.to_le_bytes()[..], &[0; 4], &length, &length, &frame].concat());
    }
    file
}

/// The number of a record's frame.
fn frame(line: &str) -> u64 {
    let record: serde_json::Value = serde_json::from_str(line).expect("an object");
    record["frame"].as_u64().expect("a number")
}

#[test]
fn records_are_the_same_with_more_jobs() {
    let path = file("jobs", "long.pcap", recording(16_000));
    let whole = run(&["capture", &path, "-j", "1"], "");
    assert_eq!((whole.code, whole.stdout.lines().count()), (0, 16_000), "{}", whole.stderr);
    for jobs in ["2", "5"] {
        let ran = run(&["capture", &path, "-j", jobs], "");
        assert!(ran == whole, "{jobs} jobs");
    }
    let guessed = run(&["capture", &path, "-j", "1", "--where", "btp.port == 4096 && message.type == CAM"], "");
    let numbers: Vec<u64> = guessed.stdout.lines().map(frame).collect();
    assert!(numbers.iter().any(|number| *number > 3_000), "in later blocks, too: {numbers:?}");
    assert!(numbers.len() < 20, "and not all: {numbers:?}");
    let filter = ["capture", &path, "--where", "problem.code == \"input.truncated\" || frame < 100", "-j"];
    let filtered = run(&[&filter[..], &["1"]].concat(), "");
    assert_eq!(filtered.stdout.lines().count(), 4_000 + 74);
    assert!(run(&[&filter[..], &["3"]].concat(), "") == filtered);
}

#[cfg(feature = "columns")]
#[test]
fn tables_and_reports_are_the_same_with_more_jobs() {
    let path = file("jobs-tables", "long.pcap", recording(16_000));
    for format in ["csv", "parquet", "arrow"] {
        let made = ["1", "4"].map(|jobs| {
            let into = folder(&format!("jobs-{format}-{jobs}"));
            let output = into.join(format!("all.{format}")).display().to_string();
            let report = into.join("report").display().to_string();
            let all = ["capture", &path, "-j", jobs, "--to", format, "-o", &output, "--report", &report];
            let ran = run(&all, "");
            assert_eq!(ran.code, 0, "{}", ran.stderr);
            let files = names(&into).into_iter().filter(|name| name != "report");
            let files: Vec<_> = files.map(|name| (name.clone(), std::fs::read(into.join(name)).unwrap())).collect();
            let pages = names(&into.join("report")).into_iter();
            let pages: Vec<_> = pages.map(|name| std::fs::read(into.join("report").join(name)).unwrap()).collect();
            (files, pages)
        });
        assert!(made[0].0.len() == 2 && made[0].1.len() > 1, "{format}");
        assert!(made[0] == made[1], "{format}");
    }
}

#[test]
fn verdicts_are_the_same_with_more_jobs() {
    let Some(captures) = shared::shared("captures") else { return };
    let recorded = std::fs::read(captures.join("karloss_testmon4.pcap")).expect("a capture");
    let (head, frames) = recorded.split_at(24);
    let many = [head, &frames.repeat(4)].concat();
    let path = file("jobs-verify", "signed.pcap", many);
    let one = run(&["capture", "--verify", &path, "-j", "1"], "");
    assert!(one.stderr.contains("signed "), "{}", one.stderr);
    for jobs in ["2", "3", "7", "32"] {
        assert!(run(&["capture", "--verify", &path, "-j", jobs], "") == one, "{jobs} jobs");
    }
}

#[test]
fn lines_are_the_same_with_more_jobs() {
    let line = |number: usize| match number % 5 {
        0 => CAM_HEX[..number % CAM_HEX.len()].to_owned(),
        _ => CAM_HEX.to_owned(),
    };
    let text: String = (0..20_000).map(|number| line(number) + "\n").collect();
    let path = file("jobs-lines", "cams.hex", &text);
    let convert = ["convert", "-s", "cam-1.4.1", "--from", "uper", "--to", "jer", "--lines", "-j"];
    let one = run(&[&convert[..], &["1", &path]].concat(), "");
    assert_eq!((one.code, one.stdout.lines().count()), (1, 20_000), "{}", one.stderr);
    for jobs in ["2", "6"] {
        assert!(run(&[&convert[..], &[jobs, &path]].concat(), "") == one, "{jobs} jobs");
        let piped = run(&[&convert[..], &[jobs]].concat(), &text);
        assert!(piped.stdout == one.stdout && piped.code == 1, "{jobs} jobs, from a pipe");
    }
}

/// Each line has its answer before the next one is written.
#[test]
fn lines_from_a_pipe_are_answered_as_they_come() {
    use std::io::{BufRead as _, BufReader, Write as _};
    let convert = ["convert", "-s", "cam-1.4.1", "--from", "uper", "--to", "coer", "--lines", "-j", "4"];
    let mut child = command(&convert).spawn().expect("the command starts");
    let (mut sink, source) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
    let mut answers = BufReader::new(source);
    for _ in 0..5 {
        sink.write_all(format!("{CAM_HEX}\n").as_bytes()).expect("a reader");
        let mut line = String::new();
        answers.read_line(&mut line).expect("a line");
        assert!(line.starts_with("0202") && line.ends_with('\n'), "{line}");
    }
    drop(sink);
    assert_eq!(ran(child.wait_with_output().expect("it ends")).code, 0);
}

#[test]
fn wrong_numbers_of_jobs_are_refused() {
    for jobs in ["0", "-1", "many", "100000"] {
        let ran = run(&["capture", "a.pcap", "--jobs", jobs], "");
        assert_eq!(ran.code, 2, "{}", ran.stderr);
    }
    let ran = run(&["convert", "-s", "cam-1.4.1", "--from", "uper", "--to", "jer", "-j", "2"], CAM_HEX);
    assert!(ran.code == 2 && ran.stderr.contains("--lines"), "{}", ran.stderr);
}
