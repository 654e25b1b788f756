//! Reproduced, differs, of another machine, or not yet measured: one verdict for every published figure.
//!
//! - **Lengths** are properties of the encoding: reproduced only when exactly equal.
//! - **Memory** is a property of the implementation: reproduced when ours is within 10 % of theirs;
//!   otherwise it differs, with the factor.
//! - **The clock** is a property of the machine: only on the same processor can it be reproduced. On any
//!   other, ours stands beside theirs and says nothing about it, even if the numbers are the same.

use crate::certificates::Certificates;
use crate::content::Message;
use crate::ieee1609::Ieee1609;
use crate::measure::machine::Machine;
use crate::nesting;
use crate::rates::{self, average_envelope};
use crate::record::Record;
use crate::study::{Ours, Published};

/// How far memory, or the clock speed of the same processor, may be off and still count as reproduced.
pub const TOLERANCE: f64 = 0.10;

/// What we say about a published figure.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// We measure the same.
    Reproduced {
        /// Our figure.
        ours: f64,
        /// What must be added.
        note: String,
    },
    /// We measure something else.
    Differs {
        /// Our figure.
        ours: f64,
        /// Why.
        why: String,
    },
    /// A property of a machine, measured on another one: neither confirms nor contradicts.
    AnotherMachine {
        /// Our machine's figure.
        ours: f64,
        /// Which machine that is.
        why: String,
    },
    /// We have not measured it.
    NotYetMeasured {
        /// Why not.
        why: String,
    },
}

impl Verdict {
    /// `reproduced`, `differs`, `another machine` or `not yet measured`.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Reproduced { .. } => "reproduced",
            Verdict::Differs { .. } => "differs",
            Verdict::AnotherMachine { .. } => "another machine",
            Verdict::NotYetMeasured { .. } => "not yet measured",
        }
    }

    /// Our figure, if there is one.
    pub fn ours(&self) -> Option<f64> {
        match self {
            Verdict::Reproduced { ours, .. } | Verdict::Differs { ours, .. } | Verdict::AnotherMachine { ours, .. } => {
                Some(*ours)
            }
            Verdict::NotYetMeasured { .. } => None,
        }
    }

    /// The reason or remark.
    pub fn why(&self) -> &str {
        match self {
            Verdict::Reproduced { note: why, .. }
            | Verdict::Differs { why, .. }
            | Verdict::AnotherMachine { why, .. }
            | Verdict::NotYetMeasured { why } => why,
        }
    }
}

/// What a run measured.
#[derive(Clone, Copy, Default)]
pub struct Measured<'a> {
    /// Messages under encoding rules.
    pub records: &'a [Record],
    /// The certificate study, if it was run.
    pub certificates: Option<&'a Certificates>,
    /// The study of IEEE 1609.2, if it was run.
    pub secured_data: Option<&'a Ieee1609>,
}

