//! Decoders of SEQUENCE, SET and CHOICE.

use roadwire_layout::{Member, Node, NodeId, Presence, Width};
use roadwire_model::{Component, Field, Kind, TypeId};

use super::DecodeWriter;
use crate::data::field_names;
use crate::packed::choice::{Alternatives, Told};
use crate::packed::encode::GUARDED_MEMBERS;
use crate::packed::phase::{self, Phase};
use crate::packed::read_run::Position;
use crate::packed::run::Place;
use crate::types::Types;

/// A presence bit of a member: a separate variable, or a bit of a word.
struct Bit {
    word: String,
    mask: Option<u64>,
}

impl Bit {
    /// An expression that is not 0 if the member is present.
    fn expression(&self) -> String {
        match self.mask {
            Some(mask) => format!("({} & {mask:#x})", self.word),
            None => self.word.clone(),
        }
    }

    /// An expression that is not 0 if any of the members is present; bits in words are all in the same word.
    fn any<'b>(bits: impl Iterator<Item = &'b Bit>) -> String {
        let mut together: Vec<Bit> = Vec::new();
        for bit in bits {
            match together.last_mut() {
                Some(Bit { word, mask: Some(mask) }) if *word == bit.word => *mask |= bit.mask.unwrap_or(0),
                _ => together.push(Bit { word: bit.word.clone(), mask: bit.mask }),
            }
        }
        together.iter().map(Bit::expression).collect::<Vec<_>>().join(" | ")
    }
}

impl DecodeWriter<'_, '_> {
    pub(super) fn record(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Record { extensible, padding, members, .. } = *self.layout.node(node) else {
            return self.leave_to_interpreter();
        };
        let Kind::Sequence { components, .. } = self.types.kind(id) else {
            return self.leave_to_interpreter();
        };
        let fields = field_names(components);
        let members = self.layout.members(members).to_vec();
        let optional = members.iter().filter(|member| member.presence != Presence::Mandatory).count() as u32;
        // If it is whole octets, it is read as one word.
        let front = u32::from(extensible) + optional + u32::from(padding);
        let bitmap = (self.whole && !self.plain && (1..=u64::BITS).contains(&front)).then(|| self.read(front));
        if extensible {
            let extended = match &bitmap {
                Some(bitmap) => format!("{bitmap} >> {}", front - 1),
                None => self.read(1),
            };
            self.run.refuse_if(format!("({extended} != 0)"));
            self.run.then(format!("if !{}.unknown.is_empty() {{", place.object()));
            self.run.then(format!("{}.unknown = wire::Additions::new();", place.object()));
            self.run.then("}");
            for (component, field) in components.iter().zip(&fields) {
                if component.field != Field::Root {
                    self.run.then(format!("{}.{field} = {};", place.object(), self.types.absent(component)));
                }
            }
        }
        if self.plain {
            return self.plain_members(components, &members, padding, place);
        }
        let mut bits = front - u32::from(extensible);
        let mut presence = Vec::new();
        for member in &members {
            presence.push((member.presence != Presence::Mandatory).then(|| match &bitmap {
                Some(bitmap) => {
                    bits -= 1;
                    Bit { word: bitmap.clone(), mask: Some(1 << bits) }
                }
                None => Bit { word: self.read(1), mask: None },
            }));
        }
        if bitmap.is_none() {
            self.run.field("", padding.into());
        }
        self.members(id, components, &members, &presence, place);
    }

    fn plain_members(&mut self, components: &[Component], members: &[Member], padding: u8, place: &Place) {
        let fields = field_names(components);
        let optional = members.iter().filter(|member| member.presence != Presence::Mandatory).count() as u32;
        if optional > 0 {
            for bits in [optional.min(32), optional.saturating_sub(32)].into_iter().filter(|bits| *bits > 0) {
                let there = self.read(bits);
                self.run.refuse_if(format!("({there} != 0)"));
            }
        }
        self.run.field("", padding.into());
        if optional > 0 {
            // At once, so that the general code starts early.
            self.flush();
        }
        for member in members {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            if member.presence == Presence::Mandatory {
                self.value(component.type_id, member.node, &field);
            } else {
                self.run.then(self.types.clear(component, &field));
            }
            self.keys.pass(self.types, self.layout, component, member.node, &field);
        }
    }

