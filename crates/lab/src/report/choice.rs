//! The report's first screen: which encoding should I take? One picture and three sentences, made from the records of generated codecs.

use std::collections::BTreeMap;

use roadwire_layout::Rules;

use crate::number::significant;
use crate::record::Record;
use roadwire_measure::cell::Direction;
use roadwire_measure::plot::{Point, TradeoffPanel, TradeoffPlot};
use roadwire_peers::Kind;

/// The picture's file.
pub(super) const PICTURE: &str = "which-encoding.svg";

/// What one encoding of a message costs.
#[derive(Clone, Copy)]
struct Cost {
    rules: Rules,
    octets: usize,
    /// Encoding and decoding, medians.
    nanoseconds: f64,
}

impl Cost {
    /// Whether it is no longer and no slower than another, and one of both is less.
    fn beats(&self, other: &Cost) -> bool {
        (self.octets <= other.octets && self.nanoseconds <= other.nanoseconds)
            && (self.octets < other.octets || self.nanoseconds < other.nanoseconds)
    }
}

/// What was measured of a message in more than one encoding.
struct Choice<'r> {
    message: &'r str,
    costs: Vec<Cost>,
}

impl Choice<'_> {
    fn best(&self) -> impl Iterator<Item = &Cost> {
        self.costs.iter().filter(|one| !self.costs.iter().any(|other| other.beats(one)))
    }

    fn of(&self, rules: Rules) -> Option<&Cost> {
        self.costs.iter().find(|one| one.rules == rules)
    }
}

/// The messages in the order of the records.
fn choices(records: &[Record]) -> Vec<Choice<'_>> {
    let own = || records.iter().filter(|one| one.kind == Kind::Toed && !one.repeat && one.absent.is_none());
    let mut choices: Vec<Choice<'_>> = Vec::new();
    for record in own().filter(|one| one.direction == Direction::Encode) {
        let decode = own()
            .find(|one| (&one.message, one.rules, one.direction) == (&record.message, record.rules, Direction::Decode));
        let time = |record: &Record| Some(record.cpu_ns.as_ref()?.median);
        let times = time(record).zip(decode.and_then(time));
        let (Some(octets), Some((encode, decode))) = (record.octets, times) else { continue };
        let cost = Cost { rules: record.rules, octets, nanoseconds: encode + decode };
        match choices.iter_mut().find(|one| one.message == record.message) {
            Some(choice) => choice.costs.push(cost),
            None => choices.push(Choice { message: &record.message, costs: vec![cost] }),
        }
    }
    choices.retain(|choice| choice.costs.len() > 1);
    choices
}

/// The chapter; `None` where no message was measured in two encodings.
pub(super) fn chapter(records: &[Record]) -> Option<String> {
    let choices = choices(records);
    if choices.is_empty() {
        return None;
    }
    let mut text = format!("## Which encoding should I take?\n\n![{PICTURE}]({PICTURE})\n\n");
    // What has a TLS-style format has one choice more.
    let (envelopes, messages): (Vec<&Choice<'_>>, Vec<&Choice<'_>>) =
        choices.iter().partition(|choice| choice.of(Rules::Tls).is_some());
    for (title, group) in [("In ASN.1 alone", messages), ("With a TLS-style format, too", envelopes)] {
        text += &advice(title, &group).unwrap_or_default();
    }
    let mut counts: BTreeMap<Rules, usize> = BTreeMap::new();
    choices.iter().flat_map(Choice::best).for_each(|one| *counts.entry(one.rules).or_default() += 1);
    let mut best: Vec<(Rules, usize)> = counts.into_iter().collect();
    best.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let best: Vec<String> = best.iter().map(|(rules, count)| format!("`{rules}` (in {count})")).collect();
    text += &format!(
        "- **Nothing else pays:** of {} messages, no encoding is both shorter and faster than {}; each of the others is beaten in both.\n\n",
        choices.len(),
        best.join(", "),
    );
    text += "Time is that of roadwire's generated code on this machine. Below: what the papers measured, and whether it holds.\n\n";
    Some(text)
}

