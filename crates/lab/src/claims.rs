//! What a paper says in sentences, held against what a run measured.

use serde::Deserialize;

use crate::engine::{Direction, Kind};
use crate::record::Record;
use crate::report::significant;
use crate::report::table::Table;

/// A sentence, as `study.toml` has it: where it stands, and the comparison that it comes to.
#[derive(Debug, Clone, Deserialize)]
pub struct Sentence {
    /// The paper's section.
    pub place: String,
    /// What it says.
    pub text: String,
    /// What is compared; none where nothing here can speak to it, and `why` says why.
    pub compare: Option<Comparison>,
    /// What must be added.
    #[serde(default)]
    pub why: String,
}

/// In each message and direction, each of `less` against each of `than`.
#[derive(Debug, Clone, Deserialize)]
pub struct Comparison {
    /// What.
    pub what: Quantity,
    /// Rules that are said to have less of it.
    pub less: Vec<String>,
    /// Than these.
    pub than: Vec<String>,
    /// Names of messages; two with a `+` between are sent together.
    pub messages: Vec<String>,
    /// How many times less it has to be; below 1, how many times more it may be.
    #[serde(default = "any")]
    pub factor: f64,
    /// In which share of the cases the sentence has it so: least and most.
    #[serde(default = "always")]
    pub share: [f64; 2],
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quantity {
    /// Encoded length.
    Octets,
    /// CPU time, by roadwire's straight-line code: one generator for all encodings.
    Time,
    /// Heap and stack of one operation, of the same codecs.
    Memory,
    /// Time on the air of the whole packet.
    Airtime,
    /// What reading the clock costs, against CPU time.
    Clock,
}

fn any() -> f64 {
    1.0
}

fn always() -> [f64; 2] {
    [1.0, 1.0]
}

/// Times closer than this are not told apart: what code placement alone can make.
const TIE: f64 = 1.03;

/// The sentences with verdicts.
pub fn table(sentences: &[Sentence], records: &[Record]) -> Table {
    let mut table =
        Table::new("What the paper concludes, sentence by sentence", &["where", "claim", "verdict", "ours"]);
    for sentence in sentences {
        let (verdict, evidence) = match &sentence.compare {
            Some(comparison) => judge(comparison, records),
            None => ("not measured", String::new()),
        };
        let told = [evidence.as_str(), sentence.why.as_str()].into_iter().filter(|part| !part.is_empty());
        table.row([sentence.place.clone(), sentence.text.clone(), verdict.into(), told.collect::<Vec<_>>().join("; ")]);
    }
    table.notes.push(
        "Times and memory are those of our straight-line code, which one generator writes for all encodings; encode / decode.".into(),
    );
    table
}

fn judge(comparison: &Comparison, records: &[Record]) -> (&'static str, String) {
    let (mut cases, mut so) = (0u32, 0u32);
    let mut evidence = Vec::new();
    for message in &comparison.messages {
        let value = |rules: &str, direction| comparison.what.of(records, message, rules, direction);
        let directions: &[Direction] =
            if comparison.what.has_directions() { &Direction::ALL } else { &[Direction::Encode] };
        for &direction in directions {
            for (less, than) in comparison.pairs() {
                if let (Some(less), Some(than)) = (value(less, direction), value(than, direction)) {
                    cases += 1;
                    let tie = if comparison.what == Quantity::Time { TIE } else { 1.0 };
                    so += u32::from(less * comparison.factor * tie < than);
                }
            }
        }
        let mut shown: Vec<String> = Vec::new();
        for rules in comparison.less.iter().chain(&comparison.than) {
            let of = |direction: &Direction| value(rules, *direction).map(|value| significant(value, 3));
            let values: Option<Vec<String>> = directions.iter().map(of).collect();
            shown.extend(values.map(|values| format!("{rules} {}", values.join(" / "))));
        }
        if !shown.is_empty() {
            evidence.push(format!("{message}: {}", shown.join(", ")));
        }
    }
    if cases == 0 {
        return ("not yet measured", String::new());
    }
    let share = f64::from(so) / f64::from(cases);
    let [least, most] = comparison.share;
    let verdict = if (least..=most).contains(&share) { "holds" } else { "does not hold" };
    (verdict, format!("in {so} of {cases} cases ({}); {}", comparison.what.unit(), evidence.join("; ")))
}

impl Comparison {
    fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.less.iter().flat_map(|less| self.than.iter().map(move |than| (less.as_str(), than.as_str())))
    }
}

