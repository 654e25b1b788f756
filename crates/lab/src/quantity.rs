//! Quantities that a paper prints and a run measures: one name for both, so that they can be
//! compared.
//!
//! A name has its parts separated by colons, after the rules if these are not the usual ones:
//! `tls/octets:envelope-denm-2015`.

use roadwire_layout::{PresenceTold, Properties, Rules};

use crate::experiment::{Experiment, FigureOf};
use crate::measured::Measured;
use crate::nesting;
use crate::owner::Owner;
use crate::properties;
use crate::rates::{self, average_envelope};
use crate::record::Record;
use crate::small;
use crate::studies::EXPERIMENTS;
use roadwire_measure::cell::Direction;
use roadwire_peers::Kind;
use roadwire_peers::content::{Message, unpadded};

/// The rules that the papers call ASN.1.
const USUAL_RULES: Rules = Rules::Uper;

/// Something that has a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Quantity {
    /// Of a message under encoding rules.
    Message {
        /// The message's name.
        message: String,
        /// The encoding rules.
        rules: Rules,
        /// The quantity.
        of: OfMessage,
    },
    /// Average length of the envelope of messages of which some carry a certificate, octets.
    Average {
        /// Name of the message with the signer's digest.
        digest: String,
        /// Name of that with the certificate.
        certificate: String,
        /// The encoding rules.
        rules: Rules,
    },
    /// Of an experiment.
    Experiment(FigureOf),
    /// The octets of a small type's value (`studies/small.toml`).
    Small {
        /// The type's name.
        name: String,
        /// The encoding rules.
        rules: Rules,
    },
    /// A fact of a paper's listing, of which our schema is a copy: only the paper has it.
    Listing(String),
    /// The papers' recipe for an empty region: nanoseconds.
    SingleEmpty(Statistic),
    /// Clock speed of the processor, MHz.
    ClockSpeed,
    /// Resolution of the CPU clock, nanoseconds.
    ClockResolution,
    /// The cost of one reading of it, nanoseconds.
    ClockCost,
}

/// A quantity of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OfMessage {
    /// Its encoded length.
    Octets,
    /// How many data sets it has on a level of nesting, 1 being the top.
    Nesting(usize),
    /// A property of its layout: a paper's word for it as a number.
    Property(Property),
    /// Of one operation by one of our codecs.
    Operation(Direction, Kind, OfOperation),
}

/// A property of a layout; 1 for yes and 0 for no, unless it is a share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    /// Whether the presence of optional parts is encoded.
    PresenceTold,
    /// Whether additions of a later version are recognised, not errors, and kept.
    KeepsAdditions,
    /// Whether every field begins at an octet border.
    OctetAligned,
    /// The share of the kinds of numbers whose width depends on the value.
    VaryingNumbers,
}

/// A quantity of one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfOperation {
    /// The most heap that it uses, octets.
    Heap,
    /// Its stack, octets.
    Stack,
    /// Both.
    Memory,
    /// CPU time, nanoseconds: the median of batches.
    Time,
    /// The papers' recipe: one call between two readings of the clock, nanoseconds.
    Single(Statistic),
    /// Executed instructions.
    Instructions,
}

/// A statistic of many single calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistic {
    /// The mean.
    Mean,
    /// The standard deviation.
    Sd,
}

impl Quantity {
    /// From its name; `None` if it is unknown.
    #[must_use]
    pub fn parse(name: &str) -> Option<Quantity> {
        let (rules, name) = match name.split_once('/') {
            Some((rules, name)) => (rules.parse().ok()?, name),
            None => (USUAL_RULES, name),
        };
        let parts: Vec<&str> = name.split(':').collect();
        if let Some((experiment, of)) = experiment_of(&parts) {
            return experiment.figure(of).map(|figure| Quantity::Experiment(FigureOf(figure)));
        }
        Some(match parts.as_slice() {
            ["clock-speed"] => Quantity::ClockSpeed,
            ["clock-resolution"] => Quantity::ClockResolution,
            ["clock-cost"] => Quantity::ClockCost,
            ["single-empty", statistic] => Quantity::SingleEmpty(Statistic::parse(statistic)?),
            ["small", name] => Quantity::Small { name: (*name).into(), rules },
            ["listing", _, ..] => Quantity::Listing(name.into()),
            ["average", digest, certificate] => {
                Quantity::Average { digest: (*digest).into(), certificate: (*certificate).into(), rules }
            }
            [what, message, of @ ..] if is_name(message) => {
                let of = OfMessage::parse(what, of)?;
                Quantity::Message { message: (*message).into(), rules, of }
            }
            _ => return None,
        })
    }

