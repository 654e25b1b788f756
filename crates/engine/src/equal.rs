//! Whether a value is its component's DEFAULT.

#[cfg(feature = "defaults")]
pub(crate) use self::values::is_default;

#[cfg(feature = "defaults")]
mod values;

/// A layout with DEFAULT values is refused.
#[cfg(not(feature = "defaults"))]
pub(crate) fn is_default(_: &roadwire_layout::Layout, _: u32, _: &dyn roadwire_wire::Data) -> bool {
    false
}
