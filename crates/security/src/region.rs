//! Regions, and whether one lies in another (clause 4.2.20 and on).

/// A place, in tenths of a microdegree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// North is positive.
    pub latitude: i32,
    /// East is positive.
    pub longitude: i32,
}

/// Where a certificate counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Region {
    /// Everywhere.
    None,
    /// No further from a place than this, in metres.
    Circle(Place, u16),
    /// In one of these, told by their north-western and south-eastern corners.
    Rectangles(Vec<(Place, Place)>),
    /// Within these corners.
    Polygon(Vec<Place>),
    /// In a region of a dictionary: its number among dictionaries, among the dictionary's regions, and of a part (0: all of it).
    Identified(u8, u16, u64),
    /// A region of a sort that this version does not know.
    Unknown,
}

impl Region {
    /// Whether it lies within another one. `None` where their numbers do not tell: circles and polygons beside other regions, rectangles over several, and dictionaries.
    #[must_use]
    pub fn is_within(&self, other: &Region) -> Option<bool> {
        match (self, other) {
            (Region::Unknown, _) | (_, Region::Unknown) => None,
            (_, Region::None) => Some(true),
            (Region::None, _) => Some(false),
            (a, b) if a == b => Some(true),
            (Region::Identified(dictionary, region, part), Region::Identified(other_dictionary, other, other_part)) => {
                let same = dictionary == other_dictionary && region == other;
                if *other_part == 0 && same { Some(true) } else { (same && *part != 0).then_some(false) }
            }
            (Region::Rectangles(all), Region::Rectangles(others)) => {
                let within = |one: &(Place, Place)| others.iter().any(|other| surrounds(other, one));
                if all.iter().all(within) { Some(true) } else { (others.len() == 1).then_some(false) }
            }
            _ => None,
        }
    }
}

fn surrounds(outer: &(Place, Place), inner: &(Place, Place)) -> bool {
    outer.0.latitude >= inner.0.latitude
        && outer.0.longitude <= inner.0.longitude
        && outer.1.latitude <= inner.1.latitude
        && outer.1.longitude >= inner.1.longitude
}
