//! Outlines on the Earth, as far as straight lines in latitude and longitude show which places lie
//! in them.
//!
//! The sides of a polygon are geodesics (IEEE 1609.2 §6.4, `PolygonalRegion`). Here they are
//! straight lines in latitude and longitude, which can be compared exactly, each with a bound on
//! how far the geodesic may be from it: 5 m for a side of 10 km at 48 degrees, 0.5 km for one of
//! 100 km. A place nearer than that to a side is left open; everything else is as it is with
//! geodesics.

use crate::{CIRCLE, Place};

/// The most corners of a polygon that is looked at: work grows with their square.
const MOST_CORNERS: usize = 128;
/// The least radius by which the Earth is curved (WGS 84, along the meridian at the equator), in
/// metres, rounded down.
const LEAST_RADIUS: f64 = 6_335_000.0;

/// Longitude and latitude, in tenths of a microdegree. Longitudes go on beyond 180 degrees.
type Point = (i64, i64);

/// A closed line that does not go around a pole, and is less than 180 degrees of longitude wide.
pub(crate) struct Outline {
    sides: Vec<Side>,
    west: i64,
    east: i64,
}

/// From one corner to the next.
#[derive(Clone, Copy)]
struct Side {
    from: Point,
    to: Point,
    /// How far the geodesic is from the straight line at most, in tenths of a microdegree.
    slack: f64,
}

impl Outline {
    /// The outline of a polygon. Corners that stand several times in a row count once. `None` where
    /// it cannot be worked out: around a pole, 180 degrees wide, of more than 128 corners.
    pub(crate) fn polygon(corners: &[Place]) -> Option<Outline> {
        let mut points: Vec<Point> = Vec::new();
        for corner in corners {
            let (x, y) = (i64::from(corner.longitude), i64::from(corner.latitude));
            let Some(&(before, _)) = points.last() else {
                points.push((x, y));
                continue;
            };
            let step = (x - before + CIRCLE / 2).rem_euclid(CIRCLE) - CIRCLE / 2;
            if step == -CIRCLE / 2 {
                return None;
            }
            if points.last() != Some(&(before + step, y)) {
                points.push((before + step, y));
            }
        }
        while points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        Outline::of(&points, true)
    }

    /// The outline of a rectangle, given by its north-western and south-eastern corners. Nothing if
    /// it is 180 degrees wide.
    pub(crate) fn rectangle((northwest, southeast): &(Place, Place)) -> Option<Outline> {
        let (west, north, south) =
            (i64::from(northwest.longitude), i64::from(northwest.latitude), i64::from(southeast.latitude));
        let east = west + (i64::from(southeast.longitude) - west).rem_euclid(CIRCLE);
        // 360 degrees are none here.
        if east == west {
            return None;
        }
        Outline::of(&[(west, north), (east, north), (east, south), (west, south)], false)
    }

    fn of(points: &[Point], has_geodesics: bool) -> Option<Outline> {
        let (west, east) = (points.iter().map(|one| one.0).min()?, points.iter().map(|one| one.0).max()?);
        if points.len() > MOST_CORNERS || east - west >= CIRCLE / 2 {
            return None;
        }
        let next = points.iter().cycle().skip(1);
        let side = |(&from, &to): (&Point, &Point)| Side {
            from,
            to,
            slack: if has_geodesics { slack(from, to) } else { 0.0 },
        };
        Some(Outline { sides: points.iter().zip(next).map(side).collect(), west, east })
    }

    /// Whether it has at least three corners, and sides that do not meet but where one follows the
    /// other; as straight lines.
    pub(crate) fn is_simple(&self) -> bool {
        let count = self.sides.len();
        let meets = |first: usize, second: usize| {
            let (one, other) = (&self.sides[first], &self.sides[second]);
            match second - first {
                1 => one.is_folded_back(other),
                last if last == count - 1 => other.is_folded_back(one),
                _ => one.meets(other),
            }
        };
        count >= 3 && (0..count).all(|first| (first + 1..count).all(|second| !meets(first, second)))
    }

