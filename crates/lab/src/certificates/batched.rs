//! The same certificates in batches: what a codec takes when the clock is not read for each.
//!
//! A region of tens of nanoseconds is of the order of what the clock itself takes. Here one sample is many certificates, timed with the
//! process CPU clock, with one codec at a time running warm.

use roadwire_messages::certificate_2017::Certificate;
use serde::{Deserialize, Serialize};

use super::codecs::Codec;
use super::exchange::{self, ROOM};
use super::generator::Generator;
use crate::measure::clock;
use crate::measure::random::Random;
use crate::measure::stats::{Summary, summarise};

/// How many certificates a sample goes through: few enough to stay in the second cache.
const CERTIFICATES: usize = 200;

/// One encoding, in batches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Batched {
    /// How certificates were drawn.
    pub generator: Generator,
    /// The encoding rules.
    pub rules: String,
    /// How many different certificates.
    pub certificates: usize,
    /// Encoding one certificate, CPU nanoseconds.
    pub encode: Option<Summary>,
    /// Decoding one certificate, CPU nanoseconds.
    pub decode: Option<Summary>,
    /// Share of them that straight-line code encodes without the interpreter.
    pub straight_encode: f64,
    /// Share of them that straight-line code decodes without the interpreter.
    pub straight_decode: f64,
}

/// Measures all codecs, round by round in a fresh random order.
pub fn run(
    generator: Generator,
    seed: u64,
    codecs: &[Box<dyn Codec>],
    rounds: usize,
    clock_cost: f64,
    progress: &mut dyn FnMut(usize),
) -> Vec<Batched> {
    let mut draws = exchange::draws(seed);
    let certificates: Vec<Certificate> = (0..CERTIFICATES).map(|_| generator.certificate(&mut draws)).collect();
    let mut output = vec![0; ROOM];
    // What a codec refuses is not part of its batch; the exchange tells of it.
    let encodings: Vec<Vec<Vec<u8>>> = codecs
        .iter()
        .map(|codec| {
            let encode = |certificate| codec.encode(certificate, &mut output).map(|(n, _)| output[..n].to_vec());
            certificates.iter().map(encode).filter_map(Result::ok).collect()
        })
        .collect();
    let mut place = Certificate::default();
    let mut batch = |task: Task, passes: usize| {
        clock::time(|| {
            for _ in 0..passes {
                if task.decode {
                    codecs[task.codec].decode_all(&encodings[task.codec], &mut place);
                } else {
                    codecs[task.codec].encode_all(&certificates, &mut output);
                }
            }
        })
        .0
    };
    let tasks: Vec<Task> =
        (0..codecs.len()).flat_map(|codec| [false, true].map(|decode| Task { codec, decode })).collect();
    // A sample is at least a hundred times as long as reading the clock takes.
    let target = (clock_cost * 110.0).max(20_000.0);
    let passes: Vec<usize> = tasks
        .iter()
        .map(|&task| {
            let once = (0..3).map(|_| batch(task, 1)).fold(f64::INFINITY, f64::min).max(1.0);
            (target / once).ceil() as usize
        })
        .collect();
    let mut random = Random::new(seed);
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    let mut samples = vec![Vec::with_capacity(rounds); tasks.len()];
    for round in 0..rounds {
        random.shuffle(&mut order);
        for &i in &order {
            // Warm: the first calls after another codec pay for its traces in the caches.
            batch(tasks[i], 1);
            samples[i].push(batch(tasks[i], passes[i]) / (passes[i] * CERTIFICATES) as f64);
        }
        progress(round + 1);
    }
    codecs
        .iter()
        .enumerate()
        .map(|(i, codec)| {
            let straight: Vec<(bool, bool)> =
                certificates.iter().map(|certificate| codec.is_straight(certificate, &mut output)).collect();
            let share = |count: usize| count as f64 / CERTIFICATES as f64;
            Batched {
                generator,
                rules: codec.rules().name().into(),
                certificates: CERTIFICATES,
                encode: summarise(&samples[2 * i]),
                decode: summarise(&samples[2 * i + 1]),
                straight_encode: share(straight.iter().filter(|s| s.0).count()),
                straight_decode: share(straight.iter().filter(|s| s.1).count()),
            }
        })
        .collect()
}

#[derive(Clone, Copy)]
struct Task {
    codec: usize,
    decode: bool,
}
