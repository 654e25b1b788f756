//! Protocol Buffers: a mapping from ASN.1, and its wire format.
//!
//! The mapping keeps all of a value. It uses proto2, whose fields have presence (`required`,
//! `optional`) and DEFAULT values, and whose enumerations may begin at any number; proto3 does not
//! send a zero, so a zero component and a missing one would be the same. SEQUENCE and CHOICE are
//! messages, that of a CHOICE with exactly one field; a scalar has the smallest type that holds the
//! value ([`scalar`]); fields are numbered as the components in textual order, extension additions
//! after the root.

mod describe;
mod scalar;
mod schema;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use roadwire_model::{
    Alternative as ModelAlternative, Component, Enumerators, Field, IntegerRange, Kind, Model,
    Presence as ModelPresence, Size, StringKind, Table, Type, TypeId,
};
use roadwire_wire::rt::fields::{MOST_NUMBER, WireType};

use crate::build::{Builder, Scope};
use crate::error::LowerError;
use crate::structure::{permitted, repertoire, to_u32};
use crate::{
    Alternative, Count, Extent, FieldNode, Form, Layout, LengthForm, Member, Node, NodeId, Presence, Rules, Span,
};

use self::scalar::Scalar;
pub use self::schema::{Choices, proto_schema};

pub(crate) fn lower(mut builder: Builder<'_>, root: TypeId) -> Result<Layout, LowerError> {
    builder.length_form = LengthForm::Varint;
    let node = builder.whole_message(root)?;
    let name = builder.type_name(root);
    Ok(builder.finish(Rules::Protobuf, name, node))
}

/// The type whose fields count: without tags; for EXTERNAL its SEQUENCE.
fn message_type(model: &Model, id: TypeId) -> TypeId {
    match model.get(id).kind {
        Kind::External(sequence) => sequence,
        _ => model.untagged(id),
    }
}

/// The field numbers that protobuf reserves for itself.
const RESERVED: core::ops::RangeInclusive<u32> = 19_000..=19_999;

/// The field number for the component or alternative at this index.
fn field_number(place: usize) -> Result<u32, LowerError> {
    let number = to_u32(place) + 1;
    let number = if number < *RESERVED.start() { number } else { number + 1000 };
    if number <= MOST_NUMBER { Ok(number) } else { Err(LowerError { message: "more fields than protobuf has".into() }) }
}

/// Indexes in textual order, those of extension additions after the root's.
fn numbered(is_addition: &[bool]) -> Vec<usize> {
    let of = |addition: bool| (0..is_addition.len()).filter(move |at| is_addition[*at] == addition);
    of(false).chain(of(true)).collect()
}

/// Whether a list component is wrapped in a message of its own: without one, an empty and an absent
/// list would be the same.
fn is_list_wrapped(component: &Component, size: &Size) -> bool {
    let may_be_absent = component.presence != ModelPresence::Mandatory || component.field != Field::Root;
    may_be_absent && (size.extensible || size.lower == 0)
}

impl<'m> Builder<'m> {
    /// The message for a value by itself: a type that is not a message becomes its only field.
    fn whole_message(&mut self, id: TypeId) -> Result<NodeId, LowerError> {
        let node = self.message_node(id)?;
        if is_message(&self.node(node)) {
            return Ok(node);
        }
        let field = self.single(1, node);
        Ok(self.add(Node::Fields(FieldNode::Wrapped { field })))
    }

    /// The content of a field; for a message, without its length.
    fn message_node(&mut self, id: TypeId) -> Result<NodeId, LowerError> {
        let id = message_type(self.model, id);
        self.node_of(id, |builder, this| {
            let node = builder.message_kind(id, this)?;
            builder.containing(node, this, Self::whole_message)
        })
    }

    /// A field of this number and type.
    fn single(&mut self, number: u32, node: NodeId) -> NodeId {
        let content = self.content(node);
        let wire_type = match self.node(content) {
            Node::Fields(field) => field.wire_type(),
            _ => WireType::DELIMITED,
        };
        self.add(Node::Fields(FieldNode::Single { key: number << 3 | u32::from(wire_type.0), content }))
    }

