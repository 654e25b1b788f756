//! DEFAULT values: what is equal to one, and a place that becomes one.

use roadwire_model::{Kind, Presence, TypeId, Value};
use roadwire_plan::{Repr, Types};

use super::names::CTypes;
use super::numbers::{constant, signed_constant};
use super::statements::Printer;
use super::wide::is_within;

impl Printer<'_, '_> {
    /// Whether what is in a place is equal to a constant.
    pub(super) fn equals(&mut self, place: &str, id: TypeId, value: &Value) -> String {
        if !self.has_room(id, value) {
            return self.lacks(value);
        }
        match (value, self.types.repr(id)) {
            (Value::Null, _) => "true".into(),
            (Value::Integer(number), Repr::AnyInteger | Repr::WideInteger(_)) => {
                let octets = number.to_bigint().to_signed_bytes_be();
                is_within(&self.types.integer(id, place).unwrap_or_default(), Some(&octets), Some(&octets))
            }
            (Value::OctetString(octets), Repr::FixedOctets(_)) if octets.is_empty() => "true".into(),
            (Value::OctetString(octets), Repr::FixedOctets(_)) => {
                format!("memcmp({place}, {}, {}) == 0", literal(octets), octets.len())
            }
            (Value::OctetString(octets), Repr::Octets(_)) => same(place, "octets", octets),
            (Value::Text(text), Repr::Text(_)) => same(place, "text", text.as_bytes()),
            (Value::OctetString(octets), Repr::LentOctets) => lent(place, octets),
            (Value::Real(number), _) => format!("rw_real_bits({place}) == UINT64_C({:#x})", number.to_bits()),
            (Value::Oid(oid), Repr::Oid) => lent(place, oid.contents()),
            (Value::Text(text), Repr::LentText | Repr::String) => lent(place, text.as_bytes()),
            (Value::BitString { octets, .. }, Repr::BitWord) if self.is_named(id) => {
                format!("rw_shl(rw_masked(&{place}), 64u - {place}.bits) == {}", constant(word(octets, 64)))
            }
            (Value::BitString { octets, bits }, Repr::BitWord) => {
                format!("{place}.bits == {bits} && rw_masked(&{place}) == {}", constant(word(octets, *bits)))
            }
            (Value::BitString { octets, .. }, Repr::BitString) if self.is_named(id) => {
                format!("rw_same_named(&{place}, (const uint8_t *){}, {})", literal(octets), octets.len() * 8)
            }
            (Value::BitString { octets, bits }, Repr::BitString) => match octets.as_slice() {
                [] => format!("{place}.bits == 0"),
                octets => format!("rw_same_bits(&{place}, (const uint8_t *){}, {bits})", literal(octets)),
            },
            (Value::List(values), Repr::List { element, .. }) => {
                let element = *element;
                let mut all = vec![format!("{place}.count == {}", values.len())];
                for (at, value) in values.iter().enumerate() {
                    all.push(self.equals(&format!("{place}.items[{at}]"), element, value));
                }
                all.join(" && ")
            }
            (Value::Sequence { components: values, .. }, Repr::Struct) => self.record_equals(place, id, values),
            (Value::Choice(which, inner), Repr::Choice) => {
                let Kind::Choice { alternatives, .. } = self.types.kind(id) else { return self.lacks(value) };
                let at = *which as usize;
                let (choice, member) = (&self.types.choices(id)[at], &CTypes::members(alternatives)[at]);
                let inside = self.equals(&format!("{place}.as.{member}"), alternatives[at].type_id, inner);
                format!("{place}.choice == {choice} && {inside}")
            }
            _ => {
                let scalar = self.scalar(id, value);
                format!("{place} == {scalar}")
            }
        }
    }

    /// Whether zero bits at the end of a bit string have no meaning.
    fn is_named(&self, id: TypeId) -> bool {
        matches!(self.types.kind(id), Kind::BitString { named, .. } if !named.is_empty())
    }

