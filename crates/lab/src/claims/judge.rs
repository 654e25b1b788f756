//! The judge: cases are true, false, or ties, and their numbers decide.

use std::cmp::Ordering;

use super::formula::{Formula, Missing};
use super::{Case, Claim, Named, Test};
use crate::number::{readable, significant};
use crate::owner::Owner;
use crate::quantity::Quantity;

/// Printed times closer than this are a tie: the papers do not print how far apart two runs are.
pub(super) const TIE_OF_PRINTED_TIMES: f64 = 1.03;
/// Memory of two implementations closer than this is a tie: a compiler version can cause such a
/// difference.
pub(super) const TIE_OF_MEMORY: f64 = 1.10;
/// Numbers closer than this are equal: no paper prints more digits.
const EQUAL: f64 = 1e-6;

/// The result for a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// True in all cases that are not ties, or in the claimed share of them.
    Holds,
    /// It holds only in cases whose lengths were fitted until they came out.
    HoldsByFit,
    /// True in some of the cases.
    HoldsInPart,
    /// True in no case, or not in the claimed share.
    DoesNotHold,
    /// One pair of implementations has an outcome that differs from ours in the same cases.
    Disputed,
    /// Not comparable, with the reason.
    NotComparable(String),
}

impl Outcome {
    /// The names, in the order of a headline.
    pub const NAMES: [&'static str; 6] = [
        "holds",
        "holds by a fit",
        "holds in part",
        "does not hold",
        "disputed by other implementations",
        "not comparable",
    ];

    /// Whether there is an outcome.
    #[must_use]
    pub fn is_comparable(&self) -> bool {
        !matches!(self, Outcome::NotComparable(_))
    }

    /// As in a report.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Holds => "holds",
            Outcome::HoldsByFit => "holds by a fit",
            Outcome::Disputed => "disputed by other implementations",
            Outcome::HoldsInPart => "holds in part",
            Outcome::DoesNotHold => "does not hold",
            Outcome::NotComparable(_) => "not comparable",
        }
    }
}

/// An outcome, and its evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The outcome.
    pub outcome: Outcome,
    /// In how many cases it is true.
    pub so: usize,
    /// The number of cases that are not ties.
    pub of: usize,
    /// The number of ties.
    pub ties: usize,
    /// How many have no values.
    pub missing: usize,
    /// How many rest on a fitted length. They decide only where they are half of the cases or more,
    /// and of a share or a ranking.
    pub fitted: usize,
    /// The cases' values.
    pub evidence: String,
    /// At which threshold the outcome would change, if a threshold of ours decides.
    pub turns: String,
}

impl Judgement {
    /// The share of the cases in which it is true, 0 to 1; 0 without cases.
    #[must_use]
    pub fn rate(&self) -> f64 {
        if self.of == 0 { 0.0 } else { self.so as f64 / self.of as f64 }
    }
}

/// The result of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Is {
    So,
    NotSo,
    Tied,
}

/// A case with values.
struct Found<'c> {
    case: &'c Case,
    values: Vec<f64>,
    /// How far a step of the clock may move each of the values.
    steps: Vec<f64>,
    /// The values of other machines.
    others: Vec<Vec<f64>>,
    tie: f64,
}

/// Where the judge's values come from.
#[derive(Clone, Copy)]
pub(super) struct Figures<'v> {
    /// The values.
    pub(super) values: Values<'v>,
    /// The steps of their clocks.
    pub(super) steps: Steps<'v>,
    /// Times closer than this factor are a tie.
    pub(super) tie_of_times: f64,
    /// The values of other machines.
    pub(super) others: &'v [Values<'v>],
    /// Whether a quantity was fitted until it had the printed value.
    pub(super) is_fitted: &'v dyn Fn(&Quantity) -> bool,
}

impl<'v> Figures<'v> {
    /// Values without steps, other machines and fits, with the tie of printed times.
    pub(super) fn of(values: Values<'v>) -> Self {
        let tie_of_times = TIE_OF_PRINTED_TIMES;
        Figures { values, steps: &|_| 0.0, tie_of_times, others: &[], is_fitted: &|_| false }
    }
}

