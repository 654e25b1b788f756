//! The codecs of the study's certificate, one for each set of encoding rules that the messages
//! crate has for it.
//!
//! Nothing is listed by hand: for every marker type, the compiler checks whether the certificate is
//! a message under it.

use std::marker::PhantomData;

use roadwire_engine::Message;
use roadwire_layout::{RuleSet, Rules};
use roadwire_messages::ieee1609dot2_2017::Ieee1609Dot2Data;
use roadwire_papers::certificate_2017::Certificate;
use roadwire_papers::secured_2017::SecuredMessage;

use super::binary::Binary;
use super::codec::{Batch, Codec, InMemory, decode, encode, is_straight};
use super::generator::Generator;
use super::spaced;

struct Under<E, M>(PhantomData<fn() -> (E, M)>);

impl<E: RuleSet + 'static, M: Message<E> + Clone + 'static> Codec<M> for Under<E, M> {
    fn rules(&self) -> Rules {
        E::RULES
    }

    fn encode(&self, certificate: &M, output: &mut [u8]) -> Result<(usize, u64), String> {
        encode::<E, _>(certificate, output)
    }

    fn decode(&self, octets: &[u8], into: &mut M) -> Result<u64, String> {
        decode::<E, _>(octets, into)
    }

    fn batch<'c>(&'c self, certificates: &'c [M]) -> Box<dyn Batch + 'c> {
        Box::new(InMemory::<E, _>::new(certificates.into()))
    }

    fn is_straight(&self, certificate: &M, output: &mut [u8]) -> (bool, bool) {
        is_straight::<E, _>(certificate, output)
    }
}

/// Checks one marker type: the inherent function is chosen if its bound holds, otherwise the
/// trait's.
struct Ask<E, M>(PhantomData<fn() -> (E, M)>);

trait NoCodec<M> {
    fn codec(&self) -> Option<Box<dyn Codec<M>>> {
        None
    }
}

impl<E, M> NoCodec<M> for Ask<E, M> {}

impl<E: RuleSet + 'static, M: Message<E> + Clone + 'static> Ask<E, M> {
    #[allow(clippy::unnecessary_wraps, reason = "the trait's function of this name has none to give")]
    fn codec(&self) -> Option<Box<dyn Codec<M>>> {
        Some(Box::new(Under::<E, M>(PhantomData)))
    }
}

/// The paper's order; other rules follow.
const ORDER: [Rules; 9] =
    [Rules::Aper, Rules::Uper, Rules::Der, Rules::Ber, Rules::Oer, Rules::Coer, Rules::Xer, Rules::Cxer, Rules::Exer];

/// All codecs that support certificates of this generator, in the paper's order; XER and EXER as
/// the paper's encoder wrote them follow ours.
///
/// # Errors
/// The schema has no model.
pub fn all(generator: Generator) -> Result<Vec<Box<dyn Codec>>, String> {
    macro_rules! ask {
        ($($rules:ident)*) => { [$(Ask::<roadwire_layout::$rules, Certificate>(PhantomData).codec()),*] };
    }
    let asked = roadwire_layout::for_each_rules!(ask).into_iter().flatten().chain(spaced::all()?).collect();
    // The binary format cannot hold values of the uniform generator: negative numbers,
    // milliseconds, names longer than 32 octets.
    let binary = (generator == Generator::Fitted).then(|| Box::new(Binary) as Box<dyn Codec>);
    Ok(binary.into_iter().chain(in_order(asked)).collect())
}

/// Those of the secured message of today, in the same order.
pub(super) fn of_today() -> Vec<Box<dyn Codec<Ieee1609Dot2Data>>> {
    macro_rules! ask {
        ($($rules:ident)*) => { [$(Ask::<roadwire_layout::$rules, Ieee1609Dot2Data>(PhantomData).codec()),*] };
    }
    in_order(roadwire_layout::for_each_rules!(ask).into_iter().flatten().collect())
}

/// Those of the secured message around the certificate, in the same order.
pub(super) fn of_listing() -> Vec<Box<dyn Codec<SecuredMessage>>> {
    macro_rules! ask {
        ($($rules:ident)*) => { [$(Ask::<roadwire_layout::$rules, SecuredMessage>(PhantomData).codec()),*] };
    }
    in_order(roadwire_layout::for_each_rules!(ask).into_iter().flatten().collect())
}

/// In the paper's order.
fn in_order<M>(mut codecs: Vec<Box<dyn Codec<M>>>) -> Vec<Box<dyn Codec<M>>> {
    codecs.sort_by_key(|codec| {
        let place = ORDER.iter().position(|rules| *rules == codec.rules());
        place.map_or((ORDER.len(), Some(codec.rules())), |place| (place, None))
    });
    codecs
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
