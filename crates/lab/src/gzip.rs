//! Lengths after gzip, for encodings that are often compressed.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// The level: the most that gzip does.
const LEVEL: u32 = 9;

/// The note on lengths after gzip.
pub(crate) const NOTE: &str = "gzip: level 9 of flate2 (miniz), with its header and trailer of 18 octets, each message by itself; another implementation of gzip may need some octets less.";

/// How many octets a message has after gzip at level 9, with its header of 10 octets and its
/// trailer of 8 (RFC 1952).
pub(crate) fn length(octets: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(LEVEL));
    let written = encoder.write_all(octets).and_then(|()| encoder.finish());
    written.expect("writing to memory does not fail").len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_has_18_octets_around_what_it_compresses() {
        // An empty message is one empty block of fixed codes: two octets.
        assert_eq!(length(&[]), 18 + 2);
        // Octets that do not repeat become longer, those that repeat shorter.
        let different: Vec<u8> = (0..=255).collect();
        assert!(length(&different) > 256 + 18 && length(&[0; 256]) < 18 + 16);
    }
}
