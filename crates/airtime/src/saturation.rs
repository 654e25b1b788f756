//! A closed form for stations that always have something to send and all hear each other: Bianchi,
//! "Performance Analysis of the IEEE 802.11 Distributed Coordination Function", IEEE JSAC 18(3),
//! 2000, for a window that never grows, since a broadcast is never repeated.

use crate::{Access, SLOT_US};

/// Saturated stations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saturation {
    /// The chance that a station sends in a slot: `2 / (W + 1)`, with W = CW + 1 (Bianchi's
    /// equation 8).
    pub sends: f64,
    /// The chance that a frame collides: `1 - (1 - sends) ^ (stations - 1)`.
    pub collides: f64,
    /// The share of time in which one frame alone is on the air.
    pub throughput: f64,
}

impl Saturation {
    /// Of so many stations, whose frames take so many microseconds.
    #[must_use]
    pub fn of(stations: u32, access: Access, frame_us: u32) -> Saturation {
        let sends = 2.0 / f64::from(access.contention_window() + 2);
        let others_are_silent = (1.0 - sends).powi(stations as i32 - 1);
        let idle = others_are_silent * (1.0 - sends);
        let alone = f64::from(stations) * sends * others_are_silent;
        let (frame, busy) = (f64::from(frame_us), f64::from(frame_us + access.aifs_us()));
        let throughput = alone * frame / (idle * f64::from(SLOT_US) + (1.0 - idle) * busy);
        Saturation { sends, collides: 1.0 - others_are_silent, throughput }
    }
}
