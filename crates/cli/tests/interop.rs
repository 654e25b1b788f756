//! `interop/exi`: what is left out, and what is a failure. Java and the registry are played by scripts.
#![cfg(unix)]

mod support;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use support::folder;

const COMPILES: &str = "exit 0";
const DOES_NOT_COMPILE: &str = "exit 1";
const HAS_IT: &str = "while [ \"$1\" != -o ]; do shift; done; echo jar > \"$2\"; printf 200";
const HAS_IT_NOT: &str = "printf 404; exit 0";
const DOES_NOT_ANSWER: &str = "printf 000; exit 6";
const BREAKS_OFF: &str = "printf 200; exit 18";

/// The exit code with these tools beside those of every system. What is compared fails with 7.
fn exit_code(test: &str, tools: &[(&str, &str)], is_ci: bool) -> i32 {
    let bin = folder(&format!("interop-{test}"));
    for tool in ["bash", "dirname", "mkdir", "mv", "rm", "cat"] {
        let found = ["/usr/bin", "/bin", "/usr/local/bin"].map(|folder| Path::new(folder).join(tool));
        let found = found.iter().find(|path| path.exists()).expect(tool);
        symlink(found, bin.join(tool)).unwrap();
    }
    for (name, script) in tools.iter().chain(&[("python3", "exit 7")]) {
        fs::write(bin.join(name), format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../interop/exi");
    let mut command = Command::new(bin.join("bash"));
    command.arg(script).env("PATH", &bin).env("ROADWIRE_INTEROP_DIR", &bin).env("ROADWIRE_BUILT", &bin);
    command.env_remove("CI");
    if is_ci {
        command.env("CI", "true");
    }
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code().expect("it ends");
    assert_eq!(matches!(code, 1 | 3), said.contains("nothing was compared"), "{said}");
    code
}

#[test]
fn a_driver_that_does_not_compile_is_a_failure() {
    for is_ci in [false, true] {
        assert_eq!(exit_code("driver", &[("javac", DOES_NOT_COMPILE), ("curl", HAS_IT)], is_ci), 1);
        assert_eq!(exit_code("all", &[("javac", COMPILES), ("curl", HAS_IT)], is_ci), 7);
        assert_eq!(exit_code("moved", &[("javac", COMPILES), ("curl", HAS_IT_NOT)], is_ci), 1);
    }
}

#[test]
fn only_a_registry_that_does_not_answer_is_left_out_in_ci() {
    for is_ci in [false, true] {
        assert_eq!(exit_code("silent", &[("javac", COMPILES), ("curl", DOES_NOT_ANSWER)], is_ci), 3);
        assert_eq!(exit_code("broken", &[("javac", COMPILES), ("curl", BREAKS_OFF)], is_ci), 3);
        let absent = if is_ci { 1 } else { 3 };
        assert_eq!(exit_code("java", &[("curl", HAS_IT)], is_ci), absent);
        assert_eq!(exit_code("curl", &[("javac", COMPILES)], is_ci), absent);
    }
}
