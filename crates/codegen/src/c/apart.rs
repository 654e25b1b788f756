//! Parts of values that are not in place: a decoder puts them into memory that its caller gives.

use std::collections::HashSet;

use roadwire_layout::Family;
use roadwire_model::{Alternative, Component, Kind, StringKind, TypeId};
use roadwire_plan::{Place, Repr, Step, Storage, Types, Way};

use super::messages::Memory;
use super::names::{CTypes, room};
use super::statements::Printer;
use super::wide::has_numbers_apart;

/// How many octets an optional part takes at most in each element of a list that is not in place.
const MOST_SCATTERED: u64 = 256;

impl CTypes<'_, '_> {
    /// Whether a decoder of the type takes memory from an arena. In text, and in events, strings of
    /// characters are not always octets of the input, and object identifiers never are; INTEGERs of
    /// any length are always octets of it only after tags and keys.
    pub(super) fn takes_memory(&self, id: TypeId, family: Family) -> bool {
        let apart = match family {
            family if is_text(family) => &self.apart_as_text,
            family if has_numbers_apart(family) => &self.apart_for_numbers,
            _ => &self.apart,
        };
        apart.contains(&self.canonical(id))
    }

    pub(super) fn find_apart(&mut self) {
        self.find_scattered();
        self.apart = self.all_apart(Family::Tlv);
        self.apart_for_numbers = self.all_apart(Family::Packed);
        self.apart_as_text = self.all_apart(Family::Json);
        for id in self.order.clone() {
            let parts = self.parts_of(id);
            if parts.iter().any(|(_, part)| self.copies_segments(*part)) {
                self.copied.insert(id);
            }
            let is_message =
                |part: &TypeId| matches!(self.repr(*part), Repr::Struct | Repr::Choice | Repr::List { .. });
            if parts.iter().any(|(_, part)| is_message(part)) {
                self.merged.insert(id);
            }
            if self.most_in_root(id).is_some() || parts.iter().any(|(_, part)| self.has_more(*part)) {
                self.extended.insert(id);
            }
        }
    }

    /// Whether a decoder of the type takes memory for strings in segments, which are not in place.
    pub(super) fn copies_segments(&self, id: TypeId) -> bool {
        let id = self.canonical(id);
        self.takes_memory(id, Family::Tlv) || self.copied.contains(&id) || self.has_segments_apart(id)
    }

    /// Whether a decoder of the type takes memory for elements beyond the root of a list.
    fn has_more(&self, id: TypeId) -> bool {
        self.extended.contains(&self.canonical(id))
    }

    /// Whether a decoder of the type takes memory for rare forms: in fields, for messages that are
    /// merged.
    pub(super) fn takes_memory_rarely(&self, id: TypeId, family: Family) -> bool {
        self.has_more(id)
            || family == Family::Tlv && self.copies_segments(id)
            || family == Family::Fields && self.merged.contains(&self.canonical(id))
    }

    /// When the decoder of a message takes memory.
    pub(super) fn memory_of(&self, id: TypeId, family: Family) -> Memory {
        match (self.takes_memory(id, family), self.takes_memory_rarely(id, family)) {
            (true, _) => Memory::Taken,
            (false, true) => Memory::ForRare,
            (false, false) => Memory::None,
        }
    }

    /// Whether the function of a type takes memory.
    pub(super) fn takes_memory_in(&self, id: TypeId, (family, way, is_thorough): (Family, Way, bool)) -> bool {
        let rarely = is_thorough && self.takes_memory_rarely(id, family);
        way == Way::Decode && (rarely || self.takes_memory(id, family))
    }

    /// Whether a string has no room for its segments in its place.
    pub(super) fn has_segments_apart(&self, id: TypeId) -> bool {
        match (self.repr(id), self.kind(id)) {
            (Repr::LentOctets | Repr::LentText | Repr::BitString | Repr::String, _) => true,
            // A character may have more octets there than in place.
            (Repr::Text(_), Kind::String { kind, .. }) => matches!(kind, StringKind::Bmp | StringKind::Universal),
            _ => false,
        }
    }

