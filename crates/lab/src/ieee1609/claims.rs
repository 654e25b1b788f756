//! What the paper says in words, and what our measurements say of it.

use super::cells::Engine;
use super::encoding::Encoding;
use super::figure::load;
use super::fit::Fit;
use super::measured::Ieee1609;
use super::passes::{Passes, Work};
use super::tables::ORDER;
use crate::engine::Direction;

/// A sentence and our verdict.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Claim {
    /// Where it stands.
    pub(super) place: &'static str,
    /// What it says.
    pub(super) text: &'static str,
    /// `holds`, `does not hold` or `not yet measured`.
    pub(super) verdict: &'static str,
    /// By which measurement.
    pub(super) evidence: String,
}

/// All of them.
pub(super) fn claims(study: &Ieee1609) -> Vec<Claim> {
    let claim = |place, text, found: Option<(bool, String)>| {
        let (verdict, evidence) = match found {
            None => ("not yet measured", String::new()),
            Some((true, evidence)) => ("holds", evidence),
            Some((false, evidence)) => ("does not hold", evidence),
        };
        Claim { place, text, verdict, evidence }
    };
    vec![
        claim(
            "Abstract",
            "OER may allow faster operations than the 1609.2 format does",
            study.faster(Encoding::OerOriginal, Encoding::Binary),
        ),
        claim(
            "Encoding rules",
            "OER is decoded faster than unaligned PER of the same schema",
            study.faster(Encoding::OerOriginal, Encoding::UperOriginal),
        ),
        claim(
            "Alternative schema",
            "Octet alignment makes decoding of unaligned PER faster: the P schema against the original",
            study.faster(Encoding::UperP, Encoding::UperOriginal),
        ),
        claim("Alternative schema", "The P schema has larger encodings", study.larger_p()),
        claim(
            "Alternative schema",
            "In the P schema what is signed begins at an octet border",
            study.aligned(Encoding::UperP),
        ),
        claim(
            "Alternative schema",
            "In the original schema it does not, in unaligned PER",
            study.aligned(Encoding::UperOriginal).map(|(is, why)| (!is, why)),
        ),
        claim(
            "Single-pass processing",
            "With the original schema a message is produced and processed in one pass: what is signed stands in front of its signature",
            study.one_pass([Encoding::UperOriginal, Encoding::OerOriginal]).map(|(held, why)| (held == 0, why)),
        ),
        claim(
            "Alternative schema",
            "The P schema does not preserve one-pass processing, because the signature comes at the start",
            study.one_pass([Encoding::UperP]).map(|(held, why)| (held > 0, why)),
        ),
        claim(
            "Alternative schema",
            "The cost of shifting bits for cryptography, and of memory for it, is a concern in unaligned PER of the original schema",
            study.shifting(),
        ),
        claim(
            "Conclusion",
            "PER and OER are slightly larger than 1609.2 in almost all cases, and differ little from each other",
            study.lengths_compared(),
        ),
        claim(
            "Results",
            "For most codecs the number of optional fields fits the times significantly better than the length does",
            study.fits(),
        ),
        claim(
            "Conclusion",
            "At 1000 messages a second with certificates no encoding takes 1 % of the time",
            study.below_one_percent(),
        ),
        claim(
            "Results",
            "Encoding can be left out: it would not rank the encodings in another order (implied by measuring decoding alone for 1609.2)",
            study.encoding_ranks(),
        ),
    ]
}

impl Ieee1609 {
    /// Of the ten, one direction summed up.
    fn sum(&self, encoding: Encoding, direction: Direction) -> Option<f64> {
        self.ten().iter().map(|(_, of)| self.of_ten(of, encoding, Engine::Toed)?.time(direction)).sum()
    }

