//! Polygons: the answers on places and on other regions are those of a dense line of geodesics,
//! found in another way.

use std::f64::consts::TAU;

use roadwire_security::{Place, Region};

const DEGREE: i32 = 10_000_000;

fn place(latitude: i32, longitude: i32) -> Place {
    Place { latitude, longitude }
}

/// Of degrees.
fn polygon(corners: &[(i32, i32)]) -> Region {
    Region::Polygon(corners.iter().map(|(latitude, longitude)| place(latitude * DEGREE, longitude * DEGREE)).collect())
}

#[test]
fn places_in_polygons() {
    // Without its north-eastern quarter.
    let corner = polygon(&[(-2, -2), (2, -2), (2, 0), (0, 0), (0, 2), (-2, 2)]);
    assert!(corner.is_valid());
    let inside = |latitude: i32, longitude: i32| corner.contains(&place(latitude, longitude));
    assert_eq!([inside(DEGREE, -DEGREE), inside(-DEGREE, DEGREE), inside(-DEGREE, -DEGREE)], [Some(true); 3]);
    assert_eq!([inside(DEGREE, DEGREE), inside(3 * DEGREE, 0), inside(0, -3 * DEGREE)], [Some(false); 3]);
    // Corners are inside, and places on a meridian or on the equator, which are geodesics; a
    // ten-millionth of a degree beyond is outside.
    assert_eq!([inside(2 * DEGREE, -2 * DEGREE), inside(0, 0), inside(7, 0), inside(0, 7)], [Some(true); 4]);
    assert_eq!(
        [inside(7, 1), inside(1, 7), inside(7, -1), inside(-1, 7)],
        [Some(false), Some(false), Some(true), Some(true)]
    );
    // Within four hundred metres of a parallel that has two degrees.
    assert_eq!([inside(2 * DEGREE, -DEGREE), inside(2 * DEGREE + 200, -DEGREE)], [None, None]);
    assert_eq!([inside(2 * DEGREE - 40_000, -DEGREE), inside(2 * DEGREE + 40_000, -DEGREE)], [Some(true), Some(false)]);
}

/// The middle of a geodesic of two degrees lies 400 m north of the parallel at 49 degrees: a
/// straight line would have it outside.
#[test]
fn sides_of_polygons_are_geodesics() {
    let across = polygon(&[(49, 10), (49, 12), (48, 12), (48, 10)]);
    let north = |metres: i32| place(49 * DEGREE + metres * 90, 11 * DEGREE);
    assert_eq!(across.contains(&north(200)), None);
    assert_eq!(across.contains(&north(2000)), Some(false));
    assert_eq!(across.contains(&north(-2000)), Some(true));
}

#[test]
fn polygons_across_the_date_line() {
    let fiji = polygon(&[(-12, 176), (-12, -178), (-21, -178), (-21, 176)]);
    for (longitude, inside) in
        [(177, true), (180, true), (-180, true), (-179, true), (175, false), (-177, false), (0, false)]
    {
        assert_eq!(fiji.contains(&place(-17 * DEGREE, longitude * DEGREE)), Some(inside), "{longitude}");
    }
    let within = |west, east| polygon(&[(-14, west), (-14, east), (-19, east), (-19, west)]).is_within(&fiji);
    assert_eq!(
        [within(177, -179), within(-180, -179), within(175, -179), within(10, 12)],
        [Some(true), Some(true), Some(false), Some(false)]
    );
}

