//! `roadwire convert`: from one encoding to another.

use std::io;
use std::sync::OnceLock;
use std::thread;

use roadwire::{Checked, Rules, Violation};

use crate::args::ConvertArgs;
use crate::conversion::Conversion;
use crate::failure::{Exit, Failure, tell_line};
use crate::identity::check_different;
use crate::input;
use crate::lines::{Batch, Batches};
use crate::markup;
use crate::schema::Schema;
use crate::violations;
use roadwire_recording::in_order::{cores, in_order};
use roadwire_recording::octets::{self, OctetFormat};

/// Octets of a file up to which threads are not worth it.
const SHORT: u64 = 256 << 10;

pub(crate) fn run(args: &ConvertArgs, json: bool) -> Result<Exit, Failure> {
    check_formats(args)?;
    let schema = OnceLock::new();
    let mut conversion = Conversion::new(args, json, &schema)?;
    if args.lines { lines(args, conversion, &schema, json) } else { whole(args, &mut conversion, json) }
}

/// Combinations of options without a meaning are wrong usage; they are not ignored.
fn check_formats(args: &ConvertArgs) -> Result<(), Failure> {
    let wrong = |what: &str, advice: &str| Err(Failure::usage("usage.format", what).advise(advice));
    if args.input.format.is_some() && args.from.is_text() {
        return wrong(&format!("--in says how octets are written, but {} is text", args.from), "leave --in off");
    }
    if args.output.format.is_some() && args.to.is_text() {
        return wrong(
            &format!("--output-format says how octets are written, but {} is text", args.to),
            "leave --output-format off",
        );
    }
    if args.pretty && args.lines {
        return wrong("with --lines a value is on one line", "leave --pretty off");
    }
    if args.pretty && !matches!(args.to, Rules::Xer | Rules::Exer | Rules::Jer) {
        return wrong(
            &format!("--pretty puts white space into text, which {} has none of", args.to),
            "use --to xer, exer or jer",
        );
    }
    if args.lines && [args.input.format, args.output.format].contains(&Some(OctetFormat::Bin)) {
        return wrong("octets as they are have no lines", "with --lines use hex or base64");
    }
    Ok(())
}

/// One value.
fn whole(args: &ConvertArgs, conversion: &mut Conversion<'_>, json: bool) -> Result<Exit, Failure> {
    let name = input::display_name(&args.input.input);
    let bytes = if conversion.text_in { text(args)? } else { input::octets(&args.input)? };
    let encoded = conversion.convert(&bytes, true).map_err(|failure| input::of_message(&bytes, failure));
    let Checked { value: mut encoded, violations } = encoded.map_err(|failure| failure.in_file(&name))?;
    violations::tell(&violations, &name, None, json);
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

/// One value on each line; a line that fails is reported in its place. A new file grows line by line. An existing file is replaced at the end of the input, if any line was converted.
fn lines<'a>(
    args: &'a ConvertArgs,
    conversion: Conversion<'a>,
    schema: &'a OnceLock<Schema>,
    json: bool,
) -> Result<Exit, Failure> {
    let path = &args.input.input;
    let name = input::display_name(path);
    let batches = Batches::new(input::open(path)?);
    check_different(path, args.output.path.as_deref())?;
    let mut output = args.output.open()?;
    output.keep_as_written()?;
    let mut first = Some(conversion);
    let workers = (0..jobs(args)).map(|_| {
        let mut own = first.take();
        move |batch| {
            let conversion = match own.take() {
                Some(conversion) => own.insert(conversion),
                None => own.insert(Conversion::new(args, json, schema)?),
            };
            Ok(convert_batch(conversion, batch, json))
        }
    });
    let (mut count, mut failed, mut first_failed) = (0, 0, None);
    thread::scope(|scope| {
        in_order(scope, workers.collect(), batches).try_for_each(|converted: Result<_, Failure>| {
            let converted: Converted = converted?;
            (count, failed) = (count + converted.count, failed + converted.failed);
            first_failed = first_failed.take().or(converted.first_failed);
            output.write(&converted.text)?;
            for (line, found) in &converted.violations {
                violations::tell(found, &name, Some(*line), json);
            }
            converted.end.map_or(Ok(()), |error| Err(Failure::io("read", path, &error)))
        })
    })?;
    let Some((first_failed, why)) = first_failed else {
        output.finish()?;
        return Ok(Exit::Done);
    };
    let mut summary = format!("{failed} of {count} lines refused, the first is line {first_failed}");
    if failed == count && output.replaces() {
        let kept = args.output.path.as_deref().unwrap_or(path).display();
        summary.push_str(&format!(" ({why}); {kept} is left as it was"));
    } else {
        output.finish()?;
    }
    if json {
        Failure::refused("lines.refused", summary).in_file(&name).tell(true);
    } else {
        tell_line(&format!("roadwire: {name}: {summary}"));
    }
    Ok(Exit::Refused)
}

/// As many as are asked for; one where threads are not worth it.
fn jobs(args: &ConvertArgs) -> usize {
    let path = &args.input.input;
    let is_short = !input::is_live(path) && path.metadata().is_ok_and(|found| found.len() < SHORT);
    args.jobs.map_or_else(|| if is_short { 1 } else { cores() }, usize::from)
}

/// What lines became.
struct Converted {
    text: Vec<u8>,
    count: u64,
    failed: u64,
    /// Its number, and why.
    first_failed: Option<(u64, String)>,
    /// Of lines that were converted, with their numbers.
    violations: Vec<(u64, Vec<Violation>)>,
    /// Why no more lines can be read.
    end: Option<io::Error>,
}

fn convert_batch(conversion: &mut Conversion<'_>, mut batch: Batch, json: bool) -> Converted {
    let mut converted = Converted {
        text: Vec::new(),
        count: 0,
        failed: 0,
        first_failed: None,
        violations: Vec::new(),
        end: batch.failed.take(),
    };
    for (number, line) in batch.lines() {
        converted.count += 1;
        let one = line.and_then(|line| convert_line(conversion, line)).map_err(|failure| failure.on_line(number));
        let written = match one {
            Ok(Checked { value, violations }) => {
                if !violations.is_empty() {
                    converted.violations.push((number, violations));
                }
                value
            }
            Err(failure) => {
                converted.failed += 1;
                converted.first_failed.get_or_insert_with(|| (number, failure.line()));
                if json { failure.to_json().to_string() } else { format!("error: {}", failure.line()) }.into_bytes()
            }
        };
        converted.text.extend_from_slice(&written);
        converted.text.push(b'\n');
    }
    converted
}

fn convert_line(conversion: &mut Conversion<'_>, line: &[u8]) -> Result<Checked<Vec<u8>>, Failure> {
    let bytes = if conversion.text_in { line.to_vec() } else { octets::read(line, conversion.format_in)? };
    // A few messages have no octets.
    let is_empty = if conversion.text_in { line.iter().all(u8::is_ascii_whitespace) } else { bytes.is_empty() };
    let empty = |failure| if is_empty { Failure::refused("input.empty", "the line is empty") } else { failure };
    let Checked { value, violations } = conversion.convert(&bytes, false).map_err(empty)?;
    if conversion.format_out.is_none() && value.contains(&b'\n') {
        let failure = Failure::refused(
            "lines.value",
            "the value has an end of line in a string, and with --lines it is on one line",
        );
        return Err(failure.advise("use --to xer, which has references for them, or leave --lines off"));
    }
    Ok(Checked { value: octets::written(value, conversion.format_out), violations })
}
