//! The messages from the content's JER text.

use serde_json::Value;

use super::bits::Part;
use super::cam::Cam;
use super::denm::Denm;
use crate::hex;

pub(super) fn cam(jer: &str) -> Result<Cam, String> {
    cam_fields(&parse(jer)?).ok_or_else(|| "not a mandatory-only CAM".into())
}

pub(super) fn denm(jer: &str) -> Result<Denm, String> {
    denm_fields(&parse(jer)?).ok_or_else(|| "not a mandatory-only DENM".into())
}

pub(super) fn part<P: Part>(jer: &str) -> Result<P, String> {
    P::read(&parse(jer)?).ok_or_else(|| "its shape is another".into())
}

/// A number of at most `width` bits at a path: an integer, a truth value, the place of an
/// enumeration's item, or a bit string of that width.
pub(super) fn number<T: TryFrom<i64>>(value: &Value, path: &str, width: usize, items: &[&[&str]]) -> Option<T> {
    let bits = |text: &str| {
        let octets = hex::decode(text)?;
        let number = octets.iter().fold(0, |number, octet| number << 8 | i64::from(*octet));
        (octets.len() == width.div_ceil(8)).then(|| number >> (octets.len() * 8 - width))
    };
    let number = match (value.pointer(path)?, items) {
        (Value::Bool(truth), _) => i64::from(*truth),
        (Value::String(name), [items]) => items.iter().position(|item| item == name)? as i64,
        (Value::String(text), _) => bits(text)?,
        (Value::Object(one), _) => bits(one.get("value")?.as_str()?).filter(|_| one["length"] == width)?,
        (number, _) => number.as_i64()?,
    };
    T::try_from(number).ok()
}

fn parse(jer: &str) -> Result<Value, String> {
    serde_json::from_str(jer).map_err(|e| e.to_string())
}

/// An integer at a path.
fn int<T: TryFrom<i64>>(value: &Value, path: &str) -> Option<T> {
    T::try_from(value.pointer(path)?.as_i64()?).ok()
}

/// The number of an enumeration item, its place in the list.
fn item(value: &Value, path: &str, items: &[&str]) -> Option<u8> {
    let name = value.pointer(path)?.as_str()?;
    let at = items.iter().position(|item| *item == name)?;
    u8::try_from(at).ok()
}

pub(super) const ALTITUDE_CONFIDENCE: [&str; 16] = [
    "alt-000-01",
    "alt-000-02",
    "alt-000-05",
    "alt-000-10",
    "alt-000-20",
    "alt-000-50",
    "alt-001-00",
    "alt-002-00",
    "alt-005-00",
    "alt-010-00",
    "alt-020-00",
    "alt-050-00",
    "alt-100-00",
    "alt-200-00",
    "outOfRange",
    "unavailable",
];

pub(super) const DIRECTION: [&str; 3] = ["forward", "backward", "unavailable"];

pub(super) const TRAILER: [&str; 5] = [
    "noTrailerPresent",
    "trailerPresentWithKnownLength",
    "trailerPresentWithUnknownLength",
    "trailerPresenceIsUnknown",
    "unavailable",
];

pub(super) const CURVATURE_CONFIDENCE: [&str; 8] = [
    "onePerMeter-0-00002",
    "onePerMeter-0-0001",
    "onePerMeter-0-0005",
    "onePerMeter-0-002",
    "onePerMeter-0-01",
    "onePerMeter-0-1",
    "outOfRange",
    "unavailable",
];

pub(super) const CURVATURE_MODE: [&str; 3] = ["yawRateUsed", "yawRateNotUsed", "unavailable"];

pub(super) const YAW_RATE_CONFIDENCE: [&str; 9] = [
    "degSec-000-01",
    "degSec-000-05",
    "degSec-000-10",
    "degSec-001-00",
    "degSec-005-00",
    "degSec-010-00",
    "degSec-100-00",
    "outOfRange",
    "unavailable",
];

