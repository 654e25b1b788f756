//! Random values of ASN.1 types as JER, and the shapes of the types, for comparing roadwire with
//! other implementations.
//!
//!     random_values SEED COUNT [KEY=NUMBER]... [type=MODULE.TYPE] MODULE-FILE...
//!
//! The first line is a JSON object with the shape of every type, by number; then each line is a
//! definition's name, a tab, and one value. Keys are those of `roadwire_model::random::Settings`.
//! Unlike those values, these have no gaps among extension additions: all additions after an absent
//! mandatory one are absent too, as in every value from a sender of some version of the type.

use std::error::Error;
use std::io::{BufWriter, Write};

use roadwire_model::random::{Generator, Rng, Settings, as_sent};
use roadwire_model::{Component, Field, Kind, Model, Presence, StringKind, TimeKind, TypeId, Value};
use roadwire_notation::Notation;
use serde_json::{Value as Json, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut settings = Settings::default();
    let mut sources = Vec::new();
    let mut only = None;
    let mut arguments = std::env::args().skip(1);
    let seed: u64 = arguments.next().ok_or("which seed?")?.parse()?;
    let count: usize = arguments.next().ok_or("how many values?")?.parse()?;
    for argument in arguments {
        match argument.split_once('=') {
            Some(("type", name)) => only = Some(name.to_owned()),
            Some((key, number)) => set(&mut settings, key, number.parse()?)?,
            None => sources.push({
                let bytes = std::fs::read(&argument)?;
                roadwire_asn1::Source::new(argument, bytes)
            }),
        }
    }
    let model = roadwire_asn1::compile(&sources).map_err(|found| found.render())?.model;
    let mut out = BufWriter::new(std::io::stdout().lock());
    writeln!(out, "{}", shapes(&model)?)?;
    let generator = Generator::new(&model, settings);
    for (name, id) in
        model.definitions.iter().filter(|(name, _)| only.as_ref().is_none_or(|only| *only == name.to_string()))
    {
        let notation = Notation::new(&model, *id)?;
        let mut rng = Rng::new(seed);
        let mut left = count;
        // Most values are suitable; for a type without any, this terminates too.
        for _ in 0..count.saturating_mul(100) {
            if left == 0 {
                break;
            }
            let Some(mut value) = generator.try_value(*id, &mut rng) else { continue };
            if !as_sent(&model, *id, &mut value) {
                continue;
            }
            left -= 1;
            writeln!(out, "{name}\t{}", notation.write(&value)?)?;
        }
    }
    out.flush()?;
    Ok(())
}

fn set(settings: &mut Settings, key: &str, number: u32) -> Result<(), String> {
    match key {
        "optional" => settings.optional = number,
        "extensions" => settings.extensions = number,
        "boundary" => settings.boundary = number,
        "max_elements" => settings.max_elements = number.into(),
        "max_length" => settings.max_length = number.into(),
        "integer_bits" => settings.integer_bits = number.into(),
        "tagged" => settings.tagged = number > 0,
        "open_types" => settings.open_types = number > 0,
        "budget" => settings.budget = number as usize,
        _ => return Err(format!("no setting {key}")),
    }
    Ok(())
}

fn shapes(model: &Model) -> Result<Json, Box<dyn Error>> {
    let types: Vec<Json> = model.types.iter().map(|this| shape(model, &this.kind)).collect::<Result<_, _>>()?;
    let definitions: serde_json::Map<_, _> =
        model.definitions.iter().map(|(name, id)| (name.to_string(), json!(id.0))).collect();
    Ok(json!({ "types": types, "definitions": definitions }))
}

