//! The proofs of a type.

use std::collections::{BTreeMap, BTreeSet};

use roadwire_layout::{Family, NodeId, Rules};
use roadwire_model::{Model, TypeId};
use roadwire_plan::{Entry, Integers, Options, Pdu, Plan, Planner, Types, Way, with_choices};

use crate::rope::{At, Input, Part, compared, length};
use crate::run::{Assume, Change, Outcome, Run, none_left};
use crate::state::{Frame, State};
use crate::term::{Id, Terms};

/// A script that a solver answers with `unsat` if the sentence is true of all values.
pub struct Proof {
    /// The sentence that is proved.
    pub sentence: Sentence,
    /// Which functions it is about.
    pub functions: String,
    /// The script.
    pub script: String,
}

/// The sentence that is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sentence {
    /// The encoder refuses no value that the type has.
    Written,
    /// Each number that it writes fits into its bits.
    Fits,
    /// It writes no fewer and no more octets than the bounds of the type say.
    Bounded,
    /// A decoder reads all of it, and finds the same value.
    Same,
    /// A decoder that may refuse finds the same value, or refuses.
    SameOrRefused,
    /// Some value is written and read: what is proved is not about nothing. The answer is `sat`.
    Some,
    /// The encoder refuses no value that the decoder finds in any octets.
    Again,
    /// It writes these octets again, but for bits that pad the last octet.
    AgainTheSame,
}

impl Sentence {
    /// As a sentence.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Sentence::Written => "each value of the type is written",
            Sentence::Fits => "each number fits its bits",
            Sentence::Bounded => "octets are within the bounds",
            Sentence::Same => "what is decoded is what was encoded",
            Sentence::SameOrRefused => "what is decoded is what was encoded, or it is refused",
            Sentence::Some => "some value is written and read",
            Sentence::Again => "any octets that are decoded can be encoded again",
            Sentence::AgainTheSame => "any octets that are decoded are encoded again the same",
        }
    }

    /// The answer that proves it.
    #[must_use]
    pub fn answer(self) -> &'static str {
        if self == Sentence::Some { "sat" } else { "unsat" }
    }
}

/// Of which type something is proved.
pub struct Setting<'s> {
    /// The model.
    pub model: &'s Model,
    /// The type.
    pub root: TypeId,
    /// The rules.
    pub rules: Rules,
    /// The assumption on a part of a value, by its path: `value.a.has` of an optional component,
    /// `.choice` of a CHOICE, `.count` of a list, `.size` of a string.
    pub assume: &'s dyn Fn(&str) -> Option<Assume>,
    /// A change of each plan, for planted faults.
    pub change: Change<'s>,
    /// Whether something is proved of any octets, and not only of those that an encoder writes.
    pub any_octets: bool,
}

/// All proofs of a type, and what they assume.
///
/// # Errors
/// A statement that the printer does not have, by its name.
pub fn proofs(setting: &Setting<'_>) -> Outcome<(Vec<Proof>, BTreeSet<String>)> {
    let names = |table: &roadwire_model::Table| (0..=table.rows.len()).map(|at| format!("row{at}")).collect();
    let opened = with_choices(setting.model, names);
    let options = Options { integers: Integers::Word, borrowed: true, stands_alone: true, ..Options::default() };
    let types = Types::collect(setting.model, &opened, &[setting.root], options).map_err(|error| error.to_string())?;
    let pdus = Pdu::all(&types, &[setting.root], setting.rules).map_err(|error| error.to_string())?;
    let pdu = pdus.first().ok_or("there is no message")?;
    let start = pdu.start().ok_or("all is left to the interpreter")?;
    let mut session = Session { setting, types: &types, pdu, start, assumed: BTreeSet::new(), proofs: Vec::new() };
    let entries: &[Entry] = if pdu.has_plain { &[Entry::General, Entry::Plain] } else { &[Entry::General] };
    for encoder in entries {
        for decoder in entries {
            session.there_and_back(*encoder, *decoder)?;
        }
    }
    if setting.any_octets {
        for decoder in entries {
            session.back_and_there(*decoder)?;
        }
    }
    Ok((session.proofs, session.assumed))
}

struct Session<'s, 'a, 'm> {
    setting: &'s Setting<'s>,
    types: &'a Types<'m>,
    pdu: &'a Pdu<'a, 'm>,
    start: NodeId,
    assumed: BTreeSet<String>,
    proofs: Vec<Proof>,
}

