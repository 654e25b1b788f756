//! From the octets of a file to characters: UTF-8, UTF-16 with a byte order mark, or else CP1252,
//! of which Latin-1 is a part.

/// The first octet of a file that is not in the encoding which the file seems to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stray {
    /// The octet's place in the file, from 0.
    pub(crate) octet: usize,
    /// The place of its character in the text.
    pub(crate) offset: usize,
    /// The encoding that it is not.
    pub(crate) wanted: &'static str,
    /// How the file was read for all that.
    pub(crate) read: &'static str,
}

/// The text of a file, without its byte order mark, and where its encoding is not the one that it
/// seems to have.
pub(crate) fn decode(bytes: &[u8]) -> (String, Option<Stray>) {
    if let Some(rest) = bytes.strip_prefix(&[0xff, 0xfe]) {
        return utf16(rest, u16::from_le_bytes);
    }
    if let Some(rest) = bytes.strip_prefix(&[0xfe, 0xff]) {
        return utf16(rest, u16::from_be_bytes);
    }
    let rest = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    let at = match std::str::from_utf8(rest) {
        Ok(text) => return (text.to_owned(), None),
        Err(error) => error.valid_up_to(),
    };
    // The characters that CP1252 has beyond Latin-1 take the place of control characters, which no
    // module means.
    let read = if rest.iter().any(|octet| (0x80..0xa0).contains(octet)) { "CP1252" } else { "Latin-1" };
    let before = rest.iter().take(at).map(|octet| cp1252(*octet).len_utf8()).sum();
    let stray = Stray { octet: bytes.len() - rest.len() + at, offset: before, wanted: "UTF-8", read };
    (rest.iter().map(|octet| cp1252(*octet)).collect(), Some(stray))
}

/// The character of an octet; five that CP1252 leaves open are those of Latin-1.
fn cp1252(octet: u8) -> char {
    const FROM_0X80: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    let beyond = octet.checked_sub(0x80).and_then(|at| FROM_0X80.get(usize::from(at)));
    beyond.copied().unwrap_or(char::from(octet))
}

/// `bytes` follow a byte order mark of two octets.
fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> (String, Option<Stray>) {
    let pairs = bytes.chunks_exact(2);
    let odd = pairs.remainder();
    let (mut text, mut octet, mut stray) = (String::new(), 2, None);
    let bad = |octet, offset| Stray { octet, offset, wanted: "UTF-16", read: "UTF-16 with U+FFFD in its place" };
    for read in char::decode_utf16(pairs.map(|pair| unit([pair[0], pair[1]]))) {
        if read.is_err() {
            stray = stray.or(Some(bad(octet, text.len())));
        }
        let c = read.unwrap_or(char::REPLACEMENT_CHARACTER);
        octet += 2 * c.len_utf16();
        text.push(c);
    }
    if !odd.is_empty() {
        stray = stray.or(Some(bad(octet, text.len())));
        text.push(char::REPLACEMENT_CHARACTER);
    }
    (text, stray)
}

#[cfg(test)]
mod tests {
    use super::decode;

    /// The text, and where it was read in which encoding.
    fn read(bytes: &[u8]) -> (String, Option<(usize, usize, &'static str)>) {
        let (text, stray) = decode(bytes);
        (text, stray.map(|stray| (stray.octet, stray.offset, stray.read)))
    }

    #[test]
    fn utf8_is_read_with_and_without_a_byte_order_mark() {
        assert_eq!(read("caf\u{e9} €".as_bytes()), ("caf\u{e9} €".into(), None));
        assert_eq!(read(b"\xef\xbb\xbfA"), ("A".into(), None));
        assert_eq!(read(b""), (String::new(), None));
        assert_eq!(read(b"\xef\xbb\xbf"), (String::new(), None));
    }

    #[test]
    fn octets_that_are_not_utf8_are_latin1_or_cp1252() {
        assert_eq!(read(b"caf\xe9"), ("caf\u{e9}".into(), Some((3, 3, "Latin-1"))));
        assert_eq!(read(b"a\x93b\x94\x81\xff"), ("a“b”\u{81}ÿ".into(), Some((1, 1, "CP1252"))));
        assert_eq!(read(b"\xef\xbb\xbfA\xe9"), ("A\u{e9}".into(), Some((4, 1, "Latin-1"))));
        // UTF-8 before such an octet is read as the rest is.
        assert_eq!(read(b"\xe2\x82\xac\xe9"), ("â‚¬é".into(), Some((3, 7, "CP1252"))));
    }

    #[test]
    fn utf16_is_read_with_a_byte_order_mark() {
        assert_eq!(read(b"\xff\xfeA\0"), ("A".into(), None));
        assert_eq!(read(b"\xfe\xff\0A\xd8\x3d\xde\0"), ("A\u{1f600}".into(), None));
        assert_eq!(read(b"\xfe\xff"), (String::new(), None));
    }

    #[test]
    fn half_characters_of_utf16_are_replaced() {
        let replaced = "UTF-16 with U+FFFD in its place";
        assert_eq!(read(b"\xfe\xff\0A\xd8\x3d\0B"), ("A\u{fffd}B".into(), Some((4, 1, replaced))));
        assert_eq!(read(b"\xff\xfeA\0B"), ("A\u{fffd}".into(), Some((4, 1, replaced))));
        assert_eq!(read(b"\xfe\xff\xd8\x3d\xde\0\xde\0"), ("\u{1f600}\u{fffd}".into(), Some((6, 4, replaced))));
    }
}
