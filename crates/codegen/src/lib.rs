//! The generator: writes the interpreter's walk over a [`Layout`] out as Rust source.
//!
//! One module of source holds the in-memory types, how they hand their fields to the interpreter, and for each set of encoding rules the layout as a constant table (the
//! space-optimised codec) and straight-line encoders and decoders (the time-optimised one). The straight-line code has no error paths and no rare paths:
//! it says [`Rejected`](https://docs.rs/roadwire-wire), and the interpreter takes the message over, to encode or decode it or to explain what is wrong.
#![forbid(unsafe_code)]

mod constraints;
mod data;
mod features;
mod fields;
mod json;
mod left;
mod markup;
mod measure;
mod names;
mod octets;
mod packed;
mod parts;
mod presentation;
mod source;
mod table;
mod tagged;
mod taps;
mod text;
mod types;

use std::collections::HashSet;

use roadwire_layout::{Layout, NodeId, Properties, Rules};
use roadwire_model::{Model, TypeId};

use crate::constraints::Checks;
pub use crate::left::LeftToInterpreter;
use crate::measure::WRITTEN_OUT;
use crate::names::{constant_name, snake};
use crate::packed::merged;
use crate::packed::phase::Ends;
use crate::source::{GivenUp, Source};
use crate::taps::Heard;
use crate::types::{Repr, Types};

/// Why no code can be generated for a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenerateError(pub String);

impl std::fmt::Display for GenerateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GenerateError {}

/// What a program chooses for the types in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Of a list without a bound, so many elements are held in place, or as many as 32 octets hold of numbers and short strings of one length; more of them are on the heap, and with none, all.
    pub elements_in_place: u16,
    /// Octet strings (but short ones of one length), what is in open types, and UTF-8 text without a bound are borrowed from the input that is decoded: types have its lifetime, and implement
    /// [`Lent`](../roadwire_engine/trait.Lent.html). There is straight-line code for the packed and octet encoding rules and the presentation language; the interpreter decodes the others.
    pub borrowed: bool,
    /// Parts of messages, as `Type.component`, that programs hear of while a message is encoded or decoded: PDUs in which they are implement [`Tapped`](../roadwire_engine/trait.Tapped.html), under the
    /// packed and octet encoding rules and the presentation language. A part's number is its place here. None may be in a list, or in a type that contains itself.
    pub tapped: Vec<String>,
    /// Whether messages are checked against constraints that no encoding sees when they are decoded, too; when they are encoded they always are.
    pub check_all: bool,
    /// For tests: code of a type that is used more than once is written out at each use if it has up to so many parts; with 0, every part is a function.
    #[doc(hidden)]
    pub written_out: Option<u32>,
}

/// What [`generate`] makes.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The Rust module.
    pub source: String,
    /// What its straight-line code leaves to the interpreter; the same is said in the module.
    pub left: Vec<LeftToInterpreter>,
}

/// Generates one Rust module for the types `roots` (the PDUs) and all they refer to, with codecs for each of `rules`.
/// The code needs the crates `roadwire-wire`, `roadwire-layout` (without default features) and `roadwire-engine`; its second line says which features of the last one.
///
/// # Errors
/// A type that has no in-memory form or no layout under some rules.
pub fn generate(
    model: &Model,
    roots: &[TypeId],
    rules: &[Rules],
    options: Options,
) -> Result<Generated, GenerateError> {
    let types = Types::collect(model, roots, options)?;
    let mut checks = Checks::of(&types);
    let mut checked = Source::default();
    checks.write(roots, &mut checked);
    let mut codecs = Source::default();
    let mut known = Vec::new();
    let mut left = Vec::new();
    for rules in rules {
        left.extend(codec(&types, &checks, roots, *rules, &mut known, &mut codecs)?);
    }
    let layouts: Vec<&Layout> = known.iter().map(|known: &Known| &known.layout).collect();
    let mut out = begin(Some(&features::of(&types, &layouts)));
    if types.has_heap() {
        out.line("extern crate alloc;");
        out.line("#[allow(unused_imports)]");
        out.line("use alloc::{boxed::Box, string::String, vec::Vec};");
    }
    out.line("use roadwire_wire as wire;");
    data::write(&types, &mut out);
    Ok(Generated { source: out.finish() + &checked.finish() + &codecs.finish(), left })
}

/// Generates names only: those by which `roots` and all they refer to are known, for the types of module `of`, generated from the modules that `roots` are
/// constrained uses of.
///
/// # Errors
/// A type that has no in-memory form.
pub fn generate_names(model: &Model, roots: &[TypeId], of: &str) -> Result<String, GenerateError> {
    let types = Types::collect(model, roots, Options::default())?;
    let mut out = begin(None);
    out.line(format!("pub use {of}::*;"));
    data::synonyms(&types, &mut out);
    Ok(out.finish())
}

