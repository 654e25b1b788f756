//! Lines over an x, with a label at the end of each.

use serde::Serialize;

use super::axis::{Across, LinearAxis, LogAxis, number};
use super::svg::{Anchor, DASHES, Svg};

/// One series.
#[derive(Serialize)]
pub struct Line {
    /// Its label.
    pub name: String,
    /// Its points, x ascending.
    pub points: Vec<(f64, f64)>,
}

/// How numbers become places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Both axes are logarithmic.
    Logarithmic,
    /// Both axes are linear, from zero.
    Linear,
}

impl Scale {
    fn axis(self, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Across {
        match self {
            Scale::Logarithmic => Across::Log(LogAxis::new(values, from, to)),
            Scale::Linear => Across::Linear(LinearAxis::new(values, from, to)),
        }
    }
}

/// Series over common axes.
#[derive(Serialize)]
pub struct LinePlot {
    /// Its title.
    pub title: String,
    /// Label of the x axis.
    pub x: String,
    /// Label of the y axis.
    pub y: String,
    /// The scale of both axes.
    pub scale: Scale,
    /// The series.
    pub lines: Vec<Line>,
    /// Notes below it.
    pub notes: Vec<String>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 500.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 620.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 440.0;
/// Radius of markers.
const MARKER: f64 = 4.0;
/// Least distance between labels.
const LABEL: f64 = 15.0;

impl LinePlot {
    /// The SVG file.
    pub fn svg(&self) -> String {
        let mut svg = Svg::new(WIDTH, HEIGHT, &self.title, &self.notes);
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let x = self.scale.axis(points().map(|p| p.0), LEFT, RIGHT);
        let y = self.scale.axis(points().map(|p| p.1), BOTTOM, TOP);
        grid(&mut svg, &y);
        x.draw_below(&mut svg, TOP, BOTTOM, &self.x);
        let middle = (TOP + BOTTOM) / 2.0;
        svg.styled_text(
            (20.0, middle),
            Anchor::Middle,
            13.0,
            &format!("transform=\"rotate(-90 20 {middle:.1})\""),
            &self.y,
        );
        for (i, line) in self.lines.iter().enumerate() {
            let places: Vec<(f64, f64)> = line.points.iter().map(|p| (x.place(p.0), y.place(p.1))).collect();
            let dash = DASHES[i % DASHES.len()];
            svg.polyline(&places, &format!("stroke=\"black\" stroke-width=\"1.2\" stroke-dasharray=\"{dash}\""));
            for place in places {
                svg.marker(place, MARKER, i);
            }
        }
        self.labels(&mut svg, &y);
        svg.finish()
    }

    /// Labels right of the last points, moved apart, each with its marker and a thin line to its
    /// point.
    fn labels(&self, svg: &mut Svg, y: &Across) {
        let mut labels: Vec<(f64, usize)> =
            self.lines.iter().enumerate().filter_map(|(i, line)| Some((y.place(line.points.last()?.1), i))).collect();
        labels.sort_by(|a, b| a.0.total_cmp(&b.0));
        let ends: Vec<f64> = labels.iter().map(|l| l.0).collect();
        for ((place, i), end) in apart(&ends).into_iter().zip(labels.iter().map(|l| l.1)).zip(&ends) {
            svg.line((RIGHT + 6.0, *end), (RIGHT + 28.0, place), "stroke=\"#888\" stroke-width=\"0.7\"");
            svg.marker((RIGHT + 36.0, place), MARKER, i);
            svg.text((RIGHT + 46.0, place + 4.0), Anchor::Start, 12.0, &self.lines[i].name);
        }
    }
}

/// Lines across at the ticks of `y`.
fn grid(svg: &mut Svg, y: &Across) {
    let (named, plain) = y.ticks();
    for value in &plain {
        svg.line((LEFT - 3.0, y.place(*value)), (LEFT, y.place(*value)), "stroke=\"black\"");
    }
    for value in &named {
        let place = y.place(*value);
        svg.line((LEFT, place), (RIGHT, place), "stroke=\"#ccc\"");
        svg.line((LEFT - 6.0, place), (LEFT, place), "stroke=\"black\"");
        svg.text((LEFT - 9.0, place + 4.0), Anchor::End, 12.0, &number(*value));
    }
}

/// Moves ascending places to at least [`LABEL`] from each other, staying inside the plot as far as
/// they fit.
fn apart(places: &[f64]) -> Vec<f64> {
    let mut moved: Vec<f64> = Vec::with_capacity(places.len());
    for place in places {
        let least = moved.last().map_or(f64::MIN, |last| last + LABEL);
        moved.push(place.max(least));
    }
    let mut limit = BOTTOM;
    for place in moved.iter_mut().rev() {
        *place = place.min(limit);
        limit = *place - LABEL;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_never_overlap() {
        let moved = apart(&[100.0, 101.0, 101.5, 300.0, 436.0, 438.0, 440.0]);
        assert!(moved.windows(2).all(|pair| pair[1] - pair[0] >= LABEL - 1e-9), "{moved:?}");
        assert!(moved.iter().all(|place| *place <= BOTTOM));
    }

    #[test]
    fn text_is_escaped_and_every_series_is_named() {
        let line = |name: &str| Line { name: name.into(), points: vec![(10.0, 1.0), (100.0, 9.0)] };
        let plot = LinePlot {
            title: "a < b & c".into(),
            x: "x".into(),
            y: "y".into(),
            scale: Scale::Logarithmic,
            lines: vec![line("COER"), line("UPER")],
            notes: Vec::new(),
        };
        let svg = plot.svg();
        assert!(svg.contains("a &lt; b &amp; c") && svg.contains(">COER<") && svg.contains(">UPER<"));
        assert_eq!(svg.matches("<polyline").count(), 2);
        // From the first tick of a logarithmic axis, 10, or from zero.
        assert!(svg.contains("points=\"78.0,440.0"), "{svg}");
        let svg = LinePlot { scale: Scale::Linear, ..plot }.svg();
        assert!(svg.contains("points=\"132.2,400.8"), "{svg}");
    }
}
