//! Streams of events (EXI): values one after the other as in PER, with event codes between them. Codes are constants, except after optional parts.

use roadwire_layout::{EventNode, Node, NodeId, Number, Span};
use roadwire_model::{Kind, TypeId};
use roadwire_wire::rt::varint;

use super::{Walk, amount, grouped, phase, test};
use crate::plan::{Amount, Arg, Cond, Int, Mover, Num, Place, Prim, Stmt, Str, Stream, Test, Value, Var};
use crate::types::Repr;

/// More octets than any string that is encoded here.
const MOST_OCTETS: u64 = 1 << 40;

/// The next event code.
#[derive(Clone)]
pub(super) enum Code {
    /// To be written: how many events have been skipped, and the width.
    Known { left_out: u64, bits: u8 },
    /// The same, by numbers that the value decides.
    Told { left_out: Num, bits: Num },
    /// To be read: the required value, and the width.
    Unread { wanted: u64, bits: u8 },
    /// The remaining value, in a variable.
    Read(Var),
    /// It has been read and checked.
    Done,
}

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    pub(super) fn event(&mut self, id: TypeId, node: &EventNode, place: &Place) {
        match *node {
            EventNode::Document { element, .. } => {
                match self.draft.is_encoder() {
                    true => self.put(amount(Amount::Hex(0x80)), 8),
                    false => self.constant(0x80, 8),
                }
                self.follow(1);
                self.member(id, element, place, false);
            }
            EventNode::Empty { first } => self.follow(first),
            EventNode::Sequence { .. } | EventNode::Choice { .. } | EventNode::Repeat { .. } => {
                self.draft.depth += 1;
                match *node {
                    EventNode::Sequence { .. } => self.event_sequence(id, node, place),
                    EventNode::Choice { .. } => self.event_choice(id, node, place),
                    _ => self.event_repeat(id, node, place),
                }
                self.draft.depth -= 1;
            }
            EventNode::Integer { range, number } => self.event_integer(id, range, number, place),
            EventNode::ItemNumber { values, number: Number::Bits { bits, base: 0 }, .. } => {
                self.item_by_number(id, values, bits, place);
            }
            _ => self.draft.give_up(),
        }
    }

    /// A component or alternative, whose type may be on the heap: a CHOICE without an element is matched here, and not in a function.
    pub(super) fn in_structure(&mut self, id: TypeId, node: NodeId, place: &Place, is_optional: bool) {
        let types = self.draft.types;
        let is_choice = matches!(self.draft.layout.node(node), Node::Events(EventNode::Choice { .. }));
        match is_choice && types.is_boxed_type(types.canonical(id)) {
            true => self.member(id, node, &place.unboxed(), is_optional),
            false => self.member(id, node, place, is_optional),
        }
    }

    /// A part with its element, or without if it is merged into another. An optional part may be a separate function.
    pub(super) fn member(&mut self, id: TypeId, node: NodeId, place: &Place, is_optional: bool) {
        let (types, layout) = (self.draft.types, self.draft.layout);
        let id = types.canonical(id);
        match *layout.node(node) {
            Node::Events(EventNode::Element { content, follow, .. }) => {
                self.happen();
                let is_shared = types.is_shared(id, self.is_plain) || self.merged.contains(&content);
                let is_part = types.is_recursive(id) || is_shared;
                if is_part || is_optional && types.is_function(id) {
                    // It ends with the code of its element's end.
                    self.call(id, content, place);
                } else {
                    self.structure(id, content, place);
                    self.happen();
                }
                self.follow(follow);
            }
            Node::Events(EventNode::Leaf { value, code, follow, .. }) => {
                self.happen();
                let string = match (layout.node(value), types.repr(id)) {
                    (Node::Events(EventNode::Octets { lower: 0, .. }), Repr::Octets(_) | Repr::OctetString) => {
                        Some(Str::Octets(place.clone()))
                    }
                    (Node::Events(EventNode::Text { lower: 0, .. }), Repr::Text(_) | Repr::String) => {
                        Some(Str::Characters(place.clone()))
                    }
                    _ => None,
                };
                match string.filter(|_| code > 0) {
                    Some(string) => self.or_empty(string, code, |walk| walk.leaf(id, value, code, place)),
                    None => self.leaf(id, value, code, place),
                }
                self.follow(follow);
            }
            _ => self.structure(id, node, place),
        }
    }

    /// A value between its codes.
    fn leaf(&mut self, id: TypeId, value: NodeId, code: u8, place: &Place) {
        let layout = self.draft.layout;
        self.draft.enter(id);
        self.only_event(code);
        match *layout.node(value) {
            Node::Events(EventNode::Bits { lower, upper, trim, .. }) => match self.draft.is_encoder() {
                true => self.put_event_bits(id, (lower, upper), trim, code, place),
                false => self.take_event_bits(id, (lower, upper), code, place),
            },
            Node::Events(EventNode::Octets { lower, upper }) => match self.draft.is_encoder() {
                true => self.put_event_octets(id, (lower, upper), place),
                false => self.take_event_octets(id, (lower, upper), place),
            },
            // If there can be other strings, it may be a reference to an earlier one.
            Node::Events(EventNode::Text { lower, upper, alphabet }) if EventNode::has_one_text_at_most(layout) => {
                self.event_text(id, (lower, upper), alphabet, place);
            }
            _ => self.structure(id, value, place),
        }
        self.only_event(code);
        self.draft.leave();
    }

    /// Sets the width of the next event's code.
    pub(super) fn follow(&mut self, bits: u8) {
        self.next = match self.draft.is_encoder() {
            true => Code::Known { left_out: 0, bits },
            false => Code::Unread { wanted: 0, bits },
        };
    }

    /// The code of the next event, which occurs here.
    pub(super) fn happen(&mut self) {
        match self.next.clone() {
            Code::Known { left_out, bits } => self.put(Num::Const(left_out), bits.into()),
            Code::Told { left_out, bits } => self.put_octets(left_out, bits, u16::BITS),
            Code::Unread { wanted, bits } => self.constant(wanted, bits.into()),
            Code::Read(left_out) => self.reject(grouped(Cond::Differs(Num::Var(left_out), 0))),
            Code::Done => {}
        }
        self.next = if self.draft.is_encoder() { Code::Known { left_out: 0, bits: 0 } } else { Code::Done };
    }

    /// The code of the only possible event.
    fn only_event(&mut self, bits: u8) {
        match self.draft.is_encoder() {
            true => self.put(Num::Const(0), bits.into()),
            false => self.constant(0, bits.into()),
        }
    }

    pub(super) fn constant(&mut self, wanted: u64, bits: u32) {
        self.phase = phase::advance(self.phase, bits.into());
        self.push(Stream::Constant { wanted, bits });
    }

    fn event_integer(&mut self, id: TypeId, range: NodeId, number: Number, place: &Place) {
        let Some(int) = self.draft.types.int(id) else { return self.draft.give_up() };
        let Some((lower, upper)) = bounds_of_64(self.draft.layout.node(range), int) else {
            return self.draft.give_up();
        };
        let range = upper.saturating_sub(lower);
        let refused = |number: Num| grouped(test(Test::OffsetAbove { number, lower, range }));
        if !self.draft.is_encoder() {
            return self.take_event_integer(id, int, number, (lower, upper), place);
        }
        let var = self.variable();
        let cast = Amount::Cast { number: Num::Integer(id, place.clone()), signed: false };
        self.let_number(var, amount(cast));
        if int.bounds() != (lower, upper) {
            self.reject(refused(Num::Var(var)));
        }
        let magnitude = match number {
            Number::Bits { bits, base } => return self.put(amount(Amount::WithoutBase(var, base.into())), bits.into()),
            Number::Unsigned => var,
            Number::Signed => {
                self.put(amount(Amount::SignBit(var)), 1);
                let magnitude = self.variable();
                self.let_number(magnitude, amount(Amount::Magnitude(var)));
                magnitude
            }
        };
        let most = lower.unsigned_abs().max(upper.unsigned_abs());
        self.put_groups(Num::Var(magnitude), most);
    }

    fn take_event_integer(
        &mut self,
        id: TypeId,
        int: Int,
        number: Number,
        (lower, upper): (i128, i128),
        place: &Place,
    ) {
        let range = upper.saturating_sub(lower);
        let refused = |number: Num| grouped(test(Test::OffsetAbove { number, lower, range }));
        if let Number::Bits { bits, base } = number {
            let found = amount(Amount::WithBase(self.take(bits.into()), base.into()));
            self.reject(refused(found.clone()));
            return self.set(place, Value::Integer(id, super::number::cast(found, Int::U64, int)));
        }
        let sign = (number == Number::Signed).then(|| self.take(1));
        let greatest = if sign.is_some() { upper.max(-1 - lower) } else { upper };
        let magnitude = self.take_groups(u64::try_from(greatest).unwrap_or(u64::MAX));
        let value = match sign {
            Some(sign) => amount(Amount::Signed { magnitude, sign }),
            None => Num::Var(magnitude),
        };
        if sign.is_some() && greatest >> 49 != 0 {
            // Larger magnitudes do not fit with a sign.
            self.reject(grouped(Cond::HasBitsAbove(Num::Var(magnitude), 63)));
        }
        if range < u64::MAX.into() {
            self.reject(refused(value.clone()));
        }
        self.set(place, Value::Integer(id, super::number::cast(value, Int::U64, int)));
    }

    fn item_by_number(&mut self, id: TypeId, values: Span, bits: u8, place: &Place) {
        let Some((_, enumerators)) = self.draft.types.enumeration(id) else { return self.draft.give_up() };
        let numbers = self.draft.layout.numbers(values).chunks_exact(2).map(|pair| u64::from(pair[1]));
        let numbers: Vec<u64> = numbers.take(enumerators.all().count()).collect();
        if !self.draft.is_encoder() {
            let number = Num::Var(self.take(bits.into()));
            let items = numbers.into_iter().map(|number| number as i64).zip(0..).collect();
            return self.set(place, Value::ItemOf { id, number, items });
        }
        let var = self.variable();
        let unknown = enumerators.extensible.then_some(1u64 << bits);
        self.let_number(var, amount(Amount::ItemIndex { id, place: place.clone(), numbers, unknown }));
        if enumerators.extensible {
            self.reject(grouped(Cond::HasBitsAbove(Num::Var(var), bits.into())));
        }
        self.put(Num::Var(var), bits.into());
    }

    /// A bit string after its codes, as octets after their number; with a code of `code` bits before both.
    fn put_event_bits(&mut self, id: TypeId, (lower, upper): (u64, u64), trim: bool, code: u8, place: &Place) {
        match *self.draft.types.repr(id) {
            Repr::BitFlags { bits, .. } if lower == upper && upper == u64::from(bits) => {
                let flags = self.put_flags(bits, place);
                self.put(Num::Const(bits.div_ceil(8).into()), 8);
                self.put(flags, bits.into());
                self.put(Num::Const(0), u32::from(bits).wrapping_neg() % 8);
            }
            Repr::BitWord if !trim && lower != upper && upper <= 56 => {
                let (count, unused) = (self.variable(), self.variable());
                self.let_number(count, amount(Amount::WideBitCount(place.clone())));
                // An empty string is rare.
                self.reject(test(Test::NotWithin(Num::Var(count), (lower.max(1), upper))));
                self.let_number(unused, amount(Amount::UnusedBits(count)));
                self.put(Num::Var(unused), 3);
                self.put(Num::Const(0), code.into());
                self.put(amount(Amount::DivCeil(count)), 8);
                let value = amount(Amount::MaskedShl(place.clone(), unused));
                self.put_octets(value, amount(Amount::SumBits(count, unused)), 56);
            }
            _ => self.draft.give_up(),
        }
    }

    fn take_event_bits(&mut self, id: TypeId, bounds: (u64, u64), code: u8, place: &Place) {
        let has_names = matches!(self.draft.types.kind(id), Kind::BitString { named, .. } if !named.is_empty());
        match *self.draft.types.repr(id) {
            Repr::BitFlags { bits, .. } if bounds.0 == bounds.1 && bounds.1 == u64::from(bits) => {
                self.constant(bits.div_ceil(8).into(), 8);
                let found = self.take(bits.into());
                self.set(place, Value::Flags(id, Num::Var(found)));
                self.expect(None, u32::from(bits).wrapping_neg() % 8);
            }
            Repr::BitWord if bounds.0 != bounds.1 && bounds.1 <= 56 && !has_names => {
                let unused = self.take(3);
                self.constant(0, code.into());
                let octets = self.take(8);
                self.reject(grouped(test(Test::NotOctetCount(octets))));
                self.settle();
                let count = self.variable();
                self.push(Stream::TakeEventBits { place: place.clone(), octets, unused, count, bounds });
            }
            _ => self.draft.give_up(),
        }
    }

    /// Octets after their number.
    fn put_event_octets(&mut self, id: TypeId, bounds: (u64, u64), place: &Place) {
        match *self.draft.types.repr(id) {
            Repr::FixedOctets(count) if count > 0 => {
                self.put_groups(Num::Typed(count), count.into());
                self.settle();
                self.act(Mover::PutArray, vec![Arg::Shared(place.clone())]);
            }
            Repr::Octets(_) | Repr::OctetString => {
                let count = self.variable();
                self.let_number(count, Num::Length(Str::Octets(place.clone())).to(Int::U64));
                self.reject(test(Test::NotWithin(Num::Var(count), bounds)));
                self.put_groups(Num::Var(count), bounds.1.min(MOST_OCTETS).into());
                self.settle();
                self.put_string(id, place);
            }
            _ => self.draft.give_up(),
        }
    }

    fn take_event_octets(&mut self, id: TypeId, bounds: (u64, u64), place: &Place) {
        let place = place.clone();
        match *self.draft.types.repr(id) {
            Repr::FixedOctets(fixed) => {
                let (groups, bits) = varint::spread::<2>(fixed);
                self.constant(groups, bits);
                self.settle();
                self.act(Mover::TakeArray, vec![Arg::Exclusive(place)]);
            }
            Repr::Octets(_) | Repr::OctetString => {
                let count = self.take_groups(bounds.1);
                self.reject(test(Test::NotWithin(Num::Var(count), bounds)));
                self.settle();
                self.push(match self.draft.types.repr(id) {
                    Repr::OctetString => Stream::TakeEventOctets { place, count },
                    _ => Stream::TakeInline { place, count: Num::Var(count) },
                });
            }
            _ => self.draft.give_up(),
        }
    }

    /// Characters after their number.
    fn event_text(&mut self, id: TypeId, (lower, upper): (u64, u64), alphabet: Span, place: &Place) {
        if !matches!(self.draft.types.repr(id), Repr::Text(_) | Repr::String) {
            return self.draft.give_up();
        }
        let (alphabet, most) = (self.draft.layout.numbers(alphabet).to_vec(), upper.min(MOST_OCTETS) + 2);
        if !self.draft.is_encoder() {
            let count = self.take_groups(most);
            self.reject(test(Test::NotWithin(Num::Var(count), (lower + 2, most))));
            self.settle();
            return self.push(Stream::TakeEventText { id, place: place.clone(), count, alphabet });
        }
        let count = self.variable();
        self.let_number(count, Num::Characters(Str::Characters(place.clone())).to(Int::U64));
        self.reject(test(Test::NotWithin(Num::Var(count), (lower, upper))));
        self.put_groups(amount(Amount::Plus(Num::Var(count), 2)), most.into());
        self.settle();
        self.apart(Mover::PutEventText, vec![Arg::Object(place.clone()), Arg::Ranges(alphabet)]);
    }

    /// A string whose element ends at once if it is empty (§8.5.4.4.1), by the second value of a code of `code` bits and a code after it; otherwise `full` writes it.
    fn or_empty(&mut self, string: Str, code: u8, full: impl FnOnce(&mut Self)) {
        self.settle();
        let second = EventNode::SECOND_PART;
        if !self.draft.is_encoder() {
            // In the usual case, the first code is read again.
            let full = self.block(|walk| {
                full(walk);
                walk.settle();
            });
            return self.push(Stream::OrEmpty { string, code, second, full });
        }
        let then = self.block(|walk| {
            walk.put(Num::Const(1), code.into());
            walk.put(Num::Const(0), second.into());
        });
        let otherwise = Some(self.block(full));
        self.draft.push(Stmt::If { condition: test(Test::IsEmpty(string)), then, otherwise });
    }

    /// A number of up to `most` in groups of seven bits.
    fn put_groups(&mut self, number: Num, most: u128) {
        let bits = 128 - most.leading_zeros();
        if bits <= 7 * 7 {
            let (spread, width) = (self.variable(), self.variable());
            let most = bits.div_ceil(7).max(1);
            let by = Prim::Mover(Mover::Spread(most));
            self.draft.push(Stmt::LetWord { variables: (spread, width), by, number });
            return self.put_octets(Num::Var(spread), Num::Var(width), most * 8);
        }
        self.settle();
        self.apart(Mover::PutVarint, vec![Arg::Plain(number)]);
    }

    /// Reads a number in groups of seven bits, which usually is at most `most`.
    fn take_groups(&mut self, most: u64) -> Var {
        let (var, most) = (self.variable(), varint::octets_of(most));
        if most <= varint::MOST_PEELED {
            self.push(Stream::Groups { var, most: most as u32 });
        } else {
            self.settle();
            self.draft.push(Stmt::Get(var, Prim::Mover(Mover::TakeVarint), Vec::new()));
        }
        var
    }
}

/// The bounds of an integer's range, if a variable of 64 bits can hold them.
fn bounds_of_64(range: &Node, int: Int) -> Option<(i128, i128)> {
    let (least, greatest) = int.bounds();
    let (lower, upper) = match *range {
        Node::Word { lower, upper, .. } => (lower, upper),
        Node::Integer { lower, upper, .. } => (lower.unwrap_or(least), upper.unwrap_or(greatest)),
        _ => return None,
    };
    (int.bits <= 64 && i64::try_from(lower).is_ok()).then_some((lower, upper))
}
