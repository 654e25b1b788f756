//! Errors: a small kind, the bit offset, and the field path.

use core::fmt;

use crate::faults::Fault;
use crate::path::{Names, Path};
use crate::unexpected::Unexpected;

/// An error: its kind, the place in the encoding, and the field.
///
/// `'n` is the lifetime of the field names: `'static` in generated code, the layout's in the
/// interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error<'n> {
    /// The kind of error.
    pub kind: ErrorKind,
    /// Offset in bits from the start of the message: on decoding, of the item at fault; on
    /// encoding, how many bits had been written.
    pub bit: usize,
    /// The field, from the message's root.
    pub path: Path<'n>,
}

/// "No": the input ends, the output is full, or a value is outside its constraint.
///
/// Readers, writers and generated code return only this, to keep the successful path short. The
/// interpreter then walks the same layout over the same message to find out what is wrong, and
/// where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rejected;

/// The kinds of errors. [`ErrorKind::code`] is the same in every language and never changes;
/// `docs/errors.md` lists the codes.
///
/// Programs use the predicates, such as [`ErrorKind::is_limit`], or compare codes: more kinds may
/// be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input ends before the item does, at least `missing` bits too early.
    Truncated {
        /// How many more bits the item needs.
        missing: usize,
    },
    /// The input ends before the octets that a length counts.
    Cut {
        /// The length.
        length: u64,
        /// How many octets there are.
        left: u64,
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
    /// A REAL that is not the product of a mantissa and a power of 2 in the ranges of its type.
    RealRange,
    /// A REAL that would become infinity in a double, or a nonzero REAL that would become zero.
    RealWidth,
    /// A value that breaks a constraint that the encoding rules do not take into account (X.680
    /// §51).
    Constraint {
        /// The constraint as written.
        text: &'static str,
        /// The value, where it is an integer.
        number: Option<i128>,
    },
    /// An enumeration index or ordinal without a meaning.
    EnumerationIndex {
        /// The index.
        index: u64,
        /// How many there are.
        count: u64,
    },
    /// The number of an enumeration item that the type does not have.
    EnumerationNumber {
        /// The number.
        number: i128,
    },
    /// A choice index without a meaning.
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
    /// Text that does not have the form required by its type.
    Text(&'static str),
    /// A mandatory component is absent.
    Missing,
    /// The value's kind does not fit the type (say, text for an integer).
    Mismatch {
        /// The kind of value that the layout requires.
        expected: &'static str,
    },
    /// Octets or text that no encoder writes here; the fault says what is wrong. In JER also a
    /// value that the type in memory, or the text, cannot hold.
    Malformed(Fault),
    /// The same, where it is known what was found and what was expected.
    Unexpected {
        /// The fault.
        fault: Fault,
        /// The thing found, and the thing expected.
        what: Unexpected,
    },
    /// A name in the text that is not one of those allowed there.
    UnknownName {
        /// The fault, such as [`UNKNOWN_COMPONENT`](crate::faults::json::UNKNOWN_COMPONENT).
        fault: Fault,
        /// The layout's node that has the names.
        node: u32,
    },
    /// A length or count above the limit for any message (guards against length bombs).
    TooLong {
        /// The length.
        length: u64,
        /// The limit.
        limit: u64,
    },
    /// A value that takes more memory than the limit for its message.
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
        /// The feature that is needed.
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
            ErrorKind::Truncated { .. } | ErrorKind::Cut { .. } => "input.truncated",
            ErrorKind::IntegerRange { .. } => "integer.range",
            ErrorKind::IntegerWidth => "integer.width",
            ErrorKind::RealRange => "real.range",
            ErrorKind::RealWidth => "real.width",
            ErrorKind::Constraint { .. } => "constraint.value",
            ErrorKind::Size { .. } => "size.range",
            ErrorKind::Capacity { .. } => "size.capacity",
            ErrorKind::EnumerationIndex { .. } => "enumerated.index",
            ErrorKind::EnumerationNumber { .. } => "enumerated.number",
            ErrorKind::ChoiceIndex { .. } => "choice.index",
            ErrorKind::Alphabet { .. } => "text.alphabet",
            ErrorKind::Text(_) => "text.form",
            ErrorKind::Missing => "component.missing",
            ErrorKind::Mismatch { .. } => "value.mismatch",
            ErrorKind::Malformed(fault)
            | ErrorKind::Unexpected { fault, .. }
            | ErrorKind::UnknownName { fault, .. } => fault.code(),
            ErrorKind::TooLong { .. } => "limit.length",
            ErrorKind::Memory { .. } => "limit.memory",
            ErrorKind::TooDeep { .. } => "limit.depth",
            ErrorKind::NotBuilt { .. } => "engine.not-built",
            ErrorKind::NotCanonical => "input.not-canonical",
            ErrorKind::OutputFull { .. } => "output.full",
        }
    }

    /// Whether the input ended too soon. When reading from a stream, wait for more octets and
    /// decode from the start again; otherwise the message was cut short.
    #[must_use]
    pub const fn is_truncated(&self) -> bool {
        matches!(self, ErrorKind::Truncated { .. } | ErrorKind::Cut { .. })
    }

    /// Whether one of our limits was exceeded: a value too deep, too long, or taking too much
    /// memory. The message may still be valid. If you trust its sender, decode it again with
    /// greater limits; only those whose code ends in `depth`, `length` or `memory` can be changed.
    #[must_use]
    pub fn is_limit(&self) -> bool {
        match self {
            ErrorKind::TooLong { .. } | ErrorKind::Memory { .. } | ErrorKind::TooDeep { .. } => true,
            ErrorKind::Malformed(fault) => fault.is_limit(),
            _ => false,
        }
    }

    /// Whether the value breaks a constraint of its type: range, size, alphabet, or one that
    /// encoding rules do not take into account. The encoding is well-formed. When encoding, correct
    /// the value that [`Error::path`] names; when decoding, refuse the message, or check whether
    /// the sender has another version of its type.
    #[must_use]
    pub const fn is_constraint(&self) -> bool {
        matches!(
            self,
            ErrorKind::IntegerRange { .. }
                | ErrorKind::RealRange
                | ErrorKind::Size { .. }
                | ErrorKind::Alphabet { .. }
                | ErrorKind::Constraint { .. }
        )
    }

    /// Whether the output buffer is too small: encode again into a larger one.
    #[must_use]
    pub const fn is_output_full(&self) -> bool {
        matches!(self, ErrorKind::OutputFull { .. })
    }

    /// Whether the interpreter was built without something that this needs: enable the feature of
    /// `roadwire-engine` that the message names. No other input helps.
    #[must_use]
    pub const fn is_not_built(&self) -> bool {
        matches!(self, ErrorKind::NotBuilt { .. })
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, None)
    }
}

