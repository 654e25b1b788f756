//! Files of recorded frames: pcap and pcapng, gzipped too.
//!
//! A [`Reader`] takes any `Read`, a file or a pipe, and gives one frame after the other as soon as
//! it arrives. It holds one record at a time: memory does not grow with the file. A program that
//! works on several cores takes [`Chunk`]s of frames from it; one that works on several machines,
//! [`Part`]s of a file.

mod buffer;
mod chunk;
mod part;
mod pcap;
mod pcapng;
mod zipped;

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::path::Path;
use std::{fmt, mem};

use crate::dissection::{Check, Dissection};
use crate::fault::{Fault, faults};
use crate::link::LinkType;
use crate::time::Time;
use buffer::Buffer;
use chunk::Block;
pub use chunk::{Chunk, Entry};
pub use part::{Part, Parted, parts};
use pcap::Pcap;
use pcapng::Pcapng;
use zipped::Zipped;

/// How many octets a record, or a block of pcapng that is read, may have: 16 MiB. Other blocks are
/// skipped, however long.
pub const MAX_RECORD: usize = 16 << 20;

/// Reads frames from a pcap or pcapng file, which may be gzipped.
pub struct Reader<R> {
    buffer: Buffer<Source<R>>,
    format: Format,
    number: u64,
    is_done: bool,
    block: Block,
}

/// A frame in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Its number in the file, from 1 on.
    pub number: u64,
    /// When it was recorded. A simple packet block of pcapng has no time.
    pub time: Option<Time>,
    /// The kind of frame.
    pub link_type: LinkType,
    /// Whether it ends with its frame check sequence, as far as the file says.
    pub check: Check,
    /// How many octets it had; more than there are if it was not recorded as a whole.
    pub original_length: u32,
    /// The frame.
    pub octets: &'a [u8],
}

impl<'a> Frame<'a> {
    /// Takes it apart.
    #[must_use]
    pub fn dissect(&self) -> Dissection<'a> {
        Dissection::new(self.link_type, self.check, self.octets)
    }
}

/// Why a file, or one of its records, cannot be read.
#[derive(Debug)]
pub struct FileError {
    /// The fault.
    pub fault: Fault,
    /// The error of the operating system, or of the decompressor.
    pub source: Option<io::Error>,
    /// Where in the file (unzipped) the record begins, in octets.
    pub octet: u64,
    /// The number of the frame that it concerns, or that would have followed.
    pub frame: u64,
    /// Whether the reader continues with the next record. Otherwise this is the last thing that it
    /// returns.
    pub goes_on: bool,
}

impl FileError {
    /// Its identity, such as `capture.truncated`: stable.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.fault.code()
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Some(source) => write!(f, "{}: {source}", self.fault)?,
            None => write!(f, "{}", self.fault)?,
        }
        write!(f, " at octet {} (frame {})", self.octet, self.frame)
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

impl Reader<File> {
    /// Opens a file.
    ///
    /// # Errors
    /// The error of the operating system.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Reader<File>> {
        File::open(path).map(Reader::new)
    }
}

impl<R: Read> Reader<R> {
    /// Reads from a file or a pipe. It has a buffer of its own.
    pub fn new(source: R) -> Reader<R> {
        Reader {
            buffer: Buffer::new(Source::Plain(source)),
            format: Format::Unknown,
            number: 0,
            is_done: false,
            block: Block::default(),
        }
    }

