//! EXI: events, each after a code that selects it among those that can come next.

use roadwire_layout::{EventNode, Layout, Node, NodeId, Number};
use roadwire_model::BigInt;

use super::packed::part;
use super::{
    ANY_FIRST_OCTETS, Choice, Code, Domain, Items, Key, Leaf, List, OneOf, Order, Part, Record, Shape, group_of,
    numbers, wide,
};

pub(super) fn shape(layout: &Layout, node: &EventNode) -> Shape {
    match *node {
        EventNode::Document { element, strict } => {
            Shape::Marked { mark: format!("document {strict}"), node: element, first_octets: ANY_FIRST_OCTETS }
        }
        EventNode::Element { content, follow, .. } => {
            Shape::Marked { mark: format!("element {follow}"), node: content, first_octets: ANY_FIRST_OCTETS }
        }
        EventNode::Leaf { name, value, code, follow } => {
            // Where there are strings, equal names share a table of them.
            let name = if has_strings(layout, value) { layout.name(name) } else { "" };
            Shape::Marked { mark: format!("leaf {name} {code} {follow}"), node: value, first_octets: ANY_FIRST_OCTETS }
        }
        EventNode::Empty { first } => Shape::Leaf(Leaf {
            code: Code::of("empty", [first.into()]),
            bits: Some(first.into()),
            first_octets: ANY_FIRST_OCTETS,
            domain: Domain::All,
            trim: None,
            is_tagged: false,
        }),
        EventNode::Sequence { members, first, groups, .. } => {
            // A member of a group is absent if the whole group is.
            let parts = layout.members(members).iter().map(|member| {
                let group = group_of(layout, groups, member.component as usize);
                Part { group, ..part(member, group.is_some()) }
            });
            let parts = parts.collect();
            let header = vec![first.map_or(-1, i128::from)];
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
        EventNode::Choice { alternatives, starts, first, octets } => {
            let starts = layout.numbers(starts);
            let start = |place: u32| starts.get(place as usize).copied().unwrap_or(place);
            let one = |(place, one): (u32, &roadwire_layout::Alternative)| OneOf {
                alternative: one.alternative,
                keys: vec![Key::Root(start(place))],
                node: one.node,
                framed: false,
            };
            // An alternative with more codes moves all codes after it.
            let header = [first.map_or(-1, i128::from), octets.is_some().into()];
            let code = Code::of("event", header.into_iter().chain(starts.iter().map(|start| (*start).into())));
            let alternatives = (0..).zip(layout.alternatives(alternatives)).map(one).collect();
            Shape::Choice(Choice { code, first_octets: ANY_FIRST_OCTETS, extensible: false, alternatives })
        }
        EventNode::Repeat { lower, upper, element, events, single, either, bounded, .. } => {
            // How many events are possible depends on the bounds that the grammar counts.
            let most = if bounded { upper.into() } else { -1 };
            let code = Code::of("repeat", [lower.into(), most, events.into(), single.into(), either.into()]);
            let (extensible, sorted, packed) = (false, false, false);
            Shape::List(List {
                code,
                lower,
                upper,
                extensible,
                element,
                sorted,
                packed,
                first_octets: ANY_FIRST_OCTETS,
            })
        }
        EventNode::Integer { range, number } => {
            let code = Code::of("integer", number_of(number));
            Shape::Leaf(Leaf {
                code,
                bits: None,
                first_octets: ANY_FIRST_OCTETS,
                domain: bounds(layout, range),
                trim: None,
                is_tagged: false,
            })
        }
        EventNode::ItemNumber { values, number, .. } => Shape::Items(Items {
            code: Code::of("item", number_of(number)),
            bits: None,
            first_octets: ANY_FIRST_OCTETS,
            keys: numbers(layout, values),
            open: false,
            is_tagged: false,
        }),
        EventNode::Octets { lower, upper } => Leaf::of("octets", ANY_FIRST_OCTETS, Domain::sizes(lower, upper)),
        EventNode::Bits { lower, upper, trim, code } => {
            let fixed = if lower == upper { lower.into() } else { -1 };
            let code = Code::of("bits", [fixed, code.into()]);
            let trim = trim.then_some(lower);
            Shape::Leaf(Leaf {
                code,
                bits: None,
                first_octets: ANY_FIRST_OCTETS,
                domain: Domain::sizes(lower, upper),
                trim,
                is_tagged: false,
            })
        }
        EventNode::Text { lower, upper, alphabet } => {
            Leaf::of("text", ANY_FIRST_OCTETS, Domain::text(layout, lower, upper, alphabet))
        }
        EventNode::Real => Leaf::of("real", ANY_FIRST_OCTETS, Domain::All),
        EventNode::Arcs { relative } => {
            Leaf::of(if relative { "relative" } else { "oid" }, ANY_FIRST_OCTETS, Domain::All)
        }
    }
}

fn number_of(number: Number) -> Vec<i128> {
    match number {
        Number::Bits { bits, base } => vec![0, bits.into(), base.into()],
        Number::Unsigned => vec![1],
        Number::Signed => vec![2],
    }
}

fn has_strings(layout: &Layout, value: NodeId) -> bool {
    matches!(layout.node(value), Node::Events(EventNode::Text { .. }))
}

/// The range of a node with bounds.
fn bounds(layout: &Layout, range: NodeId) -> Domain {
    match *layout.node(range) {
        Node::Word { lower, upper, .. } | Node::Integer { lower, upper, .. } => {
            Domain::Integers(layout.bound(lower).map(BigInt::from), layout.bound(upper).map(BigInt::from))
        }
        Node::WideWord { lower, upper, .. } | Node::WideInteger { lower, upper, .. } => {
            Domain::Integers(wide(layout, lower), wide(layout, upper))
        }
        _ => Domain::All,
    }
}
