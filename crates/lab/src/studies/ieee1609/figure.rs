//! A figure of the study of IEEE 1609.2: the paper's, or ours.

use std::sync::Arc;

use roadwire_layout::Rules;

use super::cells::Engine;
use super::encoding::Encoding;
use super::fit::Fit;
use super::measured::Ieee1609;
use super::passes::{Passes, Work};
use crate::experiment::{Figure, Findings};
use crate::owner::Owner;
use crate::processors::PROCESSORS;
use crate::properties;
use roadwire_measure::cell::Direction;

/// A quantity of the study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecuredDataFigure {
    encoding: Encoding,
    of: Of,
    /// Whose codec, where the quantity is one of a codec that is used as it comes.
    engine: Engine,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Of {
    /// The length of a message.
    Octets { message: String },
    /// The time that decoding takes, in nanoseconds, at this machine's clock or at 3 GHz.
    Time { codec: Codec, message: String, normal: bool },
    /// The instructions that decoding takes on an emulated processor.
    Instructions { codec: Codec, message: String, processor: &'static str },
    /// The decoding time of our codecs here, on similar contents; the paper does not print it.
    Decode { message: String },
    /// The same for encoding.
    Encode { message: String },
    /// The decoding time for `messages` messages in a second, of which `percent` % have a
    /// certificate, in microseconds.
    Load { codec: Codec, messages: u32, percent: u32 },
    /// R² of the decoding times by the messages' lengths, or by the number of their optional parts.
    Fit { by_parts: bool },
    /// Whether every field of every message begins at an octet border: 1 for yes, 0 for no.
    Aligned,
    /// The greatest offset of the signed data from an octet border, in bits.
    SignedBit,
    /// The most octets that a sender holds back when signing in one pass.
    Held,
    /// The time of a kind of work on all signed messages of the tables, in nanoseconds.
    Work(Direction, Work),
    /// The additional time of one pass over decoding and hashing on receiving, in nanoseconds, for
    /// the same messages.
    Moving,
    /// Time that verifying one message takes on average, in nanoseconds or milliseconds.
    Verify { milliseconds: bool },
}

/// The implementation of an encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Codec {
    /// Unchanged output of a compiler: the paper's vendor 2, or the only vendor.
    OffTheShelf,
    /// The same for the paper's vendor 1; for ours there is no difference.
    Vendor1,
    /// Code optimised by hand: the vendor's improved output of its compiler; here a decoder written
    /// by hand.
    Custom,
    /// Only ours: a codec that borrows strings from the input.
    Lent,
}

impl SecuredDataFigure {
    /// From the parts of its name: the encoding, the quantity, and the message or case.
    pub(crate) fn parse(parts: &[&str]) -> Option<SecuredDataFigure> {
        let [encoding, of, rest @ ..] = parts else { return None };
        let encoding = match *encoding {
            "tls" => Encoding::Binary,
            "uper-original" => Encoding::UperOriginal,
            "uper-p" => Encoding::UperP,
            "oer-original" => Encoding::OerOriginal,
            _ => return None,
        };
        let (codec, unit) = of.split_once('-').unwrap_or((of, ""));
        let codec = match codec {
            "custom" => Some(Codec::Custom),
            "vendor1" => Some(Codec::Vendor1),
            "lent" => Some(Codec::Lent),
            "toed" => Some(Codec::OffTheShelf),
            _ => None,
        };
        let message = |name: &str| match (name, encoding) {
            // One row of the paper, for which each format has its own message.
            ("Signed-cert-large", Encoding::Binary) => "SecuredData-058".to_string(),
            ("Signed-cert-large", _) => "SecuredData-058-ASN.1".to_string(),
            _ => name.to_string(),
        };
        let direction = |name: &str| Direction::ALL.into_iter().find(|direction| direction.name() == name);
        let of = match (*of, rest) {
            ("octets", [name]) => Of::Octets { message: message(name) },
            ("encode-here", [name]) => Of::Encode { message: message(name) },
            ("decode-here", [name]) => Of::Decode { message: message(name) },
            (_, [name]) if codec.is_some() && matches!(unit, "3ghz" | "here") => {
                Of::Time { codec: codec?, message: message(name), normal: unit == "3ghz" }
            }
            (_, [name]) if codec.is_some() && !unit.is_empty() => {
                let processor = PROCESSORS.iter().find(|one| one.name == unit)?.name;
                Of::Instructions { codec: codec?, message: message(name), processor }
            }
            (_, [messages, percent]) if codec.is_some() && unit.is_empty() => {
                Of::Load { codec: codec?, messages: messages.parse().ok()?, percent: percent.parse().ok()? }
            }
            ("fit", ["size"]) => Of::Fit { by_parts: false },
            ("fit", ["parts"]) => Of::Fit { by_parts: true },
            ("aligned", []) => Of::Aligned,
            ("signed-bit", []) => Of::SignedBit,
            ("held", []) => Of::Held,
            ("one-pass", [name]) => Of::Work(direction(name)?, Work::OnePass),
            ("two-passes", [name]) => Of::Work(direction(name)?, Work::TwoPasses),
            ("moving", []) => Of::Moving,
            ("verify", []) => Of::Verify { milliseconds: false },
            ("verify-ms", []) => Of::Verify { milliseconds: true },
            _ => return None,
        };
        Some(SecuredDataFigure { encoding, of, engine: Engine::Toed })
    }

