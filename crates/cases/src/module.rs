//! The module in a block of a case, and the type under test.

use roadwire_frontend::Source;
use roadwire_model::Kind;

use crate::markdown::Block;

/// A module.
#[derive(Clone)]
pub struct Module {
    /// Its text.
    pub source: Source,
    /// The name of the type under test: the first one of an ASN.1 module, the last one in the
    /// presentation language.
    pub root: String,
}

/// The type and the component of [`Module::wrapped`].
const WRAPPED: (&str, &str) = ("Wrapped", "only");

impl Module {
    /// The module in a block; `None` if it is a block of another kind. ASN.1 definitions alone
    /// stand for a module with automatic tags.
    #[must_use]
    pub fn of(block: &Block) -> Option<Module> {
        match block.kind.as_str() {
            "asn1" => Some(Module::of_asn1(&block.text)),
            "presentation" => Some(Module::of_presentation(&block.text)),
            _ => None,
        }
    }

    /// Whether the type under test is a SEQUENCE, SET or CHOICE, or has the octets of one.
    #[must_use]
    pub fn is_structure(&self) -> bool {
        let Ok(compiled) = roadwire_frontend::compile(std::slice::from_ref(&self.source)) else { return true };
        let Some(root) = compiled.model.find(&self.root) else { return true };
        matches!(compiled.model.get(root).kind, Kind::Sequence { .. } | Kind::Choice { .. } | Kind::External(_))
    }

    /// The same module, but the type under test is a SEQUENCE whose one component has the type of
    /// before: straight-line code begins with a structure.
    #[must_use]
    pub fn wrapped(&self) -> Module {
        let text = String::from_utf8_lossy(&self.source.bytes);
        let front = text.trim_end().strip_suffix("END").unwrap_or(&text);
        let (name, component) = WRAPPED;
        let text = format!("{front}\n{name} ::= SEQUENCE {{ {component} {} }}\nEND\n", self.root);
        Module { source: Source::new(self.source.name.as_str(), text.as_str()), root: name.to_owned() }
    }

    /// A value of the type under test in JER, as one of the wrapped type.
    #[must_use]
    pub fn wrapped_value(text: &str) -> String {
        format!("{{\"{}\": {text}}}", WRAPPED.1)
    }

    fn of_asn1(text: &str) -> Module {
        let whole = match text.contains("DEFINITIONS") {
            true => text.to_owned(),
            false => format!("Case DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{text}\nEND"),
        };
        let body = whole.split_once("BEGIN").map_or("", |(_, body)| body);
        let root = body.split_whitespace().next().unwrap_or_default().to_owned();
        Module { source: Source::new("case.asn", whole.as_str()), root }
    }

    fn of_presentation(text: &str) -> Module {
        let last = text.trim_end().trim_end_matches(';').rsplit([';', '}']).next().unwrap_or_default();
        let name = last.split(['<', '[']).next().and_then(|front| front.split_whitespace().last());
        Module { source: Source::new("case.tls", text), root: name.unwrap_or_default().to_owned() }
    }
}
