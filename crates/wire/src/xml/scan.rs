//! Tags, and what may stand between them.

use super::text::{Characters, decode, is_character};
use super::{Fault, What};

/// An attribute, by offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name begins here,
    pub name: usize,
    /// and ends here.
    pub name_end: usize,
    /// Its value begins here, after the quote.
    pub value: usize,
    /// The closing quote.
    pub value_end: usize,
}

/// Whether these octets stand at `at`.
#[inline]
pub(super) fn starts(octets: &[u8], at: usize, with: &[u8]) -> bool {
    octets.get(at..).is_some_and(|rest| rest.starts_with(with))
}

/// Skips white space.
#[inline]
#[must_use]
pub fn space(octets: &[u8], at: usize) -> usize {
    let rest = octets.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|octet| matches!(octet, b' ' | b'\t' | b'\n' | b'\r')).count()
}

/// Skips white space, comments and processing instructions.
///
/// # Errors
/// One of them is not well-formed; a document type declaration; a CDATA section.
#[inline]
pub fn misc(octets: &[u8], at: usize) -> Result<usize, Fault> {
    let mut at = space(octets, at);
    while let [b'<', b'!' | b'?', ..] = octets.get(at..).unwrap_or_default() {
        at = space(octets, comment_or_instruction(octets, at)?);
    }
    Ok(at)
}

/// Skips what is in front of the document element: a byte order mark, the XML declaration, comments and processing instructions.
///
/// # Errors
/// As [`misc`]; a declaration of another version or character encoding.
pub fn prolog(octets: &[u8]) -> Result<usize, Fault> {
    let mut at = if starts(octets, 0, b"\xef\xbb\xbf") { 3 } else { 0 };
    if starts(octets, at, b"<?xml") && matches!(octets.get(at + 5), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at = declaration(octets, at)?;
    }
    misc(octets, at)
}

/// XML 1.0 §2.8. The text is UTF-8 (X.693 §8.1.3).
fn declaration(octets: &[u8], start: usize) -> Result<usize, Fault> {
    let mut at = start + 5;
    let (mut version, mut last) = (false, 0);
    while let Some(found) = attribute(octets, at)? {
        let text = |from, to| octets.get(from..to).unwrap_or_default();
        let value = text(found.value, found.value_end);
        let (place, is_right) = match text(found.name, found.name_end) {
            b"version" => (1, value == b"1.0"),
            b"encoding" => (2, value.eq_ignore_ascii_case(b"utf-8")),
            b"standalone" => (3, value == b"yes" || value == b"no"),
            _ => (0, false),
        };
        if place <= last || !is_right {
            return Err(Fault::malformed(found.name, "an XML declaration other than of version 1.0 in UTF-8"));
        }
        version |= place == 1;
        last = place;
        at = found.value_end + 1;
    }
    at = space(octets, at);
    if !version || !starts(octets, at, b"?>") {
        return Err(cut_or(octets, at, b"?>", "an XML declaration that is not well-formed"));
    }
    Ok(at + 2)
}

/// Skips a comment or a processing instruction.
pub(super) fn comment_or_instruction(octets: &[u8], start: usize) -> Result<usize, Fault> {
    if starts(octets, start, b"<!--") {
        let end = find(octets, start + 4, b"--")?;
        return match octets.get(end + 2) {
            Some(b'>') => Ok(end + 3),
            Some(_) => Err(Fault::malformed(end, "two hyphens in a comment")),
            None => Err(Fault::truncated(end)),
        };
    }
    if starts(octets, start, b"<?") {
        let (name, after) = name(octets, start + 2)?;
        if name.eq_ignore_ascii_case(b"xml") {
            return Err(Fault::malformed(start, "an XML declaration in the middle"));
        }
        if starts(octets, after, b"?>") {
            return Ok(after + 2);
        }
        if space(octets, after) == after {
            return Err(cut_or(octets, after, b"?>", "a processing instruction that is not well-formed"));
        }
        return Ok(find(octets, after, b"?>")? + 2);
    }
    let what = if starts(octets, start, b"<!DOCTYPE") {
        "a document type declaration, which encoding rules do not use"
    } else if starts(octets, start, b"<![CDATA[") {
        "text where there is none"
    } else {
        "a declaration, which encoding rules do not use"
    };
    Err(cut_or(octets, start, b"<!DOCTYPE", what))
}

