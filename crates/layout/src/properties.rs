//! What can be read off a layout without running anything.

use alloc::vec;
use alloc::vec::Vec;

use roadwire_wire::varint;

use crate::contents;
use crate::event::{EventNode, Number};
use crate::fields::FieldNode;
use crate::json::JsonNode;
use crate::node::{Addition, Count, Extent, Layout, Lengths, Node, NodeId, Presence, Width, tag};
use crate::presentation::PresentationNode;
pub use crate::stretch::Bits;
use crate::stretch::Stretch;
use crate::xml::XmlNode;

/// Properties of a whole layout. Unknown extension additions and values outside an extensible root are not counted in the most that something takes.
#[derive(Clone, Debug)]
pub struct Properties {
    /// For each node, how many bits it takes wherever it begins.
    pub bits: Vec<Bits>,
    /// The whole message in bits.
    pub message: Bits,
    /// The whole message in octets.
    pub octets: Bits,
    /// Whether every field begins at an octet border, whatever the value.
    pub octet_aligned: bool,
    /// How the presence of optional parts is told.
    pub presence: PresenceTold,
    /// Whether something that a later version of the type adds is told from an error, and kept.
    pub keeps_additions: bool,
    /// Kinds of integers and enumerations that take the same number of bits whatever the value.
    pub fixed_numbers: usize,
    /// Those that take as much as the value needs.
    pub varying_numbers: usize,
}

/// How an encoding tells whether an optional part is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresenceTold {
    /// There are none.
    NoOptionalParts,
    /// By a bit for each, in front of the record (X.691 §19.3); by a bit that additions follow, and a bit for each of those (§19.7).
    Bitmap,
    /// By its tag or its field number.
    Tags,
    /// By its name being there.
    Name,
    /// By which event comes next.
    Event,
    /// By what earlier parts are.
    Values,
}

impl core::fmt::Display for PresenceTold {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(match self {
            PresenceTold::NoOptionalParts => "no optional parts",
            PresenceTold::Bitmap => "bitmap",
            PresenceTold::Tags => "tags",
            PresenceTold::Name => "name",
            PresenceTold::Event => "event code",
            PresenceTold::Values => "earlier values",
        })
    }
}

impl Properties {
    /// Reads them off.
    #[must_use]
    pub fn of(layout: &Layout) -> Self {
        let mut stretches = vec![Stretch::exactly(0); layout.nodes.len()];
        let mut done = vec![State::Open; layout.nodes.len()];
        // Nodes refer to each other: those in a cycle have no upper bound, and their least is found by going over them again.
        for at in 0..layout.nodes.len() {
            visit(layout, at, &mut stretches, &mut done, 0);
        }
        let message = stretches[layout.root.0 as usize].at(0);
        let octets = |bits: u64| bits.div_ceil(8).max(layout.lengths.least_octets());
        let octets = Bits { fewest: octets(message.fewest), most: message.most.map(octets) };
        let bits = stretches.iter().map(Stretch::anywhere).collect();
        let has_bitmap =
            |node: &Node| matches!(node, Node::Record { extensible, bitmap, .. } if *extensible || *bitmap > 0);
        let has_names = |node: &Node| match node {
            Node::Json(json) => json.has_optional_members(layout),
            Node::Xml(xml) => xml.has_optional_parts(layout),
            _ => false,
        };
        let has_events = |node: &Node| matches!(node, Node::Event(event) if event.has_optional_parts(layout));
        let has_fields = |node: &Node| matches!(node, Node::Keyed(field) if field.has_optional_members(layout));
        let has_tests = |node: &Node| matches!(node, Node::Presentation(node) if node.has_optional_parts());
        let presence = if layout.nodes.iter().any(has_bitmap) {
            PresenceTold::Bitmap
        } else if layout.nodes.iter().any(has_names) {
            PresenceTold::Name
        } else if layout.nodes.iter().any(has_events) {
            PresenceTold::Event
        } else if layout.nodes.iter().any(has_fields) {
            PresenceTold::Tags
        } else if layout.nodes.iter().any(has_tests) {
            PresenceTold::Values
        } else {
            PresenceTold::NoOptionalParts
        };
        let octet_aligned = layout.nodes.iter().all(|node| is_whole_octets(layout, node));
        let keeps_additions = layout.nodes.iter().any(keeps_additions);
        let numbers = |varying| layout.nodes.iter().filter(|node| number_varies(node) == Some(varying)).count();
        let (fixed_numbers, varying_numbers) = (numbers(false), numbers(true));
        Properties { bits, message, octets, octet_aligned, presence, keeps_additions, fixed_numbers, varying_numbers }
    }