/// The properties of a type that are needed to read its JER: the name of its kind, and the types of
/// its parts.
fn shape(model: &Model, kind: &Kind) -> Result<Json, Box<dyn Error>> {
    let leaf = |name: &str| Ok(json!({ "kind": name }));
    match kind {
        Kind::Boolean => leaf("boolean"),
        Kind::Null => leaf("null"),
        Kind::Integer { named, .. } => {
            let names: serde_json::Map<_, _> = named
                .iter()
                .filter_map(|(name, number)| Some((name.clone(), json!(i64::try_from(number).ok()?))))
                .collect();
            Ok(json!({ "kind": "integer", "names": names }))
        }
        Kind::Enumerated(enumerators) => {
            let numbers: serde_json::Map<_, _> =
                enumerators.all().map(|(name, number)| (name.to_owned(), json!(number))).collect();
            Ok(json!({ "kind": "enumerated", "numbers": numbers }))
        }
        Kind::Real { .. } => leaf("real"),
        Kind::BitString { size, named, .. } => {
            let fixed = size.upper.filter(|upper| *upper == size.lower && !size.extensible);
            let least = if size.extensible { 0 } else { size.lower };
            let names: serde_json::Map<_, _> = named.iter().map(|(name, bit)| (name.clone(), json!(bit))).collect();
            Ok(json!({ "kind": "bits", "fixed": fixed, "least": least, "named": !named.is_empty(), "names": names }))
        }
        Kind::OctetString { .. } => leaf("octets"),
        Kind::ObjectIdentifier => leaf("oid"),
        Kind::RelativeOid => leaf("relative-oid"),
        Kind::Iri { .. } => Ok(json!({ "kind": "text", "utf8": true })),
        Kind::String { kind, .. } => Ok(json!({ "kind": "text", "utf8": *kind == StringKind::Utf8 })),
        Kind::Time { kind: TimeKind::Utc, .. } => leaf("utc-time"),
        Kind::Time { kind: TimeKind::Generalized, .. } => leaf("generalized-time"),
        Kind::Time { .. } => Ok(json!({ "kind": "text", "utf8": false })),
        Kind::Open { .. } => leaf("open"),
        Kind::External(inner) => Ok(json!({ "kind": "external", "inner": inner.0 })),
        Kind::SequenceOf { element, set, .. } => Ok(json!({ "kind": "list", "element": element.0, "unordered": set })),
        Kind::Choice { alternatives, .. } => {
            let all: serde_json::Map<_, _> =
                alternatives.iter().map(|one| (one.name.clone(), json!(one.type_id.0))).collect();
            let (added, root): (Vec<_>, Vec<_>) = alternatives.iter().partition(|one| one.addition);
            let order: Vec<&str> = root.into_iter().chain(added).map(|one| one.name.as_str()).collect();
            Ok(json!({ "kind": "choice", "alternatives": all, "order": order }))
        }
        Kind::Sequence { components, .. } => {
            let all: Vec<Json> =
                components.iter().map(|one| component(model, components, one)).collect::<Result<_, _>>()?;
            Ok(json!({ "kind": "sequence", "components": all }))
        }
    }
}

/// Of an open type, or a list of them, whose type a component beside it selects: that component,
/// and its values with the types.
fn selection(model: &Model, beside: &[Component], one: &Component) -> Result<Json, Box<dyn Error>> {
    let Some(table) = model.selected(one) else { return Ok(Json::Null) };
    let key = beside.iter().find(|other| other.name == table.link[0]);
    let Some(key) = key else { return Ok(Json::Null) };
    let row = |(value, id): &(Value, TypeId)| Ok(json!([text(model, key.type_id, value)?, id.0]));
    let rows: Vec<Json> = table.rows.iter().map(row).collect::<Result<_, Box<dyn Error>>>()?;
    Ok(json!({ "by": table.link[0], "rows": rows }))
}

fn component(model: &Model, beside: &[Component], one: &Component) -> Result<Json, Box<dyn Error>> {
    let default = match &one.presence {
        Presence::Default(value) => Some(text(model, one.type_id, &filled(model, one.type_id, value))?),
        _ => None,
    };
    let place = match one.field {
        Field::Root => json!("root"),
        Field::Addition => json!("addition"),
        Field::Group(group) => json!(group),
    };
    let (has_default, selection) = (default.is_some(), selection(model, beside, one)?);
    Ok(
        json!({ "name": one.name, "type": one.type_id.0, "default": default, "hasDefault": has_default, "place": place, "selection": selection }),
    )
}

/// A DEFAULT of named bits with zero bits up to the least size (X.680 §22.7), as it is in a
/// message.
fn filled(model: &Model, id: TypeId, value: &Value) -> Value {
    let mut value = value.clone();
    if let (Kind::BitString { size, .. }, Value::BitString { octets, bits }) = (&model.get(id).kind, &mut value) {
        *bits = usize::try_from(size.lower).map_or(*bits, |least| least.max(*bits));
        octets.resize(bits.div_ceil(8), 0);
    }
    value
}

fn text(model: &Model, id: TypeId, value: &Value) -> Result<Json, Box<dyn Error>> {
    Ok(serde_json::from_str(&Notation::new(model, id)?.write(value)?)?)
}
