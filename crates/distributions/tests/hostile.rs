//! Damaged files give distributions or an error with a place, never a panic.

use roadwire_distributions::{Distributions, Values};
use roadwire_model::check;
use roadwire_model::random::Rng;

const MODULE: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    T ::= SEQUENCE { n INTEGER (0..100) OPTIONAL, r REAL, l SEQUENCE (SIZE (0..5)) OF C, o OCTET STRING, t T OPTIONAL, ..., a BOOLEAN }
    C ::= CHOICE { x INTEGER (1..3 | 7), y T } END";

const FILE: &str = "
[[component]]
path = 'n'
present = 0.5
normal = { mean = 50, sd = 20.5 }
[[component]]
path = 'l'
length = { values = [1, 4], weights = [1, 2.5] }
[[component]]
path = 'l[]'
alternatives = { x = 2, y = 1 }
[[component]]
path = 'l[].x'
values = [1, 2, 7]
weights = [1, 0, 3]
[[component]]
path = 'o'
length = { from = 0, to = 9 }
[[component]]
path = 't.a'
present = 1
value = true
[[component]]
path = 'r'
uniform = { from = -1, to = 1e3 }
";

#[test]
fn damaged_files_are_read_or_refused_with_a_place() {
    let model = roadwire_asn1::compile(&[roadwire_asn1::Source::new("m.asn", MODULE)]).unwrap().model;
    let id = model.find("T").unwrap();
    Distributions::read(FILE, &model, id).unwrap();
    let spare: &[u8] = b"[]{}='\",.\n0-9einfxyz#\\\xc3\x00";
    let (mut rng, mut taken, mut refused) = (Rng::new(0xd15), 0, 0);
    for _ in 0..3000 {
        let mut octets = FILE.as_bytes().to_vec();
        for _ in 0..=rng.below(3) {
            let at = rng.below(octets.len() as u64) as usize;
            match rng.below(4) {
                0 => octets.truncate(at.max(1)),
                1 => drop(octets.remove(at)),
                2 => octets[at] = spare[rng.below(spare.len() as u64) as usize],
                _ => octets.insert(at, spare[rng.below(spare.len() as u64) as usize]),
            }
        }
        let text = String::from_utf8_lossy(&octets);
        match Distributions::read(&text, &model, id) {
            Err(invalid) => {
                refused += 1;
                let lines = text.split('\n').count();
                assert!((1..=lines).contains(&invalid.line) && invalid.column >= 1, "{invalid} in {text}");
                assert!(invalid.code.starts_with("distribution."), "{invalid}");
            }
            Ok(distributions) => {
                taken += 1;
                let values = Values::new(&model, id, distributions);
                if let Ok(value) = values.next(&mut rng) {
                    assert!(check::value(&model, id, &value).is_empty(), "{value:?}");
                }
            }
        }
    }
    assert!(taken > 50 && refused > 200, "{taken} {refused}");
}
