//! How many bits the nodes take that several families share, and their other properties.

use roadwire_wire::rt::varint;

use crate::length_bounds::{LengthBounds, Values, nearest_to_zero};
use crate::node::{Addition, Count, Extent, Form, Layout, LengthForm, Node, NodeId, Presence, Span, Width, tag};
use crate::rules::Family;

/// How many bits a node takes; `of` has those of other nodes.
pub(crate) fn length_bounds(
    layout: &Layout,
    node: &Node,
    values: Values,
    mut of: impl FnMut(NodeId) -> LengthBounds,
) -> LengthBounds {
    let lead = lead(layout);
    match *node {
        Node::Null => LengthBounds::exactly(0),
        Node::Boolean { bits } => LengthBounds::exactly(u64::from(bits)),
        Node::Word { width, lower, upper, .. } => {
            let (lower, upper) = layout.bounds(lower, upper);
            let range = upper.abs_diff(lower);
            field(width, u64::from(128 - range.leading_zeros()))
        }
        Node::WideWord { width, lower, upper } => field(width, distance(layout, lower, upper)),
        Node::Integer { form, lower, upper } => {
            lead.then(integer(layout, form, layout.bound(lower), layout.bound(upper)))
        }
        Node::WideInteger { form, lower, upper } => lead.then(wide_integer(layout, form, lower, upper)),
        Node::Extension { root, beyond } => {
            let (root, beyond) = (of(root), of(beyond));
            LengthBounds::exactly(1).then(if values.go_beyond(true) { root.or(beyond) } else { root })
        }
        Node::Enumerated { width, root, additions, .. } => {
            let root = field(width, u64::from(u32::BITS - root.leading_zeros()));
            match additions {
                Some(_) if values.go_beyond(true) => LengthBounds::exactly(1).then(root.or(small(UNKNOWN_ITEMS, lead))),
                Some(0) => LengthBounds::exactly(1).then(root),
                Some(count) => LengthBounds::exactly(1).then(root.or(small(u64::from(count), lead))),
                None => root,
            }
        }
        Node::Numbered { values: items, extensible, .. } => {
            let unknown = values.go_beyond(extensible).then_some([1, UNKNOWN_ITEM_OCTETS]).into_iter().flatten();
            let octets = layout.item_numbers(items).map(item_octets).chain(unknown);
            let each = octets.map(|octets| LengthBounds::exactly(octets * 8));
            each.reduce(LengthBounds::or).unwrap_or(LengthBounds::exactly(8))
        }
        Node::BinaryReal { bits, .. } => LengthBounds::exactly(u64::from(bits)),
        Node::Real => lead.then(counted_octets(layout, 0, Some(REAL_OCTETS))),
        Node::Oid { .. } => lead.then(LengthBounds::unbounded(16)),
        Node::Bits { extent, whole, .. } => {
            let bits = repeated(layout, &extent, values, LengthBounds::exactly(1));
            if whole { bits.then(LengthBounds::border()) } else { bits }
        }
        Node::Octets { extent } => repeated(layout, &extent, values, LengthBounds::exactly(8)),
        Node::Characters { extent, characters } => {
            let bits = u64::from(layout.character_set(characters).bits);
            repeated(layout, &extent, values, LengthBounds::exactly(bits))
        }
        Node::Text { utf8, lower, upper, alphabet } => {
            let (least, most) = if utf8 { utf8_octets(layout.numbers(alphabet)) } else { (1, 1) };
            let upper = upper.checked_mul(most).filter(|_| upper < u64::MAX);
            lead.then(counted_octets(layout, lower.saturating_mul(least), upper))
        }
        Node::List { extent, element, .. } => {
            let element = of(element);
            repeated(layout, &extent, values, element)
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
            match (values.go_beyond(extensible), tags.count) {
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

/// How many indexes an item has that this version does not know, from that of the first addition on
/// ([`ordinal_of_unknown_item`](roadwire_wire::ordinal_of_unknown_item)).
const UNKNOWN_ITEMS: u64 = 1 << 31;

/// The octets of the greatest number that an unknown item may have, which is 31 bits wide with its
/// sign.
const UNKNOWN_ITEM_OCTETS: u64 = 5;

/// The most contents octets of a REAL of 64 bits: of its base and its sign, its exponent, and its
/// mantissa (X.690 §8.5.7).
pub(crate) const REAL_OCTETS: u64 = 10;

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
    let whole = |octets: u64| octets.checked_add(length_octets(layout, octets))?.checked_mul(8);
    LengthBounds::between(whole(fewest).unwrap_or(u64::MAX), most.and_then(whole))
}

/// How many octets the length determinants of `octets` octets take.
fn length_octets(layout: &Layout, octets: u64) -> u64 {
    match layout.length_form {
        LengthForm::Definite if octets < 128 => 1,
        LengthForm::Definite => 1 + significant(octets),
        LengthForm::Varint => varint::octets_of(octets) as u64,
        LengthForm::Fragmented | LengthForm::Aligned => {
            let Fragments { whole, part, rest } = Fragments::of(octets);
            whole + u64::from(part > 0) + if rest < 128 { 1 } else { 2 }
        }
    }
}

/// Units as they follow their length determinants (X.691 §11.9.3.8).
struct Fragments {
    /// How many fragments have 64K units.
    whole: u64,
    /// The units of a fragment of 16K, 32K or 48K, or 0.
    part: u64,
    /// The units at the end: less than 16K.
    rest: u64,
}

impl Fragments {
    const UNIT: u64 = 1 << 14;
    const MOST: u64 = 4 * Self::UNIT;

    fn of(units: u64) -> Self {
        let (after, rest) = (units % Self::MOST, units % Self::UNIT);
        Fragments { whole: units / Self::MOST, part: after - rest, rest }
    }
}

/// From `lower` to `upper` units of `unit` bits with their length determinants, the units after
/// `border`.
fn fragmented(lead: LengthBounds, border: LengthBounds, unit: LengthBounds, lower: u64, upper: u64) -> LengthBounds {
    let fragment = |head: u64, units: u64| match units {
        0 => lead.then(LengthBounds::exactly(head)),
        _ => lead.then(LengthBounds::exactly(head)).then(border).then(unit.times(units, units)),
    };
    let of = |units: u64| {
        let Fragments { whole, part, rest } = Fragments::of(units);
        let mut all = fragment(8, Fragments::MOST).times(whole, whole);
        if part > 0 {
            all = all.then(fragment(8, part));
        }
        all.then(fragment(if rest < 128 { 8 } else { 16 }, rest))
    };
    // The last determinant before a fragment is longer than that after it: of small units, more may
    // take less.
    let least = of(lower).or(of(lower.checked_next_multiple_of(Fragments::UNIT).map_or(lower, |next| next.min(upper))));
    match upper {
        u64::MAX => least.then(LengthBounds::unbounded(0)),
        _ => least.or(of(upper)).or(of((upper - upper % Fragments::UNIT).saturating_sub(1).max(lower))),
    }
}

/// The octets of an integer between bounds, after their length determinant.
fn integer(layout: &Layout, form: Form, lower: Option<i128>, upper: Option<i128>) -> LengthBounds {
    let signed = |number: i128| u64::from((129 - magnitude(number).leading_zeros()).div_ceil(8));
    let unsigned = |number: i128| u64::from((128 - (number as u128).leading_zeros()).div_ceil(8)).max(1);
    let (fewest, most) = match (form, lower, upper) {
        (Form::Offset, Some(lower), Some(upper)) => (1, Some(unsigned(upper.wrapping_sub(lower)))),
        (Form::Offset, ..) => (1, None),
        (Form::Unsigned, lower, upper) => (lower.map_or(1, unsigned), upper.map(unsigned)),
        (Form::Signed, lower, upper) => {
            let nearest = nearest_to_zero(lower, upper);
            (signed(nearest), lower.zip(upper).map(|(lower, upper)| signed(lower).max(signed(upper))))
        }
    };
    counted_octets(layout, fewest, most)
}

/// The same between bounds of which one has more than 128 bits.
fn wide_integer(layout: &Layout, form: Form, lower: Span, upper: Span) -> LengthBounds {
    let unsigned = |bound: Span| layout.octets(bound).iter().skip_while(|octet| **octet == 0).count() as u64;
    let (fewest, most) = match (form, lower.count, upper.count) {
        (Form::Unsigned, _, _) => (unsigned(lower).max(1), (upper.count > 0).then(|| unsigned(upper).max(1))),
        (Form::Offset, 1.., 1..) => (1, Some(distance(layout, lower, upper).div_ceil(8).max(1))),
        (_, 1.., 1..) => (1, Some(lower.count.max(upper.count).into())),
        _ => (1, None),
    };
    counted_octets(layout, fewest, most)
}

/// The bits of the difference between two bounds.
fn distance(layout: &Layout, lower: Span, upper: Span) -> u64 {
    let [lower, upper] = [lower, upper].map(|bound| layout.octets(bound));
    let octet = |bound: &[u8], at: usize| match bound.len().checked_sub(at + 1) {
        Some(place) => bound[place],
        None if bound.first().is_some_and(|first| *first >= 0x80) => 0xff,
        None => 0,
    };
    let (mut bits, mut borrow) = (0, false);
    for at in 0..=lower.len().max(upper.len()) {
        let (difference, first) = octet(upper, at).overflowing_sub(octet(lower, at));
        let (difference, second) = difference.overflowing_sub(borrow.into());
        borrow = first || second;
        if difference > 0 {
            bits = 8 * at as u64 + u64::from(8 - difference.leading_zeros());
        }
    }
    bits
}

/// The bits of a number in two's complement, without its sign.
fn magnitude(number: i128) -> u128 {
    (if number < 0 { !number } else { number }) as u128
}

/// The fewest and the most octets of a character in UTF-8.
pub(crate) fn utf8_octets(alphabet: &[u32]) -> (u64, u64) {
    let octets = |code: &u32| char::from_u32(*code).map(|character| character.len_utf8() as u64);
    (alphabet.first().and_then(octets).unwrap_or(1), alphabet.last().and_then(octets).unwrap_or(4))
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

fn repeated(layout: &Layout, extent: &Extent, values: Values, unit: LengthBounds) -> LengthBounds {
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
            LengthBounds::between(quantity(extent.lower), Some(quantity(extent.upper))).then(units)
        }
        Count::Determinant | Count::InOctets => fragmented(lead, border, unit, extent.lower, extent.upper),
    };
    match (extent.extensible, values) {
        (false, _) => root,
        (true, Values::InRoots) => LengthBounds::exactly(1).then(root),
        (true, Values::All) => LengthBounds::exactly(1).then(root.or(fragmented(lead, border, unit, 0, u64::MAX))),
    }
}
