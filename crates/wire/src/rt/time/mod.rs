//! Values of the time types of X.680 §38: text of ISO 8601, and the numbers that it is made of.
//!
//! The *row* of X.691 Table 2 (counted from 0 here) that a value belongs to says which numbers it
//! has.

mod data;
mod digits;
mod duration;
mod pick;
mod read;
mod settings;
mod write;

pub use data::component;
pub use duration::Duration;
pub use settings::{Settings, Unknown};

/// The most digits of a number that are kept.
const MOST_DIGITS: usize = 18;

/// Rows of X.691 Table 2, from 0 on.
pub mod row {
    /// The number of rows of dates: century, year, month, day, day of the year, week and day of the
    /// week, each for four digits of the year without a sign and for others.
    pub const DATES: u8 = 14;
    /// The rows of dates that are a year, a year and a month, or these and the day of the month.
    pub const YEARS: core::ops::Range<u8> = 2..8;
    /// The end of the rows of times of day: hours, minutes and seconds, each in local time, in UTC,
    /// and in local time with its difference; and then the same with fractions.
    pub const CLOCKS: u8 = 32;
    /// The first row of times of day with a fraction.
    pub const FRACTIONS: u8 = 23;
    /// The first row with a fraction of a second.
    pub const SECOND_FRACTIONS: u8 = 29;
    /// A date and a time of day.
    pub const DATE_TIME: u8 = 32;
    /// Start and end as dates; the next two rows have times, and dates with times.
    pub const START_END: u8 = 33;
    /// A duration.
    pub const DURATION: u8 = 36;
    /// Start and duration, also three rows.
    pub const START_DURATION: u8 = 37;
    /// Duration and end, also three rows.
    pub const DURATION_END: u8 = 40;
    /// Recurring: start and end, also three rows.
    pub const RECURRING: u8 = 43;
    /// A recurring duration.
    pub const RECURRING_DURATION: u8 = 46;
    /// How many rows there are.
    pub const COUNT: u8 = 53;
    /// In place of a row: the type has several, or there is no date or no time of day.
    pub const NONE: u8 = u8::MAX;
    /// In place of a row: all values are encoded as text.
    pub const TEXT: u8 = u8::MAX - 1;
}

/// The parts that define an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    /// Its start and its end.
    StartEnd,
    /// How long it is.
    Duration,
    /// Its start, and how long it is.
    StartDuration,
    /// How long it is, and its end.
    DurationEnd,
}

/// A date, a time of day, both, an interval or a recurring interval.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    row: u8,
    /// The number of recurrences; `None` without a limit.
    recurrence: Option<i64>,
    /// Start and end; a value that is not an interval uses only the first.
    points: [Point; 2],
    duration: Duration,
}

/// A date, a time of day, or both.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    date: Date,
    clock: Clock,
}

#[derive(Clone, Copy, Debug)]
struct Date {
    row: u8,
    century: i64,
    year: Year,
    month: i64,
    week: i64,
    day: i64,
}

/// A year, and which range it was read from.
#[derive(Clone, Copy, Debug, Default)]
struct Year {
    number: i64,
    range: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Clock {
    row: u8,
    hours: i64,
    minutes: i64,
    seconds: i64,
    fraction: i64,
    digits: Option<i64>,
    difference: Difference,
}

/// The difference from UTC to local time.
#[derive(Clone, Copy, Debug, Default)]
struct Difference {
    sign: Sign,
    hours: i64,
    minutes: Option<i64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sign {
    negative: bool,
}

impl Default for Date {
    fn default() -> Self {
        Date { row: row::NONE, century: 0, year: Year::default(), month: 1, week: 1, day: 1 }
    }
}

impl Default for Clock {
    fn default() -> Self {
        let difference = Difference::default();
        Clock { row: row::NONE, hours: 0, minutes: 0, seconds: 0, fraction: 0, digits: None, difference }
    }
}

impl Time {
    /// A time whose numbers are not set yet, with its row (or [`row::NONE`]) and the rows of its
    /// date and its time of day, if the type has only one.
    #[must_use]
    pub fn of_rows([row, date, clock]: [u8; 3]) -> Self {
        let point =
            Point { date: Date { row: date, ..Date::default() }, clock: Clock { row: clock, ..Clock::default() } };
        Time { row, recurrence: None, points: [point; 2], duration: Duration::default() }
    }

    /// The row of X.691 Table 2 that it belongs to.
    #[must_use]
    pub fn row(&self) -> u8 {
        self.row
    }

