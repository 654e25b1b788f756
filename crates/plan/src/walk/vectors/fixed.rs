//! Values of a fixed number of octets.

use roadwire_layout::{Node, NodeId, Span, VectorNode, Width};
use roadwire_model::TypeId;

use crate::plan::{Amount, Arg, Cond, Draft, Int, Num, Place, Prim, Reason, Stmt, Value, Var, Vectors};
use crate::types::Repr;
use crate::walk::vectors::Walk;

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    /// A value of a fixed number of octets.
    pub(super) fn fixed(&mut self, id: TypeId, fixed: Fixed, place: &Place) {
        if !self.draft.is_encoder() {
            return match self.take_fixed(id, fixed) {
                Some(value) => self.draft.push(Stmt::Set(place.clone(), value)),
                None => self.draft.give_up(),
            };
        }
        match fixed {
            Fixed::Nothing => {}
            Fixed::Word { octets, lower, upper, .. } => self.put_word(id, octets, (lower, upper), place),
            Fixed::Array(octets) => self.draft.push(Stmt::PutArray { place: place.clone(), octets }),
            Fixed::Item { octets, extensible, values } => self.put_item(id, octets, extensible, values, place),
            Fixed::Flags { octets } => self.put_flags(id, octets, place),
        }
    }

    pub(super) fn put_word(&mut self, id: TypeId, octets: usize, (lower, upper): (i128, i128), place: &Place) {
        let Some(int) = self.draft.types.int(id) else { return self.draft.give_up() };
        let held = if int == Int::U64 { Int::U64 } else { Int::I64 };
        let value = self.draft.named(Num::Integer(id, place.clone()).to(held));
        let (least, most) = int.bounds();
        let (lower, upper) = (Some(lower).filter(|of| *of > least), Some(upper).filter(|of| *of < most));
        self.draft.because(Reason::Integer);
        self.draft.reject_if(Cond::outside(Num::Var(value), held, lower, upper));
        self.put(Num::Var(value).to(Int::U64), octets);
    }

    pub(super) fn put_item(&mut self, id: TypeId, octets: usize, is_extensible: bool, values: Span, place: &Place) {
        if self.draft.types.items(id).is_none() {
            return self.draft.give_up();
        }
        self.draft.because(Reason::Item);
        if self.draft.is_thorough && is_extensible {
            // In memory is its number.
            let value = self.draft.named(Num::Amount(Box::new(Amount::Widened(place.clone()))));
            self.draft.push(Stmt::RejectIf(Cond::HasBitsAbove(Num::Var(value), most_bits(octets))));
            return self.put(Num::Var(value), octets);
        }
        let numbers = self.draft.layout.numbers(values).to_vec();
        // Without an early return, so that it compiles to the discriminant itself where possible.
        let unknown = numbers.iter().max().map_or(0, |most| u64::from(*most) + 1);
        let unknown = is_extensible.then_some(unknown);
        let value = self.draft.named(Num::ItemCode { id, place: place.clone(), numbers, unknown });
        self.draft.reject_if(unknown.map(|unknown| Cond::Equals(Num::Var(value), unknown)));
        self.put(Num::Var(value), octets);
    }

    pub(super) fn put_flags(&mut self, id: TypeId, octets: usize, place: &Place) {
        let Repr::BitFlags { bits, .. } = *self.draft.types.repr(id) else { return self.draft.give_up() };
        let value = self.draft.named(Num::Flags(place.clone()));
        self.draft.because(Reason::Size);
        self.draft.push(Stmt::RejectIf(Cond::HasBitsAbove(Num::Var(value), bits.into())));
        // One bit 1 for each further octet, and a 0.
        self.put(Num::OrFront(((1u64 << octets) - 2) << bits, value), octets);
    }

    /// Reads a value of a fixed number of octets.
    pub(super) fn take_fixed(&mut self, id: TypeId, fixed: Fixed) -> Option<Value> {
        match (fixed, *self.draft.types.repr(id)) {
            (Fixed::Nothing, _) => Some(Value::Null),
            (Fixed::Word { octets, signed, lower, upper }, Repr::Integer(_)) => {
                Some(self.take_word(id, octets, signed, (lower, upper)))
            }
            (Fixed::Array(octets), _) => {
                let var = self.draft.variable();
                self.draft.push(Stmt::TakeArray { var, octets });
                Some(Value::Var(var))
            }
            (Fixed::Item { octets, values, extensible }, _) => {
                self.draft.types.items(id)?;
                let (number, item) = (self.take(octets), self.draft.variable());
                self.draft.because(Reason::ItemNumber);
                if self.draft.is_thorough && extensible {
                    let is_long = Cond::HasBitsAbove(Num::Var(number), most_bits(octets));
                    self.draft.push_if(octets > 3, Stmt::RejectIf(is_long));
                    return Some(Value::Integer(id, Num::Var(number)));
                }
                let numbers = self.draft.layout.numbers(values).iter().map(|number| i64::from(*number)).collect();
                self.draft.push(Stmt::LetItem { item, id, number, numbers });
                Some(Value::Var(item))
            }
            (Fixed::Flags { octets }, Repr::BitFlags { bits, .. }) if self.draft.is_thorough => {
                let (var, octets) = (self.draft.variable(), Arg::Num(Num::Const(octets as u64)));
                self.draft.push(Stmt::Read(vec![var], Prim::Vectors(Vectors::TakeFlags), vec![octets]));
                Some(Value::Flags(id, Num::Var(var).and((1u64 << bits) - 1)))
            }
            (Fixed::Flags { octets }, Repr::BitFlags { bits, .. }) => {
                let var = self.take(octets);
                self.draft.push(Stmt::RejectIf(Cond::BitsAboveDiffer(var, bits.into(), (1u64 << octets) - 2)));
                Some(Value::Flags(id, Num::Var(var).and((1u64 << bits) - 1)))
            }
            _ => None,
        }
    }

    pub(super) fn take_word(&mut self, id: TypeId, octets: usize, signed: bool, (lower, upper): (i128, i128)) -> Value {
        let (var, bits) = (self.take(octets), octets as u32 * 8);
        let (held, number, full) = match signed {
            true => (Int::I64, Num::SignExtended(var, 64 - bits), -(1i128 << (bits - 1))),
            false => (Int::U64, Num::Var(var), 0),
        };
        self.draft.because(Reason::Integer);
        let lower = Some(lower).filter(|of| *of != full);
        let upper = Some(upper).filter(|of| *of != full + (1i128 << bits) - 1);
        self.draft.reject_if(Cond::outside(number.clone(), held, lower, upper));
        let int = self.draft.types.int(id).unwrap_or(Int::I64);
        Value::Integer(id, number.to(int))
    }

    /// Reads a number in as many octets as its first ones say.
    pub(super) fn take_rest(&mut self, by: Vectors) -> Var {
        let (var, rest) = (self.draft.variable(), self.draft.variable());
        self.draft.push(Stmt::TakeRest { var, rest, by: Prim::Vectors(by) });
        var
    }

    /// A number in as many octets as its first ones say.
    pub(super) fn variable_number(&mut self, id: TypeId, [put, take]: [Vectors; 2], place: &Place) {
        let (Repr::Integer(_), Some(int)) = (self.draft.types.repr(id), self.draft.types.int(id)) else {
            return self.draft.give_up();
        };
        if self.draft.is_encoder() {
            // A number too large for the encoding is refused there.
            let number = Arg::Num(Num::Integer(id, place.clone()).to(Int::U64));
            return self.draft.push(Stmt::Write(Prim::Vectors(put), vec![number]));
        }
        let number = self.take_rest(take);
        self.draft.push(Stmt::Set(place.clone(), Value::Integer(id, Num::Var(number).to(int))));
    }
}

