//! Programs and the interpreter agree on random values and on mutated messages of every construct
//! and of every shipped schema: the same octets, and the same values wherever a program takes a
//! message.

#[path = "../../constructs/tests/support/mod.rs"]
mod support;

use roadwire_frontend::{Source, compile};
use roadwire_layout::{Layout, Rules, lower};
use roadwire_model::data::equal;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Model, TypeId, Value};
use roadwire_program::{Program, Tape};
use support::mutant;

const ROOM: usize = 1 << 18;

/// A type with a program.
struct Case<'a> {
    model: &'a Model,
    root: TypeId,
    name: &'a str,
    layout: Layout,
    program: Program,
    tape: Tape,
    /// How many messages it might have taken, and how many it decoded and encoded.
    counted: usize,
    taken: [usize; 2],
}

impl<'a> Case<'a> {
    fn new(model: &'a Model, root: TypeId, name: &'a str, rules: Rules) -> Option<Case<'a>> {
        let layout = lower(model, root, rules).unwrap();
        let program = Program::new(model, root, &layout)?;
        Some(Case { model, root, name, layout, program, tape: Tape::new(), counted: 0, taken: [0; 2] })
    }

    fn all(&mut self, values: usize) {
        let settings =
            Settings { contents: false, integer_bits: 62, boundary: 60, max_elements: 5, ..Settings::default() };
        let mut rng = Rng::new(self.name.bytes().fold(7, |seed: u64, octet| seed.wrapping_mul(31) + u64::from(octet)));
        let mut pool = Vec::new();
        for round in 0..values {
            let optional = [0, 100, 50][round % 3];
            let settings = Settings { extensions: [0, 0, 0, 50][round % 4], optional, ..settings.clone() };
            let value = Generator::new(self.model, settings).value(self.root, &mut rng);
            let octets = roadwire_engine::encode_to_vec(&self.layout, &value, ROOM).unwrap();
            self.value(&value, &octets);
            // One of four has additions, which programs for packed rules do not take.
            self.octets(&octets, round % 4 != 3 || self.layout.rules != Rules::Uper);
            pool.push(octets);
        }
        for _ in 0..values * 4 {
            let octets = mutant(&pool, [0, 0x7f, 0x80, 0xff], &mut rng);
            self.octets(&octets, false);
        }
        // A value that may be a DEFAULT list or choice is the interpreter's: a program does not
        // encode it, and in CBOR it does not decode it.
        let [decoded, encoded] = self.taken.map(|taken| taken * 100 / self.counted);
        println!("{}: {decoded} and {encoded} %", self.name);
        let least = match self.layout.rules {
            Rules::Cbor => 30,
            Rules::Protobuf => 100,
            _ => 60,
        };
        assert!(decoded >= least && encoded >= 30, "{}: decodes {decoded} %, encodes {encoded} %", self.name);
    }

    /// A value as it is before it is sent: a set has any order.
    fn value(&mut self, value: &Value, octets: &[u8]) {
        let (mut tape, mut output) = (Tape::new(), vec![0; octets.len() + 8]);
        if tape.read(self.program.frames(), value).is_ok() {
            if let Ok(count) = self.program.encode(&tape, &mut output) {
                assert_eq!(output[..count], *octets, "{}", self.name);
            }
        }
    }

    /// A message, which is counted if the program takes it.
    fn octets(&mut self, octets: &[u8], is_counted: bool) {
        let mut value = Value::Unset;
        let wanted = roadwire_engine::decode(&self.layout, octets, &mut value);
        let found = self.program.decode(octets, &mut self.tape);
        if let Ok(bits) = found {
            assert_eq!(wanted, Ok(bits), "{}: {octets:02x?}", self.name);
            let mut back = Value::Unset;
            self.tape.root(self.program.frames()).fill(&mut back).unwrap();
            // NaN is not equal to itself.
            if back != value {
                assert_eq!(format!("{back:?}"), format!("{value:?}"), "{}: {octets:02x?}", self.name);
            }
        } else if wanted.is_err() {
            return;
        }
        let mut read = Tape::new();
        if read.read(self.program.frames(), &value).is_err() {
            // It has an integer beyond 64 bits.
            assert!(found.is_err(), "{}: {octets:02x?}", self.name);
            return;
        }
        self.counted += usize::from(is_counted);
        self.taken[0] += usize::from(is_counted && found.is_ok());
        let mut back = Value::Unset;
        read.root(self.program.frames()).fill(&mut back).unwrap();
        assert!(equal(self.model, self.root, &back, &value), "{}: {octets:02x?}", self.name);
        let written = roadwire_engine::encode_to_vec(&self.layout, &value, ROOM).unwrap();
        for tape in [&read, &self.tape].into_iter().take(if found.is_ok() { 2 } else { 1 }) {
            let mut output = vec![0; written.len() + 8];
            if let Ok(count) = self.program.encode(tape, &mut output) {
                self.taken[1] += usize::from(is_counted && std::ptr::eq(tape, &read));
                assert_eq!(output[..count], written[..], "{}: {octets:02x?}", self.name);
            }
            for room in written.len().saturating_sub(9)..written.len() {
                assert!(self.program.encode(tape, &mut output[..room]).is_err(), "{}", self.name);
            }
        }
    }
}

