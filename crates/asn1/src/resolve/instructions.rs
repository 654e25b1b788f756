//! ENCODING-CONTROL sections (X.680 §54): instructions go to the types and components that they
//! name.

use std::collections::BTreeMap;

use roadwire_model::{Kind, QualifiedName, TypeId};

use super::Resolver;
use crate::lexer::Tok;

/// The targets of an instruction (X.693 §14.3).
#[derive(Default)]
struct Targets {
    /// `ALL`: every type assignment of the module.
    types: bool,
    /// `ALL IN ALL`: every component, alternative and element in the module.
    parts: bool,
    /// `Type`, `Type.component`; `a, b IN Type` and `ALL IN Type` are also paths.
    paths: Vec<Vec<String>>,
    /// Names before an IN that has not been reached yet.
    waiting: Vec<String>,
}

/// In place of a component's name: all components.
const ALL: &str = "ALL";

impl Resolver<'_> {
    /// Gives every instruction of an XER section to its targets, as text. GLOBAL-DEFAULTS applies
    /// to all types of the module.
    pub(super) fn apply_instructions(&mut self, definitions: &BTreeMap<QualifiedName, TypeId>) {
        for module in 0..self.prelude_from {
            let (ast, name) = (self.modules[module].ast.clone(), self.modules[module].name.clone());
            for section in &ast.encoding_control {
                if &*section.reference.name != "XER" {
                    continue;
                }
                for (text, targets) in self.split_section(module, section.text) {
                    self.give(&name, definitions, &text, &targets);
                }
            }
        }
    }

    /// Instructions start with a word in capitals; targets precede AS.
    fn split_section(&self, module: usize, tokens: crate::ast::Tokens) -> Vec<(String, Targets)> {
        let file = &self.files[tokens.file as usize];
        let items =
            self.lexed[tokens.file as usize].tokens.get(tokens.start as usize..tokens.end as usize).unwrap_or_default();
        let mut found: Vec<(String, Targets)> = Vec::new();
        let (mut before, mut previous, mut names_targets) = ("", Tok::End, true);
        for item in items {
            let word = file.slice(item.span);
            if item.tok == Tok::Upper && STARTS.contains(&word) && previous != Tok::Dot && before != "NOT" {
                found.push((String::new(), Targets::default()));
                names_targets = true;
            }
            let Some((text, targets)) = found.last_mut().filter(|_| item.tok != Tok::Semicolon) else {
                continue;
            };
            names_targets &= word != "AS";
            if names_targets {
                let is_type = item.tok == Tok::Upper && self.module_knows(module, word);
                targets.add(item.tok, word, is_type, (previous, before));
            }
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
            (before, previous) = (word, item.tok);
        }
        for (text, targets) in &mut found {
            targets.types |= targets.waiting.iter().any(|word| word == ALL);
            targets.types |= text.starts_with("GLOBAL-DEFAULTS");
            targets.parts |= text.starts_with("GLOBAL-DEFAULTS");
        }
        found
    }

    fn give(&mut self, module: &str, definitions: &BTreeMap<QualifiedName, TypeId>, text: &str, targets: &Targets) {
        let own: Vec<TypeId> = definitions.iter().filter(|(k, _)| k.module == module).map(|(_, id)| *id).collect();
        let mut chosen = Vec::new();
        if targets.types {
            chosen.extend(&own);
        }
        if targets.parts {
            own.iter().for_each(|id| self.parts_within(*id, &mut chosen));
        }
        for target in &targets.paths {
            let Some((name, path)) = target.split_first() else {
                continue;
            };
            let key = QualifiedName { module: module.to_owned(), name: name.clone() };
            let start: Vec<TypeId> = definitions.get(&key).copied().into_iter().collect();
            let ends = path.iter().fold(start, |at, step| {
                at.iter()
                    .flat_map(|id| self.parts(*id))
                    .filter(|(name, _)| step == ALL || name == step || name.is_empty())
                    .map(|(_, id)| id)
                    .collect()
            });
            chosen.extend(ends);
        }
        for id in chosen {
            self.slot_mut(id).ty.instructions.push(text.to_owned());
        }
    }

    /// A type's components, alternatives or element, with their names.
    fn parts(&self, id: TypeId) -> Vec<(String, TypeId)> {
        match &self.slot(id).ty.kind {
            Kind::Sequence { components, .. } => components.iter().map(|one| (one.name.clone(), one.type_id)).collect(),
            Kind::Choice { alternatives, .. } => {
                alternatives.iter().map(|one| (one.name.clone(), one.type_id)).collect()
            }
            Kind::SequenceOf { element, .. } => vec![(String::new(), *element)],
            _ => Vec::new(),
        }
    }

    /// The parts of a type, and of its parts, down to references.
    fn parts_within(&self, id: TypeId, found: &mut Vec<TypeId>) {
        for (_, part) in self.parts(id) {
            if found.contains(&part) {
                continue;
            }
            found.push(part);
            if self.slot(part).ty.reference.is_none() {
                self.parts_within(part, found);
            }
        }
    }
}

impl Targets {
    /// Takes the next word of a list of targets.
    fn add(&mut self, tok: Tok, word: &str, is_type: bool, (previous, before): (Tok, &str)) {
        if previous == Tok::Dot && matches!(tok, Tok::Upper | Tok::Lower | Tok::Star) {
            if let Some(path) = self.paths.last_mut() {
                path.push(if tok == Tok::Star { ALL.to_owned() } else { word.to_owned() });
            }
        } else if before == "IN" && word == ALL {
            self.parts = true;
            self.waiting.pop();
        } else if before == "IN" && is_type {
            // `ALL, a, b IN Type`: an ALL before names applies to the module.
            let last_all = self.waiting.iter().rposition(|part| part == ALL);
            let from = last_all.map_or(0, |at| if at + 1 == self.waiting.len() { at } else { at + 1 });
            for part in self.waiting.split_off(from) {
                self.paths.push(vec![word.to_owned(), part]);
            }
        } else if is_type {
            self.paths.push(vec![word.to_owned()]);
        } else if previous != Tok::Colon && (word == ALL || tok == Tok::Lower) {
            self.waiting.push(word.to_owned());
        }
    }
}

/// The words that begin an instruction (X.693 §14.2).
const STARTS: &[&str] = &[
    "ANY-ATTRIBUTES",
    "ANY-ELEMENT",
    "ATTRIBUTE",
    "BASE64",
    "DECIMAL",
    "DEFAULT-FOR-EMPTY",
    "ELEMENT",
    "EMBED-VALUES",
    "GLOBAL-DEFAULTS",
    "LIST",
    "NAME",
    "NAMESPACE",
    "PI-OR-COMMENT",
    "TEXT",
    "UNTAGGED",
    "USE-NIL",
    "USE-NUMBER",
    "USE-ORDER",
    "USE-QNAME",
    "USE-TYPE",
    "USE-UNION",
    "WHITESPACE",
];
