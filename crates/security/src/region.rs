//! Regions: which are valid, which places they contain, and whether one is within another (clause
//! 4.2.20 ff.).

use crate::outline::Outline;

/// A place, in tenths of a microdegree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// North is positive.
    pub latitude: i32,
    /// East is positive.
    pub longitude: i32,
}

/// Tenths of a microdegree in a circle.
pub(crate) const CIRCLE: i64 = 3_600_000_000;

impl Place {
    /// Whether it is on the Earth. The numbers for an unknown place are not.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.latitude.unsigned_abs() <= 900_000_000 && self.longitude.unsigned_abs() <= 1_800_000_000
    }

    /// Its distance in metres, straight through the Earth (WGS 84): for the radius of a region at
    /// most 0.3 m less than along the surface.
    fn distance(&self, other: &Place) -> f64 {
        let (a, b) = (self.coordinates(), other.coordinates());
        (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>().sqrt()
    }

    /// Its coordinates in metres, from the centre of the Earth.
    fn coordinates(&self) -> [f64; 3] {
        const SEMI_MAJOR: f64 = 6_378_137.0;
        const ECCENTRICITY_SQUARED: f64 = 6.694_379_990_14e-3;
        let radians = |tenths: i32| (f64::from(tenths) * 1e-7).to_radians();
        let ((sin, cos), longitude) = (radians(self.latitude).sin_cos(), radians(self.longitude));
        let normal = SEMI_MAJOR / (1.0 - ECCENTRICITY_SQUARED * sin * sin).sqrt();
        [normal * cos * longitude.cos(), normal * cos * longitude.sin(), normal * (1.0 - ECCENTRICITY_SQUARED) * sin]
    }
}

/// Where a certificate is valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Region {
    /// Everywhere.
    None,
    /// No further from a place than this, in metres.
    Circle(Place, u16),
    /// In one of these, given by their north-western and south-eastern corners. A rectangle whose
    /// west is greater than its east crosses the date line.
    Rectangles(Vec<(Place, Place)>),
    /// Within these corners, of which each is joined with the next one by a geodesic, and the last
    /// one with the first; the border included.
    Polygon(Vec<Place>),
    /// In a region of a dictionary: its number among dictionaries, among the dictionary's regions,
    /// and of a part (0: all of it).
    Identified(u8, u16, u64),
    /// A region of an unknown kind.
    Unknown,
}