/// A value of a quantity, or why there is none.
pub(super) type Values<'v> = &'v dyn Fn(&Quantity) -> Result<f64, Missing>;

/// The step of the clock in a quantity's value; 0 if the value has no steps.
pub(super) type Steps<'v> = &'v dyn Fn(&Quantity) -> f64;

/// Judges a claim by the values that there are, and those of other machines.
pub(super) fn judge(claim: &Claim, figures: Figures<'_>) -> Judgement {
    let Figures { values, steps, tie_of_times, others, is_fitted } = figures;
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for case in &claim.cases {
        let others: Vec<Vec<f64>> = others.iter().filter_map(|values| case.values(values).ok()).collect();
        // A claim with a factor already has a threshold.
        let tie = if claim.by == 1.0 { case.tie(tie_of_times) } else { 1.0 };
        match case.values(values) {
            Ok(_) if matches!(case.test, Test::Alike(..) | Test::Constant(_)) && others.is_empty() => {
                missing.push("it takes another machine's records: `--with`".into());
            }
            Ok(found_values) => {
                let steps = case.formulas().iter().map(|named| moved(&named.formula, values, steps)).collect();
                found.push(Found { case, values: found_values, steps, others, tie });
            }
            Err(why) => missing.push(why),
        }
    }
    let of_fits = found.iter().filter(|one| one.case.is_fitted(is_fitted)).count();
    // A share and a ranking are of all cases. Otherwise the cases without a fit decide, if they are
    // the greater part.
    let is_one = claim.share.is_some() || claim.ascending.is_some();
    let by_fit = of_fits > 0 && (is_one || 2 * of_fits >= found.len());
    let is_free = |one: &&Found<'_>| by_fit || !one.case.is_fitted(is_fitted);
    let [so, not_so, ties] = count(found.iter().filter(is_free), claim.by);
    let outcome = match (found.is_empty(), missing.into_iter().next(), outcome(claim, [so, not_so])) {
        (true, Some(why), _) => Outcome::NotComparable(why),
        (true, None, _) => Outcome::NotComparable("it is not about a measured quantity".into()),
        (_, _, None) if ties == 1 => Outcome::NotComparable("the one case shows no difference".into()),
        (_, _, None) => Outcome::NotComparable(format!("none of the {ties} cases shows a difference")),
        (_, _, Some(Outcome::Holds)) if by_fit => Outcome::HoldsByFit,
        (_, _, Some(_)) if by_fit => Outcome::NotComparable("its lengths were fitted to the paper's".into()),
        (_, _, Some(outcome)) => outcome,
    };
    Judgement {
        outcome,
        so,
        of: so + not_so,
        ties,
        missing: claim.cases.len() - found.len(),
        fitted: of_fits,
        evidence: evidence(&found, claim.by),
        turns: if claim.taken.is_empty() { String::new() } else { turns(claim, &found) },
    }
}

/// How far a formula's value moves if each quantity is off by half a step of its clock.
fn moved(formula: &Formula, values: Values<'_>, steps: Steps<'_>) -> f64 {
    let mut quantities: Vec<&Quantity> = Vec::new();
    for quantity in formula.quantities() {
        if steps(quantity) > 0.0 && !quantities.contains(&quantity) {
            quantities.push(quantity);
        }
    }
    let off = |moving: &Quantity, by: f64| {
        let value =
            |quantity: &Quantity| values(quantity).map(|value| if quantity == moving { value + by } else { value });
        formula.value(&value).unwrap_or(f64::NAN)
    };
    let half = |quantity: &Quantity| steps(quantity) / 2.0;
    let range = |quantity: &&Quantity| off(quantity, half(quantity)) - off(quantity, -half(quantity));
    quantities.iter().map(|quantity| range(quantity).abs() / 2.0).sum()
}

