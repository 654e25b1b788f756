//! From one encoding to another by generated code alone.
#![allow(dead_code, reason = "without any rules there are no messages with codecs")]

use std::fmt;

use roadwire_engine::Message;
use roadwire_layout::{Family, RuleSet, Rules};
use roadwire_wire::{Data, Rejected};

/// Turns encodings of a shipped message into another encoding by generated code alone, which is
/// several times as fast as the interpreter.
///
/// It has the interpreter's answer or none. It never says what is wrong, and leaves what is rare
/// (additions of a later version, text that is not in the form that encoders write) to the
/// interpreter: [`Schema::convert`](crate::Schema::convert).
///
/// ```
/// # #[cfg(all(feature = "cam", feature = "uper", feature = "jer"))] {
/// use roadwire::{Rules, Transcoder};
///
/// let octets = [
///     0x02, 0x02, 0x84, 0xdb, 0x8a, 0x10, 0x42, 0xa6, 0x00, 0xfa, 0x5e, 0x7a, 0xa1, 0x8e, 0xa5, 0xce, 0xac, 0x81, 0x90,
///     0x19, 0x00, 0x00, 0x3b, 0x79, 0x12, 0x80,
/// ];
/// let mut to_jer = Transcoder::shipped("cam-1.4.1", None, Rules::Uper, Rules::Jer).unwrap();
/// let text = to_jer.convert(&octets).unwrap();
/// assert!(text.starts_with(br#"{"header":{"protocolVersion":2,"messageID":2,"#));
///
/// // The message between the two, to be read without a Rust type of its own.
/// let header = to_jer.message().component(0).unwrap();
/// assert_eq!(header.component(2).unwrap().integer(), Some(0x84db_8a10));
///
/// // What is wrong with it, the interpreter finds out.
/// assert_eq!(to_jer.convert(&octets[..16]), None);
///
/// // A message that does not come from octets: here from text.
/// let schema = roadwire::Schema::shipped("cam-1.4.1").unwrap();
/// let jer = roadwire_notation::Notation::new(schema.model(), schema.find(None).unwrap()).unwrap();
/// let text = String::from_utf8(to_jer.convert(&octets).unwrap().to_vec()).unwrap();
/// let mut to_uper = Transcoder::shipped("cam-1.4.1", None, Rules::Uper, Rules::Uper).unwrap();
/// assert_eq!(to_uper.encode_filled(|message| jer.read_into(&text, message)), Ok(Some(&octets[..])));
/// # }
/// ```
pub struct Transcoder {
    pair: Box<dyn Pair + Send>,
    strict: bool,
    /// It grows with the longest output: programs may have a transcoder for each message and
    /// thread.
    output: Vec<u8>,
}

/// The most octets of an input. The interpreter also limits the heap that a dynamic value takes
/// ([`Limits`](crate::Limits)), and here there is none. Up to this length there is heap for four
/// values for each bit of the input. No list without a bound of a shipped message has elements as
/// dense: the densest (`PsidGroupPermissions`) are six values in some five bits.
const MOST_INPUT: usize = 16 << 10;

/// The most octets of an output.
const MOST_OUTPUT: usize = 1 << 20;

impl Transcoder {
    /// From one encoding to another, of a message of a shipped schema; without a name, of its first
    /// PDU. `None` if there is no generated code for it: of this message, under these rules, in
    /// this build.
    #[must_use]
    pub fn shipped(schema: &str, type_name: Option<&str>, from: Rules, to: Rules) -> Option<Self> {
        let pdu = crate::SCHEMAS.iter().find(|shipped| shipped.name == schema)?.pdu();
        let name = type_name.unwrap_or(pdu);
        let (.., pair) = MESSAGES.iter().find(|(of, names, _)| *of == schema && names.contains(&name))?;
        Some(Transcoder { pair: pair(from, to)?, strict: false, output: vec![0; MOST_INPUT] })
    }

    /// Takes only the canonical encoding, of values that satisfy all constraints. `None` for
    /// encodings that have none, or of which generated code does not check all that makes it
    /// canonical.
    #[must_use]
    pub fn strict(self) -> Option<Self> {
        let is_checked = !matches!(self.pair.from().family(), Family::Json | Family::Vectors);
        is_checked.then_some(Transcoder { strict: true, ..self })
    }

