//! The received power of a frame, and the share of frames lost at a signal-to-noise ratio.

/// Transmitters, receivers, and the path between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Radio {
    /// Power of a transmitter with its antenna, in dBm.
    pub power_dbm: f64,
    /// The least power at which a receiver notices a frame, and the channel counts as busy, in dBm.
    pub sense_dbm: f64,
    /// Noise in 10 MHz with that of the receiver, in dBm.
    pub noise_dbm: f64,
    /// Standard deviation of shadowing, in dB: log-normal, and drawn anew for each frame and
    /// receiver.
    pub shadow_db: f64,
    /// Which share of frames is lost: signal-to-noise-and-interference ratio in dB, and the share,
    /// 0 to 1. In ascending order; straight lines in between, and constant beyond the ends.
    pub losses: Vec<(f64, f64)>,
}

impl Radio {
    /// That of Sepulcre et al., "Analytical Models of the Performance of IEEE 802.11p Vehicle to
    /// Vehicle Communications", IEEE Trans. Veh. Technol. 2021, for 6 Mbit/s: 23 dBm, -85 dBm, -95
    /// dBm, 3 dB. The losses are those that they read off Figure 14 of Goubet et al.,
    /// "Low-Complexity Scalable Iterative Algorithms for IEEE 802.11p Receivers", IEEE Trans. Veh.
    /// Technol. 64(9), 2015, over Eb/N0, which is 10 log10(10 / 6) = 2.2 dB above the ratio at 6
    /// Mbit/s in 10 MHz.
    #[must_use]
    pub fn sepulcre() -> Radio {
        let bit_over_noise = 10.0 * (10.0f64 / 6.0).log10();
        let losses =
            [(5.0, 1.0), (10.0, 0.4), (15.0, 0.015), (20.0, 0.004), (25.0, 0.003), (30.0, 0.002), (35.0, 0.001)];
        Radio {
            power_dbm: 23.0,
            sense_dbm: -85.0,
            noise_dbm: -95.0,
            shadow_db: 3.0,
            losses: losses.map(|(over, share)| (over - bit_over_noise, share)).to_vec(),
        }
    }

    /// Which share of frames is lost at a ratio of powers.
    pub(super) fn loss(&self, ratio: f64) -> f64 {
        let decibels = 10.0 * ratio.log10();
        let after = self.losses.partition_point(|(at, _)| *at <= decibels);
        match (after.checked_sub(1).and_then(|before| self.losses.get(before)), self.losses.get(after)) {
            (Some(before), Some(after)) => {
                before.1 + (after.1 - before.1) * (decibels - before.0) / (after.0 - before.0)
            }
            (Some(end), None) | (None, Some(end)) => end.1,
            (None, None) => 0.0,
        }
    }

    /// The factors of shadowing: as many quantiles of the log-normal distribution, each as likely
    /// as the others.
    pub(super) fn shadows(&self) -> Vec<f64> {
        let mut factors = Vec::with_capacity(SHADOWS);
        let (mut below, mut z) = (0.0, -6.0f64);
        const STEP: f64 = 1.0 / 4096.0;
        for quantile in 0..SHADOWS {
            let wanted = (quantile as f64 + 0.5) / SHADOWS as f64;
            while below < wanted && z < 6.0 {
                let middle = z + STEP / 2.0;
                below += (-middle * middle / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * STEP;
                z += STEP;
            }
            factors.push(milliwatts(z * self.shadow_db));
        }
        factors
    }
}

/// How many factors of shadowing there are.
pub(super) const SHADOWS: usize = 4096;

/// dBm as milliwatts.
pub(super) fn milliwatts(dbm: f64) -> f64 {
    10f64.powf(dbm / 10.0)
}

/// The path loss in dB over so many metres, at 5.89 GHz between antennas 1.5 m high: WINNER+ B1 in
/// line of sight (WINNER+ D5.3 Table 4-1), as TR 36.885 §A.1.4 takes it for vehicles, with an
/// effective height of 1 m; no less than in free space, and that of 3 m for all that is nearer.
#[must_use]
pub fn path_loss_db(metres: f64) -> f64 {
    const GIGAHERTZ: f64 = 5.89;
    let distance = metres.max(3.0);
    let breakpoint = 4.0 * GIGAHERTZ / 0.3;
    let loss = if distance < breakpoint {
        22.7 * distance.log10() + 27.0 + 20.0 * GIGAHERTZ.log10()
    } else {
        40.0 * distance.log10() + 7.56 + 2.7 * GIGAHERTZ.log10()
    };
    let free = 20.0 * distance.log10() + 46.4 + 20.0 * (GIGAHERTZ / 5.0).log10();
    loss.max(free)
}
