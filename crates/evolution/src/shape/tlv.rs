//! BER, DER and CER: values after identifiers and lengths.

use roadwire_layout::{Contents, Layout, Node, NodeId, Order as TagOrder, TlvNode};
use roadwire_wire::rt::tlv::CONSTRUCTED;

use super::{
    ANY_FIRST_OCTETS, Choice, Code, Domain, Items, Key, Leaf, List, OneOf, Order, Part, Record, Shape, What, group_of,
    pairs, rows, wide,
};

pub(super) fn shape(layout: &Layout, node: &TlvNode) -> Shape {
    match *node {
        TlvNode::Tagged { identifier, contents, .. } => Shape::Marked {
            mark: format!("{}", identifier & !CONSTRUCTED),
            node: contents,
            first_octets: ANY_FIRST_OCTETS,
        },
        TlvNode::Primitive { identifier, contents, .. } => leaf(layout, identifier & !CONSTRUCTED, contents),
        TlvNode::Record { members, additions, groups, order, .. } => {
            let range = additions.map(|additions| additions.range());
            let is_addition = |at: usize| range.as_ref().is_some_and(|range| range.contains(&at));
            let part = |(at, member): (usize, &roadwire_layout::Member)| Part {
                what: What::Component(member.component),
                keys: keys(layout, member.node, 0),
                node: member.node,
                presence: member.presence,
                addition: is_addition(at),
                group: group_of(layout, groups, at),
                empty_if_absent: false,
            };
            let parts: Vec<Part> = layout.members(members).iter().enumerate().map(part).collect();
            let rearranged = match order {
                TagOrder::Textual | TagOrder::Any | TagOrder::Sorted => false,
                TagOrder::SortedByPlace(_) | TagOrder::SortedByValue => !is_ascending(&parts),
            };
            let order = match order {
                TagOrder::Textual => {
                    let (start, end) = range.map_or((parts.len(), parts.len()), |range| (range.start, range.end));
                    Order::Keys { start, end, greedy: false }
                }
                TagOrder::Any | TagOrder::Sorted | TagOrder::SortedByPlace(_) | TagOrder::SortedByValue => {
                    Order::AnyKeys
                }
            };
            let (extensible, header) = (additions.is_some(), Vec::new());
            Shape::Record(Record {
                order,
                extensible,
                complete: false,
                parts,
                rearranged,
                first_octets: ANY_FIRST_OCTETS,
                header,
            })
        }
        TlvNode::Choice { alternatives, extensible, .. } => {
            let one = |one: &roadwire_layout::Alternative| OneOf {
                alternative: one.alternative,
                keys: keys(layout, one.node, 0),
                node: one.node,
                framed: true,
            };
            let alternatives = layout.alternatives(alternatives).iter().map(one).collect();
            Shape::Choice(Choice {
                code: Code::of("tag", []),
                first_octets: ANY_FIRST_OCTETS,
                extensible,
                alternatives,
            })
        }
        TlvNode::List { lower, upper, element, sorted } => Shape::List(List {
            code: Code::of("elements", []),
            lower,
            upper,
            extensible: false,
            element,
            sorted,
            packed: false,
            first_octets: ANY_FIRST_OCTETS,
        }),
        TlvNode::Open { rows: span, .. } => rows(layout, span),
    }
}

/// Whether parts have the order of their tags, whatever their values are.
fn is_ascending(parts: &[Part]) -> bool {
    let tag = |part: &Part| match part.keys[..] {
        [Key::Number(tag)] => Some(tag),
        _ => None,
    };
    parts.iter().all(|part| tag(part).is_some()) && parts.is_sorted_by_key(tag)
}

