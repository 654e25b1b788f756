//! The common part of `convert --lines` and `migrate --lines`: each line of an input becomes a line
//! of the output, in order, on several cores.

use std::io;
use std::path::Path;
use std::thread;

use crate::args::OutputArgs;
use crate::failure::{Exit, Failure, tell_line};
use crate::identity::check_different;
use crate::input;
use crate::lines::{Batch, Batches};
use roadwire_recording::in_order::{cores, in_order};

/// Octets of a file up to which threads are not worth it.
const SHORT: u64 = 256 << 10;

/// The conversion of one line.
pub(crate) trait Convert: Send {
    /// The line that replaces line `number`. `notes` takes lines for stderr, in the order of the
    /// input.
    ///
    /// # Errors
    /// The first fault in the line.
    fn line(&mut self, number: u64, line: &[u8], notes: &mut Vec<String>) -> Result<Vec<u8>, Failure>;
}

/// Where lines come from, and where they go.
pub(crate) struct LineByLine<'a> {
    pub(crate) input: &'a Path,
    pub(crate) output: &'a OutputArgs,
    /// How many lines are worked on at once; by default, as many as there are cores.
    pub(crate) jobs: Option<u16>,
    pub(crate) json: bool,
}

impl LineByLine<'_> {
    /// Converts all lines: `first` those of the first worker, and what `more` makes those of each
    /// other one.
    ///
    /// A line that fails is reported in its place. A new file grows line by line. An existing file
    /// is replaced at the end of the input, if any line was converted.
    ///
    /// # Errors
    /// The input cannot be read, or is the output; the output cannot be written; another worker
    /// cannot be made.
    pub(crate) fn run<C: Convert>(
        &self,
        first: C,
        more: impl Fn() -> Result<C, Failure> + Send + Sync,
    ) -> Result<Exit, Failure> {
        let (path, json) = (self.input, self.json);
        let batches = Batches::new(input::open(path)?);
        check_different(path, self.output.path.as_deref())?;
        let mut output = self.output.open()?;
        output.keep_as_written()?;
        let (mut first, more) = (Some(first), &more);
        let workers = (0..self.jobs()).map(|_| {
            let mut own = first.take();
            move |batch| {
                let converter = match own.take() {
                    Some(converter) => own.insert(converter),
                    None => own.insert(more()?),
                };
                Ok(convert_batch(converter, batch, json))
            }
        });
        let (mut count, mut failed, mut first_failed) = (0, 0, None);
        thread::scope(|scope| {
            in_order(scope, workers.collect(), batches).try_for_each(|converted: Result<_, Failure>| {
                let converted: Converted = converted?;
                (count, failed) = (count + converted.count, failed + converted.failed);
                first_failed = first_failed.take().or(converted.first_failed);
                output.write(&converted.text)?;
                converted.notes.iter().for_each(|note| tell_line(note));
                converted.end.map_or(Ok(()), |error| Err(Failure::io("read", path, &error)))
            })
        })?;
        let Some((first_failed, why)) = first_failed else {
            output.finish()?;
            return Ok(Exit::Done);
        };
        let mut summary = format!("{failed} of {count} lines refused, the first is line {first_failed}");
        if failed == count && output.replaces() {
            let kept = self.output.path.as_deref().unwrap_or(path).display();
            summary.push_str(&format!(" ({why}); {kept} is left as it was"));
        } else {
            output.finish()?;
        }
        let name = input::display_name(path);
        if json {
            Failure::refused("lines.refused", summary).in_file(&name).tell(true);
        } else {
            tell_line(&format!("roadwire: {name}: {summary}"));
        }
        Ok(Exit::Refused)
    }

    /// As many as are asked for; one where threads are not worth it.
    fn jobs(&self) -> usize {
        let is_short = !input::is_live(self.input) && self.input.metadata().is_ok_and(|found| found.len() < SHORT);
        self.jobs.map_or_else(|| if is_short { 1 } else { cores() }, usize::from)
    }
}

/// Converted lines.
struct Converted {
    text: Vec<u8>,
    notes: Vec<String>,
    count: u64,
    failed: u64,
    /// Its number, and why.
    first_failed: Option<(u64, String)>,
    /// Why no more lines can be read.
    end: Option<io::Error>,
}

fn convert_batch(converter: &mut impl Convert, mut batch: Batch, json: bool) -> Converted {
    let (text, notes, end) = (Vec::new(), Vec::new(), batch.failed.take());
    let mut converted = Converted { text, notes, count: 0, failed: 0, first_failed: None, end };
    for (number, line) in batch.lines() {
        converted.count += 1;
        let one = line.and_then(|line| converter.line(number, line, &mut converted.notes));
        let written = one.map_err(|failure| failure.on_line(number)).unwrap_or_else(|failure| {
            converted.failed += 1;
            converted.first_failed.get_or_insert_with(|| (number, failure.line()));
            if json { failure.to_json().to_string() } else { format!("error: {}", failure.line()) }.into_bytes()
        });
        converted.text.extend_from_slice(&written);
        converted.text.push(b'\n');
    }
    converted
}