    /// The next frame, or its fault; nothing at the end of the file.
    pub fn next_frame(&mut self) -> Option<Result<Frame<'_>, FileError>> {
        if self.is_done {
            return None;
        }
        match self.record() {
            Ok(None) => {
                self.is_done = true;
                None
            }
            Ok(Some(Record { time, link_type, check, original_length, octets })) => {
                // A part may say that it begins with any number.
                self.number = self.number.saturating_add(1);
                let octets = self.buffer.octets(octets);
                // Where a frame is not whole, its frame check sequence is missing.
                let is_whole = original_length as usize <= octets.len();
                let check = if is_whole { check } else { Check::Absent };
                Some(Ok(Frame { number: self.number, time, link_type, check, original_length, octets }))
            }
            Err(Problem { fault, source, octet, goes_on }) => {
                self.is_done = !goes_on;
                self.number = self.number.saturating_add(u64::from(goes_on));
                let frame = self.number.saturating_add(u64::from(!goes_on));
                Some(Err(FileError { fault, source, octet: octet.unwrap_or(0), frame, goes_on }))
            }
        }
    }

    fn record(&mut self) -> Result<Option<Record>, Problem> {
        if let Format::Unknown = self.format {
            self.start()?;
        }
        let octet = self.buffer.offset();
        let record = match &mut self.format {
            Format::Unknown => Err(faults::FILE_FORMAT.into()),
            Format::Pcap(pcap) => pcap.record(&mut self.buffer),
            Format::Pcapng(pcapng) => pcapng.record(&mut self.buffer),
        };
        record.map_err(|problem| Problem { octet: problem.octet.or(Some(octet)), ..problem })
    }

    /// Finds out the kind of file.
    fn start(&mut self) -> Result<(), Problem> {
        if self.buffer.fill(2)? && self.buffer.rest().starts_with(&[0x1f, 0x8b]) {
            let rest = self.buffer.rest().to_vec();
            let buffer = mem::replace(&mut self.buffer, Buffer::new(Source::Nothing));
            self.buffer = Buffer::new(buffer.into_source().unzipped(rest));
        }
        if !self.buffer.fill(4)? {
            return Err(faults::FILE_FORMAT.into());
        }
        self.format = match self.buffer.rest() {
            [0x0a, 0x0d, 0x0d, 0x0a, ..] => Format::Pcapng(Pcapng::default()),
            _ => Format::Pcap(Pcap::start(&mut self.buffer)?),
        };
        Ok(())
    }
}

impl<R> Reader<R> {
    fn is_zipped(&self) -> bool {
        matches!(self.buffer.source(), Source::Zipped(_))
    }
}

impl<R> fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("number", &self.number).finish_non_exhaustive()
    }
}

enum Format {
    Unknown,
    Pcap(Pcap),
    Pcapng(Pcapng),
}

/// Where octets come from.
enum Source<R> {
    Plain(R),
    Zipped(Box<Zipped<io::Chain<Cursor<Vec<u8>>, R>>>),
    Nothing,
}

impl<R: Read> Source<R> {
    /// The same source, unzipped; its first octets have been read already.
    fn unzipped(self, first: Vec<u8>) -> Source<R> {
        match self {
            Source::Plain(source) => Source::Zipped(Box::new(Zipped::new(Cursor::new(first).chain(source)))),
            other => other,
        }
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Source::Plain(source) => source.read(into),
            Source::Zipped(source) => source.read(into),
            Source::Nothing => Ok(0),
        }
    }
}

/// A frame, as its record has it.
struct Record {
    time: Option<Time>,
    link_type: LinkType,
    check: Check,
    original_length: u32,
    octets: Range<usize>,
}

/// A fault in a record.
struct Problem {
    fault: Fault,
    source: Option<io::Error>,
    /// Where the record begins; nothing where that is the start of the file.
    octet: Option<u64>,
    goes_on: bool,
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Problem {
        Problem { fault, source: None, octet: None, goes_on: false }
    }
}

/// A gzip stream that is cut off is a file that is cut off.
impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Problem {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => faults::FILE_TRUNCATED.into(),
            _ => Problem { source: Some(error), ..faults::FILE_READ.into() },
        }
    }
}

impl Problem {
    /// Of this packet alone: the next record is known.
    fn of_packet(fault: Fault, octet: u64) -> Problem {
        Problem { goes_on: true, octet: Some(octet), ..fault.into() }
    }
}

/// The order of the octets in a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Order {
    #[default]
    Little,
    Big,
}

impl Order {
    fn u16(self, octets: [u8; 2]) -> u16 {
        if self == Order::Big { u16::from_be_bytes(octets) } else { u16::from_le_bytes(octets) }
    }

    fn u32(self, octets: [u8; 4]) -> u32 {
        if self == Order::Big { u32::from_be_bytes(octets) } else { u32::from_le_bytes(octets) }
    }

    fn u64(self, octets: [u8; 8]) -> u64 {
        if self == Order::Big { u64::from_be_bytes(octets) } else { u64::from_le_bytes(octets) }
    }
}
