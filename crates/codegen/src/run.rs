//! Runs: adjacent fields of fixed width, fused into word operations, their checks gathered into one branch.

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

/// Fields on their way out: each an expression of type `u64` without bits above its width.
#[derive(Clone, Default)]
pub(crate) struct WriteRun {
    fields: Vec<(String, u32)>,
    checks: Vec<String>,
}

/// How many bits a writer takes at once.
const PUT_BITS: u32 = 63;

impl WriteRun {
    pub(crate) fn field(&mut self, value: impl Into<String>, bits: u32) {
        let value = value.into();
        match bits {
            0 => {}
            1..=32 => self.fields.push((value, bits)),
            // In two halves, so that chunks fill up well.
            _ => {
                self.fields.push((format!("({value} >> 32)"), bits - 32));
                self.fields.push((format!("({value} & 0xffff_ffff)"), 32));
            }
        }
    }

    /// A condition under which the value is refused.
    pub(crate) fn refuse_if(&mut self, condition: impl Into<String>) {
        self.checks.push(condition.into());
    }

    /// Writes all out, but for a last part that is not a whole chunk if `keep` is set.
    pub(crate) fn flush(&mut self, keep: bool, out: &mut Source) {
        if !self.checks.is_empty() {
            out.line(format!("if {} {{", self.checks.join(" | ")));
            out.line("return Err(Rejected);");
            out.line("}");
            self.checks.clear();
        }
        while !self.fields.is_empty() {
            let mut bits = 0;
            let mut count = 0;
            while count < self.fields.len() && bits + self.fields[count].1 <= PUT_BITS {
                bits += self.fields[count].1;
                count += 1;
            }
            if keep && count == self.fields.len() {
                return;
            }
            let mut below = bits;
            let parts: Vec<String> = self
                .fields
                .drain(..count)
                .map(|(value, width)| {
                    below -= width;
                    if below == 0 { value } else { format!("{value} << {below}") }
                })
                .collect();
            out.line(format!("w.put({}, {bits})?;", parts.join(" | ")));
        }
    }
}

/// Fields on their way in: each becomes a `u64` variable.
#[derive(Clone, Default)]
pub(crate) struct ReadRun {
    fields: Vec<(String, u32)>,
    checks: Vec<String>,
    then: Vec<String>,
}

/// Where the next bit is.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Position {
    /// At a bit known beforehand; so many octets of the input are known to be there, as `head`.
    Static { bit: u64, head: u64 },
    /// Where the reader is.
    Dynamic,
}

/// How many bits a reader gives at once.
const TAKE_BITS: u32 = 57;

impl ReadRun {
    pub(crate) fn field(&mut self, variable: impl Into<String>, bits: u32) {
        self.fields.push((variable.into(), bits));
    }

    /// A condition, on variables, under which the input is refused.
    pub(crate) fn refuse_if(&mut self, condition: impl Into<String>) {
        self.checks.push(condition.into());
    }

    /// A statement for when all checks have passed.
    pub(crate) fn then(&mut self, statement: impl Into<String>) {
        self.then.push(statement.into());
    }

    pub(crate) fn flush(&mut self, position: Position, out: &mut Source) -> Position {
        let fields = std::mem::take(&mut self.fields);
        let after = match position {
            Position::Static { bit, head } => read_static(&fields, bit, head, out),
            Position::Dynamic => {
                read_dynamic(&fields, out);
                Position::Dynamic
            }
        };
        if !self.checks.is_empty() {
            out.line(format!("if {} {{", self.checks.join(" | ")));
            out.line("return Err(Rejected);");
            out.line("}");
            self.checks.clear();
        }
        self.then.drain(..).for_each(|statement| out.line(statement));
        after
    }
}

/// One length check, and then words at fixed places.
fn read_static(fields: &[(String, u32)], start: u64, head: u64, out: &mut Source) -> Position {
    let end = start + fields.iter().map(|(_, bits)| u64::from(*bits)).sum::<u64>();
    let octets = end.div_ceil(8).max(head);
    if octets > head {
        out.line(format!("let Some(head) = input.first_chunk::<{octets}>() else {{ return Err(Rejected) }};"));
    }
    let mut bit = start;
    let mut window: Option<u64> = None;
    for (variable, bits) in fields {
        let field_end = bit + u64::from(*bits);
        if *bits == 0 {
            out.line(format!("let {variable} = 0u64;"));
            continue;
        }
        if *bits > TAKE_BITS {
            // Wider than a window may see: octet by octet.
            out.line(format!("let {variable} = read_at(head, {bit}, {bits});"));
            bit = field_end;
            continue;
        }
        let base = match window {
            Some(base) if field_end <= base * 8 + 64 => base,
            _ => {
                let base = (bit / 8).min(octets.saturating_sub(8));
                out.line(format!("let word = window(head, {base});"));
                window = Some(base);
                base
            }
        };
        out.line(format!("let {variable} = word << {} >> {};", bit - base * 8, 64 - bits));
        bit = field_end;
    }
    Position::Static { bit: end, head: octets }
}

fn read_dynamic(fields: &[(String, u32)], out: &mut Source) {
    let mut at = 0;
    while at < fields.len() {
        let mut bits = 0;
        let mut end = at;
        while end < fields.len() && bits + fields[end].1 <= TAKE_BITS {
            bits += fields[end].1;
            end += 1;
        }
        if end == at {
            out.line(format!("let {} = r.take_wide({})?;", fields[at].0, fields[at].1));
            at += 1;
            continue;
        }
        if end == at + 1 {
            out.line(format!("let {} = r.take({bits})?;", fields[at].0));
        } else {
            out.line(format!("let word = r.take({bits})?;"));
            let mut below = bits;
            for (variable, width) in &fields[at..end] {
                below -= width;
                let shifted = if below == 0 { "word".to_owned() } else { format!("word >> {below}") };
                let mask = (1u128 << width) - 1;
                out.line(format!("let {variable} = {shifted} & {mask:#x};"));
            }
        }
        at = end;
    }
}
