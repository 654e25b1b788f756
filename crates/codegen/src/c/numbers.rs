//! Numbers as expressions of 64 bits without sign.

use roadwire_model::TypeId;
use roadwire_plan::{Amount, Int, Num, Place, Repr, Unknown};

use super::names::int_name;
use super::places::name;
use super::statements::Printer;

/// A constant without sign.
pub(super) fn constant(number: u64) -> String {
    format!("UINT64_C({number})")
}

/// A constant with sign.
pub(super) fn signed_constant(number: i64) -> String {
    match number {
        i64::MIN => "INT64_MIN".into(),
        -9..=9 => number.to_string(),
        number => format!("INT64_C({number})"),
    }
}

/// A bound modulo 2^64.
pub(super) fn modulo(number: i128) -> String {
    constant(number as u64)
}

impl Printer<'_, '_> {
    /// As an expression that can be a part of another.
    pub(super) fn number(&mut self, number: &Num) -> String {
        match number {
            Num::Const(number) | Num::Typed(number) => constant(*number),
            Num::Var(var) => name(*var),
            Num::Amount(amount) => self.amount(amount),
            Num::Integer(_, place) => self.widened(place),
            Num::At { at, octets } => self.number_at(*at, *octets),
            Num::Truth(place) => format!("(uint64_t){}", self.place(place).value()),
            Num::Ordinal(place) => {
                let Some(id) = self.type_of(place) else { return self.lacks(number) };
                let count = self.types.items(id).0.len() as u64;
                self.item(id, place, &(0..count).collect::<Vec<_>>(), None)
            }
            Num::ItemCode { id, place, numbers, unknown } => {
                let numbers: Vec<u64> = numbers.iter().map(|number| u64::from(*number)).collect();
                self.item(*id, place, &numbers, *unknown)
            }
            Num::TruthOctet(place) => format!("({} ? UINT64_C(255) : 0)", self.place(place).value()),
            Num::RealBits(place) => format!("rw_real_bits({})", self.place(place).value()),
            Num::Flags(place) => format!("(uint64_t){}", self.place(place).value()),
            Num::Bits(place) => format!("rw_masked({})", self.place(place).address()),
            Num::BitCount(place) => format!("(uint64_t){}", self.place(place).member("bits")),
            Num::Elements(place) if self.is_bit_string(place) => {
                format!("(uint64_t){}", self.place(place).member("bits"))
            }
            Num::Elements(place) => format!("(uint64_t){}", self.place(place).member("count")),
            Num::Length(text) | Num::OctetCount(text) => format!("(uint64_t)({}).size", self.view_of(text)),
            Num::Characters(text) => format!("rw_characters({})", self.view_of(text)),
            Num::Sum(number, conditions) => {
                let sum = |sum: String, var: &_| format!("{sum} + (uint64_t){}", name(*var));
                format!("({})", conditions.iter().fold(constant(*number), sum))
            }
            // An octet with its sign.
            Num::As(number, Int::I64) if matches!(&**number, Num::As(_, int) if (int.bits, int.signed) == (8, true)) => {
                format!("(({} ^ 0x80) - 0x80)", self.number(number))
            }
            Num::As(number, int) => {
                let number = self.number(number);
                match (int.bits, int.signed, int_name(*int)) {
                    // All numbers are modulo 2^64, and those with a sign are in bounds.
                    (64, ..) | (_, true, _) => number,
                    (_, false, Some(held)) => format!("(uint64_t)({held})({number})"),
                    _ => self.lacks(int),
                }
            }
            Num::And(number, mask) => format!("({} & {})", self.number(number), constant(*mask)),
            Num::Or(number, bits) => format!("({} | {})", self.number(number), constant(*bits)),
            Num::Shl(number, bits) => format!("({} << {bits})", self.number(number)),
            Num::Shr(number, bits) => format!("({} >> {bits})", self.number(number)),
            Num::Minus(number, other) => format!("({} - {})", self.number(number), constant(*other)),
            Num::Item { id, place, numbers, unknown, .. } => {
                let numbers: Vec<u64> = numbers.iter().map(|number| *number as u64).collect();
                let unknown = (*unknown == Unknown::Greatest).then_some(i64::MAX as u64);
                self.item(*id, place, &numbers, unknown)
            }
            Num::LowOctet(number) => format!("({} & 0xffu)", self.number(number)),
            Num::Zigzag(var) => format!("rw_zigzag({})", name(*var)),
            Num::Unzigzag(var) => format!("rw_unzigzag({})", name(*var)),
            Num::Reversed(var, shift) => format!("rw_reversed({}, {})", name(*var), 64 - shift),
            Num::ReversedBits(place) => {
                let text = self.place(place);
                format!("rw_reversed(rw_masked({}), {})", text.address(), text.member("bits"))
            }
            Num::ReversedIn(word, bits) => format!("rw_reversed({}, {})", name(*word), name(*bits)),
            Num::UsedBits(word, least) => format!("rw_used_bits({}, {least})", name(*word)),
            Num::Max(var, least) => format!("rw_max({}, {least})", name(*var)),
            Num::ShlMissing { bits, width, sent } => format!("rw_shl({}, {width} - {})", name(*bits), name(*sent)),
            other => self.vector_number(other),
        }
    }

