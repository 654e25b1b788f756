//! One verdict for every published figure, depending on whose property it is.
//!
//! - **Lengths** and values that follow from them are properties of the encoding: *reproduced* if
//!   ours is the same to the printed digits. If something was fitted until they matched, it
//!   is *reproduced by a fit*: this shows a possibility, and predicts nothing.
//! - **Memory** is the implementation's: where the library that the paper used was built and
//!   measured, that library's figure is *reproduced* if it is within a tenth of the printed one.
//!   Otherwise it is *the implementation's own*: ours is shown next to theirs, and so is the sum of
//!   heap and stack, which is what the papers mean.
//! - **Times** are properties of the machine: they could be reproduced only on the same processor.
//!   On *another machine* ours says nothing about theirs, even if the numbers are the same.
//! - A figure without one of ours *cannot be judged*, and the reason is given.

use crate::claims::formula::Formula;
use crate::claims::sentences::Tally;
use crate::claims::{self, JudgedClaim};
use crate::experiment::FigureOf;
use crate::libraries;
use crate::measured::Measured;
use crate::number::significant;
use crate::owner::Owner;
use crate::quantity::{OfMessage, OfOperation, Quantity};
use crate::ranking;
use crate::record::Run;
use crate::study::published::{Published, printed};
use crate::study::{self, Study};
use roadwire_measure::cell::Direction;

/// How far the clock speed of the same processor may be off and still count as reproduced.
pub const TOLERANCE: f64 = 0.10;

/// How far the memory of the paper's own library may be off, built by another compiler and for
/// values of ours, and still count as reproduced. It is the tie of claims on memory.
pub const MEMORY_TOLERANCE: f64 = 0.10;

/// The verdict on a published figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The same, without having been fitted to it.
    Reproduced,
    /// The same, because something was fitted to it.
    ReproducedByFit,
    /// Another value.
    Differs,
    /// A property of the implementation: neither confirms nor contradicts.
    ImplementationsOwn,
    /// A time in a table whose order is compared: its value neither confirms nor contradicts.
    Ranked,
    /// A property of a machine, measured on another one: neither confirms nor contradicts.
    AnotherMachine,
    /// We have no figure.
    CannotBeJudged,
}

impl Outcome {
    /// All, in the order of a headline.
    pub const ALL: [Outcome; 7] = [
        Outcome::Reproduced,
        Outcome::ReproducedByFit,
        Outcome::Differs,
        Outcome::ImplementationsOwn,
        Outcome::Ranked,
        Outcome::AnotherMachine,
        Outcome::CannotBeJudged,
    ];

    /// As in a report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Reproduced => "reproduced",
            Outcome::ReproducedByFit => "reproduced by a fit",
            Outcome::Differs => "differs",
            Outcome::ImplementationsOwn => "the implementation's own",
            Outcome::Ranked => "judged by its rank",
            Outcome::AnotherMachine => "another machine",
            Outcome::CannotBeJudged => "cannot be judged",
        }
    }
}

/// An outcome, our figure and the reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The outcome.
    pub outcome: Outcome,
    /// Our figure, if there is one.
    pub ours: Option<f64>,
    /// The figure of a library of the paper's time, if there is one.
    pub library: Option<OfLibrary>,
    /// The reason, or a remark.
    pub why: String,
}

/// A figure of a library of a paper's time.
#[derive(Debug, Clone, PartialEq)]
pub struct OfLibrary {
    /// The library's name in records.
    pub engine: String,
    /// The figure.
    pub value: f64,
    /// Whether it is the library that the paper used.
    pub is_theirs: bool,
}

/// Judges one figure of a study by the measurements of a run.
#[must_use]
pub fn judge(figure: &Published, study: &Study, measured: Measured<'_>) -> Verdict {
    let cannot = |why: String| Verdict { outcome: Outcome::CannotBeJudged, ours: None, library: None, why };
    let Some(formula) = &figure.ours else { return cannot(figure.note.clone()) };
    let value = |quantity: &Quantity| quantity.value(measured);
    let ours = match formula.value(&value) {
        Ok(ours) => ours,
        Err(why) => return cannot(with_note(why, figure)),
    };
    let (outcome, why) = match formula.owner() {
        Owner::Encoding => encoding(figure, study, measured, ours),
        Owner::Implementation => return memory(figure, study, measured, ours),
        Owner::Machine => clock(figure, measured, ours),
    };
    Verdict { outcome, ours: Some(ours), library: None, why }
}

