
use roadwire_wire as wire;

/// A type without a name of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PointQuality {
    /// `good` (0)
    #[default]
    Good,
    /// `poor` (1)
    Poor,
    /// `unknown` (2)
    Unknown,
    /// An item that this version of the module does not know: the number of root items plus its index, or, from rules that carry numbers, 2^31 and more with its number (`number_of_unknown_item`).
    UnknownAddition(u32),
}

wire::elements!(PointQuality);

impl wire::Data for PointQuality {
    fn scalar(&self) -> wire::Scalar<'_> {
        wire::Scalar::Enumerated(match *self {
            PointQuality::Good => 0,
            PointQuality::Poor => 1,
            PointQuality::Unknown => 2,
            PointQuality::UnknownAddition(ordinal) => ordinal,
        })
    }
    fn set(&mut self, scalar: wire::Scalar<'_>) -> bool {
        let wire::Scalar::Enumerated(ordinal) = scalar else { return false };
        *self = match ordinal {
            0 => PointQuality::Good,
            1 => PointQuality::Poor,
            2 => PointQuality::Unknown,
            _ => PointQuality::UnknownAddition(ordinal),
        };
        true
    }
}

/// `Fixed.Lights`: 2 bits, the first one most significant
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lights(pub u8);

impl Lights {
    /// `low` (0)
    pub const LOW: u8 = 1 << 1;
    /// `high` (1)
    pub const HIGH: u8 = 1 << 0;
}

wire::elements!(Lights);

impl wire::Data for Lights {
    fn scalar(&self) -> wire::Scalar<'_> {
        let value = u64::from(self.0);
        wire::Scalar::Word(wire::BitWord { value, bits: if value >> 2 == 0 { 2 } else { 64 } })
    }
    fn set(&mut self, scalar: wire::Scalar<'_>) -> bool {
        match scalar {
            wire::Scalar::Word(wire::BitWord { value, bits: 2 }) => match value.try_into() {
                Ok(value) => {
                    self.0 = value;
                    true
                }
                Err(_) => false,
            },
            _ => false,
        }
    }
}

/// `Fixed.Point`
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// `latitude`
    pub latitude: i32,
    /// `quality`
    pub quality: PointQuality,
    /// `lights`
    pub lights: Lights,
    /// `age`
    pub age: Option<u8>,
}

impl Default for Point {
    #[inline]
    fn default() -> Self {
        Point {
            latitude: Default::default(),
            quality: Default::default(),
            lights: Default::default(),
            age: None,
        }
    }
}

wire::elements!(Point);

impl wire::Data for Point {
    fn component(&self, index: usize) -> Option<&dyn wire::Data> {
        Some(match index {
            0 => &self.latitude,
            1 => &self.quality,
            2 => &self.lights,
            3 => self.age.as_ref()?,
            _ => return None,
        })
    }
    fn component_mut(&mut self, index: usize) -> Option<&mut dyn wire::Data> {
        Some(match index {
            0 => &mut self.latitude,
            1 => &mut self.quality,
            2 => &mut self.lights,
            3 => self.age.get_or_insert_default(),
            _ => return None,
        })
    }
    fn begin(&mut self, shape: wire::Shape) -> bool {
        self.age = None;
        shape == wire::Shape::Record(4)
    }
    wire::parts!(5, latitude = 1..2, quality = 2..3, lights = 3..4, age ? 4..5);
}
