//! Each kind of type has its column, and each value its row.

use roadwire_columns::arrays::types::{Int8Type, Int16Type, UInt8Type};
use roadwire_columns::arrays::{Array, RecordBatch, cast::AsArray};
use roadwire_columns::fields::{DataType, Schema};
use roadwire_columns::{Columns, Format, Rows, TableWriter};
use roadwire_model::{Model, TypeId, Value};
use roadwire_notation::Notation;

fn model(types: &str) -> (Model, TypeId) {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {types} END");
    let model = roadwire_asn1::compile(&[roadwire_asn1::Source::new("m.asn", text)]).expect("a module").model;
    let id = model.find("M.T").expect("a type T");
    (model, id)
}

fn batch(types: &str, values: &[&str]) -> RecordBatch {
    let (model, id) = model(types);
    let notation = Notation::new(&model, id).expect("a notation");
    let mut columns = Columns::new(&model, id, &[]).expect("columns");
    for value in values {
        columns.push(&notation.read(value).expect(value)).expect(value);
    }
    columns.finish().expect("a batch")
}

/// A batch in CSV, without the head.
fn csv(batch: &RecordBatch) -> Vec<String> {
    let mut writer = TableWriter::new(Format::Csv, &batch.schema(), Vec::new()).expect("memory");
    writer.write(batch).expect("memory");
    let text = String::from_utf8(writer.finish().expect("memory")).expect("text");
    text.lines().skip(1).map(str::to_owned).collect()
}

fn types(batch: &RecordBatch) -> Vec<DataType> {
    batch.schema().fields().iter().map(|field| field.data_type().clone()).collect()
}

#[test]
fn integers_have_the_smallest_type_that_holds_them() {
    let types_of = |ranges: &[&str]| {
        let components: Vec<String> =
            ranges.iter().enumerate().map(|(at, range)| format!("c{at} INTEGER {range}")).collect();
        types(&batch(&format!("T ::= SEQUENCE {{ {} }}", components.join(", ")), &[]))
    };
    let ranges = [
        "(0..255)",
        "(-128..127)",
        "(0..256)",
        "(-129..0)",
        "(0..4294967295)",
        "(-1..65535)",
        "(-1..4294967295)",
        "(0..18446744073709551615)",
        "(0..18446744073709551616)",
        "",
        "(0..MAX)",
        "(0..1, ...)",
    ];
    use DataType::{Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64, Utf8};
    let expected = [UInt8, Int8, UInt16, Int16, UInt32, Int32, Int64, UInt64, Utf8, Int64, Int64, Int64];
    assert_eq!(types_of(&ranges), expected);
}

