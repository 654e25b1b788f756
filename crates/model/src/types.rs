//! Types as the front ends produce them: every reference followed, every parameter replaced, tags
//! assigned.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use roadwire_wire::rt::time::Settings;

use crate::coding::Coding;
use crate::constraint::{Alphabet, Constraint, IntegerRange, RealParts, Size};
use crate::value::Value;

/// All types of a set of modules, in an arena that [`TypeId`]s point into. Types may be recursive.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// The arena.
    pub types: Vec<Type>,
    /// Every type assignment (except parameterised ones), by module and name.
    pub definitions: BTreeMap<QualifiedName, TypeId>,
    /// Every value assignment whose governor is a type (not a class), with its type.
    pub values: BTreeMap<QualifiedName, (TypeId, Value)>,
    /// The modules, in the order in which they were given.
    pub modules: Vec<String>,
    /// The language of the modules.
    pub language: Language,
    /// For modules in the presentation language: how their types are encoded. Types whose kind
    /// determines their encoding have none.
    pub codings: BTreeMap<TypeId, Coding>,
    /// Constraints that the [`Kind`] of a type (its PER-visible part) does not fully express; a
    /// value must satisfy all of them.
    pub constraints: BTreeMap<TypeId, Vec<Constraint>>,
}

/// The language of modules. It determines which encoding rules their types have: a type of the
/// presentation language has no tags, and a type of ASN.1 has no length fields of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// ASN.1 (X.680 to X.683).
    #[default]
    Asn1,
    /// The presentation language of IEEE 1609.2-2013 and TS 103 097 V1.
    Presentation,
}

/// The index of a type in [`Model::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u32);

/// `Module.Name`. Two modules may use the same name for different things.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QualifiedName {
    /// The module's name (its modulereference); `Name-1-2-3` where several modules have it, and
    /// this one the object identifier 1.2.3.
    pub module: String,
    /// The type's or value's name in it.
    pub name: String,
}

impl std::fmt::Display for QualifiedName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.module, self.name)
    }
}

/// One type.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// Its name, if it is the right side of a type assignment `Name ::= ...`, or a reference to
    /// one that adds neither a constraint nor a tag (then the reference and the assignment share
    /// one `TypeId`). A constrained or tagged use of a named type is a new, unnamed `Type` with
    /// `reference` set.
    pub name: Option<QualifiedName>,
    /// The type assignment of which this type is a constrained or tagged use, if there is one.
    pub reference: Option<QualifiedName>,
    /// Its tags as BER sends them, outermost first; empty for an untagged CHOICE or open type.
    pub tags: Vec<Tag>,
    /// Its kind.
    pub kind: Kind,
    /// XER encoding instructions in the order given, prefixes and ENCODING-CONTROL alike, as text
    /// without brackets.
    pub instructions: Vec<String>,
}

impl Type {
    /// Its name, or that of the type assignment of which it is a use.
    #[must_use]
    pub fn known_as(&self) -> Option<&QualifiedName> {
        self.name.as_ref().or(self.reference.as_ref())
    }
}

/// A tag (X.680 §8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag {
    /// Its class. The derived order is the canonical one (X.680 §8.6).
    pub class: TagClass,
    /// Its number.
    pub number: u32,
}

/// Tag classes in canonical order (X.680 §8.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum TagClass {
    Universal,
    Application,
    Context,
    Private,
}

