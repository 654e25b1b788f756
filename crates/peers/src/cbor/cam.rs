//! CAM: EN 302 637-2 V1.3.0, and V1.4.1, which differs in bounds that these types do not know. Keys
//! are places, and a CHOICE is a map with one entry.

use minicbor::bytes::{ByteArray, ByteVec};
use minicbor::{Decode, Encode};

/// `record!(Name { key field: type, ... })`: a map with an entry for each component that is
/// present.
macro_rules! record {
    ($($name:ident { $($key:literal $field:ident: $of:ty,)* })*) => { $(
        #[derive(Encode, Decode)]
        #[cbor(map)]
        pub(super) struct $name {
            $(#[n($key)] $field: $of,)*
        }
    )* };
}

record! {
    Cam {
        0 header: ItsPduHeader,
        1 cam: CoopAwareness,
    }
    ItsPduHeader {
        0 protocol_version: u8,
        1 message_id: u8,
        2 station_id: u32,
    }
    CoopAwareness {
        0 generation_delta_time: u16,
        1 cam_parameters: CamParameters,
    }
    CamParameters {
        0 basic_container: BasicContainer,
        1 high_frequency_container: HighFrequencyContainer,
        2 low_frequency_container: Option<LowFrequencyContainer>,
        3 special_vehicle_container: Option<SpecialVehicleContainer>,
    }
    BasicContainer {
        0 station_type: u8,
        1 reference_position: ReferencePosition,
    }
    ReferencePosition {
        0 latitude: i32,
        1 longitude: i32,
        2 position_confidence_ellipse: PosConfidenceEllipse,
        3 altitude: Altitude,
    }
    PosConfidenceEllipse {
        0 semi_major_confidence: u16,
        1 semi_minor_confidence: u16,
        2 semi_major_orientation: u16,
    }
    Altitude {
        0 altitude_value: i32,
        1 altitude_confidence: u8,
    }
    HighFrequencyContainer {
        0 basic_vehicle_container_high_frequency: Option<BasicVehicleContainerHighFrequency>,
        1 rsu_container_high_frequency: Option<RsuContainerHighFrequency>,
    }
    BasicVehicleContainerHighFrequency {
        0 heading: Heading,
        1 speed: Speed,
        2 drive_direction: u8,
        3 vehicle_length: VehicleLength,
        4 vehicle_width: u8,
        5 longitudinal_acceleration: Measured<i16>,
        6 curvature: Measured<i16>,
        7 curvature_calculation_mode: u8,
        8 yaw_rate: Measured<i16>,
        9 acceleration_control: Option<ByteArray<1>>,
        10 lane_position: Option<i8>,
        11 steering_wheel_angle: Option<Measured<i16>>,
        12 lateral_acceleration: Option<Measured<i16>>,
        13 vertical_acceleration: Option<Measured<i16>>,
        14 performance_class: Option<u8>,
        15 cen_dsrc_tolling_zone: Option<CenDsrcTollingZone>,
    }
    Heading {
        0 heading_value: u16,
        1 heading_confidence: u8,
    }
    Speed {
        0 speed_value: u16,
        1 speed_confidence: u8,
    }
    VehicleLength {
        0 vehicle_length_value: u16,
        1 vehicle_length_confidence_indication: u8,
    }
    CenDsrcTollingZone {
        0 protected_zone_latitude: i32,
        1 protected_zone_longitude: i32,
        2 cen_dsrc_tolling_zone_id: Option<u32>,
    }
    RsuContainerHighFrequency {
        0 protected_communication_zones_rsu: Option<Vec<ProtectedCommunicationZone>>,
    }
    ProtectedCommunicationZone {
        0 protected_zone_type: u8,
        1 expiry_time: Option<u64>,
        2 protected_zone_latitude: i32,
        3 protected_zone_longitude: i32,
        4 protected_zone_radius: Option<i64>,
        5 protected_zone_id: Option<u32>,
    }
    LowFrequencyContainer {
        0 basic_vehicle_container_low_frequency: Option<BasicVehicleContainerLowFrequency>,
    }
    BasicVehicleContainerLowFrequency {
        0 vehicle_role: u8,
        1 exterior_lights: ByteArray<1>,
        2 path_history: Vec<PathPoint>,
    }
    PathPoint {
        0 path_position: DeltaReferencePosition,
        1 path_delta_time: Option<i64>,
    }
    DeltaReferencePosition {
        0 delta_latitude: i32,
        1 delta_longitude: i32,
        2 delta_altitude: i16,
    }
    SpecialVehicleContainer {
        0 public_transport_container: Option<PublicTransportContainer>,
        1 special_transport_container: Option<SpecialTransportContainer>,
        2 dangerous_goods_container: Option<DangerousGoodsContainer>,
        3 road_works_container_basic: Option<RoadWorksContainerBasic>,
        4 rescue_container: Option<RescueContainer>,
        5 emergency_container: Option<EmergencyContainer>,
        6 safety_car_container: Option<SafetyCarContainer>,
    }
    PublicTransportContainer {
        0 embarkation_status: bool,
        1 pt_activation: Option<PtActivation>,
    }
    PtActivation {
        0 pt_activation_type: u8,
        1 pt_activation_data: ByteVec,
    }
    SpecialTransportContainer {
        0 special_transport_type: ByteArray<1>,
        1 light_bar_siren_in_use: ByteArray<1>,
    }
    DangerousGoodsContainer {
        0 dangerous_goods_basic: u8,
    }
    RoadWorksContainerBasic {
        0 roadworks_sub_cause_code: Option<u8>,
        1 light_bar_siren_in_use: ByteArray<1>,
        2 closed_lanes: Option<ClosedLanes>,
    }
    ClosedLanes {
        0 innerhard_shoulder_status: Option<u8>,
        1 outerhard_shoulder_status: Option<u8>,
        2 driving_lane_status: Option<ByteVec>,
    }
    RescueContainer {
        0 light_bar_siren_in_use: ByteArray<1>,
    }
    EmergencyContainer {
        0 light_bar_siren_in_use: ByteArray<1>,
        1 incident_indication: Option<CauseCode>,
        2 emergency_priority: Option<ByteArray<1>>,
    }
    SafetyCarContainer {
        0 light_bar_siren_in_use: ByteArray<1>,
        1 incident_indication: Option<CauseCode>,
        2 traffic_rule: Option<u8>,
        3 speed_limit: Option<u8>,
    }
    CauseCode {
        0 cause_code: u8,
        1 sub_cause_code: u8,
    }
}

/// A value and its confidence.
#[derive(Encode, Decode)]
#[cbor(map)]
pub(super) struct Measured<T> {
    #[n(0)]
    value: T,
    #[n(1)]
    confidence: u8,
}