/// Judges one figure by what a run measured.
pub fn judge(figure: &Published, measured: Measured<'_>) -> Verdict {
    let Measured { records, certificates, secured_data } = measured;
    let not_yet = |why: &str| Verdict::NotYetMeasured { why: why.into() };
    match &figure.ours {
        Ours::None if figure.note.is_empty() => not_yet("not yet measured here"),
        Ours::None => not_yet(&figure.note),
        Ours::Octets { message, rules } => {
            octets(figure, &records.iter().filter(|r| r.message == *message && r.rules == *rules).collect::<Vec<_>>())
        }
        Ours::Nesting { message, rules, level } => match nesting(message, rules) {
            Ok(levels) => match level.checked_sub(1).and_then(|at| levels.get(at)) {
                Some(sets) => same(figure, *sets as f64),
                // Nothing was counted there, not even nothing.
                None => Verdict::NotYetMeasured { why: format!("the message has {} levels", levels.len()) },
            },
            Err(why) => Verdict::NotYetMeasured { why },
        },
        Ours::Average { digest, certificate, rules } => {
            let of = |message: &str| -> Vec<&Record> {
                records.iter().filter(|r| r.message == message && r.rules == *rules).collect()
            };
            average(figure, &of(digest), &of(certificate))
        }
        Ours::Memory { stack, message, direction, kind, rules } => {
            let of = |r: &&Record| r.message == *message && r.rules == *rules && r.direction.name() == direction;
            memory(figure, &records.iter().filter(of).collect::<Vec<_>>(), *stack, kind)
        }
        Ours::Certificate(ours) => match certificates {
            None => not_yet("no certificates were exchanged"),
            Some(certificates) => ours.judge(figure, certificates),
        },
        Ours::SecuredData(ours) => match secured_data {
            None => not_yet("the messages of IEEE 1609.2 were not measured"),
            Some(study) => ours.judge(figure, study),
        },
        Ours::ClockSpeed | Ours::ClockResolution => match records.first() {
            None => not_yet("nothing was measured"),
            Some(record) => clock(figure, &record.run.machine),
        },
    }
}

fn clock(figure: &Published, machine: &Machine) -> Verdict {
    let speed = figure.ours == Ours::ClockSpeed;
    let ours = if speed { machine.mhz } else { machine.clock_resolution as f64 };
    if ours == 0.0 {
        return Verdict::NotYetMeasured { why: format!("the system does not tell it of {}", machine.cpu) };
    }
    let mut why = format!("on {}", machine.cpu);
    if !speed {
        why += &format!("; one reading costs {:.0} ns, so the resolution is not the accuracy", machine.clock_cost);
    }
    if !same_processor(&figure.column, &machine.cpu) {
        return Verdict::AnotherMachine { ours, why };
    }
    let tolerance = if speed { TOLERANCE * figure.value } else { 0.0 };
    if (ours - figure.value).abs() <= tolerance {
        Verdict::Reproduced { ours, note: why }
    } else {
        Verdict::Differs { ours, why }
    }
}

/// Whether what the machine says of its processor has every word of the paper's name for theirs.
fn same_processor(theirs: &str, ours: &str) -> bool {
    let ours = ours.replace("(R)", "").replace("(TM)", "");
    let words: Vec<&str> = ours.split_whitespace().collect();
    theirs.split_whitespace().all(|word| words.contains(&word))
}

/// The length of one message under one set of rules.
fn octets(figure: &Published, records: &[&Record]) -> Verdict {
    match length(records) {
        Ok(octets) => same(figure, octets as f64),
        Err(why) => Verdict::NotYetMeasured { why },
    }
}

/// The average length of the envelope of CAMs at the studies' rates: ten messages a second, one of them with the certificate.
fn average(figure: &Published, digest: &[&Record], certificate: &[&Record]) -> Verdict {
    match length(digest).and_then(|digest| Ok((digest, length(certificate)?))) {
        Ok((digest, certificate)) => {
            same(figure, average_envelope(digest as f64, certificate as f64, rates::PUBLISHED))
        }
        Err(why) => Verdict::NotYetMeasured { why },
    }
}

fn nesting(message: &str, rules: &str) -> Result<Vec<usize>, String> {
    let message = Message::find(message).and_then(|message| message.under(rules)).ok_or("there is no such message")?;
    nesting::levels(&message)
}

/// The length that all engines have.
pub(crate) fn length(records: &[&Record]) -> Result<usize, String> {
    let mut lengths: Vec<usize> = records.iter().filter(|r| r.absent.is_none()).filter_map(|r| r.octets).collect();
    lengths.dedup();
    match lengths.as_slice() {
        [length] => Ok(*length),
        [] => Err("no engine passed the gate for this message".into()),
        _ => Err(format!("the engines disagree: {lengths:?}")),
    }
}

