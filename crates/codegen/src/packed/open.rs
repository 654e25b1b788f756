//! Open types whose type another component selects (X.682 §10): a value of that type inside the open type, or octets.

use roadwire_layout::{Extent, Node, NodeId};
use roadwire_model::TypeId;

use crate::open::Row;
use crate::packed::any_octets;
use crate::packed::decode::DecodeWriter;
use crate::packed::encode::{EncodeWriter, is_octet};
use crate::packed::phase;
use crate::packed::read_run::Position;
use crate::packed::run::Place;
use crate::parts::Variant;

impl EncodeWriter<'_, '_> {
    /// A typed content is written first, and its length is put in front of it.
    pub(super) fn open_type(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let (Some(extent), Some((variants, octets))) = (any_octets(self.layout, node), self.types.open_variants(id))
        else {
            return self.leave_to_interpreter();
        };
        let (slot, nodes) = rows(self.layout.node(node));
        let nodes = self.layout.numbers(nodes).to_vec();
        self.flush(false);
        let row = match slot {
            Some(slot) => self.keys.row(self.types, id, slot, self.out),
            None => Row::Ahead,
        };
        let end = phase::after_units(&extent, 8, self.run.phase());
        let before = self.run.clone();
        self.depth += 1;
        self.out.line(format!("match {} {{", place.shared()));
        for (at, (variant, node)) in variants.iter().zip(&nodes).enumerate() {
            let differs = row.differs(at);
            if differs.as_deref() == Some("true") {
                continue;
            }
            let inner = self.variable();
            self.run = before.clone();
            self.out.line(format!("{}({inner}) => {{", variant.path));
            if let Some(differs) = differs {
                self.out.refuse_if(&differs);
            }
            self.open_content(variant, NodeId(*node), &Place::reference(inner));
            self.out.line("}");
        }
        let inner = self.variable();
        self.run = before;
        self.out.line(format!("{}({inner}) => {{", octets.path));
        self.kept(octets.alternative.type_id, &extent, &Place::reference(inner));
        self.flush(false);
        self.out.line("}");
        if !matches!(row, Row::Selected(_)) || nodes.len() < variants.len() {
            self.out.line("_ => {");
            match row {
                Row::Unknown => self.leave_to_interpreter(),
                _ => self.out.line("return Err(wire::Rejected);"),
            }
            self.out.line("}");
        }
        self.out.line("}");
        self.depth -= 1;
        self.run.restart(end);
    }

    fn open_content(&mut self, variant: &Variant<'_>, node: NodeId, place: &Place) {
        self.begin_determinant();
        self.flush(false);
        let start = self.variable();
        self.out.line(format!("let {start} = w.position();"));
        let plain = std::mem::replace(&mut self.plain, false);
        let content = self.types.canonical(variant.alternative.type_id);
        if self.types.has_functions(content) {
            self.call(content, node, place);
        } else {
            self.value(content, node, place);
        }
        self.flush(false);
        self.plain = plain;
        let family = if is_octet(self.layout) { "octet" } else { "packed" };
        self.apart(format!("wire::rt::{family}::close_open_type(&mut w, {start})?;"));
    }

    fn kept(&mut self, id: TypeId, extent: &Extent, place: &Place) {
        if self.is_counted(extent) {
            self.counted_octets(id, extent, place);
        } else {
            self.octets(id, extent, place);
        }
    }
}

impl DecodeWriter<'_, '_> {
    /// The content ends where the length says, and before that there may only be bits up to an octet border (X.691 §11.1.3).
    pub(super) fn open_type(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let (Some(extent), Some((variants, octets))) = (any_octets(self.layout, node), self.types.open_variants(id))
        else {
            return self.leave_to_interpreter();
        };
        let (slot, nodes) = rows(self.layout.node(node));
        let nodes = self.layout.numbers(nodes).to_vec();
        self.settle();
        let row = match slot {
            Some(slot) => self.keys.row(self.types, id, slot, self.out),
            None => Row::Ahead,
        };
        if matches!(row, Row::Unknown) {
            return self.leave_to_interpreter();
        }
        let count = match self.whole {
            true => self.take_whole("take_length"),
            false => self.count(&extent),
        };
        let end = phase::after_units(&extent, 8, self.phase());
        self.begin_units(&extent, &count);
        self.settle();
        self.depth += 1;
        match &row {
            Row::Selected(row) => {
                self.out.line(format!("match {row} {{"));
                for (at, (variant, node)) in variants.iter().zip(&nodes).enumerate() {
                    self.out.line(format!("{at} => {{"));
                    self.position = Position::Dynamic(end);
                    self.open_content(variant, NodeId(*node), &count, place);
                    self.out.line("}");
                }
                self.out.line("_ => {");
                self.kept(&octets, &count, place);
                self.out.line("}");
                self.out.line("}");
            }
            Row::Only => {
                for (variant, node) in variants.iter().zip(&nodes).take(1) {
                    self.position = Position::Dynamic(end);
                    self.open_content(variant, NodeId(*node), &count, place);
                }
            }
            Row::Unknown | Row::Ahead => self.kept(&octets, &count, place),
        }
        self.depth -= 1;
        self.position = Position::Dynamic(end);
    }

    fn kept(&mut self, octets: &Variant<'_>, count: &str, place: &Place) {
        let content = self.alternative(octets, place);
        self.octets_of_any_length(octets.alternative.type_id, count, &content);
    }

    fn open_content(&mut self, variant: &Variant<'_>, node: NodeId, count: &str, place: &Place) {
        let content_id = self.types.canonical(variant.alternative.type_id);
        let (outer, start) = (self.variable(), self.variable());
        if self.whole {
            self.out.line(format!("let mut {outer} = r;"));
            self.out.line(format!("r = wire::rt::OctetReader::new({outer}.take_slice({count})?);"));
        } else {
            self.out.line(format!("let {start} = r.position();"));
        }
        let content = self.alternative(variant, place);
        let plain = std::mem::replace(&mut self.plain, false);
        if self.types.has_functions(content_id) {
            self.call(content_id, node, &content);
        } else {
            self.value(content_id, node, &content);
        }
        self.settle();
        self.plain = plain;
        if self.whole {
            self.out.refuse_if("r.remaining() != 0");
            self.out.line(format!("r = {outer};"));
        } else {
            self.out.line(format!("wire::rt::packed::end_open_type(&mut r, {start}, {count} as usize)?;"));
        }
    }
}

/// The slot of an open type, and the nodes of its rows' types.
fn rows(node: &Node) -> (Option<u32>, roadwire_layout::Span) {
    match *node {
        Node::Table { slot, rows } => (Some(slot), rows),
        _ => (None, roadwire_layout::Span::default()),
    }
}
