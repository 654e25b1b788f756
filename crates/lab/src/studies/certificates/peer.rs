//! Another implementation with the same certificates.

use roadwire_layout::{Family, Rules};
use roadwire_papers::certificate_2017::Certificate;
use serde::{Deserialize, Serialize};

use super::codec::Codec;
use super::generator::Generator;
use roadwire_measure::cell::{Direction, Done, Sample, Transcode};
use roadwire_peers::content::Schema;
use roadwire_peers::{Engine, Kind};

/// The shortest sample of a program of its own, nanoseconds: it finds the caches cold when its turn
/// comes.
const LEAST_SAMPLE: f64 = 1e6;
/// A sample is at least as long as so many steps of the program's clock.
const STEPS: f64 = 100.0;

/// An implementation that has the certificates in some encoding.
pub(super) struct Peer {
    pub(super) engine: String,
    pub(super) version: String,
    pub(super) rules: Rules,
    codec: Box<dyn Transcode>,
    /// The certificates as it writes them.
    pub(super) encodings: Vec<Vec<u8>>,
}

/// An implementation whose times do not count in an encoding, because it has other certificates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refused {
    /// How certificates were drawn.
    pub generator: Generator,
    /// Who wrote the codec.
    pub engine: String,
    /// The encoding rules.
    pub rules: String,
    /// The first certificate that differs, and how.
    pub why: String,
}

impl Peer {
    /// All that have this encoding and the same certificates in it, and why others have not.
    pub(super) fn all(
        generator: Generator,
        codec: &dyn Codec,
        encodings: &[Vec<u8>],
        engines: &[Box<dyn Engine>],
    ) -> (Vec<Peer>, Vec<Refused>) {
        let (mut peers, mut refused) = (Vec::new(), Vec::new());
        // Nobody else is asked for rules of the laboratory.
        let is_standard = codec.name() == codec.rules().name();
        for engine in engines.iter().filter(|engine| is_standard && engine.kind() == Kind::Peer) {
            let Ok(mut theirs) = engine.transcoder(Schema::Certificate2017, codec.rules()) else { continue };
            let (name, version) = (engine.name().to_owned(), engine.version().to_owned());
            let confirmed = encodings.iter().enumerate().map(|(at, octets)| {
                let again = confirm(codec, theirs.as_mut(), octets);
                again.map_err(|why| format!("certificate {at}: {why}"))
            });
            match confirmed.collect() {
                Ok(encodings) => {
                    peers.push(Peer { engine: name, version, rules: codec.rules(), codec: theirs, encodings })
                }
                Err(why) => refused.push(Refused { generator, engine: name, rules: codec.name().into(), why }),
            }
        }
        (peers, refused)
    }

    pub(super) fn is_inside(&self) -> bool {
        self.codec.is_inside()
    }

    pub(super) fn least_sample(&mut self, direction: Direction) -> Option<f64> {
        let step = (!self.is_inside()).then(|| self.codec.clock_step(&self.encodings, direction))?;
        Some((STEPS * step).max(LEAST_SAMPLE))
    }

    /// Times going through all certificates `passes` times, so that none occurs twice in a row.
    pub(super) fn time(&mut self, direction: Direction, passes: usize) -> Sample {
        if !self.is_inside() {
            return self.codec.time(&self.encodings, direction, passes as u64);
        }
        let once = (0..passes).map(|_| self.codec.time(&self.encodings, direction, 1));
        let none = Sample { cpu: 0.0, wall: 0.0, done: Done::default() };
        once.fold(none, |sum, one| Sample {
            cpu: sum.cpu + one.cpu,
            wall: sum.wall + one.wall,
            done: sum.done.and(one.done),
        })
    }
}

/// The certificate as the other implementation writes it: the same octets, or where the rules leave
/// a choice to the encoder, the same value.
fn confirm(codec: &dyn Codec, theirs: &mut dyn Transcode, octets: &[u8]) -> Result<Vec<u8>, String> {
    let again = theirs.recode(octets, octets)?;
    if again == octets {
        return Ok(again);
    }
    if !has_choices(codec.rules()) {
        return Err(format!("other octets in {}", codec.rules()));
    }
    let (mut ours, mut read) = (Certificate::default(), Certificate::default());
    codec.decode(octets, &mut ours)?;
    codec.decode(&again, &mut read).map_err(|why| format!("its octets are refused: {why}"))?;
    if ours != read {
        return Err("another value".into());
    }
    // Its own text has to come back from it.
    match theirs.recode(&again, &again)? {
        same if same == again => Ok(again),
        _ => Err("other octets the second time".into()),
    }
}

/// Whether the encoder of a certificate has a choice: the forms of lengths in BER and OER, and the
/// white space of texts.
fn has_choices(rules: Rules) -> bool {
    rules.canonical_of().is_none() && matches!(rules.family(), Family::Tlv | Family::Octet | Family::Xml | Family::Json)
}
