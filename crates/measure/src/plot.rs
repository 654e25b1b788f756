//! Plots as SVG, readable in black and white: series differ by marker, dashes and a label at their end; common fonts.

mod axis;
mod bars;
mod boxes;
mod lines;
mod scatter;
mod svg;
mod tradeoff;

pub use bars::{Bar, BarGroup, BarPlot};
pub use boxes::{BoxPlot, BoxRow};
pub use lines::{Line, LinePlot};
pub use scatter::{Cloud, Panel, ScatterPlot};
pub use tradeoff::{Panel as TradeoffPanel, Point, TradeoffPlot};
