//! The smallest scalar type that holds a value.

use num_traits::ToPrimitive;
use roadwire_model::{IntegerRange, Kind, Size};

use crate::{FieldNode, Sign};

/// The types that are a field without a message or an enumeration of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    Bool,
    Unsigned {
        lower: i128,
        upper: i128,
    },
    Signed {
        lower: i128,
        upper: i128,
    },
    /// For an extensible range whose root is not negative: negative numbers take ten octets.
    Wide,
    Flags {
        lower: u8,
        upper: u8,
        trim: bool,
    },
    Double,
    Bytes,
    Text,
}

impl Scalar {
    /// `None` for a message or an enumeration.
    pub(crate) fn of(kind: &Kind) -> Option<Self> {
        Some(match kind {
            Kind::Boolean => Scalar::Bool,
            Kind::Integer { range, .. } => integer(range),
            Kind::Real { .. } => Scalar::Double,
            Kind::BitString { size, named, .. } => flags(size, !named.is_empty()),
            Kind::OctetString { .. } | Kind::ObjectIdentifier | Kind::RelativeOid | Kind::Open { .. } => Scalar::Bytes,
            Kind::Iri { .. } | Kind::String { .. } | Kind::Time { .. } => Scalar::Text,
            _ => return None,
        })
    }

    /// Its name in a schema.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Unsigned { upper, .. } if upper <= u32::MAX.into() => "uint32",
            Scalar::Unsigned { .. } => "uint64",
            Scalar::Signed { lower, upper } if lower >= i32::MIN.into() && upper <= i32::MAX.into() => "sint32",
            Scalar::Signed { .. } => "sint64",
            Scalar::Wide => "int64",
            Scalar::Flags { upper: 0..=32, .. } => "uint32",
            Scalar::Flags { .. } => "uint64",
            Scalar::Double => "double",
            Scalar::Bytes => "bytes",
            Scalar::Text => "string",
        }
    }

    /// Its node, unless it has a length.
    pub(crate) fn node(self) -> Option<FieldNode> {
        Some(match self {
            Scalar::Bool => FieldNode::Truth,
            Scalar::Unsigned { lower, upper } => FieldNode::Number { sign: Sign::Unsigned, lower, upper },
            Scalar::Signed { lower, upper } => FieldNode::Number { sign: Sign::Zigzag, lower, upper },
            Scalar::Wide => FieldNode::Number { sign: Sign::Signed, lower: i64::MIN.into(), upper: i64::MAX.into() },
            Scalar::Flags { lower, upper, trim } => FieldNode::Flags { lower, upper, trim },
            Scalar::Double => FieldNode::Double,
            Scalar::Bytes | Scalar::Text => return None,
        })
    }
}

/// Without bounds, or with more than 64 bits: octets in two's complement. For an extensible range,
/// 64 bits are used: in practice, values outside its root fit into them.
fn integer(range: &IntegerRange) -> Scalar {
    let bounds = |bound: &Option<roadwire_model::BigInt>| bound.as_ref().and_then(ToPrimitive::to_i128);
    let (Some(lower), Some(upper)) = (bounds(&range.lower), bounds(&range.upper)) else { return Scalar::Bytes };
    let all = i128::from(i64::MIN)..=i128::from(i64::MAX);
    let is_narrow = all.contains(&lower) && all.contains(&upper);
    match range.extensible {
        true if is_narrow && lower >= 0 => Scalar::Wide,
        true if is_narrow => Scalar::Signed { lower: *all.start(), upper: *all.end() },
        false if lower >= 0 && upper <= i128::from(u64::MAX) => Scalar::Unsigned { lower, upper },
        false if is_narrow => Scalar::Signed { lower, upper },
        _ => Scalar::Bytes,
    }
}

/// A number, if the size need not be encoded: it is fixed, or trailing zero bits have no meaning.
fn flags(size: &Size, named: bool) -> Scalar {
    match size.upper {
        Some(upper @ 0..=64) if !size.extensible && (named || size.lower == upper) => {
            Scalar::Flags { lower: size.lower as u8, upper: upper as u8, trim: named }
        }
        _ => Scalar::Bytes,
    }
}
