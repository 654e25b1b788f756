//! Other processors, as the papers have several: instructions, stack, heap and size of code of the
//! same codecs, by `processors/run` of the repository.
//!
//! They are emulated, so there are no times. Their records join those of other machines.

use std::borrow::Cow;
use std::path::Path;
use std::process::Command;

use roadwire_measure::heap::Heap;
use roadwire_measure::machine::Machine;
use roadwire_measure::stack;
use roadwire_peers::{Kind, TimedRegion};

use crate::progress::Progress;
use crate::record::{Record, Run};

/// The file with their records in a report's folder.
pub(crate) const FILE: &str = "processors.jsonl";

/// A processor that is emulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Processor {
    /// Its name as an argument of `processors/run`.
    pub(crate) name: &'static str,
    /// Its name in records.
    pub(crate) cpu: &'static str,
}

/// All of them, the papers' first.
pub(crate) const PROCESSORS: [Processor; 4] = [
    Processor { name: "geode", cpu: "AMD Geode class (i586, tuned for geode), emulated" },
    Processor { name: "bonnell", cpu: "Intel Atom class (i686, tuned for bonnell), emulated" },
    Processor { name: "armv7", cpu: "ARMv7-A (hard float), emulated" },
    Processor { name: "x86-64", cpu: "x86-64 (baseline), emulated" },
];

/// Counts of a cell that belongs to an experiment of its own, not to messages under encoding rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The processor's name.
    pub processor: String,
    /// The codec's name.
    pub engine: String,
    /// The message's name.
    pub message: String,
    /// The encoding rules.
    pub rules: String,
    /// Encoding or decoding.
    pub direction: String,
    /// The message's length.
    pub octets: u64,
    /// The instructions of one operation.
    pub instructions: u64,
}

/// Measurements on emulated processors.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Emulated {
    /// Their records.
    pub records: Vec<Record>,
    /// Cells of other experiments.
    pub cells: Vec<Cell>,
    /// Processors that were not measured: which, why, and what installs what is missing.
    pub absent: Vec<String>,
    /// Failures of those that were.
    pub failures: Vec<String>,
}

/// Measures on all processors the cells that a run has, and those of other experiments: `folder` is
/// `processors` of the repository. What cannot be measured is absent with its reason.
pub(crate) fn run(folder: &Path, here: &Run, records: &[Record], progress: &dyn Progress) -> Emulated {
    progress.step("other processors", 0, 1);
    let program = folder.join("run");
    let output = match Command::new(&program).output() {
        Ok(output) => output,
        Err(error) => {
            let why = format!("Other processors are left out: {} does not start: {error}.", program.display());
            return Emulated { absent: vec![why], ..Emulated::default() };
        }
    };
    let mut emulated = match read(&String::from_utf8_lossy(&output.stdout), here, records) {
        Ok(emulated) => emulated,
        Err(why) => Emulated { failures: vec![why], ..Emulated::default() },
    };
    let told = String::from_utf8_lossy(&output.stderr);
    let last = told.lines().last().unwrap_or("no reason was printed");
    match output.status.code() {
        // 4: all are absent, each with its reason.
        Some(0 | 4) => {}
        Some(3) => emulated.absent.push(format!("Other processors are left out: {last}.")),
        _ => emulated.failures.push(format!("processors/run ({}): {last}", output.status)),
    }
    progress.step("other processors", 1, 1);
    emulated
}

