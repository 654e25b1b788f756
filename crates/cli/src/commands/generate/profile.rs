//! Recorded messages, of which `generate` writes code for the usual ones.

use std::path::Path;

use roadwire::{Rules, TypeId, Value};
use roadwire_codegen::{Part, commonest};
use roadwire_model::{Kind, Model};

use crate::codec::{self, codec};
use crate::failure::Failure;
use crate::input;
use crate::schema::Schema;

/// The commonest pattern of optional parts among recorded messages.
pub(super) struct Usual {
    pub(super) parts: Vec<Part>,
    /// How many messages have it, and how many there are.
    pub(super) have: usize,
    pub(super) of: usize,
}

impl Usual {
    /// Reads messages of one type: each line is a value in JER, or a record of `capture`, of which
    /// messages of other types are left out.
    ///
    /// # Errors
    /// Several types; a line that is no value, with its place; no message.
    pub(super) fn read(path: &Path, schema: &Schema, roots: &[TypeId]) -> Result<Self, Failure> {
        let [root] = *roots else {
            let what = format!("--profile is for one message, and these modules have {}", roots.len());
            return Err(Failure::usage("generate.profile", what).advise("choose it with -t"));
        };
        let (text, name) = (input::read_all(path)?, input::display_name(path));
        let jer = codec(schema, root, Rules::Jer, false, false)?;
        let full = schema.name_of(root).map_or(String::new(), ToString::to_string);
        let mut values: Vec<Value> = Vec::new();
        for (number, line) in (1_u64..).zip(text.split(|octet| *octet == b'\n')) {
            let Some(jer_text) = value_of(line, &full) else { continue };
            let value = codec::decode(&jer, &jer_text);
            values.push(value.map_err(|failure| failure.in_line(number).in_file(&name))?);
        }
        if values.is_empty() {
            return Err(Failure::refused("generate.profile", format!("{name} has no message of type {full}")));
        }
        let (parts, have) = commonest(schema.model(), root, &values);
        Ok(Usual { parts, have, of: values.len() })
    }

    /// A line on it.
    pub(super) fn line(&self, model: &Model) -> String {
        let names: Vec<String> = self.parts.iter().map(|part| name(model, *part)).collect();
        let with = if names.is_empty() { "no optional parts".into() } else { names.join(", ") };
        format!("usual: {} of {} messages have {with}", self.have, self.of)
    }
}

/// The value in a line; `None` for an empty line, and for another message.
fn value_of(line: &[u8], full: &str) -> Option<Vec<u8>> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let record: Option<serde_json::Value> = serde_json::from_slice(line).ok();
    // Anything other than a record is read as a value, and refused if it is none.
    let Some(record) = record.filter(|record| record.get("frame").is_some()) else { return Some(line.to_vec()) };
    let message = record.get("message").filter(|message| message["type"] == full)?;
    message.get("value").map(|value| value.to_string().into_bytes())
}

/// A part as `Type.component`, or as `.component` of a type without a name.
pub(super) fn name(model: &Model, part: Part) -> String {
    let this = model.get(part.type_id);
    let of = this.name.as_ref().map_or("", |name| &name.name);
    let inside = match &this.kind {
        Kind::Sequence { components, .. } => components.get(part.index).map(|one| &one.name),
        Kind::Choice { alternatives, .. } => alternatives.get(part.index).map(|one| &one.name),
        _ => None,
    };
    format!("{of}.{}", inside.map_or("", String::as_str))
}
