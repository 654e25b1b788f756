//! The ASN.1 front end: module text (X.680 to X.683) to [`roadwire_model::Model`].
//!
//! Invariants: no text makes the compiler panic, recurse or allocate without bound. One run gives a
//! model, or all errors up to a limit, each with a code, its rule and its place. In a model every
//! name, parameter and information object is resolved.
//!
//! Absent on purpose: encodings (a model has no bits), the reading of files (texts are given), and
//! the presentation language, which `roadwire-presentation` compiles.
//!
//! ```
//! let text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN Speed ::= INTEGER (0..16383) END";
//! let compiled = roadwire_asn1::compile(&[roadwire_asn1::Source::new("m.asn", text)]).unwrap();
//! assert!(compiled.model.find("M.Speed").is_some());
//! ```
//!
//! Any text is safe to compile: nesting, chains of references, instances of parameterised
//! definitions and COMPONENTS OF have limits, and exceeding one is an error with its position.
#![forbid(unsafe_code)]

mod ast;
mod lexer;
mod parse;
mod print;
mod resolve;
mod rules;

pub use print::ReduceError;
pub use roadwire_source::{Allow, Compiled, Diagnostic, Diagnostics, Severity, Source};
pub use rules::{RULES, Rule};

use resolve::characters;
use roadwire_source::{MAX_TEXT, Sink, SourceText, Span, beyond_limit};

/// Compiles modules, in any order and any number to a file, into one model.
///
/// # Errors
/// All errors and warnings, in the order of the sources; at least one is an error.
pub fn compile(sources: &[Source]) -> Result<Compiled, Diagnostics> {
    with_large_stack(|| compile_here(sources))
}

/// Modules as text of one layout, without comments, reduced to what the definitions `names` (`Name`
/// or `Module.Name`, of any kind) reach: types have the same values and encodings as in the modules
/// given. Printing what was printed gives the same text.
///
/// ```
/// let text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
///     Unused ::= NULL
///     A ::= SEQUENCE { speed Speed   OPTIONAL, ... }  Speed ::= INTEGER(0..top) -- of a car --  top INTEGER::=16383
/// END";
/// let reduced = roadwire_asn1::reduce(&[roadwire_asn1::Source::new("m.asn", text)], &["M.A"]).unwrap();
/// assert_eq!(reduced, "\
/// M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
///
/// A ::= SEQUENCE {
///   speed Speed OPTIONAL,
///   ...
/// }
///
/// Speed ::= INTEGER (0..top)
///
/// top INTEGER ::= 16383
///
/// END
/// ");
/// ```
///
/// # Errors
/// Modules with errors, or a name that is not that of one definition.
pub fn reduce(sources: &[Source], names: &[&str]) -> Result<String, ReduceError> {
    with_large_stack(|| print::reduce(sources, names))
}

/// An error at the definition `name` of module `module`; empty if there is no such definition.
#[must_use]
pub fn error_at(sources: &[Source], module: &str, name: &str, code: &'static str, message: &str) -> Diagnostics {
    with_large_stack(|| {
        let files: Vec<SourceText> = sources.iter().map(SourceText::decode).collect();
        let modules =
            (0..).zip(&files).flat_map(|(index, file)| parse::parse_file(index, file, &mut Sink::default()).1);
        let assignments = modules.filter(|one| &*one.name.name == module).flat_map(|one| one.assignments);
        let mut sink = Sink::default();
        for assignment in assignments.filter(|one| &*one.name.name == name).take(1) {
            sink.error(code, assignment.name.span, message);
        }
        sink.finish(&files)
    })
}

fn with_large_stack<T: Send>(work: impl Fn() -> T + Sync) -> T {
    // Recursion is limited, but a small stack would not be enough for it.
    const STACK: usize = 128 << 20;
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().name("asn1".to_owned()).stack_size(STACK).spawn_scoped(scope, &work);
        match worker.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // Threads are not available: use the caller's stack.
            Err(_) => work(),
        }
    })
}

/// Files, their lexical items, and the modules in them.
struct Read {
    files: Vec<SourceText>,
    lexed: Vec<parse::LexedFile>,
    modules: Vec<ast::Module>,
    /// Modules that are there without a file.
    prelude: Vec<ast::Module>,
}

fn read(mut files: Vec<SourceText>, sink: &mut Sink) -> Read {
    let mut lexed = Vec::new();
    let mut modules: Vec<ast::Module> = Vec::new();
    for (index, file) in files.iter().enumerate() {
        if let Some((span, message)) = file.misread(index as u32) {
            sink.warning("asn1.text.encoding", span, message);
        }
        let (tokens, found) = parse::parse_file(index as u32, file, sink);
        lexed.push(tokens);
        modules.extend(found);
    }
    let mut prelude = Vec::new();
    for text in built_in(&modules) {
        let file = SourceText::decode(&Source::new("built-in", text));
        let (tokens, found) = parse::parse_file(files.len() as u32, &file, sink);
        files.push(file);
        lexed.push(tokens);
        prelude.extend(found);
    }
    Read { files, lexed, modules, prelude }
}

fn compile_here(sources: &[Source]) -> Result<Compiled, Diagnostics> {
    let mut sink = Sink::default();
    let files: Vec<SourceText> = sources.iter().map(SourceText::decode).collect();
    if let Some(index) = beyond_limit(&files) {
        let span = Span { file: index as u32, ..Span::default() };
        sink.error("asn1.limit.text", span, format!("more than {} MiB of text, with this file", MAX_TEXT >> 20));
        return Err(sink.finish(&files));
    }
    let Read { files, lexed, modules, prelude } = read(files, &mut sink);
    if modules.is_empty() && !sink.has_errors() {
        let span = Span::default();
        sink.error("asn1.syntax", span, "there is no module here");
    }
    let model = resolve::resolve(&files, &lexed, modules, prelude, &mut sink);
    let failed = sink.has_errors();
    let notes = sink.notes(&files);
    let mut diagnostics = sink.finish(&files);
    rules::name(&mut diagnostics);
    if failed {
        return Err(diagnostics);
    }
    Ok(Compiled { model, warnings: diagnostics, notes })
}

/// The text of the modules that are there without a file: that of characters has what is imported
/// from it, and is there if no file has it.
fn built_in(modules: &[ast::Module]) -> Vec<String> {
    let is_characters = |name: &ast::Ident| &*name.name == characters::CHARACTER_MODULE;
    let mut texts = vec![resolve::PRELUDE.to_owned()];
    let imports: Vec<&ast::Import> =
        modules.iter().flat_map(|module| &module.imports).filter(|import| is_characters(&import.from)).collect();
    if !imports.is_empty() && !modules.iter().any(|module| is_characters(&module.name)) {
        let names = imports.iter().flat_map(|import| &import.symbols).map(|symbol| &*symbol.name).collect();
        texts.push(characters::module(&names));
    }
    texts
}
