//! `roadwire inspect`: every bit of a message, and its meaning.

use roadwire::{BitRun, Check, CodecError};
use serde_json::{Value as Json, json};

use crate::args::InspectArgs;
use crate::codec;
use crate::dump::{Widths, bits};
use crate::failure::{Exit, Failure};
use crate::input;
use crate::meaning;
use crate::output::Output;
use crate::schema::Schema;
use crate::violations;

pub(crate) fn run(args: &InspectArgs, json: bool) -> Result<Exit, Failure> {
    let schema = Schema::load(&args.schema, json)?;
    let type_id = schema.type_id(args.type_name.as_deref())?;
    let inspector = schema.schema.inspector(type_id, args.rules);
    let inspector = inspector.map_err(|error| codec::no_layout(args.rules, &error))?;
    let octets = if args.rules.is_text() { input::read_value(&args.input.input)? } else { input::octets(&args.input)? };

    let check = if args.strict { Check::Encoding } else { args.check.into() };
    let name = input::display_name(&args.input.input);
    let mut output = Output::stdout()?;
    let mut widths = Widths::new(octets.len() * 8);
    if !json {
        // Once to find the widths of the columns, and once to print: nothing is kept in memory.
        let _ = inspector.walk_checked(&octets, check, &mut |row| widths.fit(&row));
        output.write(widths.head().as_bytes())?;
    }
    let mut written = Ok(());
    let walked = inspector.walk_checked(&octets, check, &mut |row| {
        let line = if json { format!("{}\n", to_json(&row, &octets)) } else { widths.row(&row, &octets) };
        if written.is_ok() {
            written = output.write(line.as_bytes());
        }
    });
    written?;
    let end = walked.map_err(|error| {
        let is_refused = matches!(error, CodecError::Refused { .. });
        let failure = codec::failure(error);
        if is_refused { failure.advise("check the type and the version (-s, -t)") } else { failure }
    });
    let found = end.map_err(|failure| input::of_message(&octets, failure).in_file(&name))?;
    if json && !found.is_empty() {
        let line = json!({ "violations": roadwire_recording::violations::to_json(&found) });
        output.write(format!("{line}\n").as_bytes())?;
    } else {
        violations::tell(&found, &name, json);
    }
    Ok(if args.strict && !found.is_empty() { Exit::Refused } else { Exit::Done })
}

fn to_json(row: &BitRun, octets: &[u8]) -> Json {
    let mut object = json!({
        "bit": row.bit,
        "count": row.count,
        "bits": bits(octets, row.bit, row.count),
        "what": row.what,
        "path": row.path,
        "value": meaning::json(&row.value),
    });
    if let (Some(words), Some(object)) = (&row.meaning, object.as_object_mut()) {
        object.insert("meaning".to_owned(), json!(words));
    }
    object
}
