//! Encoding: text between elements (X.693 §25).

use super::Xml;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use roadwire_wire::{Data, Rejected, Scalar};

use crate::encode::Encoder;

/// The texts of one record: one before each element, and one after the last.
pub(crate) struct Embedded {
    texts: Vec<String>,
    written: usize,
}

const COUNT: &str = "a record with one text more than it has elements";

impl Encoder<'_, '_, '_, Xml> {
    /// Takes the texts of a record's first component, and sets those of the enclosing record aside.
    #[cold]
    #[inline(never)]
    pub(crate) fn begin_embedded(&mut self, value: &dyn Data) -> Result<Option<Box<Embedded>>, Rejected> {
        let list = value.component(0);
        let text = |at| match list.and_then(|list| list.element(at)).map(|text| text.scalar()) {
            Some(Scalar::Text(text)) => Some(text.to_owned()),
            _ => None,
        };
        let count = list.and_then(|list| list.length()).unwrap_or(0);
        let texts: Option<Vec<String>> = (0..count).map(text).collect();
        let Some(texts) = texts else {
            self.mismatch("a list of character strings")?;
            return Ok(None);
        };
        Ok(self.family.document.embedded.replace(Box::new(Embedded { texts, written: 0 })))
    }

    /// Writes the next text. Inside the element after it, none of these texts apply.
    #[cold]
    #[inline(never)]
    pub(crate) fn next_embedded(&mut self) -> Result<Option<Box<Embedded>>, Rejected> {
        let Some(mut embedded) = self.family.document.embedded.take() else { return Ok(None) };
        match embedded.texts.get(embedded.written) {
            Some(text) => self.xml_characters(text, false)?,
            None => self.mismatch(COUNT)?,
        }
        embedded.written += 1;
        Ok(Some(embedded))
    }

    /// Writes the last text.
    #[cold]
    #[inline(never)]
    pub(crate) fn end_embedded(&mut self, outer: Option<Box<Embedded>>) -> Result<(), Rejected> {
        let embedded = self.next_embedded()?;
        self.family.document.embedded = outer;
        match embedded {
            Some(embedded) if embedded.written == embedded.texts.len() => Ok(()),
            _ => self.mismatch(COUNT),
        }
    }
}
