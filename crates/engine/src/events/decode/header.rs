//! Decoding: the header of a stream of events (EXI §5).

use super::Events;
use roadwire_wire::rt::varint;
use roadwire_wire::{ErrorKind, Fault, Rejected, Scalar, Thing, faults};

use crate::decode::Decoder;
use crate::listener::{Listener, What};

/// §5.1
const COOKIE: &[u8] = b"$EXI";

impl<L: Listener> Decoder<'_, '_, '_, '_, L, Events> {
    /// Reads the header, and the code before the document's element.
    #[inline(never)]
    pub(crate) fn event_document(&mut self, strict: bool) -> Result<(), Rejected> {
        self.family.strict = strict;
        if self.reader.octets().starts_with(COOKIE) {
            self.skip(COOKIE.len() * 8)?;
            self.show(0, What::Header("cookie"), Scalar::Unset);
        }
        let at = self.reader.position();
        let first = self.take(2)?;
        if first != 2 {
            return Err(self.found(faults::events::HEADER_BITS, at, Thing::Bits(first as u8, 2), Thing::None));
        }
        let has_options = self.take(1)? == 1;
        // §5.3: a bit for a preview version, and then the version minus 1 in groups of 4 bits,
        // where 15 means that another group follows.
        let version = self.take(5)?;
        if version != 0 {
            let found = if version < 16 { Thing::Number(version + 1) } else { Thing::Word("a preview version") };
            return Err(self.found(faults::events::HEADER_VERSION, at, found, Thing::None));
        }
        self.show(at, What::Header("version"), Scalar::Unset);
        if has_options {
            self.options(strict)?;
        }
        self.expect(1, false)?;
        if self.family.code.left_out > 0 {
            return Err(self.fail(ErrorKind::Malformed(faults::events::ROOT)));
        }
        Ok(())
    }

    /// §5.4: a strict document of its own (Appendix C), immediately followed by the main document.
    /// Only options that match the layout are accepted; the rest is refused.
    #[cold]
    #[inline(never)]
    fn options(&mut self, strict: bool) -> Result<(), Rejected> {
        let start = self.reader.position();
        if self.option(0, 2)? == 1 {
            return Err(self.fail_at(ErrorKind::Malformed(faults::events::OPTIONS_DOCUMENT), start));
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
            let what = if strict { faults::events::OPTIONS_NOT_STRICT } else { faults::events::OPTIONS_STRICT };
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
                faults::events::OPTIONS_ALIGNMENT,
                faults::events::OPTIONS_SELF_CONTAINED,
                faults::events::OPTIONS_STRING_LENGTH,
                faults::events::OPTIONS_TABLE_CAPACITY,
                faults::events::OPTIONS_DATATYPES,
                faults::events::OPTIONS_UNKNOWN,
            ])?;
            next = self.option(1, 4)?;
        }
        if next == 1 {
            self.none_of(&[
                faults::events::OPTIONS_DOCTYPE,
                faults::events::OPTIONS_PREFIXES,
                faults::events::OPTIONS_LEXICAL,
                faults::events::OPTIONS_COMMENTS,
                faults::events::OPTIONS_INSTRUCTIONS,
            ])?;
            next = self.option(2, 4)?;
        }
        // The block size for compression.
        let at = self.reader.position();
        if next == 2 && varint::take(&mut self.reader).is_err() {
            return Err(self.refuse(at, 8, faults::events::OPTIONS_BLOCK_SIZE));
        }
        Ok(())
    }

    fn common_options(&mut self) -> Result<(), Rejected> {
        let at = self.reader.position();
        // compression, fragment, schemaId, and the end.
        match self.option(0, 4)? {
            0 => Err(self.fail_at(ErrorKind::Malformed(faults::events::OPTIONS_COMPRESSION), at)),
            1 => Err(self.fail_at(ErrorKind::Malformed(faults::events::OPTIONS_FRAGMENT), at)),
            2 => self.schema_id(),
            _ => Ok(()),
        }
    }

    /// Reads `schemaId`. Both sides know the schema, so the name is ignored; nil is refused.
    fn schema_id(&mut self) -> Result<(), Rejected> {
        let at = self.reader.position();
        if self.take(1)? == 1 {
            return Err(self.fail_at(ErrorKind::Malformed(faults::events::OPTIONS_NO_SCHEMA), at));
        }
        let characters = varint::take(&mut self.reader).ok().and_then(|length| length.checked_sub(2));
        let Some(characters) = characters else { return Err(self.refuse(at, 9, faults::events::OPTIONS_SCHEMA)) };
        for _ in 0..characters {
            if varint::take(&mut self.reader).is_err() {
                return Err(self.refuse(self.reader.position(), 8, faults::events::OPTIONS_SCHEMA));
            }
        }
        Ok(())
    }

    /// Reads which of the events `from..count` comes next.
    fn option(&mut self, from: usize, count: usize) -> Result<usize, Rejected> {
        let at = self.reader.position();
        let bits = usize::BITS - (count - from).saturating_sub(1).leading_zeros();
        let event = from + self.take(bits)? as usize;
        if event < count {
            return Ok(event);
        }
        let (found, last) = (Thing::Number((event - from) as u64), (count - from - 1) as u32);
        Err(self.found(faults::events::CODE, at, found, Thing::Between(0, last)))
    }

    /// Reads an element that must not contain any of these options.
    fn none_of(&mut self, options: &[Fault]) -> Result<(), Rejected> {
        let at = self.reader.position();
        let event = self.option(0, options.len() + 1)?;
        options.get(event).map_or(Ok(()), |what| Err(self.fail_at(ErrorKind::Malformed(*what), at)))
    }
}