    /// Whether a string or a list is no longer than its place: an extensible one may be.
    fn has_room(&self, id: TypeId, value: &Value) -> bool {
        let (most, count) = match (value, self.types.repr(id)) {
            (Value::OctetString(octets), Repr::Octets(most)) => (Some(*most), octets.len()),
            (Value::Text(text), Repr::Text(most)) => (Some(*most), text.len()),
            (Value::List(values), Repr::List { .. }) => (self.types.most_elements(id), values.len()),
            _ => (None, 0),
        };
        most.is_none_or(|most| count as u64 <= most)
    }

    fn record_equals(&mut self, place: &str, id: TypeId, values: &[Option<Value>]) -> String {
        let Kind::Sequence { components, extensible, .. } = self.types.kind(id) else { return "false".into() };
        let mut all = Vec::new();
        for ((component, member), value) in components.iter().zip(CTypes::fields(components)).zip(values) {
            match value {
                Some(value) => {
                    if Types::is_option(component) {
                        all.push(format!("{place}.has_{member}"));
                    }
                    all.push(self.equals(&format!("{place}.{member}"), component.type_id, value));
                }
                None if Types::is_option(component) => all.push(format!("!{place}.has_{member}")),
                None => {
                    if let Presence::Default(value) = &component.presence {
                        all.push(self.equals(&format!("{place}.{member}"), component.type_id, value));
                    }
                }
            }
        }
        if *extensible {
            all.push(format!("{place}.unknown.count == 0"));
        }
        if all.is_empty() { "true".into() } else { all.join(" && ") }
    }

    /// Makes a place hold a constant.
    pub(super) fn assign(&mut self, place: &str, id: TypeId, value: &Value) {
        if !self.has_room(id, value) {
            return drop(self.lacks(value));
        }
        match (value, self.types.repr(id)) {
            (Value::Null, _) => {}
            (Value::Integer(number), Repr::WideInteger(count)) => {
                let octets = number.to_bigint().to_signed_bytes_be();
                let sign = if octets[0] >= 0x80 { 0xff } else { 0 };
                let above = vec![sign; (*count as usize).saturating_sub(octets.len())];
                self.copy(place, &[above, octets].concat());
            }
            (Value::Integer(number), Repr::AnyInteger) => {
                let octets = number.to_bigint().to_signed_bytes_be();
                self.lend_as("rw_integer_from", place, &octets);
            }
            (Value::OctetString(octets), Repr::FixedOctets(_)) => self.copy(place, octets),
            (Value::OctetString(octets), Repr::Octets(_)) => {
                self.line(format!("{place}.size = {};", octets.len()));
                self.copy(&format!("{place}.octets"), octets);
            }
            (Value::Text(text), Repr::Text(_)) => {
                self.line(format!("{place}.size = {};", text.len()));
                self.copy(&format!("{place}.text"), text.as_bytes());
            }
            (Value::OctetString(octets), Repr::LentOctets) => self.lend(place, octets),
            (Value::Oid(oid), Repr::Oid) => self.lend(place, oid.contents()),
            (Value::Text(text), Repr::LentText | Repr::String) => self.lend(place, text.as_bytes()),
            (Value::BitString { octets, bits }, Repr::BitWord) => {
                self.line(format!("{place}.value = {};", constant(word(octets, *bits))));
                self.line(format!("{place}.bits = {bits};"));
            }
            (Value::BitString { octets, bits }, Repr::BitString) => {
                let name = self.fresh("octets");
                self.line(format!("static const uint8_t {name}[] = {{{}}};", numbers(octets)));
                self.line(format!("{place} = rw_bit_string_of({name}, {bits});"));
            }
            (Value::List(values), Repr::List { element, .. }) => {
                let element = *element;
                self.line(format!("{place}.count = {};", values.len()));
                if self.types.most_elements(id).is_none() {
                    match values.len() {
                        0 => self.line(format!("{place}.items = NULL;")),
                        count => self.allocate_elements(&format!("{place}.items"), element, &count.to_string()),
                    }
                }
                for (at, value) in values.iter().enumerate() {
                    self.assign(&format!("{place}.items[{at}]"), element, value);
                }
            }
            (Value::Sequence { components: values, .. }, Repr::Struct) => self.assign_record(place, id, values),
            (Value::Choice(which, inner), Repr::Choice) => {
                let Kind::Choice { alternatives, .. } = self.types.kind(id) else { return };
                let at = *which as usize;
                let (choice, member) = (&self.types.choices(id)[at], &CTypes::members(alternatives)[at]);
                self.line(format!("{place}.choice = {choice};"));
                self.assign(&format!("{place}.as.{member}"), alternatives[at].type_id, inner);
            }
            _ => {
                let scalar = self.scalar(id, value);
                self.line(format!("{place} = {scalar};"));
            }
        }
    }

