//! `roadwire.Schema`.

use std::collections::HashMap;
use std::str::FromStr as _;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};
use roadwire::{Check, Codec, CodecError, Rules, Source, Transcoder, TypeId, Value};
use roadwire_model::{Model, check};

use crate::error::Problem;
use crate::fill::fill;
use crate::node::Nodes;
use crate::objects::object;
use crate::violations;

/// The types of some modules, and their codecs: `roadwire.schema` or `roadwire.compile` makes one.
///
/// Values are dicts, lists and scalars in the form of JER (X.697):
///
/// - SEQUENCE, SET: dict; absent components, and those at their DEFAULT, are left out
/// - SEQUENCE OF, SET OF: list (a tuple is taken, too)
/// - CHOICE: dict with one entry, `{alternative: value}`
/// - INTEGER: int; REAL: float (or an int that is one); BOOLEAN: bool; NULL: None
/// - ENUMERATED: str, the item's name
/// - OCTET STRING: bytes (a bytearray or memoryview is taken, too)
/// - BIT STRING: tuple of bytes and the number of bits; unused bits of the last octet are zero
/// - character strings, times, object identifiers: str
/// - open type: the value inside, if the enclosing value says its type; otherwise bytes
/// - OCTET STRING (CONTAINING T): `{"containing": value}`
///
/// A part that only a later version of the schema has gets a name that cannot be an identifier:
/// `"...N": bytes`, where N is its place among all extension additions.
///
/// It may be used by several threads, and pickled.
#[pyclass(frozen, module = "roadwire", name = "Schema")]
pub(crate) struct Schema {
    /// Of a shipped schema.
    name: Option<&'static str>,
    schema: Arc<roadwire::Schema>,
    nodes: Nodes,
    /// The type that is meant where none is named, if one was given.
    main: Option<TypeId>,
    /// Codecs of the types that were asked for; of the type that is meant where none is named,
    /// without a look at the table.
    codecs: RwLock<HashMap<TypeId, Arc<Codecs>>>,
    own: OnceLock<Arc<Codecs>>,
}

/// The codecs of a type: each made when it is first needed.
pub(crate) struct Codecs {
    type_id: TypeId,
    by_rules: [OnceLock<Both>; Rules::ALL.len()],
    pairs: Mutex<HashMap<(Rules, Rules), Vec<Transcoder>>>,
}

/// The two codecs of a type under some rules.
struct Both {
    /// Generated code, if there is some: one for each thread that works.
    generated: Option<Mutex<Vec<Transcoder>>>,
    interpreter: OnceLock<Result<Codec<'static>, Problem>>,
}

/// A schema that roadwire ships, such as `cam-1.4.1`; `roadwire.schemas()` has the names.
///
/// Raises `Error` (`schema.unknown`) for another name.
///
/// >>> import roadwire
/// >>> roadwire.schema("cam-1.4.1").pdus
/// ['CAM-PDU-Descriptions.CAM']
#[pyfunction]
pub(crate) fn schema(py: Python<'_>, name: &str) -> PyResult<Py<Schema>> {
    static READ: Mutex<Option<HashMap<&'static str, Py<Schema>>>> = Mutex::new(None);
    if let Some(known) = lock(&READ).get_or_insert_default().get(name) {
        return Ok(known.clone_ref(py));
    }
    let schema = py.detach(|| roadwire::Schema::shipped(name)).map_err(Problem::from)?;
    let entry = roadwire::SCHEMAS.iter().find(|entry| entry.name == name).map(|entry| entry.name);
    let made = Py::new(py, Schema::new(schema, entry, None))?;
    if let Some(name) = entry {
        lock(&READ).get_or_insert_default().insert(name, made.clone_ref(py));
    }
    Ok(made)
}

/// A schema of the caller's own modules: names and texts, and the type that is meant where none is
/// named.
#[pyfunction]
pub(crate) fn compile(py: Python<'_>, modules: Vec<(String, Vec<u8>)>, main: Option<&str>) -> PyResult<Schema> {
    let sources = modules.into_iter().map(|(name, text)| Source::new(name, text)).collect();
    let schema = py.detach(|| roadwire::Schema::compile(sources)).map_err(Problem::from)?;
    let main = main.map(|name| schema.find(Some(name))).transpose().map_err(Problem::from)?;
    Ok(Schema::new(schema, None, main))
}

impl Schema {
    fn new(schema: roadwire::Schema, name: Option<&'static str>, main: Option<TypeId>) -> Self {
        let schema = Arc::new(schema);
        let nodes = Nodes::new(Arc::clone(&schema));
        Schema { name, schema, nodes, main, codecs: RwLock::default(), own: OnceLock::new() }
    }

    pub(crate) fn shared(&self) -> &roadwire::Schema {
        &self.schema
    }

