//! A DENM of V1.3.1 with all containers and all optional fields (EN 302 637-3), UPER, by hand.
//! Lists and texts have any size within their bounds, and every point has its time; 13 lanes have a
//! status. Anything else is refused.

use super::Refused;
use super::bits::{Bounded, Ia5, List, Numeric, Part, Reader, Utf8, Writer, parts, run};
use super::common::{Delta, Header, Path, Position};
use serde_json::Value;

parts! {
    /// The message.
    Denm {
        header: Header = "/header";
        event: Event = "/denm/management";
        position: Position = "/denm/management/eventPosition";
        relevance: Relevance = "/denm/management";
        situation: Situation = "/denm/situation";
        history: List<EventPoint, 1, 23> = "/denm/situation/eventHistory";
        motion: Motion = "/denm/location";
        traces: List<Path, 1, 7> = "/denm/location/traces";
        road: Road = "/denm/location";
        alacarte: Alacarte = "/denm/alacarte";
        pillars: Bounded<List<Pillar, 1, 3>> = "/denm/alacarte/impactReduction/positionOfPillars";
        impact: Impact = "/denm/alacarte/impactReduction";
        works: Works = "/denm/alacarte";
        restriction: Bounded<List<StationType, 1, 3>> = "/denm/alacarte/roadWorks/restriction";
        limit: Limit = "/denm/alacarte/roadWorks";
        recommended: List<Position, 1, 40> = "/denm/alacarte/roadWorks/recommendedPath";
        start: Delta = "/denm/alacarte/roadWorks/startingPointSpeedLimit";
        flow: Flow = "/denm/alacarte/roadWorks";
        denms: Bounded<List<Action, 1, 8>> = "/denm/alacarte/roadWorks/referenceDenms";
        vehicle: Vehicle = "/denm/alacarte";
        code: Ia5<1, 24> = "/denm/alacarte/stationaryVehicle/carryingDangerousGoods/emergencyActionCode";
        phone: Numeric<1, 16> = "/denm/alacarte/stationaryVehicle/carryingDangerousGoods/phoneNumber";
        company: Utf8<24> = "/denm/alacarte/stationaryVehicle/carryingDangerousGoods/companyName";
        occupants: Occupants = "/denm/alacarte/stationaryVehicle";
        manufacturer: Ia5<1, 3> = "/denm/alacarte/stationaryVehicle/vehicleIdentification/wMInumber";
        descriptor: Ia5<6, 6> = "/denm/alacarte/stationaryVehicle/vehicleIdentification/vDS";
        energy: Energy = "/denm/alacarte/stationaryVehicle";
    }
}

run! {
    Event {
        // All three containers; no additions, all five fields that may be left out.
        3 = 0b111;
        6 = 0b01_1111;
        32 station: u32 [0..=4_294_967_295] "/actionID/originatingStationID";
        16 sequence: u16 [0..=65_535] "/actionID/sequenceNumber";
        42 detected: u64 [0..=4_398_046_511_103] "/detectionTime";
        42 reference: u64 [0..=4_398_046_511_103] "/referenceTime";
        1 termination: u8 [0..=1] "/termination" of ["isCancellation", "isNegation"];
    }
}

run! {
    Relevant {
        3 distance: u8 [0..=7] "/relevanceDistance" of DISTANCES;
        2 direction: u8 [0..=3] "/relevanceTrafficDirection" of DIRECTIONS;
        17 validity: u32 [0..=86_400] "/validityDuration";
        14 interval: u16 [1..=10_000] "/transmissionInterval";
        8 station_type: u8 [0..=255] "/stationType";
    }
}

/// With a validity that is not the default, which would not be sent (X.691 §19.5).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Relevance(Relevant);

impl Part for Relevance {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        out.ok &= self.0.validity != 600;
        self.0.write(out);
    }

    #[inline(always)]
    fn decode(&mut self, input: &mut Reader<'_>) -> Result<(), Refused> {
        self.0.decode(input)
    }

    fn read(value: &Value) -> Option<Self> {
        Relevant::read(value).map(Relevance)
    }
}

run! {
    Situation {
        3 = 0b011;
        3 quality: u8 [0..=7] "/informationQuality";
        1 = 0;
        8 cause: u8 [0..=255] "/eventType/causeCode";
        8 sub_cause: u8 [0..=255] "/eventType/subCauseCode";
        1 = 0;
        8 linked: u8 [0..=255] "/linkedCause/causeCode";
        8 sub_linked: u8 [0..=255] "/linkedCause/subCauseCode";
    }
}

run! {
    EventPoint {
        1 = 1;
        18 latitude: i32 [-131_071..=131_072] "/eventPosition/deltaLatitude";
        18 longitude: i32 [-131_071..=131_072] "/eventPosition/deltaLongitude";
        15 altitude: i16 [-12_700..=12_800] "/eventPosition/deltaAltitude";
        1 = 0;
        16 time: u16 [1..=65_535] "/eventDeltaTime";
        3 quality: u8 [0..=7] "/informationQuality";
    }
}

run! {
    Motion {
        4 = 0b0111;
        14 speed: u16 [0..=16_383] "/eventSpeed/speedValue";
        7 speed_confidence: u8 [1..=127] "/eventSpeed/speedConfidence";
        12 heading: u16 [0..=3601] "/eventPositionHeading/headingValue";
        7 heading_confidence: u8 [1..=127] "/eventPositionHeading/headingConfidence";
    }
}

run! {
    Road {
        2 road_type: u8 [0..=3] "/roadType" of ROAD_TYPES;
    }
}

