
extern crate alloc;
#[allow(unused_imports)]
use alloc::{boxed::Box, string::String, vec::Vec};
use roadwire_wire as wire;

/// `report.Gear`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Gear {
    /// `neutral` (0)
    #[default]
    Neutral,
    /// `forward` (1)
    Forward,
    /// An item that this version of the module does not know: the number of root items plus its index, or, from rules that carry numbers, 2^31 and more with its number (`number_of_unknown_item`).
    UnknownAddition(u32),
}

wire::elements!(Gear);

impl wire::Data for Gear {
    fn scalar(&self) -> wire::Scalar<'_> {
        wire::Scalar::Enumerated(match *self {
            Gear::Neutral => 0,
            Gear::Forward => 1,
            Gear::UnknownAddition(ordinal) => ordinal,
        })
    }
    fn set(&mut self, scalar: wire::Scalar<'_>) -> bool {
        let wire::Scalar::Enumerated(ordinal) = scalar else { return false };
        *self = match ordinal {
            0 => Gear::Neutral,
            1 => Gear::Forward,
            _ => Gear::UnknownAddition(ordinal),
        };
        true
    }
}

/// A type without a name of its own.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)]
#[repr(u8)]
pub enum ReportSource {
    /// `none`
    None(()),
    /// `station`
    Station(u32),
}

impl Default for ReportSource {
    #[inline]
    fn default() -> Self {
        ReportSource::None(Default::default())
    }
}

wire::elements!(ReportSource);

impl wire::Data for ReportSource {
    fn alternative(&self) -> Option<(usize, &dyn wire::Data)> {
        Some(match self {
            ReportSource::None(content) => (0, content),
            ReportSource::Station(content) => (1, content),
        })
    }
    fn choose(&mut self, index: usize) -> Option<&mut dyn wire::Data> {
        match index {
            0 => {
                *self = ReportSource::None(Default::default());
            }
            1 => {
                *self = ReportSource::Station(Default::default());
            }
            _ => return None,
        }
        Some(match self {
            ReportSource::None(content) => content,
            ReportSource::Station(content) => content,
        })
    }
    wire::alternatives!(3, None 1..2, Station 2..3);
}

/// `report.Report`
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// `speed`
    pub speed: u16,
    /// `gear`
    pub gear: Gear,
    /// `digest`
    pub digest: [u8; 4],
    /// `name`
    pub name: wire::OctetString,
    /// `points`
    pub points: Vec<u32>,
    /// `source`
    pub source: ReportSource,
}

impl Default for Report {
    #[inline]
    fn default() -> Self {
        Report {
            speed: Default::default(),
            gear: Default::default(),
            digest: [0; 4],
            name: Default::default(),
            points: Default::default(),
            source: Default::default(),
        }
    }
}

wire::elements!(Report);

impl wire::Data for Report {
    fn component(&self, index: usize) -> Option<&dyn wire::Data> {
        Some(match index {
            0 => &self.speed,
            1 => &self.gear,
            2 => &self.digest,
            3 => &self.name,
            4 => &self.points,
            5 => &self.source,
            _ => return None,
        })
    }
    fn component_mut(&mut self, index: usize) -> Option<&mut dyn wire::Data> {
        Some(match index {
            0 => &mut self.speed,
            1 => &mut self.gear,
            2 => &mut self.digest,
            3 => &mut self.name,
            4 => &mut self.points,
            5 => &mut self.source,
            _ => return None,
        })
    }
    fn begin(&mut self, shape: wire::Shape) -> bool {
        shape == wire::Shape::Record(6)
    }
    wire::parts!(10, speed = 1..2, gear = 2..3, digest = 3..4, name = 4..5, points = 5..7, source = 7..10);
}
