//! Vectors: the presentation language of TS 103 097 V1 and IEEE 1609.2-2013.

pub(crate) mod decode;
pub(crate) mod encode;
