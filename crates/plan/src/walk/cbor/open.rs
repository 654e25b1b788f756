//! Open types: data items in byte strings after the tag 24 (RFC 8949 §3.4.5.1).

use roadwire_layout::{NodeId, Span};
use roadwire_model::TypeId;
use roadwire_wire::rt::cbor;

use super::head::{constant, head_octets, put};
use super::leaf::octets;
use super::{front, item};
use crate::plan::{Cbor, Draft, Num, Place, Prim, Stmt};
use crate::walk::keys::Row;
use crate::walk::text::{Open, put_open, take_open};
use crate::walk::walker::Walker;

/// An open type: an item of the type that its row has, or octets, as a byte string with a tag.
pub(super) fn open<'a, 'm: 'a>(draft: &mut Draft<'a, 'm>, id: TypeId, (slot, rows): (u32, Span), place: &Place) {
    constant(draft, &head_octets(front::TAG, cbor::tag::EMBEDDED));
    if !draft.types.is_open(id) {
        return octets(draft, id, (0, u64::MAX), place);
    }
    draft.push(Stmt::Settle);
    let row = match rows.count {
        0 => Row::Ahead,
        _ => draft.row(id, slot),
    };
    if row == Row::Unknown {
        return draft.give_up();
    }
    let open = Open { id, row, rows };
    draft.depth += 1;
    match draft.is_encoder() {
        true => put_open(draft, open, place, put_embedded, |draft, place| {
            let kept = draft.types.row(id, open.count(draft));
            draft.block(|draft| octets(draft, kept, (0, u64::MAX), place))
        }),
        false => take_open(draft, open, place, take_embedded, |draft, kept, place| {
            octets(draft, kept, (0, u64::MAX), place);
        }),
    }
    draft.depth -= 1;
}

/// An item in a byte string, after an octet that is kept for its head.
fn put_embedded(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId, place: &Place) {
    put(draft, Num::Const(0), 1);
    let start = draft.variable();
    draft.push(Stmt::Mark(start));
    item(draft, id, node, place);
    draft.push(Stmt::Close(Prim::Cbor(Cbor::Close), start));
}

fn take_embedded(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId, place: &Place) {
    let inside = draft.variable();
    let body = draft.block(|draft| item(draft, id, node, place));
    draft.push(Stmt::Within { inside, by: Prim::Cbor(Cbor::Open), args: Vec::new(), body });
}
