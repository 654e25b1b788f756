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
//! One module of source has the in-memory types, their interface to the interpreter, and for each set of encoding rules the layout as a constant table (the
//! space-optimised codec) and straight-line encoders and decoders (the time-optimised one). The straight-line code has no error paths and no rare paths:
//! it returns [`Rejected`](https://docs.rs/roadwire-wire), and the interpreter takes over, to encode or decode the message or to find out what is wrong.
#![forbid(unsafe_code)]

mod columns;
mod constraints;
mod data;
mod error;
mod features;
mod left;
mod names;
mod parts;
mod pass;
mod place;
mod plan;
mod profile;
mod rust;
mod source;
mod table;
mod types;
mod usual;
mod walk;

use std::collections::HashSet;

use roadwire_layout::{Family, Layout, NodeId, Properties, Rules};
use roadwire_model::{Model, TypeId};

use crate::constraints::Checks;
pub use crate::left::LeftToInterpreter;
use crate::names::{constant_name, snake};
pub use crate::profile::{can_share, generate_profile};
use crate::rust::shared::Printed;
use crate::source::Source;
use crate::types::Types;
use crate::types::measure::WRITTEN_OUT;
use crate::types::open::with_choices;
use crate::types::taps::Heard;
use crate::walk::packed::merged;
use crate::walk::packed::phase::Ends;
use crate::walk::packed::strings::Strings;
pub use error::GenerateError;
pub use usual::{Part, commonest};

/// Options for the types in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// A SEQUENCE, SET or CHOICE that takes more than this many octets of memory is in a `Box` wherever it is a component or an alternative, and a list that would take more has all its elements
    /// on the heap.
    pub box_above: u64,
    /// How INTEGERs without a bound are held.
    pub integers: Integers,
    /// What an open type is whose type another component selects by a table.
    pub open_types: OpenTypes,
    /// How many elements of a list without a bound are stored inline (of numbers and short strings of fixed length, as many as fit into 32 octets); longer lists are on the heap. With 0, all are.
    pub elements_in_place: u16,
    /// Octet strings (except short ones of fixed length), contents of open types, and UTF-8 text without a bound are borrowed from the input: types have its lifetime, and implement
    /// [`Lent`](../roadwire_engine/trait.Lent.html). There is straight-line code for the packed and octet encoding rules and the presentation language; the interpreter decodes the others.
    pub borrowed: bool,
    /// Parts of messages, as `Type.component`, for which a tap is called while a message is encoded or decoded: PDUs that contain them implement [`Tapped`](../roadwire_engine/trait.Tapped.html), under the
    /// packed and octet encoding rules and the presentation language. A part's number is its index here. A part may not be in a list, or in a recursive type.
    pub tapped: Vec<String>,
    /// The parts of usual messages. Under the packed and octet encoding rules, messages that can have them get a further version of their straight-line code, which is tried before the
    /// general one: for values that have exactly these optional components and alternatives.
    pub usual: Vec<Part>,
    /// Whether messages are checked against constraints that encoding rules do not take into account also when decoded; when encoded, they always are.
    pub check_all: bool,
    /// For tests: the code of a type with up to this many parts that is used more than once is written inline at each use; with 0, every part is a function.
    #[doc(hidden)]
    pub written_out: Option<u32>,
}

/// How INTEGERs without a lower or an upper bound are held in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integers {
    /// As [`Integer`](../roadwire_wire/struct.Integer.html): any number, on the heap beyond 64 bits.
    AnyLength,
    /// As `i64`, or as `u64` if they are not negative: other numbers are errors.
    Word,
}

/// What an open type is in memory, if a table tells its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenTypes {
    /// An enum of the types in the table, and of octets where none of them is selected.
    Typed,
    /// Octets. In JER, XER and EXI, values of the types in the table are then refused.
    Octets,
}

impl Options {
    /// What [`box_above`](Self::box_above) is by default: 16 KiB.
    pub const BOX_ABOVE: u64 = 16_384;
}

impl Default for Options {
    fn default() -> Self {
        Options {
            box_above: Options::BOX_ABOVE,
            integers: Integers::AnyLength,
            open_types: OpenTypes::Typed,
            elements_in_place: 0,
            borrowed: false,
            tapped: Vec::new(),
            usual: Vec::new(),
            check_all: false,
            written_out: None,
        }
    }
}

/// The result of [`generate`].
#[derive(Clone, Debug)]
pub struct Generated {
    /// The Rust module.
    pub source: String,
    /// What its straight-line code leaves to the interpreter; a comment in the module says the same. For any other message, only rare forms are left to it: extension additions,
    /// values outside an extensible root, parts of 16K units or more.
    pub left: Vec<LeftToInterpreter>,
    /// The messages, by their names in the modules.
    pub messages: Vec<String>,
    /// How many octets of memory each of [`types`](Self::types) takes at most on a machine of 64 bits, without what it has on the heap, as the compiler lays it out today.
    pub sizes: Vec<u64>,
    /// The Rust types of `roots`, in their order. A type and one that only constrains it share theirs.
    pub types: Vec<String>,
}

