//! Plants the bugs of `bugs/*.toml` into a copy of the project, each with a run-time switch, and
//! runs the tests with one of them on at a time. A bug that no test notices is a survivor: it needs
//! a test, or a reason in `survivors.toml`.

mod bug;
mod generator;
mod options;
mod plant;
mod report;
mod suite;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use crate::bug::Bug;
use crate::generator::Generator;
use crate::options::Options;
use crate::report::Report;
use crate::suite::Suite;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("mutants: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool> {
    let Some(options) = Options::parse(std::env::args().skip(1))? else {
        print!("{}", options::HELP);
        return Ok(true);
    };
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let project = home.parent().ok_or("this package is not in the project's folder")?;
    let bugs = bug::read(&home.join("bugs"))?;
    plant::check(project, &bugs)?;
    let reasons = bug::read_survivors(&home.join("survivors.toml"), &bugs)?;
    let chosen = options.choose(&bugs)?;
    if options.list {
        chosen.iter().for_each(|bug| println!("{:<13} {}", bug.krate(), bug.name));
        println!("{} of {} bugs", chosen.len(), bugs.len());
        return Ok(true);
    }
    let copy = options.folder.clone().unwrap_or_else(|| home.join("target/copy"));
    plant::write(project, &copy, &bugs)?;

    eprintln!("building a copy of the project with {} bugs, all of them off", bugs.len());
    let suite = Suite::build(&copy, options.quick, options.package.as_deref())?.trace(options.jobs)?;
    let (generators, others): (Vec<&Bug>, Vec<&Bug>) = chosen.iter().partition(|bug| bug.is_in_generator());
    let mut report = Report::new(bugs.len(), reasons);
    suite.run(&others, options.jobs, |_, _| true, |bug, outcome| report.add(bug, outcome));
    let mut left = Vec::new();
    suite.run(&generators, options.jobs, suite::Test::judges_generator, |bug, outcome| match outcome {
        report::Outcome::Caught { .. } => report.add(bug, outcome),
        _ if options.quick => report.add(bug, outcome),
        _ => left.push(bug),
    });
    if !left.is_empty() {
        let mut generator = Generator::build(&copy)?;
        for bug in left {
            report.add(bug, generator.run(bug)?);
        }
    }
    print!("{report}");
    Ok(report.holds())
}
