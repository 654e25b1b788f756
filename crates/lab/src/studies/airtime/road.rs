//! Simulated roads: reception over distance, and what holds the simulation.

use roadwire_airtime::road::{Outcome, Road, SEPULCRE};
use roadwire_airtime::saturation::Saturation;
use roadwire_airtime::{Access, Rate};
use serde::{Deserialize, Serialize};

use super::measured::{HERTZ, RATE};
use crate::progress::Progress;
use crate::record::Run;

/// A road on which all stations send a CAM ten times a second, one of ten with the certificate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Simulated {
    /// Stations a kilometre.
    pub per_km: u32,
    /// How long a CAM is on the air in microseconds: with digest, with certificate.
    pub frames_us: [u32; 2],
    /// The channel load, 0 to 1.
    pub load: f64,
    /// The packet reception ratio every 25 m from 0 to 500 m.
    pub reception: Vec<f64>,
}

/// A road of a published simulation, simulated by ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Held {
    /// Stations a kilometre.
    pub per_km: u32,
    /// Messages of each station a second.
    pub hertz: f64,
    /// Octets of the PSDU.
    pub octets: u32,
    /// Our channel load.
    pub load: f64,
    /// Our packet reception ratio every 25 m from 0 to 500 m.
    pub reception: Vec<f64>,
    /// Theirs.
    pub published: Vec<f64>,
}

/// Stations side by side that always have something to send.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Saturated {
    /// How many.
    pub stations: u32,
    /// Their access category.
    pub access: String,
    /// How long their frames are on the air, in microseconds.
    pub frame_us: u32,
    /// The share of frames that collide: in closed form, and simulated.
    pub collides: [f64; 2],
    /// The share of time in which one frame alone is on the air: in closed form, and simulated.
    pub throughput: [f64; 2],
}

/// The greatest mean difference over the distances from a published simulation that passes. The
/// busiest of their roads is at 0.023 (docs/decisions/35-airtime.md), and each run has its own
/// seed.
const MEAN_DIFFERENCE: f64 = 0.04;
/// The same beside the closed form: the difference of two shares. In a quick run chance makes 0.005
/// of it (standard deviation).
const CLOSED_FORM: f64 = 0.03;

impl Simulated {
    /// The packet reception ratio at a distance that is a multiple of 25 m.
    #[must_use]
    pub fn at(&self, metres: u32) -> Option<f64> {
        if metres % 25 == 0 { self.reception.get(metres as usize / 25).copied() } else { None }
    }

    /// How far nine of ten messages arrive, in metres: where the straight lines between the points
    /// first fall below.
    #[must_use]
    pub fn range(&self) -> Option<f64> {
        const WANTED: f64 = 0.9;
        let at = self.reception.iter().position(|share| *share < WANTED)?;
        let [before, after] = [*self.reception.get(at.checked_sub(1)?)?, self.reception[at]];
        Some(25.0 * ((at - 1) as f64 + (before - WANTED) / (before - after)))
    }
}

impl Held {
    /// The differences between ours and theirs: mean and largest.
    #[must_use]
    pub fn differences(&self) -> [f64; 2] {
        let all: Vec<f64> =
            self.reception.iter().zip(&self.published).map(|(ours, theirs)| (ours - theirs).abs()).collect();
        [all.iter().sum::<f64>() / all.len().max(1) as f64, all.iter().copied().fold(0.0, f64::max)]
    }

    /// Which road it is.
    #[must_use]
    pub fn name(&self) -> String {
        // Without MAC header and frame check sequence, as they count.
        format!("{} a km, {} Hz, {} octets", self.per_km, self.hertz, self.octets - 30)
    }

    /// Why it is not theirs.
    pub(super) fn fault(&self) -> Option<String> {
        let [mean, _] = self.differences();
        (mean > MEAN_DIFFERENCE).then(|| format!("{}: {mean:.3} beside the published reception", self.name()))
    }
}

