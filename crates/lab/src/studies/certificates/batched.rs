//! The same certificates in batches: the time of a codec when the clock is not read for each certificate.
//!
//! A region of tens of nanoseconds is of the order of the clock's own cost. Here one sample is many certificates, timed with the
//! process CPU clock, with one codec at a time running warm.

use roadwire_layout::Rules;
use roadwire_papers::certificate_2017::Certificate;
use serde::{Deserialize, Serialize};

use super::codec::{Batch, Codec};
use super::exchange::{self, ROOM};
use super::generator::Generator;
use roadwire_measure::cell::{Direction, Done, Sample, Transcode};
use roadwire_measure::random::Random;
use roadwire_measure::stats::{Summary, summarise};
use roadwire_peers::PEER;
use roadwire_peers::content::Schema;

/// How many certificates a sample goes through: few enough to stay in the second cache.
const CERTIFICATES: usize = 200;

/// The engine's name in records.
pub(super) const ROADWIRE: &str = "roadwire";

/// One encoding, in batches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Batched {
    /// How certificates were drawn.
    pub generator: Generator,
    /// Who wrote the codec.
    pub engine: String,
    /// The encoding rules.
    pub rules: String,
    /// How many different certificates.
    pub certificates: usize,
    /// Encoding one certificate, CPU nanoseconds.
    pub encode: Option<Summary>,
    /// Decoding one certificate, CPU nanoseconds.
    pub decode: Option<Summary>,
    /// Share of them that roadwire's straight-line code encodes without the interpreter.
    pub straight_encode: Option<f64>,
    /// Share of them that roadwire's straight-line code decodes without the interpreter.
    pub straight_decode: Option<f64>,
    /// The first batch that did not do what it should.
    #[serde(default)]
    pub failure: Option<String>,
}

/// Measures all our codecs and rasn's, round by round in a new random order.
///
/// # Errors
/// rasn has other octets than roadwire for one of the certificates: then its times are not valid.
pub fn run(
    generator: Generator,
    seed: u64,
    codecs: &[Box<dyn Codec>],
    rounds: usize,
    clock_cost: f64,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<Batched>, String> {
    let mut draws = exchange::draws(seed);
    let certificates: Vec<Certificate> = (0..CERTIFICATES).map(|_| generator.certificate(&mut draws)).collect();
    let mut contenders = Vec::new();
    for codec in codecs {
        let own = Own::new(codec.as_ref(), &certificates);
        let is_ours = codec.name() == codec.rules().name();
        let peer = if is_ours { Peer::new(codec.rules(), &own.encodings)? } else { None };
        contenders.push(Contender::Own(own));
        contenders.extend(peer.map(Contender::Peer));
    }
    let tasks: Vec<Task> = (0..contenders.len())
        .flat_map(|contender| Direction::ALL.map(|direction| Task { contender, direction }))
        .collect();
    // A sample is at least a hundred times as long as reading the clock takes.
    let target = (clock_cost * 110.0).max(20_000.0);
    let passes: Vec<usize> = tasks
        .iter()
        .map(|task| {
            let once = (0..3).map(|_| contenders[task.contender].time(task.direction, 1).cpu);
            (target / once.fold(f64::INFINITY, f64::min).max(1.0)).ceil() as usize
        })
        .collect();
    let mut random = Random::new(seed);
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    let mut samples = vec![Vec::with_capacity(rounds); tasks.len()];
    let mut failures: Vec<Option<String>> = vec![None; contenders.len()];
    for round in 0..rounds {
        random.shuffle(&mut order);
        for &i in &order {
            let contender = &mut contenders[tasks[i].contender];
            // Warm-up: the first calls after another codec are slower because of the caches.
            contender.time(tasks[i].direction, 1);
            let sample = contender.time(tasks[i].direction, passes[i]);
            if let Err(why) = contender.check(sample.done, passes[i]) {
                failures[tasks[i].contender].get_or_insert(format!("{}: {why}", tasks[i].direction.name()));
            }
            samples[i].push(sample.cpu / (passes[i] * CERTIFICATES) as f64);
        }
        progress(round + 1);
    }
    let rows = contenders.iter().enumerate().map(|(i, contender)| Batched {
        generator,
        engine: contender.engine().into(),
        rules: contender.name().into(),
        certificates: CERTIFICATES,
        encode: summarise(&samples[2 * i]),
        decode: summarise(&samples[2 * i + 1]),
        straight_encode: contender.straight(Direction::Encode),
        straight_decode: contender.straight(Direction::Decode),
        failure: failures[i].clone(),
    });
    Ok(rows.collect())
}

#[derive(Clone, Copy)]
struct Task {
    contender: usize,
    direction: Direction,
}

/// What takes part in a round.
enum Contender<'c> {
    Own(Own<'c>),
    Peer(Peer),
}

impl Contender<'_> {
    fn engine(&self) -> &str {
        match self {
            Contender::Own(_) => ROADWIRE,
            Contender::Peer(_) => PEER,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Contender::Own(own) => own.codec.name(),
            Contender::Peer(peer) => peer.rules.name(),
        }
    }

    /// Times going through all certificates `passes` times.
    fn time(&mut self, direction: Direction, passes: usize) -> Sample {
        match self {
            Contender::Own(own) => own.time(direction, passes),
            // One pass at a time, so that no certificate occurs twice in a row.
            Contender::Peer(peer) => {
                let once = (0..passes).map(|_| peer.codec.time(&peer.encodings, direction, 1));
                let none = Sample { cpu: 0.0, wall: 0.0, done: Done::default() };
                once.fold(none, |sum, one| Sample {
                    cpu: sum.cpu + one.cpu,
                    wall: sum.wall + one.wall,
                    done: sum.done.and(one.done),
                })
            }
        }
    }

    /// Checks that all certificates were encoded, or decoded, `passes` times.
    fn check(&self, done: Done, passes: usize) -> Result<(), String> {
        let encodings = match self {
            Contender::Own(own) => &own.encodings,
            Contender::Peer(peer) => &peer.encodings,
        };
        let octets: usize = encodings.iter().map(Vec::len).sum();
        done.check((encodings.len() * passes) as u64, (octets * passes) as u64)
    }

    fn straight(&self, direction: Direction) -> Option<f64> {
        match self {
            Contender::Own(own) => Some(if direction == Direction::Encode { own.straight.0 } else { own.straight.1 }),
            Contender::Peer(_) => None,
        }
    }
}

