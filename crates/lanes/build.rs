//! Says whether the compiler has AVX-512, which is stable from Rust 1.89 on.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(avx512)");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(compiler).arg("--version").output().ok();
    // `rustc 1.89.0 (…)`
    let text = version.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    let minor = text.split('.').nth(1).and_then(|minor| minor.parse::<u32>().ok());
    if minor.is_some_and(|minor| minor >= 89) {
        println!("cargo::rustc-cfg=avx512");
    }
}
