//! Open types whose type another component selects (X.682 §10): a value of that type inside the
//! open type, or octets.

use roadwire_layout::{Extent, Node, NodeId, Span};
use roadwire_model::TypeId;

use super::phase::Phase;
use super::{Walk, octets_of, open_extent, phase};
use crate::plan::{Arg, Cond, Mover, Num, Place, Reason, Stmt, Stream};
use crate::walk::keys::Row;
use crate::walk::walker::Walker;

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    pub(super) fn open_type(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let (layout, types) = (self.draft.layout, self.draft.types);
        let (Some(extent), Some(table)) = (octets_of(layout, node), types.table(id)) else {
            return self.draft.give_up();
        };
        let (slot, nodes) = match *layout.node(node) {
            Node::Table { slot, rows } => (Some(slot), rows),
            _ => (None, Span::default()),
        };
        let nodes: Vec<NodeId> = layout.numbers(nodes).iter().map(|node| NodeId(*node)).collect();
        self.settle();
        let row = slot.map_or(Row::Ahead, |slot| self.draft.row(id, slot));
        match self.draft.is_encoder() {
            true => self.put_open(id, &extent, row, (&nodes, table.rows.len()), place),
            false => self.take_typed(id, &extent, row, (&nodes, table.rows.len()), place),
        }
    }

    /// A typed content is written before its length is known.
    fn put_open(&mut self, id: TypeId, extent: &Extent, row: Row, (nodes, count): (&[NodeId], usize), place: &Place) {
        let (before, end) = (self.phase, phase::after_units(extent, 8, self.phase));
        self.draft.depth += 1;
        let mut arms = Vec::new();
        for (at, node) in nodes.iter().copied().enumerate().take(count) {
            let differs = row.differs(at);
            if differs == Some(Cond::True) {
                continue;
            }
            let inner = self.variable();
            self.phase = before;
            let arm = self.block(|walk| {
                differs.into_iter().for_each(|differs| walk.push(Stream::RejectNow(differs)));
                let content = walk.draft.types.row(id, at);
                walk.put_open_type(|walk| {
                    walk.named(at, |walk| walk.content_of(content, node, &Place::reference(inner)));
                });
            });
            arms.push((at, inner, arm));
        }
        let inner = self.variable();
        self.phase = before;
        let octets = self.draft.types.row(id, count);
        let kept = self.block(|walk| walk.any_octets(octets, extent, &Place::reference(inner)));
        arms.push((count, inner, kept));
        let has_others = !matches!(row, Row::Selected(_)) || nodes.len() < count;
        let others = has_others.then(|| match row {
            Row::Unknown => self.block(|walk| walk.draft.give_up()),
            _ => vec![Stmt::GiveUp],
        });
        self.draft.push(Stmt::SwitchOpen { id, place: place.clone(), arms, others });
        self.draft.depth -= 1;
        self.phase = end;
    }

    /// The content that `inside` writes, after an octet for its length.
    pub(super) fn put_open_type(&mut self, inside: impl FnOnce(&mut Self)) {
        self.begin_determinant();
        self.settle();
        let start = self.variable();
        self.draft.push(Stmt::Position(start));
        self.put(Num::Const(0), 8);
        inside(self);
        self.settle();
        let start = vec![Arg::Num(Num::Var(start))];
        match self.is_octet {
            true => self.act(Mover::CloseOpenType, start),
            false => self.apart(Mover::CloseOpenType, start),
        }
        self.phase = phase::after_open_type(self.draft.layout);
    }

    /// A value that is the content of an open type.
    pub(super) fn content_of(&mut self, content: TypeId, node: NodeId, place: &Place) {
        let content = self.draft.types.canonical(content);
        let is_plain = std::mem::replace(&mut self.is_plain, false);
        match self.draft.types.has_functions(content) {
            true => self.call(content, node, place),
            false => self.value(content, node, place),
        }
        self.settle();
        self.is_plain = is_plain;
    }

    /// The content ends where the length says, and before that there may only be bits up to an
    /// octet border (X.691 §11.1.3).
    fn take_typed(&mut self, id: TypeId, extent: &Extent, row: Row, (nodes, rows): (&[NodeId], usize), place: &Place) {
        if row == Row::Unknown {
            return self.draft.give_up();
        }
        let nodes = &nodes[..nodes.len().min(rows)];
        if self.has_rare_forms() {
            return self.take_any_typed(id, extent, row, (nodes, rows), place);
        }
        let (count, end) = self.take_open_length(extent);
        self.draft.depth += 1;
        let take = |walk: &mut Self, at, node| {
            walk.phase = end;
            walk.within(&count, |walk| walk.take_content(id, at, node, place));
        };
        self.take_open(row, nodes, take, |walk| {
            let content = walk.choose(id, rows, place);
            walk.take_string(walk.draft.types.row(id, rows), count.clone(), &content);
        });
        self.draft.depth -= 1;
        self.phase = end;
    }

    /// The same for a content that may come in fragments.
    fn take_any_typed(
        &mut self,
        id: TypeId,
        extent: &Extent,
        row: Row,
        (nodes, rows): (&[NodeId], usize),
        place: &Place,
    ) {
        self.draft.because(Reason::OpenType);
        self.draft.depth += 1;
        let take = |walk: &mut Self, at, node| {
            walk.content_in_fragments(|walk| walk.take_content(id, at, node, place));
        };
        self.take_open(row, nodes, take, |walk| {
            let content = walk.choose(id, rows, place);
            walk.any_octets(walk.draft.types.row(id, rows), extent, &content);
        });
        self.draft.depth -= 1;
        self.phase = None;
    }

    /// The length of an open type, and the phase after it.
    fn take_open_length(&mut self, extent: &Extent) -> (Num, Phase) {
        self.draft.because(Reason::OpenType);
        let count = match self.is_octet {
            true => Num::Var(self.get(Mover::TakeLength)),
            false => self.take_count(extent),
        };
        let end = phase::after_units(extent, 8, self.phase);
        self.begin_units(extent, count.clone());
        self.settle();
        (count, end)
    }

    /// The length of an open type with any content.
    pub(super) fn open_length(&mut self) -> Num {
        let extent = open_extent(self.draft.layout);
        let (count, end) = self.take_open_length(&extent);
        self.phase = end;
        count
    }

    /// An open type with the content that `inside` reads.
    pub(super) fn take_open_type(&mut self, inside: impl FnOnce(&mut Self)) {
        if self.has_rare_forms() {
            self.draft.because(Reason::OpenType);
            return self.content_in_fragments(inside);
        }
        let extent = open_extent(self.draft.layout);
        let (count, end) = self.take_open_length(&extent);
        self.phase = end;
        self.within(&count, inside);
        self.phase = end;
    }

    /// Lets `inside` read a content that has to end with so many octets.
    fn within(&mut self, count: &Num, inside: impl FnOnce(&mut Self)) {
        let (outer, start) = (self.variable(), self.variable());
        match self.is_octet {
            true => self.push(Stream::OpenOctets { outer, count: count.clone() }),
            false => self.draft.push(Stmt::Position(start)),
        }
        inside(self);
        self.settle();
        self.push(match self.is_octet {
            true => Stream::CloseOctets { outer },
            false => Stream::CloseBits { start, count: count.clone() },
        });
    }

    fn take_content(&mut self, id: TypeId, at: usize, node: NodeId, place: &Place) {
        self.named(at, |walk| {
            let content = walk.choose(id, at, place);
            walk.content_of(walk.draft.types.row(id, at), node, &content);
        });
    }
}
