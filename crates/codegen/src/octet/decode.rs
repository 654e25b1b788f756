//! Decoders for what only the octet encoding rules have (X.696): integers and strings with their definite lengths, enumeration items by number, tags of alternatives.

use roadwire_layout::{Count, Extent, Form, LengthForm, Span, tag};
use roadwire_model::TypeId;

use crate::data::item_names;
use crate::octet::encode::{item_codes, outside};
use crate::packed::choice::Told;
use crate::packed::decode::DecodeWriter;
use crate::packed::run::{Place, outside_of_characters};
use crate::types::Repr;

impl DecodeWriter<'_, '_> {
    /// An integer of 8, 16, 32 or 64 bits.
    pub(crate) fn machine_word(&mut self, id: TypeId, bits: u32, form: Form, lower: i128, upper: i128, place: &Place) {
        let Repr::Integer(rust) = self.types.repr(id) else { return self.leave_to_interpreter() };
        let wide = if form == Form::Signed { "i64" } else { "u64" };
        let variable = self.read(bits);
        let number = match (form, bits) {
            (Form::Signed, 64) => format!("({variable} as i64)"),
            (Form::Signed, _) => format!("i64::from({variable} as i{bits})"),
            _ => variable,
        };
        let full = if form == Form::Signed { -(1i128 << (bits - 1)) } else { 0 };
        let (lower, upper) =
            (Some(lower).filter(|of| *of != full), Some(upper).filter(|of| *of != full + (1i128 << bits) - 1));
        if let Some(condition) = outside(&number, wide, lower, upper) {
            self.run.refuse_if(condition);
        }
        let cast = if *rust == wide { String::new() } else { format!(" as {rust}") };
        self.run.then(format!("{} = {number}{cast};", place.value()));
    }

    /// An integer after the length of its octets.
    pub(crate) fn integer(&mut self, id: TypeId, form: Form, lower: Option<i128>, upper: Option<i128>, place: &Place) {
        let Some(rust) = self.types.word(id).filter(|rust| *rust != "i128") else {
            return self.leave_to_interpreter();
        };
        let (wide, take) = match form {
            Form::Signed => ("i64", "take_counted_signed"),
            Form::Unsigned => ("u64", "take_counted_unsigned"),
            Form::Offset => return self.leave_to_interpreter(),
        };
        let variable = self.take_whole(take);
        // The interpreter explains values that the type in memory cannot hold.
        let (least, most) = if rust == "u64" { (0, u64::MAX.into()) } else { (i64::MIN.into(), i64::MAX.into()) };
        let (lower, upper) = (lower.unwrap_or(least).max(least), upper.unwrap_or(most).min(most));
        if let Some(condition) = outside(&variable, wide, Some(lower), Some(upper)) {
            self.run.refuse_if(condition);
        }
        let cast = if rust == wide { String::new() } else { format!(" as {rust}") };
        self.run.then(self.types.set_number(id, place, &format!("{variable}{cast}")));
    }

    /// An enumeration item by its number, if all numbers have one octet.
    pub(crate) fn numbered(&mut self, id: TypeId, values: Span, place: &Place) {
        let Some((name, enumerators)) = self.types.enumeration(id) else { return self.leave_to_interpreter() };
        let Some(codes) = item_codes(self.layout.numbers(values)) else { return self.leave_to_interpreter() };
        let items = item_names(enumerators);
        let variable = self.read(8);
        let dense = codes.iter().enumerate().all(|(at, code)| at == usize::from(*code));
        if dense {
            self.run.refuse_if(format!("({variable} >= {})", codes.len()));
        }
        self.run.then(format!("{} = match {variable} {{", place.value()));
        for (at, (item, code)) in items.iter().zip(&codes).enumerate() {
            let pattern = if dense && at + 1 == codes.len() { "_".to_owned() } else { code.to_string() };
            self.run.then(format!("{pattern} => {name}::{item},"));
        }
        if !dense {
            self.run.then("_ => return Err(wire::Rejected),");
        }
        self.run.then("};");
    }

    /// Whether a string has a definite length in front.
    pub(crate) fn is_counted(&self, extent: &Extent) -> bool {
        extent.count == Count::Determinant && self.layout.length_form == LengthForm::Definite
    }

