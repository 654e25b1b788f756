//! Decoding: what is in front of a stream of events (EXI §5).

use roadwire_wire::{ErrorKind, Rejected, Scalar, groups};

use super::Decoder;
use crate::listener::{Listener, What};

/// §5.1
const COOKIE: &[u8] = b"$EXI";

impl<L: Listener> Decoder<'_, '_, '_, '_, L> {
    /// Reads the header, and the code in front of the document's element.
    #[inline(never)]
    pub(super) fn event_document(&mut self, strict: bool) -> Result<(), Rejected> {
        self.events.strict = strict;
        if self.reader.octets().starts_with(COOKIE) {
            self.skip(COOKIE.len() * 8)?;
            self.show(0, What::Header("cookie"), Scalar::Unset);
        }
        let at = self.reader.position();
        if self.take(2)? != 2 {
            return Err(self.fail_at(ErrorKind::Malformed("no EXI: it begins with other bits than 10"), at));
        }
        let has_options = self.take(1)? == 1;
        // §5.3: a bit for a draft, and then 4 bits for each 15 of the version less one.
        if self.take(5)? != 0 {
            return Err(self.fail_at(ErrorKind::Malformed("another version of EXI than 1"), at));
        }
        self.show(at, What::Header("version"), Scalar::Unset);
        if has_options {
            self.options(strict)?;
        }
        self.expect(1, false)?;
        if self.events.code.left_out > 0 {
            return Err(self.fail(ErrorKind::Malformed("an element that is not that of the type")));
        }
        Ok(())
    }

    /// §5.4: a strict document of its own (Appendix C), behind which the other one begins at once. Taken is what says how the layout is; the rest is refused.
    #[cold]
    #[inline(never)]
    fn options(&mut self, strict: bool) -> Result<(), Rejected> {
        let start = self.reader.position();
        if self.option(0, 2)? == 1 {
            return Err(self.fail_at(ErrorKind::Malformed("a document in place of options"), start));
        }
        // lesscommon, common, strict, and the end.
        let mut next = self.option(0, 4)?;
        if next == 0 {
            self.less_common_options()?;
            next = self.option(1, 4)?;
        }
        if next == 1 {
            self.common_options()?;
            next = self.option(2, 4)?;
        }
        if (next == 2) != strict {
            let what = if strict { "options that are not strict" } else { "strict options" };
            return Err(self.fail_at(ErrorKind::Malformed(what), start));
        }
        self.show(start, What::Header("options"), Scalar::Unset);
        Ok(())
    }

    fn less_common_options(&mut self) -> Result<(), Rejected> {
        // uncommon, preserve, blockSize, and the end.
        let mut next = self.option(0, 4)?;
        if next == 0 {
            self.none_of(&[
                "another alignment than bit-packed",
                "self-contained elements",
                "a limit of the strings in tables",
                "a limit of string tables",
                "another representation of datatypes",
                "options that EXI does not have",
            ])?;
            next = self.option(1, 4)?;
        }
        if next == 1 {
            self.none_of(&[
                "preserved document type declarations",
                "preserved prefixes",
                "preserved lexical values",
                "preserved comments",
                "preserved processing instructions",
            ])?;
            next = self.option(2, 4)?;
        }
        // The size of blocks of what is compressed.
        let at = self.reader.position();
        if next == 2 && groups::take(&mut self.reader).is_err() {
            return Err(self.refuse(at, 8, "a size of more than 64 bits"));
        }
        Ok(())
    }

    fn common_options(&mut self) -> Result<(), Rejected> {
        let at = self.reader.position();
        // compression, fragment, schemaId, and the end.
        match self.option(0, 4)? {
            0 => Err(self.fail_at(ErrorKind::Malformed("compression, which is not read"), at)),
            1 => Err(self.fail_at(ErrorKind::Malformed("a fragment, which is not read"), at)),
            2 => self.schema_id(),
            _ => Ok(()),
        }
    }

    /// Whose schema it is both sides know; unless there is none.
    fn schema_id(&mut self) -> Result<(), Rejected> {
        let at = self.reader.position();
        if self.take(1)? == 1 {
            return Err(self.fail_at(ErrorKind::Malformed("a document without a schema"), at));
        }
        let characters = groups::take(&mut self.reader).ok().and_then(|length| length.checked_sub(2));
        let Some(characters) = characters else { return Err(self.refuse(at, 9, "a schema's name that is none")) };
        for _ in 0..characters {
            if groups::take(&mut self.reader).is_err() {
                return Err(self.refuse(self.reader.position(), 8, "a schema's name that is none"));
            }
        }
        Ok(())
    }

    /// Reads which of `count` events comes, of which those before `from` cannot.
    fn option(&mut self, from: usize, count: usize) -> Result<usize, Rejected> {
        let at = self.reader.position();
        let bits = usize::BITS - (count - from).saturating_sub(1).leading_zeros();
        let event = from + self.take(bits)? as usize;
        if event < count {
            return Ok(event);
        }
        Err(self.fail_at(ErrorKind::Malformed("an event code that stands for nothing"), at))
    }

    /// Reads an element without any of these options.
    fn none_of(&mut self, options: &[&'static str]) -> Result<(), Rejected> {
        let at = self.reader.position();
        let event = self.option(0, options.len() + 1)?;
        options.get(event).map_or(Ok(()), |what| Err(self.fail_at(ErrorKind::Malformed(what), at)))
    }
}
