//! Packed and octet rules: runs of fields, and the operations between them.

mod code;
mod decode;
mod encode;
mod rules;
mod walk;

pub(crate) use code::Code;
pub(crate) use decode::{Shapes, decode};
pub(crate) use encode::encode;
pub(crate) use walk::Walk;
