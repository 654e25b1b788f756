//! REAL: contents octets of X.690, or numbers of 32 or 64 bits (X.696 §12). Only for code that
//! stands alone.

use roadwire_layout::LengthForm;

use super::Walk;
use crate::plan::{Arg, Mover, Num, Place, Prim, Value};

/// The bounds of a number: those of its mantissa, and those of its exponent.
pub(super) type Bounds = ((i64, i64), (i16, i16));

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    pub(super) fn real(&mut self, place: &Place) {
        let is_aligned = self.draft.layout.length_form == LengthForm::Aligned;
        self.moved_real(vec![Arg::Flag(is_aligned)], place);
        if is_aligned {
            self.phase = Some(0);
        }
    }

    /// A number of so many bits.
    pub(super) fn binary_real(&mut self, bits: u8, (mantissa, exponent): Bounds, place: &Place) {
        let numbers = [bits.into(), mantissa.0, mantissa.1, exponent.0.into(), exponent.1.into()];
        self.moved_real(numbers.map(|number: i64| Arg::Num(Num::Const(number as u64))).into(), place);
    }

    fn moved_real(&mut self, form: Vec<Arg>, place: &Place) {
        if !self.draft.types.stands_alone() {
            return self.draft.give_up();
        }
        self.settle();
        if self.draft.is_encoder() {
            return self.act(Mover::PutReal, [vec![Arg::Value(place.clone())], form].concat());
        }
        let real = self.draft.get(Prim::Mover(Mover::TakeReal), form);
        self.set(place, Value::Var(real));
    }
}
