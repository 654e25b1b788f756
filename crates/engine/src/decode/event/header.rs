//! Decoding: what is in front of a stream of events (EXI §5).

use roadwire_wire::{ErrorKind, Rejected, Scalar};

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

    fn options(&mut self, _strict: bool) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::Malformed("options in the header, which are not read yet")))
    }
}
