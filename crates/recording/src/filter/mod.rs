//! `--where`: which frames are wanted. Comparisons with headers are decided first, so that a
//! message is decoded only if it can change the answer.

mod parse;
mod value;

use std::collections::BTreeMap;

use parse::{Comparison, Expression, Literal, Operator, Segment, Test, fail};
use roadwire_model::{Model, TypeId};
use roadwire_wire::Part;
use value::Place;

use crate::Error;
use crate::fields::{self, FIELDS, Kind};
use crate::octets::write_hex;
use crate::record::{Cell, Members};

/// An expression over the fields of a record.
pub(crate) struct Filter {
    expression: Expression,
    comparisons: Vec<Compared>,
    /// Where the comparisons' fields are in the type of a schema.
    places: BTreeMap<&'static str, Vec<Option<Place>>>,
}

struct Compared {
    what: What,
    test: Test,
    /// The answer for this frame, if it is known.
    holds: Option<bool>,
}

enum What {
    /// A field that is not in the message's value.
    Record(&'static str, Kind),
    /// A field of the value, by its path there.
    Value(Vec<Segment>),
}

/// A schema that a message may be of.
#[derive(Clone, Copy)]
pub(crate) struct Candidate<'m> {
    pub(crate) schema: &'static str,
    /// As `Module.Type`.
    pub(crate) type_name: &'static str,
    pub(crate) model: &'m Model,
    pub(crate) type_id: TypeId,
}

/// The names and values that records may have.
pub(crate) struct Known<'n> {
    /// Names of schemas, and of their types as `Module.Type`.
    pub(crate) names: &'n [(&'static str, &'static str)],
    /// Whether signatures are verified.
    pub(crate) verifies: bool,
}

impl Filter {
    /// Reads an expression. `schemas` are asked for until each field of messages has been found.
    ///
    /// # Errors
    /// `where.syntax`, `where.limit`; `where.field` for a field that no record has; `where.kind`
    /// for a comparison that a field does not have, or that is never true.
    pub(crate) fn new<'m>(
        text: &str,
        known: &Known<'_>,
        schemas: impl Iterator<Item = Result<Candidate<'m>, Error>> + Clone,
    ) -> Result<Filter, Error> {
        let (expression, comparisons) = parse::parse(text)?;
        let compared = comparisons.into_iter().map(|one| compared(one, known, schemas.clone()));
        let comparisons = compared.collect::<Result<_, _>>()?;
        Ok(Filter { expression, comparisons, places: BTreeMap::new() })
    }

    /// Looks at the members of a frame before its message, and forgets the frame before.
    pub(crate) fn headers(&mut self, members: impl FnOnce(&mut Look<'_>)) {
        for one in &mut self.comparisons {
            one.holds = one.is_in_front().then_some(false);
        }
        members(&mut Look { comparisons: &mut self.comparisons, prefix: Vec::new() });
    }

    /// Looks at the octets of a message, before it is decoded. Which schema it is of, the octets
    /// decide: the port does not, for another message may be guessed.
    pub(crate) fn octets(&mut self, octets: &[u8], is_decoded: bool) {
        for one in &mut self.comparisons {
            let holds = match &one.what {
                What::Record("message", _) => true,
                What::Record("message.octets", kind) => holds(Cell::Octets(octets), *kind, &one.test),
                What::Record("message.schema" | "message.type", _) | What::Value(_) if !is_decoded => false,
                _ => continue,
            };
            one.holds.get_or_insert(holds);
        }
    }

    /// Looks at a message that was decoded.
    pub(crate) fn message(&mut self, known: &Candidate<'_>, message: impl Part) {
        self.learn(known);
        let places = self.places.get(known.schema);
        for (index, one) in self.comparisons.iter_mut().enumerate().filter(|(_, one)| one.holds.is_none()) {
            let place = || places.and_then(|places| places.get(index)?.as_ref());
            one.holds = match &one.what {
                What::Record("message.schema", kind) => Some(holds(Cell::Text(known.schema), *kind, &one.test)),
                What::Record("message.type", kind) => Some(holds(Cell::Text(known.type_name), *kind, &one.test)),
                What::Record("message.rules", kind) => Some(holds(Cell::Text("uper"), *kind, &one.test)),
                What::Record("message.value", _) => Some(true),
                What::Record(..) => None,
                What::Value(_) => Some(place().is_some_and(|place| place.holds(known.model, message, &one.test))),
            };
        }
    }

    /// Looks at the fault of a frame, if there is one: the last part to look at.
    pub(crate) fn problem(&mut self, members: impl FnOnce(&mut Look<'_>)) {
        members(&mut Look { comparisons: &mut self.comparisons, prefix: Vec::new() });
        for one in &mut self.comparisons {
            one.holds.get_or_insert(false);
        }
    }

    /// Whether the frame is wanted, if the members seen so far decide it.
    pub(crate) fn is_wanted(&self) -> Option<bool> {
        decide(&self.expression, &self.comparisons)
    }

    /// Finds the fields in the type of a schema, once.
    fn learn(&mut self, of: &Candidate<'_>) {
        let has_values = self.comparisons.iter().any(|one| matches!(one.what, What::Value(_)));
        if !has_values || self.places.contains_key(of.schema) {
            return;
        }
        let place = |one: &Compared| match &one.what {
            What::Value(path) => Place::find(of.model, of.type_id, path),
            What::Record(..) => None,
        };
        self.places.insert(of.schema, self.comparisons.iter().map(place).collect());
    }
}

impl Compared {
    /// Whether it is known when all headers have been read.
    fn is_in_front(&self) -> bool {
        match self.what {
            What::Record(path, _) => !path.starts_with("message") && !path.starts_with("problem"),
            What::Value(_) => false,
        }
    }
}

/// Compares members with the conditions on them.
pub(crate) struct Look<'f> {
    comparisons: &'f mut [Compared],
    prefix: Vec<&'static str>,
}

