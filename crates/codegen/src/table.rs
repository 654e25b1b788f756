//! Writes a layout as constant tables: what the interpreter walks in a program without a compiler at hand.

use std::fmt::Debug;

use roadwire_layout::Layout;

use crate::source::Source;

/// Writes `pub static NAME: Layout`.
pub(crate) fn write(layout: &Layout, name: &str, out: &mut Source) {
    out.line("");
    out.line(format!("/// The layout of `{}` under {}.", layout.type_name, layout.rules));
    out.line(format!("pub static {name}: Layout = Layout {{"));
    out.line(format!("rules: Rules::{:?},", layout.rules));
    out.line(format!("lengths: Lengths::{:?},", layout.lengths));
    out.line(format!("type_name: Cow::Borrowed({:?}),", layout.type_name));
    out.line(format!("root: {:?},", layout.root));
    let scope = "Count::*, Form::*, JsonNode::*, Node::*, Others::*, Width::*, XmlNode::*, XmlSpace::*";
    pool("nodes", "Node", scope, &layout.nodes, out);
    pool("members", "Member", "Presence::*", &layout.members, out);
    pool("additions", "Addition", "Addition::*, Presence::*", &layout.additions, out);
    pool("alternatives", "Alternative", "", &layout.alternatives, out);
    pool("numbers", "u32", "", &layout.numbers, out);
    pool("items", "Span", "", &layout.items, out);
    pool("defaults", "LayoutDefault", "LayoutDefault::*", &layout.defaults, out);
    pool("octets", "u8", "", &layout.octets, out);
    out.line(format!("names: Cow::Borrowed({:?}),", layout.names));
    out.line("};");
}

/// One pool. The `Debug` form of plain data is its source form, with its variants' names in scope.
fn pool<T: Debug>(field: &str, of: &str, scope: &str, entries: &[T], out: &mut Source) {
    if entries.is_empty() {
        out.line(format!("{field}: Cow::Borrowed(&[]),"));
        return;
    }
    out.line(format!("{field}: Cow::Borrowed({{"));
    if !scope.is_empty() {
        out.line("#[allow(unused_imports)]");
        out.line(format!("use {{{scope}}};"));
    }
    out.line(format!("const ENTRIES: &[{of}] = &["));
    for entry in entries {
        out.line(format!("{},", qualified(&format!("{entry:?}"))));
    }
    out.line("];");
    out.line("ENTRIES");
    out.line("}),");
}

/// With the names of variants in front of which another enumeration has the same ones.
fn qualified(entry: &str) -> String {
    entry
        .replace("Contents(", "Contents(roadwire_layout::Contents::")
        .replace("Event(", "Event(roadwire_layout::EventNode::")
        .replace("number: ", "number: roadwire_layout::Number::")
        .replace("Presentation(", "Presentation(roadwire_layout::PresentationNode::")
        .replace("order: ", "order: roadwire_layout::Order::")
        .replace("Keyed(", "Keyed(roadwire_layout::FieldNode::")
        .replace("sign: ", "sign: roadwire_layout::Sign::")
}
