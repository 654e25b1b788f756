//! Generated types part by part, without a table of functions: filled from a tape or a row, and
//! written onto a tape.

use crate::bits::BitWord;
use crate::data::{Data, Scalar, Shape};
use crate::error::Rejected;
use crate::part::Part;
use crate::unknown::Unknown;

/// A place for a value that is written part by part, as a tape is.
pub trait Parts {
    /// The place of a part.
    type Place: Copy;

    /// Puts a leaf.
    ///
    /// # Errors
    /// The place is for another kind of value, or has no room.
    fn put(&mut self, place: Self::Place, leaf: Scalar<'_>) -> Result<(), Rejected>;

    /// Puts an integer of up to 64 bits: the same as [`Parts::put`], but faster.
    ///
    /// # Errors
    /// As [`Parts::put`].
    fn put_integer(&mut self, place: Self::Place, integer: i64) -> Result<(), Rejected>;

    /// Makes component `index` present.
    ///
    /// # Errors
    /// As [`Parts::put`].
    fn component(&mut self, place: Self::Place, index: usize) -> Result<Self::Place, Rejected>;

    /// Makes component `index` absent again if it is a leaf with the DEFAULT of its component: an
    /// encoder would have to look for it.
    fn leave_default_out(&mut self, place: Self::Place, index: usize);

    /// Makes a CHOICE have alternative `index`.
    ///
    /// # Errors
    /// As [`Parts::put`].
    fn choose(&mut self, place: Self::Place, index: usize) -> Result<Self::Place, Rejected>;

    /// Makes room for `count` elements of a list, and returns the place of the first one.
    ///
    /// # Errors
    /// As [`Parts::put`].
    fn list(&mut self, place: Self::Place, count: usize) -> Result<Self::Place, Rejected>;

    /// The place of an element, from that of the first one.
    fn element(&self, first: Self::Place, index: usize) -> Self::Place;

    /// Keeps additions that the type does not know; of a CHOICE, its alternative.
    ///
    /// # Errors
    /// As [`Parts::put`].
    fn keep(&mut self, place: Self::Place, unknown: &[Unknown]) -> Result<(), Rejected>;
}

/// Makes a leaf of any type hold a value.
///
/// # Errors
/// It cannot hold it.
#[inline]
pub fn fill_leaf(value: &mut (impl Data + ?Sized), leaf: Scalar<'_>) -> Result<(), Rejected> {
    match leaf {
        Scalar::Octets(octets) => {
            held(value.begin(Shape::Octets))?;
            fill(value.extend_octets(octets.len()), octets)
        }
        Scalar::Bits(octets, bits) => {
            if BitWord::from_octets(octets, bits).is_some_and(|word| value.set(Scalar::Word(word))) {
                return Ok(());
            }
            held(value.begin(Shape::Bits))?;
            fill(value.extend_bits(bits), octets)
        }
        Scalar::Text(text) => {
            held(value.begin(Shape::Text))?;
            text.chars().try_for_each(|one| held(value.push_char(one)))
        }
        leaf => held(value.set(leaf)),
    }
}

fn fill(place: Option<&mut [u8]>, octets: &[u8]) -> Result<(), Rejected> {
    let place = place.filter(|place| place.len() == octets.len()).ok_or(Rejected)?;
    place.copy_from_slice(octets);
    Ok(())
}

#[inline(always)]
fn held(is_held: bool) -> Result<(), Rejected> {
    if is_held { Ok(()) } else { Err(Rejected) }
}

/// The answer for a content that a type holds as octets: on a tape it is a value.
#[doc(hidden)]
#[inline]
pub const fn no_tape() -> Result<(), Rejected> {
    Err(Rejected)
}

/// Keeps the octets of an open type, or an alternative that a CHOICE does not know.
#[doc(hidden)]
#[inline]
pub fn keep_content(value: &mut impl Data, part: impl Part) -> Result<(), Rejected> {
    match part.scalar() {
        Scalar::Unset => keep_unknown(value, part),
        octets => fill_leaf(value, octets),
    }
}

/// The same the other way round.
#[doc(hidden)]
#[inline]
pub fn put_content<P: Parts>(value: &impl Data, parts: &mut P, place: P::Place) -> Result<(), Rejected> {
    match value.scalar() {
        Scalar::Unset => put_unknown(value, parts, place),
        octets => parts.put(place, octets),
    }
}

/// Forgets the unknown additions that a value holds, and with them what may be absent.
#[doc(hidden)]
#[inline]
pub fn forget_unknown(value: &mut impl Data, shape: Shape) -> Result<(), Rejected> {
    if value.unknown().is_empty() { Ok(()) } else { held(value.begin(shape)) }
}

/// Keeps the unknown additions of a part.
#[doc(hidden)]
#[inline]
pub fn keep_unknown(value: &mut impl Data, part: impl Part) -> Result<(), Rejected> {
    part.unknown().iter().try_for_each(|unknown| held(value.keep(unknown.clone())))
}

/// The same the other way round.
#[doc(hidden)]
#[inline]
pub fn put_unknown<P: Parts>(value: &impl Data, parts: &mut P, place: P::Place) -> Result<(), Rejected> {
    match value.unknown() {
        [] => Ok(()),
        unknown => parts.keep(place, unknown),
    }
}

/// [`Data::fill_from`] and [`Data::put_into`] of a type that holds a value in a part of it.
#[doc(hidden)]
#[macro_export]
macro_rules! parts_of {
    ($self:ident => $inner:expr) => {
        #[inline]
        fn fill_from<P: $crate::Part>(&mut $self, part: P) -> Result<(), $crate::Rejected> {
            $crate::Data::fill_from(&mut $inner, part)
        }
        #[inline]
        fn put_into<P: $crate::Parts>(&$self, parts: &mut P, place: P::Place) -> Result<(), $crate::Rejected> {
            $crate::Data::put_into(&$inner, parts, place)
        }
    };
}

/// The methods of [`Data`] for a SEQUENCE that walk through its parts: [`Data::append`],
/// [`Data::fill_row`], [`Data::fill_from`] and [`Data::put_into`]. It has so many columns; then for
/// each part its columns, and `=`, `~` if it has a DEFAULT, or `?` if it may be absent. `#` and `%`
/// stand for `=` and `?` if its content is only known as octets, which are its last column: on a
/// tape it is a value.
#[doc(hidden)]
#[macro_export]
macro_rules! parts {
    ($width:literal $(, $field:ident $kind:tt $from:literal..$end:literal)*) => {
        $crate::append_parts!($width $(, $field $kind $from..$end)*);
        fn fill_from<P: $crate::Part>(&mut self, part: P) -> Result<(), $crate::Rejected> {
            $crate::forget_unknown(self, $crate::Shape::Record([$(stringify!($field)),*].len()))?;
            let mut index = 0;
            $(
                $crate::parts!(@fill $kind self, $field, part, index);
                index += 1;
            )*
            let _ = index;
            $crate::keep_unknown(self, part)
        }
        fn put_into<P: $crate::Parts>(&self, parts: &mut P, place: P::Place) -> Result<(), $crate::Rejected> {
            let mut index = 0;
            $(
                $crate::parts!(@put $kind self.$field, parts, place, index);
                index += 1;
            )*
            let _ = index;
            $crate::put_unknown(self, parts, place)
        }
    };
    (@fill = $self:ident, $field:ident, $part:ident, $index:ident) => {
        $crate::Data::fill_from(&mut $self.$field, $part.component($index).ok_or($crate::Rejected)?)?
    };
    (@fill ~ $self:ident, $field:ident, $part:ident, $index:ident) => {
        match $part.component($index) {
            Some(part) => $crate::Data::fill_from(&mut $self.$field, part)?,
            None => $self.$field = <Self as Default>::default().$field,
        }
    };
    (@fill ? $self:ident, $field:ident, $part:ident, $index:ident) => {
        match $part.component($index) {
            Some(part) => {
                if $self.$field.is_none() {
                    let _ = $self.component_mut($index);
                }
                $crate::Data::fill_from($self.$field.as_mut().ok_or($crate::Rejected)?, part)?
            }
            None => $self.$field = None,
        }
    };
    (@fill $octets:tt $self:ident, $field:ident, $part:ident, $index:ident) => {
        $crate::no_tape()?
    };
    (@put = $part:expr, $parts:ident, $place:ident, $index:ident) => {{
        let place = $parts.component($place, $index)?;
        $crate::Data::put_into(&$part, $parts, place)?
    }};
    (@put ~ $part:expr, $parts:ident, $place:ident, $index:ident) => {{
        $crate::parts!(@put = $part, $parts, $place, $index);
        $parts.leave_default_out($place, $index);
    }};
    (@put ? $part:expr, $parts:ident, $place:ident, $index:ident) => {
        if let Some(part) = &$part {
            let place = $parts.component($place, $index)?;
            $crate::Data::put_into(part, $parts, place)?
        }
    };
    (@put $octets:tt $part:expr, $parts:ident, $place:ident, $index:ident) => {
        $crate::no_tape()?
    };
}

/// The same for a SEQUENCE without components, which has one column, as a leaf has.
#[doc(hidden)]
#[macro_export]
macro_rules! no_parts {
    () => {
        $crate::fill_row_empty!();
        fn fill_from<P: $crate::Part>(&mut self, part: P) -> Result<(), $crate::Rejected> {
            match self.begin($crate::Shape::Record(0)) {
                true => $crate::keep_unknown(self, part),
                false => Err($crate::Rejected),
            }
        }
        fn put_into<P: $crate::Parts>(&self, parts: &mut P, place: P::Place) -> Result<(), $crate::Rejected> {
            $crate::put_unknown(self, parts, place)
        }
    };
}

/// The same for a CHOICE: it has so many columns, then for each alternative its columns. Of any
/// other, no column has a value.
#[doc(hidden)]
#[macro_export]
macro_rules! alternatives {
    ($width:literal $(, $variant:ident $from:literal..$end:literal)* $(; $unknown:ident)?) => {
        $crate::append_one!($width $(, $variant $from..$end)* $(; $unknown)?);
        fn fill_from<P: $crate::Part>(&mut self, part: P) -> Result<(), $crate::Rejected> {
            let Some((index, content)) = part.alternative() else { return $crate::keep_content(self, part) };
            // Fills over what the alternative holds already.
            if self.alternative().is_none_or(|(held, _)| held != index) && self.choose(index).is_none() {
                return Err($crate::Rejected);
            }
            match self {
                $(Self::$variant(place) => $crate::Data::fill_from(place, content),)*
                $(Self::$unknown(_) => Err($crate::Rejected),)?
            }
        }
        fn put_into<P: $crate::Parts>(&self, parts: &mut P, place: P::Place) -> Result<(), $crate::Rejected> {
            let mut index = 0;
            $(
                if let Self::$variant(content) = self {
                    let place = parts.choose(place, index)?;
                    return $crate::Data::put_into(content, parts, place);
                }
                index += 1;
            )*
            let _ = index;
            $crate::put_content(self, parts, place)
        }
    };
}

/// [`Data::fill_from`] and [`Data::put_into`] of an integer of up to 64 bits.
macro_rules! parts_of_integer {
    () => {
        #[inline]
        fn fill_from<P: crate::part::Part>(&mut self, part: P) -> Result<(), crate::Rejected> {
            match part.integer() {
                Some(value) if self.set_integer(value) => Ok(()),
                Some(_) => Err(crate::Rejected),
                None => crate::parts::fill_leaf(self, part.scalar()),
            }
        }
        #[inline]
        fn put_into<P: crate::parts::Parts>(&self, parts: &mut P, place: P::Place) -> Result<(), crate::Rejected> {
            match Data::integer(self) {
                Some(value) => parts.put_integer(place, value),
                None => parts.put(place, self.scalar()),
            }
        }
    };
}
pub(crate) use parts_of_integer;

/// The same of a list.
macro_rules! parts_of_list {
    () => {
        fn fill_from<P: crate::part::Part>(&mut self, part: P) -> Result<(), crate::Rejected> {
            let count = part.length().ok_or(crate::Rejected)?;
            self.truncate(count);
            for (index, element) in self.iter_mut().enumerate() {
                element.fill_from(part.element(index).ok_or(crate::Rejected)?)?;
            }
            (self.len()..count).try_for_each(|index| {
                let element = self.push_empty().ok_or(crate::Rejected)?;
                element.fill_from(part.element(index).ok_or(crate::Rejected)?)
            })
        }
        fn put_into<P: crate::parts::Parts>(&self, parts: &mut P, place: P::Place) -> Result<(), crate::Rejected> {
            let first = parts.list(place, self.len())?;
            for (index, element) in self.iter().enumerate() {
                let place = parts.element(first, index);
                element.put_into(parts, place)?;
            }
            Ok(())
        }
    };
}
pub(crate) use parts_of_list;
