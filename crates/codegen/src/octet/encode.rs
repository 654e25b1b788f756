//! Encoders for what only the octet encoding rules have (X.696): integers and strings with their definite lengths, enumeration items by number, tags of alternatives.

use roadwire_layout::{Count, Extent, Form, LengthForm, Span, tag};
use roadwire_model::TypeId;

use crate::data::item_names;
use crate::packed::encode::EncodeWriter;
use crate::packed::run::{Place, outside_of_characters};
use crate::types::Repr;

impl EncodeWriter<'_, '_> {
    /// An integer in as few octets as hold it.
    pub(crate) fn integer(&mut self, id: TypeId, form: Form, lower: Option<i128>, upper: Option<i128>, place: &Place) {
        let Some(rust) = self.types.word(id).filter(|rust| *rust != "i128") else {
            return self.leave_to_interpreter();
        };
        let wide = if rust == "u64" { "u64" } else { "i64" };
        let (variable, octets) = (self.variable(), self.variable());
        self.run.before(format!("let {variable} = ({}) as {wide};", self.types.number(id, place)));
        if let Some(range) = outside(&variable, wide, lower, upper) {
            self.run.refuse_if(range);
        }
        match form {
            Form::Signed if wide == "u64" => self.leave_to_interpreter(),
            Form::Signed => {
                self.run.before(format!("let {octets} = wire::rt::octet::signed_octets_of({variable});"));
                self.run.field(format!("u64::from({octets})"), 8);
                let unused = format!("(64 - {octets} * 8)");
                self.run.octets(
                    format!("(({variable} as u64) << {unused} >> {unused})"),
                    format!("({octets} * 8)"),
                    64,
                );
            }
            Form::Unsigned | Form::Offset => {
                self.run.before(format!("let {octets} = wire::rt::octet::octets_of({variable} as u64);"));
                self.run.field(format!("u64::from({octets})"), 8);
                self.run.octets(format!("({variable} as u64)"), format!("({octets} * 8)"), 64);
            }
        }
    }

    /// An enumeration item by its number, if all numbers have one octet.
    pub(crate) fn numbered(&mut self, id: TypeId, values: Span, extensible: bool, place: &Place) {
        let Some((name, enumerators)) = self.types.enumeration(id) else { return self.leave_to_interpreter() };
        let Some(codes) = item_codes(self.layout.numbers(values)) else { return self.leave_to_interpreter() };
        let variable = self.variable();
        if !extensible && codes.iter().enumerate().all(|(at, code)| at == usize::from(*code)) {
            self.run.before(format!("let {variable} = {} as u64;", place.value()));
        } else {
            // Without an early return, so that it compiles to the discriminant itself where possible.
            let mut arms = format!("let {variable} = match {} {{ ", place.value());
            for (item, code) in item_names(enumerators).iter().zip(&codes) {
                arms += &format!("{name}::{item} => {code}u64, ");
            }
            if extensible {
                arms += &format!("{name}::UnknownAddition(_) => {UNKNOWN}, ");
            }
            self.run.before(arms + "};");
            if extensible {
                self.run.refuse_if(format!("({variable} >= {UNKNOWN})"));
            }
        }
        self.run.field(variable, 8);
    }

    /// Whether a string has a definite length in front.
    pub(crate) fn is_counted(&self, extent: &Extent) -> bool {
        extent.count == Count::Determinant && self.layout.length_form == LengthForm::Definite
    }

    /// Octets after their length.
    pub(crate) fn counted_octets(&mut self, id: TypeId, extent: &Extent, place: &Place) {
        if !matches!(self.types.repr(id), Repr::Octets(_) | Repr::OctetString | Repr::LentOctets | Repr::Oid) {
            return self.leave_to_interpreter();
        }
        let count = format!("({}.0.len() as u64)", place.object());
        self.size(extent, &count);
        self.length(&count, extent.upper);
        self.flush(false);
        self.put_string(id, place);
    }

    /// Text after its length in octets.
    pub(crate) fn counted_text(&mut self, id: TypeId, lower: u64, upper: u64, place: &Place) {
        if let Some(outside) = outside_of_characters(lower, upper, place) {
            self.run.refuse_if(format!("({outside})"));
        }
        let most = match self.types.repr(id) {
            Repr::Text(most) => *most,
            _ => u64::MAX,
        };
        self.length(&format!("({}.len() as u64)", place.object()), most);
        self.flush(false);
        self.out.line(format!("w.put_whole_octets({}.as_bytes())?;", place.object()));
    }

    /// A length of at most `most`.
    fn length(&mut self, length: &str, most: u64) {
        if most < 128 {
            return self.run.field(length, 8);
        }
        let (octets, bits) = (self.variable(), self.variable());
        self.run.before(format!("let ({octets}, {bits}) = wire::rt::octet::length_octets({length});"));
        self.run.octets(octets, bits, 64);
    }

