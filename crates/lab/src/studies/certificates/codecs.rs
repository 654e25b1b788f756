//! The codecs of the study's certificate, one for each set of encoding rules that the messages crate has for it.
//!
//! Nothing is listed by hand: for every marker type, the compiler checks whether the certificate is a message under it.

use std::marker::PhantomData;

use roadwire_engine::Message;
use roadwire_layout::{RuleSet, Rules};
use roadwire_papers::certificate_2017::Certificate;

use super::binary::Binary;
use super::codec::{Batch, Codec, InMemory, decode, encode, is_straight};
use super::generator::Generator;
use super::spaced;

struct Under<E>(PhantomData<fn() -> E>);

impl<E: RuleSet + 'static> Codec for Under<E>
where
    Certificate: Message<E>,
{
    fn rules(&self) -> Rules {
        E::RULES
    }

    fn encode(&self, certificate: &Certificate, output: &mut [u8]) -> Result<(usize, u64), String> {
        encode::<E, _>(certificate, output)
    }

    fn decode(&self, octets: &[u8], into: &mut Certificate) -> Result<u64, String> {
        decode::<E, _>(octets, into)
    }

    fn batch<'c>(&'c self, certificates: &'c [Certificate]) -> Box<dyn Batch + 'c> {
        Box::new(InMemory::<E, _>::new(certificates.into()))
    }

    fn is_straight(&self, certificate: &Certificate, output: &mut [u8]) -> (bool, bool) {
        is_straight::<E, _>(certificate, output)
    }
}

/// Checks one marker type: the inherent function is chosen if its bound holds, otherwise the trait's.
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

/// The paper's order; other rules follow.
const ORDER: [Rules; 9] =
    [Rules::Aper, Rules::Uper, Rules::Der, Rules::Ber, Rules::Oer, Rules::Coer, Rules::Xer, Rules::Cxer, Rules::Exer];

/// All codecs that support certificates of this generator, in the paper's order; XER and EXER as the paper's encoder wrote them follow ours.
///
/// # Errors
/// The schema has no model.
pub fn all(generator: Generator) -> Result<Vec<Box<dyn Codec>>, String> {
    macro_rules! ask {
        ($($rules:ident)*) => { [$(Ask::<roadwire_layout::$rules>(PhantomData).codec()),*] };
    }
    let mut asked: Vec<_> = roadwire_layout::for_each_rules!(ask).into_iter().flatten().chain(spaced::all()?).collect();
    asked.sort_by_key(|codec| {
        let place = ORDER.iter().position(|rules| *rules == codec.rules());
        place.map_or((ORDER.len(), Some(codec.rules())), |place| (place, None))
    });
    // The binary format cannot hold values of the uniform generator: negative numbers, milliseconds, names longer than 32 octets.
    let binary = (generator == Generator::Fitted).then(|| Box::new(Binary) as Box<dyn Codec>);
    Ok(binary.into_iter().chain(asked).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_marker_type_is_asked() {
        let codecs = all(Generator::Uniform).unwrap();
        let (theirs, ours): (Vec<_>, Vec<_>) = codecs.iter().partition(|codec| codec.name() != codec.rules().name());
        let rules: Vec<Rules> = ours.iter().map(|codec| codec.rules()).collect();
        assert!(rules.starts_with(&ORDER));
        assert_eq!(theirs.iter().map(|codec| codec.name()).collect::<Vec<_>>(), ["xer-theirs", "exer-theirs"]);
        assert!(rules.iter().all(|rules| rules.is_for_asn1()));
    }
}
