//! A simulated road: stations that send to all, sense the carrier, and do not hear all others.
//!
//! Time goes from event to event, in whole microseconds. A station sends when its access category
//! allows (EDCA, IEEE 802.11-2016 §10.22.2): at once if the channel has been idle for AIFS, else
//! after a backoff that stands still while the channel is busy. Nothing is acknowledged or
//! repeated. A new message replaces one that is still pending.
//!
//! **Sensing.** A station senses a frame that arrives with [`Radio::sense_dbm`] or more, one slot
//! after its beginning and up to its end. Two stations that begin within a slot do not notice each
//! other.
//!
//! **Reception.** An idle receiver takes the first frame that it can sense; of several that begin
//! in the same microsecond, the strongest. What begins later only disturbs. At the frame's end it
//! is lost with the share that [`Radio::losses`] has for its power over noise and the most
//! interference that there was.
//!
//! **The road** is a ring, so it has no ends. Stations do not move: within milliseconds that makes
//! no difference. Frames end at 1000 m.
//!
//! Not simulated: the longer wait after a damaged frame (EIFS), two access categories in one
//! station, capture of a later and stronger frame, travel time of waves.

mod published;
mod radio;
mod simulation;

use core::fmt;

use crate::Access;

pub use published::{Published, SEPULCRE};
pub use radio::{Radio, path_loss_db};

/// The parameters of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Road {
    /// Around the ring, in metres.
    pub metres: f64,
    /// Stations: evenly spread, each moved by up to half the distance to the next.
    pub stations: u32,
    /// The traffic that they send.
    pub traffic: Traffic,
    /// How long the frames are on the air, in microseconds; each station takes one after the other,
    /// and begins again.
    pub frames_us: Vec<u32>,
    /// The stations' access categories: in turn.
    pub access: Vec<Access>,
    /// Transmitters and receivers.
    pub radio: Radio,
    /// Simulated time that counts, in seconds. One message of each station is sent before.
    pub seconds: f64,
    /// Where random numbers begin: the same seed gives the same outcome.
    pub seed: u64,
}

/// When stations have messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Traffic {
    /// So many a second, each at any time of its period.
    Hertz(f64),
    /// Always.
    Saturated,
}

/// The result of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Frames that were sent in the time that counts.
    pub frames: u64,
    /// Messages that were replaced before they were sent.
    pub replaced: u64,
    /// The share of time in which a station senses a frame or sends, on average over the stations:
    /// 0 to 1.
    pub load: f64,
    /// The share of time in which exactly one station sends: 0 to 1.
    pub alone: f64,
    /// The fate of frames by distance: every 25 m up to 500 m, each with the receivers nearest to
    /// it.
    pub distances: Vec<Distance>,
}

/// The fate of frames at receivers at a distance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distance {
    /// The distance in metres.
    pub metres: u32,
    /// Received.
    pub received: u64,
    /// Lost: too weak to be sensed.
    pub weak: u64,
    /// Lost: the receiver was receiving another one.
    pub busy: u64,
    /// Lost: the receiver was sending.
    pub sending: u64,
    /// Lost: noise.
    pub noise: u64,
    /// Lost: it would have been received without the interference of others.
    pub collided: u64,
}

impl Distance {
    /// All frames, received or not.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.received + self.weak + self.busy + self.sending + self.noise + self.collided
    }

    /// The packet reception ratio: 0 to 1; none if there was no receiver at this distance.
    #[must_use]
    pub fn reception(&self) -> Option<f64> {
        (self.all() > 0).then(|| self.received as f64 / self.all() as f64)
    }
}

/// A road that cannot be simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unusable(&'static str);

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Unusable {}

impl Road {
    /// The road of Sepulcre et al. (see [`Radio::sepulcre`]): a ring of 5 km with so many stations
    /// a kilometre, all in [`Access::BestEffort`].
    #[must_use]
    pub fn sepulcre(stations_per_km: u32, hertz: f64, frame_us: u32) -> Road {
        Road {
            metres: 5000.0,
            stations: stations_per_km.saturating_mul(5),
            traffic: Traffic::Hertz(hertz),
            frames_us: vec![frame_us],
            access: vec![Access::BestEffort],
            radio: Radio::sepulcre(),
            seconds: 10.0,
            seed: 1,
        }
    }

    /// Stations side by side that always have something to send: everyone hears everyone, and of
    /// two frames that begin together none is received. What [`crate::saturation`] knows in closed
    /// form.
    #[must_use]
    pub fn side_by_side(stations: u32, access: Access, frame_us: u32) -> Road {
        Road {
            metres: 1.0,
            stations,
            traffic: Traffic::Saturated,
            frames_us: vec![frame_us],
            access: vec![access],
            radio: Radio { shadow_db: 0.0, losses: vec![(0.5, 1.0), (1.0, 0.0)], ..Radio::sepulcre() },
            seconds: 20.0,
            seed: 7,
        }
    }

    /// Simulates it. Takes time in proportion to the frames and the stations within 1000 m of each.
    ///
    /// # Errors
    /// No stations or more than 10,000, or more than 20 million pairs that hear each other; no
    /// frames, or one that takes less than 40 µs or more than 10 ms; a rate below 0.01 or above
    /// 1000 messages a second; a length or time that is not above 0, or above 1000 km or 1000 s; no
    /// access category; losses that are not in ascending order.
    pub fn run(&self) -> Result<Outcome, Unusable> {
        self.check()?;
        simulation::run(self)
    }

    fn check(&self) -> Result<(), Unusable> {
        let within = |value: f64, least: f64, most: f64| (least..=most).contains(&value);
        let rate = match self.traffic {
            Traffic::Hertz(hertz) => within(hertz, 0.01, 1000.0),
            Traffic::Saturated => true,
        };
        let radio = &self.radio;
        let levels = [radio.power_dbm, radio.sense_dbm, radio.noise_dbm];
        let ascending = radio.losses.windows(2).all(|two| two[0].0 < two[1].0);
        let shares = radio.losses.iter().all(|(at, share)| at.is_finite() && within(*share, 0.0, 1.0));
        let demands = [
            (within(self.metres, 1e-3, 1e6), "the road has 0.001 to 1,000,000 metres"),
            ((1..=10_000).contains(&self.stations), "a road has 1 to 10,000 stations"),
            (rate, "a station sends 0.01 to 1000 messages a second"),
            (!self.frames_us.is_empty(), "there are no frames to send"),
            (self.frames_us.iter().all(|time| (40..=10_000).contains(time)), "a frame takes 40 to 10,000 microseconds"),
            (!self.access.is_empty(), "there is no access category"),
            (within(self.seconds, 1e-3, 1000.0), "0.001 to 1000 seconds are simulated"),
            (levels.iter().all(|level| within(*level, -200.0, 100.0)), "a level is -200 to 100 dBm"),
            (within(radio.shadow_db, 0.0, 20.0), "shadowing has 0 to 20 dB"),
            (ascending && shares, "losses are shares of 0 to 1 in ascending order of the ratio"),
        ];
        demands.into_iter().find(|(is_met, _)| !is_met).map_or(Ok(()), |(_, what)| Err(Unusable(what)))
    }
}
