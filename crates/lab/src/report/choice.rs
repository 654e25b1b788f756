//! The report's first screen: which encoding should I take? A few sentences and one picture, made
//! from the records of generated codecs.
//!
//! Encodings are compared only over messages in which all of them were measured. Messages with
//! fitted content and twins of other messages do not count.

use std::fmt::Write;

use roadwire_layout::Rules;

use super::needs::{self, Need};
use crate::measured::Measured;
use crate::noise::Noise;
use crate::number::significant;
use crate::record::Record;
use roadwire_measure::cell::Direction;
use roadwire_measure::plot::{Point, TradeoffPanel, TradeoffPlot};
use roadwire_peers::Kind;
use roadwire_peers::content::{Message, unpadded};

/// The picture's file.
pub(super) const PICTURE: &str = "which-encoding.svg";

/// The chapter; `None` if no message was measured in two encodings.
pub(super) fn chapter(measured_run: Measured<'_>) -> Option<String> {
    let records = measured_run.records;
    let measured = measured(records);
    let tie = tie(records);
    let compared = Compared::of(&measured, tie)?;
    let mut text = String::from("## Which encoding should I take?\n\n");
    for Need { of, take, why, but, .. } in needs::all(measured_run) {
        let but = if but.is_empty() { but } else { format!(" But {but}") };
        let _ = writeln!(text, "- **For {of}: {take}.** {why}{but}");
    }
    text += &scope(&compared, &measured, records);
    Some(text + &format!("![{PICTURE}]({PICTURE})\n\n"))
}

/// Which encodings and messages were compared, which were not, and why; empty if no message was
/// measured in two encodings.
pub(super) fn compared(records: &[Record]) -> String {
    let measured = measured(records);
    let compared = Compared::of(&measured, tie(records));
    compared.map_or_else(String::new, |compared| scope(&compared, &measured, records))
}

fn scope(compared: &Compared<'_>, measured: &[Choice<'_>], records: &[Record]) -> String {
    let mut text = compared.best() + &compared.scope() + &not_counted(measured) + &envelopes(records);
    let _ = write!(
        text,
        "\nTime is that of roadwire's generated code on this machine; times within {:.0} % are a tie. Below: what the papers measured, and whether it holds.\n\n",
        (compared.tie - 1.0) * 100.0
    );
    text
}

/// The picture: a panel for each message that counts, with all of its encodings.
pub(super) fn picture(records: &[Record]) -> Option<TradeoffPlot> {
    let tie = tie(records);
    let measured = measured(records);
    Compared::of(&measured, tie)?;
    let panel = |choice: &Choice<'_>| TradeoffPanel {
        title: choice.message.into(),
        points: choice
            .costs
            .iter()
            .map(|cost| Point {
                name: cost.rules.to_string(),
                octets: cost.octets as f64,
                nanoseconds: cost.nanoseconds,
                best: !choice.costs.iter().any(|other| other.beats(cost, tie)),
            })
            .collect(),
    };
    let panels: Vec<TradeoffPanel> = measured.iter().filter(|choice| choice.counts()).map(panel).collect();
    let notes = ["Filled: no other encoding is both shorter and faster. Down and to the left is better.".into()].into();
    Some(TradeoffPlot { title: "Octets against time, for each message".into(), panels, notes })
}

/// The factor within which times are a tie.
pub(super) fn tie(records: &[Record]) -> f64 {
    Noise::of(Measured { records, ..Measured::default() }).tie()
}

/// The costs of one encoding of a message.
#[derive(Clone, Copy)]
pub(super) struct Cost {
    pub(super) rules: Rules,
    pub(super) octets: usize,
    /// Encoding and decoding, medians.
    pub(super) nanoseconds: f64,
}

impl Cost {
    /// Whether it is better in octets or time, and no worse in the other. Times within the factor
    /// `tie` are equal.
    fn beats(&self, other: &Cost, tie: f64) -> bool {
        let is_slower = |one: &Cost, other: &Cost| one.nanoseconds > other.nanoseconds * tie;
        self.octets <= other.octets && !is_slower(self, other) && (self.octets < other.octets || is_slower(other, self))
    }
}

