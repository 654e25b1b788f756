//! Inputs: files and stdin, whole ones of bounded size.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use roadwire_capture::file::FileError;

use crate::Error;

/// The most octets that one input (or one line) may have. Road messages have kilobytes; this
/// prevents a wrong file or an endless line from exhausting the memory.
pub const MAX_INPUT: usize = 64 << 20;

/// Octets that are read at once.
const BUFFER: usize = 128 << 10;

/// `-` is stdin.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of an input in errors.
pub fn display_name(path: &Path) -> String {
    if is_stdin(path) { "stdin".to_owned() } else { path.display().to_string() }
}

/// A file or stdin.
pub type Source = Box<dyn Read + Send>;

/// Opens a file or stdin.
pub fn open(path: &Path) -> Result<BufReader<Source>, Error> {
    let source: Source = if is_stdin(path) {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(|error| Error::io("read", path, &error))?)
    };
    Ok(BufReader::with_capacity(BUFFER, source))
}

/// Whether it is no file, but a pipe or a terminal.
pub fn is_live(path: &Path) -> bool {
    is_stdin(path) || !path.metadata().is_ok_and(|found| found.is_file())
}

/// Reads all of a file or stdin.
pub fn read_all(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let limit = MAX_INPUT as u64 + 1;
    open(path)?.take(limit).read_to_end(&mut bytes).map_err(|error| Error::io("read", path, &error))?;
    if bytes.len() > MAX_INPUT {
        return Err(too_long().in_file(&display_name(path)));
    }
    Ok(bytes)
}

/// The error for an empty input, which is probably a mistake.
pub fn empty() -> Error {
    Error::refused("input.empty", "the input is empty").advise("give one message, in a file or on stdin")
}

/// The error for an input of more than [`MAX_INPUT`] octets.
#[must_use]
pub fn too_long() -> Error {
    Error::refused("input.size", format!("the input is longer than {} MiB", MAX_INPUT >> 20))
}

/// For a recording that is not read, or not to its end.
pub(crate) fn unread(path: &Path, error: &FileError) -> Error {
    match &error.source {
        // The system's errors have a number; the others are the decompressor's.
        Some(source) if source.raw_os_error().is_none() => {
            Error::refused(error.code(), error.to_string()).in_file(&display_name(path))
        }
        Some(source) => Error::io("read", path, source),
        None => Error::refused(error.code(), error.to_string()).in_file(&display_name(path)),
    }
}
