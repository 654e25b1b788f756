//! The canonical form of UTCTime and GeneralizedTime (X.690 §11.7, §11.8): seconds, no zeros at the
//! end of a fraction, UTC.

/// A time in canonical form. A longer text is written unchanged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Canonical {
    octets: [u8; LONGEST],
    length: usize,
}

const LONGEST: usize = 40;

impl Canonical {
    fn push(&mut self, octet: u8) -> Option<()> {
        *self.octets.get_mut(self.length)? = octet;
        self.length += 1;
        Some(())
    }

    fn number(&mut self, number: i64, digits: u32) -> Option<()> {
        (0..digits).rev().try_for_each(|place| self.push(b'0' + (number / 10i64.pow(place) % 10) as u8))
    }

    pub(crate) fn text(&self) -> &str {
        self.octets.get(..self.length).and_then(|octets| core::str::from_utf8(octets).ok()).unwrap_or("")
    }
}

/// The canonical form of a time; `None` if the text has another form, is not a time, or is a local
/// time, whose difference to UTC is unknown.
pub(crate) fn canonical(text: &str, generalized: bool) -> Option<Canonical> {
    if !text.is_ascii() {
        return None;
    }
    let (local, offset) = zone(text)?;
    let (whole, fraction) = local.split_once(['.', ',']).unwrap_or((local, ""));
    let year = if generalized { 4 } else { 2 };
    let fields = whole.len().checked_sub(year).filter(|rest| rest % 2 == 0 && (6..=10).contains(rest))? / 2;
    // A fraction of an hour or a minute is not changed.
    if !whole.bytes().chain(fraction.bytes()).all(|octet| octet.is_ascii_digit()) || !fraction.is_empty() && fields < 5
    {
        return None;
    }
    let field = |at: usize| whole.get(year + 2 * at..year + 2 * at + 2).map_or(Some(0), |two| two.parse::<i64>().ok());
    let (month, day, hour) = (field(0)?, field(1)?, field(2)?);
    let (minute, second) = (field(3)?, field(4)?);
    let date = Date { year: whole.get(..year)?.parse().ok()?, month, day };
    if !(date.is_one(year) && hour < 24 && minute < 60 && second < 60) {
        return None;
    }
    let minutes = hour * 60 + minute - offset;
    let date = date.plus(minutes.div_euclid(1440), year)?;
    let minutes = minutes.rem_euclid(1440);
    let mut time = Canonical { octets: [0; LONGEST], length: 0 };
    time.number(date.year, year as u32)?;
    for two in [date.month, date.day, minutes / 60, minutes % 60, second] {
        time.number(two, 2)?;
    }
    let fraction = fraction.trim_end_matches('0');
    if !fraction.is_empty() {
        time.push(b'.')?;
        fraction.bytes().try_for_each(|digit| time.push(digit))?;
    }
    time.push(b'Z')?;
    Some(time)
}

/// The local time, and how many minutes it is ahead of UTC.
fn zone(text: &str) -> Option<(&str, i64)> {
    if let Some(local) = text.strip_suffix('Z') {
        return Some((local, 0));
    }
    let at = text.find(['+', '-'])?;
    let (local, zone) = text.split_at(at);
    let (sign, zone) = zone.split_at(1);
    let two = |at: usize| zone.get(at..at + 2)?.parse::<i64>().ok();
    let (hours, minutes) = match zone.len() {
        2 => (two(0)?, 0),
        4 => (two(0)?, two(2)?),
        _ => return None,
    };
    if hours >= 24 || minutes >= 60 {
        return None;
    }
    let minutes = hours * 60 + minutes;
    Some((local, if sign == "-" { -minutes } else { minutes }))
}

struct Date {
    year: i64,
    month: i64,
    day: i64,
}

impl Date {
    fn is_one(&self, digits: usize) -> bool {
        (1..=12).contains(&self.month) && (1..=self.days(digits)).contains(&self.day)
    }

    /// Adds `days`, at most one or two in either direction; the year has `digits` digits.
    fn plus(mut self, days: i64, digits: usize) -> Option<Self> {
        let years = if digits == 2 { 100 } else { 10_000 };
        self.day += days;
        while self.day < 1 {
            self.month -= 1;
            if self.month < 1 {
                (self.month, self.year) = (12, self.year - 1);
            }
            self.day += self.days(digits);
        }
        while days > 0 && self.day > self.days(digits) {
            self.day -= self.days(digits);
            self.month += 1;
            if self.month > 12 {
                (self.month, self.year) = (1, self.year + 1);
            }
        }
        if digits == 2 {
            self.year = self.year.rem_euclid(years);
        }
        ((0..years).contains(&self.year) && (1..=12).contains(&self.month)).then_some(self)
    }

    /// The number of days of the month. A year of two digits is from 1950 to 2049, where 2000 is a
    /// leap year.
    fn days(&self, digits: usize) -> i64 {
        let leap = self.year % 4 == 0 && (digits == 2 || self.year % 100 != 0 || self.year % 400 == 0);
        match self.month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn canonical_times() {
        let utc = |text| canonical(text, false).map(|time| alloc::string::String::from(time.text()));
        assert_eq!(utc("9905210642Z").as_deref(), Some("990521064200Z"));
        assert_eq!(utc("991231235959-0100").as_deref(), Some("000101005959Z"));
        assert_eq!(utc("0003010030+0100").as_deref(), Some("000229233000Z"));
        assert_eq!(utc("990521"), None);
        for none in
            ["500318570054Z", "500318236054Z", "500318235960Z", "500229000000Z", "500010000000Z", "500318000000+2400"]
        {
            assert_eq!(utc(none), None, "{none}");
        }
        let generalized = |text| canonical(text, true).map(|time| alloc::string::String::from(time.text()));
        assert_eq!(generalized("19851106210627.300Z").as_deref(), Some("19851106210627.3Z"));
        assert_eq!(generalized("19851106210627,0Z").as_deref(), Some("19851106210627Z"));
        assert_eq!(generalized("1985110621Z").as_deref(), Some("19851106210000Z"));
        assert_eq!(generalized("19851106210627.3-0500").as_deref(), Some("19851107020627.3Z"));
        assert_eq!(generalized("00000101000000+0100"), None);
        assert_eq!(generalized("19851106210627.3"), None);
    }
}
