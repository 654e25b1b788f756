//! The encoding of the presentation language (RFC 5246 §4; TS 103 097 V1 §4; IEEE 1609.2-2013 §5).

use num_traits::ToPrimitive;
use roadwire_model::{
    Among, Coding, Component, Enumerators, IntegerRange, Kind, Length, Model, Size, Test, Type, TypeId,
};

use crate::build::Builder;
use crate::error::LowerError;
use crate::vectors::Sort;
use crate::{Alternative, Count, Extent, Form, Layout, LengthForm, Node, NodeId, Rules, Span, VectorNode, Width};

pub(crate) fn lower(model: &Model, root: TypeId) -> Result<Layout, LowerError> {
    let mut builder = Builder::new(model);
    builder.length_form = LengthForm::Definite;
    let node = builder.presentation_node(root)?;
    let name = builder.type_name(root);
    Ok(builder.finish(Rules::Tls, name, node))
}

impl<'m> Builder<'m> {
    fn presentation_node(&mut self, id: TypeId) -> Result<NodeId, LowerError> {
        self.node_of(id, |builder, this| builder.presentation_kind(id, this))
    }

    fn presentation_kind(&mut self, id: TypeId, this: &'m Type) -> Result<Node, LowerError> {
        let node = match (&this.kind, self.model.codings.get(&id)) {
            (Kind::Null, None) => return Ok(Node::Null),
            (Kind::Integer { range, .. }, None) => return fixed_integer(self, range),
            (Kind::OctetString { size, .. }, None) => return Ok(Node::Octets { extent: fixed(size)? }),
            (Kind::SequenceOf { size, element, .. }, None) => {
                let element = self.presentation_node(*element)?;
                return Ok(Node::List { extent: fixed(size)?, element, sorted: false });
            }
            (Kind::Sequence { components, .. }, None) => {
                return self.record(id, false, components, false, Self::presentation_node);
            }
            (Kind::Integer { .. }, Some(Coding::Variable)) => VectorNode::Variable,
            (Kind::Integer { .. }, Some(Coding::Psid)) => VectorNode::Psid,
            (Kind::Enumerated(enumerators), Some(Coding::Item(octets))) => self.item_by_number(enumerators, octets * 8),
            (Kind::BitString { size, .. }, Some(Coding::Flags)) => {
                VectorNode::Flags { octets: u8::try_from(size.lower / 7).unwrap_or(u8::MAX) }
            }
            (Kind::Choice { alternatives: all, extensible }, Some(Coding::Choice { octets, numbers })) => {
                let mut alternatives = Vec::new();
                for (at, one) in (0..).zip(all) {
                    let name = self.name(&one.name);
                    alternatives.push(Alternative {
                        name,
                        node: self.presentation_node(one.type_id)?,
                        alternative: at,
                    });
                }
                let numbers: Result<Vec<u32>, _> = numbers.iter().map(|number| u32::try_from(*number)).collect();
                let numbers = self.numbers(numbers.map_err(|_| unfit())?);
                let alternatives = self.alternatives(alternatives);
                VectorNode::Choice { bits: octets * 8, extensible: *extensible, alternatives, numbers }
            }
            (Kind::OctetString { size, .. }, Some(Coding::Vector(vector))) => {
                let (lower, upper) = size.lasting();
                let (field, floor, ceiling) = told(vector.length);
                VectorNode::Octets { field, lower: lower.max(floor), upper: upper.min(ceiling) }
            }
            (Kind::SequenceOf { size, element, .. }, Some(Coding::Vector(vector))) => {
                let (lower, upper) = size.lasting();
                let narrow = |bound: u64| u32::try_from(bound).unwrap_or(u32::MAX);
                let (field, floor, ceiling) = told(vector.length);
                let element = self.presentation_node(*element)?;
                VectorNode::Vector { field, floor, ceiling, lower: narrow(lower), upper: narrow(upper), element }
            }
            (Kind::Sequence { components, .. }, Some(Coding::Struct(tests))) => {
                return self.conditional(id, components, tests);
            }
            _ => return Err(unfit()),
        };
        Ok(Node::Vectors(node))
    }

    fn item_by_number(&mut self, enumerators: &Enumerators, bits: u8) -> VectorNode {
        let values = self.numbers(enumerators.all().map(|(_, number)| *number as u32));
        VectorNode::Item { bits, extensible: enumerators.extensible, values, items: self.item_names(enumerators) }
    }

    /// A record with components that depend on others.
    fn conditional(
        &mut self,
        id: TypeId,
        components: &'m [Component],
        tests: &[Vec<Test>],
    ) -> Result<Node, LowerError> {
        let record = self.record(id, false, components, false, Self::presentation_node)?;
        let Node::Record { components, members, .. } = record else { return Err(unfit()) };
        let tests = self.tests(tests);
        Ok(Node::Vectors(VectorNode::Struct { components, members, tests }))
    }

    /// The tests of each component of a record.
    pub(crate) fn tests(&mut self, tests: &[Vec<Test>]) -> Span {
        let mut numbers = Vec::new();
        for tests in tests {
            numbers.push(tests.len() as u32);
            for test in tests {
                let (sort, values) = match &test.among {
                    Among::Items(items) => (Sort::Items, items.clone()),
                    Among::Numbers(numbers) => (Sort::Numbers, numbers.clone()),
                    Among::Bits(bits) => (Sort::Bits, bits.clone()),
                    Among::Alternatives(places) => (Sort::Alternatives, places.clone()),
                    Among::Elements(places) => (Sort::Elements, places.clone()),
                };
                let sort = Sort::ALL.iter().position(|one| *one == sort).unwrap_or(0) as u32;
                numbers.extend([test.component, sort * 2 + u32::from(test.negated), values.len() as u32]);
                numbers.extend(values);
            }
        }
        self.numbers(numbers)
    }
}

/// An integer in as many octets as its range needs.
fn fixed_integer(builder: &mut Builder<'_>, range: &IntegerRange) -> Result<Node, LowerError> {
    let bound = |bound: &Option<roadwire_model::BigInt>| bound.as_ref().and_then(ToPrimitive::to_i128);
    let (Some(lower), Some(upper)) = (bound(&range.lower), bound(&range.upper)) else { return Err(unfit()) };
    let form = if lower < 0 { Form::Signed } else { Form::Unsigned };
    let bits = 128 - (upper.wrapping_sub(lower)).leading_zeros();
    if bits > 64 || bits % 8 != 0 {
        return Err(unfit());
    }
    Ok(builder.word(Width::Anywhere(bits), form, lower, upper))
}

/// A fixed size, which is not encoded.
fn fixed(size: &Size) -> Result<Extent, LowerError> {
    let count = size.fixed().ok_or_else(unfit)?;
    Ok(Extent { lower: count, upper: count, count: Count::Fixed, extensible: false, aligned: false })
}

/// The width of a length in bits, and its least and greatest value.
fn told(length: Length) -> (u8, u64, u64) {
    match length {
        Length::Variable => (0, 0, u64::MAX),
        Length::Field { floor, ceiling } => (Length::field_octets(ceiling) as u8 * 8, floor, ceiling),
    }
}

/// The error for a type that the presentation language does not have.
fn unfit() -> LowerError {
    LowerError { message: "the presentation language has no such type".into() }
}
