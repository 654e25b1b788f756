//! The paper's figures with its ten encodings, and ours with all: sums over X, and box plots.

use super::Certificates;
use super::exchange::{Experiment, Row};
use super::figure::{MS, Of};
use super::generator::Generator;
use super::spaced::THEIRS;
use roadwire_measure::plot::{BoxPlot, BoxRow, Line, LinePlot, Plot, Scale};

/// Nanoseconds of a microsecond.
const US: f64 = 1e3;

/// The paper's encodings, in the order of its Table I.
const PAPERS: [&str; 10] = ["tls", "uper", "aper", "der", "ber", "oer", "coer", "xer-theirs", "cxer", "exer-theirs"];

/// The end of the axes of Figures 2a and 2b, milliseconds.
const END: f64 = 0.1;

/// Whose figure it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Papers,
    Ours,
}

impl Whose {
    fn title(self, number: &str, what: &str) -> String {
        match self {
            Whose::Papers => format!("Figure {number} of the paper: {what}"),
            Whose::Ours => format!("Ours, beside Figure {number}: {}, all encodings", what.to_lowercase()),
        }
    }

    fn file(self, number: &str) -> String {
        match self {
            Whose::Papers => format!("certificates-{number}.svg"),
            Whose::Ours => format!("certificates-ours-{number}.svg"),
        }
    }

    /// An experiment's encodings, the paper's in its order.
    fn rows(self, experiment: &Experiment) -> Vec<&Row> {
        match self {
            Whose::Papers => {
                PAPERS.iter().filter_map(|rules| experiment.rows.iter().find(|row| row.rules == *rules)).collect()
            }
            Whose::Ours => experiment.rows.iter().collect(),
        }
    }
}

impl Certificates {
    /// File names and plots.
    pub(super) fn all_pictures(&self) -> Vec<(String, Plot)> {
        let mut figures = Vec::new();
        for (number, of, what) in [
            ("1a", Of::Encode, "Evolution of the sum of encoding times"),
            ("1b", Of::Decode, "Evolution of the sum of decoding times"),
        ] {
            for whose in [Whose::Papers, Whose::Ours] {
                figures.push((whose.file(number), self.sums(whose, of, whose.title(number, what)).into()));
            }
        }
        let Some(largest) = self.largest() else {
            return figures;
        };
        for (number, of, what) in [
            ("2a", Of::Encode, "Boxplot of encoding time"),
            ("2b", Of::Decode, "Boxplot of decoding time"),
            ("2c", Of::Octets, "Boxplot of size"),
        ] {
            for whose in [Whose::Papers, Whose::Ours] {
                let plot = self.boxes(whose, largest, of, whose.title(number, what));
                figures.push((whose.file(number), plot.into()));
            }
        }
        if let Some(uniform) = self.experiments.iter().find(|e| e.generator == Generator::Uniform) {
            let title = "Ours: size over the whole schema, all encodings".into();
            let plot = self.boxes(Whose::Ours, uniform, Of::Octets, title);
            figures.push(("certificates-uniform-size.svg".into(), plot.into()));
        }
        figures
    }

    fn sums(&self, whose: Whose, of: Of, title: String) -> LinePlot {
        let mut lines: Vec<Line> = Vec::new();
        for experiment in self.series() {
            for row in whose.rows(experiment) {
                let Some(sum) = self.sum(&row.rules, of, experiment.certificates) else { continue };
                let point = (experiment.certificates as f64, sum / MS);
                let name = label(&row.rules);
                match lines.iter_mut().find(|line| line.name == name) {
                    Some(line) => line.points.push(point),
                    None => lines.push(Line { name, points: vec![point] }),
                }
            }
        }
        let machine = &self.run.machine.cpu;
        let mut notes =
            vec![format!("This run is on {machine}; a sum over few certificates is the median of repetitions.")];
        if whose == Whose::Papers {
            let axes = "The paper has X from 10 to 10⁶; what its axes are like is not in the text that we have: here logarithmic.";
            notes.push(axes.into());
            notes.extend(self.largest().and_then(missing));
        }
        LinePlot {
            title,
            x: "certificates (X)".into(),
            y: "sum of times, ms".into(),
            scale: Scale::Logarithmic,
            lines,
            notes,
        }
    }

    fn boxes(&self, whose: Whose, experiment: &Experiment, of: Of, title: String) -> BoxPlot {
        let is_papers = whose == Whose::Papers;
        let end = (is_papers && of != Of::Octets).then_some(END);
        let (unit, x, decimals) = match (of, end) {
            (Of::Octets, _) => (1.0, "octets (logarithmic)", 0),
            (_, Some(_)) => (MS, "ms, clock included", 5),
            (_, None) => (US, "µs (logarithmic), clock included", 3),
        };
        let row = |row: &Row| {
            let spread = of.spread(row)?;
            Some(BoxRow {
                name: label(&row.rules),
                min: spread.min / unit,
                q1: spread.q1 / unit,
                median: spread.median / unit,
                q3: spread.q3 / unit,
                max: spread.max / unit,
                more: (!is_papers).then_some((spread.p99 / unit, spread.mean / unit)),
            })
        };
        let rows: Vec<BoxRow> = whose.rows(experiment).into_iter().filter_map(row).collect();
        let machine = &self.run.machine.cpu;
        let mut notes = vec![format!("This run is of {} certificates, on {machine}.", experiment.certificates)];
        if is_papers {
            let shown = match end {
                Some(_) => "it shows only the interval [0, 0.1] ms, and so does this one.",
                None => {
                    "its axis is not in the text that we have: here logarithmic. XER and EXER have the white space of the paper's encoder here."
                }
            };
            notes.push(format!("The paper's figure is of 10⁶ certificates; {shown}"));
            notes.extend(end.map(|end| beyond(&rows, end)));
            notes.extend(missing(experiment));
        }
        BoxPlot { title, x: x.into(), end, decimals, rows, notes }
    }
}

