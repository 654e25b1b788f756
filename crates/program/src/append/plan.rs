//! The steps of a type, which follow from its frames.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use roadwire_model::Value;
use roadwire_model::columns::MOST;
use roadwire_wire::Data;

use super::Rows;
use crate::frame::{Form, FrameId, Frames, Opaque, Slot};
use crate::tape::Tape;

/// A record whose columns are fewer has no step of its own where it is always present: to see that
/// its parts are not selected takes no longer.
const MANY: usize = 12;

/// The steps of frames, made when they are first needed.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The DEFAULT values of components, by their record's frame and their index.
    defaults: Vec<(FrameId, usize, Value)>,
    /// `None` for a type with too many columns, which has no steps.
    steps: OnceLock<Option<Steps>>,
}

/// The steps of a type.
#[derive(Clone, Debug)]
pub(crate) struct Steps {
    pub(super) all: Vec<Step>,
    /// The steps of alternatives, among those of their CHOICE.
    pub(super) alternatives: Vec<Vec<Range<usize>>>,
    pub(super) columns: usize,
    /// Where DEFAULT values are.
    pub(super) defaults: Tape,
}

/// A column, and where its value is. The steps of its parts follow it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) kind: Kind,
    pub(super) presence: Presence,
    /// The presence bit.
    pub(super) bit: u8,
    /// Whether the word says where the frame of its parts is.
    pub(super) is_outside: bool,
    /// The word with the presence bit, and the one with the value: from the start of the frame.
    pub(super) flags: u32,
    pub(super) at: u32,
    pub(super) column: u32,
    /// How many steps its parts have.
    pub(super) parts: u32,
    /// Of another leaf its frame; of a CHOICE its alternatives; of a list the words of an element.
    pub(super) of: u32,
    /// Where the DEFAULT value is.
    pub(super) place: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Up to 64 bits with sign.
    Integer,
    Enumerated,
    Boolean,
    /// Without a content of its own.
    Present,
    /// Any other leaf.
    Other,
    /// A record, or anything that is elsewhere.
    Group,
    Choice,
    List,
}

/// When there is a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    Always,
    /// Always, in a column that is nullable.
    Alternative,
    /// If its bit is set.
    Optional,
    /// Always, but without its bit it is another.
    Default,
}

impl Plan {
    /// With the DEFAULT values of its frames.
    pub(crate) fn new(defaults: Vec<(FrameId, usize, Value)>) -> Plan {
        Plan { defaults, steps: OnceLock::new() }
    }
}

impl Frames {
    /// The steps, which are made once.
    pub(crate) fn steps(&self) -> Option<&Steps> {
        self.plan.steps.get_or_init(|| Steps::new(self)).as_ref()
    }
}

impl Step {
    const NONE: Step = Step {
        kind: Kind::Group,
        presence: Presence::Always,
        bit: 0,
        is_outside: false,
        flags: 0,
        at: 0,
        column: 0,
        parts: 0,
        of: 0,
        place: 0,
    };

    /// Where the frame of its parts begins.
    fn inside(&self) -> u32 {
        if self.is_outside { 0 } else { self.at }
    }

    /// Whether its parts are steps of the same row.
    pub(super) fn is_inline(&self) -> bool {
        self.kind == Kind::Group && self.presence == Presence::Always && !self.is_outside
    }

    /// Whether it has a value of its own.
    #[inline(always)]
    pub(super) fn is_present(&self, rows: Rows<'_>, index: usize) -> bool {
        matches!(self.presence, Presence::Always | Presence::Alternative)
            || rows.word(self.flags, index) >> self.bit & 1 == 1
    }
}

struct Builder<'f> {
    frames: &'f Frames,
    places: HashMap<(FrameId, usize), u32>,
    steps: Steps,
}

impl Steps {
    fn new(frames: &Frames) -> Option<Steps> {
        let steps = Steps { all: Vec::new(), alternatives: Vec::new(), columns: 0, defaults: Tape::without_shapes() };
        let mut builder = Builder { frames, places: HashMap::new(), steps };
        for (frame, index, value) in &frames.plan.defaults {
            let Form::Record(slots) = &frames.get(*frame).form else { continue };
            let of = slots.get(*index)?.frame;
            let tape = &mut builder.steps.defaults;
            let at = tape.grow(frames.words(of) as usize).ok()?;
            tape.put(frames, of, at, value as &dyn Data).ok()?;
            builder.places.insert((*frame, *index), at as u32);
        }
        builder.add(frames.root, Step::NONE)?;
        Some(builder.steps)
    }
}

