//! Contents with everything: each optional component and each addition that goes with the others.

use serde_json::{Value, json};

use super::super::impact_reduction;
use super::{STATION, cpm as plain_cpm, delta, denm_typical, object, path, perceived, position};

pub(super) fn cam() -> Value {
    let mut cam = super::cam_typical();
    let parameters = &mut cam["cam"]["camParameters"];
    parameters["basicContainer"]["stationType"] = json!(6);
    let high = &mut parameters["highFrequencyContainer"]["basicVehicleContainerHighFrequency"];
    high["lanePosition"] = json!(2);
    high["verticalAcceleration"] = json!({ "value": 1, "confidence": 9 });
    high["performanceClass"] = json!(1);
    high["cenDsrcTollingZone"] = json!({
        "protectedZoneLatitude": 481_370_000,
        "protectedZoneLongitude": 115_300_000,
        "cenDsrcTollingZoneId": 70_412
    });
    let low = &mut parameters["lowFrequencyContainer"]["basicVehicleContainerLowFrequency"];
    low["vehicleRole"] = json!("publicTransport");
    low["pathHistory"] = path(23, 0);
    parameters["specialVehicleContainer"] = json!({
        "publicTransportContainer": {
            "embarkationStatus": true,
            "ptActivation": {
                "ptActivationType": 1,
                "ptActivationData": "A1B2C3D4E5F60718293A4B5C6D7E8F9001122334"
            }
        }
    });
    let container = |id: u8, data: Value| json!({ "containerId": id, "containerData": data });
    let line = |from: i64| -> Value {
        let place = |i: i64| json!({ "deltaLatitude": from - i * 31, "deltaLongitude": 840 + i * 19 });
        json!({ "deltaPositions": (0..12).map(place).collect::<Vec<_>>() })
    };
    parameters["extensionContainers"] = json!([
        container(
            2,
            json!({
                "segmentAhead": line(700),
                "nodeProbabilities": (0..12).map(|i| 95 - i).collect::<Vec<_>>(),
                "segmentBehind": line(-400),
                "laneLevelDetails": (1..4)
                    .map(|lane| json!({ "laneNumber": lane, "direction": 0, "laneWidth": 350 }))
                    .collect::<Vec<_>>(),
                "segmentSource": information(None)
            })
        ),
        container(3, json!({ "vehicleHeight": 31, "wiperStatus": 2, "brakeControl": { "value": "60", "length": 3 } })),
        container(4, json!({ "pathPredictedList": [predicted_path()] })),
        container(5, json!({ "generalizedLanePositions": [lane_position()] })),
        container(
            6,
            json!({ "vehicleMovementControl": {
                "accelerationPedalStatus": { "pedalPositionValue": 3 },
                "brakePedalStatus": { "pedalPositionValue": 0 },
                "saeAutomationLevel": 2,
                "automationControl": { "value": "10", "length": 6 },
                "accelerationControl": "08",
                "accelerationControlExtension": { "value": "20", "length": 3 }
            } })
        ),
    ]);
    cam
}

fn information(confidence: Option<u8>) -> Value {
    let mut information = json!({
        "usedDetectionInformation": { "value": "5000", "length": 16 },
        "usedStoredInformation": { "value": "48", "length": 8 }
    });
    if let Some(confidence) = confidence {
        information["confidenceValue"] = json!(confidence);
    }
    information
}

fn predicted_path() -> Value {
    json!({
        "pathPredicted": (0..16).map(predicted).collect::<Vec<_>>(),
        "usageIndication": "fixedRoute",
        "confidenceLevel": 88
    })
}

fn predicted(i: i64) -> Value {
    json!({
        "deltaLatitude": 390 + i * 21,
        "deltaLongitude": 2_090 - i * 17,
        "horizontalPositionConfidence": {
            "semiMajorConfidence": 150 + i * 40,
            "semiMinorConfidence": 120 + i * 22,
            "semiMajorOrientation": 747
        },
        "deltaAltitude": 10 - i,
        "altitudeConfidence": "alt-005-00",
        "pathDeltaTime": { "deltaTimeHighPrecision": 10 + i },
        "symmetricAreaOffset": 40 + i * 3
    })
}