    pub(crate) fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    pub(crate) fn model(&self) -> &Model {
        self.schema.model()
    }

    /// The type of this name, or the one that is meant where none is named.
    pub(crate) fn find(&self, name: Option<&str>) -> Result<TypeId, Problem> {
        match (name, self.main) {
            (None, Some(main)) => Ok(main),
            (name, _) => Ok(self.schema.find(name)?),
        }
    }

    pub(crate) fn codecs(&self, name: Option<&str>) -> Result<Arc<Codecs>, Problem> {
        if let (None, Some(own)) = (name, self.own.get()) {
            return Ok(Arc::clone(own));
        }
        let type_id = self.find(name)?;
        let known = self.codecs.read().unwrap_or_else(PoisonError::into_inner).get(&type_id).cloned();
        let codecs = known.unwrap_or_else(|| {
            let mut all = self.codecs.write().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry(type_id).or_insert_with(|| Arc::new(Codecs::new(type_id))))
        });
        if name.is_none() {
            return Ok(Arc::clone(self.own.get_or_init(|| codecs)));
        }
        Ok(codecs)
    }

    /// The name of a type, as `Module.Type`.
    fn name_of(&self, type_id: TypeId) -> Option<String> {
        let definitions = &self.schema.model().definitions;
        definitions.iter().find(|(_, id)| **id == type_id).map(|(name, _)| name.to_string())
    }

    /// Generated code from some rules to others, if there is some.
    fn transcoder(&self, type_id: TypeId, from: Rules, to: Rules) -> Option<Transcoder> {
        Transcoder::shipped(self.name?, self.name_of(type_id).as_deref(), from, to)
    }

    fn both<'c>(&self, codecs: &'c Codecs, rules: Rules) -> &'c Both {
        codecs.by_rules[rules as usize].get_or_init(|| Both {
            generated: self.transcoder(codecs.type_id, rules, rules).map(|code| Mutex::new(vec![code])),
            interpreter: OnceLock::new(),
        })
    }

    pub(crate) fn interpreter<'c>(&self, codecs: &'c Codecs, rules: Rules) -> Result<&'c Codec<'static>, Problem> {
        let made = self.both(codecs, rules).interpreter.get_or_init(|| {
            let made = self.schema.shared_codec(codecs.type_id, rules);
            made.map_err(|error| Problem::of(&CodecError::NoLayout(error), &[]))
        });
        made.as_ref().map_err(Problem::again)
    }

    /// Generated code, to be given back.
    pub(crate) fn take(&self, codecs: &Codecs, rules: Rules) -> Option<Transcoder> {
        let kept = self.both(codecs, rules).generated.as_ref()?;
        let free = lock(kept).pop();
        free.or_else(|| self.transcoder(codecs.type_id, rules, rules))
    }

    /// The same to encode with. In the presentation language, components say which others there
    /// are: the interpreter checks that.
    pub(crate) fn take_for_encoding(&self, codecs: &Codecs, rules: Rules) -> Option<Transcoder> {
        if self.schema.model().codings.is_empty() { self.take(codecs, rules) } else { None }
    }

    pub(crate) fn give_back(&self, codecs: &Codecs, rules: Rules, code: Transcoder) {
        if let Some(kept) = &self.both(codecs, rules).generated {
            lock(kept).push(code);
        }
    }
}

