//! Strings in memory that are borrowed from the input.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Deref;

use crate::data::{Data, Scalar, Shape};
use crate::error::Rejected;
use crate::reader::Reader;

/// An octet string, or the octets of an open type: a slice of the input that it was decoded from,
/// or a copy. It is a copy if the interpreter decoded it, which takes over for rare forms, or if
/// the octets are in two parts of the encoding or not at an octet border.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LentOctets<'a>(pub Cow<'a, [u8]>);

impl<'a> LentOctets<'a> {
    /// These octets.
    #[inline(always)]
    #[must_use]
    pub const fn new(octets: &'a [u8]) -> Self {
        LentOctets(Cow::Borrowed(octets))
    }

    /// Takes the next `count` octets of the input: borrowed if they begin at an octet border,
    /// otherwise copied.
    ///
    /// # Errors
    /// Past the end.
    #[inline]
    pub fn take(&mut self, reader: &mut Reader<'a>, count: usize) -> Result<(), Rejected> {
        if let Ok(octets) = reader.take_slice(count) {
            *self = Self::new(octets);
            return Ok(());
        }
        // Before any memory is allocated.
        reader.need(count * 8)?;
        let own = self.own();
        own.resize(count, 0);
        reader.take_octets(own)
    }

    /// Makes it an empty owned string.
    fn own(&mut self) -> &mut Vec<u8> {
        if let Cow::Borrowed(octets) = &mut self.0 {
            *octets = &[];
        }
        let own = self.0.to_mut();
        own.clear();
        own
    }
}

impl Deref for LentOctets<'_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

crate::elements!(LentOctets<'_>, LentText<'_>);

impl Data for LentOctets<'_> {
    fn scalar(&self) -> Scalar<'_> {
        Scalar::Octets(&self.0)
    }
    fn begin(&mut self, shape: Shape) -> bool {
        self.own();
        shape == Shape::Octets
    }
    fn extend_octets(&mut self, count: usize) -> Option<&mut [u8]> {
        let own = self.0.to_mut();
        let start = own.len();
        own.resize(start + count, 0);
        own.get_mut(start..)
    }
}

/// Text without a bound: a slice of the input that it was decoded from, or a copy; see
/// [`LentOctets`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LentText<'a>(pub Cow<'a, str>);

impl<'a> LentText<'a> {
    /// This text.
    #[inline(always)]
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        LentText(Cow::Borrowed(text))
    }

    /// Borrows these octets of UTF-8.
    ///
    /// # Errors
    /// They are not UTF-8.
    #[inline]
    pub fn lend(&mut self, octets: &'a [u8]) -> Result<(), Rejected> {
        *self = Self::new(core::str::from_utf8(octets).map_err(|_| Rejected)?);
        Ok(())
    }

    /// Takes the next `octets` octets of the input, which are UTF-8; see [`LentOctets::take`].
    ///
    /// # Errors
    /// Past the end, or not UTF-8.
    #[inline]
    pub fn take(&mut self, reader: &mut Reader<'a>, octets: usize) -> Result<(), Rejected> {
        if let Ok(octets) = reader.take_slice(octets) {
            return self.lend(octets);
        }
        crate::rt::packed::take_string(reader, octets, self.own())
    }

    /// Makes it an empty owned text.
    fn own(&mut self) -> &mut String {
        if let Cow::Borrowed(text) = &mut self.0 {
            *text = "";
        }
        let own = self.0.to_mut();
        own.clear();
        own
    }
}

impl Deref for LentText<'_> {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl Data for LentText<'_> {
    fn scalar(&self) -> Scalar<'_> {
        Scalar::Text(&self.0)
    }
    fn begin(&mut self, shape: Shape) -> bool {
        self.own();
        shape == Shape::Text
    }
    fn push_char(&mut self, character: char) -> bool {
        self.0.to_mut().push(character);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_at_an_octet_border_is_lent() {
        let input = [0x41, 0x42, 0x43, 0x44];
        for skip in [0, 8, 3] {
            let (mut octets, mut text) = (LentOctets::default(), LentText::default());
            let mut reader = Reader::new(&input);
            reader.skip(skip).unwrap();
            assert_eq!(octets.take(&mut { reader }, 2), Ok(()));
            assert_eq!(matches!(octets.0, Cow::Borrowed(_)), skip % 8 == 0);
            let mut expected = [0; 2];
            { reader }.take_octets(&mut expected).unwrap();
            assert_eq!(*octets, expected);
            assert!(octets.take(&mut { reader }, 5).is_err());
            assert_eq!(text.take(&mut { reader }, 2).is_ok(), core::str::from_utf8(&expected).is_ok());
        }
        assert!(LentText::default().lend(&[0xff]).is_err());
    }

    #[test]
    fn what_the_interpreter_sets_is_its_own() {
        let mut octets = LentOctets::new(&[1, 2, 3]);
        assert!(octets.begin(Shape::Octets));
        octets.extend_octets(2).unwrap().copy_from_slice(&[7, 8]);
        octets.extend_octets(1).unwrap()[0] = 9;
        assert_eq!(octets, LentOctets(Cow::Owned(alloc::vec![7, 8, 9])));
        let mut text = LentText::new("abc");
        assert!(text.begin(Shape::Text) && text.push_char('x') && text.push_char('ü'));
        assert_eq!(text.scalar(), Scalar::Text("xü"));
    }
}
