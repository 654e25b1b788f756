//! Which shipped message the octets of a recorded frame are: the port is a hint, and the octets
//! decide.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use roadwire::{
    Check, Checked, Codec, CodecError, Cursor, Guesser, Rules, SCHEMAS, Schema, Tape, Transcoder, TypeId, UnknownType,
    Value, Violation,
};
use roadwire_capture::btp::port;
#[cfg(feature = "columns")]
use roadwire_columns::Columns;
use roadwire_model::{Model, check};
use roadwire_security::Contents;
use roadwire_wire::Data;

use crate::Error;
use crate::problem::Problem;

/// The messages of one kind: their port, their number in the ITS PDU header, and the schemas by
/// protocol version. The newest schema is the last one: each takes what earlier ones take.
struct Kind {
    port: u16,
    number: u8,
    first: &'static [&'static str],
    second: &'static [&'static str],
}

const KINDS: [Kind; 10] = [
    Kind { port: port::CAM, number: 2, first: &["cam-1.3.0"], second: &["cam-1.4.1", "cam-2.3.1"] },
    Kind { port: port::DENM, number: 1, first: &["denm-1.2.0"], second: &["denm-1.3.1", "denm-2.3.1"] },
    Kind { port: port::MAPEM, number: 5, first: &[], second: &["mapem-2.1.1"] },
    Kind { port: port::SPATEM, number: 4, first: &[], second: &["spatem-2.1.1"] },
    Kind { port: port::IVIM, number: 6, first: &[], second: &["ivim-2.1.1"] },
    Kind { port: port::SREM, number: 9, first: &[], second: &["srem-2.1.1"] },
    Kind { port: port::SSEM, number: 10, first: &[], second: &["ssem-2.1.1"] },
    Kind { port: port::CPM, number: 14, first: &["cpm-tr-103562"], second: &["cpm-2.1.1"] },
    Kind { port: port::RTCMEM, number: 13, first: &[], second: &["rtcmem-2.1.1"] },
    Kind { port: port::VAM, number: 16, first: &[], second: &["vam-2.3.1"] },
];

/// The schemas that have been read, of which there is one for each name.
pub struct Schemas(Vec<Entry>);

struct Entry {
    name: &'static str,
    /// As `Module.Type`.
    type_name: &'static str,
    is_own: bool,
    schema: OnceLock<Arc<Schema>>,
    /// The interpreter's codecs of the type, from UPER and to JER.
    codecs: OnceLock<(Codec<'static>, Codec<'static>)>,
    /// Of its values. Arrays that are made of copies of them have the names of enumerations in
    /// common, which is how small batches become one.
    #[cfg(feature = "columns")]
    columns: OnceLock<Columns>,
}

impl Schemas {
    /// The schemas that roadwire ships for recorded messages.
    #[must_use]
    pub fn new() -> Self {
        let names = KINDS.iter().flat_map(|kind| kind.first.iter().chain(kind.second));
        let type_name = |name| SCHEMAS.iter().find(|entry| entry.name == name).map_or("", |entry| entry.pdu());
        let entry = |name: &&'static str| Entry::new(name, type_name(*name), false, OnceLock::new());
        Schemas(names.map(entry).collect())
    }

    /// In front of all others, a type of the user's own modules: of any port. It is called by its
    /// module.
    ///
    /// # Errors
    /// The type is not there, or none is named and there are several.
    pub fn with_own(mut self, schema: Schema, type_name: Option<&str>) -> Result<Self, UnknownType> {
        let id = schema.find(type_name)?;
        let definitions = &schema.model().definitions;
        let found = definitions.iter().find(|(_, known)| **known == id).map(|(name, _)| name.clone());
        let Some(name) = found else { return Ok(self) };
        // For as long as the program runs, as the names of shipped schemas are.
        let (module, full): (&'static str, &'static str) = (name.module.clone().leak(), name.to_string().leak());
        self.0.insert(0, Entry::new(module, full, true, Arc::new(schema).into()));
        Ok(self)
    }
}

impl Default for Schemas {
    fn default() -> Self {
        Schemas::new()
    }
}

impl Entry {
    fn new(name: &'static str, type_name: &'static str, is_own: bool, schema: OnceLock<Arc<Schema>>) -> Self {
        #[cfg(feature = "columns")]
        let columns = OnceLock::new();
        Entry {
            name,
            type_name,
            is_own,
            schema,
            codecs: OnceLock::new(),
            #[cfg(feature = "columns")]
            columns,
        }
    }
}

/// Recognises messages. Codecs are made when a message first needs them.
pub(crate) struct Recognition<'a> {
    schemas: &'a Schemas,
    candidates: Vec<Candidate<'a>>,
    guesser: Guesser,
    /// For each port, how many messages in a row were unknown.
    unnamed: HashMap<Option<u16>, u8>,
}

