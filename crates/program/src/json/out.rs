//! Where text is written.

use roadwire_wire::Rejected;
use roadwire_wire::rt::put_octets;
use roadwire_wire::rt::text::TextWriter;

use super::code::{CHUNK, Code, Field, Kind, Text};
use super::digits;
use crate::octets::put_front;

/// Room for a chunk of text, a sign and the digits of a number.
const ROOM: usize = CHUNK + 8 + digits::MOST;

pub(super) struct Out<'a> {
    output: &'a mut [u8],
    /// Where the next octet goes.
    at: usize,
}

impl<'a> Out<'a> {
    pub(super) fn new(output: &'a mut [u8]) -> Out<'a> {
        Out { output, at: 0 }
    }

    /// How many octets have been written.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Writes values that follow each other, each after its text. In a function of its own, with
    /// the place in registers.
    #[inline(never)]
    pub(super) fn fields(
        &mut self,
        code: &Code,
        fields: &[Field],
        values: &[u64],
        presence: u64,
    ) -> Result<(), Rejected> {
        let mut out = Out { output: self.output, at: self.at };
        for (field, value) in fields.iter().zip(values) {
            if field.has_bit && presence >> (field.bit & 63) & 1 == 0 {
                out.some_text(code, Text { octets: field.always, ..field.text })?;
                continue;
            }
            if value.wrapping_sub(field.lower) > field.range {
                return Err(Rejected);
            }
            out.field(code, field, *value)?;
        }
        self.at = out.at;
        Ok(())
    }

    #[inline(always)]
    fn field(&mut self, code: &Code, field: &Field, value: u64) -> Result<(), Rejected> {
        let (from, octets) = self.most(code, field.text)?;
        let room = self.output.get_mut(self.at..).and_then(|rest| rest.first_chunk_mut::<ROOM>());
        let Some(room) = room else {
            self.at = near_end(self.output, self.at, code, field, (from, octets), value)?;
            return Ok(());
        };
        if let Some(place) = room.first_chunk_mut() {
            *place = *code.chunk(from)?;
        }
        match field.kind {
            Kind::Unsigned => self.at += digits::put(room, octets, value),
            Kind::Signed => {
                if let Some(place) = room.get_mut(octets) {
                    *place = b'-';
                }
                self.at += digits::put(room, octets + (value >> 63) as usize, (value as i64).unsigned_abs());
            }
            Kind::Name => {
                self.at += octets;
                self.text(code, name(code, field, value)?)?;
            }
        }
        Ok(())
    }

    /// Writes text that is the same for any value.
    #[inline(always)]
    pub(super) fn text(&mut self, code: &Code, text: Text) -> Result<(), Rejected> {
        let (from, octets) = self.most(code, text)?;
        self.at = put_front(self.output, self.at, code.chunk(from)?, octets)?;
        Ok(())
    }

    /// The same of text that is often empty.
    #[inline(always)]
    pub(super) fn some_text(&mut self, code: &Code, text: Text) -> Result<(), Rejected> {
        if text.octets > 0 { self.text(code, text) } else { Ok(()) }
    }

    /// Writes all of a text but for its last chunk, and returns where this is and how long.
    #[inline(always)]
    fn most(&mut self, code: &Code, text: Text) -> Result<(usize, usize), Rejected> {
        let (mut from, mut left) = (text.start as usize, text.octets as usize);
        if text.has_comma && self.is_after_bracket() {
            (from, left) = (from + 1, left - 1);
        }
        while left > CHUNK {
            self.at = put_front(self.output, self.at, code.chunk(from)?, CHUNK)?;
            (from, left) = (from + CHUNK, left - CHUNK);
        }
        Ok((from, left))
    }

    /// Whether the last octet is an opening bracket; no value ends with one.
    #[inline(always)]
    fn is_after_bracket(&self) -> bool {
        let last = self.at.checked_sub(1).and_then(|last| self.output.get(last));
        matches!(last, Some(b'{' | b'['))
    }

    /// Writes as the interpreter does.
    #[inline(always)]
    fn with(&mut self, write: impl FnOnce(&mut TextWriter<'_>) -> Result<(), Rejected>) -> Result<(), Rejected> {
        let mut writer = TextWriter::new(self.output.get_mut(self.at..).ok_or(Rejected)?);
        write(&mut writer)?;
        self.at += writer.position();
        Ok(())
    }

    pub(super) fn digits(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        self.with(|writer| writer.put_digits(octets))
    }

    pub(super) fn real(&mut self, value: f64) -> Result<(), Rejected> {
        self.with(|writer| writer.put_real(value))
    }

    pub(super) fn bits(&mut self, octets: &[u8], count: usize, is_alone: bool) -> Result<(), Rejected> {
        let unused = octets.len() * 8 - count;
        if octets.last().is_some_and(|last| last & !(0xff << unused) != 0) {
            return Err(Rejected);
        }
        if is_alone {
            return self.digits(octets);
        }
        self.with(|writer| {
            writer.put_slice(b"{\"value\":")?;
            writer.put_digits(octets)?;
            writer.put_slice(b",\"length\":")?;
            writer.put_unsigned(count as u64)?;
            writer.put(b"}")
        })
    }

    /// The numbers of an object identifier; those beyond 64 bits are the interpreter's.
    pub(super) fn dotted(&mut self, contents: &[u8], relative: bool) -> Result<(), Rejected> {
        self.with(|writer| {
            let (mut number, mut is_first) = (0u64, true);
            for octet in contents {
                number = number.checked_mul(0x80).ok_or(Rejected)? | u64::from(octet & 0x7f);
                if octet & 0x80 != 0 {
                    continue;
                }
                writer.put(if is_first { b"\"" } else { b"." })?;
                if is_first && !relative {
                    // The first two numbers are one (X.690 §8.19.4).
                    let top = (number / 40).min(2);
                    writer.put_unsigned(top)?;
                    writer.put(b".")?;
                    number -= top * 40;
                }
                writer.put_unsigned(number)?;
                (number, is_first) = (0, false);
            }
            // Contents octets are not empty, and their last number ends.
            if is_first || number != 0 { Err(Rejected) } else { writer.put(b"\"") }
        })
    }

    pub(super) fn quoted(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        // All octets are looked at, since this takes fewer instructions than to stop at one.
        let is_plain = |octet: u8| (0x20..0x7f).contains(&octet) && octet != b'"' && octet != b'\\';
        if !octets.iter().fold(true, |all, octet| all & is_plain(*octet)) {
            let text = core::str::from_utf8(octets).map_err(|_| Rejected)?;
            return self.with(|writer| writer.put_string(text));
        }
        self.at = put_octets(self.output, self.at, b"\"")?;
        self.at = put_octets(self.output, self.at, octets)?;
        self.at = put_octets(self.output, self.at, b"\"")?;
        Ok(())
    }
}

/// The text of an item.
#[inline(always)]
fn name(code: &Code, field: &Field, ordinal: u64) -> Result<Text, Rejected> {
    code.names.get(field.names as usize + ordinal as usize).copied().ok_or(Rejected)
}

/// A text and the value after it where little room is left; returns where they end.
#[cold]
#[inline(never)]
fn near_end(
    output: &mut [u8],
    at: usize,
    code: &Code,
    field: &Field,
    (from, octets): (usize, usize),
    value: u64,
) -> Result<usize, Rejected> {
    let at = put_front(output, at, code.chunk(from)?, octets)?;
    let mut out = Out { output, at };
    match field.kind {
        Kind::Signed => out.with(|writer| writer.put_signed(value as i64))?,
        Kind::Unsigned => out.with(|writer| writer.put_unsigned(value))?,
        Kind::Name => out.text(code, name(code, field, value)?)?,
    }
    Ok(out.at)
}
