//! Numbers and items of fixed width, counts, and values with a general length determinant (X.691
//! §11.9.3.5 to §11.9.3.7) of less than 16K units.

use roadwire_layout::{Count, Extent, Form, LengthForm, Node, NodeId, Width};
use roadwire_model::TypeId;

use super::{Walk, amount, phase};
use crate::plan::{Amount, Arg, Cond, Int, Mover, Num, Place, Prim, Stmt, Stream, Value, Var};
use crate::types::Repr;
use crate::walk::walker::Walker;

/// The bounds of an integer, if it has any.
type Bounds = (Option<i128>, Option<i128>);

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    pub(super) fn word(
        &mut self,
        id: TypeId,
        (width, form): (Width, Form),
        (lower, upper): (i128, i128),
        place: &Place,
    ) {
        let (Repr::Integer(_), Some(int)) = (self.draft.types.repr(id), self.draft.types.int(id)) else {
            return self.draft.give_up();
        };
        let range = upper.saturating_sub(lower) as u64;
        if !self.draft.is_encoder() {
            if int.bits > 64 {
                return self.draft.give_up();
            }
            let var = self.take_number(width, range);
            let number = if lower == 0 { Num::Var(var) } else { amount(Amount::PlusLower(var, lower)) };
            return self.set(place, Value::Integer(id, cast(number, Int::U64, int)));
        }
        if int.bits > 64 {
            return self.draft.give_up();
        }
        // Modulo 2^64; a value below the lower bound becomes a large offset.
        let is_widest = int == Int::U64;
        let var = self.draft.named(amount(Amount::AboveLower { place: place.clone(), is_widest, lower }));
        if int.bounds() != (lower, upper) {
            self.reject(Cond::Above(Num::Var(var), range));
        }
        match (form, width) {
            (Form::Signed, Width::Anywhere(bits @ (8 | 16 | 32))) => {
                self.put(amount(Amount::Machine(place.clone(), bits)), bits);
            }
            (Form::Unsigned | Form::Signed, _) if lower != 0 => {
                self.put_number(amount(Amount::Widened(place.clone())), width, u64::MAX);
            }
            _ => self.put_number(Num::Var(var), width, range),
        }
    }

    /// An INTEGER after a bit that says whether it is outside the root (X.691 §13.1).
    pub(super) fn extensible_integer(&mut self, id: TypeId, root: NodeId, beyond: NodeId, place: &Place) {
        let layout = self.draft.layout;
        if let (Node::Integer { lower, upper, .. }, true) = (*layout.node(root), self.keeps_later()) {
            let bounds = (layout.bound(lower), layout.bound(upper));
            return self.in_root_or_beyond(id, (root, bounds), beyond, place);
        }
        let Node::Word { width, form, lower, upper } = *layout.node(root) else { return self.draft.give_up() };
        let bounds = layout.bounds(lower, upper);
        if !self.keeps_later() {
            self.in_root(true);
            return self.word(id, (width, form), bounds, place);
        }
        if let (Width::Anywhere(bits @ 8..=16), LengthForm::Fragmented) = (width, layout.length_form) {
            if !self.draft.is_encoder() && !self.draft.is_thorough {
                return self.take_extensible_word(id, bits, bounds, place);
            }
        }
        self.in_root_or_beyond(id, (root, (Some(bounds.0), Some(bounds.1))), beyond, place);
    }

    /// A number of the root, or one beyond it.
    fn in_root_or_beyond(&mut self, id: TypeId, (root, bounds): (NodeId, Bounds), beyond: NodeId, place: &Place) {
        let condition = match self.draft.is_encoder() {
            true => {
                let number = amount(Amount::Cast { number: Num::Integer(id, place.clone()), signed: true });
                let number = Num::Var(self.draft.named(number));
                Cond::outside(number, Int::I64, bounds.0, bounds.1)
            }
            false => Some(Cond::Differs(Num::Var(self.take(1)), 0)),
        };
        let Some(condition) = condition else { return self.draft.give_up() };
        self.either(
            condition,
            |walk| {
                walk.put_constant(1);
                walk.value(id, beyond, place);
            },
            |walk| {
                walk.put_constant(0);
                walk.value(id, root, place);
            },
        );
    }

    /// The same for a decoder: the bit and a number of the root are one word.
    fn take_extensible_word(&mut self, id: TypeId, bits: u32, (lower, upper): (i128, i128), place: &Place) {
        let Some(int) = self.draft.types.int(id).filter(|int| int.bits <= 64) else { return self.draft.give_up() };
        let (word, range) = (self.take(1 + bits), upper.saturating_sub(lower) as u64);
        self.either(
            Cond::AtLeast(Num::Var(word), 1 << bits),
            |walk| {
                let var = walk.variable();
                walk.push(Stream::TakeRest { var, word, bits });
                walk.phase = None;
                walk.set(place, Value::Integer(id, Num::Var(var).to(int)));
            },
            |walk| {
                if range != (1 << bits) - 1 {
                    walk.reject(Cond::Above(Num::Var(word), range));
                }
                let number = if lower == 0 { Num::Var(word) } else { amount(Amount::PlusLower(word, lower)) };
                walk.set(place, Value::Integer(id, cast(number, Int::U64, int)));
            },
        );
    }

    /// One of two ways, after which bits go on.
    pub(super) fn either(&mut self, condition: Cond, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        self.settle();
        let start = self.phase;
        let then = self.block(|walk| {
            then(walk);
            walk.settle();
        });
        let end = std::mem::replace(&mut self.phase, start);
        let otherwise = self.block(|walk| {
            otherwise(walk);
            walk.settle();
        });
        self.draft.push(Stmt::If { condition, then, otherwise: Some(otherwise) });
        self.phase = phase::join(end, self.phase);
    }

    /// An encoder's bit.
    pub(super) fn put_constant(&mut self, bit: u64) {
        if self.draft.is_encoder() {
            self.put(Num::Const(bit), 1);
        }
    }

    /// A number of at most `most`.
    pub(super) fn put_number(&mut self, value: Num, width: Width, most: u64) {
        match width {
            Width::Anywhere(bits) => self.put(value, bits),
            Width::Aligned(bits) => {
                self.align();
                self.put(value, bits);
            }
            Width::Counted { bits, aligned } => {
                if aligned {
                    self.align();
                }
                let octets = self.draft.named(amount(Amount::OctetsBelow(value.clone())));
                self.put(Num::Var(octets).widened(), bits.into());
                self.align();
                self.put_octets(value, amount(Amount::EightMore(octets)), (most | 1).ilog2() / 8 * 8 + 8);
            }
        }
    }

    /// Reads a number of at most `most`.
    pub(super) fn take_number(&mut self, width: Width, most: u64) -> Var {
        let (var, widest) = match width {
            Width::Anywhere(bits) => (self.take(bits), bits),
            Width::Aligned(bits) => {
                self.align();
                (self.take(bits), bits)
            }
            Width::Counted { bits, aligned } => {
                if aligned {
                    self.align();
                }
                let octets = self.take(bits.into());
                self.align();
                self.settle();
                let var = self.variable();
                self.push(Stream::TakeCounted { var, octets });
                (var, u64::BITS)
            }
        };
        if u128::from(most) != (1u128 << widest) - 1 {
            self.reject(Cond::Above(Num::Var(var), most));
        }
        var
    }

    /// A number after an extension bit that is 0.
    pub(super) fn put_root_number(&mut self, value: Num, width: Width, is_extensible: bool, most: u64) {
        match width {
            Width::Anywhere(bits) => self.put(value, bits + u32::from(is_extensible)),
            _ => {
                self.in_root(is_extensible);
                self.put_number(value, width, most);
            }
        }
    }

    pub(super) fn take_root_number(&mut self, width: Width, is_extensible: bool, most: u64) -> Var {
        self.in_root(is_extensible);
        self.take_number(width, most)
    }

    /// Writes a count. Those beyond an extensible root are rejected, unless the type stands alone.
    pub(super) fn put_count(&mut self, extent: &Extent, count: Num) {
        if let Some(size) = self.extensible_size(extent) {
            self.settle();
            self.apart(Mover::PutSize, [Arg::Count(count)].into_iter().chain(size).collect());
            return self.phase = None;
        }
        self.in_root(extent.extensible);
        match extent.count {
            Count::Fixed => self.reject(Cond::Differs(count, extent.lower)),
            Count::Field { bits, aligned } => {
                let width = Width::of_field(bits, aligned);
                let (offset, range) = (self.draft.named(count.minus(extent.lower)), extent.upper - extent.lower);
                self.reject(Cond::Above(Num::Var(offset), range));
                self.put_number(Num::Var(offset), width, range);
            }
            Count::Quantity => self.put_quantity(extent, count),
            Count::Determinant => self.put_determinant(extent, count),
            Count::InOctets => self.draft.give_up(),
        }
    }

    /// Reads a count; the same holds.
    pub(super) fn take_count(&mut self, extent: &Extent) -> Num {
        if let Some(size) = self.extensible_size(extent) {
            self.settle();
            self.phase = None;
            return Num::Var(self.draft.get(Prim::Mover(Mover::TakeSize), size.to_vec()));
        }
        self.in_root(extent.extensible);
        match extent.count {
            Count::Fixed => Num::Const(extent.lower),
            Count::Field { bits, aligned } => {
                let width = Width::of_field(bits, aligned);
                let offset = Num::Var(self.take_number(width, extent.upper - extent.lower));
                if extent.lower == 0 { offset } else { amount(Amount::Plus(offset, extent.lower)) }
            }
            Count::Quantity => self.take_quantity(extent),
            Count::Determinant => self.take_determinant(extent),
            Count::InOctets => {
                self.draft.give_up();
                Num::Typed(0)
            }
        }
    }

    /// An extensible size, for a primitive: its bounds, how many bits it has in the
    /// root, and whether these and determinants are aligned.
    fn extensible_size(&self, extent: &Extent) -> Option<[Arg; 5]> {
        if !self.has_more(extent) {
            return None;
        }
        let (bits, is_aligned) = match extent.count {
            Count::Fixed => (0, false),
            Count::Field { bits, aligned } => (bits, aligned),
            Count::Determinant => (64, false),
            Count::Quantity | Count::InOctets => return None,
        };
        let [lower, upper, bits] = [extent.lower, extent.upper, bits.into()].map(|number| Arg::Num(Num::Const(number)));
        let is_determinant_aligned = self.draft.layout.length_form == LengthForm::Aligned;
        Some([lower, upper, bits, Arg::Flag(is_aligned), Arg::Flag(is_determinant_aligned)])
    }

    /// How many units follow.
    fn put_determinant(&mut self, extent: &Extent, count: Num) {
        if self.draft.layout.length_form == LengthForm::Definite {
            return self.draft.give_up();
        }
        self.draft.reject_if(outside_of(&count, extent));
        self.begin_determinant();
        self.settle();
        self.apart(Mover::PutCount, vec![Arg::Count(count)]);
    }

    fn take_determinant(&mut self, extent: &Extent) -> Num {
        if self.draft.layout.length_form == LengthForm::Definite {
            self.draft.give_up();
            return Num::Typed(0);
        }
        self.begin_determinant();
        self.settle();
        let var = self.variable();
        self.push(Stream::TakeCount { var, is_word: true });
        self.draft.reject_if(outside_of(&Num::Var(var), extent));
        Num::Var(var)
    }

    /// An integer in as few octets as hold it; decoders take more.
    pub(super) fn determined_integer(&mut self, id: TypeId, form: Form, (lower, upper): Bounds, place: &Place) {
        let is_definite = self.draft.layout.length_form == LengthForm::Definite;
        let int = self.draft.types.int(id).filter(|_| !is_definite);
        let held = int.and_then(|int| held(int, form, lower, upper));
        let (Some(int), Some(held)) = (int, held) else { return self.draft.give_up() };
        let offset = lower.unwrap_or(0);
        if !self.draft.is_encoder() {
            self.begin_determinant();
            self.settle();
            let number = self.variable();
            let offset = (form == Form::Offset).then_some(offset);
            self.push(Stream::TakeDetermined { var: number, signed: form == Form::Signed, offset });
            // A number outside the type's range in memory is outside the integer's range too, or
            // does not fit into memory.
            let var = self.variable();
            self.push(Stream::Narrow { var, signed: held.signed, from: number });
            self.draft.reject_if(Cond::outside(Num::Var(var), held, lower, upper));
            return self.set(place, Value::Integer(id, Num::Var(var).to(int)));
        }
        let number = Num::Integer(id, place.clone());
        let var = self.draft.named(amount(Amount::Cast { number, signed: held.signed }));
        self.draft.reject_if(Cond::outside(Num::Var(var), held, lower, upper));
        self.begin_determinant();
        self.settle();
        match form {
            Form::Signed => self.apart(Mover::PutSigned, vec![Arg::Num(Num::Var(var))]),
            Form::Unsigned => self.apart(Mover::PutUnsigned, vec![Arg::Num(Num::Var(var).to(Int::U64))]),
            Form::Offset => {
                self.apart(Mover::PutUnsigned, vec![Arg::Num(amount(Amount::OffsetFrom(var, offset)))]);
            }
        }
    }
}

/// A number of a type as another type.
pub(super) fn cast(number: Num, from: Int, to: Int) -> Num {
    if from == to { number } else { number.to(to) }
}

fn outside_of(count: &Num, extent: &Extent) -> Option<Cond> {
    Cond::outside(count.clone(), Int::U64, Some(extent.lower.into()), Some(extent.upper.into()))
}

/// 64 bits for the integer in memory, with or without sign. `None` if it has more bits, or the form
/// does not match.
fn held(int: Int, form: Form, lower: Option<i128>, upper: Option<i128>) -> Option<Int> {
    let held = if int == Int::U64 { Int::U64 } else { Int::I64 };
    let fits = |bound: i128| (held.bounds().0..=held.bounds().1).contains(&bound);
    let goes = form != Form::Signed || held.signed;
    (int.bits <= 64 && goes && lower.is_none_or(fits) && upper.is_none_or(fits)).then_some(held)
}
