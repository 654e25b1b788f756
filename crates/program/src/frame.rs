//! Where the parts of a value lie on a tape: a frame of words for each type.
//!
//! A leaf takes one word, NULL none. A record has a word of presence bits if a component may be
//! absent or it is extensible, and then its components in textual order: inside the frame, or, if
//! they may be absent and take more than a word, elsewhere; the word then says where. A CHOICE has
//! two words: its alternative, and that one's value or where it is. A list has one: where its
//! elements are, whose frames follow each other, and how many there are. Frames do not depend on
//! the encoding rules.

use std::collections::HashMap;

use roadwire_model::{Field, Kind, Model, Presence, TypeId, Value};

/// The index of a frame among those of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FrameId(pub(crate) u32);

/// The frames of a type and of its parts.
#[derive(Clone, Debug)]
pub struct Frames {
    frames: Vec<Frame>,
    pub(crate) root: FrameId,
    /// The DEFAULT values that are one word: by record and component, ascending.
    defaults: Vec<((FrameId, u32), u64)>,
    #[cfg(feature = "columns")]
    pub(crate) plan: crate::append::Plan,
}

/// The frame of one type.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) form: Form,
    /// How many words it takes.
    pub(crate) words: u32,
    /// Whether it has a place for additions that the type does not know.
    pub(crate) is_extensible: bool,
    /// How many parts of a value it has, for the limit of memory: a dynamic value has more for a
    /// part than a tape.
    pub(crate) places: u32,
}

/// The form of a value on the tape.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Null,
    Boolean,
    /// An integer of up to 64 bits with sign.
    Integer,
    /// One that is never negative, of up to 64 bits without sign.
    Unsigned,
    /// By ordinal.
    Enumerated,
    /// Its bits.
    Real,
    /// A span of octets, and how many bits.
    Bits,
    Octets,
    Text,
    Record(Vec<Slot>),
    /// The types of the alternatives, in textual order.
    Choice(Vec<Slot>),
    List(FrameId),
}

/// The place of a component, or of an alternative's value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) frame: FrameId,
    /// The word in the enclosing frame.
    pub(crate) at: u32,
    /// The presence bit, if it may be absent.
    pub(crate) bit: Option<u8>,
    /// Whether the word says where the frame is.
    pub(crate) is_outside: bool,
}

/// The word of an absent component that has a word of its own, and of values that are not set.
pub(crate) const UNSET: u64 = 0;

/// How many components of a type may be absent; the bits above are for other purposes.
const MOST_BITS: u8 = 60;

/// The presence bit that says that there are unknown additions.
pub(crate) const UNKNOWN: u64 = 1 << 63;

/// A frame of more words is not inside another one: types that contain each other many times would
/// take any number of words.
const MOST_INSIDE: u32 = 256;

impl Frames {
    /// The frames of a type; `None` if it has a part that tapes do not have: an open type, a string
    /// that contains a value, a time, an object identifier, an integer beyond 64 bits, more than 60
    /// optional components, or itself.
    #[must_use]
    pub fn new(model: &Model, id: TypeId) -> Option<Frames> {
        let mut builder = Builder { model, frames: Vec::new(), known: HashMap::new(), defaults: Vec::new() };
        let root = builder.frame(id)?;
        let word = |(frame, index, value): &(FrameId, usize, Value)| {
            Some(((*frame, u32::try_from(*index).ok()?), word_of(value)?))
        };
        Some(Frames {
            defaults: builder.defaults.iter().filter_map(word).collect(),
            #[cfg(feature = "columns")]
            plan: crate::append::Plan::new(builder.defaults),
            frames: builder.frames,
            root,
        })
    }

    pub(crate) fn get(&self, id: FrameId) -> &Frame {
        &self.frames[id.0 as usize]
    }

    pub(crate) fn words(&self, id: FrameId) -> u32 {
        self.get(id).words
    }

    /// The word of a component's DEFAULT, if it is one word.
    pub(crate) fn default_word(&self, record: FrameId, index: usize) -> Option<u64> {
        let key = (record, u32::try_from(index).ok()?);
        let at = self.defaults.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        Some(self.defaults.get(at)?.1)
    }
}

/// The word of a leaf that has one.
fn word_of(value: &Value) -> Option<u64> {
    match value {
        Value::Boolean(value) => Some((*value).into()),
        Value::Integer(value) => i64::try_from(value.to_i128()?).ok().map(|value| value as u64),
        Value::Enumerated(ordinal) => Some((*ordinal).into()),
        Value::Real(value) => Some(value.to_bits()),
        _ => None,
    }
}

