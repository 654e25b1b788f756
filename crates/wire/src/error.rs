//! Errors: a small kind, the bit offset, and the field path.

use core::fmt;

/// What went wrong, where in the encoding, and in which field.
///
/// `'n` is the lifetime of the field names: `'static` in generated code, the layout's in the interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error<'n> {
    /// What went wrong.
    pub kind: ErrorKind,
    /// Offset in bits from the start of the message: on decoding, of the item at fault; on encoding, how many bits
    /// had been written.
    pub bit: usize,
    /// The field, from the message's root.
    pub path: Path<'n>,
}

/// "No": the input ends, the output is full, or a value is outside its constraint.
///
/// Readers, writers and generated code say just this, so that the path of success stays short; what exactly is wrong, where,
/// the interpreter then finds out by walking the same layout over the same message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rejected;

/// The kinds of errors. [`ErrorKind::code`] is the same in every language and never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input ends before the item does; `missing` bits at least.
    Truncated {
        /// How many more bits the item at hand needs.
        missing: usize,
    },
    /// An integer outside its constraint.
    IntegerRange {
        /// The value, where it fits.
        value: i128,
        /// Smallest allowed.
        lower: i128,
        /// Greatest allowed.
        upper: i128,
    },
    /// An integer wider than the in-memory type or than 128 bits.
    IntegerWidth,
    /// A size (bits, octets, characters, elements) outside its constraint.
    Size {
        /// The size.
        size: u64,
        /// Smallest allowed.
        lower: u64,
        /// Greatest allowed.
        upper: u64,
    },
    /// More elements, octets or bits than the in-memory type holds.
    Capacity {
        /// The size.
        size: u64,
    },
    /// A REAL that is none of its type's mantissas times a power of 2 with one of its exponents.
    RealRange,
    /// A REAL that a double holds as infinity, or, not being zero, as zero.
    RealWidth,
    /// A value that breaks a constraint that no encoding sees (X.680 §51).
    Constraint {
        /// The constraint as written.
        text: &'static str,
        /// The value, where it is an integer.
        number: Option<i128>,
    },
    /// An enumeration index or ordinal that means nothing.
    EnumerationIndex {
        /// The index.
        index: u64,
        /// How many there are.
        count: u64,
    },
    /// A choice index that means nothing.
    ChoiceIndex {
        /// The index.
        index: u64,
        /// How many there are.
        count: u64,
    },
    /// A character outside the permitted alphabet.
    Alphabet {
        /// Its code, or its index in the alphabet on decoding.
        code: u32,
    },
    /// Text that does not have the form its type asks for.
    Text(&'static str),
    /// A component that may not be absent is absent.
    Missing,
    /// The value's kind does not fit the type (say, text for an integer).
    Mismatch {
        /// What the layout asks for.
        expected: &'static str,
    },
    /// Octets that no encoder writes here; the text says what.
    Malformed(&'static str),
    /// Text that is not in the notation of its encoding rules.
    Notation {
        /// What [`ErrorKind::code`] says: `json.…` for text that is not JSON, `jer.…` for JSON that is not JER.
        code: &'static str,
        /// What is wrong, or what should stand there (then it begins with `expected`).
        what: &'static str,
    },
    /// A name that is none of those that can stand there.
    UnknownName {
        /// What [`ErrorKind::code`] says.
        code: &'static str,
        /// What sort of name.
        what: &'static str,
        /// The layout's node that has the names.
        node: u32,
    },
    /// A length or count above what a message may have at all (guards against length bombs).
    TooLong {
        /// The length.
        length: u64,
        /// The limit.
        limit: u64,
    },
    /// A value that takes more memory than its message may ask for.
    Memory {
        /// The limit, in octets.
        limit: u64,
    },
    /// Values nested deeper than the limit.
    TooDeep {
        /// The limit, in levels.
        limit: u32,
    },
    /// The interpreter was built without what the layout, or the value, needs.
    NotBuilt {
        /// The feature that it takes.
        feature: &'static str,
    },
    /// A valid encoding, but not the canonical one of its value.
    NotCanonical,
    /// The output buffer is too small.
    OutputFull {
        /// Its size in octets.
        capacity: usize,
    },
}

impl ErrorKind {
    /// The error's identity: the same in Rust, on the command line and in JSON, and stable.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            ErrorKind::Truncated { .. } => "input.truncated",
            ErrorKind::IntegerRange { .. } => "integer.range",
            ErrorKind::IntegerWidth => "integer.width",
            ErrorKind::RealRange => "real.range",
            ErrorKind::RealWidth => "real.width",
            ErrorKind::Constraint { .. } => "constraint.value",
            ErrorKind::Size { .. } => "size.range",
            ErrorKind::Capacity { .. } => "size.capacity",
            ErrorKind::EnumerationIndex { .. } => "enumerated.index",
            ErrorKind::ChoiceIndex { .. } => "choice.index",
            ErrorKind::Alphabet { .. } => "text.alphabet",
            ErrorKind::Text(_) => "text.form",
            ErrorKind::Missing => "component.missing",
            ErrorKind::Mismatch { .. } => "value.mismatch",
            ErrorKind::Malformed(_) => "input.malformed",
            ErrorKind::Notation { code, .. } | ErrorKind::UnknownName { code, .. } => code,
            ErrorKind::TooLong { .. } => "limit.length",
            ErrorKind::Memory { .. } => "limit.memory",
            ErrorKind::TooDeep { .. } => "limit.depth",
            ErrorKind::NotBuilt { .. } => "engine.not-built",
            ErrorKind::NotCanonical => "input.not-canonical",
            ErrorKind::OutputFull { .. } => "output.full",
        }
    }

    /// Whether the input ended too soon, so that more of it might help.
    #[must_use]
    pub const fn is_truncated(&self) -> bool {
        matches!(self, ErrorKind::Truncated { .. })
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ErrorKind::Truncated { missing: 1 } => f.write_str("the input ends 1 bit too soon"),
            ErrorKind::Truncated { missing } => write!(f, "the input ends {missing} bits too soon"),
            ErrorKind::IntegerRange { value, lower, upper } if upper == i128::MAX => {
                write!(f, "value {value} below {lower}")
            }
            ErrorKind::IntegerRange { value, lower, upper } => {
                if value < lower {
                    write!(f, "value {value} below {lower} (range {lower}..{upper})")
                } else {
                    write!(f, "value {value} above {upper} (range {lower}..{upper})")
                }
            }
            ErrorKind::IntegerWidth => f.write_str("the integer is wider than its in-memory type"),
            ErrorKind::RealRange => f.write_str("the number is outside the mantissas and exponents of its type"),
            ErrorKind::RealWidth => {
                f.write_str("the number is beyond the range of a double (about 4.9e-324 to 1.8e308)")
            }
            ErrorKind::Constraint { text, number: Some(number) } => {
                write!(f, "value {number} breaks the constraint {text}")
            }
            ErrorKind::Constraint { text, number: None } => write!(f, "the value breaks the constraint {text}"),
            ErrorKind::Size { size, lower, upper } if upper == u64::MAX => {
                write!(f, "size {size} below {lower}")
            }
            ErrorKind::Size { size, lower, upper } => {
                write!(f, "size {size} outside SIZE({lower}..{upper})")
            }
            ErrorKind::Capacity { size } => {
                write!(f, "size {size} is more than the in-memory type holds")
            }
            ErrorKind::EnumerationIndex { index, count } => {
                write!(f, "enumeration index {index} where there are {count} items")
            }
            ErrorKind::ChoiceIndex { index, count } => {
                write!(f, "choice index {index} where there are {count} alternatives")
            }
            ErrorKind::Alphabet { code } => {
                write!(f, "character {code} outside the permitted alphabet")
            }
            ErrorKind::Text(what) | ErrorKind::Malformed(what) => f.write_str(what),
            ErrorKind::Notation { what, .. } => f.write_str(what),
            ErrorKind::UnknownName { what, .. } => write!(f, "there is no {what} of this name"),
            ErrorKind::Missing => f.write_str("mandatory component is absent"),
            ErrorKind::Mismatch { expected } => write!(f, "the value is not {expected}"),
            ErrorKind::TooLong { length, limit } => {
                write!(f, "length {length} above the limit {limit}")
            }
            ErrorKind::Memory { limit } => write!(f, "the value takes more than {limit} octets of memory"),
            ErrorKind::TooDeep { limit } => {
                write!(f, "nested deeper than the limit of {limit} levels")
            }
            ErrorKind::NotBuilt { feature } => {
                write!(f, "the engine was built without its feature `{feature}`, which this needs")
            }
            ErrorKind::NotCanonical => f.write_str("not the canonical encoding of its value"),
            ErrorKind::OutputFull { capacity } => {
                write!(f, "the output buffer of {capacity} octets is too small")
            }
        }
    }
}

