//! How encoders and decoders that write times as numbers see a time: as the records of X.691 §32,
//! and choices among their rows.

use super::duration::Fraction;
use super::{Clock, Date, Difference, Duration, Point, Sign, Time, Year, row};
use crate::{Data, Scalar, Shape};

/// The components of the records.
pub mod component {
    /// The value itself, seen as another record.
    pub const SELF: u32 = 0;
    /// Of an interval: the number of recurrences, if limited.
    pub const RECURRENCE: u32 = 1;
    /// Of an interval: its first point.
    pub const START: u32 = 2;
    /// Of an interval: its last point.
    pub const END: u32 = 3;
    /// Of an interval.
    pub const DURATION: u32 = 4;
    /// The date, of a point or of the value itself.
    pub const DATE: u32 = 5;
    /// The time of day, likewise.
    pub const CLOCK: u32 = 6;
    /// Of a date: its first two digits.
    pub const CENTURY: u32 = 7;
    /// Of a date.
    pub const YEAR: u32 = 8;
    /// Of a date.
    pub const MONTH: u32 = 9;
    /// Of a date.
    pub const WEEK: u32 = 10;
    /// Of a date: in the month, the year or the week.
    pub const DAY: u32 = 11;
    /// Of a time of day.
    pub const HOURS: u32 = 12;
    /// Of a time of day.
    pub const MINUTES: u32 = 13;
    /// Of a time of day.
    pub const SECONDS: u32 = 14;
    /// Of a time of day: the digits after the decimal point, as a number. Of a duration: a record
    /// of these.
    pub const FRACTION: u32 = 15;
    /// How many digits are after the decimal point.
    pub const DIGITS: u32 = 16;
    /// Of a time of day: the difference from UTC to local time, as a record or in minutes.
    pub const DIFFERENCE: u32 = 17;
    /// Of a difference.
    pub const SIGN: u32 = 18;
    /// Of a duration: seven numbers from years to seconds.
    pub const NUMBERS: u32 = 32;
}

/// The years of YEAR-ENCODING's first alternatives (X.691 §32.2.3); all others belong to the last
/// one.
const RANGES: [(i64, i64); 3] = [(2005, 2020), (2021, 2276), (1749, 2004)];

impl Time {
    /// The record as which a value of this row is encoded: only a date, a time of day, both or a
    /// duration; otherwise the whole value.
    #[must_use]
    pub fn part(&self) -> &dyn Data {
        match self.row {
            0..row::DATES => &self.points[0].date,
            row::DATES..row::CLOCKS => &self.points[0].clock,
            row::DATE_TIME => &self.points[0],
            row::DURATION => &self.duration,
            _ => self,
        }
    }

    /// The same, to be filled.
    pub fn part_mut(&mut self) -> &mut dyn Data {
        match self.row {
            0..row::DATES => &mut self.points[0].date,
            row::DATES..row::CLOCKS => &mut self.points[0].clock,
            row::DATE_TIME => &mut self.points[0],
            row::DURATION => &mut self.duration,
            _ => self,
        }
    }
}

/// A record of components, in both directions.
macro_rules! record {
    ($self:ident: $type:ty { $($component:ident => $place:expr, $place_mut:expr;)* } $($rest:item)*) => {
        impl Data for $type {
            fn component(&self, index: usize) -> Option<&dyn Data> {
                let $self = self;
                match u32::try_from(index).ok()? {
                    component::SELF => Some($self),
                    $(component::$component => $place,)*
                    _ => None,
                }
            }
            fn component_mut(&mut self, index: usize) -> Option<&mut dyn Data> {
                let $self = self;
                match u32::try_from(index).ok()? {
                    component::SELF => Some($self),
                    $(component::$component => $place_mut,)*
                    _ => None,
                }
            }
            fn begin(&mut self, shape: Shape) -> bool {
                matches!(shape, Shape::Record(_))
            }
            $($rest)*
        }
    };
}

fn there(number: &Option<i64>) -> Option<&dyn Data> {
    number.as_ref().map(|number| number as &dyn Data)
}

record! { this: Time {
    RECURRENCE => there(&this.recurrence), Some(this.recurrence.get_or_insert(0));
    START => Some(&this.points[0]), Some(&mut this.points[0]);
    END => Some(&this.points[1]), Some(&mut this.points[1]);
    DURATION => Some(&this.duration), Some(&mut this.duration);
}
    fn alternative(&self) -> Option<(usize, &dyn Data)> {
        Some((self.row.into(), Time::part(self)))
    }
    fn choose(&mut self, index: usize) -> Option<&mut dyn Data> {
        self.row = u8::try_from(index).ok()?;
        match self.row {
            0..row::DATES => self.points[0].date.row = self.row,
            row::DATES..row::CLOCKS => self.points[0].clock.row = self.row,
            _ => {}
        }
        Some(self.part_mut())
    }
}

