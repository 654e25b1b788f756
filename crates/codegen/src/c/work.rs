//! The most instructions that a decoder takes.

use roadwire_layout::{Family, Rules};
use roadwire_model::{Model, TypeId};
use roadwire_plan::{Pdu, Work};

use super::memory_options;
use crate::Integers;
use crate::rust_types::{RustTypes, with_open_types};

/// A processor, by the width of its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registers {
    /// 64 bits: x86-64.
    Of64,
    /// 32 bits: ARMv7.
    Of32,
}

/// Instructions of one statement, of one call, for each octet of the message, and for each time
/// that it is read. They are a fit: the bounds were held against messages that were counted
/// (`generated-c/run`, `.ci/processors`), and these are not all.
struct Costs {
    statement: u64,
    call: u64,
    octet: u64,
    round: u64,
}

impl Registers {
    /// `None` where no messages were counted.
    fn costs(self, family: Family) -> Option<Costs> {
        let call = match family {
            Family::Packed | Family::Octet | Family::Fields | Family::Events | Family::Vectors => 20,
            // A tag, a length and a value.
            Family::Tlv => 60,
            Family::Cbor | Family::Json | Family::Xml => return None,
        };
        Some(match self {
            Registers::Of64 => Costs { statement: 4, call, octet: 12, round: 40 },
            Registers::Of32 => Costs { statement: 8, call: 2 * call, octet: 20, round: 60 },
        })
    }
}

/// The most work of a decoder in generated C, compiled with `-O2`: for a message in extensible
/// roots, valid or not, without finding out what is wrong and without rare forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecoderWork {
    work: Work,
    family: Family,
}

impl DecoderWork {
    /// `None` for a list without a greatest size, for a type that contains itself, and where there
    /// is no C.
    #[must_use]
    pub fn of(model: &Model, root: TypeId, rules: Rules) -> Option<DecoderWork> {
        let opened = with_open_types(model);
        let types = RustTypes::collect(model, &opened, &[root], memory_options(false, Integers::Word)).ok()?;
        let pdus = Pdu::all(&types, &[root], rules).ok()?;
        Some(DecoderWork { work: Work::of_decoder(pdus.first()?)?, family: rules.family() })
    }

    /// The most instructions for a message of so many octets. `None` in CBOR, JER and XER.
    #[must_use]
    pub fn instructions(self, octets: u64, registers: Registers) -> Option<u64> {
        let Costs { statement, call, octet, round } = registers.costs(self.family)?;
        let Work { statements, calls, rounds } = self.work;
        let parts = [(statements, statement), (calls, call), (rounds, round), (octets.checked_mul(rounds)?, octet)];
        parts.into_iter().try_fold(0u64, |sum, (count, cost)| sum.checked_add(count.checked_mul(cost)?))
    }
}
