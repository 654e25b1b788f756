//! Whether a value is its component's DEFAULT.

use roadwire_layout::{Default, Layout};
use roadwire_wire::{BitWord, Data, Scalar, TwosComplement};

/// Whether `value` equals the DEFAULT in place `place`. `trim`: trailing zero bits of a bit string do not count.
#[inline(never)]
pub(crate) fn is_default(layout: &Layout, place: u32, value: &dyn Data) -> bool {
    let Some(default) = layout.defaults.get(place as usize) else { return false };
    let scalar = value.scalar();
    match *default {
        Default::Null => scalar == Scalar::Null,
        Default::Boolean(default) => scalar == Scalar::Boolean(default),
        Default::Integer(default) => match scalar {
            Scalar::Integer(value) => value == default,
            Scalar::WideInteger(octets) => TwosComplement::read_signed(octets) == Some(default),
            _ => false,
        },
        Default::WideInteger(default) => {
            matches!(scalar, Scalar::WideInteger(octets) if crate::wide::equal(octets, layout.octets(default)))
        }
        Default::Enumerated(default) => scalar == Scalar::Enumerated(default),
        Default::Real(default) => matches!(scalar, Scalar::Real(value) if value.to_bits() == default.to_bits()),
        Default::Word(default) => same_bits(scalar, &default.to_octets(), usize::from(default.bits)),
        Default::Bits(default, bits) => same_bits(scalar, layout.octets(default), bits as usize),
        Default::NamedBits(default, bits) => {
            let meant = |octets: &[u8], count: usize| {
                (0..count.min(octets.len() * 8)).rev().find(|at| is_one(octets, *at)).map_or(0, |at| at + 1)
            };
            let (default, bits) = (layout.octets(default), bits as usize);
            match scalar {
                Scalar::Word(word) => {
                    let octets = word.to_octets();
                    meant(&octets, usize::from(word.bits)) == bits
                        && (0..bits).all(|at| is_one(&octets, at) == is_one(default, at))
                }
                Scalar::Bits(octets, count) if count.div_ceil(8) <= octets.len() => {
                    meant(octets, count) == bits && (0..bits).all(|at| is_one(octets, at) == is_one(default, at))
                }
                _ => false,
            }
        }
        Default::Octets(default) => scalar == Scalar::Octets(layout.octets(default)),
        Default::Text(default) => matches!(scalar, Scalar::Text(text) if text.as_bytes() == layout.octets(default)),
        Default::Oid(default) => scalar == Scalar::Oid(layout.octets(default)),
        Default::Record(components) => {
            value.unknown().is_empty()
                && layout.numbers(components).iter().enumerate().all(|(at, place)| match value.component(at) {
                    Some(value) => is_default(layout, *place & !Default::OR_ABSENT, value),
                    None => *place & Default::OR_ABSENT != 0,
                })
        }
        Default::List(elements) => {
            let places = layout.numbers(elements);
            value.length() == Some(places.len())
                && places
                    .iter()
                    .enumerate()
                    .all(|(at, place)| value.element(at).is_some_and(|element| is_default(layout, *place, element)))
        }
        Default::Choice(default, place) => value
            .alternative()
            .is_some_and(|(which, value)| which == default as usize && is_default(layout, place, value)),
    }
}

fn same_bits(scalar: Scalar<'_>, octets: &[u8], bits: usize) -> bool {
    match scalar {
        Scalar::Word(word) => BitWord::from_octets(octets, bits) == Some(word),
        Scalar::Bits(other, count) => {
            let whole = octets.get(..bits.div_ceil(8));
            count == bits && whole.is_some() && other.get(..bits.div_ceil(8)) == whole
        }
        _ => false,
    }
}

fn is_one(octets: &[u8], at: usize) -> bool {
    octets.get(at / 8).is_some_and(|octet| octet >> (7 - at % 8) & 1 == 1)
}