/// The tags that a node may begin with.
fn keys(layout: &Layout, node: NodeId, depth: u32) -> Vec<Key> {
    match layout.node(node) {
        Node::Tlv(TlvNode::Tagged { identifier, .. } | TlvNode::Primitive { identifier, .. }) => {
            vec![Key::Number((identifier & !CONSTRUCTED).into())]
        }
        Node::Tlv(TlvNode::Choice { alternatives, extensible, .. }) if depth < 30 => {
            let each = layout.alternatives(*alternatives).iter().flat_map(|one| keys(layout, one.node, depth + 1));
            let mut all: Vec<Key> = each.collect();
            all.extend(extensible.then_some(Key::Any));
            all
        }
        Node::Key { node, .. } | Node::Scope { record: node, .. } | Node::Contained { string: node, .. }
            if depth < 30 =>
        {
            keys(layout, *node, depth + 1)
        }
        _ => vec![Key::Any],
    }
}

/// A tag and contents octets. The tag is among the first octets of a leaf: another tag is never
/// taken for it.
fn leaf(layout: &Layout, identifier: u32, contents: Contents) -> Shape {
    let tag = i128::from(identifier);
    let of = |name: &'static str, more: Vec<i128>, domain: Domain| {
        let code = Code::of(name, [tag].into_iter().chain(more));
        Shape::Leaf(Leaf { code, bits: None, first_octets: ANY_FIRST_OCTETS, domain, trim: None, is_tagged: true })
    };
    match contents {
        Contents::Null => of("null", vec![], Domain::All),
        Contents::Boolean => of("boolean", vec![], Domain::All),
        Contents::Integer { lower, upper } => {
            of("integer", vec![], Domain::Integers(Some(lower.into()), Some(upper.into())))
        }
        Contents::WideInteger { lower, upper } => {
            let bound = |span: Option<roadwire_layout::Span>| span.and_then(|span| wide(layout, span));
            of("integer", vec![], Domain::Integers(bound(lower), bound(upper)))
        }
        Contents::Enumerated { values, extensible, .. } => {
            let each = layout.numbers(values).chunks_exact(3);
            let mut numbers: Vec<(u32, i64)> =
                each.map(|one| (one[2], (u64::from(one[0]) << 32 | u64::from(one[1])) as i64)).collect();
            numbers.sort_unstable();
            Shape::Items(Items {
                code: Code::of("enumerated", [tag]),
                bits: None,
                first_octets: ANY_FIRST_OCTETS,
                keys: numbers.into_iter().map(|(_, number)| Key::Number(number)).collect(),
                open: extensible,
                is_tagged: true,
            })
        }
        Contents::Real => of("real", vec![], Domain::All),
        Contents::Oid { relative } => of("oid", vec![relative.into()], Domain::All),
        Contents::Bits { lower, upper, trim } => {
            let (code, domain) = (Code::of("bits", [tag]), Domain::sizes(lower, upper));
            Shape::Leaf(Leaf { code, bits: None, first_octets: ANY_FIRST_OCTETS, domain, trim, is_tagged: true })
        }
        Contents::Octets { lower, upper } => of("octets", vec![], Domain::sizes(lower, upper)),
        Contents::Characters { lower, upper, width, alphabet } => {
            // ASCII has the same octets in UTF-8.
            let is_ascii = width == 1 && pairs(layout.numbers(alphabet)).iter().all(|(_, last)| *last < 0x80);
            let (name, parameters) = if is_ascii { ("utf8", vec![]) } else { ("characters", vec![width.into()]) };
            of(
                name,
                parameters,
                Domain::Strings { lower, upper, alphabet: pairs(layout.numbers(alphabet)), extensible: false },
            )
        }
        Contents::Utf8 { lower, upper } => of("utf8", vec![], Domain::sizes(lower, upper)),
        Contents::UtcTime => of("utc", vec![], Domain::All),
        Contents::GeneralizedTime => of("generalized", vec![], Domain::All),
        Contents::Time { settings, canonical } => {
            of("time", vec![canonical.into()], Domain::Equal(format!("{:?}", layout.numbers(settings))))
        }
        Contents::Digits { pattern } => of("digits", vec![], Domain::Equal(layout.name(pattern).into())),
        Contents::Duration => of("duration", vec![], Domain::All),
    }
}
