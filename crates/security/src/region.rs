//! Regions: which are valid, which places they contain, and whether one is within another (clause 4.2.20 ff.).

/// A place, in tenths of a microdegree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// North is positive.
    pub latitude: i32,
    /// East is positive.
    pub longitude: i32,
}

/// Tenths of a microdegree in a circle.
const CIRCLE: i64 = 3_600_000_000;

impl Place {
    /// Whether it is on the Earth. The numbers for an unknown place are not.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.latitude.unsigned_abs() <= 900_000_000 && self.longitude.unsigned_abs() <= 1_800_000_000
    }

    /// Its distance in metres, straight through the Earth (WGS 84): for the radius of a region at most 0.3 m less than along the surface.
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
    /// In one of these, given by their north-western and south-eastern corners. A rectangle whose west is greater than its east crosses the date line.
    Rectangles(Vec<(Place, Place)>),
    /// Within these corners.
    Polygon(Vec<Place>),
    /// In a region of a dictionary: its number among dictionaries, among the dictionary's regions, and of a part (0: all of it).
    Identified(u8, u16, u64),
    /// A region of an unknown kind.
    Unknown,
}

impl Region {
    /// Whether it is valid: its places are on the Earth, a polygon has at least three corners, and the north-western corner of a rectangle is north of the other one and has another longitude.
    /// (IEEE 1609.2, the source of this format's regions, calls every other rectangle invalid. A west greater than the east is valid: the rectangle crosses the date line.)
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
            Region::Polygon(corners) => corners.len() >= 3 && corners.iter().all(Place::is_valid),
        }
    }

    /// Whether the place is in it. `None` for polygons, dictionaries, and regions of an unknown kind. An invalid region contains nothing, and an invalid place is only in [`Region::None`].
    #[must_use]
    pub fn contains(&self, place: &Place) -> Option<bool> {
        match self {
            Region::None => Some(true),
            _ if !self.is_valid() || !place.is_valid() => Some(false),
            Region::Circle(centre, radius) => Some(centre.distance(place) <= f64::from(*radius)),
            Region::Rectangles(all) => Some(all.iter().any(|one| surrounds(one, &(*place, *place)))),
            Region::Polygon(_) | Region::Identified(..) | Region::Unknown => None,
        }
    }

    /// Whether it is within another one. `None` if this cannot be determined: polygons, circles and other regions, a rectangle across several, and dictionaries. An invalid region is within
    /// none, and none is within it.
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
            _ => None,
        }
    }
}

/// Whether the outer rectangle, given by its north-western and south-eastern corners, surrounds the inner one, which may be a single place.
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
