//! The stations of a recording: how often each is heard, and where it goes.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use roadwire_capture::Time;
use roadwire_capture::geonetworking::Address;

/// The most stations that are followed. Of more, those with the least of numbers that are random,
/// but always the same, are a sample that does not depend on the order of the frames.
const MOST_STATIONS: usize = 256;
/// The most seconds of each station that are kept: the earliest.
const MOST_SECONDS: usize = 7_200;
/// The most points of a track that is drawn.
const MOST_POINTS: usize = 300;

/// Latitude and longitude in 0.1 microdegree.
type Place = (i32, i32);

/// The stations that are followed.
#[derive(Default)]
pub(super) struct Stations {
    followed: BTreeMap<(u64, [u8; 6]), Heard>,
    is_sample: bool,
}

/// A station, as far as it was heard.
#[derive(Default)]
struct Heard {
    /// The greatest type that it had.
    station_type: u8,
    frames: u64,
    /// By seconds since 1970: the frames of the second, and the least place in it.
    seconds: BTreeMap<i64, (u32, Option<Place>)>,
    is_cut: bool,
}

/// A station as the report shows it.
pub(super) struct Station {
    /// Its address of the link layer.
    pub(super) link: [u8; 6],
    /// Its own type: 5 is a passenger car, 15 a roadside unit.
    pub(super) station_type: u8,
    pub(super) frames: u64,
    /// The first and the last second in which it was heard, since 1970.
    pub(super) heard: Option<(i64, i64)>,
    /// Frames a second, over the seconds in which it was heard.
    pub(super) rate: f64,
    /// How often it was silent for at least a second between two frames, and the longest silence in
    /// seconds.
    pub(super) gaps: (usize, i64),
    /// Metres between its places, one each second.
    pub(super) metres: f64,
    /// Where it went, in degrees.
    pub(super) track: Vec<(f64, f64)>,
    /// Whether only its first seconds were followed.
    pub(super) is_cut: bool,
}

impl Station {
    /// Its address as text.
    pub(super) fn name(&self) -> String {
        self.link.map(|octet| format!("{octet:02x}")).join(":")
    }
}

impl Stations {
    /// Adds a frame of a station.
    pub(super) fn add(&mut self, address: Address, time: Option<Time>, place: Option<Place>) {
        let mut hasher = DefaultHasher::new();
        address.link.hash(&mut hasher);
        let key = (hasher.finish(), address.link);
        let is_full = self.followed.len() == MOST_STATIONS && !self.followed.contains_key(&key);
        if is_full {
            self.is_sample = true;
            if self.followed.last_key_value().is_none_or(|(last, _)| *last < key) {
                return;
            }
            self.followed.pop_last();
        }
        let heard = self.followed.entry(key).or_default();
        heard.station_type = heard.station_type.max(address.station_type);
        heard.add(time, place);
    }

    /// All that are followed, the most frames first; and whether there are more.
    pub(super) fn all(&self) -> (Vec<Station>, bool) {
        let mut all: Vec<Station> = self.followed.iter().map(|((_, link), heard)| heard.station(*link)).collect();
        all.sort_by_key(|station| (std::cmp::Reverse(station.frames), station.link));
        (all, self.is_sample)
    }
}

impl Heard {
    fn add(&mut self, time: Option<Time>, place: Option<Place>) {
        self.frames += 1;
        let Some(Time { seconds, .. }) = time else { return };
        let (frames, least) = self.seconds.entry(seconds).or_default();
        *frames = frames.saturating_add(1);
        *least = [*least, place].into_iter().flatten().min();
        if self.seconds.len() > MOST_SECONDS {
            self.seconds.pop_last();
            self.is_cut = true;
        }
    }