/// What is the encoding's own is the same or is not, as the paper prints it.
fn same(figure: &Published, ours: f64) -> Verdict {
    if (ours - figure.value).abs() < 1e-9 {
        Verdict::Reproduced { ours, note: figure.note.clone() }
    } else {
        Verdict::Differs { ours, why: figure.note.clone() }
    }
}

/// What one operation takes.
fn memory(figure: &Published, records: &[&Record], stack: bool, kind: &str) -> Verdict {
    let not_yet = |why: String| Verdict::NotYetMeasured { why };
    let of_kind = |r: &&&Record| !r.repeat && serde_json::to_value(r.kind).is_ok_and(|k| k == kind);
    let Some(record) = records.iter().find(of_kind) else {
        return not_yet(format!("there is no {kind} engine in this run"));
    };
    if let Some(why) = &record.absent {
        return not_yet(format!("{}: {why}", record.engine));
    }
    let ours = if stack { record.stack.map(|octets| octets as f64) } else { record.heap.map(|heap| heap.peak as f64) };
    let Some(ours) = ours else {
        return not_yet(record.missing.join("; "));
    };
    if (ours - figure.value).abs() <= TOLERANCE * figure.value {
        return Verdict::Reproduced { ours, note: format!("{}, within 10 %", record.engine) };
    }
    let factor = if ours == 0.0 {
        "none at all".to_string()
    } else if ours < figure.value {
        format!("{:.1} times less", figure.value / ours)
    } else {
        format!("{:.1} times more", ours / figure.value)
    };
    Verdict::Differs {
        ours,
        why: format!("{}: {factor}; memory is the implementation's, not the encoding's", record.engine),
    }
}

/// A made-up record, for tests of what is said of records.
#[cfg(test)]
pub(crate) mod sample {
    use super::*;
    use crate::engine::{Direction, Kind, TimedRegion};
    use crate::record::Run;

