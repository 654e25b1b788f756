//! Calls of the runtime's primitives, and of parts' functions.

use std::fmt::Debug;

use roadwire_model::TypeId;

use super::places::name;
use super::text::octets_literal;
use super::{Cursor, Printer, part_name};
use crate::names::snake;
use roadwire_plan::{Arg, Cbor, Count, Fields, Num, Place, Prim, Store, Tlv, Var, Way};

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
        let has_constant = constant != 0 || parts.is_empty() || by == Prim::Tlv(Tlv::PutWord);
        let word = match parts {
            [(number, 0)] if !has_constant => self.number(number),
            parts => {
                let constant = has_constant.then(|| format!("{constant:#x}"));
                parts.iter().map(part).chain(constant).collect::<Vec<_>>().join(" | ")
            }
        };
        let octets = match octets {
            Count::Known(octets) => octets.to_string(),
            Count::And(0, var) => name(*var),
            Count::And(octets, var) => format!("{octets} + {}", name(*var)),
        };
        let function = self.function(by);
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
        let (way, place) = match self.way {
            Way::Encode => ("encode", place.shared()),
            Way::Decode => ("decode", place.exclusive()),
        };
        let name = format!("{way}_{}{}", part_name(self.types, self.cursor, id), self.suffix);
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
            Arg::Num(number) => self.number(number),
            Arg::Hex(number) => format!("{number:#x}"),
            Arg::Value(place) => self.place(place).value(),
            Arg::Shared(place) => self.place(place).shared(),
            Arg::Octets(text) => self.octets(text),
            Arg::Contents(place) => format!("&{}.0", self.place(place).object()),
            Arg::WholeBits(place) => format!("{}.octets()", self.place(place).object()),
            Arg::Count(number) => format!("{} as usize", self.operand(number)),
            Arg::Flag(flag) => flag.to_string(),
            Arg::Ranges(ranges) => format!("&{ranges:?}"),
            Arg::Octet(octet) => format!("b'{}'", char::from(*octet)),
            Arg::Text(text) => octets_literal(text),
            Arg::Names(names) => format!("&{names:?}"),
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
            // Plans for Rust leave times to the interpreter.
            Arg::Time(_) => String::new(),
        };
        let args: Vec<String> = first.iter().map(|one| (*one).to_owned()).chain(args.iter().map(arg)).collect();
        format!("{}({})", self.function(by), args.join(", "))
    }

    /// The path of a primitive, or a method of the writer or reader.
    pub(super) fn function(&self, by: Prim) -> String {
        match by {
            Prim::PutOctets => "wire::rt::put_octets".into(),
            Prim::Vectors(by) => path("vectors::straight", by),
            // Those of thorough plans: the interpreter takes their part.
            Prim::Events(by) => path("events", by),
            Prim::Mover(by) => self.mover(by),
            Prim::Text(by) => format!("{}.{}", self.stream(), primitive(by)),
            Prim::Fields(by @ Fields::Close) => path("fields", by),
            Prim::Fields(by @ (Fields::PutNumber(most) | Fields::TakeNumber(most))) => {
                format!("{}::<{most}>", path("fields::straight", by))
            }
            Prim::Fields(by) => path("fields::straight", by),
            Prim::Tlv(by @ Tlv::PutNumber { most, signed }) => format!("{}::<{most}, {signed}>", path("tlv", by)),
            Prim::Tlv(by @ Tlv::TakeNumber(most)) => format!("{}::<{most}>", path("tlv", by)),
            Prim::Tlv(by) => path("tlv", by),
            Prim::Cbor(by @ Cbor::Close) => path("cbor", by),
            Prim::Cbor(by @ (Cbor::PutBitString | Cbor::TakeBitString | Cbor::Sort)) => path("cbor::strings", by),
            Prim::Cbor(by @ Cbor::TakeArray(count)) => format!("{}::<{count}>", path("cbor::straight", by)),
            Prim::Cbor(by @ (Cbor::HeadWord(most) | Cbor::IntegerWord(most))) => {
                format!("{}::<{most}>", path("cbor::straight", by))
            }
            Prim::Cbor(by @ (Cbor::TakeHead(most) | Cbor::TakeInteger(most))) => {
                format!("{}::<{most}>", path("cbor::straight", by))
            }
            Prim::Cbor(by) => path("cbor::straight", by),
        }
    }
}

/// A primitive in a module of the runtime.
pub(super) fn path(module: &str, by: impl Debug) -> String {
    format!("wire::rt::{module}::{}", primitive(by))
}

/// The name of a primitive in the runtime: that of its variant, in snake case.
pub(super) fn primitive(by: impl Debug) -> String {
    let variant = format!("{by:?}");
    snake(variant.split(|character: char| !character.is_alphanumeric()).next().unwrap_or(""))
}