    fn faster(&self, one: Encoding, other: Encoding) -> Option<(bool, String)> {
        let (a, b) = (self.sum(one, Direction::Decode)?, self.sum(other, Direction::Decode)?);
        let wins = self.ten().into_iter().filter(|(_, of)| {
            let time = |encoding| self.of_ten(of, encoding, Engine::Toed).and_then(|row| row.time(Direction::Decode));
            time(one).zip(time(other)).is_some_and(|(a, b)| a < b)
        });
        let (wins, ratio) = (wins.count(), b / a);
        let (name, against) = (one.name(), other.name());
        Some((
            ratio > 1.0,
            format!(
                "{name} is decoded in {a:.0} ns in the sum of the ten, {against} in {b:.0}: {ratio:.2} times; faster in {wins} of 10"
            ),
        ))
    }

    fn larger_p(&self) -> Option<(bool, String)> {
        let rows = || self.rows.iter().filter(|row| row.engine == Engine::Toed && row.encoding == Encoding::UperP);
        let mut more: Vec<i64> = Vec::new();
        for row in rows() {
            let original = self.row(&row.message, Encoding::UperOriginal, Engine::Toed)?;
            more.push(row.octets as i64 - original.octets as i64);
        }
        let (least, most) = (more.iter().min()?, more.iter().max()?);
        Some((*least >= 0 && *most > 0, format!("by {least} to {most} octets, over {} messages", more.len())))
    }

    fn aligned(&self, encoding: Encoding) -> Option<(bool, String)> {
        let of = |(_, at, bit): &&(String, Encoding, usize)| (*at == encoding).then_some(*bit);
        let all: Vec<usize> = self.offsets.iter().filter_map(|one| of(&one)).collect();
        let aligned = all.iter().filter(|bit| *bit % 8 == 0).count();
        let mut bits: Vec<usize> = all.iter().map(|bit| bit % 8).collect();
        bits.sort_unstable();
        bits.dedup();
        (!all.is_empty()).then(|| {
            let bits: Vec<String> = bits.iter().map(ToString::to_string).collect();
            (
                aligned == all.len(),
                format!("{aligned} of {} signed messages; bits past an octet border: {}", all.len(), bits.join(", ")),
            )
        })
    }

    /// The most octets that a sender holds back, and what one pass takes.
    fn one_pass<const N: usize>(&self, encodings: [Encoding; N]) -> Option<(usize, String)> {
        let (mut held, mut told) = (0, Vec::new());
        for encoding in encodings {
            let all = self.signed_in(encoding);
            let range = |of: fn(&Passes) -> usize| -> Option<String> {
                let (least, most) = (all.iter().map(|one| of(one)).min()?, all.iter().map(|one| of(one)).max()?);
                Some(if least == most { most.to_string() } else { format!("{least} to {most}") })
            };
            held = held.max(all.iter().map(|one| one.held_by_sender()).max()?);
            let [(one, two), (receiving, again)] = Direction::ALL.map(|direction| {
                let sum = |work| all.iter().map(|one| one.time(direction, work)).sum::<Option<f64>>();
                (sum(Work::OnePass), sum(Work::TwoPasses))
            });
            told.push(format!(
                "{}: a sender holds back {} octets, a receiver keeps {}; hashed in one pass, {} messages are encoded in {:.0} ns (two passes: {:.0}) and decoded in {:.0} (two: {:.0})",
                encoding.name(),
                range(Passes::held_by_sender)?,
                range(Passes::kept_by_receiver)?,
                all.len(),
                one?,
                two?,
                receiving?,
                again?
            ));
        }
        Some((held, told.join("; ")))
    }

