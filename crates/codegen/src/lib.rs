//! The generator: writes the interpreter's walk over a [`Layout`] as Rust source.
//!
//! ```
//! use roadwire_codegen::{Options, generate};
//! use roadwire_layout::Rules;
//! # use roadwire_frontend::{Source, compile};
//!
//! let text = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
//!     Motion ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL }
//! END";
//! let model = compile(&[Source::new("demo.asn", text)]).unwrap().model;
//! let motion = model.find("Demo.Motion").unwrap();
//! let generated = generate(&model, &[motion], &[Rules::Uper], Options::default()).unwrap();
//! assert_eq!(generated.messages, ["Motion"]);
//! assert_eq!(generated.types, ["Motion"]);
//! assert!(generated.source.contains("pub struct Motion {"));
//! // Nothing of it but rare forms is left to the interpreter.
//! assert!(generated.left.is_empty());
//! ```
//!
//! One module of source has the in-memory types, their interface to the interpreter, and for each
//! set of encoding rules the layout as a constant table (the space-optimised codec) and
//! straight-line encoders and decoders (the time-optimised one). The straight-line code has no
//! error paths and no rare paths: it returns [`Rejected`](https://docs.rs/roadwire-wire), and the
//! interpreter takes over, to encode or decode the message or to find out what is wrong.
#![forbid(unsafe_code)]

mod columns;
mod constraints;
mod data;
mod error;
mod features;
mod left;
mod message;
mod names;
mod options;
mod parts;
mod pass;
mod pdu;
mod place;
mod plan;
mod profile;
mod rust;
mod rust_types;
mod source;
mod table;
mod tap;
mod types;
mod usual;
mod walk;

use std::collections::HashSet;

use roadwire_layout::{Family, Layout, Properties, Rules};
use roadwire_model::{Model, TypeId};

use crate::constraints::Checks;
use crate::message::{check, interpreted, message, tapped};
use crate::names::{constant_name, snake};
use crate::rust::shared::Printed;
use crate::rust_types::{RustTypes, with_open_types};
use crate::source::Source;
use crate::types::measure::WRITTEN_OUT;
use crate::walk::packed::merged;
use crate::walk::packed::phase::Ends;
use crate::walk::packed::strings::Strings;

pub use crate::left::LeftToInterpreter;
pub use crate::options::{Integers, OpenTypes, Options};
pub(crate) use crate::pdu::Pdu;
pub use crate::profile::{can_share, generate_profile};
pub use error::GenerateError;
pub use usual::{Part, commonest};

/// The result of [`generate`].
#[derive(Clone, Debug)]
pub struct Generated {
    /// The Rust module.
    pub source: String,
    /// What its straight-line code leaves to the interpreter; a comment in the module says the
    /// same. For any other message, only rare forms are left to it: extension additions, values
    /// outside an extensible root, parts of 16K units or more.
    pub left: Vec<LeftToInterpreter>,
    /// The messages, by their names in the modules.
    pub messages: Vec<String>,
    /// How many octets of memory each of [`types`](Self::types) takes at most on a machine of 64
    /// bits, without what it has on the heap, as the compiler lays it out today.
    pub sizes: Vec<u64>,
    /// The Rust types of `roots`, in their order. A type and one that only constrains it share
    /// theirs.
    pub types: Vec<String>,
}

/// Generates one Rust module for the types `roots` (the PDUs) and all they refer to, with codecs
/// for each of `rules`. The code needs the crates `roadwire-wire`, `roadwire-layout` (without
/// default features) and `roadwire-engine`; a comment at its head lists the features of the last
/// one.
///
/// # Errors
/// A type that has no in-memory form or no layout under some rules.
pub fn generate(
    model: &Model,
    roots: &[TypeId],
    rules: &[Rules],
    options: Options,
) -> Result<Generated, GenerateError> {
    let opened = (options.open_types == OpenTypes::Typed).then(|| with_open_types(model));
    let types = RustTypes::collect(model, opened.as_ref().unwrap_or(model), roots, options)?;
    let mut checks = Checks::of(&types);
    let mut checked = Source::default();
    checks.write(roots, &mut checked);
    let mut codecs = Source::default();
    let (mut layouts, mut printed) = (Vec::new(), Printed::default());
    let mut left = Vec::new();
    for rules in rules {
        left.extend(codec((&types, &checks), roots, *rules, (&mut layouts, &mut printed), &mut codecs)?);
    }
    let mut out = begin(Some(&features::of(&types, &layouts)));
    if types.has_heap() {
        out.line("extern crate alloc;");
        out.line("#[allow(unused_imports)]");
        out.line("use alloc::{boxed::Box, string::String, vec::Vec};");
    }
    out.line("use roadwire_wire as wire;");
    data::write(&types, &mut out);
    let mut messages: Vec<String> = Vec::new();
    for layout in &layouts {
        if !messages.contains(&layout.type_name.to_string()) {
            messages.push(layout.type_name.to_string());
        }
    }
    let source = out.finish() + &checked.finish() + &codecs.finish();
    let rust = |root: &TypeId| types.with_lifetime(types.message(*root), *root, "'a");
    let sizes = roots.iter().map(|root| types.memory(*root).octets).collect();
    Ok(Generated { source, left, messages, types: roots.iter().map(rust).collect(), sizes })
}

