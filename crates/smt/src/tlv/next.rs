//! A look at the next octets of the input.

use roadwire_plan::Cond;

use crate::run::{Outcome, Run, lacks};
use crate::state::State;
use crate::term::Id;

impl Run<'_, '_, '_> {
    pub(crate) fn number_at(&mut self, state: &State, at: usize, octets: usize) -> Outcome<Id> {
        let octets = state.word_of_octets(at as u32, octets as u32, self)?;
        Ok(self.terms.zero_extended(octets, 64))
    }

    /// The next bits; they must not depend on a condition (see [`settled`](Self::settled)).
    fn peek(&mut self, state: &State, bits: u32) -> Outcome<Option<Id>> {
        match self.input.next(self.terms, state.at, bits) {
            (crate::rope::Next::Bits(id), have) if have == bits => Ok(Some(id)),
            (crate::rope::Next::Bits(_), _) => Ok(None),
            _ => Err("what comes next depends on a condition".into()),
        }
    }

    pub(crate) fn at_condition(&mut self, state: &mut State, condition: &Cond) -> Outcome<Id> {
        match condition {
            Cond::AtEnd | Cond::BeforeEnd => {
                let (rest, end) = (self.rest(state), state.end);
                let more = self.terms.below(end, rest);
                Ok(if *condition == Cond::AtEnd { self.terms.not(more) } else { more })
            }
            Cond::TagIs(tags) => {
                let Some(octet) = self.peek(state, 8)? else { return Ok(self.terms.truth(false)) };
                let mut any = self.terms.truth(false);
                for tag in tags {
                    let tag = self.terms.constant((*tag).into(), 8);
                    let is = self.terms.equal(octet, tag);
                    any = self.terms.or(any, is);
                }
                Ok(any)
            }
            Cond::BeyondInput(count) => {
                let (count, rest) = (self.variable(state, *count)?, self.rest(state));
                let rest = self.terms.minus(rest, state.end);
                Ok(self.terms.below(rest, count))
            }
            Cond::IsNext { word, octets } => {
                let Some(bits) = self.peek(state, *octets as u32 * 8)? else { return Ok(self.terms.truth(false)) };
                let word = self.terms.constant(*word, *octets as u32 * 8);
                Ok(self.terms.equal(bits, word))
            }
            Cond::WindowDiffers { shift, bits } => {
                let word = state.word.ok_or("no word has been read")?;
                let (shift, bits) = (self.terms.word((*shift).into()), self.terms.word(*bits));
                let part = self.terms.shr(word, shift);
                let is = self.terms.equal(part, bits);
                Ok(self.terms.not(is))
            }
            Cond::WindowUnder { mask, bits } => {
                let word = state.word.ok_or("no word has been read")?;
                let (mask, bits) = (self.terms.word(*mask), self.terms.word(*bits));
                let part = self.terms.and(word, mask);
                let is = self.terms.equal(part, bits);
                Ok(self.terms.not(is))
            }
            Cond::Beyond(var, (lower, upper)) => {
                let number = self.variable(state, *var)?;
                let (lower, upper) = (self.terms.word(*lower as u64), self.terms.word(*upper as u64));
                let (below, above) = (self.terms.below_signed(number, lower), self.terms.below_signed(upper, number));
                Ok(self.terms.or(below, above))
            }
            Cond::IsGreatest(var) => {
                let (number, most) = (self.variable(state, *var)?, self.terms.word(i64::MAX as u64));
                Ok(self.terms.equal(number, most))
            }
            other => lacks(other),
        }
    }
}

/// How many of the next bits a condition looks at.
pub(super) fn looked_at(condition: &Cond) -> u32 {
    match condition {
        Cond::TagIs(_) => 8,
        Cond::IsNext { octets, .. } => *octets as u32 * 8,
        Cond::Not(one) => looked_at(one),
        Cond::All(all) | Cond::Any(all) => all.iter().map(looked_at).max().unwrap_or(0),
        _ => 0,
    }
}
