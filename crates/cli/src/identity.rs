//! Outputs that are not an input.

use std::path::Path;

use roadwire_files::Identity;

use crate::failure::Failure;
use crate::input::{display_name, is_stdin};

/// Refuses an output that is the input: it is written while the input is still read.
///
/// # Errors
/// They are the same file.
pub(crate) fn check_different(input: &Path, output: Option<&Path>) -> Result<(), Failure> {
    let written = match output {
        Some(output) if !is_stdin(output) => Identity::of(output),
        _ => Identity::of_stdout(),
    };
    let read = Identity::of_input(input);
    if read.is_none() || read != written {
        return Ok(());
    }
    Err(Failure::usage("file.same", format!("{} is both input and output", display_name(input)))
        .advise("output is written while input is still read: choose another output"))
}
