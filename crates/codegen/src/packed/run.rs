//! Runs: adjacent fields of fixed width, fused into word operations.

use crate::packed::phase::{self, Phase};
use crate::source::Source;

/// A place that holds a value: an expression, and whether it is a reference to the place rather than the place itself.
#[derive(Clone)]
pub(crate) struct Place {
    text: String,
    is_reference: bool,
}

impl Place {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Place { text: text.into(), is_reference: false }
    }

    pub(crate) fn reference(text: impl Into<String>) -> Self {
        Place { text: text.into(), is_reference: true }
    }

    pub(crate) fn field(&self, name: &str) -> Place {
        Place::new(format!("{}.{name}", self.text))
    }

    /// The value in the place.
    pub(crate) fn value(&self) -> String {
        if self.is_reference { format!("*{}", self.text) } else { self.text.clone() }
    }

    /// The value, where a method or field is asked for.
    pub(crate) fn object(&self) -> &str {
        &self.text
    }

    pub(crate) fn shared(&self) -> String {
        if self.is_reference { self.text.clone() } else { format!("&{}", self.text) }
    }

    pub(crate) fn exclusive(&self) -> String {
        if self.is_reference { self.text.clone() } else { format!("&mut {}", self.text) }
    }
}

/// Fields on their way out: each an expression of type `u64`.
///
/// Checks come with their chunk. What was written before a value is refused does not matter: it is the interpreter's then. Branches that are never
/// taken cost less than gathering their conditions in a register (measured: 20 % on a mandatory-only DENM).
#[derive(Clone)]
pub(crate) struct WriteRun {
    items: Vec<WriteItem>,
    /// Where the next bit comes.
    phase: Phase,
    /// Whether all that is written is whole octets, and goes to the output at once.
    whole: bool,
}

#[derive(Clone, Default)]
struct WriteItem {
    before: Vec<String>,
    refuse: Option<String>,
    value: String,
    /// How many, or the most.
    bits: u32,
    /// An expression that says how many bits it has, where that depends on the value. It then ends a chunk.
    width: Option<String>,
}

/// How many bits a writer takes at once, if not whole octets.
const PUT_BITS: u32 = 63;

impl WriteRun {
    pub(crate) const fn new(phase: Phase, whole: bool) -> Self {
        WriteRun { items: Vec::new(), phase, whole }
    }

    /// Begins anew behind what has been written otherwise.
    pub(crate) fn restart(&mut self, phase: Phase) {
        *self = WriteRun::new(phase, self.whole);
    }

    pub(crate) fn phase(&self) -> Phase {
        self.phase
    }

    pub(crate) fn field(&mut self, value: impl Into<String>, bits: u32) {
        let value = value.into();
        self.phase = phase::advance(self.phase, bits.into());
        match bits {
            0 => {}
            1..=32 => self.items.push(WriteItem { value, bits, ..WriteItem::default() }),
            // In two halves, so that chunks fill up well.
            _ => {
                let (high, low) = (format!("({value} >> 32)"), format!("({value} & 0xffff_ffff)"));
                self.items.push(WriteItem { value: high, bits: bits - 32, ..WriteItem::default() });
                self.items.push(WriteItem { value: low, bits: 32, ..WriteItem::default() });
            }
        }
    }

    /// Goes on at the next octet border.
    pub(crate) fn align(&mut self, out: &mut Source) {
        match self.phase {
            Some(at) => self.field("0", phase::padding(at) as u32),
            None => {
                self.flush(false, out);
                out.line("w.align()?;");
                self.phase = Some(0);
            }
        }
    }

    /// Whole octets, at most `most` bits, exactly `width`, which is an expression.
    pub(crate) fn octets(&mut self, value: impl Into<String>, width: impl Into<String>, most: u32) {
        let (value, width) = (value.into(), Some(width.into()));
        self.items.push(WriteItem { value, width, bits: most, ..WriteItem::default() });
    }

