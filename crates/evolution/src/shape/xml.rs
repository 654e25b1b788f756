//! XER: XML documents.

use roadwire_layout::{Addition, Layout, Member, Name, Node, NodeId, Presence, XmlNode};
use roadwire_model::BigInt;

use super::{Choice, Code, Domain, Items, Key, Leaf, List, OneOf, Order, Part, Record, Shape, What, names, rows, wide};

/// Kinds of content between two tags.
const EMPTY: u16 = 1;
const TEXT: u16 = 2;
const ELEMENTS: u16 = 4;

pub(super) fn shape(layout: &Layout, node: &XmlNode) -> Shape {
    match *node {
        XmlNode::Prolog { element, .. } => Shape::Inner(element),
        XmlNode::Namespace { .. } => Shape::Other("namespace".into()),
        XmlNode::Tags { name, namespace, content } => {
            Shape::Marked { mark: marked(layout, name, namespace), node: content, first_octets: ELEMENTS }
        }
        XmlNode::Attribute { name, namespace, content } => {
            Shape::Marked { mark: format!("@{}", marked(layout, name, namespace)), node: content, first_octets: TEXT }
        }
        XmlNode::Components { .. } => record(layout, node),
        XmlNode::CanonicalTime { content, .. } => Shape::Inner(content),
        XmlNode::OrEmpty { content, value } => {
            Shape::Other(format!("or empty {:?} {:?}", layout.node(content), layout.defaults.get(value as usize)))
        }
        XmlNode::OneOf { alternatives, extensible, .. } => {
            let one = |one: &roadwire_layout::Alternative| OneOf {
                alternative: one.alternative,
                keys: keys(layout, one.node, 0),
                node: one.node,
                framed: true,
            };
            let alternatives = layout.alternatives(alternatives).iter().map(one).collect();
            Shape::Choice(Choice { code: Code::of("element", []), first_octets: ELEMENTS, extensible, alternatives })
        }
        XmlNode::Elements { lower, upper, element, extensible, sorted, spaced } => {
            let code = Code::of("elements", [spaced.into()]);
            Shape::List(List {
                code,
                lower,
                upper,
                extensible,
                element,
                sorted,
                packed: false,
                first_octets: EMPTY | if spaced { TEXT } else { ELEMENTS },
            })
        }
        XmlNode::Typed { rows: span, .. } => rows(layout, span),
        XmlNode::Empty => Leaf::of("empty", EMPTY, Domain::All),
        XmlNode::TrueFalse { text } => Leaf::of("boolean", if text { TEXT } else { ELEMENTS }, Domain::All),
        XmlNode::Decimal { range, extensible, names } => {
            let domain = if extensible { Domain::All } else { bounds(layout, range) };
            let names = layout.numbers(names).iter().map(|number| i128::from(*number));
            Shape::Leaf(Leaf {
                code: Code::of("decimal", names),
                bits: None,
                first_octets: TEXT,
                domain,
                trim: None,
                is_tagged: false,
            })
        }
        XmlNode::ItemName { items, text, .. } => Shape::Items(Items {
            code: Code::of("item", []),
            bits: None,
            first_octets: if text { TEXT } else { ELEMENTS },
            keys: names(layout, items),
            open: false,
            is_tagged: false,
        }),
        XmlNode::Scientific { text, plain } => {
            let code = Code::of("scientific", [text.into(), plain.into()]);
            Shape::Leaf(Leaf {
                code,
                bits: None,
                first_octets: TEXT | ELEMENTS,
                domain: Domain::All,
                trim: None,
                is_tagged: false,
            })
        }
        XmlNode::Binary { lower, upper, extensible, trim } => {
            let domain = Domain::Strings { lower, upper, alphabet: Vec::new(), extensible };
            let trim = trim.then_some(lower);
            Shape::Leaf(Leaf {
                code: Code::of("bits", []),
                bits: None,
                first_octets: EMPTY | TEXT,
                domain,
                trim,
                is_tagged: false,
            })
        }
        XmlNode::OctetDigits { lower, upper, extensible, base64, contains } => {
            let domain = Domain::Strings { lower, upper, alphabet: Vec::new(), extensible };
            let first_octets = EMPTY | TEXT | if contains { ELEMENTS } else { 0 };
            Shape::Leaf(Leaf {
                code: Code::of("octets", [base64.into(), contains.into()]),
                bits: None,
                first_octets,
                domain,
                trim: None,
                is_tagged: false,
            })
        }
        XmlNode::Arcs { relative } => Leaf::of(if relative { "relative" } else { "oid" }, TEXT, Domain::All),
        XmlNode::CharacterData { lower, upper, alphabet, pattern, extensible, controls, space } => {
            let alphabet = super::pairs(layout.numbers(alphabet));
            let domain = match layout.name(pattern) {
                "" => Domain::Strings { lower, upper, alphabet, extensible },
                pattern => Domain::Equal(pattern.into()),
            };
            let code = Code::of("text", [controls.into(), space as i128]);
            Shape::Leaf(Leaf {
                code,
                bits: None,
                first_octets: EMPTY | TEXT | if controls { ELEMENTS } else { 0 },
                domain,
                trim: None,
                is_tagged: false,
            })
        }
    }
}

