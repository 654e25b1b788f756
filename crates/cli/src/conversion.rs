//! One value from an encoding to another: by generated code where there is some and it takes the
//! value, otherwise by the interpreter.

use std::sync::OnceLock;

use roadwire::{Check, Checked, Codec, Rules, Transcoder};

use crate::args::ConvertArgs;
use crate::codec::{self, codec};
use crate::failure::Failure;
use crate::schema::Schema;
use roadwire_recording::octets::OctetFormat;

/// The conversion of each value.
pub(crate) struct Conversion<'a> {
    args: &'a ConvertArgs,
    json: bool,
    transcoder: Option<Transcoder>,
    /// How many values generated code has converted.
    transcoded: u64,
    /// Read when the interpreter is needed: it takes longer than converting a message.
    schema: &'a OnceLock<Schema>,
    interpreter: Option<Interpreter<'a>>,
    pub(crate) text_in: bool,
    /// Of lines that have octets.
    pub(crate) format_in: OctetFormat,
    pub(crate) format_out: Option<OctetFormat>,
}

/// The interpreter, on both sides.
struct Interpreter<'a> {
    from: Codec<'a>,
    to: Codec<'a>,
}

impl<'a> Conversion<'a> {
    /// The conversion that the command line asks for; a schema that has to be read goes into
    /// `schema`.
    ///
    /// # Errors
    /// An unknown schema or type, modules with errors, a type without one of the encodings.
    pub(crate) fn new(args: &'a ConvertArgs, json: bool, schema: &'a OnceLock<Schema>) -> Result<Self, Failure> {
        let mut conversion = Conversion {
            args,
            json,
            transcoder: transcoder(args),
            transcoded: 0,
            schema,
            interpreter: None,
            text_in: args.from.is_text(),
            format_in: args.input.format.unwrap_or(OctetFormat::Hex),
            format_out: args.output.format_of(args.to, args.lines),
        };
        if conversion.transcoder.is_none() {
            conversion.interpreter()?;
        }
        Ok(conversion)
    }

    /// Converts one value; `pretty` for human readers.
    ///
    /// # Errors
    /// The first fault in the value.
    pub(crate) fn convert(&mut self, bytes: &[u8], pretty: bool) -> Result<Checked<Vec<u8>>, Failure> {
        let is_indented = pretty && self.args.to == Rules::Jer;
        let indented = |encoded: &[u8]| {
            let text = is_indented.then(|| std::str::from_utf8(encoded).ok()).flatten();
            text.map_or_else(|| encoded.to_vec(), |text| roadwire_notation::indented(text).into_bytes())
        };
        if let Some(encoded) = self.transcoder.as_mut().and_then(|transcoder| transcoder.convert(bytes)) {
            self.transcoded += 1;
            return Ok(Checked { value: indented(encoded), violations: Vec::new() });
        }
        let check = check(self.args);
        let interpreter = self.interpreter()?;
        let Checked { value, violations } = codec::convert(&interpreter.from, &interpreter.to, bytes, check)?;
        Ok(Checked { value: if is_indented { indented(&value) } else { value }, violations })
    }

    fn interpreter(&mut self) -> Result<&Interpreter<'a>, Failure> {
        let interpreter = match self.interpreter.take() {
            Some(interpreter) => interpreter,
            None => Interpreter::new(self.args, self.json, self.schema)?,
        };
        Ok(self.interpreter.insert(interpreter))
    }
}

/// Values of people satisfy all constraints; of octets, all is shown that can be read.
fn check(args: &ConvertArgs) -> Check {
    match args.check {
        Some(check) => check.into(),
        None if args.strict || args.from.is_text() => Check::All,
        None => Check::Encoding,
    }
}

/// Generated code, if it can do the conversion that the command line asks for.
fn transcoder(args: &ConvertArgs) -> Option<Transcoder> {
    let schema = args.schema.schema.as_deref().filter(|_| !args.interpreted)?;
    let transcoder = Transcoder::shipped(schema, args.type_name.as_deref(), args.from, args.to)?;
    if args.strict { transcoder.strict() } else { Some(transcoder) }
}

impl<'a> Interpreter<'a> {
    fn new(args: &ConvertArgs, json: bool, schema: &'a OnceLock<Schema>) -> Result<Self, Failure> {
        let schema = match schema.get() {
            Some(schema) => schema,
            None => {
                let loaded = Schema::load(&args.schema, json)?;
                schema.get_or_init(|| loaded)
            }
        };
        let type_id = schema.type_id(args.type_name.as_deref())?;
        let from = codec(schema, type_id, args.from, args.lenient, args.strict)?;
        let to = codec(schema, type_id, args.to, args.lenient, false)?;
        // One side without a program is enough.
        let from = if args.interpreted { from.interpreted() } else { from };
        Ok(Interpreter { from, to })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Cli, Command};

    const CAM: &[u8] =
        b"\x02\x02\x84\xdb\x8a\x10\x42\xa6\x00\xfa\x5e\x7a\xa1\x8e\xa5\xce\xac\x81\x90\x19\x00\x00\x3b\x79\x12\x80";

    /// How many values generated code has converted, of a message and of one that is cut short; and
    /// whether a schema was read for the former.
    fn transcoded(arguments: &[&str]) -> (u64, bool) {
        let line = ["roadwire", "convert", "--from", "uper", "--to", "jer"];
        let cli = Cli::try_parse_from([&line[..], arguments].concat()).expect("a command line");
        let Command::Convert(args) = cli.command else { panic!("another command") };
        let schema = OnceLock::new();
        let mut conversion = Conversion::new(&args, false, &schema).expect("a conversion");
        conversion.convert(CAM, false).expect("a message");
        let is_read = schema.get().is_some();
        conversion.convert(&CAM[..9], false).expect_err("half a message");
        (conversion.transcoded, is_read)
    }

    #[test]
    fn generated_code_takes_messages_without_their_schema() {
        let generated = if cfg!(feature = "generated") { (1, false) } else { (0, true) };
        assert_eq!(transcoded(&["-s", "cam-1.4.1"]), generated);
        // Its mandatory components have the same octets.
        assert_eq!(transcoded(&["-s", "cam-2.3.1"]), generated);
        assert_eq!(transcoded(&["-s", "cam-1.4.1", "-t", "CAM", "--strict"]), generated);
        assert_eq!(transcoded(&["-s", "cam-1.4.1", "-t", "CAM-PDU-Descriptions.CAM", "--lenient"]), generated);
    }

    #[test]
    fn the_interpreter_takes_all_if_asked_to() {
        assert_eq!(transcoded(&["-s", "cam-1.4.1", "--interpreted"]), (0, true));
    }
}
