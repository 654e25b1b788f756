//! How the interpreter reads and fills messages in memory.

use crate::bits::BitWord;
use crate::error::Rejected;
use crate::part::Part;
use crate::parts::{self, Parts};
use crate::unknown::Unknown;

/// A leaf's value, borrowed or by value. No variant allocates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar<'a> {
    /// Not a leaf, or nothing set yet.
    Unset,
    /// NULL
    Null,
    /// BOOLEAN
    Boolean(bool),
    /// An integer of up to 128 bits.
    Integer(i128),
    /// A wider integer: two's complement, most significant octet first.
    WideInteger(&'a [u8]),
    /// ENUMERATED, by ordinal: place among root items and then additions. An unknown addition has
    /// the root's count plus its extension index; or, where only its number is known, 2^31 plus
    /// twice the number (for a negative number, plus twice its complement plus 1).
    Enumerated(u32),
    /// REAL
    Real(f64),
    /// A bit string of up to 64 bits.
    Word(BitWord),
    /// A bit string: octets, first bit most significant; how many bits.
    Bits(&'a [u8], usize),
    /// An octet string, or the octets of an open type.
    Octets(&'a [u8]),
    /// A character string or a time in its text form.
    Text(&'a str),
    /// An object identifier: its contents octets as in X.690 §8.19, §8.20.
    Oid(&'a [u8]),
}

/// The kind of value that a decoder is about to fill in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A SEQUENCE or SET with this many components: all absent, or at their DEFAULT.
    Record(usize),
    /// A list without elements.
    List,
    /// A bit string without bits, filled by [`Data::extend_bits`].
    Bits,
    /// An octet string without octets, filled by [`Data::extend_octets`].
    Octets,
    /// A string without characters, filled by [`Data::push_char`].
    Text,
}

/// Anything that holds a value of an ASN.1 type: generated types, and the dynamic `Value`.
///
/// A type implements the methods that apply to it. The defaults of the others say "not of this
/// kind": `None`, `false`, [`Scalar::Unset`].
pub trait Data {
    /// A leaf's value.
    fn scalar(&self) -> Scalar<'_> {
        Scalar::Unset
    }

    /// A leaf's value if it is an integer of up to 64 bits: the same as [`Data::scalar`], but
    /// faster.
    fn integer(&self) -> Option<i64> {
        match self.scalar() {
            Scalar::Integer(value) => i64::try_from(value).ok(),
            _ => None,
        }
    }

    /// Component `index` of a SEQUENCE or SET, by textual order; `None` where absent. A component
    /// with a DEFAULT may be present or absent.
    fn component(&self, index: usize) -> Option<&dyn Data> {
        let _ = index;
        None
    }

    /// Whether it is a SEQUENCE or SET, without unknown additions unless the type is `extensible`.
    /// Generated types always say yes; a dynamic value may be something else.
    fn is_record(&self, extensible: bool) -> bool {
        let _ = extensible;
        true
    }

    /// How many elements a list has.
    fn length(&self) -> Option<usize> {
        None
    }

    /// Element `index` of a list.
    fn element(&self, index: usize) -> Option<&dyn Data> {
        let _ = index;
        None
    }

    /// Which alternative a CHOICE (or which row of its table an open type) holds, and its value.
    /// `None` for an unknown alternative, which is then in [`Data::unknown`].
    fn alternative(&self) -> Option<(usize, &dyn Data)> {
        None
    }

    /// Unknown extension additions (of a CHOICE: the alternative) as received, ascending by index.
    fn unknown(&self) -> &[Unknown] {
        &[]
    }

    /// Whether [`Data::append`] knows the parts of the type.
    #[cfg(feature = "columns")]
    fn can_append(&self) -> bool {
        true
    }

    /// Appends the value to the columns of its type ([`column`](crate::column)), in a row behind
    /// all that have one. A leaf has one column, and this is the code for it.
    ///
    /// # Errors
    /// The columns do not hold it, or are of another type. Some may have the row already:
    /// [`Column::truncate`](crate::Column::truncate).
    #[cfg(feature = "columns")]
    #[inline]
    fn append(&self, columns: &mut [crate::Column], row: usize) -> Result<(), crate::Rejected> {
        match columns {
            [column] => column.put(row, self.scalar()),
            _ => Err(crate::Rejected),
        }
    }

    /// Takes the value of a row of the columns of its type, which has one: those that
    /// [`Data::append`] fills. A leaf has one column, and this is the code for it.
    ///
    /// # Errors
    /// It cannot hold the value; a mandatory part has none; the columns are of another type.
    #[cfg(feature = "columns")]
    #[inline]
    fn fill_row(&mut self, columns: &[crate::Source<'_>], row: usize) -> Result<(), Rejected> {
        match columns {
            [column] => column.fill(row, self),
            _ => Err(Rejected),
        }
    }

    /// For a value that allocates each part separately: how many octets of heap one element,
    /// component or alternative takes. 0 for types that hold their parts inline.
    #[cfg(feature = "alloc")]
    fn place(&self) -> usize {
        0
    }

    /// Makes it an empty value of this shape. `false` if it cannot have that shape.
    fn begin(&mut self, shape: Shape) -> bool {
        let _ = shape;
        false
    }

    /// Sets a leaf. `false` if it cannot hold that value.
    fn set(&mut self, scalar: Scalar<'_>) -> bool {
        let _ = scalar;
        false
    }

    /// Sets a leaf that is an integer: the same as [`Data::set`], but faster.
    fn set_integer(&mut self, value: i64) -> bool {
        self.set(Scalar::Integer(value.into()))
    }

    /// Makes component `index` present and gives access to it.
    fn component_mut(&mut self, index: usize) -> Option<&mut dyn Data> {
        let _ = index;
        None
    }

    /// Appends an element to a list; `None` if it is full.
    fn push(&mut self) -> Option<&mut dyn Data> {
        None
    }

    /// Makes a CHOICE (or an open type) hold alternative `index`.
    fn choose(&mut self, index: usize) -> Option<&mut dyn Data> {
        let _ = index;
        None
    }

    /// Keeps an unknown extension addition (of a CHOICE: the alternative). `false` if it cannot.
    fn keep(&mut self, unknown: Unknown) -> bool {
        let _ = unknown;
        false
    }

    /// Appends `count` bits (a whole number of octets unless it is the last call) and returns the
    /// octets to fill.
    fn extend_bits(&mut self, count: usize) -> Option<&mut [u8]> {
        let _ = count;
        None
    }

    /// Appends `count` octets and returns them to be filled.
    fn extend_octets(&mut self, count: usize) -> Option<&mut [u8]> {
        let _ = count;
        None
    }

    /// Appends a character. `false` if there is no room.
    fn push_char(&mut self, character: char) -> bool {
        let _ = character;
        false
    }

    /// Takes the value of a part, such as a place on a tape: what the methods above do one by one,
    /// without a table of functions. A leaf has no parts, and this is the code for it.
    ///
    /// # Errors
    /// It cannot hold the value, as values whose type is known at run time alone never can.
    #[inline]
    fn fill_from<P: Part>(&mut self, part: P) -> Result<(), Rejected>
    where
        Self: Sized,
    {
        parts::fill_leaf(self, part.scalar())
    }

    /// Puts the value at a place, part by part. A leaf has no parts, and this is the code for it.
    ///
    /// # Errors
    /// The place is not one for the value, or has no room.
    #[inline]
    fn put_into<P: Parts>(&self, parts: &mut P, place: P::Place) -> Result<(), Rejected>
    where
        Self: Sized,
    {
        parts.put(place, self.scalar())
    }
}

/// The methods of [`Data`] for a type that holds a value in a part of it:
/// `impl Data for Version { data_of!(self => self.0); }`.
#[macro_export]
macro_rules! data_of {
    ($self:ident => $inner:expr) => {
        $crate::data_of!(unsized $self => $inner);
        $crate::parts_of!($self => $inner);
    };
    // Of a part that may be any `dyn Data`.
    (unsized $self:ident => $inner:expr) => {
        $crate::data_of!(read $self => $inner;
            scalar() -> $crate::Scalar<'_>, integer() -> Option<i64>, component(index: usize) -> Option<&dyn $crate::Data>,
            is_record(extensible: bool) -> bool, length() -> Option<usize>, element(index: usize) -> Option<&dyn $crate::Data>,
            alternative() -> Option<(usize, &dyn $crate::Data)>, unknown() -> &[$crate::Unknown]
        );
        $crate::place_of!($self => $inner);
        $crate::append_of!($self => $inner);
        $crate::data_of!(write $self => $inner;
            begin(shape: $crate::Shape) -> bool, set(scalar: $crate::Scalar<'_>) -> bool, set_integer(value: i64) -> bool,
            component_mut(index: usize) -> Option<&mut dyn $crate::Data>, push() -> Option<&mut dyn $crate::Data>,
            choose(index: usize) -> Option<&mut dyn $crate::Data>, keep(unknown: $crate::Unknown) -> bool,
            extend_bits(count: usize) -> Option<&mut [u8]>, extend_octets(count: usize) -> Option<&mut [u8]>,
            push_char(character: char) -> bool
        );
    };
    (read $self:ident => $inner:expr; $($method:ident($($name:ident: $type:ty)?) -> $result:ty),*) => { $(
        #[inline]
        fn $method(&$self $(, $name: $type)?) -> $result {
            $crate::Data::$method(&$inner $(, $name)?)
        }
    )* };
    (write $self:ident => $inner:expr; $($method:ident($($name:ident: $type:ty)?) -> $result:ty),*) => { $(
        #[inline]
        fn $method(&mut $self $(, $name: $type)?) -> $result {
            $crate::Data::$method(&mut $inner $(, $name)?)
        }
    )* };
}

/// [`Data::place`] of a type that holds a value in a part of it.
#[cfg(feature = "alloc")]
#[doc(hidden)]
#[macro_export]
macro_rules! place_of {
    ($self:ident => $inner:expr) => {
        fn place(&$self) -> usize {
            $crate::Data::place(&$inner)
        }
    };
}

/// Nothing: without the feature `alloc` nothing has parts on the heap.
#[cfg(not(feature = "alloc"))]
#[doc(hidden)]
#[macro_export]
macro_rules! place_of {
    ($($any:tt)*) => {};
}

/// [`Data::append`] and [`Data::fill_row`] of a type that holds a value in a part of it.
#[cfg(feature = "columns")]
#[doc(hidden)]
#[macro_export]
macro_rules! append_of {
    ($self:ident => $inner:expr) => {
        fn can_append(&$self) -> bool {
            $crate::Data::can_append(&$inner)
        }
        #[inline]
        fn append(&$self, columns: &mut [$crate::Column], row: usize) -> Result<(), $crate::Rejected> {
            $crate::Data::append(&$inner, columns, row)
        }
        #[inline]
        fn fill_row(&mut $self, columns: &[$crate::Source<'_>], row: usize) -> Result<(), $crate::Rejected> {
            $crate::Data::fill_row(&mut $inner, columns, row)
        }
    };
}

/// Nothing: without the feature `columns` there are none.
#[cfg(not(feature = "columns"))]
#[doc(hidden)]
#[macro_export]
macro_rules! append_of {
    ($($any:tt)*) => {};
}

/// [`Data::can_append`] of a type whose parts are known at run time alone.
#[cfg(feature = "columns")]
#[doc(hidden)]
#[macro_export]
macro_rules! cannot_append {
    () => {
        fn can_append(&self) -> bool {
            false
        }
    };
}

/// Nothing: without the feature `columns` there are none.
#[cfg(not(feature = "columns"))]
#[doc(hidden)]
#[macro_export]
macro_rules! cannot_append {
    () => {};
}

/// [`Data::append`] of a SEQUENCE, as [`parts!`](crate::parts!) says its parts.
#[cfg(feature = "columns")]
#[doc(hidden)]
#[macro_export]
macro_rules! append_parts {
    ($width:literal $(, $field:ident $kind:tt $from:literal..$end:literal)*) => {
        fn append(&self, columns: &mut [$crate::Column], row: usize) -> Result<(), $crate::Rejected> {
            let Ok(columns) = <&mut [$crate::Column; $width]>::try_from(columns) else { return Err($crate::Rejected) };
            if columns[0].is_skipped() {
                return Ok(());
            }
            $($crate::append_parts!(@$kind self.$field, columns, row, $from, $end);)*
            Ok(())
        }
        $crate::fill_row_parts!($width $(, $field $kind $from..$end)*);
    };
    (@= $part:expr, $columns:ident, $row:ident, $from:literal, $end:literal) => {
        $crate::Data::append(&$part, &mut $columns[$from..$end], $row)?
    };
    (@~ $part:expr, $columns:ident, $row:ident, $from:literal, $end:literal) => {
        $crate::Data::append(&$part, &mut $columns[$from..$end], $row)?
    };
    (@? $part:expr, $columns:ident, $row:ident, $from:literal, $end:literal) => {
        if let Some(part) = &$part {
            $columns[$from].mark($row);
            $crate::Data::append(part, &mut $columns[$from..$end], $row)?
        }
    };
    (@# $part:expr, $columns:ident, $row:ident, $from:literal, $end:literal) => {{
        $columns[$end - 1].mark($row);
        $crate::Data::append(&$part, &mut $columns[$end - 1..$end], $row)?
    }};
    (@% $part:expr, $columns:ident, $row:ident, $from:literal, $end:literal) => {
        if let Some(part) = &$part {
            $columns[$from].mark($row);
            $columns[$end - 1].mark($row);
            $crate::Data::append(part, &mut $columns[$end - 1..$end], $row)?
        }
    };
}

/// [`Data::append`] of a CHOICE, as [`alternatives!`](crate::alternatives!) says its own.
#[cfg(feature = "columns")]
#[doc(hidden)]
#[macro_export]
macro_rules! append_one {
    ($width:literal $(, $variant:ident $from:literal..$end:literal)* $(; $unknown:ident)?) => {
        fn append(&self, columns: &mut [$crate::Column], row: usize) -> Result<(), $crate::Rejected> {
            let Ok(columns) = <&mut [$crate::Column; $width]>::try_from(columns) else { return Err($crate::Rejected) };
            match self {
                $(Self::$variant(part) => {
                    columns[$from].mark(row);
                    $crate::Data::append(part, &mut columns[$from..$end], row)
                })*
                $(Self::$unknown(_) => Ok(()),)?
            }
        }
        $crate::fill_row_one!($width $(, $variant $from..$end)* $(; $unknown)?);
    };
}

/// Nothing: without the feature `columns` there are none.
#[cfg(not(feature = "columns"))]
#[doc(hidden)]
#[macro_export]
macro_rules! append_parts {
    ($($any:tt)*) => {};
}

/// Nothing: without the feature `columns` there are none.
#[cfg(not(feature = "columns"))]
#[doc(hidden)]
#[macro_export]
macro_rules! append_one {
    ($($any:tt)*) => {};
}

/// Nothing: without the feature `columns` there are none.
#[cfg(not(feature = "columns"))]
#[doc(hidden)]
#[macro_export]
macro_rules! fill_row_empty {
    () => {};
}

/// An element of a list. Like `Default`, but arrays of any length implement it.
pub trait Element: Data + Sized {
    /// A new element of a list.
    fn empty() -> Self;
}

impl<const N: usize> Element for [u8; N] {
    #[inline(always)]
    fn empty() -> Self {
        [0; N]
    }
}

/// Implements [`Element`] by `Default` for types; generic parameters are written after the type, in
/// brackets.
#[macro_export]
macro_rules! elements {
    ($($type:ty $([$($parameters:tt)*])?),* $(,)?) => { $(
        impl $(<$($parameters)*>)? $crate::Element for $type {
            #[inline(always)]
            fn empty() -> Self {
                Default::default()
            }
        }
    )* };
}
elements!(u8, u16, u32, u64, i8, i16, i32, i64, i128, bool, (), f64, BitWord);

macro_rules! integers {
    ($($t:ty $(: $cells:ident)?)*) => { $(
        impl Data for $t {
            parts::parts_of_integer!();
            $(
                #[cfg(feature = "columns")]
                crate::column::append_number!($cells);
                #[cfg(feature = "columns")]
                crate::column::fill_number!($cells);
            )?
            #[inline]
            fn scalar(&self) -> Scalar<'_> {
                #[allow(clippy::unnecessary_cast)]
                Scalar::Integer(*self as i128)
            }
            #[inline]
            fn set(&mut self, scalar: Scalar<'_>) -> bool {
                match scalar {
                    Scalar::Integer(value) => match <$t>::try_from(value) {
                        Ok(value) => { *self = value; true }
                        Err(_) => false,
                    },
                    _ => false,
                }
            }
            #[inline]
            fn integer(&self) -> Option<i64> {
                #[allow(clippy::useless_conversion)]
                i64::try_from(*self).ok()
            }
            #[inline]
            fn set_integer(&mut self, value: i64) -> bool {
                #[allow(clippy::useless_conversion)]
                match <$t>::try_from(value) {
                    Ok(value) => { *self = value; true }
                    Err(_) => false,
                }
            }
        }
    )* };
}
integers!(u8: U8 u16: U16 u32: U32 u64: U64 i8: I8 i16: I16 i32: I32 i64: I64 i128);

impl Data for bool {
    fn scalar(&self) -> Scalar<'_> {
        Scalar::Boolean(*self)
    }
    fn set(&mut self, scalar: Scalar<'_>) -> bool {
        match scalar {
            Scalar::Boolean(value) => {
                *self = value;
                true
            }
            _ => false,
        }
    }
}

impl Data for () {
    fn scalar(&self) -> Scalar<'_> {
        Scalar::Null
    }
    fn set(&mut self, scalar: Scalar<'_>) -> bool {
        scalar == Scalar::Null
    }
}

impl Data for f64 {
    fn scalar(&self) -> Scalar<'_> {
        Scalar::Real(*self)
    }
    fn set(&mut self, scalar: Scalar<'_>) -> bool {
        match scalar {
            Scalar::Real(value) => {
                *self = value;
                true
            }
            _ => false,
        }
    }
}

impl Data for BitWord {
    fn scalar(&self) -> Scalar<'_> {
        Scalar::Word(*self)
    }
    fn set(&mut self, scalar: Scalar<'_>) -> bool {
        match scalar {
            Scalar::Word(word) => {
                *self = word;
                true
            }
            _ => false,
        }
    }
}

impl<const N: usize> Data for [u8; N] {
    fn scalar(&self) -> Scalar<'_> {
        Scalar::Octets(self)
    }
    fn begin(&mut self, shape: Shape) -> bool {
        shape == Shape::Octets
    }
    fn extend_octets(&mut self, count: usize) -> Option<&mut [u8]> {
        (count == N).then_some(&mut self[..])
    }
}