/// The encodings in which a message was measured.
pub(super) struct Choice<'r> {
    pub(super) message: &'r str,
    pub(super) costs: Vec<Cost>,
}

impl Choice<'_> {
    /// Whether advice counts the message.
    fn counts(&self) -> bool {
        self.costs.len() > 1 && self.why_not().is_none()
    }

    fn why_not(&self) -> Option<&'static str> {
        Message::find(self.message)?.not_counted
    }

    fn of(&self, rules: Rules) -> Option<&Cost> {
        self.costs.iter().find(|one| one.rules == rules)
    }
}

/// All messages with measured encodings, in the order of the records.
pub(super) fn measured(records: &[Record]) -> Vec<Choice<'_>> {
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
    choices
}

/// A compared figure, its tie, and how it is shown.
pub(super) struct Measure {
    pub(super) of: fn(&Cost) -> f64,
    pub(super) tie: f64,
    /// The factor within which averages over messages lead together.
    pub(super) near: f64,
    pub(super) unit: &'static str,
}

pub(super) const OCTETS: Measure = Measure { of: |cost| cost.octets as f64, tie: 1.0, near: 1.05, unit: "octets" };

impl Measure {
    fn number(&self, cost: &Cost) -> String {
        significant((self.of)(cost), if self.tie == 1.0 { 9 } else { 3 })
    }
}

/// The encoding that has the least of something.
pub(super) struct Lead {
    /// Its name, and those within a tie of it.
    pub(super) take: String,
    /// The evidence.
    pub(super) why: String,
    /// The example alone: the message, and a number for each encoding.
    pub(super) brief: String,
    /// Its cost in the example.
    pub(super) best: Option<Cost>,
    /// The next one's.
    pub(super) next: Option<Cost>,
}

/// Messages that count, and the encodings that were measured in each of them.
pub(super) struct Compared<'c> {
    choices: Vec<&'c Choice<'c>>,
    rules: Vec<Rules>,
    /// The factor within which times are a tie.
    pub(super) tie: f64,
}

