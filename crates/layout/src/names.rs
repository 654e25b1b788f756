//! The pool of names. In JSON and XML, each is stored with the characters around it in the
//! encoding, so that an encoder copies all of them at once.

#[cfg(feature = "lower")]
use std::collections::HashMap;

use roadwire_wire::Step;

use crate::{Cow, Layout, Name};

/// The characters before and after a name of JSON, for `,"name":`.
const JSON_AROUND: (&str, &str) = (",\"", "\":");
/// The characters before and after a name of XML, for `</name>`.
const XML_AROUND: (&str, &str) = ("</", ">");

/// Names while a layout is built.
#[cfg(feature = "lower")]
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) text: String,
    known: HashMap<String, Name>,
    /// The characters before and after each.
    around: (&'static str, &'static str),
}

#[cfg(feature = "lower")]
impl Names {
    /// Names of JSON. They are identifiers (X.680 §12.3), without characters that JSON escapes.
    pub(crate) fn of_json() -> Self {
        Names { around: JSON_AROUND, ..Names::default() }
    }

    /// Names of XML.
    pub(crate) fn of_xml() -> Self {
        Names { around: XML_AROUND, ..Names::default() }
    }

    /// The place of a name, which is stored unless it was before.
    pub(crate) fn place(&mut self, name: &str) -> Name {
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        let index = |length: usize| u32::try_from(length).expect("fewer than 2^32 octets");
        let (before, after) = self.around;
        self.text.push_str(before);
        let place = Name::at(index(self.text.len()), index(name.len()));
        self.text.push_str(name);
        self.text.push_str(after);
        self.known.insert(name.to_owned(), place);
        place
    }
}

impl Layout {
    /// All names of a constant layout: none without the feature `names`.
    #[inline]
    #[must_use]
    pub const fn all_names(names: &'static str) -> Cow<'static, str> {
        Cow::Borrowed(if cfg!(feature = "names") { names } else { "" })
    }

    /// The step of a path to a component or an alternative: its name, or its number without the
    /// feature `names`.
    #[inline]
    #[must_use]
    pub fn step(&self, name: Name, number: u32) -> Step<'_> {
        if cfg!(feature = "names") { Step::Name(self.name(name)) } else { Step::Index(number) }
    }
}

/// Names as an encoder writes them. (Of a layout of another family, the octets are others.)
impl Layout {
    /// A name of JSON as a string: `"name"`.
    #[inline]
    #[must_use]
    pub fn json_string(&self, name: Name) -> &[u8] {
        self.around(name, 1, 1)
    }

    /// A name of JSON before a member's value: `,"name":`, without the comma if the member is the
    /// object's first.
    #[inline]
    #[must_use]
    pub fn json_name(&self, name: Name, is_first: bool) -> &[u8] {
        self.around(name, JSON_AROUND.0.len() - usize::from(is_first), JSON_AROUND.1.len())
    }

    /// The end tag with a name of XML: `</name>`.
    #[inline]
    #[must_use]
    pub fn xml_end_tag(&self, name: Name) -> &[u8] {
        self.around(name, XML_AROUND.0.len(), XML_AROUND.1.len())
    }

    #[inline]
    fn around(&self, name: Name, before: usize, after: usize) -> &[u8] {
        let name = name.range();
        let range = name.start.saturating_sub(before)..name.end.saturating_add(after);
        self.names.as_bytes().get(range).unwrap_or_default()
    }
}

#[cfg(all(test, feature = "lower"))]
mod tests {
    use super::*;

    #[test]
    fn names_are_stored_once_with_the_characters_around_them() {
        for (mut names, text) in [(Names::of_json(), ",\"a\":,\"bc\":"), (Names::of_xml(), "</a></bc>")] {
            let (a, bc) = (names.place("a"), names.place("bc"));
            assert_eq!((names.place("a"), names.place("bc")), (a, bc));
            assert_eq!((names.text.as_str(), &names.text[a.range()], &names.text[bc.range()]), (text, "a", "bc"));
        }
    }
}
