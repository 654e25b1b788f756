//! The interpreter and the generated code agree for every leaf in every extent and presence: the
//! same octets, values and errors, on random values, on mutated messages, and in a build that
//! checks overflows. And every decoded value can be encoded again, in all encodings, and goes onto
//! a tape and back.

#[path = "support/settings.rs"]
mod settings;
mod support;

use std::marker::PhantomData;

use roadwire_constructs::{MODULE, module, pdus};
use roadwire_engine::Message;
use roadwire_layout::{Family, Layout, RuleSet, Rules};
use roadwire_model::data::equal;
use roadwire_model::random::{Generator, Rng};
use roadwire_model::{Model, TypeId, Value, check};
use roadwire_program::{Cursor, Frames, Tape};
use roadwire_wire::{Data, Error, ErrorKind, Rejected};
use settings::settings;
use support::mutant;

#[allow(
    clippy::all,
    missing_docs,
    non_camel_case_types,
    unreachable_pub,
    unreachable_code,
    unused_comparisons,
    dead_code
)]
// Each pair of needless brackets costs time: the compiler copies the file for it.
#[deny(unused_parens)]
mod generated {
    #[cfg(not(clippy))]
    include!(concat!(env!("OUT_DIR"), "/constructs.rs"));
    // Lints are only for the code around it.
    #[cfg(clippy)]
    include!(concat!(env!("OUT_DIR"), "/few.rs"));
}

#[cfg(not(clippy))]
include!(concat!(env!("OUT_DIR"), "/each.rs"));
#[cfg(clippy)]
include!(concat!(env!("OUT_DIR"), "/each_of_few.rs"));

/// A generated type under one set of rules. Common code is in functions that are compiled once.
trait Sample {
    fn data(&self) -> &dyn Data;
    fn data_mut(&mut self) -> &mut dyn Data;
    fn layout(&self) -> &'static Layout;
    fn encode(&self, output: &mut [u8]) -> Result<usize, Error<'static>>;
    fn encode_fast(&self, output: &mut [u8]) -> Result<usize, Rejected>;
    fn decode(&mut self, input: &[u8]) -> Result<usize, Error<'static>>;
    fn decode_fast(&mut self, input: &[u8]) -> Result<usize, Rejected>;
    fn put_on(&self, tape: &mut Tape, frames: &Frames) -> Result<(), Rejected>;
    fn fill_from(&mut self, part: Cursor<'_>) -> Result<(), Rejected>;
}

struct Generated<M, E>(M, PhantomData<E>);

impl<M: Message<E>, E> Sample for Generated<M, E> {
    fn data(&self) -> &dyn Data {
        &self.0
    }
    fn data_mut(&mut self) -> &mut dyn Data {
        &mut self.0
    }
    fn layout(&self) -> &'static Layout {
        M::layout()
    }
    fn encode(&self, output: &mut [u8]) -> Result<usize, Error<'static>> {
        self.0.encode(output)
    }
    fn encode_fast(&self, output: &mut [u8]) -> Result<usize, Rejected> {
        self.0.encode_fast(output)
    }
    fn decode(&mut self, input: &[u8]) -> Result<usize, Error<'static>> {
        self.0.decode(input)
    }
    fn decode_fast(&mut self, input: &[u8]) -> Result<usize, Rejected> {
        self.0.decode_fast(input)
    }
    fn put_on(&self, tape: &mut Tape, frames: &Frames) -> Result<(), Rejected> {
        tape.read_typed(frames, &self.0)
    }
    fn fill_from(&mut self, part: Cursor<'_>) -> Result<(), Rejected> {
        self.0.fill_from(part)
    }
}

/// How to make samples: one to be filled by the generated code, one by the interpreter.
type Make = fn() -> Box<dyn Sample>;

fn make<M: Message<E> + 'static, E: RuleSet + 'static>() -> Box<dyn Sample> {
    Box::new(Generated::<M, E>(M::default(), PhantomData))
}