#[test]
fn polygons_that_are_none() {
    assert!(!polygon(&[(0, 0), (0, 2), (2, 0), (2, 2)]).is_valid(), "two sides cross");
    assert!(!polygon(&[(0, 0), (0, 4), (2, 4), (0, 2), (2, 0)]).is_valid(), "a corner on a side");
    assert!(!polygon(&[(0, 0), (0, 4), (2, 4), (0, 0), (-2, 4)]).is_valid(), "a corner twice");
    assert!(!polygon(&[(0, 0), (0, 4), (0, 2), (2, 2)]).is_valid(), "there and back");
    assert!(!polygon(&[(0, 0), (0, 4), (0, 2)]).is_valid(), "a line");
    assert!(!polygon(&[(0, 0), (0, 4), (0, 4), (0, 0)]).is_valid(), "two places");
    assert!(
        !polygon(&[(-12, 176), (-21, -178), (-12, -178), (-21, 176)]).is_valid(),
        "sides that cross at the date line"
    );
    let crossed = polygon(&[(0, 0), (0, 2), (2, 0), (2, 2)]);
    assert_eq!(crossed.contains(&place(DEGREE / 2, DEGREE)), Some(false));
    assert_eq!(crossed.is_within(&Region::None), Some(false));
    // A corner that is there twice in a row, and one on a straight line, are harmless.
    assert!(polygon(&[(0, 0), (0, 4), (0, 4), (4, 4), (0, 0)]).is_valid());
    assert!(polygon(&[(0, 0), (0, 2), (0, 4), (4, 4)]).is_valid());
}

#[test]
fn polygons_that_are_not_decided() {
    let around_the_pole = polygon(&[(80, 0), (80, 120), (80, -120)]);
    let half = polygon(&[(0, 0), (10, 90), (0, 180)]);
    let sides = (0..200).map(|at| {
        let (sin, cos) = (f64::from(at) / 200.0 * TAU).sin_cos();
        place((sin * 1e7) as i32, (cos * 1e7) as i32)
    });
    let many = Region::Polygon(sides.collect());
    for region in [around_the_pole, half, many] {
        assert!(region.is_valid());
        assert_eq!(region.contains(&place(0, 0)), None, "{region:?}");
        assert_eq!(polygon(&[(0, 0), (1, 0), (0, 1)]).is_within(&region), None);
    }
}

#[test]
fn regions_in_polygons() {
    let square = |half: i32| {
        polygon(&[(50 + half, 10 - half), (50 + half, 10 + half), (50 - half, 10 + half), (50 - half, 10 - half)])
    };
    assert_eq!(square(2).is_within(&square(3)), Some(true));
    assert_eq!(square(3).is_within(&square(2)), Some(false));
    assert_eq!(square(2).is_within(&square(2)), Some(true));
    // The corners of a star's gap are inside, and the area between them is not.
    let gap = polygon(&[(53, 7), (53, 13), (47, 13), (50, 10), (47, 7)]);
    let below = polygon(&[(52, 8), (52, 12), (49, 12), (49, 8)]);
    assert_eq!(below.is_within(&gap), Some(false));
    let rectangle = |half: i32| {
        Region::Rectangles(vec![(
            place((50 + half) * DEGREE, (10 - half) * DEGREE),
            place((50 - half) * DEGREE, (10 + half) * DEGREE),
        )])
    };
    assert_eq!(rectangle(2).is_within(&square(3)), Some(true));
    assert_eq!(rectangle(3).is_within(&square(2)), Some(false));
    assert_eq!(rectangle(2).is_within(&square(2)), None);
    assert_eq!(square(2).is_within(&rectangle(3)), Some(true));
    assert_eq!(square(3).is_within(&rectangle(2)), Some(false));
    // Its northern side goes beyond the parallel.
    assert_eq!(square(2).is_within(&rectangle(2)), None);
    // A degree of latitude has 111 km.
    let circle = |latitude: i32, radius: u16| Region::Circle(place(latitude, 10 * DEGREE), radius);
    let border = 51 * DEGREE - DEGREE / 10 * 2;
    for outer in [square(1), rectangle(1)] {
        assert_eq!(circle(50 * DEGREE, 65_000).is_within(&outer), Some(true));
        assert_eq!(circle(border, 20_000).is_within(&outer), Some(true));
        assert_eq!(circle(border, 25_000).is_within(&outer), Some(false));
        assert_eq!(circle(52 * DEGREE, 10).is_within(&outer), Some(false));
    }
    let town = polygon_around(50.0, 10.0, 0.1);
    assert_eq!(town.is_within(&circle(50 * DEGREE, 15_000)), Some(true));
    assert_eq!(town.is_within(&circle(50 * DEGREE, 13_000)), Some(false));
    let town = Region::Rectangles(vec![(place(501_000_000, 99_000_000), place(499_000_000, 101_000_000))]);
    assert_eq!(town.is_within(&circle(50 * DEGREE, 15_000)), Some(true));
    assert_eq!(town.is_within(&circle(50 * DEGREE, 13_000)), Some(false));
    assert_eq!(square(1).is_within(&Region::Identified(0, 276, 0)), None);
    assert_eq!(Region::Identified(0, 276, 0).is_within(&square(1)), None);
}