/// Which encoding to take for these messages: the shortest, and the fastest.
fn advice(title: &str, group: &[&Choice<'_>]) -> Option<String> {
    let first = group.first()?;
    let shortest = winner(group, |cost| cost.octets as f64)?;
    let fastest = winner(group, |cost| cost.nanoseconds)?;
    let head = if shortest.rules == fastest.rules {
        format!("`{}` for the channel and for the processor", shortest.rules)
    } else {
        format!("`{}` for the channel, `{}` for the processor", shortest.rules, fastest.rules)
    };
    Some(format!(
        "- **{title}: {head}.** `{}` has the fewest octets {}{}, `{}` takes the least time to encode and decode {}{}.\n",
        shortest.rules,
        shortest.count(group.len()),
        beside(first, shortest.rules, |cost| format!("{} octets", cost.octets)),
        fastest.rules,
        fastest.count(group.len()),
        beside(first, fastest.rules, |cost| format!("{} ns", significant(cost.nanoseconds, 3))),
    ))
}

/// The picture.
pub(super) fn picture(records: &[Record]) -> Option<String> {
    let choices = choices(records);
    let panel = |choice: &Choice<'_>| TradeoffPanel {
        title: choice.message.into(),
        points: choice
            .costs
            .iter()
            .map(|cost| Point {
                name: cost.rules.to_string(),
                octets: cost.octets as f64,
                nanoseconds: cost.nanoseconds,
                best: choice.best().any(|one| one.rules == cost.rules),
            })
            .collect(),
    };
    let panels: Vec<TradeoffPanel> = choices.iter().map(panel).collect();
    let notes = ["Black: no other encoding is both shorter and faster. Down and to the left is better.".into()].into();
    let title = "Octets against time, for each message".into();
    (!panels.is_empty()).then(|| TradeoffPlot { title, panels, notes }.svg())
}

/// The encoding that has the least of something for the most messages.
struct Winner {
    rules: Rules,
    wins: usize,
}

impl Winner {
    fn count(&self, all: usize) -> String {
        if self.wins == all { format!("in all {all} messages") } else { format!("in {} of {all} messages", self.wins) }
    }
}

fn winner(choices: &[&Choice<'_>], of: fn(&Cost) -> f64) -> Option<Winner> {
    let least = |choice: &Choice<'_>| choice.costs.iter().map(of).fold(f64::INFINITY, f64::min);
    let wins =
        |rules: Rules| choices.iter().filter(|one| one.of(rules).is_some_and(|cost| of(cost) <= least(one))).count();
    // Of several, the first one that is listed.
    let best = Rules::ALL.into_iter().rev().max_by_key(|rules| wins(*rules))?;
    Some(Winner { rules: best, wins: wins(best) })
}

/// The figure of a message in brackets, and that of the encoding that is next.
fn beside(choice: &Choice<'_>, rules: Rules, figure: impl Fn(&Cost) -> String) -> String {
    let Some(own) = choice.of(rules) else { return String::new() };
    let others: Vec<String> =
        choice.best().filter(|one| one.rules != rules).map(|one| format!("`{}` {}", one.rules, figure(one))).collect();
    let others = if others.is_empty() { String::new() } else { format!("; {}", others.join(", ")) };
    format!(" ({}: {}{others})", choice.message, figure(own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample::record;
    use roadwire_measure::stats::summarise;

    fn both(message: &str, rules: Rules, octets: usize, nanoseconds: f64) -> [Record; 2] {
        Direction::ALL.map(|direction| Record {
            message: message.into(),
            rules,
            direction,
            cpu_ns: summarise(&[nanoseconds / 2.0]),
            ..record(Kind::Toed, octets)
        })
    }

    #[test]
    fn sentences_name_the_shortest_the_fastest_and_what_nothing_beats() {
        let records = [
            both("cam", Rules::Uper, 41, 25.0),
            both("cam", Rules::Oer, 53, 24.0),
            both("cam", Rules::Xer, 1698, 535.0),
            both("denm", Rules::Uper, 40, 20.0),
            both("denm", Rules::Oer, 52, 21.0),
            both("denm", Rules::Exi, 39, 60.0),
            both("cpm", Rules::Uper, 400, 90.0),
            both("cpm", Rules::Oer, 500, 80.0),
            both("envelope", Rules::Uper, 240, 150.0),
            both("envelope", Rules::Tls, 222, 70.0),
        ];
        let text = chapter(records.as_flattened()).unwrap();
        for part in [
            "**In ASN.1 alone: `uper` for the channel, `oer` for the processor.** `uper` has the fewest octets in 2 of 3",
            "(cam: 41 octets; `oer` 53 octets), `oer` takes the least time to encode and decode in 2 of 3 messages (cam: 24 ns; `uper` 25 ns).",
            "**With a TLS-style format, too: `tls` for the channel and for the processor.** `tls` has the fewest octets in all 1 messages",
            "of 4 messages, no encoding is both shorter and faster than `uper` (in 3), `oer` (in 2), `exi` (in 1), `tls` (in 1)",
        ] {
            assert!(text.contains(part), "{part}\nis not in\n{text}");
        }
        let picture = picture(records.as_flattened()).unwrap();
        assert_eq!((picture.matches("<circle").count(), picture.matches(">xer<").count()), (10, 1));
    }

    #[test]
    fn one_encoding_is_no_choice() {
        let records = both("cam", Rules::Uper, 41, 25.0);
        assert!(chapter(&records).is_none() && picture(&records).is_none());
    }
}
