//! Conditions as expressions.

use roadwire_model::{Kind, Presence, TypeId};

use super::places::name;
use super::text::octets_literal;
use super::{Printer, no_text};
use crate::data::{alternative_names, item_names};
use crate::rust_types::primitive;
use roadwire_plan::{Cond, Int, Num};

/// How strongly an expression binds: the weakest first, as in Rust.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(super) enum Binding {
    Or,
    And,
    Comparison,
    Unary,
}

impl Printer<'_, '_> {
    pub(super) fn condition(&self, condition: &Cond) -> String {
        match condition {
            Cond::True => "true".into(),
            Cond::Var(var) => name(*var),
            Cond::Not(condition) => format!("!{}", self.part_of(condition, Binding::Unary)),
            Cond::Any(all) => self.joined(all, " || ", Binding::Or),
            Cond::All(all) => self.joined(all, " && ", Binding::And),
            Cond::Outside { number, held, bounds } => self.outside(number, *held, *bounds),
            Cond::BareOutside { number, bounds: (lower, upper), .. } => {
                let number = self.operand(number);
                let below = lower.map(|bound| format!("{number} < {bound}"));
                let above = upper.map(|bound| format!("{number} > {bound}"));
                below.into_iter().chain(above).collect::<Vec<_>>().join(" || ")
            }
            Cond::NotWithin(number, bounds) => not_within(&self.operand(number), *bounds),
            Cond::CountOutside(count, (0, upper)) => format!("{} as u64 > {upper}", self.operand(count)),
            Cond::CountOutside(count, bounds) => not_within(&format!("({} as u64)", self.operand(count)), *bounds),
            Cond::Beyond(var, bounds) => beyond(&name(*var), *bounds),
            Cond::Fewer(count, least) => format!("({} as u64) < {least}", self.operand(count)),
            Cond::Differs(number, other) => format!("{} != {other}", self.operand(number)),
            Cond::DiffersHex(var, other) => format!("{} != {other:#x}", name(*var)),
            Cond::Equals(number, other) => format!("{} == {other}", self.operand(number)),
            Cond::Above(number, most) => format!("{} > {most}", self.operand(number)),
            Cond::IsGreatest(var) => format!("{} == i64::MAX", name(*var)),
            Cond::NoRow(row) => format!("{} == usize::MAX", name(*row)),
            Cond::HasBitsAbove(number, bits) => format!("{} >> {bits} != 0", self.operand(number)),
            Cond::HasBitsBelow(var, bits) => format!("{} << {bits} != 0", name(*var)),
            Cond::BitsAboveDiffer(var, bits, wanted) => format!("{} >> {bits} != {wanted}", name(*var)),
            Cond::NotShortest(var) => format!("!wire::rt::TwosComplement::is_shortest({})", name(*var)),
            Cond::NotOid(var) => format!("!wire::rt::is_oid({})", name(*var)),
            Cond::NotVisible(var) => format!("!{}.iter().all(|octet| matches!(octet, b' '..=b'~'))", name(*var)),
            Cond::NotAllIn(text, alphabet) => format!("!wire::rt::tlv::all_in({}, &{alphabet:?})", self.octets(text)),
            Cond::NotFit(text, (lower, upper), ranges) => {
                format!("!wire::rt::text::fits(&{}, {lower}, {upper}, &{ranges:?})", self.string(text))
            }
            Cond::IsItem(_, place, _)
            | Cond::IsNumber(place, _)
            | Cond::HasBit(place, _)
            | Cond::IsAlternative(_, place, _)
            | Cond::HasElement(_, place, _)
            | Cond::PresenceDiffers(_, place)
            | Cond::HasUnknown(place)
            | Cond::HasElements(place)
            | Cond::LengthDiffers(place, _)
            | Cond::FlagsAbove(place, _)
            | Cond::NotUtc(place, _) => self.condition_of(condition, self.place(place).object()),
            Cond::Sent(one, place) => self.types.sent(self.types.component(*one), &self.place(place)),
            _ => self.comes(condition),
        }
    }

    /// A condition of what a place holds.
    fn condition_of(&self, condition: &Cond, object: &str) -> String {
        match condition {
            Cond::IsItem(id, _, items) => {
                let Kind::Enumerated(enumerators) = self.types.kind(*id) else { return "false".into() };
                let (enumeration, names) = (self.types.name(*id), item_names(enumerators));
                one_of(object, items.iter().map(|item| format!("{enumeration}::{}", names[*item as usize])))
            }
            Cond::IsNumber(_, numbers) => one_of(object, numbers.iter().map(u32::to_string)),
            Cond::HasBit(_, bits) => match bits.as_slice() {
                [bit] => format!("{object}.0 >> {bit} & 1 == 1"),
                bits => format!("{object}.0 & {:#x} != 0", bits.iter().fold(0u64, |mask, bit| mask | 1 << bit)),
            },
            Cond::IsAlternative(id, _, wanted) => one_of(object, self.alternatives(*id, wanted).into_iter()),
            Cond::HasElement(id, _, wanted) => {
                let is = one_of("element", self.alternatives(*id, wanted).into_iter());
                format!("{object}.iter().any(|element| {is})")
            }
            Cond::PresenceDiffers(condition, _) => {
                format!("{} != {object}.is_some()", self.part_of(condition, Binding::Unary))
            }
            Cond::HasUnknown(_) => format!("!{object}.unknown.is_empty()"),
            Cond::HasElements(_) => format!("!{object}.is_empty()"),
            Cond::LengthDiffers(_, count) => format!("{object}.len() as u64 != {count}"),
            Cond::FlagsAbove(_, bits) => format!("{object}.0 >> {bits} != 0"),
            Cond::NotUtc(_, digits) => format!("!wire::rt::time::is_utc(&{object}, {digits})"),
            other => no_text(other),
        }
    }

