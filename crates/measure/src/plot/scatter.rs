//! Points and a line through them, in panels with a common y.

use serde::Serialize;

use super::axis::{LinearAxis, number};
use super::svg::{Anchor, DASHES, Svg};

/// Points with the same marker.
#[derive(Serialize)]
pub struct Cloud {
    /// Their label.
    pub name: String,
    /// The points.
    pub points: Vec<(f64, f64)>,
}

/// One panel.
#[derive(Serialize)]
pub struct Panel {
    /// Label of its x axis.
    pub x: String,
    /// Its points; each panel has the same kinds in the same order.
    pub clouds: Vec<Cloud>,
    /// A straight line: its value at zero, and its slope.
    pub line: (f64, f64),
    /// The line in words.
    pub remark: String,
}

/// Panels side by side.
#[derive(Serialize)]
pub struct ScatterPlot {
    /// Its title.
    pub title: String,
    /// Label of the y axis.
    pub y: String,
    /// The panels.
    pub panels: Vec<Panel>,
    /// Notes below it.
    pub notes: Vec<String>,
}

const LEFT: f64 = 78.0;
const PANEL: f64 = 350.0;
const GAP: f64 = 44.0;
const TOP: f64 = 74.0;
const BOTTOM: f64 = 430.0;
/// Radius of markers.
const MARKER: f64 = 4.0;

impl ScatterPlot {
    /// The SVG file.
    pub fn svg(&self) -> String {
        let width = LEFT + self.panels.len() as f64 * (PANEL + GAP);
        let mut svg = Svg::new(width, BOTTOM + 92.0, &self.title, &self.notes);
        let points = |of: fn(&(f64, f64)) -> f64| {
            let clouds = self.panels.iter().flat_map(|panel| &panel.clouds);
            clouds.flat_map(|cloud| &cloud.points).map(of).collect::<Vec<f64>>()
        };
        let y = LinearAxis::new(points(|point| point.1).into_iter(), BOTTOM, TOP);
        self.key(&mut svg);
        for value in y.ticks() {
            svg.line((LEFT - 6.0, y.place(value)), (LEFT, y.place(value)), "stroke=\"black\"");
            svg.text((LEFT - 9.0, y.place(value) + 4.0), Anchor::End, 12.0, &number(value));
        }
        let middle = (TOP + BOTTOM) / 2.0;
        let turned = format!("transform=\"rotate(-90 20 {middle:.1})\"");
        svg.styled_text((20.0, middle), Anchor::Middle, 13.0, &turned, &self.y);
        for (place, panel) in self.panels.iter().enumerate() {
            panel.draw(&mut svg, &y, LEFT + place as f64 * (PANEL + GAP));
        }
        svg.finish()
    }

    /// The sorts of points, each with its marker.
    fn key(&self, svg: &mut Svg) {
        let mut at = LEFT;
        for (sort, cloud) in self.panels.first().into_iter().flat_map(|panel| &panel.clouds).enumerate() {
            svg.marker((at, 47.0), MARKER, marker(sort));
            svg.text((at + 12.0, 51.0), Anchor::Start, 11.5, &cloud.name);
            at += 44.0 + 6.8 * cloud.name.chars().count() as f64;
        }
    }
}

impl Panel {
    fn draw(&self, svg: &mut Svg, y: &LinearAxis, left: f64) {
        let right = left + PANEL;
        let x = LinearAxis::new(self.clouds.iter().flat_map(|cloud| &cloud.points).map(|point| point.0), left, right);
        for value in y.ticks() {
            svg.line((left, y.place(value)), (right, y.place(value)), "stroke=\"#ccc\"");
        }
        for value in x.ticks() {
            let place = x.place(value);
            svg.line((place, BOTTOM), (place, BOTTOM + 6.0), "stroke=\"black\"");
            svg.text((place, BOTTOM + 20.0), Anchor::Middle, 12.0, &number(value));
        }
        svg.rect((left, TOP), (PANEL, BOTTOM - TOP), "fill=\"none\" stroke=\"black\"");
        svg.text(((left + right) / 2.0, BOTTOM + 44.0), Anchor::Middle, 13.0, &self.x);
        svg.text(((left + right) / 2.0, BOTTOM + 66.0), Anchor::Middle, 11.5, &self.remark);
        if let Some((from, to)) = self.ends(&x, y) {
            let style = format!("stroke=\"black\" stroke-width=\"1.2\" stroke-dasharray=\"{}\"", DASHES[1]);
            svg.line((x.place(from.0), y.place(from.1)), (x.place(to.0), y.place(to.1)), &style);
        }
        for (sort, cloud) in self.clouds.iter().enumerate() {
            for point in &cloud.points {
                svg.marker((x.place(point.0), y.place(point.1)), MARKER, marker(sort));
            }
        }
    }

    /// Where the line enters and leaves the panel.
    fn ends(&self, x: &LinearAxis, y: &LinearAxis) -> Option<((f64, f64), (f64, f64))> {
        let (at_zero, slope) = self.line;
        let (low, high) = y.range();
        let (mut from, mut to) = x.range();
        if slope != 0.0 {
            let (a, b) = ((low - at_zero) / slope, (high - at_zero) / slope);
            (from, to) = (from.max(a.min(b)), to.min(a.max(b)));
        }
        (from < to).then_some(((from, at_zero + slope * from), (to, at_zero + slope * to)))
    }
}

/// A white circle, and then black and white shapes that stand out.
fn marker(sort: usize) -> usize {
    [0, 9, 10, 5][sort % 4]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_a_marker_and_the_line_stays_inside() {
        let cloud = |name: &str, points: &[(f64, f64)]| Cloud { name: name.into(), points: points.to_vec() };
        let panel = Panel {
            x: "octets".into(),
            clouds: vec![
                cloud("the 64", &[(10.0, 5.0), (800.0, 90.0), (300.0, 40.0)]),
                cloud("another", &[(180.0, 60.0)]),
            ],
            line: (-20.0, 0.14),
            remark: "R² 0.9".into(),
        };
        let (x, y) =
            (LinearAxis::new([10.0, 800.0].into_iter(), 0.0, 1.0), LinearAxis::new([5.0, 90.0].into_iter(), 0.0, 1.0));
        let (from, to) = panel.ends(&x, &y).unwrap();
        assert!((from.1 - y.range().0).abs() < 1e-9 && to.0 <= x.range().1 && to.1 <= y.range().1, "{from:?} {to:?}");
        let svg = ScatterPlot { title: "a plot".into(), y: "ns".into(), panels: vec![panel], notes: Vec::new() }.svg();
        // In the panel, and in the key.
        assert_eq!(svg.matches("<circle").count(), 3 + 1);
        assert!(svg.contains(">another<") && svg.contains("R² 0.9") && !svg.contains("NaN"));
    }
}
