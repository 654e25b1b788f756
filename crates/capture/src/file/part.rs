//! Parts of a file that are read apart from each other, each by a reader of its own: on another
//! core, or another machine.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::iter;
use std::mem;
use std::ops::Range;
use std::path::Path;

use super::{Block, Format, Reader};

/// A part of a file: whole blocks of it, as [`Entry::begins`](super::Entry::begins) has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where the file says what its records are: the header of pcap; in pcapng the blocks of the
    /// section and of its interfaces. In octets of the file.
    pub described: Vec<Range<u64>>,
    /// The records, in octets of the file.
    pub records: Range<u64>,
    /// The number of the first frame, which counts from 1 in the file.
    pub first_frame: u64,
}

impl Part {
    /// All of a file.
    #[must_use]
    pub fn whole() -> Part {
        Part { described: Vec::new(), records: 0..u64::MAX, first_frame: 1 }
    }
}

/// Cuts a file into parts of at least so many octets, but for the last one. A gzipped file is one
/// part: its content is known only once it is unzipped up to there.
///
/// The file is read once: only the lengths of the records before it show where a record begins.
/// From a record on that ends the file, all is in the last part, whose reader says what is wrong.
///
/// # Errors
/// The error of the operating system.
pub fn parts(path: impl AsRef<Path>, octets: u64) -> io::Result<Vec<Part>> {
    let mut reader = Reader::open(path)?;
    let (mut parts, mut part) = (Vec::new(), Part::whole());
    let mut block = Block::default();
    loop {
        let (at, described) = (reader.buffer.offset(), reader.described());
        let number = reader.number + 1;
        let Some(frame) = reader.next_frame() else { break };
        if frame.as_ref().is_err_and(|error| !error.goes_on) {
            break;
        }
        let begins = block.add(frame.map_or(0, |frame| frame.octets.len()));
        if reader.is_zipped() {
            return Ok(vec![Part::whole()]);
        }
        if begins && at - part.records.start >= octets.max(1) && at > 0 {
            let next = Part { described, records: at..u64::MAX, first_frame: number };
            part.records.end = at;
            parts.push(mem::replace(&mut part, next));
        }
    }
    parts.push(part);
    Ok(parts)
}

impl Part {
    /// Opens the places of a file that are the part: for [`Reader::of_part`].
    ///
    /// # Errors
    /// The error of the operating system.
    pub fn open(&self, path: impl AsRef<Path>) -> io::Result<Parted> {
        let mut places = self.described.clone();
        places.push(self.records.clone());
        places.reverse();
        Ok(Parted { file: File::open(path)?, at: 0, places })
    }
}

impl<R: Read> Reader<R> {
    /// Reads a part of a file, whose octets come from `source`: frames have the numbers, and errors
    /// the places, that they have in the file.
    pub fn of_part(source: R, part: &Part) -> Reader<R> {
        let length = |place: &Range<u64>| place.end.saturating_sub(place.start);
        let described = part.described.iter().map(length).fold(0, u64::wrapping_add);
        let mut reader = Reader::new(source);
        reader.number = part.first_frame.saturating_sub(1);
        reader.buffer.set_offset(part.records.start.wrapping_sub(described));
        reader
    }
}

/// A file of which some places are read, one after the other.
#[derive(Debug)]
pub struct Parted {
    file: File,
    /// Where the file is.
    at: u64,
    /// The next one is the last.
    places: Vec<Range<u64>>,
}

impl Read for Parted {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while let Some(place) = self.places.last_mut() {
            // A pipe has no other place.
            if self.at != place.start {
                self.at = self.file.seek(SeekFrom::Start(place.start))?;
            }
            let left = usize::try_from(place.end.saturating_sub(place.start)).unwrap_or(usize::MAX);
            let most = into.len().min(left);
            let read = self.file.read(into.get_mut(..most).unwrap_or_default())?;
            self.at += read as u64;
            place.start = self.at;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            self.places.pop();
        }
        Ok(0)
    }
}

impl<R> Reader<R> {
    /// Where the file describes the records that come next.
    fn described(&self) -> Vec<Range<u64>> {
        match &self.format {
            Format::Unknown => Vec::new(),
            Format::Pcap(_) => iter::once(0..super::pcap::HEADER as u64).collect(),
            Format::Pcapng(pcapng) => pcapng.described().to_vec(),
        }
    }
}
