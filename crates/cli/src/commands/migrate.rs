//! `roadwire migrate`: values of one schema as values of another.

use std::path::PathBuf;

use roadwire::{Codec, Rules};
use roadwire_evolution::{Comparison, Given, Lost};
use serde_json::json;

use crate::args::{InputArgs, MigrateArgs};
use crate::codec::{self, codec};
use crate::failure::{Exit, Failure, Place, tell_line};
use crate::formats;
use crate::input;
use crate::line_by_line::{Convert, LineByLine};
use crate::versions::Versions;
use roadwire_recording::octets::{self, OctetFormat};

pub(crate) fn run(args: &MigrateArgs, json: bool) -> Result<Exit, Failure> {
    let (versions, left) = Versions::load(&args.schemas, &args.words, json)?;
    let to = args.to.unwrap_or(args.from);
    formats::check((args.from, args.format), (to, &args.output), args.lines)?;
    let input = match left {
        [] => PathBuf::from("-"),
        [input] => PathBuf::from(input),
        _ => {
            return Err(Failure::usage("usage.input", "there is more than one input")
                .advise("give one file, or none for stdin"));
        }
    };
    let comparison = versions.comparison();
    let given: Vec<Given> = args.set.iter().map(|set| given(&versions, &comparison, set)).collect::<Result<_, _>>()?;
    let migration = || {
        Ok(Migration {
            comparison,
            given: &given,
            from: codec(&versions.schemas[0], versions.types[0], args.from, false, false)?,
            to: codec(&versions.schemas[1], versions.types[1], to, false, false)?,
            strict: args.strict,
            json,
            format_in: args.format.unwrap_or(OctetFormat::Hex),
            format_out: args.output.format_of(to, args.lines),
        })
    };
    if !args.lines {
        return migration()?.whole(args, &InputArgs { input, format: args.format });
    }
    let lines = LineByLine { input: &input, output: &args.output, jobs: args.jobs, json };
    lines.run(migration()?, migration)
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

struct Migration<'a> {
    comparison: Comparison<'a>,
    given: &'a [Given],
    from: Codec<'a>,
    to: Codec<'a>,
    strict: bool,
    json: bool,
    /// Of lines that have octets.
    format_in: OctetFormat,
    format_out: Option<OctetFormat>,
}

impl Migration<'_> {
    fn whole(&self, args: &MigrateArgs, input: &InputArgs) -> Result<Exit, Failure> {
        let name = input::display_name(&input.input);
        let bytes = match self.from.rules().is_text() {
            true => input::read_value(&input.input)?,
            false => input::octets(input)?,
        };
        let carried = self.carry(&bytes, true).map_err(|failure| input::of_message(&bytes, failure));
        let (encoded, lost) = carried.map_err(|failure| failure.in_file(&name))?;
        self.notes(&lost, None).for_each(|note| tell_line(&note));
        args.output.write_one(encoded, self.format_out)?;
        Ok(Exit::Done)
    }

    /// One value in the other version's encoding, and the parts without a place there.
    fn carry(&self, bytes: &[u8], pretty: bool) -> Result<(Vec<u8>, Vec<Lost>), Failure> {
        let value = codec::decode(&self.from, bytes)?;
        let migration = self.comparison.migrate_with(&value, self.given).map_err(|lost| refusal(&lost))?;
        if let Some(lost) = migration.lost.first().filter(|_| self.strict) {
            return Err(refusal(lost));
        }
        Ok((codec::encode(&self.to, &migration.value, pretty)?, migration.lost))
    }

    /// Lines for stderr on the parts that have no place.
    fn notes(&self, lost: &[Lost], line: Option<u64>) -> impl Iterator<Item = String> {
        lost.iter().map(move |lost| {
            if self.json {
                let mut object = json!({"path": lost.path, "why": lost.why.code(), "message": lost.why.to_string()});
                if let (Some(line), Some(object)) = (line, object.as_object_mut()) {
                    object.insert("line".to_owned(), json!(line));
                }
                json!({ "lost": object }).to_string()
            } else {
                let line = line.map_or_else(String::new, |line| format!("line {line}: "));
                format!("roadwire: {line}no place for {lost}")
            }
        })
    }
}

impl Convert for Migration<'_> {
    fn line(&mut self, number: u64, line: &[u8], notes: &mut Vec<String>) -> Result<Vec<u8>, Failure> {
        let is_text = self.from.rules().is_text();
        let octets = if is_text { line.to_vec() } else { octets::read(line, self.format_in)? };
        let (encoded, lost) = self.carry(&octets, false)?;
        notes.extend(self.notes(&lost, Some(number)));
        Ok(octets::written(encoded, self.format_out))
    }
}

/// The error for a part that has no place.
fn refusal(lost: &Lost) -> Failure {
    let path = Some(lost.path.clone()).filter(|path| !path.is_empty());
    Failure::refused(format!("migrate.{}", lost.why.code()), lost.why.to_string())
        .at(Place { path, ..Place::default() })
}
