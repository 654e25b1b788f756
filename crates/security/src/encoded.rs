//! A value together with its octets.

use roadwire_engine::Message;
use roadwire_messages::Tls;

use crate::Fault;

/// More octets than any message or certificate.
const LIMIT: usize = 1 << 20;

/// A message or a certificate together with its encoding.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoded<T> {
    pub(crate) value: T,
    pub(crate) octets: Vec<u8>,
}

impl<T: Message<Tls>> Encoded<T> {
    /// Decodes a value, whose encoding must be all of `octets`. Only the canonical encoding is
    /// accepted, with the shortest lengths: signed data has no other octets. The signature itself
    /// has several forms: see [`Signature::is_canonical`](crate::Signature::is_canonical).
    ///
    /// # Errors
    /// [`Fault::Encoding`] and [`Fault::TrailingOctets`].
    pub fn read(octets: &[u8]) -> Result<Encoded<T>, Fault> {
        let mut value = T::default();
        let mut scratch = vec![0; octets.len()];
        let read = value.decode_canonical(octets, &mut scratch)? / 8;
        match octets.len() - read.min(octets.len()) {
            0 => Ok(Encoded { value, octets: octets.to_vec() }),
            count => Err(Fault::TrailingOctets { count }),
        }
    }

    /// Writes one.
    ///
    /// # Errors
    /// [`Fault::Encoding`]: a value outside its type.
    pub fn write(value: T) -> Result<Encoded<T>, Fault> {
        let octets = roadwire_engine::encode_to_vec(T::layout(), &value, LIMIT)?;
        Ok(Encoded { value, octets })
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> &T {
        &self.value
    }

    /// The encoding.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// The value, without its encoding.
    #[must_use]
    pub fn into_value(self) -> T {
        self.value
    }
}
