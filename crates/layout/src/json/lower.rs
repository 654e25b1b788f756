//! JSON encoding rules (X.697).

use num_traits::ToPrimitive;
use roadwire_model::{
    Alternative as ModelAlternative, Coding, Component, Field, IntegerRange, Kind, Model, Presence as ModelPresence,
    Size, Type, TypeId,
};

use crate::build::{Builder, Scope};
use crate::error::LowerError;
use crate::json::{JsonNode, Others};
use crate::names::Names;
use crate::structure::permitted;
use crate::{Alternative, Layout, Member, Node, NodeId, Presence, Rules, Span};

/// For messages: values outside a constraint are refused, additions of a later version are kept.
pub(crate) fn lower(builder: Builder<'_>, root: TypeId) -> Result<Layout, LowerError> {
    Jer::lower(builder, root, Form { constraints: true, others: Others::Kept })
}

/// JER as value notation, for people and for tests. Constraints are not checked, so that a value
/// that breaks one can be written down. An unknown member of an extensible type is ignored, or is
/// an error if `strict`.
///
/// # Errors
/// A type that has no layout.
pub fn value_notation(model: &Model, root: TypeId, strict: bool) -> Result<Layout, LowerError> {
    let others = if strict { Others::Refused } else { Others::Ignored };
    Jer::lower(Builder::new(model), root, Form { constraints: false, others })
}

#[derive(Clone, Copy)]
struct Form {
    constraints: bool,
    others: Others,
}

struct Jer<'b, 'm> {
    builder: &'b mut Builder<'m>,
    form: Form,
}

