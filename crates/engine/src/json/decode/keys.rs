//! Decoding JSON text: members may be in any order, so the key that selects the type of an open
//! type may follow it. So keys are read in advance.

use super::Json;
use roadwire_layout::{JsonNode, Member, Node, NodeId, Presence, Span};
use roadwire_wire::rt::json;
use roadwire_wire::{Data, Shape};

use super::Seen;
use crate::decode::Decoder;
use crate::listener::Listener;

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L, Json> {
    /// Stores the rows that this object's members select in their slots; the reader, after the
    /// opening bracket, does not move. An error in a key is reported when it is decoded. Returns a
    /// mandatory key of no addition group that is absent.
    #[cold]
    #[inline(never)]
    pub(crate) fn look_at_keys(&mut self, members: Span, groups: Span, value: &mut dyn Data) -> Option<&'n Member> {
        let slots = core::mem::take(&mut self.slots);
        let no_listener = &mut ();
        let mut ahead = self.silent(slots, Json, no_listener);
        let absent = ahead.keys(members, groups, value);
        self.slots = ahead.slots;
        absent
    }
}

impl<'n> Decoder<'n, '_, '_, '_, (), Json> {
    fn keys(&mut self, members: Span, groups: Span, value: &mut dyn Data) -> Option<&'n Member> {
        let mut first = true;
        let mut seen = Seen::default();
        while self.another(b'}', first).ok()? {
            first = false;
            let name = self.member_name().ok()?;
            let start = self.reader;
            if let Some((at, member)) = self.find(members, name, 0) {
                // One that comes twice is refused where it comes again.
                if seen.insert(at) && self.is_keyed(member.node) {
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
            let is_needed = member.presence == Presence::Mandatory && !seen.has(*at) && self.is_keyed(member.node);
            is_needed && !self.layout.groups(groups).any(|group| group.contains(at))
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
            Node::Json(JsonNode::Object { components, members, groups, .. }) => {
                let opened = self.bracket(b'{', "").is_ok();
                if opened && value.begin(Shape::Record(*components as usize)) {
                    self.keys(*members, *groups, value);
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
