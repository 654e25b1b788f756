//! Values without parts: varints, and what a length precedes.

use roadwire_layout::{FieldNode, Node, NodeId, Sign, Span, Trim};
use roadwire_model::TypeId;

use crate::plan::{
    Amount, Arg, Coding, Cond, Draft, Fields, Int, Num, Place, Prim, Reason, Stmt, Str, Tlv, Unknown, Value,
};
use crate::types::Repr;
use crate::walk::fields::{Octets, Walk, bits_of};
use crate::walk::open::OpenType;
use crate::walk::walker::Walker;
use crate::walk::wide;

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    pub(super) fn leaf(&mut self, id: TypeId, key: Octets, node: NodeId, place: &Place) {
        if let Some(reason) = reason(self.draft.layout.node(node), self.draft.is_encoder()) {
            self.draft.because(reason);
        }
        match *self.draft.layout.node(node) {
            Node::Fields(FieldNode::Delimited { content }) => self.delimited(id, key, content, place),
            Node::Fields(FieldNode::Truth) => self.truth(key, place),
            Node::Fields(FieldNode::Number { sign, lower, upper }) => {
                self.integer(id, key, sign, (lower, upper), place)
            }
            Node::Fields(FieldNode::Item { values, extensible, .. }) => {
                self.item(id, key, self.draft.layout.item_numbers(values).collect(), extensible, place);
            }
            Node::Fields(FieldNode::Flags { lower, upper, .. }) => self.flags(id, key, (lower, upper), place),
            Node::Fields(FieldNode::Double) => self.double(key, place),
            Node::Integer { .. } | Node::WideInteger { .. } if self.draft.types.is_wide(id) => {
                let layout = self.draft.layout;
                match wide::range(layout, layout.node(node)) {
                    Some(range) => wide::integer(self.draft, place, Coding::Keyed(key.args()), range),
                    None => self.draft.give_up(),
                }
            }
            Node::Integer { lower, upper, .. } => {
                let layout = self.draft.layout;
                self.contents(id, key, (layout.bound(lower), layout.bound(upper)), place);
            }
            Node::Bits { extent, trim: Trim::NONE, .. } if *self.draft.types.repr(id) == Repr::BitString => {
                self.any_bits(id, key, (extent.lower, extent.upper), place);
            }
            Node::Bits { extent, trim, .. }
                if *self.draft.types.repr(id) == Repr::BitString && self.draft.types.stands_alone() =>
            {
                self.named_bits(id, key, (extent.lower, extent.upper), trim.least().unwrap_or(0), place);
            }
            Node::Bits { extent, trim, .. } => self.bits(id, key, (extent.lower, extent.upper), trim.least(), place),
            Node::Octets { extent } => self.octets(id, key, (extent.lower, extent.upper), place),
            Node::Text { utf8: true, lower, upper, alphabet } => self.text(id, key, (lower, upper), alphabet, place),
            Node::Oid { .. } if *self.draft.types.repr(id) == Repr::Oid => self.oid(id, key, place),
            Node::Open | Node::Table { .. } if self.draft.types.is_open(id) => self.open(id, key, node, place),
            // A table without rows selects nothing.
            Node::Open | Node::Table { .. } if !self.draft.is_encoder() => self.octets(id, key, (0, u64::MAX), place),
            Node::Open | Node::Table { .. }
                if matches!(self.draft.types.repr(id), Repr::OctetString | Repr::LentOctets) =>
            {
                self.put_string(key, Str::Octets(place.clone()));
            }
            _ => self.draft.give_up(),
        }
    }

    /// An open type: a message of the type that its row has, or octets.
    fn open(&mut self, id: TypeId, key: Octets, node: NodeId, place: &Place) {
        self.draft.push(Stmt::Settle);
        let (slot, rows) = match *self.draft.layout.node(node) {
            Node::Table { slot, rows } => (slot, rows),
            _ => (0, Span::default()),
        };
        let Some(open) = OpenType::of(self.draft, id, slot, rows) else { return };
        let content = |draft: &mut Draft<'a, 'm>, id, node, place: &Place| {
            Walk { draft }.delimited(id, key, node, place);
        };
        let kept = |draft: &mut Draft<'a, 'm>, id, place: &Place| Walk { draft }.octets(id, key, (0, u64::MAX), place);
        self.draft.level(true, |draft| open.code(draft, place, content, kept));
    }

    pub(super) fn delimited(&mut self, id: TypeId, key: Octets, content: NodeId, place: &Place) {
        if let Node::Bits { extent, trim, .. } = *self.draft.layout.node(content) {
            return self.fixed_bits(id, key, (extent.upper, trim.least().is_some()), place);
        }
        let is_empty = matches!(self.draft.layout.node(content), Node::Null);
        let is_function = self.draft.is_function(id);
        if self.draft.is_encoder() {
            self.key(key);
            self.put(Num::Const(0), 1);
            if is_empty {
                return;
            }
            // The octet before the contents is for their length.
            let start = self.mark();
            match is_function {
                true => self.draft.call(id, content, place),
                false => self.message(id, content, place),
            }
            return self.draft.push(Stmt::Close(Prim::Fields(Fields::Close), start));
        }
        let inside = self.draft.variable();
        let body = self.block(|walk| match is_function && !is_empty {
            true => walk.draft.call(id, content, place),
            false => walk.message(id, content, place),
        });
        self.draft.push(Stmt::Within { inside, by: Prim::Fields(Fields::Open), args: key.args(), body });
    }

    pub(super) fn truth(&mut self, key: Octets, place: &Place) {
        if self.draft.is_encoder() {
            self.key(key);
            return self.put(Num::Truth(place.clone()), 1);
        }
        let octet = self.varint(key, 7);
        self.draft.push(Stmt::Set(place.clone(), Value::IsNot0(Num::Var(octet))));
    }

    pub(super) fn double(&mut self, key: Octets, place: &Place) {
        if self.draft.is_encoder() {
            self.key(key);
            return self.put(Num::RealBits(place.clone()), 8);
        }
        let word = self.take(Fields::TakeEight, key);
        self.draft.push(Stmt::Set(place.clone(), Value::Real(Num::Var(word))));
    }

    pub(super) fn integer(&mut self, id: TypeId, key: Octets, sign: Sign, (lower, upper): (i128, i128), place: &Place) {
        let Some(int) = self.draft.types.int(id).filter(|int| int.bits <= 64) else { return self.draft.give_up() };
        let bits = bits_of([sign.write(lower), sign.write(upper)]);
        // The type in which integers are compared.
        let held = if upper > i64::MAX.into() { Int::U64 } else { Int::I64 };
        if self.draft.is_encoder() {
            let value = self.draft.named(Num::Integer(id, place.clone()).to(held));
            self.draft.reject_if(Cond::outside(Num::Var(value), held, Some(lower), Some(upper)));
            let number = match sign {
                Sign::Zigzag => Num::Zigzag(value),
                Sign::Unsigned | Sign::Signed => Num::Var(value).to(Int::U64),
            };
            return self.put_number(key, bits, number);
        }
        let word = self.varint(key, bits);
        // Checks the upper bound first: above it, the number may not fit into the type used for
        // comparison.
        let is_first = sign == Sign::Unsigned && upper < u64::MAX.into();
        self.draft.push_if(is_first, Stmt::RejectIf(Cond::Above(Num::Var(word), upper as u64)));
        let number = self.draft.named(match sign {
            Sign::Zigzag => Num::Unzigzag(word),
            Sign::Unsigned | Sign::Signed => Num::Var(word).to(held),
        });
        let lower = Some(lower).filter(|lower| *lower != 0 || sign != Sign::Unsigned);
        let upper = Some(upper).filter(|_| sign != Sign::Unsigned);
        self.draft.reject_if(Cond::outside(Num::Var(number), held, lower, upper));
        self.draft.push(Stmt::Set(place.clone(), Value::Integer(id, Num::Var(number).to(int))));
    }

    /// An integer in two's complement, in as few octets as hold it.
    pub(super) fn contents(
        &mut self,
        id: TypeId,
        key: Octets,
        (lower, upper): (Option<i128>, Option<i128>),
        place: &Place,
    ) {
        let Some(int @ (Int::I64 | Int::U64)) = self.draft.types.int(id) else { return self.draft.give_up() };
        if self.draft.is_encoder() {
            let value = self.draft.named(Num::Integer(id, place.clone()).to(Int::I64));
            self.draft.reject_if(Cond::outside(Num::Var(value), Int::I64, lower, upper));
            let args = [key.args(), vec![Arg::Num(Num::Var(value))]].concat();
            return self.draft.push(Stmt::Write(Prim::Fields(Fields::PutContents), args));
        }
        let value = self.take(Fields::TakeContents, key);
        let lower = if int == Int::U64 { Some(lower.map_or(0, |lower| lower.max(0))) } else { lower };
        self.draft.reject_if(Cond::outside(Num::Var(value), Int::I64, lower, upper));
        self.draft.push(Stmt::Set(place.clone(), Value::Integer(id, Num::Var(value).to(int))));
    }

    pub(super) fn item(&mut self, id: TypeId, key: Octets, numbers: Vec<i64>, is_extensible: bool, place: &Place) {
        if self.draft.types.items(id).is_none() {
            return self.draft.give_up();
        }
        let bits = numbers.iter().map(|number| bits_of([*number as u64; 2])).max().unwrap_or(64);
        if is_extensible && (bits <= 7 || self.draft.is_thorough) && self.draft.types.stands_alone() {
            return self.any_item(id, key, place);
        }
        if self.draft.is_encoder() {
            let unknown = if is_extensible { Unknown::Rejected } else { Unknown::None };
            let value = self.draft.named(Num::item(id, place, numbers, Int::U64, unknown));
            return self.put_number(key, bits, Num::Var(value));
        }
        let number = Num::Var(self.varint(key, bits)).to(Int::I64);
        self.draft.push(Stmt::Set(place.clone(), Value::Item { id, number, numbers }));
    }

    /// An item by its number, which may be one of a later version: of up to seven bits, and in
    /// thorough plans of those that such an item may have.
    fn any_item(&mut self, id: TypeId, key: Octets, place: &Place) {
        let bits = if self.draft.is_thorough { 64 } else { 7 };
        let number = match self.draft.is_encoder() {
            true => self.draft.named(Num::Amount(Box::new(Amount::Widened(place.clone())))),
            false => self.varint(key, bits),
        };
        match self.draft.is_thorough {
            true => self.draft.reject_no_item(number),
            false => self.draft.push(Stmt::RejectIf(Cond::HasBitsAbove(Num::Var(number), 7))),
        }
        match self.draft.is_encoder() {
            true => self.put_number(key, bits, Num::Var(number)),
            false => self.draft.push(Stmt::Set(place.clone(), Value::Integer(id, Num::Var(number)))),
        }
    }

    pub(super) fn flags(&mut self, id: TypeId, key: Octets, (lower, upper): (u8, u8), place: &Place) {
        match self.draft.is_encoder() {
            true => self.put_flags(id, key, (lower, upper), place),
            false => self.take_flags(id, key, (lower, upper), place),
        }
    }

    pub(super) fn put_flags(&mut self, id: TypeId, key: Octets, (lower, upper): (u8, u8), place: &Place) {
        match *self.draft.types.repr(id) {
            Repr::BitFlags { bits: width, .. } => {
                let bits = self.draft.named(Num::Flags(place.clone()));
                self.draft.push_if(width < 64, Stmt::RejectIf(Cond::HasBitsAbove(Num::Var(bits), width.into())));
                self.put_number(key, width.into(), Num::Reversed(bits, 64 - u32::from(width)));
            }
            Repr::BitWord => {
                let bounds = (lower.into(), upper.into());
                self.draft.push(Stmt::RejectIf(Cond::NotWithin(Num::BitCount(place.clone()), bounds)));
                let bits = self.draft.named(Num::ReversedBits(place.clone()));
                self.put_number(key, upper.into(), Num::Var(bits));
            }
            _ => self.draft.give_up(),
        }
    }

    pub(super) fn take_flags(&mut self, id: TypeId, key: Octets, (lower, upper): (u8, u8), place: &Place) {
        let flags = self.varint(key, upper.into());
        self.draft.push_if(upper < 64, Stmt::RejectIf(Cond::HasBitsAbove(Num::Var(flags), upper.into())));
        match *self.draft.types.repr(id) {
            Repr::BitFlags { bits, .. } => {
                let value = Value::Flags(id, Num::Reversed(flags, 64 - u32::from(bits)));
                self.draft.push(Stmt::Set(place.clone(), value));
            }
            Repr::BitWord => {
                let bits = self.draft.named(Num::UsedBits(flags, lower.into()));
                let value = Value::Bits(Num::ReversedIn(flags, bits), Num::Var(bits).to(Int::U8));
                self.draft.push(Stmt::Set(place.clone(), value));
            }
            _ => self.draft.give_up(),
        }
    }

    /// Bits after the number of unused ones; the form is the same as after a tag.
    pub(super) fn bits(&mut self, id: TypeId, key: Octets, bounds: (u64, u64), trim: Option<u64>, place: &Place) {
        if *self.draft.types.repr(id) != Repr::BitWord || bounds.1 > 64 || trim.is_some() {
            return self.draft.give_up();
        }
        if self.in_any_order() {
            return self.any_bits(id, key, bounds, place);
        }
        if key.count != 1 {
            return self.draft.give_up();
        }
        // With the number of unused bits and a length they fit into a word, or not.
        let is_long = bounds.1 > 40;
        let number = |number| Arg::Num(Num::Const(number));
        if self.draft.is_encoder() {
            self.draft.push(Stmt::RejectIf(Cond::NotWithin(Num::BitCount(place.clone()).widened(), bounds)));
            let bits = Arg::Num(Num::Bits(place.clone()));
            let args = vec![number(key.word), bits, Arg::BitCount(place.clone()), Arg::Greatest];
            let by = if is_long { Tlv::PutLongBits } else { Tlv::PutBits };
            return self.draft.push(Stmt::Write(Prim::Tlv(by), args));
        }
        let (bits, count) = (self.draft.variable(), self.draft.variable());
        let args = vec![number(key.word), number(bounds.0), number(bounds.1)];
        let by = if is_long { Tlv::TakeLongBits } else { Tlv::TakeBits };
        self.draft.push(Stmt::Read(vec![bits, count], Prim::Tlv(by), args));
        let value = Value::Bits(Num::Var(bits), Num::Var(count).to(Int::U8));
        self.draft.push(Stmt::Set(place.clone(), value));
    }

    /// A bit string of any length.
    pub(super) fn any_bits(&mut self, id: TypeId, key: Octets, bounds: (u64, u64), place: &Place) {
        if self.draft.is_encoder() {
            let bits = Num::Elements(place.clone());
            self.draft.reject_if(Cond::size_outside(bits.clone(), bounds));
            let args = [key.args(), vec![Arg::WholeBits(place.clone()), Arg::Num(bits)]].concat();
            return self.draft.push(Stmt::Write(Prim::Fields(Fields::PutBits), args));
        }
        let octets = match self.in_any_order() {
            true => self.sized_bits(bounds),
            false => self.take_string(key),
        };
        self.draft.take_any_bits(id, octets, bounds, place);
    }

    /// The same without zeros at the end beyond the first `least`, as they are written.
    fn named_bits(&mut self, id: TypeId, key: Octets, (lower, upper): (u64, u64), least: u64, place: &Place) {
        if !self.draft.is_encoder() {
            return self.any_bits(id, key, (lower, upper), place);
        }
        let size = [lower, upper, least].map(|number| Arg::Num(Num::Const(number)));
        let args = [key.args(), vec![Arg::WholeBits(place.clone())], size.to_vec()].concat();
        self.draft.push(Stmt::Write(Prim::Fields(Fields::PutBits), args));
    }

    /// More than 64 bits, always as many: their octets. Only for code that stands alone.
    fn fixed_bits(&mut self, id: TypeId, key: Octets, (bits, is_trimmed): (u64, bool), place: &Place) {
        if !self.draft.types.stands_alone() || *self.draft.types.repr(id) != Repr::BitString {
            return self.draft.give_up();
        }
        let bits = Arg::Num(Num::Const(bits));
        if self.draft.is_encoder() {
            let args = [key.args(), vec![Arg::WholeBits(place.clone()), bits, Arg::Flag(is_trimmed)]].concat();
            return self.draft.push(Stmt::Write(Prim::Fields(Fields::PutFixedBits), args));
        }
        let octets = match self.in_any_order() {
            true => self.sized_octets((0, u64::MAX)),
            false => self.take_string(key),
        };
        let args = vec![Arg::Exclusive(place.clone()), Arg::Octets(Str::Var(octets)), bits];
        self.draft.push(Stmt::Do(Prim::Fields(Fields::TakeFixedBits), args));
    }

    pub(super) fn oid(&mut self, id: TypeId, key: Octets, place: &Place) {
        if self.draft.is_encoder() {
            return self.put_string(key, Str::Octets(place.clone()));
        }
        let octets = self.take_string(key);
        self.draft.push(Stmt::RejectIf(Cond::NotOid(octets)));
        self.draft.fill(id, place, Str::Var(octets), (0, u64::MAX));
    }

    pub(super) fn octets(&mut self, id: TypeId, key: Octets, bounds: (u64, u64), place: &Place) {
        if !self.draft.is_encoder() {
            let octets = match self.in_any_order() {
                true => self.sized_octets(bounds),
                false => self.take_string(key),
            };
            return self.draft.fill(id, place, Str::Var(octets), bounds);
        }
        match self.draft.types.repr(id) {
            Repr::FixedOctets(_) => self.put_string(key, Str::Fixed(place.clone())),
            Repr::Octets(_) | Repr::OctetString | Repr::LentOctets => {
                let octets = Str::Octets(place.clone());
                self.draft.reject_if(Cond::size_outside(Num::Length(octets.clone()), bounds));
                self.put_string(key, octets);
            }
            _ => self.draft.give_up(),
        }
    }

    pub(super) fn text(&mut self, id: TypeId, key: Octets, bounds: (u64, u64), alphabet: Span, place: &Place) {
        let alphabet = self.draft.layout.numbers(alphabet).to_vec();
        if self.draft.is_encoder() {
            let text = Str::Characters(place.clone());
            if alphabet.iter().any(|code| *code > 127) {
                self.draft.push(Stmt::RejectIf(Cond::NotFit(text.clone(), bounds, alphabet)));
            } else if alphabet.is_empty() {
                self.draft.reject_if(Cond::size_outside(Num::Characters(text.clone()), bounds));
            } else {
                self.draft.reject_if(Cond::size_outside(Num::Length(text.clone()), bounds));
                self.draft.push(Stmt::RejectIf(Cond::NotAllIn(text.clone(), alphabet)));
            }
            return self.put_string(key, text);
        }
        let octets = match self.in_any_order() {
            true => self.checked_text(&alphabet, bounds.1),
            false => self.take_string(key),
        };
        self.draft.fill_text(id, place, octets, alphabet, bounds);
    }
}

/// The fault that a value may have. In memory, an item is an index.
const fn reason(node: &Node, is_encoder: bool) -> Option<Reason> {
    Some(match node {
        Node::Integer { .. } if !is_encoder => Reason::IntegerWidth,
        Node::Integer { .. } | Node::Fields(FieldNode::Number { .. }) => Reason::Integer,
        Node::Fields(FieldNode::Item { .. }) if is_encoder => Reason::Item,
        Node::Fields(FieldNode::Item { .. }) => Reason::ItemNumber,
        Node::Fields(FieldNode::Flags { .. }) | Node::Bits { .. } | Node::Octets { .. } | Node::Text { .. } => {
            Reason::Size
        }
        Node::Fields(FieldNode::Delimited { .. }) => Reason::Trailing,
        _ => return None,
    })
}
