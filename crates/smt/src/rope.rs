//! The output of an encoder, and the input of a decoder: bits of which some depend on conditions.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::term::{Id, Terms};

/// Parts, each under a condition of which one holds.
pub(crate) type Arms = Rc<Vec<(Id, Vec<Part>)>>;

/// A part of what is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    /// A term's bits.
    Bits(Id),
    /// The parts of the one condition that holds.
    Fork(Arms),
}

/// How many bits parts have.
pub(crate) fn length(terms: &mut Terms, parts: &[Part]) -> Id {
    let mut sum = terms.word(0);
    for part in parts {
        let one = match part {
            Part::Bits(id) => {
                let width = terms.width(*id).into();
                terms.word(width)
            }
            Part::Fork(arms) => {
                let mut arms: Vec<(Id, Id)> =
                    arms.iter().map(|(test, parts)| (*test, length(terms, parts))).collect::<Vec<_>>();
                let (_, last) = arms.pop().expect("a fork has arms");
                arms.into_iter().rev().fold(last, |rest, (test, length)| terms.ite(test, length, rest))
            }
        };
        sum = terms.plus(sum, one);
    }
    sum
}

/// How many octets parts have; `None` if some have bits beyond whole octets.
pub(crate) fn octets(terms: &mut Terms, parts: &[Part]) -> Option<Id> {
    let mut sum = terms.word(0);
    for part in parts {
        let one = match part {
            Part::Bits(id) => {
                let width = terms.width(*id);
                if width % 8 != 0 {
                    return None;
                }
                terms.word((width / 8).into())
            }
            Part::Fork(arms) => {
                let mut all = Vec::new();
                for (test, parts) in arms.iter() {
                    all.push((*test, octets(terms, parts)?));
                }
                let (_, last) = all.pop()?;
                all.into_iter().rev().fold(last, |rest, (test, length)| terms.ite(test, length, rest))
            }
        };
        sum = terms.plus(sum, one);
    }
    Some(sum)
}

/// A place in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct At {
    cell: usize,
    bit: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Cell {
    End,
    Bits(Id, usize),
    Fork(usize, usize),
}

/// The input of a decoder: a list of parts, of which each one knows how many bits there are to
/// the end.
#[derive(Default)]
pub(crate) struct Input {
    cells: Vec<(Cell, Id)>,
    known: HashMap<Cell, usize>,
    forks: Vec<Arms>,
}

/// The next bits.
pub(crate) enum Next {
    /// So many bits, or all that there are before the end.
    Bits(Id),
    /// One of these, each under a condition, with the place that is the same input under it.
    Fork(Vec<(Id, At)>),
}

impl Input {
    /// The input that an encoder wrote, and its start.
    pub(crate) fn new(terms: &mut Terms, parts: &[Part]) -> (Input, At) {
        let mut input = Input::default();
        let zero = terms.word(0);
        input.cells.push((Cell::End, zero));
        let cell = input.before(terms, parts, 0);
        let start = input.settled(terms, At { cell, bit: 0 });
        (input, start)
    }

    fn cell(&mut self, cell: Cell, rest: Id) -> usize {
        if let Some(at) = self.known.get(&cell) {
            return *at;
        }
        self.cells.push((cell.clone(), rest));
        self.known.insert(cell, self.cells.len() - 1);
        self.cells.len() - 1
    }

    fn before(&mut self, terms: &mut Terms, parts: &[Part], mut next: usize) -> usize {
        for part in parts.iter().rev() {
            let own = length(terms, std::slice::from_ref(part));
            let rest = terms.plus(own, self.cells[next].1);
            next = match part {
                Part::Bits(id) => self.cell(Cell::Bits(*id, next), rest),
                Part::Fork(arms) => {
                    let fork = self.forks.iter().position(|one| Rc::ptr_eq(one, arms)).unwrap_or_else(|| {
                        self.forks.push(arms.clone());
                        self.forks.len() - 1
                    });
                    self.cell(Cell::Fork(fork, next), rest)
                }
            };
        }
        next
    }

    /// How many bits follow.
    pub(crate) fn rest(&self, terms: &mut Terms, at: At) -> Id {
        let bit = terms.word(at.bit.into());
        terms.minus(self.cells[at.cell].1, bit)
    }

