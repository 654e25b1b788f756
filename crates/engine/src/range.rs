//! Which integers and characters satisfy a constraint.

use roadwire_layout::{Layout, Node, NodeId, Span};
use roadwire_wire::rt::TwosComplement;
use roadwire_wire::{ErrorKind, Scalar};

use crate::wide;

/// Whether this integer is in the range of a [`Node::Word`], [`Node::Integer`] or one of the wide
/// variants.
pub(crate) fn admits(layout: &Layout, range: NodeId, value: Scalar<'_>) -> bool {
    let bound = |octets: Span| (octets.count > 0).then(|| layout.octets(octets));
    let within = |lower: Span, upper: Span, octets: &[u8]| {
        bound(lower).is_none_or(|lower| wide::compare(lower, octets).is_le())
            && bound(upper).is_none_or(|upper| wide::compare(octets, upper).is_le())
    };
    match (*layout.node(range), value) {
        (Node::Word { lower, upper, .. }, Scalar::Integer(value)) => lower <= value && value <= upper,
        (Node::Integer { lower, upper, .. }, Scalar::Integer(value)) => {
            lower.is_none_or(|lower| lower <= value) && upper.is_none_or(|upper| value <= upper)
        }
        (Node::Integer { lower, upper, .. }, Scalar::WideInteger(octets)) => {
            let negative = octets.first().is_some_and(|first| first & 0x80 != 0);
            if negative { lower.is_none() } else { upper.is_none() }
        }
        // Without a heap there are no such nodes.
        (Node::WideWord { .. } | Node::WideInteger { .. }, _) if !cfg!(feature = "alloc") => false,
        (Node::WideWord { lower, upper, .. } | Node::WideInteger { lower, upper, .. }, Scalar::Integer(value)) => {
            within(lower, upper, TwosComplement::signed(value).octets())
        }
        (Node::WideWord { lower, upper, .. } | Node::WideInteger { lower, upper, .. }, Scalar::WideInteger(octets)) => {
            within(lower, upper, octets)
        }
        _ => false,
    }
}

/// The error for an integer outside the range.
pub(crate) fn outside(layout: &Layout, range: NodeId, value: Scalar<'_>) -> ErrorKind {
    match (*layout.node(range), value) {
        (Node::Word { lower, upper, .. }, Scalar::Integer(value)) => ErrorKind::IntegerRange { value, lower, upper },
        (Node::Integer { lower, upper, .. }, Scalar::Integer(value)) => {
            ErrorKind::IntegerRange { value, lower: lower.unwrap_or(i128::MIN), upper: upper.unwrap_or(i128::MAX) }
        }
        _ => ErrorKind::IntegerWidth,
    }
}
