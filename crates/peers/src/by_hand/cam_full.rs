//! A CAM of V1.4.1 with all containers of a bus and all optional fields (EN 302 637-2), UPER, by
//! hand. Every point of its path has its time; how many there are, and how long the data of public
//! transport are, is free. Anything else is refused.

use super::bits::{Octets, parts, run};
use super::common::{Header, Path, Position};
use super::read::{CURVATURE_CONFIDENCE, CURVATURE_MODE, DIRECTION, TRAILER, YAW_RATE_CONFIDENCE};

parts! {
    /// The message.
    Cam {
        header: Header = "/header";
        basic: Basic = "/cam";
        position: Position = "/cam/camParameters/basicContainer/referencePosition";
        high: High = "/cam/camParameters/highFrequencyContainer/basicVehicleContainerHighFrequency";
        low: Low = "/cam/camParameters/lowFrequencyContainer/basicVehicleContainerLowFrequency";
        path: Path = "/cam/camParameters/lowFrequencyContainer/basicVehicleContainerLowFrequency/pathHistory";
        transport: Transport = "/cam/camParameters/specialVehicleContainer/publicTransportContainer";
        data: Octets<1, 20> = "/cam/camParameters/specialVehicleContainer/publicTransportContainer/ptActivation/ptActivationData";
    }
}

run! {
    Basic {
        16 time: u16 [0..=65_535] "/generationDeltaTime";
        // No additions, both optional containers; no additions.
        3 = 0b011;
        1 = 0;
        8 station_type: u8 [0..=255] "/camParameters/basicContainer/stationType";
    }
}

run! {
    High {
        // The first alternative, all seven optional fields.
        2 = 0b00;
        7 = 0x7F;
        12 heading: u16 [0..=3601] "/heading/headingValue";
        7 heading_confidence: u8 [1..=127] "/heading/headingConfidence";
        14 speed: u16 [0..=16_383] "/speed/speedValue";
        7 speed_confidence: u8 [1..=127] "/speed/speedConfidence";
        2 direction: u8 [0..=2] "/driveDirection" of DIRECTION;
        10 length: u16 [1..=1023] "/vehicleLength/vehicleLengthValue";
        3 trailer: u8 [0..=4] "/vehicleLength/vehicleLengthConfidenceIndication" of TRAILER;
        6 width: u8 [1..=62] "/vehicleWidth";
        9 longitudinal: i16 [-160..=161] "/longitudinalAcceleration/longitudinalAccelerationValue";
        7 longitudinal_confidence: u8 [0..=102] "/longitudinalAcceleration/longitudinalAccelerationConfidence";
        11 curvature: i16 [-1023..=1023] "/curvature/curvatureValue";
        3 curvature_confidence: u8 [0..=7] "/curvature/curvatureConfidence" of CURVATURE_CONFIDENCE;
        1 = 0;
        2 curvature_mode: u8 [0..=2] "/curvatureCalculationMode" of CURVATURE_MODE;
        16 yaw_rate: i16 [-32_766..=32_767] "/yawRate/yawRateValue";
        4 yaw_rate_confidence: u8 [0..=8] "/yawRate/yawRateConfidence" of YAW_RATE_CONFIDENCE;
        7 control: u8 [0..=127] "/accelerationControl";
        4 lane: i8 [-1..=14] "/lanePosition";
        10 wheel: i16 [-511..=512] "/steeringWheelAngle/steeringWheelAngleValue";
        7 wheel_confidence: u8 [1..=127] "/steeringWheelAngle/steeringWheelAngleConfidence";
        9 lateral: i16 [-160..=161] "/lateralAcceleration/lateralAccelerationValue";
        7 lateral_confidence: u8 [0..=102] "/lateralAcceleration/lateralAccelerationConfidence";
        9 vertical: i16 [-160..=161] "/verticalAcceleration/verticalAccelerationValue";
        7 vertical_confidence: u8 [0..=102] "/verticalAcceleration/verticalAccelerationConfidence";
        3 performance: u8 [0..=7] "/performanceClass";
        // The zone: no additions, with its number.
        2 = 0b01;
        31 zone_latitude: i32 [-900_000_000..=900_000_001] "/cenDsrcTollingZone/protectedZoneLatitude";
        32 zone_longitude: i32 [-1_800_000_000..=1_800_000_001] "/cenDsrcTollingZone/protectedZoneLongitude";
        27 zone: u32 [0..=134_217_727] "/cenDsrcTollingZone/cenDsrcTollingZoneID";
    }
}

run! {
    Low {
        1 = 0;
        4 role: u8 [0..=15] "/vehicleRole" of ROLES;
        8 lights: u8 [0..=255] "/exteriorLights";
    }
}

run! {
    Transport {
        // The first alternative, with ptActivation.
        4 = 0b0000;
        1 = 1;
        1 embarkation: u8 [0..=1] "/embarkationStatus";
        8 activation: u8 [0..=255] "/ptActivation/ptActivationType";
    }
}

const ROLES: [&str; 16] = [
    "default",
    "publicTransport",
    "specialTransport",
    "dangerousGoods",
    "roadWork",
    "rescue",
    "emergency",
    "safetyCar",
    "agriculture",
    "commercial",
    "military",
    "roadOperator",
    "taxi",
    "reserved1",
    "reserved2",
    "reserved3",
];
