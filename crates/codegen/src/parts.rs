//! Shared by straight-line code of all families: optional components, alternatives, items, elements
//! of lists.

use roadwire_model::{Alternative, Component, Enumerators, Kind, Presence, TypeId};

use crate::data::{alternative_names, constant};
use crate::place::Place;
use crate::rust_types::RustTypes;
use crate::source::Source;
use roadwire_plan::{Repr, Storage, Types};

/// An alternative of a CHOICE, and the Rust path of its variant.
pub(crate) struct Variant<'m> {
    pub(crate) path: String,
    pub(crate) alternative: &'m Alternative,
    /// Whether the CHOICE takes few octets in memory, and no heap.
    is_small: bool,
}

impl<'m> RustTypes<'m> {
    /// Whether a component is sent, as an expression.
    pub(crate) fn sent(&self, component: &Component, field: &Place) -> String {
        match &component.presence {
            Presence::Default(value) => {
                let default = constant(self, component.type_id, value);
                if self.has_named_bits_default(component) {
                    return format!("!{}.is_alike(&{default})", field.object());
                }
                // Minus zero differs from zero (X.690 §8.5.9), and a NaN equals itself.
                let bits = if *self.repr(component.type_id) == Repr::Real { ".to_bits()" } else { "" };
                format!("{}{bits} != {default}{bits}", field.object())
            }
            _ => format!("{}.is_some()", field.object()),
        }
    }

    /// The expression for an absent component.
    pub(crate) fn absent(&self, component: &Component) -> String {
        match &component.presence {
            Presence::Default(value) => constant(self, component.type_id, value),
            _ => "None".into(),
        }
    }

    /// The statement that sets a field to its value for an absent component.
    pub(crate) fn clear(&self, component: &Component, field: &Place) -> String {
        let (field, none) = (field.object(), self.absent(component));
        if Types::is_option(component) && !self.is_small(component.type_id) {
            // Avoids a call when there is nothing to drop.
            return format!("if {field}.is_some() {{ {field} = {none} }}");
        }
        format!("{field} = {none};")
    }

    /// The alternatives of a CHOICE.
    pub(crate) fn variants(&self, id: TypeId) -> Option<Vec<Variant<'m>>> {
        let Kind::Choice { alternatives, .. } = self.kind(id) else {
            return None;
        };
        let name = self.name(id);
        let paths = alternative_names(alternatives).into_iter().map(|variant| format!("{name}::{variant}"));
        let is_small = self.is_small(id);
        Some(paths.zip(alternatives).map(|(path, alternative)| Variant { path, alternative, is_small }).collect())
    }

    /// Makes a CHOICE hold an alternative, and binds its content to the variable `inner`. A message
    /// that is filled again often has its large parts in place; a small one is always overwritten,
    /// which costs less than an unpredictable branch.
    pub(crate) fn choose_as(&self, variant: &Variant<'_>, place: &Place, inner: &str, out: &mut Source) {
        let (path, empty) = (&variant.path, self.default_expression(variant.alternative.type_id));
        let renew = format!("{} = {path}({empty});", place.value());
        if variant.is_small {
            out.line(renew);
        } else {
            out.line(format!("if !matches!({}, {path}(_)) {{", place.alone()));
            out.line("wire::rt::rare();");
            out.line(renew);
            out.line("}");
        }
        variant.bind_as(&place.exclusive(), inner, out);
    }

    /// Makes a CHOICE hold an alternative that has been read.
    pub(crate) fn set_alternative(&self, variant: &Variant<'_>, place: &Place, content: &str, out: &mut Source) {
        let path = &variant.path;
        if variant.is_small {
            return out.line(format!("{} = {path}({content});", place.value()));
        }
        out.line(format!("match {} {{", place.exclusive()));
        out.line(format!("{path}(place) => *place = {content},"));
        out.line("#[allow(unreachable_patterns)]");
        out.line("other => {");
        out.line("wire::rt::rare();");
        out.line(format!("*other = {path}({content});"));
        out.line("}");
        out.line("}");
    }

    /// The Rust type of an ENUMERATED, and its items; `None` if there are too many to be written
    /// inline at each use.
    pub(crate) fn enumeration(&self, id: TypeId) -> Option<(&str, &'m Enumerators)> {
        Some((self.name(id), self.items(id)?))
    }

    /// Begins an element of the list that is the variable `list`; `item` is the name for the
    /// element's variable. Returns the statement that appends it after reading, if it needs one.
    pub(crate) fn begin_element(
        &self,
        id: TypeId,
        storage: Storage,
        list: &str,
        item: String,
        out: &mut Source,
    ) -> Option<String> {
        let push = |value: &str| match storage {
            Storage::Inline(_) | Storage::Extensible(_) => {
                format!("if {list}.try_push({value}).is_err() {{ return Err(wire::Rejected) }}")
            }
            Storage::Heap => format!("{list}.push({value});"),
        };
        let empty = self.default_expression(id);
        if !self.is_flat(id) {
            let place = if self.is_large(id) {
                format!("wire::rt::Places::push_empty({list})")
            } else {
                out.line(push(&empty));
                format!("{list}.last_mut()")
            };
            out.line(format!("let Some({item}) = {place} else {{ return Err(wire::Rejected) }};"));
            return None;
        }
        out.line(format!("let mut {item}: {} = {empty};", self.rust(id)));
        Some(push(&item))
    }
}

impl Variant<'_> {
    /// Binds the content of a CHOICE that holds the alternative; rejects another.
    pub(crate) fn bind_as(&self, choice: &str, inner: &str, out: &mut Source) {
        let path = &self.path;
        // Refutable unless it is the only alternative.
        out.line("#[allow(irrefutable_let_patterns)]");
        out.line(format!("let {path}({inner}) = {choice} else {{"));
        out.line("return Err(wire::Rejected);");
        out.line("};");
    }
}
