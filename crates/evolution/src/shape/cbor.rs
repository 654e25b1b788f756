//! CBOR: maps whose keys are numbers.

use roadwire_layout::{CborNode, Layout};

use super::packed::{addition, part};
use super::{Choice, Code, Domain, Items, Key, Leaf, List, OneOf, Order, Part, Record, Shape, numbers, rows, wide};

/// The sorts of data items.
const INTEGER: u16 = 1;
const OCTETS: u16 = 2;
const TEXT: u16 = 4;
const ARRAY: u16 = 8;
const MAP: u16 = 16;
const TAG: u16 = 32;
const TRUTH: u16 = 64;
const NULL: u16 = 128;
const FLOAT: u16 = 256;

pub(super) fn shape(layout: &Layout, node: &CborNode) -> Shape {
    match *node {
        CborNode::Nothing => Leaf::of("null", NULL, Domain::All),
        CborNode::Truth => Leaf::of("boolean", TRUTH, Domain::All),
        CborNode::Integer { lower, upper } => Leaf::of("integer", INTEGER | TAG, Domain::integers(lower, upper)),
        CborNode::WideInteger { lower, upper } => {
            Leaf::of("integer", INTEGER | TAG, Domain::Integers(wide(layout, lower), wide(layout, upper)))
        }
        CborNode::Item { values, extensible, .. } => Shape::Items(Items {
            code: Code::of("item", []),
            bits: None,
            first_octets: INTEGER,
            keys: numbers(layout, values),
            open: extensible,
            is_tagged: false,
        }),
        CborNode::Float => Leaf::of("float", FLOAT, Domain::All),
        CborNode::Bits { fixed, lower, upper, trim } => {
            let code = Code::of("bits", [fixed.map_or(-1, i128::from)]);
            let trim = trim.then_some(lower);
            Shape::Leaf(Leaf {
                code,
                bits: None,
                first_octets: OCTETS,
                domain: Domain::sizes(lower, upper),
                trim,
                is_tagged: false,
            })
        }
        CborNode::Octets { lower, upper } => Leaf::of("octets", OCTETS, Domain::sizes(lower, upper)),
        CborNode::Text { lower, upper, alphabet } => {
            Leaf::of("text", TEXT, Domain::text(layout, lower, upper, alphabet))
        }
        CborNode::Oid { relative } => Leaf::of(if relative { "relative" } else { "oid" }, TAG, Domain::All),
        CborNode::Array { lower, upper, element, sorted } => {
            let code = Code::of("array", []);
            Shape::List(List {
                code,
                lower,
                upper,
                extensible: false,
                element,
                sorted,
                packed: false,
                first_octets: ARRAY,
            })
        }
        CborNode::Map { extensible, members, additions, .. } => {
            let members = layout.members(members).iter().map(|member| part(member, false));
            let parts = members.chain(layout.additions(additions).iter().map(addition));
            let parts = (0..).zip(parts).map(|(key, part)| Part { keys: vec![Key::Number(key)], ..part }).collect();
            let (order, header) = (Order::AnyKeys, Vec::new());
            Shape::Record(Record {
                order,
                extensible,
                complete: false,
                parts,
                rearranged: false,
                first_octets: MAP,
                header,
            })
        }
        CborNode::Choice { alternatives, extensible, .. } => {
            let one = |(place, one): (i64, &roadwire_layout::Alternative)| OneOf {
                alternative: one.alternative,
                keys: vec![Key::Number(place)],
                node: one.node,
                framed: true,
            };
            let alternatives = (0..).zip(layout.alternatives(alternatives)).map(one).collect();
            Shape::Choice(Choice { code: Code::of("key", []), first_octets: MAP, extensible, alternatives })
        }
        CborNode::Embedded { rows: span, .. } => rows(layout, span),
    }
}
