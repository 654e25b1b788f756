//! The way of a frame from its octets to its record.

use roadwire_capture::file::{Entry, FileError, Frame};
use roadwire_security::Report;

use crate::Error;
use crate::filter::{self, Filter, Known};
use crate::notes::{Measure, Note};
use crate::pieces::Piece;
use crate::problem::Problem;
use crate::recognition::{Candidate, Message, Recognition, Schemas};
use crate::record::{self, Heading, Layers};
use crate::records::{Made, Records};
use crate::summary::{Kind, Summary};

/// The work on each frame.
pub struct Walk<'a> {
    recognition: Recognition<'a>,
    filter: Option<Filter>,
    /// The schema of which alone messages are wanted.
    wanted: Option<&'static str>,
    records: Records,
    measure: Option<Measure>,
    ignores_checksum: bool,
}

/// The result of one chunk.
pub struct Walked {
    /// The output for the frames.
    pub records: Made,
    /// How many there were of each kind.
    pub summary: Summary,
    /// For a report.
    pub notes: Vec<Note>,
}

impl<'a> Walk<'a> {
    /// Makes records of all frames.
    #[must_use]
    pub fn new(schemas: &'a Schemas, records: Records) -> Self {
        let recognition = Recognition::new(schemas);
        Walk { recognition, filter: None, wanted: None, records, measure: None, ignores_checksum: false }
    }

    /// The same of those frames alone that have a message of this schema.
    ///
    /// # Errors
    /// `schema.unknown`: no recorded message is of it.
    #[cfg(feature = "columns")]
    pub(crate) fn of_message(mut self, name: Option<&str>) -> Result<Self, Error> {
        let Some(name) = name else { return Ok(self) };
        let all = self.recognition.all();
        self.wanted = all.iter().map(|one| one.name).find(|known| *known == name);
        if self.wanted.is_some() {
            return Ok(self);
        }
        let error = Error::usage("schema.unknown", format!("recordings have no message of a schema `{name}`"));
        Err(match crate::fields::alike(name, all.iter().map(|one| one.name)) {
            Some(advice) => error.advise(advice),
            None => error,
        })
    }

    /// The same of those frames alone of which an expression is true.
    ///
    /// # Errors
    /// The expression cannot be read, or a comparison in it has no sense: with verdicts only where
    /// they are verified.
    pub fn filtered(mut self, text: Option<&str>, verifies: bool) -> Result<Self, Error> {
        let all = self.recognition.all();
        let names: Vec<_> = all.iter().map(|one| (one.name, one.type_name)).collect();
        let (known, candidates) = (Known { names: &names, verifies }, all.iter().map(candidate));
        self.filter = text.map(|text| Filter::new(text, &known, candidates)).transpose()?;
        Ok(self)
    }

    /// The same, and notes for a report.
    #[must_use]
    pub fn noting(mut self, is_wanted: bool) -> Self {
        self.measure = is_wanted.then(Measure::default);
        self
    }

    /// Also decodes the messages of frames whose check sequence is wrong; they count in no report.
    #[must_use]
    pub fn ignoring_checksum(mut self, ignores: bool) -> Self {
        self.ignores_checksum = ignores;
        self
    }

    /// All frames of a piece.
    ///
    /// # Errors
    /// Records that cannot be made.
    pub(crate) fn piece(&mut self, piece: &Piece) -> Result<Walked, Error> {
        let (mut summary, mut notes) = (Summary::default(), Vec::new());
        for (at, Entry { begins, frame }) in piece.chunk.entries().enumerate() {
            if begins {
                self.recognition.forget();
            }
            let report = piece.reports.get(at).and_then(Option::as_ref);
            match frame {
                Ok(frame) => self.frame(&piece.file, &frame, report, &mut summary, &mut notes)?,
                Err(error) => self.packet(&piece.file, error, &mut summary)?,
            }
        }
        Ok(Walked { records: self.records.take()?, summary, notes })
    }

