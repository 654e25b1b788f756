//! The report's first screen: which encoding should I take? A few sentences and one picture, made from the records of generated codecs.
//!
//! Encodings are compared only over messages in which all of them were measured. Messages with fitted content and twins of other messages do not count.

use std::fmt::Write;

use roadwire_layout::Rules;

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
pub(super) fn chapter(records: &[Record]) -> Option<String> {
    let measured = measured(records);
    let tie = tie(records);
    let compared = Compared::of(&measured, tie)?;
    let time = Measure { of: |cost| cost.nanoseconds, tie, unit: "ns" };
    let mut text = String::from("## Which encoding should I take?\n\n");
    text += &compared.advice("For the channel", "the fewest octets", &OCTETS);
    text += &compared.advice("For the processor", "the least time to encode and decode", &time);
    text += &compared.best();
    text += &compared.scope();
    text += &not_counted(&measured);
    text += &envelopes(records);
    let _ = write!(
        text,
        "\nTime is that of roadwire's generated code on this machine; times within {:.0} % are a tie. Below: what the papers measured, and whether it holds.\n\n",
        (tie - 1.0) * 100.0
    );
    Some(text + &format!("![{PICTURE}]({PICTURE})\n\n"))
}

/// The picture: a panel for each message that counts, with all of its encodings.
pub(super) fn picture(records: &[Record]) -> Option<String> {
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
    let notes = ["Black: no other encoding is both shorter and faster. Down and to the left is better.".into()].into();
    Some(TradeoffPlot { title: "Octets against time, for each message".into(), panels, notes }.svg())
}

/// The factor within which times are a tie.
fn tie(records: &[Record]) -> f64 {
    Noise::of(Measured { records, ..Measured::default() }).tie()
}

/// What one encoding of a message costs.
#[derive(Clone, Copy)]
struct Cost {
    rules: Rules,
    octets: usize,
    /// Encoding and decoding, medians.
    nanoseconds: f64,
}

impl Cost {
    /// Whether it is better in octets or time, and no worse in the other. Times within the factor `tie` are equal.
    fn beats(&self, other: &Cost, tie: f64) -> bool {
        let is_slower = |one: &Cost, other: &Cost| one.nanoseconds > other.nanoseconds * tie;
        self.octets <= other.octets && !is_slower(self, other) && (self.octets < other.octets || is_slower(other, self))
    }
}

/// The encodings in which a message was measured.
struct Choice<'r> {
    message: &'r str,
    costs: Vec<Cost>,
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
fn measured(records: &[Record]) -> Vec<Choice<'_>> {
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

/// What is compared: a figure, its tie, and how it is shown.
struct Measure {
    of: fn(&Cost) -> f64,
    tie: f64,
    unit: &'static str,
}

const OCTETS: Measure = Measure { of: |cost| cost.octets as f64, tie: 1.0, unit: "octets" };

impl Measure {
    fn shown(&self, cost: &Cost) -> String {
        let digits = if self.tie == 1.0 { 9 } else { 3 };
        format!("{} {}", significant((self.of)(cost), digits), self.unit)
    }
}

/// Messages that count, and the encodings that were measured in each of them.
struct Compared<'c> {
    choices: Vec<&'c Choice<'c>>,
    rules: Vec<Rules>,
    /// The factor within which times are a tie.
    tie: f64,
}

