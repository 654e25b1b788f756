//! Faults of octets or text that no encoder writes. Each fault is defined once, with a code that
//! never changes.
//!
//! A code's first part is the family of encoding rules; [`shared`] has the faults of several
//! families. The faults of JSON have the codes that JER has always had: there, several faults may
//! share a code. `docs/errors.md` lists all codes with an example.

use core::fmt;

macro_rules! faults {
    ($($(#[$doc:meta])+ $name:ident = $code:literal, $text:literal;)+) => {
        $($(#[$doc])+ pub const $name: $crate::Fault = $crate::faults::Fault(&$crate::faults::Entry::new($code, $text));)+

        /// All of them.
        pub const ALL: &[$crate::Fault] = &[$($name),+];
    };
}

pub mod cbor;
pub mod events;
pub mod fields;
pub mod json;
pub mod octet;
pub mod packed;
pub mod shared;
pub mod tlv;
pub mod vectors;
pub mod xml;

/// The faults of each family.
pub const FAMILIES: [&[Fault]; 10] = [
    shared::ALL,
    packed::ALL,
    octet::ALL,
    tlv::ALL,
    fields::ALL,
    events::ALL,
    xml::ALL,
    json::ALL,
    vectors::ALL,
    cbor::ALL,
];

/// A fault: one of the constants of [`faults`](self). It takes one word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fault(&'static Entry);

#[derive(PartialEq, Eq)]
struct Entry {
    code: &'static str,
    text: &'static str,
    is_complete: bool,
}

impl Entry {
    /// Searches the text while compiling: a search at run time is 1.8 kB of a processor's flash.
    const fn new(code: &'static str, text: &'static str) -> Self {
        let is_complete = !is_within(b"expected", text.as_bytes(), 0) || contains(b", found ", text.as_bytes());
        Self { code, text, is_complete }
    }
}

const fn contains(word: &[u8], text: &[u8]) -> bool {
    let mut at = 0;
    while at + word.len() <= text.len() {
        if is_within(word, text, at) {
            return true;
        }
        at += 1;
    }
    false
}

/// Whether `text` has `word` from octet `at` on.
const fn is_within(word: &[u8], text: &[u8], at: usize) -> bool {
    let mut index = 0;
    while index < word.len() && at + index < text.len() && text[at + index] == word[index] {
        index += 1;
    }
    index == word.len()
}

impl Fault {
    /// Its identity, such as `tlv.tag.other`: stable.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.0.code
    }

    /// The fault in words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        self.0.text
    }

    /// Whether the text is complete: nothing about the octets found is added to it.
    #[must_use]
    pub const fn is_complete(self) -> bool {
        self.0.is_complete
    }

    /// Whether one of our limits is exceeded: the code has the part `limit`.
    pub(crate) fn is_limit(self) -> bool {
        self.code().split('.').any(|part| part == "limit")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fault({})", self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::{BTreeMap, BTreeSet};

    #[test]
    fn a_fault_takes_one_word() {
        assert_eq!(size_of::<Fault>(), size_of::<usize>());
        assert_eq!(size_of::<Option<Fault>>(), size_of::<usize>());
    }

    #[test]
    fn a_text_is_complete_without_what_was_found() {
        for fault in FAMILIES.iter().copied().flatten() {
            let expected = !fault.text().starts_with("expected") || fault.text().contains(", found ");
            assert_eq!(fault.is_complete(), expected, "{fault:?}");
        }
    }

    #[test]
    fn each_fault_is_declared_once() {
        let mut texts = BTreeMap::new();
        for fault in FAMILIES.iter().copied().flatten() {
            // The thing found follows these words, and the code says where.
            if fault.text().starts_with("unexpected ") {
                continue;
            }
            let before = texts.insert(fault.text(), fault.code());
            assert!(before.is_none(), "{fault:?} has the text of {before:?}");
        }
    }

    #[test]
    fn a_code_tells_its_fault() {
        let mut codes = BTreeSet::new();
        for fault in FAMILIES.iter().copied().flatten() {
            let is_new = codes.insert(fault.code());
            // Of a CHOICE, OER has a tag, and the presentation language a number.
            let may_be_there = json::ALL.contains(fault) || *fault == shared::CHOICE_NUMBER;
            assert!(is_new || may_be_there, "{fault:?} is there twice");
            let is_plain = |octet: u8| octet.is_ascii_lowercase() || octet.is_ascii_digit() || b".-".contains(&octet);
            assert!(fault.code().contains('.') && fault.code().bytes().all(is_plain), "{fault:?}");
        }
    }

    #[test]
    fn codes_begin_with_their_family() {
        for (family, name) in [
            (packed::ALL, "packed."),
            (octet::ALL, "octet."),
            (tlv::ALL, "tlv."),
            (fields::ALL, "fields."),
            (events::ALL, "events."),
            (xml::ALL, "xml."),
            (vectors::ALL, "vectors."),
            (cbor::ALL, "cbor."),
        ] {
            assert!(family.iter().all(|fault| fault.code().starts_with(name)), "{name}");
        }
    }
}
