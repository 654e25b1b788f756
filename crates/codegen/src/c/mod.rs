//! Prints plans as C99.
//!
//! There is no interpreter: a function rejects where its plan does. Another one then walks the
//! message again, by a thorough plan: it takes rare forms, or says what is wrong, and in which
//! field.

mod apart;
mod checks;
mod conditions;
mod defaults;
mod elements;
mod events;
mod fields;
mod fragments;
mod functions;
mod items;
mod kept;
mod messages;
mod names;
mod numbers;
mod octets;
mod parts;
mod paths;
mod places;
mod reals;
mod reasons;
mod rows;
mod statements;
mod stream;
mod text;
mod times;
mod types;
mod values;
mod vectors;
mod wide;
mod work;

use std::collections::HashSet;

use roadwire_layout::{Family, Rules};
use roadwire_model::{Model, TypeId};

use crate::rust_types::{RustTypes, with_open_types};
use crate::source::Source;
use crate::{GenerateError, Integers, OpenTypes, Options, Way};
use checks::Checks;
use kept::Kept;
use names::CTypes;
use statements::Cursor;
pub use work::{DecoderWork, Registers};

/// The runtime of generated C: primitives that its functions call.
pub const C_RUNTIME: &str = concat!(
    "/* The runtime of codecs that roadwire generates. C99, no heap, no globals. */\n",
    "#ifndef ROADWIRE_RT_H\n#define ROADWIRE_RT_H\n\n",
    include_str!("runtime/errors.h"),
    "\n",
    include_str!("runtime/values.h"),
    "\n",
    include_str!("runtime/arena.h"),
    "\n",
    include_str!("runtime/integers.h"),
    "\n",
    include_str!("runtime/constraints.h"),
    "\n",
    include_str!("runtime/streams.h"),
    "\n",
    include_str!("runtime/packed.h"),
    "\n",
    include_str!("runtime/fragments.h"),
    "\n",
    include_str!("runtime/octets.h"),
    "\n",
    include_str!("runtime/reals.h"),
    "\n",
    include_str!("runtime/elements.h"),
    "\n",
    include_str!("runtime/order.h"),
    "\n",
    include_str!("runtime/element_reasons.h"),
    "\n",
    include_str!("runtime/element_forms.h"),
    "\n",
    include_str!("runtime/times.h"),
    "\n",
    include_str!("runtime/moments.h"),
    "\n",
    include_str!("runtime/moment_forms.h"),
    "\n",
    include_str!("runtime/fields.h"),
    "\n",
    include_str!("runtime/items.h"),
    "\n",
    include_str!("runtime/vectors.h"),
    "\n",
    include_str!("runtime/events.h"),
    "\n",
    include_str!("runtime/event_forms.h"),
    "\n",
    include_str!("runtime/arcs.h"),
    "\n",
    include_str!("runtime/text.h"),
    "\n",
    include_str!("runtime/text_forms.h"),
    "\n",
    include_str!("runtime/text_reals.h"),
    "\n",
    include_str!("runtime/integer_forms.h"),
    "\n",
    include_str!("runtime/event_reals.h"),
    "\n#endif /* ROADWIRE_RT_H */\n",
);

/// The most octets of memory that a message may take: all its parts are in place.
const MOST_OCTETS: u64 = 1 << 20;

/// The result of [`generate_c`].
#[derive(Clone, Debug)]
pub struct GeneratedC {
    /// The header: types, and the functions of the messages.
    pub header: String,
    /// The source, which includes the header as `<name>.h`.
    pub source: String,
    /// The messages: one for each of the roots, in their order.
    pub messages: Vec<CMessage>,
}

/// Names in generated C, and what it has.
#[derive(Clone, Copy, Debug)]
pub struct COptions<'o> {
    /// The name of the files.
    pub name: &'o str,
    /// The beginning of all names.
    pub prefix: &'o str,
    /// Encoders, decoders, or both.
    pub ways: &'o [Way],
    /// Whether messages are checked against constraints that encoding rules do not take into
    /// account also when decoded; when encoded, they always are.
    pub check_all: bool,
    /// How an INTEGER without a bound is held. One whose bounds are beyond 64 bits has its octets
    /// in any case.
    pub integers: Integers,
}

impl<'o> From<(&'o str, &'o str)> for COptions<'o> {
    /// The name of the files and the prefix, for encoders and decoders.
    fn from((name, prefix): (&'o str, &'o str)) -> Self {
        COptions { name, prefix, ways: &[Way::Encode, Way::Decode], check_all: false, integers: Integers::Word }
    }
}

