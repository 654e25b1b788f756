//! Files are replaced only when all is written: nothing is lost silently.
//!
//! Tests with signals, links, devices or a limit on the size of files are only for Unix.
#![cfg(unix)]

mod support;

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use support::{CAM_HEX, folder, names, ran, run};

const CONVERT: &[&str] = &["convert", "-s", "cam-1.4.1", "--from", "uper", "--to", "jer"];
const LINES: &[&str] = &["convert", "-s", "cam-1.4.1", "--from", "uper", "--to", "jer", "--lines"];
/// The interval between checks of another program's state.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(5);
const ROADWIRE: &str = env!("CARGO_BIN_EXE_roadwire");

/// Runs a shell command line in a folder, where `roadwire` is the command under test.
fn shell(folder: &Path, line: &str) -> Output {
    let script = format!("roadwire() {{ \"$ROADWIRE\" \"$@\"; }}\n{line}");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).env("ROADWIRE", ROADWIRE).current_dir(folder).stdin(Stdio::null());
    command.output().expect("a shell")
}

fn text(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).expect("a file")
}

/// A folder with two messages in `in.hex`.
fn messages(test: &str) -> std::path::PathBuf {
    let folder = folder(test);
    fs::write(folder.join("in.hex"), format!("{CAM_HEX}\n{CAM_HEX}\n")).unwrap();
    folder
}

#[test]
fn lines_are_not_written_into_their_input_by_any_name() {
    let folder = messages("files-same");
    let input = text(folder.join("in.hex"));
    fs::hard_link(folder.join("in.hex"), folder.join("hard.hex")).unwrap();
    symlink("in.hex", folder.join("soft.hex")).unwrap();
    let line = LINES.join(" ");
    for command in [
        format!("roadwire {line} in.hex -o hard.hex --force"),
        format!("roadwire {line} hard.hex -o soft.hex --force"),
        format!("roadwire {line} -o in.hex --force < in.hex"),
        format!("roadwire {line} - -o hard.hex --force < soft.hex"),
        format!("roadwire {line} /dev/stdin -o in.hex --force < in.hex"),
        format!("roadwire {line} in.hex >> in.hex"),
        format!("roadwire {line} in.hex -o /dev/stdout --force >> hard.hex"),
    ] {
        let ran = ran(shell(&folder, &command));
        assert_eq!(ran.code, 2, "{command}: {}", ran.stderr);
        assert!(ran.stderr.contains("both input and output"), "{command}: {}", ran.stderr);
        assert_eq!(text(folder.join("in.hex")), input, "{command}");
        assert_eq!(
            fs::metadata(folder.join("hard.hex")).unwrap().ino(),
            folder.join("in.hex").metadata().unwrap().ino()
        );
    }
    assert_eq!(names(&folder), ["hard.hex", "in.hex", "soft.hex"]);
}

/// RLIMIT_FSIZE as a full disk: writing beyond it fails. (`/dev/full` cannot stand in for a file
/// that is replaced.)
#[test]
fn a_full_disk_leaves_the_earlier_file() {
    let folder = messages("files-full");
    for name in ["out.json", "cam_1_4_1.rs"] {
        fs::write(folder.join(name), "earlier").unwrap();
    }
    let generate = "generate -s cam-1.4.1 --rules uper -o . --force";
    let long = format!("{CAM_HEX}\n").repeat(40);
    fs::write(folder.join("long.hex"), long).unwrap();
    // In units of 512 or 1024 octets, depending on the shell.
    for command in [format!("{} long.hex -o out.json --force", LINES.join(" ")), generate.into()] {
        let ran = ran(shell(&folder, &format!("trap '' XFSZ; ulimit -f 4; roadwire {command}")));
        assert_eq!(ran.code, 2, "{command}: {}", ran.stderr);
        assert!(ran.stderr.contains("cannot write"), "{command}: {}", ran.stderr);
    }
    for name in ["out.json", "cam_1_4_1.rs"] {
        assert_eq!(text(folder.join(name)), "earlier");
    }
    let ran = ran(shell(&folder, "trap '' XFSZ; ulimit -f 4; roadwire generate -s cam-1.4.1 --rules uper -o new"));
    assert_eq!((ran.code, names(&folder.join("new"))), (2, vec![]), "{}", ran.stderr);
    assert_eq!(names(&folder), ["cam_1_4_1.rs", "in.hex", "long.hex", "new", "out.json"]);
}

