//! The study's own tables.

use std::collections::BTreeSet;

use super::cells::Engine;
use super::description::{self, Description, in_encoding};
use super::encoding::Encoding;
use super::figure::load;
use super::fit::Fit;
use super::measured::{Ieee1609, Lacking, Row};
use super::on_file::OnFile;
use crate::number::{number, or_dash};
use crate::report::table::Table;
use roadwire_measure::cell::Direction;

/// The paper's order: ASN.1, then 1609.2.
pub(super) const ORDER: [Encoding; 4] =
    [Encoding::UperOriginal, Encoding::UperP, Encoding::OerOriginal, Encoding::Binary];

impl Ieee1609 {
    /// All tables.
    pub(super) fn all_tables(&self) -> Vec<Table> {
        let mut tables = vec![self.lengths()];
        tables.extend(Direction::ALL.map(|direction| self.times(direction)));
        tables.push(self.without());
        tables.extend(self.counted_tables());
        tables.extend([self.against(), self.extrapolation(), self.loads()]);
        tables.extend(self.pass_tables());
        tables
    }

    /// Every row, for a file.
    pub fn all(&self) -> Table {
        let heading = [
            "message",
            "encoding",
            "engine",
            "octets",
            "optional_parts",
            "encode_ns",
            "encode_mad_ns",
            "decode_ns",
            "decode_mad_ns",
            "decode_heap_octets",
            "on_file",
        ];
        let mut table = Table::new(
            "Messages of IEEE 1609.2: lengths, times of one operation (median and MAD), heap of decoding",
            &heading,
        );
        for row in &self.rows {
            let median = |direction| or_dash(row.time(direction).map(|time| format!("{time:.1}")));
            let spread = |summary: &Option<roadwire_measure::stats::Summary>| {
                or_dash(summary.as_ref().map(|summary| format!("{:.1}", summary.mad)))
            };
            table.row([
                row.message.clone(),
                row.encoding.name().into(),
                row.engine.name().into(),
                row.octets.to_string(),
                row.parts.to_string(),
                median(Direction::Encode),
                spread(&row.encode),
                median(Direction::Decode),
                spread(&row.decode),
                or_dash(row.heap),
                row.recorded.as_ref().map(OnFile::name).unwrap_or_default(),
            ]);
        }
        table
    }

    /// The implementations of this run that lack the messages in an encoding.
    fn without(&self) -> Table {
        let heading = ["implementation", "encoding", ">messages", "the first", "why"];
        let mut table = Table::new("Implementations without messages in an encoding", &heading);
        for Lacking { engine, encoding, message, messages, why } in &self.lacking {
            table.row([
                engine.name().into(),
                encoding.name().into(),
                messages.to_string(),
                message.clone(),
                why.clone(),
            ]);
        }
        table
            .notes
            .push("Programs of their own (`--peers`) take part with the ten messages of the paper's tables.".into());
        table
    }

    /// The messages of the paper's tables, with their names there, and the corresponding messages
    /// in each encoding.
    pub(super) fn ten(&self) -> Vec<(String, Vec<Description>)> {
        let mut ten: Vec<(String, Vec<Description>)> = Vec::new();
        for of in description::all().unwrap_or_default() {
            let Some(row) = of.row.clone() else { continue };
            match ten.iter_mut().find(|(name, _)| *name == row) {
                Some((_, all)) => all.push(of),
                None => ten.push((row, vec![of])),
            }
        }
        ten
    }

    /// The row of one of the ten; if ASN.1 has a separate message, of that one.
    pub(super) fn of_ten(&self, of: &[Description], encoding: Encoding, engine: Engine) -> Option<&Row> {
        self.row(&in_encoding(of, encoding)?.name, encoding, engine)
    }

