//! The simulated road.

use roadwire_airtime::road::{Outcome, Radio, Road, SEPULCRE, Traffic, path_loss_db};
use roadwire_airtime::{Access, Rate};

/// How far a point of each published road may be from ours. Where the channel is busy more than
/// half of the time, which is the last one, ours loses more.
const TOLERANCES: [f64; 4] = [0.02, 0.025, 0.03, 0.075];

#[test]
fn reception_over_distance_is_that_of_a_published_simulation() {
    for (published, tolerance) in SEPULCRE.into_iter().zip(TOLERANCES) {
        let frame = Rate::Mbps6.airtime_us(published.octets).unwrap();
        let road = Road { seconds: 3.0, ..Road::sepulcre(published.per_km, published.hertz, frame) };
        let outcome = road.run().unwrap();
        for (distance, wanted) in outcome.distances.iter().zip(published.reception) {
            let found = distance.reception().unwrap();
            assert!(
                (found - wanted).abs() <= tolerance,
                "{} a km, {} Hz, {} octets, {} m: {found:.4}, not {wanted}",
                published.per_km,
                published.hertz,
                published.octets,
                distance.metres
            );
        }
    }
}

fn road() -> Road {
    Road { seconds: 1.0, ..Road::sepulcre(60, 10.0, 344) }
}

fn received(outcome: &Outcome) -> u64 {
    outcome.distances.iter().map(|distance| distance.received).sum()
}

#[test]
fn one_seed_is_one_outcome() {
    let first = road().run().unwrap();
    assert_eq!(first, road().run().unwrap());
    assert_ne!(first, Road { seed: 2, ..road() }.run().unwrap());
    // 300 stations, one message in each tenth of a second.
    assert!((2960..=3000).contains(&first.frames), "{}", first.frames);
}

/// A radio that receives whatever it senses, as long as it is ten times as strong as the rest.
fn plain() -> Radio {
    Radio { shadow_db: 0.0, losses: vec![(9.5, 1.0), (10.0, 0.0)], ..Radio::sepulcre() }
}

/// Without other frames, what arrives depends on the distance alone: up to 287.7 m, where the path
/// loss is 108 dB.
#[test]
fn one_station_is_heard_as_far_as_it_can_be_sensed() {
    assert!(path_loss_db(287.7) < 108.0 && path_loss_db(287.8) > 108.0);
    let road = Road { stations: 2, metres: 700.0, radio: plain(), ..road() };
    let all: Vec<_> = (0..50).filter_map(|seed| Road { seed, ..road.clone() }.run().ok()).collect();
    let sum = |at: usize| {
        all.iter()
            .map(|outcome| &outcome.distances[at])
            .fold((0, 0), |(received, weak), distance| (received + distance.received, weak + distance.weak))
    };
    // 275 m stand for 262.5 to 287.5 m.
    assert!((0..12).all(|at| sum(at).1 == 0) && sum(11).0 > 0);
    assert!(sum(13).0 == 0 && sum(13).1 > 0);
    assert_eq!(road.run().unwrap().replaced, 0);
}

/// Three stations that all hear each other lose few frames. Twenty along 4 km, each of which senses
/// a seventh of the road, lose many to those that they do not sense.
#[test]
fn hidden_stations_collide_and_those_that_sense_do_not() {
    let near = Road {
        metres: 300.0,
        stations: 3,
        radio: plain(),
        traffic: Traffic::Hertz(200.0),
        frames_us: vec![1000],
        ..road()
    };
    let lost = |outcome: &Outcome| {
        let sum = |what: fn(&roadwire_airtime::road::Distance) -> u64| outcome.distances.iter().map(what).sum::<u64>();
        (sum(|distance| distance.busy + distance.collided), sum(|distance| distance.all()))
    };
    let (near_lost, near_all) = lost(&near.run().unwrap());
    assert!(near_lost * 20 < near_all, "{near_lost} of {near_all} are lost where all hear each other");
    let far = Road { metres: 4000.0, stations: 20, ..near };
    let (far_lost, far_all) = lost(&far.run().unwrap());
    let heard = far_all - far.run().unwrap().distances.iter().map(|distance| distance.weak).sum::<u64>();
    assert!(far_lost * 5 > heard, "{far_lost} of {heard} are lost among hidden stations");
}

/// AC_VO delays a frame by 58 µs and at most 3 slots, 97 µs in all; AC_BK by 149 µs.
#[test]
fn urgent_stations_send_first() {
    let frames = |access: Vec<Access>| {
        let stations = access.len() as u32;
        let road = Road { metres: 1.0, stations, traffic: Traffic::Saturated, access, radio: plain(), ..road() };
        let outcome = road.run().unwrap();
        (outcome.frames, received(&outcome))
    };
    // Where a station of AC_VO always has something, one of AC_BK never sends.
    let (alone, _) = frames(vec![Access::Voice]);
    let (both, arrived) = frames(vec![Access::Voice, Access::Background]);
    assert!(both.abs_diff(alone) * 100 < alone && both == arrived, "{both} of which {arrived} arrive, {alone}");
    // Two of AC_VO send more, and collide; two of AC_BK send less.
    let (urgent, arrived) = frames(vec![Access::Voice; 2]);
    assert!(urgent > both && arrived < urgent * 3 / 4, "{urgent} of which {arrived} arrive");
    assert!(frames(vec![Access::Background; 2]).0 < alone);
}

/// Longer frames fill the channel, and fewer arrive.
#[test]
fn longer_frames_make_more_load_and_less_reception() {
    let [short, long] = [208, 752].map(|frame| Road { frames_us: vec![frame], ..road() }.run().unwrap());
    assert!(long.load > 2.5 * short.load, "{} and {}", long.load, short.load);
    assert!(received(&long) < received(&short));
    // Stations take their frames in turn: half of the time each, the load is in between.
    let both = Road { frames_us: vec![208, 752], ..road() }.run().unwrap();
    assert!(short.load < both.load && both.load < long.load);
}

/// Roads that cannot be simulated are refused, whatever the numbers are.
#[test]
fn unusable_roads_are_refused() {
    let bad = [
        Road { stations: 0, ..road() },
        Road { stations: 10_001, ..road() },
        Road { stations: 9000, metres: 10.0, ..road() },
        Road { metres: f64::NAN, ..road() },
        Road { metres: 0.0, ..road() },
        Road { seconds: f64::INFINITY, ..road() },
        Road { frames_us: vec![], ..road() },
        Road { frames_us: vec![39], ..road() },
        Road { access: vec![], ..road() },
        Road { traffic: Traffic::Hertz(0.0), ..road() },
        Road { radio: Radio { shadow_db: -1.0, ..plain() }, ..road() },
        Road { radio: Radio { losses: vec![(1.0, 0.5), (1.0, 0.4)], ..plain() }, ..road() },
    ];
    for road in bad {
        assert!(road.run().is_err(), "{road:?}");
    }
    // Messages that never get through: the newer replaces the older.
    let crowded =
        Road { traffic: Traffic::Hertz(1000.0), frames_us: vec![10_000], stations: 30, seconds: 0.2, ..road() };
    assert!(crowded.run().unwrap().replaced > 0);
}
