//! Guesses for octets of unknown origin, also for packets: for `roadwire guess`, and for other
//! languages' packages.

use roadwire::{Guess, Guesser, Violation};
use roadwire_capture::Dissection;

/// A guess for octets.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// A shipped schema, such as `cam-1.4.1`; or `geonetworking-1` with the version of the packet.
    pub schema: String,
    /// `Module.Type`; of a packet its type, such as `shb`.
    pub type_name: String,
    /// The encoding rules; `geonetworking` of a packet.
    pub rules: &'static str,
    /// From 0 to 1: how sure it is.
    pub score: f64,
    /// The reasons.
    pub why: Vec<String>,
    /// The constraints that the value breaks.
    pub violations: Vec<Violation>,
}

/// Guesses for octets of unknown origin, the best first: a whole GeoNetworking packet, and a
/// guesser's answers.
#[must_use]
pub fn answers(guesser: &Guesser, octets: &[u8]) -> Vec<Answer> {
    let mut answers: Vec<Answer> = packet(guesser, octets).into_iter().collect();
    answers.extend(guesser.guess(octets).into_iter().map(Answer::from));
    answers
}

impl From<Guess> for Answer {
    fn from(guess: Guess) -> Self {
        Answer {
            schema: guess.schema.to_owned(),
            type_name: guess.type_name.to_owned(),
            rules: guess.rules.name(),
            score: guess.score,
            why: guess.why,
            violations: guess.violations,
        }
    }
}

/// The answer for a GeoNetworking packet (EN 302 636-4-1): all headers can be read, reserved octets
/// are zero, and the payload is as long as its header says.
fn packet(guesser: &Guesser, octets: &[u8]) -> Option<Answer> {
    let found = Dissection::of_geonetworking(octets);
    let (basic, common) = (found.basic?, found.common?);
    let is_whole = found.problem.is_none() && found.payload_at.end == found.frame.len() || found.envelope.is_some();
    if found.problem.is_some() || basic.reserved != 0 || !is_whole {
        return None;
    }
    let mut why = vec![format!("headers of version {}, {} octets", basic.version, found.payload_at.start)];
    why.push("reserved octets are zero".to_owned());
    why.push(
        if found.envelope.is_some() { "a security envelope is around it" } else { "its length is right" }.to_owned(),
    );
    if let Some(message) = found.message() {
        why.push(match guesser.guess(message).first() {
            Some(inside) => format!("inside is {} in {}, score {:.3}", inside.schema, inside.rules, inside.score),
            None => "its content matches no known schema".to_owned(),
        });
    }
    Some(Answer {
        schema: format!("geonetworking-{}", basic.version),
        type_name: common.packet_type.name().to_owned(),
        rules: "geonetworking",
        score: 1.0 - AGREED,
        why,
        violations: Vec::new(),
    })
}

/// The chance that random octets have these headers: 2 octets of length, 2 of zeros, and the
/// numbers of version and headers, of 4 bits each.
const AGREED: f64 = 1.0 / (1_u64 << 40) as f64;