impl fmt::Display for Error<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at bit {}", self.kind, self.bit)?;
        if self.path.is_empty() { Ok(()) } else { write!(f, " in {}", self.path) }
    }
}

impl core::error::Error for Error<'_> {}

/// One step of a field path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'n> {
    /// A component or alternative, by name.
    Name(&'n str),
    /// An element of a list, counted from 0.
    Index(u32),
}

/// Where the names of a path's steps are: a layout's.
pub trait Names: Sync {
    /// The name in this place, or nothing where there is none.
    fn name(&self, place: u32) -> &str;
}

impl<const N: usize> Names for [&'static str; N] {
    fn name(&self, place: u32) -> &str {
        self.get(place as usize).copied().unwrap_or("")
    }
}

/// A field path such as `cam.camParameters.lowFrequencyContainer[3].pathDeltaTime`. It is built from the inside out while an error
/// passes through the levels; past [`Path::MAX_STEPS`] steps the outermost are left out.
///
/// Errors are returned through the stack, which a space-optimised codec has little of; so a step is one word, and its name is looked up when it is read.
#[derive(Clone)]
pub struct Path<'n> {
    names: Option<&'n dyn Names>,
    /// Innermost first: the place of a name, or an index with the highest bit set.
    steps: [u32; Path::MAX_STEPS],
    len: u8,
    cut: bool,
}