fn polygon_around(latitude: f64, longitude: f64, half: f64) -> Region {
    let corner =
        |up: f64, right: f64| place(((latitude + up * half) * 1e7) as i32, ((longitude + right * half) * 1e7) as i32);
    Region::Polygon(vec![corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0), corner(-1.0, -1.0)])
}

/// Numbers that look like random ones (splitmix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + self.next() * (high - low)
    }
}

/// Degrees: latitude and longitude, which continues beyond 180.
type Spot = (f64, f64);

fn to_place((latitude, longitude): Spot) -> Place {
    let longitude = (longitude + 180.0).rem_euclid(360.0) - 180.0;
    place((latitude * 1e7).round() as i32, (longitude * 1e7).round() as i32)
}

fn rounded((latitude, longitude): Spot) -> Spot {
    ((latitude * 1e7).round() / 1e7, (longitude * 1e7).round() / 1e7)
}

const SEMI_MAJOR: f64 = 6_378_137.0;
const SQUARED: f64 = 6.694_379_990_14e-3;

fn in_space((latitude, longitude): Spot) -> [f64; 3] {
    let ((sin, cos), turn) = (latitude.to_radians().sin_cos(), longitude.to_radians());
    let normal = SEMI_MAJOR / (1.0 - SQUARED * sin * sin).sqrt();
    [normal * cos * turn.cos(), normal * cos * turn.sin(), normal * (1.0 - SQUARED) * sin]
}

