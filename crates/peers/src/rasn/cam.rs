//! Parts of the CAM (EN 302 637-2) that are the same in V1.3.0 and V1.4.1, for rasn.

use super::cdd::*;
use rasn::prelude::*;

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub(crate) struct BasicContainer {
    #[rasn(value("0..=255"), identifier = "stationType")]
    pub(crate) station_type: u8,
    #[rasn(identifier = "referencePosition")]
    pub(crate) reference_position: ReferencePosition,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub(crate) struct RSUContainerHighFrequency {
    #[rasn(size("1..=16"), identifier = "protectedCommunicationZonesRSU")]
    pub(crate) protected_communication_zones_rsu: Option<SequenceOf<ProtectedCommunicationZone>>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct BasicVehicleContainerLowFrequency {
    #[rasn(identifier = "vehicleRole")]
    pub(crate) vehicle_role: VehicleRole,
    #[rasn(identifier = "exteriorLights")]
    pub(crate) exterior_lights: FixedBitString<8>,
    #[rasn(identifier = "pathHistory")]
    pub(crate) path_history: PathHistory,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
pub(crate) enum LowFrequencyContainer {
    #[rasn(identifier = "basicVehicleContainerLowFrequency")]
    BasicVehicleContainerLowFrequency(BasicVehicleContainerLowFrequency),
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct PublicTransportContainer {
    #[rasn(identifier = "embarkationStatus")]
    pub(crate) embarkation_status: bool,
    #[rasn(identifier = "ptActivation")]
    pub(crate) pt_activation: Option<PtActivation>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct SpecialTransportContainer {
    #[rasn(identifier = "specialTransportType")]
    pub(crate) special_transport_type: FixedBitString<4>,
    #[rasn(identifier = "lightBarSirenInUse")]
    pub(crate) light_bar_siren_in_use: FixedBitString<2>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct DangerousGoodsContainer {
    #[rasn(identifier = "dangerousGoodsBasic")]
    pub(crate) dangerous_goods_basic: DangerousGoodsBasic,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct RoadWorksContainerBasic {
    #[rasn(value("0..=255"), identifier = "roadworksSubCauseCode")]
    pub(crate) roadworks_sub_cause_code: Option<u8>,
    #[rasn(identifier = "lightBarSirenInUse")]
    pub(crate) light_bar_siren_in_use: FixedBitString<2>,
    #[rasn(identifier = "closedLanes")]
    pub(crate) closed_lanes: Option<ClosedLanes>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct RescueContainer {
    #[rasn(identifier = "lightBarSirenInUse")]
    pub(crate) light_bar_siren_in_use: FixedBitString<2>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct EmergencyContainer {
    #[rasn(identifier = "lightBarSirenInUse")]
    pub(crate) light_bar_siren_in_use: FixedBitString<2>,
    #[rasn(identifier = "incidentIndication")]
    pub(crate) incident_indication: Option<CauseCode>,
    #[rasn(identifier = "emergencyPriority")]
    pub(crate) emergency_priority: Option<FixedBitString<2>>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub(crate) struct SafetyCarContainer {
    #[rasn(identifier = "lightBarSirenInUse")]
    pub(crate) light_bar_siren_in_use: FixedBitString<2>,
    #[rasn(identifier = "incidentIndication")]
    pub(crate) incident_indication: Option<CauseCode>,
    #[rasn(identifier = "trafficRule")]
    pub(crate) traffic_rule: Option<TrafficRule>,
    #[rasn(value("1..=255"), identifier = "speedLimit")]
    pub(crate) speed_limit: Option<u8>,
}

#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
pub(crate) enum SpecialVehicleContainer {
    #[rasn(identifier = "publicTransportContainer")]
    PublicTransportContainer(PublicTransportContainer),
    #[rasn(identifier = "specialTransportContainer")]
    SpecialTransportContainer(SpecialTransportContainer),
    #[rasn(identifier = "dangerousGoodsContainer")]
    DangerousGoodsContainer(DangerousGoodsContainer),
    #[rasn(identifier = "roadWorksContainerBasic")]
    RoadWorksContainerBasic(RoadWorksContainerBasic),
    #[rasn(identifier = "rescueContainer")]
    RescueContainer(RescueContainer),
    #[rasn(identifier = "emergencyContainer")]
    EmergencyContainer(EmergencyContainer),
    #[rasn(identifier = "safetyCarContainer")]
    SafetyCarContainer(SafetyCarContainer),
}

/// The parts that lead to CurvatureValue, whose range is the only difference between V1.3.0 and V1.4.1.
macro_rules! cam_version {
    ($module:ident, $curvature:tt) => {
        pub(super) mod $module {
            use super::super::cdd::*;
            use super::*;

            #[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
            #[rasn(automatic_tags)]
            pub(crate) struct Curvature {
                #[rasn(value($curvature), identifier = "curvatureValue")]
                pub(crate) curvature_value: i16,
                #[rasn(identifier = "curvatureConfidence")]
                pub(crate) curvature_confidence: CurvatureConfidence,
            }

            #[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
            #[rasn(automatic_tags)]
            pub(crate) struct BasicVehicleContainerHighFrequency {
                #[rasn(identifier = "heading")]
                pub(crate) heading: Heading,
                #[rasn(identifier = "speed")]
                pub(crate) speed: Speed,
                #[rasn(identifier = "driveDirection")]
                pub(crate) drive_direction: DriveDirection,
                #[rasn(identifier = "vehicleLength")]
                pub(crate) vehicle_length: VehicleLength,
                #[rasn(value("1..=62"), identifier = "vehicleWidth")]
                pub(crate) vehicle_width: u8,
                #[rasn(identifier = "longitudinalAcceleration")]
                pub(crate) longitudinal_acceleration: LongitudinalAcceleration,
                #[rasn(identifier = "curvature")]
                pub(crate) curvature: Curvature,
                #[rasn(identifier = "curvatureCalculationMode")]
                pub(crate) curvature_calculation_mode: CurvatureCalculationMode,
                #[rasn(identifier = "yawRate")]
                pub(crate) yaw_rate: YawRate,
                #[rasn(identifier = "accelerationControl")]
                pub(crate) acceleration_control: Option<FixedBitString<7>>,
                #[rasn(value("-1..=14"), identifier = "lanePosition")]
                pub(crate) lane_position: Option<i8>,
                #[rasn(identifier = "steeringWheelAngle")]
                pub(crate) steering_wheel_angle: Option<SteeringWheelAngle>,
                #[rasn(identifier = "lateralAcceleration")]
                pub(crate) lateral_acceleration: Option<LateralAcceleration>,
                #[rasn(identifier = "verticalAcceleration")]
                pub(crate) vertical_acceleration: Option<VerticalAcceleration>,
                #[rasn(value("0..=7"), identifier = "performanceClass")]
                pub(crate) performance_class: Option<u8>,
                #[rasn(identifier = "cenDsrcTollingZone")]
                pub(crate) cen_dsrc_tolling_zone: Option<CenDsrcTollingZone>,
            }

            #[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
            #[rasn(choice, automatic_tags)]
            #[non_exhaustive]
            pub(crate) enum HighFrequencyContainer {
                #[rasn(identifier = "basicVehicleContainerHighFrequency")]
                BasicVehicleContainerHighFrequency(BasicVehicleContainerHighFrequency),
                #[rasn(identifier = "rsuContainerHighFrequency")]
                RsuContainerHighFrequency(RSUContainerHighFrequency),
            }

            #[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
            #[rasn(automatic_tags)]
            #[non_exhaustive]
            pub(crate) struct CamParameters {
                #[rasn(identifier = "basicContainer")]
                pub(crate) basic_container: BasicContainer,
                #[rasn(identifier = "highFrequencyContainer")]
                pub(crate) high_frequency_container: HighFrequencyContainer,
                #[rasn(identifier = "lowFrequencyContainer")]
                pub(crate) low_frequency_container: Option<LowFrequencyContainer>,
                #[rasn(identifier = "specialVehicleContainer")]
                pub(crate) special_vehicle_container: Option<SpecialVehicleContainer>,
            }

            #[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
            #[rasn(automatic_tags)]
            pub(crate) struct CoopAwareness {
                #[rasn(value("0..=65535"), identifier = "generationDeltaTime")]
                pub(crate) generation_delta_time: u16,
                #[rasn(identifier = "camParameters")]
                pub(crate) cam_parameters: CamParameters,
            }

            #[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq)]
            #[rasn(automatic_tags, identifier = "CAM")]
            pub(crate) struct Cam {
                #[rasn(identifier = "header")]
                pub(crate) header: ItsPduHeader,
                #[rasn(identifier = "cam")]
                pub(crate) cam: CoopAwareness,
            }
        }
    };
}

cam_version!(v1_3_0, "-30000..=30001");
cam_version!(v1_4_1, "-1023..=1023");