    /// Whether a place is inside, or on the border. Nothing if it is too near to a side.
    pub(crate) fn contains(&self, place: &Place) -> Option<bool> {
        let point = (self.aligned(place.longitude.into()), i64::from(place.latitude));
        // The longitude along a geodesic goes one way.
        if point.0 > self.east {
            return Some(false);
        }
        let is_on = |side: &Side| side.from == point || (side.slack == 0.0 && side.has(point));
        if self.sides.iter().any(is_on) {
            return Some(true);
        }
        if self.sides.iter().any(|side| side.distance(point) <= side.slack) {
            return None;
        }
        let crossed = self.sides.iter().filter(|side| side.is_east_of(point)).count();
        Some(crossed % 2 == 1)
    }

    /// Whether it is within another one. Nothing where their sides are too near to each other.
    pub(crate) fn is_within(&self, outer: &Outline) -> Option<bool> {
        let corners = || self.sides.iter().map(|side| outer.contains(&place(side.from)));
        if corners().any(|one| one == Some(false)) {
            return Some(false);
        }
        let by = outer.aligned(self.west) - self.west;
        let pairs = || self.sides.iter().flat_map(|own| outer.sides.iter().map(move |other| (own.moved(by), other)));
        // Bent lines whose ends are on either side of each other cross as the straight ones do.
        let cross =
            |(own, other): &(Side, &Side)| own.crosses(other) && own.ends_apart(other) > own.slack + other.slack;
        if pairs().any(|pair| cross(&pair)) {
            return Some(false);
        }
        let near = |(own, other): (Side, &Side)| own.meets(other) || own.ends_apart(other) <= own.slack + other.slack;
        if pairs().any(near) { None } else { corners().next().flatten() }
    }

    /// Whether all places that are this near to another one, in metres, are inside.
    pub(crate) fn surrounds(&self, centre: &Place, radius: u16) -> bool {
        if self.contains(centre) != Some(true) {
            return false;
        }
        // Both in tenths of a microdegree. A circle is at most as wide as it would be where it is
        // nearest to a pole.
        let radius = (f64::from(radius) * 1.0001 / LEAST_RADIUS).to_degrees() * 1e7;
        let farthest = (f64::from(centre.latitude).abs() + radius) * 1e-7;
        let narrow = farthest.to_radians().cos();
        let centre = (self.aligned(centre.longitude.into()), i64::from(centre.latitude));
        farthest < 89.0 && self.sides.iter().all(|side| side.narrowed_distance(centre, narrow) > radius + side.slack)
    }

    /// A rectangle that surrounds it, and hardly more. Nothing if that goes beyond a pole.
    pub(crate) fn surrounding(&self) -> Option<(Place, Place)> {
        // A geodesic bends towards the pole.
        let most = |towards: fn(i64) -> i64| {
            let reach = |side: &Side| {
                let end = towards(side.from.1).max(towards(side.to.1));
                end as f64 + if end > 0 { side.slack.ceil() } else { 0.0 }
            };
            self.sides.iter().map(reach).fold(f64::MIN, f64::max)
        };
        let (north, south) = (most(|y| y), -most(|y| -y));
        let is_on_earth = north <= 9e8 && south >= -9e8;
        is_on_earth.then(|| (place((self.west, north as i64)), place((self.east, south as i64))))
    }

    /// The most metres between the sides of a rectangle and the geodesics between its corners.
    pub(crate) fn most_slack(rectangle: &(Place, Place)) -> f64 {
        let as_geodesics = Outline::rectangle(rectangle).and_then(|outline| {
            let points: Vec<Point> = outline.sides.iter().map(|side| side.from).collect();
            Outline::of(&points, true)
        });
        let slack = as_geodesics
            .map_or(f64::INFINITY, |outline| outline.sides.iter().map(|side| side.slack).fold(0.0, f64::max));
        // The Earth's greatest radius of curvature is 6400 km.
        (slack * 1e-7).to_radians() * 6_400_000.0
    }

    /// The longitude, or one that is some times 360 degrees beyond it: the first from the western
    /// end on.
    fn aligned(&self, longitude: i64) -> i64 {
        self.west + (longitude - self.west).rem_euclid(CIRCLE)
    }
}

fn place((x, y): Point) -> Place {
    let longitude = (x + CIRCLE / 2).rem_euclid(CIRCLE) - CIRCLE / 2;
    Place { latitude: y as i32, longitude: longitude as i32 }
}

