//! The elements of a drawing.

use std::fmt::Write as _;

/// The anchor of a text.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing that grows element by element.
pub(super) struct Svg {
    width: f64,
    height: f64,
    title: String,
    body: String,
}

/// Where titles and notes begin.
const MARGIN: f64 = 18.0;
/// Size of a note's letters, how wide one is at most on average, and how far lines are from each
/// other.
const NOTE: f64 = 11.0;
const LETTER: f64 = 6.2;
const LINE: f64 = 15.0;

impl Svg {
    /// With its title on top, in smaller letters where it is long, and its notes below the height
    /// that the plot has.
    pub(super) fn new(width: f64, height: f64, title: &str, notes: &[String]) -> Self {
        let mut svg = Svg { width, height, title: title.into(), body: String::new() };
        let room = width - 2.0 * MARGIN;
        let size = (room / title.chars().count() as f64 / 0.68).min(15.0);
        svg.styled_text((MARGIN, 26.0), Anchor::Start, (size * 10.0).floor() / 10.0, "font-weight=\"bold\"", title);
        for line in notes.iter().flat_map(|note| wrapped(note, (room / LETTER) as usize)) {
            svg.text((MARGIN, svg.height + 4.0), Anchor::Start, NOTE, &line);
            svg.height += LINE;
        }
        svg
    }

    pub(super) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), style: &str) {
        let _ = writeln!(self.body, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>");
    }

    pub(super) fn polyline(&mut self, points: &[(f64, f64)], style: &str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(self.body, "<polyline points=\"{}\" fill=\"none\" {style}/>", points.join(" "));
    }

    pub(super) fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), style: &str) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" {style}/>"
        );
    }

    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, size: f64, text: &str) {
        self.styled_text((x, y), anchor, size, "", text);
    }

    pub(super) fn styled_text(&mut self, (x, y): (f64, f64), anchor: Anchor, size: f64, style: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\" {style}>{}</text>",
            escape(text)
        );
    }

    /// One of [`MARKERS`] shapes around a point, with radius `r`.
    pub(super) fn marker(&mut self, (x, y): (f64, f64), r: f64, shape: usize) {
        let closed = |points: &[(f64, f64)], fill: &str| {
            let points: Vec<String> =
                points.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx * r, y + dy * r)).collect();
            format!("<polygon points=\"{}\" fill=\"{fill}\" stroke=\"black\"/>", points.join(" "))
        };
        let square = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let up = [(0.0, -1.2), (1.1, 0.9), (-1.1, 0.9)];
        let down = [(0.0, 1.2), (1.1, -0.9), (-1.1, -0.9)];
        let diamond = [(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)];
        let fill = if shape % 2 == 0 { "white" } else { "black" };
        let element = match shape % MARKERS / 2 {
            0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\" fill=\"{fill}\" stroke=\"black\"/>"),
            1 => closed(&square, fill),
            2 => closed(&up, fill),
            3 => closed(&down, fill),
            4 => closed(&diamond, fill),
            _ => {
                // A cross, upright or oblique.
                let (a, b) = if shape % 2 == 0 { (r, r) } else { (0.0, 1.3 * r) };
                format!(
                    "<path d=\"M{:.1},{:.1}L{:.1},{:.1}M{:.1},{:.1}L{:.1},{:.1}\" stroke=\"black\" stroke-width=\"1.8\"/>",
                    x - a,
                    y - b,
                    x + a,
                    y + b,
                    x - b,
                    y + a,
                    x + b,
                    y - a
                )
            }
        };
        self.body += &element;
        self.body.push('\n');
    }

    /// The whole file.
    pub(super) fn finish(self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
             font-family=\"DejaVu Sans, Verdana, Arial, Helvetica, sans-serif\" fill=\"black\">\n<title>{}</title>\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"white\"/>\n{}</svg>\n",
            escape(&self.title),
            self.body,
            w = self.width,
            h = self.height,
        )
    }
}

/// How many markers there are: five shapes, white and black, and two crosses.
const MARKERS: usize = 12;

/// Stroke styles that differ in black and white.
pub(super) const DASHES: [&str; 5] = ["", "7 3", "2 3", "9 3 2 3", "4 2"];

/// Wraps a text into lines of at most `most` letters, if its words allow it.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

/// Text as it stands in SVG and HTML, in attributes too.
#[must_use]
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_below_in_lines_that_fit() {
        let words = "word ".repeat(60).trim_end().to_string();
        let lines = wrapped(&words, 40);
        assert!(lines.iter().all(|line| line.chars().count() <= 40), "{lines:?}");
        assert_eq!(lines.join(" "), words);
        let svg = Svg::new(280.0, 100.0, "a title", &[words]).finish();
        assert_eq!(svg.matches("<text").count(), 1 + lines.len());
        assert!(svg.contains(&format!("height=\"{}\"", 100 + 15 * lines.len())), "{svg}");
    }

    #[test]
    fn a_long_title_has_smaller_letters() {
        let size = |title: &str| Svg::new(850.0, 1.0, title, &[]).finish().contains("font-size=\"15\"");
        assert!(size("short") && !size(&"long ".repeat(20)));
    }
}
