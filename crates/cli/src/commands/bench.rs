//! `roadwire bench`: one's own message in every encoding.

mod answers;
mod encodings;
mod page;
mod tables;
mod values;

use roadwire::Rules;
use roadwire_lab::bench::{self, BenchOptions, Benched, Own};
use roadwire_lab::report::data::DataFile;

use crate::args::BenchArgs;
use crate::codec;
use crate::commands::study::{failure, probe_command};
use crate::failure::{Exit, Failure, tell_line};
use crate::output::Output;
use crate::progress::Bar;
use crate::schema::Schema;
use encodings::Encoding;
use values::OwnValue;

/// How many values are timed: of more, the first ones.
const TIMED: usize = 10;

pub(crate) fn run(args: &BenchArgs, json: bool) -> Result<Exit, Failure> {
    let schema = Schema::load(&args.schema, json)?;
    let type_id = schema.type_id(args.type_name.as_deref())?;
    if let Some((source, missing)) = args.source.as_ref().and_then(|dir| Some((dir, bench::missing_in_checkout(dir)?)))
    {
        let what = format!("{} is not a checkout of roadwire: {} is missing", source.display(), missing.display());
        return Err(Failure::usage("bench.source", what).advise("give the folder that `git clone` of roadwire made"));
    }
    let values = values::read(args, &schema, type_id)?;
    let rules = if args.rules.is_empty() { Rules::ALL.to_vec() } else { args.rules.clone() };
    let mut encodings: Vec<Encoding> = Vec::new();
    for rules in rules {
        // One that is asked for by name has to be there.
        if let Err(error) = schema.schema.codec(type_id, rules) {
            let failure = codec::no_layout(rules, &error);
            if !args.rules.is_empty() {
                return Err(failure);
            }
            encodings.push(Encoding::none(rules, failure.line()));
            continue;
        }
        encodings.push(Encoding::of(&schema, type_id, rules, &values));
    }
    let benched = measure(args, &schema, type_id, &values)?;
    for encoding in &mut encodings {
        encoding.add(&benched.records);
    }

    let about = About { name: name(&schema, type_id, args), values: values.len() };
    let text = match json {
        true => tables::json(&encodings),
        false => answers::text(&about, &encodings, &benched),
    };
    Output::stdout()?.write(text.as_bytes())?;
    if let Some(folder) = &args.out {
        let names = ["bench.txt", "sizes.csv", "times.csv", "values.jsonl", "records.jsonl", "files.csv"];
        let (html, picture) = page::html(&about, &encodings, &benched, &names);
        let mut others = vec![
            ("values.jsonl", "the values, in JER", values.iter().map(|one| format!("{}\n", one.jer)).collect()),
            ("bench.txt", "the answers, as on a terminal", answers::text(&about, &encodings, &benched)),
            ("index.html", "the answers as a page", html),
        ];
        others.extend(picture.map(|plot| (page::PICTURE, "octets against time", plot.svg())));
        let sizes = vec![DataFile::new("sizes", tables::sizes(&encodings, &values))];
        let written = bench::publish(folder, &benched, sizes, others).map_err(failure)?;
        tables::tell_written(&written, json);
    }
    Ok(tell(&benched))
}

/// The message, for the first line.
struct About {
    /// The type, and the schema if that has a name.
    name: String,
    values: usize,
}

fn name(schema: &Schema, type_id: roadwire::TypeId, args: &BenchArgs) -> String {
    let type_name = schema.name_of(type_id).map_or_else(|| "the type".to_owned(), ToString::to_string);
    match &args.schema.schema {
        Some(schema) => format!("{type_name} of {schema}"),
        None => type_name,
    }
}

/// Times, memory and instructions of the first values.
fn measure(
    args: &BenchArgs,
    schema: &Schema,
    type_id: roadwire::TypeId,
    values: &[OwnValue],
) -> Result<Benched, Failure> {
    let name = schema.name_of(type_id).ok_or_else(|| Failure::refused("bench.type", "the type has no name"))?;
    let named = args.schema.schema.clone();
    let own = Own::new(
        named.clone().unwrap_or_else(|| name.module.clone()),
        named.is_some(),
        schema.schema.sources(),
        name.to_string(),
        values.iter().take(TIMED).map(|value| value.jer.clone()).collect(),
    );
    let rules = if args.rules.is_empty() { Rules::ALL.to_vec() } else { args.rules.clone() };
    let (peers, quick, seed) = (args.peers.clone(), args.quick, args.seed);
    let bar = Bar::new();
    let options = BenchOptions { own, rules, peers, source: args.source.clone(), quick, seed, probe: probe_command() };
    let benched = bench::run(options, &bar);
    bar.end();
    benched.map_err(failure)
}

/// Reports codecs that failed.
fn tell(benched: &Benched) -> Exit {
    for why in &benched.failures {
        tell_line(&format!("roadwire: a codec failed: {why}"));
    }
    if benched.failures.is_empty() { Exit::Done } else { Exit::Refused }
}
