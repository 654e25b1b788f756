//! Decoders: components, alternatives and elements.

use roadwire_layout::{Member, NodeId, Presence, Span};
use roadwire_model::{Component, Field, Kind, TypeId};

use crate::data::field_names;
use crate::delimited::Writer;
use crate::packed::run::Place;
use crate::parts::Variant;
use crate::types::Storage;

/// A writer of decoders.
pub(crate) trait Decode<'a, 'm: 'a>: Writer<'a, 'm> {
    /// A component or an alternative, with its tag or key.
    fn value(&mut self, id: TypeId, node: NodeId, place: &Place);

    /// The condition under which a value comes next; `None` if a few constants do not identify it.
    fn comes(&mut self, node: NodeId) -> Option<String>;

    /// Whether a value may begin with anything.
    fn is_any(&mut self, _node: NodeId) -> bool {
        false
    }

    /// Whether the variable `end` has the end of the enclosing value.
    fn has_end(&self) -> bool;

    /// The components of a record.
    fn components(&mut self, id: TypeId, members: Span, is_extensible: bool, place: &Place) {
        let (types, layout) = (self.code().types, self.code().layout);
        let Kind::Sequence { components, .. } = types.kind(id) else { return self.code().leave_to_interpreter() };
        let fields = field_names(components);
        if is_extensible {
            self.code().out.line(format!("if !{}.unknown.is_empty() {{", place.object()));
            self.code().out.line(format!("{}.unknown = wire::Additions::new();", place.object()));
            self.code().out.line("}");
        }
        let members = layout.members(members);
        let optional = |member: &Member| {
            member.presence != Presence::Mandatory || components[member.component as usize].field != Field::Root
        };
        let tail = members.iter().rev().take_while(|member| optional(member)).count();
        // A single test shows that all of the last ones are absent.
        let guarded = tail > 1 && self.has_end();
        for (place_in_order, member) in members.iter().enumerate() {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            if !optional(member) {
                self.value(component.type_id, member.node, &field);
                self.code().pass(component, member.node, &field);
                continue;
            }
            if guarded && place_in_order + tail == members.len() {
                self.code().out.line("if at >= end {");
                for absent in &members[place_in_order..] {
                    let at = absent.component as usize;
                    self.code().out.line(types.clear(&components[at], &place.field(&fields[at])));
                }
                self.code().out.line("} else {");
            }
            let is_last = !is_extensible && place_in_order + 1 == members.len() && self.has_end();
            if is_last && component.field == Field::Root && self.is_any(member.node) {
                self.if_comes("at < end", component, member, &field);
            } else {
                self.optional(component, member, &field);
            }
            self.code().pass(component, member.node, &field);
        }
        if guarded {
            self.code().out.line("}");
        }
    }

    /// An optional component.
    fn optional(&mut self, component: &Component, member: &Member, field: &Place) {
        let absent = self.code().types.clear(component, field);
        let Some(comes) = self.comes(member.node).filter(|_| !matches!(component.field, Field::Group(_))) else {
            // If it is present, it is left over and refused.
            return self.code().out.line(absent);
        };
        let within = if self.has_end() { "at < end && " } else { "" };
        self.if_comes(&format!("{within}{comes}"), component, member, field);
    }

    /// A component that is present under a condition.
    fn if_comes(&mut self, condition: &str, component: &Component, member: &Member, field: &Place) {
        let code = self.code();
        let absent = code.types.clear(component, field);
        code.out.line(format!("if {condition} {{"));
        let content = code.types.present(component, field, code.out);
        self.value(component.type_id, member.node, &content);
        let code = self.code();
        code.out.line("} else {");
        code.out.line(absent);
        code.out.line("}");
    }

    /// The content of an alternative.
    fn alternative(&mut self, variant: &Variant<'_>, node: NodeId, place: &Place) {
        let code = self.code();
        let inner = code.types.choose(variant, place, code.out);
        code.out.line(format!("let _ = &{inner};"));
        self.value(variant.alternative.type_id, node, &Place::reference(inner));
    }

    /// Reads one more element of a list.
    fn element(
        &mut self,
        (list, item, storage): (&str, String, Storage),
        id: TypeId,
        value: impl FnOnce(&mut Self, &Place),
    ) where
        Self: Sized,
    {
        if let Storage::Extensible(most) = storage {
            // The interpreter's limits apply to longer lists.
            self.code().out.refuse_if(&format!("{list}.len() >= {most}"));
        }
        let code = self.code();
        let element = code.types.begin_element(id, storage, list, item, code.out);
        value(self, &element.place);
        element.end(self.code().out);
    }
}