impl ErrorKind {
    /// Writes what is wrong, with the names of expected components where there are any.
    fn write(&self, f: &mut fmt::Formatter<'_>, names: Option<&dyn Names>) -> fmt::Result {
        match *self {
            ErrorKind::Unexpected { fault, what } => what.write(f, fault, names),
            ErrorKind::Truncated { missing: 1 } => f.write_str("the input ends 1 bit too soon"),
            ErrorKind::Truncated { missing } => write!(f, "the input ends {missing} bits too soon"),
            ErrorKind::Cut { length: 1, left } => write!(f, "expected 1 octet, found {left}"),
            ErrorKind::Cut { length, left } => write!(f, "expected {length} octets, found {left}"),
            ErrorKind::IntegerRange { value, lower, upper } if upper == i128::MAX => {
                write!(f, "value {value} below {lower}")
            }
            // As far as numbers of 128 bits go there is no lower end.
            ErrorKind::IntegerRange { value, lower: i128::MIN, upper } => {
                write!(f, "value {value} above {upper} (range MIN..{upper})")
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
            ErrorKind::Size { size, lower, upper } if upper == lower => {
                write!(f, "size {size} outside SIZE({lower})")
            }
            ErrorKind::Size { size, lower, upper } => {
                write!(f, "size {size} outside SIZE({lower}..{upper})")
            }
            ErrorKind::Capacity { size } => {
                write!(f, "size {size} is more than the in-memory type holds")
            }
            ErrorKind::EnumerationIndex { index, count } => {
                write!(f, "expected an enumeration index of 0..{}, found {index}", count.saturating_sub(1))
            }
            ErrorKind::EnumerationNumber { number } => {
                write!(f, "expected the number of an item of the enumeration, found {number}")
            }
            ErrorKind::ChoiceIndex { index, count } => {
                write!(f, "expected a choice index of 0..{}, found {index}", count.saturating_sub(1))
            }
            ErrorKind::Alphabet { code } => {
                write!(f, "character {code} outside the permitted alphabet")
            }
            ErrorKind::Text(what) => f.write_str(what),
            ErrorKind::Malformed(fault) | ErrorKind::UnknownName { fault, .. } => f.write_str(fault.text()),
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

impl Error<'_> {
    /// The message without the place. It names the components that are expected, which
    /// [`ErrorKind`] alone cannot.
    #[must_use]
    pub fn message(&self) -> impl fmt::Display + '_ {
        Message(self)
    }

    /// The line and the column, in characters, of the error in the text that was decoded; both
    /// count from 1.
    #[must_use]
    pub fn line_and_column(&self, text: &[u8]) -> (usize, usize) {
        let before = text.get(..self.bit / 8).unwrap_or(text);
        let start = before.iter().rposition(|octet| *octet == b'\n').map_or(0, |newline| newline + 1);
        let line = before.iter().filter(|octet| **octet == b'\n').count();
        // Continuation octets of a UTF-8 character do not count as columns.
        let column = before.iter().skip(start).filter(|octet| **octet & 0xc0 != 0x80).count();
        (line + 1, column + 1)
    }
}

/// The message of an error.
struct Message<'a, 'n>(&'a Error<'n>);

impl fmt::Display for Message<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.kind.write(f, self.0.path.names())
    }
}

