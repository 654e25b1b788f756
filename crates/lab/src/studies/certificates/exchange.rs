//! The paper's Algorithms 1 and 2: a sender draws a certificate, encodes it in every encoding and
//! sends it; a receiver decodes it.
//!
//! Both are threads of this process with a TCP connection over the loopback interface between them,
//! or two programs ([`super::link`]). Neither keeps more than one certificate, its counters, and
//! the first [`KEPT`] records.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;

use serde::{Deserialize, Serialize};

use super::codec::{Codec, empty_region};
use super::generator::Generator;
use super::link::Link;
use super::spread::{Counter, Spread};
use roadwire_measure::random::Random;

/// In which order a certificate's encodings are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// A new random order for each certificate.
    Random,
    /// The same for every certificate, as in the paper.
    Paper,
}

/// One experiment: what is exchanged.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// How certificates are drawn.
    pub generator: Generator,
    /// In which order they are encoded.
    pub order: Order,
    /// How many (the paper's X).
    pub certificates: u64,
    /// Which repetition it is, from 0.
    pub repetition: u32,
    /// The seed of all draws.
    pub seed: u64,
}

/// The result of an experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// How certificates were drawn.
    pub generator: Generator,
    /// In which order they were encoded.
    pub order: Order,
    /// How many (the paper's X).
    pub certificates: u64,
    /// Which repetition it is, from 0.
    #[serde(default)]
    pub repetition: u32,
    /// Wall time of the whole exchange, seconds.
    pub seconds: f64,
    /// The time of two readings of the clock with nothing between, at the sender, nanoseconds.
    pub empty_encode: Option<Spread>,
    /// The same at the receiver.
    pub empty_decode: Option<Spread>,
    /// One for each encoding.
    pub rows: Vec<Row>,
}

/// One encoding in an experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The encoding rules.
    pub rules: String,
    /// Encoded lengths, octets.
    pub octets: Option<Spread>,
    /// Encoding, wall nanoseconds, clock included.
    pub encode: Option<Spread>,
    /// Decoding, wall nanoseconds, clock included.
    pub decode: Option<Spread>,
    /// Certificates that were not encoded, not decoded, or decoded to something else.
    pub failures: u64,
    /// The first failure.
    pub failure: Option<String>,
}

/// One certificate in one encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Index of the codec.
    pub codec: usize,
    /// Place among the certificate's encodings, from 0.
    pub place: usize,
    /// Encoded length; none if it was refused.
    pub octets: Option<usize>,
    /// Encoding, wall nanoseconds.
    pub encode: u64,
    /// Decoding, wall nanoseconds; none if it was refused.
    pub decode: Option<u64>,
}

/// How many certificates of an experiment keep their single records.
pub const KEPT: u64 = 1000;

/// Room for any encoding of a certificate of either generator.
pub(super) const ROOM: usize = 1 << 16;

/// The frame's length when the sender's codec refused the certificate.
const REFUSED: u32 = u32::MAX;

/// The counters of one side.
#[derive(Default)]
struct Side {
    empty: Counter,
    times: Vec<Counter>,
    octets: Vec<Counter>,
    failures: Vec<u64>,
    failure: Vec<Option<String>>,
    kept: Vec<Sample>,
}

impl Side {
    fn new(codecs: usize) -> Self {
        Side {
            times: vec![Counter::default(); codecs],
            octets: vec![Counter::default(); codecs],
            failures: vec![0; codecs],
            failure: vec![None; codecs],
            ..Side::default()
        }
    }

    fn fail(&mut self, codec: usize, certificate: u64, why: &str) {
        self.failures[codec] += 1;
        self.failure[codec].get_or_insert_with(|| format!("certificate {certificate}: {why}"));
    }
}

/// A message that can be exchanged.
pub(super) trait Exchanged: Clone + Default + PartialEq {}

impl<M: Clone + Default + PartialEq> Exchanged for M {}

/// Draws the next one, the same at both sides.
pub(super) type Draw<'d, M> = &'d (dyn Fn(&mut Random) -> M + Sync);

/// The result of one side.
#[derive(Serialize, Deserialize)]
struct Half {
    empty: Option<Spread>,
    times: Vec<Option<Spread>>,
    octets: Vec<Option<Spread>>,
    failures: Vec<u64>,
    failure: Vec<Option<String>>,
    kept: Vec<Sample>,
}

impl From<Side> for Half {
    fn from(side: Side) -> Half {
        Half {
            empty: side.empty.spread(),
            times: side.times.iter().map(Counter::spread).collect(),
            octets: side.octets.iter().map(Counter::spread).collect(),
            failures: side.failures,
            failure: side.failure,
            kept: side.kept,
        }
    }
}

