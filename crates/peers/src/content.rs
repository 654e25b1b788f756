//! The values that are encoded: the studies' messages, each in one place as JER (X.697) text, from
//! which every engine builds its own in-memory message outside the timed region.
//!
//! Positions are on the road before the institute in Munich where the papers were written, times
//! are of May 2014. TimestampIts counts milliseconds since 2004-01-01 in TAI, three leap seconds
//! more than UTC by then.

pub mod envelope;
pub mod today;
pub mod unpadded;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;

use envelope::{Case, Year};
use roadwire_frontend::Source;
use roadwire_layout::{Family, Rules};
use roadwire_model::{Model, TypeId};
use roadwire_notation::Notation;
use serde_json::{Value, json};

/// 2014-05-15 12:00:00.000 UTC as TimestampIts.
const REFERENCE_TIME: u64 = 327_240_003_000;

/// The module versions that the studies use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Schema {
    /// CAM, EN 302 637-2 V1.3.0: CurvatureValue is -30000..30001.
    Cam130,
    /// CAM, EN 302 637-2 V1.4.1: CurvatureValue is -1023..1023.
    Cam141,
    /// DENM, EN 302 637-3 V1.2.0.
    Denm120,
    /// DENM, EN 302 637-3 V1.3.1.
    Denm131,
    /// The security envelope in ASN.1, of 2014.
    Envelope2014,
    /// The security envelope in ASN.1, of 2015.
    Envelope2015,
    /// The security envelope in its binary format, TS 103 097 V1.1.1.
    Envelope111,
    /// The certificate of the certificate study.
    Certificate2017,
    /// The secured message of IEEE 1609.2-2013 in its own binary format.
    SecuredData2013,
    /// The same in ASN.1: the study's original schema.
    SecuredDataOriginal,
    /// The same in ASN.1: the study's P schema.
    SecuredDataP,
    /// CAM of release 2, TS 103 900 V2.1.1.
    Cam211,
    /// CAM of release 2, TS 103 900 V2.3.1.
    Cam231,
    /// DENM of release 2, TS 103 831 V2.3.1.
    Denm231,
    /// CPM, TS 103 324 V2.1.1.
    Cpm211,
    /// VAM, TS 103 300-3 V2.3.1.
    Vam231,
    /// The security envelope of release 2, TS 103 097 V2.1.1.
    Data211,
    /// A schema of the user: the engines that are made for it have its model.
    Own,
}

impl Schema {
    /// Those of CAM and DENM, which other programs support.
    pub const ALL: [Schema; 4] = [Schema::Cam130, Schema::Cam141, Schema::Denm120, Schema::Denm131];

    /// Its model, and the message type in it.
    ///
    /// # Errors
    /// Does not happen for a shipped schema.
    pub fn model(self) -> Result<(Model, TypeId), String> {
        let (_, model) = shipped(self.name())?;
        let root = model.find(self.message()?).ok_or("no such type")?;
        Ok((model, root))
    }

    /// Its message, as `Module.Type`.
    ///
    /// # Errors
    /// Does not happen for a shipped schema.
    pub fn message(self) -> Result<&'static str, String> {
        self.pdu().map_or_else(|| Ok(shipped(self.name())?.0.pdu()), Ok)
    }

    /// The notation of its message as text.
    ///
    /// # Errors
    /// Does not happen for a shipped schema.
    pub fn notation(self) -> Result<Notation, String> {
        let (model, root) = self.model()?;
        Notation::new(&model, root).map_err(|error| error.to_string())
    }

    /// The name on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Schema::Cam130 => "cam-1.3.0",
            Schema::Cam141 => "cam-1.4.1",
            Schema::Denm120 => "denm-1.2.0",
            Schema::Denm131 => "denm-1.3.1",
            Schema::Envelope2014 | Schema::Envelope2015 => "etsi-envelope-2015",
            Schema::Envelope111 => "ts103097-1.1.1",
            Schema::Certificate2017 => "certificate-2017",
            Schema::SecuredData2013 => "ieee1609dot2-2013",
            Schema::SecuredDataOriginal => "dot2-original-2015",
            Schema::SecuredDataP => "dot2-p-2015",
            Schema::Cam211 => "cam-2.1.1",
            Schema::Cam231 => "cam-2.3.1",
            Schema::Denm231 => "denm-2.3.1",
            Schema::Cpm211 => "cpm-2.1.1",
            Schema::Vam231 => "vam-2.3.1",
            Schema::Data211 => "ts103097-2.1.1",
            Schema::Own => "own",
        }
    }

    /// Its message, if that is not the first PDU of the schema with this name.
    pub fn pdu(self) -> Option<&'static str> {
        (self == Schema::Envelope2014).then_some("EtsiEnvelope.SecuredMessage2014")
    }
}

