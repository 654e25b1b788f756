//! Single values (`studies/small.toml`) whose octets decide what a paper says of an encoding
//! itself: of small types, and of a shipped schema that no engine of the laboratory has.

use roadwire_frontend::{Source, compile};
use roadwire_layout::Rules;
use roadwire_model::{Model, TypeId};
use serde::Deserialize;

use crate::interpreted::Interpreted;
use roadwire_peers::content::shipped;

/// A type and a value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Small {
    name: String,
    /// A module with a type `T`.
    module: Option<String>,
    /// Or the name of a shipped schema, whose message is meant.
    schema: Option<String>,
    /// In JER.
    value: String,
}

/// The octets of a small type's value.
///
/// # Errors
/// There is no such type, or it has no encoding under these rules.
pub(crate) fn octets(name: &str, rules: Rules) -> Result<usize, String> {
    let all = all()?;
    let small =
        all.iter().find(|small| small.name == name).ok_or_else(|| format!("there is no small type `{name}`"))?;
    let (model, root) = small.model()?;
    Ok(Interpreted::new(&model, root, rules)?.octets(&small.value)?.len())
}

impl Small {
    fn model(&self) -> Result<(Model, TypeId), String> {
        match (&self.module, &self.schema) {
            (Some(module), None) => {
                let compiled =
                    compile(&[Source::new(&self.name, module.as_str())]).map_err(|errors| errors.render())?;
                let root = compiled.model.find("T").ok_or("its module has no type T")?;
                Ok((compiled.model, root))
            }
            (None, Some(schema)) => {
                let (shipped, model) = shipped(schema)?;
                let root = model.find(shipped.pdu()).ok_or("the schema has no such message")?;
                Ok((model, root))
            }
            _ => Err(format!("`{}` needs a module or a schema", self.name)),
        }
    }
}

fn all() -> Result<Vec<Small>, String> {
    #[derive(Deserialize)]
    struct All {
        small: Vec<Small>,
    }
    let all: All = toml::from_str(include_str!("../../../studies/small.toml")).map_err(|error| error.to_string())?;
    Ok(all.small)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_integers_take_as_many_octets_as_one_takes_bits() {
        for (name, bits) in [("8-integers-0-1", 1), ("8-integers-0-7", 3), ("8-integers-0-100", 7)] {
            assert_eq!([octets(name, Rules::Uper), octets(name, Rules::Aper)], [Ok(bits), Ok(bits)], "{name}");
        }
        assert!(octets("no such type", Rules::Uper).is_err());
    }

    #[test]
    fn every_small_type_has_an_encoding() {
        for small in all().unwrap() {
            let rules = if small.name == "names-1609" { Rules::Tls } else { Rules::Uper };
            assert!(octets(&small.name, rules).unwrap() > 0, "{}", small.name);
        }
    }
}
