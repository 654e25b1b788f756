//! Types that borrow their strings from the input agree with those that own them: the same octets,
//! values, bits consumed and errors, on random values and on octets that no encoder wrote.
#![cfg(all(feature = "uper", feature = "aper", feature = "oer", feature = "coer", feature = "tls"))]

use std::fmt::Debug;

use roadwire_engine::{Lent, Message};
use roadwire_layout::{Aper, Coer, Layout, Oer, RuleSet, Tls, Uper};
use roadwire_messages::{ieee1609dot2_2013, ts103097_1_2_1};
use roadwire_model::data::equal;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Model, TypeId, Value};
use roadwire_papers::{dot2_original_2015, dot2_p_2015};
use roadwire_sink::{borrowed, open, open_borrowed, sink as owned};

/// More than any of these messages takes.
const ROOM: usize = 1 << 20;

/// A type, and octets for it: encodings of random values, and changed ones.
struct Subject {
    model: Model,
    root: TypeId,
    layout: Layout,
    values: Vec<(Value, Vec<u8>)>,
    mutants: Vec<Vec<u8>>,
}

impl Subject {
    fn new<E: RuleSet>(sources: &[roadwire_frontend::Source], pdu: &str) -> Self {
        let model = roadwire_frontend::compile(sources).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
        let root = model.find(pdu).unwrap();
        let layout = roadwire_layout::lower(&model, root, E::RULES).unwrap();
        let mut rng = Rng::new(20_261_122);
        let settings = Settings { integer_bits: 62, unknown: 0, open_types: true, ..Settings::default() };
        let generator = Generator::new(&model, settings);
        let value = |rng: &mut Rng| {
            let value = generator.value(root, rng);
            let octets = roadwire_engine::encode_to_vec(&layout, &value, ROOM).unwrap();
            (value, octets)
        };
        let values: Vec<_> = (0..2000).map(|_| value(&mut rng)).collect();
        let mut mutants = Vec::new();
        for (_, octets) in values.iter().filter(|(_, octets)| !octets.is_empty()) {
            for _ in 0..4 {
                let mut octets = octets.clone();
                let at = rng.below(octets.len() as u64) as usize;
                match rng.below(4) {
                    0 => octets.truncate(at),
                    1 => octets[at] = [0, 0x7f, 0x80, 0xff][rng.below(4) as usize],
                    2 => octets.insert(at, rng.next_u64() as u8),
                    // Presence bits and lengths come early.
                    _ => octets[at % 24] ^= 1 << rng.below(8),
                }
                mutants.push(octets);
            }
        }
        drop(generator);
        Subject { model, root, layout, values, mutants }
    }

    /// How many messages the straight-line decoder decoded without the interpreter.
    fn agree<'a, E: RuleSet, O, L>(&'a self) -> usize
    where
        O: Message<E>,
        L: Lent<'a, E> + PartialEq + Debug,
    {
        assert_eq!(self.layout, *<L as Message<E>>::layout(), "the tables are the layout");
        // Filled repeatedly: nothing of an earlier message may remain.
        let (mut lent, mut output, mut straight) = (L::default(), vec![0; ROOM], 0);
        for (value, octets) in &self.values {
            let bits = self.same_answer::<E, O, L>(octets, &mut lent, &mut output);
            assert!(bits.is_some(), "{value:?}");
            let length = lent.encode(&mut output).unwrap_or_else(|error| panic!("{error}: {value:?}"));
            assert_eq!(output[..length], octets[..], "{value:?}");
            straight += usize::from(lent.decode_lent_fast(octets).is_ok());
        }
        let accepted = |octets: &&'a Vec<u8>| self.same_answer::<E, O, L>(octets, &mut lent, &mut output).is_some();
        let accepted = self.mutants.iter().filter(accepted).count();
        println!("{accepted} of {} mutants are accepted", self.mutants.len());
        assert!(accepted > self.mutants.len() / 100 && accepted < self.mutants.len() * 99 / 100);
        straight
    }

    /// Decodes in all ways, and compares. Returns the bits, if the octets are a message.
    fn same_answer<'a, E: RuleSet, O, L>(&self, octets: &'a [u8], lent: &mut L, output: &mut [u8]) -> Option<usize>
    where
        O: Message<E>,
        L: Lent<'a, E> + PartialEq + Debug,
    {
        let mut owned = O::default();
        let wanted = owned.decode(octets);
        assert_eq!(lent.decode_lent(octets), wanted, "{octets:02x?}");
        let mut own_strings = L::default();
        assert_eq!(own_strings.decode(octets), wanted, "{octets:02x?}");
        let bits = wanted.ok()?;
        assert_eq!(*lent, own_strings, "{octets:02x?}");
        let mut value = Value::Unset;
        assert_eq!(roadwire_engine::decode(&self.layout, octets, &mut value), Ok(bits), "{octets:02x?}");
        assert!(equal(&self.model, self.root, &value, lent), "{octets:02x?}\n{value:?}\n{lent:?}");
        let length = owned.encode(output).ok()?;
        let expected = output[..length].to_vec();
        for message in [&*lent, &own_strings] {
            assert_eq!(message.encode(output), Ok(length), "{octets:02x?}");
            assert_eq!(output[..length], expected, "{octets:02x?}");
        }
        Some(bits)
    }
}

