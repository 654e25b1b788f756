//! The thing found in a message, and the thing that its type expects there.

use core::fmt;

use crate::faults::Fault;
use crate::path::{Names, name_at};

/// The thing found, and the thing expected. It holds no text of its own: names are places in the
/// [`Names`] of the error's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unexpected {
    /// A tag, a key or a number that is not one of those of the type.
    Number {
        /// How numbers are shown.
        form: Form,
        /// The one found.
        found: i64,
        /// Those expected, and the places of their names.
        expected: Few<(u32, u32)>,
    },
    /// A piece of text.
    Text {
        /// The piece found.
        found: Piece,
        /// The places of the names expected; none if the fault says what is expected.
        expected: Few<u32>,
        /// How expected names are shown.
        form: Form,
    },
    /// Other things.
    Other {
        /// The thing found.
        found: Thing,
        /// The thing expected; [`Thing::None`] if the fault names it.
        expected: Thing,
    },
}

/// How the number or the name of a component is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `3`
    Plain,
    /// `[APPLICATION 3]`: the class in the two highest bits of 32, the number below.
    Tag,
    /// `<name>`
    Element,
    /// `<name>` of a namespace that is not that of the element found.
    OtherNamespace,
    /// `</name>`
    EndTag,
}

/// One thing that was found or expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// Nothing to say.
    None,
    /// A number.
    Number(u64),
    /// A number from the first to the second.
    Between(u32, u32),
    /// So many octets.
    Length(u64),
    /// One octet, or a few, in hexadecimal digits: the number, and how many octets it has.
    Octets(u64, u8),
    /// The first `1` bits of a number, in binary digits.
    Bits(u8, u8),
    /// Something that has a name.
    Word(&'static str),
    /// The name at this place.
    Name(u32),
}

impl Unexpected {
    /// Writes the message of an error. Without names, an expected component is shown by its number
    /// alone.
    pub(crate) fn write(&self, f: &mut fmt::Formatter<'_>, fault: Fault, names: Option<&dyn Names>) -> fmt::Result {
        let name = |place: u32| name_at(names, place);
        match self {
            Unexpected::Number { form, found, expected } => {
                write!(f, "{fault} ")?;
                form.write_number(f, *found)?;
                if expected.is_empty() {
                    return Ok(());
                }
                f.write_str("; expected ")?;
                expected.write(f, |f, (number, place)| {
                    form.write_number(f, number.into())?;
                    let name = name(place);
                    if name.is_empty() { Ok(()) } else { write!(f, " ({name})") }
                })
            }
            Unexpected::Text { found, expected, form } => {
                if expected.is_empty() || names.is_none() {
                    write!(f, "{fault}, found {found}")
                } else {
                    f.write_str("expected ")?;
                    expected.write(f, |f, place| form.write_name(f, name(place)))?;
                    write!(f, ", found {found}")
                }
            }
            Unexpected::Other { found, expected } => {
                match expected {
                    Thing::None => write!(f, "{fault}")?,
                    Thing::Word(_) | Thing::Name(_) => {
                        f.write_str("expected ")?;
                        expected.write(f, &name)?;
                    }
                    _ => {
                        write!(f, "{fault} of ")?;
                        expected.write(f, &name)?;
                    }
                }
                if *found == Thing::None {
                    return Ok(());
                }
                f.write_str(", found ")?;
                found.write(f, &name)
            }
        }
    }
}

impl Form {
    fn write_number(self, f: &mut fmt::Formatter<'_>, number: i64) -> fmt::Result {
        if self != Form::Tag {
            return write!(f, "{number}");
        }
        let class = match number >> 30 & 3 {
            0 => "UNIVERSAL ",
            1 => "APPLICATION ",
            2 => "",
            _ => "PRIVATE ",
        };
        write!(f, "[{class}{}]", number & 0x3fff_ffff)
    }

    fn write_name(self, f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
        match self {
            Form::Plain | Form::Tag => f.write_str(name),
            Form::Element => write!(f, "<{name}>"),
            Form::OtherNamespace => write!(f, "<{name}> of another namespace"),
            Form::EndTag => write!(f, "</{name}>"),
        }
    }
}

