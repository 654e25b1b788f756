//! UPER by all three codecs.

use std::fmt::Debug;

use roadwire_engine::{Item, Limits, Listener, Message};
use roadwire_layout::{Layout, Uper};
use roadwire_model::check::{self, Violation};
use roadwire_model::data::equal;
use roadwire_model::Value;
use roadwire_wire::{Error, ErrorKind, Step};

use crate::schema::{Generated, Schema};

/// How long an encoding may get here.
const ROOM: usize = 1 << 20;

impl Schema {
    /// Any octets: refused, or there and back; and a listener hears of all of it.
    pub(crate) fn check_octets(&self, octets: &[u8]) -> (Value, Result<usize, Error<'_>>) {
        let mut value = Value::Unset;
        let found = roadwire_engine::decode(&self.layout, octets, &mut value);
        self.listened(octets, &found);
        if found.is_ok() {
            let broken = check::value(&self.model, self.root, &value);
            assert!(broken.iter().all(unseen), "accepted, against {broken:?}: {value:?}");
            self.there_and_back(&value);
        }
        (value, found)
    }

    /// Any value: refused with its path where it breaks a constraint, or there and back.
    pub(crate) fn check_value(&self, value: &Value) {
        let broken = check::value(&self.model, self.root, value);
        match roadwire_engine::encode_to_vec(&self.layout, value, ROOM) {
            Ok(_) => {
                assert!(broken.iter().all(unseen), "encoded, against {broken:?}: {value:?}");
                self.there_and_back(value);
            }
            Err(error) if limit(&error) => {}
            Err(error) => {
                let kind = matches!(error.kind, ErrorKind::Mismatch { .. });
                assert!(kind || !broken.is_empty(), "{error}: {value:?}");
                let whole = kind || broken.iter().any(|one| one.path.is_empty());
                assert!(!error.path.is_empty() || whole, "{error}: {broken:?}");
            }
        }
    }

    /// A value that the type has: encoded, decoded, encoded.
    fn there_and_back(&self, value: &Value) {
        let octets = match roadwire_engine::encode_to_vec(&self.layout, value, ROOM) {
            Ok(octets) => octets,
            Err(error) if limit(&error) => return,
            Err(error) => panic!("{error}: {value:?}"),
        };
        let mut again = Value::Unset;
        let bits = match roadwire_engine::decode(&self.layout, &octets, &mut again) {
            Ok(bits) => bits,
            // A longer input, with octets behind the message, may have more elements.
            Err(error) if matches!(error.kind, ErrorKind::TooLong { .. }) => return,
            // An open type has at least one octet; an unknown alternative in memory may say otherwise.
            Err(_) if holds_empty(value) => return,
            Err(error) => panic!("{error}: {value:?} as {octets:02x?}"),
        };
        assert_eq!(bits.div_ceil(8).max(1), octets.len(), "{value:?} as {octets:02x?}");
        assert!(
            holds_empty(value) || equal(&self.model, self.root, value, &again),
            "{value:?}\nas {octets:02x?}\n{again:?}"
        );
        let twice = roadwire_engine::encode_to_vec(&self.layout, &again, ROOM).expect("what was encoded once");
        assert_eq!(twice, octets, "{value:?}");
        let mut short = Value::Unset;
        let cut = octets.split_last().map_or(&[][..], |(_, front)| front);
        if bits > 0 {
            assert!(roadwire_engine::decode(&self.layout, cut, &mut short).is_err(), "{octets:02x?} less one");
        }
    }

    /// A listener changes nothing, and hears of every bit once and in order.
    fn listened(&self, octets: &[u8], wanted: &Result<usize, Error<'_>>) {
        let (mut value, mut account) = (Value::Unset, Account::default());
        let limits = Limits::for_input(octets);
        let found = roadwire_engine::decode_with(&self.layout, octets, &mut value, &limits, &mut account);
        assert_eq!(found, *wanted, "with a listener");
        if let Ok(bits) = found {
            assert_eq!(account.bits, bits.next_multiple_of(8), "bits accounted for");
            assert_eq!(account.depth, 0, "what began has ended");
        }
    }
}

