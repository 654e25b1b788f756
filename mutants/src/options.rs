//! The command's options.

use std::path::PathBuf;

use crate::Result;
use crate::bug::Bug;

/// The answer to `--help`.
pub const HELP: &str = "\
Plants small bugs into a copy of the project and says which of them no test notices.

Usage: cargo run --release --manifest-path mutants/Cargo.toml -- [OPTIONS]

      --only TEXT      only bugs whose name, file or crate contains this (repeatable)
      --sample N       so many of them, drawn with the seed
      --seed N         the seed (default: 1)
      --run-time       leave out bugs in what generates code: each of those costs a build
      --quick          only tests that use no generated code, and bugs that one of them notices: minutes, not hours
      --package NAME   only the tests of this package: whether a crate's own tests notice its bugs
      --jobs N         tests at a time (default: 2)
      --folder DIR     where the copy is kept between runs (default: mutants/target/copy)
      --list           list the bugs, and run nothing
      --help           print this

Exit codes: 0 every bug was caught, or its survival has a reason in survivors.toml; 1 one was not, or one of those
was caught; 2 wrong usage, or the copy does not build or pass with all bugs off.
";

/// The arguments.
pub struct Options {
    only: Vec<String>,
    sample: Option<usize>,
    seed: u64,
    run_time: bool,
    /// Only tests that use no generated code, and bugs that those notice.
    pub quick: bool,
    /// The package whose tests alone are built and run.
    pub package: Option<String>,
    /// How many tests run at a time.
    pub jobs: usize,
    /// Where the copy is kept.
    pub folder: Option<PathBuf>,
    /// Only list the bugs.
    pub list: bool,
}

impl Options {
    /// Reads the arguments; `None` asks for help.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>> {
        let mut options = Options {
            only: Vec::new(),
            sample: None,
            seed: 1,
            run_time: false,
            quick: false,
            package: None,
            jobs: 2,
            folder: None,
            list: false,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value; try --help"));
            match argument.as_str() {
                "--only" => options.only.push(value()?),
                "--package" => options.package = Some(value()?),
                "--sample" => options.sample = Some(value()?.parse()?),
                "--seed" => options.seed = value()?.parse()?,
                "--jobs" => options.jobs = value()?.parse::<usize>()?.max(1),
                "--folder" => options.folder = Some(std::path::absolute(value()?)?),
                "--run-time" => options.run_time = true,
                "--quick" => options.quick = true,
                "--list" => options.list = true,
                "--help" | "-h" => return Ok(None),
                _ => return Err(format!("unknown argument `{argument}`; try --help").into()),
            }
        }
        Ok(Some(options))
    }

    /// The bugs that are asked for.
    pub fn choose<'b>(&self, bugs: &'b [Bug]) -> Result<Vec<&'b Bug>> {
        let wanted = |bug: &Bug| {
            let is = |text: &String| bug.name.contains(text) || bug.file.contains(text) || bug.krate() == text;
            (self.only.is_empty() || self.only.iter().any(is))
                && !(self.run_time && bug.is_in_generator())
                && !(self.quick && !bug.quick)
        };
        let mut chosen: Vec<&Bug> = bugs.iter().filter(|bug| wanted(bug)).collect();
        if chosen.is_empty() {
            return Err("no bug is named so; --list shows all".into());
        }
        if let Some(sample) = self.sample {
            // A linear congruential generator (Knuth's MMIX constants) is random enough to draw
            // lots.
            let mut state = self.seed;
            chosen.sort_by_cached_key(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state >> 33
            });
            chosen.truncate(sample);
        }
        Ok(chosen)
    }
}
