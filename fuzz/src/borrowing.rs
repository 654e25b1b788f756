//! Generated types that borrow their strings from the input: the same values and errors as from the
//! interpreter, whether strings are borrowed or copied.

use std::marker::PhantomData;

use roadwire_engine::{Lent, Message};
use roadwire_layout::{Aper, Coer, Oer, RuleSet, Rules, Uper};
use roadwire_model::Value;
use roadwire_wire::Error;

use crate::borrowed::Sink;
use crate::interpreted::ROOM;
use crate::subject::{Codec, Subject};

struct Borrowed<E>(PhantomData<fn() -> E>);

/// Those of the kitchen sink.
pub(crate) fn sinks() -> Vec<Box<dyn Codec>> {
    vec![
        Box::new(Borrowed::<Uper>(PhantomData)),
        Box::new(Borrowed::<Aper>(PhantomData)),
        Box::new(Borrowed::<Oer>(PhantomData)),
        Box::new(Borrowed::<Coer>(PhantomData)),
    ]
}

impl<E: RuleSet> Codec for Borrowed<E>
where
    for<'a> Sink<'a>: Lent<'a, E>,
{
    fn rules(&self) -> Rules {
        E::RULES
    }

    fn octets(&self, subject: &Subject, octets: &[u8], _: &Value, _: &Result<usize, Error<'_>>) {
        let layout = subject.layout(E::RULES);
        let (mut lent, mut copied) = (Box::<Sink<'_>>::default(), Box::<Sink<'_>>::default());
        let wanted = roadwire_engine::decode(layout, octets, &mut *copied);
        assert_eq!(lent.decode_lent(octets), wanted, "lent against the interpreter");
        if wanted.is_err() {
            assert!(
                lent.decode_lent_fast(octets).is_err(),
                "the straight-line code takes what the interpreter refuses"
            );
            return;
        }
        // NOT-A-NUMBER is not equal to itself.
        let alike = format!("{:?}", roadwire_engine::encode_to_vec(layout, &*lent, ROOM));
        assert_eq!(alike, format!("{:?}", roadwire_engine::encode_to_vec(layout, &*copied, ROOM)));
        let mut output = vec![0; ROOM];
        let found = lent.encode(&mut output);
        // The interpreter does not check all constraints.
        let kept = copied.check();
        assert_eq!(found, kept.and_then(|()| roadwire_engine::encode(layout, &*copied, &mut vec![0; ROOM])));
    }

    fn value(&self, _: &Subject, _: &Value) {}

    fn text(&self, _: &Subject, _: &str, _: Option<&Value>) {}
}