/// The head, with the features of the engine that the code needs.
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

/// The codecs for one set of rules: the layouts as tables, which is all that the interpreter wants, and straight-line code where there is a writer for it.
/// Where a message has the layout of one in `known`, it has that one's straight-line code. Tells what that leaves to the interpreter.
fn codec(
    types: &Types<'_>,
    checks: &Checks<'_, '_>,
    roots: &[TypeId],
    rules: Rules,
    known: &mut Vec<Known>,
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
    let mut seen = HashSet::new();
    let mut left = Vec::new();
    for pdu_id in roots {
        let root = types.canonical(*pdu_id);
        if !seen.insert(root) {
            continue;
        }
        let (Repr::Struct(name) | Repr::Choice(name)) = types.repr(root) else {
            return Err(GenerateError("a PDU has to be a SEQUENCE, SET or CHOICE for now".into()));
        };
        let layout =
            roadwire_layout::lower(types.model, *pdu_id, rules).map_err(|error| GenerateError(error.to_string()))?;
        let properties = Properties::of(&layout);
        let merged = merged::shared(&layout, types.options.written_out.unwrap_or(WRITTEN_OUT));
        let has_plain = constraints::plain::has_plain_values(types, *pdu_id);
        let pdu = Pdu {
            types,
            root,
            name,
            table: constant_name(name),
            layout,
            properties,
            ends: Ends::default(),
            has_plain,
            merged,
        };
        let same = known.iter().find(|other| has_same_code(&other.layout, &pdu.layout));
        let whose = same.map(|other| other.layout.rules);
        let check = |trail: &str| checks.call_of_message(*pdu_id, trail);
        message(&pdu, whose, check("&mut ()").zip(check("trail")), out);
        let is_straight = (!types.is_borrowed() || lends_and_tells(rules)) && types.levels(root) <= MOST_LEVELS;
        if pdu.is_told() {
            tapped(&pdu, whose, out);
        }
        out.is_message = true;
        match rules {
            _ if same.is_some() => {}
            _ if !is_straight => interpreted(&pdu, out),
            Rules::Uper | Rules::Aper | Rules::Oer | Rules::Coer => packed::write(&pdu, &mut written, out),
            Rules::Tls => presentation::write(&pdu, &mut written, out),
            Rules::Exi | Rules::ExiDefault | Rules::ExiMerged | Rules::ExiSplit => {
                packed::write(&pdu, &mut written, out);
            }
            Rules::Ber | Rules::Der | Rules::Cer => tagged::write(&pdu, &mut written, out),
            Rules::Protobuf => fields::write(&pdu, &mut written, out),
            Rules::Jer => json::write(&pdu, &mut written, out),
            Rules::Xer | Rules::Cxer | Rules::Exer => markup::write(&pdu, &mut written, out),
            _ => interpreted(&pdu, out),
        }
        let given_up = same.map_or_else(|| out.take_given_up(), |other| other.given_up.clone());
        left.extend(LeftToInterpreter::of(types, rules, (root, &pdu.layout.type_name), &given_up));
        tables.push((Known { layout: pdu.layout, given_up }, pdu.table));
    }
    out.line("");
    out.line("/// The layouts.");
    out.line("pub mod tables {");
    out.line("use roadwire_layout::node::Default as LayoutDefault;");
    out.line("use roadwire_layout::*;");
    out.line("use roadwire_wire::BitWord;");
    tables.iter().for_each(|(of, name)| table::write(&of.layout, name, out));
    out.line("}");
    out.line("}");
    known.extend(tables.into_iter().map(|(of, _)| of));
    module.line("");
    module.line(format!("/// Codecs for {rules}: layouts as tables, and straight-line code."));
    left.iter().for_each(|left| module.line(format!("///\n/// {left}.")));
    module.append(std::mem::take(out));
    Ok(left)
}

/// A message for which there is straight-line code already.
struct Known {
    layout: Layout,
    /// What that leaves to the interpreter.
    given_up: Vec<GivenUp>,
}

/// So many levels of nesting are read and written (`roadwire_engine::Limits::DEPTH`): types of more are left to the interpreter, which counts them.
const MOST_LEVELS: u32 = 100;

/// Whether straight-line code under these rules lends strings to types that borrow, and tells taps of parts.
#[must_use]
pub fn lends_and_tells(rules: Rules) -> bool {
    matches!(rules, Rules::Uper | Rules::Aper | Rules::Oer | Rules::Coer | Rules::Tls)
}

/// Whether straight-line code is the same for two layouts: where they are, but for the rules. (The lengths of CER follow from the rules alone.)
fn has_same_code(one: &Layout, other: &Layout) -> bool {
    let rules = [one.rules, other.rules];
    !rules.contains(&Rules::Cer) && one.nodes == other.nodes && Layout { rules: other.rules, ..one.clone() } == *other
}

