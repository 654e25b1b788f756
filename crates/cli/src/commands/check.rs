//! `roadwire check`: the front end's diagnostics for modules.

use roadwire_frontend::{Severity, compile};
use serde_json::json;

use crate::args::CheckArgs;
use crate::diagnostics;
use crate::failure::{Exit, Failure, tell_line};
use crate::output::Output;
use crate::schema::read_sources;

pub(crate) fn run(args: &CheckArgs, json: bool) -> Result<Exit, Failure> {
    match compile(&read_sources(&args.modules, &args.reading)?) {
        Ok(compiled) => {
            diagnostics::tell_all(&compiled.warnings, json);
            diagnostics::tell_all(&compiled.notes, json);
            let (model, warnings) = (&compiled.model, compiled.warnings.len());
            let line = if json {
                json!({ "modules": model.modules, "types": model.definitions.len(), "warnings": warnings }).to_string()
            } else {
                let (modules, types) = (model.modules.len(), model.definitions.len());
                format!("{}, {}: no errors", count(modules, "module"), count(types, "type"))
            };
            Output::stdout()?.write(format!("{line}\n").as_bytes())?;
            Ok(Exit::Done)
        }
        Err(found) => {
            diagnostics::tell_all(&found, json);
            if !json {
                let errors = found.iter().filter(|d| d.severity == Severity::Error).count();
                tell_line(&format!("roadwire: {}", count(errors, "error")));
            }
            Ok(Exit::Refused)
        }
    }
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
