//! Numbers and conditions of streams as expressions.

use super::conditions::{Binding, not_within};
use super::places::name;
use super::{Printer, no_text};
use roadwire_plan::{Amount, Bit, Cond};

impl Printer<'_, '_> {
    pub(super) fn amount(&self, amount: &Amount) -> String {
        match amount {
            // Modulo 2^64; a value below the lower bound becomes a large offset.
            Amount::AboveLower { place, is_widest, lower } => {
                let value = self.place(place).value();
                let widened = if *is_widest { value } else { format!("({value}) as u64") };
                match lower {
                    0 => widened,
                    lower => format!("({widened}).wrapping_sub({} as u64)", literal(*lower)),
                }
            }
            Amount::PlusLower(var, 0) => name(*var),
            Amount::PlusLower(var, lower) => format!("{}.wrapping_add({} as u64)", name(*var), literal(*lower)),
            Amount::Widened(place) => format!("({}) as u64", self.place(place).value()),
            Amount::Machine(place, bits) => format!("u64::from(({}) as u{bits})", self.place(place).value()),
            Amount::SignedMachine(var, 64) => format!("{} as i64", name(*var)),
            Amount::SignedMachine(var, bits) => format!("i64::from({} as i{bits})", name(*var)),
            Amount::OctetsBelow(number) => format!("({} as u64 | 1).ilog2() / 8", self.operand(number)),
            Amount::From(number) => format!("u64::from({})", self.number(number)),
            Amount::EightMore(var) => format!("{} * 8 + 8", name(*var)),
            Amount::Low(number) => format!("{} & 0xffff_ffff", self.operand(number)),
            Amount::Hex(number) => format!("{number:#x}"),
            Amount::Times(number, times) => format!("{} * {times}", self.operand(number)),
            Amount::Product(number, times) => format!("{} * {times}", self.operand(number)),
            Amount::Plus(number, more) => format!("{} + {more}", self.operand(number)),
            // Without an early return, so that it compiles to the discriminant itself where
            // possible.
            Amount::ItemIndex { id, place, numbers, unknown } => {
                let unknown = unknown.map(|unknown| unknown.to_string());
                self.item_code(*id, &self.place(place).value(), numbers.iter().copied(), unknown)
            }
            Amount::ArrayBits(place, count) => array_bits(self.place(place).object(), *count),
            Amount::Holds(condition) => format!("u64::from({})", self.condition(condition)),
            Amount::Cast { number, signed } => {
                format!("({}) as {}", self.number(number), if *signed { "i64" } else { "u64" })
            }
            Amount::SignedOctets(var) => format!("wire::rt::octet::signed_octets_of({})", name(*var)),
            Amount::OctetsOf(number) => format!("wire::rt::octet::octets_of({})", self.number(number)),
            Amount::LowOctets { number, octets } => {
                let unused = format!("(64 - {} * 8)", name(*octets));
                format!("({} as u64) << {unused} >> {unused}", name(*number))
            }
            Amount::OffsetFrom(var, lower) => format!("({} as u64).wrapping_sub({lower}i128 as u64)", name(*var)),
            Amount::BitCount(place) => format!("u32::from({}.bits)", self.place(place).object()),
            Amount::OctetsFor(var) => format!("{}.div_ceil(8)", name(*var)),
            Amount::UnusedOf { octets, bits } => format!("u64::from({} * 8 - {})", name(*octets), name(*bits)),
            Amount::Masked { place, octets, bits } => {
                format!("{}.masked() << ({} * 8 - {})", self.place(place).object(), name(*octets), name(*bits))
            }
            Amount::SliceMore(octets) => format!("{}.len() as u64 + 1", name(*octets)),
            Amount::UnusedIn { octets, place } => {
                format!("({}.len() * 8 - {}.len()) as u64", name(*octets), self.place(place).object())
            }
            Amount::Units(octets, width) => format!("{} as u64 / {width}", name(*octets)),
            Amount::UnusedBits(_) | Amount::MaskedShl(..) | Amount::SumBits(..) => self.event_amount(amount),
            Amount::Chosen { .. } | Amount::NotAt { .. } | Amount::Magnitude(_) => self.event_amount(amount),
            Amount::WithoutBase(..) | Amount::WithBase(..) | Amount::Signed { .. } => self.event_amount(amount),
        }
    }