/// A schema that roadwire ships or that only papers have, compiled once.
///
/// # Errors
/// Does not happen for these schemas.
pub fn shipped(name: &str) -> Result<(&'static roadwire_messages::Schema, Model), String> {
    static COMPILED: Mutex<BTreeMap<&str, Model>> = Mutex::new(BTreeMap::new());
    let mut schemas = roadwire_messages::SCHEMAS.iter().chain(roadwire_papers::SCHEMAS);
    let shipped = schemas.find(|one| one.name == name).ok_or("not shipped")?;
    let mut compiled = COMPILED.lock().map_err(|_| "another thread failed while it compiled")?;
    if let Some(model) = compiled.get(shipped.name) {
        return Ok((shipped, model.clone()));
    }
    let sources: Vec<Source> = shipped.modules.iter().map(|(name, text)| Source::new(*name, *text)).collect();
    let model = roadwire_frontend::compile(&sources).map_err(|errors| errors.render())?.model;
    compiled.insert(shipped.name, model.clone());
    Ok((shipped, model))
}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One message of the studies.
#[derive(Debug, Clone, Copy)]
pub struct Message {
    /// The name in records and tables.
    pub id: &'static str,
    /// Its content, for human readers.
    pub title: &'static str,
    /// The module version.
    pub schema: Schema,
    /// Why advice on encodings does not count it; `None` if advice counts it.
    pub not_counted: Option<&'static str>,
    text: Text,
    /// The same in the binary format, for messages that have one besides ASN.1.
    binary: Option<fn() -> Value>,
}

/// Where a message's text comes from.
#[derive(Debug, Clone, Copy)]
enum Text {
    /// It is made from this value.
    Of(fn() -> Value),
    /// The user gives it.
    Given(&'static str),
}

/// Octets on file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vector {
    /// The octets.
    pub octets: Vec<u8>,
    /// The implementation that also has them.
    pub by: &'static str,
}

impl Message {
    /// The message as JER text.
    pub fn jer(&self) -> String {
        match self.text {
            Text::Of(value) => value().to_string(),
            Text::Given(text) => text.to_owned(),
        }
    }

    /// A user's message, as JER text. It lasts until the program ends.
    pub fn own(id: String, schema: Schema, jer: String) -> &'static Message {
        let (id, text) = (id.leak(), Text::Given(jer.leak()));
        let (title, not_counted) = ("the user's message", Some("it is in no paper"));
        Box::leak(Box::new(Message { id, title, schema, not_counted, text, binary: None }))
    }

    /// The message as a value for these rules: of the binary format, which is `tls`, or of ASN.1.
    /// `None` if it does not exist there.
    pub fn under(&self, rules: Rules) -> Option<Message> {
        match self.binary {
            Some(value) if rules == Rules::Tls => {
                Some(Message { schema: Schema::Envelope111, text: Text::Of(value), binary: None, ..*self })
            }
            Some(_) => envelope::RULES.contains(&rules).then_some(*self),
            None => (rules != Rules::Tls || self.schema == Schema::Own).then_some(*self),
        }
    }

    /// The message called `id`.
    pub fn find(id: &str) -> Option<&'static Message> {
        MESSAGES.iter().find(|m| m.id == id)
    }

    /// The octets on file for these rules: the third opinion at the gate.
    pub fn vector(&self, rules: Rules) -> Option<Vector> {
        let mut lines = include_str!("content/vectors.txt").lines().map(|line| line.split(' '));
        let mut line = lines.find(|line| line.clone().take(2).eq([self.id, rules.name()]))?;
        // The implementations have no code in common with ours or with each other.
        let by = match rules.family() {
            Family::Packed => "asn1tools 0.169",
            Family::Fields => "Google's protobuf 7.36",
            Family::Events => "EXIficient 1.0.7",
            Family::Octet | Family::Tlv | Family::Xml | Family::Json | Family::Vectors | Family::Cbor => return None,
        };
        Some(Vector { octets: crate::hex::decode(line.nth(2)?)?, by })
    }
}

