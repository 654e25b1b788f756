//! How many frames there were of each kind.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

/// Counts of frames.
#[derive(Default)]
pub struct Summary {
    frames: u64,
    /// By `--where`.
    left_out: u64,
    /// Frames of the same kind, of which there are few.
    kinds: Vec<(Kind, u64)>,
    counts: BTreeMap<&'static str, BTreeMap<String, u64>>,
}

/// The properties by which frames are counted.
#[derive(PartialEq)]
pub(crate) struct Kind {
    pub(crate) link: Option<Cow<'static, str>>,
    pub(crate) packet: Option<&'static str>,
    pub(crate) security: Option<&'static str>,
    pub(crate) verdict: Option<&'static str>,
    pub(crate) message: Option<&'static str>,
}

/// Kinds that are searched linearly for each frame. Further ones are counted apart.
const MOST_KINDS: usize = 32;

impl Summary {
    /// Counts a frame, and its fault.
    pub(crate) fn frame(&mut self, kind: Kind, problem: Option<&str>) {
        self.frames += 1;
        if let Some(code) = problem {
            self.count("problems", code, 1);
        }
        match self.kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => {
                if self.kinds.len() == MOST_KINDS {
                    self.spread();
                }
                self.kinds.push((kind, 1));
            }
        }
    }

    /// Counts a frame that is left out.
    pub(crate) fn left_out(&mut self) {
        self.left_out += 1;
    }

    /// Counts the parts that kinds are made of.
    fn spread(&mut self) {
        for (kind, count) in std::mem::take(&mut self.kinds) {
            let names = [
                ("link", kind.link.as_deref()),
                ("packets", kind.packet),
                ("security", kind.security),
                ("verdicts", kind.verdict),
                ("messages", kind.message),
            ];
            for (what, name) in names {
                name.into_iter().for_each(|name| self.count(what, name, count));
            }
        }
    }

    fn count(&mut self, what: &'static str, name: &str, many: u64) {
        let counts = self.counts.entry(what).or_default();
        match counts.get_mut(name) {
            Some(count) => *count += many,
            None => drop(counts.insert(name.to_owned(), many)),
        }
    }

    /// How many frames were read, those that are left out among them.
    #[must_use]
    pub fn read(&self) -> u64 {
        self.frames + self.left_out
    }

    /// Adds those of other frames.
    pub fn add(&mut self, mut other: Summary) {
        other.spread();
        self.frames += other.frames;
        self.left_out += other.left_out;
        for (what, counts) in &other.counts {
            counts.iter().for_each(|(name, count)| self.count(what, name, *count));
        }
    }

    /// All counts, of so many files, as an object.
    #[must_use]
    pub fn to_json(&self, files: usize) -> Json {
        let mut object = json!({ "frames": self.frames, "files": files, "counts": self.counts });
        if self.left_out > 0 {
            object["left_out"] = self.left_out.into();
        }
        object
    }

    /// All counts, of so many files, as lines for people.
    #[must_use]
    pub fn lines(&self, files: usize) -> Vec<String> {
        let plural = |count: u64, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let left_out = match self.left_out {
            0 => String::new(),
            count => format!(", and {count} that --where left out"),
        };
        let mut lines = vec![format!("{} in {}{left_out}", plural(self.frames, "frame"), plural(files as u64, "file"))];
        for what in ["link", "packets", "security", "verdicts", "messages", "problems"] {
            let Some(counts) = self.counts.get(what) else { continue };
            let listed: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
            lines.push(format!("  {what:<9} {}", listed.join(", ")));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_kinds_are_counted_as_few_are() {
        let mut all = Summary::default();
        for part in 0..4 {
            let mut summary = Summary::default();
            for number in 0..3 * MOST_KINDS {
                let link = Some(format!("link-type-{number}").into());
                let message = (number % 2 == 0).then_some("cam-1.4.1");
                let kind = Kind { link, packet: Some("shb"), security: None, verdict: None, message };
                summary.frame(kind, (part == 3).then_some("input.truncated"));
            }
            all.add(summary);
        }
        let frames = 12 * MOST_KINDS as u64;
        assert_eq!(all.frames, frames);
        assert_eq!((all.counts["packets"]["shb"], all.counts["messages"]["cam-1.4.1"]), (frames, frames / 2));
        assert_eq!(all.counts["link"].len(), 3 * MOST_KINDS);
        assert!(all.counts["link"].values().all(|count| *count == 4));
        assert_eq!(all.counts["problems"]["input.truncated"], frames / 4);
    }
}