record! { this: Point {
    DATE => Some(&this.date), Some(&mut this.date);
    CLOCK => Some(&this.clock), Some(&mut this.clock);
} }

record! { this: Date {
    CENTURY => Some(&this.century), Some(&mut this.century);
    YEAR => Some(&this.year), Some(&mut this.year);
    MONTH => Some(&this.month), Some(&mut this.month);
    WEEK => Some(&this.week), Some(&mut this.week);
    DAY => Some(&this.day), Some(&mut this.day);
}
    fn alternative(&self) -> Option<(usize, &dyn Data)> {
        Some((self.row.into(), self))
    }
    fn choose(&mut self, index: usize) -> Option<&mut dyn Data> {
        self.row = u8::try_from(index).ok()?;
        Some(self)
    }
}

record! { this: Clock {
    HOURS => Some(&this.hours), Some(&mut this.hours);
    MINUTES => Some(&this.minutes), Some(&mut this.minutes);
    SECONDS => Some(&this.seconds), Some(&mut this.seconds);
    FRACTION => Some(&this.fraction), Some(&mut this.fraction);
    DIGITS => there(&this.digits), Some(this.digits.get_or_insert(0));
    DIFFERENCE => Some(&this.difference), Some(&mut this.difference);
}
    fn alternative(&self) -> Option<(usize, &dyn Data)> {
        Some((self.row.into(), self))
    }
    fn choose(&mut self, index: usize) -> Option<&mut dyn Data> {
        self.row = u8::try_from(index).ok()?;
        Some(self)
    }
}

record! { this: Difference {
    SIGN => Some(&this.sign), Some(&mut this.sign);
    HOURS => Some(&this.hours), Some(&mut this.hours);
    MINUTES => there(&this.minutes), Some(this.minutes.get_or_insert(0));
}
    /// In minutes (X.696 §29).
    fn scalar(&self) -> Scalar<'_> {
        let minutes = i128::from(self.hours) * 60 + i128::from(self.minutes.unwrap_or(0));
        Scalar::Integer(if self.sign.negative { -minutes } else { minutes })
    }
    fn set(&mut self, scalar: Scalar<'_>) -> bool {
        let Scalar::Integer(minutes) = scalar else { return false };
        let Ok(all) = i64::try_from(minutes.unsigned_abs()) else { return false };
        self.sign.negative = minutes < 0;
        (self.hours, self.minutes) = (all / 60, (all % 60 > 0).then_some(all % 60));
        true
    }
}

record! { this: Fraction {
    DIGITS => Some(&this.digits), Some(&mut this.digits);
    FRACTION => Some(&this.value), Some(&mut this.value);
} }

impl Data for Duration {
    fn component(&self, index: usize) -> Option<&dyn Data> {
        match index.checked_sub(component::NUMBERS as usize) {
            Some(at) => there(self.numbers.get(at)?),
            None if index == component::FRACTION as usize => {
                self.fraction.as_ref().map(|fraction| fraction as &dyn Data)
            }
            None => None,
        }
    }
    fn component_mut(&mut self, index: usize) -> Option<&mut dyn Data> {
        match index.checked_sub(component::NUMBERS as usize) {
            Some(at) => Some(self.numbers.get_mut(at)?.get_or_insert(0)),
            None if index == component::FRACTION as usize => Some(self.fraction.get_or_insert_with(Fraction::default)),
            None => None,
        }
    }
    fn begin(&mut self, shape: Shape) -> bool {
        matches!(shape, Shape::Record(_))
    }
}

impl Year {
    fn own_range(&self) -> usize {
        let within = |(lower, upper): &(i64, i64)| (*lower..=*upper).contains(&self.number);
        RANGES.iter().position(within).unwrap_or(RANGES.len())
    }

    pub(super) fn is_of_its_range(&self) -> bool {
        self.range.is_none_or(|range| range == self.own_range())
    }
}

/// As a number, and as a choice among ranges of years.
impl Data for Year {
    fn scalar(&self) -> Scalar<'_> {
        self.number.scalar()
    }
    fn set(&mut self, scalar: Scalar<'_>) -> bool {
        self.number.set(scalar)
    }
    fn alternative(&self) -> Option<(usize, &dyn Data)> {
        Some((self.own_range(), &self.number))
    }
    fn choose(&mut self, index: usize) -> Option<&mut dyn Data> {
        self.range = Some(index);
        Some(self)
    }
}

/// An enumeration of plus and minus.
impl Data for Sign {
    fn scalar(&self) -> Scalar<'_> {
        Scalar::Enumerated(self.negative.into())
    }
    fn set(&mut self, scalar: Scalar<'_>) -> bool {
        self.negative = scalar == Scalar::Enumerated(1);
        matches!(scalar, Scalar::Enumerated(0 | 1))
    }
}
