//! To text.

use super::{Clock, Date, Difference, Interval, MOST_DIGITS, Point, Time};

/// Receives characters; `false` if there is no room.
pub(super) type Sink<'s> = &'s mut dyn FnMut(char) -> bool;

impl Time {
    /// Writes the text: fractions with a full stop, differences without minutes that are zero.
    /// `false` if the sink has no room.
    pub fn write(&self, sink: Sink<'_>) -> bool {
        if self.is_recurring() {
            let count = match self.recurrence {
                Some(count) => sink('R') && number(count, 1, sink),
                None => sink('R'),
            };
            if !count || !sink('/') {
                return false;
            }
        }
        let [start, end] = &self.points;
        match Time::interval(self.row) {
            None => start.write(sink),
            Some(Interval::Duration) => self.duration.write(sink),
            Some(Interval::StartEnd) => start.write(sink) && sink('/') && end.write(sink),
            Some(Interval::StartDuration) => start.write(sink) && sink('/') && self.duration.write(sink),
            Some(Interval::DurationEnd) => self.duration.write(sink) && sink('/') && end.write(sink),
        }
    }

    /// Whether all numbers are in the ranges of ISO 8601 and of their rows.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let needs_duration = !matches!(Time::interval(self.row), None | Some(Interval::StartEnd));
        self.used_points().all(Point::is_whole)
            && (!needs_duration || self.duration.is_whole())
            && self.recurrence.is_none_or(|count| count >= 0)
    }
}

impl Point {
    fn write(&self, sink: Sink<'_>) -> bool {
        match self.parts() {
            0 => self.date.write(sink),
            1 => self.clock.write(sink),
            _ => self.date.write(sink) && sink('T') && self.clock.write(sink),
        }
    }

    fn is_whole(&self) -> bool {
        let parts = self.parts();
        (parts == 1 || self.date.is_whole()) && (parts == 0 || self.clock.is_whole())
    }
}

impl Date {
    fn write(&self, sink: Sink<'_>) -> bool {
        let (value, width) = if self.form() == 0 { (self.century, 2) } else { (self.year.number, 4) };
        let signed = !self.is_any() || sink(if value < 0 { '-' } else { '+' });
        signed
            && number(value, width, sink)
            && match self.form() {
                0 => sink('C'),
                2 => sink('-') && number(self.month, 2, sink),
                3 => sink('-') && number(self.month, 2, sink) && sink('-') && number(self.day, 2, sink),
                4 => sink('-') && number(self.day, 3, sink),
                5 => sink('-') && sink('W') && number(self.week, 2, sink),
                6 => sink('-') && sink('W') && number(self.week, 2, sink) && sink('-') && number(self.day, 1, sink),
                _ => true,
            }
    }

    fn is_whole(&self) -> bool {
        let (value, usual) = if self.form() == 0 { (self.century, 99) } else { (self.year.number, 9999) };
        let most_day = match self.form() {
            4 => 366,
            6 => 7,
            _ => 31,
        };
        (0..=usual).contains(&value) != self.is_any()
            && value.unsigned_abs() < 10u64.pow(MOST_DIGITS as u32)
            && (1..=12).contains(&self.month)
            && (1..=53).contains(&self.week)
            && (1..=most_day).contains(&self.day)
            && self.year.is_of_its_range()
    }
}

impl Clock {
    fn write(&self, sink: Sink<'_>) -> bool {
        let mut room = number(self.hours, 2, sink);
        for value in [self.minutes, self.seconds].into_iter().take(self.precision().into()) {
            room = room && sink(':') && number(value, 2, sink);
        }
        if self.has_fraction() {
            let width = self.digits.and_then(|digits| usize::try_from(digits).ok()).unwrap_or(1);
            room = room && sink('.') && number(self.fraction, width.min(MOST_DIGITS), sink);
        }
        room && match self.zone() {
            0 => true,
            1 => sink('Z'),
            _ => self.difference.write(sink),
        }
    }

    fn is_whole(&self) -> bool {
        // Hour 24 is allowed only as midnight at the end of a day.
        let ends = self.hours < 24 || self.minutes == 0 && self.seconds == 0 && self.fraction == 0;
        let fraction = match self.digits {
            Some(digits) if self.has_fraction() => is_fraction(digits, self.fraction),
            digits => digits.is_none() && !self.has_fraction(),
        };
        (0..=24).contains(&self.hours)
            && (0..=59).contains(&self.minutes)
            && (0..=60).contains(&self.seconds)
            && ends
            && fraction
            && (0..=15).contains(&self.difference.hours)
            && self.difference.minutes.is_none_or(|minutes| (1..=59).contains(&minutes))
    }
}

impl Difference {
    fn write(&self, sink: Sink<'_>) -> bool {
        let room = sink(if self.sign.negative { '-' } else { '+' }) && number(self.hours, 2, sink);
        room && self.minutes.is_none_or(|minutes| sink(':') && number(minutes, 2, sink))
    }
}

/// Whether a fraction has at most `digits` digits.
pub(super) fn is_fraction(digits: i64, value: i64) -> bool {
    (1..=MOST_DIGITS as i64).contains(&digits) && value >= 0 && value < 10i64.pow(digits as u32)
}

/// Writes a number in at least `width` digits, without its sign.
pub(super) fn number(number: i64, width: usize, sink: Sink<'_>) -> bool {
    let mut digits = [0u8; 20];
    let mut left = number.unsigned_abs();
    let mut count = 0;
    while left > 0 || count < width.min(digits.len()) {
        digits[count] = b'0' + (left % 10) as u8;
        left /= 10;
        count += 1;
    }
    digits[..count].iter().rev().all(|digit| sink(char::from(*digit)))
}
