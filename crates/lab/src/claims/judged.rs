//! A claim with all its judgements: by the paper's figures, by ours, and by pairs of other
//! implementations.

use std::collections::BTreeSet;

use super::formula::{Formula, Missing};
use super::judge::{Figures, Judgement, Outcome, Values, judge};
use super::pairs::{self, Pair, Source};
use super::{Case, Claim, Claims};
use crate::measured::{Measured, Recorded};
use crate::noise::Noise;
use crate::owner::Owner;
use crate::quantity::Quantity;
use crate::study::published::{Published, printed};

/// A claim, judged by the paper's figures, by ours, and by others'.
pub struct JudgedClaim<'c> {
    /// The claim.
    pub claim: &'c Claim,
    /// By the figures that the paper prints.
    pub by_paper: Judgement,
    /// By those of a run. Times are those of batches, if there are batches.
    pub by_run: Judgement,
    /// By times of single calls, if `by_run` has them of batches.
    pub by_single_calls: Option<Judgement>,
    /// By pairs of other implementations, as far as they have codecs and were measured.
    pub by_pairs: Vec<ByPair>,
    /// The verdict of all of them.
    pub verdict: Outcome,
    /// Whose codecs the verdict rests on.
    pub support: Support,
}

/// The judgement of a pair, beside ours of the same cases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByPair {
    /// The pair's name.
    pub pair: String,
    /// Where its records come from; empty for this run.
    pub source: String,
    /// By its codecs.
    pub theirs: Judgement,
    /// By ours, of those cases that the pair has.
    pub ours: Judgement,
}

impl ByPair {
    /// Whether it has our outcome; `None` if ours is not comparable.
    #[must_use]
    pub fn agrees(&self) -> Option<bool> {
        let is_ours = self.ours.outcome.is_comparable();
        is_ours.then(|| self.ours.outcome.name() == self.theirs.outcome.name())
    }

    /// Whether it contradicts ours: in the same cases, or where all of these are ties of ours, our
    /// outcome of all cases.
    fn refutes(&self, all: &Outcome) -> bool {
        !self.agrees().unwrap_or_else(|| all.name() == self.theirs.outcome.name())
    }
}

/// Whose codecs a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// Every correct implementation has these figures.
    Encoding,
    /// Ours alone.
    Alone,
    /// Ours and those of at least one pair.
    Shared,
    /// Those of pairs, not ours.
    Others,
}

impl Support {
    /// As in a report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Support::Encoding => "the encoding",
            Support::Alone => "ours alone",
            Support::Shared => "ours and others",
            Support::Others => "others alone",
        }
    }
}

/// Judges all claims. The first is the study's; `cited` has the printed figures of any other study.
pub fn judged<'c>(
    claims: &'c Claims,
    published: &[Published],
    cited: &dyn Fn(&str) -> Vec<Published>,
    measured: Measured<'c>,
) -> Vec<JudgedClaim<'c>> {
    let pairs = pairs::all().unwrap_or_default();
    let is_fitted = |quantity: &Quantity| is_fitted(quantity, published);
    let tie_of_times = Noise::of(measured).tie();
    let one = |claim: &'c Claim| {
        let cited = claim.cites.as_deref().map(cited).unwrap_or_default();
        let theirs = |quantity: &Quantity| {
            printed(quantity, published).or_else(|why| printed(quantity, &cited).map_err(|_| why))
        };
        let mut by_paper = judge(claim, Figures::of(&theirs));
        if claim.alike.is_some() || claim.constant.is_some() {
            let why = "the paper has no figures of single processors in numbers";
            by_paper.outcome = Outcome::NotComparable(why.into());
        }
        let mut by_run = by_run(claim, measured, tie_of_times, &is_fitted);
        let mut by_single_calls = by_single_calls(claim, measured, tie_of_times);
        let why = [&claim.not_comparable, &claim.not_ours].into_iter().find(|why| !why.is_empty());
        if let Some(why) = why {
            by_run.outcome = Outcome::NotComparable(why.clone());
            by_single_calls = None;
        }
        let by_pairs = match claim.not_comparable.is_empty() && claim.is_of_codecs() {
            true => by_pairs(claim, &pairs, measured, tie_of_times),
            false => Vec::new(),
        };
        let (verdict, support) = verdict(claim, &by_run, &by_pairs);
        JudgedClaim { claim, by_paper, by_run, by_single_calls, by_pairs, verdict, support }
    };
    claims.claims.iter().map(one).collect()
}

