//! The cells of a run: through the gate, then time and memory.

use super::Progress;
use crate::content::Message;
use crate::engine::{Cell, Direction, Engine};
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
    /// Cells that an engine has and that did not pass, with the reason.
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

    pub(super) fn time(&mut self, records: &mut Vec<Record>, random: &mut Random, progress: &dyn Progress) {
        let Some(run) = records.first().map(|record| record.run.clone()) else {
            return;
        };
        match run.method {
            Method::Batched => self.time_batched(&run, records, random, progress),
            Method::Paper => self.time_paper(&run, records, progress),
        }
    }

    fn time_batched(&mut self, run: &Run, records: &mut Vec<Record>, random: &mut Random, progress: &dyn Progress) {
        let rounds = if run.quick { 200 } else { 2_000 };
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
            let mut to = |engine: &str| stats::ratio(&samples[i].cpu, &reference(engine)?.cpu, draws, random);
            let (to_floor, to_rasn) = (to("floor"), to("rasn"));
            let pair = pairs.iter().find(|(_, second)| *second == i);
            let to_itself =
                pair.and_then(|(first, _)| stats::ratio(&samples[i].cpu, &samples[*first].cpu, draws, random));
            let record = &mut records[*record];
            record.cpu_ns = stats::summarise(&samples[i].cpu);
            record.wall_ns = stats::summarise(&samples[i].wall);
            record.batch = Some(samples[i].batch);
            record.to_floor = to_floor;
            record.to_rasn = to_rasn;
            record.to_itself = to_itself;
        }
    }

    fn time_paper(&mut self, run: &Run, records: &mut [Record], progress: &dyn Progress) {
        let instruction = Serialising::choose(run.machine.virtualised);
        let runs = if run.quick { 2_000 } else { paper::RUNS };
        let total = self.cells.len();
        for (i, (cell, of)) in self.cells.iter_mut().zip(&self.of).enumerate() {
            progress.step("time", i, total);
            if !cell.is_inside() {
                continue;
            }
            for (d, direction) in Direction::ALL.into_iter().enumerate() {
                let paper = paper::measure(cell.as_mut(), direction, runs, instruction);
                records[of * 2 + d].paper = Some(paper);
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
                cell.probe(direction, &mut |work| {
                    work();
                    record.heap = heap::measure(work);
                });
                if record.heap.is_none() {
                    record.missing.push("heap: this program does not install the counting allocator".into());
                }
                let stack = stack::measure(|watch| {
                    let mut cell = engine.cell(message, rules).map_err(|absent| absent.0)?;
                    cell.probe(direction, watch);
                    Ok(())
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
