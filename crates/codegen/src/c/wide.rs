//! Prints INTEGERs that have their own octets in memory.

use roadwire_layout::{Family, Form};
use roadwire_model::TypeId;
use roadwire_plan::{Coding, Place, Range, Repr, Wide};

use super::defaults::{literal, numbers};
use super::names::CTypes;
use super::places::name;
use super::statements::Printer;

impl CTypes<'_, '_> {
    /// The octets of an INTEGER in a place; `None` if it is a number.
    pub(super) fn integer(&self, id: TypeId, value: &str) -> Option<String> {
        match self.repr(id) {
            Repr::AnyInteger => Some(value.to_owned()),
            Repr::WideInteger(octets) => Some(format!("rw_integer_from({value}, {octets})")),
            _ => None,
        }
    }
}

/// A constant INTEGER as an expression.
pub(super) fn integer_constant(octets: &[u8]) -> String {
    format!("rw_integer_from((const uint8_t *){}, {})", literal(octets), octets.len())
}

impl Printer<'_, '_> {
    /// The octets of the INTEGER in a place.
    pub(super) fn octets_of_integer(&mut self, place: &Place) -> String {
        let is_array = matches!(self.repr_of(place), Some(Repr::WideInteger(_)));
        let value = if is_array { self.array(place) } else { self.place(place).value() };
        let integer = self.type_of(place).and_then(|id| self.types.integer(id, &value));
        integer.unwrap_or_else(|| self.lacks(place))
    }

    /// Declares bounds, and returns their address.
    pub(super) fn range(&mut self, range: &Range) -> String {
        let mut bound = |octets: &Option<Vec<u8>>| match octets {
            None => "{NULL, 0}".to_owned(),
            Some(octets) => {
                let name = self.fresh("bound");
                self.line(format!("static const uint8_t {name}[] = {{{}}};", numbers(octets)));
                format!("{{{name}, {}}}", octets.len())
            }
        };
        let (lower, upper) = (bound(&range.lower), bound(&range.upper));
        let name = self.fresh("range");
        self.line(format!("static const rw_range {name} = {{{lower}, {upper}, {}}};", range.is_far));
        format!("&{name}")
    }

    pub(super) fn put_integer(&mut self, Wide { place, coding, range }: &Wide) {
        let (number, range) = (self.octets_of_integer(place), self.range(range));
        let last = format!("{range}, {number}");
        let call = match coding {
            Coding::Field { bits, is_aligned, from } => {
                let from = integer_constant(from);
                format!("rw_put_wide_field(&w, {bits}, {is_aligned}, {from}, {last})")
            }
            Coding::Counted { bits, is_aligned } => format!("rw_put_wide_counted(&w, {bits}, {is_aligned}, {last})"),
            Coding::Determined { form, is_aligned } => {
                format!("rw_put_wide_determined(&w, {}, {is_aligned}, {last})", *form == Form::Signed)
            }
            Coding::Definite(form) => format!("rw_put_wide_definite(&w, {}, {last})", *form == Form::Signed),
            Coding::Element { tag } => format!("rw_put_wide_element(&w, {}, {last})", self.argument(tag)),
            Coding::Keyed(key) => format!("rw_put_wide_keyed(&w, {}, {last})", self.listed_key(key)),
            Coding::Item => format!("rw_put_wide_item(&w, {last})"),
            Coding::Groups { is_signed } => format!("rw_put_wide_groups(&w, {is_signed}, {last})"),
            Coding::Digits => format!("rw_put_wide_digits(&w, {last})"),
            Coding::Contents(_) => return drop(self.lacks(coding)),
        };
        self.try_call(call);
    }

    pub(super) fn take_integer(&mut self, Wide { place, coding, range }: &Wide) {
        self.line("{");
        let (to, range) = (self.wide_place(place), self.range(range));
        let last = format!("{range}, &{to}");
        let call = match coding {
            Coding::Field { bits, is_aligned, from } => {
                let from = integer_constant(from);
                format!("rw_take_wide_field(&r, {bits}, {is_aligned}, {from}, {last})")
            }
            Coding::Counted { bits, is_aligned } => format!("rw_take_wide_counted(&r, {bits}, {is_aligned}, {last})"),
            Coding::Determined { form, is_aligned } => {
                format!("rw_take_wide_determined(&r, {}, {is_aligned}, {last})", *form == Form::Signed)
            }
            Coding::Definite(form) => format!("rw_take_wide_definite(&r, {}, {last})", *form == Form::Signed),
            Coding::Contents(octets) => format!("rw_take_wide_contents({}, {last})", name(*octets)),
            Coding::Keyed(key) => format!("rw_take_wide_keyed(&r, {}, {last})", self.listed_key(key)),
            Coding::Item => format!("rw_take_wide_item(&r, {last})"),
            Coding::Groups { is_signed } => format!("rw_take_wide_groups(&r, {is_signed}, {last})"),
            Coding::Digits => format!("rw_take_wide_digits(&r, {last})"),
            Coding::Element { .. } => return drop(self.lacks(coding)),
        };
        self.try_call(call);
        self.line("}");
    }

    fn listed_key(&mut self, key: &[roadwire_plan::Arg]) -> String {
        key.iter().map(|arg| self.argument(arg)).collect::<Vec<_>>().join(", ")
    }

    /// Declares where a number is read to.
    fn wide_place(&mut self, place: &Place) -> String {
        let to = self.fresh("wide");
        self.line(format!("rw_wide {to};"));
        let set = match self.repr_of(place) {
            Some(Repr::WideInteger(octets)) => format!("rw_wide_in(&{to}, {}, {octets});", self.array(place)),
            _ => {
                let arena = if has_numbers_apart(self.family) { "arena" } else { "NULL" };
                format!("rw_wide_new(&{to}, {arena}, {});", self.place(place).address())
            }
        };
        self.line(set);
        to
    }

    /// Whether the INTEGER in a place is outside bounds.
    pub(super) fn is_outside_range(&mut self, place: &Place, range: &Range) -> String {
        let (number, range) = (self.octets_of_integer(place), self.range(range));
        format!("rw_is_outside({number}, {range})")
    }
}

/// Whether the octets of an INTEGER of any length are not always those of the input.
pub(super) const fn has_numbers_apart(family: Family) -> bool {
    match family {
        Family::Packed | Family::Octet | Family::Events | Family::Cbor | Family::Json => true,
        Family::Tlv | Family::Fields | Family::Vectors | Family::Xml => false,
    }
}

/// Whether a number is in a range, as an expression.
pub(super) fn is_within(number: &str, lower: Option<&[u8]>, upper: Option<&[u8]>) -> String {
    let side = |bound: &[u8], than: &str| format!("rw_compare({number}, {}) {than} 0", integer_constant(bound));
    match (lower, upper) {
        (None, None) => "true".into(),
        (Some(lower), Some(upper)) if lower == upper => side(lower, "=="),
        (lower, upper) => {
            let sides = lower.map(|bound| side(bound, ">=")).into_iter().chain(upper.map(|bound| side(bound, "<=")));
            sides.collect::<Vec<_>>().join(" && ")
        }
    }
}
