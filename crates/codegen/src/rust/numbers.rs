//! Numbers and strings as expressions.

use roadwire_model::TypeId;

use super::Printer;
use super::places::name;
use crate::data::item_names;
use crate::rust_types::primitive;
use roadwire_plan::{Amount, Int, Num, Repr, Str, Unknown};

impl Printer<'_, '_> {
    /// As an expression that stands by itself.
    pub(super) fn number(&self, number: &Num) -> String {
        match number {
            Num::Const(number) => number.to_string(),
            Num::Amount(amount) => self.amount(amount),
            Num::Typed(number) => format!("{number}u64"),
            Num::Var(var) => name(*var),
            Num::Integer(id, place) => self.types.number(*id, &self.place(place)),
            Num::Ordinal(place) => self.place(place).value(),
            Num::Item { id, place, numbers, held, unknown } => {
                self.item_number(*id, &self.place(place).value(), numbers, (*held, *unknown))
            }
            Num::ItemCode { id, place, numbers, unknown } => {
                let (item, numbers) = (self.place(place).value(), numbers.iter().map(|number| u64::from(*number)));
                self.item_code(*id, &item, numbers, unknown.map(|unknown| format!("{unknown}u64")))
            }
            Num::At { at, octets } => format!("wire::rt::number_at(head, {at}, {octets})"),
            Num::Truth(place) => format!("u64::from({})", self.place(place).value()),
            Num::TruthOctet(place) => format!("0u64.wrapping_sub(u64::from({})) & 0xff", self.place(place).value()),
            Num::RealBits(place) => format!("{}.to_bits()", self.place(place).object()),
            Num::Flags(place) => format!("u64::from({}.0)", self.place(place).object()),
            Num::Bits(place) => format!("{}.masked()", self.place(place).object()),
            Num::BitCount(place) => format!("{}.bits", self.place(place).object()),
            Num::Elements(place) => format!("{}.len()", self.place(place).object()),
            Num::Length(text) => format!("{}.len()", self.string(text)),
            Num::OctetCount(text) => format!("{}.len()", self.octets(text)),
            Num::Half(var) => format!("{}.len() / 2", name(*var)),
            Num::Characters(text) => format!("{}.chars().count()", self.string(text)),
            Num::Sum(constant, conditions) => {
                let sum = |sum, var: &_| format!("{sum} + u64::from({})", name(*var));
                conditions.iter().fold(constant.to_string(), sum)
            }
            Num::As(number, int) => format!("{} as {}", self.cast(number), primitive(*int)),
            Num::And(number, mask) => format!("{} & {mask:#x}", self.operand(number)),
            Num::Or(number, bits) => format!("{} | {bits:#x}", self.operand(number)),
            Num::Shl(number, bits) => format!("{} << {bits}", self.operand(number)),
            Num::Shr(number, bits) => format!("{} >> {bits}", self.operand(number)),
            Num::Minus(number, other) => format!("{}.wrapping_sub({other})", self.operand(number)),
            Num::OrFront(bits, var) => format!("{bits:#x} | {}", name(*var)),
            Num::SignExtended(var, bits) => format!("({} << {bits}) as i64 >> {bits}", name(*var)),
            Num::Since(start) => format!("at - {}", name(*start)),
            Num::LowOctet(number) => format!("{} as u64 & 0xff", self.operand(number)),
            Num::Zigzag(var) => format!("wire::rt::varint::zigzag({})", name(*var)),
            Num::Unzigzag(var) => format!("wire::rt::varint::unzigzag({})", name(*var)),
            Num::Reversed(var, shift) => format!("{}.reverse_bits() >> {shift}", name(*var)),
            Num::ReversedBits(place) => {
                let place = self.place(place);
                format!(
                    "{0}.masked().reverse_bits().checked_shr(64 - u32::from({0}.bits)).unwrap_or(0)",
                    place.object()
                )
            }
            Num::ReversedIn(word, bits) => {
                let (word, bits) = (name(*word), name(*bits));
                format!("if {bits} == 0 {{ 0 }} else {{ {word}.reverse_bits() >> (64 - {bits}) }}")
            }
            Num::UsedBits(word, least) => format!("(64 - {}.leading_zeros()).max({least})", name(*word)),
            Num::Max(var, least) => format!("{}.max({least})", name(*var)),
            Num::ShlMissing { bits, width, sent } => format!("{} << ({width} - {})", name(*bits), name(*sent)),
        }
    }