#[test]
fn absent_components_are_null_and_defaults_are_filled_in() {
    let batch = batch(
        "T ::= SEQUENCE { a INTEGER (0..9) OPTIONAL, b INTEGER (0..9) DEFAULT 7, c SEQUENCE { d BOOLEAN } OPTIONAL }",
        &["{}", r#"{"a":1,"b":2,"c":{"d":true}}"#, "{}"],
    );
    assert_eq!(csv(&batch), [",7,", "1,2,true", ",7,"]);
    assert_eq!(batch.column(0).null_count(), 2);
    assert_eq!(batch.column(1).as_primitive::<UInt8Type>().values(), &[7, 2, 7]);
    assert!(!batch.schema().field(1).is_nullable());
}

#[test]
fn alternatives_are_columns_of_which_one_has_a_value() {
    let batch = batch(
        "T ::= CHOICE { n NULL, i INTEGER (-5..5), s SEQUENCE { x IA5String, e SEQUENCE {} } }",
        &[r#"{"n":null}"#, r#"{"i":-5}"#, r#"{"s":{"x":"a,\"b","e":{}}}"#],
    );
    assert_eq!(csv(&batch), ["true,,,", ",-5,,", ",,\"a,\"\"b\",true"]);
    assert_eq!(batch.column(1).as_primitive::<Int8Type>().value(1), -5);
}

#[test]
fn lists_keep_their_lengths_and_their_order() {
    let batch = batch(
        "T ::= SEQUENCE { l SEQUENCE OF SEQUENCE { v INTEGER (0..9), w BOOLEAN OPTIONAL } OPTIONAL }",
        &[r#"{"l":[{"v":1},{"v":2,"w":true}]}"#, "{}", r#"{"l":[]}"#, r#"{"l":[{"v":3}]}"#],
    );
    let lists = batch.column(0).as_list::<i32>();
    assert_eq!((lists.value_offsets(), lists.null_count()), (&[0, 2, 2, 2, 3][..], 1));
    let json = ["\"[{\"\"v\"\":1},{\"\"v\"\":2,\"\"w\"\":true}]\"", "", "[]", "\"[{\"\"v\"\":3}]\""];
    assert_eq!(csv(&batch), json);
}

/// Quotes of JSON are doubled in a cell, those of a text are escaped before. Parts that no element
/// has are in no cell.
#[test]
fn a_list_is_json_in_a_cell() {
    let batch = batch(
        "T ::= SEQUENCE { l SEQUENCE OF SEQUENCE { u UTF8String OPTIONAL, n BOOLEAN OPTIONAL, e ENUMERATED { a, b },
            o OCTET STRING, i SEQUENCE { v INTEGER (-200..200), l SEQUENCE OF INTEGER (0..9) } }, f REAL }",
        &[
            r#"{"l":[{"u":"a\"b\\c\u000a,ä","e":"b","o":"0AFF","i":{"v":-123,"l":[]}},{"e":"a","o":"","i":{"v":7,"l":[1,2]}}],"f":0.5}"#,
        ],
    );
    let first = r#"{"u":"a\"b\\c\u000a,ä","e":"b","o":"0aff","i":{"v":-123,"l":[]}}"#;
    let second = r#"{"e":"a","o":"","i":{"v":7,"l":[1,2]}}"#;
    let cell = format!("[{first},{second}]").replace('"', "\"\"");
    assert_eq!(csv(&batch), [format!("\"{cell}\",0.5")]);
}

#[test]
fn strings_and_items_have_their_columns() {
    let batch = batch(
        "T ::= SEQUENCE { e ENUMERATED { one, two }, x ENUMERATED { one, ..., two }, f BIT STRING (SIZE (4)),
            b BIT STRING, o OCTET STRING (SIZE (2)), p OCTET STRING, i OBJECT IDENTIFIER, u UTF8String, r REAL }",
        &[
            r#"{"e":"two","x":"two","f":"A0","b":{"value":"FE","length":7},"o":"0102","p":"","i":"1.2.840","u":"ä","r":1.5}"#,
        ],
    );
    assert_eq!(csv(&batch), ["two,two,a0,fe,7,0102,,1.2.840,ä,1.5"]);
    assert_eq!(batch.column(0).as_dictionary::<Int16Type>().keys().value(0), 1);
    assert_eq!(types(&batch)[2], DataType::FixedSizeBinary(1));
    assert_eq!(batch.schema().field(2).metadata().get("asn1.bits").map(String::as_str), Some("4"));
}

#[test]
fn a_row_that_does_not_fit_leaves_nothing() {
    let (model, id) = model("T ::= SEQUENCE { l SEQUENCE OF INTEGER, o OCTET STRING, i INTEGER }");
    let mut columns = Columns::new(&model, id, &[]).expect("columns");
    let value = |numbers: &[i128], last: i128| {
        let list = Value::List(numbers.iter().map(|number| Value::Integer((*number).into())).collect());
        Value::sequence([Some(list), Some(Value::OctetString(vec![9])), Some(Value::Integer(last.into()))])
    };
    columns.push(&value(&[1, 2], 3)).expect("a row");
    let error = columns.push(&value(&[4], i128::MAX)).expect_err("too large");
    assert_eq!((error.code, error.path.as_str()), ("columns.range", "i"));
    let error = columns.push(&value(&[4, i128::MIN], 0)).expect_err("too large");
    assert_eq!((error.code, error.path.as_str()), ("columns.range", "l[1]"));
    assert_eq!(columns.push(&Value::Null).expect_err("no record").code, "columns.absent");
    columns.push(&value(&[5], 6)).expect("a row");
    assert_eq!(csv(&columns.finish().expect("a batch")), ["\"[1,2]\",09,3", "[5],09,6"]);
    // And the columns are empty.
    columns.push(&value(&[], 1)).expect("a row");
    assert_eq!(csv(&columns.finish().expect("a batch")), ["[],09,1"]);
}