fn metres(one: Spot, other: Spot) -> f64 {
    in_space(one).iter().zip(in_space(other)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// The middle of a geodesic: above the middle of the straight line through the Earth, but for
/// centimetres.
fn middle(one: Spot, other: Spot) -> Spot {
    let (a, b) = (in_space(one), in_space(other));
    let [x, y, z] = [a[0] + b[0], a[1] + b[1], a[2] + b[2]].map(|sum| sum / 2.0);
    let across = x.hypot(y);
    let mut latitude = (z / across).atan();
    for _ in 0..20 {
        let sin = latitude.sin();
        let normal = SEMI_MAJOR / (1.0 - SQUARED * sin * sin).sqrt();
        let height = across / latitude.cos() - normal;
        latitude = (z / (across * (1.0 - SQUARED * normal / (normal + height)))).atan();
    }
    let longitude = y.atan2(x).to_degrees();
    let turns = ((one.1 - longitude) / 360.0).round();
    (latitude.to_degrees(), longitude + 360.0 * turns)
}

fn geodesic(one: Spot, other: Spot, depth: u32, line: &mut Vec<Spot>) {
    if depth == 0 {
        line.push(one);
        return;
    }
    let middle = middle(one, other);
    geodesic(one, middle, depth - 1, line);
    geodesic(middle, other, depth - 1, line);
}

/// A region, and its border as a dense line.
struct Drawn {
    region: Region,
    corners: Vec<Spot>,
    border: Vec<Spot>,
    /// Of a circle: its centre, and its radius in metres.
    round: Option<(Spot, f64)>,
}

impl Drawn {
    fn polygon(corners: Vec<Spot>) -> Drawn {
        let mut border = Vec::new();
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).for_each(|(from, to)| geodesic(*from, *to, 5, &mut border));
        Drawn {
            region: Region::Polygon(corners.iter().map(|one| to_place(*one)).collect()),
            corners,
            border,
            round: None,
        }
    }

    /// Around a place, each corner at another bearing and distance.
    fn star(dice: &mut Dice, (latitude, longitude): Spot, size: f64) -> Drawn {
        let count = 3 + (dice.next() * 6.0) as usize;
        let corners = (0..count).map(|at| {
            let (sin, cos) = ((at as f64 + dice.between(0.0, 0.7)) / count as f64 * TAU).sin_cos();
            let far = size * dice.between(0.3, 1.0);
            rounded((latitude + far * cos, longitude + far * sin / latitude.to_radians().cos()))
        });
        Drawn::polygon(corners.collect())
    }

    fn rectangle((latitude, longitude): Spot, height: f64, width: f64) -> Drawn {
        let (north, south) = (latitude + height, latitude - height);
        let (west, east) = (longitude - width, longitude + width);
        let corners: Vec<Spot> =
            [(north, west), (north, east), (south, east), (south, west)].into_iter().map(rounded).collect();
        let next = corners.iter().cycle().skip(1);
        let line = |(from, to): (&Spot, &Spot)| {
            let (from, to) = (*from, *to);
            (0..32).map(move |at| {
                let part = f64::from(at) / 32.0;
                (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part)
            })
        };
        let border = corners.iter().zip(next).flat_map(line).collect();
        let region = Region::Rectangles(vec![(to_place(corners[0]), to_place(corners[2]))]);
        Drawn { region, corners, border, round: None }
    }

    fn circle(centre: Spot, radius: u16) -> Drawn {
        let centre = rounded(centre);
        let border = (0..64).map(|at| {
            let (sin, cos) = (f64::from(at) / 64.0 * TAU).sin_cos();
            let spot = |far: f64| (centre.0 + far * cos, centre.1 + far * sin / centre.0.to_radians().cos());
            let (mut near, mut far) = (0.0, 2.0);
            for _ in 0..60 {
                let middle = (near + far) / 2.0;
                if metres(centre, spot(middle)) <= f64::from(radius) { near = middle } else { far = middle }
            }
            spot(near)
        });
        Drawn {
            region: Region::Circle(to_place(centre), radius),
            corners: Vec::new(),
            border: border.collect(),
            round: Some((centre, f64::from(radius))),
        }
    }

    fn has(&self, spot: Spot) -> bool {
        match self.round {
            Some((centre, radius)) => metres(centre, spot) <= radius,
            None => goes_around(&self.border, spot),
        }
    }

    /// Whether the borders cross.
    fn crosses(&self, other: &Drawn) -> bool {
        let lines = |border: &[Spot]| -> Vec<(Spot, Spot)> {
            border.iter().copied().zip(border.iter().copied().cycle().skip(1)).collect()
        };
        let turn = |(a, b): (Spot, Spot), c: Spot| ((b.1 - a.1) * (c.0 - a.0) - (b.0 - a.0) * (c.1 - a.1)).signum();
        let others = lines(&other.border);
        lines(&self.border).iter().any(|one| {
            others.iter().any(|two| turn(*one, two.0) != turn(*one, two.1) && turn(*two, one.0) != turn(*two, one.1))
        })
    }
}

/// Whether the border goes around a place, which is not on it.
fn goes_around(border: &[Spot], spot: Spot) -> bool {
    let mut angle = 0.0;
    for (from, to) in border.iter().zip(border.iter().cycle().skip(1)) {
        let bearing = |to: &Spot| (to.0 - spot.0).atan2(to.1 - spot.1);
        angle += (bearing(to) - bearing(from) + TAU * 1.5).rem_euclid(TAU) - TAU / 2.0;
    }
    angle.abs() > TAU / 2.0
}

fn centre(dice: &mut Dice) -> (Spot, f64) {
    // From 50 m to 300 km.
    let size = 10f64.powf(dice.between(-3.3, 0.5));
    ((dice.between(-70.0, 70.0), dice.between(-180.0, 180.0)), size)
}

#[test]
fn places_are_where_geodesics_have_them() {
    let mut dice = Dice(1609);
    let (mut decided, mut open, mut bent) = ([0, 0], 0, 0);
    for _ in 0..2000 {
        let (middle, size) = centre(&mut dice);
        let drawn = Drawn::star(&mut dice, middle, size);
        if !drawn.region.is_valid() {
            continue;
        }
        for at in 0..40 {
            let spot = if at % 2 == 0 {
                let wide = size / middle.0.to_radians().cos();
                (middle.0 + size * dice.between(-1.0, 1.0), middle.1 + wide * dice.between(-1.0, 1.0))
            } else {
                // Near a side.
                let start = (dice.next() * drawn.corners.len() as f64) as usize;
                let (from, to) = (drawn.corners[start], drawn.corners[(start + 1) % drawn.corners.len()]);
                let part = dice.next();
                let chord = (to.0 - from.0).hypot(to.1 - from.1);
                let beside = chord * chord * dice.between(-0.02, 0.02);
                (from.0 + (to.0 - from.0) * part + beside, from.1 + (to.1 - from.1) * part)
            };
            let spot = rounded(spot);
            let inside = drawn.has(spot);
            bent += usize::from(goes_around(&drawn.corners, spot) != inside);
            match drawn.region.contains(&to_place(spot)) {
                Some(found) => {
                    assert_eq!(found, inside, "{spot:?} {:?}", drawn.region);
                    decided[at % 2] += 1;
                }
                None => open += usize::from(at % 2 == 0),
            }
        }
    }
    // Straight lines would have been wrong, and hardly a place is left open.
    assert!(bent > 500, "{bent}");
    assert!(decided[0] > 100 * open && decided[1] > 1000 && open > 0, "{decided:?} {open}");
}

#[test]
fn regions_are_where_geodesics_have_them() {
    let mut dice = Dice(103_097);
    let mut counts = std::collections::BTreeMap::<_, [usize; 3]>::new();
    for _ in 0..3000 {
        let (middle, size) = centre(&mut dice);
        let one = |dice: &mut Dice, size: f64| {
            let wide = size / middle.0.to_radians().cos();
            let spot = (middle.0 + size * dice.between(-0.6, 0.6), middle.1 + wide * dice.between(-0.6, 0.6));
            match (dice.next() * 3.0) as u8 {
                0 => {
                    ("rectangle", Drawn::rectangle(spot, size * dice.between(0.2, 0.9), wide * dice.between(0.2, 0.9)))
                }
                1 if size < 0.5 => ("circle", Drawn::circle(spot, (size * dice.between(0.4, 1.0) * 110_000.0) as u16)),
                _ => ("polygon", Drawn::star(dice, spot, size)),
            }
        };
        let (outer_kind, outer) = one(&mut dice, size);
        let smaller = size * dice.between(0.1, 1.0);
        let (kind, inner) = one(&mut dice, smaller);
        if !inner.region.is_valid() || !outer.region.is_valid() {
            continue;
        }
        let has_circle = kind == "circle" || outer_kind == "circle";
        let count = counts.entry((kind, outer_kind)).or_default();
        match inner.region.is_within(&outer.region) {
            Some(found) => {
                let is_out =
                    inner.border.iter().any(|spot| !outer.has(*spot)) || (!has_circle && inner.crosses(&outer));
                // Some metres are left to the straight lines between the places of a border.
                let is_near =
                    || outer.border.iter().any(|one| inner.border.iter().any(|other| metres(*one, *other) < 10.0));
                assert!(found != is_out || is_near(), "{found} {:?} in {:?}", inner.region, outer.region);
                count[usize::from(found)] += 1;
            }
            None => count[2] += 1,
        }
    }
    println!("{counts:?}");
    for ((kind, outer), [no, yes, open]) in counts {
        assert!(no > 20 && yes > 20 && (no + yes) > 10 * open, "{kind} in {outer}: {no} {yes} {open}");
    }
}