impl<'c> Compared<'c> {
    /// `None` if there are no two encodings to be compared.
    fn of(measured: &'c [Choice<'c>], tie: f64) -> Option<Self> {
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

    /// The encoding that wins in most messages, with one of these as the example.
    fn advice(&self, purpose: &str, what: &str, measure: &Measure) -> String {
        let all = self.choices.len();
        let mut ranked: Vec<(Rules, Vec<&Choice<'_>>)> =
            self.rules.iter().map(|rules| (*rules, self.wins(*rules, measure))).collect();
        // Of several with equal wins, the one that is listed first.
        ranked.sort_by_key(|(_, wins)| std::cmp::Reverse(wins.len()));
        let (best, wins) = &ranked[0];
        let share: Vec<String> = ranked
            .iter()
            .filter(|(_, wins)| !wins.is_empty())
            .map(|(rules, wins)| format!("`{rules}` in {}", wins.len()))
            .collect();
        if wins.len() * 2 <= all {
            return format!(
                "- **{purpose}: none in most messages.** Of {}, {} {what}.\n",
                messages(all),
                match share.as_slice() {
                    [one] => format!("{one} has"),
                    some => format!("{} have", some.join(", ")),
                }
            );
        }
        let example = wins[0];
        let cost = |rules| example.of(rules).map(|cost| measure.shown(cost)).unwrap_or_default();
        let others = self.costs(example).filter(|cost| cost.rules != *best);
        let next = others.min_by(|a, b| (measure.of)(a).total_cmp(&(measure.of)(b)));
        let next = next.map(|next| {
            let is_tie = example.of(*best).is_some_and(|own| (measure.of)(next) <= (measure.of)(own) * measure.tie);
            let what = if is_tie { "a tie with" } else { "next is" };
            format!("; {what} `{}`, {}", next.rules, measure.shown(next))
        });
        format!(
            "- **{purpose}: `{best}`.** It has {what} in {} ({}: {}{}).\n",
            if all == 1 { "the one message that counts".into() } else { format!("{} of {all} messages", wins.len()) },
            example.message,
            cost(*best),
            next.unwrap_or_default()
        )
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

    /// What was compared, and what was measured in too few messages.
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

fn named(rules: &[Rules]) -> String {
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

    fn has(text: &str, parts: &[&str]) {
        parts.iter().for_each(|part| assert!(text.contains(part), "{part}\nis not in\n{text}"));
    }

    /// As in a full run of November 2026: OER was measured in one of the messages, in which it is the fastest.
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
        let text = chapter(records.as_flattened()).unwrap();
        has(
            &text,
            &[
                "**Compared:** 2 encodings, each measured in all 3 messages (cam-mandatory, denm-mandatory, cam-full).",
                "Measured in fewer, and not compared: `oer` (in 1 of 3).",
                "**For the channel: `uper`.** It has the fewest octets in 3 of 3 messages (cam-mandatory: 41 octets; next is `protobuf`, 102 octets)",
                "of 3 messages, nothing is shorter and as fast, or faster and as short, than `uper` in 3. In each of them something beats `protobuf`.",
            ],
        );
    }

    #[test]
    fn the_example_is_a_message_in_which_the_winner_wins() {
        let records = [
            both("cam-mandatory", Rules::Uper, 53, 20.0),
            both("cam-mandatory", Rules::Oer, 41, 30.0),
            both("denm-mandatory", Rules::Uper, 40, 20.0),
            both("denm-mandatory", Rules::Oer, 52, 10.0),
            both("cam-full", Rules::Uper, 430, 900.0),
            both("cam-full", Rules::Oer, 500, 700.0),
        ];
        let text = chapter(records.as_flattened()).unwrap();
        has(
            &text,
            &[
                "`uper`.** It has the fewest octets in 2 of 3 messages (denm-mandatory: 40 octets; next is `oer`, 52 octets)",
                "`oer`.** It has the least time to encode and decode in 2 of 3 messages (denm-mandatory: 10 ns; next is `uper`, 20 ns)",
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
        let text = chapter(records.as_flattened()).unwrap();
        has(
            &text,
            &[
                "**For the channel: `uper`.** It has the fewest octets in the one message that counts (cam-mandatory: 41 octets;",
                "cam-mandatory-lorry (its values were chosen until EXI had printed lengths); cam-mandatory-1.4.1 (it has the values of cam-mandatory)",
                "3 messages, envelope-cam-digest-2015 to envelope-denm-2015 (of each: its ASN.1 was never published",
                // The lengths are not those of the records.
                "Without that name `uper` is shorter in 3 of 3: 88, 208, 218 octets against 96, 222, 233.",
            ],
        );
        assert!(!text.contains("`tls`"), "{text}");
        let picture = picture(records.as_flattened()).unwrap();
        assert_eq!((picture.matches("<circle").count(), picture.matches("tls").count()), (2, 0));
    }

    #[test]
    fn without_a_majority_none_is_recommended_and_near_times_are_a_tie() {
        let records = [
            both("cam-mandatory", Rules::Uper, 41, 20.0),
            both("cam-mandatory", Rules::Oer, 53, 20.5),
            both("denm-mandatory", Rules::Uper, 52, 25.0),
            both("denm-mandatory", Rules::Oer, 40, 20.0),
        ];
        let text = chapter(records.as_flattened()).unwrap();
        has(
            &text,
            &[
                "**For the channel: none in most messages.** Of 2 messages, `uper` in 1, `oer` in 1 have the fewest octets.",
                "**For the processor: `oer`.** It has the least time to encode and decode in 2 of 2 messages (cam-mandatory: 20.5 ns; a tie with `uper`, 20 ns)",
            ],
        );
    }

    #[test]
    fn one_encoding_is_no_choice() {
        let records = both("cam-mandatory", Rules::Uper, 41, 25.0);
        assert!(chapter(&records).is_none() && picture(&records).is_none());
        let fitted =
            [both("envelope-denm-2015", Rules::Uper, 249, 25.0), both("envelope-denm-2015", Rules::Tls, 233, 25.0)];
        assert!(chapter(fitted.as_flattened()).is_none() && picture(fitted.as_flattened()).is_none());
    }
}