/// How far a geodesic is at most from the straight line in latitude and longitude, in tenths of a
/// microdegree; infinity for those of many degrees.
///
/// A great circle in that plane has a curvature of at most sin φ cos φ + 0.77 tan φ, and a curve
/// whose curvature is at most k is at most k c² / 8 from a chord c. A seventh leaves room for the
/// curve being longer than the chord, and for the ellipsoid, on which the curvature is at most 2 %
/// greater.
fn slack(from: Point, to: Point) -> f64 {
    let radians = |tenths: i64| (tenths as f64 * 1e-7).to_radians();
    let (width, height) = (radians(to.0 - from.0).abs(), radians(to.1 - from.1).abs());
    if from.0 == to.0 {
        // A meridian is a geodesic.
        return 0.0;
    }
    if width > 1.5 {
        return f64::INFINITY;
    }
    // The tangent of the greatest latitude that a great circle reaches between its ends.
    let steep = radians(from.1.abs().max(to.1.abs())).tan() / (width / 2.0).cos();
    let curvature = steep.min(0.5) + 0.77 * steep;
    let chord = width.hypot(height);
    // At the poles the tangent is beyond all bounds.
    let is_bounded = curvature * chord <= 0.5;
    if is_bounded { (curvature * chord * chord / 7.0).to_degrees() * 1e7 } else { f64::INFINITY }
}

impl Side {
    fn moved(&self, by: i64) -> Side {
        Side { from: (self.from.0 + by, self.from.1), to: (self.to.0 + by, self.to.1), slack: self.slack }
    }

    /// On which side of it a point is: greater than zero to the left, zero on the line.
    fn turn(&self, point: Point) -> i128 {
        let (a, b) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let (c, d) = (point.0 - self.from.0, point.1 - self.from.1);
        i128::from(a) * i128::from(d) - i128::from(b) * i128::from(c)
    }

    /// Whether a point is on it.
    fn has(&self, point: Point) -> bool {
        let between = |a: i64, b: i64, value: i64| a.min(b) <= value && value <= a.max(b);
        self.turn(point) == 0 && between(self.from.0, self.to.0, point.0) && between(self.from.1, self.to.1, point.1)
    }

    /// Whether it crosses the line from a point to the east, the lower end counted and the upper
    /// one not.
    fn is_east_of(&self, point: Point) -> bool {
        let (from, to) = (self.from.1 > point.1, self.to.1 > point.1);
        from != to && (self.turn(point) > 0) == to
    }

    /// Whether each has the ends of the other on both sides.
    fn crosses(&self, other: &Side) -> bool {
        let apart = |line: &Side, ends: &Side| line.turn(ends.from).signum() * line.turn(ends.to).signum() < 0;
        apart(self, other) && apart(other, self)
    }

    /// Whether they have a point in common.
    fn meets(&self, other: &Side) -> bool {
        self.crosses(other) || self.has(other.from) || self.has(other.to) || other.has(self.from) || other.has(self.to)
    }

    /// Whether the next side goes back on it.
    fn is_folded_back(&self, next: &Side) -> bool {
        let along = |a: Point, b: Point| i128::from(a.0) * i128::from(b.0) + i128::from(a.1) * i128::from(b.1);
        let of = |side: &Side| (side.to.0 - side.from.0, side.to.1 - side.from.1);
        self.turn(next.to) == 0 && along(of(self), of(next)) < 0
    }

    /// The least distance between an end of one and the other.
    fn ends_apart(&self, other: &Side) -> f64 {
        let all =
            [self.distance(other.from), self.distance(other.to), other.distance(self.from), other.distance(self.to)];
        all.into_iter().fold(f64::INFINITY, f64::min)
    }

    /// How far a point is from it, in tenths of a microdegree.
    fn distance(&self, point: Point) -> f64 {
        self.narrowed_distance(point, 1.0)
    }

    /// The same where longitudes are so much narrower than latitudes.
    fn narrowed_distance(&self, point: Point, narrow: f64) -> f64 {
        let from = |other: Point| ((other.0 - self.from.0) as f64 * narrow, (other.1 - self.from.1) as f64);
        let ((a, b), (c, d)) = (from(self.to), from(point));
        let length = a.hypot(b);
        let along = (a * c + b * d) / length;
        if along <= 0.0 {
            c.hypot(d)
        } else if along >= length {
            (c - a).hypot(d - b)
        } else {
            self.turn(point).unsigned_abs() as f64 * narrow / length
        }
    }
}