run! {
    Alacarte {
        7 = 0b011_1111;
        4 lane: i8 [-1..=14] "/lanePosition";
        7 height_left: u8 [1..=100] "/impactReduction/heightLonCarrLeft";
        7 height_right: u8 [1..=100] "/impactReduction/heightLonCarrRight";
        7 left: u8 [1..=127] "/impactReduction/posLonCarrLeft";
        7 right: u8 [1..=127] "/impactReduction/posLonCarrRight";
    }
}

run! {
    Pillar {
        5 place: u8 [1..=30] "";
    }
}

run! {
    Impact {
        6 mass_centre: u8 [1..=63] "/posCentMass";
        7 wheel_base: u8 [1..=127] "/wheelBaseVehicle";
        8 turning: u8 [1..=255] "/turningRadius";
        5 axle: u8 [1..=20] "/posFrontAx";
        20 seats: u32 [0..=1_048_575] "/positionOfOccupants";
        10 mass: u16 [1..=1024] "/vehicleMass";
        1 request: u8 [0..=1] "/requestResponseIndication" of ["request", "response"];
    }
}

run! {
    Works {
        7 temperature: i8 [-60..=67] "/externalTemperature";
        // All nine fields of roadWorks.
        9 = 0x1FF;
        2 lights: u8 [0..=3] "/roadWorks/lightBarSirenInUse";
        4 = 0b0111;
        2 inner: u8 [0..=2] "/roadWorks/closedLanes/innerhardShoulderStatus" of SHOULDERS;
        2 outer: u8 [0..=2] "/roadWorks/closedLanes/outerhardShoulderStatus" of SHOULDERS;
        // 13 lanes.
        4 = 12;
        13 lanes: u16 [0..=8191] "/roadWorks/closedLanes/drivingLaneStatus";
    }
}

run! {
    StationType {
        8 station_type: u8 [0..=255] "";
    }
}

run! {
    Limit {
        8 speed: u8 [1..=255] "/speedLimit";
        1 = 0;
        8 cause: u8 [0..=255] "/incidentIndication/causeCode";
        8 sub_cause: u8 [0..=255] "/incidentIndication/subCauseCode";
    }
}

run! {
    Flow {
        1 = 0;
        2 rule: u8 [0..=3] "/trafficFlowRule" of ["noPassing", "noPassingForTrucks", "passToRight", "passToLeft"];
    }
}

run! {
    Action {
        32 station: u32 [0..=4_294_967_295] "/originatingStationID";
        16 sequence: u16 [0..=65_535] "/sequenceNumber";
    }
}

run! {
    Vehicle {
        1 = 0;
        3 positioning: u8 [0..=5] "/positioningSolution" of POSITIONING;
        // All six fields of stationaryVehicle.
        6 = 0x3F;
        2 since: u8 [0..=3] "/stationaryVehicle/stationarySince" of SINCE;
        1 = 0;
        8 cause: u8 [0..=255] "/stationaryVehicle/stationaryCause/causeCode";
        8 sub_cause: u8 [0..=255] "/stationaryVehicle/stationaryCause/subCauseCode";
        // Dangerous goods: no additions, all three texts.
        4 = 0b0111;
        5 goods: u8 [0..=19] "/stationaryVehicle/carryingDangerousGoods/dangerousGoodsType" of GOODS;
        14 number: u16 [0..=9999] "/stationaryVehicle/carryingDangerousGoods/unNumber";
        1 hot: u8 [0..=1] "/stationaryVehicle/carryingDangerousGoods/elevatedTemperature";
        1 no_tunnels: u8 [0..=1] "/stationaryVehicle/carryingDangerousGoods/tunnelsRestricted";
        1 limited: u8 [0..=1] "/stationaryVehicle/carryingDangerousGoods/limitedQuantity";
    }
}

run! {
    Occupants {
        7 count: u8 [0..=127] "/numberOfOccupants";
        3 = 0b011;
    }
}

run! {
    Energy {
        7 storage: u8 [0..=127] "/energyStorageType";
    }
}

const DISTANCES: [&str; 8] = [
    "lessThan50m",
    "lessThan100m",
    "lessThan200m",
    "lessThan500m",
    "lessThan1000m",
    "lessThan5km",
    "lessThan10km",
    "over10km",
];

const DIRECTIONS: [&str; 4] = ["allTrafficDirections", "upstreamTraffic", "downstreamTraffic", "oppositeTraffic"];

const ROAD_TYPES: [&str; 4] = [
    "urban-NoStructuralSeparationToOppositeLanes",
    "urban-WithStructuralSeparationToOppositeLanes",
    "nonUrban-NoStructuralSeparationToOppositeLanes",
    "nonUrban-WithStructuralSeparationToOppositeLanes",
];

const SHOULDERS: [&str; 3] = ["availableForStopping", "closed", "availableForDriving"];

const POSITIONING: [&str; 6] = ["noPositioningSolution", "sGNSS", "dGNSS", "sGNSSplusDR", "dGNSSplusDR", "dR"];

const SINCE: [&str; 4] = ["lessThan1Minute", "lessThan2Minutes", "lessThan15Minutes", "equalOrGreater15Minutes"];

const GOODS: [&str; 20] = [
    "explosives1",
    "explosives2",
    "explosives3",
    "explosives4",
    "explosives5",
    "explosives6",
    "flammableGases",
    "nonFlammableGases",
    "toxicGases",
    "flammableLiquids",
    "flammableSolids",
    "substancesLiableToSpontaneousCombustion",
    "substancesEmittingFlammableGasesUponContactWithWater",
    "oxidizingSubstances",
    "organicPeroxides",
    "toxicSubstances",
    "infectiousSubstances",
    "radioactiveMaterial",
    "corrosiveSubstances",
    "miscellaneousDangerousSubstances",
];
