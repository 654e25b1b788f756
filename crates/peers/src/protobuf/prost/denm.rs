//! DENM: EN 302 637-3 V1.2.0, and V1.3.1, which differs only in bounds that Protocol Buffers do not express.

use prost::Message;

use super::cdd::{
    CauseCode, ClosedLanes, DeltaReferencePosition, Heading, ItsPduHeader, PathPoint, ReferencePosition, Speed,
};

#[derive(Clone, PartialEq, Message)]
pub struct Denm {
    #[prost(message, optional, tag = "1")]
    pub(super) header: Option<ItsPduHeader>,
    #[prost(message, optional, tag = "2")]
    pub(super) denm: Option<DecentralizedEnvironmentalNotificationMessage>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct DecentralizedEnvironmentalNotificationMessage {
    #[prost(message, required, tag = "1")]
    pub(super) management: ManagementContainer,
    #[prost(message, optional, tag = "2")]
    pub(super) situation: Option<SituationContainer>,
    #[prost(message, optional, tag = "3")]
    pub(super) location: Option<LocationContainer>,
    #[prost(message, optional, tag = "4")]
    pub(super) alacarte: Option<AlacarteContainer>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ManagementContainer {
    #[prost(message, required, tag = "1")]
    pub(super) action_id: ActionID,
    #[prost(uint64, required, tag = "2")]
    pub(super) detection_time: u64,
    #[prost(uint64, required, tag = "3")]
    pub(super) reference_time: u64,
    #[prost(int32, optional, tag = "4")]
    pub(super) termination: Option<i32>,
    #[prost(message, required, tag = "5")]
    pub(super) event_position: ReferencePosition,
    #[prost(int32, optional, tag = "6")]
    pub(super) relevance_distance: Option<i32>,
    #[prost(int32, optional, tag = "7")]
    pub(super) relevance_traffic_direction: Option<i32>,
    #[prost(uint32, optional, tag = "8", default = "600")]
    pub(super) validity_duration: Option<u32>,
    #[prost(uint32, optional, tag = "9")]
    pub(super) transmission_interval: Option<u32>,
    #[prost(uint32, required, tag = "10")]
    pub(super) station_type: u32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SituationContainer {
    #[prost(uint32, required, tag = "1")]
    pub(super) information_quality: u32,
    #[prost(message, required, tag = "2")]
    pub(super) event_type: CauseCode,
    #[prost(message, optional, tag = "3")]
    pub(super) linked_cause: Option<CauseCode>,
    #[prost(message, repeated, tag = "4")]
    pub(super) event_history: Vec<EventPoint>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct LocationContainer {
    #[prost(message, optional, tag = "1")]
    pub(super) event_speed: Option<Speed>,
    #[prost(message, optional, tag = "2")]
    pub(super) event_position_heading: Option<Heading>,
    #[prost(message, repeated, tag = "3")]
    pub(super) traces: Vec<PathHistory>,
    #[prost(int32, optional, tag = "4")]
    pub(super) road_type: Option<i32>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct AlacarteContainer {
    #[prost(sint32, optional, tag = "1")]
    pub(super) lane_position: Option<i32>,
    #[prost(message, optional, tag = "2")]
    pub(super) impact_reduction: Option<ImpactReductionContainer>,
    #[prost(sint32, optional, tag = "3")]
    pub(super) external_temperature: Option<i32>,
    #[prost(message, optional, tag = "4")]
    pub(super) road_works: Option<RoadWorksContainerExtended>,
    #[prost(int32, optional, tag = "5")]
    pub(super) positioning_solution: Option<i32>,
    #[prost(message, optional, tag = "6")]
    pub(super) stationary_vehicle: Option<StationaryVehicleContainer>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ActionID {
    #[prost(uint32, required, tag = "1")]
    pub(super) originating_station_id: u32,
    #[prost(uint32, required, tag = "2")]
    pub(super) sequence_number: u32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct EventPoint {
    #[prost(message, required, tag = "1")]
    pub(super) event_position: DeltaReferencePosition,
    #[prost(int64, optional, tag = "2")]
    pub(super) event_delta_time: Option<i64>,
    #[prost(uint32, required, tag = "3")]
    pub(super) information_quality: u32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct PathHistory {
    #[prost(message, repeated, tag = "1")]
    pub(super) element: Vec<PathPoint>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ImpactReductionContainer {
    #[prost(uint32, required, tag = "1")]
    pub(super) height_lon_carr_left: u32,
    #[prost(uint32, required, tag = "2")]
    pub(super) height_lon_carr_right: u32,
    #[prost(uint32, required, tag = "3")]
    pub(super) pos_lon_carr_left: u32,
    #[prost(uint32, required, tag = "4")]
    pub(super) pos_lon_carr_right: u32,
    #[prost(uint32, repeated, tag = "5")]
    pub(super) position_of_pillars: Vec<u32>,
    #[prost(uint32, required, tag = "6")]
    pub(super) pos_cent_mass: u32,
    #[prost(uint32, required, tag = "7")]
    pub(super) wheel_base_vehicle: u32,
    #[prost(uint32, required, tag = "8")]
    pub(super) turning_radius: u32,
    #[prost(uint32, required, tag = "9")]
    pub(super) pos_front_ax: u32,
    #[prost(uint32, required, tag = "10")]
    pub(super) position_of_occupants: u32,
    #[prost(uint32, required, tag = "11")]
    pub(super) vehicle_mass: u32,
    #[prost(int32, required, tag = "12")]
    pub(super) request_response_indication: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct RoadWorksContainerExtended {
    #[prost(uint32, optional, tag = "1")]
    pub(super) light_bar_siren_in_use: Option<u32>,
    #[prost(message, optional, tag = "2")]
    pub(super) closed_lanes: Option<ClosedLanes>,
    #[prost(message, optional, tag = "3")]
    pub(super) restriction: Option<RestrictedTypes>,
    #[prost(uint32, optional, tag = "4")]
    pub(super) speed_limit: Option<u32>,
    #[prost(message, optional, tag = "5")]
    pub(super) incident_indication: Option<CauseCode>,
    #[prost(message, repeated, tag = "6")]
    pub(super) recommended_path: Vec<ReferencePosition>,
    #[prost(message, optional, tag = "7")]
    pub(super) starting_point_speed_limit: Option<DeltaReferencePosition>,
    #[prost(int32, optional, tag = "8")]
    pub(super) traffic_flow_rule: Option<i32>,
    #[prost(message, optional, tag = "9")]
    pub(super) reference_denms: Option<ReferenceDenms>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct StationaryVehicleContainer {
    #[prost(int32, optional, tag = "1")]
    pub(super) stationary_since: Option<i32>,
    #[prost(message, optional, tag = "2")]
    pub(super) stationary_cause: Option<CauseCode>,
    #[prost(message, optional, tag = "3")]
    pub(super) carrying_dangerous_goods: Option<DangerousGoodsExtended>,
    #[prost(uint32, optional, tag = "4")]
    pub(super) number_of_occupants: Option<u32>,
    #[prost(message, optional, tag = "5")]
    pub(super) vehicle_identification: Option<VehicleIdentification>,
    #[prost(uint32, optional, tag = "6")]
    pub(super) energy_storage_type: Option<u32>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct RestrictedTypes {
    #[prost(uint32, repeated, tag = "1")]
    pub(super) element: Vec<u32>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ReferenceDenms {
    #[prost(message, repeated, tag = "1")]
    pub(super) element: Vec<ActionID>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct DangerousGoodsExtended {
    #[prost(int32, required, tag = "1")]
    pub(super) dangerous_goods_type: i32,
    #[prost(uint32, required, tag = "2")]
    pub(super) un_number: u32,
    #[prost(bool, required, tag = "3")]
    pub(super) elevated_temperature: bool,
    #[prost(bool, required, tag = "4")]
    pub(super) tunnels_restricted: bool,
    #[prost(bool, required, tag = "5")]
    pub(super) limited_quantity: bool,
    #[prost(string, optional, tag = "6")]
    pub(super) emergency_action_code: Option<String>,
    #[prost(string, optional, tag = "7")]
    pub(super) phone_number: Option<String>,
    #[prost(string, optional, tag = "8")]
    pub(super) company_name: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct VehicleIdentification {
    #[prost(string, optional, tag = "1")]
    pub(super) w_m_inumber: Option<String>,
    #[prost(string, optional, tag = "2")]
    pub(super) v_ds: Option<String>,
}
