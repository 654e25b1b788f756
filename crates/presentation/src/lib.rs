//! The front end for the presentation language of IEEE 1609.2-2013 and TS 103 097 V1, which is that
//! of TLS (RFC 5246 §4) with a few additions: text to [`roadwire_model::Model`].
//!
//! Invariants: no text makes the compiler panic, recurse or allocate without bound. One run gives a
//! model, or all errors up to a limit, each with a code and its place.
//!
//! Absent on purpose: ASN.1, which `roadwire-asn1` compiles, encodings, and the reading of files.
//!
//! ```
//! let text = "struct { uint8 version; opaque name<var, 0..32>; } Header;";
//! let compiled = roadwire_presentation::compile(&[roadwire_presentation::Source::new("header.tls", text)]).unwrap();
//! assert!(compiled.model.find("Header").is_some());
//! ```
//!
//! # The language
//!
//! | text | type |
//! |---|---|
//! | `uint8`, `uint16`, `uint24` to `uint64`, `sint8`, `sint16`, `sint32`, `sint64` | INTEGER of that range |
//! | `IntX` | INTEGER in a variable number of octets; `PSID`: the same with the p-encoding of IEEE 1609 |
//! | `opaque x[8]`, `opaque x<var>` | OCTET STRING |
//! | `enum { a (0), b (1), reserved (240..255), (2^8-1) } E` | ENUMERATED; an unknown number is kept |
//! | `flags { a (0), b (1) } F` | BIT STRING with named bits |
//! | `struct { ... } S` | SEQUENCE; a struct with only an enum and a `select` on it is a CHOICE |
//! | `T x[24]`, `T x<var>`, `T x<0..2^16-1>` | SEQUENCE OF. Lengths are octets. |
//!
//! - `select (x)` immediately after the field `x`, which is an enum, is a CHOICE called `x` of the
//!   enum's items. `default:` is for all items without a `case`; `unknown:` is for unknown numbers,
//!   and is an opaque vector, which is kept. Without it, unknown numbers are refused, as are items
//!   without a case.
//! - `select (x)` elsewhere, `if_set (flags, flag) { } else { }` and
//!   `if_any_set (flags, flag, flag) { } else { }` make fields OPTIONAL, with presence determined
//!   by `x` or the flags. If `x` is a vector, a case holds if one of its elements is of that type.
//! - `extern T x;` in a struct is bound by name where the struct is used: to the surrounding case,
//!   to a constant, or to a field, on which no `select` is then possible.
//! - `uint8 size = 32;` is a constant, which takes no octets.
//!
//! Additions of roadwire: `<var, 1..6>` bounds the number of elements; with `<var, 0..6, ...>`
//! there may be more, on the heap. `ordered` before a field means that the elements of a vector are
//! in ascending order of their types, none twice; `ordered(a)` that those of type `a` precede all
//! others. Decoders accept any order; [`roadwire_model::order`] checks it.
//!
//! All files given together are one module, named after the first file.
#![forbid(unsafe_code)]

mod ast;
mod lexer;
mod parse;
mod resolve;

pub use roadwire_source::{Compiled, Diagnostic, Diagnostics, Severity, Source};

use roadwire_source::{MAX_TEXT, Sink, SourceText, Span, beyond_limit};

/// Compiles files, in any order, into one model.
///
/// # Errors
/// All errors and warnings, in the order of the sources; at least one is an error.
pub fn compile(sources: &[Source]) -> Result<Compiled, Diagnostics> {
    let mut sink = Sink::default();
    let files: Vec<SourceText> = sources.iter().map(SourceText::decode).collect();
    if let Some(index) = beyond_limit(&files) {
        let span = Span { file: index as u32, ..Span::default() };
        sink.error("tls.limit.text", span, format!("more than {} MiB of text, with this file", MAX_TEXT >> 20));
        return Err(sink.finish(&files));
    }
    let mut definitions = Vec::new();
    for (index, file) in (0..).zip(&files) {
        if let Some((span, message)) = file.misread(index) {
            sink.warning("tls.text.encoding", span, message);
        }
        definitions.extend(parse::parse_file(index, file, &mut sink));
    }
    if definitions.is_empty() && !sink.has_errors() {
        sink.error("tls.syntax", Span::default(), "there is no definition here");
    }
    let module = files.first().map_or(String::new(), |file| module_name(&file.name));
    let model = resolve::resolve(&module, &definitions, &mut sink);
    let failed = sink.has_errors();
    let diagnostics = sink.finish(&files);
    if failed { Err(diagnostics) } else { Ok(Compiled { model, warnings: diagnostics, notes: Diagnostics::default() }) }
}

/// An error at the definition `name`; empty if it is not defined.
#[must_use]
pub fn error_at(sources: &[Source], name: &str, code: &'static str, message: &str) -> Diagnostics {
    let files: Vec<SourceText> = sources.iter().map(SourceText::decode).collect();
    let definitions = (0..).zip(&files).flat_map(|(index, file)| parse::parse_file(index, file, &mut Sink::default()));
    let mut sink = Sink::default();
    for definition in definitions.filter(|one| one.name.text == name).take(1) {
        sink.error(code, definition.name.span, message);
    }
    sink.finish(&files)
}

/// Whether a file is in this language, by its extension, or otherwise by its first word.
#[must_use]
pub fn is_presentation(source: &Source) -> bool {
    let ending = source.name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("tls") => return true,
        Some("asn" | "asn1") => return false,
        _ => {}
    }
    let text = SourceText::decode(source);
    let mut sink = Sink::default();
    let tokens = lexer::lex(0, &text, &mut sink);
    let word = |at: usize| tokens.get(at).map_or("", |token| text.slice(token.span));
    let is_type =
        ["opaque", "IntX", "PSID"].contains(&word(0)) || word(0).starts_with("uint") || word(0).starts_with("sint");
    matches!((word(0), word(1)), ("struct" | "enum" | "flags", "{")) || is_type && word(1) != "DEFINITIONS"
}

/// A file's name without folders and extension: `ts103097-1.1.1.tls` is `ts103097-1-1-1`.
fn module_name(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
    stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}
