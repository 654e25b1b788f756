//! The study's own tables.

use roadwire_layout::Rules;

use super::measured::{ENVELOPED, INTERPRETER, Length, Row, Today, rules};
use crate::number::{number, or_dash};
use crate::report::table::Table;
use roadwire_measure::cell::Direction;
use roadwire_peers::content::today::{CONTENTS, SIGNERS};

/// The most octets that GeoNetworking takes from the layer above (EN 302 636-4-1 Annex H,
/// itsGnMaxSduSize).
pub(super) const PACKET: usize = 1398;
/// The header before the message, that of BTP (EN 302 636-5-1 §7).
const BTP: usize = 4;

/// How many objects a CPM has room for.
pub(super) struct Room {
    /// Octets of one object.
    pub(super) object: f64,
    /// How many have room in one packet, by signer, the message's rules inside an envelope in COER.
    pub(super) objects: [usize; 2],
}

impl Room {
    /// By the lengths of CPM with 40 and 128 objects.
    pub(super) fn of(study: &Today, rules: Rules) -> Result<Room, String> {
        let length = |name: &str| study.length(name, rules).ok_or("it is not in this run");
        let (few, many) = (length("cpm-40")?, length("cpm-128")?);
        let object = (many.octets - few.octets) as f64 / 88.0;
        let objects = few.on_the_road.map(|octets| {
            let room = PACKET as f64 - (octets + BTP) as f64 + 40.0 * object;
            (room / object).max(0.0) as usize
        });
        Ok(Room { object, objects })
    }
}

impl Today {
    /// All tables.
    pub(super) fn all_tables(&self) -> Vec<Table> {
        let plain = self.octets("Octets of a message", |length| length.octets);
        let mut tables = vec![plain, self.confirmations()];
        for (at, signer) in SIGNERS.into_iter().enumerate() {
            let title = format!("Octets with an envelope in the same encoding, the signer named by {}", signer.name());
            tables.push(self.octets(&title, |length| length.enveloped[at]));
        }
        tables.extend([self.on_the_road(), self.room()]);
        tables.extend(Direction::ALL.map(|direction| self.interpreted(direction)));
        tables.push(self.compiled());
        tables
    }

    /// Those of the page of results.
    pub(super) fn few_tables(&self) -> Vec<Table> {
        let mut tables = vec![
            self.octets("Octets of a message of release 2", |length| length.octets),
            self.on_the_road(),
            self.room(),
            self.compiled(),
        ];
        tables.retain(|table| !table.rows.is_empty());
        tables
    }

    fn octets(&self, title: &str, octets: impl Fn(&Length) -> usize) -> Table {
        let mut table = Table::new(title, &["message"]);
        table.heading.extend(rules().map(|rules| format!(">{rules}")));
        for content in CONTENTS {
            let mut row = vec![content.id.to_string()];
            row.extend(rules().map(|rules| or_dash(self.length(content.id, rules).map(&octets))));
            table.rows.push(row);
        }
        table
    }

    /// Which other implementations have the same octets.
    fn confirmations(&self) -> Table {
        let mut table = Table::new(
            "Messages whose octets another implementation has as well, by encoding",
            &["encoding", ">confirmed", ">messages", "by"],
        );
        let mut all = [0, 0];
        for rules in rules() {
            let of: Vec<&Length> = self.lengths.iter().filter(|length| length.rules == rules).collect();
            let by: Vec<&str> =
                of.iter().map(|length| length.confirmed_by.as_str()).filter(|by| !by.is_empty()).collect();
            let mut names: Vec<&str> = by.iter().flat_map(|by| by.split(" and ")).collect();
            names.sort_unstable();
            names.dedup();
            let names = if names.is_empty() { "none".into() } else { names.join(", ") };
            table.row([rules.to_string(), by.len().to_string(), of.len().to_string(), names]);
            all = [all[0] + by.len(), all[1] + of.len()];
        }
        table.row(["all".into(), all[0].to_string(), all[1].to_string(), String::new()]);
        table.notes.push(
            "`today-lengths.csv` has this for each message. Envelopes in COER are those of `interop/today.py`; those in other \
             encodings no other implementation has confirmed."
                .into(),
        );
        table
    }

    /// Messages as they are sent: the message in UPER, the envelope in COER.
    fn on_the_road(&self) -> Table {
        let mut table = Table::new(
            "As it is on the road: the message in UPER, its envelope in COER",
            &[
                "message",
                "content",
                ">message",
                ">with digest",
                ">envelope, %",
                ">with certificate",
                ">envelope, %",
                ">both in UPER, digest",
                ">both in UPER, certificate",
            ],
        );
        for content in CONTENTS {
            let Some(length) = self.length(content.id, Rules::Uper) else { continue };
            let share = |all: usize| format!("{:.0}", (all - length.octets) as f64 * 100.0 / all as f64);
            let [digest, certificate] = length.on_the_road;
            table.row([
                content.id.into(),
                content.title.into(),
                length.octets.to_string(),
                digest.to_string(),
                share(digest),
                certificate.to_string(),
                share(certificate),
                length.enveloped[0].to_string(),
                length.enveloped[1].to_string(),
            ]);
        }
        table.notes.push(
            "A DENM always has its certificate (TS 103 097 §7.1.2); the other column is what it would be without."
                .into(),
        );
        table
    }

