//! Reports what straight-line code leaves to the interpreter.

use std::collections::HashSet;
use std::fmt;

use roadwire_layout::Rules;
use roadwire_model::TypeId;

use roadwire_plan::GivenUp;

use crate::rust_types::RustTypes;

/// The most parts that are named.
const NAMED: usize = 8;

/// The parts that the straight-line code of a message leaves to the interpreter under some rules,
/// which is many times slower. Parts that are left under all rules (extension additions, values
/// outside an extensible root, parts of 16K units or more) are not listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftToInterpreter {
    /// The encoding rules.
    pub rules: Rules,
    /// The message's type.
    pub message: String,
    /// Whether every message is left; otherwise only those that have one of the parts.
    pub every: bool,
    /// Components, alternatives and types, with their kinds: `Label.flags (BIT STRING)`.
    pub parts: Vec<String>,
}

impl LeftToInterpreter {
    /// The report for a message with these parts; `None` if there are none.
    pub(crate) fn of(
        types: &RustTypes<'_>,
        rules: Rules,
        (root, message): (TypeId, &str),
        parts: &[GivenUp],
    ) -> Option<Self> {
        let every = parts.iter().any(|one| one.is_always);
        let (mut names, mut seen) = (Vec::<String>::new(), HashSet::new());
        // If every message is left, conditional parts do not matter; and the message itself is not
        // a reason.
        let is_part = |one: &&GivenUp| one.holder.is_some() || types.canonical(one.part) != root;
        for one in parts.iter().filter(|one| one.is_always == every).filter(is_part).filter(|one| seen.insert(**one)) {
            for name in names_of(types, *one) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        (!parts.is_empty()).then(|| LeftToInterpreter { rules, message: message.to_owned(), every, parts: names })
    }
}

impl fmt::Display for LeftToInterpreter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LeftToInterpreter { rules, message, every, parts } = self;
        let mut named = parts.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        if parts.len() > NAMED {
            named += &format!(" and {} more", parts.len() - NAMED);
        }
        match (every, parts.is_empty()) {
            (true, true) => write!(f, "{message}, {rules}: the interpreter codes every message"),
            (true, false) => write!(f, "{message}, {rules}: the interpreter codes every message, because of {named}"),
            (false, _) => write!(f, "{message}, {rules}: the interpreter codes messages with {named}"),
        }
    }
}

/// The names of a part: those of the components or alternatives with its type.
fn names_of(types: &RustTypes<'_>, one: GivenUp) -> Vec<String> {
    let kind = kind_of(types, one.part);
    let Some(holder) = one.holder else { return vec![format!("{} ({kind})", name_of(types, one.part))] };
    let labels = types.labels(holder, one.part);
    let holder = name_of(types, holder);
    if labels.is_empty() {
        return vec![format!("an element of {holder} ({kind})")];
    }
    labels.into_iter().map(|label| format!("{holder}.{label} ({kind})")).collect()
}

/// A type's name in its module; otherwise that of its use, or its name in Rust.
fn name_of(types: &RustTypes<'_>, id: TypeId) -> String {
    types.named(id).unwrap_or_else(|| types.rust(id).replace("<'a>", ""))
}

fn kind_of(types: &RustTypes<'_>, id: TypeId) -> &'static str {
    match types.kind(id) {
        _ if types.is_recursive(id) => "contains itself",
        _ if types.is_open(id) => "open type",
        kind => kind.name(),
    }
}
