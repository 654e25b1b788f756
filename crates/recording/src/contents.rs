//! The payload of a signed message, for its verdict: which message it is, and which of its parts
//! need a permission.

use std::sync::{LazyLock, Mutex, PoisonError};

use roadwire::Value;
use roadwire_capture::Dissection;
use roadwire_capture::security::Content;
use roadwire_security::Contents;

use crate::recognition::{Candidate, Message, Recognition, Schemas};

/// The basic header of GeoNetworking, version 1, before a secured message.
const BASIC_HEADER: [u8; 4] = [0x12, 0, 0x1a, 1];

/// The shipped schemas: read once for all messages of a program, and only those that a message is
/// of.
static SCHEMAS: LazyLock<Mutex<Recognition<'static>>> =
    LazyLock::new(|| Mutex::new(Recognition::new(Box::leak(Box::new(Schemas::new())))));

/// The contents of a signed message without the packet around it: a GeoNetworking packet, or a
/// message alone. `signed` is all of the message, and `payload` its payload.
#[must_use]
pub fn of_signed(signed: &[u8], payload: &[u8]) -> Contents {
    let packet = [&BASIC_HEADER, signed].concat();
    let found = Dissection::of_geonetworking(&packet);
    let mut recognition = SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner);
    recognition.forget();
    if found.extended.is_some() && found.problem.is_none() {
        return of_frame(&mut recognition, &found);
    }
    of_octets(&mut recognition, None, payload)
}

/// The contents of the signed message in a frame.
pub(crate) fn of_frame(recognition: &mut Recognition<'_>, found: &Dissection<'_>) -> Contents {
    let is_elsewhere = found.envelope.is_some_and(|envelope| envelope.content == Content::SignedElsewhere);
    let contents = match found.message() {
        _ if is_elsewhere => Contents::unread(),
        Some(octets) if found.wsmp.is_none() => of_octets(recognition, found.btp.map(|btp| btp.port()), octets),
        _ => Contents::not_understood(),
    };
    let contents = if found.basic.is_some() { contents.in_geonetworking() } else { contents };
    match found.wsmp.and_then(|wsmp| wsmp.psid()) {
        Some(psid) => contents.in_short_message(psid.into()),
        None => contents,
    }
}

/// The contents of a message on a BTP port. Where no schema takes all of the octets, those that
/// take the first ones tell what a decoder would act on that stops there.
fn of_octets(recognition: &mut Recognition<'_>, port: Option<u16>, octets: &[u8]) -> Contents {
    let place = recognition.place(port, octets).ok().flatten();
    let contents = match place.and_then(|place| recognition.taken(place)) {
        Some(message) => of_message(message),
        None => {
            let number = octets.get(1).filter(|_| matches!(octets[0], 1..=3)).copied();
            let without = match (port, number) {
                (None, Some(number)) => Contents::not_understood().with_message_id(number),
                _ => Contents::not_understood(),
            };
            recognition.prefixes(port, octets).into_iter().fold(without, Contents::and)
        }
    };
    match port {
        Some(port) => contents.on_port(port),
        None => contents,
    }
}

/// The contents of the message that was taken for one of this schema.
fn of_message(message: &Candidate<'_>) -> Contents {
    match message.types() {
        Ok((model, type_id)) => match message.message() {
            Message::Data(value) => Contents::of_message(model, type_id, value),
            Message::OnTape(on_tape) => {
                let mut value = Value::Unset;
                // A value holds whatever a tape does.
                let _ = on_tape.fill(&mut value);
                Contents::of_message(model, type_id, &value)
            }
        },
        // A shipped schema that cannot be read, which does not happen.
        Err(_) => Contents::not_understood(),
    }
}

#[cfg(test)]
mod tests {
    use roadwire::{Rules, Schema};
    use roadwire_model::Value;
    use roadwire_security::Part;
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::signed_frames::{packet, signed};

    /// As octets, those of the later versions are the same.
    const CAM: &str = "020200072a996500005a582ef22e18030c223412c708426f900053c122b69302908a74140b61fda0c0";
    const DENM: &str = "020100072a99c00003954c800392e62f5b0404b98bd6c4252c1779170c0186111a0963842137c80504bc040000";

