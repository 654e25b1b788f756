//! What can be read off a layout without running anything.

use alloc::vec;
use alloc::vec::Vec;

use crate::node::{Addition, Count, Extent, Layout, Node, NodeId, Presence};

/// Bits that one encoding of a node takes: fewest, and most (`None` without a bound). Unknown extension additions and values outside an extensible
/// root are not counted in the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// Fewest.
    pub fewest: u64,
    /// Most.
    pub most: Option<u64>,
}

/// Properties of a whole layout.
#[derive(Clone, Debug)]
pub struct Properties {
    /// For each node, how many bits it takes.
    pub bits: Vec<Bits>,
    /// The whole message in octets.
    pub octets: Bits,
    /// Whether every field begins at an octet border, whatever the value.
    pub octet_aligned: bool,
    /// How the presence of optional parts is told.
    pub presence: PresenceTold,
}

/// How an encoding tells whether an optional part is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresenceTold {
    /// There are none.
    NoOptionalParts,
    /// By a bit for each, in front of the record (X.691 §19.3); by a bit that additions follow, and a bit for each of those (§19.7).
    Bitmap,
}

impl core::fmt::Display for PresenceTold {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(match self {
            PresenceTold::NoOptionalParts => "no optional parts",
            PresenceTold::Bitmap => "bitmap",
        })
    }
}

impl Properties {
    /// Reads them off.
    #[must_use]
    pub fn of(layout: &Layout) -> Self {
        let mut bits = vec![Bits { fewest: 0, most: Some(0) }; layout.nodes.len()];
        let mut done = vec![State::Open; layout.nodes.len()];
        // Nodes refer to each other: those in a cycle have no upper bound, and their least is found by going over them again.
        for at in 0..layout.nodes.len() {
            visit(layout, at, &mut bits, &mut done, 0);
        }
        let root = bits[layout.root.0 as usize];
        let octets =
            Bits { fewest: root.fewest.div_ceil(8).max(1), most: root.most.map(|most| most.div_ceil(8).max(1)) };
        let has_bitmap =
            |node: &Node| matches!(node, Node::Record { extensible, bitmap, .. } if *extensible || *bitmap > 0);
        let presence =
            if layout.nodes.iter().any(has_bitmap) { PresenceTold::Bitmap } else { PresenceTold::NoOptionalParts };
        let octet_aligned = layout.nodes.iter().all(is_whole_octets);
        Properties { bits, octets, octet_aligned, presence }
    }

    /// How many bits a node takes.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Bits {
        self.bits[id.0 as usize]
    }
}

impl Bits {
    /// The one width, where there is just one.
    #[must_use]
    pub fn fixed(self) -> Option<u64> {
        (self.most == Some(self.fewest)).then_some(self.fewest)
    }

    const fn exactly(bits: u64) -> Self {
        Bits { fewest: bits, most: Some(bits) }
    }

    const fn unbounded(fewest: u64) -> Self {
        Bits { fewest, most: None }
    }

    fn then(self, next: Bits) -> Self {
        Bits {
            fewest: self.fewest.saturating_add(next.fewest),
            most: self.most.zip(next.most).and_then(|(a, b)| a.checked_add(b)),
        }
    }

    fn or_absent(self) -> Self {
        Bits { fewest: 0, most: self.most }
    }

    fn or(self, other: Bits) -> Self {
        Bits { fewest: self.fewest.min(other.fewest), most: self.most.zip(other.most).map(|(a, b)| a.max(b)) }
    }
}

