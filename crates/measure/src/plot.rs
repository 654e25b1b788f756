//! Plots as SVG, readable in black and white: series differ by marker, dashes and a label at their end; common fonts.

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
pub use map::{Map, Places};
pub use scatter::{Cloud, Panel, ScatterPlot};
pub use svg::escape;
pub use timeline::{Strip, Timeline};
pub use tradeoff::{Panel as TradeoffPanel, Point, TradeoffPlot};
