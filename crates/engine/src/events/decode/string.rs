//! Decoding: strings, and references to earlier equal strings (EXI §7.3).

use super::Events;
use alloc::boxed::Box;

use roadwire_layout::Span;
use roadwire_wire::rt::events::{self, Place, Places};
use roadwire_wire::rt::varint;
use roadwire_wire::{Data, ErrorKind, Reader, Rejected, Scalar, Shape, Thing, faults};

use crate::decode::Decoder;
use crate::listener::{Listener, What};

/// The string table, allocated on first use.
#[derive(Clone, Default)]
pub(crate) struct Strings(Option<Box<Places<u32>>>);

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
            self.show(start, What::Length(place.characters as u64), Scalar::Unset);
            let here = self.reader;
            self.reader = Reader::new(here.octets());
            self.reader.advance_to(place.bit);
            let done = self.characters_of(place.characters as u64, size, alphabet, value);
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
            // They have been read: there are fewer than bits.
            let place = Place { bit, characters: characters as usize };
            self.family.strings.0.get_or_insert_with(Box::default).add(self.family.partition, place);
        }
        Ok(())
    }

    /// Reads a reference to an earlier string: in the partition of its element's name, or among
    /// all.
    fn place_of_string(&mut self, start: usize, is_local: bool) -> Result<Place, Rejected> {
        let partition = is_local.then_some(self.family.partition);
        let count = self.family.strings.0.as_ref().map_or(0, |table| table.count(partition.as_ref()));
        let index = self.take(events::width(count))? as usize;
        let found = self.family.strings.0.as_ref().and_then(|table| table.get(partition.as_ref(), index));
        found.ok_or_else(|| self.found(faults::events::STRING_PLACE, start, Thing::Number(index as u64), Thing::None))
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
