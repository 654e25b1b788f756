//! Writes a layout as constant tables, which the interpreter walks in a program without a module
//! compiler.

use std::fmt::Debug;

use roadwire_layout::{Family, Layout};

use crate::source::Source;

/// Writes `pub static NAME: Layout`.
pub(crate) fn write(layout: &Layout, name: &str, out: &mut Source) {
    out.line("");
    out.line(format!("/// The layout of `{}` under {}.", layout.type_name, layout.rules));
    out.line(format!("pub static {name}: Layout = Layout {{"));
    out.line(format!("rules: Rules::{:?},", layout.rules));
    out.line(format!("length_form: LengthForm::{:?},", layout.length_form));
    out.line(format!("type_name: Cow::Borrowed({:?}),", layout.type_name));
    out.line(format!("root: {:?},", layout.root));
    let scope = match layout.rules.family() {
        Family::Json => "Count::*, Form::*, JsonNode::*, Node::*, Others::*, Width::*",
        Family::Xml => "Count::*, Form::*, Node::*, Width::*, XmlNode::*, XmlSpace::*",
        Family::Packed
        | Family::Octet
        | Family::Tlv
        | Family::Fields
        | Family::Events
        | Family::Vectors
        | Family::Cbor => "Count::*, Form::*, Node::*, Width::*",
    };
    pool("nodes", "Node", scope, &layout.nodes, out);
    pool("members", "Member", "Presence::*", &layout.members, out);
    pool("additions", "Addition", "Addition::*, Presence::*", &layout.additions, out);
    pool("alternatives", "Alternative", "", &layout.alternatives, out);
    pool("numbers", "u32", "", &layout.numbers, out);
    pool("items", "Name", "", &layout.items, out);
    pool("defaults", "LayoutDefault", "LayoutDefault::*", &layout.defaults, out);
    pool("octets", "u8", "", &layout.octets, out);
    out.line(format!("names: Layout::all_names({:?}),", layout.names));
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

/// Qualifies the names of variants that another enumeration also has.
fn qualified(entry: &str) -> String {
    entry
        .replace("Tlv(", "Tlv(roadwire_layout::TlvNode::")
        .replace("contents: ", "contents: roadwire_layout::Contents::")
        .replace("roadwire_layout::Contents::NodeId", "NodeId")
        .replace("Events(", "Events(roadwire_layout::EventNode::")
        .replace("number: ", "number: roadwire_layout::Number::")
        .replace("Vectors(", "Vectors(roadwire_layout::VectorNode::")
        .replace("order: ", "order: roadwire_layout::Order::")
        .replace("Cbor(", "Cbor(roadwire_layout::CborNode::")
        .replace("Fields(", "Fields(roadwire_layout::FieldNode::")
        .replace("sign: ", "sign: roadwire_layout::Sign::")
}
