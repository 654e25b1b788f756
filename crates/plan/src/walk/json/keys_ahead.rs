//! Components that select types of open types, which may precede them: a thorough decoder reads
//! them before all others, as the interpreter does. An error in one is found when it is read again.

use std::collections::HashSet;

use roadwire_layout::{JsonNode, Node, NodeId};
use roadwire_model::TypeId;

use super::Walk;
use super::object::Object;
use crate::plan::{Arg, Cond, Num, Place, Prim, Stmt, Text, Var};
use crate::walk::keys::slots;
use crate::walk::walker::Walker;

/// The flags that keys have not been read, by slot. Those that may be absent have none: one that
/// cannot be read is as if it were absent.
pub(super) type Unread = Vec<(u32, Var)>;

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    /// Reads the keys of an object in which open types may precede them.
    pub(super) fn look_at_keys(&mut self, object: &Object<'_>, place: &Place) -> Unread {
        let mut unread = Unread::new();
        if !object.members.iter().any(|member| self.is_ahead(member.node, &mut HashSet::new())) {
            return unread;
        }
        self.forget_keys(object, place, &mut unread);
        let body = self.block(|walk| walk.keys_of(object, place, &unread));
        self.draft.push(Stmt::Ahead { body, fails: Vec::new() });
        for (order, member) in object.members.iter().enumerate() {
            let (one, field) = object.field(order, place);
            self.draft.pass(one, member.node, &field);
        }
        unread.iter().for_each(|(slot, flag)| self.draft.keys.flag(*slot, *flag));
        unread
    }

    /// A member has been read; its keys are known.
    pub(super) fn has_read(&mut self, node: NodeId, unread: &Unread) {
        let slots = slots(self.draft.layout, node);
        for (_, flag) in unread.iter().filter(|(slot, _)| slots.contains(slot)) {
            self.draft.push(Stmt::ClearFlag(*flag));
        }
    }

    /// The keyed members of an object that are always in reach: where they are in it.
    fn keyed(&self, object: &Object<'_>) -> Vec<usize> {
        let is_key = |node| matches!(self.draft.layout.node(node), Node::Key { .. });
        let node = |order: usize| object.members[order].node;
        let is_in_reach =
            |order: &usize| self.is_keyed(node(*order)) && (object.is_sure(*order) || is_key(node(*order)));
        (0..object.members.len()).filter(is_in_reach).collect()
    }

    /// Nothing is known of keys: those that may be absent are.
    fn forget_keys(&mut self, object: &Object<'_>, place: &Place, unread: &mut Unread) {
        for order in self.keyed(object) {
            let (one, field) = object.field(order, place);
            if !object.is_sure(order) {
                self.draft.push(Stmt::Clear(one, field));
                continue;
            }
            if let Some(inner) = self.object_in(object.component(order).type_id, object.members[order].node) {
                self.forget_keys(&inner, &field, unread);
                continue;
            }
            let flag = self.draft.flag();
            unread.extend(slots(self.draft.layout, object.members[order].node).into_iter().map(|slot| (slot, flag)));
        }
    }

    /// Reads what there is of keys, after the opening bracket.
    fn keys_of(&mut self, object: &Object<'_>, place: &Place, unread: &Unread) {
        let keyed: Vec<(usize, Var)> = self.keyed(object).into_iter().map(|order| (order, self.draft.flag())).collect();
        let names = keyed.iter().map(|(order, _)| object.component(*order).name.clone()).collect();
        self.each_part(b'}', |walk, first| {
            let name = walk.draft.get(Prim::Text(Text::TakeMember), vec![Arg::Num(Num::Var(first))]);
            let at = walk.find(name, names);
            let mut arms = Vec::new();
            for (at, (order, is_first)) in (0..).zip(keyed) {
                let (one, field) = object.field(order, place);
                let then = walk.block(|walk| {
                    walk.draft.push(Stmt::ClearFlag(is_first));
                    let body = walk.block(|walk| {
                        let content = walk.draft.present(one, &field);
                        walk.key_within(object.component(order).type_id, object.members[order].node, &content, unread);
                    });
                    let fails = if object.is_sure(order) { Vec::new() } else { vec![Stmt::Clear(one, field.clone())] };
                    walk.draft.push(Stmt::Ahead { body, fails });
                });
                // One that comes twice is refused where it comes again.
                arms.push((at, vec![Stmt::If { condition: Cond::Var(is_first), then, otherwise: None }]));
            }
            walk.draft.push(Stmt::Select { number: Num::Var(at), arms, others: Some(Vec::new()) });
            walk.act(Text::PassValue, Vec::new());
        });
    }

    fn key_within(&mut self, id: TypeId, node: NodeId, place: &Place, unread: &Unread) {
        match self.object_in(id, node) {
            Some(inner) => {
                self.act(Text::Open, vec![Arg::Octet(b'{')]);
                self.keys_of(&inner, place, unread);
            }
            None => {
                self.value(id, node, place);
                self.has_read(node, unread);
            }
        }
    }

    /// The object that a member is, if it is not a key itself.
    fn object_in(&self, id: TypeId, node: NodeId) -> Option<Object<'a>> {
        match *self.draft.layout.node(node) {
            Node::Scope { record, .. } => self.object_in(id, record),
            Node::Json(JsonNode::Object { members, groups, .. }) => self.object_of(id, members, groups, None),
            _ => None,
        }
    }
}