/// A property of the implementation: judged by the paper's own library, if that was measured.
fn memory(figure: &Published, study: &Study, measured: Measured<'_>, ours: f64) -> Verdict {
    let (library, remark) = library(figure, study, measured);
    let (outcome, why) = match &library {
        Some(OfLibrary { engine, value, is_theirs: true }) => {
            let off = (value - figure.value).abs();
            let is_same = off <= MEMORY_TOLERANCE * figure.value;
            let times = |value: f64| significant(value / figure.value, 2);
            let mut why = format!("{engine}: {} times the printed figure", times(*value));
            for (what, other) in beside(figure, engine, measured) {
                why += &format!(", {what} {}", times(other));
            }
            (if is_same { Outcome::Reproduced } else { Outcome::Differs }, why)
        }
        _ => (Outcome::ImplementationsOwn, sums(figure, study, measured)),
    };
    let why = if remark.is_empty() || why.is_empty() { why + &remark } else { format!("{why}; {remark}") };
    Verdict { outcome, ours: Some(ours), library, why: with_note(why, figure) }
}

/// The library's figure with the other word size, and of encoding with the heap of the message
/// itself, as decoding makes it: what the paper may have counted instead. Neither judges.
fn beside(figure: &Published, engine: &str, measured: Measured<'_>) -> Vec<(&'static str, f64)> {
    let Some(Quantity::Message { message, rules, of: OfMessage::Operation(direction, _, of) }) = figure.quantity()
    else {
        return Vec::new();
    };
    let value = |engine: &str, direction| {
        libraries::record(measured, (engine, message, *rules, direction)).and_then(|record| of.value(record))
    };
    let wide = engine.strip_suffix("-32").and_then(|wide| value(wide, *direction)).map(|other| ("with 64 bits", other));
    // A decoder keeps nothing but the message.
    let decoded = libraries::record(measured, (engine, message, *rules, Direction::Decode));
    let kept = decoded.and_then(|record| record.heap).map(|heap| heap.retained as f64).filter(|kept| *kept > 0.0);
    let is_heap_of_encoding = (*direction, *of) == (Direction::Encode, OfOperation::Heap);
    let own = value(engine, *direction).filter(|_| is_heap_of_encoding);
    let with_message = own.zip(kept).map(|(own, kept)| ("with the message itself", own + kept));
    wide.into_iter().chain(with_message).collect()
}

/// The figure of the library that the study names for it, and a remark: why there is none, or what
/// it is instead of the paper's.
fn library(figure: &Published, study: &Study, measured: Measured<'_>) -> (Option<OfLibrary>, String) {
    let Some(Quantity::Message { message, rules, of: OfMessage::Operation(direction, kind, of) }) = figure.quantity()
    else {
        return (None, String::new());
    };
    let Some(library) = study.libraries.iter().find(|one| one.is_of(*rules, *kind)) else {
        return (None, String::new());
    };
    let Some(engine) = &library.engine else { return (None, library.remark.clone()) };
    let record = libraries::record(measured, (engine, message, *rules, *direction));
    match record.and_then(|record| of.value(record)) {
        Some(value) => {
            (Some(OfLibrary { engine: engine.clone(), value, is_theirs: library.is_theirs }), library.remark.clone())
        }
        None => (None, format!("{engine} was not measured")),
    }
}

/// A study with all judgements based on the measurements of a run. It is judged once, for all forms
/// of the report.
pub struct Judged<'a> {
    /// The study.
    pub study: &'a Study,
    /// One for each of its published figures, in their order.
    pub verdicts: Vec<Verdict>,
    /// Its claims, each with all judgements.
    pub claims: Vec<JudgedClaim<'a>>,
    /// How many of its sentences have which verdict.
    pub tally: Tally,
}

