//! SEQUENCE and SET.

use roadwire_layout::{Member, Node, NodeId, Presence};
use roadwire_model::{Kind, TypeId};

use super::additions::Additions;
use super::{Walk, amount, phase};
use crate::plan::{Amount, Bit, Block, Component, Cond, Num, Place, Stmt, Stream, Value, Var};
use crate::types::Types;
use crate::walk::walker::Walker;

/// From this many optional members at the end of a record on, one test first checks whether all are
/// absent.
const GUARDED_MEMBERS: usize = 3;

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    pub(super) fn record(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let layout = self.draft.layout;
        let Node::Record { extensible, padding, members, .. } = *layout.node(node) else {
            return self.draft.give_up();
        };
        let members = layout.members(members);
        let additions = self.additions(id, node);
        match self.draft.is_encoder() {
            true => {
                let keeps = additions.as_ref().is_some_and(|additions| additions.keeps);
                self.reject_rare(id, extensible && !keeps, place);
                let is_extended = self.put_extension(id, additions.as_ref(), place);
                self.put_root(id, members, padding, place);
                is_extended.zip(additions).into_iter().for_each(|(is_extended, additions)| {
                    self.put_additions(id, is_extended, &additions, place);
                });
            }
            false => self.take_record(id, members, additions.as_ref(), padding, place),
        }
    }

    /// Writes the presence bits and components of an extension root, or of an addition group.
    pub(super) fn put_root(&mut self, id: TypeId, members: &[Member], padding: u8, place: &Place) {
        let optional = optional(members);
        if self.is_plain {
            let differs = |at: &usize| match self.has(id, *at) {
                true => Cond::Not(Box::new(sent(id, *at, place))),
                false => sent(id, *at, place),
            };
            let any: Vec<Cond> = optional.iter().map(differs).collect();
            if !any.is_empty() {
                self.push(Stream::RejectNow(Cond::Any(any)));
                optional.iter().for_each(|at| self.put(Num::Const(self.has(id, *at).into()), 1));
            }
            self.pad(padding.into());
            return self.plain_members(id, members, place);
        }
        for at in optional {
            self.put(amount(Amount::Holds(sent(id, at, place))), 1);
        }
        self.pad(padding.into());
        self.put_members(id, members, place);
    }

    /// Rejects rare forms of a record.
    pub(super) fn reject_rare(&mut self, id: TypeId, is_extensible: bool, place: &Place) {
        let types = self.draft.types;
        if let (false, Kind::Sequence { components, .. }) = (types.stands_alone(), types.kind(id)) {
            if components.iter().any(|component| types.has_named_bits_default(component)) {
                // Trailing zero bits are ignored in this comparison, so comparing words is not
                // enough.
                self.draft.give_up();
            }
        }
        if is_extensible {
            self.reject(Cond::HasUnknown(place.clone()));
        }
    }

    fn put_members(&mut self, id: TypeId, members: &[Member], place: &Place) {
        let tail = self.members(id, members, place, |walk, _, one, node, field| {
            let type_id = walk.draft.component(one).type_id;
            walk.if_sent(one, field, |walk, content| {
                walk.named(one.at, |walk| walk.tapped(one, |walk| walk.part(type_id, node, content)));
            });
        });
        if let Some((from, then)) = tail {
            let any = members[from..].iter().map(|member| sent(id, member.component as usize, place)).collect();
            self.draft.push(Stmt::If { condition: Cond::AnyBit(any), then, otherwise: None });
        }
    }

    /// The members in their order; `optional` is for those that may be absent: their place in the
    /// order, the component, its node and its place. Returns where the members begin whose absence
    /// a single test shows, and their statements.
    fn members(
        &mut self,
        id: TypeId,
        members: &[Member],
        place: &Place,
        optional: impl Fn(&mut Self, usize, Component, NodeId, &Place),
    ) -> Option<(usize, Block)> {
        let tail = members.iter().rev().take_while(|member| member.presence != Presence::Mandatory).count();
        let guarded = (tail >= GUARDED_MEMBERS).then_some(members.len() - tail);
        for (order, member) in members.iter().enumerate() {
            let (one, field) = place.member(id, member);
            if member.presence == Presence::Mandatory {
                let type_id = self.draft.component(one).type_id;
                self.named(one.at, |walk| {
                    let content = walk.mandatory(one, &field);
                    walk.tapped(one, |walk| walk.value(type_id, member.node, &content));
                });
            } else {
                self.settle();
                let absent = self.phase;
                if guarded == Some(order) {
                    self.draft.begin();
                }
                optional(self, order, one, member.node, &field);
                self.phase = phase::join(absent, self.phase);
            }
            self.draft.pass(one, member.node, &field);
        }
        guarded.map(|from| (from, self.draft.take()))
    }

    /// The content of a component that is always there. In memory, one of an addition group is
    /// optional.
    fn mandatory(&mut self, one: Component, field: &Place) -> Place {
        if !Types::is_option(self.draft.component(one)) {
            return field.clone();
        }
        if !self.draft.is_encoder() {
            return self.draft.present(one, field);
        }
        let inner = self.variable();
        self.draft.push(Stmt::Need(inner, field.clone()));
        Place::reference(inner)
    }

    /// Reads a record, or an addition group, which has no `additions`.
    pub(super) fn take_record(
        &mut self,
        id: TypeId,
        members: &[Member],
        additions: Option<&Additions>,
        padding: u8,
        place: &Place,
    ) {
        let is_extensible = additions.is_some();
        let count = optional(members).len() as u32;
        // If it is whole octets, it is read as one word.
        let front = u32::from(is_extensible) + count + u32::from(padding);
        let bitmap = (self.is_octet && !self.is_plain && (1..=u64::BITS).contains(&front)).then(|| self.take(front));
        let is_extended = additions.and_then(|additions| self.take_extension(id, additions, (bitmap, front), place));
        if self.is_plain {
            for some in optional(members).chunks(32) {
                let wanted = some.iter().fold(0, |bits, at| bits << 1 | u64::from(self.has(id, *at)));
                let there = self.take(some.len() as u32);
                self.reject(Cond::Differs(Num::Var(there), wanted));
            }
            self.pad(padding.into());
            if count > 0 {
                // At once, so that the general code starts early.
                self.push(Stream::Flush);
            }
            return self.plain_members(id, members, place);
        }
        let mut left = front - u32::from(is_extensible);
        let mut presence = Vec::new();
        for member in members {
            presence.push((member.presence != Presence::Mandatory).then(|| match bitmap {
                Some(word) => {
                    left -= 1;
                    Bit { word, mask: Some(1 << left) }
                }
                None => Bit { word: self.take(1), mask: None },
            }));
        }
        if bitmap.is_none() {
            self.pad(padding.into());
        }
        self.take_members(id, members, &presence, place);
        is_extended.zip(additions).into_iter().for_each(|(is_extended, additions)| {
            self.take_additions(id, is_extended, additions, place);
        });
    }

    fn take_members(&mut self, id: TypeId, members: &[Member], presence: &[Option<Bit>], place: &Place) {
        let tail = self.members(id, members, place, |walk, order, one, node, field| {
            let Some(there) = presence[order].clone() else { return };
            let then =
                walk.block(|walk| walk.named(one.at, |walk| walk.tapped(one, |walk| walk.present(one, node, field))));
            let otherwise = Some(vec![clear(id, one.at, place)]);
            walk.draft.push(Stmt::If { condition: Cond::IsSet(there), then, otherwise });
        });
        if let Some((from, otherwise)) = tail {
            let condition = Cond::NoneSet(presence[from..].iter().flatten().cloned().collect());
            let then = members[from..].iter().map(|member| clear(id, member.component as usize, place)).collect();
            self.draft.push(Stmt::If { condition, then, otherwise: Some(otherwise) });
        }
    }

    /// Reads an optional component that is present.
    fn present(&mut self, one: Component, node: NodeId, field: &Place) {
        let component = self.draft.component(one);
        if Types::is_option(component) && self.is_local(component.type_id) {
            let content = self.local(component.type_id, node);
            return self.set(field, Value::Some(content));
        }
        let content = self.draft.present(one, field);
        self.part(component.type_id, node, &content);
        self.settle();
    }

    fn plain_members(&mut self, id: TypeId, members: &[Member], place: &Place) {
        for member in members {
            let (one, field) = place.member(id, member);
            let type_id = self.draft.component(one).type_id;
            if member.presence == Presence::Mandatory {
                self.value(type_id, member.node, &field);
            } else if self.has(id, one.at) {
                let content = self.mandatory(one, &field);
                self.value(type_id, member.node, &content);
            } else if !self.draft.is_encoder() {
                self.draft.push(Stmt::Clear(one, field.clone()));
            }
            self.draft.pass(one, member.node, &field);
        }
    }

    /// Whether the values that the function is for have this optional component or alternative.
    pub(super) fn has(&self, id: TypeId, at: usize) -> bool {
        self.is_usual && self.draft.types.is_usual(id, at)
    }

    /// A component that may be tapped.
    fn tapped(&mut self, one: Component, value: impl FnOnce(&mut Self)) {
        let Some(part) = self.draft.tap(one.record, one.at) else { return value(self) };
        self.settle();
        self.draft.push(Stmt::TapBegins(part));
        value(self);
        self.settle();
        self.draft.push(Stmt::TapEnds(part));
    }

    /// Whether a value is read into a variable first. Not in bit encodings, where a string that
    /// must be copied reuses its memory.
    pub(super) fn is_local(&self, id: TypeId) -> bool {
        self.is_octet && self.draft.types.is_flat(id)
    }

    /// Reads a flat value into a variable.
    pub(super) fn local(&mut self, id: TypeId, node: NodeId) -> Var {
        let var = self.variable();
        self.push(Stream::Local { var, id });
        self.value(id, node, &Place::variable(var));
        self.settle();
        var
    }
}

/// The components of members that are optional.
fn optional(members: &[Member]) -> Vec<usize> {
    let optional = members.iter().filter(|member| member.presence != Presence::Mandatory);
    optional.map(|member| member.component as usize).collect()
}

/// Whether one of these members is sent.
pub(super) fn any_sent(record: TypeId, members: &[Member], place: &Place) -> Cond {
    Cond::Any(members.iter().map(|member| sent(record, member.component as usize, place)).collect())
}

pub(super) fn clear(record: TypeId, at: usize, place: &Place) -> Stmt {
    Stmt::Clear(Component { record, at }, place.component(record, at))
}

pub(super) fn sent(record: TypeId, at: usize, place: &Place) -> Cond {
    Cond::Sent(Component { record, at }, place.component(record, at))
}