/// A message type and its layout under one set of rules.
pub(crate) struct Pdu<'a, 'm> {
    pub(crate) types: &'a Types<'m>,
    pub(crate) root: TypeId,
    /// The Rust type.
    pub(crate) name: &'a str,
    /// The constant that its layout is.
    pub(crate) table: String,
    pub(crate) layout: Layout,
    pub(crate) properties: Properties,
    pub(crate) ends: Ends,
    /// Whether constraints leave plain values.
    pub(crate) has_plain: bool,
    /// Contents of elements that are functions because of what is merged into them.
    pub(crate) merged: HashSet<NodeId>,
}

impl Pdu<'_, '_> {
    /// What the names of its functions begin with. `<functions>_encode` and `<functions>_decode` are what a family writes for
    /// [`Message::encode_fast`](../roadwire_engine/trait.Message.html) and `decode_fast`.
    pub(crate) fn functions(&self) -> String {
        self.table.to_lowercase()
    }

    /// The same, from the module of the rules `whose` if not its own.
    fn functions_of(&self, whose: Option<Rules>) -> String {
        let module = whose.map_or(String::new(), |rules| format!("super::{}::", snake(rules.name())));
        format!("{module}{}", self.functions())
    }

    /// Whether there are parts of it that a tap hears of.
    pub(crate) fn is_told(&self) -> bool {
        lends_and_tells(self.layout.rules) && self.types.leads_to_tap(self.root)
    }

    /// Begins its straight-line encoder.
    pub(crate) fn begin_encode(&self, out: &mut Source) {
        out.line(format!("pub(super) {} {{", self.encoder(&format!("{}_encode", self.functions()), Heard::NOBODY)));
    }

    /// Begins its straight-line decoder.
    pub(crate) fn begin_decode(&self, out: &mut Source) {
        out.line(format!("pub(super) {} {{", self.decoder(&format!("{}_decode", self.functions()), Heard::NOBODY)));
    }

    /// The head of an encoder.
    pub(crate) fn encoder(&self, function: &str, tap: Heard) -> String {
        let (generics, name, parameter) = (tap.generic(None), self.name_with("'_"), tap.parameter);
        format!(
            "fn {function}{generics}(value: &{name}, output: &mut [u8]{parameter}) -> Result<usize, wire::Rejected>"
        )
    }

    /// The head of a decoder.
    pub(crate) fn decoder(&self, function: &str, tap: Heard) -> String {
        let lifetime = self.types.lends(self.root).then_some("'a");
        let (generics, name, parameter) = (tap.generic(lifetime), self.name_with("'a"), tap.parameter);
        let lifetime = lifetime.map_or(String::new(), |lifetime| format!("{lifetime} "));
        format!(
            "fn {function}{generics}(value: &mut {name}, input: &{lifetime}[u8]{parameter}) -> Result<usize, wire::Rejected>"
        )
    }

    /// The Rust type with its lifetime, if it has one.
    pub(crate) fn name_with(&self, lifetime: &str) -> String {
        self.types.with_lifetime(self.name, self.root, lifetime)
    }
}

/// The message trait: lengths, layout, and calls of the straight-line code, which is in the module of the rules `whose` if not in its own.
/// `check` are the calls that check a message, and that say what is wrong with it.
fn message(pdu: &Pdu<'_, '_>, whose: Option<Rules>, check: Option<(String, String)>, out: &mut Source) {
    let octets = pdu.properties.octets;
    let functions = pdu.functions_of(whose);
    let is_lent = pdu.types.lends(pdu.root);
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
        out.line("#[inline]");
        out.line("fn check(&self) -> Result<(), wire::Error<'static>> {");
        out.line(format!("if {check} {{"));
        out.line("return Ok(());");
        out.line("}");
        out.line(format!("Err(wire::constraint::explain(|trail| {explain}))"));
        out.line("}");
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
        // Nothing may be lent by what does not live as long.
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

/// The trait of a message with parts that programs hear of.
fn tapped(pdu: &Pdu<'_, '_>, whose: Option<Rules>, out: &mut Source) {
    let (functions, name) = (pdu.functions_of(whose), pdu.name_with("'a"));
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
    let (functions, name) = (pdu.functions(), pdu.name_with("'_"));
    out.give_up_message(pdu.root);
    out.line("");
    out.line(format!("pub(super) fn {functions}_encode(_: &{name}, _: &mut [u8]) -> Result<usize, wire::Rejected> {{"));
    out.line("Err(wire::Rejected)");
    out.line("}");
    out.line("");
    out.line(format!("pub(super) fn {functions}_decode(_: &mut {name}, _: &[u8]) -> Result<usize, wire::Rejected> {{"));
    out.line("Err(wire::Rejected)");
    out.line("}");
}
