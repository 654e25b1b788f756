//! The messages of release 2, as the study `today` encodes them: CAM, DENM, CPM and VAM with the
//! mandatory components alone, as they are on the road, and with everything; and the envelope
//! around them.
//!
//! *Typical* contents have the parts and the sizes of values that recorded messages have (a car's
//! CAM with ten points of its path, a road work's DENM with two traces); the values themselves are
//! made up. Recorded messages are of release 1, so that each part is the one of release 2 with the
//! same meaning.

mod envelope;
mod full;

use serde_json::{Value, json};

use super::Schema;
pub use envelope::{SIGNERS, Signer, envelope};

/// 2026-05-15 12:00:00.000 UTC as TimestampIts.
const NOW: u64 = 705_931_205_000;

const STATION: u32 = 2_404_771_893;

/// One message of release 2.
#[derive(Debug, Clone, Copy)]
pub struct Content {
    /// The name in tables and files.
    pub id: &'static str,
    /// Its content, for human readers.
    pub title: &'static str,
    /// The module version.
    pub schema: Schema,
    value: fn() -> Value,
}

impl Content {
    /// The message as JER text.
    #[must_use]
    pub fn jer(&self) -> String {
        (self.value)().to_string()
    }

    /// The content called `id`.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Content> {
        CONTENTS.iter().find(|content| content.id == id)
    }
}

/// All contents, in the order of the tables.
pub const CONTENTS: &[Content] = &[
    Content { id: "cam-mandatory", title: "CAM, mandatory components", schema: Schema::Cam231, value: cam },
    Content {
        id: "cam-typical",
        title: "CAM of a car, with its low frequency container and 10 points of its path",
        schema: Schema::Cam231,
        value: cam_typical,
    },
    Content {
        id: "cam-full",
        title: "CAM, all containers, 23 points of its path and five extension containers",
        schema: Schema::Cam231,
        value: full::cam,
    },
    Content {
        id: "denm-mandatory",
        title: "DENM, mandatory components: a cancellation",
        schema: Schema::Denm231,
        value: denm_mandatory,
    },
    Content {
        id: "denm-typical",
        title: "DENM of road works, with two traces of 8 points",
        schema: Schema::Denm231,
        value: denm_typical,
    },
    Content {
        id: "denm-full",
        title: "DENM, all containers and additions, 7 traces of 40 points",
        schema: Schema::Denm231,
        value: full::denm,
    },
    Content {
        id: "cpm-mandatory",
        title: "CPM, mandatory components: a vehicle's container, no object",
        schema: Schema::Cpm211,
        value: || cpm(0),
    },
    Content { id: "cpm-1", title: "CPM with 1 object", schema: Schema::Cpm211, value: || cpm(1) },
    Content { id: "cpm-10", title: "CPM with 10 objects", schema: Schema::Cpm211, value: || cpm(10) },
    Content { id: "cpm-40", title: "CPM with 40 objects", schema: Schema::Cpm211, value: || cpm(40) },
    Content { id: "cpm-128", title: "CPM with 128 objects", schema: Schema::Cpm211, value: || cpm(128) },
    Content {
        id: "cpm-full",
        title: "CPM, all of a vehicle's containers, 10 objects with all components",
        schema: Schema::Cpm211,
        value: full::cpm,
    },
    Content { id: "vam-mandatory", title: "VAM, mandatory components", schema: Schema::Vam231, value: vam },
    Content {
        id: "vam-typical",
        title: "VAM of a cyclist, with its low frequency container and 10 points of its path",
        schema: Schema::Vam231,
        value: vam_typical,
    },
    Content { id: "vam-full", title: "VAM, all containers", schema: Schema::Vam231, value: full::vam },
];

fn header(version: u8, message: u8) -> Value {
    json!({ "protocolVersion": version, "messageId": message, "stationId": STATION })
}

/// A place by the names that release 1 used, which DENM and CPM have kept.
fn position(north: i64, east: i64) -> Value {
    json!({
        "latitude": 481_362_000 + north,
        "longitude": 115_270_000 + east,
        "positionConfidenceEllipse": {
            "semiMajorConfidence": 282,
            "semiMinorConfidence": 278,
            "semiMajorOrientation": 1027
        },
        "altitude": altitude()
    })
}

/// The same by the names of CAM and VAM.
fn position_with_confidence() -> Value {
    json!({
        "latitude": 481_362_000,
        "longitude": 115_270_000,
        "positionConfidenceEllipse": {
            "semiMajorAxisLength": 282,
            "semiMinorAxisLength": 278,
            "semiMajorAxisOrientation": 1027
        },
        "altitude": altitude()
    })
}

