//! INTEGERs that have their own octets in memory: each family says how they are coded, and within
//! which bounds.

use roadwire_layout::{Layout, Node, Span};
use roadwire_wire::rt::TwosComplement;

use crate::plan::{Coding, Draft, Place, Range, Stmt, Wide};

/// Writes or reads one.
pub(crate) fn integer(draft: &mut Draft<'_, '_>, place: &Place, coding: Coding, range: Range) {
    let wide = Wide { place: place.clone(), coding, range };
    draft.push(Stmt::Settle);
    draft.push(if draft.is_encoder() { Stmt::PutInteger(wide) } else { Stmt::TakeInteger(wide) });
}

/// A number in two's complement.
pub(crate) fn octets(number: i128) -> Vec<u8> {
    TwosComplement::signed(number).octets().to_vec()
}

/// Bounds of 128 bits.
pub(crate) fn near((lower, upper): (Option<i128>, Option<i128>)) -> Range {
    Range { lower: lower.map(octets), upper: upper.map(octets), is_far: false }
}

/// The same, where the least and the greatest number stand for none.
pub(crate) fn within((lower, upper): (i128, i128)) -> Range {
    let some = |bound: i128, none: i128| Some(bound).filter(|bound| *bound != none);
    near((some(lower, i128::MIN), some(upper, i128::MAX)))
}

/// Bounds of any length; without octets there is none.
pub(crate) fn far(layout: &Layout, lower: Span, upper: Span) -> Range {
    let bound = |span: Span| Some(layout.octets(span).to_vec()).filter(|octets| !octets.is_empty());
    Range { lower: bound(lower), upper: bound(upper), is_far: true }
}

/// The same, where an error has a number of up to 128 bits outside, if the bounds have no more.
pub(crate) fn reported(layout: &Layout, lower: Span, upper: Span) -> Range {
    let range = far(layout, lower, upper);
    let is_far = [&range.lower, &range.upper].into_iter().flatten().any(|bound| bound.len() > 16);
    Range { is_far, ..range }
}

/// The bounds of a node of packed rules, of octet rules, or of events.
pub(crate) fn range(layout: &Layout, node: &Node) -> Option<Range> {
    Some(match *node {
        Node::Word { lower, upper, .. } | Node::Integer { lower, upper, .. } => {
            near((layout.bound(lower), layout.bound(upper)))
        }
        Node::WideWord { lower, upper, .. } | Node::WideInteger { lower, upper, .. } => far(layout, lower, upper),
        _ => return None,
    })
}
