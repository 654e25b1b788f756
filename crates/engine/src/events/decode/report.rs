//! Decoding: events that are found, and events that are expected.

use super::Events;
use roadwire_wire::{Fault, Rejected, Thing, Unexpected, faults};

use crate::decode::Decoder;
use crate::listener::Listener;

impl<L: Listener> Decoder<'_, '_, '_, '_, L, Events> {
    /// An event code, at bit `at`, that is greater than that of any event.
    #[cold]
    #[inline(never)]
    pub(crate) fn no_event(&mut self, at: usize) -> Rejected {
        self.unexpected(faults::events::CODE, at, |decoder| {
            let code = decoder.family.code;
            let bit = |bit: usize| u32::from(decoder.reader.bit_at(at + bit));
            let found = (0..usize::from(code.bits).min(32)).fold(0, |number, at| number << 1 | bit(at));
            let expected = Thing::Between(0, found.saturating_sub(code.left_out));
            Unexpected::Other { found: Thing::Number(found.into()), expected }
        })
    }

    /// An event that is not in the schema, in place of one of this kind.
    #[cold]
    #[inline(never)]
    pub(crate) fn event_in_place_of(&mut self, fault: Fault, at: usize, event: &str) -> Rejected {
        let expected = Thing::Word(match event {
            "SE" => "the start of an element",
            "EE" => "the end of the element",
            "AT" => "an attribute",
            _ => "a value",
        });
        // The fault's text ends with the event.
        let found = fault.text().split_once(", found ").map_or("another event", |(_, found)| found);
        self.found(fault, at, Thing::Word(found), expected)
    }
}