fn altitude() -> Value {
    json!({ "altitudeValue": 52_900, "altitudeConfidence": "alt-005-00" })
}

/// A point's distance from the one before it: at 20 m/s, a second later.
fn delta(i: i64, trace: i64) -> Value {
    json!({
        "deltaLatitude": -405 - i * 23 - trace * 61,
        "deltaLongitude": -2186 - i * 47 + trace * 127,
        "deltaAltitude": (i * 13 + trace * 5) % 41 * 10 - 200
    })
}

/// `points` points of a path, newest first; `trace` shifts them.
fn path(points: i64, trace: i64) -> Value {
    let point = |i| json!({ "pathPosition": delta(i, trace), "pathDeltaTime": 77 + (i * 25 + trace * 3) % 36 });
    (0..points).map(point).collect()
}

fn cam() -> Value {
    json!({
        "header": header(2, 2),
        "cam": {
            "generationDeltaTime": NOW % 65_536,
            "camParameters": {
                "basicContainer": { "stationType": 5, "referencePosition": position_with_confidence() },
                "highFrequencyContainer": {
                    "basicVehicleContainerHighFrequency": {
                        "heading": { "headingValue": 747, "headingConfidence": 6 },
                        "speed": { "speedValue": 1_997, "speedConfidence": 5 },
                        "driveDirection": "forward",
                        "vehicleLength": {
                            "vehicleLengthValue": 42,
                            "vehicleLengthConfidenceIndication": "trailerPresenceIsUnknown"
                        },
                        "vehicleWidth": 18,
                        "longitudinalAcceleration": { "value": -2, "confidence": 102 },
                        "curvature": { "curvatureValue": 7, "curvatureConfidence": "onePerMeter-0-002" },
                        "curvatureCalculationMode": "yawRateUsed",
                        "yawRate": { "yawRateValue": -11, "yawRateConfidence": "degSec-000-10" }
                    }
                }
            }
        }
    })
}

fn cam_typical() -> Value {
    let mut cam = cam();
    let parameters = &mut cam["cam"]["camParameters"];
    let high = &mut parameters["highFrequencyContainer"]["basicVehicleContainerHighFrequency"];
    high["accelerationControl"] = json!("40");
    high["steeringWheelAngle"] = json!({ "steeringWheelAngleValue": 4, "steeringWheelAngleConfidence": 127 });
    high["lateralAcceleration"] = json!({ "value": 0, "confidence": 102 });
    parameters["lowFrequencyContainer"] = json!({
        "basicVehicleContainerLowFrequency": {
            "vehicleRole": "default",
            "exteriorLights": "08",
            "pathHistory": path(10, 0)
        }
    });
    cam
}

fn denm() -> Value {
    json!({
        "header": header(2, 1),
        "denm": {
            "management": {
                "actionId": { "originatingStationId": STATION, "sequenceNumber": 17 },
                "detectionTime": NOW - 1_500,
                "referenceTime": NOW,
                "eventPosition": position(1_140, -2_310),
                "stationType": 15
            }
        }
    })
}

/// Situation and location are required unless the event has ended (TS 103 831, the constraint of
/// DenmPayload).
fn denm_mandatory() -> Value {
    let mut denm = denm();
    denm["denm"]["management"]["termination"] = json!("isCancellation");
    denm
}

fn denm_typical() -> Value {
    let mut denm = denm();
    let body = &mut denm["denm"];
    body["management"]["awarenessDistance"] = json!("lessThan1000m");
    body["management"]["trafficDirection"] = json!("sameAsReferenceDirection-upstreamOfReferencePosition");
    body["management"]["validityDuration"] = json!(7_200);
    body["situation"] = json!({
        "informationQuality": 3,
        "eventType": { "ccAndScc": { "roadworks3": 4 } }
    });
    body["location"] = json!({
        "detectionZonesToEventPosition": [path(8, 0), path(8, 1)],
        "roadType": "nonUrban-WithStructuralSeparationToOppositeLanes"
    });
    body["alacarte"] = json!({
        "roadWorks": {
            "closedLanes": {
                "innerhardShoulderStatus": "availableForStopping",
                "outerhardShoulderStatus": "availableForDriving",
                "drivingLaneStatus": { "value": "10", "length": 4 }
            },
            "speedLimit": 60,
            "startingPointSpeedLimit": delta(3, 0),
            "trafficFlowRule": "passToRight",
            "referenceDenms": [
                { "originatingStationId": STATION, "sequenceNumber": 2 },
                { "originatingStationId": STATION, "sequenceNumber": 3 }
            ]
        }
    });
    denm
}