    /// Its value in a run.
    ///
    /// # Errors
    /// Why it has none.
    pub fn value(&self, measured: Measured<'_>) -> Result<f64, String> {
        let records = measured.records;
        let machine = || records.first().map(|record| &record.run.machine).ok_or("nothing was measured");
        match self {
            Quantity::Message { message, rules, of } => of.value(records, message, *rules),
            Quantity::Average { digest, certificate, rules } => {
                let octets = |message: &str| OfMessage::Octets.value(records, message, *rules);
                Ok(average_envelope(octets(digest)?, octets(certificate)?, rates::PUBLISHED))
            }
            Quantity::Experiment(FigureOf(of)) => {
                let name = of.experiment();
                of.value(measured.findings(name).ok_or_else(|| format!("the experiment `{name}` was not run"))?)
            }
            Quantity::Small { name, rules } => small::octets(name, *rules).map(|octets| octets as f64),
            Quantity::Listing(_) => Err("our schema is the listing itself".into()),
            Quantity::SingleEmpty(statistic) => {
                let paper = records.iter().find_map(|record| record.paper.as_ref());
                let paper = paper.ok_or("the papers' recipe was not run")?;
                Ok(if *statistic == Statistic::Mean { paper.empty_mean } else { paper.empty_sd })
            }
            Quantity::ClockSpeed => match machine()? {
                machine if machine.mhz > 0.0 => Ok(machine.mhz),
                machine => Err(format!("the system does not report it for {}", machine.cpu)),
            },
            Quantity::ClockResolution => Ok(machine()?.clock_resolution as f64),
            Quantity::ClockCost => Ok(machine()?.clock_cost),
        }
    }

    /// Whose property it is.
    #[must_use]
    pub fn owner(&self) -> Owner {
        match self {
            Quantity::Message { of: OfMessage::Operation(_, _, of), .. } => of.owner(),
            Quantity::Message { .. } | Quantity::Average { .. } | Quantity::Small { .. } | Quantity::Listing(_) => {
                Owner::Encoding
            }
            Quantity::Experiment(FigureOf(of)) => of.owner(),
            Quantity::SingleEmpty(_) | Quantity::ClockSpeed | Quantity::ClockResolution | Quantity::ClockCost => {
                Owner::Machine
            }
        }
    }

    /// The quantity by single calls, if its own value is by batches.
    #[must_use]
    pub fn by_single_calls(&self) -> Option<Quantity> {
        let Quantity::Experiment(FigureOf(of)) = self else { return None };
        of.by_single_calls().map(|single| Quantity::Experiment(FigureOf(single)))
    }

    /// The step of the clock in its value, in its unit; 0 if the value has no steps.
    #[must_use]
    pub fn clock_step(&self, measured: Measured<'_>) -> f64 {
        let Quantity::Experiment(FigureOf(of)) = self else { return 0.0 };
        measured.findings(of.experiment()).map_or(0.0, |findings| of.clock_step(findings))
    }

    /// Another quantity of the same operation; `None` if it is not of an operation.
    #[must_use]
    pub fn of_operation(&self, of: OfOperation) -> Option<Quantity> {
        let Quantity::Message { message, rules, of: OfMessage::Operation(direction, kind, _) } = self else {
            return None;
        };
        let (message, of) = (message.clone(), OfMessage::Operation(*direction, *kind, of));
        Some(Quantity::Message { message, rules: *rules, of })
    }

    /// The lengths from which it follows, if it is an average of lengths.
    #[must_use]
    pub fn parts(&self) -> Vec<Quantity> {
        let Quantity::Average { digest, certificate, rules } = self else { return Vec::new() };
        let octets =
            |message: &String| Quantity::Message { message: message.clone(), rules: *rules, of: OfMessage::Octets };
        [digest, certificate].map(octets).into()
    }

    /// The message and the rules, if it is of one.
    #[must_use]
    pub fn of_messages(&self) -> Vec<(&str, Rules)> {
        match self {
            Quantity::Message { message, rules, .. } => vec![(message, *rules)],
            Quantity::Average { digest, certificate, rules } => vec![(digest, *rules), (certificate, *rules)],
            _ => Vec::new(),
        }
    }
}

/// The experiment whose quantities have this prefix, and the rest of the name.
fn experiment_of<'p>(parts: &'p [&'p str]) -> Option<(&'static dyn Experiment, &'p [&'p str])> {
    let (prefix, of) = parts.split_first()?;
    let experiment = EXPERIMENTS.iter().copied().find(|one| one.prefix() == *prefix)?;
    Some((experiment, of))
}

