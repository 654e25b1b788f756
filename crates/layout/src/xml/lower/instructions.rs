//! Parses XER encoding instructions (X.693 §14 ff.).

use roadwire_model::{Model, TypeId};

use crate::XmlSpace;
use crate::error::LowerError;

/// The instructions for one use of a type.
#[derive(Clone, Debug, Default)]
pub(super) struct Instructions {
    /// ATTRIBUTE
    pub(super) attribute: bool,
    /// BASE64
    pub(super) base64: bool,
    /// DECIMAL
    pub(super) decimal: bool,
    /// DEFAULT-FOR-EMPTY: the value, as text.
    pub(super) default_for_empty: Option<String>,
    /// EMBED-VALUES
    pub(super) embed_values: bool,
    /// GLOBAL-DEFAULTS MODIFIED-ENCODINGS
    pub(super) modified: bool,
    /// LIST
    pub(super) list: bool,
    /// NAME
    pub(super) name: Option<Naming>,
    /// NAMESPACE: the URI, and the prefix to write.
    pub(super) namespace: Option<(String, Option<String>)>,
    /// TEXT: how an item is written (`None` stands for all items).
    pub(super) text: Vec<(Option<String>, Naming)>,
    /// UNTAGGED
    pub(super) untagged: bool,
    /// USE-NUMBER
    pub(super) use_number: bool,
    /// WHITESPACE
    pub(super) space: Option<XmlSpace>,
}

/// How a name is changed (X.693 §28).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    Same,
    As(String),
    Capitalized,
    Uncapitalized,
    Uppercased,
    Lowercased,
}

impl Naming {
    pub(super) fn of(&self, name: &str) -> String {
        let first = |change: fn(&char) -> char| {
            let mut characters = name.chars();
            characters.next().iter().map(change).chain(characters).collect()
        };
        match self {
            Naming::Same => name.to_owned(),
            Naming::As(name) => name.clone(),
            Naming::Capitalized => first(char::to_ascii_uppercase),
            Naming::Uncapitalized => first(char::to_ascii_lowercase),
            Naming::Uppercased => name.to_uppercase(),
            Naming::Lowercased => name.to_lowercase(),
        }
    }
}

impl Instructions {
    /// The instructions of a type, its own and those inherited from the types that it refers to.
    /// (NAME and NAMESPACE are not inherited.)
    pub(super) fn of(model: &Model, id: TypeId) -> Result<Self, LowerError> {
        let mut found = Self::default();
        let inherited = definition(model, id).map_or(&[][..], |one| &model.get(one).instructions);
        let is_handed_on = |text: &&String| {
            let keyword = text.split_whitespace().find(|word| *word != "NOT");
            !matches!(keyword, Some("NAME" | "NAMESPACE"))
        };
        // Instructions inherited from the definition follow those of the use.
        let this = model.get(id);
        let own = this.instructions.strip_suffix(inherited).unwrap_or(&this.instructions);
        for text in inherited.iter().filter(is_handed_on).chain(own) {
            found.add(text)?;
        }
        Ok(found)
    }

    /// The same for places where the type's own name is written: there NAME and NAMESPACE of its
    /// definition apply.
    pub(super) fn of_name(model: &Model, id: TypeId) -> Result<Self, LowerError> {
        let mut found = Self::of(model, id)?;
        if let Some(definition) = definition(model, id) {
            let inherited = Self::of_name(model, definition)?;
            found.name = found.name.or(inherited.name);
            found.namespace = found.namespace.or(inherited.namespace);
        }
        Ok(found)
    }

    fn add(&mut self, text: &str) -> Result<(), LowerError> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let is_given = words.first() != Some(&"NOT");
        if !is_given {
            words.remove(0);
        }
        let first = words.first().copied().unwrap_or_default();
        let colon = words.iter().position(|word| *word == ":");
        let (keyword, item) = match first.split_once(':') {
            Some((keyword, item)) => (keyword, Some(item)),
            None => (first, colon.and_then(|at| words.get(at + 1).copied())),
        };
        match keyword {
            "ATTRIBUTE" => self.attribute = is_given,
            "BASE64" => self.base64 = is_given,
            "DECIMAL" => self.decimal = is_given,
            "DEFAULT-FOR-EMPTY" => self.default_for_empty = said(text).filter(|_| is_given).map(str::to_owned),
            // Only says which types are documents.
            "ELEMENT" => {}
            "EMBED-VALUES" => self.embed_values = is_given,
            "GLOBAL-DEFAULTS" => self.modified |= words.contains(&"MODIFIED-ENCODINGS"),
            "LIST" => self.list = is_given,
            "NAME" if item.is_none() && is_given => self.name = Some(naming(text)?),
            "NAME" if item.is_none() => self.name = None,
            "NAMESPACE" => self.namespace = if is_given { Some(namespace(text)?) } else { None },
            "TEXT" if is_given => {
                let naming = if text.contains(" AS ") { naming(text)? } else { Naming::Same };
                self.text.push((item.filter(|item| *item != "ALL").map(str::to_owned), naming));
            }
            "TEXT" => self.text.clear(),
            "UNTAGGED" => self.untagged = is_given,
            "USE-NUMBER" => self.use_number = is_given,
            "WHITESPACE" => {
                self.space = match words.iter().find(|word| matches!(**word, "COLLAPSE" | "REPLACE")) {
                    _ if !is_given => None,
                    Some(&"COLLAPSE") => Some(XmlSpace::Collapse),
                    _ => Some(XmlSpace::Replace),
                };
            }
            _ => {
                return Err(LowerError {
                    message: format!("no lowering yet of the XER encoding instruction `{text}`"),
                });
            }
        }
        Ok(())
    }
}

/// The type assignment that a use of a type refers to.
fn definition(model: &Model, id: TypeId) -> Option<TypeId> {
    let definition = model.get(id).reference.as_ref().and_then(|name| model.definitions.get(name)).copied();
    definition.filter(|one| *one != id)
}

/// The text after AS.
fn said(text: &str) -> Option<&str> {
    text.split_once(" AS ").map(|(_, said)| said.trim())
}

/// `NAMESPACE AS "uri" PREFIX "prefix"`
fn namespace(text: &str) -> Result<(String, Option<String>), LowerError> {
    let Some((uri, rest)) = said(text).and_then(quoted) else {
        return Err(LowerError {
            message: format!("no lowering yet of `{text}`: the namespace of a module's object identifier"),
        });
    };
    let prefix = rest.split_once("PREFIX").and_then(|(_, prefix)| quoted(prefix.trim())).map(|(prefix, _)| prefix);
    Ok((uri, prefix.filter(|prefix| !prefix.is_empty())))
}

/// A character string that a text begins with, and what follows it.
pub(super) fn quoted(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('"')?;
    let mut found = String::new();
    loop {
        let (part, after) = rest.split_once('"')?;
        found.push_str(part);
        match after.strip_prefix('"') {
            Some(after) => {
                found.push('"');
                rest = after;
            }
            None => return Some((found, after)),
        }
    }
}

/// A new name, or a change of the existing one.
fn naming(text: &str) -> Result<Naming, LowerError> {
    let name = said(text).unwrap_or_default();
    Ok(match name {
        "CAPITALIZED" => Naming::Capitalized,
        "UNCAPITALIZED" => Naming::Uncapitalized,
        "UPPERCASED" => Naming::Uppercased,
        "LOWERCASED" => Naming::Lowercased,
        _ => match quoted(name) {
            Some((name, "")) => Naming::As(name),
            _ => return Err(LowerError { message: format!("`{text}` says no name") }),
        },
    })
}
