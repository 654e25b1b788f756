//! Modules, exports, imports, and what a name stands for.

use std::collections::HashMap;
use std::rc::Rc;

use super::Resolver;
use super::parameters::{Arg, Scope};
use crate::ast::{Assignment, Body, Ident, Module, Reference, Tokens};
use crate::lexer::Tok;
use roadwire_source::{Outcome, Reported};

pub(super) struct ModuleInfo {
    pub(super) ast: Rc<Module>,
    pub(super) scope: Rc<Scope>,
    assignments: HashMap<Rc<str>, Rc<Assignment>>,
    /// Where imported names come from; `None` when the module was not given (and that was said).
    imports: HashMap<Rc<str>, Option<usize>>,
    /// What the module calls those that it imports from, where that is another name.
    renamed: HashMap<Rc<str>, usize>,
}

/// What a name stands for.
pub(super) enum Found {
    Definition { module: usize, assignment: Rc<Assignment> },
    Argument(Arg),
}

/// What a misspelt name may have been meant to be.
const BUILTIN: &[&str] = &[
    "BIT",
    "BMPString",
    "BOOLEAN",
    "CHOICE",
    "ENUMERATED",
    "GeneralizedTime",
    "IA5String",
    "INTEGER",
    "NULL",
    "NumericString",
    "OBJECT",
    "OCTET",
    "PrintableString",
    "REAL",
    "SEQUENCE",
    "SET",
    "UTCTime",
    "UTF8String",
    "VisibleString",
];