impl Thing {
    fn write<'n>(&self, f: &mut fmt::Formatter<'_>, name: &impl Fn(u32) -> &'n str) -> fmt::Result {
        match *self {
            Thing::None => Ok(()),
            Thing::Number(number) => write!(f, "{number}"),
            Thing::Length(1) => f.write_str("1 octet"),
            Thing::Length(octets) => write!(f, "{octets} octets"),
            Thing::Octets(_, 0) => f.write_str("no octets"),
            Thing::Between(first, last) => write!(f, "{first}..{last}"),
            Thing::Octets(number, octets) => write!(f, "{number:0width$x}", width = usize::from(octets) * 2),
            Thing::Bits(number, bits) => write!(f, "{number:0width$b}", width = usize::from(bits)),
            Thing::Word(word) => f.write_str(word),
            Thing::Name(place) => f.write_str(name(place)),
        }
    }
}

/// At most three things of a list, and how many there are in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Few<T> {
    first: [T; 3],
    count: u16,
    or_end: bool,
}

impl<T: Copy + Default> Few<T> {
    /// None.
    #[must_use]
    pub fn none() -> Self {
        Few { first: [T::default(); 3], count: 0, or_end: false }
    }

    /// The first three of these.
    pub fn of(all: impl Iterator<Item = T>) -> Self {
        let mut few = Few::none();
        all.for_each(|one| few.add(|| one));
        few
    }

    /// Adds one; the function is called only if there is room.
    pub fn add(&mut self, one: impl FnOnce() -> T) {
        if let Some(place) = self.first.get_mut(usize::from(self.count)) {
            *place = one();
        }
        self.count = self.count.saturating_add(1);
    }

    /// The same; the end is possible as well.
    #[must_use]
    pub fn or_end(self, or_end: bool) -> Self {
        Few { or_end, ..self }
    }

    /// Writes `a, b or 3 more` with a function for each.
    fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        mut one: impl FnMut(&mut fmt::Formatter<'_>, T) -> fmt::Result,
    ) -> fmt::Result {
        let count = usize::from(self.count);
        let shown = count.min(self.first.len());
        let items = shown + usize::from(count > shown) + usize::from(self.or_end);
        for at in 0..items {
            f.write_str(match at {
                0 => "",
                _ if at + 1 == items => " or ",
                _ => ", ",
            })?;
            match self.first.get(at) {
                Some(item) if at < shown => one(f, *item)?,
                _ if at == shown && count > shown => write!(f, "{} more", count - shown)?,
                _ => f.write_str("the end")?,
            }
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.count == 0 && !self.or_end
    }
}

/// The beginning of a piece of text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    octets: [u8; Piece::MOST],
    length: u8,
    is_cut: bool,
}

impl Piece {
    const MOST: usize = 28;

    /// The beginning of these parts together, which should be UTF-8.
    #[must_use]
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut piece = Piece { octets: [0; Piece::MOST], length: 0, is_cut: false };
        let all = parts.iter().map(|part| part.len()).fold(0, usize::saturating_add);
        for (to, from) in piece.octets.iter_mut().zip(parts.iter().copied().flatten()) {
            *to = *from;
            piece.length += 1;
        }
        // A character of which only a part is there is left out.
        let whole = piece.octets.get(..usize::from(piece.length)).unwrap_or_default().utf8_chunks().next();
        piece.length = whole.map_or(0, |chunk| chunk.valid().len() as u8);
        piece.is_cut = usize::from(piece.length) < all;
        piece
    }

    fn text(&self) -> &str {
        core::str::from_utf8(self.octets.get(..usize::from(self.length)).unwrap_or_default()).unwrap_or_default()
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Piece({self})")
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.length == 0 && !self.is_cut {
            return f.write_str("nothing");
        }
        self.text().chars().try_for_each(|one| match one {
            one if one.is_control() => write!(f, "{}", one.escape_default()),
            one => write!(f, "{one}"),
        })?;
        f.write_str(if self.is_cut { "…" } else { "" })
    }
}
