//! Octets are recognised: random values of all shipped messages under all rules.
#![cfg(all(feature = "schema", feature = "shipped"))]

use roadwire::{Guess, Guesser, Rules, SCHEMAS, Schema};
use roadwire_model::random::{Generator, Rng, Settings};

/// Random values of each type under each set of rules; `ROADWIRE_VALUES` is another number.
const VALUES: usize = 2;

/// Of a schema's types under some rules: how many encodings were tried, and how many were found
/// out.
struct Share {
    of: String,
    tried: usize,
    found: usize,
    example: Option<String>,
}

#[test]
fn random_values_are_found_out() {
    let guesser = Guesser::new();
    let values = std::env::var("ROADWIRE_VALUES").map_or(VALUES, |values| values.parse().unwrap());
    let shares: Vec<Share> =
        SCHEMAS.iter().flat_map(|schema| shares(&guesser, schema.name, schema.pdus, values)).collect();
    let (tried, found) = shares.iter().fold((0, 0), |(tried, found), one| (tried + one.tried, found + one.found));
    for Share { of, tried, found, example } in shares.iter().filter(|one| one.found < one.tried) {
        println!("{of}: {found} of {tried}: {}", example.as_deref().unwrap_or_default());
    }
    println!("{found} of {tried}");
    assert!(found * 100 >= tried * 99, "{found} of {tried}");
}

/// Rules in any order, and twice, give each answer once.
#[test]
fn each_answer_is_given_once() {
    let schema = Schema::shipped("cam-1.4.1").unwrap();
    let id = schema.find(None).unwrap();
    let value = Generator::new(schema.model(), Settings::default()).value(id, &mut Rng::new(3));
    let octets = schema.encode(id, Rules::Der, &value).unwrap();
    let rules = [Rules::Der, Rules::Uper, Rules::Cer, Rules::Der, Rules::Ber];
    let mut found: Vec<_> =
        Guesser::new().under(&rules).guess(&octets).into_iter().map(|one| (one.schema, one.rules)).collect();
    let count = found.len();
    assert!(found.contains(&("cam-1.4.1", Rules::Der)), "{found:?}");
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), count, "{found:?}");
}

/// Whatever the octets are, scores are between 0 and 1, and the best comes first.
#[test]
fn octets_of_any_kind_have_scores_in_order() {
    let guesser = Guesser::new();
    let schema = Schema::shipped("cam-1.4.1").unwrap();
    let id = schema.find(None).unwrap();
    let generator = Generator::new(schema.model(), Settings::default());
    let mut rng = Rng::new(11);
    for round in 0..400 {
        let mut octets = match round % 4 {
            0 => (0..rng.below(60)).map(|_| rng.next_u64() as u8).collect(),
            at => {
                let rules = [Rules::Uper, Rules::Der, Rules::Jer][at - 1];
                schema.encode(id, rules, &generator.value(id, &mut rng)).unwrap()
            }
        };
        if let (Some(last), 1..) = (octets.len().checked_sub(1), round % 8) {
            octets[rng.below(last as u64 + 1) as usize] ^= 1 << rng.below(8);
        }
        let guesses = guesser.guess(&octets);
        assert!(guesses.iter().all(|guess| (0.0..=1.0).contains(&guess.score)), "{guesses:?}");
        assert!(guesses.is_sorted_by(|one, other| one.score >= other.score), "{guesses:?}");
    }
}

/// Random strings of each length; `ROADWIRE_STRINGS` is another number.
const STRINGS: usize = 400;

/// A score of `s` is passed by a share of `1 - s` of random strings at most: of all lengths, and of
/// each one.
#[test]
fn random_strings_pass_a_score_no_more_often_than_it_says() {
    let guesser = Guesser::new();
    let strings = std::env::var("ROADWIRE_STRINGS").map_or(STRINGS, |strings| strings.parse().unwrap());
    let mut rng = Rng::new(20);
    let mut all = Vec::new();
    for length in 1..=64 {
        let mut scores = Vec::new();
        for _ in 0..strings {
            let octets: Vec<u8> = (0..length).map(|_| rng.next_u64() as u8).collect();
            if let Some(best) = guesser.guess(&octets).first() {
                if best.score > 0.9 {
                    println!("{length}: {best:?}");
                }
                scores.push(best.score);
            }
        }
        is_calibrated(&format!("{length} octets"), &scores, strings);
        all.extend(scores);
    }
    is_calibrated("all lengths", &all, 64 * strings);
}

fn is_calibrated(of: &str, scores: &[f64], strings: usize) {
    for wrong in [0.5, 0.1, 0.01, 0.001] {
        let passed = scores.iter().filter(|score| **score >= 1.0 - wrong).count();
        let most = (wrong * strings as f64).ceil() as usize;
        assert!(passed <= most, "{of}: {passed} of {strings} have a score of {} and more", 1.0 - wrong);
    }
}

fn shares(guesser: &Guesser, name: &'static str, pdus: &[&'static str], values: usize) -> Vec<Share> {
    let schema = Schema::shipped(name).unwrap();
    let generator = Generator::new(schema.model(), Settings { open_types: true, ..Settings::default() });
    let mut shares = Vec::new();
    for pdu in pdus {
        let id = schema.find(Some(pdu)).unwrap();
        for rules in Rules::ALL {
            let Ok(codec) = schema.codec(id, rules) else { continue };
            let mut rng = Rng::new(7);
            let mut share = Share { of: format!("{name} {pdu} {rules}"), tried: 0, found: 0, example: None };
            for _ in 0..values {
                let Some(value) = generator.try_value(id, &mut rng) else { continue };
                let Ok(octets) = codec.encode(&value) else { continue };
                let guesses = guesser.guess(&octets);
                share.tried += 1;
                match is_named(&octets, (name, pdu, rules), &guesses) {
                    true => share.found += 1,
                    false => {
                        share.example = Some(format!(
                            "{} octets {:?} {:?}",
                            octets.len(),
                            &guesses[..guesses.len().min(2)],
                            codec.decode(&octets).err()
                        ))
                    }
                }
            }
            shares.push(share);
        }
    }
    shares
}

/// Whether the best answer is this type, or another one of which the same octets are also a value:
/// another version of the message, or the same value in another schema.
fn is_named(octets: &[u8], (name, pdu, rules): (&str, &str, Rules), guesses: &[Guess]) -> bool {
    let is_own = |one: &&Guess| (one.schema, one.type_name, one.rules) == (name, pdu, rules);
    let (Some(best), Some(own)) = (guesses.first(), guesses.iter().find(is_own)) else { return false };
    let kind = |one: &Guess| one.type_name.rsplit('.').next().map(str::to_owned);
    let text = |one: &Guess| {
        let schema = Schema::shipped(one.schema).unwrap();
        schema.convert(schema.find(Some(one.type_name)).unwrap(), one.rules, Rules::Jer, octets).ok()
    };
    best == own || kind(best) == kind(own) || text(best).is_some_and(|best| text(own) == Some(best))
}
