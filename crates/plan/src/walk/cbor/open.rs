//! Open types: data items in byte strings after the tag 24 (RFC 8949 §3.4.5.1).

use roadwire_layout::{CborNode, NodeId, Span};
use roadwire_model::TypeId;
use roadwire_wire::rt::cbor;

use super::head::{constant, head_octets, put};
use super::thorough::take_tag;
use super::{content_of, front, item};
use crate::plan::{Cbor, Draft, Num, Place, Prim, Reason, Stmt};
use crate::walk::open::OpenType;
use crate::walk::walker::Walker;

/// An open type: an item of the type that its row has, or octets, as a byte string with a tag.
pub(super) fn open<'a, 'm: 'a>(draft: &mut Draft<'a, 'm>, id: TypeId, (slot, rows): (u32, Span), place: &Place) {
    match draft.is_thorough && !draft.is_encoder() {
        true => take_tag(draft, cbor::tag::EMBEDDED),
        false => constant(draft, &head_octets(front::TAG, cbor::tag::EMBEDDED)),
    }
    let kept = |draft: &mut Draft<'a, 'm>, id, place: &Place| {
        content_of(draft, id, CborNode::Octets { lower: 0, upper: u64::MAX }, place);
    };
    if !draft.types.is_open(id) {
        return kept(draft, id, place);
    }
    draft.push(Stmt::Settle);
    let Some(open) = OpenType::of(draft, id, slot, rows) else { return };
    draft.level(true, |draft| open.code(draft, place, embedded, kept));
}

/// An item in a byte string. An encoder keeps an octet for its head.
fn embedded(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId, place: &Place) {
    if draft.is_encoder() {
        put(draft, Num::Const(0), 1);
        let start = draft.variable();
        draft.push(Stmt::Mark(start));
        item(draft, id, node, place);
        draft.push(Stmt::Close(Prim::Cbor(Cbor::Close), start));
    } else {
        draft.because(Reason::OpenTypeTrailing);
        let inside = draft.variable();
        let body = draft.block(|draft| item(draft, id, node, place));
        draft.push(Stmt::Within { inside, by: Prim::Cbor(Cbor::Open), args: Vec::new(), body });
    }
}
