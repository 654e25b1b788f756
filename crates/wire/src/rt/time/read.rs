//! From text.

use super::digits::{all, all_digits, digits, exactly};
use super::{Clock, Date, Difference, Duration, Interval, Point, Sign, Time, Year, row};

impl Time {
    /// Reads the extended format of ISO 8601, a century with a `C` after it. Numbers may be out of
    /// range.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let Some(recurring) = text.strip_prefix('R') else { return Time::single(text) };
        let (count, rest) = recurring.split_once('/')?;
        let mut time = Time::single(rest)?;
        time.recurrence = if count.is_empty() { None } else { Some(all_digits(count)?) };
        Time::interval(time.row)?;
        time.row += row::RECURRING - row::START_END;
        Some(time)
    }

    fn single(text: &str) -> Option<Self> {
        let mut time = Time::of_rows([row::NONE; 3]);
        let (interval, of) = match text.split_once('/') {
            None if text.starts_with('P') => {
                time.duration = Duration::read(text)?;
                (Interval::Duration, 0)
            }
            None => {
                let point = Point::read(text)?;
                time.points[0] = point;
                time.row = match point.parts() {
                    0 => point.date.row,
                    1 => point.clock.row,
                    _ => row::DATE_TIME,
                };
                return Some(time);
            }
            Some((start, end)) if start.starts_with('P') => {
                time.duration = Duration::read(start)?;
                time.points[1] = Point::read(end)?;
                (Interval::DurationEnd, time.points[1].parts())
            }
            Some((start, end)) if end.starts_with('P') => {
                time.points[0] = Point::read(start)?;
                time.duration = Duration::read(end)?;
                (Interval::StartDuration, time.points[0].parts())
            }
            Some((start, end)) => {
                time.points = [Point::read(start)?, Point::read(end)?];
                let parts = time.points.map(|point| point.parts());
                if parts[0] != parts[1] {
                    return None;
                }
                (Interval::StartEnd, parts[0])
            }
        };
        time.row = of
            + match interval {
                Interval::StartEnd => row::START_END,
                Interval::Duration => row::DURATION,
                Interval::StartDuration => row::START_DURATION,
                Interval::DurationEnd => row::DURATION_END,
            };
        Some(time)
    }
}

impl Point {
    fn read(text: &str) -> Option<Self> {
        if let Some((date, clock)) = text.split_once('T') {
            return Some(Point { date: Date::read(date)?, clock: Clock::read(clock)? });
        }
        // Two digits without a third digit or a `C` are hours.
        let is_clock = digits(text).is_some_and(|(digits, rest)| digits.len() == 2 && !rest.starts_with('C'));
        Some(match is_clock {
            true => Point { clock: Clock::read(text)?, ..Point::default() },
            false => Point { date: Date::read(text)?, ..Point::default() },
        })
    }
}

impl Date {
    fn read(text: &str) -> Option<Self> {
        let mut date = Date::default();
        let (sign, rest) = match text.strip_prefix(['+', '-']) {
            Some(rest) => (text.chars().next(), rest),
            None => (None, text),
        };
        let (number, rest) = digits(rest)?;
        let value = all_digits(number)?;
        let usual = if rest == "C" { 2 } else { 4 };
        // More digits than usual only if they are needed.
        let fits = match (sign, number.len()) {
            (None, count) => count == usual,
            (Some('-'), count) if count == usual => value > 0,
            (_, count) => count > usual && !number.starts_with('0'),
        };
        if !fits {
            return None;
        }
        let value = if sign == Some('-') { -value } else { value };
        let form = if rest == "C" {
            date.century = value;
            0
        } else {
            date.year = Year { number: value, range: None };
            date.behind_year(rest)?
        };
        date.row = form * 2 + u8::from(sign.is_some());
        Some(date)
    }

    fn behind_year(&mut self, text: &str) -> Option<u8> {
        if text.is_empty() {
            return Some(1);
        }
        let text = text.strip_prefix('-')?;
        if let Some(week) = text.strip_prefix('W') {
            let (week, day) = exactly(week, 2)?;
            self.week = week;
            if day.is_empty() {
                return Some(5);
            }
            self.day = all(day.strip_prefix('-')?, 1)?;
            return Some(6);
        }
        if text.len() == 3 {
            self.day = all(text, 3)?;
            return Some(4);
        }
        let (month, day) = exactly(text, 2)?;
        self.month = month;
        if day.is_empty() {
            return Some(2);
        }
        self.day = all(day.strip_prefix('-')?, 2)?;
        Some(3)
    }
}

impl Clock {
    fn read(text: &str) -> Option<Self> {
        let mut clock = Clock::default();
        let (hours, mut rest) = exactly(text, 2)?;
        clock.hours = hours;
        let mut precision = 0;
        for place in [&mut clock.minutes, &mut clock.seconds] {
            let Some(next) = rest.strip_prefix(':') else { break };
            (*place, rest) = exactly(next, 2)?;
            precision += 1;
        }
        if let Some(next) = rest.strip_prefix(['.', ',']) {
            let (fraction, next) = digits(next)?;
            clock.digits = i64::try_from(fraction.len()).ok();
            clock.fraction = all_digits(fraction)?;
            rest = next;
        }
        let zone = match rest.chars().next() {
            None => 0,
            Some('Z') if rest.len() == 1 => 1,
            Some(sign @ ('+' | '-')) => {
                clock.difference = Difference::read(sign == '-', rest.get(1..)?)?;
                2
            }
            Some(_) => return None,
        };
        clock.row = row::DATES + if clock.digits.is_some() { 9 } else { 0 } + precision * 3 + zone;
        Some(clock)
    }
}

impl Difference {
    fn read(negative: bool, text: &str) -> Option<Self> {
        let (hours, rest) = exactly(text, 2)?;
        // X.691 §32.3: minutes of zero are left out.
        let minutes = match rest {
            "" => None,
            _ => Some(all(rest.strip_prefix(':')?, 2)?).filter(|minutes| *minutes != 0),
        };
        Some(Difference { sign: Sign { negative }, hours, minutes })
    }
}