impl<'m> Jer<'_, 'm> {
    fn lower(mut builder: Builder<'_>, root: TypeId, form: Form) -> Result<Layout, LowerError> {
        builder.names = Names::of_json();
        let content = Jer { builder: &mut builder, form }.type_node(root)?;
        let document = builder.add(Node::Json(JsonNode::Document { content }));
        let name = builder.type_name(root);
        Ok(builder.finish(Rules::Jer, name, document))
    }

    fn type_node(&mut self, id: TypeId) -> Result<NodeId, LowerError> {
        let id = self.builder.model.untagged(id);
        let form = self.form;
        self.builder.node_of(id, |builder, this| {
            let node = Jer { builder, form }.kind_node(id, this)?;
            builder.containing(node, this, |builder, id| Jer { builder, form }.type_node(id))
        })
    }

    fn kind_node(&mut self, id: TypeId, this: &'m Type) -> Result<Node, LowerError> {
        Ok(Node::Json(match &this.kind {
            Kind::Boolean => JsonNode::Truth,
            Kind::Null => JsonNode::Nothing,
            Kind::Integer { range, .. } => self.integer(range),
            Kind::Enumerated(enumerators) => JsonNode::Item {
                root: to_u32(enumerators.root.len()),
                additions: enumerators.extensible.then(|| to_u32(enumerators.additions.len())),
                items: self.builder.item_names(enumerators),
            },
            Kind::Real { .. } => JsonNode::Float,
            Kind::BitString { size, named, .. } => {
                let (lower, upper) = self.size(size);
                let fixed = size.fixed().filter(|_| !size.extensible);
                JsonNode::BitDigits { fixed, lower, upper, trim: self.form.constraints && !named.is_empty() }
            }
            Kind::OctetString { size, .. } => {
                let (lower, upper) = self.size(size);
                JsonNode::Digits { lower, upper }
            }
            Kind::ObjectIdentifier => JsonNode::Dotted { relative: false },
            Kind::RelativeOid => JsonNode::Dotted { relative: true },
            Kind::Iri { .. } | Kind::Time { .. } => {
                JsonNode::Quoted { lower: 0, upper: u64::MAX, alphabet: Span::default() }
            }
            Kind::String { kind, size, alphabet, alphabet_extensible } => {
                let (lower, upper) = self.size(size);
                let permitted = permitted(*kind, alphabet.as_ref().filter(|_| !alphabet_extensible));
                let ranges = permitted.filter(|_| self.form.constraints).unwrap_or_default();
                let alphabet = self.builder.ranges(&ranges);
                JsonNode::Quoted { lower, upper, alphabet }
            }
            Kind::Sequence { components, extensible, .. } => return self.object(id, components, *extensible),
            Kind::SequenceOf { element, size, .. } => {
                let (lower, upper) = self.size(size);
                JsonNode::Array { lower, upper, element: self.type_node(*element)? }
            }
            Kind::Choice { alternatives, extensible } => self.single(alternatives, *extensible)?,
            Kind::Open { table: None } => JsonNode::OpenDigits,
            Kind::Open { table: Some(table) } => {
                let form = self.form;
                match self.builder.open_type(table, |builder, id| Jer { builder, form }.type_node(id))? {
                    Node::Table { slot, rows } => JsonNode::Selected { slot, rows },
                    _ => JsonNode::OpenDigits,
                }
            }
            Kind::External(sequence) => {
                let inner = self.builder.model.get(*sequence);
                return self.kind_node(*sequence, inner);
            }
        }))
    }

    /// A bound of more than 128 bits is not checked.
    fn integer(&self, range: &IntegerRange) -> JsonNode {
        let bound = |bound: &Option<roadwire_model::BigInt>, none: i128| {
            let seen = bound.as_ref().filter(|_| self.form.constraints);
            seen.and_then(ToPrimitive::to_i128).unwrap_or(none)
        };
        let range = range.lasting();
        JsonNode::Number { lower: bound(&range.lower, i128::MIN), upper: bound(&range.upper, i128::MAX) }
    }

    fn size(&self, size: &Size) -> (u64, u64) {
        if self.form.constraints { size.lasting() } else { (0, u64::MAX) }
    }

    fn object(&mut self, id: TypeId, components: &'m [Component], extensible: bool) -> Result<Node, LowerError> {
        self.builder.scopes.push(Scope { id, at: None, keys: Vec::new() });
        let mut members = Vec::new();
        let mut groups: Vec<(u32, u32, u32)> = Vec::new();
        let mut singles = 0;
        for (at, component) in components.iter().enumerate() {
            let presence = match (&component.presence, component.field) {
                (ModelPresence::Default(value), _) => Presence::Default(self.builder.default_of(component, value)?),
                // A value of an earlier version does not have the addition.
                (ModelPresence::Mandatory, Field::Addition) | (ModelPresence::Optional, _) => Presence::Optional,
                (ModelPresence::Mandatory, _) => Presence::Mandatory,
            };
            match (component.field, groups.last_mut()) {
                (Field::Root, _) => {}
                (Field::Addition, _) => singles += 1,
                (Field::Group(group), Some((last, _, count))) if *last == group => *count += 1,
                (Field::Group(group), _) => groups.push((group, to_u32(at), 1)),
            }
            let name = self.builder.name(&component.name);
            let node = self.type_node(component.type_id)?;
            members.push(Member { name, node, component: to_u32(at), presence });
        }
        let members = self.builder.members(members);
        let additions = singles + to_u32(groups.len());
        let groups = self.builder.numbers(groups.into_iter().flat_map(|(_, first, count)| [first, count]));
        let others = if extensible { self.form.others } else { Others::Refused };
        let components = to_u32(components.len());
        let object = JsonNode::Object { components, members, groups, additions, extensible, others, keyed: false };
        let keys = self.builder.scopes.pop().map_or(Vec::new(), |scope| scope.keys);
        let object = self.builder.scope(Node::Json(object), &keys);
        Ok(match self.builder.model.codings.get(&id) {
            Some(Coding::Struct(tests)) if self.form.constraints && tests.iter().any(|tests| !tests.is_empty()) => {
                let (object, tests) = (self.builder.add(object), self.builder.tests(tests));
                Node::Json(JsonNode::Conditional { object, tests })
            }
            _ => object,
        })
    }

    fn single(&mut self, all: &'m [ModelAlternative], extensible: bool) -> Result<JsonNode, LowerError> {
        let mut alternatives = Vec::new();
        for (at, one) in all.iter().enumerate() {
            let name = self.builder.name(&one.name);
            let node = self.type_node(one.type_id)?;
            alternatives.push(Alternative { name, node, alternative: to_u32(at) });
        }
        let alternatives = self.builder.alternatives(alternatives);
        let additions = to_u32(all.iter().filter(|one| one.addition).count());
        // In value notation, an unknown alternative cannot be ignored: the CHOICE would have no
        // value.
        let others = if extensible && self.form.others == Others::Kept { Others::Kept } else { Others::Refused };
        Ok(JsonNode::Single { alternatives, additions, extensible, others })
    }
}

fn to_u32(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32 components")
}