/// Why no envelope counts.
const ENVELOPE: &str = "its ASN.1 was never published, and ours was fitted to printed lengths";

macro_rules! envelope {
    ($case:literal, $which:ident, $title:literal, $year:literal, $y:ident, $schema:ident) => {
        Message {
            id: concat!("envelope-", $case, "-", $year),
            title: concat!("security envelope of ", $year, ": ", $title),
            schema: Schema::$schema,
            not_counted: Some(ENVELOPE),
            text: Text::Of(|| envelope::asn1(Case::$which, Year::$y)),
            binary: Some(|| envelope::binary(Case::$which, Year::$y)),
        }
    };
}

/// All messages, in the order of the tables.
pub const MESSAGES: &[Message] = &[
    Message {
        id: "cam-mandatory",
        title: "CAM, mandatory fields",
        schema: Schema::Cam130,
        not_counted: None,
        text: Text::Of(|| cam_mandatory(1)),
        binary: None,
    },
    Message {
        id: "cam-mandatory-lorry",
        title: "CAM, mandatory fields, of a lorry in a bend",
        schema: Schema::Cam130,
        not_counted: Some("its values were chosen until EXI had printed lengths"),
        text: Text::Of(cam_mandatory_lorry),
        binary: None,
    },
    Message {
        id: "cam-mandatory-1.4.1",
        title: "CAM V1.4.1, mandatory fields",
        schema: Schema::Cam141,
        not_counted: Some("it has the values of cam-mandatory"),
        text: Text::Of(|| cam_mandatory(2)),
        binary: None,
    },
    Message {
        id: "denm-mandatory",
        title: "DENM, mandatory fields",
        schema: Schema::Denm120,
        not_counted: None,
        text: Text::Of(|| denm_mandatory(1)),
        binary: None,
    },
    Message {
        id: "denm-mandatory-validity",
        title: "DENM, mandatory fields and validityDuration",
        schema: Schema::Denm120,
        not_counted: Some("it is denm-mandatory and one field, which was added until a printed length came out"),
        text: Text::Of(denm_mandatory_validity),
        binary: None,
    },
    Message {
        id: "cam-full",
        title: "CAM V1.4.1, all containers, 40 path points",
        schema: Schema::Cam141,
        not_counted: None,
        text: Text::Of(cam_full),
        binary: None,
    },
    Message {
        id: "denm-full",
        title: "DENM V1.3.1, all containers, 7 traces of 40 points",
        schema: Schema::Denm131,
        not_counted: None,
        text: Text::Of(denm_full),
        binary: None,
    },
    envelope!("cam-digest", CamDigest, "CAM, signer's digest", 2015, Y2015, Envelope2015),
    envelope!("cam-certificate", CamCertificate, "CAM, certificate", 2015, Y2015, Envelope2015),
    envelope!("denm", Denm, "DENM, certificate", 2015, Y2015, Envelope2015),
    envelope!("generic", Generic, "generic, certificate", 2015, Y2015, Envelope2015),
    envelope!("cam-digest", CamDigest, "CAM, signer's digest", 2014, Y2014, Envelope2014),
    envelope!("cam-certificate", CamCertificate, "CAM, certificate", 2014, Y2014, Envelope2014),
    envelope!("denm", Denm, "DENM, certificate", 2014, Y2014, Envelope2014),
    envelope!("generic", Generic, "generic, certificate", 2014, Y2014, Envelope2014),
];

fn position(north: i64, east: i64) -> Value {
    json!({
        "latitude": 481_362_000 + north,
        "longitude": 115_270_000 + east,
        "positionConfidenceEllipse": {
            "semiMajorConfidence": 120,
            "semiMinorConfidence": 85,
            "semiMajorOrientation": 412
        },
        "altitude": { "altitudeValue": 52_900, "altitudeConfidence": "alt-002-00" }
    })
}

