//! Small types (`studies/small.toml`) whose encodings decide what a paper says of an encoding itself.

use roadwire_frontend::{Source, compile};
use roadwire_layout::Rules;
use serde::Deserialize;

use crate::interpreted::Interpreted;

/// A type and a value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Small {
    name: String,
    module: String,
    value: String,
}

/// The octets of a small type's value.
///
/// # Errors
/// There is no such type, or it has no encoding under these rules.
pub(crate) fn octets(name: &str, rules: Rules) -> Result<usize, String> {
    let all = all()?;
    let small = all.iter().find(|small| small.name == name).ok_or_else(|| format!("there is no small type `{name}`"))?;
    let compiled = compile(&[Source::new(name, small.module.as_str())]).map_err(|errors| errors.render())?;
    let root = compiled.model.find("T").ok_or("its module has no type T")?;
    Ok(Interpreted::new(&compiled.model, root, rules)?.octets(&small.value)?.len())
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