    /// A type stands after those that it contains, but for those that contain it again, which are
    /// not in place.
    fn all_apart(&self, family: Family) -> HashSet<TypeId> {
        let mut apart = HashSet::new();
        for id in &self.order {
            let takes = |part: TypeId| apart.contains(&self.canonical(part));
            let is_apart = match (self.repr(*id), self.kind(*id)) {
                (Repr::String, _) => true,
                (Repr::LentText | Repr::Oid, _) => is_text(family),
                (Repr::AnyInteger, _) => has_numbers_apart(family),
                (Repr::Struct, Kind::Sequence { components, .. }) => {
                    components.iter().any(|one| self.is_component_apart(*id, one) || takes(one.type_id))
                }
                (Repr::Choice, Kind::Choice { alternatives, .. }) => {
                    alternatives.iter().any(|one| self.is_alternative_apart(*id, one) || takes(one.type_id))
                }
                (Repr::List { element, .. }, _) => self.most_elements(*id).is_none() || takes(*element),
                _ => false,
            };
            if is_apart {
                apart.insert(*id);
            }
        }
        apart
    }

    /// Whether a record has a pointer to a component: to one that may contain the record, and to an
    /// optional one that takes much memory.
    pub(super) fn is_component_apart(&self, holder: TypeId, component: &Component) -> bool {
        let id = component.type_id;
        self.is_recursive(id) || Types::is_option(component) && self.is_large(holder, id)
    }

    /// The same for the content of an alternative.
    pub(super) fn is_alternative_apart(&self, holder: TypeId, alternative: &Alternative) -> bool {
        self.is_recursive(alternative.type_id) || self.is_large(holder, alternative.type_id)
    }

    /// Whether a part takes so much memory that each value of `holder` should not have room for it:
    /// less where there are many, in a list that is not in place.
    fn is_large(&self, holder: TypeId, id: TypeId) -> bool {
        let is_scattered = self.scattered.contains(&self.canonical(holder));
        let has_parts = matches!(self.repr(id), Repr::Struct | Repr::Choice);
        self.is_boxed(holder, id) || is_scattered && has_parts && self.octets(id) > MOST_SCATTERED
    }

    /// Finds all types in elements of lists that are not in place.
    fn find_scattered(&mut self) {
        let is_apart =
            |id: &&TypeId| matches!(self.repr(**id), Repr::List { .. }) && self.most_elements(**id).is_none();
        let lists = self.order.iter().filter(is_apart);
        let mut left: Vec<TypeId> = lists.flat_map(|id| self.parts_of(*id)).map(|(_, part)| part).collect();
        while let Some(id) = left.pop().map(|id| self.canonical(id)) {
            if self.scattered.insert(id) {
                left.extend(self.parts_of(id).into_iter().map(|(_, part)| part));
            }
        }
    }
}

/// Whether values are text or events, where those of some types are not octets of the input.
pub(super) const fn is_text(family: Family) -> bool {
    matches!(family, Family::Json | Family::Events)
}

impl Printer<'_, '_> {
    /// Takes memory for what a pointer points to.
    pub(super) fn allocate(&mut self, id: TypeId, pointer: &str) {
        let Some(held) = self.types.held(id) else { return drop(self.lacks(&"a pointer")) };
        self.line(format!("{pointer} = ({held} *)rw_new(arena, sizeof({held}));"));
        self.reject_as(&format!("{pointer} == NULL"), "RW_MEMORY");
    }

    /// Takes memory for a mandatory component that is not in place, before its function is called.
    pub(super) fn allocate_mandatory(&mut self, place: &Place) {
        let Some(Step::Component(one)) = place.steps.last() else { return };
        let component = self.types.component(*one);
        let is_apart = !Types::is_option(component) && self.types.is_component_apart(one.record, component);
        if self.way == Way::Decode && is_apart {
            let pointer = self.place(place).address();
            self.allocate(component.type_id, &pointer);
        }
    }

