//! Prints statements of functions that write or read a stream of events.

use super::Printer;
use super::conditions::not_within;
use super::places::name;
use crate::Pdu;
use roadwire_plan::{Codes, Event, Form, Repeat, Repr, Way};

impl Printer<'_, '_> {
    pub(super) fn event(&mut self, event: &Event) {
        match event {
            Event::OrEmpty { string, code, second, full } => {
                let (string, code, second) = (self.string(string), *code, *second);
                self.line("let word = r.window();");
                // In the usual case, the first code is read again.
                self.line(format!("if word >> {} == {:#b} {{", 64 - code - second, 1u64 << second));
                self.line(format!("r.advance({});", code + second));
                self.line("r.within()?;");
                self.line(format!("{string}.clear();"));
                self.inside("} else {", full);
            }
            Event::PutBits { id, place, form } => {
                let (bits, form) = (self.place(place).object().to_owned(), bit_form(form));
                let (octets, count) = match self.types.repr(*id) {
                    Repr::BitWord => (format!("&{bits}.to_octets()"), format!("{bits}.bits.into()")),
                    _ => (format!("{bits}.octets()"), format!("{bits}.len()")),
                };
                self.apart(&format!("wire::rt::events::put_bits(&mut w, {octets}, {count}, {form})?;"));
            }
            Event::TakeBits { id, place, form } => {
                let (place, form) = (self.place(place), bit_form(form));
                self.apart(&match self.types.repr(*id) {
                    Repr::BitWord => format!("{} = wire::rt::events::take_word(&mut r, {form})?;", place.value()),
                    _ => format!("wire::rt::events::take_bits(&mut r, {form}, {})?;", place.exclusive()),
                });
            }
            Event::TakeFewBits { place, octets, unused, count, bounds } => {
                let (octets, unused, count) = (name(*octets), name(*unused), name(*count));
                self.line(format!("let {count} = {octets} * 8 - {unused};"));
                self.line(format!("if {} {{ return Err(wire::Rejected) }}", not_within(&count, *bounds)));
                let value = format!("r.take(({octets} * 8) as u32)? >> {unused}");
                let place = self.place(place).value();
                self.line(format!("{place} = wire::BitWord {{ value: {value}, bits: {count} as u8 }};"));
            }
            Event::TakeOctets { place, count } => {
                let (place, count) = (self.place(place), name(*count));
                // Before any memory is allocated.
                self.line(format!("r.need(usize::try_from({count}).unwrap_or(usize::MAX).saturating_mul(8))?;"));
                self.line(format!("let octets = {};", place.exclusive()));
                self.line("octets.0.clear();");
                self.line(format!("octets.0.resize({count} as usize, 0);"));
                self.line("r.take_octets(&mut octets.0)?;");
            }
            Event::PutText { place, count, alphabet, partition } => {
                let (text, count) = (self.place(place).shared(), name(*count));
                self.apart(&format!("strings.put(&mut w, {text}, {count}, {partition:?}, &{alphabet:?})?;"));
            }
            Event::TakeText { .. } => self.take_event_text(event),
            Event::Repeat(repeat) => self.repeat(repeat),
        }
    }

    /// Characters, or a reference to an equal string that came before.
    fn take_event_text(&mut self, event: &Event) {
        let Event::TakeText { id, place, number, alphabet, bounds, partition } = event else { return };
        let take = if *self.types.repr(*id) == Repr::String { "take_string" } else { "take" };
        let (number, text) = (name(*number), self.place(place).exclusive());
        let take = |reader, count: &str| format!("wire::rt::events::{take}({reader}, {count}, &{alphabet:?}, {text})");
        let (direct, looked_up) = (take("&mut r", &format!("({number} - 2) as usize")), take("r", "count"));
        self.apart(&match partition {
            None => format!("{direct}?;"),
            Some(name) => {
                format!("strings.take(&mut r, {number}, {name:?}, {bounds:?}, |r, count| {looked_up})?;")
            }
        });
    }

    /// Elements after event codes.
    fn repeat(&mut self, repeat: &Repeat) {
        let Codes { lower, upper, single, either, last, events } = repeat.codes;
        let (list, at) = (name(repeat.element.list), name(repeat.at));
        let (code, width) = (name(repeat.code), name(repeat.width));
        self.line(format!("let {list} = {};", self.place(&repeat.place).exclusive()));
        self.line(format!("{list}.clear();"));
        self.line(format!("let mut {at} = 0u64;"));
        self.line("loop {");
        if repeat.is_bounded {
            self.line(format!("if {at} == {upper} {{"));
            self.line(format!("if r.take({last})? != 0 {{ return Err(wire::Rejected) }}"));
            self.line("break;");
            self.line("}");
        }
        let (bits, is_enough) = match lower {
            0 => (format!("{either}u32"), String::new()),
            _ => (format!("if {at} < {lower} {{ {single}u32 }} else {{ {either} }}"), format!(" && {at} >= {lower}")),
        };
        self.line(format!("let {width} = {bits};"));
        self.line("let word = r.window();");
        self.line(format!("let {code} = word >> 1 >> (63 - {width});"));
        self.line(format!("r.advance({width} as usize);"));
        self.line("r.within()?;");
        self.line(match events {
            1 => format!("if {code} != 0 {{"),
            _ => format!("if {code} >= {events} {{"),
        });
        self.line(format!("if {code} == {events}{is_enough} {{ break }}"));
        self.line("return Err(wire::Rejected);");
        self.line("}");
        // The element begins in the same word.
        self.line(format!("let word = word << {width};"));
        if !repeat.is_bounded && upper < u64::MAX {
            self.out.refuse_if(&format!("{at} == {upper}"));
        }
        self.line(format!("{at} += 1;"));
        if events != 1 {
            self.line(format!("let mut {code} = {code};"));
        }
        self.element(&repeat.element, &repeat.body);
        self.line("}");
    }
}

fn bit_form(Form { lower, upper, trim, code }: &Form) -> String {
    format!("&wire::rt::events::Form {{ lower: {lower}, upper: {upper}, trim: {trim}, code: {code} }}")
}

/// The type of a table of strings.
pub(super) fn table(pdu: &Pdu<'_, '_>, way: Way, lifetime: &str) -> String {
    let count = pdu.strings_in_place();
    match way {
        Way::Encode => format!("wire::rt::events::Written<{lifetime}, {count}>"),
        Way::Decode => format!("wire::rt::events::Read<{count}>"),
    }
}