/// Reads what `processors/run` prints: the cells that `records` have, which say all that does not
/// depend on the processor, and the others.
///
/// # Errors
/// A line that has another form, a count that does not repeat, or other octets than in `records`.
fn read(text: &str, here: &Run, records: &[Record]) -> Result<Emulated, String> {
    let mut emulated = Emulated::default();
    let (mut run, mut processor, mut frame) = (here.clone(), "", 0);
    // Codecs in C and C++, with their versions: this run may have them not at all.
    let mut peers: Vec<(&str, &str)> = Vec::new();
    for line in text.lines() {
        let wrong = |why: &str| format!("processors/run: {why}: {line}");
        let number = |word: &str| word.parse::<u64>().map_err(|_| wrong("expected a number"));
        let of = |name: &str| PROCESSORS.iter().find(|one| one.name == name).ok_or_else(|| wrong("unknown processor"));
        let words: Vec<&str> = line.split(' ').collect();
        let rest = line.splitn(3, ' ').nth(2).unwrap_or_default();
        match &words[..] {
            ["seconds", ..] => {}
            ["absent", name, ..] => emulated.absent.push(format!("{}: {rest}.", of(name)?.cpu)),
            ["processor", name, ..] => {
                processor = of(name)?.name;
                run.machine = machine(of(name)?, rest);
            }
            ["engine", engine, version] => peers.push((engine, version)),
            ["without", ..] => {
                let known = PROCESSORS.iter().find(|one| one.name == processor).ok_or_else(|| wrong("no processor"))?;
                emulated.absent.push(format!("{}: {}: {rest}.", known.cpu, words.get(1).unwrap_or(&"")));
            }
            ["frame", count, again] => {
                frame = repeated([count, again], 0).ok_or_else(|| wrong("expected the same count twice"))?;
            }
            ["code", engine, message, rules, direction, octets] => {
                let code = Some(number(octets)? as usize);
                let same = template(records, &peers, [engine, message, rules, direction]);
                emulated.records.extend(same.map(|same| Record { code, ..like(&same, &run) }));
            }
            ["cell", engine, message, rules, direction, octets, stack, heap, allocations, count, again] => {
                let cell = [*engine, message, rules, direction];
                let (octets, allocations) = (number(octets)?, number(allocations)?);
                let count = repeated([count, again], allocations);
                let count = count.ok_or_else(|| wrong("expected the same count twice"))?.saturating_sub(frame);
                let Some(same) = template(records, &peers, cell) else {
                    let [engine, message, rules, direction] = cell.map(String::from);
                    let processor = processor.to_string();
                    let cell = Cell { processor, engine, message, rules, direction, octets, instructions: count };
                    emulated.cells.push(cell);
                    continue;
                };
                if same.octets.map(|octets| octets as u64) != Some(octets) {
                    return Err(wrong("expected as many octets as this run's codec has"));
                }
                let (peak, allocated) = (number(heap)? as i64, allocations as i64);
                let is_it = |record: &Record| record.run.machine == run.machine && is_of(record, cell);
                // The record with its code, if that was measured.
                let at = emulated.records.iter().position(is_it).unwrap_or_else(|| {
                    emulated.records.push(like(&same, &run));
                    emulated.records.len() - 1
                });
                let record = &mut emulated.records[at];
                record.instructions = Some(count);
                record.heap = Some(Heap { peak, count: allocated, ..Heap::default() });
                match *stack {
                    "-" => record.missing.push(format!("stack: deeper than {} octets", stack::PAINTED)),
                    octets => record.stack = Some(number(octets)? as usize),
                }
            }
            _ => return Err(wrong("expected processor, code, frame or cell")),
        }
    }
    Ok(emulated)
}

/// A count that a line has twice. An operation that asks for memory may find the C library's
/// allocator in another state the second time: then it is the mean of two counts that differ by
/// [`REQUEST`] for each request at most.
fn repeated(counts: [&str; 2], allocations: u64) -> Option<u64> {
    let [Ok(count), Ok(again)] = counts.map(str::parse::<u64>) else { return None };
    (count.abs_diff(again) <= REQUEST * allocations).then_some((count + again) / 2)
}

/// Instructions by which two counts may differ for each request of memory: the most that was found
/// is 112.
const REQUEST: u64 = 200;

/// The record of a cell: engine, message, rules, direction.
fn find<'r>(records: &'r [Record], cell: [&str; 4]) -> Option<&'r Record> {
    records.iter().find(|record| is_of(record, cell))
}

