//! Stations that always have something to send, against Bianchi's closed form.

use roadwire_airtime::road::Road;
use roadwire_airtime::saturation::Saturation;
use roadwire_airtime::{Access, Rate};

/// Bianchi 2000, equations 8 to 13, with a window that does not grow: the chance to collide, and
/// the share of time in which one frame is on the air. Within 2 %.
#[test]
fn saturated_stations_collide_as_often_as_in_closed_form() {
    for (stations, access, octets) in [
        (2, Access::BestEffort, 100),
        (10, Access::BestEffort, 300),
        (30, Access::BestEffort, 500),
        (5, Access::Video, 300),
        (3, Access::Voice, 100),
    ] {
        let frame = Rate::Mbps6.airtime_us(octets).unwrap();
        let outcome = Road::side_by_side(stations, access, frame).run().unwrap();
        let known = Saturation::of(stations, access, frame);
        // All receivers are at one distance, and one that sends is one of those that collide.
        let near = &outcome.distances[0];
        let received = near.received as f64 / near.all() as f64;
        let (wanted, found) = (1.0 - known.collides, received);
        assert!((found / wanted - 1.0).abs() < 0.02, "{stations} {access}: {found} received, not {wanted}");
        let (wanted, found) = (known.throughput, outcome.alone);
        assert!((found / wanted - 1.0).abs() < 0.02, "{stations} {access}: {found} of the time alone, not {wanted}");
    }
}
