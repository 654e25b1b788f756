//! Where the parts of a value lie on a tape: a frame of words for each type.
//!
//! A leaf takes one word, NULL none. A record has a word of presence bits if a component may be
//! absent or it is extensible, and then its components in textual order: inside the frame, or, if
//! they may be absent and take more than a word, elsewhere; the word then says where. A CHOICE has
//! two words: its alternative, and that one's value or where it is. An open type and a string with
//! contents are the same, and have one alternative more: the octets. A list has one word: where its
//! elements are, whose frames follow each other, and how many there are. A part of a type that
//! contains itself is always elsewhere. Frames do not depend on the encoding rules.

use std::collections::HashMap;

use roadwire_model::{Component, Field, Kind, Model, Presence, TypeId, Value};

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
    /// Whether the type contains itself.
    pub(crate) is_recursive: bool,
}

impl Frame {
    /// One of so many words, of a type that is not extensible and does not contain itself.
    fn of(form: Form, words: u32) -> Frame {
        Frame { form, words, is_extensible: false, places: words.max(1), is_recursive: false }
    }
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
    /// The contents octets of an object identifier.
    Oid,
    Record(Vec<Slot>),
    /// The types of the alternatives, in textual order.
    Choice(Vec<Slot>),
    /// An open type, by the rows of its table, or a string by the type that it contains; behind
    /// them the octets of a content that is not known.
    Opaque(Opaque),
    List(FrameId),
}

/// The types that may be in an open type, or in a string with contents.
#[derive(Clone, Debug)]
pub(crate) struct Opaque {
    pub(crate) slots: Vec<Slot>,
    /// Whether an unknown content is a span of bits.
    pub(crate) is_bits: bool,
}

impl Opaque {
    /// The form of an unknown content, whose word is [`Opaque::AT`].
    pub(crate) fn octets(&self) -> &'static Form {
        if self.is_bits { &Form::Bits } else { &Form::Octets }
    }

    /// The word of the content in its frame.
    pub(crate) const AT: usize = 1;
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
    /// The frames of a type; `None` if it has a part that tapes do not have: an EXTERNAL, an
    /// integer beyond 64 bits, or more than 60 optional components.
    #[must_use]
    pub fn new(model: &Model, id: TypeId) -> Option<Frames> {
        let mut builder = Builder { model, frames: Vec::new(), known: HashMap::new(), defaults: Vec::new() };
        let root = builder.frame(id)?;
        builder.defaults.sort_by_key(|(frame, index, _)| (*frame, *index));
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
    known: HashMap<TypeId, FrameId>,
    /// The DEFAULT values of components, by their record's frame and their index.
    defaults: Vec<(FrameId, usize, Value)>,
}

