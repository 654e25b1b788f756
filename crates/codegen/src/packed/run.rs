//! Runs: adjacent fields of fixed width, fused into word operations. Here those on their way out, in `read_run` those on their way in.

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

/// What waits and has more parts than this is written before alternatives, and not in each of them.
const WAITING: usize = 64;

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

    /// Forgets what waits.
    pub(crate) fn clear(&mut self) {
        self.items.clear();
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
            if keep && count == self.items.len() && count <= WAITING {
                return;
            }
            if count == 0 && self.whole {
                // No border of octets within a word: more presence bits than there are in any schema.
                self.items.clear();
                out.give_up();
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
