//! synta, linked in, with types for a CAM in DER, which are printed from roadwire's model
//! (`build/synta.rs`).
//!
//! Its values own their contents.

use ::synta::{Decoder, Encoder, Encoding, Error};
use roadwire_layout::Rules;

use crate::TimedRegion;
use crate::cams::{Coded, Library};

#[allow(warnings, clippy::all, clippy::pedantic, reason = "printed; the names are those of ASN.1")]
mod printed {
    pub(super) mod cam_1_3_0 {
        use ::synta::*;
        include!(concat!(env!("OUT_DIR"), "/synta_cam_1_3_0.rs"));
    }
    pub(super) mod cam_1_4_1 {
        use ::synta::*;
        include!(concat!(env!("OUT_DIR"), "/synta_cam_1_4_1.rs"));
    }
}
use printed::{cam_1_3_0, cam_1_4_1};

/// The library.
pub struct Synta;

impl Library for Synta {
    const NAME: &'static str = "synta";
    const VERSION: &'static str = env!("PEERS_SYNTA");
    const RULES: Rules = Rules::Der;
    type Cam130 = cam_1_3_0::CAM;
    type Cam141 = cam_1_4_1::CAM;

    fn timed_region() -> TimedRegion {
        TimedRegion {
            allocation: "its buffers, one for each SEQUENCE; lists, strings".into(),
            presizing: "none".into(),
            population: "outside".into(),
            validation: "forms of DER; no ranges, no lengths".into(),
        }
    }
}

macro_rules! coded {
    ($($cam:ty)*) => { $(
        impl Coded for $cam {
            type Error = Error;

            #[inline]
            fn encoded(&self) -> Result<Vec<u8>, Error> {
                let mut encoder = Encoder::new(Encoding::Der);
                encoder.encode(self)?;
                encoder.finish()
            }

            #[inline]
            fn decoded(octets: &[u8]) -> Result<Self, Error> {
                Decoder::new(octets, Encoding::Der).decode()
            }
        }
    )* };
}
coded! { cam_1_3_0::CAM cam_1_4_1::CAM }