/// Generates one Rust module for the types `roots` (the PDUs) and all they refer to, with codecs for each of `rules`.
/// The code needs the crates `roadwire-wire`, `roadwire-layout` (without default features) and `roadwire-engine`; a comment at its head lists the features of the last one.
///
/// # Errors
/// A type that has no in-memory form or no layout under some rules.
pub fn generate(
    model: &Model,
    roots: &[TypeId],
    rules: &[Rules],
    options: Options,
) -> Result<Generated, GenerateError> {
    let opened = (options.open_types == OpenTypes::Typed).then(|| with_choices(model));
    let types = Types::collect(model, opened.as_ref().unwrap_or(model), roots, options)?;
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

/// The codecs for one set of rules: the layouts as tables, which the interpreter needs, and straight-line code if there is a writer for it.
/// Functions that earlier modules have are used from there. Returns what the code leaves to the interpreter.
fn codec(
    (types, checks): (&Types<'_>, &Checks<'_, '_>),
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
fn lowered(types: &Types<'_>, roots: &[TypeId], rules: Rules) -> Result<Vec<(TypeId, Layout)>, GenerateError> {
    let mut seen = HashSet::new();
    let roots = roots.iter().copied().filter(|root| seen.insert(types.canonical(*root)));
    // Generated types hold strings.
    let layout = |root| roadwire_layout::lower_without_contents(types.source, root, rules).map(|layout| (root, layout));
    roots.map(layout).collect::<Result<_, _>>().map_err(|error| GenerateError(error.to_string()))
}

/// The limit for levels of nesting (`roadwire_engine::Limits::DEPTH`): deeper types are left to the interpreter, which counts levels.
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

/// A message type and its layout under one set of rules.
pub(crate) struct Pdu<'a, 'm> {
    pub(crate) types: &'a Types<'m>,
    pub(crate) root: TypeId,
    /// The Rust type.
    pub(crate) name: &'a str,
    /// The name of the constant with its layout.
    pub(crate) table: String,
    pub(crate) layout: Layout,
    /// Whether encoding instructions make its layout differ from that of XER.
    pub(crate) is_instructed: bool,
    pub(crate) properties: Properties,
    pub(crate) ends: Ends,
    /// Whether constraints allow plain values.
    pub(crate) has_plain: bool,
    /// Contents of elements that are separate functions because of the elements merged into them.
    pub(crate) merged: HashSet<NodeId>,
    /// Its character strings, in a stream of events.
    pub(crate) strings: Strings,
}

impl Pdu<'_, '_> {
    /// The prefix of its functions' names. A family writes `<functions>_encode` and `<functions>_decode` for
    /// [`Message::encode_fast`](../roadwire_engine/trait.Message.html) and `decode_fast`.
    pub(crate) fn functions(&self) -> String {
        self.table.to_lowercase()
    }

    /// Whether there is straight-line code for usual values.
    pub(crate) fn has_usual(&self) -> bool {
        self.layout.rules.family() != Family::Events && self.types.has_usual_parts(self.root)
    }

    /// Whether there are parts of it for which a tap is called.
    pub(crate) fn is_told(&self) -> bool {
        self.layout.rules.family().borrows_and_taps() && self.types.leads_to_tap(self.root)
    }

    /// Begins its straight-line encoder.
    pub(crate) fn begin_encode(&self, attribute: &str, out: &mut Source) {
        out.begin_function(attribute, format!("{}_encode", self.functions()), &self.encoder(Heard::NOBODY));
    }

    /// Begins its straight-line decoder.
    pub(crate) fn begin_decode(&self, attribute: &str, out: &mut Source) {
        out.begin_function(attribute, format!("{}_decode", self.functions()), &self.decoder(Heard::NOBODY));
    }

    /// The signature of an encoder, after its name.
    pub(crate) fn encoder(&self, tap: Heard) -> String {
        let (generics, name, parameter) = (tap.generic(None), self.name_with("'_"), tap.parameter);
        format!("{generics}(value: &{name}, output: &mut [u8]{parameter}) -> Result<usize, wire::Rejected>")
    }

    /// The signature of a decoder.
    pub(crate) fn decoder(&self, tap: Heard) -> String {
        let lifetime = self.types.lends(self.root).then_some("'a");
        let (generics, name, parameter) = (tap.generic(lifetime), self.name_with("'a"), tap.parameter);
        let lifetime = lifetime.map_or(String::new(), |lifetime| format!("{lifetime} "));
        format!("{generics}(value: &mut {name}, input: &{lifetime}[u8]{parameter}) -> Result<usize, wire::Rejected>")
    }

    /// The Rust type with its lifetime, if it has one.
    pub(crate) fn name_with(&self, lifetime: &str) -> String {
        self.types.with_lifetime(self.name, self.root, lifetime)
    }
}

/// The message trait: lengths, layout, and calls of the straight-line code.
/// `check` are the calls that check a message, and that find out what is wrong with it.
fn message(pdu: &Pdu<'_, '_>, check: Option<(String, String)>, out: &mut Source) {
    let octets = pdu.properties.octets;
    let functions = pdu.functions();
    let is_lent = pdu.types.lends(pdu.root);
    ["encode", "decode"].into_iter().for_each(|way| out.calls(format!("{functions}_{way}")));
    out.line("");
    out.line(format!("impl engine::Message<Rules> for {} {{", pdu.name_with("'_")));
    out.line(format!("const MIN_OCTETS: usize = {};", octets.fewest));
    out.line(format!("const MAX_OCTETS: Option<usize> = {:?};", octets.most));
    out.line("");
    if let Some((check, explain)) = check {
        if pdu.types.options.check_all {
            out.line("const CHECKS_DECODED: bool = true;");
            out.line("");
        }
        self::check("check", &check, &explain, out);
        out.line("");
    }
    out.line("fn layout() -> &'static layout::Layout {");
    out.line(format!("&tables::{}", pdu.table));
    out.line("}");
    out.line("");
    out.line("#[inline]");
    out.line("fn encode_fast(&self, output: &mut [u8]) -> Result<usize, wire::Rejected> {");
    out.line(format!("{functions}_encode(self, output)"));
    out.line("}");
    out.line("");
    out.line("#[inline]");
    if is_lent {
        // Input that does not live as long must not be borrowed.
        out.line("fn decode_fast(&mut self, _: &[u8]) -> Result<usize, wire::Rejected> {");
        out.line("Err(wire::Rejected)");
    } else {
        out.line("fn decode_fast(&mut self, input: &[u8]) -> Result<usize, wire::Rejected> {");
        out.line(format!("{functions}_decode(self, input)"));
    }
    out.line("}");
    out.line("}");
    if pdu.types.is_borrowed() {
        out.line("");
        out.line(format!("impl<'a> engine::Lent<'a, Rules> for {} {{", pdu.name_with("'a")));
        out.line("#[inline]");
        out.line("fn decode_lent_fast(&mut self, input: &'a [u8]) -> Result<usize, wire::Rejected> {");
        out.line(format!("{functions}_decode(self, input)"));
        out.line("}");
        out.line("}");
    }
}

/// The method that checks constraints by the call `check`, and finds out by `explain` what is wrong.
fn check(method: &str, check: &str, explain: &str, out: &mut Source) {
    out.line("#[inline]");
    out.line(format!("fn {method}(&self) -> Result<(), wire::Error<'static>> {{"));
    out.line(format!("if {check} {{"));
    out.line("return Ok(());");
    out.line("}");
    out.line(format!("Err(wire::rt::constraint::explain(|trail| {explain}))"));
    out.line("}");
}

/// The trait of a message with tapped parts.
fn tapped(pdu: &Pdu<'_, '_>, out: &mut Source) {
    let (functions, name) = (pdu.functions(), pdu.name_with("'a"));
    ["encode", "decode"].into_iter().for_each(|way| out.calls(format!("{functions}_{way}_tapped")));
    out.line("");
    out.line(format!("impl<'a> engine::Tapped<'a, Rules> for {name} {{"));
    out.line("const WAYS: &'static [engine::Way] = &[");
    for (way, part) in pdu.types.ways_to_taps(pdu.root) {
        out.line(format!("(&{way:?}, {part}),"));
    }
    out.line("];");
    out.line("");
    out.line("#[inline]");
    out.line(
        "fn encode_tapped_fast<T: wire::Tap>(&self, output: &mut [u8], tap: &mut T) -> Result<usize, wire::Rejected> {",
    );
    out.line(format!("{functions}_encode_tapped(self, output, tap)"));
    out.line("}");
    out.line("");
    out.line("#[inline]");
    out.line("fn decode_tapped_fast<T: wire::Tap>(&mut self, input: &'a [u8], tap: &mut T) -> Result<usize, wire::Rejected> {");
    out.line(format!("{functions}_decode_tapped(self, input, tap)"));
    out.line("}");
    out.line("}");
}

/// No straight-line code: all is left to the interpreter.
fn interpreted(pdu: &Pdu<'_, '_>, out: &mut Source) {
    out.give_up_message(pdu.root);
    for begin in [Pdu::begin_encode, Pdu::begin_decode] {
        begin(pdu, "", out);
        out.line("Err(wire::Rejected)");
        out.end_function();
    }
}
