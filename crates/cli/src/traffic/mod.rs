//! An overview of a whole recording: messages and channel load second by second, stations,
//! verdicts.

mod map;
mod page;
mod stations;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use roadwire_airtime::{AROUND_PACKET, LONGEST_PACKET, Rate};
use roadwire_capture::Time;
use roadwire_capture::geonetworking::Address;
use roadwire_recording::{Error, Judged, Note, Unknown, lengths};

use crate::failure::Failure;
use crate::identity::check_different;
use stations::Stations;

/// The most seconds that are shown: a day. Frames before and after it are counted.
const MOST_SECONDS: usize = 86_400;
/// The most places of each kind that are shown.
const MOST_PLACES: usize = 5_000;
/// The most addresses of each kind that are counted: stations change them.
const MOST_STATIONS: usize = 1_000_000;
/// Places closer to each other than this are one, in 0.1 microdegree: about two metres.
const NEAR: i32 = 200;
/// The most reasons of verdicts that are counted: some have the digest of a certificate.
const MOST_REASONS: usize = 10_000;
const AROUND: usize = AROUND_PACKET as usize;

/// A recording, as far as it has been read. It does not depend on the order of the frames.
#[derive(Default)]
pub(crate) struct Traffic {
    /// By seconds since 1970: the earliest ones that have frames.
    seconds: BTreeMap<i64, Second>,
    kinds: BTreeMap<String, Kind>,
    /// Frames without a known message: by the code of their problem and by what they are called,
    /// how many, and the least description.
    unknown: BTreeMap<(String, String), (u64, String)>,
    verdicts: BTreeMap<&'static str, u64>,
    /// Why messages have a verdict, and remarks on them: how many of each verdict.
    reasons: BTreeMap<(&'static str, String), u64>,
    remarks: BTreeMap<(&'static str, String), u64>,
    stations: Stations,
    frames: u64,
    /// In seconds for which there was no room.
    later: u64,
    without_time: u64,
    /// With a wrong check sequence: they count nowhere else.
    damaged: u64,
}

/// The traffic on the channel in one second.
#[derive(Clone, Default)]
struct Second {
    /// Frames of each kind.
    frames: BTreeMap<String, u32>,
    microseconds: u64,
    /// The same with the messages in each of the encodings that are compared; frames without a
    /// known message as they were.
    otherwise: Vec<u64>,
    /// How many of these messages need more than one frame.
    too_long: Vec<u64>,
}

/// A kind of message, such as `CAM`, or of packet.
#[derive(Default)]
struct Kind {
    frames: u64,
    octets: u64,
    stations: HashSet<Address>,
    /// Each after a number that is random, but always the same: where there are too many, those
    /// with the least numbers are a sample.
    places: BTreeSet<(u64, (i32, i32))>,
}

/// The day that is shown, second by second.
struct Day {
    /// Seconds since 1970; nothing if no frame has a time.
    begins: Option<i64>,
    seconds: Vec<Second>,
    /// How many frames are before it and after it.
    earlier: u64,
    later: u64,
}

impl Traffic {
    /// Adds a frame.
    pub(crate) fn add(&mut self, note: Note) {
        let Note { name, time, frame, packet, source, unknown, verdict, lengths, is_damaged } = note;
        if is_damaged {
            self.damaged += 1;
            return;
        }
        // With the headers around a packet.
        let packet = packet.map_or(frame, |packet| packet + AROUND);
        self.frames += 1;
        if let Some(unknown) = unknown {
            self.add_unknown(&name, unknown);
        }
        if let Some(judged) = verdict {
            self.judge(judged);
        }
        let kind = self.kinds.entry(name.clone()).or_default();
        kind.frames += 1;
        kind.octets += packet as u64;
        if let Some((address, (latitude, longitude))) = source {
            if kind.stations.len() < MOST_STATIONS {
                kind.stations.insert(address);
            }
            let place = ((latitude, longitude) != (0, 0)).then_some((latitude, longitude));
            if let Some((latitude, longitude)) = place {
                kind.add_place((latitude / NEAR, longitude / NEAR));
            }
            self.stations.add(address, time, place);
        }
        let Some(second) = self.second(time) else { return };
        *second.frames.entry(name).or_default() += 1;
        second.microseconds += airtime(packet);
        second.otherwise.resize(lengths::COMPARED.len(), 0);
        second.too_long.resize(lengths::COMPARED.len(), 0);
        for at in 0..lengths::COMPARED.len() {
            let octets = lengths.as_ref().and_then(|(was, others)| Some((*was, (*others.get(at)?)?)));
            let octets = octets.map_or(packet, |(was, is)| packet.saturating_sub(was) + is);
            second.otherwise[at] += airtime(octets);
            second.too_long[at] += u64::from(frames(octets) > 1);
        }
    }

    /// Without a code, the description is all.
    fn add_unknown(&mut self, name: &str, Unknown { code, what }: Unknown) {
        let code = if code.is_empty() { what.clone() } else { code };
        let (count, example) = self.unknown.entry((code, name.to_owned())).or_default();
        *count += 1;
        if example.is_empty() || what < *example {
            *example = what;
        }
    }

    fn judge(&mut self, Judged { verdict, reason, noted }: Judged) {
        *self.verdicts.entry(verdict).or_default() += 1;
        for (counts, texts) in [(&mut self.reasons, reason.into_iter().collect()), (&mut self.remarks, noted)] {
            for text in texts {
                *counts.entry((verdict, text)).or_default() += 1;
                // The least ones: so the report does not depend on the order.
                if counts.len() > MOST_REASONS {
                    counts.pop_last();
                }
            }
        }
    }

    /// A frame's second. Of too many seconds the latest is forgotten, so that it does not matter
    /// which came first.
    fn second(&mut self, time: Option<Time>) -> Option<&mut Second> {
        let Some(Time { seconds, .. }) = time else {
            self.without_time += 1;
            return None;
        };
        if self.seconds.len() == MOST_SECONDS && !self.seconds.contains_key(&seconds) {
            if self.seconds.last_key_value().is_none_or(|(last, _)| *last < seconds) {
                self.later += 1;
                return None;
            }
            let (_, forgotten) = self.seconds.pop_last()?;
            self.later += forgotten.count();
        }
        Some(self.seconds.entry(seconds).or_default())
    }

    /// The day with the most frames, from the first second to the last one that has any.
    fn day(&self) -> Day {
        let counts: Vec<(i64, u64)> = self.seconds.iter().map(|(at, second)| (*at, second.count())).collect();
        let length = MOST_SECONDS as i64;
        // The sum over a window of a day that begins with a second that has frames.
        let (mut end, mut sum, mut best) = (0, 0, (0, 0..0));
        for (start, (begins, count)) in counts.iter().enumerate() {
            while let Some((at, count)) = counts.get(end).filter(|(at, _)| at.saturating_sub(*begins) < length) {
                debug_assert!(at >= begins);
                sum += count;
                end += 1;
            }
            if sum > best.0 {
                best = (sum, start..end);
            }
            sum -= count;
        }
        let of = |counts: &[(i64, u64)]| counts.iter().map(|(_, count)| count).sum::<u64>();
        let shown = best.1;
        let begins = counts.get(shown.start).map(|(at, _)| *at);
        let mut seconds = Vec::new();
        for (at, _) in &counts[shown.clone()] {
            let place = usize::try_from(at - begins.unwrap_or(*at)).unwrap_or(0);
            seconds.resize(place + 1, Second::default());
            seconds[place] = self.seconds[at].clone();
        }
        let earlier = of(&counts[..shown.start]);
        Day { begins, seconds, earlier, later: self.later + of(&counts[shown.end..]) }
    }

    /// Refuses a folder that has a report, unless `force` is set, and one in which a file of a
    /// report is an input: before a recording is read for nothing.
    ///
    /// # Errors
    /// `file.exists`, `file.same`.
    pub(crate) fn check(folder: &Path, inputs: &[PathBuf], force: bool) -> Result<(), Failure> {
        for path in page::paths(folder) {
            if !force && path.exists() {
                return Err(Error::of_output(&path, &std::io::ErrorKind::AlreadyExists.into()).into());
            }
            inputs.iter().try_for_each(|input| check_different(input, Some(&path)))?;
        }
        Ok(())
    }

    /// Whether a folder has a file of a report.
    pub(crate) fn is_in(folder: &Path) -> bool {
        page::paths(folder).any(|path| path.exists())
    }

    /// Writes the page and its pictures into a folder.
    ///
    /// # Errors
    /// The folder or a file cannot be written, or is there and `force` is not set.
    pub(crate) fn write(&self, folder: &Path, files: &[String], force: bool) -> Result<(), Failure> {
        page::write(self, folder, files, force)
    }
}

impl Second {
    fn count(&self) -> u64 {
        self.frames.values().map(|count| u64::from(*count)).sum()
    }
}

impl Kind {
    fn add_place(&mut self, place: (i32, i32)) {
        let mut hasher = DefaultHasher::new();
        place.hash(&mut hasher);
        self.places.insert((hasher.finish(), place));
        if self.places.len() > MOST_PLACES {
            self.places.pop_last();
        }
    }
}

/// How many frames so many octets take, with the headers around a packet.
fn frames(octets: usize) -> usize {
    octets.saturating_sub(AROUND).div_ceil(LONGEST_PACKET as usize).max(1)
}

/// Microseconds on the air at 6 Mbit/s; a message that no frame can hold takes as many frames as it
/// needs.
fn airtime(octets: usize) -> u64 {
    let count = frames(octets);
    let each = octets.saturating_sub(AROUND).div_ceil(count) + AROUND;
    let time = u32::try_from(each).ok().and_then(|each| Rate::Mbps6.airtime_us(each).ok()).unwrap_or(0);
    u64::from(time) * count as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(seconds: i64, place: i32) -> Note {
        Note {
            name: "CAM".into(),
            time: Some(Time { seconds, nanoseconds: 0 }),
            frame: 200,
            packet: Some(100),
            source: Some((Address { is_manual: false, station_type: 5, reserved: 0, link: [0; 6] }, (place * NEAR, 1))),
            unknown: None,
            verdict: None,
            lengths: None,
            is_damaged: false,
        }
    }

    fn traffic(notes: impl Iterator<Item = (i64, i32)>) -> Traffic {
        let mut traffic = Traffic::default();
        notes.for_each(|(seconds, place)| traffic.add(note(seconds, place)));
        traffic
    }

    /// The beginning of the day, frames of each second, frames before and after it, places.
    type Shown = (Option<i64>, Vec<u64>, u64, u64, Vec<(u64, (i32, i32))>);

    fn shown(of: &Traffic) -> Shown {
        let Day { begins, seconds, earlier, later } = of.day();
        let places = of.kinds["CAM"].places.iter().copied().collect();
        (begins, seconds.iter().map(Second::count).collect(), earlier, later, places)
    }

    #[test]
    fn a_report_does_not_depend_on_the_order_of_frames() {
        let day = MOST_SECONDS as i64;
        // More seconds and places than are kept, a clock that begins in 1970, and one in 2106.
        let spread = (0..day + 500).map(|at| (1_000_000 + at * 3, (at % 6000) as i32));
        let dense = (0..400).map(|at| (1_100_000 + at, 1)).chain([(0, 7), (0, 7), (4_294_967_295, 8)]);
        let all: Vec<(i64, i32)> = spread.chain(dense).collect();
        let forwards = shown(&traffic(all.iter().copied()));
        assert_eq!(forwards, shown(&traffic(all.iter().rev().copied())));
        let half = all.len() / 2;
        assert_eq!(forwards, shown(&traffic(all[half..].iter().chain(&all[..half]).copied())));
        assert_eq!(forwards.4.len(), MOST_PLACES);
        let (_, seconds, earlier, later, _) = forwards;
        assert_eq!(seconds.iter().sum::<u64>() + earlier + later, all.len() as u64);
    }

    #[test]
    fn a_wrong_clock_does_not_hide_the_recording() {
        for wrong in [0, 4_294_967_295, i64::MIN, i64::MAX] {
            let (begins, seconds, earlier, later, _) =
                shown(&traffic([(wrong, 1), (1_560_240_842, 1), (1_560_240_843, 1), (1_560_240_845, 1)].into_iter()));
            assert_eq!((begins, seconds), (Some(1_560_240_842), vec![1, 1, 0, 1]), "{wrong}");
            assert_eq!((earlier, later), if wrong <= 0 { (1, 0) } else { (0, 1) });
        }
    }
}
