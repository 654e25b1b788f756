//! Which bits of a message do not say what comes after them.

use core::ops::Range;

use super::Machine;
use crate::packed::code::Code;
use crate::packed::rules::Rules;

/// Bits whose value is a word of the tape, and nothing else depends on them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Datum {
    pub(super) at: usize,
    pub(super) width: usize,
    pub(super) word: usize,
    pub(super) what: What,
}

/// How they are read. Numbers are indexes of a program.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    Field { field: u32 },
    Mapped { field: u32, map: u32 },
    Number { number: u32 },
    Text { text: u32, count: usize },
}

/// Hears of them, in their order.
pub(super) trait Trace {
    const ACTIVE: bool;

    fn datum(&mut self, datum: Datum);
}

impl Trace for () {
    const ACTIVE: bool = false;

    fn datum(&mut self, _: Datum) {}
}

impl Trace for Vec<Datum> {
    const ACTIVE: bool = true;

    fn datum(&mut self, datum: Datum) {
        self.push(datum);
    }
}

impl<R: Rules, T: Trace> Machine<'_, R, T> {
    /// Fields that follow each other, before they are passed.
    #[inline(never)]
    pub(super) fn trace_fields(&mut self, code: &Code, word: usize, fields: Range<u32>) {
        let mut at = self.at;
        for (index, field) in fields.enumerate() {
            let Some(of) = code.fields.get(field as usize) else { return };
            let width = usize::from(of.width);
            if !of.selects {
                self.trace.datum(Datum { at, width, word: word + index, what: What::Field { field } });
            }
            at += width;
        }
    }
}
