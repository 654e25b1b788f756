//! What the presentation language of IEEE 1609.2-2013 and TS 103 097 V1 says of a type's octets, where its kind does not tell. ASN.1 says nothing of the sort:
//! there the encoding rules do.

/// How values of a type lie on the wire. Integers of a fixed width have none: theirs is the one that holds their range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coding {
    /// An INTEGER in as many octets as the ones say that it begins with.
    Variable,
    /// The same, counted on from one number of octets to the next: 0x80 is the first number of two octets.
    Psid,
    /// An ENUMERATED: its item's number in so many octets.
    Item(u8),
    /// A BIT STRING of seven bits an octet, last bit first, behind as many ones as there are further octets.
    Flags,
    /// A CHOICE: the number of its alternative, and then that.
    Choice {
        /// In how many octets the number is.
        octets: u8,
        /// The alternatives' numbers, in textual order.
        numbers: Vec<u64>,
    },
    /// An OCTET STRING or SEQUENCE OF: in front, how many octets it takes.
    Vector(Vector),
    /// A SEQUENCE, of whose components some are there only when earlier ones say so: for each the tests that have all to be true. All such components are
    /// OPTIONAL.
    Struct(Vec<Vec<Test>>),
}

/// A vector of variable length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// How its length is told.
    pub length: Length,
    /// In which order its elements have to be; not looked at by decoders.
    pub order: Option<Order>,
}

/// How the octets of a vector are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// As a [`Coding::Variable`] integer: `<var>`.
    Variable,
    /// In as many octets as the greatest length takes: `<floor..ceiling>`.
    Field {
        /// Fewest octets.
        floor: u64,
        /// Most octets.
        ceiling: u64,
    },
}

impl Length {
    /// How many octets a length in a field of its own takes.
    #[must_use]
    pub const fn field_octets(ceiling: u64) -> u32 {
        (u64::BITS - (ceiling | 1).leading_zeros()).div_ceil(8)
    }
}

/// Elements are CHOICEs that ascend by their alternatives' numbers, none twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// The alternative, by place, that comes before all others.
    pub first: Option<u32>,
}

/// What an earlier component has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Which component, by place.
    pub component: u32,
    /// What it has to be one of.
    pub among: Among,
    /// Whether it has to be none of them instead.
    pub negated: bool,
}

/// What values a test is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Among {
    /// Items of an ENUMERATED, by ordinal.
    Items(Vec<u32>),
    /// Values of an INTEGER.
    Numbers(Vec<u32>),
    /// A BIT STRING in which one of these bits is 1.
    Bits(Vec<u32>),
    /// Alternatives of a CHOICE, by place.
    Alternatives(Vec<u32>),
    /// A SEQUENCE OF CHOICE in which some element is one of these alternatives, by place.
    Elements(Vec<u32>),
}

impl Test {
    /// Whether it is true of a value of the SEQUENCE, as far as that is there.
    #[must_use]
    pub fn holds(&self, sequence: &dyn roadwire_wire::Data) -> bool {
        let is_one = sequence.component(self.component as usize).is_some_and(|value| self.among.holds(value));
        is_one != self.negated
    }
}

impl Among {
    /// Whether a value is one of them.
    #[must_use]
    pub fn holds(&self, value: &dyn roadwire_wire::Data) -> bool {
        use roadwire_wire::Scalar;
        let is = |wanted: &[u32], found: Option<usize>| found.is_some_and(|found| wanted.contains(&(found as u32)));
        match (self, value.scalar()) {
            (Among::Items(items), Scalar::Enumerated(ordinal)) => items.contains(&ordinal),
            (Among::Numbers(numbers), Scalar::Integer(value)) => numbers.iter().any(|one| i128::from(*one) == value),
            (Among::Bits(bits), scalar) => crate::data::bits(scalar).is_some_and(|(octets, _)| {
                let is_set =
                    |bit: &u32| octets.get(*bit as usize / 8).is_some_and(|octet| octet >> (7 - bit % 8) & 1 == 1);
                bits.iter().any(is_set)
            }),
            (Among::Alternatives(wanted), _) => is(wanted, value.alternative().map(|(at, _)| at)),
            (Among::Elements(wanted), _) => (0..value.length().unwrap_or(0))
                .filter_map(|at| value.element(at))
                .any(|element| is(wanted, element.alternative().map(|(at, _)| at))),
            _ => false,
        }
    }
}
