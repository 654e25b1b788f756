//! Times in basic rules: in any form, which encoders make canonical if they can.

use roadwire_layout::Rules;
use roadwire_model::random::Rng;

use crate::c99::{Message, held};
use crate::compiled;

const TIMES: &str = "M DEFINITIONS IMPLICIT TAGS ::= BEGIN
    All ::= SEQUENCE { utc [0] UTCTime OPTIONAL, generalized [1] GeneralizedTime OPTIONAL, day [2] DATE OPTIONAL,
        time [3] TIME-OF-DAY OPTIONAL, both [4] DATE-TIME OPTIONAL, length [5] DURATION OPTIONAL }
END";

/// A number of so many digits, often at one of its bounds or beyond.
fn number(rng: &mut Rng, digits: usize, bounds: (u64, u64)) -> String {
    let number = match rng.below(8) {
        0 => bounds.0,
        1 => bounds.1,
        2 => bounds.1 + 1,
        _ => bounds.0 + rng.below(bounds.1 - bounds.0 + 1),
    };
    format!("{number:0digits$}")
}

/// A time of UTCTime, or with a century, with parts that may be absent, and a zone.
fn time(rng: &mut Rng, has_century: bool) -> String {
    let year = match (has_century, rng.below(6)) {
        (true, 0) => ["0000", "9999", "1900", "2000"][rng.below(4) as usize].to_owned(),
        (true, _) => number(rng, 4, (1890, 2110)),
        (false, _) => number(rng, 2, (0, 99)),
    };
    let bounds = [(1, 12), (1, 31), (0, 23), (0, 59), (0, 59)];
    let parts = [2, 3, 4, 5, 5, 5][rng.below(6) as usize];
    let mut text = year + &bounds[..parts].iter().map(|bounds| number(rng, 2, *bounds)).collect::<String>();
    if rng.below(3) == 0 {
        text += [".", ","][rng.below(2) as usize];
        let digits = rng.below(30) as usize;
        text.extend((0..digits).map(|_| ['0', '5'][rng.below(2) as usize]));
        text += ["", "0", "00"][rng.below(3) as usize];
    }
    let zone = format!("{}{}", number(rng, 2, (0, 23)), number(rng, 2, (0, 59)));
    text += &match rng.below(8) {
        0 => String::new(),
        1 => format!("+{zone}"),
        2 => format!("-{zone}"),
        3 => format!("+{}", &zone[..2]),
        4 => format!("-{}", &zone[..rng.below(5) as usize]),
        _ => "Z".to_owned(),
    };
    text
}

fn digits(rng: &mut Rng) -> String {
    let count = [6, 8, 14, 14, 6, 8, 3][rng.below(7) as usize];
    (0..count).map(|at| if at == 2 && rng.below(20) == 0 { 'x' } else { '7' }).collect()
}

#[test]
fn times_are_canonical() {
    let model = compiled(TIMES);
    let mut rng = Rng::new(5);
    let messages: Vec<Vec<u8>> = (0..20_000)
        .map(|_| {
            let tag = [0, 0, 1, 1, 1, 2, 3, 4, 5][rng.below(9) as usize];
            let text = match tag {
                0 | 1 => time(&mut rng, tag == 1),
                5 => ["1DT2H", "", "3Y\u{7f}", "0.5S"][rng.below(4) as usize].to_owned(),
                _ => digits(&mut rng),
            };
            [&[0x30, text.len() as u8 + 2, 0x80 | tag, text.len() as u8], text.as_bytes()].concat()
        })
        .collect();
    for rules in [Rules::Ber, Rules::Der, Rules::Cer] {
        let message = [Message::of(&model, "All", rules)];
        let [all, by_c] = held(&model, rules, "times", &message, |_| messages.clone())["All"];
        assert!(all > 13_000 && by_c == all, "{rules}: {by_c} of {all}");
    }
}