#[test]
fn one_value_that_does_not_fit_leaves_the_earlier_file() {
    let folder = folder("files-full-value");
    fs::write(folder.join("out.json"), "earlier").unwrap();
    let command =
        format!("trap '' XFSZ; ulimit -f 0; echo {CAM_HEX} | roadwire {} -o out.json --force", CONVERT.join(" "));
    let ran = ran(shell(&folder, &command));
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert_eq!((text(folder.join("out.json")).as_str(), names(&folder).len()), ("earlier", 1));
}

#[test]
fn lines_replace_a_file_when_the_input_has_ended() {
    for signal in [""].into_iter().chain(support::ending_signals()) {
        let folder = folder(&format!("files-stream-{signal}"));
        let out = folder.join("out.jsonl");
        fs::write(&out, "earlier").unwrap();
        let mut child = support::command(&[LINES, &["--force", "-o", out.to_str().unwrap()]].concat()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        writeln!(input, "{CAM_HEX}").unwrap();
        // Until the line has been converted.
        let is_written = |name: &String| name.starts_with(".roadwire") && !text(folder.join(name)).is_empty();
        while !names(&folder).iter().any(is_written) {
            assert_eq!(text(&out), "earlier");
            assert!(child.try_wait().unwrap().is_none(), "it has ended");
            std::thread::sleep(PAUSE);
        }
        assert_eq!(text(&out), "earlier");
        if signal.is_empty() {
            drop(input);
            let ran = ran(child.wait_with_output().unwrap());
            assert_eq!((ran.code, text(&out).lines().count()), (0, 1), "{}", ran.stderr);
        } else {
            let kill = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
            assert!(kill.unwrap().success());
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), None, "it ends by the signal");
            assert_eq!(text(&out), "earlier");
        }
        assert_eq!(names(&folder), ["out.jsonl"], "{signal}");
    }
}

#[test]
fn lines_of_which_none_is_converted_replace_nothing() {
    let folder = folder("files-refused");
    let out = folder.join("out.jsonl");
    fs::write(&out, "earlier").unwrap();
    let arguments = [LINES, &["--force", "-o", out.to_str().unwrap()]].concat();
    let refused = run(&arguments, "00\n01\n");
    assert_eq!((refused.code, text(&out).as_str()), (1, "earlier"));
    assert!(refused.stderr.contains("2 of 2 lines") && refused.stderr.contains("left as it was"), "{}", refused.stderr);
    let half = run(&arguments, format!("00\n{CAM_HEX}\n"));
    assert_eq!((half.code, text(&out).lines().count()), (1, 2), "{}", half.stderr);
    assert_eq!(names(&folder), ["out.jsonl"]);
}