/// One of roadwire's codecs with the certificates.
struct Own<'c> {
    codec: &'c dyn Codec,
    batch: Box<dyn Batch + 'c>,
    encodings: Vec<Vec<u8>>,
    output: Vec<u8>,
    straight: (f64, f64),
}

impl<'c> Own<'c> {
    fn new(codec: &'c dyn Codec, certificates: &'c [Certificate]) -> Self {
        let mut output = vec![0; ROOM];
        // Refused certificates are not part of the batch; the exchange reports them.
        let encode = |certificate| codec.encode(certificate, &mut output).map(|(n, _)| output[..n].to_vec());
        let encodings = certificates.iter().map(encode).filter_map(Result::ok).collect();
        let straight: Vec<(bool, bool)> =
            certificates.iter().map(|certificate| codec.is_straight(certificate, &mut output)).collect();
        let share = |count: usize| count as f64 / certificates.len() as f64;
        let straight = (share(straight.iter().filter(|s| s.0).count()), share(straight.iter().filter(|s| s.1).count()));
        Own { codec, batch: codec.batch(certificates), encodings, output, straight }
    }

    fn time(&mut self, direction: Direction, passes: usize) -> Sample {
        let mut pass = || match direction {
            Direction::Encode => self.batch.encode_all(&mut self.output),
            Direction::Decode => self.batch.decode_all(&self.encodings),
        };
        Sample::of(|| (0..passes).fold(Done::default(), |done, _| done.and(pass())))
    }
}

/// rasn with the same certificates.
struct Peer {
    rules: Rules,
    codec: Box<dyn Transcode>,
    encodings: Vec<Vec<u8>>,
}

impl Peer {
    /// `None` if rasn is not connected for these rules.
    fn new(rules: Rules, encodings: &[Vec<u8>]) -> Result<Option<Self>, String> {
        let engine = roadwire_peers::find(PEER).ok_or("the peer is not linked")?;
        let Ok(mut codec) = engine.transcoder(Schema::Certificate2017, rules) else { return Ok(None) };
        for octets in encodings {
            let again = codec.recode(octets, octets).map_err(|why| format!("rasn refuses a certificate: {why}"))?;
            if again != *octets {
                return Err(format!("rasn encodes a certificate differently in {}", rules.name()));
            }
        }
        Ok(Some(Peer { rules, codec, encodings: encodings.to_vec() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::studies::certificates::codecs;

    #[test]
    fn rasn_has_the_same_octets() {
        for generator in [Generator::Fitted, Generator::Uniform] {
            let rows = run(generator, 7, &codecs::all(generator).unwrap(), 1, 0.0, &mut |_| ()).unwrap();
            assert!(rows.iter().all(|row| row.failure.is_none()), "{rows:?}");
            let peers: Vec<_> = rows.iter().filter(|row| row.engine == "rasn").map(|row| row.rules.as_str()).collect();
            assert_eq!(peers, ["uper", "coer"]);
        }
    }
}
