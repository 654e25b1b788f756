//! `roadwire bounds`, and the sizes that `list` and `generate` print.

mod support;

use serde_json::{Value as Json, json};
use support::{CAM_HEX, run};

fn rows(arguments: &[&str]) -> Vec<Json> {
    let told = run(&[arguments, &["--json"]].concat(), "");
    assert_eq!((told.code, told.stderr.as_str()), (0, ""));
    told.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn module(name: &str, body: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bounds");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {body} END")).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_shipped_message_has_numbers_in_each_encoding() {
    let rows = rows(&["bounds", "-s", "cam-1.4.1"]);
    let of = |rules: &str| rows.iter().find(|row| row["rules"] == rules).expect(rules);
    let octets = (CAM_HEX.trim().len() / 2) as u64;
    let uper = of("uper");
    assert_eq!(uper["type"], "CAM-PDU-Descriptions.CAM");
    assert!(uper["least"].as_u64().unwrap() < octets && octets < uper["most_in_roots"].as_u64().unwrap(), "{uper}");
    // INTEGER (1..255, ...)
    let radius = uper["no_end"].as_str().unwrap();
    assert!(
        uper["most"].is_null() && radius.ends_with("protectedCommunicationZonesRSU[].protectedZoneRadius"),
        "{uper}"
    );
    let protobuf = of("protobuf");
    assert!(
        protobuf["most_in_roots"].as_u64() < protobuf["most"].as_u64() && protobuf["no_end"].is_null(),
        "{protobuf}"
    );
    assert!(uper["memory"].as_u64() > Some(100), "{uper}");
    assert!(of("tls")["why"].as_str().unwrap().contains("no tls encoding"));
}

#[test]
fn the_component_without_an_end_is_named() {
    let path = module("ends.asn", "A ::= SEQUENCE { a INTEGER (0..7), b SEQUENCE (SIZE (2)) OF INTEGER (0..7, ...) }");
    let found = rows(&["bounds", "-m", &path, "--rules", "uper,oer"]);
    let wanted = json!([
        { "type": "M.A", "rules": "uper", "least": 2, "most": null, "most_in_roots": 2, "no_end": "b[]" },
        { "type": "M.A", "rules": "oer", "least": 7, "most": null, "most_in_roots": null, "no_end": "b[]" }
    ]);
    for (mut found, wanted) in found.into_iter().zip(wanted.as_array().unwrap()) {
        assert!(found.as_object_mut().unwrap().remove("memory").unwrap().is_u64());
        assert_eq!(found, *wanted);
    }
    let told = run(&["bounds", "-m", &path, "--rules", "uper"], "");
    assert!(told.stdout.contains("none") && told.stdout.contains("b[]"), "{}", told.stdout);
}

#[test]
fn instructions_are_bounded_where_lists_have_an_end() {
    let body = "A ::= SEQUENCE { a INTEGER (0..7), b OCTET STRING (SIZE (0..9)) } B ::= SEQUENCE OF A";
    let path = module("instructions.asn", body);
    let found = rows(&["bounds", "-m", &path, "-t", "A", "-t", "B", "--rules", "uper,jer", "--instructions"]);
    let of = |at: usize| ["instructions_x86_64", "instructions_armv7"].map(|name| found[at][name].as_u64());
    let [Some(wide), Some(narrow)] = of(0) else { panic!("{found:?}") };
    assert!(100 < wide && wide < narrow && narrow < 2000, "{wide}, {narrow}");
    // JER has not been counted, and the list has no end.
    assert_eq!([of(1), of(2)], [[None; 2]; 2]);
    assert!(found[1].get("instructions_armv7").is_some_and(Json::is_null));
}

