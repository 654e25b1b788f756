//! Modules, and the meaning of names.

use std::collections::HashMap;
use std::rc::Rc;

use super::Resolver;
use super::parameters::{Arg, Scope};
use crate::ast::{Assignment, Body, Ident, Module, Reference};
use roadwire_source::{Outcome, Reported};

pub(super) struct ModuleInfo {
    pub(super) ast: Rc<Module>,
    /// Its name in the model: with its object identifier if other modules have that name.
    pub(super) name: Rc<str>,
    pub(super) scope: Rc<Scope>,
    pub(super) assignments: HashMap<Rc<str>, Rc<Assignment>>,
    /// For each of its imports the module; `None` if it is missing (which has been reported).
    pub(super) sources: Vec<Option<usize>>,
    /// Where imported names come from: one module, or several for names that a reference qualifies.
    pub(super) imports: HashMap<Rc<str>, Vec<Option<usize>>>,
    /// The module's own names for modules from which it imports; `None` if it has one for several.
    pub(super) renamed: HashMap<Rc<str>, Option<usize>>,
}

/// The meaning of a name.
pub(super) enum Found {
    Definition { module: usize, assignment: Rc<Assignment> },
    Argument(Arg),
}

/// Names that may be meant by a misspelt name.
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
            let name = module.name.name.clone();
            self.modules.push(ModuleInfo {
                ast: Rc::new(module),
                name,
                scope: Rc::new(Scope::of_module(index)),
                assignments,
                sources: Vec::new(),
                imports: HashMap::new(),
                renamed: HashMap::new(),
            });
            self.enter_module(index);
        }
        self.tell_apart();
        for index in 0..self.modules.len() {
            self.enter_imports(index);
        }
    }

    pub(super) fn prelude_assignment(&self, name: &str) -> Option<(usize, Rc<Assignment>)> {
        // Only the two classes of X.681 Annexes A and B; the rest of the prelude is not visible
        // outside.
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

    /// The meaning of a reference, or an error at it (once for a name in a module).
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
            let (module, assignment) = self.imported(scope.module, name)?;
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
        let index = match self.modules[scope.module].renamed.get(&module.name) {
            Some(Some(index)) => *index,
            Some(None) => return Err(Reported::before()),
            None if self.modules[scope.module].ast.name.name == module.name => scope.module,
            None => self.module_called(module, None, scope.module)?,
        };
        let info = &self.modules[index];
        if let Some(assignment) = info.assignments.get(&name.name) {
            return Ok(Found::Definition { module: index, assignment: assignment.clone() });
        }
        if info.imports.contains_key(&name.name) {
            let (module, assignment) = self.imported(index, name)?;
            return Ok(Found::Definition { module, assignment });
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
    pub(super) fn suggestion(&self, module: usize, name: &str) -> Option<String> {
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

    /// The error for a reference that does not name a type.
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
