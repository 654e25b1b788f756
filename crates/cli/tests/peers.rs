//! `study --peers`: where third-party programs are built.
//!
//! Signals and links are only for Unix.
#![cfg(unix)]

mod support;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use support::{folder, names, ran, run};

/// Between two looks at what another program does.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(5);

/// A peer's build script that reports its folder, and then sleeps.
const PEER: &str = "#!/bin/sh\nmkdir -p \"$1\"\necho \"$1\" \"$2\" $(stat -c %a \"$1/..\") > \"$STARTED.part\"\nmv \"$STARTED.part\" \"$STARTED\"\nsleep 600 &\nwait\n";

#[test]
fn peers_are_built_in_a_private_folder_that_is_gone_after_a_signal() {
    let folder = folder("peers");
    let (temporary, peer, started) = (folder.join("tmp"), folder.join("peers/slow"), folder.join("started"));
    fs::create_dir_all(&temporary).unwrap();
    fs::create_dir_all(&peer).unwrap();
    fs::write(peer.join("build"), PEER).unwrap();
    fs::set_permissions(peer.join("build"), fs::Permissions::from_mode(0o755)).unwrap();
    let region = "allocation = \"\"\npresizing = \"\"\npopulation = \"\"\nvalidation = \"\"\n";
    let about = format!("name = \"slow\"\norigin = \"here\"\nbuild = \"build\"\n[timed_region]\n{region}");
    fs::write(peer.join("peer.toml"), about).unwrap();
    for signal in support::ending_signals() {
        let (peers, out) = (folder.join("peers"), folder.join("report"));
        let arguments =
            ["study", "etsi-2014", "--quick", "--peers", peers.to_str().unwrap(), "--out", out.to_str().unwrap()];
        let mut child =
            support::command(&arguments).env("TMPDIR", &temporary).env("STARTED", &started).spawn().unwrap();
        // A link that another user has made, with a name derived from a process number.
        let victim = folder.join("victim");
        fs::create_dir_all(&victim).unwrap();
        symlink(&victim, temporary.join(format!("roadwire-peers-{}", child.id()))).unwrap();
        // Waits until the build runs.
        while !started.exists() {
            assert!(child.try_wait().unwrap().is_none(), "it has ended");
            std::thread::sleep(PAUSE);
        }
        let line = fs::read_to_string(&started).unwrap();
        fs::remove_file(&started).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let [built, schemas, mode] = words[..] else { panic!("{line}") };
        let private = Path::new(built).parent().unwrap();
        assert!(private.starts_with(&temporary) && private == Path::new(schemas).parent().unwrap(), "{line}");
        assert_eq!((mode, private.is_symlink()), ("700", false));
        assert!(!private.to_str().unwrap().contains(&child.id().to_string()), "{line}");
        let kill = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        // The build and the processes that it started have ended too: they held the other ends of
        // these pipes.
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), None, "{}", String::from_utf8_lossy(&output.stderr));
        assert!(!private.exists());
        assert_eq!(names(&victim), [""; 0]);
        fs::remove_file(temporary.join(&names(&temporary)[0])).unwrap();
        assert_eq!(names(&temporary), [""; 0]);
    }
}

#[test]
fn peers_leave_no_folder_after_an_error() {
    let folder = folder("peers-error");
    let (temporary, peer) = (folder.join("tmp"), folder.join("peers/wrong"));
    fs::create_dir_all(&temporary).unwrap();
    fs::create_dir_all(&peer).unwrap();
    fs::write(peer.join("peer.toml"), "name = 1").unwrap();
    let peers = folder.join("peers");
    let arguments = ["study", "etsi-2014", "--quick", "--peers", peers.to_str().unwrap()];
    let child = support::command(&arguments).env("TMPDIR", &temporary).current_dir(&folder).spawn().unwrap();
    let ran = ran(child.wait_with_output().unwrap());
    assert_eq!((ran.code, names(&temporary).len()), (2, 0), "{}", ran.stderr);
}

#[test]
fn the_help_says_that_peers_are_run() {
    let help = run(&["study", "--help"], "").stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("builds and runs the programs of that folder"), "{help}");
}
