//! When and where a certificate is valid (IEEE 1609.2 §6.4: `ValidityPeriod`, `GeographicRegion`).

use roadwire_messages::ieee1609dot2_2022::{
    Duration, GeographicRegion, IdentifiedRegion, ThreeDLocation, TwoDLocation, ValidityPeriod,
};

use crate::{Place, Region};

/// Microseconds in a second, and seconds in a year (365.2425 days).
const SECOND: u64 = 1_000_000;
const YEAR: u64 = 31_556_952;

/// Whether a time, in microseconds since 2004 (TAI), is in a period, including both ends.
pub(super) fn lies_in(time: u64, period: &ValidityPeriod) -> bool {
    let start = u64::from(period.start) * SECOND;
    let (count, unit) = match period.duration {
        Duration::Microseconds(count) => (count, 1),
        Duration::Milliseconds(count) => (count, 1000),
        Duration::Seconds(count) => (count, SECOND),
        Duration::Minutes(count) => (count, 60 * SECOND),
        Duration::Hours(count) => (count, 3600 * SECOND),
        Duration::SixtyHours(count) => (count, 60 * 3600 * SECOND),
        Duration::Years(count) => (count, YEAR * SECOND),
    };
    (start..=start + u64::from(count) * unit).contains(&time)
}

/// Whether a place is in a region; nothing if that is not known (countries, and a place on the
/// border of a polygon: see [`Region::contains`]).
pub(super) fn contains(region: &GeographicRegion, place: &ThreeDLocation) -> Option<bool> {
    let place = Place { latitude: place.latitude, longitude: place.longitude };
    plain(region)?.contains(&place)
}

/// The region, in the terms of all versions. Countries and their parts are those of the dictionary
/// of the United Nations (1); the number of a subregion is after that of its region (16 bits).
pub(super) fn regions(region: &GeographicRegion) -> Vec<Region> {
    let identified = |(country, region, subregion): (u16, Option<u8>, Option<u16>)| {
        let region = u64::from(region.unwrap_or(0));
        Region::Identified(1, country, subregion.map_or(region, |subregion| region << 16 | u64::from(subregion)))
    };
    match (plain(region), region) {
        (Some(plain), _) => vec![plain],
        (None, GeographicRegion::IdentifiedRegion(all)) if !all.iter().any(is_unknown) => {
            all.iter().flat_map(parts).map(identified).collect()
        }
        (None, _) => vec![Region::Unknown],
    }
}

pub(super) fn is_unknown(region: &IdentifiedRegion) -> bool {
    matches!(region, IdentifiedRegion::UnknownAddition(_))
}

/// Whether a region is within its issuer's; nothing if that is not known (countries and other
/// regions, borders of polygons: see [`Region::is_within`]).
pub(super) fn is_within(region: &GeographicRegion, issuers: &GeographicRegion) -> Option<bool> {
    if let (GeographicRegion::IdentifiedRegion(own), GeographicRegion::IdentifiedRegion(outer)) = (region, issuers) {
        let is_covered = |part: &(u16, Option<u8>, Option<u16>)| {
            outer.iter().flat_map(parts).any(|other| {
                part.0 == other.0
                    && (other.1.is_none() || other.1 == part.1)
                    && (other.2.is_none() || other.2 == part.2)
            })
        };
        return Some(own.iter().flat_map(parts).all(|part| is_covered(&part)));
    }
    plain(region)?.is_within(&plain(issuers)?)
}

/// The parts of a region: country, region and subregion. One of a later version has none that is
/// known: it counts as within, as all that is not known does.
fn parts(region: &IdentifiedRegion) -> Vec<(u16, Option<u8>, Option<u16>)> {
    match region {
        IdentifiedRegion::CountryOnly(country) => vec![(*country, None, None)],
        IdentifiedRegion::CountryAndRegions(one) => {
            one.regions.iter().map(|region| (one.country_only, Some(*region), None)).collect()
        }
        IdentifiedRegion::CountryAndSubregions(one) => {
            let of = |region: u8, subregion: u16| (one.country, Some(region), Some(subregion));
            let all = one.region_and_subregions.iter();
            all.flat_map(|part| part.subregions.iter().map(move |subregion| of(part.region, *subregion))).collect()
        }
        IdentifiedRegion::UnknownAddition(_) => Vec::new(),
    }
}

fn plain(region: &GeographicRegion) -> Option<Region> {
    let place = |place: &TwoDLocation| Place { latitude: place.latitude, longitude: place.longitude };
    match region {
        GeographicRegion::CircularRegion(circle) => Some(Region::Circle(place(&circle.center), circle.radius)),
        GeographicRegion::RectangularRegion(all) => {
            Some(Region::Rectangles(all.iter().map(|one| (place(&one.north_west), place(&one.south_east))).collect()))
        }
        GeographicRegion::PolygonalRegion(corners) => Some(Region::Polygon(corners.iter().map(place).collect())),
        GeographicRegion::IdentifiedRegion(_) | GeographicRegion::UnknownAddition(_) => None,
    }
}