/// The values of another run.
fn values_of(recorded: &Recorded) -> impl Fn(&Quantity) -> Result<f64, Missing> {
    move |quantity| quantity.value(recorded.measured())
}

/// By our codecs.
fn by_run(
    claim: &Claim,
    measured: Measured<'_>,
    tie_of_times: f64,
    is_fitted: &dyn Fn(&Quantity) -> bool,
) -> Judgement {
    let others: Vec<_> = measured.others.iter().map(values_of).collect();
    let others: Vec<Values<'_>> = others.iter().map(|other| other as Values<'_>).collect();
    let values = |quantity: &Quantity| quantity.value(measured);
    let steps = |quantity: &Quantity| quantity.clock_step(measured);
    judge(claim, Figures { values: &values, steps: &steps, tie_of_times, others: &others, is_fitted })
}

/// By single calls; `None` if it has no quantity that is measured in both ways.
fn by_single_calls(claim: &Claim, measured: Measured<'_>, tie_of_times: f64) -> Option<Judgement> {
    claim.quantities().find_map(Quantity::by_single_calls)?;
    let single = |quantity: &Quantity| quantity.by_single_calls().unwrap_or_else(|| quantity.clone());
    let values = |quantity: &Quantity| single(quantity).value(measured);
    let steps = |quantity: &Quantity| single(quantity).clock_step(measured);
    Some(judge(claim, Figures { steps: &steps, tie_of_times, ..Figures::of(&values) }))
}

/// By all pairs that have figures of it. Two pairs that differ only in codecs that the claim is not
/// about judge it once.
fn by_pairs(claim: &Claim, pairs: &[Pair], measured: Measured<'_>, tie_of_times: f64) -> Vec<ByPair> {
    // Pairs are not judged on cases of lengths alone.
    let cases = claim.cases.iter().filter(|case| case.owner() != Owner::Encoding).cloned().collect();
    let claim = Claim { cases, ..claim.clone() };
    let mut seen: Vec<BTreeSet<String>> = Vec::new();
    let mut judged = Vec::new();
    for pair in pairs {
        let engines = claim.quantities().filter_map(|quantity| pair.engine_of(quantity)).map(str::to_string).collect();
        if !seen.contains(&engines) {
            judged.extend(by_pair(&claim, pair, measured, tie_of_times));
            seen.push(engines);
        }
    }
    judged
}

/// By a pair, in the first run that has figures of it; `None` if none has.
fn by_pair(claim: &Claim, pair: &Pair, measured: Measured<'_>, tie_of_times: f64) -> Option<ByPair> {
    let here = Source { name: "", measured, records: measured.records };
    let on_file = Source { name: "on file", records: measured.libraries, ..here };
    [here, on_file].into_iter().find_map(|source| {
        let values = |quantity: &Quantity| pair.value(quantity, source);
        let theirs = judge(claim, Figures { tie_of_times, ..Figures::of(&values) });
        let same = |quantity: &Quantity| pair.value(quantity, source).and_then(|_| quantity.value(measured));
        let steps = |quantity: &Quantity| quantity.clock_step(measured);
        let mut ours = judge(claim, Figures { steps: &steps, tie_of_times, ..Figures::of(&same) });
        if !claim.not_ours.is_empty() {
            ours.outcome = Outcome::NotComparable(claim.not_ours.clone());
        }
        let (pair, source) = (pair.name.clone(), source.name.to_string());
        theirs.outcome.is_comparable().then_some(ByPair { pair, source, theirs, ours })
    })
}