    fn amount(&mut self, amount: &Amount) -> String {
        match amount {
            Amount::AboveLower { place, lower, .. } => {
                let widened = self.widened(place);
                if *lower == 0 { widened } else { format!("({widened} - {})", modulo(*lower)) }
            }
            Amount::PlusLower(var, 0) => name(*var),
            Amount::PlusLower(var, lower) => match *lower < 0 {
                true => format!("rw_signed({} + {})", name(*var), modulo(*lower)),
                false => format!("({} + {})", name(*var), modulo(*lower)),
            },
            Amount::Widened(place) => self.widened(place),
            Amount::From(number) => self.number(number),
            Amount::Low(number) => format!("({} & 0xffffffffu)", self.number(number)),
            Amount::Hex(number) => format!("UINT64_C({number:#x})"),
            Amount::Times(number, times) | Amount::Product(number, times) => {
                format!("({} * {})", self.number(number), constant(*times))
            }
            Amount::Plus(number, more) => format!("({} + {})", self.number(number), constant(*more)),
            Amount::OctetsBelow(number) => format!("rw_octets_below({})", self.number(number)),
            Amount::EightMore(var) => format!("({} * 8 + 8)", name(*var)),
            Amount::ItemIndex { id, place, numbers, unknown } => self.item(*id, place, numbers, *unknown),
            Amount::ArrayBits(place, count) => {
                let array = self.array(place);
                let part = |at: u64| format!("(uint64_t){array}[{at}] << {}", (count - 1 - at) * 8);
                format!("({})", (0..*count).map(part).collect::<Vec<_>>().join(" | "))
            }
            Amount::Holds(condition) => format!("(uint64_t)({})", self.condition(condition)),
            Amount::OffsetFrom(var, lower) => format!("({} - {})", name(*var), modulo(*lower)),
            Amount::Cast { number, .. } => self.number(number),
            Amount::BitCount(place) => format!("(uint64_t){}", self.place(place).member("bits")),
            other => self.whole_amount(other),
        }
    }

    pub(super) fn is_bit_string(&self, place: &Place) -> bool {
        self.repr_of(place) == Some(Repr::BitString)
    }

    /// The INTEGER in a place, modulo 2^64.
    pub(super) fn widened(&self, place: &Place) -> String {
        format!("(uint64_t){}", self.place(place).value())
    }

    /// The number on the wire for the item in a place; one for an unknown item, or it is rejected.
    fn item(&mut self, id: TypeId, place: &Place, numbers: &[u64], unknown: Option<u64>) -> String {
        let (constants, Some(enumerators)) = self.types.items(id) else { return self.lacks(&"an item") };
        let item = self.place(place).value();
        let is_number = enumerators.all().zip(numbers).all(|((_, number), wanted)| *number as u64 == *wanted);
        let is_dense = enumerators.all().zip(0..).all(|((_, number), at)| *number == at);
        if is_number && is_dense && unknown.is_none() {
            self.reject_if(&format!("(uint64_t){item} > {}", constants.len() - 1));
            return format!("(uint64_t){item}");
        }
        let index = self.fresh("n");
        self.line(format!("uint64_t {index};"));
        self.line(format!("switch ({item}) {{"));
        for (name, number) in constants.iter().zip(numbers) {
            self.line(format!("case {name}: {index} = {}; break;", constant(*number)));
        }
        self.line("default:");
        self.line(match unknown {
            Some(unknown) => format!("{index} = {};", constant(unknown)),
            None => self.refusal(self.reason),
        });
        self.line("}");
        index
    }
}
