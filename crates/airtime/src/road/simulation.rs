//! The events of a road, one after the other.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use roadwire_model::random::Rng;

use super::radio::{Radio, SHADOWS, milliwatts, path_loss_db};
use super::{Distance, Outcome, Road, Traffic, Unusable};
use crate::{Access, SLOT_US};

/// Frames end here.
const REACH_M: f64 = 1000.0;
/// Distances are counted at multiples of this.
const BIN_M: u32 = 25;
/// The farthest distance that is counted: 500 m.
const BINS: usize = 21;
/// Pairs of stations that hear each other: 16 octets of memory each.
const MOST_PAIRS: usize = 20_000_000;

const SLOT: u64 = SLOT_US as u64;

pub(super) fn run(road: &Road) -> Result<Outcome, Unusable> {
    let mut simulation = Simulation::new(road)?;
    simulation.run();
    Ok(simulation.outcome())
}

/// The next event. At the same time, frames end before others are sensed, and a station that would
/// begin notices both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// The frame in this place ends.
    End(usize),
    /// The frame in this place is sensed.
    Sensed(usize),
    /// A station has a message.
    Message(usize),
    /// A station sends, if its attempt has still this number.
    Send(usize, u32),
}

struct Simulation<'r> {
    road: &'r Road,
    rng: Rng,
    shadows: Vec<f64>,
    sense: f64,
    noise: f64,
    events: BinaryHeap<Reverse<(u64, Event)>>,
    stations: Vec<Station>,
    /// For each station, who hears it.
    neighbours: Vec<Vec<Neighbour>>,
    /// Frames on the air, by place.
    frames: Vec<Frame>,
    /// Places that are free.
    free: Vec<usize>,
    /// Microseconds from message to message.
    period: u64,
    /// Counting begins here, in microseconds.
    begin: u64,
    end: u64,
    sent: u64,
    replaced: u64,
    on_air: u32,
    /// Since when as many frames are on the air, and how long it was exactly one.
    on_air_since: u64,
    alone: u64,
    distances: Vec<Distance>,
}

struct Neighbour {
    station: u32,
    /// The distance's place in the outcome, or [`BINS`].
    bin: u32,
    /// Milliwatts that arrive on average.
    power: f64,
}

/// A frame on the air.
#[derive(Default)]
struct Frame {
    sender: usize,
    start: u64,
    /// The signals that its neighbours get, in their order.
    heard: Vec<Heard>,
}

#[derive(Clone, Copy)]
struct Heard {
    power: f64,
    /// Whether it is strong enough to be sensed.
    is_sensed: bool,
}

/// The frame that a station receives.
#[derive(Clone, Copy)]
struct Reception {
    frame: usize,
    start: u64,
    power: f64,
    /// The most interference so far.
    interference: f64,
    bin: u32,
    counts: bool,
}

struct Station {
    access: Access,
    /// Which frame it sends next.
    turn: usize,
    has_message: bool,
    /// The message came within AIFS of an idle channel, and there was no backoff left: if the
    /// channel becomes busy first, there will be one.
    is_fresh: bool,
    /// Slots that are left at the first boundary.
    backoff: u64,
    /// The first slot boundary of this idle time: AIFS after its beginning.
    boundary: u64,
    attempt: u32,
    is_sending: bool,
    /// Frames that it senses.
    sensed: u32,
    /// Frames that arrive, sensed or not, and their power.
    arriving: u32,
    power: f64,
    reception: Option<Reception>,
    /// When the channel became busy, if it is.
    busy_since: Option<u64>,
    busy: u64,
}

impl Station {
    /// Whether the channel is idle, as it sees it.
    fn is_idle(&self) -> bool {
        self.sensed == 0 && !self.is_sending
    }
}

impl<'r> Simulation<'r> {
    fn new(road: &'r Road) -> Result<Self, Unusable> {
        let mut rng = Rng::new(road.seed);
        let count = road.stations as usize;
        let neighbours = neighbours(road, &mut rng)?;
        let period = match road.traffic {
            Traffic::Hertz(hertz) => (1e6 / hertz) as u64,
            Traffic::Saturated => 10_000,
        };
        let stations = (0..count).map(|at| {
            let access = road.access[at % road.access.len()];
            Station {
                access,
                turn: at % road.frames_us.len(),
                has_message: road.traffic == Traffic::Saturated,
                is_fresh: false,
                backoff: rng.below(u64::from(access.contention_window()) + 1),
                boundary: u64::from(access.aifs_us()),
                attempt: 0,
                is_sending: false,
                sensed: 0,
                arriving: 0,
                power: 0.0,
                reception: None,
                busy_since: None,
                busy: 0,
            }
        });
        let stations = stations.collect();
        let distances = (0..BINS as u32).map(|at| Distance { metres: at * BIN_M, ..Distance::default() }).collect();
        let mut simulation = Simulation {
            road,
            rng,
            shadows: road.radio.shadows(),
            sense: milliwatts(road.radio.sense_dbm),
            noise: milliwatts(road.radio.noise_dbm),
            events: BinaryHeap::new(),
            stations,
            neighbours,
            frames: Vec::new(),
            free: Vec::new(),
            period,
            begin: period,
            end: period + (road.seconds * 1e6) as u64,
            sent: 0,
            replaced: 0,
            on_air: 0,
            on_air_since: 0,
            alone: 0,
            distances,
        };
        for station in 0..count {
            match road.traffic {
                Traffic::Hertz(_) => simulation.next_message(station, 0),
                Traffic::Saturated => simulation.schedule(station, 0),
            }
        }
        Ok(simulation)
    }

