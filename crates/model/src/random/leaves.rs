//! Random leaves.

use num_bigint::{BigInt, Sign};
use num_traits::{One, ToPrimitive, Zero};
use roadwire_wire::rt::time::Settings;

use super::Run;
use crate::constraint::{Alphabet, IntegerRange, RealParts, Size};
use crate::repertoire;
use crate::types::{StringKind, TimeKind};
use crate::value::{Oid, Value};

impl Run<'_> {
    pub(super) fn integer(&mut self, range: &IntegerRange) -> Value {
        if range.extensible && self.is_outside() {
            let step = if self.rng.percent(self.settings.boundary) { 1 } else { 1 + self.rng.below(300) };
            let step = BigInt::from(step);
            let above = range.upper.as_ref().map(|upper| upper + &step);
            let below = range.lower.as_ref().map(|lower| lower - &step);
            if let Some(outside) = if self.rng.percent(50) { above.or(below) } else { below.or(above) } {
                return outside.into();
            }
        }
        if self.rng.percent(self.settings.boundary) {
            if let Some(special) = self.special_integer(range) {
                return special.into();
            }
        }
        let value = match (&range.lower, &range.upper) {
            (Some(lower), Some(upper)) => lower + self.below(&(upper - lower + 1)),
            (Some(lower), None) => lower + self.magnitude(),
            (None, Some(upper)) => upper - self.magnitude(),
            (None, None) if self.rng.percent(50) => -self.magnitude(),
            (None, None) => self.magnitude(),
        };
        value.into()
    }

    /// An end of the range, its neighbour, zero, plus or minus one, or a power of two plus or minus
    /// one. `None` if none was found.
    fn special_integer(&mut self, range: &IntegerRange) -> Option<BigInt> {
        (0..8).find_map(|_| {
            let power = BigInt::one() << self.rng.below(self.settings.integer_bits.max(1));
            let near = BigInt::from(self.rng.below(3)) - 1;
            let value = match self.rng.below(8) {
                0 | 1 => range.lower.clone()?,
                2 | 3 => range.upper.clone()?,
                4 => near,
                5 if self.rng.percent(50) => range.lower.clone()? + 1,
                5 => range.upper.clone()? - 1,
                6 => -power + near,
                _ => power + near,
            };
            let above = range.lower.as_ref().is_none_or(|lower| *lower <= value);
            let below = range.upper.as_ref().is_none_or(|upper| value <= *upper);
            (above && below).then_some(value)
        })
    }

    /// A number of a random length in bits, up to the limit.
    fn magnitude(&mut self) -> BigInt {
        let bits = self.rng.below(self.settings.integer_bits.max(1));
        self.below(&(BigInt::one() << bits))
    }

    /// A number below `bound`; 0 unless that is positive.
    fn below(&mut self, bound: &BigInt) -> BigInt {
        if *bound <= BigInt::zero() {
            return BigInt::zero();
        }
        // With 64 bits more than needed, all numbers are practically equally likely.
        let octets = self.rng.octets(bound.bits() / 8 + 9);
        BigInt::from_bytes_be(Sign::Plus, &octets) % bound
    }

    pub(super) fn real(&mut self, parts: Option<&RealParts>) -> Value {
        const SPECIAL: [f64; 12] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.1,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN,
            f64::MIN_POSITIVE,
            5e-324,
            9_007_199_254_740_991.0,
        ];
        if self.rng.percent(self.settings.boundary) {
            let special = SPECIAL[self.rng.below(SPECIAL.len() as u64) as usize];
            return Value::Real(if parts.is_none_or(|parts| parts.admits(special)) { special } else { f64::INFINITY });
        }
        if let Some(parts) = parts.filter(|parts| parts.is_binary()) {
            return Value::Real(self.product(parts));
        }
        let value = f64::from_bits(self.rng.next_u64());
        Value::Real(if value.is_nan() { 2.5 } else { value })
    }

    /// A mantissa times a power of 2 that a double can hold, if one is found.
    fn product(&mut self, parts: &RealParts) -> f64 {
        let held = |range: &IntegerRange, least: i64, most: i64| {
            let (lower, upper) = range.narrow();
            let (lower, upper) = (lower.max(least), upper.min(most));
            (lower <= upper).then(|| IntegerRange {
                lower: Some(lower.into()),
                upper: Some(upper.into()),
                extensible: false,
            })
        };
        let mantissas = held(&parts.mantissa, 1 - (1 << 53), (1 << 53) - 1);
        let (Some(mantissas), Some(exponents)) = (mantissas, held(&parts.exponent, -1074, 971)) else {
            return f64::NEG_INFINITY;
        };
        let mut number = |range| match self.integer(range) {
            Value::Integer(number) => number.to_bigint().to_f64().unwrap_or_default(),
            _ => 0.0,
        };
        let (mantissa, exponent) = (number(&mantissas), number(&exponents) as i32);
        // In two steps: a single power of 2 may exceed the range of a double, even if the product
        // does not.
        let value = mantissa * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
        if parts.admits(value) { value } else { f64::NEG_INFINITY }
    }

    /// Named bits have no trailing zero bits beyond the least size, as encoders send them (X.691
    /// §16.2).
    pub(super) fn bit_string(&mut self, size: Size, named: bool) -> Value {
        let bits = self.length(size);
        let mut octets = self.rng.octets(bits.div_ceil(8));
        if named && bits != size.lower {
            if let Some(last) = octets.last_mut() {
                *last |= 0x80 >> ((bits - 1) % 8);
            }
        }
        Value::bit_string(&octets, bits as usize)
    }

    pub(super) fn oid(&mut self, relative: bool) -> Value {
        let count = 1 + self.rng.below(7);
        let mut arcs: Vec<BigInt> = (0..count).map(|_| self.magnitude()).collect();
        if relative {
            return Oid::relative(&arcs).map_or(Value::Unset, Value::Oid);
        }
        let top = self.rng.below(3);
        if top < 2 {
            arcs[0] = BigInt::from(self.rng.below(40));
        }
        arcs.insert(0, BigInt::from(top));
        Oid::absolute(&arcs).map_or(Value::Unset, Value::Oid)
    }

    pub(super) fn iri(&mut self, relative: bool) -> Value {
        let arcs: Vec<String> = (0..=self.rng.below(4)).map(|_| format!("A{}", self.rng.below(100_000))).collect();
        Value::Text(format!("{}{}", if relative { "" } else { "/" }, arcs.join("/")))
    }

    pub(super) fn string(&mut self, kind: StringKind, size: Size, alphabet: Option<&Alphabet>, open: bool) -> Value {
        let beyond = open && self.is_outside();
        let characters = repertoire::permitted(kind, alphabet.filter(|_| !beyond));
        let length = if characters.is_empty() { 0 } else { self.length(size) };
        Value::Text((0..length).map(|_| self.character(&characters)).collect())
    }

    fn character(&mut self, ranges: &[(u32, u32)]) -> char {
        let count: u64 = ranges.iter().map(|(first, last)| u64::from(last - first) + 1).sum();
        let mut at = match self.rng.below(100) {
            0..=4 => 0,
            5..=9 => count - 1,
            // Mostly ASCII characters, if there are many others.
            10..=69 if count > 0x200 => self.rng.below(0x7f),
            _ => self.rng.below(count),
        };
        for (first, last) in ranges {
            let here = u64::from(last - first) + 1;
            if at < here {
                return char::from_u32(first + at as u32).unwrap_or(' ');
            }
            at -= here;
        }
        ' '
    }

    /// In the form that canonical encodings require (X.690 §11.7, §11.8): with seconds, without
    /// trailing zeros, in UTC.
    pub(super) fn time(&mut self, kind: TimeKind, settings: &[Settings]) -> Value {
        match kind {
            TimeKind::Time => return self.any_time(settings),
            TimeKind::Duration => {
                return self
                    .any_time(&Settings::read("Basic=Interval Interval-type=D").map_or(vec![], |one| vec![one]));
            }
            _ => {}
        }
        let mut n = |low: u64, high: u64| low + self.rng.below(high - low + 1);
        let (year, month, day) = (n(1583, 9999), n(1, 12), n(1, 28));
        let (hour, minute, second) = (n(0, 23), n(0, 59), n(0, 59));
        let fraction = match n(0, 2) {
            0 => format!(".{}{}", n(0, 99), n(1, 9)),
            _ => String::new(),
        };
        let date = format!("{year:04}-{month:02}-{day:02}");
        let time = format!("{hour:02}:{minute:02}:{second:02}");
        Value::Text(match kind {
            TimeKind::Utc => format!("{:02}{month:02}{day:02}{hour:02}{minute:02}{second:02}Z", year % 100),
            TimeKind::Generalized => {
                format!("{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}{fraction}Z")
            }
            TimeKind::Date | TimeKind::Time | TimeKind::Duration => date,
            TimeKind::TimeOfDay => time,
            TimeKind::DateTime => format!("{date}T{time}"),
        })
    }

    /// A value with one of the sets of settings.
    fn any_time(&mut self, settings: &[Settings]) -> Value {
        let which = settings.get(self.rng.below(settings.len().max(1) as u64) as usize).copied();
        let mut text = String::new();
        if let Some(time) = which.unwrap_or_default().pick(&mut |below| self.rng.below(below)) {
            time.write(&mut |character| {
                text.push(character);
                true
            });
        }
        Value::Text(text)
    }
}
