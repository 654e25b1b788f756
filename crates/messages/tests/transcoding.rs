//! Every decoded value can be encoded again, under the same rules and under all others: on mutated
//! messages of the shipped schemas and of the generator's tests.

use roadwire_frontend::Source;
use roadwire_layout::{Family, Layout, Rules};
use roadwire_model::data::equal;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Kind, Model, TypeId, Value, check};
use roadwire_wire::{Error, ErrorKind};

const ROOM: usize = 1 << 20;

struct Subject {
    name: String,
    model: Model,
    root: TypeId,
    /// For each of the rules under which the type has a layout.
    layouts: Vec<Layout>,
}

impl Subject {
    fn new(modules: &[(&str, &str)], pdu: &str) -> Self {
        let sources: Vec<Source> = modules.iter().map(|(file, text)| Source::new(*file, *text)).collect();
        let model = roadwire_frontend::compile(&sources).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
        let root = model.find(pdu).unwrap();
        let is_asn1 = modules.iter().all(|(file, _)| file.ends_with(".asn"));
        let has = |rules: &Rules| if is_asn1 { rules.is_for_asn1() } else { matches!(rules, Rules::Tls | Rules::Jer) };
        let layouts =
            Rules::ALL.into_iter().filter(has).map(|rules| roadwire_layout::lower(&model, root, rules).unwrap());
        Subject { name: pdu.to_owned(), layouts: layouts.collect(), model, root }
    }

    /// Mutants of messages under each of the rules; accepted ones are encoded under all.
    fn check(&self) {
        let mut rng = Rng::new(0x7a45);
        let (mut taken, mut count) = (0, 0);
        for layout in &self.layouts {
            let pool = self.messages(layout, &mut rng);
            for _ in 0..150 {
                let octets = mutant(&pool, &mut rng);
                let mut value = Value::Unset;
                count += 1;
                if roadwire_engine::decode(layout, &octets, &mut value).is_ok() {
                    taken += 1;
                    self.layouts.iter().for_each(|other| self.encoded(layout, other, &value));
                }
            }
        }
        println!("{}: {taken} of {count} mutants were taken", self.name);
        assert!(taken > count / 20, "{}: {taken} of {count}", self.name);
    }

    fn messages(&self, layout: &Layout, rng: &mut Rng) -> Vec<Vec<u8>> {
        let settings =
            Settings { integer_bits: 62, max_elements: 4, max_length: 20, budget: 80, ..Settings::default() };
        let extensions = if is_schema_bound(layout.rules) { 0 } else { settings.extensions };
        let generator = Generator::new(&self.model, Settings { extensions, tagged: true, ..settings });
        let values: Vec<Value> = (0..25).map(|_| generator.value(self.root, rng)).collect();
        values.iter().filter_map(|value| roadwire_engine::encode_to_vec(layout, value, ROOM).ok()).collect()
    }

    fn encoded(&self, from: &Layout, to: &Layout, value: &Value) {
        let place = || format!("{} from {} to {}: {value:?}", self.name, from.rules, to.rules);
        // Unknown parts, and open types with octets, have a meaning only in their original
        // encoding.
        let portable = from.rules == to.rules || !holds_encoded(&self.model, self.root, value);
        let octets = match roadwire_engine::encode_to_vec(to, value, ROOM) {
            Ok(octets) => octets,
            Err(error) => {
                // Not all decoders check the forms of times and the parts of REAL (docs/limits.md).
                let broken = check::effective(&self.model, self.root, value);
                let unseen = broken.iter().any(|one| matches!(one.code, "text.form" | "real.range"));
                assert!(!portable || unseen || is_beyond(to.rules, &error), "{error}: {}", place());
                return;
            }
        };
        let mut back = Value::Unset;
        match roadwire_engine::decode(to, &octets, &mut back) {
            Ok(_) => {
                let again = || roadwire_engine::encode_to_vec(to, &back, ROOM).ok();
                let same = equal(&self.model, self.root, value, &back) || again().as_ref() == Some(&octets);
                assert!(!portable || same, "{} came back as {back:?}", place());
            }
            Err(error) => {
                let is_limit = matches!(error.kind, ErrorKind::TooLong { .. } | ErrorKind::TooDeep { .. });
                assert!(!portable || is_limit, "{error}: {}", place());
            }
        }
    }
}