impl<'c> Compared<'c> {
    /// `None` if there are no two encodings to be compared.
    pub(super) fn of(measured: &'c [Choice<'c>], tie: f64) -> Option<Self> {
        let choices: Vec<&Choice<'_>> = measured.iter().filter(|choice| choice.counts()).collect();
        choices.first()?;
        let is_in_all = |rules: &Rules| choices.iter().all(|choice| choice.of(*rules).is_some());
        let rules: Vec<Rules> = Rules::ALL.into_iter().filter(is_in_all).collect();
        (rules.len() > 1).then_some(Compared { choices, rules, tie })
    }

    fn costs(&self, choice: &'c Choice<'c>) -> impl Iterator<Item = &'c Cost> {
        choice.costs.iter().filter(|cost| self.rules.contains(&cost.rules))
    }

    /// The messages in which an encoding has the least of something, or shares the first place.
    fn wins(&self, rules: Rules, measure: &Measure) -> Vec<&'c Choice<'c>> {
        let wins = |choice: &&&'c Choice<'c>| {
            let least = self.costs(choice).map(measure.of).fold(f64::INFINITY, f64::min);
            choice.of(rules).is_some_and(|cost| (measure.of)(cost) <= least * measure.tie)
        };
        self.choices.iter().filter(wins).copied().collect()
    }

    /// How many times the least of something an encoding has: the geometric mean over the messages.
    fn excess(&self, rules: Rules, measure: &Measure) -> f64 {
        let excess = |choice: &&'c Choice<'c>| {
            let least = self.costs(choice).map(measure.of).fold(f64::INFINITY, f64::min);
            choice.of(rules).map_or(f64::INFINITY, |cost| (measure.of)(cost) / least)
        };
        let logarithms: f64 = self.choices.iter().map(|choice| excess(choice).ln()).sum();
        (logarithms / self.choices.len() as f64).exp()
    }

    /// The message of the examples.
    pub(super) fn example(&self) -> &'c Choice<'c> {
        self.choices[0]
    }

    /// The encodings that have the least of something on average, those that do so in most messages
    /// first; the first message is the example.
    pub(super) fn lead(&self, what: &str, measure: &Measure) -> Lead {
        let mut ranked: Vec<(Rules, f64)> =
            self.rules.iter().map(|rules| (*rules, self.excess(*rules, measure))).collect();
        ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
        let least = ranked[0].1;
        let (mut lead, rest): (Vec<_>, Vec<_>) =
            ranked.into_iter().partition(|(_, excess)| *excess <= least * measure.near);
        let wins = |rules: Rules| self.wins(rules, measure).len();
        lead.sort_by_key(|(rules, _)| (std::cmp::Reverse(wins(*rules)), *rules));
        let take: Vec<Rules> = lead.iter().map(|(rules, _)| *rules).collect();
        let (best, all, example) = (take[0], self.choices.len(), self.example());
        let cost = |rules: Rules| example.of(rules).copied();
        let among = match all {
            1 => "the one message that counts".into(),
            _ => format!("{} of {all} messages", wins(best)),
        };
        // The next one of a different family says more than a variant of the leading one.
        let is_other = |(rules, _): &&(Rules, f64)| lead.iter().all(|(first, _)| first.family() != rules.family());
        let next = rest.iter().find(is_other).or(rest.first());
        let beside: Vec<&(Rules, f64)> = lead.iter().chain(next).collect();
        let list =
            |of: &dyn Fn(&(Rules, f64)) -> String| beside.iter().map(|one| of(one)).collect::<Vec<_>>().join(", ");
        let number = |rules: Rules| cost(rules).map(|cost| measure.number(&cost)).unwrap_or_default();
        let there = format!("{} {}", list(&|(rules, _)| format!("`{rules}` {}", number(*rules))), measure.unit);
        let mean = match all {
            1 => String::new(),
            _ => {
                format!("; on average, in this order, {} times the least", list(&|(_, excess)| significant(*excess, 3)))
            }
        };
        let title = Message::find(example.message).map_or(example.message, |known| known.title);
        let brief = format!("{title}: {there}");
        let why = format!("`{best}` has {what} in {among}; {brief}{mean}.");
        Lead { take: named(&take), why, brief, best: cost(best), next: next.and_then(|(rules, _)| cost(*rules)) }
    }

    /// Which encodings nothing beats in both.
    fn best(&self) -> String {
        let wins = |rules: &Rules| {
            let is_best = |choice: &&&'c Choice<'c>| {
                choice.of(*rules).is_some_and(|cost| !self.costs(choice).any(|other| other.beats(cost, self.tie)))
            };
            self.choices.iter().filter(is_best).count()
        };
        let mut counts: Vec<(Rules, usize)> = self.rules.iter().map(|rules| (*rules, wins(rules))).collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let (best, beaten): (Vec<_>, Vec<_>) = counts.into_iter().partition(|(_, count)| *count > 0);
        let best: Vec<String> = best.iter().map(|(rules, count)| format!("`{rules}` in {count}")).collect();
        let mut text = format!(
            "- **Worth a choice:** of {}, nothing is shorter and as fast, or faster and as short, than {}.",
            messages(self.choices.len()),
            best.join(", ")
        );
        if !beaten.is_empty() {
            let beaten: Vec<Rules> = beaten.into_iter().map(|(rules, _)| rules).collect();
            let _ = write!(text, " In each of them something beats {}.", named(&beaten));
        }
        text + "\n"
    }

    /// Names the messages that were compared, and the figures that too few messages have.
    fn scope(&self) -> String {
        let names: Vec<&str> = self.choices.iter().map(|choice| choice.message).collect();
        let mut text = format!(
            "- **Compared:** {} encodings, each measured in {} ({}).",
            self.rules.len(),
            if names.len() == 1 { "one message".into() } else { format!("all {} messages", names.len()) },
            names.join(", ")
        );
        let count = |rules: Rules| self.choices.iter().filter(|choice| choice.of(rules).is_some()).count();
        let few: Vec<String> = Rules::ALL
            .into_iter()
            .filter(|rules| !self.rules.contains(rules) && count(*rules) > 0)
            .map(|rules| format!("`{rules}` (in {} of {})", count(rules), names.len()))
            .collect();
        if !few.is_empty() {
            let _ = write!(text, " Measured in fewer, and not compared: {}.", few.join(", "));
        }
        text + "\n"
    }
}