/// Whether this is a valid name of a message.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c))
}

impl OfMessage {
    fn parse(what: &str, rest: &[&str]) -> Option<OfMessage> {
        Some(match (what, rest) {
            ("octets", []) => OfMessage::Octets,
            ("presence-told", []) => OfMessage::Property(Property::PresenceTold),
            ("keeps-additions", []) => OfMessage::Property(Property::KeepsAdditions),
            ("octet-aligned", []) => OfMessage::Property(Property::OctetAligned),
            ("varying-numbers", []) => OfMessage::Property(Property::VaryingNumbers),
            ("nesting", [level]) => OfMessage::Nesting(level.parse().ok()?),
            (_, [direction, kind, rest @ ..]) => {
                let direction = Direction::ALL.into_iter().find(|one| one.name() == *direction)?;
                let kind = [Kind::Toed, Kind::Soed].into_iter().find(|one| one.name() == *kind)?;
                OfMessage::Operation(direction, kind, OfOperation::parse(what, rest)?)
            }
            _ => return None,
        })
    }

    fn value(&self, records: &[Record], message: &str, rules: Rules) -> Result<f64, String> {
        let of_message = |record: &&Record| record.message == message && record.rules == rules;
        match self {
            OfMessage::Octets => {
                let octets = unpadded::octets(message, rules);
                octets.unwrap_or_else(|| length(records.iter().filter(of_message))).map(|octets| octets as f64)
            }
            OfMessage::Nesting(level) => {
                let message = Message::find(message).and_then(|message| message.under(rules));
                let levels = nesting::levels(&message.ok_or("there is no such message")?)?;
                // A level that does not exist has no count, not even 0.
                let at = level.checked_sub(1).and_then(|at| levels.get(at));
                at.map(|sets| *sets as f64).ok_or_else(|| format!("the message has {} levels", levels.len()))
            }
            OfMessage::Property(property) => property.value(&properties::of_message(message, rules)?),
            OfMessage::Operation(direction, kind, of) => {
                let is_it = |record: &&Record| {
                    of_message(record) && record.direction == *direction && record.kind == *kind && !record.repeat
                };
                let Some(record) = records.iter().find(is_it) else {
                    return Err(format!("there is no {} engine in this run", kind.name()));
                };
                match &record.absent {
                    Some(why) => Err(format!("{}: {why}", record.engine)),
                    None => of.value(record).ok_or_else(|| record.missing.join("; ")),
                }
            }
        }
    }
}

impl Property {
    fn value(self, of: &Properties) -> Result<f64, String> {
        let is_told = !matches!(of.presence, PresenceTold::Values | PresenceTold::NoOptionalParts);
        Ok(match self {
            Property::PresenceTold => f64::from(is_told),
            Property::KeepsAdditions => f64::from(of.keeps_additions),
            Property::OctetAligned => f64::from(of.octet_aligned),
            Property::VaryingNumbers => {
                of.varying_numbers as f64 / (of.fixed_numbers + of.varying_numbers).max(1) as f64
            }
        })
    }
}

impl OfOperation {
    fn parse(what: &str, rest: &[&str]) -> Option<OfOperation> {
        Some(match (what, rest) {
            ("heap", []) => OfOperation::Heap,
            ("stack", []) => OfOperation::Stack,
            ("memory", []) => OfOperation::Memory,
            ("time", []) => OfOperation::Time,
            ("instructions", []) => OfOperation::Instructions,
            ("single", [statistic]) => OfOperation::Single(Statistic::parse(statistic)?),
            _ => return None,
        })
    }

    /// Its value in the record of an operation, if it was measured.
    pub(crate) fn value(self, record: &Record) -> Option<f64> {
        let (heap, stack) = (record.heap.map(|heap| heap.peak as f64), record.stack.map(|octets| octets as f64));
        match self {
            OfOperation::Heap => heap,
            OfOperation::Stack => stack,
            OfOperation::Memory => Some(heap? + stack?),
            OfOperation::Time => record.cpu_ns.as_ref().map(|time| time.median),
            OfOperation::Instructions => record.instructions.map(|count| count as f64),
            OfOperation::Single(Statistic::Mean) => record.paper.as_ref().map(|paper| paper.mean),
            OfOperation::Single(Statistic::Sd) => record.paper.as_ref().map(|paper| paper.sd),
        }
    }

