//! Inputs as the command line describes them.

use std::path::Path;

pub(crate) use roadwire_recording::input::{
    MAX_INPUT, Source, display_name, empty, is_live, is_stdin, open, read_all, too_long,
};
use roadwire_recording::octets::{self, OctetFormat};

use crate::args::InputArgs;
use crate::failure::Failure;

/// Reads all of an input that should be one value.
pub(crate) fn read_value(path: &Path) -> Result<Vec<u8>, Failure> {
    let read = read_all(path).map_err(|error| match error.code.as_str() {
        "input.size" => error.advise("INPUT is one value; `convert --lines` takes many, one on each line"),
        _ => error,
    });
    Ok(read?)
}

/// The octets of an input: as `--in` says, else hex on stdin, else detected.
pub(crate) fn octets(args: &InputArgs) -> Result<Vec<u8>, Failure> {
    let written = read_value(&args.input)?;
    let name = display_name(&args.input);
    let format = match args.format {
        Some(format) => format,
        None if is_stdin(&args.input) => OctetFormat::Hex,
        None => octets::detect(&written).map_err(|error| error.in_file(&name))?,
    };
    if written.is_empty() {
        return Err(empty().in_file(&name).into());
    }
    Ok(octets::read(&written, format).map_err(|error| error.in_file(&name))?)
}

/// The failure of a message: that the input is empty, if it has no octets. A few messages have
/// none, and are an empty line.
pub(crate) fn of_message(octets: &[u8], failure: Failure) -> Failure {
    if octets.is_empty() { empty().into() } else { failure }
}
