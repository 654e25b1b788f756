//! What the paper says of its figures, sentence by sentence, held against ours.

use super::Certificates;
use super::figure::Of;

/// A sentence of the paper, and what our measurements say of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Where the paper says it.
    pub place: &'static str,
    /// What it says.
    pub text: &'static str,
    /// `holds`, `does not hold`, `depends`, `not comparable` or `not yet measured`.
    pub verdict: &'static str,
    /// What we measured.
    pub evidence: String,
}

/// The paper's order by encoding time, shortest first.
const ENCODE: [&str; 9] = ["coer", "oer", "uper", "der", "ber", "aper", "cxer", "xer", "exer"];
/// By decoding time.
const DECODE: [&str; 9] = ["coer", "der", "oer", "uper", "ber", "aper", "cxer", "xer", "exer"];
/// Times closer than this are not told apart: what code placement alone can make.
const TIE: f64 = 1.03;
const XML: [&str; 3] = ["xer", "cxer", "exer"];

/// All claims that our measurements can speak to.
pub fn claims(study: &Certificates) -> Vec<Claim> {
    let look = Look(study);
    let claim = |place, text, found: Found| {
        // Sizes are in V-C; everything else is of times.
        let found = if place == "V-C" { found } else { look.comparable(found) };
        Claim { place, text, verdict: found.0, evidence: found.1 }
    };
    vec![
        claim("V-C", "UPER gives the smallest certificate", look.smallest("uper")),
        claim("V-C", "PER takes 5 octets more than UPER, for every certificate", look.apart("aper", "uper", 5.0)),
        claim("V-C", "OER takes 11 octets more than UPER, for every certificate", look.apart("oer", "uper", 11.0)),
        claim("V-C", "COER and OER take the same", look.apart("coer", "oer", 0.0)),
        claim("V-C", "DER and BER take the same", look.apart("ber", "der", 0.0)),
        claim(
            "V-C",
            "after them come CXER, EXER and, largest of all, XER",
            look.sizes_ascend(&["der", "cxer", "exer", "xer"]),
        ),
        claim("V-A", "COER encodes fastest", look.fastest(Of::Encode, "coer")),
        claim("V-B", "COER decodes fastest", look.fastest(Of::Decode, "coer")),
        claim("V-A", "encoding: COER, OER, UPER, DER, BER, PER, CXER, XER, EXER", look.order(Of::Encode, &ENCODE)),
        claim("V-B", "decoding: COER, DER, OER, UPER, BER, PER, CXER, XER, EXER", look.order(Of::Decode, &DECODE)),
        claim("V-A", "encoding times are two groups: XML and the rest", look.groups(Of::Encode)),
        claim("V-A", "UPER varies least in encoding time (it is the most stable)", look.steadiest(Of::Encode, "uper")),
        claim("V-B", "UPER varies least in decoding time", look.steadiest(Of::Decode, "uper")),
        claim("V-A", "up to 10³ certificates the sums are close; differences begin at 10³", look.spread_of_sums()),
        claim("V-D", "by octets per millisecond XER is the fastest encoder", look.speed(Of::Encode)),
        claim("V-D", "by octets per millisecond XER is the fastest decoder", look.speed(Of::Decode)),
        claim("VI", "some ASN.1 encodings perform better than the binary format", look.better_than("tls")),
    ]
}

/// Verdict and evidence.
type Found = (&'static str, String);

fn not_yet(what: &str) -> Found {
    ("not yet measured", format!("no codec: {what}"))
}

/// Whether the paper has it.
fn is_ranked(rules: &str) -> bool {
    rules == "tls" || ENCODE.contains(&rules)
}

fn holds(yes: bool) -> &'static str {
    if yes { "holds" } else { "does not hold" }
}

/// Two ways to measure a time may answer differently.
fn both(exchange: bool, batches: bool) -> &'static str {
    if exchange == batches { holds(exchange) } else { "depends" }
}

struct Look<'a>(&'a Certificates);