    /// A value of a schema.
    fn read(schema: &Schema, rules: Rules, octets: &[u8]) -> Value {
        let type_id = schema.find(None).unwrap_or_else(|_| panic!("a type"));
        schema.decode(type_id, rules, octets).unwrap_or_else(|error| panic!("{rules}: {error}"))
    }

    fn of_name(name: &str) -> Schema {
        Schema::shipped(name).unwrap_or_else(|_| panic!("{name}"))
    }

    /// The parts of a message that is read as one version, changed, and taken for another.
    fn found([first, version]: [&str; 2], hex: &str, change: impl Fn(&mut Json)) -> Vec<Part> {
        let digits = |at: usize| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap_or(0);
        let octets: Vec<u8> = (0..hex.len() / 2).map(digits).collect();
        let schema = of_name(first);
        let type_id = schema.find(None).unwrap_or_else(|_| panic!("a type"));
        let text = schema.encode(type_id, Rules::Jer, &read(&schema, Rules::Uper, &octets));
        let text = text.unwrap_or_else(|error| panic!("{error}"));
        let mut value: Json = serde_json::from_slice(&text).unwrap_or_default();
        change(&mut value);
        let schema = of_name(version);
        let value = read(&schema, Rules::Jer, value.to_string().as_bytes());
        let type_id = schema.find(None).unwrap_or_else(|_| panic!("a type"));
        Contents::of_message(schema.model(), type_id, &value).parts().to_vec()
    }

    #[test]
    fn parts_of_cams() {
        for schema in [["cam-1.4.1", "cam-1.3.0"], ["cam-1.4.1"; 2], ["cam-2.3.1"; 2]] {
            let special = |name: &str, value: Json| {
                found(schema, CAM, |cam| {
                    cam["cam"]["camParameters"]["specialVehicleContainer"] = json!({ name: value });
                })
            };
            assert_eq!(found(schema, CAM, |_| {}), []);
            let public = json!({"embarkationStatus": true});
            assert_eq!(special("publicTransportContainer", public), [Part::PublicTransport]);
            let transport = json!({"specialTransportType": "80", "lightBarSirenInUse": "00"});
            assert_eq!(special("specialTransportContainer", transport), [Part::SpecialTransport]);
            let goods = json!({"dangerousGoodsBasic": "explosives1"});
            assert_eq!(special("dangerousGoodsContainer", goods), [Part::DangerousGoods]);
            let works = json!({"lightBarSirenInUse": "00"});
            assert_eq!(special("roadWorksContainerBasic", works), [Part::RoadWorks]);
            let closed = json!({"lightBarSirenInUse": "00", "closedLanes": {"outerhardShoulderStatus": "closed"}});
            assert_eq!(special("roadWorksContainerBasic", closed), [Part::RoadWorks, Part::ClosedLanes]);
            assert_eq!(special("rescueContainer", json!({"lightBarSirenInUse": "80"})), [Part::Rescue]);
            let emergency = |priority: &str| {
                special("emergencyContainer", json!({"lightBarSirenInUse": "80", "emergencyPriority": priority}))
            };
            assert_eq!(emergency("00"), [Part::Emergency]);
            assert_eq!(emergency("80"), [Part::Emergency, Part::RightOfWay]);
            assert_eq!(emergency("40"), [Part::Emergency, Part::FreeCrossing]);
            let car = |rule: &str, speed: Option<u8>| {
                let mut value = json!({"lightBarSirenInUse": "80", "trafficRule": rule});
                if let Some(speed) = speed {
                    value["speedLimit"] = speed.into();
                }
                special("safetyCarContainer", value)
            };
            assert_eq!(car("noPassing", None), [Part::SafetyCar, Part::NoPassing]);
            assert_eq!(car("passToRight", None), [Part::SafetyCar]);
            assert_eq!(
                car("noPassingForTrucks", Some(80)),
                [Part::SafetyCar, Part::NoPassingForTrucks, Part::SpeedLimit]
            );
            let zone = json!({
                "protectedZoneType": "permanentCenDsrcTolling",
                "protectedZoneLatitude": 1, "protectedZoneLongitude": 2
            });
            let unit = json!({"rsuContainerHighFrequency": {"protectedCommunicationZonesRSU": [zone]}});
            let of_unit = found(schema, CAM, |cam| {
                cam["cam"]["camParameters"]["highFrequencyContainer"] = unit.clone();
            });
            assert_eq!(of_unit, [Part::ProtectedZones]);
        }
    }

