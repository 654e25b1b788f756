//! JER: JSON text.

use roadwire_layout::{JsonNode, Layout, Others};

use super::{
    Choice, Code, Domain, Items, Key, Leaf, List, OneOf, Order, Part, Record, Shape, What, group_of, names, rows,
};

/// The sorts of JSON values.
const NULL: u16 = 1;
const TRUTH: u16 = 2;
const NUMBER: u16 = 4;
const STRING: u16 = 8;
const ARRAY: u16 = 16;
const OBJECT: u16 = 32;

pub(super) fn shape(layout: &Layout, node: &JsonNode) -> Shape {
    match *node {
        JsonNode::Document { content } | JsonNode::Conditional { object: content, .. } => Shape::Inner(content),
        JsonNode::Nothing => Leaf::of("null", NULL, Domain::All),
        JsonNode::Truth => Leaf::of("boolean", TRUTH, Domain::All),
        JsonNode::Number { lower, upper } => Leaf::of("number", NUMBER, Domain::integers(lower, upper)),
        JsonNode::Float => Leaf::of("float", NUMBER | STRING, Domain::All),
        JsonNode::Item { items, .. } => Shape::Items(Items {
            code: Code::of("name", []),
            bits: None,
            first_octets: STRING,
            keys: names(layout, items),
            // Only `...N` is an item of a later version; its own name is not known.
            open: false,
            is_tagged: false,
        }),
        JsonNode::BitDigits { fixed, lower, upper, trim } => {
            let (size, first_octets) = fixed.map_or((-1, OBJECT), |size| (i128::from(size), STRING));
            let (code, domain) = (Code::of("bits", [size]), Domain::sizes(lower, upper));
            Shape::Leaf(Leaf { code, bits: None, first_octets, domain, trim: trim.then_some(lower), is_tagged: false })
        }
        JsonNode::Digits { lower, upper } => Leaf::of("octets", STRING, Domain::sizes(lower, upper)),
        JsonNode::Quoted { lower, upper, alphabet } => {
            Leaf::of("text", STRING, Domain::text(layout, lower, upper, alphabet))
        }
        JsonNode::Dotted { relative } => Leaf::of(if relative { "relative" } else { "oid" }, STRING, Domain::All),
        JsonNode::Array { lower, upper, element } => {
            let (code, extensible, sorted, packed) = (Code::of("array", []), false, false, false);
            Shape::List(List { code, lower, upper, extensible, element, sorted, packed, first_octets: ARRAY })
        }
        JsonNode::Object { members, groups, extensible, others, .. } => {
            let all = layout.members(members).iter().enumerate();
            let parts = all.map(|(at, member)| Part {
                what: What::Component(member.component),
                keys: vec![Key::Name(layout.name(member.name).to_owned())],
                node: member.node,
                presence: member.presence,
                addition: group_of(layout, groups, at).is_some(),
                group: group_of(layout, groups, at),
                empty_if_absent: false,
            });
            let (parts, extensible) = (parts.collect(), extensible && others != Others::Refused);
            Shape::Record(Record {
                order: Order::AnyKeys,
                extensible,
                complete: false,
                parts,
                rearranged: false,
                first_octets: OBJECT,
                header: vec![],
            })
        }
        JsonNode::Single { alternatives, extensible, others, .. } => {
            let one = |one: &roadwire_layout::Alternative| OneOf {
                alternative: one.alternative,
                keys: vec![Key::Name(layout.name(one.name).to_owned())],
                node: one.node,
                framed: true,
            };
            let alternatives = layout.alternatives(alternatives).iter().map(one).collect();
            let extensible = extensible && others == Others::Kept;
            Shape::Choice(Choice { code: Code::of("name", []), first_octets: OBJECT, extensible, alternatives })
        }
        JsonNode::OpenDigits => Leaf::of("open", STRING, Domain::All),
        JsonNode::Selected { rows: span, .. } => rows(layout, span),
    }
}
