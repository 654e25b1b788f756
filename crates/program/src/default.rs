//! DEFAULT values, which encoders do not send.

use roadwire_layout::{Default, Layout, Span};
use roadwire_wire::Rejected;

use crate::strings::without_zeros;
use crate::tape::{Tape, parts};

/// The value that an encoder does not send.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Word(u64),
    /// A string, which is in a table.
    String(u32),
    /// The same of bits without zeros at the end, which have no meaning.
    NamedBits(u32),
    /// A list of so many elements may be it.
    Elements(u32),
    /// A choice of this alternative may be it.
    Alternative(u32),
    /// Any value may be it.
    Any,
}

impl Value {
    /// Whether [`Defaults::is`] knows.
    pub(crate) fn is_certain(self) -> bool {
        !matches!(self, Value::Elements(_) | Value::Alternative(_) | Value::Any)
    }
}

/// Those that are strings: how long, and their octets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Defaults(Vec<(usize, Vec<u8>)>);

impl Defaults {
    /// One of a layout's DEFAULT values; `None` for an integer beyond 64 bits.
    pub(crate) fn add(&mut self, layout: &Layout, place: u32) -> Option<Value> {
        let octets = |span: Span| layout.octets(span).to_vec();
        let default = *layout.defaults.get(place as usize)?;
        let string = match default {
            Default::Boolean(value) => return Some(Value::Word(value.into())),
            Default::Integer(value) => return Some(Value::Word(i64::try_from(value).ok()? as u64)),
            Default::Enumerated(ordinal) => return Some(Value::Word(ordinal.into())),
            Default::Real(value) => return Some(Value::Word(value.to_bits())),
            Default::List(elements) => return Some(Value::Elements(elements.count)),
            Default::Choice(alternative, _) => return Some(Value::Alternative(alternative)),
            Default::Octets(span) | Default::Text(span) | Default::Oid(span) => (span.count as usize, octets(span)),
            Default::Bits(span, bits) | Default::NamedBits(span, bits) => (bits as usize, octets(span)),
            Default::Word(word) => {
                let count = usize::from(word.bits);
                (count, word.to_octets()[..count.div_ceil(8)].to_vec())
            }
            _ => return Some(Value::Any),
        };
        self.0.push(string);
        let at = self.0.len() as u32 - 1;
        let is_named = matches!(default, Default::NamedBits(..));
        Some(if is_named { Value::NamedBits(at) } else { Value::String(at) })
    }

    /// Whether a word of a tape may be this value.
    pub(crate) fn is(&self, tape: &Tape, word: u64, value: Value) -> Result<bool, Rejected> {
        Ok(match value {
            Value::Word(other) => word == other,
            Value::String(at) => {
                let (count, octets) = self.0.get(at as usize).ok_or(Rejected)?;
                let (at, length) = parts(word);
                length == *count && tape.octets.get(at..at + octets.len()) == Some(octets)
            }
            Value::NamedBits(at) => {
                let (count, octets) = self.0.get(at as usize).ok_or(Rejected)?;
                let (at, length) = parts(word);
                let given = tape.octets.get(at..at + length.div_ceil(8)).ok_or(Rejected)?;
                without_zeros(given) == *count && given.get(..octets.len()) == Some(octets)
            }
            Value::Elements(count) => parts(word).1 == count as usize,
            // It may be absent, and has two words: they are elsewhere.
            Value::Alternative(one) => tape.words.get(word as usize).copied().ok_or(Rejected)? == one.into(),
            Value::Any => true,
        })
    }
}
