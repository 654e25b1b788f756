//! `roadwire convert`: from one encoding to another.

use std::cell::OnceCell;

use roadwire::Rules;

use crate::args::{ConvertArgs, OctetFormat};
use crate::conversion::Conversion;
use crate::failure::{Exit, Failure, tell_line};
use crate::identity::check_different;
use crate::input::{self, Lines};
use crate::{markup, octets};

pub(crate) fn run(args: &ConvertArgs, json: bool) -> Result<Exit, Failure> {
    check_formats(args)?;
    let schema = OnceCell::new();
    let mut conversion = Conversion::new(args, json, &schema)?;
    if args.lines { lines(args, &mut conversion, json) } else { whole(args, &mut conversion) }
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
fn whole(args: &ConvertArgs, conversion: &mut Conversion<'_>) -> Result<Exit, Failure> {
    let name = input::display_name(&args.input.input);
    let bytes = if conversion.text_in { text(args)? } else { input::octets(&args.input)? };
    let encoded = conversion.convert(&bytes, true).map_err(|failure| input::of_message(&bytes, failure));
    let mut encoded = encoded.map_err(|failure| failure.in_file(&name))?;
    if args.pretty && args.to != Rules::Jer {
        encoded = markup::indented(&String::from_utf8_lossy(&encoded)).into_bytes();
    }
    args.output.write_one(encoded, conversion.format_out)?;
    Ok(Exit::Done)
}

fn text(args: &ConvertArgs) -> Result<Vec<u8>, Failure> {
    let bytes = input::read_value(&args.input.input)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(input::empty().in_file(&input::display_name(&args.input.input)));
    }
    Ok(bytes)
}

/// One value on each line; a line that fails is reported in its place. A new file grows line by line. An existing file is replaced at the end of the input, if any line was converted.
fn lines(args: &ConvertArgs, conversion: &mut Conversion<'_>, json: bool) -> Result<Exit, Failure> {
    let path = &args.input.input;
    let name = input::display_name(path);
    let format = args.input.format.unwrap_or(OctetFormat::Hex);
    let mut source = input::open(path)?;
    check_different(path, args.output.path.as_deref())?;
    let mut output = args.output.open()?;
    output.keep_as_written()?;
    let mut lines = Lines::new(&mut *source);
    let (mut count, mut failed) = (0_u64, 0_u64);
    let mut first_failed = None;
    while let Some(line) = lines.next().map_err(|error| Failure::io("read", path, &error))? {
        count += 1;
        let converted = line.and_then(|line| convert_line(conversion, line, format));
        let converted = converted.map_err(|failure| failure.on_line(count));
        let mut written = converted.unwrap_or_else(|failure| {
            failed += 1;
            first_failed.get_or_insert_with(|| (count, failure.line()));
            if json { failure.to_json().to_string() } else { format!("error: {}", failure.line()) }.into_bytes()
        });
        written.push(b'\n');
        output.write(&written)?;
    }
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

fn convert_line(conversion: &mut Conversion<'_>, line: &[u8], format: OctetFormat) -> Result<Vec<u8>, Failure> {
    let bytes = if conversion.text_in { line.to_vec() } else { octets::read(line, format)? };
    // A few messages have no octets.
    let is_empty = if conversion.text_in { line.iter().all(u8::is_ascii_whitespace) } else { bytes.is_empty() };
    let empty = |failure| if is_empty { Failure::refused("input.empty", "the line is empty") } else { failure };
    let encoded = conversion.convert(&bytes, false).map_err(empty)?;
    Ok(octets::written(encoded, conversion.format_out))
}