    /// Its row, and those of its date and its time of day.
    #[must_use]
    pub fn rows(&self) -> [u8; 3] {
        let point = self.used_points().next();
        [self.row, point.map_or(row::NONE, |point| point.date.row), point.map_or(row::NONE, |point| point.clock.row)]
    }

    /// The parts that define an interval of this row.
    #[must_use]
    pub fn interval(row: u8) -> Option<Interval> {
        match row {
            row::RECURRING..row::COUNT => Time::interval(row - (row::RECURRING - row::START_END)),
            row::START_END..row::DURATION => Some(Interval::StartEnd),
            row::DURATION => Some(Interval::Duration),
            row::START_DURATION..row::DURATION_END => Some(Interval::StartDuration),
            row::DURATION_END..row::RECURRING => Some(Interval::DurationEnd),
            _ => None,
        }
    }

    fn is_recurring(&self) -> bool {
        self.row >= row::RECURRING
    }

    fn used_points(&self) -> impl Iterator<Item = &Point> {
        let used = match Time::interval(self.row) {
            None | Some(Interval::StartDuration) => 0..1,
            Some(Interval::StartEnd) => 0..2,
            Some(Interval::Duration) => 0..0,
            Some(Interval::DurationEnd) => 1..2,
        };
        self.points.get(used).unwrap_or(&[]).iter()
    }
}

impl Point {
    /// Its parts: 0 for a date, 1 for a time of day, 2 for both.
    fn parts(&self) -> u8 {
        match (self.date.row, self.clock.row) {
            (_, row::NONE) => 0,
            (row::NONE, _) => 1,
            _ => 2,
        }
    }
}

impl Date {
    /// The part after the century or year: 0 for a century, 1 nothing, 2 a month, 3 a month and a
    /// day, 4 a day, 5 a week, 6 a week and a day.
    fn form(&self) -> u8 {
        self.row / 2
    }

    /// Whether the year has a form other than four digits without a sign.
    fn is_any(&self) -> bool {
        self.row % 2 == 1
    }
}

impl Clock {
    /// 0 for hours, 1 with minutes, 2 with seconds.
    fn precision(&self) -> u8 {
        self.row.saturating_sub(row::DATES) % 9 / 3
    }

    /// 0 for local time, 1 for UTC, 2 for local time and its difference.
    fn zone(&self) -> u8 {
        self.row.saturating_sub(row::DATES) % 3
    }

