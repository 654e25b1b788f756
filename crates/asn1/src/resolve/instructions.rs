//! ENCODING-CONTROL sections (X.680 §54): instructions go to the types and components that they name.

use std::collections::BTreeMap;

use roadwire_model::{Kind, QualifiedName, TypeId};

use super::Resolver;
use crate::lexer::Tok;

impl Resolver<'_> {
    /// Gives every instruction of an XER section to its targets, as text. Instructions without a target that is a
    /// type of the module (GLOBAL-DEFAULTS, qualifying ALL) go to all types of the module.
    pub(super) fn apply_instructions(&mut self, definitions: &BTreeMap<QualifiedName, TypeId>) {
        for module in 0..self.prelude_from {
            let ast = self.modules[module].ast.clone();
            for section in &ast.encoding_control {
                if &*section.reference.name != "XER" {
                    continue;
                }
                for (text, targets) in self.split_section(module, section.text) {
                    self.give(&ast.name.name, definitions, &text, &targets);
                }
            }
        }
    }

    /// Instructions start with a word all in capitals; targets are `Type` and `Type.component`.
    fn split_section(&self, module: usize, tokens: crate::ast::Tokens) -> Vec<(String, Vec<Vec<String>>)> {
        let file = &self.files[tokens.file as usize];
        let items =
            self.lexed[tokens.file as usize].tokens.get(tokens.start as usize..tokens.end as usize).unwrap_or_default();
        let mut found: Vec<(String, Vec<Vec<String>>)> = Vec::new();
        let mut previous = Tok::End;
        for item in items {
            let word = file.slice(item.span);
            let capitals = item.tok == Tok::Upper && STARTS.contains(&word);
            if capitals && previous != Tok::Dot {
                found.push((String::new(), Vec::new()));
            }
            let Some((_, targets)) = found.last_mut() else {
                continue;
            };
            let is_type = item.tok == Tok::Upper && !capitals && self.module_knows(module, word);
            if is_type && previous != Tok::Dot {
                targets.push(vec![word.to_owned()]);
            } else if previous == Tok::Dot && matches!(item.tok, Tok::Upper | Tok::Lower) {
                if let Some(target) = targets.last_mut() {
                    target.push(word.to_owned());
                }
            }
            previous = item.tok;
            if let Some((text, _)) = found.last_mut() {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(word);
            }
        }
        found
    }

    fn give(
        &mut self,
        module: &str,
        definitions: &BTreeMap<QualifiedName, TypeId>,
        text: &str,
        targets: &[Vec<String>],
    ) {
        if targets.is_empty() {
            let own: Vec<TypeId> = definitions.iter().filter(|(k, _)| k.module == module).map(|(_, id)| *id).collect();
            for id in own {
                self.slot_mut(id).ty.instructions.push(text.to_owned());
            }
            return;
        }
        for target in targets {
            let Some((name, path)) = target.split_first() else {
                continue;
            };
            let key = QualifiedName { module: module.to_owned(), name: name.clone() };
            let mut at = definitions.get(&key).copied();
            for step in path {
                at = at.and_then(|id| match &self.slot(id).ty.kind {
                    Kind::Sequence { components, .. } => components.iter().find(|c| c.name == *step).map(|c| c.type_id),
                    Kind::Choice { alternatives, .. } => {
                        alternatives.iter().find(|a| a.name == *step).map(|a| a.type_id)
                    }
                    Kind::SequenceOf { element, .. } => Some(*element),
                    _ => None,
                });
            }
            if let Some(id) = at {
                self.slot_mut(id).ty.instructions.push(text.to_owned());
            }
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
