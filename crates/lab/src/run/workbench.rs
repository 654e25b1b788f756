//! The cells of a run: through the gate, then time and memory.

use super::Progress;
use crate::content::Message;
use crate::engine::{Cell, Direction, Engine, Kind};
use crate::gate::{self, Checked, Refusal};
use crate::measure::paper::{self, Serialising};
use crate::measure::random::Random;
use crate::measure::timing::{self, Entry, Plan, Samples};
use crate::measure::{heap, stack, stats};
use crate::record::{Method, Record, Run};

/// All cells that passed, and where their records are.
pub(super) struct Workbench {
    checked: Vec<(&'static Message, String, Checked)>,
    cells: Vec<Box<dyn Cell>>,
    /// Index in `checked` of each cell.
    of: Vec<usize>,
    /// Cells that an engine has and that did not pass, with the reason; and what was measured and is not what it should have been.
    pub(super) gate_failures: Vec<String>,
}

impl Workbench {
    pub(super) fn set_up(
        engines: &[Box<dyn Engine>],
        messages: &[(&'static Message, String)],
        progress: &dyn Progress,
    ) -> Self {
        let mut bench = Workbench { checked: Vec::new(), cells: Vec::new(), of: Vec::new(), gate_failures: Vec::new() };
        for (i, (message, rules)) in messages.iter().enumerate() {
            progress.step("gate", i, messages.len());
            for mut checked in gate::check(engines, message, rules) {
                let name = engines[checked.engine].name();
                match (&checked.gate, std::mem::replace(&mut checked.cell, Err(String::new()))) {
                    (Ok(_), Ok(cell)) => {
                        bench.of.push(bench.checked.len());
                        bench.cells.push(cell);
                    }
                    (Err(Refusal::Failed(why)), Ok(_)) => {
                        bench.gate_failures.push(format!("{name}, {} in {rules}: {why}", message.id));
                    }
                    _ => {}
                }
                bench.checked.push((message, rules.clone(), checked));
            }
        }
        bench
    }

    /// roadwire's own codecs have every cell of a study, and others that confirm their octets, but for those that the study lists: a codec that is gone, or that
    /// nobody is compared with any more, is a failure and no empty cell.
    pub(super) fn expect_own(&mut self, engines: &[Box<dyn Engine>], alone: &[&str]) {
        for (message, rules, checked) in &self.checked {
            let engine = &engines[checked.engine];
            let Err(refusal @ (Refusal::Absent(_) | Refusal::Alone)) = &checked.gate else { continue };
            let is_listed = *refusal == Refusal::Alone && alone.contains(&&*format!("{}:{rules}", message.id));
            if matches!(engine.kind(), Kind::Toed | Kind::Soed) && !is_listed {
                self.gate_failures.push(format!("{}, {} in {rules}: {refusal}", engine.name(), message.id));
            }
        }
    }

    /// A record for each cell in both directions, empty ones too, two by two in the order of
    /// `checked`.
    pub(super) fn records(&self, run: &Run, engines: &[Box<dyn Engine>]) -> Vec<Record> {
        let mut records = Vec::new();
        for (message, rules, checked) in &self.checked {
            let engine = &engines[checked.engine];
            for direction in Direction::ALL {
                let passed = checked.gate.as_ref().ok();
                records.push(Record {
                    run: run.clone(),
                    engine: engine.name().into(),
                    version: engine.version().into(),
                    kind: engine.kind(),
                    timed_region: engine.timed_region(),
                    message: message.id.into(),
                    schema: message.schema.name().into(),
                    rules: rules.clone(),
                    direction,
                    repeat: false,
                    absent: checked.gate.as_ref().err().map(ToString::to_string),
                    confirmed_by: passed.map(|p| p.confirmed_by.clone()).unwrap_or_default(),
                    octets: passed.map(|p| p.octets),
                    cpu_ns: None,
                    wall_ns: None,
                    batch: None,
                    clock_step: None,
                    to_floor: None,
                    to_rasn: None,
                    to_itself: None,
                    paper: None,
                    heap: None,
                    stack: None,
                    message_size: None,
                    instructions: None,
                    missing: Vec::new(),
                });
            }
        }
        records
    }

    /// Times in batches, and by the papers' recipe what the papers have: their `contents` (message and rules), time- and space-optimised.
    pub(super) fn time(
        &mut self,
        records: &mut Vec<Record>,
        contents: &[(&str, &str)],
        random: &mut Random,
        progress: &dyn Progress,
    ) {
        let Some(run) = records.first().map(|record| record.run.clone()) else {
            return;
        };
        if run.method == Method::Batched {
            self.time_batched(&run, records, random, progress);
        }
        self.time_paper(&run, contents, records, progress);
    }

    fn time_batched(&mut self, run: &Run, records: &mut Vec<Record>, random: &mut Random, progress: &dyn Progress) {
        let rounds = if run.quick { 200 } else { 1_500 };
        let draws = if run.quick { 300 } else { 1000 };
        // Each entry with its record; the A/A entries come after the others.
        let mut entries: Vec<(Entry, usize)> = Vec::new();
        for (cell, of) in self.of.iter().enumerate() {
            for (d, direction) in Direction::ALL.into_iter().enumerate() {
                entries.push((Entry { cell, direction }, of * 2 + d));
            }
        }
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for i in 0..entries.len() {
            let (entry, record) = entries[i];
            let same = |r: &Record| {
                r.message == records[record].message
                    && r.rules == records[record].rules
                    && r.direction == records[record].direction
            };
            let first = entries.iter().position(|(_, r)| same(&records[*r]));
            if first == Some(i) {
                pairs.push((i, entries.len()));
                let mut repeat = records[record].clone();
                repeat.repeat = true;
                entries.push((entry, records.len()));
                records.push(repeat);
            }
        }
        let plan = Plan::new(rounds, run.machine.clock_cost);
        let list: Vec<Entry> = entries.iter().map(|(entry, _)| *entry).collect();
        let samples = timing::measure(&mut self.cells, &list, plan, random, &mut |round| {
            progress.step("time", round, rounds);
        });

        let own = entries.len() - pairs.len();
        for (i, (_, record)) in entries.iter().enumerate() {
            let reference = |engine: &str| -> Option<&Samples> {
                let of = &records[*record];
                let at = entries[..own].iter().position(|(_, r)| {
                    let r = &records[*r];
                    r.engine == engine && r.message == of.message && r.rules == of.rules && r.direction == of.direction
                })?;
                Some(&samples[at])
            };
            let mut to = |engine: &str| {
                let beside = reference(engine)?.beside(&samples[i]);
                stats::ratio(&samples[i].cpu, &beside, draws, random)
            };
            let (to_floor, to_rasn) = (to("floor"), to("rasn"));
            let pair = pairs.iter().find(|(_, second)| *second == i);
            let to_itself =
                pair.and_then(|(first, _)| stats::ratio(&samples[i].cpu, &samples[*first].cpu, draws, random));
            let record = &mut records[*record];
            record.clock_step = Some(samples[i].clock_step);
            if let Some(fault) = &samples[i].fault {
                self.gate_failures.push(failure(record, fault));
                record.missing.push(fault.clone());
                continue;
            }
            record.cpu_ns = stats::summarise(&samples[i].cpu);
            record.wall_ns = stats::summarise(&samples[i].wall);
            record.batch = Some(samples[i].batch);
            record.to_floor = to_floor;
            record.to_rasn = to_rasn;
            record.to_itself = to_itself;
        }
    }

    fn time_paper(&mut self, run: &Run, contents: &[(&str, &str)], records: &mut [Record], progress: &dyn Progress) {
        let instruction = Serialising::choose(run.machine.virtualised);
        let runs = if run.quick { 2_000 } else { paper::RUNS };
        let total = self.cells.len();
        for (i, (cell, of)) in self.cells.iter_mut().zip(&self.of).enumerate() {
            progress.step("time, one call at a time", i, total);
            let Record { kind, message, rules, .. } = &records[of * 2];
            let is_theirs = contents.contains(&(message, rules)) && matches!(kind, Kind::Toed | Kind::Soed);
            if !cell.is_inside() || !is_theirs {
                continue;
            }
            for (d, direction) in Direction::ALL.into_iter().enumerate() {
                let record = &mut records[of * 2 + d];
                match paper::measure(cell.as_mut(), direction, runs, instruction) {
                    Ok(paper) => record.paper = Some(paper),
                    Err(why) => self.gate_failures.push(failure(record, &why)),
                }
            }
        }
    }

    pub(super) fn memory(&mut self, records: &mut [Record], engines: &[Box<dyn Engine>], progress: &dyn Progress) {
        let total = self.cells.len();
        for (i, (cell, of)) in self.cells.iter_mut().zip(&self.of).enumerate() {
            progress.step("memory", i, total);
            let (message, rules, checked) = &self.checked[*of];
            let engine = engines[checked.engine].as_ref();
            for (d, direction) in Direction::ALL.into_iter().enumerate() {
                let record = &mut records[of * 2 + d];
                if !cell.is_inside() {
                    record.missing.push("instructions, heap and stack of programs of their own are not watched".into());
                    continue;
                }
                record.message_size = Some(cell.message_size());
                let probed = cell.probe(direction, &mut |work| {
                    work();
                    record.heap = heap::measure(work);
                });
                self.gate_failures.extend(probed.err().map(|why| failure(record, &why)));
                if record.heap.is_none() {
                    record.missing.push("heap: this program does not install the counting allocator".into());
                }
                let stack = stack::measure(|watch| {
                    let mut cell = engine.cell(message, rules).map_err(|absent| absent.0)?;
                    cell.probe(direction, watch)
                });
                match stack {
                    Ok(Some(octets)) => record.stack = Some(octets),
                    Ok(None) => record.missing.push(format!("stack: deeper than {} octets", stack::PAINTED)),
                    Err(why) => record.missing.push(format!("stack: {why}")),
                }
            }
        }
    }
}

/// A line about a record, for those who read what failed.
fn failure(record: &Record, why: &str) -> String {
    format!("{}, {} in {}, {}: {why}", record.engine, record.message, record.rules, record.direction.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::rasn::Rasn;
    use crate::engines::roadwire::{Soed, Toed};
    use crate::run::Silent;

    fn failures(engines: Vec<Box<dyn Engine>>, rules: &str, alone: &[&str]) -> Vec<String> {
        let message = Message::find("cam-mandatory").unwrap();
        let mut bench = Workbench::set_up(&engines, &[(message, rules.into())], &Silent);
        bench.expect_own(&engines, alone);
        bench.gate_failures
    }

    fn own() -> Vec<Box<dyn Engine>> {
        vec![Box::new(Toed), Box::new(Soed)]
    }

    fn with_rasn() -> Vec<Box<dyn Engine>> {
        let mut engines = own();
        engines.push(Box::new(Rasn));
        engines
    }

    #[test]
    fn codecs_of_ours_that_are_confirmed_fail_nothing() {
        assert!(failures(with_rasn(), "coer", &[]).is_empty());
        // What is listed may be confirmed all the same, by a peer that is not everywhere.
        assert!(failures(with_rasn(), "coer", &["cam-mandatory:coer"]).is_empty());
    }

    #[test]
    fn a_codec_of_ours_that_nobody_is_compared_with_fails_the_run_unless_that_is_known() {
        assert_eq!(failures(own(), "coer", &[]).len(), 2);
        assert_eq!(failures(own(), "coer", &["cam-mandatory:oer", "cam-full:coer"]).len(), 2);
        assert!(failures(own(), "coer", &["cam-mandatory:coer"]).is_empty());
    }

    #[test]
    fn a_codec_of_ours_that_is_gone_fails_the_run_and_that_of_another_does_not() {
        // Nobody has a binary format of this message.
        let found = failures(with_rasn(), "tls", &["cam-mandatory:tls"]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.iter().all(|why| why.starts_with("roadwire-")), "{found:?}");
    }
}
