//! Values: what a place becomes, what is equal, what a type has.

use roadwire_model::{Kind, Presence, TypeId, Value as Known};
use roadwire_plan::{Component, Int, Repr, Storage, Types, Value};

use crate::run::{Outcome, Run, lacks};
use crate::state::State;
use crate::term::Id;

impl Run<'_, '_, '_> {
    pub(crate) fn set(&mut self, mut state: State, path: &str, id: TypeId, value: &Value) -> Outcome<Option<State>> {
        let set = |state: &mut State, id: Id| {
            state.slots.insert(path.to_owned(), id);
        };
        match (value, *self.types.repr(id)) {
            (Value::Null, _) => {}
            (Value::Integer(_, number), Repr::Integer(int)) => {
                let number = self.number(&mut state, number)?;
                let held = self.terms.extract(number, 0, int.bits.into());
                set(&mut state, held);
            }
            (Value::Integer(id, number), Repr::Enum) => {
                let number = self.number(&mut state, number)?;
                let item = self.item_of(*id, number)?;
                set(&mut state, item);
            }
            (Value::IsNot0(number), _) => {
                let number = self.number(&mut state, number)?;
                let truth = self.is_set(number);
                set(&mut state, truth);
            }
            (Value::LowestBit(number), _) => {
                let number = self.number(&mut state, number)?;
                let truth = self.terms.extract(number, 0, 1);
                set(&mut state, truth);
            }
            (Value::Flags(_, number), Repr::BitFlags { bits }) => {
                let number = self.number(&mut state, number)?;
                let held = self.terms.extract(number, 0, Int::of_bits(bits).bits.into());
                set(&mut state, held);
            }
            (Value::Array(var, octets), Repr::FixedOctets(count)) if *octets == count => {
                let number = self.variable(&state, *var)?;
                let held = self.terms.extract(number, 0, count as u32 * 8);
                set(&mut state, held);
            }
            (Value::Some(var), _) => {
                let yes = self.terms.truth(true);
                let Some(mut state) = self.keep(state, &format!("{path}.has"), yes) else { return Ok(None) };
                self.copy(&mut state, *var, path)?;
                return Ok(Some(state));
            }
            (Value::Referred(var), _) => self.copy(&mut state, *var, path)?,
            (Value::Bits(bits, count), Repr::BitWord) => {
                let (bits, count) = (self.number(&mut state, bits)?, self.number(&mut state, count)?);
                let count = self.terms.extract(count, 0, 32);
                set(&mut state, bits);
                state.slots.insert(format!("{path}.bits"), count);
            }
            (Value::Sent { bits, count, sent }, Repr::BitWord) => {
                let [bits, count, sent] = [bits, count, sent].map(|var| self.variable(&state, *var));
                let (bits, count) = (bits?, count?);
                let missing = self.terms.minus(count, sent?);
                let bits = self.terms.shl(bits, missing);
                let count = self.terms.extract(count, 0, 32);
                set(&mut state, bits);
                state.slots.insert(format!("{path}.bits"), count);
            }
            (Value::OctetsOf(_, var), Repr::FixedOctets(_) | Repr::Octets(_) | Repr::LentOctets) => {
                return self.fill_path(state, (path, id), *var, (0, u64::MAX));
            }
            (Value::Var(var), Repr::FixedOctets(count)) => {
                let octets = self.variable(&state, *var)?;
                if u64::from(self.terms.width(octets)) != count * 8 {
                    return lacks(value);
                }
                set(&mut state, octets);
            }
            (Value::Indexed { number, items, .. }, _) => {
                let number = self.variable(&state, *number)?;
                let items: Vec<(u64, usize)> = (0..).zip(items.iter().copied()).collect();
                return self.set_item(state, path, number, &items);
            }
            (Value::Item { number, numbers, .. }, _) => {
                let number = self.number(&mut state, number)?;
                let items: Vec<(u64, usize)> = numbers.iter().map(|number| *number as u64).zip(0..).collect();
                return self.set_item(state, path, number, &items);
            }
            (Value::ItemOf { number, items, .. }, _) => {
                let number = self.number(&mut state, number)?;
                let items: Vec<(u64, usize)> = items.iter().map(|(number, at)| (*number as u64, *at)).collect();
                return self.set_item(state, path, number, &items);
            }
            _ => return lacks(value),
        }
        Ok(Some(state))
    }

    fn set_item(&mut self, state: State, path: &str, number: Id, items: &[(u64, usize)]) -> Outcome<Option<State>> {
        let number = self.terms.zero_extended(number, 64);
        let is_dense = items.iter().zip(0..).all(|((wanted, at), order)| *wanted == order && *at as u64 == order);
        let (mut any, mut item) = (self.terms.truth(false), self.terms.constant(0, 32));
        if is_dense {
            let count = self.terms.word(items.len() as u64);
            any = self.terms.below(number, count);
            item = self.terms.extract(number, 0, 32);
        } else {
            for (wanted, at) in items.iter().rev() {
                let (wanted, at) = (self.terms.word(*wanted), self.terms.constant(*at as u64, 32));
                let is = self.terms.equal(number, wanted);
                any = self.terms.or(any, is);
                item = self.terms.ite(is, at, item);
            }
        }
        let not = self.terms.not(any);
        let mut state = self.refuse(state, not);
        if let Some(state) = &mut state {
            state.slots.insert(path.to_owned(), item);
        }
        Ok(state)
    }

    /// Whether a component is sent.
    pub(crate) fn sent(&mut self, state: &State, component: Component, path: &str) -> Outcome<Id> {
        let this = self.types.component(component);
        match &this.presence {
            Presence::Default(value) => {
                let is = self.is_known(state, path, this.type_id, value)?;
                Ok(self.terms.not(is))
            }
            _ => Ok(self.slot(state, &format!("{path}.has"), 1, 1)),
        }
    }

    pub(crate) fn clear(&mut self, state: &mut State, component: Component, path: &str) -> Outcome<()> {
        let this = self.types.component(component);
        match &this.presence {
            Presence::Default(value) => self.set_known(state, path, this.type_id, value),
            _ => {
                let none = self.terms.truth(false);
                state.slots.insert(format!("{path}.has"), none);
                Ok(())
            }
        }
    }

    /// A number, an item, a truth value or bits.
    fn scalar(&mut self, id: TypeId, value: &Known) -> Outcome<Id> {
        match (value, *self.types.repr(id)) {
            (Known::Boolean(truth), _) => Ok(self.terms.truth(*truth)),
            (Known::Integer(number), Repr::Integer(int)) => match number.to_i128() {
                Some(number) => Ok(self.terms.constant(number as u64, int.bits.into())),
                None => lacks(value),
            },
            (Known::Enumerated(ordinal), _) => Ok(self.terms.constant((*ordinal).into(), 32)),
            (Known::BitString { octets, .. }, Repr::BitFlags { bits }) => {
                let octet = |at: usize| u64::from(octets.get(at).copied().unwrap_or_default());
                let word = (0..8).fold(0, |word, at| word << 8 | octet(at)) >> (64 - u32::from(bits));
                Ok(self.terms.constant(word, Int::of_bits(bits).bits.into()))
            }
            _ => lacks(value),
        }
    }

    fn is_known(&mut self, state: &State, path: &str, id: TypeId, value: &Known) -> Outcome<Id> {
        let scalar = self.scalar(id, value)?;
        let width = self.terms.width(scalar);
        let held = self.slot(state, path, width, u64::MAX);
        Ok(self.terms.equal(held, scalar))
    }

    fn set_known(&mut self, state: &mut State, path: &str, id: TypeId, value: &Known) -> Outcome<()> {
        let scalar = self.scalar(id, value)?;
        state.slots.insert(path.to_owned(), scalar);
        Ok(())
    }

    /// The octets of a string, first ones highest, and how many there are; `None` of an empty one.
    pub(crate) fn string(&mut self, state: &State, path: &str, id: TypeId) -> Outcome<Option<(Id, Id)>> {
        match *self.types.repr(id) {
            Repr::FixedOctets(0) => Ok(None),
            Repr::FixedOctets(count) => {
                let octets = self.slot(state, path, count as u32 * 8, u64::MAX);
                Ok(Some((octets, self.terms.word(count))))
            }
            Repr::Octets(most) | Repr::Text(most) if most <= 64 => {
                let octets = self.slot(state, path, most as u32 * 8, u64::MAX);
                let size = self.slot(state, &format!("{path}.size"), 32, most);
                Ok(Some((octets, self.terms.zero_extended(size, 64))))
            }
            Repr::LentOctets | Repr::LentText | Repr::String | Repr::Octets(_) | Repr::Text(_) => {
                let slot = format!("{path}.size");
                let Some(most) = self.most_octets(id).or_else(|| self.most_assumed(&slot)) else {
                    return Err(format!("{path} has no small bound: assume its size"));
                };
                let octets = self.slot(state, path, most.max(1) as u32 * 8, u64::MAX);
                let size = self.slot(state, &slot, 32, most);
                Ok(Some((octets, self.terms.zero_extended(size, 64))))
            }
            ref other => lacks(other),
        }
    }

    /// Whether two states hold the same value.
    pub(crate) fn same(&mut self, a: &State, b: &State, path: &str, id: TypeId) -> Outcome<Id> {
        let mut all = self.terms.truth(true);
        match (self.types.kind(id), *self.types.repr(id)) {
            (Kind::Sequence { components, extensible, .. }, Repr::Struct) => {
                if *extensible {
                    all = self.same_slot((a, b), &format!("{path}.unknown"), 1);
                }
                for component in components {
                    let path = format!("{path}.{}", component.name);
                    let mut one;
                    if Types::is_option(component) {
                        let slot = format!("{path}.has");
                        one = self.same_slot((a, b), &slot, 1);
                        let has = self.free_slot(a, &slot, 1);
                        if self.terms.value(has) != Some(0) {
                            let content = self.same(a, b, &path, component.type_id)?;
                            let absent = self.terms.not(has);
                            let content = self.terms.or(absent, content);
                            one = self.terms.and(one, content);
                        }
                    } else {
                        one = self.same(a, b, &path, component.type_id)?;
                    }
                    all = self.terms.and(all, one);
                }
            }
            (Kind::Choice { alternatives, .. }, Repr::Choice) => {
                let slot = format!("{path}.choice");
                all = self.same_slot((a, b), &slot, 32);
                let choice = self.free_slot(a, &slot, 32);
                for (at, alternative) in alternatives.iter().enumerate() {
                    let wanted = self.terms.constant(at as u64, 32);
                    let is = self.terms.equal(choice, wanted);
                    if self.terms.value(is) != Some(0) {
                        let content = self.same(a, b, &format!("{path}.{}", alternative.name), alternative.type_id)?;
                        let other = self.terms.not(is);
                        let content = self.terms.or(other, content);
                        all = self.terms.and(all, content);
                    }
                }
            }
            (_, Repr::List { element, storage }) => {
                let slot = format!("{path}.count");
                all = self.same_slot((a, b), &slot, 32);
                let most = match storage {
                    Storage::Inline(most) | Storage::Extensible(most) => most,
                    Storage::Heap => self.most_assumed(&slot).unwrap_or(u64::MAX),
                };
                let count = self.free_slot(a, &slot, 32);
                for index in 0..most.min(self.terms.most(count)).min(64) {
                    let at = self.terms.constant(index, 32);
                    let more = self.terms.below(at, count);
                    if self.terms.value(more) == Some(0) {
                        break;
                    }
                    let one = self.same(a, b, &format!("{path}[{index}]"), element)?;
                    let beyond = self.terms.not(more);
                    let one = self.terms.or(beyond, one);
                    all = self.terms.and(all, one);
                }
            }
            (_, Repr::Null) => {}
            (_, Repr::Bool) => all = self.same_slot((a, b), path, 1),
            (_, Repr::Integer(int)) => all = self.same_slot((a, b), path, int.bits.into()),
            (_, Repr::Enum) => all = self.same_slot((a, b), path, 32),
            (_, Repr::BitFlags { bits }) => all = self.same_slot((a, b), path, Int::of_bits(bits).bits.into()),
            (_, Repr::BitWord) => {
                all = self.same_slot((a, b), &format!("{path}.bits"), 32);
                let (one, other) = (self.masked(a, path, true), self.masked(b, path, false));
                let is = self.terms.equal(one, other);
                all = self.terms.and(all, is);
            }
            (_, Repr::FixedOctets(0)) => {}
            (_, Repr::FixedOctets(count)) => all = self.same_slot((a, b), path, count as u32 * 8),
            (_, Repr::Octets(_) | Repr::Text(_) | Repr::LentOctets | Repr::LentText | Repr::String) => {
                all = self.same_strings((a, b), path, id)?;
            }
            (_, other) => return lacks(&other),
        }
        Ok(all)
    }

    fn same_strings(&mut self, (a, b): (&State, &State), path: &str, id: TypeId) -> Outcome<Id> {
        let free = std::mem::replace(&mut self.is_free, true);
        let one = self.string(a, path, id);
        self.is_free = free;
        let Some((octets, size)) = one? else { return Ok(self.terms.truth(true)) };
        let width = self.terms.width(octets);
        let slot = format!("{path}.size");
        let other_size = match b.slots.get(&slot) {
            Some(size) => self.terms.zero_extended(*size, 64),
            None => self.unset(64),
        };
        let other = match b.slots.get(path) {
            Some(other) => *other,
            None => self.unset(width),
        };
        let mut all = self.terms.equal(size, other_size);
        for at in 0..width / 8 {
            let number = self.terms.word(at.into());
            let beyond = self.terms.at_most(size, number);
            let low = width - at * 8 - 8;
            let (one, two) = (self.terms.extract(octets, low, 8), self.terms.extract(other, low, 8));
            let is = self.terms.equal(one, two);
            let is = self.terms.or(beyond, is);
            all = self.terms.and(all, is);
        }
        Ok(all)
    }

    /// Up to 64 bits, without those above their number.
    pub(crate) fn masked(&mut self, state: &State, path: &str, is_free: bool) -> Id {
        let free = std::mem::replace(&mut self.is_free, is_free);
        let bits = self.slot(state, path, 64, u64::MAX);
        let count = self.slot(state, &format!("{path}.bits"), 32, 64);
        self.is_free = free;
        let (count, all) = (self.terms.zero_extended(count, 64), self.terms.word(u64::MAX));
        let above = self.terms.shl(all, count);
        let mask = self.terms.not(above);
        self.terms.and(bits, mask)
    }

    fn free_slot(&mut self, state: &State, name: &str, width: u32) -> Id {
        let free = std::mem::replace(&mut self.is_free, true);
        let id = self.slot(state, name, width, u64::MAX);
        self.is_free = free;
        id
    }

    fn same_slot(&mut self, (a, b): (&State, &State), name: &str, width: u32) -> Id {
        let one = self.free_slot(a, name, width);
        let other = match b.slots.get(name) {
            Some(other) => *other,
            None => self.unset(width),
        };
        self.terms.equal(one, other)
    }

    /// Whether a state holds a value that the type has in its extensible roots.
    pub(crate) fn valid(&mut self, state: &State, path: &str, id: TypeId) -> Outcome<Id> {
        let mut all = self.terms.truth(true);
        match (self.types.kind(id), *self.types.repr(id)) {
            (Kind::Sequence { components, .. }, Repr::Struct) => {
                for component in components {
                    let path = format!("{path}.{}", component.name);
                    let absent = match Types::is_option(component) {
                        true => {
                            let has = self.slot(state, &format!("{path}.has"), 1, 1);
                            self.terms.not(has)
                        }
                        false => self.terms.truth(false),
                    };
                    if self.terms.value(absent) != Some(1) {
                        let one = self.valid(state, &path, component.type_id)?;
                        let one = self.terms.or(absent, one);
                        all = self.terms.and(all, one);
                    }
                }
            }
            (Kind::Choice { alternatives, .. }, Repr::Choice) => {
                let choice = self.slot(state, &format!("{path}.choice"), 32, u64::MAX);
                let count = self.terms.constant(alternatives.len() as u64, 32);
                all = self.terms.below(choice, count);
                for (at, alternative) in alternatives.iter().enumerate() {
                    let wanted = self.terms.constant(at as u64, 32);
                    let is = self.terms.equal(choice, wanted);
                    if self.terms.value(is) != Some(0) {
                        let content =
                            self.valid(state, &format!("{path}.{}", alternative.name), alternative.type_id)?;
                        let other = self.terms.not(is);
                        let content = self.terms.or(other, content);
                        all = self.terms.and(all, content);
                    }
                }
            }
            (Kind::SequenceOf { size, .. }, Repr::List { element, .. }) => {
                let (_, most) = self.room(id)?;
                let count = self.slot(state, &format!("{path}.count"), 32, most.min(u32::MAX.into()));
                let (lower, upper) = size.root();
                all = self.within(count, (lower, upper.min(u32::MAX.into())));
                for index in 0..self.terms.most(count).min(17) {
                    let one = self.valid(state, &format!("{path}[{index}]"), element)?;
                    let at = self.terms.constant(index, 32);
                    let beyond = self.terms.at_most(count, at);
                    let one = self.terms.or(beyond, one);
                    all = self.terms.and(all, one);
                }
            }
            (Kind::Integer { range, .. }, Repr::Integer(int)) => {
                let number = self.slot(state, path, int.bits.into(), u64::MAX);
                let number = match int.signed {
                    true => self.terms.sign_extended(number, 128),
                    false => self.terms.zero_extended(number, 128),
                };
                // With 2^127 added, numbers with a sign are in the order of those without.
                let shifted = |run: &mut Self, bound: i128| {
                    let bits = (bound as u128) ^ 1 << 127;
                    let (high, low) = (run.terms.word((bits >> 64) as u64), run.terms.word(bits as u64));
                    run.terms.concat(vec![high, low])
                };
                let flip = shifted(self, 0);
                let number = self.terms.xor(number, flip);
                for (bound, is_lower) in [(&range.lower, true), (&range.upper, false)] {
                    let Some(bound) = bound else { continue };
                    let bound: i128 = bound.to_string().parse().map_err(|_| format!("{path} has a great bound"))?;
                    let bound = shifted(self, bound);
                    let one = match is_lower {
                        true => self.terms.at_most(bound, number),
                        false => self.terms.at_most(number, bound),
                    };
                    all = self.terms.and(all, one);
                }
            }
            (Kind::Enumerated(_), _) => {
                let (ordinal, count) = (self.slot(state, path, 32, u64::MAX), self.items(id)?);
                let count = self.terms.constant(count, 32);
                all = self.terms.below(ordinal, count);
            }
            (Kind::BitString { .. }, Repr::BitFlags { bits }) => {
                let held = Int::of_bits(bits).bits.into();
                let flags = self.slot(state, path, held, u64::MAX);
                let most = self.terms.constant(u64::MAX >> (64 - u32::from(bits)), held);
                all = self.terms.at_most(flags, most);
            }
            (Kind::BitString { size, .. }, Repr::BitWord) => {
                let count = self.slot(state, &format!("{path}.bits"), 32, 64);
                let (lower, upper) = size.root();
                all = self.within(count, (lower, upper.min(u32::MAX.into())));
            }
            (
                Kind::OctetString { size, .. } | Kind::String { size, .. },
                Repr::Octets(_) | Repr::Text(_) | Repr::LentOctets,
            ) => {
                if let Some((_, count)) = self.string(state, path, id)? {
                    all = self.within(count, size.root());
                }
            }
            _ => {}
        }
        Ok(all)
    }
}
