//! Types of the common data dictionary (TS 102 894-2) that CAM and DENM use, for rasn.
//!
//! A constraint on an integer is on the field, as in a hand-written rasn model; the elements of
//! a list need a separate type.

use rasn::prelude::*;

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct ItsPduHeader {
    #[rasn(value("0..=255"), identifier = "protocolVersion")]
    pub(crate) protocol_version: u8,
    #[rasn(value("0..=255"), identifier = "messageID")]
    pub(crate) message_id: u8,
    #[rasn(value("0..=4294967295"), identifier = "stationID")]
    pub(crate) station_id: u32,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct PosConfidenceEllipse {
    #[rasn(value("0..=4095"), identifier = "semiMajorConfidence")]
    pub(crate) semi_major_confidence: u16,
    #[rasn(value("0..=4095"), identifier = "semiMinorConfidence")]
    pub(crate) semi_minor_confidence: u16,
    #[rasn(value("0..=3601"), identifier = "semiMajorOrientation")]
    pub(crate) semi_major_orientation: u16,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
pub(crate) enum AltitudeConfidence {
    #[rasn(identifier = "alt-000-01")]
    Alt_000_01 = 0,
    #[rasn(identifier = "alt-000-02")]
    Alt_000_02 = 1,
    #[rasn(identifier = "alt-000-05")]
    Alt_000_05 = 2,
    #[rasn(identifier = "alt-000-10")]
    Alt_000_10 = 3,
    #[rasn(identifier = "alt-000-20")]
    Alt_000_20 = 4,
    #[rasn(identifier = "alt-000-50")]
    Alt_000_50 = 5,
    #[rasn(identifier = "alt-001-00")]
    Alt_001_00 = 6,
    #[rasn(identifier = "alt-002-00")]
    Alt_002_00 = 7,
    #[rasn(identifier = "alt-005-00")]
    Alt_005_00 = 8,
    #[rasn(identifier = "alt-010-00")]
    Alt_010_00 = 9,
    #[rasn(identifier = "alt-020-00")]
    Alt_020_00 = 10,
    #[rasn(identifier = "alt-050-00")]
    Alt_050_00 = 11,
    #[rasn(identifier = "alt-100-00")]
    Alt_100_00 = 12,
    #[rasn(identifier = "alt-200-00")]
    Alt_200_00 = 13,
    #[rasn(identifier = "outOfRange")]
    OutOfRange = 14,
    #[rasn(identifier = "unavailable")]
    Unavailable = 15,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct Altitude {
    #[rasn(value("-100000..=800001"), identifier = "altitudeValue")]
    pub(crate) altitude_value: i32,
    #[rasn(identifier = "altitudeConfidence")]
    pub(crate) altitude_confidence: AltitudeConfidence,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct ReferencePosition {
    #[rasn(value("-900000000..=900000001"), identifier = "latitude")]
    pub(crate) latitude: i32,
    #[rasn(value("-1800000000..=1800000001"), identifier = "longitude")]
    pub(crate) longitude: i32,
    #[rasn(identifier = "positionConfidenceEllipse")]
    pub(crate) position_confidence_ellipse: PosConfidenceEllipse,
    #[rasn(identifier = "altitude")]
    pub(crate) altitude: Altitude,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct Heading {
    #[rasn(value("0..=3601"), identifier = "headingValue")]
    pub(crate) heading_value: u16,
    #[rasn(value("1..=127"), identifier = "headingConfidence")]
    pub(crate) heading_confidence: u8,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct Speed {
    #[rasn(value("0..=16383"), identifier = "speedValue")]
    pub(crate) speed_value: u16,
    #[rasn(value("1..=127"), identifier = "speedConfidence")]
    pub(crate) speed_confidence: u8,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
pub(crate) enum DriveDirection {
    #[rasn(identifier = "forward")]
    Forward = 0,
    #[rasn(identifier = "backward")]
    Backward = 1,
    #[rasn(identifier = "unavailable")]
    Unavailable = 2,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
pub(crate) enum VehicleLengthConfidenceIndication {
    #[rasn(identifier = "noTrailerPresent")]
    NoTrailerPresent = 0,
    #[rasn(identifier = "trailerPresentWithKnownLength")]
    TrailerPresentWithKnownLength = 1,
    #[rasn(identifier = "trailerPresentWithUnknownLength")]
    TrailerPresentWithUnknownLength = 2,
    #[rasn(identifier = "trailerPresenceIsUnknown")]
    TrailerPresenceIsUnknown = 3,
    #[rasn(identifier = "unavailable")]
    Unavailable = 4,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct VehicleLength {
    #[rasn(value("1..=1023"), identifier = "vehicleLengthValue")]
    pub(crate) vehicle_length_value: u16,
    #[rasn(identifier = "vehicleLengthConfidenceIndication")]
    pub(crate) vehicle_length_confidence_indication: VehicleLengthConfidenceIndication,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct LongitudinalAcceleration {
    #[rasn(value("-160..=161"), identifier = "longitudinalAccelerationValue")]
    pub(crate) longitudinal_acceleration_value: i16,
    #[rasn(value("0..=102"), identifier = "longitudinalAccelerationConfidence")]
    pub(crate) longitudinal_acceleration_confidence: u8,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
pub(crate) enum CurvatureConfidence {
    #[rasn(identifier = "onePerMeter-0-00002")]
    OnePerMeter_0_00002 = 0,
    #[rasn(identifier = "onePerMeter-0-0001")]
    OnePerMeter_0_0001 = 1,
    #[rasn(identifier = "onePerMeter-0-0005")]
    OnePerMeter_0_0005 = 2,
    #[rasn(identifier = "onePerMeter-0-002")]
    OnePerMeter_0_002 = 3,
    #[rasn(identifier = "onePerMeter-0-01")]
    OnePerMeter_0_01 = 4,
    #[rasn(identifier = "onePerMeter-0-1")]
    OnePerMeter_0_1 = 5,
    #[rasn(identifier = "outOfRange")]
    OutOfRange = 6,
    #[rasn(identifier = "unavailable")]
    Unavailable = 7,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
#[non_exhaustive]
pub(crate) enum CurvatureCalculationMode {
    #[rasn(identifier = "yawRateUsed")]
    YawRateUsed = 0,
    #[rasn(identifier = "yawRateNotUsed")]
    YawRateNotUsed = 1,
    #[rasn(identifier = "unavailable")]
    Unavailable = 2,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
pub(crate) enum YawRateConfidence {
    #[rasn(identifier = "degSec-000-01")]
    DegSec_000_01 = 0,
    #[rasn(identifier = "degSec-000-05")]
    DegSec_000_05 = 1,
    #[rasn(identifier = "degSec-000-10")]
    DegSec_000_10 = 2,
    #[rasn(identifier = "degSec-001-00")]
    DegSec_001_00 = 3,
    #[rasn(identifier = "degSec-005-00")]
    DegSec_005_00 = 4,
    #[rasn(identifier = "degSec-010-00")]
    DegSec_010_00 = 5,
    #[rasn(identifier = "degSec-100-00")]
    DegSec_100_00 = 6,
    #[rasn(identifier = "outOfRange")]
    OutOfRange = 7,
    #[rasn(identifier = "unavailable")]
    Unavailable = 8,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct YawRate {
    #[rasn(value("-32766..=32767"), identifier = "yawRateValue")]
    pub(crate) yaw_rate_value: i16,
    #[rasn(identifier = "yawRateConfidence")]
    pub(crate) yaw_rate_confidence: YawRateConfidence,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct SteeringWheelAngle {
    #[rasn(value("-511..=512"), identifier = "steeringWheelAngleValue")]
    pub(crate) steering_wheel_angle_value: i16,
    #[rasn(value("1..=127"), identifier = "steeringWheelAngleConfidence")]
    pub(crate) steering_wheel_angle_confidence: u8,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct LateralAcceleration {
    #[rasn(value("-160..=161"), identifier = "lateralAccelerationValue")]
    pub(crate) lateral_acceleration_value: i16,
    #[rasn(value("0..=102"), identifier = "lateralAccelerationConfidence")]
    pub(crate) lateral_acceleration_confidence: u8,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct VerticalAcceleration {
    #[rasn(value("-160..=161"), identifier = "verticalAccelerationValue")]
    pub(crate) vertical_acceleration_value: i16,
    #[rasn(value("0..=102"), identifier = "verticalAccelerationConfidence")]
    pub(crate) vertical_acceleration_confidence: u8,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub(crate) struct CenDsrcTollingZone {
    #[rasn(value("-900000000..=900000001"), identifier = "protectedZoneLatitude")]
    pub(crate) protected_zone_latitude: i32,
    #[rasn(value("-1800000000..=1800000001"), identifier = "protectedZoneLongitude")]
    pub(crate) protected_zone_longitude: i32,
    #[rasn(value("0..=134217727"), identifier = "cenDsrcTollingZoneID")]
    pub(crate) cen_dsrc_tolling_zone_id: Option<u32>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
#[non_exhaustive]
pub(crate) enum ProtectedZoneType {
    #[rasn(identifier = "permanentCenDsrcTolling")]
    PermanentCenDsrcTolling = 0,
    #[rasn(extension_addition, identifier = "temporaryCenDsrcTolling")]
    TemporaryCenDsrcTolling = 1,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub(crate) struct ProtectedCommunicationZone {
    #[rasn(identifier = "protectedZoneType")]
    pub(crate) protected_zone_type: ProtectedZoneType,
    #[rasn(value("0..=4398046511103"), identifier = "expiryTime")]
    pub(crate) expiry_time: Option<u64>,
    #[rasn(value("-900000000..=900000001"), identifier = "protectedZoneLatitude")]
    pub(crate) protected_zone_latitude: i32,
    #[rasn(value("-1800000000..=1800000001"), identifier = "protectedZoneLongitude")]
    pub(crate) protected_zone_longitude: i32,
    #[rasn(value("1..=255", extensible), identifier = "protectedZoneRadius")]
    pub(crate) protected_zone_radius: Option<i64>,
    #[rasn(value("0..=134217727"), identifier = "protectedZoneID")]
    pub(crate) protected_zone_id: Option<u32>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
pub(crate) enum VehicleRole {
    #[rasn(identifier = "default")]
    Default = 0,
    #[rasn(identifier = "publicTransport")]
    PublicTransport = 1,
    #[rasn(identifier = "specialTransport")]
    SpecialTransport = 2,
    #[rasn(identifier = "dangerousGoods")]
    DangerousGoods = 3,
    #[rasn(identifier = "roadWork")]
    RoadWork = 4,
    #[rasn(identifier = "rescue")]
    Rescue = 5,
    #[rasn(identifier = "emergency")]
    Emergency = 6,
    #[rasn(identifier = "safetyCar")]
    SafetyCar = 7,
    #[rasn(identifier = "agriculture")]
    Agriculture = 8,
    #[rasn(identifier = "commercial")]
    Commercial = 9,
    #[rasn(identifier = "military")]
    Military = 10,
    #[rasn(identifier = "roadOperator")]
    RoadOperator = 11,
    #[rasn(identifier = "taxi")]
    Taxi = 12,
    #[rasn(identifier = "reserved1")]
    Reserved1 = 13,
    #[rasn(identifier = "reserved2")]
    Reserved2 = 14,
    #[rasn(identifier = "reserved3")]
    Reserved3 = 15,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct DeltaReferencePosition {
    #[rasn(value("-131071..=131072"), identifier = "deltaLatitude")]
    pub(crate) delta_latitude: i32,
    #[rasn(value("-131071..=131072"), identifier = "deltaLongitude")]
    pub(crate) delta_longitude: i32,
    #[rasn(value("-12700..=12800"), identifier = "deltaAltitude")]
    pub(crate) delta_altitude: i16,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct PathPoint {
    #[rasn(identifier = "pathPosition")]
    pub(crate) path_position: DeltaReferencePosition,
    #[rasn(value("1..=65535", extensible), identifier = "pathDeltaTime")]
    pub(crate) path_delta_time: Option<i64>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(delegate, size("0..=40"))]
pub(crate) struct PathHistory(pub(crate) SequenceOf<PathPoint>);

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct PtActivation {
    #[rasn(value("0..=255"), identifier = "ptActivationType")]
    pub(crate) pt_activation_type: u8,
    #[rasn(size("1..=20"), identifier = "ptActivationData")]
    pub(crate) pt_activation_data: OctetString,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
pub(crate) enum DangerousGoodsBasic {
    #[rasn(identifier = "explosives1")]
    Explosives1 = 0,
    #[rasn(identifier = "explosives2")]
    Explosives2 = 1,
    #[rasn(identifier = "explosives3")]
    Explosives3 = 2,
    #[rasn(identifier = "explosives4")]
    Explosives4 = 3,
    #[rasn(identifier = "explosives5")]
    Explosives5 = 4,
    #[rasn(identifier = "explosives6")]
    Explosives6 = 5,
    #[rasn(identifier = "flammableGases")]
    FlammableGases = 6,
    #[rasn(identifier = "nonFlammableGases")]
    NonFlammableGases = 7,
    #[rasn(identifier = "toxicGases")]
    ToxicGases = 8,
    #[rasn(identifier = "flammableLiquids")]
    FlammableLiquids = 9,
    #[rasn(identifier = "flammableSolids")]
    FlammableSolids = 10,
    #[rasn(identifier = "substancesLiableToSpontaneousCombustion")]
    SubstancesLiableToSpontaneousCombustion = 11,
    #[rasn(identifier = "substancesEmittingFlammableGasesUponContactWithWater")]
    SubstancesEmittingFlammableGasesUponContactWithWater = 12,
    #[rasn(identifier = "oxidizingSubstances")]
    OxidizingSubstances = 13,
    #[rasn(identifier = "organicPeroxides")]
    OrganicPeroxides = 14,
    #[rasn(identifier = "toxicSubstances")]
    ToxicSubstances = 15,
    #[rasn(identifier = "infectiousSubstances")]
    InfectiousSubstances = 16,
    #[rasn(identifier = "radioactiveMaterial")]
    RadioactiveMaterial = 17,
    #[rasn(identifier = "corrosiveSubstances")]
    CorrosiveSubstances = 18,
    #[rasn(identifier = "miscellaneousDangerousSubstances")]
    MiscellaneousDangerousSubstances = 19,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
pub(crate) enum HardShoulderStatus {
    #[rasn(identifier = "availableForStopping")]
    AvailableForStopping = 0,
    #[rasn(identifier = "closed")]
    Closed = 1,
    #[rasn(identifier = "availableForDriving")]
    AvailableForDriving = 2,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub(crate) struct ClosedLanes {
    #[rasn(identifier = "innerhardShoulderStatus")]
    pub(crate) innerhard_shoulder_status: Option<HardShoulderStatus>,
    #[rasn(identifier = "outerhardShoulderStatus")]
    pub(crate) outerhard_shoulder_status: Option<HardShoulderStatus>,
    #[rasn(size("1..=13"), identifier = "drivingLaneStatus")]
    pub(crate) driving_lane_status: Option<BitString>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub(crate) struct CauseCode {
    #[rasn(value("0..=255"), identifier = "causeCode")]
    pub(crate) cause_code: u8,
    #[rasn(value("0..=255"), identifier = "subCauseCode")]
    pub(crate) sub_cause_code: u8,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
#[non_exhaustive]
pub(crate) enum TrafficRule {
    #[rasn(identifier = "noPassing")]
    NoPassing = 0,
    #[rasn(identifier = "noPassingForTrucks")]
    NoPassingForTrucks = 1,
    #[rasn(identifier = "passToRight")]
    PassToRight = 2,
    #[rasn(identifier = "passToLeft")]
    PassToLeft = 3,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct ActionID {
    #[rasn(value("0..=4294967295"), identifier = "originatingStationID")]
    pub(crate) originating_station_id: u32,
    #[rasn(value("0..=65535"), identifier = "sequenceNumber")]
    pub(crate) sequence_number: u16,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
pub(crate) enum RelevanceDistance {
    #[rasn(identifier = "lessThan50m")]
    LessThan50m = 0,
    #[rasn(identifier = "lessThan100m")]
    LessThan100m = 1,
    #[rasn(identifier = "lessThan200m")]
    LessThan200m = 2,
    #[rasn(identifier = "lessThan500m")]
    LessThan500m = 3,
    #[rasn(identifier = "lessThan1000m")]
    LessThan1000m = 4,
    #[rasn(identifier = "lessThan5km")]
    LessThan5km = 5,
    #[rasn(identifier = "lessThan10km")]
    LessThan10km = 6,
    #[rasn(identifier = "over10km")]
    Over10km = 7,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
pub(crate) enum RelevanceTrafficDirection {
    #[rasn(identifier = "allTrafficDirections")]
    AllTrafficDirections = 0,
    #[rasn(identifier = "upstreamTraffic")]
    UpstreamTraffic = 1,
    #[rasn(identifier = "downstreamTraffic")]
    DownstreamTraffic = 2,
    #[rasn(identifier = "oppositeTraffic")]
    OppositeTraffic = 3,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct EventPoint {
    #[rasn(identifier = "eventPosition")]
    pub(crate) event_position: DeltaReferencePosition,
    #[rasn(value("1..=65535", extensible), identifier = "eventDeltaTime")]
    pub(crate) event_delta_time: Option<i64>,
    #[rasn(value("0..=7"), identifier = "informationQuality")]
    pub(crate) information_quality: u8,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
pub(crate) enum RoadType {
    #[rasn(identifier = "urban-NoStructuralSeparationToOppositeLanes")]
    UrbanNoStructuralSeparationToOppositeLanes = 0,
    #[rasn(identifier = "urban-WithStructuralSeparationToOppositeLanes")]
    UrbanWithStructuralSeparationToOppositeLanes = 1,
    #[rasn(identifier = "nonUrban-NoStructuralSeparationToOppositeLanes")]
    NonUrbanNoStructuralSeparationToOppositeLanes = 2,
    #[rasn(identifier = "nonUrban-WithStructuralSeparationToOppositeLanes")]
    NonUrbanWithStructuralSeparationToOppositeLanes = 3,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(delegate, value("1..=30"))]
pub(crate) struct PosPillar(pub(crate) u8);

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
pub(crate) enum RequestResponseIndication {
    #[rasn(identifier = "request")]
    Request = 0,
    #[rasn(identifier = "response")]
    Response = 1,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(delegate, value("0..=255"))]
pub(crate) struct StationType(pub(crate) u8);

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
#[non_exhaustive]
pub(crate) enum PositioningSolutionType {
    #[rasn(identifier = "noPositioningSolution")]
    NoPositioningSolution = 0,
    #[rasn(identifier = "sGNSS")]
    Sgnss = 1,
    #[rasn(identifier = "dGNSS")]
    Dgnss = 2,
    #[rasn(identifier = "sGNSSplusDR")]
    SgnssPlusDr = 3,
    #[rasn(identifier = "dGNSSplusDR")]
    DgnssPlusDr = 4,
    #[rasn(identifier = "dR")]
    DR = 5,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
pub(crate) enum StationarySince {
    #[rasn(identifier = "lessThan1Minute")]
    LessThan1Minute = 0,
    #[rasn(identifier = "lessThan2Minutes")]
    LessThan2Minutes = 1,
    #[rasn(identifier = "lessThan15Minutes")]
    LessThan15Minutes = 2,
    #[rasn(identifier = "equalOrGreater15Minutes")]
    EqualOrGreater15Minutes = 3,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub(crate) struct DangerousGoodsExtended {
    #[rasn(identifier = "dangerousGoodsType")]
    pub(crate) dangerous_goods_type: DangerousGoodsBasic,
    #[rasn(value("0..=9999"), identifier = "unNumber")]
    pub(crate) un_number: u16,
    #[rasn(identifier = "elevatedTemperature")]
    pub(crate) elevated_temperature: bool,
    #[rasn(identifier = "tunnelsRestricted")]
    pub(crate) tunnels_restricted: bool,
    #[rasn(identifier = "limitedQuantity")]
    pub(crate) limited_quantity: bool,
    #[rasn(size("1..=24"), identifier = "emergencyActionCode")]
    pub(crate) emergency_action_code: Option<Ia5String>,
    #[rasn(size("1..=16"), identifier = "phoneNumber")]
    pub(crate) phone_number: Option<NumericString>,
    #[rasn(size("1..=24"), identifier = "companyName")]
    pub(crate) company_name: Option<Utf8String>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub(crate) struct VehicleIdentification {
    #[rasn(size("1..=3"), identifier = "wMInumber")]
    pub(crate) w_minumber: Option<Ia5String>,
    #[rasn(size("6"), identifier = "vDS")]
    pub(crate) v_ds: Option<Ia5String>,
}
