//! prost's types, from the lines of a schema that roadwire prints: each field, each brace has a
//! line of its own.

use std::collections::BTreeSet;

/// The types for all messages of a schema.
pub(super) fn types(schema: &str) -> String {
    let lines: Vec<&str> = schema.lines().map(|line| line.split("//").next().unwrap_or_default().trim()).collect();
    // prost keeps an item as its number.
    let enumerations: BTreeSet<&str> =
        lines.iter().filter_map(|line| line.strip_prefix("enum ")?.strip_suffix(" {")).collect();
    let (mut text, mut choice, mut name, mut is_enumeration) = (String::new(), None, "", false);
    for line in lines {
        let words: Vec<&str> = line.trim_end_matches(';').split(' ').collect();
        match words[..] {
            ["message", message, "{"] => {
                name = message;
                text += &format!("#[derive(Clone, PartialEq, prost::Message)]\npub struct {name} {{\n");
            }
            ["enum", ..] => is_enumeration = true,
            ["oneof", ..] => choice = Some((String::new(), Vec::new())),
            ["}"] if is_enumeration => is_enumeration = false,
            ["}"] => match choice.take() {
                // The first of two braces closes the choice: its field is printed, and its type is
                // after the message.
                Some((variants, tags)) if !tags.is_empty() => {
                    let tags = tags.join(", ");
                    text += &format!("    #[prost(oneof = \"{name}Of\", tags = \"{tags}\")]\n");
                    text += &format!("    pub alternative: Option<{name}Of>,\n");
                    choice = Some((variants, Vec::new()));
                }
                Some((variants, _)) => {
                    text += &format!("}}\n\n#[derive(Clone, PartialEq, prost::Oneof)]\npub enum {name}Of {{\n");
                    text += &format!("{variants}}}\n\n");
                }
                None => text += "}\n\n",
            },
            [label @ ("required" | "optional" | "repeated"), of, field, "=", tag, ref options @ ..] => {
                let (attribute, rust) = scalar(of, &enumerations);
                let default = options.iter().position(|word| *word == "[default");
                let default = default
                    .and_then(|at| options.get(at + 2))
                    .map_or(String::new(), |value| format!(", default = \"{}\"", value.trim_end_matches(']')));
                text += &format!("    #[prost({attribute}, {label}, tag = \"{tag}\"{default})]\n");
                let rust = match label {
                    "optional" => format!("Option<{rust}>"),
                    "repeated" => format!("Vec<{rust}>"),
                    _ => rust.into(),
                };
                text += &format!("    pub r#{field}: {rust},\n");
            }
            [of, field, "=", tag] => {
                let Some((variants, tags)) = &mut choice else { continue };
                let (attribute, rust) = scalar(of, &enumerations);
                tags.push(tag);
                *variants += &format!("    #[prost({attribute}, tag = \"{tag}\")]\n    r#{field}({rust}),\n");
            }
            _ => {}
        }
    }
    text
}

/// A type of the schema as prost's attribute, and in Rust.
fn scalar<'a>(of: &'a str, enumerations: &BTreeSet<&str>) -> (&'a str, &'a str) {
    match of {
        "uint32" => (of, "u32"),
        "int32" | "sint32" => (of, "i32"),
        "uint64" => (of, "u64"),
        "int64" | "sint64" => (of, "i64"),
        "bool" => (of, of),
        "string" => (of, "String"),
        "bytes" => ("bytes = \"vec\"", "Vec<u8>"),
        _ if enumerations.contains(of) => ("int32", "i32"),
        _ => ("message", of),
    }
}