/// The kind of a type, with its effective constraints.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// BOOLEAN
    Boolean,
    /// NULL
    Null,
    /// INTEGER with its named numbers.
    Integer {
        /// The effective (PER-visible) range.
        range: IntegerRange,
        /// Named numbers in the order given.
        named: Vec<(String, BigInt)>,
    },
    /// ENUMERATED
    Enumerated(Enumerators),
    /// REAL
    Real {
        /// The effective constraints on mantissa, base and exponent, if there are any.
        parts: Option<Box<RealParts>>,
    },
    /// BIT STRING
    BitString {
        /// Effective size in bits.
        size: Size,
        /// Named bits with their positions; if not empty, trailing zero bits have no meaning (X.680
        /// §22.7).
        named: Vec<(String, u64)>,
        /// The type that the string contains (CONTAINING without ENCODED BY).
        contains: Option<TypeId>,
    },
    /// OCTET STRING
    OctetString {
        /// Effective size in octets.
        size: Size,
        /// The type that the string contains (CONTAINING without ENCODED BY).
        contains: Option<TypeId>,
    },
    /// OBJECT IDENTIFIER
    ObjectIdentifier,
    /// RELATIVE-OID
    RelativeOid,
    /// OID-IRI and RELATIVE-OID-IRI
    Iri {
        /// Whether it is RELATIVE-OID-IRI.
        relative: bool,
    },
    /// The character string types, restricted and not.
    String {
        /// Which one.
        kind: StringKind,
        /// Effective size in characters.
        size: Size,
        /// The effective permitted alphabet of a known-multiplier type, if there is a FROM.
        /// PER-visible only for known-multiplier types.
        alphabet: Option<Alphabet>,
        /// Whether that alphabet constraint has an extension marker (it is then not PER-visible,
        /// X.691 §10.3.14).
        alphabet_extensible: bool,
    },
    /// UTCTime, GeneralizedTime and the time types of X.680 §38.
    Time {
        /// Which one.
        kind: TimeKind,
        /// For TIME: the sets of property settings (X.680 §38.2) of which a value must have one;
        /// empty if it is not constrained.
        settings: Vec<Settings>,
    },
    /// SEQUENCE or SET.
    Sequence {
        /// Whether it is SET.
        set: bool,
        /// All components in textual order: first root, additions, second root.
        /// `Component::presence` and `Field` positions count in this order; additions of one group
        /// follow each other.
        components: Vec<Component>,
        /// Whether there is an extension marker (or EXTENSIBILITY IMPLIED).
        extensible: bool,
    },
    /// SEQUENCE OF or SET OF.
    SequenceOf {
        /// Whether it is SET OF.
        set: bool,
        /// The element's type.
        element: TypeId,
        /// The element's name, if it has one (`SEQUENCE OF name T`), for XER.
        element_name: Option<String>,
        /// Effective size in elements.
        size: Size,
    },
    /// CHOICE
    Choice {
        /// All alternatives in textual order: root, then additions.
        alternatives: Vec<Alternative>,
        /// Whether there is an extension marker.
        extensible: bool,
    },
    /// An open type: a class field type with no fixed type, ANY.
    Open {
        /// The types that may fill it, if there is a table constraint: for each row of the object
        /// set the value of the referenced component (`@` link) and the type.
        table: Option<Table>,
    },
    /// EXTERNAL, EMBEDDED PDV and CHARACTER STRING: a SEQUENCE by definition (X.680 §36, §37, §44).
    External(TypeId),
}

/// A table constraint (X.682 §10) on an open type, resolved against its object set.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The `@` link: component names from the enclosing SEQUENCE or SET at `level` levels up
    /// down to the referenced component. Empty for a simple table constraint, for a link that
    /// starts in a CHOICE, and for a type constraint (X.680 §51.6), whose rows have no values: they
    /// are [`Value::Unset`].
    pub link: Vec<String>,
    /// How many enclosing SEQUENCEs and SETs further up the link starts; 0 is the nearest.
    pub level: u32,
    /// Rows: the referenced component's value, and the type then inside.
    pub rows: Vec<(Value, TypeId)>,
    /// Whether the object set is extensible.
    pub extensible: bool,
}

impl Table {
    /// The type that fills the open type, if there can be no other and nothing selects it: that of
    /// a type constraint (X.680 §51.6), as a rule.
    #[must_use]
    pub fn only(&self) -> Option<TypeId> {
        match self.rows[..] {
            [(_, only)] if self.link.is_empty() && !self.extensible => Some(only),
            _ => None,
        }
    }
}

