//! Values that are read.

use roadwire_plan::{Arg, Place, Repr, Stmt, Tlv, Var};

use crate::run::{Outcome, Run, lacks};
use crate::state::{Held, State};
use crate::term::Id;

/// How many octets a string that is read has room for.
const ROOM: u32 = 64;

impl Run<'_, '_, '_> {
    pub(super) fn read(
        &mut self,
        state: State,
        statement: &Stmt,
        by: Tlv,
        (variables, args): (&[Var], &[Arg]),
    ) -> Outcome<Vec<State>> {
        let mut state = state;
        let [tag, more @ ..] = args else { return lacks(statement) };
        let tag = self.argument(&mut state, tag)?;
        let Some(tag) = self.terms.value(tag) else { return lacks(statement) };
        match (by, variables, more) {
            (Tlv::OneOctet, [octet], []) => {
                let mut all = Vec::new();
                for (state, bits) in self.take(state, 24) {
                    let front = self.terms.extract(bits, 8, 16);
                    let number = self.terms.extract(bits, 0, 8);
                    let number = self.terms.zero_extended(number, 64);
                    if let Some(mut state) = self.expect(state, front, tag << 8 | 1) {
                        state.name(*octet, Held::Number(number));
                        all.push(state);
                    }
                }
                Ok(all)
            }
            (Tlv::TakeNumber(_) | Tlv::TakeLongNumber, [var], []) => {
                let most = if let Tlv::TakeNumber(most) = by { most as u64 } else { 8 };
                let mut all = Vec::new();
                for (state, length) in self.front(state, tag, most)? {
                    for (state, bits) in self.take(state, length as u32 * 8) {
                        let number = self.terms.sign_extended(bits, 64);
                        let is_longer = match length {
                            1 => self.terms.truth(false),
                            _ => self.terms.fits(number, length as u32 * 8 - 8),
                        };
                        if let Some(mut state) = self.refuse(state, is_longer) {
                            state.name(*var, Held::Number(number));
                            all.push(state);
                        }
                    }
                }
                Ok(all)
            }
            (Tlv::TakeUnsigned, [var], []) => {
                let mut all = Vec::new();
                for (state, length) in self.front(state, tag, 9)? {
                    for (state, bits) in self.take(state, length as u32 * 8) {
                        let is_great = length == 9;
                        let (number, wrong) = if is_great {
                            let (first, number) = (self.terms.extract(bits, 64, 8), self.terms.extract(bits, 0, 64));
                            let (other, top) = (self.is_set(first), self.terms.extract(number, 63, 1));
                            let small = self.terms.not(top);
                            (number, self.terms.or(other, small))
                        } else {
                            let number = self.terms.sign_extended(bits, 64);
                            let negative = self.terms.extract(number, 63, 1);
                            let is_longer = match length {
                                1 => self.terms.truth(false),
                                _ => self.terms.fits(number, length as u32 * 8 - 8),
                            };
                            (number, self.terms.or(negative, is_longer))
                        };
                        if let Some(mut state) = self.refuse(state, wrong) {
                            state.name(*var, Held::Number(number));
                            all.push(state);
                        }
                    }
                }
                Ok(all)
            }
            (Tlv::TakeBits | Tlv::TakeLongBits, [bits, count], [least, most]) => {
                let (least, most) = (self.argument(&mut state, least)?, self.argument(&mut state, most)?);
                let mut all = Vec::new();
                for (state, length) in self.front(state, tag, 9)? {
                    for (state, octets) in self.take(state, length as u32 * 8) {
                        all.extend(self.take_bits(state, octets, (least, most), (*bits, *count))?);
                    }
                }
                Ok(all)
            }
            _ => lacks(statement),
        }
    }

    /// Bits after the number of those that are not used.
    pub(super) fn take_bits(
        &mut self,
        state: State,
        octets: Id,
        (least, most): (Id, Id),
        (bits, count): (Var, Var),
    ) -> Outcome<Vec<State>> {
        let width = self.terms.width(octets);
        let first = self.terms.extract(octets, width - 8, 8);
        let seven = self.terms.constant(7, 8);
        let beyond = match width {
            8 => self.is_set(first),
            _ => self.terms.below(seven, first),
        };
        let Some(state) = self.refuse(state, beyond) else { return Ok(Vec::new()) };
        let mut all = Vec::new();
        for unused in 0..8u32.min(width - 7) {
            let wanted = self.terms.constant(unused.into(), 8);
            let is = self.terms.equal(first, wanted);
            let (yes, _) = self.fork(state.clone(), is);
            let Some(state) = yes else { continue };
            let has = u64::from(width - 8 - unused);
            let number = self.terms.word(has);
            let (fewer, more) = (self.terms.below(number, least), self.terms.below(most, number));
            let outside = self.terms.or(fewer, more);
            let Some(mut state) = self.refuse(state, outside) else { continue };
            if unused > 0 {
                // Bits that are not used are zeros in DER (X.690 clause 11.2.1): C takes any.
                let _ = self.terms.extract(octets, 0, unused);
            }
            let held = match has {
                0 => self.terms.word(0),
                has => {
                    let held = self.terms.extract(octets, unused, has as u32);
                    self.terms.zero_extended(held, 64)
                }
            };
            state.name(bits, Held::Number(held));
            state.name(count, Held::Number(number));
            all.push(state);
        }
        Ok(all)
    }

    /// A tag, and a length of one octet: from one to so many.
    pub(super) fn front(&mut self, state: State, tag: u64, most: u64) -> Outcome<Vec<(State, u64)>> {
        let mut all = Vec::new();
        for (state, bits) in self.take(state, 16) {
            let (first, length) = (self.terms.extract(bits, 8, 8), self.terms.extract(bits, 0, 8));
            let Some(state) = self.expect(state, first, tag) else { continue };
            let is = self.within(length, (1, most));
            let not = self.terms.not(is);
            let Some(state) = self.refuse(state, not) else { continue };
            match self.terms.value(length) {
                Some(length) => all.push((state, length)),
                None => {
                    for known in 1..=most {
                        let wanted = self.terms.constant(known, 8);
                        let is = self.terms.equal(length, wanted);
                        let (yes, _) = self.fork(state.clone(), is);
                        all.extend(yes.map(|state| (state, known)));
                    }
                }
            }
        }
        Ok(all)
    }

    /// A tag and a definite length, in octets.
    pub(super) fn open(&mut self, state: State, tag: u64) -> Vec<(State, Id)> {
        let mut all = Vec::new();
        for (state, first) in self.take(state, 16) {
            let (identifier, length) = (self.terms.extract(first, 8, 8), self.terms.extract(first, 0, 8));
            let Some(state) = self.expect(state, identifier, tag) else { continue };
            let is_long = self.terms.extract(length, 7, 1);
            let (long, short) = self.fork(state, is_long);
            let mut found: Vec<(State, Id)> =
                short.map(|state| (state, self.terms.zero_extended(length, 64))).into_iter().collect();
            if let Some(state) = long {
                // One or two octets; what is longer than any message here is refused.
                let is = self.within(length, (0x81, 0x82));
                let not = self.terms.not(is);
                let one = self.terms.constant(0x81, 8);
                let is_one = self.terms.equal(length, one);
                if let Some(state) = self.refuse(state, not) {
                    let (one, two) = self.fork(state, is_one);
                    for (state, bits) in [(one, 8), (two, 16)] {
                        let Some(state) = state else { continue };
                        for (state, length) in self.take(state, bits) {
                            found.push((state, self.terms.zero_extended(length, 64)));
                        }
                    }
                }
            }
            for (state, length) in found {
                let (bits, rest) = (self.terms.times(length, 8), self.rest(&state));
                let beyond = self.terms.below(rest, bits);
                all.extend(self.refuse(state, beyond).map(|state| (state, length)));
            }
        }
        all
    }

    pub(super) fn read_slice(&mut self, mut state: State, var: Var, args: &[Arg]) -> Outcome<Vec<State>> {
        let [tag] = args else { return lacks(&args) };
        let tag = self.argument(&mut state, tag)?;
        let Some(tag) = self.terms.value(tag) else { return Err("a tag is not known".into()) };
        let mut all = Vec::new();
        for (state, octets) in self.open(state, tag) {
            all.extend(self.take_slice(state, var, octets));
        }
        Ok(all)
    }

    /// So many octets.
    pub(crate) fn take_slice(&mut self, state: State, var: Var, octets: Id) -> Vec<State> {
        let mut all = Vec::new();
        let most = self.terms.word(ROOM.into());
        let beyond = self.terms.below(most, octets);
        let Some(state) = self.refuse(state, beyond) else { return all };
        for (state, size) in self.split_up_to(state, octets, ROOM.into()) {
            let bits = size as u32 * 8;
            for (mut state, octets) in self.take(state, bits) {
                let mut parts = if size > 0 { vec![octets] } else { Vec::new() };
                if size < ROOM.into() {
                    parts.push(self.unset(ROOM * 8 - bits));
                }
                let (octets, size) = (self.terms.concat(parts), self.terms.word(size));
                state.name(var, Held::Slice(octets, size));
                all.push(state);
            }
        }
        all
    }

    pub(crate) fn fill(&mut self, state: State, place: &Place, var: Var, bounds: (u64, u64)) -> Outcome<Vec<State>> {
        let (path, id) = self.path(&state, place)?;
        Ok(self.fill_path(state, (&path, id), var, bounds)?.into_iter().collect())
    }

    /// Copies octets that were read into a string.
    pub(crate) fn fill_path(
        &mut self,
        mut state: State,
        (path, id): (&str, roadwire_model::TypeId),
        var: Var,
        bounds: (u64, u64),
    ) -> Outcome<Option<State>> {
        let Some(Held::Slice(octets, size)) = state.frame().vars.get(&var.0).cloned() else {
            return Err("octets that were not read".into());
        };
        let within = self.within(size, bounds);
        let not = self.terms.not(within);
        let Some(state) = self.refuse(state, not) else { return Ok(None) };
        let (most, is_fixed) = match *self.types.repr(id) {
            Repr::FixedOctets(count) => (count, true),
            Repr::Octets(most) | Repr::Text(most) => (most, false),
            Repr::LentOctets | Repr::LentText | Repr::String => {
                let most = self.most_octets(id).or_else(|| self.most_assumed(&format!("{path}.size")));
                (most.unwrap_or(u64::from(ROOM)), false)
            }
            ref other => return lacks(other),
        };
        if most > u64::from(ROOM) {
            return Err(format!("{path} has more than {ROOM} octets"));
        }
        let most_word = self.terms.word(most);
        let wrong = match is_fixed {
            true => {
                let is = self.terms.equal(size, most_word);
                self.terms.not(is)
            }
            false => self.terms.below(most_word, size),
        };
        let Some(mut state) = self.refuse(state, wrong) else { return Ok(None) };
        if most > 0 {
            let first = self.terms.extract(octets, (u64::from(ROOM) - most) as u32 * 8, most as u32 * 8);
            state.slots.insert(path.to_owned(), first);
        }
        if !is_fixed {
            let size = self.terms.extract(size, 0, 32);
            state.slots.insert(format!("{path}.size"), size);
        }
        Ok(Some(state))
    }
}
