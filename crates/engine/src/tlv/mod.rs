//! TLV: BER, DER and CER, X.690.

pub(crate) mod decode;
pub(crate) mod encode;
