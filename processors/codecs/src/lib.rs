//! The codecs of the ETSI studies' messages, and of those of IEEE 1609.2, that are measured on
//! several processors: roadwire's two, and other implementations in Rust with the types that
//! `crates/peers` has for them. [`each_codec`] lists them.
//!
//! Each is also a function of its own with the codec's name as its symbol, from which the linker
//! finds all that the codec needs.
#![allow(non_camel_case_types, missing_docs, reason = "generated types have the standards' names")]

extern crate alloc;

mod by_hand;
mod codec;
mod prost;
mod rasn;
mod roadwire;

pub use by_hand::{ByHand, Decoded};
pub use codec::Codec;
pub use prost::{Prost, ProstCam, ProstDenm};
pub use rasn::{Rasn, RasnCam, RasnDenm};
pub use roadwire::{Binary, Borrowed, Interpreter, Lending, Original, P, StraightLine};

/// The encoding rules.
pub mod rules {
    pub use roadwire_layout::{ExiDefault, Oer, Protobuf, Tls, Uper};
}

/// The types of the messages, generated.
pub mod types {
    macro_rules! schemas {
        ($($module:ident)*) => { $(
            #[allow(clippy::all)]
            pub mod $module {
                include!(concat!(env!("OUT_DIR"), "/", stringify!($module), ".rs"));
            }
        )* };
    }
    schemas!(cam_1_3_0 denm_1_3_1 ts103097_1_1_1 etsi_envelope_2015 ieee1609dot2_2013 dot2_original_2015 dot2_p_2015);
}
