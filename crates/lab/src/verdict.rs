//! Reproduced, differs or not yet measured: one verdict for every published figure.
//!
//! - **Lengths** are properties of the encoding: reproduced only when exactly equal.
//! - **Memory** is a property of the implementation: reproduced when ours is within 10 % of theirs;
//!   otherwise it differs, with the factor.
//! - **The clock** is a property of the machine: its resolution is reproduced when this machine's is the
//!   same; its speed is not ours to measure on another processor.

use crate::measure::machine::Machine;
use crate::record::Record;
use crate::study::{Ours, Published};

/// How far memory may be off and still count as reproduced.
pub const MEMORY_TOLERANCE: f64 = 0.10;

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
    /// We have not measured it.
    NotYetMeasured {
        /// Why not.
        why: String,
    },
}

impl Verdict {
    /// `reproduced`, `differs` or `not yet measured`.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Reproduced { .. } => "reproduced",
            Verdict::Differs { .. } => "differs",
            Verdict::NotYetMeasured { .. } => "not yet measured",
        }
    }

    /// Our figure, if there is one.
    pub fn ours(&self) -> Option<f64> {
        match self {
            Verdict::Reproduced { ours, .. } | Verdict::Differs { ours, .. } => Some(*ours),
            Verdict::NotYetMeasured { .. } => None,
        }
    }

    /// The reason or remark.
    pub fn why(&self) -> &str {
        match self {
            Verdict::Reproduced { note: why, .. } | Verdict::Differs { why, .. } | Verdict::NotYetMeasured { why } => {
                why
            }
        }
    }
}

/// Judges one figure by the records of a run.
pub fn judge(figure: &Published, records: &[Record]) -> Verdict {
    let not_yet = |why: &str| Verdict::NotYetMeasured { why: why.into() };
    match &figure.ours {
        Ours::None if figure.note.is_empty() => not_yet("not yet measured here"),
        Ours::None => not_yet(&figure.note),
        Ours::Octets { message } => octets(figure, records, message),
        Ours::Memory { stack, message, direction, kind } => memory(figure, records, *stack, message, direction, kind),
        Ours::ClockSpeed => not_yet(&match records.first() {
            Some(record) => format!("needs this processor; here: {}", speed(&record.run.machine)),
            None => "needs this processor".into(),
        }),
        Ours::ClockResolution => match records.first() {
            None => not_yet("nothing was measured"),
            Some(record) => resolution(figure, &record.run.machine),
        },
    }
}

fn speed(machine: &Machine) -> String {
    format!("{} at {:.0} MHz", machine.cpu, machine.mhz)
}

fn resolution(figure: &Published, machine: &Machine) -> Verdict {
    let ours = machine.clock_resolution as f64;
    let text = format!(
        "clock_getres on another processor ({}); one reading costs {:.0} ns here, so the \
         resolution is not the accuracy",
        machine.cpu, machine.clock_cost
    );
    if ours == figure.value { Verdict::Reproduced { ours, note: text } } else { Verdict::Differs { ours, why: text } }
}

fn octets(figure: &Published, records: &[Record], message: &str) -> Verdict {
    let mut lengths: Vec<usize> =
        records.iter().filter(|r| r.message == message && r.absent.is_none()).filter_map(|r| r.octets).collect();
    lengths.dedup();
    let [length] = lengths.as_slice() else {
        return Verdict::NotYetMeasured {
            why: match lengths.len() {
                0 => format!("no engine passed the gate for {message}"),
                _ => format!("the engines disagree: {lengths:?}"),
            },
        };
    };
    let ours = *length as f64;
    if ours == figure.value {
        Verdict::Reproduced { ours, note: figure.note.clone() }
    } else {
        Verdict::Differs { ours, why: figure.note.clone() }
    }
}

fn memory(figure: &Published, records: &[Record], stack: bool, message: &str, direction: &str, kind: &str) -> Verdict {
    let not_yet = |why: String| Verdict::NotYetMeasured { why };
    let Some(record) = records.iter().find(|r| {
        r.message == message
            && r.direction.name() == direction
            && !r.repeat
            && serde_json::to_value(r.kind).is_ok_and(|k| k == kind)
    }) else {
        return not_yet(format!("there is no {kind} engine in this run"));
    };
    if let Some(why) = &record.absent {
        return not_yet(format!("{}: {why}", record.engine));
    }
    let ours = if stack { record.stack.map(|octets| octets as f64) } else { record.heap.map(|heap| heap.peak as f64) };
    let Some(ours) = ours else {
        return not_yet(record.missing.join("; "));
    };
    if (ours - figure.value).abs() <= MEMORY_TOLERANCE * figure.value {
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