fn high_frequency() -> Value {
    json!({
        "heading": { "headingValue": 2_713, "headingConfidence": 10 },
        "speed": { "speedValue": 1_389, "speedConfidence": 5 },
        "driveDirection": "forward",
        "vehicleLength": {
            "vehicleLengthValue": 45,
            "vehicleLengthConfidenceIndication": "noTrailerPresent"
        },
        "vehicleWidth": 18,
        "longitudinalAcceleration": {
            "longitudinalAccelerationValue": -7,
            "longitudinalAccelerationConfidence": 4
        },
        "curvature": { "curvatureValue": -12, "curvatureConfidence": "onePerMeter-0-002" },
        "curvatureCalculationMode": "yawRateUsed",
        "yawRate": { "yawRateValue": 215, "yawRateConfidence": "degSec-000-10" }
    })
}

fn cam_mandatory(version: u8) -> Value {
    json!({
        "header": { "protocolVersion": version, "messageID": 2, "stationID": 2_404_771_893_u32 },
        "cam": {
            "generationDeltaTime": REFERENCE_TIME % 65_536,
            "camParameters": {
                "basicContainer": { "stationType": 5, "referencePosition": position(0, 0) },
                "highFrequencyContainer": {
                    "basicVehicleContainerHighFrequency": high_frequency()
                }
            }
        }
    })
}

fn cam_mandatory_lorry() -> Value {
    let mut cam = cam_mandatory(1);
    cam["header"]["stationID"] = json!(1_404_771);
    let basic = &mut cam["cam"]["camParameters"]["basicContainer"];
    basic["stationType"] = json!(8);
    let ellipse = &mut basic["referencePosition"]["positionConfidenceEllipse"];
    ellipse["semiMajorConfidence"] = json!(250);
    ellipse["semiMinorConfidence"] = json!(180);
    let high = &mut cam["cam"]["camParameters"]["highFrequencyContainer"]["basicVehicleContainerHighFrequency"];
    high["vehicleLength"]["vehicleLengthValue"] = json!(187);
    high["vehicleWidth"] = json!(26);
    high["curvature"]["curvatureValue"] = json!(-340);
    cam
}

fn denm_mandatory(version: u8) -> Value {
    json!({
        "header": { "protocolVersion": version, "messageID": 1, "stationID": 2_404_771_893_u32 },
        "denm": {
            "management": {
                "actionID": { "originatingStationID": 2_404_771_893_u32, "sequenceNumber": 17 },
                "detectionTime": REFERENCE_TIME - 1_500,
                "referenceTime": REFERENCE_TIME,
                "eventPosition": position(1_140, -2_310),
                "stationType": 5
            }
        }
    })
}

fn denm_mandatory_validity() -> Value {
    let mut denm = denm_mandatory(1);
    denm["denm"]["management"]["validityDuration"] = json!(60);
    denm
}

fn cam_full() -> Value {
    let mut cam = cam_mandatory(2);
    let parameters = &mut cam["cam"]["camParameters"];
    let high = &mut parameters["highFrequencyContainer"]["basicVehicleContainerHighFrequency"];
    high["accelerationControl"] = json!("42");
    high["lanePosition"] = json!(2);
    high["steeringWheelAngle"] = json!({ "steeringWheelAngleValue": -14, "steeringWheelAngleConfidence": 2 });
    high["lateralAcceleration"] = json!({ "lateralAccelerationValue": 3, "lateralAccelerationConfidence": 6 });
    high["verticalAcceleration"] = json!({ "verticalAccelerationValue": 1, "verticalAccelerationConfidence": 9 });
    high["performanceClass"] = json!(1);
    high["cenDsrcTollingZone"] = json!({
        "protectedZoneLatitude": 481_370_000,
        "protectedZoneLongitude": 115_300_000,
        "cenDsrcTollingZoneID": 70_412
    });
    parameters["lowFrequencyContainer"] = json!({
        "basicVehicleContainerLowFrequency": {
            "vehicleRole": "publicTransport",
            "exteriorLights": "88",
            "pathHistory": path(40, 0)
        }
    });
    parameters["specialVehicleContainer"] = json!({
        "publicTransportContainer": {
            "embarkationStatus": true,
            "ptActivation": {
                "ptActivationType": 1,
                "ptActivationData": "A1B2C3D4E5F60718293A4B5C6D7E8F9001122334"
            }
        }
    });
    cam
}