impl Quantity {
    fn unit(self) -> &'static str {
        match self {
            Quantity::Octets | Quantity::Memory => "octets",
            Quantity::Time | Quantity::Clock => "ns",
            Quantity::Airtime => "µs",
        }
    }

    fn has_directions(self) -> bool {
        matches!(self, Quantity::Time | Quantity::Memory | Quantity::Clock)
    }

    fn of(self, records: &[Record], message: &str, rules: &str, direction: Direction) -> Option<f64> {
        if self == Quantity::Clock && rules == "clock" {
            return records.first().map(|record| 2.0 * record.run.machine.clock_cost);
        }
        let record = |message: &str| {
            records.iter().find(|r| {
                r.kind == Kind::Toed
                    && !r.repeat
                    && r.message == message
                    && r.rules == rules
                    && r.direction == direction
                    && r.absent.is_none()
            })
        };
        match self {
            Quantity::Octets => record(message)?.octets.map(|octets| octets as f64),
            Quantity::Time | Quantity::Clock => record(message)?.cpu_ns.as_ref().map(|time| time.median),
            Quantity::Memory => {
                let record = record(message)?;
                Some(record.heap.as_ref()?.peak as f64 + record.stack? as f64)
            }
            Quantity::Airtime => {
                let octets = message.split('+').map(|part| record(part)?.octets).sum::<Option<usize>>()?;
                Some(airtime(octets))
            }
        }
    }
}

/// Microseconds that a packet with so many octets above BTP takes on a 10 MHz channel at 6 Mbit/s.
///
/// A preamble and the signal field take 40 µs, and each symbol of 8 µs has 48 bits (IEEE Std 802.11-2016 §17.3); around the octets are BTP (4), GeoNetworking's header of a single-hop broadcast (40: EN 302 636-4-1 §9.8.4), LLC (8),
/// the MAC header with its check sequence (30), and 22 bits of the physical layer.
#[must_use]
pub fn airtime(octets: usize) -> f64 {
    let bits = 22 + 8 * (octets + 4 + 40 + 8 + 30);
    40.0 + 8.0 * bits.div_ceil(48) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::stats::summarise;
    use crate::verdict::sample::record;

    /// Three encodings with these times and lengths.
    fn records(cases: [(&str, f64, usize); 3]) -> Vec<Record> {
        let of = |(rules, time, octets): (&str, f64, usize)| {
            let mut record = record(Kind::Toed, octets);
            record.direction = Direction::Encode;
            record.rules = rules.into();
            record.cpu_ns = summarise(&[time]);
            record
        };
        cases.into_iter().map(of).collect()
    }

    fn verdict(what: Quantity, factor: f64, share: [f64; 2], records: &[Record]) -> &'static str {
        let list = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let (less, than) = (list(&["uper"]), list(&["coer", "xer"]));
        judge(&Comparison { what, less, than, messages: list(&["cam-mandatory"]), factor, share }, records).0
    }

    #[test]
    fn times_closer_than_three_per_cent_are_not_told_apart() {
        let of = |coer| {
            verdict(
                Quantity::Time,
                1.0,
                [1.0, 1.0],
                &records([("uper", 100.0, 41), ("coer", coer, 48), ("xer", 900.0, 700)]),
            )
        };
        assert_eq!((of(103.1), of(102.9), of(95.0)), ("holds", "does not hold", "does not hold"));
    }

    #[test]
    fn lengths_have_no_tie() {
        let of = |coer| {
            verdict(
                Quantity::Octets,
                1.0,
                [1.0, 1.0],
                &records([("uper", 1.0, 41), ("coer", 1.0, coer), ("xer", 1.0, 700)]),
            )
        };
        assert_eq!((of(42), of(41)), ("holds", "does not hold"));
    }

    #[test]
    fn a_factor_is_how_many_times_less_and_a_share_in_how_many_cases() {
        let all = records([("uper", 100.0, 40), ("coer", 150.0, 60), ("xer", 900.0, 400)]);
        let of = |factor, share| verdict(Quantity::Octets, factor, share, &all);
        assert_eq!((of(1.4, [1.0, 1.0]), of(1.5, [1.0, 1.0])), ("holds", "does not hold"));
        assert_eq!(
            (of(1.5, [0.5, 0.5]), of(1.5, [0.5, 1.0]), of(1.5, [0.6, 1.0])),
            ("holds", "holds", "does not hold")
        );
        assert_eq!((of(11.0, [0.0, 0.0]), of(11.0, [0.1, 1.0])), ("holds", "does not hold"));
        assert_eq!(verdict(Quantity::Octets, 1.0, [1.0, 1.0], &all[..1]), "not yet measured");
    }

    #[test]
    fn a_packet_is_on_the_air_for_whole_symbols() {
        // 22 + 8 * 82 = 678 bits: 15 symbols.
        assert_eq!(airtime(0), 40.0 + 15.0 * 8.0);
        assert_eq!(airtime(5), airtime(0));
        assert_eq!(airtime(6), airtime(0) + 8.0);
    }
}
