//! Times (X.691 §32, X.696 §29): text in memory. Only for code that stands alone.

use std::collections::HashMap;

use roadwire_layout::{Form, Layout, LengthForm, Node, NodeId, Presence, Span, Width};
use roadwire_model::TypeId;
use roadwire_wire::rt::time::{component, row};

use super::Walk;
use crate::plan::{Arg, Mover, NumberForm, Place, Slot, TimeForm, TimePart};

/// How many records and choices may be inside of each other.
const LEVELS: usize = 8;

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    pub(super) fn time(&mut self, id: TypeId, (node, rows, settings): (NodeId, [u8; 3], Span), place: &Place) {
        if !self.draft.types.stands_alone() {
            return self.draft.give_up();
        }
        let settings = self.draft.layout.numbers(settings).to_vec();
        let is_encoder = self.draft.is_encoder();
        self.settle();
        if rows[0] == row::TEXT && is_encoder {
            return self.act(Mover::PutTimeText, vec![Arg::Object(place.clone()), Arg::Ranges(settings)]);
        }
        if rows[0] == row::TEXT {
            self.content(id, node, place);
            self.settle();
            return self.act(Mover::CheckTime, vec![Arg::Object(place.clone()), Arg::Ranges(settings)]);
        }
        let Some(form) = form_of(self.draft.layout, node, rows, settings) else { return self.draft.give_up() };
        let form = Arg::Time(Box::new(form));
        match is_encoder {
            true => self.act(Mover::PutTime, vec![Arg::Object(place.clone()), form]),
            false => self.act(Mover::TakeTime, vec![Arg::Exclusive(place.clone()), form]),
        }
        self.phase = None;
    }
}

fn form_of(layout: &Layout, node: NodeId, rows: [u8; 3], settings: Vec<u32>) -> Option<TimeForm> {
    let is_aligned = layout.length_form == LengthForm::Aligned;
    let form = TimeForm { rows, settings, forms: Vec::new(), parts: Vec::new(), is_aligned };
    let mut forms = Forms { layout, form, known: HashMap::new() };
    let what = if rows[0] == row::NONE { What::Time } else { What::of_row(rows[0]) };
    forms.form(node, what, LEVELS)?;
    Some(forms.form)
}

/// The thing that a record has the numbers of.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum What {
    Time,
    Point,
    Date,
    Year,
    Clock,
    Difference,
    Duration,
    /// The fraction of a duration.
    Fraction,
    Number(Slot),
}

impl What {
    /// The part of a value of this row that is encoded.
    fn of_row(row: u8) -> What {
        match row {
            0..row::DATES => What::Date,
            row::DATES..row::CLOCKS => What::Clock,
            row::DATE_TIME => What::Point,
            row::DURATION => What::Duration,
            _ => What::Time,
        }
    }

    /// A component, and the point that it is.
    fn component(self, at: u32) -> Option<(What, Option<bool>)> {
        let number = |slot| Some((What::Number(slot), None));
        match (self, at) {
            (_, component::SELF) => Some((self, None)),
            (What::Time, component::RECURRENCE) => number(Slot::Recurrence),
            (What::Time, component::START) => Some((What::Point, Some(false))),
            (What::Time, component::END) => Some((What::Point, Some(true))),
            (What::Time, component::DURATION) => Some((What::Duration, None)),
            (What::Point, component::DATE) => Some((What::Date, None)),
            (What::Point, component::CLOCK) => Some((What::Clock, None)),
            (What::Date, component::CENTURY) => number(Slot::Century),
            (What::Date, component::YEAR) => Some((What::Year, None)),
            (What::Date, component::MONTH) => number(Slot::Month),
            (What::Date, component::WEEK) => number(Slot::Week),
            (What::Date, component::DAY) => number(Slot::Day),
            (What::Clock, component::HOURS) => number(Slot::Hours),
            (What::Clock, component::MINUTES) => number(Slot::Minutes),
            (What::Clock, component::SECONDS) => number(Slot::Seconds),
            (What::Clock, component::FRACTION) => number(Slot::Fraction),
            (What::Clock, component::DIGITS) => number(Slot::Digits),
            (What::Clock, component::DIFFERENCE) => Some((What::Difference, None)),
            (What::Difference, component::SIGN) => number(Slot::Sign),
            (What::Difference, component::HOURS) => number(Slot::HoursAhead),
            (What::Difference, component::MINUTES) => number(Slot::MinutesAhead),
            (What::Duration, component::FRACTION) => Some((What::Fraction, None)),
            (What::Duration, at @ component::NUMBERS..) if at < component::NUMBERS + 7 => {
                number(Slot::Duration((at - component::NUMBERS) as u8))
            }
            (What::Fraction, component::DIGITS) => number(Slot::DurationDigits),
            (What::Fraction, component::FRACTION) => number(Slot::DurationFraction),
            _ => None,
        }
    }

    /// The thing that an alternative with a number has.
    fn alternative(self, number: u8) -> Option<What> {
        match self {
            What::Time => Some(What::of_row(number)),
            What::Date | What::Clock => Some(self),
            What::Year => Some(What::Number(Slot::Year)),
            _ => None,
        }
    }

