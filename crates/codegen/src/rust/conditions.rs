//! Conditions as expressions.

use roadwire_model::{Kind, TypeId};

use super::Printer;
use super::places::name;
use super::text::octets_literal;
use crate::data::{alternative_names, item_names};
use crate::rust_types::primitive;
use roadwire_plan::{Component, Cond, Int, Num};

impl Printer<'_, '_> {
    pub(super) fn condition(&self, condition: &Cond) -> String {
        match condition {
            Cond::True => "true".into(),
            Cond::Test(test) => self.test(test),
            Cond::Var(var) => name(*var),
            Cond::Not(condition) => format!("!{}", self.condition(condition)),
            Cond::Any(all) => self.joined(all, " || "),
            Cond::All(all) => self.joined(all, " && "),
            Cond::Tests(all) => format!("({})", self.joined(all, " && ")),
            Cond::IsItem(id, place, items) => {
                let Kind::Enumerated(enumerators) = self.types.kind(*id) else { return "false".into() };
                let (enumeration, names) = (self.types.name(*id), item_names(enumerators));
                let item = |item: &u32| format!("{enumeration}::{}", names[*item as usize]);
                one_of(self.place(place).object(), items.iter().map(item))
            }
            Cond::IsNumber(place, numbers) => one_of(self.place(place).object(), numbers.iter().map(u32::to_string)),
            Cond::HasBit(place, bits) => match bits.as_slice() {
                [bit] => format!("({}.0 >> {bit} & 1 == 1)", self.place(place).object()),
                bits => {
                    let mask = bits.iter().fold(0u64, |mask, bit| mask | 1 << bit);
                    format!("({}.0 & {mask:#x} != 0)", self.place(place).object())
                }
            },
            Cond::IsAlternative(id, place, wanted) => {
                one_of(self.place(place).object(), self.alternatives(*id, wanted).into_iter())
            }
            Cond::HasElement(id, place, wanted) => {
                let is = one_of("element", self.alternatives(*id, wanted).into_iter());
                format!("{}.iter().any(|element| {is})", self.place(place).object())
            }
            Cond::PresenceDiffers(condition, place) => {
                format!("{} != {}.is_some()", self.condition(condition), self.place(place).object())
            }
            Cond::Sent(Component { record, at }, place) => {
                let component = self.types.component(Component { record: *record, at: *at });
                self.types.sent(component, &self.place(place))
            }
            Cond::HasUnknown(place) => format!("!{}.unknown.is_empty()", self.place(place).object()),
            Cond::BeginsWith(place, octet) => {
                format!("{}.0.first() == Some(&b'{}')", self.place(place).object(), char::from(*octet))
            }
            Cond::Outside { number, held, bounds } => self.outside(number, *held, *bounds),
            Cond::BareOutside(number, lower, upper) => {
                let number = self.number(number);
                let below = lower.map(|bound| format!("{number} < {bound}"));
                let above = upper.map(|bound| format!("{number} > {bound}"));
                below.into_iter().chain(above).collect::<Vec<_>>().join(" || ")
            }
            Cond::Fewer(count, least) => format!("({} as u64) < {least}", self.operand(count)),
            Cond::Accept(text) => format!("r.accept({})", octets_literal(text)),
            Cond::AcceptTag(text) => format!("r.accept_tag({})", octets_literal(text)),
            Cond::Member(first, text) => format!("r.member({}, {})", name(*first), octets_literal(text)),
            Cond::InElement => "!r.is_at_end()".into(),
            Cond::FlagsAbove(place, bits) => format!("{}.0 >> {bits} != 0", self.place(place).object()),
            Cond::HasBitsBelow(var, bits) => format!("{} << {bits} != 0", name(*var)),
            Cond::NotFit(text, (lower, upper), ranges) => {
                format!("!wire::rt::text::fits(&{}, {lower}, {upper}, &{ranges:?})", self.string(text))
            }
            Cond::NoRow(row) => format!("{} == usize::MAX", name(*row)),
            Cond::SizeOutside(size, (lower, upper)) => {
                let size = self.operand(&size.clone().to(Int::U64));
                format!("!({lower}..={upper}).contains(&{size})")
            }
            Cond::CountOutside(count, (0, upper)) => format!("{} as u64 > {upper}", self.operand(count)),
            Cond::CountOutside(count, (lower, upper)) => {
                format!("!({lower}..={upper}).contains(&({} as u64))", self.operand(count))
            }
            Cond::LengthDiffers(place, count) => format!("{}.len() as u64 != {count}", self.place(place).object()),
            Cond::BitsAboveDiffer(var, bits, wanted) => format!("{} >> {bits} != {wanted}", name(*var)),
            Cond::Differs(number, other) => format!("{} != {other}", self.operand(number)),
            Cond::DiffersHex(var, other) => format!("{} != {other:#x}", name(*var)),
            Cond::Equals(number, other) => format!("{} == {other}", self.operand(number)),
            Cond::Above(number, most) => format!("{} > {most}", self.operand(number)),
            Cond::HasBitsAbove(number, bits) => format!("{} >> {bits} != 0", self.operand(number)),
            Cond::NotAllIn(text, alphabet) => format!("!wire::rt::tlv::all_in({}, &{alphabet:?})", self.octets(text)),
            Cond::AtEnd => "at >= end".into(),
            Cond::BeforeEnd => "at < end".into(),
            Cond::BeforeZero => "input.get(at).is_some_and(|octet| *octet != 0)".into(),
            Cond::IsKey { word, octets } => {
                format!("wire::rt::fields::straight::is_key(input, at, {word:#x}, {octets})")
            }
            Cond::TagIs(tags) => format!("matches!(input.get(at), {})", tag_patterns(tags)),
            Cond::HasElements(place) => format!("!{}.is_empty()", self.place(place).object()),
            Cond::BitCountOutside(place, (lower, upper)) => {
                format!("!({lower}..={upper}).contains(&{}.bits)", self.place(place).object())
            }
            Cond::WideBitCountOutside(place, (lower, upper)) => {
                format!("!({lower}..={upper}).contains(&u64::from({}.bits))", self.place(place).object())
            }
            Cond::WidestBitCountOutside(place, (lower, upper)) => {
                format!("!({lower}..={upper}).contains(&u64::from(u32::from({}.bits)))", self.place(place).object())
            }
            Cond::Beyond(var, bounds) => beyond(&name(*var), *bounds),
            Cond::IsGreatest(var) => format!("{} == i64::MAX", name(*var)),
            Cond::NotShortest(var) => format!("!wire::rt::TwosComplement::is_shortest({})", name(*var)),
            Cond::NotOid(var) => format!("!wire::rt::is_oid({})", name(*var)),
            Cond::NotSorted(start) => {
                format!("!wire::rt::cbor::strings::is_sorted(input, {}, at)", name(*start))
            }
            Cond::NotVisible(var) => format!("!{}.iter().all(|octet| matches!(octet, b' '..=b'~'))", name(*var)),
            Cond::NotUtc(place, digits) => {
                format!("!wire::rt::time::is_utc(&{}, {digits})", self.place(place).object())
            }
            Cond::MoreThanLeft(number) => {
                format!("{} > input.len().saturating_sub(at) as u64", self.operand(number))
            }
            Cond::IsNext { word, octets } => {
                format!("wire::rt::cbor::straight::is_next(input, at, {word:#x}, {octets})")
            }
            Cond::WindowDiffers { shift, bits } => format!("word >> {shift} != {bits:#x}"),
            Cond::WindowUnder { mask, bits } => format!("word & {mask:#x} != {bits:#x}"),
        }
    }

