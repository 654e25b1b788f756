//! gzip (RFC 1952): one or more members. Zeros may follow the last one, as on tapes and block
//! devices; `gzip -d` accepts them as well.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;

/// The octets of all members.
pub(super) struct Zipped<R> {
    /// Nothing where the input has ended.
    member: Option<GzDecoder<BufReader<R>>>,
}

impl<R: Read> Zipped<R> {
    pub(super) fn new(source: R) -> Self {
        Zipped { member: Some(GzDecoder::new(BufReader::new(source))) }
    }
}

impl<R: Read> Read for Zipped<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let octets = member.read(into)?;
            if octets > 0 || into.is_empty() {
                return Ok(octets);
            }
            if let Some(member) = self.member.take() {
                self.member = next(member.into_inner())?;
            }
        }
        Ok(0)
    }
}

/// The next member; nothing if only zeros follow.
fn next<R: Read>(mut source: BufReader<R>) -> io::Result<Option<GzDecoder<BufReader<R>>>> {
    let mut zeros = false;
    loop {
        let octets = match source.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            octets => octets?,
        };
        let Some(first) = octets.iter().position(|octet| *octet != 0) else {
            let all = octets.len();
            if all == 0 {
                return Ok(None);
            }
            source.consume(all);
            zeros = true;
            continue;
        };
        if zeros || first > 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "octets follow the zeros after a gzip member"));
        }
        return Ok(Some(GzDecoder::new(source)));
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn member(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).expect("memory");
        encoder.finish().expect("memory")
    }

    /// Gives one octet at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let most = into.len().min(1);
            self.0.read(&mut into[..most])
        }
    }

    /// The text and the error at its end, which do not depend on how many octets come at once.
    fn read(octets: &[u8]) -> (Vec<u8>, Option<io::ErrorKind>) {
        fn of(source: impl Read) -> (Vec<u8>, Option<io::ErrorKind>) {
            let mut text = Vec::new();
            let end = Zipped::new(source).read_to_end(&mut text).err().map(|error| error.kind());
            (text, end)
        }
        let found = of(octets);
        assert_eq!(of(Slow(octets)), found);
        found
    }

    #[test]
    fn members_are_one_text_and_zeros_may_follow_the_last_one() {
        let two = [member(b"one, "), member(b""), member(b"two")].concat();
        let padded = [&two[..], &[0; 20_000]].concat();
        assert_eq!(read(&two), (b"one, two".to_vec(), None));
        assert_eq!(read(&padded), (b"one, two".to_vec(), None));
    }

    #[test]
    fn other_octets_after_a_member_are_refused() {
        let one = member(b"one");
        for after in [
            &b"\0\0x"[..],
            &[&[0; 20_000][..], b"x"].concat(),
            b"text, and no member at all",
            &[&b"\0"[..], &one].concat(),
        ] {
            let (text, end) = read(&[&one, after].concat());
            assert_eq!(text, b"one");
            assert!(matches!(end, Some(io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput)), "{end:?}");
        }
        assert_eq!(read(&one[..one.len() - 1]), (b"one".to_vec(), Some(io::ErrorKind::UnexpectedEof)));
    }
}