impl<'a> Judged<'a> {
    /// Judges all figures and claims of a study.
    #[must_use]
    pub fn of(study: &'a Study, measured: Measured<'a>) -> Self {
        let claims = claims::judged(&study.claims, &study.published, &study::published_in, measured);
        let tally = Tally::of(&study.sentences, &claims);
        let mut verdicts: Vec<Verdict> = study.published.iter().map(|figure| judge(figure, study, measured)).collect();
        ranking::mark(&study.published, &mut verdicts);
        Judged { study, verdicts, claims, tally }
    }

    /// The published figures, each with its verdict.
    pub fn figures(&self) -> impl Iterator<Item = (&'a Published, &Verdict)> {
        self.study.published.iter().zip(&self.verdicts)
    }
}

/// A property of the encoding: equal to the printed value or not.
fn encoding(figure: &Published, study: &Study, measured: Measured<'_>, ours: f64) -> (Outcome, String) {
    let off = (ours - figure.value).abs();
    let sampled = figure.ours.iter().flat_map(Formula::quantities).filter_map(|quantity| match quantity {
        Quantity::Experiment(FigureOf(of)) => Some(of.difference(measured.findings(of.experiment())?)),
        _ => None,
    });
    let may = sampled.sum::<f64>();
    if may > 0.0 {
        if off > may {
            let why = format!("by {}, two samples may by {}", significant(off, 4), significant(may, 4));
            return (Outcome::Differs, with_note(why, figure));
        }
        return reproduced(figure, study, format!("two samples may differ by {}", significant(may, 4)));
    }
    // A fractional value was rounded to the printed digits.
    let half = 0.5 * 10f64.powi(-(figure.decimals as i32));
    let rounding = if ours.fract() == 0.0 && figure.decimals == 0 { 0.0 } else { half };
    if off <= rounding + 1e-9 {
        reproduced(figure, study, String::new())
    } else {
        (Outcome::Differs, figure.note.clone())
    }
}

fn reproduced(figure: &Published, study: &Study, why: String) -> (Outcome, String) {
    match study.fits.iter().find(|fit| fit.name == figure.fit) {
        None => (Outcome::Reproduced, with_note(why, figure)),
        Some(fit) => {
            let fitted = format!("fit `{}`", fit.name);
            let why = if why.is_empty() { fitted } else { format!("{fitted}; {why}") };
            (Outcome::ReproducedByFit, with_note(why, figure))
        }
    }
}

/// Compares the sums of heap and stack.
fn sums(figure: &Published, study: &Study, measured: Measured<'_>) -> String {
    let Some(sum) = figure.quantity().and_then(|quantity| quantity.of_operation(OfOperation::Memory)) else {
        return String::new();
    };
    let (Ok(ours), Ok(theirs)) = (sum.value(measured), printed(&sum, &study.published)) else { return String::new() };
    let times = match ours {
        0.0 => "none at all".to_string(),
        ours if ours < theirs => format!("{} times less", significant(theirs / ours, 2)),
        ours => format!("{} times as much", significant(ours / theirs, 2)),
    };
    format!("heap and stack together: {ours:.0} against {theirs:.0}, {times}")
}

/// Times and clocks are properties of the machine.
fn clock(figure: &Published, measured: Measured<'_>, ours: f64) -> (Outcome, String) {
    let Some(Run { machine, .. }) = measured.run() else {
        return (Outcome::CannotBeJudged, "nothing was measured".into());
    };
    let mut why = format!("on {}", machine.cpu);
    let tolerance = match figure.quantity() {
        Some(Quantity::ClockSpeed) => TOLERANCE * figure.value,
        Some(Quantity::ClockResolution) => {
            why += &format!("; one reading costs {:.0} ns, so the resolution is not the accuracy", machine.clock_cost);
            0.0
        }
        _ => return (Outcome::AnotherMachine, with_note(why, figure)),
    };
    let outcome = match ((ours - figure.value).abs() <= tolerance, same_processor(&figure.column, &machine.cpu)) {
        (_, false) => Outcome::AnotherMachine,
        (true, true) => Outcome::Reproduced,
        (false, true) => Outcome::Differs,
    };
    (outcome, with_note(why, figure))
}

/// Whether our processor's name contains every word of the paper's processor name.
fn same_processor(theirs: &str, ours: &str) -> bool {
    let ours = ours.replace("(R)", "").replace("(TM)", "");
    let words: Vec<&str> = ours.split_whitespace().collect();
    theirs.split_whitespace().all(|word| words.contains(&word))
}

