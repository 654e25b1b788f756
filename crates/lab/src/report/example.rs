//! One message in every encoding: what it costs there, beside code by hand and other
//! implementations.

use roadwire_layout::Rules;
use roadwire_measure::cell::Direction;
use roadwire_peers::Kind;
use roadwire_peers::content::Message;

use super::choice::{self, Choice, Compared, Cost};
use super::needs::air_us;
use super::table::Table;
use crate::measured::Measured;
use crate::number::{or_dash, significant};
use crate::record::Record;
use crate::studies::evolution::Changes;

/// The first message that counts; `None` if it was not measured in two encodings.
pub(super) fn table(measured: Measured<'_>) -> Option<Table> {
    let choices = choice::measured(measured.records);
    let compared = Compared::of(&choices, choice::tie(measured.records))?;
    let Choice { message, costs } = compared.example();
    let title = Message::find(message).map_or(*message, |known| known.title);
    let mut table = Table::new(
        format!("{title}, in every encoding"),
        &[
            "encoding",
            ">octets",
            ">encode, ns",
            ">decode, ns",
            ">× by hand",
            "fastest other implementation",
            ">on the air, µs",
            ">changes in any order",
        ],
    );
    let changes = Changes::all(measured);
    let mut costs: Vec<&Cost> = costs.iter().collect();
    costs.sort_by_key(|cost| cost.octets);
    for cost in costs {
        let codecs = Codecs { records: measured.records, message, rules: cost.rules };
        let [encode, decode] = Direction::ALL.map(|direction| codecs.ours(direction));
        let both = cost.nanoseconds;
        let changes = changes.iter().find(|one| one.rules == cost.rules);
        table.row([
            format!("`{}`", cost.rules),
            cost.octets.to_string(),
            or_dash(encode.map(|ns| significant(ns, 3))),
            or_dash(decode.map(|ns| significant(ns, 3))),
            or_dash(codecs.fastest(Kind::ByHand).map(|(_, by_hand)| significant(both / by_hand, 3))),
            or_dash(
                codecs
                    .fastest(Kind::Peer)
                    .map(|(name, peer)| format!("{name}: {} times ours", significant(peer / both, 2))),
            ),
            or_dash(air_us(cost.octets)),
            or_dash(changes.map(|one| format!("{} of {}", one.free.len(), one.of))),
        ]);
    }
    table.notes.push("Generated code, this run. On the air: with a CAM's headers, signed with the digest of a certificate, 802.11p at 6 Mbit/s. Changes in any order: small changes of a message after which old and new receivers read old and new messages.".into());
    Some(table)
}

/// The codecs of a message in one encoding.
struct Codecs<'r> {
    records: &'r [Record],
    message: &'r str,
    rules: Rules,
}

impl<'r> Codecs<'r> {
    fn of(&self, kind: Kind, direction: Direction) -> impl Iterator<Item = (&'r str, f64)> {
        let Codecs { message, rules, .. } = *self;
        let is_it = move |one: &&Record| {
            (one.message.as_str(), one.rules, one.direction, one.kind) == (message, rules, direction, kind)
                && !one.repeat
        };
        self.records.iter().filter(is_it).filter_map(|one| Some((one.engine.as_str(), one.cpu_ns.as_ref()?.median)))
    }

    fn ours(&self, direction: Direction) -> Option<f64> {
        self.of(Kind::Toed, direction).next().map(|(_, ns)| ns)
    }

    /// The one with the least time to encode and decode.
    fn fastest(&self, kind: Kind) -> Option<(&'r str, f64)> {
        let decode = |name: &str| self.of(kind, Direction::Decode).find(|(other, _)| *other == name);
        let both = self.of(kind, Direction::Encode).filter_map(|(name, ns)| Some((name, ns + decode(name)?.1)));
        both.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}