fn cam_fields(v: &Value) -> Option<Cam> {
    let parameters = v.pointer("/cam/camParameters")?;
    let basic = parameters.get("basicContainer")?;
    let position = basic.get("referencePosition")?;
    let high = parameters.pointer("/highFrequencyContainer/basicVehicleContainerHighFrequency")?;
    Some(Cam {
        protocol_version: int(v, "/header/protocolVersion")?,
        message_id: int(v, "/header/messageID")?,
        station_id: int(v, "/header/stationID")?,
        generation_delta_time: int(v, "/cam/generationDeltaTime")?,
        station_type: int(basic, "/stationType")?,
        latitude: int(position, "/latitude")?,
        longitude: int(position, "/longitude")?,
        semi_major_confidence: int(position, "/positionConfidenceEllipse/semiMajorConfidence")?,
        semi_minor_confidence: int(position, "/positionConfidenceEllipse/semiMinorConfidence")?,
        semi_major_orientation: int(position, "/positionConfidenceEllipse/semiMajorOrientation")?,
        altitude_value: int(position, "/altitude/altitudeValue")?,
        altitude_confidence: item(position, "/altitude/altitudeConfidence", &ALTITUDE_CONFIDENCE)?,
        heading_value: int(high, "/heading/headingValue")?,
        heading_confidence: int(high, "/heading/headingConfidence")?,
        speed_value: int(high, "/speed/speedValue")?,
        speed_confidence: int(high, "/speed/speedConfidence")?,
        drive_direction: item(high, "/driveDirection", &DIRECTION)?,
        vehicle_length_value: int(high, "/vehicleLength/vehicleLengthValue")?,
        vehicle_length_confidence: item(high, "/vehicleLength/vehicleLengthConfidenceIndication", &TRAILER)?,
        vehicle_width: int(high, "/vehicleWidth")?,
        acceleration_value: int(high, "/longitudinalAcceleration/longitudinalAccelerationValue")?,
        acceleration_confidence: int(high, "/longitudinalAcceleration/longitudinalAccelerationConfidence")?,
        curvature_value: int(high, "/curvature/curvatureValue")?,
        curvature_confidence: item(high, "/curvature/curvatureConfidence", &CURVATURE_CONFIDENCE)?,
        curvature_calculation_mode: item(high, "/curvatureCalculationMode", &CURVATURE_MODE)?,
        yaw_rate_value: int(high, "/yawRate/yawRateValue")?,
        yaw_rate_confidence: item(high, "/yawRate/yawRateConfidence", &YAW_RATE_CONFIDENCE)?,
    })
}

fn denm_fields(v: &Value) -> Option<Denm> {
    let management = v.pointer("/denm/management")?;
    let position = management.get("eventPosition")?;
    Some(Denm {
        protocol_version: int(v, "/header/protocolVersion")?,
        message_id: int(v, "/header/messageID")?,
        station_id: int(v, "/header/stationID")?,
        originating_station_id: int(management, "/actionID/originatingStationID")?,
        sequence_number: int(management, "/actionID/sequenceNumber")?,
        detection_time: int(management, "/detectionTime")?,
        reference_time: int(management, "/referenceTime")?,
        latitude: int(position, "/latitude")?,
        longitude: int(position, "/longitude")?,
        semi_major_confidence: int(position, "/positionConfidenceEllipse/semiMajorConfidence")?,
        semi_minor_confidence: int(position, "/positionConfidenceEllipse/semiMinorConfidence")?,
        semi_major_orientation: int(position, "/positionConfidenceEllipse/semiMajorOrientation")?,
        altitude_value: int(position, "/altitude/altitudeValue")?,
        altitude_confidence: item(position, "/altitude/altitudeConfidence", &ALTITUDE_CONFIDENCE)?,
        validity_duration: match management.get("validityDuration") {
            None => 600,
            Some(_) => int(management, "/validityDuration")?,
        },
        station_type: int(management, "/stationType")?,
    })
}
