//! SEQUENCE OF and SET OF.

use roadwire_layout::{Extent, NodeId};
use roadwire_model::TypeId;

use super::phase::Phase;
use crate::plan::{Cond, Element, Num, Place, Stmt, Stream};
use crate::types::{Repr, Storage};
use crate::walk::packed::{Walk, phase};
use crate::walk::walker::Walker;

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    pub(super) fn list(&mut self, id: TypeId, extent: &Extent, node: NodeId, is_sorted: bool, place: &Place) {
        let Repr::List { element, storage } = *self.draft.types.repr(id) else { return self.draft.give_up() };
        if !self.draft.is_encoder() {
            return self.take_list(id, extent, (element, node), storage, place);
        }
        if let Some(size) = self.fragments(extent) {
            return self.put_elements((element, node), size, place);
        }
        let count = self.draft.named(Num::Elements(place.clone()).to(crate::plan::Int::U64));
        let is_sorted = is_sorted && extent.upper > 1;
        if is_sorted && self.draft.types.leads_to_tap(element) {
            // A tap has seen octets that may move.
            self.reject(Cond::Above(Num::Var(count), 1));
        }
        self.put_count(extent, Num::Var(count));
        self.settle();
        let start = self.start_of(node);
        self.phase = start;
        let order = is_sorted.then(|| self.draft.begin_order());
        self.each(place, |walk, place| {
            walk.part(element, node, place);
            walk.settle();
            order.into_iter().for_each(|order| walk.draft.push(Stmt::SettleOrder(order)));
        });
        self.phase = start;
    }

    pub(super) fn take_list(
        &mut self,
        id: TypeId,
        extent: &Extent,
        (element, node): (TypeId, NodeId),
        storage: Storage,
        place: &Place,
    ) {
        let (types, is_inline) = (self.draft.types, matches!(storage, Storage::Inline(_)));
        let fewest = self.draft.properties.node(node).fewest;
        // Elements of no bits cost an attacker nothing; the interpreter counts them.
        if !is_inline && fewest == 0 {
            return self.draft.give_up();
        }
        let element = types.canonical(element);
        if let Some(size) = self.fragments(extent) {
            let new = Element { list: self.variable(), list_id: id, id: element, item: self.variable(), fewest };
            return self.take_elements(new, node, size, place);
        }
        let count = self.take_count(extent);
        self.settle();
        let start = self.start_of(node);
        self.phase = start;
        let (list, item) = (self.variable(), self.variable());
        let new = Element { list, list_id: id, id: element, item, fewest };
        let place = place.clone();
        match *types.repr(element) {
            Repr::FixedOctets(octets @ 1..) if self.is_octet && !is_inline && !self.draft.is_thorough => {
                let all = self.variable();
                self.push(Stream::OctetArrays { list, place, all, count, octets });
            }
            _ if types.is_small(element) => {
                self.draft.push(Stmt::Refill { list, place });
                let to = self.draft.element(element, item);
                let body = self.block(|walk| {
                    match types.is_flat(element) {
                        true => walk.value(element, node, &to),
                        false => walk.part(element, node, &to),
                    }
                    walk.settle();
                });
                self.draft.push(Stmt::Times { count, element: new, body });
            }
            _ => {
                let at = self.variable();
                let body = self.block(|walk| {
                    walk.part(element, node, &Place::reference(item));
                    walk.settle();
                });
                self.push(Stream::EachPlace { element: new, at, count, place, body });
            }
        }
        self.phase = start;
    }

    /// The phase at which elements begin.
    pub(super) fn start_of(&self, element: NodeId) -> Phase {
        phase::join(self.phase, self.ends.after(self.draft.layout, element, self.phase))
    }
}
