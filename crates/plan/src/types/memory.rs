//! How many octets a value takes in memory, on a machine of 64 bits, without what it has on the
//! heap.

use roadwire_model::{Kind, TypeId};

use crate::plan::Int;
use crate::types::{Repr, Storage, Types};

/// A pointer, and the number of elements of a list on the heap.
const WORD: u64 = 8;

/// The size of a type as Rust's compiler lays it out today: it may choose smaller ones for enums,
/// and is bound to nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Memory {
    /// A multiple of the alignment.
    pub(crate) octets: u64,
    align: u64,
    /// How many values of its memory are none of the type, at least: the compiler uses these for
    /// `None`.
    spare: u64,
}

impl Default for Memory {
    fn default() -> Self {
        Memory { octets: 0, align: 1, spare: 0 }
    }
}

impl Memory {
    pub(crate) const BOX: Memory = Memory { octets: WORD, align: WORD, spare: 1 };
    const VEC: Memory = Memory { octets: 3 * WORD, align: WORD, spare: u64::MAX / 2 };
    /// The unknown extension additions of a SEQUENCE.
    const ADDITIONS: Memory = Memory { octets: WORD, align: WORD, spare: 0 };
    /// The unknown alternative of a CHOICE.
    const UNKNOWN: Memory = Memory { octets: 4 * WORD, align: WORD, spare: u64::MAX / 2 };

    /// The size of a type whose parts have one.
    pub(crate) fn of(types: &Types<'_>, id: TypeId, repr: &Repr) -> Self {
        match (repr, types.kind(id)) {
            (Repr::List { element, storage }, _) => Memory::list(types.memory(*element), *storage),
            (Repr::Struct, Kind::Sequence { components, extensible, .. }) => {
                let fields = components.iter().map(|one| {
                    let field = types.field_memory(id, one.type_id);
                    if Types::is_option(one) { field.optional() } else { field }
                });
                fields.chain(extensible.then_some(Memory::ADDITIONS)).fold(Memory::default(), Memory::beside).padded()
            }
            (Repr::Choice, Kind::Choice { alternatives, extensible, .. }) => {
                let contents = alternatives.iter().map(|one| types.field_memory(id, one.type_id));
                Memory::alternatives(contents.chain(extensible.then_some(Memory::UNKNOWN)).collect())
            }
            (Repr::Enum, Kind::Enumerated(enumerators)) => {
                let unknown = enumerators.extensible.then(|| Memory::number(32));
                let items = enumerators.all().map(|_| Memory::default());
                Memory::alternatives(items.chain(unknown).collect())
            }
            _ => Memory::leaf(*repr),
        }
    }

    /// The size of a list.
    pub(crate) fn list(element: Memory, storage: Storage) -> Self {
        let inline = |most: u64| {
            let elements = Memory { octets: element.octets.saturating_mul(most), spare: 0, ..element };
            elements.beside(Memory::number(32)).padded()
        };
        match storage {
            Storage::Inline(most) => inline(most),
            Storage::Extensible(most) => inline(most).beside(Memory::VEC).padded(),
            Storage::Heap => Memory::VEC,
        }
    }

    fn leaf(repr: Repr) -> Self {
        let octets = |octets: u64| Memory { octets, ..Memory::default() };
        match repr {
            Repr::Bool => Memory { spare: 254, ..octets(1) },
            Repr::AnyInteger => Memory { octets: 2 * WORD, align: WORD, spare: 0 },
            Repr::Integer(int) => Memory::number(int.bits),
            Repr::BitFlags { bits } => Memory::number(Int::of_bits(bits).bits),
            Repr::Real => Memory::number(64),
            Repr::BitWord => Memory::number(64).beside(octets(1)).padded(),
            Repr::BitString => Memory::VEC.beside(Memory::number(64)),
            Repr::FixedOctets(count) | Repr::WideInteger(count) => octets(count),
            Repr::Octets(most) | Repr::Text(most) => octets(most).beside(Memory::number(32)).padded(),
            Repr::OctetString | Repr::LentOctets | Repr::String | Repr::LentText | Repr::Oid => Memory::VEC,
            Repr::Null | Repr::Enum | Repr::Struct | Repr::Choice | Repr::List { .. } => octets(0),
        }
    }

    fn number(bits: u8) -> Self {
        let octets = u64::from(bits) / 8;
        Memory { octets, align: octets, spare: 0 }
    }

    /// Two fields of a struct, which the compiler orders by alignment, without the padding at its
    /// end.
    fn beside(self, other: Memory) -> Self {
        Memory {
            octets: self.octets.saturating_add(other.octets),
            align: self.align.max(other.align),
            spare: self.spare.max(other.spare),
        }
    }

    fn padded(self) -> Self {
        Memory { octets: self.octets.checked_next_multiple_of(self.align).unwrap_or(u64::MAX), ..self }
    }

    /// An `Option` of it.
    fn optional(self) -> Self {
        match self.spare {
            0 => Memory { octets: self.octets.saturating_add(self.align), spare: 254, ..self },
            spare => Memory { spare: spare - 1, ..self },
        }
    }

    /// An enum of these: the number of the variant, and the largest content.
    fn alternatives(contents: Vec<Memory>) -> Self {
        let count = contents.len() as u64;
        if let [only] = contents[..] {
            return only;
        }
        let tag = Memory { spare: 256u64.saturating_sub(count), ..Memory::number(8) };
        let place = |content: &Memory| match content.octets {
            0 => tag,
            _ => Memory { octets: content.octets.saturating_add(content.align), spare: tag.spare, ..*content },
        };
        let least = Memory { align: contents.iter().map(|content| content.align).max().unwrap_or(1), ..tag };
        contents
            .iter()
            .map(place)
            .fold(least, |most, one| Memory { octets: most.octets.max(one.octets), ..most })
            .padded()
    }
}
