//! Which module a name or an object identifier means, exports and imports (X.680 §13).

use std::collections::HashSet;
use std::rc::Rc;

use super::Resolver;
use super::well_known::well_known;
use crate::ast::{Assignment, Ident, Import, Tokens};
use crate::lexer::Tok;
use roadwire_source::{Outcome, Reported};

impl Resolver<'_> {
    /// Notes a module's name and object identifier. Object identifiers distinguish modules of one
    /// name (X.680 §13.2).
    pub(super) fn enter_module(&mut self, index: usize) {
        // Only its classes have names outside of it.
        if index == self.prelude_from {
            return;
        }
        let ast = self.modules[index].ast.clone();
        let oid = ast.oid.and_then(|oid| self.plain_oid(oid));
        let first = self.by_name.get(&ast.name.name).and_then(|same| same.first()).copied();
        let known = oid.as_ref().and_then(|oid| self.by_oid.get(oid)).map(|known| &self.modules[*known].ast.name.name);
        let same_oid = known == Some(&ast.name.name);
        let twice = first.filter(|first| {
            let first = self.modules[*first].ast.oid;
            same_oid || oid.is_none() || first.and_then(|first| self.plain_oid(first)).is_none()
        });
        if let Some(first) = twice {
            let note = self.defined_at(&self.modules[first].ast.name.clone());
            self.sink.error_note(
                "asn1.module.duplicate",
                ast.name.span,
                format!("module `{}` is given twice, and no object identifiers distinguish the two", ast.name.name),
                Some(note),
            );
            return;
        }
        self.by_name.entry(ast.name.name.clone()).or_default().push(index);
        if let Some(oid) = oid {
            self.by_oid.entry(oid).or_insert(index);
        }
    }

    /// Gives modules that share a name one of their own in the model: with the arcs of their object
    /// identifier.
    pub(super) fn tell_apart(&mut self) {
        for index in 0..self.prelude_from {
            let ast = self.modules[index].ast.clone();
            let name = &ast.name.name;
            if self.by_name.get(name).is_none_or(|same| same.len() < 2) {
                continue;
            }
            let Some(arcs) = ast.oid.and_then(|oid| self.plain_oid(oid)) else { continue };
            let own = format!("{name}-{}", arcs.join("-"));
            if self.by_name.contains_key(&*own) {
                let message = format!("another module has the name `{own}`, which distinguishes this one from others");
                self.error("asn1.module.duplicate", ast.name.span, message);
            }
            self.modules[index].name = own.into();
        }
    }

    /// The module of a name, in an import or before a dot.
    pub(super) fn module_called(&mut self, name: &Ident, oid: Option<Tokens>, user: usize) -> Outcome<usize> {
        let wanted = oid.and_then(|oid| self.plain_oid(oid));
        let same_name = self.by_name.get(&name.name).map_or(&[][..], Vec::as_slice);
        match (same_name, wanted.as_ref().and_then(|oid| self.by_oid.get(oid)).copied()) {
            ([only], _) => return Ok(*only),
            // X.680 §13.16: with an object identifier, the name is only what the importer calls the
            // module.
            ([], Some(exact)) => return Ok(exact),
            ([_, ..], Some(exact)) if self.modules[exact].ast.name.name == name.name => return Ok(exact),
            ([], None) | ([_, ..], _) => {}
        }
        let several = !same_name.is_empty();
        if !self.unknown.insert((user, name.name.clone())) {
            return Err(Reported::before());
        }
        if several {
            let message = format!("several modules are called `{}`: an object identifier says which", name.name);
            return Err(self.error("asn1.module.ambiguous", name.span, message));
        }
        let note = self.sink.suggestion(&name.name, self.by_name.keys().map(|k| &**k));
        Err(self.sink.error_note(
            "asn1.import.module",
            name.span,
            format!("module `{}` is not among the given files", name.name),
            note,
        ))
    }

    pub(super) fn enter_imports(&mut self, index: usize) {
        let ast = self.modules[index].ast.clone();
        for import in &ast.imports {
            let from = self.source(import, index);
            self.modules[index].sources.push(from);
            for symbol in &import.symbols {
                let known = self.modules[index].imports.entry(symbol.name.clone()).or_default();
                if !known.contains(&from) {
                    known.push(from);
                }
            }
        }
    }

    /// The module of an import, under the importer's name for it.
    fn source(&mut self, import: &Import, importer: usize) -> Option<usize> {
        let from = self.module_called(&import.from, import.oid, importer).ok()?;
        if !import.any_version {
            self.compare_oids(import.oid, from);
        }
        let before = self.modules[importer].renamed.insert(import.from.name.clone(), Some(from));
        if before.is_some_and(|before| before != Some(from)) {
            self.modules[importer].renamed.insert(import.from.name.clone(), None);
            let message = format!("`{}` is the name of two modules here", import.from.name);
            self.error("asn1.module.ambiguous", import.from.span, message);
        }
        Some(from)
    }

    /// An import that names another version of a module instead of the given one is accepted with a
    /// warning.
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

    /// The arcs of an object identifier whose components all have numbers or well-known names.
    fn plain_oid(&self, tokens: Tokens) -> Option<Vec<String>> {
        let file = self.files.get(tokens.file as usize)?;
        let items = self.lexed.get(tokens.file as usize)?.tokens.get(tokens.start as usize..tokens.end as usize)?;
        let mut arcs: Vec<String> = Vec::new();
        let mut items = items.iter().peekable();
        while let Some(item) = items.next() {
            let text = file.slice(item.span);
            match item.tok {
                Tok::LBrace | Tok::RBrace | Tok::LParen | Tok::RParen => {}
                Tok::Number => arcs.push(text.to_owned()),
                Tok::Lower if items.peek().is_some_and(|n| n.tok == Tok::LParen) => {}
                Tok::Lower => {
                    let before: Vec<Option<u32>> = arcs.iter().take(3).map(|arc| arc.parse().ok()).collect();
                    arcs.push(well_known(text, &before)?.to_string());
                }
                _ => return None,
            }
        }
        Some(arcs)
    }

    /// Checks that every imported and exported symbol exists.
    pub(super) fn check_imports(&mut self) {
        for index in 0..self.modules.len() {
            let ast = self.modules[index].ast.clone();
            for (at, import) in ast.imports.iter().enumerate() {
                let from = self.modules[index].sources.get(at).copied().flatten();
                for symbol in &import.symbols {
                    let _ = self.import_target(index, from, symbol);
                }
            }
            for symbol in ast.exports.iter().flatten() {
                let info = &self.modules[index];
                let known = info.assignments.contains_key(&symbol.name)
                    || info.imports.contains_key(&symbol.name)
                    || info.ast.broken.contains(&symbol.name)
                    || info.ast.imports_broken;
                if !known {
                    // Its uses are reported where they are, here or in importing modules.
                    let message = format!("`{}` is exported but not defined (X.680 §13)", symbol.name);
                    self.sink.warning("asn1.export.unknown", symbol.span, message);
                }
            }
        }
    }

    /// The module and assignment of a name that a module imports, from one module alone; errors are
    /// reported at `at`.
    pub(super) fn imported(&mut self, importer: usize, symbol: &Ident) -> Outcome<(usize, Rc<Assignment>)> {
        let from = self.only_source(importer, importer, symbol)?;
        self.import_target(importer, from, symbol)
    }

    /// X.680 §13.16: a symbol imported from several modules is always named together with its
    /// module.
    fn only_source(&mut self, module: usize, importer: usize, symbol: &Ident) -> Outcome<Option<usize>> {
        match self.modules[module].imports.get(&symbol.name).map(Vec::as_slice) {
            None | Some([]) => Ok(None),
            Some([only]) => Ok(*only),
            Some([..]) if !self.unknown.insert((importer, symbol.name.clone())) => Err(Reported::before()),
            Some([..]) => {
                let message = format!(
                    "`{0}` is imported from several modules: write `Module.{0}` with the one it is of",
                    symbol.name
                );
                Err(self.error("asn1.import.ambiguous", symbol.span, message))
            }
        }
    }

    fn import_target(
        &mut self,
        importer: usize,
        from: Option<usize>,
        symbol: &Ident,
    ) -> Outcome<(usize, Rc<Assignment>)> {
        let Some(mut module) = from else {
            return Err(Reported::before());
        };
        // An exported name may itself be imported; modules may do that in a circle.
        for _ in 0..=self.modules.len() {
            let info = &self.modules[module];
            if let Some(found) = info.assignments.get(&symbol.name) {
                let exported = info.ast.exports.as_ref().is_none_or(|list| list.iter().any(|e| e.name == symbol.name));
                let found = found.clone();
                if !exported && self.unknown.insert((importer, symbol.name.clone())) {
                    // Which definition is meant is certain, and published modules do it: a warning
                    // is enough.
                    let message = format!(
                        "module `{}` does not export `{}` (X.680 §13.15)",
                        self.modules[module].ast.name.name, symbol.name
                    );
                    self.sink.warning("asn1.import.hidden", symbol.span, message);
                }
                return Ok((module, found));
            }
            if info.ast.broken.contains(&symbol.name) {
                return Err(Reported::before());
            }
            if !info.imports.contains_key(&symbol.name) {
                break;
            }
            match self.only_source(module, importer, symbol)? {
                Some(next) => module = next,
                None => return Err(Reported::before()),
            }
        }
        if let Some(prelude) = self.prelude_assignment(&symbol.name) {
            return Ok(prelude);
        }
        if self.unknown.insert((importer, symbol.name.clone())) && !self.modules[module].ast.imports_broken {
            let module_name = self.modules[module].ast.name.name.clone();
            let message = format!("module `{module_name}` does not define `{}`", symbol.name);
            if self.uses(importer, &symbol.name) {
                let note = self.suggestion(module, &symbol.name);
                self.sink.error_note("asn1.import.unknown", symbol.span, message, note);
            } else {
                // Nothing is missing: published modules keep such symbols of earlier versions.
                let message = format!("{message} (X.680 §13); it is not used");
                self.sink.warning("asn1.import.unused", symbol.span, message);
            }
        }
        Err(Reported::before())
    }

    /// Whether the definitions of a module have a name anywhere.
    fn uses(&mut self, module: usize, name: &str) -> bool {
        let words = self.words.entry(module).or_insert_with(|| {
            let mut words = HashSet::new();
            for assignment in self.modules[module].assignments.values() {
                let Tokens { file, start, end, .. } = assignment.tokens;
                let items = self.lexed.get(file as usize).and_then(|l| l.tokens.get(start as usize..end as usize));
                let text = self.files.get(file as usize);
                words.extend(items.into_iter().flatten().filter_map(|item| Some(text?.slice(item.span))));
            }
            words
        });
        words.contains(name) || !self.modules[module].ast.broken.is_empty()
    }
}
