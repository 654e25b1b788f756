//! `roadwire generate`.

mod support;

use support::{file, folder, run};

#[test]
fn codecs_are_written_as_one_module_and_not_over_another() {
    let folder = folder("generate").join("new/folder");
    let arguments =
        ["generate", "-s", "cam-1.4.1", "--rules", "uper", "--lang", "rust", "-o", folder.to_str().unwrap()];
    let ran = run(&arguments, "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let path = folder.join("cam_1_4_1.rs");
    assert!(ran.stderr.contains("cam_1_4_1.rs"), "{}", ran.stderr);
    let source = std::fs::read_to_string(&path).unwrap();
    assert!(source.contains("pub struct BasicVehicleContainerHighFrequency"));

    std::fs::write(&path, "mine").unwrap();
    let again = run(&arguments, "");
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("--force"), "{}", again.stderr);
    assert_eq!(std::fs::read(&path).unwrap(), b"mine");
    assert_eq!(run(&[&arguments[..], &["--force"]].concat(), "").code, 0);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), source);
}

#[test]
fn rules_that_are_not_built_yet_are_wrong_usage() {
    let folder = folder("generate-rules");
    let ran = run(&["generate", "-s", "cam-1.4.1", "--rules", "uper,coer", "-o", folder.to_str().unwrap()], "");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("coer is not built yet"), "{}", ran.stderr);
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0);
}

#[test]
fn modules_with_errors_write_nothing() {
    let path = file("generate-errors", "m.asn", "M DEFINITIONS ::= BEGIN A ::= Bee END");
    let folder = folder("generate-nothing");
    let ran = run(&["generate", "-m", &path, "--rules", "uper", "-o", folder.to_str().unwrap()], "");
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("Bee"), "{}", ran.stderr);
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0);
}