/// Where `end` is; all in front of it are characters that XML allows.
fn find(octets: &[u8], from: usize, end: &[u8]) -> Result<usize, Fault> {
    let rest = octets.get(from..).unwrap_or_default();
    let length = rest.windows(end.len()).position(|window| window == end).ok_or(Fault::truncated(octets.len()))?;
    let text = rest.get(..length).unwrap_or_default();
    match core::str::from_utf8(text) {
        Ok(text) => match text.char_indices().find(|(_, character)| !is_character(*character)) {
            None => Ok(from + length),
            Some((at, _)) => Err(Fault::malformed(from + at, "a character that XML does not allow")),
        },
        Err(error) => Err(Fault::malformed(from + error.valid_up_to(), "not UTF-8")),
    }
}

/// The input ends inside what may yet become `wanted`, or it is wrong.
fn cut_or(octets: &[u8], at: usize, wanted: &[u8], what: &'static str) -> Fault {
    let rest = octets.get(at..).unwrap_or_default();
    if wanted.starts_with(rest) && rest.len() < wanted.len() {
        Fault::truncated(octets.len())
    } else {
        Fault::malformed(at, what)
    }
}

/// Reads a name (XML 1.0 §2.3), and tells where it ends.
///
/// # Errors
/// There is none.
#[inline]
pub fn name(octets: &[u8], start: usize) -> Result<(&[u8], usize), Fault> {
    let rest = octets.get(start..).unwrap_or_default();
    let plain = rest
        .iter()
        .take_while(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b'-' | b'.' | b':'))
        .count();
    let mut end = start + plain;
    while octets.get(end).is_some_and(|octet| !octet.is_ascii()) {
        end = beyond_ascii(octets, end)?;
    }
    match octets.get(start) {
        None => Err(Fault::truncated(start)),
        Some(b'-' | b'.' | b'0'..=b'9') => Err(Fault::malformed(start, "no name, where there should be one")),
        Some(_) if end == start => Err(Fault::malformed(start, "no name, where there should be one")),
        // Only what an ASN.1 identifier has cannot be taken further by octets that are not there yet.
        Some(_) if end == octets.len() => Err(Fault::truncated(end)),
        Some(_) => Ok((octets.get(start..end).unwrap_or_default(), end)),
    }
}

/// Skips a name's character beyond ASCII, and the ASCII ones behind it.
#[cold]
fn beyond_ascii(octets: &[u8], at: usize) -> Result<usize, Fault> {
    let (character, next) = decode(octets, at)?;
    let allowed = matches!(character,
        '\u{b7}' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{37d}' | '\u{37f}'..='\u{1fff}'
        | '\u{200c}'..='\u{200d}' | '\u{203f}'..='\u{2040}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}'
        | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}');
    if !allowed {
        return Err(Fault::malformed(at, "a character that names do not have"));
    }
    let rest = octets.get(next..).unwrap_or_default();
    let plain = rest
        .iter()
        .take_while(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b'-' | b'.' | b':'))
        .count();
    Ok(next + plain)
}

/// Reads an attribute with the white space in front of it; `None` where the tag's attributes end.
///
/// # Errors
/// It is not well-formed.
#[inline]
pub fn attribute(octets: &[u8], at: usize) -> Result<Option<Attribute>, Fault> {
    let start = space(octets, at);
    match octets.get(start) {
        Some(b'>' | b'/' | b'?') => return Ok(None),
        None => return Err(Fault::truncated(start)),
        Some(_) if start == at => return Err(Fault::malformed(at, "no white space in front of an attribute")),
        Some(_) => {}
    }
    let (_, name_end) = name(octets, start)?;
    let equals = space(octets, name_end);
    if octets.get(equals) != Some(&b'=') {
        return Err(cut_or(octets, equals, b"=", "an attribute without a value"));
    }
    let quoted = space(octets, equals + 1);
    let Some(quote @ (b'"' | b'\'')) = octets.get(quoted).copied() else {
        return Err(cut_or(octets, quoted, b"\"", "an attribute's value without quotes"));
    };
    let mut characters = Characters::of_attribute(octets, quoted + 1, quote);
    while characters.read()?.is_some() {}
    Ok(Some(Attribute { name: start, name_end, value: quoted + 1, value_end: characters.position() }))
}

