//! Generated code fills the columns as the walk over the type does, for random values of all
//! shipped messages.

#[path = "support/changed.rs"]
mod changed;

use roadwire::{Rules, SCHEMAS, Schema, Tape, Transcoder};
use roadwire_columns::arrays::Array as _;
use roadwire_columns::{Columns, Rows};
use roadwire_model::Value;
use roadwire_model::random::{Generator, Rng, Settings};

use self::changed::Changes;

const VALUES: usize = 60;

/// The first of these rules that there is generated code for.
fn transcoder(schema: &str) -> Option<(Rules, Transcoder)> {
    [Rules::Uper, Rules::Coer, Rules::Tls]
        .into_iter()
        .find_map(|rules| Some((rules, Transcoder::shipped(schema, None, rules, Rules::Jer)?)))
}

#[test]
fn generated_code_fills_columns_as_the_walk_does() {
    let (mut compared, mut without, mut changed, mut missed) = (0, Vec::new(), [0, 0], 0);
    for entry in SCHEMAS {
        let Some((rules, mut code)) = transcoder(entry.name) else { continue };
        let schema = Schema::shipped(entry.name).expect(entry.name);
        let root = schema.find(None).expect(entry.name);
        let (mut straight, mut walked) =
            match (Columns::new(schema.model(), root, &[]), Columns::new(schema.model(), root, &[])) {
                (Ok(straight), Ok(walked)) => (straight, walked),
                _ => {
                    without.push(entry.name);
                    continue;
                }
            };
        let settings =
            Settings { max_elements: 3, max_length: 12, budget: 60, integer_bits: 62, ..Settings::default() };
        let generator = Generator::new(schema.model(), Settings { extensions: 0, unknown: 0, ..settings });
        let mut rng = Rng::new(0xc01);
        let mut sent = Vec::new();
        for _ in 0..10 * VALUES {
            if straight.rows() == VALUES {
                break;
            }
            let Ok(octets) = schema.encode(root, rules, &generator.value(root, &mut rng)) else { continue };
            let Ok(value) = schema.decode(root, rules, &octets) else { continue };
            let Some(message) = code.decode(&octets) else { continue };
            let (a, b) = (straight.push(message), walked.push(&value));
            assert_eq!(a.is_ok(), b.is_ok(), "{}: {a:?}, {b:?}", entry.name);
            if a.is_ok() {
                // Not the octets that came: random octets in an open type have any padding.
                sent.push(schema.encode(root, rules, &value).expect(entry.name));
            }
        }
        let mut encoder = Transcoder::shipped(entry.name, None, rules, rules).expect(entry.name);
        let (rows, fallen) = (straight.rows(), straight.walked());
        assert_eq!(walked.walked(), rows);
        let batch = straight.finish().expect("a batch");
        assert_eq!(batch, walked.finish().expect("a batch"), "{}", entry.name);
        let back = Rows::new(schema.model(), root, &batch).expect(entry.name);
        let (columns, mut left) = (back.sources(), 0);
        for (row, octets) in sent.iter().enumerate() {
            let encoded = encoder.encode_row(&columns, row);
            left += usize::from(encoded.is_none());
            assert!(encoded.is_none_or(|encoded| encoded == octets), "{}, row {row}", entry.name);
            let value = back.value(row).unwrap_or_else(|error| panic!("{}, row {row}: {error}", entry.name));
            assert_eq!(schema.encode(root, rules, &value).ok().as_ref(), Some(octets), "{}, row {row}", entry.name);
        }
        println!("{}: {rows} rows, {fallen} of them walked, {left} left to the interpreter", entry.name);
        assert!(left * 10 <= rows, "{}: {left} of {rows}", entry.name);
        for (one_in, widen, first) in [(0, true, 1), (300, false, 9), (1000, true, 3)] {
            let batch = Changes { rng: &mut rng, one_in, widen }.of(&batch, first);
            let back = Rows::new(schema.model(), root, &batch).expect(entry.name);
            let columns = back.sources();
            for row in 0..back.len() {
                let value = back.value(row).ok();
                let wanted = value.and_then(|value| schema.encode(root, rules, &value).ok());
                let encoded = encoder.encode_row(&columns, row).map(<[u8]>::to_vec);
                assert!(encoded.is_none() || encoded == wanted, "{}, row {row}", entry.name);
                changed[usize::from(encoded.is_some())] += 1;
                missed += usize::from(encoded.is_none() && wanted.is_some());
            }
        }
        assert!(rows > VALUES / 3, "{}: {rows} rows", entry.name);
        assert_eq!(fallen, 0, "{}", entry.name);
        compared += rows;
    }
    println!("{compared} rows; without columns: {without:?}; changed: {changed:?}, missed {missed}");
    assert!(changed[0] > 100 && changed[1] > 500 && missed * 10 < changed[1], "{changed:?}, {missed}");
    assert!(compared > 20 * VALUES / 2);
}