    /// The number of a value that is one, or which alternative there is.
    fn slot(self, is_choice: bool) -> Option<Slot> {
        match self {
            What::Time if is_choice => Some(Slot::Row),
            What::Date if is_choice => Some(Slot::DateRow),
            What::Clock if is_choice => Some(Slot::ClockRow),
            What::Year if is_choice => Some(Slot::Years),
            What::Year => Some(Slot::Year),
            What::Difference if !is_choice => Some(Slot::Difference),
            What::Number(slot) if !is_choice => Some(slot),
            _ => None,
        }
    }

    /// The number that is present with an optional component.
    fn presence(self) -> Option<Slot> {
        match self {
            What::Number(slot @ (Slot::Recurrence | Slot::Digits | Slot::MinutesAhead | Slot::Duration(_))) => {
                Some(slot)
            }
            What::Fraction => Some(Slot::DurationDigits),
            _ => None,
        }
    }
}

struct Forms<'l> {
    layout: &'l Layout,
    form: TimeForm,
    /// Where the forms of nodes are.
    known: HashMap<(NodeId, What), usize>,
}

impl Forms<'_> {
    /// The place of a node's form.
    fn form(&mut self, id: NodeId, what: What, levels: usize) -> Option<usize> {
        if let Some(known) = self.known.get(&(id, what)) {
            return Some(*known);
        }
        let (at, placeholder) = (self.form.forms.len(), NumberForm::Record { bitmap: 0, padding: 0, parts: 0..0 });
        self.form.forms.push(placeholder);
        let form = match *self.layout.node(id) {
            Node::Record { extensible: false, bitmap, padding, members, .. } if bitmap < 64 && padding < 8 => {
                let levels = levels.checked_sub(1)?;
                let mut parts = Vec::new();
                for member in self.layout.members(members) {
                    let (inner, point) = what.component(member.component)?;
                    let presence = match member.presence {
                        Presence::Mandatory => None,
                        _ => Some(inner.presence()?),
                    };
                    let (name, form) =
                        (self.layout.name(member.name).to_owned(), self.form(member.node, inner, levels)?);
                    parts.push(TimePart { name, form, number: 0, presence, point });
                }
                NumberForm::Record { bitmap, padding, parts: self.parts(parts) }
            }
            Node::Choice { extensible: false, width, alternatives, tags, .. } if tags.count == 0 => {
                let (levels, (bits, is_aligned)) = (levels.checked_sub(1)?, fixed(width)?);
                let mut parts = Vec::new();
                for one in self.layout.alternatives(alternatives) {
                    let number = u8::try_from(one.alternative).ok()?;
                    let form = self.form(one.node, what.alternative(number)?, levels)?;
                    let name = self.layout.name(one.name).to_owned();
                    parts.push(TimePart { name, form, number, presence: None, point: None });
                }
                NumberForm::Choice { slot: what.slot(true)?, bits, is_aligned, parts: self.parts(parts) }
            }
            Node::Extension { root, beyond } => {
                let slot = what.slot(false)?;
                let (root, beyond) = (self.form(root, what, levels)?, self.form(beyond, what, levels)?);
                let is_number =
                    |at: usize| matches!(self.form.forms[at], NumberForm::Word { .. } | NumberForm::Integer { .. });
                if !(is_number(root) && is_number(beyond)) {
                    return None;
                }
                NumberForm::Extension { slot, root, beyond }
            }
            Node::Enumerated { width, root, additions: None, ordinals, .. } if ordinals.count == 0 && root > 0 => {
                let ((bits, is_aligned), slot) = (fixed(width)?, what.slot(false)?);
                let bounds = (0, i64::from(root) - 1);
                NumberForm::Word { slot, bits, is_aligned, is_signed: false, offset: 0, bounds }
            }
            Node::Word { width, form, lower, upper } => {
                let ((bits, is_aligned), slot) = (fixed(width)?, what.slot(false)?);
                let (lower, upper) = self.layout.bounds(lower, upper);
                let bounds = (i64::try_from(lower).ok()?, i64::try_from(upper).ok()?);
                let offset = if form == Form::Offset { bounds.0 } else { 0 };
                NumberForm::Word { slot, bits, is_aligned, is_signed: form == Form::Signed, offset, bounds }
            }
            Node::Integer { form, lower, upper } => {
                let (slot, lower, upper) = (what.slot(false)?, self.layout.bound(lower), self.layout.bound(upper));
                let bounds = (bound(lower, i64::MIN)?, bound(upper, i64::MAX)?);
                let offset = if form == Form::Offset { bounds.0 } else { 0 };
                NumberForm::Integer { slot, is_signed: form == Form::Signed, offset, bounds }
            }
            _ => return None,
        };
        self.form.forms[at] = form;
        self.known.insert((id, what), at);
        Some(at)
    }

    fn parts(&mut self, parts: Vec<TimePart>) -> std::ops::Range<usize> {
        let start = self.form.parts.len();
        self.form.parts.extend(parts);
        start..self.form.parts.len()
    }
}

/// The bound of a number of 64 bits.
fn bound(bound: Option<i128>, without: i64) -> Option<i64> {
    bound.map_or(Some(without), |bound| i64::try_from(bound).ok())
}

/// How many bits a number has, and whether they begin at an octet border.
fn fixed(width: Width) -> Option<(u32, bool)> {
    match width {
        Width::Anywhere(bits @ 0..=64) => Some((bits, false)),
        Width::Aligned(bits @ 0..=64) => Some((bits, true)),
        _ => None,
    }
}
