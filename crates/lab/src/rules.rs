//! Encoding rules in the laboratory's files, by their name: the crate that defines them does not
//! use serde.
//!
//! `#[serde(with = "crate::rules")]` is for one, `#[serde(with = "crate::rules::list")]` for
//! several.

use roadwire_layout::Rules;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::Serializer;

/// Writes the name.
pub(crate) fn serialize<S: Serializer>(rules: &Rules, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(rules.name())
}

/// Reads a name. An unknown name is an error, which lists the known ones.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
    named(&String::deserialize(deserializer)?)
}

fn named<E: Error>(name: &str) -> Result<Rules, E> {
    name.parse().map_err(|why| E::custom(format!("`{name}`: {why}")))
}

/// The same of several rules, which are only read.
pub(crate) mod list {
    use super::*;

    /// Reads the names.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Rules>, D::Error> {
        Vec::<String>::deserialize(deserializer)?.iter().map(|name| named(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;

    #[derive(Debug, PartialEq, Serialize, serde::Deserialize)]
    struct One {
        #[serde(with = "crate::rules")]
        rules: Rules,
    }

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Several {
        #[serde(with = "crate::rules::list")]
        rules: Vec<Rules>,
    }

    #[test]
    fn rules_are_written_and_read_by_their_names() {
        for rules in Rules::ALL {
            let text = serde_json::to_string(&One { rules }).unwrap();
            assert_eq!(text, format!("{{\"rules\":\"{rules}\"}}"));
            assert_eq!(serde_json::from_str::<One>(&text).unwrap(), One { rules });
        }
        let several: Several = toml::from_str("rules = ['tls', 'exi-default']").unwrap();
        assert_eq!(several.rules, [Rules::Tls, Rules::ExiDefault]);
    }

    #[test]
    fn a_name_that_no_rules_have_is_an_error_that_lists_those_there_are() {
        let one = serde_json::from_str::<One>("{\"rules\":\"binary\"}").unwrap_err().to_string();
        let several = toml::from_str::<Several>("rules = ['uper', 'binary']").unwrap_err().to_string();
        for why in [one, several] {
            assert!(why.contains("`binary`") && why.contains("uper aper") && why.contains("exi-split tls"), "{why}");
        }
    }
}