impl Resolver<'_> {
    pub(super) fn enter_modules(&mut self, modules: Vec<Module>, prelude: Vec<Module>) {
        for (index, module) in modules.into_iter().chain(prelude).enumerate() {
            let mut assignments: HashMap<Rc<str>, Rc<Assignment>> = HashMap::new();
            for assignment in &module.assignments {
                let name = &assignment.name;
                if let Some(first) = assignments.get(&name.name) {
                    let note = self.defined_at(&first.name);
                    self.sink.error_note(
                        "asn1.name.duplicate",
                        name.span,
                        format!("`{}` is assigned twice in this module", name.name),
                        Some(note),
                    );
                } else {
                    assignments.insert(name.name.clone(), assignment.clone());
                }
            }
            if let Some(first) = self.by_name.get(&module.name.name) {
                let note = self.defined_at(&self.modules[*first].ast.name.clone());
                self.sink.error_note(
                    "asn1.module.duplicate",
                    module.name.span,
                    format!("module `{}` is given twice", module.name.name),
                    Some(note),
                );
            } else {
                self.by_name.insert(module.name.name.clone(), index);
            }
            self.modules.push(ModuleInfo {
                ast: Rc::new(module),
                scope: Rc::new(Scope::of_module(index)),
                assignments,
                imports: HashMap::new(),
                renamed: HashMap::new(),
            });
        }
        for index in 0..self.modules.len() {
            self.enter_imports(index);
        }
    }

    fn enter_imports(&mut self, index: usize) {
        let ast = self.modules[index].ast.clone();
        for import in &ast.imports {
            let named = self.by_name.get(&import.from.name).copied();
            // X.680 §13.16: with an object identifier, the name is only what the importer calls the module.
            let from = named.or_else(|| self.module_with_oid(import.oid?));
            if from.is_none() {
                let note = self.sink.suggestion(&import.from.name, self.by_name.keys().map(|k| &**k));
                self.sink.error_note(
                    "asn1.import.module",
                    import.from.span,
                    format!("module `{}` is not among the given files", import.from.name),
                    note,
                );
            }
            if let Some(from) = from {
                self.modules[index].renamed.insert(import.from.name.clone(), from);
                if !import.any_version {
                    self.compare_oids(import.oid, from);
                }
            }
            for symbol in &import.symbols {
                let known = self.modules[index].imports.get(&symbol.name).copied();
                if known.is_some_and(|k| k != from) {
                    self.error(
                        "asn1.name.duplicate",
                        symbol.span,
                        format!("`{}` is imported from two modules", symbol.name),
                    );
                    continue;
                }
                self.modules[index].imports.insert(symbol.name.clone(), from);
            }
        }
    }

    /// An import that names another version of a module than the one given is taken, with a warning.
    fn compare_oids(&mut self, wanted: Option<Tokens>, module: usize) {
        let given = self.modules[module].ast.oid;
        let (Some(wanted), Some(given)) = (wanted, given) else {
            return;
        };
        let (Some(a), Some(b)) = (self.plain_oid(wanted), self.plain_oid(given)) else {
            return;
        };
        if a != b {
            self.sink.warning(
                "asn1.import.oid",
                wanted.span,
                format!("module `{}` was given with another object identifier", self.modules[module].ast.name.name),
            );
        }
    }

    fn module_with_oid(&self, wanted: Tokens) -> Option<usize> {
        let wanted = self.plain_oid(wanted)?;
        self.modules.iter().position(|m| m.ast.oid.and_then(|oid| self.plain_oid(oid)).as_ref() == Some(&wanted))
    }

    /// The arcs of an object identifier whose components all have numbers or well-known names.
    fn plain_oid(&self, tokens: Tokens) -> Option<Vec<String>> {
        let file = self.files.get(tokens.file as usize)?;
        let items = self.lexed.get(tokens.file as usize)?.tokens.get(tokens.start as usize..tokens.end as usize)?;
        let mut arcs = Vec::new();
        let mut items = items.iter().peekable();
        while let Some(item) = items.next() {
            let text = file.slice(item.span);
            match item.tok {
                Tok::LBrace | Tok::RBrace | Tok::LParen | Tok::RParen => {}
                Tok::Number => arcs.push(text.to_owned()),
                Tok::Lower if items.peek().is_some_and(|n| n.tok == Tok::LParen) => {}
                Tok::Lower => arcs.push(
                    match text {
                        "itu-t" | "ccitt" => "0",
                        "iso" => "1",
                        "joint-iso-itu-t" | "joint-iso-ccitt" => "2",
                        _ => return None,
                    }
                    .to_owned(),
                ),
                _ => return None,
            }
        }
        Some(arcs)
    }

    /// Every imported and exported symbol must be there.
    pub(super) fn check_imports(&mut self) {
        for index in 0..self.modules.len() {
            let ast = self.modules[index].ast.clone();
            for import in &ast.imports {
                for symbol in &import.symbols {
                    let _ = self.import_target(index, symbol);
                }
            }
            for symbol in ast.exports.iter().flatten() {
                let info = &self.modules[index];
                let known = info.assignments.contains_key(&symbol.name)
                    || info.imports.contains_key(&symbol.name)
                    || info.ast.broken.contains(&symbol.name)
                    || info.ast.imports_broken;
                if !known {
                    let note = self.suggestion(index, &symbol.name);
                    self.sink.error_note(
                        "asn1.export.unknown",
                        symbol.span,
                        format!("`{}` is exported but not defined", symbol.name),
                        note,
                    );
                    self.unknown.insert((index, symbol.name.clone()));
                }
            }
        }
    }

    /// The module and assignment behind an imported name; `at` is where to complain.
    fn import_target(&mut self, importer: usize, symbol: &Ident) -> Outcome<(usize, Rc<Assignment>)> {
        let mut module = importer;
        // An exported name may itself be imported; modules may do that in a circle.
        for _ in 0..=self.modules.len() {
            let Some(from) = self.modules[module].imports.get(&symbol.name).copied() else {
                break;
            };
            let Some(from) = from else {
                return Err(Reported::before());
            };
            module = from;
            let info = &self.modules[module];
            if let Some(found) = info.assignments.get(&symbol.name) {
                let exported = info.ast.exports.as_ref().is_none_or(|list| list.iter().any(|e| e.name == symbol.name));
                let found = found.clone();
                if !exported && self.unknown.insert((importer, symbol.name.clone())) {
                    let module_name = self.modules[module].ast.name.name.clone();
                    self.error(
                        "asn1.import.hidden",
                        symbol.span,
                        format!("module `{module_name}` does not export `{}`", symbol.name),
                    );
                }
                return Ok((module, found));
            }
            if info.ast.broken.contains(&symbol.name) {
                return Err(Reported::before());
            }
        }
        if let Some(prelude) = self.prelude_assignment(&symbol.name) {
            return Ok(prelude);
        }
        if self.unknown.insert((importer, symbol.name.clone())) && !self.modules[module].ast.imports_broken {
            let note = self.suggestion(module, &symbol.name);
            let module_name = self.modules[module].ast.name.name.clone();
            self.sink.error_note(
                "asn1.import.unknown",
                symbol.span,
                format!("module `{module_name}` does not define `{}`", symbol.name),
                note,
            );
        }
        Err(Reported::before())
    }

    fn prelude_assignment(&self, name: &str) -> Option<(usize, Rc<Assignment>)> {
        // Only the two classes of X.681 Annexes A and B; the rest of the prelude has no name outside.
        if !matches!(name, "TYPE-IDENTIFIER" | "ABSTRACT-SYNTAX") {
            return None;
        }
        let found = self.modules.get(self.prelude_from)?.assignments.get(name)?;
        Some((self.prelude_from, found.clone()))
    }

    /// The assignment `name` of the built-in module.
    pub(super) fn builtin(&self, name: &str) -> Option<Rc<Assignment>> {
        self.modules.get(self.prelude_from)?.assignments.get(name).cloned()
    }

    /// What a reference stands for, or an error at it (once for a name in a module).
    pub(super) fn lookup(&mut self, reference: &Reference, scope: &Scope) -> Outcome<Found> {
        let name = &reference.name;
        if let Some(module) = &reference.module {
            return self.lookup_in(module, name, scope);
        }
        if let Some(arg) = scope.args.get(&name.name) {
            return Ok(Found::Argument(arg.clone()));
        }
        let info = &self.modules[scope.module];
        if let Some(assignment) = info.assignments.get(&name.name) {
            return Ok(Found::Definition { module: scope.module, assignment: assignment.clone() });
        }
        if info.ast.broken.contains(&name.name) {
            return Err(Reported::before());
        }
        if info.imports.contains_key(&name.name) {
            let (module, assignment) = self.import_target(scope.module, name)?;
            return Ok(Found::Definition { module, assignment });
        }
        if let Some((module, assignment)) = self.prelude_assignment(&name.name) {
            return Ok(Found::Definition { module, assignment });
        }
        if info.ast.imports_broken || !self.unknown.insert((scope.module, name.name.clone())) {
            return Err(Reported::before());
        }
        let note = self.suggestion(scope.module, &name.name);
        Err(self.sink.error_note(
            "asn1.name.unknown",
            name.span,
            format!("`{}` is neither defined nor imported in this module", name.name),
            note,
        ))
    }

    fn lookup_in(&mut self, module: &Ident, name: &Ident, scope: &Scope) -> Outcome<Found> {
        let renamed = self.modules[scope.module].renamed.get(&module.name);
        let Some(index) = renamed.or_else(|| self.by_name.get(&module.name)).copied() else {
            if !self.unknown.insert((scope.module, module.name.clone())) {
                return Err(Reported::before());
            }
            let note = self.sink.suggestion(&module.name, self.by_name.keys().map(|k| &**k));
            return Err(self.sink.error_note(
                "asn1.import.module",
                module.span,
                format!("module `{}` is not among the given files", module.name),
                note,
            ));
        };
        let info = &self.modules[index];
        if let Some(assignment) = info.assignments.get(&name.name) {
            return Ok(Found::Definition { module: index, assignment: assignment.clone() });
        }
        if info.ast.broken.contains(&name.name) || !self.unknown.insert((scope.module, name.name.clone())) {
            return Err(Reported::before());
        }
        let note = self.suggestion(index, &name.name);
        Err(self.sink.error_note(
            "asn1.name.unknown",
            name.span,
            format!("module `{}` does not define `{}`", module.name, name.name),
            note,
        ))
    }

    /// Whether a module has a name, its own or imported, readable or not.
    pub(super) fn module_knows(&self, module: usize, name: &str) -> bool {
        let info = &self.modules[module];
        info.assignments.contains_key(name)
            || info.imports.contains_key(name)
            || info.ast.imports_broken
            || info.ast.broken.iter().any(|b| **b == *name)
    }

    /// A name like `name` that the module knows.
    fn suggestion(&self, module: usize, name: &str) -> Option<String> {
        let info = &self.modules[module];
        let capital = name.starts_with(|c: char| c.is_ascii_uppercase());
        let alike = |k: &&str| k.starts_with(|c: char| c.is_ascii_uppercase()) == capital;
        let builtin = if capital { BUILTIN } else { &[] };
        self.sink.suggestion(
            name,
            info.assignments
                .keys()
                .chain(info.imports.keys())
                .map(|k| &**k)
                .chain(builtin.iter().copied())
                .filter(alike),
        )
    }

    /// "`Name` is defined in FILE, line N" for notes.
    pub(super) fn defined_at(&self, ident: &Ident) -> String {
        let Some(file) = self.files.get(ident.span.file as usize) else {
            return String::new();
        };
        let (line, column) = file.position(ident.span.start);
        format!("first at {}:{line}:{column}", file.name)
    }

    /// What a reference names is no type.
    pub(super) fn no_type(&mut self, reference: &Reference, assignment: &Assignment) -> Reported {
        let message = format!("`{}` is {}, but a type is wanted here", reference.name.name, Self::what_is(assignment));
        self.error("asn1.name.role", reference.span, message)
    }

    /// A few words for what an assignment defines.
    pub(super) fn what_is(assignment: &Assignment) -> &'static str {
        match &assignment.body {
            Body::Type(_) => "a type",
            Body::Value { .. } => "a value",
            Body::Set { .. } => "a set",
            Body::Class(_) => "an information object class",
        }
    }
}
