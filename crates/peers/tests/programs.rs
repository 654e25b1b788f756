//! Programs of their own, made up of shell scripts.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use roadwire_files::PrivateFolder;
use roadwire_layout::Rules;
use roadwire_measure::cell::{Cell, Direction, Reported};
use roadwire_measure::heap::Heap;
use roadwire_peers::content::{Message, Schema};
use roadwire_peers::roadwire::Toed;
use roadwire_peers::{Engine, program};

const REGION: &str = "[timed_region]\nallocation = 'a'\npresizing = 'b'\npopulation = 'c'\nvalidation = 'd'\n";

/// A folder of one peer, whose program is a script.
fn folder(name: &str, program: &str) -> PrivateFolder {
    let folder = PrivateFolder::new_in(&std::env::temp_dir(), "roadwire-test-").unwrap();
    let peer = folder.path().join("made-up");
    fs::create_dir(&peer).unwrap();
    fs::write(peer.join("peer.toml"), format!("{name}\norigin = 'here'\nbuild = 'build'\n{REGION}")).unwrap();
    script(&peer.join("program"), program);
    script(&peer.join("build"), "echo \"$(dirname \"$0\")/program\"\nshift 2\necho \"version $*\"\n");
    folder
}

fn script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn peers(folder: &PrivateFolder) -> Vec<Box<dyn Engine>> {
    program::peers(folder.path()).unwrap_or_else(|why| panic!("{why}"))
}

fn cell(folder: &PrivateFolder) -> Result<Box<dyn Cell>, String> {
    let message = Message::find("cam-mandatory").unwrap();
    peers(folder)[0].cell(message, Rules::Uper).map_err(|absent| absent.0)
}

/// Answers `load` and what else is given as lines of a `case`.
fn answering(cases: &str) -> String {
    format!(
        "while read -r what rest; do\ncase \"$what $rest\" in\nload*) echo \"ok $rest\" ;;\n{cases}\n*) echo 'no not this' ;;\nesac\ndone\n"
    )
}

#[test]
fn a_program_reports_its_heap_and_its_stack() {
    let cases = "'heap encode') echo ok 168 8 0 21 ;;\n'heap decode') echo ok 936 ;;\n'stack encode') echo ok 1416 ;;\nsize*) echo ok 680 ;;";
    let mut cell = cell(&folder("name = 'p'", &answering(cases))).unwrap();
    let heap = Heap { requested: 168, peak: 8, retained: 0, count: 21 };
    assert_eq!(cell.reported(Direction::Encode), Reported { heap: Ok(heap), stack: Ok(1416) });
    let of_decoding = cell.reported(Direction::Decode);
    assert_eq!(of_decoding.heap.unwrap_err(), "its answer is not understood: 936");
    assert_eq!(of_decoding.stack.unwrap_err(), "not this");
    assert_eq!(cell.message_size(), Some(680));
}

const MESSAGE: &str = "{\"protocolVersion\":2,\"content\":{\"unsecured\":\"abcd\"}}";

fn cell_of(folder: &PrivateFolder, schema: Schema, rules: Rules) -> Result<Box<dyn Cell>, String> {
    peers(folder)[0].cell_of(schema, rules, MESSAGE).map_err(|absent| absent.0)
}

#[test]
fn a_program_gets_a_value_of_a_schema_as_a_message_without_a_name() {
    let program = format!("[ \"$*\" = 'oer set dot2-original-2015' ] || exit 3\n{}", answering(""));
    let folder = folder("name = 'p'", &program);
    let octets = cell_of(&folder, Schema::SecuredDataOriginal, Rules::Oer).unwrap().bytes();
    let ours = Toed.cell_of(Schema::SecuredDataOriginal, Rules::Oer, MESSAGE).unwrap().bytes();
    assert_eq!(octets.unwrap(), ours.unwrap());
    let why = cell_of(&folder, Schema::SecuredDataOriginal, Rules::Uper).err().unwrap();
    assert_eq!(why, "p has no uper of this message: it does not have it");
    // A value of which we have no octets.
    assert!(cell_of(&folder, Schema::SecuredDataP, Rules::Uper).is_err());
}

#[test]
fn a_program_that_does_not_have_a_message_may_give_the_reason() {
    let folder = folder("name = 'p'", "echo 'it has no OER' >&2\nexit 3\n");
    let why = cell_of(&folder, Schema::SecuredDataOriginal, Rules::Oer).err().unwrap();
    assert_eq!(why, "p has no oer of this message: it has no OER");
}

#[test]
fn a_program_without_a_size_has_none() {
    assert_eq!(cell(&folder("name = 'p'", &answering(""))).unwrap().message_size(), None);
}

#[test]
fn the_end_of_a_program_is_given_with_the_last_line_of_its_standard_error() {
    let of = |program: &str| cell(&folder("name = 'p'", program)).err().unwrap();
    let why = of("read -r line\necho first >&2\necho 'assertion failed' >&2\nexit 7\n");
    assert_eq!(why, "p has no uper of this message: it ended with exit status: 7: assertion failed");
    assert_eq!(of("exit 3\n"), "p has no uper of this message: it does not have it");
    let why = of("echo noise >&2\nread -r line\necho gibberish\nsleep 5\n");
    assert!(why.starts_with("p has no uper of this message: its answer is neither ok nor no"), "{why}");
}

/// A pipe holds 64 KiB: a program that writes more would wait for a reader.
#[test]
fn a_program_may_write_any_amount_to_its_standard_error() {
    let noisy = format!(
        "i=0\nwhile [ $i -lt 3000 ]; do echo 'a line of fifty octets, which is repeated many times' >&2; i=$((i + 1)); done\n{}",
        answering("")
    );
    assert!(cell(&folder("name = 'p'", &noisy)).is_ok());
}

#[test]
fn variants_are_built_by_one_script_with_arguments_of_their_own() {
    let variants = folder("", &answering(""));
    let toml = variants.path().join("made-up/peer.toml");
    let text = |variants: &str| format!("origin = 'here'\nbuild = 'build'\n{REGION}{variants}");
    let two = "[[variants]]\nname = 'one'\narguments = ['SPEED', '64']\n[[variants]]\nname = 'two'\n";
    fs::write(&toml, text(two)).unwrap();
    let built = peers(&variants);
    let named: Vec<_> = built.iter().map(|one| (one.name(), one.version())).collect();
    assert_eq!(named, [("one", "version SPEED 64"), ("two", "version ")]);
    let refused = |variants_text: &str| {
        fs::write(&toml, text(variants_text)).unwrap();
        program::peers(variants.path()).err().unwrap()
    };
    assert!(refused("[[variants]]\nname = 'one'\n[[variants]]\nname = 'one'\n").contains("another peer is called one"));
    assert!(refused("").contains("neither a name nor variants"));
}
