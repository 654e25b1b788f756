//! How many bits the nodes take, and their other properties.

use super::node::XmlNode;
use crate::length_bounds::{Bits, LengthBounds, Values, nearest_to_zero};
use crate::node::{Addition, Layout, Node, NodeId, Presence};

impl XmlNode {
    /// The fewest and most bits that are written.
    pub(crate) fn length_bounds(
        &self,
        layout: &Layout,
        values: Values,
        mut of: impl FnMut(NodeId) -> LengthBounds,
    ) -> LengthBounds {
        match *self {
            XmlNode::Prolog { element, namespaces } => {
                let declared = layout.numbers(namespaces).iter().map(|node| match layout.node(NodeId(*node)) {
                    Node::Xml(XmlNode::Namespace { prefix, uri }) => {
                        let colon = u64::from(!prefix.is_empty());
                        " xmlns=\"\"".len() as u64 + colon + u64::from(prefix.len() + uri.len())
                    }
                    _ => 0,
                });
                LengthBounds::exactly(declared.sum::<u64>() * 8).then(of(element))
            }
            XmlNode::Namespace { .. } | XmlNode::Empty => LengthBounds::exactly(0),
            XmlNode::Tags { name, namespace, content } => {
                let name = u64::from(name.len()) + prefix(layout, namespace);
                let Bits { fewest, most } = of(content).at(0);
                let (empty, full) = ((name + 3) * 8, (2 * name + 5) * 8);
                let around = |bits: u64| if bits == 0 { empty } else { full.saturating_add(bits) };
                LengthBounds::between(around(fewest), most.map(around))
            }
            XmlNode::Attribute { name, namespace, content } => {
                let name = u64::from(name.len()) + prefix(layout, namespace);
                LengthBounds::exactly((name + 4) * 8).then(of(content))
            }
            XmlNode::OrEmpty { content, .. } => of(content).or_absent(),
            XmlNode::CanonicalTime { content, .. } => of(content),
            XmlNode::Components { embedded: true, .. } => LengthBounds::unbounded(0),
            XmlNode::Components { attributes, members, additions, complete, .. } => {
                let mut sum = LengthBounds::exactly(0);
                for member in layout.members(attributes).iter().chain(layout.members(members)) {
                    let one = of(member.node);
                    let is_written = match member.presence {
                        Presence::Mandatory => true,
                        Presence::Default(_) => complete,
                        Presence::Optional => false,
                    };
                    sum = sum.then(if is_written { one } else { one.or_absent() });
                }
                for addition in layout.additions(additions) {
                    sum = sum.then(of(addition.node()).or_absent());
                }
                sum
            }
            XmlNode::OneOf { alternatives, .. } => {
                let each = layout.alternatives(alternatives).iter().map(|one| of(one.node));
                each.reduce(LengthBounds::or).unwrap_or(LengthBounds::exactly(0))
            }
            XmlNode::Elements { lower, upper, element, spaced, extensible, .. } => {
                let one = of(element).at(0);
                let all = |count: u64, bits: u64| {
                    let between = if spaced { count.saturating_sub(1).checked_mul(8)? } else { 0 };
                    count.checked_mul(bits)?.checked_add(between)
                };
                let (lower, upper) = values.sizes(extensible, (lower, upper));
                let most = one.most.filter(|_| upper < u64::MAX).and_then(|most| all(upper, most));
                LengthBounds::between(all(lower, one.fewest).unwrap_or(u64::MAX), most)
            }
            XmlNode::Typed { .. } => LengthBounds::unbounded(0),
            XmlNode::TrueFalse { text } => {
                if text {
                    octets(4, Some(5))
                } else {
                    octets(7, Some(8))
                }
            }
            XmlNode::Decimal { extensible, .. } if values.go_beyond(extensible) => octets(1, None),
            XmlNode::Decimal { range, names, .. } => {
                let places =
                    layout.numbers(names).chunks_exact(2).filter_map(|pair| layout.items.get(pair[0] as usize));
                let names = places.map(|name| LengthBounds::exactly(u64::from(name.len()) * 8));
                names.fold(decimal(layout, layout.node(range)), LengthBounds::or)
            }
            XmlNode::ItemName { items, text, .. } => {
                let signs = if text { 0 } else { 3 };
                let names = layout.items.get(items.range()).unwrap_or(&[]);
                let each = names.iter().map(|name| LengthBounds::exactly((u64::from(name.len()) + signs) * 8));
                each.reduce(LengthBounds::or).unwrap_or(LengthBounds::exactly(0))
            }
            // `-1.2345678901234567E-308`, `<MINUS-INFINITY/>`
            XmlNode::Scientific { plain, .. } => octets(1, (!plain).then_some(24)),
            XmlNode::Binary { lower, upper, extensible, .. } => {
                let (lower, upper) = values.sizes(extensible, (lower, upper));
                octets(lower, (upper < u64::MAX).then_some(upper))
            }
            XmlNode::OctetDigits { lower, upper, extensible, base64, .. } => {
                let digits = |count: u64| if base64 { count.div_ceil(3).checked_mul(4) } else { count.checked_mul(2) };
                let (lower, upper) = values.sizes(extensible, (lower, upper));
                octets(digits(lower).unwrap_or(u64::MAX), digits(upper).filter(|_| upper < u64::MAX))
            }
            XmlNode::Arcs { relative } => octets(if relative { 1 } else { 3 }, None),
            XmlNode::CharacterData { lower, upper, alphabet, extensible, .. } => {
                let ranges = layout.numbers(alphabet);
                let has = |first: u32, last: u32| {
                    ranges.is_empty() || ranges.chunks_exact(2).any(|range| range[0] <= last && first <= range[1])
                };
                let widest = if has(0, 31) {
                    6
                } else if has(38, 38) {
                    5
                } else if has(60, 62) || has(0x1_0000, u32::MAX) {
                    4
                } else if has(0x80, 0xffff) {
                    3
                } else {
                    1
                };
                let (lower, upper) = values.sizes(extensible, (lower, upper));
                octets(lower, upper.checked_mul(widest).filter(|_| upper < u64::MAX))
            }
        }
    }

