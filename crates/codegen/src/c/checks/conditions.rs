//! Expressions that test whether a value is in a set.

use num_traits::ToPrimitive;
use roadwire_layout::Family;
use roadwire_model::{
    BigInt, Bound, Expression, Inner, InnerPresence, Kind, PatternStep, Presence, Settings, TypeId, Value, ValueSet,
};
use roadwire_plan::{Int, Repr, Types, Way};

use super::super::numbers::{constant, signed_constant};
use super::super::parts::{address, member};
use super::super::statements::Printer;
use super::super::wide::is_within;
use super::Checks;
use crate::source::Source;

impl Checks<'_, '_> {
    /// Whether a value is in a set. A part that cannot be expressed is true if the expression must
    /// hold for all values of the set (`at_least`), and false if it must hold for no others.
    pub(super) fn condition(&mut self, id: TypeId, set: &ValueSet, value: &str, at_least: bool) -> String {
        match set {
            ValueSet::All => "true".into(),
            ValueSet::Value(wanted) => self.is(id, value, wanted, at_least),
            ValueSet::Integers(ranges) if self.types.integer(id, value).is_some() => {
                wide_integers(&self.types.integer(id, value).unwrap_or_default(), ranges)
            }
            ValueSet::Integers(ranges) => match self.types.int(id) {
                Some(int) => integers(value, int, ranges),
                None => at_least.to_string(),
            },
            ValueSet::Reals(lower, upper) => reals(value, *lower, *upper),
            ValueSet::Sizes(sizes) => self.sizes(id, sizes, value).unwrap_or_else(|| at_least.to_string()),
            ValueSet::Characters(ranges) => match self.text(id, value) {
                Some(text) => self.characters(&text, ranges),
                None => "true".into(),
            },
            ValueSet::Parts(parts) if parts.is_binary() => {
                let [mantissa, exponent] = [parts.mantissa.narrow(), parts.exponent.narrow()]
                    .map(|(least, most)| format!("{}, {}", signed_constant(least), signed_constant(most)));
                format!("rw_is_product({value}, {mantissa}, {exponent})")
            }
            ValueSet::Parts(_) => "true".into(),
            ValueSet::Pattern(expression) => match self.text(id, value) {
                Some(text) => self.matches(expression, &text),
                None => "true".into(),
            },
            ValueSet::Settings(settings) => match self.text(id, value) {
                Some(text) => self.has_settings(settings, &text),
                None => at_least.to_string(),
            },
            ValueSet::Elements(inner) => self.all_elements(id, &inner.set, value, at_least),
            ValueSet::Components(inners) => {
                let all = inners.iter().flat_map(|inner| self.inner_conditions(id, inner, value, at_least));
                joined(all.collect::<Vec<_>>(), " && ", "true")
            }
            ValueSet::Union(sets) => {
                let all = sets.iter().map(|set| self.condition(id, set, value, at_least));
                joined(all.collect(), " || ", "false")
            }
            ValueSet::Intersection(sets) => {
                let all = sets.iter().map(|set| self.condition(id, set, value, at_least));
                joined(all.collect(), " && ", "true")
            }
            ValueSet::Not(set) => match self.condition(id, set, value, !at_least).as_str() {
                "true" => "false".into(),
                "false" => "true".into(),
                condition => format!("!({condition})"),
            },
        }
    }

    /// Whether all elements of a list are in a set: a function of its own.
    fn all_elements(&mut self, id: TypeId, set: &ValueSet, value: &str, at_least: bool) -> String {
        let (Kind::SequenceOf { element, .. }, Some(held)) = (self.types.kind(id), self.types.held(id)) else {
            return "true".into();
        };
        let (name, at) = (self.name("all_in_"), self.name("i"));
        let item = self.types.any_element(id, "value->", &at);
        let condition = self.condition(*element, set, &item, at_least);
        let signature = format!("static bool {name}(const {held} *value)");
        self.declared.push(format!("{signature};"));
        for line in [
            "",
            &signature,
            "{",
            &format!("for (uint32_t {at} = 0; {at} < value->count; {at}++) {{"),
            &format!("if (!({condition})) {{"),
            "return false;",
            "}",
            "}",
            "return true;",
            "}",
        ] {
            self.bodies.line(line);
        }
        format!("{name}({})", address(value))
    }

