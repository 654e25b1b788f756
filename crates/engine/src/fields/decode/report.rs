//! Decoding: fields that are found, and fields that are expected.

use super::Fields;
use roadwire_layout::{Alternative, FieldNode};
use roadwire_wire::rt::fields::{self, WireType};
use roadwire_wire::rt::tlv;
use roadwire_wire::{ErrorKind, Fault, Few, Form, Rejected, Thing, Unexpected, faults};

use crate::decode::Decoder;
use crate::listener::Listener;

/// The place of no name.
const NAMELESS: u32 = u32::MAX >> 1;

impl<L: Listener> Decoder<'_, '_, '_, '_, L, Fields> {
    /// Octets that are not the key of a field.
    #[cold]
    #[inline(never)]
    pub(crate) fn faulty_key(&mut self, fault: tlv::Fault) -> Rejected {
        let at = self.reader.position();
        match (fault, fields::read(self.left())) {
            (tlv::Fault::Malformed(what), Ok((key, _))) if !what.is_complete() => {
                let found = if what == faults::fields::WIRE_TYPE { key & 7 } else { key >> 3 };
                self.found(what, at, Thing::Number(found), Thing::None)
            }
            _ => self.faulty(fault),
        }
    }

    /// A field of this type, with the wire type of another one.
    #[cold]
    #[inline(never)]
    pub(crate) fn other_wire_type(&mut self, at: usize, found: WireType, wanted: WireType) -> Rejected {
        self.found(faults::fields::WIRE_TYPE_OTHER, at, wire_type(found), wire_type(wanted))
    }

    /// A field whose number is not the only one that is expected.
    #[cold]
    #[inline(never)]
    pub(crate) fn other_field(&mut self, at: usize, found: u32, wanted: u32) -> Rejected {
        self.no_number(faults::fields::UNKNOWN, at, found, Few::of(core::iter::once((wanted, NAMELESS))))
    }

    /// A field that a message does not have.
    #[cold]
    #[inline(never)]
    pub(crate) fn no_field(&mut self, node: &FieldNode) -> Rejected {
        let (FieldNode::Message { members, .. }, true) = (node, self.explanation.is_some()) else { return Rejected };
        let layout = self.layout;
        let mut numbers = Few::none();
        for member in layout.members(*members) {
            if let Some(number) = layout.field(member.node).and_then(FieldNode::number) {
                numbers.add(|| (number, layout.place_of_member(member)));
            }
        }
        let found = fields::key(self.left()).map_or(0, |(number, ..)| number);
        self.no_number(faults::fields::UNKNOWN, self.reader.position(), found, numbers)
    }

    /// A field that is none of these alternatives.
    #[cold]
    #[inline(never)]
    pub(crate) fn no_field_of_choice(&mut self, found: u32, alternatives: &[Alternative]) -> Rejected {
        if self.explanation.is_none() {
            return Rejected;
        }
        let layout = self.layout;
        let mut numbers = Few::none();
        for one in alternatives {
            if let Some(number) = layout.field(one.node).and_then(FieldNode::number) {
                numbers.add(|| (number, layout.place_of_alternative(one)));
            }
        }
        self.no_number(faults::fields::CHOICE_UNKNOWN, self.reader.position(), found, numbers)
    }

    fn no_number(&mut self, fault: Fault, at: usize, found: u32, expected: Few<(u32, u32)>) -> Rejected {
        let what = Unexpected::Number { form: Form::Plain, found: found.into(), expected };
        self.fail_at(ErrorKind::Unexpected { fault, what }, at)
    }
}

fn wire_type(wire_type: WireType) -> Thing {
    Thing::Word(match wire_type.0 {
        0 => "the wire type 0 (VARINT)",
        1 => "the wire type 1 (I64)",
        2 => "the wire type 2 (LEN)",
        3 => "the wire type 3 (SGROUP)",
        4 => "the wire type 4 (EGROUP)",
        5 => "the wire type 5 (I32)",
        _ => "another wire type",
    })
}
