//! Plots as SVG, readable in black and white: series differ by marker, dashes and a label at their end; fonts that are everywhere.

mod axis;
mod bars;
mod boxes;
mod lines;
mod scatter;
mod svg;

pub use bars::{Bar, BarGroup, BarPlot};
pub use boxes::{BoxPlot, BoxRow};
pub use lines::{Line, LinePlot};
pub use scatter::{Cloud, Panel, ScatterPlot};