impl Saturated {
    /// The greater difference of the two shares, of what collides and of the time alone: 0 to 1.
    /// Where nearly all frames collide, few do not, and a part of these would be chance.
    #[must_use]
    pub fn difference(&self) -> f64 {
        let [collides, alone] = [self.collides, self.throughput].map(|[known, found]| (found - known).abs());
        collides.max(alone)
    }

    /// Why it is not the closed form.
    pub(super) fn fault(&self) -> Option<String> {
        let difference = self.difference();
        let who = || format!("{} saturated stations in {}", self.stations, self.access);
        (difference > CLOSED_FORM).then(|| format!("{}: {difference:.3} beside the closed form", who()))
    }
}

fn reception(outcome: &Outcome) -> Vec<f64> {
    outcome.distances.iter().map(|distance| distance.reception().unwrap_or(0.0)).collect()
}

fn outcome(road: &Road) -> Result<Outcome, String> {
    road.run().map_err(|why| why.to_string())
}

/// Simulates a road for each density and each pair of times.
pub(super) fn simulate(run: &Run, cams: &[[u32; 2]], progress: &dyn Progress) -> Result<Vec<Simulated>, String> {
    // Whole seconds: in each a station sends its certificate once.
    let (densities, seconds): (&[u32], f64) = if run.quick { (&[60, 120], 2.0) } else { (&[60, 120, 240], 5.0) };
    let mut roads = Vec::new();
    for per_km in densities {
        for frames_us in cams {
            progress.step("airtime, roads", roads.len(), densities.len() * cams.len());
            let mut frames = vec![frames_us[0]; HERTZ as usize];
            frames[0] = frames_us[1];
            let road = Road { frames_us: frames, seconds, seed: run.seed, ..Road::sepulcre(*per_km, HERTZ, 0) };
            let outcome = outcome(&road)?;
            let reception = reception(&outcome);
            roads.push(Simulated { per_km: *per_km, frames_us: *frames_us, load: outcome.load, reception });
        }
    }
    Ok(roads)
}

/// Simulates the published roads.
pub(super) fn hold(run: &Run, progress: &dyn Progress) -> Result<Vec<Held>, String> {
    let mut held = Vec::new();
    for published in SEPULCRE {
        progress.step("airtime, published roads", held.len(), SEPULCRE.len());
        let frame = RATE.airtime_us(published.octets).map_err(|why| why.to_string())?;
        let seconds = if run.quick { 2.0 } else { 10.0 };
        let road = Road { seconds, seed: run.seed, ..Road::sepulcre(published.per_km, published.hertz, frame) };
        let outcome = outcome(&road)?;
        held.push(Held {
            per_km: published.per_km,
            hertz: published.hertz,
            octets: published.octets,
            load: outcome.load,
            reception: reception(&outcome),
            published: published.reception.into(),
        });
    }
    Ok(held)
}

/// Simulates saturated stations.
pub(super) fn saturate(run: &Run, progress: &dyn Progress) -> Result<Vec<Saturated>, String> {
    const CASES: [(u32, Access, u32); 6] = [
        (2, Access::BestEffort, 216),
        (10, Access::BestEffort, 216),
        (30, Access::BestEffort, 216),
        (10, Access::BestEffort, 527),
        (5, Access::Video, 374),
        (3, Access::Voice, 374),
    ];
    let mut saturated = Vec::new();
    for (stations, access, octets) in CASES {
        progress.step("airtime, saturated stations", saturated.len(), CASES.len());
        let frame_us = Rate::Mbps6.airtime_us(octets).map_err(|why| why.to_string())?;
        let seconds = if run.quick { 5.0 } else { 20.0 };
        let road = Road { seconds, seed: run.seed, ..Road::side_by_side(stations, access, frame_us) };
        let outcome = outcome(&road)?;
        let known = Saturation::of(stations, access, frame_us);
        // All receivers are at one distance, and one that sends is one of those that collide.
        let received = outcome.distances.first().and_then(|near| near.reception()).unwrap_or(0.0);
        saturated.push(Saturated {
            stations,
            access: access.name().into(),
            frame_us,
            collides: [known.collides, 1.0 - received],
            throughput: [known.throughput, outcome.alone],
        });
    }
    Ok(saturated)
}
