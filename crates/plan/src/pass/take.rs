//! Fuses bits that follow each other: a decoder reads them as words.

use std::cell::Cell;
use std::mem::take;

use super::nested;
use crate::pass::ends::{ends_of_words, next_chunk};
use crate::plan::{Block, Cond, Num, Stmt, Stream, Var};

/// How many bits a reader returns at once, if not whole octets.
pub(super) const TAKE_BITS: u32 = 57;

/// Where the next bit is.
#[derive(Clone, Copy)]
pub(crate) enum Position {
    /// At a bit known in advance; the first `head` octets of the input are known to exist, as the
    /// variable `head`.
    Static { bit: u64, head: u64 },
    /// At the reader's position.
    Dynamic,
}

/// Fuses what a decoder reads, from a position on; perhaps all of it is whole octets.
pub(crate) fn taken(block: Block, is_whole: bool, start: Position) -> Block {
    let mut run = Run { items: Vec::new(), is_whole, word: 0, position: start, out: Block::new() };
    for statement in block {
        let is_end = statement == Stmt::GiveUp;
        run.statement(statement);
        if is_end {
            return run.out;
        }
    }
    if !run.items.is_empty() {
        run.flush();
    }
    run.out
}

/// The items that are not read yet.
struct Run {
    items: Vec<Item>,
    is_whole: bool,
    /// How many of the next bits the current word begins with.
    word: u32,
    position: Position,
    out: Block,
}

/// A field to be read, and what is done with it. An assignment before something is rejected does
/// not matter.
#[derive(Default)]
pub(super) struct Item {
    var: Option<Var>,
    /// How many bits; for groups, the most.
    pub(super) bits: u32,
    content: Content,
    reject: Option<Cond>,
    then: Block,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Content {
    /// A number.
    #[default]
    Number,
    /// An array of octets.
    Array,
    /// Bits that must have this value, without a variable.
    Constant(u64),
    /// A number in groups of seven bits.
    Groups,
}

impl Item {
    fn is_groups(&self) -> bool {
        self.content == Content::Groups
    }

    fn is_event(&self) -> bool {
        matches!(self.content, Content::Groups | Content::Constant(_))
    }
}

impl Run {
    fn statement(&mut self, statement: Stmt) {
        match statement {
            Stmt::Stream(Stream::Take { var, bits }) => self.items.push(Item { var, bits, ..Item::default() }),
            Stmt::Stream(Stream::TakeArray { var, octets }) => {
                self.items.push(Item { var: Some(var), bits: octets * 8, content: Content::Array, ..Item::default() });
            }
            Stmt::Stream(Stream::Constant { wanted, bits }) => self.constant(wanted, bits),
            Stmt::Stream(Stream::Groups { var, most }) => {
                self.items.push(Item { var: Some(var), bits: most * 8, content: Content::Groups, ..Item::default() });
            }
            Stmt::RejectIf(condition) => match self.items.last_mut() {
                Some(item) if item.reject.is_none() => item.reject = Some(condition),
                _ => self.items.push(Item { reject: Some(condition), ..Item::default() }),
            },
            Stmt::Set(..)
            | Stmt::SetAbsent(..)
            | Stmt::Clear(..)
            | Stmt::ForgetUnknown(_)
            | Stmt::Stream(Stream::Assign(..)) => {
                if self.items.is_empty() {
                    self.items.push(Item::default());
                }
                if let Some(item) = self.items.last_mut() {
                    item.then.push(statement);
                }
            }
            Stmt::Stream(Stream::InWord { taken }) => self.word = TAKE_BITS - taken,
            Stmt::Stream(Stream::Flush) => self.flush(),
            Stmt::Settle => self.settle(),
            Stmt::GiveUp => {
                self.items.clear();
                self.out.push(statement);
            }
            Stmt::Stream(Stream::RejectNow(condition)) => self.out.push(Stmt::RejectIf(condition)),
            other => {
                let (is_whole, position, has_blocks) = (self.is_whole, self.position, Cell::new(false));
                let inside = |block| {
                    has_blocks.set(true);
                    taken(block, is_whole, position)
                };
                self.out.push(nested(other, &inside));
                if has_blocks.get() {
                    self.position = Position::Dynamic;
                }
            }
        }
    }

    fn stream(&mut self, statement: Stream) {
        self.out.push(Stmt::Stream(statement));
    }