    fn station(&self, link: [u8; 6]) -> Station {
        let ends = self.seconds.first_key_value().zip(self.seconds.last_key_value());
        let heard: u64 = self.seconds.values().map(|(frames, _)| u64::from(*frames)).sum();
        let silences =
            || self.seconds.keys().zip(self.seconds.keys().skip(1)).map(|(one, next)| next.saturating_sub(*one) - 1);
        let places: Vec<(f64, f64)> =
            self.seconds.values().filter_map(|(_, place)| *place).map(|(a, b)| (degrees(a), degrees(b))).collect();
        Station {
            link,
            station_type: self.station_type,
            frames: self.frames,
            heard: ends.map(|((first, _), (last, _))| (*first, *last)),
            rate: heard as f64 / self.seconds.len().max(1) as f64,
            gaps: (silences().filter(|silence| *silence > 0).count(), silences().max().unwrap_or(0)),
            // An empty sum of floats is -0.
            metres: places.windows(2).map(|pair| metres(pair[0], pair[1])).fold(0.0, |sum, more| sum + more),
            track: thinned(&places),
            is_cut: self.is_cut,
        }
    }
}

fn degrees(tenths: i32) -> f64 {
    f64::from(tenths) * 1e-7
}

/// The distance of two places in degrees, for places near each other.
pub(super) fn metres(one: (f64, f64), other: (f64, f64)) -> f64 {
    /// Metres of a degree of latitude.
    const DEGREE: f64 = 111_320.0;
    let narrow = ((one.0 + other.0) / 2.0).to_radians().cos();
    ((one.0 - other.0) * DEGREE).hypot((one.1 - other.1) * DEGREE * narrow)
}

/// Every so many places, and the last.
fn thinned(places: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let step = places.len().div_ceil(MOST_POINTS).max(1);
    let mut thinned: Vec<(f64, f64)> = places.iter().copied().step_by(step).collect();
    if thinned.last() != places.last() {
        thinned.extend(places.last());
    }
    thinned
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(stations: &mut Stations, link: u16, seconds: i64, place: Place) {
        let [high, low] = link.to_be_bytes();
        let address = Address { is_manual: false, station_type: 5, reserved: 0, link: [2, 0, 0, 0, high, low] };
        stations.add(address, Some(Time { seconds, nanoseconds: 0 }), Some(place));
    }

    #[test]
    fn a_station_has_its_rate_its_gaps_and_its_track() {
        let mut stations = Stations::default();
        // Two frames in each of the seconds 0, 1, 5 and 6, 0.0001 degrees north a second.
        for at in [6, 0, 5, 1, 1, 6, 0, 5] {
            add(&mut stations, 7, at, (490_000_000 + 1000 * at as i32, 160_000_000));
        }
        let (all, is_sample) = stations.all();
        let [one] = &all[..] else { panic!("one station") };
        assert_eq!((one.frames, one.heard, one.rate, one.gaps, is_sample), (8, Some((0, 6)), 2.0, (1, 3), false));
        assert!((one.metres - 66.8).abs() < 0.1 && one.track.len() == 4, "{}", one.metres);
    }

    #[test]
    fn a_sample_of_stations_does_not_depend_on_the_order() {
        let sample = |order: &mut dyn Iterator<Item = u16>| {
            let mut stations = Stations::default();
            order.for_each(|link| add(&mut stations, link, i64::from(link), (1, 1)));
            let (all, is_sample) = stations.all();
            assert!(is_sample);
            all.iter().map(|station| (station.link, station.frames)).collect::<Vec<_>>()
        };
        let forwards = sample(&mut (0..2000).chain(0..2000));
        assert_eq!((forwards.len(), forwards[0].1), (MOST_STATIONS, 2));
        assert_eq!(forwards, sample(&mut (0..2000).chain(0..2000).rev()));
    }

    #[test]
    fn a_track_keeps_both_ends() {
        let places: Vec<(f64, f64)> = (0..1000).map(|at| (f64::from(at), 0.0)).collect();
        let thinned = thinned(&places);
        assert!(thinned.len() <= MOST_POINTS + 1 && thinned[0].0 == 0.0 && thinned.last().unwrap().0 == 999.0);
    }
}