    fn lengths(&self) -> Table {
        let mut table = Table::new(
            "Lengths of all messages, octets",
            &["message", "in the paper", ">optional parts", ">UPER-O", ">UPER-P", ">OER", ">1609.2"],
        );
        for of in description::all().unwrap_or_default() {
            let octets = |encoding| or_dash(self.row(&of.name, encoding, Engine::Toed).map(|row| row.octets));
            let [a, b, c, d] = ORDER.map(octets);
            let parts = of.optional_parts(Encoding::OerOriginal).to_string();
            table.row([of.name.clone(), of.row.clone().unwrap_or_default(), parts, a, b, c, d]);
        }
        table.notes.push("Optional parts: those of the original ASN.1 schema.".into());
        table
    }

    fn times(&self, direction: Direction) -> Table {
        let mut heading = vec!["message".to_string()];
        for encoding in ORDER {
            for engine in self.engines(encoding, direction) {
                heading.push(format!(">{}, {}", encoding.name(), engine.name()));
            }
        }
        let title = format!(
            "{} the paper's messages, ns",
            if direction == Direction::Encode { "Encoding" } else { "Decoding" }
        );
        let mut table = Table { title, heading, ..Table::default() };
        let mut sums = vec![Some(0.0); table.heading.len() - 1];
        for (name, of) in self.ten() {
            let mut row = vec![name];
            let mut at = 0;
            for encoding in ORDER {
                for engine in self.engines(encoding, direction) {
                    let time = self.of_ten(&of, encoding, engine).and_then(|row| row.time(direction));
                    sums[at] = sums[at].zip(time).map(|(sum, time)| sum + time);
                    at += 1;
                    row.push(or_dash(time.map(number)));
                }
            }
            table.rows.push(row);
        }
        table
            .rows
            .push([vec!["sum".to_string()], sums.into_iter().map(|sum| or_dash(sum.map(number))).collect()].concat());
        table.notes.push(
            "At this machine's clock; medians of batches. Signed-cert-large is three certificates in ASN.1 and two in 1609.2, as the printed lengths have it."
                .into(),
        );
        table.notes.extend(self.single.iter().map(|why| format!("All from one process: {why}.")));
        let on_file = self.rows.iter().filter_map(|row| Some((row.engine.name(), row.recorded.as_ref()?)));
        for (engine, on_file) in on_file.collect::<BTreeSet<_>>() {
            table.notes.push(format!("{engine}: on file, {}.", on_file.name()));
        }
        table
    }

    /// Ours compared with the paper's best, at 3 GHz.
    pub(super) fn against(&self) -> Table {
        let heading = ["message", ">roadwire-lent, ns", ">times faster than rasn", ">heap, octets"];
        let mut table = Table::new("Decoding in OER with strings that are borrowed, beside rasn", &heading);
        let (mut ours, mut peers) = (Some(0.0), Some(0.0));
        for (name, of) in self.ten() {
            let row = self.of_ten(&of, Encoding::OerOriginal, Engine::Lent);
            let here = row.and_then(|row| row.time(Direction::Decode));
            let rasn = self.of_ten(&of, Encoding::OerOriginal, Engine::Rasn);
            let peer = rasn.and_then(|row| row.time(Direction::Decode));
            ours = ours.zip(here).map(|(sum, time)| sum + time);
            peers = peers.zip(peer).map(|(sum, time)| sum + time);
            table.row([
                name,
                or_dash(here.map(number)),
                or_dash(here.zip(peer).map(|(here, peer)| format!("{:.1}", peer / here))),
                or_dash(row.and_then(|row| row.heap)),
            ]);
        }
        let times = ours.zip(peers).map(|(ours, peers)| format!("{:.1}", peers / ours));
        table.row(["sum".into(), or_dash(ours.map(number)), or_dash(times), String::new()]);
        table.notes.push("Heap: what decoding over the message before asks for. The paper's code that was improved by hand does not borrow; the decoder by hand here does.".into());
        table
    }

