//! Encoding: texts between elements (X.693 §25).

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use roadwire_wire::{Data, Rejected, Scalar};

use super::Encoder;

/// The texts of one record, of which one stands in front of each element and one behind the last.
pub(super) struct Embedded {
    texts: Vec<String>,
    written: usize,
}

const COUNT: &str = "a record with one text more than it has elements";

impl Encoder<'_, '_, '_> {
    /// Takes over the texts of a record's first component; those around the record wait.
    #[cold]
    #[inline(never)]
    pub(super) fn begin_embedded(&mut self, value: &dyn Data) -> Result<Option<Box<Embedded>>, Rejected> {
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
        Ok(self.document.embedded.replace(Box::new(Embedded { texts, written: 0 })))
    }

    /// Writes the next text. What is in the element behind it has none of them.
    #[cold]
    #[inline(never)]
    pub(super) fn next_embedded(&mut self) -> Result<Option<Box<Embedded>>, Rejected> {
        let Some(mut embedded) = self.document.embedded.take() else { return Ok(None) };
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
    pub(super) fn end_embedded(&mut self, outer: Option<Box<Embedded>>) -> Result<(), Rejected> {
        let embedded = self.next_embedded()?;
        self.document.embedded = outer;
        match embedded {
            Some(embedded) if embedded.written == embedded.texts.len() => Ok(()),
            _ => self.mismatch(COUNT),
        }
    }
}
