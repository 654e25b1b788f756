//! What a recording shows as a whole: messages and channel load second by second, stations, verdicts.

mod page;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use roadwire_airtime::{AROUND_PACKET, LONGEST_PACKET, Rate};
use roadwire_capture::Time;
use roadwire_capture::geonetworking::Address;
use roadwire_recording::{Note, lengths};

use crate::failure::Failure;

/// The most seconds that are shown: a day. Later frames are counted as later.
const MOST_SECONDS: usize = 86_400;
/// The most places of each kind that are shown.
const MOST_PLACES: usize = 5_000;
/// The most addresses of each kind that are counted: stations change them.
const MOST_STATIONS: usize = 1_000_000;
/// Places closer to each other than this are one, in 0.1 microdegree: about two metres.
const NEAR: i32 = 200;
const AROUND: usize = AROUND_PACKET as usize;

/// A recording, as far as it has been read.
#[derive(Default)]
pub(crate) struct Traffic {
    /// Seconds since 1970 of the first frame that has a time.
    begins: Option<i64>,
    seconds: Vec<Second>,
    kinds: BTreeMap<String, Kind>,
    verdicts: BTreeMap<&'static str, u64>,
    frames: u64,
    later: u64,
    without_time: u64,
}

/// What was on the channel in one second.
#[derive(Clone, Default)]
struct Second {
    /// Frames of each kind.
    frames: BTreeMap<String, u32>,
    microseconds: u64,
    /// The same with the messages in each of the encodings that are compared; frames without a known message as they were.
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
    places: HashSet<(i32, i32)>,
}

impl Traffic {
    /// Adds a frame.
    pub(crate) fn add(&mut self, note: Note) {
        let Note { name, time, frame, packet, source, verdict, lengths } = note;
        // With what is around a packet.
        let packet = packet.map_or(frame, |packet| packet + AROUND);
        self.frames += 1;
        if let Some(verdict) = verdict {
            *self.verdicts.entry(verdict).or_default() += 1;
        }
        let kind = self.kinds.entry(name.clone()).or_default();
        kind.frames += 1;
        kind.octets += packet as u64;
        if let Some((address, (latitude, longitude))) = source {
            if kind.stations.len() < MOST_STATIONS {
                kind.stations.insert(address);
            }
            let place = (latitude / NEAR, longitude / NEAR);
            if kind.places.len() < MOST_PLACES && (latitude, longitude) != (0, 0) {
                kind.places.insert(place);
            }
        }
        let Some(second) = self.second(time) else { return };
        let second = &mut self.seconds[second];
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

    /// The place of a frame's second.
    fn second(&mut self, time: Option<Time>) -> Option<usize> {
        let Some(time) = time else {
            self.without_time += 1;
            return None;
        };
        let begins = *self.begins.get_or_insert(time.seconds);
        // A clock that goes back stays in the first second.
        let at = usize::try_from(time.seconds.saturating_sub(begins)).unwrap_or(0);
        if at >= MOST_SECONDS {
            self.later += 1;
            return None;
        }
        if self.seconds.len() <= at {
            self.seconds.resize(at + 1, Second::default());
        }
        Some(at)
    }

    /// Refuses a folder that has a report.
    ///
    /// # Errors
    /// It has one.
    pub(crate) fn check_new(folder: &Path) -> Result<(), Failure> {
        page::check_new(folder)
    }

    /// Writes the page and its pictures into a folder.
    ///
    /// # Errors
    /// The folder or a file cannot be written, or is there and `force` is not set.
    pub(crate) fn write(&self, folder: &Path, files: &[String], force: bool) -> Result<(), Failure> {
        page::write(self, folder, files, force)
    }
}

/// How many frames so many octets take, with what is around a packet.
fn frames(octets: usize) -> usize {
    octets.saturating_sub(AROUND).div_ceil(LONGEST_PACKET as usize).max(1)
}

/// Microseconds on the air at 6 Mbit/s; of what no frame can hold, in as many frames as it takes.
fn airtime(octets: usize) -> u64 {
    let count = frames(octets);
    let each = octets.saturating_sub(AROUND).div_ceil(count) + AROUND;
    let time = u32::try_from(each).ok().and_then(|each| Rate::Mbps6.airtime_us(each).ok()).unwrap_or(0);
    u64::from(time) * count as u64
}
