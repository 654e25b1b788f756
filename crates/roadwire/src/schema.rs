//! Schemas at run time.

use std::fmt;
use std::sync::Arc;

use roadwire_frontend::{Diagnostics, Source};
use roadwire_layout::{LowerError, Rules};
use roadwire_model::{Kind, Model, QualifiedName, TypeId, Value};
use roadwire_wire::names::nearest;

use crate::codec::{Codec, CodecError};
use crate::open::Check;
use crate::tops::tops;

/// The types of some modules, ASN.1 or the presentation language, and their codecs under all
/// encoding rules.
///
/// ```
/// use roadwire::{Rules, Schema, Source};
///
/// let module = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
///     Motion ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL }
/// END";
/// let schema = Schema::compile(vec![Source::new("demo.asn", module)]).unwrap();
/// let motion = schema.find(None).unwrap();
///
/// let octets = schema.convert(motion, Rules::Jer, Rules::Uper, br#"{"speed": 1200, "lane": 3}"#).unwrap();
/// assert_eq!(octets, [0x89, 0x60, 0x40]);
/// let text = schema.convert(motion, Rules::Uper, Rules::Jer, &octets).unwrap();
/// assert_eq!(text, br#"{"speed":1200,"lane":3}"#);
///
/// let error = schema.decode(motion, Rules::Uper, &[0x89]).unwrap_err();
/// assert_eq!((error.code(), error.bit()), ("input.truncated", Some(1)));
/// ```
#[derive(Debug)]
pub struct Schema {
    model: Model,
    sources: Vec<Source>,
    warnings: Diagnostics,
    pdus: Vec<String>,
}

impl Schema {
    /// Compiles modules, given in any order; imports are resolved among them. Text that deviates
    /// from the standard is accepted if its source [allows](Source::allowing) that.
    ///
    /// # Errors
    /// All errors, with file, line and column.
    pub fn compile(sources: Vec<Source>) -> Result<Self, Diagnostics> {
        let compiled = roadwire_frontend::compile(&sources)?;
        Ok(Schema { model: compiled.model, sources, warnings: compiled.warnings, pdus: Vec::new() })
    }

    /// A schema that roadwire ships, such as `cam-1.4.1`.
    ///
    /// ```
    /// let error = roadwire::Schema::shipped("cam1.4.1").unwrap_err();
    /// assert_eq!(error.alike, ["cam-1.4.1"]);
    /// ```
    ///
    /// # Errors
    /// No shipped schema has this name.
    #[cfg(feature = "shipped")]
    pub fn shipped(name: &str) -> Result<Self, UnknownSchema> {
        let unknown = || UnknownSchema::new(name, crate::SCHEMAS.iter().map(|schema| schema.name));
        let shipped = crate::SCHEMAS.iter().find(|schema| schema.name == name).ok_or_else(unknown)?;
        // Cannot fail: tests compile all shipped schemas.
        Schema::listed(shipped).map_err(|_| unknown())
    }

    /// An entry of a list of schemas, as [`SCHEMAS`](crate::SCHEMAS) is one: its modules, and which
    /// of their types are its messages.
    ///
    /// # Errors
    /// Everything that is wrong with the modules, as [`Schema::compile`].
    #[cfg(feature = "shipped")]
    pub fn listed(entry: &roadwire_messages::Schema) -> Result<Self, Diagnostics> {
        let sources = entry.modules.iter().map(|(file, text)| Source::new(*file, *text)).collect();
        let pdus = entry.pdus.iter().map(|pdu| (*pdu).to_owned()).collect();
        Ok(Schema { pdus, ..Schema::compile(sources)? })
    }

    /// The abstract syntax.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The modules' text.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The warnings for the modules.
    #[must_use]
    pub fn warnings(&self) -> &Diagnostics {
        &self.warnings
    }

    /// A type by its name, `Type` or `Module.Type`; without one the schema's first PDU.
    ///
    /// # Errors
    /// There is no such type, there are several, or it is not clear which one is the PDU.
    pub fn find(&self, name: Option<&str>) -> Result<TypeId, UnknownType> {
        match (name, self.pdus.first()) {
            (Some(name), _) => self.named(name),
            (None, Some(pdu)) => self.named(pdu),
            (None, None) => self.only_pdu(),
        }
    }

