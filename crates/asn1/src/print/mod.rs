//! Modules as text of one layout, reduced to what some definitions reach.
//!
//! It prints the lexical items of the definitions, so that no construct is lost; comments are left
//! out, and line breaks and spaces are our own.

mod doc;
mod layout;
mod tree;

use std::fmt;

use roadwire_source::{Allow, Diagnostics, Sink, Source, SourceText};

use crate::ast::{Tagging, Tokens};
use crate::lexer::{Tok, Token, lex};
use crate::parse::LexedFile;
use crate::resolve::{ReachedImport, ReachedModule};
use crate::{Read, resolve};
use doc::Doc;
use tree::Node;

/// Why modules were not reduced.
#[derive(Clone, Debug)]
pub enum ReduceError {
    /// The modules have errors.
    Modules(Diagnostics),
    /// No one definition has this name.
    Unknown(String),
    /// This definition or module has items that would be read as others.
    Unprintable(String),
}

impl fmt::Display for ReduceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReduceError::Modules(found) => f.write_str(&found.render()),
            ReduceError::Unknown(name) => write!(f, "these modules have no one definition `{name}`"),
            ReduceError::Unprintable(name) => write!(f, "`{name}` cannot be printed so that it is read again"),
        }
    }
}

impl std::error::Error for ReduceError {}

pub(crate) fn reduce(sources: &[Source], names: &[&str]) -> Result<String, ReduceError> {
    crate::compile_here(sources).map_err(ReduceError::Modules)?;
    let Read { files, lexed, modules, prelude } =
        crate::read(sources.iter().map(SourceText::decode).collect(), &mut Sink::default());
    let reached = resolve::reach(&files, &lexed, modules, prelude, names).map_err(ReduceError::Unknown)?;
    let printer = Printer { files: &files, lexed: &lexed };
    let modules: Result<Vec<String>, ReduceError> = reached.iter().map(|module| printer.module(module)).collect();
    Ok(modules?.join("\n"))
}

struct Printer<'a> {
    files: &'a [SourceText],
    lexed: &'a [LexedFile],
}

impl Printer<'_> {
    fn module(&self, module: &ReachedModule) -> Result<String, ReduceError> {
        let mut out = self.head(module);
        if !module.imports.is_empty() {
            let imports: Vec<String> = module.imports.iter().map(|import| self.import(import)).collect();
            out += &format!("\nIMPORTS\n{};\n", imports.join("\n\n"));
        }
        for assignment in &module.assignments {
            let text = layout::assignment(&self.tree(assignment.tokens)).print();
            self.check(assignment.tokens, &text, &assignment.name.name)?;
            out += &format!("\n{text}\n");
        }
        for section in module.ast.encoding_control.iter().filter(|_| !module.assignments.is_empty()) {
            let text = layout::words(&self.tree(section.text)).nest().print();
            self.check(section.text, &text, &module.ast.name.name)?;
            out += &format!("\nENCODING-CONTROL {}\n  {text}\n", section.reference.name);
        }
        out += "\nEND\n";
        Ok(out)
    }

    fn head(&self, module: &ReachedModule) -> String {
        let ast = &module.ast;
        let mut words = vec!["DEFINITIONS".to_owned()];
        words.extend(ast.encoding_reference.iter().map(|reference| format!("{reference} INSTRUCTIONS")));
        words.push(
            match ast.tagging {
                Tagging::Explicit => "EXPLICIT TAGS",
                Tagging::Implicit => "IMPLICIT TAGS",
                Tagging::Automatic => "AUTOMATIC TAGS",
            }
            .to_owned(),
        );
        words.extend(ast.extensibility_implied.then(|| "EXTENSIBILITY IMPLIED".to_owned()));
        let definitions = format!("{} ::= BEGIN", words.join(" "));
        match ast.oid {
            Some(oid) => format!("{}\n{}\n{definitions}\n", ast.name.name, self.oid(oid)),
            None => format!("{} {definitions}\n", ast.name.name),
        }
    }

    fn import(&self, import: &ReachedImport) -> String {
        let symbols = import.symbols.iter().map(|symbol| Doc::text(&**symbol));
        let symbols = Doc::All(vec![Doc::text("  "), layout::list(symbols.collect())]).nest().print();
        let from = format!("{symbols}\nFROM {}", import.from);
        match import.oid {
            Some(oid) => format!("{from}\n{}", self.oid(oid)),
            None => from,
        }
    }

    fn oid(&self, oid: Tokens) -> String {
        Doc::All(vec![Doc::text("  "), layout::object_identifier(&self.tree(oid))]).nest().print()
    }

    fn tree(&self, tokens: Tokens) -> Vec<Node<'_>> {
        let (source, tokens) = self.items(tokens);
        tree::tree(source, tokens)
    }

    fn items(&self, tokens: Tokens) -> (&SourceText, &[Token]) {
        let file = tokens.file as usize;
        (&self.files[file], &self.lexed[file].tokens[tokens.start as usize..tokens.end as usize])
    }

    /// The text must have the lexical items that it was printed from.
    fn check(&self, tokens: Tokens, text: &str, name: &str) -> Result<(), ReduceError> {
        let (source, items) = self.items(tokens);
        let mut sink = Sink::default();
        let printed = SourceText::decode(&Source::new("printed", text).allowing(&Allow::ALL));
        let again = lex(0, &printed, &mut sink);
        let wanted = items.iter().map(|item| (item.tok, source.slice(item.span)));
        let found = again.iter().filter(|item| item.tok != Tok::End).map(|item| (item.tok, printed.slice(item.span)));
        match !sink.has_errors() && wanted.eq(found) {
            true => Ok(()),
            false => Err(ReduceError::Unprintable(name.to_owned())),
        }
    }
}
