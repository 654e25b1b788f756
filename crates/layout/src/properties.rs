//! Properties of a layout that are computed without encoding anything.

use alloc::vec;
use alloc::vec::Vec;

pub use crate::length_bounds::Bits;
use crate::length_bounds::{LengthBounds, Values};
use crate::node::{Layout, Node, NodeId, Width};
use crate::{Family, packed};

/// Properties of a whole layout. The greatest sizes do not include unknown extension additions,
/// which are octets that come on top; `docs/decisions/49-bounds.md` says why there are two bounds.
#[derive(Clone, Debug)]
pub struct Properties {
    /// For each node, how many bits it takes, whatever the bit of an octet at which it begins.
    pub bits: Vec<Bits>,
    /// The whole message in bits.
    pub message: Bits,
    /// The whole message in octets, whatever the value.
    pub octets: Bits,
    /// The whole message in bits, for values in extensible roots. Octet, tag and name encodings do
    /// not see an extensible root (X.696 §8.2.3), and there it is that of all values.
    pub message_in_roots: Bits,
    /// The whole message in octets, for values in extensible roots.
    pub octets_in_roots: Bits,
    /// Whether every field begins at an octet border, whatever the value.
    pub octet_aligned: bool,
    /// How the presence of optional parts is encoded.
    pub presence: PresenceTold,
    /// Whether additions of a later version of the type are recognised, not errors, and are kept.
    pub keeps_additions: bool,
    /// The number of integer and enumeration nodes of a fixed width.
    pub fixed_numbers: usize,
    /// The number of those whose width depends on the value.
    pub varying_numbers: usize,
}

/// How an encoding says whether an optional part is present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresenceTold {
    /// There are none.
    NoOptionalParts,
    /// By a bit for each, before the record (X.691 §19.3); for additions, by the extension bit and
    /// a bit for each (§19.7).
    Bitmap,
    /// By its tag or its field number.
    Tags,
    /// By its name.
    Name,
    /// By which event comes next.
    Event,
    /// By the values of earlier parts.
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
    /// Computes them.
    #[must_use]
    pub fn of(layout: &Layout) -> Self {
        let bounds = of_values(layout, Values::All);
        let message = bounds[layout.root.0 as usize].at(0);
        let message_in_roots = of_values(layout, Values::InRoots)[layout.root.0 as usize].at(0);
        let whole = |bits: u64| bits.div_ceil(8).max(layout.least_octets());
        let octets = |bits: Bits| Bits { fewest: whole(bits.fewest), most: bits.most.map(whole) };
        let (octets, octets_in_roots) = (octets(message), octets(message_in_roots));
        let bits = bounds.iter().map(LengthBounds::anywhere).collect();
        let has_optional_parts = layout.nodes.iter().any(|node| has_optional_parts(layout, node));
        let presence = if has_optional_parts { told_by(layout.rules.family()) } else { PresenceTold::NoOptionalParts };
        let octet_aligned = layout.nodes.iter().all(|node| is_whole_octets(layout, node));
        let keeps_additions = layout.nodes.iter().any(keeps_additions);
        let numbers = |varying| layout.nodes.iter().filter(|node| number_varies(layout, node) == Some(varying)).count();
        let (fixed_numbers, varying_numbers) = (numbers(false), numbers(true));
        Properties {
            bits,
            message,
            octets,
            message_in_roots,
            octets_in_roots,
            octet_aligned,
            presence,
            keeps_additions,
            fixed_numbers,
            varying_numbers,
        }
    }

    /// How many bits a node takes, whatever the bit of an octet at which it begins.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Bits {
        self.bits[id.0 as usize]
    }
}

/// How a family encodes presence.
fn told_by(family: Family) -> PresenceTold {
    match family {
        Family::Packed | Family::Octet => PresenceTold::Bitmap,
        Family::Tlv | Family::Fields | Family::Cbor => PresenceTold::Tags,
        Family::Xml | Family::Json => PresenceTold::Name,
        Family::Events => PresenceTold::Event,
        Family::Vectors => PresenceTold::Values,
    }
}

/// Whether some part of a node, without the nodes that it contains, may be absent.
fn has_optional_parts(layout: &Layout, node: &Node) -> bool {
    match node {
        Node::Tlv(node) => node.has_optional_parts(layout),
        Node::Fields(node) => node.has_optional_parts(layout),
        Node::Events(node) => node.has_optional_parts(layout),
        Node::Xml(node) => node.has_optional_parts(layout),
        Node::Json(node) => node.has_optional_parts(layout),
        Node::Vectors(node) => node.has_optional_parts(),
        Node::Cbor(node) => node.has_optional_parts(layout),
        shared => packed::bounds::has_optional_parts(shared),
    }
}

