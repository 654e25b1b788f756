//! Encoding: strings, and references to earlier equal strings (EXI §7.3).

use super::Events;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;

use roadwire_layout::Span;
use roadwire_wire::rt::{events, varint};
use roadwire_wire::{ErrorKind, Rejected};

use crate::encode::Encoder;

/// The strings written so far. No heap until the first one.
#[derive(Default)]
pub(crate) struct Strings(Option<Box<Table>>);

#[derive(Default)]
struct Table {
    /// Each string with its partition, its index there, and its index among all.
    places: BTreeMap<String, [u32; 3]>,
    /// How many strings there are in each partition.
    sizes: BTreeMap<u32, u32>,
}

impl Encoder<'_, '_, '_, Events> {
    #[inline(never)]
    pub(crate) fn event_text(&mut self, [lower, upper]: [u64; 2], alphabet: Span, text: &str) -> Result<(), Rejected> {
        let size = text.chars().count() as u64;
        self.size_within(size, lower, upper)?;
        let partition = self.family.partition;
        let table = self.family.strings.0.get_or_insert_with(Box::default);
        let local = table.sizes.get(&partition).copied().unwrap_or(0);
        let all = table.places.len() as u32;
        match table.places.get(text) {
            Some([its, place, _]) if *its == partition => {
                let place = *place;
                varint::put(&mut self.writer, 0)?;
                return self.writer.put(place.into(), width(local));
            }
            Some([_, _, place]) => {
                let place = *place;
                varint::put(&mut self.writer, 1)?;
                return self.writer.put(place.into(), width(all));
            }
            None if size > 0 => {
                table.places.insert(text.to_owned(), [partition, local, all]);
                table.sizes.insert(partition, local + 1);
            }
            None => {}
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

/// The width of an index among `count` strings.
fn width(count: u32) -> u32 {
    u32::BITS - count.saturating_sub(1).leading_zeros()
}