impl Region {
    /// Whether it is valid: its places are on the Earth, a polygon has at least three corners and
    /// sides that do not meet each other (compared as straight lines in latitude and longitude),
    /// and the north-western corner of a rectangle is north of the other one and has another
    /// longitude.
    /// (IEEE 1609.2, the source of this format's regions, calls every other rectangle and polygon
    /// invalid. A west greater than the east is valid: the rectangle crosses the date line.)
    ///
    /// Polygons around a pole, 180 degrees wide or of more than 128 corners are not looked at so
    /// closely.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        match self {
            Region::None | Region::Identified(..) | Region::Unknown => true,
            Region::Circle(centre, _) => centre.is_valid(),
            Region::Rectangles(all) => all.iter().all(|(northwest, southeast)| {
                northwest.is_valid()
                    && southeast.is_valid()
                    && northwest.latitude > southeast.latitude
                    && northwest.longitude != southeast.longitude
            }),
            Region::Polygon(corners) => {
                corners.len() >= 3
                    && corners.iter().all(Place::is_valid)
                    && Outline::polygon(corners).is_none_or(|outline| outline.is_simple())
            }
        }
    }

    /// Whether the place is in it. `None` for dictionaries, regions of an unknown kind, and
    /// polygons around a pole, 180 degrees wide or of more than 128 corners; and where the place is
    /// too near to the side of a polygon: 5 m for a side of 10 km at 48 degrees of latitude, and
    /// 0.5 km for one of 100 km. An invalid region contains nothing, and an invalid place is only
    /// in [`Region::None`].
    #[must_use]
    pub fn contains(&self, place: &Place) -> Option<bool> {
        match self {
            Region::None => Some(true),
            _ if !self.is_valid() || !place.is_valid() => Some(false),
            Region::Circle(centre, radius) => Some(centre.distance(place) <= f64::from(*radius)),
            Region::Rectangles(all) => Some(all.iter().any(|one| surrounds(one, &(*place, *place)))),
            Region::Polygon(corners) => Outline::polygon(corners)?.contains(place),
            Region::Identified(..) | Region::Unknown => None,
        }
    }

    /// Whether it is within another one. `None` if this cannot be determined: a region across
    /// several rectangles, dictionaries, and where [`contains`](Region::contains) does not tell
    /// either, or sides are too near to each other. An invalid region is within none, and none is
    /// within it.
    #[must_use]
    pub fn is_within(&self, other: &Region) -> Option<bool> {
        if !self.is_valid() || !other.is_valid() {
            return Some(false);
        }
        match (self, other) {
            (Region::Unknown, _) | (_, Region::Unknown) => None,
            (_, Region::None) => Some(true),
            (Region::None, _) => Some(false),
            (a, b) if a == b => Some(true),
            (Region::Identified(dictionary, region, part), Region::Identified(other_dictionary, other, other_part)) => {
                let same = dictionary == other_dictionary && region == other;
                if *other_part == 0 && same { Some(true) } else { (same && *part != 0).then_some(false) }
            }
            (Region::Circle(centre, radius), Region::Circle(others, outer)) => {
                Some(centre.distance(others) + f64::from(*radius) <= f64::from(*outer))
            }
            (Region::Rectangles(all), Region::Rectangles(others)) => {
                let within = |one: &(Place, Place)| others.iter().any(|other| surrounds(other, one));
                if all.iter().all(within) { Some(true) } else { (others.len() == 1).then_some(false) }
            }
            (Region::Rectangles(all), Region::Circle(centre, radius)) => {
                every(all.iter().map(|one| rectangle_in_circle(one, centre, *radius)))
            }
            (Region::Rectangles(all), Region::Polygon(corners)) => {
                let outer = Outline::polygon(corners);
                every(all.iter().map(|one| Outline::rectangle(one)?.is_within(outer.as_ref()?)))
            }
            (Region::Circle(centre, radius), Region::Rectangles(all)) => {
                let is_within = |one| Outline::rectangle(one).is_some_and(|outer| outer.surrounds(centre, *radius));
                if all.iter().any(is_within) { Some(true) } else { other.is_left_by(centre, *radius).then_some(false) }
            }
            (Region::Circle(centre, radius), Region::Polygon(corners)) => {
                let outer = Outline::polygon(corners)?;
                let is_within = outer.surrounds(centre, *radius);
                if is_within { Some(true) } else { other.is_left_by(centre, *radius).then_some(false) }
            }
            (Region::Polygon(corners), Region::Polygon(others)) => {
                Outline::polygon(corners)?.is_within(&Outline::polygon(others)?)
            }
            // A region as small as a circle of 65 km is convex, so that it has all geodesics
            // between its places.
            (Region::Polygon(corners), Region::Circle(..)) => every(corners.iter().map(|one| other.contains(one))),
            (Region::Polygon(corners), Region::Rectangles(all)) => {
                if corners.iter().any(|one| other.contains(one) == Some(false)) {
                    return Some(false);
                }
                let surrounding = Outline::polygon(corners)?.surrounding()?;
                all.iter().any(|one| surrounds(one, &surrounding)).then_some(true)
            }
            (Region::Identified(..), Region::Circle(..) | Region::Rectangles(_) | Region::Polygon(_))
            | (Region::Circle(..) | Region::Rectangles(_) | Region::Polygon(_), Region::Identified(..)) => None,
        }
    }

    /// Whether one of some places on a circle is surely outside.
    fn is_left_by(&self, centre: &Place, radius: u16) -> bool {
        // A degree of latitude has at most 111.7 km. So they are in the circle.
        let degrees = f64::from(radius) / 111_700.0;
        let narrow = (f64::from(centre.latitude) * 1e-7).to_radians().cos();
        let outside = |sixteenth: i32| {
            let (sin, cos) = (f64::from(sixteenth) * std::f64::consts::TAU / 16.0).sin_cos();
            let latitude = f64::from(centre.latitude) + degrees * cos * 1e7;
            let longitude = f64::from(centre.longitude) + degrees * sin / narrow * 1e7;
            if !(latitude.abs() < 9e8 && longitude.abs() < 18e8) {
                return false;
            }
            let place = Place { latitude: latitude as i32, longitude: longitude as i32 };
            centre.distance(&place) <= f64::from(radius) && self.contains(&place) == Some(false)
        };
        self.contains(centre) == Some(false) || (0..16).any(outside)
    }
}

/// True if all are, false if one is.
fn every(all: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut found = Some(true);
    for one in all {
        match one {
            Some(true) => {}
            Some(false) => return Some(false),
            None => found = None,
        }
    }
    found
}

/// Whether a rectangle is in a circle. Its northern and southern side are not geodesics, so the
/// circle must reach further than its corners.
fn rectangle_in_circle(rectangle: &(Place, Place), centre: &Place, radius: u16) -> Option<bool> {
    let (Place { latitude: north, longitude: west }, Place { latitude: south, longitude: east }) = *rectangle;
    let farthest = [(north, west), (north, east), (south, west), (south, east)]
        .into_iter()
        .map(|(latitude, longitude)| centre.distance(&Place { latitude, longitude }))
        .fold(0.0, f64::max);
    if farthest > f64::from(radius) {
        return Some(false);
    }
    (farthest + Outline::most_slack(rectangle) <= f64::from(radius)).then_some(true)
}

/// Whether the outer rectangle, given by its north-western and south-eastern corners, surrounds the
/// inner one, which may be a single place.
fn surrounds(outer: &(Place, Place), inner: &(Place, Place)) -> bool {
    let eastwards = |from: Place, to: Place| (i64::from(to.longitude) - i64::from(from.longitude)).rem_euclid(CIRCLE);
    // From -180 degrees to 180 it is once around the Earth.
    let around = outer.0.longitude != outer.1.longitude && eastwards(outer.0, outer.1) == 0;
    let width = |(west, east): &(Place, Place)| match eastwards(*west, *east) {
        0 if west.longitude != east.longitude => CIRCLE,
        width => width,
    };
    outer.0.latitude >= inner.0.latitude
        && outer.1.latitude <= inner.1.latitude
        && (around || eastwards(outer.0, inner.0) + width(inner) <= width(outer))
}
