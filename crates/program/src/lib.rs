//! Layouts compiled at run time.
//!
//! A [`Program`] is a layout as runs of fields and a few operations; it decodes a message into a
//! [`Tape`] and encodes one from it, some ten times as fast as the interpreter fills a tree of
//! values. It takes what is common and rejects the rest without a reason: the caller then asks
//! the interpreter, which takes everything and says what is wrong. There are programs for UPER, OER
//! and COER, by tags for BER, DER and CER, for Protocol Buffers and CBOR; and for JER, which they
//! only write.
//!
//! ```
//! use roadwire_layout::{Rules, lower};
//! use roadwire_program::{Program, Tape};
//! use roadwire_wire::Part;
//! # use roadwire_frontend::{Source, compile};
//!
//! # let text = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
//! #     Motion ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL }
//! # END";
//! # let model = compile(&[Source::new("demo.asn", text)]).unwrap().model;
//! # let motion = model.find("Demo.Motion").unwrap();
//! // Motion ::= SEQUENCE { speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL }
//! let layout = lower(&model, motion, Rules::Uper).unwrap();
//! let program = Program::new(&model, motion, &layout).unwrap();
//!
//! let mut tape = Tape::new();
//! assert_eq!(program.decode(&[0x89, 0x60, 0x40], &mut tape), Ok(19));
//! let speed = tape.root(program.frames()).component(0).unwrap();
//! assert_eq!(speed.scalar(), roadwire_wire::Scalar::Integer(1200));
//! let mut octets = [0; 8];
//! assert_eq!(program.encode(&tape, &mut octets), Ok(3));
//! assert_eq!(octets[..3], [0x89, 0x60, 0x40]);
//! ```
//!
//! Invariants: a program accepts a message only if the interpreter does, and then both have the
//! same value; it writes the interpreter's octets. Its size is linear in that of the layout, and
//! its memory for a message in that of the message.
//!
//! Absent on purpose: errors, reading text, additions that the type does not know, octets in place
//! of a type that is known, forms that no encoder of ours writes, constraints that the encoding
//! does not depend on, and in JER structs of the presentation language whose fields depend on
//! others. Those are the interpreter's.
#![forbid(unsafe_code)]

#[cfg(feature = "columns")]
mod append;
mod budget;
mod cbor;
mod cursor;
mod default;
mod fields;
mod frame;
mod group;
mod json;
mod levels;
mod numbers;
mod octets;
mod packed;
mod parts;
mod place;
mod rows;
mod strings;
#[cfg(feature = "columns")]
mod take;
mod tape;
mod tlv;

use roadwire_layout::{Family, Layout};
use roadwire_model::{Model, TypeId};
use roadwire_wire::Rejected;

pub use cursor::Cursor;
pub use frame::Frames;
#[cfg(feature = "columns")]
pub use take::Taker;
pub use tape::Tape;

/// A layout as a program.
#[derive(Clone, Debug)]
pub struct Program {
    frames: Frames,
    code: Code,
}

/// The operations, which one machine for each kind of rules carries out.
#[derive(Clone, Debug)]
enum Code {
    Packed(packed::Code),
    Tlv(tlv::Code),
    Fields(fields::Code),
    Cbor(cbor::Code),
    Json(json::Code),
}

impl Program {
    /// The program of a type under the rules of its layout; `None` if it has a part that programs
    /// do not have.
    #[must_use]
    pub fn new(model: &Model, id: TypeId, layout: &Layout) -> Option<Program> {
        let frames = Frames::new(model, id)?;
        let code = match layout.rules.family() {
            Family::Packed | Family::Octet => Code::Packed(packed::Walk::code(layout, &frames)?),
            Family::Tlv => Code::Tlv(tlv::Walk::code(layout, &frames)?),
            Family::Fields => Code::Fields(fields::Walk::code(layout, &frames)?),
            Family::Cbor => Code::Cbor(cbor::Walk::code(layout, &frames)?),
            Family::Json => Code::Json(json::Walk::code(layout, &frames)?),
            Family::Xml | Family::Events | Family::Vectors => return None,
        };
        Some(Program { frames, code })
    }

    /// Where the parts of its values lie.
    #[must_use]
    pub fn frames(&self) -> &Frames {
        &self.frames
    }

    /// Decodes a message into a tape, and returns its length in bits.
    ///
    /// # Errors
    /// It is not a message of the type, or not one that programs take, as is all text (JER). The
    /// tape is then empty.
    pub fn decode(&self, input: &[u8], tape: &mut Tape) -> Result<usize, Rejected> {
        match &self.code {
            Code::Packed(code) => packed::decode(code, input, tape),
            Code::Tlv(code) => tlv::decode(code, input, tape),
            Code::Fields(code) => fields::decode(code, input, tape),
            Code::Cbor(code) => cbor::decode(code, input, tape),
            Code::Json(_) => {
                tape.clear();
                Err(Rejected)
            }
        }
    }

    /// Encodes a value that has this program's frames, and returns how many octets it takes.
    ///
    /// # Errors
    /// The value is outside its constraints, or one that programs do not take; the output is full.
    pub fn encode(&self, tape: &Tape, output: &mut [u8]) -> Result<usize, Rejected> {
        match &self.code {
            Code::Packed(code) => packed::encode(code, tape, output),
            Code::Tlv(code) => tlv::encode(code, tape, output),
            Code::Fields(code) => fields::encode(code, tape, output),
            Code::Cbor(code) => cbor::encode(code, tape, output),
            Code::Json(code) => json::encode(code, tape, output),
        }
    }
}
