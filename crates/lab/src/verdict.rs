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
            Ok(levels) => same(figure, levels.get(level.wrapping_sub(1)).map_or(0.0, |sets| *sets as f64)),
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

#[cfg(test)]
mod tests {
    use super::*;

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