    /// Bits that must have this value.
    fn constant(&mut self, wanted: u64, bits: u32) {
        if bits == 0 {
            return;
        }
        if let Some(Item { bits: so_far, content: Content::Constant(before), .. }) = self.items.last_mut() {
            if *so_far + bits <= u32::BITS {
                *before = *before << bits | wanted;
                *so_far += bits;
                return;
            }
        }
        self.items.push(Item { bits, content: Content::Constant(wanted), ..Item::default() });
    }

    /// Reads what is pending, and moves the reader there.
    fn settle(&mut self) {
        self.flush();
        if let Position::Static { bit, .. } = self.position {
            self.stream(if self.is_whole { Stream::ReaderAt(bit / 8) } else { Stream::AdvanceTo(bit) });
            self.position = Position::Dynamic;
        }
    }

    fn flush(&mut self) {
        let (items, word) = (take(&mut self.items), take(&mut self.word));
        let bits: u32 = items.iter().map(|item| item.bits).sum();
        match self.position {
            Position::Static { bit, head } if !items.iter().any(Item::is_groups) => self.fixed(items, bit, head),
            Position::Static { bit, .. } => {
                if bit > 0 {
                    self.stream(Stream::AdvanceTo(bit));
                }
                self.windows(items, 0);
                self.position = Position::Dynamic;
            }
            Position::Dynamic if self.is_whole => {
                if bits > 0 {
                    self.stream(Stream::TakeHead(u64::from(bits / 8)));
                }
                self.octets(items, 0);
            }
            Position::Dynamic if word > 0 || items.iter().any(Item::is_event) => self.windows(items, word),
            Position::Dynamic => self.bits(items),
        }
    }

    /// The statement that uses an item that has been read.
    fn use_item(&mut self, item: Item) {
        self.out.extend(item.reject.map(Stmt::RejectIf));
        self.out.extend(item.then);
    }

    /// One length check, and then words at fixed places.
    fn fixed(&mut self, items: Vec<Item>, start: u64, head: u64) {
        let end = start + items.iter().map(|item| u64::from(item.bits)).sum::<u64>();
        let octets = end.div_ceil(8).max(head);
        if octets > head {
            self.stream(Stream::FirstChunk(octets));
        }
        self.position = Position::Static { bit: end, head: octets };
        if self.is_whole {
            return self.octets(items, start);
        }
        let (mut bit, mut window) = (start, None);
        for item in items {
            let (bits, end) = (item.bits, bit + u64::from(item.bits));
            match (item.var, item.content) {
                (None, Content::Number | Content::Array) => {}
                (Some(var), _) if bits == 0 => self.out.push(Stmt::Let(var, Num::Typed(0))),
                (Some(var), _) if bits > TAKE_BITS => self.stream(Stream::ReadAt { var, bit, bits }),
                (var, content) => {
                    let base = match window {
                        Some(base) if end <= base * 8 + 64 => base,
                        _ => {
                            let base = (bit / 8).min(octets.saturating_sub(8));
                            self.stream(Stream::Window(base));
                            window = Some(base);
                            base
                        }
                    };
                    let (left, right) = ((bit - base * 8) as u32, 64 - bits);
                    match (content, var) {
                        (Content::Constant(wanted), _) => self.stream(Stream::RejectPart { left, right, wanted }),
                        (_, Some(var)) => self.stream(Stream::LetPart { var, left, right }),
                        _ => {}
                    }
                }
            }
            self.use_item(item);
            bit = end;
        }
    }

    /// Whole octets of the head, and bits that together are whole octets, from bit `start` on.
    fn octets(&mut self, items: Vec<Item>, start: u64) {
        let ends = ends_of_words(&items, start);
        let mut at = start;
        // Where the octets of the current bits end.
        let mut word_end = at;
        for (item, end_of_word) in items.into_iter().zip(ends) {
            let end = at + u64::from(item.bits);
            let is_border = at % 8 == 0 && item.bits % 8 == 0;
            let (first, octets) = ((at / 8) as usize, (item.bits / 8) as usize);
            match (item.var, item.bits) {
                (None, _) => {}
                (Some(var), 0) if item.content == Content::Array => self.stream(Stream::LetEmpty(var)),
                (Some(var), 0) => self.out.push(Stmt::Let(var, Num::Typed(0))),
                (Some(var), _) if item.content == Content::Array => {
                    self.out.push(Stmt::LetArray { var, at: first, octets });
                }
                (Some(var), _) if is_border => self.out.push(Stmt::Let(var, Num::At { at: first, octets })),
                (Some(var), bits) => {
                    if end > word_end {
                        word_end = end_of_word;
                        self.stream(Stream::WordAt { first: at / 8, octets: word_end / 8 - at / 8 });
                    }
                    self.stream(Stream::LetMasked { var, shift: word_end - end, mask: (1u64 << bits) - 1 });
                }
            }
            self.use_item(item);
            at = end;
        }
    }