/// The verdict of our codecs and all pairs, and whose it is.
fn verdict(claim: &Claim, by_run: &Judgement, by_pairs: &[ByPair]) -> (Outcome, Support) {
    if !claim.is_of_codecs() {
        return (by_run.outcome.clone(), Support::Encoding);
    }
    let is_memory = claim.cases.iter().all(|case| case.owner() == Owner::Implementation);
    match (by_run.outcome.is_comparable(), by_pairs) {
        (true, []) if is_memory => {
            let why = "memory is the implementation's own, and only ours was measured";
            (Outcome::NotComparable(why.into()), Support::Alone)
        }
        (_, []) => (by_run.outcome.clone(), Support::Alone),
        (true, pairs) if pairs.iter().any(|one| one.refutes(&by_run.outcome)) => (Outcome::Disputed, Support::Shared),
        (true, _) => (by_run.outcome.clone(), Support::Shared),
        (false, [first, rest @ ..]) => {
            let is_same = |one: &ByPair| one.theirs.outcome.name() == first.theirs.outcome.name();
            let outcome = if rest.iter().all(is_same) { first.theirs.outcome.clone() } else { Outcome::Disputed };
            (outcome, Support::Others)
        }
    }
}

/// Whether a length was fitted until it had the printed value, or follows from one that was.
fn is_fitted(quantity: &Quantity, published: &[Published]) -> bool {
    let fitted = |wanted: &Quantity| {
        let figures = published.iter().filter(|figure| !figure.fit.is_empty());
        figures.filter_map(|figure| figure.ours.as_ref()).any(|ours| ours.quantities().contains(&wanted))
    };
    fitted(quantity) || quantity.parts().iter().any(fitted)
}

impl Claim {
    /// All quantities of its cases.
    pub(crate) fn quantities(&self) -> impl Iterator<Item = &Quantity> {
        self.cases.iter().flat_map(Case::formulas).map(|named| &named.formula).flat_map(Formula::quantities)
    }

