//! Mutated messages from a fixed seed, for straight-line code alone: many times as fast as all
//! checks. On a sample, and where it says something for the first time, all codecs are held against
//! each other.

use std::collections::HashSet;

use roadwire_layout::Rules;
use roadwire_model::random::Rng;

use crate::mutate::mutant_into;
use crate::schema::{further, presentation, subjects};
use crate::seeds;
use crate::subject::{Answer, Fast, Subject};

/// One of so many inputs is held against the interpreter, whatever was said of it.
const SAMPLE: u64 = 1000;
/// One of so many refused inputs is asked for its error.
const REASONS: u64 = 64;
/// So many different answers of a lane are held against the interpreter at their first time.
const ANSWERS: usize = 2000;

/// A type under one set of rules.
pub struct Lane {
    subject: &'static Subject,
    rules: Rules,
    fast: Box<dyn Fast>,
    seeds: Vec<Vec<u8>>,
    input: Vec<u8>,
    answers: HashSet<(Answer, Option<(&'static str, String)>)>,
}

/// The work of a lane.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    /// Inputs.
    pub executions: u64,
    /// Those that straight-line code took.
    pub accepted: u64,
    /// Those that all codecs were held against each other on.
    pub compared: u64,
    /// A digest of all answers.
    pub digest: u64,
}

/// All types and rules with generated code. The types of this workspace alone and the tables of
/// constructs are not among them.
#[must_use]
pub fn lanes() -> Vec<Lane> {
    let ours = ["kitchen-sink", "tags", "wide", "constructs"];
    let own = subjects().iter().filter(|subject| !ours.contains(&subject.name()));
    own.chain(further()).chain(presentation()).flat_map(Lane::of).collect()
}

impl Lane {
    fn of(subject: &'static Subject) -> impl Iterator<Item = Lane> {
        subject.fast().map(move |(rules, fast)| {
            let seeds = seeds::valid(subject, rules);
            Lane { subject, rules, fast, seeds, input: Vec::new(), answers: HashSet::new() }
        })
    }

    /// Its schema.
    #[must_use]
    pub fn schema(&self) -> &str {
        self.subject.name()
    }

    /// Its rules.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// How many times as many inputs as the least: most for what a radio can reach.
    #[must_use]
    pub fn weight(&self) -> u64 {
        let is_secured = !["cam", "denm"].iter().any(|message| self.schema().starts_with(message));
        let rules = self.rules;
        if matches!(rules, Rules::Uper | Rules::Tls) || is_secured && matches!(rules, Rules::Oer | Rules::Coer) {
            40
        } else if rules.family().is_text() {
            1
        } else {
            4
        }
    }

    /// The last input.
    #[must_use]
    pub fn input(&self) -> &[u8] {
        &self.input
    }

    /// Runs so many inputs, and counts each of them before it is decoded.
    ///
    /// # Panics
    /// Where codecs do not agree.
    pub fn run(&mut self, rng: &mut Rng, executions: u64, counts: &mut Counts) {
        let last = counts.executions + executions;
        while counts.executions < last {
            counts.executions += 1;
            mutant_into(&mut self.input, &self.seeds, &[], rng);
            let answer = self.fast.answer(&self.input);
            counts.accepted += u64::from(answer != Answer::Refused);
            counts.digest = digest(counts.digest, answer);
            if counts.executions % SAMPLE == 0 || self.is_new(answer, counts.executions) {
                counts.compared += 1;
                let _ = self.subject.answer(self.rules, &self.input);
            }
        }
    }

    fn is_new(&mut self, answer: Answer, execution: u64) -> bool {
        if self.answers.len() >= ANSWERS || answer == Answer::Refused && execution % REASONS != 0 {
            return false;
        }
        let reason = (answer == Answer::Refused).then(|| self.fast.reason(&self.input)).flatten();
        self.answers.insert((answer, reason))
    }
}

fn digest(before: u64, answer: Answer) -> u64 {
    let said = match answer {
        Answer::Refused => 1,
        Answer::Accepted { bits, written, same } => {
            (bits as u64) << 32 | (written.map_or(0, |count| count as u64 + 1)) << 2 | u64::from(same) << 1
        }
    };
    (before ^ said).wrapping_mul(0x0000_0100_0000_01b3)
}
