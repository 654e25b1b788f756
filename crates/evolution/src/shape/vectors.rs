//! The presentation language: structs, and vectors after their lengths.

use roadwire_layout::{Layout, VectorNode};

use super::packed::part;
use super::{ANY_FIRST_OCTETS, Choice, Code, Domain, Items, Key, Leaf, List, OneOf, Order, Record, Shape};

pub(super) fn shape(layout: &Layout, node: &VectorNode) -> Shape {
    let number = |number: &u32| Key::Number((*number).into());
    match *node {
        VectorNode::Variable => Leaf::of("variable", ANY_FIRST_OCTETS, Domain::All),
        VectorNode::Psid => Leaf::of("psid", ANY_FIRST_OCTETS, Domain::All),
        VectorNode::Item { bits, extensible, values, .. } => Shape::Items(Items {
            code: Code::of("item", [bits.into()]),
            bits: Some(bits.into()),
            first_octets: ANY_FIRST_OCTETS,
            keys: layout.numbers(values).iter().map(number).collect(),
            open: extensible,
            is_tagged: false,
        }),
        VectorNode::Flags { octets } => {
            let code = Code::of("flags", [octets.into()]);
            Shape::Leaf(Leaf {
                code,
                bits: None,
                first_octets: ANY_FIRST_OCTETS,
                domain: Domain::All,
                trim: None,
                is_tagged: false,
            })
        }
        VectorNode::Choice { bits, extensible, alternatives, numbers } => {
            let one = |(one, key): (&roadwire_layout::Alternative, &u32)| OneOf {
                alternative: one.alternative,
                keys: vec![number(key)],
                node: one.node,
                framed: false,
            };
            let all = layout.alternatives(alternatives).iter().zip(layout.numbers(numbers));
            let (code, alternatives) = (Code::of("number", [bits.into()]), all.map(one).collect());
            Shape::Choice(Choice { code, first_octets: ANY_FIRST_OCTETS, extensible, alternatives })
        }
        VectorNode::Octets { field, lower, upper } => {
            let code = Code::of("octets", [field.into()]);
            Shape::Leaf(Leaf {
                code,
                bits: None,
                first_octets: ANY_FIRST_OCTETS,
                domain: Domain::sizes(lower, upper),
                trim: None,
                is_tagged: false,
            })
        }
        VectorNode::Vector { field, floor, ceiling, lower, upper, element } => {
            let code = Code::of("vector", [field.into(), floor.into(), ceiling.into()]);
            Shape::List(List {
                code,
                lower: lower.into(),
                upper: upper.into(),
                extensible: false,
                element,
                sorted: false,
                packed: false,
                first_octets: ANY_FIRST_OCTETS,
            })
        }
        VectorNode::Struct { members, tests, .. } => {
            // Which components there are depends on values: layouts are compared only where the
            // tests are the same.
            let header = layout.numbers(tests).iter().map(|number| i128::from(*number)).collect();
            let parts = layout.members(members).iter().map(|member| part(member, false)).collect();
            Shape::Record(Record {
                order: Order::Events,
                extensible: false,
                complete: false,
                parts,
                rearranged: false,
                first_octets: ANY_FIRST_OCTETS,
                header,
            })
        }
    }
}
