//! Parts of a CAM or a DENM that only signers with a certain bit of service-specific permissions
//! may send.

/// A part of a message that needs a permission: a container or a component of a CAM (EN 302 637-2
/// §6.2.2), or the cause of a DENM (EN 302 637-3 §6.2.2).
///
/// The decoder of the payload says which ones a message has; this crate decodes no payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// `protectedCommunicationZonesRSU` of a road-side unit.
    ProtectedZones,
    /// `publicTransportContainer`.
    PublicTransport,
    /// `specialTransportContainer`.
    SpecialTransport,
    /// `dangerousGoodsContainer`.
    DangerousGoods,
    /// `roadWorksContainerBasic`.
    RoadWorks,
    /// `rescueContainer`.
    Rescue,
    /// `emergencyContainer`.
    Emergency,
    /// `safetyCarContainer`.
    SafetyCar,
    /// `closedLanes` of road works.
    ClosedLanes,
    /// `requestForRightOfWay` in the `emergencyPriority` of an emergency vehicle.
    RightOfWay,
    /// `requestForFreeCrossingAtATrafficLight` in the same.
    FreeCrossing,
    /// The `trafficRule` `noPassing` of a safety car.
    NoPassing,
    /// The `trafficRule` `noPassingForTrucks` of a safety car.
    NoPassingForTrucks,
    /// `speedLimit` of a safety car.
    SpeedLimit,
    /// The cause code of a DENM's `eventType` (TS 102 894-2 V1.3.1, `CauseCodeType`).
    Cause(u8),
}

/// Cause codes, in the order of their bits. Others have none.
const CAUSES: [u8; 24] = [1, 2, 3, 6, 9, 10, 11, 12, 14, 15, 17, 18, 19, 26, 27, 91, 92, 93, 94, 95, 96, 97, 98, 99];
/// The version of service-specific permissions whose bits are known.
const VERSION: u8 = 1;

impl Part {
    /// The ITS-AID of the messages that have it: 36 of CAM, 37 of DENM.
    #[must_use]
    pub fn application(self) -> u64 {
        if let Part::Cause(_) = self { 37 } else { 36 }
    }

    /// Which bit allows it, after the octet of the version, the first one being 0; `None` for a
    /// cause without one.
    fn bit(self) -> Option<usize> {
        Some(match self {
            Part::ProtectedZones => 0,
            Part::PublicTransport => 1,
            Part::SpecialTransport => 2,
            Part::DangerousGoods => 3,
            Part::RoadWorks => 4,
            Part::Rescue => 5,
            Part::Emergency => 6,
            Part::SafetyCar => 7,
            Part::ClosedLanes => 8,
            Part::RightOfWay => 9,
            Part::FreeCrossing => 10,
            Part::NoPassing => 11,
            Part::NoPassingForTrucks => 12,
            Part::SpeedLimit => 13,
            Part::Cause(code) => CAUSES.iter().position(|one| *one == code)?,
        })
    }

    /// Whether a sender with these service-specific permissions for this application may send it.
    /// Absent octets have no bits set, and permissions for another application allow nothing.
    /// `None` where no bit is known: of causes without a bit, and in permissions whose version is
    /// not 1.
    #[must_use]
    pub fn is_allowed(self, application: u64, permissions: &[u8]) -> Option<bool> {
        match self.allowance(application, permissions) {
            Allowance::Allowed => Some(true),
            Allowance::Forbidden => Some(false),
            Allowance::NoBit | Allowance::UnknownVersion => None,
        }
    }

    /// The same, with the reason why it is not known.
    pub(crate) fn allowance(self, application: u64, permissions: &[u8]) -> Allowance {
        if application != self.application() {
            return Allowance::Forbidden;
        }
        let Some(bit) = self.bit() else { return Allowance::NoBit };
        let Some((version, octets)) = permissions.split_first() else { return Allowance::Forbidden };
        match octets.get(bit / 8).is_some_and(|octet| octet << (bit % 8) & 0x80 != 0) {
            _ if *version != VERSION => Allowance::UnknownVersion,
            true => Allowance::Allowed,
            false => Allowance::Forbidden,
        }
    }
}

/// Whether a sender may send a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Allowance {
    Allowed,
    Forbidden,
    /// A cause that needs no bit that is known.
    NoBit,
    /// The permissions are of a version whose bits are not known.
    UnknownVersion,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_has_its_bit() {
        let of_cam = [
            (Part::ProtectedZones, [0x80, 0]),
            (Part::PublicTransport, [0x40, 0]),
            (Part::SpecialTransport, [0x20, 0]),
            (Part::DangerousGoods, [0x10, 0]),
            (Part::RoadWorks, [8, 0]),
            (Part::Rescue, [4, 0]),
            (Part::Emergency, [2, 0]),
            (Part::SafetyCar, [1, 0]),
            (Part::ClosedLanes, [0, 0x80]),
            (Part::RightOfWay, [0, 0x40]),
            (Part::FreeCrossing, [0, 0x20]),
            (Part::NoPassing, [0, 0x10]),
            (Part::NoPassingForTrucks, [0, 8]),
            (Part::SpeedLimit, [0, 4]),
        ];
        for (part, [first, second]) in of_cam {
            assert_eq!(part.is_allowed(36, &[1, first, second]), Some(true), "{part:?}");
            assert_eq!(part.is_allowed(36, &[1, !first, !second]), Some(false), "{part:?}");
            assert_eq!([0, 2].map(|version| part.is_allowed(36, &[version, first, second])), [None; 2], "{part:?}");
            assert_eq!([part.is_allowed(36, &[]), part.is_allowed(36, &[1])], [Some(false); 2], "{part:?}");
            assert_eq!(part.is_allowed(37, &[1, 0xff, 0xff, 0xff]), Some(false), "{part:?}");
        }
        // Roadworks, obstacles, wrong-way driving, stationary and emergency vehicles, dangerous
        // situations.
        let causes = [(3, 2), (10, 5), (14, 8), (94, 18), (95, 19), (99, 23)];
        for (code, bit) in causes {
            let mask = (0x80_0000u32 >> bit).to_be_bytes();
            let with = [1, mask[1], mask[2], mask[3]];
            let without = [1, !mask[1], !mask[2], !mask[3]];
            assert_eq!(Part::Cause(code).is_allowed(37, &with), Some(true), "{code}");
            assert_eq!(Part::Cause(code).is_allowed(37, &without), Some(false), "{code}");
            assert_eq!(Part::Cause(code).is_allowed(36, &[1, 0xff, 0xff, 0xff]), Some(false), "{code}");
        }
        // Impassability and aquaplaning.
        assert_eq!([5, 7].map(|code| Part::Cause(code).is_allowed(37, &[1, 0, 0, 0])), [None, None]);
    }
}
