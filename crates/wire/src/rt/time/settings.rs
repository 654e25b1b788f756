//! Property settings (X.680 §38.2): which values a type has.

use super::{Clock, Date, Interval, Point, Time, row};

/// A setting, or none, for each property. It stands for the values that have all of these settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Settings {
    pub(super) codes: [u8; 9],
}

/// A property or a setting that X.680 §38 does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown;

/// The properties, in the order of the codes.
const PROPERTIES: [&str; 9] =
    ["Basic", "Date", "Year", "Time", "Local-or-UTC", "Interval-type", "SE-point", "Recurrence", "Midnight"];
pub(super) const BASIC: usize = 0;
pub(super) const DATE: usize = 1;
pub(super) const YEAR: usize = 2;
pub(super) const TIME: usize = 3;
pub(super) const ZONE: usize = 4;
pub(super) const INTERVAL: usize = 5;
pub(super) const POINT: usize = 6;
pub(super) const RECURRENCE: usize = 7;
pub(super) const MIDNIGHT: usize = 8;

/// The most digits of fractions, years and recurrences that a setting can name.
const MOST: u8 = 18;
/// The number of codes for one precision: without a fraction, and with one of up to [`MOST`]
/// digits.
pub(super) const PRECISION: u8 = MOST + 1;

impl Settings {
    /// Reads `Basic=Date Date=YMD Year=Basic`.
    ///
    /// # Errors
    /// Unknown properties or settings, the same property twice, or none at all.
    pub fn read(text: &str) -> Result<Self, Unknown> {
        let mut settings = Settings::default();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (property, tail) = rest.split_once('=').ok_or(Unknown)?;
            let tail = tail.trim_start();
            let (setting, tail) = tail.split_at(tail.find(char::is_whitespace).unwrap_or(tail.len()));
            let place = PROPERTIES.iter().position(|known| *known == property.trim_end()).ok_or(Unknown)?;
            let code = code(place, setting).ok_or(Unknown)?;
            if core::mem::replace(&mut settings.codes[place], code) != 0 {
                return Err(Unknown);
            }
            rest = tail.trim_start();
        }
        if settings == Settings::default() { Err(Unknown) } else { Ok(settings) }
    }

    /// The setting of each property as a number: what [`Settings::from_codes`] takes.
    #[must_use]
    pub const fn codes(&self) -> [u8; 9] {
        self.codes
    }

    /// The settings that have these [codes](Settings::codes).
    #[must_use]
    pub const fn from_codes(codes: [u8; 9]) -> Self {
        Settings { codes }
    }

    /// The values that have the settings of both; `None` if there are none.
    #[must_use]
    pub fn and(self, other: Self) -> Option<Self> {
        let mut both = self;
        for (code, other) in both.codes.iter_mut().zip(other.codes) {
            match (*code, other) {
                (_, 0) => {}
                (0, other) => *code = other,
                (code, other) if code == other => {}
                _ => return None,
            }
        }
        Some(both)
    }

    /// Whether a value has them.
    #[must_use]
    pub fn admits(&self, time: &Time) -> bool {
        let own = |place: usize, code: u8| self.codes[place] == 0 || self.codes[place] == code;
        let (basic, interval, point) = classes(time.row());
        let recurrence = match time.recurrence {
            _ if !time.is_recurring() => 0,
            None => 1,
            Some(count) => 2 + count.checked_ilog10().unwrap_or(0) as u8,
        };
        let has_points = time.used_points().next().is_some();
        let of_point = |place: usize, of: fn(&Point) -> u8| {
            self.codes[place] == 0 || has_points && time.used_points().all(|point| self.codes[place] == of(point))
        };
        own(BASIC, basic)
            && own(INTERVAL, interval)
            && own(POINT, point)
            && own(RECURRENCE, recurrence)
            && of_point(DATE, |point| if point.parts() == 1 { 0 } else { point.date.form() + 1 })
            && of_point(YEAR, |point| if point.parts() == 1 { 0 } else { point.date.year_setting() })
            && of_point(TIME, |point| if point.parts() == 0 { 0 } else { point.clock.setting() })
            && of_point(ZONE, |point| if point.parts() == 0 { 0 } else { point.clock.zone() + 1 })
            && of_point(MIDNIGHT, |point| match point.parts() {
                0 => 0,
                _ if point.clock.hours == 24 => 2,
                _ => 1,
            })
    }

    /// The rows of X.691 Table 2 that all their values have: of the value, its date and its time of
    /// day, and the digits of a fraction; `None` if there are several.
    #[must_use]
    pub fn rows(&self) -> Option<([u8; 3], u8)> {
        let [basic, _, _, time, ..] = self.codes;
        let (date, clock) = (self.date_row(), self.clock_row());
        let digits = time.saturating_sub(1) % PRECISION;
        let interval = |start: u8| {
            let interval = self.codes[INTERVAL];
            let row = match interval {
                0 => return None,
                2 => return Some([start + 3, row::NONE, row::NONE]),
                1 => start,
                3 => start + 4,
                _ => start + 7,
            };
            Some(match self.codes[POINT] {
                1 => [row, date?, row::NONE],
                2 => [row + 1, row::NONE, clock?],
                3 => [row + 2, date?, clock?],
                _ => return None,
            })
        };
        let rows = match basic {
            1 => [date?, date?, row::NONE],
            2 => [clock?, row::NONE, clock?],
            3 => [row::DATE_TIME, date?, clock?],
            4 => interval(row::START_END)?,
            5 => interval(row::RECURRING)?,
            _ => return None,
        };
        Some((rows, if rows[2] == row::NONE { 0 } else { digits }))
    }

    fn date_row(&self) -> Option<u8> {
        let any = match self.codes[YEAR] {
            0 => return None,
            1 | 2 => 0,
            _ => 1,
        };
        Some(self.codes[DATE].checked_sub(1)? * 2 + any)
    }

    fn clock_row(&self) -> Option<u8> {
        let time = self.codes[TIME].checked_sub(1)?;
        let zone = self.codes[ZONE].checked_sub(1)?;
        let fraction = if time % PRECISION > 0 { 9 } else { 0 };
        Some(row::DATES + fraction + time / PRECISION * 3 + zone)
    }

    /// The codes in three numbers, for tables.
    #[must_use]
    pub fn numbers(&self) -> [u32; 3] {
        let of =
            |from: usize| (0..4).fold(0, |sum, at| sum << 8 | u32::from(self.codes.get(from + at).map_or(0, |c| *c)));
        [of(0), of(4), of(8)]
    }

    /// The inverse of [`Settings::numbers`].
    #[must_use]
    pub fn from_numbers(numbers: [u32; 3]) -> Self {
        let mut settings = Settings::default();
        let octets = numbers.iter().flat_map(|number| number.to_be_bytes());
        settings.codes.iter_mut().zip(octets).for_each(|(code, octet)| *code = octet);
        settings
    }
}