#[test]
fn rows_without_a_message_are_null_beside_those_that_generated_code_fills() {
    let schema = Schema::shipped("cam-1.4.1").expect("a schema");
    let root = schema.find(None).expect("a type");
    let mut code = Transcoder::shipped("cam-1.4.1", None, Rules::Uper, Rules::Jer).expect("generated code");
    let generator = Generator::new(schema.model(), Settings { extensions: 0, ..Settings::default() });
    let value = generator.value(root, &mut Rng::new(3));
    let octets = schema.encode(root, Rules::Uper, &value).expect("a message");
    let mut columns = Columns::new(schema.model(), root, &[]).expect("columns").nullable();
    columns.push(code.decode(&octets).expect("a message")).expect("a row");
    columns.skip();
    columns.push(&value).expect("a row");
    assert_eq!(columns.walked(), 1);
    let batch = columns.finish().expect("a batch");
    for column in batch.columns() {
        assert_eq!([0, 1, 2].map(|row| column.is_valid(row)), [true, false, true]);
        assert_eq!(column.slice(0, 1).as_ref(), column.slice(2, 1).as_ref());
    }
}

#[test]
fn columns_that_are_not_wanted_stay_empty() {
    let schema = Schema::shipped("cam-1.4.1").expect("a schema");
    let root = schema.find(None).expect("a type");
    let mut code = Transcoder::shipped("cam-1.4.1", None, Rules::Uper, Rules::Jer).expect("generated code");
    let wanted = ["header.stationID", "cam.camParameters.lowFrequencyContainer"];
    let mut some = Columns::new(schema.model(), root, &wanted).expect("columns");
    let mut all = Columns::new(schema.model(), root, &[]).expect("columns");
    let generator = Generator::new(schema.model(), Settings { extensions: 0, ..Settings::default() });
    let mut rng = Rng::new(7);
    for _ in 0..VALUES {
        let octets = schema.encode(root, Rules::Uper, &generator.value(root, &mut rng)).expect("a message");
        let message = code.decode(&octets).expect("a message");
        some.push(message).expect("a row");
        all.push(message).expect("a row");
    }
    assert_eq!((some.walked(), all.walked()), (0, 0));
    let (some, all) = (some.finish().expect("a batch"), all.finish().expect("a batch"));
    let at = |batch: &roadwire_columns::arrays::RecordBatch, path: &[&str]| {
        use roadwire_columns::arrays::cast::AsArray;
        let mut array = batch.column_by_name(path[0]).expect("a column").clone();
        for name in &path[1..] {
            array = array.as_struct().column_by_name(name).expect("a column").clone();
        }
        array
    };
    for path in [&["header", "stationID"][..], &["cam", "camParameters", "lowFrequencyContainer"]] {
        assert_eq!(&at(&some, path), &at(&all, path));
    }
    let leaves = format!("{:?}", some.schema()).matches("Field {").count();
    assert!(leaves < format!("{:?}", all.schema()).matches("Field {").count() / 2);
}

