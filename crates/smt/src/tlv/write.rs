//! Values that are written.

use roadwire_plan::{Arg, Count, Num, Stmt, Str, Tlv, Var};

use crate::rope::{Part, octets};
use crate::run::{Outcome, Run, lacks};
use crate::state::{Held, State};
use crate::term::Id;

impl Run<'_, '_, '_> {
    pub(super) fn put_word(
        &mut self,
        mut state: State,
        parts: &[(Num, u32)],
        bits: u64,
        count: &Count,
    ) -> Outcome<Vec<State>> {
        let Count::Known(count) = count else { return lacks(count) };
        let mut numbers = Vec::new();
        for (number, shift) in parts {
            numbers.push((self.number(&mut state, number)?, *shift));
        }
        let word = match self.packed(&state, numbers, 64) {
            Some(word) => word,
            None => self.terms.word(0),
        };
        let constant = self.terms.word(bits);
        let word = self.terms.or(word, constant);
        let first = self.terms.extract(word, 64 - count * 8, count * 8);
        state.out.push(Part::Bits(first));
        Ok(vec![state])
    }

    /// The length of contents, into the octet that was left for it.
    pub(super) fn close(&mut self, mut state: State, start: Var) -> Outcome<Vec<State>> {
        let Some(Held::Mark(mark)) = state.frame().vars.get(&start.0).cloned() else {
            return Err("contents without a start".into());
        };
        let contents = state.out.split_off(mark.min(state.out.len()));
        let Some(Part::Bits(before)) = state.out.pop() else { return Err("no octet is left for a length".into()) };
        let width = self.terms.width(before);
        let left = self.terms.extract(before, 0, 8);
        if self.terms.value(left) != Some(0) {
            return Err("no octet is left for a length".into());
        }
        if width > 8 {
            let before = self.terms.extract(before, 8, width - 8);
            state.out.push(Part::Bits(before));
        }
        let length = octets(self.terms, &contents).ok_or("contents are not whole octets")?;
        self.put_length(&mut state, length)?;
        state.out.extend(contents);
        Ok(vec![state])
    }

    /// A length in the fewest octets (X.690 clause 10.1).
    pub(super) fn put_length(&mut self, state: &mut State, length: Id) -> Outcome<()> {
        let short = {
            let bound = self.terms.word(128);
            self.terms.below(length, bound)
        };
        let long = {
            let bound = self.terms.word(256);
            self.terms.below(length, bound)
        };
        if self.terms.most(length) > 0xffff {
            return Err("a length of more than two octets".into());
        }
        let (one, two) = (self.terms.constant(0x81, 8), self.terms.constant(0x82, 8));
        let (low, high) = (self.terms.extract(length, 0, 8), self.terms.extract(length, 0, 16));
        let arms = [(short, vec![low]), (long, vec![one, low]), (self.terms.truth(true), vec![two, high])];
        let (mut rest, mut forks) = (self.terms.truth(true), Vec::new());
        for (test, bits) in arms {
            let here = self.terms.and(rest, test);
            if self.terms.value(here) == Some(0) {
                continue;
            }
            let bits = self.terms.concat(bits);
            forks.push((here, vec![Part::Bits(bits)]));
            let not = self.terms.not(test);
            rest = self.terms.and(rest, not);
        }
        match forks.len() {
            1 => state.out.extend(forks.remove(0).1),
            _ => state.out.push(Part::Fork(forks.into())),
        }
        Ok(())
    }

    pub(super) fn write(&mut self, mut state: State, statement: &Stmt, by: Tlv, args: &[Arg]) -> Outcome<Vec<State>> {
        match (by, args) {
            (Tlv::PutNumber { .. } | Tlv::PutLongNumber, [tag, number]) => {
                let (tag, number) = (self.argument(&mut state, tag)?, self.argument(&mut state, number)?);
                self.put_number(&mut state, tag, number);
                Ok(vec![state])
            }
            (Tlv::PutUnsigned, [tag, number]) => {
                let (tag, number) = (self.argument(&mut state, tag)?, self.argument(&mut state, number)?);
                let is_great = self.terms.extract(number, 63, 1);
                let (great, small) = self.fork(state, is_great);
                let mut states = Vec::new();
                for (state, is_great) in [(great, true), (small, false)] {
                    let Some(mut state) = state else { continue };
                    if is_great {
                        let (tag, front) = (self.terms.extract(tag, 0, 8), self.terms.constant(0x0900, 16));
                        let bits = self.terms.concat(vec![tag, front, number]);
                        state.out.push(Part::Bits(bits));
                    } else {
                        self.put_number(&mut state, tag, number);
                    }
                    states.push(state);
                }
                Ok(self.merged(states))
            }
            (Tlv::PutOctets, [Arg::Shared(place) | Arg::Contents(place)]) => {
                let (path, id) = self.path(&state, place)?;
                let Some((octets, size)) = self.string(&state, &path, id)? else { return Ok(vec![state]) };
                self.put_string(state, octets, size)
            }
            (Tlv::PutUnknown, [Arg::Unknown(place), _]) => {
                let (path, _) = self.path(&state, place)?;
                let unknown = self.slot(&state, &format!("{path}.unknown"), 1, 1);
                self.never(&state, unknown);
                Ok(vec![state])
            }
            (Tlv::PutString, [tag, Arg::Octets(Str::Octets(place) | Str::Fixed(place)) | Arg::Contents(place)]) => {
                let text = &Str::Octets(place.clone());
                let tag = self.argument(&mut state, tag)?;
                let tag = self.terms.extract(tag, 0, 8);
                state.out.push(Part::Bits(tag));
                let Some((octets, size)) = self.put_octets_of(&mut state, text)? else {
                    let none = self.terms.constant(0, 8);
                    state.out.push(Part::Bits(none));
                    return Ok(vec![state]);
                };
                self.put_length(&mut state, size)?;
                self.put_string(state, octets, size)
            }
            (Tlv::PutBits | Tlv::PutLongBits, [tag, bits, count, least]) => {
                let tag = self.argument(&mut state, tag)?;
                let [bits, count, least] = [bits, count, least].map(|arg| self.argument(&mut state, arg));
                let (bits, count, least) = (bits?, count?, least?);
                let Some(least) = self.terms.value(least) else { return lacks(statement) };
                let most = self.terms.word(64);
                let above = self.terms.below(most, count);
                let Some(state) = self.refuse(state, above) else { return Ok(Vec::new()) };
                let mut states = Vec::new();
                for (mut state, count) in self.split_up_to(state, count, 64) {
                    self.put_bits(&mut state, tag, bits, (count, least.min(count)));
                    states.push(state);
                }
                Ok(self.merged(states))
            }
            _ => lacks(statement),
        }
    }

    /// A number in two's complement in the fewest octets.
    pub(super) fn put_number(&mut self, state: &mut State, tag: Id, number: Id) {
        let tag = self.terms.extract(tag, 0, 8);
        let (mut rest, mut arms) = (self.terms.truth(true), Vec::new());
        for octets in 1..=8 {
            let fits = self.terms.fits(number, octets * 8);
            let here = self.terms.and(rest, fits);
            let count = self.terms.constant(octets.into(), 8);
            let low = self.terms.extract(number, 0, octets * 8);
            let bits = self.terms.concat(vec![tag, count, low]);
            if self.terms.value(here) != Some(0) {
                arms.push((here, vec![Part::Bits(bits)]));
            }
            let not = self.terms.not(fits);
            rest = self.terms.and(rest, not);
        }
        match arms.len() {
            1 => state.out.extend(arms.remove(0).1),
            _ => state.out.push(Part::Fork(arms.into())),
        }
    }

    /// Bits without zeros at the end beyond the first `least`.
    pub(super) fn put_bits(&mut self, state: &mut State, tag: Id, bits: Id, (count, least): (u64, u64)) {
        let tag = self.terms.extract(tag, 0, 8);
        if count == 0 {
            let none = self.terms.constant(0x0100, 16);
            let bits = self.terms.concat(vec![tag, none]);
            return state.out.push(Part::Bits(bits));
        }
        let bits = self.low(state, bits, count as u32);
        let (mut rest, mut arms) = (self.terms.truth(true), Vec::new());
        for kept in (least..=count).rev() {
            // The last bit that is kept is set.
            let is_last = match kept == least {
                true => self.terms.truth(true),
                false => self.terms.extract(bits, (count - kept) as u32, 1),
            };
            let here = self.terms.and(rest, is_last);
            let octets = kept.div_ceil(8);
            let front = self.terms.constant((octets + 1) << 8 | (octets * 8 - kept), 16);
            let mut parts = vec![tag, front];
            if kept > 0 {
                parts.push(self.terms.extract(bits, (count - kept) as u32, kept as u32));
            }
            if octets * 8 > kept {
                parts.push(self.terms.constant(0, (octets * 8 - kept) as u32));
            }
            let bits = self.terms.concat(parts);
            if self.terms.value(here) != Some(0) {
                arms.push((here, vec![Part::Bits(bits)]));
            }
            let not = self.terms.not(is_last);
            rest = self.terms.and(rest, not);
        }
        state.out.push(Part::Fork(arms.into()));
    }
}
