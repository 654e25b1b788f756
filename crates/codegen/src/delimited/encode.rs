//! Encoders: components, alternatives, and pending octets.

use roadwire_layout::{Member, NodeId, Presence, Span};
use roadwire_model::{Component, Field, Kind, TypeId};

use crate::data::field_names;
use crate::delimited::Writer;
use crate::packed::run::Place;
use crate::parts::Variant;

/// How many octets a word holds.
pub(crate) const WORD: u32 = 8;

/// Pending octets of a fixed number: expressions of type `u64`, and how many octets each has.
#[derive(Default)]
pub(crate) struct Run(Vec<(String, u32)>);

impl Run {
    pub(crate) fn push(&mut self, value: impl Into<String>, octets: u32) {
        self.0.push((value.into(), octets));
    }

    /// Takes as many items as fit into a word; `None` if none are pending.
    pub(crate) fn next_word(&mut self) -> Option<Vec<(String, u32)>> {
        let mut octets = 0;
        let fits = |item: &&(String, u32)| {
            octets += item.1;
            octets <= WORD
        };
        let count = self.0.iter().take_while(fits).count();
        (count > 0).then(|| self.0.drain(..count).collect())
    }
}

/// A writer of encoders.
pub(crate) trait Encode<'a, 'm: 'a>: Writer<'a, 'm> {
    /// A component or an alternative, with its tag or key.
    fn value(&mut self, id: TypeId, node: NodeId, place: &Place);

    /// Writes values, each with its number of octets, as one word.
    fn put_word(&mut self, items: &[(String, u32)]);

    /// Writes the pending octets.
    fn flush(&mut self) {
        while let Some(items) = self.code().run.next_word() {
            self.put_word(&items);
        }
    }

    /// The components of a record. With `has_groups`, components of addition groups are left to the interpreter.
    fn components(&mut self, id: TypeId, members: Span, is_extensible: bool, has_groups: bool, place: &Place) {
        let (types, layout) = (self.code().types, self.code().layout);
        let Kind::Sequence { components, .. } = types.kind(id) else { return self.code().leave_to_interpreter() };
        let fields = field_names(components);
        if is_extensible {
            self.code().out.refuse_if(&format!("!{}.unknown.is_empty()", place.object()));
        }
        for member in layout.members(members) {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            if has_groups && matches!(component.field, Field::Group(_)) {
                // All mandatory components of a group must be present: left to the interpreter.
                self.code().out.refuse_if(&types.sent(component, &field));
                continue;
            }
            self.component(component, member, &field);
            self.code().pass(component, member.node, &field);
        }
    }

    fn component(&mut self, component: &Component, member: &Member, field: &Place) {
        if component.field == Field::Root && member.presence == Presence::Mandatory {
            return self.value(component.type_id, member.node, field);
        }
        self.flush();
        let code = self.code();
        if code.types.has_named_bits_default(component) {
            // Trailing zero bits are ignored in this comparison, so comparing words is not enough.
            return code.leave_to_interpreter();
        }
        let content = code.types.if_sent(component, field, code.out);
        self.value(component.type_id, member.node, &content);
        self.flush();
        self.code().out.line("}");
    }

    /// The alternatives of a CHOICE.
    fn alternatives(&mut self, id: TypeId, alternatives: Span, is_extensible: bool, place: &Place) {
        let (types, layout) = (self.code().types, self.code().layout);
        let Some(variants) = types.variants(id) else { return self.code().leave_to_interpreter() };
        self.flush();
        self.code().out.line(format!("match {} {{", place.shared()));
        for one in layout.alternatives(alternatives) {
            let Variant { path, alternative, .. } = &variants[one.alternative as usize];
            let inner = self.code().out.variable();
            self.code().out.line(format!("{path}({inner}) => {{"));
            self.value(alternative.type_id, one.node, &Place::reference(inner));
            self.flush();
            self.code().out.line("}");
        }
        if is_extensible {
            self.code().out.line("_ => return Err(wire::Rejected),");
        }
        self.code().out.line("}");
    }
}
