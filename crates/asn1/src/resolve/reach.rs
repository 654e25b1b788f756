//! The reach of some definitions: assignments and imports, module by module, in the order of first
//! use.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::Resolver;
use crate::ast::{Assignment, Ident, Module, Tokens};
use crate::lexer::{Tok, Token};

/// The part of a module that is reached.
pub(crate) struct ReachedModule {
    pub(crate) ast: Rc<Module>,
    /// In the order of first use.
    pub(crate) assignments: Vec<Rc<Assignment>>,
    /// In the order in which the modules are first used.
    pub(crate) imports: Vec<ReachedImport>,
}

/// An import with the symbols that are used.
pub(crate) struct ReachedImport {
    /// The importer's name for the module.
    pub(crate) from: Rc<str>,
    /// The module's own object identifier, braces included.
    pub(crate) oid: Option<Tokens>,
    pub(crate) symbols: BTreeSet<Rc<str>>,
}

/// The findings so far.
#[derive(Default)]
struct Walk {
    /// Modules in the order of first use.
    order: Vec<usize>,
    assignments: HashMap<usize, Vec<Rc<Assignment>>>,
    /// Used symbols, by importer and the number of the import.
    imports: HashMap<(usize, usize), BTreeSet<Rc<str>>>,
    seen: HashSet<(usize, Rc<str>)>,
}

/// A name in an assignment, and the module before its dot.
struct Mention {
    module: Option<Ident>,
    name: Ident,
}

