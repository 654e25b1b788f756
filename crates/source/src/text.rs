//! Module text as given, decoded, with a line index.

use crate::allow::Allow;
use crate::encoding::{Stray, decode};

/// Longest text of all files together, in octets, after decoding. Compiling takes up to 100 octets
/// of memory for each.
pub const MAX_TEXT: usize = 16 << 20;

/// The first file that exceeds [`MAX_TEXT`], if there is one.
#[must_use]
pub fn beyond_limit(files: &[SourceText]) -> Option<usize> {
    let lengths = files.iter().scan(0usize, |sum, file| {
        *sum = sum.saturating_add(file.text.len());
        Some(*sum)
    });
    lengths.into_iter().position(|length| length > MAX_TEXT)
}

/// One file of module text, in any supported character encoding.
#[derive(Debug, Clone)]
pub struct Source {
    /// How diagnostics name the file (usually its path).
    pub name: String,
    /// The file's octets: UTF-8, UTF-16 with a byte order mark, or else CP1252 (Latin-1 is a part
    /// of it).
    pub bytes: Vec<u8>,
    /// Deviations from the standard that are accepted in it, with a warning.
    pub allowed: Vec<Allow>,
}

impl Source {
    /// A source called `name` with `bytes` as its content.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Source { name: name.into(), bytes: bytes.into(), allowed: Vec::new() }
    }

    /// The source with these deviations from the standard accepted.
    #[must_use]
    pub fn allowing(mut self, allowed: &[Allow]) -> Self {
        self.allowed.extend_from_slice(allowed);
        self
    }
}

/// A range of characters in one file: byte offsets into [`SourceText::text`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Which file, in the order given.
    pub file: u32,
    /// The first octet.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

impl Span {
    /// From the start of `self` to the end of `other` (of the same file).
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start, end: other.end.max(self.end) }
    }
}

/// A decoded source.
#[derive(Debug)]
pub struct SourceText {
    /// How diagnostics name the file.
    pub name: String,
    /// Its text.
    pub text: String,
    allowed: Vec<Allow>,
    line_starts: Vec<u32>,
    stray: Option<Stray>,
}

impl SourceText {
    /// Decodes a file, and finds its lines.
    #[must_use]
    pub fn decode(source: &Source) -> Self {
        let (text, stray) = decode(&source.bytes);
        let mut line_starts = vec![0];
        let bytes = text.as_bytes();
        for (i, b) in bytes.iter().enumerate() {
            // X.680 §12.1.6: LF, VT, FF and CR end a line; CR LF is one end.
            let ends = match b {
                b'\n' | 0x0b | 0x0c => true,
                b'\r' => bytes.get(i + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends {
                line_starts.push(i as u32 + 1);
            }
        }
        SourceText { name: source.name.clone(), text, allowed: source.allowed.clone(), line_starts, stray }
    }

    /// Whether a deviation from the standard is accepted in the file.
    #[must_use]
    pub fn allows(&self, what: Allow) -> bool {
        self.allowed.contains(&what)
    }

    /// The warning for a file that is not in the encoding that it seems to have; `file` is its
    /// place in the order given.
    #[must_use]
    pub fn misread(&self, file: u32) -> Option<(Span, String)> {
        let Stray { octet, offset, wanted, read } = self.stray?;
        let start = offset as u32;
        let length = self.text.get(offset..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let message = format!("octet {octet} of the file, counted from 0, is not {wanted}: read as {read}");
        Some((Span { file, start, end: start + length as u32 }, message))
    }

    /// The text of `span`; empty when the span does not fit.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column, both from 1; the column counts characters.
    #[must_use]
    pub fn position(&self, offset: u32) -> (u32, u32) {
        let line = self.line_starts.partition_point(|s| *s <= offset).max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        let before = self.text.get(start as usize..offset as usize).unwrap_or_default();
        (line as u32, before.chars().count() as u32 + 1)
    }

    /// The text of line `line` (from 1) without its end.
    #[must_use]
    pub fn line(&self, line: u32) -> &str {
        let at = line.max(1) as usize - 1;
        let start = self.line_starts.get(at).copied().unwrap_or(0) as usize;
        let end = self.line_starts.get(at + 1).map_or(self.text.len(), |e| *e as usize);
        self.text.get(start..end).unwrap_or_default().trim_end_matches(['\n', '\r', '\x0b', '\x0c'])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> SourceText {
        SourceText::decode(&Source::new("t", bytes))
    }

    #[test]
    fn a_span_goes_to_the_end_of_another() {
        let span = |start, end| Span { file: 2, start, end };
        assert_eq!(span(3, 5).to(span(8, 9)), span(3, 9));
        assert_eq!(span(3, 9).to(span(4, 5)), span(3, 9), "one that it contains does not shorten it");
    }

    #[test]
    fn all_files_together_have_a_limit() {
        let half = "x".repeat(MAX_TEXT / 2);
        let files = |sizes: &[&str]| sizes.iter().map(|size| text(size.as_bytes())).collect::<Vec<_>>();
        assert_eq!(beyond_limit(&files(&[&half, &half])), None, "the limit itself is allowed");
        assert_eq!(beyond_limit(&files(&[&half, &half, "y", "z"])), Some(2));
        assert_eq!(beyond_limit(&[]), None);
    }

    #[test]
    fn a_file_that_is_not_utf8_is_warned_of_where_that_begins() {
        assert_eq!(text("caf\u{e9}".as_bytes()).misread(0), None);
        let (span, message) = text(b"\n\xe9 \xe9").misread(3).unwrap();
        assert_eq!(span, Span { file: 3, start: 1, end: 3 });
        assert_eq!(message, "octet 1 of the file, counted from 0, is not UTF-8: read as Latin-1");
    }

    #[test]
    fn every_end_of_line_counts_once() {
        let t = text(b"a\r\nb\rc\nd");
        assert_eq!(t.position(3), (2, 1));
        assert_eq!(t.position(5), (3, 1));
        assert_eq!(t.position(7), (4, 1));
        assert_eq!(t.line(1), "a");
        assert_eq!(t.line(4), "d");
    }
}