    /// The node after a key, preceded by its length unless it is self-delimiting.
    fn content(&mut self, node: NodeId) -> NodeId {
        match self.node(node) {
            this if is_message(&this) => self.add(Node::Fields(FieldNode::Delimited { content: node })),
            Node::Contained { string, content, bits } => {
                let string = self.content(string);
                self.add(Node::Contained { string, content, bits })
            }
            Node::Bits { extent: Extent { count: Count::Fixed, .. }, .. } => {
                self.add(Node::Fields(FieldNode::Delimited { content: node }))
            }
            _ => node,
        }
    }

    fn message_kind(&mut self, id: TypeId, this: &'m Type) -> Result<Node, LowerError> {
        if let Some(leaf) = Scalar::of(&this.kind).and_then(Scalar::node) {
            return Ok(Node::Fields(leaf));
        }
        Ok(match &this.kind {
            Kind::Null => Node::Null,
            Kind::Integer { range, .. } => self.message_integer(range),
            Kind::Enumerated(enumerators) => Node::Fields(self.item(enumerators)?),
            Kind::BitString { size, named, .. } => {
                let (lower, upper) = size.lasting();
                let count = if lower == upper { Count::Fixed } else { Count::InOctets };
                let trim = Self::trim(!named.is_empty(), lower)?;
                Node::Bits { extent: extent(lower, upper, count), trim, whole: true }
            }
            Kind::OctetString { size, .. } => {
                let (lower, upper) = size.lasting();
                Node::Octets { extent: extent(lower, upper, Count::Determinant) }
            }
            Kind::ObjectIdentifier => Node::Oid { relative: false },
            Kind::RelativeOid => Node::Oid { relative: true },
            Kind::Iri { .. } => Node::Text { utf8: true, lower: 0, upper: u64::MAX, alphabet: Span::default() },
            Kind::Time { .. } => {
                self.message_text(&Size::default(), repertoire(StringKind::Visible).map(|of| of.ranges))
            }
            Kind::String { kind, size, alphabet, alphabet_extensible } => {
                self.message_text(size, permitted(*kind, alphabet.as_ref().filter(|_| !alphabet_extensible)))
            }
            Kind::SequenceOf { element, size, .. } => {
                let field = self.repeated(1, *element, size)?;
                Node::Fields(FieldNode::Wrapped { field: self.add(field) })
            }
            Kind::Sequence { components, extensible, .. } => self.message_record(id, components, *extensible)?,
            Kind::Choice { alternatives, extensible } => self.message_choice(alternatives, *extensible)?,
            Kind::Open { table } => self.message_open(table.as_ref())?,
            kind => return Err(LowerError { message: format!("{kind:?} has no field type") }),
        })
    }

    /// Two's complement.
    fn message_integer(&mut self, range: &IntegerRange) -> Node {
        let range = range.lasting();
        let narrow = |bound: &Option<BigInt>| bound.as_ref().map(ToPrimitive::to_i128);
        match (narrow(&range.lower), narrow(&range.upper)) {
            (lower @ (None | Some(Some(_))), upper @ (None | Some(Some(_)))) => {
                self.integer_node(Form::Signed, lower.flatten(), upper.flatten())
            }
            _ => {
                let mut octets = |bound: &Option<BigInt>| bound.as_ref().map_or(Span::default(), |of| self.wide(of));
                let (lower, upper) = (octets(&range.lower), octets(&range.upper));
                Node::WideInteger { form: Form::Signed, lower, upper }
            }
        }
    }

    /// UTF-8, whatever characters the type has.
    fn message_text(&mut self, size: &Size, alphabet: Option<Vec<(u32, u32)>>) -> Node {
        let (lower, upper) = size.lasting();
        let alphabet = self.ranges(&alphabet.unwrap_or_default());
        Node::Text { utf8: true, lower, upper, alphabet }
    }

    /// An item by its number, which has 32 bits in protobuf.
    fn item(&mut self, enumerators: &Enumerators) -> Result<FieldNode, LowerError> {
        if let Some((name, number)) = enumerators.all().find(|(_, number)| i32::try_from(*number).is_err()) {
            return Err(LowerError { message: format!("{name}({number}): a number of more than 32 bits") });
        }
        let values = self.item_numbers(enumerators);
        Ok(FieldNode::Item { values, items: self.item_names(enumerators), extensible: enumerators.extensible })
    }