impl Look<'_> {
    /// Times of straight-line code and of an interpreter say nothing of the encodings between them.
    fn comparable(&self, found: Found) -> Found {
        let shares = |b: &super::Batched| [b.straight_encode, b.straight_decode];
        let (low, high) = self
            .0
            .batched
            .iter()
            .filter(|b| b.generator == super::Generator::Fitted && is_ranked(&b.rules))
            .flat_map(shares)
            .flatten()
            .fold((1.0f64, 0.0f64), |(low, high), share| (low.min(share), high.max(share)));
        if found.0 == "not yet measured" || high - low < 0.5 {
            return found;
        }
        ("not comparable", format!("some of them are straight-line code here, others interpreted; {}", found.1))
    }

    fn octets(&self, rules: &str) -> Option<f64> {
        Some(self.0.row(rules)?.octets.as_ref()?.mean)
    }

    /// Median of the exchange, nanoseconds. The paper ranks by means, which the few interrupted calls make.
    fn time(&self, of: Of, rules: &str) -> Option<f64> {
        Some(of.spread(self.0.row(rules)?)?.median)
    }

    /// Median of the batches, nanoseconds.
    fn batch(&self, of: Of, rules: &str) -> Option<f64> {
        let batch = self.0.batch(rules)?;
        Some(if of == Of::Decode { batch.decode.as_ref()? } else { batch.encode.as_ref()? }.median)
    }

    /// Those of `rules` that are measured, by a figure, least first.
    fn ranking<'r>(&self, rules: &[&'r str], by: impl Fn(&str) -> Option<f64>) -> Vec<(&'r str, f64)> {
        let mut ranking: Vec<(&str, f64)> = rules.iter().filter_map(|r| Some((*r, by(r)?))).collect();
        ranking.sort_by(|a, b| a.1.total_cmp(&b.1));
        ranking
    }

    fn smallest(&self, rules: &str) -> Found {
        let ranking = self.ranking(&ENCODE, |r| self.octets(r));
        match ranking.as_slice() {
            [] | [_] => not_yet("nothing to compare with"),
            [first, second, ..] => {
                (holds(first.0 == rules), format!("{} {:.1}, {} {:.1} octets", first.0, first.1, second.0, second.1))
            }
        }
    }

    /// Whether one of the encodings with nothing but octets in it is at least as small, and quicker both ways in batches.
    fn better_than(&self, rules: &str) -> Found {
        let figures =
            |rules| Some([self.octets(rules)?, self.batch(Of::Encode, rules)?, self.batch(Of::Decode, rules)?]);
        let Some(theirs) = figures(rules) else {
            return not_yet(rules);
        };
        let others: Vec<(&str, [f64; 3])> =
            ENCODE.iter().filter(|r| !XML.contains(r)).filter_map(|r| Some((*r, figures(r)?))).collect();
        let better = |ours: &[f64; 3]| ours.iter().zip(&theirs).all(|(ours, theirs)| ours <= theirs);
        let shown = |(rules, [octets, encode, decode]): &(&str, [f64; 3])| {
            format!("{rules} {octets:.1} octets, {encode:.0} and {decode:.0} ns")
        };
        let evidence: Vec<String> = [(rules, theirs)].iter().chain(&others).map(shown).collect();
        (holds(others.iter().any(|(_, ours)| better(ours))), evidence.join("; "))
    }

    fn apart(&self, more: &str, less: &str, octets: f64) -> Found {
        let spread = |rules: &str| self.0.row(rules)?.octets.clone();
        let Some((more_octets, less_octets)) = spread(more).zip(spread(less)) else {
            return not_yet(if spread(more).is_none() { more } else { less });
        };
        let by = more_octets.mean - less_octets.mean;
        // The same difference for every certificate leaves the variance alone.
        let steady = (more_octets.variance - less_octets.variance).abs() < 1e-6;
        let evidence = format!("{by:.4} octets on average, variances {}", if steady { "equal" } else { "not equal" });
        (holds((by - octets).abs() < 1e-9 && steady), evidence)
    }

    fn sizes_ascend(&self, rules: &[&str]) -> Found {
        let sizes: Option<Vec<f64>> = rules.iter().map(|r| self.octets(r)).collect();
        let Some(sizes) = sizes else {
            return not_yet("not all of them");
        };
        let shown: Vec<String> = rules.iter().zip(&sizes).map(|(r, octets)| format!("{r} {octets:.1}")).collect();
        let evidence = format!(
            "{}; white space, which BASIC-XER and EXER may have anywhere, is not written here",
            shown.join(", ")
        );
        (holds(sizes.windows(2).all(|pair| pair[0] < pair[1])), evidence)
    }

    fn fastest(&self, of: Of, rules: &str) -> Found {
        if self.time(of, rules).is_none() {
            return not_yet(rules);
        }
        let first = |ranking: Vec<(&'static str, f64)>| ranking.first().copied();
        let exchange = first(self.ranking(&ENCODE, |r| self.time(of, r)));
        let batches = first(self.ranking(&ENCODE, |r| self.batch(of, r)));
        let Some((exchange, batches)) = exchange.zip(batches) else {
            return not_yet("nothing");
        };
        let (own, own_batched) = (self.time(of, rules).unwrap_or(0.0), self.batch(of, rules).unwrap_or(0.0));
        let evidence = format!(
            "exchange {} with {:.0} ns ({rules} {own:.0}), batches {} with {:.0} ns ({rules} {own_batched:.0})",
            exchange.0, exchange.1, batches.0, batches.1
        );
        (both(own <= exchange.1 * TIE, own_batched <= batches.1 * TIE), evidence)
    }

    /// A whole ranking: how many of its pairs are in the same order here, or not told apart.
    fn order(&self, of: Of, paper: &[&'static str]) -> Found {
        let agreement = |ranking: &[(&str, f64)]| {
            let place = |rules: &str| paper.iter().position(|p| *p == rules);
            let pairs = ranking.iter().enumerate().flat_map(|(i, a)| ranking[i + 1..].iter().map(move |b| (a, b)));
            pairs.fold((0, 0), |(same, all), (a, b)| {
                (same + usize::from(place(a.0) < place(b.0) || b.1 <= a.1 * TIE), all + 1)
            })
        };
        let exchange = self.ranking(paper, |r| self.time(of, r));
        let batches = self.ranking(paper, |r| self.batch(of, r));
        if exchange.len() < 2 {
            return not_yet("nothing to compare with");
        }
        let ((same, all), (same_batched, _)) = (agreement(&exchange), agreement(&batches));
        let names: Vec<&str> = batches.iter().map(|b| b.0).collect();
        let evidence = format!(
            "pairs in the paper's order or within 3 %: {same} of {all} by the exchange, {same_batched} by batches ({})",
            names.join(", ")
        );
        (both(same == all, same_batched == all), evidence)
    }

    fn groups(&self, of: Of) -> Found {
        let slowest = self.ranking(&ENCODE[..6], |r| self.batch(of, r)).last().copied();
        let fastest = self.ranking(&XML, |r| self.batch(of, r)).first().copied();
        let Some((slowest, fastest)) = slowest.zip(fastest) else {
            return not_yet("XML");
        };
        let evidence = format!(
            "slowest of the rest {} {:.0} ns, fastest of XML {} {:.0} ns (batches)",
            slowest.0, slowest.1, fastest.0, fastest.1
        );
        (holds(slowest.1 < fastest.1), evidence)
    }

    fn steadiest(&self, of: Of, rules: &str) -> Found {
        let ranking = self.ranking(&ENCODE, |r| Some(of.spread(self.0.row(r)?)?.sd));
        let Some(own) = ranking.iter().find(|r| r.0 == rules).copied() else {
            return not_yet(rules);
        };
        match ranking.first() {
            Some(first) if ranking.len() > 1 => {
                let evidence = format!(
                    "least SD {} {:.0} ns, {rules} {:.0} ns; an SD is made by the few interrupted calls",
                    first.0, first.1, own.1
                );
                (holds(first.0 == rules), evidence)
            }
            _ => not_yet("nothing to compare with"),
        }
    }

    /// The greatest sum by the least, for the least and the largest X.
    fn spread_of_sums(&self) -> Found {
        let ratio = |experiment: &super::Experiment| {
            let sums = experiment.rows.iter().filter_map(|row| Some(row.encode.as_ref()?.sum));
            let (low, high) = sums.fold((f64::INFINITY, 0.0f64), |(low, high), s| (low.min(s), high.max(s)));
            (high / low, experiment.certificates)
        };
        let series: Vec<(f64, u64)> = self.0.series().map(ratio).collect();
        match (series.first(), series.last()) {
            (Some(first), Some(last)) if series.len() > 1 && first.0.is_finite() && first.0 > 1.0 => {
                let evidence = format!(
                    "the slowest sum is {:.1} times the fastest at X = {}, {:.1} times at {}; on a linear axis small sums look equal",
                    first.0, first.1, last.0, last.1
                );
                (holds(first.0 < 1.0 + (last.0 - 1.0) / 4.0), evidence)
            }
            _ => not_yet("nothing to compare with"),
        }
    }

    fn speed(&self, of: Of) -> Found {
        if self.time(of, "xer").is_none() {
            return not_yet("xer");
        }
        let speed = |r: &str| Some(-self.octets(r)? / self.time(of, r)?);
        let ranking = self.ranking(&ENCODE, speed);
        let shown: Vec<String> =
            ranking.iter().take(3).map(|(r, speed)| format!("{r} {:.0}", -speed * 1000.0)).collect();
        let first = ranking.first().map_or("", |r| r.0);
        (holds(first == "xer"), format!("octets/µs: {}; it counts octets that nobody needs", shown.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificates::sample;

    fn verdict(study: &Certificates, words: &str) -> &'static str {
        claims(study).iter().find(|claim| claim.text.contains(words)).map_or("no such claim", |claim| claim.verdict)
    }

    #[test]
    fn a_difference_holds_only_if_every_certificate_has_it() {
        let lengths = || (0..100).map(|i| 150 + i % 7);
        let uper = || sample::row("uper", lengths(), 100);
        let five = sample::row("aper", lengths().map(|octets| octets + 5), 100);
        assert_eq!(verdict(&sample::study(vec![uper(), five]), "PER takes 5"), "holds");
        // Five on average, and not for each.
        let about_five =
            sample::row("aper", lengths().enumerate().map(|(i, octets)| octets + 4 + i as u64 % 2 * 2), 100);
        assert_eq!(verdict(&sample::study(vec![uper(), about_five]), "PER takes 5"), "does not hold");
        assert_eq!(verdict(&sample::study(vec![uper()]), "PER takes 5"), "not yet measured");
    }

    #[test]
    fn times_within_the_tie_are_not_told_apart() {
        let study = |coer, oer| {
            let row = |rules, time| sample::row(rules, [200].into_iter(), time);
            sample::study(vec![row("coer", coer), row("oer", oer), row("xer", 9000)])
        };
        assert_eq!(verdict(&study(1000, 1100), "COER encodes fastest"), "holds");
        assert_eq!(verdict(&study(1020, 1000), "COER encodes fastest"), "holds");
        assert_eq!(verdict(&study(1100, 1000), "COER encodes fastest"), "does not hold");
        assert_eq!(verdict(&study(1000, 1100), "encoding: COER, OER"), "holds");
        assert_eq!(verdict(&study(1100, 1000), "encoding: COER, OER"), "does not hold");
        assert_eq!(verdict(&study(1100, 1000), "two groups"), "holds");
        let mut interpreted = study(1100, 1000);
        interpreted.batched[0].straight_encode = Some(0.0);
        assert_eq!(verdict(&interpreted, "COER encodes fastest"), "not comparable");
        assert_eq!(verdict(&interpreted, "COER and OER take the same"), "holds");
        let mut unlike = study(1000, 1100);
        unlike.batched.swap(0, 1);
        unlike.batched[0].rules = "coer".into();
        unlike.batched[1].rules = "oer".into();
        assert_eq!(verdict(&unlike, "COER encodes fastest"), "depends");
    }
}
