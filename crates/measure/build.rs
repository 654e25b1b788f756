//! Records the compiler and flags with which it is built.

use std::env;
use std::process::Command;

fn main() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .unwrap_or_else(|| "rustc, version unknown".into());
    println!("cargo::rustc-env=MEASURE_RUSTC={}", version.trim());

    let variable = |name| env::var(name).unwrap_or_default();
    let flags = format!(
        "{} opt-level={} target={} {}",
        variable("PROFILE"),
        variable("OPT_LEVEL"),
        variable("TARGET"),
        variable("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " "),
    );
    println!("cargo::rustc-env=MEASURE_FLAGS={}", flags.trim());
    println!("cargo::rerun-if-changed=build.rs");
}
