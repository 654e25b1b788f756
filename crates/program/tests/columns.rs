//! A tape fills columns as the walk over a value does: random values of every construct and of
//! every shipped schema, with all columns and with some, with rows that are refused, and many rows.
//! It takes rows of columns as a value does: those of the same columns, and of columns that are
//! changed, most of whose rows have a fault.

#[path = "../../columns/tests/support/changed.rs"]
mod changed;

use roadwire_columns::arrays::RecordBatch;
use roadwire_columns::fields::{DataType, Field, Fields};
use roadwire_columns::{Columns, Rows};
use roadwire_frontend::{Source, compile};
use roadwire_layout::{Family, Layout, Rules, lower};
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Model, TypeId, Value};
use roadwire_program::{Frames, Program, Tape};
use roadwire_wire::{Part as _, SourceCells};

use self::changed::Changes;

const ROOM: usize = 1 << 18;

fn model(text: &str) -> Model {
    compile(&[Source::new("demo.asn", text)]).unwrap_or_else(|errors| panic!("{}", errors.render())).model
}

/// A type with frames, and messages of it.
struct Case<'a> {
    model: &'a Model,
    root: TypeId,
    name: String,
    frames: Frames,
    program: Option<Program>,
    layout: Layout,
    rng: Rng,
    values: Vec<(Value, Vec<u8>)>,
    /// How many of them were decoded onto a tape; the others are read from their values.
    decoded: usize,
    /// How many rows of columns were taken.
    taken: usize,
    /// How many of them were encoded by the program.
    encoded: usize,
    /// How many of them without a DEFAULT that they had.
    without_defaults: usize,
}

