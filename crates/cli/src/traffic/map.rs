//! The map of a recording: where senders said that they were, and where the stations went.

use roadwire_measure::plot::{Map, Places, Track};

use super::stations::metres;
use super::{NEAR, Traffic};

/// The most tracks that are drawn: of the stations with the most frames.
const MOST_TRACKS: usize = 30;
/// Places are far away if they are so many times as far from the middle as three quarters of the
/// places are, and at least so many metres.
const FAR: (f64, f64) = (8.0, 1_000.0);

type Degrees = (f64, f64);

/// The map, without places that are far away from all others.
pub(super) fn of(traffic: &Traffic) -> Map {
    let mut places: Vec<Places> = traffic
        .kinds
        .iter()
        .filter(|(_, kind)| !kind.places.is_empty())
        .map(|(name, kind)| {
            let mut all: Vec<(i32, i32)> = kind.places.iter().map(|(_, place)| *place).collect();
            all.sort_unstable();
            Places { name: name.clone(), degrees: all.iter().map(|at| (degree(at.0), degree(at.1))).collect() }
        })
        .collect();
    let mut notes = Vec::new();
    if let Some((middle, most)) = near(&places) {
        let is_near = |place: &Degrees| metres(*place, middle) <= most;
        let before: usize = places.iter().map(|one| one.degrees.len()).sum();
        places.iter_mut().for_each(|one| one.degrees.retain(is_near));
        places.retain(|one| !one.degrees.is_empty());
        let left_out = before - places.iter().map(|one| one.degrees.len()).sum::<usize>();
        if left_out > 0 {
            let noun = if left_out == 1 { "place" } else { "places" };
            notes.push(format!("Not drawn: {left_out} {noun} more than {:.1} km from the middle.", most / 1000.0));
        }
    }
    // The rarest are drawn last, on top of the others.
    places.sort_by_key(|places| std::cmp::Reverse(places.degrees.len()));
    let (stations, _) = traffic.stations.all();
    let drawn = stations.into_iter().filter(|station| station.track.len() > 1).take(MOST_TRACKS);
    let tracks: Vec<Track> = drawn.map(|station| Track { name: station.name(), degrees: station.track }).collect();
    Map { title: "Where senders said that they were".into(), places, tracks, notes }
}

fn degree(steps: i32) -> f64 {
    f64::from(steps) * f64::from(NEAR) * 1e-7
}

/// The middle of all places, and how many metres from it a place is far; `None` without places.
fn near(places: &[Places]) -> Option<(Degrees, f64)> {
    let all = || places.iter().flat_map(|places| &places.degrees);
    let part = |mut values: Vec<f64>, part: usize| {
        values.sort_by(f64::total_cmp);
        values.get(values.len() * part / 4).copied()
    };
    let middle = (part(all().map(|place| place.0).collect(), 2)?, part(all().map(|place| place.1).collect(), 2)?);
    let usual = part(all().map(|place| metres(*place, middle)).collect(), 3)?;
    Some((middle, (usual * FAR.0).max(FAR.1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_far_from_all_others_do_not_squeeze_the_map() {
        let near_each_other = (0..40).map(|at| (49.0 + f64::from(at) * 1e-4, 16.0));
        let degrees: Vec<Degrees> = near_each_other.chain([(52.0, 13.0)]).collect();
        let (middle, most) = near(&[Places { name: "CAM".into(), degrees: degrees.clone() }]).unwrap();
        let is_near: Vec<bool> = degrees.iter().map(|place| metres(*place, middle) <= most).collect();
        assert_eq!(is_near.iter().filter(|near| !**near).count(), 1);
        assert!(!is_near[40] && most < 3000.0, "{most}");
        assert!(near(&[]).is_none());
    }
}
