//! Bars over a logarithmic x, with the interval of most samples.

use serde::Serialize;

use super::axis::{Across, LogAxis};
use super::svg::{Anchor, Svg};

/// One bar.
#[derive(Serialize)]
pub struct Bar {
    /// Its label.
    pub name: String,
    /// A remark after it, in smaller letters.
    pub remark: String,
    /// Where it ends.
    pub value: f64,
    /// The interval around its end; not drawn if both ends are equal.
    pub interval: (f64, f64),
    /// The value of another implementation.
    pub mark: Option<f64>,
    /// The shade, from white on, distinguishes kinds of bars.
    pub shade: usize,
}

/// Bars that belong together, under a heading.
#[derive(Serialize)]
pub struct BarGroup {
    /// The heading.
    pub name: String,
    /// The bars, top down.
    pub bars: Vec<Bar>,
}

/// Bars over a common logarithmic axis.
#[derive(Serialize)]
pub struct BarPlot {
    /// Its title.
    pub title: String,
    /// Label of the axis.
    pub x: String,
    /// The meaning of the shades, from white on.
    pub shades: Vec<String>,
    /// The implementation of the marks, if there are any.
    pub marks: Option<String>,
    /// The groups, top down.
    pub groups: Vec<BarGroup>,
    /// Notes below it.
    pub notes: Vec<String>,
}

const WIDTH: f64 = 850.0;
const LEFT: f64 = 196.0;
const RIGHT: f64 = 690.0;
const TOP: f64 = 66.0;
const ROW: f64 = 19.0;
const BAR: f64 = 12.0;
const HEADING: f64 = 26.0;
/// Radius of marks, and their shape.
const MARK: f64 = 4.5;
const DIAMOND: usize = 9;
/// White around black, so that it is seen on any shade.
const WHISKER: [&str; 2] = ["stroke=\"white\" stroke-width=\"3\"", "stroke=\"black\" stroke-width=\"1.4\""];
const FILLS: [&str; 4] = ["white", "#ccc", "#888", "black"];

impl BarPlot {
    /// The SVG file.
    pub fn svg(&self) -> String {
        let rows: usize = self.groups.iter().map(|group| group.bars.len()).sum();
        let bottom = TOP + ROW * rows as f64 + HEADING * self.groups.len() as f64;
        let mut svg = Svg::new(WIDTH, bottom + 72.0, &self.title, &self.notes);
        let ends = self.groups.iter().flat_map(|group| &group.bars);
        // A bar needs a length: the axis begins below the shortest.
        let ends = ends.flat_map(|bar| [bar.value / 2.0, bar.interval.1, bar.mark.unwrap_or(bar.value)]);
        let x = Across::Log(LogAxis::new(ends, LEFT, RIGHT));
        self.key(&mut svg);
        x.draw_below(&mut svg, TOP, bottom, &self.x);
        let mut y = TOP;
        for group in &self.groups {
            svg.rect((LEFT - 1.0, y + 3.0), (RIGHT - LEFT, 18.0), "fill=\"white\"");
            svg.styled_text((18.0, y + 18.0), Anchor::Start, 12.0, "font-weight=\"bold\"", &group.name);
            y += HEADING;
            for bar in &group.bars {
                draw(&mut svg, &x, bar, y + ROW / 2.0);
                y += ROW;
            }
        }
        svg.finish()
    }

    fn key(&self, svg: &mut Svg) {
        let mut at = LEFT;
        for (shade, name) in self.shades.iter().enumerate() {
            svg.rect((at, 42.0), (BAR, BAR), &format!("fill=\"{}\" stroke=\"black\"", fill(shade)));
            svg.text((at + 18.0, 52.0), Anchor::Start, 11.0, name);
            at += 40.0 + 6.5 * name.chars().count() as f64;
        }
        if let Some(name) = &self.marks {
            svg.marker((at + BAR / 2.0, 48.0), MARK, DIAMOND);
            svg.text((at + 18.0, 52.0), Anchor::Start, 11.0, name);
        }
    }
}

fn draw(svg: &mut Svg, x: &Across, bar: &Bar, y: f64) {
    let end = x.place(bar.value);
    svg.text((LEFT - 8.0, y + 4.0), Anchor::End, 11.5, &bar.name);
    svg.rect((LEFT, y - BAR / 2.0), (end - LEFT, BAR), &format!("fill=\"{}\" stroke=\"black\"", fill(bar.shade)));
    let (from, to) = (x.place(bar.interval.0), x.place(bar.interval.1));
    for style in WHISKER.into_iter().filter(|_| from < to) {
        svg.line((from, y), (to, y), style);
        [from, to].into_iter().for_each(|place| svg.line((place, y - 3.0), (place, y + 3.0), style));
    }
    if let Some(mark) = bar.mark {
        svg.marker((x.place(mark), y), MARK, DIAMOND);
    }
    let digits = usize::from(bar.value < 100.0 && bar.value.fract() != 0.0);
    let value = format!("{:.digits$}", bar.value);
    svg.text((RIGHT + 8.0, y + 4.0), Anchor::Start, 11.0, &format!("{value}{}", bar.remark));
}

fn fill(shade: usize) -> &'static str {
    FILLS[shade % FILLS.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bar_has_its_name_its_value_and_a_length() {
        let bar = |name: &str, value: f64| Bar {
            name: name.into(),
            remark: " ns".into(),
            value,
            interval: (value / 1.1, value * 1.1),
            mark: (value < 100.0).then_some(value * 1000.0),
            shade: usize::from(value > 100.0),
        };
        let plot = BarPlot {
            title: "Encoding".into(),
            x: "ns".into(),
            shades: vec!["ours".into(), "theirs".into()],
            marks: Some("printed".into()),
            groups: vec![BarGroup { name: "CAM".into(), bars: vec![bar("uper", 21.25), bar("rasn", 1943.0)] }],
            notes: vec!["one machine".into()],
        };
        let svg = plot.svg();
        assert!(svg.contains(">uper<") && svg.contains(">21.2 ns<") && svg.contains(">1943 ns<"), "{svg}");
        assert!(
            svg.contains(">CAM<")
                && svg.contains(">theirs<")
                && svg.contains(">printed<")
                && svg.contains(">one machine<")
        );
        // One next to a bar, within the axis, and one in the key.
        assert!(svg.matches("<polygon").count() == 2 && svg.contains(">10 000<"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("width=\"0.0\""));
    }
}