/// After so many messages on a port that have no name, no more are guessed in a block: a guess
/// takes a thousand times as long as to decode a message.
const MOST_UNNAMED: u8 = 5;
/// The score of a guess that is believed.
const BELIEVED: f64 = 0.99;

/// A schema, and the message that was taken for one of it.
pub(crate) struct Candidate<'a> {
    pub(crate) name: &'static str,
    /// As `Module.Type`.
    pub(crate) type_name: &'static str,
    entry: &'a Entry,
    type_id: OnceCell<TypeId>,
    /// Generated code, if there is some.
    transcoder: Option<Option<Transcoder>>,
    taken: Taken,
    tape: Tape,
    /// The constraints that it breaks.
    pub(crate) violations: Vec<Violation>,
    json: Vec<u8>,
}

/// Where the message is that was taken last.
enum Taken {
    /// In the generated code's value.
    Generated,
    OnTape,
    /// The interpreter's.
    Value(Value),
}

/// The message that was taken last.
pub(crate) enum Message<'m> {
    Data(&'m dyn Data),
    OnTape(Cursor<'m>),
}

/// One that has taken nothing yet.
impl Clone for Recognition<'_> {
    fn clone(&self) -> Self {
        Recognition::new(self.schemas)
    }
}

impl<'a> Recognition<'a> {
    pub(crate) fn new(schemas: &'a Schemas) -> Self {
        let candidate = |entry: &'a Entry| Candidate {
            name: entry.name,
            type_name: entry.type_name,
            entry,
            type_id: OnceCell::new(),
            transcoder: None,
            taken: Taken::Value(Value::Unset),
            tape: Tape::new(),
            violations: Vec::new(),
            json: Vec::new(),
        };
        Recognition {
            schemas,
            candidates: schemas.0.iter().map(candidate).collect(),
            guesser: Guesser::new().under(&[Rules::Uper]),
            unnamed: HashMap::new(),
        }
    }

    /// Forgets how many messages were unknown: for messages that have nothing to do with each
    /// other, and where a block of a file begins.
    pub(crate) fn forget(&mut self) {
        self.unnamed.clear();
    }

    /// All schemas that messages may be of.
    pub(crate) fn all(&self) -> &[Candidate<'a>] {
        &self.candidates
    }

    /// The schema that a message is of, and the message, which has been taken: see
    /// [`place`](Recognition::place).
    pub(crate) fn taken(&mut self, place: usize) -> Option<&mut Candidate<'a>> {
        self.candidates.get_mut(place)
    }

    /// The place of the first schema that takes all of the octets, with all constraints; the user's
    /// own is asked first. Where the port's take none, or it has none, the octets are
    /// [guessed](Guesser); nothing where that names no schema either.
    ///
    /// # Errors
    /// The error of the port's first schema, if no schema takes the octets.
    pub(crate) fn place(&mut self, port: Option<u16>, octets: &[u8]) -> Result<Option<usize>, Problem> {
        let own = self.candidates.first_mut().filter(|first| first.entry.is_own).map(|first| first.interpreted(octets));
        if let Some(Ok(true)) = own {
            return Ok(Some(0));
        }
        match self.by_port(port, octets) {
            Ok(Some(at)) => Ok(Some(at)),
            // Where no shipped schema fits, the error is that of the user's own.
            Ok(None) if own.is_some() => match self.guessed(port, octets) {
                Some(at) => Ok(Some(at)),
                None => own.map_or(Ok(None), |refused| refused.map(|_| None)),
            },
            refused => match self.guessed(port, octets) {
                Some(at) => Ok(Some(at)),
                None => refused,
            },
        }
    }

    /// The message as the schema of its port that takes most of the octets, with the fewest broken
    /// constraints, for octets that none takes without: to be shown, and for nothing else.
    pub(crate) fn open(&mut self, port: Option<u16>, octets: &[u8]) -> Option<&mut Candidate<'a>> {
        let own = self.candidates.iter().position(|one| one.entry.is_own);
        let of_port = names(port, octets).filter_map(|name| self.candidates.iter().position(|one| one.name == name));
        let places: Vec<usize> = own.into_iter().chain(of_port).collect();
        let mut rated = Vec::new();
        for at in places {
            if self.candidates[at].opened(octets).is_ok() {
                let of = &self.candidates[at];
                rated.push(((Reverse(of.end()), of.violations.len()), at));
            }
        }
        let (_, at) = rated.into_iter().min_by_key(|(rate, _)| *rate)?;
        self.candidates.get_mut(at)
    }

    /// The contents of the messages that octets begin with, of each schema of the port. Where the
    /// port has none, the message's number names the schemas, if a protocol version is before it.
    pub(crate) fn prefixes(&mut self, port: Option<u16>, octets: &[u8]) -> Vec<Contents> {
        let by_port = port.filter(|_| names(port, octets).next().is_some());
        if by_port.is_none() && !matches!(octets.first(), Some(1..=3)) {
            return Vec::new();
        }
        let places: Vec<usize> =
            names(by_port, octets).filter_map(|name| self.candidates.iter().position(|one| one.name == name)).collect();
        places.into_iter().filter_map(|at| self.candidates[at].prefix(octets)).collect()
    }

    /// The place of the schema that a guess names.
    fn guessed(&mut self, port: Option<u16>, octets: &[u8]) -> Option<usize> {
        let unnamed = self.unnamed.entry(port).or_default();
        if *unnamed >= MOST_UNNAMED {
            return None;
        }
        *unnamed += 1;
        let guesses = self.guesser.guess(octets);
        for guess in guesses.iter().filter(|guess| guess.score > BELIEVED) {
            let Some(at) = self.candidates.iter().position(|one| one.name == guess.schema) else { continue };
            let takes = [Candidate::generated, Candidate::interpreted];
            if takes.into_iter().any(|take| take(&mut self.candidates[at], octets).is_ok_and(|taken| taken)) {
                self.unnamed.remove(&port);
                return Some(at);
            }
        }
        None
    }

    /// The place of the first schema of a port that takes the octets.
    fn by_port(&mut self, port: Option<u16>, octets: &[u8]) -> Result<Option<usize>, Problem> {
        let mut first = None;
        // Generated code is asked first: most messages are of a schema that it takes as they are.
        for take in [Candidate::generated, Candidate::interpreted] {
            for name in names(port, octets) {
                let Some(at) = self.candidates.iter().position(|one| one.name == name) else { continue };
                match take(&mut self.candidates[at], octets) {
                    Ok(true) => return Ok(Some(at)),
                    Ok(false) => {}
                    Err(problem) => first = first.or(Some(problem)),
                }
            }
        }
        first.map_or(Ok(None), Err)
    }
}

