//! Plots as SVG, readable in black and white: series differ by marker, dashes and a label at their
//! end; common fonts. As data (`Serialize`) they are drawn by the page of a report.

mod axis;
mod bars;
mod boxes;
mod lines;
mod map;
mod scatter;
mod svg;
mod timeline;
mod tradeoff;

pub use bars::{Bar, BarGroup, BarPlot};
pub use boxes::{BoxPlot, BoxRow};
pub use lines::{Line, LinePlot, Scale};
pub use map::{Map, Places, Track};
pub use scatter::{Cloud, Panel, ScatterPlot};
pub use svg::escape;
pub use timeline::{Strip, Timeline};
pub use tradeoff::{Panel as TradeoffPanel, Point, TradeoffPlot};

use serde::Serialize;

/// A plot of any kind.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[expect(missing_docs, reason = "each is named after its plot")]
pub enum Plot {
    Bars(BarPlot),
    Boxes(BoxPlot),
    Lines(LinePlot),
    Map(Map),
    Scatter(ScatterPlot),
    Timeline(Timeline),
    Tradeoff(TradeoffPlot),
}

impl Plot {
    /// The SVG file.
    #[must_use]
    pub fn svg(&self) -> String {
        match self {
            Plot::Bars(plot) => plot.svg(),
            Plot::Boxes(plot) => plot.svg(),
            Plot::Lines(plot) => plot.svg(),
            Plot::Map(plot) => plot.svg(),
            Plot::Scatter(plot) => plot.svg(),
            Plot::Timeline(plot) => plot.svg(),
            Plot::Tradeoff(plot) => plot.svg(),
        }
    }

    /// Its title.
    #[must_use]
    pub fn title(&self) -> &str {
        match self {
            Plot::Bars(plot) => &plot.title,
            Plot::Boxes(plot) => &plot.title,
            Plot::Lines(plot) => &plot.title,
            Plot::Map(plot) => &plot.title,
            Plot::Scatter(plot) => &plot.title,
            Plot::Timeline(plot) => &plot.title,
            Plot::Tradeoff(plot) => &plot.title,
        }
    }
}

macro_rules! from {
    ($($plot:ident => $kind:ident),*) => {$(
        impl From<$plot> for Plot {
            fn from(plot: $plot) -> Plot {
                Plot::$kind(plot)
            }
        }
    )*};
}
from!(BarPlot => Bars, BoxPlot => Boxes, LinePlot => Lines, Map => Map, ScatterPlot => Scatter, Timeline => Timeline, TradeoffPlot => Tradeoff);
