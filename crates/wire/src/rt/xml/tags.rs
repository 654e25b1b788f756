//! Tags with their attributes, and the text before the first one.

use super::scan::{cut_or, misc, name, space, starts};
use super::text::Characters;
use super::{Fault, What};
use crate::faults::xml as faults;

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

/// Skips everything before the document element: a byte order mark, the XML declaration, comments
/// and processing instructions.
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
            return Err(Fault::malformed(found.name, faults::DECLARATION_VERSION));
        }
        version |= place == 1;
        last = place;
        at = found.value_end + 1;
    }
    at = space(octets, at);
    if !version || !starts(octets, at, b"?>") {
        return Err(cut_or(octets, at, b"?>", faults::DECLARATION));
    }
    Ok(at + 2)
}

/// Reads an attribute after its white space; `None` after the last attribute.
///
/// # Errors
/// It is not well-formed.
#[inline]
pub fn attribute(octets: &[u8], at: usize) -> Result<Option<Attribute>, Fault> {
    let start = space(octets, at);
    match octets.get(start) {
        Some(b'>' | b'/' | b'?') => return Ok(None),
        None => return Err(Fault::truncated(start)),
        Some(_) if start == at => return Err(Fault::malformed(at, faults::ATTRIBUTE_SPACE)),
        Some(_) => {}
    }
    let (_, name_end) = name(octets, start)?;
    let equals = space(octets, name_end);
    if octets.get(equals) != Some(&b'=') {
        return Err(cut_or(octets, equals, b"=", faults::ATTRIBUTE_VALUE));
    }
    let quoted = space(octets, equals + 1);
    let Some(quote @ (b'"' | b'\'')) = octets.get(quoted).copied() else {
        return Err(cut_or(octets, quoted, b"\"", faults::ATTRIBUTE_QUOTES));
    };
    let mut characters = Characters::of_attribute(octets, quoted + 1, quote);
    while characters.read()?.is_some() {}
    Ok(Some(Attribute { name: start, name_end, value: quoted + 1, value_end: characters.position() }))
}

/// Ends a start tag after its name and attributes; returns where it ends, and whether it is the tag
/// of an empty element.
///
/// # Errors
/// Something else comes next.
#[inline]
pub fn end_of_tag(octets: &[u8], at: usize) -> Result<(usize, bool), Fault> {
    let at = space(octets, at);
    match octets.get(at..).unwrap_or_default() {
        [b'>', ..] => Ok((at + 1, false)),
        [b'/', b'>', ..] => Ok((at + 2, true)),
        [] | [b'/'] => Err(Fault::truncated(octets.len())),
        _ => Err(Fault::malformed(at, faults::TAG)),
    }
}

/// Reads `</name>`, white space before the `>` included: the name, and where the tag ends.
///
/// # Errors
/// Something else comes next.
#[inline]
pub fn end_tag(octets: &[u8], at: usize) -> Result<(&[u8], usize), Fault> {
    if !starts(octets, at, b"</") {
        return Err(cut_or(octets, at, b"</", faults::END_TAG_NONE));
    }
    let (name, end) = name(octets, at + 2)?;
    let end = space(octets, end);
    match octets.get(end) {
        Some(b'>') => Ok((name, end + 1)),
        Some(_) => Err(Fault::malformed(end, faults::END_TAG)),
        None => Err(Fault::truncated(end)),
    }
}

/// The deepest nesting of an element that is skipped.
const DEEPEST: usize = 100;

/// Skips the element that begins at `start`, and returns where it ends.
///
/// # Errors
/// It is not well-formed, or nests deeper than 100 levels.
pub fn element(octets: &[u8], start: usize) -> Result<usize, Fault> {
    // Where the names of the open elements begin and end.
    let mut open = [(0usize, 0usize); DEEPEST];
    let (mut depth, mut at) = (0usize, start);
    loop {
        if starts(octets, at, b"</") {
            let (name, end) = end_tag(octets, at)?;
            let outer = depth.checked_sub(1).and_then(|outer| open.get(outer)).copied();
            if outer.and_then(|(from, to)| octets.get(from..to)) != Some(name) {
                return Err(Fault::malformed(at, faults::END_TAG_OTHER));
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
            return Err(cut_or(octets, at, b"<", faults::ELEMENT_NONE));
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
            return Err(Fault::malformed(found.name, faults::ATTRIBUTE_REPEATED));
        }
        at = found.value_end + 1;
    }
    Ok(at)
}

/// The most attributes of a tag.
const MOST_ATTRIBUTES: usize = 200;

/// Whether an attribute from `start` on, before this one, has the same name.
///
/// # Errors
/// There are more than 200 of them: comparing each with the others would take too long.
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
    Err(Fault::malformed(this.name, faults::LIMIT_ATTRIBUTES))
}
