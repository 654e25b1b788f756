//! BER, DER and CER: values after tags and lengths (X.690). Decoders read what encoders write; other forms of the basic encoding rules are left to the interpreter.

use roadwire_layout::tlv::item_values;
use roadwire_layout::{Contents, Node, NodeId, Order, Rules, Span, TlvNode};
use roadwire_model::TypeId;
use roadwire_wire::rt::tlv::{self, Identifier};

use crate::plan::{Arg, Cond, Draft, Int, Num, Place, Prim, Stmt, Str, Tlv, Unknown, Value, Var};
use crate::types::Repr;
use crate::walk::delimited::Delimited;
use crate::walk::keys::{Keys, Row};

/// The body of a function.
pub(crate) fn body(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId) {
    let (id, is_indefinite) = (draft.types.canonical(id), draft.layout.rules == Rules::Cer);
    Walk { draft, keys: Keys::default(), is_indefinite }.structure(id, node, &Place::value());
}

struct Walk<'d, 'a, 'm> {
    draft: &'d mut Draft<'a, 'm>,
    keys: Keys,
    /// Whether constructed values have an indefinite length, so that a decoder does not know their end.
    is_indefinite: bool,
}

impl<'a, 'm: 'a> Delimited<'a, 'm> for Walk<'_, 'a, 'm> {
    fn draft(&mut self) -> &mut Draft<'a, 'm> {
        self.draft
    }

    fn keys(&mut self) -> &mut Keys {
        &mut self.keys
    }

    fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.draft.types.canonical(id);
        if self.draft.types.is_recursive(id) {
            return self.draft.give_up_part(id);
        }
        let is_untagged = matches!(self.draft.layout.node(node), Node::Tlv(TlvNode::Choice { .. }));
        if is_untagged && self.draft.types.is_shared(id, false) {
            return self.draft.call(id, node, place);
        }
        self.structure(id, node, place);
    }

    fn comes(&mut self, node: NodeId) -> Option<Cond> {
        Some(Cond::TagIs(self.tags(node)?))
    }

    fn is_any(&mut self, node: NodeId) -> bool {
        matches!(self.draft.layout.node(node), Node::Tlv(TlvNode::Open { .. }))
    }

    fn has_end(&mut self) -> bool {
        !self.is_indefinite
    }
}

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    fn structure(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.draft.enter(id);
        self.content(id, node, place);
        self.draft.leave();
    }

    fn content(&mut self, id: TypeId, node: NodeId, place: &Place) {
        match *self.draft.layout.node(node) {
            Node::Tlv(TlvNode::Tagged { identifier, contents, indefinite }) => match identifier_octet(identifier) {
                Some(tag) => self.tagged(id, tag, contents, indefinite, place),
                None => self.draft.give_up(),
            },
            Node::Tlv(TlvNode::Primitive { identifier, contents, indefinite }) => match identifier_octet(identifier) {
                Some(tag) => self.leaf(id, Front { tag, is_segmented: indefinite }, &contents, place),
                None => self.draft.give_up(),
            },
            Node::Tlv(TlvNode::Record { order: Order::SortedByPlace(_) | Order::SortedByValue, .. }) => {
                self.draft.give_up()
            }
            Node::Tlv(TlvNode::Record { members, additions, groups, .. }) => {
                self.components(id, members, additions.is_some(), groups.count > 0, place);
            }
            Node::Tlv(TlvNode::Choice { alternatives, extensible, .. }) => {
                self.choice(id, alternatives, extensible, place)
            }
            Node::Tlv(TlvNode::List { lower, upper, element, sorted }) => {
                self.list(id, element, sorted, (lower, upper), place);
            }
            Node::Tlv(TlvNode::Open { slot, rows }) if self.draft.types.is_open(id) => self.open(id, slot, rows, place),
            Node::Tlv(TlvNode::Open { .. }) if !self.draft.is_encoder() => {
                let octets = self.draft.take_slice(Prim::Tlv(Tlv::Whole), Vec::new());
                self.draft.fill(id, place, Str::Var(octets), (0, u64::MAX));
            }
            Node::Tlv(TlvNode::Open { .. }) if *self.draft.types.repr(id) == Repr::OctetString => {
                self.write(Tlv::PutElement, vec![Arg::Contents(place.clone())]);
            }
            Node::Scope { record, slots } => {
                self.keys.enter(self.draft.layout, slots);
                self.content(id, record, place);
            }
            Node::Key { node, .. } => self.content(id, node, place),
            _ => self.draft.give_up(),
        }
    }

    fn tagged(&mut self, id: TypeId, tag: u8, contents: NodeId, is_indefinite: bool, place: &Place) {
        match (self.draft.is_encoder(), is_indefinite) {
            (true, true) => {
                self.front(tag, 0x80);
                self.inner(id, contents, place);
                self.put(Num::Const(0), 2);
            }
            (true, false) => {
                // The octet before the contents is for their length.
                self.front(tag, 0);
                let start = self.draft.variable();
                self.draft.push(Stmt::Mark(start));
                self.inner(id, contents, place);
                self.draft.push(Stmt::Close(Prim::Tlv(Tlv::Close), start));
            }
            (false, true) => {
                self.draft.push(Stmt::ExpectOctets([tag, 0x80]));
                self.inner(id, contents, place);
                self.draft.push(Stmt::ExpectOctets([0, 0]));
            }
            (false, false) => {
                let inside = self.draft.variable();
                let body = self.block(|walk| walk.inner(id, contents, place));
                let args = vec![Arg::Num(Num::Const(tag.into()))];
                self.draft.push(Stmt::Within { inside, by: Prim::Tlv(Tlv::Open), args, body });
            }
        }
    }

    /// The content of a constructed value: inline, or by a separate function.
    fn inner(&mut self, id: TypeId, contents: NodeId, place: &Place) {
        let is_value =
            matches!(self.draft.layout.node(contents), Node::Tlv(TlvNode::Tagged { .. } | TlvNode::Primitive { .. }));
        match self.draft.is_function(id) && !is_value {
            true => self.draft.call(id, contents, place),
            false => self.structure(id, contents, place),
        }
    }

    fn choice(&mut self, id: TypeId, alternatives: Span, is_extensible: bool, place: &Place) {
        if self.draft.is_encoder() {
            return self.put_alternatives(id, alternatives, is_extensible, place);
        }
        if !matches!(self.draft.types.repr(id), Repr::Choice(_)) {
            return self.draft.give_up();
        }
        let mut arms = Vec::new();
        for one in self.draft.layout.alternatives(alternatives) {
            let Some(tags) = self.tags(one.node) else { continue };
            let arm = self.block(|walk| walk.take_alternative(id, one.alternative as usize, one.node, place));
            arms.push((tags, arm));
        }
        self.draft.push(Stmt::SelectTag(arms));
    }

    /// The identifier octets that a value may begin with; `None` if others are possible.
    fn tags(&self, node: NodeId) -> Option<Vec<u8>> {
        match *self.draft.layout.node(node) {
            Node::Tlv(TlvNode::Tagged { identifier, .. } | TlvNode::Primitive { identifier, .. }) => {
                Some(vec![identifier_octet(identifier)?])
            }
            Node::Tlv(TlvNode::Choice { alternatives, .. }) => {
                let mut tags = Vec::new();
                for one in self.draft.layout.alternatives(alternatives) {
                    tags.extend(self.tags(one.node)?);
                }
                Some(tags)
            }
            Node::Key { node, .. } => self.tags(node),
            _ => None,
        }
    }

    fn list(&mut self, id: TypeId, node: NodeId, is_sorted: bool, bounds: (u64, u64), place: &Place) {
        let Repr::List { element, .. } = *self.draft.types.repr(id) else { return self.draft.give_up() };
        if self.draft.is_encoder() {
            self.draft.push(Stmt::Settle);
            // Sorting elements is left to the interpreter.
            let is_several = Cond::Above(Num::Elements(place.clone()), 1);
            self.draft.push_if(is_sorted, Stmt::RejectIf(is_several));
            self.draft.reject_if(Cond::size_outside(Num::Elements(place.clone()), bounds));
            let item = self.draft.variable();
            let body = self.block(|walk| walk.value(element, node, &Place::reference(item)));
            return self.draft.push(Stmt::Each { item, list: place.clone(), body });
        }
        let (item, list) = (self.draft.variable(), self.draft.variable());
        self.draft.push(Stmt::Refill { list, place: place.clone() });
        let more = if self.is_indefinite { Cond::BeforeZero } else { Cond::BeforeEnd };
        self.elements(more, (list, item), id, |walk, id, place| walk.value(id, node, place));
        self.size_of(list, bounds);
    }

    /// An open type: a value of the type that its row has, or the octets of one value.
    fn open(&mut self, id: TypeId, slot: u32, rows: Span, place: &Place) {
        let rows: Vec<NodeId> = self.draft.layout.numbers(rows).iter().map(|node| NodeId(*node)).collect();
        let Some(count) = self.draft.types.table(id).map(|table| table.rows.len()) else { return self.draft.give_up() };
        self.draft.push_if(self.draft.is_encoder(), Stmt::Settle);
        // Without rows, nothing selects one.
        let row = match rows.len() {
            0 => Row::Ahead,
            _ => self.keys.row(self.draft, id, slot),
        };
        match self.draft.is_encoder() {
            true => self.put_open(id, row, &rows, count, place),
            false => self.take_open(id, row, &rows, count, place),
        }
    }

    fn put_open(&mut self, id: TypeId, row: Row, rows: &[NodeId], count: usize, place: &Place) {
        let mut arms = Vec::new();
        let inner = self.draft.variable();
        let octets = vec![Stmt::Write(Prim::Tlv(Tlv::PutElement), vec![Arg::Contents(Place::reference(inner))])];
        arms.push((count, inner, octets));
        if let Row::Unknown | Row::Ahead = row {
            let others = self.block(|walk| walk.draft.give_up());
            return self.draft.push(Stmt::SwitchOpen { id, place: place.clone(), arms, others: Some(others) });
        }
        for at in 0..count {
            let inner = self.draft.variable();
            let arm = self.block(|walk| {
                walk.draft.reject_if(row.differs(at));
                match rows.get(at) {
                    Some(node) => {
                        let type_id = walk.draft.types.row(id, at);
                        walk.value(type_id, *node, &Place::reference(inner));
                    }
                    None => walk.draft.give_up(),
                }
            });
            arms.push((at, inner, arm));
        }
        self.draft.push(Stmt::SwitchOpen { id, place: place.clone(), arms, others: None });
    }

    fn take_open(&mut self, id: TypeId, row: Row, rows: &[NodeId], count: usize, place: &Place) {
        match row {
            Row::Unknown => self.draft.give_up(),
            Row::Only => self.take_alternative(id, 0, rows[0], place),
            Row::Ahead => self.take_octets(id, count, place),
            Row::Selected(row) => {
                let mut arms = Vec::new();
                for (at, node) in rows.iter().enumerate().take(count) {
                    arms.push((at as u64, self.block(|walk| walk.take_alternative(id, at, *node, place))));
                }
                let others = self.block(|walk| walk.take_octets(id, count, place));
                self.draft.push(Stmt::SelectRow { row, arms, others });
            }
        }
    }

    /// The octets of one value, as the last alternative of an open type.
    fn take_octets(&mut self, id: TypeId, count: usize, place: &Place) {
        let content = self.draft.take_slice(Prim::Tlv(Tlv::Whole), Vec::new());
        let kept = self.draft.variable();
        self.draft.push(Stmt::ChooseOnly { id, alternative: count, place: place.clone(), inner: kept });
        let octets = self.draft.types.row(id, count);
        self.draft.fill(octets, &Place::reference(kept), Str::Var(content), (0, u64::MAX));
    }

    fn leaf(&mut self, id: TypeId, front: Front, leaf: &Contents, place: &Place) {
        match *leaf {
            Contents::Null => self.null(front),
            Contents::Boolean => self.truth(front, place),
            Contents::Integer { lower, upper } => self.integer(id, front, (lower, upper), place),
            Contents::WideInteger { lower: None, upper: None } => self.wide_integer(id, front, place),
            Contents::Enumerated { values, extensible, .. } => {
                let numbers = item_values(self.draft.layout, values).collect();
                self.enumerated(id, front, numbers, extensible, place);
            }
            Contents::Bits { lower, upper, trim: None } if *self.draft.types.repr(id) == Repr::BitString => {
                self.whole_bits(front, (lower, upper), place);
            }
            Contents::Bits { lower, upper, trim } => self.bits(id, front, (lower, upper), trim, place),
            Contents::UtcTime => self.time(id, front, 12, place),
            Contents::GeneralizedTime => self.time(id, front, 14, place),
            Contents::Octets { lower, upper } => self.octets(id, front, (lower, upper), place),
            Contents::Oid { .. } if *self.draft.types.repr(id) == Repr::Oid => self.oid(id, front, place),
            Contents::Utf8 { lower, upper } => self.text(id, front, (lower, upper), None, place),
            Contents::Characters { lower, upper, width: 1, alphabet } => {
                let alphabet = self.draft.layout.numbers(alphabet).to_vec();
                if alphabet.iter().any(|code| *code > 127) {
                    return self.draft.give_up();
                }
                self.text(id, front, (lower, upper), Some(alphabet), place);
            }
            _ => self.draft.give_up(),
        }
    }

    fn null(&mut self, Front { tag, .. }: Front) {
        match self.draft.is_encoder() {
            true => self.front(tag, 0),
            false => self.draft.push(Stmt::ExpectOctets([tag, 0])),
        }
    }

    fn truth(&mut self, front: Front, place: &Place) {
        if self.draft.is_encoder() {
            self.front(front.tag, 1);
            return self.put(Num::TruthOctet(place.clone()), 1);
        }
        let octet = self.one_octet(front);
        self.draft.push(Stmt::Set(place.clone(), Value::IsNot0(Num::Var(octet))));
    }

    fn integer(&mut self, id: TypeId, front: Front, bounds: (i64, i64), place: &Place) {
        let Some(int) = self.draft.types.int(id).filter(|int| int.bits <= 64) else { return self.draft.give_up() };
        if self.draft.is_encoder() {
            let value = self.draft.variable();
            self.draft.push(Stmt::Let(value, Num::Integer(id, place.clone()).to(Int::I64)));
            self.draft.push(Stmt::RejectIf(Cond::Beyond(value, bounds)));
            return self.put_number(front, bounds, Num::Var(value));
        }
        let number = self.take_number(front, bounds);
        self.draft.push(Stmt::Set(place.clone(), Value::Integer(id, Num::Var(number).to(int))));
    }

    fn wide_integer(&mut self, id: TypeId, front: Front, place: &Place) {
        let all = (i64::MIN, i64::MAX);
        match (self.draft.types.repr(id), self.draft.types.int(id), self.draft.is_encoder()) {
            (Repr::AnyInteger, _, true) => {
                self.write(Tlv::PutInteger, vec![Arg::Num(Num::Const(front.tag.into())), Arg::Value(place.clone())])
            }
            (Repr::AnyInteger, _, false) => {
                let octets = self.take_string(front);
                self.draft.push(Stmt::RejectIf(Cond::NotShortest(octets)));
                self.draft.push(Stmt::Set(place.clone(), Value::AnyInteger(octets)));
            }
            (_, Some(Int::I64), true) => self.put_number(front, all, Num::Integer(id, place.clone())),
            (_, Some(Int::I64), false) => {
                let number = self.take_number(front, all);
                self.draft.push(Stmt::Set(place.clone(), Value::Integer(id, Num::Var(number))));
            }
            _ => self.draft.give_up(),
        }
    }

    fn enumerated(&mut self, id: TypeId, front: Front, numbers: Vec<(i64, u32)>, is_extensible: bool, place: &Place) {
        let bounds = numbers.first().zip(numbers.last()).map(|(least, most)| (least.0, most.0));
        let Some((_, enumerators)) = self.draft.types.enumeration(id) else { return self.draft.give_up() };
        if self.draft.is_encoder() {
            let (value, place) = (self.draft.variable(), place.clone());
            let is_ordinal = !is_extensible && numbers.iter().all(|(number, ordinal)| *number == i64::from(*ordinal));
            let of = |ordinal: usize| numbers.iter().find(|one| one.1 as usize == ordinal).map_or(0, |one| one.0);
            let numbers = (0..enumerators.all().count()).map(of).collect();
            let unknown = if is_extensible { Unknown::Greatest } else { Unknown::None };
            self.draft.push(Stmt::Let(
                value,
                match is_ordinal {
                    true => Num::Ordinal(place).to(Int::I64),
                    false => Num::Item { id, place, numbers, held: Int::I64, unknown },
                },
            ));
            self.draft.push_if(is_extensible, Stmt::RejectIf(Cond::IsGreatest(value)));
            return self.put_number(front, bounds.unwrap_or_default(), Num::Var(value));
        }
        let Some(bounds) = bounds else { return self.draft.give_up() };
        let number = self.take_number(front, bounds);
        let items = numbers.iter().map(|(number, ordinal)| (*number, *ordinal as usize)).collect();
        self.draft.push(Stmt::Set(place.clone(), Value::ItemOf { id, number: Num::Var(number), items }));
    }

    /// A bit string of any length, in whole octets.
    fn whole_bits(&mut self, front: Front, bounds: (u64, u64), place: &Place) {
        if self.draft.is_encoder() {
            self.draft.reject_if(Cond::size_outside(Num::Elements(place.clone()), bounds));
            // A string of other bits, or a long one in segments (X.690 §9.2), is left to the interpreter.
            self.draft.push(Stmt::RejectIf(Cond::NotWholeOctets(place.clone(), front.is_segmented)));
            return self
                .write(Tlv::PutWholeBits, vec![Arg::Num(Num::Const(front.tag.into())), Arg::WholeBits(place.clone())]);
        }
        let octets = self.take_string(front);
        let bits = self.draft.variable();
        self.draft.push(Stmt::LetWholeBits { bits, octets });
        self.draft.reject_if(Cond::size_outside(Num::EightTimes(bits), bounds));
        self.draft.push(Stmt::Set(place.clone(), Value::WholeBits(bits)));
    }

    fn bits(&mut self, id: TypeId, front: Front, bounds: (u64, u64), trim: Option<u64>, place: &Place) {
        match self.draft.is_encoder() {
            true => self.put_bits(id, front, bounds, trim, place),
            false => self.take_bits(id, front, bounds, trim, place),
        }
    }

    fn put_bits(&mut self, id: TypeId, front: Front, bounds: (u64, u64), trim: Option<u64>, place: &Place) {
        let (word, count) = match *self.draft.types.repr(id) {
            Repr::BitFlags { bits, .. } if bits <= 40 => (Num::Flags(place.clone()), Arg::Num(Num::Const(bits.into()))),
            Repr::BitWord if bounds.1 <= 40 => (Num::Bits(place.clone()), Arg::BitCount(place.clone())),
            Repr::BitString => {
                let held = self.draft.variable();
                self.draft.push(Stmt::NeedWord { word: held, most: 40, place: place.clone() });
                (Num::WordBits(held), Arg::BitCount(Place::variable(held)))
            }
            _ => return self.draft.give_up(),
        };
        let (bits, least) = (self.draft.variable(), trim.unwrap_or(u64::MAX));
        self.draft.push(Stmt::Let(bits, word));
        self.draft.push(Stmt::RejectIf(match (self.draft.types.repr(id), &count) {
            (Repr::BitFlags { bits: width, .. }, _) => Cond::HasBitsAbove(Num::Var(bits), (*width).into()),
            (_, Arg::BitCount(place)) => Cond::WidestBitCountOutside(place.clone(), bounds),
            _ => Cond::True,
        }));
        let number = |number: u64| Arg::Num(Num::Const(number));
        self.write(Tlv::PutBits, vec![number(front.tag.into()), Arg::Num(Num::Var(bits)), count, number(least)]);
    }

    fn take_bits(&mut self, id: TypeId, front: Front, (lower, upper): (u64, u64), trim: Option<u64>, place: &Place) {
        let least = if trim.is_some() { 0 } else { lower };
        let repr = self.draft.types.repr(id).clone();
        let most = match repr {
            Repr::BitFlags { bits, .. } if bits <= 40 => upper,
            Repr::BitWord if upper <= 40 => upper,
            Repr::BitString if upper <= 40 || lower <= 40 => upper.min(40),
            _ => return self.draft.give_up(),
        };
        let number = |number: u64| Arg::Num(Num::Const(number));
        let (bits, sent) = (self.draft.variable(), self.draft.variable());
        let args = vec![number(front.tag.into()), number(least), number(most)];
        self.draft.push(Stmt::Read(vec![bits, sent], Prim::Tlv(Tlv::TakeBits), args));
        if let Repr::BitFlags { bits: width, .. } = repr {
            let flags = Num::ShlMissing { bits, width: width.into(), sent };
            return self.draft.push(Stmt::Set(place.clone(), Value::Flags(id, flags)));
        }
        let count = self.draft.variable();
        self.draft.push(Stmt::Let(count, Num::Max(sent, lower)));
        let word = Value::Sent { bits, count, sent, is_word: repr == Repr::BitWord };
        self.draft.push(Stmt::Set(place.clone(), word));
    }

    fn time(&mut self, id: TypeId, front: Front, digits: u8, place: &Place) {
        if self.draft.is_encoder() {
            // Any other form than to the second in UTC is left to the interpreter, which may change it (X.690 §11.7, §11.8).
            self.draft.push(Stmt::RejectIf(Cond::NotUtc(place.clone(), digits)));
            return self.put_string(front, Str::Characters(place.clone()), front.is_segmented);
        }
        let octets = self.take_string(front);
        self.draft.push(Stmt::RejectIf(Cond::NotVisible(octets)));
        self.draft.push(Stmt::Utf8(octets));
        self.draft.fill(id, place, Str::Var(octets), (0, u64::MAX));
    }

    fn octets(&mut self, id: TypeId, front: Front, bounds: (u64, u64), place: &Place) {
        if !self.draft.is_encoder() {
            let octets = self.take_string(front);
            return self.draft.fill(id, place, Str::Var(octets), bounds);
        }
        match *self.draft.types.repr(id) {
            Repr::FixedOctets(count @ 0..=127) => {
                self.front(front.tag, count as u8);
                self.write(Tlv::PutOctets, vec![Arg::Shared(place.clone())]);
            }
            Repr::Octets(_) | Repr::OctetString => {
                let octets = Str::Octets(place.clone());
                self.draft.reject_if(Cond::size_outside(Num::Length(octets.clone()), bounds));
                self.put_string(front, octets, front.is_segmented);
            }
            _ => self.draft.give_up(),
        }
    }

    fn oid(&mut self, id: TypeId, front: Front, place: &Place) {
        if self.draft.is_encoder() {
            return self.put_string(front, Str::Octets(place.clone()), false);
        }
        let octets = self.take_string(front);
        self.draft.push(Stmt::RejectIf(Cond::NotOid(octets)));
        self.draft.fill(id, place, Str::Var(octets), (0, u64::MAX));
    }

    /// Text in UTF-8, or in characters of one octet that are in an alphabet.
    fn text(&mut self, id: TypeId, front: Front, bounds: (u64, u64), alphabet: Option<Vec<u32>>, place: &Place) {
        if self.draft.is_encoder() {
            let text = Str::Characters(place.clone());
            match alphabet {
                None => self.draft.reject_if(Cond::size_outside(Num::Characters(text.clone()), bounds)),
                Some(alphabet) => {
                    self.draft.reject_if(Cond::size_outside(Num::OctetCount(text.clone()), bounds));
                    self.draft.push(Stmt::RejectIf(Cond::NotAllIn(text.clone(), alphabet)));
                }
            }
            return self.put_string(front, text, front.is_segmented);
        }
        let octets = self.take_string(front);
        let text = Str::Var(octets);
        match alphabet {
            None => {
                self.draft.push(Stmt::Utf8(octets));
                self.draft.reject_if(Cond::size_outside(Num::Characters(text.clone()), bounds));
            }
            Some(alphabet) => {
                self.draft.reject_if(Cond::size_outside(Num::Length(text.clone()), bounds));
                self.draft.push(Stmt::RejectIf(Cond::NotAllIn(text.clone(), alphabet)));
                self.draft.push(Stmt::Utf8(octets));
            }
        }
        self.draft.fill(id, place, text, (0, u64::MAX));
    }

    fn put(&mut self, number: Num, octets: u32) {
        self.draft.push(Stmt::Put { number, octets });
    }

    fn write(&mut self, by: Tlv, args: Vec<Arg>) {
        self.draft.push(Stmt::Write(Prim::Tlv(by), args));
    }

    fn front(&mut self, tag: u8, length: u8) {
        self.put(Num::Const(tag.into()), 1);
        self.put(Num::Const(length.into()), 1);
    }

    fn put_string(&mut self, front: Front, octets: Str, is_segmented: bool) {
        self.draft.push(Stmt::Settle);
        // A longer string is in segments (X.690 §9.2).
        let is_long = Cond::Above(Num::OctetCount(octets.clone()), 1000);
        self.draft.push_if(is_segmented, Stmt::RejectIf(is_long));
        self.write(Tlv::PutString, vec![Arg::Num(Num::Const(front.tag.into())), Arg::Octets(octets)]);
    }

    /// A number between bounds, which has been checked.
    fn put_number(&mut self, front: Front, (lower, upper): (i64, i64), value: Num) {
        let by = match octets_of(lower).max(octets_of(upper)) {
            1 => {
                self.front(front.tag, 1);
                return self.put(Num::LowOctet(Box::new(value)), 1);
            }
            most @ 2..=6 => Tlv::PutNumber { most, signed: lower < 0 },
            _ => Tlv::PutLongNumber,
        };
        self.write(by, vec![Arg::Num(Num::Const(front.tag.into())), Arg::Num(value)]);
    }

    /// The contents of a primitive string.
    fn take_string(&mut self, front: Front) -> Var {
        self.draft.take_slice(Prim::Tlv(Tlv::Open), vec![Arg::Num(Num::Const(front.tag.into()))])
    }

    fn one_octet(&mut self, front: Front) -> Var {
        let octet = self.draft.variable();
        self.read(octet, Tlv::OneOctet, front);
        octet
    }

    fn read(&mut self, var: Var, by: Tlv, front: Front) {
        self.draft.push(Stmt::Read(vec![var], Prim::Tlv(by), vec![Arg::Num(Num::Const(front.tag.into()))]));
    }

    /// A number between bounds.
    fn take_number(&mut self, front: Front, bounds: (i64, i64)) -> Var {
        let number = self.draft.variable();
        match octets_of(bounds.0).max(octets_of(bounds.1)) {
            1 => {
                let octet = self.one_octet(front);
                self.draft.push(Stmt::Let(number, Num::Signed(octet)));
            }
            most @ 2..=6 => self.read(number, Tlv::TakeNumber(most), front),
            _ => self.read(number, Tlv::TakeLongNumber, front),
        }
        self.draft.push(Stmt::RejectIf(Cond::Beyond(number, bounds)));
        number
    }
}

/// What is known of a primitive value before its contents.
#[derive(Clone, Copy)]
struct Front {
    tag: u8,
    /// Whether a long string is in segments.
    is_segmented: bool,
}

/// The octet of an identifier; longer identifiers are rare.
fn identifier_octet(identifier: Identifier) -> Option<u8> {
    match tlv::identifier_octets(identifier).as_slice() {
        [octet] => Some(*octet),
        _ => None,
    }
}

/// How many octets a number takes.
fn octets_of(number: i64) -> usize {
    roadwire_wire::rt::TwosComplement::signed(number.into()).octets().len()
}
