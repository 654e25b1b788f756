//! Conditions as expressions.

use roadwire_plan::{Bit, Cond, Num};

use super::numbers::{constant, modulo, signed_constant};
use super::places::name;
use super::statements::Printer;

impl Printer<'_, '_> {
    /// As an expression that can be a part of another.
    pub(super) fn condition(&mut self, condition: &Cond) -> String {
        match condition {
            Cond::True => "true".into(),
            Cond::Var(var) => name(*var),
            Cond::Not(condition) => format!("!({})", self.condition(condition)),
            Cond::Any(all) => self.joined(all, " || "),
            Cond::All(all) => self.joined(all, " && "),
            Cond::AnyBit(all) => self.joined(all, " || "),
            Cond::Sent(component, place) => self.sent(*component, place),
            Cond::HasUnknown(place) => format!("{} != 0", self.place(place).member("unknown.count")),
            Cond::HasElements(place) => format!("{} != 0", self.place(place).member("count")),
            Cond::LengthDiffers(place, count) => format!("{} != {count}", self.place(place).member("count")),
            Cond::FlagsAbove(place, bits) => format!("(uint64_t){} >> {bits} != 0", self.place(place).value()),
            Cond::IsAlternative(id, place, wanted) => {
                let (choices, held) = (self.types.choices(*id), self.place(place).member("choice"));
                let one = |at: &u32| format!("{held} == {}", choices[*at as usize]);
                match wanted.as_slice() {
                    [] => "false".into(),
                    wanted => wanted.iter().map(one).collect::<Vec<_>>().join(" || "),
                }
            }
            Cond::Outside { number, held, bounds } => self.outside(number, held.signed, *bounds),
            Cond::BareOutside { number, signed, bounds } => self.outside(number, *signed, *bounds),
            Cond::NotWithin(number, (lower, upper)) | Cond::CountOutside(number, (lower, upper)) => {
                let number = self.number(number);
                not_within(&number, (*lower, *upper))
            }
            Cond::OutsideRange(place, range) => self.is_outside_range(place, range),
            Cond::NoRow(row) => format!("{} == UINT64_MAX", name(*row)),
            Cond::Fewer(number, least) => format!("{} < {}", self.number(number), constant(*least)),
            Cond::Differs(number, other) => format!("{} != {}", self.number(number), constant(*other)),
            Cond::DiffersHex(var, other) => format!("{} != {}", name(*var), constant(*other)),
            Cond::Equals(number, other) => format!("{} == {}", self.number(number), constant(*other)),
            Cond::Above(number, most) => format!("{} > {}", self.number(number), constant(*most)),
            Cond::AtLeast(number, least) => format!("{} >= {}", self.number(number), constant(*least)),
            Cond::HasBitsAbove(number, bits) => format!("{} >> {bits} != 0", self.number(number)),
            Cond::OffsetAbove { number, lower, range } => {
                let number = self.number(number);
                let offset = if *lower == 0 { number } else { format!("({number} - {})", modulo(*lower)) };
                format!("{offset} > {}", modulo(*range))
            }
            Cond::CharactersOutside(place, (lower, upper)) => {
                let count = format!("rw_characters({})", self.view(place));
                not_within(&count, (*lower, *upper))
            }
            Cond::NotTrimmed(place, least) => {
                let text = self.place(place);
                let (bits, value) = (text.member("bits"), text.member("value"));
                format!("!({bits} == {least} || ({bits} > {least} && ({value} & 1) == 1))")
            }
            Cond::IsSet(bit) => format!("{} != 0", expression(bit)),
            Cond::NoneSet(bits) => {
                let any: Vec<String> = bits.iter().map(expression).collect();
                format!("({}) == 0", any.join(" | "))
            }
            Cond::BeyondInput(count) => format!("{} > r.end - r.at", name(*count)),
            Cond::Remainder(octets, width) => format!("{} % {width} != 0", name(*octets)),
            other => self.at_condition(other),
        }
    }

    fn joined(&mut self, all: &[Cond], sign: &str) -> String {
        let all: Vec<String> = all.iter().map(|one| self.condition(one)).collect();
        match all.as_slice() {
            [one] => one.clone(),
            all => format!("({})", all.iter().map(|one| format!("({one})")).collect::<Vec<_>>().join(sign)),
        }
    }

    /// With or without a sign.
    fn outside(&mut self, number: &Num, signed: bool, (lower, upper): (Option<i128>, Option<i128>)) -> String {
        let number = self.number(number);
        let side = |bound: i128, than: &str| match i64::try_from(bound) {
            Ok(bound) if signed => format!("rw_signed({number}) {than} {}", signed_constant(bound)),
            _ => format!("{number} {than} {}", modulo(bound)),
        };
        let sides = lower.map(|bound| side(bound, "<")).into_iter().chain(upper.map(|bound| side(bound, ">")));
        sides.collect::<Vec<_>>().join(" || ")
    }
}

/// Whether a number without sign is outside bounds.
pub(super) fn not_within(number: &str, bounds: (u64, u64)) -> String {
    match bounds {
        (0, upper) => format!("{number} > {}", constant(upper)),
        (lower, upper) if lower > upper => "true".into(),
        (lower, upper) if lower == upper => format!("{number} != {}", constant(lower)),
        (lower, upper) => format!("{number} - {} > {}", constant(lower), constant(upper - lower)),
    }
}

/// An expression that is not 0 if the bit is set.
fn expression(bit: &Bit) -> String {
    match bit.mask {
        Some(mask) => format!("({} & {})", name(bit.word), constant(mask)),
        None => name(bit.word),
    }
}