#[test]
fn selected_columns_alone_are_there() {
    let (model, id) = model("T ::= SEQUENCE { a SEQUENCE { b BOOLEAN, c CHOICE { d NULL, e NULL } }, f BOOLEAN }");
    let names = |selected: &[&str]| {
        let mut names = Vec::new();
        fn walk(field: &roadwire_columns::fields::Field, names: &mut Vec<String>) {
            names.push(field.name().clone());
            if let DataType::Struct(fields) = field.data_type() {
                fields.iter().for_each(|field| walk(field, names));
            }
        }
        let columns = Columns::new(&model, id, selected)?;
        columns.schema().fields().iter().for_each(|field| walk(field, &mut names));
        Ok::<_, roadwire_columns::ColumnsError>(names.join(" "))
    };
    assert_eq!(names(&["a.c.e", "f"]), Ok("a c e f".into()));
    assert_eq!(names(&["a"]), Ok("a b c d e".into()));
    assert_eq!(names(&["a.x"]).map_err(|error| error.code), Err("columns.unknown"));
}

#[test]
fn types_that_contain_themselves_have_no_columns() {
    let (model, id) = model("T ::= SEQUENCE { a BOOLEAN, t T OPTIONAL }");
    let error = Columns::new(&model, id, &[]).expect_err("recursive");
    assert_eq!((error.code, error.path.as_str()), ("columns.recursive", "t"));
    assert!(Columns::new(&model, id, &["a"]).is_ok());
    // 2^40 fields.
    let doubled: Vec<String> = (0..40).map(|at| format!("A{at} ::= SEQUENCE {{ x A{0}, y A{0} }}", at + 1)).collect();
    let (model, id) = self::model(&format!("T ::= A0 {} A40 ::= BOOLEAN", doubled.join(" ")));
    assert_eq!(Columns::new(&model, id, &[]).expect_err("too many").code, "columns.limit");
}

#[test]
fn units_and_names_are_metadata() {
    let batch = batch(
        "T ::= SEQUENCE { v SpeedValue } SpeedValue ::= INTEGER { standstill(0), unavailable(16383) } (0..16383)",
        &[],
    );
    let schema = batch.schema();
    let metadata = |name: &str| schema.field(0).metadata().get(name).map(String::as_str);
    assert_eq!(metadata("unit"), Some("0.01 m/s"));
    assert_eq!(metadata("asn1.named"), Some("standstill=0,unavailable=16383"));
    assert_eq!(metadata("asn1.type"), Some("SpeedValue"));
}

