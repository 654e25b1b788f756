//! Decoding: text between elements, and values for which empty elements stand (X.693 §25, §23).

use super::Xml;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use roadwire_layout::NodeId;
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar, Shape};

use super::Tag;
use crate::decode::Decoder;
use crate::default::DefaultValue;
use crate::listener::{Listener, What};

/// The texts between the elements of a record, the last one being read.
#[derive(Clone)]
pub(crate) struct Texts(pub(crate) Vec<String>);

impl<L: Listener> Decoder<'_, '_, '_, '_, L, Xml> {
    /// From now on, text between elements belongs to this record. Returns the texts of the
    /// enclosing one.
    #[cold]
    #[inline(never)]
    pub(crate) fn begin_embedded(&mut self) -> Option<Box<Texts>> {
        self.family.document.embedded.replace(Box::new(Texts(alloc::vec![String::new()])))
    }

    /// Reads the text up to the next tag.
    #[cold]
    #[inline(never)]
    pub(crate) fn embedded_text(&mut self, start: usize) -> Result<(), Rejected> {
        let mut characters = self.characters_at(start);
        let mut text = String::new();
        while let Some(character) = characters.read().map_err(|fault| self.xml_fault(fault))? {
            self.count_character()?;
            text.push(character);
        }
        self.go(characters.position());
        if text.is_empty() {
            self.show(start * 8, What::Padding, Scalar::Unset);
        } else {
            self.show(start * 8, What::Value(""), Scalar::Text(&text));
        }
        if let Some(last) = self.family.document.embedded.as_mut().and_then(|texts| texts.0.last_mut()) {
            last.push_str(&text);
        }
        Ok(())
    }

    /// Reads the last text, and puts all of them into the record's first component.
    #[cold]
    #[inline(never)]
    pub(crate) fn end_embedded(&mut self, outer: Option<Box<Texts>>, value: &mut dyn Data) -> Result<(), Rejected> {
        self.xml_peek()?;
        let texts = core::mem::replace(&mut self.family.document.embedded, outer);
        let Some(list) = value.component_mut(0) else { return self.mismatch("a SEQUENCE that begins with a list") };
        if !list.begin(Shape::List) {
            return self.mismatch("a list of texts");
        }
        for text in texts.iter().flat_map(|texts| &texts.0) {
            self.count_element()?;
            let taken = list.push().is_some_and(|place| {
                place.begin(Shape::Text) && text.chars().all(|character| place.push_char(character))
            });
            if !taken {
                return self.mismatch("a place for a text");
            }
        }
        Ok(())
    }

    /// A value; if the element is empty, it is this DEFAULT.
    #[cold]
    #[inline(never)]
    pub(crate) fn or_empty(&mut self, content: NodeId, default: u32, value: &mut dyn Data) -> Result<(), Rejected> {
        self.end_of_start_tag()?;
        let at = self.octet();
        if self.family.tag == Tag::Complete && !matches!(self.reader.octets().get(at..), Some([b'<', b'/', ..])) {
            return self.node(content, value);
        }
        let taken = match DefaultValue::new(self.layout, default).scalar() {
            Scalar::Text(text) => value.begin(Shape::Text) && text.chars().all(|character| value.push_char(character)),
            scalar => value.set(scalar),
        };
        if taken { Ok(()) } else { Err(self.fail(ErrorKind::Mismatch { expected: "of the type that the layout has" })) }
    }
}
