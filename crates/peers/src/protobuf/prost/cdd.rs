//! The types of TS 102 894-2 that CAM and DENM share.

use prost::Message;

#[derive(Clone, PartialEq, Message)]
pub(super) struct ItsPduHeader {
    #[prost(uint32, required, tag = "1")]
    pub(super) protocol_version: u32,
    #[prost(uint32, required, tag = "2")]
    pub(super) message_id: u32,
    #[prost(uint32, required, tag = "3")]
    pub(super) station_id: u32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ReferencePosition {
    #[prost(sint32, required, tag = "1")]
    pub(super) latitude: i32,
    #[prost(sint32, required, tag = "2")]
    pub(super) longitude: i32,
    #[prost(message, required, tag = "3")]
    pub(super) position_confidence_ellipse: PosConfidenceEllipse,
    #[prost(message, required, tag = "4")]
    pub(super) altitude: Altitude,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct PosConfidenceEllipse {
    #[prost(uint32, required, tag = "1")]
    pub(super) semi_major_confidence: u32,
    #[prost(uint32, required, tag = "2")]
    pub(super) semi_minor_confidence: u32,
    #[prost(uint32, required, tag = "3")]
    pub(super) semi_major_orientation: u32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Altitude {
    #[prost(sint32, required, tag = "1")]
    pub(super) altitude_value: i32,
    #[prost(int32, required, tag = "2")]
    pub(super) altitude_confidence: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Heading {
    #[prost(uint32, required, tag = "1")]
    pub(super) heading_value: u32,
    #[prost(uint32, required, tag = "2")]
    pub(super) heading_confidence: u32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Speed {
    #[prost(uint32, required, tag = "1")]
    pub(super) speed_value: u32,
    #[prost(uint32, required, tag = "2")]
    pub(super) speed_confidence: u32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct PathPoint {
    #[prost(message, required, tag = "1")]
    pub(super) path_position: DeltaReferencePosition,
    #[prost(int64, optional, tag = "2")]
    pub(super) path_delta_time: Option<i64>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ClosedLanes {
    #[prost(int32, optional, tag = "1")]
    pub(super) innerhard_shoulder_status: Option<i32>,
    #[prost(int32, optional, tag = "2")]
    pub(super) outerhard_shoulder_status: Option<i32>,
    #[prost(bytes = "vec", optional, tag = "3")]
    pub(super) driving_lane_status: Option<Vec<u8>>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct CauseCode {
    #[prost(uint32, required, tag = "1")]
    pub(super) cause_code: u32,
    #[prost(uint32, required, tag = "2")]
    pub(super) sub_cause_code: u32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct DeltaReferencePosition {
    #[prost(sint32, required, tag = "1")]
    pub(super) delta_latitude: i32,
    #[prost(sint32, required, tag = "2")]
    pub(super) delta_longitude: i32,
    #[prost(sint32, required, tag = "3")]
    pub(super) delta_altitude: i32,
}
