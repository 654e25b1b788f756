//! Calls of the runtime's primitives, and of parts' functions.

use roadwire_model::TypeId;

use super::places::name;
use super::text::octets_literal;
use super::{Cursor, Printer, function};
use roadwire_plan::{Arg, Cbor, Count, Fields, Num, Place, Prim, Store, Tlv, Var, Vectors, Way};

impl Printer<'_, '_> {
    pub(super) fn put_integer(&mut self, args: &[Arg]) {
        let [Arg::Num(tag), Arg::Value(place)] = args else { return };
        let (tag, place) = (self.number(tag), self.place(place));
        let put = format!("wire::rt::tlv::put_string(output, at, {tag}, octets)");
        self.line(format!("at = {}.with_octets(|octets| {put})?;", place.object()));
    }

    pub(super) fn put_word(&mut self, by: Prim, parts: &[(Num, u32)], constant: u64, octets: &Count) {
        let part = |(number, shift): &(Num, u32)| match shift {
            0 => self.part(number),
            shift => format!("{} << {shift}", self.operand(number)),
        };
        let mut parts: Vec<String> = parts.iter().map(part).collect();
        if constant != 0 || parts.is_empty() || by == Prim::Tlv(Tlv::PutWord) {
            parts.push(format!("{constant:#x}"));
        }
        let octets = match octets {
            Count::Known(octets) => octets.to_string(),
            Count::And(0, var) => name(*var),
            Count::And(octets, var) => format!("{octets} + {}", name(*var)),
        };
        let (function, word) = (self.function(by), parts.join(" | "));
        self.line(format!("at = {function}(output, at, {word}, {octets})?;"));
    }

    pub(super) fn store_head(&mut self, octets: usize, stores: &[Store], room: usize) {
        if octets > 0 {
            self.line(format!("let head = wire::rt::head_at::<{octets}>(output, at)?;"));
        }
        for store in stores {
            match store {
                Store::Array { at, place } => {
                    self.line(format!("wire::rt::set_at(head, {at}, {});", self.place(place).shared()));
                }
                Store::Number { at, number, octets } => {
                    let number = self.operand(number);
                    match octets {
                        1 => self.line(format!("head[{at}] = {number} as u8;")),
                        2 | 4 | 8 => {
                            let bits = octets * 8;
                            self.line(format!("wire::rt::set_at(head, {at}, &({number} as u{bits}).to_be_bytes());"));
                        }
                        octets => (0..*octets).for_each(|one| {
                            let (at, shift) = (at + one as usize, (octets - 1 - one) * 8);
                            self.line(format!("head[{at}] = ({number} >> {shift}) as u8;"));
                        }),
                    }
                }
            }
        }
        self.line(format!("at += {};", octets + room));
    }

    pub(super) fn let_head(&mut self, (number, octets): (Var, Var), by: Prim, front: u8, after: u32) {
        let mut word = if after == 0 { "word".to_owned() } else { format!("word << {}", after * 8) };
        if front != 0 {
            word = format!("{word} ^ {:#x}", u64::from(front) << 56);
        }
        let (function, octets) = (self.function(by), name(octets));
        self.line(format!("let ({}, {octets}) = {function}({word})?;", name(number)));
        self.line(if after == 0 { format!("at += {octets};") } else { format!("at += {after} + {octets};") });
    }

    pub(super) fn call_part(
        &mut self,
        id: TypeId,
        place: &Place,
        levels: Option<u32>,
        (is_tapped, has_strings): (bool, bool),
    ) {
        let place = self.place(place);
        let of = match self.cursor {
            Cursor::Bits | Cursor::Whole => self.types.name(id).to_owned(),
            _ => function(self.types, id),
        };
        let (way, place) = match self.way {
            Way::Encode => ("encode", place.shared()),
            Way::Decode => ("decode", place.exclusive()),
        };
        let name = format!("{way}_{of}{}", self.suffix);
        let mut levels = levels.map_or(String::new(), |depth| format!(", levels - {depth}"));
        if has_strings {
            levels += ", strings";
        }
        let tap = if is_tapped { ", tap" } else { "" };
        match (self.way, self.cursor) {
            (Way::Encode, Cursor::Octets | Cursor::Rest) => {
                self.line(format!("at = {name}({place}, output, at{levels}{tap})?;"));
            }
            (Way::Decode, Cursor::Octets) => self.line(format!("at = {name}({place}, input, at, end{levels})?;")),
            (Way::Decode, Cursor::Rest) => {
                let message = if is_tapped { ", message" } else { "" };
                self.line(format!("r = {name}({place}, r{levels}{message}{tap})?;"));
            }
            (Way::Decode, Cursor::Whole) => {
                let input = if is_tapped { ", input" } else { "" };
                self.line(format!("r = {name}({place}, r{levels}{input}{tap})?;"));
            }
            _ => {
                let stream = self.stream();
                self.apart(&format!("{name}({place}, &mut {stream}{levels}{tap})?;"));
            }
        }
        self.out.calls(name);
    }

