//! `interop/exi`, `interop/bouncycastle` and `.ci/run`: which steps are skipped, and which fail.
//! Scripts stand in for Java and the registry.
#![cfg(unix)]

mod support;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use support::folder;

const COMPILES: &str = "[ \"$1\" != -version ] || echo javac 21.0.4";
const DOES_NOT_COMPILE: &str = "[ \"$1\" = -version ] && echo javac 17";
const IS_OLD: &str = "echo javac 1.8.0_292";
const HAS_IT: &str = "while [ \"$1\" != -o ]; do shift; done; echo jar > \"$2\"; printf 200";
const HAS_IT_NOT: &str = "printf 404; exit 0";
const DOES_NOT_ANSWER: &str = "printf 000; exit 6";
const BREAKS_OFF: &str = "printf 200; exit 18";

/// The exit code of `interop/exi` with these tools in addition to those of every system. The
/// comparison itself fails with 7.
fn exit_code(test: &str, tools: &[(&str, &str)]) -> i32 {
    exit_code_of("exi", test, tools)
}

fn exit_code_of(script: &str, test: &str, tools: &[(&str, &str)]) -> i32 {
    let bin = folder(&format!("interop-{script}-{test}"));
    for tool in ["bash", "dirname", "mkdir", "mv", "rm", "cat", "sed"] {
        let found = ["/usr/bin", "/bin", "/usr/local/bin"].map(|folder| Path::new(folder).join(tool));
        let found = found.iter().find(|path| path.exists()).expect(tool);
        symlink(found, bin.join(tool)).unwrap();
    }
    for (name, script) in tools.iter().chain(&[("java", "exit 0"), ("python3", "exit 7")]) {
        fs::write(bin.join(name), format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let script = format!("{}/../../interop/{script}", env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(bin.join("bash"));
    command.arg(script).env("PATH", &bin).env("ROADWIRE_INTEROP_DIR", &bin).env("ROADWIRE_BUILT", &bin);
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code().expect("it ends");
    assert_eq!(code == 4, said.contains("nothing was compared"), "{said}");
    code
}

#[test]
fn a_driver_that_does_not_compile_is_a_failure() {
    assert_eq!(exit_code("driver", &[("javac", DOES_NOT_COMPILE), ("curl", HAS_IT)]), 1);
    assert_eq!(exit_code("all", &[("javac", COMPILES), ("curl", HAS_IT)]), 7);
    assert_eq!(exit_code("moved", &[("javac", COMPILES), ("curl", HAS_IT_NOT)]), 1);
}

#[test]
fn a_registry_that_does_not_answer_and_a_tool_that_is_missing_are_told_apart() {
    assert_eq!(exit_code("silent", &[("javac", COMPILES), ("curl", DOES_NOT_ANSWER)]), 3);
    assert_eq!(exit_code("broken", &[("javac", COMPILES), ("curl", BREAKS_OFF)]), 3);
    assert_eq!(exit_code("java", &[("curl", HAS_IT)]), 4);
    assert_eq!(exit_code("old", &[("javac", IS_OLD), ("curl", HAS_IT)]), 4);
    assert_eq!(exit_code("curl", &[("javac", COMPILES)]), 4);
}

/// Its Python also fetches the modules: this one is a registry that does not answer.
#[test]
fn bouncy_castle_is_told_apart_alike() {
    let code = |test, tools| exit_code_of("bouncycastle", test, tools);
    assert_eq!(code("modules", &[("javac", COMPILES), ("curl", HAS_IT)]), 3);
    assert_eq!(code("moved", &[("javac", COMPILES), ("curl", HAS_IT_NOT)]), 1);
    assert_eq!(code("silent", &[("javac", COMPILES), ("curl", DOES_NOT_ANSWER)]), 3);
    assert_eq!(code("java", &[("curl", HAS_IT)]), 4);
    assert_eq!(code("old", &[("javac", IS_OLD), ("curl", HAS_IT)]), 4);
    assert_eq!(code("curl", &[("javac", COMPILES)]), 4);
}

/// The exit code of a step of `.ci/run` that ends with `status`, and whether the run reports at its
/// end that it was skipped.
fn step(status: i32, ci: &str) -> (i32, bool) {
    step_after(0, status, ci)
}

/// The same for a step of ten minutes that begins after so many minutes. The last one ends before
/// minute 86.
fn step_after(minutes: u32, status: i32, ci: &str) -> (i32, bool) {
    run_step(minutes, &format!("10 sh -c 'exit {status}'"), ci)
}

/// The same for these minutes and this command; a second after minute 86 it is ended.
fn run_step(minutes: u32, step: &str, ci: &str) -> (i32, bool) {
    let run = include_str!("../../../.ci/run");
    let begin = run.find("\nleft_out=()").unwrap();
    let length = run[begin..].find("\n}\n").unwrap() + 3;
    let optional = &run[begin..begin + length];
    let script = format!(
        "set -euo pipefail; step() {{ :; }}; limit=86 grace=1 pace=100 SECONDS=$((60 * {minutes})); {optional}\noptional title {step}\necho \"${{left_out[@]}}\""
    );
    let output = Command::new("bash").args(["-c", &script]).env("CI", ci).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8_lossy(&output.stdout).contains("title: "))
}

#[test]
fn only_a_registry_that_does_not_answer_is_left_out_in_ci() {
    for ci in ["", "true"] {
        assert_eq!(step(0, ci), (0, false));
        assert_eq!(step(1, ci), (1, false));
        assert_eq!(step(3, ci), (0, true));
    }
    assert_eq!(step(4, ""), (0, true));
    assert_eq!(step(4, "true"), (1, false));
}

#[test]
fn a_step_that_would_not_end_in_time_is_left_out() {
    assert_eq!(step_after(75, 1, "true"), (1, false));
    assert_eq!(step_after(77, 1, "true"), (0, true));
    assert_eq!(run_step(86, "0 sleep 60", "true"), (0, true));
}
