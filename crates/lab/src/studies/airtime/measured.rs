//! Measuring: octets of each message in each encoding, from which times on the channel follow; and
//! the roads.

use roadwire_airtime::{Frame, Rate, Security, load, lte, nr};
use roadwire_layout::Rules;
use serde::{Deserialize, Serialize};

use super::contents::{CAM, CONTENTS, Content};
use super::road::{self, Held, Saturated, Simulated};
use crate::interpreted::Interpreted;
use crate::progress::Progress;
use crate::record::Run;

/// Messages a second, where nothing else is said.
pub(super) const HERTZ: f64 = 10.0;

/// The rate of CAM and DENM.
pub(super) const RATE: Rate = Rate::Mbps6;

/// The envelopes of the CAM that the road is simulated with: usually, and once a second.
pub(super) const ENVELOPES: [Security; 2] = [Security::DotTwoDigest, Security::DotTwoCertificate];

/// The study's measurements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Airtime {
    /// The run.
    pub run: Run,
    /// One for each message and encoding.
    pub lengths: Vec<Length>,
    /// Simulated roads: one for each density and time of a CAM on the air.
    pub roads: Vec<Simulated>,
    /// Roads of a published simulation.
    pub held: Vec<Held>,
    /// Saturated stations beside the closed form.
    pub saturated: Vec<Saturated>,
}

/// How long a message is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Length {
    /// The message's name.
    pub message: String,
    /// The encoding rules.
    #[serde(with = "crate::rules")]
    pub rules: Rules,
    /// The message's octets.
    pub octets: u32,
}

/// The rules of ASN.1.
pub(super) fn rules() -> impl Iterator<Item = Rules> {
    Rules::ALL.into_iter().filter(|rules| *rules != Rules::Tls)
}

/// Measures.
///
/// # Errors
/// An error in the study's own files, or a road that cannot be simulated.
pub(super) fn run(run: &Run, progress: &dyn Progress) -> Result<Airtime, String> {
    let mut study = Airtime::of(run);
    study.measure_lengths(progress)?;
    let cams = study.cam_frames();
    study.roads = road::simulate(run, &cams, progress)?;
    study.held = road::hold(run, progress)?;
    study.saturated = road::saturate(run, progress)?;
    Ok(study)
}

impl Airtime {
    /// Nothing measured yet.
    pub(super) fn of(run: &Run) -> Airtime {
        Airtime { run: run.clone(), lengths: Vec::new(), roads: Vec::new(), held: Vec::new(), saturated: Vec::new() }
    }

    fn measure_lengths(&mut self, progress: &dyn Progress) -> Result<(), String> {
        for (done, content) in CONTENTS.iter().enumerate() {
            progress.step("airtime, lengths", done, CONTENTS.len());
            let (schema, jer) = content.value()?;
            for rules in rules() {
                let told = |why: String| format!("{} in {rules}: {why}", content.name);
                let octets = Interpreted::shipped(schema, rules)?.octets(&jer).map_err(told)?.len();
                let octets = u32::try_from(octets).map_err(|why| told(why.to_string()))?;
                self.lengths.push(Length { message: content.name.into(), rules, octets });
            }
        }
        Ok(())
    }

    /// The times of a CAM with digest and with certificate, of all encodings, each once.
    fn cam_frames(&self) -> Vec<[u32; 2]> {
        let mut frames: Vec<[u32; 2]> = rules().filter_map(|rules| self.cam_us(rules)).collect();
        frames.sort_unstable();
        frames.dedup();
        frames
    }

    /// The times of a CAM with digest and with certificate, in microseconds, where a frame holds
    /// both.
    pub(super) fn cam_us(&self, rules: Rules) -> Option<[u32; 2]> {
        let [digest, certificate] = ENVELOPES.map(|security| self.us(CAM, rules, security));
        Some([digest?, certificate?])
    }

    /// The octets of a message.
    #[must_use]
    pub fn octets(&self, message: &str, rules: Rules) -> Option<u32> {
        let found = self.lengths.iter().find(|one| one.message == message && one.rules == rules);
        found.map(|length| length.octets)
    }

    /// A message in its frame.
    #[must_use]
    pub fn frame(&self, message: &str, rules: Rules, security: Security) -> Option<Frame> {
        let content = Content::find(message)?;
        let frame = Frame::new(self.octets(message, rules)?, content.transport, security);
        Some(if content.is_denm() { frame.with_place() } else { frame })
    }

    /// How long it is on the air at 6 Mbit/s, in microseconds; none if no frame holds it.
    #[must_use]
    pub fn us(&self, message: &str, rules: Rules, security: Security) -> Option<u32> {
        self.frame(message, rules, security)?.airtime_us(RATE).ok()
    }

    /// How many stations that send it ten times a second make a load of 0.6.
    #[must_use]
    pub fn stations(&self, message: &str, rules: Rules, security: Security) -> Option<u64> {
        Some(load::stations(load::LIMIT, HERTZ, self.us(message, rules, security)?.into()))
    }

    /// The same in LTE-V2X, with the subchannels that a message takes of a subframe.
    pub(super) fn lte(&self, message: &str, rules: Rules, security: Security) -> Option<(u32, u64)> {
        let packet = self.frame(message, rules, security)?.packet();
        let taken = lte::DEFAULT.occupied(packet).ok()?.subchannels;
        Some((taken, fleet(lte::DEFAULT.load(packet, HERTZ).ok()?)))
    }

    /// The same in NR-V2X, with the subchannels that a message takes of a slot.
    pub(super) fn nr(&self, message: &str, rules: Rules, security: Security) -> Option<(u32, u64)> {
        let packet = self.frame(message, rules, security)?.packet();
        let taken = nr::DEFAULT.occupied(packet).ok()?.subchannels;
        Some((taken, fleet(nr::DEFAULT.load(packet, HERTZ).ok()?)))
    }

    /// The time of a CAM on average over a second in which one of its ten messages has the
    /// certificate, in microseconds, and the share of it that the certificate takes, 0 to 1.
    pub(super) fn certificate_share(&self, rules: Rules, digest: Security) -> Option<(f64, f64)> {
        let usual = f64::from(self.us(CAM, rules, digest)?);
        let longer = f64::from(self.us(CAM, rules, digest.with_certificate()?)?);
        let average = load::average(usual, longer, HERTZ);
        Some((average, (average - usual) / average))
    }
}

/// How many stations make a load of 0.6, each of which takes such a share.
fn fleet(share: f64) -> u64 {
    load::stations(load::LIMIT, 1.0, share * 1e6)
}