/// A message in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CMessage {
    /// The name of its type, with which those of its functions begin.
    pub name: String,
    takes_memory: bool,
    takes_memory_for_numbers: bool,
    takes_memory_as_text: bool,
    /// How many octets of memory a value takes at most where a pointer has 64 bits, without what
    /// is in an `rw_arena`.
    pub octets: u64,
}

impl CMessage {
    /// Whether some parts of it are not in place: the decoder under these rules is then called
    /// `…_in`, and takes memory from an `rw_arena`.
    #[must_use]
    pub const fn takes_memory(&self, rules: Rules) -> bool {
        match rules.family() {
            family if apart::is_text(family) => self.takes_memory_as_text,
            family if wide::has_numbers_apart(family) => self.takes_memory_for_numbers,
            _ => self.takes_memory,
        }
    }
}

/// Generates a header and a source in C99 for the types `roots` and all they refer to, with an
/// encoder and a decoder for each of `rules`. The source needs [`C_RUNTIME`] as `roadwire_rt.h`.
///
/// # Errors
/// A type that has no layout under some rules; rules, and parts of types, that the C printer does
/// not have.
pub fn generate_c<'o>(
    model: &Model,
    roots: &[TypeId],
    rules: &[Rules],
    options: impl Into<COptions<'o>>,
) -> Result<GeneratedC, GenerateError> {
    let COptions { name, prefix, ways, check_all, integers } = options.into();
    let opened = with_open_types(model);
    let names = RustTypes::collect(model, &opened, roots, memory_options(check_all, integers))?;
    for root in roots {
        let octets = names.octets(*root);
        if octets > MOST_OCTETS {
            let name = names.message(*root);
            return Err(GenerateError(format!("there is no C for {name}: it takes up to {octets} octets in place")));
        }
    }
    let has_row_names = rules.iter().any(|rules| rules.family() == Family::Events);
    let types = CTypes::new(&names, prefix, has_row_names);
    let (mut header, mut source) = (Source::default(), Source::default());
    let guard = format!("{}_H", name.to_uppercase());
    header.line("/* Generated by roadwire from ASN.1. Do not edit. */");
    header.line(format!("#ifndef {guard}"));
    header.line(format!("#define {guard}"));
    header.line("");
    header.line("#include \"roadwire_rt.h\"");
    header.line("");
    header.line("RW_BEGIN");
    types.write(roots, &mut header)?;
    source.line("/* Generated by roadwire from ASN.1. Do not edit. */");
    source.line(format!("#include \"{name}.h\""));
    let mut checks = Checks::of(&types);
    let is_checked = roots.iter().any(|root| checks.are_for(*root));
    let mut functions = Source::default();
    for rules in rules {
        let Some(cursor) = Cursor::of(rules.family()) else {
            let which = "uper, aper, oer, coer, ber, der, cer, protobuf, cbor, tls, jer and EXI's rules";
            return Err(GenerateError(format!("there is no C for {rules}: {which} have it")));
        };
        let (mut written, mut explained, mut done) = (HashSet::new(), HashSet::new(), HashSet::new());
        for pdu in roadwire_plan::Pdu::all(&names, roots, *rules)? {
            if done.insert(pdu.root) {
                functions::write(
                    &types,
                    (&pdu, cursor, ways),
                    (&mut written, &mut explained),
                    &mut checks,
                    (&mut header, &mut functions),
                )?;
            }
        }
    }
    if is_checked || rules.iter().any(|rules| functions::has_thorough(rules.family())) {
        types.write_rows(&mut source);
    }
    // Checks have settings of times as well.
    let mut checked = Source::default();
    checks.write(&mut checked);
    types.times.borrow().write(&mut source);
    source.append(checked);
    source.append(functions);
    if ways.contains(&Way::Encode) {
        Kept::of(&types).write(roots.iter().map(|root| names.canonical(*root)), &mut header, &mut source);
    }
    let messages = roots.iter().map(|root| names.canonical(*root));
    let messages = messages.map(|root| CMessage {
        name: types.type_name(root),
        takes_memory: types.takes_memory(root, Family::Tlv),
        takes_memory_for_numbers: types.takes_memory(root, Family::Packed),
        takes_memory_as_text: types.takes_memory(root, Family::Json),
        octets: names.octets(root),
    });
    header.line("");
    header.line("RW_END");
    header.line("");
    header.line(format!("#endif /* {guard} */"));
    Ok(GeneratedC { header: header.finish(), source: source.finish(), messages: messages.collect() })
}

/// How types are held in C.
fn memory_options(check_all: bool, integers: Integers) -> Options {
    Options {
        integers,
        open_types: OpenTypes::Typed,
        borrowed: true,
        stands_alone: true,
        check_all,
        ..Options::default()
    }
}