    /// A component that may be tapped.
    fn component(&mut self, part: Option<usize>, value: impl FnOnce(&mut Self)) {
        let Some(part) = part.filter(|_| self.told) else { return value(self) };
        let (input, at) = match self.whole {
            true => ("input", "r.position_in(input)"),
            false => ("r.octets()", "r.position()"),
        };
        self.settle();
        self.out.line(format!("tap.begins({part}, {at});"));
        value(self);
        self.settle();
        self.out.line(format!("tap.ends({part}, {input}, {at});"));
    }

    fn members(
        &mut self,
        id: TypeId,
        components: &[Component],
        members: &[Member],
        presence: &[Option<Bit>],
        place: &Place,
    ) {
        let fields = field_names(components);
        let tail = members.iter().rev().take_while(|member| member.presence != Presence::Mandatory).count();
        let guarded = tail >= GUARDED_MEMBERS;
        for (place_in_order, (member, there)) in members.iter().zip(presence).enumerate() {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            let part = self.types.tap(id, at);
            let Some(there) = there else {
                self.component(part, |decoder| decoder.value(component.type_id, member.node, &field));
                self.keys.pass(self.types, self.layout, component, member.node, &field);
                continue;
            };
            self.settle();
            let absent = self.phase();
            if guarded && place_in_order + tail == members.len() {
                self.out.line(format!("if {} == 0 {{", Bit::any(presence[place_in_order..].iter().flatten())));
                for absent in &members[place_in_order..] {
                    let at = absent.component as usize;
                    self.out.line(self.types.clear(&components[at], &place.field(&fields[at])));
                }
                self.out.line("} else {");
            }
            self.out.line(format!("if {} != 0 {{", there.expression()));
            self.component(part, |decoder| decoder.optional(component, member, &field));
            self.out.line("} else {");
            self.out.line(self.types.clear(component, &field));
            self.out.line("}");
            self.position = Position::Dynamic(phase::join(absent, self.phase()));
            self.keys.pass(self.types, self.layout, component, member.node, &field);
        }
        if guarded {
            self.out.line("}");
        }
    }

    /// An optional component that is present.
    fn optional(&mut self, component: &Component, member: &Member, field: &Place) {
        if Types::is_option(component) && self.is_local(component.type_id) {
            let content = self.local(component.type_id, member.node);
            return self.out.line(format!("{} = Some({content});", field.value()));
        }
        let content = self.types.present(component, field, self.out);
        self.part(component.type_id, member.node, &content);
        self.settle();
    }

    pub(crate) fn choice(&mut self, id: TypeId, choice: Option<Alternatives>, place: &Place) {
        let Some(Alternatives { alternatives, root, extensible, told }) = choice else {
            return self.leave_to_interpreter();
        };
        let Some(variants) = self.types.variants(id) else { return self.leave_to_interpreter() };
        let Some(patterns) = self.patterns(told, root) else { return self.leave_to_interpreter() };
        let index = match told {
            Told::Tag(_) => self.read(8),
            Told::Index(Width::Anywhere(bits)) => self.read(bits + u32::from(extensible)),
            Told::Index(width) => self.root_number(width, extensible, u64::from(root).saturating_sub(1)),
        };
        let first = self.layout.alternatives(alternatives).first().copied().filter(|_| root > 0);
        if let (true, Some(first)) = (self.plain, first) {
            self.run.refuse_if(format!("({index} != {})", patterns[0]));
            self.flush();
            let variant = &variants[first.alternative as usize];
            let content = self.alternative(variant, place);
            return self.value(variant.alternative.type_id, first.node, &content);
        }
        self.flush();
        let before = self.position;
        let mut end: Option<Phase> = None;
        let layout_alternatives = self.layout.alternatives(alternatives).to_vec();
        self.out.line(format!("match {index} {{"));
        for (at, one) in layout_alternatives.iter().enumerate().take(root as usize) {
            let variant = &variants[one.alternative as usize];
            let content_id = variant.alternative.type_id;
            self.position = before;
            self.out.line(format!("{} => {{", patterns[at]));
            if self.is_local(content_id) {
                let content = self.local(content_id, one.node);
                self.types.set_alternative(variant, place, &content, self.out);
            } else {
                let content = self.alternative(variant, place);
                if self.types.has_list(content_id) {
                    self.part(content_id, one.node, &content);
                } else {
                    self.value(content_id, one.node, &content);
                }
                self.settle();
            }
            self.out.line("}");
            end = Some(end.map_or(self.phase(), |other| phase::join(other, self.phase())));
        }
        self.out.line("_ => return Err(wire::Rejected),");
        self.out.line("}");
        self.position = Position::Dynamic(end.flatten());
    }
}