/// Rules that have programs, and of how many constructs they have none.
const PROGRAMS: &[(Rules, usize)] = &[(Rules::Uper, 39), (Rules::Protobuf, 15), (Rules::Cbor, 15)];

/// Constructs that may have no program: integers beyond 64 bits, object identifiers, times and
/// contained values; under packed rules, also named bits of several lengths, characters beyond
/// ASCII, integers beyond 57 bits and REAL.
fn is_left(rules: Rules, construct: &str) -> bool {
    let is_packed = rules == Rules::Uper;
    is_packed && ["NamedBits", "Bmp", "Integer", "Real"].iter().any(|kind| construct.starts_with(kind))
        || ["IntegerEight", "IntegerEightMore", "IntegerSigned64More", "IntegerWide"].contains(&construct)
        || ["Identifier", "RelativeIdentifier", "Iri", "Utc", "Generalized", "Contained"].contains(&construct)
        || ["Day", "TimeOfDay", "DayAndTime", "Length", "Moment"].contains(&construct)
}

#[test]
fn constructs() {
    let pdus = roadwire_constructs::pdus();
    let source = Source::new("constructs.asn", roadwire_constructs::module(&pdus).as_str());
    let model = compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    for (rules, most) in PROGRAMS {
        let mut without = Vec::new();
        for pdu in &pdus {
            let root = model.find(&format!("{}.{}", roadwire_constructs::MODULE, pdu.name)).unwrap();
            match Case::new(&model, root, &pdu.name, *rules) {
                Some(mut case) => case.all(40),
                None => without.push(pdu.name.as_str()),
            }
        }
        assert_eq!(without.iter().find(|name| !is_left(*rules, name)), None, "{rules}");
        assert!(without.len() <= *most, "{rules}: {without:?}");
    }
}

#[test]
fn shipped() {
    let mut names = Vec::new();
    for schema in roadwire_messages::SCHEMAS {
        let sources: Vec<_> = schema.modules.iter().map(|(file, text)| Source::new(*file, *text)).collect();
        let model = compile(&sources).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
        for (pdu, (rules, _)) in schema.pdus.iter().flat_map(|pdu| PROGRAMS.iter().map(move |rules| (pdu, rules))) {
            if let Some(mut case) = Case::new(&model, model.find(pdu).unwrap(), pdu, *rules) {
                case.all(60);
                names.push((schema.name, *rules));
            }
        }
    }
    for name in ["cam-1.3.0", "cam-1.4.1", "denm-1.3.1", "denm-2.3.1", "vam-2.3.1"] {
        for (rules, _) in PROGRAMS {
            assert!(names.contains(&(name, *rules)), "{name} {rules}: {names:?}");
        }
    }
}

#[test]
fn an_unknown_alternative_is_not_an_addition_of_the_record_around_it() {
    let text = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { a CHOICE { b NULL, ... }, c BOOLEAN } END";
    let model = compile(&[Source::new("demo.asn", text)]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    let root = model.find("Demo.A").unwrap();
    let layout = lower(&model, root, Rules::Uper).unwrap();
    let mut value = Value::Unset;
    roadwire_engine::decode(&layout, &[0x80, 0x01, 0x00, 0x80], &mut value).unwrap();
    let program = Program::new(&model, root, &layout).unwrap();
    let (mut tape, mut back) = (Tape::new(), Value::Unset);
    tape.read(program.frames(), &value).unwrap();
    tape.root(program.frames()).fill(&mut back).unwrap();
    assert_eq!(back, value);
    assert!(program.encode(&tape, &mut [0; 16]).is_err());
}
