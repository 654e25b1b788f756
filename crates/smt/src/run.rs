//! Carries plans out with terms for values.

use roadwire_layout::NodeId;
use roadwire_model::{Kind, TypeId};
use roadwire_plan::{Block, Place, Plan, Planner, Root, Step, Types, Var, Way};

use crate::rope::{Input, Next, Part};
use crate::state::{Frame, Held, State};
use crate::term::{Id, Terms};

/// `Err` says why there is no proof, and names the statement that stands in its way.
pub type Outcome<T> = Result<T, String>;

/// An assumption on a part of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assume {
    /// It is this number.
    Is(u64),
    /// It is no greater.
    AtMost(u64),
}

/// A change that is made to a plan before it is carried out.
pub type Change<'c> = &'c dyn Fn(&mut Plan, Way);

pub(crate) struct Run<'r, 'a, 'm> {
    pub(crate) terms: &'r mut Terms,
    pub(crate) types: &'a Types<'m>,
    pub(crate) planner: &'r mut Planner<'a, 'm>,
    pub(crate) nodes: &'r mut Vec<(TypeId, NodeId)>,
    pub(crate) change: Change<'r>,
    pub(crate) way: Way,
    /// Whether octets are kept as heads.
    pub(crate) is_whole: bool,
    pub(crate) input: &'r mut Input,
    /// Whether parts of the value that are not known are any values.
    pub(crate) is_free: bool,
    /// Parts of the value that are assumed.
    pub(crate) assumed: &'r mut dyn FnMut(&str) -> Option<Assume>,
    /// Whether a decoder reads any octets, and not those of an encoder.
    pub(crate) is_any: bool,
    /// When the function refuses.
    pub(crate) refused: Id,
    /// When it writes a number that has more bits than its place.
    pub(crate) wrong: Id,
    /// How many numbers were met of which nothing is known.
    pub(crate) unset: &'r mut usize,
}

