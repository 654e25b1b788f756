//! Fuses octets that follow each other into heads: arrays of a known length, with one check that
//! they are present.

use std::mem::take;

use crate::plan::{Block, Num, Stmt, Store};

use super::nested;

/// More pending lines than this are written before alternatives, and not in each of them.
const BEFORE_ALTERNATIVES: usize = 64;

/// Fuses what an encoder writes.
pub(crate) fn written(block: Block) -> Block {
    Written::default().block(block)
}

/// Statements that are not written yet, with those between.
#[derive(Clone, Default)]
struct Written {
    pending: Block,
}

impl Written {
    fn block(&mut self, block: Block) -> Block {
        let mut out = Block::new();
        for statement in block {
            self.statement(statement, &mut out);
        }
        self.flush(&mut out);
        out
    }

    fn statement(&mut self, statement: Stmt, out: &mut Block) {
        match statement {
            Stmt::Let(..) | Stmt::RejectIf(_) | Stmt::Put { .. } | Stmt::PutArray { .. } | Stmt::Room(_) => {
                self.pending.push(statement);
            }
            Stmt::GiveUp => {
                self.pending.clear();
                out.push(statement);
            }
            Stmt::Settle => self.flush(out),
            // Pending statements are written at the start of every alternative.
            Stmt::Switch { id, place, arms, has_others } => {
                if self.pending.iter().map(lines).sum::<usize>() > BEFORE_ALTERNATIVES {
                    self.flush(out);
                }
                let before = Written { pending: take(&mut self.pending) };
                let arm = |(at, inner, block)| (at, inner, before.clone().block(block));
                out.push(Stmt::Switch { id, place, arms: arms.into_iter().map(arm).collect(), has_others });
            }
            other => {
                self.flush(out);
                out.push(nested(other, &written));
            }
        }
    }

    fn flush(&mut self, out: &mut Block) {
        let (mut stores, mut at, mut room) = (Vec::new(), 0, 0);
        for statement in take(&mut self.pending) {
            match statement {
                Stmt::Put { number, octets } => {
                    stores.push(Store::Number { at, number, octets });
                    at += octets as usize;
                }
                Stmt::PutArray { place, octets } => {
                    stores.push(Store::Array { at, place });
                    at += octets;
                }
                Stmt::Room(octets) => room += octets,
                other => out.push(other),
            }
        }
        if at + room > 0 {
            out.push(Stmt::StoreHead { octets: at, stores, room });
        }
    }
}

/// How many lines of source a statement takes.
fn lines(statement: &Stmt) -> usize {
    if matches!(statement, Stmt::RejectIf(_)) { 3 } else { 1 }
}

/// Fuses what a decoder reads.
pub(crate) fn read(block: Block) -> Block {
    let (mut pending, mut out) = (Block::new(), Block::new());
    for statement in block {
        match statement {
            Stmt::TakeNumber { .. }
            | Stmt::TakeArray { .. }
            | Stmt::Let(..)
            | Stmt::LetItem { .. }
            | Stmt::RejectIf(_)
            | Stmt::Set(..)
            | Stmt::SetAlternative { .. }
            | Stmt::ChooseOnly { .. }
            | Stmt::Present { .. } => pending.push(statement),
            Stmt::GiveUp => {
                pending.clear();
                out.push(statement);
            }
            Stmt::Settle => settle(&mut pending, &mut out),
            other => {
                settle(&mut pending, &mut out);
                out.push(nested(other, &read));
            }
        }
    }
    settle(&mut pending, &mut out);
    out
}

/// Reads one head, and takes numbers and arrays out of it.
fn settle(pending: &mut Block, out: &mut Block) {
    let octets = |statement: &Stmt| match statement {
        Stmt::TakeNumber { octets, .. } | Stmt::TakeArray { octets, .. } => *octets,
        _ => 0,
    };
    let all: usize = pending.iter().map(octets).sum();
    if all > 0 {
        out.push(Stmt::SplitHead(all));
    }
    let mut at = 0;
    for statement in pending.drain(..) {
        let end = at + octets(&statement);
        out.push(match statement {
            Stmt::TakeNumber { var, octets } => Stmt::Let(var, Num::At { at, octets }),
            Stmt::TakeArray { var, octets } => Stmt::LetArray { var, at, octets },
            other => other,
        });
        at = end;
    }
}