    /// How many bits a node takes, wherever it begins.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Bits {
        self.bits[id.0 as usize]
    }
}

/// Whether a node has a place for what it does not know.
fn keeps_additions(node: &Node) -> bool {
    match *node {
        Node::Record { extensible, .. }
        | Node::Choice { extensible, .. }
        | Node::Numbered { extensible, .. }
        | Node::Keyed(
            FieldNode::Message { extensible, .. }
            | FieldNode::Choice { extensible, .. }
            | FieldNode::Item { extensible, .. },
        )
        | Node::Json(JsonNode::Object { extensible, .. } | JsonNode::Single { extensible, .. })
        | Node::Xml(XmlNode::Components { extensible, .. } | XmlNode::OneOf { extensible, .. })
        | Node::Presentation(PresentationNode::Item { extensible, .. } | PresentationNode::Choice { extensible, .. }) => {
            extensible
        }
        Node::Enumerated { additions, .. } => additions.is_some(),
        _ => false,
    }
}

/// Of an integer or enumeration, whether it takes as much as the value needs.
fn number_varies(node: &Node) -> Option<bool> {
    match node {
        Node::Word { .. } | Node::WideWord { .. } | Node::Enumerated { .. } => Some(false),
        Node::Integer { .. } | Node::WideInteger { .. } | Node::Numbered { .. } => Some(true),
        Node::Keyed(FieldNode::Number { .. } | FieldNode::Item { .. }) => Some(true),
        Node::Event(EventNode::Integer { number, .. } | EventNode::ItemNumber { number, .. }) => {
            Some(!matches!(number, Number::Bits { .. }))
        }
        Node::Json(JsonNode::Number { .. } | JsonNode::Item { .. }) => Some(true),
        Node::Xml(XmlNode::Decimal { .. } | XmlNode::ItemName { .. }) => Some(true),
        Node::Presentation(PresentationNode::Variable | PresentationNode::Psid) => Some(true),
        Node::Presentation(PresentationNode::Item { .. }) => Some(false),
        _ => None,
    }
}