/// Names the values beyond the end of a linear axis.
fn beyond(rows: &[BoxRow], end: f64) -> String {
    let named = |value: fn(&BoxRow) -> f64| -> Vec<String> {
        let outside = rows.iter().filter(|row| value(row) > end);
        outside.map(|row| format!("{} {:.3}", row.name, value(row))).collect()
    };
    let quarter = match named(|row| row.q3).as_slice() {
        [] => "Three quarters of the values of every encoding are inside.".into(),
        some => {
            format!("More than a quarter of the values are outside with (third quartile, ms): {}.", some.join(", "))
        }
    };
    match named(|row| row.max).as_slice() {
        [] => "No value is outside.".into(),
        some => format!("{quarter} Outside is the greatest value (ms) of: {}.", some.join(", ")),
    }
}

/// Which of the paper's encodings are missing in an experiment.
fn missing(experiment: &Experiment) -> Option<String> {
    let has = |rules: &&&str| experiment.rows.iter().any(|row| row.rules == ***rules);
    let names: Vec<String> = PAPERS.iter().filter(|rules| !has(rules)).map(|rules| label(rules)).collect();
    (!names.is_empty()).then(|| format!("Not measured in this run: {}.", names.join(", ")))
}

fn label(rules: &str) -> String {
    match rules {
        "aper" => "PER".into(),
        "tls" => "Binary".into(),
        _ => match rules.strip_suffix(THEIRS) {
            Some(base) => format!("{}, as theirs", base.to_uppercase()),
            None => rules.to_uppercase(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::studies::certificates::sample;

    /// All encodings of the paper and two more, in another order; EXER, as theirs, takes 0.12 ms,
    /// the others 1 µs.
    fn figures() -> Vec<(String, String)> {
        let time = |rules: &str| if rules == "exer-theirs" { 120_000 } else { 1000 };
        let rules = ["jer", "protobuf"].into_iter().chain(PAPERS.into_iter().rev());
        sample::study(rules.map(|rules| sample::row(rules, 180..200, time(rules))).collect())
            .all_pictures()
            .into_iter()
            .map(|(name, plot)| (name, plot.svg()))
            .collect()
    }

    /// All texts of an SVG.
    fn texts(svg: &str) -> Vec<&str> {
        let lines = svg.lines().filter(|line| line.starts_with("<text"));
        lines.filter_map(|line| line.split_once('>')?.1.strip_suffix("</text>")).collect()
    }

    /// Which encodings have a label.
    fn encodings(svg: &str) -> Vec<&str> {
        let is_one = |text: &&str| PAPERS.iter().chain(&["jer", "protobuf"]).any(|rules| label(rules) == **text);
        texts(svg).into_iter().filter(is_one).collect()
    }

    #[test]
    fn the_papers_figures_have_their_number_and_the_ten_encodings_only() {
        let figures = figures();
        let names: Vec<&str> = figures.iter().map(|(name, _)| name.as_str()).collect();
        let numbers = ["1a", "1b", "2a", "2b", "2c"];
        let files =
            numbers.map(|number| [format!("certificates-{number}.svg"), format!("certificates-ours-{number}.svg")]);
        assert_eq!(names, files.concat());
        for (number, pair) in numbers.into_iter().zip(figures.chunks(2)) {
            let [(_, theirs), (_, ours)] = pair else { unreachable!() };
            assert!(theirs.contains(&format!(">Figure {number} of the paper: ")), "{theirs}");
            assert!(ours.contains(&format!(">Ours, beside Figure {number}: ")) && !ours.contains(">Figure"));
            assert_eq!((encodings(theirs).len(), encodings(ours).len()), (10, 12), "{number}");
            assert!(!encodings(theirs).contains(&"JER"));
        }
        assert_eq!(encodings(&figures[4].1)[..3], ["Binary", "UPER", "PER"], "in the paper's order");
    }

    #[test]
    fn times_have_the_papers_interval_and_what_is_outside_is_told() {
        let figures = figures();
        let (_, svg) = &figures[4];
        assert!(svg.contains(">0.1<") && svg.contains(">0.02<") && !svg.contains(">0.2<"), "linear, to 0.1 ms");
        let text = texts(svg).join(" ");
        assert!(text.contains("Outside is the greatest value (ms) of: EXER, as theirs 0.120."), "{text}");
        assert!(text.contains("outside with (third quartile, ms): EXER, as theirs 0.120."), "{text}");
        assert!(!svg.contains("diamond") && figures[5].1.contains("diamond"));
    }

    #[test]
    fn an_encoding_that_was_not_measured_is_named() {
        let study = sample::study(vec![sample::row("uper", 180..200, 1000)]);
        let missing =
            "Not measured in this run: Binary, PER, DER, BER, OER, COER, XER, as theirs, CXER, EXER, as theirs.";
        let figures = study.all_pictures();
        assert_eq!(figures.iter().filter(|(_, plot)| texts(&plot.svg()).join(" ").contains(missing)).count(), 5);
    }
}