fn count<'f, 'c: 'f>(found: impl Iterator<Item = &'f Found<'c>> + Clone, by: f64) -> [usize; 3] {
    [Is::So, Is::NotSo, Is::Tied].map(|is| found.clone().filter(|one| one.is(by) == is).count())
}

/// The outcome from the numbers of true and false cases. Ties do not count.
fn outcome(claim: &Claim, [so, not_so]: [usize; 2]) -> Option<Outcome> {
    let of = so + not_so;
    Some(match claim.share {
        _ if of == 0 => return None,
        Some([least, most]) if (least..=most).contains(&(so as f64 / of as f64)) => Outcome::Holds,
        Some(_) => Outcome::DoesNotHold,
        None if not_so == 0 => Outcome::Holds,
        None if so == 0 => Outcome::DoesNotHold,
        None => Outcome::HoldsInPart,
    })
}

impl Case {
    pub(crate) fn formulas(&self) -> Vec<&Named> {
        match &self.test {
            Test::Less(a, b) | Test::Equal(a, b) | Test::Alike(a, b) => vec![a, b],
            Test::Within(all) => all.iter().collect(),
            Test::Constant(value) => vec![value],
        }
    }

    fn values(&self, values: Values<'_>) -> Result<Vec<f64>, Missing> {
        self.formulas().iter().map(|named| named.formula.value(values)).collect()
    }

    /// Whose property the comparison is: the machine's if a part of it is.
    pub(super) fn owner(&self) -> Owner {
        let owners: Vec<Owner> = self.formulas().iter().map(|named| named.formula.owner()).collect();
        [Owner::Machine, Owner::Implementation].into_iter().find(|one| owners.contains(one)).unwrap_or(Owner::Encoding)
    }

    fn tie(&self, of_times: f64) -> f64 {
        match self.owner() {
            Owner::Machine => of_times,
            Owner::Implementation => TIE_OF_MEMORY,
            Owner::Encoding => 1.0,
        }
    }

    /// Whether it compares lengths of which one was fitted.
    fn is_fitted(&self, is_fitted: &dyn Fn(&Quantity) -> bool) -> bool {
        let mut quantities = self.formulas().into_iter().flat_map(|named| named.formula.quantities());
        // A figure that was fitted on one machine may still differ on the next.
        let is_of_machines = matches!(self.test, Test::Alike(..) | Test::Constant(_));
        self.owner() == Owner::Encoding && !is_of_machines && quantities.any(is_fitted)
    }
}

