//! The pages of a column chunk, in memory.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::errors::Result;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};

/// The pages of a column chunk, each in memory of its own: one vector of all would often have room
/// for as many again.
#[derive(Clone, Default)]
pub(crate) struct Pages(Arc<Mutex<Vec<Vec<u8>>>>);

impl Pages {
    pub(crate) fn octets(&self) -> usize {
        self.lock().iter().map(Vec::len).sum()
    }

    /// All pages, one after the other.
    pub(crate) fn concat(&self) -> Vec<u8> {
        self.lock().concat()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PageWriter for Pages {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec> {
        let mut sink = TrackedWrite::new(Vec::with_capacity(HEADER + page.compressed_size()));
        let mut spec = SerializedPageWriter::new(&mut sink).write_page(page)?;
        spec.offset += self.octets() as u64;
        self.lock().push(sink.into_inner()?);
        Ok(spec)
    }

    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Octets of a page's header, about.
const HEADER: usize = 64;