/// Whether a node can hold unknown additions.
fn keeps_additions(node: &Node) -> bool {
    match node {
        Node::Tlv(node) => node.keeps_additions(),
        Node::Fields(node) => node.keeps_additions(),
        // Strict EXI refuses what its schema does not have.
        Node::Events(_) => false,
        Node::Xml(node) => node.keeps_additions(),
        Node::Json(node) => node.keeps_additions(),
        Node::Vectors(node) => node.keeps_additions(),
        Node::Cbor(node) => node.keeps_additions(),
        shared => packed::bounds::keeps_additions(shared),
    }
}

/// For an integer or enumeration, whether its width depends on the value.
fn number_varies(layout: &Layout, node: &Node) -> Option<bool> {
    match node {
        Node::Tlv(node) => node.is_number().then_some(true),
        Node::Fields(node) => node.is_number().then_some(true),
        Node::Events(node) => node.number_varies(),
        Node::Xml(node) => node.is_number().then_some(true),
        Node::Json(node) => node.is_number().then_some(true),
        Node::Vectors(node) => node.number_varies(),
        Node::Cbor(node) => node.is_number().then_some(true),
        shared => packed::bounds::number_varies(shared).filter(|_| is_value(layout.rules.family(), shared)),
    }
}

/// Whether a shared node of an integer or enumeration is a value; in some families it only holds
/// the bounds of one.
fn is_value(family: Family, node: &Node) -> bool {
    match family {
        Family::Packed | Family::Octet | Family::Vectors | Family::Fields => true,
        Family::Events => matches!(node, Node::Word { width, .. } if *width != Width::Anywhere(0)),
        Family::Tlv | Family::Xml | Family::Json | Family::Cbor => false,
    }
}

/// Whether a node, without the nodes that it contains, always takes whole octets.
fn is_whole_octets(layout: &Layout, node: &Node) -> bool {
    match node {
        Node::Events(_) => false,
        Node::Tlv(_) | Node::Fields(_) | Node::Xml(_) | Node::Json(_) | Node::Vectors(_) | Node::Cbor(_) => true,
        shared => packed::bounds::is_whole_octets(layout, shared),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Open,
    Underway,
    Done,
}

/// How many bits each node takes. Nodes refer to each other: those in a cycle have no upper bound,
/// and a second pass raises their lower bounds.
///
/// Types nest as deep as modules say, so nodes that wait for others are kept on the heap.
pub(crate) fn of_values(layout: &Layout, values: Values) -> Vec<LengthBounds> {
    let mut bounds = vec![LengthBounds::exactly(0); layout.nodes.len()];
    let mut states = vec![State::Open; layout.nodes.len()];
    let mut waiting: Vec<usize> = (0..layout.nodes.len()).rev().collect();
    let mut has_cycle = false;
    while let Some(&at) = waiting.last() {
        if states[at] == State::Done {
            waiting.pop();
            continue;
        }
        states[at] = State::Underway;
        let before = waiting.len();
        let found = length_bounds(layout, at, values, |id| {
            let of = id.0 as usize;
            match states[of] {
                State::Done => bounds[of],
                State::Underway => {
                    has_cycle = true;
                    LengthBounds::unbounded(0)
                }
                State::Open => {
                    waiting.push(of);
                    LengthBounds::exactly(0)
                }
            }
        });
        if waiting.len() == before {
            bounds[at] = found;
            states[at] = State::Done;
        } else {
            // As they are met, and then this node again.
            waiting[before..].reverse();
        }
    }
    // A node that was met while the one that contains it was underway has counted that one as
    // nothing. All bounds hold by now, so what they make of each other holds as well.
    for at in (0..layout.nodes.len()).filter(|_| has_cycle) {
        bounds[at] = length_bounds(layout, at, values, |id| bounds[id.0 as usize]);
    }
    bounds
}

pub(crate) fn length_bounds(
    layout: &Layout,
    at: usize,
    values: Values,
    of: impl FnMut(NodeId) -> LengthBounds,
) -> LengthBounds {
    match &layout.nodes[at] {
        Node::Tlv(node) => node.length_bounds(layout, values, of),
        Node::Fields(node) => node.length_bounds(layout, values, of),
        Node::Events(node) => node.length_bounds(layout, of),
        Node::Xml(node) => node.length_bounds(layout, values, of),
        Node::Json(node) => node.length_bounds(layout, values, of),
        Node::Vectors(node) => node.length_bounds(layout, of),
        Node::Cbor(node) => node.length_bounds(layout, values, of),
        shared => packed::bounds::length_bounds(layout, shared, values, of),
    }
}