impl<'a, 'm: 'a> Session<'_, 'a, 'm> {
    fn add(&mut self, sentence: Sentence, functions: &str, script: String) {
        self.proofs.push(Proof { sentence, functions: functions.into(), script });
    }

    fn state(&self, at: At, guard: Vec<Id>, end: Id) -> State {
        State {
            guard,
            frames: vec![Frame { path: "value".into(), id: self.pdu.root, vars: BTreeMap::new() }],
            slots: BTreeMap::new(),
            out: Vec::new(),
            at,
            start: at,
            word: None,
            head: None,
            end,
        }
    }

    /// Makes the two plans, and lends what carries them out.
    fn run<T>(
        &mut self,
        (encoder, decoder): (Entry, Entry),
        with: impl FnOnce(&mut Self, &mut Run<'_, 'a, 'm>, &Plan, &Plan) -> Outcome<T>,
    ) -> Outcome<T> {
        let (mut terms, mut planner, mut nodes) = (Terms::default(), Planner::new(self.pdu), Vec::new());
        let mut plan = |way, entry| {
            let mut plan = planner.function(way, entry, (self.pdu.root, self.start));
            (self.setting.change)(&mut plan, way);
            nodes.extend(plan.called.iter().copied());
            plan
        };
        let (written, read) = (plan(Way::Encode, encoder), plan(Way::Decode, decoder));
        for (plan, entry) in [(&written, encoder), (&read, decoder)] {
            // Of plain values, the general function has what is given up.
            if entry == Entry::General {
                none_left(self.types, plan)?;
            }
        }
        let no = terms.truth(false);
        let (mut input, _) = Input::new(&mut terms, &[]);
        let (mut unset, mut assumed) = (0, std::mem::take(&mut self.assumed));
        let assume = self.setting.assume;
        let mut assume = |name: &str| {
            let found = assume(name).or_else(|| name.ends_with(".unknown").then_some(Assume::Is(0)));
            match found {
                Some(Assume::Is(number)) => drop(assumed.insert(format!("{name} = {number}"))),
                Some(Assume::AtMost(number)) => drop(assumed.insert(format!("{name} <= {number}"))),
                None => {}
            }
            found
        };
        let mut run = Run {
            terms: &mut terms,
            types: self.types,
            planner: &mut planner,
            nodes: &mut nodes,
            change: self.setting.change,
            way: Way::Encode,
            is_whole: self.pdu.layout.rules.family() == Family::Octet,
            input: &mut input,
            is_free: true,
            is_any: false,
            assumed: &mut assume,
            refused: no,
            wrong: no,
            unset: &mut unset,
        };
        let result = with(self, &mut run, &written, &read);
        self.assumed = assumed;
        result
    }

    /// Encodes a value, and decodes what was written.
    fn there_and_back(&mut self, encoder: Entry, decoder: Entry) -> Outcome<()> {
        self.run((encoder, decoder), |this, run, to, from| {
            let (no, zero) = (run.terms.truth(false), run.terms.word(0));
            let (_, nowhere) = Input::new(run.terms, &[]);
            let empty = this.state(nowhere, Vec::new(), zero);
            let written = run.block(vec![empty.clone()], &to.block)?;
            let [written] = written.as_slice() else { return Err("the encoder refuses all values".into()) };
            let name = |entry| if entry == Entry::Plain { "plain" } else { "general" };
            if decoder == Entry::General {
                let functions = format!("{} encoder", name(encoder));
                if encoder == Entry::General {
                    let valid = run.valid(&empty, "value", this.pdu.root)?;
                    let both = run.terms.and(valid, run.refused);
                    this.add(Sentence::Written, &functions, run.terms.script(both));
                }
                this.add(Sentence::Fits, &functions, run.terms.script(run.wrong));
                let outside = this.outside(run, written);
                this.add(Sentence::Bounded, &functions, run.terms.script(outside));
            }
            let (list, first) = Input::new(run.terms, &written.out);
            *run.input = list;
            (run.way, run.is_free, run.refused, run.wrong) = (Way::Decode, false, no, no);
            let states = run.block(vec![this.state(first, written.guard.clone(), zero)], &from.block)?;
            let (mut bad, mut some) = (run.wrong, no);
            if decoder == Entry::General {
                bad = run.terms.or(bad, run.refused);
            }
            for read in &states {
                let same = run.same(&empty, read, "value", this.pdu.root)?;
                let differs = run.terms.not(same);
                // All that was written is read.
                let rest = run.rest(read);
                let left = run.is_set(rest);
                let wrong = run.terms.or(differs, left);
                let reached = run.guard(&read.guard);
                let one = run.terms.and(reached, wrong);
                bad = run.terms.or(bad, one);
                some = run.terms.or(some, reached);
            }
            let functions = format!("{} encoder, {} decoder", name(encoder), name(decoder));
            let sentence = if decoder == Entry::General { Sentence::Same } else { Sentence::SameOrRefused };
            this.add(sentence, &functions, run.terms.script(bad));
            if (encoder, decoder) != (Entry::General, Entry::Plain) {
                this.add(Sentence::Some, &functions, run.terms.script(some));
            }
            Ok(())
        })
    }

    /// When fewer or more octets are written than the bounds say.
    fn outside(&self, run: &mut Run<'_, 'a, 'm>, written: &State) -> Id {
        let bits = length(run.terms, &written.out);
        let fewest = self.pdu.properties.octets.fewest;
        // An empty message has one octet.
        let mut outside = match fewest {
            0 | 1 => run.terms.truth(false),
            fewest => {
                let least = run.terms.word(fewest * 8 - 7);
                run.terms.below(bits, least)
            }
        };
        // C writes values in extensible roots under packed and octet rules.
        if let Some(most) = self.pdu.properties.octets_in_roots.most {
            let most = run.terms.word(most * 8);
            let above = run.terms.below(most, bits);
            outside = run.terms.or(outside, above);
        }
        let guard = run.guard(&written.guard);
        run.terms.and(guard, outside)
    }

    /// Decodes any octets, and encodes the value. There are as many octets as values of the type
    /// take.
    fn back_and_there(&mut self, decoder: Entry) -> Outcome<()> {
        let sizes = self.run((Entry::General, decoder), |this, run, to, _| {
            let zero = run.terms.word(0);
            let (_, nowhere) = Input::new(run.terms, &[]);
            let written = run.block(vec![this.state(nowhere, Vec::new(), zero)], &to.block)?;
            let [written] = written.as_slice() else { return Err("the encoder refuses all values".into()) };
            let (yes, no) = (run.terms.truth(true), run.terms.truth(false));
            let ends = compared(run.terms, &written.out, zero, BTreeMap::from([(0, (yes, no))]));
            Ok(ends.into_keys().map(|bits| bits.div_ceil(8).max(1)).collect::<BTreeSet<u32>>())
        })?;
        for size in sizes {
            self.any_octets(decoder, size)?;
        }
        Ok(())
    }

    fn any_octets(&mut self, decoder: Entry, size: u32) -> Outcome<()> {
        self.run((Entry::General, decoder), |this, run, to, from| {
            let (no, zero) = (run.terms.truth(false), run.terms.word(0));
            let octets = run.terms.symbol("octets", size * 8, u64::MAX);
            let (list, first) = Input::new(run.terms, &[Part::Bits(octets)]);
            *run.input = list;
            (run.way, run.is_free, run.is_any) = (Way::Decode, false, true);
            let states = run.block(vec![this.state(first, Vec::new(), zero)], &from.block)?;
            let (mut never, mut other) = (run.wrong, no);
            for mut read in states {
                let rest = run.rest(&read);
                let Some(rest) = run.terms.value(rest).filter(|rest| *rest < 8) else { continue };
                let taken = size * 8 - rest as u32;
                (run.way, run.refused, run.wrong) = (Way::Encode, no, no);
                (read.word, read.head) = (None, None);
                let written = run.block(vec![read], &to.block)?;
                let refused = run.terms.or(run.refused, run.wrong);
                never = run.terms.or(never, refused);
                for written in written {
                    let guard = run.guard(&written.guard);
                    let from = BTreeMap::from([(0, (guard, no))]);
                    for (bits, (when, differs)) in compared(run.terms, &written.out, octets, from) {
                        let wrong = if bits == taken { run.terms.and(when, differs) } else { when };
                        other = run.terms.or(other, wrong);
                    }
                }
                run.way = Way::Decode;
            }
            let name = if decoder == Entry::Plain { "plain" } else { "general" };
            let functions = format!("{name} decoder of {size} octets, general encoder");
            this.add(Sentence::Again, &functions, run.terms.script(never));
            this.add(Sentence::AgainTheSame, &functions, run.terms.script(other));
            Ok(())
        })
    }
}