/// The writers' own crates read the files: the same rows.
#[test]
fn arrow_files_are_read_again() {
    let batch = batch(
        "T ::= SEQUENCE { e ENUMERATED { one, two }, l SEQUENCE OF CHOICE { a INTEGER (0..9), b NULL } OPTIONAL }",
        &[r#"{"e":"two","l":[{"a":1},{"b":null}]}"#, r#"{"e":"one"}"#],
    );
    let mut writer = TableWriter::new(Format::Arrow, &batch.schema(), Vec::new()).expect("memory");
    writer.write(&batch).expect("memory");
    writer.write(&batch).expect("memory");
    let octets = writer.finish().expect("memory");
    let reader = arrow_ipc::reader::FileReader::try_new(std::io::Cursor::new(octets), None).expect("a file");
    let batches: Vec<RecordBatch> = reader.map(|batch| batch.expect("a batch")).collect();
    assert_eq!(batches.len(), 2);
    assert_eq!(csv(&batches[1]), csv(&batch));
}

#[test]
fn rows_without_a_value_are_null_in_nullable_columns() {
    for (types, value, count) in [
        ("T ::= SEQUENCE { n INTEGER (0..9), l SEQUENCE OF BOOLEAN, d INTEGER DEFAULT 3 }", r#"{"n":1,"l":[true]}"#, 3),
        ("T ::= CHOICE { a NULL, b INTEGER (0..9) }", r#"{"b":1}"#, 2),
        ("T ::= INTEGER (0..9)", "1", 1),
    ] {
        let (model, id) = model(types);
        let notation = Notation::new(&model, id).expect("a notation");
        let mut columns = Columns::new(&model, id, &[]).expect("columns").nullable();
        columns.skip();
        columns.push(&notation.read(value).expect(value)).expect(value);
        columns.skip();
        let batch = columns.finish().expect("a batch");
        assert_eq!((batch.num_rows(), batch.num_columns()), (3, count));
        assert!(batch.schema().fields().iter().all(|field| field.is_nullable()), "{types}");
        assert!(batch.columns().iter().all(|column| column.is_null(0) && column.is_null(2)), "{types}");
        assert!(batch.columns().iter().any(|column| column.is_valid(1)), "{types}");
    }
}

#[test]
fn column_that_cannot_hold_a_value_is_null_and_the_others_are_not() {
    let types = "T ::= SEQUENCE { n INTEGER (1..255), s OCTET STRING (SIZE (2)), b BIT STRING (SIZE (3)), \
                 e ENUMERATED { a, b, c }, l SEQUENCE OF INTEGER (0..200), o INTEGER (0..9) OPTIONAL, z BOOLEAN }";
    let (model, id) = model(types);
    let notation = Notation::new(&model, id).expect("a notation");
    let valid = notation.read(r#"{"n":1,"s":"0102","b":"a0","e":"b","l":[1],"o":2,"z":true}"#).expect("a value");
    let bits = |bits| Value::BitString { octets: vec![0xa0], bits };
    let item = roadwire_wire::ordinal_of_unknown_item(3).expect("an ordinal");
    let broken = Value::sequence([
        Some(256.into()),
        Some(Value::OctetString(vec![1, 2, 3])),
        Some(bits(4)),
        Some(Value::Enumerated(item)),
        Some(Value::List(vec![1.into(), 256.into(), 2.into()])),
        Some(256.into()),
        Some(Value::Boolean(true)),
    ]);
    let mut columns = Columns::new(&model, id, &[]).expect("columns").with_gaps();
    assert_eq!(columns.push(&broken).expect_err("no gaps").code, "columns.range");
    columns.push(&valid).expect("a row");
    columns.push_with_gaps(&broken).expect("a row");
    columns.push_with_gaps(&broken).expect("a row");
    columns.pop();
    columns.push(&valid).expect("a row");
    let batch = columns.finish().expect("a batch");
    let whole = r#"1,0102,a0,b,[1],2,true"#;
    assert_eq!(csv(&batch), [whole, r#",,,,"[1,null,2]",,true"#, whole]);
    // The next batch has none of these gaps.
    columns.push(&valid).expect("a row");
    columns.push(&valid).expect("a row");
    assert_eq!(csv(&columns.finish().expect("a batch")), [whole, whole]);
}

#[test]
fn unknown_items_are_called_as_in_jer_and_relative_identifiers_as_they_are() {
    let types = "T ::= SEQUENCE { e ENUMERATED { a, b, ..., c }, r RELATIVE-OID }";
    // An addition behind those of this version: number 1, for `c` is number 0.
    let (model, id) = model(types);
    let oid = Notation::new(&model, id).expect("a notation").read(r#"{"e":"c","r":"8571.3.2"}"#).expect("a value");
    let Value::Sequence { components, .. } = oid else { panic!("a SEQUENCE") };
    let value = Value::sequence([Some(Value::Enumerated(3)), components[1].clone()]);
    let jer = Notation::new(&model, id).expect("a notation").write(&value).expect("JER");
    assert_eq!(jer, r#"{"e":"...1","r":"8571.3.2"}"#);
    let mut columns = Columns::new(&model, id, &[]).expect("columns");
    columns.push(&value).expect("a row");
    let batch = columns.finish().expect("a batch");
    assert_eq!(csv(&batch), ["...1,8571.3.2"]);
    assert_eq!(Rows::new(&model, id, &batch).expect("rows").value(0).expect("a value"), value);
}

#[test]
fn a_mandatory_addition_is_absent_in_messages_of_earlier_versions() {
    let batch =
        batch("T ::= SEQUENCE { n INTEGER (0..9), ..., m INTEGER (0..9) }", &[r#"{"n":1}"#, r#"{"n":2,"m":3}"#]);
    assert!(batch.schema().field(1).is_nullable());
    assert_eq!(csv(&batch), ["1,", "2,3"]);
}

#[test]
fn rows_are_read_again_and_what_is_wrong_is_told() {
    let types =
        "T ::= SEQUENCE { n INTEGER (0..9), c CHOICE { a NULL, b BOOLEAN } OPTIONAL, l SEQUENCE OF INTEGER (0..9) }";
    let values = [r#"{"n":1,"c":{"b":false},"l":[1,2]}"#, r#"{"n":2,"l":[]}"#, r#"{"n":3,"c":{"a":null},"l":[4]}"#];
    let (model, id) = model(types);
    let notation = Notation::new(&model, id).expect("a notation");
    let batch = batch(types, &values);
    let rows = Rows::new(&model, id, &batch.slice(1, 2)).expect("rows");
    assert_eq!((rows.len(), rows.is_empty()), (2, false));
    for (row, text) in values[1..].iter().enumerate() {
        assert_eq!(notation.write(&rows.value(row).expect("a value")).as_deref(), Ok(*text));
    }
    assert_eq!(rows.value(2).expect_err("past the end").code, "columns.row");

    let less = batch.project(&[0, 1]).expect("columns");
    let error = Rows::new(&model, id, &less).expect_err("a mandatory list");
    assert_eq!((error.code, error.path.as_str()), ("columns.absent", "l"));
    let (other, other_id) = self::model("T ::= SEQUENCE { n INTEGER (0..9), l SEQUENCE OF INTEGER (0..9) }");
    assert_eq!(Rows::new(&other, other_id, &batch).expect_err("a field too many").code, "columns.unknown");
    let (other, other_id) =
        self::model("T ::= SEQUENCE { n BOOLEAN, c CHOICE { a NULL, b BOOLEAN }, l SEQUENCE OF INTEGER (0..9) }");
    let error = Rows::new(&other, other_id, &batch).expect_err("another type");
    assert_eq!((error.code, error.path.as_str()), ("columns.type", "n"));
}

#[test]
fn two_columns_of_one_name_are_refused() {
    let (model, id) = model("T ::= SEQUENCE { a INTEGER (0..9), b SEQUENCE { c BOOLEAN } }");
    let made = batch("T ::= SEQUENCE { a INTEGER (0..9), b SEQUENCE { c BOOLEAN } }", &[r#"{"a":1,"b":{"c":true}}"#]);
    let twice = |at: usize| {
        let fields = [0, 1, at].map(|at| made.schema().field(at).clone());
        let columns = [0, 1, at].map(|at| made.column(at).clone());
        RecordBatch::try_new(std::sync::Arc::new(Schema::new(fields.to_vec())), columns.to_vec()).expect("a batch")
    };
    for (at, name) in [(0, "a"), (1, "b")] {
        let error = Rows::new(&model, id, &twice(at)).expect_err("one name twice");
        assert_eq!((error.code, error.message), ("columns.double", format!("several columns are called `{name}`")));
    }
}