impl Found<'_> {
    fn is(&self, by: f64) -> Is {
        match (&self.case.test, self.values.as_slice()) {
            (Test::Less(..), [a, b]) if self.has_steps() && (a * by - b).abs() <= self.step(by) => Is::Tied,
            (Test::Less(..), [a, b]) if a * by * self.tie < *b => Is::So,
            // Without ties, a case that is not less is false.
            (Test::Less(..), [a, b]) if self.tie == 1.0 || *a * by > b * self.tie => Is::NotSo,
            (Test::Less(..), _) => Is::Tied,
            (Test::Equal(..), [a, b]) => so((a - b).abs() <= EQUAL * a.abs().max(b.abs())),
            (Test::Within(_), [low, value, high]) => so(low <= value && value <= high),
            (Test::Constant(_), [value]) => {
                let is_same = |other: &Vec<f64>| other[0] <= value * self.tie && *value <= other[0] * self.tie;
                so(self.others.iter().all(is_same))
            }
            (Test::Alike(..), _) => {
                let signs = self.signs();
                if signs.contains(&Some(Ordering::Less)) && signs.contains(&Some(Ordering::Greater)) {
                    Is::NotSo
                } else if signs.contains(&None) {
                    Is::Tied
                } else {
                    Is::So
                }
            }
            _ => Is::Tied,
        }
    }

    fn has_steps(&self) -> bool {
        self.steps.iter().any(|step| *step > 0.0)
    }

    /// The difference that steps of the clock alone can make. The last digits are those of floating
    /// point.
    fn step(&self, by: f64) -> f64 {
        let [a, b] = [0, 1].map(|at| self.steps.get(at).copied().unwrap_or(0.0));
        (a * by + b) * (1.0 + 1e-9)
    }

    /// On each machine, whether the first is less or greater; `None` for a tie.
    fn signs(&self) -> Vec<Option<Ordering>> {
        let sign = |values: &Vec<f64>| match values.as_slice() {
            [a, b] if a * self.tie < *b => Some(Ordering::Less),
            [a, b] if *a > b * self.tie => Some(Ordering::Greater),
            _ => None,
        };
        [&self.values].into_iter().chain(&self.others).map(sign).collect()
    }

    /// The factors at which the result of the case changes.
    fn turns(&self) -> Vec<f64> {
        match (&self.case.test, self.values.as_slice()) {
            (Test::Less(..), [a, b]) if *a > 0.0 => {
                let [near, far] = [self.steps[0], self.steps[1]];
                let beyond = if near < *a { (b + far) / (a - near) } else { f64::INFINITY };
                vec![(b / a / self.tie).min((b - far) / (a + near)), (b / a * self.tie).max(beyond)]
            }
            _ => Vec::new(),
        }
    }

    fn shown(&self, by: f64) -> String {
        let sign = match (&self.case.test, self.is(by)) {
            (Test::Less(..), Is::So) => "<",
            (Test::Less(..), Is::NotSo) if self.values[0] < self.values[1] => "< (not enough)",
            (Test::Less(..), Is::NotSo) if self.values[0] > self.values[1] => ">",
            (Test::Less(..) | Test::Equal(..), Is::NotSo) if self.values[0] == self.values[1] => "=",
            (Test::Equal(..) | Test::Constant(_), Is::So) => "=",
            (Test::Equal(..) | Test::Constant(_), _) => "≠",
            (Test::Within(_), Is::So) => "≤",
            (Test::Within(_), _) => "not in",
            _ => "≈",
        };
        let value = |at: usize| readable(self.values[at], 4);
        let named = |at: usize| match &self.case.formulas()[at].formula {
            Formula::Number(_) => value(at),
            _ => format!("{} {}", self.case.formulas()[at].name, value(at)).trim().to_string(),
        };
        let text = match &self.case.test {
            Test::Alike(a, b) => {
                let pair = |values: &Vec<f64>| format!("{} and {}", readable(values[0], 3), readable(values[1], 3));
                let all: Vec<String> = [&self.values].into_iter().chain(&self.others).map(pair).collect();
                format!("{} and {}: {}", a.name, b.name, all.join(" | "))
            }
            Test::Constant(_) => {
                let all = [&self.values].into_iter().chain(&self.others);
                all.map(|values| readable(values[0], 4)).collect::<Vec<_>>().join(&format!(" {sign} "))
            }
            Test::Within(_) if sign == "≤" => format!("{} ≤ {} ≤ {}", value(0), value(1), value(2)),
            Test::Within(_) => format!("{} not in {} to {}", value(1), value(0), value(2)),
            _ => format!("{} {sign} {}", named(0), named(1)),
        };
        if self.case.label.is_empty() { text } else { format!("{}: {text}", self.case.label) }
    }

    /// The distance from the threshold, as a factor.
    fn distance(&self) -> f64 {
        match self.values.as_slice() {
            [a, b] if *a > 0.0 && *b > 0.0 => (b / a).ln().abs(),
            _ => 0.0,
        }
    }
}

fn so(is: bool) -> Is {
    if is { Is::So } else { Is::NotSo }
}

/// The most cases that are listed.
const SHOWN: usize = 6;