/// The record of a cell; of a codec in C or C++ that this run does not have, what its records have
/// of the message.
fn template<'r>(records: &'r [Record], peers: &[(&str, &str)], cell: [&str; 4]) -> Option<Cow<'r, Record>> {
    if let Some(same) = find(records, cell) {
        return Some(Cow::Borrowed(same));
    }
    let [engine, message, rules, direction] = cell;
    let (engine, version) = peers.iter().find(|(name, _)| *name == engine)?;
    let is_message = |one: &&Record| is_of(one, [&one.engine, message, rules, direction]);
    let same = records.iter().find(is_message)?;
    let untimed = || "not timed: all of it is among the instructions".to_string();
    let timed_region = TimedRegion {
        allocation: untimed(),
        presizing: untimed(),
        population: "outside".into(),
        validation: untimed(),
    };
    let kind = if engine.starts_with("roadwire-") { Kind::Beside } else { Kind::Peer };
    let (engine, version, confirmed_by) = (engine.to_string(), version.to_string(), Vec::new());
    Some(Cow::Owned(Record { engine, version, kind, timed_region, confirmed_by, ..same.clone() }))
}

fn is_of(record: &Record, [engine, message, rules, direction]: [&str; 4]) -> bool {
    let names = [record.engine.as_str(), record.message.as_str(), record.rules.name(), record.direction.name()];
    names == [engine, message, rules, direction] && !record.repeat && record.absent.is_none()
}

/// A record of the same cell in another run, of which nothing has been measured but the octets.
fn like(same: &Record, run: &Run) -> Record {
    Record {
        engine: same.engine.clone(),
        version: same.version.clone(),
        message: same.message.clone(),
        schema: same.schema.clone(),
        confirmed_by: same.confirmed_by.clone(),
        octets: same.octets,
        ..Record::unmeasured(run.clone(), same.kind, same.timed_region.clone(), same.rules, same.direction)
    }
}

