//! CBOR: a mapping from ASN.1 that is ours, and of each item the deterministic form (RFC 8949
//! §4.2.1). `docs/decisions/29-cbor.md` has the reasons.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use roadwire_model::{
    Alternative as ModelAlternative, Component, Enumerators, IntegerRange, Kind, Size, Table, Type, TypeId,
};

use crate::build::{Builder, Scope};
use crate::cbor::CborNode;
use crate::error::LowerError;
use crate::structure::{permitted, to_u32};
use crate::{GROUP, Layout, Member, Node, NodeId, Rules, Span};

pub(crate) fn lower(mut builder: Builder<'_>, root: TypeId) -> Result<Layout, LowerError> {
    let node = builder.item_node(root)?;
    let name = builder.type_name(root);
    Ok(builder.finish(Rules::Cbor, name, node))
}

impl<'m> Builder<'m> {
    fn item_node(&mut self, id: TypeId) -> Result<NodeId, LowerError> {
        let id = self.model.untagged(id);
        self.node_of(id, |builder, this| {
            let node = builder.item_kind(id, this)?;
            builder.containing(node, this, Self::item_node)
        })
    }

    fn item_kind(&mut self, id: TypeId, this: &'m Type) -> Result<Node, LowerError> {
        Ok(Node::Cbor(match &this.kind {
            Kind::Boolean => CborNode::Truth,
            Kind::Null => CborNode::Nothing,
            Kind::Integer { range, .. } => self.item_integer(range),
            Kind::Enumerated(enumerators) => self.numbered_item(enumerators),
            Kind::Real { .. } => CborNode::Float,
            Kind::BitString { size, named, .. } => {
                let (lower, upper) = size.lasting();
                let fixed = size.fixed().filter(|_| !size.extensible);
                CborNode::Bits { fixed, lower, upper, trim: !named.is_empty() }
            }
            Kind::OctetString { size, .. } => {
                let (lower, upper) = size.lasting();
                CborNode::Octets { lower, upper }
            }
            Kind::ObjectIdentifier => CborNode::Oid { relative: false },
            Kind::RelativeOid => CborNode::Oid { relative: true },
            Kind::Iri { .. } | Kind::Time { .. } => self.item_text(&Size::default(), None),
            Kind::String { kind, size, alphabet, alphabet_extensible } => {
                self.item_text(size, permitted(*kind, alphabet.as_ref().filter(|_| !alphabet_extensible)))
            }
            Kind::Sequence { components, extensible, .. } => return self.item_map(id, components, *extensible),
            Kind::SequenceOf { element, size, set, .. } => {
                let (lower, upper) = size.lasting();
                CborNode::Array { lower, upper, element: self.item_node(*element)?, sorted: *set }
            }
            Kind::Choice { alternatives, extensible } => self.item_choice(alternatives, *extensible)?,
            Kind::Open { table } => self.item_open(table.as_ref())?,
            Kind::External(sequence) => {
                let inner = self.model.get(*sequence);
                return self.item_kind(*sequence, inner);
            }
        }))
    }

    fn item_integer(&mut self, range: &IntegerRange) -> CborNode {
        let range = range.lasting();
        // The least and the greatest number of 128 bits stand for no bound.
        let narrow = |bound: &Option<BigInt>, none: i128| match bound {
            Some(bound) => bound.to_i128().filter(|bound| *bound != i128::MIN && *bound != i128::MAX),
            None => Some(none),
        };
        match (narrow(&range.lower, i128::MIN), narrow(&range.upper, i128::MAX)) {
            (Some(lower), Some(upper)) => CborNode::Integer { lower, upper },
            _ => {
                let mut octets = |bound: &Option<BigInt>| bound.as_ref().map_or(Span::default(), |of| self.wide(of));
                let (lower, upper) = (octets(&range.lower), octets(&range.upper));
                CborNode::WideInteger { lower, upper }
            }
        }
    }

    fn numbered_item(&mut self, enumerators: &Enumerators) -> CborNode {
        let values = self.item_numbers(enumerators);
        CborNode::Item { values, items: self.item_names(enumerators), extensible: enumerators.extensible }
    }

    fn item_text(&mut self, size: &Size, alphabet: Option<Vec<(u32, u32)>>) -> CborNode {
        let (lower, upper) = size.lasting();
        let alphabet = self.ranges(&alphabet.unwrap_or_default());
        CborNode::Text { lower, upper, alphabet }
    }

    /// Components of a SET are also in textual order: keys distinguish them.
    fn item_map(&mut self, id: TypeId, components: &'m [Component], extensible: bool) -> Result<Node, LowerError> {
        self.scopes.push(Scope { id, at: None, keys: Vec::new() });
        let (members, additions) = self.parts(components, Self::item_node, Self::item_group)?;
        let (members, additions) = (self.members(members), self.additions(additions));
        let map = CborNode::Map { components: to_u32(components.len()), extensible, members, additions };
        let keys = self.scopes.pop().map_or(Vec::new(), |scope| scope.keys);
        Ok(self.scope(Node::Cbor(map), &keys))
    }

    /// An addition group is a map of its own.
    fn item_group(&mut self, members: Vec<Member>) -> Result<NodeId, LowerError> {
        let members = self.members(members);
        let group = CborNode::Map { components: GROUP, extensible: false, members, additions: Span::default() };
        Ok(self.add(Node::Cbor(group)))
    }

    fn item_choice(&mut self, all: &'m [ModelAlternative], extensible: bool) -> Result<CborNode, LowerError> {
        let of = |addition: bool| (0..all.len()).filter(move |at| all[*at].addition == addition);
        let root = to_u32(of(false).count());
        let each = of(false).chain(of(true)).map(|at| self.alternative(all, at, Self::item_node));
        let alternatives = each.collect::<Result<_, _>>()?;
        let alternatives = self.alternatives(alternatives);
        Ok(CborNode::Choice { alternatives, root, extensible })
    }

    fn item_open(&mut self, table: Option<&'m Table>) -> Result<CborNode, LowerError> {
        let octets = CborNode::Embedded { slot: 0, rows: Span::default() };
        let Some(table) = table else { return Ok(octets) };
        Ok(match self.open_type(table, Self::item_node)? {
            Node::Table { slot, rows } => CborNode::Embedded { slot, rows },
            _ => octets,
        })
    }
}
