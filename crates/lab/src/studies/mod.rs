//! The experiments. Code for a study that measures something other than messages under encoding
//! rules is in a separate folder here.

pub mod airtime;
pub mod certificates;
#[cfg(test)]
mod dice;
pub mod documents;
pub mod evolution;
pub mod ieee1609;
pub mod today;

use crate::experiment::Experiment;
use crate::messages::Messages;

/// All experiments. A study names its own in `study.toml`.
pub static EXPERIMENTS: &[&dyn Experiment] = &[
    &Messages,
    &certificates::Exchange,
    &ieee1609::SecuredData,
    &today::Release2,
    &evolution::Steps,
    &airtime::Channel,
    &documents::Encoded,
    #[cfg(test)]
    &dice::Dice,
];

/// The experiment with this name.
#[must_use]
pub fn experiment(name: &str) -> Option<&'static dyn Experiment> {
    EXPERIMENTS.iter().copied().find(|one| one.name() == name)
}
