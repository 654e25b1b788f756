//! Notes with which compiler and flags the laboratory was built, for the records.

use std::env;
use std::fs;
use std::process::Command;

fn main() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .unwrap_or_else(|| "rustc, version unknown".into());
    println!("cargo::rustc-env=LAB_RUSTC={}", version.trim());

    let variable = |name| env::var(name).unwrap_or_default();
    let flags = format!(
        "{} opt-level={} target={} {}",
        variable("PROFILE"),
        variable("OPT_LEVEL"),
        variable("TARGET"),
        variable("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " "),
    );
    println!("cargo::rustc-env=LAB_FLAGS={}", flags.trim());

    // The exact version that was linked in stands in the lock file.
    let lock = "../../Cargo.lock";
    println!("cargo::rerun-if-changed={lock}");
    println!("cargo::rerun-if-changed=build.rs");
    let text = fs::read_to_string(lock).unwrap_or_default();
    let version = |name: &str| {
        let package = text.split_once(&format!("name = \"{name}\"\nversion = \""))?.1;
        Some(package.split_once('"')?.0.to_string())
    };
    println!("cargo::rustc-env=LAB_RASN={}", version("rasn").unwrap_or_else(|| "0.30".into()));
    println!("cargo::rustc-env=LAB_PROST={}", version("prost").unwrap_or_else(|| "0.14".into()));
}
