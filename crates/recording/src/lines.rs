//! Lines of records, in texts of bounded length that are filled again after they were written: many
//! threads that each let a text grow and free it cost several times what the texts have.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

/// A text that is longer than so many octets gets no further line.
const LONG: usize = 48 << 10;

/// Room for a text, with the line that makes it long.
const ROOM: usize = 64 << 10;

/// Lines, each with its end. Clones fill the same texts again.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    full: Vec<String>,
    last: String,
    written: Arc<Mutex<Vec<String>>>,
}

impl Lines {
    /// The text to which the next line is appended.
    pub(crate) fn text(&mut self) -> &mut String {
        if self.last.capacity() == 0 || self.last.len() > LONG {
            let again = self.written.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let full = mem::replace(&mut self.last, again.unwrap_or_else(|| String::with_capacity(ROOM)));
            if !full.is_empty() {
                self.full.push(full);
            }
        }
        &mut self.last
    }

    /// All lines so far. Afterwards there are none.
    pub(crate) fn take(&mut self) -> Lines {
        Lines { full: mem::take(&mut self.full), last: mem::take(&mut self.last), written: Arc::clone(&self.written) }
    }

    /// Writes all lines, some at once.
    ///
    /// # Errors
    /// The first one of `write`.
    pub fn write<E>(self, mut write: impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        for mut text in self.full.into_iter().chain([self.last]).filter(|text| !text.is_empty()) {
            write(&text)?;
            // A text with one very long line is not kept.
            if text.capacity() <= 2 * ROOM {
                text.clear();
                self.written.lock().unwrap_or_else(PoisonError::into_inner).push(text);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_in_order_and_their_texts_are_short_and_filled_again() {
        let mut lines = Lines::default();
        let written = lines.clone().written;
        let whole: String = (0..20_000).map(|number| format!("line {number}\n")).collect();
        let mut rooms = Vec::new();
        for _ in 0..3 {
            (0..20_000).for_each(|number| lines.text().push_str(&format!("line {number}\n")));
            let (mut found, mut longest) = (String::new(), 0);
            let all = lines.take().write(|text| {
                longest = longest.max(text.len());
                found.push_str(text);
                Ok::<(), ()>(())
            });
            assert_eq!((all, found == whole), (Ok(()), true));
            assert!(longest <= ROOM, "{longest}");
            rooms.push(written.lock().expect("no panic").len());
        }
        assert!(rooms[0] > 1);
        assert_eq!(rooms, [rooms[0]; 3]);
    }
}
