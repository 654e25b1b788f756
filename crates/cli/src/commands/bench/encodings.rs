//! The figures of a message in each encoding.

use roadwire::{CodecError, Measured, Rules, TypeId};
use roadwire_airtime::load;
use roadwire_lab::bench::{GENERATED, INTERPRETER, PROGRAM, value_of};
use roadwire_lab::record::Record;
use roadwire_lab::report::needs::air_us;
use roadwire_measure::cell::Direction;

use super::values::OwnValue;
use crate::codec;
use crate::schema::Schema;

/// How often a station sends, for the number of stations.
pub(super) const HERTZ: f64 = 10.0;

/// The values under one set of rules.
pub(super) struct Encoding {
    pub(super) rules: Rules,
    /// Of each value, or why there is none.
    pub(super) sizes: Result<Vec<Size>, String>,
    /// In the order of the records: ours first.
    pub(super) codecs: Vec<Costs>,
}

/// The length of a value.
pub(super) struct Size {
    pub(super) measured: Measured,
    /// Microseconds on the air; none if it does not fit into a frame.
    pub(super) air_us: Option<u32>,
}

/// The costs of an implementation, on average over the values.
pub(super) struct Costs {
    pub(super) engine: String,
    pub(super) version: String,
    pub(super) kind: &'static str,
    /// Encoding and decoding.
    pub(super) ways: [Cost; 2],
    pub(super) confirmed_by: Vec<String>,
    pub(super) absent: Option<String>,
}

/// The costs of one direction; `None` where a figure was not measured.
#[derive(Default)]
pub(super) struct Cost {
    pub(super) ns: Option<f64>,
    pub(super) instructions: Option<f64>,
    /// The most heap at one time, octets.
    pub(super) heap: Option<f64>,
    pub(super) stack: Option<f64>,
}

impl Encoding {
    /// The type has no encoding.
    pub(super) fn none(rules: Rules, why: String) -> Self {
        Encoding { rules, sizes: Err(why), codecs: Vec::new() }
    }

    /// The lengths of values.
    pub(super) fn of(schema: &Schema, type_id: TypeId, rules: Rules, values: &[OwnValue]) -> Self {
        let size = |one: &OwnValue| match schema.schema.measure(type_id, rules, &one.value) {
            Ok(measured) => Ok(Size { air_us: air_us(measured.octets), measured }),
            Err(CodecError::NoLayout(error)) => Err(codec::no_layout(rules, &error).line()),
            Err(error) => Err(format!("{}: {error}", one.source)),
        };
        Encoding { rules, sizes: values.iter().map(size).collect(), codecs: Vec::new() }
    }

    /// Adds the measurements.
    pub(super) fn add(&mut self, records: &[Record]) {
        let ours = |record: &&Record| record.rules == self.rules && !record.repeat && value_of(record).is_some();
        let records: Vec<&Record> = records.iter().filter(ours).collect();
        let mut engines: Vec<&str> = Vec::new();
        for record in &records {
            if !engines.contains(&record.engine.as_str()) {
                engines.push(&record.engine);
            }
        }
        self.codecs = engines.iter().map(|engine| costs(engine, &records)).collect();
    }

    /// Octets, on average.
    pub(super) fn octets(&self) -> Option<f64> {
        self.mean(|size| Some(size.measured.octets as f64))
    }

    /// Microseconds on the air, on average.
    pub(super) fn air_us(&self) -> Option<f64> {
        self.mean(|size| size.air_us.map(f64::from))
    }

    /// The shares of bits by cause, 0 to 1.
    pub(super) fn shares(&self) -> Option<[f64; Measured::CAUSES.len()]> {
        let sizes = self.sizes.as_ref().ok()?;
        let mut bits = [0.0; Measured::CAUSES.len()];
        for size in sizes {
            bits.iter_mut().zip(size.measured.bits).for_each(|(sum, bits)| *sum += bits as f64);
        }
        let all: f64 = bits.iter().sum();
        Some(bits.map(|bits| if all > 0.0 { bits / all } else { 0.0 }))
    }

    pub(super) fn generated(&self) -> Option<&Costs> {
        self.by(GENERATED)
    }

    pub(super) fn program(&self) -> Option<&Costs> {
        self.by(PROGRAM)
    }

    pub(super) fn interpreter(&self) -> Option<&Costs> {
        self.by(INTERPRETER)
    }

    fn by(&self, engine: &str) -> Option<&Costs> {
        self.codecs.iter().find(|codec| codec.engine == engine && codec.absent.is_none())
    }

    fn mean(&self, of: impl Fn(&Size) -> Option<f64>) -> Option<f64> {
        mean(self.sizes.as_ref().ok()?.iter().map(of))
    }
}

impl Costs {
    /// Nanoseconds to encode and decode.
    pub(super) fn ns(&self) -> Option<f64> {
        Some(self.ways[0].ns? + self.ways[1].ns?)
    }
}

/// How many stations that send this often fill the channel up to the usual limit.
pub(super) fn stations(air_us: f64) -> u64 {
    load::stations(load::LIMIT, HERTZ, air_us)
}

fn costs(engine: &str, records: &[&Record]) -> Costs {
    let of = |direction: Direction| -> Vec<&Record> {
        let is_it = |record: &&&Record| record.engine == engine && record.direction == direction;
        records.iter().filter(is_it).copied().collect()
    };
    let ways = Direction::ALL.map(|direction| {
        let records = of(direction);
        let mean = |of: &dyn Fn(&Record) -> Option<f64>| mean(records.iter().map(|record| of(record)));
        Cost {
            ns: mean(&|record| Some(record.cpu_ns.as_ref()?.median)),
            instructions: mean(&|record| Some(record.instructions? as f64)),
            heap: mean(&|record| Some(record.heap?.peak as f64)),
            stack: mean(&|record| Some(record.stack? as f64)),
        }
    });
    let of_it = || records.iter().filter(|record| record.engine == engine);
    let (version, kind) = of_it().next().map_or((String::new(), ""), |one| (one.version.clone(), one.kind.name()));
    // Confirmed is what confirms all values.
    let all = |by: &String| of_it().all(|record| record.confirmed_by.contains(by));
    let confirmed_by =
        of_it().next().map_or(Vec::new(), |one| one.confirmed_by.iter().filter(|by| all(by)).cloned().collect());
    let absent = of_it().find_map(|record| record.absent.clone());
    Costs { engine: engine.to_owned(), version, kind, ways, confirmed_by, absent }
}

/// The mean, if all are known.
fn mean(numbers: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}
