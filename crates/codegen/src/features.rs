//! The features of the interpreter that generated code needs.

use roadwire_layout::{Layout, Node};

use crate::rust_types::RustTypes;

/// The features, for types with these layouts. The interpreter finds tapped parts by their names.
pub(crate) fn of(types: &RustTypes<'_>, layouts: &[Layout], has_taps: bool) -> Vec<&'static str> {
    let mut features: Vec<&str> = layouts.iter().map(|layout| layout.rules.feature()).collect();
    let has = |is_one: fn(&Node) -> bool| layouts.iter().any(|layout| layout.nodes.iter().any(is_one));
    features.extend(has(|node| matches!(node, Node::Characters { .. } | Node::Text { .. })).then_some("strings"));
    features.extend(has(|node| matches!(node, Node::Time { .. })).then_some("times"));
    features.extend(has(|node| matches!(node, Node::Real | Node::BinaryReal { .. })).then_some("real"));
    features.extend(layouts.iter().any(|layout| !layout.defaults.is_empty()).then_some("defaults"));
    features.extend(has_taps.then_some("names"));
    features.extend(types.has_heap().then_some("alloc"));
    features.sort_unstable();
    features.dedup();
    features
}
