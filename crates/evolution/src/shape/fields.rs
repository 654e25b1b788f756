//! Protocol Buffers: values after field numbers.

use roadwire_layout::{FieldNode, Key as FieldKey, Layout, Member, Node, NodeId};

use super::{Choice, Code, Domain, Items, Key, Leaf, List, OneOf, Order, Part, Record, Shape, What, group_of, numbers};

/// Forms of a value on the wire.
const VARINT: u16 = 1;
const EIGHT_OCTETS: u16 = 2;
pub(super) const DELIMITED: u16 = 4;

pub(super) fn shape(layout: &Layout, node: &FieldNode) -> Shape {
    match *node {
        FieldNode::Message { members, groups, extensible, .. } => {
            let all = layout.members(members).iter().enumerate();
            let parts = all.map(|(at, member)| part(layout, member, group_of(layout, groups, at))).collect();
            let header = Vec::new();
            Shape::Record(Record {
                order: Order::AnyKeys,
                extensible,
                complete: false,
                parts,
                rearranged: false,
                first_octets: DELIMITED,
                header,
            })
        }
        FieldNode::Choice { alternatives, extensible, .. } => {
            let one = |one: &roadwire_layout::Alternative| OneOf {
                alternative: one.alternative,
                keys: vec![number(layout, one.node)],
                node: one.node,
                framed: true,
            };
            let alternatives = layout.alternatives(alternatives).iter().map(one).collect();
            Shape::Choice(Choice { code: Code::of("field", []), first_octets: DELIMITED, extensible, alternatives })
        }
        FieldNode::Wrapped { field } => Shape::Inner(field),
        FieldNode::Single { key, content } => Shape::Marked { mark: mark(key), node: content, first_octets: DELIMITED },
        FieldNode::Repeated { key, element, lower, upper, packed } => {
            let code = Code::of("repeated", [key.into(), packed.into()]);
            let (extensible, sorted) = (false, false);
            Shape::List(List { code, lower, upper, extensible, element, sorted, packed, first_octets: DELIMITED })
        }
        FieldNode::Delimited { content } => Shape::Inner(content),
        FieldNode::Truth => Leaf::of("truth", VARINT, Domain::All),
        FieldNode::Number { sign, lower, upper } => {
            let code = Code::of("number", [sign as i128]);
            Shape::Leaf(Leaf {
                code,
                bits: None,
                first_octets: VARINT,
                domain: Domain::integers(lower, upper),
                trim: None,
                is_tagged: false,
            })
        }
        FieldNode::Item { values, extensible, .. } => Shape::Items(Items {
            code: Code::of("item", []),
            bits: None,
            first_octets: VARINT,
            keys: numbers(layout, values),
            open: extensible,
            is_tagged: false,
        }),
        FieldNode::Flags { lower, upper, trim } => {
            let parameters = if trim { vec![-1] } else { vec![lower.into(), upper.into()] };
            let domain = if trim { Domain::sizes(lower.into(), upper.into()) } else { Domain::All };
            Shape::Leaf(Leaf {
                code: Code::of("flags", parameters),
                bits: None,
                first_octets: VARINT,
                domain,
                trim: trim.then_some(lower.into()),
                is_tagged: false,
            })
        }
        FieldNode::Double => Leaf::of("double", EIGHT_OCTETS, Domain::All),
    }
}

fn mark(key: FieldKey) -> String {
    format!("{key}")
}

fn part(layout: &Layout, member: &Member, group: Option<u32>) -> Part {
    let empty = matches!(layout.node(member.node), Node::Fields(FieldNode::Repeated { lower: 0, .. }));
    Part {
        what: What::Component(member.component),
        keys: vec![number(layout, member.node)],
        node: member.node,
        presence: member.presence,
        addition: group.is_some(),
        group,
        empty_if_absent: empty,
    }
}

/// The field's number.
fn number(layout: &Layout, node: NodeId) -> Key {
    match layout.node(node) {
        Node::Fields(field) => field.number().map_or(Key::Any, |number| Key::Number(number.into())),
        Node::Key { node, .. } => number(layout, *node),
        _ => Key::Any,
    }
}
