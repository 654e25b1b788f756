//! Prints which row of its table an open type has.

use roadwire_model::Kind;

use super::Printer;
use super::places::name;
use crate::data::item_names;
use roadwire_plan::{Pattern, Selector, Var};

impl Printer<'_, '_> {
    /// Names the row that a value selects.
    pub(super) fn row(&mut self, row: Var, Selector { id, place, is_option, rows, .. }: &Selector) {
        let place = self.place(place);
        let key = match (*is_option, self.types.is_boxed_type(*id)) {
            (_, false) => place.shared(),
            (false, true) => format!("&*{}", place.object()),
            (true, true) => format!("{}.as_deref()", place.object()),
        };
        self.line(format!("let {} = match {key} {{", name(row)));
        for (pattern, at) in rows {
            let (pattern, guard) = self.pattern(pattern);
            let pattern = if *is_option { format!("Some({pattern})") } else { pattern };
            let guard = guard.map_or(String::new(), |guard| format!(" if {guard}"));
            self.line(format!("{pattern}{guard} => {at},"));
        }
        self.line("_ => usize::MAX,");
        self.line("};");
    }

    /// A pattern for a reference to the value, and a condition on the variable `key`.
    fn pattern(&self, pattern: &Pattern) -> (String, Option<String>) {
        match pattern {
            Pattern::Number(number) => (number.to_string(), None),
            Pattern::AnyInteger(number) => ("key".into(), Some(format!("key.to_i64() == Some({number})"))),
            // Not in plans behind which the interpreter stands.
            Pattern::WideInteger(_) => ("_".into(), Some("false".into())),
            Pattern::Truth(value) => (value.to_string(), None),
            Pattern::Item(id, item) => {
                let items = match self.types.kind(*id) {
                    Kind::Enumerated(enumerators) => item_names(enumerators),
                    _ => Vec::new(),
                };
                let item = items.get(*item).map_or("", String::as_str);
                (format!("{}::{item}", self.types.name(*id)), None)
            }
            Pattern::Oid(contents) => ("key".into(), Some(format!("key.0[..] == {contents:?}"))),
            Pattern::Alternative(id, which, inner) => {
                let (inner, guard) = self.pattern(inner);
                let variants = self.types.variants(*id).unwrap_or_default();
                let path = variants.get(*which).map_or("", |variant| variant.path.as_str());
                (format!("{path}({inner})"), guard)
            }
        }
    }
}