    fn run(&mut self) {
        while let Some(Reverse((now, event))) = self.events.pop() {
            if now >= self.end {
                break;
            }
            match event {
                Event::End(frame) => self.end_frame(frame, now),
                Event::Sensed(frame) => self.sense_frame(frame, now),
                Event::Message(station) => self.message(station, now),
                Event::Send(station, attempt) if self.stations[station].attempt == attempt => self.send(station, now),
                Event::Send(..) => {}
            }
        }
    }

    fn at(&mut self, time: u64, event: Event) {
        self.events.push(Reverse((time, event)));
    }

    /// A station's message of the period that begins at `period`.
    fn next_message(&mut self, station: usize, period: u64) {
        let time = period + self.rng.below(self.period);
        self.at(time, Event::Message(station));
    }

    fn message(&mut self, at: usize, now: u64) {
        self.next_message(at, now - now % self.period + self.period);
        let counts = now >= self.begin;
        let station = &mut self.stations[at];
        if station.has_message {
            self.replaced += u64::from(counts);
            return;
        }
        station.has_message = true;
        if station.is_idle() {
            station.is_fresh = station.backoff == 0;
            self.schedule(at, now);
        } else if station.backoff == 0 {
            station.backoff = self.rng.below(u64::from(station.access.contention_window()) + 1);
        }
    }

    /// The channel is idle and there is a message: sets when it is sent.
    fn schedule(&mut self, at: usize, now: u64) {
        let station = &mut self.stations[at];
        if station.has_message && station.is_idle() {
            station.attempt += 1;
            let time = now.max(station.boundary + station.backoff * SLOT);
            let attempt = station.attempt;
            self.at(time, Event::Send(at, attempt));
        }
    }

    fn send(&mut self, sender: usize, now: u64) {
        let station = &mut self.stations[sender];
        station.has_message = false;
        station.is_sending = true;
        station.attempt += 1;
        station.busy_since.get_or_insert(now);
        let duration = u64::from(self.road.frames_us[station.turn]);
        station.turn = (station.turn + 1) % self.road.frames_us.len();
        if let Some(lost) = station.reception.take() {
            count(&mut self.distances, lost.bin, lost.counts, |distance| &mut distance.sending);
        }
        let counts = now >= self.begin && now + duration < self.end;
        self.sent += u64::from(counts);
        self.change_on_air(now, 1);
        let place = self.free.pop().unwrap_or_else(|| {
            self.frames.push(Frame::default());
            self.frames.len() - 1
        });
        let mut heard = std::mem::take(&mut self.frames[place].heard);
        heard.clear();
        for neighbour in &self.neighbours[sender] {
            let shadow = self.shadows[self.rng.below(SHADOWS as u64) as usize];
            let power = neighbour.power * shadow;
            let is_sensed = power >= self.sense;
            heard.push(Heard { power, is_sensed });
            let receiver = &mut self.stations[neighbour.station as usize];
            receiver.arriving += 1;
            receiver.power += power;
            let new = Reception {
                frame: place,
                start: now,
                power,
                interference: receiver.power - power,
                bin: neighbour.bin,
                counts,
            };
            let (bin, distances) = (neighbour.bin, &mut self.distances);
            match &mut receiver.reception {
                _ if !is_sensed => count(distances, bin, counts, |distance| &mut distance.weak),
                _ if receiver.is_sending => count(distances, bin, counts, |distance| &mut distance.sending),
                None => receiver.reception = Some(new),
                Some(old) if old.start == now && old.power < power => {
                    count(distances, old.bin, old.counts, |distance| &mut distance.busy);
                    receiver.reception = Some(new);
                }
                Some(_) => count(distances, bin, counts, |distance| &mut distance.busy),
            }
            if let Some(reception) = &mut receiver.reception {
                reception.interference = reception.interference.max(receiver.power - reception.power);
            }
        }
        self.frames[place] = Frame { sender, start: now, heard };
        self.at(now + SLOT, Event::Sensed(place));
        self.at(now + duration, Event::End(place));
    }

    /// Its neighbours notice a frame: their backoff stands still.
    fn sense_frame(&mut self, place: usize, now: u64) {
        let frame = &self.frames[place];
        for (neighbour, heard) in self.neighbours[frame.sender].iter().zip(&frame.heard) {
            if !heard.is_sensed {
                continue;
            }
            let station = &mut self.stations[neighbour.station as usize];
            if station.is_idle() {
                // At each boundary that has passed, the counter went down by one (IEEE 802.11-2016
                // §10.22.2.4).
                let slots = now.saturating_sub(station.boundary).div_ceil(SLOT);
                station.backoff = station.backoff.saturating_sub(slots);
                station.attempt += 1;
                if station.has_message && station.is_fresh {
                    station.backoff = self.rng.below(u64::from(station.access.contention_window()) + 1);
                    station.is_fresh = false;
                }
            }
            station.sensed += 1;
            let idle_since = station.boundary - u64::from(station.access.aifs_us());
            station.busy_since.get_or_insert(frame.start.max(idle_since));
        }
    }