impl<M: Message<Uper> + PartialEq + Debug> Generated<M> {
    /// Any octets: the same from the interpreter over values, over generated types, and the generated code.
    pub(crate) fn check_octets(&self, octets: &[u8]) {
        let (value, dynamic) = self.schema.check_octets(octets);
        let mut message = Box::<M>::default();
        let wanted = roadwire_engine::decode(M::layout(), octets, &mut *message);
        let mut generated = Box::<M>::default();
        assert_eq!(generated.decode(octets), wanted, "generated code against the interpreter");
        // A `Value` may hold what the generated type has no room for.
        if !matches!(&wanted, Err(error) if out_of_room(error)) {
            assert_eq!(dynamic, wanted, "over values against over generated types");
        }
        if wanted.is_ok() {
            assert!(generated == message, "{generated:?} against {message:?}");
            assert!(equal(&self.schema.model, self.schema.root, &value, &*message), "{value:?} against {message:?}");
            self.check_message(&message);
        } else {
            assert!(
                generated.decode_fast(octets).is_err(),
                "the straight-line code takes what the interpreter refuses"
            );
        }
    }

    /// Any value that the generated type has room for, by way of JER.
    pub(crate) fn check_value(&self, value: &Value) {
        let notation = &self.schema.notation;
        let Ok(text) = notation.write(value) else { return };
        let mut message = Box::<M>::default();
        if notation.read_into(&text, &mut *message).is_ok() {
            self.check_message(&message);
        }
    }

    /// Any message: generated code and interpreter write the same, or refuse it alike.
    fn check_message(&self, message: &M) {
        let mut room = vec![0; ROOM];
        let wanted = roadwire_engine::encode(M::layout(), message, &mut room).map(|count| &room[..count]);
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
}

/// Whether an error is the generated type's own.
fn out_of_room(error: &Error<'_>) -> bool {
    matches!(error.kind, ErrorKind::IntegerWidth | ErrorKind::Capacity { .. })
}

/// Whether there may be an open type, an unknown alternative or an addition without octets in it: an encoding has at least one.
fn holds_empty(value: &Value) -> bool {
    let empty = |unknown: &roadwire_wire::Unknown| unknown.octets.is_empty();
    match value {
        Value::OctetString(octets) => octets.is_empty(),
        Value::Sequence { components, unknown } => {
            components.iter().flatten().any(holds_empty) || unknown.iter().any(empty)
        }
        Value::List(elements) => elements.iter().any(holds_empty),
        Value::Choice(_, inner) => holds_empty(inner),
        Value::UnknownChoice(unknown) => empty(unknown),
        _ => false,
    }
}

/// Whether codecs do not see a violation: the form of times is not PER-visible; an upper bound beyond 128 bits without a lower
/// one has no place in layouts yet.
fn unseen(violation: &Violation) -> bool {
    violation.code == "text.form" || violation.message.contains("range MIN..1000000000")
}

/// Whether a value is refused for its mere size.
fn limit(error: &Error<'_>) -> bool {
    match error.kind {
        ErrorKind::OutputFull { .. } | ErrorKind::TooDeep { .. } => true,
        ErrorKind::TooLong { length, limit } => length > limit,
        _ => false,
    }
}

#[derive(Default)]
struct Account {
    bits: usize,
    depth: isize,
}

impl Listener for Account {
    fn enter(&mut self, _: Step<'_>) {
        self.depth += 1;
    }
    fn leave(&mut self) {
        self.depth -= 1;
    }
    fn item(&mut self, _: &Layout, item: &Item<'_>) {
        assert_eq!(item.bit, self.bits, "bits told of twice or never: {item:?}");
        self.bits += item.bits;
    }
}
