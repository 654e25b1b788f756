//! Durations: `P2Y10M15DT10H20M30.5S`.

use super::MOST_DIGITS;
use super::digits::{all_digits, digits};
use super::write::{Sink, is_fraction, number};

/// The letters of years, months, weeks, days, hours, minutes and seconds, in the order of the wire;
/// the last three come after a `T`.
const LETTERS: [char; 7] = ['Y', 'M', 'W', 'D', 'H', 'M', 'S'];
/// The index of the first letter after the `T`.
const TIME: usize = 4;
/// The index of weeks, which are not combined with others.
const WEEKS: usize = 2;

/// A duration's numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Duration {
    pub(super) numbers: [Option<i64>; 7],
    pub(super) fraction: Option<Fraction>,
}

/// Digits of the last number's fraction: how many, and their value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fraction {
    pub(super) digits: i64,
    pub(super) value: i64,
}

impl Duration {
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut rest = text.strip_prefix('P')?;
        let mut duration = Duration::default();
        let (mut next, mut is_time) = (0, false);
        while !rest.is_empty() {
            if let Some(time) = rest.strip_prefix('T').filter(|_| !is_time) {
                (rest, next, is_time) = (time, TIME, true);
            }
            let (whole, tail) = digits(rest)?;
            rest = tail;
            if let Some(tail) = rest.strip_prefix(['.', ',']) {
                let (fraction, tail) = digits(tail)?;
                duration.fraction =
                    Some(Fraction { digits: i64::try_from(fraction.len()).ok()?, value: all_digits(fraction)? });
                rest = tail;
            }
            let letter = rest.chars().next()?;
            let range = if is_time { TIME..LETTERS.len() } else { 0..TIME };
            let place = range.into_iter().find(|at| LETTERS[*at] == letter).filter(|at| *at >= next)?;
            duration.numbers[place] = Some(all_digits(whole)?);
            rest = rest.get(1..)?;
            next = place + 1;
            if duration.fraction.is_some() && !rest.is_empty() {
                return None;
            }
        }
        duration.is_whole().then(|| duration.without_zeros())
    }

    /// Drops zeros before another number, which have no meaning (X.691 §32.6).
    fn without_zeros(mut self) -> Self {
        if let Some(last) = self.numbers.iter().rposition(Option::is_some) {
            self.numbers[..last].iter_mut().for_each(|number| *number = number.filter(|number| *number != 0));
        }
        self
    }

    /// Whether there is at least one number, none is below zero, and weeks are alone.
    pub(super) fn is_whole(&self) -> bool {
        let count = self.numbers.iter().flatten().count();
        count > 0
            && (count == 1 || self.numbers[WEEKS].is_none())
            && self.numbers.iter().flatten().all(|number| (0..10i64.pow(MOST_DIGITS as u32)).contains(number))
            && self.fraction.is_none_or(|fraction| is_fraction(fraction.digits, fraction.value))
    }

    pub(super) fn write(&self, sink: Sink<'_>) -> bool {
        let mut room = sink('P');
        let numbers = self.without_zeros().numbers;
        let last = numbers.iter().rposition(Option::is_some);
        for (at, value) in numbers.iter().enumerate() {
            if at == TIME && numbers[TIME..].iter().any(Option::is_some) {
                room = room && sink('T');
            }
            let Some(value) = value else { continue };
            room = room && number(*value, 1, sink);
            if let (Some(fraction), true) = (self.fraction, last == Some(at)) {
                let width = usize::try_from(fraction.digits).unwrap_or(1).min(MOST_DIGITS);
                room = room && sink('.') && number(fraction.value, width, sink);
            }
            room = room && sink(LETTERS[at]);
        }
        room
    }
}
