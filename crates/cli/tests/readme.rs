//! The README shows the output of the command.

mod support;

use support::{folder, run};

/// The recorded message that the README shows.
const RECORDED: &str = "020284db8a1042a600fa5e7aa18ea5ceac81901900003b791280";

#[test]
fn the_readme_shows_the_real_dump() {
    let readme = include_str!("../../../README.md");
    let shown: String = readme
        .lines()
        .skip_while(|line| !line.starts_with("    bit  bits"))
        .take_while(|line| line.starts_with("    "))
        .map(|line| format!("{}\n", &line[4..]))
        .collect();
    let ran = run(&["inspect", "-s", "cam-1.4.1", "--rules", "uper"], RECORDED);
    assert_eq!(ran.stdout, shown);
}

#[test]
fn the_readme_converts_the_message_of_the_tests_there_and_back() {
    let readme = include_str!("../../../README.md");
    assert!(readme.contains(&format!("echo {RECORDED} > cam.hex")));
    let folder = folder("readme");
    std::fs::write(folder.join("cam.hex"), RECORDED).unwrap();
    let hex = folder.join("cam.hex");
    let value = run(&["convert", "-s", "cam-1.4.1", "--from", "uper", "--to", "jer", hex.to_str().unwrap()], "");
    std::fs::write(folder.join("cam.json"), &value.stdout).unwrap();
    let json = folder.join("cam.json");
    let back = run(&["convert", "-s", "cam-1.4.1", "--from", "jer", "--to", "uper", json.to_str().unwrap()], "");
    assert_eq!(back.stdout.trim_end(), RECORDED);
}