    fn frame(
        &mut self,
        file: &str,
        frame: &Frame<'_>,
        report: Option<&Report>,
        summary: &mut Summary,
        notes: &mut Vec<Note>,
    ) -> Result<(), Error> {
        let found = frame.dissect();
        let link = record::link(frame.link_type, &found);
        let time = frame.time.filter(record::has_date);
        let heading = Heading { file, frame: frame.number, time, link: Some(&link) };
        let wrong_time = || (frame.time.is_some() && time.is_none()).then(Problem::of_time);
        let mut problem = Problem::of_headers(&found).or_else(wrong_time);
        let octets = found.message_as_read();
        let port = found.btp.map(|btp| btp.port());
        let is_believed = !found.is_damaged() || self.ignores_checksum;
        let facility = octets.filter(|_| found.wsmp.is_none() && is_believed);
        let layers = Layers { found: &found, report };
        if self.wanted.is_some() && facility.is_none() {
            summary.left_out();
            return Ok(());
        }
        if let Some(filter) = &mut self.filter {
            filter.headers(|look| {
                record::heading(look, &heading);
                record::layers(look, &layers);
            });
            match octets {
                Some(octets) => filter.octets(octets, facility.is_some()),
                None => look_at_problem(filter, problem.as_ref()),
            }
            if filter.is_wanted() == Some(false) {
                summary.left_out();
                return Ok(());
            }
        }
        let mut known = None;
        if let Some(octets) = facility {
            match self.recognition.place(port, octets) {
                Ok(place) => known = place.and_then(|place| self.recognition.taken(place)),
                // A wrong check sequence explains what else is wrong.
                Err(_) if found.is_damaged() => {}
                Err(refused) => problem = Some(refused),
            }
        }
        if self.wanted.is_some() && known.as_deref().map(|known| known.name) != self.wanted {
            summary.left_out();
            return Ok(());
        }
        if let Some(filter) = &mut self.filter {
            if let Some((of, message)) =
                known.as_deref().and_then(|known| Some((candidate(known).ok()?, known.message())))
            {
                match message {
                    Message::Data(value) => filter.message(&of, value),
                    Message::OnTape(value) => filter.message(&of, value),
                }
            }
            look_at_problem(filter, problem.as_ref());
            if filter.is_wanted() != Some(true) {
                summary.left_out();
                return Ok(());
            }
        }
        if let Some(measure) = &mut self.measure {
            let message = known.as_deref().zip(octets).filter(|_| !found.is_damaged());
            notes.push(measure.note(&found, frame.time, message, problem.as_ref(), report));
        }
        let mut name = known.as_deref().map(|known| known.name);
        // A message that breaks constraints is shown, and counts as refused.
        let shown = match facility {
            Some(octets) if name.is_none() && problem.is_some() && self.records.have_values() => {
                self.recognition.open(port, octets)
            }
            _ => known,
        };
        let unwritten = self.records.push(&heading, Some(layers), octets, shown, problem.as_ref())?;
        if let Some(unwritten) = unwritten {
            (name, problem) = (None, problem.or(Some(unwritten)));
        }
        let unknown = if problem.is_some() { "refused" } else { "unknown" };
        let kind = Kind {
            packet: found.common.map(|common| common.packet_type.name()),
            security: found.envelope.map(|envelope| record::format(&envelope, &found)),
            verdict: report.map(|report| report.verdict.name()),
            message: octets.map(|_| name.unwrap_or(unknown)),
            link: Some(link),
        };
        summary.frame(kind, problem.as_ref().map(|problem| problem.code.as_str()));
        Ok(())
    }

    /// A packet in a whole block, which cannot be read.
    fn packet(&mut self, file: &str, error: &FileError, summary: &mut Summary) -> Result<(), Error> {
        let heading = Heading { file, frame: error.frame, time: None, link: None };
        let problem = Problem::of_file(error);
        if self.wanted.is_some() {
            summary.left_out();
            return Ok(());
        }
        if let Some(filter) = &mut self.filter {
            filter.headers(|look| record::heading(look, &heading));
            look_at_problem(filter, Some(&problem));
            if filter.is_wanted() != Some(true) {
                summary.left_out();
                return Ok(());
            }
        }
        self.records.push(&heading, None, None, None, Some(&problem))?;
        let kind = Kind { link: None, packet: None, security: None, verdict: None, message: None };
        summary.frame(kind, Some(error.code()));
        Ok(())
    }
}

fn candidate<'a>(of: &Candidate<'a>) -> Result<filter::Candidate<'a>, Error> {
    let (model, type_id) = of.types()?;
    Ok(filter::Candidate { schema: of.name, type_name: of.type_name, model, type_id })
}

fn look_at_problem(filter: &mut Filter, problem: Option<&Problem>) {
    filter.problem(|look| {
        if let Some(problem) = problem {
            record::problem(look, problem);
        }
    });
}