/// The items of an ENUMERATED.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Enumerators {
    /// Root items with their numbers, in textual order, those after the additions included.
    pub root: Vec<(String, i64)>,
    /// Additions in textual order.
    pub additions: Vec<(String, i64)>,
    /// Whether there is an extension marker.
    pub extensible: bool,
}

impl Enumerators {
    /// Root items and then additions: a value's *ordinal* is its index in this order.
    pub fn all(&self) -> impl Iterator<Item = &(String, i64)> + Clone {
        self.root.iter().chain(&self.additions)
    }
}

impl Kind {
    /// The type whose encoding a string contains (CONTAINING without ENCODED BY, X.682 §11).
    #[must_use]
    pub fn contained(&self) -> Option<TypeId> {
        match self {
            Kind::BitString { contains, .. } | Kind::OctetString { contains, .. } => *contains,
            _ => None,
        }
    }

    /// The standard's name (X.680 §16.2), without constraints. An open type has no standard name;
    /// EMBEDDED PDV and CHARACTER STRING are also called EXTERNAL.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Boolean => "BOOLEAN",
            Kind::Null => "NULL",
            Kind::Integer { .. } => "INTEGER",
            Kind::Enumerated(_) => "ENUMERATED",
            Kind::Real { .. } => "REAL",
            Kind::BitString { .. } => "BIT STRING",
            Kind::OctetString { .. } => "OCTET STRING",
            Kind::ObjectIdentifier => "OBJECT IDENTIFIER",
            Kind::RelativeOid => "RELATIVE-OID",
            Kind::Iri { relative: false } => "OID-IRI",
            Kind::Iri { relative: true } => "RELATIVE-OID-IRI",
            Kind::String { kind, .. } => kind.name(),
            Kind::Time { kind, .. } => kind.name(),
            Kind::Sequence { set: false, .. } => "SEQUENCE",
            Kind::Sequence { set: true, .. } => "SET",
            Kind::SequenceOf { set: false, .. } => "SEQUENCE OF",
            Kind::SequenceOf { set: true, .. } => "SET OF",
            Kind::Choice { .. } => "CHOICE",
            Kind::Open { .. } => "open type",
            Kind::External(_) => "EXTERNAL",
        }
    }
}

/// The string types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum StringKind {
    Utf8,
    Numeric,
    Printable,
    Ia5,
    /// VisibleString, ISO646String
    Visible,
    /// TeletexString, T61String
    Teletex,
    Videotex,
    Graphic,
    General,
    /// UniversalString
    Universal,
    /// BMPString
    Bmp,
    ObjectDescriptor,
}

impl StringKind {
    /// The type's name (X.680 §41).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            StringKind::Utf8 => "UTF8String",
            StringKind::Numeric => "NumericString",
            StringKind::Printable => "PrintableString",
            StringKind::Ia5 => "IA5String",
            StringKind::Visible => "VisibleString",
            StringKind::Teletex => "TeletexString",
            StringKind::Videotex => "VideotexString",
            StringKind::Graphic => "GraphicString",
            StringKind::General => "GeneralString",
            StringKind::Universal => "UniversalString",
            StringKind::Bmp => "BMPString",
            StringKind::ObjectDescriptor => "ObjectDescriptor",
        }
    }
}

/// The time types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum TimeKind {
    Utc,
    Generalized,
    /// TIME (X.680 §38.1), any of the ISO 8601 forms
    Time,
    Date,
    TimeOfDay,
    DateTime,
    Duration,
}

impl TimeKind {
    /// The type's name (X.680 §38, §46, §47).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TimeKind::Utc => "UTCTime",
            TimeKind::Generalized => "GeneralizedTime",
            TimeKind::Time => "TIME",
            TimeKind::Date => "DATE",
            TimeKind::TimeOfDay => "TIME-OF-DAY",
            TimeKind::DateTime => "DATE-TIME",
            TimeKind::Duration => "DURATION",
        }
    }
}

