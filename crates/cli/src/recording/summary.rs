//! How many frames there were of each kind.

use std::collections::BTreeMap;

use serde_json::json;

use crate::failure::tell_line;

/// Counts of frames.
#[derive(Default)]
pub(crate) struct Summary {
    pub(super) frames: u64,
    /// By `--where`.
    pub(super) left_out: u64,
    counts: BTreeMap<&'static str, BTreeMap<String, u64>>,
}

impl Summary {
    pub(super) fn count(&mut self, what: &'static str, name: &str) {
        self.count_many(what, name, 1);
    }

    fn count_many(&mut self, what: &'static str, name: &str, many: u64) {
        let counts = self.counts.entry(what).or_default();
        match counts.get_mut(name) {
            Some(count) => *count += many,
            None => drop(counts.insert(name.to_owned(), many)),
        }
    }

    /// Adds those of other frames.
    pub(crate) fn add(&mut self, other: &Summary) {
        self.frames += other.frames;
        self.left_out += other.left_out;
        for (what, counts) in &other.counts {
            counts.iter().for_each(|(name, count)| self.count_many(what, name, *count));
        }
    }

    /// On stderr: what is on stdout is records alone.
    pub(crate) fn tell(&self, files: usize, json: bool) {
        if json {
            let mut told = json!({ "frames": self.frames, "files": files, "counts": self.counts });
            if self.left_out > 0 {
                told["left_out"] = self.left_out.into();
            }
            tell_line(&told.to_string());
            return;
        }
        let plural = |count: u64, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let left_out = match self.left_out {
            0 => String::new(),
            count => format!(", and {count} that --where left out"),
        };
        tell_line(&format!("{} in {}{left_out}", plural(self.frames, "frame"), plural(files as u64, "file")));
        for what in ["link", "packets", "security", "verdicts", "messages", "problems"] {
            let Some(counts) = self.counts.get(what) else { continue };
            let told: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
            tell_line(&format!("  {what:<9} {}", told.join(", ")));
        }
    }
}