    pub(super) fn call(&self, by: Prim, args: &[Arg], first: &[&str]) -> String {
        let arg = |arg: &Arg| match arg {
            Arg::Num(number) => self.operand(number),
            Arg::Plain(number) => self.number(number),
            Arg::Hex(number) => format!("{number:#x}"),
            Arg::Value(place) => self.place(place).value(),
            Arg::Shared(place) => self.place(place).shared(),
            Arg::Octets(text) => self.octets(text),
            Arg::Contents(place) => format!("&{}.0", self.place(place).object()),
            Arg::WholeBits(place) => format!("{}.octets()", self.place(place).object()),
            Arg::Count(number) => format!("{} as usize", self.operand(number)),
            Arg::Flag(flag) => flag.to_string(),
            Arg::Ranges(ranges) => format!("&{ranges:?}"),
            Arg::Bytes(place) => format!("{}.as_bytes()", self.place(place).object()),
            Arg::Slice(var) => name(*var),
            Arg::Octet(octet) => format!("b'{}'", char::from(*octet)),
            Arg::Text(text) => octets_literal(text),
            Arg::Scalar(place) => format!("wire::Data::scalar({})", self.place(place).shared()),
            Arg::Object(place) => format!("&{}", self.place(place).object()),
            Arg::Exclusive(place) => self.place(place).exclusive(),
            Arg::FlagOctets { place, shift, octets } => {
                format!("&(u64::from({}.0) << {shift}).to_be_bytes()[..{octets}]", self.place(place).object())
            }
            Arg::Word(place) => format!("{0}.value, {0}.bits.into()", self.place(place).object()),
            Arg::BitSize { bounds: (lower, upper), is_fixed, is_trimmed } => format!(
                "wire::rt::cbor::strings::BitSize {{ lower: {lower}, upper: {upper}, is_fixed: {is_fixed}, is_trimmed: {is_trimmed} }}"
            ),
            Arg::Greatest => "u64::MAX".into(),
            Arg::End => "end".into(),
            Arg::Unknown(place) => format!("wire::Data::unknown({})", self.place(place).shared()),
            Arg::BitCount(place) => format!("u32::from({}.bits)", self.place(place).object()),
        };
        let args: Vec<String> = first.iter().map(|one| (*one).to_owned()).chain(args.iter().map(arg)).collect();
        format!("{}({})", self.function(by), args.join(", "))
    }

    /// The path of a primitive.
    pub(super) fn function(&self, by: Prim) -> String {
        let name = match by {
            Prim::PutOctets => return "wire::rt::put_octets".into(),
            Prim::Vectors(by) => return vectors(by),
            Prim::Mover(by) => return self.mover(by),
            Prim::Text(by) => return format!("{}.{}", self.stream(), super::text::method(by)),
            Prim::Fields(by) => return fields(by),
            Prim::Tlv(by) => return tlv(by),
            Prim::Cbor(Cbor::PutBitString) => return "wire::rt::cbor::strings::put_bit_string".into(),
            Prim::Cbor(Cbor::TakeBitString) => return "wire::rt::cbor::strings::take_bit_string".into(),
            Prim::Cbor(Cbor::Sort) => return "wire::rt::cbor::strings::sort".into(),
            Prim::Cbor(Cbor::Close) => return "wire::rt::cbor::close".into(),
            Prim::Cbor(by) => match by {
                Cbor::PutBitString | Cbor::TakeBitString | Cbor::Sort | Cbor::Close => String::new(),
                Cbor::Open => "open".into(),
                Cbor::PutWord => "put_word".into(),
                Cbor::PutLong => "put_long".into(),
                Cbor::PutLongInteger => "put_long_integer".into(),
                Cbor::PutBits => "put_bits".into(),
                Cbor::PutArray => "put_array".into(),
                Cbor::PutFloat => "put_float".into(),
                Cbor::TakeLong => "take_long".into(),
                Cbor::TakeLongInteger => "take_long_integer".into(),
                Cbor::TakeBits => "take_bits".into(),
                Cbor::TakeFloat => "take_float".into(),
                Cbor::TakeArray(count) => format!("take_array::<{count}>"),
                Cbor::TakeSlice => "take_slice".into(),
                Cbor::HeadWord(most) => format!("head_word::<{most}>"),
                Cbor::IntegerWord(most) => format!("integer_word::<{most}>"),
                Cbor::TakeHead(most) => format!("take_head::<{most}>"),
                Cbor::TakeInteger(most) => format!("take_integer::<{most}>"),
            },
        };
        format!("wire::rt::cbor::straight::{name}")
    }
}

