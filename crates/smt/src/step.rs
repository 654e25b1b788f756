//! Statements.

use roadwire_model::TypeId;
use roadwire_plan::{Arg, Block, Cond, Element, Num, Place, Repr, Stmt, Storage, Str, Stream, Var};

use crate::rope::Part;
use crate::run::{Outcome, Run, lacks};
use crate::state::{Held, State};
use crate::term::Id;

impl Run<'_, '_, '_> {
    pub(crate) fn step(&mut self, mut state: State, statement: &Stmt) -> Outcome<Vec<State>> {
        match statement {
            Stmt::Let(var, number) | Stmt::LetMut(var, number) => {
                let id = self.number(&mut state, number)?;
                state.name(*var, Held::Number(id));
                Ok(vec![state])
            }
            Stmt::Is(var, condition) => {
                let id = self.condition(&mut state, condition)?;
                state.name(*var, Held::Number(id));
                Ok(vec![state])
            }
            Stmt::RejectIf(Cond::Any(all)) => {
                let mut left = Some(state);
                for one in all {
                    let Some(mut state) = left else { break };
                    let condition = self.condition(&mut state, one)?;
                    left = self.refuse(state, condition);
                }
                Ok(left.into_iter().collect())
            }
            Stmt::RejectIf(condition) | Stmt::Stream(Stream::RejectNow(condition)) => {
                let condition = self.condition(&mut state, condition)?;
                Ok(self.refuse(state, condition).into_iter().collect())
            }
            Stmt::GiveUp => {
                let always = self.terms.truth(true);
                self.refuse(state, always);
                Ok(Vec::new())
            }
            Stmt::MayBeUnused(_) | Stmt::Settle => Ok(vec![state]),
            Stmt::Need(var, place) => {
                let (path, id) = self.path(&state, place)?;
                let has = self.slot(&state, &format!("{path}.has"), 1, 1);
                let absent = self.terms.not(has);
                let mut state = self.refuse(state, absent);
                state.iter_mut().for_each(|state| state.name(*var, Held::Reference(path.clone(), id)));
                Ok(state.into_iter().collect())
            }
            Stmt::Call { id, place, levels: None, is_tapped: false, has_strings: false } => {
                self.call(state, *id, place)
            }
            Stmt::Set(place, value) => {
                let (path, id) = self.path(&state, place)?;
                let state = self.set(state, &path, id, value)?;
                Ok(state.into_iter().collect())
            }
            Stmt::SetAlternative { id, alternative, place, value, .. } => {
                let (path, _) = self.path(&state, place)?;
                let choice = self.terms.constant(*alternative as u64, 32);
                let Some(state) = self.keep(state, &format!("{path}.choice"), choice) else { return Ok(Vec::new()) };
                let (path, id) = self.alternative(&path, *id, *alternative)?;
                Ok(self.set(state, &path, id, value)?.into_iter().collect())
            }
            Stmt::ForgetUnknown(place) => {
                let (path, _) = self.path(&state, place)?;
                let none = self.terms.truth(false);
                state.slots.insert(format!("{path}.unknown"), none);
                Ok(vec![state])
            }
            Stmt::Clear(component, place) | Stmt::SetAbsent(component, place) => {
                let (path, _) = self.path(&state, place)?;
                self.clear(&mut state, *component, &path)?;
                Ok(vec![state])
            }
            Stmt::Present { place, inner, .. } => {
                let (path, id) = self.path(&state, place)?;
                let yes = self.terms.truth(true);
                let mut state = self.keep(state, &format!("{path}.has"), yes);
                if let Some(state) = &mut state {
                    state.name(*inner, Held::Reference(path, id));
                }
                Ok(state.into_iter().collect())
            }
            Stmt::Choose { id, alternative, place, inner } | Stmt::ChooseOnly { id, alternative, place, inner } => {
                let (path, _) = self.path(&state, place)?;
                let choice = self.terms.constant(*alternative as u64, 32);
                let mut state = self.keep(state, &format!("{path}.choice"), choice);
                let (path, id) = self.alternative(&path, *id, *alternative)?;
                if let Some(state) = &mut state {
                    state.name(*inner, Held::Reference(path, id));
                }
                Ok(state.into_iter().collect())
            }
            Stmt::Refill { list, place } => {
                let (path, id) = self.path(&state, place)?;
                let none = self.terms.constant(0, 32);
                state.slots.insert(format!("{path}.count"), none);
                state.name(*list, Held::Reference(path, id));
                Ok(vec![state])
            }
            Stmt::Stream(statement) => self.stream(state, statement),
            other => self.branch(state, other),
        }
    }

    fn branch(&mut self, mut state: State, statement: &Stmt) -> Outcome<Vec<State>> {
        match statement {
            Stmt::If { condition, then, otherwise } => {
                let (nothing, mut states) = (Vec::new(), Vec::new());
                for mut state in self.settled(state, condition) {
                    let test = self.condition(&mut state, condition)?;
                    states.extend(self.either(state, test, then, otherwise.as_ref().unwrap_or(&nothing))?);
                }
                Ok(self.merged(states))
            }
            Stmt::IfSent { component, place, inner, then } => {
                let (path, id) = self.path(&state, place)?;
                let sent = self.sent(&state, *component, &path)?;
                if let Some(inner) = inner {
                    state.name(*inner, Held::Reference(path, id));
                }
                self.either(state, sent, then, &Vec::new())
            }
            Stmt::Switch { id, place, arms, .. } | Stmt::SwitchOpen { id, place, arms, others: None } => {
                self.switch(state, *id, place, arms)
            }
            Stmt::Select { number, arms, others } => {
                let number = self.number(&mut state, number)?;
                let arms: Vec<_> = arms.iter().map(|(key, block)| (*key, *key, block)).collect();
                self.select(state, number, &arms, others.as_ref())
            }
            Stmt::Each { item, list, body } => self.each(state, *item, list, None, body),
            Stmt::Times { count, element, body } => {
                let count = self.number(&mut state, count)?;
                self.times(state, count, element, body)
            }
            other => self.values(state, other),
        }
    }

    pub(crate) fn either(&mut self, state: State, test: Id, then: &Block, otherwise: &Block) -> Outcome<Vec<State>> {
        let (yes, no) = self.fork(state, test);
        let mut states = self.block(yes.into_iter().collect(), then)?;
        states.extend(self.block(no.into_iter().collect(), otherwise)?);
        Ok(self.merged(states))
    }

    fn switch(&mut self, state: State, id: TypeId, place: &Place, arms: &[(usize, Var, Block)]) -> Outcome<Vec<State>> {
        let (path, _) = self.path(&state, place)?;
        let choice = self.slot(&state, &format!("{path}.choice"), 32, u64::MAX);
        let (mut left, mut states) = (Some(state), Vec::new());
        for (at, var, block) in arms {
            let Some(state) = left else { break };
            let wanted = self.terms.constant(*at as u64, 32);
            let is = self.terms.equal(choice, wanted);
            let (yes, no) = self.fork(state, is);
            left = no;
            let Some(mut yes) = yes else { continue };
            let (path, id) = match self.alternative(&path, id, *at) {
                Ok(content) => content,
                // An alternative of a later version: assumptions rule it out, or it is refused.
                Err(_) => {
                    let always = self.terms.truth(true);
                    self.refuse(yes, always);
                    continue;
                }
            };
            yes.name(*var, Held::Reference(path, id));
            states.extend(self.block(vec![yes], block)?);
        }
        if let Some(state) = left {
            let always = self.terms.truth(true);
            self.refuse(state, always);
        }
        Ok(self.merged(states))
    }

    pub(crate) fn select(
        &mut self,
        state: State,
        number: Id,
        arms: &[(u64, u64, &Block)],
        others: Option<&Block>,
    ) -> Outcome<Vec<State>> {
        let (mut left, mut states) = (Some(state), Vec::new());
        for (first, last, block) in arms {
            let Some(state) = left else { break };
            let is = self.within(number, (*first, *last));
            let (yes, no) = self.fork(state, is);
            left = no;
            states.extend(self.block(yes.into_iter().collect(), block)?);
        }
        match (left, others) {
            (Some(state), Some(others)) => states.extend(self.block(vec![state], others)?),
            (Some(state), None) => {
                let always = self.terms.truth(true);
                self.refuse(state, always);
            }
            (None, _) => {}
        }
        Ok(self.merged(states))
    }

    /// Whether a number is within bounds.
    pub(crate) fn within(&mut self, number: Id, (lower, upper): (u64, u64)) -> Id {
        let width = self.terms.width(number);
        let (low, high) = (self.terms.constant(lower, width), self.terms.constant(upper, width));
        if lower == upper {
            return self.terms.equal(number, low);
        }
        let (above, below) = (self.terms.at_most(low, number), self.terms.at_most(number, high));
        self.terms.and(above, below)
    }

    /// How many elements a list holds in memory.
    pub(crate) fn room(&self, id: TypeId) -> Outcome<(TypeId, u64)> {
        match *self.types.repr(id) {
            Repr::List { element, storage: Storage::Inline(most) | Storage::Extensible(most) } => Ok((element, most)),
            Repr::List { element, storage: Storage::Heap } => Ok((element, u64::MAX)),
            _ => lacks(self.types.repr(id)),
        }
    }

    pub(crate) fn each(
        &mut self,
        mut state: State,
        item: Var,
        list: &Place,
        at: Option<Var>,
        body: &Block,
    ) -> Outcome<Vec<State>> {
        let (path, id) = self.path(&state, list)?;
        let (element, most) = self.room(id)?;
        let count = self.slot(&state, &format!("{path}.count"), 32, most.min(u32::MAX.into()));
        let most = self.terms.most(count);
        if most > 16 {
            return Err(format!("{path} has up to {most} elements: assume fewer"));
        }
        let mut done = Vec::new();
        for index in 0..=most {
            let number = self.terms.constant(index, 32);
            let more = self.terms.below(number, count);
            let (yes, no) = self.fork(state, more);
            done.extend(no);
            let Some(mut next) = yes else { break };
            next.name(item, Held::Reference(format!("{path}[{index}]"), element));
            if let Some(at) = at {
                let index = self.terms.word(index);
                next.name(at, Held::Number(index));
            }
            let mut states = self.block(vec![next], body)?;
            match states.pop() {
                Some(one) => state = one,
                None => break,
            }
        }
        Ok(self.merged(done))
    }

    /// Reads an element.
    pub(crate) fn element(&mut self, state: State, element: &Element, body: &Block) -> Outcome<Vec<State>> {
        let Element { list, list_id, id, item, .. } = element;
        let (path, _) = self.path(&state, &Place { root: roadwire_plan::Root::Variable(*list), steps: Vec::new() })?;
        let (_, most) = self.room(*list_id)?;
        let slot = format!("{path}.count");
        let count = self.slot(&state, &slot, 32, most);
        let Some(index) = self.terms.value(count) else {
            return Err(format!("the elements of {path} are not counted"));
        };
        if index >= most {
            let always = self.terms.truth(true);
            self.refuse(state, always);
            return Ok(Vec::new());
        }
        let mut state = state;
        state.name(*item, Held::Reference(format!("{path}[{index}]"), *id));
        let mut states = Vec::new();
        for state in self.block(vec![state], body)? {
            let next = self.terms.constant(index + 1, 32);
            states.extend(self.keep(state, &slot, next));
        }
        Ok(states)
    }

    pub(crate) fn times(&mut self, state: State, count: Id, element: &Element, body: &Block) -> Outcome<Vec<State>> {
        let most = self.terms.most(count).min(17);
        let (mut states, mut done) = (vec![state], Vec::new());
        for index in 0..=most {
            let mut next = Vec::new();
            for state in states {
                let number = self.terms.word(index);
                let is_last = self.terms.equal(count, number);
                let (yes, no) = self.fork(state, is_last);
                done.extend(yes);
                if let Some(state) = no {
                    next.extend(self.element(state, element, body)?);
                }
            }
            states = self.merged(next);
        }
        match states.is_empty() {
            true => Ok(self.merged(done)),
            false => Err("a list has more than 16 elements: assume fewer".into()),
        }
    }

    /// Writes a term's bits.
    pub(crate) fn put(&mut self, state: &mut State, bits: Id) {
        state.out.push(Part::Bits(bits));
    }

    /// Numbers with the places of their lowest bits, as so many bits: each one has to fit.
    pub(crate) fn packed(&mut self, state: &State, mut parts: Vec<(Id, u32)>, bits: u32) -> Option<Id> {
        parts.sort_by_key(|(_, shift)| std::cmp::Reverse(*shift));
        let (mut above, mut all, mut before) = (bits, Vec::new(), None::<(Id, u32)>);
        for (number, shift) in parts {
            if let Some((last, at)) = before.filter(|(_, at)| *at == shift) {
                // Two numbers at one place.
                let width = self.terms.width(last);
                let more = self.low(state, number, width);
                let both = self.terms.or(last, more);
                all.pop();
                all.push(both);
                before = Some((both, at));
                continue;
            }
            let Some(width) = above.checked_sub(shift).filter(|width| *width > 0) else {
                let zero = self.terms.word(0);
                let is = self.terms.equal(number, zero);
                let not = self.terms.not(is);
                self.never(state, not);
                continue;
            };
            let part = self.low(state, number, width);
            all.push(part);
            before = Some((part, shift));
            above = shift;
        }
        if above > 0 {
            let zeros = self.terms.constant(0, above);
            all.push(zeros);
        }
        (!all.is_empty() && bits > 0).then(|| self.terms.concat(all))
    }

    /// The lowest bits of a number that has no others.
    pub(crate) fn low(&mut self, state: &State, number: Id, width: u32) -> Id {
        let own = self.terms.width(number);
        if width >= own {
            return self.terms.zero_extended(number, width);
        }
        let above = self.terms.extract(number, width, own - width);
        let zero = self.terms.constant(0, own - width);
        let is = self.terms.equal(above, zero);
        let not = self.terms.not(is);
        self.never(state, not);
        self.terms.extract(number, 0, width)
    }

    pub(crate) fn put_octets_of(&mut self, state: &mut State, text: &Str) -> Outcome<Option<(Id, Id)>> {
        let place = match text {
            Str::Octets(place) | Str::Fixed(place) | Str::Characters(place) => place,
            Str::Var(_) => return lacks(text),
        };
        let (path, id) = self.path(state, place)?;
        self.string(state, &path, id)
    }

    pub(crate) fn argument(&mut self, state: &mut State, arg: &Arg) -> Outcome<Id> {
        match arg {
            Arg::Num(number) | Arg::Count(number) => self.number(state, number),
            Arg::Hex(number) => Ok(self.terms.word(*number)),
            Arg::BitCount(place) => self.number(state, &Num::BitCount(place.clone())),
            Arg::Greatest => Ok(self.terms.word(u64::MAX)),
            other => lacks(other),
        }
    }
}
