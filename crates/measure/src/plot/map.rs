//! Places on the ground, north up, both axes in the same scale.

use serde::Serialize;

use super::axis::number;
use super::svg::{Anchor, Svg};

/// Places with the same marker.
#[derive(Serialize)]
pub struct Places {
    /// Their label.
    pub name: String,
    /// Latitude and longitude in degrees.
    pub degrees: Vec<(f64, f64)>,
}

/// Where a station went.
#[derive(Serialize)]
pub struct Track {
    /// The station.
    pub name: String,
    /// Latitude and longitude in degrees, in the order of time.
    pub degrees: Vec<(f64, f64)>,
}

/// A map without a background.
#[derive(Serialize)]
pub struct Map {
    /// Its title.
    pub title: String,
    /// The sorts of places; the last are drawn on top.
    pub places: Vec<Places>,
    /// Lines below the places; parts of them outside of the map are left out.
    pub tracks: Vec<Track>,
    /// Notes below it.
    pub notes: Vec<String>,
}

const WIDTH: f64 = 760.0;
const LEFT: f64 = 30.0;
const SIDE: f64 = 700.0;
const TOP: f64 = 74.0;
const HEIGHT: f64 = 480.0;
/// Room around the outermost places.
const MARGIN: f64 = 20.0;
/// Radius of markers.
const MARKER: f64 = 3.0;
/// Metres of a degree of latitude.
const DEGREE: f64 = 111_320.0;
/// The least extent that is drawn, in metres.
const LEAST: f64 = 20.0;

impl Map {
    /// The SVG file.
    pub fn svg(&self) -> String {
        let mut svg = Svg::new(WIDTH, TOP + HEIGHT + 40.0, &self.title, &self.notes);
        let all = || self.places.iter().flat_map(|places| &places.degrees);
        let ends = |of: fn(&(f64, f64)) -> f64| {
            all().map(of).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), one| (low.min(one), high.max(one)))
        };
        let (south, north) = ends(|place| place.0);
        let (west, east) = ends(|place| place.1);
        svg.rect((LEFT, TOP), (SIDE, HEIGHT), "fill=\"none\" stroke=\"black\"");
        self.key(&mut svg);
        if south > north {
            return svg.finish();
        }
        // A degree of longitude is shorter away from the equator.
        let narrow = ((south + north) / 2.0).to_radians().cos().max(0.01);
        let (high, wide) = ((north - south) * DEGREE, (east - west) * DEGREE * narrow);
        let scale = ((SIDE - 2.0 * MARGIN) / wide.max(LEAST)).min((HEIGHT - 2.0 * MARGIN) / high.max(LEAST));
        let (middle_x, middle_y) = (LEFT + SIDE / 2.0, TOP + HEIGHT / 2.0);
        let place = |(latitude, longitude): &(f64, f64)| {
            let x = (longitude - (west + east) / 2.0) * DEGREE * narrow * scale;
            let y = (latitude - (south + north) / 2.0) * DEGREE * scale;
            (middle_x + x, middle_y - y)
        };
        let is_inside = |(x, y): &(f64, f64)| (LEFT..=LEFT + SIDE).contains(x) && (TOP..=TOP + HEIGHT).contains(y);
        for track in &self.tracks {
            let points: Vec<(f64, f64)> = track.degrees.iter().map(place).filter(is_inside).collect();
            svg.polyline(&points, "stroke=\"#999\" stroke-width=\"0.8\"");
        }
        for (sort, places) in self.places.iter().enumerate() {
            for one in &places.degrees {
                svg.marker(place(one), MARKER, marker(sort));
            }
        }
        bar(&mut svg, scale);
        svg.finish()
    }

    /// The sorts of places, each with its marker.
    fn key(&self, svg: &mut Svg) {
        let mut at = LEFT + 6.0;
        for (sort, places) in self.places.iter().enumerate() {
            svg.marker((at, 52.0), MARKER + 1.0, marker(sort));
            svg.text((at + 10.0, 56.0), Anchor::Start, 11.5, &places.name);
            at += 36.0 + 6.8 * places.name.chars().count() as f64;
        }
    }
}

/// How long 1, 2 or 5 times a power of ten metres are: at most a quarter of the width.
fn bar(svg: &mut Svg, scale: f64) {
    let most = SIDE / 4.0 / scale;
    let decade = 10f64.powf(most.log10().floor());
    let metres = [5.0, 2.0, 1.0].map(|step| step * decade).into_iter().find(|metres| *metres <= most).unwrap_or(decade);
    let y = TOP + HEIGHT + 16.0;
    svg.line((LEFT, y), (LEFT + metres * scale, y), "stroke=\"black\" stroke-width=\"2\"");
    svg.text((LEFT + metres * scale + 8.0, y + 4.0), Anchor::Start, 12.0, &format!("{} m", number(metres)));
    svg.text((LEFT + SIDE, y + 4.0), Anchor::End, 12.0, "north is up");
}

/// A white circle, and then shapes that stand out: as many as there are markers.
fn marker(sort: usize) -> usize {
    [0, 3, 4, 9, 10, 5, 6, 1, 8, 2, 7, 11][sort % 12]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_inside_and_in_scale() {
        let places = Places { name: "CAM".into(), degrees: vec![(49.0, 16.0), (49.001, 16.0), (49.0, 16.001)] };
        let map = Map { title: "a road".into(), places: vec![places], tracks: Vec::new(), notes: Vec::new() };
        let svg = map.svg();
        // Three places, and one in the key.
        assert_eq!(svg.matches("<circle").count(), 4);
        assert!(svg.contains(" m</text>"), "{svg}");
        for degrees in [vec![], vec![(90.0, 180.0)], vec![(-90.0, -180.0), (90.0, 180.0)]] {
            let places = vec![Places { name: "one".into(), degrees: degrees.clone() }];
            let svg = Map {
                title: String::new(),
                places,
                tracks: vec![Track { name: "one".into(), degrees: degrees.clone() }],
                notes: Vec::new(),
            }
            .svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn each_sort_of_places_has_its_own_marker() {
        let mut all: Vec<usize> = (0..12).map(marker).collect();
        all.sort_unstable();
        assert_eq!(all, (0..12).collect::<Vec<_>>());
    }
}