#[test]
fn a_tape_fills_columns_as_the_walk_does() {
    let mut tape = Tape::new();
    for name in ["cam-1.4.1", "denm-1.3.1", "denm-2.3.1", "vam-2.3.1", "ts103097-1.2.1"] {
        let schema = Schema::shipped(name).expect(name);
        let root = schema.pdus().expect(name).pop().expect(name);
        let rules = Rules::Uper;
        let codec = schema.codec(root, rules).expect(name);
        let columns = Columns::new(schema.model(), root, &[]).expect(name);
        let (mut taped, mut walked) = (columns.clone(), columns);
        let settings = Settings { contents: false, extensions: 0, unknown: 0, max_elements: 4, ..Settings::default() };
        let (generator, mut rng) = (Generator::new(schema.model(), settings), Rng::new(0x7a9e));
        for _ in 0..VALUES {
            let octets = schema.encode(root, rules, &generator.value(root, &mut rng)).expect(name);
            let Some(part) = codec.decode_on(&mut tape, &octets) else { continue };
            taped.push_part(part).expect(name);
            walked.push(&codec.decode(&octets).expect(name)).expect(name);
            // Octets that are left over, and a message cut short.
            let more = [&octets[..], &[0]].concat();
            assert!(codec.decode_on(&mut tape, &more).is_none(), "{name}");
            assert!(codec.decode_on(&mut tape, &octets[..octets.len() - 1]).is_none(), "{name}");
        }
        assert!(taped.rows() * 2 > VALUES, "{name}: {} rows", taped.rows());
        assert_eq!(taped.finish().expect(name), walked.finish().expect(name), "{name}");
    }
}

#[test]
fn rows_are_encoded_by_programs_as_by_the_interpreter() {
    for (name, least) in [("cam-1.4.1", VALUES), ("denm-1.3.1", VALUES)] {
        let schema = Schema::shipped(name).expect(name);
        let root = schema.pdus().expect(name).pop().expect(name);
        let settings = Settings { contents: false, extensions: 0, unknown: 0, max_elements: 4, ..Settings::default() };
        let (generator, mut rng) = (Generator::new(schema.model(), settings), Rng::new(0x5eed));
        let mut columns = Columns::new(schema.model(), root, &[]).expect(name);
        (0..VALUES).for_each(|_| columns.push(&generator.value(root, &mut rng)).expect(name));
        let rows = Rows::new(schema.model(), root, &columns.finish().expect(name)).expect(name);
        let columns = rows.sources();
        for rules in [Rules::Uper, Rules::Coer, Rules::Der, Rules::Protobuf, Rules::Cbor] {
            let codec = schema.codec(root, rules).expect(name);
            let mut encoder = codec.row_encoder(&columns).expect(name);
            let mut taken = 0;
            for row in 0..rows.len() {
                let Some(octets) = encoder.encode(row) else { continue };
                assert_eq!(octets, codec.encode(&rows.value(row).expect(name)).expect(name), "{name} {rules}");
                taken += 1;
            }
            assert!(taken >= least, "{name} {rules}: {taken} rows");
        }
    }
}

