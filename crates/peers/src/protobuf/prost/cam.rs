//! CAM: EN 302 637-2 V1.3.0, and V1.4.1, which differs only in bounds that Protocol Buffers do not express.

use prost::{Message, Oneof};

use super::cdd::{CauseCode, ClosedLanes, Heading, ItsPduHeader, PathPoint, ReferencePosition, Speed};

#[derive(Clone, PartialEq, Message)]
pub struct Cam {
    #[prost(message, optional, tag = "1")]
    pub(super) header: Option<ItsPduHeader>,
    #[prost(message, optional, tag = "2")]
    pub(super) cam: Option<CoopAwareness>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct CoopAwareness {
    #[prost(uint32, required, tag = "1")]
    pub(super) generation_delta_time: u32,
    #[prost(message, required, tag = "2")]
    pub(super) cam_parameters: CamParameters,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct CamParameters {
    #[prost(message, required, tag = "1")]
    pub(super) basic_container: BasicContainer,
    #[prost(message, required, tag = "2")]
    pub(super) high_frequency_container: HighFrequencyContainer,
    #[prost(message, optional, tag = "3")]
    pub(super) low_frequency_container: Option<LowFrequencyContainer>,
    #[prost(message, optional, tag = "4")]
    pub(super) special_vehicle_container: Option<SpecialVehicleContainer>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct BasicContainer {
    #[prost(uint32, required, tag = "1")]
    pub(super) station_type: u32,
    #[prost(message, required, tag = "2")]
    pub(super) reference_position: ReferencePosition,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct HighFrequencyContainer {
    #[prost(oneof = "HighFrequencyContainerAlternative", tags = "1, 2")]
    pub(super) alternative: Option<HighFrequencyContainerAlternative>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum HighFrequencyContainerAlternative {
    #[prost(message, tag = "1")]
    BasicVehicleContainerHighFrequency(BasicVehicleContainerHighFrequency),
    #[prost(message, tag = "2")]
    RsuContainerHighFrequency(RSUContainerHighFrequency),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct LowFrequencyContainer {
    #[prost(oneof = "LowFrequencyContainerAlternative", tags = "1")]
    pub(super) alternative: Option<LowFrequencyContainerAlternative>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum LowFrequencyContainerAlternative {
    #[prost(message, tag = "1")]
    BasicVehicleContainerLowFrequency(BasicVehicleContainerLowFrequency),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SpecialVehicleContainer {
    #[prost(oneof = "SpecialVehicleContainerAlternative", tags = "1, 2, 3, 4, 5, 6, 7")]
    pub(super) alternative: Option<SpecialVehicleContainerAlternative>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum SpecialVehicleContainerAlternative {
    #[prost(message, tag = "1")]
    PublicTransportContainer(PublicTransportContainer),
    #[prost(message, tag = "2")]
    SpecialTransportContainer(SpecialTransportContainer),
    #[prost(message, tag = "3")]
    DangerousGoodsContainer(DangerousGoodsContainer),
    #[prost(message, tag = "4")]
    RoadWorksContainerBasic(RoadWorksContainerBasic),
    #[prost(message, tag = "5")]
    RescueContainer(RescueContainer),
    #[prost(message, tag = "6")]
    EmergencyContainer(EmergencyContainer),
    #[prost(message, tag = "7")]
    SafetyCarContainer(SafetyCarContainer),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct BasicVehicleContainerHighFrequency {
    #[prost(message, required, tag = "1")]
    pub(super) heading: Heading,
    #[prost(message, required, tag = "2")]
    pub(super) speed: Speed,
    #[prost(int32, required, tag = "3")]
    pub(super) drive_direction: i32,
    #[prost(message, required, tag = "4")]
    pub(super) vehicle_length: VehicleLength,
    #[prost(uint32, required, tag = "5")]
    pub(super) vehicle_width: u32,
    #[prost(message, required, tag = "6")]
    pub(super) longitudinal_acceleration: LongitudinalAcceleration,
    #[prost(message, required, tag = "7")]
    pub(super) curvature: Curvature,
    #[prost(int32, required, tag = "8")]
    pub(super) curvature_calculation_mode: i32,
    #[prost(message, required, tag = "9")]
    pub(super) yaw_rate: YawRate,
    #[prost(uint32, optional, tag = "10")]
    pub(super) acceleration_control: Option<u32>,
    #[prost(sint32, optional, tag = "11")]
    pub(super) lane_position: Option<i32>,
    #[prost(message, optional, tag = "12")]
    pub(super) steering_wheel_angle: Option<SteeringWheelAngle>,
    #[prost(message, optional, tag = "13")]
    pub(super) lateral_acceleration: Option<LateralAcceleration>,
    #[prost(message, optional, tag = "14")]
    pub(super) vertical_acceleration: Option<VerticalAcceleration>,
    #[prost(uint32, optional, tag = "15")]
    pub(super) performance_class: Option<u32>,
    #[prost(message, optional, tag = "16")]
    pub(super) cen_dsrc_tolling_zone: Option<CenDsrcTollingZone>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct RSUContainerHighFrequency {
    #[prost(message, repeated, tag = "1")]
    pub(super) protected_communication_zones_rsu: Vec<ProtectedCommunicationZone>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct BasicVehicleContainerLowFrequency {
    #[prost(int32, required, tag = "1")]
    pub(super) vehicle_role: i32,
    #[prost(uint32, required, tag = "2")]
    pub(super) exterior_lights: u32,
    #[prost(message, repeated, tag = "3")]
    pub(super) path_history: Vec<PathPoint>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct PublicTransportContainer {
    #[prost(bool, required, tag = "1")]
    pub(super) embarkation_status: bool,
    #[prost(message, optional, tag = "2")]
    pub(super) pt_activation: Option<PtActivation>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SpecialTransportContainer {
    #[prost(uint32, required, tag = "1")]
    pub(super) special_transport_type: u32,
    #[prost(uint32, required, tag = "2")]
    pub(super) light_bar_siren_in_use: u32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct DangerousGoodsContainer {
    #[prost(int32, required, tag = "1")]
    pub(super) dangerous_goods_basic: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct RoadWorksContainerBasic {
    #[prost(uint32, optional, tag = "1")]
    pub(super) roadworks_sub_cause_code: Option<u32>,
    #[prost(uint32, required, tag = "2")]
    pub(super) light_bar_siren_in_use: u32,
    #[prost(message, optional, tag = "3")]
    pub(super) closed_lanes: Option<ClosedLanes>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct RescueContainer {
    #[prost(uint32, required, tag = "1")]
    pub(super) light_bar_siren_in_use: u32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct EmergencyContainer {
    #[prost(uint32, required, tag = "1")]
    pub(super) light_bar_siren_in_use: u32,
    #[prost(message, optional, tag = "2")]
    pub(super) incident_indication: Option<CauseCode>,
    #[prost(uint32, optional, tag = "3")]
    pub(super) emergency_priority: Option<u32>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SafetyCarContainer {
    #[prost(uint32, required, tag = "1")]
    pub(super) light_bar_siren_in_use: u32,
    #[prost(message, optional, tag = "2")]
    pub(super) incident_indication: Option<CauseCode>,
    #[prost(int32, optional, tag = "3")]
    pub(super) traffic_rule: Option<i32>,
    #[prost(uint32, optional, tag = "4")]
    pub(super) speed_limit: Option<u32>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct VehicleLength {
    #[prost(uint32, required, tag = "1")]
    pub(super) vehicle_length_value: u32,
    #[prost(int32, required, tag = "2")]
    pub(super) vehicle_length_confidence_indication: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct LongitudinalAcceleration {
    #[prost(sint32, required, tag = "1")]
    pub(super) longitudinal_acceleration_value: i32,
    #[prost(uint32, required, tag = "2")]
    pub(super) longitudinal_acceleration_confidence: u32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Curvature {
    #[prost(sint32, required, tag = "1")]
    pub(super) curvature_value: i32,
    #[prost(int32, required, tag = "2")]
    pub(super) curvature_confidence: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct YawRate {
    #[prost(sint32, required, tag = "1")]
    pub(super) yaw_rate_value: i32,
    #[prost(int32, required, tag = "2")]
    pub(super) yaw_rate_confidence: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SteeringWheelAngle {
    #[prost(sint32, required, tag = "1")]
    pub(super) steering_wheel_angle_value: i32,
    #[prost(uint32, required, tag = "2")]
    pub(super) steering_wheel_angle_confidence: u32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct LateralAcceleration {
    #[prost(sint32, required, tag = "1")]
    pub(super) lateral_acceleration_value: i32,
    #[prost(uint32, required, tag = "2")]
    pub(super) lateral_acceleration_confidence: u32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct VerticalAcceleration {
    #[prost(sint32, required, tag = "1")]
    pub(super) vertical_acceleration_value: i32,
    #[prost(uint32, required, tag = "2")]
    pub(super) vertical_acceleration_confidence: u32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct CenDsrcTollingZone {
    #[prost(sint32, required, tag = "1")]
    pub(super) protected_zone_latitude: i32,
    #[prost(sint32, required, tag = "2")]
    pub(super) protected_zone_longitude: i32,
    #[prost(uint32, optional, tag = "3")]
    pub(super) cen_dsrc_tolling_zone_id: Option<u32>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ProtectedCommunicationZone {
    #[prost(int32, required, tag = "1")]
    pub(super) protected_zone_type: i32,
    #[prost(uint64, optional, tag = "2")]
    pub(super) expiry_time: Option<u64>,
    #[prost(sint32, required, tag = "3")]
    pub(super) protected_zone_latitude: i32,
    #[prost(sint32, required, tag = "4")]
    pub(super) protected_zone_longitude: i32,
    #[prost(int64, optional, tag = "5")]
    pub(super) protected_zone_radius: Option<i64>,
    #[prost(uint32, optional, tag = "6")]
    pub(super) protected_zone_id: Option<u32>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct PtActivation {
    #[prost(uint32, required, tag = "1")]
    pub(super) pt_activation_type: u32,
    #[prost(bytes = "vec", required, tag = "2")]
    pub(super) pt_activation_data: Vec<u8>,
}