impl Resolver<'_> {
    /// All that the definitions `names` (`Name` or `Module.Name`) reach.
    ///
    /// Names are looked up in the text, so that a name that is only spelt like a definition may
    /// reach one too many, but never one too few. A module with an ENCODING-CONTROL section is
    /// reached as a whole: the section may name any of its parts.
    ///
    /// # Errors
    /// The first name that is not that of one definition.
    pub(super) fn reach(&mut self, names: &[&str]) -> Result<Vec<ReachedModule>, String> {
        let mut walk = Walk::default();
        for name in names {
            let root = self.root(name).ok_or_else(|| (*name).to_owned())?;
            self.walk(root, &mut walk);
        }
        let Walk { order, mut assignments, mut imports, .. } = walk;
        let position: HashMap<usize, usize> = order.iter().enumerate().map(|(at, module)| (*module, at)).collect();
        let part = |module: &usize| {
            let info = &self.modules[*module];
            let sources = info.sources.iter().zip(&info.ast.imports).enumerate();
            let mut found: Vec<(usize, ReachedImport)> = sources
                .filter_map(|(at, (source, import))| {
                    let symbols = imports.remove(&(*module, at))?;
                    let oid = source.and_then(|source| self.modules[source].ast.oid);
                    let place = source.and_then(|source| position.get(&source)).copied().unwrap_or(usize::MAX);
                    Some((place, ReachedImport { from: import.from.name.clone(), oid, symbols }))
                })
                .collect();
            found.sort_by_key(|(place, _)| *place);
            ReachedModule {
                ast: info.ast.clone(),
                assignments: assignments.remove(module).unwrap_or_default(),
                imports: found.into_iter().map(|(_, import)| import).collect(),
            }
        };
        Ok(order.iter().map(part).collect())
    }

    /// The definition that a name means, as for `Model::find`, but of any kind, parameterised ones
    /// among them.
    fn root(&self, name: &str) -> Option<(usize, Rc<Assignment>)> {
        let (module, name) = name.split_once('.').map_or((None, name), |(module, name)| (Some(module), name));
        let modules = self.modules.iter().take(self.prelude_from).enumerate();
        let named = modules.filter(|(_, info)| module.is_none_or(|module| *info.name == *module));
        let mut found = named.filter_map(|(index, info)| Some((index, info.assignments.get(name)?.clone())));
        match (found.next(), found.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }

    /// Depth first, so that what a definition uses follows it.
    fn walk(&mut self, root: (usize, Rc<Assignment>), walk: &mut Walk) {
        let mut pending = vec![root];
        while let Some((module, assignment)) = pending.pop() {
            if !walk.seen.insert((module, assignment.name.name.clone())) {
                continue;
            }
            let is_first = !walk.assignments.contains_key(&module);
            walk.enter(module);
            walk.assignments.entry(module).or_default().push(assignment.clone());
            let ast = self.modules[module].ast.clone();
            if is_first && !ast.encoding_control.is_empty() {
                pending.extend(ast.assignments.iter().rev().map(|one| (module, one.clone())));
            }
            let mut used = Vec::new();
            for mention in self.mentions(&assignment) {
                used.extend(self.used(module, &mention, walk));
            }
            pending.extend(used.into_iter().rev());
        }
    }

    /// The definition that a name in the text of a module stands for, if it stands for one.
    fn used(&mut self, module: usize, mention: &Mention, walk: &mut Walk) -> Option<(usize, Rc<Assignment>)> {
        let name = &mention.name.name;
        let Some(qualifier) = &mention.module else {
            return self.used_here(module, name, walk);
        };
        let own = self.modules[module].ast.clone();
        // The importer's name for a module holds only beside an import from it.
        if let Some(at) = own.imports.iter().position(|import| import.from.name == qualifier.name) {
            let has_name = |import: &&crate::ast::Import| {
                import.from.name == qualifier.name && import.symbols.iter().any(|symbol| symbol.name == *name)
            };
            let exact = own.imports.iter().position(|import| has_name(&import));
            let symbol = match exact {
                Some(_) => name.clone(),
                None => own.imports[at].symbols.first()?.name.clone(),
            };
            let imported = self.used_import(module, exact.unwrap_or(at), &symbol, walk);
            if exact.is_some() {
                return imported;
            }
            let source = self.modules[module].sources.get(at).copied().flatten()?;
            walk.enter(source);
            return self.used_here(source, name, walk);
        }
        let index = match own.name.name == qualifier.name {
            true => module,
            false => self.by_name.get(&qualifier.name)?.first().copied()?,
        };
        walk.enter(index);
        self.used_here(index, name, walk)
    }

    /// A name without a module: the module's own, or an imported one.
    fn used_here(&mut self, module: usize, name: &Rc<str>, walk: &mut Walk) -> Option<(usize, Rc<Assignment>)> {
        let info = &self.modules[module];
        if let Some(assignment) = info.assignments.get(name) {
            return Some((module, assignment.clone()));
        }
        let at = info.ast.imports.iter().position(|one| one.symbols.iter().any(|symbol| symbol.name == *name))?;
        self.used_import(module, at, name, walk)
    }

    /// Notes a symbol of an import, and follows it to its definition, which may be behind further
    /// imports.
    fn used_import(
        &mut self,
        module: usize,
        at: usize,
        name: &Rc<str>,
        walk: &mut Walk,
    ) -> Option<(usize, Rc<Assignment>)> {
        let (mut module, mut at) = (module, at);
        // Modules may import in a circle.
        for _ in 0..=self.modules.len() {
            let source = self.modules[module].sources.get(at).copied().flatten()?;
            walk.imports.entry((module, at)).or_default().insert(name.clone());
            if source >= self.prelude_from {
                return None;
            }
            walk.enter(source);
            let info = &self.modules[source];
            if let Some(found) = info.assignments.get(name) {
                return Some((source, found.clone()));
            }
            // Behind it is a built-in class otherwise.
            let next = info.ast.imports.iter().position(|one| one.symbols.iter().any(|symbol| symbol.name == *name))?;
            (module, at) = (source, next);
        }
        None
    }

    /// The names in an assignment that may stand for definitions, but for its parameters.
    fn mentions(&self, assignment: &Assignment) -> Vec<Mention> {
        let dummies: HashSet<&str> = assignment.params.iter().flatten().map(|param| &*param.name.name).collect();
        let Tokens { file, start, end, .. } = assignment.tokens;
        let file = file as usize;
        let (Some(source), Some(lexed)) = (self.files.get(file), self.lexed.get(file)) else { return Vec::new() };
        // Without the name that is defined.
        let tokens = lexed.tokens.get(start as usize + 1..end as usize).unwrap_or_default();
        let text = |token: &Token| source.slice(token.span);
        let ident = |token: &Token| Ident { name: Rc::from(text(token)), span: token.span };
        let mut found = Vec::new();
        let mut braces = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let before = |count: usize| at.checked_sub(count).and_then(|at| tokens.get(at));
            let previous = before(1).map(|token| token.tok);
            match token.tok {
                Tok::LBrace => braces.push(Braces::after(before(1).map_or("", text))),
                Tok::RBrace => drop(braces.pop()),
                Tok::Upper | Tok::Lower if previous == Some(Tok::Dot) => {
                    // `Module.Name`; behind `object.` is a field.
                    if let Some(module) = before(2).filter(|module| module.tok == Tok::Upper) {
                        found.push(Mention { module: Some(ident(module)), name: ident(token) });
                    }
                }
                Tok::Upper if braces.last() == Some(&Braces::Syntax) => {}
                Tok::Lower if braces.last() == Some(&Braces::Names) && begins_item(&tokens[..at]) => {}
                Tok::Upper | Tok::Lower if !dummies.contains(text(token)) => {
                    found.push(Mention { module: None, name: ident(token) });
                }
                _ => {}
            }
        }
        found
    }
}

impl Walk {
    fn enter(&mut self, module: usize) {
        if !self.order.contains(&module) {
            self.order.push(module);
        }
    }
}

/// The content of braces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Braces {
    /// Items that begin with identifiers: components, items of an enumeration, named numbers.
    Names,
    /// The words of a class's syntax.
    Syntax,
    Other,
}

impl Braces {
    /// Those after a word.
    fn after(word: &str) -> Braces {
        match word {
            "SEQUENCE" | "SET" | "CHOICE" | "ENUMERATED" | "INTEGER" | "STRING" | "COMPONENTS" => Braces::Names,
            "SYNTAX" => Braces::Syntax,
            _ => Braces::Other,
        }
    }
}

/// Whether an item of a list begins behind these tokens.
fn begins_item(before: &[Token]) -> bool {
    let kinds: Vec<Tok> = before.iter().rev().take(4).map(|token| token.tok).collect();
    matches!(
        kinds.as_slice(),
        [Tok::LBrace | Tok::Comma, ..]
            | [Tok::LBracket, Tok::LBracket, ..]
            | [Tok::Colon, Tok::Number, Tok::LBracket, Tok::LBracket]
    )
}
