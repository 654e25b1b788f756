//! Runs: adjacent fields of fixed width, fused into word operations. This module has those to be written, `read_run` those to be read.

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

    /// The place of the value in the box that is in this one.
    pub(crate) fn unboxed(&self) -> Place {
        Place::new(format!("(*{})", self.value()))
    }

    /// The value in the place.
    pub(crate) fn value(&self) -> String {
        if self.is_reference { format!("*{}", self.text) } else { self.text.clone() }
    }

    /// The value, to be followed by a method or field.
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

/// Fields to be written: each an expression of type `u64`.
///
/// Checks are made with their chunk. What was written before a value is refused does not matter, since the interpreter starts again. Branches that are never
/// taken cost less than collecting their conditions in a register (measured: 20 % on a mandatory-only DENM).
#[derive(Clone)]
pub(crate) struct WriteRun {
    items: Vec<WriteItem>,
    /// The phase of the next bit.
    phase: Phase,
    /// Whether everything written is whole octets, and goes straight to the output.
    whole: bool,
}

#[derive(Clone, Default)]
struct WriteItem {
    before: Vec<String>,
    refuse: Option<String>,
    value: String,
    /// How many bits, or the most.
    bits: u32,
    /// An expression for the number of bits, if it depends on the value. It then ends a chunk.
    width: Option<String>,
}

/// More pending parts than this are written before alternatives, not in each of them.
const WAITING: usize = 64;

/// How many bits a writer accepts at once, if not whole octets.
const PUT_BITS: u32 = 63;

impl WriteRun {
    pub(crate) const fn new(phase: Phase, whole: bool) -> Self {
        WriteRun { items: Vec::new(), phase, whole }
    }

    /// Starts again after something that was written otherwise.
    pub(crate) fn restart(&mut self, phase: Phase) {
        *self = WriteRun::new(phase, self.whole);
    }

    /// Drops the pending fields.
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
            // In two halves, so that chunks are well filled.
            _ => {
                let (high, low) = (format!("({value} >> 32)"), format!("({value} & 0xffff_ffff)"));
                self.items.push(WriteItem { value: high, bits: bits - 32, ..WriteItem::default() });
                self.items.push(WriteItem { value: low, bits: 32, ..WriteItem::default() });
            }
        }
    }

    /// Aligns to the next octet border.
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

    /// Whole octets of at most `most` bits; the expression `width` is their exact number of bits.
    pub(crate) fn octets(&mut self, value: impl Into<String>, width: impl Into<String>, most: u32) {
        let (value, width) = (value.into(), Some(width.into()));
        self.items.push(WriteItem { value, width, bits: most, ..WriteItem::default() });
    }

    /// A statement needed by the rest of the run.
    pub(crate) fn before(&mut self, statement: impl Into<String>) {
        self.items.push(WriteItem { before: vec![statement.into()], ..WriteItem::default() });
    }

    /// A condition under which the value is refused.
    pub(crate) fn refuse_if(&mut self, condition: impl Into<String>) {
        self.items.push(WriteItem { refuse: Some(condition.into()), ..WriteItem::default() });
    }

    /// How many items the next chunk has: 0 if even the first does not fit.
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

    /// Writes all; if `keep` is set, except for a last part that is not a whole chunk.
    pub(crate) fn flush(&mut self, keep: bool, out: &mut Source) {
        while !self.items.is_empty() {
            let count = self.chunk();
            if keep && count == self.items.len() && count <= WAITING {
                return;
            }
            if count == 0 && self.whole {
                // No octet border within a word: more presence bits than in any schema.
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

/// The condition under which a text has too few or too many characters. A text with few enough octets need not be counted.
pub(crate) fn outside_of_characters(lower: u64, upper: u64, place: &Place) -> Option<String> {
    let text = place.object();
    match (lower, upper) {
        (0, u64::MAX) => None,
        (0, upper) => Some(format!("{text}.len() > {upper} && {text}.chars().count() > {upper}")),
        (lower, upper) => Some(format!("!({lower}..={upper}).contains(&({text}.chars().count() as u64))")),
    }
}
