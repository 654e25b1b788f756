//! The paper's figures, and ours beside them.

use super::cells::Engine;
use super::encoding::Encoding;
use super::measured::Ieee1609;
use crate::engine::Direction;
use crate::study::Published;
use crate::verdict::Verdict;

/// What one of the paper's figures is held against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    encoding: Encoding,
    of: Of,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Of {
    /// The length of a message.
    Octets { message: String },
    /// The time that decoding takes, at this machine's clock or at 3 GHz.
    Time { codec: Codec, message: String, normal: bool },
    /// The time that decoding takes in a second with so many messages, of which so many in a hundred have a certificate.
    Load { codec: Codec, messages: u32, percent: u32 },
}

/// What the paper measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Codec {
    /// What a compiler wrote, as it is.
    OffTheShelf,
    /// The same, improved by hand.
    Custom,
}

impl Figure {
    /// From what stands in `published.csv` behind `dot2:`.
    pub(crate) fn parse(parts: &[&str]) -> Option<Figure> {
        let [encoding, of, rest @ ..] = parts else { return None };
        let encoding = match *encoding {
            "tls" => Encoding::Binary,
            "uper-original" => Encoding::UperOriginal,
            "uper-p" => Encoding::UperP,
            "oer-original" => Encoding::OerOriginal,
            _ => return None,
        };
        let codec = match of.split('-').next()? {
            "custom" => Codec::Custom,
            _ => Codec::OffTheShelf,
        };
        let of = match (*of, rest) {
            ("octets", [message]) => Of::Octets { message: (*message).into() },
            ("toed-3ghz" | "custom-3ghz", [message]) => Of::Time { codec, message: (*message).into(), normal: true },
            ("toed-here" | "custom-here", [message]) => Of::Time { codec, message: (*message).into(), normal: false },
            ("toed" | "custom", [messages, percent]) => {
                Of::Load { codec, messages: messages.parse().ok()?, percent: percent.parse().ok()? }
            }
            _ => return None,
        };
        Some(Figure { encoding, of })
    }

    /// The message that it is about, if it is about one.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        match &self.of {
            Of::Octets { message } | Of::Time { message, .. } => Some(message),
            Of::Load { .. } => None,
        }
    }

    /// The encoding that it is about.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    pub(crate) fn judge(&self, figure: &Published, study: &Ieee1609) -> Verdict {
        let not_yet = |why: &str| Verdict::NotYetMeasured { why: why.into() };
        match &self.of {
            Of::Octets { message } => match study.row(message, self.encoding, Engine::Toed) {
                None => not_yet("it is not in this run, or did not pass the gate"),
                Some(row) if (row.octets as f64 - figure.value).abs() < 0.5 => {
                    Verdict::Reproduced { ours: row.octets as f64, note: figure.note.clone() }
                }
                Some(row) => Verdict::Differs { ours: row.octets as f64, why: figure.note.clone() },
            },
            Of::Time { codec, message, normal } => {
                let factor = if *normal { study.normal() } else { Some(1.0) };
                let Some(factor) = factor else { return not_yet("the system does not tell the processor's clock") };
                match self.time(study, *codec, message) {
                    Ok(ours) => another(figure, ours * factor, study),
                    Err(why) => not_yet(why),
                }
            }
            Of::Load { codec, messages, percent } => {
                let time = |message| self.time(study, *codec, message);
                match time("BSM-digest").and_then(|digest| Ok(load(*messages, *percent, digest, time("BSM-cert")?))) {
                    Ok(ours) => another(figure, ours, study),
                    Err(why) => not_yet(why),
                }
            }
        }
    }

    /// Nanoseconds.
    fn time(&self, study: &Ieee1609, codec: Codec, message: &str) -> Result<f64, &'static str> {
        let engine = match codec {
            Codec::OffTheShelf => Engine::Toed,
            Codec::Custom => Engine::Lent,
        };
        let row = study.row(message, self.encoding, engine).ok_or("it is not in this run, or did not pass the gate")?;
        row.time(Direction::Decode).ok_or("it was not timed")
    }
}

/// Microseconds in a second with so many messages, of which so many in a hundred have a certificate; times in nanoseconds.
#[must_use]
pub(super) fn load(messages: u32, percent: u32, digest: f64, certificate: f64) -> f64 {
    let share = f64::from(percent) / 100.0;
    f64::from(messages) * (share * certificate + (1.0 - share) * digest) / 1000.0
}

/// Times are the machine's.
fn another(figure: &Published, ours: f64, study: &Ieee1609) -> Verdict {
    let times = if ours < figure.value {
        format!("{:.1} times faster", figure.value / ours)
    } else {
        format!("{:.1} times slower", ours / figure.value)
    };
    let note = if figure.note.is_empty() { String::new() } else { format!("; {}", figure.note) };
    Verdict::AnotherMachine { ours, why: format!("{times} on {}{note}", study.run.machine.cpu) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_told_apart() {
        let parse = |text: &str| Figure::parse(&text.split(':').collect::<Vec<_>>());
        assert_eq!(parse("tls:octets:BSM-cert").unwrap().message(), Some("BSM-cert"));
        assert_eq!(parse("oer-original:custom-3ghz:BSM-cert").unwrap().encoding(), Encoding::OerOriginal);
        assert_eq!(parse("uper-p:toed:1000:20").unwrap().message(), None);
        assert!(parse("uper-p:toed:1000").is_none() && parse("per:octets:BSM-cert").is_none());
    }

    #[test]
    fn a_length_is_reproduced_when_it_is_the_same() {
        use super::super::measured::Row;
        use crate::study::Ours;
        let row = Row {
            message: "BSM-cert".into(),
            encoding: Encoding::UperP,
            engine: Engine::Toed,
            octets: 200,
            parts: 1,
            encode: None,
            decode: None,
            heap: None,
        };
        let run = crate::verdict::sample::record(crate::engine::Kind::Toed, 1).run;
        let study = Ieee1609 { run, rows: vec![row], offsets: Vec::new(), passes: Vec::new(), failures: Vec::new() };
        let verdict = |value| {
            let ours = Figure::parse(&["uper-p", "octets", "BSM-cert"]).unwrap();
            let figure = Published {
                table: String::new(),
                row: String::new(),
                column: String::new(),
                unit: String::new(),
                value,
                place: String::new(),
                ours: Ours::SecuredData(ours.clone()),
                note: String::new(),
            };
            ours.judge(&figure, &study).name()
        };
        assert_eq!((verdict(200.0), verdict(199.0), verdict(201.0)), ("reproduced", "differs", "differs"));
    }

    /// The paper's own last column of Table 5 follows from its Table 4.
    #[test]
    fn a_second_of_messages() {
        assert!((load(100, 20, 1471.0, 2270.0) - 163.0).abs() < 0.5);
        assert!((load(1000, 100, 1471.0, 2270.0) - 2270.0).abs() < 0.5);
    }
}