const INDEX: u32 = 1 << 31;

impl<'n> Path<'n> {
    /// How many steps a path holds.
    pub const MAX_STEPS: usize = 12;

    /// The message itself.
    #[must_use]
    pub const fn root() -> Self {
        Path { names: None, steps: [0; Path::MAX_STEPS], len: 0, cut: false }
    }

    /// Whether it is the message itself.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Puts a component or alternative in front: the one whose name is in this place (below 2^31) of `names`, which are the same for all steps.
    pub fn prepend_name(&mut self, names: &'n dyn Names, place: u32) {
        self.names = Some(names);
        self.prepend(place & !INDEX);
    }

    /// Puts an element of a list in front. (Past 2^31 elements the index is wrong.)
    pub fn prepend_index(&mut self, index: u32) {
        self.prepend(index | INDEX);
    }

    fn prepend(&mut self, step: u32) {
        match self.steps.get_mut(usize::from(self.len)) {
            Some(place) => {
                *place = step;
                self.len += 1;
            }
            None => self.cut = true,
        }
    }

    /// The steps from the outermost in.
    pub fn steps(&self) -> impl Iterator<Item = Step<'n>> + '_ {
        self.steps.iter().take(usize::from(self.len)).rev().map(|step| match step & INDEX {
            0 => Step::Name(self.names.map_or("", |names| names.name(*step))),
            _ => Step::Index(step & !INDEX),
        })
    }
}

impl PartialEq for Path<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cut == other.cut && self.steps().eq(other.steps())
    }
}

impl Eq for Path<'_> {}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.cut {
            f.write_str("…")?;
        }
        for (at, step) in self.steps().enumerate() {
            match step {
                Step::Name(name) if at == 0 && !self.cut => f.write_str(name)?,
                Step::Name(name) => write!(f, ".{name}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path({self})")
    }
}