#[test]
fn a_new_file_of_lines_can_be_read_while_it_grows() {
    let folder = folder("files-growing");
    let out = folder.join("out.jsonl");
    let mut child = support::command(&[LINES, &["-o", out.to_str().unwrap()]].concat()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{CAM_HEX}").unwrap();
    while fs::read_to_string(&out).unwrap_or_default().lines().count() < 1 {
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
        std::thread::sleep(PAUSE);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(text(&out).lines().count(), 1);
}

#[test]
fn a_file_that_is_replaced_keeps_its_permissions_and_a_link_stays_one() {
    let folder = folder("files-permissions");
    fs::create_dir(folder.join("elsewhere")).unwrap();
    let (out, link) = (folder.join("elsewhere/out.json"), folder.join("link.json"));
    fs::write(&out, "earlier").unwrap();
    fs::set_permissions(&out, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("elsewhere/out.json", &link).unwrap();
    let ran = run(&[CONVERT, &["--force", "-o", link.to_str().unwrap()]].concat(), CAM_HEX);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(link.is_symlink() && text(&out).contains("stationID"));
    assert_eq!(out.metadata().unwrap().permissions().mode() & 0o7777, 0o640);
    // A link to a file that does not exist creates it there.
    symlink("elsewhere/new.json", folder.join("new.json")).unwrap();
    let new = folder.join("new.json");
    assert_eq!(run(&[CONVERT, &["--force", "-o", new.to_str().unwrap()]].concat(), CAM_HEX).code, 0);
    assert!(new.is_symlink() && text(folder.join("elsewhere/new.json")).contains("stationID"));
    assert_eq!(names(&folder.join("elsewhere")), ["new.json", "out.json"]);
}

#[test]
fn devices_pipes_and_open_files_are_written_in_place() {
    let folder = folder("files-devices");
    let convert = format!("echo {CAM_HEX} | roadwire {} --force -o", CONVERT.join(" "));
    let fails = |command: &str, code: i32| {
        let ran = ran(shell(&folder, command));
        assert_eq!(ran.code, code, "{command}: {}", ran.stderr);
        ran
    };
    fails(&format!("{convert} /dev/null"), 0);
    fails(&format!("{convert} /dev/full"), 2);
    assert!(fails(&format!("{convert} /dev/stdout"), 0).stdout.contains("stationID"));
    assert!(fails(&format!("{convert} /dev/stdout | cat"), 0).stdout.contains("stationID"));
    // The shell continues with the file that it has opened.
    fails(&format!("{{ echo before; {convert} /dev/stdout; echo after; }} > log"), 0);
    fails(&format!("{convert} /dev/fd/3 3> third"), 0);
    fails(&format!("mkfifo fifo; cat fifo > copy & {convert} fifo; wait"), 0);
    // They keep nothing that `--force` would be needed for.
    let careful = convert.replace(" --force", "");
    fails(&format!("{careful} /dev/null"), 0);
    assert!(fails(&format!("{careful} /dev/stdout | cat"), 0).stdout.contains("stationID"));
    fails(&format!("cat fifo > again & {careful} fifo; wait; cmp copy again && rm again"), 0);
    fails(&format!("{careful} copy"), 2);
    fails(&format!("{careful} ."), 2);
    let log = text(folder.join("log"));
    assert!(log.starts_with("before\n{") && log.contains("stationID") && log.ends_with("}\nafter\n"), "{log}");
    assert!(text(folder.join("third")).contains("stationID") && text(folder.join("copy")).contains("stationID"));
    assert_eq!(names(&folder), ["copy", "fifo", "log", "third"]);
}

#[test]
fn a_stdout_that_is_full_or_closed_is_an_error() {
    let folder = messages("files-stdout");
    let mut closed = vec![];
    for command in ["--help", "--version", "convert --help", "list rules", "study --list", "study --list --json"] {
        let ran = ran(shell(&folder, &format!("roadwire {command} > /dev/full")));
        assert_eq!(ran.code, 2, "{command}: {}", ran.stderr);
        assert!(ran.stderr.contains("cannot write to stdout"), "{command}: {}", ran.stderr);
        closed.push(command.to_string());
    }
    closed.push(format!("{} in.hex", LINES.join(" ")));
    closed.push("study etsi-2014 --quick --out report".into());
    // Only Linux can detect it.
    if cfg!(target_os = "linux") {
        for command in closed {
            for no_stdout in [">&-", "1< /dev/null"] {
                let ran = ran(shell(&folder, &format!("roadwire {command} {no_stdout}")));
                assert_eq!(ran.code, 2, "{command} {no_stdout}: {}", ran.stderr);
                assert!(ran.stderr.contains("cannot write to stdout: it is closed"), "{command}: {}", ran.stderr);
            }
        }
    }
    // `/dev/null`, however it is opened, is another case; so is a reader that has exited.
    for stdout in ["> /dev/null", "1<> /dev/null", "| true", ">&- -o /dev/null --force"] {
        let ran = ran(shell(&folder, &format!("roadwire {} in.hex {stdout}", LINES.join(" "))));
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{stdout}");
    }
    assert_eq!(names(&folder), ["in.hex"]);
}

/// An empty recording, one with a frame, and this one cut off.
fn recordings(test: &str) -> std::path::PathBuf {
    let folder = folder(test);
    let head = support::octets("d4c3b2a1020004000000000000000000000001000100000000000000");
    let head = &head[..24];
    let frame = [head, &[0; 8], &[4, 0, 0, 0, 4, 0, 0, 0], &[1, 2, 3, 4]].concat();
    fs::write(folder.join("empty.pcap"), head).unwrap();
    fs::write(folder.join("one.pcap"), &frame).unwrap();
    fs::write(folder.join("cut.pcap"), [&frame[..], &[0; 9]].concat()).unwrap();
    fs::write(folder.join("text.pcap"), "this is no recording").unwrap();
    folder
}

#[cfg(feature = "columns")]
#[test]
fn a_recording_that_cannot_be_read_replaces_nothing() {
    let folder = recordings("files-unread");
    for format in ["jsonl", "csv", "parquet", "arrow"] {
        for (inputs, code) in [("nosuch.pcap", 2), ("text.pcap", 1), ("empty.pcap", 1), ("one.pcap nosuch.pcap", 2)] {
            fs::write(folder.join("out"), "earlier").unwrap();
            let ran = ran(shell(&folder, &format!("roadwire capture {inputs} --to {format} -o out --force")));
            assert_eq!(ran.code, code, "{inputs} {format}: {}", ran.stderr);
            assert!(ran.stderr.contains("out is left as it was"), "{inputs} {format}: {}", ran.stderr);
            assert_eq!(text(folder.join("out")), "earlier", "{inputs} {format}");
        }
        // The readable part of a damaged recording replaces it, and a message says so.
        let cut = ran(shell(&folder, &format!("roadwire capture cut.pcap --to {format} -o out --force")));
        assert_eq!(cut.code, 1, "{}", cut.stderr);
        assert!(cut.stderr.contains("out is replaced, by what could be read of cut.pcap"), "{}", cut.stderr);
        assert_ne!(fs::read(folder.join("out")).unwrap(), b"earlier");
    }
    assert_eq!(names(&folder), ["cut.pcap", "empty.pcap", "one.pcap", "out", "text.pcap"]);
}

#[test]
fn a_report_is_replaced_only_by_a_report() {
    let folder = recordings("files-report");
    let first = ran(shell(&folder, "roadwire capture one.pcap --report page"));
    assert_eq!(first.code, 0, "{}", first.stderr);
    let earlier = text(folder.join("page/index.html"));
    let failed = ran(shell(&folder, "roadwire capture nosuch.pcap --report page --force"));
    assert_eq!(failed.code, 2, "{}", failed.stderr);
    assert!(failed.stderr.contains("page is left as it was"), "{}", failed.stderr);
    assert_eq!(text(folder.join("page/index.html")), earlier);
    // Nothing is left of one that could not be made.
    let none = ran(shell(&folder, "roadwire capture nosuch.pcap --report other"));
    assert!(none.code == 2 && !folder.join("other").exists(), "{}", none.stderr);
    // One of its files may be an input.
    let same = ran(shell(&folder, "cp one.pcap page/load.svg; roadwire capture page/load.svg --report page --force"));
    assert_eq!(same.code, 2, "{}", same.stderr);
    assert!(same.stderr.contains("both input and output"), "{}", same.stderr);
}

/// Threads are not more than there is room for: 1024 stacks do not fit.
#[cfg(target_os = "linux")]
#[test]
fn too_many_jobs_are_fewer_threads() {
    let folder = recordings("files-threads");
    // How much of the space is left beside whole stacks differs from limit to limit: between none
    // and one stack.
    for limit in (900_000..2_300_000).step_by(99_991) {
        let ran = ran(shell(&folder, &format!("ulimit -v {limit}; roadwire capture one.pcap --jobs 1024")));
        assert_eq!((ran.code, ran.stdout.lines().count()), (0, 1), "{limit}: {}", ran.stderr);
    }
}
