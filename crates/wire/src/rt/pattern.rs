//! Compiled regular expressions of X.680 Annex A. Matching time is at most proportional to the
//! length of the text times that of the expression.

/// A step of a compiled expression. The first one is where a match begins, the last one is
/// [`PatternStep::Match`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternStep {
    /// A character of one of the ranges (or of none of them), and then the next step. `start` and
    /// `count` refer to [`Pattern::ranges`].
    One {
        /// The first range.
        start: u16,
        /// How many ranges.
        count: u16,
        /// Whether the character must be in none of them.
        negated: bool,
    },
    /// Continues at both steps.
    Either(u16, u16),
    /// Continues at another step.
    Go(u16),
    /// A word boundary, and then the next step.
    Border,
    /// The whole text matches.
    Match,
}

/// A compiled expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern<'p> {
    /// Its steps, at most [`Pattern::MAX_STEPS`].
    pub steps: &'p [PatternStep],
    /// Ranges of code points, both ends included.
    pub ranges: &'p [(u32, u32)],
}

impl Pattern<'_> {
    /// How many steps there may be.
    pub const MAX_STEPS: usize = 512;

    /// Whether the whole text matches.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let mut now = Steps::default();
        now.insert(0);
        let mut before = None;
        let mut characters = text.chars();
        loop {
            let next = characters.next();
            self.close(&mut now, is_of_a_word(before) != is_of_a_word(next));
            let Some(character) = next else {
                return self.steps.len().checked_sub(1).is_some_and(|last| now.contains(last));
            };
            let mut then = Steps::default();
            for (at, step) in self.steps.iter().enumerate() {
                if let PatternStep::One { start, count, negated } = *step {
                    if now.contains(at) && self.is_in(start, count, character) != negated {
                        then.insert(at + 1);
                    }
                }
            }
            if then == Steps::default() {
                return false;
            }
            now = then;
            before = next;
        }
    }

    fn is_in(&self, start: u16, count: u16, character: char) -> bool {
        let ranges = self.ranges.get(usize::from(start)..usize::from(start) + usize::from(count)).unwrap_or(&[]);
        ranges.iter().any(|(first, last)| (*first..=*last).contains(&u32::from(character)))
    }

    /// Adds the steps that are reached without consuming a character.
    fn close(&self, steps: &mut Steps, at_border: bool) {
        let mut open = [0_u16; Pattern::MAX_STEPS];
        let mut count = 0;
        let push = |open: &mut [u16; Pattern::MAX_STEPS], count: &mut usize, step: usize| {
            // Each step is pushed once, so there is room.
            if let Some(place) = open.get_mut(*count) {
                *place = step as u16;
                *count += 1;
            }
        };
        for at in 0..self.steps.len() {
            if steps.contains(at) {
                push(&mut open, &mut count, at);
            }
        }
        while count > 0 {
            count -= 1;
            let at = usize::from(open.get(count).copied().unwrap_or(0));
            let reached = match self.steps.get(at) {
                Some(PatternStep::Either(one, other)) => [Some(usize::from(*one)), Some(usize::from(*other))],
                Some(PatternStep::Go(to)) => [Some(usize::from(*to)), None],
                Some(PatternStep::Border) if at_border => [Some(at + 1), None],
                _ => continue,
            };
            for step in reached.into_iter().flatten() {
                if steps.insert(step) {
                    push(&mut open, &mut count, step);
                }
            }
        }
    }
}

/// X.680 Annex A: letters and digits are those of ASCII.
fn is_of_a_word(character: Option<char>) -> bool {
    character.is_some_and(|character| character.is_ascii_alphanumeric())
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Steps([u64; Pattern::MAX_STEPS / 64]);

impl Steps {
    fn contains(&self, step: usize) -> bool {
        self.0.get(step / 64).is_some_and(|word| word >> (step % 64) & 1 == 1)
    }

    /// Whether it is new.
    fn insert(&mut self, step: usize) -> bool {
        match self.0.get_mut(step / 64) {
            Some(word) if *word >> (step % 64) & 1 == 0 => {
                *word |= 1 << (step % 64);
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a*b`
    const STEPS: &[PatternStep] = &[
        PatternStep::Either(1, 3),
        PatternStep::One { start: 0, count: 1, negated: false },
        PatternStep::Go(0),
        PatternStep::One { start: 1, count: 1, negated: false },
        PatternStep::Match,
    ];

    #[test]
    fn the_whole_text_matches_or_nothing_does() {
        let pattern = Pattern { steps: STEPS, ranges: &[(0x61, 0x61), (0x62, 0x62)] };
        for (text, matches) in [("b", true), ("aab", true), ("", false), ("aa", false), ("abb", false), ("xab", false)]
        {
            assert_eq!(pattern.matches(text), matches, "{text}");
        }
    }

    #[test]
    fn loops_without_a_character_end() {
        let steps = [PatternStep::Either(0, 1), PatternStep::Go(0), PatternStep::Match];
        assert!(!Pattern { steps: &steps, ranges: &[] }.matches(""));
        assert!(!Pattern { steps: &[], ranges: &[] }.matches("x"));
    }
}
