//! Parts that a type does not know: from random values to columns, and back.

use roadwire::{SCHEMAS, Schema};
use roadwire_columns::arrays::Array as _;
use roadwire_columns::{Columns, Rows, UnknownColumn, UnknownRows, first_unknown_addition, unknown_additions};
use roadwire_model::data::equal;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Model, TypeId, Value};
use roadwire_notation::Notation;

const VALUES: usize = 60;

#[test]
fn values_of_shipped_messages_come_back_with_what_the_type_does_not_know() {
    let mut with_some = 0;
    for entry in SCHEMAS {
        let schema = Schema::shipped(entry.name).expect(entry.name);
        let (model, root) = (schema.model(), schema.find(None).expect(entry.name));
        let Ok(mut columns) = Columns::new(model, root, &[]) else { continue };
        let mut column = UnknownColumn::new().expect("a column");
        let settings =
            Settings { max_elements: 3, max_length: 12, budget: 60, integer_bits: 62, ..Settings::default() };
        let generator = Generator::new(model, Settings { unknown: 30, ..settings });
        let (mut rng, mut values) = (Rng::new(0x0dd), Vec::new());
        for _ in 0..VALUES {
            let value = generator.value(root, &mut rng);
            if columns.push(&value).is_ok() {
                let additions = unknown_additions(model, root, &value, "uper");
                assert_eq!(first_unknown_addition(model, root, &value), additions.first().map(|one| one.path.clone()));
                with_some += usize::from(!additions.is_empty());
                column.push(&additions).expect("room");
                values.push(value);
            }
        }
        let batch = columns.finish().expect("a batch");
        let array = column.finish().expect("an array");
        let (rows, unknown) =
            (Rows::new(model, root, &batch).expect(entry.name), UnknownRows::new(&array).expect("rows"));
        for (row, value) in values.iter().enumerate() {
            assert_eq!(unknown.is_empty_at(row), array.is_null(row));
            let additions = unknown.row(row).expect("additions");
            let back =
                rows.value_with(row, &additions).unwrap_or_else(|error| panic!("{}, row {row}: {error}", entry.name));
            assert!(equal(model, root, &back, value), "{}, row {row}: {value:?} is {back:?}", entry.name);
            if !additions.is_empty() {
                // Without them it is another one, or none.
                assert!(
                    !rows.value(row).is_ok_and(|back| equal(model, root, &back, value)),
                    "{}, row {row}",
                    entry.name
                );
            }
        }
    }
    assert!(with_some > 100, "{with_some}");
}

fn model(types: &str) -> (Model, TypeId) {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {types} END");
    let model = roadwire_asn1::compile(&[roadwire_asn1::Source::new("m.asn", text)]).expect("a module").model;
    let id = model.find("M.T").expect("a type T");
    (model, id)
}

fn read(model: &Model, id: TypeId, text: &str) -> Value {
    Notation::new(model, id).expect("a notation").read(text).expect(text)
}

#[test]
fn a_row_that_is_taken_back_leaves_nothing() {
    let (model, id) = model("T ::= SEQUENCE { l SEQUENCE OF CHOICE { a BOOLEAN, ... }, ... }");
    let mut column = UnknownColumn::new().expect("a column");
    let of = |text: &str| unknown_additions(&model, id, &read(&model, id, text), "jer");
    let (first, second) = (of(r#"{"l":[{"a":true},{"...0":"01"}],"...3":"02"}"#), of(r#"{"l":[{"...0":"0304"}]}"#));
    let paths = |all: &[roadwire_columns::UnknownAddition]| all.iter().map(|one| one.path.clone()).collect::<Vec<_>>();
    assert_eq!((paths(&first), paths(&second)), (vec!["l[1]".to_owned(), String::new()], vec!["l[0]".to_owned()]));
    column.push(&first).expect("room");
    column.push(&second).expect("room");
    column.pop();
    column.skip();
    column.push(&second).expect("room");
    let array = column.finish().expect("an array");
    let rows = UnknownRows::new(&array).expect("rows");
    assert_eq!(array.len(), 3);
    assert_eq!([0, 1, 2].map(|row| rows.row(row).expect("a row")), [first, Vec::new(), second]);
    assert!(rows.is_empty_at(3) && rows.row(3).expect("none").is_empty());
}