    /// A number in a stream of events.
    fn event_amount(&self, amount: &Amount) -> String {
        match amount {
            Amount::UnusedBits(count) => format!("{}.wrapping_neg() % 8", name(*count)),
            Amount::MaskedShl(place, var) => format!("{}.masked() << {}", self.place(place).object(), name(*var)),
            Amount::SumBits(one, other) => format!("({} + {}) as u32", name(*one), name(*other)),
            Amount::Chosen { var, is_below, bound, yes, no } => {
                let is = if *is_below { "<" } else { "==" };
                format!("if {} {is} {bound} {{ {yes}u32 }} else {{ {no} }}", name(*var))
            }
            Amount::NotAt { var, bound, times } => {
                let times = if *times == 1 { String::new() } else { format!(" * {times}") };
                format!("u64::from({} != {bound}){times}", name(*var))
            }
            Amount::Magnitude(var) => format!("{0} ^ ({0} as i64 >> 63) as u64", name(*var)),
            Amount::WithoutBase(var, base) => format!("{}.wrapping_sub({base}i64 as u64)", name(*var)),
            Amount::WithBase(var, base) => format!("{}.wrapping_add({base}i64 as u64)", name(*var)),
            Amount::Signed { magnitude, sign } => format!("{} ^ {}.wrapping_neg()", name(*magnitude), name(*sign)),
            other => no_text(other),
        }
    }

    /// A condition of streams.
    pub(super) fn stream_condition(&self, condition: &Cond) -> String {
        match condition {
            Cond::AtLeast(number, least) => format!("{} >= {least}", self.operand(number)),
            Cond::OffsetAbove { number, lower: 0, range } => format!("{} > {range}", self.operand(number)),
            Cond::OffsetAbove { number, lower, range } => {
                format!("{}.wrapping_sub({} as u64) > {range}", self.operand(number), literal(*lower))
            }
            Cond::NotTrimmed(place, least) => {
                let place = self.place(place);
                let (bits, value) =
                    (format!("u64::from({}.bits)", place.object()), format!("{}.value", place.object()));
                format!("!({bits} == {least} || {bits} > {least} && {value} & 1 == 1)")
            }
            Cond::CharactersOutside(place, bounds) => {
                let place = self.place(place);
                let text = place.object();
                match bounds {
                    (0, upper) => format!("{text}.len() > {upper} && {text}.chars().count() > {upper}"),
                    bounds => not_within(&format!("({text}.chars().count() as u64)"), *bounds),
                }
            }
            Cond::AnyBit(all) => self.joined(all, " | ", Binding::Unary),
            Cond::IsSet(bit) => format!("{} != 0", expression(bit)),
            Cond::NoneSet(bits) => format!("{} == 0", any(bits)),
            Cond::IsEmpty(string) => format!("{}.is_empty()", self.string(string)),
            Cond::BeyondInput(count) => format!("{} > r.remaining() as u64 * 8", name(*count)),
            Cond::Remainder(octets, width) => format!("{} % {width} != 0", name(*octets)),
            Cond::NotOctetCount(octets) => format!("{0} == 0 || {0} > 7", name(*octets)),
            other => no_text(other),
        }
    }
}

/// The octets of an array as one number.
fn array_bits(array: &str, count: u64) -> String {
    let part = |at: u64| format!("u64::from({array}[{at}]) << {}", (count - 1 - at) * 8);
    (0..count).map(part).collect::<Vec<_>>().join(" | ")
}

/// An expression that is not 0 if the bit is set.
fn expression(bit: &Bit) -> String {
    match bit.mask {
        Some(mask) => format!("({} & {mask:#x})", name(bit.word)),
        None => name(bit.word),
    }
}

/// An expression that is not 0 if any of the bits is set; bits in words are all in the same word.
fn any(bits: &[Bit]) -> String {
    let mut together: Vec<Bit> = Vec::new();
    for bit in bits {
        match together.last_mut() {
            Some(Bit { word, mask: Some(mask) }) if *word == bit.word => *mask |= bit.mask.unwrap_or(0),
            _ => together.push(bit.clone()),
        }
    }
    together.iter().map(expression).collect::<Vec<_>>().join(" | ")
}

/// A number as a literal of type `i64` or `u64`.
fn literal(value: i128) -> String {
    if i64::try_from(value).is_ok() { format!("({value}i64)") } else { format!("{value}u64") }
}
