//! The units of TS 102 894-2: the dictionary gives a type's unit in words, which are not in the
//! modules.

/// The unit of a type's numbers by the type's name, where all versions of TS 102 894-2 have the
/// same one.
pub(crate) fn of(type_name: &str) -> Option<&'static str> {
    UNITS.iter().find(|(name, _)| *name == type_name).map(|(_, unit)| *unit)
}

/// `CurvatureValue` is not here: its unit depends on the version.
static UNITS: &[(&str, &str)] = &[
    ("AccelerationConfidence", "0.1 m/s2"),
    ("AccelerationMagnitudeValue", "0.1 m/s2"),
    ("AccelerationValue", "0.1 m/s2"),
    ("AltitudeValue", "0.01 m"),
    ("CartesianAngleValue", "0.1 degree"),
    ("DeltaAltitude", "0.01 m"),
    ("DeltaLatitude", "0.1 microdegree"),
    ("DeltaLongitude", "0.1 microdegree"),
    ("DeltaTimeMilliSecondPositive", "ms"),
    ("DeltaTimeMilliSecondSigned", "ms"),
    ("DeltaTimeQuarterSecond", "0.25 s"),
    ("DeltaTimeSecond", "s"),
    ("DeltaTimeTenSeconds", "10 s"),
    ("DeltaTimeTenthOfSecond", "0.1 s"),
    ("GenerationDeltaTime", "ms"),
    ("HeadingConfidence", "0.1 degree"),
    ("HeadingValue", "0.1 degree"),
    ("HeightLonCarr", "0.01 m"),
    ("LateralAccelerationValue", "0.1 m/s2"),
    ("Latitude", "0.1 microdegree"),
    ("Longitude", "0.1 microdegree"),
    ("LongitudinalAccelerationValue", "0.1 m/s2"),
    ("PathDeltaTime", "10 ms"),
    ("PosCentMass", "0.1 m"),
    ("PosFrontAx", "0.1 m"),
    ("PosLonCarr", "0.01 m"),
    ("PosPillar", "0.1 m"),
    ("ProtectedZoneRadius", "m"),
    ("SemiAxisLength", "0.01 m"),
    ("SpeedConfidence", "0.01 m/s"),
    ("SpeedLimit", "km/h"),
    ("SpeedValue", "0.01 m/s"),
    ("SteeringWheelAngleConfidence", "1.5 degree"),
    ("SteeringWheelAngleValue", "1.5 degree"),
    ("Temperature", "degree Celsius"),
    ("TimestampIts", "ms"),
    ("TransmissionInterval", "ms"),
    ("TurningRadius", "0.4 m"),
    ("ValidityDuration", "s"),
    ("VehicleLengthValue", "0.1 m"),
    ("VehicleMass", "100 kg"),
    ("VehicleWidth", "0.1 m"),
    ("VelocityComponentValue", "0.01 m/s"),
    ("VerticalAccelerationValue", "0.1 m/s2"),
    ("Wgs84AngleConfidence", "0.1 degree"),
    ("Wgs84AngleValue", "0.1 degree"),
    ("WheelBaseVehicle", "0.1 m"),
    ("YawRateValue", "0.01 degree/s"),
];
