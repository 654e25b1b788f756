//! Reading: whole inputs of bounded size, and lines without holding more than one.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use roadwire_capture::file::FileError;

use crate::args::{InputArgs, OctetFormat};
use crate::failure::Failure;
use crate::octets;

/// The most octets that one input (or one line) may have. Road messages have kilobytes; this prevents a wrong
/// file or an endless line from exhausting the memory.
pub(crate) const MAX_INPUT: usize = 64 << 20;

/// Octets that are read at once.
const BUFFER: usize = 128 << 10;

/// `-` is stdin.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of an input in errors.
pub(crate) fn display_name(path: &Path) -> String {
    if is_stdin(path) { "stdin".to_owned() } else { path.display().to_string() }
}

/// A file or stdin.
pub(crate) type Source = Box<dyn Read + Send>;

/// Opens a file or stdin.
pub(crate) fn open(path: &Path) -> Result<BufReader<Source>, Failure> {
    let source: Source = if is_stdin(path) {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(|error| Failure::io("read", path, &error))?)
    };
    Ok(BufReader::with_capacity(BUFFER, source))
}

/// Whether it is no file, but a pipe or a terminal.
pub(crate) fn is_live(path: &Path) -> bool {
    is_stdin(path) || !path.metadata().is_ok_and(|found| found.is_file())
}

/// Reads all of a file or stdin.
pub(crate) fn read_all(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let limit = MAX_INPUT as u64 + 1;
    open(path)?.take(limit).read_to_end(&mut bytes).map_err(|error| Failure::io("read", path, &error))?;
    if bytes.len() > MAX_INPUT {
        return Err(too_long().in_file(&display_name(path)));
    }
    Ok(bytes)
}

/// Reads all of an input that should be one value.
pub(crate) fn read_value(path: &Path) -> Result<Vec<u8>, Failure> {
    read_all(path).map_err(|failure| {
        let many = failure.code() == "input.size";
        if many {
            failure.advise("INPUT is one value; `convert --lines` takes many, one on each line")
        } else {
            failure
        }
    })
}

/// The octets of an input: as `--in` says, else hex on stdin, else detected.
pub(crate) fn octets(args: &InputArgs) -> Result<Vec<u8>, Failure> {
    let written = read_value(&args.input)?;
    let name = display_name(&args.input);
    let format = match args.format {
        Some(format) => format,
        None if is_stdin(&args.input) => OctetFormat::Hex,
        None => octets::detect(&written).map_err(|failure| failure.in_file(&name))?,
    };
    if written.is_empty() {
        return Err(empty().in_file(&name));
    }
    octets::read(&written, format).map_err(|failure| failure.in_file(&name))
}

/// The failure of a message: that the input is empty, if it has no octets. A few messages have none, and are an empty line.
pub(crate) fn of_message(octets: &[u8], failure: Failure) -> Failure {
    if octets.is_empty() { empty() } else { failure }
}

/// The failure for an empty input, which is probably a mistake.
pub(crate) fn empty() -> Failure {
    Failure::refused("input.empty", "the input is empty").advise("give one message, in a file or on stdin")
}

pub(crate) fn too_long() -> Failure {
    Failure::refused("input.size", format!("the input is longer than {} MiB", MAX_INPUT >> 20))
}

/// For a recording that is not read, or not to its end.
pub(crate) fn unread(path: &Path, error: &FileError) -> Failure {
    match &error.source {
        Some(source) => Failure::io("read", path, source),
        None => Failure::refused(error.code(), error.to_string()).in_file(&display_name(path)),
    }
}