    /// A condition of what comes next in the input.
    fn comes(&self, condition: &Cond) -> String {
        match condition {
            Cond::Accept(text) => format!("r.accept({})", octets_literal(text)),
            Cond::AcceptTag(text) => format!("r.accept_tag({})", octets_literal(text)),
            Cond::Member(first, text) => format!("r.member({}, {})", name(*first), octets_literal(text)),
            Cond::InElement => "!r.is_at_end()".into(),
            Cond::AtEnd => "at >= end".into(),
            Cond::BeforeEnd => "at < end".into(),
            Cond::BeforeZero => "input.get(at).is_some_and(|octet| *octet != 0)".into(),
            Cond::IsKey { word, octets } => {
                format!("wire::rt::fields::straight::is_key(input, at, {word:#x}, {octets})")
            }
            Cond::TagIs(tags) => format!("matches!(input.get(at), {})", tag_patterns(tags)),
            Cond::NotSorted(start) => format!("!wire::rt::cbor::strings::is_sorted(input, {}, at)", name(*start)),
            Cond::MoreThanLeft(number) => {
                format!("{} > input.len().saturating_sub(at) as u64", self.operand(number))
            }
            Cond::IsNext { word, octets } => {
                format!("wire::rt::cbor::straight::is_next(input, at, {word:#x}, {octets})")
            }
            Cond::WindowDiffers { shift, bits } => format!("word >> {shift} != {bits:#x}"),
            Cond::WindowUnder { mask, bits } => format!("word & {mask:#x} != {bits:#x}"),
            _ => self.stream_condition(condition),
        }
    }

    /// Patterns for alternatives of a CHOICE.
    fn alternatives(&self, id: TypeId, wanted: &[u32]) -> Vec<String> {
        let Kind::Choice { alternatives, .. } = self.types.kind(id) else { return Vec::new() };
        let (choice, names) = (self.types.name(id), alternative_names(alternatives));
        wanted.iter().map(|at| format!("{choice}::{}(_)", names[*at as usize])).collect()
    }

    /// Conditions as parts of an expression that binds as strongly as `by` says.
    pub(super) fn joined(&self, all: &[Cond], sign: &str, by: Binding) -> String {
        all.iter().map(|one| self.part_of(one, by)).collect::<Vec<_>>().join(sign)
    }

    /// A condition as a part of an expression: in brackets where it binds less than that.
    fn part_of(&self, condition: &Cond, by: Binding) -> String {
        let text = self.condition(condition);
        if self.binding(condition) < by { format!("({text})") } else { text }
    }

    /// How strongly the expression of a condition binds.
    fn binding(&self, condition: &Cond) -> Binding {
        match condition {
            Cond::Any(all) | Cond::All(all) if all.len() == 1 => self.binding(&all[0]),
            Cond::Any(_) | Cond::NotOctetCount(_) => Binding::Or,
            Cond::Outside { bounds: (Some(_), Some(_)), .. } | Cond::BareOutside { bounds: (Some(_), Some(_)), .. } => {
                Binding::Or
            }
            Cond::Beyond(..) => Binding::Or,
            Cond::All(_) | Cond::CharactersOutside(_, (0, _)) => Binding::And,
            Cond::Sent(one, _) => match self.types.component(*one).presence {
                Presence::Default(_) => Binding::Comparison,
                _ => Binding::Unary,
            },
            Cond::True | Cond::Var(_) | Cond::Not(_) | Cond::NotWithin(..) | Cond::CharactersOutside(..) => {
                Binding::Unary
            }
            Cond::NotShortest(_) | Cond::NotOid(_) | Cond::NotVisible(_) | Cond::NotAllIn(..) | Cond::NotFit(..) => {
                Binding::Unary
            }
            Cond::IsItem(..) | Cond::IsNumber(..) | Cond::IsAlternative(..) | Cond::HasElement(..) => Binding::Unary,
            Cond::HasUnknown(_) | Cond::HasElements(_) | Cond::NotUtc(..) | Cond::IsEmpty(_) => Binding::Unary,
            Cond::Accept(_) | Cond::AcceptTag(_) | Cond::Member(..) | Cond::InElement => Binding::Unary,
            Cond::BeforeZero | Cond::IsKey { .. } | Cond::IsNext { .. } | Cond::TagIs(_) => Binding::Unary,
            Cond::NotSorted(_) | Cond::NotTrimmed(..) => Binding::Unary,
            _ => Binding::Comparison,
        }
    }

    fn outside(&self, number: &Num, held: Int, (lower, upper): (Option<i128>, Option<i128>)) -> String {
        let (number, held) = (self.operand(number), primitive(held));
        let below = lower.map(|bound| format!("{number} < {bound}{held}"));
        let above = upper.map(|bound| format!("{number} > {bound}{held}"));
        below.into_iter().chain(above).collect::<Vec<_>>().join(" || ")
    }
}

/// Whether a number is outside bounds.
pub(super) fn not_within(number: &str, (lower, upper): (u64, u64)) -> String {
    format!("!({lower}..={upper}).contains(&{number})")
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