impl Builder<'_> {
    /// A frame that is being made has more words than any that is inside another.
    const UNDERWAY: u32 = u32::MAX;

    fn frame(&mut self, id: TypeId) -> Option<FrameId> {
        if let Some(known) = self.known.get(&id) {
            let frame = self.frames.get_mut(known.0 as usize)?;
            frame.is_recursive |= frame.words == Self::UNDERWAY;
            return Some(*known);
        }
        let place = FrameId(u32::try_from(self.frames.len()).ok()?);
        self.frames.push(Frame { words: Self::UNDERWAY, ..Frame::of(Form::Null, 0) });
        self.known.insert(id, place);
        let made = self.make(id, place)?;
        let frame = self.frames.get_mut(place.0 as usize)?;
        *frame = Frame { is_recursive: frame.is_recursive, ..made };
        Some(place)
    }

    fn make(&mut self, id: TypeId, place: FrameId) -> Option<Frame> {
        let leaf = |form| Some(Frame::of(form, 1));
        match &self.model.get(id).kind {
            Kind::Null => Some(Frame::of(Form::Null, 0)),
            Kind::Boolean => leaf(Form::Boolean),
            Kind::Integer { range, .. } => leaf(match range.lasting().narrow() {
                (0.., i64::MAX) => Form::Unsigned,
                _ => Form::Integer,
            }),
            Kind::Enumerated(_) => leaf(Form::Enumerated),
            Kind::Real { .. } => leaf(Form::Real),
            Kind::BitString { contains: None, .. } => leaf(Form::Bits),
            Kind::OctetString { contains: None, .. } => leaf(Form::Octets),
            Kind::String { .. } | Kind::Time { .. } | Kind::Iri { .. } => leaf(Form::Text),
            Kind::ObjectIdentifier | Kind::RelativeOid => leaf(Form::Oid),
            Kind::SequenceOf { element, .. } => {
                let element = self.frame(*element)?;
                leaf(Form::List(element))
            }
            Kind::Choice { alternatives, extensible } => {
                let slots = self.alternatives(alternatives.iter().map(|one| one.type_id))?;
                Some(Frame { is_extensible: *extensible, ..Frame::of(Form::Choice(slots), 2) })
            }
            Kind::Open { table } => {
                let rows = table.iter().flat_map(|table| &table.rows);
                let slots = self.alternatives(rows.map(|(_, id)| *id))?;
                Some(Frame::of(Form::Opaque(Opaque { slots, is_bits: false }), 2))
            }
            kind @ (Kind::BitString { .. } | Kind::OctetString { .. }) => {
                let slots = self.alternatives(kind.contained().into_iter())?;
                let is_bits = matches!(kind, Kind::BitString { .. });
                Some(Frame::of(Form::Opaque(Opaque { slots, is_bits }), 2))
            }
            Kind::Sequence { components, extensible, .. } => self.record(components, *extensible, place),
            Kind::External(_) => None,
        }
    }

    /// The types of which one is in the second word.
    fn alternatives(&mut self, mut types: impl Iterator<Item = TypeId>) -> Option<Vec<Slot>> {
        types.try_fold(Vec::new(), |mut slots, id| {
            let frame = self.frame(id)?;
            slots.push(Slot { frame, at: 1, bit: None, is_outside: self.is_outside(frame, 1) });
            Some(slots)
        })
    }

    /// Whether a part is not inside a frame that has so many words for it.
    fn is_outside(&self, part: FrameId, most: u32) -> bool {
        self.frames.get(part.0 as usize).is_none_or(|frame| frame.is_recursive || frame.words > most)
    }

    fn record(&mut self, components: &[Component], extensible: bool, record: FrameId) -> Option<Frame> {
        let (mut slots, mut bits) = (Vec::new(), Bits::new(components, extensible));
        let may_lack = extensible || bits.count > 0;
        let (mut words, mut places) = (u32::from(may_lack), 1u32);
        for (index, component) in components.iter().enumerate() {
            let frame = self.frame(component.type_id)?;
            let bit = if is_optional(component) { Some(bits.next(component)?) } else { None };
            let is_outside = self.is_outside(frame, if bit.is_some() { 1 } else { MOST_INSIDE });
            slots.push(Slot { frame, at: words, bit, is_outside });
            let Frame { words: inside, places: parts, .. } = *self.frames.get(frame.0 as usize)?;
            words += if is_outside { 1 } else { inside };
            places = places.saturating_add(if is_outside { 1 } else { parts });
            if let Presence::Default(value) = &component.presence {
                self.defaults.push((record, index, value.clone()));
            }
        }
        Some(Frame { is_extensible: extensible, places, ..Frame::of(Form::Record(slots), words) })
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
    fn new(components: &[Component], extensible: bool) -> Bits {
        let optional = |component: &&Component| is_optional(component);
        let root = components.iter().filter(|component| component.field == Field::Root);
        let root = root.filter(optional).count().min(usize::from(u8::MAX));
        let count = components.iter().filter(optional).count();
        Bits { count, root: root as u8, additions: (root as u8).saturating_add(extensible.into()) }
    }

    fn next(&mut self, component: &Component) -> Option<u8> {
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

fn is_optional(component: &Component) -> bool {
    component.presence != Presence::Mandatory || component.field != Field::Root
}
