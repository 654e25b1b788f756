//! The interpreter over values, under any rules.

use roadwire_engine::{Item, Limits, Listener};
use roadwire_layout::{Layout, Rules};
use roadwire_model::{Value, check};
use roadwire_wire::{Error, ErrorKind, Step};

use crate::known_differences::{holds_empty, holds_encoded, holds_unknown, limit, unseen, unwritable};
use crate::same::{holds_content, holds_octets};
use crate::subject::Subject;

/// The greatest length of an encoding here.
pub(crate) const ROOM: usize = 1 << 20;

impl Subject {
    /// Any octets: refused, or decoded and encoded again; and a listener is called for all of it.
    pub(crate) fn check_octets(&self, rules: Rules, octets: &[u8]) -> (Value, Result<usize, Error<'_>>) {
        let layout = self.layout(rules);
        let mut value = Value::Unset;
        let found = roadwire_engine::decode(layout, octets, &mut value);
        listened(layout, octets, &found);
        match &found {
            Ok(bits) => {
                let broken = check::effective(self.model(), self.root(), &value);
                assert!(
                    broken.iter().all(|one| unseen(rules, one)),
                    "{rules}: accepted, against {broken:?}: {value:?}"
                );
                if let Some(canonical) = self.there_and_back(rules, &value, true) {
                    strict(layout, octets, *bits, &canonical);
                }
            }
            Err(error) => placed(error, octets),
        }
        (value, found)
    }

    /// Any value: refused with its path if it breaks a constraint, or encoded and decoded again.
    pub(crate) fn check_value(&self, rules: Rules, value: &Value) {
        let broken = check::effective(self.model(), self.root(), value);
        let same = !holds_encoded(rules.family(), self.model(), self.root(), value);
        match roadwire_engine::encode_to_vec(self.layout(rules), value, ROOM) {
            Ok(_) => {
                assert!(broken.iter().all(|one| unseen(rules, one)), "{rules}: encoded, against {broken:?}: {value:?}");
                self.there_and_back(rules, value, same);
            }
            Err(error) if limit(&error) || unwritable(rules, &error) => {}
            Err(error) => {
                let kind = matches!(error.kind, ErrorKind::Mismatch { .. }) || !same;
                assert!(kind || !broken.is_empty(), "{rules}: {error}: {value:?}");
                let whole = kind || broken.iter().any(|one| one.path.is_empty());
                assert!(!error.path.is_empty() || whole, "{rules}: {error}: {broken:?}");
            }
        }
    }

    /// A decoded value can also be encoded under other rules, unless they cannot represent it, or a
    /// part of it has a meaning only in the first encoding.
    pub(crate) fn check_taken(&self, from: Rules, to: Rules, value: &Value) -> Option<Vec<u8>> {
        let (model, root) = (self.model(), self.root());
        let encoded = |rules: Rules| holds_encoded(rules.family(), model, root, value);
        let same = from.family() == to.family() || !encoded(from) && !encoded(to) && !holds_unknown(value);
        match roadwire_engine::encode_to_vec(self.layout(to), value, ROOM) {
            Ok(_) => self.there_and_back(to, value, same),
            Err(error) => {
                let unseen = !check::effective(model, root, value).is_empty();
                let is_known_difference = limit(&error) || unwritable(to, &error) || unseen || !same;
                assert!(is_known_difference, "taken from {from}, but not encoded in {to}: {error}: {value:?}");
                None
            }
        }
    }

