//! Decoding: data items and keys that are found, and those that are expected.

use super::Cbor;
use roadwire_layout::{Addition, CborNode};
use roadwire_wire::rt::cbor::{self, HALF, major};
use roadwire_wire::{ErrorKind, Fault, Few, Form, Rejected, Thing, Unexpected, faults};

use crate::decode::Decoder;
use crate::listener::Listener;

/// The place of no name.
const NAMELESS: u32 = u32::MAX >> 1;

impl<L: Listener> Decoder<'_, '_, '_, '_, L, Cbor> {
    /// An item at bit `at` that is not of the kind that the type has.
    #[cold]
    #[inline(never)]
    pub(crate) fn other_kind(&mut self, at: usize, wanted: &'static str) -> Rejected {
        let found = self.kind_at(at);
        self.found(faults::cbor::TYPE, at, found, Thing::Word(wanted))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn other_major(&mut self, at: usize, wanted: u8) -> Rejected {
        self.other_kind(at, kind(wanted, 0))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn other_simple(&mut self, at: usize, node: &CborNode) -> Rejected {
        let wanted = match node {
            CborNode::Truth => "true or false",
            CborNode::Nothing => "null",
            _ => "a float",
        };
        self.other_kind(at, wanted)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn other_key(&mut self, at: usize) -> Rejected {
        let found = self.kind_at(at);
        self.found(faults::cbor::KEY, at, found, Thing::None)
    }

    /// A tag other than these.
    #[cold]
    #[inline(never)]
    pub(crate) fn no_cbor_tag(&mut self, at: usize, found: u64, wanted: &[u64]) -> Rejected {
        let expected = Few::of(wanted.iter().map(|tag| (*tag as u32, NAMELESS)));
        self.no_number(faults::cbor::TAG, at, found, expected)
    }

    /// A key of a map that no component has.
    #[cold]
    #[inline(never)]
    pub(crate) fn no_key(&mut self, at: usize, found: u64, node: &CborNode) -> Rejected {
        let (CborNode::Map { members, additions, .. }, true) = (node, self.explanation.is_some()) else {
            return Rejected;
        };
        let layout = self.layout;
        let mut keys = Few::none();
        let added = layout.additions(*additions).iter().map(|addition| match addition {
            Addition::Single(member) => Some(member),
            Addition::Group(_) => None,
        });
        for (key, member) in layout.members(*members).iter().map(Some).chain(added).enumerate() {
            let place = || member.map_or(NAMELESS, |member| layout.place_of_member(member));
            keys.add(|| (key as u32, place()));
        }
        self.no_number(faults::cbor::KEY_UNKNOWN, at, found, keys)
    }

    /// A key that no alternative of a CHOICE has.
    #[cold]
    #[inline(never)]
    pub(crate) fn no_key_of_choice(&mut self, at: usize, found: u64, node: &CborNode) -> Rejected {
        let (CborNode::Choice { alternatives, .. }, true) = (node, self.explanation.is_some()) else {
            return Rejected;
        };
        let layout = self.layout;
        let mut keys = Few::none();
        for (key, one) in layout.alternatives(*alternatives).iter().enumerate() {
            keys.add(|| (key as u32, layout.place_of_alternative(one)));
        }
        self.no_number(faults::cbor::CHOICE_UNKNOWN, at, found, keys)
    }

    fn no_number(&mut self, fault: Fault, at: usize, found: u64, expected: Few<(u32, u32)>) -> Rejected {
        let found = i64::try_from(found).unwrap_or(i64::MAX);
        self.fail_at(
            ErrorKind::Unexpected { fault, what: Unexpected::Number { form: Form::Plain, found, expected } },
            at,
        )
    }

    fn kind_at(&self, at: usize) -> Thing {
        let octets = self.reader.octets().get(at / 8..).unwrap_or(&[]);
        Thing::Word(cbor::head(octets).map_or("another item", |head| kind(head.major, head.information)))
    }
}

/// A kind of item in words.
fn kind(of: u8, information: u8) -> &'static str {
    match (of, information) {
        (major::UNSIGNED, _) => "an unsigned integer",
        (major::NEGATIVE, _) => "a negative integer",
        (major::OCTETS, _) => "a byte string",
        (major::TEXT, _) => "a text string",
        (major::ARRAY, _) => "an array",
        (major::MAP, _) => "a map",
        (major::TAG, _) => "a tag",
        (_, 20) => "false",
        (_, 21) => "true",
        (_, 22) => "null",
        (_, HALF..) => "a float",
        _ => "a simple value",
    }
}
