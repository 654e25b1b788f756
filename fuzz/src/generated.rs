//! Generated types: the interpreter over them, and the generated code.

use std::fmt::Debug;
use std::marker::PhantomData;

use roadwire_engine::Message;
use roadwire_layout::{RuleSet, Rules};
use roadwire_model::data::equal;
use roadwire_model::{Value, check};
use roadwire_wire::{Error, ErrorKind};

use crate::interpreted::{ROOM, placed};
use crate::known_differences::{limit, out_of_room};
use crate::same::holds_contained;
use crate::subject::{Answer, Codec, Fast, Subject};

struct Generated<M, E>(PhantomData<fn() -> (M, E)>);

pub(crate) fn codec<M, E>() -> Box<dyn Codec>
where
    M: Message<E> + PartialEq + Debug + 'static,
    E: RuleSet + 'static,
{
    Box::new(Generated::<M, E>(PhantomData))
}

impl<M: Message<E> + PartialEq + Debug + 'static, E: RuleSet + 'static> Codec for Generated<M, E> {
    fn rules(&self) -> Rules {
        E::RULES
    }

    fn octets(&self, subject: &Subject, octets: &[u8], value: &Value, dynamic: &Result<usize, Error<'_>>) {
        let mut message = Box::<M>::default();
        let wanted = roadwire_engine::decode(M::layout(), octets, &mut *message);
        let mut generated = Box::<M>::default();
        assert_eq!(generated.decode(octets), wanted, "generated code against the interpreter");
        // A `Value` may hold something that the generated type cannot; and the content of a string
        // that contains a type is checked.
        let room = matches!(&wanted, Err(error) if out_of_room(error));
        let inside =
            |found: &Result<usize, Error<'_>>| matches!(found, Err(error) if subject.is_contained(&error.path));
        if !room && !inside(dynamic) && !inside(&wanted) {
            assert_eq!(told(dynamic), told(&wanted), "over values against over generated types");
        }
        match &wanted {
            Ok(_) => {
                // NOT-A-NUMBER is not equal to itself.
                let alike = generated == message || format!("{generated:?}") == format!("{message:?}");
                assert!(alike, "{generated:?} against {message:?}");
                self.check_message(subject, &message);
                if dynamic.is_ok() {
                    self.same(subject, octets, value, &message);
                }
            }
            Err(error) => {
                placed(error, octets);
                let fast = generated.decode_fast(octets);
                assert!(fast.is_err(), "the straight-line code takes what the interpreter refuses: {error}");
            }
        }
    }

    fn value(&self, subject: &Subject, value: &Value) {
        let Ok(text) = subject.notation().write(value) else { return };
        let mut message = Box::<M>::default();
        if subject.notation().read_into(&text, &mut *message).is_ok() {
            self.check_message(subject, &message);
        }
    }

    fn text(&self, subject: &Subject, text: &str, value: Option<&Value>) {
        let mut message = Box::<M>::default();
        let direct = subject.notation().read_into(text, &mut *message);
        match value {
            Some(value) if direct.is_ok() => {
                assert!(equal(subject.model(), subject.root(), value, &*message), "{value:?}\n{message:?}");
            }
            Some(_) => {}
            None => assert!(direct.is_err(), "read into a message, but not as a value"),
        }
    }

    fn fast(&self) -> Option<Box<dyn Fast>> {
        let place = Place { message: Box::<M>::default(), output: vec![0; 1 << 16], rules: PhantomData::<fn() -> E> };
        Some(Box::new(place))
    }
}

/// A message that is used again, and room for its octets.
struct Place<M, E> {
    message: Box<M>,
    output: Vec<u8>,
    rules: PhantomData<fn() -> E>,
}

impl<M: Message<E>, E: RuleSet> Fast for Place<M, E> {
    fn answer(&mut self, octets: &[u8]) -> Answer {
        let Ok(bits) = self.message.decode_fast(octets) else { return Answer::Refused };
        let written = self.message.encode_fast(&mut self.output).ok();
        let same = written.is_some_and(|count| octets.get(..count) == Some(&self.output[..count]));
        Answer::Accepted { bits, written, same }
    }

    fn reason(&mut self, octets: &[u8]) -> Option<(&'static str, String)> {
        let error = self.message.decode(octets).err()?;
        Some((error.kind.code(), error.path.to_string()))
    }
}

impl<M: Message<E> + PartialEq + Debug, E: RuleSet> Generated<M, E> {
    /// Any message: generated code and interpreter write the same, or refuse it with the same
    /// error; and the check of constraints that encoding rules do not take into account, which only
    /// generated code has, agrees with the check over the model.
    fn check_message(&self, subject: &Subject, message: &M) {
        let mut room = vec![0; ROOM];
        let kept = message.check();
        let broken = check::constraints(subject.model(), subject.root(), message);
        match &kept {
            Ok(()) => assert!(broken.is_empty(), "{broken:?}: {message:?}"),
            Err(error) => {
                // The start of a path in an error may be missing.
                let path = error.path.to_string();
                let is_said = |first: &check::Violation| {
                    first.message == error.kind.to_string() && first.path.ends_with(path.trim_start_matches('…'))
                };
                assert!(broken.first().is_some_and(is_said), "{error}: {broken:?}");
            }
        }
        let wanted = kept.and_then(|()| roadwire_engine::encode(M::layout(), message, &mut room));
        let wanted = wanted.map(|count| &room[..count]);
        let mut output = vec![0; wanted.as_ref().map_or(ROOM, |octets| octets.len())];
        let found = message.encode(&mut output);
        match (&wanted, &found) {
            (Ok(octets), Ok(count)) => assert_eq!(output[..*count], **octets, "{message:?}"),
            (Err(error), Err(other)) if limit(error) => assert!(limit(other), "{error} against {other}"),
            _ => assert_eq!(found, wanted.map(|octets| octets.len()), "{message:?}"),
        }
        if let Ok(octets @ 1..) = found {
            let mut output = vec![0; octets - 1];
            let kind = message.encode(&mut output).expect_err("an output that is too small").kind;
            assert!(matches!(kind, ErrorKind::OutputFull { .. }), "{kind:?}");
        }
    }

    /// The message equals the value, and canonical decoding agrees for both.
    fn same(&self, subject: &Subject, octets: &[u8], value: &Value, message: &M) {
        let (model, root, layout) = (subject.model(), subject.root(), subject.layout(E::RULES));
        if holds_contained(model, root, value) {
            // The message has it as octets, which may not be canonical.
            let Ok(again) = roadwire_engine::encode_to_vec(layout, message, ROOM) else { return };
            let mut back = Value::Unset;
            roadwire_engine::decode(layout, &again, &mut back).unwrap_or_else(|error| panic!("{error}: {message:?}"));
            assert!(subject.same(E::RULES, value, &back), "{value:?} against {message:?}");
            return;
        }
        assert!(equal(model, root, value, message), "{value:?} against {message:?}");
        let mut scratch = vec![0; ROOM];
        let canonical = roadwire_engine::decode_canonical(layout, octets, &mut Value::Unset, &mut scratch);
        let wanted = message.check().and(canonical);
        let found = Box::<M>::default().decode_canonical(octets, &mut scratch);
        assert_eq!(found, wanted, "canonical decoding");
    }
}

/// An outcome as a user reads it, with the code of an error: the layout of a generated type leaves
/// out what strings contain, so that its places of names are others.
fn told(outcome: &Result<usize, Error<'_>>) -> Result<usize, (&'static str, String)> {
    outcome.as_ref().copied().map_err(|error| (error.kind.code(), error.to_string()))
}