    fn inner_conditions(&mut self, id: TypeId, inner: &Inner, value: &str, at_least: bool) -> Vec<String> {
        let at = inner.place as usize;
        let mut all = vec![self.presence(id, inner, value)];
        let part =
            self.types.part_of(id, at, value).zip(self.types.type_of_part(id, at)).zip(inner.constraint.as_ref());
        if let Some((((has, content), inside), constraint)) = part {
            let condition = self.condition(inside, &constraint.set, &content, at_least);
            all.push(match has.as_str() {
                "true" => condition,
                has => format!("!({has}) || ({condition})"),
            });
        }
        all.retain(|condition| condition != "true");
        all
    }

    /// Whether a component or an alternative is present or absent as required.
    pub(super) fn presence(&mut self, id: TypeId, inner: &Inner, value: &str) -> String {
        let at = inner.place as usize;
        let Some((has, content)) = self.types.part_of(id, at, value) else { return "true".into() };
        let is_certain = match self.types.kind(id) {
            Kind::Sequence { components, .. } => !Types::is_option(&components[at]),
            _ => false,
        };
        match (inner.presence, self.types.kind(id)) {
            (InnerPresence::Free, _) => "true".into(),
            (InnerPresence::Present, _) if is_certain => "true".into(),
            (InnerPresence::Present, _) => has,
            (InnerPresence::Absent, Kind::Sequence { components, .. }) if is_certain => {
                // A component at its DEFAULT counts as absent.
                match &components[at].presence {
                    Presence::Default(default) => self.is(components[at].type_id, &content, default, true),
                    _ => "false".into(),
                }
            }
            (InnerPresence::Absent, _) => format!("!({has})"),
        }
    }

    /// Whether a value is this one.
    pub(super) fn is(&mut self, id: TypeId, value: &str, wanted: &Value, at_least: bool) -> String {
        let (mut missing, mut out) = (None, Source::default());
        let mut printer = Printer::new(self.types, (Way::Encode, "", Family::Tlv), id, &mut out, &mut missing);
        let condition = printer.equals(value, id, wanted);
        if missing.is_some() { at_least.to_string() } else { condition }
    }

    /// Whether a list or a string has one of these sizes; `None` if it is neither.
    fn sizes(&mut self, id: TypeId, sizes: &[(u64, u64)], value: &str) -> Option<String> {
        let size = match (self.types.repr(id), self.types.kind(id)) {
            (_, Kind::BitString { named, .. }) if !named.is_empty() => {
                let most = sizes.last().map_or(0, |(_, most)| *most);
                return Some(match self.types.repr(id) {
                    Repr::BitFlags { bits } => {
                        let below = u32::from(*bits).saturating_sub(most as u32).min(63);
                        format!("((uint64_t){value} & {}) == 0", constant((1u64 << below) - 1))
                    }
                    Repr::BitWord => format!("rw_word_meaning({}) <= {most}u", address(value)),
                    _ => format!("rw_bits_meaning({}) <= {most}u", address(value)),
                });
            }
            (Repr::List { .. }, _) => member(value, "count"),
            (Repr::BitWord | Repr::BitString, _) => member(value, "bits"),
            (Repr::FixedOctets(count), _) => count.to_string(),
            (Repr::Octets(_) | Repr::LentOctets, _) => member(value, "size"),
            _ => format!("rw_characters({})", self.text(id, value)?),
        };
        let size = format!("(uint64_t){size}");
        let int = Int { bits: 64, signed: false };
        let bound = |bound: u64| Some(BigInt::from(bound)).filter(|_| bound < u64::MAX);
        let ranges: Vec<_> = sizes.iter().map(|(least, most)| (bound(*least), bound(*most))).collect();
        Some(integers(&size, int, &ranges))
    }

    /// The text in a place, as octets of the input are.
    fn text(&self, id: TypeId, value: &str) -> Option<String> {
        match self.types.repr(id) {
            Repr::LentText | Repr::String => Some(value.to_owned()),
            Repr::Text(_) => {
                Some(format!("rw_octets_of((const uint8_t *){}, {})", member(value, "text"), member(value, "size")))
            }
            _ => None,
        }
    }

