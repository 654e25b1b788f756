//! Messages whose fields are where those of an earlier message were.
//!
//! All bits of a message that are not the value of a field, a number or a string say what comes
//! after them: presence, alternatives, lengths, tags. If they are those of an earlier message, the
//! rest is at the same places, and is read without asking what comes next.

use roadwire_lanes::{Form, Lane, Lanes};
use roadwire_layout as layout;
use roadwire_wire::Rejected;

use super::text::content;
use super::{Datum, What};
use crate::packed::code::{Code, Number};
use crate::packed::rules::Rules;
use crate::tape::Tape;

/// The most shapes that are remembered.
const MOST: usize = 24;

/// The most octets of a message with a shape, and the most words of its tape.
const MOST_SIZE: usize = 2048;

/// Of messages without a known shape, one of so many is learnt after the first ones.
const SELDOM: u32 = 16;

/// The shapes of earlier messages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shapes {
    /// The program whose messages they are of.
    code: u64,
    shapes: Vec<Shape>,
    /// How many messages had none of them.
    misses: u32,
    /// None are learnt.
    are_off: bool,
}

#[derive(Clone, Debug)]
struct Shape {
    /// The message, and which of its bits are the shape: eight octets each, the last ones again if
    /// fewer are left.
    same: Vec<(u64, u64)>,
    octets: usize,
    /// A lane for each word of the tape.
    lanes: Lanes,
    /// Strings, numbers and mapped fields, in their order.
    others: Vec<Datum>,
    /// Where the message ends.
    bits: usize,
    /// Whether an open type has octets.
    has_octets: bool,
}

impl Shapes {
    /// None, ever.
    pub(crate) fn none() -> Shapes {
        Shapes { are_off: true, ..Shapes::default() }
    }

    /// How many are remembered.
    pub(crate) fn count(&self) -> usize {
        self.shapes.len()
    }

    /// Decodes a message of a known shape; nothing if it has another one.
    #[inline]
    pub(super) fn decode<R: Rules>(
        &mut self,
        code: &Code,
        input: &[u8],
        (words, octets): (&mut Vec<u64>, &mut Vec<u8>),
        has_octets: &mut bool,
    ) -> Option<Result<usize, Rejected>> {
        if self.code != code.id {
            // Few tapes are for several programs.
            *self = Shapes { code: code.id, are_off: self.are_off, ..Shapes::default() };
        }
        let at = self.shapes.iter().position(|shape| shape.is_of(input))?;
        let shape = self.shapes.get(at)?;
        *has_octets = shape.has_octets;
        let done = shape.decode::<R>(code, input, words, octets);
        // A frequent one moves to the front.
        if at > 0 {
            self.shapes.swap(at, at - 1);
        }
        Some(done)
    }

    /// Whether the shape of a message that has no known one is learnt.
    pub(super) fn learns(&mut self) -> bool {
        self.misses = self.misses.wrapping_add(1);
        !self.are_off && (self.misses as usize <= MOST || self.misses % SELDOM == 0)
    }

    /// Remembers the shape of a message of so many bits, which is on the tape.
    #[cold]
    pub(super) fn learn(&mut self, code: &Code, (input, bits): (&[u8], usize), tape: &Tape, data: &[Datum]) {
        let Some(shape) = Shape::new(code, input, bits, tape, data) else { return };
        if self.shapes.len() == MOST {
            self.shapes.pop();
        }
        self.shapes.push(shape);
    }
}

impl Shape {
    fn new(code: &Code, input: &[u8], bits: usize, tape: &Tape, data: &[Datum]) -> Option<Shape> {
        let octets = input.len();
        if !(8..=MOST_SIZE).contains(&octets) || tape.words.len() > MOST_SIZE {
            return None;
        }
        let mut mask = vec![0xff; octets];
        let is_free = |datum: &&Datum| match datum.what {
            // Its octets select the type of a later part, and go onto the tape.
            What::Text { text, .. } => code.strings.get(text as usize).is_none_or(|text| !text.selects),
            What::Field { .. } | What::Mapped { .. } | What::Number { .. } => true,
        };
        for bit in data.iter().filter(is_free).flat_map(|datum| datum.at..datum.at + datum.width) {
            *mask.get_mut(bit / 8)? &= !(0x80 >> (bit % 8));
        }
        // Octets after the message are anything.
        mask.get_mut(bits.div_ceil(8)..)?.fill(0);
        let starts = (0..octets / 8).map(|at| at * 8).chain((octets % 8 > 0).then_some(octets - 8));
        let eight = |of: &[u8], at: usize| Some(u64::from_ne_bytes(*of.get(at..)?.first_chunk()?));
        let same = starts.map(|at| {
            let mask = eight(&mask, at)?;
            Some((eight(input, at)? & mask, mask))
        });
        let same = same.collect::<Option<Vec<_>>>()?;
        let constant = |word: &u64| Lane { bit: 0, width: 0, form: Form::Offset, lower: *word as i64, range: 0 };
        let mut lanes: Vec<Lane> = tape.words.iter().map(constant).collect();
        let mut others = Vec::new();
        for datum in data {
            match lane(code, datum) {
                Some(lane) => *lanes.get_mut(datum.word)? = lane,
                None if matches!(datum.what, What::Field { .. }) => return None,
                None => others.push(*datum),
            }
        }
        Some(Shape { same, octets, lanes: Lanes::new(octets, &lanes)?, others, bits, has_octets: tape.has_octets })
    }