    /// Words from the reader's position on.
    fn bits(&mut self, items: Vec<Item>) {
        let mut rest = items.into_iter();
        while !rest.as_slice().is_empty() {
            let count = next_chunk(rest.as_slice());
            if count == 0 {
                for item in rest.by_ref().take(1) {
                    self.wide(item);
                }
                continue;
            }
            let bits: u32 = rest.as_slice()[..count].iter().map(|item| item.bits).sum();
            if bits > 0 {
                self.stream(Stream::TakeWord(bits));
            }
            let mut below = bits;
            for item in rest.by_ref().take(count) {
                below -= item.bits;
                if let Some(var) = item.var {
                    self.stream(Stream::LetBits { var, width: item.bits, below, of: bits });
                }
                self.use_item(item);
            }
        }
    }

    /// More bits than a word has.
    fn wide(&mut self, item: Item) {
        if let Some(var) = item.var {
            self.stream(Stream::TakeWide { var, bits: item.bits });
        }
        self.use_item(item);
    }

    /// Reads at a position that is not known in advance: from a word with the next bits, fields,
    /// constants and short numbers in groups are taken one after the other. If `there` is not 0,
    /// the word begins with this many of the next bits.
    fn windows(&mut self, items: Vec<Item>, mut there: u32) {
        // The bits of the word by which the reader has not been advanced yet.
        let mut taken = 0;
        let mut rest = items.into_iter();
        while let Some(first) = rest.as_slice().first() {
            let (bits, is_groups) = (first.bits, first.is_groups());
            if bits > TAKE_BITS {
                self.advance(taken);
                (taken, there) = (0, 0);
                self.stream(Stream::Within);
                for item in rest.by_ref().take(1) {
                    self.wide(item);
                }
                continue;
            }
            if taken + bits > there {
                self.advance(taken);
                self.stream(Stream::NextWord);
                (taken, there) = (0, TAKE_BITS);
            }
            if is_groups {
                for item in rest.by_ref().take(1) {
                    if let Some(var) = item.var {
                        self.stream(Stream::Peel { var, most: bits / 8, taken });
                    }
                    self.use_item(item);
                }
                // The word is then shifted as if the number had one group.
                taken += 8;
                there -= bits - 8;
                continue;
            }
            let mut end = taken;
            let fits = |item: &&Item| {
                end += item.bits;
                !item.is_groups() && end <= there
            };
            let count = rest.as_slice().iter().take_while(fits).count();
            self.reject_other_constants(&rest.as_slice()[..count], taken);
            for item in rest.by_ref().take(count) {
                match (item.var, item.bits) {
                    (None, _) => {}
                    (Some(var), 0) => self.out.push(Stmt::Let(var, Num::Typed(0))),
                    (Some(var), bits) => self.stream(Stream::LetPart { var, left: taken, right: 64 - bits }),
                }
                taken += item.bits;
                self.use_item(item);
            }
        }
        self.advance(taken);
        self.stream(Stream::Within);
    }

    /// Checks all constants among items from bit `at` of the word on in one comparison.
    fn reject_other_constants(&mut self, items: &[Item], mut at: u32) {
        let (mut mask, mut bits) = (0u64, 0u64);
        for item in items {
            at += item.bits;
            if let Content::Constant(constant) = item.content {
                mask |= ((1 << item.bits) - 1) << (64 - at);
                bits |= constant << (64 - at);
            }
        }
        if mask != 0 {
            self.out.push(Stmt::RejectIf(Cond::WindowUnder { mask, bits }));
        }
    }

    fn advance(&mut self, bits: u32) {
        if bits > 0 {
            self.stream(Stream::Advance(bits));
        }
    }
}