/// Facts of an emulated processor: it has no clock.
fn machine(processor: &Processor, flags: &str) -> Machine {
    Machine {
        cpu: processor.cpu.into(),
        mhz: 0.0,
        cores: 1,
        kernel: "linux, emulated by qemu".into(),
        virtualised: true,
        clock: "none".into(),
        clock_resolution: 0,
        clock_cost: 0.0,
        rustc: flags.split(',').next().unwrap_or_default().into(),
        flags: flags.split_once(", ").map_or("", |(_, flags)| flags).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample::record;
    use roadwire_measure::cell::Direction;

    const HEAD: &str = "absent bonnell qemu-i386 is not installed: apt-get install qemu-user\nseconds build 9\n\
                        processor armv7 rustc 1.95.0, opt-level 3, target armv7-unknown-linux-gnueabihf\n\
                        code an cam-mandatory uper decode 1234\nframe 12 12\n";

    fn records() -> [Record; 1] {
        [Record { engine: "an".into(), ..record(Kind::Toed, 41) }]
    }

    #[test]
    fn cells_of_another_processor_become_records_of_its_machine() {
        let text = format!("{HEAD}cell an cam-mandatory uper decode 41 200 16 2 312 312\nseconds run 1\n");
        let emulated = read(&text, &Run::sample(), &records()).unwrap();
        assert_eq!(
            emulated.absent,
            [
                "Intel Atom class (i686, tuned for bonnell), emulated: qemu-i386 is not installed: apt-get install qemu-user."
            ]
        );
        let [one] = &emulated.records[..] else { panic!("{emulated:?}") };
        // The instructions of an empty codec do not count for this one.
        assert_eq!((one.instructions, one.stack, one.code), (Some(300), Some(200), Some(1234)));
        assert_eq!(one.heap.map(|heap| (heap.peak, heap.count)), Some((16, 2)));
        assert_eq!(one.run.machine.cpu, "ARMv7-A (hard float), emulated");
        assert_eq!(
            (one.run.machine.rustc.as_str(), one.octets, one.cpu_ns.is_none()),
            ("rustc 1.95.0", Some(41), true)
        );
    }

    #[test]
    fn cells_that_the_records_do_not_have_are_kept_for_other_experiments() {
        let encode = "code an cam-mandatory uper encode 7\ncell an cam-mandatory uper encode 41 200 16 2 312 312\n";
        let emulated = read(&format!("{HEAD}{encode}"), &Run::sample(), &records()).unwrap();
        let [one] = &emulated.records[..] else { panic!("{emulated:?}") };
        assert_eq!((one.direction, one.code, one.instructions), (Direction::Decode, Some(1234), None));
        let [cell] = &emulated.cells[..] else { panic!("{emulated:?}") };
        assert_eq!((cell.processor.as_str(), cell.direction.as_str(), cell.octets), ("armv7", "encode", 41));
        // The instructions of an empty codec do not count for this one either.
        assert_eq!(cell.instructions, 300);
    }

    /// Also in a run without `--peers`.
    #[test]
    fn codecs_in_c_are_records_where_the_run_has_the_message() {
        let more = "engine asn1c 0.9.28\ncode asn1c cam-mandatory uper decode 99\nframe 4 4\n\
                    cell asn1c cam-mandatory uper decode 41 200 16 2 104 104\ncell asn1c cam-mandatory der decode 50 2 1 2 9 9\n\
                    without asn1c denm-mandatory uper: other octets than the message's come out\n";
        let emulated = read(&format!("{HEAD}{more}"), &Run::sample(), &records()).unwrap();
        let one = emulated.records.iter().find(|one| one.engine == "asn1c").unwrap();
        assert_eq!((one.kind, one.version.as_str(), one.code), (Kind::Peer, "0.9.28", Some(99)));
        assert_eq!((one.instructions, one.octets, one.confirmed_by.len()), (Some(100), Some(41), 0));
        let absent = emulated.absent.last().unwrap();
        assert!(absent.starts_with("ARMv7-A") && absent.contains("asn1c: denm-mandatory uper: other"), "{absent}");
        // Generated C is ours.
        let ours = read(&format!("{HEAD}{}", more.replace("asn1c", "roadwire-c")), &Run::sample(), &records()).unwrap();
        assert!(ours.records.iter().any(|one| one.engine == "roadwire-c" && one.kind == Kind::Beside));
        // DER is not in this run, and an unknown engine is not taken for one in C.
        assert_eq!(emulated.records.iter().filter(|one| one.engine == "asn1c").count(), 1);
        let other = more.replace("engine asn1c 0.9.28\n", "");
        let emulated = read(&format!("{HEAD}{other}"), &Run::sample(), &records()).unwrap();
        assert!(emulated.records.iter().all(|one| one.engine != "asn1c"));
    }

    #[test]
    fn a_count_that_does_not_repeat_and_other_octets_are_refused() {
        for (cell, why) in [
            ("41 200 0 0 312 313", "expected the same count twice"),
            ("41 200 16 2 312 713", "expected the same count twice"),
            ("42 200 16 2 312 312", "expected as many octets as"),
            ("41 deep 16 2 312 312", "expected a number"),
        ] {
            let text = format!("{HEAD}cell an cam-mandatory uper decode {cell}\n");
            let error = read(&text, &Run::sample(), &records()).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }

    /// The allocator may take another way the second time.
    #[test]
    fn counts_of_an_operation_that_asks_for_memory_may_differ_a_little() {
        let text = format!("{HEAD}cell an cam-mandatory uper decode 41 200 16 2 312 330\n");
        let emulated = read(&text, &Run::sample(), &records()).unwrap();
        // The mean, less the frame.
        assert_eq!(emulated.records[0].instructions, Some(321 - 12));
    }

    #[test]
    fn a_stack_that_is_too_deep_is_missing_with_its_reason() {
        let text = format!("{HEAD}cell an cam-mandatory uper decode 41 - 16 2 312 312\n");
        let emulated = read(&text, &Run::sample(), &records()).unwrap();
        let one = &emulated.records[0];
        assert_eq!((one.stack, one.missing.len()), (None, 1));
    }

    #[test]
    fn a_folder_without_the_program_is_absent_with_a_reason() {
        let emulated = run(Path::new("/nowhere"), &Run::sample(), &records(), &crate::progress::Silent);
        assert!(emulated.absent[0].contains("does not start"), "{emulated:?}");
    }
}
