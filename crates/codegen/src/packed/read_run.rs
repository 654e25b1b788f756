//! Runs of fields to be read.

use crate::events::windows;
use crate::packed::phase::{self, Phase};
use crate::packed::read_item::{Content, ReadItem, TAKE_BITS};
use crate::source::Source;

/// Fields to be read: each becomes a `u64` variable. As with [`WriteRun`], what is assigned before a refusal does not matter.
#[derive(Clone, Default)]
pub(crate) struct ReadRun {
    items: Vec<ReadItem>,
    /// Whether everything read is whole octets.
    whole: bool,
    /// How many of the next bits are at the start of the variable `word`.
    word: u32,
}

/// Where the next bit is.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Position {
    /// At a bit known in advance; the first `head` octets of the input are known to exist, as the variable `head`.
    Static { bit: u64, head: u64 },
    /// At the reader's position.
    Dynamic(Phase),
}

impl Position {
    /// The position of the next bit in its octet.
    pub(crate) fn phase(self) -> Phase {
        match self {
            Position::Static { bit, .. } => Some(bit % 8),
            Position::Dynamic(phase) => phase,
        }
    }
}

impl ReadRun {
    pub(crate) const fn new(whole: bool) -> Self {
        ReadRun { items: Vec::new(), whole, word: 0 }
    }

    pub(crate) fn field(&mut self, variable: impl Into<String>, bits: u32) {
        self.items.push(ReadItem { variable: variable.into(), bits, ..ReadItem::default() });
    }

    /// An array of octets; only if everything read is whole octets.
    pub(crate) fn array(&mut self, variable: impl Into<String>, octets: u32) {
        self.items.push(ReadItem {
            variable: variable.into(),
            bits: octets * 8,
            content: Content::Array,
            ..ReadItem::default()
        });
    }

    /// Bits that must have this value.
    pub(crate) fn constant(&mut self, wanted: u64, bits: u32) {
        if bits == 0 {
            return;
        }
        if let Some(ReadItem { bits: so_far, content: Content::Constant(before), .. }) = self.items.last_mut() {
            if *so_far + bits <= u32::BITS {
                *before = *before << bits | wanted;
                *so_far += bits;
                return;
            }
        }
        self.items.push(ReadItem { bits, content: Content::Constant(wanted), ..ReadItem::default() });
    }

    /// A number in at most `most` groups of seven bits.
    pub(crate) fn groups(&mut self, variable: impl Into<String>, most: u32) {
        let (variable, bits) = (variable.into(), most * 8);
        self.items.push(ReadItem { variable, bits, content: Content::Groups, ..ReadItem::default() });
    }

    /// The next `bits` bits, if a field follows, are at the start of the variable `word`.
    pub(crate) fn begin_in_word(&mut self, bits: u32) {
        self.word = bits;
    }

    /// Forgets what is pending.
    pub(crate) fn clear(&mut self) {
        self.items.clear();
    }

    /// How many bits are pending.
    pub(crate) fn bits(&self) -> u64 {
        self.items.iter().map(|item| u64::from(item.bits)).sum()
    }

    /// A condition, on the variables so far, under which the input is refused.
    pub(crate) fn refuse_if(&mut self, condition: impl Into<String>) {
        match self.items.last_mut() {
            Some(item) if item.refuse.is_none() => item.refuse = Some(condition.into()),
            _ => self.items.push(ReadItem { refuse: Some(condition.into()), ..ReadItem::default() }),
        }
    }

    /// A statement to be run when the fields so far have been read.
    pub(crate) fn then(&mut self, statement: impl Into<String>) {
        if self.items.is_empty() {
            self.items.push(ReadItem::default());
        }
        if let Some(item) = self.items.last_mut() {
            item.then.push(statement.into());
        }
    }

    pub(crate) fn flush(&mut self, position: Position, out: &mut Source) -> Position {
        let bits = self.bits();
        let items = std::mem::take(&mut self.items);
        let word = std::mem::take(&mut self.word);
        match position {
            Position::Static { bit, head } if !items.iter().any(ReadItem::is_groups) => {
                read_static(&items, self.whole, bit, head, out)
            }
            Position::Static { bit, .. } => {
                if bit > 0 {
                    out.line(format!("r.advance_to({bit});"));
                }
                windows::read(&items, 0, out);
                Position::Dynamic(phase::advance(Some(bit % 8), bits))
            }
            Position::Dynamic(phase) => {
                match self.whole {
                    true => {
                        if bits > 0 {
                            out.line(format!("let head = r.take_head::<{}>()?;", bits / 8));
                        }
                        read_octets(&items, 0, out);
                    }
                    false if word > 0 || items.iter().any(ReadItem::is_event) => windows::read(&items, word, out),
                    false => read_bits(&items, out),
                }
                Position::Dynamic(phase::advance(phase, bits))
            }
        }
    }
}