    /// The length in octets of `count` units of `bits` bits.
    pub(crate) fn length_of(&mut self, extent: &Extent, count: &str, bits: u8) {
        self.size(extent, count);
        let octets = bits / 8;
        let most = extent.upper.saturating_mul(octets.into());
        self.length(&format!("({count} * {octets})"), most);
    }

    /// Up to 64 bits, after their length in octets and the number of unused bits.
    pub(crate) fn counted_word(&mut self, extent: &Extent, place: &Place) {
        let (bits, octets) = (self.variable(), self.variable());
        self.run.before(format!("let {bits} = u32::from({}.bits);", place.object()));
        self.size(extent, &format!("u64::from({bits})"));
        self.run.before(format!("let {octets} = {bits}.div_ceil(8);"));
        self.run.field(format!("(u64::from({octets}) + 1)"), 8);
        self.run.field(format!("u64::from({octets} * 8 - {bits})"), 8);
        let value = format!("({}.masked() << ({octets} * 8 - {bits}))", place.object());
        self.run.octets(value, format!("({octets} * 8)"), 64);
    }

    /// The same for any number of bits.
    pub(crate) fn counted_bits(&mut self, extent: &Extent, place: &Place) {
        let octets = self.variable();
        self.run.before(format!("let {octets} = {}.octets();", place.object()));
        self.size(extent, &format!("({}.len() as u64)", place.object()));
        self.length(&format!("({octets}.len() as u64 + 1)"), extent.upper.div_ceil(8).saturating_add(1));
        self.run.field(format!("(({octets}.len() * 8 - {}.len()) as u64)", place.object()), 8);
        self.flush(false);
        self.out.line(format!("w.put_whole_octets({octets})?;"));
    }

    /// How many elements follow.
    pub(crate) fn quantity(&mut self, extent: &Extent, count: &str) {
        self.size(extent, count);
        if extent.upper < 256 {
            self.run.field("1", 8);
            return self.run.field(count, 8);
        }
        let octets = self.variable();
        self.run.before(format!("let {octets} = wire::rt::octet::octets_of({count});"));
        self.run.field(format!("u64::from({octets})"), 8);
        self.run.octets(count, format!("({octets} * 8)"), 64);
    }

    /// The tag of alternative `at`, as a constant.
    pub(crate) fn tag(&mut self, tags: Span, at: usize) {
        let pairs = self.layout.numbers(tags).chunks_exact(2);
        let own = pairs.map(|pair| (pair[0], pair[1])).find(|(_, place)| *place as usize == at);
        // An untagged CHOICE writes the tag of its alternative.
        if let Some((own, _)) = own {
            let (octets, bits) = tag_octets(own);
            self.run.field(format!("{octets:#x}"), bits);
        }
    }

    fn size(&mut self, extent: &Extent, count: &str) {
        match (extent.lower, extent.upper) {
            (0, u64::MAX) => {}
            (0, upper) => self.run.refuse_if(format!("({count} > {upper})")),
            (lower, upper) => self.run.refuse_if(format!("!({lower}..={upper}).contains(&{count})")),
        }
    }
}

/// Stands for an unknown item.
const UNKNOWN: u8 = 0x80;

/// The numbers of an enumeration's items, if each has one octet.
pub(crate) fn item_codes(values: &[u32]) -> Option<Vec<u8>> {
    let code = |pair: &[u32]| u8::try_from(pair[1]).ok().filter(|code| *code < UNKNOWN && pair[0] == 0);
    values.chunks_exact(2).map(code).collect()
}

/// The condition under which a value of the type `wide` (`i64` or `u64`) is outside its bounds; `None` if it cannot be.
pub(crate) fn outside(variable: &str, wide: &str, lower: Option<i128>, upper: Option<i128>) -> Option<String> {
    let (least, most) = if wide == "u64" { (0, u64::MAX.into()) } else { (i64::MIN.into(), i64::MAX.into()) };
    let lower = lower.filter(|lower| *lower > least).map(|lower| format!("{variable} < {lower}"));
    let upper = upper.filter(|upper| *upper < most).map(|upper| format!("{variable} > {upper}"));
    let both: Vec<String> = lower.into_iter().chain(upper).collect();
    (!both.is_empty()).then(|| format!("({})", both.join(" || ")))
}

/// A tag's octets as a number, and how many bits those are (X.696 §8.7).
fn tag_octets(own: u32) -> (u64, u32) {
    let (class, number) = (u64::from(own >> 30), u64::from(own & tag::MOST));
    if number < 63 {
        return (class << 6 | number, 8);
    }
    let groups = (64 - number.leading_zeros()).div_ceil(7);
    let octet = |group: u32| number >> (group * 7) & 0x7f | if group > 0 { 0x80 } else { 0 };
    ((0..groups).rev().fold(class << 6 | 63, |octets, group| octets << 8 | octet(group)), 8 + groups * 8)
}
