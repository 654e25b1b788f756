//! Tables that `bench` writes for other programs.

use std::path::PathBuf;

use roadwire::Measured;
use roadwire_lab::report::table::Table;
use serde_json::{Map, Value as Json, json};

use super::encodings::{Cost, Costs, Encoding, Size, stations};
use super::values::OwnValue;
use crate::failure::tell_line;

/// An object for each encoding, on a line.
pub(super) fn json(encodings: &[Encoding]) -> String {
    encodings.iter().map(|encoding| format!("{}\n", Json::Object(object(encoding)))).collect()
}

fn object(encoding: &Encoding) -> Map<String, Json> {
    let mut object = Map::new();
    put(&mut object, "rules", Some(json!(encoding.rules.name())));
    let sizes = match &encoding.sizes {
        Ok(sizes) => sizes,
        Err(why) => {
            put(&mut object, "why", Some(json!(why)));
            return object;
        }
    };
    let octets = || sizes.iter().map(|size| size.measured.octets);
    put(&mut object, "values", Some(json!(sizes.len())));
    put(&mut object, "octets", encoding.octets().map(|octets| json!(octets)));
    put(&mut object, "octets_least", octets().min().map(|octets| json!(octets)));
    put(&mut object, "octets_most", octets().max().map(|octets| json!(octets)));
    let mut bits = Map::new();
    for (at, cause) in Measured::CAUSES.into_iter().enumerate() {
        let sum: usize = sizes.iter().map(|size| size.measured.bits[at]).sum();
        put(&mut bits, cause, Some(json!(sum as f64 / sizes.len() as f64)));
    }
    put(&mut object, "bits", Some(Json::Object(bits)));
    put(&mut object, "air_us", encoding.air_us().map(|us| json!(us)));
    put(&mut object, "stations", encoding.air_us().map(|us| json!(stations(us))));
    put(&mut object, "codecs", Some(encoding.codecs.iter().map(codec).collect()));
    object
}

fn codec(costs: &Costs) -> Json {
    let mut object = Map::new();
    put(&mut object, "engine", Some(json!(costs.engine)));
    put(&mut object, "version", Some(json!(costs.version)));
    put(&mut object, "kind", Some(json!(costs.kind)));
    match &costs.absent {
        Some(why) => put(&mut object, "absent", Some(json!(why))),
        None => {
            let [encode, decode] = &costs.ways;
            put(&mut object, "encode", Some(cost(encode)));
            put(&mut object, "decode", Some(cost(decode)));
            put(&mut object, "confirmed_by", Some(json!(costs.confirmed_by)));
        }
    }
    Json::Object(object)
}

fn cost(cost: &Cost) -> Json {
    let mut object = Map::new();
    put(&mut object, "ns", cost.ns.map(|ns| json!(ns)));
    put(&mut object, "instructions", cost.instructions.map(|count| json!(count)));
    put(&mut object, "heap_octets", cost.heap.map(|octets| json!(octets)));
    put(&mut object, "stack_octets", cost.stack.map(|octets| json!(octets)));
    Json::Object(object)
}

/// Adds a member; an absent value is left out.
fn put(object: &mut Map<String, Json>, name: &str, value: Option<Json>) {
    if let Some(value) = value {
        object.insert(name.to_owned(), value);
    }
}

/// The length of each value in each encoding.
pub(super) fn sizes(encodings: &[Encoding], values: &[OwnValue]) -> Table {
    let mut table = Table::new(
        "octets, bits by cause and air time of each value in each encoding",
        &[
            "value",
            "source",
            "rules",
            "octets",
            "value_bits",
            "presence_bits",
            "length_bits",
            "tag_bits",
            "names_bits",
            "padding_bits",
            "air_us",
        ],
    );
    for encoding in encodings {
        for (at, (size, value)) in encoding.sizes.iter().flatten().zip(values).enumerate() {
            let Size { measured: Measured { octets, bits }, air_us } = size;
            let mut row =
                vec![(at + 1).to_string(), value.source.clone(), encoding.rules.name().to_owned(), octets.to_string()];
            row.extend(bits.iter().map(ToString::to_string));
            row.push(air_us.map_or_else(String::new, |us| us.to_string()));
            table.rows.push(row);
        }
    }
    table
}

/// Reports where the files are.
pub(super) fn tell_written(written: &[PathBuf], json: bool) {
    let files: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    match json {
        true => tell_line(&json!({ "written": files }).to_string()),
        false => tell_line(&format!("roadwire: wrote {}", files.join(", "))),
    }
}