    fn room(&self) -> Table {
        let mut table = Table::new(
            format!("Objects of a CPM that one packet of {PACKET} octets has room for"),
            &[
                "encoding",
                ">octets of an object",
                ">1 object",
                ">10",
                ">40",
                ">128",
                ">room with digest",
                ">with certificate",
            ],
        );
        for rules in rules() {
            let Ok(room) = Room::of(self, rules) else { continue };
            let octets = |name: &str| or_dash(self.length(name, rules).map(|length| length.octets));
            let [digest, certificate] = room.objects.map(|objects| objects.to_string());
            table.row([
                rules.to_string(),
                number(room.object),
                octets("cpm-1"),
                octets("cpm-10"),
                octets("cpm-40"),
                octets("cpm-128"),
                digest,
                certificate,
            ]);
        }
        table.notes.push(format!(
            "The message in this encoding, its envelope in COER, and {BTP} octets of BTP; an object's octets are those between 40 and 128 of them."
        ));
        table
    }

    fn interpreted(&self, direction: Direction) -> Table {
        let what = if direction == Direction::Encode { "Encoding" } else { "Decoding" };
        let mut table = Table::new(format!("{what} by the interpreter, ns"), &["message"]);
        table.heading.extend(rules().map(|rules| format!(">{rules}")));
        let mut names: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !names.contains(&row.message.as_str()) {
                names.push(&row.message);
            }
        }
        for name in names {
            let time = |rules| self.row(name, rules, INTERPRETER).and_then(|row| row.time(direction));
            let mut row = vec![name.to_string()];
            row.extend(rules().map(|rules| or_dash(time(rules).map(|time| format!("{time:.0}")))));
            table.rows.push(row);
        }
        table.notes.push(format!(
            "Over values whose type is known at run time only, so that a decoded message is on the heap. Medians of batches. The envelopes hold {ENVELOPED} in UPER."
        ));
        table
    }

    /// Generated code, code by hand, and other implementations.
    fn compiled(&self) -> Table {
        let heading = [
            "message",
            "encoding",
            "engine",
            ">octets",
            ">encode ns",
            ">decode ns",
            ">heap of decoding",
            ">× by hand",
            ">times faster than the interpreter",
        ];
        let mut table = Table::new("Generated code, code by hand, and other implementations", &heading);
        for row in self.rows.iter().filter(|row| row.engine != INTERPRETER) {
            let time = |row: &Row, direction| row.time(direction);
            let times = |direction| or_dash(time(row, direction).map(number));
            let both = |row: &Row| Some(time(row, Direction::Encode)? + time(row, Direction::Decode)?);
            let of = |engine| self.row(&row.message, row.rules, engine).and_then(both);
            table.row([
                row.message.clone(),
                row.rules.to_string(),
                row.engine.clone(),
                row.octets.to_string(),
                times(Direction::Encode),
                times(Direction::Decode),
                or_dash(row.heap),
                or_dash(both(row).zip(of("by hand")).map(|(here, by_hand)| format!("{:.2}", here / by_hand))),
                or_dash(of(INTERPRETER).zip(both(row)).map(|(own, here)| format!("{:.1}", own / here))),
            ]);
        }
        table
    }

    pub(super) fn data_lengths(&self) -> Table {
        let heading = [
            "message",
            "rules",
            "octets",
            "digest_octets",
            "certificate_octets",
            "digest_coer_octets",
            "certificate_coer_octets",
            "confirmed_by",
        ];
        let mut table = Table::new(
            "Lengths of today's messages, alone and signed: the envelope in the same encoding, and in COER as on the road",
            &heading,
        );
        for length in &self.lengths {
            let [digest, certificate] = length.enveloped.map(|octets| octets.to_string());
            let [road_digest, road_certificate] = length.on_the_road.map(|octets| octets.to_string());
            table.row([
                length.message.clone(),
                length.rules.to_string(),
                length.octets.to_string(),
                digest,
                certificate,
                road_digest,
                road_certificate,
                length.confirmed_by.clone(),
            ]);
        }
        table
    }

    pub(super) fn data_times(&self) -> Table {
        let heading = [
            "message",
            "rules",
            "engine",
            "octets",
            "encode_ns",
            "encode_mad_ns",
            "decode_ns",
            "decode_mad_ns",
            "decode_heap_octets",
        ];
        let mut table = Table::new("Times of today's messages: one operation, median and MAD", &heading);
        for row in &self.rows {
            let [encode, decode] = [&row.encode, &row.decode].map(|summary| {
                let of = |value: fn(&roadwire_measure::stats::Summary) -> f64| {
                    or_dash(summary.as_ref().map(|summary| format!("{:.1}", value(summary))))
                };
                [of(|summary| summary.median), of(|summary| summary.mad)]
            });
            let [[encode, encode_mad], [decode, decode_mad]] = [encode, decode];
            table.row([
                row.message.clone(),
                row.rules.to_string(),
                row.engine.clone(),
                row.octets.to_string(),
                encode,
                encode_mad,
                decode,
                decode_mad,
                or_dash(row.heap),
            ]);
        }
        table
    }
}