struct Builder<'m> {
    model: &'m Model,
    frames: Vec<Frame>,
    /// `None` while a type's frame is being made.
    known: HashMap<TypeId, Option<FrameId>>,
    /// The DEFAULT values of components, by their record's frame and their index.
    defaults: Vec<(FrameId, usize, Value)>,
}

impl Builder<'_> {
    fn frame(&mut self, id: TypeId) -> Option<FrameId> {
        if let Some(known) = self.known.get(&id) {
            return *known;
        }
        self.known.insert(id, None);
        let frame = self.make(id)?;
        let made = FrameId(u32::try_from(self.frames.len()).ok()?);
        self.frames.push(frame);
        self.known.insert(id, Some(made));
        Some(made)
    }

    fn make(&mut self, id: TypeId) -> Option<Frame> {
        let leaf = |form| Some(Frame { form, words: 1, is_extensible: false, places: 1 });
        match &self.model.get(id).kind {
            Kind::Null => Some(Frame { form: Form::Null, words: 0, is_extensible: false, places: 1 }),
            Kind::Boolean => leaf(Form::Boolean),
            Kind::Integer { range, .. } => leaf(match range.lasting().narrow() {
                (0.., i64::MAX) => Form::Unsigned,
                _ => Form::Integer,
            }),
            Kind::Enumerated(_) => leaf(Form::Enumerated),
            Kind::Real { .. } => leaf(Form::Real),
            Kind::BitString { contains: None, .. } => leaf(Form::Bits),
            Kind::OctetString { contains: None, .. } => leaf(Form::Octets),
            Kind::String { .. } => leaf(Form::Text),
            Kind::SequenceOf { element, .. } => {
                let element = self.frame(*element)?;
                leaf(Form::List(element))
            }
            Kind::Choice { alternatives, extensible } => {
                let slot = |builder: &mut Self, id| {
                    let frame = builder.frame(id)?;
                    let is_outside = builder.frames[frame.0 as usize].words > 1;
                    Some(Slot { frame, at: 1, bit: None, is_outside })
                };
                let slots = alternatives.iter().map(|one| slot(self, one.type_id)).collect::<Option<_>>()?;
                Some(Frame { form: Form::Choice(slots), words: 2, is_extensible: *extensible, places: 2 })
            }
            Kind::Sequence { components, extensible, .. } => {
                let (mut slots, mut bits) = (Vec::new(), Bits::new(components, *extensible));
                let may_lack = *extensible || bits.count > 0;
                let (mut words, mut places) = (u32::from(may_lack), 1u32);
                for component in components {
                    let frame = self.frame(component.type_id)?;
                    let Frame { words: inside, places: parts, .. } = self.frames[frame.0 as usize];
                    let bit = if is_optional(component) { Some(bits.next(component)?) } else { None };
                    let is_outside = inside > if bit.is_some() { 1 } else { MOST_INSIDE };
                    slots.push(Slot { frame, at: words, bit, is_outside });
                    words += if is_outside { 1 } else { inside };
                    places = places.saturating_add(if is_outside { 1 } else { parts });
                }
                let record = FrameId(u32::try_from(self.frames.len()).ok()?);
                for (index, component) in components.iter().enumerate() {
                    if let Presence::Default(value) = &component.presence {
                        self.defaults.push((record, index, value.clone()));
                    }
                }
                Some(Frame { form: Form::Record(slots), words, is_extensible: *extensible, places })
            }
            _ => None,
        }
    }
}

/// Hands out presence bits: the root's, the first one highest; above them one that stays 0, which
/// machines use; and those of additions.
struct Bits {
    count: usize,
    root: u8,
    additions: u8,
}

impl Bits {
    fn new(components: &[roadwire_model::Component], extensible: bool) -> Bits {
        let optional = |component: &&roadwire_model::Component| is_optional(component);
        let root = components.iter().filter(|component| component.field == Field::Root);
        let root = root.filter(optional).count().min(usize::from(u8::MAX));
        let count = components.iter().filter(optional).count();
        Bits { count, root: root as u8, additions: (root as u8).saturating_add(extensible.into()) }
    }

    fn next(&mut self, component: &roadwire_model::Component) -> Option<u8> {
        if self.count > usize::from(MOST_BITS) {
            return None;
        }
        if component.field == Field::Root {
            self.root -= 1;
            return Some(self.root);
        }
        self.additions += 1;
        Some(self.additions - 1)
    }
}

fn is_optional(component: &roadwire_model::Component) -> bool {
    component.presence != Presence::Mandatory || component.field != Field::Root
}
