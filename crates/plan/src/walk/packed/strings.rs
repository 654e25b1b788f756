//! String tables (EXI §7.3.3): which parts of a layout have character strings that may equal each
//! other, and how many.

use roadwire_layout::{EventNode, Family, Layout, NodeId};

/// How many strings a table has in place if their number has no bound. More are on the heap.
const FEW: u32 = 4;

/// The character strings of a message in a stream of events.
#[derive(Default)]
pub(crate) struct Strings {
    /// How many each node has at most; without a table, nothing.
    of: Vec<u32>,
    /// How many strings the table has in place.
    pub(crate) in_place: u32,
    /// How many strings a message has at most; `None` without a bound.
    pub(crate) most: Option<u32>,
}

impl Strings {
    /// Those of the messages of a module, which share functions, and so have tables of one size.
    /// There are none if no message has more than one string.
    pub(crate) fn of(layouts: &[&Layout]) -> Vec<Strings> {
        let of = |layout: &&Layout| {
            let is_table = layout.rules.family() == Family::Events;
            if is_table { EventNode::texts(layout) } else { Vec::new() }
        };
        let all: Vec<Vec<u32>> = layouts.iter().map(of).collect();
        let most = layouts.iter().zip(&all).filter_map(|(layout, texts)| texts.get(layout.root.0 as usize)).max();
        let most = match most.copied() {
            None | Some(0..=1) => return layouts.iter().map(|_| Strings::default()).collect(),
            Some(EventNode::MANY..) => None,
            bounded => bounded,
        };
        all.into_iter().map(|of| Strings { of, in_place: most.unwrap_or(FEW), most }).collect()
    }

    /// Whether there is a table.
    pub(crate) fn is_table(&self) -> bool {
        self.in_place > 0
    }

    /// Whether a node has strings in a table.
    pub(crate) fn are_in(&self, node: NodeId) -> bool {
        self.of.get(node.0 as usize).is_some_and(|count| *count > 0)
    }
}