/// A vehicle's CPM with so many objects; without any it has no container of objects.
fn cpm(objects: i64) -> Value {
    let mut containers = vec![json!({
        "containerId": 1,
        "containerData": { "orientationAngle": { "value": 747, "confidence": 6 } }
    })];
    if objects > 0 {
        containers.push(perceived((0..objects).map(object).collect()));
    }
    json!({
        "header": header(2, 14),
        "payload": {
            "managementContainer": { "referenceTime": NOW, "referencePosition": position(0, 0) },
            "cpmContainers": containers
        }
    })
}

fn perceived(objects: Vec<Value>) -> Value {
    json!({
        "containerId": 5,
        "containerData": { "numberOfPerceivedObjects": objects.len(), "perceivedObjects": objects }
    })
}

/// A vehicle that another one perceives: where it is, how fast, how large, and what.
fn object(i: i64) -> Value {
    let component = |value: i64| json!({ "value": value, "confidence": 20 });
    json!({
        "objectId": 100 + i,
        "measurementDeltaTime": -(40 + i % 60),
        "position": {
            "xCoordinate": { "value": 1_250 + i * 310, "confidence": 45 },
            "yCoordinate": { "value": 380 - i % 7 * 350, "confidence": 62 }
        },
        "velocity": { "cartesianVelocity": { "xVelocity": component(1_390 + i * 3), "yVelocity": component(i % 11 - 5) } },
        "angles": { "zAngle": { "value": (i * 37) % 3_600, "confidence": 20 } },
        "objectDimensionY": { "value": 18, "confidence": 2 },
        "objectDimensionX": { "value": 45, "confidence": 4 },
        "objectAge": 400 + i * 11,
        "classification": [{ "objectClass": { "vehicleSubClass": 5 }, "confidence": 95 }]
    })
}

fn vam() -> Value {
    json!({
        "header": header(3, 16),
        "vam": {
            "generationDeltaTime": NOW % 65_536,
            "vamParameters": {
                "basicContainer": { "stationType": 2, "referencePosition": position_with_confidence() },
                "vruHighFrequencyContainer": {
                    "heading": { "value": 747, "confidence": 20 },
                    "speed": { "speedValue": 530, "speedConfidence": 12 },
                    "longitudinalAcceleration": {
                        "longitudinalAccelerationValue": 3,
                        "longitudinalAccelerationConfidence": 102
                    }
                }
            }
        }
    })
}

fn vam_typical() -> Value {
    let mut vam = vam();
    let parameters = &mut vam["vam"]["vamParameters"];
    let high = &mut parameters["vruHighFrequencyContainer"];
    high["yawRate"] = json!({ "yawRateValue": -11, "yawRateConfidence": "degSec-001-00" });
    high["environment"] = json!(4);
    high["movementControl"] = json!(0);
    parameters["vruLowFrequencyContainer"] = json!({
        "profileAndSubprofile": { "bicyclistAndLightVruVehicle": 1 },
        "sizeClass": 2,
        "exteriorLights": { "vehicular": "80", "vruSpecific": "40" }
    });
    parameters["vruMotionPredictionContainer"] = json!({ "pathHistory": path(10, 0) });
    vam
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message, and in its envelope, is a value of its schema.
    #[test]
    fn every_content_is_a_value_of_its_schema() {
        for content in CONTENTS {
            let notation = content.schema.notation().unwrap();
            let value = notation.read(&content.jer()).unwrap_or_else(|error| panic!("{}: {error}", content.id));
            let again: Value = serde_json::from_str(&notation.write(&value).unwrap()).unwrap();
            assert_eq!(again, serde_json::from_str::<Value>(&content.jer()).unwrap(), "{}", content.id);
        }
        let notation = Schema::Data211.notation().unwrap();
        for signer in SIGNERS {
            for content in CONTENTS {
                notation.read(&envelope(content.schema, signer, &[1, 2, 3]).to_string()).unwrap();
            }
        }
    }

    #[test]
    fn names_are_unique_and_each_message_has_all_three_contents() {
        for (at, content) in CONTENTS.iter().enumerate() {
            assert!(CONTENTS[..at].iter().all(|other| other.id != content.id), "{}", content.id);
        }
        for message in ["cam", "denm", "vam"] {
            for part in ["mandatory", "typical", "full"] {
                assert!(Content::find(&format!("{message}-{part}")).is_some());
            }
        }
    }
}
