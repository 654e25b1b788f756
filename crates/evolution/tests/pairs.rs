//! For pairs of generated changes, what is proven of each set of rules is what trying shows, and
//! values that have a place in the other version come back.

mod support;

use std::collections::BTreeMap;

use roadwire_evolution::{Comparison, NoVerdict, Octets, Outcomes, Understanding, Version};
use roadwire_frontend::{Source, compile};
use roadwire_layout::Rules;
use roadwire_model::Model;
use roadwire_model::data::equal;
use roadwire_model::random::{Generator, Rng, Settings};

/// How many pairs are compared, and how many verdicts of theirs may be left open.
const PAIRS: usize = 260;
const MOST_OPEN: usize = 44;

fn model(text: &str) -> Model {
    match compile(&[Source::new("demo.asn", text)]) {
        Ok(compiled) => compiled.model,
        Err(error) => panic!("{text}: {error:?}"),
    }
}

fn version(model: &Model) -> Version<'_> {
    let type_id = model.find("T2").or_else(|| model.find("T")).expect("a type");
    Version { model, type_id }
}

#[test]
fn verdicts_equal_what_trying_shows() {
    let pairs = support::pairs(PAIRS, 7);
    let (mut verdicts, mut values) = (0, 0);
    let (mut open, mut wrong) = (Vec::new(), Vec::new());
    let mut kinds = BTreeMap::<&str, usize>::new();
    for pair in &pairs {
        let (old, new) = (model(&pair.old), model(&pair.new));
        let comparison = Comparison::new(version(&old), version(&new));
        for rules in Rules::ALL {
            // The second time with values of which the verdict knows nothing.
            let both = [7, 8].map(|seed| comparison.seeded(seed).verdict(rules, 40));
            let [verdict, again] = match both {
                [Ok(verdict), Ok(again)] => [verdict, again],
                [Err(NoVerdict::NoLayout(_)), _] | [_, Err(NoVerdict::NoLayout(_))] => continue,
                [Err(NoVerdict::Contradiction(found)), _] | [_, Err(NoVerdict::Contradiction(found))] => {
                    wrong.push(format!("{} {rules}: {}\n   {}\n   {}", pair.name, found.what, pair.old, pair.new));
                    continue;
                }
            };
            let ways = [(&verdict.new_reads_old, &again.new_reads_old), (&verdict.old_reads_new, &again.old_reads_new)];
            for (reading, again) in ways {
                verdicts += 1;
                values += reading.tried.values + again.tried.values;
                *kinds.entry(reading.understanding.name()).or_default() += 1;
                let shown = Understanding::of(again.tried.outcomes());
                let line = || {
                    format!("{} {rules}: {:?}, shown {shown:?}, {:?}", pair.name, reading.understanding, reading.reason)
                };
                match reading.understanding {
                    _ if !reading.proven || !again.proven => open.push(line()),
                    Understanding::All if shown == Understanding::All => {}
                    Understanding::Skipping if shown <= Understanding::Skipping => {}
                    Understanding::Astray | Understanding::Misread if shown >= Understanding::InPart => {}
                    understanding if understanding == shown => {}
                    _ => wrong.push(line()),
                }
            }
            if let Octets::NotProven(reason) = &verdict.octets {
                open.push(format!("{} {rules} octets: {reason:?}", pair.name));
            }
        }
    }
    println!("{} pairs, {verdicts} verdicts, {values} values, {kinds:?}, {} open", pairs.len(), open.len());
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert!(open.len() <= MOST_OPEN, "{} open\n{}", open.len(), open.join("\n"));
    // Each sort of verdict occurs.
    assert_eq!(kinds.len(), Understanding::ALL.len(), "{kinds:?}");
}

#[test]
fn values_that_have_a_place_come_back() {
    let (mut carried, mut whole) = (0, 0);
    for pair in support::pairs(PAIRS, 9) {
        let (old, new) = (model(&pair.old), model(&pair.new));
        let (from, to) = (version(&old), version(&new));
        let (forth, back) = (Comparison::new(from, to), Comparison::new(to, from));
        let settings = Settings { max_elements: 4, max_length: 9, extensions: 50, ..Settings::default() };
        let generator = Generator::new(from.model, settings);
        let mut rng = Rng::new(11);
        for _ in 0..40 {
            let value = generator.value(from.type_id, &mut rng);
            let Ok(there) = forth.migrate(&value) else { continue };
            carried += 1;
            let (outcome, path) = forth.judge(&value, &there.value);
            let expected = if there.lost.is_empty() { Outcomes::AGREES } else { Outcomes::SKIPS };
            assert!(
                outcome == expected || !there.lost.is_empty(),
                "{}: {path}: {outcome}\n{value:?}\n{there:?}",
                pair.name
            );
            if there.lost.is_empty() {
                whole += 1;
                let again = back
                    .migrate(&there.value)
                    .unwrap_or_else(|lost| panic!("{}: {lost}\n{value:?}\n{there:?}", pair.name));
                assert!(
                    equal(from.model, from.type_id, &value, &again.value)
                        || again.lost.is_empty() && is_default_filled(&forth, &value, &again.value),
                    "{}: {value:?}\n{there:?}\n{again:?}",
                    pair.name
                );
            }
        }
    }
    println!("{carried} carried over, {whole} of them whole");
    assert!(whole > 2000, "{whole} of {carried}");
}

/// An absent component for which the other version has a DEFAULT comes back with that value.
fn is_default_filled(forth: &Comparison<'_>, value: &roadwire_model::Value, again: &roadwire_model::Value) -> bool {
    let carried = [value, again].map(|value| forth.migrate(value).map(|migration| migration.value).ok());
    carried[0].is_some() && carried[0] == carried[1]
}
