//! The time types of X.680 §38: text in memory, records of numbers on the wire (X.691 §32, X.696
//! §29).

use num_bigint::BigInt;
use roadwire_model::{IntegerRange, Settings, TimeKind};
use roadwire_wire::rt::time::{Interval, Time, component, row};

use crate::build::Builder;
use crate::error::LowerError;
use crate::structure::to_u32;
use crate::{Alternative, Member, Node, NodeId, Presence, Span, Width};

/// Lowers an integer under the current rules.
pub(crate) type IntegerNode<'m> = fn(&mut Builder<'m>, &IntegerRange) -> Result<Node, LowerError>;

/// How numbers are encoded under the current rules.
#[derive(Clone, Copy)]
pub(crate) struct Numbers<'m> {
    pub(crate) integer: IntegerNode<'m>,
    /// A year of four digits.
    pub(crate) year: fn(&mut Builder<'m>) -> Result<Node, LowerError>,
    /// The ranges of a duration's seven numbers, of the number of fraction digits, and of their
    /// value.
    pub(crate) duration: [(i64, Option<i64>); 9],
    /// Whether these ranges are extensible, with an extension bit in front.
    pub(crate) extensible: bool,
    /// The greatest value of a time of day's fraction.
    pub(crate) fraction: Option<i64>,
    /// Whether a difference from UTC is a number of minutes.
    pub(crate) minutes: bool,
}

/// The values of a type: if all have the same row, that row, the rows of dates and times of day,
/// and the number of fraction digits.
pub(crate) struct Values {
    pub(crate) rows: [u8; 3],
    pub(crate) digits: u8,
    settings: Vec<Settings>,
}

impl Values {
    /// The values of a kind of time type, possibly limited by settings.
    pub(crate) fn of(kind: TimeKind, settings: &[Settings]) -> Result<Self, LowerError> {
        let (date, clock) = (6, row::DATES + 6);
        let rows = match kind {
            TimeKind::Date => [date, date, row::NONE],
            TimeKind::TimeOfDay => [clock, row::NONE, clock],
            TimeKind::DateTime => [row::DATE_TIME, date, clock],
            TimeKind::Duration => [row::DURATION, row::NONE, row::NONE],
            TimeKind::Time => {
                let mut each = settings.iter().map(Settings::rows);
                let first = each.next().flatten();
                let same = first.filter(|first| each.all(|other| other == Some(*first)));
                let (rows, digits) = same.unwrap_or(([row::NONE; 3], 0));
                return Ok(Values { rows, digits, settings: settings.to_vec() });
            }
            TimeKind::Utc | TimeKind::Generalized => {
                return Err(LowerError { message: format!("{kind:?} is not a record of numbers") });
            }
        };
        Ok(Values { rows, digits: 0, settings: Vec::new() })
    }
}

impl<'m> Builder<'m> {
    /// The record of the values' row, or a choice among all rows.
    pub(crate) fn time_node(&mut self, values: &Values, numbers: Numbers<'m>) -> Result<Node, LowerError> {
        let [row, date, clock] = values.rows;
        let mut forms = Forms { builder: self, numbers, date, clock, digits: values.digits, shared: [None; 3] };
        let node = if row == row::NONE { forms.mixed()? } else { forms.row(row)? };
        Ok(self.told(values, node, values.rows))
    }

    /// The text of the values.
    pub(crate) fn time_text(&mut self, values: &Values, text: Node) -> Node {
        let node = self.add(text);
        self.told(values, node, [row::TEXT, row::NONE, row::NONE])
    }

    fn told(&mut self, values: &Values, node: NodeId, rows: [u8; 3]) -> Node {
        let settings: Vec<u32> = values.settings.iter().flat_map(Settings::numbers).collect();
        Node::Time { node, rows, settings: self.numbers(settings) }
    }
}

/// The records of X.691 §32.
struct Forms<'b, 'm> {
    builder: &'b mut Builder<'m>,
    numbers: Numbers<'m>,
    /// The rows of dates and of times of day, if there is only one.
    date: u8,
    clock: u8,
    digits: u8,
    /// Dates, times of day and durations, once made.
    shared: [Option<NodeId>; 3],
}