/// The first lines, with the features of the engine that the code needs.
fn begin(features: Option<&[&str]>) -> Source {
    let mut out = Source::default();
    out.line("// Generated by roadwire from ASN.1. Do not edit.");
    if let Some(features) = features {
        out.line(format!(
            "// It needs roadwire-wire, roadwire-layout and roadwire-engine, of this its features {features:?}."
        ));
    }
    out.line("");
    out
}

/// The codecs for one set of rules: the layouts as tables, which the interpreter needs, and
/// straight-line code if there is a writer for it. Functions that earlier modules have are used
/// from there. Returns what the code leaves to the interpreter.
fn codec(
    (types, checks): (&RustTypes<'_>, &Checks<'_, '_>),
    roots: &[TypeId],
    rules: Rules,
    (layouts, printed): (&mut Vec<Layout>, &mut Printed),
    module: &mut Source,
) -> Result<Vec<LeftToInterpreter>, GenerateError> {
    let mut out = Source::default();
    let out = &mut out;
    out.line("#[allow(unused, non_snake_case, clippy::all)]");
    out.line(format!("pub mod {} {{", snake(rules.name())));
    out.line("use roadwire_engine as engine;");
    out.line("use roadwire_layout as layout;");
    out.line("use super::*;");
    out.line(format!("use layout::{rules:?} as Rules;"));
    let mut written = HashSet::new();
    let mut tables = Vec::new();
    let mut left = Vec::new();
    let lowered = lowered(types, roots, rules)?;
    let strings = Strings::of(&lowered.iter().map(|(_, layout)| layout).collect::<Vec<_>>());
    for ((pdu_id, layout), strings) in lowered.into_iter().zip(strings) {
        let root = types.canonical(pdu_id);
        let name = types.message(root);
        let is_instructed = rules == Rules::Exer
            && roadwire_layout::lower_without_contents(types.source, pdu_id, Rules::Xer)
                .is_ok_and(|xer| Layout { rules, ..xer } != layout);
        let properties = Properties::of(&layout);
        let merged = merged::shared(&layout, types.options.written_out.unwrap_or(WRITTEN_OUT));
        let has_plain = constraints::plain::has_plain_values(types, pdu_id);
        let pdu = Pdu {
            types,
            root,
            name,
            table: constant_name(name),
            layout,
            is_instructed,
            properties,
            ends: Ends::default(),
            has_plain,
            merged,
            strings,
        };
        let check = |trail: &str| checks.call_of_message(pdu_id, trail);
        message(&pdu, check("&mut ()").zip(check("trail")), out);
        let is_straight = types.has_functions(root)
            && (!types.is_borrowed() || rules.family().borrows_and_taps())
            && types.levels(root) <= MOST_LEVELS;
        if pdu.is_told() {
            tapped(&pdu, out);
        }
        if is_straight {
            family(rules.family())(&pdu, &mut written, out);
        } else {
            interpreted(&pdu, out);
        }
        left.extend(LeftToInterpreter::of(types, rules, (root, &pdu.layout.type_name), &out.take_given_up()));
        tables.push((pdu.layout, pdu.table));
    }
    printed.share(&snake(rules.name()), out);
    out.line("");
    out.line("/// The layouts.");
    out.line("pub mod tables {");
    out.line("use roadwire_layout::node::Default as LayoutDefault;");
    out.line("use roadwire_layout::*;");
    out.line("use roadwire_wire::BitWord;");
    tables.iter().for_each(|(layout, name)| table::write(layout, name, out));
    out.line("}");
    out.line("}");
    layouts.extend(tables.into_iter().map(|(layout, _)| layout));
    module.line("");
    module.line(format!("/// Codecs for {rules}: layouts as tables, and straight-line code."));
    left.iter().for_each(|left| module.line(format!("///\n/// {left}.")));
    module.append(std::mem::take(out));
    Ok(left)
}

/// The layouts of messages, each once.
fn lowered(types: &RustTypes<'_>, roots: &[TypeId], rules: Rules) -> Result<Vec<(TypeId, Layout)>, GenerateError> {
    let mut seen = HashSet::new();
    let roots = roots.iter().copied().filter(|root| seen.insert(types.canonical(*root)));
    // Generated types hold strings.
    let layout = |root| roadwire_layout::lower_without_contents(types.source, root, rules).map(|layout| (root, layout));
    roots.map(layout).collect::<Result<_, _>>().map_err(|error| GenerateError(error.to_string()))
}

/// The limit for levels of nesting (`roadwire_engine::Limits::DEPTH`): deeper types are left to the
/// interpreter, which counts levels.
const MOST_LEVELS: u32 = 100;

/// The straight-line code of a family.
fn family(family: Family) -> fn(&Pdu<'_, '_>, &mut HashSet<TypeId>, &mut Source) {
    match family {
        // Events and octets follow each other as bits do.
        Family::Packed | Family::Octet | Family::Events => rust::bits::write,
        Family::Tlv => rust::octets::write_tlv,
        Family::Fields => rust::octets::write_fields,
        Family::Xml => rust::text::write_xml,
        Family::Json => rust::text::write_json,
        Family::Vectors => rust::vectors::write,
        Family::Cbor => rust::octets::write_cbor,
    }
}

impl Pdu<'_, '_> {}
