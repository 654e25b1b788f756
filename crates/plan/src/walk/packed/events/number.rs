//! Numbers in a stream of events (EXI §7.1.4 to §7.1.6, §7.1.9).

use roadwire_layout::{Layout, Node, NodeId, Number, Span};
use roadwire_model::TypeId;
use roadwire_wire::rt::varint;

use super::super::{Walk, amount, number};
use crate::plan::{Amount, Arg, Cond, Events, Int, Mover, Num, Place, Prim, Reason, Stmt, Stream, Value, Var};

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    pub(super) fn event_integer(&mut self, id: TypeId, range: NodeId, number: Number, place: &Place) {
        let Some(int) = self.draft.types.int(id) else { return self.draft.give_up() };
        let Some((lower, upper)) = bounds_of_64(self.draft.layout, range, int) else {
            return self.wide_integer(id, int, number, range, place);
        };
        let range = upper.saturating_sub(lower);
        let refused = |number: Num| Cond::OffsetAbove { number, lower, range };
        self.draft.because(Reason::Integer);
        if !self.draft.is_encoder() {
            return self.take_event_integer(id, int, number, (lower, upper), place);
        }
        let cast = Amount::Cast { number: Num::Integer(id, place.clone()), signed: false };
        let var = self.draft.named(amount(cast));
        if int.bounds() != (lower, upper) {
            self.reject(refused(Num::Var(var)));
        }
        let magnitude = match number {
            Number::Bits { bits, base } => return self.put(amount(Amount::WithoutBase(var, base.into())), bits.into()),
            Number::Unsigned => var,
            Number::Signed => {
                self.put(Num::Var(var).shr(63), 1);
                self.draft.named(amount(Amount::Magnitude(var)))
            }
        };
        let most = lower.unsigned_abs().max(upper.unsigned_abs());
        self.put_groups(Num::Var(magnitude), most);
    }

    /// An integer of up to 126 bits.
    fn wide_integer(&mut self, id: TypeId, int: Int, number: Number, range: NodeId, place: &Place) {
        let (Node::Word { lower, upper, .. }, 128) = (self.draft.layout.node(range), int.bits) else {
            return self.draft.give_up();
        };
        let (bounds, signed) = (self.draft.layout.bounds(*lower, *upper), Arg::Flag(number == Number::Signed));
        let outside = |var| Cond::bare_outside(Num::Var(var), bounds, int.bounds());
        if self.draft.is_encoder() {
            let var = self.draft.named(Num::Integer(id, place.clone()));
            self.draft.reject_if(outside(var));
            self.settle();
            return self.apart(Mover::PutInteger, vec![Arg::Num(Num::Var(var)), signed]);
        }
        self.settle();
        let var = self.draft.get(Prim::Mover(Mover::TakeInteger), vec![signed]);
        self.draft.reject_if(outside(var));
        self.set(place, Value::Integer(id, Num::Var(var)));
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
        let refused = |number: Num| Cond::OffsetAbove { number, lower, range };
        if let Number::Bits { bits, base } = number {
            let found = amount(Amount::WithBase(self.take(bits.into()), base.into()));
            self.reject(refused(found.clone()));
            return self.set(place, Value::Integer(id, number::cast(found, Int::U64, int)));
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
            self.reject(Cond::HasBitsAbove(Num::Var(magnitude), 63));
        }
        if range < u64::MAX.into() {
            self.reject(refused(value.clone()));
        }
        self.set(place, Value::Integer(id, number::cast(value, Int::U64, int)));
    }

    pub(super) fn item_by_number(&mut self, id: TypeId, values: Span, bits: u8, place: &Place) {
        let Some(enumerators) = self.draft.types.items(id) else { return self.draft.give_up() };
        let numbers = self.draft.layout.numbers(values).chunks_exact(2).map(|pair| u64::from(pair[1]));
        let numbers: Vec<u64> = numbers.take(enumerators.all().count()).collect();
        if !self.draft.is_encoder() {
            let number = Num::Var(self.take(bits.into()));
            let items = numbers.into_iter().map(|number| number as i64).zip(0..).collect();
            return self.set(place, Value::ItemOf { id, number, items });
        }
        let unknown = enumerators.extensible.then_some(1u64 << bits);
        let var = self.draft.named(amount(Amount::ItemIndex { id, place: place.clone(), numbers, unknown }));
        if enumerators.extensible {
            self.reject(Cond::HasBitsAbove(Num::Var(var), bits.into()));
        }
        self.put(Num::Var(var), bits.into());
    }

    /// An item by its number, which may be negative or long.
    pub(super) fn item_of_number(&mut self, id: TypeId, values: Span, number: Number, place: &Place) {
        let Some(enumerators) = self.draft.types.items(id) else { return self.draft.give_up() };
        let numbers: Vec<i64> = self.draft.layout.item_numbers(values).take(enumerators.all().count()).collect();
        let magnitude = |number: &i64| if *number < 0 { !*number as u64 } else { *number as u64 };
        let most = numbers.iter().map(magnitude).max().unwrap_or(0);
        if !self.draft.is_encoder() {
            let found = self.take_item_number(number, most);
            let items = numbers.into_iter().zip(0..).collect();
            return self.set(place, Value::ItemOf { id, number: found, items });
        }
        let numbers = numbers.into_iter().map(|number| number as u64).collect();
        let var = self.draft.named(amount(Amount::ItemIndex { id, place: place.clone(), numbers, unknown: None }));
        match number {
            Number::Bits { bits, base } => self.put(amount(Amount::WithoutBase(var, base.into())), bits.into()),
            Number::Unsigned => self.put_groups(Num::Var(var), most.into()),
            Number::Signed => {
                self.put(Num::Var(var).shr(63), 1);
                let magnitude = self.draft.named(amount(Amount::Magnitude(var)));
                self.put_groups(Num::Var(magnitude), most.into());
            }
        }
    }

    fn take_item_number(&mut self, number: Number, most: u64) -> Num {
        let is_signed = number == Number::Signed;
        if self.draft.is_thorough {
            let (var, bits) = (self.variable(), if let Number::Bits { bits, .. } = number { bits } else { 0 });
            let args = vec![Arg::Num(Num::Const(bits.into())), Arg::Flag(is_signed)];
            self.settle();
            self.draft.push(Stmt::Read(vec![var], Prim::Events(Events::ItemNumber), args));
            return match number {
                Number::Bits { base, .. } => amount(Amount::WithBase(var, base.into())),
                _ => Num::Var(var),
            };
        }
        if let Number::Bits { bits, base } = number {
            return amount(Amount::WithBase(self.take(bits.into()), base.into()));
        }
        let sign = is_signed.then(|| self.take(1));
        let magnitude = self.take_groups(most);
        // Larger ones do not fit with a sign.
        self.reject(Cond::HasBitsAbove(Num::Var(magnitude), 63));
        sign.map_or(Num::Var(magnitude), |sign| amount(Amount::Signed { magnitude, sign }))
    }

    pub(super) fn event_real(&mut self, place: &Place) {
        self.settle();
        match self.draft.is_encoder() {
            true => self.apart(Mover::PutReal, vec![Arg::Value(place.clone())]),
            false => {
                let real = self.get(Mover::TakeReal);
                self.set(place, Value::Var(real));
            }
        }
    }

    /// An object identifier.
    pub(super) fn event_arcs(&mut self, relative: bool, place: &Place) {
        self.settle();
        let (relative, place) = (Arg::Flag(relative), place.clone());
        match self.draft.is_encoder() {
            true => self.apart(Mover::PutArcs, vec![Arg::Contents(place), relative]),
            false => self.apart(Mover::TakeArcs, vec![relative, Arg::Exclusive(place)]),
        }
    }

    /// A number of up to `most` in groups of seven bits.
    pub(super) fn put_groups(&mut self, number: Num, most: u128) {
        let bits = 128 - most.leading_zeros();
        if bits <= 7 * 7 {
            let (spread, width) = (self.variable(), self.variable());
            let most = bits.div_ceil(7).max(1);
            let by = Prim::Mover(Mover::Spread(most));
            self.draft.push(Stmt::LetWord { variables: (spread, width), by, number });
            return self.put_octets(Num::Var(spread), Num::Var(width), most * 8);
        }
        self.settle();
        self.apart(Mover::PutVarint, vec![Arg::Num(number)]);
    }

    /// Reads a number in groups of seven bits, which usually is at most `most`.
    pub(super) fn take_groups(&mut self, most: u64) -> Var {
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
fn bounds_of_64(layout: &Layout, range: NodeId, int: Int) -> Option<(i128, i128)> {
    let (least, greatest) = int.bounds();
    let [lower, upper] = layout.range(layout.node(range))?;
    let (lower, upper) = (lower.unwrap_or(least), upper.unwrap_or(greatest));
    (int.bits <= 64 && i64::try_from(lower).is_ok()).then_some((lower, upper))
}
