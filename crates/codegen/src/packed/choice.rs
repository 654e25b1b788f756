//! What a CHOICE looks like in encodings that tell beforehand which alternative follows.

use roadwire_layout::{Node, Span, Width};

/// The alternatives that straight-line code has: the first `root` ones.
#[derive(Clone, Copy)]
pub(super) struct Alternatives {
    pub(super) alternatives: Span,
    pub(super) root: u32,
    pub(super) extensible: bool,
    pub(super) told: Told,
}

/// How it is told which alternative follows.
#[derive(Clone, Copy)]
pub(super) enum Told {
    /// By its place.
    Index(Width),
    /// By its tag.
    Tag(Span),
}

impl Alternatives {
    /// Those of a CHOICE; `None` if the node is none.
    pub(super) fn of(node: &Node) -> Option<Self> {
        let Node::Choice { extensible, width, root, alternatives, tags } = *node else { return None };
        let told = if tags.count == 0 { Told::Index(width) } else { Told::Tag(tags) };
        Some(Alternatives { alternatives, root, extensible, told })
    }
}
