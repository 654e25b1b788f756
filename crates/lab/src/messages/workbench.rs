//! The cells of a run: the gate, then time and memory.

use std::ffi::OsString;

use roadwire_layout::Rules;

use crate::gate::{self, Checked, Confirmation, Refusal};
use crate::probe::Visit;
use crate::processes;
use crate::progress::Progress;
use crate::record::{Method, Ratio, Record, Run};
use roadwire_measure::cell::{Cell, Direction, Reported};
use roadwire_measure::paper::{self, Serialising};
use roadwire_measure::random::Random;
use roadwire_measure::timing::{self, Entry, Plan, Samples};
use roadwire_measure::{heap, stack, stats};
use roadwire_peers::PEER;
use roadwire_peers::content::Message;
use roadwire_peers::{Engine, Kind};

/// All cells that passed, and where their records are.
pub(super) struct Workbench {
    checked: Vec<(&'static Message, Rules, Checked)>,
    cells: Vec<Box<dyn Cell>>,
    /// Index in `checked` of each cell.
    of: Vec<usize>,
    /// Existing cells that did not pass, with the reason; and measurements whose calls did not do
    /// what they should.
    pub(super) gate_failures: Vec<String>,
}

impl Workbench {
    pub(super) fn set_up(
        engines: &[Box<dyn Engine>],
        messages: &[(&'static Message, Rules)],
        confirmation: Confirmation,
        progress: &dyn Progress,
    ) -> Self {
        let mut bench = Workbench { checked: Vec::new(), cells: Vec::new(), of: Vec::new(), gate_failures: Vec::new() };
        for (i, &(message, rules)) in messages.iter().enumerate() {
            progress.step("messages, gate", i, messages.len());
            for mut checked in gate::check(engines, message, rules, confirmation) {
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
                bench.checked.push((message, rules, checked));
            }
        }
        bench
    }

    /// roadwire's own codecs must have every cell of a study, confirmed by others except for those
    /// that the study lists: a missing or unconfirmed codec is a failure, not an empty cell.
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

    /// A record for each cell in both directions, including empty ones, in pairs in the order of
    /// `checked`.
    pub(super) fn records(&self, run: &Run, engines: &[Box<dyn Engine>]) -> Vec<Record> {
        let mut records = Vec::new();
        for (message, rules, checked) in &self.checked {
            let engine = &engines[checked.engine];
            for direction in Direction::ALL {
                let passed = checked.gate.as_ref().ok();
                let (kind, timed_region) = (engine.kind(), engine.timed_region());
                records.push(Record {
                    engine: engine.name().into(),
                    version: engine.version().into(),
                    message: message.id.into(),
                    schema: message.schema.name().into(),
                    absent: checked.gate.as_ref().err().map(ToString::to_string),
                    confirmed_by: passed.map(|p| p.confirmed_by.clone()).unwrap_or_default(),
                    octets: passed.map(|p| p.octets),
                    gzip: passed.map(|p| p.gzip),
                    ..Record::unmeasured(run.clone(), kind, timed_region, *rules, direction)
                });
            }
        }
        records
    }

    /// Times in batches; and by the papers' recipe only the papers' `contents` (message and rules),
    /// time- and space-optimised.
    pub(super) fn time(
        &mut self,
        records: &mut Vec<Record>,
        contents: &[(&str, Rules)],
        probe: &[OsString],
        random: &mut Random,
        progress: &dyn Progress,
    ) {
        let Some(run) = records.first().map(|record| record.run.clone()) else {
            return;
        };
        if run.method == Method::Batched {
            self.time_batched(&run, records, probe, random, progress);
        }
        self.time_paper(&run, contents, records, progress);
    }

    fn time_batched(
        &mut self,
        run: &Run,
        records: &mut Vec<Record>,
        probe: &[OsString],
        random: &mut Random,
        progress: &dyn Progress,
    ) {
        // How many processes, and how many rounds each has.
        let (processes, rounds) = if run.quick { (3, 40) } else { (5, 120) };
        let draws = if run.quick { 300 } else { 1000 };
        let (entries, pairs) = self.entries(records);
        let plan = Plan::new(rounds, run.machine.clock_cost);
        let list: Vec<Entry> = entries.iter().map(|(entry, _)| *entry).collect();
        let here = timing::measure(&mut self.cells, &list, plan, random, &mut |round| {
            progress.step("messages, time", round, rounds * processes);
        });
        // The samples of each entry by process, this one's first.
        let mut samples: Vec<Vec<Samples>> = here.into_iter().map(|samples| vec![samples]).collect();
        let visits: Vec<String> = entries.iter().map(|(_, record)| visit(&records[*record]).to_string()).collect();
        for process in 1..processes {
            progress.step("messages, time", rounds * process, rounds * processes);
            match processes::start(probe, &visits, plan, random.next()) {
                Ok(more) => samples.iter_mut().zip(more).for_each(|(all, one)| all.extend(one)),
                Err(why) => {
                    records.iter_mut().for_each(|record| record.missing.push(format!("several processes: {why}")));
                    break;
                }
            }
        }

        let ratio = |a: &[Samples], b: &[Samples], random: &mut Random| {
            let beside: Vec<Vec<f64>> = a.iter().zip(b).map(|(a, b)| b.beside(a)).collect();
            let both: Vec<(&[f64], &[f64])> = a.iter().zip(&beside).map(|(a, b)| (&*a.cpu, &**b)).collect();
            stats::ratio_of_processes(&both, draws, random)
        };
        let own = entries.len() - pairs.len();
        for (i, (_, record)) in entries.iter().enumerate() {
            let mut ratios = Vec::new();
            for ((_, other), of_other) in entries[..own].iter().zip(&samples) {
                let other = &records[*other];
                if is_compared_with(other) && other.is_of_same(&records[*record]) {
                    let ratio = ratio(&samples[i], of_other, random);
                    ratios.extend(ratio.map(|interval| Ratio { to: other.engine.clone(), interval }));
                }
            }
            let pair = pairs.iter().find(|(_, second)| *second == i);
            let to_itself = pair.and_then(|(first, _)| ratio(&samples[i], &samples[*first], random));
            let (record, samples) = (&mut records[*record], &samples[i]);
            record.clock_step = samples.iter().map(|one| one.clock_step).max_by(f64::total_cmp);
            if let Some(fault) = samples.iter().find_map(|one| one.fault.as_ref()) {
                self.gate_failures.push(failure(record, fault));
                record.missing.push(fault.clone());
                continue;
            }
            let pooled =
                |of: fn(&Samples) -> &[f64]| stats::summarise(&samples.iter().map(of).collect::<Vec<_>>().concat());
            record.cpu_ns = pooled(|one| &one.cpu);
            record.wall_ns = pooled(|one| &one.wall);
            record.processes = samples.iter().map(|one| stats::median(&mut one.cpu.clone())).collect();
            record.batch = samples.first().map(|one| one.batch);
            record.ratios = ratios;
            record.to_itself = to_itself;
        }
    }

    /// Each entry with its record, and the pairs of A/A entries. The second of a pair comes after
    /// all others, and has a record of its own.
    fn entries(&self, records: &mut Vec<Record>) -> (Vec<(Entry, usize)>, Pairs) {
        let mut entries: Vec<(Entry, usize)> = Vec::new();
        for (cell, of) in self.of.iter().enumerate() {
            for (d, direction) in Direction::ALL.into_iter().enumerate() {
                entries.push((Entry { cell, direction }, of * 2 + d));
            }
        }
        let mut pairs = Pairs::new();
        for i in 0..entries.len() {
            let (entry, record) = entries[i];
            let first = entries.iter().position(|(_, r)| records[*r].is_of_same(&records[record]));
            if first == Some(i) {
                pairs.push((i, entries.len()));
                let mut repeat = records[record].clone();
                repeat.repeat = true;
                entries.push((entry, records.len()));
                records.push(repeat);
            }
        }
        (entries, pairs)
    }

    fn time_paper(&mut self, run: &Run, contents: &[(&str, Rules)], records: &mut [Record], progress: &dyn Progress) {
        let instruction = Serialising::choose(run.machine.virtualised);
        let runs = if run.quick { 2_000 } else { paper::RUNS };
        let total = self.cells.len();
        for (i, (cell, of)) in self.cells.iter_mut().zip(&self.of).enumerate() {
            progress.step("messages, one call at a time", i, total);
            let Record { kind, message, rules, .. } = &records[of * 2];
            let is_theirs = contents.contains(&(message, *rules)) && matches!(kind, Kind::Toed | Kind::Soed);
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
            progress.step("messages, memory", i, total);
            let (message, rules, checked) = &self.checked[*of];
            let engine = engines[checked.engine].as_ref();
            for (d, direction) in Direction::ALL.into_iter().enumerate() {
                let record = &mut records[of * 2 + d];
                record.message_size = cell.message_size();
                if !cell.is_inside() {
                    let Reported { heap, stack } = cell.reported(direction);
                    record.missing.push(NOT_COUNTED.into());
                    record.missing.extend(heap.as_ref().err().map(|why| format!("heap: {why}")));
                    record.missing.extend(stack.as_ref().err().map(|why| format!("stack: {why}")));
                    (record.heap, record.stack) = (heap.ok(), stack.ok());
                    continue;
                }
                let probed = cell.probe(direction, &mut |work| {
                    work();
                    record.heap = heap::measure(work);
                });
                self.gate_failures.extend(probed.err().map(|why| failure(record, &why)));
                if record.heap.is_none() {
                    record.missing.push("heap: this program does not install the counting allocator".into());
                }
                let stack = stack::measure(|watch| {
                    let mut cell = engine.cell(message, *rules).map_err(|absent| absent.0)?;
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

/// Why a program of its own has no instructions.
pub(crate) const NOT_COUNTED: &str = "instructions of programs of their own are not counted";

/// The pairs of A/A entries: the first and the second of each.
type Pairs = Vec<(usize, usize)>;

/// The measured call of a record.
pub(crate) fn visit(record: &Record) -> Visit {
    Visit {
        engine: record.engine.clone(),
        message: record.message.clone(),
        rules: record.rules,
        direction: record.direction,
    }
}

/// Whether ratios are formed to the engine.
fn is_compared_with(record: &Record) -> bool {
    record.kind == Kind::ByHand || record.engine == PEER
}

/// A line about a record that failed.
fn failure(record: &Record, why: &str) -> String {
    format!("{}, {} in {}, {}: {why}", record.engine, record.message, record.rules, record.direction.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use roadwire_peers::rasn::Rasn;
    use roadwire_peers::roadwire::{Soed, Toed};

    fn failures(engines: Vec<Box<dyn Engine>>, rules: Rules, alone: &[&str]) -> Vec<String> {
        let message = Message::find("cam-mandatory").unwrap();
        let mut bench = Workbench::set_up(&engines, &[(message, rules)], Confirmation::Needed, &Silent);
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
        assert!(failures(with_rasn(), Rules::Coer, &[]).is_empty());
        // A listed cell may still be confirmed, by a peer that is not in every run.
        assert!(failures(with_rasn(), Rules::Coer, &["cam-mandatory:coer"]).is_empty());
    }

    #[test]
    fn a_codec_of_ours_that_nobody_is_compared_with_fails_the_run_unless_that_is_known() {
        assert_eq!(failures(own(), Rules::Cxer, &[]).len(), 2);
        assert_eq!(failures(own(), Rules::Cxer, &["cam-mandatory:xer", "cam-full:cxer"]).len(), 2);
        assert!(failures(own(), Rules::Cxer, &["cam-mandatory:cxer"]).is_empty());
    }

    #[test]
    fn a_codec_of_ours_that_is_gone_fails_the_run_and_that_of_another_does_not() {
        // There is no binary format of this message.
        let found = failures(with_rasn(), Rules::Tls, &["cam-mandatory:tls"]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.iter().all(|why| why.starts_with("roadwire-")), "{found:?}");
    }
}
