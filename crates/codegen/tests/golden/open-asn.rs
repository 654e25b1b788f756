
extern crate alloc;
#[allow(unused_imports)]
use alloc::{boxed::Box, string::String, vec::Vec};
use roadwire_wire as wire;

/// `Open.Motion`
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// `speed`
    pub speed: u16,
    /// `lane`
    pub lane: Option<u8>,
}

impl Default for Motion {
    #[inline]
    fn default() -> Self {
        Motion {
            speed: Default::default(),
            lane: None,
        }
    }
}

wire::elements!(Motion);

impl wire::Data for Motion {
    fn component(&self, index: usize) -> Option<&dyn wire::Data> {
        Some(match index {
            0 => &self.speed,
            1 => self.lane.as_ref()?,
            _ => return None,
        })
    }
    fn component_mut(&mut self, index: usize) -> Option<&mut dyn wire::Data> {
        Some(match index {
            0 => &mut self.speed,
            1 => self.lane.get_or_insert_default(),
            _ => return None,
        })
    }
    fn begin(&mut self, shape: wire::Shape) -> bool {
        self.lane = None;
        shape == wire::Shape::Record(2)
    }
    wire::parts!(3, speed = 1..2, lane ? 2..3);
}

/// `Open.Height`: 0..127
pub type Height = u8;

/// An open type: a value of the type that `id` selects.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)]
#[repr(u8)]
pub enum WrappedData {
    /// `Motion`, where `id` is 1
    Motion(Motion),
    /// `Height`, where `id` is 2
    Height(Height),
    /// The octets of a content whose type is not in the table, or that comes before what selects its type. They are sent as they are.
    Octets(wire::OctetString),
}

impl Default for WrappedData {
    #[inline]
    fn default() -> Self {
        WrappedData::Octets(Default::default())
    }
}

wire::elements!(WrappedData);

impl wire::Data for WrappedData {
    fn scalar(&self) -> wire::Scalar<'_> {
        match self {
            WrappedData::Octets(octets) => octets.scalar(),
            _ => wire::Scalar::Unset,
        }
    }
    fn alternative(&self) -> Option<(usize, &dyn wire::Data)> {
        Some(match self {
            WrappedData::Motion(content) => (0, content),
            WrappedData::Height(content) => (1, content),
            WrappedData::Octets(_) => return None,
        })
    }
    fn begin(&mut self, shape: wire::Shape) -> bool {
        if shape != wire::Shape::Octets {
            return false;
        }
        *self = WrappedData::default();
        match self {
            WrappedData::Octets(octets) => octets.begin(shape),
            _ => false,
        }
    }
    fn extend_octets(&mut self, count: usize) -> Option<&mut [u8]> {
        match self {
            WrappedData::Octets(octets) => octets.extend_octets(count),
            _ => None,
        }
    }
    fn choose(&mut self, index: usize) -> Option<&mut dyn wire::Data> {
        match index {
            0 => {
                *self = WrappedData::Motion(Default::default());
            }
            1 => {
                *self = WrappedData::Height(Default::default());
            }
            _ => return None,
        }
        Some(match self {
            WrappedData::Motion(content) => content,
            WrappedData::Height(content) => content,
            WrappedData::Octets(_) => return None,
        })
    }
    wire::alternatives!(6, Motion 1..4, Height 4..5, Octets 5..6);
}

/// `Open.Wrapped`
#[derive(Clone, Debug, PartialEq)]
pub struct Wrapped {
    /// `id`
    pub id: i64,
    /// `data`
    pub data: WrappedData,
}

impl Default for Wrapped {
    #[inline]
    fn default() -> Self {
        Wrapped {
            id: Default::default(),
            data: Default::default(),
        }
    }
}

wire::elements!(Wrapped);

impl wire::Data for Wrapped {
    fn component(&self, index: usize) -> Option<&dyn wire::Data> {
        Some(match index {
            0 => &self.id,
            1 => &self.data,
            _ => return None,
        })
    }
    fn component_mut(&mut self, index: usize) -> Option<&mut dyn wire::Data> {
        Some(match index {
            0 => &mut self.id,
            1 => &mut self.data,
            _ => return None,
        })
    }
    fn begin(&mut self, shape: wire::Shape) -> bool {
        shape == wire::Shape::Record(2)
    }
    wire::parts!(8, id = 1..2, data = 2..8);
}