    /// All PDUs: those of a shipped schema, or the types that no other type contains.
    ///
    /// # Errors
    /// As [`Schema::find`]. Does not happen for shipped schemas.
    pub fn pdus(&self) -> Result<Vec<TypeId>, UnknownType> {
        if self.pdus.is_empty() {
            return Ok(self.unreferenced().into_iter().map(|(_, id)| id).collect());
        }
        self.pdus.iter().map(|pdu| self.named(pdu)).collect()
    }

    /// Whether it is known which types are its PDUs, as it is of a shipped schema.
    #[must_use]
    pub fn has_pdus(&self) -> bool {
        !self.pdus.is_empty()
    }

    /// A codec for values of a type. Keep it if there are many values.
    ///
    /// # Errors
    /// The type has no encoding under these rules.
    pub fn codec(&self, type_id: TypeId, rules: Rules) -> Result<Codec<'_>, LowerError> {
        Codec::new(&self.model, type_id, rules)
    }

    /// The same codec for programs that keep it beside its schema, or hand it to other threads.
    ///
    /// # Errors
    /// As [`Schema::codec`].
    pub fn shared_codec(self: &Arc<Self>, type_id: TypeId, rules: Rules) -> Result<Codec<'static>, LowerError> {
        Codec::shared(Arc::clone(self), type_id, rules)
    }

    /// Decodes one value, whose encoding must be the whole input.
    ///
    /// # Errors
    /// The first fault, with its bit and its field.
    pub fn decode(&self, type_id: TypeId, rules: Rules, input: &[u8]) -> Result<Value, CodecError> {
        self.codec(type_id, rules)?.decode(input)
    }

    /// Encodes one value.
    ///
    /// # Errors
    /// The first fault in the value, with its field.
    pub fn encode(&self, type_id: TypeId, rules: Rules, value: &Value) -> Result<Vec<u8>, CodecError> {
        self.codec(type_id, rules)?.encode(value)
    }

    /// Converts one value from an encoding to another. Under the same rules, the octets of contents
    /// (CONTAINING, open types) stay as they are.
    ///
    /// # Errors
    /// As [`Schema::decode`] and [`Schema::encode`]; from DER or CER to other rules, a content that
    /// is not canonical.
    pub fn convert(&self, type_id: TypeId, from: Rules, to: Rules, input: &[u8]) -> Result<Vec<u8>, CodecError> {
        let (from, to) = (self.codec(type_id, from)?, self.codec(type_id, to)?);
        Ok(from.convert_checked(&to, input, Check::All)?.value)
    }

    /// The path of the first part of a value whose type is unknown, and which is octets of its
    /// original encoding.
    #[must_use]
    pub fn foreign_part(&self, type_id: TypeId, value: &Value) -> Option<String> {
        crate::foreign::find(&self.model, type_id, value)
    }

    /// Checks that a value decoded from one encoding has the same meaning in another: parts of
    /// unknown type are octets of the first encoding.
    ///
    /// # Errors
    /// [`CodecError::Foreign`], with the first such part.
    pub fn can_carry(&self, type_id: TypeId, value: &Value, from: Rules, to: Rules) -> Result<(), CodecError> {
        match crate::codec::foreign(&self.model, type_id, value, from, to) {
            Some(path) => Err(CodecError::Foreign { to, path }),
            None => Ok(()),
        }
    }

    /// Types that no other type contains, by name.
    #[must_use]
    pub fn unreferenced(&self) -> Vec<(&QualifiedName, TypeId)> {
        tops(&self.model)
    }
}

impl Schema {
    fn named(&self, name: &str) -> Result<TypeId, UnknownType> {
        if let Some(id) = self.model.find(name) {
            return Ok(id);
        }
        let same = self.model.definitions.keys().filter(|key| key.name == name);
        let same: Vec<String> = same.map(ToString::to_string).collect();
        let name = name.to_owned();
        Err(match same.is_empty() {
            true => UnknownType::None { alike: self.alike(&name), name },
            false => UnknownType::Several { name, types: same },
        })
    }

