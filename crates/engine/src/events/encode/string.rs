//! Encoding: strings, and references to earlier equal strings (EXI §7.3).

use super::Events;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;

use roadwire_layout::Span;
use roadwire_wire::rt::{events, varint};
use roadwire_wire::{ErrorKind, Rejected};

use crate::encode::Encoder;

/// The string table, allocated on first use.
#[derive(Default)]
pub(crate) struct Strings(Option<Box<events::Index<u32, String>>>);

impl Encoder<'_, '_, '_, Events> {
    #[inline(never)]
    pub(crate) fn event_text(&mut self, [lower, upper]: [u64; 2], alphabet: Span, text: &str) -> Result<(), Rejected> {
        let size = text.chars().count() as u64;
        self.size_within(size, lower, upper)?;
        let partition = self.family.partition;
        let table = self.family.strings.0.get_or_insert_with(Box::default);
        if let Some(reference) = table.find(partition, text) {
            return reference.put(&mut self.writer);
        }
        if size > 0 {
            table.add(partition, text.to_owned());
        }
        varint::put(&mut self.writer, size + 2)?;
        let ranges = self.layout.numbers(alphabet);
        for character in text.chars() {
            let code = u32::from(character);
            if !events::is_in(ranges, code) {
                return Err(self.fail(ErrorKind::Alphabet { code }));
            }
            varint::put(&mut self.writer, code.into())?;
        }
        Ok(())
    }
}
