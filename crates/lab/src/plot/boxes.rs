//! Box plots over a logarithmic x: minimum, quartiles, median, maximum, and the mean.

use super::axis::LogAxis;
use super::svg::{Anchor, Svg};

/// One box.
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
    /// 99 % are not above; the solid whisker ends here.
    pub p99: f64,
    /// The greatest value, where the dotted whisker ends.
    pub max: f64,
    /// The mean, a diamond.
    pub mean: f64,
}

/// Boxes over a common logarithmic axis.
pub struct BoxPlot {
    /// What it shows.
    pub title: String,
    /// Label of the axis.
    pub x: String,
    /// How medians are printed: decimals.
    pub decimals: usize,
    /// The boxes, top down.
    pub rows: Vec<BoxRow>,
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
        let height = bottom + 86.0;
        let mut svg = Svg::new(WIDTH, height);
        let x = LogAxis::new(self.rows.iter().flat_map(|row| [row.min, row.max]), LEFT, RIGHT);
        svg.styled_text((18.0, 26.0), Anchor::Start, 15.0, "font-weight=\"bold\"", &self.title);
        svg.text((WIDTH - 12.0, TOP - 10.0), Anchor::End, 12.0, "median");
        x.draw_below(&mut svg, TOP, bottom, &self.x);
        for (i, row) in self.rows.iter().enumerate() {
            self.row(&mut svg, &x, row, TOP + ROW * (i as f64 + 0.5));
        }
        let key = "whisker: least value to 99 % (dotted: to the greatest); box: quartiles; bar: median; diamond: mean";
        svg.text((WIDTH / 2.0, bottom + 70.0), Anchor::Middle, 11.0, key);
        svg.finish(&self.title)
    }

    fn row(&self, svg: &mut Svg, x: &LogAxis, row: &BoxRow, y: f64) {
        let at = |value: f64| x.place(value);
        let (top, low) = (y - BOX / 2.0, y + BOX / 2.0);
        svg.text((LEFT - 10.0, y + 4.5), Anchor::End, 13.0, &row.name);
        svg.line((at(row.min), y), (at(row.p99), y), "stroke=\"black\"");
        svg.line((at(row.p99), y), (at(row.max), y), "stroke=\"black\" stroke-dasharray=\"1 3\"");
        for end in [row.min, row.p99] {
            svg.line((at(end), y - BOX / 4.0), (at(end), y + BOX / 4.0), "stroke=\"black\"");
        }
        svg.line((at(row.max), y - BOX / 6.0), (at(row.max), y + BOX / 6.0), "stroke=\"black\"");
        let width = (at(row.q3) - at(row.q1)).max(1.0);
        svg.rect((at(row.q1), top), (width, BOX), "fill=\"#ddd\" stroke=\"black\"");
        svg.line((at(row.median), top), (at(row.median), low), "stroke=\"black\" stroke-width=\"2.5\"");
        svg.marker((at(row.mean), y), 2.8, DIAMOND);
        let median = format!("{:.*}", self.decimals, row.median);
        svg.text((WIDTH - 12.0, y + 4.5), Anchor::End, 12.0, &median);
    }
}

/// The white diamond among the markers.
const DIAMOND: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_its_box_its_name_and_its_median() {
        let row = |name: &str, scale: f64| BoxRow {
            name: name.into(),
            min: scale,
            q1: 2.0 * scale,
            median: 3.0 * scale,
            q3: 4.0 * scale,
            p99: 8.0 * scale,
            max: 1000.0 * scale,
            mean: 3.5 * scale,
        };
        let plot = BoxPlot {
            title: "Encoding".into(),
            x: "µs".into(),
            decimals: 1,
            rows: vec![row("UPER", 0.1), row("XER", 2.0)],
        };
        let svg = plot.svg();
        assert!(svg.contains(">UPER<") && svg.contains(">XER<") && svg.contains(">0.3<") && svg.contains(">6.0<"));
        assert_eq!(svg.matches("#ddd").count(), 2);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
