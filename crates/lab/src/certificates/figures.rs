//! The paper's figures: sums over X, and box plots.

use super::Certificates;
use super::exchange::Row;
use super::figure::{MS, Of};
use super::generator::Generator;
use crate::plot::{BoxPlot, BoxRow, Line, LinePlot};

/// Nanoseconds of a microsecond.
const US: f64 = 1e3;

impl Certificates {
    /// File names and SVG.
    pub fn figures(&self) -> Vec<(String, String)> {
        let mut figures = vec![
            ("certificates-1a.svg".into(), self.sums(Of::Encode, "Encoding: sum of times").svg()),
            ("certificates-1b.svg".into(), self.sums(Of::Decode, "Decoding: sum of times").svg()),
        ];
        let Some(largest) = self.largest() else {
            return figures;
        };
        let title = |what: &str, n: u64| format!("{what}, {n} certificates");
        let n = largest.certificates;
        let plots = [
            ("2a", boxes(&largest.rows, Of::Encode, title("Encoding time", n))),
            ("2b", boxes(&largest.rows, Of::Decode, title("Decoding time", n))),
            ("2c", boxes(&largest.rows, Of::Octets, title("Size", n))),
        ];
        figures.extend(plots.map(|(name, plot)| (format!("certificates-{name}.svg"), plot.svg())));
        if let Some(uniform) = self.experiments.iter().find(|e| e.generator == Generator::Uniform) {
            let title = title("Size over the whole schema", uniform.certificates);
            figures.push(("certificates-uniform-size.svg".into(), boxes(&uniform.rows, Of::Octets, title).svg()));
        }
        figures
    }

    fn sums(&self, of: Of, title: &str) -> LinePlot {
        let mut lines: Vec<Line> = Vec::new();
        for experiment in self.series() {
            for row in &experiment.rows {
                let Some(spread) = of.spread(row) else { continue };
                let point = (experiment.certificates as f64, spread.sum / MS);
                let name = label(&row.rules);
                match lines.iter_mut().find(|line| line.name == name) {
                    Some(line) => line.points.push(point),
                    None => lines.push(Line { name, points: vec![point] }),
                }
            }
        }
        LinePlot { title: title.into(), x: "certificates (X)".into(), y: "sum of times, ms".into(), lines }
    }
}

fn boxes(rows: &[Row], of: Of, title: String) -> BoxPlot {
    let (unit, x, decimals) = match of {
        Of::Octets => (1.0, "octets", 0),
        Of::Encode | Of::Decode => (US, "µs, clock included", 3),
    };
    let rows = rows
        .iter()
        .filter_map(|row| {
            let spread = of.spread(row)?;
            Some(BoxRow {
                name: label(&row.rules),
                min: spread.min / unit,
                q1: spread.q1 / unit,
                median: spread.median / unit,
                q3: spread.q3 / unit,
                p99: spread.p99 / unit,
                max: spread.max / unit,
                mean: spread.mean / unit,
            })
        })
        .collect();
    BoxPlot { title, x: x.into(), decimals, rows }
}

fn label(rules: &str) -> String {
    match rules {
        "aper" => "PER".into(),
        "tls" => "Binary".into(),
        _ => rules.to_uppercase(),
    }
}
