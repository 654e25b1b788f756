//! Random pairs of types: no contradiction, and no verdict that the codecs refute.
//! `examples/pairs.rs` checks more of them.

mod checked;
mod modules;

use roadwire_layout::Rules;

use checked::{Effort, Tally, check};
use modules::pair;

/// How many pairs are checked, each under a few of the encoding rules: all rules take turns.
const PAIRS: u64 = 2000;
const RULES: usize = 7;
const EFFORT: Effort = Effort { tried: 4, checked: 6 };

#[test]
fn codecs_bear_out_the_verdicts_on_random_pairs() {
    let mut tally = Tally::default();
    for number in 0..PAIRS {
        let first = number as usize * RULES;
        let rules = (first..first + RULES).map(|at| Rules::ALL[at % Rules::ALL.len()]);
        check(&pair(1, number), rules, number, EFFORT, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.wrong.is_empty(), "{} wrong\n{}", tally.wrong.len(), tally.wrong.join("\n"));
    assert!(tally.pairs as u64 > PAIRS * 9 / 10, "{} pairs compile", tally.pairs);
    assert_eq!(tally.kinds.len(), 6, "each kind of verdict occurs: {:?}", tally.kinds);
}
