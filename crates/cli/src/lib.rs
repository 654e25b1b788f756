//! The `roadwire` command, for its program and for other languages' packages, which have it as
//! well.
//!
//! Invariants: results go to stdout or to a file, messages to stderr. The exit code is 0 (done), 1
//! (the input was refused) or 2 (wrong usage). An existing output file is replaced only with
//! `--force`.
//!
//! Absent on purpose: codecs, parsers and measurements, which libraries have; no library links this
//! crate or its parser of arguments.
#![forbid(unsafe_code)]

mod args;
mod codec;
mod commands;
mod conversion;
mod diagnostics;
mod distribution;
mod dump;
mod failure;
mod formats;
mod identity;
mod input;
mod line_by_line;
mod lines;
mod markup;
mod meaning;
mod output;
#[cfg_attr(not(feature = "lab"), allow(dead_code, reason = "studies alone have stages"))]
mod progress;
mod schema;
mod stacks;
mod table;
mod traffic;
mod versions;
mod violations;

use std::ffi::OsString;
use std::io::{self, Write as _};

use clap::Parser as _;
use clap::error::ErrorKind;

use crate::args::{Cli, Command};
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Does what the arguments ask for, of which the first is the program's name, and returns the exit
/// code: 0 done, 1 the input was refused, 2 wrong usage.
pub fn main(arguments: Vec<OsString>) -> u8 {
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return wrong_usage(&error, &arguments) as u8,
    };
    let exit = match run(&cli) {
        Ok(exit) => exit,
        Err(failure) => {
            failure.tell(cli.json);
            failure.exit()
        }
    };
    exit as u8
}

fn run(cli: &Cli) -> Result<Exit, Failure> {
    match &cli.command {
        #[cfg(feature = "lab")]
        Command::Study(args) => commands::study::run(args, cli.json),
        Command::Convert(args) => commands::convert::run(args, cli.json),
        Command::Inspect(args) => commands::inspect::run(args, cli.json),
        Command::Capture(args) => commands::capture::run(args, cli.json),
        Command::Sign(args) => commands::sign::run(args, cli.json),
        Command::Verify(args) => commands::verify::run(args, cli.json),
        Command::Compare(args) => commands::compare::run(args, cli.json),
        Command::Bounds(args) => commands::bounds::run(args, cli.json),
        #[cfg(feature = "lab")]
        Command::Bench(args) => commands::bench::run(args, cli.json),
        Command::Airtime(args) => commands::airtime::run(args, cli.json),
        Command::Random(args) => commands::random::run(args, cli.json),
        Command::Guess(args) => commands::guess::run(args, cli.json),
        Command::Diff(args) => commands::diff::run(args, cli.json),
        Command::Migrate(args) => commands::migrate::run(args, cli.json),
        Command::Check(args) => commands::check::run(args, cli.json),
        Command::Generate(args) => commands::generate::run(args, cli.json),
        Command::Schema(args) => commands::schema::run(args, cli.json),
        Command::List(args) => commands::list::run(args, cli.json),
        #[cfg(feature = "lab")]
        Command::Probe(args) => commands::study::probe(args),
    }
}

/// Help and the version go to stdout; errors of clap are reported like all others.
fn wrong_usage(error: &clap::Error, arguments: &[OsString]) -> Exit {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let written = Output::stdout().and_then(|mut output| output.write(error.to_string().as_bytes()));
            match written {
                Ok(()) => Exit::Done,
                Err(failure) => {
                    failure.tell(asks_for_json(arguments));
                    failure.exit()
                }
            }
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = write!(io::stderr(), "{error}");
            Exit::Usage
        }
        _ => {
            let text = error.to_string();
            let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
            if asks_for_json(arguments) {
                let (what, help) = text.split_once("\n\n").unwrap_or((text, ""));
                Failure::usage("usage", what).advise(help).tell(true);
            } else {
                failure::tell_line(&format!("roadwire: {text}"));
            }
            Exit::Usage
        }
    }
}

/// Whether errors are to be objects, even if the command line is wrong.
fn asks_for_json(arguments: &[OsString]) -> bool {
    arguments.iter().any(|argument| argument == "--json")
}
