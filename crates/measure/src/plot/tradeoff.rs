//! Octets against time on logarithmic axes: a small panel for each message, a point with its name
//! for each encoding.

use serde::Serialize;

use super::axis::{LogAxis, number};
use super::svg::{Anchor, Svg};

/// An encoding of one message.
#[derive(Serialize)]
pub struct Point {
    /// Its name.
    pub name: String,
    /// Its length, octets.
    pub octets: f64,
    /// The time to encode and decode it, nanoseconds.
    pub nanoseconds: f64,
    /// Whether no other is shorter and faster.
    pub best: bool,
}

/// One message.
#[derive(Serialize)]
pub struct Panel {
    /// Its name.
    pub title: String,
    /// Its encodings.
    pub points: Vec<Point>,
}

/// Panels, each on axes of its own, so that encodings that are near each other stay apart.
#[derive(Serialize)]
pub struct TradeoffPlot {
    /// Its title.
    pub title: String,
    /// The panels.
    pub panels: Vec<Panel>,
    /// Notes below the plot.
    pub notes: Vec<String>,
}

/// Panels in a row; one of many points takes the place of two.
const COLUMNS: usize = 4;
const MANY: usize = 8;
const LEFT: f64 = 70.0;
const TOP: f64 = 58.0;
const WIDTH: f64 = 205.0;
const HEIGHT: f64 = 150.0;
/// From one panel to the next: the numbers of its axis and the next title are between.
const GAP: f64 = 38.0;
const ROW: f64 = HEIGHT + 46.0;
/// The width of the longest name on the right of its point.
const NAME: f64 = 76.0;
/// The height of a number below an axis.
const NUMBER: f64 = 32.0;
/// Radius of markers, size of names, and how far these are from each other.
const MARKER: f64 = 3.5;
const LETTERS: f64 = 10.0;
const LINE: f64 = 11.0;

impl TradeoffPlot {
    /// The SVG file.
    pub fn svg(&self) -> String {
        let mut places = Vec::new();
        let (mut row, mut column) = (0, 0);
        for panel in &self.panels {
            if column + panel.columns() > COLUMNS {
                (row, column) = (row + 1, 0);
            }
            places.push((LEFT + column as f64 * (WIDTH + GAP), TOP + f64::from(row) * ROW));
            column += panel.columns();
        }
        let rows = f64::from(row + 1);
        let width = LEFT + COLUMNS as f64 * (WIDTH + GAP);
        let mut svg = Svg::new(width, TOP + rows * ROW + 20.0, &self.title, &self.notes);
        self.panels.iter().zip(places).for_each(|(panel, corner)| panel.draw(&mut svg, corner));
        let middle = TOP + rows * ROW / 2.0;
        let turned = format!("transform=\"rotate(-90 18 {middle:.1})\"");
        svg.styled_text((18.0, middle), Anchor::Middle, 13.0, &turned, "encode + decode, ns");
        svg.text((width / 2.0, TOP + rows * ROW - 8.0), Anchor::Middle, 13.0, "octets");
        svg.finish()
    }
}

impl Panel {
    fn columns(&self) -> usize {
        if self.points.len() > MANY { 2 } else { 1 }
    }

    fn draw(&self, svg: &mut Svg, (left, top): (f64, f64)) {
        let width = (self.columns() - 1) as f64 * (WIDTH + GAP) + WIDTH;
        let across = LogAxis::new(self.points.iter().map(|one| one.octets), left + 10.0, left + width - NAME);
        let up = LogAxis::new(self.points.iter().map(|one| one.nanoseconds), top + HEIGHT - 8.0, top + 8.0);
        svg.styled_text((left, top - 7.0), Anchor::Start, 12.0, "font-weight=\"bold\"", &self.title);
        let mut last = f64::NEG_INFINITY;
        for octets in across.ticks().0 {
            let x = across.place(octets);
            svg.line((x, top), (x, top + HEIGHT), "stroke=\"#ddd\"");
            if x - last < NUMBER {
                continue;
            }
            last = x;
            svg.text((x, top + HEIGHT + 15.0), Anchor::Middle, LETTERS, &number(octets));
        }
        for nanoseconds in up.ticks().0 {
            let y = up.place(nanoseconds);
            svg.line((left, y), (left + width, y), "stroke=\"#ddd\"");
            svg.text((left - 5.0, y + 3.5), Anchor::End, LETTERS, &number(nanoseconds));
        }
        svg.rect((left, top), (width, HEIGHT), "fill=\"none\" stroke=\"black\"");
        let places: Vec<(f64, f64)> =
            self.points.iter().map(|one| (across.place(one.octets), up.place(one.nanoseconds))).collect();
        let heights = apart(&places, (top + LETTERS, top + HEIGHT - 3.0));
        for ((point, place), height) in self.points.iter().zip(places).zip(heights) {
            svg.marker(place, MARKER, usize::from(point.best));
            svg.line(
                (place.0 + MARKER, place.1),
                (place.0 + 10.0, height - 3.5),
                "stroke=\"#888\" stroke-width=\"0.6\"",
            );
            svg.text((place.0 + 12.0, height), Anchor::Start, LETTERS, &point.name);
        }
    }
}

/// Heights for the names of points, so that no two lie on each other: beside the point, or as near
/// as there is room.
fn apart(points: &[(f64, f64)], (top, bottom): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|a, b| points[*a].1.total_cmp(&points[*b].1));
    let mut heights = vec![0.0; points.len()];
    for (at, one) in order.iter().enumerate() {
        let wanted = (points[*one].1 + 3.5).max(top);
        let above = order[..at].iter().filter(|other| near(points[**other].0, points[*one].0));
        heights[*one] = above.map(|other| heights[*other] + LINE).fold(wanted, f64::max);
    }
    // Names below the panel push those above them up again.
    for (at, one) in order.iter().enumerate().rev() {
        let below = order[at + 1..].iter().filter(|other| near(points[**other].0, points[*one].0));
        heights[*one] = below.map(|other| heights[*other] - LINE).fold(heights[*one].min(bottom), f64::min);
    }
    heights
}

/// Whether names that begin at these places would meet.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 70.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_lie_on_each_other() {
        let points = [(10.0, 50.0), (12.0, 51.0), (14.0, 52.0), (200.0, 51.0), (11.0, 99.0)];
        let heights = apart(&points, (10.0, 100.0));
        for (a, b) in [(0, 1), (1, 2), (2, 4)] {
            assert!(heights[b] - heights[a] > LINE - 0.01, "{heights:?}");
        }
        assert!((heights[3] - 54.5).abs() < 0.01 && heights.iter().all(|height| (10.0..=100.0).contains(height)));
    }

    #[test]
    fn each_point_has_a_marker_and_a_name() {
        let point = |name: &str, octets, best| Point { name: name.into(), octets, nanoseconds: 20.0, best };
        let panel = |title: &str| Panel {
            title: title.into(),
            points: vec![point("uper", 41.0, true), point("xer", 1698.0, false)],
        };
        let panels = ["cam", "denm", "cpm", "vam"].map(panel).into();
        let svg = TradeoffPlot { title: "t".into(), panels, notes: vec![] }.svg();
        assert_eq!((svg.matches(">uper<").count(), svg.matches("<circle").count()), (4, 8));
    }
}