    /// The other encoding, or `None` if the interpreter has to take the input.
    pub fn convert(&mut self, input: &[u8]) -> Option<&[u8]> {
        self.decode(input)?;
        // The interpreter keeps the octets of contents that are not canonical.
        let keeps_contents = self.pair.keeps_contents();
        self.encode().filter(|output| !keeps_contents || *output == input)
    }

    /// The message itself, or `None` if the interpreter has to take the input. All constraints are
    /// checked.
    pub fn decode(&mut self, input: &[u8]) -> Option<&dyn Data> {
        if input.len() > MOST_INPUT {
            return None;
        }
        self.pair.decode(input, self.strict, &mut self.output).ok()?;
        Some(self.pair.message())
    }

    /// The message that was decoded last. Its content is unspecified before any message, and after
    /// input that was not decoded.
    #[must_use]
    pub fn message(&self) -> &dyn Data {
        self.pair.message()
    }

    /// The other encoding of a message that `fill` makes, or `None` if the interpreter has to take
    /// it. `fill` gets a message with any content, which it must [begin](Data::begin), and fills
    /// all that is not optional: whether a mandatory component is absent, the message does not
    /// know. All constraints are checked.
    ///
    /// # Errors
    /// That of `fill`.
    pub fn encode_filled<E>(&mut self, fill: impl FnOnce(&mut dyn Data) -> Result<(), E>) -> Result<Option<&[u8]>, E> {
        fill(self.pair.message_mut())?;
        Ok(if self.pair.keeps_constraints() { self.encode() } else { None })
    }

    /// The other encoding of a row of columns: of `Rows::sources` in `roadwire-columns`. `None` for
    /// a row without a value, and if the interpreter has to take it. All constraints are checked.
    #[cfg(feature = "columns")]
    pub fn encode_row(&mut self, columns: &[roadwire_wire::Source<'_>], row: usize) -> Option<&[u8]> {
        if !columns.first()?.is_present(row) {
            return None;
        }
        self.encode_filled(|message| message.fill_row(columns, row)).ok()?
    }

    /// The other encoding of [that message](Transcoder::message), or `None` if generated code does
    /// not write it.
    pub fn encode(&mut self) -> Option<&[u8]> {
        let length = match self.pair.encode(&mut self.output) {
            Ok(length) => length,
            Err(Rejected) => self.encode_long()?,
        };
        self.output.get(..length)
    }

    /// The same with the most room, for generated code does not say whether room is missing. Room
    /// grows only if the message needs it.
    #[cold]
    fn encode_long(&mut self) -> Option<usize> {
        let mut output = vec![0; MOST_OUTPUT];
        let length = self.pair.encode(&mut output).ok()?;
        output.truncate((self.output.len() + 1).max(length).next_power_of_two());
        output.shrink_to_fit();
        self.output = output;
        Some(length)
    }
}

impl fmt::Debug for Transcoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transcoder")
            .field("from", &self.pair.from())
            .field("strict", &self.strict)
            .finish_non_exhaustive()
    }
}

/// Decodes under one set of rules, and encodes under another one.
trait Pair {
    fn from(&self) -> Rules;
    /// Whether the message has contents in octets, which keep their encoding under the same rules.
    fn keeps_contents(&self) -> bool;
    /// `scratch` is for a canonical encoding to compare with.
    fn decode(&mut self, input: &[u8], strict: bool, scratch: &mut [u8]) -> Result<(), Rejected>;
    fn encode(&self, output: &mut [u8]) -> Result<usize, Rejected>;
    fn message(&self) -> &dyn Data;
    fn message_mut(&mut self) -> &mut dyn Data;
    fn keeps_constraints(&self) -> bool;
}

/// A pair of a message's codecs, and a message, which is filled again and again.
struct Codecs<M> {
    message: Box<M>,
    from: Codec<M>,
    to: Codec<M>,
}

impl<M: Data + Default + Send + 'static> Codecs<M> {
    fn boxed(read: &[Codec<M>], written: &[Codec<M>], from: Rules, to: Rules) -> Option<Box<dyn Pair + Send>> {
        let of = |codecs: &[Codec<M>], rules| codecs.iter().find(|codec| codec.rules == rules).copied();
        Some(Box::new(Codecs { message: Box::default(), from: of(read, from)?, to: of(written, to)? }))
    }
}

impl<M: Data> Pair for Codecs<M> {
    fn from(&self) -> Rules {
        self.from.rules
    }

    fn keeps_contents(&self) -> bool {
        self.from.has_contents && self.from.rules == self.to.rules
    }

