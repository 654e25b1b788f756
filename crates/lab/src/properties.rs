//! Properties of encodings, in a paper's words and from their layouts.

use roadwire_layout::{Properties, Rules};
use serde::Deserialize;

use crate::report::table::Table;
use roadwire_peers::content::{Message, Schema};

/// A column of the paper's table.
#[derive(Debug, Clone, Deserialize)]
pub struct Property {
    /// The encoding rules.
    #[serde(with = "crate::rules")]
    pub rules: Rules,
    /// The message whose layout is used.
    pub message: String,
    /// Whether the presence of optional fields is encoded, in the paper's words.
    pub presence: String,
    /// Whether it can be extended.
    pub extendability: String,
    /// Whether fields begin at octet borders.
    pub alignment: String,
    /// Whether data are compressed.
    pub compression: String,
}

/// The paper's words next to ours.
pub fn table(properties: &[Property]) -> Table {
    let mut table = Table::new(
        "Table I: properties, in the paper's words and read off the layouts",
        &["encoding", "message", "property", "published", "ours"],
    );
    for property in properties {
        let [presence, extendability, alignment, compression] =
            of(property).unwrap_or_else(|why| [(); 4].map(|()| why.clone()));
        for (name, published, ours) in [
            ("presence of optional fields", &property.presence, presence),
            ("extendability", &property.extendability, extendability),
            ("octet alignment", &property.alignment, alignment),
            ("compression", &property.compression, compression),
        ] {
            table.row([property.rules.to_string(), property.message.clone(), name.into(), published.clone(), ours]);
        }
    }
    table.notes.push("Whether something can be added is told by a module's extension marks: those of ETSI's modules where the message is a CAM, those of our reconstruction where it is an envelope.".into());
    table
}

fn of(property: &Property) -> Result<[String; 4], String> {
    let properties = of_message(&property.message, property.rules)?;
    let (fixed, varying) = (properties.fixed_numbers, properties.varying_numbers);
    Ok([
        format!("told by: {}", properties.presence),
        if properties.keeps_additions { "what later versions add is kept" } else { "nothing can be added" }.into(),
        if properties.octet_aligned { "every field begins at an octet" } else { "fields begin anywhere" }.into(),
        format!("of {} kinds of numbers {varying} take as much as the value needs", fixed + varying),
    ])
}

/// The properties of a message's layout under some rules.
///
/// # Errors
/// There is no such message, or it has no such layout.
pub(crate) fn of_message(message: &str, rules: Rules) -> Result<Properties, String> {
    let found = Message::find(message).and_then(|message| message.under(rules));
    of_schema(found.ok_or("there is no such message")?.schema, rules)
}

/// The properties of a schema's layout under some rules.
///
/// # Errors
/// It has no such layout.
pub(crate) fn of_schema(schema: Schema, rules: Rules) -> Result<Properties, String> {
    let (model, root) = schema.model()?;
    let layout = roadwire_layout::lower(&model, root, rules).map_err(|error| error.to_string())?;
    Ok(Properties::of(&layout))
}
