//! `roadwire guess`: what octets of unknown origin are.

use std::io::BufRead;

use roadwire::{Guesser, Nearest};
use serde_json::{Value as Json, json};

use crate::args::GuessArgs;
use crate::failure::{Exit, Failure, tell_line};
use crate::input;
use crate::lines::Lines;
use crate::output::Output;
use crate::table;
use roadwire_recording::octets::{self, OctetFormat};
use roadwire_recording::violations;
use roadwire_recording::{Answer, answers};

pub(crate) fn run(args: &GuessArgs, json: bool) -> Result<Exit, Failure> {
    let path = &args.input.input;
    let name = input::display_name(path);
    let mut run = Run {
        guesser: if args.rules.is_empty() { Guesser::new() } else { Guesser::new().under(&args.rules) },
        output: Output::stdout()?,
        json,
        open: 0,
    };
    // Hex on stdin has lines, which are answered as they come.
    let from_stdin = input::is_stdin(path) && args.input.format.is_none();
    if args.input.format == Some(OctetFormat::Hex) || from_stdin {
        run.lines(&mut input::open(path)?, args)?;
        return Ok(run.exit());
    }
    let written = input::read_value(path)?;
    let format = args.input.format.map_or_else(|| octets::detect(&written), Ok);
    if is_text(&written) {
        run.message(&written)?;
    } else {
        match format.map_err(|failure| failure.in_file(&name))? {
            OctetFormat::Hex => run.lines(&mut &written[..], args)?,
            format => {
                let octets = octets::read(&written, format).map_err(|failure| failure.in_file(&name))?;
                run.message(&octets)?;
            }
        }
    }
    Ok(run.exit())
}

struct Run {
    guesser: Guesser,
    output: Output,
    json: bool,
    /// Messages without an answer.
    open: u64,
}

impl Run {
    fn lines(&mut self, from: &mut dyn BufRead, args: &GuessArgs) -> Result<(), Failure> {
        let path = &args.input.input;
        let mut lines = Lines::new(from);
        let mut count = 0;
        while let Some(line) = lines.next().map_err(|error| Failure::io("read", path, &error))? {
            count += 1;
            let octets = line.and_then(|line| match is_text(line) {
                true => Ok(line.to_vec()),
                false => Ok(octets::read(line, OctetFormat::Hex)?),
            });
            let octets = octets.map_err(|failure| failure.on_line(count).in_file(&input::display_name(path)))?;
            if count > 1 && !self.json {
                self.output.write(b"\n")?;
            }
            self.message(&octets)?;
        }
        if count == 0 { Err(input::empty().in_file(&input::display_name(path)).into()) } else { Ok(()) }
    }

    fn message(&mut self, octets: &[u8]) -> Result<(), Failure> {
        let answers = answers(&self.guesser, octets);
        if answers.is_empty() {
            self.open += 1;
            let nearest = self.guesser.nearest(octets);
            if !self.json {
                tell_line(&format!("roadwire: {} octets match no known schema", octets.len()));
                if let Some(Nearest { schema, type_name, rules, error }) = &nearest {
                    tell_line(&format!("  nearest: {schema}, {type_name}, {rules}: {error}"));
                }
                tell_line(
                    "  help: are they whole, and without the frame around them? recorded frames are for `roadwire capture`",
                );
            } else if let Some(nearest) = &nearest {
                tell_line(&json!({ "nearest": nearest_to_json(nearest) }).to_string());
            }
        }
        let text = if self.json {
            format!("{}\n", answers.iter().map(to_json).collect::<Json>())
        } else {
            let rows: Vec<table::Row> = answers.iter().map(to_row).collect();
            if rows.is_empty() { String::new() } else { table::aligned(&rows) }
        };
        self.output.write(text.as_bytes())
    }

    fn exit(&self) -> Exit {
        if self.open == 0 { Exit::Done } else { Exit::Refused }
    }
}

fn to_json(of: &Answer) -> Json {
    let mut object =
        json!({"schema": of.schema, "type": of.type_name, "rules": of.rules, "score": of.score, "why": of.why});
    if let (Some(object), false) = (object.as_object_mut(), of.violations.is_empty()) {
        object.insert("violations".to_owned(), violations::to_json(&of.violations));
    }
    object
}

fn nearest_to_json(of: &Nearest) -> Json {
    json!({
        "schema": of.schema,
        "type": of.type_name,
        "rules": of.rules.name(),
        "code": of.error.code(),
        "message": of.error.what(),
        "at": of.error.bit(),
        "path": of.error.path(),
    })
}

fn to_row(of: &Answer) -> table::Row {
    vec![
        ("score", json!(format!("{:.3}", of.score))),
        ("schema", json!(of.schema)),
        ("type", json!(of.type_name)),
        ("rules", json!(of.rules)),
        ("why", json!(of.why.join("; "))),
    ]
}

/// Whether octets are text, XML or JSON, and not their hexadecimal digits.
fn is_text(octets: &[u8]) -> bool {
    let first = octets.iter().find(|octet| !octet.is_ascii_whitespace());
    first.is_some_and(|first| matches!(first, b'<' | b'{')) && std::str::from_utf8(octets).is_ok()
}