fn denm_full() -> Value {
    let mut denm = denm_mandatory(2);
    let body = &mut denm["denm"];
    let management = &mut body["management"];
    management["termination"] = json!("isNegation");
    management["relevanceDistance"] = json!("lessThan1000m");
    management["relevanceTrafficDirection"] = json!("upstreamTraffic");
    management["validityDuration"] = json!(7_200);
    management["transmissionInterval"] = json!(1_000);
    body["situation"] = json!({
        "informationQuality": 4,
        "eventType": { "causeCode": 94, "subCauseCode": 2 },
        "linkedCause": { "causeCode": 3, "subCauseCode": 4 },
        "eventHistory": (0..23).map(event).collect::<Vec<_>>()
    });
    body["location"] = json!({
        "eventSpeed": { "speedValue": 0, "speedConfidence": 1 },
        "eventPositionHeading": { "headingValue": 2_713, "headingConfidence": 10 },
        "traces": (0..7).map(|trace| path(40, trace)).collect::<Vec<_>>(),
        "roadType": "urban-WithStructuralSeparationToOppositeLanes"
    });
    body["alacarte"] = json!({
        "lanePosition": 1,
        "impactReduction": impact_reduction(),
        "externalTemperature": 16,
        "roadWorks": road_works(),
        "positioningSolution": "sGNSSplusDR",
        "stationaryVehicle": {
            "stationarySince": "lessThan2Minutes",
            "stationaryCause": { "causeCode": 91, "subCauseCode": 5 },
            "carryingDangerousGoods": {
                "dangerousGoodsType": "flammableLiquids",
                "unNumber": 1_203,
                "elevatedTemperature": false,
                "tunnelsRestricted": true,
                "limitedQuantity": false,
                "emergencyActionCode": "3YE",
                "phoneNumber": "498912345678",
                "companyName": "Spedition M\u{fc}nchen"
            },
            "numberOfOccupants": 2,
            "vehicleIdentification": { "wMInumber": "WBA", "vDS": "3A5C50" },
            "energyStorageType": "04"
        }
    });
    denm
}

/// Where a vehicle is stiff and where people sit, with all of its components.
fn impact_reduction() -> Value {
    json!({
        "heightLonCarrLeft": 42,
        "heightLonCarrRight": 43,
        "posLonCarrLeft": 31,
        "posLonCarrRight": 32,
        "positionOfPillars": [11, 19, 28],
        "posCentMass": 21,
        "wheelBaseVehicle": 27,
        "turningRadius": 14,
        "posFrontAx": 9,
        "positionOfOccupants": "C42100",
        "vehicleMass": 15,
        "requestResponseIndication": "request"
    })
}

fn road_works() -> Value {
    json!({
        "lightBarSirenInUse": "80",
        "closedLanes": {
            "innerhardShoulderStatus": "closed",
            "outerhardShoulderStatus": "availableForStopping",
            "drivingLaneStatus": { "value": "A000", "length": 13 }
        },
        "restriction": [8, 9, 10],
        "speedLimit": 60,
        "incidentIndication": { "causeCode": 3, "subCauseCode": 1 },
        "recommendedPath": (0..40).map(|i| position(i * 410, i * -955)).collect::<Vec<_>>(),
        "startingPointSpeedLimit": {
            "deltaLatitude": -2_210,
            "deltaLongitude": 5_180,
            "deltaAltitude": 20
        },
        "trafficFlowRule": "passToLeft",
        "referenceDenms": (0..8)
            .map(|i| json!({ "originatingStationID": 2_404_771_800_u32 + i, "sequenceNumber": i * 3 }))
            .collect::<Vec<_>>()
    })
}

/// `points` points of a path driven at about 14 m/s, newest first; `trace` shifts them.
fn path(points: i64, trace: i64) -> Value {
    (0..points)
        .map(|i| {
            let mut point = json!({ "pathPosition": delta(i, trace) });
            point["pathDeltaTime"] = json!(48 + (i * 5 + trace * 3) % 9);
            point
        })
        .collect()
}

fn event(i: i64) -> Value {
    json!({
        "eventPosition": delta(i, 8),
        "eventDeltaTime": 90 + i * 7,
        "informationQuality": 3 + i % 4
    })
}

fn delta(i: i64, trace: i64) -> Value {
    json!({
        "deltaLatitude": -180 - i * 23 - trace * 61,
        "deltaLongitude": 930 + i * 11 - trace * 127,
        "deltaAltitude": (i * 13 + trace * 5) % 41 - 20
    })
}
