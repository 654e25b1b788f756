//! `roadwire list`: what there is.

use roadwire_layout::{Properties, Rules};
use roadwire_messages::SCHEMAS;
use roadwire_model::{Kind, TypeId};
use serde_json::{Value as Json, json};

use crate::args::{ListArgs, Listing};
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::rules;
use crate::schema::Schema;

pub(crate) fn run(args: &ListArgs, json: bool) -> Result<Exit, Failure> {
    let rows = match args.what {
        Listing::Schemas => schemas(),
        Listing::Rules => encoding_rules(),
        Listing::Types => types(args, json)?,
    };
    print(&rows, json)
}

/// One line of a list: columns with their names.
type Row = Vec<(&'static str, Json)>;

fn schemas() -> Vec<Row> {
    let row = |shipped: &roadwire_messages::Schema| {
        vec![
            ("schema", json!(shipped.name)),
            ("type", json!(shipped.pdu)),
            ("standard", json!(shipped.standard)),
            ("title", json!(shipped.title)),
        ]
    };
    SCHEMAS.iter().map(row).collect()
}

fn encoding_rules() -> Vec<Row> {
    let row = |rules: Rules| {
        vec![
            ("rules", json!(rules.name())),
            ("works", json!(rules::works(rules))),
            ("title", json!(rules::title(rules))),
        ]
    };
    Rules::ALL.into_iter().map(row).collect()
}

/// The type assignments of one schema, or of all that are shipped; PDUs are those that no other type contains.
fn types(args: &ListArgs, json: bool) -> Result<Vec<Row>, Failure> {
    let schemas: Vec<(Json, Schema)> = match &args.schema {
        Some(name) => vec![(json!(name), Schema::shipped(name, json)?)],
        None if !args.modules.is_empty() => vec![(Json::Null, Schema::from_files(&args.modules, json)?)],
        None => SCHEMAS
            .iter()
            .map(|s| Ok((json!(s.name), Schema::shipped(s.name, json)?)))
            .collect::<Result<_, Failure>>()?,
    };
    let mut rows = Vec::new();
    for (name, schema) in &schemas {
        let tops: Vec<_> = schema.unreferenced().into_iter().map(|(name, _)| name).collect();
        for (definition, id) in &schema.model.definitions {
            let kind = kind_name(&schema.model.get(*id).kind);
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
            }
            rows.push(row);
        }
    }
    Ok(rows)
}

/// What can be read off a type's layout; nothing but a word why where it has none.
fn properties(schema: &Schema, id: TypeId, rules: Rules) -> Row {
    let layout = match roadwire_layout::lower(&schema.model, id, rules) {
        Ok(layout) => layout,
        Err(error) => return vec![("layout", json!(error.to_string()))],
    };
    let properties = Properties::of(&layout);
    let bits = properties.node(layout.root);
    let most = bits.most.map_or("…".to_owned(), |most| most.to_string());
    let aligned = if properties.octet_aligned { "octet-aligned" } else { "not aligned" };
    vec![
        ("bits", json!(format!("{}..{most} bits", bits.fewest))),
        ("alignment", json!(aligned)),
        ("presence", json!(properties.presence.to_string())),
    ]
}

fn kind_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Boolean => "BOOLEAN",
        Kind::Null => "NULL",
        Kind::Integer { .. } => "INTEGER",
        Kind::Enumerated(_) => "ENUMERATED",
        Kind::Real => "REAL",
        Kind::BitString { .. } => "BIT STRING",
        Kind::OctetString { .. } => "OCTET STRING",
        Kind::ObjectIdentifier => "OBJECT IDENTIFIER",
        Kind::RelativeOid => "RELATIVE-OID",
        Kind::Iri { .. } => "OID-IRI",
        Kind::String { .. } => "character string",
        Kind::Time(_) => "time",
        Kind::Sequence { set: false, .. } => "SEQUENCE",
        Kind::Sequence { set: true, .. } => "SET",
        Kind::SequenceOf { set: false, .. } => "SEQUENCE OF",
        Kind::SequenceOf { set: true, .. } => "SET OF",
        Kind::Choice { .. } => "CHOICE",
        Kind::Open { .. } => "open type",
        Kind::External(_) => "EXTERNAL",
    }
}

/// Objects, or columns that line up.
fn print(rows: &[Row], json: bool) -> Result<Exit, Failure> {
    let mut text = String::new();
    if json {
        for row in rows {
            let object: serde_json::Map<_, _> =
                row.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
            text.push_str(&format!("{}\n", Json::Object(object)));
        }
    } else {
        let cells: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|(name, value)| cell(name, value)).collect()).collect();
        let columns = cells.iter().map(Vec::len).max().unwrap_or(0);
        let width =
            |at: usize| cells.iter().filter_map(|row| row.get(at)).map(|text| text.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &cells {
            let mut line = String::new();
            for (value, width) in row.iter().zip(&widths) {
                line.push_str(&format!("{value:width$}  "));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    Output::open(None, false)?.write(text.as_bytes())?;
    Ok(Exit::Done)
}

fn cell(name: &str, value: &Json) -> String {
    match value {
        Json::Bool(true) => name.to_owned(),
        Json::Bool(false) if name == "works" => "not yet".to_owned(),
        Json::Bool(false) => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}