/// A component of a SEQUENCE or SET.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// Its identifier.
    pub name: String,
    /// Its type.
    pub type_id: TypeId,
    /// Whether it may be absent, and what that means.
    pub presence: Presence,
    /// Its position relative to the extension markers.
    pub field: Field,
}

/// The position of a component relative to the extension markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// In the extension root, before or after the additions.
    Root,
    /// A single extension addition.
    Addition,
    /// In an extension addition group `[[ ... ]]`; groups are counted from 0 within the type.
    Group(u32),
}

/// Whether a component may be absent.
#[derive(Clone, Debug, PartialEq)]
pub enum Presence {
    /// It is always present.
    Mandatory,
    /// OPTIONAL
    Optional,
    /// DEFAULT value
    Default(Value),
}

/// An alternative of a CHOICE.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// Its identifier.
    pub name: String,
    /// Its type.
    pub type_id: TypeId,
    /// Whether it is an extension addition (a group's brackets change nothing in a CHOICE's
    /// encoding).
    pub addition: bool,
}

/// How many extension additions a SEQUENCE or SET has; a group counts as one.
pub(crate) fn known_additions(components: &[Component]) -> u32 {
    let single = components.iter().filter(|component| component.field == Field::Addition).count();
    let groups = components.iter().filter_map(|component| match component.field {
        Field::Group(index) => Some(index + 1),
        _ => None,
    });
    groups.max().unwrap_or(0) + single as u32
}

impl Model {
    /// The table of a component that is an open type, or a list of them, if a component beside it
    /// selects the row (X.682 §10.7).
    ///
    /// # Panics
    /// On a component of another model.
    #[must_use]
    pub fn selected(&self, component: &Component) -> Option<&Table> {
        let open = match &self.get(component.type_id).kind {
            Kind::SequenceOf { element, .. } => *element,
            _ => component.type_id,
        };
        match &self.get(open).kind {
            Kind::Open { table: Some(table) } if table.level == 0 && table.link.len() == 1 => Some(table),
            _ => None,
        }
    }

    /// The type with this id.
    ///
    /// # Panics
    /// On an id of another model.
    #[must_use]
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// If this is a use of a type assignment that only adds a tag, the assignment's type; otherwise
    /// the type itself. Encodings without tags, and in-memory types, treat all such uses alike.
    #[must_use]
    pub fn untagged(&self, id: TypeId) -> TypeId {
        let this = self.get(id);
        match this.reference.as_ref().and_then(|name| self.definitions.get(name)) {
            Some(definition) if self.get(*definition).kind == this.kind => self.untagged_definition(*definition),
            _ => id,
        }
    }

    /// A definition may itself only name another one: `A ::= B`.
    fn untagged_definition(&self, mut id: TypeId) -> TypeId {
        for _ in 0..self.definitions.len() {
            let this = self.get(id);
            match this.reference.as_ref().and_then(|name| self.definitions.get(name)) {
                Some(next) if *next != id && self.get(*next).kind == this.kind => id = *next,
                _ => break,
            }
        }
        id
    }

    /// Adds a type to the arena.
    pub fn add(&mut self, new: Type) -> TypeId {
        self.types.push(new);
        TypeId(u32::try_from(self.types.len() - 1).expect("fewer than 2^32 types"))
    }

    /// Finds a type assignment by `Module.Type`, or by `Type` if only one module has it.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<TypeId> {
        if let Some((module, name)) = name.split_once('.') {
            let key = QualifiedName { module: module.into(), name: name.into() };
            return self.definitions.get(&key).copied();
        }
        let mut found = self.definitions.iter().filter(|(k, _)| k.name == name);
        match (found.next(), found.next()) {
            (Some((_, id)), None) => Some(*id),
            _ => None,
        }
    }
}
