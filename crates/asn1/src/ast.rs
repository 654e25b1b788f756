//! The syntax tree: module text with names not yet looked up.
//!
//! Text that X.681 to X.683 leave open until a governor is known (values in braces, objects, actual
//! parameters) stays a range of tokens, which the resolver parses when it knows what to expect.

use std::rc::Rc;

use roadwire_source::Span;

/// A name and its position.
#[derive(Debug, Clone)]
pub(crate) struct Ident {
    pub(crate) name: Rc<str>,
    pub(crate) span: Span,
}

/// Tokens `start..end` of a file, to be parsed once their meaning is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Tokens {
    pub(crate) file: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) name: Ident,
    /// `{ iso(1) ... }` of the head, braces included.
    pub(crate) oid: Option<Tokens>,
    /// `XER INSTRUCTIONS`: what `[...]` means without a prefix (X.680 §13.4).
    pub(crate) encoding_reference: Option<Rc<str>>,
    pub(crate) tagging: Tagging,
    pub(crate) extensibility_implied: bool,
    /// `None`: everything is exported.
    pub(crate) exports: Option<Vec<Ident>>,
    pub(crate) imports: Vec<Import>,
    pub(crate) assignments: Vec<Rc<Assignment>>,
    pub(crate) encoding_control: Vec<EncodingControl>,
    /// Names whose assignments could not be read: known, but without further errors.
    pub(crate) broken: Vec<Rc<str>>,
    /// The imports could not be read: an unknown name may be imported.
    pub(crate) imports_broken: bool,
}

/// The tagging environment (X.680 §13.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tagging {
    Explicit,
    Implicit,
    Automatic,
}

#[derive(Debug)]
pub(crate) struct Import {
    pub(crate) symbols: Vec<Ident>,
    pub(crate) from: Ident,
    /// `{ iso(1) ... }`, braces included, or a reference to a value.
    pub(crate) oid: Option<Tokens>,
    /// WITH SUCCESSORS or WITH DESCENDANTS.
    pub(crate) any_version: bool,
}

/// An `ENCODING-CONTROL` section, as text.
#[derive(Debug)]
pub(crate) struct EncodingControl {
    pub(crate) reference: Ident,
    pub(crate) text: Tokens,
}

#[derive(Debug)]
pub(crate) struct Assignment {
    pub(crate) name: Ident,
    /// `Some` for a parameterised definition (X.683 §8), also when empty.
    pub(crate) params: Option<Vec<Param>>,
    pub(crate) body: Body,
    /// All of it, its name included.
    pub(crate) tokens: Tokens,
}

/// A dummy reference with its governor (X.683 §8.3).
#[derive(Debug, Clone)]
pub(crate) struct Param {
    pub(crate) governor: Option<Rc<Type>>,
    pub(crate) name: Ident,
}

#[derive(Debug)]
pub(crate) enum Body {
    /// `Name ::= Type` (or a class reference: X.681 §9 looks the same).
    Type(Rc<Type>),
    /// `name Governor ::= ...`: a value or an object, depending on the governor.
    Value { governor: Rc<Type>, value: Rc<Value> },
    /// `Name Governor ::= { ... }`: a value set or an object set.
    Set { governor: Rc<Type>, set: Rc<Set> },
    /// `NAME ::= CLASS { ... }`
    Class(Rc<Class>),
}