/// Both sides as threads of this program.
fn inside<M: Exchanged>(
    plan: Plan,
    draw: Draw<'_, M>,
    codecs: &[Box<dyn Codec<M>>],
    progress: &mut dyn FnMut(u64),
) -> io::Result<(Half, Half)> {
    let (from, to) = connection()?;
    let (sent, received) = thread::scope(|scope| {
        let receiver =
            scope.spawn(move || receive(plan, draw, codecs, &mut BufReader::with_capacity(ROOM, to), &mut |_| {}));
        let sent = send(plan, draw, codecs, from, progress);
        let received = receiver.join().unwrap_or_else(|_| Err(io::Error::other("the receiver panicked")));
        (sent, received)
    });
    // An error at the receiver explains one at the sender.
    let received = received?;
    Ok((sent?.into(), received.into()))
}

/// This program's side, and then the other's result.
fn between<M: Exchanged>(
    plan: Plan,
    draw: Draw<'_, M>,
    codecs: &[Box<dyn Codec<M>>],
    link: &mut Link,
    progress: &mut dyn FnMut(u64),
) -> io::Result<(Half, Half)> {
    if link.is_sender {
        let sent = send(plan, draw, codecs, link.stream()?, progress)?.into();
        let received: Half = link.swap(&sent)?;
        return Ok((sent, received.checked(codecs.len())?));
    }
    let received = receive(plan, draw, codecs, &mut link.reader, progress)?.into();
    let sent: Half = link.swap(&received)?;
    Ok((sent.checked(codecs.len())?, received))
}

impl Half {
    /// Checks that a half from another program has an entry for each codec.
    fn checked(self, codecs: usize) -> io::Result<Half> {
        let lengths = [self.times.len(), self.octets.len(), self.failures.len(), self.failure.len()];
        let is_whole = lengths == [codecs; 4] && self.kept.iter().all(|sample| sample.codec < codecs);
        is_whole.then_some(self).ok_or_else(wrong_frame)
    }
}

/// Runs one experiment, with another program if there is a link. `progress` is called with the
/// number of certificates of this side.
///
/// # Errors
/// The connection cannot be made or breaks.
pub(super) fn run<M: Exchanged>(
    plan: Plan,
    draw: Draw<'_, M>,
    codecs: &[Box<dyn Codec<M>>],
    link: Option<&mut Link>,
    progress: &mut dyn FnMut(u64),
) -> io::Result<(Experiment, Vec<Sample>)> {
    let start = std::time::Instant::now();
    let (sent, received) = match link {
        None => inside(plan, draw, codecs, progress)?,
        Some(link) => between(plan, draw, codecs, link, progress)?,
    };
    let rows = codecs
        .iter()
        .enumerate()
        .map(|(i, codec)| Row {
            rules: codec.name().into(),
            octets: sent.octets[i].clone(),
            encode: sent.times[i].clone(),
            decode: received.times[i].clone(),
            failures: sent.failures[i] + received.failures[i],
            failure: sent.failure[i].clone().or_else(|| received.failure[i].clone()),
        })
        .collect();
    let mut kept = sent.kept;
    for (sent, received) in kept.iter_mut().zip(received.kept) {
        sent.decode = received.decode;
    }
    let experiment = Experiment {
        generator: plan.generator,
        order: plan.order,
        certificates: plan.certificates,
        repetition: plan.repetition,
        seconds: start.elapsed().as_secs_f64(),
        empty_encode: sent.empty,
        empty_decode: received.empty,
        rows,
    };
    Ok((experiment, kept))
}

/// Both ends of a connection over the loopback interface.
fn connection() -> io::Result<(TcpStream, TcpStream)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let one = TcpStream::connect(listener.local_addr()?)?;
    let own = one.local_addr()?;
    // Another program on this machine may have connected first.
    loop {
        let (other, peer) = listener.accept()?;
        if peer == own {
            return Ok((one, other));
        }
    }
}

/// The certificates of an experiment, in order: the same at the sender and, to compare with, at the
/// receiver.
pub(super) fn draws(seed: u64) -> Random {
    Random::new(seed)
}

