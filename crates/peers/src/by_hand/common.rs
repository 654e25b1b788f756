//! Parts that CAM, DENM and CPM have in common, in UPER.

use super::bits::{List, run};
use super::read::ALTITUDE_CONFIDENCE;

run! {
    /// The header of all messages of release 1.
    Header {
        8 version: u8 [0..=255] "/protocolVersion";
        8 message: u8 [0..=255] "/messageID";
        32 station: u32 [0..=4_294_967_295] "/stationID";
    }
}

run! {
    /// ReferencePosition.
    Position {
        31 latitude: i32 [-900_000_000..=900_000_001] "/latitude";
        32 longitude: i32 [-1_800_000_000..=1_800_000_001] "/longitude";
        12 major: u16 [0..=4095] "/positionConfidenceEllipse/semiMajorConfidence";
        12 minor: u16 [0..=4095] "/positionConfidenceEllipse/semiMinorConfidence";
        12 orientation: u16 [0..=3601] "/positionConfidenceEllipse/semiMajorOrientation";
        20 altitude: i32 [-100_000..=800_001] "/altitude/altitudeValue";
        4 altitude_confidence: u8 [0..=15] "/altitude/altitudeConfidence" of ALTITUDE_CONFIDENCE;
    }
}

run! {
    /// DeltaReferencePosition.
    Delta {
        18 latitude: i32 [-131_071..=131_072] "/deltaLatitude";
        18 longitude: i32 [-131_071..=131_072] "/deltaLongitude";
        15 altitude: i16 [-12_700..=12_800] "/deltaAltitude";
    }
}

run! {
    /// A point of a path, with its time.
    Point {
        1 = 1;
        18 latitude: i32 [-131_071..=131_072] "/pathPosition/deltaLatitude";
        18 longitude: i32 [-131_071..=131_072] "/pathPosition/deltaLongitude";
        15 altitude: i16 [-12_700..=12_800] "/pathPosition/deltaAltitude";
        1 = 0;
        16 time: u16 [1..=65_535] "/pathDeltaTime";
    }
}

/// PathHistory.
pub(super) type Path = List<Point, 0, 40>;