    /// Takes memory for so many elements; without any, it needs none.
    pub(super) fn allocate_elements(&mut self, items: &str, element: TypeId, count: &str) {
        let Some(cast) = self.types.elements(element, "") else { return drop(self.lacks(&"a list")) };
        self.line(format!("{items} = ({cast})rw_new_list(arena, {count}, sizeof *{items});"));
        self.reject_as(&format!("{items} == NULL && {count} != 0"), "RW_MEMORY");
    }

    /// Makes room for one element more of a list that is not in place.
    pub(super) fn grow(&mut self, list: &str, element: TypeId) {
        let Some(cast) = self.types.elements(element, "") else { return drop(self.lacks(&"a list")) };
        self.line(format!(
            "{list}->items = ({cast})rw_grow(arena, {list}->items, {list}->count, sizeof *{list}->items);"
        ));
        self.reject_as(&format!("{list}->items == NULL"), "RW_MEMORY");
    }

    /// The element of a list: only functions for rare forms know elements beyond a root.
    pub(super) fn element_of(&self, list: TypeId, of: &str, at: &str) -> String {
        if self.is_thorough { self.types.any_element(list, of, at) } else { format!("{of}items[{at}]") }
    }

    /// Refuses more elements than a list has in place, where a value may not have more.
    pub(super) fn fits_in_place(&mut self, list: TypeId, count: &str) {
        let Some(most) = self.types.most_elements(list) else { return };
        if !(self.is_thorough && self.types.most_in_root(list).is_some()) {
            self.reject_as(&format!("{count} > {most}"), "RW_SIZE_CAPACITY");
        }
    }

    /// The same beyond the elements that are in place.
    pub(super) fn grow_beyond(&mut self, list: &str, element: TypeId, most: u64) {
        let Some(cast) = self.types.elements(element, "") else { return drop(self.lacks(&"a list")) };
        self.line(if most == 0 { "{".to_owned() } else { format!("if ({list}->count >= {most}) {{") });
        self.line(format!("{list}->more = {list}->count == {most} ? NULL : {list}->more;"));
        self.line(format!(
            "{list}->more = ({cast})rw_grow(arena, {list}->more, {list}->count - {most}, sizeof *{list}->more);"
        ));
        self.reject_as(&format!("{list}->more == NULL"), "RW_MEMORY");
        self.line("}");
    }
}

impl CTypes<'_, '_> {
    /// How many elements an extensible list has in place; `None` of other lists.
    pub(super) fn most_in_root(&self, id: TypeId) -> Option<u64> {
        match self.repr(id) {
            Repr::List { storage: Storage::Extensible(_), .. } => self.most_elements(id),
            _ => None,
        }
    }

    /// The element of a list, in place or beyond the root.
    pub(super) fn any_element(&self, list: TypeId, of: &str, at: &str) -> String {
        let is_array = match *self.repr(list) {
            Repr::List { element, .. } => matches!(self.repr(element), Repr::FixedOctets(_) | Repr::WideInteger(_)),
            _ => false,
        };
        match self.most_in_root(list) {
            None => format!("{of}items[{at}]"),
            Some(0) => format!("{of}more[{at}]"),
            // Of an array, the address of its first octet.
            Some(most) if is_array => format!("({at} < {most} ? {of}items[{at}] : {of}more[{at} - {most}])"),
            Some(most) => format!("(*({at} < {most} ? &{of}items[{at}] : &{of}more[{at} - {most}]))"),
        }
    }

    /// The declaration of a pointer to elements of a type; its type if the name is empty.
    pub(super) fn elements(&self, element: TypeId, name: &str) -> Option<String> {
        let held = self.held(element)?;
        Some(match self.repr(element) {
            Repr::FixedOctets(count) | Repr::WideInteger(count) => format!("{held} (*{name})[{}]", room(*count)),
            Repr::Struct | Repr::Choice => format!("struct {held} *{name}"),
            _ => format!("{held} *{name}"),
        })
    }
}
