//! Lines of a corpus file, plain or gzipped.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use serde::Deserialize;

use roadwire_peers::hex;

/// Lines longer than this are reported, not read.
const LONGEST: u64 = 1 << 20;

/// The messages of a file, line by line.
pub(super) struct Lines {
    input: Box<dyn BufRead>,
    number: u64,
}

/// The part of a JSON line that is used.
#[derive(Deserialize)]
struct Json {
    uper: Option<String>,
}

impl Lines {
    /// Opens a file; gzip is recognised by its first two octets (RFC 1952).
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut file = BufReader::new(File::open(path)?);
        let gzip = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let input: Box<dyn BufRead> =
            if gzip { Box::new(BufReader::new(MultiGzDecoder::new(file))) } else { Box::new(file) };
        Ok(Lines { input, number: 0 })
    }

    /// The next line that is not blank: its number, and the octets or why there are none.
    #[allow(clippy::type_complexity, reason = "read once, right here")]
    pub(super) fn next(&mut self) -> io::Result<Option<(u64, Result<Vec<u8>, String>)>> {
        loop {
            let mut line = Vec::new();
            let read = (&mut self.input).take(LONGEST).read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            if !line.ends_with(b"\n") && read as u64 == LONGEST {
                self.skip_line()?;
                return Ok(Some((self.number, Err("longer than 1 MiB".into()))));
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            if !text.is_empty() {
                return Ok(Some((self.number, octets(text))));
            }
        }
    }

    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Ok(());
            }
            let end = buffer.iter().position(|octet| *octet == b'\n');
            let used = end.map_or(buffer.len(), |at| at + 1);
            self.input.consume(used);
            if end.is_some() {
                return Ok(());
            }
        }
    }
}

fn octets(text: &str) -> Result<Vec<u8>, String> {
    let digits = if text.starts_with('{') {
        serde_json::from_str::<Json>(text).map_err(|e| format!("not JSON: {e}"))?.uper.ok_or("no \"uper\" field")?
    } else {
        text.to_string()
    };
    hex::decode(&digits).ok_or_else(|| "not pairs of hex digits".into())
}