fn lane_position() -> Value {
    json!({
        "lanePositionBased": { "lanePositionWithLateralDetails": {
            "transversalPosition": 2,
            "laneType": 8,
            "direction": 2,
            "distanceToLeftBorder": 81,
            "distanceToRightBorder": 74
        } },
        "mapBased": {
            "mapReference": { "intersection": { "region": 49, "id": 1_203 } },
            "laneId": 4,
            "longitudinalLanePosition": {
                "longitudinalLanePositionValue": 812,
                "longitudinalLanePositionConfidence": 25
            }
        },
        "confidence": information(Some(90))
    })
}

pub(super) fn denm() -> Value {
    let mut denm = denm_typical();
    let body = &mut denm["denm"];
    body["management"]["transmissionInterval"] = json!(1_000);
    let cause = |name: &str, sub: u8| json!({ "ccAndScc": { name: sub } });
    let actions: Vec<Value> =
        (0..8).map(|i| json!({ "originatingStationId": STATION - i, "sequenceNumber": i * 3 })).collect();
    body["situation"] = json!({
        "informationQuality": 4,
        "eventType": cause("stationaryVehicle94", 2),
        "linkedCause": cause("roadworks3", 4),
        "eventZone": (0..23)
            .map(|i| json!({ "eventPosition": delta(i, 8), "eventDeltaTime": 90 + i * 7, "informationQuality": 3 + i % 4 }))
            .collect::<Vec<_>>(),
        "linkedDenms": actions,
        "perceivedEvent": true
    });
    let map = json!({ "intersection": { "region": 49, "id": 1_203 } });
    body["location"] = json!({
        "eventSpeed": { "speedValue": 0, "speedConfidence": 1 },
        "eventPositionHeading": { "value": 2_713, "confidence": 10 },
        "detectionZonesToEventPosition": (0..7).map(|trace| path(40, trace)).collect::<Vec<_>>(),
        "roadType": "urban-WithStructuralSeparationToOppositeLanes",
        "lanePositions": [lane_position()],
        "occupiedLanes": {
            "lanePositionBased": [{ "simplelanePosition": 1 }, { "simplelanePosition": 2 }],
            "confidence": information(Some(75))
        },
        "linkedIvims": [{
            "serviceProviderId": { "countryCode": "2140", "providerIdentifier": 7 },
            "iviIdentificationNumber": 412
        }],
        "linkedMapems": [map],
        "detectionZonesToSpecifiedEventPoint": [{ "pointOfEventZone": 3, "path": path(8, 2) }],
        "predictedPaths": [predicted_path()]
    });
    body["alacarte"] = json!({
        "lanePosition": 1,
        "impactReduction": impact_reduction(),
        "externalTemperature": 16,
        "roadWorks": {
            "lightBarSirenInUse": "80",
            "closedLanes": {
                "innerhardShoulderStatus": "closed",
                "outerhardShoulderStatus": "availableForStopping",
                "drivingLaneStatus": { "value": "A000", "length": 13 }
            },
            "restriction": [8, 9, 10],
            "speedLimit": 60,
            "incidentIndication": cause("roadworks3", 1),
            "recommendedPath": (0..40).map(|i| position(i * 410, i * -955)).collect::<Vec<_>>(),
            "startingPointSpeedLimit": delta(3, 0),
            "trafficFlowRule": "passToLeft",
            "referenceDenms": actions
        },
        "positioningSolution": "sGNSSplusDR",
        "stationaryVehicle": {
            "stationarySince": "lessThan2Minutes",
            "stationaryCause": cause("vehicleBreakdown91", 5),
            "carryingDangerousGoods": {
                "dangerousGoodsType": "flammableLiquids",
                "unNumber": 1_203,
                "elevatedTemperature": false,
                "tunnelsRestricted": true,
                "limitedQuantity": false,
                "emergencyActionCode": "3YE",
                "phoneNumber": "498912345678",
                "companyName": "Spedition M\u{fc}nchen"
            },
            "numberOfOccupants": 2,
            "vehicleIdentification": { "wMInumber": "WBA", "vDS": "3A5C50" },
            "energyStorageType": "04"
        },
        "roadConfiguration": {
            "roadConfigurationConfidence": information(Some(80)),
            "roadConfigurationSectionList": [{
                "roadSectionDefinition": {
                    "startingPointSection": { "latitude": 481_362_000, "longitude": 115_270_000, "altitude": 52_900 },
                    "lengthOfSection": 700,
                    "endingPointSection": { "latitude": 481_368_000, "longitude": 115_277_000, "altitude": 52_950 },
                    "connectedPaths": [1, 2],
                    "includedPaths": [3],
                    "isEventZoneIncluded": true,
                    "isEventZoneConnected": false
                },
                "roadType": "urban-WithStructuralSeparationToOppositeLanes",
                "laneConfiguration": (1..3)
                    .map(|lane| json!({
                        "laneNumber": lane,
                        "direction": 1,
                        "laneWidth": 350,
                        "connectingLane": lane,
                        "connectingRoadSection": 1
                    }))
                    .collect::<Vec<_>>(),
                "mapemConfiguration": [{ "mapReference": map, "laneIds": [1, 2], "connectionIds": [7] }]
            }]
        },
        "preCrash": {
            "perceivedPreCrashObject": full_object(1),
            "objectStationId": STATION - 1,
            "timeToCollision": 1_400,
            "impactSection": "front",
            "estimatedBrakingDistance": 230
        }
    });
    denm
}