    /// Its encoding.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Its value in a run.
    ///
    /// # Errors
    /// Why it has none.
    fn of(&self, study: &Ieee1609) -> Result<f64, String> {
        let row = |message: &str, engine| {
            let row = study.row(message, self.encoding, engine);
            row.ok_or("it is not in this run, or did not pass the gate")
        };
        let engine = |codec| match codec {
            Codec::Custom => Engine::ByHand,
            Codec::Lent => Engine::Lent,
            Codec::OffTheShelf | Codec::Vendor1 => self.engine,
        };
        let time =
            |codec, message: &str, direction| row(message, engine(codec))?.time(direction).ok_or("it was not timed");
        let signed = || match study.signed_in(self.encoding) {
            none if none.is_empty() => Err("no signed message is in this run"),
            all => Ok(all),
        };
        let untimed = "it was not timed";
        match &self.of {
            Of::Octets { message } => Ok(row(message, Engine::Toed)?.octets as f64),
            Of::Decode { message } => Ok(time(Codec::OffTheShelf, message, Direction::Decode)?),
            Of::Encode { message } => Ok(time(Codec::OffTheShelf, message, Direction::Encode)?),
            Of::Time { codec, message, normal } => {
                let factor = if *normal { study.normal() } else { Some(1.0) };
                let factor = factor.ok_or("the system does not report the processor's clock")?;
                Ok(time(*codec, message, Direction::Decode)? * factor)
            }
            Of::Instructions { codec, message, processor } => {
                let engine = engine(*codec);
                let count = study.instructions(processor, message, self.encoding, engine, Direction::Decode);
                let count = count.ok_or_else(|| format!("it was not counted on an emulated {processor}"))?;
                Ok(count as f64)
            }
            Of::Load { codec, messages, percent } => {
                let decode = |message| time(*codec, message, Direction::Decode);
                Ok(load(*messages, *percent, decode("BSM-digest")?, decode("BSM-cert")?))
            }
            Of::Fit { by_parts } => {
                let fit =
                    Fit::of(study, self.encoding, self.engine).ok_or("not all of the 64 messages were measured")?;
                Ok(if *by_parts { fit.by_parts } else { fit.by_size }.explained)
            }
            Of::Aligned => {
                let properties = properties::of_schema(self.encoding.schema(), self.encoding.rules())?;
                Ok(f64::from(u8::from(properties.octet_aligned)))
            }
            Of::SignedBit => {
                let of = study.offsets.iter().filter(|(_, encoding, _)| *encoding == self.encoding);
                let most = of.map(|(_, _, bit)| bit % 8).max().ok_or("no signed message is in this run")?;
                Ok(most as f64)
            }
            Of::Held => Ok(signed()?.iter().map(|one| one.held_by_sender()).max().unwrap_or(0) as f64),
            Of::Work(direction, work) => {
                let times = signed()?.into_iter().map(|one: &Passes| one.time(*direction, *work));
                Ok(times.sum::<Option<f64>>().ok_or(untimed)?)
            }
            Of::Moving => Ok(study.beyond(Direction::Decode, self.encoding).ok_or(untimed)?),
            Of::Verify { milliseconds } => {
                let all = signed()?;
                let times = all.iter().map(|one| one.time(Direction::Decode, Work::Signature));
                let mean = times.sum::<Option<f64>>().ok_or(untimed)? / all.len() as f64;
                Ok(if *milliseconds { mean / 1e6 } else { mean })
            }
        }
    }
}

