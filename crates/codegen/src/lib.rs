//! The generator: prints the plans of [`roadwire_plan`] as Rust source, and as C99
//! ([`generate_c`]).
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
//!
//! Invariants: the same model and options give the same text. A plan decides what a function does;
//! its printer only says it in Rust.
//!
//! Absent on purpose: decisions how a type is held in memory, what a function does, and what is
//! left to the interpreter. Plans have them.
#![forbid(unsafe_code)]

mod c;
mod columns;
mod constraints;
mod data;
mod error;
mod features;
mod left;
mod message;
mod names;
mod parts;
mod pdu;
mod place;
mod profile;
mod rust;
mod rust_types;
mod source;
mod table;
mod tap;

use std::collections::HashSet;

use roadwire_layout::{Family, Layout, NodeId, Rules};
use roadwire_model::{Model, TypeId};

use crate::constraints::Checks;
use crate::message::{check, interpreted, message, tapped};
use crate::names::{constant_name, snake};
use crate::rust::shared::Printed;
use crate::rust_types::{RustTypes, with_open_types};
use crate::source::Source;

pub use crate::c::{C_RUNTIME, CMessage, COptions, DecoderWork, GeneratedC, Registers, generate_c};
pub use crate::left::LeftToInterpreter;
pub(crate) use crate::pdu::Pdu;
pub use crate::profile::{can_share, generate_profile};
pub use error::GenerateError;
pub use roadwire_plan::{Integers, OpenTypes, Options, Part, Way, commonest};

/// The result of [`generate`].
#[derive(Clone, Debug)]
pub struct Generated {
    /// The Rust module.
    pub source: String,
    /// The parts that its straight-line code leaves to the interpreter; a comment in the module
    /// says the same. For any other message, only rare forms are left to it: extension additions,
    /// values outside an extensible root, parts of 16K units or more.
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
    let has_taps = !options.tapped.is_empty();
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
    let mut out = begin(Some(&features::of(&types, &layouts, has_taps)));
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
    let sizes = roots.iter().map(|root| types.octets(*root)).collect();
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
    // Not `unused`: needless brackets cost the compiler time that grows with the square of the file
    // (rustc 1.95 copies the whole file for each pair, even where the lint is allowed).
    out.line("#[allow(unused_assignments, unused_imports, unused_mut, unused_variables)]");
    out.line("#[allow(dead_code, unreachable_code, unreachable_patterns, non_snake_case, clippy::all)]");
    out.line(format!("pub mod {} {{", snake(rules.name())));
    out.line("use roadwire_engine as engine;");
    out.line("use roadwire_layout as layout;");
    out.line("use super::*;");
    out.line(format!("use layout::{rules:?} as Rules;"));
    let mut written = HashSet::new();
    let mut tables = Vec::new();
    let mut left = Vec::new();
    for plan in roadwire_plan::Pdu::all(types, roots, rules)? {
        let name = types.message(plan.root);
        let pdu = Pdu { plan, types, name, table: constant_name(name) };
        let check = |trail: &str| checks.call_of_message(pdu.id, trail);
        message(&pdu, check("&mut ()").zip(check("trail")), out);
        if pdu.is_told() {
            tapped(&pdu, out);
        }
        let has_text = !types.is_borrowed() || rules.family().borrows_and_taps();
        match pdu.start().filter(|_| has_text) {
            Some(start) => family(rules.family())(&pdu, start, &mut written, out),
            None => interpreted(&pdu, out),
        }
        left.extend(LeftToInterpreter::of(types, rules, (pdu.root, &pdu.layout.type_name), &out.take_given_up()));
        tables.push((pdu.plan.layout, pdu.table));
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

/// The straight-line code of a family.
fn family(family: Family) -> fn(&Pdu<'_, '_>, NodeId, &mut HashSet<TypeId>, &mut Source) {
    match family {
        // Events and octets follow each other as bits do.
        Family::Packed | Family::Octet | Family::Events => rust::bits::write,
        Family::Tlv | Family::Fields | Family::Cbor => rust::octets::write,
        Family::Xml | Family::Json => rust::text::write,
        Family::Vectors => rust::vectors::write,
    }
}
