//! The results of all bugs.

use std::fmt;

use crate::bug::Bug;

/// The result of one bug.
pub enum Outcome {
    /// A test failed, or the generated code does not build.
    Caught {
        /// Which one.
        by: String,
    },
    /// The tests that reach its place pass.
    Survived,
    /// No test reaches its place.
    NotReached,
    /// The run-time tests pass, and the generated code is the same.
    SameText,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Caught { by } => f.pad(&format!("caught by {by}")),
            Outcome::Survived => f.pad("SURVIVED"),
            Outcome::NotReached => f.pad("SURVIVED: no test reaches it"),
            Outcome::SameText => f.pad("SURVIVED: it generates the same text"),
        }
    }
}

/// The results of all bugs that ran.
pub struct Report<'b> {
    listed: usize,
    reasons: Vec<(String, String)>,
    outcomes: Vec<(&'b Bug, Outcome)>,
}

impl<'b> Report<'b> {
    /// None has run yet. `reasons` has the bugs that are known to survive.
    pub fn new(listed: usize, reasons: Vec<(String, String)>) -> Report<'b> {
        Report { listed, reasons, outcomes: Vec::new() }
    }

    /// Adds one.
    pub fn add(&mut self, bug: &'b Bug, outcome: Outcome) {
        self.outcomes.push((bug, outcome));
    }

    /// Whether every survivor has a reason, and every bug with a reason survived.
    pub fn holds(&self) -> bool {
        self.outcomes.iter().all(|(bug, outcome)| is_caught(outcome) != self.reason(bug).is_some())
    }

    fn reason(&self, bug: &Bug) -> Option<&str> {
        self.reasons.iter().find(|(name, _)| *name == bug.name).map(|(_, why)| why.as_str())
    }
}

fn is_caught(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Caught { .. })
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut crates: Vec<&str> = self.outcomes.iter().map(|(bug, _)| bug.krate()).collect();
        crates.sort_unstable();
        crates.dedup();
        writeln!(f, "| crate | bugs | caught | share |\n| --- | ---: | ---: | ---: |")?;
        for name in crates.into_iter().map(Some).chain([None]) {
            let of = || self.outcomes.iter().filter(|(bug, _)| name.is_none_or(|name| name == bug.krate()));
            let (all, caught) = (of().count(), of().filter(|(_, outcome)| is_caught(outcome)).count());
            let share = 100.0 * caught as f64 / all.max(1) as f64;
            writeln!(f, "| {} | {all} | {caught} | {share:.0} % |", name.unwrap_or("all"))?;
        }
        writeln!(f, "\n{} of {} bugs of the list ran.", self.outcomes.len(), self.listed)?;
        for (bug, outcome) in &self.outcomes {
            match (is_caught(outcome), self.reason(bug)) {
                (true, None) => {}
                (true, Some(_)) => writeln!(f, "{}: {outcome}; take it out of survivors.toml", bug.name)?,
                (false, Some(why)) => writeln!(f, "{}: {outcome}, as known: {why}", bug.name)?,
                (false, None) => writeln!(f, "{} ({}): {outcome}", bug.name, bug.file)?,
            }
        }
        Ok(())
    }
}
