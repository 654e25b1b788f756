//! The payload of a signed message, as its decoder read it, compared with the application that the
//! message is signed for.

mod message;

use roadwire_model::{Model, TypeId};
use roadwire_wire::Data;

use crate::part::Allowance;
use crate::{Part, Violation};

/// An application of messages that this crate knows: its ITS-AID (PSID, ETSI TS 102 965), its
/// messages' type, their `messageID` in the ITS PDU header (TS 102 894-2), and their BTP port (TS
/// 103 248).
struct Application {
    aid: u64,
    type_name: &'static str,
    message_id: u8,
    port: u16,
}

const APPLICATIONS: [Application; 10] = [
    Application { aid: 36, type_name: "CAM", message_id: 2, port: 2001 },
    Application { aid: 37, type_name: "DENM", message_id: 1, port: 2002 },
    Application { aid: 137, type_name: "SPATEM", message_id: 4, port: 2004 },
    Application { aid: 138, type_name: "MAPEM", message_id: 5, port: 2003 },
    Application { aid: 139, type_name: "IVIM", message_id: 6, port: 2006 },
    Application { aid: 140, type_name: "SREM", message_id: 9, port: 2007 },
    Application { aid: 637, type_name: "SSEM", message_id: 10, port: 2008 },
    Application { aid: 638, type_name: "VAM", message_id: 16, port: 2018 },
    Application { aid: 639, type_name: "CollectivePerceptionMessage", message_id: 14, port: 2009 },
    Application { aid: 540_802, type_name: "RTCMEM", message_id: 13, port: 2013 },
];

/// The ITS-AID (PSID) of messages of a type, by the type's own name, such as `CAM`; nothing for
/// others.
#[must_use]
pub fn application_of_type(type_name: &str) -> Option<u64> {
    APPLICATIONS.iter().find(|one| one.type_name == type_name).map(|one| one.aid)
}

/// Messages of the first application that are sent under the second one as well: an SSEM under the
/// ITS-AID of SREM, which a recorded traffic light does.
const ALSO: [(u64, u64); 1] = [(637, 140)];

/// The applications of which messages have parts that need a permission: CAM and DENM.
const WITH_PARTS: [u64; 2] = [36, 37];

/// The payload of a signed message, as the receiver's decoder read it: which messages it is, and
/// which of its parts need a permission.
///
/// ```
/// use roadwire_security::{Contents, Part};
///
/// // The decoder took the octets of BTP port 2001 for a CAM that has an emergency container.
/// let contents = Contents::of_application(36).with_part(Part::Emergency).on_port(2001).in_geonetworking();
/// assert_eq!(contents.parts(), [Part::Emergency]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    state: State,
    /// The ITS-AIDs that its port, its type and its `messageID` stand for.
    applications: Vec<u64>,
    parts: Vec<Part>,
    is_in_geonetworking: bool,
    /// The PSID of the header of a WAVE short message.
    short_message: Option<u64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Unread,
    NotUnderstood,
    Understood,
}

impl Contents {
    /// A payload that is not decoded. Its parts, and which message it is, are not checked.
    #[must_use]
    pub fn unread() -> Contents {
        Contents::default()
    }

    /// A payload that the receiver's decoder does not take, or not as a whole.
    #[must_use]
    pub fn not_understood() -> Contents {
        Contents { state: State::NotUnderstood, ..Contents::default() }
    }

    /// A whole message of the application with this ITS-AID.
    #[must_use]
    pub fn of_application(aid: u64) -> Contents {
        Contents { state: State::Understood, applications: vec![aid], ..Contents::default() }
    }

    /// A whole message of this type. The type's name and the `messageID` of the ITS PDU header name
    /// the application; components of CAM and DENM, by name, are the parts.
    #[must_use]
    pub fn of_message(model: &Model, type_id: TypeId, message: &dyn Data) -> Contents {
        message::contents(model, type_id, message)
    }

    /// With a part that needs a permission.
    #[must_use]
    pub fn with_part(mut self, part: Part) -> Contents {
        self.parts.push(part);
        self
    }

    /// Sent to this BTP port. A port that stands for no known application names none.
    #[must_use]
    pub fn on_port(self, port: u16) -> Contents {
        self.claims(|one| one.port == port)
    }

    /// With this `messageID` in its ITS PDU header. A number that stands for no known application
    /// names none.
    #[must_use]
    pub fn with_message_id(self, number: u8) -> Contents {
        self.claims(|one| one.message_id == number)
    }

    /// In a GeoNetworking packet, in which the profile of TS 103 097 counts whatever the
    /// application is.
    #[must_use]
    pub fn in_geonetworking(self) -> Contents {
        Contents { is_in_geonetworking: true, ..self }
    }

    /// In a WAVE short message (IEEE 1609.3) whose header has this PSID, which must be that of the
    /// envelope.
    #[must_use]
    pub fn in_short_message(self, psid: u64) -> Contents {
        Contents { short_message: Some(psid), ..self }
    }

    /// Octets follow the message: a decoder may act on the message, or refuse all of it. So its
    /// parts count, and the payload is not understood.
    #[must_use]
    pub fn followed_by_octets(self) -> Contents {
        Contents { state: State::NotUnderstood, ..self }
    }

    /// The same payload as another decoder reads it: the parts and applications of both count.
    #[must_use]
    pub fn and(mut self, other: Contents) -> Contents {
        self.applications.extend(other.applications);
        self.parts.extend(other.parts);
        self
    }

    /// The parts that need a permission.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Whether a decoder took the payload as a whole. Nothing if no decoder read it.
    #[must_use]
    pub fn is_understood(&self) -> Option<bool> {
        match self.state {
            State::Unread => None,
            State::NotUnderstood => Some(false),
            State::Understood => Some(true),
        }
    }

    /// Whether it is in a GeoNetworking packet.
    #[must_use]
    pub fn is_in_geonetworking(&self) -> bool {
        self.is_in_geonetworking
    }

    /// The rules that the payload breaks under this application and the signer's service-specific
    /// permissions for it. Nothing stands for permissions in a form that is not known.
    pub(crate) fn violations(&self, application: u64, permissions: Option<&[u8]>) -> Vec<Violation> {
        let mut found = Vec::new();
        let is_sent = |claimed: &u64| *claimed == application || ALSO.contains(&(*claimed, application));
        let is_of_header = self.short_message.is_none_or(|psid| psid == application);
        if !is_of_header || !self.applications.iter().all(is_sent) {
            found.push(Violation::Application);
        }
        let has_parts = WITH_PARTS.contains(&application);
        let is_of_application = self.applications.contains(&application);
        let is_understood = self.state == State::Unread || (self.state == State::Understood && is_of_application);
        if has_parts && !is_understood && found.is_empty() {
            found.push(Violation::NotUnderstood);
        }
        let allowed = |part: &Part| match permissions {
            Some(permissions) => part.allowance(application, permissions),
            None => Allowance::UnknownVersion,
        };
        let all: Vec<_> = self.parts.iter().map(allowed).collect();
        if all.contains(&Allowance::Forbidden) {
            found.push(Violation::Part);
        }
        if all.contains(&Allowance::UnknownVersion) {
            found.push(Violation::PermissionsVersion);
        }
        found
    }

    fn claims(mut self, is_it: impl Fn(&Application) -> bool) -> Contents {
        let claimed = APPLICATIONS.iter().find(|one| is_it(one)).map(|one| one.aid);
        self.applications.extend(claimed);
        self
    }
}
