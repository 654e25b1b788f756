//! Reading: whole inputs of bounded size, and lines without holding more than one.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use roadwire_capture::file::FileError;

use crate::args::{InputArgs, OctetFormat};
use crate::failure::Failure;
use crate::octets;

/// The most octets that one input (or one line) may have. Road messages have kilobytes; this prevents a wrong
/// file or an endless line from exhausting the memory.
pub(crate) const MAX_INPUT: usize = 64 << 20;

/// `-` is stdin.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of an input in errors.
pub(crate) fn display_name(path: &Path) -> String {
    if is_stdin(path) { "stdin".to_owned() } else { path.display().to_string() }
}

/// Opens a file or stdin.
pub(crate) fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if is_stdin(path) {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).map_err(|error| Failure::io("read", path, &error))?;
    Ok(Box::new(BufReader::new(file)))
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

fn too_long() -> Failure {
    Failure::refused("input.size", format!("the input is longer than {} MiB", MAX_INPUT >> 20))
}

/// The lines of an input, one at a time. A line that is too long is an error in its place.
pub(crate) struct Lines<'a> {
    from: &'a mut dyn BufRead,
    line: Vec<u8>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(from: &'a mut dyn BufRead) -> Self {
        Lines { from, line: Vec::new() }
    }

    /// The next line without its end; `None` after the last. The inner error is the line's own.
    pub(crate) fn next(&mut self) -> io::Result<Option<Result<&[u8], Failure>>> {
        self.line.clear();
        let read = self.from.take(MAX_INPUT as u64 + 1).read_until(b'\n', &mut self.line)?;
        if read == 0 {
            return Ok(None);
        }
        if self.line.last() != Some(&b'\n') && self.line.len() > MAX_INPUT {
            skip_line(self.from)?;
            return Ok(Some(Err(too_long())));
        }
        let text = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        Ok(Some(Ok(text.strip_suffix(b"\r").unwrap_or(text))))
    }
}

fn skip_line(from: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let buffer = from.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|&c| c == b'\n');
        let used = end.map_or(buffer.len(), |at| at + 1);
        from.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}

/// For a recording that is not read, or not to its end.
pub(crate) fn unread(path: &Path, error: FileError) -> Failure {
    match &error.source {
        Some(source) => Failure::io("read", path, source),
        None => Failure::refused(error.code(), error.to_string()).in_file(&display_name(path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_lf_or_crlf_and_the_last_may_lack_its_end() {
        let mut from: &[u8] = b"a\r\n\nb";
        let mut lines = Lines::new(&mut from);
        for wanted in ["a", "", "b"] {
            assert_eq!(lines.next().unwrap().unwrap().unwrap(), wanted.as_bytes());
        }
        assert!(lines.next().unwrap().is_none());
    }

    #[test]
    fn an_endless_line_is_one_error_and_the_next_line_is_read() {
        let mut text = vec![b'a'; MAX_INPUT + 5];
        text.extend_from_slice(b"\nb\n");
        let mut from: &[u8] = &text;
        let mut lines = Lines::new(&mut from);
        assert!(lines.next().unwrap().unwrap().is_err());
        assert_eq!(lines.next().unwrap().unwrap().unwrap(), b"b");
    }
}