#[pymethods]
impl Schema {
    /// Its name, if roadwire ships it.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.name
    }

    /// The names of its types, as `Module.Type`.
    #[getter]
    fn types(&self) -> Vec<String> {
        self.schema.model().definitions.keys().map(ToString::to_string).collect()
    }

    /// The text of its modules: names and texts.
    #[getter]
    fn modules(&self) -> Vec<(String, String)> {
        let text = |source: &Source| (source.name.clone(), String::from_utf8_lossy(&source.bytes).into_owned());
        self.schema.sources().iter().map(text).collect()
    }

    /// The types that are messages, as `Module.Type`: those of a shipped schema, or those that no
    /// other type contains.
    #[getter]
    fn pdus(&self) -> Result<Vec<String>, Problem> {
        Ok(self.schema.pdus()?.into_iter().filter_map(|id| self.name_of(id)).collect())
    }

    fn __repr__(&self) -> String {
        match self.name {
            Some(name) => format!("roadwire.schema('{name}')"),
            None => format!("<roadwire.Schema of {}>", self.schema.model().modules.join(", ")),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        use pyo3::IntoPyObjectExt as _;
        let module = py.import("roadwire._native")?;
        if let Some(name) = self.name {
            return Ok((module.getattr("schema")?, (name,).into_bound_py_any(py)?));
        }
        let sources: Vec<_> =
            self.schema.sources().iter().map(|source| (&source.name, PyBytes::new(py, &source.bytes))).collect();
        let main = self.main.and_then(|main| self.name_of(main));
        Ok((module.getattr("compile")?, (sources, main).into_bound_py_any(py)?))
    }

    /// The value of a message, whose encoding must be all of the octets.
    ///
    /// `rules` is one of `roadwire.rules()`, `octets` a bytes-like object, of text also a str, and
    /// `type` a type's name, `Type` or `Module.Type`: without it the schema's first PDU.
    ///
    /// Raises `Error` with the fault, its bit and its field.
    ///
    /// >>> import roadwire
    /// >>> cam = roadwire.schema("cam-1.4.1")
    /// >>> value = cam.decode("uper", bytes.fromhex("020284db8a1042a600fa5e7aa18ea5ceac81901900003b791280"))
    /// >>> value["header"]
    /// {'protocolVersion': 2, 'messageID': 2, 'stationID': 2228980240}
    ///
    /// With `strict=False`, a message that breaks constraints is decoded to its end, if its
    /// encoding can be read. The result is a tuple then: the value, and a list of violations, which
    /// is empty for a message that breaks none. Each is a dict with `path`, `at` (the bit),
    /// `value`, `constraint`, `code` and `message`. With `choice.index` as the last `code`, the
    /// value lacks what comes after that place.
    ///
    /// >>> value, violations = cam.decode("uper", bytes.fromhex("020284db8a10"), type="ItsPduHeader", strict=False)
    /// >>> violations
    /// []
    #[pyo3(signature = (rules, octets, r#type=None, *, strict=true))]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        rules: &str,
        octets: &Bound<'py, PyAny>,
        r#type: Option<&str>,
        strict: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let codecs = self.codecs(r#type)?;
        let rules = rules_of(rules)?;
        with_input(octets, rules.is_text(), |input| {
            if strict {
                self.decode_all(py, &codecs, rules, input)
            } else {
                self.decode_open(py, &codecs, rules, input)
            }
        })?
    }

    /// The encoding of a value; text in UTF-8.
    ///
    /// Raises `Error` with the field that breaks a constraint, is absent, or is of another Python
    /// type than its ASN.1 type has: nothing is converted.
    ///
    /// >>> import roadwire
    /// >>> header = {"protocolVersion": 2, "messageID": 2, "stationID": 1001}
    /// >>> roadwire.schema("cam-1.4.1").encode("uper", header, type="ItsPduHeader").hex()
    /// '0202000003e9'
    #[pyo3(signature = (rules, value, r#type=None))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        rules: &str,
        value: &Bound<'py, PyAny>,
        r#type: Option<&str>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let codecs = self.codecs(r#type)?;
        let rules = rules_of(rules)?;
        if let Some(mut code) = self.take_for_encoding(&codecs, rules) {
            let encoded = code
                .encode_filled(|data| fill(py, &self.nodes, codecs.type_id, value, data))
                .map(|octets| octets.map(|octets| PyBytes::new(py, octets)));
            self.give_back(&codecs, rules, code);
            if let Ok(Some(octets)) = encoded {
                return Ok(octets);
            }
        }
        let octets = self.encode_interpreted(py, &codecs, rules, value)?;
        Ok(PyBytes::new(py, &octets))
    }

    /// Another encoding of the same value, without a Python object for each part.
    ///
    /// Raises `Error` as `decode` and `encode` do; `content.encoding` for a content (CONTAINING) of
    /// DER or CER that is not canonical, to other rules; `additions.foreign` for parts that the
    /// schema does not know, which has no other encoding than its own.
    ///
    /// >>> import roadwire
    /// >>> cam = roadwire.schema("cam-1.4.1")
    /// >>> cam.convert(bytes.fromhex("0202000003e9"), "uper", "jer", type="ItsPduHeader")
    /// b'{"protocolVersion":2,"messageID":2,"stationID":1001}'
    #[pyo3(signature = (octets, from_rules, to_rules, r#type=None))]
    fn convert<'py>(
        &self,
        py: Python<'py>,
        octets: &Bound<'py, PyAny>,
        from_rules: &str,
        to_rules: &str,
        r#type: Option<&str>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let codecs = self.codecs(r#type)?;
        let (from, to) = (rules_of(from_rules)?, rules_of(to_rules)?);
        with_input(octets, from.is_text(), |input| {
            let free = lock(&codecs.pairs).get_mut(&(from, to)).and_then(Vec::pop);
            if let Some(mut code) = free.or_else(|| self.transcoder(codecs.type_id, from, to)) {
                let converted = code.convert(input).map(|octets| PyBytes::new(py, octets));
                lock(&codecs.pairs).entry((from, to)).or_default().push(code);
                if let Some(octets) = converted {
                    return Ok(octets);
                }
            }
            let (reader, writer) = (self.interpreter(&codecs, from)?, self.interpreter(&codecs, to)?);
            let problem = |error: CodecError| Problem::of(&error, input);
            let converted = reader.convert_checked(writer, input, Check::All).map_err(problem)?;
            Ok(PyBytes::new(py, &converted.value))
        })?
    }
}

