//! `roadwire compare`: one value in every encoding, with its bits by cause.

use roadwire::{CodecError, Measured, Rules, TypeId, Value};
use serde_json::json;

use crate::args::CompareArgs;
use crate::codec;
use crate::failure::{Exit, Failure};
use crate::schema::Schema;
use crate::table::{self, Row};

pub(crate) fn run(args: &CompareArgs, json: bool) -> Result<Exit, Failure> {
    let schema = Schema::load(&args.schema, json)?;
    let type_id = schema.type_id(args.type_name.as_deref())?;
    let value = codec::read_value(&schema, type_id, args.from, &args.input)?;
    let rows: Vec<Row> = Rules::ALL.into_iter().map(|rules| row(&schema.schema, type_id, &value, rules)).collect();
    table::print(&rows, true, json)
}

/// One encoding, or why there is none.
fn row(schema: &roadwire::Schema, type_id: TypeId, value: &Value, rules: Rules) -> Row {
    match schema.measure(type_id, rules, value) {
        Ok(measured) => {
            let mut row = vec![("rules", json!(rules.name())), ("octets", json!(measured.octets))];
            row.extend(Measured::CAUSES.iter().zip(measured.bits).map(|(cause, bits)| (*cause, json!(bits))));
            row
        }
        Err(CodecError::NoLayout(error)) => {
            vec![("rules", json!(rules.name())), ("why", json!(codec::no_layout(rules, &error).line()))]
        }
        Err(error) => vec![("rules", json!(rules.name())), ("why", json!(error.to_string()))],
    }
}
