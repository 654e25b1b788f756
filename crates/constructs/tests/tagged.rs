//! The interpreter and the generated code agree on types with tags of their own (`src/tagged.asn`),
//! and straight-line code has all that it should have of them.

mod support;

use std::fmt::Debug;

use roadwire_constructs::TAGGED;
use roadwire_engine::{Message, encode_to_vec};
use roadwire_layout::{Ber, Cbor, Cer, Der, Family, Layout, Protobuf, RuleSet, Rules};
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Model, TypeId};
use support::mutant;

#[allow(clippy::all, missing_docs, non_camel_case_types, unreachable_pub, dead_code)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/tagged.rs"));
}

const ROOM: usize = 1 << 18;
const VALUES: usize = 60;

struct Case<'m, M> {
    model: &'m Model,
    root: TypeId,
    layout: Layout,
    name: &'static str,
    interpreted: M,
    generated: M,
}

impl<M> Case<'_, M> {
    fn all<E: RuleSet>(&mut self)
    where
        M: Message<E> + PartialEq + Debug,
    {
        let is_tagged = E::RULES.family() == Family::Tlv;
        let mut rng = Rng::new(self.name.bytes().fold(3, |seed: u64, octet| seed.wrapping_mul(31) + u64::from(octet)));
        let mut pool = Vec::new();
        // Extension additions: none, known ones, and those of a later version.
        for (extensions, unknown) in [(0, 0), (50, 0), (50, if is_tagged { 20 } else { 0 })] {
            let settings = Settings {
                extensions,
                unknown,
                tagged: is_tagged,
                integer_bits: 62,
                boundary: 40,
                max_elements: 5,
                max_length: 70,
                budget: 200,
                open_types: true,
                ..Settings::default()
            };
            let generator = Generator::new(self.model, settings);
            let root = self.root;
            for value in (0..VALUES).filter_map(|_| generator.try_value(root, &mut rng)) {
                let Ok(octets) = encode_to_vec(&self.layout, &value, ROOM) else { continue };
                let place = format!("{} under {}: {value:?}", self.name, E::RULES);
                let is_straight = self.octets::<E>(&octets, &place);
                // A SET with additions of a later version is the interpreter's where its order is
                // that of tags.
                let is_ordered = self.name == "Sets" && E::RULES != Rules::Ber;
                let has_all = is_tagged && self.name != "Leaves" && (unknown == 0 || !is_ordered);
                assert!(is_straight || !has_all, "the interpreter decoded or encoded {place}");
                pool.push(octets);
            }
        }
        for _ in 0..pool.len() * 4 {
            let octets = mutant(&pool, [0, 0x7f, 0x80, 0xff], &mut rng);
            self.octets::<E>(&octets, &format!("{} under {}: {octets:02x?}", self.name, E::RULES));
        }
    }

    /// Decodes octets and encodes the value; returns whether straight-line code did both.
    fn octets<E: RuleSet>(&mut self, octets: &[u8], place: &str) -> bool
    where
        M: Message<E> + PartialEq + Debug,
    {
        let wanted = roadwire_engine::decode(<M as Message<E>>::layout(), octets, &mut self.interpreted);
        let fast = Message::<E>::decode_fast(&mut self.generated, octets);
        assert!(fast.is_err() || fast.ok() == wanted.as_ref().ok().copied(), "{place}: {fast:?}, {wanted:?}");
        assert_eq!(Message::<E>::decode(&mut self.generated, octets), wanted, "{place}");
        if wanted.is_err() {
            return false;
        }
        // A REAL may be no number, which is not equal to itself.
        let has_nan = || format!("{:?}", self.generated).contains("NaN");
        assert!(self.generated == self.interpreted || has_nan(), "{place}: {:?}", self.generated);
        let (mut output, mut other) = (vec![0; ROOM], vec![0; ROOM]);
        let encoded = Message::<E>::encode(&self.generated, &mut output);
        let interpreted = roadwire_engine::encode(<M as Message<E>>::layout(), &self.generated, &mut other);
        assert_eq!(encoded, interpreted, "{place}");
        assert_eq!(output, other, "{place}");
        fast.is_ok() && Message::<E>::encode_fast(&self.generated, &mut output).is_ok()
    }
}

fn agree<M: Message<E> + PartialEq + Debug, E: RuleSet>(name: &'static str) {
    let source = roadwire_asn1::Source::new("tagged.asn", TAGGED);
    let model = roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    let root = model.find(&format!("Tagged.{name}")).unwrap();
    let layout = roadwire_layout::lower(&model, root, E::RULES).unwrap();
    Case { model: &model, root, layout, name, interpreted: M::default(), generated: M::default() }.all::<E>();
}

macro_rules! tests {
    ($($test:ident $marker:ident;)*) => { $(
        #[test]
        fn $test() {
            agree::<generated::High, $marker>("High");
            agree::<generated::Sets, $marker>("Sets");
            agree::<generated::Tree, $marker>("Tree");
            agree::<generated::Leaves, $marker>("Leaves");
            agree::<generated::Opens, $marker>("Opens");
        }
    )* };
}

tests! {
    ber Ber;
    der Der;
    cer Cer;
    cbor Cbor;
    protobuf Protobuf;
}

/// A message that nests deeper than the interpreter allows is refused by both.
#[test]
fn deep_messages_are_the_interpreter_s() {
    for depth in [40, 98, 99, 100, 101, 200] {
        // Each level is the left tree of the one above it.
        let octets = (0..depth).fold(vec![2u8, 1, 7], |inner, _| {
            let mut outer = vec![2, 1, 7, 0xa0, 0x82, (inner.len() >> 8) as u8, inner.len() as u8];
            outer.extend(inner);
            outer
        });
        let octets = [&[0x30, 0x82, (octets.len() >> 8) as u8, octets.len() as u8], &octets[..]].concat();
        let (mut interpreted, mut generated) = (generated::Tree::default(), generated::Tree::default());
        let layout = <generated::Tree as Message<Ber>>::layout();
        let wanted = roadwire_engine::decode(layout, &octets, &mut interpreted);
        assert_eq!(wanted.is_ok(), depth < 100, "{depth}");
        assert_eq!(Message::<Ber>::decode(&mut generated, &octets), wanted, "{depth}");
        assert_eq!(Message::<Ber>::decode_fast(&mut generated, &octets).is_ok(), depth < 99, "{depth}");
    }
}