impl Schema {
    /// A value that satisfies all constraints.
    fn decode_all<'py>(
        &self,
        py: Python<'py>,
        codecs: &Codecs,
        rules: Rules,
        input: &[u8],
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(mut code) = self.take(codecs, rules) {
            let value = code.decode(input).map(|data| object(py, &self.nodes, codecs.type_id, data, None));
            self.give_back(codecs, rules, code);
            if let Some(value) = value {
                return value;
            }
        }
        let value = self.decode_interpreted(codecs, rules, input)?;
        object(py, &self.nodes, codecs.type_id, &value, None)
    }

    /// A value, and the constraints that it breaks.
    fn decode_open<'py>(
        &self,
        py: Python<'py>,
        codecs: &Codecs,
        rules: Rules,
        input: &[u8],
    ) -> PyResult<Bound<'py, PyAny>> {
        let read = self.interpreter(codecs, rules)?.decode_shown(input, Check::Encoding);
        let read = read.map_err(|error| Problem::of(&error, input))?;
        let value = object(py, &self.nodes, codecs.type_id, &read.value, None)?;
        (value, violations::list(py, &read.violations)?).into_bound_py_any(py)
    }

    pub(crate) fn decode_interpreted(&self, codecs: &Codecs, rules: Rules, input: &[u8]) -> Result<Value, Problem> {
        self.interpreter(codecs, rules)?.decode(input).map_err(|error| Problem::of(&error, input))
    }

    /// The encoding of a value of any type of the schema.
    pub(crate) fn encode_at(
        &self,
        py: Python<'_>,
        type_id: TypeId,
        rules: Rules,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<u8>> {
        if type_id.0 as usize >= self.model().types.len() {
            return Err(Problem::new("type.unknown", "no type is there").into());
        }
        self.encode_interpreted(py, &Codecs::new(type_id), rules, value)
    }

    fn encode_interpreted(
        &self,
        py: Python<'_>,
        codecs: &Codecs,
        rules: Rules,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<u8>> {
        let interpreter = self.interpreter(codecs, rules)?;
        let mut value = Value::Unset;
        fill(py, &self.nodes, codecs.type_id, object, &mut value)?;
        let violations = check::value(self.schema.model(), codecs.type_id, &value);
        let encoded = match violations.is_empty() {
            true => interpreter.encode(&value),
            false => Err(CodecError::Broken(violations)),
        };
        Ok(encoded.map_err(|error| Problem::of(&error, &[]))?)
    }
}

impl Codecs {
    pub(crate) fn type_id(&self) -> TypeId {
        self.type_id
    }

    fn new(type_id: TypeId) -> Self {
        Codecs { type_id, by_rules: [const { OnceLock::new() }; Rules::ALL.len()], pairs: Mutex::default() }
    }
}

/// Rules by name.
pub(crate) fn rules_of(name: &str) -> Result<Rules, Problem> {
    Rules::from_str(name).map_err(|error| Problem::new("rules.unknown", error.to_string()))
}

/// Passes the octets of an encoding to a function; text may also be a str.
///
/// # Errors
/// `TypeError` for anything else.
pub(crate) fn with_input<R>(
    object: &Bound<'_, PyAny>,
    is_text: bool,
    function: impl FnOnce(&[u8]) -> R,
) -> PyResult<R> {
    if let Ok(octets) = object.cast::<PyBytes>() {
        return Ok(function(octets.as_bytes()));
    }
    if let Ok(octets) = object.cast::<PyByteArray>() {
        return Ok(function(&octets.to_vec()));
    }
    if let Ok(text) = object.cast::<PyString>()
        && is_text
    {
        return Ok(function(text.to_str()?.as_bytes()));
    }
    if object.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(
            "expected bytes, found a str; of hexadecimal digits, bytes.fromhex makes bytes",
        ));
    }
    let view = match object.is_instance_of::<PyMemoryView>() {
        true => object.clone(),
        // Only an object with the buffer interface has octets.
        false => PyMemoryView::from(object)
            .map_err(|_| PyTypeError::new_err(format!("expected bytes, found {}", class_of(object))))?
            .into_any(),
    };
    let octets = view.call_method0("tobytes")?;
    Ok(function(octets.cast::<PyBytes>()?.as_bytes()))
}

/// The name of an object's class.
fn class_of(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "another object".to_owned(), |name| name.to_string())
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
