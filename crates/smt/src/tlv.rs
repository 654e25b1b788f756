//! Values after tags and lengths.

mod next;
mod read;
mod write;

use roadwire_plan::{Arg, Block, Cond, Prim, Stmt, Str, Tlv};

use crate::run::{Outcome, Run, lacks};
use crate::state::{Held, State};
use crate::term::Id;

impl Run<'_, '_, '_> {
    pub(crate) fn values(&mut self, mut state: State, statement: &Stmt) -> Outcome<Vec<State>> {
        match statement {
            Stmt::LetPart { var, left, right } => {
                self.let_part(&mut state, *var, *left, *right)?;
                Ok(vec![state])
            }
            Stmt::LetArray { var, at, octets } => {
                let octets = state.word_of_octets(*at as u32, *octets as u32, self)?;
                state.name(*var, Held::Octets(octets));
                Ok(vec![state])
            }
            Stmt::Mark(var) => {
                state.name(*var, Held::Mark(state.out.len()));
                Ok(vec![state])
            }
            Stmt::PutWord { by: Prim::Tlv(Tlv::PutWord), parts, constant, octets } => {
                self.put_word(state, parts, *constant, octets)
            }
            Stmt::Close(Prim::Tlv(Tlv::Close), start) => self.close(state, *start),
            Stmt::Write(Prim::Tlv(by), args) => self.write(state, statement, *by, args),
            Stmt::Read(variables, Prim::Tlv(by), args) => self.read(state, statement, *by, (variables, args)),
            Stmt::Window => {
                let states = self.ahead(state, false, 64);
                let with = |(mut state, word): (State, Id)| {
                    state.word = Some(word);
                    state
                };
                Ok(states.into_iter().map(with).collect())
            }
            Stmt::Advance(octets) => Ok(self.advance(state, octets * 8)),
            Stmt::ExpectOctets([first, second]) => {
                let wanted = u64::from(*first) << 8 | u64::from(*second);
                let mut all = Vec::new();
                for (state, word) in self.take(state, 16) {
                    all.extend(self.expect(state, word, wanted));
                }
                Ok(all)
            }
            Stmt::Within { by: Prim::Tlv(Tlv::Open), args, body, .. } => {
                let [tag] = args.as_slice() else { return lacks(statement) };
                self.within_value(state, tag, body)
            }
            Stmt::SelectTag(arms, others) => self.select_tag(state, arms, others.as_ref()),
            Stmt::Chain(arms) => self.chain(state, arms),
            Stmt::Skip(Prim::Tlv(Tlv::TakeUnknown), args) => match args.as_slice() {
                [Arg::Exclusive(_), Arg::End, _, Arg::Ranges(tags)] => self.pass_unknown(state, tags),
                _ => lacks(statement),
            },
            Stmt::Skip(Prim::Tlv(Tlv::TakeOther), _) => {
                // An alternative of a later version would be kept: no known one is.
                let always = self.terms.truth(true);
                self.refuse(state, always);
                Ok(Vec::new())
            }
            Stmt::ReadSlice { octets, by: Prim::Tlv(Tlv::Open), args, .. } => self.read_slice(state, *octets, args),
            Stmt::Fill { place, from: Str::Var(octets), bounds, .. } => self.fill(state, place, *octets, *bounds),
            other => self.in_stream(state, other),
        }
    }

    fn expect(&mut self, state: State, word: Id, wanted: u64) -> Option<State> {
        let width = self.terms.width(word);
        let wanted = self.terms.constant(wanted, width);
        let is = self.terms.equal(word, wanted);
        let not = self.terms.not(is);
        self.refuse(state, not)
    }

    pub(crate) fn never_in(&mut self, state: &State) {
        let always = self.terms.truth(true);
        self.never(state, always);
    }

    fn within_value(&mut self, mut state: State, tag: &Arg, body: &Block) -> Outcome<Vec<State>> {
        let tag = self.argument(&mut state, tag)?;
        let Some(tag) = self.terms.value(tag) else { return Err("a tag is not known".into()) };
        let mut states = Vec::new();
        for (mut state, octets) in self.open(state, tag) {
            let bits = self.terms.times(octets, 8);
            let (outer, rest) = (state.end, self.rest(&state));
            state.end = self.terms.minus(rest, bits);
            for state in self.block(vec![state], body)? {
                let rest = self.rest(&state);
                let is = self.terms.equal(rest, state.end);
                let not = self.terms.not(is);
                if let Some(mut state) = self.refuse(state, not) {
                    state.end = outer;
                    states.push(state);
                }
            }
        }
        Ok(self.merged(states))
    }

    /// The next octet: none at the end.
    fn next_octet(&mut self, state: State) -> (Vec<State>, Vec<(State, Id)>) {
        let rest = self.rest(&state);
        let has = self.is_set(rest);
        let (yes, no) = self.fork(state, has);
        let found = yes.into_iter().flat_map(|state| self.ahead(state, false, 8)).collect();
        (no.into_iter().collect(), found)
    }

    fn select_tag(&mut self, state: State, arms: &[(Vec<u8>, Block)], others: Option<&Block>) -> Outcome<Vec<State>> {
        let (mut left, found) = self.next_octet(state);
        let mut states = Vec::new();
        for (state, octet) in found {
            let mut rest = Some(state);
            for (tags, block) in arms {
                let Some(state) = rest else { break };
                let mut any = self.terms.truth(false);
                for tag in tags {
                    let tag = self.terms.constant((*tag).into(), 8);
                    let is = self.terms.equal(octet, tag);
                    any = self.terms.or(any, is);
                }
                let (yes, no) = self.fork(state, any);
                rest = no;
                states.extend(self.block(yes.into_iter().collect(), block)?);
            }
            left.extend(rest);
        }
        match others {
            Some(block) => states.extend(self.block(left, block)?),
            None => {
                let always = self.terms.truth(true);
                left.into_iter().for_each(|state| drop(self.refuse(state, always)));
            }
        }
        Ok(self.merged(states))
    }

    fn chain(&mut self, state: State, arms: &[(Cond, Block)]) -> Outcome<Vec<State>> {
        let (mut left, mut states) = (vec![state], Vec::new());
        for (condition, block) in arms {
            let mut next = Vec::new();
            for state in left {
                for mut state in self.settled(state, condition) {
                    let test = self.condition(&mut state, condition)?;
                    let (yes, no) = self.fork(state, test);
                    next.extend(no);
                    states.extend(self.block(yes.into_iter().collect(), block)?);
                }
            }
            left = next;
        }
        let always = self.terms.truth(true);
        left.into_iter().for_each(|state| drop(self.refuse(state, always)));
        Ok(self.merged(states))
    }

    /// States in which the octets that a condition looks at depend on no other condition.
    pub(crate) fn settled(&mut self, state: State, condition: &Cond) -> Vec<State> {
        match next::looked_at(condition) {
            0 => vec![state],
            bits => self.ahead(state, false, bits).into_iter().map(|(state, _)| state).collect(),
        }
    }

    /// Additions of a later version come next, or a known tag, or the end: where there is one, the
    /// decoder would keep it, which no encoder of a known value needs.
    fn pass_unknown(&mut self, state: State, tags: &[u32]) -> Outcome<Vec<State>> {
        let (rest, end) = (self.rest(&state), state.end);
        let more = self.terms.below(end, rest);
        let (yes, no) = self.fork(state, more);
        let mut states: Vec<State> = no.into_iter().collect();
        for (state, octet) in yes.into_iter().flat_map(|state| self.ahead(state, false, 8)).collect::<Vec<_>>() {
            let mut any = self.terms.truth(false);
            for tag in tags {
                let (class, number) = (u64::from(tag >> 30), u64::from(tag & 0x3fff_ffff));
                if number > 30 {
                    return Err("a tag of more than one octet".into());
                }
                // Whether it is constructed does not matter.
                for form in [0, 0x20] {
                    let wanted = self.terms.constant(class << 6 | form | number, 8);
                    let is = self.terms.equal(octet, wanted);
                    any = self.terms.or(any, is);
                }
            }
            let not = self.terms.not(any);
            states.extend(self.refuse(state, not));
        }
        Ok(self.merged(states))
    }
}