impl Builder<'_> {
    /// Adds the steps of a frame at a place and with a presence that are known.
    fn add(&mut self, id: FrameId, step: Step) -> Option<()> {
        if self.frames.get(id).is_recursive {
            return None;
        }
        let step = Step { column: self.column()?, ..step };
        let leaf = |kind| Step { kind, of: id.0, ..step };
        let frames = self.frames;
        match &frames.get(id).form {
            Form::Null => self.steps.all.push(leaf(Kind::Present)),
            Form::Record(slots) | Form::Choice(slots) if slots.is_empty() => self.steps.all.push(leaf(Kind::Present)),
            Form::Boolean => self.steps.all.push(leaf(Kind::Boolean)),
            Form::Integer => self.steps.all.push(leaf(Kind::Integer)),
            Form::Enumerated => self.steps.all.push(leaf(Kind::Enumerated)),
            Form::Unsigned | Form::Real | Form::Bits | Form::Octets | Form::Text => {
                self.steps.all.push(leaf(Kind::Other));
            }
            // A column has its text, and whether it is relative is not known here.
            Form::Oid => return None,
            Form::Record(slots) => {
                let of = Step { flags: step.inside(), at: step.inside(), column: step.column, ..Step::NONE };
                self.parts(step, |builder| {
                    let mut slots = slots.iter().enumerate();
                    slots.try_for_each(|(index, slot)| builder.component(id, index, slot, of))
                })?;
            }
            Form::Choice(slots) | Form::Opaque(Opaque { slots, .. }) => {
                let octets = matches!(&frames.get(id).form, Form::Opaque(_)).then_some(id);
                if step.is_outside {
                    let choice = Step { column: step.column, ..Step::NONE };
                    return self.parts(step, |builder| builder.choice(slots, octets, choice));
                }
                self.choice(slots, octets, step)?;
            }
            Form::List(element) => {
                let list = Step { kind: Kind::List, of: frames.words(*element), ..step };
                self.parts(list, |builder| builder.add(*element, Step::NONE))?;
            }
        }
        Some(())
    }

    /// The place of the next column.
    fn column(&mut self) -> Option<u32> {
        let column = u32::try_from(self.steps.columns).ok().filter(|_| self.steps.columns < MOST)?;
        self.steps.columns += 1;
        Some(column)
    }

    /// Adds a step, and those of its parts.
    fn parts(&mut self, step: Step, add: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let at = self.steps.all.len();
        self.steps.all.push(step);
        add(self)?;
        let parts = self.steps.all.len() - at - 1;
        self.steps.all.get_mut(at)?.parts = parts as u32;
        let is_small = self.steps.columns - (step.column as usize) < MANY;
        if is_small && step.is_inline() {
            self.steps.all.remove(at);
        }
        Some(())
    }

    /// Adds a component of the record that begins at `of`.
    fn component(&mut self, record: FrameId, index: usize, slot: &Slot, of: Step) -> Option<()> {
        let place = self.places.get(&(record, index)).copied();
        let presence = match (slot.bit, place) {
            (None, _) => Presence::Always,
            (Some(_), None) => Presence::Optional,
            (Some(_), Some(_)) => Presence::Default,
        };
        let (bit, place) = (slot.bit.unwrap_or(0), place.unwrap_or(0));
        let at = of.at.checked_add(slot.at)?;
        self.add(slot.frame, Step { presence, bit, is_outside: slot.is_outside, at, place, ..of })
    }

    /// Adds the steps of alternatives, and of the octets of a content that is not known: these are
    /// of the frame that has them.
    fn choice(&mut self, slots: &[Slot], octets: Option<FrameId>, step: Step) -> Option<()> {
        let of = self.steps.alternatives.len();
        self.steps.alternatives.push(Vec::new());
        let step = Step { kind: Kind::Choice, of: u32::try_from(of).ok()?, ..step };
        self.parts(step, |builder| {
            let first = builder.steps.all.len();
            for slot in slots {
                let from = builder.steps.all.len() - first;
                let at = step.at.checked_add(slot.at)?;
                let presence = Presence::Alternative;
                builder.add(slot.frame, Step { presence, is_outside: slot.is_outside, at, ..Step::NONE })?;
                let range = from..builder.steps.all.len() - first;
                builder.steps.alternatives.get_mut(of)?.push(range);
            }
            if let Some(frame) = octets {
                let from = builder.steps.all.len() - first;
                let (column, at) = (builder.column()?, step.at + Opaque::AT as u32);
                let presence = Presence::Alternative;
                builder.steps.all.push(Step { kind: Kind::Other, presence, column, at, of: frame.0, ..Step::NONE });
                builder.steps.alternatives.get_mut(of)?.push(from..from + 1);
            }
            Some(())
        })
    }
}