#[derive(Debug, Clone)]
pub(crate) struct Type {
    /// Tags and encoding instructions, outermost first.
    pub(crate) prefixes: Vec<Prefix>,
    pub(crate) kind: TypeKind,
    /// Applied one after the other (X.680 §49.7).
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) enum Prefix {
    Tag(Tag),
    /// `[XER:ATTRIBUTE]`: the reference, and the text after the colon.
    Instruction {
        reference: Rc<str>,
        text: Rc<str>,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct Tag {
    pub(crate) class: TagClass,
    pub(crate) number: Value,
    pub(crate) mode: Option<TagMode>,
    pub(crate) span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagClass {
    Universal,
    Application,
    Context,
    Private,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagMode {
    Explicit,
    Implicit,
}

#[derive(Debug, Clone)]
pub(crate) enum TypeKind {
    Boolean,
    Null,
    Real,
    Integer(Vec<NamedNumber>),
    BitString(Vec<NamedNumber>),
    Enumerated(Rc<Enumeration>),
    OctetString,
    ObjectIdentifier,
    RelativeOid,
    Iri,
    RelativeIri,
    EmbeddedPdv,
    External,
    CharacterString,
    ObjectDescriptor,
    /// `UTF8String`, `IA5String` and so on, by name.
    Chars(&'static str),
    /// `UTCTime`, `DATE` and so on, by name.
    Time(&'static str),
    Sequence(Rc<Components>),
    Set(Rc<Components>),
    Choice(Rc<Components>),
    SequenceOf(Rc<ElementType>),
    SetOf(Rc<ElementType>),
    /// `identifier < Type` (X.680 §30).
    Selection(Ident, Rc<Type>),
    Reference(Reference),
    /// `CLASS.&Field`, `object.&Field` or `ObjectSet.&Field`.
    Field(FieldReference),
    InstanceOf(Reference),
    /// `ANY` and `ANY DEFINED BY component` (X.208 §27).
    Any {
        defined_by: Option<Ident>,
    },
}

#[derive(Debug, Clone)]
pub(crate) struct ElementType {
    pub(crate) name: Option<Ident>,
    pub(crate) ty: Rc<Type>,
}

/// `Name`, `Module.Name`, each possibly with actual parameters.
#[derive(Debug, Clone)]
pub(crate) struct Reference {
    pub(crate) module: Option<Ident>,
    pub(crate) name: Ident,
    pub(crate) args: Option<Rc<Vec<Tokens>>>,
    pub(crate) span: Span,
}

/// `REFERENCE.&field.&Field` (X.681 §14, §15).
#[derive(Debug, Clone)]
pub(crate) struct FieldReference {
    pub(crate) of: Reference,
    /// Names with their ampersands.
    pub(crate) path: Vec<Ident>,
}

impl FieldReference {
    /// Whether it has a capital on the way, and so is no single value or object.
    pub(crate) fn is_capital(&self) -> bool {
        let capital = |name: &[u8]| name.iter().find(|c| **c != b'&').is_some_and(u8::is_ascii_uppercase);
        capital(self.of.name.name.as_bytes()) || self.path.iter().any(|field| capital(field.name.as_bytes()))
    }
}

#[derive(Debug, Clone)]
pub(crate) struct NamedNumber {
    pub(crate) name: Ident,
    pub(crate) value: Value,
}

#[derive(Debug)]
pub(crate) struct Enumeration {
    pub(crate) root: Vec<EnumItem>,
    pub(crate) extensible: bool,
    pub(crate) additions: Vec<EnumItem>,
}

#[derive(Debug)]
pub(crate) struct EnumItem {
    pub(crate) name: Ident,
    pub(crate) value: Option<Value>,
}

/// The body of SEQUENCE, SET or CHOICE.
#[derive(Debug, Default)]
pub(crate) struct Components {
    pub(crate) root1: Vec<Component>,
    pub(crate) extensible: bool,
    pub(crate) additions: Vec<Addition>,
    /// After the second extension mark.
    pub(crate) root2: Vec<Component>,
}

#[derive(Debug)]
pub(crate) enum Addition {
    Single(Component),
    Group { version: Option<Ident>, members: Vec<Component> },
}

#[derive(Debug)]
pub(crate) enum Component {
    Named {
        name: Ident,
        ty: Rc<Type>,
        presence: Presence,
    },
    /// `COMPONENTS OF Type` (X.680 §25.5).
    Of(Rc<Type>),
}

#[derive(Debug)]
pub(crate) enum Presence {
    Mandatory,
    Optional,
    Default(Rc<Value>),
}

/// A value as written.
#[derive(Debug, Clone)]
pub(crate) struct Value {
    pub(crate) kind: ValueKind,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) enum ValueKind {
    Null,
    Bool(bool),
    /// With its minus sign.
    Integer(Rc<str>),
    Real(Rc<str>),
    PlusInfinity,
    MinusInfinity,
    NotANumber,
    /// Digits, white space removed.
    BString(Rc<str>),
    HString(Rc<str>),
    CString(Rc<str>),
    /// `name`, `Module.name`, `name{args}`: a value, a named number, an enumeration item.
    Reference(Reference),
    /// `object.&field`
    Field(FieldReference),
    /// `name : value`
    Choice(Ident, Rc<Value>),
    /// `Type : value`, of an open type.
    Open(Rc<Type>, Rc<Value>),
    /// `{ ... }`, braces included.
    Braced(Tokens),
    /// `CONTAINING value`
    Containing(Rc<Value>),
}

#[derive(Debug, Clone)]
pub(crate) struct Constraint {
    pub(crate) spec: ConstraintSpec,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) enum ConstraintSpec {
    Subtype(Rc<Set>),
    /// `({ObjectSet} {@a.b, @.c})` (X.682 §10).
    Table {
        set: Reference,
        links: Vec<Link>,
    },
    /// `CONTAINING Type [ENCODED BY value]`, or `ENCODED BY value` alone (X.682 §11).
    Contents {
        containing: Option<Rc<Type>>,
        encoded_by: Option<Value>,
    },
    /// `CONSTRAINED BY { ... }`: not usable by a program.
    User,
}

/// `@a.b` or `@.a.b` (X.682 §10.7).
#[derive(Debug, Clone)]
pub(crate) struct Link {
    /// How many dots follow the `@`: 0 counts from the outermost type.
    pub(crate) level: u32,
    pub(crate) path: Vec<Ident>,
}

/// `root, ..., additions` of a constraint, a value set or an object set.
#[derive(Debug, Clone)]
pub(crate) struct Set {
    /// `None` in `{...}`.
    pub(crate) root: Option<Element>,
    pub(crate) extensible: bool,
    pub(crate) additions: Option<Element>,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) struct Element {
    pub(crate) kind: ElementKind,
    pub(crate) span: Span,
}

#[derive(Debug, Clone)]
pub(crate) enum ElementKind {
    Union(Vec<Element>),
    Intersection(Vec<Element>),
    Except(Rc<Element>, Rc<Element>),
    AllExcept(Rc<Element>),
    /// `( root, ..., additions )` inside a constraint.
    Group(Rc<Set>),
    Value(Value),
    Range {
        lower: End,
        upper: End,
    },
    Size(Rc<Constraint>),
    From(Rc<Constraint>),
    Pattern(Value),
    Settings(Value),
    /// `WITH COMPONENT`
    Inner(Rc<Constraint>),
    /// `WITH COMPONENTS`
    Inners(Rc<Inners>),
    /// A contained subtype, a value set or (in an object set) an object set; `INCLUDES` or not.
    Type(Rc<Type>),
}

/// An end point of a range.
#[derive(Debug, Clone)]
pub(crate) struct End {
    pub(crate) bound: Bound,
    /// `<`: the value itself is not included.
    pub(crate) open: bool,
}

#[derive(Debug, Clone)]
pub(crate) enum Bound {
    Min,
    Max,
    Value(Value),
}

#[derive(Debug)]
pub(crate) struct Inners {
    /// `{..., a PRESENT}`: components that are not named are not constrained.
    pub(crate) partial: bool,
    pub(crate) items: Vec<InnerItem>,
}

#[derive(Debug)]
pub(crate) struct InnerItem {
    pub(crate) name: Ident,
    pub(crate) constraint: Option<Constraint>,
    pub(crate) presence: Option<InnerPresence>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InnerPresence {
    Present,
    Absent,
    Optional,
}

/// `CLASS { fields } WITH SYNTAX { ... }`
#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) fields: Vec<Field>,
    pub(crate) syntax: Option<Vec<SyntaxItem>>,
}

#[derive(Debug)]
pub(crate) struct Field {
    /// With its ampersand.
    pub(crate) name: Ident,
    pub(crate) kind: FieldKind,
    pub(crate) optional: bool,
    /// `DEFAULT ...`, to be parsed depending on the kind of field.
    pub(crate) default: Option<Tokens>,
}

#[derive(Debug)]
pub(crate) enum FieldKind {
    /// `&Type`
    Type,
    /// `&value Type` (or `&object CLASS`).
    Value { governor: Rc<Type>, unique: bool },
    /// `&Set Type` (or `&Objects CLASS`).
    Set { governor: Rc<Type> },
    /// `&value &Type`
    VariableValue { by: Vec<Ident> },
    /// `&Set &Type`
    VariableSet { by: Vec<Ident> },
}

#[derive(Debug)]
pub(crate) enum SyntaxItem {
    /// A word, or a comma.
    Literal(Ident),
    /// With its ampersand.
    Field(Ident),
    Optional(Vec<SyntaxItem>),
}
