//! hampi, linked in, with the types that its own compiler writes for a CAM in UPER.
//!
//! Its buffer is one of bits.

use asn1_codecs::uper::UperCodec;
use asn1_codecs::{PerCodecData, PerCodecError};
use roadwire_layout::Rules;

use crate::TimedRegion;
use crate::cams::{Coded, Library};

#[allow(warnings, clippy::all, clippy::pedantic, reason = "its compiler's")]
mod generated {
    pub(super) mod cam_1_3_0 {
        include!(concat!(env!("OUT_DIR"), "/hampi_cam_1_3_0.rs"));
    }
    pub(super) mod cam_1_4_1 {
        include!(concat!(env!("OUT_DIR"), "/hampi_cam_1_4_1.rs"));
    }
}
use generated::{cam_1_3_0, cam_1_4_1};

/// The library.
pub struct Hampi;

impl Library for Hampi {
    const NAME: &'static str = "hampi";
    const VERSION: &'static str = env!("PEERS_HAMPI");
    const RULES: Rules = Rules::Uper;
    type Cam130 = cam_1_3_0::CAM;
    type Cam141 = cam_1_4_1::CAM;

    fn timed_region() -> TimedRegion {
        TimedRegion {
            allocation: "its buffer, lists and strings, a copy of the input".into(),
            presizing: "none".into(),
            population: "outside".into(),
            validation: "lengths; ranges when encoding".into(),
        }
    }
}

macro_rules! coded {
    ($($cam:ty)*) => { $(
        impl Coded for $cam {
            type Error = PerCodecError;

            #[inline]
            fn encoded(&self) -> Result<Vec<u8>, PerCodecError> {
                let mut data = PerCodecData::new_uper();
                self.uper_encode(&mut data)?;
                Ok(data.into_bytes())
            }

            #[inline]
            fn decoded(octets: &[u8]) -> Result<Self, PerCodecError> {
                Self::uper_decode(&mut PerCodecData::from_slice_uper(octets))
            }
        }
    )* };
}
coded! { cam_1_3_0::CAM cam_1_4_1::CAM }
