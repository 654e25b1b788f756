//! The values of `bench`: files with one each, or with one on each line.

use std::path::Path;

use roadwire::{Codec, Rules, TypeId, Value};
use roadwire_recording::octets::{self, OctetFormat};

use crate::args::{BenchArgs, InputArgs};
use crate::codec::{self, codec};
use crate::failure::Failure;
use crate::input;
use crate::schema::Schema;

/// The most values.
const MOST: usize = 10_000;

/// A value, and where it is from.
pub(super) struct OwnValue {
    /// The file, with the line if lines are values.
    pub(super) source: String,
    pub(super) value: Value,
    /// As JER text on one line.
    pub(super) jer: String,
}

/// All values.
///
/// # Errors
/// A value that cannot be read or is refused, with its place; no values, or too many; stdin twice.
pub(super) fn read(args: &BenchArgs, schema: &Schema, type_id: TypeId) -> Result<Vec<OwnValue>, Failure> {
    let stdin = args.values.iter().chain(&args.schema.modules).filter(|path| input::is_stdin(path)).count();
    if stdin > 1 {
        let failure = Failure::usage("bench.stdin", format!("stdin is named {stdin} times, and can be read once"));
        return Err(failure.advise("name files, or give several values on stdin with --lines"));
    }
    let jer = codec(schema, type_id, Rules::Jer, false, false)?;
    let mut values = Vec::new();
    for path in &args.values {
        let read = match args.lines {
            true => lines(args, schema, type_id, path)?,
            false => {
                let one = InputArgs { input: path.clone(), format: args.format };
                vec![(input::display_name(path), codec::read_value(schema, type_id, args.from, &one)?)]
            }
        };
        for (source, value) in read {
            let text = codec::encode(&jer, &value, false).map_err(|failure| failure.in_file(&source))?;
            let text = String::from_utf8_lossy(&text).into_owned();
            values.push(OwnValue { source, value, jer: text });
        }
    }
    match values.len() {
        0 => Err(Failure::refused("bench.empty", "expected a value, found none: the input has no lines")),
        1..=MOST => Ok(values),
        count => Err(Failure::refused("bench.many", format!("expected at most {MOST} values, found {count}"))),
    }
}

fn lines(args: &BenchArgs, schema: &Schema, type_id: TypeId, path: &Path) -> Result<Vec<(String, Value)>, Failure> {
    let codec = codec(schema, type_id, args.from, false, false)?;
    let (text, name) = (input::read_all(path)?, input::display_name(path));
    let mut values = Vec::new();
    for (number, line) in (1_u64..).zip(text.split(|octet| *octet == b'\n')) {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let value = value(args, schema, type_id, &codec, line);
        let value = value.map_err(|failure| failure.in_line(number).in_file(&name))?;
        values.push((format!("{name}:{number}"), value));
    }
    Ok(values)
}

fn value(args: &BenchArgs, schema: &Schema, id: TypeId, codec: &Codec<'_>, line: &[u8]) -> Result<Value, Failure> {
    let bytes = match args.from.is_text() {
        true => line.to_vec(),
        false => octets::read(line, args.format.unwrap_or(OctetFormat::Hex))?,
    };
    let value = codec::decode(codec, &bytes)?;
    codec::is_for_other_rules(schema, id, &value)?;
    Ok(value)
}