pub(super) fn fields(by: Fields) -> String {
    let name = match by {
        Fields::Close => return "wire::rt::fields::close".into(),
        Fields::PutNumber(bits) => format!("put_number::<{bits}>"),
        Fields::TakeNumber(octets) => format!("take_number::<{octets}>"),
        Fields::PutWord => "put_word".into(),
        Fields::PutString => "put_string".into(),
        Fields::PutBits => "put_bits".into(),
        Fields::PutContents => "put_contents".into(),
        Fields::PutLongNumber => "put_long_number".into(),
        Fields::Open => "open".into(),
        Fields::TakeOctet => "take_octet".into(),
        Fields::TakeLongNumber => "take_long_number".into(),
        Fields::TakeEight => "take_eight".into(),
        Fields::TakeContents => "take_contents".into(),
    };
    format!("wire::rt::fields::straight::{name}")
}

pub(super) fn tlv(by: Tlv) -> String {
    let name = match by {
        Tlv::PutNumber { most, signed } => format!("put_number::<{most}, {signed}>"),
        Tlv::TakeNumber(most) => format!("take_number::<{most}>"),
        Tlv::PutWord => "put_word".into(),
        Tlv::PutElement => "put_element".into(),
        Tlv::PutUnknown => "put_unknown".into(),
        Tlv::PutOther => "put_other".into(),
        Tlv::TakeUnknown => "take_unknown".into(),
        Tlv::TakeOther => "take_other".into(),
        Tlv::PutString | Tlv::PutInteger => "put_string".into(),
        Tlv::PutOctets => "put_octets".into(),
        Tlv::PutAnyBits => "put_any_bits".into(),
        Tlv::PutLongBits => "put_long_bits".into(),
        Tlv::PutNamedBits => "put_named_bits".into(),
        Tlv::TakeNamedBits => "take_named_bits".into(),
        Tlv::PutReal => "put_real".into(),
        Tlv::PutCharacters => "put_characters".into(),
        Tlv::PutDigits => "put_digits".into(),
        Tlv::PutDuration => "put_duration".into(),
        Tlv::TakeDigits => "take_digits".into(),
        Tlv::TakeDuration => "take_duration".into(),
        Tlv::PutUnsigned => "put_unsigned".into(),
        Tlv::PutMachine => "put_machine".into(),
        Tlv::Sort => "sort".into(),
        Tlv::TakeLongBits => "take_long_bits".into(),
        Tlv::TakeReal => "take_real".into(),
        Tlv::TakeCharacters => "take_characters".into(),
        Tlv::TakeUnsigned => "take_unsigned".into(),
        Tlv::TakeMachine => "take_machine".into(),
        Tlv::PutBits => "put_bits".into(),
        Tlv::PutLongNumber => "put_long_number".into(),
        Tlv::Close => "close".into(),
        Tlv::Open => "open".into(),
        Tlv::Whole => "whole".into(),
        Tlv::OneOctet => "one_octet".into(),
        Tlv::TakeBits => "take_bits".into(),
        Tlv::TakeLongNumber => "take_long_number".into(),
    };
    format!("wire::rt::tlv::{name}")
}

pub(super) fn vectors(by: Vectors) -> String {
    let name = match by {
        Vectors::PutNumber => "put_number",
        Vectors::PutPsid => "put_psid",
        Vectors::PutCounted => "put_counted",
        Vectors::TakeNumber => "take_number",
        Vectors::TakePsid => "take_psid",
    };
    format!("wire::rt::vectors::straight::{name}")
}
