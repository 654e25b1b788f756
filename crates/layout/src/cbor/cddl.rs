//! The mapping as a schema: CDDL (RFC 8610), which describes the items of messages to other
//! implementations.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Write as _;

use num_bigint::BigInt;
use roadwire_model::{
    Alphabet, Alternative, Component, Enumerators, Field, IntegerRange, Kind, Model, Presence, Size, StringKind, Table,
    TypeId,
};

use crate::Rules;
use crate::error::LowerError;
use crate::structure::repertoire;

/// A schema in CDDL for a type and all it refers to. The items that it describes are those of
/// [`Rules::Cbor`](crate::Rules::Cbor); that they are deterministic, no schema says. The first rule
/// is the type.
///
/// # Errors
/// A type that has no layout under these rules.
pub fn cddl_schema(model: &Model, root: TypeId) -> Result<String, LowerError> {
    crate::lower(model, root, Rules::Cbor)?;
    let mut writer = Writer { model, names: HashMap::new(), taken: HashSet::new(), queue: VecDeque::new() };
    let mut text = String::from("; Written by roadwire from ASN.1.\n");
    let found = writer.named(root, "Message");
    if writer.queue.is_empty() {
        let name = writer.name_of(root).unwrap_or("Message").to_owned();
        let _ = writeln!(text, "\n{} = {found}", identifier(&name));
    }
    while let Some((id, name)) = writer.queue.pop_front() {
        let _ = write!(text, "\n{name} = ");
        writer.definition(id, &name, &mut text);
        text.push('\n');
    }
    Ok(text)
}

struct Writer<'m> {
    model: &'m Model,
    /// Of types that have a rule.
    names: HashMap<TypeId, String>,
    taken: HashSet<String>,
    /// Rules that are still to be written.
    queue: VecDeque<(TypeId, String)>,
}

impl<'m> Writer<'m> {
    fn kind(&self, id: TypeId) -> (TypeId, &'m Kind) {
        match &self.model.get(id).kind {
            Kind::External(sequence) => (*sequence, &self.model.get(*sequence).kind),
            kind => (self.model.untagged(id), kind),
        }
    }