/// Whether an encoding has no form for a value (docs/limits.md): XML has none for some characters,
/// EXI none outside of what is in its schema nor for minus zero, Protocol Buffers none for more
/// than 64 bits.
fn is_beyond(rules: Rules, error: &Error<'_>) -> bool {
    match error.kind {
        ErrorKind::TooDeep { .. } | ErrorKind::TooLong { .. } | ErrorKind::OutputFull { .. } => true,
        ErrorKind::Alphabet { code: 0xfffe | 0xffff } => rules.family() == Family::Xml,
        ErrorKind::IntegerWidth | ErrorKind::IntegerRange { .. } if rules == Rules::Protobuf => true,
        ErrorKind::IntegerWidth
        | ErrorKind::IntegerRange { .. }
        | ErrorKind::Size { .. }
        | ErrorKind::Missing
        | ErrorKind::Mismatch { .. } => is_schema_bound(rules),
        _ => false,
    }
}

fn is_schema_bound(rules: Rules) -> bool {
    rules.family() == Family::Events
}

fn holds_encoded(model: &Model, id: TypeId, value: &Value) -> bool {
    let inside = |id: TypeId, value: &Value| holds_encoded(model, id, value);
    match (&model.get(id).kind, value) {
        (Kind::Open { .. }, _) | (_, Value::UnknownChoice(_)) => true,
        (Kind::Enumerated(items), Value::Enumerated(ordinal)) => {
            *ordinal as usize >= items.root.len() + items.additions.len()
        }
        (Kind::Sequence { components, .. }, Value::Sequence { components: values, unknown }) => {
            let mut each = components.iter().zip(values);
            !unknown.is_empty()
                || each.any(|(component, value)| value.as_ref().is_some_and(|value| inside(component.type_id, value)))
        }
        (Kind::SequenceOf { element, .. }, Value::List(elements)) => elements.iter().any(|one| inside(*element, one)),
        (Kind::Choice { alternatives, .. }, Value::Choice(which, value)) => {
            alternatives.get(*which as usize).is_some_and(|one| inside(one.type_id, value))
        }
        (Kind::External(inner), value) => inside(*inner, value),
        _ => false,
    }
}

/// One of the messages with a few bits or octets changed.
fn mutant(pool: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut octets = pool[rng.below(pool.len() as u64) as usize].clone();
    for _ in 0..rng.below(3) {
        let at = rng.below(octets.len().max(1) as u64) as usize;
        let length = (rng.below(9) as usize).min(octets.len() - at);
        match rng.below(7) {
            0 => drop(octets.drain(at..at + length)),
            1 => {
                let piece = octets[at..at + length].to_vec();
                octets.splice(at..at, piece);
            }
            2 => octets.insert(at, rng.next_u64() as u8),
            3 => octets
                .get_mut(at)
                .into_iter()
                .for_each(|octet| *octet = [0, 1, 0x7f, 0x80, 0xff][rng.below(5) as usize]),
            _ => octets.get_mut(at).into_iter().for_each(|octet| *octet ^= 1 << rng.below(8)),
        }
    }
    octets
}

macro_rules! taken_is_encoded {
    ($($test:ident $schema:literal;)*) => { $(
        #[test]
        fn $test() {
            let schema = roadwire_messages::SCHEMAS.iter().chain(roadwire_papers::SCHEMAS).find(|schema| schema.name == $schema).unwrap();
            schema.pdus.iter().for_each(|pdu| Subject::new(schema.modules, pdu).check());
        }
    )* };
}

taken_is_encoded! {
    cam "cam-1.4.1";
    denm "denm-1.3.1";
    certificate "certificate-2017";
    etsi_envelope "etsi-envelope-2015";
    ieee1609dot2 "ieee1609dot2-2017";
    ts103097_1_1_1 "ts103097-1.1.1";
    ts103097_1_2_1 "ts103097-1.2.1";
}

#[test]
fn sink() {
    let modules = [("sink.asn", roadwire_sink::SINK)];
    ["Sink.Message", "Sink.Label", "Sink.Note"].into_iter().for_each(|pdu| Subject::new(&modules, pdu).check());
}

/// Addition groups in a SEQUENCE and in a SET.
#[test]
fn groups() {
    let text = "Groups DEFINITIONS AUTOMATIC TAGS ::= BEGIN Message ::= SEQUENCE { sequence Sequence, set Set }
        Sequence ::= SEQUENCE { a INTEGER (0..1), ..., [[ b INTEGER (0..1) DEFAULT 1, c BOOLEAN ]], d NULL, [[ e SEQUENCE OF BOOLEAN, f NULL OPTIONAL ]], ..., g NULL }
        Set ::= SET { a INTEGER (0..1), ..., [[ b INTEGER (0..1) DEFAULT 1, c BOOLEAN ]], d NULL, [[ e SEQUENCE OF BOOLEAN, f NULL OPTIONAL ]], ..., g NULL } END";
    Subject::new(&[("groups.asn", text)], "Groups.Message").check();
}
