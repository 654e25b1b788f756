//! Straight-line code for CBOR: maps, choices and arrays, and leaves behind heads. Constant octets that follow each other, and heads of numbers behind them, are one word.

mod decode;
mod encode;

use std::collections::HashSet;

use roadwire_layout::{Addition, CborNode, Layout, Member, Node, NodeId, Presence, Span};
use roadwire_model::TypeId;
use roadwire_wire::rt::cbor;

use crate::Pdu;
use crate::cbor::decode::DecodeWriter;
use crate::cbor::encode::EncodeWriter;
use crate::delimited::{self, Family, Writer};
use crate::packed::run::Place;
use crate::source::Source;

/// Writes the functions of a message, and those of its parts that are not in `written` yet.
pub(crate) fn write(pdu: &Pdu<'_, '_>, written: &mut HashSet<TypeId>, out: &mut Source) {
    let family = Family {
        encode: |code, id, node| EncodeWriter::new(code).body(id, node),
        decode: |code, id, node| DecodeWriter::new(code).body(id, node),
        wrong_end: "at > end",
    };
    delimited::write(pdu, &family, written, out);
}

/// The walk over items, in either direction. What waits to be written, or is expected, is settled before code that goes on from `at`.
trait Walk<'a, 'm: 'a>: Writer<'a, 'm> {
    /// Writes the code of what waits.
    fn settle(&mut self);
    /// Drops what waits.
    fn forget(&mut self);
    fn call(&mut self, id: TypeId, node: NodeId, place: &Place);
    fn constant(&mut self, octets: &[u8]);
    fn truth(&mut self, place: &Place);
    fn integer(&mut self, id: TypeId, bounds: (i128, i128), place: &Place);
    fn enumerated(&mut self, id: TypeId, numbers: &[i64], is_extensible: bool, place: &Place);
    fn float(&mut self, place: &Place);
    /// A bit string of one size, of up to 64 bits.
    fn fixed_bits(&mut self, id: TypeId, bits: u32, place: &Place);
    fn bits(&mut self, id: TypeId, bounds: (u64, u64), place: &Place);
    fn octets(&mut self, id: TypeId, bounds: (u64, u64), place: &Place);
    fn text(&mut self, id: TypeId, bounds: (u64, u64), alphabet: Span, place: &Place);
    fn array(&mut self, id: TypeId, bounds: (u64, u64), element: NodeId, place: &Place);
    fn map(&mut self, id: TypeId, entries: &[Entry<'a>], is_extensible: bool, place: &Place);
    fn choice(&mut self, id: TypeId, alternatives: Span, is_extensible: bool, place: &Place);

    /// Writes a function's body.
    fn body(&mut self, id: TypeId, node: NodeId) {
        let id = self.code().types.canonical(id);
        self.content(id, node, &Place::reference("value"));
        self.settle();
    }

    /// An item, in place or by a function.
    fn item(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.code().types.canonical(id);
        if self.is_left(id) {
            return;
        }
        if self.code().is_function(id) {
            self.settle();
            return self.call(id, node, place);
        }
        self.content(id, node, place);
    }

    /// Whether a type is recursive, and so left to the interpreter.
    fn is_left(&mut self, id: TypeId) -> bool {
        let is_left = self.code().types.is_recursive(id);
        if is_left {
            self.forget();
            self.code().leave_part(id);
        }
        is_left
    }

    fn content(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.code().out.enter(id);
        self.node(id, node, place);
        self.code().out.leave();
    }

    fn node(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let layout = self.code().layout;
        let Node::Cbor(node) = *layout.node(node) else { return self.leave_to_interpreter() };
        match node {
            CborNode::Nothing => self.constant(&[cbor::simple::NULL]),
            CborNode::Truth => self.truth(place),
            CborNode::Integer { lower, upper } => self.integer(id, (lower, upper), place),
            CborNode::Item { values, extensible, .. } => {
                let numbers: Vec<i64> = layout.item_numbers(values).collect();
                self.enumerated(id, &numbers, extensible, place);
            }
            CborNode::Float => self.float(place),
            CborNode::Bits { fixed: Some(bits @ 1..=64), .. } => self.fixed_bits(id, bits as u32, place),
            CborNode::Bits { fixed: None, lower, upper, trim: false } => self.bits(id, (lower, upper), place),
            CborNode::Octets { lower, upper } => self.octets(id, (lower, upper), place),
            CborNode::Text { lower, upper, alphabet } => self.text(id, (lower, upper), alphabet, place),
            CborNode::Array { lower, upper, element, sorted: false } => {
                self.array(id, (lower, upper), element, place);
            }
            CborNode::Map { extensible, members, additions, .. } => {
                self.map(id, &entries(layout, members, additions), extensible, place);
            }
            CborNode::Choice { alternatives, extensible, .. } => self.choice(id, alternatives, extensible, place),
            _ => self.leave_to_interpreter(),
        }
    }

    fn leave_to_interpreter(&mut self) {
        self.forget();
        self.code().leave_to_interpreter();
    }
}

/// First octets of heads with the number 0.
mod front {
    pub(super) const OCTETS: u8 = 0x40;
    pub(super) const TEXT: u8 = 0x60;
    pub(super) const ARRAY: u8 = 0x80;
    pub(super) const MAP: u8 = 0xa0;
}

/// What is behind a key.
#[derive(Clone, Copy)]
enum Content<'a> {
    Member(&'a Member),
    Group(&'a [Member]),
}

/// An entry of a map.
#[derive(Clone, Copy)]
struct Entry<'a> {
    key: u64,
    content: Content<'a>,
    may_be_absent: bool,
}

/// The entries of a map in the order of their keys.
fn entries(layout: &Layout, members: Span, additions: Span) -> Vec<Entry<'_>> {
    let members = layout.members(members).iter().map(|member| (Content::Member(member), !is_mandatory(member)));
    let additions = layout.additions(additions).iter().map(|addition| match addition {
        Addition::Single(member) => (Content::Member(member), true),
        Addition::Group(group) => (Content::Group(group_members(layout, *group)), true),
    });
    let all = members.chain(additions);
    (0..).zip(all).map(|(key, (content, may_be_absent))| Entry { key, content, may_be_absent }).collect()
}

fn group_members(layout: &Layout, group: NodeId) -> &[Member] {
    match *layout.node(group) {
        Node::Cbor(CborNode::Map { members, .. }) => layout.members(members),
        _ => &[],
    }
}

fn is_mandatory(member: &Member) -> bool {
    member.presence == Presence::Mandatory
}

/// A head's octets.
fn head_octets(front: u8, number: u64) -> Vec<u8> {
    let count = cbor::head_octets(number) as usize - 1;
    if count == 0 {
        return vec![front | number as u8];
    }
    let mut octets = vec![front | (24 + count.trailing_zeros() as u8)];
    octets.extend_from_slice(&number.to_be_bytes()[8 - count..]);
    octets
}

/// How many octets an integer between these takes at most; `None` where that is not a head.
fn most_octets(lower: i128, upper: i128) -> Option<usize> {
    let most = cbor::integer_octets(lower).max(cbor::integer_octets(upper)) as usize;
    (most <= cbor::straight::LONGEST).then_some(most)
}
