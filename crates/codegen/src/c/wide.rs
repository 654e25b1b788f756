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
        self.coded(coding, "rw_put_wide", "&w", &format!("{range}, {number}"));
    }

    pub(super) fn take_integer(&mut self, Wide { place, coding, range }: &Wide) {
        self.line("{");
        let (to, range) = (self.wide_place(place), self.range(range));
        self.coded(coding, "rw_take_wide", "&r", &format!("{range}, &{to}"));
        self.line("}");
    }

    /// Calls the function of a coding; `last` are its last arguments.
    fn coded(&mut self, coding: &Coding, function: &str, stream: &str, last: &str) {
        let (name, args) = match coding {
            Coding::Field { bits, is_aligned, from } => {
                ("field", format!("{bits}, {is_aligned}, {}, ", integer_constant(from)))
            }
            Coding::Counted { bits, is_aligned } => ("counted", format!("{bits}, {is_aligned}, ")),
            Coding::Determined { form, is_aligned } => {
                ("determined", format!("{}, {is_aligned}, ", *form == Form::Signed))
            }
            Coding::Definite(form) => ("definite", format!("{}, ", *form == Form::Signed)),
            Coding::Element { tag } => ("element", format!("{}, ", self.argument(tag))),
            Coding::Contents(octets) => {
                return self.try_call(format!("{function}_contents({}, {last})", name(*octets)));
            }
            Coding::Keyed(key) => ("keyed", format!("{}, ", self.listed_key(key))),
            Coding::Item => ("item", String::new()),
            Coding::Groups { is_signed } => ("groups", format!("{is_signed}, ")),
            Coding::Digits => ("digits", String::new()),
        };
        self.try_call(format!("{function}_{name}({stream}, {args}{last})"));
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