/// How many bits the number of a later item has at most, in so many octets.
fn most_bits(octets: usize) -> u32 {
    (octets as u32 * 8).min(30)
}

/// A value of a fixed number of octets that is neither a record nor a list.
#[derive(Clone, Copy)]
pub(super) enum Fixed {
    Nothing,
    /// An integer, with its number of octets and its bounds.
    Word {
        octets: usize,
        signed: bool,
        lower: i128,
        upper: i128,
    },
    /// An octet string of this many octets.
    Array(usize),
    /// An enumeration item's number.
    Item {
        octets: usize,
        extensible: bool,
        values: Span,
    },
    /// A bit string with seven bits for each octet.
    Flags {
        octets: usize,
    },
}

impl Fixed {
    pub(super) fn of(draft: &Draft<'_, '_>, id: TypeId, node: NodeId) -> Option<Self> {
        Some(match (*draft.layout.node(node), draft.types.repr(id)) {
            (Node::Null, _) => Fixed::Nothing,
            (Node::Word { width: Width::Anywhere(bits), form, lower, upper }, Repr::Integer(_)) => {
                let signed = form == roadwire_layout::Form::Signed;
                let (lower, upper) = draft.layout.bounds(lower, upper);
                Fixed::Word { octets: bits as usize / 8, signed, lower, upper }
            }
            (Node::Octets { .. }, Repr::FixedOctets(count)) => Fixed::Array(*count as usize),
            (Node::Vectors(VectorNode::Item { bits, extensible, values, .. }), Repr::Enum) => {
                Fixed::Item { octets: usize::from(bits) / 8, extensible, values }
            }
            (Node::Vectors(VectorNode::Flags { octets }), Repr::BitFlags { .. }) => {
                Fixed::Flags { octets: octets.into() }
            }
            _ => return None,
        })
    }
}