    /// Octets after their length.
    pub(crate) fn counted_octets(&mut self, id: TypeId, extent: &Extent, place: &Place) {
        if matches!(self.types.repr(id), Repr::Octets(_)) {
            let count = self.take_whole("take_length");
            self.size(extent, &format!("({count} as u64)"));
            self.settle();
            return self.take_inline(&count, place);
        }
        let is_lent = *self.types.repr(id) == Repr::LentOctets;
        if !is_lent && !matches!(self.types.repr(id), Repr::OctetString | Repr::Oid) {
            return self.leave_to_interpreter();
        }
        let octets = self.take_whole("take_counted");
        if *self.types.repr(id) == Repr::Oid {
            self.run.refuse_if(format!("!wire::rt::is_oid({octets})"));
        }
        self.size(extent, &format!("({octets}.len() as u64)"));
        self.settle();
        if is_lent {
            return self.out.line(format!("{} = wire::LentOctets::new({octets});", place.value()));
        }
        self.out.line(format!("{}.0.clear();", place.object()));
        self.out.line(format!("{}.0.extend_from_slice({octets});", place.object()));
    }

    /// Text after its length in octets.
    pub(crate) fn counted_text(&mut self, id: TypeId, lower: u64, upper: u64, place: &Place) {
        let octets = self.take_whole("take_counted");
        self.settle();
        match self.types.repr(id) {
            Repr::Text(_) => self.out.line(format!("wire::rt::fill_text({}, {octets})?;", place.exclusive())),
            Repr::LentText => self.out.line(format!("{}.lend({octets})?;", place.object())),
            Repr::String => {
                self.out.line(format!(
                    "let Ok(text) = core::str::from_utf8({octets}) else {{ return Err(wire::Rejected) }};"
                ));
                self.out.line(format!("{}.clear();", place.object()));
                self.out.line(format!("{}.push_str(text);", place.object()));
            }
            _ => return self.leave_to_interpreter(),
        }
        if let Some(outside) = outside_of_characters(lower, upper, place) {
            self.out.line(format!("if {outside} {{"));
            self.out.line("return Err(wire::Rejected);");
            self.out.line("}");
        }
    }

    /// The number of units of `bits` bits, from their length in octets.
    pub(crate) fn units(&mut self, extent: &Extent, bits: u8) -> String {
        let octets = self.take_whole("take_length");
        let width = bits / 8;
        if width > 1 {
            self.run.refuse_if(format!("({octets} % {width} != 0)"));
        }
        let count = format!("({octets} as u64 / {width})");
        self.size(extent, &count);
        count
    }

    /// Up to 64 bits, after their length in octets and the number of unused bits.
    pub(crate) fn counted_word(&mut self, id: TypeId, extent: &Extent, place: &Place) {
        let octets = self.take_whole("take_counted");
        self.settle();
        let count = self.variable();
        self.out.line(format!(
            "let Some((unused @ 0..8, bits)) = {octets}.split_first() else {{ return Err(wire::Rejected) }};"
        ));
        self.out.line(format!("let Some({count}) = (bits.len() * 8).checked_sub(usize::from(*unused)) else {{ return Err(wire::Rejected) }};"));
        self.size(extent, &format!("({count} as u64)"));
        self.settle();
        if *self.types.repr(id) == Repr::BitString {
            return self.out.refuse_if(&format!("!{}.set_bits(bits, {count})", place.object()));
        }
        self.out.line(format!(
            "let Some(bits) = wire::BitWord::from_octets(bits, {count}) else {{ return Err(wire::Rejected) }};"
        ));
        self.out.line(format!("{} = bits;", place.value()));
    }

    /// How many elements follow: no more than there are bits; the interpreter handles others.
    pub(crate) fn quantity(&mut self, extent: &Extent) -> String {
        let count = self.take_whole("take_quantity");
        self.run.refuse_if(format!("({count} > r.remaining() as u64 * 8)"));
        self.size(extent, &count);
        count
    }

    /// The pattern of each root alternative: its tag's octet, its number, or its index; `None` if a tag has more than one octet.
    pub(crate) fn patterns(&self, told: Told, root: u32) -> Option<Vec<String>> {
        let tags = match told {
            Told::Index(_) => return Some((0..root).map(|at| at.to_string()).collect()),
            Told::Tag(tags) => tags,
        };
        let pairs = self.layout.numbers(tags).chunks_exact(2);
        let octet = |at: u32| pairs.clone().find(|pair| pair[1] == at).filter(|pair| pair[0] & tag::MOST < 63);
        (0..root).map(|at| octet(at).map(|pair| format!("{:#x}", pair[0] >> 30 << 6 | pair[0] & 63))).collect()
    }

    /// Reads with a method of the reader.
    pub(crate) fn take_whole(&mut self, function: &str) -> String {
        self.settle();
        let variable = self.variable();
        self.out.line(format!("let {variable} = r.{function}()?;"));
        variable
    }

    fn size(&mut self, extent: &Extent, count: &str) {
        match (extent.lower, extent.upper) {
            (0, u64::MAX) => {}
            (0, upper) => self.run.refuse_if(format!("({count} > {upper})")),
            (lower, upper) => self.run.refuse_if(format!("!({lower}..={upper}).contains(&{count})")),
        }
    }
}