    fn has_fraction(&self) -> bool {
        self.row >= row::FRACTIONS
    }
}

/// Whether a text is `digits` digits and `Z`: a UTCTime or GeneralizedTime to the second, in UTC.
#[must_use]
pub fn is_utc(text: &str, digits: usize) -> bool {
    match text.as_bytes() {
        [number @ .., b'Z'] => number.len() == digits && number.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::String;

    #[test]
    fn texts_and_their_rows() {
        for (text, row) in [
            ("19C", 1),
            ("-19C", 2),
            ("+123C", 2),
            ("1985", 3),
            ("-0002", 4),
            ("+12345", 4),
            ("1985-04", 5),
            ("1985-04-12", 7),
            ("-0002-04-12", 8),
            ("1985-102", 9),
            ("1985-W15", 11),
            ("1985-W15-5", 13),
            ("+12345-W15-5", 14),
            ("15", 15),
            ("15Z", 16),
            ("15+01", 17),
            ("15:27", 18),
            ("15:27-05:30", 20),
            ("15:27:46", 21),
            ("15:27:46Z", 22),
            ("15.5", 24),
            ("15:27.35Z", 28),
            ("15:27:35.5+01", 32),
            ("1985-04-12T15:27:46", 33),
            ("1985-W15T15Z", 33),
            ("1985/1986", 34),
            ("15:00/16:00", 35),
            ("1985-04-12T15/1985-04-13T15", 36),
            ("P1Y2DT3.5S", 37),
            ("1985-04-12/P1D", 38),
            ("15:27/PT1H", 39),
            ("1985-04-12T15/P1W", 40),
            ("P1D/1985-04-12", 41),
            ("PT1H/15:27", 42),
            ("P1D/1985-04-12T15", 43),
            ("R/1985/1986", 44),
            ("R5/15:00/16:00", 45),
            ("R12/P1D", 47),
            ("R12/1985/P1D", 48),
            ("R0/P1D/1985-04-12T15", 53),
        ] {
            let time = Time::read(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(time.row() + 1, row, "{text}");
            assert!(time.is_whole(), "{text}");
            let mut again = String::new();
            assert!(time.write(&mut |character| {
                again.push(character);
                true
            }));
            assert_eq!(again, text);
        }
    }

    #[test]
    fn texts_that_are_none() {
        for text in [
            "",
            "1",
            "198",
            "19850412",
            "1985-4",
            "+1985",
            "-1985-",
            "+01234",
            "-0000",
            "1985-04-12-",
            "1985-W1",
            "1985-W15-",
            "15:2",
            "15:27:4",
            "15.",
            "15:27Z:",
            "15+1",
            "15+01:0",
            "1985-04-12T",
            "T15",
            "1985T15T16",
            "/",
            "1985/",
            "/1985",
            "1985/15",
            "R",
            "R5",
            "R/",
            "RX/P1D",
            "R5/1985",
            "P",
            "P1D/P1D",
            "P1D/",
            "1985/1986/1987",
            "19C-04",
            "\u{e9}985",
            "15:27:46+",
            "15,5,5",
            "15.1234567890123456789",
        ] {
            assert!(Time::read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn what_has_two_forms_is_written_in_one() {
        for (text, wanted) in [
            ("15:27:35,5+01:00", "15:27:35.5+01"),
            ("P0Y1DT0H0.50S", "P1DT0.50S"),
            ("P0Y0D", "P0D"),
            ("R07/P01W", "R7/P1W"),
        ] {
            let mut again = String::new();
            Time::read(text).unwrap().write(&mut |character| {
                again.push(character);
                true
            });
            assert_eq!(again, wanted);
        }
    }

    #[test]
    fn numbers_out_of_range() {
        for text in [
            "1985-13",
            "1985-00-01",
            "1985-04-32",
            "1985-367",
            "1985-W54",
            "1985-W10-8",
            "25",
            "15:60",
            "15:27:61",
            "15+16",
            "24:30",
            "15:27+01:60",
        ] {
            assert!(Time::read(text).is_some_and(|time| !time.is_whole()), "{text}");
        }
    }

    #[test]
    fn settings_select_values() {
        for (settings, good, bad) in [
            ("Basic=Date Date=YMD Year=Basic", "1985-04-12", "1500-04-12"),
            ("Basic=Date Date=YMD", "+12345-04-12", "1985-04"),
            ("Date=YW", "1985-W15T15Z", "1985-04"),
            ("Year=Negative", "-0002", "0002"),
            ("Year=L5", "+12345", "+123456"),
            ("Basic=Date Date=C Year=L5", "+123C", "+1234C"),
            ("Basic=Time Time=HMSF3 Local-or-UTC=LD", "15:27:35.123+01", "15:27:35.12+01"),
            ("Basic=Time Time=HM", "15:27Z", "15:27.5Z"),
            ("Midnight=Start", "00:00:00", "24:00:00"),
            ("Midnight=End", "24:00", "23:59"),
            ("Basic=Interval Interval-type=SD SE-point=Date-Time", "1985-04-12T15/P1W", "1985-04-12/P1W"),
            ("Basic=Rec-Interval Recurrence=Unlimited", "R/P1D", "R1/P1D"),
            ("Basic=Rec-Interval  Recurrence = R2", "R12/P1D", "R1/P1D"),
        ] {
            let settings = Settings::read(settings).unwrap();
            assert!(settings.admits(&Time::read(good).unwrap()), "{settings:?} {good}");
            assert!(!settings.admits(&Time::read(bad).unwrap()), "{settings:?} {bad}");
        }
        // A value picked for some settings has these settings, also after it has been written and
        // read again.
        let mut state = 1u64;
        for settings in [
            "Basic=Rec-Interval",
            "Date=YW",
            "Year=L7",
            "Time=HMF3",
            "Midnight=End Local-or-UTC=LD",
            "Recurrence=R2",
            "Date=C",
            "",
        ] {
            let settings = Settings::read(settings).unwrap_or_default();
            for _ in 0..200 {
                let picked = settings.pick(&mut |below| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state >> 20) % below
                });
                let mut text = String::new();
                picked.unwrap().write(&mut |character| {
                    text.push(character);
                    true
                });
                let time = Time::read(&text).unwrap_or_else(|| panic!("{text}"));
                assert!(time.is_whole() && settings.admits(&time), "{text} {settings:?}");
                assert_eq!(time.rows(), picked.unwrap().rows(), "{text}");
                if let Some((rows, _)) = settings.rows() {
                    assert_eq!(rows, time.rows(), "{text}");
                }
            }
        }
        for settings in [
            "",
            "Basic",
            "Basic=",
            "Basic=Day",
            "Size=3",
            "Year=L4",
            "Year=L",
            "Time=HS",
            "Time=HF0",
            "Basic=Date Basic=Date",
            "Recurrence=R0",
        ] {
            assert!(Settings::read(settings).is_err(), "{settings}");
        }
    }
}
