
use roadwire_wire as wire;

/// A type without a name of its own.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)]
#[repr(u8)]
pub enum TrackSource {
    /// `none`
    None(()),
    /// `name`
    Name(wire::Text<4>),
    /// An alternative that this version of the module does not know.
    UnknownAddition(wire::Unknown),
}

impl Default for TrackSource {
    #[inline]
    fn default() -> Self {
        TrackSource::None(Default::default())
    }
}

wire::elements!(TrackSource);

impl wire::Data for TrackSource {
    fn alternative(&self) -> Option<(usize, &dyn wire::Data)> {
        Some(match self {
            TrackSource::None(content) => (0, content),
            TrackSource::Name(content) => (1, content),
            TrackSource::UnknownAddition(_) => return None,
        })
    }
    fn choose(&mut self, index: usize) -> Option<&mut dyn wire::Data> {
        match index {
            0 => {
                *self = TrackSource::None(Default::default());
            }
            1 => {
                *self = TrackSource::Name(Default::default());
            }
            _ => return None,
        }
        Some(match self {
            TrackSource::None(content) => content,
            TrackSource::Name(content) => content,
            TrackSource::UnknownAddition(_) => return None,
        })
    }
    fn unknown(&self) -> &[wire::Unknown] {
        match self {
            TrackSource::UnknownAddition(unknown) => core::slice::from_ref(unknown),
            _ => &[],
        }
    }
    fn keep(&mut self, unknown: wire::Unknown) -> bool {
        *self = TrackSource::UnknownAddition(unknown);
        true
    }
    wire::alternatives!(3, None 1..2, Name 2..3; UnknownAddition);
}

/// `Path.Track`
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// `points`
    pub points: wire::List<u16, 5>,
    /// `source`
    pub source: TrackSource,
}

impl Default for Track {
    #[inline]
    fn default() -> Self {
        Track {
            points: Default::default(),
            source: Default::default(),
        }
    }
}

wire::elements!(Track);

impl wire::Data for Track {
    fn component(&self, index: usize) -> Option<&dyn wire::Data> {
        Some(match index {
            0 => &self.points,
            1 => &self.source,
            _ => return None,
        })
    }
    fn component_mut(&mut self, index: usize) -> Option<&mut dyn wire::Data> {
        Some(match index {
            0 => &mut self.points,
            1 => &mut self.source,
            _ => return None,
        })
    }
    fn begin(&mut self, shape: wire::Shape) -> bool {
        shape == wire::Shape::Record(2)
    }
    wire::parts!(6, points = 1..3, source = 3..6);
}