type Component = (&'static str, u32, NodeId);

impl Forms<'_, '_> {
    fn row(&mut self, row: u8) -> Result<NodeId, LowerError> {
        let Some(interval) = Time::interval(row) else {
            return match row {
                0..row::DATES => self.date(row),
                row::DATES..row::CLOCKS => self.clock(row, Some(self.digits)),
                _ => self.point(2),
            };
        };
        let mut members = Vec::new();
        if row >= row::RECURRING {
            let count = self.integer(&IntegerRange::default())?;
            members.push(self.member(("recurrence", component::RECURRENCE, count), Presence::Optional));
        }
        let of = (row - row::START_END) % (row::RECURRING - row::START_END);
        let components = match interval {
            Interval::StartEnd => {
                let point = self.point(of)?;
                vec![("start", component::START, point), ("end", component::END, point)]
            }
            // §32.6
            Interval::Duration if row == row::DURATION => return self.duration(),
            Interval::Duration => vec![("duration", component::DURATION, self.duration()?)],
            Interval::StartDuration => {
                let start = self.point(of - (row::START_DURATION - row::START_END))?;
                vec![("start", component::START, start), ("duration", component::DURATION, self.duration()?)]
            }
            Interval::DurationEnd => {
                let end = self.point(of - (row::DURATION_END - row::START_END))?;
                vec![("duration", component::DURATION, self.duration()?), ("end", component::END, end)]
            }
        };
        for component in components {
            members.push(self.member(component, Presence::Mandatory));
        }
        self.record_of(members)
    }

    /// A date, a time of day, or both.
    fn point(&mut self, parts: u8) -> Result<NodeId, LowerError> {
        let mut components = Vec::new();
        if parts != 1 {
            components.push(("date", component::DATE, self.dates()?));
        }
        if parts != 0 {
            components.push(("time", component::CLOCK, self.clocks()?));
        }
        self.record(&components)
    }

    /// Dates of a single row, or DATE-TYPE (§32.11).
    fn dates(&mut self) -> Result<NodeId, LowerError> {
        if let Some(known) = self.shared[0] {
            return Ok(known);
        }
        let made = if self.date == row::NONE { self.choice(0..row::DATES, Self::date)? } else { self.date(self.date)? };
        self.shared[0] = Some(made);
        Ok(made)
    }

    /// Times of day of a single row, or TIME-TYPE (§32.11).
    fn clocks(&mut self) -> Result<NodeId, LowerError> {
        if let Some(known) = self.shared[1] {
            return Ok(known);
        }
        let made = if self.clock == row::NONE {
            let digits = self.number(1, None)?;
            let clock = self.choice(row::DATES..row::CLOCKS, |forms, row| forms.clock(row, None))?;
            let digits = self.member(("number-of-digits", component::DIGITS, digits), Presence::Optional);
            let clock = self.member(("time-type", component::SELF, clock), Presence::Mandatory);
            self.record_of(vec![digits, clock])?
        } else {
            self.clock(self.clock, Some(self.digits))?
        };
        self.shared[1] = Some(made);
        Ok(made)
    }

    /// MIXED-ENCODING (§32.11).
    fn mixed(&mut self) -> Result<NodeId, LowerError> {
        self.choice(0..row::COUNT, |forms, row| match row {
            row::DATES..row::FRACTIONS => forms.clock(row, None),
            row::FRACTIONS..row::CLOCKS => {
                let (digits, value) = (forms.number(1, None)?, forms.clock(row, None)?);
                forms.record(&[("number-of-digits", component::DIGITS, digits), ("time-value", component::SELF, value)])
            }
            _ => forms.row(row),
        })
    }

    /// §32.2
    fn date(&mut self, row: u8) -> Result<NodeId, LowerError> {
        let any = self.integer(&IntegerRange::default())?;
        let usual = row % 2 == 0;
        if row < 2 {
            let century = if usual { self.number(0, Some(99))? } else { any };
            return self.record(&[("century", component::CENTURY, century)]);
        }
        let year = if usual { (self.numbers.year)(self.builder).map(|node| self.builder.add(node))? } else { any };
        let mut components = vec![("year", component::YEAR, year)];
        let rest: &[(&str, u32, i64)] = match row / 2 {
            2 => &[("month", component::MONTH, 12)],
            3 => &[("month", component::MONTH, 12), ("day", component::DAY, 31)],
            4 => &[("day", component::DAY, 366)],
            5 => &[("week", component::WEEK, 53)],
            6 => &[("week", component::WEEK, 53), ("day", component::DAY, 7)],
            _ => &[],
        };
        for (name, at, most) in rest {
            components.push((name, *at, self.number(1, Some(*most))?));
        }
        self.record(&components)
    }

    /// §32.3: if `digits` is `None`, the number of digits is encoded elsewhere.
    fn clock(&mut self, row: u8, digits: Option<u8>) -> Result<NodeId, LowerError> {
        let has_fraction = row >= row::FRACTIONS;
        let (precision, zone) = ((row - row::DATES) % 9 / 3, row % 3);
        let has_difference = zone == (row::DATES + 2) % 3;
        let numbers =
            [("hours", component::HOURS, 24), ("minutes", component::MINUTES, 59), ("seconds", component::SECONDS, 60)];
        let mut local = Vec::new();
        for (name, at, most) in numbers.into_iter().take(usize::from(precision) + 1) {
            let name = if has_difference && precision == 0 && !self.numbers.minutes { "local-hours" } else { name };
            local.push((name, at, self.number(0, Some(most))?));
        }
        if has_fraction {
            let fraction = IntegerRange { extensible: self.numbers.extensible, ..range(0, self.numbers.fraction) };
            local.push(("fraction", component::FRACTION, self.integer(&fraction)?));
        }
        let mut components = Vec::new();
        if let (Some(digits), true) = (digits, has_fraction) {
            // A single number, which takes no bits.
            let (lower, upper) = (digits.into(), digits.into());
            let one = self.builder.word(Width::Anywhere(0), crate::Form::Offset, lower, upper);
            components.push(("number-of-digits", component::DIGITS, self.builder.add(one)));
        }
        if has_difference && self.numbers.minutes {
            local.push(("minutes-diff", component::DIFFERENCE, self.number(-900, Some(900))?));
        } else if has_difference && precision > 0 {
            local = vec![("local-time", component::SELF, self.record(&local)?)];
        }
        components.extend(local);
        if has_difference && !self.numbers.minutes {
            components.push(("time-difference", component::DIFFERENCE, self.difference()?));
        }
        self.record(&components)
    }

    /// TIME-DIFFERENCE
    fn difference(&mut self) -> Result<NodeId, LowerError> {
        let items = self.builder.names_of_items(["positive", "negative"].into_iter());
        let sign =
            Node::Enumerated { width: Width::Anywhere(1), root: 2, additions: None, ordinals: Span::default(), items };
        let (sign, hours, minutes) = (self.builder.add(sign), self.number(0, Some(15))?, self.number(1, Some(59))?);
        let sign = self.member(("sign", component::SIGN, sign), Presence::Mandatory);
        let hours = self.member(("hours", component::HOURS, hours), Presence::Mandatory);
        let minutes = self.member(("minutes", component::MINUTES, minutes), Presence::Optional);
        self.record_of(vec![sign, hours, minutes])
    }

    /// DURATION-INTERVAL-ENCODING (§32.6)
    fn duration(&mut self) -> Result<NodeId, LowerError> {
        if let Some(known) = self.shared[2] {
            return Ok(known);
        }
        let [numbers @ .., digits, value] = self.numbers.duration;
        let names = ["years", "months", "weeks", "days", "hours", "minutes", "seconds"];
        let mut members = Vec::new();
        for (at, (name, (lower, upper))) in (component::NUMBERS..).zip(names.into_iter().zip(numbers)) {
            let number = IntegerRange { extensible: self.numbers.extensible, ..range(lower, upper) };
            let number = self.integer(&number)?;
            members.push(self.member((name, at, number), Presence::Optional));
        }
        let mut fraction = Vec::new();
        for (name, at, (lower, upper)) in
            [("number-of-digits", component::DIGITS, digits), ("fractional-value", component::FRACTION, value)]
        {
            let number = IntegerRange { extensible: self.numbers.extensible, ..range(lower, upper) };
            fraction.push((name, at, self.integer(&number)?));
        }
        let fraction = self.record(&fraction)?;
        members.push(self.member(("fractional-part", component::FRACTION, fraction), Presence::Optional));
        let made = self.record_of(members)?;
        self.shared[2] = Some(made);
        Ok(made)
    }

    fn number(&mut self, lower: i64, upper: Option<i64>) -> Result<NodeId, LowerError> {
        self.integer(&range(lower, upper))
    }

    fn integer(&mut self, range: &IntegerRange) -> Result<NodeId, LowerError> {
        let node = (self.numbers.integer)(self.builder, range)?;
        Ok(self.builder.add(node))
    }

    fn member(&mut self, (name, component, node): Component, presence: Presence) -> Member {
        Member { name: self.builder.name(name), node, component, presence }
    }

    fn record(&mut self, components: &[Component]) -> Result<NodeId, LowerError> {
        let members = components.iter().map(|one| self.member(*one, Presence::Mandatory)).collect();
        self.record_of(members)
    }

    fn record_of(&mut self, members: Vec<Member>) -> Result<NodeId, LowerError> {
        let (bitmap, padding) = self.builder.bitmap(&members, false)?;
        let components = to_u32(members.len());
        let members = self.builder.members(members);
        let additions = Span::default();
        Ok(self.builder.add(Node::Record { extensible: false, components, bitmap, padding, members, additions }))
    }

    /// A choice among rows.
    fn choice(
        &mut self,
        rows: core::ops::Range<u8>,
        mut of: impl FnMut(&mut Self, u8) -> Result<NodeId, LowerError>,
    ) -> Result<NodeId, LowerError> {
        let root = u32::from(rows.end - rows.start);
        let mut alternatives = Vec::new();
        for row in rows {
            let node = of(self, row)?;
            let name = self.builder.name(&format!("row-{}", row + 1));
            alternatives.push(Alternative { name, node, alternative: row.into() });
        }
        Ok(self.builder.choice_of(alternatives, root))
    }
}

impl Builder<'_> {
    /// A choice with an index of as few bits as possible.
    pub(crate) fn choice_of(&mut self, alternatives: Vec<Alternative>, root: u32) -> NodeId {
        let width = Width::Anywhere(u32::BITS - root.saturating_sub(1).leading_zeros());
        let (alternatives, tags) = (self.alternatives(alternatives), Span::default());
        self.add(Node::Choice { extensible: false, width, root, alternatives, tags })
    }
}

/// A range of integers.
pub(crate) fn range(lower: i64, upper: Option<i64>) -> IntegerRange {
    IntegerRange { lower: Some(BigInt::from(lower)), upper: upper.map(BigInt::from), extensible: false }
}