    fn end_frame(&mut self, place: usize, now: u64) {
        self.change_on_air(now, -1);
        let frame = std::mem::take(&mut self.frames[place]);
        for at in 0..frame.heard.len() {
            let (neighbour, heard) = (&self.neighbours[frame.sender][at], frame.heard[at]);
            let receiver = neighbour.station as usize;
            let station = &mut self.stations[receiver];
            station.arriving -= 1;
            // Rounding errors of sums and differences do not stay.
            station.power = if station.arriving == 0 { 0.0 } else { (station.power - heard.power).max(0.0) };
            if let Some(reception) = station.reception.filter(|reception| reception.frame == place) {
                station.reception = None;
                self.receive(&reception);
            }
            if heard.is_sensed {
                let station = &mut self.stations[receiver];
                station.sensed -= 1;
                if station.is_idle() {
                    self.becomes_idle(receiver, now);
                }
            }
        }
        let station = &mut self.stations[frame.sender];
        station.is_sending = false;
        // Behind each frame there is a backoff (§10.22.2.2), which later frames need not wait for
        // if it is over by then.
        station.backoff = self.rng.below(u64::from(station.access.contention_window()) + 1);
        station.is_fresh = false;
        station.has_message |= self.road.traffic == Traffic::Saturated;
        if station.is_idle() {
            self.becomes_idle(frame.sender, now);
        }
        self.frames[place].heard = frame.heard;
        self.free.push(place);
    }

    /// A frame has been received up to its end: is it whole?
    fn receive(&mut self, reception: &Reception) {
        let radio: &Radio = &self.road.radio;
        let chance = (self.rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let became: fn(&mut Distance) -> &mut u64 = if chance < radio.loss(reception.power / self.noise) {
            |distance| &mut distance.noise
        } else if chance < radio.loss(reception.power / (self.noise + reception.interference)) {
            |distance| &mut distance.collided
        } else {
            |distance| &mut distance.received
        };
        count(&mut self.distances, reception.bin, reception.counts, became);
    }

    fn becomes_idle(&mut self, at: usize, now: u64) {
        let begin = self.begin;
        let station = &mut self.stations[at];
        station.boundary = now + u64::from(station.access.aifs_us());
        if let Some(since) = station.busy_since.take() {
            station.busy += now.saturating_sub(since.max(begin));
        }
        self.schedule(at, now);
    }

    fn change_on_air(&mut self, now: u64, by: i32) {
        if self.on_air == 1 {
            self.alone += now.saturating_sub(self.on_air_since.max(self.begin));
        }
        self.on_air = self.on_air.saturating_add_signed(by);
        self.on_air_since = now;
    }

    fn outcome(self) -> Outcome {
        let span = (self.end - self.begin) as f64;
        let busy = |station: &Station| {
            let still = station.busy_since.map_or(0, |since| self.end.saturating_sub(since.max(self.begin)));
            (station.busy + still) as f64 / span
        };
        Outcome {
            frames: self.sent,
            replaced: self.replaced,
            load: self.stations.iter().map(busy).sum::<f64>() / self.stations.len() as f64,
            alone: self.alone as f64 / span,
            distances: self.distances,
        }
    }
}

/// Counts what became of a frame.
fn count(distances: &mut [Distance], bin: u32, counts: bool, what: impl Fn(&mut Distance) -> &mut u64) {
    if let Some(distance) = distances.get_mut(bin as usize).filter(|_| counts) {
        *what(distance) += 1;
    }
}

/// Who hears whom, and how well.
fn neighbours(road: &Road, rng: &mut Rng) -> Result<Vec<Vec<Neighbour>>, Unusable> {
    let spacing = road.metres / f64::from(road.stations);
    let places: Vec<f64> = (0..road.stations)
        .map(|at| (f64::from(at) + rng.below(1 << 20) as f64 / f64::from(1 << 20)) * spacing)
        .collect();
    let mut pairs = 0;
    let mut all = Vec::with_capacity(places.len());
    for (at, place) in places.iter().enumerate() {
        let mut heard = Vec::new();
        for (other, there) in places.iter().enumerate() {
            let along = (place - there).abs();
            let metres = along.min(road.metres - along);
            if other != at && metres <= REACH_M {
                let power = milliwatts(road.radio.power_dbm - path_loss_db(metres));
                let bin = ((metres / f64::from(BIN_M)).round() as u32).min(BINS as u32);
                heard.push(Neighbour { station: other as u32, bin, power });
            }
        }
        pairs += heard.len();
        if pairs > MOST_PAIRS {
            return Err(Unusable("more than 20 million pairs of stations hear each other"));
        }
        all.push(heard);
    }
    Ok(all)
}
