//! Which integers and characters satisfy a constraint.

#[cfg(feature = "alloc")]
use roadwire_layout::Span;
use roadwire_layout::{Bound, Layout, Node, NodeId};
#[cfg(feature = "alloc")]
use roadwire_wire::rt::TwosComplement;
use roadwire_wire::{ErrorKind, Scalar};

#[cfg(feature = "alloc")]
use crate::wide;

/// Whether this integer is in the range of a [`Node::Word`], [`Node::Integer`] or one of the wide
/// variants.
pub(crate) fn admits(layout: &Layout, range: NodeId, value: Scalar<'_>) -> bool {
    #[cfg(feature = "alloc")]
    let bound = |octets: Span| (octets.count > 0).then(|| layout.octets(octets));
    #[cfg(feature = "alloc")]
    let within = |lower: Span, upper: Span, octets: &[u8]| {
        bound(lower).is_none_or(|lower| wide::compare(lower, octets).is_le())
            && bound(upper).is_none_or(|upper| wide::compare(octets, upper).is_le())
    };
    match (*layout.node(range), value) {
        (Node::Word { lower, upper, .. } | Node::Integer { lower, upper, .. }, Scalar::Integer(value)) => {
            let (lower, upper) = layout.bounds(lower, upper);
            lower <= value && value <= upper
        }
        (Node::Integer { lower, upper, .. }, Scalar::WideInteger(octets)) => {
            let negative = octets.first().is_some_and(|first| first & 0x80 != 0);
            (if negative { lower } else { upper }) == Bound::NONE
        }
        // Without a heap there are no such nodes.
        #[cfg(feature = "alloc")]
        (Node::WideWord { lower, upper, .. } | Node::WideInteger { lower, upper, .. }, Scalar::Integer(value)) => {
            within(lower, upper, TwosComplement::signed(value).octets())
        }
        #[cfg(feature = "alloc")]
        (Node::WideWord { lower, upper, .. } | Node::WideInteger { lower, upper, .. }, Scalar::WideInteger(octets)) => {
            within(lower, upper, octets)
        }
        _ => false,
    }
}

/// The error for an integer outside the range.
pub(crate) fn outside(layout: &Layout, range: NodeId, value: Scalar<'_>) -> ErrorKind {
    match (*layout.node(range), value) {
        (Node::Word { lower, upper, .. } | Node::Integer { lower, upper, .. }, Scalar::Integer(value)) => {
            let (lower, upper) = layout.bounds(lower, upper);
            ErrorKind::IntegerRange { value, lower, upper }
        }
        _ => ErrorKind::IntegerWidth,
    }
}
