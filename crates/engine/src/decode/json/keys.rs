//! Decoding JSON text: members come in any order, so that what tells the type of an open type may come after it. It is looked at beforehand.

use roadwire_layout::{JsonNode, Member, Node, NodeId, Presence, Span};
use roadwire_wire::json;
use roadwire_wire::{Data, Shape};

use super::Seen;
use crate::decode::Decoder;
use crate::decode::event::Events;
use crate::listener::Listener;

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L> {
    /// Puts the rows that this object's members select into their slots; the reader, behind the opening bracket, stays where it is. An error in a key is told when its
    /// turn comes; a key that is absent and may not be is what comes back.
    #[cold]
    #[inline(never)]
    pub(super) fn look_at_keys(&mut self, members: Span, value: &mut dyn Data) -> Option<&'n Member> {
        let mut ahead = Decoder {
            tag: self.tag,
            spaced: false,
            document: crate::decode::xml::Document::default(),
            events: Events::default(),
            run: Default::default(),
            layout: self.layout,
            reader: self.reader,
            detached: self.detached,
            indefinite: self.indefinite,
            depth: self.depth,
            elements: self.elements,
            heap: self.heap,
            place: self.place,
            limits: self.limits,
            slots: core::mem::take(&mut self.slots),
            listener: &mut (),
            explanation: None,
        };
        let absent = ahead.keys(members, value);
        self.slots = ahead.slots;
        absent
    }
}

impl<'n> Decoder<'n, '_, '_, '_, ()> {
    fn keys(&mut self, members: Span, value: &mut dyn Data) -> Option<&'n Member> {
        let mut first = true;
        let mut seen = Seen::default();
        while self.another(b'}', first).ok()? {
            first = false;
            let name = self.member_name().ok()?;
            let start = self.reader;
            if let Some((at, member)) = self.find(members, name, 0) {
                seen.insert(at);
                if self.is_keyed(member.node) {
                    if let Some(component) = value.component_mut(member.component as usize) {
                        self.key_within(member.node, component);
                    }
                }
            }
            self.reader = start;
            let end = json::skip(self.reader.octets(), self.at()).ok()?;
            self.reader.advance_to(end * 8);
        }
        let absent = |(at, member): &(usize, &Member)| {
            member.presence == Presence::Mandatory && !seen.has(*at) && self.is_keyed(member.node)
        };
        self.layout.members(members).iter().enumerate().find(absent).map(|(_, member)| member)
    }

    fn is_keyed(&self, id: NodeId) -> bool {
        match *self.layout.node(id) {
            Node::Key { .. } | Node::Json(JsonNode::Object { keyed: true, .. }) => true,
            Node::Scope { record, .. } => self.is_keyed(record),
            _ => false,
        }
    }

    fn key_within(&mut self, id: NodeId, value: &mut dyn Data) {
        match self.layout.node(id) {
            node @ Node::Key { .. } => {
                let _ = self.key(node, value);
            }
            Node::Json(JsonNode::Object { components, members, .. }) => {
                let opened = self.bracket(b'{', "").is_ok();
                if opened && value.begin(Shape::Record(*components as usize)) {
                    self.keys(*members, value);
                }
            }
            Node::Scope { record, slots } => {
                let outer = self.slots.enter(self.layout.numbers(*slots));
                self.key_within(*record, value);
                self.slots.leave(self.layout.numbers(*slots), &outer);
            }
            _ => {}
        }
    }
}