    /// A statement that what follows in the run needs.
    pub(crate) fn before(&mut self, statement: impl Into<String>) {
        self.items.push(WriteItem { before: vec![statement.into()], ..WriteItem::default() });
    }

    /// A condition under which the value is refused.
    pub(crate) fn refuse_if(&mut self, condition: impl Into<String>) {
        self.items.push(WriteItem { refuse: Some(condition.into()), ..WriteItem::default() });
    }

    /// How many items the next chunk has: 0 where already the first does not fit.
    fn chunk(&self) -> usize {
        let most = if self.whole { u64::BITS } else { PUT_BITS };
        let mut bits = 0;
        let mut count = 0;
        let mut at_border = 0;
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
        if self.whole { at_border } else { count }
    }

    /// Writes all out, but for a last part that is not a whole chunk if `keep` is set.
    pub(crate) fn flush(&mut self, keep: bool, out: &mut Source) {
        while !self.items.is_empty() {
            let count = self.chunk();
            if keep && count == self.items.len() {
                return;
            }
            if count == 0 && self.whole {
                // No border of octets within a word: more presence bits than there are in any schema.
                self.items.clear();
                out.line("if true {");
                out.line("return Err(wire::Rejected);");
                out.line("}");
                return;
            }
            if count == 0 {
                let item = self.items.remove(0);
                let width = item.width.unwrap_or_else(|| item.bits.to_string());
                out.line(format!("w.put_wide({}, {width})?;", item.value));
                continue;
            }
            let put = if self.whole { "put_whole" } else { "put" };
            let items: Vec<WriteItem> = self.items.drain(..count).collect();
            let bits = items.iter().filter(|item| item.width.is_none()).map(|item| item.bits).sum();
            let mut below: u32 = bits;
            let mut parts = Vec::new();
            let mut refused = Vec::new();
            let mut last = None;
            for item in items {
                item.before.iter().for_each(|statement| out.line(statement));
                refused.extend(item.refuse);
                if let Some(width) = item.width {
                    last = Some((item.value, width));
                } else if item.bits > 0 {
                    below -= item.bits;
                    if item.value != "0" {
                        parts.push(if below == 0 { item.value } else { format!("{} << {below}", item.value) });
                    }
                }
            }
            if !refused.is_empty() {
                out.line(format!("if {} {{", refused.join(" || ")));
                out.line("return Err(wire::Rejected);");
                out.line("}");
            }
            if parts.is_empty() {
                parts.push("0".to_owned());
            }
            match (last, bits) {
                (None, 0) => {}
                (None, _) => out.line(format!("w.{put}({}, {bits})?;", parts.join(" | "))),
                (Some((value, width)), 0) => out.line(format!("w.{put}({value}, {width})?;")),
                (Some((value, width)), _) => {
                    out.line(format!("w.{put}(({}) << {width} | {value}, {bits} + {width})?;", parts.join(" | ")));
                }
            }
        }
    }
}

/// Fields on their way in: each becomes a `u64` variable. As with [`WriteRun`], what is assigned before a refusal does not matter.
#[derive(Clone, Default)]
pub(crate) struct ReadRun {
    items: Vec<ReadItem>,
    /// Whether all that is read is whole octets.
    whole: bool,
}

#[derive(Clone, Default)]
struct ReadItem {
    variable: String,
    bits: u32,
    /// The variable is an array of octets, not a number.
    is_array: bool,
    refuse: Option<String>,
    then: Vec<String>,
}

/// Where the next bit is.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Position {
    /// At a bit known beforehand; so many octets of the input are known to be there, as `head`.
    Static { bit: u64, head: u64 },
    /// Where the reader is.
    Dynamic(Phase),
}

impl Position {
    /// Where the next bit is in its octet.
    pub(crate) fn phase(self) -> Phase {
        match self {
            Position::Static { bit, .. } => Some(bit % 8),
            Position::Dynamic(phase) => phase,
        }
    }
}

/// How many bits a reader gives at once, if not whole octets.
const TAKE_BITS: u32 = 57;

impl ReadRun {
    pub(crate) const fn new(whole: bool) -> Self {
        ReadRun { items: Vec::new(), whole }
    }

