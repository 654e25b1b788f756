//! DEFAULT values as [`Data`], for encodings that include them.

use alloc::boxed::Box;
use alloc::vec::Vec;

use roadwire_layout::{Default, Layout};
use roadwire_wire::{Data, Scalar};

/// One of a layout's DEFAULT values. Only structured values take heap.
pub(crate) struct DefaultValue<'n> {
    layout: &'n Layout,
    default: Option<Default>,
    /// The components of a record, the elements of a list, or the value of a choice.
    parts: Vec<Option<Box<DefaultValue<'n>>>>,
}

impl<'n> DefaultValue<'n> {
    pub(crate) fn new(layout: &'n Layout, place: u32) -> Self {
        let default = layout.defaults.get(place as usize).copied();
        let one = |place: &u32| {
            (*place != u32::MAX).then(|| Box::new(DefaultValue::new(layout, *place & !Default::OR_ABSENT)))
        };
        let parts = match default {
            Some(Default::Record(places) | Default::List(places)) => layout.numbers(places).iter().map(one).collect(),
            Some(Default::Choice(_, place)) => alloc::vec![one(&place)],
            _ => Vec::new(),
        };
        DefaultValue { layout, default, parts }
    }

    fn part(&self, index: usize) -> Option<&dyn Data> {
        match self.parts.get(index) {
            Some(Some(part)) => Some(&**part),
            _ => None,
        }
    }
}

impl Data for DefaultValue<'_> {
    fn scalar(&self) -> Scalar<'_> {
        match self.default {
            Some(Default::Null) => Scalar::Null,
            Some(Default::Boolean(value)) => Scalar::Boolean(value),
            Some(Default::Integer(value)) => Scalar::Integer(value),
            Some(Default::WideInteger(octets)) => Scalar::WideInteger(self.layout.octets(octets)),
            Some(Default::Enumerated(ordinal)) => Scalar::Enumerated(ordinal),
            Some(Default::Real(value)) => Scalar::Real(value),
            Some(Default::Word(word)) => Scalar::Word(word),
            Some(Default::Bits(octets, bits) | Default::NamedBits(octets, bits)) => {
                Scalar::Bits(self.layout.octets(octets), bits as usize)
            }
            Some(Default::Octets(octets)) => Scalar::Octets(self.layout.octets(octets)),
            Some(Default::Text(octets)) => {
                Scalar::Text(core::str::from_utf8(self.layout.octets(octets)).unwrap_or_default())
            }
            Some(Default::Oid(octets)) => Scalar::Oid(self.layout.octets(octets)),
            Some(Default::Record(_) | Default::List(_) | Default::Choice(..)) | None => Scalar::Unset,
        }
    }

    fn component(&self, index: usize) -> Option<&dyn Data> {
        if matches!(self.default, Some(Default::Record(_))) { self.part(index) } else { None }
    }

    fn is_record(&self, _: bool) -> bool {
        matches!(self.default, Some(Default::Record(_)))
    }

    fn length(&self) -> Option<usize> {
        matches!(self.default, Some(Default::List(_))).then_some(self.parts.len())
    }

    fn element(&self, index: usize) -> Option<&dyn Data> {
        if matches!(self.default, Some(Default::List(_))) { self.part(index) } else { None }
    }

    fn alternative(&self) -> Option<(usize, &dyn Data)> {
        match self.default {
            Some(Default::Choice(which, _)) => Some((which as usize, self.part(0)?)),
            _ => None,
        }
    }
}
