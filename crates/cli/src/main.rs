//! The `roadwire` command.
#![forbid(unsafe_code)]

use std::process::ExitCode;

/// The laboratory counts heap allocations of codecs; when not counting, this is the system's
/// allocator.
#[cfg(feature = "lab")]
#[global_allocator]
static ALLOCATOR: roadwire_measure::heap::CountingAllocator = roadwire_measure::heap::CountingAllocator;

fn main() -> ExitCode {
    ExitCode::from(roadwire_cli::main(std::env::args_os().collect()))
}
