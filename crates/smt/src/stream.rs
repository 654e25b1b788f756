//! Statements of streams of bits and of octets.

use roadwire_plan::{Arg, Mover, Num, Prim, Repr, Stmt, Stream};

use crate::rope::Part;
use crate::run::{Outcome, Run, lacks};
use crate::state::{Held, State};
use crate::term::Id;

impl Run<'_, '_, '_> {
    pub(crate) fn stream(&mut self, mut state: State, statement: &Stream) -> Outcome<Vec<State>> {
        match statement {
            Stream::FlushWriter => Ok(vec![state]),
            Stream::Bind { id, alternative, place, inner } => {
                let (path, _) = self.path(&state, place)?;
                let choice = self.slot(&state, &format!("{path}.choice"), 32, u64::MAX);
                let wanted = self.terms.constant(*alternative as u64, 32);
                let is = self.terms.equal(choice, wanted);
                let not = self.terms.not(is);
                let mut state = self.refuse(state, not);
                let (path, id) = self.alternative(&path, *id, *alternative)?;
                state.iter_mut().for_each(|state| state.name(*inner, Held::Reference(path.clone(), id)));
                Ok(state.into_iter().collect())
            }
            Stream::IfSentElse { component, place, inner, then, otherwise } => {
                let (path, id) = self.path(&state, place)?;
                let sent = self.sent(&state, *component, &path)?;
                if let Some(inner) = inner {
                    state.name(*inner, Held::Reference(path, id));
                }
                self.either(state, sent, then, otherwise)
            }
            Stream::Enumerated { at, item, place, body } => self.each(state, *item, place, Some(*at), body),
            Stream::Match { number, arms, others, .. } => {
                let number = self.number(&mut state, number)?;
                let arms: Vec<_> = arms.iter().map(|(first, last, block)| (*first, *last, block)).collect();
                self.select(state, number, &arms, others.as_ref())
            }
            Stream::Increment(var) => {
                let (number, one) = (self.variable(&state, *var)?, self.terms.word(1));
                let number = self.terms.plus(number, one);
                state.name(*var, Held::Number(number));
                Ok(vec![state])
            }
            Stream::PutChunk { parts, bits, last } => self.put_chunk(state, parts, *bits, last.as_ref()),
            Stream::PutWide { number, width } => {
                let (number, width) = (self.number(&mut state, number)?, self.number(&mut state, width)?);
                self.put_counted(state, number, width)
            }
            other => self.take_statement(state, other),
        }
    }

    fn put_chunk(
        &mut self,
        mut state: State,
        parts: &[(Num, u32)],
        bits: u32,
        last: Option<&(Num, Num)>,
    ) -> Outcome<Vec<State>> {
        let mut numbers = Vec::new();
        for (number, shift) in parts {
            numbers.push((self.number(&mut state, number)?, *shift));
        }
        if let Some(word) = self.packed(&state, numbers, bits) {
            self.put(&mut state, word);
        }
        match last {
            None => Ok(vec![state]),
            Some((number, width)) => {
                let (number, width) = (self.number(&mut state, number)?, self.number(&mut state, width)?);
                self.put_counted(state, number, width)
            }
        }
    }

    /// The lowest bits of a number: so many as another number says.
    pub(crate) fn put_counted(&mut self, state: State, number: Id, width: Id) -> Outcome<Vec<State>> {
        let mut states = Vec::new();
        for (mut state, width) in self.split_up_to(state, width, 64) {
            if width > 0 {
                let bits = self.low(&state, number, width as u32);
                self.put(&mut state, bits);
            }
            states.push(state);
        }
        Ok(self.merged(states))
    }

    fn take_statement(&mut self, mut state: State, statement: &Stream) -> Outcome<Vec<State>> {
        match statement {
            Stream::FirstChunk(octets) => {
                let rest = self.input.rest(self.terms, state.start);
                let least = self.terms.word((octets * 8).saturating_sub(7));
                let fewer = self.terms.below(rest, least);
                let state = self.refuse(state, fewer);
                if !self.is_whole {
                    return Ok(state.into_iter().collect());
                }
                let mut all = Vec::new();
                for (mut state, head) in
                    state.into_iter().flat_map(|state| self.ahead(state, true, *octets as u32 * 8)).collect::<Vec<_>>()
                {
                    state.head = (*octets > 0).then_some(head);
                    all.push(state);
                }
                Ok(all)
            }
            Stream::Window(base) => {
                self.at_start(state, *base as u32 * 8, 64, |_, state, word| state.word = Some(word))
            }
            Stream::ReadAt { var, bit, bits } => self.at_start(state, *bit as u32, *bits, |run, state, word| {
                let number = run.terms.zero_extended(word, 64);
                state.name(*var, Held::Number(number));
            }),
            Stream::LetPart { var, left, right } => {
                self.let_part(&mut state, *var, *left, *right)?;
                Ok(vec![state])
            }
            Stream::RejectPart { left, right, wanted } => {
                let part = self.part(&state, *left, *right)?;
                let wanted = self.terms.word(*wanted);
                let is = self.terms.equal(part, wanted);
                let not = self.terms.not(is);
                Ok(self.refuse(state, not).into_iter().collect())
            }
            Stream::AdvanceTo(bit) => {
                let mut all = Vec::new();
                for (mut state, _) in self.ahead(state, true, *bit as u32) {
                    match self.input.after(self.terms, state.start, *bit as u32) {
                        Some(at) => {
                            state.at = at;
                            all.push(state);
                        }
                        None => {
                            let always = self.terms.truth(true);
                            self.refuse(state, always);
                        }
                    }
                }
                Ok(all)
            }
            Stream::ReaderAt(octet) => self.take_statement(state, &Stream::AdvanceTo(octet * 8)),
            Stream::TakeWide { var, bits } => self.named(state, *bits, |state, number| {
                state.name(*var, Held::Number(number));
            }),
            Stream::TakeWord(bits) => self.named(state, *bits, |state, number| state.word = Some(number)),
            Stream::LetBits { var, width, below, .. } => {
                let word = state.word.ok_or("no word has been read")?;
                let number = match width {
                    0 => self.terms.word(0),
                    width => {
                        let bits = self.terms.extract(word, *below, *width);
                        self.terms.zero_extended(bits, 64)
                    }
                };
                state.name(*var, Held::Number(number));
                Ok(vec![state])
            }
            Stream::NextWord => {
                let states = self.ahead(state, false, 64);
                let with = |(mut state, word): (State, Id)| {
                    state.word = Some(word);
                    state
                };
                Ok(states.into_iter().map(with).collect())
            }
            Stream::Advance(bits) => Ok(self.advance(state, *bits)),
            // Moving beyond the end has been refused.
            Stream::Within => Ok(vec![state]),
            other => self.take_content(state, other),
        }
    }

    /// Bits at a known distance from the start.
    fn at_start(
        &mut self,
        state: State,
        bit: u32,
        bits: u32,
        with: impl Fn(&mut Self, &mut State, Id),
    ) -> Outcome<Vec<State>> {
        let mut all = Vec::new();
        for (mut state, word) in self.ahead(state, true, bit + bits) {
            let word = self.terms.extract(word, 0, bits);
            with(self, &mut state, word);
            all.push(state);
        }
        Ok(all)
    }

    fn named(&mut self, state: State, bits: u32, with: impl Fn(&mut State, Id)) -> Outcome<Vec<State>> {
        let mut all = Vec::new();
        for (mut state, word) in self.take(state, bits) {
            let number = match bits {
                0 => self.terms.word(0),
                _ => self.terms.zero_extended(word, 64),
            };
            with(&mut state, number);
            all.push(state);
        }
        Ok(all)
    }

    /// Bits of the word.
    fn part(&mut self, state: &State, left: u32, right: u32) -> Outcome<Id> {
        let word = state.word.ok_or("no word has been read")?;
        let (left, right) = (self.terms.word(left.into()), self.terms.word(right.into()));
        let part = self.terms.shl(word, left);
        Ok(self.terms.shr(part, right))
    }

    pub(crate) fn let_part(
        &mut self,
        state: &mut State,
        var: roadwire_plan::Var,
        left: u32,
        right: u32,
    ) -> Outcome<()> {
        let part = self.part(state, left, right)?;
        state.name(var, Held::Number(part));
        Ok(())
    }

    fn take_content(&mut self, mut state: State, statement: &Stream) -> Outcome<Vec<State>> {
        match statement {
            Stream::TakeHead(octets) => self.head(state, *octets as u32),
            Stream::WordAt { first, octets } => {
                let head = state.word_of_octets(*first as u32, *octets as u32, self)?;
                state.word = Some(self.terms.zero_extended(head, 64));
                Ok(vec![state])
            }
            Stream::LetMasked { var, shift, mask } => {
                let word = state.word.ok_or("no word has been read")?;
                let (shift, mask) = (self.terms.word(*shift), self.terms.word(*mask));
                let part = self.terms.shr(word, shift);
                let part = self.terms.and(part, mask);
                state.name(*var, Held::Number(part));
                Ok(vec![state])
            }
            Stream::TakeInline { place, count } | Stream::TakeOctets { place, count, .. } => {
                let (path, id) = self.path(&state, place)?;
                let count = self.number(&mut state, count)?;
                self.take_string(state, &path, id, count)
            }
            Stream::TakeOther { .. } | Stream::TakeTagged { .. } => {
                // An alternative of a later version would be kept: no known one is.
                let always = self.terms.truth(true);
                self.refuse(state, always);
                Ok(Vec::new())
            }
            Stream::Narrow { var, from, .. } => {
                let number = self.variable(&state, *from)?;
                state.name(*var, Held::Number(number));
                Ok(vec![state])
            }
            other => self.local(state, other),
        }
    }

    fn take_string(&mut self, state: State, path: &str, id: roadwire_model::TypeId, count: Id) -> Outcome<Vec<State>> {
        let most = match *self.types.repr(id) {
            Repr::Octets(most) if most <= 64 => most,
            Repr::Octets(_) | Repr::LentOctets => {
                match self.most_octets(id).or_else(|| self.most_assumed(&format!("{path}.size"))) {
                    Some(most) => most,
                    None => return Err(format!("{path} has no small bound: assume its size")),
                }
            }
            ref other => return lacks(other),
        };
        let bound = self.terms.word(most);
        let above = self.terms.below(bound, count);
        let Some(state) = self.refuse(state, above) else { return Ok(Vec::new()) };
        let mut states = Vec::new();
        for (state, size) in self.split_up_to(state, count, most) {
            for (mut state, bits) in self.take(state, size as u32 * 8) {
                let mut octets = Vec::new();
                if size > 0 {
                    octets.push(bits);
                }
                if size < most.max(1) {
                    octets.push(self.unset((most.max(1) - size) as u32 * 8));
                }
                let (octets, size) = (self.terms.concat(octets), self.terms.constant(size, 32));
                state.slots.insert(path.to_owned(), octets);
                state.slots.insert(format!("{path}.size"), size);
                states.push(state);
            }
        }
        Ok(self.merged(states))
    }

    /// Octets that come next are kept as the head.
    fn head(&mut self, state: State, octets: u32) -> Outcome<Vec<State>> {
        let mut all = Vec::new();
        for (mut state, head) in self.take(state, octets * 8) {
            state.head = (octets > 0).then_some(head);
            all.push(state);
        }
        Ok(all)
    }

    /// Primitives that write.
    pub(crate) fn act(&mut self, mut state: State, statement: &Stmt) -> Outcome<Vec<State>> {
        let (Stmt::Do(Prim::Mover(by), args) | Stmt::Apart(Prim::Mover(by), args)) = statement else {
            return lacks(statement);
        };
        match (by, args.as_slice()) {
            (Mover::PutOctets | Mover::PutInline | Mover::PutArray, [Arg::Octets(text)]) => {
                let Some((octets, size)) = self.put_octets_of(&mut state, text)? else { return Ok(vec![state]) };
                self.put_string(state, octets, size)
            }
            (Mover::PutArray | Mover::PutOctets, [Arg::Shared(place) | Arg::Contents(place)]) => {
                let (path, id) = self.path(&state, place)?;
                let Some((octets, size)) = self.string(&state, &path, id)? else { return Ok(vec![state]) };
                self.put_string(state, octets, size)
            }
            // Assumptions rule them out.
            (Mover::PutAdditions | Mover::PutUnknown | Mover::TakeUnknown, _) => {
                self.never_in(&state);
                Ok(vec![state])
            }
            _ => lacks(statement),
        }
    }

    /// The first octets of a string: so many as its size says.
    pub(crate) fn put_string(&mut self, state: State, octets: Id, size: Id) -> Outcome<Vec<State>> {
        let (mut states, width) = (Vec::new(), self.terms.width(octets));
        for (mut state, size) in self.split_up_to(state, size, u64::from(width / 8)) {
            let bits = size as u32 * 8;
            if bits > width {
                continue;
            }
            if bits > 0 {
                let first = self.terms.extract(octets, width - bits, bits);
                state.out.push(Part::Bits(first));
            }
            states.push(state);
        }
        Ok(self.merged(states))
    }
}

impl State {
    /// Octets of the head.
    pub(crate) fn word_of_octets(&self, first: u32, octets: u32, run: &mut Run<'_, '_, '_>) -> Outcome<Id> {
        let head = self.head.ok_or("no octets have been read")?;
        let width = run.terms.width(head);
        let Some(low) = width.checked_sub((first + octets) * 8) else { return Err("octets beyond a head".into()) };
        Ok(run.terms.extract(head, low, octets * 8))
    }
}