#[test]
fn rows_with_a_fault_are_left_to_the_interpreter() {
    let module = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        A ::= SEQUENCE { a INTEGER (0..100), b CHOICE { c BOOLEAN, d OCTET STRING (SIZE (1..2)) }, e ENUMERATED { f, g } }
    END";
    let schema = Schema::compile(vec![roadwire::Source::new("demo.asn", module)]).expect("a module");
    let root = schema.find(None).expect("a type");
    // Another module, whose columns are the same and whose values are not.
    let wider = module.replace("100", "200").replace("1..2", "0..3").replace("{ f, g }", "{ f, g, h }");
    let wider = Schema::compile(vec![roadwire::Source::new("demo.asn", wider.as_str())]).expect("a module");
    let of = wider.find(None).expect("a type");
    let (generator, mut rng) = (Generator::new(wider.model(), Settings::default()), Rng::new(3));
    let mut columns = Columns::new(wider.model(), of, &[]).expect("columns");
    (0..VALUES).for_each(|_| columns.push(&generator.value(of, &mut rng)).expect("a row"));
    let rows = Rows::new(schema.model(), root, &columns.finish().expect("a batch")).expect("rows");
    let columns = rows.sources();
    for rules in [Rules::Uper, Rules::Oer, Rules::Der, Rules::Protobuf, Rules::Cbor] {
        let codec = schema.codec(root, rules).expect("a codec");
        let mut encoder = codec.row_encoder(&columns).expect("columns of the type");
        let mut counts = [0, 0];
        for row in 0..rows.len() {
            let wanted = rows.value(row).ok().and_then(|value| codec.encode(&value).ok());
            assert_eq!(encoder.encode(row), wanted.as_deref(), "{rules}");
            counts[usize::from(wanted.is_some())] += 1;
        }
        assert!(counts.iter().all(|count| *count > 3), "{rules}: {counts:?}");
    }
}

/// Constraints that no decoder checks are checked on the tape: a row that breaks one is left to the
/// interpreter.
#[test]
fn constraints_are_checked_on_tapes() {
    let module = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        Pair ::= SEQUENCE { a INTEGER (0..9), b INTEGER (0..9) OPTIONAL, c INTEGER (0..9) (1 | 3) DEFAULT 3 }
            (WITH COMPONENTS { ..., a (0..3) } | WITH COMPONENTS { ..., b PRESENT })
    END";
    let schema = Schema::compile(vec![roadwire::Source::new("demo.asn", module)]).expect("a module");
    let root = schema.find(None).expect("a type");
    let codec = schema.codec(root, Rules::Uper).expect("a codec");
    let number = |value: i64| Some(Value::from(value));
    for (components, keeps) in [
        ([number(3), None, None], true),
        ([number(4), None, None], false),
        ([number(4), number(0), None], true),
        ([number(3), None, number(1)], true),
        ([number(3), None, number(2)], false),
    ] {
        let value = Value::sequence(components);
        assert_eq!(codec.encode(&value).is_ok(), keeps, "{value:?}");
        let mut columns = Columns::new(schema.model(), root, &[]).expect("columns");
        columns.push(&value).expect("a row");
        let rows = Rows::new(schema.model(), root, &columns.finish().expect("a batch")).expect("rows");
        let columns = rows.sources();
        assert_eq!(codec.row_encoder(&columns).expect("columns").encode(0).is_some(), keeps, "{value:?}");
    }
}

/// A long message does not fit into the room for most.
#[test]
fn rows_of_long_messages_are_encoded() {
    let module = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN Text ::= SEQUENCE { a OCTET STRING, b Text2 OPTIONAL }
        Text2 ::= SEQUENCE (SIZE (0..9)) OF OCTET STRING END";
    let schema = Schema::compile(vec![roadwire::Source::new("demo.asn", module)]).expect("a module");
    let root = schema.find(Some("Text")).expect("a type");
    let codec = schema.codec(root, Rules::Der).expect("a codec");
    let mut columns = Columns::new(schema.model(), root, &[]).expect("columns");
    let lengths = [1, 1 << 12, 3, 1 << 20, 5];
    for length in lengths {
        columns.push(&Value::sequence([Some(Value::OctetString(vec![7; length])), None])).expect("a row");
    }
    let rows = Rows::new(schema.model(), root, &columns.finish().expect("a batch")).expect("rows");
    let columns = rows.sources();
    let mut encoder = codec.row_encoder(&columns).expect("columns");
    let found = [0, 1, 2, 3, 4].map(|row| encoder.encode(row).map(<[u8]>::len));
    // The interpreter takes those that are longer than any message.
    assert_eq!(found, [Some(5), Some((1 << 12) + 8), Some(7), None, Some(9)]);
}
