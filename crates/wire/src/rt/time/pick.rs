//! Values for tests.

use super::duration::Fraction;
use super::settings::{BASIC, DATE, INTERVAL, MIDNIGHT, POINT, PRECISION, RECURRENCE, TIME, YEAR, ZONE};
use super::{Clock, Date, Difference, Duration, Point, Settings, Sign, Time, row};

/// Returns a random number below its argument.
type Below<'b> = &'b mut dyn FnMut(u64) -> u64;

/// How often to try for a value with all settings; properties without a setting are chosen at
/// random.
const ATTEMPTS: usize = 500;

impl Settings {
    /// A random value with these settings. `below` returns a random number below its argument.
    /// `None` if no value was found.
    pub fn pick(&self, below: &mut dyn FnMut(u64) -> u64) -> Option<Time> {
        (0..ATTEMPTS).map(|_| self.attempt(below)).find(|time| self.admits(time) && time.is_whole())
    }

    fn code(&self, place: usize, least: u8, most: u8, below: Below<'_>) -> u8 {
        match self.codes[place] {
            0 => least + below(u64::from(most - least) + 1) as u8,
            code => code,
        }
    }

    fn attempt(&self, below: Below<'_>) -> Time {
        let basic = self.code(BASIC, 1, 5, below);
        let interval = self.code(INTERVAL, 1, 4, below);
        let parts = if basic <= 3 { basic } else { self.code(POINT, 1, 3, below) } - 1;
        let mut time = Time::of_rows([row::NONE; 3]);
        for at in 0..2 {
            time.points[at] = self.point(parts, below);
        }
        let of_interval = match interval {
            1 => row::START_END + parts,
            2 => row::DURATION,
            3 => row::START_DURATION + parts,
            _ => row::DURATION_END + parts,
        };
        time.row = match basic {
            1 => time.points[0].date.row,
            2 => time.points[0].clock.row,
            3 => row::DATE_TIME,
            4 => of_interval,
            _ => of_interval + (row::RECURRING - row::START_END),
        };
        if basic >= 4 {
            time.duration = duration(below);
        }
        if basic == 5 {
            time.recurrence = match self.code(RECURRENCE, 1, 4, below) {
                1 => None,
                2 => Some(below(10) as i64),
                digits => Some(of_digits(digits - 1, below)),
            };
        }
        time
    }

    fn point(&self, parts: u8, below: Below<'_>) -> Point {
        let mut point = Point::default();
        if parts != 1 {
            point.date = self.date(below);
        }
        if parts != 0 {
            point.clock = self.clock(below);
        }
        point
    }

    fn date(&self, below: Below<'_>) -> Date {
        let form = self.code(DATE, 1, 7, below) - 1;
        let year = self.code(YEAR, 1, 6, below);
        let mut date = Date { row: form * 2 + u8::from(year > 2), ..Date::default() };
        date.year.number = match year {
            1 => 1600 + below(8400) as i64,
            2 => below(1582) as i64,
            3 => -1 - below(9999) as i64,
            digits => of_digits(digits.max(5), below) * if below(2) == 0 { 1 } else { -1 },
        };
        date.century = date.year.number / 100;
        date.month = 1 + below(12) as i64;
        date.week = 1 + below(53) as i64;
        date.day = 1 + below(if form == 6 { 7 } else { 28 }) as i64;
        date
    }

    fn clock(&self, below: Below<'_>) -> Clock {
        let time = self.code(TIME, 1, 3 * PRECISION, below) - 1;
        let zone = self.code(ZONE, 1, 3, below) - 1;
        let (precision, digits) = (time / PRECISION, time % PRECISION);
        let row = row::DATES + if digits > 0 { 9 } else { 0 } + precision * 3 + zone;
        let mut clock = Clock { row, hours: below(24) as i64, ..Clock::default() };
        if precision > 0 {
            clock.minutes = below(60) as i64;
        }
        if precision > 1 {
            clock.seconds = below(60) as i64;
        }
        if digits > 0 {
            clock.digits = Some(digits.into());
            clock.fraction = below(10u64.pow(digits.into())) as i64;
        }
        if self.codes[MIDNIGHT] == 2 {
            (clock.hours, clock.minutes, clock.seconds, clock.fraction) = (24, 0, 0, 0);
        }
        if zone == 2 {
            let minutes = below(60) as i64;
            clock.difference = Difference {
                sign: Sign { negative: below(2) == 1 },
                hours: below(16) as i64,
                minutes: Some(minutes).filter(|minutes| *minutes > 0),
            };
        }
        clock
    }
}

fn duration(below: Below<'_>) -> Duration {
    let mut duration = Duration::default();
    if below(5) == 0 {
        duration.numbers[2] = Some(below(100) as i64);
    } else {
        for at in [0, 1, 3, 4, 5] {
            duration.numbers[at] = Some(below(100) as i64).filter(|number| number % 2 == 1);
        }
        duration.numbers[6] = Some(below(100) as i64);
    }
    if below(3) == 0 {
        let digits = 1 + below(5) as u32;
        duration.fraction = Some(Fraction { digits: digits.into(), value: below(10u64.pow(digits)) as i64 });
    }
    duration
}

/// A random number of `digits` digits.
fn of_digits(digits: u8, below: Below<'_>) -> i64 {
    let least = 10u64.pow(u32::from(digits) - 1);
    (least + below(least * 9)) as i64
}