    fn assign_record(&mut self, place: &str, id: TypeId, values: &[Option<Value>]) {
        let Kind::Sequence { components, extensible, .. } = self.types.kind(id) else { return };
        for ((component, member), value) in components.iter().zip(CTypes::fields(components)).zip(values) {
            if Types::is_option(component) {
                self.line(format!("{place}.has_{member} = {};", value.is_some()));
            }
            let default = match &component.presence {
                Presence::Default(value) => Some(value),
                _ => None,
            };
            if let Some(value) = value.as_ref().or(default) {
                self.assign(&format!("{place}.{member}"), component.type_id, value);
            }
        }
        if *extensible {
            self.line(format!("{place}.unknown.count = 0;"));
        }
    }

    fn copy(&mut self, to: &str, octets: &[u8]) {
        if !octets.is_empty() {
            self.line(format!("memcpy({to}, {}, {});", literal(octets), octets.len()));
        }
    }

    fn lend(&mut self, place: &str, octets: &[u8]) {
        self.lend_as("rw_octets_of", place, octets);
    }

    fn lend_as(&mut self, function: &str, place: &str, octets: &[u8]) {
        let name = self.fresh("octets");
        self.line(format!("static const uint8_t {name}[] = {{{}}};", numbers(octets)));
        self.line(format!("{place} = {function}({name}, {});", octets.len()));
    }

    /// A number, an item, or named bits.
    fn scalar(&mut self, id: TypeId, value: &Value) -> String {
        match (value, self.types.repr(id)) {
            (Value::Boolean(value), _) => value.to_string(),
            (Value::Real(number), _) => format!("rw_real_of(UINT64_C({:#x}))", number.to_bits()),
            (Value::Integer(integer), _) => match integer.to_i128() {
                Some(number) if i64::try_from(number).is_ok() => signed_constant(number as i64),
                Some(number) if u64::try_from(number).is_ok() => constant(number as u64),
                _ => self.lacks(value),
            },
            (Value::Enumerated(ordinal), _) => {
                self.types.items(id).0.get(*ordinal as usize).cloned().unwrap_or_default()
            }
            (Value::BitString { octets, .. }, Repr::BitFlags { bits }) => constant(word(octets, (*bits).into())),
            _ => self.lacks(value),
        }
    }
}

/// The first bits of octets, up to 64, the last one lowest; zeros follow the octets.
fn word(octets: &[u8], bits: usize) -> u64 {
    let octet = |at: usize| u64::from(octets.get(at).copied().unwrap_or_default());
    let word = (0..8).fold(0, |word, at| word << 8 | octet(at));
    if bits == 0 { 0 } else { word >> (64 - bits.min(64)) }
}

pub(super) fn numbers(octets: &[u8]) -> String {
    if octets.is_empty() {
        // An array has an element.
        return "0".into();
    }
    octets.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")
}

/// Octets as a string literal.
pub(super) fn literal(octets: &[u8]) -> String {
    let octets: String = octets.iter().map(|octet| format!("\\{octet:03o}")).collect();
    format!("\"{octets}\"")
}

/// Whether a string in place is this one.
fn same(place: &str, member: &str, octets: &[u8]) -> String {
    let size = format!("{place}.size == {}", octets.len());
    match octets {
        [] => size,
        octets => format!("{size} && memcmp({place}.{member}, {}, {}) == 0", literal(octets), octets.len()),
    }
}

/// Whether a string of the input is this one.
fn lent(place: &str, octets: &[u8]) -> String {
    let octet = |(at, octet): (usize, &u8)| format!(" && rw_octet({place}, {at}) == {octet}");
    format!("{place}.size == {}{}", octets.len(), octets.iter().enumerate().map(octet).collect::<String>())
}