impl Look<'_> {
    fn meet(&mut self, name: &str, cell: Option<Cell<'_>>) {
        for one in self.comparisons.iter_mut() {
            let What::Record(path, kind) = one.what else { continue };
            let (mut rest, names) = (path, self.prefix.iter().copied().chain([name]));
            let is_it = path.ends_with(name)
                && names.into_iter().all(|name| match rest.strip_prefix(name) {
                    Some(behind) => {
                        let next = behind.strip_prefix('.');
                        let is_whole = behind.is_empty() || next.is_some();
                        rest = next.unwrap_or("");
                        is_whole
                    }
                    None => false,
                })
                && rest.is_empty();
            if is_it {
                one.holds = Some(cell.is_none_or(|cell| holds(cell, kind, &one.test)));
            }
        }
    }
}

impl Members for Look<'_> {
    fn member(&mut self, name: &'static str, cell: Cell<'_>) {
        self.meet(name, Some(cell));
    }

    fn object(&mut self, name: &'static str, members: impl FnOnce(&mut Self)) {
        self.meet(name, None);
        self.prefix.push(name);
        members(self);
        self.prefix.pop();
    }
}

/// Whether a member satisfies the comparison.
fn holds(cell: Cell<'_>, kind: Kind, test: &Test) -> bool {
    let Test::Compare(operator, Literal { text, number }) = test else { return true };
    let compare = |own: &str| {
        let short = own.rsplit('.').next().unwrap_or(own);
        let own = if kind == Kind::TypeName && !text.contains('.') { short } else { own };
        own.cmp(text)
    };
    let order = match cell {
        Cell::Number(value) => number.and_then(|number| number.order_of(value)),
        Cell::Flag(value) => Some(compare(if value { "true" } else { "false" })),
        Cell::Word(value) | Cell::Text(value) => Some(compare(value)),
        Cell::Shown(value) => Some(compare(&value.to_string())),
        Cell::Time(value) => Some(compare(&value.to_string())),
        Cell::Octets(octets) => Some(write_hex(octets).as_str().cmp(&text.to_ascii_lowercase())),
    };
    operator.holds(order)
}

/// The value of an expression of which some comparisons are not known yet.
fn decide(expression: &Expression, comparisons: &[Compared]) -> Option<bool> {
    let joined = |parts: &[Expression], decisive: bool| {
        let mut answer = Some(!decisive);
        for part in parts {
            match decide(part, comparisons) {
                Some(known) if known == decisive => return Some(decisive),
                Some(_) => {}
                None => answer = None,
            }
        }
        answer
    };
    match expression {
        Expression::Comparison(at) => comparisons.get(*at).and_then(|one| one.holds),
        Expression::Not(inner) => decide(inner, comparisons).map(|known| !known),
        Expression::All(parts) => joined(parts, false),
        Expression::Any(parts) => joined(parts, true),
    }
}

