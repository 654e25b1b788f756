//! The `roadwire` command.
#![forbid(unsafe_code)]

mod args;
mod codec;
mod commands;
mod conversion;
mod diagnostics;
mod dump;
mod failure;
mod filter;
mod identity;
mod input;
mod markup;
mod meaning;
mod octets;
mod output;
mod parts;
mod progress;
mod recognition;
mod record;
mod schema;
mod table;
#[cfg(feature = "columns")]
mod tables;
mod traffic;
mod verification;
mod versions;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser as _;
use clap::error::ErrorKind;

use crate::args::{Cli, Command};
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// The laboratory counts heap allocations of codecs; when not counting, this is the system's allocator.
#[cfg(feature = "lab")]
#[global_allocator]
static ALLOCATOR: roadwire_measure::heap::CountingAllocator = roadwire_measure::heap::CountingAllocator;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return wrong_usage(&error),
    };
    let exit = match run(&cli) {
        Ok(exit) => exit,
        Err(failure) => {
            failure.tell(cli.json);
            failure.exit()
        }
    };
    ExitCode::from(exit as u8)
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
        Command::Airtime(args) => commands::airtime::run(args, cli.json),
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
fn wrong_usage(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let written = Output::stdout().and_then(|mut output| output.write(error.to_string().as_bytes()));
            match written {
                Ok(()) => ExitCode::from(Exit::Done as u8),
                Err(failure) => {
                    failure.tell(asks_for_json());
                    ExitCode::from(failure.exit() as u8)
                }
            }
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = write!(io::stderr(), "{error}");
            ExitCode::from(Exit::Usage as u8)
        }
        _ => {
            let text = error.to_string();
            let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
            if asks_for_json() {
                let (what, help) = text.split_once("\n\n").unwrap_or((text, ""));
                Failure::usage("usage", what).advise(help).tell(true);
            } else {
                failure::tell_line(&format!("roadwire: {text}"));
            }
            ExitCode::from(Exit::Usage as u8)
        }
    }
}

/// Whether errors are to be objects, even if the command line is wrong.
fn asks_for_json() -> bool {
    std::env::args_os().any(|argument| argument == "--json")
}