fn with_note(why: String, figure: &Published) -> String {
    match (why.is_empty(), figure.note.is_empty()) {
        (true, _) => figure.note.clone(),
        (_, true) => why,
        _ => format!("{why}; {}", figure.note),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::formula::Sets;
    use crate::record::{Record, sample::record};
    use crate::study::Library;
    use roadwire_layout::Rules;
    use roadwire_measure::heap::Heap;
    use roadwire_measure::machine::Machine;
    use roadwire_peers::Kind;

    fn figure(ours: &str, value: f64) -> Published {
        let ours = Some(Formula::parse(ours, &Sets::new()).unwrap());
        Published { ours, value, column: "Intel Core i7-2640M".into(), ..Published::default() }
    }

    fn of(figure: &Published, records: &[Record]) -> Verdict {
        judge(figure, &Study::sample(vec![figure.clone()]), Measured { records, ..Measured::default() })
    }

    #[test]
    fn lengths_are_reproduced_when_equal_and_by_a_fit_where_one_was_made() {
        let records = [record(Kind::Toed, 41)];
        let outcome = |value, fit: &str| {
            let figure = Published { fit: fit.into(), ..figure("octets:cam-mandatory", value) };
            of(&figure, &records).outcome
        };
        assert_eq!([outcome(41.0, ""), outcome(41.0, "fitted")], [Outcome::Reproduced, Outcome::ReproducedByFit]);
        assert_eq!([outcome(40.0, ""), outcome(42.0, "fitted")], [Outcome::Differs; 2]);
        assert_eq!(of(&figure("tls/octets:cam-mandatory", 41.0), &records).outcome, Outcome::CannotBeJudged);
    }

    #[test]
    fn what_follows_from_lengths_is_the_same_to_the_digits_that_are_printed() {
        let records = [record(Kind::Toed, 41)];
        let outcome = |value, decimals| {
            let figure = Published { decimals, ..figure("octets:cam-mandatory / 3", value) };
            of(&figure, &records).outcome
        };
        // 13.666…
        assert_eq!([outcome(13.67, 2), outcome(13.7, 1), outcome(14.0, 0)], [Outcome::Reproduced; 3]);
        assert_eq!([outcome(13.66, 2), outcome(13.6, 1), outcome(13.0, 0), outcome(13.7, 2)], [Outcome::Differs; 4]);
    }

    #[test]
    fn memory_is_the_implementations_own_and_the_sum_is_told() {
        let mut soed = record(Kind::Soed, 41);
        soed.heap = Some(Heap { peak: 0, requested: 1, retained: 1, count: 1 });
        soed.stack = Some(700);
        let parts = ["heap", "stack"].map(|part| format!("{part}:cam-mandatory:decode:soed"));
        let figures = vec![figure(&parts[0], 63_320.0), figure(&parts[1], 680.0)];
        let study = Study::sample(figures.clone());
        for figure in &figures {
            let verdict = judge(figure, &study, Measured { records: &[soed.clone()], ..Measured::default() });
            assert_eq!(verdict.outcome, Outcome::ImplementationsOwn);
            assert_eq!(verdict.why, "heap and stack together: 700 against 64000, 91 times less");
        }
    }

    /// The library was built by another compiler, for values of ours.
    #[test]
    fn memory_of_the_papers_own_library_is_reproduced_within_a_tenth() {
        let heap = |peak| Some(Heap { peak, requested: peak, retained: 0, count: 1 });
        let ours = Record { heap: heap(10), ..record(Kind::Toed, 41) };
        let theirs = Record { engine: "asn1c-32".into(), heap: heap(416), ..record(Kind::Peer, 41) };
        let figure = |value| figure("heap:cam-mandatory:decode:toed", value);
        let of = |is_theirs, value, library: &Record| {
            let mut study = Study::sample(vec![figure(value)]);
            study.libraries = vec![Library::sample(Rules::Uper, "asn1c-32", is_theirs)];
            let libraries = std::slice::from_ref(library);
            let verdict = judge(
                &figure(value),
                &study,
                Measured { records: std::slice::from_ref(&ours), libraries, ..Measured::default() },
            );
            assert_eq!(verdict.ours, Some(10.0));
            (verdict.outcome, verdict.library.map(|library| library.value))
        };
        // 378.18… and 462.2… are a tenth away.
        for value in [379.0, 416.0, 462.0] {
            assert_eq!(of(true, value, &theirs), (Outcome::Reproduced, Some(416.0)), "{value}");
        }
        for value in [378.0, 463.0] {
            assert_eq!(of(true, value, &theirs), (Outcome::Differs, Some(416.0)), "{value}");
        }
        // It stands beside, and does not judge, if it is not the paper's; and where nothing was
        // measured, nothing is judged.
        assert_eq!(of(false, 416.0, &theirs), (Outcome::ImplementationsOwn, Some(416.0)));
        assert_eq!(of(true, 416.0, &Record { heap: None, ..theirs.clone() }), (Outcome::ImplementationsOwn, None));
    }

    #[test]
    fn the_other_word_size_and_the_message_itself_stand_beside_and_do_not_judge() {
        let one = |engine: &str, direction, peak| Record {
            engine: engine.into(),
            direction,
            heap: Some(Heap { peak, requested: peak, retained: peak, count: 1 }),
            ..record(Kind::Peer, 41)
        };
        let libraries = [
            one("p-32", Direction::Encode, 100),
            one("p-32", Direction::Decode, 400),
            one("p", Direction::Encode, 200),
        ];
        let ours = Record { kind: Kind::Toed, ..one("ours", Direction::Encode, 0) };
        let figure = figure("heap:cam-mandatory:encode:toed", 500.0);
        let mut study = Study::sample(vec![figure.clone()]);
        study.libraries = vec![Library::sample(Rules::Uper, "p-32", true)];
        let verdict =
            judge(&figure, &study, Measured { records: &[ours], libraries: &libraries, ..Measured::default() });
        assert_eq!(verdict.outcome, Outcome::Differs);
        assert_eq!(verdict.why, "p-32: 0.2 times the printed figure, with 64 bits 0.4, with the message itself 1");
    }

    fn machine(cpu: &str) -> Vec<Record> {
        let mut record = record(Kind::Toed, 41);
        record.run.machine = Machine { cpu: cpu.into(), mhz: 2793.7, clock_resolution: 1, ..Machine::here() };
        vec![record]
    }

    #[test]
    fn a_clock_is_reproduced_by_the_same_processor_only() {
        let theirs = machine("Intel(R) Core(TM) i7-2640M CPU @ 2.80GHz");
        let other = machine("Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz");
        let outcome = |ours: &str, value, records: &[Record]| of(&figure(ours, value), records).outcome;
        assert_eq!(outcome("clock-resolution", 1.0, &theirs), Outcome::Reproduced);
        assert_eq!(outcome("clock-resolution", 2.0, &theirs), Outcome::Differs);
        assert_eq!(outcome("clock-resolution", 1.0, &other), Outcome::AnotherMachine);
        assert_eq!(outcome("clock-speed", 2800.0, &other), Outcome::AnotherMachine);
        // Ours is 2793.7 MHz: within a tenth.
        for (value, wanted) in [
            (2530.0, Outcome::Differs),
            (2550.0, Outcome::Reproduced),
            (3100.0, Outcome::Reproduced),
            (3110.0, Outcome::Differs),
        ] {
            assert_eq!(outcome("clock-speed", value, &theirs), wanted, "{value}");
        }
    }

    #[test]
    fn a_time_is_the_machines_even_where_the_numbers_are_the_same() {
        let mut records = machine("Intel(R) Core(TM) i7-2640M CPU @ 2.80GHz");
        records[0].cpu_ns = roadwire_measure::stats::summarise(&[7.0]);
        let verdict = of(&figure("time:cam-mandatory:decode:toed", 7.0), &records);
        assert_eq!((verdict.outcome, verdict.ours), (Outcome::AnotherMachine, Some(7.0)));
    }

    #[test]
    fn what_has_no_figure_of_ours_says_why() {
        let figure = Published { note: "its content is not told".into(), ..Published::default() };
        assert_eq!(of(&figure, &[]).why, "its content is not told");
    }
}