/// Algorithm 1.
fn send<M: Exchanged>(
    plan: Plan,
    draw: Draw<'_, M>,
    codecs: &[Box<dyn Codec<M>>],
    connection: TcpStream,
    progress: &mut dyn FnMut(u64),
) -> io::Result<Side> {
    let mut line = BufWriter::with_capacity(ROOM, connection);
    let mut side = Side::new(codecs.len());
    let mut random = draws(plan.seed);
    let mut shuffle = Random::new(!plan.seed);
    let mut order: Vec<usize> = (0..codecs.len()).collect();
    let mut buffer = vec![0; ROOM];
    for certificate in 0..plan.certificates {
        let value = draw(&mut random);
        if plan.order == Order::Random {
            shuffle.shuffle(&mut order);
        }
        side.empty.add(empty_region());
        for (place, &codec) in order.iter().enumerate() {
            let mut sample = Sample { codec, place, octets: None, encode: 0, decode: None };
            line.write_all(&[codec as u8])?;
            match codecs[codec].encode(&value, &mut buffer) {
                Ok((octets, time)) => {
                    side.times[codec].add(time);
                    side.octets[codec].add(octets as u64);
                    (sample.octets, sample.encode) = (Some(octets), time);
                    line.write_all(&(octets as u32).to_le_bytes())?;
                    line.write_all(&buffer[..octets])?;
                }
                Err(why) => {
                    side.fail(codec, certificate, &format!("not encoded: {why}"));
                    line.write_all(&REFUSED.to_le_bytes())?;
                }
            }
            if certificate < KEPT {
                side.kept.push(sample);
            }
        }
        progress(certificate + 1);
    }
    line.flush()?;
    Ok(side)
}

/// Algorithm 2. It draws the certificates again, to know what was sent.
fn receive<M: Exchanged>(
    plan: Plan,
    draw: Draw<'_, M>,
    codecs: &[Box<dyn Codec<M>>],
    line: &mut BufReader<TcpStream>,
    progress: &mut dyn FnMut(u64),
) -> io::Result<Side> {
    let mut side = Side::new(codecs.len());
    let mut random = draws(plan.seed);
    // Each encoding has its own place, which holds the last certificate.
    let mut places = vec![M::default(); codecs.len()];
    let mut buffer = vec![0; ROOM];
    for certificate in 0..plan.certificates {
        let sent = draw(&mut random);
        side.empty.add(empty_region());
        for place in 0..codecs.len() {
            let mut head = [0; 5];
            line.read_exact(&mut head)?;
            let [codec, length @ ..] = head;
            let (codec, length) = (usize::from(codec), u32::from_le_bytes(length));
            if codec >= codecs.len() {
                return Err(wrong_frame());
            }
            let mut sample = Sample { codec, place, octets: None, encode: 0, decode: None };
            if length != REFUSED {
                let octets = buffer.get_mut(..length as usize).ok_or_else(wrong_frame)?;
                line.read_exact(octets)?;
                match codecs[codec].decode(octets, &mut places[codec]) {
                    Ok(_) if places[codec] != sent => side.fail(codec, certificate, "decoded to something else"),
                    Ok(time) => {
                        side.times[codec].add(time);
                        sample.decode = Some(time);
                    }
                    Err(why) => side.fail(codec, certificate, &format!("not decoded: {why}")),
                }
            }
            if certificate < KEPT {
                side.kept.push(sample);
            }
        }
        progress(certificate + 1);
    }
    Ok(side)
}

fn wrong_frame() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a frame that no sender makes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::studies::certificates::codecs;

    fn plan(generator: Generator, order: Order) -> Plan {
        Plan { generator, order, certificates: 200, repetition: 0, seed: 5 }
    }

    #[test]
    fn what_is_sent_is_received_in_every_encoding() {
        for generator in [Generator::Fitted, Generator::Uniform] {
            let codecs = codecs::all(generator).unwrap();
            let (experiment, samples) = run(
                plan(generator, Order::Random),
                &|random| generator.certificate(random),
                &codecs,
                None,
                &mut |_| {},
            )
            .unwrap();
            assert_eq!(samples.len(), 200 * codecs.len());
            assert!(samples.iter().all(|sample| sample.decode.is_some()));
            for row in &experiment.rows {
                assert_eq!((row.failures, &row.failure), (0, &None), "{}", row.rules);
                assert_eq!(row.decode.as_ref().map(|spread| spread.count), Some(200));
            }
        }
    }

    #[test]
    fn sizes_follow_from_the_seed_and_not_from_the_order() {
        let codecs = codecs::all(Generator::Uniform).unwrap();
        let sizes = |order| {
            let (experiment, _) = run(
                plan(Generator::Uniform, order),
                &|random| Generator::Uniform.certificate(random),
                &codecs,
                None,
                &mut |_| {},
            )
            .unwrap();
            experiment.rows.into_iter().map(|row| row.octets).collect::<Vec<_>>()
        };
        assert_eq!(sizes(Order::Random), sizes(Order::Random));
        assert_eq!(sizes(Order::Random), sizes(Order::Paper));
    }

    #[test]
    fn the_papers_order_is_the_same_for_every_certificate() {
        let codecs = codecs::all(Generator::Fitted).unwrap();
        let (_, samples) = run(
            plan(Generator::Fitted, Order::Paper),
            &|random| Generator::Fitted.certificate(random),
            &codecs,
            None,
            &mut |_| {},
        )
        .unwrap();
        assert!(samples.iter().all(|sample| sample.codec == sample.place));
    }
}
