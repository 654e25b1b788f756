//! Definitions as written.

use roadwire_source::Span;

/// A name, and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// One definition of a file.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: Name,
    pub(crate) body: Body,
}

#[derive(Debug)]
pub(crate) enum Body {
    /// `struct { ... } Name;`
    Struct(Vec<Item>),
    /// `enum { ... } Name;`
    Enum(Enumeration),
    /// `flags { ... } Name;`
    Flags(Vec<(Name, Number)>),
    /// `Type Name;`, with a length or without
    Alias(FieldType),
    /// `Type NAME = 8;`
    Constant(Number),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Number {
    pub(crate) value: u64,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct Enumeration {
    pub(crate) items: Vec<(Name, Number)>,
    /// `reserved (240..255)`: numbers without a name.
    pub(crate) reserved: Vec<(Number, Number)>,
    /// `(255)`: determines the width of the numbers.
    pub(crate) greatest: Option<Number>,
}

/// A type, and the text after the name of its field.
#[derive(Debug)]
pub(crate) struct FieldType {
    pub(crate) base: Name,
    pub(crate) extent: Extent,
    pub(crate) order: Option<Ordered>,
}

/// `ordered`, or `ordered(first)`.
#[derive(Debug)]
pub(crate) struct Ordered {
    pub(crate) first: Option<Name>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum Extent {
    One,
    /// `[n]`
    Fixed(Amount),
    /// `<var>`, with the number of elements if it is bounded: `<var, 1..6>`
    Variable(Option<Bounds>),
    /// `<floor..ceiling>`
    Field(Amount, Amount),
}

/// A number, or the name of one.
#[derive(Debug)]
pub(crate) enum Amount {
    Number(Number),
    Name(Name),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) lower: Number,
    pub(crate) upper: Option<Number>,
    pub(crate) extensible: bool,
}

/// An item between the braces of a struct.
#[derive(Debug)]
pub(crate) enum Item {
    /// `extern Type name;`
    Extern(Name),
    /// `Type name = 8;`
    Constant(Name, Number),
    Field {
        name: Option<Name>,
        ty: FieldType,
    },
    Select {
        on: Name,
        cases: Vec<Case>,
    },
    /// `if_set (flags, flag) { ... } else { ... }`,
    /// `if_any_set (flags, flag, flag) { ... } else { ... }`
    IfSet {
        flags: Name,
        among: Vec<Name>,
        then: Vec<Item>,
        otherwise: Vec<Item>,
    },
}

#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) labels: Vec<Label>,
    pub(crate) items: Vec<Item>,
}

#[derive(Debug)]
pub(crate) enum Label {
    Item(Name),
    Number(Number),
    Default(Span),
    Unknown(Span),
}

impl Label {
    pub(crate) fn span(&self) -> Span {
        match self {
            Label::Item(name) => name.span,
            Label::Number(number) => number.span,
            Label::Default(span) | Label::Unknown(span) => *span,
        }
    }
}