    pub(crate) fn field(&mut self, variable: impl Into<String>, bits: u32) {
        self.items.push(ReadItem { variable: variable.into(), bits, ..ReadItem::default() });
    }

    /// So many octets as they are; only where all that is read is whole octets.
    pub(crate) fn array(&mut self, variable: impl Into<String>, octets: u32) {
        self.items.push(ReadItem {
            variable: variable.into(),
            bits: octets * 8,
            is_array: true,
            ..ReadItem::default()
        });
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

    /// A statement for when the fields so far have been read.
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
        match position {
            Position::Static { bit, head } => read_static(&items, self.whole, bit, head, out),
            Position::Dynamic(phase) => {
                match self.whole {
                    true => {
                        if bits > 0 {
                            out.line(format!("let head = r.take_head::<{}>()?;", bits / 8));
                        }
                        read_octets(&items, 0, out);
                    }
                    false => read_bits(&items, out),
                }
                Position::Dynamic(phase::advance(phase, bits))
            }
        }
    }
}

impl ReadItem {
    fn use_variable(&self, out: &mut Source) {
        if let Some(condition) = &self.refuse {
            out.line(format!("if {condition} {{"));
            out.line("return Err(wire::Rejected);");
            out.line("}");
        }
        self.then.iter().for_each(|statement| out.line(statement));
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
        if !item.variable.is_empty() {
            let (variable, bits) = (&item.variable, item.bits);
            if bits == 0 {
                out.line(format!("let {variable} = 0u64;"));
            } else if bits > TAKE_BITS {
                out.line(format!("let {variable} = wire::read_at(head, {bit}, {bits});"));
            } else {
                let base = match window {
                    Some(base) if field_end <= base * 8 + 64 => base,
                    _ => {
                        let base = (bit / 8).min(octets.saturating_sub(8));
                        out.line(format!("let word = wire::window(head, {base});"));
                        window = Some(base);
                        base
                    }
                };
                out.line(format!("let {variable} = word << {} >> {};", bit - base * 8, 64 - bits));
            }
        }
        item.use_variable(out);
        bit = field_end;
    }
    Position::Static { bit: end, head: octets }
}

/// Whole octets of `head`, and bits that are whole octets together, from bit `start` on.
fn read_octets(items: &[ReadItem], start: u64, out: &mut Source) {
    let mut at = start;
    // The octets of bits: where they end.
    let mut word_end = at;
    for (place, item) in items.iter().enumerate() {
        let end = at + u64::from(item.bits);
        let (name, octets) = (&item.variable, item.bits / 8);
        let is_border = at % 8 == 0 && item.bits % 8 == 0;
        match item.bits {
            _ if name.is_empty() => {}
            0 if item.is_array => out.line(format!("let {name} = [];")),
            0 => out.line(format!("let {name} = 0u64;")),
            _ if item.is_array => {
                out.line(format!("let {name}: [u8; {octets}] = wire::array_at(head, {});", at / 8));
            }
            _ if is_border => out.line(format!("let {name} = wire::number_at(head, {}, {octets});", at / 8)),
            bits => {
                if end > word_end {
                    let first = at / 8;
                    word_end = word(&items[place..], at);
                    out.line(format!("let word = wire::number_at(head, {first}, {});", word_end / 8 - first));
                }
                out.line(format!("let {name} = word >> {} & {:#x};", word_end - end, (1u64 << bits) - 1));
            }
        }
        item.use_variable(out);
        at = end;
    }
}

/// Where the octets end that hold the bits up to the next border of octets, or as many of them as a word has.
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

/// The end of the items from `at` on that are read at once; `None` where the first is too wide.
fn next_chunk(items: &[ReadItem], at: usize) -> Option<usize> {
    let mut bits = 0;
    let fit = items[at..].iter().take_while(|item| {
        bits += item.bits;
        bits <= TAKE_BITS
    });
    Some(fit.count()).filter(|count| *count > 0).map(|count| at + count)
}
