//! One file for each command.

pub(crate) mod airtime;
#[cfg(feature = "lab")]
pub(crate) mod bench;
pub(crate) mod bounds;
pub(crate) mod capture;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod generate;
pub(crate) mod guess;
pub(crate) mod inspect;
pub(crate) mod list;
pub(crate) mod migrate;
pub(crate) mod random;
pub(crate) mod schema;
pub(crate) mod sign;
#[cfg(feature = "lab")]
pub(crate) mod study;
pub(crate) mod verify;