    /// What moving bits to octet borders costs a receiver, beside what verifying takes: a concern from a hundredth on.
    fn shifting(&self) -> Option<(bool, String)> {
        let encodings = [Encoding::UperOriginal, Encoding::UperP, Encoding::OerOriginal];
        let mut beyond = Vec::new();
        for encoding in encodings {
            beyond.push(self.beyond(Direction::Decode, encoding)?);
        }
        let all = self.signed_in(encodings[0]);
        let whole = all.iter().map(|one| one.time(Direction::Decode, Work::Signature)).sum::<Option<f64>>()?;
        let bits: usize = all.iter().map(|one| one.moved(Direction::Decode)).sum();
        let share = beyond[0] / whole * 100.0;
        Some((
            share >= 1.0,
            format!(
                "moving {bits} bits of {} messages, without heap: one pass takes {:+.0} ns more than decoding and hashing, where nothing is moved {:+.0} (UPER-P) and {:+.0} (OER); verifying takes {:.0} µs, of which that is {share:.2} %",
                all.len(),
                beyond[0],
                beyond[1],
                beyond[2],
                whole / 1e3
            ),
        ))
    }

    fn lengths_compared(&self) -> Option<(bool, String)> {
        let mut more = [0.0, 0.0];
        let (mut larger, mut apart, ten) = (0, 0.0f64, self.ten());
        for (_, of) in &ten {
            let octets = |encoding| self.of_ten(of, encoding, Engine::Toed).map(|row| row.octets as f64);
            let (uper, oer) = (octets(Encoding::UperOriginal)?, octets(Encoding::OerOriginal)?);
            let binary = octets(Encoding::Binary)?;
            larger += usize::from(uper >= binary && oer >= binary);
            more[0] += uper / binary / ten.len() as f64;
            more[1] += oer / binary / ten.len() as f64;
            apart = apart.max(oer / uper - 1.0);
        }
        let evidence = format!(
            "{larger} of {}: on average UPER-O has {:.0} % more and OER {:.0} %; OER is at most {:.1} % above UPER-O. In messages of one certificate or none it is the same content; the largest has one certificate more in ASN.1",
            ten.len(),
            (more[0] - 1.0) * 100.0,
            (more[1] - 1.0) * 100.0,
            apart * 100.0
        );
        Some((larger + 1 >= ten.len() && apart < 0.05, evidence))
    }

    fn fits(&self) -> Option<(bool, String)> {
        let mut told = Vec::new();
        let mut parts = 0;
        for encoding in ORDER {
            for engine in Engine::ALL {
                let Some(fit) = Fit::of(self, encoding, engine) else { continue };
                parts += usize::from(fit.by_parts.explained > fit.by_size.explained + 0.05);
                told.push(format!(
                    "{} {}: {:.2} and {:.2}",
                    encoding.name(),
                    engine.name(),
                    fit.by_parts.explained,
                    fit.by_size.explained
                ));
            }
        }
        (!told.is_empty())
            .then(|| (2 * parts > told.len(), format!("R² by optional parts and by length: {}", told.join("; "))))
    }

    fn below_one_percent(&self) -> Option<(bool, String)> {
        let mut told = Vec::new();
        let mut most = 0.0f64;
        for encoding in ORDER {
            let time = |message| self.row(message, encoding, Engine::Toed)?.time(Direction::Decode);
            let share = load(1000, 100, time("BSM-digest")?, time("BSM-cert")?) / 1e4;
            most = most.max(share);
            told.push(format!("{} {share:.4} %", encoding.name()));
        }
        Some((most < 1.0, told.join(", ")))
    }

    fn encoding_ranks(&self) -> Option<(bool, String)> {
        let ranking = |direction| {
            let mut all = Vec::new();
            for encoding in ORDER {
                all.push((self.sum(encoding, direction)?, encoding.name()));
            }
            all.sort_by(|a, b| a.0.total_cmp(&b.0));
            Some(all)
        };
        let (encode, decode) = (ranking(Direction::Encode)?, ranking(Direction::Decode)?);
        let names = |all: &[(f64, &'static str)]| all.iter().map(|one| one.1).collect::<Vec<_>>();
        let told = |all: &[(f64, &str)]| {
            all.iter().map(|(time, name)| format!("{name} {time:.0}")).collect::<Vec<_>>().join(", ")
        };
        Some((
            names(&encode) == names(&decode),
            format!("sums of the ten, ns: encoding {}; decoding {}", told(&encode), told(&decode)),
        ))
    }
}
