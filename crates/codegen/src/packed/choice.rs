//! CHOICE in encodings that begin with the index or tag of the alternative.

use roadwire_layout::{Node, Span, Width};

/// The alternatives that straight-line code handles: the first `root`.
#[derive(Clone, Copy)]
pub(crate) struct Alternatives {
    pub(crate) alternatives: Span,
    pub(crate) root: u32,
    pub(crate) extensible: bool,
    pub(crate) told: Told,
}

/// How the alternative is selected.
#[derive(Clone, Copy)]
pub(crate) enum Told {
    /// By its index.
    Index(Width),
    /// By its tag.
    Tag(Span),
}

impl Alternatives {
    /// The alternatives of a CHOICE; `None` for another node.
    pub(crate) fn of(node: &Node) -> Option<Self> {
        let Node::Choice { extensible, width, root, alternatives, tags } = *node else { return None };
        let told = if tags.count == 0 { Told::Index(width) } else { Told::Tag(tags) };
        Some(Alternatives { alternatives, root, extensible, told })
    }
}
