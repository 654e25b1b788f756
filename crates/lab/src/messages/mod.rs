//! Messages under encoding rules, by every engine, which most studies measure: gate, time, memory,
//! instructions.

mod workbench;

pub(crate) use workbench::{NOT_COUNTED, visit};

use std::collections::HashMap;
use std::ffi::OsString;
use std::sync::Arc;

use roadwire_layout::Rules;

use crate::experiment::{Asked, Experiment, Figure, Findings, Printed, Request};
use crate::gate::Confirmation;
use crate::probe::Visit;
use crate::progress::Progress;
use crate::record::{self, Record, Run};
use crate::report::cells;
use crate::report::data::DataFile;
use crate::report::table::Table;
use roadwire_measure::callgrind;
use roadwire_measure::plot::Plot;
use roadwire_measure::random::Random;
use roadwire_peers::Engine;
use roadwire_peers::content::{MESSAGES, Message};
use workbench::Workbench;

/// The experiment's name.
pub(crate) const NAME: &str = "messages";

/// Messages under encoding rules.
pub struct Messages;

/// A record for each engine, message and direction.
#[derive(Debug, Clone)]
pub struct Measurements {
    records: Vec<Record>,
    failures: Vec<String>,
}

impl Measurements {
    /// Records that were measured elsewhere.
    pub(crate) fn of(records: Vec<Record>) -> Self {
        Measurements { records, failures: Vec::new() }
    }
}

impl Experiment for Messages {
    fn name(&self) -> &'static str {
        NAME
    }

    /// The names of these quantities have no prefix.
    fn prefix(&self) -> &'static str {
        ""
    }

    fn figure(&self, _: &[&str]) -> Option<Arc<dyn Figure>> {
        None
    }

    fn run(&self, run: &Run, asked: &Asked<'_>, progress: &dyn Progress) -> Result<Box<dyn Findings>, String> {
        let (requests, engines) = (asked.requests, asked.engines);
        let mut random = Random::new(run.seed);
        let mut bench = Workbench::set_up(engines, &messages(requests), Confirmation::Needed, progress);
        let alone: Vec<&str> = requests.iter().flat_map(|request| request.alone.iter().map(String::as_str)).collect();
        bench.expect_own(engines, &alone);
        let mut records = bench.records(run, engines);
        let lengths: Vec<(&str, Rules)> = requests.iter().flat_map(|request| request.lengths.iter().copied()).collect();
        bench.time(&mut records, &lengths, asked.probe, &mut random, progress);
        bench.memory(&mut records, engines, progress);
        instructions(&mut records, asked.probe, progress);
        Ok(Box::new(Measurements { records, failures: bench.gate_failures }))
    }

    fn file(&self) -> String {
        "records.jsonl".into()
    }

    fn read(&self, lines: &str) -> Result<Box<dyn Findings>, serde_json::Error> {
        Ok(Box::new(Measurements::of(record::from_lines(lines)?)))
    }

    #[cfg(test)]
    fn made_up(&self) -> Box<dyn Findings> {
        Box::new(Measurements::of(Vec::new()))
    }
}

impl Findings for Measurements {
    fn experiment(&self) -> &'static str {
        NAME
    }

    fn run(&self) -> Option<&Run> {
        self.records.first().map(|record| &record.run)
    }

    fn records(&self) -> &[Record] {
        &self.records
    }

    fn failures(&self) -> Vec<String> {
        self.failures.clone()
    }

    /// They are for all studies, and follow them.
    fn tables(&self) -> Vec<Table> {
        Vec::new()
    }

    fn pictures(&self, _: Printed<'_>) -> Vec<(String, Plot)> {
        Vec::new()
    }

    fn files(&self) -> Vec<DataFile> {
        vec![
            DataFile::new("cells", cells::data(&self.records)),
            DataFile::new("cells-absent", cells::empty(&self.records)),
        ]
    }

    fn recorded(&self) -> Result<String, serde_json::Error> {
        record::to_lines(&self.records)
    }

    fn json_lines(&self) -> Result<String, serde_json::Error> {
        self.recorded()
    }
}

/// Measures a user's messages like those of the studies, except that nothing has to confirm their
/// octets: the records, and what failed.
pub(crate) fn of_user(
    run: &Run,
    engines: &[Box<dyn Engine>],
    messages: &[(&'static Message, Rules)],
    probe: &[OsString],
    progress: &dyn Progress,
) -> (Vec<Record>, Vec<String>) {
    let mut random = Random::new(run.seed);
    let mut bench = Workbench::set_up(engines, messages, Confirmation::Optional, progress);
    let mut records = bench.records(run, engines);
    bench.time(&mut records, &[], probe, &mut random, progress);
    bench.memory(&mut records, engines, progress);
    instructions(&mut records, probe, progress);
    (records, bench.gate_failures)
}

/// The studies' messages and rules, each once, in the order of the content.
fn messages(requests: &[Request<'_>]) -> Vec<(&'static Message, Rules)> {
    let mut chosen = Vec::new();
    for message in MESSAGES {
        for request in requests {
            if !request.messages.iter().any(|name| name == message.id) {
                continue;
            }
            for &rules in request.rules {
                let is_there = chosen.iter().any(|(m, r): &(&Message, Rules)| m.id == message.id && *r == rules);
                if !is_there && message.under(rules).is_some() {
                    chosen.push((message, rules));
                }
            }
        }
    }
    chosen
}

/// Counts instructions of all cells.
fn instructions(records: &mut [Record], probe: &[OsString], progress: &dyn Progress) {
    if records.is_empty() {
        return;
    }
    progress.step("messages, instructions", 0, 1);
    let mut names: Vec<String> = Vec::new();
    for record in records.iter().filter(|record| record.absent.is_none()) {
        let name = format!("{}:{}", record.message, record.rules);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let visit = |(line, count): (String, u64)| match Visit::parse(&line) {
        Some(visit) => Ok((visit, count)),
        None => Err(format!("unexpected line from the probe: {line}")),
    };
    let counts = callgrind::instructions(probe, &names);
    let counts: Result<HashMap<Visit, u64>, String> = counts.and_then(|counts| counts.into_iter().map(visit).collect());
    for record in records.iter_mut().filter(|r| r.absent.is_none() && !r.repeat) {
        match &counts {
            Ok(counts) => record.instructions = counts.get(&workbench::visit(record)).copied(),
            Err(why) => record.missing.push(format!("instructions: {why}")),
        }
    }
    progress.step("messages, instructions", 1, 1);
}