    /// Whether it can hold additions of a later version.
    pub(crate) fn keeps_additions(&self) -> bool {
        matches!(self, XmlNode::Components { extensible: true, .. } | XmlNode::OneOf { extensible: true, .. })
    }

    /// Whether it is an integer or enumeration; all take as much as the value needs.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self, XmlNode::Decimal { .. } | XmlNode::ItemName { .. })
    }

    /// Whether some component may be absent.
    pub(crate) fn has_optional_parts(&self, layout: &Layout) -> bool {
        let XmlNode::Components { attributes, members, additions, extensible, .. } = *self else { return false };
        let mut members = layout.members(attributes).iter().chain(layout.members(members));
        extensible || additions.count > 0 || members.any(|member| member.presence != Presence::Mandatory)
    }
}

/// A prefix and its colon.
fn prefix(layout: &Layout, namespace: Option<NodeId>) -> u64 {
    match namespace.map(|node| layout.node(node)) {
        Some(Node::Xml(XmlNode::Namespace { prefix, .. })) if !prefix.is_empty() => u64::from(prefix.len()) + 1,
        _ => 0,
    }
}

/// Digits and sign of the numbers of a node.
fn decimal(layout: &Layout, range: &Node) -> LengthBounds {
    match *range {
        Node::Word { lower, upper, .. } => {
            let (lower, upper) = layout.bounds(lower, upper);
            let shortest = if lower <= 0 && upper >= 0 { 0 } else { lower.unsigned_abs().min(upper.unsigned_abs()) };
            let sign = u64::from(upper < 0);
            let most = digits(lower.unsigned_abs()) + u64::from(lower < 0);
            let most = most.max(digits(upper.unsigned_abs()) + sign);
            octets(digits(shortest) + sign, Some(most))
        }
        Node::Integer { lower, upper, .. } => {
            let nearest = nearest_to_zero(layout.bound(lower), layout.bound(upper));
            octets(digits(nearest.unsigned_abs()) + u64::from(nearest < 0), None)
        }
        _ => octets(1, None),
    }
}

fn digits(number: u128) -> u64 {
    u64::from(number.checked_ilog10().unwrap_or(0)) + 1
}

fn octets(fewest: u64, most: Option<u64>) -> LengthBounds {
    LengthBounds::between(fewest.saturating_mul(8), most.and_then(|most| most.checked_mul(8)))
}

impl Addition {
    /// The component, or the group.
    #[must_use]
    pub fn node(&self) -> NodeId {
        match self {
            Addition::Single(member) => member.node,
            Addition::Group(node) => *node,
        }
    }
}
