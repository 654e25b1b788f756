//! Module text as given, decoded, with a line index.

/// Longest text of all files together, in octets, after decoding. Compiling takes up to 100 octets of memory for each.
pub const MAX_TEXT: usize = 16 << 20;

/// The first file that goes beyond [`MAX_TEXT`], where there is one.
#[must_use]
pub fn beyond_limit(files: &[SourceText]) -> Option<usize> {
    let lengths = files.iter().scan(0usize, |sum, file| {
        *sum = sum.saturating_add(file.text.len());
        Some(*sum)
    });
    lengths.into_iter().position(|length| length > MAX_TEXT)
}

/// One file of module text, in whatever character encoding it came.
#[derive(Debug, Clone)]
pub struct Source {
    /// How diagnostics name the file (usually its path).
    pub name: String,
    /// The file's octets: UTF-8, UTF-16 with a byte order mark, or else Latin-1.
    pub bytes: Vec<u8>,
}

impl Source {
    /// A source called `name` with `bytes` as its content.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Source { name: name.into(), bytes: bytes.into() }
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
    line_starts: Vec<u32>,
}

impl SourceText {
    /// Decodes a file, and finds its lines.
    #[must_use]
    pub fn decode(source: &Source) -> Self {
        let text = decode_text(&source.bytes);
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
        SourceText { name: source.name.clone(), text, line_starts }
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

fn decode_text(bytes: &[u8]) -> String {
    if let Some(rest) = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]) {
        return utf8_or_latin1(rest);
    }
    if let Some(rest) = bytes.strip_prefix(&[0xff, 0xfe]) {
        return utf16(rest, u16::from_le_bytes);
    }
    if let Some(rest) = bytes.strip_prefix(&[0xfe, 0xff]) {
        return utf16(rest, u16::from_be_bytes);
    }
    utf8_or_latin1(bytes)
}

fn utf8_or_latin1(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|b| char::from(*b)).collect(),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&units)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> SourceText {
        SourceText::decode(&Source::new("t", bytes))
    }

    #[test]
    fn latin1_is_read_when_the_octets_are_not_utf8() {
        assert_eq!(text(b"caf\xe9").text, "caf\u{e9}");
        assert_eq!(text("caf\u{e9}".as_bytes()).text, "caf\u{e9}");
    }

    #[test]
    fn byte_order_marks_are_dropped() {
        assert_eq!(text(b"\xef\xbb\xbfA").text, "A");
        assert_eq!(text(b"\xff\xfeA\0").text, "A");
        assert_eq!(text(b"\xfe\xff\0A").text, "A");
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
