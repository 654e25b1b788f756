//! Guesses for octets that no type takes: values that break constraints, and the type that takes
//! the most of them.

use roadwire_layout::Rules;
use roadwire_model::Value;

use super::{Guess, Guesser, Refused, header, rank};
use crate::codec::{CodecError, Form, whole};
use crate::open::violations;

/// The type that takes the most of some octets, and where it does not take them.
#[derive(Clone, Debug)]
pub struct Nearest {
    /// A shipped schema, such as `cam-1.4.1`.
    pub schema: &'static str,
    /// The type, as `Module.Type`.
    pub type_name: &'static str,
    /// The encoding rules.
    pub rules: Rules,
    /// Where the octets cannot be read, and why.
    pub error: CodecError,
}

/// A value that breaks constraints is named from this score on.
const LEAST_OPEN: f64 = 0.5;
/// Random octets are seldom read up to this bit.
const LEAST_BITS: usize = 64;

impl Guesser {
    /// Of octets that no type takes: the type that is read furthest, a message with its own number
    /// in its header first. `None` if none is read far enough for a guess, or if a type takes all
    /// octets.
    #[must_use]
    pub fn nearest(&self, octets: &[u8]) -> Option<Nearest> {
        let mut refused = Vec::new();
        if !self.readings(octets, &mut refused).is_empty() {
            return None;
        }
        let rated = refused.into_iter().filter_map(|one| Some((one.rating(octets)?, one)));
        let (_, best) = rated.max_by_key(|(rating, _)| *rating)?;
        let Refused { subject, candidate, rules, error, .. } = best;
        Some(Nearest { schema: subject.name, type_name: candidate.name, rules, error })
    }

    /// The types that take the octets as a value that breaks constraints.
    pub(super) fn guess_open(&self, octets: &[u8], refused: &[Refused<'_>]) -> Vec<Guess> {
        let mut readings = Vec::new();
        for one in refused.iter().filter(|one| one.is_constraint()) {
            let Refused { subject, model, candidate, rules, error } = one;
            let Some(open) = candidate.open(model, *rules) else { continue };
            let mut value = Value::Unset;
            let bits = roadwire_engine::decode(open, octets, &mut value);
            if whole(open, octets, bits).is_ok() {
                let broken = violations(model, candidate.id, || open, octets, &value, Some(error), None);
                readings.extend(self.read(subject, model, candidate, *rules, octets, (&value, &broken)));
            }
        }
        rank(readings).into_iter().filter(|guess| guess.score >= LEAST_OPEN).collect()
    }
}

impl Refused<'_> {
    /// Whether the first fault is one that need not end the reading.
    fn is_constraint(&self) -> bool {
        let codes =
            ["integer.", "size.range", "text.alphabet", "enumerated.", "real.range", "octets.", "input.truncated"];
        codes.iter().any(|code| self.error.code().starts_with(code))
    }

    /// Whether the header has the message's own number, and how many bits are read. `None` if both
    /// say nothing.
    fn rating(&self, octets: &[u8]) -> Option<(bool, usize)> {
        let Some(Form::Layout(layout)) = self.candidate.form(self.model, self.rules) else { return None };
        let mut value = Value::Unset;
        let bits = match roadwire_engine::decode(layout, octets, &mut value) {
            Ok(bits) => bits,
            Err(error) => error.bit,
        };
        let header = header(self.subject.name, self.model, self.candidate.id, &value);
        let is_own = header.is_some_and(|header| header.own_number);
        (is_own || bits >= LEAST_BITS).then_some((is_own, bits))
    }
}
