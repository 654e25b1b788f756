//! Writes all proofs as scripts into a folder, with a list of them: `list.tsv`, whose columns are
//! the file, the subject, the rules, the functions, the sentence, and the answer that a solver has
//! to give. A fault that is planted has several files; one of them has to be answered by `sat`.
//!
//! `cargo run -p roadwire-smt --example scripts -- FOLDER [--quick]`: with `--quick` without what
//! is proved of any octets.

use std::cell::Cell;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use roadwire_smt::{Change, PLANTED, Proof, SUBJECTS, Sentence, Setting, Subject, proofs};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("the folder is missing")?;
    let folder = Path::new(&folder);
    let is_quick = std::env::args().any(|arg| arg == "--quick");
    fs::create_dir_all(folder)?;
    let (mut list, mut number) = (String::new(), 0);
    let mut add = |proof: &Proof, assumed: &str, columns: [&str; 5]| {
        number += 1;
        let file = format!("{number}.smt2");
        let head = format!("; {}\n{assumed}", columns.join("; "));
        let _ = writeln!(list, "{file}\t{}", columns.join("\t"));
        fs::write(folder.join(file), head + &proof.script)
    };
    for subject in SUBJECTS {
        let model = subject.model()?;
        for rules in subject.rules {
            let is_any = !is_quick && subject.any_octets.contains(rules);
            let mut all = of(subject, &model, *rules, &|_, _| (), is_any);
            if let (Err(error), true) = (&all, is_any) {
                println!("{} in {rules}: not of any octets: {error}", subject.name);
                all = of(subject, &model, *rules, &|_, _| (), false);
            }
            match all {
                Ok((all, assumed)) => {
                    println!("{} in {rules}: {} proofs, {} assumptions", subject.name, all.len(), assumed.len());
                    let text: String = assumed.iter().map(|one| format!("; assumed: {one}\n")).collect();
                    for proof in &all {
                        let is_compared =
                            proof.sentence == Sentence::AgainTheSame && !subject.canonical.contains(rules);
                        let answer = if is_compared { "either" } else { proof.sentence.answer() };
                        let columns = [subject.name, rules.name(), &proof.functions, proof.sentence.text(), answer];
                        add(proof, &text, columns)?;
                    }
                }
                Err(error) => println!("{} in {rules}: no proof: {error}", subject.name),
            }
        }
    }
    for planted in PLANTED {
        let subject = SUBJECTS.iter().find(|one| one.name == planted.subject).ok_or("there is no such subject")?;
        let done = Cell::new(false);
        let (all, _) = of(subject, &subject.model()?, planted.rules, &planted.plant(&done), false)?;
        if !done.get() {
            return Err(format!("there is no place for the fault: {}", planted.name).into());
        }
        for proof in all.iter().filter(|proof| proof.sentence != Sentence::Some) {
            let columns = [planted.name, planted.rules.name(), &proof.functions, proof.sentence.text(), "planted"];
            add(proof, "", columns)?;
        }
    }
    fs::write(folder.join("list.tsv"), list)?;
    Ok(())
}

fn of(
    subject: &Subject,
    model: &roadwire_model::Model,
    rules: roadwire_layout::Rules,
    change: Change<'_>,
    any_octets: bool,
) -> Result<(Vec<Proof>, std::collections::BTreeSet<String>), String> {
    let root = model.find(subject.of).ok_or("there is no such type")?;
    proofs(&Setting { model, root, rules, assume: &subject.assume, change, any_octets })
}
