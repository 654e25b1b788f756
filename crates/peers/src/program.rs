//! Other implementations as separate programs, with the protocol of `peers/README.md`.

mod set;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::{env, fs};

use roadwire_layout::Rules;
use serde::Deserialize;

use crate::content::{Message, Schema};
use crate::hex;
use crate::roadwire::Toed;
use crate::{Engine, Kind, TimedRegion};
use roadwire_files::{PrivateFolder, output_of};
use roadwire_measure::cell::{Absent, Cell, Direction, Done, Sample, Transcode, Watch};
use roadwire_measure::clock;

/// `peer.toml`.
#[derive(Deserialize)]
struct Description {
    name: String,
    origin: String,
    build: PathBuf,
    timed_region: TimedRegion,
}

/// An implementation that is a program.
pub struct Program {
    about: Description,
    /// The program and its version, or why there is none.
    built: Result<(PathBuf, String), String>,
    /// Where it was built.
    _folder: Arc<PrivateFolder>,
}

/// Builds all peers that a folder describes, in the order of their folders' names.
///
/// # Errors
/// A folder that cannot be read, or a description that is wrong. A peer that cannot be built is not an error: it is absent.
pub fn peers(folder: &Path) -> Result<Vec<Box<dyn Engine>>, String> {
    let told = |path: &Path, why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let entries = fs::read_dir(folder).map_err(|error| told(folder, &error))?;
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.retain(|path| path.join("peer.toml").is_file());
    folders.sort();
    let temporary = env::temp_dir();
    let made = PrivateFolder::new_in(&temporary, "roadwire-peers-").map_err(|error| told(&temporary, &error))?;
    let temporary = Arc::new(made);
    let schemas = temporary.path().join("schemas");
    write_schemas(&schemas).map_err(|error| told(&schemas, &error))?;
    let mut peers: Vec<Box<dyn Engine>> = Vec::new();
    for path in folders {
        let toml = path.join("peer.toml");
        let text = fs::read_to_string(&toml).map_err(|error| told(&toml, &error))?;
        let about: Description = toml::from_str(&text).map_err(|error| told(&toml, &error))?;
        let built = build(&path.join(&about.build), &temporary.path().join(&about.name), &schemas);
        peers.push(Box::new(Program { about, built, _folder: temporary.clone() }));
    }
    Ok(peers)
}

/// The modules that roadwire ships, and the schemas of XML and Protocol Buffers that it derives from those of the studies.
fn write_schemas(folder: &Path) -> std::io::Result<()> {
    let [modules, papers, xml, proto] = ["etsi", "papers", "xsd", "proto"].map(|kind| folder.join(kind));
    [&modules, &papers, &xml, &proto].into_iter().try_for_each(fs::create_dir_all)?;
    for (folder, schemas) in [(&modules, roadwire_messages::SCHEMAS), (&papers, roadwire_papers::SCHEMAS)] {
        let mut files = schemas.iter().flat_map(|schema| schema.modules);
        files.try_for_each(|(name, text)| fs::write(folder.join(name), text))?;
    }
    for schema in Schema::ALL {
        let (model, root) = schema.model().map_err(std::io::Error::other)?;
        let text = roadwire_layout::proto_schema(&model, root).map_err(std::io::Error::other)?;
        fs::write(proto.join(format!("{schema}.proto")), text)?;
        for rules in [Rules::Exi, Rules::ExiDefault, Rules::ExiMerged, Rules::ExiSplit] {
            let text = roadwire_layout::xml_schema(&model, root, rules).map_err(std::io::Error::other)?;
            fs::write(xml.join(format!("{schema}-{rules}.xsd")), text)?;
        }
    }
    Ok(())
}

