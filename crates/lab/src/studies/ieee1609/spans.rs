//! Where the signed data is in a message's octets.

use roadwire_engine::{Item, Limits, Listener};
use roadwire_layout::Layout;
use roadwire_wire::Step;

use super::encoding::{MESSAGE, Parts};

/// A range of bits: the first, and the one after the last.
pub type Span = (usize, usize);

/// The positions of signed data in a message.
#[derive(Default)]
pub struct Spans {
    /// The part covered by the message's signature.
    pub message: Option<Span>,
    /// Its certificates, and the part of each that its signature covers.
    pub certificates: Vec<(Span, Span)>,
    open: Vec<(Kind, usize)>,
    unsigned: Option<Span>,
    at: usize,
}

/// A part that begins and ends.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Message,
    Unsigned,
    /// A part of it is [`Kind::Unsigned`].
    Certificate,
    Other,
}

impl Spans {
    /// Finds them in a message's octets.
    ///
    /// # Errors
    /// The first fault in the octets.
    pub fn of(parts: &Parts, octets: &[u8]) -> Result<Spans, String> {
        let mut spans = Spans::default();
        parts.listen(MESSAGE, octets, &Limits::for_input(octets), &mut spans)?;
        Ok(spans)
    }
}

impl Listener for Spans {
    fn enter(&mut self, step: Step<'_>) {
        let kind = match step {
            Step::Name("unsignedData" | "unsigned_data") => Kind::Message,
            Step::Name("unsigned" | "unsigned_certificate") => {
                if let Some(around) = self.open.last_mut() {
                    around.0 = Kind::Certificate;
                }
                Kind::Unsigned
            }
            _ => Kind::Other,
        };
        self.open.push((kind, self.at));
    }

    fn leave(&mut self) {
        match self.open.pop() {
            Some((Kind::Message, from)) => self.message = Some((from, self.at)),
            Some((Kind::Unsigned, from)) => self.unsigned = Some((from, self.at)),
            Some((Kind::Certificate, from)) => {
                self.certificates.extend(self.unsigned.take().map(|unsigned| ((from, self.at), unsigned)));
            }
            _ => {}
        }
    }

    fn item(&mut self, _: &Layout, item: &Item<'_>) {
        self.at = item.bit + item.bits;
    }
}
