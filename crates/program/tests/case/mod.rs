//! A type whose program is held against the interpreter: random values, and mutated messages.

#[path = "../../../constructs/tests/support/mod.rs"]
mod support;

use std::env;
use std::sync::atomic::{AtomicUsize, Ordering};

use roadwire_layout::{Family, JsonNode, Layout, Node, Rules, lower, value_notation};
use roadwire_model::check::{self, Proven};
use roadwire_model::data::equal;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Language, Model, TypeId, Value};
use roadwire_program::{Program, Tape};
use support::mutant;

/// Rules that have programs, and of how many constructs they have none.
pub(crate) const PROGRAMS: &[(Rules, usize)] = &[
    (Rules::Uper, 20),
    (Rules::Aper, 20),
    (Rules::Oer, 18),
    (Rules::Coer, 18),
    (Rules::Ber, 17),
    (Rules::Der, 19),
    (Rules::Cer, 20),
    (Rules::Protobuf, 4),
    (Rules::Cbor, 4),
    (Rules::Jer, 3),
];

const ROOM: usize = 1 << 18;

/// How many messages were compared.
static COMPARED: AtomicUsize = AtomicUsize::new(0);

/// A type with a program.
pub(crate) struct Case<'a> {
    model: &'a Model,
    root: TypeId,
    name: &'a str,
    layout: Layout,
    /// Without constraints.
    open: Layout,
    program: Program,
    tape: Tape,
    /// The types of which a decoder that checks strings has checked all constraints.
    proven: Proven,
    /// How many decoded values keep all constraints, and of how many a tape says so.
    kept: [usize; 2],
    /// How many messages it might have taken, and how many it decoded and encoded.
    counted: usize,
    taken: [usize; 2],
    /// Layouts for text with and without constraints, and their programs; how many texts there
    /// might have been, and how many were written.
    texts: Vec<(Layout, Program)>,
    texts_counted: [usize; 2],
}

