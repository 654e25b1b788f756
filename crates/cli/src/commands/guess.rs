//! `roadwire guess`: what octets of unknown origin are.

use std::io::BufRead;

use roadwire::{Guess, Guesser};
use roadwire_capture::Dissection;
use serde_json::{Value as Json, json};

use crate::args::{GuessArgs, OctetFormat};
use crate::failure::{Exit, Failure, tell_line};
use crate::input;
use crate::lines::Lines;
use crate::octets;
use crate::output::Output;
use crate::table;

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
                false => octets::read(line, OctetFormat::Hex),
            });
            let octets = octets.map_err(|failure| failure.on_line(count).in_file(&input::display_name(path)))?;
            if count > 1 && !self.json {
                self.output.write(b"\n")?;
            }
            self.message(&octets)?;
        }
        if count == 0 { Err(input::empty().in_file(&input::display_name(path))) } else { Ok(()) }
    }

    fn message(&mut self, octets: &[u8]) -> Result<(), Failure> {
        let mut answers: Vec<Answer> = packet(&self.guesser, octets).into_iter().collect();
        answers.extend(self.guesser.guess(octets).into_iter().map(Answer::from));
        if answers.is_empty() {
            self.open += 1;
            if !self.json {
                tell_line(&format!("roadwire: {} octets are nothing that roadwire knows", octets.len()));
                tell_line(
                    "  help: are they whole, and without the frame around them? recorded frames are for `roadwire capture`",
                );
            }
        }
        let text = if self.json {
            format!("{}\n", answers.iter().map(Answer::to_json).collect::<Json>())
        } else {
            let rows: Vec<table::Row> = answers.iter().map(Answer::to_row).collect();
            if rows.is_empty() { String::new() } else { table::aligned(&rows) }
        };
        self.output.write(text.as_bytes())
    }

    fn exit(&self) -> Exit {
        if self.open == 0 { Exit::Done } else { Exit::Refused }
    }
}

/// What octets may be.
struct Answer {
    schema: String,
    type_name: String,
    rules: &'static str,
    score: f64,
    why: Vec<String>,
}

impl From<Guess> for Answer {
    fn from(guess: Guess) -> Self {
        Answer {
            schema: guess.schema.to_owned(),
            type_name: guess.type_name.to_owned(),
            rules: guess.rules.name(),
            score: guess.score,
            why: guess.why,
        }
    }
}

impl Answer {
    fn to_json(&self) -> Json {
        json!({"schema": self.schema, "type": self.type_name, "rules": self.rules, "score": self.score, "why": self.why})
    }

    fn to_row(&self) -> table::Row {
        vec![
            ("score", json!(format!("{:.3}", self.score))),
            ("schema", json!(self.schema)),
            ("type", json!(self.type_name)),
            ("rules", json!(self.rules)),
            ("why", json!(self.why.join("; "))),
        ]
    }
}

/// The answer for a GeoNetworking packet (EN 302 636-4-1): all headers can be read, reserved octets are zero, and the payload is as long as its header says.
fn packet(guesser: &Guesser, octets: &[u8]) -> Option<Answer> {
    let found = Dissection::of_geonetworking(octets);
    let (basic, common) = (found.basic?, found.common?);
    let is_whole = found.problem.is_none() && found.payload_at.end == found.frame.len() || found.envelope.is_some();
    if found.problem.is_some() || basic.reserved != 0 || !is_whole {
        return None;
    }
    let mut why = vec![format!("headers of version {}, {} octets", basic.version, found.payload_at.start)];
    why.push("reserved octets are zero".to_owned());
    why.push(
        if found.envelope.is_some() { "a security envelope is around it" } else { "its length is right" }.to_owned(),
    );
    if let Some(message) = found.message() {
        why.push(match guesser.guess(message).first() {
            Some(inside) => format!("inside is {} in {}, score {:.3}", inside.schema, inside.rules, inside.score),
            None => "inside is nothing that roadwire knows".to_owned(),
        });
    }
    Some(Answer {
        schema: format!("geonetworking-{}", basic.version),
        type_name: common.packet_type.name().to_owned(),
        rules: "geonetworking",
        score: 1.0 - AGREED,
        why,
    })
}

/// The chance that random octets have these headers: 2 octets of length, 2 of zeros, and the numbers of version and headers, of 4 bits each.
const AGREED: f64 = 1.0 / (1_u64 << 40) as f64;

/// Whether octets are text, XML or JSON, and not their hexadecimal digits.
fn is_text(octets: &[u8]) -> bool {
    let first = octets.iter().find(|octet| !octet.is_ascii_whitespace());
    first.is_some_and(|first| matches!(first, b'<' | b'{')) && std::str::from_utf8(octets).is_ok()
}