    fn name_of(&self, id: TypeId) -> Option<&'m str> {
        self.model.get(id).known_as().map(|name| name.name.as_str())
    }

    /// A type where it is used: a leaf, an array without a name, or the name of a rule.
    fn used(&mut self, id: TypeId, wanted: &str) -> String {
        match self.kind(id).1 {
            Kind::SequenceOf { element, size, .. } if self.name_of(id).is_none() => self.array(*element, size, wanted),
            _ => self.named(id, wanted),
        }
    }

    /// A leaf, or the name of a rule.
    fn named(&mut self, id: TypeId, wanted: &str) -> String {
        let (found, kind) = self.kind(id);
        if let Some(leaf) = self.leaf(kind, wanted) {
            return leaf;
        }
        if let Some(name) = self.names.get(&found) {
            return name.clone();
        }
        let wanted = identifier(self.name_of(id).or(self.name_of(found)).unwrap_or(wanted));
        let distinct = |count: u32| if count == 1 { wanted.clone() } else { format!("{wanted}-{count}") };
        let free = (1..).map(distinct).find(|name| !self.taken.contains(name)).unwrap_or_default();
        self.taken.insert(free.clone());
        self.names.insert(found, free.clone());
        self.queue.push_back((found, free.clone()));
        free
    }

    fn leaf(&mut self, kind: &'m Kind, wanted: &str) -> Option<String> {
        Some(match kind {
            Kind::Boolean => "bool".into(),
            Kind::Null => "null".into(),
            Kind::Integer { range, .. } => integer(range),
            Kind::Real { .. } => "float".into(),
            Kind::BitString { size, .. } => match size.fixed().filter(|_| !size.extensible) {
                Some(bits) => sized("bytes", (bits.div_ceil(8), bits.div_ceil(8)), 0),
                None => {
                    let (lower, upper) = size.lasting();
                    let octets = |bits: u64| bits.div_ceil(8).saturating_add(1);
                    sized("bytes", (octets(lower), if upper == u64::MAX { upper } else { octets(upper) }), 1)
                }
            },
            Kind::OctetString { size, .. } => sized("bytes", size.lasting(), 0),
            Kind::ObjectIdentifier => "#6.111(bytes)".into(),
            Kind::RelativeOid => "#6.110(bytes)".into(),
            Kind::Iri { .. } | Kind::Time { .. } => "tstr".into(),
            Kind::String { kind, size, alphabet, alphabet_extensible } => {
                text(*kind, size, alphabet.as_ref().filter(|_| !alphabet_extensible))
            }
            Kind::Open { table } => self.open(table.as_ref(), wanted),
            _ => return None,
        })
    }

    /// Octets may be in any open type: those of an unknown row.
    fn open(&mut self, table: Option<&'m Table>, wanted: &str) -> String {
        let rows = table.map_or(&[][..], |table| &table.rows);
        let mut all: Vec<String> = Vec::new();
        for (place, (_, id)) in rows.iter().enumerate() {
            // A row may have this open type inside, so that each has a rule; or it may be an open
            // type itself, this one again.
            let of = match self.kind(*id).1 {
                Kind::Open { .. } => "#6.24(bytes)".into(),
                _ => in_brackets(self.named(*id, &format!("{wanted}-{}", place + 1))),
            };
            let row = format!("(bytes .cbor {of})");
            if !all.contains(&row) {
                all.push(row);
            }
        }
        all.push("bytes".into());
        format!("#6.24({})", all.join(" / "))
    }

    fn array(&mut self, element: TypeId, size: &Size, wanted: &str) -> String {
        let of = in_brackets(self.used(element, &format!("{wanted}-element")));
        match size.lasting() {
            (0, u64::MAX) => format!("[* {of}]"),
            (lower, u64::MAX) => format!("[{lower}* {of}]"),
            (lower, upper) => format!("[{lower}*{upper} {of}]"),
        }
    }

    fn definition(&mut self, id: TypeId, name: &str, out: &mut String) {
        match self.kind(id).1 {
            Kind::Sequence { components, extensible, .. } => self.map(components, *extensible, name, out),
            Kind::Choice { alternatives, extensible } => self.choice(alternatives, *extensible, name, out),
            Kind::Enumerated(enumerators) => enumeration(enumerators, out),
            Kind::SequenceOf { element, size, .. } => out.push_str(&self.array(*element, size, name)),
            _ => {}
        }
    }

    fn map(&mut self, components: &'m [Component], extensible: bool, name: &str, out: &mut String) {
        out.push_str("{\n");
        let root = components.iter().filter(|component| component.field == Field::Root);
        let mut key = 0u64;
        for component in root {
            self.entry(key, component, component.presence == Presence::Mandatory, (name, "  "), out);
            key += 1;
        }
        let mut added = components.iter().filter(|component| component.field != Field::Root).peekable();
        while let Some(first) = added.next() {
            match first.field {
                Field::Group(group) => {
                    let _ = writeln!(out, "  ? {key}: {{");
                    let mut place = 0;
                    let mut next = Some(first);
                    while let Some(component) = next {
                        let sure = component.presence == Presence::Mandatory;
                        self.entry(place, component, sure, (name, "    "), out);
                        place += 1;
                        next = added.next_if(|component| component.field == Field::Group(group));
                    }
                    out.push_str("  },\n");
                }
                _ => self.entry(key, first, false, (name, "  "), out),
            }
            key += 1;
        }
        if extensible {
            // The colons above keep this from being taken for what has a key there (RFC 8610
            // §3.5.4).
            out.push_str("  * uint => any,  ; of later versions\n");
        }
        out.push('}');
    }

    fn entry(
        &mut self,
        key: u64,
        component: &'m Component,
        sure: bool,
        (name, indent): (&str, &str),
        out: &mut String,
    ) {
        let of = self.used(component.type_id, &format!("{name}-{}", component.name));
        let comment = self.comment(&component.name, component.type_id);
        let default = if matches!(component.presence, Presence::Default(_)) { ", has a DEFAULT" } else { "" };
        let mark = if sure { "" } else { "? " };
        let _ = writeln!(out, "{indent}{mark}{key}: {of},  ; {comment}{default}");
    }

    fn choice(&mut self, alternatives: &'m [Alternative], extensible: bool, name: &str, out: &mut String) {
        out.push_str("{\n");
        let of = |addition: bool| alternatives.iter().filter(move |one| one.addition == addition);
        let mut key = 0;
        for one in of(false).chain(of(true)) {
            let content = self.used(one.type_id, &format!("{name}-{}", one.name));
            let comment = self.comment(&one.name, one.type_id);
            let mark = if key == 0 { "  " } else { "//" };
            let _ = writeln!(out, "  {mark} {key} => {content}  ; {comment}");
            key += 1;
        }
        if extensible {
            let _ = writeln!(out, "  // {} => any  ; of later versions", later(key));
        }
        out.push('}');
    }

    /// The name of a component, and a leaf's type.
    fn comment(&self, name: &str, id: TypeId) -> String {
        let kind = self.kind(id).1;
        let is_leaf = !matches!(
            kind,
            Kind::Sequence { .. } | Kind::Choice { .. } | Kind::Enumerated(_) | Kind::SequenceOf { .. }
        );
        match self.name_of(id) {
            Some(of) if is_leaf => format!("{name}, {of}"),
            _ if is_leaf => format!("{name}, {}", kind.name()),
            _ => name.to_owned(),
        }
    }
}

