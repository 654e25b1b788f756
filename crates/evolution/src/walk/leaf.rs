//! Values without parts.

use std::collections::HashMap;

use roadwire_layout::{Family, Rules};
use roadwire_model::{BigInt, Kind};

use super::{Meaning, Walk};
use crate::outcome::Outcomes;
use crate::pairing;
use crate::shape::{Code, Domain, Items, Key, Leaf, Shape};

impl Walk<'_> {
    pub(super) fn leaves(&mut self, meaning: Meaning, one: &Leaf, other: &Leaf) -> Outcomes {
        if one.code != other.code {
            if compare(&one.domain, &other.domain, self.framed).0 || one.trim.or(other.trim).is_some() {
                self.differ_unless_word("the coding", one, other);
            }
            if let Some(outcomes) = self.words(one, other).or_else(|| self.bit_digits(meaning, one, other)) {
                return outcomes;
            }
            return self.apart(&Shape::Leaf(one.clone()), &Shape::Leaf(other.clone()));
        }
        // JER keeps the trailing zero bits that the size permits.
        let has_other_zeros = if self.writer.rules == Rules::Jer {
            one.trim.or(other.trim).is_some() && one.domain != other.domain
        } else {
            one.trim != other.trim
        };
        if has_other_zeros {
            self.differ("trailing zero bits");
        }
        if self.has_other_root(&one.domain, &other.domain) {
            self.differ("which sizes are in the root");
        }
        let (inside, outside) = self.compare_strings(one, other);
        let mut all = if inside { Outcomes::AGREES } else { Outcomes::NONE };
        let has_fewer_zeros = other.trim.is_some_and(|least| one.trim.is_none_or(|sent| sent > least));
        if has_fewer_zeros && self.is_deterministic() {
            all = all.or(self.refuses("the reader wants no trailing zero bits"));
        }
        if let Some(outcomes) = self.indexed(one, other) {
            return outcomes.or(all.without(Outcomes::AGREES));
        }
        if outside {
            all = all.or(self.refuses("the reader does not allow all values"));
        }
        if inside && self.has_moved_bits(meaning) {
            self.differ("the places of named bits");
            all = all.or(self.misreads("named bits are at other places"));
        }
        all
    }

    /// Numbers of one width, with and without a sign, have the same octets as far as both have
    /// them.
    fn differ_unless_word(&mut self, what: &str, one: &Leaf, other: &Leaf) {
        let is_word = |leaf: &Leaf| Word::of(&leaf.code).filter(|word| word.form != 0).map(|word| word.bits);
        if is_word(one).is_none() || is_word(one) != is_word(other) {
            self.differ(what);
        }
    }

    /// JER: a reader that knows the size also reads bits with their number, and not the other way
    /// round.
    fn bit_digits(&mut self, meaning: Meaning, one: &Leaf, other: &Leaf) -> Option<Outcomes> {
        if self.writer.rules != Rules::Jer || one.code.name != "bits" || other.code.name != "bits" {
            return None;
        }
        match (one.code.parameters.first(), other.code.parameters.first()) {
            (Some(-1), _) => {
                let (inside, outside) = self.compare_strings(one, other);
                let mut all = if inside { Outcomes::AGREES } else { Outcomes::NONE };
                if inside && self.has_moved_bits(meaning) {
                    all = all.or(self.misreads("named bits are at other places"));
                }
                Some(if outside { all.or(self.refuses("the reader does not allow all values")) } else { all })
            }
            (_, Some(-1)) => Some(self.refuses("the reader wants the number of bits")),
            _ => None,
        }
    }

    /// Whether some of the writer's values are among the reader's, and whether some are not.
    fn compare_strings(&self, one: &Leaf, other: &Leaf) -> (bool, bool) {
        let written = trimmed(one, other);
        // X.680 §22.7: a reader adds or removes trailing zero bits, so that the size fits; in PER,
        // OER and CBOR the size that is written has to fit as it is.
        let adapts = match self.reader.rules.family() {
            Family::Tlv | Family::Xml | Family::Json | Family::Events => other.trim.is_some(),
            Family::Fields => other.trim.is_some() && other.code.name == "flags",
            Family::Packed | Family::Octet | Family::Vectors | Family::Cbor => false,
        };
        match (&written, &other.domain) {
            (Domain::Strings { upper, extensible: any, .. }, Domain::Strings { upper: most, extensible, .. })
                if adapts =>
            {
                (true, (*any || upper > most) && !extensible)
            }
            (written, domain) => compare(written, domain, self.framed),
        }
    }

    /// Whether sizes in one root are outside the other, so that they are written in other ways.
    fn has_other_root(&self, one: &Domain, other: &Domain) -> bool {
        match (one, other) {
            (
                Domain::Strings { lower, upper, extensible: true, .. },
                Domain::Strings { lower: least, upper: most, extensible: true, .. },
            ) => !self.framed && (lower, upper) != (least, most),
            _ => false,
        }
    }

    /// Characters as indexes in the alphabet: which characters the reader has at the same indexes.
    fn indexed(&mut self, one: &Leaf, other: &Leaf) -> Option<Outcomes> {
        let (Domain::Strings { alphabet: from, .. }, Domain::Strings { alphabet: to, upper, lower, .. }) =
            (&one.domain, &other.domain)
        else {
            return None;
        };
        if one.code.name != "characters" || one.code.parameters.last() != Some(&1) || from == to {
            return None;
        }
        /// Alphabets with indexes are small: a character of 16 bits or more is its own index.
        const MOST: usize = 1 << 16;
        let each = |alphabet: &[(u32, u32)]| {
            alphabet.iter().flat_map(|(first, last)| *first..=*last).take(MOST).collect::<Vec<u32>>()
        };
        let (from, to) = (each(from), each(to));
        let mut all = if *lower == 0 { Outcomes::AGREES } else { Outcomes::NONE };
        if from.iter().zip(&to).any(|(one, other)| one == other) {
            all = all.or(Outcomes::AGREES);
        }
        if *upper > 0 && from.iter().zip(&to).any(|(one, other)| one != other) {
            self.differ("the indexes of characters");
            all = all.or(self.misreads("indexes stand for other characters"));
        }
        if from.len() > to.len() {
            all = all.or(self.refuses("the reader does not have all characters"));
        }
        Some(all)
    }

    /// Numbers of one width: which of them is taken for which, by intervals that are moved by one
    /// distance.
    fn words(&mut self, one: &Leaf, other: &Leaf) -> Option<Outcomes> {
        let (from, to) = (Word::of(&one.code)?, Word::of(&other.code)?);
        let (Domain::Integers(Some(least), Some(most)), Domain::Integers(Some(lower), Some(upper))) =
            (&one.domain, &other.domain)
        else {
            return None;
        };
        if from.bits != to.bits {
            return None;
        }
        let whole = BigInt::from(1) << from.bits;
        let half = &whole >> 1_u32;
        let moved = |first: BigInt, last: BigInt, by: BigInt| (first <= last).then_some((first, last, by));
        let zero = || BigInt::from(0);
        let pieces = match (from.form, to.form) {
            (0, 0) => vec![moved(least.clone(), most.clone(), lower - least)],
            (1, 2) => vec![
                moved(least.clone(), most.min(&(&half - 1)).clone(), zero()),
                moved(least.max(&half).clone(), most.clone(), -&whole),
            ],
            (2, 1) => vec![
                moved(least.max(&zero()).clone(), most.clone(), zero()),
                moved(least.clone(), most.min(&BigInt::from(-1)).clone(), whole.clone()),
            ],
            _ => return None,
        };
        let mut all = Outcomes::NONE;
        for (first, last, by) in pieces.into_iter().flatten() {
            let (first, last, same) = (first + &by, last + &by, by == zero());
            if first <= *upper && last >= *lower {
                all = all.or(if same { Outcomes::AGREES } else { self.misreads("its bits stand for another number") });
            }
            if first < *lower || last > *upper {
                all = all.or(self.refuses("the reader does not allow all values"));
            }
        }
        Some(all)
    }

    fn has_moved_bits(&self, meaning: Meaning) -> bool {
        match self.kinds(meaning) {
            Some((Kind::BitString { named: one, .. }, Kind::BitString { named: other, .. })) => {
                let place = |name: &String| other.iter().find(|(other, _)| other == name).map(|(_, place)| *place);
                one.iter().any(|(name, at)| place(name).is_some_and(|place| place != *at))
            }
            _ => false,
        }
    }

    pub(super) fn items(&mut self, meaning: Meaning, one: &Items, other: &Items) -> Outcomes {
        let pairs = match self.kinds(meaning) {
            Some((Kind::Enumerated(one), Kind::Enumerated(other))) => Some(pairing::items(one, other)),
            _ => None,
        };
        let same_code = one.code == other.code;
        if !same_code {
            self.differ("how an item is written");
        }
        let mut places = HashMap::new();
        for (at, key) in other.keys.iter().enumerate() {
            places.entry(key).or_insert(at);
        }
        let mut all = Outcomes::NONE;
        for (ordinal, key) in one.keys.iter().enumerate() {
            let place = pairs.as_ref().and_then(|pairs| pairs.get(ordinal).copied().flatten());
            let found = places.get(key).copied();
            if let Some(place) = place {
                if found != Some(place) {
                    self.differ("what stands for an item");
                }
            }
            let in_step = same_code || matches!(key, Key::Addition(_)) && one.open == other.open;
            let outcomes = match (in_step, found, place) {
                (false, ..) => self.apart(&Shape::Items(one.clone()), &Shape::Items(other.clone())),
                (true, Some(found), Some(place)) if found == place => Outcomes::AGREES,
                (true, Some(_), _) => self.misreads("an item is read as another one"),
                (true, None, _) if !other.open || matches!(key, Key::Root(_)) => {
                    self.refuses("the reader does not have all items")
                }
                (true, None, Some(_)) => self.misreads("the reader does not recognise an item"),
                (true, None, None) => self.skips("the reader does not know all items"),
            };
            all = all.or(outcomes);
        }
        all
    }
}