    /// As a part of an expression.
    pub(super) fn operand(&self, number: &Num) -> String {
        let text = self.number(number);
        if is_operation(number) { format!("({text})") } else { text }
    }

    /// As what is cast to another type.
    fn cast(&self, number: &Num) -> String {
        if matches!(number, Num::As(..)) { self.number(number) } else { self.operand(number) }
    }

    /// The number of an item: a match without an early return where all items are known.
    fn item_number(&self, id: TypeId, item: &str, numbers: &[i64], (held, unknown): (Int, Unknown)) -> String {
        let Some((enumeration, enumerators)) = self.types.enumeration(id) else { return String::new() };
        let mut text = format!("match {item} {{ ");
        for (item, number) in item_names(enumerators).iter().zip(numbers) {
            let to = if held == Int::I64 { String::new() } else { format!(" as {}", primitive(held)) };
            text += &format!("{enumeration}::{item} => {number}i64{to}, ");
        }
        let unknown = match unknown {
            Unknown::None => return text + "}",
            Unknown::Rejected => "return Err(wire::Rejected)",
            Unknown::Greatest => "i64::MAX",
        };
        text + &format!("{enumeration}::UnknownAddition(_) => {unknown}, }}")
    }

    /// The number of an item, and one for those that are not known.
    pub(super) fn item_code(
        &self,
        id: TypeId,
        item: &str,
        numbers: impl Iterator<Item = u64>,
        unknown: Option<String>,
    ) -> String {
        let Some((enumeration, enumerators)) = self.types.enumeration(id) else { return String::new() };
        let mut text = format!("match {item} {{ ");
        for (item, number) in item_names(enumerators).iter().zip(numbers) {
            text += &format!("{enumeration}::{item} => {number}u64, ");
        }
        if let Some(unknown) = unknown {
            text += &format!("{enumeration}::UnknownAddition(_) => {unknown}, ");
        }
        text + "}"
    }

    /// A string, to be followed by a method.
    pub(super) fn string(&self, text: &Str) -> String {
        match text {
            Str::Octets(place) => format!("{}.0", self.place(place).object()),
            Str::Fixed(place) => format!("&{}[..]", self.place(place).object()),
            Str::Characters(place) => self.place(place).object().to_owned(),
            Str::Var(var) => name(*var),
        }
    }

    /// A string's octets, as a slice.
    pub(super) fn octets(&self, text: &Str) -> String {
        match text {
            Str::Octets(_) => format!("{}.as_slice()", self.string(text)),
            Str::Characters(_) => format!("{}.as_bytes()", self.string(text)),
            Str::Fixed(_) | Str::Var(_) => self.string(text),
        }
    }

    /// The type of a named bit string, and the primitive that holds its bits.
    pub(super) fn flags(&self, id: TypeId) -> (&str, &str) {
        match self.types.repr(id) {
            Repr::BitFlags { bits } => (self.types.name(id), primitive(Int::of_bits(*bits))),
            _ => ("", ""),
        }
    }
}

/// Whether the expression of a number has an operation that binds less than a method call.
fn is_operation(number: &Num) -> bool {
    match number {
        Num::Sum(..) | Num::As(..) | Num::And(..) | Num::Or(..) | Num::Shl(..) | Num::Shr(..) => true,
        Num::TruthOctet(_) | Num::OrFront(..) | Num::SignExtended(..) | Num::Since(_) | Num::LowOctet(_) => true,
        Num::Reversed(..) | Num::ShlMissing { .. } => true,
        Num::Amount(amount) => match **amount {
            Amount::Plus(..) | Amount::OctetsFor(_) | Amount::Low(_) | Amount::Widened(_) => true,
            Amount::SignedMachine(_, bits) => bits == 64,
            Amount::EightMore(_) | Amount::Product(..) | Amount::LowOctets { .. } | Amount::Masked { .. } => true,
            Amount::SliceMore(_) | Amount::UnusedIn { .. } | Amount::Units(..) | Amount::MaskedShl(..) => true,
            Amount::Chosen { .. } | Amount::Signed { .. } => true,
            _ => false,
        },
        _ => false,
    }
}