fn enumeration(enumerators: &Enumerators, out: &mut String) {
    out.push_str("&(\n");
    for (item, number) in enumerators.all() {
        let _ = writeln!(out, "  {item}: {number},");
    }
    out.push_str(if enumerators.extensible { ") / int" } else { ")" });
}

/// Keys of later versions, from this one on: a decoder takes 2^32 of them.
fn later(key: u64) -> String {
    format!("{key}..{}", key + u64::from(u32::MAX))
}

/// CDDL's ranges are of integers of 64 bits.
fn integer(range: &IntegerRange) -> String {
    let range = range.lasting();
    let (least, greatest) = (-(BigInt::from(1) << 64u32), (BigInt::from(1) << 64u32) - 1);
    let below = range.lower.as_ref().is_none_or(|lower| *lower < least);
    let above = range.upper.as_ref().is_none_or(|upper| *upper > greatest);
    let lower = range.lower.as_ref().filter(|_| !below).unwrap_or(&least);
    let upper = range.upper.as_ref().filter(|_| !above).unwrap_or(&greatest);
    let mut all = Vec::new();
    if lower < upper {
        let zero = BigInt::from(0);
        all.push(match (*lower == least, *upper == greatest) {
            (true, true) => "int".to_owned(),
            (false, true) if *lower == zero => "uint".to_owned(),
            _ => format!("{lower}..{upper}"),
        });
    } else if lower == upper {
        all.push(lower.to_string());
    }
    all.extend(above.then(|| "biguint".to_owned()));
    all.extend(below.then(|| "bignint".to_owned()));
    all.join(" / ")
}

/// Sizes of text are in octets.
fn text(kind: StringKind, size: &Size, alphabet: Option<&Alphabet>) -> String {
    let own = repertoire(kind);
    let ranges = alphabet.or(own.as_ref()).map(|alphabet| alphabet.ranges.as_slice());
    let width = |code: u32| char::from_u32(code).map(|character| character.len_utf8() as u64);
    let first = ranges.and_then(|ranges| width(ranges.first()?.0)).unwrap_or(1);
    let last = ranges.and_then(|ranges| width(ranges.last()?.1)).unwrap_or(4);
    let last = if kind == StringKind::Utf8 || ranges.is_some() { last } else { 2 };
    let (lower, upper) = size.lasting();
    sized("tstr", (lower.saturating_mul(first), upper.saturating_mul(last)), 0)
}

/// A string type of these octets, of which it has `least` anyway.
fn sized(of: &str, (lower, upper): (u64, u64), least: u64) -> String {
    match (lower, upper) {
        (lower, u64::MAX) if lower <= least => of.to_owned(),
        (lower, upper) if lower == upper => format!("{of} .size {lower}"),
        _ => format!("{of} .size ({lower}..{upper})"),
    }
}

/// A type of several parts as one.
fn in_brackets(of: String) -> String {
    let is_one = of.starts_with('#') || of.starts_with('[') || !of.contains(' ');
    if is_one { of } else { format!("({of})") }
}

/// A name that CDDL has: letters, digits and hyphens are.
fn identifier(name: &str) -> String {
    name.chars().map(|one| if one.is_ascii_alphanumeric() || one == '-' { one } else { '_' }).collect()
}
