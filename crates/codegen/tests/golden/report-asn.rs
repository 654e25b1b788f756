
use roadwire_wire as wire;

/// A type without a name of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ReportGear {
    /// `neutral` (0)
    #[default]
    Neutral,
    /// `forward` (1)
    Forward,
    /// `reverse` (2)
    Reverse,
    /// An item that this version of the module does not know: the number of root items plus its index, or, from rules that carry numbers, 2^31 and more with its number (`number_of_unknown_item`).
    UnknownAddition(u32),
}

wire::elements!(ReportGear);

impl wire::Data for ReportGear {
    fn scalar(&self) -> wire::Scalar<'_> {
        wire::Scalar::Enumerated(match *self {
            ReportGear::Neutral => 0,
            ReportGear::Forward => 1,
            ReportGear::Reverse => 2,
            ReportGear::UnknownAddition(ordinal) => ordinal,
        })
    }
    fn set(&mut self, scalar: wire::Scalar<'_>) -> bool {
        let wire::Scalar::Enumerated(ordinal) = scalar else { return false };
        *self = match ordinal {
            0 => ReportGear::Neutral,
            1 => ReportGear::Forward,
            2 => ReportGear::Reverse,
            _ => ReportGear::UnknownAddition(ordinal),
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
    /// An alternative that this version of the module does not know.
    UnknownAddition(wire::Unknown),
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
            ReportSource::UnknownAddition(_) => return None,
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
            ReportSource::UnknownAddition(_) => return None,
        })
    }
    fn unknown(&self) -> &[wire::Unknown] {
        match self {
            ReportSource::UnknownAddition(unknown) => core::slice::from_ref(unknown),
            _ => &[],
        }
    }
    fn keep(&mut self, unknown: wire::Unknown) -> bool {
        *self = ReportSource::UnknownAddition(unknown);
        true
    }
    wire::alternatives!(3, None 1..2, Station 2..3; UnknownAddition);
}

/// `Golden.Report`
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// `speed`
    pub speed: u16,
    /// `stopped`
    pub stopped: bool,
    /// `gear`
    pub gear: Option<ReportGear>,
    /// `plate`
    pub plate: wire::Text<8>,
    /// `digest`
    pub digest: [u8; 4],
    /// `points`
    pub points: wire::List<i8, 4>,
    /// `source`
    pub source: ReportSource,
}

impl Default for Report {
    #[inline]
    fn default() -> Self {
        Report {
            speed: Default::default(),
            stopped: Default::default(),
            gear: None,
            plate: Default::default(),
            digest: [0; 4],
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
            1 => &self.stopped,
            2 => self.gear.as_ref()?,
            3 => &self.plate,
            4 => &self.digest,
            5 => &self.points,
            6 => &self.source,
            _ => return None,
        })
    }
    fn component_mut(&mut self, index: usize) -> Option<&mut dyn wire::Data> {
        Some(match index {
            0 => &mut self.speed,
            1 => &mut self.stopped,
            2 => self.gear.get_or_insert_default(),
            3 => &mut self.plate,
            4 => &mut self.digest,
            5 => &mut self.points,
            6 => &mut self.source,
            _ => return None,
        })
    }
    fn begin(&mut self, shape: wire::Shape) -> bool {
        self.gear = None;
        shape == wire::Shape::Record(7)
    }
    wire::parts!(11, speed = 1..2, stopped = 2..3, gear ? 3..4, plate = 4..5, digest = 5..6, points = 6..8, source = 8..11);
}