    fn repeated(&mut self, number: u32, element: TypeId, size: &Size) -> Result<Node, LowerError> {
        let node = self.message_node(element)?;
        let element = self.content(node);
        let packed = matches!(self.node(element), Node::Fields(field) if field.wire_type() != WireType::DELIMITED);
        let (lower, upper) = size.lasting();
        let key = number << 3 | u32::from(WireType::DELIMITED.0);
        Ok(Node::Fields(FieldNode::Repeated { key, element, lower, upper, packed }))
    }

    fn message_record(
        &mut self,
        id: TypeId,
        components: &'m [Component],
        extensible: bool,
    ) -> Result<Node, LowerError> {
        self.scopes.push(Scope { id, at: None, keys: Vec::new() });
        let additions: Vec<bool> = components.iter().map(|component| component.field != Field::Root).collect();
        let mut members = Vec::new();
        let mut groups: Vec<(u32, u32, u32)> = Vec::new();
        let mut singles = 0;
        for (place, at) in numbered(&additions).into_iter().enumerate() {
            let component = &components[at];
            match (component.field, groups.last_mut()) {
                (Field::Root, _) => {}
                (Field::Addition, _) => singles += 1,
                (Field::Group(group), Some((last, _, count))) if *last == group => *count += 1,
                (Field::Group(group), _) => groups.push((group, to_u32(place), 1)),
            }
            let presence = match (&component.presence, component.field) {
                (ModelPresence::Default(value), _) => Presence::Default(self.default_of(component, value)?),
                // A value of an earlier version does not have the addition.
                (ModelPresence::Mandatory, Field::Addition) | (ModelPresence::Optional, _) => Presence::Optional,
                (ModelPresence::Mandatory, _) => Presence::Mandatory,
            };
            let name = self.name(&component.name);
            self.reached(at);
            let node = self.component_field(field_number(place)?, component)?;
            members.push(Member { name, node, component: to_u32(at), presence });
        }
        let additions = singles + to_u32(groups.len());
        let groups = self.numbers(groups.into_iter().flat_map(|(_, first, count)| [first, count]));
        let members = self.members(members);
        let message = FieldNode::Message { components: members.count, members, groups, additions, extensible };
        let keys = self.scopes.pop().map_or(Vec::new(), |scope| scope.keys);
        Ok(self.scope(Node::Fields(message), &keys))
    }

    fn component_field(&mut self, number: u32, component: &'m Component) -> Result<NodeId, LowerError> {
        match &self.model.get(component.type_id).kind {
            Kind::SequenceOf { element, size, .. } if !is_list_wrapped(component, size) => {
                let field = self.repeated(number, *element, size)?;
                Ok(self.add(field))
            }
            _ => {
                let node = self.message_node(component.type_id)?;
                Ok(self.single(number, node))
            }
        }
    }

    fn message_choice(&mut self, all: &'m [ModelAlternative], extensible: bool) -> Result<Node, LowerError> {
        let additions: Vec<bool> = all.iter().map(|one| one.addition).collect();
        let mut alternatives = Vec::new();
        for (place, at) in numbered(&additions).into_iter().enumerate() {
            let name = self.name(&all[at].name);
            let node = self.message_node(all[at].type_id)?;
            let node = self.single(field_number(place)?, node);
            alternatives.push(Alternative { name, node, alternative: to_u32(at) });
        }
        let alternatives = self.alternatives(alternatives);
        let additions = to_u32(additions.into_iter().filter(|addition| *addition).count());
        Ok(Node::Fields(FieldNode::Choice { alternatives, additions, extensible }))
    }

    fn message_open(&mut self, table: Option<&'m Table>) -> Result<Node, LowerError> {
        match table {
            Some(table) => self.open_type(table, Self::whole_message),
            None => Ok(Node::Open),
        }
    }
}

/// Whether a node is fields, or nothing, up to the end of the enclosing value. A message that is
/// still being lowered has the node [`Node::Null`], which counts as well.
fn is_message(node: &Node) -> bool {
    matches!(
        node,
        Node::Null
            | Node::Scope { .. }
            | Node::Fields(FieldNode::Message { .. } | FieldNode::Choice { .. } | FieldNode::Wrapped { .. })
    )
}

fn extent(lower: u64, upper: u64, count: Count) -> Extent {
    Extent { lower, upper, count, extensible: false, aligned: false }
}
