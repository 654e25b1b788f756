//! Open types whose row is known before their content, for families that have a value or octets
//! there.

use roadwire_layout::{NodeId, Span};
use roadwire_model::TypeId;

use crate::plan::{Draft, Place, Stmt};
use crate::walk::keys::Row;
use crate::walk::walker::Walker;

/// An open type: its row, and the nodes of all rows, in the layout's numbers.
#[derive(Clone, Copy)]
pub(crate) struct OpenType {
    id: TypeId,
    pub(crate) row: Row,
    rows: Span,
}

impl OpenType {
    /// An open type with these rows; if there are none, nothing selects one. `None` if its key is
    /// not in reach: it is left to the interpreter.
    pub(crate) fn of(draft: &mut Draft<'_, '_>, id: TypeId, slot: u32, rows: Span) -> Option<Self> {
        let row = match rows.count {
            0 => Row::Ahead,
            _ => draft.row(id, slot),
        };
        if row == Row::Unknown {
            draft.give_up();
            return None;
        }
        Some(OpenType { id, row, rows })
    }

    /// Codes it: `content` codes a value of a row's type, `octets` those of an unknown type.
    pub(crate) fn code<'a, 'm: 'a>(
        self,
        draft: &mut Draft<'a, 'm>,
        place: &Place,
        content: impl FnMut(&mut Draft<'a, 'm>, TypeId, NodeId, &Place),
        octets: impl FnOnce(&mut Draft<'a, 'm>, TypeId, &Place),
    ) {
        match draft.is_encoder() {
            true => self.put(draft, place, content, octets),
            false => self.take(draft, place, content, octets),
        }
    }

    /// The nodes of the rows that there are in memory, and how many types these have without
    /// octets.
    fn nodes(self, draft: &Draft<'_, '_>) -> (Vec<NodeId>, usize) {
        let count = draft.types.table(self.id).map_or(0, |table| table.rows.len());
        (draft.layout.numbers(self.rows).iter().take(count).map(|node| NodeId(*node)).collect(), count)
    }

    /// Reads it as octets, whatever its type is.
    pub(crate) fn take_octets<'a, 'm: 'a>(
        self,
        draft: &mut Draft<'a, 'm>,
        place: &Place,
        octets: impl FnOnce(&mut Draft<'a, 'm>, TypeId, &Place),
    ) {
        let (_, count) = self.nodes(draft);
        let (row, inner) = (draft.types.row(self.id, count), draft.choose(self.id, count, place));
        octets(draft, row, &inner);
    }

    fn put<'a, 'm: 'a>(
        self,
        draft: &mut Draft<'a, 'm>,
        place: &Place,
        mut content: impl FnMut(&mut Draft<'a, 'm>, TypeId, NodeId, &Place),
        octets: impl FnOnce(&mut Draft<'a, 'm>, TypeId, &Place),
    ) {
        let (nodes, count) = self.nodes(draft);
        // A content that nothing selects stays octets.
        let others = (nodes.len() < count).then(|| vec![Stmt::GiveUp]);
        let mut arms = Vec::new();
        for (at, node) in nodes.into_iter().enumerate() {
            let (inner, row) = (draft.variable(), draft.types.row(self.id, at));
            let arm = draft.block(|draft| {
                draft.push(Stmt::MayBeUnused(inner));
                draft.reject_if(self.row.differs(at));
                Walker::named(draft, at, |draft| content(draft, row, node, &Place::reference(inner)));
            });
            arms.push((at, inner, arm));
        }
        let (inner, row) = (draft.variable(), draft.types.row(self.id, count));
        arms.push((count, inner, draft.block(|draft| octets(draft, row, &Place::reference(inner)))));
        draft.push(Stmt::SwitchOpen { id: self.id, place: place.clone(), arms, others });
    }

    fn take<'a, 'm: 'a>(
        self,
        draft: &mut Draft<'a, 'm>,
        place: &Place,
        mut content: impl FnMut(&mut Draft<'a, 'm>, TypeId, NodeId, &Place),
        octets: impl FnOnce(&mut Draft<'a, 'm>, TypeId, &Place),
    ) {
        let (nodes, count) = self.nodes(draft);
        let choose = |draft: &mut Draft<'a, 'm>, at| (draft.types.row(self.id, at), draft.choose(self.id, at, place));
        let take = |draft: &mut Draft<'a, 'm>, at, node| {
            Walker::named(draft, at, |draft| {
                let (row, inner) = choose(draft, at);
                content(draft, row, node, &inner);
            });
        };
        draft.take_open(self.row, &nodes, take, |draft| {
            let (row, inner) = choose(draft, count);
            octets(draft, row, &inner);
        });
    }
}
