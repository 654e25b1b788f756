//! `roadwire bounds`: the least and the greatest size of each type in each encoding.

mod stack;

use roadwire_codegen::{DecoderWork, Options, Registers, generate};
use roadwire_layout::{LowerError, Properties, Rules, lower};
use roadwire_model::{Model, TypeId};
use serde_json::{Map, Value as Json, json};

use crate::args::BoundsArgs;
use crate::codec;
use crate::failure::{Exit, Failure};
use crate::schema::Schema;
use crate::stacks::Stack;
use crate::table::{self, Row};

pub(crate) fn run(args: &BoundsArgs, json: bool) -> Result<Exit, Failure> {
    let schema = Schema::load(&args.schema, json)?;
    let rules = if args.rules.is_empty() { Rules::ALL.to_vec() } else { args.rules.clone() };
    let types = schema.types(&args.types)?;
    let memory = in_memory(schema.model(), &types);
    let mut rows = Vec::new();
    for (id, memory) in types.into_iter().zip(memory) {
        let name = schema.name_of(id).map_or(String::new(), ToString::to_string);
        for rules in &rules {
            let mut row = vec![("type", json!(name)), ("rules", json!(rules.name()))];
            match Sizes::of(schema.model(), id, *rules) {
                Ok(sizes) => {
                    row.extend(sizes.row(memory, json));
                    let shipped = args.schema.schema.as_deref();
                    let stack = shipped.and_then(|shipped| Stack::of_shipped(shipped, &name, *rules));
                    if args.stack || json && stack.is_some() {
                        let stack = stack.unwrap_or_else(|| stack::compiled(schema.model(), id, *rules));
                        row.extend(columns(stack, json));
                    }
                    if args.instructions {
                        row.extend(instructions(schema.model(), id, (*rules, &sizes), json));
                    }
                }
                Err(error) => row.push(("why", json!(codec::no_layout(*rules, &error).line()))),
            }
            rows.push(row);
        }
    }
    table::print(&rows, true, json)
}

/// Columns for the stack that generated C takes.
fn columns(Stack { encode, decode }: Stack, json: bool) -> Row {
    [("stack_encode", encode), ("stack_decode", decode)]
        .map(|(name, octets)| (name, or(octets, "unknown", json)))
        .into()
}

/// The most octets of a frame's body on the channel (IEEE 802.11 §9.2.4.7), for messages that have
/// no end.
const FRAME: u64 = 2304;

/// Columns for the instructions that a decoder in generated C takes.
fn instructions(model: &Model, id: TypeId, (rules, sizes): (Rules, &Sizes), json: bool) -> Row {
    let (work, octets) = (DecoderWork::of(model, id, rules), sizes.most.or(sizes.most_in_roots).unwrap_or(FRAME));
    let most = |registers| work.and_then(|work| work.instructions(octets, registers));
    [("instructions_x86_64", Registers::Of64), ("instructions_armv7", Registers::Of32)]
        .map(|(name, registers)| (name, or(most(registers), "none", json)))
        .into()
}

/// A number, or for people the word for none.
fn or(number: Option<u64>, otherwise: &str, json: bool) -> Json {
    match number {
        None if !json => json!(otherwise),
        number => json!(number),
    }
}

/// The octets that encodings of a type have.
pub(crate) struct Sizes {
    least: u64,
    /// None without an end.
    most: Option<u64>,
    /// Of values in extensible roots.
    most_in_roots: Option<u64>,
    /// The path of the component that has no end; empty for the type itself.
    no_end: Option<String>,
}

impl Sizes {
    /// # Errors
    /// The type has no encoding under these rules.
    pub(crate) fn of(model: &Model, id: TypeId, rules: Rules) -> Result<Self, LowerError> {
        let layout = lower(model, id, rules)?;
        let Properties { octets, octets_in_roots, .. } = Properties::of(&layout);
        let no_end = layout.unbounded_component();
        Ok(Sizes { least: octets.fewest, most: octets.most, most_in_roots: octets_in_roots.most, no_end })
    }

    /// As numbers; null stands for no end.
    pub(crate) fn json(&self) -> Map<String, Json> {
        let members = [
            ("least", json!(self.least)),
            ("most", json!(self.most)),
            ("most_in_roots", json!(self.most_in_roots)),
            ("no_end", json!(self.no_end)),
        ];
        members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn row(&self, memory: Option<u64>, json: bool) -> Row {
        let or = |number, otherwise| or(number, otherwise, json);
        let no_end = match self.no_end.as_deref() {
            Some("") if !json => json!("the type itself"),
            None if !json => json!(""),
            path => json!(path),
        };
        vec![
            ("least", json!(self.least)),
            ("most", or(self.most, "none")),
            ("most_in_roots", or(self.most_in_roots, "none")),
            ("memory", or(memory, "unknown")),
            ("no_end", no_end),
        ]
    }
}

/// The octets of memory that a value of each type takes at most, as `generate` holds it; `None` for
/// a type that it has no code for.
pub(crate) fn in_memory(model: &Model, types: &[TypeId]) -> Vec<Option<u64>> {
    let sizes = |types: &[TypeId]| generate(model, types, &[], Options::default()).map(|generated| generated.sizes);
    match sizes(types) {
        Ok(all) => all.into_iter().map(Some).collect(),
        Err(_) => types.iter().map(|id| sizes(&[*id]).ok()?.first().copied()).collect(),
    }
}
