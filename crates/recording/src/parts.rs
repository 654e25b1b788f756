//! Which parts of a CAM or a DENM need a permission.

use std::sync::{LazyLock, Mutex, PoisonError};

use roadwire::TypeId;
use roadwire_capture::Dissection;
use roadwire_model::{Kind, Model};
use roadwire_security::Part;
use roadwire_wire::{BitWord, Data, Scalar};

use crate::recognition::{Candidate, Recognition, Schemas};

/// What stands in front of a secured message of GeoNetworking: a basic header of version 1.
const BASIC_HEADER: [u8; 4] = [0x12, 0, 0x1a, 1];

/// The shipped schemas: read once for all messages of a program, and only those that a message is of.
static SCHEMAS: LazyLock<Mutex<Recognition<'static>>> =
    LazyLock::new(|| Mutex::new(Recognition::new(Box::leak(Box::new(Schemas::new())))));

/// The parts that need a permission in the payload of a signed message, which is a GeoNetworking packet or a CAM or DENM alone: what
/// [`verify_parts`](roadwire_security::Verifier::verify_parts) is asked about. `signed` is all of the message.
#[must_use]
pub fn of_signed(signed: &[u8], payload: &[u8]) -> Vec<Part> {
    let packet = [&BASIC_HEADER, signed].concat();
    let found = Dissection::of_geonetworking(&packet);
    let mut recognition = SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner);
    recognition.forget();
    let place = match found.message() {
        Some(octets) => recognition.place(found.btp.map(|btp| btp.port()), octets),
        None => recognition.place(None, payload),
    };
    let message = place.ok().flatten().and_then(|place| recognition.taken(place));
    message.map_or(Vec::new(), |message| of(message))
}

/// Those of the message that was taken for one of this schema. None of one whose schema cannot be read, which does not happen.
pub(crate) fn of(message: &Candidate<'_>) -> Vec<Part> {
    let Ok((model, type_id)) = message.types() else { return Vec::new() };
    let root = Node { model, type_id, data: message.message() };
    match message.type_name.rsplit('.').next() {
        Some("CAM") => of_cam(root).unwrap_or_default(),
        Some("DENM") => of_denm(root).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn of_cam(root: Node<'_>) -> Option<Vec<Part>> {
    let parameters = root.at(&["cam", "camParameters"])?;
    let mut found = Vec::new();
    let zones = ["highFrequencyContainer", "rsuContainerHighFrequency", "protectedCommunicationZonesRSU"];
    found.extend(parameters.at(&zones).map(|_| Part::ProtectedZones));
    let Some((name, special)) = parameters.at(&["specialVehicleContainer"]).and_then(Node::chosen) else {
        return Some(found);
    };
    match name {
        "publicTransportContainer" => found.push(Part::PublicTransport),
        "specialTransportContainer" => found.push(Part::SpecialTransport),
        "dangerousGoodsContainer" => found.push(Part::DangerousGoods),
        "roadWorksContainerBasic" => {
            found.push(Part::RoadWorks);
            found.extend(special.at(&["closedLanes"]).map(|_| Part::ClosedLanes));
        }
        "rescueContainer" => found.push(Part::Rescue),
        "emergencyContainer" => {
            found.push(Part::Emergency);
            let priority = special.at(&["emergencyPriority"]);
            let has = |bit| priority.is_some_and(|bits| bits.has_bit(bit));
            found.extend(has(0).then_some(Part::RightOfWay));
            found.extend(has(1).then_some(Part::FreeCrossing));
        }
        "safetyCarContainer" => {
            found.push(Part::SafetyCar);
            match special.at(&["trafficRule"]).and_then(Node::item) {
                Some("noPassing") => found.push(Part::NoPassing),
                Some("noPassingForTrucks") => found.push(Part::NoPassingForTrucks),
                _ => {}
            }
            found.extend(special.at(&["speedLimit"]).map(|_| Part::SpeedLimit));
        }
        _ => {}
    }
    Some(found)
}

fn of_denm(root: Node<'_>) -> Option<Part> {
    let cause = root.at(&["denm", "situation", "eventType"])?;
    let code = match cause.at(&["causeCode"]) {
        Some(code) => u8::try_from(code.data.integer()?).ok()?,
        // In release 2 the name of an alternative ends with the code.
        None => {
            let (name, _) = cause.at(&["ccAndScc"])?.chosen()?;
            name.rsplit(|of: char| !of.is_ascii_digit()).next()?.parse().ok()?
        }
    };
    Some(Part::Cause(code))
}

/// A part of a value, and its type.
#[derive(Clone, Copy)]
struct Node<'a> {
    model: &'a Model,
    type_id: TypeId,
    data: &'a dyn Data,
}

impl<'a> Node<'a> {
    /// What is there, by the names of components and alternatives.
    fn at(self, path: &[&str]) -> Option<Node<'a>> {
        path.iter().try_fold(self, |node, name| match &node.model.get(node.type_id).kind {
            Kind::Sequence { components, .. } => {
                let index = components.iter().position(|component| component.name == *name)?;
                Some(Node { type_id: components[index].type_id, data: node.data.component(index)?, ..node })
            }
            Kind::Choice { .. } => node.chosen().filter(|(chosen, _)| chosen == name).map(|(_, inner)| inner),
            _ => None,
        })
    }

    /// The alternative of a CHOICE.
    fn chosen(self) -> Option<(&'a str, Node<'a>)> {
        let Kind::Choice { alternatives, .. } = &self.model.get(self.type_id).kind else { return None };
        let (index, data) = self.data.alternative()?;
        let alternative = alternatives.get(index)?;
        Some((&alternative.name, Node { type_id: alternative.type_id, data, ..self }))
    }

    /// The name of an ENUMERATED's item.
    fn item(self) -> Option<&'a str> {
        match (&self.model.get(self.type_id).kind, self.data.scalar()) {
            (Kind::Enumerated(items), Scalar::Enumerated(ordinal)) => {
                items.all().nth(ordinal as usize).map(|(name, _)| name.as_str())
            }
            _ => None,
        }
    }

    /// Whether a bit string of up to 64 bits has this bit set.
    fn has_bit(self, at: u8) -> bool {
        match self.data.scalar() {
            Scalar::Word(word) => word.get(at),
            Scalar::Bits(octets, bits) => BitWord::from_octets(octets, bits).is_some_and(|word| word.get(at)),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use roadwire::{Rules, Schema};
    use roadwire_model::Value;
    use serde_json::{Value as Json, json};

    use super::*;

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

    /// What a message has that is read as one of a version, changed, and taken for one of another.
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
        let root = Node { model: schema.model(), type_id, data: &value };
        of_cam(root).unwrap_or_else(|| of_denm(root).into_iter().collect())
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
}