impl Figure for SecuredDataFigure {
    fn experiment(&self) -> &'static str {
        super::NAME
    }

    /// Lengths and offsets are properties of the encoding, times of the machine.
    fn owner(&self) -> Owner {
        match self.of {
            Of::Octets { .. } | Of::Aligned | Of::SignedBit | Of::Held => Owner::Encoding,
            _ => Owner::Machine,
        }
    }

    fn is(&self, other: &dyn Figure) -> bool {
        other.of() == Some(self)
    }

    fn value(&self, findings: &dyn Findings) -> Result<f64, String> {
        self.of(findings.of().ok_or("the messages of IEEE 1609.2 were not measured")?)
    }

    fn message(&self) -> Option<&str> {
        match &self.of {
            Of::Octets { message }
            | Of::Time { message, .. }
            | Of::Instructions { message, .. }
            | Of::Encode { message }
            | Of::Decode { message } => Some(message),
            _ => None,
        }
    }

    fn rules(&self) -> Option<Rules> {
        Some(self.encoding.rules())
    }

    fn by(&self, implementation: &str) -> Option<Arc<dyn Figure>> {
        let engine = Engine::ALL.into_iter().find(|engine| engine.name() == implementation)?;
        let is_as_it_comes = match &self.of {
            Of::Time { codec, .. } | Of::Instructions { codec, .. } | Of::Load { codec, .. } => {
                matches!(codec, Codec::OffTheShelf | Codec::Vendor1)
            }
            Of::Decode { .. } | Of::Encode { .. } | Of::Fit { .. } => true,
            Of::Octets { .. }
            | Of::Aligned
            | Of::SignedBit
            | Of::Held
            | Of::Work(..)
            | Of::Moving
            | Of::Verify { .. } => false,
        };
        is_as_it_comes.then(|| Arc::new(SecuredDataFigure { engine, ..self.clone() }) as Arc<dyn Figure>)
    }

    #[cfg(test)]
    fn plant(&self, findings: &mut dyn Findings, value: f64) -> Option<()> {
        self.plant_in(findings.of_mut()?, value)
    }
}

/// Microseconds for this many messages in a second, of which this percentage has a certificate;
/// times in nanoseconds.
#[must_use]
pub(super) fn load(messages: u32, percent: u32, digest: f64, certificate: f64) -> f64 {
    let share = f64::from(percent) / 100.0;
    f64::from(messages) * (share * certificate + (1.0 - share) * digest) / 1000.0
}

#[cfg(test)]
impl SecuredDataFigure {
    /// Stores a value for a message, or for the offset of its signed data; `None` for quantities of
    /// many messages.
    fn plant_in(&self, study: &mut Ieee1609, value: f64) -> Option<()> {
        use super::measured::Row;
        use roadwire_measure::stats::summarise;
        if self.of == Of::SignedBit {
            study.offsets.push((String::new(), self.encoding, value as usize));
            return Some(());
        }
        let (message, engine) = (self.message()?, Engine::Toed);
        let is_it = |row: &Row| row.message == message && row.encoding == self.encoding;
        let at = study.rows.iter().position(is_it).unwrap_or_else(|| {
            study.rows.push(Row::new(message.to_string(), self.encoding, engine, 0, 0));
            study.rows.len() - 1
        });
        let row = &mut study.rows[at];
        match self.of {
            Of::Octets { .. } => row.octets = value as usize,
            Of::Encode { .. } => row.encode = summarise(&[value]),
            Of::Decode { .. } | Of::Time { codec: Codec::OffTheShelf | Codec::Vendor1, normal: false, .. } => {
                row.decode = summarise(&[value]);
            }
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_told_apart() {
        let parse = |text: &str| SecuredDataFigure::parse(&text.split(':').collect::<Vec<_>>());
        assert_eq!(parse("tls:octets:BSM-cert").unwrap().message(), Some("BSM-cert"));
        assert_eq!(parse("oer-original:custom-3ghz:BSM-cert").unwrap().encoding(), Encoding::OerOriginal);
        assert_eq!(parse("uper-p:toed:1000:20").unwrap().message(), None);
        assert_eq!(parse("tls:toed-x86-64:BSM-cert").unwrap().message(), Some("BSM-cert"));
        assert!(parse("tls:toed-z80:BSM-cert").is_none());
        assert!(parse("uper-p:toed:1000").is_none() && parse("per:octets:BSM-cert").is_none());
    }

    #[test]
    fn a_length_is_that_of_the_row() {
        use super::super::measured::Row;
        let row = Row::new("BSM-cert".into(), Encoding::UperP, Engine::Toed, 200, 1);
        let run = crate::record::Run::sample();
        let study = Ieee1609 { rows: vec![row], ..Ieee1609::of(run) };
        let value = |of| SecuredDataFigure::parse(&["uper-p", of, "BSM-cert"]).unwrap().of(&study);
        assert_eq!(value("octets"), Ok(200.0));
        assert!(value("toed-here").unwrap_err().contains("timed"));
        assert!(value("custom-here").unwrap_err().contains("not in this run"));
    }

    /// The paper's own last column of Table 5 follows from its Table 4.
    #[test]
    fn a_second_of_messages() {
        assert!((load(100, 20, 1471.0, 2270.0) - 163.0).abs() < 0.5);
        assert!((load(1000, 100, 1471.0, 2270.0) - 2270.0).abs() < 0.5);
    }
}
