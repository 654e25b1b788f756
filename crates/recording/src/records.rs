//! The output for frames: lines, tables, or columns of all of them.

use crate::Error;
use crate::lines::Lines;
use crate::problem::Problem;
use crate::recognition::Candidate;
use crate::record::{self, Heading, Layers, Record};
#[cfg(feature = "columns")]
use crate::tables::{Builders, Frames, Row, Rows};

/// The most blocks whose lines all jobs together work on at once, unless each has but one: 1 MiB of
/// a recording, whose records take several times as much.
const MOST_BLOCKS: usize = 32;

/// Takes the records of a chunk.
pub enum Records {
    /// An object on a line for each frame.
    Lines(Lines),
    /// A table for each type of message.
    #[cfg(feature = "columns")]
    Tables(Builders),
    /// The columns of all frames, without the values of their messages.
    #[cfg(feature = "columns")]
    Frames(Frames),
    /// There is a report alone.
    Nothing,
}

/// The records of a chunk.
pub enum Made {
    /// Lines, each with its end.
    Lines(Lines),
    /// Rows for each table.
    #[cfg(feature = "columns")]
    Tables(Vec<Rows>),
    /// The columns of all frames; nothing if there were none.
    #[cfg(feature = "columns")]
    Frames(Option<roadwire_columns::arrays::StructArray>),
    /// There is a report alone.
    Nothing,
}

impl Records {
    /// How many blocks of a file each of so many jobs works on at once. With many jobs there are
    /// fewer blocks of lines for each, so that memory stays bounded. Columns take time to become
    /// arrays, however few rows they have, and files of tables are cut where arrays end: they are
    /// the same for any number of jobs.
    #[must_use]
    pub fn blocks(&self, jobs: usize) -> usize {
        match self {
            #[cfg(feature = "columns")]
            Records::Tables(_) => 32,
            #[cfg(feature = "columns")]
            Records::Frames(_) => 64,
            Records::Lines(_) | Records::Nothing => (MOST_BLOCKS / jobs.max(1)).clamp(1, 8),
        }
    }

    /// Whether they have the values of messages.
    pub(crate) fn have_values(&self) -> bool {
        match self {
            Records::Lines(_) => true,
            #[cfg(feature = "columns")]
            Records::Tables(_) => true,
            #[cfg(feature = "columns")]
            Records::Frames(_) => false,
            Records::Nothing => false,
        }
    }

    /// Appends a record. A message that cannot be written is left as octets, with the problem that
    /// is returned.
    ///
    /// # Errors
    /// A schema has no columns.
    pub(crate) fn push(
        &mut self,
        heading: &Heading<'_>,
        layers: Option<Layers<'_>>,
        octets: Option<&[u8]>,
        mut known: Option<&mut Candidate<'_>>,
        problem: Option<&Problem>,
    ) -> Result<Option<Problem>, Error> {
        let mut unwritten = None;
        match self {
            Records::Lines(lines) => {
                if let (Some(octets), Some(candidate)) = (octets, known.as_deref_mut()) {
                    unwritten = candidate.write_json(octets).err();
                }
                let lines = lines.text();
                let mut record = Record::open(lines);
                record::heading(&mut record, heading);
                if let Some(layers) = &layers {
                    record::layers(&mut record, layers);
                }
                if let Some(octets) = octets {
                    record.message(octets, known.as_deref().filter(|_| unwritten.is_none()));
                }
                if let Some(problem) = problem.or(unwritten.as_ref()) {
                    record::problem(&mut record, problem);
                }
                record.close();
                lines.push('\n');
            }
            #[cfg(feature = "columns")]
            Records::Tables(tables) => {
                let row = Row { heading, layers, octets, known: known.as_deref(), problem };
                if let Err(error) = tables.push(&row) {
                    let refused = Problem::from(error);
                    tables.push(&Row { known: None, problem: problem.or(Some(&refused)), ..row })?;
                    unwritten = Some(refused);
                }
            }
            #[cfg(feature = "columns")]
            Records::Frames(frames) => {
                frames.push(&Row { heading, layers, octets, known: known.as_deref(), problem });
            }
            Records::Nothing => {}
        }
        Ok(unwritten)
    }

    /// All records so far. Afterwards there are none.
    ///
    /// # Errors
    /// Columns that do not become arrays.
    pub(crate) fn take(&mut self) -> Result<Made, Error> {
        Ok(match self {
            Records::Lines(lines) => Made::Lines(lines.take()),
            #[cfg(feature = "columns")]
            Records::Tables(tables) => Made::Tables(tables.take()?),
            #[cfg(feature = "columns")]
            Records::Frames(frames) => Made::Frames(if frames.rows() == 0 { None } else { Some(frames.finish(None)?) }),
            Records::Nothing => Made::Nothing,
        })
    }
}