    #[inline]
    fn is_of(&self, input: &[u8]) -> bool {
        if input.len() != self.octets {
            return false;
        }
        let other = |octets: &[u8], (same, mask): &(u64, u64)| {
            u64::from_ne_bytes(octets.first_chunk().copied().unwrap_or_default()) & mask ^ same
        };
        let all = input.chunks_exact(8).zip(&self.same).fold(0, |all, (octets, same)| all | other(octets, same));
        let last = match (self.same.get(input.len() / 8), input.last_chunk::<8>()) {
            (Some(same), Some(octets)) => other(octets, same),
            _ => 0,
        };
        all | last == 0
    }

    #[inline]
    fn decode<R: Rules>(
        &self,
        code: &Code,
        input: &[u8],
        words: &mut Vec<u64>,
        octets: &mut Vec<u8>,
    ) -> Result<usize, Rejected> {
        octets.clear();
        if words.len() != self.lanes.count() {
            words.resize(self.lanes.count(), 0);
        }
        if !self.lanes.read(input, words) {
            return Err(Rejected);
        }
        let end = input.len() * 8;
        for datum in &self.others {
            let word = match datum.what {
                What::Field { .. } => None,
                What::Text { text, count } => {
                    let text = code.strings.get(text as usize).ok_or(Rejected)?;
                    content::<R>(text, count, input, (datum.at, end), octets)?;
                    continue;
                }
                What::Mapped { field, map } => {
                    let of = *code.fields.get(field as usize).ok_or(Rejected)?;
                    let value = R::value(of, R::load(input, datum.at, of.width));
                    code.mapped(field, map, value)
                }
                What::Number { number } => {
                    let bits = R::wide(input, datum.at, datum.width);
                    code.numbers.get(number as usize).and_then(|number| number.read(bits, datum.width as u32))
                }
            };
            *words.get_mut(datum.word).ok_or(Rejected)? = word.ok_or(Rejected)?;
        }
        Ok(self.bits)
    }
}

/// An integer as a lane; `None` if it is none, or in more than eight octets.
fn lane(code: &Code, datum: &Datum) -> Option<Lane> {
    let (form, lower, range) = match datum.what {
        What::Field { field } => {
            let field = code.fields.get(field as usize)?;
            let form = match (code.is_octet, field.sign) {
                (false, _) => Form::Offset,
                (true, 0) => Form::Unsigned,
                (true, _) => Form::Signed,
            };
            (form, field.lower, field.range)
        }
        What::Number { number } => code.numbers.get(number as usize)?.lane()?,
        What::Mapped { .. } | What::Text { .. } => return None,
    };
    let (bit, width) = (u32::try_from(datum.at).ok()?, u8::try_from(datum.width).ok()?);
    (bit % 8 + u32::from(width) <= 64).then_some(Lane { bit, width, form, lower, range })
}

impl Number {
    /// Its form, least value and range among the words of the tape.
    fn lane(&self) -> Option<(Form, i64, u64)> {
        let (least, most) = if self.is_unsigned { (0, u64::MAX.into()) } else { (i64::MIN.into(), i64::MAX.into()) };
        let (lower, upper): (i128, i128) = (self.lower.max(least), self.upper.min(most));
        let form = match self.form {
            // The offset is from the bound itself.
            layout::Form::Offset if lower == self.lower => Form::Offset,
            layout::Form::Offset => return None,
            layout::Form::Unsigned => Form::Unsigned,
            layout::Form::Signed => Form::Signed,
        };
        Some((form, i64::try_from(lower).ok()?, u64::try_from(upper - lower).ok()?))
    }
}