fn marked(layout: &Layout, name: Name, namespace: Option<NodeId>) -> String {
    let uri = match namespace.map(|node| layout.node(node)) {
        Some(Node::Xml(XmlNode::Namespace { uri, .. })) => layout.name(*uri),
        _ => "",
    };
    format!("{uri} {}", layout.name(name))
}

/// The members of the root up to the additions, these, and the rest of the root.
fn record(layout: &Layout, node: &XmlNode) -> Shape {
    let XmlNode::Components {
        attributes, members, before, additions, extensible, unordered, complete, embedded, ..
    } = *node
    else {
        return Shape::Other("no record".into());
    };
    let all = layout.members(members);
    let (first, last) = all.split_at_checked(before as usize).unwrap_or((all, &[]));
    let mut parts: Vec<Part> = first.iter().map(|member| part(layout, member, false, None)).collect();
    let mut complete = complete;
    for (group, addition) in (0..).zip(layout.additions(additions)) {
        match addition {
            Addition::Single(member) => parts.push(part(layout, member, true, None)),
            Addition::Group(node) => {
                let Node::Xml(XmlNode::Components { members, complete: of_group, .. }) = *layout.node(*node) else {
                    continue;
                };
                complete |= of_group;
                parts.extend(layout.members(members).iter().map(|member| part(layout, member, true, Some(group))));
            }
        }
    }
    let end = parts.len();
    parts.extend(last.iter().map(|member| part(layout, member, false, None)));
    let order = if unordered { Order::AnyKeys } else { Order::Keys { start: end, end, greedy: true } };
    let attributes = layout.members(attributes).iter().map(|member| i128::from(member.component));
    let header = [i128::from(embedded)].into_iter().chain(attributes).collect();
    let first_octets = ELEMENTS
        | if parts.iter().all(|part| part.addition || part.presence != Presence::Mandatory) { EMPTY } else { 0 };
    Shape::Record(Record { order, extensible, complete, parts, rearranged: false, first_octets, header })
}

fn part(layout: &Layout, member: &Member, addition: bool, group: Option<u32>) -> Part {
    Part {
        what: What::Component(member.component),
        keys: keys(layout, member.node, 0),
        node: member.node,
        presence: member.presence,
        addition,
        group,
        empty_if_absent: false,
    }
}

/// The elements that a node may begin with.
fn keys(layout: &Layout, node: NodeId, depth: u32) -> Vec<Key> {
    match layout.node(node) {
        Node::Xml(XmlNode::Tags { name, namespace, .. }) => vec![Key::Name(marked(layout, *name, *namespace))],
        Node::Key { node, .. } | Node::Scope { record: node, .. } if depth < 30 => keys(layout, *node, depth + 1),
        _ => vec![Key::Any],
    }
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