/// The code of a setting.
fn code(place: usize, setting: &str) -> Option<u8> {
    let named = |names: &[&str]| names.iter().position(|name| *name == setting).map(|at| at as u8 + 1);
    let digits = |text: &str, least: u8| {
        let plain = !text.starts_with('0') && text.bytes().all(|octet| octet.is_ascii_digit());
        text.parse().ok().filter(|count| plain && (least..=MOST).contains(count))
    };
    match place {
        BASIC => named(&["Date", "Time", "Date-Time", "Interval", "Rec-Interval"]),
        DATE => named(&["C", "Y", "YM", "YMD", "YD", "YW", "YWD"]),
        YEAR => named(&["Basic", "Proleptic", "Negative"]).or_else(|| digits(setting.strip_prefix('L')?, 5)),
        TIME => {
            let (precision, fraction) = match setting.split_once('F') {
                Some((precision, fraction)) => (precision, digits(fraction, 1)?),
                None => (setting, 0),
            };
            let precision = ["H", "HM", "HMS"].iter().position(|name| *name == precision)? as u8;
            Some(precision * PRECISION + fraction + 1)
        }
        ZONE => named(&["L", "Z", "LD"]),
        INTERVAL => named(&["SE", "D", "SD", "DE"]),
        POINT => named(&["Date", "Time", "Date-Time"]),
        RECURRENCE => named(&["Unlimited"]).or_else(|| Some(digits(setting.strip_prefix('R')?, 1)? + 1)),
        MIDNIGHT => named(&["Start", "End"]),
        _ => None,
    }
}

/// A row's settings of Basic, Interval-type and SE-point.
fn classes(of: u8) -> (u8, u8, u8) {
    let basic = match of {
        0..row::DATES => return (1, 0, 0),
        row::DATES..row::CLOCKS => return (2, 0, 0),
        row::DATE_TIME => return (3, 0, 0),
        row::START_END..row::RECURRING => 4,
        _ => 5,
    };
    let of = (of - row::START_END) % (row::RECURRING - row::START_END);
    match Time::interval(of + row::START_END) {
        Some(Interval::StartEnd) => (basic, 1, of + 1),
        Some(Interval::StartDuration) => (basic, 3, of - 3),
        Some(Interval::DurationEnd) => (basic, 4, of - 6),
        _ => (basic, 2, 0),
    }
}

impl Date {
    /// The setting of a year: from 1582 on, before that, before the year 0, or by its number of
    /// digits (a century has two less).
    fn year_setting(&self) -> u8 {
        let (value, missing) = if self.form() == 0 { (self.century, 2) } else { (self.year.number, 0) };
        let digits = value.unsigned_abs().checked_ilog10().map_or(1, |log| log as u8 + 1) + missing;
        match self.is_any() {
            true if digits > 4 => digits,
            true => 3,
            false if value.saturating_mul(10i64.pow(missing.into())) >= 1582 => 1,
            false => 2,
        }
    }
}

impl Clock {
    fn setting(&self) -> u8 {
        let digits = self.digits.map_or(0, |digits| digits.clamp(0, MOST.into()) as u8);
        self.precision() * PRECISION + digits + 1
    }
}
