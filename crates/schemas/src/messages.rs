//! The list of messages that have codecs, as a macro: code that is written once for each of them
//! needs no list of its own.

use roadwire_layout::Rules;
use roadwire_model::{Kind, Language, Model, TypeId};

use crate::Schema;

/// A message with codecs.
pub(crate) struct Message {
    schema: String,
    /// Its names in the modules: `Module.Type`, and `Type` if that is enough.
    names: Vec<String>,
    /// Its Rust type, from the crate's root.
    path: String,
    /// The rules that it is read under, and written under.
    rules: [Vec<Rules>; 2],
    /// Whether its types may hold octets of an open type, whose meaning depends on the rules.
    keeps_octets: bool,
}

/// The messages of a schema with codecs of its own: `roots`, of which `types` are the Rust types.
///
/// Those with strings that contain a type are not among them: generated types keep octets there,
/// where the interpreter decodes the content. Of several that share a Rust type, and so
/// constraints, only the first one is.
pub(crate) fn of(schema: &Schema, model: &Model, roots: &[TypeId], types: &[String], rules: &[Rules]) -> Vec<Message> {
    let has = |is_so: fn(&Kind) -> bool| model.types.iter().any(|ty| is_so(&ty.kind));
    if rules.is_empty() || has(|kind| kind.contained().is_some()) {
        return Vec::new();
    }
    let keeps_octets = has(|kind| matches!(kind, Kind::Open { .. }));
    // In the presentation language components say which others there are; generated code that reads
    // text does not look at that.
    let is_read = |rules: &&Rules| model.language == Language::Asn1 || !rules.is_for_asn1();
    let read: Vec<Rules> = rules.iter().filter(is_read).copied().collect();
    let all = schema.pdus.iter().zip(roots).zip(types).enumerate();
    let own = all.filter(|(at, (_, ty))| !types.iter().take(*at).any(|other| other == *ty));
    own.map(|(_, ((pdu, root), ty))| {
        let short = pdu.rsplit('.').next().filter(|short| model.find(short) == Some(*root));
        Message {
            schema: schema.name.clone(),
            names: [Some(pdu.as_str()), short].into_iter().flatten().map(str::to_owned).collect(),
            path: format!("{}::{ty}", schema.module()),
            rules: [read.clone(), rules.to_vec()],
            keeps_octets,
        }
    })
    .collect()
}

/// The macro with all of them.
pub(crate) fn list(messages: &[Message]) -> String {
    let rows = messages.iter().map(|Message { schema, names, path, rules, keeps_octets }| {
        let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
        let rules = rules.each_ref().map(|list| list.iter().map(|rules| format!(" {rules:?}")).collect::<String>());
        let [read, written] = rules;
        format!("            {schema:?} [{}] $crate::{path} [{read} ] [{written} ] {keeps_octets};\n", names.join(" "))
    });
    format!(
        "
/// Passes each message that has codecs to a macro, for code that is written once for each: its schema, its names there (the full one first), its type, the rules of its decoders that
/// accept what the interpreter accepts, those of its encoders, and whether it has open types: octets of one whose type is unknown may mean something else under other rules.
#[macro_export]
macro_rules! for_each_message {{
    ($macro:ident) => {{
        $macro! {{
{}        }}
    }};
}}
",
        rows.collect::<String>()
    )
}
