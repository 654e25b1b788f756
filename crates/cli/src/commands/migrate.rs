//! `roadwire migrate`: values of one schema as values of another.

use std::path::PathBuf;

use roadwire::{Codec, Rules};
use roadwire_evolution::{Comparison, Given, Lost};
use serde_json::json;

use crate::args::{InputArgs, MigrateArgs};
use crate::codec::{self, codec};
use crate::failure::{Exit, Failure, Place, tell_line};
use crate::input;
use crate::lines::Lines;
use crate::versions::Versions;
use roadwire_recording::octets::{self, OctetFormat};

pub(crate) fn run(args: &MigrateArgs, json: bool) -> Result<Exit, Failure> {
    let (versions, left) = Versions::load(&args.schemas, &args.words, json)?;
    let to = args.to.unwrap_or(args.from);
    check_formats(args, to)?;
    let input = match left {
        [] => PathBuf::from("-"),
        [input] => PathBuf::from(input),
        _ => {
            return Err(Failure::usage("usage.input", "there is more than one input")
                .advise("give one file, or none for stdin"));
        }
    };
    let comparison = versions.comparison();
    let given = args.set.iter().map(|set| given(&versions, &comparison, set)).collect::<Result<_, _>>()?;
    let migration = Migration {
        comparison,
        given,
        from: codec(&versions.schemas[0], versions.types[0], args.from, false, false)?,
        to: codec(&versions.schemas[1], versions.types[1], to, false, false)?,
        strict: args.strict,
        json,
        input: InputArgs { input, format: args.format },
        format: args.output.format_of(to, args.lines),
    };
    if args.lines { migration.lines(args) } else { migration.whole(args) }
}

/// `FIELD=VALUE`: a value for a component of the new version.
fn given(versions: &Versions, comparison: &Comparison<'_>, set: &str) -> Result<Given, Failure> {
    let wrong = |what: String| Failure::usage("usage.set", what);
    let (path, text) = set.split_once('=').ok_or_else(|| {
        wrong(format!("--set {set} has no `=`")).advise("give FIELD=VALUE, as in --set header.messageID=2")
    })?;
    let id = comparison.field(path).map_err(|at| {
        let advice = "components and alternatives are named from the outside in, with points between them and `[]` for each element of a list";
        wrong(format!("--set {set}: {} has no component `{at}`", versions.names[1])).advise(advice)
    })?;
    let of_field = |failure: Failure| {
        let usage = wrong(format!("--set {path}: {}", failure.line()));
        usage.advise("the value is JER: numbers as they are, names and text in quotation marks, {\"component\": value}")
    };
    let schema = &versions.schemas[1];
    let value = codec::decode(&codec(schema, id, Rules::Jer, false, false)?, text.as_bytes()).map_err(of_field)?;
    codec::keeps_constraints(schema.model(), id, &value).map_err(of_field)?;
    Ok(Given::new(path, value))
}

/// Combinations of options without a meaning are wrong usage.
fn check_formats(args: &MigrateArgs, to: Rules) -> Result<(), Failure> {
    let wrong = |what: String, advice: &str| Err(Failure::usage("usage.format", what).advise(advice));
    if args.format.is_some() && args.from.is_text() {
        return wrong(format!("--in says how octets are written, but {} is text", args.from), "leave --in off");
    }
    if args.output.format.is_some() && to.is_text() {
        return wrong(
            format!("--output-format says how octets are written, but {to} is text"),
            "leave --output-format off",
        );
    }
    if args.lines && [args.format, args.output.format].contains(&Some(OctetFormat::Bin)) {
        return wrong("octets as they are have no lines".into(), "with --lines use hex or base64");
    }
    Ok(())
}

struct Migration<'a> {
    comparison: Comparison<'a>,
    given: Vec<Given>,
    from: Codec<'a>,
    to: Codec<'a>,
    strict: bool,
    json: bool,
    input: InputArgs,
    format: Option<OctetFormat>,
}

impl Migration<'_> {
    fn whole(&self, args: &MigrateArgs) -> Result<Exit, Failure> {
        let name = input::display_name(&self.input.input);
        let bytes = match self.from.rules().is_text() {
            true => input::read_value(&self.input.input)?,
            false => input::octets(&self.input)?,
        };
        let carried = self.carry(&bytes, true).map_err(|failure| input::of_message(&bytes, failure));
        let (encoded, lost) = carried.map_err(|failure| failure.in_file(&name))?;
        self.tell(&lost, None);
        args.output.write_one(encoded, self.format)?;
        Ok(Exit::Done)
    }

    /// One value on each line; a line that fails is reported in its place.
    fn lines(&self, args: &MigrateArgs) -> Result<Exit, Failure> {
        let path = &self.input.input;
        let format = self.input.format.unwrap_or(OctetFormat::Hex);
        let mut source = input::open(path)?;
        let mut output = args.output.open()?;
        output.keep_as_written()?;
        let mut lines = Lines::new(&mut source);
        let (mut count, mut failed) = (0_u64, 0_u64);
        while let Some(line) = lines.next().map_err(|error| Failure::io("read", path, &error))? {
            count += 1;
            let is_text = self.from.rules().is_text();
            let octets =
                line.and_then(|line| if is_text { Ok(line.to_vec()) } else { Ok(octets::read(line, format)?) });
            let carried = octets.and_then(|octets| self.carry(&octets, false));
            let mut written = match carried.map_err(|failure| failure.on_line(count)) {
                Ok((encoded, lost)) => {
                    self.tell(&lost, Some(count));
                    octets::written(encoded, self.format)
                }
                Err(failure) => {
                    failed += 1;
                    let text =
                        if self.json { failure.to_json().to_string() } else { format!("error: {}", failure.line()) };
                    text.into_bytes()
                }
            };
            written.push(b'\n');
            output.write(&written)?;
        }
        output.finish()?;
        if failed == 0 {
            return Ok(Exit::Done);
        }
        let failure = Failure::refused("lines.refused", format!("{failed} of {count} lines refused"));
        Err(failure.in_file(&input::display_name(path)))
    }

    /// One value in the other version's encoding, and what has no place there.
    fn carry(&self, bytes: &[u8], pretty: bool) -> Result<(Vec<u8>, Vec<Lost>), Failure> {
        let value = codec::decode(&self.from, bytes)?;
        let migration = self.comparison.migrate_with(&value, &self.given).map_err(|lost| refusal(&lost))?;
        if let Some(lost) = migration.lost.first().filter(|_| self.strict) {
            return Err(refusal(lost));
        }
        Ok((codec::encode(&self.to, &migration.value, pretty)?, migration.lost))
    }

    /// Lists what has no place on stderr.
    fn tell(&self, lost: &[Lost], line: Option<u64>) {
        for lost in lost {
            if self.json {
                let mut object = json!({"path": lost.path, "why": lost.why.code(), "message": lost.why.to_string()});
                if let (Some(line), Some(object)) = (line, object.as_object_mut()) {
                    object.insert("line".to_owned(), json!(line));
                }
                tell_line(&json!({ "lost": object }).to_string());
            } else {
                let line = line.map_or_else(String::new, |line| format!("line {line}: "));
                tell_line(&format!("roadwire: {line}no place for {lost}"));
            }
        }
    }
}

/// What has no place, as an error.
fn refusal(lost: &Lost) -> Failure {
    let path = Some(lost.path.clone()).filter(|path| !path.is_empty());
    Failure::refused(format!("migrate.{}", lost.why.code()), lost.why.to_string())
        .at(Place { path, ..Place::default() })
}
