//! Deviations from the standard that a reader of module text accepts if asked to.

use std::fmt;
use std::str::FromStr;

use roadwire_wire::names::nearest;

/// A deviation from the standard that is accepted with a warning in text that
/// [allows](crate::Source::allowing) it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Allow {
    /// Names with underscores, in ASN.1. They are kept as written.
    Underscores,
}

impl Allow {
    /// All.
    pub const ALL: [Allow; 1] = [Allow::Underscores];

    /// The name, as on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Allow::Underscores => "underscores",
        }
    }
}

impl fmt::Display for Allow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no [`Allow`] has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAllowance {
    /// The name.
    pub name: String,
}

impl fmt::Display for UnknownAllowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = || Allow::ALL.into_iter().map(Allow::name);
        match nearest(&self.name, names(), 1)[..] {
            [name] => write!(f, "did you mean `{name}`?"),
            _ => write!(f, "what can be allowed is {}", names().collect::<Vec<_>>().join(", ")),
        }
    }
}

impl std::error::Error for UnknownAllowance {}

impl FromStr for Allow {
    type Err = UnknownAllowance;

    fn from_str(name: &str) -> Result<Self, UnknownAllowance> {
        let found = Allow::ALL.into_iter().find(|allow| allow.name() == name);
        found.ok_or_else(|| UnknownAllowance { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_suggests_a_known_one() {
        assert_eq!("underscores".parse(), Ok(Allow::Underscores));
        let error = |name: &str| name.parse::<Allow>().unwrap_err().to_string();
        assert_eq!(error("underscore"), "did you mean `underscores`?");
        assert_eq!(error("tags"), "what can be allowed is underscores");
    }
}
