//! The interpreter of each family, if it is built; the compiler drops the code for the others.

use roadwire_layout::{Family, Layout, Rules};
use roadwire_wire::{Data, Error, ErrorKind, Path};

use crate::limits::Limits;
use crate::listener::Listener;

/// Lengths in OER's form.
pub(crate) const DEFINITE: bool = cfg!(any(feature = "octet", feature = "vectors"));
/// Lengths in groups of seven bits.
pub(crate) const VARINT: bool = cfg!(feature = "fields");
/// Lengths without fragments, and numbers of units given as a length in octets.
pub(crate) const WHOLE: bool = DEFINITE || VARINT;
/// Numbers and lengths at octet borders.
pub(crate) const ALIGNED: bool = cfg!(feature = "aligned");
/// OER: alternatives selected by tags, and presence bits of additions counted in octets.
pub(crate) const OCTET: bool = cfg!(feature = "octet");

/// Whether the rules are OER, which shares its interpreter with PER.
pub(crate) fn is_octet(layout: &Layout) -> bool {
    OCTET && layout.rules.family() == Family::Octet
}

/// Calls the encoder or decoder of the layout's family.
macro_rules! interpret {
    ($direction:ident($layout:ident $(, $argument:expr)*) $(with $listener:ident)?) => {{
        check($layout)?;
        match $layout.rules.family() {
            #[cfg(feature = "packed")]
            Family::Packed | Family::Octet => crate::$direction::message::<$($listener,)? crate::packed::$direction::Packed>($layout $(, $argument)*),
            #[cfg(not(feature = "packed"))]
            Family::Packed | Family::Octet => Err(not_built($layout.rules.feature())),
            #[cfg(feature = "tlv")]
            Family::Tlv => crate::$direction::message::<$($listener,)? crate::tlv::$direction::Tlv>($layout $(, $argument)*),
            #[cfg(not(feature = "tlv"))]
            Family::Tlv => Err(not_built($layout.rules.feature())),
            #[cfg(feature = "fields")]
            Family::Fields => crate::$direction::message::<$($listener,)? crate::fields::$direction::Fields>($layout $(, $argument)*),
            #[cfg(not(feature = "fields"))]
            Family::Fields => Err(not_built($layout.rules.feature())),
            #[cfg(feature = "events")]
            Family::Events => crate::$direction::message::<$($listener,)? crate::events::$direction::Events>($layout $(, $argument)*),
            #[cfg(not(feature = "events"))]
            Family::Events => Err(not_built($layout.rules.feature())),
            #[cfg(feature = "xml")]
            Family::Xml => crate::$direction::message::<$($listener,)? crate::xml::$direction::Xml>($layout $(, $argument)*),
            #[cfg(not(feature = "xml"))]
            Family::Xml => Err(not_built($layout.rules.feature())),
            #[cfg(feature = "json")]
            Family::Json => crate::$direction::message::<$($listener,)? crate::json::$direction::Json>($layout $(, $argument)*),
            #[cfg(not(feature = "json"))]
            Family::Json => Err(not_built($layout.rules.feature())),
            #[cfg(feature = "vectors")]
            Family::Vectors => crate::$direction::message::<$($listener,)? crate::vectors::$direction::Vectors>($layout $(, $argument)*),
            #[cfg(not(feature = "vectors"))]
            Family::Vectors => Err(not_built($layout.rules.feature())),
            #[cfg(feature = "cbor")]
            Family::Cbor => crate::$direction::message::<$($listener,)? crate::cbor::$direction::Cbor>($layout $(, $argument)*),
            #[cfg(not(feature = "cbor"))]
            Family::Cbor => Err(not_built($layout.rules.feature())),
        }
    }};
}

/// Encodes, and returns the length in octets.
#[allow(unused_variables, reason = "a build without any family")]
pub(crate) fn encode<'n>(layout: &'n Layout, value: &dyn Data, output: &mut [u8]) -> Result<usize, Error<'n>> {
    interpret!(encode(layout, value, output))
}

/// Decodes, and returns the length in bits.
#[allow(unused_variables, reason = "a build without any family")]
pub(crate) fn decode<'n, L: Listener>(
    layout: &'n Layout,
    input: &[u8],
    value: &mut dyn Data,
    limits: &Limits,
    listener: &mut L,
) -> Result<usize, Error<'n>> {
    interpret!(decode(layout, input, value, limits, listener) with L)
}

/// Refuses a layout of packed or octet rules that are not built, or with DEFAULT values if these
/// are not. The interpreter of another family is missing as a whole.
#[inline]
fn check<'n>(layout: &Layout) -> Result<(), Error<'n>> {
    let rules = layout.rules;
    let is_built = match rules.family() {
        Family::Packed if rules == Rules::Aper => ALIGNED,
        Family::Packed => cfg!(feature = "packed"),
        Family::Octet => OCTET,
        Family::Tlv | Family::Fields | Family::Events | Family::Xml | Family::Json | Family::Vectors | Family::Cbor => {
            true
        }
    };
    match is_built {
        false => Err(not_built(rules.feature())),
        true if !cfg!(feature = "defaults") && !layout.defaults.is_empty() => Err(not_built("defaults")),
        true => Ok(()),
    }
}

#[cold]
fn not_built<'n>(feature: &'static str) -> Error<'n> {
    Error { kind: ErrorKind::NotBuilt { feature }, bit: 0, path: Path::root() }
}
