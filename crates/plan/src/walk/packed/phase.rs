//! Where in an octet something begins, if known in advance: then alignment is a constant number of
//! zero bits, and costs nothing.

use std::cell::RefCell;
use std::collections::HashMap;

use roadwire_layout::{Count, Extent, Layout, LengthForm, Node, NodeId, Presence, Width};

/// A bit of an octet, counted from its most significant one, or `None` if it depends on the value.
pub(crate) type Phase = Option<u64>;

/// The phase after `bits` bits.
pub(crate) fn advance(phase: Phase, bits: u64) -> Phase {
    phase.map(|at| (at + bits) % 8)
}

/// The phase where two branches join.
pub(crate) fn join(one: Phase, other: Phase) -> Phase {
    one.filter(|_| one == other)
}

/// The phase where all branches join.
pub(crate) fn join_all(ends: &[Phase]) -> Phase {
    let first = ends.first().copied().flatten();
    first.filter(|_| ends.iter().all(|end| *end == first))
}

/// How many bits pad the octet.
pub(crate) fn padding(at: u64) -> u64 {
    (8 - at % 8) % 8
}

/// The most nodes to visit: recursive types would have no end. Beyond it, the phase is unknown.
const NODES: u32 = 10_000;
/// The deepest level to visit. Messages nest ten levels.
const DEEPEST: u32 = 40;

/// Where parts of a layout end, computed once for each bit at which they begin.
#[derive(Default)]
pub(crate) struct Ends(RefCell<HashMap<(NodeId, Phase), Phase>>);

impl Ends {
    /// The phase after a node that begins at `start`, in the forms that straight-line code handles.
    pub(crate) fn after(&self, layout: &Layout, node: NodeId, start: Phase) -> Phase {
        if let Some(known) = self.0.borrow().get(&(node, start)) {
            return *known;
        }
        let end = ended(layout, node, start, DEEPEST, &mut { NODES });
        self.0.borrow_mut().insert((node, start), end);
        end
    }
}

fn ended(layout: &Layout, node: NodeId, start: Phase, levels: u32, left: &mut u32) -> Phase {
    *left = left.checked_sub(1)?;
    let levels = levels.checked_sub(1)?;
    let mut end = |node: NodeId, start: Phase| ended(layout, node, start, levels, left);
    match *layout.node(node) {
        Node::Null => start,
        Node::Boolean { bits } => advance(start, bits.into()),
        Node::Word { width, .. } => field(width, start),
        Node::Enumerated { width, additions, .. } => {
            let root = field(width, advance(start, additions.is_some().into()));
            // The extension bit and the index of an added item are an octet.
            if additions.unwrap_or(0) == 0 { root } else { join(root, start) }
        }
        Node::Extension { root, .. } => end(root, advance(start, 1)),
        Node::Bits { extent, .. } => string(&extent, 1, start),
        Node::Octets { extent } => string(&extent, 8, start),
        Node::Characters { extent, characters } => string(&extent, layout.character_set(characters).bits.into(), start),
        Node::Text { .. } if layout.length_form == LengthForm::Aligned => Some(0),
        Node::Text { .. } => start,
        Node::List { extent, element, .. } => {
            let first = counted(&extent, start);
            join(first, end(element, first))
        }
        Node::Record { extensible, bitmap, padding, members, additions, .. } => {
            let front = u64::from(extensible) + u64::from(bitmap) + u64::from(padding);
            let root = layout.members(members).iter().fold(advance(start, front), |at, member| {
                let there = end(member.node, at);
                if member.presence == Presence::Mandatory { there } else { join(at, there) }
            });
            if additions.count == 0 { root } else { join(root, after_open_type(layout)) }
        }
        Node::Choice { extensible, width, root, alternatives, tags } if tags.count == 0 => {
            let first = field(width, advance(start, extensible.into()));
            let rooted = layout.alternatives(alternatives).iter().take(root as usize).map(|one| end(one.node, first));
            let mut ends: Vec<Phase> = rooted.collect();
            ends.extend((alternatives.count > root).then(|| after_open_type(layout)));
            join_all(&ends)
        }
        Node::Scope { record, .. } => end(record, start),
        Node::Key { node, .. } => end(node, start),
        _ => None,
    }
}

/// The phase after an open type.
pub(crate) fn after_open_type(layout: &Layout) -> Phase {
    matches!(layout.length_form, LengthForm::Aligned | LengthForm::Definite).then_some(0)
}

/// The phase after a number.
pub(crate) fn field(width: Width, start: Phase) -> Phase {
    match width {
        Width::Anywhere(bits) => advance(start, bits.into()),
        Width::Aligned(bits) => Some(u64::from(bits) % 8),
        Width::Counted { .. } => Some(0),
    }
}

/// The phase after the number of units.
fn counted(extent: &Extent, start: Phase) -> Phase {
    let start = advance(start, extent.extensible.into());
    match extent.count {
        Count::Field { bits, aligned } => field(Width::of_field(bits, aligned), start),
        Count::Fixed => start,
        Count::Determinant | Count::InOctets | Count::Quantity => None,
    }
}

/// The phase after a string.
fn string(extent: &Extent, bits: u64, start: Phase) -> Phase {
    after_units(extent, bits, counted(extent, start))
}

/// The phase after a string that follows its number of units.
pub(crate) fn after_units(extent: &Extent, bits: u64, start: Phase) -> Phase {
    let begin = if extent.aligned { Some(0) } else { start };
    let end = match extent.count {
        Count::Fixed => advance(begin, extent.lower * bits),
        _ => begin.filter(|_| bits % 8 == 0),
    };
    if extent.lower == 0 { join(start, end) } else { end }
}
