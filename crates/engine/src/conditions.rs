//! Whether a component is there, by what earlier ones are.

use roadwire_layout::presentation::{Sort, Test};
use roadwire_wire::{BitWord, Data, Scalar};

/// Whether all tests are true of a record, as far as it is there.
pub(crate) fn hold<'l>(mut tests: impl Iterator<Item = Test<'l>>, record: &dyn Data) -> bool {
    tests.all(|test| {
        let is_one = record.component(test.component as usize).is_some_and(|value| is_among(&test, value));
        is_one != test.negated
    })
}

fn is_among(test: &Test<'_>, value: &dyn Data) -> bool {
    let is = |found: Option<(usize, &dyn Data)>| found.is_some_and(|(at, _)| test.values.contains(&(at as u32)));
    match test.sort {
        Sort::Items => matches!(value.scalar(), Scalar::Enumerated(ordinal) if test.values.contains(&ordinal)),
        Sort::Numbers => value.integer().is_some_and(|number| test.values.iter().any(|one| i64::from(*one) == number)),
        Sort::Bits => test.values.iter().any(|bit| bit_of(value.scalar(), *bit)),
        Sort::Alternatives => is(value.alternative()),
        Sort::Elements => {
            (0..value.length().unwrap_or(0)).any(|at| is(value.element(at).and_then(|element| element.alternative())))
        }
    }
}

/// A bit by its place, first bit most significant; one that is not there is 0.
fn bit_of(bits: Scalar<'_>, at: u32) -> bool {
    let word;
    let (octets, count): (&[u8], usize) = match bits {
        Scalar::Word(of) => {
            word = BitWord::to_octets(of);
            (&word, usize::from(of.bits))
        }
        Scalar::Bits(octets, count) => (octets, count),
        _ => return false,
    };
    let at = at as usize;
    at < count && octets.get(at / 8).is_some_and(|octet| octet >> (7 - at % 8) & 1 == 1)
}
