//! The plans of a message's functions.

use std::collections::HashMap;
use std::iter::once;
use std::mem::take;

use roadwire_layout::{Family, NodeId};
use roadwire_model::TypeId;

use crate::pass::take::Position;
use crate::pass::words::Words;
use crate::pass::{heads, put, take, text, words};
use crate::pdu::Pdu;
use crate::plan::{Block, Cbor, Draft, Fields, Prim, Stmt, Stream, Tlv, Way};
use crate::walk::{cbor, fields, json, packed, tlv, vectors, xml};

/// For which values a function is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// For plain values of a message: those without optional parts, in which every CHOICE has its
    /// first alternative. All fields are then at fixed places, and only bounds are checked. The
    /// families of bits and octets alone have it.
    Plain,
    /// The same for usual values: those that have the parts of
    /// [`Options::usual`](crate::Options::usual) and no other optional ones.
    Usual,
    /// For all values of a message. If the message is recursive, it only calls the type's own
    /// function.
    General,
    /// For a part.
    Part,
}

/// A part that straight-line code leaves to the interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GivenUp {
    /// The type that it is a part of.
    pub holder: Option<TypeId>,
    /// The part's type.
    pub part: TypeId,
    /// Whether it is in every message.
    pub is_always: bool,
}

/// The plan of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The statements of the function.
    pub block: Block,
    /// Types whose functions it calls, with their nodes.
    pub called: Vec<(TypeId, NodeId)>,
    /// The parts that are left to the interpreter, in the order found.
    pub given_up: Vec<GivenUp>,
    /// Whether something is in the table of character strings, or looked up there.
    pub uses_strings: bool,
}

impl Plan {
    /// Whether the interpreter does all from the end of the block on.
    #[must_use]
    pub fn is_left(&self) -> bool {
        self.block.last() == Some(&Stmt::GiveUp)
    }
}

/// Plans the functions of a message and its parts.
pub struct Planner<'a, 'm> {
    pdu: &'a Pdu<'a, 'm>,
    /// The node for which each type's function is made, where another use of the type may have
    /// another.
    nodes: HashMap<TypeId, NodeId>,
    is_thorough: bool,
}

impl<'a, 'm: 'a> Planner<'a, 'm> {
    /// For the functions of a message.
    #[must_use]
    pub fn new(pdu: &'a Pdu<'a, 'm>) -> Self {
        Planner { pdu, nodes: HashMap::new(), is_thorough: false }
    }

    /// For functions that find out what is wrong, and where: nothing is fused across a component,
    /// an alternative or an element, and [`Stmt::Named`] says which one it is. All of them are
    /// those of [parts](Entry::Part), of types that stand alone.
    #[must_use]
    pub fn thorough(pdu: &'a Pdu<'a, 'm>) -> Self {
        Planner { is_thorough: true, ..Planner::new(pdu) }
    }

    /// The plan of a function for a type and its node. That of a message is planned first, and then
    /// those of the parts that it [calls](Plan::called).
    pub fn function(&mut self, way: Way, entry: Entry, (id, node): (TypeId, NodeId)) -> Plan {
        let (pdu, family) = (self.pdu, self.pdu.layout.rules.family());
        let mut draft = Draft::new(pdu, way, entry);
        draft.nodes = take(&mut self.nodes);
        draft.is_thorough = self.is_thorough;
        match family {
            Family::Packed | Family::Octet | Family::Events => packed::body(pdu, &mut draft, (id, node), entry),
            Family::Tlv => tlv::body(&mut draft, id, node),
            Family::Fields => fields::body(&mut draft, id, node),
            Family::Xml => xml::body(&mut draft, id, node),
            Family::Json => json::body(&mut draft, id, node),
            Family::Vectors if entry == Entry::Part => vectors::body(&mut draft, id, node),
            Family::Vectors => vectors::message(&mut draft, id, node),
            Family::Cbor => cbor::body(&mut draft, id, node),
        }
        let block = draft.take();
        let block = match family {
            // Events and octets follow each other as bits do.
            Family::Packed | Family::Octet | Family::Events => self.stream(way, entry, block),
            Family::Xml | Family::Json => text::fused(block),
            Family::Vectors if way == Way::Encode => heads::written(block),
            Family::Vectors => heads::read(block),
            Family::Tlv => in_words(way, block, (Prim::Tlv(Tlv::PutWord), false, 0)),
            Family::Fields => in_words(way, block, (Prim::Fields(Fields::PutWord), true, 0)),
            // The head of a number is one word with the constant octets before it.
            Family::Cbor => in_words(way, block, (Prim::Cbor(Cbor::PutWord), false, 16)),
        };
        self.nodes = draft.nodes;
        Plan { block, called: draft.called, given_up: draft.given_up, uses_strings: draft.uses_strings }
    }

    fn stream(&self, way: Way, entry: Entry, block: Block) -> Block {
        let is_whole = self.pdu.layout.rules.family() == Family::Octet;
        match (way, entry) {
            (Way::Encode, _) => put::chunked(block, is_whole),
            (Way::Decode, _) if self.is_thorough => take::taken(block, is_whole, Position::Dynamic),
            (Way::Decode, Entry::Part) => take::taken(block, is_whole, Position::Dynamic),
            (Way::Decode, _) => {
                let head = self.pdu.properties.octets.fewest;
                let rest = take::taken(block, is_whole, Position::Static { bit: 0, head });
                once(Stmt::Stream(Stream::FirstChunk(head))).chain(rest).collect()
            }
        }
    }
}

/// Octets that follow each other as words, which a primitive writes.
fn in_words(way: Way, block: Block, (by, is_little, before_alternatives): (Prim, bool, u32)) -> Block {
    match way {
        Way::Encode => words::written(block, Words { by, is_little, before_alternatives }),
        Way::Decode => words::read(block),
    }
}
