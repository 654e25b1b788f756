//! Strings and other long content in a stream of bits or octets.

use roadwire_model::TypeId;

use super::places::name;
use super::{Cursor, Printer, no_text};
use crate::data::item_names;
use crate::place::Place as Text;
use roadwire_plan::{Num, Repr, Stream, Value};

impl Printer<'_, '_> {
    /// Statements that read text and octets.
    pub(super) fn stream_strings(&mut self, statement: &Stream) {
        match statement {
            Stream::TakeCharacters { id, place, count, bits, indexed, alphabet } => {
                self.line(format!("let text = {};", self.place(place).exclusive()));
                self.line("text.clear();");
                self.take_characters(*id, &self.operand(count), *bits, &format!("{indexed}, &{alphabet:?}"));
            }
            Stream::TakeText { id, place, count, .. } => {
                let (place, count) = (self.place(place), name(*count));
                self.apart(&match self.types.repr(*id) {
                    Repr::LentText => format!("{}.take(&mut r, {count})?;", place.object()),
                    Repr::String => format!("wire::rt::packed::take_string(&mut r, {count}, {})?;", place.exclusive()),
                    _ => format!("wire::rt::packed::take_text(&mut r, {count}, {})?;", place.exclusive()),
                });
            }
            Stream::SetText { id, place, octets } => {
                let (place, octets) = (self.place(place), name(*octets));
                match self.types.repr(*id) {
                    Repr::Text(_) => self.line(format!("wire::rt::fill_text({}, {octets})?;", place.exclusive())),
                    Repr::LentText => self.line(format!("{}.lend({octets})?;", place.object())),
                    _ => {
                        self.need("Ok(text)", &format!("core::str::from_utf8({octets})"));
                        self.line(format!("{}.clear();", place.object()));
                        self.line(format!("{}.push_str(text);", place.object()));
                    }
                }
            }
            Stream::TakeInline { place, count } => {
                let (place, count) = (self.place(place), self.operand(count));
                self.line(format!("r.take_inline({count} as usize, &mut {}.0)?;", place.object()));
            }
            Stream::TakeOctets { id, place, count } => self.take_octets(*id, &self.place(place), &self.operand(count)),
            Stream::SetOctets { id, place, octets } => {
                let (place, octets) = (self.place(place), name(*octets));
                if *self.types.repr(*id) == Repr::LentOctets {
                    return self.line(format!("{} = wire::LentOctets::new({octets});", place.value()));
                }
                self.line(format!("{}.0.clear();", place.object()));
                self.line(format!("{}.0.extend_from_slice({octets});", place.object()));
            }
            Stream::OctetArrays { list, place, all, count, octets } => {
                let (list, all, count) = (name(*list), name(*all), self.operand(count));
                self.line(format!("let {list} = {};", self.place(place).exclusive()));
                self.line(format!("let {all} = r.take_slice(({count} as usize).saturating_mul({octets}))?;"));
                self.line(format!("{list}.clear();"));
                let element = format!("one.first_chunk().copied().unwrap_or([0; {octets}])");
                self.line(format!("{list}.extend({all}.chunks_exact({octets}).map(|one| {element}));"));
            }
            other => self.take_bits(other),
        }
    }

    /// Appends characters to `text`.
    fn take_characters(&mut self, id: TypeId, count: &str, bits: u8, alphabet: &str) {
        self.begin_apart();
        let is_whole = self.cursor == Cursor::Whole;
        if is_whole {
            self.line(format!("let mut bits = wire::Reader::new(r.take_slice(({count} as usize) * {bits} / 8)?);"));
        }
        let reader = if is_whole { "bits" } else { "r" };
        self.line(format!("for _ in 0..{count} {{"));
        let take = format!("wire::rt::packed::take_character(&mut {reader}, {bits}, {alphabet})");
        self.line(format!("let character = {take}?;"));
        match self.types.repr(id) {
            Repr::String => self.line("text.push(character);"),
            _ => self.out.refuse_if("text.try_push(character).is_err()"),
        }
        self.line("}");
        self.end_apart();
    }

    /// Numbers in one word, and a last one with its own width.
    pub(super) fn put_chunk(&mut self, parts: &[(Num, u32)], bits: u32, last: Option<&(Num, Num)>) {
        let put = if self.cursor == Cursor::Whole { "put_whole" } else { "put" };
        let part = |(number, shift): &(Num, u32)| match shift {
            0 => self.operand(number),
            shift => format!("{} << {shift}", self.operand(number)),
        };
        let word = match parts {
            [] => "0".to_owned(),
            [(number, 0)] => self.number(number),
            parts => parts.iter().map(part).collect::<Vec<_>>().join(" | "),
        };
        self.line(match (last, bits) {
            (None, _) => format!("w.{put}({word}, {bits})?;"),
            (Some((number, width)), 0) => format!("w.{put}({}, {})?;", self.number(number), self.number(width)),
            (Some((number, width)), _) => {
                let (number, width) = (self.operand(number), self.operand(width));
                format!("w.{put}(({word}) << {width} | {number}, {bits} + {width})?;")
            }
        });
    }

    /// Reads octets into a string on the heap, or borrows them.
    pub(super) fn take_octets(&mut self, id: TypeId, place: &Text, count: &str) {
        let is_whole = self.cursor == Cursor::Whole;
        if *self.types.repr(id) == Repr::LentOctets {
            if is_whole {
                let octets = format!("r.take_slice({count} as usize)?");
                return self.line(format!("{} = wire::LentOctets::new({octets});", place.value()));
            }
            return self.apart(&format!("{}.take(&mut r, {count} as usize)?;", place.object()));
        }
        self.line(format!("let octets = {};", place.exclusive()));
        self.line("octets.0.clear();");
        if is_whole {
            return self.line(format!("octets.0.extend_from_slice(r.take_slice({count} as usize)?);"));
        }
        // Before any memory is allocated.
        self.line(format!("r.need({count} as usize * 8)?;"));
        self.line(format!("octets.0.resize({count} as usize, 0);"));
        self.apart("r.take_octets(&mut octets.0)?;");
        if *self.types.repr(id) == Repr::Oid {
            self.out.refuse_if("!wire::rt::is_oid(&octets.0)");
        }
    }

    pub(super) fn set_received(&mut self, place: &Text, value: &Value) {
        let to = place.value();
        match value {
            Value::Array(var, count) => {
                let (var, octets) = (name(*var), 0..*count);
                let parts: Vec<String> =
                    octets.map(|at| format!("({var} >> {}) as u8", (count - 1 - at) * 8)).collect();
                self.line(format!("{to} = [{}];", parts.join(", ")));
            }
            Value::Indexed { id, number, items } => {
                let Some((enumeration, enumerators)) = self.types.enumeration(*id) else { return };
                let names = item_names(enumerators);
                self.line(format!("{to} = match {} {{", name(*number)));
                for (index, item) in items.iter().enumerate() {
                    let pattern = if index + 1 == items.len() { "_".to_owned() } else { index.to_string() };
                    self.line(format!("{pattern} => {enumeration}::{},", names[*item]));
                }
                self.line("};");
            }
            Value::Some(var) => self.line(format!("{to} = Some({});", name(*var))),
            other => self.line(no_text(other)),
        }
    }
}
