//! Layouts without constraints: what a layout with them reads and writes, they read and write in
//! the same way; and a value outside its constraints that they read can be written and read again.

mod support;

use roadwire_constructs::{MODULE, module, pdus};
use roadwire_engine::{decode, encode_to_vec};
use roadwire_layout::{Layout, Rules, lower};
use roadwire_model::check::Proven;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Model, TypeId, Value, check};
use support::mutant;

const ROOM: usize = 1 << 18;

struct Subject<'m> {
    model: &'m Model,
    root: TypeId,
    name: String,
    rules: Rules,
    strict: Layout,
    reading: Layout,
    writing: Layout,
}

fn each_subject(test: impl Fn(&Subject<'_>, &[Value], &mut Rng)) {
    let source = roadwire_asn1::Source::new("constructs.asn", module(&pdus()).as_str());
    let model = roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    for pdu in pdus() {
        let root = model.find(&format!("{MODULE}.{}", pdu.name)).unwrap();
        let settings =
            Settings { integer_bits: 62, boundary: 60, max_elements: 5, max_length: 70, ..Settings::default() };
        let mut rng = Rng::new(pdu.name.bytes().fold(7, |seed: u64, octet| seed.wrapping_mul(31) + u64::from(octet)));
        let values: Vec<Value> = (0..12)
            .map(|round| {
                let settings = Settings { extensions: [0, 50][round % 2], ..settings.clone() };
                Generator::new(&model, settings).value(root, &mut rng)
            })
            .collect();
        for rules in Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1()) {
            let strict = lower(&model, root, rules).unwrap();
            let (reading, writing) = (strict.for_open_reading(), strict.for_open_writing());
            let name = pdu.name.clone();
            test(&Subject { model: &model, root, name, rules, strict, reading, writing }, &values, &mut rng);
        }
    }
}

fn read(layout: &Layout, octets: &[u8]) -> Option<(usize, Value)> {
    let mut value = Value::Unset;
    decode(layout, octets, &mut value).ok().map(|bits| (bits, value))
}

#[test]
fn values_within_their_constraints_are_the_same() {
    each_subject(|subject, values, _| {
        for value in values {
            let place = || format!("{} under {}: {value:?}", subject.name, subject.rules);
            let Ok(octets) = encode_to_vec(&subject.strict, value, ROOM) else { continue };
            assert_eq!(encode_to_vec(&subject.writing, value, ROOM).as_ref(), Ok(&octets), "{}", place());
            assert_eq!(read(&subject.reading, &octets), read(&subject.strict, &octets), "{}", place());
        }
    });
}

#[test]
fn proven_types_have_decoded_values_within_all_constraints() {
    let proven_values = std::cell::Cell::new(0);
    each_subject(|subject, values, rng| {
        let proven = Proven::of(subject.model);
        let pool: Vec<_> = values.iter().filter_map(|value| encode_to_vec(&subject.strict, value, ROOM).ok()).collect();
        for _ in 0..pool.len() * 4 {
            let octets = mutant(&pool, [0, 0x7f, 0x80, 0xff], rng);
            let Some((_, value)) = read(&subject.strict, &octets) else { continue };
            let found = check::decoded(subject.model, subject.root, &value);
            let holds = proven.holds(subject.model, subject.root, &value);
            assert_eq!(holds, found.is_empty(), "{} under {}: {value:?}: {found:?}", subject.name, subject.rules);
            proven_values.set(proven_values.get() + 1);
        }
    });
    assert!(proven_values.get() > 1000, "{}", proven_values.get());
}

#[test]
fn values_outside_their_constraints_can_be_written_and_read_again() {
    let (read_open, written) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    each_subject(|subject, values, rng| {
        let pool: Vec<_> = values.iter().filter_map(|value| encode_to_vec(&subject.strict, value, ROOM).ok()).collect();
        for _ in 0..pool.len() * 4 {
            let octets = mutant(&pool, [0, 0x7f, 0x80, 0xff], rng);
            if read(&subject.strict, &octets).is_some() {
                continue;
            }
            let Some((_, value)) = read(&subject.reading, &octets) else { continue };
            read_open.set(read_open.get() + 1);
            let _ = check::decoded(subject.model, subject.root, &value);
            let Ok(again) = encode_to_vec(&subject.writing, &value, ROOM) else { continue };
            written.set(written.get() + 1);
            let (_, back) = read(&subject.reading, &again)
                .unwrap_or_else(|| panic!("{} under {}: {value:?} as {again:02x?}", subject.name, subject.rules));
            let third = encode_to_vec(&subject.writing, &back, ROOM);
            assert_eq!(third.as_ref(), Ok(&again), "{} under {}: {value:?}, {back:?}", subject.name, subject.rules);
        }
    });
    let (read_open, written) = (read_open.get(), written.get());
    assert!(read_open > 1000 && written * 10 > read_open * 9, "{read_open} read, {written} written");
}
