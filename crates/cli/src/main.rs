//! The `roadwire` command.
#![forbid(unsafe_code)]

mod args;
mod codec;
mod commands;
mod diagnostics;
mod dump;
mod failure;
mod foreign;
mod identity;
mod input;
mod markup;
mod meaning;
mod octets;
mod output;
mod rules;
mod schema;
mod table;
mod tops;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser as _;
use clap::error::ErrorKind;

use crate::args::{Cli, Command};
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// The laboratory counts what codecs take from the heap; while nobody counts it is the system's allocator.
#[global_allocator]
static ALLOCATOR: roadwire_lab::measure::heap::CountingAllocator = roadwire_lab::measure::heap::CountingAllocator;

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
        Command::Study(args) => commands::study::run(args, cli.json),
        Command::Convert(args) => commands::convert::run(args, cli.json),
        Command::Inspect(args) => commands::inspect::run(args, cli.json),
        Command::Compare(args) => commands::compare::run(args, cli.json),
        Command::Check(args) => commands::check::run(args, cli.json),
        Command::Generate(args) => commands::generate::run(args, cli.json),
        Command::Schema(args) => commands::schema::run(args, cli.json),
        Command::List(args) => commands::list::run(args, cli.json),
        Command::Probe(args) => commands::study::probe(args),
    }
}

/// Help and the version go to stdout; what clap refuses is told like every other error.
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

/// Whether errors are to be objects, also where the command line is not understood.
fn asks_for_json() -> bool {
    std::env::args_os().any(|argument| argument == "--json")
}
