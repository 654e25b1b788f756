//! Open types by their tables.

use roadwire_model::{Kind, TypeId};
use roadwire_plan::{Pattern, Selector, Var};

use super::names::CTypes;
use super::numbers::signed_constant;
use super::places::name;
use super::statements::Printer;
use super::wide::is_within;

impl Printer<'_, '_> {
    /// Names the row that a value selects; the greatest number for none.
    pub(super) fn row(&mut self, row: Var, Selector { id, place, is_option, unread, rows }: &Selector) {
        let (text, row) = (self.place(place), name(row));
        self.line(format!("uint64_t {row} = UINT64_MAX;"));
        for (pattern, at) in rows {
            let selects = self.selects(&text.value(), *id, pattern);
            let selects = if *is_option { format!("{} && {selects}", text.presence()) } else { selects };
            let selects = unread.map_or(selects.clone(), |unread| format!("!{} && {selects}", name(unread)));
            self.line(format!("if ({selects}) {{"));
            self.line(format!("{row} = {at};"));
            self.line("}");
        }
    }

    fn selects(&mut self, place: &str, id: TypeId, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Number(number) => match i64::try_from(*number) {
                Ok(number) => format!("{place} == {}", signed_constant(number)),
                Err(_) => self.lacks(pattern),
            },
            Pattern::WideInteger(octets) => match self.types.integer(id, place) {
                Some(integer) => is_within(&integer, Some(octets), Some(octets)),
                None => self.lacks(pattern),
            },
            Pattern::AnyInteger(_) => self.lacks(pattern),
            Pattern::Truth(value) => format!("{place} == {value}"),
            Pattern::Item(id, item) => {
                let constant = self.types.items(*id).0.get(*item).cloned();
                constant.map_or_else(|| self.lacks(pattern), |constant| format!("{place} == {constant}"))
            }
            Pattern::Alternative(_, which, inner) => {
                let Kind::Choice { alternatives, .. } = self.types.kind(id) else { return self.lacks(pattern) };
                let (choice, member) = (&self.types.choices(id)[*which], &CTypes::members(alternatives)[*which]);
                let inside = self.selects(&format!("{place}.as.{member}"), alternatives[*which].type_id, inner);
                format!("{place}.choice == {choice} && {inside}")
            }
            Pattern::Oid(_) => self.lacks(pattern),
        }
    }
}