fn messages(count: usize) -> String {
    if count == 1 { "one message".into() } else { format!("{count} messages") }
}

pub(super) fn named(rules: &[Rules]) -> String {
    rules.iter().map(|rules| format!("`{rules}`")).collect::<Vec<_>>().join(", ")
}

/// The measured messages that do not count, by reason.
fn not_counted(measured: &[Choice<'_>]) -> String {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for choice in measured {
        let Some(why) = choice.why_not() else { continue };
        match reasons.iter_mut().find(|(reason, _)| *reason == why) {
            Some((_, names)) => names.push(choice.message),
            None => reasons.push((why, vec![choice.message])),
        }
    }
    if reasons.is_empty() {
        return String::new();
    }
    let shown = |(why, names): &(&str, Vec<&str>)| match names.as_slice() {
        [name] => format!("{name} ({why})"),
        [first, .., last] => format!("{} messages, {first} to {last} (of each: {why})", names.len()),
        [] => String::new(),
    };
    let shown: Vec<String> = reasons.iter().map(shown).collect();
    format!("- **Not counted:** {}.\n", shown.join("; "))
}

/// The lengths of the reconstructed envelopes without the name that was invented for them.
fn envelopes(records: &[Record]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for record in records.iter().filter(|record| record.rules == Rules::Tls && record.absent.is_none()) {
        if !names.contains(&record.message.as_str()) {
            names.push(&record.message);
        }
    }
    let length = |name: &str, rules| unpadded::octets(&format!("{name}-unpadded"), rules)?.ok();
    let lengths: Vec<[usize; 2]> =
        names.iter().filter_map(|name| Some([length(name, Rules::Uper)?, length(name, Rules::Tls)?])).collect();
    if lengths.is_empty() {
        return String::new();
    }
    let shorter = lengths.iter().filter(|[uper, tls]| uper < tls).count();
    let shown = |at: usize| lengths.iter().map(|pair| pair[at].to_string()).collect::<Vec<_>>().join(", ");
    format!(
        "- **The TLS-style format is not compared:** it exists for security envelopes alone. In ASN.1 these carry a name of 32 octets that was \
         invented to get printed lengths, and the TLS-style format does not. Without that name `uper` is shorter in {shorter} of {}: {} octets against {}.\n",
        lengths.len(),
        shown(0),
        shown(1)
    )
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

    fn of(records: &[Record]) -> Option<String> {
        chapter(Measured { records, ..Measured::default() })
    }

    fn has(text: &str, parts: &[&str]) {
        parts.iter().for_each(|part| assert!(text.contains(part), "{part}\nis not in\n{text}"));
    }

    /// As in a full run of November 2026: OER was measured in one of the messages, in which it is
    /// the fastest.
    #[test]
    fn an_encoding_that_was_not_measured_in_a_message_does_not_lose_it() {
        let records = [
            both("cam-mandatory", Rules::Uper, 41, 20.1),
            both("cam-mandatory", Rules::Oer, 53, 17.1),
            both("cam-mandatory", Rules::Protobuf, 102, 90.0),
            both("denm-mandatory", Rules::Uper, 40, 20.0),
            both("denm-mandatory", Rules::Protobuf, 66, 80.0),
            both("cam-full", Rules::Uper, 430, 900.0),
            both("cam-full", Rules::Protobuf, 780, 1000.0),
        ];
        let text = of(records.as_flattened()).unwrap();
        has(
            &text,
            &[
                "**Compared:** 2 encodings, each measured in all 3 messages (cam-mandatory, denm-mandatory, cam-full).",
                "Measured in fewer, and not compared: `oer` (in 1 of 3).",
                "**For the channel: `uper`.** `uper` has the fewest octets in 3 of 3 messages; CAM, mandatory fields: `uper` 41, `protobuf` 102 octets; on average, in this order, 1, 1.95 times the least.",
                "of 3 messages, nothing is shorter and as fast, or faster and as short, than `uper` in 3. In each of them something beats `protobuf`.",
            ],
        );
    }

    #[test]
    fn what_is_nearest_the_least_on_average_leads_even_without_a_majority() {
        let records = [
            both("cam-mandatory", Rules::Uper, 42, 20.0),
            both("cam-mandatory", Rules::Oer, 40, 10.0),
            both("cam-mandatory", Rules::Jer, 400, 90.0),
            both("denm-mandatory", Rules::Uper, 42, 20.0),
            both("denm-mandatory", Rules::Oer, 84, 10.0),
            both("denm-mandatory", Rules::Jer, 40, 90.0),
        ];
        let text = of(records.as_flattened()).unwrap();
        has(
            &text,
            &[
                "**For the channel: `uper`.** `uper` has the fewest octets in 0 of 2 messages; CAM, mandatory fields: `uper` 42, `oer` 40 octets; on average, in this order, 1.05, 1.45 times the least.",
                "**For the processor: `oer`.** `oer` has the least time to encode and decode in 2 of 2 messages; CAM, mandatory fields: `oer` 10, `uper` 20 ns; on average, in this order, 1, 2 times the least.",
                "that message takes 336 µs in `uper` and 336 µs in `oer`",
            ],
        );
    }

    #[test]
    fn fitted_messages_and_twins_do_not_count() {
        let mut records = vec![
            both("cam-mandatory", Rules::Uper, 41, 20.0),
            both("cam-mandatory", Rules::Oer, 53, 30.0),
            both("cam-mandatory-lorry", Rules::Uper, 60, 40.0),
            both("cam-mandatory-lorry", Rules::Oer, 50, 30.0),
            both("cam-mandatory-1.4.1", Rules::Uper, 60, 40.0),
            both("cam-mandatory-1.4.1", Rules::Oer, 50, 30.0),
        ];
        for name in ["envelope-cam-digest-2015", "envelope-cam-certificate-2015", "envelope-denm-2015"] {
            records.extend([both(name, Rules::Uper, 240, 150.0), both(name, Rules::Tls, 222, 70.0)]);
        }
        let text = of(records.as_flattened()).unwrap();
        has(
            &text,
            &[
                "**For the channel: `uper`.** `uper` has the fewest octets in the one message that counts; CAM, mandatory fields: `uper` 41, `oer` 53 octets.",
                "cam-mandatory-lorry (its values were chosen until EXI had printed lengths); cam-mandatory-1.4.1 (it has the values of cam-mandatory)",
                "3 messages, envelope-cam-digest-2015 to envelope-denm-2015 (of each: its ASN.1 was never published",
                // The lengths are not those of the records.
                "Without that name `uper` is shorter in 3 of 3: 88, 208, 218 octets against 96, 222, 233.",
            ],
        );
        assert!(!text.contains("`tls`"), "{text}");
        let picture = picture(records.as_flattened()).unwrap().svg();
        assert_eq!((picture.matches("<circle").count(), picture.matches("tls").count()), (2, 0));
    }

    #[test]
    fn near_times_are_a_tie_and_lead_together() {
        let records = [
            both("cam-mandatory", Rules::Uper, 41, 20.0),
            both("cam-mandatory", Rules::Oer, 53, 20.5),
            both("denm-mandatory", Rules::Uper, 52, 20.0),
            both("denm-mandatory", Rules::Oer, 40, 20.0),
        ];
        let text = of(records.as_flattened()).unwrap();
        has(
            &text,
            &[
                "**For the processor: `uper`, `oer`.** `uper` has the least time to encode and decode in 2 of 2 messages",
            ],
        );
    }

    #[test]
    fn one_encoding_is_no_choice() {
        let records = both("cam-mandatory", Rules::Uper, 41, 25.0);
        assert!(of(&records).is_none() && picture(&records).is_none());
        let fitted =
            [both("envelope-denm-2015", Rules::Uper, 249, 25.0), both("envelope-denm-2015", Rules::Tls, 233, 25.0)];
        assert!(of(fitted.as_flattened()).is_none() && picture(fitted.as_flattened()).is_none());
    }
}