fn sink<E: RuleSet>() -> usize
where
    owned::Message: Message<E>,
    for<'a> borrowed::Message<'a>: Lent<'a, E>,
{
    let source = roadwire_frontend::Source::new("sink.asn", roadwire_sink::SINK);
    let subject = Subject::new::<E>(&[source], "Sink.Message");
    subject.agree::<E, owned::Message, borrowed::Message<'_>>()
}

fn open_types<E: RuleSet>() -> usize
where
    open::Message: Message<E>,
    for<'a> open_borrowed::Message<'a>: Lent<'a, E>,
{
    let source = roadwire_frontend::Source::new("open.asn", roadwire_sink::OPEN);
    let subject = Subject::new::<E>(&[source], "Open.Message");
    subject.agree::<E, open::Message, open_borrowed::Message<'_>>()
}

#[test]
fn what_is_in_open_types() {
    for straight in [open_types::<Uper>(), open_types::<Aper>(), open_types::<Oer>(), open_types::<Coer>()] {
        assert!(straight > 1000, "{straight}");
    }
}

#[test]
fn constructs_that_road_messages_do_not_have() {
    // Most of these types were chosen because straight-line code leaves something in them to the
    // interpreter.
    for straight in [sink::<Uper>(), sink::<Aper>(), sink::<Oer>(), sink::<Coer>()] {
        assert!(straight > 200, "{straight}");
    }
}

/// Values of a schema's first PDU.
fn shipped<E: RuleSet>(name: &str) -> Subject {
    let mut schemas = roadwire_messages::SCHEMAS.iter().chain(roadwire_papers::SCHEMAS);
    let schema = schemas.find(|schema| schema.name == name).unwrap();
    let source = |(name, text): &(&str, &str)| roadwire_frontend::Source::new(*name, *text);
    Subject::new::<E>(&schema.modules.iter().map(source).collect::<Vec<_>>(), schema.pdu())
}

/// With the percentage of random values that straight-line code must handle without the
/// interpreter; lists of bits and extensions are left to the interpreter.
macro_rules! agreement {
    ($($test:ident: $module:ident $message:ident $name:literal $percent:literal $($rules:ident)*;)*) => { $(
        #[test]
        fn $test() {
            $({
                let subject = shipped::<$rules>($name);
                let straight = subject.agree::<$rules, $module::$message, $module::borrowed::$message<'_>>();
                println!("{straight} by straight-line code alone");
                assert!(straight > subject.values.len() * $percent / 100, "{straight}");
            })*
        }
    )* };
}

agreement! {
    the_binary_envelope: ts103097_1_2_1 SecuredMessage "ts103097-1.2.1" 95 Tls;
    the_binary_format_of_ieee_1609_2: ieee1609dot2_2013 SecuredData "ieee1609dot2-2013" 95 Tls;
    the_original_schema_of_2015: dot2_original_2015 SecuredData "dot2-original-2015" 90 Uper Oer;
    the_p_schema_of_2015: dot2_p_2015 SecuredData "dot2-p-2015" 90 Uper;
}