    /// The paper's extrapolation to the Basic Safety Message, and the direct measurement.
    fn extrapolation(&self) -> Table {
        let mut table = Table::new(
            "Decoding a Basic Safety Message: extrapolated from the 64 messages as the paper did it, and measured",
            &[
                "message",
                "encoding",
                "engine",
                ">R² by length",
                ">R² by optional parts",
                "chosen",
                ">measured ns",
                ">by length ns",
                ">off by %",
                ">by optional parts ns",
                ">off by %",
            ],
        );
        for message in ["BSM-digest", "BSM-cert"] {
            for encoding in ORDER {
                for engine in Engine::ALL {
                    let row = self.row(message, encoding, engine);
                    let Some((fit, row)) = Fit::of(self, encoding, engine).zip(row) else { continue };
                    let Some(measured) = row.time(Direction::Decode) else { continue };
                    let (by_size, by_parts) = (fit.by_size.at(row.octets as f64), fit.by_parts.at(row.parts as f64));
                    let off = |extrapolated: f64| format!("{:+.0}", (extrapolated / measured - 1.0) * 100.0);
                    table.row([
                        message.into(),
                        encoding.name().into(),
                        engine.name().into(),
                        format!("{:.2}", fit.by_size.explained),
                        format!("{:.2}", fit.by_parts.explained),
                        if fit.parts_fit_better() { "optional parts" } else { "length" }.into(),
                        number(measured),
                        number(by_size),
                        off(by_size),
                        number(by_parts),
                        off(by_parts),
                    ]);
                }
            }
        }
        if table.rows.is_empty() {
            table.notes.push("All 64 messages are needed for it: not in a quick run.".into());
        }
        table
    }

    /// The paper's projections, and the load to be expected by a receiver.
    fn loads(&self) -> Table {
        let engines: Vec<Engine> =
            Engine::ALL.into_iter().filter(|engine| self.rows.iter().any(|row| row.engine == *engine)).collect();
        let time = |message: &str, encoding, engine| self.row(message, encoding, engine)?.time(Direction::Decode);
        let densities = [&DENSITIES[..], &[(VEHICLES * RATE, 20), (VEHICLES * RATE, 100)]].concat();
        let title = "Decoding in one second of a road, µs, and the share of one core";
        let mut table = loads(title, &densities, &engines, 1e4, time);
        table.notes.push(format!(
            "{} messages a second: {VEHICLES} vehicles in range, each sending {RATE} a second.",
            VEHICLES * RATE
        ));
        table
    }
}

/// Messages in a second, and how many percent of them have a certificate: those of the paper's
/// Table 5.
pub(super) const DENSITIES: [(u32, u32); 4] = [(100, 20), (100, 100), (1000, 20), (1000, 100)];

/// The cost of decoding the messages of one second on a road in each encoding, in thousands of the
/// unit of `decode`, and its share of a second, of which `hundredth` is one percent in the table's
/// unit.
pub(super) fn loads(
    title: &str,
    densities: &[(u32, u32)],
    engines: &[Engine],
    hundredth: f64,
    decode: impl Fn(&str, Encoding, Engine) -> Option<f64>,
) -> Table {
    let heading = [
        "messages/s",
        ">% with a certificate",
        "engine",
        ">UPER-O",
        ">%",
        ">UPER-P",
        ">%",
        ">OER",
        ">%",
        ">1609.2",
        ">%",
    ];
    let mut table = Table::new(title, &heading);
    for &(messages, percent) in densities {
        for &engine in engines {
            let mut row = vec![messages.to_string(), percent.to_string(), engine.name().into()];
            for encoding in ORDER {
                let of = |message| decode(message, encoding, engine);
                let load = of("BSM-digest").zip(of("BSM-cert")).map(|(a, b)| load(messages, percent, a, b));
                row.push(or_dash(load.map(number)));
                row.push(or_dash(load.map(|load| format!("{:.4}", load / hundredth))));
            }
            table.rows.push(row);
        }
    }
    table
}

/// The number of vehicles; the paper assumed a tenth of it.
const VEHICLES: u32 = 400;
/// How often each sends, in a second.
const RATE: u32 = 10;