/// Ends a start tag, after its name and attributes: where it ends, and whether it is the tag of an empty element.
///
/// # Errors
/// Something else is there.
#[inline]
pub fn end_of_tag(octets: &[u8], at: usize) -> Result<(usize, bool), Fault> {
    let at = space(octets, at);
    match octets.get(at..).unwrap_or_default() {
        [b'>', ..] => Ok((at + 1, false)),
        [b'/', b'>', ..] => Ok((at + 2, true)),
        [] | [b'/'] => Err(Fault::truncated(octets.len())),
        _ => Err(Fault::malformed(at, "a tag that is not well-formed")),
    }
}

/// Reads `</name>`, white space in front of the `>` included: the name, and where the tag ends.
///
/// # Errors
/// Something else is there.
#[inline]
pub fn end_tag(octets: &[u8], at: usize) -> Result<(&[u8], usize), Fault> {
    if !starts(octets, at, b"</") {
        return Err(cut_or(octets, at, b"</", "no end tag, where there should be one"));
    }
    let (name, end) = name(octets, at + 2)?;
    let end = space(octets, end);
    match octets.get(end) {
        Some(b'>') => Ok((name, end + 1)),
        Some(_) => Err(Fault::malformed(end, "an end tag that is not well-formed")),
        None => Err(Fault::truncated(end)),
    }
}

/// Deeper than this no element is skipped.
const DEEPEST: usize = 100;

/// Skips a whole element that begins at `start`, and tells where it ends.
///
/// # Errors
/// It is not well-formed, or nests deeper than 100 levels.
pub fn element(octets: &[u8], start: usize) -> Result<usize, Fault> {
    // Where the names of the elements that are open begin and end.
    let mut open = [(0usize, 0usize); DEEPEST];
    let (mut depth, mut at) = (0usize, start);
    loop {
        if starts(octets, at, b"</") {
            let (name, end) = end_tag(octets, at)?;
            let outer = depth.checked_sub(1).and_then(|outer| open.get(outer)).copied();
            if outer.and_then(|(from, to)| octets.get(from..to)) != Some(name) {
                return Err(Fault::malformed(at, "an end tag of another element"));
            }
            depth -= 1;
            at = end;
        } else if starts(octets, at, b"<") {
            let (_, name_end) = name(octets, at + 1)?;
            let after = attributes(octets, name_end)?;
            let (end, empty) = end_of_tag(octets, after)?;
            if !empty {
                let place = open.get_mut(depth).ok_or(Fault { at, what: What::TooDeep })?;
                *place = (at + 1, name_end);
                depth += 1;
            }
            at = end;
        } else {
            return Err(cut_or(octets, at, b"<", "no element, where there should be one"));
        }
        if depth == 0 {
            return Ok(at);
        }
        let mut characters = Characters::of_text(octets, at);
        while characters.read()?.is_some() {}
        at = characters.position();
    }
}

/// Skips a tag's attributes, none of which may be there twice (XML 1.0 §3.1).
fn attributes(octets: &[u8], start: usize) -> Result<usize, Fault> {
    let mut at = start;
    while let Some(found) = attribute(octets, at)? {
        if is_repeated(octets, start, &found)? {
            return Err(Fault::malformed(found.name, "an attribute that has been there before"));
        }
        at = found.value_end + 1;
    }
    Ok(at)
}

/// More attributes than any tag has.
const MOST_ATTRIBUTES: usize = 200;

/// Whether one of the attributes from `start` on that are in front of this one has its name.
///
/// # Errors
/// There are more than 200 of them: looking for each among the others would take too long.
pub fn is_repeated(octets: &[u8], start: usize, this: &Attribute) -> Result<bool, Fault> {
    let name = octets.get(this.name..this.name_end);
    let mut at = start;
    for _ in 0..MOST_ATTRIBUTES {
        match attribute(octets, at)? {
            Some(other) if other.name < this.name => {
                if octets.get(other.name..other.name_end) == name {
                    return Ok(true);
                }
                at = other.value_end + 1;
            }
            _ => return Ok(false),
        }
    }
    Err(Fault::malformed(this.name, "more attributes than an element may have"))
}
