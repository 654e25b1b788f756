//! Streams of events (EXI) in which a SEQUENCE or CHOICE is merged into the enclosing element: the
//! size of such an element depends on the layout, not on the type.

use std::collections::{HashMap, HashSet};

use roadwire_layout::{EventNode, Layout, Node, NodeId, Rules};

/// Contents of elements that occur more than once, and that have more than `most` parts including
/// those merged into them: they become separate functions.
pub(crate) fn shared(layout: &Layout, most: u32) -> HashSet<NodeId> {
    // Where choices are merged, each of very many alternatives may be an element with such a
    // content.
    let most = if layout.rules == Rules::ExiFlat { most / 8 } else { most };
    let mut sizes =
        Sizes { layout, most, uses: HashMap::new(), known: vec![None; layout.nodes.len()], shared: HashSet::new() };
    if !matches!(layout.rules, Rules::ExiMerged | Rules::ExiFlat) {
        return sizes.shared;
    }
    for node in layout.nodes.iter() {
        if let Node::Events(EventNode::Element { content, .. }) = node {
            *sizes.uses.entry(*content).or_default() += 1;
        }
    }
    sizes.of(layout.root);
    sizes.shared
}

struct Sizes<'a> {
    layout: &'a Layout,
    most: u32,
    /// How many elements have a content.
    uses: HashMap<NodeId, u32>,
    known: Vec<Option<u32>>,
    shared: HashSet<NodeId>,
}

impl Sizes<'_> {
    /// How many parts there are, a function counting once.
    fn of(&mut self, node: NodeId) -> u32 {
        let at = node.0 as usize;
        if let Some(known) = self.known[at] {
            return known;
        }
        // Inside itself it is a function call.
        self.known[at] = Some(1);
        let Node::Events(event) = *self.layout.node(node) else { return 1 };
        let layout = self.layout;
        let inside = match event {
            EventNode::Document { element, .. } | EventNode::Repeat { element, .. } => self.of(element),
            EventNode::Element { content, .. } => {
                let inside = self.of(content);
                let is_part =
                    matches!(layout.node(content), Node::Events(EventNode::Sequence { .. } | EventNode::Choice { .. }));
                let is_used_again = self.uses.get(&content).is_some_and(|uses| *uses > 1);
                if is_part && is_used_again && inside > self.most {
                    self.shared.insert(content);
                }
                if self.shared.contains(&content) { 0 } else { inside }
            }
            EventNode::Sequence { members, .. } => {
                layout.members(members).iter().fold(0u32, |sum, member| sum.saturating_add(self.of(member.node)))
            }
            EventNode::Choice { alternatives, .. } => {
                layout.alternatives(alternatives).iter().fold(0u32, |sum, one| sum.saturating_add(self.of(one.node)))
            }
            _ => 0,
        };
        let size = inside.saturating_add(1);
        self.known[at] = Some(size);
        size
    }
}
