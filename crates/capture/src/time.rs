//! Times: of the recording machine's clock, and of messages.

use core::fmt;

/// A time in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time {
    /// Seconds since 1970-01-01T00:00:00 UTC, without leap seconds.
    pub seconds: i64,
    /// Nanoseconds of that second, 0 to 999999999.
    pub nanoseconds: u32,
}

/// 2004-01-01, and the days before which a leap second was inserted since: as [`Time::seconds`].
const EPOCH: u64 = 1_072_915_200;
/// 2010-01-01, from which TS 103 097 V1.1.1 counts.
const EPOCH_OF_V1_1: u64 = 1_262_304_000;
const LEAPS: [u64; 5] = [1_136_073_600, 1_230_768_000, 1_341_100_800, 1_435_708_800, 1_483_228_800];

impl Time {
    /// From microseconds since 2004-01-01T00:00:00 UTC that count leap seconds (TAI), as messages
    /// have it. A leap second itself is the first second of the next day.
    #[must_use]
    pub fn of_message(microseconds: u64) -> Time {
        let counted = microseconds / 1_000_000;
        // With as many leap seconds before it as have been inserted.
        let inserted = LEAPS.iter().zip(1..).filter(|(leap, number)| counted >= *leap - EPOCH + number).count() as u64;
        Time { seconds: (EPOCH + counted - inserted) as i64, nanoseconds: (microseconds % 1_000_000) as u32 * 1000 }
    }

    /// The microseconds since 2004-01-01T00:00:00 UTC that count leap seconds (TAI); nothing for
    /// earlier times.
    #[must_use]
    pub fn microseconds(self) -> Option<u64> {
        let counted = u64::try_from(self.seconds).ok()?.checked_sub(EPOCH)?;
        let inserted = LEAPS.iter().filter(|leap| counted + EPOCH >= **leap).count() as u64;
        (counted + inserted).checked_mul(1_000_000)?.checked_add(u64::from(self.nanoseconds / 1000))
    }
}

/// From 2004-01-01 to 2010-01-01, in microseconds that count leap seconds.
pub(crate) fn from_2004_to_2010() -> u64 {
    let inserted = LEAPS.iter().filter(|leap| **leap <= EPOCH_OF_V1_1).count() as u64;
    (EPOCH_OF_V1_1 - EPOCH + inserted) * 1_000_000
}

/// As RFC 3339 has it, with six or nine digits of a second: `2019-06-11T08:14:02.123456Z`.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, second) = (self.seconds.div_euclid(86_400), self.seconds.rem_euclid(86_400));
        let (year, month, day) = date(days);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let nanoseconds = self.nanoseconds;
        let (fraction, digits) = if nanoseconds % 1000 == 0 { (nanoseconds / 1000, 6) } else { (nanoseconds, 9) };
        if !(0..=9999).contains(&year) || nanoseconds > 999_999_999 {
            write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.")?;
            return write!(f, "{fraction:0digits$}Z");
        }
        // A log has one in each line: formatting would take most of the time for it.
        let mut text = *b"0000-00-00T00:00:00.000000000Z";
        let parts = [(0..4, year), (5..7, month), (8..10, day), (11..13, hour), (14..16, minute), (17..19, second)];
        for (place, number) in parts.into_iter().chain([(20..20 + digits, fraction.into())]) {
            put(text.get_mut(place).unwrap_or_default(), number);
        }
        if let Some(last) = text.get_mut(20 + digits) {
            *last = b'Z';
        }
        f.write_str(text.get(..21 + digits).and_then(|text| core::str::from_utf8(text).ok()).unwrap_or_default())
    }
}

/// The last decimal digits of a number that is not negative, as many as there is room for.
fn put(place: &mut [u8], number: i64) {
    let mut left = number;
    for digit in place.iter_mut().rev() {
        *digit = b'0' + (left % 10) as u8;
        left /= 10;
    }
}

/// Year, month and day of a day that is counted from 1970-01-01. A year begins in March here, so
/// that February with its leap day is the last month.
fn date(days: i64) -> (i64, i64, i64) {
    // From 0000-03-01, in periods of 400 years.
    let days = days + 719_468;
    let (period, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + period * 400 + i64::from(month <= 2), month, day)
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    fn told(seconds: i64, nanoseconds: u32) -> String {
        Time { seconds, nanoseconds }.to_string()
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(told(0, 0), "1970-01-01T00:00:00.000000Z");
        assert_eq!(told(951_782_399, 999_999_999), "2000-02-28T23:59:59.999999999Z");
        assert_eq!(told(951_782_400, 0), "2000-02-29T00:00:00.000000Z");
        assert_eq!(told(1_574_608_225, 208_966_000), "2019-11-24T15:10:25.208966Z");
        assert_eq!(told(4_107_542_400, 0), "2100-03-01T00:00:00.000000Z");
        assert_eq!(told(-1, 0), "1969-12-31T23:59:59.000000Z");
        assert_eq!(told(253_402_300_799, 1), "9999-12-31T23:59:59.000000001Z");
        assert_eq!(told(253_402_300_800, 2000), "10000-01-01T00:00:00.000002Z");
        assert_eq!(told(-62_167_219_201, 0), "-001-12-31T23:59:59.000000Z");
        assert_eq!(told(0, 4_294_967_295), "1970-01-01T00:00:00.4294967295Z");
        // Every day of two periods follows the one before it.
        let mut last = (1600, 2, 29);
        for days in -135_080..160_000 {
            let (year, month, day) = date(days);
            let is_next = (year, month, day) == (last.0, last.1, last.2 + 1)
                || (day == 1 && (year, month) == (last.0, last.1 + 1) && last.2 >= 28)
                || (day == 1 && month == 1 && (year, 12, 31) == (last.0 + 1, last.1, last.2));
            assert!(is_next, "{last:?} {year}-{month}-{day}");
            last = (year, month, day);
        }
    }

    /// TS 102 894-2 (TimestampIts): 2007-01-01T00:00:00.000Z is 94694401000 milliseconds, one leap
    /// second after 2004.
    #[test]
    fn times_of_messages_count_leap_seconds() {
        assert_eq!(Time::of_message(0).to_string(), "2004-01-01T00:00:00.000000Z");
        assert_eq!(Time::of_message(94_694_401_000_000).to_string(), "2007-01-01T00:00:00.000000Z");
        let (end, second) = (1_483_228_800 - EPOCH, 1_000_000);
        assert_eq!(Time::of_message((end + 3) * second).to_string(), "2016-12-31T23:59:59.000000Z");
        assert_eq!(Time::of_message((end + 4) * second).to_string(), "2017-01-01T00:00:00.000000Z");
        assert_eq!(Time::of_message((end + 5) * second).to_string(), "2017-01-01T00:00:00.000000Z");
        assert_eq!(Time::of_message((end + 6) * second + 7).to_string(), "2017-01-01T00:00:01.000007Z");
        assert!(Time::of_message(u64::MAX).seconds > 0, "no overflow");
        assert_eq!(Time::of_message(from_2004_to_2010()).to_string(), "2010-01-01T00:00:00.000000Z");
        for microseconds in [0, 7, (end + 3) * second, (end + 5) * second, (end + 6) * second + 7] {
            assert_eq!(Time::of_message(microseconds).microseconds(), Some(microseconds));
        }
        let time = |seconds| Time { seconds, nanoseconds: 999 };
        let of = [i64::MIN, -1, EPOCH as i64 - 1, EPOCH as i64, i64::MAX].map(|seconds| time(seconds).microseconds());
        assert_eq!(of, [None, None, None, Some(0), None]);
    }
}