pub(super) fn cpm() -> Value {
    let mut cpm = plain_cpm(0);
    let payload = &mut cpm["payload"];
    payload["managementContainer"]["segmentationInfo"] = json!({ "totalMsgNo": 2, "thisMsgNo": 1 });
    payload["managementContainer"]["messageRateRange"] = json!({
        "messageRateMin": { "mantissa": 1, "exponent": 0 },
        "messageRateMax": { "mantissa": 1, "exponent": 1 }
    });
    let angle = |value: i64| json!({ "value": value, "confidence": 10 });
    let opening = |from: i64| {
        json!({ "radial": {
            "range": 1_500,
            "horizontalOpeningAngleStart": from,
            "horizontalOpeningAngleEnd": (from + 600) % 3_600
        } })
    };
    payload["cpmContainers"] = json!([
        {
            "containerId": 1,
            "containerData": {
                "orientationAngle": angle(747),
                "pitchAngle": angle(12),
                "rollAngle": angle(3_590),
                "trailerDataSet": [{ "refPointId": 1, "hitchPointOffset": 20, "hitchAngle": angle(30) }]
            }
        },
        {
            "containerId": 3,
            "containerData": (0..6)
                .map(|i| json!({
                    "sensorId": i,
                    "sensorType": 1 + i % 3,
                    "perceptionRegionShape": opening(i64::from(i) * 600),
                    "perceptionRegionConfidence": 95,
                    "shadowingApplies": true
                }))
                .collect::<Vec<_>>()
        },
        {
            "containerId": 4,
            "containerData": [{
                "measurementDeltaTime": -40,
                "perceptionRegionConfidence": 90,
                "perceptionRegionShape": { "rectangular": {
                    "shapeReferencePoint": { "xCoordinate": 300, "yCoordinate": -20, "zCoordinate": 5 },
                    "semiLength": 400,
                    "semiBreadth": 80,
                    "orientation": 747,
                    "height": 30
                } },
                "shadowingApplies": true,
                "sensorIdList": [0, 1],
                "numberOfPerceivedObjects": 10,
                "perceivedObjectIds": (100..110).collect::<Vec<_>>()
            }]
        },
        perceived((0..10).map(full_object).collect())
    ]);
    cpm
}