macro_rules! tests {
    ($($test:ident $marker:ident;)*) => { $(
        #[test]
        fn $test() {
            use roadwire_layout::$marker as Marker;
            #[allow(unused_mut, reason = "some rules may have no PDU")]
            let mut samples: Vec<(&str, Make)> = Vec::new();
            macro_rules! add {
                ($name:ident) => {
                    samples.push((stringify!($name), make::<generated::$name, Marker>));
                };
            }
            each!($test, add);
            agree(Marker::RULES, &samples);
        }
    )* };
}

tests! {
    uper Uper;
    aper Aper;
    oer Oer;
    ber Ber;
    der Der;
    cer Cer;
    xer Xer;
    cxer Cxer;
    jer Jer;
    protobuf Protobuf;
    exi Exi;
    exi_default ExiDefault;
    cbor Cbor;
}

const ROOM: usize = 1 << 18;
const VALUES: usize = 45;
const MUTANTS: usize = 90;

fn agree(rules: Rules, samples: &[(&str, Make)]) {
    let source = roadwire_asn1::Source::new("constructs.asn", module(&pdus()).as_str());
    let model = roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    let (mut output, mut other) = (vec![0; ROOM], vec![0; ROOM]);
    for (name, make) in samples {
        let root = model.find(&format!("{MODULE}.{name}")).unwrap();
        let (output, other, frames) = (&mut output, &mut other, Frames::new(&model, root));
        Case { model: &model, root, rules, name, make: *make, filled: make(), frames, output, other }.all();
    }
}

struct Case<'a> {
    model: &'a Model,
    root: TypeId,
    rules: Rules,
    name: &'a str,
    make: Make,
    /// It is filled from tapes, each value over the one before.
    filled: Box<dyn Sample>,
    frames: Option<Frames>,
    output: &'a mut [u8],
    other: &'a mut [u8],
}

impl Case<'_> {
    fn all(&mut self) {
        let seed = self.name.bytes().fold(7, |seed: u64, octet| seed.wrapping_mul(31) + u64::from(octet));
        let mut rng = Rng::new(seed);
        let mut pool = Vec::new();
        for round in 0..VALUES {
            let value = Generator::new(self.model, settings(round)).value(self.root, &mut rng);
            pool.extend(self.value(&value));
        }
        for _ in 0..MUTANTS.min(pool.len() * 4) {
            let octets = mutant(&pool, [0, 0x7f, 0x80, 0xff], &mut rng);
            self.octets(&octets);
        }
    }

    fn value(&mut self, value: &Value) -> Option<Vec<u8>> {
        let layout = (self.make)().layout();
        let octets = match roadwire_engine::encode_to_vec(layout, value, ROOM) {
            Ok(octets) => octets,
            Err(error) if is_beyond(self.rules, &error) => return None,
            Err(error) => panic!("{} under {}: {error}: {value:?}", self.name, self.rules),
        };
        self.octets(&octets);
        let mut back = Value::Unset;
        roadwire_engine::decode(layout, &octets, &mut back).unwrap();
        let again = || roadwire_engine::encode_to_vec(layout, &back, ROOM).unwrap();
        assert!(
            equal(self.model, self.root, value, &back) || again() == octets,
            "{}: {value:?} is not {back:?}",
            self.name
        );
        Some(octets)
    }

    fn octets(&mut self, octets: &[u8]) {
        let (mut generated, mut interpreted) = ((self.make)(), (self.make)());
        let layout = generated.layout();
        let (name, rules) = (self.name, self.rules);
        let place = || format!("{name} under {rules}: {octets:02x?}");
        let wanted = roadwire_engine::decode(layout, octets, interpreted.data_mut());
        let fast = generated.decode_fast(octets);
        assert!(
            fast.is_err() || fast == wanted.as_ref().copied().map_err(|_| Rejected),
            "{} {fast:?} {wanted:?}",
            place()
        );
        assert_eq!(generated.decode(octets), wanted, "{}", place());
        let mut value = Value::Unset;
        let dynamic = roadwire_engine::decode(layout, octets, &mut value);
        // In EXI, a string that contains a type may be an element, of which a generated type has no
        // value.
        let is_content = self.name == "Contained" && self.rules.family() == Family::Events;
        let has_no_place = |kind: &ErrorKind| match kind {
            ErrorKind::IntegerWidth | ErrorKind::Capacity { .. } => true,
            ErrorKind::Mismatch { expected } => is_content && *expected == "a CHOICE with this alternative",
            _ => false,
        };
        if !matches!(&wanted, Err(error) if has_no_place(&error.kind)) {
            assert_eq!(dynamic, wanted, "{}", place());
        }
        if wanted.is_err() {
            return;
        }
        assert!(equal(self.model, self.root, generated.data(), interpreted.data()), "{}", place());
        assert!(equal(self.model, self.root, generated.data(), &value), "{} {value:?}", place());
        self.tape(&*generated);
        let broken = check::effective(self.model, self.root, &value);
        assert!(broken.iter().all(|one| matches!(one.code, "text.form" | "real.range")), "{} {broken:?}", place());
        let written = roadwire_engine::encode(layout, interpreted.data(), self.other)
            .unwrap_or_else(|error| panic!("{} {error}", place()));
        let found = generated.encode(self.output);
        // Generated code refuses values that break a constraint that the encoding rules do not take
        // into account.
        if let Some(first) = check::constraints(self.model, self.root, &value).first() {
            assert_eq!(found.map_err(|error| error.kind.to_string()), Err(first.message.clone()), "{}", place());
            return;
        }
        assert_eq!(found, Ok(written), "{}", place());
        assert_eq!(self.output[..written], self.other[..written], "{}", place());
        // An output with just enough room, and one without.
        if let Ok(count) = generated.encode_fast(&mut self.output[..written]) {
            assert_eq!((count, &self.output[..count]), (written, &self.other[..written]), "{}", place());
        }
        for room in written.saturating_sub(9)..written {
            assert!(generated.encode(&mut self.output[..room]).is_err(), "{}", place());
        }
    }
}