impl<'a> Case<'a> {
    fn new(model: &'a Model, root: TypeId, name: &str, rules: Rules, values: usize) -> Option<Case<'a>> {
        let layout = lower(model, root, rules).ok()?;
        let (frames, program) = (Frames::new(model, root)?, Program::new(model, root, &layout));
        let mut rng = Rng::new(name.bytes().fold(5, |seed: u64, octet| seed.wrapping_mul(31) + u64::from(octet)));
        let tagged = rules.family() == Family::Tlv;
        let settings = Settings {
            integer_bits: 62,
            boundary: 60,
            max_elements: 5,
            open_types: true,
            tagged,
            ..Settings::default()
        };
        let mut messages = Vec::new();
        for round in 0..values {
            let optional = [0, 100, 50][round % 3];
            let settings = Settings { extensions: [0, 0, 0, 50][round % 4], optional, ..settings.clone() };
            let value = Generator::new(model, settings).value(root, &mut rng);
            let octets = roadwire_engine::encode_to_vec(&layout, &value, ROOM).unwrap();
            let mut back = Value::Unset;
            roadwire_engine::decode(&layout, &octets, &mut back).unwrap();
            messages.push((back, octets));
        }
        let name = format!("{name} {rules}");
        Some(Case {
            model,
            root,
            name,
            frames,
            program,
            layout,
            rng,
            values: messages,
            decoded: 0,
            taken: 0,
            encoded: 0,
            without_defaults: 0,
        })
    }

    /// Fills all columns, and then some, with rows that have no value among them.
    fn all(&mut self) {
        let Ok(columns) = Columns::new(self.model, self.root, &[]) else { return };
        let paths = paths(columns.schema().fields());
        self.fill(columns.clone(), 1);
        self.fill(columns.clone().nullable(), 3);
        self.fill(columns.with_gaps(), 1);
        for count in 1..4 {
            let chosen: Vec<&str> =
                (0..count).map(|_| paths[self.rng.below(paths.len() as u64) as usize].as_str()).collect();
            // A root that is no SEQUENCE or CHOICE has no path.
            if let Ok(some) = Columns::new(self.model, self.root, &chosen) {
                self.fill(some, 2);
            }
        }
    }

    fn fill(&mut self, columns: Columns, times: usize) {
        let (mut taped, mut walked) = (columns.clone(), columns);
        let mut tape = Tape::new();
        for (round, (value, octets)) in (0..times).flat_map(|round| self.values.iter().map(move |one| (round, one))) {
            let program = self.program.as_ref().filter(|program| program.decode(octets, &mut tape).is_ok());
            self.decoded += usize::from(program.is_some());
            if program.is_none() && tape.read(&self.frames, value).is_err() {
                continue;
            }
            let pushed = taped.push_part(tape.root(program.map_or(&self.frames, Program::frames)));
            assert_eq!(format!("{pushed:?}"), format!("{:?}", walked.push(value)), "{}: {value:?}", self.name);
            match self.rng.below(9) {
                0 => [&mut taped, &mut walked].map(Columns::skip),
                1 if round > 0 => [&mut taped, &mut walked].map(Columns::pop),
                _ => [(), ()],
            };
        }
        // A DEFAULT beyond 64 bits is on no tape; an object identifier is text in a column.
        let is_walked =
            self.name.contains("Identifier") || self.name.starts_with("Integer") && self.name.contains("More");
        assert!(taped.walked() == 0 || is_walked, "{}: {}", self.name, taped.walked());
        assert_eq!(taped.rows(), walked.rows(), "{}", self.name);
        let batch = taped.finish().unwrap();
        same(&batch, &walked.finish().unwrap(), &self.name);
        for (one_in, widen) in [(0, false), (0, true), (3, false), (20, true), (200, false)] {
            let first = self.rng.below(batch.num_rows() as u64 + 1) as usize;
            let changed = Changes { rng: &mut self.rng, one_in, widen }.of(&batch, first);
            self.take(&changed);
        }
    }

    /// Takes rows back to a tape, and by way of values.
    fn take(&mut self, batch: &RecordBatch) {
        // Some columns alone are no value.
        let Ok(rows) = Rows::new(self.model, self.root, batch) else { return };
        let sources = rows.sources();
        let taker = self.frames.taker(&sources).unwrap_or_else(|| panic!("{}", self.name));
        let (mut taken, mut read, mut room) = (Tape::new(), Tape::new(), vec![0; 1 << 14]);
        // Digits, and the text of object identifiers, are no words.
        let has_rare = sources.iter().any(|one| matches!(one.cells, SourceCells::None) && !one.is_absent());
        for row in 0..rows.len() {
            let value = rows.value(row);
            let value = value.as_ref().ok().filter(|value| read.read(&self.frames, *value).is_ok());
            let is_taken = taker.take(row, &mut taken).is_ok();
            if has_rare && !is_taken {
                continue;
            }
            assert_eq!(is_taken, value.is_some(), "{}, row {row}: {:?}", self.name, rows.value(row));
            let Some(value) = value else { continue };
            let octets = self.program.as_ref().and_then(|program| program.encode(&taken, &mut room).ok());
            if let Some(octets) = octets.and_then(|count| room.get(..count)) {
                let wanted = roadwire_engine::encode_to_vec(&self.layout, value, ROOM);
                assert_eq!(wanted.as_deref(), Ok(octets), "{}, row {row}: {value:?}", self.name);
                self.encoded += 1;
            }
            let [taken, read] = [&taken, &read].map(|tape| {
                let mut back = Value::Unset;
                tape.root(&self.frames).fill(&mut back).unwrap();
                back
            });
            self.taken += 1;
            if taken == read {
                continue;
            }
            // A DEFAULT is left out, as encoders do.
            self.without_defaults += 1;
            let [taken, read] = [taken, read].map(|value| roadwire_engine::encode_to_vec(&self.layout, &value, ROOM));
            assert_eq!(taken, read, "{}, row {row}: {value:?}", self.name);
        }
    }
}

fn same(found: &RecordBatch, wanted: &RecordBatch, name: &str) {
    assert_eq!(found.schema(), wanted.schema(), "{name}");
    for (at, (found, wanted)) in found.columns().iter().zip(wanted.columns()).enumerate() {
        assert_eq!(found, wanted, "{name}, column {at}");
    }
}

/// The paths of all fields.
fn paths(fields: &Fields) -> Vec<String> {
    fn add(field: &Field, around: &str, paths: &mut Vec<String>) {
        let path = if around.is_empty() { field.name().clone() } else { format!("{around}.{}", field.name()) };
        paths.push(path.clone());
        parts(field.data_type(), &path, paths);
    }
    fn parts(of: &DataType, path: &str, paths: &mut Vec<String>) {
        match of {
            DataType::Struct(fields) => fields.iter().for_each(|field| add(field, path, paths)),
            DataType::List(element) => parts(element.data_type(), path, paths),
            _ => {}
        }
    }
    let mut paths = Vec::new();
    fields.iter().for_each(|field| add(field, "", &mut paths));
    paths
}

/// Where frames do not depend on the rules, one set of each kind is enough.
const RULES: &[Rules] = &[Rules::Uper, Rules::Der, Rules::Protobuf];

#[test]
fn constructs() {
    let pdus = roadwire_constructs::pdus();
    let model = model(&roadwire_constructs::module(&pdus));
    let (mut decoded, mut taken, mut types) = (0, 0, 0);
    for pdu in &pdus {
        let root = model.find(&format!("{}.{}", roadwire_constructs::MODULE, pdu.name)).unwrap();
        for mut case in RULES.iter().filter_map(|rules| Case::new(&model, root, &pdu.name, *rules, 24)) {
            case.all();
            (decoded, taken) = (decoded + case.decoded, taken + case.encoded);
            types += 1;
        }
    }
    assert!(types > 350 && decoded > types * 80, "{types} types, {decoded} rows");
    assert!(taken > types * 80, "{types} types, {taken} rows encoded");
}

#[test]
fn shipped() {
    for schema in roadwire_messages::SCHEMAS {
        let sources: Vec<_> = schema.modules.iter().map(|(file, text)| Source::new(*file, *text)).collect();
        let model = compile(&sources).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
        for (pdu, rules) in schema.pdus.iter().flat_map(|pdu| RULES[..2].iter().map(move |rules| (pdu, *rules))) {
            Case::new(&model, model.find(pdu).unwrap(), pdu, rules, 24).into_iter().for_each(|mut case| case.all());
        }
    }
}

/// DEFAULT values of all kinds, a record that is too large to be inside another one, parts that
/// have no words, and lists of all of these.
const RARE: &str = "Rare DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Rare ::= SEQUENCE {
        a SEQUENCE OF Defaults,
        b SEQUENCE { large Large, end BOOLEAN },
        c SEQUENCE OF SEQUENCE { large Large OPTIONAL, large2 Large },
        d Absent OPTIONAL,
        e SEQUENCE OF Absent,
        f Either,
        g SEQUENCE OF Either,
        h SEQUENCE OF SEQUENCE OF SEQUENCE { a INTEGER (0..9) OPTIONAL, b SEQUENCE OF Either OPTIONAL }
    }
    Defaults ::= SEQUENCE {
        integer INTEGER (-9..9) DEFAULT 7,
        boolean BOOLEAN DEFAULT TRUE,
        item ENUMERATED { a, b, c } DEFAULT c,
        later ENUMERATED { a, b, c, ... } DEFAULT b,
        octets OCTET STRING (SIZE (0..9)) DEFAULT '0102'H,
        bits BIT STRING (SIZE (12)) DEFAULT '012'H,
        text IA5String (SIZE (0..9)) DEFAULT \"text\",
        list SEQUENCE OF INTEGER (0..9) DEFAULT { 1, 2, 3 },
        none NULL DEFAULT NULL,
        choice Either DEFAULT number : 5,
        inside SEQUENCE { only INTEGER (0..9) } DEFAULT { only 4 },
        outside SEQUENCE { x INTEGER (0..9) OPTIONAL, y Either, z INTEGER (0..9) DEFAULT 3 } DEFAULT { y text : \"y\" },
        ...,
        added INTEGER (0..9) DEFAULT 2
    }
    Absent ::= SEQUENCE { n NULL OPTIONAL, e Empty OPTIONAL, m SEQUENCE { l SEQUENCE (SIZE (0..3)) OF NULL, x SEQUENCE (SIZE (0..3)) OF Empty } }
    Empty ::= SEQUENCE { ... }
    Either ::= CHOICE { number INTEGER (0..255), text UTF8String (SIZE (0..5)), pair SEQUENCE { a BOOLEAN, b BOOLEAN },
        empty Empty, in CHOICE { n NULL, list SEQUENCE OF BOOLEAN, ... }, ... }
    Twelve ::= SEQUENCE { a U, b U, c U, d U, e U, f U, g U, h U, i U, j U, k U, l U OPTIONAL }
    U ::= INTEGER (0..70000)
    Many ::= SEQUENCE { a Twelve, b Twelve, c Twelve, d Twelve, e Twelve OPTIONAL, f Twelve, g Twelve, h Twelve }
    Large ::= SEQUENCE { a Many, b Many, c Many, d Many }
END";

#[test]
fn rare_forms() {
    let model = model(RARE);
    for rules in RULES {
        for name in ["Large", "Absent", "Either", "Defaults", "Rare"] {
            let root = model.find(&format!("Rare.{name}")).unwrap();
            let mut case = Case::new(&model, root, name, *rules, 60).unwrap_or_else(|| panic!("{name} {rules}"));
            case.all();
            // No program takes a list of parts without a content: these are read from values.
            let is_taken = !["Absent", "Rare"].contains(&name);
            assert!(case.decoded > 60 || !is_taken, "{name} {rules}: {}", case.decoded);
            assert_eq!(case.without_defaults > 60, name == "Defaults" || name == "Rare", "{}", case.without_defaults);
        }
    }
}

/// Messages with integers up to a bound, and these items.
fn bounded(upper: u32, items: &str) -> Model {
    let text = format!(
        "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
            T ::= SEQUENCE {{ first N OPTIONAL, list SEQUENCE (SIZE (0..3)) OF P, last N, text UTF8String (SIZE (0..4)) }}
            P ::= SEQUENCE {{ a N OPTIONAL, c CHOICE {{ n N, o OCTET STRING (SIZE (0..3)) }}, l SEQUENCE (SIZE (0..2)) OF N, z N, i I }}
            N ::= INTEGER (0..{upper})
            I ::= ENUMERATED {{ {items} }}
        END"
    );
    model(&text)
}

#[test]
fn rows_that_are_refused_leave_nothing() {
    let (wide, narrow) = (bounded(262, "a, b, c, d, e, f, g, h, i"), bounded(255, "a, b, c, d, e, f, g, h"));
    let root = wide.find("Demo.T").unwrap();
    let mut case = Case::new(&wide, root, "T", Rules::Uper, 400).unwrap();
    let columns = Columns::new(&narrow, narrow.find("Demo.T").unwrap(), &[]).unwrap().nullable();
    let (mut taped, mut walked, mut tape, mut refused) = (columns.clone(), columns, Tape::new(), 0);
    for (value, _) in &case.values {
        tape.read(&case.frames, value).unwrap();
        let pushed = taped.push_part(tape.root(&case.frames));
        refused += usize::from(pushed.is_err());
        assert_eq!(format!("{pushed:?}"), format!("{:?}", walked.push(value)));
        if case.rng.below(5) == 0 {
            taped.skip();
            walked.skip();
        }
    }
    assert!((40..360).contains(&refused) && taped.walked() == 0, "{refused}, {}", taped.walked());
    same(&taped.finish().unwrap(), &walked.finish().unwrap(), "narrow");
}

#[test]
fn columns_of_another_type_take_nothing() {
    let model = model(
        "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        T ::= SEQUENCE { p P, q BOOLEAN }
        P ::= SEQUENCE { a INTEGER (0..9), b SEQUENCE OF INTEGER (0..9) }
        Same ::= SEQUENCE { p SEQUENCE { a OCTET STRING, b SEQUENCE OF BOOLEAN }, q BOOLEAN }
    END",
    );
    let [t, p, same] = ["T", "P", "Same"].map(|name| model.find(&format!("Demo.{name}")).unwrap());
    let layout = lower(&model, t, Rules::Uper).unwrap();
    let program = Program::new(&model, t, &layout).unwrap();
    let list = Value::List(vec![Value::from(3), Value::from(4)]);
    let value = Value::sequence([Some(Value::sequence([Some(5.into()), Some(list)])), Some(Value::Boolean(true))]);
    let mut tape = Tape::new();
    tape.read(program.frames(), &value).unwrap();
    let root = tape.root(program.frames());
    for other in [p, same] {
        let mut columns = Columns::new(&model, other, &[]).unwrap();
        assert_eq!(columns.push_part(root).unwrap_err().code, "columns.value");
        assert_eq!((columns.rows(), columns.finish().unwrap().num_rows()), (0, 0));
    }
    // A part has no plan of its own.
    let mut columns = Columns::new(&model, p, &[]).unwrap();
    columns.push_part(root.component(0).unwrap()).unwrap();
    assert_eq!((columns.rows(), columns.walked()), (1, 1));
}