fn names(port: Option<u16>, octets: &[u8]) -> impl Iterator<Item = &'static str> {
    let is_it = |kind: &&Kind| match port {
        Some(port) => kind.port == port,
        None => octets.get(1) == Some(&kind.number),
    };
    let ordered = KINDS.iter().find(is_it).map(|kind| match octets.first() {
        Some(1) => [kind.first, kind.second],
        _ => [kind.second, kind.first],
    });
    ordered.into_iter().flatten().flatten().copied()
}

impl<'a> Candidate<'a> {
    /// The message that was taken last.
    pub(crate) fn message(&self) -> Message<'_> {
        match (&self.taken, &self.transcoder, self.entry.codecs.get()) {
            (Taken::Generated, Some(Some(code)), _) => Message::Data(code.message()),
            (Taken::OnTape, _, Some((from, _))) => {
                from.on(&self.tape).map_or(Message::Data(&Value::Unset), Message::OnTape)
            }
            (Taken::Value(value), ..) => Message::Data(value),
            (Taken::Generated | Taken::OnTape, ..) => Message::Data(&Value::Unset),
        }
    }

    /// Writes that message in JER.
    ///
    /// # Errors
    /// It has no JER: a constraint is broken that is not checked before.
    pub(crate) fn write_json(&mut self, octets: &[u8]) -> Result<(), Problem> {
        self.json.clear();
        if let Taken::Generated = self.taken {
            if let Some(text) = self.transcoder.as_mut().and_then(|code| code.as_mut()?.encode()) {
                self.json.extend_from_slice(text);
                return Ok(());
            }
            self.interpreted(octets)?;
        }
        let (from, to) = self.codecs()?;
        let text = matches!(self.taken, Taken::OnTape).then(|| to.write_on(&self.tape)).flatten();
        self.json = match (&self.taken, text) {
            (_, Some(text)) => text,
            (Taken::Value(value), _) if self.violations.is_empty() => to.encode(value)?,
            _ => from.convert_checked(to, octets, Check::Encoding)?.value,
        };
        Ok(())
    }

    /// The text that was written.
    pub(crate) fn json(&self) -> &str {
        std::str::from_utf8(&self.json).unwrap_or_default()
    }

    /// The schema's types, and which one the message is of.
    ///
    /// # Errors
    /// The schema cannot be read, which does not happen: tests read all of them.
    pub(crate) fn types(&self) -> Result<(&'a Model, TypeId), Error> {
        let schema = self.schema()?;
        if self.type_id.get().is_none() {
            let found = schema.find(Some(self.type_name));
            let found = found.map_err(|error| Error::usage(error.code(), error.to_string()))?;
            self.type_id.get_or_init(|| found);
        }
        self.type_id.get().map(|type_id| (schema.model(), *type_id)).ok_or_else(|| self.unreadable())
    }

    fn schema(&self) -> Result<&'a Arc<Schema>, Error> {
        let cell = &self.entry.schema;
        if cell.get().is_none() {
            let read = Schema::shipped(self.name).map_err(|_| self.unreadable())?;
            cell.get_or_init(|| Arc::new(read));
        }
        cell.get().ok_or_else(|| self.unreadable())
    }

    #[cold]
    fn unreadable(&self) -> Error {
        Error::usage("schema.unknown", format!("the schema `{}` cannot be read", self.name))
    }

    /// Empty columns for messages of the schema.
    ///
    /// # Errors
    /// The type has none.
    #[cfg(feature = "columns")]
    pub(crate) fn columns(&self) -> Result<Columns, Error> {
        let cell = &self.entry.columns;
        if cell.get().is_none() {
            let (model, type_id) = self.types()?;
            let made = Columns::new(model, type_id, &[])?.with_gaps();
            cell.get_or_init(|| made);
        }
        cell.get().cloned().ok_or_else(|| self.unreadable())
    }

    /// Whether generated code takes the octets.
    fn generated(&mut self, octets: &[u8]) -> Result<bool, Problem> {
        let shipped = || Transcoder::shipped(self.name, None, Rules::Uper, Rules::Jer);
        let code = self.transcoder.get_or_insert_with(shipped);
        self.taken = Taken::Generated;
        self.violations.clear();
        Ok(code.as_mut().is_some_and(|code| code.decode(octets).is_some()))
    }

    /// The contents of the message that the octets begin with. Constraints that its encoding does
    /// not need are not checked: a decoder might act on it.
    fn prefix(&mut self, octets: &[u8]) -> Option<Contents> {
        let (model, type_id) = self.types().ok()?;
        let (from, _) = self.codecs().ok()?;
        let decoded = match from.decode_checked(octets, Check::Encoding) {
            Err(error) if error.code() == "input.trailing" => {
                from.decode_checked(octets.get(..error.bit()? / 8)?, Check::Encoding)
            }
            decoded => decoded,
        };
        Some(Contents::of_message(model, type_id, &decoded.ok()?.value))
    }

    fn interpreted(&mut self, octets: &[u8]) -> Result<bool, Problem> {
        let (schema, (_, type_id)) = (self.schema()?, self.types()?);
        let (from, to) = self.codecs()?;
        self.violations.clear();
        // In packed rules a tape has no additions that JER could not carry.
        if from.decode_kept_on(&mut self.tape, octets).is_some() {
            self.taken = Taken::OnTape;
            return Ok(true);
        }
        let value = from.decode(octets)?;
        if let Some(violation) = check::constraints(schema.model(), type_id, &value).first() {
            return Err(Problem::of_violation(violation));
        }
        schema.can_carry(type_id, &value, from.rules(), to.rules())?;
        self.taken = Taken::Value(value);
        Ok(true)
    }

    /// Takes octets that break constraints.
    fn opened(&mut self, octets: &[u8]) -> Result<(), Problem> {
        let (schema, (_, type_id)) = (self.schema()?, self.types()?);
        let (from, to) = self.codecs()?;
        let Checked { value, violations } = from.decode_shown(octets, Check::Encoding)?;
        schema.can_carry(type_id, &value, from.rules(), to.rules())?;
        (self.taken, self.violations) = (Taken::Value(value), violations);
        Ok(())
    }

    /// The bit of the message up to which its value could be read; beyond all of them if it is
    /// whole.
    fn end(&self) -> usize {
        let last = self.violations.last().filter(|last| last.code == "choice.index");
        last.and_then(|last| last.at).unwrap_or(usize::MAX)
    }

    /// The interpreter's codecs, for messages that generated code does not take, and for errors.
    fn codecs(&self) -> Result<&'a (Codec<'static>, Codec<'static>), Problem> {
        let cell = &self.entry.codecs;
        if cell.get().is_none() {
            let (schema, (_, type_id)) = (self.schema()?, self.types()?);
            let one = |rules| schema.shared_codec(type_id, rules).map_err(CodecError::NoLayout);
            let made = (one(Rules::Uper)?, one(Rules::Jer)?);
            cell.get_or_init(|| made);
        }
        cell.get().ok_or_else(|| self.unreadable().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_nobody_can_name_are_guessed_only_so_often() {
        let schemas = Schemas::new();
        let mut recognition = Recognition::new(&schemas);
        for _ in 0..2 * MOST_UNNAMED {
            assert!(recognition.place(Some(4711), &[0xff; 14]).is_ok_and(|known| known.is_none()));
        }
        assert_eq!(recognition.unnamed.get(&Some(4711)), Some(&MOST_UNNAMED));
    }
}