#[test]
fn lists_and_generated_code_have_the_same_numbers() {
    let path = module("same.asn", "A ::= SEQUENCE { a INTEGER (0..7), b OCTET STRING (SIZE (0..3)) OPTIONAL }");
    let bounds = rows(&["bounds", "-m", &path, "--rules", "oer"]).remove(0);
    assert_eq!([&bounds["least"], &bounds["most"]], [2, 6]);
    let listed = rows(&["list", "types", "-m", &path, "--rules", "oer"]).remove(0);
    assert_eq!(listed["octets_in_memory"], bounds["memory"]);
    for name in ["least", "most", "most_in_roots", "no_end"] {
        assert_eq!(listed["octets"][name], bounds[name], "{name}");
    }
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bounds/code");
    let arguments =
        ["generate", "-m", &path, "--rules", "oer", "--lang", "rust", "-o", folder.to_str().unwrap(), "--force"];
    let told = run(&[&arguments[..], &["--json"]].concat(), "");
    let written: Json = serde_json::from_str(&told.stderr).expect("JSON");
    assert_eq!(written["octets"]["M.A"]["oer"], listed["octets"]);
    assert_eq!(written["octets_in_memory"]["M.A"], bounds["memory"]);
}

/// Paints the stack, decodes a message that is cut after each octet, encodes it, and prints how
/// much of the paint is gone: of a decoder, and of an encoder.
const PAINTED: &str = r#"
#include "cam_1_4_1.h"
#include <stdio.h>

enum { ROOM = 1 << 16 };
static const volatile uint8_t *lowest;

static __attribute__((noinline)) void paint(void)
{
    volatile uint8_t room[ROOM];
    for (size_t at = 0; at < ROOM; at++) {
        room[at] = 0xa5;
    }
    __asm__ volatile("" : "=r"(lowest) : "0"(room) : "memory");
}

static __attribute__((noinline)) unsigned gone(void)
{
    unsigned at = 0;
    while (at < ROOM && lowest[at] == 0xa5) {
        at++;
    }
    return ROOM - at;
}

int main(void)
{
    static const uint8_t octets[] = {OCTETS};
    static cam_cam cam;
    static uint8_t out[2000];
    rw_error error;
    paint();
    for (size_t size = 0; size <= sizeof octets; size++) {
        (void)cam_cam_decode_RULES(&cam, octets, size, &error);
    }
    printf("%u ", gone());
    paint();
    for (size_t size = 0; size <= sizeof octets; size++) {
        (void)cam_cam_encode_RULES(&cam, out, size, &error);
    }
    printf("%u\n", gone());
    return 0;
}
"#;

#[test]
fn stack_is_within_its_bound() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bounds/stack");
    let _ = std::fs::remove_dir_all(&folder);
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    for rules in ["uper", "der"] {
        // Its own file: of a shipped schema the table of another compiler would answer.
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../messages/schemas/etsi/cam-1.4.1.asn");
        let bound = ["bounds", "-m", file, "-t", "CAM-PDU-Descriptions.CAM", "--rules", rules, "--stack"];
        let bound = rows(&bound).remove(0);
        let bounds = ["stack_decode", "stack_encode"].map(|name| bound[name].as_u64());
        let octets = run(&["convert", "-s", "cam-1.4.1", "--from", "uper", "--to", rules], CAM_HEX).stdout;
        let octets: Vec<String> =
            octets.trim().as_bytes().chunks(2).map(|pair| format!("0x{}", String::from_utf8_lossy(pair))).collect();
        let output = ["--lang", "c", "--force", "-o", folder.to_str().unwrap()];
        let told = run(&[&["generate", "-s", "cam-1.4.1", "--rules", rules][..], &output].concat(), "");
        assert_eq!(told.code, 0, "{}", told.stderr);
        let program = PAINTED.replace("OCTETS", &octets.join(", ")).replace("RULES", rules);
        std::fs::write(folder.join("painted.c"), program).unwrap();
        // The loader looks for functions of the C library before, not on this stack.
        let files = ["-std=gnu99", "-O2", "-Wl,-z,now", "-o", "painted", "painted.c", "cam_1_4_1.c"];
        let built = std::process::Command::new(&compiler).args(files).current_dir(&folder).output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let painted = std::process::Command::new(folder.join("painted")).output().unwrap();
        let painted = String::from_utf8(painted.stdout).unwrap();
        for (bound, painted) in bounds.into_iter().zip(painted.split_whitespace()) {
            let painted: u64 = painted.parse().unwrap();
            // A compiler that has no call graph knows nothing.
            let Some(bound) = bound else { continue };
            // The deepest way is that of rare forms, such as fragments of 16K octets.
            assert!(painted <= bound && bound <= painted * 8, "{rules}: {painted} of {bound}");
        }
    }
}
