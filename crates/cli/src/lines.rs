//! Lines of an input, one at a time, or as many as have come.

use std::io::{self, BufRead, BufReader, Read as _};
use std::ops::Range;

use crate::failure::Failure;
use crate::input::{MAX_INPUT, Source, too_long};

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
            return Ok(Some(Err(too_long().into())));
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

/// Octets of lines after which a batch ends.
const BATCH: usize = 64 << 10;

/// The lines of an input in batches: those that have come, but no more than can be worked on at
/// once.
pub(crate) struct Batches {
    from: BufReader<Source>,
    count: u64,
    is_done: bool,
}

/// Lines that follow each other.
pub(crate) struct Batch {
    /// The number of the first one, from 1.
    first: u64,
    text: Vec<u8>,
    lines: Vec<Result<Range<usize>, Failure>>,
    /// Why no more lines can be read, if this is not the end.
    pub(crate) failed: Option<io::Error>,
}

impl Batches {
    pub(crate) fn new(from: BufReader<Source>) -> Self {
        Batches { from, count: 0, is_done: false }
    }
}

impl Iterator for Batches {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        let mut batch = Batch { first: self.count + 1, text: Vec::new(), lines: Vec::new(), failed: None };
        while !self.is_done {
            match Lines::new(&mut self.from).next() {
                Ok(Some(line)) => {
                    let start = batch.text.len();
                    batch.lines.push(line.map(|line| {
                        batch.text.extend_from_slice(line);
                        start..batch.text.len()
                    }));
                }
                end => {
                    self.is_done = true;
                    batch.failed = end.err();
                }
            }
            // Lines that have not arrived yet go into another batch.
            if batch.text.len() >= BATCH || !self.from.buffer().contains(&b'\n') {
                break;
            }
        }
        self.count += batch.lines.len() as u64;
        let is_empty = batch.lines.is_empty() && batch.failed.is_none();
        (!is_empty).then_some(batch)
    }
}

impl Batch {
    /// The lines with their numbers. An error is the line's own.
    pub(crate) fn lines(&mut self) -> impl Iterator<Item = (u64, Result<&[u8], Failure>)> {
        let Batch { first, text, lines, .. } = self;
        let text: &[u8] = text;
        let line = move |place: Range<usize>| text.get(place).unwrap_or_default();
        (*first..).zip(std::mem::take(lines)).map(move |(number, place)| (number, place.map(line)))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

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
    fn a_batch_has_the_lines_that_have_come() {
        let (reader, mut writer) = io::pipe().unwrap();
        let mut batches = Batches::new(BufReader::new(Box::new(reader)));
        let mut told = |written: &str| {
            writer.write_all(written.as_bytes()).unwrap();
            let mut batch = batches.next().unwrap();
            batch.lines().map(|(number, line)| (number, line.unwrap().to_vec())).collect::<Vec<_>>()
        };
        assert_eq!(told("a\nb\r\nhal"), [(1, b"a".to_vec()), (2, b"b".to_vec())]);
        assert_eq!(told("f\n"), [(3, b"half".to_vec())]);
        drop(writer);
        assert!(batches.next().is_none());
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