    /// Types whose name differs only in case, hyphens or the module; if there are none, in a few
    /// letters.
    fn alike(&self, name: &str) -> Vec<String> {
        let plain = |name: &str| name.replace(['-', '_'], "").to_ascii_lowercase();
        let wanted = name.rsplit('.').next().unwrap_or(name);
        let types = || self.model.definitions.keys();
        let alike: Vec<_> = types().filter(|key| plain(&key.name) == plain(wanted)).collect();
        let alike = match alike.is_empty() {
            false => alike,
            true => {
                let near = nearest(wanted, types().map(|key| key.name.as_str()), ALIKE);
                near.iter().flat_map(|name| types().filter(|key| key.name == **name)).collect()
            }
        };
        alike.into_iter().take(ALIKE).map(ToString::to_string).collect()
    }

    /// The type that no other type contains; if there are several, the only one with components.
    fn only_pdu(&self) -> Result<TypeId, UnknownType> {
        let mut tops = self.unreferenced();
        let has_components =
            |id: &TypeId| matches!(self.model.get(*id).kind, Kind::Sequence { .. } | Kind::Choice { .. });
        if tops.iter().any(|(_, id)| has_components(id)) {
            tops.retain(|(_, id)| has_components(id));
        }
        match tops.as_slice() {
            [(_, id)] => Ok(*id),
            _ => Err(UnknownType::NoPdu { tops: tops.iter().map(|(name, _)| name.to_string()).collect() }),
        }
    }
}

/// How many names at most are suggested for an unknown one.
const ALIKE: usize = 3;

/// No shipped schema has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSchema {
    /// The name.
    pub name: String,
    /// Up to three names that may be meant, best first.
    pub alike: Vec<String>,
}

impl UnknownSchema {
    /// The error for a name that is none of `known`.
    #[must_use]
    pub fn new<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Self {
        let alike = nearest(name, known, ALIKE).into_iter().map(str::to_owned).collect();
        UnknownSchema { name: name.to_owned(), alike }
    }

    /// The error, and the names that may be meant.
    #[must_use]
    pub fn with_names(&self) -> String {
        match self.alike.is_empty() {
            true => self.to_string(),
            false => format!("{self}; did you mean {}?", self.alike.join(" or ")),
        }
    }
}

impl fmt::Display for UnknownSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no schema `{}`", self.name)
    }
}

impl std::error::Error for UnknownSchema {}

/// It is not clear which type is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnknownType {
    /// No type has this name.
    None {
        /// The name.
        name: String,
        /// Types with similar names.
        alike: Vec<String>,
    },
    /// Several modules have a type of this name.
    Several {
        /// The name.
        name: String,
        /// The types, as `Module.Type`.
        types: Vec<String>,
    },
    /// No name was given, and the modules do not have exactly one PDU.
    NoPdu {
        /// The types that no other type contains.
        tops: Vec<String>,
    },
}

impl UnknownType {
    /// Stable: `type.unknown`, `type.ambiguous` or `type.which`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            UnknownType::None { .. } => "type.unknown",
            UnknownType::Several { .. } => "type.ambiguous",
            UnknownType::NoPdu { .. } => "type.which",
        }
    }

    /// The error, and up to eight of the types that may be meant.
    #[must_use]
    pub fn with_names(&self) -> String {
        const SHOWN: usize = 8;
        let (UnknownType::None { alike: names, .. }
        | UnknownType::Several { types: names, .. }
        | UnknownType::NoPdu { tops: names }) = self;
        match names.get(..names.len().min(SHOWN)) {
            None | Some([]) => self.to_string(),
            Some(names) => format!("{self}: {}", names.join(", ")),
        }
    }
}

impl fmt::Display for UnknownType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownType::None { name, .. } => write!(f, "there is no type `{name}` in these modules"),
            UnknownType::Several { name, .. } => write!(f, "several modules have a type `{name}`"),
            UnknownType::NoPdu { .. } => f.write_str("these modules have no one PDU: say which type is meant"),
        }
    }
}

impl std::error::Error for UnknownType {}
