//! The node kinds of BER, DER and CER.

use roadwire_wire::rt::tlv::Identifier;

use super::contents::Contents;
use crate::index::{NodeId, Span};

/// An element of such an encoding.
// With `repr`, as for `Node`: otherwise the kind is in the niche of an inner enum, which costs the
// interpreter 4 % of its instructions. Fields lie in the order in which they are written then:
// small ones stand in front, or each node of a table takes 8 octets more on a microcontroller.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TlvNode {
    /// A value that is composed of others, after an identifier and a length (X.690 §8.1).
    Tagged {
        /// The identifier, with its bit for "constructed".
        identifier: Identifier,
        /// Its contents.
        contents: NodeId,
        /// Whether it is written with an indefinite length (X.690 §9.1).
        indefinite: bool,
    },
    /// A value that is not composed of others, after an identifier and a length.
    Primitive {
        /// Whether a string of more than 1000 octets is written in segments, with an indefinite
        /// length (X.690 §9.2).
        indefinite: bool,
        /// The identifier.
        identifier: Identifier,
        /// Its contents octets.
        contents: Contents,
    },
    /// Components one after the other, up to the end of the contents, each identified by its tag.
    Record {
        /// All components of the type, in the order in which they are written unless `order` says
        /// otherwise.
        members: Span,
        /// The members that are extension additions; those of a later version follow them. `None`
        /// without an extension marker.
        additions: Option<Span>,
        /// How many additions there are, groups counted once.
        known: u32,
        /// The addition groups in [`Layout::numbers`](crate::Layout::numbers): pairs of first
        /// member and number of members. A mandatory member must be present if another member of
        /// its group is.
        groups: Span,
        /// The order of the components.
        order: Order,
    },
    /// One of the alternatives, identified by its tag.
    Choice {
        /// The alternatives.
        alternatives: Span,
        /// How many of the alternatives are in the root.
        root: u32,
        /// Whether there may be others.
        extensible: bool,
    },
    /// Elements up to the end of the contents.
    List {
        /// Fewest elements.
        lower: u64,
        /// Most elements; `u64::MAX` without a bound.
        upper: u64,
        /// The element.
        element: NodeId,
        /// Whether they are written in the order of their encodings (X.690 §11.6).
        sorted: bool,
    },
    /// One value after identifier and length, of any type; or of the type in a row of a table, as
    /// with [`Node::Table`](crate::Node::Table).
    Open {
        /// The slot with the row, if there are any rows.
        slot: u32,
        /// Each row's type: nodes in [`Layout::numbers`](crate::Layout::numbers); none without a
        /// table.
        rows: Span,
    },
}

/// The order of components that are identified by their tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// In textual order.
    Textual,
    /// Read in any order; written in textual order.
    Any,
    /// Read in any order; written in the order of their tags (X.690 §9.3, §10.3), which is the
    /// order of the members.
    Sorted,
    /// Read in any order; written in the order of their tags, given as indexes of members, in
    /// [`Layout::numbers`](crate::Layout::numbers).
    SortedByPlace(Span),
    /// Read in any order; written in the order of their tags, which depends on the value.
    SortedByValue,
}
