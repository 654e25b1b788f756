//! Channel load: which share of the time the channel is in use.
//!
//! These are sums: all stations hear each other, and no two frames overlap. Where frames collide
//! the channel carries more of them at the same load, and delivers fewer; [`crate::road`] says how
//! many.

/// The load up to which the analyses count stations: 0.6. Reactive congestion control is in its
/// last state from there on (TS 102 687 V1.2.1 Table A.1).
pub const LIMIT: f64 = 0.6;

/// The load of one station that sends `hertz` messages a second, each of which takes
/// `microseconds`: 0 to 1, or more where they do not fit.
#[must_use]
pub fn of_one(hertz: f64, microseconds: f64) -> f64 {
    hertz * microseconds / 1e6
}

/// The most stations whose load together is at most `limit`.
#[must_use]
pub fn stations(limit: f64, hertz: f64, microseconds: f64) -> u64 {
    let most = limit / of_one(hertz, microseconds);
    // A quotient that is a whole number may come out a little below it.
    (most * (1.0 + 1e-12)).floor() as u64
}

/// The average air time of a message where one of `every` messages takes longer: with the
/// certificate instead of its digest once a second (TS 103 097 V1.2.1 §7.1, V1.3.1 §7.1.1), `every`
/// is the number of messages a second.
#[must_use]
pub fn average(usual: f64, longer: f64, every: f64) -> f64 {
    usual + (longer - usual) / every.max(1.0)
}