/// One length check, and then words at fixed places.
fn read_static(items: &[ReadItem], whole: bool, start: u64, head: u64, out: &mut Source) -> Position {
    let end = start + items.iter().map(|item| u64::from(item.bits)).sum::<u64>();
    let octets = end.div_ceil(8).max(head);
    if octets > head {
        out.line(format!("let Some(head) = input.first_chunk::<{octets}>() else {{ return Err(wire::Rejected) }};"));
    }
    if whole {
        read_octets(items, start, out);
        return Position::Static { bit: end, head: octets };
    }
    let mut bit = start;
    let mut window: Option<u64> = None;
    for item in items {
        let field_end = bit + u64::from(item.bits);
        if !item.variable.is_empty() || item.is_event() {
            let (variable, bits) = (&item.variable, item.bits);
            if bits == 0 {
                out.line(format!("let {variable} = 0u64;"));
            } else if bits > TAKE_BITS {
                out.line(format!("let {variable} = wire::rt::read_at(head, {bit}, {bits});"));
            } else {
                let base = match window {
                    Some(base) if field_end <= base * 8 + 64 => base,
                    _ => {
                        let base = (bit / 8).min(octets.saturating_sub(8));
                        out.line(format!("let word = wire::rt::window(head, {base});"));
                        window = Some(base);
                        base
                    }
                };
                let value = format!("word << {} >> {}", bit - base * 8, 64 - bits);
                match item.content {
                    Content::Constant(wanted) => out.refuse_if(&format!("{value} != {wanted:#x}")),
                    _ => out.line(format!("let {variable} = {value};")),
                }
            }
        }
        item.use_variable(out);
        bit = field_end;
    }
    Position::Static { bit: end, head: octets }
}

/// Whole octets of `head`, and bits that together are whole octets, from bit `start` on.
fn read_octets(items: &[ReadItem], start: u64, out: &mut Source) {
    let mut at = start;
    // Where the octets of the current bits end.
    let mut word_end = at;
    for (place, item) in items.iter().enumerate() {
        let end = at + u64::from(item.bits);
        let (name, octets) = (&item.variable, item.bits / 8);
        let is_border = at % 8 == 0 && item.bits % 8 == 0;
        match item.bits {
            _ if name.is_empty() => {}
            0 if item.content == Content::Array => out.line(format!("let {name} = [];")),
            0 => out.line(format!("let {name} = 0u64;")),
            _ if item.content == Content::Array => {
                out.line(format!("let {name}: [u8; {octets}] = wire::rt::array_at(head, {});", at / 8));
            }
            _ if is_border => out.line(format!("let {name} = wire::rt::number_at(head, {}, {octets});", at / 8)),
            bits => {
                if end > word_end {
                    let first = at / 8;
                    word_end = word(&items[place..], at);
                    out.line(format!("let word = wire::rt::number_at(head, {first}, {});", word_end / 8 - first));
                }
                out.line(format!("let {name} = word >> {} & {:#x};", word_end - end, (1u64 << bits) - 1));
            }
        }
        item.use_variable(out);
        at = end;
    }
}

/// The end of the octets with the bits up to the next octet border, or with as many as fit into a word.
fn word(items: &[ReadItem], start: u64) -> u64 {
    let ends = items.iter().scan(start, |at, item| {
        *at += u64::from(item.bits);
        Some(*at)
    });
    let mut last = start;
    for end in ends.take_while(|end| end.div_ceil(8) - start / 8 <= 8) {
        last = end;
        if end % 8 == 0 {
            break;
        }
    }
    last.next_multiple_of(8)
}

fn read_bits(items: &[ReadItem], out: &mut Source) {
    let mut at = 0;
    while at < items.len() {
        let Some(end) = next_chunk(items, at) else {
            out.line(format!("let {} = r.take_wide({})?;", items[at].variable, items[at].bits));
            items[at].use_variable(out);
            at += 1;
            continue;
        };
        let bits = items[at..end].iter().map(|item| item.bits).sum();
        if bits > 0 {
            out.line(format!("let word = r.take({bits})?;"));
        }
        let mut below: u32 = bits;
        for item in &items[at..end] {
            below -= item.bits;
            if !item.variable.is_empty() {
                let value = match (item.bits, below) {
                    (0, _) => "0u64".to_owned(),
                    (width, 0) if width == bits => "word".to_owned(),
                    (width, 0) => format!("word & {:#x}", (1u128 << width) - 1),
                    (width, below) if width + below == bits => format!("word >> {below}"),
                    (width, below) => format!("word >> {below} & {:#x}", (1u128 << width) - 1),
                };
                out.line(format!("let {} = {value};", item.variable));
            }
            item.use_variable(out);
        }
        at = end;
    }
}

/// The end of the items from `at` on that are read at once; `None` if the first is too wide.
fn next_chunk(items: &[ReadItem], at: usize) -> Option<usize> {
    let mut bits = 0;
    let fit = items[at..].iter().take_while(|item| {
        bits += item.bits;
        bits <= TAKE_BITS
    });
    Some(fit.count()).filter(|count| *count > 0).map(|count| at + count)
}