    #[test]
    fn the_cause_of_a_denm() {
        for version in ["denm-1.2.0", "denm-1.3.1"] {
            let with = |code: u8| {
                found(["denm-1.3.1", version], DENM, |denm| {
                    denm["denm"]["situation"]["eventType"]["causeCode"] = code.into();
                })
            };
            assert_eq!([with(94), with(3)], [[Part::Cause(94)], [Part::Cause(3)]]);
            let ended = found(["denm-1.3.1", version], DENM, |denm| {
                denm["denm"]["management"]["termination"] = "isCancellation".into();
                denm["denm"] = json!({"management": denm["denm"]["management"]});
            });
            assert_eq!(ended, []);
        }
        let release_2 = |name: &str| {
            found(["denm-2.3.1"; 2], DENM, |denm| {
                denm["denm"]["situation"]["eventType"]["ccAndScc"] = json!({ name: 0 });
            })
        };
        assert_eq!(found(["denm-2.3.1"; 2], DENM, |_| {}), [Part::Cause(94)]);
        assert_eq!(release_2("hazardousLocation-SurfaceCondition9"), [Part::Cause(9)]);
        assert_eq!(release_2("dangerousSituation99"), [Part::Cause(99)]);
    }

    fn octets(hex: &str) -> Vec<u8> {
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap_or(0)).collect()
    }

    /// The CAM of an emergency vehicle.
    fn emergency() -> Vec<u8> {
        let schema = of_name("cam-1.4.1");
        let type_id = schema.find(None).unwrap_or_else(|_| panic!("a type"));
        let text = schema.encode(type_id, Rules::Jer, &read(&schema, Rules::Uper, &octets(CAM)));
        let mut cam: Json = serde_json::from_slice(&text.unwrap_or_default()).unwrap_or_default();
        let container = json!({"emergencyContainer": {"lightBarSirenInUse": "80"}});
        cam["cam"]["camParameters"]["specialVehicleContainer"] = container;
        let value = read(&schema, Rules::Jer, cam.to_string().as_bytes());
        schema.encode(type_id, Rules::Uper, &value).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_contents_of_a_signed_message() {
        let contents = |payload: &[u8]| of_signed(&signed(36, payload), payload);
        let on_port = |port: u16, message: &[u8]| contents(&packet(port, message));
        let (cam, of_cam) = (octets(CAM), Contents::of_application(36).with_message_id(2));
        assert_eq!(contents(&cam), of_cam);
        assert_eq!(contents(&[2, 2, 0]), Contents::not_understood().with_message_id(2), "no message");
        assert_eq!(contents(&[9, 2, 0]), Contents::not_understood(), "no known version");
        assert_eq!(on_port(2001, &cam), of_cam.on_port(2001).in_geonetworking());
        assert_eq!(on_port(2001, &[9, 2, 0]), Contents::not_understood().on_port(2001).in_geonetworking());
        // The messageID is in the message, whatever its port is.
        assert!(on_port(9999, &[2, 2, 0]) != contents(&[2, 2, 0]));
    }

    #[test]
    fn octets_after_a_message_do_not_hide_its_parts() {
        let emergency = emergency();
        let longer = [&emergency[..], &[0]].concat();
        let found = |payload: &[u8]| {
            let contents = of_signed(&signed(36, payload), payload);
            // More than one schema may read the first octets.
            let mut parts = contents.parts().to_vec();
            parts.dedup();
            (parts, contents.is_understood())
        };
        assert_eq!(found(&packet(2001, &emergency)), (vec![Part::Emergency], Some(true)));
        assert_eq!(found(&packet(2001, &longer)), (vec![Part::Emergency], Some(false)));
        assert_eq!(found(&longer), (vec![Part::Emergency], Some(false)), "without a packet around it");
    }

    #[test]
    fn the_message_id_of_a_message_names_an_application() {
        let schema = of_name("cam-1.4.1");
        let type_id = schema.find(None).unwrap_or_else(|_| panic!("a type"));
        let mut message = octets(CAM);
        assert_eq!(message[1], 2);
        message[1] = 1;
        let value = read(&schema, Rules::Uper, &message);
        let contents = Contents::of_message(schema.model(), type_id, &value);
        assert_eq!(contents, Contents::of_application(36).with_message_id(1));
    }
}