    /// Patterns for alternatives of a CHOICE.
    fn alternatives(&self, id: TypeId, wanted: &[u32]) -> Vec<String> {
        let Kind::Choice { alternatives, .. } = self.types.kind(id) else { return Vec::new() };
        let (choice, names) = (self.types.name(id), alternative_names(alternatives));
        wanted.iter().map(|at| format!("{choice}::{}(_)", names[*at as usize])).collect()
    }

    fn joined(&self, all: &[Cond], by: &str) -> String {
        all.iter().map(|one| self.condition(one)).collect::<Vec<_>>().join(by)
    }

    fn outside(&self, number: &Num, held: Int, (lower, upper): (Option<i128>, Option<i128>)) -> String {
        let (number, held) = (self.operand(number), primitive(held));
        let below = lower.map(|bound| format!("({number} < {bound}{held})"));
        let above = upper.map(|bound| format!("({number} > {bound}{held})"));
        below.into_iter().chain(above).collect::<Vec<_>>().join(" || ")
    }
}

/// Whether a number of type `i64` is outside bounds.
fn beyond(number: &str, (lower, upper): (i64, i64)) -> String {
    match (lower, upper) {
        (i64::MIN, i64::MAX) => "false".into(),
        (i64::MIN, _) => format!("{number} > {upper}"),
        (_, i64::MAX) => format!("{number} < {lower}i64"),
        _ => format!("{number} < {lower}i64 || {number} > {upper}i64"),
    }
}

/// The patterns for the octets that come next.
pub(super) fn tag_patterns(tags: &[u8]) -> String {
    let tags: Vec<String> = tags.iter().map(|tag| format!("Some({tag})")).collect();
    tags.join(" | ")
}

fn one_of(object: &str, patterns: impl Iterator<Item = String>) -> String {
    let patterns: Vec<String> = patterns.collect();
    if patterns.is_empty() { "false".into() } else { format!("matches!({object}, {})", patterns.join(" | ")) }
}
