//! Which families of encoding rules are built, and which ways to tell lengths and the like these have: the code for the others falls away.

use roadwire_layout::Rules;
use roadwire_wire::{Error, ErrorKind, Path};

/// Lengths in OER's form.
pub(crate) const DEFINITE: bool = cfg!(any(feature = "octet", feature = "vectors"));
/// Lengths in groups of seven bits.
pub(crate) const VARINT: bool = cfg!(feature = "fields");
/// Lengths without fragments, and numbers of units told by their octets.
pub(crate) const WHOLE: bool = DEFINITE || VARINT;
/// Numbers and lengths at octet borders.
pub(crate) const ALIGNED: bool = cfg!(feature = "aligned");
/// Alternatives told by their tags, and the bits of additions by their number of octets.
pub(crate) const TAGS: bool = cfg!(feature = "octet");

/// Refuses a layout of a family that is not built.
#[inline]
pub(crate) fn check<'n>(rules: Rules) -> Result<(), Error<'n>> {
    let is_built = match rules {
        Rules::Uper => cfg!(feature = "packed"),
        Rules::Aper => ALIGNED,
        Rules::Oer | Rules::Coer => TAGS,
        Rules::Ber | Rules::Der | Rules::Cer => cfg!(feature = "tlv"),
        Rules::Protobuf => VARINT,
        Rules::Exi | Rules::ExiDefault | Rules::ExiMerged | Rules::ExiSplit => cfg!(feature = "events"),
        Rules::Xer | Rules::Cxer | Rules::Exer => cfg!(feature = "xml"),
        Rules::Jer => cfg!(feature = "json"),
        Rules::Tls => cfg!(feature = "vectors"),
        _ => true,
    };
    if is_built {
        return Ok(());
    }
    Err(Error { kind: ErrorKind::NotBuilt { feature: rules.family() }, bit: 0, path: Path::root() })
}
