//! Comparison with a DEFAULT value.

use roadwire_layout::{Default, Layout};
use roadwire_wire::rt::TwosComplement;
use roadwire_wire::{BitWord, Data, Scalar};

use crate::bits::{bits_of, is_one, without_zeros};

/// Whether `value` equals the DEFAULT at index `place`. With `trim`, trailing zero bits of a bit
/// string do not count.
#[inline(never)]
pub(crate) fn is_default(layout: &Layout, place: u32, value: &dyn Data) -> bool {
    let Some(default) = layout.defaults.get(place as usize) else { return false };
    let scalar = value.scalar();
    let mut word = [0; 8];
    match (*default, scalar) {
        (Default::Null, Scalar::Null) => true,
        (Default::Boolean(default), Scalar::Boolean(value)) => value == default,
        (Default::Integer(default), Scalar::Integer(value)) => value == default,
        // An integer of more than 128 bits needs a heap.
        (Default::Integer(_) | Default::WideInteger(_), Scalar::WideInteger(_)) if !cfg!(feature = "alloc") => false,
        (Default::Integer(default), Scalar::WideInteger(octets)) => {
            TwosComplement::read_signed(octets) == Some(default)
        }
        (Default::WideInteger(default), Scalar::WideInteger(octets)) => {
            crate::wide::equal(octets, layout.octets(default))
        }
        (Default::Enumerated(default), Scalar::Enumerated(value)) => value == default,
        (Default::Real(default), Scalar::Real(value)) => value.to_bits() == default.to_bits(),
        (Default::Word(default), Scalar::Word(value)) => value == default,
        (Default::Word(default), Scalar::Bits(octets, bits)) => BitWord::from_octets(octets, bits) == Some(default),
        (named @ (Default::Bits(default, bits) | Default::NamedBits(default, bits)), _) => bits_of(scalar, &mut word)
            .is_some_and(|(octets, count)| {
                let is_named = matches!(named, Default::NamedBits(..));
                let meant = if is_named { without_zeros(octets, count) } else { count };
                meant == bits as usize && same_bits(octets, layout.octets(default), meant)
            }),
        (Default::Octets(default), Scalar::Octets(octets)) => octets == layout.octets(default),
        (Default::Text(default), Scalar::Text(text)) => text.as_bytes() == layout.octets(default),
        (Default::Oid(default), Scalar::Oid(octets)) => octets == layout.octets(default),
        (Default::Record(components), _) => {
            value.unknown().is_empty()
                && layout.numbers(components).iter().enumerate().all(|(at, place)| match value.component(at) {
                    Some(value) => is_default(layout, *place & !Default::OR_ABSENT, value),
                    None => *place & Default::OR_ABSENT != 0,
                })
        }
        (Default::List(elements), _) => {
            let places = layout.numbers(elements);
            value.length() == Some(places.len())
                && places
                    .iter()
                    .enumerate()
                    .all(|(at, place)| value.element(at).is_some_and(|element| is_default(layout, *place, element)))
        }
        (Default::Choice(default, place), _) => value
            .alternative()
            .is_some_and(|(which, value)| which == default as usize && is_default(layout, place, value)),
        _ => false,
    }
}

fn same_bits(one: &[u8], other: &[u8], bits: usize) -> bool {
    let whole = bits / 8;
    one.get(..whole) == other.get(..whole) && (whole * 8..bits).all(|at| is_one(one, at) == is_one(other, at))
}
