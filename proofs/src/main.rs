//! Proofs of the runtime. `docs/proofs.md` says what is proved and by what.
//!
//!     roadwire-proofs enumerate [--quick] PROGRAM    every primitive over all short inputs, in Rust and by a program in C;
//!                                                    with a word after it: those whose names have it
//!     roadwire-proofs annotate FOLDER                the runtime of C with its contracts, as `roadwire_rt.h` in a folder
//!     roadwire-proofs generate FOLDER                the C of the messages that Frama-C looks at
//!
//! Exits with 1 if something does not hold.

use std::process::ExitCode;

mod annotate;
mod enumerate;
#[cfg(feature = "messages")]
mod generate;
mod primitives;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["enumerate", "--quick", program] => enumerate::run(true, program, ""),
        ["enumerate", program] => enumerate::run(false, program, ""),
        ["enumerate", program, word] => enumerate::run(false, program, word),
        ["annotate", folder] => annotate::write(folder.as_ref()),
        #[cfg(feature = "messages")]
        ["generate", folder] => generate::write(folder.as_ref()),
        _ => Err("unknown command: `enumerate`, `annotate` or `generate` (with the feature `messages`)".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
