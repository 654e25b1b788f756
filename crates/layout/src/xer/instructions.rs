//! XER encoding instructions (X.693 §14 and on), from their text.

use roadwire_model::{Model, TypeId};

use crate::XmlSpace;
use crate::lower::LowerError;

/// What the instructions of one use of a type say.
#[derive(Clone, Debug, Default)]
pub(super) struct Instructions {
    /// ATTRIBUTE
    pub(super) attribute: bool,
    /// BASE64
    pub(super) base64: bool,
    /// DECIMAL
    pub(super) decimal: bool,
    /// LIST
    pub(super) list: bool,
    /// NAME
    pub(super) name: Option<Naming>,
    /// TEXT: for an item (`None` for all of them), how it is written.
    pub(super) text: Vec<(Option<String>, Naming)>,
    /// UNTAGGED
    pub(super) untagged: bool,
    /// USE-NUMBER
    pub(super) use_number: bool,
    /// WHITESPACE
    pub(super) space: Option<XmlSpace>,
}

/// What becomes of a name (X.693 §28).
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
    /// Those of a type, its own and what it has from the types that it refers to. (NAME is for where it is given.)
    pub(super) fn of(model: &Model, id: TypeId) -> Result<Self, LowerError> {
        let mut found = Self::default();
        let this = model.get(id);
        let definition = this.reference.as_ref().and_then(|name| model.definitions.get(name)).filter(|one| **one != id);
        let inherited = definition.map_or(&[][..], |one| &model.get(*one).instructions);
        // What a use has from its definition is behind what it has itself.
        let own = this.instructions.strip_suffix(inherited).unwrap_or(&this.instructions);
        for text in inherited.iter().filter(|text| !text.starts_with("NAME ")).chain(own) {
            found.add(text)?;
        }
        Ok(found)
    }

    fn add(&mut self, text: &str) -> Result<(), LowerError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let keyword = words.first().copied().unwrap_or_default();
        let (keyword, item) = match keyword.split_once(':') {
            Some((keyword, item)) => (keyword, Some(item)),
            None => (keyword, None),
        };
        let item = item.or_else(|| match words.get(1..3) {
            Some([":", item]) => Some(*item),
            _ => None,
        });
        match keyword {
            "ATTRIBUTE" => self.attribute = true,
            "BASE64" => self.base64 = true,
            "DECIMAL" => self.decimal = true,
            "LIST" => self.list = true,
            "NAME" if item.is_none() => self.name = Some(naming(text)?),
            "TEXT" => {
                let naming = if text.contains(" AS ") { naming(text)? } else { Naming::Same };
                self.text.push((item.filter(|item| *item != "ALL").map(str::to_owned), naming));
            }
            "UNTAGGED" => self.untagged = true,
            "USE-NUMBER" => self.use_number = true,
            "WHITESPACE" => {
                self.space = Some(match words.iter().find(|word| matches!(**word, "COLLAPSE" | "REPLACE")) {
                    Some(&"COLLAPSE") => XmlSpace::Collapse,
                    _ => XmlSpace::Replace,
                });
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

/// What stands behind AS.
fn naming(text: &str) -> Result<Naming, LowerError> {
    let (_, name) = text.split_once(" AS ").unwrap_or_default();
    let name = name.trim();
    Ok(match name {
        "CAPITALIZED" => Naming::Capitalized,
        "UNCAPITALIZED" => Naming::Uncapitalized,
        "UPPERCASED" => Naming::Uppercased,
        "LOWERCASED" => Naming::Lowercased,
        _ => match name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) {
            Some(name) => Naming::As(name.replace("\"\"", "\"")),
            None => return Err(LowerError { message: format!("`{text}` says no name") }),
        },
    })
}