    /// Whether it is about codecs, not about encodings: on time or memory.
    pub(super) fn is_of_codecs(&self) -> bool {
        self.quantities().any(|quantity| quantity.owner() != Owner::Encoding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Record, sample};
    use crate::study::published::Published;
    use roadwire_layout::Rules;
    use roadwire_measure::heap::Heap;
    use roadwire_measure::stats::summarise;
    use roadwire_peers::Kind;

    const FASTER: &str =
        "[[claims]]\nid = 'x'\nplace = ''\ntext = ''\nless = ['time:a:decode:toed', 'protobuf/time:a:decode:toed']";
    const SMALLER: &str =
        "[[claims]]\nid = 'x'\nplace = ''\ntext = ''\nless = ['memory:a:decode:toed', 'protobuf/memory:a:decode:toed']";

    /// A codec with this time, and as much stack.
    fn codec(engine: &str, rules: Rules, time: f64) -> Record {
        let kind = if engine == "roadwire-toed" { Kind::Toed } else { Kind::Peer };
        let heap = Some(Heap { peak: 0, requested: 0, retained: 0, count: 0 });
        let (message, engine, cpu_ns) = ("a".to_string(), engine.to_string(), summarise(&[time]));
        Record { rules, message, engine, cpu_ns, heap, stack: Some(time as usize), ..sample::record(kind, 41) }
    }

    fn ours() -> Vec<Record> {
        vec![codec("roadwire-toed", Rules::Uper, 10.0), codec("roadwire-toed", Rules::Protobuf, 50.0)]
    }

    fn pair(uper: f64, protobuf: f64) -> [Record; 2] {
        [codec("rasn", Rules::Uper, uper), codec("prost", Rules::Protobuf, protobuf)]
    }

    fn of(claim: &str, records: &[Record], libraries: &[Record]) -> (Outcome, Support, Vec<ByPair>) {
        let claims = Claims::read(claim).unwrap();
        let measured = Measured { records, libraries, ..Measured::default() };
        let one = judged(&claims, &[], &|_| Vec::new(), measured).remove(0);
        (one.verdict, one.support, one.by_pairs)
    }

    #[test]
    fn a_pair_that_agrees_supports_a_verdict_and_one_that_does_not_disputes_it() {
        let (verdict, support, _) = of(FASTER, &ours(), &[]);
        assert_eq!((verdict, support), (Outcome::Holds, Support::Alone));
        let with = |uper, protobuf| of(FASTER, &[ours(), pair(uper, protobuf).into()].concat(), &[]);
        let (verdict, support, by) = with(200.0, 300.0);
        assert_eq!((verdict, support, by[0].agrees()), (Outcome::Holds, Support::Shared, Some(true)));
        let (verdict, support, by) = with(800.0, 300.0);
        assert_eq!((verdict, support, by[0].agrees()), (Outcome::Disputed, Support::Shared, Some(false)));
        assert_eq!((by[0].pair.as_str(), &by[0].theirs.outcome), ("rasn with prost", &Outcome::DoesNotHold));
    }

    #[test]
    fn a_pair_that_refutes_a_verdict_where_ours_are_ties_disputes_it() {
        let claim = "[[claims]]\nid = 'x'\nplace = ''\ntext = ''\nfor = ['m']\nless = ['time:{m}:decode:toed', 'protobuf/time:{m}:decode:toed']\n[sets]\nm = ['a', 'b']";
        let other = |record: Record| Record { message: "b".into(), ..record };
        // Of message `a` ours are a tie, and the pair has no codecs for `b`.
        let ties = [codec("roadwire-toed", Rules::Uper, 50.0), codec("roadwire-toed", Rules::Protobuf, 50.0)];
        let with = |uper, protobuf| {
            let records =
                [ties.to_vec(), ours().into_iter().map(other).collect(), pair(uper, protobuf).into()].concat();
            of(claim, &records, &[])
        };
        let (verdict, support, by) = with(800.0, 300.0);
        assert_eq!((verdict, support, by[0].agrees()), (Outcome::Disputed, Support::Shared, None));
        assert_eq!(with(200.0, 300.0).0, Outcome::Holds);
    }

    /// Times of two runs are not compared.
    #[test]
    fn a_pair_is_of_one_run() {
        let [uper, protobuf] = pair(800.0, 300.0);
        let here = [ours(), vec![uper.clone()]].concat();
        assert_eq!(of(FASTER, &here, std::slice::from_ref(&protobuf)).1, Support::Alone);
        let (verdict, _, by) = of(FASTER, &ours(), &[uper, protobuf]);
        assert_eq!((verdict, by[0].source.as_str()), (Outcome::Disputed, "on file"));
    }

    #[test]
    fn memory_of_our_codecs_alone_is_no_verdict() {
        let (verdict, support, _) = of(SMALLER, &ours(), &[]);
        assert!(matches!(verdict, Outcome::NotComparable(why) if why.contains("memory")));
        assert_eq!(support, Support::Alone);
        let (verdict, support, _) = of(SMALLER, &[ours(), pair(200.0, 300.0).into()].concat(), &[]);
        assert_eq!((verdict, support), (Outcome::Holds, Support::Shared));
    }

    #[test]
    fn what_ours_cannot_judge_is_judged_by_other_implementations() {
        let claim = format!("{FASTER}\nnot_ours = 'of libraries'");
        let records = [ours(), pair(800.0, 300.0).into()].concat();
        let (verdict, support, by) = of(&claim, &records, &[]);
        assert_eq!((verdict, support, by[0].agrees()), (Outcome::DoesNotHold, Support::Others, None));
        let (verdict, ..) = of(&claim, &ours(), &[]);
        assert_eq!(verdict, Outcome::NotComparable("of libraries".into()));
    }

    #[test]
    fn cases_of_fitted_lengths_decide_only_where_they_are_half_of_all() {
        let figure = |ours: &str, fit: &str| Published {
            ours: Some(Formula::parse(ours, &Default::default()).unwrap()),
            fit: fit.into(),
            ..Published::default()
        };
        let published = [figure("octets:a", "a fit"), figure("octets:b", "")];
        let of = |set: &str, limit: usize| {
            let text = format!(
                "sets = {{ m = {set} }}\n[[claims]]\nid = 'x'\nplace = ''\ntext = ''\nfor = ['m']\nless = ['octets:{{m}}', '{limit}']"
            );
            let claims = Claims::read(&text).unwrap();
            let record = |name: &str| Record { message: name.into(), ..sample::record(Kind::Toed, 41) };
            let records = [record("a"), record("b"), record("c")];
            let measured = Measured { records: &records, ..Measured::default() };
            let one = judged(&claims, &published, &|_| Vec::new(), measured).remove(0);
            (one.verdict, one.by_run.of, one.by_run.fitted)
        };
        assert_eq!(of("['a']", 42), (Outcome::HoldsByFit, 1, 1));
        assert!(matches!(of("['a']", 41).0, Outcome::NotComparable(why) if why.contains("fitted")));
        assert_eq!(of("['a', 'b']", 42), (Outcome::HoldsByFit, 2, 1));
        assert_eq!(of("['a', 'b', 'c']", 42), (Outcome::Holds, 2, 1));
        assert_eq!(of("['b']", 41), (Outcome::DoesNotHold, 1, 0));
    }

    /// Records of all codecs with times and memory at random: whatever they say, no verdict hides a
    /// pair that says something else.
    #[test]
    fn no_claim_of_sixty_drawn_at_random_is_refuted_by_a_pair_without_saying_so() {
        use crate::study;
        use roadwire_measure::cell::Direction;
        use roadwire_measure::random::Random;
        let (mut random, mut records) = (Random::new(28), Vec::new());
        let engines = [
            "roadwire-toed",
            "roadwire-soed",
            "rasn",
            "prost",
            "asn1c",
            "protobuf-2.5.0",
            "protobuf-2.5.0-code-size",
            "exip",
        ];
        let studies = study::all().unwrap();
        let messages: BTreeSet<&String> = studies.iter().flat_map(|study| &study.messages).collect();
        let rules = [Rules::Uper, Rules::Protobuf, Rules::Exi, Rules::ExiDefault, Rules::Tls];
        for (message, rules) in messages.iter().flat_map(|message| rules.map(|rules| (message, rules))) {
            for (engine, direction) in engines.iter().flat_map(|engine| Direction::ALL.map(|way| (engine, way))) {
                let value = 10.0 + random.below(990) as f64;
                let kind = if *engine == "roadwire-soed" { Kind::Soed } else { codec(engine, rules, value).kind };
                let record = Record { message: (*message).to_string(), direction, kind, ..codec(engine, rules, value) };
                records.push(record);
            }
        }
        let measured = Measured { records: &records, ..Measured::default() };
        let judged: Vec<Vec<JudgedClaim<'_>>> =
            studies.iter().map(|study| judged(&study.claims, &study.published, &|_| Vec::new(), measured)).collect();
        let mut all: Vec<&JudgedClaim<'_>> = judged.iter().flatten().filter(|one| one.claim.is_of_codecs()).collect();
        random.shuffle(&mut all);
        let [mut disputed, mut shared] = [0, 0];
        for one in all.iter().take(60) {
            let is_refuted = one.by_pairs.iter().any(|pair| pair.agrees() == Some(false));
            let is_told = one.verdict == Outcome::Disputed || one.support == Support::Others;
            assert!(!is_refuted || is_told, "{}: {:?}", one.claim.id, one.by_pairs);
            disputed += usize::from(is_refuted);
            shared += usize::from(!is_refuted && one.support == Support::Shared);
        }
        assert!(disputed > 5 && shared > 0, "{disputed} disputed, {shared} shared");
    }
}
