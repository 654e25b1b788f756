
extern crate alloc;
#[allow(unused_imports)]
use alloc::{boxed::Box, string::String, vec::Vec};
use roadwire_wire as wire;

/// `Borrowed.Receiver`
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)]
#[repr(u8)]
pub enum Receiver<'a> {
    /// `digest`
    Digest([u8; 3]),
    /// `names`
    Names(wire::ExtensibleList<wire::LentText<'a>, 2>),
}

impl Default for Receiver<'_> {
    #[inline]
    fn default() -> Self {
        Receiver::Digest([0; 3])
    }
}

wire::elements!(Receiver<'_>);

impl wire::Data for Receiver<'_> {
    fn alternative(&self) -> Option<(usize, &dyn wire::Data)> {
        Some(match self {
            Receiver::Digest(content) => (0, content),
            Receiver::Names(content) => (1, content),
        })
    }
    fn choose(&mut self, index: usize) -> Option<&mut dyn wire::Data> {
        match index {
            0 => {
                *self = Receiver::Digest([0; 3]);
            }
            1 => {
                *self = Receiver::Names(Default::default());
            }
            _ => return None,
        }
        Some(match self {
            Receiver::Digest(content) => content,
            Receiver::Names(content) => content,
        })
    }
    wire::alternatives!(4, Digest 1..2, Names 2..4);
}

/// `Borrowed.Letter`
#[derive(Clone, Debug, PartialEq)]
pub struct Letter<'a> {
    /// `id`
    pub id: [u8; 8],
    /// `to`
    pub to: Receiver<'a>,
    /// `stamp`
    pub stamp: Option<u16>,
    /// `content`
    pub content: wire::LentOctets<'a>,
    /// Extension additions that this version of the module does not know.
    pub unknown: wire::Additions,
}

impl Default for Letter<'_> {
    #[inline]
    fn default() -> Self {
        Letter {
            id: [0; 8],
            to: Default::default(),
            stamp: None,
            content: Default::default(),
            unknown: wire::Additions::new(),
        }
    }
}

wire::elements!(Letter<'_>);

impl wire::Data for Letter<'_> {
    fn component(&self, index: usize) -> Option<&dyn wire::Data> {
        Some(match index {
            0 => &self.id,
            1 => &self.to,
            2 => self.stamp.as_ref()?,
            3 => &self.content,
            _ => return None,
        })
    }
    fn component_mut(&mut self, index: usize) -> Option<&mut dyn wire::Data> {
        Some(match index {
            0 => &mut self.id,
            1 => &mut self.to,
            2 => self.stamp.get_or_insert_default(),
            3 => &mut self.content,
            _ => return None,
        })
    }
    fn begin(&mut self, shape: wire::Shape) -> bool {
        self.stamp = None;
        self.unknown = wire::Additions::new();
        shape == wire::Shape::Record(4)
    }
    fn unknown(&self) -> &[wire::Unknown] {
        self.unknown.as_slice()
    }
    fn keep(&mut self, unknown: wire::Unknown) -> bool {
        self.unknown.push(unknown);
        true
    }
    wire::parts!(8, id = 1..2, to = 2..6, stamp ? 6..7, content = 7..8);
}
