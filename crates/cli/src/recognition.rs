//! Which shipped message the octets of a recorded frame are: the port is a hint, and the octets decide.

use std::cell::OnceCell;

use roadwire::{Codec, Rules, SCHEMAS, Transcoder};
use roadwire_capture::btp::port;

use crate::codec::{self, codec};
use crate::failure::Failure;
use crate::schema::Schema;

/// The messages of one kind: their port, their number in the ITS PDU header, and the schemas by protocol version. The newest schema is the last one: each takes what earlier ones take.
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
#[derive(Default)]
pub(crate) struct Schemas(Vec<(&'static str, OnceCell<Schema>)>);

impl Schemas {
    pub(crate) fn new() -> Self {
        let names = KINDS.iter().flat_map(|kind| kind.first.iter().chain(kind.second));
        Schemas(names.map(|name| (*name, OnceCell::new())).collect())
    }
}

/// What octets were taken for.
pub(crate) struct Recognized<'r> {
    pub(crate) schema: &'static str,
    /// As `Module.Type`.
    pub(crate) type_name: &'static str,
    /// The value, in JER.
    pub(crate) value: &'r [u8],
}

/// Takes messages for what they are. Codecs are made when a message first needs them.
pub(crate) struct Recognition<'a> {
    candidates: Vec<Candidate<'a>>,
    value: Vec<u8>,
}

struct Candidate<'a> {
    name: &'static str,
    cell: &'a OnceCell<Schema>,
    /// Generated code, if there is some.
    transcoder: Option<Option<Transcoder>>,
    /// The interpreter, for what generated code does not take, and for what is wrong.
    interpreter: Option<(Codec<'a>, Codec<'a>)>,
}

impl<'a> Recognition<'a> {
    pub(crate) fn new(schemas: &'a Schemas) -> Self {
        let candidate =
            |(name, cell): &'a (&'static str, _)| Candidate { name, cell, transcoder: None, interpreter: None };
        Recognition { candidates: schemas.0.iter().map(candidate).collect(), value: Vec::new() }
    }

    /// The first schema that takes all of the octets, with all constraints; nothing where no shipped message has this port, or, without a port, this number.
    ///
    /// # Errors
    /// What the first schema says of octets that none takes.
    pub(crate) fn recognize(&mut self, port: Option<u16>, octets: &[u8]) -> Result<Option<Recognized<'_>>, Failure> {
        let is_it = |kind: &&Kind| match port {
            Some(port) => kind.port == port,
            None => octets.get(1) == Some(&kind.number),
        };
        let Some(kind) = KINDS.iter().find(is_it) else { return Ok(None) };
        let ordered = match octets.first() {
            Some(1) => [kind.first, kind.second],
            _ => [kind.second, kind.first],
        };
        let names = || ordered.into_iter().flatten().copied();
        // Generated code is asked first: most messages are of a schema that it takes as they are.
        for name in names() {
            let candidate = self.candidates.iter_mut().find(|candidate| candidate.name == name);
            let code = candidate.and_then(Candidate::generated);
            if let Some(value) = code.and_then(|code| code.convert(octets)) {
                self.value.clear();
                self.value.extend_from_slice(value);
                return Ok(Some(self.recognized(name)));
            }
        }
        let mut first = None;
        for name in names() {
            let candidate = self.candidates.iter_mut().find(|candidate| candidate.name == name);
            match candidate.map(|one| one.interpreted(octets)) {
                Some(Ok(value)) => {
                    self.value = value;
                    return Ok(Some(self.recognized(name)));
                }
                Some(Err(failure)) => first = first.or(Some(failure)),
                None => {}
            }
        }
        first.map_or(Ok(None), Err)
    }

    fn recognized(&self, schema: &'static str) -> Recognized<'_> {
        let type_name = SCHEMAS.iter().find(|entry| entry.name == schema).map_or("", |entry| entry.pdu());
        Recognized { schema, type_name, value: &self.value }
    }
}

impl Candidate<'_> {
    fn generated(&mut self) -> Option<&mut Transcoder> {
        let shipped = || Transcoder::shipped(self.name, None, Rules::Uper, Rules::Jer);
        self.transcoder.get_or_insert_with(shipped).as_mut()
    }

    fn interpreted(&mut self, octets: &[u8]) -> Result<Vec<u8>, Failure> {
        if self.cell.get().is_none() {
            let read = Schema::of_name(self.name)?;
            self.cell.get_or_init(|| read);
        }
        let Some(schema) = self.cell.get() else { return Err(Failure::told()) };
        let type_id = schema.type_id(None)?;
        let (from, to) = match self.interpreter.take() {
            Some(codecs) => codecs,
            None => {
                let one = |rules| codec(schema, type_id, rules, false, false);
                (one(Rules::Uper)?, one(Rules::Jer)?)
            }
        };
        let (from, to) = self.interpreter.insert((from, to));
        let value = codec::decode(from, octets)?;
        codec::keeps_constraints(schema.model(), type_id, &value)?;
        codec::can_carry(&schema.schema, type_id, &value, from, to)?;
        codec::encode(to, &value, false)
    }
}
