//! `roadwire inspect`: every bit of a message, and what it is.

use roadwire_engine::{Item, Limits, Listener, What, decode_with};
use roadwire_layout::Layout;
use roadwire_model::{Model, TypeId, Value};
use roadwire_wire::Step;
use serde_json::{Value as Json, json};

use crate::args::InspectArgs;
use crate::codec::{self, layout};
use crate::dump::{Row, Widths, bits};
use crate::failure::{Exit, Failure};
use crate::input;
use crate::meaning::{self, Meaning};
use crate::output::Output;
use crate::schema::Schema;

pub(crate) fn run(args: &InspectArgs, json: bool) -> Result<Exit, Failure> {
    let schema = Schema::load(&args.schema, json)?;
    let type_id = schema.type_id(args.type_name.as_deref())?;
    let layout = layout(schema.model(), type_id, args.rules)?;
    let octets = if args.rules.is_text() { input::read_value(&args.input.input)? } else { input::octets(&args.input)? };

    let mut output = Output::stdout()?;
    let walk =
        |each: &mut dyn FnMut(&Row) -> Result<(), Failure>| walk(schema.model(), type_id, &layout, &octets, each);
    let end = if json {
        walk(&mut |row| output.write(format!("{}\n", to_json(row, &octets)).as_bytes()))
    } else {
        // Once to find the widths of the columns, and once to print: nothing is kept in memory.
        let mut widths = Widths::new(octets.len() * 8);
        let _ = walk(&mut |row| {
            widths.fit(row);
            Ok(())
        });
        output.write(widths.head().as_bytes())?;
        walk(&mut |row| output.write(widths.row(row, &octets).as_bytes()))
    };
    match end {
        Ok(()) => Ok(Exit::Done),
        Err(failure) => Err(input::of_message(&octets, failure).in_file(&input::display_name(&args.input.input))),
    }
}

/// Decodes, and calls `each` for each run of bits, in order and without gaps, up to the last bit of the input.
///
/// # Errors
/// The error of `each`, or otherwise that of the message.
fn walk(
    model: &Model,
    type_id: TypeId,
    layout: &Layout,
    octets: &[u8],
    each: &mut dyn FnMut(&Row) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut walker = Walker {
        place: vec![Place { length: 0, ty: Some(type_id) }],
        path: String::new(),
        next: 0,
        stopped: None,
        model,
        each,
    };
    let decoded = decode_with(layout, octets, &mut Value::Unset, &Limits::for_input(octets), &mut walker);
    let (next, stopped) = (walker.next, walker.stopped.take());
    if let Some(failure) = stopped {
        return Err(failure);
    }
    let (what, failure) = match &decoded {
        Ok(used) => ("after", codec::after(layout, octets, *used)),
        Err(error) => {
            ("unread", Some(codec::refusal(error, Some(error.bit)).advise("is it another type or version (-s, -t)?")))
        }
    };
    let left = (octets.len() * 8).saturating_sub(next);
    if left > 0 {
        // A type that takes no bits has an octet of padding (X.691 §11.1).
        let what = if failure.is_none() { "padding" } else { what };
        each(&Row { bit: next, count: left, what, value: Json::Null, meaning: None, path: String::new() })?;
    }
    failure.map_or(Ok(()), Err)
}

/// Follows the decoder through the type.
struct Walker<'a> {
    model: &'a Model,
    /// The path from the root to the decoder's position.
    place: Vec<Place>,
    path: String,
    /// The first bit that has not been reported.
    next: usize,
    stopped: Option<Failure>,
    each: &'a mut dyn FnMut(&Row) -> Result<(), Failure>,
}

struct Place {
    /// The length of the path before this step.
    length: usize,
    /// The type, as far as the model can be followed.
    ty: Option<TypeId>,
}

impl Walker<'_> {
    fn row(&mut self, row: &Row) {
        if self.stopped.is_none() {
            self.stopped = (self.each)(row).err();
        }
    }
}

impl Listener for Walker<'_> {
    fn enter(&mut self, step: Step<'_>) {
        let outer = self.place.last().and_then(|place| place.ty);
        self.place
            .push(Place { length: self.path.len(), ty: outer.and_then(|ty| meaning::child(self.model, ty, step)) });
        match step {
            Step::Name(name) => {
                if !self.path.is_empty() {
                    self.path.push('.');
                }
                self.path.push_str(name);
            }
            Step::Index(index) => self.path.push_str(&format!("[{index}]")),
        }
    }

    fn leave(&mut self) {
        if let Some(place) = self.place.pop() {
            self.path.truncate(place.length);
        }
    }

    fn item(&mut self, _: &Layout, item: &Item<'_>) {
        let ty = self.place.last().and_then(|place| place.ty);
        let said = |value: Json| Meaning { value, words: None };
        let inner = |name: &str| match (self.path.is_empty(), name.is_empty()) {
            (_, true) => self.path.clone(),
            (true, false) => name.to_owned(),
            (false, false) => format!("{}.{name}", self.path),
        };
        let (what, meaning, path) = match item.what {
            What::Extension(there) => ("extension", said(there.into()), inner("")),
            What::Presence(name, there) => ("presence", said(there.into()), inner(name)),
            What::AdditionCount(count) => ("additions", said(count.into()), inner("")),
            What::Addition(index, "", there) => ("addition", said(there.into()), inner(&format!("...{index}"))),
            What::Addition(_, name, there) => ("addition", said(there.into()), inner(name)),
            What::Choice(index, name) => {
                let words = (!name.is_empty()).then(|| name.to_owned());
                ("choice", Meaning { value: index.into(), words }, inner(""))
            }
            What::Length(u64::MAX) => ("length", said("indefinite".into()), inner("")),
            What::Length(length) => ("length", said(length.into()), inner("")),
            What::OpenLength(octets) => {
                ("length", Meaning { value: octets.into(), words: Some("octets".into()) }, inner(""))
            }
            What::Tag(name) => ("tag", said(Json::Null), inner(name)),
            What::Name(name) => ("name", said(name.into()), inner("")),
            What::Event(event, name) => ("event", said(format!("{event} {name}").trim_end().into()), inner("")),
            What::Header(part) => ("header", said(part.into()), String::new()),
            What::End => ("end", said(Json::Null), inner("")),
            What::Value(name) => ("value", meaning::of(self.model, ty, item.value, name), inner("")),
            What::Unknown => ("unknown", meaning::of(self.model, None, item.value, ""), inner("")),
            What::Padding => ("padding", said(Json::Null), String::new()),
        };
        // An open type in fragments (X.691 §11.9.3.8) is reported as fragments, and then again reassembled, as rows of no bits.
        let again = item.bit < self.next;
        let (bit, count) = if again { (self.next, 0) } else { (item.bit, item.bits) };
        self.next = bit.saturating_add(count);
        self.row(&Row { bit, count, what, value: meaning.value, meaning: meaning.words, path });
    }
}

fn to_json(row: &Row, octets: &[u8]) -> Json {
    let mut object = json!({
        "bit": row.bit,
        "count": row.count,
        "bits": bits(octets, row.bit, row.count),
        "what": row.what,
        "path": row.path,
        "value": row.value,
    });
    if let (Some(words), Some(object)) = (&row.meaning, object.as_object_mut()) {
        object.insert("meaning".to_owned(), json!(words));
    }
    object
}
