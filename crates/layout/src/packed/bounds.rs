//! How many bits the nodes take that several families share, and their other properties.

use roadwire_wire::rt::varint;

use crate::length_bounds::LengthBounds;
use crate::node::{Addition, Count, Extent, Layout, LengthForm, Node, NodeId, Presence, Width, tag};
use crate::rules::Family;

/// How many bits a node takes; `of` has those of other nodes.
pub(crate) fn length_bounds(layout: &Layout, node: &Node, mut of: impl FnMut(NodeId) -> LengthBounds) -> LengthBounds {
    let lead = lead(layout);
    match *node {
        Node::Null => LengthBounds::exactly(0),
        Node::Boolean { bits } => LengthBounds::exactly(u64::from(bits)),
        Node::Word { width, lower, upper, .. } => {
            let (lower, upper) = layout.bounds(lower, upper);
            let range = upper.abs_diff(lower);
            field(width, u64::from(128 - range.leading_zeros()))
        }
        Node::WideWord { width, lower, upper } => field(width, 8 * (u64::from(lower.count.max(upper.count)) + 1)),
        Node::Integer { .. } | Node::WideInteger { .. } => lead.then(LengthBounds::unbounded(16)),
        Node::Extension { root, beyond } => {
            // Values outside a wide root may be shorter than those in it.
            LengthBounds::exactly(1).then(of(root).or_shorter(of(beyond)))
        }
        Node::Enumerated { width, root, additions, .. } => {
            let root = field(width, u64::from(u32::BITS - root.leading_zeros()));
            match additions {
                Some(count) => {
                    LengthBounds::exactly(1).then(root.or(small(u64::from(count), lead)).or_shorter(small(0, lead)))
                }
                None => root,
            }
        }
        Node::Numbered { values, extensible, .. } => {
            let octets = layout.item_numbers(values).map(item_octets);
            let fewest = if extensible { Some(1) } else { octets.clone().min() };
            LengthBounds::between(fewest.unwrap_or(1) * 8, octets.max().map(|most| most * 8))
        }
        Node::BinaryReal { bits, .. } => LengthBounds::exactly(u64::from(bits)),
        Node::Real => lead.then(LengthBounds::unbounded(8)),
        Node::Oid { .. } => lead.then(LengthBounds::unbounded(16)),
        Node::Bits { extent, whole, .. } => {
            let bits = repeated(layout, &extent, LengthBounds::exactly(1));
            if whole { bits.then(LengthBounds::border()) } else { bits }
        }
        Node::Octets { extent } => repeated(layout, &extent, LengthBounds::exactly(8)),
        Node::Characters { extent, characters } => {
            repeated(layout, &extent, LengthBounds::exactly(u64::from(layout.character_set(characters).bits)))
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
            let mut sum = LengthBounds::exactly(u64::from(extensible) + u64::from(bitmap) + u64::from(padding));
            for member in layout.members(members) {
                let one = of(member.node);
                sum = sum.then(if member.presence == Presence::Mandatory { one } else { one.or_absent() });
            }
            let additions = layout.additions(additions);
            let mut extra = match additions.len() as u64 {
                0 => LengthBounds::exactly(0),
                count if layout.rules.family() == Family::Octet => {
                    let octets = 1 + count.div_ceil(8);
                    counted_octets(layout, octets, Some(octets))
                }
                count @ 1..=64 => LengthBounds::exactly(7 + count),
                count => LengthBounds::exactly(1)
                    .then(lead)
                    .then(LengthBounds::exactly(if count < 128 { 8 } else { 16 } + count)),
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
            let bit = LengthBounds::exactly(u64::from(extensible && tags.count == 0));
            let index = bit.then(field(width, u64::from(u32::BITS - root.leading_zeros())));
            let later = bit.then(small(u64::from(alternatives.count.saturating_sub(root)), lead)).then(lead);
            let mut either: Option<LengthBounds> = None;
            for (at, alternative) in layout.alternatives(alternatives).iter().enumerate() {
                let one = of(alternative.node);
                let content = if at < root as usize { one } else { open(layout, one) };
                let one = match tags.count {
                    0 if at < root as usize => index.then(content),
                    0 => later.then(content),
                    _ => {
                        let mut pairs = layout.numbers(tags).chunks_exact(2);
                        let tag = pairs.find(|pair| pair[1] == at as u32).map_or(0, |pair| tag_octets(pair[0]));
                        LengthBounds::exactly(tag * 8).then(content)
                    }
                };
                either = Some(either.map_or(one, |other| other.or(one)));
            }
            let known = either.unwrap_or(index);
            // An alternative of a later version: its index or tag, and the least of an open type.
            let least = open(layout, LengthBounds::exactly(0));
            match (extensible, tags.count) {
                (false, _) => known,
                (true, 0) => known.or_shorter(bit.then(small(0, lead)).then(lead).then(least)),
                (true, _) => known.or_shorter(LengthBounds::exactly(8).then(least)),
            }
        }
        Node::Open | Node::Table { .. } => lead.then(open(layout, LengthBounds::unbounded(0))),
        Node::Key { node, .. } | Node::Scope { record: node, .. } | Node::Time { node, .. } => of(node),
        // How long the string may be counts, not what its content takes.
        Node::Contained { string, .. } | Node::Fitting { octets: string, .. } => of(string),
        // Each family's `bounds.rs` answers for its own nodes.
        Node::Tlv(_)
        | Node::Fields(_)
        | Node::Events(_)
        | Node::Xml(_)
        | Node::Json(_)
        | Node::Vectors(_)
        | Node::Cbor(_) => LengthBounds::unbounded(0),
    }
}

/// Whether there is a bit for some part.
pub(crate) fn has_optional_parts(node: &Node) -> bool {
    matches!(node, Node::Record { extensible, bitmap, .. } if *extensible || *bitmap > 0)
}

/// Whether it can hold unknown additions.
pub(crate) fn keeps_additions(node: &Node) -> bool {
    match *node {
        Node::Record { extensible, .. } | Node::Choice { extensible, .. } | Node::Numbered { extensible, .. } => {
            extensible
        }
        Node::Enumerated { additions, .. } => additions.is_some(),
        _ => false,
    }
}

/// For an integer or enumeration, whether its width depends on the value.
pub(crate) fn number_varies(node: &Node) -> Option<bool> {
    match node {
        Node::Word { .. } | Node::WideWord { .. } | Node::Enumerated { .. } => Some(false),
        Node::Integer { .. } | Node::WideInteger { .. } | Node::Numbered { .. } => Some(true),
        _ => None,
    }
}

/// Whether a node, without the nodes that it contains, always takes whole octets.
pub(crate) fn is_whole_octets(layout: &Layout, node: &Node) -> bool {
    let octets = |width: Width| matches!(width, Width::Anywhere(bits) | Width::Aligned(bits) if bits % 8 == 0);
    let counted = |extent: &Extent| {
        !extent.extensible
            && match extent.count {
                Count::Fixed | Count::Determinant | Count::InOctets | Count::Quantity => true,
                Count::Field { bits, .. } => bits % 8 == 0,
            }
    };
    match *node {
        Node::Null | Node::Integer { .. } | Node::WideInteger { .. } | Node::Real | Node::Oid { .. } => true,
        Node::Text { .. } | Node::Numbered { .. } | Node::BinaryReal { .. } => true,
        Node::Boolean { bits } => bits % 8 == 0,
        Node::Extension { .. } => false,
        // Their parts are nodes as well.
        Node::Time { .. } => true,
        Node::Word { width, .. } | Node::WideWord { width, .. } => octets(width),
        Node::Enumerated { width, additions, .. } => octets(width) && additions.is_none(),
        Node::Bits { ref extent, whole, .. } => {
            counted(extent) && (whole || extent.lower == extent.upper && extent.lower % 8 == 0)
        }
        Node::Octets { ref extent } | Node::List { ref extent, .. } => counted(extent),
        Node::Characters { ref extent, characters } => {
            counted(extent) && layout.character_set(characters).bits % 8 == 0
        }
        Node::Record { extensible, bitmap, padding, .. } => {
            // Additions are whole octets only if their lengths are.
            (!extensible || layout.rules.family() == Family::Octet)
                && (u32::from(bitmap) + u32::from(padding) + u32::from(extensible)) % 8 == 0
        }
        Node::Choice { extensible, width, tags, .. } => tags.count > 0 || !extensible && octets(width),
        _ => true,
    }
}

/// The padding before a length determinant.
fn lead(layout: &Layout) -> LengthBounds {
    match layout.length_form {
        LengthForm::Fragmented | LengthForm::Definite | LengthForm::Varint => LengthBounds::exactly(0),
        LengthForm::Aligned => LengthBounds::border(),
    }
}

/// A number of up to `bits` bits.
fn field(width: Width, bits: u64) -> LengthBounds {
    match width {
        Width::Anywhere(bits) => LengthBounds::exactly(u64::from(bits)),
        Width::Aligned(bits) => LengthBounds::border().then(LengthBounds::exactly(u64::from(bits))),
        Width::Counted { bits: count, aligned } => {
            let front = if aligned { LengthBounds::border() } else { LengthBounds::exactly(0) };
            let octets = LengthBounds::between(8, Some(bits.div_ceil(8).max(1) * 8));
            front.then(LengthBounds::exactly(u64::from(count))).then(LengthBounds::border()).then(octets)
        }
    }
}

/// A normally small number below `count`: of 6 bits, or of octets after a length determinant (X.691
/// §11.6).
fn small(count: u64, lead: LengthBounds) -> LengthBounds {
    if count <= 64 {
        return LengthBounds::exactly(7);
    }
    let octets = u64::from((u64::BITS - (count - 1).leading_zeros()).div_ceil(8));
    let large = LengthBounds::exactly(1).then(lead).then(LengthBounds::between(16, Some(8 + octets * 8)));
    large.or(LengthBounds::exactly(7))
}

/// An open type: whole octets after their length.
fn open(layout: &Layout, inner: LengthBounds) -> LengthBounds {
    let octets = |bits: u64| bits.div_ceil(8).max(layout.least_octets());
    let inner = inner.at(0);
    counted_octets(layout, octets(inner.fewest), inner.most.map(octets))
}

/// From `fewest` to `most` octets after their length determinant, without padding before it.
fn counted_octets(layout: &Layout, fewest: u64, most: Option<u64>) -> LengthBounds {
    let whole = |octets: u64| octets.checked_add(length_octets(layout, octets)?)?.checked_mul(8);
    LengthBounds::between(fewest.saturating_add(1).saturating_mul(8), most.and_then(whole))
}

/// How many octets the length determinant of `octets` octets takes; `None` if there are fragments.
fn length_octets(layout: &Layout, octets: u64) -> Option<u64> {
    match layout.length_form {
        _ if octets < 128 => Some(1),
        LengthForm::Definite => Some(1 + significant(octets)),
        LengthForm::Varint => Some(varint::octets_of(octets) as u64),
        LengthForm::Fragmented | LengthForm::Aligned => (octets < 16384).then_some(2),
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

/// How many octets the number of an enumeration item takes.
fn item_octets(number: i64) -> u64 {
    let magnitude = if number < 0 { !number } else { number };
    if (0..=127).contains(&number) { 1 } else { 1 + u64::from((65 - magnitude.leading_zeros()).div_ceil(8)) }
}

fn repeated(layout: &Layout, extent: &Extent, unit: LengthBounds) -> LengthBounds {
    let lead = lead(layout);
    let border = if extent.aligned { LengthBounds::border() } else { LengthBounds::exactly(0) };
    let some = |lower: u64, upper: u64| {
        let units = border.then(unit.times(lower.max(1).min(upper), upper));
        if lower == 0 { units.or(LengthBounds::exactly(0)) } else { units }
    };
    let root = match extent.count {
        Count::Fixed => some(extent.lower, extent.upper),
        Count::Field { bits, aligned } => {
            let range = extent.upper.saturating_sub(extent.lower);
            field(Width::of_field(bits, aligned), u64::from(u64::BITS - range.leading_zeros()))
                .then(some(extent.lower, extent.upper))
        }
        Count::Determinant | Count::InOctets
            if matches!(layout.length_form, LengthForm::Definite | LengthForm::Varint) =>
        {
            // A bit string has one more octet, for the number of unused bits in the last one.
            let unused = u64::from(extent.count == Count::InOctets && unit == LengthBounds::exactly(1));
            let octets = |units: u64, bits: u64| units.checked_mul(bits)?.div_ceil(8).checked_add(unused);
            let unit = unit.anywhere();
            let fewest = octets(extent.lower, unit.fewest).unwrap_or(u64::MAX);
            let most = unit.most.filter(|_| extent.upper < u64::MAX).and_then(|most| octets(extent.upper, most));
            counted_octets(layout, fewest, most)
        }
        Count::Quantity => {
            let quantity = |units: u64| 8 + 8 * significant(units);
            let units = some(extent.lower, extent.upper);
            LengthBounds::between(16, Some(quantity(extent.upper))).then(units)
        }
        Count::Determinant | Count::InOctets => {
            let least = some(extent.lower, extent.lower);
            lead.then(LengthBounds::exactly(8)).then(least).then(LengthBounds::unbounded(0))
        }
    };
    if !extent.extensible {
        return root;
    }
    // Values outside an extensible root may be shorter than those in it.
    LengthBounds::exactly(1).then(root.or_shorter(lead.then(LengthBounds::exactly(8))))
}
