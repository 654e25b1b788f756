//! The decoders by hand of the study of IEEE 1609.2, with the types that borrow.

#[path = "../../../crates/lab/src/studies/ieee1609/by_hand/decoders.rs"]
mod decoders;
#[path = "../../../crates/lab/src/studies/ieee1609/by_hand/read.rs"]
mod read;

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::marker::PhantomData;

use crate::Codec;
use crate::roadwire::{Borrowed, Lending, Original, P, ready};
use crate::rules;
use crate::types::{dot2_original_2015::borrowed as original, dot2_p_2015::borrowed as p};
use decoders::{decode_original, decode_p};
use read::{Oer, Refused, Uper};

/// Decodes by hand, and encodes by generated code.
pub struct ByHand<F, E>(PhantomData<(F, E)>);

/// A message type with a decoder by hand for the encoding rules `E`.
pub trait Decoded<E>: Borrowed<E> {
    /// Decodes a message into a place that may hold another one.
    ///
    /// # Errors
    /// The octets are cut short, out of a range, or have a part that the decoder does not know.
    fn by_hand<'a>(octets: &'a [u8], place: &mut Option<Self::Message<'a>>) -> Result<(), String>;
}

impl Decoded<rules::Oer> for Original {
    #[inline]
    fn by_hand<'a>(octets: &'a [u8], place: &mut Option<original::SecuredData<'a>>) -> Result<(), String> {
        decode_original::message(Oer::new(octets), ready(place)).map_err(refused)
    }
}

impl Decoded<rules::Uper> for Original {
    #[inline]
    fn by_hand<'a>(octets: &'a [u8], place: &mut Option<original::SecuredData<'a>>) -> Result<(), String> {
        decode_original::message(Uper::new(octets), ready(place)).map_err(refused)
    }
}

impl Decoded<rules::Uper> for P {
    #[inline]
    fn by_hand<'a>(octets: &'a [u8], place: &mut Option<p::SecuredData<'a>>) -> Result<(), String> {
        decode_p::message(Uper::new(octets), ready(place)).map_err(refused)
    }
}

#[cold]
fn refused(why: Refused) -> String {
    why.to_string()
}

impl<F: Decoded<E>, E: 'static> Codec for ByHand<F, E> {
    type Message<'a> = F::Message<'a>;
    type Error = String;

    #[inline]
    fn encode(message: &F::Message<'_>, buffer: &mut Vec<u8>) -> Result<usize, String> {
        Lending::<F, E>::encode(message, buffer).map_err(|error| error.to_string())
    }

    #[inline]
    fn decode<'a>(octets: &'a [u8], place: &mut Option<F::Message<'a>>) -> Result<(), String> {
        F::by_hand(octets, place)
    }

    fn encode_alone(message: &F::Message<'_>, buffer: &mut Vec<u8>) -> Option<usize> {
        Lending::<F, E>::encode_alone(message, buffer)
    }

    fn buffer() -> Vec<u8> {
        Lending::<F, E>::buffer()
    }
}