/// The cases, false ones first; only some if there are many.
fn evidence(found: &[Found<'_>], by: f64) -> String {
    let mut order: Vec<&Found<'_>> = found.iter().collect();
    if found.len() > SHOWN {
        // First evidence against it, then cases close to the threshold.
        order.sort_by(|a, b| {
            let rank = |one: &Found<'_>| [Is::NotSo, Is::Tied, Is::So].iter().position(|is| *is == one.is(by));
            rank(a).cmp(&rank(b)).then(a.distance().total_cmp(&b.distance()))
        });
    }
    let mut shown: Vec<String> = order.iter().take(SHOWN).map(|one| one.shown(by)).collect();
    if found.len() > SHOWN {
        shown.push(format!("and {} more", found.len() - SHOWN));
    }
    shown.join("; ")
}

/// At which other threshold the outcome would differ.
fn turns(claim: &Claim, found: &[Found<'_>]) -> String {
    let at = |by: f64| {
        let [so, not_so, _] = count(found.iter(), by);
        outcome(claim, [so, not_so]).map_or("not comparable", |outcome| outcome.name())
    };
    let now = at(claim.by);
    let mut all: Vec<f64> = found.iter().flat_map(Found::turns).collect();
    all.sort_by(f64::total_cmp);
    let (below, above): (Vec<f64>, Vec<f64>) = all.into_iter().partition(|factor| *factor < claim.by);
    let mut told = Vec::new();
    if let Some(factor) = above.iter().find(|factor| at(**factor * 1.000_001) != now) {
        told.push(format!("{} from a factor of {} on", at(factor * 1.000_001), significant(*factor, 3)));
    }
    if let Some(factor) = below.iter().rev().find(|factor| at(**factor * 0.999_999) != now) {
        told.push(format!("{} below a factor of {}", at(factor * 0.999_999), significant(*factor, 3)));
    }
    if let (Some(_), [so, not_so, _]) = (claim.share, count(found.iter(), claim.by)) {
        if so + not_so > 0 {
            told.push(format!("the share is {so} of {}", so + not_so));
        }
    }
    for one in found.iter().filter(|one| matches!(one.case.test, Test::Within(_))).take(1) {
        told.push(format!("otherwise with a bound beyond {}", readable(one.values[1], 4)));
    }
    told.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::Claims;
    use roadwire_layout::Rules;

    /// Claims whose factor stands in the text, as a reading's would.
    fn read(text: &str) -> Claims {
        let (by, rest): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("by = "));
        let mut claims = Claims::read(&rest.join("\n")).unwrap();
        by.iter().for_each(|line| claims.claims[0].by = line[5..].parse().unwrap());
        claims
    }

    /// A claim of this predicate over three messages, whose lengths, memory and times are given.
    fn judgement(predicate: &str, value: impl Fn(&str) -> f64) -> Judgement {
        let claim = format!("[[claims]]\nid = 'x'\nplace = 'VI'\ntext = 'y'\nfor = ['m']\n{predicate}");
        let claims = read(&format!("sets = {{ m = ['a', 'b', 'c'] }}\n{claim}"));
        let of = |quantity: &Quantity| {
            let (message, rules) = quantity.of_messages()[0];
            match value(&format!("{rules}/{message}")) {
                none if none.is_nan() => Err("none".to_string()),
                value => Ok(value),
            }
        };
        judge(&claims.claims[0], Figures::of(&of))
    }

    /// The first is 100 everywhere, the second is given.
    fn less(what: &str, others: [f64; 3], more: &str) -> Judgement {
        let rest = if what == "octets" { "" } else { ":encode:toed" };
        judgement(&format!("less = ['uper/{what}:{{m}}{rest}', 'tls/{what}:{{m}}{rest}']\n{more}"), |name| match name {
            "tls/a" => others[0],
            "tls/b" => others[1],
            "tls/c" => others[2],
            _ => 100.0,
        })
    }

    #[test]
    fn a_claim_holds_in_all_cases_in_part_or_not() {
        let of = |others| less("octets", others, "").outcome;
        assert_eq!(of([101.0, 102.0, 103.0]), Outcome::Holds);
        assert_eq!(of([101.0, 100.0, 103.0]), Outcome::HoldsInPart);
        assert_eq!(of([99.0, 100.0, 98.0]), Outcome::DoesNotHold);
        assert_eq!(of([f64::NAN; 3]), Outcome::NotComparable("none".into()));
        // A case without values is reported, and does not count.
        let two = less("octets", [101.0, f64::NAN, 102.0], "");
        assert_eq!((two.outcome, two.so, two.of, two.missing), (Outcome::Holds, 2, 2, 1));
    }

    #[test]
    fn ties_decide_nothing() {
        for (what, near, far) in [("time", 103.0, 103.1), ("memory", 110.0, 110.1)] {
            let of = |others: [f64; 3]| less(what, others, "");
            assert_eq!(of([near, 200.0, 200.0]).outcome, Outcome::Holds, "{what}");
            assert_eq!((of([near, 200.0, 50.0]).so, of([near, 200.0, 50.0]).ties), (1, 1), "{what}");
            assert_eq!(of([near, 200.0, 50.0]).outcome, Outcome::HoldsInPart, "{what}");
            assert_eq!(
                of([100.0; 3]).outcome,
                Outcome::NotComparable("none of the 3 cases shows a difference".into()),
                "{what}"
            );
            assert_eq!(of([far, near, near]).so, 1, "{what}");
            assert_eq!(of([1e4 / far, 1e4 / near, 1e4 / near]).of, 1, "{what}");
        }
        assert_eq!(less("octets", [100.0; 3], "").outcome, Outcome::DoesNotHold);
    }

    #[test]
    fn a_step_of_the_clock_is_a_tie() {
        let of = |first: f64, second: f64, by: &str| {
            let text = format!(
                "[[claims]]\nid = 'x'\nplace = ''\ntext = ''\nless = ['time:a:encode:toed', 'tls/time:a:encode:toed']\n{by}"
            );
            let claims = read(&text);
            let value =
                |quantity: &Quantity| Ok(if quantity.of_messages()[0].1 == Rules::Tls { second } else { first });
            let judged = judge(&claims.claims[0], Figures { steps: &|_| 10.0, ..Figures::of(&value) });
            [judged.so, judged.of - judged.so, judged.ties]
        };
        let [so, not_so, tie] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        assert_eq!([of(70.0, 80.0, ""), of(80.0, 70.0, ""), of(70.0, 70.0, "")], [tie, tie, tie]);
        assert_eq!([of(70.0, 90.0, ""), of(90.0, 70.0, "")], [so, not_so]);
        // A claim with a factor has no other tie: 120 and 130 may be one value.
        assert_eq!([of(100.0, 130.0, "by = 1.2"), of(100.0, 132.0, "by = 1.2")], [tie, so]);
        assert_eq!([of(100.0, 108.0, "by = 1.2"), of(100.0, 110.0, "by = 1.2")], [not_so, tie]);
    }

    /// Both times of a quotient are off by half a step.
    #[test]
    fn steps_of_the_clock_go_through_formulas() {
        let formula = Formula::parse("uper/time:a:encode:toed / tls/time:a:encode:toed", &Default::default()).unwrap();
        let value = |quantity: &Quantity| Ok(if quantity.of_messages()[0].1 == Rules::Tls { 50.0 } else { 100.0 });
        let off = moved(&formula, &value, &|_| 10.0);
        assert!((off - (5.0 / 50.0 + (100.0 / 45.0 - 100.0 / 55.0) / 2.0)).abs() < 1e-12, "{off}");
        assert_eq!(moved(&formula, &value, &|_| 0.0), 0.0);
    }

    #[test]
    fn a_factor_is_how_many_times_less_and_a_share_in_how_many_cases() {
        let of = |more: &str| less("octets", [150.0, 160.0, 90.0], more).outcome;
        assert_eq!(
            [of("by = 1.4"), of("by = 1.55"), of("by = 1.7")],
            [Outcome::HoldsInPart, Outcome::HoldsInPart, Outcome::DoesNotHold]
        );
        assert_eq!([of("share = [0.6, 1.0]"), of("share = [0.7, 1.0]")], [Outcome::Holds, Outcome::DoesNotHold]);
        assert_eq!(
            [of("share = [0.0, 0.5]"), of("by = 1.7\nshare = [0.0, 0.0]")],
            [Outcome::DoesNotHold, Outcome::Holds]
        );
    }

    #[test]
    fn where_our_threshold_decides_it_is_told_where_it_turns() {
        let of = |more: &str| less("octets", [150.0, 160.0, 170.0], more).turns;
        assert_eq!(of("by = 1.2\ntaken = 'much'"), "holds in part from a factor of 1.5 on");
        assert_eq!(
            of("by = 1.65\ntaken = 'much'"),
            "does not hold from a factor of 1.7 on; holds below a factor of 1.5"
        );
        assert_eq!(of("by = 2\ntaken = 'much'"), "holds in part below a factor of 1.7");
        assert_eq!(
            of("share = [0.5, 1.0]\ntaken = 'most'"),
            "does not hold from a factor of 1.6 on; the share is 3 of 3"
        );
        assert_eq!(of("by = 1.2"), "");
    }

    #[test]
    fn what_is_said_of_all_processors_takes_two_and_the_same_order_on_each() {
        let text =
            "[[claims]]\nid = 'x'\nplace = ''\ntext = ''\nalike = ['time:a:encode:toed', 'tls/time:a:encode:toed']";
        let claims = Claims::read(text).unwrap();
        let machine = |tls: f64| {
            move |quantity: &Quantity| Ok(if quantity.of_messages()[0].1 == Rules::Tls { tls } else { 100.0 })
        };
        let of = |others: &[Values<'_>]| {
            judge(&claims.claims[0], Figures { others, ..Figures::of(&machine(200.0)) }).outcome
        };
        assert!(matches!(of(&[]), Outcome::NotComparable(why) if why.contains("--with")));
        assert_eq!(
            [of(&[&machine(110.0)]), of(&[&machine(300.0), &machine(90.0)])],
            [Outcome::Holds, Outcome::DoesNotHold]
        );
        assert!(matches!(of(&[&machine(101.0)]), Outcome::NotComparable(_)));
    }

    #[test]
    fn what_is_independent_of_the_processor_is_the_same_on_each() {
        let text = "[[claims]]\nid = 'x'\nplace = ''\ntext = ''\nconstant = 'memory:a:encode:toed'";
        let claims = Claims::read(text).unwrap();
        let machine = |memory: f64| move |_: &Quantity| Ok(memory);
        let of = |others: &[Values<'_>]| judge(&claims.claims[0], Figures { others, ..Figures::of(&machine(100.0)) });
        assert!(matches!(of(&[]).outcome, Outcome::NotComparable(why) if why.contains("--with")));
        let [same, less, more] = [109.0, 90.0, 120.0].map(machine);
        assert_eq!(
            [of(&[&same]).outcome, of(&[&same, &less]).outcome, of(&[&more]).outcome],
            [Outcome::Holds, Outcome::DoesNotHold, Outcome::DoesNotHold]
        );
        assert_eq!(of(&[&same, &more]).evidence, "100 ≠ 109 ≠ 120");
    }

    #[test]
    fn rankings_equalities_and_bounds() {
        let ranking = |b: f64| {
            let of = move |name: &str| match name.split('/').next() {
                Some("uper") => 10.0,
                Some("tls") => b,
                _ => 30.0,
            };
            let found = judgement("ascending = ['octets:{m}', 'tls/octets:{m}', 'xer/octets:{m}']", of);
            (found.so, found.of)
        };
        assert_eq!([ranking(20.0), ranking(40.0), ranking(5.0)], [(9, 9), (6, 9), (6, 9)]);
        let of = |predicate: &str| judgement(predicate, |_| 41.0).outcome;
        assert_eq!(of("equal = ['octets:{m}', '41']"), Outcome::Holds);
        assert_eq!(of("equal = ['octets:{m}', '41.001']"), Outcome::DoesNotHold);
        assert_eq!(
            [of("within = ['41', 'octets:{m}', '41']"), of("within = ['42', 'octets:{m}', '43']")],
            [Outcome::Holds, Outcome::DoesNotHold]
        );
        assert_eq!(of(""), Outcome::NotComparable("it is not about a measured quantity".into()));
    }
}
