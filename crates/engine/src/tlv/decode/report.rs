//! Decoding: tags that are found, and tags that are expected.

use super::Tlv;
use roadwire_layout::{Alternative, Member, Node, NodeId, TlvNode};
use roadwire_wire::rt::tlv::{self, Identifier};
use roadwire_wire::{ErrorKind, Fault, Few, Form, Rejected, Thing, Unexpected, faults};

use crate::decode::Decoder;
use crate::listener::Listener;

/// Tags, and the places of their names.
type Tags = Few<(u32, u32)>;

/// The place of no name.
const NAMELESS: u32 = u32::MAX >> 1;

const CONSTRUCTED: Thing = Thing::Word("a constructed encoding");
const PRIMITIVE: Thing = Thing::Word("a primitive encoding");

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L, Tlv> {
    /// A value whose identifier is not that of its type.
    #[cold]
    #[inline(never)]
    pub(crate) fn other_tag(&mut self, found: Identifier, wanted: Identifier, at: usize) -> Rejected {
        let fault = faults::tlv::TAG_OTHER;
        if found ^ wanted == tlv::CONSTRUCTED {
            let (form, other) = if found < wanted { (PRIMITIVE, CONSTRUCTED) } else { (CONSTRUCTED, PRIMITIVE) };
            return self.found(fault, at, form, other);
        }
        self.no_tag(fault, at, found, Few::of(core::iter::once((wanted & !tlv::CONSTRUCTED, NAMELESS))))
    }

    /// A value in a segmented string that is not a segment.
    #[cold]
    #[inline(never)]
    pub(crate) fn other_segment(&mut self, found: Identifier, segment: Identifier, at: usize) -> Rejected {
        self.no_tag(faults::tlv::SEGMENT, at, found, Few::of(core::iter::once((segment, NAMELESS))).or_end(true))
    }

    /// A tag that none of these components has; `or_end` if the value may end here.
    #[cold]
    #[inline(never)]
    pub(crate) fn no_component<'m>(
        &mut self,
        fault: Fault,
        tag: Identifier,
        members: impl Iterator<Item = &'m Member>,
        or_end: bool,
    ) -> Rejected {
        if self.explanation.is_none() {
            return Rejected;
        }
        let mut tags = Few::none();
        for member in members {
            self.add_tags(member.node, &|| self.layout.place_of_member(member), &mut tags);
        }
        self.no_tag(fault, self.reader.position(), tag, tags.or_end(or_end))
    }

    /// A tag that none of these alternatives has.
    #[cold]
    #[inline(never)]
    pub(crate) fn no_alternative(&mut self, tag: Identifier, alternatives: &[Alternative]) -> Rejected {
        if self.explanation.is_none() {
            return Rejected;
        }
        let mut tags = Few::none();
        for one in alternatives {
            self.add_tags(one.node, &|| self.layout.place_of_alternative(one), &mut tags);
        }
        self.no_tag(faults::tlv::TAG_CHOICE, self.reader.position(), tag, tags)
    }

    fn no_tag(&mut self, fault: Fault, at: usize, found: Identifier, expected: Tags) -> Rejected {
        let found = i64::from(found & !tlv::CONSTRUCTED);
        let what = Unexpected::Number { form: Form::Tag, found, expected };
        self.fail_at(ErrorKind::Unexpected { fault, what }, at)
    }

    /// Adds the tags that a value of a node may have, with the place of its name.
    fn add_tags(&self, node: NodeId, place: &dyn Fn() -> u32, tags: &mut Tags) {
        match *self.layout.node(node) {
            Node::Tlv(TlvNode::Primitive { identifier, .. } | TlvNode::Tagged { identifier, .. }) => {
                tags.add(|| (identifier & !tlv::CONSTRUCTED, place()));
            }
            Node::Tlv(TlvNode::Choice { alternatives, .. }) => {
                for one in self.layout.alternatives(alternatives) {
                    self.add_tags(one.node, &|| self.layout.place_of_alternative(one), tags);
                }
            }
            Node::Key { node, .. } | Node::Contained { string: node, .. } | Node::Fitting { content: node, .. } => {
                self.add_tags(node, place, tags);
            }
            _ => {}
        }
    }
}
