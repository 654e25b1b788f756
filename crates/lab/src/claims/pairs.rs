//! Pairs of implementations (`studies/pairs.toml`): each judges the claims on time and memory that
//! compare encodings of which it has codecs.

use std::collections::BTreeMap;

use roadwire_layout::Rules;
use roadwire_peers::Kind;
use serde::Deserialize;

use super::formula::Missing;
use crate::experiment::FigureOf;
use crate::measured::Measured;
use crate::owner::Owner;
use crate::quantity::{OfMessage, Quantity};
use crate::record::Record;

/// A pair of implementations.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pair {
    /// Its name in reports.
    pub(super) name: String,
    /// The implementation of each encoding.
    engines: BTreeMap<String, Forms>,
}

/// The forms of an implementation, each with its name in records.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Forms {
    /// One, which stands beside time-optimised codecs.
    One(String),
    /// One that is optimised for time, and one for space.
    Two { toed: String, soed: String },
}

/// All pairs, in the order of reports.
///
/// # Errors
/// An error in the file; does not happen: a test covers it.
pub(super) fn all() -> Result<Vec<Pair>, String> {
    read(include_str!("../../../../studies/pairs.toml"))
}

/// Reads the text of `pairs.toml`.
///
/// # Errors
/// The first fault in the text.
fn read(text: &str) -> Result<Vec<Pair>, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Pairs {
        pairs: Vec<Pair>,
    }
    let all: Pairs = toml::from_str(text).map_err(|error| format!("pairs.toml: {error}"))?;
    for pair in &all.pairs {
        for rules in pair.engines.keys() {
            rules.parse::<Rules>().map_err(|why| format!("pairs.toml: {}: {why}", pair.name))?;
        }
    }
    Ok(all.pairs)
}

impl Pair {
    /// The name of its codec for an encoding; `None` if it has none of this kind.
    fn engine(&self, rules: Rules, kind: Kind) -> Option<&str> {
        match (self.engines.get(rules.name())?, kind) {
            (Forms::One(name), Kind::Toed) => Some(name),
            (Forms::Two { toed, .. }, Kind::Toed) => Some(toed),
            (Forms::Two { soed, .. }, Kind::Soed) => Some(soed),
            (Forms::One(_), Kind::Soed) | (_, Kind::Beside | Kind::Peer | Kind::ByHand) => None,
        }
    }

    /// The name of its codec that a quantity is about; `None` if it has none, or the quantity is
    /// about none.
    pub(super) fn engine_of(&self, quantity: &Quantity) -> Option<&str> {
        match quantity {
            _ if quantity.owner() == Owner::Encoding => None,
            Quantity::Message { rules, of: OfMessage::Operation(_, kind, _), .. } => self.engine(*rules, *kind),
            Quantity::Experiment(FigureOf(figure)) => self.engine(figure.rules()?, Kind::Toed),
            _ => None,
        }
    }

    /// A quantity's value by this pair. A quantity that every correct implementation has alike has
    /// its usual value.
    pub(super) fn value(&self, quantity: &Quantity, source: Source<'_>) -> Result<f64, Missing> {
        let none = || format!("{} has no such codec", self.name);
        if quantity.owner() == Owner::Encoding {
            return quantity.value(source.measured);
        }
        let engine = self.engine_of(quantity).ok_or_else(none)?;
        match quantity {
            Quantity::Message { message, rules, of: OfMessage::Operation(direction, _, of) } => {
                let is_it = |one: &&Record| {
                    one.engine == engine
                        && one.message == *message
                        && one.rules == *rules
                        && one.direction == *direction
                        && !one.repeat
                };
                let record = source.records.iter().find(is_it).ok_or_else(none)?;
                of.value(record).ok_or_else(none)
            }
            Quantity::Experiment(FigureOf(figure)) => {
                let theirs = figure.by(engine).ok_or_else(none)?;
                Quantity::Experiment(FigureOf(theirs)).value(source.measured)
            }
            _ => Err(none()),
        }
    }
}

/// Where the values of a pair come from. They are all of one run.
#[derive(Clone, Copy)]
pub(super) struct Source<'m> {
    /// Its name in the report; empty for this run.
    pub(super) name: &'m str,
    /// The measurements.
    pub(super) measured: Measured<'m>,
    /// The records of messages.
    pub(super) records: &'m [Record],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_the_file_has_implementations_of_known_encodings() {
        let pairs = all().unwrap();
        assert!(pairs.len() >= 5);
        let why = read("[[pairs]]\nname = 'x'\nengines = { per = 'y' }").unwrap_err();
        assert!(why.contains("x: ") && why.contains("per"), "{why}");
    }

    #[test]
    fn an_implementation_of_one_form_stands_beside_time_optimised_codecs_alone() {
        let pair =
            &read("[[pairs]]\nname = 'x'\nengines = { uper = 'a', protobuf = { toed = 'b', soed = 'c' } }").unwrap()[0];
        assert_eq!([pair.engine(Rules::Uper, Kind::Toed), pair.engine(Rules::Uper, Kind::Soed)], [Some("a"), None]);
        assert_eq!(
            [pair.engine(Rules::Protobuf, Kind::Toed), pair.engine(Rules::Protobuf, Kind::Soed)],
            [Some("b"), Some("c")]
        );
        assert_eq!(pair.engine(Rules::Exi, Kind::Toed), None);
    }
}
