//! Values that an encoder does not send.

use roadwire_layout::{Default, Layout, Span};
use roadwire_wire::Rejected;

use crate::tape::{Tape, parts};

/// A DEFAULT value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Word(u64),
    /// A string, which is in a table.
    String(u32),
    /// Any value may be it.
    Any,
}

/// How long a string is, and its octets.
pub(crate) type DefaultString = (usize, Vec<u8>);

impl Value {
    /// The value at this place of the layout's table; strings go into the program's.
    pub(crate) fn of(layout: &Layout, place: u32, strings: &mut Vec<DefaultString>) -> Option<Value> {
        let octets = |span: Span| layout.octets(span).to_vec();
        let string = match *layout.defaults.get(place as usize)? {
            Default::Boolean(value) => return Some(Value::Word(value.into())),
            Default::Integer(value) => return Some(Value::Word(i64::try_from(value).ok()? as u64)),
            Default::Enumerated(ordinal) => return Some(Value::Word(ordinal.into())),
            Default::Octets(span) | Default::Text(span) => (span.count as usize, octets(span)),
            Default::Bits(span, bits) => (bits as usize, octets(span)),
            Default::Word(word) => {
                let count = usize::from(word.bits);
                (count, word.to_octets()[..count.div_ceil(8)].to_vec())
            }
            _ => return Some(Value::Any),
        };
        strings.push(string);
        Some(Value::String(strings.len() as u32 - 1))
    }

    /// Whether [`Value::may_be`] knows.
    pub(crate) fn is_certain(self) -> bool {
        !matches!(self, Value::Any)
    }

    /// Whether a word of the tape may be it.
    pub(crate) fn may_be(self, word: u64, strings: &[DefaultString], tape: &Tape) -> Result<bool, Rejected> {
        Ok(match self {
            Value::Word(other) => word == other,
            Value::String(at) => {
                let (count, octets) = strings.get(at as usize).ok_or(Rejected)?;
                let (at, length) = parts(word);
                length == *count && tape.octets.get(at..at + octets.len()) == Some(octets)
            }
            Value::Any => true,
        })
    }
}
