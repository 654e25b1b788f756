//! `roadwire compare`: one value in every encoding, with its bits by cause.

use roadwire_engine::{Item, Limits, Listener, What, decode_with};
use roadwire_layout::{Layout, Rules};
use roadwire_model::{Model, TypeId, Value};
use roadwire_wire::Step;
use serde_json::json;

use crate::args::CompareArgs;
use crate::codec::{self, layout};
use crate::failure::{Exit, Failure};
use crate::input;
use crate::schema::Schema;
use crate::table::{self, Row};

pub(crate) fn run(args: &CompareArgs, json: bool) -> Result<Exit, Failure> {
    let schema = Schema::load(&args.schema, json)?;
    let type_id = schema.type_id(args.type_name.as_deref())?;
    let value = codec::read_value(&schema, type_id, args.from, &args.input)?;
    let rows: Vec<Row> = Rules::ALL.into_iter().map(|rules| row(schema.model(), type_id, &value, rules)).collect();
    table::print(&rows, true, json)
}

/// One encoding, or why there is none.
fn row(model: &Model, type_id: TypeId, value: &Value, rules: Rules) -> Row {
    match encoding(model, type_id, value, rules) {
        Ok((octets, bits)) => {
            let mut row = vec![("rules", json!(rules.name())), ("octets", json!(octets))];
            row.extend(CAUSES.iter().zip(bits).map(|(cause, bits)| (*cause, json!(bits))));
            row
        }
        Err(why) => vec![("rules", json!(rules.name())), ("why", json!(why))],
    }
}

/// Its octets, and its bits by cause.
fn encoding(model: &Model, type_id: TypeId, value: &Value, rules: Rules) -> Result<(usize, Bits), String> {
    let layout = layout(model, type_id, rules).map_err(|failure| failure.line())?;
    let octets = roadwire_engine::encode_to_vec(&layout, value, input::MAX_INPUT).map_err(|error| error.to_string())?;
    let mut causes = Causes::default();
    let limits = Limits::for_input(&octets);
    decode_with(&layout, &octets, &mut Value::Unset, &limits, &mut causes).map_err(|error| error.to_string())?;
    Ok((octets.len(), causes.bits))
}

/// The causes of bits, in the order of the columns.
const CAUSES: [&str; 6] = ["value", "presence", "length", "tag", "names", "padding"];

type Bits = [usize; CAUSES.len()];

/// Adds up the bits of each cause.
#[derive(Default)]
struct Causes {
    bits: Bits,
}

impl Listener for Causes {
    fn enter(&mut self, _: Step<'_>) {}

    fn leave(&mut self) {}

    fn item(&mut self, _: &Layout, item: &Item<'_>) {
        let cause = match item.what {
            What::Value(_) | What::Unknown => 0,
            What::Extension(_) | What::Presence(..) | What::AdditionCount(_) | What::Addition(..) => 1,
            What::Length(_) | What::OpenLength(_) | What::End => 2,
            What::Choice(..) | What::Tag(_) | What::Event(..) => 3,
            What::Name(_) | What::Header(_) => 4,
            What::Padding => 5,
        };
        self.bits[cause] += item.bits;
    }
}
