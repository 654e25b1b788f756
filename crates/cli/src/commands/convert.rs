//! `roadwire convert`: from one encoding to another.

use std::sync::OnceLock;

use roadwire::{Checked, Rules};

use crate::args::ConvertArgs;
use crate::conversion::Conversion;
use crate::failure::{Exit, Failure};
use crate::formats;
use crate::input;
use crate::line_by_line::{Convert, LineByLine};
use crate::markup;
use crate::violations;
use roadwire_recording::octets;

pub(crate) fn run(args: &ConvertArgs, json: bool) -> Result<Exit, Failure> {
    check_formats(args)?;
    let schema = OnceLock::new();
    let mut conversion = Conversion::new(args, json, &schema)?;
    if !args.lines {
        return whole(args, &mut conversion, json);
    }
    let lines = LineByLine { input: &args.input.input, output: &args.output, jobs: args.jobs, json };
    let with_notes = |conversion| Lines { conversion, name: input::display_name(&args.input.input), json };
    lines.run(with_notes(conversion), || Ok(with_notes(Conversion::new(args, json, &schema)?)))
}

/// Combinations of options without a meaning are wrong usage; they are not ignored.
fn check_formats(args: &ConvertArgs) -> Result<(), Failure> {
    formats::check((args.from, args.input.format), (args.to, &args.output), args.lines)?;
    if args.pretty && args.lines {
        return formats::wrong("with --lines a value is on one line".into(), "leave --pretty off");
    }
    if args.pretty && !matches!(args.to, Rules::Xer | Rules::Exer | Rules::Jer) {
        let what = format!("--pretty puts white space into text, which {} has none of", args.to);
        return formats::wrong(what, "use --to xer, exer or jer");
    }
    Ok(())
}

/// One value.
fn whole(args: &ConvertArgs, conversion: &mut Conversion<'_>, json: bool) -> Result<Exit, Failure> {
    let name = input::display_name(&args.input.input);
    let bytes = if conversion.text_in { text(args)? } else { input::octets(&args.input)? };
    let encoded = conversion.convert(&bytes, true).map_err(|failure| input::of_message(&bytes, failure));
    let Checked { value: mut encoded, violations } = encoded.map_err(|failure| failure.in_file(&name))?;
    violations::tell(&violations, &name, json);
    if args.pretty && args.to != Rules::Jer {
        encoded = markup::indented(&String::from_utf8_lossy(&encoded)).into_bytes();
    }
    args.output.write_one(encoded, conversion.format_out)?;
    Ok(Exit::Done)
}

fn text(args: &ConvertArgs) -> Result<Vec<u8>, Failure> {
    let bytes = input::read_value(&args.input.input)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(input::empty().in_file(&input::display_name(&args.input.input)).into());
    }
    Ok(bytes)
}

/// Lines of an input, and the messages on them.
struct Lines<'a> {
    conversion: Conversion<'a>,
    /// The name of the input in messages.
    name: String,
    json: bool,
}

impl Convert for Lines<'_> {
    fn line(&mut self, number: u64, line: &[u8], notes: &mut Vec<String>) -> Result<Vec<u8>, Failure> {
        let Checked { value, violations } = convert_line(&mut self.conversion, line)?;
        notes.extend(violations::lines(&violations, &self.name, Some(number), self.json));
        Ok(value)
    }
}

fn convert_line(conversion: &mut Conversion<'_>, line: &[u8]) -> Result<Checked<Vec<u8>>, Failure> {
    let bytes = if conversion.text_in { line.to_vec() } else { octets::read(line, conversion.format_in)? };
    // A few messages have no octets.
    let is_empty = if conversion.text_in { line.iter().all(u8::is_ascii_whitespace) } else { bytes.is_empty() };
    let empty = |failure| if is_empty { Failure::refused("input.empty", "the line is empty") } else { failure };
    let Checked { value, violations } = conversion.convert(&bytes, false).map_err(empty)?;
    if conversion.format_out.is_none() && has_line_end(&value) {
        let failure = Failure::refused(
            "lines.value",
            "the value has an end of line in a string, and with --lines it is on one line",
        );
        return Err(failure.advise("use --to xer, which has references for them, or leave --lines off"));
    }
    Ok(Checked { value: octets::written(value, conversion.format_out), violations })
}

/// In chunks, of which the processor compares many octets at once.
fn has_line_end(text: &[u8]) -> bool {
    text.chunks(64).any(|chunk| chunk.iter().fold(false, |found, octet| found | (*octet == b'\n')))
}