/// Whether a node, what it contains aside, always takes whole octets.
fn is_whole_octets(layout: &Layout, node: &Node) -> bool {
    let octets = |width: Width| matches!(width, Width::Anywhere(bits) | Width::Aligned(bits) if bits % 8 == 0);
    let counted = |extent: &Extent| {
        !extent.extensible
            && match extent.count {
                Count::Fixed | Count::Determinant | Count::InOctets | Count::Quantity => true,
                Count::Field(width) => octets(width),
            }
    };
    match *node {
        Node::Null | Node::Integer { .. } | Node::WideInteger { .. } | Node::Real | Node::Oid { .. } => true,
        Node::Text { .. } | Node::Numbered { .. } | Node::BinaryReal { .. } => true,
        Node::Boolean { bits } => bits % 8 == 0,
        Node::Extension { .. } => false,
        // What they consist of are nodes, too.
        Node::Time { .. } => true,
        Node::Word { width, .. } | Node::WideWord { width, .. } => octets(width),
        Node::Enumerated { width, additions, .. } => octets(width) && additions.is_none(),
        Node::Bits { ref extent, whole, .. } => {
            counted(extent) && (whole || extent.lower == extent.upper && extent.lower % 8 == 0)
        }
        Node::Octets { ref extent } | Node::List { ref extent, .. } => counted(extent),
        Node::Characters { ref extent, characters } => counted(extent) && characters.bits % 8 == 0,
        Node::Record { extensible, bitmap, padding, .. } => {
            // Unless their lengths are whole octets, additions are not either.
            (!extensible || layout.lengths == Lengths::Definite)
                && (u32::from(bitmap) + u32::from(padding) + u32::from(extensible)) % 8 == 0
        }
        Node::Choice { extensible, width, tags, .. } => tags.count > 0 || !extensible && octets(width),
        Node::Event(_) => false,
        _ => true,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Open,
    Underway,
    Done,
}

/// Deeper than any module nests without recursion; beyond it a node counts as recursive.
const DEEPEST: u32 = 500;

fn visit(layout: &Layout, at: usize, stretches: &mut [Stretch], done: &mut [State], depth: u32) -> Stretch {
    match done[at] {
        State::Done => return stretches[at],
        State::Underway => return Stretch::unbounded(0),
        State::Open => {}
    }
    if depth > DEEPEST {
        return Stretch::unbounded(0);
    }
    done[at] = State::Underway;
    let mut of = |id: NodeId| visit(layout, id.0 as usize, stretches, done, depth + 1);
    let lead = lead(layout);
    let found = match layout.nodes[at] {
        Node::Null => Stretch::exactly(0),
        Node::Boolean { bits } => Stretch::exactly(u64::from(bits)),
        Node::Word { width, lower, upper, .. } => {
            let range = upper.abs_diff(lower);
            field(width, u64::from(128 - range.leading_zeros()))
        }
        Node::WideWord { width, lower, upper } => field(width, 8 * (u64::from(lower.count.max(upper.count)) + 1)),
        Node::Integer { .. } | Node::WideInteger { .. } => lead.then(Stretch::unbounded(16)),
        Node::Extension { root, beyond } => {
            // Values outside a wide root may be shorter than any in it.
            Stretch::exactly(1).then(of(root).or_shorter(of(beyond)))
        }
        Node::Enumerated { width, root, additions, .. } => {
            let root = field(width, u64::from(u32::BITS - root.leading_zeros()));
            match additions {
                Some(count) => {
                    Stretch::exactly(1).then(root.or(small(u64::from(count), lead)).or_shorter(small(0, lead)))
                }
                None => root,
            }
        }
        Node::Numbered { values, extensible, .. } => {
            let octets = layout.numbers(values).chunks_exact(2).map(item_octets);
            let fewest = if extensible { Some(1) } else { octets.clone().min() };
            Stretch::between(fewest.unwrap_or(1) * 8, octets.max().map(|most| most * 8))
        }
        Node::BinaryReal { bits, .. } => Stretch::exactly(u64::from(bits)),
        Node::Real => lead.then(Stretch::unbounded(8)),
        Node::Oid { .. } => lead.then(Stretch::unbounded(16)),
        Node::Bits { extent, whole, .. } => {
            let bits = repeated(layout, &extent, Stretch::exactly(1));
            if whole { bits.then(Stretch::border()) } else { bits }
        }
        Node::Octets { extent } => repeated(layout, &extent, Stretch::exactly(8)),
        Node::Characters { extent, characters } => {
            repeated(layout, &extent, Stretch::exactly(u64::from(characters.bits)))
        }
        Node::Text { utf8, lower, upper, .. } => {
            let most = if utf8 { 4 } else { 1 };
            lead.then(counted_octets(layout, lower, upper.checked_mul(most)))
        }
        Node::List { extent, element, .. } => {
            let element = of(element);
            repeated(layout, &extent, element)
        }
        Node::Record { extensible, bitmap, padding, members, additions, .. } => {
            let mut sum = Stretch::exactly(u64::from(extensible) + u64::from(bitmap) + u64::from(padding));
            for member in layout.members(members) {
                let one = of(member.node);
                sum = sum.then(if member.presence == Presence::Mandatory { one } else { one.or_absent() });
            }
            let additions = layout.additions(additions);
            let mut extra = match additions.len() as u64 {
                0 => Stretch::exactly(0),
                count if layout.lengths == Lengths::Definite => {
                    let octets = 1 + count.div_ceil(8);
                    counted_octets(layout, octets, Some(octets))
                }
                count @ 1..=64 => Stretch::exactly(7 + count),
                count => {
                    Stretch::exactly(1).then(lead).then(Stretch::exactly(if count < 128 { 8 } else { 16 } + count))
                }
            };
            for addition in additions {
                let inner = of(match addition {
                    Addition::Single(member) => member.node,
                    Addition::Group(node) => *node,
                });
                extra = extra.then(lead).then(open(layout, inner));
            }
            sum.then(extra.or_absent())
        }
        Node::Choice { extensible, width, root, alternatives, tags } => {
            let bit = Stretch::exactly(u64::from(extensible && tags.count == 0));
            let index = bit.then(field(width, u64::from(u32::BITS - root.leading_zeros())));
            let later = bit.then(small(u64::from(alternatives.count.saturating_sub(root)), lead)).then(lead);
            let mut either: Option<Stretch> = None;
            for (at, alternative) in layout.alternatives(alternatives).iter().enumerate() {
                let one = of(alternative.node);
                let content = if at < root as usize { one } else { open(layout, one) };
                let one = match tags.count {
                    0 if at < root as usize => index.then(content),
                    0 => later.then(content),
                    _ => {
                        let mut pairs = layout.numbers(tags).chunks_exact(2);
                        let tag = pairs.find(|pair| pair[1] == at as u32).map_or(0, |pair| tag_octets(pair[0]));
                        Stretch::exactly(tag * 8).then(content)
                    }
                };
                either = Some(either.map_or(one, |other| other.or(one)));
            }
            let known = either.unwrap_or(index);
            // An alternative of a later version: its index or tag, and the least of an open type.
            let least = open(layout, Stretch::exactly(0));
            match (extensible, tags.count) {
                (false, _) => known,
                (true, 0) => known.or_shorter(bit.then(small(0, lead)).then(lead).then(least)),
                (true, _) => known.or_shorter(Stretch::exactly(8).then(least)),
            }
        }
        Node::Open | Node::Table { .. } => lead.then(open(layout, Stretch::unbounded(0))),
        Node::Json(json) => json.stretch(layout, of),
        Node::Key { node, .. } | Node::Scope { record: node, .. } | Node::Time { node, .. } => of(node),
        Node::Tagged { identifier, contents, indefinite } => {
            contents::framed(identifier, of(contents).at(0), indefinite)
        }
        Node::Contents(contents) => contents.bits(layout),
        Node::TaggedRecord { members, additions, .. } => {
            let mut sum = Stretch::exactly(0);
            for (at, member) in layout.members(members).iter().enumerate() {
                let one = of(member.node);
                let added = additions.is_some_and(|additions| additions.range().contains(&at));
                sum = sum.then(if added || member.presence != Presence::Mandatory { one.or_absent() } else { one });
            }
            sum
        }
        Node::TaggedChoice { alternatives, extensible, .. } => {
            let known = layout.alternatives(alternatives).iter().map(|one| of(one.node)).reduce(Stretch::or);
            // An alternative of a later version has identifier and length.
            let known = known.unwrap_or(Stretch::exactly(16));
            if extensible { known.or_shorter(Stretch::exactly(16)) } else { known }
        }
        Node::TaggedList { lower, upper, element, .. } => of(element).times(lower, upper),
        Node::Element { .. } => Stretch::unbounded(16),
        Node::Xml(node) => node.stretch(layout, of),
        Node::Event(node) => node.stretch(layout, of),
        Node::Keyed(field) => field.stretch(layout, of),
        Node::Presentation(node) => node.stretch(layout, of),
    };
    stretches[at] = found;
    done[at] = State::Done;
    found
}

/// What is in front of a length determinant.
fn lead(layout: &Layout) -> Stretch {
    match layout.lengths {
        Lengths::Fragmented | Lengths::Definite | Lengths::Varint => Stretch::exactly(0),
        Lengths::Aligned => Stretch::border(),
    }
}

/// A number of up to `bits` bits.
fn field(width: Width, bits: u64) -> Stretch {
    match width {
        Width::Anywhere(bits) => Stretch::exactly(u64::from(bits)),
        Width::Aligned(bits) => Stretch::border().then(Stretch::exactly(u64::from(bits))),
        Width::Counted { bits: count, aligned } => {
            let front = if aligned { Stretch::border() } else { Stretch::exactly(0) };
            let octets = Stretch::between(8, Some(bits.div_ceil(8).max(1) * 8));
            front.then(Stretch::exactly(u64::from(count))).then(Stretch::border()).then(octets)
        }
    }
}

/// A normally small number below `count`: of 6 bits, or of octets after a length determinant (X.691 §11.6).
fn small(count: u64, lead: Stretch) -> Stretch {
    if count <= 64 {
        return Stretch::exactly(7);
    }
    let octets = u64::from((u64::BITS - (count - 1).leading_zeros()).div_ceil(8));
    let large = Stretch::exactly(1).then(lead).then(Stretch::between(16, Some(8 + octets * 8)));
    large.or(Stretch::exactly(7))
}

/// An open type: whole octets after their length.
fn open(layout: &Layout, inner: Stretch) -> Stretch {
    let octets = |bits: u64| bits.div_ceil(8).max(layout.lengths.least_octets());
    let inner = inner.at(0);
    counted_octets(layout, octets(inner.fewest), inner.most.map(octets))
}

/// From `fewest` to `most` octets after their length determinant, but for what is in front of that.
fn counted_octets(layout: &Layout, fewest: u64, most: Option<u64>) -> Stretch {
    let whole = |octets: u64| octets.checked_add(length_octets(layout, octets)?)?.checked_mul(8);
    Stretch::between(fewest.saturating_add(1).saturating_mul(8), most.and_then(whole))
}

/// How many octets the length determinant of so many takes; `None` where there are fragments.
fn length_octets(layout: &Layout, octets: u64) -> Option<u64> {
    match layout.lengths {
        _ if octets < 128 => Some(1),
        Lengths::Definite => Some(1 + significant(octets)),
        Lengths::Varint => Some(varint::octets_of(octets) as u64),
        Lengths::Fragmented | Lengths::Aligned => (octets < 16384).then_some(2),
    }
}

/// How many octets an unsigned number takes, at least one.
fn significant(number: u64) -> u64 {
    u64::from((64 - (number | 1).leading_zeros()).div_ceil(8))
}

/// How many octets a tag takes (X.696 §8.7).
fn tag_octets(tag: u32) -> u64 {
    match tag & tag::MOST {
        0..=62 => 1,
        number => 1 + u64::from((32 - number.leading_zeros()).div_ceil(7)),
    }
}

/// How many octets an enumeration item's own number takes.
fn item_octets(pair: &[u32]) -> u64 {
    let number = pair.iter().fold(0, |number, half| number << 32 | u64::from(*half)) as i64;
    let magnitude = if number < 0 { !number } else { number };
    if (0..=127).contains(&number) { 1 } else { 1 + u64::from((65 - magnitude.leading_zeros()).div_ceil(8)) }
}

fn repeated(layout: &Layout, extent: &Extent, unit: Stretch) -> Stretch {
    let lead = lead(layout);
    let border = if extent.aligned { Stretch::border() } else { Stretch::exactly(0) };
    let some = |lower: u64, upper: u64| {
        let units = border.then(unit.times(lower.max(1).min(upper), upper));
        if lower == 0 { units.or(Stretch::exactly(0)) } else { units }
    };
    let root = match extent.count {
        Count::Fixed => some(extent.lower, extent.upper),
        Count::Field(width) => {
            let range = extent.upper.saturating_sub(extent.lower);
            field(width, u64::from(u64::BITS - range.leading_zeros())).then(some(extent.lower, extent.upper))
        }
        Count::Determinant | Count::InOctets if matches!(layout.lengths, Lengths::Definite | Lengths::Varint) => {
            // Of a bit string, an octet more tells how many bits of the last one are not used.
            let unused = u64::from(extent.count == Count::InOctets && unit == Stretch::exactly(1));
            let octets = |units: u64, bits: u64| units.checked_mul(bits)?.div_ceil(8).checked_add(unused);
            let unit = unit.anywhere();
            let fewest = octets(extent.lower, unit.fewest).unwrap_or(u64::MAX);
            let most = unit.most.filter(|_| extent.upper < u64::MAX).and_then(|most| octets(extent.upper, most));
            counted_octets(layout, fewest, most)
        }
        Count::Quantity => {
            let quantity = |units: u64| 8 + 8 * significant(units);
            let units = some(extent.lower, extent.upper);
            Stretch::between(16, Some(quantity(extent.upper))).then(units)
        }
        Count::Determinant | Count::InOctets => {
            let least = some(extent.lower, extent.lower);
            lead.then(Stretch::exactly(8)).then(least).then(Stretch::unbounded(0))
        }
    };
    if !extent.extensible {
        return root;
    }
    // Values outside an extensible root may be shorter than any in it.
    Stretch::exactly(1).then(root.or_shorter(lead.then(Stretch::exactly(8))))
}