/// Builds a peer in a folder, and returns the program and its version.
fn build(script: &Path, folder: &Path, schemas: &Path) -> Result<(PathBuf, String), String> {
    let output = fs::canonicalize(script)
        .and_then(|script| output_of(Command::new(script).arg(folder).arg(schemas)))
        .map_err(|error| format!("{}: {error}", script.display()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = text.lines();
    match (output.status.success(), lines.next()) {
        (true, Some(program)) => Ok((program.into(), lines.next().unwrap_or("unknown").into())),
        _ => {
            let why = String::from_utf8_lossy(&output.stderr);
            Err(format!("cannot be built here: {}", why.lines().last().unwrap_or("it does not say why")))
        }
    }
}

impl Engine for Program {
    fn name(&self) -> &str {
        &self.about.name
    }

    fn version(&self) -> &str {
        self.built.as_ref().map_or("", |(_, version)| version)
    }

    fn kind(&self) -> Kind {
        Kind::Peer
    }

    fn origin(&self) -> &str {
        &self.about.origin
    }

    fn timed_region(&self) -> TimedRegion {
        self.about.timed_region.clone()
    }

    fn cell(&self, message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent> {
        let (program, _) = self.built.as_ref().map_err(|why| Absent(why.clone()))?;
        // It does not support JER: it gets our octets, and the gate then compares its octets with those of all others.
        let octets = Toed.cell(message, rules)?.bytes().map_err(Absent)?;
        let mut run = Running::start(program, [rules.name(), message.id, message.schema.name()])
            .map_err(|error| Absent(format!("{}: {error}", program.display())))?;
        match run.ask(&format!("load {}", hex::encode(&octets))) {
            Ok(again) => Ok(Box::new(ProgramCell { octets: hex::decode(&again).unwrap_or_default(), run })),
            Err(why) => Err(Absent(format!("{} has no {rules} of this message: {why}", self.about.name))),
        }
    }

    fn transcoder(&self, schema: Schema, rules: Rules) -> Result<Box<dyn Transcode>, Absent> {
        set::transcoder(self, schema, rules)
    }
}

/// A running program, which is stopped when this is dropped.
struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Running {
    fn start(program: &Path, arguments: [&str; 3]) -> std::io::Result<Running> {
        let mut child = Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => Ok(Running { child, input, output: BufReader::new(output) }),
            _ => Err(std::io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// The line that it answers with; an error if it has ended.
    fn answer(&mut self, line: &str) -> std::io::Result<String> {
        let mut answer = String::new();
        writeln!(self.input, "{line}")?;
        match self.output.read_line(&mut answer)? {
            0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(answer),
        }
    }

    /// What follows `ok`, or why not.
    fn ask(&mut self, line: &str) -> Result<String, String> {
        let answer = self.answer(line).map_err(|error| error.to_string())?;
        match answer.trim_end().split_once(' ') {
            Some(("ok", rest)) => Ok(rest.into()),
            Some(("no", why)) => Err(why.into()),
            _ => Err("it does not have it".into()),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A message in a separate program.
struct ProgramCell {
    run: Running,
    octets: Vec<u8>,
}

impl Cell for ProgramCell {
    fn bytes(&mut self) -> Result<Vec<u8>, String> {
        Ok(self.octets.clone())
    }

    fn recode(&mut self, before: &[u8], octets: &[u8]) -> Result<Vec<u8>, String> {
        // Whether it is refused is not asked.
        _ = self.run.ask(&format!("recode {}", hex::encode(before)));
        let again = self.run.ask(&format!("recode {}", hex::encode(octets)))?;
        hex::decode(&again).ok_or_else(|| "its answer is not octets".into())
    }

    fn batch(&mut self, direction: Direction, count: u64) -> Done {
        self.sample(direction, count).done
    }

    /// By its own clocks: communication between the programs is not included.
    fn sample(&mut self, direction: Direction, count: u64) -> Sample {
        sample(&self.run.ask(&format!("time {} {count}", direction.name())).unwrap_or_default())
    }

    /// Its clock may have steps that are longer than a sample.
    fn clock_step(&mut self, direction: Direction) -> f64 {
        clock::step_of(|count| self.sample(direction, count).cpu)
    }

    fn is_inside(&self) -> bool {
        false
    }

    fn probe(&mut self, _: Direction, _: Watch<'_>) -> Result<(), String> {
        Ok(())
    }

    fn message_size(&self) -> usize {
        0
    }
}

/// What a program answers to `time`. Without counts nothing was done.
fn sample(answer: &str) -> Sample {
    let mut words = answer.split(' ');
    let mut time = || words.next().and_then(|word| word.parse().ok()).unwrap_or(f64::NAN);
    let (cpu, wall) = (time(), time());
    let mut count = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
    Sample { cpu, wall, done: Done { calls: count(), octets: count() } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_tells_times_and_what_it_did() {
        let done = Done { calls: 3, octets: 123 };
        assert_eq!(sample("1500 1600 3 123"), Sample { cpu: 1500.0, wall: 1600.0, done });
        assert_eq!(sample("1500 1600").done, Done::default());
        assert!(sample("").cpu.is_nan());
    }
}