impl Run<'_, '_, '_> {
    pub(crate) fn block(&mut self, mut states: Vec<State>, block: &Block) -> Outcome<Vec<State>> {
        for statement in block {
            let mut next = Vec::new();
            for state in states {
                next.extend(self.step(state, statement)?);
            }
            states = self.merged(next);
        }
        Ok(states)
    }

    pub(crate) fn call(&mut self, mut state: State, id: TypeId, place: &Place) -> Outcome<Vec<State>> {
        let (path, _) = self.path(&state, place)?;
        let canonical = self.types.canonical(id);
        let node = self.nodes.iter().find(|(one, _)| *one == canonical || *one == id).copied();
        let Some((id, node)) = node else { return Err("the function of a part is not known".into()) };
        let mut plan = self.planner.function(self.way, roadwire_plan::Entry::Part, (id, node));
        (self.change)(&mut plan, self.way);
        none_left(self.types, &plan)?;
        self.nodes.extend(plan.called.iter().copied());
        if state.frames.len() > 30 {
            return Err("types are nested too deeply, or contain themselves".into());
        }
        state.frames.push(Frame { path, id, vars: Default::default() });
        let mut states = self.block(vec![state], &plan.block)?;
        states.iter_mut().for_each(|state| drop(state.frames.pop()));
        Ok(states)
    }

    pub(crate) fn is_encoder(&self) -> bool {
        self.way == Way::Encode
    }

    /// The condition under which a state is reached.
    pub(crate) fn guard(&mut self, guard: &[Id]) -> Id {
        let all = self.terms.truth(true);
        guard.iter().fold(all, |all, one| self.terms.and(all, *one))
    }

    pub(crate) fn assume(&mut self, state: &mut State, condition: Id) {
        for one in self.terms.conjuncts(condition) {
            if !state.guard.contains(&one) {
                state.guard.push(one);
            }
        }
    }

    /// Both ways, as far as they are possible.
    pub(crate) fn fork(&mut self, state: State, condition: Id) -> (Option<State>, Option<State>) {
        let condition = self.terms.under(condition, &state.guard);
        match self.terms.value(condition) {
            Some(0) => (None, Some(state)),
            Some(_) => (Some(state), None),
            None => {
                let (mut yes, mut no) = (state.clone(), state);
                let not = self.terms.not(condition);
                self.assume(&mut yes, condition);
                self.assume(&mut no, not);
                (Some(yes), Some(no))
            }
        }
    }

    /// The function refuses under a condition.
    pub(crate) fn refuse(&mut self, state: State, condition: Id) -> Option<State> {
        let (yes, no) = self.fork(state, condition);
        if let Some(yes) = yes {
            let guard = self.guard(&yes.guard);
            self.refused = self.terms.or(self.refused, guard);
        }
        no
    }

    /// A condition that must never hold.
    pub(crate) fn never(&mut self, state: &State, condition: Id) {
        let condition = self.terms.under(condition, &state.guard);
        if self.terms.value(condition) != Some(0) {
            let guard = self.guard(&state.guard);
            let both = self.terms.and(guard, condition);
            self.wrong = self.terms.or(self.wrong, both);
        }
    }

    /// No value leads here: that is proved.
    fn unreachable(&mut self, state: Option<State>) {
        if let Some(state) = state {
            let guard = self.guard(&state.guard);
            self.wrong = self.terms.or(self.wrong, guard);
        }
    }

    /// The states for each number that a term may be.
    pub(crate) fn split(&mut self, state: State, number: Id) -> Outcome<Vec<(State, u64)>> {
        let values = self.terms.values(number).ok_or("a width or a size has too many values")?;
        Ok(self.each_value(state, number, values))
    }

    /// The same of a number that is known to be no greater.
    pub(crate) fn split_up_to(&mut self, state: State, number: Id, most: u64) -> Vec<(State, u64)> {
        let values = self.terms.values(number).unwrap_or_else(|| (0..=most).collect());
        self.each_value(state, number, values)
    }

    fn each_value(&mut self, state: State, number: Id, values: Vec<u64>) -> Vec<(State, u64)> {
        let (mut left, mut all) = (Some(state), Vec::new());
        let width = self.terms.width(number);
        for value in values {
            let Some(state) = left else { break };
            let wanted = self.terms.constant(value, width);
            let is = self.terms.equal(number, wanted);
            let (yes, no) = self.fork(state, is);
            all.extend(yes.map(|state| (state, value)));
            left = no;
        }
        self.unreachable(left);
        all
    }

    /// States at the same place become one.
    pub(crate) fn merged(&mut self, states: Vec<State>) -> Vec<State> {
        let mut all: Vec<State> = Vec::new();
        for state in states {
            let is_encoder = self.is_encoder();
            let same = |one: &State| is_encoder || (one.at, one.start, one.end) == (state.at, state.start, state.end);
            match all.iter().position(same) {
                Some(at) => {
                    let one = all.remove(at);
                    let both = self.joined(one, state);
                    all.insert(at, both);
                }
                None => all.push(state),
            }
        }
        all
    }

    fn joined(&mut self, a: State, b: State) -> State {
        let common = a.guard.iter().zip(&b.guard).take_while(|(a, b)| a == b).count();
        let (first, second) = (self.guard(&a.guard[common..]), self.guard(&b.guard[common..]));
        let either = self.terms.or(first, second);
        let mut state = State { guard: a.guard[..common].to_vec(), ..a.clone() };
        self.assume(&mut state, either);
        if let (Some(one), Some(other)) = (state.frames.last_mut(), b.frames.last()) {
            one.vars.retain(|var, _| other.vars.contains_key(var));
            for (var, held) in &mut one.vars {
                match (held, &other.vars[var]) {
                    (Held::Number(one), Held::Number(other)) => *one = self.terms.ite(first, *one, *other),
                    (Held::Slice(one, size), Held::Slice(other, other_size)) => {
                        *one = self.terms.ite(first, *one, *other);
                        *size = self.terms.ite(first, *size, *other_size);
                    }
                    (Held::Rest(one), Held::Rest(other)) => *one = self.terms.ite(first, *one, *other),
                    (one, other) if one == other => {}
                    (one, _) => *one = Held::Mark(usize::MAX),
                }
            }
        }
        let slots: std::collections::BTreeSet<String> = a.slots.keys().chain(b.slots.keys()).cloned().collect();
        for slot in slots {
            let (one, other) = (a.slots.get(&slot).copied(), b.slots.get(&slot).copied());
            let width = one.or(other).map_or(1, |id| self.terms.width(id));
            let one = one.unwrap_or_else(|| self.unset(width));
            let other = other.unwrap_or_else(|| self.unset(width));
            let value = self.terms.ite(first, one, other);
            state.slots.insert(slot, value);
        }
        if a.out != b.out {
            let common = a.out.iter().zip(&b.out).take_while(|(a, b)| a == b).count();
            state.out.truncate(common);
            let arms = vec![(first, a.out[common..].to_vec()), (second, b.out[common..].to_vec())];
            state.out.push(Part::Fork(arms.into()));
        }
        if a.head != b.head {
            state.head = match (a.head, b.head) {
                (Some(a), Some(b)) if self.terms.width(a) == self.terms.width(b) => Some(self.terms.ite(first, a, b)),
                _ => None,
            };
        }
        if a.word != b.word {
            state.word = match (a.word, b.word) {
                (Some(a), Some(b)) => Some(self.terms.ite(first, a, b)),
                _ => None,
            };
        }
        state
    }

    /// A number of which nothing is known.
    pub(crate) fn unset(&mut self, width: u32) -> Id {
        *self.unset += 1;
        self.terms.symbol(&format!("unset {}", self.unset), width, u64::MAX)
    }

    /// Bits from a place on; those after the end are any bits.
    pub(crate) fn ahead(&mut self, state: State, from_start: bool, bits: u32) -> Vec<(State, Id)> {
        let place = if from_start { state.start } else { state.at };
        match self.input.next(self.terms, place, bits) {
            (Next::Bits(id), have) => {
                let id = match have {
                    0 => self.unset(bits.max(1)),
                    have if have < bits => {
                        let more = self.unset(bits - have);
                        self.terms.concat(vec![id, more])
                    }
                    _ => id,
                };
                vec![(state, id)]
            }
            (Next::Fork(places), _) => {
                let (mut left, mut all) = (Some(state), Vec::new());
                for (test, place) in places {
                    let Some(state) = left else { break };
                    let (yes, no) = self.fork(state, test);
                    left = no;
                    if let Some(mut state) = yes {
                        *(if from_start { &mut state.start } else { &mut state.at }) = place;
                        all.extend(self.ahead(state, from_start, bits));
                    }
                }
                self.unreachable(left);
                all
            }
        }
    }

    /// Moves on; beyond the end it refuses.
    pub(crate) fn advance(&mut self, state: State, bits: u32) -> Vec<State> {
        let mut all = Vec::new();
        for (mut state, _) in self.ahead(state, false, bits) {
            match self.input.after(self.terms, state.at, bits) {
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
        all
    }

    /// How many bits there are up to the end.
    pub(crate) fn rest(&mut self, state: &State) -> Id {
        self.input.rest(self.terms, state.at)
    }

    /// Reads bits.
    pub(crate) fn take(&mut self, state: State, bits: u32) -> Vec<(State, Id)> {
        let mut all = Vec::new();
        for (state, id) in self.ahead(state, false, bits) {
            for state in self.advance(state, bits) {
                all.push((state, id));
            }
        }
        all
    }

    /// The path and the type of what is in a place.
    pub(crate) fn path(&self, state: &State, place: &Place) -> Outcome<(String, TypeId)> {
        let frame = state.frames.last().ok_or("no function is called")?;
        let (mut path, mut id) = match place.root {
            Root::Value => (frame.path.clone(), frame.id),
            Root::Reference(var) | Root::Variable(var) => match frame.vars.get(&var.0) {
                Some(Held::Reference(path, id)) => (path.clone(), *id),
                other => return Err(format!("{var:?} is no place: {other:?}")),
            },
        };
        for step in &place.steps {
            if let Step::Component(one) = step {
                let component = self.types.component(*one);
                path = format!("{path}.{}", component.name);
                id = component.type_id;
            }
        }
        Ok((path, id))
    }

    pub(crate) fn variable(&self, state: &State, var: Var) -> Outcome<Id> {
        match state.frames.last().and_then(|frame| frame.vars.get(&var.0)) {
            Some(Held::Number(id) | Held::Octets(id)) => Ok(*id),
            other => Err(format!("{var:?} is no number: {other:?}")),
        }
    }

    /// A part of a value.
    pub(crate) fn slot(&mut self, state: &State, name: &str, width: u32, most: u64) -> Id {
        if let Some(known) = state.slots.get(name) {
            return *known;
        }
        let mut most = most;
        if self.is_free {
            match (self.assumed)(name) {
                Some(Assume::Is(number)) => return self.terms.constant(number, width),
                Some(Assume::AtMost(number)) => most = most.min(number),
                None => {}
            }
        }
        match self.is_free {
            true => self.terms.symbol(name, width, most),
            false => self.terms.symbol(&format!("unset {name}"), width, u64::MAX),
        }
    }

    /// A part of the value becomes a number. A decoder of any octets leaves values aside that
    /// assumptions rule out.
    pub(crate) fn keep(&mut self, mut state: State, name: &str, value: Id) -> Option<State> {
        state.slots.insert(name.to_owned(), value);
        if !self.is_any {
            return Some(state);
        }
        let width = self.terms.width(value);
        let holds = match (self.assumed)(name) {
            Some(Assume::Is(number)) => self.within(value, (number, number)),
            Some(Assume::AtMost(number)) if width < 64 => self.within(value, (0, number.min((1 << width) - 1))),
            _ => return Some(state),
        };
        self.fork(state, holds).0
    }

    /// The greatest size that is assumed of a part.
    pub(crate) fn most_assumed(&mut self, name: &str) -> Option<u64> {
        match (self.assumed)(name) {
            Some(Assume::Is(number) | Assume::AtMost(number)) => Some(number),
            None => None,
        }
    }

    /// The alternative of a CHOICE: its path, and its type.
    pub(crate) fn alternative(&self, path: &str, id: TypeId, at: usize) -> Outcome<(String, TypeId)> {
        match self.types.kind(id) {
            Kind::Choice { alternatives, .. } if at < alternatives.len() => {
                Ok((format!("{path}.{}", alternatives[at].name), alternatives[at].type_id))
            }
            _ => Err("an alternative of a later version has no place".into()),
        }
    }
}

/// Parts that are left to the interpreter have no plan.
pub(crate) fn none_left(types: &Types<'_>, plan: &Plan) -> Outcome<()> {
    match plan.given_up.first() {
        Some(part) => Err(format!("{} is left to the interpreter", types.model.get(part.part).kind.name())),
        None => Ok(()),
    }
}

/// A statement that the printer does not have.
pub(crate) fn lacks<T>(what: &impl std::fmt::Debug) -> Outcome<T> {
    let text = format!("{what:?}");
    let short: String = text.chars().take(160).collect();
    Err(format!("there is no SMT-LIB for {short}"))
}
