//! `roadwire list`: schemas, types or encoding rules.

use roadwire_layout::{Properties, Rules};
use roadwire_model::TypeId;
use serde_json::{Value as Json, json};

use crate::args::{ListArgs, Listing};
use crate::commands::bounds;
use crate::failure::{Exit, Failure};
use crate::schema::{self, Schema};
use crate::stacks::Stack;
use crate::table;
use crate::table::Row;

pub(crate) fn run(args: &ListArgs, json: bool) -> Result<Exit, Failure> {
    let rows = match args.what {
        Listing::Schemas => schemas(json),
        Listing::Rules => encoding_rules(),
        Listing::Types => types(args, json)?,
    };
    table::print(&rows, false, json)
}

/// On lines of a terminal's width without titles, and with the first message's name alone.
fn schemas(json: bool) -> Vec<Row> {
    let row = |shipped: &roadwire_messages::Schema| {
        let types = if json { json!(shipped.pdus) } else { json!(first(shipped.pdus)) };
        let mut row = vec![("schema", json!(shipped.name)), ("types", types), ("standard", json!(shipped.standard))];
        if json {
            row.push(("title", json!(shipped.title)));
        }
        row
    };
    schema::named().map(row).collect()
}

/// The first type without its module, and how many more there are.
fn first(types: &[&str]) -> String {
    let name = types.first().map_or("", |name| name.rsplit('.').next().unwrap_or(name));
    match types.len() {
        0 | 1 => name.to_owned(),
        count => format!("{name} +{}", count - 1),
    }
}

fn encoding_rules() -> Vec<Row> {
    let row = |rules: Rules| vec![("rules", json!(rules.name())), ("title", json!(rules.title()))];
    Rules::ALL.into_iter().map(row).collect()
}

/// The type assignments of one schema, or of all that have names; PDUs are those that no other type
/// contains.
fn types(args: &ListArgs, json: bool) -> Result<Vec<Row>, Failure> {
    let schemas: Vec<(Json, Schema)> = match &args.schema {
        Some(name) => vec![(json!(name), Schema::of_name(name)?)],
        None if !args.modules.is_empty() => vec![(Json::Null, Schema::from_files(&args.modules, &args.reading, json)?)],
        None => {
            schema::named().map(|s| Ok((json!(s.name), Schema::of_name(s.name)?))).collect::<Result<_, Failure>>()?
        }
    };
    let mut rows = Vec::new();
    for (name, schema) in &schemas {
        let ids: Vec<TypeId> = schema.model().definitions.values().copied().collect();
        let memory = if json { bounds::in_memory(schema.model(), &ids) } else { vec![None; ids.len()] };
        let tops: Vec<_> = schema.unreferenced().into_iter().map(|(name, _)| name).collect();
        for ((definition, id), memory) in schema.model().definitions.iter().zip(memory) {
            let kind = schema.model().get(*id).kind.name();
            let mut row = vec![
                ("type", json!(definition.to_string())),
                ("kind", json!(kind)),
                ("pdu", json!(tops.contains(&definition))),
            ];
            if !name.is_null() {
                row.insert(0, ("schema", name.clone()));
            }
            if let Some(rules) = args.rules {
                row.extend(properties(schema, *id, rules));
                if json {
                    let sizes = bounds::Sizes::of(schema.model(), *id, rules).ok();
                    row.extend(sizes.map(|sizes| ("octets", Json::Object(sizes.json()))));
                    let stack = name.as_str().and_then(|name| Stack::of_shipped(name, &definition.to_string(), rules));
                    row.extend(stack.map(|stack| ("stack", stack.json())));
                }
            }
            if json {
                row.push(("octets_in_memory", json!(memory)));
            }
            rows.push(row);
        }
    }
    Ok(rows)
}

/// The properties of a type's layout; only a reason if it has none.
fn properties(schema: &Schema, id: TypeId, rules: Rules) -> Row {
    let layout = match roadwire_layout::lower(schema.model(), id, rules) {
        Ok(layout) => layout,
        Err(error) => return vec![("layout", json!(error.to_string()))],
    };
    let properties = Properties::of(&layout);
    let bits = properties.message;
    let most = bits.most.map_or("…".to_owned(), |most| most.to_string());
    let aligned = if properties.octet_aligned { "octet-aligned" } else { "not aligned" };
    vec![
        ("bits", json!(format!("{}..{most} bits", bits.fewest))),
        ("alignment", json!(aligned)),
        ("presence", json!(properties.presence.to_string())),
    ]
}