/// Whether a node, what it contains aside, always takes whole octets.
fn is_whole_octets(node: &Node) -> bool {
    let counted = |extent: &Extent| {
        !extent.extensible
            && match extent.count {
                Count::Fixed | Count::Determinant => true,
                Count::Field(bits) => bits % 8 == 0,
            }
    };
    match node {
        Node::Null | Node::Integer { .. } | Node::WideInteger { .. } | Node::Real | Node::Oid { .. } => true,
        Node::Text { .. } => true,
        Node::Boolean | Node::Extension { .. } | Node::Fields { .. } | Node::Duration { .. } => false,
        Node::Word { bits, .. } => bits % 8 == 0,
        Node::WideWord { bits, .. } => bits % 8 == 0,
        Node::Enumerated { bits, additions, .. } => bits % 8 == 0 && additions.is_none(),
        Node::Bits { extent, .. } => counted(extent) && extent.lower == extent.upper && extent.lower % 8 == 0,
        Node::Octets { extent } | Node::List { extent, .. } => counted(extent),
        Node::Characters { extent, characters } => counted(extent) && characters.bits % 8 == 0,
        Node::Record { extensible, bitmap, .. } => !extensible && bitmap % 8 == 0,
        Node::Choice { extensible, bits, .. } => !extensible && bits % 8 == 0,
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

fn visit(layout: &Layout, at: usize, bits: &mut [Bits], done: &mut [State], depth: u32) -> Bits {
    match done[at] {
        State::Done => return bits[at],
        State::Underway => return Bits::unbounded(0),
        State::Open => {}
    }
    if depth > DEEPEST {
        return Bits::unbounded(0);
    }
    done[at] = State::Underway;
    let mut of = |id: NodeId| visit(layout, id.0 as usize, bits, done, depth + 1);
    let found = match layout.nodes[at] {
        Node::Null => Bits::exactly(0),
        Node::Boolean => Bits::exactly(1),
        Node::Word { bits, .. } => Bits::exactly(u64::from(bits)),
        Node::WideWord { bits, .. } => Bits::exactly(u64::from(bits)),
        Node::Integer { .. } | Node::WideInteger { .. } => Bits::unbounded(16),
        Node::Extension { root, beyond } => {
            // Values outside a wide root may be shorter than any in it.
            let (root, beyond) = (of(root), of(beyond));
            Bits::exactly(1).then(Bits { fewest: root.fewest.min(beyond.fewest), most: root.most })
        }
        Node::Enumerated { bits, additions, .. } => {
            let root = Bits::exactly(u64::from(bits) + u64::from(additions.is_some()));
            if additions.is_some() { root.or(Bits::exactly(8)) } else { root }
        }
        Node::Real => Bits::unbounded(8),
        Node::Oid { .. } => Bits::unbounded(16),
        Node::Bits { extent, .. } => repeated(&extent, Bits::exactly(1)),
        Node::Octets { extent } => repeated(&extent, Bits::exactly(8)),
        Node::Characters { extent, characters } => repeated(&extent, Bits::exactly(u64::from(characters.bits))),
        Node::Text { utf8, lower, upper } => {
            let most = if utf8 { 4 } else { 1 };
            let octets = upper.checked_mul(most).filter(|octets| *octets < 16384);
            let determinant = if octets.is_some_and(|octets| octets < 128) { 8 } else { 16 };
            Bits { fewest: 8 + lower * 8, most: octets.map(|octets| determinant + octets * 8) }
        }
        // At least one number, of a bit and four; at most all of them, if all were in their small ranges.
        Node::Duration { .. } => Bits::unbounded(8 + 5),
        Node::Fields { members, .. } => {
            layout.members(members).iter().fold(Bits::exactly(0), |sum, member| sum.then(of(member.node)))
        }
        Node::List { extent, element } => repeated(&extent, of(element)),
        Node::Record { extensible, bitmap, members, additions, .. } => {
            let mut sum = Bits::exactly(u64::from(extensible) + u64::from(bitmap));
            for member in layout.members(members) {
                let one = of(member.node);
                sum = sum.then(if member.presence == Presence::Mandatory { one } else { one.or_absent() });
            }
            let additions = layout.additions(additions);
            let mut extra = Bits::exactly(if additions.is_empty() { 0 } else { additions.len() as u64 + 7 });
            for addition in additions {
                extra = extra.then(open(of(match addition {
                    Addition::Single(member) => member.node,
                    Addition::Group(node) => *node,
                })));
            }
            sum.then(extra.or_absent())
        }
        Node::Choice { extensible, bits, root, alternatives } => {
            let index = Bits::exactly(u64::from(extensible) + u64::from(bits));
            let mut either: Option<Bits> = None;
            for (at, alternative) in layout.alternatives(alternatives).iter().enumerate() {
                let one = of(alternative.node);
                let one = if at < root as usize { index.then(one) } else { Bits::exactly(8).then(open(one)) };
                either = Some(either.map_or(one, |other| other.or(one)));
            }
            let known = either.unwrap_or(index);
            // An alternative of a later version: its index and one octet.
            if extensible { Bits { fewest: known.fewest.min(8 + 16), most: known.most } } else { known }
        }
        Node::Open | Node::Table { .. } => Bits::unbounded(16),
        Node::Key { node, .. } | Node::Scope { record: node, .. } => of(node),
    };
    bits[at] = found;
    done[at] = State::Done;
    found
}

/// An open type: whole octets after their length.
fn open(inner: Bits) -> Bits {
    let octets = |bits: u64| bits.div_ceil(8).max(1);
    let most = inner.most.map(octets).filter(|most| *most < 16384);
    Bits { fewest: 8 + octets(inner.fewest) * 8, most: most.map(|most| most * 8 + if most < 128 { 8 } else { 16 }) }
}

fn repeated(extent: &Extent, unit: Bits) -> Bits {
    let front = u64::from(extent.extensible);
    let count = match extent.count {
        Count::Fixed => 0,
        Count::Field(bits) => u64::from(bits),
        Count::Determinant => return Bits::unbounded(8u64.saturating_add(extent.lower.saturating_mul(unit.fewest))),
    };
    // Values outside an extensible root may be shorter than any in it.
    let fewest = if extent.extensible {
        1 + 8.min(count + extent.lower.saturating_mul(unit.fewest))
    } else {
        count + extent.lower.saturating_mul(unit.fewest)
    };
    Bits {
        fewest,
        most: unit
            .most
            .and_then(|most| extent.upper.checked_mul(most))
            .and_then(|most| most.checked_add(front + count)),
    }
}
