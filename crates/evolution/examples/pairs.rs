//! Checks the verdicts on random pairs of types by the codecs:
//! `cargo run --release -p roadwire-evolution --example pairs -- --count 10000 --seed 1`.
//! `--values N` checks each verdict with N values, `--first N` begins with the pair of that number.
//! Exits with 1 if a verdict is wrong.

#[path = "../tests/random_pairs/checked.rs"]
mod checked;
#[path = "../tests/random_pairs/modules.rs"]
mod modules;

use std::process::ExitCode;

use roadwire_layout::Rules;

use checked::{Effort, Tally, check};
use modules::pair;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (mut count, mut seed, mut values, mut first) = (10_000, 1, 40, 0);
    for pair in arguments.chunks(2) {
        let number = pair.get(1).and_then(|number| number.parse::<u64>().ok());
        match (pair[0].as_str(), number) {
            ("--count", Some(number)) => count = number,
            ("--seed", Some(number)) => seed = number,
            ("--values", Some(number)) => values = number,
            ("--first", Some(number)) => first = number,
            (option, _) => {
                eprintln!("pairs: {option}: expected --count N, --seed N, --values N or --first N");
                return ExitCode::from(2);
            }
        }
    }
    let effort = Effort { tried: values as usize, checked: values as usize };
    let mut tally = Tally::default();
    for number in first..first.saturating_add(count) {
        let told = tally.wrong.len();
        let pair = pair(seed, number);
        check(&pair, Rules::ALL.into_iter(), seed.wrapping_add(number), effort, &mut tally);
        tally.wrong[told..].iter().for_each(|wrong| println!("{wrong}"));
    }
    println!(
        "{} pairs, {} verdicts ({} proven), {} values, {:?}, {} wrong",
        tally.pairs,
        tally.verdicts,
        tally.proven,
        tally.values,
        tally.kinds,
        tally.wrong.len()
    );
    if tally.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
