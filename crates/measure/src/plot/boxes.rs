//! Box plots: minimum, quartiles, median, maximum, and optionally the 99th percentile and the mean.

use serde::Serialize;

use super::axis::{Across, LinearAxis, LogAxis};
use super::svg::{Anchor, Svg};

/// One box.
#[derive(Serialize)]
pub struct BoxRow {
    /// Its label.
    pub name: String,
    /// The least value, where the whisker begins.
    pub min: f64,
    /// First quartile.
    pub q1: f64,
    /// The median.
    pub median: f64,
    /// Third quartile.
    pub q3: f64,
    /// The greatest value, where the whisker ends.
    pub max: f64,
    /// The 99th percentile, from which the whisker is dotted; and the mean, a diamond.
    pub more: Option<(f64, f64)>,
}

/// Boxes over a common axis.
#[derive(Serialize)]
pub struct BoxPlot {
    /// Its title.
    pub title: String,
    /// Label of the axis.
    pub x: String,
    /// The end of a linear axis that begins at zero; without it the axis is logarithmic and covers
    /// all values.
    pub end: Option<f64>,
    /// How medians are printed: decimals.
    pub decimals: usize,
    /// The boxes, top down.
    pub rows: Vec<BoxRow>,
    /// Notes below it.
    pub notes: Vec<String>,
}

const WIDTH: f64 = 760.0;
const LEFT: f64 = 128.0;
const RIGHT: f64 = 668.0;
const TOP: f64 = 62.0;
const ROW: f64 = 34.0;
const BOX: f64 = 16.0;

impl BoxPlot {
    /// The SVG file.
    pub fn svg(&self) -> String {
        let bottom = TOP + ROW * self.rows.len() as f64;
        let mut svg = Svg::new(WIDTH, bottom + 92.0, &self.title, &self.notes);
        let x = match self.end {
            Some(end) => Across::Linear(LinearAxis::new([end].into_iter(), LEFT, RIGHT)),
            None => Across::Log(LogAxis::new(self.rows.iter().flat_map(|row| [row.min, row.max]), LEFT, RIGHT)),
        };
        svg.text((WIDTH - 12.0, TOP - 10.0), Anchor::End, 12.0, "median");
        x.draw_below(&mut svg, TOP, bottom, &self.x);
        for (i, row) in self.rows.iter().enumerate() {
            self.row(&mut svg, &x, row, TOP + ROW * (i as f64 + 0.5));
        }
        let key = match self.rows.first().and_then(|row| row.more) {
            Some(_) => {
                "whisker: least value to 99 % (dotted: to the greatest); box: quartiles; bar: median; diamond: mean"
            }
            None => "whisker: least value to the greatest (no end: beyond the axis); box: quartiles; bar: median",
        };
        svg.text((WIDTH / 2.0, bottom + 70.0), Anchor::Middle, 11.0, key);
        svg.finish()
    }

    fn row(&self, svg: &mut Svg, x: &Across, row: &BoxRow, y: f64) {
        let at = |value: f64| x.place(value);
        let (top, low) = (y - BOX / 2.0, y + BOX / 2.0);
        svg.text((LEFT - 10.0, y + 4.5), Anchor::End, 13.0, &row.name);
        let solid = row.more.map_or(row.max, |(p99, _)| p99);
        svg.line((at(row.min), y), (at(solid), y), "stroke=\"black\"");
        if row.more.is_some() {
            svg.line((at(solid), y), (at(row.max), y), "stroke=\"black\" stroke-dasharray=\"1 3\"");
        }
        // A whisker that extends beyond the axis has no end mark.
        let is_inside = |value: &f64| self.end.is_none_or(|end| *value <= end);
        for (end, part) in [(row.min, 4.0), (solid, 4.0), (row.max, 6.0)].into_iter().filter(|(end, _)| is_inside(end))
        {
            svg.line((at(end), y - BOX / part), (at(end), y + BOX / part), "stroke=\"black\"");
        }
        let width = (at(row.q3) - at(row.q1)).max(1.0);
        svg.rect((at(row.q1), top), (width, BOX), "fill=\"#ddd\" stroke=\"black\"");
        svg.line((at(row.median), top), (at(row.median), low), "stroke=\"black\" stroke-width=\"2.5\"");
        if let Some((_, mean)) = row.more {
            svg.marker((at(mean), y), 2.8, DIAMOND);
        }
        let median = format!("{:.*}", self.decimals, row.median);
        svg.text((WIDTH - 12.0, y + 4.5), Anchor::End, 12.0, &median);
    }
}

/// The white diamond among the markers.
const DIAMOND: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, scale: f64, more: bool) -> BoxRow {
        BoxRow {
            name: name.into(),
            min: scale,
            q1: 2.0 * scale,
            median: 3.0 * scale,
            q3: 4.0 * scale,
            max: 1000.0 * scale,
            more: more.then_some((8.0 * scale, 3.5 * scale)),
        }
    }

    fn plot(end: Option<f64>, rows: Vec<BoxRow>) -> String {
        BoxPlot { title: "Encoding".into(), x: "µs".into(), end, decimals: 1, rows, notes: Vec::new() }.svg()
    }

    #[test]
    fn every_row_has_its_box_its_name_and_its_median() {
        let svg = plot(None, vec![row("UPER", 0.1, true), row("XER", 2.0, true)]);
        assert!(svg.contains(">UPER<") && svg.contains(">XER<") && svg.contains(">0.3<") && svg.contains(">6.0<"));
        assert_eq!((svg.matches("#ddd").count(), svg.matches("<polygon").count()), (2, 2));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn a_linear_axis_ends_where_it_was_asked_to_and_a_whisker_beyond_has_no_end() {
        let ends = |svg: &str| svg.matches("<line").count();
        let (inside, beyond) =
            (plot(Some(200.0), vec![row("a", 0.2, false)]), plot(Some(100.0), vec![row("a", 0.2, false)]));
        assert!(inside.contains(">200<") && beyond.contains(">100<") && !beyond.contains(">200<"));
        assert!(!inside.contains("<polygon") && !inside.contains("diamond"), "neither mean nor 99 %");
        // The same ticks, and both ends of the whisker less.
        let ticks = |svg: &str| svg.matches("stroke=\"#ccc\"").count();
        assert_eq!(ends(&inside) - 2 * ticks(&inside), ends(&beyond) - 2 * ticks(&beyond) + 2);
    }
}
