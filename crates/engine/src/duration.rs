//! DURATION: in memory `P2Y10M15DT10H20M30.5S`, on the wire numbers of which those that are there are told by a bitmap (X.691 §32.6).

use roadwire_layout::{Member, Span};
use roadwire_wire::{Data, ErrorKind, Rejected, Shape};

use crate::decode::Decoder;
use crate::encode::Encoder;
use crate::listener::{Listener, What};

const FORM: ErrorKind = ErrorKind::Text("not in the form of a duration, such as P1DT12H30.5S");

/// The letters of years, months, weeks, days, hours, minutes and seconds, in the order of the wire; the last three come after a `T`.
const LETTERS: [char; 7] = ['Y', 'M', 'W', 'D', 'H', 'M', 'S'];
/// Where the time of day begins among them.
const TIME: usize = 4;
/// Weeks stand alone.
const WEEKS: usize = 2;

/// A duration's numbers.
#[derive(Default)]
struct Parts {
    numbers: [Option<i64>; 7],
    /// Digits of the last number's fraction: how many, and their value.
    fraction: Option<(i64, i64)>,
}

impl Parts {
    fn read(text: &str) -> Option<Self> {
        let mut rest = text.strip_prefix('P')?;
        let mut parts = Parts::default();
        let mut next = 0;
        while !rest.is_empty() {
            if let (Some(time), true) = (rest.strip_prefix('T'), next <= TIME) {
                rest = time;
                next = TIME;
                if rest.is_empty() || text.matches('T').count() != 1 {
                    return None;
                }
            }
            let (number, tail) = digits(rest)?;
            rest = tail;
            if let Some(tail) = rest.strip_prefix(['.', ',']) {
                let (fraction, tail) = digits(tail)?;
                parts.fraction = Some((i64::try_from(fraction.len()).ok()?, fraction.parse().ok()?));
                rest = tail;
            }
            let letter = rest.chars().next()?;
            let range = if text.len() - rest.len() > text.find('T').unwrap_or(text.len()) { TIME..7 } else { 0..TIME };
            let place = range.into_iter().find(|at| LETTERS[*at] == letter).filter(|at| *at >= next)?;
            parts.numbers[place] = Some(number.parse().ok()?);
            rest = &rest[1..];
            next = place + 1;
            if parts.fraction.is_some() && !rest.is_empty() {
                return None;
            }
        }
        parts.is_duration().then_some(parts)
    }

    /// At least one number, and weeks with nothing else.
    fn is_duration(&self) -> bool {
        let count = self.numbers.iter().flatten().count();
        count > 0 && (count == 1 || self.numbers[WEEKS].is_none())
    }
}

/// The digits that a text begins with, and the rest.
fn digits(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|character: char| !character.is_ascii_digit())?;
    (end > 0).then(|| text.split_at(end))
}

