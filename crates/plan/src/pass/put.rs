//! Fuses bits that follow each other: an encoder writes them in chunks.
//!
//! Checks are made with their chunk. Octets that were written before a value is rejected do not
//! matter, since the interpreter starts again. Branches that are never taken cost less than
//! collecting their conditions in a register (measured: 20 % on a mandatory-only DENM).

use std::mem::take;

use super::nested;
use crate::plan::{Amount, Block, Cond, Num, Stmt, Stream};

/// More pending parts than this are written before alternatives, not in each of them.
const WAITING: usize = 64;

/// How many bits a writer accepts at once, if not whole octets.
const PUT_BITS: u32 = 63;

/// Fuses what an encoder writes. If all of it is whole octets, a chunk ends at the border of an
/// octet.
pub(crate) fn chunked(block: Block, is_whole: bool) -> Block {
    Chunks { items: Vec::new(), is_whole, has_given_up: false }.block(block)
}

/// The items that are not written yet.
#[derive(Clone)]
struct Chunks {
    items: Vec<Item>,
    is_whole: bool,
    /// Whether the rest of the block is the interpreter's.
    has_given_up: bool,
}

#[derive(Clone)]
pub(super) struct Item {
    before: Option<Stmt>,
    reject: Option<Cond>,
    number: Num,
    /// How many bits, or the most.
    pub(super) bits: u32,
    /// The number of bits, if it depends on the value. It then ends a chunk.
    width: Option<Num>,
}

impl Item {
    fn bits(number: Num, bits: u32) -> Item {
        Item { before: None, reject: None, number, bits, width: None }
    }

    fn before(statement: Stmt) -> Item {
        Item { before: Some(statement), ..Item::bits(Num::Const(0), 0) }
    }

    fn reject(condition: Cond) -> Item {
        Item { reject: Some(condition), ..Item::bits(Num::Const(0), 0) }
    }
}

impl Chunks {
    fn block(&mut self, block: Block) -> Block {
        let mut out = Block::new();
        for statement in block {
            self.statement(statement, &mut out);
            if self.has_given_up {
                return out;
            }
        }
        self.flush(false, &mut out);
        out
    }

    fn statement(&mut self, statement: Stmt, out: &mut Block) {
        match statement {
            Stmt::Let(..)
            | Stmt::LetWord { .. }
            | Stmt::Stream(Stream::NeedAnyWord(..) | Stream::LetBitOctets(..) | Stream::Increment(_)) => {
                self.items.push(Item::before(statement));
            }
            Stmt::RejectIf(condition) => self.items.push(Item::reject(condition)),
            Stmt::Stream(Stream::Put { number, bits }) => self.put(number, bits),
            Stmt::Stream(Stream::PutOctets { number, width, most }) => {
                self.items.push(Item { width: Some(width), ..Item::bits(number, most) });
            }
            // These write nothing.
            Stmt::Stream(Stream::RejectNow(condition)) => out.push(Stmt::RejectIf(condition)),
            Stmt::Stream(Stream::Bind { .. }) | Stmt::MayBeUnused(_) => out.push(statement),
            Stmt::Settle => self.flush(false, out),
            Stmt::GiveUp => self.give_up(out),
            // Pending items are written at the start of every alternative.
            Stmt::Switch { id, place, arms, has_others } => {
                self.flush(true, out);
                if self.has_given_up {
                    return;
                }
                let before = Chunks { items: take(&mut self.items), ..*self };
                let arm = |(at, inner, block)| (at, inner, before.clone().block(block));
                out.push(Stmt::Switch { id, place, arms: arms.into_iter().map(arm).collect(), has_others });
            }
            other => {
                self.flush(false, out);
                if !self.has_given_up {
                    let is_whole = self.is_whole;
                    out.push(nested(other, &|block| chunked(block, is_whole)));
                }
            }
        }
    }

    fn put(&mut self, number: Num, bits: u32) {
        match bits {
            0 => {}
            1..=32 => self.items.push(Item::bits(number, bits)),
            // In two halves, so that chunks are well filled.
            _ => {
                self.items.push(Item::bits(number.clone().shr(32), bits - 32));
                self.items.push(Item::bits(Num::Amount(Box::new(Amount::Low(number))), 32));
            }
        }
    }

    fn give_up(&mut self, out: &mut Block) {
        self.items.clear();
        self.has_given_up = true;
        out.push(Stmt::GiveUp);
    }

    /// How many items the next chunk has: 0 if even the first does not fit.
    fn next(&self) -> usize {
        let most = if self.is_whole { u64::BITS } else { PUT_BITS };
        let (mut bits, mut count, mut at_border) = (0, 0, 0);
        for item in &self.items {
            bits += item.bits;
            if bits > most {
                break;
            }
            count += 1;
            if bits % 8 == 0 {
                at_border = count;
            }
            if item.width.is_some() {
                break;
            }
        }
        if self.is_whole { at_border } else { count }
    }

    /// Writes all; if `keep` is set, except for a last part that is not a whole chunk.
    fn flush(&mut self, keep: bool, out: &mut Block) {
        while !self.items.is_empty() {
            let count = self.next();
            if keep && count == self.items.len() && count <= WAITING {
                return;
            }
            if count == 0 && self.is_whole {
                // No octet border within a word: more presence bits than in any schema.
                return self.give_up(out);
            }
            if count == 0 {
                let Item { number, bits, width, .. } = self.items.remove(0);
                let width = width.unwrap_or(Num::Const(bits.into()));
                out.push(Stmt::Stream(Stream::PutWide { number, width }));
                continue;
            }
            let items: Vec<Item> = self.items.drain(..count).collect();
            chunk(items, out);
        }
    }
}

/// Writes items at once.
fn chunk(items: Vec<Item>, out: &mut Block) {
    let bits = items.iter().filter(|item| item.width.is_none()).map(|item| item.bits).sum();
    let mut below: u32 = bits;
    let (mut parts, mut rejected, mut last) = (Vec::new(), Vec::new(), None);
    for Item { before, reject, number, bits, width } in items {
        out.extend(before);
        rejected.extend(reject);
        if let Some(width) = width {
            last = Some((number, width));
        } else if bits > 0 {
            below -= bits;
            if number != Num::Const(0) {
                parts.push((number, below));
            }
        }
    }
    if !rejected.is_empty() {
        out.push(Stmt::RejectIf(Cond::Any(rejected)));
    }
    if bits > 0 || last.is_some() {
        out.push(Stmt::Stream(Stream::PutChunk { parts, bits, last }));
    }
}