    fn matches(&mut self, Expression { steps, ranges, .. }: &Expression, text: &str) -> String {
        let (name, count) = (self.name("steps"), steps.len());
        let step = |step: &PatternStep| match *step {
            PatternStep::One { start, count, negated } => {
                format!("{{'{}', {}, {}}}", if negated { 'n' } else { 'i' }, start * 2, count * 2)
            }
            PatternStep::Either(one, other) => format!("{{'e', {one}, {other}}}"),
            PatternStep::Go(to) => format!("{{'g', {to}, 0}}"),
            PatternStep::Border => "{'b', 0, 0}".into(),
            PatternStep::Match => "{'m', 0, 0}".into(),
        };
        let steps: Vec<String> = steps.iter().map(step).collect();
        self.declared.push(format!("static const rw_step {name}[] = {{{}}};", steps.join(", ")));
        let ranges = match ranges.as_slice() {
            [] => "NULL".to_owned(),
            ranges => self.ranges(ranges),
        };
        format!("rw_matches({text}, {name}, {count}, {ranges})")
    }

    /// Whether a text that is a time has one of these sets of settings.
    fn has_settings(&mut self, settings: &[Settings], text: &str) -> String {
        let numbers: Vec<u32> = settings.iter().flat_map(Settings::numbers).collect();
        if numbers.is_empty() {
            return "false".into();
        }
        format!("rw_text_has_settings({text}, {})", self.types.times.borrow_mut().settings(&numbers))
    }

    /// An array of ranges.
    fn ranges(&mut self, ranges: &[(u32, u32)]) -> String {
        let name = self.name("ranges");
        let codes: Vec<String> = ranges.iter().map(|(first, last)| format!("{first}u, {last}u")).collect();
        self.declared.push(format!("static const uint32_t {name}[] = {{{}}};", codes.join(", ")));
        name
    }

    fn characters(&mut self, text: &str, ranges: &[(u32, u32)]) -> String {
        if ranges.is_empty() {
            return format!("rw_characters({text}) == 0");
        }
        format!("rw_fits({text}, 0, UINT64_MAX, {}, {})", self.ranges(ranges), ranges.len() * 2)
    }
}

/// Joins conditions.
fn joined(all: Vec<String>, by: &str, none: &str) -> String {
    match all.as_slice() {
        [] => none.into(),
        [one] => one.clone(),
        all => all.iter().map(|one| format!("({one})")).collect::<Vec<_>>().join(by),
    }
}

/// Whether a number in memory is in one of the ranges, as far as its type holds them.
fn integers(value: &str, int: Int, ranges: &[(Bound, Bound)]) -> String {
    let (least, most) = int.bounds();
    let within = |end: &BigInt| end.to_i128().unwrap_or(if *end < BigInt::from(0) { i128::MIN } else { i128::MAX });
    let end = |number: i128| match i64::try_from(number) {
        Ok(number) if int.signed => signed_constant(number),
        _ => constant(number as u64),
    };
    let mut all = Vec::new();
    for (lower, upper) in ranges {
        let (lower, upper) = (lower.as_ref().map_or(least, within), upper.as_ref().map_or(most, within));
        if lower > most || upper < least {
            continue;
        }
        let both = [
            (lower > least && lower != upper).then(|| format!("{value} >= {}", end(lower))),
            (upper < most && lower != upper).then(|| format!("{value} <= {}", end(upper))),
            (lower == upper).then(|| format!("{value} == {}", end(lower))),
        ];
        all.push(joined(both.into_iter().flatten().collect(), " && ", "true"));
    }
    if all.iter().any(|condition| condition == "true") { "true".into() } else { joined(all, " || ", "false") }
}

/// The same for one that has its own octets.
fn wide_integers(value: &str, ranges: &[(Bound, Bound)]) -> String {
    let octets = |bound: &Bound| bound.as_ref().map(BigInt::to_signed_bytes_be);
    let within = |(lower, upper): &(Bound, Bound)| is_within(value, octets(lower).as_deref(), octets(upper).as_deref());
    any_of(ranges.iter().map(within).collect())
}

/// Whether one of these conditions holds.
fn any_of(all: Vec<String>) -> String {
    if all.iter().any(|condition| condition == "true") { "true".into() } else { joined(all, " || ", "false") }
}

/// Whether a number is in a range, whose ends may belong to it.
fn reals(value: &str, lower: Option<(f64, bool)>, upper: Option<(f64, bool)>) -> String {
    let real = |number: f64| format!("rw_real_of(UINT64_C({:#x}))", number.to_bits());
    let lower = lower.map(|(end, closed)| format!("{value} {} {}", if closed { ">=" } else { ">" }, real(end)));
    let upper = upper.map(|(end, closed)| format!("{value} {} {}", if closed { "<=" } else { "<" }, real(end)));
    joined(lower.into_iter().chain(upper).collect(), " && ", "true")
}
