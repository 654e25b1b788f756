//! Finding the next assignment after an error.

use super::{Parser, is_reserved};
use crate::lexer::{NEWLINES, Tok};

impl Parser<'_> {
    /// Moves to the start of the first assignment after `from` (an item's index), or to END, or to
    /// the end.
    pub(super) fn skip_to_assignment(&mut self, from: usize) {
        self.at = from.max(self.at).min(self.end);
        let error_at = self.at;
        while !self.at_end() {
            match self.peek() {
                Tok::Assign => {
                    let start = self.assignment_start(self.at, error_at);
                    if start >= error_at {
                        self.at = start;
                        return;
                    }
                }
                Tok::Upper if self.text() == "END" || self.text() == "ENCODING-CONTROL" => return,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// After an error in the assignment that began at item `start`: to the next one. An error *at*
    /// a `::=` other than its own is the next assignment's, whose name was taken for a part of this
    /// one.
    pub(super) fn recover(&mut self, start: usize) {
        let own = (start..self.at).find(|i| self.kind(*i) == Tok::Assign);
        match own {
            Some(own) if self.peek() == Tok::Assign => self.at = self.assignment_start(self.at, own + 1),
            None if self.peek() == Tok::Assign => self.skip_to_assignment(self.at + 1),
            _ => self.skip_to_assignment(self.at.max(start + 1)),
        }
    }

    /// Where the assignment begins whose `::=` is item `assign`; not before `floor`.
    fn assignment_start(&self, assign: usize, floor: usize) -> usize {
        let Some(mut last) = assign.checked_sub(1) else {
            return assign;
        };
        // Over a parameter list or a constraint of the governor.
        let mut depth = 0usize;
        while last > floor {
            match self.kind(last) {
                Tok::RBrace | Tok::RParen => depth += 1,
                Tok::LBrace | Tok::LParen => depth = depth.saturating_sub(1),
                _ if depth == 0 => break,
                _ => {}
            }
            last -= 1;
        }
        // An assignment nearly always begins a line.
        let mut start = last;
        while start > floor && !self.begins_line(start) {
            start -= 1;
        }
        if self.begins_line(start) && matches!(self.kind(start), Tok::Lower | Tok::Upper) {
            return start;
        }
        // On one line: a name alone, or a small name with its governor before `::=`.
        let word = self.tokens.get(last).map_or("", |t| self.source.slice(t.span));
        let two_words = matches!(word, "IDENTIFIER" | "STRING") as usize;
        let before = last.saturating_sub(1 + two_words);
        if before >= floor && self.kind(before) == Tok::Lower {
            before
        } else if is_reserved(word) {
            last.saturating_sub(1).max(floor)
        } else {
            last
        }
    }

    fn kind(&self, index: usize) -> Tok {
        self.tokens.get(index).map_or(Tok::End, |t| t.tok)
    }

    fn begins_line(&self, index: usize) -> bool {
        let Some(here) = self.tokens.get(index) else {
            return false;
        };
        let Some(before) = index.checked_sub(1).and_then(|i| self.tokens.get(i)) else {
            return true;
        };
        self.source
            .text
            .get(before.span.end as usize..here.span.start as usize)
            .is_some_and(|gap| gap.contains(NEWLINES))
    }
}