/// A number of fixed width: 0 is an offset, 1 a number without and 2 one with a sign.
struct Word {
    bits: u64,
    form: i128,
}

impl Word {
    fn of(code: &Code) -> Option<Word> {
        match (code.name, &code.parameters[..]) {
            ("word", [0, bits, form, ..]) => Some(Word { bits: u64::try_from(*bits).ok()?, form: *form }),
            // Protocol Buffers' varints.
            ("number", [sign @ (0 | 1)]) => Some(Word { bits: 64, form: sign + 1 }),
            _ => None,
        }
    }
}

/// The writer's values as they are written: a reader that does not know of trailing zero bits sees
/// shorter strings.
fn trimmed(one: &Leaf, other: &Leaf) -> Domain {
    match (&one.domain, one.trim, other.trim) {
        (Domain::Strings { lower, upper, alphabet, extensible }, Some(least), None) => Domain::Strings {
            lower: (*lower).min(least),
            upper: *upper,
            alphabet: alphabet.clone(),
            extensible: *extensible,
        },
        (domain, ..) => domain.clone(),
    }
}

/// Whether some values of one domain are in the other, and whether some are not.
fn compare(one: &Domain, other: &Domain, framed: bool) -> (bool, bool) {
    match (one, other) {
        (_, Domain::All) => (true, false),
        (Domain::All, _) => (true, true),
        (Domain::Integers(lower, upper), Domain::Integers(least, most)) => {
            let below = |bound: &Option<BigInt>, other: &Option<BigInt>| match (bound, other) {
                (Some(bound), Some(other)) => bound < other,
                _ => false,
            };
            let starts_below = least.as_ref().is_some_and(|least| lower.as_ref().is_none_or(|lower| lower < least));
            let ends_above = most.as_ref().is_some_and(|most| upper.as_ref().is_none_or(|upper| upper > most));
            (!below(upper, least) && !below(most, lower), starts_below || ends_above)
        }
        (
            Domain::Strings { lower, upper, alphabet, extensible },
            Domain::Strings { lower: least, upper: most, alphabet: permitted, extensible: any },
        ) => {
            // Where no bit says whether a size is in the root, an extensible constraint allows all.
            let all = |extensible: bool, lower: u64, upper: u64| {
                if extensible && framed { (0, u64::MAX) } else { (lower, upper) }
            };
            let (from, to) = (all(*extensible, *lower, *upper), all(*any, *least, *most));
            let sizes = from.0.max(to.0)..=from.1.min(to.1);
            let shares_size = !sizes.is_empty() || *any || *extensible;
            let (shares, misses) = characters(alphabet, permitted);
            let inside = shares_size && (shares || *sizes.start() == 0);
            let outside = from.0 < to.0 || from.1 > to.1 || misses && from.1 > 0;
            (inside, outside)
        }
        (Domain::Equal(one), Domain::Equal(other)) if one == other => (true, false),
        (Domain::Equal(_), _) | (_, Domain::Equal(_)) => (true, true),
        (Domain::Strings { .. }, Domain::Integers(..)) | (Domain::Integers(..), Domain::Strings { .. }) => (true, true),
    }
}

/// Whether some characters of one alphabet are in the other, and whether some are not.
fn characters(one: &[(u32, u32)], other: &[(u32, u32)]) -> (bool, bool) {
    if other.is_empty() {
        return (true, false);
    }
    if one.is_empty() {
        return (true, true);
    }
    let overlap = |first: u32, last: u32| {
        other
            .iter()
            .map(|(from, to)| {
                u64::from(*to.min(&last)) + 1 - u64::from(*from.max(&first)).min(u64::from(*to.min(&last)) + 1)
            })
            .sum::<u64>()
    };
    let shared: u64 = one.iter().map(|(first, last)| overlap(*first, *last)).sum();
    let count: u64 = one.iter().map(|(first, last)| u64::from(last - first) + 1).sum();
    (shared > 0, shared < count)
}
