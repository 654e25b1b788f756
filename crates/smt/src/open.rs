//! Lengths, counts, open types and parts that are built before they are set.

use roadwire_model::{Kind, TypeId};
use roadwire_plan::{Arg, Element, Mover, Num, Place, Prim, Repr, Stmt, Stream, Var};

use crate::rope::{Part, length};
use crate::run::{Outcome, Run, lacks};
use crate::state::{Held, State};
use crate::term::Id;

impl Run<'_, '_, '_> {
    pub(crate) fn local(&mut self, mut state: State, statement: &Stream) -> Outcome<Vec<State>> {
        match statement {
            Stream::Local { var, id } => {
                *self.unset += 1;
                state.name(*var, Held::Reference(format!("local{}", self.unset), *id));
                Ok(vec![state])
            }
            Stream::SetTo { id, alternative, place, content } => {
                let (path, _) = self.path(&state, place)?;
                let choice = self.terms.constant(*alternative as u64, 32);
                let Some(mut state) = self.keep(state, &format!("{path}.choice"), choice) else {
                    return Ok(Vec::new());
                };
                let (path, _) = self.alternative(&path, *id, *alternative)?;
                self.copy(&mut state, *content, &path)?;
                Ok(vec![state])
            }
            Stream::EachPlace { element, at, count, place, body } => {
                let (path, id) = self.path(&state, place)?;
                let (count, none) = (self.number(&mut state, count)?, self.terms.constant(0, 32));
                state.slots.insert(format!("{path}.count"), none);
                state.name(element.list, Held::Reference(path, id));
                let zero = self.terms.word(0);
                state.name(*at, Held::Number(zero));
                self.times(state, count, element, body)
            }
            Stream::TakeCount { var, .. } => {
                let all = self.take_count(state);
                Ok(self.each_named(all, *var))
            }
            Stream::TakeBitWord { place, count, .. } => {
                let (path, id) = self.path(&state, place)?;
                if *self.types.repr(id) != Repr::BitWord {
                    return lacks(self.types.repr(id));
                }
                let count = self.number(&mut state, count)?;
                let most = self.terms.word(64);
                let above = self.terms.below(most, count);
                let Some(state) = self.refuse(state, above) else { return Ok(Vec::new()) };
                let mut all = Vec::new();
                for (state, count) in self.split_up_to(state, count, 64) {
                    for (mut state, bits) in self.take(state, count as u32) {
                        let bits = if count == 0 { self.terms.word(0) } else { self.terms.zero_extended(bits, 64) };
                        let count = self.terms.constant(count, 32);
                        state.slots.insert(path.clone(), bits);
                        state.slots.insert(format!("{path}.bits"), count);
                        all.push(state);
                    }
                }
                Ok(self.merged(all))
            }
            Stream::OpenOctets { outer, count } => {
                let (count, rest) = (self.number(&mut state, count)?, self.rest(&state));
                let bits = self.terms.times(count, 8);
                let beyond = self.terms.below(rest, bits);
                let Some(mut state) = self.refuse(state, beyond) else { return Ok(Vec::new()) };
                state.name(*outer, Held::Rest(state.end));
                state.end = self.terms.minus(rest, bits);
                Ok(vec![state])
            }
            Stream::CloseOctets { outer } => {
                let rest = self.rest(&state);
                let is = self.terms.equal(rest, state.end);
                let not = self.terms.not(is);
                let Some(mut state) = self.refuse(state, not) else { return Ok(Vec::new()) };
                let Some(Held::Rest(end)) = state.frame().vars.get(&outer.0).cloned() else {
                    return Err("an open type ends that was not opened".into());
                };
                state.end = end;
                Ok(vec![state])
            }
            Stream::CloseBits { start, count } => {
                let Some(Held::Rest(start)) = state.frame().vars.get(&start.0).cloned() else {
                    return Err("an open type ends that was not opened".into());
                };
                let count = self.number(&mut state, count)?;
                self.close_bits(state, start, count)
            }
            Stream::TakeRest { var, word, bits } => {
                let (word, have) = (self.variable(&state, *word)?, bits - 8);
                let count = self.terms.extract(word, have, 8);
                let is = self.within(count, (1, 8));
                let not = self.terms.not(is);
                let Some(state) = self.refuse(state, not) else { return Ok(Vec::new()) };
                let mut all = Vec::new();
                for (state, octets) in self.split_up_to(state, count, 8) {
                    let first = (have > 0).then(|| self.terms.extract(word, 0, have));
                    let found = match (octets as u32 * 8).checked_sub(have).filter(|_| octets > 0) {
                        None => continue,
                        Some(0) => vec![(state, None)],
                        Some(rest) => {
                            self.take(state, rest).into_iter().map(|(state, rest)| (state, Some(rest))).collect()
                        }
                    };
                    for (state, rest) in found {
                        let number = self.terms.concat(first.into_iter().chain(rest).collect());
                        all.push((state, self.terms.sign_extended(number, 64)));
                    }
                }
                Ok(self.each_named(all, *var))
            }
            Stream::TakeDetermined { var, signed, offset } => {
                let Ok(offset) = i64::try_from(offset.unwrap_or(0)) else { return lacks(statement) };
                self.take_few(state, *var, *signed, offset)
            }
            Stream::SetOctets { place, octets, .. } => self.fill(state, place, *octets, (0, u64::MAX)),
            other => lacks(other),
        }
    }

    fn each_named(&mut self, states: Vec<(State, Id)>, var: Var) -> Vec<State> {
        let with = |(mut state, number): (State, Id)| {
            state.name(var, Held::Number(number));
            state
        };
        let states = states.into_iter().map(with).collect();
        self.merged(states)
    }

    /// Copies what a variable refers to.
    pub(crate) fn copy(&mut self, state: &mut State, from: Var, path: &str) -> Outcome<()> {
        let Some(Held::Reference(source, _)) = state.frame().vars.get(&from.0).cloned() else {
            return Err(format!("{from:?} is no part of a value"));
        };
        let inside =
            |slot: &str| slot.strip_prefix(&source).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        let slots: Vec<(String, Id)> =
            state.slots.iter().filter(|(slot, _)| inside(slot)).map(|(slot, id)| (slot.clone(), *id)).collect();
        for (slot, id) in slots {
            state.slots.insert(format!("{path}{}", &slot[source.len()..]), id);
        }
        Ok(())
    }

    /// The padding of an open type (X.691 clause 11.1.3).
    fn close_bits(&mut self, state: State, start: Id, count: Id) -> Outcome<Vec<State>> {
        let (rest, whole) = (self.rest(&state), self.terms.times(count, 8));
        let used = self.terms.minus(start, rest);
        let beyond = self.terms.below(whole, used);
        let Some(state) = self.refuse(state, beyond) else { return Ok(Vec::new()) };
        let left = self.terms.minus(whole, used);
        let (eight, zero, one) = (self.terms.word(8), self.terms.word(0), self.terms.word(1));
        let is_padding = self.terms.below(left, eight);
        let (is_empty, is_one) = (self.terms.equal(used, zero), self.terms.equal(count, one));
        let is_empty = self.terms.and(is_empty, is_one);
        let either = self.terms.or(is_padding, is_empty);
        let not = self.terms.not(either);
        let Some(state) = self.refuse(state, not) else { return Ok(Vec::new()) };
        let mut all = Vec::new();
        for bits in 0..=8 {
            let number = self.terms.word(bits);
            let is = self.terms.equal(left, number);
            let (yes, _) = self.fork(state.clone(), is);
            all.extend(yes.into_iter().flat_map(|state| self.advance(state, bits as u32)).collect::<Vec<_>>());
        }
        Ok(self.merged(all))
    }

    /// Statements of streams that are not in a stream of their own.
    pub(crate) fn in_stream(&mut self, mut state: State, statement: &Stmt) -> Outcome<Vec<State>> {
        match statement {
            Stmt::Position(var) => {
                let held = if self.is_encoder() { Held::Mark(state.out.len()) } else { Held::Rest(self.rest(&state)) };
                state.name(*var, held);
                Ok(vec![state])
            }
            Stmt::LetWord { variables: (word, bits), by: Prim::Mover(Mover::LengthOctets), number } => {
                let length = self.number(&mut state, number)?;
                if self.terms.most(length) > 0xff {
                    return Err("a length of more than one octet".into());
                }
                let (few, long) = (self.terms.word(128), self.terms.word(0x8100));
                let is_short = self.terms.below(length, few);
                let longer = self.terms.or(length, long);
                let (one, two) = (self.terms.word(8), self.terms.word(16));
                let held = (self.terms.ite(is_short, length, longer), self.terms.ite(is_short, one, two));
                state.name(*word, Held::Number(held.0));
                state.name(*bits, Held::Number(held.1));
                Ok(vec![state])
            }
            Stmt::Get(var, Prim::Mover(by), args) => self.get(state, *var, *by, args),
            Stmt::While { condition, element, body } => self.while_more(state, condition, element, body),
            Stmt::Do(Prim::Mover(by), args) | Stmt::Apart(Prim::Mover(by), args) => match (by, args.as_slice()) {
                (Mover::CloseOpenType, [Arg::Num(Num::Var(start))]) => self.close_open(state, *start),
                (Mover::PutCount, [count]) => {
                    let count = self.argument(&mut state, count)?;
                    self.put_count(state, count)
                }
                (Mover::PutSize, [count, size @ ..]) => {
                    let count = self.argument(&mut state, count)?;
                    let size = Size::of(size)?;
                    self.put_size(state, count, size)
                }
                (Mover::PutWide, [number, count]) => {
                    let number = self.argument(&mut state, number)?;
                    let count = self.argument(&mut state, count)?;
                    let most = self.terms.word(64);
                    let above = self.terms.below(most, count);
                    let Some(state) = self.refuse(state, above) else { return Ok(Vec::new()) };
                    self.put_counted(state, number, count)
                }
                (Mover::PutSigned | Mover::PutUnsigned, [number]) => {
                    let number = self.argument(&mut state, number)?;
                    self.put_few(&mut state, number, *by == Mover::PutSigned);
                    Ok(vec![state])
                }
                (Mover::TakeArray, [Arg::Exclusive(place) | Arg::Shared(place)]) => self.take_array(state, place),
                _ => self.act(state, statement),
            },
            other => lacks(other),
        }
    }

    /// A number in as few octets as it takes, after their number (X.691 clause 11.7, 11.8).
    fn put_few(&mut self, state: &mut State, number: Id, is_signed: bool) {
        let (mut rest, mut arms) = (self.terms.truth(true), Vec::new());
        for octets in 1..=8u32 {
            let fits = match (is_signed, octets) {
                (true, _) => self.terms.fits(number, octets * 8),
                (_, 8) => self.terms.truth(true),
                _ => {
                    let bound = self.terms.word(1 << (octets * 8));
                    self.terms.below(number, bound)
                }
            };
            let here = self.terms.and(rest, fits);
            let count = self.terms.constant(octets.into(), 8);
            let low = self.terms.extract(number, 0, octets * 8);
            let bits = self.terms.concat(vec![count, low]);
            if self.terms.value(here) != Some(0) {
                arms.push((here, vec![Part::Bits(bits)]));
            }
            let not = self.terms.not(fits);
            rest = self.terms.and(rest, not);
        }
        state.out.push(Part::Fork(arms.into()));
    }

    /// A number after the number of its octets.
    fn take_few(&mut self, state: State, var: Var, is_signed: bool, offset: i64) -> Outcome<Vec<State>> {
        let mut all = Vec::new();
        for (state, count) in self.take(state, 8) {
            let is = self.within(count, (1, 8));
            let not = self.terms.not(is);
            let Some(state) = self.refuse(state, not) else { continue };
            for (state, octets) in self.split_up_to(state, count, 8) {
                for (state, bits) in self.take(state, octets as u32 * 8) {
                    if is_signed {
                        let number = self.terms.sign_extended(bits, 64);
                        all.push((state, number));
                        continue;
                    }
                    // Beyond 64 bits it is refused.
                    let number = self.terms.zero_extended(bits, 64);
                    let most = match offset {
                        0.. => u64::MAX - offset as u64,
                        _ => (i64::MAX as u64).wrapping_sub(offset as u64),
                    };
                    let (most, offset) = (self.terms.word(most), self.terms.word(offset as u64));
                    let beyond = self.terms.below(most, number);
                    if let Some(state) = self.refuse(state, beyond) {
                        all.push((state, self.terms.plus(number, offset)));
                    }
                }
            }
        }
        Ok(self.each_named(all, var))
    }

    fn take_array(&mut self, state: State, place: &Place) -> Outcome<Vec<State>> {
        let (path, id) = self.path(&state, place)?;
        let Repr::FixedOctets(count) = *self.types.repr(id) else { return lacks(self.types.repr(id)) };
        let mut all = Vec::new();
        for (mut state, bits) in self.take(state, count as u32 * 8) {
            if count > 0 {
                state.slots.insert(path.clone(), bits);
            }
            all.push(state);
        }
        Ok(all)
    }

    fn put_count(&mut self, state: State, count: Id) -> Outcome<Vec<State>> {
        let few = self.terms.word(128);
        let is_short = self.terms.below(count, few);
        let (short, long) = self.fork(state, is_short);
        let mut all = Vec::new();
        for (state, bits) in [(short, 8), (long, 16)] {
            let Some(mut state) = state else { continue };
            if bits == 16 {
                let most = self.terms.word(16384);
                let above = self.terms.at_most(most, count);
                let Some(left) = self.refuse(state, above) else { continue };
                state = left;
                let front = self.terms.constant(2, 2);
                state.out.push(Part::Bits(front));
            }
            let low = self.low(&state, count, if bits == 16 { 14 } else { 8 });
            state.out.push(Part::Bits(low));
            all.push(state);
        }
        Ok(self.merged(all))
    }

    /// An open type ends, whose length is in the octet before its content.
    fn close_open(&mut self, mut state: State, start: Var) -> Outcome<Vec<State>> {
        let Some(Held::Mark(mark)) = state.frame().vars.get(&start.0).cloned() else {
            return Err("an open type without a start".into());
        };
        let mut contents = state.out.split_off(mark.min(state.out.len()));
        if contents.is_empty() {
            return Err("no octet is left for a length".into());
        }
        let Part::Bits(first) = contents.remove(0) else { return Err("no octet is left for a length".into()) };
        let width = self.terms.width(first);
        if width < 8 {
            return Err("no octet is left for a length".into());
        }
        let front = self.terms.extract(first, width - 8, 8);
        if self.terms.value(front) != Some(0) {
            return Err("no octet is left for a length".into());
        }
        if width > 8 {
            contents.insert(0, Part::Bits(self.terms.extract(first, 0, width - 8)));
        }
        let bits = length(self.terms, &contents);
        let mut all = Vec::new();
        for (mut state, bits) in self.split(state, bits)? {
            // An empty one has an octet under packed rules (X.691 clause 11.1.3).
            let octets = if self.is_whole { bits / 8 } else { bits.div_ceil(8).max(1) };
            if octets >= 128 {
                return Err("an open type of more than 127 octets".into());
            }
            state.out.push(Part::Bits(self.terms.constant(octets, 8)));
            state.out.extend(contents.iter().cloned());
            if octets * 8 > bits {
                state.out.push(Part::Bits(self.terms.constant(0, (octets * 8 - bits) as u32)));
            }
            all.push(state);
        }
        Ok(self.merged(all))
    }

    /// The first octet of a length: one below 128 is the length, the others are returned.
    fn take_short(&mut self, state: State, short: &mut Vec<(State, Id)>) -> Vec<(State, Id)> {
        let mut all = Vec::new();
        for (state, first) in self.take(state, 8) {
            let is_long = self.terms.extract(first, 7, 1);
            let (long, one) = self.fork(state, is_long);
            short.extend(one.map(|state| (state, self.terms.zero_extended(first, 64))));
            all.extend(long.map(|state| (state, first)));
        }
        all
    }

    /// A length determinant under packed rules.
    fn take_count(&mut self, state: State) -> Vec<(State, Id)> {
        let mut all = Vec::new();
        for (state, first) in self.take_short(state, &mut all) {
            let fragment = self.terms.extract(first, 6, 1);
            let Some(state) = self.refuse(state, fragment) else { continue };
            for (state, second) in self.take(state, 8) {
                let high = self.terms.extract(first, 0, 6);
                let count = self.terms.concat(vec![high, second]);
                all.push((state, self.terms.zero_extended(count, 64)));
            }
        }
        all
    }

    /// A size after an extension bit.
    fn put_size(&mut self, state: State, count: Id, size: Size) -> Outcome<Vec<State>> {
        let is_inside = self.within(count, (size.lower, size.upper));
        let (inside, beyond) = self.fork(state, is_inside);
        let mut all = Vec::new();
        for (state, bit) in [(inside, 0), (beyond, 1)] {
            let Some(mut state) = state else { continue };
            let extension = self.terms.constant(bit, 1);
            state.out.push(Part::Bits(extension));
            match (bit, size.bits) {
                (0, Some(0)) => all.push(state),
                (0, Some(bits)) => {
                    let lower = self.terms.word(size.lower);
                    let offset = self.terms.minus(count, lower);
                    let field = self.terms.extract(offset, 0, bits);
                    state.out.push(Part::Bits(field));
                    all.push(state);
                }
                _ => all.extend(self.put_count(state, count)?),
            }
        }
        Ok(self.merged(all))
    }

    fn take_size(&mut self, state: State, size: Size) -> Vec<(State, Id)> {
        let mut all = Vec::new();
        for (state, bit) in self.take(state, 1) {
            let (beyond, inside) = self.fork(state, bit);
            all.extend(beyond.map(|state| self.take_count(state)).unwrap_or_default());
            let Some(state) = inside else { continue };
            let found = match size.bits {
                Some(0) => vec![(state, self.terms.word(0))],
                Some(bits) => self.take(state, bits),
                None => self.take_count(state),
            };
            for (state, number) in found {
                let number = self.terms.zero_extended(number, 64);
                let lower = self.terms.word(size.lower);
                let count = if size.bits.is_some() { self.terms.plus(number, lower) } else { number };
                let is_inside = self.within(count, (size.lower, size.upper));
                let outside = self.terms.not(is_inside);
                all.extend(self.refuse(state, outside).map(|state| (state, count)));
            }
        }
        all
    }

    fn get(&mut self, mut state: State, var: Var, by: Mover, args: &[Arg]) -> Outcome<Vec<State>> {
        match (by, args) {
            (Mover::TakeSize, size) => {
                let found = self.take_size(state, Size::of(size)?);
                Ok(self.each_named(found, var))
            }
            (Mover::TakeLength, []) => {
                let found = self.take_length(state);
                Ok(self.each_named(found, var))
            }
            (Mover::TakeQuantity | Mover::TakeCountedUnsigned, []) => {
                let mut all = Vec::new();
                for (state, octets) in self.take_length(state) {
                    let zero = self.terms.word(0);
                    let none = self.terms.equal(octets, zero);
                    let Some(state) = self.refuse(state, none) else { continue };
                    let most = self.terms.word(8);
                    let more = self.terms.below(most, octets);
                    // Longer ones have zeros first, which an encoder does not write.
                    if self.is_any && self.terms.value(more) != Some(0) {
                        return lacks(&"numbers with many zeros first");
                    }
                    let Some(state) = self.refuse(state, more) else { continue };
                    for (state, octets) in self.split_up_to(state, octets, 8) {
                        for (state, bits) in self.take(state, octets as u32 * 8) {
                            all.push((state, self.terms.zero_extended(bits, 64)));
                        }
                    }
                }
                Ok(self.each_named(all, var))
            }
            // Longer ones are not what an encoder writes.
            (Mover::TakeCountedSigned, []) if !self.is_any => self.take_few(state, var, true, 0),
            (Mover::TakeCounted, []) => {
                let mut all = Vec::new();
                for (state, octets) in self.take_length(state) {
                    all.extend(self.take_slice(state, var, octets));
                }
                Ok(self.merged(all))
            }
            (Mover::TakeMoreAdditions, [known, _, Arg::Exclusive(place)]) => {
                let (path, _) = self.path(&state, place)?;
                let known = self.argument(&mut state, known)?;
                let Some(known) = self.terms.value(known) else { return Err("additions are not counted".into()) };
                self.take_additions(state, var, known, &path)
            }
            _ => lacks(&(by, args)),
        }
    }

    /// A length determinant under octet rules: of up to two more octets.
    fn take_length(&mut self, state: State) -> Vec<(State, Id)> {
        let mut all = Vec::new();
        for (state, first) in self.take_short(state, &mut all) {
            let is = self.within(first, (0x81, 0x82));
            let not = self.terms.not(is);
            let one = self.terms.constant(0x81, 8);
            let is_one = self.terms.equal(first, one);
            let Some(state) = self.refuse(state, not) else { continue };
            let (one, two) = self.fork(state, is_one);
            for (state, bits) in [(one, 8), (two, 16)] {
                for (state, length) in state.into_iter().flat_map(|state| self.take(state, bits)).collect::<Vec<_>>() {
                    all.push((state, self.terms.zero_extended(length, 64)));
                }
            }
        }
        all
    }

    /// The presence bits of additions, all of them known; a message with others is refused, or left
    /// aside by an assumption.
    fn take_additions(&mut self, state: State, var: Var, known: u64, path: &str) -> Outcome<Vec<State>> {
        let (mut all, front) = (Vec::new(), if self.is_whole { 16 } else { 7 });
        for (state, head) in self.take(state, front) {
            let mut left = Some(state);
            for count in 1..=known {
                let Some(state) = left else { break };
                // The number of octets and of unused bits, or a short number less one.
                let wanted = match self.is_whole {
                    true => (count.div_ceil(8) + 1) << 8 | (count.div_ceil(8) * 8 - count),
                    false => count - 1,
                };
                let wanted = self.terms.constant(wanted, front);
                let is = self.terms.equal(head, wanted);
                let (yes, no) = self.fork(state, is);
                left = no;
                let width = if self.is_whole { count.div_ceil(8) * 8 } else { count } as u32;
                for (state, bits) in yes.into_iter().flat_map(|state| self.take(state, width)).collect::<Vec<_>>() {
                    let bits = self.terms.extract(bits, width - count as u32, count as u32);
                    let zeros = self.terms.constant(0, 64 - count as u32);
                    let word = self.terms.concat(vec![bits, zeros]);
                    all.push((state, word));
                }
            }
            if let Some(state) = left {
                let yes = self.terms.truth(true);
                if let Some(state) = self.keep(state, &format!("{path}.unknown"), yes) {
                    self.refuse(state, yes);
                }
            }
        }
        Ok(self.each_named(all, var))
    }

    fn while_more(
        &mut self,
        state: State,
        condition: &roadwire_plan::Cond,
        element: &Element,
        body: &roadwire_plan::Block,
    ) -> Outcome<Vec<State>> {
        let (mut states, mut done) = (vec![state], Vec::new());
        for _ in 0..17 {
            let mut next = Vec::new();
            for state in states {
                for mut state in self.settled(state, condition) {
                    let more = self.condition(&mut state, condition)?;
                    let (yes, no) = self.fork(state, more);
                    done.extend(no);
                    if let Some(state) = yes {
                        next.extend(self.element(state, element, body)?);
                    }
                }
            }
            states = self.merged(next);
        }
        match states.is_empty() {
            true => Ok(self.merged(done)),
            false => Err("a list has more than 16 elements: assume fewer".into()),
        }
    }

    /// The bound of a string in the model.
    pub(crate) fn most_octets(&self, id: TypeId) -> Option<u64> {
        match self.types.kind(id) {
            Kind::OctetString { size, .. } if !size.extensible => size.upper.filter(|most| *most <= 64),
            _ => None,
        }
    }
}

/// A size after an extension bit.
#[derive(Clone, Copy)]
struct Size {
    lower: u64,
    upper: u64,
    /// How many bits it has in the root; `None` for a length determinant.
    bits: Option<u32>,
}

impl Size {
    fn of(args: &[Arg]) -> Outcome<Size> {
        match *args {
            [
                Arg::Num(Num::Const(lower)),
                Arg::Num(Num::Const(upper)),
                Arg::Num(Num::Const(bits)),
                Arg::Flag(false),
                Arg::Flag(false),
            ] => Ok(Size { lower, upper, bits: (bits < 64).then_some(bits as u32) }),
            _ => lacks(&args),
        }
    }
}
