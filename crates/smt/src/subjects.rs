//! The types of which something is proved.

use std::path::Path;

use roadwire_frontend::{Source, compile};
use roadwire_layout::Rules;
use roadwire_model::Model;

use crate::run::Assume;

/// An assumption on a part of a value, by its path.
pub type Restriction = fn(&str) -> Option<Assume>;

/// A type.
pub struct Subject {
    /// Its name here.
    pub name: &'static str,
    /// The module, or the name of a schema that roadwire ships.
    module: Module,
    /// The type.
    pub of: &'static str,
    /// The rules.
    pub rules: &'static [Rules],
    /// An assumption on a part of a value, by its path.
    pub assume: Restriction,
    /// The rules in which something is proved of any octets: elsewhere it takes too long.
    pub any_octets: &'static [Rules],
    /// The rules in which the decoder alone refuses all octets that are not canonical; elsewhere it
    /// takes some that the canonical check refuses, which compares them with what is encoded again.
    pub canonical: &'static [Rules],
}

enum Module {
    Text(&'static str),
    Schema(&'static str),
}

const UPER: &[Rules] = &[Rules::Uper];
const ALL: &[Rules] = &[Rules::Uper, Rules::Coer, Rules::Der];

/// All of them.
pub const SUBJECTS: &[Subject] = &[
    small(
        "numbers",
        "a INTEGER (0..16383), b INTEGER (-5..1000), c INTEGER (1..14), d BOOLEAN, e INTEGER (7..7)",
        UPER,
    ),
    small(
        "presence",
        "a INTEGER (0..7) OPTIONAL, b BOOLEAN OPTIONAL, c INTEGER (0..100) DEFAULT 3, d BOOLEAN DEFAULT TRUE, e INTEGER (0..255)",
        &[],
    ),
    small(
        "choices",
        "a CHOICE { x INTEGER (0..255), y BOOLEAN, z NULL }, b ENUMERATED { one, two, three }, c ENUMERATED { p (5), q (2), r (9) } OPTIONAL",
        UPER,
    ),
    small("lengths", "a INTEGER, b INTEGER (0..MAX), c INTEGER (-2..70000)", &[]),
    small(
        "strings",
        "a OCTET STRING (SIZE (4)), b OCTET STRING (SIZE (1..3)), c BIT STRING (SIZE (9)), d INTEGER (0..3)",
        UPER,
    ),
    small("lists", "a SEQUENCE (SIZE (0..3)) OF INTEGER (0..9), b SEQUENCE (SIZE (1..2)) OF T2, c BOOLEAN", UPER),
    small("extensible", "a INTEGER (0..7), b BOOLEAN OPTIONAL, ..., c T2", &[]),
    schema("CAM 1.4.1", "cam-1.4.1", "CAM-PDU-Descriptions.CAM", (mandatory, &[Rules::Uper, Rules::Coer]), UPER),
    schema("DENM 1.3.1", "denm-1.3.1", "DENM-PDU-Descriptions.DENM", (mandatory, &[Rules::Uper, Rules::Coer]), &[]),
    schema("VAM 2.3.1", "vam-2.3.1", "VAM-PDU-Descriptions.VAM", (mandatory, &[Rules::Uper, Rules::Coer]), UPER),
    schema(
        "certificate",
        "ieee1609dot2-2022",
        "Ieee1609Dot2.Certificate",
        (mandatory, &[Rules::Uper, Rules::Coer]),
        UPER,
    ),
    schema("CAM 1.4.1, optional parts", "cam-1.4.1", "CAM-PDU-Descriptions.CAM", (optional, &[]), &[]),
];

const fn small(name: &'static str, components: &'static str, canonical: &'static [Rules]) -> Subject {
    let (module, assume) = (Module::Text(components), free as Restriction);
    Subject { name, module, of: "M.T", rules: ALL, assume, any_octets: ALL, canonical }
}

/// Nothing is assumed.
fn free(_: &str) -> Option<Assume> {
    None
}

const fn schema(
    name: &'static str,
    schema: &'static str,
    of: &'static str,
    (assume, any_octets): (Restriction, &'static [Rules]),
    canonical: &'static [Rules],
) -> Subject {
    Subject { name, module: Module::Schema(schema), of, rules: ALL, assume, any_octets, canonical }
}

/// Mandatory parts: no optional component, the first alternative of each CHOICE, lists and strings
/// without a small bound as short as they may be.
fn mandatory(part: &str) -> Option<Assume> {
    match part {
        part if part.ends_with(".has") || part.ends_with(".choice") => Some(Assume::Is(0)),
        part if part.ends_with(".count") => Some(Assume::AtMost(1)),
        part if part.ends_with(".size") => Some(Assume::AtMost(3)),
        _ => None,
    }
}

/// The same, and any optional parts of the vehicle container with high frequency.
fn optional(part: &str) -> Option<Assume> {
    match part {
        part if part.contains(".basicVehicleContainerHighFrequency.") && part.ends_with(".has") => None,
        part => mandatory(part),
    }
}

impl Subject {
    /// Compiles its modules.
    ///
    /// # Errors
    /// A schema that is not there, or has errors.
    pub fn model(&self) -> Result<Model, String> {
        let sources = match self.module {
            Module::Text(components) => {
                let text = format!(
                    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE {{ {components} }} \
                     T2 ::= SEQUENCE {{ v INTEGER (0..15) OPTIONAL, w BOOLEAN }} END"
                );
                vec![Source::new("m.asn", text)]
            }
            Module::Schema(name) => {
                let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../messages/schemas"));
                let schemas = roadwire_schemas::read(folder).map_err(|error| error.to_string())?;
                let schema = schemas.iter().find(|one| one.name == name).ok_or("there is no such schema")?;
                let read = |file: &std::path::PathBuf| {
                    std::fs::read(file).map(|text| Source::new(file.display().to_string(), text))
                };
                schema.files.iter().map(read).collect::<Result<_, _>>().map_err(|error| error.to_string())?
            }
        };
        compile(&sources).map(|done| done.model).map_err(|errors| errors.render())
    }
}