impl<'a> Case<'a> {
    pub(crate) fn new(model: &'a Model, root: TypeId, name: &'a str, rules: Rules) -> Option<Case<'a>> {
        // A module in the presentation language has no tags.
        Case::of(model, root, name, lower(model, root, rules).ok()?)
    }

    pub(crate) fn of(model: &'a Model, root: TypeId, name: &'a str, layout: Layout) -> Option<Case<'a>> {
        let program = Program::new(model, root, &layout)?;
        let (open, proven) = (layout.for_open_reading(), Proven::with_strings(model));
        let with_program = |layout: Layout| Some((Program::new(model, root, &layout)?, layout));
        let texts = [lower(model, root, Rules::Jer), value_notation(model, root, true)].map(Result::unwrap);
        // In JER, fields that depend on others are the interpreter's.
        let is_whole = |node: &Node| !matches!(node, Node::Json(JsonNode::Conditional { .. }));
        let wanted = texts.iter().filter(|layout| layout.nodes.iter().all(is_whole)).count();
        let texts: Vec<_> =
            texts.into_iter().filter_map(with_program).map(|(program, layout)| (layout, program)).collect();
        assert_eq!(texts.len(), wanted, "{name}: what has frames has a program for text");
        let (tape, taken, texts_counted) = (Tape::new(), [0; 2], [0; 2]);
        Some(Case {
            model,
            root,
            name,
            layout,
            open,
            program,
            tape,
            proven,
            kept: [0; 2],
            counted: 0,
            taken,
            texts,
            texts_counted,
        })
    }

    pub(crate) fn all(&mut self, values: usize) {
        let times = env::var("ROADWIRE_TIMES").map_or(1, |times| times.parse().expect("a number"));
        let (values, tagged) = (values * times, self.layout.rules.family() == Family::Tlv);
        let settings = Settings { integer_bits: 62, boundary: 60, max_elements: 5, tagged, ..Settings::default() };
        let mut rng = Rng::new(self.name.bytes().fold(7, |seed: u64, octet| seed.wrapping_mul(31) + u64::from(octet)));
        let mut pool = Vec::new();
        for round in 0..values {
            let optional = [0, 100, 50][round % 3];
            let open_types = round % 5 != 4;
            let settings = Settings { extensions: [0, 0, 0, 50][round % 4], optional, open_types, ..settings.clone() };
            let value = Generator::new(self.model, settings).value(self.root, &mut rng);
            // For a few constraints no value is found.
            let Ok(octets) = roadwire_engine::encode_to_vec(&self.layout, &value, ROOM) else { continue };
            self.value(&value, &octets);
            // One of four has additions, which programs for packed rules and for text do not take.
            let rules = self.layout.rules;
            let takes_additions = rules.family() != Family::Packed && rules != Rules::Jer;
            self.octets(&octets, round % 4 != 3 || takes_additions);
            pool.push(octets);
        }
        assert!(pool.len() * 10 >= values * 9, "{}: {} of {values} values", self.name, pool.len());
        let four = if self.layout.rules.is_text() { *b"09Fz" } else { [0, 0x7f, 0x80, 0xff] };
        for _ in 0..values * 4 {
            let octets = mutant(&pool, four, &mut rng);
            self.octets(&octets, false);
        }
        // A value that may be a DEFAULT list or choice is the interpreter's: a program does not
        // encode it, and in CBOR it does not decode it.
        let [decoded, encoded] = self.taken.map(|taken| taken * 100 / self.counted);
        let compared = COMPARED.fetch_add(values * 5, Ordering::Relaxed) + values * 5;
        println!("{}: {decoded} and {encoded} %; {compared} messages until now", self.name);
        // Items may have numbers of several octets, and sets are sorted; some integers are mostly
        // outside an extensible range.
        let is_rare = ["Integer", "Item", "SetOf"].iter().any(|kind| self.name.starts_with(kind));
        let (decodes, encodes) = match self.layout.rules.family() {
            // Times of 64 bits are often beyond 63.
            Family::Fields => (40, 30),
            Family::Cbor => (30, 30),
            Family::Json => (0, 30),
            Family::Packed | Family::Octet if is_rare => (15, 0),
            Family::Tlv => (40, 30),
            Family::Packed | Family::Octet => (60, 30),
            Family::Xml | Family::Events | Family::Vectors => (100, 100),
        };
        assert!(decoded >= decodes && encoded >= encodes, "{}: decodes {decoded} %, encodes {encoded} %", self.name);
        // Decoders leave out the constraints of some leaves.
        let is_unchecked = ["Real", "High", "Marked", "Either"].iter().any(|kind| self.name.starts_with(kind));
        let is_unchecked = is_unchecked || self.model.language == Language::Presentation;
        assert!(self.kept[0] == self.kept[1] || is_unchecked, "{}: {:?} values are kept", self.name, self.kept);
        let [written, texts] = self.texts_counted;
        assert!(written * 100 >= texts * 30, "{}: {written} of {texts} texts", self.name);
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

    /// A message that breaks constraints: what is read of it without them is not written either,
    /// unless the interpreter writes it and nothing else is to be checked.
    fn broken(&mut self, octets: &[u8]) {
        let mut value = Value::Unset;
        let (mut tape, mut output) = (Tape::new(), vec![0; 1 << 14]);
        if roadwire_engine::decode(&self.open, octets, &mut value).is_err()
            || tape.read(self.program.frames(), &value).is_err()
        {
            return;
        }
        if let Ok(count) = self.program.encode(&tape, &mut output) {
            let written = roadwire_engine::encode_to_vec(&self.layout, &value, ROOM);
            assert_eq!(written.as_deref(), Ok(&output[..count]), "{}: {octets:02x?}", self.name);
            if self.keeps(&tape) {
                assert_eq!(check::value(self.model, self.root, &value), [], "{}: {octets:02x?}", self.name);
            }
        }
    }

    /// Whether the value on a tape keeps the constraints that programs do not check.
    fn keeps(&self, tape: &Tape) -> bool {
        self.proven.holds_of_part(self.model, self.root, tape.root(self.program.frames()))
    }

    /// A message, which is counted if the program takes it.
    fn octets(&mut self, octets: &[u8], is_counted: bool) {
        let mut value = Value::Unset;
        let wanted = roadwire_engine::decode(&self.layout, octets, &mut value);
        // The first message of a shape, and the second one.
        let first = self.program.decode(octets, &mut self.tape);
        let found = self.program.decode(octets, &mut self.tape);
        assert_eq!(first, found, "{}: {octets:02x?}", self.name);
        if let Ok(bits) = found {
            assert_eq!(wanted, Ok(bits), "{}: {octets:02x?}", self.name);
            let mut back = Value::Unset;
            self.tape
                .root(self.program.frames())
                .fill(&mut back)
                .unwrap_or_else(|_| panic!("{} {:?}: {value:?}", self.name, self.layout.rules));
            // Not a number is not equal to itself.
            let is_same = back == value || format!("{back:?}") == format!("{value:?}");
            assert!(is_same, "{}: {octets:02x?}: {back:?}, not {value:?}", self.name);
            let broken = check::decoded(self.model, self.root, &value);
            self.kept[0] += usize::from(broken.is_empty());
            if self.keeps(&self.tape) {
                self.kept[1] += 1;
                assert_eq!(broken, [], "{}: {octets:02x?}", self.name);
            }
        } else if wanted.is_err() {
            return self.broken(octets);
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
        let is_same = equal(self.model, self.root, &back, &value) || format!("{back:?}") == format!("{value:?}");
        assert!(is_same, "{}: {octets:02x?}: {back:?}, not {value:?}", self.name);
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
        self.text(&read, &value);
        if found.is_ok() {
            let tape = std::mem::take(&mut self.tape);
            self.text(&tape, &value);
            self.tape = tape;
        }
    }

    /// A tape as text.
    fn text(&mut self, tape: &Tape, value: &Value) {
        for (layout, program) in &self.texts {
            let wanted = roadwire_engine::encode_to_vec(layout, value, ROOM).ok();
            let mut output = vec![0; wanted.as_ref().map_or(ROOM, Vec::len)];
            let found = program.encode(tape, &mut output).ok().and_then(|count| output.get(..count));
            let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
            let (wanted, found) = (wanted.as_deref().map(text), found.map(text));
            // Additions of a later version are the interpreter's.
            let is_counted = wanted.as_ref().is_some_and(|wanted| !wanted.contains("\"..."));
            self.texts_counted[0] += usize::from(is_counted && found.is_some());
            self.texts_counted[1] += usize::from(is_counted);
            assert!(found.is_none() || found == wanted, "{}: {found:?}, not {wanted:?}", self.name);
        }
    }
}
