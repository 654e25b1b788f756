//! Profiles: modules whose messages are those of another module, with further constraints.

use roadwire_layout::{Family, Rules};
use roadwire_model::{Model, TypeId};

use crate::constraints::Checks;
use crate::error::GenerateError;
use crate::names::type_name;
use crate::rust_types::{RustTypes, with_open_types};
use crate::source::Source;
use crate::{Generated, Options, data};

/// Generates the messages `roots` as profiles of messages of the Rust module `of`, which is
/// generated with the same `options` from the modules that they constrain: types of their own where
/// they have constraints of their own, other names otherwise. The types that they refer to are
/// names for those of `of`. Profiles have codecs for `rules`, those that [`can_share`].
///
/// # Errors
/// A type that has no in-memory form.
pub fn generate_profile(
    model: &Model,
    roots: &[TypeId],
    rules: &[Rules],
    of: &str,
    options: Options,
) -> Result<Generated, GenerateError> {
    let opened = with_open_types(model);
    let mut types = RustTypes::collect(model, &opened, roots, options)?;
    let constrained = |root: &&TypeId| model.constraints.contains_key(root) && types.canonical(**root) != **root;
    let own: Vec<(TypeId, String)> = roots
        .iter()
        .filter(constrained)
        .filter_map(|root| Some((*root, type_name(&model.get(*root).name.as_ref()?.name))))
        .collect();
    types.synonyms.retain(|(synonym, ..)| own.iter().all(|(_, name)| name != synonym));

    let mut out = crate::begin(None);
    if !own.is_empty() {
        out.line("use roadwire_wire as wire;");
    }
    out.line(format!("pub use {of}::*;"));
    data::synonyms(&types, &mut out);
    let mut checks = Checks::of(&types);
    let mut checked = Source::default();
    checks.write_own(&own.iter().map(|(root, _)| *root).collect::<Vec<_>>(), &mut checked);
    for (root, name) in &own {
        profile(&types, &checks, (*root, name), &mut out);
        for rules in rules.iter().filter(|rules| can_share(**rules)) {
            out.line(format!("impl roadwire_engine::SameEncoding<roadwire_layout::{rules:?}> for {name} {{}}"));
        }
    }
    let rust = |root: &TypeId| {
        let own = own.iter().find(|(id, _)| id == root);
        own.map_or_else(|| types.message(*root).to_owned(), |(_, name)| name.clone())
    };
    Ok(Generated {
        source: out.finish() + &checked.finish(),
        left: Vec::new(),
        messages: Vec::new(),
        sizes: roots.iter().map(|root| types.octets(*root)).collect(),
        types: roots.iter().map(rust).collect(),
    })
}

/// Whether a profile's encodings under these rules are those of the type that it constrains: XML
/// has the type's name.
#[must_use]
pub fn can_share(rules: Rules) -> bool {
    rules.family() != Family::Xml
}

/// A message type of its own around the other one.
fn profile(types: &RustTypes<'_>, checks: &Checks<'_, '_>, (root, name): (TypeId, &str), out: &mut Source) {
    let of = types.message(root);
    let asn1 = types.source.get(root).name.as_ref().map_or(String::new(), ToString::to_string);
    out.line("");
    out.line(format!("/// `{asn1}`: the values of [`{of}`] that keep its constraints."));
    out.line("#[derive(Clone, Debug, Default, PartialEq)]");
    out.line(format!("pub struct {name}(pub {of});"));
    out.line("");
    out.line(format!("impl wire::Data for {name} {{"));
    out.line("wire::data_of!(self => self.0);");
    out.line("}");
    out.line("");
    out.line(format!("impl roadwire_engine::Profile for {name} {{"));
    out.line(format!("type Of = {of};"));
    out.line("");
    out.line(format!("fn message(&self) -> &{of} {{"));
    out.line("&self.0");
    out.line("}");
    out.line("");
    out.line(format!("fn message_mut(&mut self) -> &mut {of} {{"));
    out.line("&mut self.0");
    out.line("}");
    out.line("");
    let call = |trail| checks.call_of_own(root, "&self.0", trail);
    crate::check("check_profile", &call("&mut ()"), &call("trail"), out);
    out.line("}");
}