    fn decode(&mut self, input: &[u8], strict: bool, scratch: &mut [u8]) -> Result<(), Rejected> {
        let bits = (self.from.decode)(&mut self.message, input)?;
        // Octets that follow the message.
        if bits.div_ceil(8) < input.len() {
            return Err(Rejected);
        }
        if strict {
            let octets = (self.from.encode)(&self.message, scratch)?;
            if scratch.get(..octets) != Some(input) {
                return Err(Rejected);
            }
        }
        if self.keeps_constraints() { Ok(()) } else { Err(Rejected) }
    }

    fn encode(&self, output: &mut [u8]) -> Result<usize, Rejected> {
        (self.to.encode)(&self.message, output)
    }

    fn message(&self) -> &dyn Data {
        &*self.message
    }

    fn message_mut(&mut self) -> &mut dyn Data {
        &mut *self.message
    }

    fn keeps_constraints(&self) -> bool {
        (self.from.keeps_constraints)(&self.message)
    }
}

/// The generated code of a message under one set of rules.
struct Codec<M> {
    rules: Rules,
    decode: fn(&mut M, &[u8]) -> Result<usize, Rejected>,
    encode: fn(&M, &mut [u8]) -> Result<usize, Rejected>,
    keeps_constraints: fn(&M) -> bool,
    has_contents: bool,
}

impl<M> Clone for Codec<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Codec<M> {}

impl<M> Codec<M> {
    fn of<E: RuleSet>() -> Self
    where
        M: Message<E>,
    {
        Codec {
            rules: E::RULES,
            decode: M::decode_fast,
            encode: M::encode_fast,
            keeps_constraints: |message| message.check().is_ok(),
            has_contents: M::layout().has_contents(),
        }
    }
}

/// The schema, the message's names there, and its pairs of codecs.
type Shipped = (&'static str, &'static [&'static str], fn(Rules, Rules) -> Option<Box<dyn Pair + Send>>);

macro_rules! messages {
    ($($schema:literal [$($name:literal)*] $message:ty [$($read:ident)*] [$($written:ident)*] $keeps_octets:literal;)*) => {
        /// All shipped messages that have codecs.
        static MESSAGES: &[Shipped] = &[$((
            $schema,
            &[$($name),*],
            |from, to| {
                // Octets of an open type whose type is unknown would mean something else.
                if $keeps_octets && !crate::kept::mean_the_same(from, to) {
                    return None;
                }
                let (read, written) = (&[$(Codec::of::<crate::$read>()),*], &[$(Codec::of::<crate::$written>()),*]);
                Codecs::<$message>::boxed(read, written, from, to)
            },
        )),*];
    };
}
roadwire_messages::for_each_message!(messages);

#[cfg(test)]
mod tests {
    use super::*;

    /// A message that is encoded as so many octets, or rejected.
    struct Long(Option<usize>);

    impl Pair for Long {
        fn from(&self) -> Rules {
            Rules::Uper
        }

        fn keeps_contents(&self) -> bool {
            false
        }

        fn decode(&mut self, _: &[u8], _: bool, _: &mut [u8]) -> Result<(), Rejected> {
            Ok(())
        }

        fn encode(&self, output: &mut [u8]) -> Result<usize, Rejected> {
            self.0.filter(|length| *length <= output.len()).ok_or(Rejected)
        }

        fn message(&self) -> &dyn Data {
            &true
        }

        fn message_mut(&mut self) -> &mut dyn Data {
            unreachable!("nothing fills it")
        }

        fn keeps_constraints(&self) -> bool {
            true
        }
    }

    #[test]
    fn room_grows_with_long_messages_and_not_with_rejected_ones() {
        let room = |length| {
            let mut transcoder =
                Transcoder { pair: Box::new(Long(length)), strict: false, output: vec![0; MOST_INPUT] };
            let found = transcoder.encode().map(<[u8]>::len);
            (found, transcoder.output.len())
        };
        assert_eq!(room(None), (None, MOST_INPUT));
        assert_eq!(room(Some(MOST_INPUT)), (Some(MOST_INPUT), MOST_INPUT));
        assert_eq!(room(Some(MOST_INPUT + 1)), (Some(MOST_INPUT + 1), 2 * MOST_INPUT));
        assert_eq!(room(Some(100_000)), (Some(100_000), 1 << 17));
        assert_eq!(room(Some(MOST_OUTPUT)), (Some(MOST_OUTPUT), MOST_OUTPUT));
        assert_eq!(room(Some(MOST_OUTPUT + 1)), (None, MOST_INPUT));
    }
}
