//! Which application a decoded message belongs to, and which of its parts need a permission: read
//! by the names of types and components.

use roadwire_model::{Kind, Model, TypeId};
use roadwire_wire::{BitWord, Data, Scalar};

use super::{Contents, application_of_type};
use crate::Part;

pub(super) fn contents(model: &Model, type_id: TypeId, message: &dyn Data) -> Contents {
    let root = Node { model, type_id, data: message };
    let names = model.definitions.iter().filter(|(_, known)| **known == type_id).map(|(name, _)| name.name.as_str());
    let Some(aid) = names.filter_map(application_of_type).next() else { return Contents::not_understood() };
    let mut contents = Contents::of_application(aid);
    contents.parts = match aid {
        36 => of_cam(root).unwrap_or_default(),
        37 => of_denm(root).into_iter().collect(),
        _ => Vec::new(),
    };
    let number = ["messageID", "messageId"].into_iter().find_map(|name| root.at(&["header", name])?.data.integer());
    match number.and_then(|number| u8::try_from(number).ok()) {
        Some(number) => contents.with_message_id(number),
        None => contents,
    }
}

/// EN 302 637-2 §6.2.2.
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

/// EN 302 637-3 §6.2.2.
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
    /// The part at the end of a path of components and alternatives, if it is present.
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
