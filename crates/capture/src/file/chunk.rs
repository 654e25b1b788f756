//! Frames that follow each other, copied out of a file, so that a thread can have them.

use std::io::Read;
use std::ops::Range;

use super::{FileError, Frame, Reader};

/// Where a block of a file ends: after so many frames, or so many octets of frames. The same file
/// always has the same blocks.
const MOST_FRAMES: usize = 512;
const MOST_OCTETS: usize = 32 << 10;

/// How far the block has got that is being read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    frames: usize,
    octets: usize,
}

impl Block {
    /// Adds a frame of so many octets; whether it is the first one of its block.
    pub(super) fn add(&mut self, octets: usize) -> bool {
        if self.is_full() {
            *self = Block::default();
        }
        self.frames += 1;
        self.octets += octets;
        self.frames == 1
    }

    fn is_full(self) -> bool {
        self.frames >= MOST_FRAMES || self.octets >= MOST_OCTETS
    }
}

/// Frames that follow each other, and the records that could not be read.
#[derive(Debug, Default)]
pub struct Chunk {
    entries: Vec<Stored>,
    octets: Vec<u8>,
    end: Option<FileError>,
}

/// A frame of a chunk, or the fault of its record.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'c> {
    /// Whether a block of the file begins here. A file is cut into blocks by its content alone, of
    /// 512 frames or 32 KiB: what is counted or remembered from one frame to the next, and begins
    /// anew with each block, is the same however a file is shared out.
    pub begins: bool,
    /// The frame.
    pub frame: Result<Frame<'c>, &'c FileError>,
}

#[derive(Debug)]
struct Stored {
    begins: bool,
    /// A frame without its octets, and where they are.
    frame: Result<(Frame<'static>, Range<usize>), FileError>,
}

impl Chunk {
    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none: nothing more comes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Why nothing more can be read, if the file does not end here.
    #[must_use]
    pub fn end(&self) -> Option<&FileError> {
        self.end.as_ref()
    }

    /// The frames, in the file's order, and the errors after which reading
    /// [continues](FileError::goes_on).
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.entries.iter().map(|stored| Entry {
            begins: stored.begins,
            frame: match &stored.frame {
                Ok((frame, place)) => Ok(Frame { octets: self.octets.get(place.clone()).unwrap_or(&[]), ..*frame }),
                Err(error) => Err(error),
            },
        })
    }

    fn push(&mut self, begins: bool, frame: Result<Frame<'_>, FileError>) {
        let frame = frame.map(|frame| {
            let start = self.octets.len();
            self.octets.extend_from_slice(frame.octets);
            (Frame { octets: &[], ..frame }, start..self.octets.len())
        });
        self.entries.push(Stored { begins, frame });
    }
}

impl<R: Read> Reader<R> {
    /// The next frames, up to the end of so many blocks; an empty chunk at the end of the file.
    /// With `blocks` 0 it is one frame: as soon as it arrives.
    pub fn chunk(&mut self, blocks: usize) -> Chunk {
        let mut chunk = Chunk::default();
        let (mut block, mut ended) = (self.block, 0);
        while let Some(frame) = self.next_frame() {
            let octets = frame.as_ref().map_or(0, |frame| frame.octets.len());
            let frame = match frame {
                Err(error) if !error.goes_on => {
                    chunk.end = Some(error);
                    break;
                }
                frame => frame,
            };
            chunk.push(block.add(octets), frame);
            ended += usize::from(block.is_full());
            if ended >= blocks {
                break;
            }
        }
        self.block = block;
        chunk
    }
}