    /// A record of a CAM in UPER, with nothing but its length.
    pub(crate) fn record(kind: Kind, octets: usize) -> Record {
        let none = String::new;
        Record {
            run: Run::sample(),
            engine: "an engine".into(),
            version: none(),
            kind,
            timed_region: TimedRegion { allocation: none(), presizing: none(), population: none(), validation: none() },
            message: "cam-mandatory".into(),
            schema: none(),
            rules: "uper".into(),
            direction: Direction::Decode,
            repeat: false,
            absent: None,
            confirmed_by: Vec::new(),
            octets: Some(octets),
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
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sample::record;
    use super::*;
    use crate::engine::Kind;
    use crate::measure::heap::Heap;

    fn machine(cpu: &str) -> Machine {
        Machine { cpu: cpu.into(), mhz: 2793.7, clock_resolution: 1, ..Machine::here() }
    }

    fn figure(ours: Ours, value: f64) -> Published {
        Published {
            table: "II".into(),
            row: "clock".into(),
            column: "Intel Core i7-2640M".into(),
            unit: String::new(),
            value,
            place: String::new(),
            ours,
            note: String::new(),
        }
    }

    fn of_nesting(message: &str, level: usize, value: f64) -> Verdict {
        let (message, rules) = (message.into(), "uper".into());
        judge(&figure(Ours::Nesting { message, rules, level }, value), Measured::default())
    }

    #[test]
    fn a_level_of_nesting_that_is_not_there_reproduces_nothing() {
        assert_eq!(of_nesting("cam-mandatory", 1, 2.0).name(), "reproduced");
        assert_eq!(of_nesting("cam-mandatory", 1, 3.0).name(), "differs");
        assert_eq!(of_nesting("cam-mandatory", 6, 5.0).name(), "reproduced");
        for (message, level) in [("cam-mandatory", 7), ("cam-mandatory", 0), ("no such message", 1)] {
            for value in [0.0, 1.0] {
                assert_eq!(of_nesting(message, level, value).name(), "not yet measured", "{message} {level} {value}");
            }
        }
    }

    fn of_memory(ours: i64, value: f64, stack: bool) -> Verdict {
        let mut record = record(Kind::Soed, 41);
        // The other figures are far off.
        record.heap = Some(Heap { peak: if stack { 1 } else { ours }, requested: 1, retained: 1, count: 1 });
        record.stack = Some(if stack { ours as usize } else { 1 });
        let (message, direction, kind, rules) = ("cam-mandatory".into(), "decode".into(), "soed".into(), "uper".into());
        let figure = figure(Ours::Memory { stack, message, direction, kind, rules }, value);
        judge(&figure, Measured { records: &[record], ..Measured::default() })
    }

    #[test]
    fn memory_is_reproduced_within_a_tenth_and_no_more() {
        for stack in [false, true] {
            for (ours, name) in [
                (899, "differs"),
                (900, "reproduced"),
                (1000, "reproduced"),
                (1100, "reproduced"),
                (1101, "differs"),
                (1400, "differs"),
            ] {
                assert_eq!(of_memory(ours, 1000.0, stack).name(), name, "{ours}, stack: {stack}");
            }
        }
        assert!(of_memory(500, 1000.0, false).why().contains("2.0 times less"));
        assert!(of_memory(2500, 1000.0, false).why().contains("2.5 times more"));
        assert!(of_memory(0, 1000.0, false).why().contains("none at all"));
    }

    #[test]
    fn lengths_are_reproduced_when_equal_and_where_all_engines_agree() {
        let octets = |records: &[Record], value| {
            let ours = Ours::Octets { message: "cam-mandatory".into(), rules: "uper".into() };
            judge(&figure(ours, value), Measured { records, ..Measured::default() })
        };
        let both = [record(Kind::Toed, 41), record(Kind::Soed, 41)];
        assert_eq!(octets(&both, 41.0).name(), "reproduced");
        assert_eq!(octets(&both, 40.0).name(), "differs");
        assert_eq!(octets(&both, 42.0).name(), "differs");
        assert_eq!(octets(&[], 41.0).name(), "not yet measured");
        let other = [record(Kind::Toed, 41), record(Kind::Soed, 42)];
        assert!(octets(&other, 41.0).why().contains("the engines disagree"));
        // One that did not pass the gate has no say.
        let mut absent = other;
        absent[1].absent = Some("refused".into());
        assert_eq!(octets(&absent, 41.0).name(), "reproduced");
    }

    #[test]
    fn a_clock_speed_is_reproduced_within_a_tenth() {
        let theirs = machine("Intel(R) Core(TM) i7-2640M CPU @ 2.80GHz");
        let verdict = |value| clock(&figure(Ours::ClockSpeed, value), &theirs).name();
        // Ours is 2793.7 MHz.
        assert_eq!((verdict(2550.0), verdict(2530.0)), ("reproduced", "differs"));
        assert_eq!((verdict(3100.0), verdict(3110.0)), ("reproduced", "differs"));
    }

    #[test]
    fn a_clock_is_reproduced_by_the_same_processor_only() {
        let theirs = machine("Intel(R) Core(TM) i7-2640M CPU @ 2.80GHz");
        let other = machine("Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz");
        let verdict = |ours: Ours, value, machine: &Machine| clock(&figure(ours, value), machine).name();
        assert_eq!(verdict(Ours::ClockResolution, 1.0, &theirs), "reproduced");
        assert_eq!(verdict(Ours::ClockResolution, 2.0, &theirs), "differs");
        assert_eq!(verdict(Ours::ClockResolution, 1.0, &other), "another machine");
        assert_eq!(verdict(Ours::ClockSpeed, 2800.0, &theirs), "reproduced");
        assert_eq!(verdict(Ours::ClockSpeed, 500.0, &theirs), "differs");
        assert_eq!(verdict(Ours::ClockSpeed, 2800.0, &other), "another machine");
    }
}
