//! Files as pieces, one after the other.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::vec;

use roadwire_capture::file::{Chunk, Part, Reader};
use roadwire_security::Report;

use crate::Error;
use crate::counted::{Count, Counted};
use crate::input::{self, Source};

/// Some frames of a file.
pub struct Piece {
    /// The file, as errors call it.
    pub file: Arc<str>,
    pub(crate) chunk: Chunk,
    /// The report on each entry of the chunk; empty where nothing is verified.
    pub(crate) reports: Vec<Option<Report>>,
    /// Octets of the file that have been read, and that there are; 0 for a pipe.
    pub progress: (u64, u64),
    /// Whether no more comes of this file.
    pub is_last: bool,
    /// Why the file is not read, or not to its end.
    pub error: Option<Error>,
}

/// Reads files.
pub struct Pieces {
    files: vec::IntoIter<PathBuf>,
    /// Only for a single input.
    part: Part,
    /// In place of the file of a single name.
    source: Option<Source>,
    /// Of each piece.
    blocks: usize,
    current: Option<Open>,
}

/// A file that is being read.
struct Open {
    path: PathBuf,
    name: Arc<str>,
    reader: Reader<Counted<Source>>,
    read: Count,
    length: u64,
    /// From a pipe, a frame is a piece as soon as it has come.
    blocks: usize,
}

impl Pieces {
    /// Of all files, in their order; so many blocks at once.
    #[must_use]
    pub fn new(files: Vec<PathBuf>, blocks: usize) -> Pieces {
        Pieces { files: files.into_iter(), part: Part::whole(), source: None, blocks, current: None }
    }

    /// Of a part of a file.
    #[cfg(feature = "columns")]
    pub(crate) fn of_part(file: PathBuf, part: Part, blocks: usize) -> Pieces {
        Pieces { part, ..Pieces::new(vec![file], blocks) }
    }

    /// Of octets that are no file's; errors and records have the name.
    #[cfg(feature = "columns")]
    pub(crate) fn of_source(name: &str, source: Source, blocks: usize) -> Pieces {
        Pieces { source: Some(source), ..Pieces::new(vec![name.into()], blocks) }
    }

    fn open(&mut self, path: PathBuf, name: Arc<str>) -> Result<Open, Error> {
        let given = self.source.take();
        let is_live = given.is_none() && input::is_live(&path);
        let source: Source = match given {
            Some(source) => source,
            None if input::is_stdin(&path) => Box::new(io::stdin()),
            None => Box::new(self.part.open(&path).map_err(|error| Error::io("read", &path, &error))?),
        };
        let (source, read) = Counted::new(source);
        let length = if is_live { 0 } else { path.metadata().map_or(0, |found| found.len()) };
        let reader = Reader::of_part(source, &self.part);
        Ok(Open { path, name, reader, read, length, blocks: if is_live { 0 } else { self.blocks } })
    }
}

impl Iterator for Pieces {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let mut open = match self.current.take() {
            Some(open) => open,
            None => {
                let path = self.files.next()?;
                let name: Arc<str> = input::display_name(&path).into();
                match self.open(path, Arc::clone(&name)) {
                    Ok(open) => open,
                    Err(error) => return Some(Piece::last(name, Chunk::default(), Some(error))),
                }
            }
        };
        let chunk = open.reader.chunk(open.blocks);
        let error = chunk.end().map(|error| input::unread(&open.path, error));
        if error.is_some() || chunk.is_empty() {
            return Some(Piece::last(open.name, chunk, error));
        }
        let progress = (open.read.get(), open.length);
        let piece = Piece { progress, is_last: false, ..Piece::last(Arc::clone(&open.name), chunk, None) };
        self.current = Some(open);
        Some(piece)
    }
}

impl Piece {
    /// Gives the room of its frames back, while the records of others are waited for.
    pub(crate) fn forget_frames(&mut self) {
        self.chunk = Chunk::default();
        self.reports = Vec::new();
    }

    fn last(file: Arc<str>, chunk: Chunk, error: Option<Error>) -> Piece {
        Piece { file, chunk, reports: Vec::new(), progress: (0, 0), is_last: true, error }
    }
}
