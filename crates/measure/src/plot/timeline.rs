//! Events second by second: strips of bars with a common time, one below the other.

use serde::Serialize;

use super::axis::{Across, LinearAxis, number};
use super::svg::{Anchor, Svg};

/// One strip.
#[derive(Serialize)]
pub struct Strip {
    /// Its label.
    pub name: String,
    /// A value for each step of time.
    pub values: Vec<f64>,
}

/// Strips over a common time.
#[derive(Serialize)]
pub struct Timeline {
    /// Its title.
    pub title: String,
    /// Label of the time, with its unit.
    pub x: String,
    /// How long a step is, in that unit.
    pub step: f64,
    /// Whether all strips have the scale of the greatest; otherwise each has its own.
    pub common: bool,
    /// The strips, from the top.
    pub strips: Vec<Strip>,
    /// Notes below it.
    pub notes: Vec<String>,
}

const WIDTH: f64 = 860.0;
const LEFT: f64 = 196.0;
const RIGHT: f64 = 830.0;
const TOP: f64 = 48.0;
const STRIP: f64 = 56.0;
const GAP: f64 = 14.0;

impl Timeline {
    /// The SVG file.
    pub fn svg(&self) -> String {
        let bottom = TOP + self.strips.len().max(1) as f64 * (STRIP + GAP);
        let mut svg = Svg::new(WIDTH, bottom + 60.0, &self.title, &self.notes);
        let steps = self.strips.iter().map(|strip| strip.values.len()).max().unwrap_or(0);
        let x = Across::Linear(LinearAxis::new(std::iter::once(steps as f64 * self.step), LEFT, RIGHT));
        x.draw_below(&mut svg, TOP, bottom, &self.x);
        let greatest = self.strips.iter().flat_map(|strip| &strip.values).copied().fold(0.0, f64::max);
        for (at, strip) in self.strips.iter().enumerate() {
            let top = TOP + at as f64 * (STRIP + GAP) + GAP;
            let own = strip.values.iter().copied().fold(0.0, f64::max);
            let most = if self.common { greatest } else { own };
            let y = LinearAxis::new(std::iter::once(most), top + STRIP, top);
            strip.draw(&mut svg, &x, &y, self.step);
        }
        svg.finish()
    }
}

impl Strip {
    fn draw(&self, svg: &mut Svg, x: &Across, y: &LinearAxis, step: f64) {
        let (low, high) = y.range();
        let (bottom, top) = (y.place(low), y.place(high));
        for value in [low, high] {
            svg.line((LEFT - 5.0, y.place(value)), (LEFT, y.place(value)), "stroke=\"black\"");
            svg.text((LEFT - 8.0, y.place(value) + 4.0), Anchor::End, 10.5, &number(value));
        }
        svg.text((18.0, (bottom + top) / 2.0 + 4.0), Anchor::Start, 12.0, &self.name);
        svg.line((LEFT, bottom), (RIGHT, bottom), "stroke=\"#888\" stroke-width=\"0.7\"");
        for (at, value) in self.values.iter().enumerate().filter(|(_, value)| **value > 0.0) {
            let (from, to) = (x.place(at as f64 * step), x.place((at + 1) as f64 * step));
            let height = bottom - y.place(*value);
            svg.rect((from, bottom - height), ((to - from).max(0.4), height), "fill=\"#444\"");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_above_zero_is_a_bar() {
        let strip = |name: &str, values: &[f64]| Strip { name: name.into(), values: values.to_vec() };
        let plot = Timeline {
            title: "a second".into(),
            x: "seconds".into(),
            step: 1.0,
            common: false,
            strips: vec![strip("CAM", &[1.0, 0.0, 7.0]), strip("DENM", &[0.0])],
            notes: Vec::new(),
        };
        let svg = plot.svg();
        assert_eq!(svg.matches("fill=\"#444\"").count(), 2);
        assert!(svg.contains(">CAM<") && svg.contains(">DENM<"));
        assert!(!Timeline { strips: Vec::new(), ..plot }.svg().contains("NaN"));
    }
}