    /// A value of the type: encoded, decoded, encoded; `None` if it takes too much. The decoded
    /// value is equal if octets of unknown parts are in the same encoding.
    fn there_and_back(&self, rules: Rules, value: &Value, same: bool) -> Option<Vec<u8>> {
        let layout = self.layout(rules);
        let octets = match roadwire_engine::encode_to_vec(layout, value, ROOM) {
            Ok(octets) => octets,
            Err(error) if limit(&error) => return None,
            Err(error) => panic!("{rules}: {error}: {value:?}"),
        };
        let mut again = Value::Unset;
        let bits = match roadwire_engine::decode(layout, &octets, &mut again) {
            Ok(bits) => bits,
            // A longer input, with octets after the message, may have more elements.
            Err(error) if matches!(error.kind, ErrorKind::TooLong { .. }) => return None,
            // An open type has at least one octet; an unknown alternative in memory may have none.
            Err(_) if holds_empty(value) || !same => return None,
            // In a SET, content that preceded its key was kept as octets, which are sent unchanged;
            // after the key they need not be of its type.
            Err(_) if holds_octets(self.model(), self.root(), value) => return None,
            Err(error) => panic!("{rules}: {error}: {value:?} as {}", shown(&octets)),
        };
        if !same {
            return None;
        }
        assert_eq!(length(layout, bits), octets.len(), "{rules}: {value:?} as {}", shown(&octets));
        // The content of an open type is decoded as octets if its key follows it.
        let is_value = self.same(rules, value, &again)
            || holds_content(self.model(), self.root(), value) && holds_octets(self.model(), self.root(), &again);
        assert!(holds_empty(value) || is_value, "{rules}: {value:?}\nas {}\n{again:?}", shown(&octets));
        let twice = roadwire_engine::encode_to_vec(layout, &again, ROOM).expect("what was encoded once");
        assert_eq!(shown(&twice), shown(&octets), "{rules}: {value:?}");
        let fewest = self.fewest(rules);
        assert!(
            fewest <= octets.len() as u64 || holds_unknown(value),
            "{rules}: shorter than may be: {}",
            shown(&octets)
        );
        strict(layout, &octets, bits, &octets);
        if bits > 0 && !rules.family().is_text() {
            let cut = octets.split_last().map_or(&[][..], |(_, front)| front);
            let found = roadwire_engine::decode(layout, cut, &mut Value::Unset);
            let error = found.expect_err("a message without its last octet");
            placed(&error, cut);
        }
        Some(octets)
    }
}

/// Canonical decoding accepts only octets that are unchanged when encoded again; and it reports the
/// first difference.
fn strict(layout: &Layout, octets: &[u8], bits: usize, canonical: &[u8]) {
    let mut scratch = vec![0; canonical.len()];
    let found = roadwire_engine::decode_canonical(layout, octets, &mut Value::Unset, &mut scratch);
    match octets.get(..length(layout, bits)) {
        Some(message) if message == canonical => assert_eq!(found, Ok(bits), "{}", shown(octets)),
        _ => {
            let error = found.expect_err("an encoding that is not the canonical one");
            assert_eq!(error.kind, ErrorKind::NotCanonical, "{}", shown(octets));
            placed(&error, octets);
        }
    }
}

/// How many octets a message of `bits` bits has.
fn length(layout: &Layout, bits: usize) -> usize {
    bits.div_ceil(8).max(layout.least_octets() as usize)
}

/// Checks that an error's position is in the input, or at its end.
pub(crate) fn placed(error: &Error<'_>, octets: &[u8]) {
    assert!(error.bit <= octets.len() * 8, "{error}, in {} octets", octets.len());
    assert!(!error.to_string().is_empty());
}

/// Checks that a listener changes nothing, and is called once for every bit, in order.
fn listened(layout: &Layout, octets: &[u8], wanted: &Result<usize, Error<'_>>) {
    let (mut value, mut account) = (Value::Unset, Account::default());
    let limits = Limits::for_input(octets);
    let found = roadwire_engine::decode_with(layout, octets, &mut value, &limits, &mut account);
    assert_eq!(found, *wanted, "with a listener");
    if let Ok(bits) = found {
        assert_eq!(account.bits, bits.next_multiple_of(8), "bits accounted for");
        assert_eq!(account.depth, 0, "what began has ended");
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

/// Octets for human readers: as text if they are text.
pub(crate) fn shown(octets: &[u8]) -> String {
    match std::str::from_utf8(octets) {
        Ok(text) if text.chars().all(|character| !character.is_control()) => text.to_owned(),
        _ => octets.iter().map(|octet| format!("{octet:02x}")).collect(),
    }
}