    /// The same place, at the start of a part where it is at the end of one.
    fn settled(&self, terms: &Terms, at: At) -> At {
        match self.cells[at.cell].0 {
            Cell::Bits(id, next) if at.bit == terms.width(id) => self.settled(terms, At { cell: next, bit: 0 }),
            _ => at,
        }
    }

    /// The next bits, as many as there are before the end.
    pub(crate) fn next(&mut self, terms: &mut Terms, at: At, wanted: u32) -> (Next, u32) {
        let (mut place, mut have, mut bits) = (at, 0, Vec::new());
        while have < wanted {
            match self.cells[place.cell].0.clone() {
                Cell::End => break,
                Cell::Bits(id, next) => {
                    let there = terms.width(id) - place.bit;
                    let taken = there.min(wanted - have);
                    if taken > 0 {
                        bits.push(terms.extract(id, there - taken, taken));
                    }
                    have += taken;
                    place = At { cell: next, bit: 0 };
                }
                Cell::Fork(fork, next) => {
                    let arms = self.forks[fork].clone();
                    let mut places = Vec::new();
                    for (test, parts) in arms.iter() {
                        let mut cell = self.before(terms, parts, next);
                        for id in bits.iter().rev() {
                            let width = terms.width(*id).into();
                            let width = terms.word(width);
                            let rest = terms.plus(width, self.cells[cell].1);
                            cell = self.cell(Cell::Bits(*id, cell), rest);
                        }
                        places.push((*test, self.settled(terms, At { cell, bit: 0 })));
                    }
                    return (Next::Fork(places), have);
                }
            }
        }
        let bits = if bits.is_empty() { terms.truth(false) } else { terms.concat(bits) };
        (Next::Bits(bits), have)
    }

    /// The place after so many bits, none of which depends on a condition; `None` beyond the end.
    pub(crate) fn after(&self, terms: &Terms, at: At, mut bits: u32) -> Option<At> {
        let mut at = at;
        loop {
            let Cell::Bits(id, next) = self.cells[at.cell].0 else {
                return (bits == 0).then_some(at);
            };
            let there = terms.width(id) - at.bit;
            if bits < there {
                return Some(At { cell: at.cell, bit: at.bit + bits });
            }
            bits -= there;
            at = At { cell: next, bit: 0 };
        }
    }
}

/// How parts agree with bits: for each number of bits that they may have, when it is so, and when
/// some bit differs then.
pub(crate) fn compared(
    terms: &mut Terms,
    parts: &[Part],
    bits: Id,
    from: BTreeMap<u32, (Id, Id)>,
) -> BTreeMap<u32, (Id, Id)> {
    let (mut at, width) = (from, terms.width(bits));
    for part in parts {
        let mut next = BTreeMap::new();
        for (offset, (when, differs)) in at {
            let ends = match part {
                Part::Bits(id) => {
                    let own = terms.width(*id);
                    let differs = match width.checked_sub(offset + own) {
                        Some(low) => {
                            let there = terms.extract(bits, low, own);
                            let is = terms.equal(there, *id);
                            let not = terms.not(is);
                            terms.or(differs, not)
                        }
                        None => when,
                    };
                    BTreeMap::from([(offset + own, (when, differs))])
                }
                Part::Fork(arms) => {
                    let mut ends = BTreeMap::new();
                    for (test, parts) in arms.iter() {
                        let here = terms.and(when, *test);
                        if terms.value(here) == Some(0) {
                            continue;
                        }
                        for (end, one) in compared(terms, parts, bits, BTreeMap::from([(offset, (here, differs))])) {
                            add(terms, &mut ends, end, one);
                        }
                    }
                    ends
                }
            };
            for (end, one) in ends {
                add(terms, &mut next, end, one);
            }
        }
        at = next;
    }
    at
}

fn add(terms: &mut Terms, ends: &mut BTreeMap<u32, (Id, Id)>, end: u32, (when, differs): (Id, Id)) {
    let before = ends.get(&end).copied();
    let differs = terms.and(when, differs);
    let one = match before {
        Some((other, otherwise)) => (terms.or(other, when), terms.or(otherwise, differs)),
        None => (when, differs),
    };
    ends.insert(end, one);
}
