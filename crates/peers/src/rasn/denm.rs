//! DENM (EN 302 637-3), the same type in V1.2.0 and V1.3.1, for rasn.

use super::cdd::*;
use rasn::prelude::*;

/// validityDuration, seconds, when it is not sent.
fn default_validity() -> u32 {
    600
}

#[derive(AsnType, Decode, Encode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated, automatic_tags)]
pub(crate) enum Termination {
    #[rasn(identifier = "isCancellation")]
    IsCancellation = 0,
    #[rasn(identifier = "isNegation")]
    IsNegation = 1,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub(crate) struct ManagementContainer {
    #[rasn(identifier = "actionID")]
    pub(crate) action_id: ActionID,
    #[rasn(value("0..=4398046511103"), identifier = "detectionTime")]
    pub(crate) detection_time: u64,
    #[rasn(value("0..=4398046511103"), identifier = "referenceTime")]
    pub(crate) reference_time: u64,
    #[rasn(identifier = "termination")]
    pub(crate) termination: Option<Termination>,
    #[rasn(identifier = "eventPosition")]
    pub(crate) event_position: ReferencePosition,
    #[rasn(identifier = "relevanceDistance")]
    pub(crate) relevance_distance: Option<RelevanceDistance>,
    #[rasn(identifier = "relevanceTrafficDirection")]
    pub(crate) relevance_traffic_direction: Option<RelevanceTrafficDirection>,
    #[rasn(value("0..=86400"), identifier = "validityDuration", default = "default_validity")]
    pub(crate) validity_duration: u32,
    #[rasn(value("1..=10000"), identifier = "transmissionInterval")]
    pub(crate) transmission_interval: Option<u16>,
    #[rasn(value("0..=255"), identifier = "stationType")]
    pub(crate) station_type: u8,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub(crate) struct SituationContainer {
    #[rasn(value("0..=7"), identifier = "informationQuality")]
    pub(crate) information_quality: u8,
    #[rasn(identifier = "eventType")]
    pub(crate) event_type: CauseCode,
    #[rasn(identifier = "linkedCause")]
    pub(crate) linked_cause: Option<CauseCode>,
    #[rasn(size("1..=23"), identifier = "eventHistory")]
    pub(crate) event_history: Option<SequenceOf<EventPoint>>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub(crate) struct LocationContainer {
    #[rasn(identifier = "eventSpeed")]
    pub(crate) event_speed: Option<Speed>,
    #[rasn(identifier = "eventPositionHeading")]
    pub(crate) event_position_heading: Option<Heading>,
    #[rasn(size("1..=7"), identifier = "traces")]
    pub(crate) traces: SequenceOf<PathHistory>,
    #[rasn(identifier = "roadType")]
    pub(crate) road_type: Option<RoadType>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct ImpactReductionContainer {
    #[rasn(value("1..=100"), identifier = "heightLonCarrLeft")]
    pub(crate) height_lon_carr_left: u8,
    #[rasn(value("1..=100"), identifier = "heightLonCarrRight")]
    pub(crate) height_lon_carr_right: u8,
    #[rasn(value("1..=127"), identifier = "posLonCarrLeft")]
    pub(crate) pos_lon_carr_left: u8,
    #[rasn(value("1..=127"), identifier = "posLonCarrRight")]
    pub(crate) pos_lon_carr_right: u8,
    #[rasn(size("1..=3", extensible), identifier = "positionOfPillars")]
    pub(crate) position_of_pillars: SequenceOf<PosPillar>,
    #[rasn(value("1..=63"), identifier = "posCentMass")]
    pub(crate) pos_cent_mass: u8,
    #[rasn(value("1..=127"), identifier = "wheelBaseVehicle")]
    pub(crate) wheel_base_vehicle: u8,
    #[rasn(value("1..=255"), identifier = "turningRadius")]
    pub(crate) turning_radius: u8,
    #[rasn(value("1..=20"), identifier = "posFrontAx")]
    pub(crate) pos_front_ax: u8,
    #[rasn(identifier = "positionOfOccupants")]
    pub(crate) position_of_occupants: FixedBitString<20>,
    #[rasn(value("1..=1024"), identifier = "vehicleMass")]
    pub(crate) vehicle_mass: u16,
    #[rasn(identifier = "requestResponseIndication")]
    pub(crate) request_response_indication: RequestResponseIndication,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct RoadWorksContainerExtended {
    #[rasn(identifier = "lightBarSirenInUse")]
    pub(crate) light_bar_siren_in_use: Option<FixedBitString<2>>,
    #[rasn(identifier = "closedLanes")]
    pub(crate) closed_lanes: Option<ClosedLanes>,
    #[rasn(size("1..=3", extensible), identifier = "restriction")]
    pub(crate) restriction: Option<SequenceOf<StationType>>,
    #[rasn(value("1..=255"), identifier = "speedLimit")]
    pub(crate) speed_limit: Option<u8>,
    #[rasn(identifier = "incidentIndication")]
    pub(crate) incident_indication: Option<CauseCode>,
    #[rasn(size("1..=40"), identifier = "recommendedPath")]
    pub(crate) recommended_path: Option<SequenceOf<ReferencePosition>>,
    #[rasn(identifier = "startingPointSpeedLimit")]
    pub(crate) starting_point_speed_limit: Option<DeltaReferencePosition>,
    #[rasn(identifier = "trafficFlowRule")]
    pub(crate) traffic_flow_rule: Option<TrafficRule>,
    #[rasn(size("1..=8", extensible), identifier = "referenceDenms")]
    pub(crate) reference_denms: Option<SequenceOf<ActionID>>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct StationaryVehicleContainer {
    #[rasn(identifier = "stationarySince")]
    pub(crate) stationary_since: Option<StationarySince>,
    #[rasn(identifier = "stationaryCause")]
    pub(crate) stationary_cause: Option<CauseCode>,
    #[rasn(identifier = "carryingDangerousGoods")]
    pub(crate) carrying_dangerous_goods: Option<DangerousGoodsExtended>,
    #[rasn(value("0..=127"), identifier = "numberOfOccupants")]
    pub(crate) number_of_occupants: Option<u8>,
    #[rasn(identifier = "vehicleIdentification")]
    pub(crate) vehicle_identification: Option<VehicleIdentification>,
    #[rasn(identifier = "energyStorageType")]
    pub(crate) energy_storage_type: Option<FixedBitString<7>>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub(crate) struct AlacarteContainer {
    #[rasn(value("-1..=14"), identifier = "lanePosition")]
    pub(crate) lane_position: Option<i8>,
    #[rasn(identifier = "impactReduction")]
    pub(crate) impact_reduction: Option<ImpactReductionContainer>,
    #[rasn(value("-60..=67"), identifier = "externalTemperature")]
    pub(crate) external_temperature: Option<i8>,
    #[rasn(identifier = "roadWorks")]
    pub(crate) road_works: Option<RoadWorksContainerExtended>,
    #[rasn(identifier = "positioningSolution")]
    pub(crate) positioning_solution: Option<PositioningSolutionType>,
    #[rasn(identifier = "stationaryVehicle")]
    pub(crate) stationary_vehicle: Option<StationaryVehicleContainer>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct DecentralizedEnvironmentalNotificationMessage {
    #[rasn(identifier = "management")]
    pub(crate) management: ManagementContainer,
    #[rasn(identifier = "situation")]
    pub(crate) situation: Option<SituationContainer>,
    #[rasn(identifier = "location")]
    pub(crate) location: Option<LocationContainer>,
    #[rasn(identifier = "alacarte")]
    pub(crate) alacarte: Option<AlacarteContainer>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct Denm {
    #[rasn(identifier = "header")]
    pub(crate) header: ItsPduHeader,
    #[rasn(identifier = "denm")]
    pub(crate) denm: DecentralizedEnvironmentalNotificationMessage,
}
