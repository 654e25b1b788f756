//! How often a station may send: decentralized congestion control of TS 102 687 V1.2.1.

/// A state of the reactive rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Its name in the standard.
    pub name: &'static str,
    /// The state holds from this channel load on, 0 to 1.
    pub from: f64,
    /// Messages a second at most.
    pub hertz: f64,
}

const fn state(name: &'static str, from: f64, hertz: f64) -> State {
    State { name, from, hertz }
}

/// Frames of at most 1 ms (Table A.1).
pub const UP_TO_1_MS: [State; 5] = [
    state("Relaxed", 0.0, 10.0),
    state("Active 1", 0.3, 5.0),
    state("Active 2", 0.4, 2.5),
    state("Active 3", 0.5, 2.0),
    state("Restrictive", 0.6, 1.0),
];

/// Frames of at most 0.5 ms (Table A.2).
pub const UP_TO_HALF_MS: [State; 5] = [
    state("Relaxed", 0.0, 20.0),
    state("Active 1", 0.3, 10.0),
    state("Active 2", 0.4, 5.0),
    state("Active 3", 0.5, 4.0),
    state("Restrictive", 0.65, 1.0),
];

/// The reactive rule's state at a channel load, for frames of so many microseconds (§5.3 and Annex
/// A). There is none for frames of more than 1 ms.
#[must_use]
pub fn reactive(load: f64, frame_us: u32) -> Option<State> {
    let states = match frame_us {
        0..=500 => &UP_TO_HALF_MS,
        501..=1000 => &UP_TO_1_MS,
        _ => return None,
    };
    states.iter().rev().find(|state| state.from <= load).copied().or(Some(states[0]))
}

/// The adaptive rule (§5.4): each station holds the share of time in which it may send, and moves
/// it every 200 ms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// The share of time in which the station may send: 0.0006 to 0.03.
    pub share: f64,
}

// Table 3.
const ALPHA: f64 = 0.016;
const BETA: f64 = 0.0012;
const TARGET: f64 = 0.68;
const MOST: f64 = 0.03;
const LEAST: f64 = 0.0006;
const STEP_UP: f64 = 0.0005;
const STEP_DOWN: f64 = -0.00025;
/// No more often than every 25 ms, no less often than every second (§5.4).
const HERTZ: [f64; 2] = [1.0, 40.0];

impl Adaptive {
    /// The share after 200 ms in which the channel load was `load`.
    #[must_use]
    pub fn next(self, load: f64) -> Adaptive {
        let step = (BETA * (TARGET - load)).clamp(STEP_DOWN, STEP_UP);
        Adaptive { share: ((1.0 - ALPHA) * self.share + step).clamp(LEAST, MOST) }
    }

    /// The share at which `stations` that all hear each other come to rest, each of which sends as
    /// much as it may: `beta * target / (alpha + beta * stations)`, within its bounds.
    #[must_use]
    pub fn at_rest(stations: u32) -> Adaptive {
        let share = BETA * TARGET / (ALPHA + BETA * f64::from(stations));
        Adaptive { share: share.clamp(LEAST, MOST) }
    }

    /// Messages a second at most, for frames of so many microseconds.
    #[must_use]
    pub fn hertz(self, frame_us: u32) -> f64 {
        (self.share * 1e6 / f64::from(frame_us.max(1))).clamp(HERTZ[0], HERTZ[1])
    }
}
