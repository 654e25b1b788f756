//! Characters that must be escaped.

/// The empty elements that stand for control characters (X.680 §12.15.5, Table 3): all below U+0020
/// but tab, line feed and carriage return.
const CONTROLS: [&str; 32] = [
    "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "", "", "vt", "ff", "", "so", "si", "dle", "dc1",
    "dc2", "dc3", "dc4", "nak", "syn", "etb", "can", "em", "sub", "esc", "is4", "is3", "is2", "is1",
];

/// The name of the empty element that stands for a control character.
#[must_use]
pub fn control_element(character: char) -> Option<&'static str> {
    CONTROLS.get(u32::from(character) as usize).copied().filter(|name| !name.is_empty())
}

/// The control character that the empty element with this name stands for.
#[must_use]
pub fn control_character(name: &[u8]) -> Option<char> {
    let place = CONTROLS.iter().position(|one| !name.is_empty() && one.as_bytes() == name)?;
    u8::try_from(place).ok().map(char::from)
}

/// The reference that is written for a character in text; `None` for the character itself. Ends of
/// lines have one (X.680 §12.15.8), so that a value is on one line, and readers of XML, which turn
/// a carriage return into a line feed (XML 1.0 §2.11), keep it.
#[must_use]
pub const fn reference(character: char) -> Option<&'static str> {
    match character {
        '\n' => Some("&#10;"),
        '\r' => Some("&#13;"),
        _ => canonical_reference(character),
    }
}

/// As [`reference`], in canonical XER, which has no references by number (X.693 §9).
#[must_use]
pub const fn canonical_reference(character: char) -> Option<&'static str> {
    match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        _ => None,
    }
}
