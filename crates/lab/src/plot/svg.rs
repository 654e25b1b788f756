//! The elements of a drawing.

use std::fmt::Write as _;

/// Where a text is held.
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
    body: String,
}

impl Svg {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Svg { width, height, body: String::new() }
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
    pub(super) fn finish(self, title: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
             font-family=\"DejaVu Sans, Verdana, Arial, Helvetica, sans-serif\" fill=\"black\">\n<title>{}</title>\n\
             <rect width=\"{w}\" height=\"{h}\" fill=\"white\"/>\n{}</svg>\n",
            escape(title),
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

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