/// An object with all components.
fn full_object(i: i64) -> Value {
    let mut object = object(i);
    object["position"]["zCoordinate"] = json!({ "value": 120, "confidence": 80 });
    object["velocity"]["cartesianVelocity"]["zVelocity"] = json!({ "value": 2, "confidence": 40 });
    let component = |value: i64| json!({ "value": value, "confidence": 12 });
    object["acceleration"] = json!({ "cartesianAcceleration": {
        "xAcceleration": component(i % 9),
        "yAcceleration": component(-1),
        "zAcceleration": component(0)
    } });
    object["angles"]["yAngle"] = json!({ "value": 12, "confidence": 40 });
    object["angles"]["xAngle"] = json!({ "value": 3_590, "confidence": 40 });
    object["zAngularVelocity"] = json!({ "value": 5, "confidence": "degSec-05" });
    object["lowerTriangularCorrelationMatrices"] = json!([{
        "componentsIncludedIntheMatrix": { "value": "D800", "length": 13 },
        "matrix": [[12, -5, 3], [40, 8], [-20]]
    }]);
    object["objectDimensionZ"] = json!({ "value": 16, "confidence": 3 });
    object["objectPerceptionQuality"] = json!(12);
    object["sensorIdList"] = json!([0, 3]);
    object["mapPosition"] = json!({
        "mapReference": { "roadsegment": { "region": 49, "id": 77 } },
        "laneId": 2,
        "longitudinalLanePosition": { "longitudinalLanePositionValue": 140, "longitudinalLanePositionConfidence": 30 }
    });
    object
}

pub(super) fn vam() -> Value {
    let mut vam = super::vam_typical();
    let parameters = &mut vam["vam"]["vamParameters"];
    let high = &mut parameters["vruHighFrequencyContainer"];
    high["curvature"] = json!({ "curvatureValue": 7, "curvatureConfidence": "onePerMeter-0-002" });
    high["curvatureCalculationMode"] = json!("yawRateUsed");
    high["lateralAcceleration"] = json!({ "lateralAccelerationValue": 1, "lateralAccelerationConfidence": 102 });
    high["verticalAcceleration"] = json!({ "verticalAccelerationValue": 0, "verticalAccelerationConfidence": 102 });
    high["vruLanePosition"] = lane_position();
    high["orientation"] = json!({ "value": 750, "confidence": 20 });
    high["rollAngle"] = json!({ "value": 12, "confidence": 20 });
    high["deviceUsage"] = json!(3);
    parameters["vruClusterInformationContainer"] = json!({ "vruClusterInformation": {
        "clusterId": 12,
        "clusterBoundingBoxShape": { "circular": { "radius": 60, "height": 20 } },
        "clusterCardinalitySize": 9,
        "clusterProfiles": "40"
    } });
    parameters["vruClusterOperationContainer"] = json!({
        "clusterJoinInfo": { "clusterId": 13, "joinTime": 8 },
        "clusterLeaveInfo": { "clusterId": 12, "clusterLeaveReason": 5 },
        "clusterBreakupInfo": { "clusterBreakupReason": 3, "breakupTime": 12 },
        "clusterIdChangeTimeInfo": 20
    });
    let station = STATION - 7;
    parameters["vruMotionPredictionContainer"] = json!({
        "pathHistory": path(40, 0),
        "pathPrediction": (0..16).map(predicted).collect::<Vec<_>>(),
        "safeDistance": [{ "subjectStation": station, "safeDistanceIndicator": false, "timeToCollision": 24 }],
        "trajectoryInterceptionIndication": [{
            "subjectStation": station,
            "trajectoryInterceptionProbability": 21,
            "trajectoryInterceptionConfidence": 2
        }],
        "accelerationChangeIndication": { "accelOrDecel": "decelerate", "actionDeltaTime": 12 },
        "headingChangeIndication": { "direction": "left", "actionDeltaTime": 15 },
        "stabilityChangeIndication": { "lossProbability": 4, "actionDeltaTime": 10 }
    });
    vam
}
