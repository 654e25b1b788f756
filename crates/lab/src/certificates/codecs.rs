//! The codecs of the study's certificate, one for each set of encoding rules that the messages crate has it under.
//!
//! Nothing is listed here as present: every marker type is asked whether the certificate is a message under it.

use std::marker::PhantomData;
use std::time::Instant;

use roadwire_engine::Message;
use roadwire_layout::{
    Aper, Ber, Cer, Coer, Cxer, Der, Exer, Exi, ExiDefault, ExiMerged, ExiSplit, Jer, Oer, Protobuf, RuleSet, Rules,
    Tls, Uper, Xer,
};
use roadwire_messages::certificate_2017::Certificate;

/// The certificate under one set of encoding rules. The clock is read inside, next to a call that the compiler sees.
pub trait Codec: Sync {
    /// Which rules.
    fn rules(&self) -> Rules;

    /// Encodes, and tells octets and wall nanoseconds between two readings of the clock.
    ///
    /// # Errors
    /// What the codec says.
    fn encode(&self, certificate: &Certificate, output: &mut [u8]) -> Result<(usize, u64), String>;

    /// Decodes over `into`, and tells wall nanoseconds between two readings of the clock.
    ///
    /// # Errors
    /// What the codec says.
    fn decode(&self, octets: &[u8], into: &mut Certificate) -> Result<u64, String>;

    /// Encodes all, without a clock; octets of the last.
    fn encode_all(&self, certificates: &[Certificate], output: &mut [u8]) -> usize;

    /// Decodes all over the same place, without a clock; how many were accepted.
    fn decode_all(&self, encodings: &[Vec<u8>], into: &mut Certificate) -> usize;

    /// Whether straight-line code encodes it, and decodes it again, without the interpreter.
    fn is_straight(&self, certificate: &Certificate, output: &mut [u8]) -> (bool, bool);
}

/// Wall nanoseconds that two readings of the clock take with nothing between.
pub fn empty_region() -> u64 {
    nanoseconds(Instant::now())
}

fn nanoseconds(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

struct Under<E>(PhantomData<fn() -> E>);

impl<E: RuleSet> Codec for Under<E>
where
    Certificate: Message<E>,
{
    fn rules(&self) -> Rules {
        E::RULES
    }

    #[inline(never)]
    fn encode(&self, certificate: &Certificate, output: &mut [u8]) -> Result<(usize, u64), String> {
        let start = Instant::now();
        let result = Message::<E>::encode(certificate, output);
        let time = nanoseconds(start);
        result.map(|octets| (octets, time)).map_err(|error| error.to_string())
    }

    #[inline(never)]
    fn decode(&self, octets: &[u8], into: &mut Certificate) -> Result<u64, String> {
        let start = Instant::now();
        let result = Message::<E>::decode(into, octets);
        let time = nanoseconds(start);
        result.map(|_| time).map_err(|error| error.to_string())
    }

    #[inline(never)]
    fn encode_all(&self, certificates: &[Certificate], output: &mut [u8]) -> usize {
        let mut last = 0;
        for certificate in certificates {
            last = Message::<E>::encode(std::hint::black_box(certificate), output).unwrap_or(0);
            std::hint::black_box(&mut *output);
        }
        last
    }

    #[inline(never)]
    fn decode_all(&self, encodings: &[Vec<u8>], into: &mut Certificate) -> usize {
        let mut accepted = 0;
        for octets in encodings {
            accepted += usize::from(Message::<E>::decode(into, std::hint::black_box(octets)).is_ok());
            std::hint::black_box(&mut *into);
        }
        accepted
    }

    fn is_straight(&self, certificate: &Certificate, output: &mut [u8]) -> (bool, bool) {
        let encoded = Message::<E>::encode_fast(certificate, output).is_ok();
        let decoded = Message::<E>::encode(certificate, output)
            .is_ok_and(|octets| Message::<E>::decode_fast(&mut Certificate::default(), &output[..octets]).is_ok());
        (encoded, decoded)
    }
}

/// Asks about one marker type: the inherent function is chosen where its bound holds, the trait's elsewhere.
struct Ask<E>(PhantomData<fn() -> E>);

trait NoCodec {
    fn codec(&self) -> Option<Box<dyn Codec>> {
        None
    }
}

impl<E> NoCodec for Ask<E> {}

impl<E: RuleSet + 'static> Ask<E>
where
    Certificate: Message<E>,
{
    #[allow(clippy::unnecessary_wraps, reason = "the trait's function of this name has none to give")]
    fn codec(&self) -> Option<Box<dyn Codec>> {
        Some(Box::new(Under::<E>(PhantomData)))
    }
}

/// All there are, in the paper's order; what it does not have comes after.
pub fn all() -> Vec<Box<dyn Codec>> {
    macro_rules! ask {
        ($($rules:ident)*) => { [$(Ask::<$rules>(PhantomData).codec()),*] };
    }
    ask!(Aper Uper Der Ber Oer Coer Xer Cxer Exer Cer Jer Protobuf Exi ExiDefault ExiMerged ExiSplit Tls)
        .into_iter()
        .flatten()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_marker_type_is_asked() {
        macro_rules! listed {
            ($($rules:ident)*) => { [$($rules::RULES),*] };
        }
        let mut listed =
            listed!(Aper Uper Der Ber Oer Coer Xer Cxer Exer Cer Jer Protobuf Exi ExiDefault ExiMerged ExiSplit Tls);
        listed.sort();
        assert_eq!(listed, Rules::ALL);
        assert!(all().iter().any(|codec| codec.rules() == Rules::Uper));
    }
}
