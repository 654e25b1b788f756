//! Decoding: strings, and references to earlier equal strings (EXI §7.3).

use super::Events;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use roadwire_layout::Span;
use roadwire_wire::rt::{events, varint};
use roadwire_wire::{Data, ErrorKind, Reader, Rejected, Scalar, Shape, faults};

use crate::decode::Decoder;
use crate::listener::{Listener, What};

/// Where the strings read so far are. No heap until the first one.
#[derive(Clone, Default)]
pub(crate) struct Strings(Option<Box<Table>>);

#[derive(Clone, Default)]
struct Table {
    /// All, in their order.
    all: Vec<Place>,
    /// The indexes in `all` of each partition's strings.
    partitions: BTreeMap<u32, Vec<u32>>,
}

/// The bit at which a string begins, and its number of characters.
#[derive(Clone, Copy)]
struct Place {
    bit: usize,
    characters: u64,
}

impl<'a, L: Listener> Decoder<'_, 'a, '_, '_, L, Events> {
    #[inline(never)]
    pub(crate) fn event_text(&mut self, size: [u64; 2], alphabet: Span, value: &mut dyn Data) -> Result<(), Rejected> {
        if !value.begin(Shape::Text) {
            return self.mismatch("a place for a character string");
        }
        let start = self.reader.position();
        let Ok(length) = varint::take(&mut self.reader) else {
            return Err(self.refuse(start, 8, faults::events::LENGTH));
        };
        if length < 2 {
            let place = self.place_of_string(start, length == 0)?;
            self.show(start, What::Length(place.characters), Scalar::Unset);
            let here = self.reader;
            self.reader = Reader::new(here.octets());
            self.reader.advance_to(place.bit);
            let done = self.characters_of(place.characters, size, alphabet, value);
            self.reader = here;
            done?;
            self.show(self.reader.position(), What::Value(""), value.scalar());
            return Ok(());
        }
        let characters = length - 2;
        self.show(start, What::Length(characters), Scalar::Unset);
        let bit = self.reader.position();
        self.characters_of(characters, size, alphabet, value)?;
        if L::ACTIVE {
            self.show(bit, What::Value(""), value.scalar());
        }
        if characters > 0 {
            let partition = self.family.partition;
            let table = self.family.strings.0.get_or_insert_with(Box::default);
            table.partitions.entry(partition).or_default().push(table.all.len() as u32);
            table.all.push(Place { bit, characters });
        }
        Ok(())
    }

    /// Reads a reference to an earlier string: in the partition of its element's name, or among all.
    fn place_of_string(&mut self, start: usize, is_local: bool) -> Result<Place, Rejected> {
        let table = self.family.strings.0.get_or_insert_with(Box::default);
        let local = table.partitions.get(&self.family.partition).map_or(0, Vec::len);
        let count = if is_local { local } else { table.all.len() };
        let bits = usize::BITS - count.saturating_sub(1).leading_zeros();
        let index = self.take(bits)? as usize;
        let found = self.family.strings.0.as_ref().and_then(|table| match is_local {
            true => table.all.get(*table.partitions.get(&self.family.partition)?.get(index)? as usize).copied(),
            false => table.all.get(index).copied(),
        });
        found.ok_or_else(|| self.fail_at(ErrorKind::Malformed(faults::events::STRING_PLACE), start))
    }

    fn characters_of(
        &mut self,
        characters: u64,
        [lower, upper]: [u64; 2],
        alphabet: Span,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        if characters < lower || characters > upper {
            return Err(self.fail(ErrorKind::Size { size: characters, lower, upper }));
        }
        let ranges = self.layout.numbers(alphabet);
        for _ in 0..characters {
            self.count_character()?;
            let at = self.reader.position();
            let Ok(code) = varint::take(&mut self.reader) else {
                return Err(self.refuse(at, 8, faults::events::CHARACTER));
            };
            let code = u32::try_from(code).unwrap_or(u32::MAX);
            let character = char::from_u32(code).filter(|_| events::is_in(ranges, code));
            let Some(character) = character else { return Err(self.fail_at(ErrorKind::Alphabet { code }, at)) };
            if !value.push_char(character) {
                return self.full(characters);
            }
        }
        Ok(())
    }
}
