//! Protocol Buffers: values after field numbers. Decoders read what encoders write, fields in the
//! order of their numbers, each once; other forms are left to the interpreter, or to thorough
//! plans.

mod any_order;
mod leaf;

use roadwire_layout::{FieldNode, Key, Member, Node, NodeId, Span};
use roadwire_model::TypeId;
use roadwire_wire::rt::fields::straight::IN_A_WORD;
use roadwire_wire::rt::varint;

use crate::plan::{Arg, Cond, Draft, Fields, Num, Place, Prim, Reason, Stmt, Str, Var};
use crate::types::Repr;
use crate::walk::delimited::{Delimited, Later, Record, groups};
use crate::walk::walker::Walker;

/// The body of a function.
pub(crate) fn body(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId) {
    let id = draft.types.canonical(id);
    if draft.only_calls(id, node) {
        return;
    }
    Walk { draft }.message(id, node, &Place::value());
}

struct Walk<'d, 'a, 'm> {
    draft: &'d mut Draft<'a, 'm>,
}

impl<'a, 'm: 'a> Walker<'a, 'm> for Walk<'_, 'a, 'm> {
    fn draft(&mut self) -> &mut Draft<'a, 'm> {
        self.draft
    }
}

impl<'a, 'm: 'a> Delimited<'a, 'm> for Walk<'_, 'a, 'm> {
    /// A value after its key.
    fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.draft.types.canonical(id);
        match *self.draft.layout.node(node) {
            Node::Fields(FieldNode::Single { key, content }) => match Octets::of(key) {
                Some(key) => self.content(id, key, content, place),
                None => self.draft.give_up(),
            },
            Node::Fields(FieldNode::Repeated { key, element, lower, upper, packed }) => {
                self.repeated(id, Octets::of(key), (element, packed), (lower, upper), place);
            }
            Node::Key { node, .. } => self.value(id, node, place),
            _ => self.draft.give_up(),
        }
    }

    fn comes(&mut self, node: NodeId) -> Option<Cond> {
        match self.draft.layout.node(node) {
            Node::Fields(FieldNode::Single { key, .. } | FieldNode::Repeated { key, .. }) => {
                Some(Octets::of(*key)?.is_next())
            }
            Node::Key { node, .. } => self.comes(*node),
            _ => None,
        }
    }

    fn has_end(&mut self) -> bool {
        true
    }
}

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    /// Fields up to the end of the enclosing value. The caller checks this end.
    fn message(&mut self, id: TypeId, node: NodeId, place: &Place) {
        if let Node::Scope { record, slots } = *self.draft.layout.node(node) {
            self.draft.keys.enter(self.draft.layout, slots);
            return self.message(id, record, place);
        }
        // A list counts where its elements are.
        let is_level = !matches!(self.draft.layout.node(node), Node::Fields(FieldNode::Wrapped { .. }));
        self.within(id, |walk| walk.level(is_level, |walk| walk.fields(id, node, place)));
    }

    fn fields(&mut self, id: TypeId, node: NodeId, place: &Place) {
        match *self.draft.layout.node(node) {
            Node::Null => {}
            Node::Fields(FieldNode::Message { members, extensible, groups: spans, additions, .. }) => {
                let layout = self.draft.layout;
                let groups = groups(layout, members, spans);
                let members: Vec<&Member> = layout.members(members).iter().collect();
                let later = if extensible { self.later(&members, additions, place) } else { None };
                let record = Record { members, groups, is_extensible: extensible, later };
                match self.in_any_order() {
                    true => self.take_any_order(id, &record, additions, place),
                    false => self.components(id, &record, place),
                }
            }
            Node::Fields(FieldNode::Choice { alternatives, additions, extensible }) => {
                self.choice(id, alternatives, extensible.then_some(additions), place);
            }
            Node::Fields(FieldNode::Wrapped { field }) if self.in_any_order() => self.take_wrapped(id, field, place),
            Node::Fields(FieldNode::Wrapped { field }) => self.value(id, field, place),
            _ => self.draft.give_up(),
        }
    }

    /// Fields of a later version are written by thorough plans alone.
    fn later(&mut self, members: &[&Member], additions: u32, place: &Place) -> Option<Later> {
        if !self.draft.is_thorough || !self.draft.is_encoder() {
            return None;
        }
        let numbers = self.numbers(members.iter().map(|member| member.node));
        let args = vec![Arg::Unknown(place.clone()), Arg::Num(Num::Const(additions.into())), Arg::Ranges(numbers)];
        let code = vec![Stmt::Write(Prim::Fields(Fields::PutUnknown), args)];
        Some(Later { at: members.len()..=members.len(), code })
    }

    /// The numbers of fields.
    fn numbers(&self, nodes: impl Iterator<Item = NodeId>) -> Vec<u32> {
        nodes.filter_map(|node| self.draft.layout.field(node)?.number()).collect()
    }

    /// `added` is how many extension additions are known, if there may be others.
    fn choice(&mut self, id: TypeId, alternatives: Span, added: Option<u32>, place: &Place) {
        let layout = self.draft.layout;
        if self.draft.is_encoder() {
            let nodes = layout.alternatives(alternatives).iter().map(|one| one.node);
            let later = added.filter(|_| self.draft.is_thorough).map(|added| {
                let (inner, numbers) = (self.draft.variable(), self.numbers(nodes));
                let args = vec![Arg::Octets(Str::Var(inner)), Arg::Num(Num::Const(added.into())), Arg::Ranges(numbers)];
                (inner, vec![Stmt::Write(Prim::Fields(Fields::PutOther), args)])
            });
            return self.put_alternatives(id, alternatives, later, place, |walk, at, one, node, place| {
                let at = layout.alternatives(alternatives)[at].alternative as usize;
                walk.named(at, |walk| walk.value(one.type_id, node, place));
            });
        }
        if !matches!(self.draft.types.repr(id), Repr::Choice) {
            return self.draft.give_up();
        }
        if self.in_any_order() {
            return self.take_any_alternative(id, alternatives, added, place);
        }
        self.draft.push(Stmt::RejectIf(Cond::AtEnd));
        let mut arms = Vec::new();
        for one in self.draft.layout.alternatives(alternatives) {
            let Some(comes) = self.comes(one.node) else { continue };
            let arm = self.block(|walk| walk.take_alternative(id, one.alternative as usize, one.node, place));
            arms.push((comes, arm));
        }
        self.draft.push(Stmt::Chain(arms));
    }

    fn repeated(
        &mut self,
        id: TypeId,
        key: Option<Octets>,
        element: (NodeId, bool),
        bounds: (u64, u64),
        place: &Place,
    ) {
        let (Repr::List { element: element_id, .. }, Some(key)) = (*self.draft.types.repr(id), key) else {
            return self.draft.give_up();
        };
        let element_id = self.draft.types.canonical(element_id);
        self.level(true, |walk| match walk.draft.is_encoder() {
            true => walk.put_repeated(element_id, key, element, bounds, place),
            false => walk.take_repeated(id, key, element, bounds, place),
        });
    }

    fn put_repeated(
        &mut self,
        id: TypeId,
        key: Octets,
        (node, is_packed): (NodeId, bool),
        bounds: (u64, u64),
        place: &Place,
    ) {
        self.draft.push(Stmt::Settle);
        self.draft.because(Reason::Size);
        self.draft.reject_if(Cond::size_outside(Num::Elements(place.clone()), bounds));
        if !is_packed {
            return self.each(place, |walk, place| walk.content(id, key, node, place));
        }
        let item = self.draft.variable();
        let then = self.block(|walk| {
            walk.key(key);
            walk.put(Num::Const(0), 1);
            let start = walk.mark();
            let body = walk.block(|walk| walk.content(id, NO_KEY, node, &Place::reference(item)));
            walk.draft.push(Stmt::Each { item, list: place.clone(), body });
            walk.draft.push(Stmt::Close(Prim::Fields(Fields::Close), start));
        });
        self.draft.push(Stmt::If { condition: Cond::HasElements(place.clone()), then, otherwise: None });
    }

    fn take_repeated(
        &mut self,
        id: TypeId,
        key: Octets,
        (node, is_packed): (NodeId, bool),
        bounds: (u64, u64),
        place: &Place,
    ) {
        let (item, list) = (self.draft.variable(), self.draft.variable());
        self.draft.push(Stmt::Refill { list, place: place.clone() });
        let comes = Cond::All(vec![Cond::BeforeEnd, key.is_next()]);
        if is_packed {
            let inside = self.draft.variable();
            let then = self.block(|walk| {
                let body = walk.block(|walk| {
                    walk.elements(Cond::BeforeEnd, (list, item), id, |walk, id, place| {
                        walk.content(id, NO_KEY, node, place)
                    });
                });
                walk.draft.push(Stmt::Within { inside, by: Prim::Fields(Fields::Open), args: key.args(), body });
            });
            self.draft.push(Stmt::If { condition: comes, then, otherwise: None });
        } else {
            self.elements(comes, (list, item), id, |walk, id, place| walk.content(id, key, node, place));
        }
        self.size_of(list, bounds);
    }

    /// The value after a key.
    fn content(&mut self, id: TypeId, key: Octets, node: NodeId, place: &Place) {
        let id = self.draft.types.canonical(id);
        self.within(id, |walk| walk.leaf(id, key, node, place));
    }

    fn put(&mut self, number: Num, octets: u32) {
        self.draft.push(Stmt::Put { number, octets });
    }

    fn key(&mut self, key: Octets) {
        if key.count > 0 {
            self.put(Num::Const(key.word), key.count);
        }
    }

    /// Where the contents of a value with a length begin.
    fn mark(&mut self) -> Var {
        let start = self.draft.variable();
        self.draft.push(Stmt::Mark(start));
        start
    }

    /// A varint of at most `bits` bits.
    fn put_number(&mut self, key: Octets, bits: u32, number: Num) {
        if bits <= 7 {
            self.key(key);
            return self.put(number, 1);
        }
        let by = if bits <= IN_A_WORD { Fields::PutNumber(bits) } else { Fields::PutLongNumber };
        self.draft.push(Stmt::Write(Prim::Fields(by), [key.args(), vec![Arg::Num(number)]].concat()));
    }

    fn put_string(&mut self, key: Octets, octets: Str) {
        let args = [key.args(), vec![Arg::Octets(octets)]].concat();
        self.draft.push(Stmt::Write(Prim::Fields(Fields::PutString), args));
    }

    /// The number that a primitive reads after a key.
    fn take(&mut self, by: Fields, key: Octets) -> Var {
        let word = self.draft.variable();
        self.draft.push(Stmt::Read(vec![word], Prim::Fields(by), key.args()));
        word
    }

    /// A varint of at most `bits` bits, unless it is out of bounds.
    fn varint(&mut self, key: Octets, bits: u32) -> Var {
        match bits {
            0..=7 => self.take(Fields::TakeOctet, key),
            8..=IN_A_WORD => self.take(Fields::TakeNumber(bits.div_ceil(7)), key),
            _ => self.take(Fields::TakeLongNumber, key),
        }
    }

    /// The octets after a key and a length.
    fn take_string(&mut self, key: Octets) -> Var {
        self.draft.take_slice(Prim::Fields(Fields::Open), key.args())
    }
}

/// A key's octets, the first in the lowest bits, and how many there are; more than two are rare.
#[derive(Clone, Copy)]
struct Octets {
    word: u64,
    count: u32,
}

/// In front of an element of a packed list.
const NO_KEY: Octets = Octets { word: 0, count: 0 };

impl Octets {
    fn of(key: Key) -> Option<Self> {
        let key = u64::from(key);
        match varint::octets_of(key) {
            1 => Some(Octets { word: key, count: 1 }),
            2 => Some(Octets { word: key & 0x7f | 0x80 | key >> 7 << 8, count: 2 }),
            _ => None,
        }
    }

    fn args(self) -> Vec<Arg> {
        vec![Arg::Hex(self.word), Arg::Num(Num::Const(self.count.into()))]
    }

    fn is_next(self) -> Cond {
        Cond::IsKey { word: self.word, octets: self.count }
    }
}

/// The most bits of the varint of a number between bounds.
fn bits_of(varints: [u64; 2]) -> u32 {
    varints.into_iter().map(|varint| 64 - varint.leading_zeros()).max().unwrap_or(64).max(1)
}