    fn owner(self) -> Owner {
        match self {
            OfOperation::Heap | OfOperation::Stack | OfOperation::Memory => Owner::Implementation,
            OfOperation::Time | OfOperation::Single(_) | OfOperation::Instructions => Owner::Machine,
        }
    }
}

impl Statistic {
    fn parse(name: &str) -> Option<Statistic> {
        match name {
            "mean" => Some(Statistic::Mean),
            "sd" => Some(Statistic::Sd),
            _ => None,
        }
    }
}

/// The length, which is the same for all engines.
fn length<'r>(records: impl Iterator<Item = &'r Record>) -> Result<usize, String> {
    let mut lengths: Vec<usize> = records.filter(|one| one.absent.is_none()).filter_map(|one| one.octets).collect();
    lengths.dedup();
    match lengths.as_slice() {
        [length] => Ok(*length),
        [] => Err("no engine passed the gate for this message".into()),
        _ => Err(format!("the engines disagree: {lengths:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample::record;
    use roadwire_measure::heap::Heap;

    fn value(name: &str, records: &[Record]) -> Result<f64, String> {
        Quantity::parse(name).unwrap().value(Measured { records, ..Measured::default() })
    }

    #[test]
    fn names_are_parsed_whole() {
        for name in [
            "octets",
            "octets:a:b",
            "heap:a:encode",
            "heap:a:up:toed",
            "heap:a:encode:peer",
            "single:a:encode:toed",
            "",
            "speed",
        ] {
            assert_eq!(Quantity::parse(name), None, "{name}");
        }
        assert_eq!(Quantity::parse("octets:cam-full"), Quantity::parse("uper/octets:cam-full"));
        assert_ne!(Quantity::parse("octets:cam-full"), Quantity::parse("tls/octets:cam-full"));
        // Those of an experiment are compared by their own type.
        let names = [
            "dot2:tls:octets:BSM-cert",
            "dot2:tls:octets:BSM-digest",
            "certificate:uper:octets:mean",
            "certificate:uper:octets:sd",
            "dice:sixes",
            "dice:throws",
        ];
        for (at, name) in names.iter().enumerate() {
            let quantity = Quantity::parse(name);
            assert!(quantity.is_some(), "{name}");
            let same = names.iter().position(|other| Quantity::parse(other) == quantity);
            assert_eq!(same, Some(at), "{name}");
        }
    }

    #[test]
    fn a_length_is_that_of_all_engines() {
        let both = [record(Kind::Toed, 41), record(Kind::Soed, 41)];
        assert_eq!(value("octets:cam-mandatory", &both), Ok(41.0));
        assert!(value("coer/octets:cam-mandatory", &both).is_err());
        let mut other = [record(Kind::Toed, 41), record(Kind::Soed, 42)];
        assert!(value("octets:cam-mandatory", &other).unwrap_err().contains("the engines disagree"));
        // A cell that did not pass the gate does not count.
        other[1].absent = Some("refused".into());
        assert_eq!(value("octets:cam-mandatory", &other), Ok(41.0));
    }

    #[test]
    fn memory_is_heap_and_stack_of_one_codec() {
        let mut soed = record(Kind::Soed, 41);
        soed.heap = Some(Heap { peak: 100, requested: 1, retained: 1, count: 1 });
        soed.stack = Some(7);
        let records = [record(Kind::Toed, 41), soed];
        let of = |what| value(&format!("{what}:cam-mandatory:decode:soed"), &records);
        assert_eq!((of("heap"), of("stack"), of("memory")), (Ok(100.0), Ok(7.0), Ok(107.0)));
        assert!(of("time").is_err() && value("memory:cam-mandatory:decode:toed", &records).is_err());
    }

    #[test]
    fn instructions_are_of_one_operation() {
        let records = [Record { instructions: Some(300), ..record(Kind::Toed, 41) }];
        let of = |direction: &str| value(&format!("instructions:cam-mandatory:{direction}:toed"), &records);
        assert!(of("decode") == Ok(300.0) && of("encode").is_err());
        let none = [record(Kind::Toed, 41)];
        assert!(value("instructions:cam-mandatory:decode:toed", &none).is_err());
    }

    #[test]
    fn a_level_of_nesting_that_is_not_there_has_no_number() {
        let of = |message: &str, level: usize| value(&format!("nesting:{message}:{level}"), &[]).ok();
        assert_eq!([of("cam-mandatory", 1), of("cam-mandatory", 6)], [Some(2.0), Some(5.0)]);
        assert_eq!([of("cam-mandatory", 7), of("cam-mandatory", 0), of("no-such-message", 1)], [None; 3]);
    }
}