impl Encoder<'_, '_, '_> {
    #[inline(never)]
    pub(crate) fn duration(&mut self, members: Span, text: &str) -> Result<(), Rejected> {
        let Some(parts) = Parts::read(text) else { return Err(self.fail(FORM)) };
        for number in &parts.numbers {
            self.writer.put_bit(number.is_some())?;
        }
        self.writer.put_bit(parts.fraction.is_some())?;
        let (digits, value) = (parts.fraction.map(|part| part.0), parts.fraction.map(|part| part.1));
        let numbers = parts.numbers.into_iter().chain([digits, value]);
        for (member, number) in self.layout.members(members).iter().zip(numbers) {
            let Some(number) = number else { continue };
            if self.node(member.node, &number).is_err() {
                return Err(self.within_member(member));
            }
        }
        Ok(())
    }
}

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L> {
    #[inline(never)]
    pub(crate) fn duration(&mut self, members: Span, value: &mut dyn Data) -> Result<(), Rejected> {
        if !value.begin(Shape::Text) {
            return self.mismatch("a place for a character string");
        }
        let members = self.layout.members(members);
        let [numbers @ .., digits, fraction] = members else { return self.misplaced() };
        let at = self.reader.position();
        let presence = self.take(8)?;
        if L::ACTIVE {
            let names = numbers.iter().chain([fraction]).zip((0..8).rev());
            names.for_each(|(member, bit)| self.show_duration_flag(at + 7 - bit, member, presence >> bit & 1 == 1));
        }
        let mut parts = Parts::default();
        for ((member, number), bit) in numbers.iter().zip(&mut parts.numbers).zip((1..8).rev()) {
            if presence >> bit & 1 == 1 {
                *number = Some(self.duration_number(member)?);
            }
        }
        if presence & 1 == 1 {
            parts.fraction = Some((self.duration_number(digits)?, self.duration_number(fraction)?));
        }
        if !parts.is_duration() {
            return Err(self.fail_at(ErrorKind::Malformed("a duration of nothing, or of weeks and something else"), at));
        }
        self.push_duration(&parts, value)
    }

    fn duration_number(&mut self, member: &'n Member) -> Result<i64, Rejected> {
        let (at, mut number) = (self.reader.position(), 0i64);
        if self.node(member.node, &mut number).is_err() {
            return Err(self.within_member(member));
        }
        if number < 0 {
            self.fail_at(ErrorKind::Malformed("a number below zero"), at);
            return Err(self.within_member(member));
        }
        Ok(number)
    }

    fn show_duration_flag(&mut self, at: usize, member: &Member, there: bool) {
        self.show_bit(at, What::Presence(self.layout.name(member.name), there));
    }

    fn push_duration(&mut self, parts: &Parts, value: &mut dyn Data) -> Result<(), Rejected> {
        let mut room = value.push_char('P');
        let last = parts.numbers.iter().rposition(Option::is_some);
        for (at, number) in parts.numbers.iter().enumerate() {
            if at == TIME && parts.numbers[TIME..].iter().any(Option::is_some) {
                room &= value.push_char('T');
            }
            let Some(number) = number else { continue };
            room &= push_number(*number, 1, value);
            if let (Some((digits, fraction)), true) = (parts.fraction, last == Some(at)) {
                let width = usize::try_from(digits).unwrap_or(0);
                if !(1..=MOST_DIGITS).contains(&width)
                    || fraction.checked_ilog10().is_some_and(|log| log as usize >= width)
                {
                    return Err(self.fail(FORM));
                }
                room &= value.push_char('.') && push_number(fraction, width, value);
            }
            room &= value.push_char(LETTERS[at]);
        }
        if room { Ok(()) } else { self.full(64) }
    }
}

/// More digits than a 64-bit number has are not kept.
const MOST_DIGITS: usize = 18;

/// A number in at least so many digits.
fn push_number(number: i64, width: usize, value: &mut dyn Data) -> bool {
    let mut digits = [0u8; 20];
    let mut left = number.unsigned_abs();
    let mut count = 0;
    while left > 0 || count < width {
        digits[count] = b'0' + (left % 10) as u8;
        left /= 10;
        count += 1;
    }
    digits[..count].iter().rev().all(|digit| value.push_char(char::from(*digit)))
}

#[cfg(test)]
mod tests {
    use super::Parts;

    #[test]
    fn what_a_duration_looks_like() {
        for text in ["P1Y", "P2Y10M15DT10H20M30S", "PT5.3S", "P3W", "P1M", "PT1M", "P0D", "P1,5Y"] {
            assert!(Parts::read(text).is_some(), "{text}");
        }
        let wrong = [
            "",
            "P",
            "1Y",
            "PT",
            "P1YT",
            "P1D1Y",
            "P1H",
            "PT1D",
            "P1W1D",
            "P1.5Y1M",
            "P.5Y",
            "P1.Y",
            "P1",
            "PTT1S",
            "P1Y ",
            "PT1MT1S",
            "P99999999999999999999Y",
        ];
        for text in wrong {
            assert!(Parts::read(text).is_none(), "{text}");
        }
    }
}
