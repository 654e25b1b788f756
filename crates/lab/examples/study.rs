//! The laboratory without the command line: `cargo run --release -p roadwire-lab --example study`,
//! with `--quick`, `--paper`, `--json`, `--corpus FILE`, `--out DIR`.

use std::io::Write;
use std::process::ExitCode;

use roadwire_lab::{Method, Silent, StudyOptions, probe, run};
use roadwire_measure::heap::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let mut options = StudyOptions::default();
    let mut out = std::io::stdout().lock();
    if let Ok(program) = std::env::current_exe() {
        options.probe = vec![program.into(), "probe".into()];
    }
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "probe" => {
                let names: Vec<String> = arguments.collect();
                let done = match names.first().map(String::as_str) {
                    Some("--times") => probe::times(None, &mut std::io::stdin().lock(), &mut out),
                    _ => probe::run(None, &names, &mut out),
                };
                return ExitCode::from(u8::from(done.is_err()));
            }
            "--quick" => options.quick = true,
            "--json" => options.form = roadwire_lab::Form::Json,
            "--paper" => options.method = Method::Paper,
            "--corpus" => options.corpus = arguments.next().map(Into::into),
            "--out" => options.out = arguments.next().map(Into::into),
            _ => options.studies.push(argument),
        }
    }
    match run(&options, &mut out, &Silent) {
        Ok(outcome) => {
            for failure in &outcome.gate_failures {
                let _ = writeln!(out, "gate: {failure}");
            }
            ExitCode::from(u8::from(!outcome.passed()))
        }
        Err(e) => {
            let _ = writeln!(std::io::stderr(), "study: {e}");
            ExitCode::from(2)
        }
    }
}