/// Finds the field of a comparison, and checks that it has this comparison.
fn compared<'m>(
    one: Comparison,
    known: &Known<'_>,
    mut schemas: impl Iterator<Item = Result<Candidate<'m>, Error>>,
) -> Result<Compared, Error> {
    let Comparison { path, test, column } = one;
    let text = told(&path);
    if let Some(field) = fields::find(&text) {
        let unfit = |why: String| Err(fail("where.kind", format!("`{text}` {why}"), column));
        match (field.kind, &test) {
            (Kind::Violations, _) => {
                return unfit("is known only after the expression has chosen the frame: ask for `problem`".into());
            }
            (_, Test::Exists) => {}
            (Kind::Object, _) => {
                return unfit("has fields, and can be asked only whether it is there".into());
            }
            (Kind::Number, Test::Compare(_, literal)) if literal.number.is_none() => {
                return unfit(format!("is a number, and `{}` is none", literal.text));
            }
            (Kind::Flag, Test::Compare(Operator::Equal | Operator::NotEqual, literal))
                if matches!(literal.text.as_str(), "true" | "false") => {}
            (Kind::Flag, _) => return unfit("is `true` or `false`".into()),
            _ => {}
        }
        if let Err(Unsuited { why, advice }) = suits(field, &test, known) {
            return Err(fail("where.kind", format!("`{text}` {why}"), column).advise(advice));
        }
        return Ok(Compared { what: What::Record(field.path, field.kind), test, holds: None });
    }
    let is_name = |at: usize, name: &str| matches!(path.get(at), Some(Segment::Name(one)) if one == name);
    if !(is_name(0, "message") && is_name(1, "value") && path.len() > 2) {
        let error = fail("where.field", format!("no record has a field `{text}`"), column);
        let advice = fields::alike(&text, FIELDS.iter().map(|field| field.path));
        return Err(error.advise(advice.unwrap_or_else(|| "fields of a message are under `message.value`".into())));
    }
    let rest = path[2..].to_vec();
    let mut unfit = None;
    let mut names = Vec::new();
    let found = schemas.find_map(|schema| {
        let of = match schema {
            Ok(of) => of,
            Err(error) => return Some(Err(error)),
        };
        let Some(place) = Place::find(of.model, of.type_id, &rest) else {
            names.extend(value::names(of.model, of.type_id, &rest));
            return None;
        };
        match place.check(of.model, &test) {
            Ok(()) => Some(Ok(())),
            Err(value::Unfit(why)) => {
                unfit.get_or_insert(why);
                None
            }
        }
    });
    match (found, unfit) {
        (Some(Ok(())), _) => Ok(Compared { what: What::Value(rest), test, holds: None }),
        (Some(Err(error)), _) => Err(error),
        (None, Some(why)) => Err(fail("where.kind", format!("`{text}` {why}"), column)),
        (None, None) => {
            let error = fail("where.field", format!("no message has a field `{text}`"), column);
            let advice = fields::alike(&text, names.iter().map(String::as_str));
            Err(error.advise(advice.unwrap_or_else(|| "`roadwire list types -s SCHEMA` has the types' names".into())))
        }
    }
}

/// Why a comparison is never true, or always, and what to write.
struct Unsuited {
    why: String,
    advice: String,
}

/// Whether a field of a record may have the value that it is compared with.
fn suits(field: &fields::Field, test: &Test, known: &Known<'_>) -> Result<(), Unsuited> {
    let unsuited = |why: String, advice: String| Err(Unsuited { why, advice });
    if !known.verifies && matches!(field.path, "security.reason" | "security.noted" | "security.altered_copy") {
        return unsuited("is known only of messages that are verified".into(), "add --verify".into());
    }
    let Test::Compare(operator, literal) = test else { return Ok(()) };
    let literal = literal.text.as_str();
    match field.kind {
        Kind::Time if !is_time(literal) => {
            let why = format!("is a time, and `{literal}` is not the beginning of one");
            return unsuited(why, "write it as in 2019-06-11T08:14:02.5Z, or its beginning".into());
        }
        Kind::Octets if !literal.bytes().all(|digit| digit.is_ascii_hexdigit()) => {
            return unsuited(format!("is octets in hex, and `{literal}` is not"), "each octet is two digits".into());
        }
        _ => {}
    }
    let words: Vec<&str> = match (field.path, fields::words(field.path)) {
        ("message.schema", _) => known.names.iter().map(|(schema, _)| *schema).collect(),
        // With or without its module.
        ("message.type", _) if literal.contains('.') => known.names.iter().map(|(_, name)| *name).collect(),
        ("message.type", _) => {
            let mut words: Vec<&str> =
                known.names.iter().map(|(_, name)| name.rsplit('.').next().unwrap_or(name)).collect();
            words.sort_unstable();
            words.dedup();
            words
        }
        ("link", Some(_)) if literal.strip_prefix("link-type-").is_some_and(|number| number.parse::<u16>().is_ok()) => {
            return Ok(());
        }
        (_, Some(words)) => words.to_vec(),
        (_, None) => return Ok(()),
    };
    if operator.needs_order() {
        return unsuited("is a word, and not more or less than another".into(), "compare it with == or !=".into());
    }
    if !words.contains(&literal) {
        return unsuited(format!("is never `{literal}`"), fields::like_word(literal, &words));
    }
    if field.path == "security.verdict" && !known.verifies && !fields::is_unverified(literal) {
        let why = format!("is `{literal}` only of messages that are verified");
        return unsuited(why, "add --verify".into());
    }
    Ok(())
}

/// Whether a text is a time as RFC 3339 writes it in UTC, or the beginning of one.
fn is_time(text: &str) -> bool {
    const PATTERN: &[u8] = b"0000-00-00T00:00:00";
    let fits = |(octet, pattern): (&u8, &u8)| match pattern {
        b'0' => octet.is_ascii_digit(),
        other => octet == other,
    };
    let (head, rest) = text.as_bytes().split_at(text.len().min(PATTERN.len()));
    let rest = rest.strip_suffix(b"Z").unwrap_or(rest);
    let is_fraction = match rest.split_first() {
        None => true,
        Some((first, digits)) => *first == b'.' && digits.iter().all(u8::is_ascii_digit),
    };
    head.iter().zip(PATTERN).all(fits) && is_fraction
}

/// A path as it is written.
fn told(path: &[Segment]) -> String {
    let mut text = String::new();
    for segment in path {
        match segment {
            Segment::Name(name) if text.is_empty() => text.push_str(name),
            Segment::Name(name) => text.extend([".", name]),
            Segment::Index(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}