impl Case<'_> {
    /// A generated type goes onto a tape and comes back: part by part by its own code, and through
    /// its table of functions.
    fn tape(&mut self, generated: &dyn Sample) {
        let Some(frames) = &self.frames else { return };
        let (mut straight, mut walked) = (Tape::new(), Tape::new());
        let taken = generated.put_on(&mut straight, frames);
        let read = walked.read(frames, generated.data());
        // A type that holds the octets of a content goes onto no tape by its own code.
        let is_left = self.name == "Contained" && taken.is_err();
        assert!(taken == read || is_left, "{} under {}: {taken:?}, {read:?}", self.name, self.rules);
        if taken.is_err() {
            return;
        }
        for tape in [&straight, &walked] {
            let (mut value, mut walked, filled) = (Value::Unset, (self.make)(), &mut self.filled);
            let of_value = tape.root(frames).fill(&mut value);
            let results = [of_value, filled.fill_from(tape.root(frames)), tape.root(frames).fill(walked.data_mut())];
            assert_eq!(results, [Ok(()); 3], "{} under {}: {value:?}", self.name, self.rules);
            for found in [&value, filled.data(), walked.data()] {
                assert!(equal(self.model, self.root, found, generated.data()), "{}: {value:?}", self.name);
            }
        }
    }
}

/// Whether the encoding has no form for a value (docs/limits.md): XML has none for some characters,
/// EXI none outside of roots nor for minus zero, and a number in Protocol Buffers has 64 bits.
fn is_beyond(rules: Rules, error: &Error<'_>) -> bool {
    let is_exi = rules.family() == Family::Events;
    match error.kind {
        ErrorKind::IntegerWidth => is_exi || rules == Rules::Protobuf,
        ErrorKind::IntegerRange { lower, upper, .. } => {
            is_exi || rules == Rules::Protobuf && (lower, upper) == (i64::MIN.into(), i64::MAX.into())
        }
        ErrorKind::Size { .. } | ErrorKind::Mismatch { .. } => is_exi,
        ErrorKind::Alphabet { code: 0xfffe | 0xffff } => rules.family() == Family::Xml,
        _ => false,
    }
}
