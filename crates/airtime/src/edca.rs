//! Who may send first: the access categories of IEEE 802.11 outside the context of a basic service
//! set, which EN 302 663 takes over.

use core::fmt;

/// A slot at 10 MHz, in microseconds (IEEE 802.11-2016 Table 17-21).
pub const SLOT_US: u32 = 13;
/// The short interframe space at 10 MHz, in microseconds (IEEE 802.11-2016 Table 17-21).
pub const SIFS_US: u32 = 32;

/// An access category, with the parameters of stations outside the context of a BSS (IEEE
/// 802.11-2016 Table 9-138, aCWmin = 15; EN 302 663 V1.2.1 Annex B).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// AC_VO: DENM of the highest priority.
    Voice,
    /// AC_VI: DENM.
    Video,
    /// AC_BE: CAM.
    BestEffort,
    /// AC_BK: forwarded DENM and the rest.
    Background,
}

impl Access {
    /// All of them, the most urgent first.
    pub const ALL: [Access; 4] = [Access::Voice, Access::Video, Access::BestEffort, Access::Background];

    /// Its name in the standard.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Access::Voice => "AC_VO",
            Access::Video => "AC_VI",
            Access::BestEffort => "AC_BE",
            Access::Background => "AC_BK",
        }
    }

    /// AIFSN: slots of silence behind SIFS, 2 to 9.
    #[must_use]
    pub const fn aifsn(self) -> u32 {
        match self {
            Access::Voice => 2,
            Access::Video => 3,
            Access::BestEffort => 6,
            Access::Background => 9,
        }
    }

    /// CWmin: the backoff is 0 to this many slots. A broadcast is never repeated, so the window
    /// never grows.
    #[must_use]
    pub const fn contention_window(self) -> u32 {
        match self {
            Access::Voice => 3,
            Access::Video => 7,
            Access::BestEffort | Access::Background => 15,
        }
    }

    /// AIFS, in microseconds: `SIFS + AIFSN * slot` (IEEE 802.11-2016 §10.3.2.3.6).
    #[must_use]
    pub const fn aifs_us(self) -> u32 {
        SIFS_US + self.aifsn() * SLOT_US
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