impl fmt::Display for Error<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at bit {}", self.message(), self.bit)?;
        if self.path.is_empty() { Ok(()) } else { write!(f, " in {}", self.path) }
    }
}

impl core::error::Error for Error<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults;

    /// Errors are returned through the stack: see `docs/decisions/05-errors.md`.
    #[test]
    fn errors_are_small() {
        assert!(size_of::<ErrorKind>() <= 64, "{}", size_of::<ErrorKind>());
        assert!(size_of::<Error<'_>>() <= 144, "{}", size_of::<Error<'_>>());
    }

    #[test]
    fn ends_that_are_not_there_are_min_and_max() {
        let told = |lower, upper| alloc::format!("{}", ErrorKind::IntegerRange { value: 11, lower, upper });
        assert_eq!(told(i128::MIN, 10), "value 11 above 10 (range MIN..10)");
        assert_eq!(told(0, 10), "value 11 above 10 (range 0..10)");
        assert_eq!(told(12, i128::MAX), "value 11 below 12");
        assert_eq!(told(12, 14), "value 11 below 12 (range 12..14)");
    }

    #[test]
    fn predicates_tell_kinds_apart() {
        let size = ErrorKind::Size { size: 3, lower: 1, upper: 2 };
        let deep = ErrorKind::TooDeep { limit: 100 };
        let full = ErrorKind::OutputFull { capacity: 4 };
        let bare = ErrorKind::NotBuilt { feature: "tlv" };
        let cut = ErrorKind::Truncated { missing: 8 };
        let other = ErrorKind::Malformed(faults::tlv::TAG_OTHER);
        for (at, kind) in [cut, deep, size, full, bare, other].iter().enumerate() {
            let told = [
                kind.is_truncated(),
                kind.is_limit(),
                kind.is_constraint(),
                kind.is_output_full(),
                kind.is_not_built(),
            ];
            assert!((0..5).all(|one| told[one] == (one == at)), "{kind:?} {told:?}");
        }
        let limits =
            faults::FAMILIES.iter().copied().flatten().filter(|fault| ErrorKind::Malformed(**fault).is_limit());
        let codes: alloc::vec::Vec<_> = limits.map(|fault| fault.code()).collect();
        let wanted =
            ["fields.limit.groups", "events.limit.arc", "xml.limit.attributes", "xml.limit.namespaces", "limit.depth"];
        assert_eq!(codes, wanted);
    }
}
