//! A Parquet file has the rows that were written, whichever columns have values in which of them.

use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use roadwire_columns::arrays::{Array, ArrayRef, RecordBatch, cast::AsArray as _};
use roadwire_columns::{Columns, Format, TableWriter, concat_batches};
use roadwire_model::Model;
use roadwire_notation::Notation;

const TYPES: &str = "
    T ::= SEQUENCE { a INTEGER (0..9), r R OPTIONAL, c CHOICE { n NULL, r R }, l SEQUENCE OF L OPTIONAL, m M }
    R ::= SEQUENCE { x INTEGER (0..9) OPTIONAL, y BOOLEAN OPTIONAL, e ENUMERATED { one, two }, s UTF8String OPTIONAL }
    L ::= SEQUENCE { v INTEGER (0..9) OPTIONAL, w SEQUENCE OF R OPTIONAL, o OCTET STRING (SIZE (2)) OPTIONAL, m M }
    M ::= SEQUENCE { i INTEGER OPTIONAL, q REAL OPTIONAL, b BIT STRING OPTIONAL, z SEQUENCE OF INTEGER OPTIONAL }";

/// Rows in which more and more columns have values, and then none again.
const ROWS: [&str; 9] = [
    r#"{"a":1,"c":{"n":null},"m":{}}"#,
    r#"{"a":2,"c":{"n":null},"l":[],"m":{}}"#,
    r#"{"a":3,"c":{"n":null},"l":[{"m":{}},{"m":{}}],"m":{"i":5}}"#,
    r#"{"a":4,"c":{"r":{"e":"two"}},"l":[{"w":[],"m":{}},{"m":{"z":[]}}],"m":{}}"#,
    r#"{"a":5,"r":{"e":"one"},"c":{"n":null},"l":[{"v":3,"w":[{"e":"one"},{"x":1,"e":"two"}],"m":{}},{"m":{}}],"m":{}}"#,
    r#"{"a":6,"c":{"r":{"e":"one","s":"ä"}},"l":[{"o":"0102","m":{"z":[1,2]}},{"w":[{"e":"two"}],"m":{}}],"m":{"q":0.5}}"#,
    r#"{"a":7,"r":{"x":1,"y":true,"e":"one","s":""},"c":{"n":null},"m":{"b":{"value":"FE","length":7},"z":[3]}}"#,
    r#"{"a":8,"c":{"n":null},"l":[],"m":{}}"#,
    r#"{"a":9,"c":{"n":null},"m":{}}"#,
];

/// Batches of so many rows, each of these rows several times.
fn batches(rows: &[&str], of: usize) -> Vec<RecordBatch> {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {TYPES} END");
    let model: Model = roadwire_asn1::compile(&[roadwire_asn1::Source::new("m.asn", text)]).expect("a module").model;
    let id = model.find("M.T").expect("a type");
    let notation = Notation::new(&model, id).expect("a notation");
    let mut columns = Columns::new(&model, id, &[]).expect("columns");
    let values: Vec<_> = rows.iter().map(|row| notation.read(row).expect(row)).collect();
    let mut batches = Vec::new();
    for value in values.iter().flat_map(|value| [value; 20]) {
        columns.push(value).expect("a row");
        if columns.rows() == of {
            batches.push(columns.finish().expect("a batch"));
        }
    }
    batches.push(columns.finish().expect("a batch"));
    batches
}

fn written(format: Format, batches: &[RecordBatch]) -> Vec<u8> {
    let mut writer = TableWriter::new(format, &batches[0].schema(), Vec::new()).expect("memory");
    batches.iter().for_each(|batch| writer.write(batch).expect("memory"));
    writer.finish().expect("memory")
}

/// The rows as text, and which parts of them are there: an absent record is not one without parts.
fn shown(batch: &RecordBatch) -> (String, Vec<Vec<bool>>) {
    fn add(array: &ArrayRef, all: &mut Vec<Vec<bool>>, around: &[bool]) {
        let there: Vec<bool> = around.iter().enumerate().map(|(at, there)| *there && array.is_valid(at)).collect();
        if let Some(record) = array.as_struct_opt() {
            record.columns().iter().for_each(|part| add(part, all, &there));
        }
        all.push(there);
    }
    let mut all = Vec::new();
    batch.columns().iter().for_each(|array| add(array, &mut all, &vec![true; batch.num_rows()]));
    (String::from_utf8(written(Format::Csv, std::slice::from_ref(batch))).expect("text"), all)
}

fn same(batches: &[RecordBatch]) -> usize {
    let octets = Bytes::from(written(Format::Parquet, batches));
    let reader = ParquetRecordBatchReaderBuilder::try_new(octets.clone()).expect("Parquet");
    let schema = reader.schema().clone();
    let found: Vec<_> = reader.build().expect("Parquet").map(|batch| batch.expect("a batch")).collect();
    let found = concat_batches(&schema, &found).expect("one batch");
    let wanted = concat_batches(&batches[0].schema(), batches).expect("one batch");
    assert_eq!(shown(&found), shown(&wanted));
    let file = SerializedFileReader::new(octets).expect("Parquet");
    for group in file.metadata().row_groups() {
        for column in group.columns().iter().filter(|column| column.column_descr().max_rep_level() == 0) {
            let nulls = column.statistics().and_then(|statistics| statistics.null_count_opt());
            assert!(nulls.is_some_and(|nulls| nulls <= group.num_rows() as u64), "{}", column.column_path());
        }
    }
    file.metadata().num_row_groups()
}

#[test]
fn columns_without_values_have_the_levels_of_their_records() {
    for rows in 1..=ROWS.len() {
        assert_eq!(same(&batches(&ROWS[..rows], 7)), 1);
        assert_eq!(same(&batches(&ROWS[rows - 1..], 1000)), 1);
    }
}

#[test]
fn a_column_with_its_first_value_begins_a_row_group() {
    // More rows than are kept back, so that the first ones are written before the others come.
    let few = vec![batches(&ROWS[..3], 1000)[0].clone(); 1000];
    let all: Vec<_> = few.iter().cloned().chain(batches(&ROWS, 1000)).chain(few.iter().cloned()).collect();
    assert_eq!(same(&all), 2);
}

#[test]
fn texts_of_many_pages_and_beyond_their_dictionary() {
    let row = |at: usize| format!(r#"{{"a":1,"r":{{"e":"one","s":"{at:0100}"}},"c":{{"n":null}},"m":{{}}}}"#);
    let rows: Vec<String> = (0..1000).map(row).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    assert_eq!(same(&batches(&rows, 300)), 1);
}

#[test]
fn a_file_without_rows_is_a_file() {
    let none = batches(&[], 1000);
    let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(written(Format::Parquet, &none)));
    assert_eq!(reader.expect("Parquet").build().expect("Parquet").count(), 0);
}
