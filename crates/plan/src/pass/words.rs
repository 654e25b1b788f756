//! Fuses octets that follow each other into words: those to be written are put together, those to
//! be read are taken out of one window.

use std::mem::take;

use super::nested;
use crate::plan::{Block, Cond, Count, Num, Prim, Stmt, Value, Var};

/// How many octets a word holds.
const WORD: u32 = 8;

/// How words are written.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    pub(crate) by: Prim,
    /// Whether the first octet is in the lowest bits.
    pub(crate) is_little: bool,
    /// More octets than this are written before alternatives, and not in each of them.
    pub(crate) before_alternatives: u32,
}

/// Fuses what an encoder writes.
pub(crate) fn written(block: Block, words: Words) -> Block {
    Written { words, pending: Vec::new() }.block(block)
}

/// Octets that are not written yet.
#[derive(Clone)]
struct Written {
    words: Words,
    pending: Vec<(Num, u32)>,
}

impl Written {
    fn block(&mut self, block: Block) -> Block {
        let mut out = Block::new();
        for statement in block {
            self.statement(statement, &mut out);
        }
        self.drain(0, &mut out);
        out
    }

    fn statement(&mut self, statement: Stmt, out: &mut Block) {
        match statement {
            Stmt::Put { number, octets } => self.pending.push((number, octets)),
            // These write nothing.
            Stmt::Let(..) | Stmt::Is(..) | Stmt::RejectIf(_) | Stmt::Need(..) => out.push(statement),
            Stmt::GiveUp => {
                self.pending.clear();
                out.push(statement);
            }
            Stmt::PutHead { head, front, most, number, variables } => {
                self.drain(WORD - most as u32, out);
                out.push(Stmt::LetWord { variables, by: head, number });
                let mut items = take(&mut self.pending);
                let before = items.iter().map(|(_, octets)| octets).sum();
                items.push((Num::Const(front.into()), 1));
                let (mut parts, constant) = self.words.of(items);
                parts.insert(0, (Num::Var(variables.0).shr(before * 8), 0));
                out.push(Stmt::PutWord { by: self.words.by, parts, constant, octets: Count::And(before, variables.1) });
            }
            Stmt::Settle => self.drain(0, out),
            // Pending octets are written at the start of every alternative.
            Stmt::Switch { id, place, arms, has_others } => {
                self.drain(self.words.before_alternatives, out);
                let pending = take(&mut self.pending);
                let words = self.words;
                let arm = |(at, inner, block)| (at, inner, Written { words, pending: pending.clone() }.block(block));
                out.push(Stmt::Switch { id, place, arms: arms.into_iter().map(arm).collect(), has_others });
            }
            other => {
                self.drain(0, out);
                let words = self.words;
                out.push(nested(other, &|block| written(block, words)));
            }
        }
    }

    /// Writes whole words until no more than so many octets are pending.
    fn drain(&mut self, most: u32, out: &mut Block) {
        while self.pending.iter().map(|(_, octets)| octets).sum::<u32>() > most {
            let mut octets = 0;
            let fits = |item: &&(Num, u32)| {
                octets += item.1;
                octets <= WORD
            };
            let count = self.pending.iter().take_while(fits).count();
            let items: Vec<(Num, u32)> = self.pending.drain(..count).collect();
            let octets = Count::Known(items.iter().map(|(_, octets)| octets).sum());
            let (parts, constant) = self.words.of(items);
            out.push(Stmt::PutWord { by: self.words.by, parts, constant, octets });
        }
    }
}

impl Words {
    /// A word that is written: numbers with the places of their lowest bits, and constant octets.
    fn of(self, items: Vec<(Num, u32)>) -> (Vec<(Num, u32)>, u64) {
        let (mut parts, mut constant, mut before) = (Vec::new(), 0, 0);
        for (number, octets) in items {
            let shift = if self.is_little { before } else { WORD - before - octets } * 8;
            before += octets;
            match number {
                Num::Const(number) => constant |= number << shift,
                number => parts.push((number, shift)),
            }
        }
        (parts, constant)
    }
}

/// Fuses what a decoder reads.
pub(crate) fn read(block: Block) -> Block {
    let (mut reader, mut out) = (Read::default(), Block::new());
    for statement in block {
        reader.statement(statement, &mut out);
    }
    reader.settle(&mut out);
    out
}

/// Octets that are not read yet.
#[derive(Default)]
struct Read {
    pending: Vec<Expected>,
    /// The statements that use them.
    then: Block,
}

struct Expected {
    octets: u32,
    pub(super) bits: u64,
    mask: u64,
    var: Option<Var>,
}

impl Read {
    fn statement(&mut self, statement: Stmt, out: &mut Block) {
        match statement {
            Stmt::Expect { octets, bits, mask, var } => {
                if self.octets() + octets > WORD {
                    self.settle(out);
                }
                self.pending.push(Expected { octets, bits, mask, var });
            }
            Stmt::Let(..) | Stmt::LetMut(..) | Stmt::RejectIf(_) | Stmt::Set(..) if !self.pending.is_empty() => {
                self.then.push(statement);
            }
            // Compared with its items last of all.
            Stmt::Set(_, Value::Item { .. }) => self.then.push(statement),
            // It does not depend on what is read.
            Stmt::Present { .. } => out.push(statement),
            Stmt::GiveUp => {
                *self = Read::default();
                out.push(statement);
            }
            Stmt::TakeHead { by, front, most, variables } => {
                if self.octets() + most as u32 > WORD {
                    self.settle(out);
                }
                let after = self.octets();
                self.window(true, out);
                out.push(Stmt::LetHead { variables, by, front, after });
                out.append(&mut self.then);
            }
            Stmt::Settle => self.settle(out),
            other => {
                self.settle(out);
                out.push(nested(other, &read));
            }
        }
    }

    fn octets(&self) -> u32 {
        self.pending.iter().map(|expected| expected.octets).sum()
    }

    /// Reads what is pending, and moves on.
    fn settle(&mut self, out: &mut Block) {
        let octets = self.octets();
        self.window(false, out);
        if octets > 0 {
            out.push(Stmt::Advance(octets));
        }
        out.append(&mut self.then);
    }

    /// Names the pending parts. With `wanted`, the window is read even if nothing is pending.
    fn window(&mut self, wanted: bool, out: &mut Block) {
        let (mut before, mut bits, mut mask, mut parts) = (0, 0u64, 0u64, Block::new());
        for one in self.pending.drain(..) {
            let left = before * 8;
            before += one.octets;
            let shift = (WORD - before) * 8;
            bits |= one.bits << shift;
            mask |= one.mask << shift;
            parts.extend(one.var.map(|var| Stmt::LetPart { var, left, right: 64 - one.octets * 8 }));
        }
        if wanted || mask != 0 || !parts.is_empty() {
            out.push(Stmt::Window);
        }
        if mask != 0 && mask == u64::MAX << (64 - before * 8) {
            let unused = 64 - before * 8;
            out.push(Stmt::RejectIf(Cond::WindowDiffers { shift: unused, bits: bits >> unused }));
        } else if mask != 0 {
            out.push(Stmt::RejectIf(Cond::WindowUnder { mask, bits }));
        }
        out.append(&mut parts);
    }
}
